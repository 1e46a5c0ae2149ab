//! Makes a program ready for the answers as they are.

use super::bounds::Bounds;
use super::code::Routine;
use super::facts;
use super::machine::Machine;
use std::rc::Rc;
use tumble_core::{Diagnostic, Fault};

impl Machine<'_> {
    /// Makes the program ready for the answers as they are now: what they rule out is cut off, and what then only feeds
    /// output is sliced away.
    pub(super) fn prepare(&mut self) -> Result<(), Diagnostic> {
        self.routines = self.written.clone();
        self.texts.clear();
        let size: usize = self.written.iter().map(|routine| routine.ops.len()).sum();
        self.budget.step(size as u64 * 8).map_err(|fault| fault.at(self.whole))?;
        let mut routines: Vec<Routine> = self.written.iter().map(|routine| Routine::clone(routine)).collect();
        if !self.without.slicing {
            let bounds = Bounds::of_program(self, self.main);
            routines.iter_mut().enumerate().for_each(|(at, routine)| facts::prune(routine, at, &bounds));
        }
        self.routines = ready(routines, self.main, self.without.slicing).map_err(|fault| fault.at(self.whole))?;
        self.find_modes();
        // Calls that are open belong to the code as it was.
        self.frames.clear();
        self.numbers.clear();
        Ok(())
    }
}

/// Code with all that is known of it.
pub(super) fn ready(mut routines: Vec<Routine>, main: usize, all: bool) -> Result<Vec<Rc<Routine>>, Fault> {
    routines.iter_mut().try_for_each(|routine| facts::slice(routine, all))?;
    facts::find_order(&mut routines, main);
    Ok(routines.into_iter().map(Rc::new).collect())
}
