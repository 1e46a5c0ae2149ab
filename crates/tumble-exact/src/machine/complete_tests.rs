//! A listed probability is complete, also where the list ends.
//!
//! An answer stops so far out that a mistake at its border has less than a millionth of a millionth of the mass, and
//! nobody would see it. So here loops are listed to a few passes only, where the border is in plain sight, and every row
//! that is listed as complete must be the very same when loops are listed much further. The same holds for the mean and
//! the mean square, which do not depend on how far anything is listed.

use super::{FIRST_PRECISION, Machine, Work};
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::listing::Listing;
use crate::method::Method;
use crate::methods;
use crate::moments;
use crate::odds::ratio;
use crate::outcome::{self, Outcome};
use crate::prepare::Plan;
use crate::{Options, Side};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tumble_core::read;
use tumble_core::{Limits, Program, Ratio, Value, arbitrary, print};

/// What was compared: rows, of them the last before a border, and moments.
#[derive(Default)]
struct Seen {
    rows: usize,
    borders: usize,
    moments: usize,
}

/// The distribution with loops listed so far that less than two to the minus `precision` is left of each.
fn dist(program: &Program, precision: u64, without: &[&'static Method]) -> Option<Dist> {
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    let options = Options { limits, without: without.to_vec(), ..Options::default() };
    let plan = Plan::new(program, !without.contains(&&methods::REWRITING));
    let run = || Machine::run(&plan, &options, &mut Work::new(&options), precision, None).ok();
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("it panics without {without:?}: {}", print(program)))
}

/// What the unlisted outcomes of a distribution leave: numbers from one to another, collections of so many members.
struct Bounds {
    low: i64,
    high: i64,
    members: u64,
}

impl Bounds {
    fn of(dist: &Dist) -> Bounds {
        let mut bounds = Bounds { low: i64::MIN, high: i64::MAX, members: u64::MAX };
        for (outcome, _) in &dist.items {
            match outcome {
                Outcome::Above { bound, .. } => bounds.high = bounds.high.min(*bound),
                Outcome::Below { bound, .. } => bounds.low = bounds.low.max(*bound),
                Outcome::Larger(most) => bounds.members = bounds.members.min(*most),
                Outcome::Known(_) => {}
                _ => bounds.high = i64::MIN,
            }
        }
        bounds
    }

    /// Whether nothing unlisted can be this value. Of collections of several, only their size is told.
    fn hold(&self, value: &Value) -> bool {
        let size = outcome::chunk(value).map_or(0, |members| members.len() as u64);
        let told =
            ratio(value).map_or(self.high == i64::MAX, |n| Ratio::from(self.low) <= n && n <= Ratio::from(self.high));
        told && size <= self.members
    }
}

/// The known numbers.
fn numbers(dist: &Dist) -> BTreeMap<i64, Fraction> {
    dist.items
        .iter()
        .filter_map(|(outcome, weight)| Some((outcome.as_int()?, Fraction::part(weight, &dist.den))))
        .collect()
}

fn rows(listing: &Listing) -> BTreeMap<&Value, Fraction> {
    listing.items.iter().map(|(value, weight)| (value, Fraction::part(weight, &listing.den))).collect()
}

impl Seen {
    /// Compares the program listed to each of these precisions, without some methods, with it listed far.
    fn check(&mut self, program: &Program, tries: &[(u64, &[&'static Method])]) {
        let Some(far) = dist(program, FIRST_PRECISION, &[]) else { return };
        for (precision, without) in tries {
            let Some(near) = dist(program, *precision, without) else { continue };
            let text = format!("listed to 2^-{precision}, without {without:?}: {}", print(program));
            self.compare(near, &far, &text);
        }
    }

    fn compare(&mut self, near: Dist, far: &Dist, text: &str) {
        let [moments, others] = [&near, far].map(|dist| moments::of(&dist.items, &dist.den));
        if let (Some(moments), Some(others)) = (moments, others) {
            assert_eq!(moments, others, "mean and mean square, {text}");
            self.moments += 1;
        }
        let bounds = Bounds::of(&near);
        let (near, far) = (Listing::new(near), Listing::new(far.clone()));
        if !near.exact || !far.exact {
            return;
        }
        let (listed, further) = (rows(&near), rows(&far));
        let last = listed.keys().next_back().copied();
        for (value, chance) in &listed {
            let right = further.get(value).cloned().unwrap_or_else(Fraction::zero);
            assert_eq!(*chance, right, "P({value}), {text}");
            self.rows += 1;
            self.borders += usize::from(near.side != Side::Nowhere && Some(*value) == last);
        }
        if let Some(value) = further.keys().find(|value| bounds.hold(value) && !listed.contains_key(*value)) {
            panic!("{value} is not listed, and not beyond what is listed: {text}");
        }
    }

    /// Nothing passes by comparing nothing.
    fn at_least(&self, least: (usize, usize, usize)) {
        let Seen { rows, borders, moments } = self;
        println!("{rows} rows, {borders} at a border, {moments} moments");
        assert!(*rows >= least.0 && *borders >= least.1 && *moments >= least.2, "fewer than {least:?}");
    }
}

#[test]
fn rows_of_random_programs() {
    let mut seen = Seen::default();
    for seed in 0..1_500u64 {
        let program = arbitrary::endless_program(seed);
        let without: &[&'static Method] =
            if seed % 3 == 0 { &[methods::ALL[seed as usize / 3 % methods::ALL.len()]] } else { &[] };
        seen.check(&program, &[(1 + seed % 7, without)]);
    }
    seen.at_least((5_000, 300, 300));
}

/// Loops whose values go up, down, from a number on, by less than a roll that ends, by nothing now and then,
/// after another roll, and as several members.
const LOOPS: [&str; 9] = [
    "sum(gather(accumulate(x = draw(1..2), some(more(2, gather(x))))))",
    "sum(gather(accumulate(x = draw(1..3), some(more(3, gather(x))))))",
    "sum(gather(accumulate(x = draw(0..3), some(more(2, gather(x))))))",
    "sum(gather(accumulate(x = draw(-3..-1), some(less(-3, gather(x))))))",
    "add(5, sum(gather(accumulate(x = draw(2 x1 or 4 x1), some(more(4, gather(x)))))))",
    "sum(gather(accumulate(x = draw(1..6), some(unequal(2, gather(x))))))",
    "sum(gather(accumulate(x = draw(0..3), some(among(gather(x), [1, 3])))))",
    "sum(gather(accumulate(x = draw(1..7) then draw(1..3), some(unequal(3, gather(x))))))",
    "gather(accumulate(x = draw(1..3), some(more(3, gather(x)))))",
];

/// Collections of them.
const POOLS: [&str; 6] = [
    "bag(gather(repeat(2, L)))",
    "bag(gather(repeat(3, L)))",
    "bag(gather(repeat(4, L)))",
    "bag(gather(repeat(2, L), repeat(2, draw(1..4))))",
    "bag(gather(L, 3, draw(2..6)))",
    "bag(gather(repeat(2, L), sum(gather(accumulate(y = draw(1..4), some(more(4, gather(y))))))))",
];

/// Ways to look at a collection.
const VIEWS: [&str; 19] = [
    "sum(P)",
    "count(P)",
    "sum(largest(1, P))",
    "sum(largest(2, P))",
    "sum(largest(3, P))",
    "sum(least(1, P))",
    "sum(least(2, P))",
    "sum(least(3, P))",
    "sum(but_largest(1, P))",
    "sum(but_least(1, P))",
    "sum(lift(2, largest(2, P)))",
    "count(more(3, but_least(1, P)))",
    "sum(cap(4, P))",
    "sum(less(2, P))",
    "sum(different(P))",
    "median(P)",
    "maximal(P)",
    "let p = P in sub(sum(p), count(more(3, p)))",
    "let p = P in add(sum(p), count(less(1, p)))",
];

#[test]
fn rows_of_every_view() {
    let mut seen = Seen::default();
    for (view, pool) in VIEWS.iter().flat_map(|view| POOLS.map(|pool| (view, pool))) {
        for (place, endless) in LOOPS.iter().enumerate() {
            let program = read::program(&view.replace('P', &pool.replace('L', endless)));
            let left_out = [
                [&methods::POWER],
                [&methods::EXTREME],
                [&methods::KEEP],
                [&methods::FACES],
                [&methods::FOLDS],
                [&methods::THRESHOLD],
            ];
            let faces = [&methods::KEEP, &methods::EXTREME, &methods::FACES];
            seen.check(&program, &[(2, &[]), (3, &[]), (5, &[]), (4, &left_out[place % left_out.len()]), (4, &faces)]);
        }
    }
    seen.at_least((8_000, 1_000, 800));
}

/// Sums of equal dice are listed by a form of their own, as far as it likes. A die that is cut after so many passes is
/// the same up to that many times the least that a pass adds.
#[test]
fn sums_of_equal_dice() {
    const PASSES: u64 = 100;
    let mut seen = 0;
    for (endless, least) in [(LOOPS[0], 2), (LOOPS[1], 3), (LOOPS[2], 2), (LOOPS[5], 2), (LOOPS[7], 3)] {
        for times in 2..6 {
            let program = read::program(&format!("sum(gather(repeat({times}, {endless})))"));
            let (near, cut) = (dist(&program, 4, &[]), dist(&arbitrary::cut(&program, PASSES), FIRST_PRECISION, &[]));
            let (near, cut) = (near.unwrap(), cut.unwrap());
            let bound = Bounds::of(&near).high;
            assert!(bound < least * PASSES as i64, "{endless}: {bound}");
            let [listed, right] = [&near, &cut].map(numbers);
            for n in 0..=bound {
                assert_eq!(listed.get(&n), right.get(&n), "P({n}) of {times} times {endless}, listed to {bound}");
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "only {seen} rows");
}

#[test]
fn differences_and_sums_of_two() {
    let mut seen = Seen::default();
    let loops = LOOPS.iter().filter(|text| !text.starts_with("gather"));
    for (a, b) in loops.clone().flat_map(|a| loops.clone().map(move |b| (a, b))) {
        for text in [format!("sub({a}, {b})"), format!("add({a}, {b})"), format!("sub(mul(2, {a}), {b})")] {
            let program = read::program(&text);
            seen.check(&program, &[(2, &[]), (4, &[]), (6, &[])]);
            // A difference is found by a formula, however far it is listed, so a cut one tells more.
            let (Some(near), Some(cut)) = (dist(&program, 4, &[]), dist(&arbitrary::cut(&program, 80), 4, &[])) else {
                continue;
            };
            let [listed, right] = [&near, &cut].map(numbers);
            let bounds = Bounds::of(&near);
            for (n, chance) in listed.iter().filter(|(n, _)| bounds.low <= **n && **n <= bounds.high) {
                let right = right.get(n).map_or(0.0, Fraction::to_f64);
                assert!((chance.to_f64() - right).abs() < 1e-12, "P({n}) is {chance} and should be {right}: {text}");
            }
        }
    }
    seen.at_least((800, 90, 90));
}
