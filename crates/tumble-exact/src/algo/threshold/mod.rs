//! The sum or count of the k largest or smallest of everything, or of all but those.
//!
//! Meaning: `sum(largest(k, A))`, `count(more(3, but_least(k, A)))`: a row that takes k members from one end, or leaves
//! them out, then rows that look at each member by itself, then a fold by addition, so that every member has a worth.
//! Parts may be collections of any size, and loops.
//!
//! Let v be the threshold, the k-th member from the end. Each part shows how many of its members come before v, how many
//! show v, and the worth of those that stay for certain ([`part`]). With the generating function of that worth
//! ([`series`]), a part is a table by the two counts, and tables of independent parts are joined like polynomials, where
//! more than k members in all are not told apart; copies by doubling. Members that show v and are too many are not taken,
//! and their worth is added where they stay. The answer is the sum over all v of the cells with exactly k members up to v,
//! and of those with fewer than k at all.
//!
//! The generating functions are cut off where a loop is not listed further; the same once more with mass, mean and mean
//! square gives the moments of the rest. Cost: faces × logarithm of the copies × k^4/8 products of series.

mod kept;
mod part;
mod series;

use crate::algo::walk::moments::Means;
use crate::dist::{Dist, Pile};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{Outcome, Stop};
use crate::price::{Price, Worth, members, one_look, worth};
use crate::question::{Goal, Question};
use crate::weight::bits;
use dashu_int::UBig;
use kept::Kept;
use part::{ByNear, Split};
use series::{Series, Sums};
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::{Budget, Limits, Value};

/// Longer series than this, or longer numbers in them, are not made.
const MOST_RANGE: i64 = 100_000;
const MOST_BITS: u64 = 200_000;

/// Sums of the largest or smallest few, or of the others, of parts of any kind.
pub static METHOD: Method = Method {
    name: "cutoffs",
    does: "takes each face in turn as the border between kept and dropped dice",
    answers: Answers::Cheapest(Row { price, run }),
};

/// What is asked; none if it is of another kind.
fn asks(question: &Question<'_>) -> Option<Kept> {
    question.view().and_then(Kept::of).filter(|_| !question.bunch.parts.is_empty())
}

/// The distribution of the sum or count.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let (bunch, Some(question)) = (question.bunch, asks(question)) else { return Ok(None) };
    let mut parts = Vec::with_capacity(bunch.parts.len());
    for part in &bunch.parts {
        let Some(split) = part::of(desk, &question, &part.source)? else { return Ok(None) };
        parts.push((split, part.times));
    }
    let Some(table) = Table::of(question, &parts, &mut desk.budget) else { return Ok(None) };
    let sums = table.all(&parts, |split| split.series(table.complete), &mut desk.budget)?;
    let mut dist = table.dist(sums, &parts);
    if table.complete.is_some() {
        let Means { mean, square, .. } = table.all(&parts, Split::moments, &mut desk.budget)?;
        crate::tailed::complete(&mut dist, &mean, &square);
    }
    Ok(Some(Found::One(dist)))
}

/// Tables by how many members come before the threshold and at it.
type Cells<S> = BTreeMap<(usize, usize), S>;

/// A threshold, if k members are reached at all, and the worth of a member there.
type Threshold<'v> = Option<(&'v Value, i64)>;

struct Table {
    question: Kept,
    /// Every member that may be taken, with its worth.
    faces: BTreeMap<Value, i64>,
    /// Every answer up to this is complete; none if all are.
    complete: Option<i64>,
}

impl Table {
    /// None if the numbers are too far apart, or too long.
    fn of(question: Kept, parts: &[(Split, u64)], budget: &mut Budget) -> Option<Table> {
        let taken: BTreeSet<&Value> = parts.iter().flat_map(|(split, _)| split.taken()).collect();
        let mut faces = BTreeMap::new();
        for face in taken {
            let pool = Outcome::Known(Value::pool(vec![face.clone()]));
            faces.insert(face.clone(), question.worth(&pool, budget)?);
        }
        let (mut low, mut high, mut long) = (0i64, 0i64, 0u64);
        for (split, times) in parts {
            let copies = i64::try_from(*times).ok()?;
            let (least, most) = split.range()?;
            low = low.checked_add(least.checked_mul(copies)?)?;
            high = high.checked_add(most.checked_mul(copies)?)?;
            long = long.checked_add(times.checked_mul(bits(&split.den))?)?;
        }
        let ends = faces.values().fold((0, 0), |(least, most), worth| (least.min(*worth), most.max(*worth)));
        let kept = i64::try_from(question.count).ok()?;
        let complete = match parts.iter().any(|(split, _)| split.complete.is_some()) {
            true => Some(complete(parts, low, kept.checked_mul(ends.1)?)?),
            false => None,
        };
        let positive = ends.0 >= 0 && parts.iter().all(|(split, _)| split.rests(&faces).all(|rest| rest >= 0));
        let range = complete.unwrap_or(if question.drops { high - low } else { (ends.1 - ends.0) * kept });
        let fits = range <= MOST_RANGE && long <= MOST_BITS && (complete.is_none() || positive);
        fits.then_some(Table { question, faces, complete })
    }

    /// The sums of all answers.
    fn all<S: Sums>(
        &self,
        parts: &[(Split, u64)],
        laws: impl Fn(&Split) -> ByNear<S>,
        budget: &mut Budget,
    ) -> Result<S, Stop> {
        let laws: Vec<(ByNear<S>, u64)> = parts.iter().map(|(split, times)| (laws(split), *times)).collect();
        let mut total = S::zero();
        let thresholds = self.faces.iter().map(|(face, worth)| Some((face, *worth)));
        for threshold in thresholds.chain([None]) {
            let mut cells = Cells::from([((0, 0), S::one())]);
            for (law, times) in &laws {
                let once = self.cells(law, threshold, budget)?;
                cells = self.with_copies(cells, once, *times, threshold, budget)?;
            }
            for ((before, here), sums) in cells {
                match threshold {
                    Some((_, worth)) if before + here == self.question.count => {
                        let kept = if self.question.drops { 0 } else { here as i64 };
                        total.add(&sums.moved(kept * worth));
                    }
                    Some(_) => {}
                    None => total.add(&sums),
                }
            }
        }
        Ok(total)
    }

    /// One part, by its members before the threshold and at it.
    fn cells<S: Sums>(&self, law: &ByNear<S>, threshold: Threshold<'_>, budget: &mut Budget) -> Result<Cells<S>, Stop> {
        let mut cells = Cells::new();
        for (near, sums) in law {
            budget.step(5 + near.len() as u64 + sums.size() / 4)?;
            let is_before =
                |face: &Value| threshold.is_none_or(|(v, _)| if self.question.top { face > v } else { face < v });
            let before = near.iter().take_while(|face| is_before(face)).count();
            let here = near[before..].iter().take_while(|face| threshold.is_some_and(|(v, _)| *face == v)).count();
            if before >= self.question.count {
                continue;
            }
            let worth = |faces: &[Value]| faces.iter().filter_map(|face| self.faces.get(face)).sum::<i64>();
            let moved = if self.question.drops { -worth(&near[..before + here]) } else { worth(&near[..before]) };
            cells.entry((before, here)).or_insert_with(S::zero).add(&sums.clone().moved(moved));
        }
        Ok(cells)
    }

    /// Both together; more members than the question needs are not told apart.
    fn joined<S: Sums>(
        &self,
        left: &Cells<S>,
        right: &Cells<S>,
        threshold: Threshold<'_>,
        budget: &mut Budget,
    ) -> Result<Cells<S>, Stop> {
        let mut cells = Cells::new();
        for ((a, b), x) in left {
            for ((c, d), y) in right.iter().filter(|((c, _), _)| a + c < self.question.count) {
                budget.step(8 + x.price(y))?;
                let (before, here) = (a + c, b + d);
                let most = here.min(self.question.count - before);
                let spare = if self.question.drops { (here - most) as i64 } else { 0 };
                let product = x.times(y).moved(spare * threshold.map_or(0, |(_, worth)| worth));
                cells.entry((before, most)).or_insert_with(S::zero).add(&product);
            }
        }
        Ok(cells)
    }

    /// The cells together with so many copies of others.
    fn with_copies<S: Sums>(
        &self,
        cells: Cells<S>,
        once: Cells<S>,
        times: u64,
        threshold: Threshold<'_>,
        budget: &mut Budget,
    ) -> Result<Cells<S>, Stop> {
        let (mut result, mut square, mut left) = (cells, once, times);
        while left > 0 {
            if left % 2 == 1 {
                result = self.joined(&result, &square, threshold, budget)?;
            }
            left /= 2;
            if left > 0 {
                square = self.joined(&square, &square, threshold, budget)?;
            }
        }
        Ok(result)
    }

    fn dist(&self, sums: Series, parts: &[(Split, u64)]) -> Dist {
        let power = |(split, times): &(Split, u64)| split.den.pow(usize::try_from(*times).unwrap_or(usize::MAX));
        let den: UBig = parts.iter().map(power).product();
        let mut listed = UBig::ZERO;
        let mut pile = Pile::default();
        for (n, weight) in sums.items() {
            if self.complete.is_none_or(|complete| n <= complete) {
                listed += &weight;
                pile.add(Outcome::int(n), &weight);
            }
        }
        if let Some(bound) = self.complete {
            pile.add(Outcome::Above { bound, pooled: false, far: None }, &(&den - listed));
        }
        pile.over(den)
    }
}

/// What every answer below is listed for: with one part beyond its list, all others are worth what they
/// are worth at least, and what is left out is worth no more than `gone`.
fn complete(parts: &[(Split, u64)], low: i64, gone: i64) -> Option<i64> {
    let open = parts.iter().filter_map(|(split, _)| Some((split.complete?, split.range()?.0)));
    let edges = open.map(|(bound, least)| bound.checked_sub(least)?.checked_add(low)?.checked_sub(gone));
    edges.collect::<Option<Vec<i64>>>()?.into_iter().min()
}

/// Faces × doublings × products of series, one for each pair of cells.
fn price(question: &Question<'_>) -> Option<Price> {
    let (bunch, view) = (question.bunch, question.view()?);
    let (question, Goal::Fold(row)) = (asks(question)?, &view.goal) else { return None };
    let (kept, mut budget) = (question.count as f64, Budget::new(Limits::default()));
    let (mut spread, mut long, mut joins) = (0.0, 0.0, 0.0);
    for (Worth { spread: each, bits, .. }, part) in worth(bunch, row)?.into_iter().zip(&bunch.parts) {
        spread += each * part.times as f64;
        long += bits * part.times as f64;
        joins += 2.0 * (part.times as f64 + 1.0).log2().ceil() + 1.0;
    }
    let faces = members(bunch);
    let each = |face: &&Value| question.worth(&Outcome::Known(Value::pool(vec![Value::clone(face)])), &mut budget);
    let worths: Vec<i64> = faces.iter().filter_map(each).collect();
    let end = |worth: Option<&i64>| worth.map_or(0.0, |worth| *worth as f64);
    let apart = end(worths.iter().max()).max(0.0) - end(worths.iter().min()).min(0.0);
    let (kinds, range) = (faces.len() as f64 + 1.0, if question.drops { spread } else { apart * kept } + 2.0);
    let cells = kept * (kept + 3.0) / 2.0;
    let words = long / 64.0;
    let product = 5.0 + range * range * (21.0 + words * words) / 25.0;
    let looks = kinds * one_look(bunch)? * 2.0;
    Some(Price { steps: looks + kinds * joins * cells * cells * product, bytes: cells * range * (48.0 + long / 8.0) })
}
