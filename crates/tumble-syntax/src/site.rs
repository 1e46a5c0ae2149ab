//! Expressions as parts of a larger program: a text around them, a draft for all their terms, and variables that they
//! can name.

use crate::{Notation, Note, Vars};
use tumble_core::{Diagnostic, Draft, FnId, Function, Slot, Span, TermId};

/// Where the terms of expressions go, one after the other. Whoever owns it adds terms of its own, and a function for the
/// roll itself at the end.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The terms so far.
    pub draft: Draft,
    /// The functions so far.
    pub functions: Vec<Function>,
    /// The names of all variables of the function that is being put together, by slot.
    pub slots: Vec<String>,
    /// The variables that an expression can name now, the innermost last; they hold numbers.
    pub scope: Vec<(String, Slot)>,
}

/// An expression that has become a part of something larger.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its term, which stands nowhere yet.
    pub root: TermId,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Labels, comments and names.
    pub notes: Vec<Note>,
}

impl Site {
    /// Lowers an expression that begins at `offset` in the larger text. One with an error adds nothing.
    pub fn lower(
        &mut self,
        notation: &Notation,
        text: &str,
        offset: usize,
        vars: &Vars,
    ) -> Result<Part, Vec<Diagnostic>> {
        let names: Vec<&str> = self.scope.iter().map(|(name, _)| name.as_str()).collect();
        let lowered = (notation.lower)(text, vars, &names).map_err(|found| all_moved(found, offset))?;
        let mut functions = lowered.functions.into_iter();
        let Some(main) = functions.next() else { return Err(vec![]) };
        let first = self.functions.len() as u32;
        let draft = lowered.draft;
        // The roll itself has the number 0 there, and becomes no function here.
        let moved = self.draft.append(draft, offset, |called| FnId(called.0.saturating_sub(1) + first));
        self.functions.extend(functions.map(|function| Function { body: moved.id(function.body), ..function }));
        let root = moved.id(main.body);
        let slots = self.slots_of(&main);
        self.draft.rebind(root, |slot| slots.get(slot.index()).copied().unwrap_or(slot));
        let notes = lowered.notes.into_iter().map(|note| Note { span: moved_by(note.span, offset), ..note }).collect();
        Ok(Part { root, warnings: all_moved(lowered.warnings, offset), notes })
    }

    /// The variables here that those of an expression become: its parameters are in scope, the others are new.
    fn slots_of(&mut self, main: &Function) -> Vec<Slot> {
        let mut slots = Vec::with_capacity(main.slots.len());
        for (own, name) in main.slots.iter().enumerate() {
            let param = main.params.iter().position(|param| param.index() == own);
            slots.push(match param.and_then(|param| self.scope.get(param)) {
                Some((_, slot)) => *slot,
                None => self.slot(name),
            });
        }
        slots
    }

    /// A new variable; `name` is for people.
    pub fn slot(&mut self, name: &str) -> Slot {
        self.slots.push(name.to_owned());
        Slot(self.slots.len() as u32 - 1)
    }
}

fn moved_by(span: Span, offset: usize) -> Span {
    Span::new(span.start + offset, span.end + offset)
}

fn all_moved(found: Vec<Diagnostic>, offset: usize) -> Vec<Diagnostic> {
    found.into_iter().map(|found| Diagnostic { span: moved_by(found.span, offset), ..found }).collect()
}
