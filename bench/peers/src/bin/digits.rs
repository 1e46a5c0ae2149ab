//! Near the limit an answer is mostly digits: how long it takes to find, beside how long it takes to write its
//! numerators once, reduced and in hexadecimal, into memory.
//!
//! Both are measured in the same process, in turns; the best of several rounds counts. Printed are lines
//! `FIND_SECONDS WRITE_SECONDS OUTCOMES BYTES TEXT`. What is found has its mean and variance, as in `tumble batch`.

use dashu_int::ops::BitTest;
use dashu_int::UBig;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;
use tumble::{Odds, Options, Vars};

const TEXTS: &[&str] = &[
    "count 5<=5000d6",
    "count 5<=20000d6",
    "sum 2000d6",
    "sum 10000d6",
    "sum 1000d20",
    "x := 3000d10; (count 8<=x) - (count 1=x)",
    "x := 2000d10; count (max x)=x",
];

const ROUNDS: usize = 5;
/// No further round is started after this many seconds.
const SECONDS: f64 = 10.0;

type Anyhow = Box<dyn std::error::Error>;

fn main() {
    for text in TEXTS {
        match measure(text) {
            Ok((find, write, outcomes, bytes)) => println!("{find:.9} {write:.9} {outcomes} {bytes} {text}"),
            Err(why) => println!("refused {} {text}", why.to_string().replace(['\n', ' '], "_")),
        }
    }
}

fn measure(text: &str) -> Result<(f64, f64, usize, usize), Anyhow> {
    let (mut find, mut write, mut sizes, start) = (f64::INFINITY, f64::INFINITY, (0, 0), Instant::now());
    for round in 0..ROUNDS {
        if round > 0 && start.elapsed().as_secs_f64() > SECONDS {
            break;
        }
        let begin = Instant::now();
        let odds = found(text)?;
        find = find.min(begin.elapsed().as_secs_f64());
        let numerators: Vec<UBig> = odds.outcomes().map(|(_, chance)| numerator(&chance.hex())).collect::<Result<_, _>>()?;
        // The memory is there before, so that only the digits are counted.
        let mut out = String::with_capacity(numerators.iter().map(|number| number.bit_len() / 4 + 2).sum());
        let begin = Instant::now();
        for number in &numerators {
            writeln!(out, "{number:x}")?;
        }
        write = write.min(begin.elapsed().as_secs_f64());
        sizes = (numerators.len(), black_box(&out).len());
    }
    Ok((find, write, sizes.0, sizes.1))
}

fn found(text: &str) -> Result<Odds, Anyhow> {
    let prepared = tumble::compile("troll", text, &Vars::new())?;
    let odds = prepared.odds(&Options::default())?;
    black_box((odds.mean(), odds.variance()));
    Ok(odds)
}

/// The numerator of a fraction in hexadecimal.
fn numerator(hex: &str) -> Result<UBig, Anyhow> {
    let above = hex.split('/').next().unwrap_or(hex);
    Ok(UBig::from_str_radix(above, 16)?)
}
