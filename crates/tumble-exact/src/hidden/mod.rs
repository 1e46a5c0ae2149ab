//! Pools that stay hidden: dice that were rolled and that nobody has looked at.
//!
//! A hidden pool is a list of [`Block`]s: so many dice of each kind, of which only a set of faces is known that they
//! show. At first that is one block with all faces. A look at the pool that needs to know how many dice show one of some
//! faces *reveals* that: each block with faces inside and outside the set is split in two,
//!
//! ```text
//! c dice with faces B   →   s dice with faces B ∩ S and c − s dice with faces B \ S,   in C(c, s) ways
//! ```
//!
//! and what is in each part stays hidden. A pool stands for its [mass](Hidden::mass): the product over its blocks of
//! (weight of the faces)^dice. So the ways of a split times the mass of each result add up to the mass before, and no
//! fraction appears until something is forgotten: then its mass becomes a factor.
//!
//! Cards dealt from a deck are blocks too: c cards out of K have mass C(K, c), and a split has one way (Vandermonde's
//! identity adds up the masses).

mod dice;
mod faces;
mod given;
mod kinds;
mod look;
mod order;
mod presence;
mod reading;

use crate::dist::Dist;
use crate::law::{Bunch, Part, Source};
use crate::outcome::{self, Outcome, Stop};
use crate::weight::bits;
use dashu_int::UBig;
pub(crate) use dice::Site;
use dice::{Block, Dice, Forgot, Owners, Parts, in_order, level};
pub(crate) use faces::Faces;
pub(crate) use given::{Node, ways_to};
use kinds::{Kind, Kinds};
pub(crate) use look::apply;
pub(crate) use order::lowest;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use tumble_core::sort;
use tumble_core::{Budget, Slot, Value};

/// A pool that is known in part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hidden {
    kinds: Rc<Kinds>,
    dice: Rc<Dice>,
    /// The variables whose pools it is made of, where others look at those too; then only they may reveal it.
    pub(crate) shared: Owners,
    /// Whether only one call takes it over, and all others ask for what is known already.
    pub(crate) passes: bool,
}

/// Which kinds of dice a pool has: only equal to itself.
#[derive(Clone, Debug)]
pub(crate) struct KindsId(Rc<Kinds>);

impl PartialEq for KindsId {
    fn eq(&self, other: &KindsId) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for KindsId {}

impl Hash for KindsId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// A variable, and the walk in whose states it is.
pub(crate) type Owner = (u32, Slot);

/// Kinds differ seldom, and are long.
impl Hash for Hidden {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.dice, &self.shared).hash(state);
    }
}

/// More dice than this are not hidden: their binomials are too long.
const MOST_DICE: u64 = 5_000;
const MOST_FACES: usize = 10_000;

/// For how many values it is remembered what some dice forget.
const MOST_FORGOT: usize = 24;

impl Hidden {
    /// A collection in independent parts as a hidden pool, if each part is one die or known.
    pub(crate) fn of(bunch: &Bunch) -> Option<Hidden> {
        if !bunch.stages.is_empty() || bunch.list {
            return None;
        }
        if let Some(hidden) = &bunch.hidden {
            return Some(hidden.clone());
        }
        let all = bunch.parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.times));
        let mut faces: Vec<&Value> = Vec::new();
        for part in &bunch.parts {
            faces.extend(members(part)?);
        }
        sort::sort(&mut faces);
        faces.dedup();
        if all > MOST_DICE || faces.len() > MOST_FACES {
            return None;
        }
        let place = |face: &Value| faces.binary_search(&face).ok();
        let (mut kinds, mut counts, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
        for part in &bunch.parts {
            let mut weights = vec![UBig::ZERO; faces.len()];
            let kind = match &part.source {
                Source::Each(dist) => {
                    if let Some(Outcome::Known(value)) = dist.certain() {
                        for member in outcome::chunk(value)? {
                            *known.entry(place(member)? as u32).or_insert(0) += u32::try_from(part.times).ok()?;
                        }
                        continue;
                    }
                    for (outcome, weight) in &dist.items {
                        let [face] = outcome.known().and_then(outcome::chunk)? else { return None };
                        weights[place(face)?] += weight;
                    }
                    Kind::Dice(weights)
                }
                Source::Deck(deck) => {
                    for (card, copies) in deck.iter() {
                        weights[place(card)?] += UBig::from(*copies);
                    }
                    Kind::Deck(weights)
                }
                Source::Chain(_) => return None,
            };
            kinds.push(kind);
            counts.push(u32::try_from(part.times).ok()?);
        }
        let everything = Faces::all(faces.len());
        let kinds = Rc::new(Kinds::new(faces.into_iter().cloned().collect(), kinds));
        let mut blocks: Vec<Block> = known.into_iter().map(|(place, count)| Block::known(place, count)).collect();
        if counts.iter().any(|count| *count > 0) {
            blocks.push(Block::of(everything, counts));
        }
        Some(Hidden::new(kinds, blocks))
    }

    /// A pool of its own.
    fn new(kinds: Rc<Kinds>, blocks: Vec<Block>) -> Hidden {
        let dice = kinds.unique(Dice::new(in_order(&kinds, blocks), None));
        Hidden { kinds, dice, shared: Owners::None, passes: false }
    }

    /// The same as a pool of its own.
    pub(crate) fn owned(&self) -> Hidden {
        Hidden { shared: Owners::None, passes: false, ..self.clone() }
    }

    /// The same where others look at it too: only the variable it is in may reveal it.
    pub(crate) fn lent_by(&self, owner: Owner) -> Hidden {
        Hidden { shared: Owners::One(owner), passes: false, ..self.clone() }
    }

    /// The same in a variable of somebody who does not own it.
    pub(crate) fn still_lent(&self) -> Hidden {
        Hidden { passes: false, ..self.clone() }
    }

    fn with_dice(&self, dice: Rc<Dice>) -> Hidden {
        Hidden { dice, ..self.clone() }
    }

    /// The same dice with something else known of them.
    fn with_blocks(&self, blocks: Vec<Block>) -> Hidden {
        self.with_dice(self.dice_of(in_order(&self.kinds, blocks)))
    }

    /// These blocks, of which the same is known as of its own.
    fn dice_of(&self, blocks: Vec<Block>) -> Rc<Dice> {
        let dice = Dice::new(blocks, self.dice.given.clone());
        // What dice are known to have led to holds pools of the same kinds: they may not be held by those.
        if dice.given.is_some() { Rc::new(dice) } else { self.kinds.unique(dice) }
    }

    /// Its kinds, to remember something by.
    pub(crate) fn kinds_id(&self) -> KindsId {
        KindsId(self.kinds.clone())
    }

    /// How many dice there are.
    pub(crate) fn count(&self) -> u64 {
        self.dice.count
    }

    /// How much it costs to hold.
    pub(crate) fn size(&self) -> u64 {
        self.dice.size()
    }

    /// The members, if all are known.
    pub(crate) fn known(&self) -> Option<&Value> {
        self.dice.known(&self.kinds)
    }

    /// What all its ways add up to; known faces have theirs already.
    pub(crate) fn mass(&self) -> &UBig {
        self.dice.mass(&self.kinds)
    }

    /// As a value in a variable: a plain one if all is known.
    pub(crate) fn outcome(self) -> Outcome {
        match self.known() {
            Some(value) => Outcome::Known(value.clone()),
            None => Outcome::Pool(self),
        }
    }

    /// As a collection in independent parts; what must be known before, if they are not.
    pub(crate) fn bunch(&self) -> Result<Bunch, Stop> {
        if self.is_tied() {
            self.all_known()?;
        }
        let mut parts = Vec::new();
        for block in &self.dice.blocks {
            if let Some(place) = block.faces.single() {
                let face = Value::pool(vec![self.kinds.faces[place as usize].clone()]);
                let known = Rc::new(Dist::one(Outcome::Known(face)));
                parts.push(Part { times: block.count(), source: Source::Each(known) });
                continue;
            }
            for (kind, count) in block.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let source = self.kinds.source(kind, &block.faces);
                parts.push(Part { times: u64::from(*count), source });
            }
        }
        Ok(Bunch { hidden: Some(self.owned()), ..Bunch::pool(parts) })
    }

    /// The pool with more known: in how many ways which dice show one of these faces. If all that is asked from now on
    /// is whether any die shows one of the `later` faces, perhaps only that.
    pub(crate) fn revealed(
        &self,
        asked: &Faces,
        later: Option<&Faces>,
        budget: &mut Budget,
    ) -> Result<Vec<(UBig, Hidden)>, Stop> {
        let both = |block: &Block| !block.faces.and(asked).is_empty() && !block.faces.without(asked).is_empty();
        if !self.dice.blocks.iter().any(both) {
            return Ok(vec![(UBig::ONE, self.clone())]);
        }
        if let Some(given) = &self.dice.given {
            budget.step(20)?;
            return Ok(self.read(given));
        }
        let how = usize::from(later.is_some());
        let known = self.dice.parts.borrow()[how].get(asked).cloned();
        let parts = match known {
            Some(parts) => parts,
            None => {
                let parts: Parts = self.splits(asked, later, budget)?.into();
                self.kinds.hold(4 * parts.len() as u64);
                self.dice.parts.borrow_mut()[how].insert(asked.clone(), parts.clone());
                parts
            }
        };
        budget.step(2 * parts.len() as u64)?;
        Ok(parts.iter().map(|(ways, dice)| (ways.clone(), self.with_dice(dice.clone()))).collect())
    }

    /// All ways to split all blocks, of which some have faces on both sides.
    fn splits(&self, asked: &Faces, later: Option<&Faces>, budget: &mut Budget) -> Result<Vec<(UBig, Rc<Dice>)>, Stop> {
        let mut open = vec![(UBig::ONE, vec![])];
        for block in &self.dice.blocks {
            let parts = self.block_parts(block, asked, later, budget)?;
            let mut longer = Vec::with_capacity(open.len() * parts.len());
            for (ways, blocks) in &open {
                budget.step(4 * parts.len() as u64)?;
                for (more, part) in &parts {
                    longer.push((ways * more, blocks.iter().chain(part).cloned().collect::<Vec<Block>>()));
                }
            }
            open = longer;
        }
        Ok(open.into_iter().map(|(ways, blocks)| (ways, self.dice_of(in_order(&self.kinds, blocks)))).collect())
    }

    /// All ways to split one block.
    fn block_parts(
        &self,
        block: &Block,
        asked: &Faces,
        later: Option<&Faces>,
        budget: &mut Budget,
    ) -> Result<Vec<(UBig, Vec<Block>)>, Stop> {
        let (inside, outside) = (block.faces.and(asked), block.faces.without(asked));
        if inside.is_empty() || outside.is_empty() {
            return Ok(vec![(UBig::ONE, vec![block.clone()])]);
        }
        if let Some(later) = later
            && let Some(place) = inside.without(&block.shown).single()
            && self.shows_at_all(block, later)
        {
            budget.step(10)?;
            return Ok(self.shown_or_not(block, place));
        }
        self.split(block, &inside, &outside, budget)
    }

    /// All ways to split one block, kind by kind.
    fn split(
        &self,
        block: &Block,
        inside: &Faces,
        outside: &Faces,
        budget: &mut Budget,
    ) -> Result<Vec<(UBig, Vec<Block>)>, Stop> {
        let mut open: BTreeMap<(Vec<u32>, Vec<u32>), UBig> = BTreeMap::from([((vec![], vec![]), UBig::ONE)]);
        for (kind, &count) in block.counts.iter().enumerate() {
            let shares = self.kinds.shares(kind, count, inside, outside);
            let mut longer = BTreeMap::new();
            for ((within, rest), ways) in open {
                for (s, more) in &shares {
                    budget.step(4 + bits(&ways) / 64)?;
                    let key = (joined(&within, *s, inside), joined(&rest, count - s, outside));
                    *longer.entry(key).or_insert(UBig::ZERO) += &ways * more;
                }
            }
            open = longer;
        }
        let part = |faces: &Faces, counts: Vec<u32>| {
            let part = Block { faces: faces.clone(), counts, shown: block.shown.and(faces) };
            if part.shown.is_empty() {
                return Some(part);
            }
            match part.is_open() {
                true => (!part.mass(&self.kinds).is_zero()).then_some(part),
                false => (part.count() > 0).then(|| Block::of(part.faces, part.counts)),
            }
        };
        let parts = open
            .into_iter()
            .filter_map(|((within, rest), ways)| Some((ways, vec![part(inside, within)?, part(outside, rest)?])));
        Ok(parts.collect())
    }

    /// What is left after something is forgotten at a place where that depends on these values, if it was found out before.
    pub(crate) fn forgot<'s>(
        &self,
        site: Site,
        seen: impl Iterator<Item = &'s Option<Outcome>> + Clone,
    ) -> Option<Outcome> {
        let forgot = self.dice.forgot.borrow();
        let found = forgot.iter().find(|forgot| forgot.site == site && forgot.seen.iter().eq(seen.clone()))?;
        Some(look::shown(self, &found.left))
    }

    /// Remembers that.
    pub(crate) fn forgets<'s>(&self, site: Site, seen: impl Iterator<Item = &'s Option<Outcome>>, left: &Hidden) {
        let seen: Vec<Option<Outcome>> = seen.cloned().collect();
        // What holds pools may not be held by one.
        if self.dice.forgot.borrow().len() < MOST_FORGOT
            && !seen.iter().any(|value| matches!(value, Some(Outcome::Pool(_))))
        {
            self.kinds.hold(4 + seen.len() as u64);
            let left = self.found(left.dice.clone());
            self.dice.forgot.borrow_mut().push(Forgot { site, seen, left });
        }
    }

    /// Only the blocks that show one of the faces which later looks can ask for; `some` if they only ask whether any die
    /// shows it.
    pub(crate) fn remembering(&self, asked: &Faces, some: bool) -> Hidden {
        let kept = self.dice.blocks.iter().filter(|block| !block.faces.and(asked).is_empty());
        if !some || self.is_given() {
            let capped = |block: &Block| match block.faces.single() {
                Some(place) if some => Block::known(place, 1),
                _ => block.clone(),
            };
            return self.with_dice(self.dice_of(kept.map(capped).collect()));
        }
        self.with_blocks(kept.flat_map(|block| self.showing_only(block, asked)).collect())
    }

    /// The same for looks at the members at some places in ascending order: each known member that no look sees shows the
    /// same as its neighbours, so far as the order stays.
    pub(crate) fn levelled(&self, seen: &[bool]) -> Hidden {
        let ordered = self.dice.blocks.windows(2).all(|pair| match (pair[0].faces.ends(), pair[1].faces.ends()) {
            (Some((_, high)), Some((low, _))) => high < low,
            _ => false,
        });
        if !ordered || self.is_tied() || seen.len() as u64 != self.count() {
            return self.clone();
        }
        let (mut blocks, mut at, mut next) = (vec![], 0, 0);
        while let Some(block) = self.dice.blocks.get(next) {
            if block.faces.single().is_none() {
                at += block.count() as usize;
                next += 1;
                blocks.push(block.clone());
                continue;
            }
            let known = |block: &Block| Some(std::iter::repeat_n(block.faces.single()?, block.count() as usize));
            let run: Vec<_> = self.dice.blocks[next..].iter().map_while(known).collect();
            let ends = |block: Option<&Block>| block.and_then(|block| block.faces.ends());
            let below =
                next.checked_sub(1).and_then(|before| ends(self.dice.blocks.get(before))).map(|(_, high)| high + 1);
            next += run.len();
            let above = ends(self.dice.blocks.get(next)).map(|(low, _)| low - 1);
            let members: Vec<u32> = run.into_iter().flatten().collect();
            blocks.extend(level(&members, &seen[at..at + members.len()], below.or(above)));
            at += members.len();
        }
        self.with_blocks(blocks)
    }

    /// The places of the faces in some list of all values that may be asked for.
    pub(crate) fn places(&self, asked: impl Fn(&Value) -> bool) -> Faces {
        let places = self.kinds.faces.iter().enumerate();
        Faces::collect(places.filter(|(_, face)| asked(face)).map(|(place, _)| place as u32))
    }

    /// A value at a place.
    pub(crate) fn face(&self, place: u32) -> &Value {
        &self.kinds.faces[place as usize]
    }

    /// How many faces there are.
    pub(crate) fn faces(&self) -> u32 {
        self.kinds.faces.len() as u32
    }

    /// Whether any die shows the face at a place; what to reveal if that is not known.
    pub(crate) fn shows(&self, place: u32) -> Result<bool, Faces> {
        let told = self.dice.blocks.iter().any(|block| block.shown.contains(place));
        if told { Ok(true) } else { self.showing(place).map(|count| count > 0) }
    }

    /// How many dice show the face at a place; what to reveal if that is not known.
    pub(crate) fn showing(&self, place: u32) -> Result<u64, Faces> {
        let mut count = 0;
        for block in self.dice.blocks.iter().filter(|block| block.faces.contains(place)) {
            match block.faces.single() {
                Some(_) => count += block.count(),
                None => return Err(Faces::one(place)),
            }
        }
        Ok(count)
    }
}

/// Counts by kind with one more; of one face only how many.
fn joined(counts: &[u32], more: u32, faces: &Faces) -> Vec<u32> {
    match (faces.single(), counts) {
        (Some(_), [so_far]) => vec![so_far + more],
        _ => counts.iter().copied().chain([more]).collect(),
    }
}

/// The faces of a part, each a collection of one; all members of one that is certain.
fn members(part: &Part) -> Option<Vec<&Value>> {
    let dist = match &part.source {
        Source::Each(dist) => dist,
        Source::Deck(deck) => return Some(deck.iter().map(|(card, _)| card).collect()),
        Source::Chain(_) => return None,
    };
    if let Some(outcome) = dist.certain() {
        return Some(outcome.known().and_then(outcome::chunk)?.iter().collect());
    }
    let face = |(outcome, _): &'_ (Outcome, UBig)| matches!(outcome.known().and_then(outcome::chunk), Some([_]));
    if !dist.items.iter().all(face) {
        return None;
    }
    Some(dist.items.iter().filter_map(|(outcome, _)| outcome::chunk(outcome.known()?)?.first()).collect())
}
