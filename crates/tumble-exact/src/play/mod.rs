//! Programs that play: they ask players, leave early, show things, and throw dice by their text.
//!
//! ```text
//! terms ─▶ register code ─▶ states and steps ─▶ forward: odds      backward: best play
//! ```
//!
//! The meaning is the one of rolling: a state is a place in the program with the registers that are still needed and the
//! calls that are open, a step is a choice of dice or of a player. States that are equal are one (`graph`). What only
//! feeds output is sliced away first (`facts`). A call without decisions is found once for its arguments (`odds`). Dice
//! texts are questions to the engine for rolls (`ways`).

mod answers;
mod best;
mod bounds;
mod choose;
mod code;
mod compile;
mod facts;
mod goal;
mod graph;
mod known;
mod machine;
mod modes;
mod odds;
mod paths;
mod prepare;
mod reach;
mod request;
mod step;
mod unseen;
mod valued;
mod ways;

pub use answers::{Group, Say};
pub use goal::{Best, Decision, Goal, Sides as Players};
pub use odds::{Effort, OptionOdds, ScriptOdds};
pub use paths::{KnownDie, Sides};
pub use valued::Situations;

use paths::Paths;
use std::collections::HashMap;
use tumble_core::{Diagnostic, Limits, Program, Reader, Value};

/// What [`Play::seen_at_once`] is, unless it is said.
pub const SEEN_AT_ONCE: usize = 256;

/// A program that plays, and what is known before it does.
#[derive(Clone)]
pub struct Play<'a> {
    /// The program.
    pub program: &'a Program,
    /// Who reads dice texts.
    pub reader: &'a dyn Reader,
    /// What was answered, by path.
    pub answers: &'a HashMap<String, Value>,
    /// What is answered to all questions with the same prompt.
    pub say: &'a [Say],
    /// Dice that are known.
    pub dice: &'a [KnownDie],
    /// Which field of the result is asked for, if it is a record.
    pub field: Option<usize>,
    /// Dice that can fall in more ways than this stay unseen until something has to be known of them.
    pub seen_at_once: usize,
    /// What is left out.
    pub without: Without,
    /// What it may cost.
    pub limits: Limits,
}

/// What makes answers quick and can be left out: that changes only speed. For tests, and to check an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Without {
    /// What only feeds output stays, and so do branches that cannot be taken.
    pub slicing: bool,
    /// Equal states are not one.
    pub merging: bool,
    /// A call is found anew each time.
    pub sharing: bool,
}

impl<'a> Play<'a> {
    /// A program with answers by path, of which nothing else is known.
    pub fn new(program: &'a Program, reader: &'a dyn Reader, answers: &'a HashMap<String, Value>) -> Play<'a> {
        let (without, limits) = (Without::default(), Limits::default());
        Play { program, reader, answers, say: &[], dice: &[], field: None, seen_at_once: SEEN_AT_ONCE, without, limits }
    }

    /// The exact distribution of the result; with what each option is worth, if that is wanted.
    pub fn odds(&self, worth: bool) -> Result<ScriptOdds, Diagnostic> {
        odds::odds(self, worth)
    }

    /// The value of best play: every question is answered knowing all that was evaluated before it. At most so many
    /// decisions are told.
    pub fn best(&self, goal: &Goal, players: &Players, decisions: usize) -> Result<Best, Diagnostic> {
        best::best(self, goal, players, decisions)
    }

    /// All situations, to be valued again and again with results that are worth something else each time.
    pub fn situations(&self, players: &Players) -> Result<Situations, Diagnostic> {
        valued::situations(self, players)
    }

    fn paths(&self, grows: bool) -> Paths {
        let mut paths = Paths::new(grows);
        self.answers.iter().for_each(|(path, answer)| paths.answer(path, answer.clone()));
        self.dice.iter().for_each(|die| paths.die(die));
        paths
    }
}
