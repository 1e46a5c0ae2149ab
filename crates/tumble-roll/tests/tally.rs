//! All rolls with their weights.

use tumble_core::read::program;
use tumble_core::{Code, Limits};
use tumble_roll::{Tally, Weight, every};

fn tally(text: &str, draws: u64) -> Tally {
    every(&program(text), &Limits { draws, ..Limits::small() }, 10_000).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn spelled(weight: Weight) -> String {
    format!("{}/{}", weight.num, weight.den)
}

/// Outcomes are spelled `value:weight`, an error as `!message:weight`; then comes what was cut.
fn check(text: &str, draws: u64, expected: &str) {
    let tally = tally(text, draws);
    let spell = |end: &Result<_, _>| match end {
        Ok(value) => format!("{value}"),
        Err(error) => format!("!{error}"),
    };
    let rows = tally.outcomes.iter().map(|row| format!("{}:{}", spell(&row.end), spelled(row.weight)));
    let mut all: Vec<String> = rows.collect();
    if tally.cut != Weight::ZERO {
        all.push(format!("cut:{}", spelled(tally.cut)));
    }
    assert_eq!(all.join(" "), expected, "{text}");
    let sum = tally.outcomes.iter().try_fold(tally.cut, |sum, row| sum.plus(row.weight));
    assert_eq!(sum, Some(Weight { num: 1, den: 1 }), "{text}: the weights are a whole");
}

#[test]
fn outcomes() {
    let table: &[(&str, &str)] = &[
        ("7", "7:1/1"),
        ("draw(1..3)", "1:1/3 2:1/3 3:1/3"),
        ("sum(gather(repeat(2, draw(1..2))))", "2:1/4 3:1/2 4:1/4"),
        ("draw(1 x2 or 6 x1000000000000)", "1:1/500000000001 6:500000000000/500000000001"),
        ("draw(of [1, 1, 100])", "1:2/3 100:1/3"),
        ("draw(2 of [1, 2, 3])", "[1, 2]:1/3 [1, 3]:1/3 [2, 3]:1/3"),
        ("draw(1..draw(1..2))", "1:3/4 2:1/4"),
        ("let x = draw(1..2) in sub(x, x)", "0:1/1"),
        ("sub(draw(1..2), draw(1..2))", "-1:1/4 0:1/2 1:1/4"),
        ("if some(equal(1, gather(draw(1..2)))) then draw(1..3) else 9", "1:1/6 2:1/6 3:1/6 9:1/2"),
        ("div(6, draw(0..2))", "3:1/3 6:1/3 !division by zero:1/3"),
        ("repeat(draw(0..1), draw(1..1))", "<>:1/2 <1>:1/2"),
    ];
    table.iter().for_each(|(text, expected)| check(text, 50, expected));
}

#[test]
fn loops_are_cut_and_the_cut_is_stated() {
    check("until(x = draw(1..2), some(equal(2, gather(x))))", 3, "2:7/8 cut:1/8");
    check("accumulate(x = draw(1..2), some(equal(2, gather(x))))", 2, "<1, 2>:1/4 <2>:1/2 cut:1/4");
    check("repeat(3, draw(1..2))", 2, "cut:1/1");
    check("until(x = draw(1..3), some(equal(1, gather(x))), at most 2)", 9, "1:5/9 2:2/9 3:2/9");
}

#[test]
fn large_programs_are_refused() {
    let limits = Limits::default();
    let message = |text: &str| every(&program(text), &limits, 1000).map_err(|error| (error.code, error.message));
    let many = (Code::Limit, "there are more than 1000 different rolls".to_owned());
    assert_eq!(message("repeat(4, draw(1..6))").unwrap_err(), many);
    assert_eq!(message("draw(1..9223372036854775807)").unwrap_err(), many);
    let small = (Code::Limit, "the probability of a single roll is too small for 128 bits".to_owned());
    assert_eq!(message("until(x = draw(1..6), false)").unwrap_err(), small);
    assert!(every(&program("repeat(3, draw(1..10))"), &limits, 1000).is_ok());
}
