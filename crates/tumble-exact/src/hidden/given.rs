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

use super::Hidden;
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
    pub(super) nodes: Rc<[Node]>,
    /// How many of the ways from each node end so.
    pub(super) mass: Rc<[UBig]>,
    /// Which reading it was, and which of its ends.
    pub(super) name: (u32, u32),
    pub(super) at: usize,
}

impl Given {
    fn key(&self) -> ((u32, u32), usize) {
        (self.name, self.at)
    }

    /// In how many ways it ends so from here.
    pub(super) fn ways(&self) -> UBig {
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
