//! From the tree to core terms.
//!
//! ```text
//! a; b            results(a, b)
//! 6x(e)           repeat(6, e)                    and beside it, for the odds, e
//! [A: e] b        let A = e in b
//! a < b           count(less(…))                  0 or 1; as a condition some(less(…))
//! c ? a : b       if c then a else b              a number is a condition that holds unless it is 0
//! a / b           quot(a, b)                      floor(a / b) is div, ceil(a / b) is div_up
//! max(a, b)       sum(largest(1, gather(a, b)))
//! ```
//!
//! Dice are lowered in `dice`, their explosions and rerolls in `again`.

mod again;
mod dice;
mod expr;
mod missing;
mod warn;

pub(super) use warn::TOTALS;

use super::dialect::TABLETOP;
use super::syntax::{Expr, Infix, Item, NodeId, Prefix, Source, Tree, key};
use crate::kit::Kit;
use crate::mistake::{Mistake, Parsed};
use crate::nearest::nearest;
use crate::{Lowered, Note, Remark, Vars};
use tumble_core::{Code, Compare, Diagnostic, Slot, Span, Term, TermId, prim};

/// The terms of a tree.
pub(super) fn lower<'a>(tree: &'a Tree, text: &'a str, vars: &'a Vars, names: &[&'a str]) -> Parsed<Lowered> {
    let mut one = Lowering::new(tree, text, vars, names).lowered(false)?;
    one.notes.extend(tree.comments.iter().map(|(words, span)| Note {
        remark: Remark::Comment,
        text: words.clone(),
        span: *span,
    }));
    if tree.times.is_none() {
        return Ok(one);
    }
    let all = Lowering::new(tree, text, vars, names).lowered(true)?;
    let (warnings, notes) = (std::mem::take(&mut one.warnings), std::mem::take(&mut one.notes));
    Ok(Lowered { one: Some(Box::new(one)), warnings, notes, ..all })
}

/// The dice that count of a tree that is nothing but a dice term.
pub(super) fn members<'a>(tree: &'a Tree, text: &'a str, vars: &'a Vars, names: &[&'a str]) -> Parsed<Lowered> {
    let term = match (tree.times, tree.items.as_slice()) {
        (None, [Item::Roll(roll)]) => Some(*roll),
        _ => None,
    };
    let dice = term.and_then(|term| match tree.nodes.expr(term) {
        Expr::Dice(dice) if matches!(dice.source, Source::Roll(..)) => Some((tree.nodes.own(term), dice)),
        _ => None,
    });
    let Some((span, dice)) = dice else {
        let message = "expected a single dice term, such as `4d6kh3`";
        return Mistake::coded(Code::Type, Span::new(0, text.len()), message).fail();
    };
    let mut lowering = Lowering::new(tree, text, vars, names);
    let body = lowering.members(span, dice)?;
    let (warnings, notes) = (std::mem::take(&mut lowering.warnings), std::mem::take(&mut lowering.notes));
    Ok(Lowered { warnings, notes, ..lowering.kit.finish(body) })
}

/// A term, and what its value is.
#[derive(Clone, Copy)]
struct Typed {
    term: TermId,
    kind: Kind,
    span: Span,
}

/// What the value of a term is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number.
    Number,
    /// A collection of one member if something holds, else of none.
    Found,
    /// A truth.
    Truth,
}

struct Lowering<'a> {
    tree: &'a Tree,
    text: &'a str,
    vars: &'a Vars,
    kit: Kit,
    /// Names that are bound here as they are written, the innermost last.
    scope: Vec<(&'a str, Slot)>,
    warnings: Vec<Diagnostic>,
    notes: Vec<Note>,
}

impl<'a> Lowering<'a> {
    fn new(tree: &'a Tree, text: &'a str, vars: &'a Vars, names: &[&'a str]) -> Lowering<'a> {
        let kit = Kit::new(names);
        let scope = names.iter().copied().zip(kit.given()).collect();
        Lowering { tree, text, vars, kit, scope, warnings: vec![], notes: vec![] }
    }

    fn lowered(mut self, times: bool) -> Parsed<Lowered> {
        let body = self.items(times)?;
        Ok(Lowered { warnings: self.warnings, notes: self.notes, ..self.kit.finish(body) })
    }

    /// Everything between the `;`: bindings reach to the end of the text.
    fn items(&mut self, times: bool) -> Parsed<TermId> {
        let tree = self.tree;
        let last_binding = tree.items.iter().rposition(|item| matches!(item, Item::Bind(_))).unwrap_or(0);
        let (mut bound, mut results) = (Vec::new(), Vec::new());
        let mut whole = Span::new(0, self.text.len());
        for (at, item) in tree.items.iter().enumerate() {
            match item {
                Item::Bind(binding) => {
                    let value = self.number_of(binding.value)?;
                    let slot = self.kit.slot(&binding.name);
                    bound.push((binding.span, slot, value));
                    self.scope.push((&binding.name, slot));
                }
                Item::Roll(roll) => {
                    let value = self.number_of(*roll)?;
                    let span = self.span(*roll);
                    whole = if results.is_empty() { span } else { whole.to(span) };
                    if at < last_binding {
                        // What is rolled before a binding is rolled before it.
                        let slot = self.kit.slot("result");
                        bound.push((span, slot, value));
                        results.push(self.kit.var(span, slot));
                    } else {
                        results.push(value);
                    }
                }
            }
        }
        let mut body = match (tree.times, results.as_slice()) {
            (Some((count, sign)), [one]) if times => {
                let times = self.kit.int(sign, count);
                self.kit.add(sign.to(whole), Term::Repeat { times, body: *one })
            }
            (_, [one]) => *one,
            _ => self.kit.prim(whole, &prim::RESULTS, results),
        };
        for (span, slot, value) in bound.into_iter().rev() {
            body = self.kit.bind(span.to(whole), slot, value, body);
        }
        Ok(body)
    }

    fn span(&self, id: NodeId) -> Span {
        self.tree.nodes.span(id)
    }

    fn written(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    /// An expression as a number.
    fn number_of(&mut self, id: NodeId) -> Parsed<TermId> {
        let typed = self.expr(id)?;
        Ok(self.number(typed))
    }

    fn number(&mut self, typed: Typed) -> TermId {
        match typed.kind {
            Kind::Number => typed.term,
            Kind::Found => self.kit.prim(typed.span, &prim::COUNT, vec![typed.term]),
            Kind::Truth => self.kit.as_number(typed.span, typed.term),
        }
    }

    fn truth(&mut self, typed: Typed) -> TermId {
        match typed.kind {
            Kind::Truth => typed.term,
            Kind::Found => self.kit.prim(typed.span, &prim::SOME, vec![typed.term]),
            Kind::Number => {
                let zero = self.kit.int(typed.span, 0);
                self.kit.compare(typed.span, Compare::Unequal, zero, typed.term)
            }
        }
    }

    /// The number that an expression always is, where that can be seen without rolling.
    fn known(&self, id: NodeId) -> Option<i64> {
        match self.tree.nodes.expr(id) {
            Expr::Number(n) => Some(*n),
            Expr::Value(name) => self.outside(name),
            Expr::Name(name) if self.slot(name).is_none() => self.outside(name),
            Expr::Label(inside, _) => self.known(*inside),
            Expr::Prefix(Prefix::Minus, inside) => self.known(*inside)?.checked_neg(),
            Expr::Infix(op, left, right) if self.simple(*left) => {
                let (left, right) = (self.known(*left)?, self.known(*right)?);
                match op {
                    Infix::Plus => left.checked_add(right),
                    Infix::Minus => left.checked_sub(right),
                    Infix::Times => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether this is no chain of operators, which would be long to follow.
    fn simple(&self, id: NodeId) -> bool {
        !matches!(self.tree.nodes.expr(id), Expr::Infix(..))
    }

    /// A value from outside; capitals matter only if there are two such names.
    fn outside(&self, name: &str) -> Option<i64> {
        let exact = self.vars.get(name);
        let alike = || self.vars.iter().find(|(known, _)| key(known) == key(name)).map(|(_, value)| value);
        exact.or_else(alike).copied()
    }

    /// `@str`
    fn value(&mut self, id: NodeId, name: &str) -> Parsed<Typed> {
        let span = self.span(id);
        if let Some(n) = self.outside(name) {
            self.stands_for(id, name, n);
            return Ok(Typed { term: self.kit.int(span, n), kind: Kind::Number, span });
        }
        self.missing_value(span, name).fail()
    }

    /// Notes the value of a name for the story of a roll.
    fn stands_for(&mut self, id: NodeId, name: &str, n: i64) {
        let span = self.tree.nodes.own(id);
        self.notes.push(Note { remark: Remark::Value(n), text: name.to_owned(), span });
    }

    /// Notes the values of all names in an expression that is known without rolling.
    fn stand_for(&mut self, id: NodeId) {
        let tree = self.tree;
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match tree.nodes.expr(id) {
                Expr::Value(name) | Expr::Name(name) => {
                    if let Some(n) = self.outside(name) {
                        self.stands_for(id, name, n);
                    }
                }
                Expr::Label(inside, _) | Expr::Prefix(_, inside) => todo.push(*inside),
                Expr::Infix(_, left, right) => todo.extend([*left, *right]),
                _ => {}
            }
        }
    }

    /// The value from outside whose name is nearest.
    fn near(&self, name: &str) -> Option<&'a str> {
        let known = || self.vars.keys().map(String::as_str);
        let lower = key(name);
        let last = |known: &str| {
            let last = key(known.rsplit('.').next().unwrap_or_default());
            last == lower || nearest(&lower, std::iter::once(last.as_str())).is_some()
        };
        let begins =
            |known: &&str| known.len() > 1 && (lower.starts_with(&key(known)) || key(known).starts_with(&lower));
        // Where several begin alike, nobody knows which was meant.
        let only = || {
            let mut found = known().filter(begins);
            found.next().filter(|_| found.next().is_none())
        };
        nearest(&lower, known()).or_else(|| known().find(|known| last(known))).or_else(only)
    }

    /// Where the value of a name that is bound in the text lies.
    fn slot(&self, name: &str) -> Option<Slot> {
        let wanted = key(name);
        self.scope.iter().rev().find(|(known, _)| key(known) == wanted).map(|(_, slot)| *slot)
    }

    /// A name that is not in brackets: what the text calls so, else a value from outside.
    fn name(&mut self, id: NodeId, name: &str) -> Parsed<Typed> {
        let span = self.span(id);
        if let Some(slot) = self.slot(name) {
            let term = self.kit.var(self.tree.nodes.own(id), slot);
            return Ok(Typed { term, kind: Kind::Number, span });
        }
        if let Some(n) = self.outside(name) {
            self.stands_for(id, name, n);
            return Ok(Typed { term: self.kit.int(span, n), kind: Kind::Number, span });
        }
        self.unknown_name(span, name).fail()
    }

    /// A modifier without dice, `4d6-L`, or a die in another language.
    fn misplaced(&self, span: Span, lower: &str) -> Option<Mistake> {
        let (text, before) = (self.text, self.text[..span.start].trim_end());
        if let ("l" | "h", Some(dice)) = (lower, before.strip_suffix(['-', '\u{2212}'])) {
            let dice = dice.trim_end();
            let message = "to drop the lowest dice, write `dl`; the highest, `dh`";
            let drop = Span::new(dice.len(), span.end);
            return Some(Mistake::new(span, message).code(Code::Name).replace(text, drop, &format!("d{lower}1")));
        }
        let letters = lower.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = letters.len() < lower.len();
        if letters == "w" && numbered {
            let die = lower.replace('w', "d");
            let mistake = Mistake::new(span, format!("write `{die}` instead of `{lower}`")).code(Code::Name);
            return Some(mistake.replace(text, span, &die));
        }
        let modifier = TABLETOP.word(letters).is_some() && (letters.len() > 1 || numbered);
        let message = format!("`{letters}` must come right after dice, as in `{}`", example(letters));
        modifier.then(|| Mistake::new(span, message).code(Code::Name))
    }

    fn unknown_name(&mut self, span: Span, name: &str) -> Mistake {
        let shown: String = name.chars().take(40).collect();
        let mistake = Mistake::new(span, format!("unknown name `{shown}`")).code(Code::Name);
        let lower = key(name);
        let near = |known: &&str| nearest(&lower, std::iter::once(key(known).as_str())).is_some();
        if let Some(bound) = self.scope.iter().map(|(known, _)| *known).find(near) {
            return mistake.replace(self.text, span, bound);
        }
        if let Some(mistake) = self.misplaced(span, &lower) {
            return mistake;
        }
        if let Some(roll) = super::free::roll_by_name(self.text) {
            return mistake.certainly(roll.to_owned());
        }
        let phrased = super::wording::rephrased(self.text);
        if phrased != self.text {
            return mistake.certainly(phrased);
        }
        if let Some((known, sides)) = name.split_once(['d', 'D']).filter(|(known, _)| self.outside(known).is_some()) {
            let dice = format!("({known})d{sides}");
            let message = format!("unknown name `{shown}`; to roll `{known}` dice, write `({known})d…`");
            return mistake.saying(message).replace(self.text, span, &dice);
        }
        if self.longer(span).is_some() || self.near(name).is_some() {
            return self.meant(mistake, span, name);
        }
        let after = self.text[span.end..].trim_start();
        if after.starts_with('=') && !after.starts_with("==") {
            let sign = self.text.len() - after.len();
            return mistake.replace(self.text, Span::new(sign, sign + 1), ":=");
        }
        mistake
    }
}

/// Dice with this modifier.
fn example(word: &str) -> &'static str {
    match word {
        "adv" => "d20 adv",
        "dis" => "d20 dis",
        "kl" => "2d20kl1",
        "dh" => "4d6dh1",
        "d" | "dl" => "4d6dl1",
        "r" | "rr" => "2d6r1",
        "ro" => "2d6ro1",
        "mi" | "min" => "4d6mi2",
        "ma" | "max" => "4d6ma5",
        "cs" => "5d10cs>=8",
        "cf" => "5d10cs>=8cf=1",
        _ => "4d6kh3",
    }
}

/// How a value from outside is written.
pub(super) fn at(name: &str) -> String {
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    if name.split('.').all(plain) { format!("@{name}") } else { format!("@{{{name}}}") }
}
