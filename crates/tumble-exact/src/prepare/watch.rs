//! Bindings that are only looked at through chains of rows.
//!
//! From every use of the variable one climbs as long as rows with a shape stand around it. If every
//! climb ends in a fold or leaves few members, the ends become variables. Inner bindings come first: a
//! chain that is itself the value of a watched binding goes on through the chains of that binding, so
//! `x := 5d6; c := largest 3 x; [sum c, max c]` only looks at x.

use super::{Form, Plan, Watch, Watched, others};
use crate::question::Goal;
use tumble_core::prim::{self, Order, Prim, Shape};
use tumble_core::{Slot, Term, TermId};

/// Where a climb ends.
enum Climbed {
    /// At this term, which becomes a variable.
    At(TermId, Watched),
    /// It is the value of this watched binding, after these rows.
    Into(TermId, Vec<(&'static Prim, Vec<TermId>)>),
}

impl Climbed {
    /// Whether rows on dice in parts answer it as well.
    fn is_plain(&self) -> bool {
        match self {
            Climbed::At(_, chain) => chain.rows.iter().all(|(row, _)| **row != prim::TALLY),
            Climbed::Into(..) => false,
        }
    }
}

impl Plan {
    /// Turns the bindings of one function that can be watched into watched ones.
    pub(super) fn watch(&mut self, function: usize) {
        let mut parents = self.parents();
        let mut lets: Vec<(TermId, Slot, TermId)> = self
            .reachable(self.functions[function].body)
            .into_iter()
            .rev()
            .filter_map(|id| self.named(id).map(|(slot, value)| (id, slot, value)))
            .collect();
        // Without chance in it, a value is worth watching only if it is made of one that is rolled.
        let rolled: Vec<Slot> =
            lets.iter().filter(|(.., value)| !self.pure[value.index()]).map(|(_, slot, _)| *slot).collect();
        lets.retain(|(.., value)| {
            let made_of = |slot: &Slot| rolled.contains(slot);
            !self.pure[value.index()] || self.free[value.index()].iter().any(made_of)
        });
        for (binding, slot, value) in lets {
            let Form::Core(Term::Let { body, .. }) = self.form(binding) else { continue };
            let inside = self.reachable(*body);
            let uses = inside.iter().filter(|&&id| matches!(self.form(id), Form::Core(Term::Var(s)) if *s == slot));
            let uses: Vec<TermId> = uses.copied().collect();
            let climbs = uses.iter().map(|&id| self.climb(id, binding, &parents)).collect::<Option<Vec<_>>>();
            if let [only] = uses.as_slice()
                && climbs.as_ref().is_none_or(|climbs| climbs.iter().all(Climbed::is_plain))
                && !self.pure[value.index()]
                && self.is_met(*only, binding, &parents)
                && self.always_ends(value)
            {
                self.put_in_place(binding, value, *only);
                parents = self.parents();
                continue;
            }
            let Some(climbs) = climbs.filter(|climbs| !climbs.is_empty()) else { continue };
            self.replace(function, (binding, value), climbs);
            parents = self.parents();
        }
    }

    /// Whether a term inside a binding is computed exactly once, whatever is rolled.
    fn is_met(&self, id: TermId, binding: TermId, parents: &[Option<TermId>]) -> bool {
        let mut here = id;
        while let Some(parent) = parents[here.index()] {
            if parent == binding {
                return true;
            }
            let once = match self.form(parent) {
                Form::Core(term) => match term {
                    Term::Let { .. } | Term::Prim { .. } | Term::Draw { .. } => true,
                    Term::If { test, .. } => *test == here,
                    Term::Repeat { times, .. } => *times == here,
                    Term::ForEach { pool, .. } => *pool == here,
                    Term::Loop { start, .. } => *start == here,
                    Term::Lit(_) | Term::Var(_) | Term::Until { .. } | Term::Call { .. } => false,
                    Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => false,
                },
                Form::Watch(watch) => watch.source == here || watch.body == here,
                Form::Ahead { .. } | Form::Joint { .. } | Form::Several(_) | Form::Total(_) => false,
            };
            if !once {
                return false;
            }
            here = parent;
        }
        false
    }

    /// Whether there is no loop and no call in a term, so that nothing of it is ever lost.
    fn always_ends(&self, id: TermId) -> bool {
        let open = |id: &TermId| {
            matches!(self.form(*id), Form::Core(Term::Until { .. } | Term::Loop { .. } | Term::Call { .. }))
        };
        !self.reachable(id).iter().any(open)
    }

    /// A variable that is used once is its value: nothing is gained by going through its outcomes.
    fn put_in_place(&mut self, binding: TermId, value: TermId, only: TermId) {
        let Form::Core(Term::Let { body, .. }) = self.form(binding) else { return };
        let body = *body;
        self.forms[only.index()] = self.take(value);
        self.spans[only.index()] = self.spans[value.index()];
        let form = self.take(body);
        // The body may be the variable itself, which has just become the value.
        self.forms[binding.index()] = form;
        self.spans[binding.index()] = self.spans[body.index()];
    }

    /// The longest chain of rows from a use of the variable upward; none if it reduces nothing.
    fn climb(&self, from: TermId, binding: TermId, parents: &[Option<TermId>]) -> Option<Climbed> {
        let mut chain = Watched { slot: Slot(0), rows: vec![], goal: Goal::Members };
        let mut here = from;
        let mut few = false;
        while let Some(parent) = parents[here.index()].filter(|parent| *parent != binding) {
            if let Form::Watch(watch) = self.form(parent)
                && watch.source == here
            {
                let goes_on = chain.rows.iter().all(|(row, args)| self.never_fails(row, args))
                    && watch.chains.iter().all(|inner| self.all_fixed(inner.arguments(), parent, binding, parents));
                return goes_on.then_some(Climbed::Into(parent, chain.rows));
            }
            let Form::Core(Term::Prim { prim, args }) = self.form(parent) else { break };
            let in_place = args.get(prim.over) == Some(&here);
            if !in_place || !self.all_fixed(others(prim, args), parent, binding, parents) {
                break;
            }
            // What a chain shows is found out anew for each value of its arguments: if it shows little
            // already, it need not depend on what else is rolled.
            if few && others(prim, args).any(|arg| !self.free[arg.index()].is_empty()) {
                break;
            }
            match prim.shape {
                Shape::Filter => few |= **prim == prim::EQUAL,
                Shape::Forget => {}
                Shape::Scan(_) if **prim != prim::MEDIAN || self.has_middle(binding, &chain) => few = true,
                Shape::Opaque if **prim == prim::TALLY && self.forgets_order(parent, parents) => few = true,
                Shape::Fold(_) => {
                    chain.goal = Goal::Fold(prim);
                    return Some(Climbed::At(parent, chain.with(prim, None)));
                }
                _ => break,
            }
            chain = chain.with(prim, Some(args));
            here = parent;
        }
        few.then_some(Climbed::At(here, chain))
    }

    /// Whether what stands around a collection does not see the order of its members.
    fn forgets_order(&self, id: TermId, parents: &[Option<TermId>]) -> bool {
        let around = parents[id.index()].map(|parent| self.form(parent));
        matches!(around, Some(Form::Core(Term::Prim { prim, .. })) if prim.order == Order::Blind)
    }

    /// Whether a chain shows a collection that cannot be empty.
    fn has_middle(&self, binding: TermId, chain: &Watched) -> bool {
        let whole = chain.rows.iter().all(|(row, _)| matches!(row.shape, Shape::Forget));
        whole && matches!(self.form(binding), Form::Core(Term::Let { value, .. }) if self.has_members(*value))
    }

    /// Whether arguments are the same wherever the chain stands: known, or computed from what is bound
    /// outside.
    fn all_fixed(
        &self,
        args: impl IntoIterator<Item = TermId>,
        from: TermId,
        binding: TermId,
        parents: &[Option<TermId>],
    ) -> bool {
        let mut open: Vec<TermId> = args.into_iter().collect();
        while let Some(arg) = open.pop() {
            match self.form(arg) {
                Form::Core(Term::Lit(_)) => {}
                Form::Core(Term::Var(slot)) if self.outside(*slot, from, binding, parents) => {}
                Form::Core(Term::Prim { args, .. }) => open.extend(args),
                _ => return false,
            }
        }
        true
    }

    /// Whether a variable is bound outside of a binding.
    fn outside(&self, slot: Slot, from: TermId, binding: TermId, parents: &[Option<TermId>]) -> bool {
        let mut here = Some(from);
        while let Some(id) = here {
            if self.form(id).binds().0.contains(&slot) {
                return false;
            }
            if id == binding {
                return true;
            }
            here = parents[id.index()];
        }
        false
    }

    /// Whether a row cannot fail on any collection of numbers, so that it may be put off.
    fn never_fails(&self, row: &'static Prim, args: &[TermId]) -> bool {
        let mut numbers = others(row, args).map(|arg| match self.form(arg) {
            Form::Core(Term::Lit(value)) => value.as_int(),
            _ => None,
        });
        match row.shape {
            Shape::Forget => true,
            Shape::Scan(_) if *row == prim::MINUS => false,
            Shape::Scan(_) => numbers.all(|number| number.is_some_and(|n| n >= 0)),
            Shape::Filter => numbers.all(|number| number.is_some()),
            Shape::Opaque if *row == prim::TALLY => others(row, args).all(|arg| self.known_pool(arg)),
            _ => false,
        }
    }

    /// Whether a term is a collection of numbers that is known in advance.
    fn known_pool(&self, id: TermId) -> bool {
        match self.form(id) {
            Form::Core(Term::Lit(value)) => value.as_pool().is_some(),
            Form::Core(Term::Prim { prim, args }) if **prim == prim::RANGE => args.iter().all(
                |arg| matches!(self.form(*arg), Form::Core(Term::Lit(value)) if value.as_int().is_some_and(|n| n.abs() < 1000)),
            ),
            Form::Core(Term::Prim { prim, args }) if **prim == prim::BAG => {
                args.iter().all(|arg| matches!(self.form(*arg), Form::Core(Term::Lit(_))))
            }
            _ => false,
        }
    }

    fn replace(&mut self, function: usize, (binding, source): (TermId, TermId), climbs: Vec<Climbed>) {
        let mut chains: Vec<Watched> = Vec::new();
        for climbed in climbs {
            match climbed {
                Climbed::At(root, mut chain) => {
                    chain.slot = self.slot(function);
                    self.forms[root.index()] = Form::Core(Term::Var(chain.slot));
                    chains.push(chain);
                }
                Climbed::Into(inner, rows) => {
                    let Form::Watch(watch) = self.take(inner) else { continue };
                    for mut chain in watch.chains {
                        chain.rows = rows.iter().cloned().chain(chain.rows).collect();
                        chains.push(chain);
                    }
                    // The inner binding is its body now.
                    self.forms[inner.index()] = self.take(watch.body);
                }
            }
        }
        if let Form::Core(Term::Let { body, .. }) = self.form(binding) {
            self.forms[binding.index()] = Form::Watch(Watch { source, chains, total: None, body: *body });
        }
    }
}

impl Watched {
    fn with(mut self, row: &'static Prim, args: Option<&Vec<TermId>>) -> Watched {
        self.rows.extend(args.map(|args| (row, args.clone())));
        self
    }
}
