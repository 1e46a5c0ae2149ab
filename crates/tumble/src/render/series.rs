//! One distribution with its title: what every format is made from.
//!
//! ```text
//! series   title, points in ascending order, rest             exact or approximate
//! point    outcome, share
//! share    a fraction; a float where fractions are very long; an estimate with bounds
//! rest     what is not listed, and on which side it lies
//! ```

use super::approximate::source;
use super::text::{NO_MODE, note, summary};
use super::{json, labelled, spelled};
use crate::approximate::{Approximate, ApproximateOutcome};
use crate::ask::Answer;
use crate::prepared::Prepared;
use crate::reduced::Reduced;
use crate::script::Shape;
use serde_json::Value as Json;
use tumble_core::{Span, Value};
use tumble_exact::{Fraction, Odds, Side, number};

/// Fractions with more digits than this are added and rounded as floats.
pub(super) const LONG_FRACTION: usize = 100;

/// A distribution with its title.
///
/// ```
/// use tumble::render::{self, Look, Series};
/// use tumble::{Options, Prepared};
///
/// let prepared: Prepared = "2d2".parse()?;
/// let odds = prepared.odds(&Options::default())?;
/// let series = Series::new(prepared, odds);
/// let csv = render::format("csv").ok_or("no such format")?;
/// let written = render::render(csv, &[series], &Look::default())?;
/// assert!(written.starts_with(b"roll,outcome,fraction,probability\n2d2,2,1/4,0.25\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    title: String,
    /// A name that somebody chose, which is shown even where it tells nothing apart.
    name: Option<String>,
    /// The variable that was swept, and its value here.
    swept: Option<(String, i64)>,
    subject: Subject,
    answer: Answer,
}

/// What a distribution is of.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each distribution, and it is seldom moved")]
enum Subject {
    /// An expression.
    Roll(Prepared),
    /// What a script returns.
    Script(Shape),
}

/// A probability as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Share {
    /// The probability itself.
    Exact(Fraction),
    /// The same, rounded, where the fraction is too long to be of use.
    Rounded(f64),
    /// An estimate, and the bounds of the true value.
    Approximate(f64, (f64, f64)),
}

/// An outcome with its probability.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The outcome as it is read; what is not listed says so.
    pub(super) label: String,
    /// The outcome; none for what is not listed.
    pub(super) value: Option<Value>,
    pub(super) share: Share,
}

/// Which question a probability answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Exactly,
    AtLeast,
    AtMost,
}

fn line(prepared: &Prepared) -> String {
    let text = prepared.text().to_owned();
    let spelled = (prepared.notation().spell)(&text).unwrap_or(text);
    spelled.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Measure {
    /// As it stands above a column.
    pub(super) fn words(self) -> &'static str {
        match self {
            Measure::Exactly => "exactly",
            Measure::AtLeast => "at least",
            Measure::AtMost => "at most",
        }
    }
}

impl Series {
    /// An answer titled with its expression, in canonical spelling.
    pub fn new(prepared: Prepared, answer: impl Into<Answer>) -> Series {
        let title = line(&prepared);
        Series { title, name: None, swept: None, subject: Subject::Roll(prepared), answer: answer.into() }
    }

    /// The odds of what a script returns, titled with its roll.
    pub fn of_script(title: impl Into<String>, shape: Shape, answer: impl Into<Answer>) -> Series {
        let (title, subject) = (title.into(), Subject::Script(shape));
        Series { title, name: None, swept: None, subject, answer: answer.into() }
    }

    /// The name of the roll, or its expression in canonical spelling, in one line, whatever was swept.
    pub fn roll(&self) -> String {
        self.name.clone().unwrap_or_else(|| match &self.subject {
            Subject::Roll(prepared) => line(prepared),
            Subject::Script(shape) => shape.title().to_owned(),
        })
    }

    /// The same under another title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Series {
        Series { title: title.into(), ..self }
    }

    /// The same under a name of its own, which is shown even where there is no other series to tell it from.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Series {
        let name = name.into();
        Series { title: name.clone(), name: Some(name), ..self }
    }

    /// The same as one value of a variable among others.
    #[must_use]
    pub(super) fn swept(self, name: &str, value: i64) -> Series {
        Series { swept: Some((name.to_owned(), value)), ..self }
    }

    /// Whether it has a name of its own.
    pub(super) fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// The variable that was swept, and its value here.
    pub(super) fn sweep(&self) -> Option<(&str, i64)> {
        self.swept.as_ref().map(|(name, value)| (name.as_str(), *value))
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The expression and its program; none for a script.
    pub fn prepared(&self) -> Option<&Prepared> {
        match &self.subject {
            Subject::Roll(prepared) => Some(prepared),
            Subject::Script(_) => None,
        }
    }

    /// The expression; nothing for a script.
    pub fn text(&self) -> &str {
        self.prepared().map_or("", Prepared::text)
    }

    /// The place of the whole expression.
    pub(super) fn whole(&self) -> Span {
        Span::new(0, self.text().len())
    }

    /// An outcome as it is read in a table.
    pub(super) fn label(&self, value: &Value) -> String {
        match &self.subject {
            Subject::Roll(prepared) => labelled(value, prepared.notation()),
            Subject::Script(shape) => shape.label(value),
        }
    }

    /// Whether the outcomes are numbers by their type; those of an expression tell that themselves.
    pub(super) fn is_number(&self) -> bool {
        match &self.subject {
            Subject::Roll(_) => true,
            Subject::Script(shape) => shape.is_number(),
        }
    }

    /// An outcome in JSON.
    pub(super) fn json(&self, value: &Value) -> Json {
        match &self.subject {
            Subject::Roll(prepared) => json::value(value, prepared.notation()),
            Subject::Script(shape) => shape.json(value),
        }
    }

    /// The odds.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The listed outcomes in their order.
    pub(super) fn points(&self) -> Vec<Point> {
        let point = |value: &Value, share| Point { label: self.label(value), value: Some(value.clone()), share };
        match &self.answer {
            Answer::Exact(odds, _) => {
                odds.outcomes().map(|(value, chance)| point(value, Share::exact(chance))).collect()
            }
            Answer::Approximate(near, _) => {
                near.outcomes.iter().map(|one| point(&one.value, Share::Approximate(one.share, one.interval))).collect()
            }
        }
    }

    /// What is not listed, if anything is.
    pub(super) fn rest(&self) -> Option<Point> {
        match &self.answer {
            Answer::Exact(odds, _) => {
                let rest = odds.unresolved();
                let label = self.beyond(odds).unwrap_or_else(|| "not listed".to_owned());
                (!rest.is_zero()).then(|| Point { label, value: None, share: Share::exact(rest) })
            }
            Answer::Approximate(near, _) => near.given_up().map(|(share, bounds)| Point {
                label: "abandoned".to_owned(),
                value: None,
                share: Share::Approximate(share, bounds),
            }),
        }
    }

    /// Where the rest lies, if that is known.
    fn beyond(&self, odds: &Odds) -> Option<String> {
        let (word, last) = match odds.side() {
            Side::Above => ("above", odds.values().next_back()?),
            Side::Below => ("below", odds.values().next()?),
            Side::Nowhere | Side::Both | Side::Anywhere => return None,
        };
        Some(format!("{word} {}", self.label(last)))
    }

    /// On which side the rest lies.
    pub(super) fn side(&self) -> Side {
        match &self.answer {
            Answer::Exact(odds, _) => odds.side(),
            Answer::Approximate(..) if self.rest().is_some() => Side::Anywhere,
            Answer::Approximate(..) => Side::Nowhere,
        }
    }

    /// What can be said about the whole, in parts: mean, standard deviation, …
    pub(super) fn said(&self) -> Vec<String> {
        match &self.answer {
            Answer::Exact(odds, _) => summary(&|value| self.label(value), &Reduced::new(odds)),
            Answer::Approximate(near, _) => super::approximate::moments(near),
        }
    }

    /// The same without what says nothing, for legends and captions.
    pub(super) fn said_briefly(&self) -> Vec<String> {
        self.said().into_iter().filter(|part| part != NO_MODE).collect()
    }

    /// How much is listed, and how far it can be trusted.
    pub(super) fn note(&self) -> String {
        match &self.answer {
            Answer::Exact(odds, _) => note(&Reduced::new(odds)),
            Answer::Approximate(near, why) => {
                format!("APPROXIMATE: {}; not exact, because of a limit: {}", source(near), why.message)
            }
        }
    }

    /// Whether every listed probability is exact.
    pub(super) fn is_exact(&self) -> bool {
        matches!(&self.answer, Answer::Exact(..))
    }

    /// The outcome as a program writes it into a cell.
    pub(super) fn spelled(&self, value: &Value) -> String {
        match &self.subject {
            Subject::Roll(prepared) => spelled(value, prepared.notation()),
            Subject::Script(shape) => shape.label(value),
        }
    }

    /// The share of each point in this measure; none where it cannot be known, and none at all for
    /// outcomes that are not numbers: only numbers have an order that means something.
    pub(super) fn measured(&self, points: &[Point], measure: Measure) -> Vec<Option<Share>> {
        if measure == Measure::Exactly {
            return points.iter().map(|point| Some(point.share.clone())).collect();
        }
        let numbers = points.iter().all(|point| point.value.as_ref().and_then(number).is_some());
        // The bounds of an estimate count what was given up.
        let known = match &self.answer {
            Answer::Exact(odds, _) => odds.exact() && !matches!(odds.side(), Side::Both | Side::Anywhere),
            Answer::Approximate(..) => true,
        };
        if !numbers || !known {
            return vec![None; points.len()];
        }
        let order: Vec<usize> = match measure {
            Measure::AtLeast => (0..points.len()).rev().collect(),
            _ => (0..points.len()).collect(),
        };
        let sums = match &self.answer {
            Answer::Approximate(near, _) => near_sums(near, &order),
            Answer::Exact(..) => {
                let toward = if measure == Measure::AtLeast { Side::Above } else { Side::Below };
                let start = self.rest().filter(|_| self.side() == toward).map(|rest| rest.share);
                let whole = start.is_some() || self.side() == Side::Nowhere;
                exact_sums(points, &order, start, whole)
            }
        };
        let mut found = vec![None; points.len()];
        order.iter().zip(sums).for_each(|(place, sum)| found[*place] = Some(sum));
        found
    }
}

/// The running sums of exact shares in this order; the last one is certain if nothing is left out.
fn exact_sums(points: &[Point], order: &[usize], start: Option<Share>, whole: bool) -> Vec<Share> {
    let mut sum = start.unwrap_or_else(|| Share::Exact(Fraction::zero()));
    let mut sums = Vec::with_capacity(order.len());
    for place in order {
        sum = sum.plus(&points[*place].share);
        sums.push(sum.clone());
    }
    // Rounding must not make what is certain look doubtful.
    if let Some(last) = sums.last_mut().filter(|_| whole) {
        *last = Share::Exact(Fraction::one());
    }
    sums
}

/// The running sums of estimates.
fn near_sums(near: &Approximate, order: &[usize]) -> Vec<Share> {
    let mut members: Vec<&ApproximateOutcome> = Vec::with_capacity(order.len());
    let sum = |place: &usize| {
        members.push(&near.outcomes[*place]);
        let (share, bounds) = near.together(&members);
        Share::Approximate(share.min(1.0), bounds)
    };
    order.iter().map(sum).collect()
}

impl Share {
    /// A fraction, or its float if it is very long: to spell or to round it would be work for nothing.
    pub(super) fn exact(chance: Fraction) -> Share {
        if chance.written() > LONG_FRACTION { Share::Rounded(chance.to_f64()) } else { Share::Exact(chance) }
    }

    /// As a float.
    pub(super) fn size(&self) -> f64 {
        match self {
            Share::Exact(fraction) => fraction.to_f64(),
            Share::Rounded(size) | Share::Approximate(size, _) => *size,
        }
    }

    pub(super) fn plus(&self, other: &Share) -> Share {
        match (self, other) {
            (Share::Exact(a), Share::Exact(b)) => Share::exact(a + b),
            _ => Share::Rounded((self.size() + other.size()).min(1.0)),
        }
    }
}
