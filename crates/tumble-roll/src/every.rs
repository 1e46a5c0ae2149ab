//! All rolls of a program, with their weights: the meaning that exact odds are compared with.
//!
//! ```text
//! sum of the weights of all outcomes + the weight that was cut = 1
//! ```
//!
//! It rolls the program once for every possible roll, so it is right before it is fast.

use crate::sample::Sampler;
use crate::source::Every;
use std::collections::HashMap;
use tumble_core::sort;
use tumble_core::{Diagnostic, Fault, Limits, Program, Span, Value};

/// The outcomes of all rolls.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Each outcome once: values in their order, then errors in the order they occurred.
    pub outcomes: Vec<Outcome>,
    /// The weight of the rolls that needed more than the allowed number of dice.
    pub cut: Weight,
    /// How many rolls there were.
    pub paths: u64,
}

/// How rolls end, and how likely that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// A value, or an error.
    pub end: Result<Value, Diagnostic>,
    /// Its exact weight.
    pub weight: Weight,
}

/// An exact weight, in lowest terms within a [`Tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Numerator.
    pub num: u128,
    /// Denominator.
    pub den: u128,
}

impl Weight {
    /// The weight zero.
    pub const ZERO: Weight = Weight { num: 0, den: 1 };

    /// The sum in lowest terms; none if it needs more than 128 bits.
    pub fn plus(self, other: Weight) -> Option<Weight> {
        let (a, b) = (self.reduced(), other.reduced());
        let shared = gcd(a.den, b.den);
        let den = a.den.checked_mul(b.den / shared)?;
        let num = a.num.checked_mul(b.den / shared)?.checked_add(b.num.checked_mul(a.den / shared)?)?;
        Some(Weight { num, den }.reduced())
    }

    /// The same weight in lowest terms.
    pub fn reduced(self) -> Weight {
        let shared = gcd(self.num, self.den);
        Weight { num: self.num / shared, den: self.den / shared }
    }
}

/// Rolls a program in every possible way, calling `visit` for each with its result and its weight; `None` is a
/// roll that was cut off because it needed more than `limits.draws` dice. Returns the number of rolls.
pub fn every_path(
    program: &Program,
    limits: &Limits,
    most_paths: u64,
    visit: &mut dyn FnMut(Option<Result<Value, Diagnostic>>, Weight) -> Result<(), Fault>,
) -> Result<u64, Diagnostic> {
    let span = program.span(program.function(program.main()).body);
    // The source counts the dice, so that a roll is cut at one place and for one reason.
    let mut sampler = Sampler::new(program, &Limits { draws: u64::MAX, ..limits.clone() });
    let mut every = Every::new(limits.draws);
    let mut paths = 0;
    loop {
        if paths == most_paths {
            return Err(too_many(most_paths).at(span));
        }
        paths += 1;
        every.begin();
        let end = sampler.sample(&mut every);
        let (num, den) = every.weight().ok_or_else(|| too_small().at(span))?;
        visit(if every.was_cut() { None } else { Some(end) }, Weight { num, den }).map_err(|fault| fault.at(span))?;
        if !every.advance() {
            return Ok(paths);
        }
    }
}

/// Rolls a program in every possible way, at most `most_paths`, and adds up the outcomes.
pub fn every(program: &Program, limits: &Limits, most_paths: u64) -> Result<Tally, Diagnostic> {
    let mut heap = Heap::default();
    let paths = every_path(program, limits, most_paths, &mut |end, weight| heap.add(end, weight))?;
    let span = program.span(program.function(program.main()).body);
    heap.tally(paths).ok_or_else(|| too_small().at(span))
}

/// Outcomes while they are counted. Weights are added only over equal denominators, which needs no
/// division for each roll.
#[derive(Default)]
struct Heap {
    values: HashMap<Value, Sum>,
    errors: Vec<(Diagnostic, Sum)>,
    places: HashMap<(String, Span), usize>,
    cut: Sum,
}

/// Numerators by denominator.
type Sum = HashMap<u128, u128>;

impl Heap {
    fn add(&mut self, end: Option<Result<Value, Diagnostic>>, weight: Weight) -> Result<(), Fault> {
        let sum = match end {
            None => &mut self.cut,
            Some(Ok(value)) => self.values.entry(value).or_default(),
            Some(Err(error)) => {
                let place = *self.places.entry((error.message.clone(), error.span)).or_insert(self.errors.len());
                if place == self.errors.len() {
                    self.errors.push((error, Sum::new()));
                }
                &mut self.errors[place].1
            }
        };
        let num = sum.entry(weight.den).or_insert(0);
        *num = num.checked_add(weight.num).ok_or_else(too_small)?;
        Ok(())
    }

    fn tally(self, paths: u64) -> Option<Tally> {
        let mut values: Vec<(Value, Sum)> = self.values.into_iter().collect();
        sort::by(&mut values, |a, b| a.0.cmp(&b.0));
        let values = values.into_iter().map(|(value, sum)| (Ok(value), sum));
        let errors = self.errors.into_iter().map(|(error, sum)| (Err(error), sum));
        let outcomes = values.chain(errors).map(|(end, sum)| Some(Outcome { end, weight: total(&sum)? }));
        Some(Tally { outcomes: outcomes.collect::<Option<_>>()?, cut: total(&self.cut)?, paths })
    }
}

fn total(sum: &Sum) -> Option<Weight> {
    sum.iter().try_fold(Weight::ZERO, |total, (&den, &num)| total.plus(Weight { num, den }))
}

fn too_many(most: u64) -> Fault {
    Fault::limit(format!("there are more than {most} different rolls"))
}

fn too_small() -> Fault {
    Fault::limit("the probability of a single roll is too small for 128 bits")
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
