//! Scripts: read once, run as often as players change their minds.
//!
//! ```text
//! text ─▶ Script ─▶ Entry (roll and arguments) ─▶ run (answers, dice, edits) ─▶ Outcome
//! ```
//!
//! A run starts from the beginning each time. Dice are known by where they fell, so those that were rolled before stay;
//! answers are known the same way. Nothing is ever forgotten: the dice of one run are handed to the next.

pub mod answers;
mod dice;
mod odds;
mod query;
mod reader;
mod request;
mod schema;
mod seen;
mod shape;
mod show;
mod strategy;
mod worth;

pub(crate) use dice::apply;
pub use dice::{Edit, What, edit, from_json, to_json};
pub use odds::Given;
pub use query::{Aim, Said, ScriptQuery};
pub use request::{RunRequest, answer, answered, perform, problems, unsound};
pub(crate) use request::{before, opened};
pub use schema::schema;
pub use shape::Shape;
pub use show::{Item, MetOption, Roll, Status};
pub use strategy::{Advice, advice};
pub use tumble_exact::play::Sides;
pub use tumble_exact::play::{
    Best, Decision, Effort, Goal, Group, KnownDie, OptionOdds, Players, Say, ScriptOdds, Situations,
};
pub use worth::{OpenWorth, Wish, dice_of, reached};

use crate::digest::hexadecimal;
use reader::Texts;
use request::plain;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use show::Told;
use std::collections::HashMap;
use std::sync::Arc;
use tumble_core::{Code, Diagnostic, Limits, Program, Span, Value};
use tumble_roll::{Answered, Ledger, Play, Source, run};
pub use tumble_roll::{Dice, Shown};
use tumble_syntax::nearest;
pub use tumble_syntax::script::{Class, Completion, Datum, FieldType, Level, Problem, Tables, Type};
pub use tumble_syntax::script::{completions, format, tokens};

/// A script that was read.
#[derive(Debug)]
pub struct Script {
    text: String,
    read: Arc<tumble_syntax::script::Script>,
}

/// A roll of a script with its arguments, ready to run.
#[derive(Debug)]
pub struct Entry {
    program: Program,
    texts: Texts,
    script: Arc<tumble_syntax::script::Script>,
    gives: Type,
    title: String,
    /// What the arguments lack, or have too much.
    pub warnings: Vec<Diagnostic>,
}

/// What a run starts from besides its arguments.
#[derive(Clone, Debug, Default)]
pub struct Before {
    /// What was answered, by path.
    pub answers: Answered,
    /// The prompts that answers were given under, by path.
    pub asked: HashMap<String, String>,
    /// The dice that are known.
    pub dice: Dice,
    /// What is done with single dice before the run.
    pub edits: Vec<Edit>,
    /// Values for new dice, in order.
    pub feed: Vec<i64>,
}

/// What came of a run. One that failed has everything up to there.
#[derive(Debug)]
pub struct Outcome {
    /// What the roll returned, as plain data, or what went wrong.
    pub result: Result<Datum, Diagnostic>,
    /// What it showed, as a tree.
    pub tree: Vec<Item>,
    /// Its rolls, in order.
    pub rolls: Vec<Roll>,
    /// The options that were met, in order.
    pub options: Vec<MetOption>,
    /// The changes it asks for.
    pub changes: Vec<tumble_roll::Shown>,
    /// Every die that is known now.
    pub dice: Dice,
    /// The paths none of whose dice fell.
    pub remembered: Vec<String>,
    /// How many values of the feed were used.
    pub fed: usize,
}

impl Script {
    /// Reads a script; `strict` makes errors of slips that would be understood.
    pub fn read(text: &str, strict: bool) -> Script {
        Script { text: text.to_owned(), read: Arc::new(tumble_syntax::script::read(text, strict)) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Everything that is wrong with it, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.read.problems
    }

    /// Whether it can run.
    pub fn is_sound(&self) -> bool {
        self.read.is_sound()
    }

    /// Its types, constants, functions and rolls.
    pub fn tables(&self) -> &Tables {
        self.read.tables()
    }

    /// What tells this version of the script from others: the SHA-256 of its text, lines ended by `\n`.
    pub fn version(&self) -> String {
        let text = self.text.replace("\r\n", "\n");
        hexadecimal(&Sha256::digest(text.as_bytes()))
    }

    /// The rolls that can be made, by title and name.
    pub fn rolls(&self) -> impl Iterator<Item = (&str, &str)> {
        let functions = self.read.tables().functions.iter();
        functions.filter_map(|function| Some((function.title.as_deref()?, function.name.as_str())))
    }

    /// A roll, by name or title, with its arguments.
    pub fn entry(&self, name: &str, args: &Datum) -> Result<Entry, Diagnostic> {
        if !self.is_sound() {
            let first = self.problems().iter().find(|problem| problem.level == Level::Error);
            return Err(first.map_or_else(unreadable, |problem| problem.diagnostic.clone()));
        }
        let entry = self.read.entry(name).ok_or_else(|| self.unknown(name))?;
        let (args, warnings) = self.read.arguments(entry, args)?;
        let program =
            self.read.lower(entry, args).map_err(|found| found.into_iter().next().unwrap_or_else(unreadable))?;
        let function = &self.read.tables().functions[entry];
        let gives = function.gives.clone().unwrap_or(Type::Nothing);
        let title = function.title.clone().unwrap_or_else(|| function.name.clone());
        Ok(Entry { program, texts: Texts::default(), script: Arc::clone(&self.read), gives, title, warnings })
    }

    fn unknown(&self, name: &str) -> Diagnostic {
        let titles: Vec<String> = self.rolls().map(|(title, _)| format!("\"{title}\"")).collect();
        let found = Diagnostic::new(Code::Request, Span::default(), format!("there is no roll \"{name}\""));
        let meant = nearest(name, self.rolls().flat_map(|(title, name)| [title, name]));
        match meant {
            Some(meant) => found.hint(format!("did you mean \"{meant}\"?")),
            None if titles.is_empty() => found.hint("the script has no `defroll`"),
            None => found.hint(format!("its rolls are {}", titles.join(", "))),
        }
    }
}

impl Entry {
    /// Its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Runs it once; new dice come from the feed, then from `source`.
    pub fn run<S: Source>(&self, before: Before, source: S, limits: &Limits) -> Result<Outcome, Diagnostic> {
        let Before { answers, asked, dice, edits, feed } = before;
        let mut ledger = Ledger::new(dice, feed, source).within(limits.bytes);
        for edit in &edits {
            dice::apply(&mut ledger, edit)?;
        }
        let play = Play { reader: &self.texts, answers: &answers };
        let limits =
            Limits { depth: limits.depth.min(MOST_CALLS), members: limits.members.min(MOST_MEMBERS), ..limits.clone() };
        let run = run(&self.program, &mut ledger, play, &limits);
        if let Err(error) = &run.value
            && error.code == Code::Request
        {
            return Err(error.clone());
        }
        let Told { tree, rolls, options, changes } = show::told(run.log, &ledger, &asked, &self.texts);
        let result = run.value.map(|value: Value| self.script.tables().datum(&self.gives, &value));
        let (remembered, fed) = (ledger.remembered(), ledger.fed());
        Ok(Outcome { result, tree, rolls, options, changes, dice: ledger.dice, remembered, fed })
    }
}

/// How deep calls may be nested in a run, and how many members a list may have.
const MOST_CALLS: usize = 1000;
const MOST_MEMBERS: u64 = 100_000;

fn unreadable() -> Diagnostic {
    Diagnostic::new(Code::Syntax, Span::default(), "this script can't be read")
}

/// Plain data as JSON.
pub fn datum_to_json(datum: &Datum) -> Json {
    match datum {
        Datum::Nothing => Json::Null,
        Datum::Truth(truth) => Json::Bool(*truth),
        Datum::Number(n) => Json::from(*n),
        Datum::Fraction(text) | Datum::Text(text) => Json::from(text.as_str()),
        Datum::List(items) => Json::Array(items.iter().map(datum_to_json).collect()),
        Datum::Record(fields) => {
            Json::Object(fields.iter().map(|(name, value)| (name.clone(), datum_to_json(value))).collect())
        }
    }
}

/// A whole number, also one that is written with a point: 1.0.
fn whole(number: &serde_json::Number) -> Option<i64> {
    let exact = |float: f64| float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
    number
        .as_i64()
        .or_else(|| number.as_f64().filter(|float| exact(*float) && !number.is_u64()).map(|float| float as i64))
}

/// JSON as plain data.
pub fn datum_from_json(json: &Json) -> Datum {
    match json {
        Json::Null => Datum::Nothing,
        Json::Bool(truth) => Datum::Truth(*truth),
        Json::Number(number) => whole(number).map_or_else(|| Datum::Fraction(number.to_string()), Datum::Number),
        Json::String(text) => Datum::Text(text.clone()),
        Json::Array(items) => Datum::List(items.iter().map(datum_from_json).collect()),
        Json::Object(fields) => {
            Datum::Record(fields.iter().map(|(name, value)| (name.clone(), datum_from_json(value))).collect())
        }
    }
}
