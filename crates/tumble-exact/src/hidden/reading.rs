//! Pools that are read by an automaton: what it is known to have led to (`given`), and the next face of one of which
//! that is known.

use super::dice::{Block, Dice, in_order};
use super::given::{Given, Node};
use super::{Faces, Hidden};
use dashu_int::UBig;
use std::rc::Rc;

impl Hidden {
    /// The faces its dice can show, if nothing else is known of any of them.
    pub(crate) fn fresh(&self) -> Option<&Faces> {
        match &self.dice.blocks[..] {
            [block] if !self.is_tied() && block.is_open() => Some(&block.faces),
            _ => None,
        }
    }

    /// Whether it is known what its dice have led to.
    pub(crate) fn is_given(&self) -> bool {
        self.dice.given.is_some()
    }

    /// Whether its dice are not independent of one another.
    pub(crate) fn is_tied(&self) -> bool {
        self.is_given() || self.dice.blocks.iter().any(|block| !block.shown.is_empty())
    }

    /// The same pool, of which it is known that it goes through these nodes to an end with this mass.
    pub(crate) fn given(&self, nodes: &Rc<[Node]>, mass: Rc<[UBig]>, name: (u32, u32)) -> Hidden {
        let given = Given { nodes: nodes.clone(), mass, name, at: 0 };
        self.with_dice(Rc::new(Dice::new(self.dice.blocks.clone(), Some(given))))
    }

    /// The pool with the next face known.
    pub(super) fn read(&self, given: &Given) -> Vec<(UBig, Hidden)> {
        let Some(open) = self.dice.open().next() else { return vec![] };
        let next = super::look::top(open);
        let known: Vec<Block> = self.dice.blocks.iter().filter(|block| !block.is_open()).cloned().collect();
        let steps = given.nodes[given.at].steps.iter().filter(|(.., to)| !given.mass[*to].is_zero());
        let part = |(ways, here, to): &(UBig, u64, usize)| {
            let shown = Block::of(Faces::clone(&next), vec![*here as u32]);
            let left = given.nodes[*to].left.dice.blocks.iter().cloned();
            let blocks = known.iter().cloned().chain([shown]).chain(left).collect();
            let given = Given { at: *to, ..given.clone() };
            (ways.clone(), self.with_dice(Rc::new(Dice::new(in_order(&self.kinds, blocks), Some(given)))))
        };
        steps.map(part).collect()
    }
}
