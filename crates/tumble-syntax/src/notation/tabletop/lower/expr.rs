//! Expressions without dice, one function for each form.

use super::super::notes::whole;
use super::super::syntax::{Binding, Expr, Function, Infix, NodeId, Prefix};
use super::{Kind, Lowering, Typed};
use crate::build::{Build, all, and, bind, compare, either, gather, not, one, or, sum, two};
use crate::mistake::Parsed;
use crate::{Note, Remark};
use tumble_core::{Compare, Prim, Slot, Span, TermId, Value, prim};

impl<'a> Lowering<'a> {
    /// Lowers an expression. A chain of operators grows to the left without a limit, so it is walked in
    /// a loop.
    pub(super) fn expr(&mut self, id: NodeId) -> Parsed<Typed> {
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Infix(op, left, right) = *self.tree.nodes.expr(first)
            && self.rolled_before(first).is_none()
        {
            chain.push((self.span(first), op, left, right));
            first = left;
        }
        let mut value = self.operand(first)?;
        for (span, op, left, right) in chain.into_iter().rev() {
            value = self.infix(span, op, value, (left, right))?;
        }
        Ok(value)
    }

    fn operand(&mut self, id: NodeId) -> Parsed<Typed> {
        let tree = self.tree;
        let span = self.span(id);
        if let Some(slot) = self.rolled_before(id) {
            return Ok(self.typed(span, slot));
        }
        match tree.nodes.expr(id) {
            Expr::Number(n) => Ok(self.typed(span, *n)),
            Expr::Decimal(n) => Ok(self.typed(span, Value::ratio(*n))),
            Expr::Words(words) => Ok(Typed { kind: Kind::Words, ..self.typed(span, Value::text(words)) }),
            Expr::Value(name) => self.value(id, name),
            Expr::Name(name) => self.name(id, name),
            Expr::Dice(dice) => self.dice(span, dice),
            Expr::Call(function, args) => self.call(span, *function, args),
            Expr::Prefix(Prefix::Minus, inside) => {
                let inside = self.number_of(*inside)?;
                Ok(self.typed(span, one(&prim::NEG, inside)))
            }
            Expr::Prefix(Prefix::Not, inside) => {
                let inside = self.expr(*inside)?;
                let truth = self.truth(inside)?;
                Ok(Typed { kind: Kind::Truth, ..self.typed(span, not(truth)) })
            }
            Expr::Choice(test, then, other) => {
                let test = self.expr(*test)?;
                let test = self.truth(test)?;
                let (then, other) = (self.value_of(*then)?, self.value_of(*other)?);
                let words = [then.kind, other.kind].contains(&Kind::Words);
                let kind = if words { Kind::Words } else { Kind::Number };
                Ok(Typed { kind, ..self.typed(span, either(test, then.term, other.term)) })
            }
            Expr::Label(..) => self.labelled(id),
            Expr::Block(bindings, body) => self.block(span, bindings, *body),
            Expr::Infix(..) => self.expr(id),
        }
    }

    /// A number.
    pub(super) fn typed(&mut self, span: Span, made: impl Build) -> Typed {
        Typed { term: self.kit.put(span, made), kind: Kind::Number, span }
    }

    fn infix(&mut self, span: Span, op: Infix, left: Typed, (first, second): (NodeId, NodeId)) -> Parsed<Typed> {
        let row = match op {
            Infix::Or | Infix::And => return self.joined(span, op, left, second),
            Infix::Compare(by) => return self.compared(span, by, left, (first, second)),
            Infix::Plus => &prim::ADD,
            Infix::Minus => &prim::SUB,
            Infix::Times => &prim::MUL,
            Infix::Over => &prim::QUOT,
            Infix::Exact if whole(self.tree, first, second) => &prim::QUOT,
            Infix::Exact => &prim::OVER,
            Infix::Modulo => &prim::REM,
        };
        let left = self.number(left)?;
        let right = self.number_of(second)?;
        Ok(self.typed(span, two(row, left, right)))
    }

    fn joined(&mut self, span: Span, op: Infix, left: Typed, right: NodeId) -> Parsed<Typed> {
        let left = self.truth(left)?;
        let right = self.expr(right)?;
        let right = self.truth(right)?;
        let typed =
            if op == Infix::And { self.typed(span, and(left, right)) } else { self.typed(span, or(left, right)) };
        Ok(Typed { kind: Kind::Truth, ..typed })
    }

    fn compared(&mut self, span: Span, by: Compare, left: Typed, sides: (NodeId, NodeId)) -> Parsed<Typed> {
        self.total_compared(span, by, sides);
        let right = self.value_of(sides.1)?;
        if [left.kind, right.kind].contains(&Kind::Words) {
            return self.same_words(span, by, left, right);
        }
        let (left, right) = (self.number(left)?, right.term);
        // The row wants a number first; a known one lets the exact engine look at the dice alone.
        let (row, number, member) = match self.known(sides.1) {
            Some(_) => (by.flipped().row(), right, left),
            None => (by.row(), left, right),
        };
        Ok(Typed { kind: Kind::Found, ..self.typed(span, two(row, number, gather(member))) })
    }

    /// `result = "hit"`
    fn same_words(&mut self, span: Span, by: Compare, left: Typed, right: Typed) -> Parsed<Typed> {
        let left = if left.kind == Kind::Words { left.term } else { self.number(left)? };
        let same = two(&prim::ALIKE, left, right.term);
        let typed = match by {
            Compare::Equal => self.typed(span, same),
            Compare::Unequal => self.typed(span, not(same)),
            _ => return self.not_for_words(span).fail(),
        };
        Ok(Typed { kind: Kind::Truth, ..typed })
    }

    fn call(&mut self, span: Span, function: Function, args: &[NodeId]) -> Parsed<Typed> {
        match (function, args) {
            (Function::Round, [one, places]) => return self.shortened(span, *one, *places),
            (_, [one]) if function.rounds() => return self.rounded(span, function, *one),
            _ => {}
        }
        if let (Function::Max | Function::Min, [one]) = (function, args)
            && let Some(dice) = self.dice_with_a_name(*one)?
        {
            let row = if function == Function::Max { &prim::LARGEST } else { &prim::LEAST };
            return Ok(self.typed(span, sum(two(row, 1, dice))));
        }
        self.lone_argument(span, function, args);
        let args = args.iter().map(|arg| self.number_of(*arg)).collect::<Parsed<Vec<TermId>>>()?;
        let row = match function {
            Function::Min => return Ok(self.typed(span, best(&prim::LEAST, args))),
            Function::Max => return Ok(self.typed(span, best(&prim::LARGEST, args))),
            Function::Pow if self.tree.has_fractions() => return Ok(self.power(span, args)),
            Function::Pow => &prim::POW,
            Function::Sign => &prim::SIGN,
            Function::Sqrt => &prim::SQRT,
            Function::Abs | Function::Trunc | Function::Floor | Function::Ceil | Function::Round => &prim::ABS,
        };
        Ok(self.typed(span, all(row, args)))
    }

    /// Where there are fractions, a negative power is one: 1 / a ** -b.
    fn power(&mut self, span: Span, args: Vec<TermId>) -> Typed {
        let [a, b] = args[..] else { return self.typed(span, all(&prim::POW, args)) };
        let [base, up] = ["a", "b"].map(|name| self.kit.slot(name));
        let below = two(&prim::OVER, 1, two(&prim::POW, base, one(&prim::NEG, up)));
        let power = either(compare(Compare::More, 0, up), below, two(&prim::POW, base, up));
        self.typed(span, bind(base, a, bind(up, b, power)))
    }

    /// `floor(a / b)`: that division is rounded down; other values are whole already, unless there are fractions.
    fn rounded(&mut self, span: Span, function: Function, arg: NodeId) -> Parsed<Typed> {
        let (left, right) = match *self.tree.nodes.expr(self.tree.bare(arg)) {
            Expr::Infix(Infix::Over | Infix::Exact, left, right) => (self.number_of(left)?, self.number_of(right)?),
            _ if self.tree.has_fractions() => (self.number_of(arg)?, self.kit.put(span, 1)),
            _ => {
                self.nothing_to_round(span, function, arg);
                return self.expr(arg);
            }
        };
        let row = match function {
            Function::Round => return Ok(self.nearest_to(span, left, right)),
            Function::Ceil => &prim::DIV_UP,
            Function::Trunc => &prim::QUOT,
            _ => &prim::DIV,
        };
        Ok(self.typed(span, two(row, left, right)))
    }

    /// `round(e, 2)`: the nearest number with 2 decimals, and of two the one farther from 0, which is
    /// trunc((200 e + sign e) / 2) / 100; of a square root, floor((floor(sqrt(40000 e)) + 1) / 2) / 100.
    fn shortened(&mut self, span: Span, arg: NodeId, places: NodeId) -> Parsed<Typed> {
        let places = self.known(places).and_then(|places| u32::try_from(places).ok()).unwrap_or(0);
        let scale = 10i64.saturating_pow(places);
        let whole = match self.tree.nodes.expr(self.tree.bare(arg)) {
            Expr::Call(Function::Sqrt, of) => {
                let by = scale.saturating_mul(scale).saturating_mul(4);
                let root = one(&prim::SQRT, two(&prim::MUL, by, self.number_of(of[0])?));
                self.kit.put(span, two(&prim::DIV, two(&prim::ADD, root, 1), 2))
            }
            Expr::Infix(Infix::Over, left, right) => {
                let of = two(&prim::OVER, self.number_of(*left)?, self.number_of(*right)?);
                self.scaled(span, of, scale)
            }
            _ => {
                let of = self.number_of(arg)?;
                self.scaled(span, of, scale)
            }
        };
        Ok(self.typed(span, two(&prim::OVER, whole, scale)))
    }

    /// The whole number nearest to so many times a number, and of two the one farther from 0.
    fn scaled(&mut self, span: Span, of: impl Build, scale: i64) -> TermId {
        let slot = self.kit.slot("a");
        let above = two(&prim::ADD, two(&prim::MUL, scale.saturating_mul(2), slot), one(&prim::SIGN, slot));
        self.kit.put(span, bind(slot, of, two(&prim::QUOT, above, 2)))
    }

    /// `round(a / b)`: the nearest whole number, and of two the higher, which is (2a + b) / 2b rounded down.
    fn nearest_to(&mut self, span: Span, a: TermId, b: TermId) -> Typed {
        let [above, below] = ["a", "b"].map(|name| self.kit.slot(name));
        let twice = |slot: Slot| two(&prim::MUL, 2, slot);
        let rounded = two(&prim::DIV, two(&prim::ADD, twice(above), below), twice(below));
        self.typed(span, bind(above, a, bind(below, b, rounded)))
    }

    /// Labels, and what they name.
    fn labelled(&mut self, id: NodeId) -> Parsed<Typed> {
        let tree = self.tree;
        let (whole, inside) = (self.span(id), tree.bare(id));
        let span = if let Expr::Dice(_) = tree.nodes.expr(inside) { whole } else { self.span(inside) };
        let mut labels = Vec::new();
        let mut at = id;
        while let Expr::Label(inner, text) = tree.nodes.expr(at) {
            labels.push(Note { remark: Remark::Label, text: text.clone(), span });
            at = *inner;
        }
        self.notes.extend(labels.into_iter().rev());
        match tree.nodes.expr(inside) {
            Expr::Dice(dice) => self.dice(span, dice),
            _ => self.expr(inside),
        }
    }

    /// Names bound in brackets; they end with them.
    fn block(&mut self, span: Span, bindings: &'a [Binding], body: NodeId) -> Parsed<Typed> {
        let outer = self.scope.len();
        let mut bound = Vec::new();
        for binding in bindings {
            bound.extend(self.bind(binding)?);
        }
        let Typed { term, kind, .. } = self.value_of(body)?;
        self.scope.truncate(outer);
        Ok(Typed { term: self.kit.after(span, bound, term), kind, span })
    }
}

/// The largest or least of several numbers.
pub(super) fn best(row: &'static Prim, items: Vec<TermId>) -> impl Build {
    sum(two(row, 1, all(&prim::GATHER, items)))
}
