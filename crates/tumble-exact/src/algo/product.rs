//! Several automata that read the same pools: their product.
//!
//! States are numbered as they are met, and so are moves, which are how many members of a face each automaton keeps. Where a
//! move leads from a state is found out once per face, so that a table is filled by looking up numbers only.

use crate::algo::automaton::{Automaton, Change};
use crate::dice::Face;
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use std::hash::Hash;
use std::rc::Rc;
use tumble_core::prim::Rank;
use tumble_core::{Budget, Fault, Value};

/// All automata together.
pub(crate) struct Product<'a> {
    automata: &'a [Automaton<'a>],
    /// What each automaton has seen so far.
    states: Numbers<Outcome>,
    /// Whether no known state is met twice, because one of them lists all members.
    lists: bool,
    /// How many bytes the states take, about.
    pub(crate) bytes: u64,
    /// How many members of a face each automaton keeps.
    stays: Numbers<u64>,
    /// What that does, and where it leads from each state.
    moves: Numbers<Change>,
    leads: Vec<Vec<u32>>,
    /// The face whose turn it is, and the moves there, if they were asked for; none changes nothing.
    face: Face,
    here: Vec<Option<Option<usize>>>,
}

/// Rows of things with their numbers.
struct Numbers<T> {
    of: HashMap<Rc<[T]>, u32>,
    all: Vec<Rc<[T]>>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers { of: HashMap::default(), all: vec![] }
    }

    /// The number, and whether it is new.
    fn number(&mut self, things: &[T]) -> Result<(u32, bool), Stop> {
        if let Some(known) = self.of.get(things) {
            return Ok((*known, false));
        }
        let next = self.add(things)?;
        self.of.insert(self.all[next as usize].clone(), next);
        Ok((next, true))
    }

    /// The number of things that were not met before and won't be met again.
    fn add(&mut self, things: &[T]) -> Result<u32, Stop> {
        self.all.push(things.into());
        u32::try_from(self.all.len() - 1).map_err(|_| Fault::limit("too many situations").into())
    }
}

/// In place of a number that was not asked for.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Where more moves lead is forgotten after the face.
const MOST_LEADS: usize = 1 << 16;

impl<'a> Product<'a> {
    /// In the state before the first of these faces, which has number 0.
    pub(crate) fn new(
        automata: &'a [Automaton<'a>],
        faces: &[&Value],
        budget: &mut Budget,
    ) -> Result<Product<'a>, Stop> {
        let start = automata.iter().map(|automaton| automaton.start(faces, budget)).collect::<Result<Vec<_>, _>>()?;
        let (mut states, stays, moves) = (Numbers::new(), Numbers::new(), Numbers::new());
        states.number(&start)?;
        let (lists, face) = (automata.iter().any(Automaton::lists), Face::Shows(Value::NOTHING));
        Ok(Product { automata, states, lists, bytes: 0, stays, moves, leads: vec![], face, here: vec![] })
    }

    /// How many states were met.
    pub(crate) fn len(&self) -> usize {
        self.states.all.len()
    }

    /// The next face; whether ranks alone say how many stay of it.
    pub(crate) fn look_at(&mut self, face: &Face) -> bool {
        self.face = face.clone();
        self.here.clear();
        if self.leads.iter().map(Vec::len).sum::<usize>() > MOST_LEADS {
            self.moves = Numbers::new();
            self.leads.clear();
        }
        matches!(face, Face::Shows(_)) && !self.automata.iter().any(Automaton::sees_faces)
    }

    /// How many members stay if the face has these ranks in the pools, as a number.
    pub(crate) fn stays(&mut self, ranks: &[Rank], budget: &mut Budget) -> Result<u32, Stop> {
        budget.step(5 * self.automata.len() as u64)?;
        let stays: Vec<u64> = self.automata.iter().map(|automaton| automaton.stays(&self.face, ranks)).collect();
        self.stays.number(&stays).map(|(number, _)| number)
    }

    /// The move if so many members stay; none if that changes nothing.
    pub(crate) fn by(&mut self, stays: u32, budget: &mut Budget) -> Result<Option<usize>, Stop> {
        if let Some(Some(known)) = self.here.get(stays as usize) {
            return Ok(*known);
        }
        let each = self.automata.iter().zip(self.stays.all[stays as usize].iter());
        let changes = each.map(|(automaton, stay)| automaton.change(&self.face, *stay, budget));
        let changes = changes.collect::<Result<Vec<_>, _>>()?;
        let idle = changes.iter().all(|change| *change == Change::None);
        let by = if idle { None } else { Some(self.moves.number(&changes)?.0 as usize) };
        self.leads.resize(self.moves.all.len(), vec![]);
        self.here.resize(self.here.len().max(stays as usize + 1), None);
        self.here[stays as usize] = Some(by);
        Ok(by)
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
        let mut next = Vec::with_capacity(self.automata.len());
        let changes = self.moves.all[by].iter();
        for ((automaton, change), state) in self.automata.iter().zip(changes).zip(self.states.all[from as usize].iter())
        {
            budget.step(5 + outcome::size(state))?;
            next.push(automaton.next(state, change, budget)?);
        }
        let once = self.lists && next.iter().all(|state| state.known().is_some());
        let (to, new) = if once { (self.states.add(&next)?, true) } else { self.states.number(&next)? };
        if new {
            self.bytes += bytes(&next);
        }
        let leads = &mut self.leads[by];
        if leads.len() <= from as usize {
            leads.resize(from as usize + 1, UNKNOWN);
        }
        leads[from as usize] = to;
        Ok(to)
    }

    /// Collections that were continued are not met again: only those in these states are held.
    pub(crate) fn forget(&mut self, live: impl Iterator<Item = u32>) {
        if !self.lists {
            return;
        }
        let mut kept = vec![false; self.states.all.len()];
        live.for_each(|state| kept[state as usize] = true);
        let nothing: Rc<[Outcome]> = Rc::from([]);
        for (state, kept) in self.states.all.iter_mut().zip(kept).skip(1) {
            if !kept && !state.is_empty() && state.iter().all(|outcome| outcome.known().is_some()) {
                self.bytes = self.bytes.saturating_sub(bytes(state));
                *state = nothing.clone();
            }
        }
    }

    /// What the views show in a state after the last face.
    pub(crate) fn shown(&self, state: u32, budget: &mut Budget) -> Result<Vec<Outcome>, Stop> {
        let states = self.states.all[state as usize].iter();
        self.automata.iter().zip(states).map(|(automaton, state)| automaton.finish(state, budget)).collect()
    }
}

/// How many bytes a state takes, about.
fn bytes(state: &[Outcome]) -> u64 {
    state.iter().map(|outcome| 96 + 24 * outcome::size(outcome)).sum()
}
