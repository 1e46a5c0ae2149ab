//! From the tree to core terms.
//!
//! ```text
//! a; b            results(a, b)
//! 6x(e)           repeat(6, e)                    and beside it, for the odds, e
//! [A: e] b        let A = e in b
//! a < b           count(less(…))                  0 or 1; as a condition some(less(…))
//! c ? a : b       if c then a else b              a number is a condition that holds unless it is 0
//! a / b           quot(a, b)                      floor(a / b) is div, ceil(a / b) is div_up, exact(a / b) is over
//! max(a, b)       sum(largest(1, gather(a, b)))
//! ```
//!
//! Dice are lowered in `dice`, their explosions and rerolls in `again`.

mod again;
mod count;
mod dice;
mod expr;
mod missing;
mod series;
mod warn;
mod within;
mod words;

pub(super) use warn::TOTALS;

use super::dialect::TABLETOP;
use super::syntax::{Binding, Dice, Expr, Function, Infix, Item, NodeId, Prefix, Source, Tree, key};
use crate::build::{all, as_number, at as at_place, bind, compare, count, one, repeat, sum};
use crate::explain::Scene;
use crate::kit::Kit;
use crate::mistake::{Mistake, Parsed};
use crate::nearest::nearest;
use crate::{Lowered, Note, Remark, Vars};
use dice::Die;
use std::collections::HashSet;
use tumble_core::{Code, Compare, Diagnostic, Slot, Span, TermId, prim};

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
    /// Words, or perhaps words.
    Words,
}

/// What a name stands for.
#[derive(Clone)]
enum Held {
    /// A number.
    Number,
    /// Words, or perhaps words.
    Words,
    /// Dice: what they show, and how many there are, where that is known.
    Dice(Die, Option<i64>),
}

/// What is said of words where a number is needed.
const TEXT: &str = "words can't be added or compared; count them, as in `cs=hit`";

struct Lowering<'a> {
    tree: &'a Tree,
    text: &'a str,
    vars: &'a Vars,
    kit: Kit,
    /// Dice whose total is in a variable already.
    rolled: Vec<(NodeId, Slot)>,
    /// Names that are bound here as they are written, the innermost last.
    scope: Vec<(&'a str, Slot, Held)>,
    /// Names whose dice are looked at one by one somewhere.
    opened: HashSet<String>,
    warnings: Vec<Diagnostic>,
    notes: Vec<Note>,
}

impl<'a> Lowering<'a> {
    fn new(tree: &'a Tree, text: &'a str, vars: &'a Vars, names: &[&'a str]) -> Lowering<'a> {
        let kit = Kit::new(names);
        let scope = names.iter().copied().zip(kit.given()).map(|(name, slot)| (name, slot, Held::Number)).collect();
        Lowering { tree, text, vars, kit, rolled: vec![], scope, opened: opened(tree), warnings: vec![], notes: vec![] }
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
                    bound.extend(self.bind(binding)?.into_iter().map(|(slot, value)| (binding.span, slot, value)));
                }
                Item::Roll(roll) => {
                    if let Expr::Words(_) = tree.nodes.expr(tree.bare(*roll)) {
                        return self
                            .not_for_words(self.span(*roll))
                            .saying("there is nothing to roll in words".to_owned())
                            .fail();
                    }
                    let value = self.value_of(*roll)?.term;
                    let span = self.span(*roll);
                    whole = if results.is_empty() { span } else { whole.to(span) };
                    if at < last_binding {
                        // What is rolled before a binding is rolled before it.
                        let slot = self.kit.slot("result");
                        bound.push((span, slot, value));
                        results.push(self.kit.put(span, slot));
                    } else {
                        results.push(value);
                    }
                }
            }
        }
        let mut body = match (tree.times, results.as_slice()) {
            (Some((count, sign)), [one]) if times => self.kit.put(sign.to(whole), repeat(at_place(sign, count), *one)),
            (_, [one]) => *one,
            _ => self.kit.put(whole, all(&prim::RESULTS, results)),
        };
        for (span, slot, value) in bound.into_iter().rev() {
            body = self.kit.put(span.to(whole), bind(slot, value, body));
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
        self.number(typed)
    }

    fn number(&mut self, typed: Typed) -> Parsed<TermId> {
        Ok(match typed.kind {
            Kind::Number => typed.term,
            Kind::Found => self.kit.put(typed.span, count(typed.term)),
            Kind::Truth => self.kit.put(typed.span, as_number(typed.term)),
            Kind::Words => return self.not_for_words(typed.span).fail(),
        })
    }

    /// An expression as a number, or as words if it is some.
    fn value_of(&mut self, id: NodeId) -> Parsed<Typed> {
        let typed = self.expr(id)?;
        match typed.kind {
            Kind::Words => Ok(typed),
            _ => Ok(Typed { term: self.number(typed)?, kind: Kind::Number, span: typed.span }),
        }
    }

    fn truth(&mut self, typed: Typed) -> Parsed<TermId> {
        Ok(match typed.kind {
            Kind::Truth => typed.term,
            Kind::Found => self.kit.put(typed.span, one(&prim::SOME, typed.term)),
            Kind::Words => return self.not_for_words(typed.span).fail(),
            Kind::Number => self.kit.put(typed.span, compare(Compare::Unequal, 0, typed.term)),
        })
    }

    /// Words where a number is wanted, or alone; a roll in quotes needs none.
    fn not_for_words(&self, span: Span) -> Mistake {
        let mistake = Mistake::coded(Code::Type, span, "words can only be a result, or be compared with `=`");
        let inside = self.written(span).strip_prefix('"').and_then(|words| words.strip_suffix('"'));
        mistake.when(inside, |mistake, inside| mistake.replace(span, inside))
    }

    /// A name from here on, and what must be evaluated for it, in order.
    fn bind(&mut self, binding: &'a Binding) -> Parsed<Vec<(Slot, TermId)>> {
        let (mut first, held, value) = match self.dice_in(binding) {
            Some((span, dice)) => self.held(span, dice)?,
            None => {
                let typed = self.value_of(binding.value)?;
                let held = if typed.kind == Kind::Words { Held::Words } else { Held::Number };
                (vec![], held, typed.term)
            }
        };
        let slot = self.kit.slot(&binding.name);
        self.scope.push((&binding.name, slot, held));
        first.push((slot, value));
        Ok(first)
    }

    /// The dice that a name is bound to, if they are looked at one by one.
    fn dice_in(&self, binding: &Binding) -> Option<(Span, &'a Dice)> {
        let tree = self.tree;
        let value = tree.bare(binding.value);
        match tree.nodes.expr(value) {
            Expr::Dice(dice) if dice.holds() && self.opened.contains(&key(&binding.name)) => {
                Some((tree.nodes.own(value), &**dice))
            }
            _ => None,
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
        self.given(id, name).map_or_else(|| self.missing_value(self.span(id), name).fail(), Ok)
    }

    /// The value of a name from outside.
    fn given(&mut self, id: NodeId, name: &str) -> Option<Typed> {
        let n = self.outside(name)?;
        self.stands_for(id, name, n);
        Some(self.typed(self.span(id), n))
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

    /// Where the value of a name that is bound in the text lies, and what it is.
    fn slot(&self, name: &str) -> Option<(Slot, &Held)> {
        let wanted = key(name);
        self.scope.iter().rev().find(|(known, ..)| key(known) == wanted).map(|(_, slot, held)| (*slot, held))
    }

    /// A name that is not in brackets: what the text calls so, else a value from outside.
    fn name(&mut self, id: NodeId, name: &str) -> Parsed<Typed> {
        let span = self.span(id);
        if let Some((slot, held)) = self.slot(name) {
            let (words, dice) = (matches!(held, Held::Words), matches!(held, Held::Dice(..)));
            let own = self.tree.nodes.own(id);
            let term = if dice { self.kit.put(own, sum(slot)) } else { self.kit.put(own, slot) };
            return Ok(Typed { term, kind: if words { Kind::Words } else { Kind::Number }, span });
        }
        self.given(id, name).map_or_else(|| self.unknown_name(span, name).fail(), Ok)
    }

    /// `pcs=6`: a bound name with a modifier right after it.
    fn glued(&self, name: &str) -> Option<&'a str> {
        let modified = |known: &&str| {
            let rest = name.strip_prefix(*known).unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
            TABLETOP.word(&key(rest)).is_some()
        };
        self.scope.iter().map(|(known, ..)| *known).find(modified)
    }

    fn unknown_name(&mut self, span: Span, name: &str) -> Mistake {
        let shown: String = name.chars().take(40).collect();
        let mistake = Mistake::new(span, format!("unknown name `{shown}`")).code(Code::Name);
        let lower = key(name);
        let near = |known: &&str| nearest(&lower, std::iter::once(key(known).as_str())).is_some();
        if let Some(bound) = self.scope.iter().map(|(known, ..)| *known).find(near) {
            return mistake.replace(span, bound);
        }
        // A modifier without dice, `4d6-L`, or a die in another language.
        if let Some(mistake) = Scene::of(self.text, span).known(&super::MISTAKES, "name") {
            return mistake.code(Code::Name);
        }
        if let Some(bound) = self.glued(name) {
            return mistake.insert(span.start + bound.len(), " ");
        }
        if let Some(phrased) = super::wording::rephrased(self.text) {
            return mistake.certainly(phrased);
        }
        if let Some((known, sides)) = name.split_once(['d', 'D']).filter(|(known, _)| self.outside(known).is_some()) {
            let dice = format!("({known})d{sides}");
            let message = format!("unknown name `{shown}`; to roll `{known}` dice, write `({known})d…`");
            return mistake.saying(message).replace(span, &dice);
        }
        if self.longer(span).is_some() || self.near(name).is_some() {
            return self.meant(mistake, span, name);
        }
        let after = self.text[span.end..].trim_start();
        if after.starts_with('=') && !after.starts_with("==") {
            let sign = self.text.len() - after.len();
            return mistake.replace(Span::new(sign, sign + 1), ":=");
        }
        mistake
    }
}

/// Names whose dice are looked at one by one: `p kh1`, `max(p)`.
fn opened(tree: &Tree) -> HashSet<String> {
    let names = tree.nodes.iter().filter_map(|(_, expr)| match expr {
        Expr::Dice(dice) => match &dice.source {
            Source::Named(name) => Some(key(name)),
            _ => None,
        },
        Expr::Call(Function::Max | Function::Min, args) => match args.as_slice() {
            [one] => match tree.nodes.expr(tree.bare(*one)) {
                Expr::Name(name) => Some(key(name)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    names.collect()
}

/// How a value from outside is written.
pub(super) fn at(name: &str) -> String {
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    if name.split('.').all(plain) { format!("@{name}") } else { format!("@{{{name}}}") }
}
