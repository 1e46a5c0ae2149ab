//! `"do":"roll"`: one roll or a series, with dice from a seed or from the request, each with its line and its luck.

use super::{LONGEST_ANSWER, Settings, fits, whole};
use crate::ask::Answer;
use crate::prepared::{Prepared, any_seed, nth_seed};
use crate::render::line::{Marks, line};
use crate::render::{json, luck};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Diagnostic, Span};
use tumble_roll::{Rolled, Supplied};

/// A roll, and what to show of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// Where the dice come from.
    pub dice: Dice,
    /// A series of rolls instead of one.
    pub times: Option<u64>,
    /// How its line is marked.
    pub marks: Marks,
    /// Whether to show how lucky it was.
    pub luck: bool,
}

/// Where dice come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// From this seed, or a random one.
    Seed(Option<u64>),
    /// Values in the order of the dice, as many as the rolls take.
    Feed(Vec<i64>),
}

/// The answer to a request for a roll made elsewhere, with any dice.
pub fn rolled(prepared: &Prepared, rolled: &Rolled, seed: Option<u64>) -> Result<Map<String, Json>, Diagnostic> {
    let mut answer = Map::from_iter([("ok".to_owned(), json!(true))]);
    answer.extend(
        Teller { prepared, marks: Marks::Text, odds: None, written: 0, longest: LONGEST_ANSWER }.told(rolled, seed)?,
    );
    Ok(answer)
}

/// The fields of the answer.
pub(super) fn answer(prepared: &Prepared, roll: &Roll, settings: &Settings) -> Result<Map<String, Json>, Diagnostic> {
    let odds = if roll.luck { Some(prepared.odds_for_luck(&settings.limits)?) } else { None };
    let mut teller = Teller { prepared, marks: roll.marks, odds, written: 0, longest: settings.longest };
    let limits = settings.each(roll.times.unwrap_or(1)).limits;
    let mut rolls: Vec<Map<String, Json>> = match &roll.dice {
        Dice::Seed(seed) => {
            let seed = seed.map_or_else(any_seed, Ok)?;
            let one = |n| {
                let seed = nth_seed(seed, n);
                teller.told(&prepared.roll(seed, &limits)?, Some(seed))
            };
            (0..roll.times.unwrap_or(1)).map(one).collect::<Result<_, Diagnostic>>()?
        }
        Dice::Feed(values) => {
            let mut feed = Supplied::new(values);
            let one = |_| teller.told(&prepared.roll_from(&mut feed, &limits)?, None);
            let rolls = (0..roll.times.unwrap_or(1)).map(one).collect::<Result<_, Diagnostic>>()?;
            feed.all_used().map_err(|fault| fault.at(Span::default()))?;
            rolls
        }
    };
    Ok(match roll.times {
        None => rolls.pop().unwrap_or_default(),
        Some(_) => Map::from_iter([("rolls".to_owned(), rolls.into_iter().map(Json::Object).collect())]),
    })
}

/// What the rolls of one answer share.
struct Teller<'p> {
    prepared: &'p Prepared,
    marks: Marks,
    odds: Option<Answer>,
    /// How much of the answer is used up.
    written: usize,
    longest: usize,
}

impl Teller<'_> {
    /// The fields of one roll.
    fn told(&mut self, rolled: &Rolled, seed: Option<u64>) -> Result<Map<String, Json>, Diagnostic> {
        let line = line(self.prepared, rolled, self.marks);
        self.written += json::roll_written(rolled) + line.len();
        fits(self.written, self.longest, whole(self.prepared), "roll fewer dice")?;
        let mut fields = Map::new();
        for (name, value) in json::roll(self.prepared, rolled) {
            let after = (name == "text").then(|| json!(line));
            fields.insert(name, value);
            after.into_iter().for_each(|line| drop(fields.insert("line".into(), line)));
        }
        if let Some(seed) = seed {
            fields.insert("seed".into(), json!(seed));
        }
        if let Some(odds) = &self.odds {
            fields.insert("luck".into(), luck::all_json(&self.prepared.lucks(rolled, odds)));
        }
        fields.insert("warnings".into(), json::warnings(self.prepared, &[]));
        Ok(fields)
    }
}
