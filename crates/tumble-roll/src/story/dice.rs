//! What the dice of a dice term show, each beside the die it came from.
//!
//! ```text
//! (1r→1r→4, 6! + 3, 5)      three dice: one rerolled twice, one that exploded, one as it fell
//! (1, 2; 3, 4)              the term was rolled twice
//! (4, 12! + 3 → 8)          a die and what came from it count as 8 together
//! (1r, 2r → 4, 3)           two dice were rolled again together
//! ```

use super::changes::Total;
use super::edit::{DICE, Edit};
use super::{LONGEST, LineWriter, Scene, numbered};
use crate::trace::{DieState, Drawn, Step, Trace};
use std::collections::{BTreeMap, HashMap};
use tumble_core::sort;
use tumble_core::{Mark, Span};

/// A note after each dice term that was rolled.
pub(super) fn edits(writer: &LineWriter<'_>, scene: &Scene<'_>, totals: &[Total]) -> Vec<Edit> {
    let mut terms: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, die) in numbered(scene) {
        terms.entry((die.span.start, die.span.end)).or_default().push(number);
    }
    let root = |number: usize| {
        let die = scene.draws.get(number).filter(|die| scene.dice.contains(&number) && die.shown.mark == Mark::NONE)?;
        let same = |from: &usize| scene.dice.contains(from) && scene.draws[*from].span == die.span;
        if die.from.filter(same).is_none() { Some(die.span) } else { None }
    };
    let mut rows = scene.trace.map_or_else(Rows::new, |trace| rows(trace, &root));
    let mut edits = Vec::new();
    for ((start, end), numbers) in terms {
        let place = writer.inside(Span { start, end });
        // A term that reaches beyond what is told is told at its end.
        let place = Span { start: place.start, end: place.end.min(scene.region.end) };
        let totals = totals.iter().filter(|total| numbers.binary_search(&total.dice.1).is_ok());
        let rows = rows.remove(&Span { start, end }).unwrap_or_default();
        let mut note = Note::new(scene.draws, &numbers, rows, totals.copied().collect());
        if let Some((_, descending)) = writer.sorted.iter().find(|(sorted, _)| *sorted == Span { start, end }) {
            note.sort(*descending);
        }
        edits.push(Edit::after(place, DICE, note.written(writer.style.die)));
    }
    edits
}

/// The dice of one dice term.
struct Note<'a> {
    draws: &'a [Drawn],
    count: usize,
    /// Dice that come from no other one here, those that fell together side by side.
    first: Vec<Vec<usize>>,
    /// What came from each die.
    next: HashMap<usize, Vec<usize>>,
    /// What the dice from a first to a last one count as together.
    totals: Vec<Total>,
}

impl<'a> Note<'a> {
    fn new(draws: &'a [Drawn], numbers: &[usize], rows: Vec<Vec<usize>>, totals: Vec<Total>) -> Note<'a> {
        let mut note = Note { draws, count: numbers.len(), first: vec![], next: HashMap::new(), totals };
        let mut roots = Vec::new();
        for &number in numbers {
            match draws[number].from.filter(|from| numbers.binary_search(from).is_ok()) {
                Some(from) => note.next.entry(from).or_default().push(number),
                None => roots.push(number),
            }
        }
        // A line of one die has no trace.
        note.first = if rows.is_empty() { vec![roots] } else { rows };
        // What replaced a die stands right beside it.
        note.next.values_mut().for_each(|dice| sort::by_key(dice, |die| !draws[*die].replaces));
        note
    }

    /// Puts dice in order by what they show in the end.
    fn sort(&mut self, descending: bool) {
        let last = |first: usize| {
            let mut die = first;
            while let Some(next) =
                self.next.get(&die).and_then(|next| next.iter().find(|next| self.draws[**next].replaces))
            {
                die = *next;
            }
            &self.draws[die].shown
        };
        let sorted = self.first.iter().map(|row| {
            let mut row = row.clone();
            sort::by(&mut row, |a, b| if descending { last(*b).cmp(last(*a)) } else { last(*a).cmp(last(*b)) });
            row
        });
        self.first = sorted.collect();
    }

    fn written(&self, style: fn(&Drawn, String) -> String) -> String {
        let (mut text, mut listed) = (String::from(" ("), 0);
        let mut together = Vec::new();
        for (row, numbers) in self.first.iter().enumerate() {
            for (place, &number) in numbers.iter().enumerate() {
                if listed == LONGEST {
                    break;
                }
                let before = match (row, place) {
                    (0, 0) => "",
                    (_, 0) => "; ",
                    _ => ", ",
                };
                let last = self.chain(number, before, &mut text, &mut listed, style);
                let total = self.totals.iter().find(|total| total.dice == (number, last));
                text.extend(total.map(|total| format!(" → {}", total.number)));
                together.extend(total.map(|total| total.dice));
            }
        }
        match self.count - listed {
            0 => text.push(')'),
            more => text.push_str(&format!(", … {more} more)")),
        }
        // A total of dice that stand side by side.
        let others = self.totals.iter().filter(|total| !together.contains(&total.dice));
        text.extend(others.map(|total| format!(" → {}", total.number)));
        text
    }

    /// A die and all that came from it; the answer is the last of them.
    fn chain(
        &self,
        first: usize,
        before: &'static str,
        text: &mut String,
        listed: &mut usize,
        style: fn(&Drawn, String) -> String,
    ) -> usize {
        let (mut todo, mut last) = (vec![(first, before)], first);
        while let Some((number, before)) = todo.pop().filter(|_| *listed < LONGEST) {
            let (die, next) = (&self.draws[number], self.next.get(&number).map_or(&[][..], Vec::as_slice));
            text.push_str(before);
            text.push_str(&style(die, shown(die, next.iter().any(|next| !self.draws[*next].replaces))));
            *listed += 1;
            todo.extend((0..next.len()).rev().map(|place| (next[place], self.joined(next, place))));
            last = last.max(number);
        }
        last
    }

    /// What stands before a die that came from another one, among all that came from it.
    fn joined(&self, dice: &[usize], place: usize) -> &'static str {
        let together = |a: usize, b: usize| {
            let (a, b) = (dice.get(a).map(|die| &self.draws[*die]), dice.get(b).map(|die| &self.draws[*die]));
            a.zip(b).is_some_and(|(a, b)| a.path == b.path && a.replaces == b.replaces)
        };
        match self.draws[dice[place]].replaces {
            _ if place > 0 && together(place - 1, place) => ", ",
            true if together(place, place + 1) => " → ",
            true => "→",
            false => " + ",
        }
    }
}

/// The dice of each dice term that come from no other die of it, in rows.
type Rows = HashMap<Span, Vec<Vec<usize>>>;

/// Whether a part is a pass of a loop, and the rows of one dice term in it.
type Part = (bool, Vec<Vec<usize>>);

/// The rows of all dice that fell in a part: the dice of each pass of a loop are a row, unless no pass has more than one.
fn rows(part: &Trace, root: &impl Fn(usize) -> Option<Span>) -> Rows {
    let mut own = Rows::new();
    for &die in &part.dice {
        if let Some(span) = root(die) {
            own.entry(span).or_insert_with(|| vec![vec![]])[0].push(die);
        }
    }
    let inside = part.inside.iter().map(|inner| (matches!(inner.what, Step::Pass(_)), rows(inner, root)));
    let mut parts: Vec<(bool, Rows)> =
        std::iter::once((false, own)).chain(inside).filter(|(_, rows)| !rows.is_empty()).collect();
    if parts.len() < 2 {
        return parts.pop().map_or_else(Rows::new, |(_, rows)| rows);
    }
    let mut joined: HashMap<Span, Vec<Part>> = HashMap::new();
    for (pass, rows) in parts {
        rows.into_iter().for_each(|(span, rows)| joined.entry(span).or_default().push((pass, rows)));
    }
    joined.into_iter().map(|(span, parts)| (span, in_one(parts))).collect()
}

/// The rows of several parts.
fn in_one(parts: Vec<Part>) -> Vec<Vec<usize>> {
    let apart = parts.iter().any(|(pass, rows)| rows.len() > 1 || (*pass && rows[0].len() > 1));
    let keep = apart || parts.len() == 1;
    let rows: Vec<Vec<usize>> = parts.into_iter().flat_map(|(_, rows)| rows).collect();
    if keep { rows } else { vec![rows.concat()] }
}

/// A die in plain text; `exploded` if others were added to it.
fn shown(die: &Drawn, exploded: bool) -> String {
    let nat = if die.natural().is_some() { "nat " } else { "" };
    let bang = match die.state {
        DieState::Exploded => "!",
        DieState::Dropped if exploded => "!",
        DieState::Kept | DieState::Dropped | DieState::Rerolled => "",
    };
    let became = die.became.map_or(String::new(), |number| format!("→{number}"));
    let again = if die.state == DieState::Rerolled { "r" } else { "" };
    let score = die.score.filter(|score| !matches!(score, 0 | 1)).map_or(String::new(), |score| format!(":{score}"));
    let text = format!("{nat}{}{bang}{became}{again}{score}", die.shown);
    if die.is_out() { format!("~~{text}~~") } else { text }
}
