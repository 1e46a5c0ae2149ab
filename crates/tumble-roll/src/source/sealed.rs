//! Dice that can be proved fair: a keyed function of a secret seed and of a nonce that somebody else chose.
//!
//! ```text
//! word    = the first 8 bytes of HMAC-SHA256 (key: the seed, 32 bytes) of the bytes below
//! bytes   = "tumble/2" | length of the nonce u32 | nonce | index u64 | version u32 | attempt u32 |
//!           kind u8 | first i64 | second i64 | path UTF-8
//! kind    = 0: a range, first = lo, second = hi      1: a pick, first = of, second = 0
//! face    = the word as a fraction of the number of faces (Lemire); a word that would favour some
//!           faces is refused and the next attempt taken, from 0
//! ```
//!
//! All numbers are little-endian. Who publishes the hash of the seed first and the seed afterwards can't have chosen the
//! dice, because the nonce came in between; anybody can compute each die anew.

use super::{Die, Sides, Source, unbiased};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tumble_core::Fault;

/// The rule for faces; another one would get another name.
const RULE: &[u8; 8] = b"tumble/2";

/// Dice from a secret seed and a nonce.
#[derive(Clone)]
pub struct Sealed {
    start: Hmac<Sha256>,
}

impl Sealed {
    /// The dice of this seed and nonce.
    pub fn new(seed: &[u8; 32], nonce: &str) -> Sealed {
        // A key shorter than a block is filled up with zeros, as the standard has it.
        let mut key = [0; 64];
        key[..32].copy_from_slice(seed);
        let mut start = Hmac::<Sha256>::new(&key.into());
        start.update(RULE);
        start.update(&(nonce.len() as u32).to_le_bytes());
        start.update(nonce.as_bytes());
        Sealed { start }
    }

    /// The face of one die.
    pub fn face(&self, path: &str, sides: Sides, index: u64, version: u32) -> u64 {
        let (kind, first, second) = match sides {
            Sides::Range { lo, hi } => (0u8, lo.to_le_bytes(), hi.to_le_bytes()),
            Sides::Pick { of } => (1, of.to_le_bytes(), [0; 8]),
        };
        let mut attempt = 0u32;
        unbiased(sides.last(), || {
            let mut mac = self.start.clone();
            mac.update(&index.to_le_bytes());
            mac.update(&version.to_le_bytes());
            mac.update(&attempt.to_le_bytes());
            mac.update(&[kind]);
            mac.update(&first);
            mac.update(&second);
            mac.update(path.as_bytes());
            attempt = attempt.wrapping_add(1);
            let bytes = mac.finalize().into_bytes();
            bytes.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
        })
    }
}

/// The seed is a secret.
impl std::fmt::Debug for Sealed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealed")
    }
}

impl Source for Sealed {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        Ok(self.face(die.path, die.sides, die.index, die.version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const D20: Sides = Sides::Range { lo: 1, hi: 20 };

    /// Computed once by Python's hmac from the rule at the top of this file.
    #[test]
    fn faces_are_those_of_the_rule() {
        let seed: [u8; 32] = std::array::from_fn(|n| n as u8);
        let dice = Sealed::new(&seed, "nonce");
        let found: Vec<u64> = (0..8).map(|index| dice.face("r", D20, index, 0)).collect();
        assert_eq!(found, EXPECTED);
        assert_ne!(found[0], Sealed::new(&seed, "other").face("r", D20, 0, 0));
    }

    const EXPECTED: [u64; 8] = [4, 4, 8, 12, 10, 18, 10, 12];

    /// Pearson's statistic over 20 faces stays below the 0.1 % point of chi-square with 19 degrees of freedom.
    #[test]
    fn every_face_is_as_likely() {
        let dice = Sealed::new(&[7; 32], "nonce");
        let mut counts = [0u32; 20];
        for index in 0..20_000 {
            counts[dice.face("r", D20, index, 0) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|n| (f64::from(*n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 43.8, "{chi}");
    }
}
