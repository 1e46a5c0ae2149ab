//! The kinds of dice and decks in a hidden pool: in how many ways they show some of their faces.

use super::Faces;
use super::dice::{Dice, Look, RowId};
use crate::dist::Dist;
use crate::law::Source;
use crate::map::{HashMap, HashSet};
use crate::outcome::Outcome;
use crate::weight::{binomials, chosen};
use dashu_int::UBig;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use tumble_core::Value;
use tumble_core::prim::Prim;

/// What can be shown: all faces in ascending order, and the kinds of dice.
#[derive(Debug)]
pub(super) struct Kinds {
    pub(super) faces: Vec<Value>,
    pub(super) kinds: Vec<Kind>,
    /// What was found out before.
    known: RefCell<Known>,
}

/// Members that are alike, with a number for each face.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Independent dice: the weight of each face.
    Dice(Vec<UBig>),
    /// Cards from one deck, none of them twice: the copies of each face.
    Deck(Vec<UBig>),
}

/// How many faces that are alike can be shown, and how many of them are shown at least; the first of all that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class {
    pub(super) first: u32,
    pub(super) faces: u32,
    pub(super) shown: u32,
}

/// So many dice of each kind, with these faces.
pub(super) type Showing = (Vec<u32>, Vec<Class>);

#[derive(Debug, Default)]
struct Known {
    alike: HashMap<Faces, Rc<[usize]>>,
    mass: HashMap<(usize, Faces, u32), UBig>,
    kept: HashMap<Look, Rc<Faces>>,
    checked: HashSet<Look>,
    classes: Option<Rc<[u32]>>,
    showing: HashMap<Showing, UBig>,
    worth: HashMap<RowId, Rc<[Value]>>,
    dice: HashSet<Rc<Dice>>,
    /// How much is remembered of those.
    held: u64,
}

/// When more is remembered, everything is forgotten.
const MOST_HELD: u64 = 2_000_000;

/// What was found out is the same for all.
impl PartialEq for Kinds {
    fn eq(&self, other: &Kinds) -> bool {
        std::ptr::eq(self, other) || (&self.faces, &self.kinds) == (&other.faces, &other.kinds)
    }
}

impl Eq for Kinds {}

impl PartialOrd for Kinds {
    fn partial_cmp(&self, other: &Kinds) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kinds {
    fn cmp(&self, other: &Kinds) -> std::cmp::Ordering {
        (&self.faces, &self.kinds).cmp(&(&other.faces, &other.kinds))
    }
}

impl Kind {
    pub(super) fn numbers(&self) -> &[UBig] {
        match self {
            Kind::Dice(weights) => weights,
            Kind::Deck(copies) => copies,
        }
    }

    /// The same on some faces of a longer list.
    pub(super) fn moved(&self, place: impl Fn(u32) -> u32, faces: usize) -> Kind {
        let mut numbers = vec![UBig::ZERO; faces];
        self.numbers().iter().enumerate().for_each(|(old, n)| numbers[place(old as u32) as usize] = n.clone());
        match self {
            Kind::Dice(_) => Kind::Dice(numbers),
            Kind::Deck(_) => Kind::Deck(numbers),
        }
    }
}

impl Kinds {
    pub(super) fn new(faces: Vec<Value>, kinds: Vec<Kind>) -> Kinds {
        Kinds { faces, kinds, known: RefCell::default() }
    }

    /// The weight, or the copies, of some faces.
    fn whole(&self, kind: usize, faces: &Faces) -> UBig {
        faces.iter().map(|place| &self.kinds[kind].numbers()[place as usize]).sum()
    }

    /// The mass of so many of one kind that show some faces.
    pub(super) fn mass(&self, kind: usize, faces: &Faces, count: u32) -> UBig {
        let key = (kind, faces.clone(), count);
        if let Some(mass) = self.known.borrow().mass.get(&key) {
            return mass.clone();
        }
        let whole = self.whole(kind, faces);
        let mass = self.mass_of(kind, &whole, count);
        self.known.borrow_mut().mass.insert(key, mass.clone());
        mass
    }

    /// The mass of so many of one kind that show faces of this weight.
    pub(super) fn mass_of(&self, kind: usize, whole: &UBig, count: u32) -> UBig {
        match self.kinds[kind] {
            Kind::Dice(_) => whole.pow(count as usize),
            Kind::Deck(_) => chosen(whole, u64::from(count)),
        }
    }

    pub(super) fn known_showing(&self, showing: &Showing) -> Option<UBig> {
        self.known.borrow().showing.get(showing).cloned()
    }

    pub(super) fn knows_showing(&self, showing: Showing, mass: UBig) {
        self.known.borrow_mut().showing.insert(showing, mass);
    }

    /// In how many ways s of so many of one kind are inside; what is known then has its mass with it.
    pub(super) fn shares(&self, kind: usize, count: u32, inside: &Faces, outside: &Faces) -> Vec<(u32, UBig)> {
        let splits = match self.kinds[kind] {
            Kind::Dice(_) => binomials(u64::from(count)),
            Kind::Deck(_) => vec![UBig::ONE; count as usize + 1],
        };
        let mut shares = Vec::with_capacity(splits.len());
        for (s, ways) in (0..=count).zip(splits) {
            let (within, rest) = (self.mass(kind, inside, s), self.mass(kind, outside, count - s));
            if within.is_zero() || rest.is_zero() {
                continue;
            }
            let known = |faces: &Faces, mass: UBig| if faces.single().is_some() { mass } else { UBig::ONE };
            shares.push((s, ways * known(inside, within) * known(outside, rest)));
        }
        shares
    }

    /// These dice, which are one with all equal ones.
    pub(super) fn unique(&self, dice: Dice) -> Rc<Dice> {
        if let Some(same) = self.known.borrow().dice.get(&dice) {
            return same.clone();
        }
        self.hold(dice.size());
        let dice = Rc::new(dice);
        self.known.borrow_mut().dice.insert(dice.clone());
        dice
    }

    /// So much more is remembered.
    pub(super) fn hold(&self, more: u64) {
        let known = &mut *self.known.borrow_mut();
        known.held += more;
        if known.held > MOST_HELD {
            for dice in known.dice.drain() {
                dice.looks.borrow_mut().clear();
                dice.parts.borrow_mut().iter_mut().for_each(HashMap::clear);
                dice.forgot.borrow_mut().clear();
            }
            known.held = 0;
        }
    }

    /// For each kind, the first that has the same weights on some faces.
    pub(super) fn alike(&self, faces: &Faces) -> Rc<[usize]> {
        if let Some(alike) = self.known.borrow().alike.get(faces) {
            return alike.clone();
        }
        let same = |a: &Kind, b: &Kind| {
            let dice = matches!((a, b), (Kind::Dice(_), Kind::Dice(_)));
            dice && faces.iter().all(|place| a.numbers()[place as usize] == b.numbers()[place as usize])
        };
        let first = |(i, kind): (usize, &Kind)| self.kinds[..i].iter().position(|other| same(other, kind)).unwrap_or(i);
        let alike: Rc<[usize]> = self.kinds.iter().enumerate().map(first).collect();
        self.known.borrow_mut().alike.insert(faces.clone(), alike.clone());
        alike
    }

    /// Faces by class: those of one class have the same weight for each kind.
    pub(super) fn by_class(&self, faces: &Faces) -> Vec<Vec<u32>> {
        let classes = self.classes();
        let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        faces.iter().for_each(|place| all.entry(classes[place as usize]).or_default().push(place));
        all.into_values().collect()
    }

    /// The first face of the class of one.
    pub(super) fn class(&self, place: u32) -> u32 {
        self.classes()[place as usize]
    }

    /// For each face the first of its class.
    fn classes(&self) -> Rc<[u32]> {
        if let Some(classes) = &self.known.borrow().classes {
            return classes.clone();
        }
        let mut first: HashMap<Vec<&UBig>, u32> = HashMap::default();
        let class = |place: u32| {
            let weights = self.kinds.iter().map(|kind| &kind.numbers()[place as usize]).collect();
            *first.entry(weights).or_insert(place)
        };
        let classes: Rc<[u32]> = (0..self.faces.len() as u32).map(class).collect();
        self.known.borrow_mut().classes = Some(classes.clone());
        classes
    }

    /// The members of one kind that show some faces, as the source of a part.
    pub(super) fn source(&self, kind: usize, faces: &Faces) -> Source {
        let numbers = self.kinds[kind].numbers();
        let shown = faces.iter().map(|place| (self.faces[place as usize].clone(), &numbers[place as usize]));
        let shown = shown.filter(|(_, n)| !n.is_zero());
        match self.kinds[kind] {
            Kind::Dice(_) => {
                let face = |(face, n): (Value, &UBig)| (Outcome::Known(Value::pool(vec![face])), n.clone());
                let items: Vec<_> = shown.map(face).collect();
                let den = items.iter().map(|(_, weight)| weight).sum();
                Source::Each(Rc::new(Dist::sorted(items, den)))
            }
            Kind::Deck(_) => {
                Source::Deck(shown.map(|(face, n)| (face, u64::try_from(n).unwrap_or(u64::MAX))).collect())
            }
        }
    }

    /// The faces that a filter keeps, found out once for equal arguments.
    pub(super) fn kept<E>(&self, look: &Look, find: impl FnOnce() -> Result<Faces, E>) -> Result<Rc<Faces>, E> {
        if let Some(kept) = self.known.borrow().kept.get(look) {
            return Ok(kept.clone());
        }
        let kept = Rc::new(find()?);
        self.known.borrow_mut().kept.insert(look.clone(), kept.clone());
        Ok(kept)
    }

    /// What a fold gives for each face alone.
    pub(super) fn worth<E>(&self, row: &Prim, one: impl FnMut(&Value) -> Result<Value, E>) -> Result<Rc<[Value]>, E> {
        if let Some(worth) = self.known.borrow().worth.get(&row.into()) {
            return Ok(worth.clone());
        }
        let worth: Rc<[Value]> = self.faces.iter().map(one).collect::<Result<_, E>>()?;
        self.known.borrow_mut().worth.insert(row.into(), worth.clone());
        Ok(worth)
    }

    /// Sees to it that a row has nothing against its arguments, once.
    pub(super) fn checked<E>(&self, look: &Look, check: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        if !self.known.borrow().checked.contains(look) {
            check()?;
            self.known.borrow_mut().checked.insert(look.clone());
        }
        Ok(())
    }
}
