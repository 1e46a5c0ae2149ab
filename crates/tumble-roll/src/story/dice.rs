//! What the dice of a dice term show, each beside the die it came from.
//!
//! ```text
//! (1r→1r→4, 6! + 3, 5)      three dice: one rerolled twice, one that exploded, one as it fell
//! (1, 2; 3, 4)              the term was rolled twice
//! (1r, 2r → 4, 3)           two dice were rolled again together
//! ```

use super::edit::{DICE, Edit};
use super::{LONGEST, LineWriter, Scene, numbered};
use crate::trace::{DieState, Drawn};
use std::collections::{BTreeMap, HashMap};
use tumble_core::Span;

/// A note after each dice term that was rolled.
pub(super) fn edits(writer: &LineWriter<'_>, scene: &Scene<'_>) -> Vec<Edit> {
    let mut terms: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, die) in numbered(scene) {
        terms.entry((die.span.start, die.span.end)).or_default().push(number);
    }
    let mut edits = Vec::new();
    for ((start, end), numbers) in terms {
        let place = writer.inside(Span { start, end });
        // A term that reaches beyond what is told is told at its end.
        let place = Span { start: place.start, end: place.end.min(scene.region.end) };
        let note = Note::new(scene.draws, &numbers).written(writer.style.die);
        edits.push(Edit::after(place, DICE, note));
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
}

impl<'a> Note<'a> {
    fn new(draws: &'a [Drawn], numbers: &[usize]) -> Note<'a> {
        let mut note = Note { draws, count: numbers.len(), first: vec![], next: HashMap::new() };
        let mut path = None;
        for &number in numbers {
            let die = &draws[number];
            match die.from.filter(|from| numbers.binary_search(from).is_ok()) {
                Some(from) => note.next.entry(from).or_default().push(number),
                None if path == Some(&die.path) => note.first.last_mut().into_iter().for_each(|row| row.push(number)),
                None => {
                    note.first.push(vec![number]);
                    path = Some(&die.path);
                }
            }
        }
        // What replaced a die stands right beside it.
        note.next.values_mut().for_each(|dice| dice.sort_by_key(|die| !draws[*die].replaces));
        note
    }

    fn written(&self, style: fn(&Drawn, String) -> String) -> String {
        let apart = if self.first.iter().all(|row| row.len() == 1) { ", " } else { "; " };
        let (mut text, mut listed) = (String::from(" ("), 0);
        for (row, numbers) in self.first.iter().enumerate() {
            for (place, &number) in numbers.iter().enumerate() {
                if listed == LONGEST {
                    break;
                }
                let before = match (row, place) {
                    (0, 0) => "",
                    (_, 0) => apart,
                    _ => ", ",
                };
                self.chain(number, before, &mut text, &mut listed, style);
            }
        }
        match self.count - listed {
            0 => text + ")",
            more => format!("{text}, … {more} more)"),
        }
    }

    /// A die and all that came from it.
    fn chain(
        &self,
        first: usize,
        before: &'static str,
        text: &mut String,
        listed: &mut usize,
        style: fn(&Drawn, String) -> String,
    ) {
        let mut todo = vec![(first, before)];
        while let Some((number, before)) = todo.pop().filter(|_| *listed < LONGEST) {
            let (die, next) = (&self.draws[number], self.next.get(&number).map_or(&[][..], Vec::as_slice));
            text.push_str(before);
            text.push_str(&style(die, shown(die, next.iter().any(|next| !self.draws[*next].replaces))));
            *listed += 1;
            todo.extend((0..next.len()).rev().map(|place| (next[place], self.joined(next, place))));
        }
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
