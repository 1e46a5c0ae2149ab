//! Rounded answers: their bounds hold the exact answer, for sums of dice and for programs around them.

use tumble_core::read::program;
use tumble_core::{Program, arbitrary};
use tumble_exact::{Fraction, Options, Rounded, methods, odds, rounded};

/// A rounded answer, although the exact one is within the limits; none if there is none.
fn near(program: &Program) -> Option<Rounded> {
    rounded(program, &Options { without: vec![&methods::POWER], ..Options::default() }).ok().flatten()
}

/// Whether every bound holds the exact probability; floats are turned into fractions without loss.
fn holds(program: &Program, near: &Rounded, text: &str) {
    let exact = odds(program, &Options::default()).unwrap();
    let mut listed = Fraction::zero();
    for (value, share, (low, high)) in &near.outcomes {
        let true_share = exact.probability(value);
        assert!(fraction(*low) <= true_share && true_share <= fraction(*high), "{text}: {value}: {low} {high}");
        assert!(low <= share && share <= high, "{text}: {value}");
        listed = &listed + &true_share;
    }
    let missing = &Fraction::one() - &listed;
    assert!(missing <= fraction(near.dropped.max(1e-300)), "{text}: {} is missing", missing.to_f64());
}

fn fraction(n: f64) -> Fraction {
    // Scaled by a power of two a float of at least 2^-1022 is whole.
    let bits = n.to_bits();
    if bits == 0 {
        return Fraction::zero();
    }
    let (exponent, digits) = ((bits >> 52) as i32, (bits & ((1 << 52) - 1)) | 1 << 52);
    let mut value: Fraction = digits.to_string().parse().unwrap();
    let two = Fraction::ratio(2, 1);
    for _ in 0..(exponent - 1075).abs() {
        value = if exponent < 1075 { &value / &two } else { &value * &two };
    }
    value
}

#[test]
fn of_sums_of_dice() {
    let dice = |count: u32, faces: &str| format!("gather(repeat({count}, {faces}))");
    let mut rounded = 0;
    for text in [
        format!("sum({})", dice(300, "draw(1..6)")),
        format!("sum({})", dice(40, "draw(1..100)")),
        format!("sum({})", dice(100, "draw(-3..5)")),
        format!("sum({})", dice(200, "draw(1 x1 or 2 x3 or 7 x5)")),
        format!("count(more(4, {}))", dice(900, "draw(1..6)")),
        format!("add(5, sum({}))", dice(300, "draw(1..6)")),
        format!("sum(gather({}, {}))", dice(200, "draw(1..6)"), dice(100, "draw(1..8)")),
        format!("let x = sum({}) in mul(x, 2)", dice(250, "draw(1..6)")),
        format!("some(more(1050, gather(sum({}))))", dice(300, "draw(1..6)")),
        format!("sub(sum({}), draw(1..4))", dice(300, "draw(1..6)")),
    ] {
        let program = program(&text);
        if let Some(near) = near(&program) {
            assert!(near.relative < 1e-9 && near.dropped < 1e-25, "{text}: {} {}", near.relative, near.dropped);
            holds(&program, &near, &text);
            rounded += 1;
        }
    }
    assert!(rounded >= 9, "only {rounded} were rounded");
}

/// A sum that is rolled again and again, or in a function, is not rounded itself: its error would count
/// more than once.
#[test]
fn of_what_is_used_once_only() {
    let sum = "sum(gather(repeat(20, draw(1..6))))";
    for (text, is_rounded) in [
        (format!("sum(gather(repeat(2, {sum})))"), true),
        (format!("largest(1, gather(repeat(2, {sum})))"), false),
        (format!("until(x = {sum}, some(more(70, gather(x))))"), false),
        (format!("f(n) = add(n, {sum}); f(1)"), false),
    ] {
        let program = program(&text);
        let near = near(&program).unwrap();
        assert_eq!(near.relative > 1e-15, is_rounded, "{text}");
        holds(&program, &near, &text);
    }
}

#[test]
fn of_random_programs() {
    let mut rounded = 0;
    for seed in 0..2_000 {
        let program = arbitrary::program(seed);
        // Where nothing is rounded only the last reading of the fractions as floats is.
        let Some(near) = near(&program).filter(|near| near.relative > 1e-15) else { continue };
        if odds(&program, &Options::default()).is_ok_and(|odds| odds.exact() && odds.unresolved().is_zero()) {
            holds(&program, &near, &tumble_core::print(&program));
            rounded += 1;
        }
    }
    assert!(rounded > 20, "only {rounded} were rounded");
}
