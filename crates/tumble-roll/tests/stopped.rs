//! One of several rolls in a process is stopped; the others go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tumble_core::read::program;
use tumble_core::{Code, Diagnostic, Fault, Interrupt, Limits, Value};
use tumble_roll::{Die, Source, sample};

/// Dice that show a six only after somebody allows it.
struct Held<'a>(&'a AtomicBool);

impl Source for Held<'_> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        thread::yield_now();
        Ok(if self.0.load(Ordering::Relaxed) { die.sides.last() } else { 0 })
    }
}

fn until_a_six(sixes: &AtomicBool, stop: &Arc<AtomicBool>) -> Result<Value, Diagnostic> {
    let interrupt = Interrupt::when(stop);
    let limits = Limits { interrupt, draws: u64::MAX, steps: u64::MAX, ..Limits::default() };
    sample(&program("until(x = draw(1..6), some(equal(6, gather(x))))"), &mut Held(sixes), &limits)
}

#[test]
fn one_of_two() {
    let (sixes, stop, other) = (AtomicBool::new(false), Arc::default(), Arc::default());
    thread::scope(|scope| {
        let stopped = scope.spawn(|| until_a_six(&sixes, &stop));
        let patient = scope.spawn(|| until_a_six(&sixes, &other));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(stopped.join().unwrap().unwrap_err().code, Code::Stopped);
        assert!(!patient.is_finished(), "the other one goes on");
        sixes.store(true, Ordering::Relaxed);
        assert_eq!(patient.join().unwrap().unwrap(), Value::int(6));
    });
}
