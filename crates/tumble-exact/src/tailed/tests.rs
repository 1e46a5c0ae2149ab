//! Endless dice against what is known of them, against each other, and against those that end after many rolls.

use super::*;
use crate::law::{Bunch, Part, Source};
use crate::moments;
use crate::question::{Goal, View};
use std::rc::Rc;
use tumble_core::prim::{self, Prim};
use tumble_core::{Budget, Compare, Limits};

/// A die that is rolled again and added on its largest face, listed for a few periods.
pub(crate) fn exploding(sides: u64) -> Dist {
    let den = UBig::from(sides).pow(5);
    let face = |n: u64| (Outcome::int(n as i64), UBig::from(sides).pow(4 - (n / sides) as usize));
    let mut items: Vec<_> = (1..5 * sides).filter(|n| n % sides != 0).map(face).collect();
    let bound = 5 * sides as i64 - 1;
    items.push((Outcome::Above { bound, pooled: false, far: Far::falling(bound, &beyond(sides)) }, UBig::ONE));
    Dist::listed(items, den)
}

/// How it goes on: the first number of each period, a multiple of the sides, never comes.
fn beyond(sides: u64) -> Tailed {
    Tailed::beyond((0..sides).map(|j| UBig::from(u64::from(j > 0))).collect(), &Fraction::ratio(1, sides)).unwrap()
}

fn budget() -> Budget {
    Budget::new(Limits::default())
}

fn at(number: &Tailed, n: i64) -> Fraction {
    let (terms, den) = number.listed(n..n + 1);
    Fraction::part(&terms[0], &den)
}

fn changed(dist: &Dist, mut change: impl FnMut(&Outcome) -> Outcome) -> Dist {
    dist.map(&mut budget(), |outcome, _| Ok(change(outcome))).unwrap()
}

/// Mean and mean square of a die that is rolled again and added on its largest face.
fn moments_of_exploding(sides: i64) -> (Fraction, Fraction) {
    // X is N below the sides, or the sides plus another X, so E X = s/(s−1) · (s+1)/2 and E X² follows likewise.
    let [p, s] = [Fraction::ratio(1, sides as u64), Fraction::whole(sides)];
    let sum = |e: u32| Fraction::whole((1..=sides).map(|n| n.pow(e)).sum());
    let stays = &Fraction::one() - &p;
    let mean = &(&sum(1) * &p) / &stays;
    let cross = &(&Fraction::whole(2) * &s) * &(&p * &mean);
    (mean.clone(), &(&(&sum(2) * &p) + &cross) / &stays)
}

#[test]
fn the_tail_of_a_die_has_its_moments() {
    for sides in [2, 3, 6, 20] {
        let die = exploding(sides);
        assert_eq!(moments::of(&die.items, &die.den), Some(moments_of_exploding(sides as i64)), "d{sides}");
        assert!(die.audit(&moments::sums(&die.items, &die.den).mass).is_ok(), "d{sides}");
        let lost = Dist { den: &die.den + UBig::ONE, items: die.items };
        assert!(lost.audit(&moments::sums(&lost.items, &lost.den).mass).is_err(), "d{sides}");
    }
}

/// However the rows below are changed, what is beyond them stays as it is, and the number is whole.
#[test]
fn changed_rows_keep_their_tail() {
    type Change = fn(i64) -> i64;
    let changes: [(&str, Change, i64); 5] = [
        ("nothing", |n| n, 1),
        ("at least 2", |n| n.max(2), 3),
        ("7 becomes 3", |n| if n == 7 { 3 } else { n }, 8),
        ("everything listed becomes 0", |n| if n < 30 { 0 } else { n }, 30),
        ("29 becomes 100, beyond the bound", |n| if n == 29 { 100 } else { n }, 101),
    ];
    let (die, plain) = (exploding(6), Tailed::open(&exploding(6), Value::as_int).unwrap());
    for (name, change, from) in changes {
        let dist = changed(&die, |outcome| outcome.as_int().map_or(outcome.clone(), |n| Outcome::int(change(n))));
        let number = Tailed::open(&dist, Value::as_int).unwrap();
        assert_eq!((number.from(), number.total()), (from, Fraction::one()), "{name}");
        for n in (from..200).chain([31, 37]) {
            assert_eq!(at(&number, n), at(&plain, n), "{name}: {n}");
        }
        for n in number.low..120 {
            let below = (number.low..n).fold(Fraction::zero(), |sum, n| &sum + &at(&number, n));
            assert_eq!(&number.at_least(n).unwrap() + &below, Fraction::one(), "{name}: {n}");
        }
        assert!(number.at_least(number.low - 1).is_none() && number.at_least(i64::MAX).is_none());
    }
}

/// Laws that would need numbers far out, or on the wrong side, or another tail, are seen.
#[test]
fn impossible_laws_are_seen() {
    let right = Far::falling(10, &beyond(2)).unwrap();
    let plain = Far::new(right.mean().clone(), right.square().clone());
    let of = |mean: i64, square: i64| Far::new(Fraction::whole(mean), Fraction::whole(square));
    for (name, far, bound, up, possible) in [
        ("its own tail", right.clone(), 10, true, true),
        ("turned", right.affine(-1, 0), -10, false, true),
        ("three times as far", right.affine(3, 0), 32, true, true),
        ("no tail", plain.clone(), 10, true, true),
        ("of another bound", right.clone(), 9, true, false),
        ("on the wrong side", plain, 10, false, false),
        ("below its bound", of(10, 101), 10, true, false),
        ("with a negative variance", of(1 << 40, 1 << 41), 10, true, false),
        ("of another tail", of(14, 200).with_tail_of(&right), 10, true, false),
    ] {
        assert_eq!(far.possible(bound, up), possible, "{name}");
    }
}

/// All numbers up to a large one with their chances; what is beyond is next to nothing.
fn written(number: &Tailed) -> Vec<(i64, f64)> {
    (number.low..300).map(|n| (n, at(number, n).to_f64())).collect()
}

fn near(exact: &Fraction, sum: f64, what: &str) {
    assert!((exact.to_f64() - sum).abs() < 1e-9 * sum.abs().max(1.0), "{what}: {} is not {sum}", exact.to_f64());
}

/// Kept sums of two kinds of dice, against all pairs and triples of numbers.
#[test]
fn kept_dice_have_the_moments_of_all_rolls() {
    let kept = |row: &'static Prim, n: i64, goal: Goal| {
        let stage = crate::law::Stage { row, args: vec![Value::int(n), Value::NOTHING], against: None };
        View { stages: vec![stage], goal }
    };
    let dice = [(exploding(4), 1), (exploding(6), 2)];
    let part = |(die, times): &(Dist, u64)| Part { source: Source::Each(Rc::new(die.clone())), times: *times };
    let bunch = Bunch::pool(dice.iter().map(part).collect());
    let [four, six] = [&dice[0].0, &dice[1].0].map(|die| written(&Tailed::of(die, Value::as_int).unwrap()));
    for (name, view, pick) in [
        ("largest", kept(&prim::LARGEST, 1, Goal::Members), 2..3),
        ("smallest", kept(&prim::LEAST, 1, Goal::Members), 0..1),
        ("best two", kept(&prim::LARGEST, 2, Goal::Fold(&prim::SUM)), 1..3),
        ("worst two", kept(&prim::LEAST, 2, Goal::Fold(&prim::SUM)), 0..2),
    ] {
        let (mut mean, mut square) = (0.0, 0.0);
        for (a, p) in &four[..100] {
            for (b, q) in &six[..110] {
                for (c, r) in &six[..110] {
                    let mut all = [*a, *b, *c];
                    all.sort_unstable();
                    let sum: i64 = all[pick.clone()].iter().sum();
                    (mean, square) = (mean + sum as f64 * p * q * r, square + (sum * sum) as f64 * p * q * r);
                }
            }
        }
        let mut dist = Dist::one(Outcome::Above { bound: 0, pooled: false, far: None });
        complete_kept(&mut dist, &bunch, |dice| view.kept(dice), &mut budget()).unwrap();
        let found = moments::of(&dist.items, &dist.den).unwrap();
        near(&found.0, mean, name);
        near(&found.1, square, name);
    }
}

/// Differences and comparisons, against all pairs of numbers.
#[test]
fn pairs_have_the_chances_of_all_rolls() {
    let (four, six) = (exploding(4), exploding(6));
    let [x, y] = [&four, &six].map(|die| written(&Tailed::of(die, Value::as_int).unwrap()));
    let chance = |holds: &dyn Fn(i64, i64) -> bool| {
        x.iter().flat_map(|(n, p)| y.iter().filter(|(m, _)| holds(*n, *m)).map(move |(_, q)| p * q)).sum::<f64>()
    };
    let minus = difference(&four, &six, &mut budget()).unwrap().unwrap();
    for (outcome, weight) in &minus.items {
        let chance = match (outcome.as_int(), outcome.beyond()) {
            (Some(d), _) => chance(&|n, m| n - m == d),
            (None, Some(far)) if far.up => chance(&|n, m| n - m > far.bound),
            (None, far) => chance(&|n, m| n - m < far.unwrap().bound),
        };
        near(&Fraction::part(weight, &minus.den), chance, &format!("{outcome:?}"));
    }
    let mean = &moments_of_exploding(4).0 - &moments_of_exploding(6).0;
    assert_eq!(moments::of(&minus.items, &minus.den).unwrap().0, mean);
    let pooled = changed(&six, |outcome| match outcome {
        Outcome::Above { bound, far, .. } => Outcome::Above { bound: *bound, pooled: true, far: far.clone() },
        other => Outcome::Known(Value::ints(&[other.as_int().unwrap()])),
    });
    for (row, holds) in
        [(&prim::LESS, i64::lt as fn(&i64, &i64) -> bool), (&prim::EQUAL, i64::eq), (&prim::MORE, i64::gt)]
    {
        let stays = compared(Compare::of(row).unwrap(), &four, &pooled, &mut budget()).unwrap().unwrap();
        let gone = stays.items.iter().find(|(outcome, _)| *outcome == Outcome::Known(Value::ints(&[]))).unwrap();
        near(&Fraction::part(&gone.1, &stays.den), chance(&|n, m| !holds(&n, &m)), row.name);
    }
}

/// Quotients and remainders by numbers that share nothing, something or all with the period.
#[test]
fn divisions_go_through_a_tail() {
    let die = exploding(6);
    let number = Tailed::of(&die, Value::as_int).unwrap();
    for by in 1..=13 {
        let args = |outcome: &Outcome| [outcome.clone(), Outcome::int(by)];
        let apply = |outcome: &Outcome| crate::outcome::apply(&prim::DIV, &args(outcome), &mut budget()).unwrap();
        let found = Tailed::open(&changed(&die, apply), Value::as_int).unwrap();
        for n in 0..60 {
            let sum = (by * n..by * (n + 1)).fold(Fraction::zero(), |sum, n| &sum + &at(&number, n));
            assert_eq!(at(&found, n), sum, "{n} by {by}");
        }
        let left = remainders(&prim::MOD, &args(&Outcome::Unknown), 0, &die, &mut budget()).unwrap().unwrap();
        for (outcome, weight) in &left.items {
            let same =
                written(&number).iter().filter(|(n, _)| n % by == outcome.as_int().unwrap()).map(|row| row.1).sum();
            near(&Fraction::part(weight, &left.den), same, &format!("{outcome:?} modulo {by}"));
        }
    }
}
