//! The words around a chart of distributions: its legend, and how far it can be trusted.

use super::super::series::{Measure, Series};
use super::paint;
use super::sheet::Legend;
use crate::ask::Answer;
use tumble_exact::Side;

/// Titles in a note are cut to this width.
const SHORT_TITLE: f64 = 220.0;

/// The legend: for the values of one variable their scale, else each roll with what can be said of it.
pub(super) fn legend(series: &[Series], measures: &[Measure], titles: &[String]) -> Legend {
    if let (Some((name, values)), [_]) = (swept(series), measures) {
        let values = values.iter().map(i64::to_string).collect();
        return Legend::Values { name, values, said: means(series).unwrap_or_default() };
    }
    match series {
        [one] if measures.len() == 1 => Legend::Said(one.said_briefly()),
        _ => {
            // What is said of a distribution is beside the first of its measures.
            let entry = |(place, title): (usize, &String)| {
                let first = place % measures.len() == 0;
                (title.clone(), if first { series[place / measures.len()].said_briefly() } else { vec![] })
            };
            Legend::Rolls(titles.iter().enumerate().map(entry).collect())
        }
    }
}

/// The variable and its values, if one expression was swept.
fn swept(series: &[Series]) -> Option<(String, Vec<i64>)> {
    let [first, _, ..] = series else { return None };
    let (name, _) = first.sweep()?;
    let same = |one: &Series| one.sweep().filter(|(other, _)| *other == name).map(|(_, value)| value);
    let alike = series.iter().all(|one| one.text() == first.text());
    let values: Option<Vec<i64>> = series.iter().map(same).collect();
    Some((name.to_owned(), values?)).filter(|_| alike)
}

/// From which mean to which they go.
fn means(series: &[Series]) -> Option<String> {
    let mean = |one: &Series| match one.answer() {
        Answer::Exact(odds, _) => odds.mean().map(|mean| mean.to_f64()),
        Answer::Approximate(near, _) => near.mean,
    };
    let means: Option<Vec<f64>> = series.iter().map(mean).collect();
    let means = means?;
    let told = |mean: f64| super::super::text::trimmed(&format!("{mean:.2}"));
    Some(format!("mean {} to {}", told(*means.first()?), told(*means.last()?)))
}

/// How far the distributions can be trusted; what is the same for all is said once.
pub(super) fn trust(series: &[Series]) -> Vec<String> {
    let notes: Vec<String> = series.iter().map(Series::note).collect();
    if notes.windows(2).all(|two| two[0] == two[1]) {
        let each = if notes.len() > 1 { "each: " } else { "" };
        return notes.first().map(|note| format!("{each}{note}")).into_iter().collect();
    }
    if let Some(note) = together(series) {
        return vec![note];
    }
    let line = |(one, note): (&Series, &String)| format!("{}: {note}", paint::cut(one.title(), SHORT_TITLE, 12.0));
    series.iter().zip(&notes).map(line).collect()
}

/// One note for many exact distributions.
fn together(series: &[Series]) -> Option<String> {
    let mut open: Vec<(f64, Side)> = Vec::new();
    for one in series {
        match one.answer() {
            Answer::Exact(odds, _) if odds.exact() => open.push((odds.unresolved().to_f64(), odds.side())),
            Answer::Exact(..) | Answer::Approximate(..) => return None,
        }
    }
    let most = open.iter().map(|(rest, _)| *rest).fold(0.0, f64::max);
    let above = open.iter().all(|(rest, side)| *rest <= 0.0 || *side == Side::Above);
    Some(match most {
        0.0 => "every chance is exact".to_owned(),
        _ if above => format!("every chance is exact; at most {:.1e} % lies above the last total listed", most * 100.0),
        _ => format!("every chance is exact; at most {:.1e} % is not listed", most * 100.0),
    })
}
