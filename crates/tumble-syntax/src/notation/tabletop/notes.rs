//! Nothing differs silently: where another tool reads the same text differently, a note says so.
//!
//! The text is parsed as each tool parses it. If the tree has another spelling in the everyday notation, that spelling is
//! what the tool means, and a text to copy. There is no note where the other reading is nonsense: a target that every
//! die meets, or none. What is easily read differently within one tool has a note too.

use super::MISTAKES;
use super::dialect::{Dialect, LoneGroup, OTHERS, TABLETOP};
use super::lower::TOTALS;
use super::parse;
use super::spell::spell_in;
use super::syntax::{Arg, Compare, Dice, Expr, Infix, Item, Modifier, NodeId, Prefix, Sides, Source, Test, Tree};
use crate::mistake::listed;
use crate::row::note;
use tumble_core::{Diagnostic, Span};

/// Longer texts are not read again.
const LONGEST: usize = 400;

/// What other tools make of a text, in one sentence; none if they agree.
pub(super) fn compare(tree: &Tree, text: &str, said: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    if text.len() > LONGEST {
        return out;
    }
    // That dice are not counted was said already.
    let totals = said.iter().any(|warning| warning.message.starts_with(TOTALS));
    if let Some(message) = readings(tree, text).filter(|_| !totals) {
        out.push(note(Span::new(0, text.trim_end().len()), message));
    }
    if let Some(span) = unrounded(tree) {
        let message = "this division is rounded toward zero, as `floor(…)` makes clear; `exact(…)` keeps the fraction, as other tools do";
        out.push(note(span, message));
    }
    out.extend(two_keeps(tree));
    out.extend(from_left_to_right(tree, text));
    out.extend(repeated_by_a_comment(tree));
    out.extend(MISTAKES.noted("note", text).map(|found| note(found.span, found.message)));
    out.extend(about_dice("dice note", tree, text));
    out.extend(three_bangs(tree));
    out
}

/// `Roll20 reads this as …; Avrae as …`
fn readings(tree: &Tree, text: &str) -> Option<String> {
    if !doubtful(tree) {
        return None;
    }
    let ours = canonical(tree)?;
    let mut said: Vec<(Vec<&str>, Option<String>)> = Vec::new();
    for dialect in OTHERS {
        let Ok(other) = parse::attempt_strictly(dialect, text) else { continue };
        let reading = canonical(&other);
        if reading.as_ref() == Some(&ours) || nonsense(&other) && !nonsense(tree) {
            continue;
        }
        match said.iter_mut().find(|(_, known)| *known == reading) {
            Some((tools, _)) => tools.push(dialect.title),
            None => said.push((vec![dialect.title], reading)),
        }
    }
    let sentences = said.iter().enumerate().map(|(number, (tools, reading))| {
        let several = tools.len() > 1;
        let reads = match (number, several) {
            (0, true) => " read this",
            (0, false) => " reads this",
            _ => "",
        };
        match reading {
            Some(reading) => format!("{}{reads} as `{reading}`", listed(tools, tools.len())),
            None => format!("{}{reads} differently", listed(tools, tools.len())),
        }
    });
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join("; "))
}

/// The spelling without what changes nothing.
fn canonical(tree: &Tree) -> Option<String> {
    let mut bare = tree.clone();
    bare.comments.clear();
    bare.nodes.change(|expr| {
        if let Expr::Dice(dice) = expr {
            dice.modifiers.retain(|(modifier, _)| !matches!(modifier, Modifier::Sort(_)));
        }
    });
    spell_in(&TABLETOP, &bare)
}

/// Whether there is anything that a tool could read differently; plain dice and sums are the same everywhere.
fn doubtful(tree: &Tree) -> bool {
    tree.nodes.iter().any(|(_, expr)| match expr {
        Expr::Dice(dice) => {
            let percent = matches!(dice.source, Source::Roll(_, Sides::Percent));
            percent || !dice.modifiers.is_empty() || matches!(dice.source, Source::Group(_))
        }
        Expr::Infix(Infix::Compare(_), ..) => true,
        _ => false,
    })
}

/// Whether dice are counted by a condition that all of their faces meet, or none.
fn nonsense(tree: &Tree) -> bool {
    tree.dice().any(|dice| {
        let Source::Roll(_, sides) = &dice.source else { return false };
        let Some(high) = sides.plain(&tree.nodes) else { return false };
        dice.modifiers.iter().any(|(modifier, _)| match modifier {
            Modifier::Successes(test, _) => match test.arg {
                Arg::Number(n) => test.by.holds(1, n) == test.by.holds(high, n) && !(n > 1 && n < high),
                Arg::Value(_) => false,
            },
            _ => false,
        })
    })
}

/// The first division whose result may not be whole, outside of `floor` and `ceil`.
pub(super) fn unrounded(tree: &Tree) -> Option<Span> {
    let rounded: Vec<NodeId> = tree
        .nodes
        .iter()
        .filter_map(|(_, expr)| match expr {
            Expr::Call(function, args) if function.rounds() => args.first().map(|arg| tree.bare(*arg)),
            _ => None,
        })
        .collect();
    tree.nodes.iter().find_map(|(id, expr)| match expr {
        Expr::Infix(Infix::Over, left, right) if !rounded.contains(&id) && !whole(tree, *left, *right) => {
            Some(tree.nodes.span(id))
        }
        _ => None,
    })
}

/// Whether a quotient is certainly whole.
pub(super) fn whole(tree: &Tree, left: NodeId, right: NodeId) -> bool {
    let Expr::Number(by) = tree.nodes.expr(tree.bare(right)) else { return false };
    let divides =
        |id: NodeId| matches!(tree.nodes.expr(tree.bare(id)), Expr::Number(n) if n.checked_rem(*by) == Some(0));
    // Anything is whole where there are no fractions at all.
    let plain = |id: NodeId| match tree.nodes.expr(tree.bare(id)) {
        Expr::Number(_) => true,
        Expr::Dice(dice) if matches!(dice.source, Source::Roll(..)) => true,
        _ => !tree.has_fractions(),
    };
    match tree.nodes.expr(tree.bare(left)) {
        _ if *by == 1 => plain(left),
        Expr::Number(_) => divides(left),
        Expr::Infix(Infix::Times, a, b) => divides(*a) && plain(*b) || divides(*b) && plain(*a),
        _ => false,
    }
}

/// `4d6kh3dl1`
fn two_keeps(tree: &Tree) -> Option<Diagnostic> {
    tree.dice().find_map(|dice| {
        let mut keeps = dice.modifiers.iter().filter(|(modifier, _)| matches!(modifier, Modifier::Keep(..)));
        let (_, second) = (keeps.next()?, keeps.next()?);
        let message = "this looks at the dice that are left; Avrae and RPG Dice Roller look at all of them each time";
        Some(note(second.1, message))
    })
}

/// `1d6 + 2 * 3`
fn from_left_to_right(tree: &Tree, text: &str) -> Option<Diagnostic> {
    tree.dice().next()?;
    // DiceMaiden has numbers and dice; who writes more than that does not come from there.
    let simple = |expr: &Expr| match expr {
        Expr::Number(_) | Expr::Decimal(_) | Expr::Dice(_) | Expr::Prefix(Prefix::Minus, _) | Expr::Label(..) => true,
        Expr::Infix(op, ..) => !matches!(op, Infix::Or | Infix::And | Infix::Compare(_)),
        Expr::Words(_) | Expr::Value(_) | Expr::Name(_) | Expr::Call(..) => false,
        Expr::Prefix(Prefix::Not, _) | Expr::Choice(..) | Expr::Block(..) => false,
    };
    if tree.items.len() > 1 || !tree.nodes.iter().all(|(_, expr)| simple(expr)) {
        return None;
    }
    let written = |id: NodeId| text.get(tree.nodes.span(id).start..tree.nodes.span(id).end);
    tree.nodes.iter().find_map(|(id, expr)| {
        let Expr::Infix(add @ (Infix::Plus | Infix::Minus), left, product) = expr else { return None };
        let Expr::Infix(by @ (Infix::Times | Infix::Over), a, b) = tree.nodes.expr(*product) else { return None };
        // In parentheses it is a number like any other.
        if tree.nodes.span(*product) != tree.nodes.own(*product) {
            return None;
        }
        let (left, a, b) = (written(*left)?, written(*a)?, written(*b)?);
        let message = format!("DiceMaiden works from left to right: `({left} {} {a}) {} {b}`", add.sign(), by.sign());
        Some(note(tree.nodes.span(id), message))
    })
}

/// `6#4d6kh3`: a comment with dice after something without.
fn repeated_by_a_comment(tree: &Tree) -> Option<Diagnostic> {
    let (words, span) = tree.comments.first()?;
    let dice = parse::attempt(&TABLETOP, words).is_ok_and(|inside| inside.dice().next().is_some());
    let [Item::Roll(roll)] = tree.items.as_slice() else { return None };
    let Expr::Number(times) = tree.nodes.expr(*roll) else { return None };
    let message = format!("`#` begins a comment; to repeat a roll, write `{times}x({words})`");
    dice.then(|| note(*span, message))
}

/// What the table says about dice, one note of each sort.
fn about_dice(part: &'static str, tree: &Tree, text: &str) -> Option<Diagnostic> {
    let mut all = dice(tree).map(|(id, _)| tree.nodes.own(id)).filter(|_| text.len() <= LONGEST);
    all.find_map(|span| {
        let found = MISTAKES.noted(part, text.get(span.start..span.end)?).next()?;
        Some(note(span, found.message))
    })
}

/// `1d6!!!`
fn three_bangs(tree: &Tree) -> Option<Diagnostic> {
    tree.dice().find_map(|dice| {
        let explode = |modifier: &Modifier| matches!(modifier, Modifier::Explode(_));
        let pair = dice.modifiers.windows(2).find(|pair| pair.iter().all(|(modifier, _)| explode(modifier)))?;
        let message = "these dice explode twice: once for each modifier, from left to right";
        Some(note(pair[0].1.to(pair[1].1), message))
    })
}

/// Notes on a text that was read as a tool reads it.
pub(super) fn doubts(dialect: &Dialect, tree: &Tree, text: &str) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    out.extend(never_explodes(tree));
    out.extend(about_dice("inline note", tree, text));
    if dialect.lone_group == LoneGroup::All {
        out.extend(rerolled_together(tree));
        out.extend(added_to_each(tree, text));
    }
    if dialect.everyday() {
        out.extend(word_alone(tree, text));
        out.extend(decimals(tree, text));
    }
    out
}

/// `5d6!!>8`: no face is that high.
fn never_explodes(tree: &Tree) -> Option<Diagnostic> {
    dice(tree).find_map(|(_, dice)| {
        // Faces that are listed may have gaps.
        let sides = dice.source.sides().filter(|sides| !matches!(sides, Sides::List(_)))?;
        let (low, Some(high)) = sides.ends(&tree.nodes)? else { return None };
        dice.modifiers.iter().find_map(|(modifier, span)| {
            let Modifier::Explode(explode) = modifier else { return None };
            let [Test { by, arg: Arg::Number(n) }] = explode.tests[..] else { return None };
            let shown = match by {
                Compare::Equal => low <= n && n <= high,
                by => by.holds(low, n) || by.holds(high, n),
            };
            (!shown).then(|| note(*span, "no face of these dice explodes"))
        })
    })
}

fn dice(tree: &Tree) -> impl Iterator<Item = (NodeId, &Dice)> {
    tree.nodes.iter().filter_map(|(id, expr)| match expr {
        Expr::Dice(dice) => Some((id, &**dice)),
        _ => None,
    })
}

/// `2d8r1r3`
fn rerolled_together(tree: &Tree) -> Option<Diagnostic> {
    dice(tree).flat_map(|(_, dice)| &dice.modifiers).find_map(|(modifier, span)| match modifier {
        Modifier::Reroll(tests, _) if tests.len() > 1 => {
            Some(note(*span, "a die is rerolled until none of these shows"))
        }
        _ => None,
    })
}

/// `{3d6+1}<3`
fn added_to_each(tree: &Tree, text: &str) -> Option<Diagnostic> {
    dice(tree).find_map(|(id, dice)| {
        let span = tree.nodes.own(id);
        let (inside, _) = text.get(span.start..span.end)?.strip_prefix('{')?.split_once('}')?;
        let (_, number) = inside.rsplit_once('+')?;
        let added = number.trim().bytes().all(|c| c.is_ascii_digit()) && !matches!(dice.source, Source::Group(_));
        added.then(|| note(span, format!("the {} is added to each die", number.trim())))
    })
}

/// `4d6r`, `4d6cs`: which face that is.
fn word_alone(tree: &Tree, text: &str) -> Option<Diagnostic> {
    dice(tree).flat_map(|(_, dice)| &dice.modifiers).find_map(|(modifier, span)| {
        let (test, which) = match modifier {
            Modifier::Reroll(tests, _) => (tests.first()?, "lowest"),
            Modifier::Failures(test) => (test, "lowest"),
            Modifier::Successes(test, _) => (test, "highest"),
            _ => return None,
        };
        let word = text.get(span.start..span.end)?;
        let Arg::Number(n) = test.arg else { return None };
        let alone = word.bytes().all(|c| c.is_ascii_alphabetic());
        alone.then(|| note(*span, format!("`{word}` alone means the {which} face: `{word}{n}`")))
    })
}

/// `3d6 * 1.5`
fn decimals(tree: &Tree, text: &str) -> Option<Diagnostic> {
    let [Item::Roll(roll)] = tree.items.as_slice() else { return None };
    let rounded = matches!(tree.nodes.expr(tree.bare(*roll)), Expr::Call(function, _) if function.rounds());
    let decimal = tree.nodes.iter().any(|(_, expr)| matches!(expr, Expr::Decimal(_)));
    let span = tree.nodes.span(*roll);
    let written = text.get(span.start..span.end)?;
    let message = format!("this keeps its fraction; Avrae rounds it toward zero: `trunc({written})`");
    (decimal && !rounded && tree.times.is_none()).then(|| note(Span::new(span.start, span.end), message))
}
