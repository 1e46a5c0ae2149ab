//! The rows of a table of odds: outcome, percent, fraction if it is short, bar.

use super::grid::{Block, Grid, Row};
use super::groups::{Group, groups};
use super::look::Look;
use super::series::{Measure, Point, Series, Share};
use super::visible;
use crate::approximate::ApproximatedBy;
use crate::ask::Answer;
use tumble_exact::{Fraction, Side, number};

/// The longest fraction that is shown though nobody asked.
pub(super) const LONGEST_FRACTION: usize = 17;
/// The longest fraction for someone who asks for fractions.
pub(super) const LONGEST_ASKED: usize = 100;

/// The table of one or several distributions side by side.
pub(super) fn grid(series: &[Series], look: &Look) -> Grid {
    let points: Vec<Vec<Point>> = series.iter().map(Series::points).collect();
    let measures = look.measures();
    let groups = groups(series, &points, look.all);
    let columns: Vec<Column<'_>> =
        series.iter().zip(&points).map(|(one, points)| Column::new(one, points, &measures)).collect();
    let row = |group: &Group| Row {
        label: group.label.clone(),
        number: group.number,
        blocks: columns.iter().enumerate().map(|(place, column)| column.block(group, place, &measures, look)).collect(),
    };
    let uneven = |place: usize, at: usize| columns[place].uneven(&groups, place, (at, measures[at]), look);
    let mut rows: Vec<Row> = groups.iter().map(row).collect();
    for (place, at) in (0..columns.len()).flat_map(|place| (0..measures.len()).map(move |at| (place, at))) {
        if uneven(place, at) {
            rows.iter_mut().for_each(|row| row.blocks[place].cells[at].1.clear());
        }
    }
    rows.extend(rest(series, &measures, look));
    let heads = measures.iter().map(|measure| measure.words());
    Grid { titles: series.iter().map(|one| visible(one.title()).into_owned()).collect(), heads: heads.collect(), rows }
}

/// One series, measured.
struct Column<'s> {
    series: &'s Series,
    points: &'s [Point],
    measured: Vec<Vec<Option<Share>>>,
}

impl<'s> Column<'s> {
    fn new(series: &'s Series, points: &'s [Point], measures: &[Measure]) -> Column<'s> {
        let measured = measures.iter().map(|measure| series.measured(points, *measure)).collect();
        Column { series, points, measured }
    }

    fn block(&self, group: &Group, place: usize, measures: &[Measure], look: &Look) -> Block {
        let shares: Vec<Option<Share>> =
            measures.iter().enumerate().map(|(i, measure)| self.share(group, place, i, *measure)).collect();
        let folded = group.members[place].len() > 1;
        let bounds = matches!(self.series.answer(), Answer::Approximate(near, _) if matches!(near.by, ApproximatedBy::Rolls { .. }));
        let mut block = block(&shares, look, bounds, folded);
        let cells = block.cells.iter_mut().zip(measures);
        let impossible = cells.filter(|(_, measure)| group.members[place].is_empty() && **measure == Measure::Exactly);
        impossible.for_each(|(cell, _)| *cell = ("–".to_owned(), String::new()));
        block
    }

    /// Whether only some rows would have a fraction, though nobody asked for them: then none has.
    fn uneven(&self, groups: &[Group], place: usize, (at, measure): (usize, Measure), look: &Look) -> bool {
        let long = |group: &Group| match self.share(group, place, at, measure) {
            Some(share @ (Share::Exact(_) | Share::Rounded(_))) => fraction(&share, look, false, false).is_empty(),
            _ => false,
        };
        look.short_fractions() && groups.iter().any(|group| group.members[place].len() == 1 && long(group))
    }

    fn share(&self, group: &Group, place: usize, at: usize, measure: Measure) -> Option<Share> {
        let members = &group.members[place];
        match (measure, members.as_slice()) {
            (Measure::Exactly, []) => Some(Share::Exact(Fraction::zero())),
            (Measure::Exactly, [one]) => Some(self.points[*one].share.clone()),
            (Measure::Exactly, several) => Some(self.together(several)),
            (Measure::AtLeast, [first, ..]) => self.measured[at][*first].clone(),
            (Measure::AtMost, [.., last]) => self.measured[at][*last].clone(),
            (_, []) => self.between(group.exactly?, at, measure),
        }
    }

    fn together(&self, members: &[usize]) -> Share {
        match self.series.answer() {
            // Rounding must not make what is certain look doubtful.
            Answer::Exact(..) if members.len() == self.points.len() && self.series.rest().is_none() => {
                Share::Exact(Fraction::one())
            }
            Answer::Exact(..) => Share::Rounded(members.iter().map(|at| self.points[*at].share.size()).sum()),
            Answer::Approximate(near, _) => {
                let (share, bounds) = near.together(&members.iter().map(|at| &near.outcomes[*at]).collect::<Vec<_>>());
                Share::Approximate(share, bounds)
            }
        }
    }

    /// The share of a number that this series does not list: that of the next one that it does.
    fn between(&self, n: i64, at: usize, measure: Measure) -> Option<Share> {
        let below = |point: &Point| point.value.as_ref().and_then(number).is_some_and(|listed| listed < n);
        let next = self.points.partition_point(below);
        let (found, open) = match measure {
            Measure::AtLeast => (self.measured[at].get(next), Side::Above),
            _ => (next.checked_sub(1).and_then(|place| self.measured[at].get(place)), Side::Below),
        };
        let numbers = self.measured[at].iter().all(Option::is_some);
        let none = || match self.series.answer() {
            Answer::Approximate(near, _) => Share::Approximate(0.0, (0.0, near.unseen())),
            Answer::Exact(..) => Share::Exact(Fraction::zero()),
        };
        let none = || (numbers && self.series.side() != open).then(none);
        found.map_or_else(none, Clone::clone)
    }
}

/// What is not listed.
fn rest(series: &[Series], measures: &[Measure], look: &Look) -> Option<Row> {
    let rests: Vec<Option<Point>> = series.iter().map(Series::rest).collect();
    let label = match rests.as_slice() {
        [Some(one)] => one.label.clone(),
        _ => "not listed".to_owned(),
    };
    let only = |rest: &Option<Point>| {
        let share =
            |measure: &Measure| rest.as_ref().filter(|_| *measure == Measure::Exactly).map(|rest| rest.share.clone());
        block(&measures.iter().map(share).collect::<Vec<_>>(), look, true, false)
    };
    rests.iter().any(Option::is_some).then(|| Row { label, number: true, blocks: rests.iter().map(only).collect() })
}

fn block(shares: &[Option<Share>], look: &Look, bounds: bool, folded: bool) -> Block {
    let size = shares.first().and_then(Option::as_ref).map_or(0.0, Share::size);
    let cell = |share: &Option<Share>| match share {
        Some(share) => cell(share, look, bounds, folded),
        None => (String::new(), String::new()),
    };
    Block { cells: shares.iter().map(cell).collect(), size }
}

/// Percent and fraction of a share; either may be empty.
pub(super) fn cell(share: &Share, look: &Look, bounds: bool, folded: bool) -> (String, String) {
    let percent = if look.percent() { spelled(share) } else { String::new() };
    (percent, fraction(share, look, bounds, folded))
}

/// Both in one: `25.00 % (1/4)`.
pub(super) fn joined((percent, fraction): &(String, String)) -> String {
    match (percent.as_str(), fraction.as_str()) {
        (one, "") | ("", one) => one.to_owned(),
        (percent, fraction) => format!("{percent} ({fraction})"),
    }
}

fn spelled(share: &Share) -> String {
    match share {
        Share::Exact(fraction) => format!("{} %", percent(fraction)),
        Share::Rounded(size) => format!("{} %", near_percent(*size)),
        Share::Approximate(size, _) => format!("≈{} %", near_percent(*size)),
    }
}

/// The fraction if it is short or asked for; for an estimate its bounds.
fn fraction(share: &Share, look: &Look, bounds: bool, folded: bool) -> String {
    let longest = match (look.wants_fractions(), look.short_fractions()) {
        (true, _) => LONGEST_ASKED,
        (false, true) => LONGEST_FRACTION,
        // An estimate is worth no more than its bounds.
        (false, false) => 0,
    };
    let short = |fraction: &Fraction| Some(fraction.to_string()).filter(|text| text.len() <= longest);
    match share {
        Share::Exact(fraction) if !folded && short(fraction).is_some() => short(fraction).unwrap_or_default(),
        Share::Approximate(_, (low, high)) if bounds => format!("{:.2}–{:.2} %", low * 100.0, high * 100.0),
        // Where there is nothing else in the row, percent are better than a gap.
        other if !look.percent() => spelled(&Share::Approximate(other.size(), (0.0, 1.0))),
        _ => String::new(),
    }
}

/// Two decimals, but never 0 for what can happen nor 100 for what can fail.
pub(super) fn percent(chance: &Fraction) -> String {
    let digits = chance.decimal(4).replace('.', "");
    match digits.trim_start_matches('0') {
        "" if !chance.is_zero() => "<0.01".into(),
        "10000" if *chance != Fraction::one() => ">99.99".into(),
        significant => {
            let padded = format!("{significant:0>3}");
            let (whole, rest) = padded.split_at(padded.len() - 2);
            format!("{whole}.{rest}")
        }
    }
}

/// The same for what is a float already.
pub(super) fn near_percent(size: f64) -> String {
    match size {
        0.00005..0.99995 => format!("{:.2}", size * 100.0),
        0.5.. => ">99.99".into(),
        _ => "<0.01".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_happen_is_never_zero() {
        for (chance, text) in [
            ("0", "0.00"),
            ("1/1000000", "<0.01"),
            ("1/10000", "0.01"),
            ("1/32", "3.13"),
            ("1/3", "33.33"),
            ("999999/1000000", ">99.99"),
            ("1", "100.00"),
        ] {
            assert_eq!(percent(&chance.parse().unwrap()), text);
        }
    }
}
