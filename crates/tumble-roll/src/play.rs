//! What happens when a script runs, besides its value: dice that are thrown, questions that are met, lines that are shown.

use crate::sides::Sides;
use crate::trace::Rolled;
use std::collections::HashMap;
use tumble_core::{Answers, NoReader, Question, Reader, Span, Throw, Value};

/// What a program needs that asks and reads texts.
#[derive(Clone, Copy)]
pub struct Play<'a> {
    /// Who reads dice texts.
    pub reader: &'a dyn Reader,
    /// What was answered, by path.
    pub answers: &'a Answered,
}

/// What was answered to questions, by path.
pub type Answered = HashMap<String, Value>;

static NONE: std::sync::LazyLock<Answered> = std::sync::LazyLock::new(Answered::new);

impl Default for Play<'_> {
    fn default() -> Self {
        Play { reader: &NoReader, answers: &NONE }
    }
}

impl std::fmt::Debug for Play<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play").field("answers", self.answers).finish_non_exhaustive()
    }
}

/// Whose decision it is, or whose number changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// The name.
    pub name: Option<String>,
    /// The identity that came with the arguments.
    pub id: Option<String>,
}

/// Dice that fell together.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The path of the call.
    pub path: String,
    /// How they were thrown.
    pub throw: Throw,
    /// The text of the dice.
    pub text: String,
    /// Every die: its path, sides, index, and what it shows.
    pub dice: Vec<(String, Sides, u64, Value)>,
    /// What they came to; none if they have no total.
    pub value: Option<Value>,
    /// The full record of a text.
    pub rolled: Option<Rolled>,
    /// Where the call is written.
    pub span: Span,
}

/// A question that was met.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// What is asked for.
    pub question: Question,
    /// What can be answered.
    pub answers: Answers,
    /// Who decides.
    pub owner: Owner,
    /// The words.
    pub prompt: String,
    /// What was answered, or the default.
    pub value: Value,
    /// What holds until it is answered.
    pub default: Value,
    /// An answer that does not fit, and was not used.
    pub unfit: Option<Value>,
    /// Where it is written.
    pub span: Span,
}

/// Something to show, or to note for later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A line.
    Line {
        /// What it says.
        text: String,
        /// How it looks.
        style: Option<String>,
    },
    /// A group begins.
    Open {
        /// Its title.
        title: Option<String>,
    },
    /// The group opened last ends.
    Close,
    /// A number should change later.
    Change {
        /// Whose.
        owner: Owner,
        /// Which.
        field: String,
        /// By how much.
        amount: i64,
    },
}
