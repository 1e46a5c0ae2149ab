//! The types of expressions.

use super::super::problem::Problem;
use super::super::syntax::{Expr, Name, NodeId};
use super::super::types::{Meaning, Type};
use super::{Checker, Scope};
use crate::nearest;
use tumble_core::Code;

impl Checker<'_, '_> {
    /// The type of an expression; `wanted` is what it is expected to be, if that is known, and helps an empty list.
    pub(super) fn expr(&mut self, scope: &mut Scope<'_>, node: NodeId, wanted: Option<&Type>) -> Type {
        let tree = self.tree;
        let kind = match tree.nodes.expr(node) {
            Expr::Int(_) => Type::Int,
            Expr::Text(_) => Type::Text,
            Expr::Truth(_) => Type::Bool,
            Expr::Unread => Type::Unknown,
            Expr::Name(name) => self.name(scope, node, name),
            Expr::List(items) => self.list(scope, items, wanted),
            Expr::Made { item, name, list, test } => self.made(scope, *item, name, *list, *test),
            Expr::Record { name, fields } => self.record(scope, name, fields),
            Expr::Call { name, args } => self.call(scope, node, name, args),
            Expr::Field { of, name } => self.part(scope, node, *of, name),
            Expr::Index { of, at } => self.member(scope, *of, *at),
            Expr::Not(inside) => self.unary(scope, *inside, Type::Bool, "!"),
            Expr::Minus(inside) => self.unary(scope, *inside, Type::Int, "-"),
            Expr::Chain { first, rest } => self.chain(scope, *first, rest, wanted),
            Expr::Choice { test, then, other } => self.choice(scope, [*test, *then, *other], wanted),
        };
        // An empty list is a list of what is expected.
        let kind = match (kind, wanted) {
            (Type::Empty, Some(list @ Type::List(_))) => list.clone(),
            (kind, _) => kind,
        };
        self.set(node, kind)
    }

    /// An expression whose value is used: it must have one.
    pub(super) fn value(&mut self, scope: &mut Scope<'_>, node: NodeId, wanted: Option<&Type>) -> Type {
        let kind = self.expr(scope, node, wanted);
        if kind == Type::Nothing { self.no_value(node) } else { kind }
    }

    #[cold]
    #[inline(never)]
    fn no_value(&mut self, node: NodeId) -> Type {
        let span = self.tree.nodes.span(node);
        self.add(Problem::wrong_type(span, "this call returns no value"));
        Type::Unknown
    }

    /// An expression that must have this type.
    pub(super) fn expect(&mut self, scope: &mut Scope<'_>, node: NodeId, wanted: &Type) -> Type {
        let kind = self.value(scope, node, Some(wanted));
        self.fitting(node, &kind, wanted);
        kind
    }

    /// Reports a type that does not fit.
    #[inline(never)]
    pub(super) fn fitting(&mut self, node: NodeId, kind: &Type, wanted: &Type) {
        if kind.is_not(wanted) {
            let [kind, wanted] = [kind, wanted].map(|kind| self.known.tables.name(kind));
            let span = self.tree.nodes.span(node);
            self.add(Problem::wrong_type(span, format!("expected {wanted}, not {kind}")));
        } else if *wanted == Type::Dice {
            self.dice_literal(node);
        }
    }

    #[inline(never)]
    fn list(&mut self, scope: &mut Scope<'_>, items: &[NodeId], wanted: Option<&Type>) -> Type {
        let Some((first, rest)) = items.split_first() else { return Type::Empty };
        let member = wanted.and_then(Type::member).filter(|member| *member != Type::Unknown);
        let mut kind = self.value(scope, *first, member.as_ref());
        for item in rest {
            let next = self.value(scope, *item, member.as_ref().or(Some(&kind.clone())));
            match kind.clone().join(next.clone()) {
                Some(joined) => kind = joined,
                None => {
                    let [one, other] = [&kind, &next].map(|kind| self.known.tables.name(kind));
                    let span = self.tree.nodes.span(*item);
                    let message = format!("the list holds {one} so far, but this is {other}");
                    self.add(Problem::wrong_type(span, message));
                }
            }
        }
        kind.list()
    }

    #[inline(never)]
    fn made(&mut self, scope: &mut Scope<'_>, item: NodeId, name: &Name, list: NodeId, test: Option<NodeId>) -> Type {
        let member = self.members_of(scope, list);
        let before = self.loop_variable(scope, name, member);
        if let Some(test) = test {
            self.expect(scope, test, &Type::Bool);
        }
        let kind = self.value(scope, item, None);
        self.forget(scope, name, before);
        kind.list()
    }

    /// What a list that is gone through holds.
    #[inline(never)]
    pub(super) fn members_of(&mut self, scope: &mut Scope<'_>, list: NodeId) -> Type {
        let kind = self.value(scope, list, None);
        kind.member().unwrap_or_else(|| {
            let found = self.known.tables.name(&kind);
            let span = self.tree.nodes.span(list);
            let problem = Problem::wrong_type(span, format!("expected a list, not {found}"));
            self.add(match kind {
                Type::Int => problem.fix("for 0, 1, … write `range(…)`", span, format!("range({})", self.text(span))),
                _ => problem,
            });
            Type::Unknown
        })
    }

    #[inline(never)]
    fn record(&mut self, scope: &mut Scope<'_>, name: &Name, fields: &[(Name, NodeId)]) -> Type {
        let Some(record) = self.known.tables.record(&name.key) else {
            self.unknown_record(name);
            fields.iter().for_each(|(_, value)| _ = self.expr(scope, *value, None));
            return Type::Unknown;
        };
        let declared = self.known.tables.records[record].clone();
        self.spelled(&declared.name, declared.span, name);
        let mut seen = vec![false; declared.fields.len()];
        for (field, value) in fields {
            let Some(at) = self.known.tables.field(record, &field.key) else {
                self.unknown_field(record, field);
                self.expr(scope, *value, None);
                continue;
            };
            let known = &declared.fields[at];
            self.spelled(&known.name, known.span, field);
            if std::mem::replace(&mut seen[at], true) {
                self.add(Problem::error(Code::Name, field.span, format!("`{}` is given twice", field.text)));
            }
            self.expect(scope, *value, &known.kind);
        }
        Type::Record(record)
    }

    fn unknown_record(&mut self, name: &Name) {
        let problem = Problem::error(Code::Name, name.span, format!("unknown type `{}`", name.text));
        let all = self.known.tables.records.iter().map(|record| record.name.as_str());
        let meant = nearest(&name.text, all).map(str::to_owned);
        self.add(match meant {
            Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
            None => problem,
        });
    }

    /// `a.b`: a field, or a member of an enumeration.
    #[inline(never)]
    fn part(&mut self, scope: &mut Scope<'_>, node: NodeId, of: NodeId, name: &Name) -> Type {
        if let Some(found) = self.enumeration(scope, of) {
            return self.enum_member(node, found, name);
        }
        let kind = self.value(scope, of, None);
        let Type::Record(record) = kind else {
            if kind != Type::Unknown {
                let found = self.known.tables.name(&kind);
                let problem = Problem::wrong_type(name.span, format!("{found} has no field `{}`", name.text));
                self.add(self.as_function(problem, node, of, name));
            }
            self.perhaps_read(&name.key);
            return Type::Unknown;
        };
        self.field_of(node, record, name, true)
    }

    /// `xs.length` as other languages write it.
    fn as_function(&self, problem: Problem, node: NodeId, of: NodeId, name: &Name) -> Problem {
        let pure = super::super::builtin::named(&name.key);
        let Some(row) = pure.filter(|row| row.form(1).is_some()) else { return problem };
        let [span, inside] = [node, of].map(|node| self.tree.nodes.span(node));
        let call = format!("{}({})", row.name, self.text(inside));
        problem.fix(format!("write `{call}`"), span, call)
    }

    /// The type of a field; `read` says whether it is read.
    #[inline(never)]
    pub(super) fn field_of(&mut self, node: NodeId, record: usize, name: &Name, read: bool) -> Type {
        let Some(at) = self.known.tables.field(record, &name.key) else {
            self.unknown_field(record, name);
            return Type::Unknown;
        };
        if read {
            self.read.insert((record, at));
        }
        self.means(node, Meaning::Field(at));
        let field = self.known.tables.records[record].fields[at].clone();
        self.spelled(&field.name, field.span, name);
        field.kind
    }

    /// The enumeration that an expression names, unless a variable has its name.
    #[inline(never)]
    fn enumeration(&mut self, scope: &Scope<'_>, of: NodeId) -> Option<usize> {
        let Expr::Name(name) = self.tree.nodes.expr(of) else { return None };
        let found = self.known.tables.enumeration(&name.key)?;
        let declared = self.known.tables.enums[found].clone();
        if scope.named.contains_key(&name.key) {
            return None;
        }
        self.spelled(&declared.name, declared.span, name);
        Some(found)
    }

    #[inline(never)]
    fn enum_member(&mut self, node: NodeId, of: usize, name: &Name) -> Type {
        match self.known.tables.member(of, &name.key) {
            Some(member) => {
                let (declared, at) =
                    (self.known.tables.enums[of].members[member].0.clone(), self.tree.enums[of].members[member].0.span);
                self.spelled(&declared, at, name);
                self.means(node, Meaning::Member(of, member));
            }
            None => {
                let found = &self.known.tables.enums[of];
                let members: Vec<&str> = found.members.iter().map(|(name, _)| name.as_str()).collect();
                let problem =
                    Problem::error(Code::Name, name.span, format!("`{}` has no member `{}`", found.name, name.text));
                let meant = nearest(&name.text, members.iter().copied()).map(str::to_owned);
                let problem = match meant {
                    Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
                    None => problem.hint(format!("its members are {}", members.join(", "))),
                };
                self.add(problem);
            }
        }
        Type::Enum(of)
    }

    #[inline(never)]
    fn member(&mut self, scope: &mut Scope<'_>, of: NodeId, at: NodeId) -> Type {
        let kind = self.value(scope, of, None);
        let member = self.member_kind(kind, self.tree.nodes.span(of));
        self.expect(scope, at, &Type::Int);
        member
    }

    #[inline(never)]
    fn choice(&mut self, scope: &mut Scope<'_>, [test, then, other]: [NodeId; 3], wanted: Option<&Type>) -> Type {
        self.expect(scope, test, &Type::Bool);
        let one = self.value(scope, then, wanted);
        let two = self.value(scope, other, wanted.or(Some(&one.clone())));
        if one == Type::Empty {
            self.set(then, two.clone());
        }
        one.clone().join(two.clone()).unwrap_or_else(|| {
            let [one, two] = [&one, &two].map(|kind| self.known.tables.name(kind));
            let span = self.tree.nodes.span(other);
            self.add(Problem::wrong_type(
                span,
                format!("one value is {one}, the other {two}: both need the same type"),
            ));
            Type::Unknown
        })
    }
}
