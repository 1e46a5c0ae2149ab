//! What a form asks, in words.

use super::Form;
use tumble_core::Term;

impl Form {
    /// What a form asks, and how it is answered beside the questions that have lines of their own.
    pub(crate) fn words(&self) -> (&'static str, &'static str) {
        let term = match self {
            Form::Watch(_) => {
                return ("a named roll that is only examined", "tracks each of its properties that is used");
            }
            Form::Ahead { .. } => return ("a value", "computes it before it is needed"),
            Form::Joint { .. } => return ("several named values", "continues with each combination of them"),
            Form::Several(_) => return ("several values", "looks them up"),
            Form::Total(_) => return ("a long sum", "groups equal terms"),
            Form::Core(term) => term,
        };
        match term {
            Term::Lit(_) | Term::Var(_) => ("a value", "looks it up"),
            Term::Let { .. } => ("a named value", "continues with each of its outcomes"),
            Term::If { .. } => ("a choice", "follows both branches and mixes them"),
            Term::Prim { .. } => ("an operation", "computes it for every combination of outcomes"),
            Term::Draw { .. } => ("a die", "lists its faces"),
            Term::Repeat { .. } => ("a repetition", "combines independent copies"),
            Term::ForEach { .. } => ("an expression for each member", "computes it once for each possible member"),
            Term::Until { .. } => ("a loop", "splits its passes into those that stop and those that continue"),
            Term::Loop { .. } => ("a loop with a state", "follows every state from pass to pass"),
            Term::Call { .. } => ("a call", "computes it once for each combination of arguments"),
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
                ("a step of a script", "rewrites it before anything is computed")
            }
        }
    }
}
