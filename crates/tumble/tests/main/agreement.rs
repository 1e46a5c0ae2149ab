//! The law: the exact distribution is the weighted tally of every possible roll.
//!
//! `TUMBLE_TEST_SEED` chooses other random programs; a failure tells the seed of its program.

use crate::conformance::vars;
use crate::vectors;
use std::collections::BTreeMap;
use tumble::{Code, Diagnostic, Fraction, Limits, Method, Odds, Options, Program, Value, compile, methods};
use tumble_core::{NoReader, arbitrary};
use tumble_exact::play::Play;
use tumble_roll::{Tally, Weight, every};

/// Dice in one roll, and rolls in all, for a program that is small enough to be tallied.
const DICE: u64 = 8;
const ROLLS: u64 = 10_000;

/// Random programs that are compared in one run, with loops that end after few passes and without.
const CLOSED: usize = 5_000;
const OPEN: usize = 300;
const PEELING: usize = 1_000;
const SHARING: usize = 2_000;
const PLAYING: usize = 1_000;

#[test]
fn every_small_vector() {
    let mut failed = Vec::new();
    let mut compared = 0;
    for vector in vectors::troll() {
        let Ok(prepared) = compile("troll", &vector.text, &vars(&vector)) else { continue };
        match agrees(prepared.program(), &[&[], &methods::ALL]) {
            Ok(true) => compared += 1,
            Ok(false) => {}
            Err(why) => failed.push(format!("{}: {:?}: {why}", vector.id, vector.text)),
        }
    }
    assert!(failed.is_empty(), "{} programs disagree:\n{}", failed.len(), failed.join("\n"));
    assert!(compared >= 300, "only {compared} vectors were small enough");
}

#[test]
fn random_programs() {
    many(CLOSED, arbitrary::program);
}

#[test]
fn random_programs_with_open_loops() {
    many(OPEN, arbitrary::open_program);
}

#[test]
fn random_programs_that_take_collections_apart() {
    many(PEELING, arbitrary::peeling_program);
}

#[test]
fn random_programs_that_share_a_roll() {
    many(SHARING, arbitrary::sharing_program);
}

#[test]
fn random_programs_that_play() {
    many(PLAYING, arbitrary::playing_program);
}

/// What plays is evaluated in another way than what does not; here that way is taken for all.
#[test]
fn random_programs_as_if_they_played() {
    let mut compared = 0;
    for seed in 0..PLAYING as u64 {
        let program = arbitrary::program(seed);
        let limits = Limits { draws: DICE, ..Limits::default() };
        let Ok(tally) = every(&program, &limits, ROLLS) else { continue };
        let none = std::collections::HashMap::new();
        let found = Play::new(&program, &NoReader, &none).odds(false).map(|found| found.odds);
        match fits(&tally, found) {
            Ok(fit) => compared += usize::from(fit),
            Err(why) => panic!("seed {seed}: {}: {why}", tumble_core::print(&program)),
        }
    }
    assert!(compared > PLAYING / 4, "only {compared} programs were small enough");
}

/// Compares so many programs that are small enough; each without methods, with all but one, with all.
fn many(wanted: usize, make: fn(u64) -> Program) {
    let first: u64 = std::env::var("TUMBLE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut failed = Vec::new();
    let mut compared = 0;
    for n in 0..10 * wanted as u64 {
        let seed = first.wrapping_mul(1_000_003).wrapping_add(n);
        let program = make(seed);
        let left_out = methods::ALL[n as usize % methods::ALL.len()];
        match agrees(&program, &[&[], &[left_out], &methods::ALL]) {
            Ok(true) => compared += 1,
            Ok(false) => {}
            Err(why) => failed.push(format!("seed {seed}: {}: {why}", tumble_core::print(&program))),
        }
        if compared == wanted {
            break;
        }
    }
    let shown = failed.len().min(20);
    assert!(failed.is_empty(), "{} programs disagree:\n{}", failed.len(), failed[..shown].join("\n"));
    assert_eq!(compared, wanted, "too few programs were small enough");
}

/// Whether the program was small enough, and if so, agrees with each set of methods left out.
pub(crate) fn agrees(program: &Program, without: &[&[&'static Method]]) -> Result<bool, String> {
    let limits = Limits { draws: DICE, ..Limits::default() };
    let Ok(tally) = every(program, &limits, ROLLS) else { return Ok(false) };
    let mut compared = false;
    for without in without {
        let options = Options { without: without.to_vec(), ..Options::default() };
        let agreed = fits(&tally, tumble_exact::odds(program, &options));
        compared |= agreed.map_err(|why| format!("without {without:?}: {why}"))?;
    }
    Ok(compared)
}

/// Whether both have an answer, and if so, that it is the same.
fn fits(tally: &Tally, odds: Result<Odds, Diagnostic>) -> Result<bool, String> {
    let ends = tally.outcomes.iter().filter_map(|one| one.end.as_ref().err());
    let failures: Vec<Code> = ends.map(|error| error.code).collect();
    let cut = tally.cut != Weight::ZERO;
    match odds {
        // What one of the two cannot afford says nothing about the other.
        _ if failures.contains(&Code::Limit) => Ok(false),
        Err(error) if error.code == Code::Limit => Ok(false),
        Err(error) if failures.contains(&error.code) => Ok(true),
        // What happens only in rolls that were cut cannot be checked here.
        Err(error) if cut => Ok(error.code == Code::Endless),
        Err(error) => Err(format!("{} at {:?}, but no roll says so", error.message, error.span)),
        Ok(odds) => same(tally, &odds),
    }
}

/// Where no roll was cut, the two are equal; where some were, the tally is a part of the odds.
fn same(tally: &Tally, odds: &Odds) -> Result<bool, String> {
    let rolled = tally.outcomes.iter().filter_map(|one| Some((one.end.as_ref().ok()?, fraction(one.weight))));
    let rolled: BTreeMap<&Value, Fraction> = rolled.collect();
    let listed: BTreeMap<&Value, Fraction> = odds.outcomes().collect();
    let whole = listed.values().fold(odds.unresolved(), |sum, chance| &sum + chance);
    if whole != Fraction::one() {
        return Err(format!("listed and unlisted are {whole} together"));
    }
    let failing = tally.outcomes.iter().filter(|one| one.end.is_err());
    let failing = failing.fold(Fraction::zero(), |sum, one| &sum + &fraction(one.weight));
    if failing > odds.unresolved() {
        return Err(format!("{failing} of all rolls fail, exact does not say so"));
    }
    if tally.cut == Weight::ZERO {
        if !odds.unresolved().is_zero() || !odds.exact() {
            return Err(format!("{} is not listed, though every roll ends", odds.unresolved()));
        }
        let value = rolled.keys().chain(listed.keys()).find(|value| rolled.get(**value) != listed.get(**value));
        return match value {
            None => Ok(true),
            Some(value) => {
                let show = |chance: Option<&Fraction>| chance.map_or("0".to_owned(), Fraction::to_string);
                Err(format!("P({value}) is {}, rolls give {}", show(listed.get(value)), show(rolled.get(value))))
            }
        };
    }
    for (value, chance) in &listed {
        let at_least = rolled.get(value).cloned().unwrap_or_else(Fraction::zero);
        if *chance < at_least || (odds.exact() && *chance > &at_least + &fraction(tally.cut)) {
            return Err(format!("P({value}) is {chance}, rolls give from {at_least} up, with {:?} cut", tally.cut));
        }
    }
    Ok(true)
}

fn fraction(weight: Weight) -> Fraction {
    format!("{}/{}", weight.num, weight.den).parse().unwrap()
}
