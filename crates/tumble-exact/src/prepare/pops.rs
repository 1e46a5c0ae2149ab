//! Functions that take a collection apart.
//!
//! `function f(a) = if 0 = count a then 0 else … max a … call f(a -- (max a))`: a parameter that is only
//! counted, asked for its largest (or smallest) member, and handed on without it. Then the parameter is
//! watched like a binding, and what is handed on need not be listed: it may stay dice that nobody has
//! looked at.

use super::{Form, Plan, Watch, Watched, others};
use crate::plan::Goal;
use tumble_core::prim::{self, Prim};
use tumble_core::{Slot, Term, TermId};

/// One use of a parameter: the term that becomes a variable, its chain, and whether it is the rest.
struct Use {
    root: TermId,
    chain: Watched,
    rest: bool,
}

impl Plan {
    /// Watches the parameters that a function takes apart.
    pub(super) fn watch_pops(&mut self, function: usize) {
        let params = self.functions[function].params.clone();
        for (place, param) in params.into_iter().enumerate().rev() {
            let parents = self.parents();
            let inside = self.reachable(self.functions[function].body);
            let uses =
                inside.iter().filter(|id| matches!(self.form(**id), Form::Core(Term::Var(slot)) if *slot == param));
            let Some(uses) = uses.map(|id| self.pop(*id, &parents)).collect::<Option<Vec<Use>>>() else { continue };
            // One rest only: two would be the same dice.
            if uses.iter().filter(|one| one.rest).count() != 1
                || uses.iter().any(|one| self.repeated(one.root, &parents))
            {
                continue;
            }
            self.popped[function][place] = true;
            self.watch_param(function, param, uses);
        }
    }

    /// What one use of a parameter asks.
    fn pop(&self, from: TermId, parents: &[Option<TermId>]) -> Option<Use> {
        let parent = parents[from.index()]?;
        let Form::Core(Term::Prim { prim, args }) = self.form(parent) else { return None };
        let row: &'static Prim = prim;
        let chain = |rows, goal| Watched { slot: Slot(0), rows, goal };
        if [&prim::COUNT, &prim::SOME, &prim::GIVEN].contains(&row) {
            return Some(Use { root: parent, chain: chain(vec![], Goal::Fold(row)), rest: false });
        }
        let one = |arg: TermId| matches!(self.form(arg), Form::Core(Term::Lit(value)) if value.as_int() == Some(1));
        if args.get(row.over) != Some(&from) || !others(row, args).all(one) {
            return None;
        }
        let handed_on =
            parents[parent.index()].is_some_and(|id| matches!(self.form(id), Form::Core(Term::Call { .. })));
        let rest = row == &prim::BUT_LARGEST || row == &prim::BUT_LEAST;
        let keeps = row == &prim::LARGEST || row == &prim::LEAST;
        (keeps || (rest && handed_on)).then(|| Use {
            root: parent,
            chain: chain(vec![(row, args.clone())], if rest { Goal::Rest } else { Goal::Members }),
            rest,
        })
    }

    /// Whether a term may be computed more than once.
    fn repeated(&self, id: TermId, parents: &[Option<TermId>]) -> bool {
        let mut here = parents[id.index()];
        while let Some(id) = here {
            if let Form::Core(Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. }) =
                self.form(id)
            {
                return true;
            }
            here = parents[id.index()];
        }
        false
    }

    fn watch_param(&mut self, function: usize, param: Slot, uses: Vec<Use>) {
        let body = self.functions[function].body;
        let mut chains = Vec::new();
        for mut one in uses {
            one.chain.slot = self.slot(function);
            self.forms[one.root.index()] = Form::Core(Term::Var(one.chain.slot));
            chains.push(one.chain);
        }
        let source = self.add(Form::Core(Term::Var(param)), body);
        self.functions[function].body = self.add(Form::Watch(Watch { source, chains, body }), body);
    }
}
