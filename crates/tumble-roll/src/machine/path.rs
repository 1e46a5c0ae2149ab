//! The path of a draw: where it stands among the choices that led to it (Hilton's rules).
//!
//! ```text
//! draw           r
//! branch         push   test   t or f …   pop   i          (short cut: test   push   s …   pop   o)
//! loop           push   w1 …   w2 …   …   pop   L          (each pass starts from the same string)
//! while          push   test   w …   test   w …   …   test   pop   L
//! call           arguments   push   c …   pop   e
//! question       arguments   u
//! ```
//!
//! A draw appends its own letter, a finished construct leaves exactly one letter behind, and all
//! inside it begins with the pushed string and another letter. So no two points of a roll share a
//! path, and a path does not depend on what happened in finished constructs.
//!
//! One addition to Hilton's rules makes that true for every program: a condition whose first letter
//! would be the `i` of its branch, or one or a pool whose first letter would be the `L` of its loop, is
//! evaluated behind the letter `q`.

use std::fmt::Write;

/// Stands for the number of a pass that is not known yet.
pub(crate) const HOLE: char = '*';

/// The path so far, and the lengths to go back to.
#[derive(Debug, Default)]
pub(crate) struct Path {
    on: bool,
    text: String,
    stack: Vec<usize>,
}

impl Path {
    /// An empty path that somebody wants.
    pub(crate) fn new() -> Path {
        Path { on: true, ..Path::default() }
    }

    /// An empty path, which stays empty if nobody wants it.
    pub(crate) fn reset(&mut self, on: bool) {
        self.on = on;
        self.text.clear();
        self.stack.clear();
    }

    /// What follows a branch starts from where its other side started.
    pub(crate) fn back(&mut self, length: usize) {
        self.text.truncate(length);
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    #[inline]
    pub(crate) fn push(&mut self) {
        if self.on {
            self.stack.push(self.text.len());
        }
    }

    #[inline]
    pub(crate) fn letter(&mut self, letter: char) {
        if self.on {
            self.text.push(letter);
        }
    }

    /// Forgets the string pushed last.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.stack.pop();
    }

    /// Starts a pass from the string pushed last.
    #[inline]
    pub(crate) fn pass(&mut self, number: u64) {
        if self.on {
            self.text.truncate(self.stack.last().copied().unwrap_or(0));
            // Writing to a string cannot fail.
            let _ = write!(self.text, "w{number}");
        }
    }

    /// Starts any pass from the string pushed last.
    pub(crate) fn any_pass(&mut self) {
        self.text.truncate(self.stack.last().copied().unwrap_or(0));
        self.text.extend(['w', HOLE]);
    }

    /// How many strings are pushed.
    #[inline]
    pub(crate) fn height(&self) -> usize {
        self.stack.len()
    }

    /// Leaves the construct that pushed the string at this height, and whatever is still open inside it.
    #[inline]
    pub(crate) fn cut_back(&mut self, height: usize, letter: char) {
        self.stack.truncate(height + 1);
        self.pop(letter);
    }

    #[inline]
    pub(crate) fn pop(&mut self, letter: char) {
        if self.on {
            self.text.truncate(self.stack.pop().unwrap_or(0));
            self.text.push(letter);
        }
    }
}
