//! A die is a keyed function of where it stands, so any die can be recomputed alone.
//!
//! ```text
//! word    = SipHash-2-4 (64 bits) of the bytes below, with the key (seed, "tumble/1")
//! bytes   = index u64 | version u32 | attempt u32 | kind u8 | first i64 | second i64 | path UTF-8
//! kind    = 0: a range, first = lo, second = hi      1: a pick, first = of, second = 0
//! face    = the word as a fraction of the number of faces (Lemire); a word that would favour some
//!           faces is refused and the next attempt taken, from 0
//! ```
//!
//! All numbers are little-endian and of fixed width; the path, the only part without one, stands
//! last. So no two dice share their bytes, and a face is the same on every machine.

use super::{Die, Sides, Source, system_seed, unbiased};
use siphasher::sip::SipHasher24;
use tumble_core::Fault;

/// The second half of the key; another rule for faces would get another one.
const RULE: [u8; 8] = *b"tumble/1";

/// Where the number of the attempt stands in the bytes.
const ATTEMPT: std::ops::Range<usize> = 12..16;

/// Dice from a seed.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: u64,
    hasher: SipHasher24,
    bytes: Vec<u8>,
}

impl Seeded {
    /// The dice of this seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded { seed, hasher: SipHasher24::new_with_keys(seed, u64::from_le_bytes(RULE)), bytes: Vec::new() }
    }

    /// The dice of a seed that nobody can foresee.
    pub fn from_system() -> Result<Seeded, Fault> {
        system_seed().map(Seeded::new)
    }

    /// The seed, to have the same dice again.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The face of one die.
    pub fn face(seed: u64, path: &str, sides: Sides, index: u64, version: u32) -> u64 {
        Seeded::new(seed).fall(path, sides, index, version)
    }

    fn fall(&mut self, path: &str, sides: Sides, index: u64, version: u32) -> u64 {
        let (kind, first, second) = match sides {
            Sides::Range { lo, hi } => (0, lo.to_le_bytes(), hi.to_le_bytes()),
            Sides::Pick { of } => (1, of.to_le_bytes(), [0; 8]),
        };
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.extend_from_slice(&index.to_le_bytes());
        bytes.extend_from_slice(&version.to_le_bytes());
        bytes.extend_from_slice(&0u32.to_le_bytes());
        bytes.push(kind);
        bytes.extend_from_slice(&first);
        bytes.extend_from_slice(&second);
        bytes.extend_from_slice(path.as_bytes());
        let mut attempt = 0u32;
        unbiased(sides.last(), || {
            bytes[ATTEMPT].copy_from_slice(&attempt.to_le_bytes());
            attempt = attempt.wrapping_add(1);
            self.hasher.hash(bytes)
        })
    }
}

impl Source for Seeded {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        Ok(self.fall(die.path, die.sides, die.index, die.version))
    }
}
