//! Statements. What follows a statement sees the variables that it binds; a block that is a branch or a loop body gives
//! the variables that it assigns.

use super::super::syntax::{Block, Do, Function, Infix, Name, NodeId, Place, Statement, Step};
use super::super::types::Type;
use super::scope::leaves;
use super::{Around, Here, Lowering};
use tumble_core::{Compare, Event, Exit, Fork, Slot, Span, Term, TermId, Value, prim};

/// What a block gives when its end is reached.
enum End<'e> {
    /// No value: it is the body of a function.
    Nothing,
    /// These variables.
    Vars(&'e [usize]),
    /// The state for the next pass of the loop around it.
    State,
}

impl Lowering<'_> {
    /// The body of a function.
    pub(super) fn body(&mut self, function: &Function) -> TermId {
        let last = self.block(&function.body, &End::Nothing, true);
        self.wrap(0, last)
    }

    /// A block; `top` if its value is that of the call.
    fn block(&mut self, block: &Block, end: &End<'_>, top: bool) -> TermId {
        let ended = self.statements(&block.statements, top);
        match ended {
            Some(term) => term,
            None => self.end_of(Span::new(block.span.end.saturating_sub(1), block.span.end), end),
        }
    }

    /// Statements in a row; if they leave, the term that does.
    fn statements(&mut self, statements: &[Statement], top: bool) -> Option<TermId> {
        statements.iter().find_map(|statement| self.statement(statement, top))
    }

    #[inline(never)]
    fn end_of(&mut self, span: Span, end: &End<'_>) -> TermId {
        match end {
            End::Nothing => self.lit(span, Value::NOTHING),
            End::Vars(vars) => {
                let values = vars.iter().map(|var| self.value_of(span, *var)).collect();
                self.together(span, values)
            }
            End::State => self.state(span, true),
        }
    }

    /// The value of a variable; nothing where it has none.
    fn value_of(&mut self, span: Span, var: usize) -> TermId {
        match self.here.vars[var] {
            Some(slot) => self.var(span, slot),
            None => self.lit(span, Value::NOTHING),
        }
    }

    /// The state of the loop around this place; `next` if its pass is done.
    fn state(&mut self, span: Span, next: bool) -> TermId {
        let Some(around) = self.here.loops.last() else { return self.lit(span, Value::NOTHING) };
        let (own, carried) = (around.own.clone(), around.carried.clone());
        let mut values: Vec<TermId> = own.iter().map(|slot| self.var(span, *slot)).collect();
        if let (true, [_, counter]) = (next, values.as_slice()) {
            let one = self.lit(span, Value::int(1));
            values[1] = self.row(span, &prim::ADD, vec![*counter, one]);
        }
        for var in carried {
            values.push(self.value_of(span, var));
        }
        if values.is_empty() {
            values.push(self.lit(span, Value::NOTHING));
        }
        self.together(span, values)
    }

    /// Binds everything since `mark` around a term.
    #[inline(never)]
    fn wrap(&mut self, mark: usize, mut term: TermId) -> TermId {
        for (span, slots, value) in self.here.bound.split_off(mark).into_iter().rev() {
            term = self.add(span, Term::Let { slots, value, body: term });
        }
        term
    }

    /// A block that is a part of a statement: it has bindings of its own, and the variables are as before afterwards.
    fn branch(&mut self, block: &Block, end: &End<'_>) -> TermId {
        let (mark, vars, groups) = (self.here.bound.len(), self.here.vars.clone(), self.here.groups);
        let last = self.block(block, end, false);
        let term = self.wrap(mark, last);
        self.here.vars = vars;
        self.here.groups = groups;
        term
    }

    fn statement(&mut self, statement: &Statement, top: bool) -> Option<TermId> {
        let span = statement.span;
        match &statement.what {
            Do::Assign { place, op, value } => self.assign(span, place, *op, *value),
            Do::If { arms, other } => return self.choose(span, arms, other.as_ref()),
            Do::While { test, body } => self.while_loop(span, *test, body),
            Do::For { name, list, body } => self.for_loop(span, name, *list, body),
            Do::Group { title, body } => return self.group(span, *title, body, top),
            Do::Return(value) => return Some(self.result(span, *value, top)),
            Do::Break => return Some(self.leave_loop(span)),
            Do::Expr(node) => {
                let value = self.expr(*node);
                self.for_effect(span, value);
            }
            Do::Block(block) => return self.statements(&block.statements, top),
        }
        None
    }

    /// Something that is evaluated for what it does.
    #[inline(never)]
    fn for_effect(&mut self, span: Span, value: TermId) {
        let slot = self.slot("_");
        self.here.bound.push((span, vec![slot], value));
    }

    #[inline(never)]
    fn result(&mut self, span: Span, value: Option<NodeId>, top: bool) -> TermId {
        let value = match value {
            Some(value) => self.expr(value),
            None => self.lit(span, Value::NOTHING),
        };
        // Groups of blocks that are open here end with their call.
        if top && self.here.groups == 0 { value } else { self.add(span, Term::Leave { exit: Exit::Call, value }) }
    }

    #[inline(never)]
    fn leave_loop(&mut self, span: Span) -> TermId {
        let outside = self.here.loops.last().map_or(0, |around| around.groups);
        for _ in outside..self.here.groups {
            let exit = self.add(span, Term::Emit { event: Event::Exit, args: vec![] });
            self.for_effect(span, exit);
        }
        let value = self.state(span, false);
        self.add(span, Term::Leave { exit: Exit::Loop, value })
    }

    #[inline(never)]
    fn group(&mut self, span: Span, title: Option<NodeId>, body: &Block, top: bool) -> Option<TermId> {
        let title = match title {
            Some(title) => self.text(title),
            None => self.lit(span, Value::NOTHING),
        };
        let enter = self.add(span, Term::Emit { event: Event::Enter, args: vec![title] });
        self.for_effect(span, enter);
        self.here.groups += 1;
        let ended = self.statements(&body.statements, top);
        self.here.groups -= 1;
        if ended.is_none() {
            let exit = self.add(span, Term::Emit { event: Event::Exit, args: vec![] });
            self.for_effect(span, exit);
        }
        ended
    }

    /// A new value for a variable.
    fn set(&mut self, span: Span, var: usize, value: TermId) {
        let name = self.variable_name(var);
        let slot = self.slot(&name);
        self.here.bound.push((span, vec![slot], value));
        self.here.vars[var] = Some(slot);
    }

    fn variable_name(&self, var: usize) -> String {
        self.here.occurrences.name(var).to_owned()
    }

    #[inline(never)]
    fn assign(&mut self, span: Span, place: &Place, op: Option<Infix>, value: NodeId) {
        let Some(var) = self.here.occurrences.variable(&place.name) else { return };
        if place.steps.is_empty() {
            let given = match op {
                Some(op) => self.operated(span, |lowering| lowering.value_of(span, var), place, op, value),
                None => self.expr(value),
            };
            return self.set(span, var, given);
        }
        // Positions are evaluated once, from left to right, before the value.
        let steps: Vec<Part> = place.steps.iter().map(|step| self.part(step, place)).collect();
        let given = match op {
            Some(op) => self.operated(span, |lowering| lowering.read(span, var, &steps), place, op, value),
            None => self.expr(value),
        };
        let changed = self.replaced(span, var, &steps, given);
        self.set(span, var, changed);
    }

    /// `place op value`
    fn operated(
        &mut self,
        span: Span,
        read: impl FnOnce(&mut Self) -> TermId,
        place: &Place,
        op: Infix,
        value: NodeId,
    ) -> TermId {
        let left = read(self);
        let kind = self.place_kind(place);
        self.infix(span, op, (left, kind), value).0
    }

    /// A step with its position bound to a variable.
    fn part(&mut self, step: &Step, place: &Place) -> Part {
        match step {
            Step::Field(name) => Part::Field(self.field_number(place, name)),
            Step::Index(node) => {
                let value = self.expr(*node);
                let slot = self.slot("position");
                let span = self.span(*node);
                self.here.bound.push((span, vec![slot], value));
                Part::Index(slot)
            }
        }
    }

    fn step(&mut self, span: Span, of: TermId, part: &Part) -> TermId {
        match part {
            Part::Field(number) => {
                let number = self.lit(span, Value::int(*number as i64));
                self.row(span, &prim::FIELD, vec![number, of])
            }
            Part::Index(slot) => {
                let at = self.var(span, *slot);
                self.row(span, &prim::AT, vec![of, at])
            }
        }
    }

    fn read(&mut self, span: Span, var: usize, parts: &[Part]) -> TermId {
        let whole = self.value_of(span, var);
        parts.iter().fold(whole, |of, part| self.step(span, of, part))
    }

    /// The value of a variable with another value in one part of it.
    fn replaced(&mut self, span: Span, var: usize, parts: &[Part], value: TermId) -> TermId {
        let mut value = value;
        for (depth, part) in parts.iter().enumerate().rev() {
            let of = self.read(span, var, &parts[..depth]);
            value = match part {
                Part::Field(number) => {
                    let number = self.lit(span, Value::int(*number as i64));
                    self.row(span, &prim::WITH_FIELD, vec![number, of, value])
                }
                Part::Index(slot) => {
                    let at = self.var(span, *slot);
                    self.row(span, &prim::WITH_AT, vec![of, at, value])
                }
            };
        }
        value
    }

    /// The variables that a statement hands on: what it assigns and something later reads.
    fn handed_on(&self, span: Span) -> Vec<usize> {
        let Here { occurrences, loops, .. } = &self.here;
        let again = |var: usize| loops.last().is_some_and(|around| occurrences.before(var, around.span));
        let vars = occurrences.assigned(span).into_iter();
        vars.filter(|var| occurrences.after(*var, span) || again(*var)).collect()
    }

    /// The variables become new ones, which hold what a statement gives.
    #[inline(never)]
    fn bind_vars(&mut self, span: Span, vars: &[usize], value: TermId) {
        let mut slots = Vec::new();
        for var in vars {
            let name = self.variable_name(*var);
            let slot = self.slot(&name);
            slots.push(slot);
            self.here.vars[*var] = Some(slot);
        }
        if slots.is_empty() {
            return self.for_effect(span, value);
        }
        self.here.bound.push((span, slots, value));
    }

    #[inline(never)]
    fn choose(&mut self, span: Span, arms: &[(NodeId, Block)], other: Option<&Block>) -> Option<TermId> {
        let vars = self.handed_on(span);
        let end = if vars.is_empty() { End::Nothing } else { End::Vars(&vars) };
        let mut parts = Vec::new();
        for (test, block) in arms {
            let test = self.expr(*test);
            parts.push((test, self.branch(block, &end)));
        }
        let mut term = match other {
            Some(other) => self.branch(other, &end),
            None => self.end_of(span, &end),
        };
        for (test, then) in parts.into_iter().rev() {
            term = self.add(span, Term::If { fork: Fork::Branch, test, then, other: term });
        }
        let all = arms.iter().all(|(_, block)| leaves(block)) && other.is_some_and(leaves);
        if all {
            return Some(term);
        }
        self.bind_vars(span, &vars, term);
        None
    }

    /// The variables that a loop carries from pass to pass.
    fn carried(&self, span: Span, body: &Block) -> Vec<usize> {
        let occurrences = &self.here.occurrences;
        let vars = occurrences.assigned(body.span).into_iter();
        vars.filter(|var| occurrences.before(*var, span) || occurrences.after(*var, span)).collect()
    }

    #[inline(never)]
    fn while_loop(&mut self, span: Span, test: NodeId, body: &Block) {
        let carried = self.carried(span, body);
        let mut start: Vec<TermId> = carried.iter().map(|var| self.value_of(span, *var)).collect();
        if start.is_empty() {
            start.push(self.lit(span, Value::NOTHING));
        }
        let start = self.together(span, start);
        let around = Around { span, own: vec![], carried, groups: self.here.groups };
        self.passes(span, around, start, |lowering| lowering.expr(test), |lowering| lowering.branch(body, &End::State));
    }

    #[inline(never)]
    fn for_loop(&mut self, span: Span, name: &Name, list: NodeId, body: &Block) {
        let carried = self.carried(span, body);
        let all = self.expr(list);
        let zero = self.lit(span, Value::int(0));
        let mut start = vec![all, zero];
        start.extend(carried.iter().map(|var| self.value_of(span, *var)).collect::<Vec<_>>());
        let start = self.together(span, start);
        let (members, counter) = (self.slot("list"), self.slot(&format!("pass_of_{}", name.text)));
        let around = Around { span, own: vec![members, counter], carried, groups: self.here.groups };
        let test = |lowering: &mut Self| {
            let [list, at] = [members, counter].map(|slot| lowering.var(span, slot));
            let count = lowering.row(span, &prim::COUNT, vec![list]);
            lowering.compared(span, Compare::Less, at, count)
        };
        let pass = |lowering: &mut Self| {
            let mark = lowering.here.bound.len();
            let [list, at] = [members, counter].map(|slot| lowering.var(name.span, slot));
            let member = lowering.row(name.span, &prim::AT, vec![list, at]);
            if let Some(var) = lowering.here.occurrences.variable(name) {
                lowering.set(name.span, var, member);
            }
            let term = lowering.branch(body, &End::State);
            lowering.wrap(mark, term)
        };
        self.passes(span, around, start, test, pass);
    }

    /// A loop: its state is what it carries.
    fn passes(
        &mut self,
        span: Span,
        around: Around,
        start: TermId,
        test: impl FnOnce(&mut Self) -> TermId,
        body: impl FnOnce(&mut Self) -> TermId,
    ) {
        let before = self.here.vars.clone();
        let carried = around.carried.clone();
        let mut slots = around.own.clone();
        for var in &carried {
            let name = self.variable_name(*var);
            let slot = self.slot(&name);
            self.here.vars[*var] = Some(slot);
            slots.push(slot);
        }
        if slots.is_empty() {
            slots.push(self.slot("_"));
        }
        let own = around.own.len();
        self.here.loops.push(around);
        let test = test(self);
        let body = body(self);
        self.here.loops.pop();
        self.here.vars = before;
        let count = slots.len();
        let value = self.add(span, Term::Loop { slots, start, test, body });
        if own == 0 {
            return self.bind_vars(span, &carried, value);
        }
        // What only the loop needs is taken apart with the rest.
        let mut slots: Vec<Slot> = (0..own).map(|_| self.slot("_")).collect();
        for var in &carried {
            let name = self.variable_name(*var);
            let slot = self.slot(&name);
            self.here.vars[*var] = Some(slot);
            slots.push(slot);
        }
        debug_assert_eq!(slots.len(), count, "the state is taken apart as a whole");
        self.here.bound.push((span, slots, value));
    }

    /// The type of what is assigned to.
    fn place_kind(&self, place: &Place) -> Type {
        self.walk_place(place, place.steps.len())
    }

    /// The type after so many steps.
    fn walk_place(&self, place: &Place, steps: usize) -> Type {
        let Some(var) = self.here.occurrences.variable(&place.name) else { return Type::Unknown };
        let mut kind = self.here.occurrences.kind(var).clone();
        for step in &place.steps[..steps] {
            kind = match (step, &kind) {
                (Step::Field(name), Type::Record(record)) => match self.tables.field(*record, &name.key) {
                    Some(field) => self.tables.records[*record].fields[field].kind.clone(),
                    None => Type::Unknown,
                },
                (Step::Index(_), kind) => kind.member().unwrap_or(Type::Unknown),
                _ => Type::Unknown,
            };
        }
        kind
    }

    fn field_number(&self, place: &Place, name: &Name) -> usize {
        let same = |step: &Step| matches!(step, Step::Field(field) if field.span == name.span);
        let at = place.steps.iter().position(same).unwrap_or(0);
        match self.walk_place(place, at) {
            Type::Record(record) => self.tables.field(record, &name.key).unwrap_or(0),
            _ => 0,
        }
    }
}

/// A step into a value.
enum Part {
    Field(usize),
    Index(Slot),
}
