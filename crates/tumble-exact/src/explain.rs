//! How an answer was found, in plain words.
//!
//! ```text
//! line = place in the text, what was asked, how it was answered, expected cost, steps taken, times
//! ```
//!
//! Steps are told once: what was done inside a question is not told again by what stands around it,
//! so the lines and the rest add up to all steps taken. Nothing is written down unless it was asked
//! for: [`Record::tell`] takes functions, and calls them only then.

use crate::map::HashMap;
use tumble_core::Span;

/// How an answer was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What was computed, in the order in which it first came up.
    pub lines: Vec<Line>,
    /// Steps that belong to no line.
    pub other: u64,
    /// All steps taken.
    pub steps: u64,
    /// The most steps allowed.
    pub allowed: u64,
    /// How many answers passed the check of [`Options::probe`](crate::Options::probe).
    pub agreed: u64,
    /// How many answers were of a kind that it cannot check.
    pub unprobed: u64,
}

/// One computation, or several of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The place in the expression.
    pub span: Span,
    /// What was asked, such as `the sum of the 3 largest of 4 dice with 6 faces`.
    pub what: String,
    /// The name of the method, if it was one.
    pub method: Option<&'static str>,
    /// What was done, in a plain sentence.
    pub how: String,
    /// How often.
    pub times: u64,
    /// What it was expected to cost in total, where that is known in advance.
    pub expected: Option<Cost>,
    /// The steps it took in total.
    pub steps: u64,
}

/// The cost of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Steps.
    pub steps: u64,
    /// The most bytes held at once.
    pub bytes: u64,
}

/// Fewer steps than this are not worth a line.
const LITTLE: u64 = 500;

/// Where the work stands: what was used and what was told so far.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    used: u64,
    told: u64,
}

/// What was written down so far.
#[derive(Default)]
pub(crate) struct Record {
    on: bool,
    /// The place of the term that is worked on.
    pub(crate) at: Span,
    told: u64,
    pub(crate) agreed: u64,
    pub(crate) unprobed: u64,
    lines: Vec<Line>,
    places: HashMap<(Span, String, String), usize>,
}

impl Record {
    /// A record that is kept, or one that is not.
    pub(crate) fn new(on: bool) -> Record {
        Record { on, ..Record::default() }
    }

    /// Before a piece of work.
    pub(crate) fn mark(&self, used: u64) -> Mark {
        Mark { used, told: self.told }
    }

    /// After a piece of work: what was asked, who answered and how.
    pub(crate) fn tell(
        &mut self,
        since: Mark,
        used: u64,
        told: impl FnOnce() -> (String, Option<&'static str>, String, Option<Cost>),
    ) {
        if !self.on {
            return;
        }
        let steps = used.saturating_sub(since.used).saturating_sub(self.told - since.told);
        self.told += steps;
        let (what, method, how, expected) = told();
        let next = self.lines.len();
        let place = *self.places.entry((self.at, what.clone(), how.clone())).or_insert(next);
        match self.lines.get_mut(place) {
            None => self.lines.push(Line { span: self.at, what, method, how, times: 1, expected, steps }),
            Some(line) => {
                line.times += 1;
                line.steps += steps;
                line.expected = line.expected.zip(expected).map(|(all, one)| Cost {
                    steps: all.steps.saturating_add(one.steps),
                    bytes: all.bytes.max(one.bytes),
                });
            }
        }
    }

    /// Steps that no question has told of.
    pub(crate) fn beside(&mut self, since: Mark, used: u64, method: Option<&'static str>, told: (&str, &str)) {
        if self.on && used - since.used > self.told - since.told {
            let (what, how) = told;
            self.tell(since, used, || (what.to_owned(), method, how.to_owned(), None));
        }
    }

    /// Everything that was told; small lines without a method are put together.
    pub(crate) fn finish(self, steps: u64, allowed: u64) -> Option<Explanation> {
        if !self.on {
            return None;
        }
        let little = (steps / 20).max(LITTLE);
        let small = |line: &Line| line.expected.is_none() && line.method.is_none() && line.steps < little;
        let lines: Vec<Line> = self.lines.into_iter().filter(|line| !small(line)).collect();
        let told: u64 = lines.iter().map(|line| line.steps).sum();
        let (agreed, unprobed) = (self.agreed, self.unprobed);
        Some(Explanation { lines, other: steps.saturating_sub(told), steps, allowed, agreed, unprobed })
    }
}
