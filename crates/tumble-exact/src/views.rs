//! A program prepared for counting.
//!
//! Two things are found out before anything is computed:
//!
//! - *blind* terms: nothing can see the order of their members, so they may be multisets;
//! - *watched* bindings: `let x = t in body` where `body` looks at x only through chains of rows
//!   (`max x`, `count 7 < x`). The chains become variables of their own, and x is never listed: only
//!   the joint distribution of what the chains show is.

use crate::map::HashSet;
use crate::plan::Goal;
use tumble_core::prim::{self, Order, Prim, Shape};
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
    pub(crate) functions: Vec<Routine>,
    pub(crate) main: FnId,
}

/// A function of the prepared program.
pub(crate) struct Routine {
    pub(crate) params: Vec<Slot>,
    pub(crate) slots: usize,
    pub(crate) body: TermId,
}

/// A term, or a watched binding.
pub(crate) enum Form {
    Core(Term),
    Watch(Watch),
}

/// A binding whose value is only looked at through chains.
pub(crate) struct Watch {
    pub(crate) source: TermId,
    pub(crate) chains: Vec<Watched>,
    pub(crate) body: TermId,
}

/// One chain: rows with their other arguments, then a goal, kept in a variable.
pub(crate) struct Watched {
    pub(crate) slot: Slot,
    pub(crate) rows: Vec<(&'static Prim, Vec<TermId>)>,
    pub(crate) goal: Goal,
}

impl Watch {
    /// All arguments of all chains, in order.
    pub(crate) fn arguments(&self) -> Vec<TermId> {
        let rows = self.chains.iter().flat_map(|chain| &chain.rows);
        rows.flat_map(|(row, args)| args.iter().enumerate().filter(|(i, _)| *i != row.over).map(|(_, arg)| *arg))
            .collect()
    }
}

impl Form {
    /// Visits the terms directly inside this one.
    fn children(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Form::Core(term) => term.children(visit),
            Form::Watch(watch) => {
                visit(watch.source);
                watch.arguments().into_iter().for_each(&mut visit);
                visit(watch.body);
            }
        }
    }
}

impl Plan {
    /// Prepares a program; `watching` turns watched bindings on.
    pub(crate) fn new(program: &Program, watching: bool) -> Plan {
        let mut plan = Plan {
            forms: program.nodes().iter().map(|node| Form::Core(node.term.clone())).collect(),
            spans: program.nodes().iter().map(|node| node.span).collect(),
            free: vec![],
            blind: vec![],
            linear: vec![],
            functions: vec![],
            main: program.main(),
        };
        let mut parents = vec![None; plan.forms.len()];
        for id in program.ids() {
            program.term(id).children(|child| parents[child.index()] = Some(id));
        }
        for function in program.functions() {
            let mut routine =
                Routine { params: function.params.clone(), slots: function.slots.len(), body: function.body };
            if watching {
                plan.watch(&mut routine, &parents);
            }
            plan.functions.push(routine);
        }
        plan.free = plan.free_slots();
        plan.blind = plan.blindness(program);
        plan.linear = program.ids().map(|id| plan.is_linear(id)).collect();
        plan
    }

    /// Whether the variables of a binding are each looked at once at most, and not in a repetition.
    fn is_linear(&self, id: TermId) -> bool {
        let (slots, body) = match self.form(id) {
            Form::Core(Term::Let { slot, body, .. }) => (vec![*slot], *body),
            Form::Watch(watch) => (watch.chains.iter().map(|chain| chain.slot).collect(), watch.body),
            Form::Core(_) => return false,
        };
        let mut uses = 0;
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            match self.form(id) {
                Form::Core(Term::Var(slot)) if slots.contains(slot) => uses += 1,
                Form::Core(Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. })
                    if slots.iter().any(|slot| self.free[id.index()].contains(slot)) =>
                {
                    return false;
                }
                form => form.children(|child| open.push(child)),
            }
        }
        uses <= 1
    }

    /// The form of a term.
    pub(crate) fn form(&self, id: TermId) -> &Form {
        &self.forms[id.index()]
    }

    /// Turns the bindings of one function that can be watched into watched ones.
    fn watch(&mut self, routine: &mut Routine, parents: &[Option<TermId>]) {
        let inside = self.reachable(routine.body);
        let lets: Vec<(TermId, Slot)> = inside
            .iter()
            .filter_map(|&id| match self.form(id) {
                Form::Core(Term::Let { slot, .. }) => Some((id, *slot)),
                _ => None,
            })
            .collect();
        for (binding, slot) in lets {
            let uses = inside.iter().filter(|&&id| matches!(self.form(id), Form::Core(Term::Var(s)) if *s == slot));
            let Some(climbs) = uses.map(|&id| self.climb(id, binding, parents)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            if !climbs.is_empty() {
                self.replace(binding, climbs, routine);
            }
        }
    }

    /// The longest chain of rows from a use of the variable upward; none if it reduces nothing.
    fn climb(&self, from: TermId, binding: TermId, parents: &[Option<TermId>]) -> Option<(TermId, Watched)> {
        let mut chain = Watched { slot: Slot(0), rows: vec![], goal: Goal::Members };
        let mut here = from;
        let mut scans = false;
        while let Some(parent) = parents[here.index()].filter(|parent| *parent != binding) {
            let Form::Core(Term::Prim { prim, args }) = self.form(parent) else { break };
            let in_place = args.get(prim.over) == Some(&here);
            let others = args.iter().enumerate().filter(|(i, _)| *i != prim.over);
            if !in_place || !others.into_iter().all(|(_, arg)| self.fixed(*arg, parent, binding, parents)) {
                break;
            }
            match prim.shape {
                Shape::Filter | Shape::Forget => {}
                Shape::Scan(_) if **prim != prim::MEDIAN => scans = true,
                Shape::Fold(_) => {
                    chain.goal = Goal::Fold(prim);
                    return Some((parent, chain));
                }
                _ => break,
            }
            chain.rows.push((prim, args.clone()));
            here = parent;
        }
        scans.then_some((here, chain))
    }

    /// Whether an argument is the same wherever the chain stands: known, or bound outside.
    fn fixed(&self, arg: TermId, from: TermId, binding: TermId, parents: &[Option<TermId>]) -> bool {
        let slot = match self.form(arg) {
            Form::Core(Term::Lit(_)) => return true,
            Form::Core(Term::Var(slot)) => *slot,
            _ => return false,
        };
        let mut here = Some(from);
        while let Some(id) = here {
            let binds = match self.form(id) {
                Form::Core(term) => term.binds().is_some_and(|(bound, _)| bound == slot),
                Form::Watch(watch) => watch.chains.iter().any(|chain| chain.slot == slot),
            };
            if binds {
                return false;
            }
            if id == binding {
                return true;
            }
            here = parents[id.index()];
        }
        false
    }

    fn replace(&mut self, binding: TermId, climbs: Vec<(TermId, Watched)>, routine: &mut Routine) {
        let Form::Core(Term::Let { value, body, .. }) = self.form(binding) else { return };
        let (source, body) = (*value, *body);
        let mut chains = Vec::new();
        for (root, mut chain) in climbs {
            chain.slot = Slot(routine.slots as u32);
            routine.slots += 1;
            self.forms[root.index()] = Form::Core(Term::Var(chain.slot));
            chains.push(chain);
        }
        self.forms[binding.index()] = Form::Watch(Watch { source, chains, body });
    }

    fn reachable(&self, root: TermId) -> Vec<TermId> {
        let (mut found, mut open) = (vec![], vec![root]);
        while let Some(id) = open.pop() {
            found.push(id);
            self.form(id).children(|child| open.push(child));
        }
        found
    }

    fn free_slots(&self) -> Vec<Vec<Slot>> {
        let mut free: Vec<Vec<Slot>> = Vec::with_capacity(self.forms.len());
        for form in &self.forms {
            let mut slots: HashSet<Slot> = HashSet::default();
            match form {
                Form::Core(Term::Var(slot)) => drop(slots.insert(*slot)),
                Form::Core(term) => {
                    let binds = term.binds();
                    term.children(|child| {
                        let bound = binds.as_ref().filter(|(_, seen)| seen.contains(&child)).map(|(slot, _)| *slot);
                        slots.extend(free[child.index()].iter().filter(|slot| Some(**slot) != bound));
                    });
                }
                Form::Watch(watch) => {
                    let bound: HashSet<Slot> = watch.chains.iter().map(|chain| chain.slot).collect();
                    slots.extend(free[watch.body.index()].iter().filter(|slot| !bound.contains(slot)));
                    watch.arguments().iter().chain([&watch.source]).for_each(|arg| slots.extend(&free[arg.index()]));
                }
            }
            let mut slots: Vec<Slot> = slots.into_iter().collect();
            slots.sort();
            free.push(slots);
        }
        free
    }

    /// From the outside in: what a parent cannot see, its children need not keep.
    fn blindness(&self, program: &Program) -> Vec<bool> {
        let mut blind = vec![false; self.forms.len()];
        for id in program.ids().rev() {
            let own = blind[id.index()];
            let term = match &self.forms[id.index()] {
                Form::Core(term) => term,
                Form::Watch(watch) => {
                    let folds = |chain: &Watched| matches!(chain.goal, Goal::Fold(row) if row.order == Order::Blind);
                    blind[watch.source.index()] = watch.chains.iter().all(|chain| folds(chain) || sorts(chain));
                    blind[watch.body.index()] = own;
                    continue;
                }
            };
            match term {
                Term::Prim { prim, args } => {
                    for (i, arg) in args.iter().enumerate() {
                        blind[arg.index()] = match (prim.shape, prim.order) {
                            (Shape::Union, _) => own,
                            (_, Order::Blind) => i == prim.over,
                            (_, Order::Carries) => own && i == prim.over,
                            (_, Order::Sees) => false,
                        };
                    }
                }
                Term::Let { body, .. } | Term::Repeat { body, .. } | Term::ForEach { body, .. } => {
                    blind[body.index()] = own;
                    if let Term::ForEach { pool, .. } = term {
                        blind[pool.index()] = own;
                    }
                }
                Term::If { then, other, .. } => {
                    blind[then.index()] = own;
                    blind[other.index()] = own;
                }
                _ => {}
            }
        }
        blind
    }
}

/// Whether a chain sorts what it shows.
fn sorts(chain: &Watched) -> bool {
    chain.rows.iter().any(|(row, _)| matches!(row.shape, Shape::Forget))
}
