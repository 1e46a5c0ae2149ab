//! From a tree to the core: the meaning of Troll, as its sampling mode has it.
//!
//! Every expression becomes a term with a [`Kind`]: a `Num` is a bare number in the core, everything
//! else is canonical (a number is a collection of one, collections are sorted). The kinds of
//! parameters and results of functions depend on each other, so the whole program is lowered again
//! and again, each time with the kinds found so far, until a round finds nothing new; the terms of
//! that round are the program.
//!
//! A name that does not exist is a mistake only when it is needed, so it becomes a `fail` in its
//! place, and a warning unless that `fail` is certain to be reached.

mod call;
mod expr;
mod fail;
mod operator;

use super::kind::Kind;
use super::syntax::{NodeId, Tree};
use crate::build::{Build, bind, gather, one};
use crate::{Lowered, Vars};
use call::{Routine, Signature};
use std::collections::{BTreeMap, HashMap, HashSet};
use tumble_core::{Code, Diagnostic, Draft, FnId, Function, Slot, Span, TermId, prim};

/// How many terms all rounds together may make.
const MOST_TERMS: usize = 10_000_000;

/// How often the kinds of functions may be improved; three times is usual.
const MOST_ROUNDS: usize = 200;

/// Lowers a tree.
pub(super) fn lower<'a>(
    tree: &'a Tree,
    text: &'a str,
    vars: &'a Vars,
    names: &'a [&'a str],
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(tree, text, vars, names);
    let mut terms = 0;
    // Parameters are learned from the callers, results from the called, so rounds go both ways.
    for forth in [true, false].into_iter().cycle().take(MOST_ROUNDS) {
        let functions = lowering.round(forth);
        if !lowering.changed {
            return Ok(Lowered { warnings: lowering.warnings, ..Lowered::new(lowering.draft, functions) });
        }
        terms += lowering.draft.len();
        if terms > MOST_TERMS {
            break;
        }
    }
    let message = "these functions call each other in too many ways";
    Err(vec![Diagnostic::new(Code::Limit, tree.nodes.span(tree.main), message)])
}

/// What the rounds know, and the terms of this one.
struct Lowering<'a> {
    tree: &'a Tree,
    text: &'a str,
    vars: &'a Vars,
    /// Numbers that only the roll itself can see; they are its parameters.
    names: &'a [&'a str],
    /// Which declaration has a name: the first one.
    declared: HashMap<&'a str, usize>,
    /// What is known of the routines, from this round and the ones before.
    signatures: HashMap<Routine, Signature>,
    /// The routines that are called, in the order of their numbers; the main one is not among them.
    routines: Vec<Routine>,
    numbers: HashMap<Routine, FnId>,
    /// Whether this round learned anything.
    changed: bool,
    draft: Draft,
    warnings: Vec<Diagnostic>,
    /// What was warned of, to say it once.
    warned: HashSet<String>,
    frame: Frame<'a>,
}

/// The function that is being lowered.
#[derive(Default)]
struct Frame<'a> {
    /// Its name; none for the roll itself.
    name: Option<&'a str>,
    slots: Vec<String>,
    /// What each name means here; the last one counts.
    scope: HashMap<&'a str, Vec<Binding>>,
    /// The values from outside that were used, if they can be seen at all.
    outside: Option<BTreeMap<&'a str, Slot>>,
    /// Whether what is being lowered is evaluated in every roll.
    certain: bool,
}

#[derive(Clone, Copy)]
struct Binding {
    slot: Slot,
    kind: Kind,
}

/// A term, what it can be, and the expression it came from.
#[derive(Clone, Copy)]
struct Typed {
    term: TermId,
    kind: Kind,
    span: Span,
}

impl<'a> Lowering<'a> {
    fn new(tree: &'a Tree, text: &'a str, vars: &'a Vars, names: &'a [&'a str]) -> Lowering<'a> {
        let mut declared = HashMap::new();
        for (index, declaration) in tree.declarations.iter().enumerate() {
            declared.entry(declaration.name.as_str()).or_insert(index);
        }
        Lowering {
            tree,
            text,
            vars,
            names,
            declared,
            signatures: HashMap::new(),
            routines: Vec::new(),
            numbers: HashMap::new(),
            changed: false,
            draft: Draft::new(),
            warnings: Vec::new(),
            warned: HashSet::new(),
            frame: Frame::default(),
        }
    }

    /// Lowers everything, callers before the called or the other way round. The first round must go
    /// forth, because it finds out what is called at all.
    fn round(&mut self, forth: bool) -> Vec<Function> {
        self.changed = false;
        // A node becomes two terms or fewer, as a rule.
        self.draft = Draft::with_room(2 * self.tree.nodes.iter().len());
        self.warnings.clear();
        self.warned.clear();
        let main = self.main();
        let mut functions = Vec::new();
        if forth {
            while let Some(&routine) = self.routines.get(functions.len()) {
                functions.push(self.routine(routine));
            }
        } else {
            let backwards: Vec<Routine> = self.routines.iter().rev().copied().collect();
            functions = backwards.into_iter().map(|routine| self.routine(routine)).collect();
            functions.reverse();
        }
        functions.insert(0, main);
        functions
    }

    fn main(&mut self) -> Function {
        self.frame = Frame { outside: Some(BTreeMap::new()), certain: true, ..Frame::default() };
        let mut params = Vec::with_capacity(self.names.len());
        for name in self.names {
            let slot = self.slot(name);
            self.frame.scope.entry(name).or_default().push(Binding { slot, kind: Kind::Num });
            params.push(slot);
        }
        let main = self.tree.main;
        let span = self.tree.nodes.span(main);
        let mut body = self.expr(main).term;
        let used = self.frame.outside.take().unwrap_or_default();
        for (name, slot) in used.iter().rev() {
            let value = self.vars.get(*name).copied().unwrap_or_default();
            body = self.put(span, bind(*slot, value, body));
        }
        self.finish("roll", params, body)
    }

    fn finish(&mut self, name: &str, params: Vec<Slot>, body: TermId) -> Function {
        Function { name: name.to_owned(), params, slots: std::mem::take(&mut self.frame.slots), body }
    }

    /// A new variable.
    fn slot(&mut self, name: &str) -> Slot {
        self.frame.slots.push(name.to_owned());
        Slot(u32::try_from(self.frame.slots.len() - 1).unwrap_or(u32::MAX))
    }

    /// Lowers an expression in which `name` has a meaning.
    fn with<T>(&mut self, name: &'a str, binding: Binding, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.frame.scope.entry(name).or_default().push(binding);
        let done = lower(self);
        self.frame.scope.entry(name).or_default().pop();
        done
    }

    /// Lowers what not every roll evaluates.
    fn perhaps<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let certain = std::mem::replace(&mut self.frame.certain, false);
        let done = lower(self);
        self.frame.certain = certain;
        done
    }

    /// What a name means here.
    fn lookup(&mut self, name: &'a str) -> Option<Binding> {
        if let Some(binding) = self.frame.scope.get(name).and_then(|bindings| bindings.last()) {
            return Some(*binding);
        }
        if !self.vars.contains_key(name) {
            return None;
        }
        let known = self.frame.outside.as_ref()?.get(name).copied();
        let slot = known.unwrap_or_else(|| self.slot(name));
        self.frame.outside.as_mut()?.insert(name, slot);
        Some(Binding { slot, kind: Kind::Num })
    }

    fn span(&self, id: NodeId) -> Span {
        self.tree.nodes.span(id)
    }

    fn put(&mut self, span: Span, made: impl Build) -> TermId {
        made.put(&mut self.draft, span)
    }

    fn typed(&mut self, span: Span, kind: Kind, made: impl Build) -> Typed {
        Typed { term: self.put(span, made), kind, span }
    }

    /// The one number of a value.
    fn number(&mut self, typed: Typed) -> TermId {
        match typed.kind {
            Kind::Num | Kind::Bottom => typed.term,
            _ => match self.dice(typed.term) {
                Some(count) => self.not_one_number(typed, count),
                None => self.put(typed.span, one(&prim::ONLY, typed.term)),
            },
        }
    }

    /// The value in its canonical form; a row that needs a collection complains about the rest.
    fn canonical(&mut self, typed: Typed) -> TermId {
        match typed.kind {
            Kind::Num => self.put(typed.span, gather(typed.term)),
            _ => typed.term,
        }
    }

    /// The value as a collection, for forms that do not complain by themselves.
    fn collection(&mut self, typed: Typed) -> TermId {
        if typed.kind.is_collection() {
            return self.canonical(typed);
        }
        self.put(typed.span, one(&prim::BAG, typed.term))
    }

    /// The value in the form that `kind` has.
    fn fit(&mut self, typed: Typed, kind: Kind) -> TermId {
        if kind == Kind::Num { self.number(typed) } else { self.canonical(typed) }
    }

    /// The value as a text.
    fn text_of(&mut self, typed: Typed) -> TermId {
        match typed.kind {
            Kind::Text | Kind::Bottom => typed.term,
            _ => self.put(typed.span, one(&prim::TEXT, typed.term)),
        }
    }

    /// Whether the value has a member.
    fn test(&mut self, typed: Typed) -> TermId {
        let pool = self.canonical(typed);
        self.put(typed.span, one(&prim::SOME, pool))
    }
}
