//! How often each outcome comes in many rolls, on all cores.
//!
//! ```text
//! roll number n   =   roll n mod 4096 with the stream (seed, n div 4096)
//! ```
//!
//! A stream does not know which core it runs on, and counts can be added in any order, so the answer
//! is the same on any number of cores. Rolls have neither paths nor a story.

use crate::sample::{Outcome, Sampler};
use crate::source::Fast;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use tumble_core::sort;
use tumble_core::{Diagnostic, Fault, Limits, Program, Value};

/// How many rolls share a stream.
const CHUNK: u64 = 4096;

/// Numbers from 0 to this are counted in a list.
const SMALL: usize = 1024;

/// About what an outcome takes beside its members, and what a member takes.
const BYTES: (u64, u64) = (64, 40);

/// The outcomes of many rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// Each outcome once, in order, with how often it occurred.
    pub counts: Vec<(Value, u64)>,
    /// How many rolls were made; fewer than requested if they were stopped.
    pub rolls: u64,
    /// How many of them ended with an error.
    pub failed: u64,
    /// The error of the first roll that failed.
    pub failure: Option<Diagnostic>,
}

/// How a caller watches and stops many rolls.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set it to stop and get the rolls made so far; it is checked before each roll.
    pub stop: &'a AtomicBool,
    /// Called with the number of rolls made, now and then, from any thread.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Rolls a program many times and counts the outcomes; the limits apply to each roll. It fails if there are too
/// many different outcomes for `limits.bytes`.
pub fn samples(
    program: &Program,
    seed: u64,
    count: u64,
    limits: &Limits,
    threads: usize,
) -> Result<Samples, Diagnostic> {
    let stop = AtomicBool::new(false);
    samples_until(program, seed, count, limits, threads, Control { stop: &stop, progress: &|_| {} })
}

/// The same, with a way to watch and stop it.
pub fn samples_until(
    program: &Program,
    seed: u64,
    count: u64,
    limits: &Limits,
    threads: usize,
    waiting: Control<'_>,
) -> Result<Samples, Diagnostic> {
    let job = Job { program, seed, count, limits, waiting, next: AtomicU64::new(0), made: AtomicU64::new(0) };
    let others = threads.max(1).min(usize::try_from(count.div_ceil(CHUNK)).unwrap_or(usize::MAX)).saturating_sub(1);
    let counts = thread::scope(|scope| {
        let helpers: Vec<_> = (0..others).map(|_| thread::Builder::new().spawn_scoped(scope, || job.work())).collect();
        let mut counts = job.work();
        // A core that gave no thread made no rolls: the others took its share.
        for helper in helpers.into_iter().flatten() {
            match helper.join() {
                Ok(more) => counts.add(more),
                Err(broken) => std::panic::resume_unwind(broken),
            }
        }
        counts
    });
    counts.finish(limits).map_err(|fault| fault.at(program.span(program.function(program.main()).body)))
}

/// What the cores share.
struct Job<'a> {
    program: &'a Program,
    seed: u64,
    count: u64,
    limits: &'a Limits,
    waiting: Control<'a>,
    /// The next chunk that nobody has.
    next: AtomicU64,
    /// Rolls made so far.
    made: AtomicU64,
}

impl Job<'_> {
    /// Takes chunks while there are some.
    fn work(&self) -> Counts {
        let mut sampler = Sampler::new(self.program, self.limits);
        let mut counts = Counts::default();
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            let rolls = self.count.saturating_sub(chunk.saturating_mul(CHUNK)).min(CHUNK);
            let before = counts.rolls;
            let mut source = Fast::stream(self.seed, chunk);
            while counts.rolls - before < rolls && !self.stopped() && counts.bytes <= self.limits.bytes {
                counts.roll(&mut sampler, &mut source, chunk);
            }
            let made = counts.rolls - before;
            if made > 0 {
                (self.waiting.progress)(self.made.fetch_add(made, Ordering::Relaxed) + made);
            }
            if rolls < CHUNK || made < rolls {
                return counts;
            }
        }
    }

    fn stopped(&self) -> bool {
        self.waiting.stop.load(Ordering::Relaxed)
    }
}

/// What one core counted.
#[derive(Default)]
struct Counts {
    small: Vec<u64>,
    values: HashMap<Value, u64>,
    /// About what the values take.
    bytes: u64,
    rolls: u64,
    failed: u64,
    /// The first error, and the chunk in which it was met.
    failure: Option<(u64, Diagnostic)>,
}

impl Counts {
    fn roll(&mut self, sampler: &mut Sampler<'_>, source: &mut Fast, chunk: u64) {
        self.rolls += 1;
        match sampler.outcome(source) {
            Ok(Outcome::Number(number)) => self.number(number, 1),
            Ok(Outcome::Value(value)) => self.value(value, 1),
            Err(error) => {
                self.failed += 1;
                self.failure.get_or_insert((chunk, error));
            }
        }
    }

    #[inline]
    fn number(&mut self, number: i64, times: u64) {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(count) = self.small.get_mut(place) {
            *count += times;
        } else if place < SMALL {
            self.small.resize(place + 1, 0);
            self.small[place] += times;
        } else {
            self.value(Value::int(number), times);
        }
    }

    fn value(&mut self, value: Value, times: u64) {
        if let Some(count) = self.values.get_mut(&value) {
            *count += times;
            return;
        }
        self.bytes = self.bytes.saturating_add(value.weight().saturating_mul(BYTES.1).saturating_add(BYTES.0));
        self.values.insert(value, times);
    }

    fn add(&mut self, other: Counts) {
        self.rolls += other.rolls;
        self.failed += other.failed;
        let first = |failure: &(u64, Diagnostic)| failure.0;
        self.failure = self.failure.take().into_iter().chain(other.failure).min_by_key(first);
        other.small.iter().enumerate().for_each(|(number, times)| self.number(number as i64, *times));
        other.values.into_iter().for_each(|(value, times)| self.value(value, times));
    }

    fn finish(self, limits: &Limits) -> Result<Samples, Fault> {
        if self.bytes > limits.bytes {
            return Err(Fault::limit("there are too many different outcomes to count")
                .hint("ask for a number, such as the sum of the roll"));
        }
        let small = self.small.iter().enumerate().map(|(number, times)| (Value::int(number as i64), *times));
        let mut counts: Vec<(Value, u64)> = small.filter(|row| row.1 > 0).chain(self.values).collect();
        sort::unstable_by(&mut counts, |a, b| a.0.cmp(&b.0));
        let failure = self.failure.map(|(_, error)| error);
        Ok(Samples { counts, rolls: self.rolls, failed: self.failed, failure })
    }
}
