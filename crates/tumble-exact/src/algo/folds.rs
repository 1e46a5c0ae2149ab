//! Several sums, counts and questions whether there is any, asked of the same parts.
//!
//! Meaning: each view is `f(A ∪ B) = merge(f(A), f(B))`, so all views together are a row of partial results that are
//! merged one by one. Accepts two views or more, each a fold after rows that look at every member by itself. A walk
//! collects rows of partial results on its way, and is listed by what they add up to; with one sum or count
//! among them what is not listed is known to be above that. Cost: different rows of a part times those so far, for each
//! copy.

use crate::algo::{chain, empty};
use crate::dist::Dist;
use crate::law::{Bunch, Chain, End, Part, Source, Step};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Desk, Goal, Joint, View};
use std::rc::Rc;
use tumble_core::prim::{self, Merge, Shape};
use tumble_core::{Budget, Value};

/// More walks than this are not joined to one.
const MOST_WALKS: u64 = 300;

/// A walk remembers no more truths than this.
const MOST_TRUTHS: usize = 4;

/// The joint distribution of the views.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let Some(folds) = Folds::of(views).filter(|_| views.len() > 1 && bunch.parts.iter().all(known)) else {
        return Ok(None);
    };
    let mut all = Dist::one(folds.unit());
    for part in &bunch.parts {
        let (each, times) = match &part.source {
            Source::Each(dist) => (dist.map(&mut desk.budget, |pool, budget| folds.seen(pool, budget))?, part.times),
            // Several walks one after the other are one walk, so that one list is cut short and not many.
            Source::Chain(walk) if part.times <= MOST_WALKS => {
                (folds.walked(desk, &walk.in_a_row(part.times))?, part.times.min(1))
            }
            Source::Chain(walk) => (folds.walked(desk, walk)?, part.times),
        };
        for _ in 0..times {
            desk.budget.step(1)?;
            all = all.cross(&each, &mut desk.budget, |a, b, budget| folds.merged(a, b, budget))?;
        }
    }
    let row = |outcome: Outcome| match outcome {
        Outcome::Several(row) => row.to_vec(),
        other => vec![other; views.len()],
    };
    Ok(Some(Joint {
        den: all.den,
        items: all.items.into_iter().map(|(outcome, weight)| (row(outcome), weight)).collect(),
    }))
}

/// Whether everything in a part is listed, and a walk in it ends by itself.
fn known(part: &Part) -> bool {
    match &part.source {
        Source::Each(dist) => dist.items.iter().all(|(pool, _)| pool.known().is_some()),
        Source::Chain(walk) => walk.end == End::Open,
    }
}

/// The views, and how two partial results of each are merged.
struct Folds<'v> {
    views: &'v [View],
    merges: Vec<Merge>,
}

impl<'v> Folds<'v> {
    fn of(views: &'v [View]) -> Option<Folds<'v>> {
        let merge = |view: &View| match view.goal {
            Goal::Fold(row) => match row.shape {
                Shape::Fold(merge) if view.stages.iter().all(|stage| each(&stage.row.shape)) => Some(merge),
                _ => None,
            },
            Goal::Members => None,
        };
        Some(Folds { views, merges: views.iter().map(merge).collect::<Option<_>>()? })
    }

    /// What an empty collection shows.
    fn unit(&self) -> Outcome {
        let none = |merge: &Merge| match merge {
            Merge::Add => Outcome::int(0),
            Merge::Or => Outcome::Known(Value::bool(false)),
        };
        Outcome::Several(self.merges.iter().map(none).collect())
    }

    /// What a collection shows.
    fn seen(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let row = self.views.iter().map(|view| view.apply(pool, budget)).collect::<Result<Rc<[_]>, Stop>>()?;
        Ok(Outcome::Several(row))
    }

    /// What two collections show together.
    fn merged(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let (Outcome::Several(a), Outcome::Several(b)) = (a, b) else { return Ok(Outcome::Unknown) };
        let both = self.merges.iter().zip(a.iter().zip(b.iter())).map(|(merge, (a, b))| match merge {
            Merge::Add => outcome::apply(&prim::ADD, &[a.clone(), b.clone()], budget),
            Merge::Or => empty::or(a, b, budget),
        });
        Ok(Outcome::Several(both.collect::<Result<Rc<[_]>, Stop>>()?))
    }

    /// What is seen of everything a walk collects.
    fn walked(&self, desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
        let walk = walk.map(&mut desk.budget, &mut |emit, budget| self.seen(emit, budget))?;
        let join = &mut |a: &Outcome, b: &Outcome, budget: &mut Budget| self.merged(a, b, budget);
        let sums = self.merges.iter().filter(|merge| **merge == Merge::Add).count();
        let far = |bound: i64| {
            let beyond = |(place, merge): (usize, &Merge)| match merge {
                Merge::Add if sums == 1 => Outcome::Above { bound, pooled: false, moments: None },
                Merge::Add => Outcome::Unknown,
                Merge::Or => self.always(&walk, place),
            };
            Outcome::Several(self.merges.iter().enumerate().map(beyond).collect())
        };
        if sums > 0
            && let Some(walk) = self.remembering(&walk, &mut desk.budget)?
            && let Some(dist) = chain::sized(desk, &walk, self.unit(), join, &|row| self.size(row), &far)?
        {
            return Ok(dist);
        }
        chain::joined(desk, &walk, self.unit(), join)
    }

    /// The same walk with the truths in its states, and told only where it ends: then a step that adds nothing to the
    /// sums changes nothing on the way, as a listing by size needs it. None if there are too many truths, or one is
    /// not known.
    fn remembering(&self, walk: &Chain, budget: &mut Budget) -> Result<Option<Chain>, Stop> {
        let truths = self.merges.iter().filter(|merge| **merge == Merge::Or).count();
        if truths > MOST_TRUTHS {
            return Ok(None);
        }
        let mut states = Vec::with_capacity(walk.states.len() << truths);
        for steps in &walk.states {
            for before in 0..1usize << truths {
                budget.step(1 + steps.len() as u64)?;
                let moved = |step: &Step| {
                    let after = before | self.truths(&step.emit)?;
                    let emit = self.with_truths(&step.emit, if step.next.is_some() { 0 } else { after })?;
                    let next = step.next.map(|next| (next << truths) + after);
                    Some(Step { weight: step.weight.clone(), emit, next })
                };
                let Some(steps) = steps.iter().map(moved).collect() else { return Ok(None) };
                states.push(steps);
            }
        }
        Ok(Some(Chain { den: walk.den.clone(), states, start: walk.start << truths, end: walk.end }))
    }

    /// Which truths of a row hold, a bit each.
    fn truths(&self, row: &Outcome) -> Option<usize> {
        let Outcome::Several(row) = row else { return None };
        let said = self.merges.iter().zip(row.iter()).filter(|(merge, _)| **merge == Merge::Or);
        said.enumerate()
            .try_fold(0, |all, (bit, (_, outcome))| Some(all | usize::from(outcome.known()?.as_bool()?) << bit))
    }

    /// The row with these truths in place of its own.
    fn with_truths(&self, row: &Outcome, truths: usize) -> Option<Outcome> {
        let Outcome::Several(row) = row else { return None };
        let mut bit = 0;
        let told = |(merge, outcome): (&Merge, &Outcome)| match merge {
            Merge::Add => outcome.clone(),
            Merge::Or => {
                bit += 1;
                Outcome::Known(Value::bool(truths >> (bit - 1) & 1 == 1))
            }
        };
        Some(Outcome::Several(self.merges.iter().zip(row.iter()).map(told).collect()))
    }

    /// Whether there is any, of what a walk collects that has some size: what all steps that add to the size say.
    fn always(&self, walk: &Chain, place: usize) -> Outcome {
        let says = |step: &Step| match &step.emit {
            Outcome::Several(row) => row[place].clone(),
            _ => Outcome::Unknown,
        };
        let steps = || walk.states.iter().flatten();
        let truth = |b: bool| Outcome::Known(Value::bool(b));
        if steps().filter(|step| self.size(&step.emit) != Some(0)).all(|step| says(step) == truth(true)) {
            truth(true)
        } else if steps().all(|step| says(step) == truth(false)) {
            truth(false)
        } else {
            Outcome::Unknown
        }
    }

    /// What the sums and counts of a row add up to; none if one of them is negative or not a number.
    fn size(&self, row: &Outcome) -> Option<i64> {
        let Outcome::Several(row) = row else { return None };
        let sums = self.merges.iter().zip(row.iter()).filter(|(merge, _)| **merge == Merge::Add);
        sums.map(|(_, outcome)| outcome.as_int().filter(|n| *n >= 0)).try_fold(0i64, |sum, n| sum.checked_add(n?))
    }
}

/// Whether a row looks at every member by itself.
fn each(shape: &Shape) -> bool {
    matches!(shape, Shape::Filter | Shape::Map { .. })
}
