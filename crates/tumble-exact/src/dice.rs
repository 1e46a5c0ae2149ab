//! Parts as dice: each copy shows one face, or nothing.
//!
//! Methods that go through the faces in order work on these. A face may be the unlisted "above 400"
//! of a die that explodes without end; then every listed face above that bound, on any die, is put
//! with it, so that it is the largest face of all.

use crate::law::{Bunch, Source};
use crate::outcome::{self, Outcome};
use crate::weight::{bits, chosen};
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::Value;

/// Dice in groups, and what takes the place of everything if a die shows nothing that can be told.
pub(crate) struct Dice {
    pub(crate) groups: Vec<Group>,
    pub(crate) beyond: Option<Outcome>,
}

/// Equal dice.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// How many.
    pub(crate) count: u64,
    /// The weights of all faces add up to this, but for those that cannot be told.
    pub(crate) den: UBig,
    /// The weight of showing nothing.
    pub(crate) nothing: UBig,
    /// The faces in ascending order; a face is a collection of one.
    pub(crate) faces: BTreeMap<Face, UBig>,
    /// Whether they are cards of one deck, the weights being the copies of each.
    pub(crate) dealt: bool,
}

/// A face, in the order of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Face {
    /// Below everything listed.
    Below(i64),
    /// This value.
    Shows(Value),
    /// Above everything listed.
    Above(i64),
}

impl Face {
    /// The collection of this one face.
    pub(crate) fn pool(&self) -> Outcome {
        match self {
            Face::Below(bound) => Outcome::Below { bound: *bound, pooled: true, far: None },
            Face::Shows(value) => Outcome::Known(Value::pool(vec![value.clone()])),
            Face::Above(bound) => Outcome::Above { bound: *bound, pooled: true, far: None },
        }
    }
}

impl Group {
    /// How many, as an exponent.
    pub(crate) fn copies(&self) -> usize {
        usize::try_from(self.count).unwrap_or(usize::MAX)
    }

    /// The weight of all that can be told.
    pub(crate) fn whole(&self) -> UBig {
        mass(self.dealt, &(self.faces.values().sum::<UBig>() + &self.nothing), self.count)
    }
}

/// In how many ways so many dice show faces of this weight together, or so many cards are dealt of this many.
pub(crate) fn mass(dealt: bool, whole: &UBig, count: u64) -> UBig {
    match dealt {
        true => chosen(whole, count),
        false => whole.pow(usize::try_from(count).unwrap_or(usize::MAX)),
    }
}

impl Dice {
    /// How many dice there are.
    pub(crate) fn count(&self) -> u64 {
        self.groups.iter().map(|group| group.count).fold(0, u64::saturating_add)
    }

    /// How many of them can show nothing.
    pub(crate) fn may_go(&self) -> u64 {
        self.groups.iter().filter(|group| !group.nothing.is_zero()).map(|group| group.count).sum()
    }

    /// The product of all denominators.
    pub(crate) fn den(&self) -> UBig {
        self.groups.iter().map(|group| mass(group.dealt, &group.den, group.count)).product()
    }

    /// How many bits that product takes, about.
    pub(crate) fn bits(&self) -> u64 {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.count.saturating_mul(bits(&group.den))))
    }

    /// What is missing to the whole, and what it stands for.
    pub(crate) fn rest(&self, listed: &UBig, den: &UBig) -> Option<(Outcome, UBig)> {
        self.beyond.clone().map(|beyond| (beyond, den - listed))
    }
}

/// The parts as independent dice, if they are.
pub(crate) fn dice(bunch: &Bunch) -> Option<Dice> {
    if bunch.dealt() { None } else { dice_or_cards(bunch) }
}

/// The parts as dice and cards, if they are.
pub(crate) fn dice_or_cards(bunch: &Bunch) -> Option<Dice> {
    let mut groups = Vec::new();
    let mut beyond = None;
    for part in &bunch.parts {
        let dist = match &part.source {
            Source::Each(dist) => dist,
            Source::Chain(_) => return None,
            Source::Deck(deck) => {
                groups.push(cards(part.times, deck));
                continue;
            }
        };
        match dist.certain() {
            Some(Outcome::Known(value)) => {
                for member in outcome::chunk(value)? {
                    groups.push(fixed(part.times, member));
                }
            }
            _ => groups.push(rolled(part.times, &dist.den, &dist.items, &mut beyond)?),
        }
    }
    let lowest = groups.iter().flat_map(|group| group.faces.keys()).filter_map(below).max();
    let highest = groups.iter().flat_map(|group| group.faces.keys()).filter_map(above).min();
    if lowest.is_some() && highest.is_some() {
        return None;
    }
    groups.iter_mut().for_each(|group| put_together(group, lowest, highest));
    Some(Dice { groups: merged(groups), beyond })
}

fn cards(count: u64, deck: &[(Value, u64)]) -> Group {
    let card = |(card, copies): &(Value, u64)| (Face::Shows(card.clone()), UBig::from(*copies));
    let den = deck.iter().map(|(_, copies)| UBig::from(*copies)).sum();
    Group { count, den, nothing: UBig::ZERO, faces: deck.iter().map(card).collect(), dealt: true }
}

fn fixed(count: u64, member: &Value) -> Group {
    let faces = BTreeMap::from([(Face::Shows(member.clone()), UBig::ONE)]);
    Group { count, den: UBig::ONE, nothing: UBig::ZERO, faces, dealt: false }
}

fn rolled(count: u64, den: &UBig, items: &[(Outcome, UBig)], beyond: &mut Option<Outcome>) -> Option<Group> {
    let mut group = Group { count, den: den.clone(), nothing: UBig::ZERO, faces: BTreeMap::new(), dealt: false };
    for (outcome, weight) in items {
        let face = match outcome {
            Outcome::Known(value) => match outcome::chunk(value)? {
                [] => {
                    group.nothing += weight;
                    continue;
                }
                [one] => Face::Shows(one.clone()),
                _ => return None,
            },
            Outcome::Above { bound, .. } => Face::Above(*bound),
            Outcome::Below { bound, .. } => Face::Below(*bound),
            Outcome::Cut | Outcome::Unknown => {
                *beyond = beyond.take().max(Some(outcome.clone()));
                continue;
            }
            _ => return None,
        };
        *group.faces.entry(face).or_insert(UBig::ZERO) += weight;
    }
    // Dice of which nothing at all can be told are not dice.
    (!group.faces.is_empty() || !group.nothing.is_zero()).then_some(group)
}

fn below(face: &Face) -> Option<i64> {
    if let Face::Below(bound) = face { Some(*bound) } else { None }
}

fn above(face: &Face) -> Option<i64> {
    if let Face::Above(bound) = face { Some(*bound) } else { None }
}

fn put_together(group: &mut Group, lowest: Option<i64>, highest: Option<i64>) {
    if lowest.is_none() && highest.is_none() {
        return;
    }
    for (face, weight) in std::mem::take(&mut group.faces) {
        let number = if let Face::Shows(value) = &face { value.as_int() } else { None };
        let face = match (number, lowest, highest) {
            (Some(n), Some(low), _) if n < low => Face::Below(low),
            (Some(n), _, Some(high)) if n > high => Face::Above(high),
            (None, Some(low), _) if below(&face).is_some() => Face::Below(low),
            (None, _, Some(high)) if above(&face).is_some() => Face::Above(high),
            _ => face,
        };
        *group.faces.entry(face).or_insert(UBig::ZERO) += weight;
    }
}

/// Equal groups become one.
fn merged(groups: Vec<Group>) -> Vec<Group> {
    let mut all: Vec<Group> = Vec::new();
    for group in groups {
        // Cards of two decks are not those of one.
        let same = |other: &&mut Group| {
            !group.dealt
                && !other.dealt
                && other.den == group.den
                && other.nothing == group.nothing
                && other.faces == group.faces
        };
        match all.iter_mut().find(same) {
            Some(other) => other.count += group.count,
            None => all.push(group),
        }
    }
    all
}
