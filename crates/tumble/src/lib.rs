//! Tumble: one dice text, and everything from it: a fair roll with every die shown, and the exact
//! probability of every outcome.
//!
//! ```
//! use tumble::{Options, Vars, compile};
//!
//! let stats = compile("troll", "sum largest 3 4d6", &Vars::new())?;
//! let odds = stats.odds(&Options::default())?;
//! assert_eq!(odds.mean().map(|mean| mean.to_string()).as_deref(), Some("15869/1296"));
//!
//! let rolled = stats.roll(7, &Default::default())?;
//! assert_eq!(rolled.draws.len(), 4);
//! println!("{}", tumble::render::text::roll(&stats, &rolled));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The verbs are [`compile`], [`Prepared::roll`], [`Prepared::odds`] and those of [`render`];
//! [`batch`] is all of them behind one JSON object. Nothing here reads a file or a clock, and nothing
//! prints.

mod prepared;
mod reduced;
mod shelf;
mod translate;
mod values;

mod ask;
mod luck;
mod near;
mod verify;

pub mod render;

pub mod batch;
mod digest;

pub use ask::{Answer, Wanted};
pub use luck::{Luck, Shares};
pub use near::{Near, NearOutcome, Nearly, Sampling};
pub use prepared::{Errors, ONE_OF_SEVERAL, Prepared, any_seed, compile, nth_seed, prepare};
pub use reduced::Reduced;
pub use shelf::Shelf;
pub use translate::Translation;
pub use tumble_core::{Code, Data, Diagnostic, Fault, Limits, Program, Span, Text, Value};
pub use tumble_exact::{Cost, Explanation, Fraction, Line, Method, NO_MEAN, Odds, Options, Probe, Side, number};
pub use tumble_roll::{Die, DieState, Drawn, Fast, Fell, Recorded, Rolled, Roller, Sampler, Scripted, Seeded};
pub use tumble_roll::{Shows, Sides, Source, Step, Thrown, Trace};
pub use tumble_syntax::{Compiled, NOTATIONS, Notation, Piece, Spelling, Vars, everyday, notation};
pub use values::values;
pub use verify::Verified;
