//! Spellings that mean one row.
//!
//! ```text
//! f(if t then a else b)                        if t then f(a) else f(b)      for a fold f
//! gather(each(i in L, count(equal(i, x))))     tally(L, x)
//! minus(x, largest(n, x))                      but_largest(n, x)             and so for least
//! equal(only(largest(1, x)), x)                maximal(x)                    and so for least, if x has members
//! count(x)                                     n                             if x is n dice
//! ```
//!
//! Each is an equation of the rows' meanings; x is a variable, so it is the same roll on both sides. A tally that nothing
//! looks at together with other views is written out again afterwards: as a stream it needs to know less of its roll.

use super::peeling::Bound;
use super::{Form, Plan, Watched};
use crate::map::HashSet;
use tumble_core::prim::{self, Prim, Shape};
use tumble_core::{Budget, Faces, Limits, Slot, Term, TermId, Value};

/// Collections of more members are looked at as they are.
const MOST_KNOWN: u64 = 10_000;

impl Plan {
    /// Rewrites all patterns, from the outside in. Gives the tallies, each with the `foreach` it was.
    pub(super) fn put_patterns(&mut self) -> Vec<(TermId, TermId)> {
        let mut tallies = vec![];
        for function in 0..self.functions.len() {
            self.put_patterns_in(self.functions[function].body, &mut tallies);
        }
        tallies
    }

    /// Writes out the tallies that are still rows of a variable: what has taken the place of one that is used once is
    /// evaluated once. Where only straight code may be, they stay.
    pub(super) fn put_back(&mut self, tallies: &[(TermId, TermId)]) {
        let straight: Vec<TermId> = self.forms.iter().flat_map(Form::straight).collect();
        let straight: HashSet<TermId> = straight.into_iter().flat_map(|id| self.reachable(id)).collect();
        for (id, each) in tallies.iter().filter(|(id, _)| !straight.contains(id)) {
            if matches!(self.row(*id), Some((row, &[_, x])) if *row == prim::TALLY && self.variable(x).is_some()) {
                self.forms[id.index()] = Form::Core(Term::Prim { prim: &prim::GATHER, args: vec![*each] });
            }
        }
    }

    fn put_patterns_in(&mut self, body: TermId, tallies: &mut Vec<(TermId, TermId)>) {
        let mut open = vec![body];
        // Variables are numbered in each function by themselves.
        let mut bound: Vec<(Slot, TermId)> = Vec::new();
        while let Some(id) = open.pop() {
            if let Some((slot, value)) = self.named(id) {
                bound.push((slot, value));
            }
            self.push_into_branches(id);
            if let (Some(tally), Some((_, &[each]))) = (self.as_tally(id), self.row(id)) {
                tallies.push((id, each));
                self.forms[id.index()] = Form::Core(tally);
            } else if let Some(term) =
                self.as_rest(id).or_else(|| self.as_ends(id, &bound)).or_else(|| self.as_size(id, &bound))
            {
                self.forms[id.index()] = Form::Core(term);
            }
            self.form(id).children(|child| open.push(child));
        }
    }

    fn row(&self, id: TermId) -> Option<(&'static Prim, &[TermId])> {
        match self.form(id) {
            Form::Core(Term::Prim { prim, args }) => Some((prim, args)),
            _ => None,
        }
    }

    fn variable(&self, id: TermId) -> Option<Slot> {
        match self.form(id) {
            Form::Core(Term::Var(slot)) => Some(*slot),
            _ => None,
        }
    }

    pub(super) fn is_one(&self, id: TermId) -> bool {
        matches!(self.form(id), Form::Core(Term::Lit(value)) if value.as_int() == Some(1))
    }

    /// A fold of a choice is a choice of folds.
    fn push_into_branches(&mut self, id: TermId) {
        let Some((row, &[choice])) = self.row(id) else { return };
        if !matches!(row.shape, Shape::Fold(_)) {
            return;
        }
        let Form::Core(Term::If { fork, test, then, other }) = self.form(choice) else { return };
        let (fork, test, then, other) = (*fork, *test, *then, *other);
        let fold = |arg: TermId| Form::Core(Term::Prim { prim: row, args: vec![arg] });
        let then = self.add(fold(then), id);
        self.forms[choice.index()] = fold(other);
        self.forms[id.index()] = Form::Core(Term::If { fork, test, then, other: choice });
    }

    fn as_tally(&self, id: TermId) -> Option<Term> {
        let (row, &[each]) = self.row(id)? else { return None };
        let Form::Core(Term::ForEach { slot, pool, body }) = self.form(each) else { return None };
        let (count, &[equal]) = self.row(*body)? else { return None };
        let (filter, &[number, x]) = self.row(equal)? else { return None };
        let fits = *row == prim::GATHER && *count == prim::COUNT && *filter == prim::EQUAL;
        let other = self.variable(x)? != *slot && self.variable(number)? == *slot;
        // The faces of the roll itself are gone through as they are.
        let own = self.reachable(*pool).into_iter().any(|id| self.variable(id) == self.variable(x));
        (fits && other && !own).then(|| Term::Prim { prim: &prim::TALLY, args: vec![*pool, x] })
    }

    fn as_rest(&self, id: TermId) -> Option<Term> {
        let (row, &[x, gone]) = self.row(id)? else { return None };
        let (keep, &[n, same]) = self.row(gone)? else { return None };
        let rest = match keep {
            keep if *keep == prim::LARGEST => &prim::BUT_LARGEST,
            keep if *keep == prim::LEAST => &prim::BUT_LEAST,
            _ => return None,
        };
        let fits = *row == prim::MINUS && self.variable(x)? == self.variable(same)?;
        fits.then(|| Term::Prim { prim: rest, args: vec![n, same] })
    }

    fn as_ends(&self, id: TermId, bound: &[(Slot, TermId)]) -> Option<Term> {
        let (row, &[number, x]) = self.row(id)? else { return None };
        let (only, &[kept]) = self.row(number)? else { return None };
        let (keep, &[n, same]) = self.row(kept)? else { return None };
        let ends = match keep {
            keep if *keep == prim::LARGEST => &prim::MAXIMAL,
            keep if *keep == prim::LEAST => &prim::MINIMAL,
            _ => return None,
        };
        let slot = self.variable(x)?;
        let fits = *row == prim::EQUAL && *only == prim::ONLY && self.is_one(n) && self.variable(same)? == slot;
        let value = bound.iter().find(|(bound, _)| *bound == slot)?.1;
        (fits && self.has_members(value)).then(|| Term::Prim { prim: ends, args: vec![x] })
    }

    fn as_size(&self, id: TermId, bound: &[(Slot, TermId)]) -> Option<Term> {
        let (row, &[x]) = self.row(id)? else { return None };
        let slot = self.variable(x)?;
        let value = bound.iter().find(|(bound, _)| *bound == slot)?.1;
        let counts = row.counts && matches!(row.shape, Shape::Fold(_));
        let size = self.size_of(value).filter(|size| counts && *size <= MOST_KNOWN)?;
        let members = Value::ints(&vec![0; usize::try_from(size).ok()?]);
        Some(Term::Lit((row.apply)(&[members], &mut Budget::new(Limits::default())).ok()?))
    }

    /// How many members a collection has, if that is known; a number is one.
    fn size_of(&self, id: TermId) -> Option<u64> {
        let (mut here, mut times) = (id, 1u64);
        loop {
            here = match self.form(here) {
                Form::Core(Term::Prim { prim, args }) => match (prim.shape, args.as_slice()) {
                    (Shape::Forget | Shape::Union, [only]) => *only,
                    (Shape::Fold(_), _) if prim.gives == prim::Sort::Int => return Some(times),
                    _ => return None,
                },
                Form::Core(Term::Repeat { times: n, body }) => match self.form(*n) {
                    Form::Core(Term::Lit(value)) => {
                        times = times.checked_mul(u64::try_from(value.as_int()?).ok()?)?;
                        *body
                    }
                    _ => return None,
                },
                Form::Core(Term::Draw { faces: Faces::Range { .. } }) => return Some(times),
                _ => return None,
            }
        }
    }

    /// Whether a term is a number, or a collection that cannot be empty.
    pub(super) fn has_members(&self, id: TermId) -> bool {
        self.size_of(id).is_some_and(|size| size > 0)
    }
}

impl Form {
    /// The terms inside that are computed by straight code.
    fn straight(&self) -> Vec<TermId> {
        match self {
            Form::Watch(watch) => watch.chains.iter().flat_map(Watched::arguments).collect(),
            Form::Ahead { value, .. } => vec![*value],
            Form::Core(_) | Form::Joint { .. } | Form::Several(_) | Form::Total(_) => vec![],
        }
    }
}

/// Members at one end of a collection: see `peeling`.
impl Plan {
    /// Whether a term is all of a variable but its largest member, or but its least; which of the two.
    pub(super) fn rest(&self, id: TermId, pool: Slot, bound: &Bound) -> Option<bool> {
        let (row, &[first, second]) = self.row(id)? else { return None };
        let left = |but: &Prim| *row == *but && self.is_one(first) && self.is_variable(second, pool);
        let taken =
            |top| *row == prim::MINUS && self.is_variable(first, pool) && self.is_taken(second, pool, top, bound);
        [(true, &prim::BUT_LARGEST), (false, &prim::BUT_LEAST)]
            .into_iter()
            .find_map(|(top, but)| (left(but) || taken(top)).then_some(top))
    }

    /// Whether a term is the collection of the member at one end.
    fn is_taken(&self, id: TermId, pool: Slot, top: bool, bound: &Bound) -> bool {
        let named = |slot: Slot| bound.iter().any(|(slots, value)| *slots == [slot] && self.is_end(*value, pool, top));
        let member = |id| self.variable(id).map_or_else(|| self.is_end(id, pool, top), named);
        let gathered = matches!(self.row(id), Some((row, &[only])) if *row == prim::GATHER && member(only));
        gathered || self.is_end(id, pool, top)
    }

    /// Whether a term is the largest (or least) member of a variable, as a number or a collection of one.
    pub(super) fn is_end(&self, id: TermId, pool: Slot, top: bool) -> bool {
        let keep = if top { &prim::LARGEST } else { &prim::LEAST };
        match self.row(id) {
            Some((row, &[kept])) => *row == prim::ONLY && self.is_end(kept, pool, top),
            Some((row, &[n, of])) => *row == *keep && self.is_one(n) && self.is_variable(of, pool),
            Some(_) | None => false,
        }
    }
}
