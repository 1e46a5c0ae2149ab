//! Reads the dice texts of a script, each once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tumble_core::{Code, Diagnostic, Program, Reader, Span, Throw};
use tumble_roll::{Rolled, story};

/// How many different texts a script may throw.
const MOST_TEXTS: usize = 1000;

/// The texts that were read so far.
#[derive(Debug, Default)]
pub(super) struct Texts(Mutex<HashMap<(String, bool), Arc<Program>>>);

impl Texts {
    /// The line of a text that was rolled.
    pub(super) fn line(&self, text: &str, throw: Throw, rolled: &Rolled) -> String {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let program = known.get(&(text.to_owned(), throw == Throw::Dice));
        program.map_or_else(String::new, |program| story(text, program, rolled))
    }
}

impl Reader for Texts {
    fn read(&self, text: &str, throw: Throw) -> Result<Arc<Program>, Diagnostic> {
        let key = (text.to_owned(), throw == Throw::Dice);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = known.get(&key) {
            return Ok(Arc::clone(program));
        }
        let program = Arc::new(tumble_syntax::script::read_dice(text, throw)?);
        if known.len() >= MOST_TEXTS {
            let message = format!("more than {MOST_TEXTS} different dice texts");
            return Err(Diagnostic::new(Code::Limit, Span::new(0, text.len()), message));
        }
        known.insert(key, Arc::clone(&program));
        Ok(program)
    }
}
