//! The law of a term: outcomes, and collections that are still in independent parts.
//!
//! `3d6` has 56 outcomes, `100d6` has ninety million; their sums have 16 and 501. So a collection
//! stays a [`Bunch`] of independent parts, with the rows that wait to be applied to it, until
//! something needs its members. A bunch has forgotten the order of its members: it is made only where
//! nothing can see the order.

use crate::dist::Dist;
use crate::fraction::lcm;
use crate::hidden::Hidden;
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::weight::first_binomials;
use dashu_int::UBig;
use std::cell::OnceCell;
use std::rc::Rc;
use tumble_core::prim::Prim;
use tumble_core::sort;
use tumble_core::{Budget, Fault, Value};

/// What a term can give: outcomes and bunches, with weights that add up to `den`.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    pub(crate) den: UBig,
    pub(crate) known: Vec<(Outcome, UBig)>,
    pub(crate) lazy: Vec<(Rc<Bunch>, UBig)>,
    /// The law with everything listed, once that was needed.
    settled: OnceCell<Rc<Dist>>,
}

/// A collection in independent parts, and the rows to apply to all of it together.
#[derive(Clone, Debug)]
pub(crate) struct Bunch {
    pub(crate) parts: Vec<Part>,
    pub(crate) stages: Vec<Stage>,
    /// Whether it is still a list of results: its items are not gathered into one collection.
    pub(crate) list: bool,
    /// The hidden pool whose parts these are, if they are one's.
    pub(crate) hidden: Option<Hidden>,
}

/// `times` independent copies of one law of collections (or of lists, before they are gathered).
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) times: u64,
    pub(crate) source: Source,
}

/// Where the members of a part come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// One of these collections.
    Each(Rc<Dist>),
    /// All collections on a walk.
    Chain(Rc<Chain>),
    /// A card of a deck, which is dealt without replacement: so the copies are not independent. The cards in ascending
    /// order, and how many copies of each there are.
    Deck(Rc<[(Value, u64)]>),
}

/// A walk from state to state that collects on its way: a loop, or a function that calls itself.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// The weights of the steps out of each state add up to this.
    pub(crate) den: UBig,
    /// The steps out of each state; the walk starts in state `start`.
    pub(crate) states: Vec<Vec<Step>>,
    pub(crate) start: usize,
    pub(crate) end: End,
}

/// One step of a walk: what it collects and where it leads; nowhere is the end.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) weight: UBig,
    pub(crate) emit: Outcome,
    pub(crate) next: Option<usize>,
}

/// When a walk ends besides by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Only by itself.
    Open,
    /// After this many steps, with what it has.
    After(u64),
    /// It is cut off after this many steps, because the asker wants it so.
    Cut(u64),
}

/// A row to be applied to the whole collection; the place for the collection holds nothing.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) row: &'static Prim,
    pub(crate) args: Vec<Value>,
    /// The second collection of a row that compares two, if it is still in parts; its place holds nothing, too.
    pub(crate) against: Option<Rc<Bunch>>,
}

impl Stage {
    /// The arguments with the collection in its place.
    pub(crate) fn with(&self, pool: &Outcome) -> Vec<Outcome> {
        let mut args: Vec<Outcome> = self.args.iter().cloned().map(Outcome::Known).collect();
        args[self.row.over] = pool.clone();
        args
    }
}

impl Law {
    /// Outcomes and bunches with weights that add up to `den`.
    pub(crate) fn new(den: UBig, known: Vec<(Outcome, UBig)>, lazy: Vec<(Rc<Bunch>, UBig)>) -> Law {
        Law { den, known, lazy, settled: OnceCell::new() }
    }

    /// One certain outcome.
    pub(crate) fn one(outcome: Outcome) -> Law {
        Law::new(UBig::ONE, vec![(outcome, UBig::ONE)], vec![])
    }

    /// One certain bunch.
    pub(crate) fn bunch(bunch: Bunch) -> Law {
        Law::shared(Rc::new(bunch))
    }

    /// One certain bunch that others hold too.
    pub(crate) fn shared(bunch: Rc<Bunch>) -> Law {
        Law::new(UBig::ONE, vec![], vec![(bunch, UBig::ONE)])
    }

    /// The law with everything listed, listing it only once.
    pub(crate) fn settled(&self, list: impl FnOnce() -> Result<Dist, Stop>) -> Result<Rc<Dist>, Stop> {
        if let Some(dist) = self.settled.get() {
            return Ok(dist.clone());
        }
        let dist = Rc::new(list()?);
        Ok(self.settled.get_or_init(|| dist).clone())
    }

    /// The only outcome, if there is only one.
    pub(crate) fn certain(&self) -> Option<&Outcome> {
        match (self.known.as_slice(), self.lazy.as_slice()) {
            ([(outcome, _)], []) => Some(outcome),
            _ => None,
        }
    }

    /// Whether it waits for a call that is not solved.
    pub(crate) fn has_holes(&self) -> bool {
        self.known.iter().any(|(outcome, _)| matches!(outcome, Outcome::Hole { .. }))
    }

    /// The mixture of laws; the weights of the parts add up to `den`.
    pub(crate) fn mix(parts: Vec<(UBig, Law)>, den: UBig, budget: &mut Budget) -> Result<Law, Stop> {
        if let [(_, _)] = parts.as_slice() {
            return Ok(parts.into_iter().next().map_or(Law::one(Outcome::Unknown), |(_, law)| law));
        }
        if parts.iter().all(|(_, law)| law.lazy.is_empty()) {
            let dists: Vec<(UBig, Dist)> =
                parts.into_iter().map(|(weight, law)| (weight, Dist { den: law.den, items: law.known })).collect();
            let views: Vec<(UBig, &Dist)> = dists.iter().map(|(weight, dist)| (weight.clone(), dist)).collect();
            return Ok(Dist::mix(&views, &den, budget)?.into());
        }
        let shared = parts.iter().fold(UBig::ONE, |shared, (_, law)| lcm(&shared, &law.den));
        let mut pile = crate::dist::Pile::default();
        let mut mixed = Law::new(den * &shared, vec![], vec![]);
        for (weight, law) in parts {
            let scale = weight * (&shared / &law.den);
            budget.step((law.known.len() + law.lazy.len()) as u64)?;
            law.known.into_iter().for_each(|(outcome, w)| pile.add(outcome, &(w * &scale)));
            mixed.lazy.extend(law.lazy.into_iter().map(|(bunch, w)| (bunch, w * &scale)));
        }
        mixed.known = pile.into_items();
        Ok(mixed)
    }
}

impl From<Dist> for Law {
    fn from(dist: Dist) -> Law {
        Law::new(dist.den, dist.items, vec![])
    }
}

/// Equal parts as one.
fn merged(parts: Vec<Part>) -> Vec<Part> {
    if parts.len() < 2 {
        return parts;
    }
    let mut places: HashMap<Rc<Dist>, usize> = HashMap::default();
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        let next = all.len();
        let place = match &part.source {
            Source::Each(dist) => *places.entry(dist.clone()).or_insert(next),
            Source::Chain(_) | Source::Deck(_) => next,
        };
        match all.get_mut(place) {
            Some(same) => same.times = same.times.saturating_add(part.times),
            None => all.push(part),
        }
    }
    all
}

impl Bunch {
    /// A collection of these parts; equal ones are put together.
    pub(crate) fn pool(parts: Vec<Part>) -> Bunch {
        Bunch { parts: merged(parts), stages: vec![], list: false, hidden: None }
    }

    /// A list of these parts.
    pub(crate) fn list(parts: Vec<Part>) -> Bunch {
        Bunch { parts, stages: vec![], list: true, hidden: None }
    }

    /// Whether cards are among its parts, which are not independent.
    pub(crate) fn dealt(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.source, Source::Deck(_)))
    }

    /// The bunch with every collected piece replaced.
    pub(crate) fn map(
        &self,
        budget: &mut Budget,
        f: &mut dyn FnMut(&Outcome, &mut Budget) -> Result<Outcome, Stop>,
    ) -> Result<Bunch, Stop> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let source = match &part.source {
                Source::Each(dist) => Source::Each(Rc::new(dist.map(budget, &mut *f)?)),
                Source::Chain(chain) => Source::Chain(Rc::new(chain.map(budget, f)?)),
                Source::Deck(deck) => {
                    parts.push(deck_part(deck, part.times, self.list, budget, f)?);
                    continue;
                }
            };
            parts.push(Part { times: part.times, source });
        }
        Ok(Bunch { parts, stages: self.stages.clone(), list: self.list, hidden: None })
    }
}

/// Cards with every piece replaced: a card for a card is a deck again, else every deal is listed.
fn deck_part(
    deck: &[(Value, u64)],
    times: u64,
    list: bool,
    budget: &mut Budget,
    f: &mut dyn FnMut(&Outcome, &mut Budget) -> Result<Outcome, Stop>,
) -> Result<Part, Stop> {
    let mut cards = Vec::with_capacity(deck.len());
    for (card, copies) in deck {
        let one = vec![card.clone()];
        let piece = f(&Outcome::Known(if list { Value::list(one) } else { Value::pool(one) }), budget)?;
        if let Some([card]) = piece.known().and_then(outcome::chunk) {
            cards.push((card.clone(), *copies));
        }
    }
    if cards.len() == deck.len() {
        return Ok(Part { times, source: Source::deck(cards) });
    }
    let as_list = |outcome: &Outcome, budget: &mut Budget| match outcome.known().and_then(outcome::chunk) {
        Some(cards) if list => f(&Outcome::Known(Value::list(cards.to_vec())), budget),
        _ => f(outcome, budget),
    };
    let deals = deals(deck, times, budget)?.map(budget, as_list)?;
    Ok(Part { times: 1, source: Source::Each(Rc::new(deals)) })
}

/// Every deal of so many cards.
pub(crate) fn deals(deck: &[(Value, u64)], count: u64, budget: &mut Budget) -> Result<Dist, Stop> {
    let count = count as usize;
    let mut open: Vec<(Vec<Value>, UBig)> = vec![(vec![], UBig::ONE)];
    let mut behind: u64 = deck.iter().map(|(_, copies)| copies).sum();
    for (card, copies) in deck {
        behind -= copies;
        let ways = first_binomials(*copies, count as u64);
        let mut next: HashMap<Vec<Value>, UBig> = HashMap::default();
        for (so_far, weight) in open {
            let (room, least) = (count - so_far.len(), count.saturating_sub(so_far.len() + behind as usize));
            for (take, ways) in ways.iter().enumerate().take(room.min(*copies as usize) + 1).skip(least) {
                budget.step(1 + count as u64)?;
                let mut longer = so_far.clone();
                longer.extend((0..take).map(|_| card.clone()));
                *next.entry(longer).or_insert(UBig::ZERO) += &weight * ways;
            }
        }
        open = next.into_iter().collect();
    }
    let mut pile = crate::dist::Pile::default();
    let den = open.iter().map(|(_, weight)| weight).sum();
    open.into_iter().for_each(|(members, weight)| pile.add(Outcome::Known(Value::pool(members)), &weight));
    Ok(pile.over(den))
}

impl Source {
    /// A deck with equal cards put together.
    pub(crate) fn deck(mut cards: Vec<(Value, u64)>) -> Source {
        sort::sort(&mut cards);
        cards.dedup_by(|(card, more), (before, copies)| {
            let same = card == before;
            if same {
                *copies += *more;
            }
            same
        });
        Source::Deck(cards.into())
    }
}

impl Chain {
    /// Whether the steps out of every state are all there, in every build: where the rest is what is missing to one, what
    /// is lost on the way would be taken for it.
    pub(crate) fn audit(&self) -> Result<(), Fault> {
        match self.states.iter().all(|steps| steps.iter().map(|step| &step.weight).sum::<UBig>() == self.den) {
            true => Ok(()),
            false => Err(Fault::mistake("internal error: the probabilities of a loop do not add up to 1")),
        }
    }

    /// The walk with everything it collects replaced.
    pub(crate) fn map(
        &self,
        budget: &mut Budget,
        f: &mut dyn FnMut(&Outcome, &mut Budget) -> Result<Outcome, Stop>,
    ) -> Result<Chain, Stop> {
        let mut states = Vec::with_capacity(self.states.len());
        for steps in &self.states {
            let mut mapped = Vec::with_capacity(steps.len());
            for step in steps {
                budget.step(1)?;
                mapped.push(Step { weight: step.weight.clone(), emit: f(&step.emit, budget)?, next: step.next });
            }
            states.push(mapped);
        }
        Ok(Chain { den: self.den.clone(), states, start: self.start, end: self.end })
    }
}
