//! Everything that can be known of a script before it runs: names, types, arguments, values on every way.
//!
//! Types are inferred in the order of the text: a variable has the type of its first assignment, a function gives what
//! its returns give. Functions are visited callees first, so that the result of a call is known; in a circle of calls
//! the returns without calls decide.

mod call;
mod declare;
mod endless;
mod expression;
mod flow;
mod names;
mod operator;
mod order;
mod rolls;
mod statement;

use super::problem::{Edit, Level, Problem, Problems, places};
use super::syntax::{Function, Name, NodeId, Tree};
use super::types::{Meaning, Tables, Type};
use flow::Flow;
use std::collections::{BTreeMap, HashMap, HashSet};
use tumble_core::Span;
use tumble_core::sort;

/// The place of what every script has.
const NOWHERE: Span = Span { start: usize::MAX, end: usize::MAX };

/// What is known of a script.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) tables: Tables,
    /// The types of expressions, by node.
    pub(super) types: Vec<Type>,
    /// What names and calls mean, by node.
    pub(super) meanings: Vec<Option<Meaning>>,
    /// The constants in an order in which each needs only those before it.
    pub(super) const_order: Vec<usize>,
    /// The variables of each function.
    pub(super) functions: Vec<Variables>,
}

/// The variables of a function.
#[derive(Debug, Default)]
pub(super) struct Variables {
    /// Their names and types.
    pub(super) all: Vec<(String, Type)>,
    /// Which variable a name that is assigned means, by where it is written.
    pub(super) places: HashMap<usize, usize>,
}

/// Checks a script.
pub(super) fn check<'t>(text: &'t str, tree: &'t Tree, problems: &mut Problems) -> Checked {
    let nodes = tree.nodes.iter().len();
    let known = Checked { types: vec![Type::Unknown; nodes], meanings: vec![None; nodes], ..Checked::default() };
    let mut checker = Checker {
        source: text,
        tree,
        known,
        problems,
        quiet: false,
        mistaken: false,
        spellings: BTreeMap::new(),
        read: HashSet::new(),
    };
    checker.declare();
    checker.infer();
    let all = (0..tree.functions.len()).map(|function| checker.function(function)).collect();
    checker.known.functions = all;
    checker.unread_fields();
    checker.other_spellings();
    checker.known
}

struct Checker<'t, 'p> {
    source: &'t str,
    tree: &'t Tree,
    known: Checked,
    problems: &'p mut Problems,
    /// Whether only types are wanted now.
    quiet: bool,
    /// Whether the function that is being checked has an error.
    mistaken: bool,
    /// Names that are written in another way than they are declared, by where that is: nowhere, for what every script has.
    spellings: BTreeMap<(Span, String), Vec<Edit>>,
    /// The fields that something reads.
    read: HashSet<(usize, usize)>,
}

/// What is being checked: a function with its variables, or a constant without.
struct Scope<'f> {
    /// Its number, unless it is a constant.
    function: Option<(usize, &'f Function)>,
    vars: Variables,
    /// The variables that have a name now.
    named: HashMap<String, usize>,
    /// Where each variable was named first.
    declared: Vec<Name>,
    flow: Flow,
    /// The places of its returns, with what they give.
    returns: Vec<(Span, Option<Type>)>,
    /// What every open loop knows of the breaks out of it.
    loops: Vec<Option<Flow>>,
}

impl Scope<'_> {
    fn none() -> Scope<'static> {
        Scope {
            function: None,
            vars: Variables::default(),
            named: HashMap::new(),
            declared: vec![],
            flow: Flow::default(),
            returns: vec![],
            loops: vec![],
        }
    }
}

impl<'t> Checker<'t, '_> {
    fn add(&mut self, problem: Problem) {
        if !self.quiet {
            self.mistaken |= problem.level == Level::Error;
            self.problems.add(problem);
        }
    }

    /// A name is used; it should be spelled as where it was declared.
    fn spelled(&mut self, declared: &str, at: Span, used: &Name) {
        if !self.quiet && declared != used.text && at != used.span {
            let edits = self.spellings.entry((at, declared.to_owned())).or_default();
            edits.push(Edit { span: used.span, text: declared.to_owned() });
        }
    }

    fn other_spellings(&mut self) {
        for ((_, declared), mut edits) in std::mem::take(&mut self.spellings) {
            sort::by_key(&mut edits, |edit| edit.span);
            edits.dedup();
            let message = |n| format!("`{declared}` is spelled differently{}", places(n));
            self.problems.merged(edits, message, &format!("write `{declared}`"));
        }
    }

    /// Finds what every function gives.
    fn infer(&mut self) {
        self.quiet = true;
        let order = self.callees_first();
        // In a circle of calls a result may become known only after another one.
        for _ in 0..order.len() {
            let mut changed = false;
            for function in &order {
                if self.known.tables.functions[*function].gives.is_some() {
                    continue;
                }
                let gives = self.result_of(*function);
                changed |= gives.is_some();
                self.known.tables.functions[*function].gives = gives;
            }
            if !changed {
                break;
            }
        }
        self.quiet = false;
    }

    /// What a function gives, as far as it is known now.
    fn result_of(&mut self, function: usize) -> Option<Type> {
        let scope = self.walk(function);
        let mut gives: Option<Type> = None;
        // A return without a value among others with one is a mistake, and decides nothing.
        for kind in scope.returns.iter().filter_map(|(_, kind)| kind.clone()) {
            gives = match gives {
                None | Some(Type::Unknown) => Some(kind),
                Some(before) => before.clone().join(kind).or(Some(before)),
            };
        }
        let gives = gives.unwrap_or(Type::Nothing);
        (gives != Type::Unknown).then_some(gives)
    }

    /// Checks a function.
    fn function(&mut self, function: usize) -> Variables {
        self.mistaken = false;
        let scope = self.walk(function);
        self.returns(&scope);
        scope.vars
    }

    fn walk(&mut self, number: usize) -> Scope<'t> {
        let function = &self.tree.functions[number];
        let mut scope = Scope { function: Some((number, function)), ..Scope::none() };
        for (at, param) in function.params.iter().enumerate() {
            let kind = self.known.tables.functions[number].params[at].kind.clone();
            self.bind(&mut scope, &param.name, kind);
        }
        self.block(&mut scope, &function.body);
        scope
    }

    /// Either every way through a function ends with a value, or none does.
    fn returns(&mut self, scope: &Scope<'_>) {
        let Some((number, function)) = scope.function else { return };
        let name = &function.name.text;
        let valued = scope.returns.iter().any(|(_, kind)| kind.is_some());
        let end = function.body.span.end;
        let stated = function.gives.is_some();
        if valued && !scope.flow.ended {
            let message = format!("`{name}` returns a value, but this path through it ends without one");
            let here = Span::new(end.saturating_sub(1), end);
            self.add(Problem::wrong_type(here, message).hint("end every path with `return` and a value"));
        }
        let gives = self.known.tables.functions[number].gives.clone();
        if !valued && stated && gives != Some(Type::Nothing) {
            let message = format!("`{name}` should return a value, but has no `return` with one");
            self.add(Problem::wrong_type(function.name.span, message));
        }
        if gives.is_none() && !self.mistaken && self.calls_itself(number) {
            let message = format!("can't tell what `{name}` returns: every `return` calls it again");
            self.add(Problem::wrong_type(function.name.span, message).hint("state it: `deffun f(x: int): int { … }`"));
        }
        for (span, kind) in &scope.returns {
            self.fitting_return(name, *span, kind.as_ref(), gives.as_ref(), valued || stated);
        }
    }

    fn fitting_return(&mut self, name: &str, span: Span, kind: Option<&Type>, gives: Option<&Type>, valued: bool) {
        match (kind, gives) {
            (None, _) if valued => {
                let message = format!("`{name}` returns a value elsewhere, but not here");
                self.add(Problem::wrong_type(span, message).hint("add a value: `return 0;`"));
            }
            (Some(kind), Some(gives)) if kind.is_not(gives) => {
                let [kind, gives] = [kind, gives].map(|kind| self.known.tables.name(kind));
                let message = format!("`{name}` returns {gives}, but here it returns {kind}");
                self.add(Problem::wrong_type(span, message));
            }
            _ => {}
        }
    }

    /// Fields that nothing reads.
    fn unread_fields(&mut self) {
        let mut found = Vec::new();
        for (number, record) in self.known.tables.records.iter().enumerate() {
            for (at, field) in record.fields.iter().enumerate() {
                let shown = super::types::same(&field.name, "name") && field.kind == Type::Text;
                if !shown && !self.read.contains(&(number, at)) {
                    let message = format!("nothing reads the field `{}` of `{}`", field.name, record.name);
                    found.push(Problem::error(tumble_core::Code::Name, field.span, message).warning());
                }
            }
        }
        found.into_iter().for_each(|problem| self.add(problem));
    }

    /// A field that a mistake names counts as read: the mistake is reported already.
    fn perhaps_read(&mut self, key: &str) {
        for (number, record) in self.known.tables.records.iter().enumerate() {
            self.read.extend(record.fields.iter().position(|field| field.key == key).map(|at| (number, at)));
        }
    }

    /// All fields of a type are read: it is compared, or it is a result.
    fn reads_all(&mut self, kind: &Type) {
        let mut todo = vec![kind.clone()];
        while let Some(kind) = todo.pop() {
            match kind {
                Type::List(member) => todo.push(*member),
                Type::Record(record) => {
                    for (at, field) in self.known.tables.records[record].fields.iter().enumerate() {
                        if self.read.insert((record, at)) {
                            todo.push(field.kind.clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, node: NodeId, kind: Type) -> Type {
        self.known.types[node.index()] = kind.clone();
        kind
    }

    fn means(&mut self, node: NodeId, meaning: Meaning) {
        self.known.meanings[node.index()] = Some(meaning);
    }

    /// A variable with this name; the place is where it is named first.
    fn bind(&mut self, scope: &mut Scope<'_>, name: &Name, kind: Type) -> usize {
        let var = scope.vars.all.len();
        scope.vars.all.push((name.text.clone(), kind));
        scope.vars.places.insert(name.span.start, var);
        scope.named.insert(name.key.clone(), var);
        scope.declared.push(name.clone());
        scope.flow.assign(var);
        if self.known.tables.constant(&name.key).is_some() {
            let message = format!("the variable `{}` hides the constant of that name", name.text);
            self.add(Problem::error(tumble_core::Code::Name, name.span, message).warning());
        }
        if self.known.tables.enumeration(&name.key).is_some() {
            let message = format!("the variable `{}` hides the enumeration of that name", name.text);
            self.add(Problem::error(tumble_core::Code::Name, name.span, message).warning());
        }
        var
    }
}
