//! Conditioning: a hidden pool of which it is known what something made of all its dice.
//!
//! ```text
//! w := max foreach i in 1..10 do count i=x;  …  what is left to know of x, given that this w came out
//! ```
//!
//! An automaton has read the pool, one face after the other from the top down. A node is how far it has read, what was
//! left of the pool then, and its state. Among all ways through these nodes, those count that end as it is known to end:
//! their number is the mass of a node, by dynamic programming from the end. Such a pool reveals its faces in the order
//! in which they were read, since a node knows only what comes below.

use super::dice::{Block, Dice, in_order};
use super::{Faces, Hidden};
use dashu_int::UBig;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A pool on its way through an automaton.
#[derive(Debug)]
pub(crate) struct Node {
    /// What is left of the pool.
    pub(crate) left: Hidden,
    /// In how many ways so many dice show the next face, and where that leads.
    pub(crate) steps: Vec<(UBig, u64, usize)>,
}

/// What a pool is known to have led to.
#[derive(Clone, Debug)]
pub(super) struct Given {
    nodes: Rc<[Node]>,
    /// How many of the ways from each node end so.
    mass: Rc<[UBig]>,
    /// Which reading it was, and which of its ends.
    name: (u32, u32),
    at: usize,
}

impl Given {
    fn key(&self) -> ((u32, u32), usize) {
        (self.name, self.at)
    }

    pub(super) fn mass(&self) -> UBig {
        self.mass[self.at].clone()
    }
}

impl PartialEq for Given {
    fn eq(&self, other: &Given) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Given {}

impl PartialOrd for Given {
    fn partial_cmp(&self, other: &Given) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Given {
    fn cmp(&self, other: &Given) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Given {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// How many ways from each node lead to one of these.
pub(crate) fn ways_to(nodes: &[Node], ends: &[usize]) -> Vec<UBig> {
    let mut mass = vec![UBig::ZERO; nodes.len()];
    ends.iter().for_each(|end| mass[*end] = UBig::ONE);
    // Every step leads to a later node.
    for (at, node) in nodes.iter().enumerate().rev().filter(|(_, node)| !node.steps.is_empty()) {
        let ways = node.steps.iter().filter(|(.., to)| !mass[*to].is_zero());
        mass[at] = ways.map(|(ways, _, to)| ways * &mass[*to]).sum();
    }
    mass
}

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
