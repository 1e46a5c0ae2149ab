//! From a tree to the core: the meaning of the notation.
//!
//! ```text
//! (count)body       sum(gather(repeat(count, body)))
//! (count)body khN   sum(largest(N, gather(repeat(enough(count), body))))
//! a / b             quot(a, b): rounded toward zero
//! a < b             if some(less(a, gather(b))) then 1 else 0
//! [NAME: a] b       let NAME = a in b
//! ```
//!
//! Names without a value are collected over the whole text and told together, before anything else
//! that is wrong with its meaning.

use super::lex::is_name;
use super::operator::{COMPARISON, Core};
use super::parse::attempt;
use super::syntax::{Expr, Infix, Keep, NodeId, Tree};
use crate::build::{Build, as_number, at, bind, compare, die, either, fail, one, sum, times, two};
use crate::kit::Kit;
use crate::mistake::{Mistake, Parsed, instead, listed, shown};
use crate::nearest::{nearest, renamed};
use crate::{Lowered, Note, Remark, Vars};
use std::collections::HashMap;
use tumble_core::{Code, Compare, Diagnostic, Slot, Span, TermId, prim};

/// Lowers a tree.
pub(super) fn lower(tree: &Tree, text: &str, known: Known<'_>) -> Parsed<Lowered> {
    let (lowered, odd) = meaning(tree, text, known)?;
    let warnings = odd.into_iter().map(|odd| accidental(text, odd, known)).collect();
    Ok(Lowered { warnings, ..lowered })
}

/// Whether a text becomes a program, or what is wrong with it.
pub(super) fn prove(text: &str, known: Known<'_>) -> Parsed<bool> {
    meaning(&attempt(text)?, text, known).map(|_| true)
}

/// Names from outside: values, and variables.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) vars: &'a Vars,
    pub(super) names: &'a [&'a str],
}

/// The terms of a tree, and its repetitions that were hardly meant.
fn meaning<'a>(tree: &'a Tree, text: &'a str, known: Known<'a>) -> Parsed<(Lowered, Vec<Odd>)> {
    let Known { vars, names } = known;
    let kit = Kit::new(names);
    let scope = names.iter().zip(kit.given()).map(|(name, slot)| (*name, vec![slot])).collect();
    let mut lowering = Lowering { tree, text, vars, kit, scope, free: vec![], wrong: None, odd: vec![], notes: vec![] };
    let body = lowering.expr(tree.main);
    if let Some(wrong) = lowering.unbound().or(lowering.wrong) {
        return wrong.fail();
    }
    Ok((Lowered { notes: lowering.notes, ..lowering.kit.finish(body) }, lowering.odd))
}

/// What is known on the way through a tree.
struct Lowering<'a> {
    tree: &'a Tree,
    text: &'a str,
    vars: &'a Vars,
    kit: Kit,
    /// What each name means here; the last one counts.
    scope: HashMap<&'a str, Vec<Slot>>,
    /// The names without a value in the order of the text, their places, and the names that may be meant.
    free: Vec<(&'a str, Span, Option<String>)>,
    /// The first thing that can have no value.
    wrong: Option<Mistake>,
    /// The repetitions that were hardly meant.
    odd: Vec<Odd>,
    notes: Vec<Note>,
}

/// The place of a repetition and of its two parts.
#[derive(Clone, Copy)]
struct Odd {
    whole: Span,
    count: Span,
    body: Span,
}

impl<'a> Lowering<'a> {
    /// Lowers an expression. A chain of operators grows to the left without a limit, so it is walked in
    /// a loop.
    fn expr(&mut self, id: NodeId) -> TermId {
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Infix(sign, left, right) = *self.tree.nodes.expr(first) {
            chain.push((self.tree.nodes.own(first), sign, right));
            first = left;
        }
        let mut left = self.operand(first);
        for (span, sign, right) in chain.into_iter().rev() {
            let right = self.expr(right);
            left = self.infix(span, sign, left, right);
        }
        left
    }

    fn operand(&mut self, id: NodeId) -> TermId {
        let tree = self.tree;
        let span = tree.nodes.own(id);
        match tree.nodes.expr(id) {
            Expr::Number(n) => self.kit.put(span, *n),
            Expr::Name(name) => self.name(span, name),
            Expr::Die(sides) => self.die(span, span, *sides),
            Expr::Repeat(count, body, keep) => self.repetition(span, *count, *body, *keep),
            Expr::Negative(inside) => match tree.nodes.expr(*inside) {
                Expr::Number(n) => self.kit.put(span, -n),
                _ => {
                    let inside = self.expr(*inside);
                    self.kit.put(span, one(&prim::NEG, inside))
                }
            },
            // The loop above leaves none.
            Expr::Infix(..) => self.expr(id),
            Expr::Bind(name, value, body) => {
                let value = self.expr(*value);
                let slot = self.kit.slot(name);
                self.scope.entry(name).or_default().push(slot);
                let body = self.expr(*body);
                self.scope.entry(name).or_default().pop();
                self.kit.put(span, bind(slot, value, body))
            }
        }
    }

    fn infix(&mut self, span: Span, sign: &Infix, a: TermId, b: TermId) -> TermId {
        match sign.core {
            Core::Row(row) => self.kit.put(span, two(row, a, b)),
            Core::Compare(by) => self.kit.put(span, as_number(compare(by, a, b))),
        }
    }

    fn name(&mut self, span: Span, name: &'a str) -> TermId {
        if let Some(slot) = self.scope.get(name).and_then(|slots| slots.last()) {
            return self.kit.put(span, *slot);
        }
        if let Some(value) = self.vars.get(name) {
            self.notes.push(Note { remark: Remark::Value(*value), text: name.to_owned(), span });
            return self.kit.put(span, *value);
        }
        let bound = self.scope.iter().filter(|(_, slots)| !slots.is_empty()).map(|(name, _)| *name);
        let known = bound.chain(self.vars.keys().map(String::as_str).filter(|key| is_name(key)));
        // Only a short text gets a corrected one, and a long one may have many names.
        let short = self.text.len() <= crate::mistake::LONGEST_FIX;
        let meant = if short { nearest(name, known).map(str::to_owned) } else { None };
        self.free.push((name, span, meant));
        self.kit.put(span, 0)
    }

    /// All names without a value in one message; the first is corrected if it is near to a known one.
    fn unbound(&self) -> Option<Mistake> {
        const MOST_SHOWN: usize = 5;
        let (first, span, meant) = self.free.first()?;
        let mut names: Vec<String> = Vec::new();
        for name in self.free.iter().map(|(name, ..)| shown(name)) {
            if names.len() <= MOST_SHOWN && !names.contains(&name) {
                names.push(name);
            }
        }
        let elsewhere =
            || self.tree.nodes.iter().any(|(_, expr)| matches!(expr, Expr::Bind(name, ..) if name == first));
        let message = match names.as_slice() {
            [one] if elsewhere() => {
                format!("{one} has no value here; a binding only applies to what comes after it")
            }
            [one] => format!("unknown name {one}"),
            many => format!("unknown names {}", listed(many, MOST_SHOWN)),
        };
        let mistake = Mistake::new(*span, message).code(Code::Name).kind("unbound-symbols");
        Some(mistake.when(meant.as_ref(), |mistake, meant| mistake.fix(renamed(self.text, first, meant))))
    }

    /// A die at its own place, rolled for the term at `whole`.
    fn die(&mut self, own: Span, whole: Span, sides: i64) -> TermId {
        if sides == 0 {
            let mistake = Mistake::new(own, "a die needs at least 1 side, not 0");
            self.wrong.get_or_insert(mistake.code(Code::Runtime).kind("zero-faced-die"));
        }
        self.kit.put(whole, die(1, sides))
    }

    /// Dice that are all of what is repeated have the place of the whole repetition.
    fn repetition(&mut self, span: Span, count: NodeId, body: NodeId, keep: Option<Keep>) -> TermId {
        let nodes = &self.tree.nodes;
        let (count_place, body_place) = (nodes.span(count), nodes.span(body));
        if matches!(nodes.expr(count), Expr::Infix(sign, ..) if sign.level == COMPARISON) {
            self.odd.push(Odd { whole: span, count: count_place, body: body_place });
        }
        let mut rolls = self.expr(count);
        if let Some(keep) = keep.filter(|keep| keep.number > 0) {
            rolls = self.enough(span, count, rolls, keep);
        }
        let body = match *nodes.expr(body) {
            Expr::Die(sides) => self.die(body_place, span, sides),
            _ => self.expr(body),
        };
        let pool = times(rolls, body);
        let Some(Keep { highest, number }) = keep else { return self.kit.put(span, sum(pool)) };
        let row = if highest { &prim::LARGEST } else { &prim::LEAST };
        self.kit.put(span, sum(two(row, number, pool)))
    }

    /// The count, which must not be below the number of rolls to keep; whether it can be negative is the
    /// first question, for all its values, so the two are asked one inside the other.
    fn enough(&mut self, span: Span, count: NodeId, times: TermId, keep: Keep) -> TermId {
        let (place, number) = (self.tree.nodes.span(count), keep.number);
        let suffix = format!("{}{number}", keep.word());
        if let Expr::Number(given) = *self.tree.nodes.expr(count) {
            if given < number {
                let there = if given == 1 { "is only 1".to_owned() } else { format!("are only {given}") };
                let message = format!("`{suffix}` keeps {number} of the rolls, but there {there}");
                let mistake = Mistake::new(span, message);
                self.wrong.get_or_insert(mistake.code(Code::Runtime).kind("keep-too-few"));
            }
            return times;
        }
        let negative = fail(Code::Runtime, "negative-count", "the number of rolls can be negative", "");
        let times = self.unless_below(place, times, 0, negative);
        let message = format!("there can be fewer rolls than the {number} that `{suffix}` keeps");
        self.unless_below(place, times, number, at(span, fail(Code::Runtime, "keep-too-few", &message, "")))
    }

    /// The value, unless it is below this.
    fn unless_below(&mut self, place: Span, value: TermId, least: i64, fail: impl Build) -> TermId {
        let slot = self.kit.slot("count");
        self.kit.put(place, bind(slot, value, either(compare(Compare::Less, slot, least), fail, slot)))
    }
}

/// `(ATK > 1) (ATK >= AC)`: a repetition that was most likely meant as a product.
fn accidental(text: &str, odd: Odd, known: Known<'_>) -> Diagnostic {
    let message = "the comparison is used as a number of rolls, 0 or 1; did you mean to multiply?";
    let said = Diagnostic::new(Code::Runtime, odd.whole, message).kind("accidental-repetition");
    let (count, body) = (&text[odd.count.start..odd.count.end], &text[odd.body.start..odd.body.end]);
    // After a division only parentheses keep the product together.
    let closed = text[..odd.whole.start].trim_end().ends_with('/');
    let product = if closed { format!("({count} * {body})") } else { format!("{count} * {body}") };
    let fixed = instead(text, odd.count.to(odd.body), &product);
    match fixed.filter(|fixed| prove(fixed, known).is_ok()) {
        Some(fixed) => said.hint(format!("to multiply: `{}`", fixed.trim())),
        None => said,
    }
}
