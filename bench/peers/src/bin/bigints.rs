//! The operations our tables are made of, in three libraries for big integers and in our own loops.
//!
//! Prints `bench/bigints.md`. Everybody computes with the same numbers and takes turns, round after
//! round; the best round of each counts, in processor time. Before that, all results are compared.

// Our own loops are taken as they are in the engine; not all of them are asked for here.
#[allow(dead_code)]
#[path = "../../../../crates/tumble-exact/src/limbs.rs"]
mod limbs;

use cpu_time::ThreadTime;
use dashu_int::UBig;
use malachite_base::num::arithmetic::traits::{DivExact, Gcd};
use malachite_nz::natural::Natural;
use num_bigint::BigUint;
use num_integer::Integer;
use std::hint::black_box;
use std::time::Duration;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(25);
const MODULUS: u32 = 3_486_784_401;

/// What every library is asked to do; `None` where it is not meant for that.
trait Number: Sized {
    fn from_words(words: &[u64]) -> Self;
    fn hex(&self) -> String;
    fn times_word(&self, word: u64) -> Option<Self>;
    fn add(&mut self, other: &Self) -> bool;
    fn subtract(&mut self, other: &Self) -> bool;
    fn divide_exactly(&self, word: u64) -> Option<Self>;
    fn rest(&self, modulus: u32) -> Option<u64>;
    fn times(&self, other: &Self) -> Option<Self>;
    fn gcd(&self, other: &Self) -> Option<Self>;
    fn decimal(&self) -> Option<String>;
    /// `(a·x − b·y + c·z) / k`: a step of the recurrence for sums of even dice.
    fn step(rows: [&Self; 3], factors: [u64; 3], k: u64) -> Option<Self>;
}

macro_rules! number {
    ($name:ty, $from:expr, $word:expr, $exact:expr, $rest:expr, $gcd:expr) => {
        impl Number for $name {
            fn from_words(words: &[u64]) -> Self {
                $from(words)
            }
            fn hex(&self) -> String {
                format!("{self:x}")
            }
            fn times_word(&self, word: u64) -> Option<Self> {
                Some(self * $word(word))
            }
            fn add(&mut self, other: &Self) -> bool {
                *self += other;
                true
            }
            fn subtract(&mut self, other: &Self) -> bool {
                *self -= other;
                true
            }
            fn divide_exactly(&self, word: u64) -> Option<Self> {
                Some($exact(self, word))
            }
            fn rest(&self, modulus: u32) -> Option<u64> {
                Some($rest(self, modulus))
            }
            fn times(&self, other: &Self) -> Option<Self> {
                Some(self * other)
            }
            fn gcd(&self, other: &Self) -> Option<Self> {
                Some($gcd(self, other))
            }
            fn decimal(&self) -> Option<String> {
                Some(self.to_string())
            }
            fn step([x, y, z]: [&Self; 3], [a, b, c]: [u64; 3], k: u64) -> Option<Self> {
                let sum = x * $word(a) + z * $word(c) - y * $word(b);
                Some($exact(&sum, k))
            }
        }
    };
}

number!(
    UBig,
    limbs::number,
    UBig::from,
    |n: &UBig, word: u64| n / UBig::from(word),
    |n: &UBig, modulus: u32| n % u64::from(modulus),
    |a: &UBig, b: &UBig| dashu_int::ops::Gcd::gcd(a, b)
);
number!(
    BigUint,
    |words: &[u64]| BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()),
    |word: u64| word,
    |n: &BigUint, word: u64| n / word,
    |n: &BigUint, modulus: u32| (n % modulus).try_into().unwrap_or(u64::MAX),
    |a: &BigUint, b: &BigUint| Integer::gcd(a, b)
);
number!(
    Natural,
    Natural::from_limbs_asc,
    Natural::from,
    |n: &Natural, word: u64| n.div_exact(Natural::from(word)),
    |n: &Natural, modulus: u32| u64::try_from(&(n % Natural::from(modulus))).unwrap_or(u64::MAX),
    |a: &Natural, b: &Natural| Gcd::gcd(a, b)
);

/// Rows of words, as the engine uses them.
struct Row(Vec<u64>);

impl Number for Row {
    fn from_words(words: &[u64]) -> Row {
        Row(words.to_vec())
    }
    fn hex(&self) -> String {
        limbs::number(&self.0).hex()
    }
    fn times_word(&self, _: u64) -> Option<Row> {
        None
    }
    fn add(&mut self, _: &Row) -> bool {
        false
    }
    fn subtract(&mut self, _: &Row) -> bool {
        false
    }
    fn divide_exactly(&self, word: u64) -> Option<Row> {
        let mut out = vec![0; self.0.len()];
        limbs::Divisor::new(word).quotient(&mut out, self.0.iter().map(|word| i128::from(*word)));
        Some(Row(out))
    }
    fn rest(&self, modulus: u32) -> Option<u64> {
        thread_local!(static RESIDUE: limbs::Residue = limbs::Residue::new(MODULUS, 1000));
        (modulus == MODULUS).then(|| RESIDUE.with(|residue| residue.of(&self.0)))
    }
    fn times(&self, _: &Row) -> Option<Row> {
        None
    }
    fn gcd(&self, _: &Row) -> Option<Row> {
        None
    }
    fn decimal(&self) -> Option<String> {
        None
    }
    fn step(rows: [&Row; 3], factors: [u64; 3], k: u64) -> Option<Row> {
        let mut out = vec![0; rows[0].0.len()];
        limbs::three_terms(&mut out, rows.map(|row| row.0.as_slice()), factors, limbs::Divisor::new(k));
        Some(Row(out))
    }
}

const OPERATIONS: [&str; 10] = [
    "number × word",
    "number + number, in place",
    "number − number, in place",
    "exact division by a word",
    "rest modulo 3^20",
    "number × number",
    "greatest common divisor with 6^n",
    "to decimal",
    "to hexadecimal",
    "step of the recurrence",
];

/// The numbers of one size: two of so many words, a power of six, and three rows of a recurrence.
struct Data<T> {
    a: T,
    b: T,
    six: T,
    rows: [T; 3],
}

const FACTORS: [u64; 3] = [17_001, 53_001, 42_007];
const DIVISOR: u64 = 7002;

fn data<T: Number>(size: usize) -> Data<T> {
    let mut seed = 88_172_645_463_325_252u64;
    let mut words = |size: usize| -> Vec<u64> {
        std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed
        })
        .take(size)
        .collect()
    };
    let (a, b) = (limbs::number(&words(size)), limbs::number(&words(size)));
    let six = UBig::from(6u8).pow((size * 64) * 1000 / 2585);
    // What is divided is a multiple of the divisor, and so is each row of the step.
    let a = a / UBig::from(DIVISOR) * UBig::from(DIVISOR);
    let rows = [&a, &(&a >> 64), &b].map(|n| n / UBig::from(DIVISOR) * UBig::from(DIVISOR));
    let row = |n: &UBig| {
        let mut words = limbs::words(n).to_vec();
        words.resize(size + 1, 0);
        T::from_words(&words)
    };
    let plain = |n: &UBig| T::from_words(&limbs::words(n));
    Data { a: plain(&a), b: plain(&b), six: plain(&six), rows: [row(&rows[0]), row(&rows[1]), row(&rows[2])] }
}

/// The result of an operation, to be compared.
fn result<T: Number>(data: &Data<T>, operation: usize) -> Option<String> {
    let Data { a, b, six, rows: [x, y, z] } = data;
    let mut fresh = T::from_words(&[]);
    match operation {
        0 => a.times_word(FACTORS[0]).map(|n| n.hex()),
        1 => (fresh.add(a) && fresh.add(b)).then(|| fresh.hex()),
        2 => (fresh.add(a) && fresh.add(b) && fresh.subtract(b)).then(|| fresh.hex()),
        3 => a.divide_exactly(DIVISOR).map(|n| n.hex()),
        4 => a.rest(MODULUS).map(|n| n.to_string()),
        5 => a.times(b).map(|n| n.hex()),
        6 => a.gcd(six).map(|n| n.hex()),
        7 => a.decimal(),
        8 => a.decimal().map(|_| a.hex()),
        _ => T::step([x, y, z], FACTORS, DIVISOR).map(|n| n.hex()),
    }
}

/// Seconds of processor time for one operation; the best so far counts.
fn round<T: Number>(data: &mut Data<T>, operation: usize) -> Option<f64> {
    result(data, operation)?;
    let (mut times, mut batch) = (0u64, 1u64);
    let start = ThreadTime::now();
    while start.elapsed() < ROUND {
        for _ in 0..batch {
            once(data, operation);
        }
        times += batch;
        batch = (batch * 2).min(256);
    }
    Some(start.elapsed().as_secs_f64() / times as f64)
}

fn once<T: Number>(data: &mut Data<T>, operation: usize) {
    let Data { a, b, six, rows: [x, y, z] } = data;
    match operation {
        0 => drop(black_box(a.times_word(black_box(FACTORS[0])))),
        // Back and forth, so that the number stays as long as it is; half of it counts for each.
        1 | 2 => {
            black_box(a.add(b));
            black_box(a.subtract(b));
        }
        3 => drop(black_box(a.divide_exactly(black_box(DIVISOR)))),
        4 => drop(black_box(a.rest(MODULUS))),
        5 => drop(black_box(a.times(b))),
        6 => drop(black_box(a.gcd(six))),
        7 => drop(black_box(a.decimal())),
        8 => drop(black_box(a.hex())),
        _ => drop(black_box(T::step([x, y, z], FACTORS, black_box(DIVISOR)))),
    }
}

fn shown(best: f64, operation: usize) -> String {
    let nanos = best * 1e9 / if operation == 1 || operation == 2 { 2.0 } else { 1.0 };
    match nanos {
        n if !n.is_finite() => "—".into(),
        n if n < 1e4 => format!("{n:.0} ns"),
        n if n < 1e7 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}

fn table(size: usize) -> Result<(), String> {
    let mut ours = data::<Row>(size);
    let mut dashu = data::<UBig>(size);
    let mut num = data::<BigUint>(size);
    let mut malachite = data::<Natural>(size);
    println!("\n## Numbers of {size} words\n");
    println!("| operation | our rows of words | dashu-int | num-bigint | malachite-nz |");
    println!("|---|---:|---:|---:|---:|");
    for (operation, name) in OPERATIONS.iter().enumerate() {
        let known = result(&dashu, operation);
        let others = [result(&ours, operation), result(&num, operation), result(&malachite, operation)];
        if others.iter().flatten().any(|other| Some(other) != known.as_ref()) {
            return Err(format!("{name}: the libraries do not agree"));
        }
        let mut best = [f64::INFINITY; 4];
        for _ in 0..ROUNDS {
            let times = [
                round(&mut ours, operation),
                round(&mut dashu, operation),
                round(&mut num, operation),
                round(&mut malachite, operation),
            ];
            best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time.unwrap_or(f64::INFINITY)));
        }
        let cells = best.map(|best| shown(best, operation));
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}

const HEAD: &str = "# Big integers

Made by `cargo run --release --manifest-path bench/peers/Cargo.toml --bin bigints > bench/bigints.md`; do not edit.

The operations our tables are made of, on the same numbers, in processor time for one operation; the libraries take
turns and the best of several rounds counts. Compare within a row: a ratio counts, a time does not. A number of 41
words is a weight of `sum 1000d6`, one of 404 words a weight of `sum 10000d6`; the step is
`(a·x − b·y + c·z) / k`, from which those sums are made. Our own rows of words are `crates/tumble-exact/src/limbs.rs`:
only what the long tables need, the rest of the engine uses dashu-int.

| library | version | licence |
|---|---|---|
| dashu-int | 0.6.2 | MIT or Apache-2.0 |
| num-bigint | 0.5.1 | MIT or Apache-2.0 |
| malachite-nz | 0.14.0 | LGPL-3.0-only: measured, never linked into Tumble |";

fn main() -> Result<(), String> {
    println!("{HEAD}");
    [4, 41, 404].into_iter().try_for_each(table)
}
