//! Requests answered on several threads, and written in their order.
//!
//! ```text
//! reader ─▶ work ─▶ worker 1 … n ─┐ one answer each
//!    └────▶ tickets, in order ─▶ writer
//! ```
//!
//! A ticket is where the answer of a line will come out. The writer takes the tickets in order, so an
//! answer waits for those before it and for nothing else. There are so many tickets at most, so a long
//! answer at the front does not let all others pile up behind it.

use super::{Input, Line, next_line, unreadable};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};
use tumble::batch::Settings;

/// How many requests may wait for each thread.
const WAITING: usize = 8;

/// A worker has as much room as the first thread of a program usually has.
const STACK: usize = 8 << 20;

/// A line to be answered, and where to.
type Work = (Line, Sender<String>);

/// Where an answer comes out, or why no further line can be read.
type Ticket = io::Result<Receiver<String>>;

/// Answers `first` and all lines after it.
pub(super) fn lines(
    first: Line,
    input: Input,
    out: &mut dyn Write,
    settings: &Settings,
    jobs: usize,
) -> io::Result<u8> {
    let (tickets, in_order) = sync_channel(jobs * WAITING);
    let (work, queue) = channel();
    let (queue, gone) = (Mutex::new(queue), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..jobs {
            Builder::new().stack_size(STACK).spawn_scoped(scope, || answer_all(&queue, &gone, settings))?;
        }
        scope.spawn(move || read_all(first, input, &work, &tickets));
        let written = write_all(in_order, out);
        // Nobody reads the answers any more: what waits need not be worked on.
        gone.store(true, Ordering::Relaxed);
        written
    })
}

/// Hands out the lines until there are none or nobody wants them.
fn read_all(first: Line, mut input: Input, work: &Sender<Work>, tickets: &SyncSender<Ticket>) {
    let mut next = Ok(Some(first));
    loop {
        let ticket = match next {
            Ok(None) => return,
            Ok(Some(line)) => {
                let (reply, answer) = channel();
                if work.send((line, reply)).is_err() {
                    return;
                }
                Ok(answer)
            }
            Err(error) => Err(error),
        };
        let last = ticket.is_err();
        if tickets.send(ticket).is_err() || last {
            return;
        }
        next = next_line(&mut input);
    }
}

fn answer_all(queue: &Mutex<Receiver<Work>>, gone: &AtomicBool, settings: &Settings) {
    loop {
        let work = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((line, reply)) = work else { return };
        if !gone.load(Ordering::Relaxed) {
            // A writer that is gone needs no answer.
            let _ = reply.send(line.answer(settings).to_string());
        }
    }
}

fn write_all(in_order: Receiver<Ticket>, out: &mut dyn Write) -> io::Result<u8> {
    for ticket in in_order {
        match ticket {
            Ok(answer) => {
                if let Ok(answer) = answer.recv() {
                    writeln!(out, "{answer}")?;
                    out.flush()?;
                }
            }
            Err(error) => return unreadable(out, &error),
        }
    }
    Ok(0)
}
