//! No method takes much more than it was expected to take, nor very much less: prices against the steps that were counted,
//! for known questions and for random programs.

use std::collections::BTreeMap;
use tumble_core::read::program;
use tumble_core::{Limits, Program, arbitrary};
use tumble_exact::{Explanation, Line, Method, Options, methods, odds};

/// A method may take this many times what was expected, and these steps besides.
const FACTOR: u64 = 4;
const BESIDES: u64 = 300;

fn explained(program: &Program, without: &[&'static Method]) -> Option<Explanation> {
    let limits = Limits { steps: 300_000, ..Limits::default() };
    let options = Options { limits, without: without.to_vec(), explain: true, ..Options::default() };
    Some(odds(program, &options).ok()?.explanation().unwrap().clone())
}

fn kept(line: &Line) -> bool {
    let Some(expected) = line.expected else { return true };
    line.steps <= expected.steps.saturating_mul(FACTOR).saturating_add(BESIDES * line.times)
}

/// How often each method answered.
#[derive(Default)]
struct Seen(BTreeMap<String, u64>);

impl Seen {
    fn check(&mut self, text: &str, told: &Explanation) {
        let sum: u64 = told.lines.iter().map(|line| line.steps).sum();
        assert_eq!(sum + told.other, told.steps, "{text}");
        for line in told.lines.iter().filter(|line| line.expected.is_some()) {
            assert!(
                kept(line),
                "{text}
{line:?}"
            );
            *self.0.entry(format!("{:?}", line.method)).or_default() += line.times;
        }
    }
}

#[test]
fn of_known_questions() {
    let dice = |count: u32, sides: u32| format!("bag(gather(repeat({count}, draw(1..{sides}))))");
    let mut seen = Seen::default();
    for (count, sides) in [(1, 6), (2, 6), (5, 6), (10, 10), (100, 6), (1000, 6), (20, 100)] {
        let pool = dice(count, sides);
        let mixed = format!("gather({pool}, {})", dice(3, 8));
        for text in [
            format!("sum({pool})"),
            format!("count({pool})"),
            format!("sum({mixed})"),
            format!("some(equal(1, {pool}))"),
            format!("count(more(3, {pool}))"),
            format!("largest(1, {pool})"),
            format!("least(1, {mixed})"),
            format!("sum(largest(3, {pool}))"),
            format!("sum(least(2, {pool}))"),
            format!("sum(largest(3, {mixed}))"),
            format!("count(different({pool}))"),
            format!("median({pool})"),
            format!("largest(2, {pool})"),
            format!("let x = {pool} in sub(sum(largest(1, x)), sum(least(1, x)))"),
            "largest(2, bag(gather(repeat(3, draw([1] x 1 or [2, 2] x 1 or [1, 3] x 1)))))".to_owned(),
            "sum(largest(2, bag(gather(repeat(9, draw([1] x 1 or [2, 2] x 1 or [1, 3] x 1))))))".to_owned(),
            "count(more(2, but_least(3, bag(gather(repeat(5, draw([1] x 1 or [2, 2] x 1 or [1, 3] x 1)))))))"
                .to_owned(),
            "let x = bag(gather(repeat(9, draw([1] x 1 or [2, 2] x 1 or [1, 3] x 1)))) in sub(sum(x), count(more(1, x)))"
                .to_owned(),
            format!("sum(but_largest(2, gather(repeat(4, draw([1] x 1 or [2, 2] x 1)), {pool})))"),
            format!(
                "f(a) = if some(a) then let r = f(minus(a, largest(1, a))) in add(only(largest(1, a)), r) else 0; \
                 f({pool})"
            ),
            pool.clone(),
            mixed.clone(),
        ] {
            let read = program(&text);
            for without in methods::ALL.map(|method| vec![method]).iter().chain([&vec![], &methods::ALL.to_vec()]) {
                if let Some(told) = explained(&read, without) {
                    seen.check(&text, &told);
                }
            }
        }
    }
    // Comparing, picking, watching, peeling, forgetting and conditioning are no questions of their own; the plain meaning is
    // one more.
    assert_eq!(seen.0.len(), methods::ALL.len() - 5, "every method that answers questions: {:?}", seen.0);
}

/// A price is never more than this many times what is taken, and these steps besides: what is refused for its price would
/// have been too much.
const LOOSE: u64 = 24;
const LITTLE: u64 = 20_000;

#[test]
fn of_what_costs_more() {
    let dice = |count: u32, sides: u32| format!("bag(gather(repeat({count}, draw(1..{sides}))))");
    for (pool, views) in [
        (dice(60, 20), "count(different(x))"),
        (dice(30, 20), "sum(different(x))"),
        (dice(8, 10), "x"),
        (dice(12, 10), "tuple(tuple(sum(largest(1, x)), sum(least(1, x))), count(different(x)))"),
        (dice(20, 10), "tuple(sum(largest(3, x)), sum(least(3, x)))"),
        (dice(40, 6), "tuple(tuple(sum(x), count(equal(6, x))), sum(largest(1, x)))"),
        (dice(100, 10), "tuple(count(maximal(x)), sum(least(1, x)))"),
        (dice(300, 10), "count(maximal(x))"),
        (dice(101, 20), "median(x)"),
        (dice(30, 20), "largest(3, x)"),
        (dice(15, 6), "tuple(tuple(count(equal(1, x)), count(equal(2, x))), count(equal(3, x)))"),
        (format!("gather({}, {}, {})", dice(5, 6), dice(6, 8), dice(7, 10)), "sum(different(x))"),
        (format!("gather({}, {}, {})", dice(5, 6), dice(6, 8), dice(7, 10)), "sum(largest(4, x))"),
    ] {
        let text = format!("let x = {pool} in {views}");
        let options = Options { explain: true, ..Options::default() };
        let told = odds(&program(&text), &options).unwrap().explanation().unwrap().clone();
        for line in told.lines.iter().filter(|line| line.expected.is_some()) {
            let expected = line.expected.unwrap().steps;
            assert!(expected <= line.steps * LOOSE + LITTLE * line.times, "{text}\n{line:?}");
        }
    }
}

#[test]
fn of_random_programs() {
    let mut seen = Seen::default();
    for seed in 0..2_500 {
        let program = if seed % 8 == 0 { arbitrary::open_program(seed) } else { arbitrary::program(seed) };
        for without in [vec![], vec![methods::ALL[seed as usize % methods::ALL.len()]], methods::ALL.to_vec()] {
            if let Some(told) = explained(&program, &without) {
                seen.check(&tumble_core::print(&program), &told);
            }
        }
    }
    assert!(seen.0.values().sum::<u64>() > 2_500, "{:?}", seen.0);
}
