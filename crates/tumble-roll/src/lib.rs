//! One roll of a program, with a full record of what happened.
//!
//! ```text
//! program + source of dice ─▶ machine ─▶ value, draws, trace ─▶ line
//! ```
//!
//! [`roll()`] gives everything, a [`Roller`] of a [`Ready`] program everything on demand, [`sample()`] and
//! [`Sampler`] only the value, [`samples()`] how often each value occurs, [`every()`] all possible values with
//! their weights: the exact engine is compared with it. Randomness enters in one place,
//! [`Source::draw`]; the same program, limits and faces give the same answer on every machine. This
//! is the only crate that may name a generator.

mod sides;
pub mod source;

mod kin;
mod machine;
mod play;
mod sight;

mod bulk;
mod every;
mod flat;
mod ready;
mod roller;
mod run;
mod sample;
mod scribe;
mod story;
mod trace;
mod watch;

pub use bulk::{Control, Samples, samples, samples_until};
pub use every::{Outcome, Tally, Weight, every, every_path};
pub use flat::RolledDie;
pub use play::{Answered, Asked, Owner, Play, Shown, Thrown};
pub use ready::Ready;
pub use roller::{LazyRoll, Roller, roll};
pub use run::{Happened, Run, run};
pub use sample::{Sampler, sample};
pub use source::{
    Dice, Die, Every, Fast, Kept, Ledger, NoDice, Recorded, Scripted, Sealed, Seeded, Shows, Sides, Source, Supplied,
    Version, Versioned, face_of,
};
pub use story::{LineWriter, Style, story, subtotals};
pub use trace::{Change, Check, DieState, Drawn, Event, Rolled, Side, Step, Trace};
