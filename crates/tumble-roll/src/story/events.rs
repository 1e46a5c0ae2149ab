//! Comparisons with their totals and how they came out, and names with their numbers.
//!
//! ```text
//! d20+5 >= 15             d20 (3) + 5 = 8 vs 15: failure
//! d100 < 45               d100 (95) = 95 vs < 45: failure
//! (d20 > 9) * (d8+@str)   (d20 (12) = 12 vs > 9: success) * (d8 (4) + 3 [str]) = 7
//! ```
//!
//! A comparison that is not all of a result stands in brackets. What was never compared stays as it is written, and so
//! does a filter.

use super::edit::{Edit, TOTAL, VERDICT};
use super::ending::Ending;
use super::{LONGEST, LineWriter, Scene, numbered};
use crate::trace::{Check, Event, Side};
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::{Compare, Span};

/// Where something is written: its start and end.
type Place = (usize, usize);

impl LineWriter<'_> {
    pub(super) fn events(&self, scene: &Scene<'_>, endings: &[Ending<'_>], edits: &mut Vec<Edit>) {
        let dice: BTreeSet<Place> = numbered(scene).map(|(_, die)| place(die.span)).collect();
        let outside = self.values.iter().filter(|side| scene.region.contains(&side.span.start));
        let mut names: BTreeMap<Place, Vec<String>> = BTreeMap::new();
        let mut checks: BTreeMap<Place, Vec<&Check>> = BTreeMap::new();
        for side in outside {
            names.insert(place(side.span), vec![side.value.to_string()]);
        }
        for event in scene.events {
            match event {
                Event::Check(_) if !self.checks => {}
                Event::Changed(_) => {}
                Event::Check(check) => checks.entry(place(check.span)).or_default().push(check),
                Event::Named(Side { span, value }) => {
                    if !dice.contains(&place(*span)) && self.name(*span).is_some() {
                        names.entry(place(*span)).or_default().push(value.to_string());
                    }
                }
            }
        }
        let bare: BTreeSet<Place> = endings.iter().filter_map(|ending| ending.check.map(place)).collect();
        for (place, same) in &checks {
            self.check(same, &names, bare.contains(place), edits);
        }
        for ((start, end), numbers) in names {
            let span = Span { start, end };
            if let Some(name) = self.name(span) {
                edits.push(Edit::instead(span, format!("{} [{name}]", listed(numbers))));
            }
        }
    }

    /// The name that is written in a place, without its sign.
    fn name(&self, span: Span) -> Option<&str> {
        let written = self.text.get(span.start..span.end)?;
        let name = written.trim_start_matches('@');
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        let whole = written.starts_with('@') || name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        // `p kh2`
        let mut words = written.split(' ');
        let modified = words.next().is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
            && words
                .all(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '!') && !word.contains(['(', '[']));
        Some(name).filter(|name| (whole || modified) && !name.is_empty())
    }

    /// All evaluations of one comparison.
    fn check(&self, checks: &[&Check], names: &BTreeMap<Place, Vec<String>>, bare: bool, edits: &mut Vec<Edit>) {
        let Some(Check { left, sign, right, .. }) = checks.first().copied() else { return };
        let mut total = |side: &Side, value: fn(&Check) -> i64| {
            let written = self.text.get(side.span.start..side.span.end).unwrap_or("");
            let number = written.trim_matches(['(', ')', ' ']);
            if number.parse::<i64>().is_err() && !names.contains_key(&place(side.span)) {
                let totals = checks.iter().map(|check| value(check).to_string()).collect();
                edits.push(Edit::after(side.span, TOTAL, format!(" = {}", (self.style.total)(listed(totals)))));
            }
        };
        total(left, |check| check.left.value);
        total(right, |check| check.right.value);
        edits.extend(self.sign(left.span.end..right.span.start).map(|place| Edit::instead(place, versus(*sign))));
        let verdicts = checks.iter().map(|check| self.verdict(check.holds)).collect();
        // The place of a comparison may have the brackets around it.
        let sides = left.span.to(right.span);
        let wrapped = !bare && !self.in_brackets(sides);
        if wrapped {
            edits.push(Edit::before(sides, "("));
        }
        let close = if wrapped { ")" } else { "" };
        edits.push(Edit::after(sides, VERDICT, format!(": {}{close}", listed(verdicts))));
    }

    pub(super) fn verdict(&self, holds: bool) -> String {
        (self.style.verdict)(holds, if holds { "success" } else { "failure" }.to_owned())
    }

    /// The sign between two sides, with the blanks around it.
    fn sign(&self, gap: std::ops::Range<usize>) -> Option<Span> {
        let between = self.text.get(gap.clone())?;
        let is_sign = |c: char| "<>=!≤≥≠".contains(c);
        let end = between.rfind(is_sign).and_then(|last| Some(last + between[last..].chars().next()?.len_utf8()))?;
        let start = between[..end].trim_end_matches(is_sign).trim_end().len();
        let end = between.len() - between[end..].trim_start().len();
        Some(Span { start: gap.start + start, end: gap.start + end })
    }

    fn in_brackets(&self, span: Span) -> bool {
        let (before, after) = (self.text.get(..span.start).unwrap_or(""), self.text.get(span.end..).unwrap_or(""));
        before.trim_end().ends_with('(') && after.trim_start().starts_with(')')
    }
}

fn place(span: Span) -> Place {
    (span.start, span.end)
}

/// What a number is held against; to meet it is the usual way.
fn versus(sign: Compare) -> String {
    match sign {
        Compare::AtLeast => " vs ".to_owned(),
        Compare::Equal => " vs exactly ".to_owned(),
        Compare::Unequal => " vs not ".to_owned(),
        Compare::Less | Compare::AtMost | Compare::More => format!(" vs {} ", sign.sign()),
    }
}

/// One word for all evaluations that came to the same, else a word for each.
pub(super) fn listed(mut words: Vec<String>) -> String {
    if words.windows(2).all(|pair| pair[0] == pair[1]) {
        words.truncate(1);
    }
    // How many there are is not known: of very many not all are noted.
    let more = if words.len() > LONGEST { ", …" } else { "" };
    words.truncate(LONGEST);
    words.join(", ") + more
}
