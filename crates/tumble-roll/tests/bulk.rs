//! Many rolls on several cores.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tumble_core::read::program;
use tumble_core::{Code, Limits, Value, arbitrary};
use tumble_roll::{Control, Fast, Sampler, samples, samples_until};

#[test]
fn the_number_of_cores_does_not_matter() {
    let texts = [
        "sum(largest(3, bag(gather(repeat(4, draw(1..6))))))",
        "bag(gather(repeat(3, draw(1..4))))",
        "div(draw(-2000..2000), draw(0..9))",
        "draw(\"a\" x2 or \"b\" x1)",
    ];
    let programs = texts.iter().map(|text| program(text)).chain((0..20).map(arbitrary::program));
    for (number, program) in programs.enumerate() {
        let rolls = 3 * 4096 + 17;
        let one = samples(&program, 7, rolls, &Limits::small(), 1).unwrap();
        assert_eq!(one.rolls, rolls);
        assert_eq!(one.counts.iter().map(|row| row.1).sum::<u64>() + one.failed, rolls);
        assert!(one.counts.is_sorted());
        for threads in [0, 2, 3, 9] {
            let many = samples(&program, 7, rolls, &Limits::small(), threads).unwrap();
            assert_eq!(many, one, "program {number} on {threads}");
        }
        assert!(samples(&program, 7, 0, &Limits::small(), 2).unwrap().counts.is_empty());
    }
}

/// These numbers are a promise, as those of the sources are.
#[test]
fn counts_are_pinned() {
    let die = program("draw(1..4)");
    let counts = samples(&die, 7, 10_000, &Limits::small(), 2).unwrap().counts;
    let counts: Vec<(i64, u64)> = counts.iter().map(|(value, times)| (value.as_int().unwrap(), *times)).collect();
    assert_eq!(counts, [(1, 2572), (2, 2479), (3, 2425), (4, 2524)]);
}

#[test]
fn a_chunk_is_a_stream() {
    let program = program("gather(repeat(2, draw(1..3)))");
    let mut sampler = Sampler::new(&program, &Limits::small());
    let mut counts = std::collections::BTreeMap::<Value, u64>::new();
    for stream in 0..2 {
        let mut source = Fast::stream(5, stream);
        (0..4096).for_each(|_| *counts.entry(sampler.sample(&mut source).unwrap()).or_default() += 1);
    }
    let sampled = samples(&program, 5, 2 * 4096, &Limits::small(), 1).unwrap();
    assert_eq!(sampled.counts, counts.into_iter().collect::<Vec<_>>());
}

#[test]
fn rolls_that_fail_are_counted() {
    let program = program("div(6, draw(0..1))");
    let sampled = samples(&program, 1, 10_000, &Limits::small(), 2).unwrap();
    let failure = sampled.failure.unwrap();
    assert_eq!((failure.code, failure.message.as_str()), (Code::Runtime, "division by zero"));
    assert_eq!(sampled.counts, [(Value::int(6), 10_000 - sampled.failed)]);
    assert!((4_700..5_300).contains(&sampled.failed));
}

#[test]
fn what_was_reached_can_be_used() {
    let die = program("sum(gather(repeat(2, draw(1..6))))");
    for threads in [1, 2] {
        let (stop, told) = (AtomicBool::new(false), AtomicU64::new(0));
        let progress = |made| {
            told.fetch_max(made, Ordering::Relaxed);
            stop.store(made >= 50_000, Ordering::Relaxed);
        };
        let waiting = Control { stop: &stop, progress: &progress };
        let sampled = samples_until(&die, 1, u64::MAX, &Limits::small(), threads, waiting).unwrap();
        assert!((50_000..1_000_000).contains(&sampled.rolls), "{}", sampled.rolls);
        assert_eq!(sampled.counts.iter().map(|row| row.1).sum::<u64>(), sampled.rolls);
        assert_eq!(told.into_inner(), sampled.rolls);
    }
}

#[test]
fn too_many_outcomes_are_refused() {
    let wide = program("draw(1..1000000000000)");
    let error = samples(&wide, 1, 1_000_000, &Limits { bytes: 100_000, ..Limits::small() }, 2).unwrap_err();
    assert_eq!(error.code, Code::Limit);
}
