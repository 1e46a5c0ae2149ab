//! From a draft to a program: the only way to make one.
//!
//! Checked here, once, so that no evaluator has a branch for it: every term has one parent, every
//! variable stands inside its binder, every primitive and function gets as many arguments as it
//! takes, every weight is positive.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::play::Exit;
use crate::term::{Draft, Faces, FnId, Function, Node, Slot, Term, TermId, Times};

/// A checked program: the main function and the functions it may call.
#[derive(Clone, Debug)]
pub struct Program {
    nodes: Vec<Node>,
    functions: Vec<Function>,
    main: FnId,
}

impl Program {
    /// A term with its place.
    pub fn node(&self, id: TermId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A term.
    pub fn term(&self, id: TermId) -> &Term {
        &self.nodes[id.index()].term
    }

    /// The place of a term.
    pub fn span(&self, id: TermId) -> Span {
        self.nodes[id.index()].span
    }

    /// A function.
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.index()]
    }

    /// All functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function without parameters that is the whole roll.
    pub fn main(&self) -> FnId {
        self.main
    }

    /// The numbers of all terms; a term comes after the terms inside it.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        (0..self.nodes.len() as u32).map(TermId)
    }

    /// All terms, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// Checks a draft. `functions[main]` is the roll itself and has no parameters.
pub fn check(draft: Draft, functions: Vec<Function>, main: FnId) -> Result<Program, Vec<Diagnostic>> {
    let mut checker =
        Checker { draft: &draft, functions: &functions, seen: vec![false; draft.nodes.len()], found: vec![] };
    match functions.get(main.index()) {
        Some(function) if function.params.is_empty() => {}
        _ => checker.wrong(Span::default(), "the roll itself must be a function without parameters"),
    }
    for function in &functions {
        checker.function(function);
    }
    if checker.found.is_empty() { Ok(Program { nodes: draft.nodes, functions, main }) } else { Err(checker.found) }
}

struct Checker<'a> {
    draft: &'a Draft,
    functions: &'a [Function],
    seen: Vec<bool>,
    found: Vec<Diagnostic>,
}

/// Room for the walk; there is more for who needs it.
const USUAL_DEPTH: usize = 16;

/// A step of the walk; the walk keeps its own stack.
enum Walk {
    Enter(TermId),
    Bind(Slot),
    Unbind(Slot),
    /// A part that can leave its `Loop` begins, or ends.
    Loop(bool),
}

impl Checker<'_> {
    fn wrong(&mut self, span: Span, message: &str) {
        self.found.push(Diagnostic::new(Code::Type, span, message));
    }

    fn function(&mut self, function: &Function) {
        let mut bound = vec![false; function.slots.len()];
        for param in &function.params {
            match bound.get_mut(param.index()) {
                Some(place) if !*place => *place = true,
                _ => self.wrong(Span::default(), "a parameter has no place of its own"),
            }
        }
        let mut loops = 0usize;
        let mut walk = Vec::with_capacity(USUAL_DEPTH);
        walk.push(Walk::Enter(function.body));
        while let Some(step) = walk.pop() {
            match step {
                Walk::Enter(id) => self.enter(id, &bound, loops, &mut walk),
                Walk::Loop(begins) => loops = if begins { loops + 1 } else { loops.saturating_sub(1) },
                Walk::Bind(slot) => self.bind(slot, &mut bound),
                Walk::Unbind(slot) => bound[slot.index()] = false,
            }
        }
    }

    fn bind(&mut self, slot: Slot, bound: &mut Vec<bool>) {
        if slot.index() >= bound.len() {
            self.wrong(Span::default(), "a variable has no place in its function");
            bound.resize(slot.index() + 1, false);
        }
        if std::mem::replace(&mut bound[slot.index()], true) {
            self.wrong(Span::default(), "two variables share a place");
        }
    }

    fn enter(&mut self, id: TermId, bound: &[bool], loops: usize, walk: &mut Vec<Walk>) {
        let Some(node) = self.draft.nodes.get(id.index()) else {
            return self.wrong(Span::default(), "a term is missing");
        };
        if std::mem::replace(&mut self.seen[id.index()], true) {
            return self.wrong(node.span, "a term stands in two places");
        }
        self.arity(node, bound);
        if loops == 0 && matches!(node.term, Term::Leave { exit: Exit::Loop, .. }) {
            self.wrong(node.span, "there is no loop to leave");
        }
        let first = walk.len();
        let again = matches!(node.term, Term::Loop { .. });
        node.term.parts(|child, role| {
            let inside = again && role.times == Times::Again;
            walk.extend(role.sees.iter().map(|slot| Walk::Bind(*slot)));
            walk.extend(inside.then_some(Walk::Loop(true)));
            walk.push(Walk::Enter(child));
            walk.extend(inside.then_some(Walk::Loop(false)));
            walk.extend(role.sees.iter().map(|slot| Walk::Unbind(*slot)));
        });
        // What comes first is taken first.
        walk[first..].reverse();
    }

    fn arity(&mut self, node: &Node, bound: &[bool]) {
        match &node.term {
            Term::Var(slot) => {
                if !bound.get(slot.index()).copied().unwrap_or(false) {
                    self.wrong(node.span, "a variable is used outside its binding");
                }
            }
            Term::Let { slots, .. } | Term::Loop { slots, .. } => {
                if slots.is_empty() {
                    self.wrong(node.span, "a binding has no variable");
                }
            }
            Term::Prim { prim, args } => {
                if !prim.accepts(args.len()) {
                    self.wrong(node.span, &format!("`{}` does not take {} arguments", prim.name, args.len()));
                }
            }
            Term::Call { function, args } => match self.functions.get(function.index()) {
                Some(callee) if callee.params.len() == args.len() => {}
                _ => self.wrong(node.span, "a call does not fit its function"),
            },
            Term::Draw { faces } => self.weights(node.span, faces),
            Term::Ask { question, args } => self.takes(node.span, question.takes(), args),
            Term::Emit { event, args } => self.takes(node.span, event.takes(), args),
            Term::Throw { throw, args } => self.takes(node.span, throw.takes(), args),
            Term::Leave { .. } => {}
            Term::Lit(_) | Term::If { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => {}
        }
    }

    fn takes(&mut self, span: Span, wanted: usize, args: &[TermId]) {
        if args.len() != wanted {
            self.wrong(span, &format!("{wanted} values are needed here, not {}", args.len()));
        }
    }

    fn weights(&mut self, span: Span, faces: &Faces) {
        let Faces::Weighted(faces) = faces else { return };
        let total = faces.iter().try_fold(0u64, |sum, (_, weight)| sum.checked_add(*weight));
        if total.is_none_or(|total| total == 0) || faces.iter().any(|(_, weight)| *weight == 0) {
            self.wrong(span, "the weights of a die must be positive and their sum below 2^64");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim;
    use crate::value::Value;

    fn main(slots: usize, body: TermId) -> Vec<Function> {
        vec![Function { name: "roll".into(), params: vec![], slots: vec!["x".into(); slots], body }]
    }

    #[test]
    fn a_variable_outside_its_binding_is_refused() {
        let mut draft = Draft::new();
        let var = draft.add(Span::new(2, 3), Term::Var(Slot(0)));
        let found = check(draft, main(1, var), FnId(0)).unwrap_err();
        assert_eq!(found[0].span, Span::new(2, 3));
    }

    #[test]
    fn a_term_in_two_places_is_refused() {
        let mut draft = Draft::new();
        let one = draft.lit(Span::default(), Value::int(1));
        let sum = draft.prim(Span::default(), &prim::ADD, vec![one, one]);
        assert!(check(draft, main(0, sum), FnId(0)).is_err());
    }

    #[test]
    fn a_binding_has_variables_of_its_own() {
        for (slots, fine) in [(vec![], false), (vec![Slot(0), Slot(0)], false), (vec![Slot(0), Slot(1)], true)] {
            let [binding, carrying] = [true, false].map(|once| {
                let mut draft = Draft::new();
                let [value, test, body] = [(); 3].map(|()| draft.lit(Span::default(), Value::int(1)));
                let slots = slots.clone();
                let term = match once {
                    true => Term::Let { slots, value, body },
                    false => Term::Loop { slots, start: value, test, body },
                };
                let body = draft.add(Span::default(), term);
                check(draft, main(2, body), FnId(0)).is_ok()
            });
            assert_eq!([binding, carrying], [fine; 2], "{slots:?}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        let mut draft = Draft::new();
        let one = draft.lit(Span::default(), Value::int(1));
        let sum = draft.prim(Span::default(), &prim::ADD, vec![one]);
        assert!(check(draft, main(0, sum), FnId(0)).is_err());
    }
}
