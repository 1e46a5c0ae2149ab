//! One run of a script: its value, and everything it did on the way.
//!
//! A run that fails keeps what it had: the dice that fell, the questions that were met, the lines that were shown.

use crate::machine::{Machine, Plan, Space};
use crate::play::{Asked, Play, Shown, Thrown};
use crate::source::Source;
use crate::watch::Watch;
use tumble_core::{Diagnostic, Fault, Limits, Program, Span, Value};

/// How many questions a run may ask.
const MOST_QUESTIONS: usize = 1000;

/// How many lines a run may show, and how long they may be together.
const MOST_LINES: usize = 10_000;
const MOST_OUTPUT: usize = 1 << 20;

/// What happened in a run.
#[derive(Debug)]
pub struct Run {
    /// The value, or what went wrong.
    pub value: Result<Value, Diagnostic>,
    /// Everything it did, in order.
    pub log: Vec<Happened>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Happened {
    /// Dice fell.
    Thrown(Thrown),
    /// A question was met.
    Asked(Asked),
    /// Something was shown.
    Shown(Shown),
}

/// Runs a program once.
pub fn run(program: &Program, source: &mut dyn Source, play: Play<'_>, limits: &Limits) -> Run {
    let plan = Plan::new(program);
    let (mut space, mut log) = (Space::default(), Log::default());
    let value = Machine::new(&plan, &mut space, source, &mut log, limits.clone()).playing(play).run();
    Run { value, log: log.happened }
}

/// Writes down what a script does.
#[derive(Debug, Default)]
struct Log {
    happened: Vec<Happened>,
    questions: usize,
    lines: usize,
    output: usize,
}

impl Watch for Log {
    const TRACED: bool = false;
    const PLAYS: bool = true;

    fn thrown(&mut self, thrown: Thrown) -> Result<(), Fault> {
        self.happened.push(Happened::Thrown(thrown));
        Ok(())
    }

    fn asked(&mut self, asked: Asked) -> Result<(), Fault> {
        self.questions += 1;
        if self.questions > MOST_QUESTIONS {
            return Err(Fault::limit(format!("more than {MOST_QUESTIONS} questions are asked")));
        }
        self.happened.push(Happened::Asked(asked));
        Ok(())
    }

    fn shown(&mut self, shown: Shown, _: Span) -> Result<(), Fault> {
        let length = match &shown {
            Shown::Line { text, .. } => Some(text.len()),
            Shown::Open { title } => Some(title.as_ref().map_or(0, String::len)),
            Shown::Change { .. } => Some(0),
            Shown::Close => None,
        };
        if let Some(length) = length {
            self.lines += 1;
            self.output += length;
        }
        if self.lines > MOST_LINES {
            return Err(Fault::limit(format!("more than {MOST_LINES} lines are shown")));
        }
        if self.output > MOST_OUTPUT {
            return Err(Fault::limit("more than 1 MB of text is shown"));
        }
        self.happened.push(Happened::Shown(shown));
        Ok(())
    }
}
