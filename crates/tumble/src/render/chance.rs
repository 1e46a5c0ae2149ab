//! One number instead of a table: "what is the chance of at least 15?"
//!
//! ```text
//! at least 15: 23.15 %  25/108  about 1 in 4
//! ```
//!
//! Where a part of the distribution is not listed and might belong to the answer, there are two bounds instead of one
//! number.

pub use super::question::Question;

use super::series::{Series, Share};
use super::table::{near_percent, percent};
use super::{visible, width};
use crate::approximate::{Approximate, ApproximateOutcome};
use crate::ask::Answer;
use serde_json::{Map, Value as Json, json};
use std::fmt;
use tumble_core::{Code, Diagnostic, Value};
use tumble_exact::{Fraction, Odds};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Chance {
    /// The exact probability.
    Exact(Fraction),
    /// It lies between these, because a part of the distribution is not listed.
    Between(Fraction, Fraction),
    /// About this, and the bounds of the true value.
    Approximate(f64, (f64, f64)),
}

/// The longest fraction that helps a reader.
const LONGEST_FRACTION: usize = 40;

impl fmt::Display for Chance {
    /// `23.15 %  25/108  about 1 in 4`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = cells(self);
        let told: Vec<&str> = cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        f.write_str(&told.join("  "))
    }
}

/// The answer; an error if the outcomes have no order and the question needs one, or if it asks for something that no
/// outcome is spelled like.
pub fn chance(series: &Series, question: &Question) -> Result<Chance, Diagnostic> {
    match series.answer() {
        Answer::Exact(odds, _) => {
            // The values of a distribution can be walked again, but their iterator cannot be copied.
            let values: Vec<&Value> = odds.values().collect();
            let question = question.settled(values.iter().copied(), series)?;
            exact(series, odds, &question)
        }
        Answer::Approximate(near, _) => {
            let seen = near.outcomes.iter().map(|outcome| &outcome.value);
            estimate(series, near, &question.settled(seen, series)?)
        }
    }
}

fn exact(series: &Series, odds: &Odds, question: &Question) -> Result<Chance, Diagnostic> {
    let mut sum = Fraction::zero();
    for (value, chance) in odds.outcomes() {
        if question.holds(value, series).ok_or_else(|| no_numbers(series))? {
            sum = &sum + &chance;
        }
    }
    let rest = odds.unresolved();
    Ok(match question.known(odds) {
        _ if rest.is_zero() => Chance::Exact(sum),
        Some(chance) => Chance::Exact(chance),
        None => Chance::Between(sum.clone(), &sum + &rest),
    })
}

fn estimate(series: &Series, near: &Approximate, question: &Question) -> Result<Chance, Diagnostic> {
    let mut members: Vec<&ApproximateOutcome> = Vec::new();
    for outcome in &near.outcomes {
        if question.holds(&outcome.value, series).ok_or_else(|| no_numbers(series))? {
            members.push(outcome);
        }
    }
    let (share, bounds) = near.together(&members);
    Ok(Chance::Approximate(share, bounds))
}

fn no_numbers(series: &Series) -> Diagnostic {
    let message = "some outcomes of this roll are not numbers, so they can't be compared with one";
    Diagnostic::new(Code::Type, series.whole(), message).hint("ask for exactly one outcome, or for a sum or a count")
}

/// A line: what was asked, percent, fraction or bounds, words.
type Line = [String; 4];

/// The answers to all questions about all distributions, a line each.
pub fn text(series: &[Series], questions: &[Question]) -> Result<String, Diagnostic> {
    let mut lines: Vec<Line> = Vec::new();
    for one in series {
        for question in questions {
            let titled = series.len() > 1 || one.is_named();
            let title = if titled { format!("{}, ", one.title()) } else { String::new() };
            let [percent, exact, words] = cells(&chance(one, question)?);
            let asked = visible(&format!("{title}{question}:")).into_owned();
            lines.push([asked, percent, exact, words]);
        }
    }
    Ok(aligned(&lines))
}

/// Lines whose cells are below each other.
fn aligned(lines: &[Line]) -> String {
    // A sentence instead of a number starts where the numbers do, and makes no column wider.
    let sentence = |line: &Line| line[3].is_empty();
    let widest = |cell: usize| {
        let counts = lines.iter().filter(|line| cell == 0 || !sentence(line));
        counts.map(|line| width(&line[cell])).max().unwrap_or(0)
    };
    let (asked, percent, exact) = (widest(0), widest(1), widest(2));
    let pad = |text: &str, room: usize| " ".repeat(room.saturating_sub(width(text)));
    let told = |line: &Line| {
        let start = format!("{}{} ", line[0], pad(&line[0], asked));
        let fraction = format!("{}{}  ", line[2], pad(&line[2], exact));
        match sentence(line) {
            true => format!("{start}{}\n", line[1]),
            false if exact == 0 => format!("{start}{}{}  {}\n", pad(&line[1], percent), line[1], line[3]),
            false => format!("{start}{}{}  {fraction}{}\n", pad(&line[1], percent), line[1], line[3]),
        }
    };
    lines.iter().map(told).collect()
}

/// Percent, fraction or bounds, and words; what is not known is one sentence.
fn cells(chance: &Chance) -> [String; 3] {
    match chance {
        Chance::Exact(fraction) => {
            let spelled = if fraction.written() > 2 * LONGEST_FRACTION { String::new() } else { fraction.to_string() };
            let short = spelled.contains('/') && spelled.len() <= LONGEST_FRACTION;
            let spelled = if short { spelled } else { String::new() };
            [format!("{} %", size_percent(fraction)), spelled, in_words(chance)]
        }
        Chance::Between(low, high) => {
            let said = match (size_percent(low), size_percent(high)) {
                (low, high) if low == high => format!("{low} %, rounded, because a part is not listed"),
                (low, high) => format!("between {low} % and {high} %, because a part is not listed"),
            };
            [said, String::new(), String::new()]
        }
        Chance::Approximate(share, (low, high)) => [
            format!("≈{} %", near_percent(*share)),
            format!("{:.2}–{:.2} %", low * 100.0, high * 100.0),
            format!("{}, APPROXIMATE", in_words(chance)),
        ],
    }
}

fn size_percent(fraction: &Fraction) -> String {
    match Share::exact(fraction.clone()) {
        Share::Exact(fraction) => percent(&fraction),
        other => near_percent(other.size()),
    }
}

/// The fields of the answers about one distribution; exact if each of them is.
pub fn json(series: &Series, questions: &[Question]) -> Result<Json, Diagnostic> {
    let mut answers = Vec::new();
    let mut exact = true;
    for question in questions {
        let chance = chance(series, question)?;
        exact &= matches!(chance, Chance::Exact(_));
        let mut fields = Map::new();
        let (name, asked) = field(question);
        fields.insert(name.into(), asked);
        fields.extend(number_fields(&chance));
        fields.insert("odds".into(), json!(in_words(&chance)));
        answers.push(Json::Object(fields));
    }
    Ok(json!({ "ok": true, "exact": exact, "roll": series.title(), "answers": answers }))
}

/// A question as a request asks it.
fn field(question: &Question) -> (&'static str, Json) {
    match question {
        Question::AtLeast(n) => ("at_least", json!(n)),
        Question::AtMost(n) => ("at_most", json!(n)),
        Question::Between(low, high) => ("range", json!([low, high])),
        Question::Exactly(label) => ("exactly", json!(label)),
        Question::AnyOf(labels) => ("exactly", json!(labels)),
    }
}

/// A number, exact or with its bounds.
pub(super) fn number_fields(chance: &Chance) -> Vec<(String, Json)> {
    let fields = match chance {
        Chance::Exact(fraction) => [("probability", json!(fraction.to_string())), ("about", json!(fraction.to_f64()))],
        Chance::Between(low, high) => {
            [("probability", Json::Null), ("between", json!([low.to_string(), high.to_string()]))]
        }
        Chance::Approximate(share, (low, high)) => [("probability", json!(share)), ("between", json!([low, high]))],
    };
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The chance as players say it: `always`, `1 in 6`, `about 1 in 4`, `all but about 1 in 216`.
///
/// ```
/// use tumble::render::chance::{Chance, in_words};
///
/// assert_eq!(in_words(&Chance::Exact("25/108".parse()?)), "about 1 in 4");
/// assert_eq!(in_words(&Chance::Exact("215/216".parse()?)), "all but 1 in 216");
/// # Ok::<(), String>(())
/// ```
pub fn in_words(chance: &Chance) -> String {
    match chance {
        Chance::Exact(fraction) if fraction.is_zero() => "never".to_owned(),
        Chance::Exact(fraction) if *fraction == Fraction::one() => "always".to_owned(),
        Chance::Exact(fraction) => match fraction.to_f64() {
            // A rare chance is one in how many, from the fraction itself: a float has neither its size nor its digits.
            ..0.1 => one_in(fraction),
            0.9.. => format!("all but {}", one_in(&(&Fraction::one() - fraction))),
            size => match spoken(fraction) {
                Some((part, whole)) => format!("{part} in {whole}"),
                None => about(simple(size)),
            },
        },
        Chance::Between(low, high) => between([low, high].map(|bound| in_words(&Chance::Exact(bound.clone())))),
        // What no roll showed is rarer than the bounds, and nobody knows how much.
        Chance::Approximate(share, (_, high)) if *share <= 0.0 => format!("less than {}", near_one_in(*high)),
        Chance::Approximate(share, (low, _)) if *share >= 1.0 => {
            format!("all but less than {}", near_one_in(1.0 - low))
        }
        Chance::Approximate(share, _) => match *share {
            size @ ..0.1 => format!("about {}", near_one_in(size)),
            size @ 0.9.. => format!("all but about {}", near_one_in(1.0 - size)),
            size => about(simple(size)),
        },
    }
}

fn about((part, whole): (i64, u64)) -> String {
    format!("about {part} in {whole}")
}

/// Two bounds that are said with the same words are said once.
fn between([low, high]: [String; 2]) -> String {
    let bare = |words: &str| words.replace("about ", "");
    match bare(&low) == bare(&high) {
        true if low.contains("about ") => low,
        true => high,
        false => format!("between {low} and {high}"),
    }
}

/// The most digits of a whole number that people read as it is.
const READABLE: usize = 12;

/// `1 in 7,776` where it is just that, else `about 1 in 7,800`.
fn one_in(fraction: &Fraction) -> String {
    let inverse = &Fraction::one() / fraction;
    let digits = inverse.decimal(0);
    match digits.parse::<u64>() {
        Ok(whole) if digits.len() <= READABLE && Fraction::ratio(1, whole) == *fraction => {
            format!("1 in {}", super::explain::grouped(whole))
        }
        _ => format!("about 1 in {}", rounded(&digits)),
    }
}

fn near_one_in(size: f64) -> String {
    format!("1 in {}", rounded(&format!("{:.0}", 1.0 / size.max(f64::MIN_POSITIVE))))
}

/// A whole number to three digits, `7,780`; one that nobody can read to two, `6.5e77`.
fn rounded(digits: &str) -> String {
    let power = digits.len() - 1;
    if power < READABLE {
        return super::explain::grouped(to_three(digits.parse().unwrap_or(0.0)));
    }
    // Enough of its first digits, with the point after the first; rounding up may make one more.
    let first: f64 = format!("{}.{}", &digits[..1], &digits[1..READABLE]).parse().unwrap_or(1.0);
    match format!("{first:.1}").as_str() {
        "10.0" => format!("1.0e{}", power + 1),
        leading => format!("{leading}e{power}"),
    }
}

fn to_three(whole: f64) -> u64 {
    let scale = 10f64.powi((whole.max(1.0).log10().floor() as i32 - 2).max(0));
    ((whole / scale).round() * scale) as u64
}

/// One in how many, to three digits.
fn inverse(size: f64) -> u64 {
    to_three((1.0 / size).round())
}

/// A share that people say as it is: of few, or of the faces of a die.
fn spoken(fraction: &Fraction) -> Option<(i64, u64)> {
    let part = |whole: u64| ((fraction.to_f64() * whole as f64).round() as i64, whole);
    (2..=10).chain([12, 16, 20]).map(part).find(|(part, whole)| Fraction::ratio(*part, *whole) == *fraction)
}

/// A share as people say it: halves, thirds and quarters within one percentage point, else tenths or the twentieths of
/// a d20, so that two chances can be compared; near none and near all, one in how many it is or is not. The size is
/// neither tiny nor nearly one.
fn simple(size: f64) -> (i64, u64) {
    match size {
        ..0.18 => return (1, inverse(size)),
        0.82.. => return (inverse(1.0 - size) as i64 - 1, inverse(1.0 - size)),
        _ => {}
    }
    let near = |whole: u64| ((size * whole as f64).round() as i64, whole);
    let fits = |(part, whole): &(i64, u64)| (*part as f64 / *whole as f64 - size).abs() <= 0.01;
    [2, 3, 4].map(near).into_iter().find(fits).unwrap_or_else(|| match near(20) {
        (part @ (5 | 15), _) => (part / 5, 4),
        (10, _) => (1, 2),
        (part, _) if part % 2 == 0 => (part / 2, 10),
        twentieths => twentieths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_estimates_are_said_without_more_than_is_known() {
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        for (chance, words) in [
            (Chance::Between(fraction("749/1000"), fraction("3/4")), "about 3 in 4"),
            (Chance::Between(fraction("1/2"), fraction("3/4")), "between 1 in 2 and 3 in 4"),
            (Chance::Approximate(0.0, (0.0, 0.001)), "less than 1 in 1,000"),
            (Chance::Approximate(1.0, (0.999, 1.0)), "all but less than 1 in 1,000"),
            (Chance::Approximate(1e-30, (0.0, 1e-29)), "about 1 in 1.0e30"),
            (Chance::Approximate(0.25, (0.2, 0.3)), "about 1 in 4"),
        ] {
            assert_eq!(in_words(&chance), words, "{chance:?}");
        }
    }

    #[test]
    fn chances_are_said_as_players_say_them() {
        for (chance, words) in [
            ("0", "never"),
            ("1", "always"),
            ("1/2", "1 in 2"),
            ("1/6", "1 in 6"),
            ("25/108", "about 1 in 4"),
            ("3/4", "3 in 4"),
            ("2/5", "2 in 5"),
            ("7/10", "7 in 10"),
            ("20/29", "about 7 in 10"),
            ("9/16", "9 in 16"),
            ("5563/10000", "about 11 in 20"),
            ("4482/10000", "about 9 in 20"),
            ("5372/10000", "about 11 in 20"),
            ("5096/10000", "about 1 in 2"),
            ("6012/10000", "about 6 in 10"),
            ("3391/10000", "about 1 in 3"),
            ("1/216", "1 in 216"),
            ("1/1296", "1 in 1,296"),
            ("1/7776", "1 in 7,776"),
            ("3/23328", "1 in 7,776"),
            ("2/15553", "about 1 in 7,780"),
            ("7775/7776", "all but 1 in 7,776"),
            ("1/999999999999", "1 in 999,999,999,999"),
            ("1/4738381338321616896", "about 1 in 4.7e18"),
            ("2/1999999999999999", "about 1 in 1.0e15"),
            ("3656158440062975/3656158440062976", "all but about 1 in 3.7e15"),
            ("1/99999999999999999999999999999999999999999999", "about 1 in 1.0e44"),
            ("215/216", "all but 1 in 216"),
            ("1/20", "1 in 20"),
            ("35/36", "all but 1 in 36"),
            ("1/9", "1 in 9"),
            ("4/35", "about 1 in 9"),
            ("31/35", "about 8 in 9"),
            ("4/9", "4 in 9"),
            ("17/20", "17 in 20"),
            ("13/18", "about 7 in 10"),
        ] {
            assert_eq!(in_words(&Chance::Exact(chance.parse().unwrap())), words, "{chance}");
        }
    }
}
