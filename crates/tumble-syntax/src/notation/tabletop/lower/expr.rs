//! Expressions without dice, one function for each form.

use super::super::notes::whole;
use super::super::syntax::{Binding, Expr, Function, Infix, NodeId, Prefix};
use super::{Kind, Lowering, Typed};
use crate::mistake::Parsed;
use crate::{Note, Remark};
use tumble_core::{Compare, Prim, Span, TermId, Value, prim};

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
        match tree.nodes.expr(id) {
            Expr::Number(n) => Ok(self.typed(span, |kit| kit.int(span, *n))),
            Expr::Decimal(n) => Ok(self.typed(span, |kit| kit.lit(span, Value::ratio(*n)))),
            Expr::Words(words) => {
                let term = self.kit.lit(span, Value::text(words));
                Ok(Typed { term, kind: Kind::Words, span })
            }
            Expr::Value(name) => self.value(id, name),
            Expr::Name(name) => self.name(id, name),
            Expr::Dice(dice) => match self.rolled_before(id) {
                Some(slot) => Ok(self.typed(span, |kit| kit.var(span, slot))),
                None => self.dice(span, dice),
            },
            Expr::Call(function, args) => self.call(span, *function, args),
            Expr::Prefix(Prefix::Minus, inside) => {
                let inside = self.number_of(*inside)?;
                Ok(self.prim(span, &prim::NEG, vec![inside]))
            }
            Expr::Prefix(Prefix::Not, inside) => {
                let inside = self.expr(*inside)?;
                let truth = self.truth(inside)?;
                Ok(Typed { term: self.kit.not(span, truth), kind: Kind::Truth, span })
            }
            Expr::Choice(test, then, other) => {
                let test = self.expr(*test)?;
                let test = self.truth(test)?;
                let (then, other) = (self.value_of(*then)?, self.value_of(*other)?);
                let words = [then.kind, other.kind].contains(&Kind::Words);
                let term = self.kit.either(span, test, then.term, other.term);
                Ok(Typed { term, kind: if words { Kind::Words } else { Kind::Number }, span })
            }
            Expr::Label(..) => self.labelled(id),
            Expr::Block(bindings, body) => self.block(span, bindings, *body),
            // The loop above leaves those whose total is known.
            Expr::Infix(..) => match self.rolled_before(id) {
                Some(slot) => Ok(self.typed(span, |kit| kit.var(span, slot))),
                None => self.expr(id),
            },
        }
    }

    fn typed(&mut self, span: Span, make: impl FnOnce(&mut crate::kit::Kit) -> TermId) -> Typed {
        Typed { term: make(&mut self.kit), kind: Kind::Number, span }
    }

    fn prim(&mut self, span: Span, row: &'static Prim, args: Vec<TermId>) -> Typed {
        Typed { term: self.kit.prim(span, row, args), kind: Kind::Number, span }
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
        Ok(self.prim(span, row, vec![left, right]))
    }

    fn joined(&mut self, span: Span, op: Infix, left: Typed, right: NodeId) -> Parsed<Typed> {
        let left = self.truth(left)?;
        let right = self.expr(right)?;
        let right = self.truth(right)?;
        let term = if op == Infix::And { self.kit.and(span, left, right) } else { self.kit.or(span, left, right) };
        Ok(Typed { term, kind: Kind::Truth, span })
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
        let pool = self.kit.prim(span, &prim::GATHER, vec![member]);
        Ok(Typed { term: self.kit.prim(span, row, vec![number, pool]), kind: Kind::Found, span })
    }

    /// `result = "hit"`
    fn same_words(&mut self, span: Span, by: Compare, left: Typed, right: Typed) -> Parsed<Typed> {
        let left = if left.kind == Kind::Words { left.term } else { self.number(left)? };
        let same = self.kit.prim(span, &prim::ALIKE, vec![left, right.term]);
        let term = match by {
            Compare::Equal => same,
            Compare::Unequal => self.kit.not(span, same),
            _ => return self.not_for_words(span).fail(),
        };
        Ok(Typed { term, kind: Kind::Truth, span })
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
            let one = self.kit.int(span, 1);
            let best = self.kit.prim(span, row, vec![one, dice]);
            return Ok(self.prim(span, &prim::SUM, vec![best]));
        }
        self.lone_argument(span, function, args);
        let args = args.iter().map(|arg| self.number_of(*arg)).collect::<Parsed<Vec<TermId>>>()?;
        let row = match function {
            Function::Min => &prim::LEAST,
            Function::Max => &prim::LARGEST,
            Function::Sign => return Ok(self.prim(span, &prim::SIGN, args)),
            Function::Pow if self.tree.has_fractions() => return Ok(self.power(span, &args)),
            Function::Pow => return Ok(self.prim(span, &prim::POW, args)),
            Function::Sqrt => return Ok(self.prim(span, &prim::SQRT, args)),
            Function::Abs | Function::Trunc | Function::Floor | Function::Ceil | Function::Round => {
                return Ok(self.prim(span, &prim::ABS, args));
            }
        };
        let (one, pool) = (self.kit.int(span, 1), self.kit.prim(span, &prim::GATHER, args));
        let best = self.kit.prim(span, row, vec![one, pool]);
        Ok(self.prim(span, &prim::SUM, vec![best]))
    }

    /// Where there are fractions, a negative power is one: 1 / a ** -b.
    fn power(&mut self, span: Span, args: &[TermId]) -> Typed {
        let [a, b] = args else { return self.prim(span, &prim::POW, args.to_vec()) };
        let slots = [self.kit.slot("a"), self.kit.slot("b")];
        let vars = |lowering: &mut Self| slots.map(|slot| lowering.kit.var(span, slot));
        let [base, up] = vars(self);
        let above = self.kit.prim(span, &prim::POW, vec![base, up]);
        let [base, up] = vars(self);
        let down = self.kit.prim(span, &prim::NEG, vec![up]);
        let (one, below) = (self.kit.int(span, 1), self.kit.prim(span, &prim::POW, vec![base, down]));
        let below = self.kit.prim(span, &prim::OVER, vec![one, below]);
        let (zero, up) = (self.kit.int(span, 0), self.kit.var(span, slots[1]));
        let negative = self.kit.compare(span, Compare::More, zero, up);
        let term = self.kit.either(span, negative, below, above);
        let term = self.kit.bind(span, slots[1], *b, term);
        Typed { term: self.kit.bind(span, slots[0], *a, term), kind: Kind::Number, span }
    }

    /// `floor(a / b)`: that division is rounded down; other values are whole already, unless there are fractions.
    fn rounded(&mut self, span: Span, function: Function, arg: NodeId) -> Parsed<Typed> {
        let (left, right) = match *self.tree.nodes.expr(self.tree.bare(arg)) {
            Expr::Infix(Infix::Over | Infix::Exact, left, right) => (self.number_of(left)?, self.number_of(right)?),
            _ if self.tree.has_fractions() => (self.number_of(arg)?, self.kit.int(span, 1)),
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
        Ok(self.prim(span, row, vec![left, right]))
    }

    /// `round(e, 2)`: the nearest number with 2 decimals, and of two the one farther from 0, which is
    /// trunc((200 e + sign e) / 2) / 100; of a square root, floor((floor(sqrt(40000 e)) + 1) / 2) / 100.
    fn shortened(&mut self, span: Span, arg: NodeId, places: NodeId) -> Parsed<Typed> {
        let places = self.known(places).and_then(|places| u32::try_from(places).ok()).unwrap_or(0);
        let scale = 10i64.saturating_pow(places);
        let whole = match self.tree.nodes.expr(self.tree.bare(arg)) {
            Expr::Call(Function::Sqrt, of) => {
                let (of, by) =
                    (self.number_of(of[0])?, self.kit.int(span, scale.saturating_mul(scale).saturating_mul(4)));
                let of = self.kit.prim(span, &prim::MUL, vec![by, of]);
                let (root, one, two) =
                    (self.kit.prim(span, &prim::SQRT, vec![of]), self.kit.int(span, 1), self.kit.int(span, 2));
                let above = self.kit.prim(span, &prim::ADD, vec![root, one]);
                self.kit.prim(span, &prim::DIV, vec![above, two])
            }
            Expr::Infix(Infix::Over, left, right) => {
                let (left, right) = (self.number_of(*left)?, self.number_of(*right)?);
                let of = self.kit.prim(span, &prim::OVER, vec![left, right]);
                self.scaled(span, of, scale)
            }
            _ => {
                let of = self.number_of(arg)?;
                self.scaled(span, of, scale)
            }
        };
        let by = self.kit.int(span, scale);
        Ok(self.prim(span, &prim::OVER, vec![whole, by]))
    }

    /// The whole number nearest to so many times a number, and of two the one farther from 0.
    fn scaled(&mut self, span: Span, of: TermId, scale: i64) -> TermId {
        let slot = self.kit.slot("a");
        let (by, value) = (self.kit.int(span, scale.saturating_mul(2)), self.kit.var(span, slot));
        let twice = self.kit.prim(span, &prim::MUL, vec![by, value]);
        let value = self.kit.var(span, slot);
        let sign = self.kit.prim(span, &prim::SIGN, vec![value]);
        let (above, two) = (self.kit.prim(span, &prim::ADD, vec![twice, sign]), self.kit.int(span, 2));
        let whole = self.kit.prim(span, &prim::QUOT, vec![above, two]);
        self.kit.bind(span, slot, of, whole)
    }

    /// `round(a / b)`: the nearest whole number, and of two the higher, which is (2a + b) / 2b rounded down.
    fn nearest_to(&mut self, span: Span, a: TermId, b: TermId) -> Typed {
        let slots = [self.kit.slot("a"), self.kit.slot("b")];
        let (two, a_again) = (self.kit.int(span, 2), self.kit.var(span, slots[0]));
        let twice = self.kit.prim(span, &prim::MUL, vec![two, a_again]);
        let by = self.kit.var(span, slots[1]);
        let above = self.kit.prim(span, &prim::ADD, vec![twice, by]);
        let (two, by) = (self.kit.int(span, 2), self.kit.var(span, slots[1]));
        let below = self.kit.prim(span, &prim::MUL, vec![two, by]);
        let term = self.kit.prim(span, &prim::DIV, vec![above, below]);
        let term = self.kit.bind(span, slots[1], b, term);
        Typed { term: self.kit.bind(span, slots[0], a, term), kind: Kind::Number, span }
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
        let Typed { mut term, kind, .. } = self.value_of(body)?;
        self.scope.truncate(outer);
        for (slot, value) in bound.into_iter().rev() {
            term = self.kit.bind(span, slot, value, term);
        }
        Ok(Typed { term, kind, span })
    }
}
