//! The odds of a script: what the engine is asked, and what it is told of the run.

use super::{Entry, Type};
use std::collections::HashMap;
use tumble_core::{Code, Diagnostic, Limits, Remedy, Span, Value};
use tumble_exact::play::{Best, Goal, KnownDie, Play, Players, Say, ScriptOdds, Situations};

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
    ///
    /// ```
    /// use tumble::script::{Datum, Given, Script};
    ///
    /// let script = Script::read(
    ///     r#"defroll "Check" check() {
    ///          x = roll("d6");
    ///          if (userOption("Again?")) { x = roll("d6"); }
    ///          return x >= 5 ? 1 : 0;
    ///        }"#,
    ///     false,
    /// );
    /// let entry = script.entry("Check", &Datum::Nothing)?;
    /// let found = entry.odds(&Given::default(), true, &tumble::Limits::default())?;
    /// assert_eq!(found.odds.to_string(), "0: 2/3, 1: 1/3");
    /// assert_eq!(found.options[0].group.form, "Again?");
    /// # Ok::<(), tumble::Diagnostic>(())
    /// ```
    pub fn odds(&self, given: &Given, worth: bool, limits: &Limits) -> Result<ScriptOdds, Diagnostic> {
        self.returns()?;
        self.play(given, limits).odds(worth).map_err(exactly)
    }

    /// The value of best play, with at most so many decisions.
    ///
    /// ```
    /// use tumble::script::{Datum, Given, Goal, Players, Script, advice};
    ///
    /// let script = Script::read(
    ///     r#"defroll "Once" once() { x = roll("d6"); if (userOption("Again?")) { x = roll("d6"); } return x; }"#,
    ///     false,
    /// );
    /// let entry = script.entry("Once", &Datum::Nothing)?;
    /// let best = entry.best(&Given::default(), &Goal::Mean, &Players::default(), 100, &tumble::Limits::default())?;
    /// assert_eq!(best.value.to_string(), "17/4");
    /// assert_eq!(advice(&best, &entry.shape(None))[0].rules, ["yes if x is at most 3"]);
    /// # Ok::<(), tumble::Diagnostic>(())
    /// ```
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

    /// All situations, to be valued again and again with results that are worth something else each time.
    pub fn situations(&self, given: &Given, players: &Players, limits: &Limits) -> Result<Situations, Diagnostic> {
        self.returns()?;
        self.play(given, limits).situations(players)
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
        Play { say, dice, field: *field, limits: limits.clone(), ..Play::new(&self.program, &self.texts, answers) }
    }
}

/// There is no approximate answer for a script.
fn exactly(mut error: Diagnostic) -> Diagnostic {
    error.remedies = error.remedies.iter().filter(|remedy| **remedy != Remedy::Approximate).cloned().collect();
    error
}
