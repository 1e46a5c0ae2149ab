//! One number for each roll, question and value of the swept variables, and how it is written.
//!
//! ```text
//! rolls  ×  questions  ×  cases      a chance, or a mean where nothing is asked
//!
//! no variable     a row for each roll, a column for each question
//! one variable    a row for each value, a column for each roll and question
//! two variables   a grid for each roll and question
//! ```
//!
//! Where nothing is asked, a roll that is 1 for success and 0 for failure shows its chance of success, and any other
//! its mean. Every table says which.

mod csv;
mod html;
mod json;
mod markdown;
mod text;

pub(super) use csv::lines;
pub(super) use html::page;
pub(super) use json::objects;
pub(super) use markdown::tables as markdown;
pub(super) use text::tables as text;

use super::axis::Axis;
use super::chance::{Chance, Question, chance};
use super::look::Look;
use super::series::Series;
use super::table::{LONGEST_ASKED, LONGEST_FRACTION, near_percent, percent};
use super::text::trimmed;
use crate::ask::Answer;
use tumble_core::{Code, Data, Diagnostic, Value};
use tumble_exact::number;

/// What the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Chance,
    Mean,
}

/// All numbers of an answer.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) axes: Vec<Axis>,
    pub(super) rolls: Vec<String>,
    /// What is asked, in words.
    pub(super) asked: Vec<String>,
    pub(super) unit: Unit,
    /// In the order of rolls, questions, cases; none where there is no answer.
    cells: Vec<Option<Chance>>,
}

/// A table with a number in each cell.
pub(super) struct Matrix {
    /// What it shows, where that is not in its heads.
    pub(super) title: Option<String>,
    /// What the rows and columns are.
    pub(super) corner: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<(String, Vec<Option<Chance>>)>,
}

impl Numbers {
    pub(super) fn new(
        axes: &[Axis],
        rolls: Vec<String>,
        questions: &[Question],
        places: &[(usize, usize)],
        series: &[Series],
    ) -> Result<Numbers, Diagnostic> {
        let success = if questions.is_empty() { success(series) } else { None };
        let (asked, unit): (Vec<String>, Unit) = match (questions, &success) {
            ([], Some(_)) => (vec!["success".to_owned()], Unit::Chance),
            ([], None) => (vec!["mean".to_owned()], Unit::Mean),
            _ => (questions.iter().map(Question::to_string).collect(), Unit::Chance),
        };
        let cases = axes.iter().map(|axis| axis.values.len()).product::<usize>();
        let mut cells = vec![None; rolls.len() * asked.len() * cases];
        for ((roll, case), one) in places.iter().zip(series) {
            for place in 0..asked.len() {
                let number = match questions.get(place).or(success.as_ref()) {
                    Some(question) => chance(one, question)?,
                    None => mean(one)?,
                };
                if let Some(cell) = cells.get_mut((roll * asked.len() + place) * cases + case) {
                    *cell = Some(number);
                }
            }
        }
        Ok(Numbers { axes: axes.to_vec(), rolls, asked, unit, cells })
    }

    fn cases(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    pub(super) fn at(&self, roll: usize, asked: usize, case: usize) -> Option<&Chance> {
        self.cells.get((roll * self.asked.len() + asked) * self.cases() + case)?.as_ref()
    }

    /// What a number is: `chance of at least 15`, `chance of success`, `mean`.
    pub(super) fn words(&self, asked: usize) -> String {
        let words = self.asked.get(asked).map_or("", String::as_str);
        match self.unit {
            Unit::Chance => format!("chance of {}", words.strip_prefix("exactly ").unwrap_or(words)),
            Unit::Mean => words.to_owned(),
        }
    }

    /// What tells one line of numbers from the others: the roll, the question, or both.
    pub(super) fn title(&self, roll: usize, asked: usize) -> String {
        let (name, words) = (&self.rolls[roll], &self.asked[asked]);
        match (self.rolls.len(), self.asked.len()) {
            (1, _) => words.clone(),
            (_, 1) => name.clone(),
            _ => format!("{name}, {words}"),
        }
    }

    /// What is above all of it, if nobody chose a title.
    pub(super) fn heading(&self, look: &Look) -> String {
        if let Some(title) = &look.title {
            return title.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let rolls = super::heading::together(&self.rolls);
        match self.asked.as_slice() {
            [_] => format!("{rolls}: {}", self.words(0)),
            _ => rolls,
        }
    }

    /// The tables, as many as there are grids.
    pub(super) fn matrices(&self) -> Vec<Matrix> {
        match self.axes.as_slice() {
            [] => vec![self.list()],
            [axis] => vec![self.curve(axis)],
            [down, across, ..] => self.lines().map(|(roll, asked)| self.grid(down, across, roll, asked)).collect(),
        }
    }

    /// Rolls and questions in order.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rolls.len()).flat_map(|roll| (0..self.asked.len()).map(move |asked| (roll, asked)))
    }

    fn list(&self) -> Matrix {
        let row = |(roll, title): (usize, &String)| {
            (title.clone(), (0..self.asked.len()).map(|asked| self.at(roll, asked, 0).cloned()).collect())
        };
        let rows = self.rolls.iter().enumerate().map(row).collect();
        Matrix { title: None, corner: "roll".to_owned(), columns: self.asked.clone(), rows }
    }

    fn curve(&self, axis: &Axis) -> Matrix {
        let row = |(case, value): (usize, &i64)| {
            (value.to_string(), self.lines().map(|(roll, asked)| self.at(roll, asked, case).cloned()).collect())
        };
        let columns = self.lines().map(|(roll, asked)| format!("{}, {}", self.rolls[roll], self.asked[asked]));
        let rows = axis.values.iter().enumerate().map(row).collect();
        Matrix { title: None, corner: axis.name.clone(), columns: columns.collect(), rows }
    }

    fn grid(&self, down: &Axis, across: &Axis, roll: usize, asked: usize) -> Matrix {
        let wide = across.values.len();
        let row = |(at, value): (usize, &i64)| {
            (value.to_string(), (0..wide).map(|case| self.at(roll, asked, at * wide + case).cloned()).collect())
        };
        Matrix {
            title: Some(format!("{}: {}", self.rolls[roll], self.words(asked))),
            corner: format!("{} \\ {}", down.name, across.name),
            columns: across.values.iter().map(i64::to_string).collect(),
            rows: down.values.iter().enumerate().map(row).collect(),
        }
    }

    /// A number for people: a percentage without its sign, or a decimal.
    pub(super) fn figure(&self, number: &Chance) -> String {
        match (self.unit, number) {
            (Unit::Chance, Chance::Exact(chance)) => percent(chance),
            (Unit::Chance, Chance::Between(low, high)) if percent(low) == percent(high) => percent(low),
            (Unit::Chance, Chance::Between(low, high)) => format!("{}–{}", percent(low), percent(high)),
            (Unit::Chance, Chance::Approximate(share, _)) => format!("≈{}", near_percent(*share)),
            (Unit::Mean, Chance::Exact(mean)) => mean.decimal(2),
            (Unit::Mean, other) => format!("≈{}", trimmed(&format!("{:.2}", size(other)))),
        }
    }

    /// The same with its sign.
    pub(super) fn told(&self, number: &Chance) -> String {
        let sign = if self.unit == Unit::Chance { " %" } else { "" };
        format!("{}{sign}", self.figure(number))
    }

    /// Whether every number is exact.
    pub(super) fn is_exact(&self) -> bool {
        self.cells.iter().flatten().all(|cell| matches!(cell, Chance::Exact(_)))
    }

    /// A number in a cell of a document: percent and a short fraction, or what was asked for.
    fn cell(&self, number: &Chance, look: &Look) -> String {
        let figure = self.told(number);
        let grid = self.axes.len() > 1;
        match fraction(number, look) {
            Some(fraction) if look.wants_fractions() && !look.percent() => fraction,
            Some(fraction) if look.wants_fractions() || (!look.percent_only() && !grid) => {
                format!("{figure} ({fraction})")
            }
            _ => figure,
        }
    }
}

/// The exact fraction of a number, if it is short enough to be read.
fn fraction(number: &Chance, look: &Look) -> Option<String> {
    let longest = if look.wants_fractions() { LONGEST_ASKED } else { LONGEST_FRACTION };
    match number {
        Chance::Exact(fraction) if fraction.written() <= 2 * longest => {
            Some(fraction.to_string()).filter(|spelled| spelled.len() <= longest)
        }
        _ => None,
    }
}

/// A number as a float.
pub(super) fn size(number: &Chance) -> f64 {
    match number {
        Chance::Exact(fraction) => fraction.to_f64(),
        Chance::Between(low, high) => f64::midpoint(low.to_f64(), high.to_f64()),
        Chance::Approximate(share, _) => *share,
    }
}

/// What success is, if all outcomes are success or failure: 1 or 0, true or false.
fn success(series: &[Series]) -> Option<Question> {
    let all = |holds: &dyn Fn(&Value) -> bool| series.iter().all(|one| values(one).into_iter().all(holds));
    if all(&|value| matches!(number(value), Some(0 | 1))) {
        return Some(Question::AtLeast(1));
    }
    let truth = all(&|value| matches!(value.data, Data::Bool(_)));
    let first = series.first().filter(|_| truth)?;
    Some(Question::Exactly(first.label(&Value::bool(true))))
}

fn values(series: &Series) -> Vec<&Value> {
    match series.answer() {
        Answer::Exact(odds, _) => odds.values().collect(),
        Answer::Approximate(near, _) => near.outcomes.iter().map(|outcome| &outcome.value).collect(),
    }
}

/// The mean; an error if there is none.
fn mean(series: &Series) -> Result<Chance, Diagnostic> {
    let found = match series.answer() {
        Answer::Exact(odds, _) => odds.mean().map(Chance::Exact),
        Answer::Approximate(near, _) => near.mean.map(|mean| {
            let error = near.mean_error().unwrap_or(0.0);
            Chance::Approximate(mean, (mean - error, mean + error))
        }),
    };
    found.ok_or_else(|| {
        let message = format!("{}: this has no mean, so there is no number for each cell of a grid", series.title());
        Diagnostic::new(Code::Type, series.whole(), message).hint("ask for the chance of an outcome")
    })
}
