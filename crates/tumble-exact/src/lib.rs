//! From a program to its exact distribution.
//!
//! **The law**: the answer equals the weighted tally of every possible roll. The plain meaning is
//! enumeration; `algo` holds faster methods for collections in independent parts, each under the
//! meaning it speeds up, and `plan` chooses among them. Taking a method away changes only speed:
//! [`Options::without`] does that, and a test compares every method with the rest.
//!
//! This is the only crate that names big integers.

mod fraction;
mod limbs;
mod listing;
mod lowest;
mod map;
mod odds;
mod packed;
mod recur;
mod weight;

mod dice;
mod dist;
mod hidden;
mod law;
mod moments;
mod outcome;
mod tailed;

mod algo;
mod explain;
mod method;
mod options;
mod plan;
mod prepare;
mod price;
mod probe;
mod question;
mod refusal;
mod round;
mod rounding;
mod words;

mod machine;
pub mod play;

#[cfg(test)]
mod unlisted_tests;

pub use explain::{Cost, Explanation, Line};
pub use fraction::Fraction;
pub use method::Method;
pub use odds::{CUT_SHORT, NO_MEAN, Odds, Side, number, ratio};
pub use options::Options;
pub use probe::Probe;
pub use rounding::Rounded;

use tumble_core::{Diagnostic, Fault, Program, Term, TermId};

/// The methods by name, and the table of all of them.
pub mod methods {
    pub use crate::algo::METHODS as ALL;
    pub use crate::algo::{
        compare::METHOD as COMPARE, empty::METHOD as EMPTY, extreme::METHOD as EXTREME, faces::METHOD as FACES,
        folds::METHOD as FOLDS, keep::METHOD as KEEP, pick::METHOD as PICK, plain::METHOD as PLAIN,
        power::METHOD as POWER, reduce::METHOD as REDUCE, shown::METHOD as SHOWN, span::METHOD as SPAN,
        threshold::METHOD as THRESHOLD,
    };
    pub use crate::method::{CONDITIONING, FORGETTING, PEELING, REWRITING};
}

/// The exact distribution of a program's result. Questions have their defaults; dice texts cannot be read here
/// ([`play::Play`] can do both).
pub fn odds(program: &Program, options: &Options) -> Result<Odds, Diagnostic> {
    if plays(program).is_none() {
        return roll_odds(program, options);
    }
    let none = std::collections::HashMap::new();
    let limits = options.limits.clone();
    play::Play { limits, ..play::Play::new(program, &tumble_core::NoReader, &none) }.odds(false).map(|found| found.odds)
}

/// The same for the program of a roll, which neither asks nor shows anything; one that does is refused. Whoever needs no
/// more than this does not link [`play`].
pub fn roll_odds(program: &Program, options: &Options) -> Result<Odds, Diagnostic> {
    match plays(program) {
        None => machine::odds(program, options),
        Some(term) => Err(Fault::mistake("this program is not a roll").at(program.span(term))),
    }
}

/// The first term that leaves early, asks, shows, or throws dice by their text.
fn plays(program: &Program) -> Option<TermId> {
    program.ids().find(|id| match program.term(*id) {
        Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => true,
        Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => false,
        Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => false,
        Term::Loop { .. } | Term::Call { .. } => false,
    })
}

/// The distribution with sums of very many dice in floating point, each probability with bounds; none
/// if that is no help for this program.
pub fn rounded(program: &Program, options: &Options) -> Result<Option<Rounded>, Diagnostic> {
    match plays(program) {
        Some(_) => Ok(None),
        None => machine::rounded(program, options),
    }
}
