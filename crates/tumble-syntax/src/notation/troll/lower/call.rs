//! Functions of the text.
//!
//! A `function` becomes a function of the core. A `compositional` one is a fold, and a fold is not
//! nesting, so a call of it becomes a loop in its place:
//!
//! ```text
//! f(p) = second(loop(s = pair(p, empty), while some(first(s)),
//!                    let x = only(largest(1, first(s))) in
//!                    pair(minus(first(s), gather(x)), binary(unary(x), second(s)))))
//! ```
//!
//! which gives `binary(unary(x1), binary(unary(x2), … empty))` for the members x1 <= x2 <= …

use super::super::kind::Kind;
use super::super::syntax::{Body, Expr, Infix, NodeId, Prefix, Step};
use super::{Binding, Frame, Lowering, Typed};
use crate::build::{bind, field, gather, one, two};
use std::collections::HashMap;
use tumble_core::{FnId, Function, Slot, Span, Term, prim};

/// A function of the core; the number is that of its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Routine {
    /// A `function`.
    Plain(usize),
    /// A `compositional` function that another one names as its step.
    Fold(usize),
    /// What a `compositional` function gives for no members, when it is long.
    Empty(usize),
}

/// What is known of a routine so far.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    params: Vec<Kind>,
    result: Kind,
    /// Whether every roll calls it.
    certain: bool,
}

/// What a `compositional` function gives for no members is repeated at each call if it is no larger.
const SMALL: usize = 8;

impl<'a> Lowering<'a> {
    /// `call f(a, b)`
    pub(super) fn call(&mut self, span: Span, name: &'a str, args: &'a [NodeId]) -> Typed {
        let Some(&index) = self.declared.get(name) else { return self.unknown_function(span, name) };
        let wanted = match &self.tree.declarations[index].body {
            Body::Function(params, _) => params.len(),
            Body::Compositional(..) => 1,
        };
        if wanted != args.len() {
            return self.wrong_count(span, name, wanted, args.len());
        }
        let args: Vec<Typed> = args.iter().map(|arg| self.expr(*arg)).collect();
        match (&self.tree.declarations[index].body, args.as_slice()) {
            (Body::Compositional(empty, unary, binary), [arg]) => self.fold(span, index, *arg, (*empty, unary, binary)),
            _ => self.invoke(span, Routine::Plain(index), &args),
        }
    }

    /// Lowers a routine that a call asked for.
    pub(super) fn routine(&mut self, routine: Routine) -> Function {
        let (Routine::Plain(index) | Routine::Fold(index) | Routine::Empty(index)) = routine;
        let declaration = &self.tree.declarations[index];
        let known = self.signature(routine, 0);
        self.frame = Frame { name: Some(&declaration.name), certain: known.certain, ..Frame::default() };
        let (params, body) = match (&declaration.body, routine) {
            (Body::Function(names, body), _) => self.parameters(names, &known, *body),
            (Body::Compositional(empty, unary, binary), Routine::Fold(_)) => {
                let slot = self.slot("members");
                let span = declaration.span;
                let kind = known.params.first().copied().unwrap_or(Kind::Any);
                let arg = self.typed(span, kind, slot);
                (vec![slot], self.fold(span, index, arg, (*empty, unary, binary)))
            }
            (Body::Compositional(empty, ..), _) => (vec![], self.expr(*empty)),
        };
        let result = self.returns(routine, body.kind);
        let term = self.fit(body, result);
        let name = if matches!(routine, Routine::Empty(_)) { "_of_nothing" } else { "" };
        self.finish(&format!("{}{name}", declaration.name), params, term)
    }

    /// Of two parameters with one name, the first counts.
    fn parameters(&mut self, names: &'a [String], known: &Signature, body: NodeId) -> (Vec<Slot>, Typed) {
        let slots: Vec<Slot> = names.iter().map(|name| self.slot(name)).collect();
        let mut scope = HashMap::new();
        for ((name, slot), kind) in names.iter().zip(&slots).zip(&known.params) {
            scope.entry(name.as_str()).or_insert_with(|| vec![Binding { slot: *slot, kind: *kind }]);
        }
        self.frame.scope = scope;
        (slots, self.expr(body))
    }

    fn signature(&mut self, routine: Routine, params: usize) -> Signature {
        let fresh = || Signature { params: vec![Kind::Bottom; params], result: Kind::Bottom, certain: false };
        self.signatures.entry(routine).or_insert_with(fresh).clone()
    }

    /// A call of the core; the arguments teach the routine what its parameters can be.
    fn invoke(&mut self, span: Span, routine: Routine, args: &[Typed]) -> Typed {
        let mut known = self.signature(routine, args.len());
        let params: Vec<Kind> = known.params.iter().zip(args).map(|(param, arg)| param.join(arg.kind)).collect();
        let certain = known.certain || self.frame.certain;
        if params != known.params || certain != known.certain {
            known = Signature { params, certain, ..known };
            self.signatures.insert(routine, known.clone());
            self.changed = true;
        }
        let function = self.number_of(routine);
        let args = args.iter().zip(&known.params).map(|(arg, param)| self.fit(*arg, *param)).collect();
        self.typed(span, known.result, Term::Call { function, args })
    }

    fn number_of(&mut self, routine: Routine) -> FnId {
        let next = FnId(u32::try_from(self.routines.len() + 1).unwrap_or(u32::MAX));
        let number = *self.numbers.entry(routine).or_insert(next);
        if number == next {
            self.routines.push(routine);
        }
        number
    }

    /// Learns what a routine can give.
    fn returns(&mut self, routine: Routine, kind: Kind) -> Kind {
        let known = self.signature(routine, 1);
        let result = known.result.join(kind);
        if result != known.result {
            self.signatures.insert(routine, Signature { result, ..known });
            self.changed = true;
        }
        result
    }

    /// A `compositional` function of `arg`.
    fn fold(
        &mut self,
        span: Span,
        index: usize,
        arg: Typed,
        (empty, unary, binary): (NodeId, &'a Step<&'static Prefix>, &'a Step<&'static Infix>),
    ) -> Typed {
        let pool = self.collection(arg);
        let empty = self.empty(span, index, empty);
        let so_far = self.returns(Routine::Fold(index), empty.kind);
        let start = two(&prim::TUPLE, pool, self.canonical(empty));
        let [members, so_far_slot, member] = ["members", "value", "member"].map(|name| self.slot(name));
        let x = self.typed(span, Kind::Num, member);
        let value = self.perhaps(|lowering| {
            let x = lowering.unary(span, unary, x);
            let inner = lowering.typed(span, Kind::Any, so_far_slot);
            let inner = Typed { term: lowering.fit(inner, so_far), kind: so_far, span };
            lowering.binary(span, binary, x, inner)
        });
        let result = self.returns(Routine::Fold(index), value.kind);
        let rest = two(&prim::MINUS, members, gather(member));
        let state = two(&prim::TUPLE, rest, self.canonical(value));
        let (start, test) = (self.put(span, start), self.put(span, one(&prim::SOME, members)));
        let body = self.put(span, bind(member, one(&prim::ONLY, two(&prim::LARGEST, 1, members)), state));
        let done = Term::Loop { slots: vec![members, so_far_slot], start, test, body };
        let done = self.typed(span, Kind::Any, field(1, done));
        Typed { term: self.fit(done, result), kind: result, span }
    }

    /// What a fold gives for no members; it sees no variables.
    fn empty(&mut self, span: Span, index: usize, empty: NodeId) -> Typed {
        let mut room = SMALL;
        if !self.is_small(empty, &mut room) {
            return self.invoke(span, Routine::Empty(index), &[]);
        }
        let scope = std::mem::take(&mut self.frame.scope);
        let outside = self.frame.outside.take();
        let typed = self.expr(empty);
        self.frame.scope = scope;
        self.frame.outside = outside;
        typed
    }

    /// Whether an expression has few parts and calls nothing.
    fn is_small(&self, id: NodeId, room: &mut usize) -> bool {
        if *room == 0 {
            return false;
        }
        *room -= 1;
        match self.tree.nodes.expr(id) {
            Expr::Number(_) | Expr::Name(_) | Expr::Chance(_) => true,
            Expr::Prefix(_, operand) => self.is_small(*operand, room),
            Expr::Infix(_, left, right) | Expr::Pair(left, right) => {
                self.is_small(*left, room) && self.is_small(*right, room)
            }
            Expr::Group(members) => members.iter().all(|member| self.is_small(*member, room)),
            _ => false,
        }
    }

    fn unary(&mut self, span: Span, step: &'a Step<&'static Prefix>, x: Typed) -> Typed {
        match step {
            Step::Operator(op) => self.prefix(span, op, x),
            Step::Named(name) => self.step(span, name, &[x]),
        }
    }

    fn binary(&mut self, span: Span, step: &'a Step<&'static Infix>, x: Typed, inner: Typed) -> Typed {
        match step {
            Step::Operator(op) => self.combine(span, op, x, inner),
            Step::Named(name) => self.step(span, name, &[x, inner]),
        }
    }

    /// A function of the text as a step of a fold.
    fn step(&mut self, span: Span, name: &'a str, args: &[Typed]) -> Typed {
        let Some(&index) = self.declared.get(name) else {
            let failing = self.unknown_function(span, name);
            return self.after(args, failing);
        };
        let (routine, wanted) = match &self.tree.declarations[index].body {
            Body::Function(params, _) => (Routine::Plain(index), params.len()),
            Body::Compositional(..) => (Routine::Fold(index), 1),
        };
        if wanted == args.len() {
            self.invoke(span, routine, args)
        } else {
            let failing = self.wrong_count(span, name, wanted, args.len());
            self.after(args, failing)
        }
    }
}
