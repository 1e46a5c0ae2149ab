//! What is known of the dice of a hidden pool: blocks in the order of their faces. Equal ones are one (hash consing), and
//! what is asked of them is found out once: how many there are, their mass, what a look shows or needs to know.

use super::given::Given;
use super::{Faces, Kinds, Owner};
use crate::map::HashMap;
use crate::outcome::Outcome;
use dashu_int::UBig;
use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;
use tumble_core::prim::Prim;
use tumble_core::{Value, sort};

/// Dice of which this is known: they show these faces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) faces: Faces,
    /// How many of each kind; of dice that show one face only their number matters.
    pub(super) counts: Vec<u32>,
    /// Faces that one of them shows at least, if it is not known which faces they show.
    pub(super) shown: Faces,
}

impl Block {
    /// Dice that show one face.
    pub(super) fn known(place: u32, count: u32) -> Block {
        Block::of(Faces::one(place), vec![count])
    }

    /// Dice that show some faces.
    pub(super) fn of(faces: Faces, counts: Vec<u32>) -> Block {
        Block { faces, counts, shown: Faces::default() }
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// Whether it is not known which faces its dice show.
    pub(super) fn is_open(&self) -> bool {
        self.faces.single().is_none()
    }
}

/// All dice of a pool.
#[derive(Debug)]
pub(super) struct Dice {
    /// In the order of their faces; each die is in one.
    pub(super) blocks: Vec<Block>,
    /// What they are known to have led to, as long as something is hidden.
    pub(super) given: Option<Given>,
    pub(super) count: u64,
    hash: u64,
    known: OnceCell<Option<Value>>,
    mass: OnceCell<UBig>,
    pub(super) looks: RefCell<HashMap<Look, Found>>,
    /// What it can reveal, by how many dice show some faces and by whether any does.
    pub(super) parts: RefCell<[HashMap<Faces, Parts>; 2]>,
    pub(super) forgot: RefCell<Vec<Forgot>>,
}

/// What is left when that is forgotten which no look from some place on can ask for, if the looks depend on these values.
#[derive(Debug)]
pub(super) struct Forgot {
    pub(super) site: Site,
    pub(super) seen: Vec<Option<Outcome>>,
    pub(super) left: Found,
}

/// A place in a program, and a variable.
pub(crate) type Site = (u32, u32);

/// A row with its other arguments.
pub(super) type Look = (RowId, Vec<Value>);

/// In how many ways which dice show one of some faces.
pub(super) type Parts = Rc<[(UBig, Rc<Dice>)]>;

/// A row by its place: it is only equal to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowId(*const Prim);

/// What a look at some dice gives.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The dice as they are.
    Same,
    /// Some of them.
    Dice(Rc<Dice>),
    Value(Value),
    /// These faces must be told from the others first.
    Needs(Faces),
}

impl Dice {
    /// Blocks in order. What is known of dice that are all known is nothing new.
    pub(super) fn new(blocks: Vec<Block>, given: Option<Given>) -> Dice {
        let given = given.filter(|_| blocks.iter().any(Block::is_open));
        let hash = rustc_hash::FxBuildHasher.hash_one((&blocks, &given));
        let count = blocks.iter().map(Block::count).sum();
        let (looks, parts, forgot) = (RefCell::default(), RefCell::default(), RefCell::default());
        Dice { blocks, given, count, hash, known: OnceCell::new(), mass: OnceCell::new(), looks, parts, forgot }
    }

    /// The blocks whose faces are not known.
    pub(super) fn open(&self) -> impl DoubleEndedIterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.is_open())
    }

    /// The members, if all are known.
    pub(super) fn known(&self, kinds: &Kinds) -> Option<&Value> {
        let members = || {
            let mut members = Vec::with_capacity(self.count as usize);
            for block in &self.blocks {
                let face = &kinds.faces[block.faces.single()? as usize];
                members.extend((0..block.count()).map(|_| face.clone()));
            }
            Some(Value::pool(members))
        };
        self.known.get_or_init(members).as_ref()
    }

    /// What all ways add up to; known faces have theirs already.
    pub(super) fn mass(&self, kinds: &Kinds) -> &UBig {
        self.mass.get_or_init(|| match &self.given {
            Some(given) => given.ways(),
            None => self.open().map(|block| block.mass(kinds)).product(),
        })
    }

    /// About how much room they take with what was found out.
    pub(super) fn size(&self) -> u64 {
        4 + self.blocks.iter().map(|block| 2 + block.counts.len() as u64).sum::<u64>()
    }
}

impl From<&Prim> for RowId {
    fn from(row: &Prim) -> RowId {
        RowId(row)
    }
}

impl PartialEq for Dice {
    fn eq(&self, other: &Dice) -> bool {
        let same = || self.hash == other.hash && (&self.blocks, &self.given) == (&other.blocks, &other.given);
        std::ptr::eq(self, other) || same()
    }
}

impl Eq for Dice {}

impl PartialOrd for Dice {
    fn partial_cmp(&self, other: &Dice) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dice {
    fn cmp(&self, other: &Dice) -> Ordering {
        (&self.blocks, &self.given).cmp(&(&other.blocks, &other.given))
    }
}

impl Hash for Dice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// The variables whose pools another one is made of; most often none, or one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Owners {
    #[default]
    None,
    One(Owner),
    Many(Rc<[Owner]>),
}

impl std::ops::Deref for Owners {
    type Target = [Owner];

    fn deref(&self) -> &[Owner] {
        match self {
            Owners::None => &[],
            Owners::One(owner) => std::slice::from_ref(owner),
            Owners::Many(owners) => owners,
        }
    }
}

impl Owners {
    /// All of both.
    pub(super) fn and(&self, other: &Owners) -> Owners {
        match (self, other) {
            (own, Owners::None) | (Owners::None, own) => own.clone(),
            _ => Owners::Many(self.iter().chain(other.iter()).copied().collect()),
        }
    }
}

/// Blocks without empty ones, in the order of their faces; equal known faces are one, and dice that are alike on the
/// faces they can still show are of one kind.
pub(super) fn in_order(kinds: &Kinds, mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.retain(|block| block.count() > 0);
    sort::sort(&mut blocks);
    blocks.dedup_by(|block, before| {
        let same = block.faces == before.faces && !block.is_open();
        if same {
            before.counts[0] += block.counts[0];
        }
        same
    });
    for block in blocks.iter_mut().filter(|block| block.counts.len() > 1) {
        for (kind, alike) in kinds.alike(&block.faces).iter().enumerate().filter(|(kind, alike)| kind != *alike) {
            block.counts[*alike] += std::mem::take(&mut block.counts[kind]);
        }
    }
    blocks
}

/// Known members in ascending order. Those that nobody sees show what the next lower one shows that is seen, or the next
/// higher, or else this.
pub(super) fn level(members: &[u32], seen: &[bool], other: Option<u32>) -> Vec<Block> {
    let known: Vec<(usize, u32)> = members.iter().copied().enumerate().filter(|(i, _)| seen[*i]).collect();
    let shows = |i: usize| {
        let lower = known.iter().rev().find(|(at, _)| *at <= i);
        lower.or(known.first()).map(|(_, face)| *face).or(other).unwrap_or(members[0])
    };
    (0..members.len()).map(|i| Block::known(shows(i), 1)).collect()
}
