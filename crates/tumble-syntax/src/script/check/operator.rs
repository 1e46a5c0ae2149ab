//! Operators: what they take and give.
//!
//! `+` joins texts and lists as well as adding numbers; `==` compares any two values of one type, `<` and the like
//! numbers and members of one enumeration.

use super::super::problem::Problem;
use super::super::syntax::{Infix, NodeId, sign};
use super::super::types::Type;
use super::{Checker, Scope};
use tumble_core::{Compare, Span};

impl Checker<'_, '_> {
    #[inline(never)]
    pub(super) fn unary(&mut self, scope: &mut Scope<'_>, inside: NodeId, wanted: Type, sign: &str) -> Type {
        let kind = self.value(scope, inside, None);
        if kind.is_not(&wanted) {
            let [found, wanted] = [&kind, &wanted].map(|kind| self.known.tables.name(kind));
            let span = self.tree.nodes.span(inside);
            self.add(Problem::wrong_type(span, format!("`{sign}` takes {wanted}, not {found}")));
        }
        wanted
    }

    /// Operators of one level, from left to right.
    #[inline(never)]
    pub(super) fn chain(
        &mut self,
        scope: &mut Scope<'_>,
        first: NodeId,
        rest: &[(Infix, NodeId)],
        wanted: Option<&Type>,
    ) -> Type {
        let lists = wanted.filter(|wanted| matches!(wanted, Type::List(_)));
        let mut left = self.value(scope, first, lists);
        let mut span = self.tree.nodes.span(first);
        for (infix, right) in rest {
            let hint = matches!(left, Type::List(_)).then(|| left.clone());
            let kind = self.value(scope, *right, hint.as_ref().or(lists));
            let right = self.tree.nodes.span(*right);
            left = self.infix(*infix, (left, span), (kind, right));
            span = span.to(right);
        }
        left
    }

    /// The type of `left infix right`.
    pub(super) fn infix(&mut self, infix: Infix, left: (Type, Span), right: (Type, Span)) -> Type {
        match infix {
            Infix::Or | Infix::And => self.both(infix, left, right, Type::Bool),
            Infix::Compare(Compare::Equal | Compare::Unequal) => self.equality(left, right),
            Infix::Compare(_) => self.ordering(infix, left, right),
            Infix::Plus => self.plus(left, right),
            Infix::Minus | Infix::Times | Infix::Over | Infix::Exact | Infix::Modulo => {
                self.both(infix, left, right, Type::Int)
            }
        }
    }

    #[inline(never)]
    fn both(&mut self, infix: Infix, left: (Type, Span), right: (Type, Span), wanted: Type) -> Type {
        for (kind, span) in [left, right] {
            if kind.is_not(&wanted) {
                let [found, wanted] = [&kind, &wanted].map(|kind| self.known.tables.name(kind));
                let message = format!("`{}` takes {wanted}, not {found}", sign(infix));
                self.add(Problem::wrong_type(span, message));
            }
        }
        wanted
    }

    #[inline(never)]
    fn equality(&mut self, left: (Type, Span), right: (Type, Span)) -> Type {
        match left.0.clone().join(right.0.clone()) {
            Some(kind) => self.reads_all(&kind),
            None => {
                let [one, other] = [&left.0, &right.0].map(|kind| self.known.tables.name(kind));
                let span = left.1.to(right.1);
                let message = format!("this compares {one} with {other}: they are never equal");
                self.add(Problem::wrong_type(span, message));
            }
        }
        Type::Bool
    }

    #[inline(never)]
    fn ordering(&mut self, infix: Infix, left: (Type, Span), right: (Type, Span)) -> Type {
        let fine = match (&left.0, &right.0) {
            (Type::Enum(one), Type::Enum(other)) => one == other,
            (Type::Int | Type::Unknown, Type::Int | Type::Unknown) => true,
            (Type::Enum(_), Type::Unknown) | (Type::Unknown, Type::Enum(_)) => true,
            _ => false,
        };
        if !fine {
            let [one, other] = [&left.0, &right.0].map(|kind| self.known.tables.name(kind));
            let message =
                format!("`{}` compares two ints or two members of an enumeration, not {one} with {other}", sign(infix));
            self.add(Problem::wrong_type(left.1.to(right.1), message));
        }
        Type::Bool
    }

    #[inline(never)]
    fn plus(&mut self, left: (Type, Span), right: (Type, Span)) -> Type {
        let (one, other) = (&left.0, &right.0);
        if one.is_text() || other.is_text() {
            for (kind, span) in [&left, &right] {
                if !kind.has_text() {
                    let found = self.known.tables.name(kind);
                    let message = format!("{found} has no text of its own");
                    self.add(Problem::wrong_type(*span, message).hint("join its fields, such as its name"));
                }
            }
            return Type::Text;
        }
        if matches!(one, Type::List(_) | Type::Empty) || matches!(other, Type::List(_) | Type::Empty) {
            return self.joined_lists(left, right);
        }
        self.both(Infix::Plus, left, right, Type::Int)
    }

    #[inline(never)]
    fn joined_lists(&mut self, left: (Type, Span), right: (Type, Span)) -> Type {
        match left.0.clone().join(right.0.clone()) {
            Some(kind) => kind,
            None => {
                let [one, other] = [&left.0, &right.0].map(|kind| self.known.tables.name(kind));
                let problem = Problem::wrong_type(left.1.to(right.1), format!("`+` can't join {one} and {other}"));
                let alone = left.0.member().is_some_and(|member| right.0.fits(&member));
                let single = format!("[{}]", self.text(right.1));
                self.add(match alone {
                    true => problem.fix(format!("to add a member write `{single}`"), right.1, single.clone()),
                    false => problem,
                });
                Type::Unknown
            }
        }
    }
}
