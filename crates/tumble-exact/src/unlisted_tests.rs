//! The promise behind every outcome that is not listed, compared with the meaning of every row.
//!
//! `apply(row, […, "a number above b", …])` says something of what the row makes of a number above b. Whatever it
//! says must hold for every such number: for many x beyond the bound, the row is applied to x itself, and the result must
//! fit. The same for numbers below a bound and for collections with more than so many members. Where it also states
//! moments, they must be those of the results.

use crate::fraction::Fraction;
use crate::odds::ratio;
use crate::outcome::{self, Outcome};
use crate::tailed::Far;
use std::collections::BTreeSet;
use tumble_core::prim::{self, Prim, Sort};
use tumble_core::{Budget, Limits, Ratio, Value};

/// Arguments that are tried for each place of each row.
const TRIES: u64 = 1_500;

/// So many places of rows say more than nothing.
const TELLING: usize = 38;

/// What stands for numbers that are not listed, and some of them.
struct Unlisted {
    outcome: Outcome,
    some: Vec<Value>,
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn int(&mut self) -> i64 {
        self.below(17) as i64 - 6
    }

    fn ints(&mut self) -> Value {
        let members: Vec<i64> = (0..self.below(4)).map(|_| self.int()).collect();
        Value::ints(&members)
    }

    /// A known argument of this sort.
    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Int => Value::int(self.int()),
            Sort::Bool => Value::bool(self.below(2) == 0),
            Sort::Pool => self.ints(),
            Sort::Text => Value::text("some text"),
            Sort::Tuple => Value::tuple(vec![Value::int(self.int()), Value::int(self.int())]),
            Sort::List => Value::list(vec![Value::int(self.int()), self.ints()]),
            Sort::Any | Sort::Rest => {
                if self.below(2) == 0 {
                    Value::int(self.int())
                } else {
                    self.ints()
                }
            }
        }
    }

    /// What is not listed and can stand where this sort is asked for; none if nothing can.
    fn unlisted(&mut self, row: &Prim, sort: Sort) -> Option<Unlisted> {
        let pooled = match sort {
            Sort::Int => false,
            Sort::Pool => *row != prim::ONLY || self.below(2) == 0,
            Sort::Any | Sort::Rest => self.below(2) == 0,
            Sort::Bool | Sort::Text | Sort::Tuple | Sort::List => return None,
        };
        if pooled && self.below(4) == 0 {
            return Some(self.larger());
        }
        let bound = self.int();
        let value = |x: i64| if pooled { Value::ints(&[x]) } else { Value::int(x) };
        // Very far only now and then: some rows make long collections of it.
        let farthest = if self.below(50) == 0 { 1_000_000 } else { 1000 };
        let far = [1, 2, 3, 4, 5, 6, 7, 12, farthest, 2 + self.below(30) as i64];
        let above = self.below(2) == 0;
        let numbers = far.map(|by| if above { bound + by } else { bound - by });
        let far = Some(law(&numbers.map(Ratio::from)));
        let outcome = match above {
            true => Outcome::Above { bound, pooled, far },
            false => Outcome::Below { bound, pooled, far },
        };
        Some(Unlisted { outcome, some: numbers.map(value).to_vec() })
    }

    /// A collection with more than so many members.
    fn larger(&mut self) -> Unlisted {
        let most = self.below(4);
        let some = [1, 2, 3, 9].map(|more| {
            let members: Vec<i64> = (0..most + more).map(|_| self.int()).collect();
            Value::ints(&members)
        });
        Unlisted { outcome: Outcome::Larger(most), some: some.to_vec() }
    }
}

/// Mean and mean square of numbers that are all as likely.
fn law(numbers: &[Ratio]) -> Far {
    let exact = |n: &Ratio| Fraction::ratio(n.numerator(), n.denominator().unsigned_abs());
    let mean = |part: fn(&Fraction) -> Fraction| {
        let sum = numbers.iter().map(|n| part(&exact(n))).fold(Fraction::zero(), |sum, part| &sum + &part);
        &sum * &Fraction::ratio(1, numbers.len() as u64)
    };
    Far::new(mean(Fraction::clone), mean(|n| n * n))
}

/// The moments that are stated.
fn stated(outcome: &Outcome) -> Option<(Fraction, Fraction)> {
    let far = outcome.beyond()?.far?;
    Some((far.mean().clone(), far.square().clone()))
}

/// Whether a value is among those that an outcome stands for.
fn fits(outcome: &Outcome, value: &Value) -> bool {
    let number = |pooled: bool| match (pooled, value.as_pool()) {
        (true, Some([one])) => one.as_ratio(),
        (false, _) => value.as_ratio(),
        (true, _) => None,
    };
    match outcome {
        Outcome::Known(known) => known == value,
        Outcome::Above { bound, pooled, .. } => number(*pooled).is_some_and(|n| n >= (bound + 1).into()),
        Outcome::Below { bound, pooled, .. } => number(*pooled).is_some_and(|n| n <= (bound - 1).into()),
        Outcome::Larger(most) => outcome::chunk(value).is_some_and(|members| members.len() as u64 > *most),
        Outcome::Unknown => true,
        other => panic!("{other:?} is no outcome of a row"),
    }
}

fn budget() -> Budget {
    Budget::new(Limits::default())
}

/// What a row says of these arguments must hold for all values that they stand for. Whether it says anything.
fn holds(row: &Prim, args: &[Outcome], values: &[Vec<Value>]) -> bool {
    let said = outcome::apply(row, args, &mut budget());
    let mut all = vec![vec![]];
    for choices in values {
        all = all.iter().flat_map(|so_far: &Vec<Value>| choices.iter().map(|one| joined(so_far, one))).collect();
    }
    let mut results = Vec::new();
    for values in &all {
        let meant = (row.apply)(values, &mut budget());
        let fit = match (&said, &meant) {
            (Ok(Outcome::Unknown), _) | (Err(_), Err(_)) => true,
            (Ok(said), Ok(meant)) => fits(said, meant),
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        };
        assert!(fit, "{}{args:?} says {said:?}, but {values:?} gives {meant:?}", row.name);
        results.extend(meant.ok().as_ref().and_then(ratio));
    }
    if let Some(told) = said.as_ref().ok().and_then(stated) {
        let right = law(&results);
        assert_eq!(told, (right.mean().clone(), right.square().clone()), "{}{args:?} says {said:?}", row.name);
    }
    !matches!(said, Ok(Outcome::Unknown))
}

fn joined(so_far: &[Value], one: &Value) -> Vec<Value> {
    so_far.iter().chain([one]).cloned().collect()
}

/// The sorts of some arguments of a row; those of any number of arguments are a few.
fn sorts(row: &Prim, dice: &mut Dice) -> Vec<Sort> {
    match row.takes.split_last() {
        Some((Sort::Rest, fixed)) => {
            let more = 1 + dice.below(2) as usize;
            fixed.iter().copied().chain(vec![Sort::Rest; more]).collect()
        }
        _ => row.takes.to_vec(),
    }
}

/// One try: an unlisted value in this place, perhaps in another too, the rest known.
fn tried(row: &Prim, place: usize, dice: &mut Dice) -> Option<bool> {
    let (mut args, mut values) = (Vec::new(), Vec::new());
    for (i, sort) in sorts(row, dice).into_iter().enumerate() {
        let unlisted = match i == place || dice.below(8) == 0 {
            true => dice.unlisted(row, sort),
            false => None,
        };
        match unlisted {
            Some(Unlisted { outcome, some }) => {
                args.push(outcome);
                values.push(some);
            }
            None if i == place => return None,
            None => {
                let value = dice.value(sort);
                args.push(Outcome::Known(value.clone()));
                values.push(vec![value]);
            }
        }
    }
    (place < args.len()).then(|| holds(row, &args, &values))
}

#[test]
fn whatever_a_row_says_of_unlisted_numbers_holds() {
    let mut dice = Dice(20_261_117);
    let mut telling = BTreeSet::new();
    for row in prim::ALL {
        for place in 0..row.takes.len() {
            let tells = (0..TRIES).filter(|_| tried(row, place, &mut dice) == Some(true)).count();
            if tells > 0 {
                telling.insert((row.name, place));
            }
        }
    }
    println!("{} places of rows tell something", telling.len());
    assert!(telling.len() >= TELLING, "only {} places of rows tell something: {telling:?}", telling.len());
}

/// Sums and multiples of what is not listed are as near to the bound as they can be, so that no row is given up.
#[test]
fn bounds_are_as_near_as_they_can_be() {
    let above = |bound: i64| Outcome::Above { bound, pooled: false, far: None };
    let below = |bound: i64| Outcome::Below { bound, pooled: false, far: None };
    let cases: [(&Prim, Vec<Outcome>, Outcome); 9] = [
        (&prim::ADD, vec![above(10), Outcome::int(5)], above(15)),
        (&prim::ADD, vec![above(10), above(3)], above(14)),
        (&prim::ADD, vec![below(-10), below(3)], below(-8)),
        (&prim::SUB, vec![Outcome::int(5), above(10)], below(-5)),
        (&prim::MUL, vec![above(10), Outcome::int(3)], above(32)),
        (&prim::MUL, vec![Outcome::int(-2), above(10)], below(-21)),
        (&prim::ABS, vec![below(-4)], above(4)),
        (&prim::QUOT, vec![above(10), Outcome::int(3)], above(2)),
        (&prim::NEG, vec![above(0)], below(0)),
    ];
    for (row, args, expected) in cases {
        let said = outcome::apply(row, &args, &mut budget());
        assert_eq!(said.ok(), Some(expected), "{}{args:?}", row.name);
    }
}
