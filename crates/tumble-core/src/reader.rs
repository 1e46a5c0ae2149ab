//! Dice texts that are known only while a program runs: the core knows no notation, so who evaluates is handed a reader.

use crate::check::Program;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::play::Throw;
use std::sync::Arc;

/// Reads dice texts while a program runs.
pub trait Reader {
    /// The program of a text: its total, or the dice that count.
    fn read(&self, text: &str, throw: Throw) -> Result<Arc<Program>, Diagnostic>;
}

/// Where no text can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReader;

impl Reader for NoReader {
    fn read(&self, text: &str, _: Throw) -> Result<Arc<Program>, Diagnostic> {
        let span = Span::new(0, text.len());
        Err(Diagnostic::new(Code::Runtime, span, "dice texts can't be read here"))
    }
}
