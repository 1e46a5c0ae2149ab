//! One roll of a program, with its story.
//!
//! ```text
//! program + source of chance ─▶ machine ─▶ value, draws, trace ─▶ story
//! ```
//!
//! [`roll()`] gives everything, a [`Roller`] of a [`Ready`] program everything for who asks, [`sample()`] and
//! [`Sampler`] only the value, [`samples()`] how often each value comes, [`every()`] all values there are with
//! their weights: it is what the exact engine is held against. Chance enters by one door,
//! [`Source::draw`]; the same program, limits and faces give the same answer on every machine. This
//! is the only crate that may name a generator.

pub mod source;

mod kin;
mod machine;
mod sight;

mod bulk;
mod every;
mod flat;
mod ready;
mod roller;
mod sample;
mod scribe;
mod story;
mod trace;
mod watch;

pub use bulk::{Samples, Waiting, samples, samples_until};
pub use every::{Outcome, Tally, Weight, every, every_path};
pub use flat::RolledDie;
pub use ready::Ready;
pub use roller::{LazyRoll, Roller, roll};
pub use sample::{Sampler, sample};
pub use source::{Die, Every, Fast, NoDice, Recorded, Scripted, Seeded, Shows, Sides, Source, Supplied, Versioned};
pub use story::{Dress, Telling, story, subtotals};
pub use trace::{Aside, Check, DieState, Drawn, Rolled, Side, Step, Trace};
