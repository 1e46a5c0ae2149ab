//! Somebody waits for many rolls: a bar on standard error if that is a terminal, and Ctrl-C, which stops
//! the rolls and lets the answer tell what was reached. A second Ctrl-C ends the program.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use tumble::{Interrupt, Sampling};

/// The exit status of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed while rolling.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether dice are rolled now; before that, Ctrl-C ends the program at once.
static ROLLING: AtomicBool = AtomicBool::new(false);
/// Whether it may take a while until something can be told.
static BETWEEN: AtomicBool = AtomicBool::new(false);
/// Whether somebody is asked for a line, which only Enter ends.
static ASKING: AtomicBool = AtomicBool::new(false);
/// When the bar was last drawn, in microseconds.
static DRAWN: AtomicU64 = AtomicU64::new(0);

/// The bar is drawn ten times a second at most.
const PAUSE: u64 = 100_000;
const BAR: usize = 40;

/// From now on Ctrl-C is heard: the first asks to stop as soon as something can be told, a second ends the program.
pub(crate) fn listen() {
    handle();
    ROLLING.store(true, Ordering::Relaxed);
}

/// The same for work that can only stop between two of its parts, and says so.
pub(crate) fn listen_between() {
    listen();
    BETWEEN.store(true, Ordering::Relaxed);
}

/// As long as it lives, somebody is asked for a line: Ctrl-C cancels that, and nothing else.
pub(crate) struct Asking;

impl Asking {
    pub(crate) fn new() -> Asking {
        ASKING.store(true, Ordering::Relaxed);
        Asking
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKING.store(false, Ordering::Relaxed);
    }
}

/// Stops what is computed when Ctrl-C is heard.
pub(crate) fn interrupt() -> Interrupt {
    Interrupt::when(&STOP)
}

/// Forgets a Ctrl-C that stopped something else.
pub(crate) fn forget() {
    STOP.store(false, Ordering::Relaxed);
    ROLLING.store(false, Ordering::Relaxed);
    BETWEEN.store(false, Ordering::Relaxed);
}

/// Rolls on all cores for somebody who waits.
pub(crate) fn sampling() -> Sampling {
    handle();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Sampling { rolls: None, seed: 0, threads, stop: Some(Arc::clone(&STOP)), progress }
}

fn handle() {
    // Without a handler Ctrl-C still ends the program, as everywhere.
    let _ = ctrlc::set_handler(|| {
        let (again, rolling) = (STOP.swap(true, Ordering::Relaxed), ROLLING.load(Ordering::Relaxed));
        if rolling && ASKING.load(Ordering::Relaxed) {
            let _ = write!(io::stderr(), "\npress Enter to cancel the roll");
            let _ = io::stderr().flush();
            return;
        }
        if again || !rolling {
            clear();
            // The terminal shows `^C` where the next prompt would stand.
            if io::stderr().is_terminal() {
                let _ = writeln!(io::stderr());
            }
            std::process::exit(i32::from(INTERRUPTED));
        }
        if BETWEEN.load(Ordering::Relaxed) && io::stderr().is_terminal() {
            clear();
            let _ = writeln!(io::stderr(), "\nstopping after this value; press Ctrl-C again to stop now");
        } else if DRAWN.load(Ordering::Relaxed) == 0 && io::stderr().is_terminal() {
            let _ = writeln!(io::stderr());
        }
    });
}

/// Whether somebody pressed Ctrl-C.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

fn progress(made: u64, wanted: u64) {
    ROLLING.store(made < wanted, Ordering::Relaxed);
    if made >= wanted {
        return clear();
    }
    let (now, before) = (crate::batch::clock().max(1), DRAWN.load(Ordering::Relaxed));
    let due = made == 0 || now >= before.saturating_add(PAUSE);
    // Of several cores that find it due, one draws.
    let mine = due && DRAWN.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if mine && io::stderr().is_terminal() {
        let share = made as f64 / wanted as f64;
        let full = (share * BAR as f64) as usize;
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(BAR - full));
        let _ = write!(io::stderr(), "\r{bar} {:3.0} %  {made} of {wanted} rolls", share * 100.0);
    }
}

/// Takes the bar away.
fn clear() {
    if io::stderr().is_terminal() && DRAWN.load(Ordering::Relaxed) > 0 {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
