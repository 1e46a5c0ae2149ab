//! One generator, one draw after the other: for millions of rolls whose dice nobody asks about.
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
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Fast { generator: ChaCha8Rng::from_seed(key) }
    }

    /// A stream that nobody can foresee.
    pub fn from_system() -> Result<Fast, Fault> {
        system_seed().map(Fast::new)
    }
}

impl Source for Fast {
    #[inline]
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        Ok(unbiased(die.sides.last(), || self.generator.next_u64()))
    }

    fn needs_path(&self) -> bool {
        false
    }
}
