//! From a checked script to core terms.
//!
//! ```text
//! x = e; rest             let x = e in rest                       every assignment makes a new variable
//! if (c) { x = 1; } rest  let x = if c then 1 else x in rest      what its blocks assign is its value
//! while (c) { … } rest    let s = loop(s = s, while c, …) in rest
//! for (x : xs) { … }      loop((xs, i, s) = (xs, 0, s), while i < count(xs), let x = at(xs, i) in …)
//! [e for (x : xs) if (c)] collect(each(x in xs, if c then list(e) else list()))
//! return v;               leave(call, v)                          break; leave(loop, s)
//! record                  tuple(fields…, tag)                     a member of an enumeration: tuple(number, name)
//! ```
//!
//! Each construct leaves the letters in the path that the language defines, and what is evaluated first is written first,
//! so the core's own rules give every roll its identity.

mod call;
mod expression;
mod fold;
mod scope;
mod statement;

use super::check::Checked;
use super::syntax::{Function, NodeId, Tree};
use super::types::{Tables, Type};
use scope::Occurrences;
use std::collections::HashMap;
use tumble_core::{
    Code, Diagnostic, Draft, FnId, Function as CoreFunction, Prim, Program, Slot, Span, Term, TermId, Value, check,
    prim,
};

/// The largest value that a field or constant may have, counted in values inside it, and how deep it may be.
const LARGEST: u64 = 100_000;
const DEEPEST: u32 = 60;

/// The program of a roll with these arguments.
pub(super) fn program(
    tree: &Tree,
    known: &Checked,
    entry: usize,
    args: Vec<Value>,
) -> Result<Program, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(tree, known, &known.tables);
    let main = lowering.entry(entry, args);
    let mut functions = vec![main];
    while let Some(next) = lowering.waiting.pop() {
        let function = lowering.function(next);
        let at = lowering.numbers[&next].0 as usize;
        if functions.len() <= at {
            functions.resize(at + 1, function.clone());
        }
        functions[at] = function;
    }
    check(lowering.draft, functions, FnId(0))
}

/// The values of constants, and of fields that are left out.
pub(super) fn values(tree: &Tree, known: &mut Checked) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for number in known.const_order.clone() {
        match constant(tree, known, tree.consts[number].value) {
            Ok(value) => known.tables.consts[number].value = value,
            Err(error) => found.push(error),
        }
    }
    defaults(tree, known, &mut found);
    for function in 0..known.tables.functions.len() {
        for at in 0..known.tables.functions[function].params.len() {
            let kind = known.tables.functions[function].params[at].kind.clone();
            known.tables.functions[function].params[at].default = known.tables.default_of(&kind);
        }
    }
    found
}

/// Records that hold records come after them.
fn defaults(tree: &Tree, known: &mut Checked, found: &mut Vec<Diagnostic>) {
    let count = known.tables.records.len();
    let mut done = vec![false; count];
    loop {
        let ready = |record: &usize| {
            let fields = &known.tables.records[*record].fields;
            !done[*record] && fields.iter().all(|field| !matches!(field.kind, Type::Record(inner) if !done[inner]))
        };
        let next: Vec<usize> = (0..count).filter(ready).collect();
        if next.is_empty() {
            return;
        }
        for record in next {
            done[record] = true;
            for at in 0..known.tables.records[record].fields.len() {
                let kind = known.tables.records[record].fields[at].kind.clone();
                let value = match tree.records[record].fields.get(at).and_then(|field| field.default) {
                    Some(node) => constant(tree, known, node),
                    None => Ok(known.tables.default_of(&kind)),
                };
                match value {
                    Ok(value) => known.tables.records[record].fields[at].default = value,
                    Err(error) => found.push(error),
                }
            }
            found.extend(too_large(&known.tables, record));
        }
    }
}

/// Records inside records can grow without bound.
fn too_large(tables: &Tables, record: usize) -> Option<Diagnostic> {
    let value = tables.default_of(&Type::Record(record));
    let name = &tables.records[record].name;
    let message = match (value.weight() > LARGEST, value.depth() > DEEPEST) {
        (true, _) => format!("a `{name}` has more than {LARGEST} fields, with all records inside it"),
        (_, true) => format!("a `{name}` has records inside records, more than {DEEPEST} deep"),
        _ => return None,
    };
    Some(Diagnostic::new(Code::Limit, tables.records[record].span, message))
}

fn constant(tree: &Tree, known: &Checked, node: NodeId) -> Result<Value, Diagnostic> {
    let mut lowering = Lowering::new(tree, known, &known.tables);
    let term = lowering.expr(node);
    fold::value(&lowering.draft, term)
}

/// Where terms are put together.
struct Lowering<'s> {
    tree: &'s Tree,
    known: &'s Checked,
    tables: &'s Tables,
    draft: Draft,
    /// The functions that are called, with their numbers.
    numbers: HashMap<usize, FnId>,
    /// Those that still have to be lowered.
    waiting: Vec<usize>,
    /// The function that is being lowered.
    here: Here,
}

/// What is known inside a function.
#[derive(Default)]
struct Here {
    slots: Vec<String>,
    /// What holds the value of each variable now.
    vars: Vec<Option<Slot>>,
    /// Values that are bound for all that follows.
    bound: Vec<(Span, Vec<Slot>, TermId)>,
    loops: Vec<Around>,
    /// How many groups in blocks are open.
    groups: usize,
    /// Where variables occur.
    occurrences: Occurrences,
}

/// A loop around a place.
struct Around {
    span: Span,
    /// Variables of its own that come first in its state.
    own: Vec<Slot>,
    /// The script's variables that it carries.
    carried: Vec<usize>,
    /// How many groups were open outside.
    groups: usize,
}

impl<'s> Lowering<'s> {
    fn new(tree: &'s Tree, known: &'s Checked, tables: &'s Tables) -> Lowering<'s> {
        let (numbers, waiting) = (HashMap::new(), vec![]);
        Lowering { tree, known, tables, draft: Draft::new(), numbers, waiting, here: Here::default() }
    }

    /// The roll itself: the arguments are known.
    fn entry(&mut self, number: usize, args: Vec<Value>) -> CoreFunction {
        let function = &self.tree.functions[number];
        let params = self.begin(number, function);
        let span = function.name.span;
        for (slot, value) in params.into_iter().zip(args) {
            let value = self.draft.lit(span, value);
            self.here.bound.push((span, vec![slot], value));
        }
        let body = self.body(function);
        CoreFunction { name: function.name.text.clone(), params: vec![], slots: self.end(), body }
    }

    fn function(&mut self, number: usize) -> CoreFunction {
        let function = &self.tree.functions[number];
        let params = self.begin(number, function);
        let body = self.body(function);
        CoreFunction { name: function.name.text.clone(), params, slots: self.end(), body }
    }

    /// Begins a function; the answer is what holds its parameters.
    fn begin(&mut self, number: usize, function: &Function) -> Vec<Slot> {
        let vars = &self.known.functions[number];
        self.here = Here {
            vars: vec![None; vars.all.len()],
            occurrences: Occurrences::new(self.tree, self.known, number),
            ..Here::default()
        };
        let mut params = Vec::new();
        for (var, param) in function.params.iter().enumerate() {
            let slot = self.slot(&param.name.text);
            self.here.vars[var] = Some(slot);
            params.push(slot);
        }
        params
    }

    fn end(&mut self) -> Vec<String> {
        std::mem::take(&mut self.here.slots)
    }

    /// The number of a function that is called.
    fn called(&mut self, function: usize) -> FnId {
        let next = FnId(self.numbers.len() as u32 + 1);
        if let Some(known) = self.numbers.get(&function) {
            return *known;
        }
        self.numbers.insert(function, next);
        self.waiting.push(function);
        next
    }

    /// A new variable of the core.
    fn slot(&mut self, name: &str) -> Slot {
        self.here.slots.push(name.to_owned());
        Slot(self.here.slots.len() as u32 - 1)
    }

    fn span(&self, node: NodeId) -> Span {
        self.tree.nodes.span(node)
    }

    fn kind(&self, node: NodeId) -> &'s Type {
        &self.known.types[node.index()]
    }

    fn add(&mut self, span: Span, term: Term) -> TermId {
        self.draft.add(span, term)
    }

    fn row(&mut self, span: Span, row: &'static Prim, args: Vec<TermId>) -> TermId {
        self.draft.prim(span, row, args)
    }

    fn lit(&mut self, span: Span, value: Value) -> TermId {
        self.draft.lit(span, value)
    }

    fn var(&mut self, span: Span, slot: Slot) -> TermId {
        self.add(span, Term::Var(slot))
    }

    /// One value as it is, several as a tuple.
    fn together(&mut self, span: Span, mut values: Vec<TermId>) -> TermId {
        if values.len() == 1 { values.remove(0) } else { self.row(span, &prim::TUPLE, values) }
    }
}
