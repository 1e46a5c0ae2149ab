//! The calculus every notation is lowered to: a small functional language with one random form.
//!
//! A [`Draft`] of terms becomes a [`Program`] only through [`check`]; only a `Program` can be rolled
//! or counted. Terms live in one table and name each other by [`TermId`], so that no text, however
//! deep, makes a pass over them recurse. Evaluation is strict and goes from left to right.
//!
//! This crate knows no notation, no generator, no probability, no file and no clock.

mod diagnostic;
mod limits;
mod ratio;
mod remedy;
mod value;

mod term;

pub mod chance;
mod check;
mod graft;
mod path;
pub mod play;
pub mod prim;
mod print;
mod reader;
pub mod sort;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "arbitrary")]
pub mod read;

pub use check::{Program, check};
pub use diagnostic::{Code, Diagnostic, Fault, Span};
pub use graft::{Moved, plain_program};
pub use limits::{Budget, Interrupt, Limits};
pub use play::{Answers, Event, Exit, Question, Throw};
pub use prim::{Compare, Prim, Shape};
pub use print::print;
pub use ratio::Ratio;
pub use reader::{NoReader, Reader};
pub use remedy::{Limit, Remedy};
pub use term::{Draft, Faces, FnId, Fork, Function, Keep, Node, Role, Slot, Term, TermId, Times};
pub use value::{Data, Items, Mark, Tag, Text, Value};
