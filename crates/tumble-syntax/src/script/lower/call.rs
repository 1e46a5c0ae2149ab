//! Calls: functions of the script and built-ins.

use super::super::builtin::Builtin;
use super::super::syntax::{Expr, NodeId};
use super::super::types::{Meaning, Type};
use super::Lowering;
use tumble_core::{Event, Prim, Question, Span, Tag, Term, TermId, Throw, Value, prim};

impl Lowering<'_> {
    #[inline(never)]
    pub(super) fn call(&mut self, node: NodeId, args: &[NodeId]) -> TermId {
        let span = self.span(node);
        match &self.known.meanings[node.index()] {
            Some(Meaning::Function(function)) => {
                let args = args.iter().map(|arg| self.expr(*arg)).collect();
                let function = self.called(*function);
                self.add(span, Term::Call { function, args })
            }
            Some(Meaning::Builtin(row)) => self.builtin(span, row, args),
            _ => self.lit(span, Value::NOTHING),
        }
    }

    /// What a built-in is in the core.
    fn builtin(&mut self, span: Span, row: &Builtin, args: &[NodeId]) -> TermId {
        match (row.name, args) {
            ("roll", _) => self.throw(span, Throw::Total, args),
            ("dice", _) => self.throw(span, Throw::Dice, args),
            ("d", _) => self.throw(span, Throw::Plain, args),
            ("reroll", _) => self.throw(span, Throw::Again, args),
            ("max" | "min", _) => self.best(span, row.name == "max", args),
            ("text", [value]) => self.text(*value),
            ("range", [count]) => self.range(span, *count),
            ("count" | "contains", [list, value]) => self.found(span, row.name == "count", *list, *value),
            ("userOption", _) => self.ask(span, Question::Option, args, 1),
            ("userChoice", _) => self.ask(span, Question::Choice, args, 2),
            ("userNumber", _) => self.ask(span, Question::Number, args, 4),
            ("userSelect", _) => self.ask(span, Question::Select, args, 2),
            ("output", _) => self.output(span, args),
            ("startGroup", _) => self.start_group(span, args),
            ("endGroup", _) => self.add(span, Term::Emit { event: Event::Close, args: vec![] }),
            ("change", [record, field, amount]) => self.change(span, *record, *field, *amount),
            (name, _) => self.plain(span, name, args),
        }
    }

    /// A built-in that is a row of the core.
    fn plain(&mut self, span: Span, name: &str, args: &[NodeId]) -> TermId {
        let row: &'static Prim = match name {
            "sum" => &prim::SUM,
            "length" => &prim::COUNT,
            "sort" => &prim::BAG,
            "reverse" => &prim::REVERSE,
            "abs" => &prim::ABS,
            "highest" => &prim::LARGEST,
            "lowest" => &prim::LEAST,
            _ => return self.lit(span, Value::NOTHING),
        };
        let args = args.iter().map(|arg| self.expr(*arg)).collect();
        self.row(span, row, args)
    }

    fn throw(&mut self, span: Span, throw: Throw, args: &[NodeId]) -> TermId {
        let args = args.iter().map(|arg| self.expr(*arg)).collect();
        self.add(span, Term::Throw { throw, args })
    }

    /// The largest or smallest of several numbers, or of a list, which must not be empty.
    fn best(&mut self, span: Span, largest: bool, args: &[NodeId]) -> TermId {
        let one = self.lit(span, Value::int(1));
        let values: Vec<TermId> = args.iter().map(|arg| self.expr(*arg)).collect();
        let pool = if let [list] = values.as_slice() { *list } else { self.row(span, &prim::GATHER, values) };
        let row = if largest { &prim::LARGEST } else { &prim::LEAST };
        let kept = self.row(span, row, vec![one, pool]);
        self.row(span, &prim::ONLY, vec![kept])
    }

    /// 0, 1, … so many of them.
    fn range(&mut self, span: Span, count: NodeId) -> TermId {
        let (zero, one) = (self.lit(span, Value::int(0)), self.lit(span, Value::int(1)));
        let count = self.expr(count);
        let last = self.row(span, &prim::SUB, vec![count, one]);
        self.row(span, &prim::RANGE, vec![zero, last])
    }

    /// How many members of a list equal a value, or whether any does.
    fn found(&mut self, span: Span, count: bool, list: NodeId, value: NodeId) -> TermId {
        let (list, value) = (self.expr(list), self.expr(value));
        // A row for numbers takes the number first, which must not change the order of evaluation.
        let simple = matches!(self.draft.node(value).term, Term::Lit(_) | Term::Var(_));
        let numbers = matches!(self.draft.node(value).term.lit().map(|value| value.as_int()), Some(Some(_)));
        let found = if simple && numbers {
            self.row(span, &prim::EQUAL, vec![value, list])
        } else {
            let one = self.row(span, &prim::LIST, vec![value]);
            self.row(span, &prim::AMONG, vec![list, one])
        };
        self.row(span, if count { &prim::COUNT } else { &prim::SOME }, vec![found])
    }

    /// A question; the owner comes before `own` arguments, or is whoever started the roll.
    fn ask(&mut self, span: Span, question: Question, args: &[NodeId], own: usize) -> TermId {
        let owner = (args.len() > own).then(|| args[0]);
        let own = &args[args.len() - own..];
        let (mut all, bound) = self.owner(span, owner);
        all.push(self.text(own[0]));
        for arg in &own[1..] {
            let value = self.expr(*arg);
            let listed = matches!(question, Question::Choice | Question::Select);
            all.push(if listed { self.row(span, &prim::WRITTEN_EACH, vec![value]) } else { value });
        }
        let form = self.form(own[0]).map_or(Value::NOTHING, |form| Value::text(&form));
        all.push(self.lit(span, form));
        let ask = self.add(span, Term::Ask { question, args: all });
        self.around(span, bound, ask)
    }

    /// The fixed parts of a text that is joined, with `…` for the others; none if nothing or all of it is fixed.
    fn form(&self, node: NodeId) -> Option<String> {
        let Expr::Chain { first, rest } = self.tree.nodes.expr(node) else { return None };
        let (mut form, mut fixed) = (String::new(), false);
        for node in std::iter::once(first).chain(rest.iter().map(|(_, node)| node)) {
            match self.tree.nodes.expr(*node) {
                Expr::Text(text) => {
                    form.push_str(text);
                    fixed |= !text.is_empty();
                }
                _ if form.ends_with('…') => {}
                _ => form.push('…'),
            }
        }
        fixed.then_some(form)
    }

    /// The name and identity of an owner, and what has to be bound for them.
    fn owner(&mut self, span: Span, owner: Option<NodeId>) -> (Vec<TermId>, Option<(tumble_core::Slot, TermId)>) {
        let Some((node, Type::Record(record))) = owner.map(|owner| (owner, self.kind(owner).clone())) else {
            let nobody = self.lit(span, Value::NOTHING);
            return (vec![nobody, self.draft.lit(span, tumble_core::Data::Tag(Tag::default()).into())], None);
        };
        let (slot, value) = (self.slot("owner"), self.expr(node));
        let fields = &self.tables.records[record].fields;
        let named = self.tables.field(record, "name").filter(|field| fields[*field].kind == Type::Text);
        let mut part = |at: usize| {
            let (number, of) = (self.lit(span, Value::int(at as i64)), self.var(span, slot));
            self.row(span, &prim::FIELD, vec![number, of])
        };
        let tag = part(fields.len());
        let name = named.map(part);
        let name = name.unwrap_or_else(|| self.lit(span, Value::NOTHING));
        (vec![name, tag], Some((slot, value)))
    }

    fn around(&mut self, span: Span, bound: Option<(tumble_core::Slot, TermId)>, body: TermId) -> TermId {
        match bound {
            Some((slot, value)) => self.add(span, Term::Let { slots: vec![slot], value, body }),
            None => body,
        }
    }

    fn output(&mut self, span: Span, args: &[NodeId]) -> TermId {
        let line = self.text(args[0]);
        let style = match args.get(1) {
            Some(style) => self.expr(*style),
            None => self.lit(span, Value::text("")),
        };
        self.add(span, Term::Emit { event: Event::Line, args: vec![line, style] })
    }

    fn start_group(&mut self, span: Span, args: &[NodeId]) -> TermId {
        let title = match args.first() {
            Some(title) => self.text(*title),
            None => self.lit(span, Value::NOTHING),
        };
        self.add(span, Term::Emit { event: Event::Open, args: vec![title] })
    }

    fn change(&mut self, span: Span, record: NodeId, field: NodeId, amount: NodeId) -> TermId {
        let (mut args, bound) = self.owner(span, Some(record));
        let name = match (self.tree.nodes.expr(field), self.kind(record)) {
            (Expr::Text(text), Type::Record(record)) => {
                let declared = self.tables.field(*record, &text.to_lowercase());
                declared.map_or(text.clone(), |at| self.tables.records[*record].fields[at].name.clone())
            }
            _ => String::new(),
        };
        args.push(self.lit(span, Value::text(&name)));
        args.push(self.expr(amount));
        let emit = self.add(span, Term::Emit { event: Event::Change, args });
        self.around(span, bound, emit)
    }
}
