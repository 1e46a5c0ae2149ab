//! Mass, mean and mean square of a number that adds up along a walk, without listing it.
//!
//! The three are the first terms of the moment generating function `Σ weight · e^(number · t)`. Such series form a ring
//! when cut off after t²: for independent X and Y, the product is the series of X + Y. So the linear system of the walk is
//! solved once in that ring, and gives all three at every end.

use crate::algo::walk::flow::Places;
use crate::algo::walk::linear::{self, Closed, Edges, Ring};
use crate::algo::walk::summary::Summary;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::{Chain, Step};
use crate::outcome::{self, Outcome, Stop};
use crate::tailed::complete;
use crate::tailed::{Far, Tailed};
use crate::weight::bits;
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::{Budget, Value};

/// Longer periods than this are no tail worth keeping.
const MOST_PERIOD: i64 = 10_000;
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

/// Gives the unlisted part of a sum its law.
pub(crate) fn with_moments(mut dist: Dist, walk: &Chain, budget: &mut Budget) -> Result<Dist, Stop> {
    if dist.items.iter().any(|(outcome, _)| outcome.beyond().is_some())
        && let Some(means) = of_sum(walk, budget)?
    {
        complete(&mut dist, &means.mean, &means.square);
        fall_off(&mut dist, walk);
    }
    Ok(dist)
}

/// Gives the unlisted part of a sum its tail, if the last period of what is listed repeats itself beyond.
fn fall_off(dist: &mut Dist, walk: &Chain) -> Option<()> {
    let (period, ratio, longest) = falls_by(walk)?;
    let (Outcome::Above { bound, far: Some(law), .. }, _) = dist.items.last()? else { return None };
    let first = bound.checked_sub(period - 1).filter(|first| *first > longest)?;
    let weight = |n: i64| {
        let place = dist.items.binary_search_by(|(outcome, _)| outcome.cmp(&Outcome::int(n)));
        place.map_or(UBig::ZERO, |place| dist.items[place].1.clone())
    };
    let tail = Far::falling(*bound, &Tailed::beyond((first..=*bound).map(weight).collect(), &ratio)?)?;
    let law = law.with_tail_of(&tail);
    let (outcome, _) = dist.items.last_mut()?;
    *outcome = outcome.clone().with_law(Some(law));
    Some(())
}

/// By how much the sum of a walk falls off, after how much, and the longest sum before that. With one state to stay in, where
/// each stay adds the same p with chance r, and no other way back, the generating function of the sum is
/// `D(x) + B(x) / (1 − r·x^p)`, where D and B are those of the ways past that state and through it. An exploding die is one
/// such state; a penetrating one has another for its first roll.
fn falls_by(walk: &Chain) -> Option<(i64, Fraction, i64)> {
    let stays = |(state, steps): (usize, &'_ Vec<Step>)| steps.iter().any(|step| step.next == Some(state));
    let mut looping = walk.states.iter().enumerate().filter(|(state, steps)| stays((*state, *steps)));
    let (Some((state, steps)), None) = (looping.next(), looping.next()) else { return None };
    let on = || steps.iter().filter(|step| step.next == Some(state));
    let period = on().next()?.emit.as_int().filter(|period| (1..=MOST_PERIOD).contains(period))?;
    if on().any(|step| step.emit.as_int() != Some(period)) {
        return None;
    }
    let ratio = Fraction::part(&on().map(|step| &step.weight).sum(), &walk.den);
    // The longest ways to the end, once for each state they can have; if they still grow then, there is a way back.
    let mut longest = vec![i64::MIN; walk.states.len()];
    for _ in 0..=walk.states.len() {
        let before = longest.clone();
        for (state, steps) in walk.states.iter().enumerate() {
            let way = |step: &Step| match step.next {
                Some(next) if next == state || before[next] == i64::MIN => Some(i64::MIN),
                Some(next) => step.emit.as_int()?.checked_add(before[next]),
                None => step.emit.as_int(),
            };
            longest[state] = steps.iter().map(way).collect::<Option<Vec<_>>>()?.into_iter().max()?;
        }
        if longest == before {
            return Some((period, ratio, longest[walk.start]));
        }
    }
    None
}
