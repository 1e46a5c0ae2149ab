//! Pools of which it only matters which faces are shown at all.
//!
//! A program that asks `if i = x` splits the dice by whether any of them shows a face, and not by how many do:
//!
//! ```text
//! c dice with faces B   →   c dice with faces B \ {i},   or   c dice with faces B of which at least one shows i
//! ```
//!
//! The mass of c dice that show each face of a set A at least once follows by inclusion and exclusion, which is the
//! second mass less the first, for one face of A after the other. Faces of the same weights are alike in it: only how many
//! there are matters once nobody can ask for them any more, so it does not matter which these were.

use super::dice::Block;
use super::kinds::{Class, Kinds, Showing};
use super::{Faces, Hidden};
use dashu_int::UBig;

/// With more combinations of how many faces of each class are shown, dice are counted.
const MOST_SHOWN: u64 = 500;

impl Hidden {
    /// Whether dice are split by what they show at all, if these faces can be asked for later.
    pub(super) fn shows_at_all(&self, block: &Block, later: &Faces) -> bool {
        let asked = block.faces.and(&later.or(&block.shown));
        let states =
            self.kinds.by_class(&asked).iter().fold(1, |all: u64, class| all.saturating_mul(class.len() as u64 + 1));
        let counts = block.counts.iter().fold(1, |all: u64, count| all.saturating_mul(u64::from(*count) + 1));
        states <= MOST_SHOWN && 2 * states <= counts.saturating_mul(counts)
    }

    /// The two ways to learn whether any die of a block shows a face.
    pub(super) fn shown_or_not(&self, block: &Block, place: u32) -> Vec<(UBig, Vec<Block>)> {
        let one = Faces::one(place);
        let without = Block { faces: block.faces.without(&one), ..block.clone() };
        let with = Block { shown: block.shown.or(&one), ..block.clone() };
        let told = |part: Block| match part.faces.single() {
            None => (part.mass(&self.kinds), vec![part]),
            Some(place) => (part.mass(&self.kinds), vec![Block::known(place, part.count() as u32)]),
        };
        let parts = [without, with].map(told).into_iter().filter(|(mass, _)| !mass.is_zero());
        // What is known has its mass in its ways.
        parts.map(|(mass, part)| (if part[0].is_open() { UBig::ONE } else { mass }, part)).collect()
    }

    /// A block without what nobody can ask for any more, if it only matters what is shown at all.
    pub(super) fn showing_only(&self, block: &Block, asked: &Faces) -> Vec<Block> {
        let wanted = block.faces.and(asked);
        if !block.is_open() || wanted.without(&block.shown).is_empty() {
            return wanted.iter().map(|place| Block::known(place, 1)).collect();
        }
        let (mut faces, mut shown) = (wanted, block.shown.and(asked));
        let dead = Faces::all(self.kinds.faces.len()).without(asked);
        for class in self.kinds.by_class(&dead) {
            let first = |of: &Faces| {
                let count = class.iter().filter(|place| of.contains(**place)).count();
                Faces::collect(class.iter().copied().take(count))
            };
            (faces, shown) = (faces.or(&first(&block.faces)), shown.or(&first(&block.shown)));
        }
        vec![Block { faces, shown, counts: block.counts.clone() }]
    }
}

impl Block {
    /// What all its ways add up to.
    pub(super) fn mass(&self, kinds: &Kinds) -> UBig {
        if self.shown.is_empty() {
            let counts = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
            return counts.map(|(kind, count)| kinds.mass(kind, &self.faces, *count)).product();
        }
        let mut classes: Vec<Class> = Vec::new();
        for place in self.faces.iter() {
            let (first, shown) = (kinds.class(place), u32::from(self.shown.contains(place)));
            match classes.iter_mut().find(|class| class.first == first) {
                Some(class) => (class.faces, class.shown) = (class.faces + 1, class.shown + shown),
                None => classes.push(Class { first, faces: 1, shown }),
            }
        }
        kinds.mass_showing((self.counts.clone(), classes))
    }
}

impl Kinds {
    /// `mass(A ∪ {i}) = mass(A) − mass(A without the face i)`, with all that was found out before.
    fn mass_showing(&self, showing: Showing) -> UBig {
        if let Some(mass) = self.known_showing(&showing) {
            return mass;
        }
        let (counts, classes) = &showing;
        let mass = match classes.iter().position(|class| class.shown > 0) {
            None => (0..counts.len()).map(|kind| self.mass_of_classes(kind, counts[kind], classes)).product(),
            Some(at) => {
                let mut less = showing.clone();
                less.1[at].shown -= 1;
                let all = self.mass_showing(less.clone());
                less.1[at].faces -= 1;
                all - self.mass_showing(less)
            }
        };
        self.knows_showing(showing, mass.clone());
        mass
    }

    fn mass_of_classes(&self, kind: usize, count: u32, classes: &[Class]) -> UBig {
        let weight = |class: &Class| &self.kinds[kind].numbers()[class.first as usize] * class.faces;
        self.mass_of(kind, &classes.iter().map(weight).sum(), count)
    }
}
