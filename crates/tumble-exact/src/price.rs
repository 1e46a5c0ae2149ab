//! What prices are made of: how much there is to go through in a collection in parts.
//!
//! A price is a bound from closed forms, known before a method starts: the method never takes more than a small multiple of
//! it, and of what it states not a small part only; tests hold both. A loop inside a question has its own line in the
//! record, so its steps are not part of the price; where the question depends on what a loop gives, there is no price.

use crate::explain::Cost;
use crate::law::{Bunch, Part, Source};
use crate::outcome::{self, Outcome};
use crate::question::View;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use tumble_core::prim::Prim;
use tumble_core::sort;
use tumble_core::{Budget, Limits, Value};

/// Steps, and the most bytes held at once.
#[derive(Clone, Copy, Default)]
pub(crate) struct Price {
    pub(crate) steps: f64,
    pub(crate) bytes: f64,
}

impl Price {
    /// In whole numbers.
    pub(crate) fn told(self) -> Cost {
        Cost { steps: whole(self.steps), bytes: whole(self.bytes) }
    }
}

fn whole(n: f64) -> u64 {
    n.ceil().min(u64::MAX as f64) as u64
}

/// Steps for one operation on numbers of so many bits.
pub(crate) fn operation(bits: f64) -> f64 {
    cost_of(whole(bits)) as f64
}

/// `C(n + k, k)`, about.
pub(crate) fn choose(n: f64, k: f64) -> f64 {
    choose_up_to(n, k, 1e300)
}

/// The same, if it is less than this; otherwise this.
pub(crate) fn choose_up_to(n: f64, k: f64, most: f64) -> f64 {
    let (few, many) = if n < k { (n, k) } else { (k, n) };
    let mut ways = 1.0;
    let mut i = 1.0;
    while i <= few && ways < most {
        ways *= (many + i) / i;
        i += 1.0;
    }
    ways.min(most)
}

/// The collections one part can give: how many, and the most members of one; none for a loop.
pub(crate) fn outcomes(part: &Part) -> Option<(f64, f64)> {
    let Source::Each(dist) = &part.source else { return None };
    let members = dist.items.iter().map(|(outcome, _)| outcome::size(outcome)).max();
    Some((dist.items.len() as f64, members.map_or(1.0, |most| most as f64)))
}

/// How many collections the parts can give together; none with loops.
pub(crate) fn collections(bunch: &Bunch) -> Option<f64> {
    bunch.parts.iter().try_fold(1.0, |all, part| Some(all * choose(outcomes(part)?.0 - 1.0, part.times as f64)))
}

/// Steps to look at every outcome of every part once.
pub(crate) fn one_look(bunch: &Bunch) -> Option<f64> {
    let look = |part: &Part| outcomes(part).map(|(count, size)| count * (6.0 + 2.0 * size));
    bunch.parts.iter().try_fold(0.0, |sum, part| Some(sum + look(part)?))
}

/// Steps to show a collection of so many members to the views.
pub(crate) fn looks(views: &[View], members: f64) -> f64 {
    let rows: usize = views.iter().map(|view| view.stages.len() + 1).sum();
    10.0 + (2.0 + rows as f64) * (members + 4.0)
}

/// What a part is worth under a fold by addition.
pub(crate) struct Worth {
    /// How many different numbers.
    pub(crate) count: f64,
    /// How far apart they are.
    pub(crate) spread: f64,
    /// The bits of their denominator.
    pub(crate) bits: f64,
    /// The numbers in order with their weights, which is none for one that others lie beyond.
    pub(crate) numbers: Vec<(i64, UBig)>,
}

/// What each part is worth; none with loops, and where that is not known.
pub(crate) fn worth(bunch: &Bunch, row: &Prim) -> Option<Vec<Worth>> {
    let mut budget = Budget::new(Limits::default());
    let mut one = |part: &Part| {
        let Source::Each(dist) = &part.source else { return None };
        let mut numbers: Vec<(i64, UBig)> = Vec::new();
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => {
                    let number = (row.apply)(std::slice::from_ref(value), &mut budget).ok()?.as_int()?;
                    numbers.push((number, weight.clone()));
                }
                Outcome::Above { bound, .. } | Outcome::Below { bound, .. } => numbers.push((*bound, UBig::ZERO)),
                _ => {}
            }
        }
        sort::by_key(&mut numbers, |(number, _)| *number);
        numbers.dedup_by(|(more, weight), (number, sum)| {
            let same = more == number;
            if same {
                *sum += &*weight;
            }
            same
        });
        let spread = numbers.last()?.0 as f64 - numbers.first()?.0 as f64;
        Some(Worth { count: numbers.len() as f64, spread, bits: bits(&dist.den) as f64, numbers })
    };
    bunch.parts.iter().map(&mut one).collect()
}

/// All members that the parts can have, each once and in order.
pub(crate) fn members(bunch: &Bunch) -> Vec<&Value> {
    let mut faces: Vec<&Value> = Vec::new();
    for part in &bunch.parts {
        if let Source::Each(dist) = &part.source {
            faces.extend(dist.items.iter().filter_map(|(outcome, _)| outcome::chunk(outcome.known()?)).flatten());
        }
    }
    sort::sort(&mut faces);
    faces.dedup();
    faces
}
