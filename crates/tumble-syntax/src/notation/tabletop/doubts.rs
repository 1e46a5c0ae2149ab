//! What is easily read differently within one tool, in the everyday notation and in dialects: one short note each.

use super::dialect::{Dialect, LoneGroup};
use super::notes::about_dice;
use super::syntax::{Arg, Dice, Expr, Item, Modifier, NodeId, Sides, Source, Test, Tree};
use crate::row::note;
use tumble_core::{Compare, Diagnostic, Span};

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
