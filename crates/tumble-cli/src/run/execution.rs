//! A roll of a script in progress: what was answered, and the dice that fell. It can be saved and loaded.

use super::Stopped;
use crate::args::Then;
use crate::{input, report};
use std::collections::HashMap;
use std::path::Path;
use tumble::batch::Json;
use tumble::script::answers;
use tumble::script::{Before, Edit, Entry, Outcome, Script, answer, datum_from_json, from_json, to_json};
use tumble::script::{Goal, OpenWorth, Players, Shape, Wish};
use tumble::{Diagnostic, Limits, Value, any_seed};

/// A roll in progress.
pub(super) struct Execution {
    script: Script,
    entry: Entry,
    name: String,
    args: Json,
    seed: u64,
    /// What holds now.
    pub(super) now: State,
}

/// What a run depends on besides its arguments.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) answers: HashMap<String, Json>,
    pub(super) prompts: HashMap<String, String>,
    pub(super) dice: tumble::script::Dice,
    /// What is done with single dice before the next run.
    pub(super) edits: Vec<Edit>,
}

impl Execution {
    pub(super) fn new(script: Script, name: String, args: Json, seed: Option<u64>) -> Result<Execution, Diagnostic> {
        let entry = script.entry(&name, &datum_from_json(&args))?;
        let seed = match seed {
            Some(seed) => seed,
            None => any_seed()?,
        };
        Ok(Execution { script, entry, name, args, seed, now: State::default() })
    }

    /// The script.
    pub(super) fn text(&self) -> &str {
        self.script.text()
    }

    /// Shows what is doubtful in the script, and what the arguments lack.
    pub(super) fn warn(&self) {
        let doubts = self.script.problems().iter().map(|problem| problem.diagnostic.clone());
        report::warnings(self.text(), &doubts.collect::<Vec<_>>());
        report::warnings("", &self.entry.warnings);
    }

    /// Answers given in the call.
    pub(super) fn answer_all(&mut self, given: &[String]) -> Result<(), Diagnostic> {
        for answer in given {
            let wrong =
                || input::refused(format!("`{answer}` is not an answer")).hint("write PATH=ANSWER, such as ru=true");
            let (path, value) = answer.split_once('=').ok_or_else(wrong)?;
            let value = value.parse::<Json>().map_err(|_| wrong())?;
            self.now.answers.insert(path.trim().to_owned(), value);
        }
        Ok(())
    }

    /// Answers that no option of a run asked for.
    pub(super) fn unasked(&self, outcome: &Outcome) -> Vec<String> {
        let met = |path: &str| outcome.options.iter().any(|option| option.asked.path == path);
        let mut unasked: Vec<String> = self.now.answers.keys().filter(|path| !met(path)).cloned().collect();
        unasked.sort();
        unasked.into_iter().map(|path| format!("no option was met at `{path}`, so its answer waits")).collect()
    }

    /// Runs it from the beginning; the dice that fell are known afterwards.
    pub(super) fn run(&mut self) -> Result<Outcome, Diagnostic> {
        let before = Before {
            answers: self.answers()?,
            asked: self.now.prompts.clone(),
            dice: self.now.dice.clone(),
            edits: std::mem::take(&mut self.now.edits),
            feed: vec![],
        };
        let outcome = self.entry.run(before, tumble::dice::Seeded::new(self.seed), &Limits::default())?;
        self.now.dice = outcome.dice.clone();
        for option in outcome.options.iter().filter(|option| self.now.answers.contains_key(&option.asked.path)) {
            self.now.prompts.entry(option.asked.path.clone()).or_insert_with(|| option.asked.prompt.clone());
        }
        Ok(outcome)
    }

    fn answers(&self) -> Result<HashMap<String, Value>, Diagnostic> {
        self.now.answers.iter().map(|(path, answer)| Ok((path.clone(), value_of(path, answer)?))).collect()
    }

    /// What each answer at an option is worth, with the dice as they fell.
    pub(super) fn worth(&self, outcome: &Outcome, path: &str, then: Then) -> Result<OpenWorth, Diagnostic> {
        let best = (then == Then::Best).then(Players::default);
        let wish = Wish { goal: Goal::Mean, best, field: None };
        self.entry.worth_in(outcome, &self.answers()?, path, &wish, &Limits::default())
    }

    /// How what it returns is shown.
    pub(super) fn shape(&self) -> Shape {
        self.entry.shape(None)
    }

    /// The answer as JSON; with what the answers of options are worth, if that is wanted.
    pub(super) fn json(&self, outcome: &Outcome, worth: Option<Then>) -> Json {
        let mut told = answer(&self.script, &self.entry, outcome);
        for (at, option) in outcome.options.iter().enumerate().filter(|_| worth.is_some()) {
            let found = self.worth(outcome, &option.asked.path, worth.unwrap_or(Then::Answered));
            let found = found.map_or_else(|error| tumble::render::json::error(&error), |found| answers::worth(&found));
            if let Some(fields) = told.pointer_mut(&format!("/options/{at}")).and_then(Json::as_object_mut) {
                let name = if found.get("answers").is_some() { "answers" } else { "error" };
                fields.insert("worth".to_owned(), found[name].clone());
            }
        }
        told
    }

    /// Writes it to a file.
    pub(super) fn save(&self, path: &Path) -> Result<(), Diagnostic> {
        let answers: Json = self.now.answers.iter().map(|(path, answer)| (path.clone(), answer.clone())).collect();
        let prompts: Json =
            self.now.prompts.iter().map(|(path, prompt)| (path.clone(), Json::from(prompt.as_str()))).collect();
        let fields = [
            ("program", Json::from(self.text())),
            ("version", Json::from(self.script.version())),
            ("entry", Json::from(self.name.as_str())),
            ("args", self.args.clone()),
            ("answers", answers),
            ("prompts", prompts),
            ("dice", to_json(&self.now.dice)),
            ("seed", Json::from(self.seed)),
        ];
        let all: Json = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        std::fs::write(path, format!("{all:#}\n"))
            .map_err(|error| input::refused(format!("can't write `{}`: {error}", path.display())))
    }

    /// Reads one from a file.
    pub(super) fn load(path: &Path) -> Result<Execution, Stopped> {
        let text = input::file(path)?;
        let wrong = |what: &str| input::refused(format!("`{}` is not a saved roll: {what}", path.display()));
        let json: Json = text.parse().map_err(|_| wrong("it is not JSON"))?;
        let field = |name: &str| json.get(name).and_then(Json::as_str).ok_or_else(|| wrong(&format!("no `{name}`")));
        let script = Script::read(field("program")?, false);
        if field("version")? != script.version() {
            return Err(wrong("its program was changed").into());
        }
        let args = json.get("args").cloned().unwrap_or(Json::Null);
        let seed = json.get("seed").and_then(Json::as_u64);
        let mut execution = Execution::new(script, field("entry")?.to_owned(), args, seed)?;
        execution.now.dice = from_json(json.get("dice").unwrap_or(&Json::Null))?;
        for (path, answer) in json.get("answers").and_then(Json::as_object).into_iter().flatten() {
            execution.now.answers.insert(path.clone(), answer.clone());
        }
        for (path, prompt) in json.get("prompts").and_then(Json::as_object).into_iter().flatten() {
            execution.now.prompts.extend(prompt.as_str().map(|prompt| (path.clone(), prompt.to_owned())));
        }
        Ok(execution)
    }
}

/// An answer as the run takes it.
fn value_of(path: &str, answer: &Json) -> Result<Value, Diagnostic> {
    tumble::script::answered(path, answer)
}
