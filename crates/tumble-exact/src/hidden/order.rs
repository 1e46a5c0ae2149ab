//! Pools of which only the order matters: what their members show, and lower faces in place of known ones.

use super::dice::{Block, in_order};
use super::{Faces, Hidden};
use tumble_core::Value;

impl Hidden {
    /// What the known members show, and what the others can show; none if these are not few numbers.
    pub(crate) fn numbers(&self, most: usize) -> Option<(Vec<i64>, Vec<i64>)> {
        let (mut known, mut open) = (vec![], vec![]);
        for block in &self.dice.blocks {
            for place in block.faces.iter() {
                let face = self.face(place).as_int()?;
                if block.is_open() { open.push(face) } else { known.push(face) }
            }
        }
        (known.len() + open.len() <= most).then_some((known, open))
    }

    /// The lowest and the highest face that members can show that are not known.
    pub(crate) fn open_ends(&self) -> Option<(&Value, &Value)> {
        let places = || self.dice.open().filter_map(|block| block.faces.ends());
        Some((self.face(places().map(|(low, _)| low).min()?), self.face(places().map(|(_, high)| high).max()?)))
    }

    /// Lets each known member show the lowest face that compares in the same way with these numbers in ascending order;
    /// what they show then, if that is something else.
    pub(crate) fn lowered(&mut self, others: &[i64]) -> Option<Vec<i64>> {
        let (known, open) = self.numbers(usize::MAX)?;
        let faces = &self.kinds.faces;
        let place = |least: i64| faces.partition_point(|face| face.as_int().is_some_and(|face| face < least));
        let lower = |face: i64| {
            let place = lowest(face, others, &open).map_or(0, place);
            faces.get(place).and_then(Value::as_int).unwrap_or(face)
        };
        let lowered: Vec<i64> = known.iter().map(|face| lower(*face)).collect();
        if lowered == known {
            return None;
        }
        let mut next = lowered.iter();
        let moved = |block: &Block| match block.is_open() {
            true => block.clone(),
            false => {
                let place = next.next().map_or(0, |face| place(*face));
                Block { faces: Faces::one(place as u32), ..block.clone() }
            }
        };
        let blocks = self.dice.blocks.iter().map(moved).collect();
        *self = self.with_dice(self.dice_of(in_order(&self.kinds, blocks)));
        self.numbers(usize::MAX).map(|(known, _)| known)
    }
}

/// What a number may not be less than to compare with these others, in ascending order, and with what the rest of its own
/// pool can show, as this one does; none if it may be anything below it.
pub(crate) fn lowest(number: i64, others: &[i64], open: &[i64]) -> Option<i64> {
    if others.binary_search(&number).is_ok() {
        return Some(number);
    }
    others.iter().chain(open).filter(|other| **other < number).max().map(|below| below + 1)
}
