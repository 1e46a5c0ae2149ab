//! How the line of a result ends: with its value, or with the words for a comparison that came out so or so.
//!
//! ```text
//! 2d6 + 1                 = 9
//! d20 >= 15               the comparison says it itself
//! d20 >= 5 && d6 >= 3     : success
//! ```

use super::labels::Parts;
use super::{LineWriter, short};
use crate::sight::check;
use std::collections::HashSet;
use tumble_core::{Data, Fork, Program, Span, Term, TermId, Value};

/// The end of a result.
pub(super) struct Ending<'r> {
    pub(super) term: TermId,
    value: &'r Value,
    /// The comparison that is all of it.
    pub(super) check: Option<Span>,
    /// Whether it is a truth made of truths.
    truth: bool,
}

impl<'r> Ending<'r> {
    pub(super) fn new(program: &Program, term: TermId, value: &'r Value) -> Ending<'r> {
        let (mut id, mut truth) = (term, false);
        let check = loop {
            match program.term(id) {
                Term::Let { body, .. } => id = *body,
                Term::If { fork, test, then, other } => {
                    let own = |branch: TermId| {
                        let value = program.term(branch).lit().filter(|_| program.span(branch) == program.span(id));
                        value.and_then(holds)
                    };
                    match (own(*then), own(*other)) {
                        // 1 if it holds, and 0 if not.
                        (Some(true), Some(false)) => {
                            truth = true;
                            id = *test;
                        }
                        (then, other) => {
                            truth |= then.and(other).is_some();
                            truth |= *fork == Fork::ShortCut && then.or(other).is_some();
                            break None;
                        }
                    }
                }
                Term::Prim { .. } => break check(program, id).map(|_| program.span(id)),
                Term::Lit(_)
                | Term::Var(_)
                | Term::Draw { .. }
                | Term::Repeat { .. }
                | Term::ForEach { .. }
                | Term::Until { .. }
                | Term::Loop { .. }
                | Term::Call { .. }
                | Term::Leave { .. }
                | Term::Ask { .. }
                | Term::Emit { .. }
                | Term::Throw { .. } => break None,
            }
        };
        Ending { term, value, check, truth }
    }
}

impl LineWriter<'_> {
    /// How a result ends; these comparisons speak for themselves.
    pub(super) fn ending(&self, ending: &Ending<'_>, checks: &HashSet<Span>, parts: Option<&Parts<'_>>) -> String {
        if ending.check.is_some_and(|check| checks.contains(&check)) {
            return String::new();
        }
        if ending.truth
            && let Some(holds) = holds(ending.value)
        {
            return format!(": {}", self.verdict(holds));
        }
        if let Some(short) = short(ending.value) {
            return format!(" = {short}");
        }
        let value = (self.style.total)((self.spell)(ending.value));
        match &ending.value.data {
            Data::Text(text) if text.lines.len() != 1 => format!(" =\n{value}"),
            _ => format!(" = {value}{}", parts.map(|parts| of_labels(parts, ending.term)).unwrap_or_default()),
        }
    }
}

/// ` (fire 7, cold 5)`
fn of_labels(parts: &Parts<'_>, term: TermId) -> String {
    let sums: Vec<String> = parts.sums(term).into_iter().map(|(label, sum)| format!("{label} {sum}")).collect();
    if sums.is_empty() { String::new() } else { format!(" ({})", sums.join(", ")) }
}

/// The truth that a value stands for.
fn holds(value: &Value) -> Option<bool> {
    match value.data {
        Data::Bool(truth) => Some(truth),
        Data::Int(n @ (0 | 1)) => Some(n == 1),
        _ => None,
    }
}
