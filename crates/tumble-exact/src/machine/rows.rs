//! Rows of the primitive table on laws: by their shape where a collection is still in parts, by
//! their meaning on every combination of outcomes elsewhere.

use super::Machine;
use super::values::{Combinations, MOST_ALTERNATIVES};
use crate::algo::across::second;
use crate::algo::{compare, power};
use crate::dist::{Dist, Pile};
use crate::law::{Bunch, Law, Part, Source, Stage};
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::Form;
use crate::question::{Goal, Question, View};
use crate::tailed;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::{self, Merge, Prim, Scan, Shape};
use tumble_core::{Budget, Term, TermId, Value};

impl Machine<'_> {
    /// The law of a row on its arguments.
    pub(super) fn apply(&mut self, term: TermId, laws: &[Rc<Law>]) -> Result<Law, Stop> {
        let plan = self.plan;
        if let Form::Total(terms) = plan.form(term) {
            return self.total(terms, laws);
        }
        let Form::Core(Term::Prim { prim, .. }) = plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let row: &'static Prim = prim;
        let blind = self.plan.blind[term.index()];
        if matches!(row.shape, Shape::Union) {
            return self.union(row, laws, blind);
        }
        let in_parts = laws.get(row.over).is_some_and(|law| !law.lazy.is_empty());
        let reordered = !blind && matches!(row.shape, Shape::Map { monotone: false });
        let opaque = matches!(row.shape, Shape::Opaque) || reordered;
        if !in_parts || opaque { self.pointwise(row, laws) } else { self.shaped(row, laws) }
    }

    /// Every combination of outcomes.
    pub(super) fn pointwise(&mut self, row: &'static Prim, laws: &[Rc<Law>]) -> Result<Law, Stop> {
        if let (true, [a, b]) = (*row == prim::ADD && self.desk.allows(&power::METHOD), laws) {
            let (a, b) = (self.desk.settle(a)?, self.desk.settle(b)?);
            return Ok(power::add(&a, &b, &mut self.desk.budget)?.into());
        }
        if let (true, [a, b]) = (*row == prim::SUB && self.desk.allows(&power::METHOD), laws) {
            let negated = |outcome: &Outcome, budget: &mut Budget| {
                outcome::apply(&prim::SUB, &[Outcome::int(0), outcome.clone()], budget)
            };
            let (a, b) = (self.desk.settle(a)?, self.desk.settle(b)?);
            if let Some(difference) = tailed::difference(&a, &b, &mut self.desk.budget)? {
                return Ok(difference.into());
            }
            if let Ok(b) = b.map(&mut self.desk.budget, negated) {
                return Ok(power::add(&a, &b, &mut self.desk.budget)?.into());
            }
        }
        if let (true, [a, b]) = (self.desk.allows(&compare::METHOD), laws)
            && a.certain().is_none()
        {
            let (a, b) = (self.desk.settle(a)?, self.desk.settle(b)?);
            if let Some(left) = compare::run(row, &a, &b, &mut self.desk.budget)? {
                return Ok(left.into());
            }
        }
        // With one argument that is not certain, there is nothing to combine.
        let mut open = laws.iter().enumerate().filter(|(_, law)| law.certain().is_none());
        if let (Some((place, law)), None) = (open.next(), open.next()) {
            // The open place is filled for each of its outcomes.
            let known = |law: &Rc<Law>| law.certain().cloned().unwrap_or(Outcome::Known(Value::NOTHING));
            let mut args: Vec<Outcome> = laws.iter().map(known).collect();
            let dist = self.desk.settle(law)?;
            if let Some(left) = tailed::remainders(row, &args, place, &dist, &mut self.desk.budget)? {
                return Ok(left.into());
            }
            let mapped = dist.map(&mut self.desk.budget, |outcome, budget| {
                args[place] = outcome.clone();
                outcome::apply(row, &args, budget)
            });
            return Ok(mapped?.into());
        }
        match laws.split_last() {
            Some((last, others)) => self.crossed(row, others, last),
            None => Ok(Law::one(outcome::apply(row, &[], &mut self.desk.budget)?)),
        }
    }

    /// Every combination of outcomes: those of the last law are not listed, but go into the result at once.
    fn crossed(&mut self, row: &'static Prim, others: &[Rc<Law>], last: &Law) -> Result<Law, Stop> {
        let (den, combinations) = self.combinations(others)?;
        let last = self.desk.settle(last)?;
        let ways = (combinations.len() as u64).saturating_mul(last.items.len() as u64);
        self.desk.budget.step(ways.saturating_mul(4 + cost_of(bits(&den))))?;
        let mut pile = Pile::default();
        for (mut args, weight) in combinations {
            args.push(Outcome::Known(Value::NOTHING));
            for (outcome, w) in &last.items {
                args[others.len()] = outcome.clone();
                pile.add(outcome::apply(row, &args, &mut self.desk.budget)?, &(&weight * w));
                pile.check(&self.desk.budget)?;
            }
        }
        Ok(pile.over(den * &last.den).into())
    }

    /// All combinations of the outcomes of independent laws, with their weights.
    pub(super) fn combinations(&mut self, laws: &[Rc<Law>]) -> Result<Combinations, Stop> {
        let mut all = vec![(Vec::with_capacity(laws.len()), UBig::ONE)];
        let mut den = UBig::ONE;
        for law in laws {
            let dist = self.desk.settle(law)?;
            let ways = all.len() as u64 * dist.items.len() as u64;
            self.desk.budget.step(2 * ways)?;
            self.affordable(ways)?;
            let mut longer = Vec::with_capacity(all.len() * dist.items.len());
            for (so_far, weight) in &all {
                for (outcome, w) in &dist.items {
                    let mut next: Vec<Outcome> = so_far.clone();
                    next.push(outcome.clone());
                    longer.push((next, weight * w));
                }
            }
            all = longer;
            den *= &dist.den;
        }
        Ok((den, all))
    }

    /// A row with a shape on a law that is still in parts.
    fn shaped(&mut self, row: &'static Prim, laws: &[Rc<Law>]) -> Result<Law, Stop> {
        let pool = laws[row.over].clone();
        if let Some(law) = self.across(row, laws)? {
            return Ok(law);
        }
        let others: Vec<Rc<Law>> =
            laws.iter().enumerate().filter(|(i, _)| *i != row.over).map(|(_, law)| law.clone()).collect();
        let (others_den, combinations) = self.combinations(&others)?;
        self.foresee(row, &pool)?;
        let mut parts: Vec<(UBig, Law)> = Vec::new();
        let mut held = 0;
        for (mut args, weight) in combinations {
            args.insert(row.over, Outcome::Known(Value::NOTHING));
            for (outcome, w) in &pool.known {
                args[row.over] = outcome.clone();
                parts.push((&weight * w, Law::one(outcome::apply(row, &args, &mut self.desk.budget)?)));
            }
            for (bunch, w) in &pool.lazy {
                let law = self.on_bunch(row, &args, bunch)?;
                held += law.known.len() as u64 * (64 + bits(&law.den) / 8);
                parts.push((&weight * w, law));
                // What has become much is put together at once, so that only a part of it is held.
                if held > self.desk.budget.limits().bytes / 8 && parts.len() > 1 {
                    let all: UBig = parts.iter().map(|(weight, _)| weight).sum();
                    let mixed = Law::mix(std::mem::take(&mut parts), all.clone(), &mut self.desk.budget)?;
                    parts.push((all, mixed));
                    held = 0;
                }
            }
        }
        Law::mix(parts, others_den * &pool.den, &mut self.desk.budget)
    }

    /// A row that compares two pools, neither of which was looked at: it waits for what is asked of the result.
    fn across(&mut self, row: &'static Prim, laws: &[Rc<Law>]) -> Result<Option<Law>, Stop> {
        let Shape::Scan(Scan { against: Some(place), .. }) = row.shape else { return Ok(None) };
        let alone = |law: &Law| match (law.known.as_slice(), law.lazy.as_slice()) {
            ([], [(bunch, _)]) if second(&bunch.stages).is_none() && !bunch.list => Some(bunch.clone()),
            _ => None,
        };
        let (Some(bunch), Some(other), 2) = (alone(&laws[row.over]), alone(&laws[place]), laws.len()) else {
            return Ok(None);
        };
        let stage = Stage { row, args: vec![Value::NOTHING; laws.len()], against: Some(other) };
        let mut staged = Bunch { hidden: None, ..Bunch::clone(&bunch) };
        staged.stages.push(stage);
        self.desk.budget.step(10)?;
        Ok(Some(Law::bunch(staged)))
    }

    /// Sums of many collections are refused before the first is made, if all of them are too much.
    fn foresee(&mut self, row: &'static Prim, pool: &Law) -> Result<(), Stop> {
        let plain = matches!(row.shape, Shape::Fold(Merge::Add)) && self.desk.allows(&power::METHOD);
        if pool.lazy.len() < 2 || !plain || self.desk.rounding.is_some() {
            return Ok(());
        }
        let view = [View { stages: vec![], goal: Goal::Fold(row) }];
        let copies = |bunch: &Bunch| match bunch.parts.as_slice() {
            [Part { source: Source::Each(each), .. }] => {
                bunch.stages.is_empty() && each.items.iter().all(|(outcome, _)| outcome.known().is_some())
            }
            _ => false,
        };
        let sums = pool.lazy.iter().filter(|(bunch, _)| copies(bunch));
        let steps = sums.filter_map(|(bunch, _)| Some(power::price(&Question::new(bunch, &view))?.told().steps));
        let steps = steps.fold(0, u64::saturating_add);
        if steps > self.desk.budget.limits().steps.saturating_sub(self.desk.budget.used()) {
            self.desk.budget.step(steps)?;
        }
        Ok(())
    }

    fn on_bunch(&mut self, row: &'static Prim, args: &[Outcome], bunch: &Rc<Bunch>) -> Result<Law, Stop> {
        let others = args
            .iter()
            .enumerate()
            .map(|(i, arg)| if i == row.over { Some(Value::NOTHING) } else { arg.known().cloned() });
        let Some(values) = others.collect::<Option<Vec<Value>>>() else {
            return Ok(Law::one(super::values::beyond(args)?));
        };
        let stage = Stage { row, args: values, against: None };
        match row.shape {
            Shape::Fold(_) => Ok(self.desk.fold(bunch, row)?.into()),
            Shape::Forget => Ok(Law::shared(bunch.clone())),
            // Of a deal, who is left depends on the others.
            Shape::Filter if bunch.dealt() => self.staged(stage, bunch),
            Shape::Filter | Shape::Map { .. } if bunch.stages.is_empty() => {
                // A wrong argument is wrong for no parts as well.
                outcome::apply(row, &stage.with(&Outcome::Known(Value::ints(&[]))), &mut self.desk.budget)?;
                let each = &mut |pool: &Outcome, budget: &mut tumble_core::Budget| {
                    outcome::apply(row, &stage.with(pool), budget)
                };
                Ok(Law::bunch(bunch.map(&mut self.desk.budget, each)?))
            }
            _ => self.staged(stage, bunch),
        }
    }

    /// Puts a row off until the members are needed; its errors are not put off.
    fn staged(&mut self, stage: Stage, bunch: &Bunch) -> Result<Law, Stop> {
        let nothing = Outcome::Known(Value::ints(&[]));
        if *stage.row == prim::MEDIAN {
            let some = self.desk.fold(bunch, &prim::SOME)?;
            if some.items.iter().any(|(outcome, _)| *outcome == Outcome::Known(Value::bool(false))) {
                outcome::apply(stage.row, &stage.with(&nothing), &mut self.desk.budget)?;
            }
        } else {
            outcome::apply(stage.row, &stage.with(&nothing), &mut self.desk.budget)?;
        }
        let mut staged = Bunch::clone(bunch);
        staged.stages.push(stage);
        Ok(Law::bunch(staged))
    }

    /// All members of all arguments together.
    fn union(&mut self, row: &'static Prim, laws: &[Rc<Law>], blind: bool) -> Result<Law, Stop> {
        let all_known = laws.iter().all(|law| law.lazy.is_empty());
        let holes = laws.iter().any(|law| law.has_holes());
        if holes && !blind {
            return Err(Stop::Unsolvable);
        }
        // A pool that is only lent is no part of its own.
        let lent = |law: &Rc<Law>| law.known.iter().any(|(outcome, _)| matches!(outcome, Outcome::Pool(_)));
        let listed = laws.iter().any(lent) || laws.iter().all(|law| law.certain().is_some());
        if !blind || holes || listed || (all_known && laws.len() == 1) {
            return self.pointwise(row, laws);
        }
        if let [law] = laws {
            return self.gathered(row, law);
        }
        let alternatives = laws.iter().fold(1usize, |ways, law| ways.saturating_mul(1 + law.lazy.len()));
        if alternatives > MOST_ALTERNATIVES {
            let settled: Vec<Rc<Law>> = laws
                .iter()
                .map(|law| Ok(Rc::new(Dist::clone(&*self.desk.settle(law)?).into())))
                .collect::<Result<_, Stop>>()?;
            return self.union(row, &settled, blind);
        }
        let mut branches = vec![(UBig::ONE, Bunch::pool(vec![]))];
        let mut den = UBig::ONE;
        for law in laws {
            let choices = self.as_parts(row, law)?;
            let pieces: usize = branches.iter().map(|(_, bunch)| bunch.parts.len() + 1).sum();
            self.desk.budget.step(20 * (pieces * choices.len()) as u64)?;
            branches = branches
                .iter()
                .flat_map(|(weight, bunch)| {
                    choices.iter().map(move |(w, parts)| {
                        let parts = bunch.parts.iter().chain(parts).cloned().collect();
                        (weight * w, Bunch::pool(parts))
                    })
                })
                .collect();
            den *= &law.den;
        }
        Ok(Law::new(den, vec![], branches.into_iter().map(|(weight, bunch)| (Rc::new(bunch), weight)).collect()))
    }

    /// One law with everything in it gathered.
    fn gathered(&mut self, row: &'static Prim, law: &Law) -> Result<Law, Stop> {
        let lazy = self.as_parts(row, law)?;
        let lazy = lazy.into_iter().map(|(weight, parts)| (Rc::new(Bunch::pool(parts)), weight)).collect();
        Ok(Law::new(law.den.clone(), vec![], lazy))
    }

    /// The alternatives of a law as parts of a union: one for all that is known, one for each bunch.
    fn as_parts(&mut self, row: &'static Prim, law: &Law) -> Result<Vec<(UBig, Vec<Part>)>, Stop> {
        let gather = &mut |pool: &Outcome, budget: &mut tumble_core::Budget| {
            let gathered = outcome::apply(row, std::slice::from_ref(pool), budget)?;
            outcome::apply(&prim::BAG, &[gathered], budget)
        };
        let mut choices = Vec::new();
        if !law.known.is_empty() {
            let weight: UBig = law.known.iter().map(|(_, weight)| weight).sum();
            let known =
                Dist { den: weight.clone(), items: law.known.clone() }.map(&mut self.desk.budget, &mut *gather)?;
            choices.push((weight, vec![Part { times: 1, source: Source::Each(Rc::new(known)) }]));
        }
        // Different numbers of copies of the same law share it, before and after.
        let mut last: Option<(&Rc<Dist>, Rc<Dist>)> = None;
        for (bunch, weight) in &law.lazy {
            let parts = if let ([Part { times, source: Source::Each(each) }], true) =
                (bunch.parts.as_slice(), bunch.stages.is_empty())
            {
                let shared = last.take().filter(|(before, _)| Rc::ptr_eq(before, each));
                let gathered = match shared {
                    Some((_, gathered)) => gathered,
                    None => Rc::new(each.map(&mut self.desk.budget, &mut *gather)?),
                };
                last = Some((each, gathered.clone()));
                vec![Part { times: *times, source: Source::Each(gathered) }]
            } else if bunch.stages.is_empty() {
                bunch.map(&mut self.desk.budget, gather)?.parts
            } else {
                vec![Part { times: 1, source: Source::Each(Rc::new(self.desk.members(bunch)?)) }]
            };
            choices.push((weight.clone(), parts));
        }
        Ok(choices)
    }
}
