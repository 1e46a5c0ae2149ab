//! Statistics: exact where they are rational, absent where they are not known.

use tumble_core::read::program;
use tumble_core::{Program, Value};
use tumble_exact::{Fraction, Odds, Options, Side, methods, odds};

const EXPLODING: &str = "sum(gather(accumulate(x = draw(1..6), some(more(6, gather(x))))))";

fn of(text: &str) -> Odds {
    of_program(&program(text))
}

fn of_program(program: &Program) -> Odds {
    odds(program, &Options::default()).unwrap()
}

fn f(text: &str) -> Option<Fraction> {
    Some(text.parse().unwrap())
}

#[test]
fn of_two_dice() {
    let odds = of("sum(gather(repeat(2, draw(1..6))))");
    assert_eq!(odds.mean(), f("7"));
    assert_eq!(odds.variance(), f("35/6"));
    assert!((odds.deviation().unwrap() - 2.415229).abs() < 1e-6);
    assert_eq!(odds.median(), Some(&Value::int(7)));
    assert_eq!(odds.mode(), [&Value::int(7)]);
    assert_eq!(odds.quantile(&Fraction::ratio(1, 36)), Some(&Value::int(2)));
    assert_eq!(odds.quantile(&Fraction::one()), Some(&Value::int(12)));
    assert_eq!(odds.at_least(&Value::int(10)), f("1/6"));
    assert_eq!(odds.at_most(&Value::int(3)), f("1/12"));
    assert_eq!(odds.probability(&Value::int(13)), Fraction::zero());
    assert_eq!(odds.side(), Side::Nowhere);
}

#[test]
fn of_an_explosion_without_end() {
    let odds = of(EXPLODING);
    assert_eq!(odds.mean(), f("21/5"));
    assert_eq!(odds.variance(), f("266/25"));
    assert_eq!(odds.side(), Side::Above);
    assert_eq!(odds.at_least(&Value::int(7)), f("1/6"));
    assert_eq!(odds.at_most(&Value::int(5)), f("5/6"));
    assert_eq!(odds.at_least(&Value::int(1_000_000)), None);
    assert!(odds.exact() && odds.unresolved() < Fraction::ratio(1, 1_000_000_000_000));
    assert!(odds.len() < 90, "listed no further than asked");
}

#[test]
fn of_sums_and_differences_of_explosions() {
    let three = format!("add(5, sum(gather(repeat(3, {EXPLODING}))))");
    assert_eq!(of(&three).mean(), f("88/5"));
    let of_three = format!("sub(sum(gather(repeat(2, {EXPLODING}))), {EXPLODING})");
    assert_eq!(of(&of_three).mean(), None, "both tails are open, and a listed row could still grow");
    let twice = format!("mul(-2, {EXPLODING})");
    assert_eq!(of(&twice).mean(), f("-42/5"));
    assert_eq!(of(&twice).side(), Side::Below);
}

/// A rest on both sides: every listed chance is complete, as the sum over all pairs far enough out says.
#[test]
fn of_differences_without_end() {
    let die =
        |sides: u32, on: u32| format!("sum(gather(accumulate(x = draw(1..{sides}), some(unequal({on}, gather(x))))))");
    let cases = [
        (die(6, 6), die(6, 6), "0", Some("532/25")),
        (die(4, 4), die(6, 6), "-13/15", None),
        (die(3, 2), format!("add(7, {})", die(5, 5)), "-31/4", None),
        (format!("mul(1, {})", die(2, 2)), die(2, 1), "0", None),
    ];
    for (left, right, mean, variance) in cases {
        let text = format!("sub({left}, {right})");
        let odds = of(&text);
        assert!(odds.exact() && odds.side() == Side::Both, "{text}");
        assert!(odds.unresolved() < Fraction::ratio(1, 1_000_000_000_000), "{text}");
        assert_eq!(odds.mean(), f(mean), "{text}");
        let (x, y) = (of(&left), of(&right));
        assert_eq!(odds.variance(), Some(&x.variance().unwrap() + &y.variance().unwrap()), "{text}");
        assert!(variance.is_none_or(|variance| odds.variance() == f(variance)), "{text}");
        for d in [-20, -7, -3, -1, 0, 1, 2, 5, 11] {
            let pairs = y.outcomes().map(|(value, share)| {
                share.to_f64() * x.probability(&Value::int(value.as_int().unwrap() + d)).to_f64()
            });
            let listed: f64 = pairs.sum();
            assert!((odds.probability(&Value::int(d)).to_f64() - listed).abs() < 1e-11, "{text}: {d}");
        }
    }
    let odds = of(&format!("sub({EXPLODING}, {EXPLODING})"));
    assert_eq!(odds.median(), Some(&Value::int(0)));
    // By symmetry, from the chance of 0 alone.
    let above = &(&Fraction::one() - &odds.probability(&Value::int(0))) / &Fraction::whole(2);
    assert_eq!((odds.between(Some(1), None), odds.between(None, Some(-1))), (Some(above.clone()), Some(above.clone())));
    assert_eq!((odds.at_least(&Value::int(1)), odds.at_most(&Value::int(-1))), (Some(above.clone()), Some(above)));
    assert_eq!(odds.between(Some(0), Some(0)), Some(odds.probability(&Value::int(0))));
    assert_eq!((odds.between(Some(500), None), odds.between(None, Some(-500))), (None, None), "both tails are open");
}

/// Every range of numbers, against the sum of the chances in it, which for an explosion are known by hand.
#[test]
fn of_ranges() {
    // P(X = 6k + r) = 6^-(k+1) for r from 1 to 5.
    let chance = |n: i64| match n {
        n if n < 1 || n % 6 == 0 => Fraction::zero(),
        n => (0..=n / 6).fold(Fraction::one(), |power, _| &power / &Fraction::whole(6)),
    };
    let odds = of(EXPLODING);
    let sum = |low: i64, high: i64| (low..=high).fold(Fraction::zero(), |sum, n| &sum + &chance(n));
    for low in [1, 2, 5, 6, 7, 30, 77, 83, 84, 85, 86, 120, 200] {
        for high in [low, low + 1, low + 5, low + 40] {
            assert_eq!(odds.between(Some(low), Some(high)), Some(sum(low, high)), "{low} to {high}");
        }
        assert_eq!(odds.between(Some(low), None), Some(&Fraction::one() - &sum(1, low - 1)), "from {low}");
        assert_eq!(odds.between(None, Some(low)), Some(sum(1, low)), "up to {low}");
    }
    assert_eq!(odds.between(Some(-5), Some(0)), Some(Fraction::zero()));
    assert_eq!((odds.between(Some(2), Some(1)), odds.between(None, None)), (None, Some(Fraction::one())));
    assert_eq!(of("draw([] x1 or [1] x1)").between(Some(0), None), None, "not numbers");
}

#[test]
fn of_things_that_are_not_numbers() {
    let odds = of("draw([] x1 or [1] x1)");
    assert_eq!(odds.mean(), None);
    assert_eq!(odds.median(), Some(&Value::ints(&[])));
    let odds = of("bag(gather(accumulate(x = draw(1..2), some(equal(2, gather(x))))))");
    assert_eq!((odds.mean(), odds.side()), (None, Side::Anywhere));
    assert_eq!(odds.len(), 40);
}

/// The exact moments of kept explosions against what the listed outcomes say, and every listing
/// against the slower methods.
#[test]
fn of_kept_explosions() {
    let die = |sides: u32| format!("sum(gather(accumulate(x = draw(1..{sides}), some(more({sides}, gather(x))))))");
    let cases = [
        ("largest", 3, 5, 10, Some("27508315/1122211")),
        ("largest", 1, 2, 6, Some("29/5")),
        ("least", 1, 3, 6, Some("441/215")),
        ("least", 2, 4, 6, None),
        ("largest", 2, 3, 4, None),
    ];
    for (row, kept, dice, sides, mean) in cases {
        let text = format!("sum({row}({kept}, bag(gather(repeat({dice}, {})))))", die(sides));
        let fast = of(&text);
        if let Some(mean) = mean {
            assert_eq!(fast.mean(), f(mean), "{text}");
        }
        moments_are_those_of_the_list(&fast, &text);
        for without in [vec![&methods::KEEP], vec![&methods::EXTREME], vec![&methods::KEEP, &methods::EXTREME]] {
            let slow = odds(&program(&text), &Options { without, ..Options::default() }).unwrap();
            assert!(slow.exact() && slow.outcomes().eq(fast.outcomes()), "{text}");
        }
    }
}

/// Dice left out of explosions, every one of which counts by itself: their exact moments against what
/// the listed outcomes say, and the listing against the plain meaning of explosions that stop early.
#[test]
fn of_explosions_without_the_smallest() {
    let loops = |dice: u32, sides: u32, most: &str| {
        format!(
            "gather(repeat({dice}, gather(accumulate(x = draw(1..{sides}), some(more({sides}, gather(x))){most}))))"
        )
    };
    let cases = [
        ("sum(but_least(1, @))", 4, 6, Some("9521/625")),
        ("sum(but_largest(1, @))", 4, 6, None),
        ("sum(but_least(2, @))", 3, 4, None),
        ("sum(but_largest(3, @))", 3, 4, None),
        ("count(more(4, but_least(1, @)))", 3, 4, None),
        ("count(but_largest(2, @))", 2, 3, None),
    ];
    for (text, dice, sides, mean) in cases {
        let fast = of(&text.replace('@', &loops(dice, sides, "")));
        assert!(fast.exact() && fast.unresolved() < Fraction::ratio(1, 1_000_000_000_000), "{text}");
        if let Some(mean) = mean {
            assert_eq!(fast.mean(), f(mean), "{text}");
        }
        moments_are_those_of_the_list(&fast, text);
        let early = program(&text.replace('@', &loops(dice, sides, ", at most 3")));
        let plain = odds(&early, &Options { without: methods::ALL.to_vec(), ..Options::default() }).unwrap();
        assert!(of_program(&early).outcomes().eq(plain.outcomes()), "{text}");
    }
}

/// What is not listed is too rare to be seen in floats.
fn moments_are_those_of_the_list(odds: &Odds, text: &str) {
    let value = |v: &Value| v.as_int().unwrap() as f64;
    let listed = |p: i32| odds.outcomes().map(|(v, share)| value(v).powi(p) * share.to_f64()).sum::<f64>();
    assert!((listed(1) - odds.mean().unwrap().to_f64()).abs() < 1e-8, "{text}");
    assert!((listed(2) - listed(1).powi(2) - odds.variance().unwrap().to_f64()).abs() < 1e-6, "{text}");
}
