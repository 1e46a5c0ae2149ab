//! Dice of several kinds, made ready to be gone through face by face.
//!
//! Dice that have not shown a higher face can become alike, as d12, d10 and d8 are from 8 down: they are one *family*, in
//! which each kind enters when its first face comes. What counts is then how many dice of each family are left. Dice that
//! may show nothing do so first, so that the number of members is known before the first face.

use crate::dice::{Dice, Face};
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use std::collections::BTreeSet;

/// The faces in the order they are gone through, and the families of dice that show them.
pub(crate) struct Kinds {
    pub(crate) descending: bool,
    pub(crate) turns: Vec<Turn>,
    pub(crate) families: Vec<Family>,
}

/// Dice of one pool that become alike, and how many they are in the end.
pub(crate) struct Family {
    pub(crate) pool: usize,
    pub(crate) count: u64,
    /// Whether they are cards of one deck, all of which enter at its first face.
    pub(crate) dealt: bool,
}

/// One face, or nothing, which comes first.
pub(crate) struct Turn {
    pub(crate) face: Option<Face>,
    /// The families that can show it.
    pub(crate) shows: Vec<Show>,
}

/// One family at one face.
pub(crate) struct Show {
    pub(crate) family: usize,
    pub(crate) weight: UBig,
    /// The weight of this face and all that follow.
    pub(crate) whole: UBig,
    /// How many dice enter here, and a factor of all their weights, which is taken out; then the others have one too.
    pub(crate) enter: Vec<(u64, UBig)>,
    pub(crate) each: UBig,
}

/// The weights of a family at the turns that are left, the next one last.
struct Open {
    left: Vec<(usize, UBig)>,
    whole: UBig,
}

/// The weights of a die by turn.
type Weights = Vec<(usize, UBig)>;

impl Kinds {
    /// The families of the dice in some pools.
    pub(crate) fn of(pools: &[&Dice], descending: bool) -> Kinds {
        let groups = || pools.iter().enumerate().flat_map(|(pool, dice)| dice.groups.iter().map(move |g| (pool, g)));
        let all: BTreeSet<&Face> = groups().flat_map(|(_, group)| group.faces.keys()).collect();
        let mut faces: Vec<Option<&Face>> =
            if descending { all.into_iter().rev().map(Some).collect() } else { all.into_iter().map(Some).collect() };
        if groups().any(|(_, group)| !group.nothing.is_zero()) {
            faces.insert(0, None);
        }
        let mut ready: Vec<(usize, u64, Weights, bool)> = Vec::new();
        for (pool, group) in groups() {
            let weight = |face: &Option<&Face>| match face {
                None => Some(&group.nothing).filter(|weight| !weight.is_zero()),
                Some(face) => group.faces.get(face),
            };
            let own = faces.iter().enumerate().rev().filter_map(|(turn, face)| Some((turn, weight(face)?.clone())));
            ready.push((pool, group.count, own.collect(), group.dealt));
        }
        let mut kinds = Kinds { descending, turns: Vec::with_capacity(faces.len()), families: vec![] };
        let mut open: Vec<Open> = Vec::new();
        for (turn, face) in faces.into_iter().enumerate() {
            let mut shows: Vec<Show> = Vec::new();
            let here = |(.., own, _): &&(usize, u64, Weights, bool)| own.last().is_some_and(|(at, _)| *at == turn);
            for (pool, count, own, dealt) in ready.iter().filter(here) {
                kinds.enter(Family { pool: *pool, count: *count, dealt: *dealt }, own, &mut open, &mut shows);
            }
            for (family, open) in open.iter_mut().enumerate() {
                if let Some((_, weight)) = open.left.pop_if(|(at, _)| *at == turn) {
                    let place = show(&mut shows, family);
                    (shows[place].whole, shows[place].weight) = (open.whole.clone(), weight.clone());
                    open.whole -= weight;
                }
            }
            kinds.turns.push(Turn { face: face.cloned(), shows });
        }
        kinds
    }

    /// Dice join a family that shows what they show, or begin one.
    fn enter(&mut self, dice: Family, own: &[(usize, UBig)], open: &mut Vec<Open>, shows: &mut Vec<Show>) {
        let Family { pool, count, dealt } = dice;
        let (shared, own) = if dealt { (UBig::ONE, own.to_vec()) } else { primitive(own) };
        let alike = |(family, open): &(usize, &Open)| {
            let turns = || open.left.iter().map(|(turn, _)| turn).eq(own.iter().map(|(turn, _)| turn));
            let family = &self.families[*family];
            !dealt && !family.dealt && family.pool == pool && turns() && primitive(&open.left).1 == own
        };
        let found = open.iter().enumerate().find(alike).map(|(family, open)| (family, primitive(&open.left).0));
        let (family, each) = found.unwrap_or_else(|| {
            self.families.push(Family { pool, count: 0, dealt });
            open.push(Open { left: vec![], whole: UBig::ZERO });
            (open.len() - 1, UBig::ONE)
        });
        open[family] = Open { whole: own.iter().map(|(_, weight)| weight).sum(), left: own };
        self.families[family].count += count;
        let place = show(shows, family);
        shows[place].enter.push((count, shared));
        shows[place].each *= each;
    }
}

/// The place of a family at a face.
fn show(shows: &mut Vec<Show>, family: usize) -> usize {
    if let Some(place) = shows.iter().position(|show| show.family == family) {
        return place;
    }
    shows.push(Show { family, weight: UBig::ZERO, whole: UBig::ZERO, enter: vec![], each: UBig::ONE });
    shows.len() - 1
}

/// Weights and their common factor, which is taken out.
fn primitive(weights: &[(usize, UBig)]) -> (UBig, Vec<(usize, UBig)>) {
    let gcd = |shared: UBig, (_, weight): &(usize, UBig)| if shared.is_one() { shared } else { shared.gcd(weight) };
    let shared = weights.iter().fold(UBig::ZERO, gcd);
    if shared.is_zero() || shared.is_one() {
        return (UBig::ONE, weights.to_vec());
    }
    (shared.clone(), weights.iter().map(|(turn, weight)| (*turn, weight / &shared)).collect())
}
