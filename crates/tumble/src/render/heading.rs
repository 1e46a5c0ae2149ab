//! The heading of a picture, a page or a table of one or several distributions.

use super::look::Look;
use super::series::{Measure, Series};

/// Titles that are longer together are counted instead.
const LONG_TITLE: usize = 50;

/// The title that was asked for, or what is rolled. Where one expression is swept, the titles tell its values apart, and
/// the heading is the expression or its name.
pub(super) fn heading(series: &[Series], look: &Look) -> String {
    if let Some(title) = &look.title {
        return title.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let measures = look.measures();
    let alike = series.windows(2).all(|two| two[0].roll() == two[1].roll());
    let rolls = match series {
        [first, _, ..] if alike => first.roll(),
        _ => together(&series.iter().map(|one| one.title().to_owned()).collect::<Vec<_>>()),
    };
    match measures.as_slice() {
        [Measure::Exactly] => rolls,
        _ => format!("{rolls}: {}", measures.iter().map(|one| one.words()).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn together(titles: &[String]) -> String {
    match titles {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] if titles.iter().map(String::len).sum::<usize>() <= LONG_TITLE => {
            format!("{} and {last}", most.join(", "))
        }
        _ => format!("{} rolls", titles.len()),
    }
}
