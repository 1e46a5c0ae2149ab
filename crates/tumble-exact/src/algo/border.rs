//! The sum or count of the k largest or smallest of everything, or of all but those.
//!
//! Meaning: `sum(largest(k, A))`, `count(more(3, but_least(k, A)))`: a row that takes k members from
//! one end, or leaves them out, then rows that look at each member by itself, then a fold by addition,
//! so that every member has a worth. Parts may be collections of any size, and loops.
//!
//! Let v be the border, the k-th member from the end. Each part tells how many of its members stand
//! before v, how many show v, and the worth of those that stay for certain. With [`Sums`] in place of
//! that worth, a part is a table by the two counts, and tables of independent parts are joined like
//! polynomials, where more than k members in all are not told apart; copies by doubling. Members that
//! show v and are too many are not taken, and their worth is added where they stay. The answer is the
//! sum over all v of the cells with exactly k members up to v, and of those with fewer than k at all.
//!
//! The sums are series, cut off where a loop is not listed further; the same once more with mass, mean
//! and mean square gives the moments of the rest. Cost: faces × logarithm of the copies × k^4/8 products
//! of series.

use crate::algo::power;
use crate::algo::split::{self, Split};
use crate::algo::sums::{Series, Sums};
use crate::dist::{Dist, Pile};
use crate::law::{Bunch, Stage};
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Goal, View};
use crate::weight::bits;
use dashu_int::UBig;
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::prim::{self, Merge, Shape};
use tumble_core::{Budget, Value};

/// More members than this are not taken from an end.
const MOST_TAKEN: usize = 12;
/// Longer series than this, or longer numbers in them, are not made.
const MOST_RANGE: i64 = 100_000;
const MOST_BITS: u64 = 200_000;

/// What is asked.
pub(crate) struct Question {
    /// `largest` or `least`, the members at the end.
    pub(crate) near: Stage,
    count: usize,
    top: bool,
    /// Whether those members are left out.
    pub(crate) drops: bool,
    /// What is done with the members that stay.
    rest: View,
}

impl Question {
    fn of(view: &View) -> Option<Question> {
        let Goal::Fold(row) = view.goal else { return None };
        let (first, rest) = view.stages.split_first()?;
        let each = |stage: &Stage| matches!(stage.row.shape, Shape::Filter | Shape::Map { .. } | Shape::Forget);
        if !matches!(row.shape, Shape::Fold(Merge::Add)) || !rest.iter().all(each) {
            return None;
        }
        let (row, top, drops) = match first.row {
            row if *row == prim::LARGEST => (&prim::LARGEST, true, false),
            row if *row == prim::LEAST => (&prim::LEAST, false, false),
            row if *row == prim::BUT_LARGEST => (&prim::LARGEST, true, true),
            row if *row == prim::BUT_LEAST => (&prim::LEAST, false, true),
            _ => return None,
        };
        let count = usize::try_from(first.args[0].as_int()?).ok()?;
        let near = Stage { row, args: first.args.clone() };
        let rest = View { stages: rest.to_vec(), goal: view.goal.clone() };
        (1..=MOST_TAKEN).contains(&count).then_some(Question { near, count, top, drops, rest })
    }

    /// What a collection adds if all of it stays; none if that is no number.
    pub(crate) fn worth(&self, pool: &Outcome, budget: &mut Budget) -> Option<i64> {
        let worth = self.rest.apply(pool, budget).ok()?.as_int()?;
        (worth.unsigned_abs() < 1 << 31).then_some(worth)
    }
}

/// The distribution of the sum or count.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, view: &View) -> Result<Option<Dist>, Stop> {
    let Some(question) = Question::of(view).filter(|_| !bunch.parts.is_empty()) else { return Ok(None) };
    let mut parts = Vec::with_capacity(bunch.parts.len());
    for part in &bunch.parts {
        let Some(split) = split::of(desk, &question, &part.source)? else { return Ok(None) };
        parts.push((split, part.times));
    }
    let Some(table) = Table::of(question, &parts, &mut desk.budget) else { return Ok(None) };
    let sums = table.all(&parts, Split::series, &table.complete, &mut desk.budget)?;
    let mut dist = table.dist(sums, &parts);
    if table.complete.is_some() {
        let moments = table.all(&parts, Split::moments, &(), &mut desk.budget)?;
        if let Some(moments) = moments {
            power::complete(&mut dist, &moments.mean, &moments.square);
        }
    }
    Ok(Some(dist))
}

/// A part by the members at its end, which come from the end inwards.
pub(crate) type ByNear<S> = Vec<(Vec<Value>, S)>;

/// Tables by how many members stand before the border and at it.
type Cells<S> = BTreeMap<(usize, usize), S>;

/// A border, if k members are reached at all, and the worth of a member there.
type Border<'v> = Option<(&'v Value, i64)>;

struct Table {
    question: Question,
    /// Every member that may be taken, with its worth.
    faces: BTreeMap<Value, i64>,
    /// Every answer up to this is complete; none if all are.
    complete: Option<i64>,
}

impl Table {
    /// None if the numbers stand too far apart, or are too long.
    fn of(question: Question, parts: &[(Split, u64)], budget: &mut Budget) -> Option<Table> {
        let taken: BTreeSet<&Value> = parts.iter().flat_map(|(split, _)| split.taken()).collect();
        let mut faces = BTreeMap::new();
        for face in taken {
            let pool = Outcome::Known(Value::pool(vec![face.clone()]));
            faces.insert(face.clone(), question.worth(&pool, budget)?);
        }
        let mut long = 0u64;
        let (mut low, mut high) = (0i64, 0i64);
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

    /// The sums of all answers; none if there are none.
    fn all<S: Sums>(
        &self,
        parts: &[(Split, u64)],
        laws: impl Fn(&Split) -> ByNear<S>,
        room: &S::Room,
        budget: &mut Budget,
    ) -> Result<Option<S>, Stop> {
        let laws: Vec<(ByNear<S>, u64)> = parts.iter().map(|(split, times)| (laws(split), *times)).collect();
        let mut total: Option<S> = None;
        let borders = self.faces.iter().map(|(face, worth)| Some((face, *worth)));
        for border in borders.chain([None]) {
            let mut cells: Option<Cells<S>> = None;
            for (law, times) in &laws {
                let once = self.cells(law, border, budget)?;
                let copies = self.copies(once, *times, border, room, budget)?;
                cells = Some(match cells {
                    Some(cells) => self.joined(&cells, &copies, border, room, budget)?,
                    None => copies,
                });
            }
            for ((before, here), sums) in cells.into_iter().flatten() {
                let found = match border {
                    Some((_, worth)) if before + here == self.question.count => {
                        let kept = if self.question.drops { 0 } else { here as i64 };
                        sums.moved(kept * worth)
                    }
                    Some(_) => continue,
                    None => sums,
                };
                match &mut total {
                    Some(total) => total.add(&found),
                    None => total = Some(found),
                }
            }
        }
        Ok(total)
    }

    /// One part, by its members before the border and at it.
    fn cells<S: Sums>(&self, law: &ByNear<S>, border: Border<'_>, budget: &mut Budget) -> Result<Cells<S>, Stop> {
        let mut cells = Cells::new();
        for (near, sums) in law {
            budget.step(5 + near.len() as u64 + sums.size() / 4)?;
            let is_before =
                |face: &Value| border.is_none_or(|(v, _)| if self.question.top { face > v } else { face < v });
            let before = near.iter().take_while(|face| is_before(face)).count();
            let here = near[before..].iter().take_while(|face| border.is_some_and(|(v, _)| *face == v)).count();
            if before >= self.question.count {
                continue;
            }
            let worth = |faces: &[Value]| faces.iter().filter_map(|face| self.faces.get(face)).sum::<i64>();
            let moved = if self.question.drops { -worth(&near[..before + here]) } else { worth(&near[..before]) };
            put(&mut cells, (before, here), sums.clone().moved(moved));
        }
        Ok(cells)
    }

    /// Both together; more members than the question needs are not told apart.
    fn joined<S: Sums>(
        &self,
        left: &Cells<S>,
        right: &Cells<S>,
        border: Border<'_>,
        room: &S::Room,
        budget: &mut Budget,
    ) -> Result<Cells<S>, Stop> {
        let mut cells = Cells::new();
        for ((a, b), x) in left {
            for ((c, d), y) in right.iter().filter(|((c, _), _)| a + c < self.question.count) {
                budget.step(8 + x.price(y, room))?;
                let (before, here) = (a + c, b + d);
                let most = here.min(self.question.count - before);
                let spare = if self.question.drops { (here - most) as i64 } else { 0 };
                let product = x.times(y, room).moved(spare * border.map_or(0, |(_, worth)| worth));
                put(&mut cells, (before, most), product);
            }
        }
        Ok(cells)
    }

    fn copies<S: Sums>(
        &self,
        once: Cells<S>,
        times: u64,
        border: Border<'_>,
        room: &S::Room,
        budget: &mut Budget,
    ) -> Result<Cells<S>, Stop> {
        let (mut result, mut square, mut left) = (Cells::from([((0, 0), S::one())]), once, times);
        while left > 0 {
            if left % 2 == 1 {
                result = self.joined(&result, &square, border, room, budget)?;
            }
            left /= 2;
            if left > 0 {
                square = self.joined(&square, &square, border, room, budget)?;
            }
        }
        Ok(result)
    }

    fn dist(&self, sums: Option<Series>, parts: &[(Split, u64)]) -> Dist {
        let power = |(split, times): &(Split, u64)| split.den.pow(usize::try_from(*times).unwrap_or(usize::MAX));
        let den: UBig = parts.iter().map(power).product();
        let mut listed = UBig::ZERO;
        let mut pile = Pile::default();
        for (n, weight) in sums.into_iter().flat_map(Series::items) {
            if self.complete.is_none_or(|complete| n <= complete) {
                listed += &weight;
                pile.add(Outcome::int(n), &weight);
            }
        }
        if let Some(bound) = self.complete {
            pile.add(Outcome::Above { bound, pooled: false, moments: None }, &(&den - listed));
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

fn put<S: Sums>(cells: &mut Cells<S>, place: (usize, usize), sums: S) {
    match cells.get_mut(&place) {
        Some(cell) => cell.add(&sums),
        None => drop(cells.insert(place, sums)),
    }
}
