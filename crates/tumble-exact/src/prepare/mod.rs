//! A program prepared for counting.
//!
//! Before anything is computed, the terms are looked at as a whole and rewritten where that changes
//! the cost and nothing else:
//!
//! - `patterns`: a few spellings that people use become the one row they mean;
//! - `by_face`: what looks at each face of a roll by itself, which it cannot be watched through, is a stream of them;
//! - `watch`: `let x = t in body` where `body` looks at x only through chains of rows (`max x`,
//!   `count 7 < x`). The chains become variables of their own, and x is never listed: only the joint
//!   distribution of what the chains show is;
//! - `linear`: chains that are only used in one linear combination are one sum;
//! - `ahead`: bindings in a row that do not need all that is known around them are made a question of
//!   their own, whose answer is shared; what can be computed before is computed before;
//! - `named`: what goes through members where others look at the same roll becomes a binding;
//! - `totals`: long chains of additions become one;
//! - `loops`: variables of loops that are not wanted, or that only count;
//! - `endings`: functions that can return at all; `circles` and `around`: what is left to do after calls that lead back;
//! - `streams` and `peeling`: what goes through faces or members in order, one after the other;
//! - `facts`: *blind* terms (nothing can see the order of their members, so they may be multisets),
//!   *linear* bindings, *pure* terms (without chance), which `code` turns into straight code.

mod ahead;
mod around;
mod by_face;
mod circles;
mod code;
mod endings;
mod facts;
mod linear;
mod looks;
mod loops;
mod named;
mod ordered;
mod patterns;
mod peeling;
mod streams;
mod totals;
mod watch;
mod words;

use crate::map::{HashMap, HashSet};
use crate::question::Goal;
pub(crate) use around::Around;
pub(crate) use code::{Code, Op};
pub(crate) use looks::Way;
pub(crate) use peeling::{Peeling, Step};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
pub(crate) use streams::Stream;
use tumble_core::prim::{Prim, Sort};
use tumble_core::{FnId, Program, Slot, Span, Term, TermId};

/// The prepared program.
pub(crate) struct Plan {
    pub(crate) forms: Vec<Form>,
    pub(crate) spans: Vec<Span>,
    /// The variables each term needs from outside, in order.
    pub(crate) free: Vec<Vec<Slot>>,
    pub(crate) blind: Vec<bool>,
    /// Bindings whose variables are each looked at once at most, and not in a repetition.
    pub(crate) linear: Vec<bool>,
    /// Terms without chance.
    pub(crate) pure: Vec<bool>,
    /// Terms without chance and loops, also in the functions they call.
    pub(crate) certain: Vec<bool>,
    /// Variables that more than one of the terms inside a term look at, or one of them more than once.
    pub(crate) shared: Vec<Vec<Slot>>,
    /// Those of them that one call takes over, if what they hold is a hidden pool.
    pub(crate) passes: Vec<Vec<Slot>>,
    /// The variables that matter between the passes of a loop.
    pub(crate) looped: Vec<Vec<Slot>>,
    /// The functions that can return.
    pub(crate) returns: Vec<bool>,
    /// The pools that the arguments of a call at the end take parts of, and which of them the call takes over.
    pub(crate) call_lends: HashMap<TermId, (Vec<Slot>, Vec<Slot>)>,
    /// Terms that are the body of a function, and those with a stream, a peeling or work around a call.
    pub(crate) begins: Vec<bool>,
    pub(crate) special: Vec<bool>,
    /// By the loop: the only variable that is wanted of it, which is a sum over its passes.
    pub(crate) counters: HashMap<TermId, usize>,
    /// By the term that makes its value of what the call gives.
    pub(crate) around: HashMap<TermId, Rc<Around>>,
    /// The calls that lead back to their function and are not at its end.
    pub(crate) entered: HashSet<TermId>,
    /// By the term whose value they are.
    pub(crate) streams: HashMap<TermId, Rc<Stream>>,
    /// By the loop, or the body of the function.
    pub(crate) peelings: HashMap<TermId, Rc<Peeling>>,
    known_looks: RefCell<looks::Known>,
    known_ways: RefCell<looks::KnownWays>,
    known_orders: RefCell<HashMap<(TermId, Vec<Slot>), bool>>,
    codes: Vec<OnceCell<Rc<Code>>>,
    pub(crate) functions: Vec<Routine>,
    pub(crate) main: FnId,
}

/// A function of the prepared program.
pub(crate) struct Routine {
    pub(crate) params: Vec<Slot>,
    pub(crate) slots: usize,
    pub(crate) body: TermId,
}

/// A term, or a form that only the prepared program has.
pub(crate) enum Form {
    Core(Term),
    Watch(Watch),
    /// A value without chance that is computed ahead; an error waits until the value is used.
    Ahead {
        slot: Slot,
        value: TermId,
        body: TermId,
    },
    /// Several variables bound together to what `source`, which ends in a [`Form::Several`], gives.
    Joint {
        source: TermId,
        slots: Vec<Slot>,
        body: TermId,
    },
    /// The values of these variables; of one, its value.
    Several(Vec<Slot>),
    /// The sum of these numbers; some are taken away.
    Total(Vec<(bool, TermId)>),
}

/// What a form does next, if it only says that.
pub(crate) enum Control<'a> {
    Bind {
        slots: &'a [Slot],
        value: TermId,
        body: TermId,
    },
    Choose {
        test: TermId,
        then: TermId,
        other: TermId,
    },
    Ahead {
        slot: Slot,
        value: TermId,
        body: TermId,
    },
    Call {
        function: FnId,
        args: &'a [TermId],
    },
    /// Several variables at once: a watched or a joint binding.
    Joint,
    Loop,
    /// It is no control flow.
    None,
}

/// A binding whose value is only looked at through chains.
pub(crate) struct Watch {
    pub(crate) source: TermId,
    pub(crate) chains: Vec<Watched>,
    /// If the body sees nothing but a linear combination of the chains: that.
    pub(crate) total: Option<Total>,
    pub(crate) body: TermId,
}

/// A linear combination of the chains of a binding, kept in a variable.
pub(crate) struct Total {
    pub(crate) slot: Slot,
    /// What each chain is multiplied by, and what is added.
    pub(crate) factors: Vec<i64>,
    pub(crate) constant: i64,
    /// The same as a term over the variables of the chains.
    pub(crate) tree: TermId,
}

impl Watch {
    /// The variables that the body sees.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        match &self.total {
            Some(total) => vec![total.slot],
            None => self.chains.iter().map(|chain| chain.slot).collect(),
        }
    }
}

/// One chain: rows with their other arguments, then a goal, kept in a variable.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) slot: Slot,
    pub(crate) rows: Vec<(&'static Prim, Vec<TermId>)>,
    pub(crate) goal: Goal,
}

impl Watched {
    /// The arguments of all rows, in order, without the places for the collection.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = TermId> + '_ {
        let others = |(row, args): &'_ (&'static Prim, Vec<TermId>)| -> Vec<TermId> { others(row, args).collect() };
        self.rows.iter().flat_map(others)
    }
}

/// The arguments of a row that are not the collection its shape speaks of.
fn others<'a>(row: &'static Prim, args: &'a [TermId]) -> impl Iterator<Item = TermId> + 'a {
    args.iter().enumerate().filter(|(i, _)| *i != row.over).map(|(_, arg)| *arg)
}

impl Form {
    /// Visits the terms directly inside this one.
    pub(crate) fn children(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Form::Core(term) => term.children(visit),
            Form::Watch(watch) => {
                visit(watch.source);
                watch.chains.iter().flat_map(Watched::arguments).for_each(&mut visit);
                watch.total.iter().for_each(|total| visit(total.tree));
                visit(watch.body);
            }
            Form::Ahead { value, body, .. } => [value, body].into_iter().for_each(|&term| visit(term)),
            Form::Joint { source, body, .. } => [source, body].into_iter().for_each(|&term| visit(term)),
            Form::Several(_) => {}
            Form::Total(terms) => terms.iter().for_each(|(_, term)| visit(*term)),
        }
    }

    /// The variables this form binds, and the children that see them.
    fn binds(&self) -> (Vec<Slot>, Vec<TermId>) {
        match self {
            Form::Core(term) => {
                let (mut slots, mut children) = (vec![], vec![]);
                term.parts(|child, role| {
                    if !role.sees.is_empty() {
                        slots = role.sees.to_vec();
                        children.push(child);
                    }
                });
                (slots, children)
            }
            Form::Watch(Watch { chains, total, body, .. }) => {
                let slots = chains.iter().map(|chain| chain.slot).chain(total.iter().map(|total| total.slot));
                (slots.collect(), total.iter().map(|total| total.tree).chain([*body]).collect())
            }
            Form::Ahead { slot, body, .. } => (vec![*slot], vec![*body]),
            Form::Joint { slots, body, .. } => (slots.clone(), vec![*body]),
            Form::Several(_) | Form::Total(_) => (vec![], vec![]),
        }
    }

    /// What is done next.
    pub(crate) fn control(&self) -> Control<'_> {
        match self {
            Form::Core(term) => match term {
                Term::Let { slots, value, body } => Control::Bind { slots, value: *value, body: *body },
                Term::If { test, then, other, .. } => Control::Choose { test: *test, then: *then, other: *other },
                Term::Call { function, args } => Control::Call { function: *function, args },
                Term::Loop { .. } => Control::Loop,
                Term::Lit(_) | Term::Var(_) | Term::Prim { .. } | Term::Draw { .. } => Control::None,
                Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => Control::None,
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => Control::None,
            },
            Form::Ahead { slot, value, body } => Control::Ahead { slot: *slot, value: *value, body: *body },
            Form::Watch(_) | Form::Joint { .. } => Control::Joint,
            Form::Several(_) | Form::Total(_) => Control::None,
        }
    }

    /// Whether it only says what is evaluated next.
    pub(crate) fn is_control(&self) -> bool {
        match self {
            Form::Core(term) => matches!(term, Term::Let { .. } | Term::If { .. } | Term::Loop { .. }),
            Form::Watch(_) | Form::Ahead { .. } | Form::Joint { .. } => true,
            Form::Several(_) | Form::Total(_) => false,
        }
    }

    /// The value and the body of a plain or watched binding.
    fn binding(&self) -> Option<(TermId, TermId)> {
        match self {
            Form::Core(Term::Let { value, body, .. }) => Some((*value, *body)),
            Form::Watch(watch) => Some((watch.source, watch.body)),
            _ => None,
        }
    }
}

impl Plan {
    /// Prepares a program; `rewriting` turns everything on that changes only the cost.
    pub(crate) fn new(program: &Program, rewriting: bool) -> Plan {
        let mut plan = Plan {
            forms: program.nodes().iter().map(|node| Form::Core(node.term.clone())).collect(),
            spans: program.nodes().iter().map(|node| node.span).collect(),
            free: vec![],
            blind: vec![],
            linear: vec![],
            pure: vec![],
            certain: vec![],
            shared: vec![],
            passes: vec![],
            looped: vec![],
            returns: vec![],
            call_lends: HashMap::default(),
            begins: vec![],
            special: vec![],
            counters: HashMap::default(),
            around: HashMap::default(),
            entered: HashSet::default(),
            streams: HashMap::default(),
            peelings: HashMap::default(),
            known_looks: RefCell::default(),
            known_ways: RefCell::default(),
            known_orders: RefCell::default(),
            codes: vec![],
            functions: vec![],
            main: program.main(),
        };
        for function in program.functions() {
            let (params, slots, body) = (function.params.clone(), function.slots.len(), function.body);
            plan.functions.push(Routine { params, slots, body });
        }
        let binds = |form: &Form| matches!(form, Form::Core(Term::Let { .. } | Term::Call { .. }));
        if rewriting && plan.forms.iter().any(binds) {
            plan.rewrite();
        }
        if rewriting {
            plan.put_totals();
        }
        plan.find_facts();
        let repeats = |form: &Form| matches!(form, Form::Core(Term::Loop { .. }));
        if rewriting && cfg!(feature = "full") && plan.forms.iter().any(repeats) {
            plan.narrow_loops();
            plan.find_facts();
        }
        plan.certain = plan.certainty();
        plan.find_endings();
        if cfg!(feature = "full") {
            plan.find_around();
            plan.find_streams();
            plan.find_peelings();
        }
        plan.find_places();
        plan
    }

    /// What is asked of every place that a walk passes.
    fn find_places(&mut self) {
        let all = 0..self.forms.len();
        let special = |id: &TermId| {
            self.streams.contains_key(id) || self.peelings.contains_key(id) || self.around.contains_key(id)
        };
        self.special = all.clone().map(|id| special(&TermId::new(id))).collect();
        self.begins = vec![false; self.forms.len()];
        self.functions.iter().for_each(|routine| self.begins[routine.body.index()] = true);
        for id in all.map(TermId::new) {
            let Form::Core(Term::Call { args, .. }) = self.form(id) else { continue };
            let made = |arg: &&TermId| {
                let row = if let Form::Core(term) = self.form(**arg) { term.row() } else { None };
                row.is_some_and(|(row, _)| row.gives == Sort::Pool) && self.pure[arg.index()]
            };
            let (shared, passes) = (&self.shared[id.index()], &self.passes[id.index()]);
            let taken = args.iter().filter(made).flat_map(|arg| &self.free[arg.index()]);
            let taken: Vec<Slot> = taken.filter(|slot| !shared.contains(slot)).copied().collect();
            let all = shared.iter().chain(&taken).copied().collect();
            self.call_lends.insert(id, (all, passes.iter().chain(&taken).copied().collect()));
        }
    }

    fn rewrite(&mut self) {
        let tallies = self.put_patterns();
        self.find_facts();
        for function in 0..self.functions.len() {
            if cfg!(feature = "full") && self.put_faces(function) {
                self.find_facts();
            }
        }
        if self.goes_through_members() {
            (0..self.functions.len()).for_each(|function| self.look_once(function, &tallies));
            self.find_facts();
        }
        for function in 0..self.functions.len() {
            self.watch(function);
        }
        self.put_back(&tallies);
        self.put_linear();
        self.find_facts();
        for function in 0..self.functions.len() {
            self.look_ahead(function);
        }
        if cfg!(feature = "full") && self.goes_through_members() {
            self.find_facts();
            (0..self.functions.len()).for_each(|function| self.name_looks(function));
        }
    }

    fn goes_through_members(&self) -> bool {
        self.forms.iter().any(|form| matches!(form, Form::Core(Term::ForEach { .. })))
    }

    /// The form of a term.
    pub(crate) fn form(&self, id: TermId) -> &Form {
        &self.forms[id.index()]
    }

    /// The variable and the value of a binding of one variable.
    fn named(&self, id: TermId) -> Option<(Slot, TermId)> {
        let Form::Core(Term::Let { slots, value, .. }) = self.form(id) else { return None };
        let [slot] = slots.as_slice() else { return None };
        Some((*slot, *value))
    }

    /// Adds a term at the same place of the text as another.
    fn add(&mut self, form: Form, like: TermId) -> TermId {
        let id = TermId::new(self.forms.len());
        self.forms.push(form);
        self.spans.push(self.spans[like.index()]);
        id
    }

    /// Takes a form out of its place, which is then free for another.
    fn take(&mut self, id: TermId) -> Form {
        std::mem::replace(&mut self.forms[id.index()], Form::Several(vec![]))
    }

    /// A new variable of a function.
    fn slot(&mut self, function: usize) -> Slot {
        let slot = Slot(self.functions[function].slots as u32);
        self.functions[function].slots += 1;
        slot
    }

    /// All terms inside one, itself first.
    fn reachable(&self, root: TermId) -> Vec<TermId> {
        let (mut found, mut open) = (vec![], vec![root]);
        while let Some(id) = open.pop() {
            found.push(id);
            self.form(id).children(|child| open.push(child));
        }
        found
    }

    /// The term around each term.
    fn parents(&self) -> Vec<Option<TermId>> {
        let mut parents = vec![None; self.forms.len()];
        for routine in &self.functions {
            for id in self.reachable(routine.body) {
                self.form(id).children(|child| parents[child.index()] = Some(id));
            }
        }
        parents
    }

    /// The variables of a loop.
    pub(crate) fn loop_slots(&self, id: TermId) -> &[Slot] {
        if let Form::Core(Term::Loop { slots, .. }) = self.form(id) { slots } else { &[] }
    }

    /// The terms whose values so many variables take of a tuple, if a term makes it of them.
    pub(crate) fn fields_of(&self, id: TermId, width: usize) -> Option<&[TermId]> {
        match self.form(id) {
            Form::Core(Term::Prim { prim, args }) if prim.gives == Sort::Tuple && prim.takes == [Sort::Rest] => {
                (args.len() == width).then_some(args)
            }
            _ => None,
        }
    }

    /// The arguments of a row besides the collection it looks at.
    pub(crate) fn others(&self, id: TermId) -> Vec<TermId> {
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return vec![] };
        others(prim, args).collect()
    }

    /// The straight code of a pure term.
    pub(crate) fn code(&self, id: TermId) -> Rc<Code> {
        self.codes[id.index()].get_or_init(|| Rc::new(Code::of(self, id))).clone()
    }
}
