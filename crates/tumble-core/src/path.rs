//! Which letters a term leaves in the path of the dice after it, as far as that is known before anything is evaluated.
//!
//! Paths are made by whoever evaluates; what two evaluators must agree on, besides the letters of the forms, is here:
//! which dice share one place, and which conditions stand behind the letter `q`.

use crate::check::Program;
use crate::term::{Faces, Fork, Term, TermId, Times};

impl Program {
    /// Whether a `Repeat` of this body rolls all its dice at once, so that they share one place and are told apart by
    /// their index: it is one draw whose faces leave no letter, only numbers, variables and operations.
    pub fn rolls_at_once(&self, body: TermId) -> bool {
        let Term::Draw { faces } = self.term(body) else { return false };
        let mut todo = Vec::new();
        match faces {
            Faces::Range { .. } | Faces::Weighted(_) | Faces::Member { .. } => faces.parts(|part| todo.push(part)),
            Faces::Members { .. } => return false,
        }
        while let Some(id) = todo.pop() {
            match self.term(id) {
                Term::Lit(_) | Term::Var(_) => {}
                Term::Prim { args, .. } => todo.extend(args),
                Term::Let { .. } | Term::If { .. } | Term::Draw { .. } | Term::Repeat { .. } => return false,
                Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } | Term::Call { .. } => return false,
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => return false,
            }
        }
        true
    }

    /// Whether the condition of a branch, or the pool or condition of a loop, is evaluated behind the letter `q`: its
    /// first letter would be the one that the form itself leaves.
    pub fn stands_apart(&self, id: TermId) -> bool {
        match self.term(id) {
            Term::If { fork: Fork::Branch, test, .. } => self.leads_with(&[*test], 'i'),
            Term::ForEach { pool, .. } => self.leads_with(&[*pool], 'L'),
            Term::Loop { start, test, .. } => self.leads_with(&[*start, *test], 'L'),
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => false,
            Term::Draw { .. } | Term::Repeat { .. } | Term::Until { .. } | Term::Call { .. } => false,
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => false,
        }
    }

    /// Whether the first letter that terms in a row leave in the path is this one. What a term leaves does not
    /// depend on how it goes. The walks for different terms never meet.
    fn leads_with(&self, ids: &[TermId], letter: char) -> bool {
        let mut todo: Vec<Lead> = ids.iter().rev().map(|id| Lead::Term(*id)).collect();
        while let Some(lead) = todo.pop() {
            let id = match lead {
                Lead::Letter(first) => return first == letter,
                Lead::Term(id) => id,
            };
            let left = match self.term(id) {
                Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::Prim { .. } => None,
                Term::Emit { .. } | Term::Leave { .. } => None,
                Term::Ask { .. } => Some('u'),
                Term::Throw { .. } => Some('r'),
                Term::If { fork: Fork::ShortCut, .. } => Some('o'),
                Term::Draw { .. } => Some('r'),
                Term::Repeat { body, .. } => Some(if self.rolls_at_once(*body) { 'r' } else { 'L' }),
                Term::Call { .. } => Some('e'),
                Term::If { fork: Fork::Branch, .. } => return letter == 'i',
                Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } => return letter == 'L',
            };
            todo.extend(left.map(Lead::Letter));
            let mut first = Vec::new();
            // Only what is evaluated for certain, and so once, comes before the letter that a form leaves.
            self.term(id).parts(|child, role| {
                if role.times == Times::Once {
                    first.push(Lead::Term(child));
                }
            });
            todo.extend(first.into_iter().rev());
        }
        false
    }
}

/// A step of the search for a first letter.
enum Lead {
    Term(TermId),
    Letter(char),
}
