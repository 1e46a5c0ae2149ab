//! How many rolls a core makes in a second of its own time.
//!
//! ```text
//! cargo run --release -p tumble-roll --example speed [PART OF A NAME]
//! ```
//!
//! The first line is the loop a person would write by hand; the others are ratios to think about.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for developers")]

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::Instant;
use tumble_core::Limits;
use tumble_core::read::program;
use tumble_roll::{Fast, Roller, Sampler, Seeded, roll, samples};

fn main() {
    let best = program("sum(largest(3, bag(gather(repeat(4, draw(1..6))))))");
    let plus = program("add(sum(largest(3, bag(gather(repeat(4, draw(1..6)))))), 2)");
    let limits = Limits::default();

    let mut generator = ChaCha8Rng::seed_from_u64(1);
    time("by hand, sum largest 3 4d6", || by_hand(&mut generator));

    let (mut sampler, mut source) = (Sampler::new(&best, &limits), Fast::new(1));
    time("Sampler, Fast", || sampler.sample(&mut source).unwrap());

    let rolls = 1 << 22;
    let mut run = 0;
    many("samples, on one core", rolls, || {
        run += 1;
        samples(&best, run, rolls, &limits, 1).unwrap()
    });

    let mut sampler = Sampler::new(&best, &limits);
    let mut seed = 0;
    time("Sampler, Seeded", || {
        seed += 1;
        sampler.sample(&mut Seeded::new(seed)).unwrap()
    });

    let (mut roller, mut source) = (Roller::new(&plus, &limits), Fast::new(1));
    time("Roller, Fast", || roller.roll(&mut source).unwrap().value());

    time("Roller, Seeded", || {
        seed += 1;
        roller.roll(&mut Seeded::new(seed)).unwrap().value()
    });

    time("Roller, Seeded, every die", || {
        seed += 1;
        roller.roll(&mut Seeded::new(seed)).unwrap().dice().map(|die| die.face).sum::<u64>()
    });

    time("Roller, Seeded, story told", || {
        seed += 1;
        roller.roll(&mut Seeded::new(seed)).unwrap().record().unwrap().draws.len()
    });

    let mut source = Fast::new(1);
    time("roll with story, Fast", || roll(&plus, &mut source, &limits).unwrap());

    time("roll with story, Seeded", || {
        seed += 1;
        roll(&plus, &mut Seeded::new(seed), &limits).unwrap()
    });
}

/// The four dice, the sum less the smallest.
fn by_hand(generator: &mut ChaCha8Rng) -> i64 {
    let (mut sum, mut least) = (0, i64::MAX);
    for _ in 0..4 {
        let face = 1 + ((u128::from(generator.next_u64()) * 6) >> 64) as i64;
        sum += face;
        least = least.min(face);
    }
    sum - least
}

fn time<T>(what: &str, run: impl FnMut() -> T) {
    many(what, 1, run);
}

/// Runs something that makes so many rolls twice as often each time, until that takes half a second.
fn many<T>(what: &str, rolls: u64, mut run: impl FnMut() -> T) {
    if std::env::args().nth(1).is_some_and(|part| !what.contains(&part)) {
        return;
    }
    let mut times = 1u64;
    loop {
        let start = cpu();
        for _ in 0..times {
            black_box(run());
        }
        let seconds = cpu() - start;
        if seconds > 0.5 {
            let each = seconds / (times * rolls) as f64;
            println!("{what:32} {:8.2} M/s   {:7.1} ns", 1e-6 / each, each * 1e9);
            return;
        }
        times *= 2;
    }
}

/// The time this process used on a core, where the system tells; else the time that passed.
fn cpu() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let own = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = own.and_then(|line| line.split(' ').next().and_then(|number| number.parse::<f64>().ok()));
    nanos.map_or_else(|| start.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}
