//! `tumble batch`: JSON Lines in, one line out for each, in order, each as soon as it and those before it are
//! ready; with `--unordered` as soon as it is ready itself.

mod together;
mod unordered;

use crate::args::BatchArgs;
use crate::{input, report};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;
use tumble::batch::{Json, Settings, answer, answered};
use tumble::render::json;
use tumble::{Code, Diagnostic, Span};

/// The longest line that is read, in bytes. A text is at most 1 MB, and JSON may write a character
/// of it in six.
const LONGEST_LINE: u64 = 16 << 20;

/// How much is read at a time, in bytes.
const READ_AHEAD: usize = 1 << 16;

/// Where the requests come from.
type Input = BufReader<Box<dyn Read + Send>>;

/// Microseconds since the first call.
pub(crate) fn clock() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as u64
}

/// Small questions of every kind. The system loads a program page by page as it runs; a program that
/// answers many requests asks itself these first, so that nobody waits for pages in the first answers.
const FIRST: &[&str] = &[
    "sum 2d2",
    "sum (d2)d2",
    "max 2#sum largest 1 2d2",
    "sgn ((max 2d3) - (min 2d2))",
    "count (sum 2d2) > (count 1 < 2d3)",
    "count different {2d2, 3d3}",
    "x := 2d2; y := 2d3; c := foreach i in 1..2 do count i = x; if 1 = c then [max x, min y] else [1, sum y]",
    "function f(n) = x := d2; if 1 > n then x else x + call f(n - 1) sum largest 1 2#call f(1)",
    "function f(n) = if 1 > n then n else x := (min {2, n}) d2; call f(n - count x) call f(2)",
    "sum accumulate x := d2 until x = 1",
];

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &BatchArgs, out: &mut dyn Write) -> io::Result<u8> {
    let settings = Settings::new(args.most.limits(), clock);
    for text in FIRST {
        let request = format!(r#"{{"do":"odds","notation":"troll","text":"{text}","return":"digest"}}"#);
        guarded(request.as_bytes(), || answer(request.as_bytes(), &settings));
    }
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    // Where answers may overtake each other, one thread at least must be free to do so.
    let usual = || if args.unordered { cores().max(2) } else { cores() };
    let jobs = args.jobs.map_or_else(usual, usize::from);
    let input: Box<dyn Read + Send> = match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        None => Box::new(io::stdin()),
        Some(path) => match File::open(path) {
            Ok(file) => Box::new(file),
            Err(error) => {
                let message = input::unreadable(&format!("`{}`", path.display()), &error);
                return report::errors(out, false, "", &[input::refused(message)]);
            }
        },
    };
    let input = BufReader::with_capacity(READ_AHEAD, input);
    if args.unordered {
        return unordered::lines(input, out, jobs, &|line| line.answer(&settings).to_string());
    }
    lines(input, out, &settings, jobs)
}

/// Answers line by line. As soon as a line waits for the one before it, the rest is answered by several
/// threads; somebody who asks only when the last answer is there never waits for one thread to wake another.
fn lines(mut input: Input, out: &mut dyn Write, settings: &Settings, jobs: usize) -> io::Result<u8> {
    loop {
        let line = match next_line(&mut input) {
            Ok(None) => return Ok(0),
            Ok(Some(line)) => line,
            Err(error) => return unreadable(out, &error),
        };
        if jobs > 1 && !input.buffer().is_empty() {
            return together::lines(line, input, out, settings, jobs);
        }
        writeln!(out, "{}", line.answer(settings))?;
        out.flush()?;
    }
}

fn unreadable(out: &mut dyn Write, error: &io::Error) -> io::Result<u8> {
    report::errors(out, false, "", &[input::refused(format!("can't read the requests: {error}"))])
}

/// An answer even where Tumble itself is wrong, so that one request cannot end the others.
fn guarded(line: &[u8], answer: impl FnOnce() -> Json) -> Json {
    panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
        let message = "this request hit a bug in Tumble; please report it";
        answered(line, json::error(&Diagnostic::new(Code::Runtime, Span::default(), message)))
    })
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Line {
    fn answer(&self, settings: &Settings) -> Json {
        match self {
            Line::Whole(line) => guarded(line, || answer(line, settings)),
            Line::TooLong => json::error(&input::refused(format!("the line is longer than {} MB", LONGEST_LINE >> 20))),
        }
    }
}

/// The next line; of one that is too long only the beginning is ever held.
fn next_line(input: &mut Input) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 <= LONGEST_LINE || line.ends_with(b"\n") {
        return Ok(Some(Line::Whole(line)));
    }
    while line.last() != Some(&b'\n') {
        line.clear();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    Ok(Some(Line::TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// None of them may fail: then it would warm up nothing but the errors.
    #[test]
    fn the_first_questions_have_answers() {
        for text in FIRST {
            let request = format!(r#"{{"do":"odds","notation":"troll","text":"{text}"}}"#);
            let answer = answer(request.as_bytes(), &Settings::new(tumble::Limits::default(), clock));
            assert_eq!(answer["ok"], true, "{text}: {answer}");
        }
    }

    #[test]
    fn a_mistake_of_our_own_is_answered() {
        let answer = guarded(br#"{"id":7}"#, || panic!("a mistake on purpose, for a test"));
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&Json::from("runtime"), &Json::from(7)));
    }
}
