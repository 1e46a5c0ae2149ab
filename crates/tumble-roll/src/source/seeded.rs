//! A die is a keyed function of its place, so any die can be recomputed alone.
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

use super::sip::Sip;
use super::{Die, Sides, Source, system_seed, unbiased};
use tumble_core::Fault;

/// The second half of the key; another rule for faces would get another one.
const RULE: [u8; 8] = *b"tumble/1";

/// How many bytes stand before the path.
const BEFORE_PATH: usize = 33;

/// Dice from a seed.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: u64,
    start: Sip,
}

impl Seeded {
    /// The dice of this seed.
    #[inline]
    pub fn new(seed: u64) -> Seeded {
        Seeded { seed, start: Sip::new(seed, u64::from_le_bytes(RULE)) }
    }

    /// Dice from an unpredictable seed, given by the system.
    pub fn from_system() -> Result<Seeded, Fault> {
        system_seed().map(Seeded::new)
    }

    /// The seed, to get the same dice again.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The face of one die.
    pub fn face(seed: u64, path: &str, sides: Sides, index: u64, version: u32) -> u64 {
        Seeded::new(seed).fall(&Place::new(path, sides, version), index)
    }

    #[inline]
    fn fall(&self, place: &Place<'_>, index: u64) -> u64 {
        let mut attempt = 0u32;
        unbiased(place.last, || {
            let word = place.hash(self.start, index, attempt);
            attempt = attempt.wrapping_add(1);
            word
        })
    }
}

impl Source for Seeded {
    #[inline]
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        Ok(self.fall(&Place::new(die.path, die.sides, die.version), die.index))
    }

    /// The same faces as one by one; what the dice share is put into words once.
    #[inline]
    fn draw_all(&mut self, first: &Die<'_>, faces: &mut [u64]) -> Result<(), (usize, Fault)> {
        let place = Place::new(first.path, first.sides, first.version);
        for (fell, face) in faces.iter_mut().enumerate() {
            *face = self.fall(&place, first.index.wrapping_add(fell as u64));
        }
        Ok(())
    }
}

/// What dice that differ by their index only have in common, as words.
struct Place<'a> {
    version: u64,
    sides: [u64; 2],
    /// The last byte of the sides and the path as far as they fill words, and the rest of the path.
    middle: Option<u64>,
    rest: &'a [u8],
    /// The word at the end.
    end: u64,
    last: u64,
}

impl<'a> Place<'a> {
    #[inline]
    fn new(path: &'a str, sides: Sides, version: u32) -> Place<'a> {
        let (kind, first, second) = match sides {
            Sides::Range { lo, hi } => (0, lo as u64, hi as u64),
            Sides::Pick { of } => (1, of, 0),
        };
        let path = path.as_bytes();
        let length = ((BEFORE_PATH + path.len()) as u64) << 56;
        let (middle, rest, end) = match path.split_at_checked(7) {
            None => (None, &[][..], little(path) << 8 | second >> 56),
            Some((filled, rest)) => (Some(little(filled) << 8 | second >> 56), rest, little(&rest[rest.len() & !7..])),
        };
        let last = sides.last();
        let sides = [kind | first << 8, first >> 56 | second << 8];
        Place { version: version.into(), sides, middle, rest, end: end | length, last }
    }

    #[inline]
    fn hash(&self, start: Sip, index: u64, attempt: u32) -> u64 {
        let [one, two] = self.sides;
        let mut sip = start.word(index).word(self.version | u64::from(attempt) << 32).word(one).word(two);
        if let Some(middle) = self.middle {
            sip = sip.word(middle);
            sip = self.rest.chunks_exact(8).fold(sip, |sip, bytes| sip.word(little(bytes)));
        }
        sip.word(self.end).finish()
    }
}

/// At most eight bytes as a word, the first one lowest.
#[inline]
fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use siphasher::sip::SipHasher24;

    /// The bytes, put together as the top of this file says.
    fn by_the_book(seed: u64, path: &str, sides: Sides, index: u64, version: u32, attempt: u32) -> u64 {
        let (kind, first, second) = match sides {
            Sides::Range { lo, hi } => (0, lo.to_le_bytes(), hi.to_le_bytes()),
            Sides::Pick { of } => (1, of.to_le_bytes(), [0; 8]),
        };
        let mut bytes = index.to_le_bytes().to_vec();
        bytes.extend_from_slice(&version.to_le_bytes());
        bytes.extend_from_slice(&attempt.to_le_bytes());
        bytes.push(kind);
        bytes.extend_from_slice(&first);
        bytes.extend_from_slice(&second);
        bytes.extend_from_slice(path.as_bytes());
        SipHasher24::new_with_keys(seed, u64::from_le_bytes(RULE)).hash(&bytes)
    }

    #[test]
    fn words_are_the_bytes() {
        let sides = [
            Sides::Range { lo: 1, hi: 6 },
            Sides::Range { lo: i64::MIN, hi: -1 },
            Sides::Range { lo: -5, hi: i64::MAX },
            Sides::Pick { of: u64::MAX },
        ];
        for length in (0..300).chain([5000]) {
            let path: String = "rw1Lcetf".chars().cycle().skip(length % 5).take(length).collect();
            let seed = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(length as u64);
            for (version, sides) in sides.into_iter().enumerate() {
                let version = version as u32 * 0x1234_5678;
                let hash = Place::new(&path, sides, version).hash(Seeded::new(seed).start, seed >> 7, version);
                assert_eq!(hash, by_the_book(seed, &path, sides, seed >> 7, version, version), "{path} {sides}");
            }
        }
    }
}
