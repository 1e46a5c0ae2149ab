//! Long chains of `add` and `sub` as one total.
//!
//! ```text
//! add(sub(add(a, b), c), d)  …      total(+a, +b, −c, +d, …)
//! ```
//!
//! Taken one after the other, every sum so far is listed; together, equal terms are one power. Only the
//! first arguments are followed, so the terms are worked out in the same order, and can be added in it.

use super::{Form, Plan};
use tumble_core::prim;
use tumble_core::{Term, TermId};

/// Shorter chains are left as they are.
const FEWEST: usize = 32;

impl Plan {
    /// Rewrites all long chains, each from its outermost row.
    pub(super) fn put_totals(&mut self) {
        for function in 0..self.functions.len() {
            let mut open = vec![self.functions[function].body];
            while let Some(id) = open.pop() {
                let terms = self.chain(id);
                if let [_] = terms.as_slice() {
                    self.form(id).children(|child| open.push(child));
                    continue;
                }
                open.extend(terms.iter().map(|(_, term)| *term));
                if terms.len() >= FEWEST {
                    self.forms[id.index()] = Form::Total(terms);
                }
            }
        }
    }

    /// The terms of a chain from left to right, with whether they are taken away; of anything else, itself.
    fn chain(&self, id: TermId) -> Vec<(bool, TermId)> {
        let mut terms = Vec::new();
        let mut here = id;
        while let Form::Core(Term::Prim { prim, args }) = self.form(here)
            && let ([left, right], true) = (args.as_slice(), **prim == prim::ADD || **prim == prim::SUB)
        {
            terms.push((**prim == prim::SUB, *right));
            here = *left;
        }
        terms.push((false, here));
        terms.reverse();
        terms
    }
}
