//! Several automata that read the same pools: their product.
//!
//! States are numbered as they are met, and so are moves, which are how many members of a face each automaton keeps. Where a
//! move leads from a state is found out once per face, so that a table is filled by looking up numbers only.

use crate::algo::automaton::{Automaton, Change};
use crate::algo::dice::Face;
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use std::borrow::Borrow;
use std::hash::Hash;
use std::rc::Rc;
use tumble_core::prim::Rank;
use tumble_core::{Budget, Fault, Value};

/// Things with their numbers.
struct Numbers<T> {
    of: HashMap<T, u32>,
    all: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers { of: HashMap::default(), all: vec![] }
    }

    fn known<Q: Eq + Hash + ?Sized>(&self, thing: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.of.get(thing).copied()
    }

    fn add(&mut self, thing: T) -> Result<u32, Stop> {
        let next = u32::try_from(self.all.len()).map_err(|_| Fault::limit("too many situations"))?;
        self.of.insert(thing.clone(), next);
        self.all.push(thing);
        Ok(next)
    }

    fn clear(&mut self) {
        self.of.clear();
        self.all.clear();
    }
}

/// One automaton with its states, and what it does at the face whose turn it is.
struct Reader<'a> {
    automaton: &'a Automaton<'a>,
    states: Numbers<Outcome>,
    changes: HashMap<u64, Change>,
    leads: HashMap<(u64, u32), u32>,
}

/// All automata together.
pub(crate) struct Product<'a> {
    readers: Vec<Reader<'a>>,
    /// The states of all; that of the only one has the same number there and here.
    states: Numbers<Rc<[u32]>>,
    face: Face,
    moves: Numbers<Rc<[u64]>>,
    leads: Vec<Vec<u32>>,
    tallies: bool,
    state: Vec<u32>,
    stay: Vec<u64>,
    /// How many bytes the states take, about.
    pub(crate) bytes: u64,
}

const UNKNOWN: u32 = u32::MAX;

impl<'a> Product<'a> {
    /// In the state before the first of these faces, which has number 0.
    pub(crate) fn new(
        automata: &'a [Automaton<'a>],
        faces: &[&Value],
        budget: &mut Budget,
    ) -> Result<Product<'a>, Stop> {
        let tallies = automata.iter().any(Automaton::tallies);
        let mut readers = Vec::with_capacity(automata.len());
        for automaton in automata {
            let mut states = Numbers::new();
            states.add(automaton.start(faces, budget)?)?;
            readers.push(Reader { automaton, states, changes: HashMap::default(), leads: HashMap::default() });
        }
        let mut states = Numbers::new();
        states.add(vec![0; readers.len()].into())?;
        let (moves, face) = (Numbers::new(), Face::Shows(Value::NOTHING));
        let (leads, state, stay) = (vec![], vec![], vec![]);
        Ok(Product { readers, states, face, moves, leads, tallies, state, stay, bytes: 0 })
    }

    /// How many states were met.
    pub(crate) fn len(&self) -> usize {
        if let [only] = self.readers.as_slice() { only.states.all.len() } else { self.states.all.len() }
    }

    /// The next face.
    pub(crate) fn look_at(&mut self, face: &Face) {
        self.face = face.clone();
        self.moves.clear();
        self.leads.clear();
        for reader in &mut self.readers {
            reader.changes.clear();
            reader.leads.clear();
        }
    }

    /// The move if the face has these ranks in the pools; none if it changes nothing.
    pub(crate) fn by(&mut self, ranks: &[Rank], budget: &mut Budget) -> Result<Option<usize>, Stop> {
        if !self.tallies && ranks.iter().all(|rank| rank.here == 0) {
            return Ok(None);
        }
        budget.step(5 * self.readers.len() as u64)?;
        self.stay.clear();
        let mut changes = false;
        for reader in &mut self.readers {
            let stay = reader.automaton.stays(&self.face, ranks);
            let idle = matches!(reader.change(&self.face, stay, budget)?, Change::None);
            changes |= !idle;
            self.stay.push(if idle { 0 } else { stay });
        }
        if !changes {
            return Ok(None);
        }
        if let Some(known) = self.moves.known(self.stay.as_slice()) {
            return Ok(Some(known as usize));
        }
        self.leads.push(vec![]);
        Ok(Some(self.moves.add(self.stay.as_slice().into())? as usize))
    }

    /// The state that a move leads to.
    pub(crate) fn lead(&mut self, from: u32, by: usize, budget: &mut Budget) -> Result<u32, Stop> {
        match self.leads[by].get(from as usize) {
            Some(to) if *to != UNKNOWN => Ok(*to),
            _ => self.found(from, by, budget),
        }
    }

    #[cold]
    fn found(&mut self, from: u32, by: usize, budget: &mut Budget) -> Result<u32, Stop> {
        budget.step(5)?;
        let stay = self.moves.all[by].clone();
        let to = if let [only] = self.readers.as_mut_slice() {
            only.lead(&self.face, from, stay[0], &mut self.bytes, budget)?
        } else {
            let states = self.states.all[from as usize].clone();
            self.state.clear();
            for ((reader, state), stay) in self.readers.iter_mut().zip(states.iter()).zip(stay.iter()) {
                self.state.push(reader.lead(&self.face, *state, *stay, &mut self.bytes, budget)?);
            }
            match self.states.known(self.state.as_slice()) {
                Some(known) => known,
                None => self.states.add(self.state.as_slice().into())?,
            }
        };
        let leads = &mut self.leads[by];
        if leads.len() <= from as usize {
            leads.resize(from as usize + 1, UNKNOWN);
        }
        leads[from as usize] = to;
        Ok(to)
    }

    /// What the views show in a state after the last face.
    pub(crate) fn shown(&self, state: u32, budget: &mut Budget) -> Result<Vec<Outcome>, Stop> {
        let alone = [state];
        let states = if let [_] = self.readers.as_slice() { &alone } else { &*self.states.all[state as usize] };
        let shown =
            |(reader, state): (&Reader<'_>, &u32)| reader.automaton.finish(&reader.states.all[*state as usize], budget);
        self.readers.iter().zip(states).map(shown).collect()
    }
}

impl Reader<'_> {
    fn change(&mut self, face: &Face, stay: u64, budget: &mut Budget) -> Result<&Change, Stop> {
        use std::collections::hash_map::Entry;
        Ok(match self.changes.entry(stay) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.automaton.change(face, stay, budget)?),
        })
    }

    fn lead(&mut self, face: &Face, from: u32, stay: u64, bytes: &mut u64, budget: &mut Budget) -> Result<u32, Stop> {
        if let Some(to) = self.leads.get(&(stay, from)) {
            return Ok(*to);
        }
        let automaton = self.automaton;
        let state = self.states.all[from as usize].clone();
        budget.step(5 + outcome::size(&state))?;
        let next = automaton.next(&state, self.change(face, stay, budget)?, budget)?;
        let to = match self.states.known(&next) {
            Some(known) => known,
            None => {
                *bytes += 96 + 24 * outcome::size(&next);
                self.states.add(next)?
            }
        };
        self.leads.insert((stay, from), to);
        Ok(to)
    }
}
