//! The odds of a script: what the engine is asked, and what it is told of the run.

use super::{Entry, Type};
use std::collections::HashMap;
use tumble_core::{Code, Diagnostic, Limits, Remedy, Span, Value};
use tumble_exact::play::{Best, Goal, KnownDie, Play, Players, Say, ScriptOdds};

/// What is answered and known before the odds are computed.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// What was answered, by path.
    pub answers: HashMap<String, Value>,
    /// What is answered to all questions with the same prompt.
    pub say: Vec<Say>,
    /// Dice that are known.
    pub dice: Vec<KnownDie>,
    /// Which field of the result is asked for, if it is a record.
    pub field: Option<usize>,
}

impl Entry {
    /// The exact distribution of what it returns; with what each option is worth, if that is wanted.
    pub fn odds(&self, given: &Given, worth: bool, limits: &Limits) -> Result<ScriptOdds, Diagnostic> {
        self.returns()?;
        self.play(given, limits).odds(worth).map_err(exactly)
    }

    /// The value of best play, with at most so many decisions.
    pub fn best(
        &self,
        given: &Given,
        goal: &Goal,
        players: &Players,
        decisions: usize,
        limits: &Limits,
    ) -> Result<Best, Diagnostic> {
        self.returns()?;
        self.play(given, limits).best(goal, players, decisions).map_err(exactly)
    }

    fn returns(&self) -> Result<(), Diagnostic> {
        if self.gives != Type::Nothing {
            return Ok(());
        }
        let found = Diagnostic::new(Code::Request, Span::default(), "this roll returns no value, so it has no odds");
        Err(found.hint("end it with `return`, followed by what you want the odds of"))
    }

    /// The program with what is known of it, for the engine.
    pub(super) fn play<'a>(&'a self, given: &'a Given, limits: &Limits) -> Play<'a> {
        let Given { answers, say, dice, field } = given;
        Play { program: &self.program, reader: &self.texts, answers, say, dice, field: *field, limits: limits.clone() }
    }
}

/// There is no approximate answer for a script.
fn exactly(mut error: Diagnostic) -> Diagnostic {
    error.remedies = error.remedies.iter().filter(|remedy| **remedy != Remedy::Approximate).cloned().collect();
    error
}
