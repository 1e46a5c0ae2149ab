//! What there is to choose from, and how likely each way is.
//!
//! The dice of a text are a question to the engine for rolls, so a script gets every method that a roll has. Plain dice,
//! dice rolled again and single draws are listed. Dice that are known by their path are as they are.

use super::machine::Machine;
use super::paths::Sides;
use super::request::{Faces, Request, Ways};
use crate::dist::Pile;
use crate::machine::distribution;
use crate::map::HashMap;
use crate::outcome::Outcome;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::plain_program;
use tumble_core::play::quoted;
use tumble_core::sort;
use tumble_core::{Code, Diagnostic, Fault, Program, Throw, Value};

/// The most ways of one choice.
const MOST_WAYS: u64 = 1_000_000;

impl Machine<'_> {
    /// The ways of a request that is no call and no question.
    pub(super) fn ways(&mut self, request: &Request) -> Result<Rc<Ways>, Fault> {
        if let Some(ways) = self.laws.get(request) {
            return Ok(Rc::clone(ways));
        }
        let ways = match request {
            Request::Draw { faces, path } => self.drawn(faces, path, 0)?,
            Request::Dice { count, faces, path } => {
                let mut lists = Lists::new(*count as usize);
                for index in 0..*count {
                    let die = self.drawn(faces, path, index)?;
                    lists.add(&die, self)?;
                }
                lists.finish(Value::list)
            }
            Request::Text { text, dice, sorted } => self.text(text, *dice, *sorted)?,
            Request::Plain { count, sides, path } => self.plain(*count, *sides, path)?,
            Request::Again { kept, sides, sorted: true, .. } => self.multiset(kept, *sides)?,
            Request::Again { kept, sides, sorted: false, path } => {
                let mut lists = Lists::new(kept.len());
                for (index, member) in kept.iter().enumerate() {
                    match member {
                        Some(member) => lists.push(member),
                        None => {
                            let die = self.drawn(&Faces::Range(1, *sides), path, index as u64)?;
                            lists.add(&die, self)?;
                        }
                    }
                }
                lists.finish(Value::pool)
            }
            Request::Unseen { number, .. } => self.seen(*number)?,
            Request::Call { .. } | Request::Ask { .. } => {
                return Err(Fault::mistake("internal error: this is no choice of dice"));
            }
        };
        let ways = Rc::new(ways);
        self.held += 200 + 100 * ways.items.len() as u64;
        self.laws.insert(request.clone(), Rc::clone(&ways));
        Ok(ways)
    }

    fn text(&mut self, text: &str, dice: bool, sorted: bool) -> Result<Ways, Fault> {
        let throw = if dice { Throw::Dice } else { Throw::Total };
        let program = self.reader.read(text, throw).map_err(|found| quoted(text, found))?;
        let found = if sorted { self.law(&program.sorted().map_err(first)?) } else { self.law(&program) };
        found.map_err(|found| {
            let fault = quoted(text, found);
            if dice && !sorted && fault.code == Code::Limit {
                return fault.hint("if their order does not matter, sort them: `sort(dice(…))`");
            }
            fault
        })
    }

    /// The distribution of a program without questions.
    fn law(&mut self, program: &Program) -> Result<Ways, Diagnostic> {
        distribution(program, &mut self.budget).map(Ways::from)
    }

    /// The dice that are known, and the total of the others.
    fn plain(&mut self, count: u64, sides: i64, path: &Outcome) -> Result<Ways, Fault> {
        let (mut sum, mut open) = (0i64, count);
        if path.as_int().is_some() {
            for index in 0..count {
                self.budget.step(1)?;
                if let Some(face) = self.paths.die_at(path, Sides::Range { lo: 1, hi: sides }, index) {
                    sum = sum.saturating_add(face as i64 + 1);
                    open -= 1;
                }
            }
        }
        let program = plain_program(open, sides).map_err(first)?;
        let mut ways = self.law(&program).map_err(|found| quoted(&format!("{count}d{sides}"), found))?;
        for (outcome, _) in &mut ways.items {
            let total = outcome.as_int().and_then(|n| n.checked_add(sum));
            *outcome = Outcome::int(total.ok_or_else(|| Fault::runtime("the sum of the dice is too large"))?);
        }
        Ok(ways)
    }

    /// One die of those with this path.
    fn drawn(&mut self, faces: &Faces, path: &Outcome, index: u64) -> Result<Ways, Fault> {
        let known = |sides: Sides| self.paths.die_at(path, sides, index);
        let mut pile = Pile::default();
        let den = match faces {
            Faces::Range(lo, hi) => match known(Sides::Range { lo: *lo, hi: *hi }) {
                Some(face) => return Ok(Ways::one(Value::int(lo.wrapping_add(face as i64)))),
                None => {
                    let count = hi.wrapping_sub(*lo) as u64;
                    enough(count.saturating_add(1))?;
                    self.budget.step(count)?;
                    (*lo..=*hi).for_each(|n| pile.add(Outcome::int(n), &UBig::ONE));
                    UBig::from(count) + UBig::ONE
                }
            },
            Faces::Weighted(faces) => {
                let all: u64 = faces.iter().map(|(_, weight)| weight).sum();
                if let Some(mut face) = known(Sides::Pick { of: all }) {
                    for (value, weight) in faces {
                        match face.checked_sub(*weight) {
                            Some(left) => face = left,
                            None => return Ok(Ways::one(value.clone())),
                        }
                    }
                }
                faces.iter().for_each(|(value, weight)| pile.add(Outcome::Known(value.clone()), &UBig::from(*weight)));
                UBig::from(all)
            }
            Faces::Member(members) => {
                if let Some(face) = known(Sides::Pick { of: members.len() as u64 }) {
                    return Ok(Ways::one(members[face as usize].clone()));
                }
                members.iter().for_each(|member| pile.add(Outcome::Known(member.clone()), &UBig::ONE));
                UBig::from(members.len())
            }
            Faces::Members(members, count) => return self.picked(members, *count, path),
        };
        Ok(pile.over(den).into())
    }

    /// Members that are picked one after the other; the last one left takes the place of the one picked, as in rolling,
    /// so that a pick that is known is the same member.
    fn picked(&mut self, members: &[Value], count: usize, path: &Outcome) -> Result<Ways, Fault> {
        let mut hands: HashMap<(Vec<usize>, Vec<usize>), UBig> = HashMap::default();
        hands.insert(((0..members.len()).collect(), vec![]), UBig::ONE);
        let mut den = UBig::ONE;
        let followed = path.as_int().is_some();
        for index in 0..count {
            let of = members.len() - index;
            let known = self.paths.die_at(path, Sides::Pick { of: of as u64 }, index as u64);
            let mut next: HashMap<(Vec<usize>, Vec<usize>), UBig> = HashMap::default();
            for ((left, taken), weight) in hands {
                self.budget.step((of * members.len()) as u64)?;
                for at in 0..of {
                    if known.is_some_and(|face| face != at as u64) {
                        continue;
                    }
                    let (mut left, mut taken) = (left.clone(), taken.clone());
                    taken.push(left.swap_remove(at));
                    taken.sort_unstable();
                    // In which order cards lie that nobody knows makes no difference.
                    if !followed {
                        left.sort_unstable();
                    }
                    *next.entry((left, taken)).or_insert(UBig::ZERO) += &weight;
                }
                enough(next.len() as u64)?;
            }
            if known.is_none() {
                den *= UBig::from(of);
            }
            hands = next;
        }
        let mut pile = Pile::default();
        for ((_, taken), weight) in hands {
            let picked = taken.into_iter().map(|place| members[place].clone()).collect();
            pile.add(Outcome::Known(Value::pool(picked)), &weight);
        }
        Ok(pile.over(den).into())
    }

    /// New dice among others, where nothing sees the order: each multiset of faces with its multinomial coefficient.
    fn multiset(&mut self, kept: &[Option<Value>], sides: i64) -> Result<Ways, Fault> {
        let (mut sets, others) = (HashMap::<Vec<i64>, UBig>::default(), kept.iter().flatten());
        sets.insert(vec![], UBig::ONE);
        let mut den = UBig::ONE;
        for _ in kept.iter().filter(|member| member.is_none()) {
            let mut next = HashMap::<Vec<i64>, UBig>::default();
            for (set, weight) in sets {
                self.budget.step(sides as u64 * (1 + set.len() as u64))?;
                for face in 1..=sides {
                    let mut set = set.clone();
                    set.insert(set.partition_point(|other| *other <= face), face);
                    *next.entry(set).or_insert(UBig::ZERO) += &weight;
                }
                enough(next.len() as u64)?;
            }
            den *= UBig::from(sides as u64);
            sets = next;
        }
        let others: Vec<Value> = others.cloned().collect();
        let mut pile = Pile::default();
        for (set, weight) in sets {
            let mut members: Vec<Value> = set.into_iter().map(Value::int).chain(others.iter().cloned()).collect();
            sort::sort(&mut members);
            pile.add(Outcome::Known(Value::pool(members)), &weight);
        }
        Ok(pile.over(den).into())
    }
}

/// Lists that grow by one independent member after the other.
struct Lists {
    den: UBig,
    all: Vec<(Vec<Value>, UBig)>,
}

impl Lists {
    fn new(room: usize) -> Lists {
        Lists { den: UBig::ONE, all: vec![(Vec::with_capacity(room.min(64)), UBig::ONE)] }
    }

    fn push(&mut self, member: &Value) {
        self.all.iter_mut().for_each(|(list, _)| list.push(member.clone()));
    }

    fn add(&mut self, die: &Ways, machine: &mut Machine<'_>) -> Result<(), Fault> {
        let size = self.all.len() as u64 * die.items.len() as u64;
        enough(size)?;
        machine.budget.step(size * (1 + self.all.first().map_or(0, |(list, _)| list.len() as u64)))?;
        self.den *= &die.den;
        let mut longer = Vec::with_capacity(size as usize);
        for (list, weight) in &self.all {
            for (face, w) in &die.items {
                let Some(face) = face.known() else { return Err(Fault::mistake("internal error: an unknown face")) };
                let mut list = list.clone();
                list.push(face.clone());
                longer.push((list, weight * w));
            }
        }
        self.all = longer;
        Ok(())
    }

    fn finish(self, make: fn(Vec<Value>) -> Value) -> Ways {
        let mut pile = Pile::default();
        self.all.into_iter().for_each(|(list, weight)| pile.add(Outcome::Known(make(list)), &weight));
        pile.over(self.den).into()
    }
}

fn enough(ways: u64) -> Result<(), Fault> {
    if ways > MOST_WAYS {
        return Err(Fault::limit(format!("dice that can fall in more than {MOST_WAYS} ways are too many to list"))
            .hint("ask for their total, or roll fewer of them at once"));
    }
    Ok(())
}

fn first(found: Vec<Diagnostic>) -> Fault {
    let words = found.into_iter().next().map_or_else(String::new, |found| found.message);
    Fault::mistake(format!("internal error: {words}"))
}
