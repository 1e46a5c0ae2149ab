//! The dice that fell for flat code, and where.
//!
//! The path of a die is known before the roll, but for the numbers of the passes it falls in. What a
//! finished construct leaves in a path does not depend on how it went, so a path is a text with one
//! hole for each open loop:
//!
//! ```text
//! repeat(2, sub(draw(1..6), draw(1..6)))        sites   w•r   w•rr
//! ```
//!
//! Paths are only written out for a source that asks for them, and notes are only taken for somebody
//! who may want the dice afterwards.

use super::Unsure;
use super::rounds::Round;
use crate::machine::HOLE;
use crate::source::{Die, Shows, Sides, Source};
use std::borrow::Cow;
use std::fmt::Write;
use tumble_core::{Budget, Fault, Span};

/// Room is made for so many dice at most before they fall.
const MOST_AT_ONCE: u64 = 1 << 24;

/// Bytes of path that cost as much as one step, as in the machine.
const BYTES_PER_STEP: u64 = 8;

/// Every place of a program where dice fall.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// Their paths, one after the other.
    paths: String,
    list: Vec<Site>,
}

/// A place of a program where dice fall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    path: (usize, usize),
    /// How many loops it stands in.
    loops: usize,
    pub(super) span: Span,
    /// The die with weights that falls there, by place.
    pub(super) weighted: Option<usize>,
}

impl Sites {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a place; `path` has a hole for each loop around it.
    pub(super) fn add(&mut self, path: &str, span: Span, weighted: Option<usize>) -> usize {
        let start = self.paths.len();
        self.paths.push_str(path);
        let loops = path.bytes().filter(|byte| *byte == HOLE as u8).count();
        self.list.push(Site { path: (start, self.paths.len()), loops, span, weighted });
        self.list.len() - 1
    }

    pub(super) fn get(&self, site: usize) -> &Site {
        &self.list[site]
    }

    fn template(&self, site: &Site) -> &str {
        &self.paths[site.path.0..site.path.1]
    }

    /// The path of a place in these passes; it is written into `room` if it must be written at all.
    fn path<'a>(&'a self, site: &Site, passes: impl Iterator<Item = u64>, room: &'a mut String) -> &'a str {
        let template = self.template(site);
        if site.loops == 0 {
            return template;
        }
        room.clear();
        fill(template, passes, room);
        room
    }
}

fn fill(template: &str, passes: impl Iterator<Item = u64>, out: &mut String) {
    let mut pieces = template.split(HOLE);
    out.push_str(pieces.next().unwrap_or_default());
    for (piece, pass) in pieces.zip(passes) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{pass}{piece}");
    }
}

/// What fell in this roll.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    faces: Faces,
    /// Whether anybody asks where dice fall.
    asked: bool,
    notes: Notes,
}

/// The faces that fell in this roll.
#[derive(Debug, Default)]
struct Faces {
    /// Room for them; the first so many fell.
    room: Vec<u64>,
    fell: usize,
    /// What the source said when it refused a die.
    refused: Option<Fault>,
}

/// Where dice fell in this roll.
#[derive(Debug, Default)]
struct Notes {
    /// Whether notes are taken, and whether the source needs paths.
    noted: bool,
    needs_path: bool,
    throws: Vec<Throw>,
    /// The passes in which they fell.
    passes: Vec<u64>,
    /// Room for a path.
    path: String,
}

/// Dice that fell together.
#[derive(Clone, Copy, Debug)]
struct Throw {
    site: usize,
    sides: Sides,
    /// Where their faces and their passes begin.
    first: usize,
    passes: usize,
}

/// A die that fell, as the tape knows it.
pub(super) struct Taped<'a> {
    pub(super) path: Cow<'a, str>,
    pub(super) index: u64,
    pub(super) sides: Sides,
    pub(super) face: u64,
    pub(super) site: &'a Site,
}

/// Where dice fall, and in which loops.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) sites: &'a Sites,
    pub(super) site: usize,
    pub(super) rounds: &'a [Round],
}

impl Tape {
    #[inline]
    pub(super) fn reset(&mut self, noted: bool, needs_path: bool) {
        self.faces.fell = 0;
        self.faces.refused = None;
        self.asked = noted || needs_path;
        if self.asked {
            self.notes.throws.clear();
            self.notes.passes.clear();
            (self.notes.noted, self.notes.needs_path) = (noted, needs_path);
        }
    }

    /// The faces of so many dice of one kind.
    #[inline(always)]
    pub(super) fn throw<S: Source + ?Sized>(
        &mut self,
        at: At<'_>,
        count: u64,
        (sides, shows): (Sides, Shows<'_>),
        source: &mut S,
        budget: &mut Budget,
    ) -> Result<&[u64], Unsure> {
        let path = if self.asked { self.notes.take(at, self.faces.fell, count, sides, budget)? } else { "" };
        self.faces.fall(count, &Die { path, index: 0, version: 0, sides, shows }, source)
    }

    /// The faces of the only dice of a roll, for nobody who asks where they fell.
    #[inline(always)]
    pub(super) fn throw_alone<S: Source + ?Sized>(
        &mut self,
        count: u64,
        sides: Sides,
        source: &mut S,
    ) -> Result<&[u64], Unsure> {
        self.reset(false, false);
        self.faces.fall(count, &Die { path: "", index: 0, version: 0, sides, shows: Shows::Numbers }, source)
    }

    /// How many dice fell so far.
    pub(super) fn fell(&self) -> usize {
        self.faces.fell
    }

    /// The faces of the dice that fell from number `first` on.
    #[inline]
    pub(super) fn faces(&self, first: usize) -> &[u64] {
        &self.faces.room[first..self.faces.fell]
    }

    /// A die of the roll, by number, if notes were taken.
    pub(super) fn die<'a>(&'a self, sites: &'a Sites, number: usize) -> Option<Taped<'a>> {
        let face = *self.faces(0).get(number)?;
        let Notes { throws, passes, .. } = &self.notes;
        let throw = throws.get(throws.partition_point(|throw| throw.first <= number).checked_sub(1)?)?;
        let site = sites.get(throw.site);
        let mut path = Cow::Borrowed(sites.template(site));
        if site.loops > 0 {
            let mut written = String::with_capacity(path.len());
            fill(&path, passes[throw.passes..].iter().copied(), &mut written);
            path = Cow::Owned(written);
        }
        Some(Taped { path, index: (number - throw.first) as u64, sides: throw.sides, face, site })
    }

    /// The dice that fell so far, and then `rest`.
    pub(crate) fn again<'a, S: Source + ?Sized>(&'a mut self, rest: &'a mut S) -> Again<'a, S> {
        let Faces { room, fell, refused } = &mut self.faces;
        Again { faces: room[..*fell].iter(), refused: refused.take(), rest }
    }
}

impl Faces {
    /// So many dice like the first.
    #[inline(always)]
    fn fall<S: Source + ?Sized>(&mut self, count: u64, first: &Die<'_>, source: &mut S) -> Result<&[u64], Unsure> {
        if count > MOST_AT_ONCE {
            return Err(Unsure);
        }
        let end = self.fell + count as usize;
        if self.room.len() < end {
            self.room.resize(end.next_multiple_of(8), 0);
        }
        let faces = &mut self.room[self.fell..end];
        if let Err((more, fault)) = source.draw_all(first, faces) {
            self.fell += more;
            self.refused = Some(fault);
            return Err(Unsure);
        }
        self.fell = end;
        // The machine stops at the first die that cannot be, and finds the words.
        let impossible = faces.iter().any(|face| *face > first.sides.last());
        if impossible { Err(Unsure) } else { Ok(faces) }
    }
}

impl Notes {
    /// Notes a throw, and gives its path if the source needs it.
    #[inline]
    fn take<'a>(
        &'a mut self,
        at: At<'a>,
        fell: usize,
        count: u64,
        sides: Sides,
        budget: &mut Budget,
    ) -> Result<&'a str, Unsure> {
        let passes = at.rounds.iter().map(|round| round.pass);
        if self.noted {
            self.throws.push(Throw { site: at.site, sides, first: fell, passes: self.passes.len() });
            self.passes.extend(passes.clone());
        }
        if !self.needs_path {
            return Ok("");
        }
        let path = at.sites.path(at.sites.get(at.site), passes, &mut self.path);
        budget.step(count.saturating_mul(path.len() as u64 / BYTES_PER_STEP))?;
        Ok(path)
    }
}

/// The dice that fell for flat code, then the rest: what makes the machine start again from there.
pub(crate) struct Again<'a, S: ?Sized> {
    faces: std::slice::Iter<'a, u64>,
    refused: Option<Fault>,
    rest: &'a mut S,
}

impl<S: Source + ?Sized> Source for Again<'_, S> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        match (self.faces.next(), self.refused.take()) {
            (Some(face), refused) => {
                self.refused = refused;
                Ok(*face)
            }
            (None, Some(fault)) => Err(fault),
            (None, None) => self.rest.draw(die),
        }
    }

    fn needs_path(&self) -> bool {
        self.rest.needs_path()
    }
}
