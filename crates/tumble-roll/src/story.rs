//! The story of a roll in one line: the text, the dice after each dice term, the result.
//!
//! ```text
//! 4d6kh3 (6, 5, ~~1~~, 4) + 2 = 17
//!
//! 4         a die that counts           6!        it exploded: the next die follows from it
//! ~~1~~     it was dropped              1r        it was rolled again: the next die replaces it
//! ```
//!
//! A dice term that was rolled several times lists all its dice; rolls are separated by `; `, except
//! that a die which follows from the one before it is listed with it. Lists over 100 are shortened
//! here, never in the data.

use crate::trace::{DieState, Drawn, Rolled};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tumble_core::{Data, Mark, Span, Value};

/// The longest list that is written out.
const LONGEST: usize = 100;

/// The roll of `text` in one line.
pub fn story(text: &str, rolled: &Rolled) -> String {
    story_with(text, rolled, |_, die| die)
}

/// The same, with every die dressed for where it is shown; a die comes as it stands in plain text.
pub fn story_with(text: &str, rolled: &Rolled, dress: fn(DieState, String) -> String) -> String {
    let mut notes: BTreeMap<(usize, Reverse<usize>), Note<'_>> = BTreeMap::new();
    // A choice among dice brings no new die: what it shows bears the mark of the one that was chosen.
    let fell = rolled.draws.iter().enumerate().filter(|(_, die)| die.shown.mark == Mark::NONE);
    for (number, die) in fell {
        let Span { start, end } = die.span;
        // A place that is not in the text goes to its end. Of two terms that end together, the inner
        // one comes first.
        let end = if text.is_char_boundary(end) { end } else { text.len() };
        notes.entry((end, Reverse(start))).or_default().add(number, die, dress);
    }
    let (mut line, mut at) = (String::with_capacity(text.len() + 64), 0);
    for ((end, _), note) in notes {
        line.push_str(&text[at..end]);
        line.push_str(&note.finish());
        at = end;
    }
    line.push_str(&text[at..]);
    let line: Vec<&str> = line.split(['\n', '\r']).map(str::trim).filter(|piece| !piece.is_empty()).collect();
    format!("{} = {}", line.join(" "), short(&rolled.value))
}

/// The dice of one dice term.
#[derive(Default)]
struct Note<'a> {
    text: String,
    listed: usize,
    more: usize,
    last: Option<(usize, &'a str)>,
}

impl<'a> Note<'a> {
    fn add(&mut self, number: usize, die: &'a Drawn, dress: fn(DieState, String) -> String) {
        if self.listed == LONGEST {
            self.more += 1;
            return;
        }
        let mark = match self.last {
            None => " (",
            Some((last, path)) if path == die.path || die.from == Some(last) => ", ",
            Some(_) => "; ",
        };
        self.text.push_str(mark);
        self.text.push_str(&dress(die.state, shown(die)));
        self.listed += 1;
        self.last = Some((number, &die.path));
    }

    fn finish(mut self) -> String {
        if self.more > 0 {
            self.text.push_str(&format!(", … {} more", self.more));
        }
        self.text + ")"
    }
}

fn shown(die: &Drawn) -> String {
    match die.state {
        DieState::Kept => die.shown.to_string(),
        DieState::Dropped => format!("~~{}~~", die.shown),
        DieState::Rerolled => format!("{}r", die.shown),
        DieState::Exploded => format!("{}!", die.shown),
    }
}

/// The canonical spelling of a value, long collections shortened.
fn short(value: &Value) -> String {
    let (open, items, close) = match &value.data {
        Data::Pool(items) if items.len() > LONGEST => ('[', items, ']'),
        Data::List(items) if items.len() > LONGEST => ('<', items, '>'),
        _ => return value.to_string(),
    };
    let first: Vec<String> = items[..LONGEST].iter().map(Value::to_string).collect();
    format!("{open}{}, … {} more{close}", first.join(", "), items.len() - LONGEST)
}
