//! What a walk is asked for: a monoid homomorphism from collections, with a grade where it only grows.
//!
//! A [`Summary`] of a union follows from the summaries of its parts, so a walk needs to remember no more than the summary
//! of what it has collected. Members, a sum, whether there are any, the largest few, where a walk ends, and several of
//! those at once are all summaries. A summary that has a grade takes infinitely many values; one without is expected to
//! take finitely many.

use crate::algo::union;
use crate::law::{Chain, Stage, Step};
use crate::outcome::{self, Outcome, Stop};
use crate::question::{Goal, View};
use std::rc::Rc;
use tumble_core::prim::{Merge, Shape};
use tumble_core::{Budget, Value};

/// What is kept of everything collected.
pub(crate) trait Summary {
    /// Of nothing.
    fn unit(&self) -> Outcome;
    /// Of one collection.
    fn seen(&self, pool: &Outcome, _: &mut Budget) -> Result<Outcome, Stop> {
        Ok(pool.clone())
    }
    /// Of two collections together, from what was seen of both.
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop>;
    /// What something seen adds to the grade, which begins with 0; none if nothing can be said.
    fn grade(&self, _: &Outcome) -> Option<i64> {
        None
    }
    /// What is known of everything the walk collects beyond a grade.
    fn far(&self, _: &Chain, _: i64) -> Outcome {
        Outcome::Unknown
    }
    /// Whether it does not depend on where a walk would be cut.
    fn never_cut(&self) -> bool {
        false
    }
    /// Whether it may take finitely many values where it has no grade.
    fn finite(&self) -> bool {
        true
    }
}

/// All members, sorted or in the order of the walk.
pub(crate) struct Members {
    pub(crate) ordered: bool,
}

impl Summary for Members {
    fn unit(&self) -> Outcome {
        Outcome::Known(if self.ordered { Value::list(vec![]) } else { Value::ints(&[]) })
    }
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        if self.ordered { union::append(a, b, budget) } else { union::join(a, b, budget) }
    }
    fn grade(&self, seen: &Outcome) -> Option<i64> {
        i64::try_from(outcome::chunk(seen.known()?)?.len()).ok()
    }
    fn far(&self, _: &Chain, bound: i64) -> Outcome {
        Outcome::Larger(u64::try_from(bound).unwrap_or(0))
    }
    fn finite(&self) -> bool {
        false
    }
}

/// The sum of numbers.
pub(crate) struct Sum;

impl Summary for Sum {
    fn unit(&self) -> Outcome {
        Outcome::int(0)
    }
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        outcome::merge(Merge::Add, a, b, budget)
    }
    fn grade(&self, seen: &Outcome) -> Option<i64> {
        seen.as_int()
    }
    fn far(&self, _: &Chain, bound: i64) -> Outcome {
        Outcome::Above { bound, pooled: false, far: None }
    }
    fn finite(&self) -> bool {
        false
    }
}

/// What a row leaves that reduces: `f(A ∪ B) = f(f(A) ∪ f(B))`.
pub(crate) struct Reduced<'s>(pub(crate) &'s Stage);

impl Summary for Reduced<'_> {
    fn unit(&self) -> Outcome {
        Outcome::Known(Value::ints(&[]))
    }
    fn seen(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        outcome::apply(self.0.row, &self.0.with(pool), budget)
    }
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        self.seen(&union::join(a, b, budget)?, budget)
    }
}

/// What was collected last.
pub(crate) struct Last;

impl Summary for Last {
    fn unit(&self) -> Outcome {
        Outcome::Known(Value::NOTHING)
    }
    fn join(&self, _: &Outcome, b: &Outcome, _: &mut Budget) -> Result<Outcome, Stop> {
        Ok(b.clone())
    }
}

/// The product of folds, each after rows that look at every member by itself. Its grade is what the sums and
/// counts among them add up to.
pub(crate) struct Folds<'v> {
    views: &'v [View],
    merges: Vec<Merge>,
}

impl<'v> Folds<'v> {
    /// None if a view is none.
    pub(crate) fn of(views: &'v [View]) -> Option<Folds<'v>> {
        let each = |stage: &Stage| matches!(stage.row.shape, Shape::Filter | Shape::Map { .. });
        let merge = |view: &View| match view.goal {
            Goal::Fold(row) => match row.shape {
                Shape::Fold(merge) if view.stages.iter().all(each) => Some(merge),
                _ => None,
            },
            Goal::Members => None,
        };
        Some(Folds { views, merges: views.iter().map(merge).collect::<Option<_>>()? })
    }

    /// Whether there is any, of what a walk collects that has some grade: what all steps that add to the grade say.
    fn always(&self, walk: &Chain, place: usize) -> Outcome {
        let says = |step: &Step| row(&step.emit).map_or(Outcome::Unknown, |row| row[place].clone());
        let steps = || walk.states.iter().flatten();
        if steps().filter(|step| self.grade(&step.emit) != Some(0)).all(|step| says(step) == truth(true)) {
            truth(true)
        } else if steps().all(|step| says(step) == truth(false)) {
            truth(false)
        } else {
            Outcome::Unknown
        }
    }
}

impl Summary for Folds<'_> {
    fn unit(&self) -> Outcome {
        let none = |merge: &Merge| match merge {
            Merge::Add => Outcome::int(0),
            Merge::Or => truth(false),
        };
        Outcome::Several(self.merges.iter().map(none).collect())
    }
    fn seen(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let row = self.views.iter().map(|view| view.apply(pool, budget)).collect::<Result<Rc<[_]>, Stop>>()?;
        Ok(Outcome::Several(row))
    }
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let (Some(a), Some(b)) = (row(a), row(b)) else { return Ok(Outcome::Unknown) };
        let both = self.merges.iter().zip(a.iter().zip(b)).map(|(how, (a, b))| outcome::merge(*how, a, b, budget));
        Ok(Outcome::Several(both.collect::<Result<Rc<[_]>, Stop>>()?))
    }
    fn grade(&self, seen: &Outcome) -> Option<i64> {
        let sums = self.merges.iter().zip(row(seen)?).filter(|(merge, _)| **merge == Merge::Add);
        let sizes = sums.map(|(_, outcome)| outcome.as_int().filter(|n| *n >= 0)).collect::<Option<Vec<i64>>>()?;
        if sizes.is_empty() { None } else { sizes.into_iter().try_fold(0i64, i64::checked_add) }
    }
    fn far(&self, walk: &Chain, bound: i64) -> Outcome {
        let sums = self.merges.iter().filter(|merge| **merge == Merge::Add).count();
        let beyond = |(place, merge): (usize, &Merge)| match merge {
            Merge::Add if sums == 1 => Outcome::Above { bound, pooled: false, far: None },
            Merge::Add => Outcome::Unknown,
            Merge::Or => self.always(walk, place),
        };
        Outcome::Several(self.merges.iter().enumerate().map(beyond).collect())
    }
    fn never_cut(&self) -> bool {
        self.merges.iter().all(|merge| *merge == Merge::Or)
    }
}

/// The results of several folds.
fn row(outcome: &Outcome) -> Option<&[Outcome]> {
    match outcome {
        Outcome::Several(row) => Some(row),
        _ => None,
    }
}

fn truth(b: bool) -> Outcome {
    Outcome::Known(Value::bool(b))
}
