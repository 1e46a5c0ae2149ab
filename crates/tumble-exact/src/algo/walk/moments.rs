//! Mass, mean and mean square of a number that adds up along a walk, without listing it.
//!
//! The three are the first terms of the moment generating function `Σ weight · e^(number · t)`. Such series form a ring
//! when cut off after t²: for independent X and Y, the product is the series of X + Y. So the linear system of the walk is
//! solved once in that ring, and gives all three at every end.

use crate::algo::complete::complete;
use crate::algo::walk::flow::Places;
use crate::algo::walk::linear::{self, Closed, Edges, Ring};
use crate::algo::walk::summary::Summary;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::Chain;
use crate::outcome::{self, Outcome, Stop};
use crate::tailed::Tail;
use crate::weight::bits;
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::{Budget, Value};

/// Longer periods than this, or ends more periods apart, are no tail worth keeping.
const MOST_PERIOD: i64 = 10_000;
const MOST_PERIODS: usize = 1_000;
/// More states than this are not solved for moments.
const MOST_STATES: usize = 200;

/// Mass, mean and mean square, the last two times the mass.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    pub(crate) mass: Fraction,
    pub(crate) mean: Fraction,
    pub(crate) square: Fraction,
}

impl Means {
    /// One number with a chance.
    pub(crate) fn of(number: i64, mass: Fraction) -> Means {
        let mean = &Fraction::whole(number) * &mass;
        Means { square: &Fraction::whole(number) * &mean, mean, mass }
    }
}

impl Ring for Means {
    fn zero() -> Means {
        Means::of(0, Fraction::zero())
    }
    fn one() -> Means {
        Means::of(0, Fraction::one())
    }
    fn is_zero(&self) -> bool {
        [&self.mass, &self.mean, &self.square].into_iter().all(Fraction::is_zero)
    }
    fn add(&mut self, other: &Means) {
        self.mass.add(&other.mass);
        self.mean.add(&other.mean);
        self.square.add(&other.square);
    }
    fn times(&self, other: &Means) -> Means {
        let both = &self.mean * &other.mean;
        let own = &(&self.square * &other.mass) + &(&self.mass * &other.square);
        Means {
            mass: &self.mass * &other.mass,
            mean: &(&self.mean * &other.mass) + &(&self.mass * &other.mean),
            square: &own + &(&both + &both),
        }
    }
}

impl Closed for Means {
    fn closure(&self) -> Option<Means> {
        let mass = Closed::closure(&self.mass)?;
        let mean = &(&self.mean * &mass) * &mass;
        let own = &(&self.square * &mass) * &mass;
        let both = &(&self.mean * &mean) * &mass;
        Some(Means { mass, mean, square: &own + &(&both + &both) })
    }
    fn long(&self) -> u64 {
        bits(self.square.denominator())
    }
}

/// Mass and moments of a number that adds up along a walk, by a summary of what it collects that takes finitely many
/// values; none if those are too many, or a step adds no number.
pub(crate) fn by_summary(
    walk: &Chain,
    summary: &dyn Summary,
    number: &dyn Fn(&Outcome) -> Option<i64>,
    budget: &mut Budget,
) -> Result<Option<Vec<(Outcome, Means)>>, Stop> {
    let mut nodes = Places::default();
    nodes.of((walk.start, summary.unit()));
    let mut edges: Vec<Edges<Means>> = Vec::new();
    let mut ends: Vec<(usize, Outcome, Means)> = Vec::new();
    while let Some((state, so_far)) = nodes.all.get(edges.len()).cloned() {
        let mut out = Edges::new();
        for step in &walk.states[state] {
            budget.step(20 + 2 * outcome::size(&so_far))?;
            let Some(n) = number(&step.emit) else { return Ok(None) };
            let weight = Means::of(n, Fraction::part(&step.weight, &walk.den));
            let value = summary.join(&so_far, &step.emit, budget)?;
            match step.next {
                Some(next) => out.push((nodes.of((next, value)), weight)),
                None => ends.push((edges.len(), value, weight)),
            }
        }
        if nodes.all.len() > MOST_STATES {
            return Ok(None);
        }
        edges.push(out);
    }
    let mut start = vec![Means::zero(); edges.len()];
    start[0] = Means::one();
    let visits = linear::visits(&edges, start, budget)?;
    let mut found: BTreeMap<Outcome, Means> = BTreeMap::new();
    for (node, value, weight) in ends {
        found.entry(value).or_insert_with(Means::zero).add(&visits[node].times(&weight));
    }
    Ok(Some(found.into_iter().collect()))
}

/// Where it does not matter what was collected.
struct Nothing;

impl Summary for Nothing {
    fn unit(&self) -> Outcome {
        Outcome::Known(Value::NOTHING)
    }
    fn join(&self, a: &Outcome, _: &Outcome, _: &mut Budget) -> Result<Outcome, Stop> {
        Ok(a.clone())
    }
}

/// Up to where one number must be listed so that the sum of `times` independent ones is, but for next to nothing: what
/// one adds beyond its smallest comes `times` in a sum, up to eight standard deviations above its mean.
pub(crate) fn reach(means: &Means, low: i64, times: u64) -> i64 {
    let (n, mean) = (times as f64, means.mean.to_f64());
    let deviation = (means.square.to_f64() - mean * mean).max(0.0).sqrt();
    // Saturates, which is as far as anything is.
    (low as f64 + n * (mean - low as f64) + 8.0 * deviation * n.sqrt()) as i64
}

/// Mass and moments of the sum of a walk that collects numbers.
pub(crate) fn of_sum(walk: &Chain, budget: &mut Budget) -> Result<Option<Means>, Stop> {
    let all = by_summary(walk, &Nothing, &Outcome::as_int, budget)?;
    Ok(all.and_then(|all| all.into_iter().next()).map(|(_, means)| means))
}

/// Gives the unlisted part of a sum its mean and mean square.
pub(crate) fn with_moments(mut dist: Dist, walk: &Chain, budget: &mut Budget) -> Result<Dist, Stop> {
    let far = |(outcome, _): &(Outcome, UBig)| matches!(outcome, Outcome::Above { .. } | Outcome::Below { .. });
    if dist.items.iter().any(far)
        && let Some(means) = of_sum(walk, budget)?
    {
        complete(&mut dist, &means.mean, &means.square);
        fall_off(&mut dist, walk);
    }
    Ok(dist)
}

/// Gives the unlisted part of a sum its tail, if there is one.
fn fall_off(dist: &mut Dist, walk: &Chain) {
    for (outcome, _) in &mut dist.items {
        if let Outcome::Above { bound, moments: Some(moments), .. } = outcome
            && let Some(tail) = tail_beyond(walk, *bound)
        {
            *moments = moments.with_tail(tail);
        }
    }
}

/// How a sum falls off beyond a bound, if the walk has one state and every step that goes on adds the same number p:
/// an end e is reached as `e + m·p` with the chance `w(e) · r^m`, so beyond the last end each period is r times the one
/// before.
fn tail_beyond(walk: &Chain, bound: i64) -> Option<Tail> {
    let [steps] = walk.states.as_slice() else { return None };
    let (on, ends): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.next.is_some());
    let period = on.first()?.emit.as_int().filter(|period| *period > 0)?;
    if period > MOST_PERIOD || on.iter().any(|step| step.emit.as_int() != Some(period)) {
        return None;
    }
    let less: UBig = on.iter().map(|step| &step.weight).sum();
    // The first number beyond the bound that each end leads to, and after how many periods.
    let place = |e: i64| {
        let j = e.checked_sub(bound)?.checked_sub(1)?.rem_euclid(period);
        let periods = bound.checked_add(1)?.checked_add(j)?.checked_sub(e)? / period;
        Some((usize::try_from(j).ok()?, usize::try_from(periods).ok()?))
    };
    let ends = ends.iter().map(|step| {
        let e = step.emit.as_int().filter(|e| *e <= bound.saturating_add(period))?;
        place(e).map(|(j, periods)| (j, periods, &step.weight))
    });
    let ends = ends.collect::<Option<Vec<_>>>()?;
    let (least, most) = (ends.iter().map(|end| end.1).min()?, ends.iter().map(|end| end.1).max()?);
    if most - least > MOST_PERIODS {
        return None;
    }
    let mut first = vec![UBig::ZERO; usize::try_from(period).ok()?];
    for (j, periods, weight) in ends {
        first[j] += weight * less.pow(periods - least) * walk.den.pow(most - periods);
    }
    Tail::new(first, Fraction::part(&less, &walk.den))
}
