//! The evaluation of an execution: the same function for the first time and for every time after.

use super::model::{Execution, Subject};
use crate::problem::Problem;
use crate::table::view::{ChangeView, EditedView, Kind};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use tumble::batch;
use tumble::dice::Sealed;
use tumble::script::{self, Before, Dice, Edit, Script, datum_from_json};
use tumble::{Code, Limits, Prepared};

/// What is evaluated, all of it copied, because it goes to another thread.
pub(crate) struct Play {
    pub(crate) subject: Subject,
    /// The text of its script.
    pub(crate) script: String,
    pub(crate) seed: String,
    pub(crate) nonce: String,
    pub(crate) dice: Json,
    pub(crate) answers: BTreeMap<String, Json>,
    pub(crate) asked: HashMap<String, String>,
    pub(crate) edits: Vec<Edit>,
    /// Values that were typed in.
    pub(crate) feed: Vec<i64>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Played {
    /// What `batch` would answer.
    pub(crate) outcome: Json,
    pub(crate) dice: Json,
    /// The title of a roll of the script.
    pub(crate) title: Option<String>,
    pub(crate) changes: Vec<ChangeView>,
    /// Dice that were rolled again or set.
    pub(crate) edited: Vec<EditedView>,
    /// How many values were typed in this time.
    pub(crate) fed: u64,
}

impl Play {
    /// An execution as it stands.
    pub(crate) fn of(execution: &Execution, script: String) -> Play {
        Play {
            subject: execution.subject.clone(),
            script,
            seed: execution.seed.clone(),
            nonce: execution.nonce.clone(),
            dice: execution.dice.clone(),
            answers: execution.answers.iter().map(|(path, answer)| (path.clone(), answer.value.clone())).collect(),
            asked: execution.answers.iter().map(|(path, answer)| (path.clone(), answer.prompt.clone())).collect(),
            edits: vec![],
            feed: vec![],
        }
    }

    /// Evaluates it.
    pub(crate) fn play(self, limits: &Limits) -> Result<Played, Problem> {
        let source = Sealed::new(&seed(&self.seed)?, &self.nonce);
        let dice = if self.dice.is_null() { Dice::default() } else { script::from_json(&self.dice).map_err(known)? };
        match self.subject.kind {
            Kind::Roll => self.roll(dice, source, limits),
            Kind::Script => self.run(dice, source, limits),
        }
    }

    fn roll(self, dice: Dice, source: Sealed, limits: &Limits) -> Result<Played, Problem> {
        let prepared = prepared(&self.subject)?;
        let (given, first) = (self.feed.len(), self.dice.is_null());
        let replayed = match given > 0 && first {
            // Who types dice in types all of them.
            true => prepared.replay(dice, &self.edits, self.feed, NoMore, limits),
            false => prepared.replay(dice, &self.edits, self.feed, source, limits),
        };
        let replayed = replayed.map_err(|error| Problem::from(&error))?;
        all_used(given, replayed.fed)?;
        let mut outcome = batch::rolled(&prepared, &replayed.rolled, None).map_err(|error| Problem::from(&error))?;
        outcome.shift_remove("ok");
        let (edited, fed) = (edited(&replayed.dice), replayed.fed as u64);
        let dice = script::to_json(&replayed.dice);
        Ok(Played { outcome: Json::Object(outcome), dice, title: None, changes: vec![], edited, fed })
    }

    fn run(self, dice: Dice, source: Sealed, limits: &Limits) -> Result<Played, Problem> {
        let script = Script::read(&self.script, false);
        let entry = script.entry(&self.subject.entry, &datum_from_json(&self.subject.args));
        let entry = entry.map_err(|error| Problem::from(&error))?;
        let mut answers = HashMap::new();
        for (path, answer) in &self.answers {
            answers.insert(path.clone(), script::answered(path, answer).map_err(|error| Problem::from(&error))?);
        }
        let given = self.feed.len();
        let before = Before { answers, asked: self.asked, dice, edits: self.edits, feed: self.feed };
        let outcome = entry.run(before, source, limits).map_err(|error| Problem::from(&error))?;
        if outcome.result.as_ref().is_err_and(|error| error.code == Code::Stopped) {
            return Err(Problem::from(crate::work::Refused::Late));
        }
        all_used(given, outcome.fed)?;
        let (edited, fed) = (edited(&outcome.dice), outcome.fed as u64);
        let mut shown = match script::answer(&script, &entry, &outcome) {
            Json::Object(fields) => fields,
            _ => Map::new(),
        };
        // The dice are kept apart, and warnings may quote arguments that not everybody may see.
        let dice = shown.shift_remove("dice").unwrap_or(Json::Null);
        for name in ["ok", "fed", "version", "warnings"] {
            shown.shift_remove(name);
        }
        let changes = shown.get("changes").and_then(Json::as_array).map(|all| all.iter().map(proposed).collect());
        let title = Some(entry.title().to_owned());
        Ok(Played { outcome: Json::Object(shown), dice, title, changes: changes.unwrap_or_default(), edited, fed })
    }
}

/// The expression of a subject.
pub(crate) fn prepared(subject: &Subject) -> Result<Prepared, Problem> {
    let asked = json!({ "do": "roll", "text": subject.text, "notation": subject.notation, "vars": subject.vars });
    let request = batch::Request::read(asked.to_string().as_bytes()).map_err(|error| Problem::from(&error))?;
    request.prepare().map_err(|errors| Problem::from(&errors.first()))
}

fn all_used(given: usize, used: usize) -> Result<(), Problem> {
    if used == given {
        return Ok(());
    }
    Err(Problem::request(format!("{given} dice are given, but only {used} are rolled")))
}

/// A source without dice, with words for who typed too few.
struct NoMore;

impl tumble::dice::Source for NoMore {
    fn draw(&mut self, die: &tumble::dice::Die<'_>) -> Result<u64, tumble::Fault> {
        Err(tumble::Fault::new(Code::Request, format!("more dice are needed; the next one shows {die}")))
    }
}

fn seed(hexadecimal: &str) -> Result<[u8; 32], Problem> {
    let bytes =
        (0..64).step_by(2).map(|at| hexadecimal.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok()));
    let bytes: Option<Vec<u8>> = bytes.collect();
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| Problem::from(crate::work::Refused::Broken))
}

fn known(error: tumble::Diagnostic) -> Problem {
    Problem::from(&error)
}

/// How many dice show what somebody set.
pub(crate) fn by_hand(edited: &[EditedView]) -> u64 {
    edited.iter().filter(|die| die.by_hand).count() as u64
}

/// Dice that were rolled again or set.
fn edited(dice: &Dice) -> Vec<EditedView> {
    let kinds = dice.known.iter().flat_map(|(path, kinds)| kinds.iter().map(move |(sides, all)| (path, sides, all)));
    let all = kinds.flat_map(|(path, sides, all)| (0..).zip(all).map(move |(index, kept)| (path, sides, index, kept)));
    all.filter_map(|(path, sides, index, kept)| {
        let kept = kept.as_ref().filter(|kept| kept.now > 0)?;
        let by_hand = kept.versions.get(kept.now).is_some_and(|version| version.by_hand);
        Some(EditedView { path: path.clone(), die: sides.kind(), index, by_hand })
    })
    .collect()
}

fn proposed(change: &Json) -> ChangeView {
    let text = |name: &str| change.get(name).and_then(Json::as_str).map(str::to_owned);
    ChangeView {
        object: text("owner_id").unwrap_or_default(),
        owner: text("owner"),
        field: text("field").unwrap_or_default(),
        amount: change.get("amount").and_then(Json::as_i64).unwrap_or(0),
        applied: false,
        stale: false,
    }
}

/// What is proposed now, together with what was applied before: an applied change stays, and is stale if it is no longer
/// proposed.
pub(crate) fn merged(proposed: Vec<ChangeView>, applied: &[ChangeView]) -> Vec<ChangeView> {
    let mut left: Vec<ChangeView> = applied.to_vec();
    let mut all: Vec<ChangeView> = proposed
        .into_iter()
        .map(|change| {
            let same = |old: &ChangeView| {
                old.object == change.object && old.field == change.field && old.amount == change.amount
            };
            match left.iter().position(same) {
                Some(at) => {
                    left.remove(at);
                    ChangeView { applied: true, ..change }
                }
                None => change,
            }
        })
        .collect();
    all.extend(left.into_iter().map(|old| ChangeView { applied: true, stale: true, ..old }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_applied_change_stays_applied() {
        let change = |field: &str, amount, applied, stale| ChangeView {
            object: "o".to_owned(),
            owner: None,
            field: field.to_owned(),
            amount,
            applied,
            stale,
        };
        let applied = [change("hp", -3, true, false), change("ammo", -1, true, false)];
        let found = merged(vec![change("hp", -3, false, false), change("hp", -3, false, false)], &applied);
        assert_eq!(
            found,
            [change("hp", -3, true, false), change("hp", -3, false, false), change("ammo", -1, true, true)]
        );
    }
}
