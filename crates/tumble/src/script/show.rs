//! What a run shows: its rolls with their dice, the options that were met, and its lines as a tree.

use super::reader::Texts;
use std::collections::HashMap;
use tumble_core::{Answers, Question, Span, Throw, Value};
use tumble_roll::{Asked, Happened, Ledger, Owner, Shown, Sides, Source, Thrown};

/// A roll of a script.
#[derive(Clone, Debug)]
pub struct Roll {
    /// Where it was made.
    pub path: String,
    /// The text of its dice.
    pub dice: String,
    /// What every die shows, in the order in which they fell, also dropped ones.
    pub values: Vec<Value>,
    /// The dice themselves.
    pub identities: Vec<(String, Sides, u64)>,
    /// What it came to.
    pub total: Option<Value>,
    /// The line of its record.
    pub shown: String,
    /// Whether its dice are new.
    pub status: Status,
    /// Where it is written.
    pub place: Span,
}

/// Whether the dice of a roll are new in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// All of them.
    New,
    /// None of them.
    Kept,
    /// These of them.
    Partly(Vec<usize>),
}

/// An option that was met.
#[derive(Clone, Debug)]
pub struct MetOption {
    /// What was asked.
    pub asked: Asked,
    /// The group of output it was met in, by number from 1; none outside.
    pub group: Option<usize>,
    /// How many lines were shown before it.
    pub line: usize,
    /// The prompt that it was answered under, if that differs.
    pub answered_under: Option<String>,
}

/// A line of output, or a group of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A line.
    Line {
        /// What it says.
        text: String,
        /// How it looks.
        style: Option<String>,
    },
    /// A group.
    Group {
        /// Its number, from 1 in the order in which groups begin.
        number: usize,
        /// Its title.
        title: Option<String>,
        /// What is in it.
        items: Vec<Item>,
    },
}

/// All that a run did.
pub(super) struct Told {
    pub(super) tree: Vec<Item>,
    pub(super) rolls: Vec<Roll>,
    pub(super) options: Vec<MetOption>,
    pub(super) changes: Vec<Shown>,
}

/// Puts together what happened in a run.
pub(super) fn told<S: Source>(
    log: Vec<Happened>,
    ledger: &Ledger<S>,
    answered: &HashMap<String, String>,
    texts: &Texts,
) -> Told {
    let mut told = Told { tree: vec![], rolls: vec![], options: vec![], changes: vec![] };
    let (mut open, mut groups, mut lines) = (Vec::<(usize, Option<String>, Vec<Item>)>::new(), 0, 0);
    for happened in log {
        match happened {
            Happened::Thrown(thrown) => told.rolls.push(roll(thrown, ledger, texts)),
            Happened::Asked(asked) => {
                let under = answered.get(&asked.path).filter(|prompt| **prompt != asked.prompt).cloned();
                let group = open.last().map(|(number, ..)| *number);
                told.options.push(MetOption { asked, group, line: lines, answered_under: under });
            }
            Happened::Shown(Shown::Line { text, style }) => {
                lines += 1;
                put(&mut told.tree, &mut open, Item::Line { text, style });
            }
            Happened::Shown(Shown::Open { title }) => {
                groups += 1;
                open.push((groups, title, vec![]));
            }
            Happened::Shown(Shown::Close) => close(&mut told.tree, &mut open),
            Happened::Shown(change @ Shown::Change { .. }) => told.changes.push(change),
        }
    }
    while !open.is_empty() {
        close(&mut told.tree, &mut open);
    }
    told
}

fn put(tree: &mut Vec<Item>, open: &mut [(usize, Option<String>, Vec<Item>)], item: Item) {
    match open.last_mut() {
        Some((_, _, items)) => items.push(item),
        None => tree.push(item),
    }
}

fn close(tree: &mut Vec<Item>, open: &mut Vec<(usize, Option<String>, Vec<Item>)>) {
    if let Some((number, title, items)) = open.pop() {
        put(tree, open, Item::Group { number, title, items });
    }
}

fn roll<S: Source>(thrown: Thrown, ledger: &Ledger<S>, texts: &Texts) -> Roll {
    let Thrown { path, throw, text, dice, value, rolled, span } = thrown;
    let new: Vec<usize> = dice
        .iter()
        .enumerate()
        .filter(|(_, (path, sides, index, _))| ledger.is_new(path, *sides, *index))
        .map(|(at, _)| at)
        .collect();
    let status = match new.len() {
        0 => Status::Kept,
        count if count == dice.len() => Status::New,
        _ => Status::Partly(new),
    };
    let (mut values, mut identities) = (Vec::new(), Vec::new());
    for (path, sides, index, shown) in dice {
        values.push(shown);
        identities.push((path, sides, index));
    }
    let shown = match &rolled {
        Some(rolled) => texts.line(&text, throw, rolled),
        None => plain_line(&text, &values, value.as_ref().filter(|_| throw == Throw::Plain)),
    };
    let total = value.as_ref().map(total);
    Roll { path, dice: text, values, identities, total, shown, status, place: span }
}

/// The number that dice came to: a list of them is added up.
fn total(value: &Value) -> Value {
    let Some(members) = value.as_pool() else { return value.clone() };
    Value::int(members.iter().filter_map(Value::as_int).fold(0, i64::saturating_add))
}

/// `2d6 (3, 4) = 7`
fn plain_line(text: &str, values: &[Value], total: Option<&Value>) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.is_empty() {
        return format!("{text}: no dice");
    }
    let total = total.map_or(String::new(), |total| format!(" = {total}"));
    format!("{text} ({}){total}", values.join(", "))
}

impl MetOption {
    /// What kind of answer is asked for; none for yes or no.
    pub fn kind(&self) -> Option<&'static str> {
        (self.asked.question != Question::Option).then(|| self.asked.question.name())
    }

    /// What can be chosen from.
    pub fn choices(&self) -> Option<&[String]> {
        match &self.asked.answers {
            Answers::Choice(texts) | Answers::Select(texts) => Some(texts),
            Answers::Option | Answers::Number { .. } => None,
        }
    }

    /// Who decides.
    pub fn owner(&self) -> &Owner {
        &self.asked.owner
    }
}
