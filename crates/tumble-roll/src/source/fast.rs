//! One generator, one draw after the other: for millions of rolls whose dice are not needed one by one.
//!
//! The generator is ChaCha with 8 rounds, whose stream is fixed for a seed. It does not look at
//! paths, so the machine does not build them.

use super::{Die, Source, system_seed, unbiased};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use tumble_core::Fault;

/// A fast sequential source.
#[derive(Clone, Debug)]
pub struct Fast {
    generator: ChaCha8Rng,
}

impl Fast {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Fast {
        Fast::stream(seed, 0)
    }

    /// One of the independent streams of this seed. The first is number 0.
    pub fn stream(seed: u64, number: u64) -> Fast {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        Fast { generator }
    }

    /// An unpredictable stream, seeded by the system.
    pub fn from_system() -> Result<Fast, Fault> {
        system_seed().map(Fast::new)
    }
}

impl Source for Fast {
    #[inline]
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        Ok(unbiased(die.sides.last(), || self.generator.next_u64()))
    }

    /// The same faces as one by one; there is nothing to ask in between.
    #[inline]
    fn draw_all(&mut self, first: &Die<'_>, faces: &mut [u64]) -> Result<(), (usize, Fault)> {
        let last = first.sides.last();
        for face in faces {
            *face = unbiased(last, || self.generator.next_u64());
        }
        Ok(())
    }

    fn needs_path(&self) -> bool {
        false
    }
}
