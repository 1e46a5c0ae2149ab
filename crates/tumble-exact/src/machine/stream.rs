//! Members made one after the other, with a state: see `prepare/streams.rs`.
//!
//! The state is what is left to go through (the cursor) and, for each chain of rows, what it has seen so far: an automaton
//! fed with one result after the other. Rows that look at members one by one are applied to each result; a row that
//! reduces (`largest`, `different`) to what was kept and the new ones together; a fold adds up; anything else keeps all
//! members.
//!
//! The cursor goes through the members of a known collection, or through the faces of a hidden pool: at each face it
//! asks how many dice show it.

use super::pools::all_lent;
use super::values::{Combinations, Numbers};
use super::{Env, Job, Machine, Values};
use crate::algo::union;
use crate::law::Law;
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Form, Stream, Watched};
use crate::question::{Goal, View};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::{Interval, Merge, Rank, Shape};
use tumble_core::{Budget, Data, Fault, Slot, Term, TermId, Value, chance};

impl View {
    /// The first stage that looks at all members together.
    fn first_scan(&self) -> usize {
        let single = |shape: &Shape| matches!(shape, Shape::Forget | Shape::Filter | Shape::Map { .. });
        self.stages.iter().position(|stage| !single(&stage.row.shape)).unwrap_or(self.stages.len())
    }

    /// What a view has seen before the first member.
    fn unit(&self) -> Outcome {
        Outcome::Known(match (self.first_scan() == self.stages.len(), &self.goal) {
            (true, Goal::Fold(row)) => match row.shape {
                Shape::Fold(Merge::Add) => Value::int(0),
                _ => Value::bool(false),
            },
            _ => Value::ints(&[]),
        })
    }

    /// What a view has seen with some more members.
    fn feed(&self, so_far: &Outcome, piece: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let scan = self.first_scan();
        let mut piece = piece.clone();
        for stage in &self.stages[..scan] {
            piece = outcome::apply(stage.row, &stage.with(&piece), budget)?;
        }
        if let (None, Goal::Fold(row)) = (self.stages.get(scan), &self.goal)
            && let Shape::Fold(merge) = row.shape
        {
            return merged(merge, so_far, &outcome::apply(row, &[piece], budget)?);
        }
        let all = union::join(so_far, &piece, budget)?;
        match self.stages.get(scan) {
            Some(stage) if matches!(stage.row.shape, Shape::Scan(scan) if scan.reduces) => {
                outcome::apply(stage.row, &stage.with(&all), budget)
            }
            _ => Ok(all),
        }
    }

    /// What a view shows after the last member.
    fn shown(&self, so_far: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let scan = self.first_scan();
        if let (None, Goal::Fold(_)) = (self.stages.get(scan), &self.goal) {
            return Ok(so_far.clone());
        }
        let rest = View { stages: self.stages[scan..].to_vec(), goal: self.goal.clone() };
        rest.apply(so_far, budget)
    }
}

/// Two halves of a fold.
fn merged(merge: Merge, a: &Outcome, b: &Outcome) -> Result<Outcome, Stop> {
    Ok(match (merge, a, b) {
        (_, Outcome::Cut, _) | (_, _, Outcome::Cut) => Outcome::Cut,
        (Merge::Add, Outcome::Known(x), Outcome::Known(y)) => {
            let sum = x.as_int().zip(y.as_int()).and_then(|(x, y)| x.checked_add(y));
            Outcome::int(sum.ok_or_else(|| Fault::runtime("the sum is too large"))?)
        }
        (Merge::Or, Outcome::Known(x), Outcome::Known(y)) => {
            Outcome::Known(Value::bool(x.as_bool() == Some(true) || y.as_bool() == Some(true)))
        }
        _ => Outcome::Unknown,
    })
}

/// Where a stream is; members and faces that are left as the number of a list.
pub(super) enum Cursor {
    /// Before these members.
    Members(usize),
    /// Before these faces of the pool of a variable, after so many dice of so many; how often the first is still to be
    /// taken, if that is known.
    Faces { faces: usize, passed: u64, all: u64, left: Option<u64> },
}

impl Cursor {
    fn outcome(&self) -> Outcome {
        let int = |n: u64| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
        Outcome::Known(match self {
            Cursor::Members(members) => int(*members as u64),
            Cursor::Faces { faces, passed, all, left } => {
                Value::tuple(vec![int(*faces as u64), int(*passed), int(*all), left.map_or(Value::NOTHING, int)])
            }
        })
    }

    pub(super) fn of(outcome: Option<&Outcome>) -> Option<Cursor> {
        let value = outcome?.known()?;
        let count = |value: &Value| value.as_int().and_then(|n| u64::try_from(n).ok());
        if let Data::Tuple(fields) = &value.data {
            let [faces, passed, all, left] = &fields[..] else { return None };
            let faces = count(faces)? as usize;
            return Some(Cursor::Faces { faces, passed: count(passed)?, all: count(all)?, left: count(left) });
        }
        Some(Cursor::Members(count(value)? as usize))
    }

    /// The number of the list of what is left.
    pub(super) fn list(&self) -> usize {
        match self {
            Cursor::Members(list) | Cursor::Faces { faces: list, .. } => *list,
        }
    }
}

/// Lists by number: the first member, and the list of the others; nothing is list 0. Equal ones are one.
pub(super) struct Lists(Numbers<Option<(Value, usize)>>);

impl Default for Lists {
    fn default() -> Lists {
        let mut lists = Numbers::new();
        lists.of(None);
        Lists(lists)
    }
}

impl Lists {
    fn of(&mut self, members: &[Value]) -> usize {
        members.iter().rev().fold(0, |rest, member| self.0.of(Some((member.clone(), rest))))
    }

    /// The first member, and the others.
    fn first(&self, list: usize) -> Option<(&Value, usize)> {
        self.0.all[list].as_ref().map(|(first, rest)| (first, *rest))
    }

    pub(super) fn members(&self, list: usize) -> Vec<Value> {
        let cells = std::iter::successors(self.first(list), |(_, rest)| self.first(*rest));
        cells.map(|(member, _)| member.clone()).collect()
    }
}

impl Machine<'_> {
    /// The stream that a term is, if a hidden pool makes it one.
    pub(super) fn streamed(&self, term: TermId, env: &Values) -> Option<Rc<Stream>> {
        // Programs with streams are not in the everyday notation.
        let stream = self.plan.streams.get(&term).filter(|_| cfg!(feature = "full"))?;
        let hidden = |slot: &Slot| matches!(env[slot.index()], Some(Outcome::Pool(_)));
        self.plan.free[stream.body.index()].iter().any(hidden).then(|| stream.clone())
    }

    /// What a stream asks for before it begins.
    pub(super) fn stream_asks(&self, stream: &Stream, env: &Env) -> Vec<Job> {
        match self.faces_of(stream, env) {
            Some(_) => vec![],
            None => {
                let plan = self.plan;
                let beside = plan.free[stream.pool.index()].iter().any(|slot| plan.looks_beside(stream, *slot));
                let env = if beside { all_lent(env, self.at) } else { self.lent(stream.each, env) };
                vec![Job::Eval(stream.pool, env)]
            }
        }
    }

    /// The variable and the rows, if a stream goes through a hidden pool that its bodies look at too.
    fn faces_of(&self, stream: &Stream, env: &Values) -> Option<(Slot, Vec<TermId>)> {
        let (slot, rows) = self.face_source(stream)?;
        let used = self.plan.free[stream.body.index()].contains(&slot);
        let hidden = |slot: &Slot| matches!(env[slot.index()], Some(Outcome::Pool(_)));
        // How many dice stay must not depend on what is hidden.
        let plan = self.plan;
        let fixed = |arg: &TermId| plan.pure[arg.index()] && !plan.free[arg.index()].iter().any(hidden);
        let told = |row: &TermId| plan.others(*row).iter().all(fixed);
        (used && hidden(&slot) && rows.iter().all(told)).then_some((slot, rows))
    }

    /// The variable whose members a stream goes through, and the row that keeps some of each face.
    pub(super) fn face_source(&self, stream: &Stream) -> Option<(Slot, Vec<TermId>)> {
        let (mut here, mut rows) = (stream.pool, vec![]);
        loop {
            match self.plan.form(here) {
                Form::Core(Term::Var(slot)) => return Some((*slot, rows)),
                Form::Core(Term::Prim { prim, args }) => {
                    match prim.shape {
                        Shape::Forget => {}
                        Shape::Scan(_) if rows.is_empty() => rows.push(here),
                        _ => return None,
                    }
                    here = args[prim.over];
                }
                _ => return None,
            }
        }
    }

    /// What the chains of a stream have seen before the first member, or what takes their place.
    pub(super) fn stream_unit(&mut self, stream: &Stream, env: &Values) -> Result<Outcome, Result<Outcome, Stop>> {
        let views = self.views_of(&stream.chains, env)?;
        Ok(Outcome::Several(views.iter().map(View::unit).collect()))
    }

    /// The cursors a stream can begin with.
    pub(super) fn stream_starts(
        &mut self,
        stream: &Stream,
        env: &Values,
        laws: &[Rc<Law>],
    ) -> Result<Combinations, Stop> {
        let unit = match self.stream_unit(stream, env) {
            Ok(unit) => unit,
            Err(lost) => return Ok((UBig::ONE, vec![(vec![lost?], UBig::ONE)])),
        };
        if let Some((slot, _)) = self.faces_of(stream, env) {
            let Some(Outcome::Pool(pool)) = &env[slot.index()] else { return Err(Stop::Unsolvable) };
            let faces: Vec<Value> = (0..pool.faces()).map(|place| pool.face(place).clone()).collect();
            let cursor = Cursor::Faces { faces: self.lists.of(&faces), passed: 0, all: pool.count(), left: None };
            return Ok((UBig::ONE, vec![(vec![cursor.outcome(), unit], UBig::ONE)]));
        }
        let dist = self.desk.settle(&laws[0])?;
        let mut starts = Vec::with_capacity(dist.items.len());
        for (outcome, weight) in &dist.items {
            let cursor = match outcome {
                Outcome::Known(value) => Cursor::Members(self.lists.of(chance::members(value)?)).outcome(),
                Outcome::Pool(pool) => Cursor::Members(self.lists.of(chance::members(&pool.all_known()?)?)).outcome(),
                lost => super::values::beyond(std::slice::from_ref(lost))?,
            };
            starts.push((vec![cursor, unit.clone()], weight.clone()));
        }
        Ok((dist.den.clone(), starts))
    }

    /// The variables for the next body; none after the last.
    pub(super) fn stream_turn(&mut self, stream: &Stream, env: &Values) -> Result<Option<(Value, Outcome)>, Stop> {
        let cursor = Cursor::of(env[stream.cursor.index()].as_ref()).ok_or(Stop::Unsolvable)?;
        match cursor {
            Cursor::Members(members) => {
                let first = self.lists.first(members);
                Ok(first.map(|(first, rest)| (first.clone(), Cursor::Members(rest).outcome())))
            }
            Cursor::Faces { mut faces, mut passed, all, mut left } => {
                let Some((slot, rows)) = self.face_source(stream) else { return Err(Stop::Unsolvable) };
                let (alone, once) = (self.is_alone(&rows), self.stays_once(&rows, all));
                loop {
                    let Some((face, rest)) = self.lists.first(faces) else { return Ok(None) };
                    let face = face.clone();
                    let here = if once { u64::from(shows(env, slot, &face)?) } else { showing(env, slot, &face)? };
                    let stay = match left {
                        Some(left) => left,
                        None => {
                            self.staying(&rows, env, &face, Rank { below: passed, here, above: all - passed - here })?
                        }
                    };
                    if stay > 0 {
                        let cursor = Cursor::Faces { faces, passed, all, left: Some(stay - 1) };
                        return Ok(Some((face, cursor.outcome())));
                    }
                    (faces, left) = (rest, None);
                    passed += if alone { 0 } else { here };
                }
            }
        }
    }

    /// Whether how many of the dice that show a face stay does not depend on how many show others.
    fn is_alone(&self, rows: &[TermId]) -> bool {
        let scan = |row: &TermId| match self.plan.form(*row) {
            Form::Core(Term::Prim { prim, .. }) => matches!(prim.shape, Shape::Scan(scan) if scan.alone),
            _ => false,
        };
        rows.iter().all(scan) && !rows.is_empty()
    }

    /// Whether one of the dice that show a face stays, out of up to `all`: then it only matters whether there is any.
    pub(super) fn stays_once(&self, rows: &[TermId], all: u64) -> bool {
        let [row] = rows else { return false };
        let Form::Core(Term::Prim { prim, args }) = self.plan.form(*row) else { return false };
        let Shape::Scan(scan) = prim.shape else { return false };
        let stays = |here: u64| (scan.stay)(&[], &Value::NOTHING, Rank { below: 0, here, above: 0 });
        scan.alone && args.len() == 1 && all <= MOST_ONCE && (1..=all).all(|here| stays(here) == 1)
    }

    /// How many of the dice that show a face stay.
    pub(super) fn staying(&mut self, rows: &[TermId], env: &Values, face: &Value, rank: Rank) -> Result<u64, Stop> {
        let [row] = rows else { return Ok(rank.here) };
        let plan = self.plan;
        let Form::Core(Term::Prim { prim, args }) = plan.form(*row) else { return Err(Stop::Unsolvable) };
        let Shape::Scan(scan) = prim.shape else { return Err(Stop::Unsolvable) };
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = if i == prim.over {
                Outcome::Known(Value::pool(vec![face.clone()]))
            } else {
                self.computed(*arg, env)?
            };
            values.push(value.known().cloned().ok_or(Stop::Unsolvable)?);
        }
        (prim.apply)(&values, &mut self.desk.budget)?;
        Ok((scan.stay)(&values, face, rank))
    }

    /// The chains with the values of their arguments, or what takes their place.
    fn views_of(&mut self, chains: &[Watched], env: &Values) -> Result<Vec<View>, Result<Outcome, Stop>> {
        let mut views = Vec::with_capacity(chains.len());
        for view in self.chained(chains, env).map_err(Err)? {
            match view {
                Ok(view) => views.push(view),
                Err(Outcome::Failed(failure)) => return Err(Err(Stop::Fault(Fault::clone(&failure.0)))),
                Err(lost) => return Err(Ok(lost)),
            }
        }
        Ok(views)
    }

    /// What the chains have seen with what a body gives.
    pub(super) fn stream_fed(&mut self, stream: &Stream, env: &Values, given: &Outcome) -> Result<Outcome, Stop> {
        let views = self.views_of(&stream.chains, env).map_err(unknown)?;
        let piece = outcome::apply(stream.union, std::slice::from_ref(given), &mut self.desk.budget)?;
        let so_far = seen(env, stream)?;
        let mut next = Vec::with_capacity(views.len());
        for (view, so_far) in views.iter().zip(so_far.iter()) {
            next.push(view.feed(so_far, &piece, &mut self.desk.budget)?);
        }
        Ok(Outcome::Several(next.into()))
    }

    /// What the chains show after the last body.
    pub(super) fn stream_shown(&mut self, stream: &Stream, env: &Values) -> Result<Vec<Outcome>, Stop> {
        let Some(so_far) = env[stream.so_far.index()].clone() else { return Err(Stop::Unsolvable) };
        self.stream_shows(stream, env, &so_far)
    }

    /// What the chains show after they have seen something.
    pub(super) fn stream_shows(
        &mut self,
        stream: &Stream,
        env: &Values,
        so_far: &Outcome,
    ) -> Result<Vec<Outcome>, Stop> {
        let views = self.views_of(&stream.chains, env).map_err(unknown)?;
        let Outcome::Several(so_far) = so_far else { return Err(Stop::Unsolvable) };
        views.iter().zip(so_far.iter()).map(|(view, so_far)| view.shown(so_far, &mut self.desk.budget)).collect()
    }

    /// What a stream has left: the numbers its variable can be, and the faces it goes through.
    pub(super) fn stream_left(&self, stream: &Stream, slots: &[Option<Outcome>]) -> Option<(Interval, Vec<Value>)> {
        let cursor = Cursor::of(slots[stream.cursor.index()].as_ref())?;
        let members = self.lists.members(cursor.list());
        let numbers = members.iter().map(Value::as_int).collect::<Option<Vec<i64>>>()?;
        let left = Interval { lo: numbers.iter().min().copied(), hi: numbers.iter().max().copied() };
        // Of no members nothing is asked.
        let none = Interval { lo: Some(i64::MAX), hi: Some(i64::MAX) };
        let left = if numbers.is_empty() { none } else { left };
        Some((left, if let Cursor::Faces { .. } = cursor { members } else { vec![] }))
    }
}

/// Of more dice it is not found out whether one of each face stays.
const MOST_ONCE: u64 = 1_000;

fn seen(env: &Values, stream: &Stream) -> Result<Rc<[Outcome]>, Stop> {
    match &env[stream.so_far.index()] {
        Some(Outcome::Several(so_far)) => Ok(so_far.clone()),
        _ => Err(Stop::Unsolvable),
    }
}

/// Arguments that could be told before the first member are known; what must be revealed for them is asked for again.
fn unknown(found: Result<Outcome, Stop>) -> Stop {
    found.err().unwrap_or(Stop::Unsolvable)
}

/// Whether any die of the pool of a variable shows a face.
fn shows(env: &Values, slot: Slot, face: &Value) -> Result<bool, Stop> {
    let Some(Outcome::Pool(pool)) = &env[slot.index()] else { return showing(env, slot, face).map(|count| count > 0) };
    match pool.places(|other| other == face).single() {
        Some(place) => pool.shows(place).map_err(|faces| pool.need(faces)),
        None => Ok(false),
    }
}

/// How many dice of the pool of a variable show a face.
fn showing(env: &Values, slot: Slot, face: &Value) -> Result<u64, Stop> {
    match &env[slot.index()] {
        Some(Outcome::Pool(pool)) => {
            let place = pool.places(|other| other == face);
            match place.single() {
                Some(place) => pool.showing(place).map_err(|faces| pool.need(faces)),
                None => Ok(0),
            }
        }
        Some(Outcome::Known(value)) => {
            Ok(value.as_pool().unwrap_or(&[]).iter().filter(|member| *member == face).count() as u64)
        }
        _ => Err(Stop::Unsolvable),
    }
}
