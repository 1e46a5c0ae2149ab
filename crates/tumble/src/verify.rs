//! The same answer a second time, in another way.
//!
//! ```text
//! every roll      all possible rolls are made and counted: the meaning itself
//! other methods   the exact engine again, without the methods that gave the answer
//! a cut           loops without end followed pass by pass; a fraction may be less by what was cut
//! a prime         every answer of a method compared with its question modulo a random prime
//! ```
//!
//! The first way that the limits allow is taken; every outcome both ways list must have the same
//! fraction, and mean and variance must be those of the second way. A difference is an error of its own code: one of
//! the two is wrong, and it is not the asker.

use crate::prepared::{Prepared, nth_seed};
use std::collections::BTreeMap;
use tumble_core::{Code, Diagnostic, Fault, Limits, Span, Value};
use tumble_exact::{Fraction, Method, Odds, Options, Probe, number};
use tumble_roll::{Tally, Weight, every};

/// What was checked, and how.
#[derive(Clone, Debug, PartialEq)]
pub enum Verified {
    /// Every possible roll was enumerated.
    EveryRoll {
        /// How many rolls there are.
        rolls: u64,
        /// How many outcomes were compared.
        outcomes: usize,
        /// The probability of rolls with more dice, which were cut; a fraction may differ by this.
        cut: f64,
    },
    /// The engine gave the same answer without these methods.
    Without {
        /// The methods that gave the first answer and were left out of the second.
        left_out: Vec<&'static Method>,
        /// How many outcomes were compared.
        outcomes: usize,
    },
    /// Unbounded loops, followed for this many rolls, give the same except for the part cut off.
    Cut {
        /// After how many rolls.
        after: u64,
        /// The probability that was cut.
        within: f64,
        /// How many outcomes were compared.
        outcomes: usize,
    },
    /// Every question about dice has the right answer modulo a random prime; how the answers were
    /// combined was not checked.
    Prime {
        /// The prime.
        prime: u64,
        /// How many questions there were.
        questions: u64,
    },
    /// No second method fits the limits.
    Not,
}

/// The most rolls made for a check, and the most dice in one; fewer if that is too much.
const ROLLS: u64 = 100_000;
const DICE: [u64; 2] = [30, 12];
/// Loops are followed for so many rolls, the first of these that can be afforded and cuts little.
const CUTS: [u64; 3] = [100, 25, 400];

impl Prepared {
    /// Computes an explained answer a second time, and compares.
    pub fn verify(&self, odds: &Odds, options: &Options) -> Result<Verified, Diagnostic> {
        if options.iterations.is_none()
            && let Some(verified) = self.by_rolls(odds, &options.limits)?
        {
            return Ok(verified);
        }
        let used = odds.explanation().map(|told| told.methods()).unwrap_or_default();
        let each = used.iter().map(|method| vec![*method]);
        for left_out in std::iter::once(used.clone()).chain(each).filter(|left_out| !left_out.is_empty()) {
            let without = left_out.iter().chain(&options.without).copied().collect();
            let Ok(second) = self.odds(&Options { without, explain: false, probe: None, ..options.clone() }) else {
                continue;
            };
            if let Some(outcomes) = self.compared(odds, &second)? {
                return Ok(Verified::Without { left_out, outcomes });
            }
        }
        let cut = if odds.unresolved().is_zero() { None } else { self.by_cutting(odds, options)? };
        Ok(cut.or_else(|| by_prime(odds, options)).unwrap_or(Verified::Not))
    }

    /// By following loops for so many rolls; none if too much is cut for the answer to mean anything.
    fn by_cutting(&self, odds: &Odds, options: &Options) -> Result<Option<Verified>, Diagnostic> {
        for after in CUTS.into_iter().filter(|_| options.iterations.is_none() && odds.exact()) {
            let cut = Options { iterations: Some(after), explain: false, probe: None, ..options.clone() };
            let Ok(second) = self.odds(&cut) else { continue };
            let missing = second.unresolved();
            if missing > Fraction::ratio(1, 1_000_000) {
                continue;
            }
            for (value, share) in odds.outcomes() {
                let least = second.probability(value);
                if share < least || share > &least + &missing {
                    return Err(self.disagree(value, Some(&share), Some(&least)));
                }
            }
            self.moments_agree(odds, &second.outcomes().collect(), &missing)?;
            return Ok(Some(Verified::Cut { after, within: missing.to_f64(), outcomes: odds.len() }));
        }
        Ok(None)
    }

    /// By making every roll; none if there are too many, or too much had to be cut.
    fn by_rolls(&self, odds: &Odds, limits: &Limits) -> Result<Option<Verified>, Diagnostic> {
        for draws in DICE {
            let tally = match every(self.counted(), &Limits { draws, ..limits.clone() }, ROLLS) {
                Ok(tally) => tally,
                Err(error) if error.code == Code::Stopped => return Err(error),
                Err(_) => continue,
            };
            let (Some(rolled), Some(cut)) = (shares(&tally), share(tally.cut)) else { return Ok(None) };
            let enough = odds.exact() && odds.unresolved() <= cut && cut < Fraction::ratio(1, 1_000_000);
            if !enough {
                return Ok(None);
            }
            let listed: BTreeMap<&Value, Fraction> = odds.outcomes().collect();
            let (zero, open) = (Fraction::zero(), odds.unresolved());
            for value in rolled.keys().chain(listed.keys()) {
                let (first, second) = (listed.get(value).unwrap_or(&zero), rolled.get(value).unwrap_or(&zero));
                // What was cut could have been anything, and so could what is not listed.
                if *first > second + &cut || *second > first + &open {
                    return Err(self.disagree(value, Some(first), Some(second)));
                }
            }
            self.moments_agree(odds, &rolled, &cut)?;
            let (rolls, outcomes) = (tally.paths, listed.len());
            return Ok(Some(Verified::EveryRoll { rolls, outcomes, cut: cut.to_f64() }));
        }
        Ok(None)
    }

    /// How many outcomes agree; none if the second answer is too weak to tell.
    fn compared(&self, first: &Odds, second: &Odds) -> Result<Option<usize>, Diagnostic> {
        if !first.exact() || !second.exact() {
            return Ok(None);
        }
        let (a, b): (BTreeMap<&Value, Fraction>, BTreeMap<&Value, Fraction>) =
            (first.outcomes().collect(), second.outcomes().collect());
        // Of a loop without end, one way may list more than the other.
        let open = !first.unresolved().is_zero() && !second.unresolved().is_zero();
        let differs = |value: &&&Value| match (a.get(**value), b.get(**value)) {
            (Some(x), Some(y)) => x != y,
            _ => !open,
        };
        if let Some(value) = a.keys().chain(b.keys()).find(differs) {
            return Err(self.disagree(value, a.get(value), b.get(value)));
        }
        for (what, one, other) in
            [("mean", first.mean(), second.mean()), ("variance", first.variance(), second.variance())]
        {
            match (one, other) {
                (Some(one), Some(other)) if one != other => return Err(self.differs(what, &one, &other)),
                // The second way may know the rows and not the mean of what it does not list.
                (Some(_), None) => self.moments_agree(first, &b, &second.unresolved())?,
                _ => {}
            }
        }
        Ok(Some(a.keys().filter(|value| b.contains_key(**value)).count()))
    }

    /// Holds the stated mean and variance against rows that miss so much of the whole. What is missing comes after many
    /// more dice than any row, so it lies farther out, but not by orders of magnitude.
    fn moments_agree(&self, odds: &Odds, rows: &BTreeMap<&Value, Fraction>, open: &Fraction) -> Result<(), Diagnostic> {
        let (Some(mean), Some(variance)) = (odds.mean(), odds.variance()) else { return Ok(()) };
        let numbers = rows.iter().map(|(value, share)| Some((number(value)?, share)));
        let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else { return Ok(()) };
        let sum = |e: u32| {
            let term = |n: i64| (0..e).fold(Fraction::one(), |product, _| &product * &Fraction::whole(n));
            numbers.iter().fold(Fraction::zero(), |sum, (n, share)| &sum + &(&term(*n) * share))
        };
        let widest = numbers.iter().map(|(n, _)| n.saturating_abs()).max().unwrap_or(0).saturating_add(1);
        let far = &Fraction::whole(1000) * &Fraction::whole(widest);
        let near = |one: &Fraction, other: &Fraction, most: &Fraction| *one <= other + most && *other <= one + most;
        let (first, second) = (sum(1), sum(2));
        let square = &variance + &(&mean * &mean);
        if !near(&mean, &first, &(open * &far)) {
            return Err(self.differs("mean", &mean, &first));
        }
        match near(&square, &second, &(open * &(&far * &far))) {
            true => Ok(()),
            false => Err(self.differs("variance", &variance, &(&second - &(&first * &first)))),
        }
    }

    fn disagree(&self, value: &Value, first: Option<&Fraction>, second: Option<&Fraction>) -> Diagnostic {
        let zero = Fraction::zero();
        self.differs(&format!("probability of {value}"), first.unwrap_or(&zero), second.unwrap_or(&zero))
    }

    fn differs(&self, what: &str, first: &Fraction, second: &Fraction) -> Diagnostic {
        let message = format!("internal error: the {what} is {first} by one method and {second} by another");
        Fault::mistake(message).at(Span::new(0, self.text().len()))
    }
}

/// By the checks that were made on the way, if every question had one.
fn by_prime(odds: &Odds, options: &Options) -> Option<Verified> {
    let (probe, told) = (options.probe?, odds.explanation()?);
    let all = told.agreed > 0 && told.unprobed == 0;
    all.then_some(Verified::Prime { prime: probe.prime, questions: told.agreed })
}

/// A prime between 2^60 and 2^61 that follows from a seed, with a key.
pub(crate) fn probe(seed: u64) -> Probe {
    let (mut prime, key) = ((1 << 60) | nth_seed(seed, 1) << 6 | 1, nth_seed(seed, 2) << 11 | nth_seed(seed, 3) >> 42);
    while !is_prime(prime) {
        prime += 2;
    }
    Probe { prime, key }
}

/// Miller and Rabin's test; with these bases it is certain for all numbers of 64 bits.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|base| n.is_multiple_of(*base)) {
        return BASES.contains(&n);
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let (mut power, mut square, mut left) = (1, *base, (n - 1) >> twos);
        while left > 0 {
            power = if left & 1 == 1 { times(power, square) } else { power };
            (square, left) = (times(square, square), left >> 1);
        }
        let mut squares = (0..twos).scan(power, |x, _| Some(std::mem::replace(x, times(*x, *x))));
        power == 1 || squares.any(|x| x == n - 1)
    })
}

fn share(weight: Weight) -> Option<Fraction> {
    format!("{}/{}", weight.num, weight.den).parse().ok()
}

/// The outcomes of all rolls; none if one of them fails.
fn shares(tally: &Tally) -> Option<BTreeMap<&Value, Fraction>> {
    tally.outcomes.iter().map(|one| Some((one.end.as_ref().ok()?, share(one.weight)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;

    #[test]
    fn primes_are_primes() {
        let small: Vec<u64> = (0..60).filter(|n| is_prime(*n)).collect();
        assert_eq!(small, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        assert!(is_prime((1 << 61) - 1) && !is_prime(3_215_031_751) && !is_prime(((1 << 31) - 1) * ((1 << 29) - 3)));
        for seed in 0..20 {
            let found = probe(seed).prime;
            assert!((1 << 60..1 << 61).contains(&found) && is_prime(found));
        }
    }

    /// The rows may agree and the mean not: then what is not listed was wrong.
    #[test]
    fn other_moments_are_a_mistake() {
        let make = |text: &str| compile("tabletop", text, &Default::default()).unwrap();
        let odds = |text: &str| make(text).odds(&Options::default()).unwrap();
        for (stated, rows, what) in [("2d6", "2d5+1", "variance"), ("d6!", "d6!x30+1", "mean"), ("d6!", "d6!x30", "")] {
            let (first, second) = (odds(stated), odds(rows));
            let open = &Fraction::ratio(1, 1 << 62) * &Fraction::ratio(1, 1000);
            let told = make(stated).moments_agree(&first, &second.outcomes().collect(), &open);
            let message = told.map_err(|error| error.message).err().unwrap_or_default();
            assert!(message.contains(what) && message.is_empty() == what.is_empty(), "{stated}: {message}");
        }
    }

    #[test]
    fn a_difference_is_a_mistake() {
        let make = |text: &str| compile("troll", text, &Default::default()).unwrap();
        let odds = |text: &str| make(text).odds(&Options::default()).unwrap();
        for (text, other) in [("sum 2d6", "sum 2d5 + 1"), ("d4", "d5"), ("d6", "sum d2 + d5 - 1")] {
            let error = make(text).compared(&odds(text), &odds(other)).unwrap_err();
            assert_eq!(error.code, Code::Mistake, "{error:?}");
            let error = make(text).by_rolls(&odds(other), &Limits::default()).unwrap_err();
            assert!(error.hint.is_some_and(|hint| hint.contains("report")));
        }
    }
}
