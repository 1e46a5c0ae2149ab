//! Statements: assignments, choices, loops and results, with what is known after each of them.

use super::super::problem::Problem;
use super::super::syntax::{Block, Do, Expr, Infix, Name, NodeId, Place, Statement, Step};
use super::super::types::{Meaning, Type};
use super::flow::Flow;
use super::{Checker, Scope};
use tumble_core::{Code, Span};

impl<'t> Checker<'t, '_> {
    pub(super) fn block(&mut self, scope: &mut Scope<'t>, block: &'t Block) {
        let mut warned = false;
        for statement in &block.statements {
            if scope.flow.ended && !warned {
                warned = true;
                self.never_reached(statement.span);
            }
            self.statement(scope, statement);
        }
    }

    #[cold]
    #[inline(never)]
    fn never_reached(&mut self, span: Span) {
        self.add(Problem::error(Code::Name, span, "this is never reached").warning());
    }

    fn statement(&mut self, scope: &mut Scope<'t>, statement: &'t Statement) {
        match &statement.what {
            Do::Assign { place, op, value } => self.assign(scope, place, *op, *value),
            Do::If { arms, other } => self.branches(scope, arms, other.as_ref()),
            Do::While { test, body } => self.while_loop(scope, statement.span, *test, body),
            Do::For { name, list, body } => self.for_loop(scope, name, *list, body),
            Do::Group { title, body } => {
                if let Some(title) = title {
                    self.shown(scope, *title);
                }
                self.block(scope, body);
            }
            Do::Return(value) => self.result(scope, statement.span, *value),
            Do::Break => self.leave_loop(scope, statement.span),
            Do::Expr(node) => self.for_effect(scope, *node),
            Do::Block(block) => self.block(scope, block),
        }
    }

    #[inline(never)]
    fn shown(&mut self, scope: &mut Scope<'_>, node: NodeId) {
        let kind = self.value(scope, node, None);
        if !kind.has_text() {
            let found = self.known.tables.name(&kind);
            self.add(Problem::wrong_type(self.tree.nodes.span(node), format!("{found} can't be shown as text")));
        }
    }

    /// A statement that is an expression does something.
    #[inline(never)]
    fn for_effect(&mut self, scope: &mut Scope<'_>, node: NodeId) {
        self.expr(scope, node, None);
        let calls = matches!(self.tree.nodes.expr(node), Expr::Call { .. } | Expr::Unread);
        if !calls {
            let span = self.tree.nodes.span(node);
            let problem = Problem::error(Code::Syntax, span, "this value is not used");
            self.add(problem.hint("assign it to a variable, or remove it").warning());
        }
    }

    #[inline(never)]
    fn assign(&mut self, scope: &mut Scope<'_>, place: &Place, op: Option<Infix>, value: NodeId) {
        if place.steps.is_empty() {
            return self.assign_variable(scope, &place.name, op, value);
        }
        let Some(var) = self.changed(scope, &place.name) else {
            self.value(scope, value, None);
            return;
        };
        let mut kind = scope.vars.all[var].1.clone();
        for (at, step) in place.steps.iter().enumerate() {
            let last = at + 1 == place.steps.len();
            kind = match step {
                Step::Field(name) => self.part_of(kind, name, !last || op.is_some()),
                Step::Index(index) => {
                    self.expect(scope, *index, &Type::Int);
                    self.member_kind(kind, place.span)
                }
            };
        }
        let given = self.operated(scope, &kind, place.span, op, value);
        self.fitting(value, &given, &kind);
    }

    /// The variable whose part changes.
    #[inline(never)]
    fn changed(&mut self, scope: &mut Scope<'_>, name: &Name) -> Option<usize> {
        let Some(var) = scope.named.get(&name.key).copied() else {
            self.unknown_name(scope, name);
            return None;
        };
        scope.vars.places.insert(name.span.start, var);
        let declared = scope.declared[var].clone();
        self.spelled(&declared.text, declared.span, name);
        if !scope.flow.has(var) {
            let message = format!("`{}` may have no value here", name.text);
            self.add(Problem::error(Code::Name, name.span, message));
        }
        Some(var)
    }

    #[inline(never)]
    fn part_of(&mut self, kind: Type, name: &Name, read: bool) -> Type {
        let Type::Record(record) = kind else {
            if kind != Type::Unknown {
                let found = self.known.tables.name(&kind);
                self.add(Problem::wrong_type(name.span, format!("{found} has no field `{}`", name.text)));
            }
            return Type::Unknown;
        };
        let Some(at) = self.known.tables.field(record, &name.key) else {
            self.unknown_field(record, name);
            return Type::Unknown;
        };
        let field = self.known.tables.records[record].fields[at].clone();
        self.spelled(&field.name, field.span, name);
        if read {
            self.read.insert((record, at));
        }
        field.kind
    }

    #[inline(never)]
    pub(super) fn member_kind(&mut self, kind: Type, span: Span) -> Type {
        kind.member().unwrap_or_else(|| {
            let found = self.known.tables.name(&kind);
            self.add(Problem::wrong_type(span, format!("expected a list, not {found}")));
            Type::Unknown
        })
    }

    /// The type of what is assigned, for `=` and `+=` and the like.
    fn operated(&mut self, scope: &mut Scope<'_>, kind: &Type, at: Span, op: Option<Infix>, value: NodeId) -> Type {
        let given = self.value(scope, value, Some(kind).filter(|kind| **kind != Type::Unknown));
        match op {
            Some(op) => self.infix(op, (kind.clone(), at), (given, self.tree.nodes.span(value))),
            None => given,
        }
    }

    #[inline(never)]
    fn assign_variable(&mut self, scope: &mut Scope<'_>, name: &Name, op: Option<Infix>, value: NodeId) {
        let known = scope.named.get(&name.key).copied();
        if let (Some(_), None) = (op, known) {
            self.value(scope, value, None);
            return self.unknown_name(scope, name);
        }
        let Some(var) = known else {
            let kind = self.value(scope, value, None);
            if kind == Type::Empty {
                let span = self.tree.nodes.span(value);
                let hint = "make it from a typed list, or begin with its first members";
                self.add(Problem::wrong_type(span, "a list of what?").hint(hint));
            }
            self.bind(scope, name, kind);
            return;
        };
        if op.is_some() {
            self.changed(scope, name);
        }
        scope.vars.places.insert(name.span.start, var);
        let declared = scope.declared[var].clone();
        self.spelled(&declared.text, declared.span, name);
        let kind = scope.vars.all[var].1.clone();
        let given = self.operated(scope, &kind, name.span, op, value);
        // What a mistake or an empty list left open, the next assignment decides.
        if matches!(kind, Type::Unknown | Type::Empty) {
            scope.vars.all[var].1 = given;
        } else if given.is_not(&kind) {
            let [given, kind] = [&given, &kind].map(|kind| self.known.tables.name(kind));
            let message = format!("`{}` is {kind} since its first assignment, and this is {given}", declared.text);
            self.add(Problem::wrong_type(self.tree.nodes.span(value), message).hint("use another variable"));
        }
        scope.flow.assign(var);
    }

    fn branches(&mut self, scope: &mut Scope<'t>, arms: &'t [(NodeId, Block)], other: Option<&'t Block>) {
        let mut after: Option<Flow> = None;
        let meet = |after: Option<Flow>, flow: Flow| {
            Some(match after {
                Some(after) => after.meet(flow),
                None => flow,
            })
        };
        for (test, block) in arms {
            self.expect(scope, *test, &Type::Bool);
            let before = scope.flow.clone();
            self.block(scope, block);
            after = meet(after, std::mem::replace(&mut scope.flow, before));
        }
        if let Some(other) = other {
            self.block(scope, other);
        }
        let last = std::mem::take(&mut scope.flow);
        scope.flow = meet(after, last).unwrap_or_default();
    }

    #[inline(never)]
    fn while_loop(&mut self, scope: &mut Scope<'t>, span: Span, test: NodeId, body: &'t Block) {
        self.expect(scope, test, &Type::Bool);
        self.evidently_endless(scope, span, test, body);
        let before = scope.flow.clone();
        scope.loops.push(None);
        self.block(scope, body);
        let broken = scope.loops.pop().flatten();
        let always = matches!(self.tree.nodes.expr(test), Expr::Truth(true));
        // A loop that always goes on is only left by a break.
        scope.flow = before;
        scope.flow.ended |= always;
        if let Some(broken) = broken {
            scope.flow = std::mem::take(&mut scope.flow).meet(broken);
        }
    }

    #[inline(never)]
    fn for_loop(&mut self, scope: &mut Scope<'t>, name: &'t Name, list: NodeId, body: &'t Block) {
        let member = self.members_of(scope, list);
        let flow = scope.flow.clone();
        let before = self.loop_variable(scope, name, member);
        scope.loops.push(None);
        self.block(scope, body);
        let broken = scope.loops.pop().flatten();
        self.forget(scope, name, before);
        scope.flow = match broken {
            Some(broken) => flow.meet(broken),
            None => flow,
        };
    }

    /// The variable of a loop exists inside it only; the answer is what had its name before.
    pub(super) fn loop_variable(&mut self, scope: &mut Scope<'_>, name: &Name, kind: Type) -> Option<usize> {
        let before = scope.named.get(&name.key).copied();
        if before.is_some() {
            let message = format!("`{}` is a variable already", name.text);
            let problem = Problem::error(Code::Name, name.span, message);
            self.add(problem.hint("the variable of a `for` needs a name of its own"));
        }
        self.bind(scope, name, kind);
        before
    }

    pub(super) fn forget(&mut self, scope: &mut Scope<'_>, name: &Name, before: Option<usize>) {
        match before {
            Some(before) => _ = scope.named.insert(name.key.clone(), before),
            None => _ = scope.named.remove(&name.key),
        }
    }

    #[inline(never)]
    fn result(&mut self, scope: &mut Scope<'_>, span: Span, value: Option<NodeId>) {
        let wanted = scope.function.and_then(|(number, function)| {
            function.gives.as_ref()?;
            self.known.tables.functions[number].gives.clone()
        });
        let kind = value.map(|value| self.value(scope, value, wanted.as_ref()));
        let roll = scope.function.is_some_and(|(_, function)| function.title.is_some());
        if let (true, Some(kind)) = (roll, &kind) {
            self.reads_all(kind);
        }
        let at = value.map_or(span, |value| self.tree.nodes.span(value));
        scope.returns.push((at, kind));
        scope.flow.ended = true;
    }

    #[inline(never)]
    fn leave_loop(&mut self, scope: &mut Scope<'_>, span: Span) {
        match scope.loops.last_mut() {
            Some(broken) => {
                let here = scope.flow.clone();
                *broken = Some(match broken.take() {
                    Some(before) => before.meet(here),
                    None => here,
                });
            }
            None => self.add(Problem::syntax(span, "`break` outside a loop").fix("remove it", span, "")),
        }
        scope.flow.ended = true;
    }

    /// The variable that a node reads.
    pub(super) fn variable(&self, node: NodeId) -> Option<usize> {
        match self.known.meanings[node.index()] {
            Some(Meaning::Variable(var)) => Some(var),
            _ => None,
        }
    }
}
