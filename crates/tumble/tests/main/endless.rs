//! The law where dice explode without end and are changed afterwards.
//!
//! Such a roll has infinitely many outcomes, and most methods of the exact engine have a way of their own for what is
//! not listed. The oracle is the same program with every loop cut so far out that the cut is less than a millionth of a
//! millionth of anything asked: all of it is listed, by methods that know nothing of endless loops. A second one is the
//! engine's own cut. Compared are every row, what is not listed and on which side, the mass, mean and variance.
//!
//! `TUMBLE_TEST_SEED` chooses other programs, `TUMBLE_TEST_PROGRAMS` how many. A failure tells seed and program.

use crate::grammars::{ENDLESS, Random};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use tumble::{
    Code, Diagnostic, Fraction, Limits, Method, Odds, Options, Program, Side, Span, Value, Vars, compile, methods,
    ratio,
};
use tumble_core::{Ratio, Term, arbitrary, prim};

/// Programs of each kind that are compared in one run: terms, and texts of each notation.
const TERMS: usize = 500;
const TEXTS: usize = 180;

/// A loop goes on with a chance of one half at most, so the cut changes less than 2^-64 for each loop that is run.
const PASSES: u64 = 64;
const CUT: f64 = 1e-17;

/// Steps for the endless program, and for the cut one.
const STEPS: u64 = 1_000_000;
const CUT_STEPS: u64 = 3_000_000;

/// What each row may be off by.
struct Oracle {
    rows: BTreeMap<Value, Fraction>,
    less: Fraction,
    more: Fraction,
}

/// What was compared.
#[derive(Default)]
struct Seen {
    compared: usize,
    changed: usize,
    means: usize,
    inexact: usize,
    refused: usize,
    failed: Vec<String>,
}

#[test]
fn terms() {
    let wanted = wanted(TERMS);
    let mut seen = Seen::default();
    let first: u64 = std::env::var("TUMBLE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    for n in 0.. {
        let seed = first.wrapping_mul(1_000_003).wrapping_add(n);
        let endless = arbitrary::endless_program(seed);
        let text = || format!("seed {seed}: {}", tumble_core::print(&endless));
        seen.add(n, &endless, None, text);
        if seen.compared + seen.failed.len() >= wanted {
            break;
        }
    }
    assert_none(&seen.tell("terms", wanted));
}

#[test]
fn texts() {
    let wanted = wanted(4 * TEXTS) / 4;
    let mut failed = Vec::new();
    for (name, grammar) in ENDLESS {
        let (mut seen, mut known) = (Seen::default(), BTreeSet::new());
        for n in 0.. {
            let text = Random::new(n).text(grammar, "text", 0);
            if !known.insert(text.clone()) {
                continue;
            }
            let read = |limit: &str| compile(name, &text.replace('¤', limit), &Vars::new()).ok();
            let Some(endless) = read("") else { continue };
            let cut = text.contains('¤').then(|| read(&format!("x{PASSES}")).unwrap());
            seen.add(n, endless.program(), cut.map(|cut| cut.program().clone()), || {
                format!("{name}: {}", endless.text())
            });
            if seen.compared + seen.failed.len() >= wanted {
                break;
            }
        }
        failed.extend(seen.tell(name, wanted));
    }
    assert_none(&failed);
}

/// The answer to an endless text, if it agrees with the same text cut; `¤` stands for a limit.
pub(crate) fn held_against_its_cut(name: &str, text: &str) -> Result<Odds, String> {
    let read = |limit: &str| compile(name, &text.replace('¤', limit), &Vars::new()).unwrap().program().clone();
    let endless = read("");
    let cut = if text.contains('¤') { read(&format!("x{PASSES}")) } else { arbitrary::cut(&endless, PASSES) };
    let steps = Limits::default().steps;
    let (found, told) = (answer(&endless, steps, None, &[]), answer(&cut, steps, None, &[]));
    match compare(&found, &told, false)? {
        true => found.map_err(|error| error.message),
        false => Err("it is refused".to_owned()),
    }
}

/// How many programs are wanted in place of these.
fn wanted(usual: usize) -> usize {
    std::env::var("TUMBLE_TEST_PROGRAMS").map_or(usual, |count| count.parse().unwrap())
}

impl Seen {
    /// Compares one more program; `cut` is the same with an end, if a text has one.
    fn add(&mut self, n: u64, endless: &Program, cut: Option<Program>, text: impl Fn() -> String) {
        // Calls have no end that could be put to them, so the engine must cut them.
        let (cut, cut_off) = match calls(endless) {
            true => (endless.clone(), Some(PASSES)),
            false => (cut.unwrap_or_else(|| arbitrary::cut(endless, PASSES)), None),
        };
        let mut all = vec![(vec![], cut.clone(), cut_off)];
        if n.is_multiple_of(4) {
            all.push((vec![methods::ALL[n as usize / 4 % methods::ALL.len()]], cut, cut_off));
        }
        if n % 16 == 1 {
            all.push((vec![], endless.clone(), Some(PASSES)));
        }
        for (place, (without, cut, iterations)) in all.into_iter().enumerate() {
            let found = answer(endless, STEPS, None, &without);
            let (told, iterations) = match (&found, answer(&cut, CUT_STEPS, iterations, &[])) {
                // A loop with an end may stop with what no endless one ends with, such as nothing that has a median. The
                // engine's own cut leaves open what it cuts off.
                (Ok(_), Err(error)) if error.code == Code::Runtime => {
                    (answer(endless, CUT_STEPS, Some(PASSES), &[]), Some(PASSES))
                }
                (_, told) => (told, iterations),
            };
            match compare(&found, &told, iterations.is_some()) {
                Ok(true) if place == 0 => {
                    self.compared += 1;
                    self.changed += usize::from(is_changed(endless));
                    self.means += usize::from(found.as_ref().is_ok_and(|odds| odds.mean().is_some()));
                    self.inexact += usize::from(found.as_ref().is_ok_and(|odds| !odds.exact()));
                }
                Ok(true) => {}
                Ok(false) => self.refused += usize::from(place == 0),
                Err(why) => self.failed.push(format!("{}\n    without {without:?}: {why}", text())),
            }
        }
    }

    /// What is wrong, the shortest first. It cannot pass by comparing nothing.
    #[expect(clippy::print_stdout, reason = "how much was compared is told with --nocapture")]
    fn tell(self, what: &str, wanted: usize) -> Vec<String> {
        let Seen { compared, changed, means, inexact, refused, mut failed } = self;
        println!(
            "{what}: {compared} programs compared, {changed} with an endless die that is changed, {means} with a mean, \
             {inexact} not exact; {refused} refused; {} wrong",
            failed.len()
        );
        failed.sort_by_key(String::len);
        if compared + failed.len() < wanted || refused > compared / 2 || changed < compared / 2 || means < compared / 4
        {
            failed.push(format!("{what}: of {wanted} programs, too little could be compared"));
        }
        failed
    }
}

fn float(number: Ratio) -> f64 {
    number.numerator() as f64 / number.denominator() as f64
}

fn assert_none(failed: &[String]) {
    let shown = failed.len().min(40);
    assert!(failed.is_empty(), "{} answers are wrong:\n{}", failed.len(), failed[..shown].join("\n"));
}

/// Whether a function or a loop with carried state goes on without an end that could be put to it.
fn calls(program: &Program) -> bool {
    program.functions().len() > 1 || program.nodes().iter().any(|node| matches!(node.term, Term::Loop { .. }))
}

/// Whether anything but adding up is done with an endless die.
fn is_changed(program: &Program) -> bool {
    let plain = [&prim::GATHER, &prim::BAG, &prim::SUM, &prim::COLLECT, &prim::SOME, &prim::ONLY, &prim::ADD];
    let mut inside = vec![false; program.nodes().len()];
    let mut changed = false;
    for id in program.ids() {
        let mut endless =
            matches!(program.term(id), Term::Until { most: None, .. } | Term::Call { .. } | Term::Loop { .. });
        let own = endless;
        program.term(id).children(|child| endless |= inside[child.index()]);
        inside[id.index()] = endless;
        changed |= endless
            && !own
            && match program.term(id) {
                Term::Prim { prim, .. } => !plain.contains(prim),
                Term::If { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Draw { .. } => true,
                Term::Lit(_)
                | Term::Var(_)
                | Term::Let { .. }
                | Term::Until { .. }
                | Term::Loop { .. }
                | Term::Call { .. }
                | Term::Leave { .. }
                | Term::Ask { .. }
                | Term::Emit { .. }
                | Term::Throw { .. } => false,
            };
    }
    changed
}

/// The answer; a panic is told, with the program, like any other mistake.
fn answer(
    program: &Program,
    steps: u64,
    iterations: Option<u64>,
    without: &[&'static Method],
) -> Result<Odds, Diagnostic> {
    let limits = Limits { steps, ..Limits::default() };
    let options = Options { limits, iterations, without: without.to_vec(), ..Options::default() };
    let panicked = |_| Err(Diagnostic::new(Code::Mistake, Span::default(), "it panics".to_owned()));
    std::panic::catch_unwind(AssertUnwindSafe(|| tumble_exact::odds(program, &options))).unwrap_or_else(panicked)
}

/// Whether both have an answer, and if so, that one is the limit of the other.
fn compare(found: &Result<Odds, Diagnostic>, told: &Result<Odds, Diagnostic>, cut_off: bool) -> Result<bool, String> {
    match (found, told) {
        // What one of the two cannot afford says nothing about the other.
        (Err(error), _) | (_, Err(error)) if error.code == Code::Limit => Ok(false),
        (Err(error), Err(other)) if error.code == other.code => Ok(true),
        // What fails only far out is part of what is not listed.
        (Ok(odds), Err(error)) if error.code == Code::Runtime && !odds.unresolved().is_zero() => Ok(true),
        (Ok(_), Err(error)) => Err(format!("the cut one fails: {}", error.message)),
        (Err(error), _) => Err(format!("it fails: {}", error.message)),
        (Ok(_), Ok(cut)) if !cut.exact() || !cut_off && !cut.unresolved().is_zero() => Ok(false),
        (Ok(odds), Ok(cut)) => {
            let rows = cut.outcomes().map(|(value, chance)| (value.clone(), chance)).collect();
            let few = small(CUT);
            let (less, more) = if cut_off { (Fraction::zero(), cut.unresolved()) } else { (few.clone(), few) };
            Oracle { rows, less, more }.agrees(odds).map(|()| true)
        }
    }
}

fn small(share: f64) -> Fraction {
    format!("1/1{}", "0".repeat(-share.log10().round() as usize)).parse().unwrap()
}

impl Oracle {
    fn agrees(&self, odds: &Odds) -> Result<(), String> {
        let rest = odds.unresolved();
        let listed: BTreeMap<&Value, Fraction> = odds.outcomes().collect();
        let whole = listed.values().fold(rest.clone(), |sum, chance| &sum + chance);
        if whole != Fraction::one() {
            return Err(format!("listed and unlisted are {whole} together"));
        }
        let open = if odds.exact() { Fraction::zero() } else { rest.clone() };
        for (value, chance) in &listed {
            let right = self.rows.get(*value).cloned().unwrap_or_else(Fraction::zero);
            if *chance > &right + &self.more || &(chance + &open) + &self.less < right {
                return Err(format!("P({value}) is {} and should be {}", shown(chance), shown(&right)));
            }
        }
        let beyond: Vec<(&Value, &Fraction)> =
            self.rows.iter().filter(|(value, _)| !listed.contains_key(value)).collect();
        let missing = beyond.iter().fold(Fraction::zero(), |sum, (_, chance)| &sum + chance);
        if missing > &rest + &self.less || odds.exact() && &missing + &self.more < rest {
            return Err(format!("{} is not listed and should be {}", shown(&rest), shown(&missing)));
        }
        let outside = beyond.into_iter().filter(|(_, chance)| **chance > self.less);
        self.side(odds, &outside.map(|(value, _)| value).collect::<Vec<_>>())?;
        self.moments(odds)
    }

    /// What is not listed lies where it is said to lie.
    fn side(&self, odds: &Odds, beyond: &[&Value]) -> Result<(), String> {
        let (first, last) = (odds.values().next(), odds.values().next_back());
        let above = |value: &Value| last.is_none_or(|last| value > last);
        let below = |value: &Value| first.is_none_or(|first| value < first);
        let fits = |value: &&&Value| match odds.side() {
            Side::Nowhere => false,
            Side::Above => above(value),
            Side::Below => below(value),
            Side::Both => above(value) || below(value),
            Side::Anywhere => true,
        };
        match beyond.iter().find(|value| !fits(value)) {
            Some(value) => Err(format!("{value} is not listed, which should be {:?}", odds.side())),
            None => Ok(()),
        }
    }

    /// Mean and variance, where they are stated.
    fn moments(&self, odds: &Odds) -> Result<(), String> {
        let (Some(mean), Some(variance)) = (odds.mean(), odds.variance()) else { return Ok(()) };
        // What only a cut loop can end with, such as nothing at all, is no outcome of the endless one.
        let rows = self.rows.iter().filter(|(value, chance)| ratio(value).is_some() || chance.to_f64() > 1e-11);
        let numbers: Option<Vec<(f64, f64)>> =
            rows.map(|(value, chance)| Some((float(ratio(value)?), chance.to_f64()))).collect();
        let Some(numbers) = numbers else { return Err("a mean is stated of what are no numbers".to_owned()) };
        let right = numbers.iter().map(|(n, chance)| n * chance).sum::<f64>();
        let spread = numbers.iter().map(|(n, chance)| (n - right) * (n - right) * chance).sum::<f64>();
        for (what, said, right) in [("mean", mean.to_f64(), right), ("variance", variance.to_f64(), spread)] {
            if (said - right).abs() > 1e-7 * (1.0 + right.abs()) {
                return Err(format!("the {what} is {said} and should be {right}"));
            }
        }
        Ok(())
    }
}

fn shown(chance: &Fraction) -> String {
    let exact = chance.to_string();
    if exact.len() < 24 { format!("{exact} = {:e}", chance.to_f64()) } else { format!("{:e}", chance.to_f64()) }
}
