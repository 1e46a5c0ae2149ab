//! Requests answered on several threads, each answer written as soon as it is there.
//!
//! ```text
//! reader ─▶ work ─▶ worker 1 … n ─▶ answers ─▶ writer
//! ```
//!
//! So a hard request holds up nobody as long as one worker is free. The `id` of a request tells which answer is its
//! own. Both queues are short: who does not read the answers is not read either.

use super::{Input, Line, next_line, unreadable};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};

/// How many requests, and how many answers, may wait for each thread.
const WAITING: usize = 8;

/// A worker has as much room as the first thread of a program usually has.
const STACK: usize = 8 << 20;

/// An answer, or why no further line can be read.
type Answer = io::Result<String>;

/// Answers all lines with `answer`, on `jobs` threads.
pub(super) fn lines(
    input: Input,
    out: &mut dyn Write,
    jobs: usize,
    answer: &(dyn Fn(&Line) -> String + Sync),
) -> io::Result<u8> {
    let (work, queue) = sync_channel(jobs * WAITING);
    let (answers, ready) = sync_channel(jobs * WAITING);
    // Only the workers hold it: when the last of them is gone, the reader finds out.
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (answers, queue) = (answers.clone(), Arc::clone(&queue));
            Builder::new().stack_size(STACK).spawn_scoped(scope, move || answer_all(&queue, &answers, answer))?;
        }
        drop(queue);
        scope.spawn(move || read_all(input, &work, &answers));
        write_all(ready, out)
    })
}

/// Hands out the lines until there are none or nobody wants them.
fn read_all(mut input: Input, work: &SyncSender<Line>, answers: &SyncSender<Answer>) {
    loop {
        match next_line(&mut input) {
            Ok(None) => return,
            Ok(Some(line)) => {
                if work.send(line).is_err() {
                    return;
                }
            }
            Err(error) => return drop(answers.send(Err(error))),
        }
    }
}

fn answer_all(queue: &Mutex<Receiver<Line>>, answers: &SyncSender<Answer>, answer: &(dyn Fn(&Line) -> String + Sync)) {
    loop {
        let line = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // Where nobody reads the answers any more, what waits need not be worked on.
        let Ok(line) = line else { return };
        if answers.send(Ok(answer(&line))).is_err() {
            return;
        }
    }
}

fn write_all(ready: Receiver<Answer>, out: &mut dyn Write) -> io::Result<u8> {
    let mut broken = None;
    for answer in ready {
        match answer {
            Ok(answer) => {
                writeln!(out, "{answer}")?;
                out.flush()?;
            }
            // What was read before still gets its answers.
            Err(error) => broken = Some(error),
        }
    }
    broken.map_or(Ok(0), |error| unreadable(out, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    /// Tells of every line that is written.
    struct Watched(Vec<u8>, Sender<()>);

    impl Write for Watched {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            let _ = self.1.send(());
            Ok(())
        }
    }

    /// The hard request is answered only after the answer of the easy one is written; a writer that kept the order
    /// would wait for ever, or here until the patience of the test is at its end.
    #[test]
    fn an_easy_request_after_a_hard_one_is_answered_first() {
        let (written, seen) = channel();
        let seen = Mutex::new(seen);
        let answer = |line: &Line| {
            let Line::Whole(line) = line else { return "too long".to_owned() };
            if line.starts_with(b"hard") {
                let _ = seen.lock().unwrap().recv_timeout(Duration::from_secs(60));
            }
            String::from_utf8_lossy(line).trim().to_owned()
        };
        let mut out = Watched(Vec::new(), written);
        let input: Input = BufReader::new(Box::new(&b"hard\neasy\n"[..]));
        assert_eq!(lines(input, &mut out, 2, &answer).unwrap(), 0);
        assert_eq!(out.0, b"easy\nhard\n");
    }

    #[test]
    fn every_line_is_answered_once() {
        let input: String = (0..500).map(|n| format!("{n}\n")).collect();
        let input: Input = BufReader::new(Box::new(io::Cursor::new(input)));
        let echo = |line: &Line| match line {
            Line::Whole(line) => String::from_utf8_lossy(line).trim().to_owned(),
            Line::TooLong => "too long".to_owned(),
        };
        let mut out = Vec::new();
        lines(input, &mut out, 4, &echo).unwrap();
        let mut found: Vec<u32> = String::from_utf8(out).unwrap().lines().map(|line| line.parse().unwrap()).collect();
        found.sort_unstable();
        assert_eq!(found, (0..500).collect::<Vec<_>>());
    }

    /// A reader of the answers that goes away ends the whole.
    #[test]
    fn nobody_works_for_a_reader_who_is_gone() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let input: Input = BufReader::new(Box::new(io::Cursor::new("x\n".repeat(10_000))));
        let gone = lines(input, &mut Gone, 3, &|_| "answer".to_owned()).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::BrokenPipe);
    }
}
