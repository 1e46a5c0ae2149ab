//! A view as a deterministic automaton that reads a pool face by face, in ascending or descending order.
//!
//! ```text
//! view   = rows that keep members by rank, perhaps a tally, rows that look at each member, the rest
//! input  = a face and its rank: how many members show it, less and more
//! state  = what is folded or collected so far
//! ```
//!
//! A row whose `size` depends on nothing but the number of members keeps fixed places of the sorted order. For if two
//! neighbouring faces were one, every other face would keep what it keeps, so both together keep as many as before. What it
//! keeps of all smaller members is therefore what it would keep if they showed one face, and the rank of a face after the
//! row [follows](Row::leaves) from the rank before it, without a counter. After a row that has no `size`, and after
//! rows that look at each member, ranks are not known; what comes then is the rest, which is applied after the last
//! face to the members that were collected, and if its first row reduces, on the way too.

use crate::dice::Face;
use crate::law::Stage;
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::question::{Goal, View};
use std::cell::RefCell;
use tumble_core::prim::{Merge, OnEmpty, Prim, Rank, Scan, Shape};
use tumble_core::sort;
use tumble_core::{Budget, Limits, Value};

/// A view of one of several pools.
pub(crate) struct Automaton<'a> {
    /// Which pool it reads.
    pub(crate) of: usize,
    rows: Vec<Row<'a>>,
    /// Which pool its last row compares it with, and the rows that wait there; none if that collection is known.
    second: Option<(usize, Vec<Row<'a>>)>,
    tally: Option<&'a [Value]>,
    each: Vec<&'a Stage>,
    rest: View,
    /// See [`Automaton::reach`]; by the number of members and the direction.
    reaches: RefCell<HashMap<(u64, bool), u64>>,
}

/// How far a last row without a size reaches is found out for so many members at most.
const MOST_REACH: u64 = 3_000;

/// A row that keeps members by their rank.
#[derive(Clone, Copy)]
struct Row<'a> {
    stage: &'a Stage,
    scan: Scan,
}

impl Row<'_> {
    fn stay(&self, face: &Value, rank: Rank) -> u64 {
        (self.scan.stay)(&self.stage.args, face, rank)
    }

    /// The rank of a face among the members that the row leaves, if it has a size; then the face doesn't matter.
    fn leaves(&self, Rank { below, here, above }: Rank) -> Rank {
        let stay = |below, here, above| self.stay(&Value::NOTHING, Rank { below, here, above });
        Rank {
            below: stay(0, below, here + above),
            here: stay(below, here, above),
            above: stay(below + here, above, 0),
        }
    }
}

/// What the members that stay of a face do to a state.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    None,
    /// Nothing can be told any more.
    Lost,
    /// So many times the worth of one member, or the collection of it.
    Add(Outcome, u64),
}

/// In place of how many members stay: that cannot be told.
const UNTOLD: u64 = u64::MAX;

/// Stages without those that sort what is sorted: members that are read face by face are, until a row makes others of all of
/// them, or of what a row has kept.
fn in_any_order(stages: &[Stage]) -> Vec<&Stage> {
    let (mut sorted, mut scanned) = (true, false);
    let needed = |stage: &&Stage| match stage.row.shape {
        Shape::Forget => !std::mem::replace(&mut sorted, true),
        Shape::Opaque => {
            sorted = false;
            true
        }
        Shape::Map { monotone } => {
            sorted &= monotone || !scanned;
            true
        }
        Shape::Scan(_) => {
            scanned = true;
            true
        }
        Shape::Filter | Shape::Fold(_) | Shape::Union => true,
    };
    stages.iter().filter(needed).collect()
}

/// As many rows as can be followed by rank, and those after them.
fn ranked(stages: &[Stage]) -> (Vec<Row<'_>>, Vec<&Stage>) {
    let mut rest: Vec<&Stage> = in_any_order(stages);
    let mut rows: Vec<Row<'_>> = Vec::new();
    while rows.last().is_none_or(|row| row.scan.size.is_some())
        && let Some(stage) = rest.get(rows.len())
        && let Shape::Scan(scan) = stage.row.shape
    {
        rows.push(Row { stage, scan });
    }
    rest.drain(..rows.len());
    (rows, rest)
}

impl<'a> Automaton<'a> {
    /// The automaton of a view of pool number `of`.
    pub(crate) fn new(view: &'a View, of: usize) -> Automaton<'a> {
        let (rows, mut rest) = ranked(&view.stages);
        let tallies = rest.first().filter(|stage| stage.row.tallies).and_then(|stage| stage.args[0].as_pool());
        // What it counts is read number by number, in any order.
        let sorts = |stage: &&Stage| matches!(stage.row.shape, Shape::Forget);
        rest.drain(..usize::from(tallies.is_some()));
        rest.drain(..usize::from(tallies.is_some() && rest.first().is_some_and(sorts)));
        let looks = |stage: &&&Stage| matches!(stage.row.shape, Shape::Filter | Shape::Map { .. });
        let each: Vec<&Stage> = rest.iter().take_while(looks).copied().collect();
        let stages = rest[each.len()..].iter().copied().cloned().collect();
        Automaton {
            of,
            rows,
            second: None,
            tally: tallies,
            each,
            rest: View { stages, goal: view.goal.clone() },
            reaches: RefCell::default(),
        }
    }

    /// The same, where the collection that its last row compares with, and no other, is pool number `with` after these
    /// rows; none if that can't be followed.
    pub(crate) fn against(self, with: usize, stages: &'a [Stage]) -> Option<Automaton<'a>> {
        let misses = |stage: &Stage| match stage.row.shape {
            Shape::Scan(scan) => scan.against.is_some_and(|place| stage.args[place].as_pool().is_none()),
            _ => false,
        };
        let (rows, rest) = ranked(stages);
        let fits = self.rows.last().is_some_and(|row| misses(row.stage)) && !self.rest.stages.iter().any(misses);
        let known = rest.is_empty() && rows.iter().all(|row| row.scan.against.is_none());
        (fits && known).then_some(Automaton { second: Some((with, rows)), ..self })
    }

    /// Whether its last row compares faces with those of a second collection.
    pub(crate) fn compares(&self) -> bool {
        self.rows.last().is_some_and(|row| row.scan.against.is_some())
    }

    /// Whether ranks alone don't say how many members of a face stay.
    pub(crate) fn sees_faces(&self) -> bool {
        self.compares() && self.second.is_none()
    }

    /// Whether its state changes at faces that nobody shows.
    pub(crate) fn tallies(&self) -> bool {
        self.tally.is_some()
    }

    /// Whether how many members show a face is part of what it counts, if it counts by face at all.
    pub(crate) fn counts(&self, face: &Face) -> bool {
        self.tally.is_none_or(|faces| matches!(face, Face::Shows(value) if faces.contains(value)))
    }

    /// Whether no row keeps members by their rank.
    pub(crate) fn keeps_all(&self) -> bool {
        self.rows.is_empty() && !self.tallies()
    }

    /// Whether it keeps members by their places in the order of all.
    pub(crate) fn is_placed(&self) -> bool {
        self.rows.last().is_some_and(|row| row.scan.size.is_some())
    }

    /// Whether it keeps one member of each face that shows, whatever its rank among `n`, before all else.
    pub(crate) fn keeps_one(&self, n: u64) -> bool {
        let [row] = self.rows.as_slice() else { return false };
        let stay = |below: u64, here: u64| row.stay(&Value::NOTHING, Rank { below, here, above: n - below - here });
        let one = |below: u64| (0..=n - below).all(|here| stay(below, here) == here.min(1));
        row.scan.against.is_none() && n <= MOST_REACH && (0..=n).all(one)
    }

    /// How many of `n` members it keeps at most, and how many of one face.
    pub(crate) fn holds(&self, n: u64) -> (u64, u64) {
        let sized = self.rows.iter().filter_map(|row| row.scan.size.map(|size| (size, &row.stage.args)));
        let all = sized.fold(n, |n, (size, args)| size(args, n));
        (all, stay_of(&self.rows, &Value::NOTHING, Rank { below: 0, here: n, above: 0 }))
    }

    /// Whether its states are the collections of all members.
    pub(crate) fn lists(&self) -> bool {
        let changed = self.fold().is_some() || self.reducer().is_some() || self.tallies();
        !changed && self.rows.is_empty() && self.each.is_empty()
    }

    /// Whether what it shows is the last state itself.
    pub(crate) fn is_plain(&self) -> bool {
        self.rest.stages.is_empty()
    }

    /// The row after the last face that can be applied on the way.
    fn reducer(&self) -> Option<&Stage> {
        self.rest.stages.first().filter(|stage| matches!(stage.row.shape, Shape::Scan(scan) if scan.reduces))
    }

    /// The row that folds members on the way.
    pub(crate) fn fold(&self) -> Option<&'static Prim> {
        match self.rest.goal {
            Goal::Fold(row) if self.rest.stages.is_empty() => Some(row),
            _ => None,
        }
    }

    /// What one member with a face adds to a sum; 0 if that shows only later.
    pub(crate) fn worth(&self, face: &Face) -> i64 {
        let mut budget = Budget::new(Limits::default());
        let worth = match self.change(face, 1, &mut budget) {
            Ok(Change::Add(worth, _)) => worth.as_int(),
            Ok(Change::None | Change::Lost) | Err(_) => None,
        };
        worth.unwrap_or(match face {
            Face::Below(bound) | Face::Above(bound) => *bound,
            Face::Shows(_) => 0,
        })
    }

    /// Rows that refuse their arguments do so, whatever is rolled, and those that fail on no members if they get none.
    pub(crate) fn check(&self, n: u64, budget: &mut Budget) -> Result<(), Stop> {
        let mut left = Some(n);
        for Row { stage, scan } in &self.rows {
            let known = self.second.is_none() || scan.against.is_none();
            if known && (stage.row.on_empty == OnEmpty::Fine || left == Some(0)) {
                outcome::apply(stage.row, &stage.with(&Outcome::Known(Value::ints(&[]))), budget)?;
            }
            left = left.zip(scan.size).map(|(n, size)| size(&stage.args, n));
        }
        let later = self.each.iter().copied().chain(&self.rest.stages);
        for stage in later.filter(|stage| stage.row.on_empty == OnEmpty::Fine) {
            outcome::apply(stage.row, &stage.with(&Outcome::Known(Value::ints(&[]))), budget)?;
        }
        Ok(())
    }

    /// Whether nothing more stays once `passed` of `n` members were read: all that is kept is among them.
    pub(crate) fn is_over(&self, passed: u64, n: u64, descending: bool) -> bool {
        let ahead = n - passed;
        let (below, above) = if descending { (ahead, 0) } else { (0, ahead) };
        let Some(last) = self.rows.last().filter(|_| !self.tallies()) else { return false };
        let sized = self.rows.iter().take_while(|row| row.scan.size.is_some());
        let kept = sized.fold(Rank { below, here: passed, above }, |rank, row| row.leaves(rank));
        kept.below + kept.above == 0 || last.scan.size.is_none() && passed >= self.reach(n, descending)
    }

    /// Once so many of `n` members were read, the last row, which has no size, keeps none of the faces that follow, whatever
    /// they are: with so many members before them, no rank lets any stay.
    fn reach(&self, n: u64, descending: bool) -> u64 {
        if n > MOST_REACH || self.compares() {
            return n;
        }
        if let Some(known) = self.reaches.borrow().get(&(n, descending)) {
            return *known;
        }
        let stays = |passed: u64, here: u64| {
            let ahead = n - passed - here;
            let (below, above) = if descending { (ahead, passed) } else { (passed, ahead) };
            stay_of(&self.rows, &Value::NOTHING, Rank { below, here, above }) > 0
        };
        let last = (0..n).rev().find(|passed| (1..=n - passed).any(|here| stays(*passed, here)));
        let reach = last.map_or(0, |passed| passed + 1);
        self.reaches.borrow_mut().insert((n, descending), reach);
        reach
    }

    /// After how many of `n` members that is so first.
    pub(crate) fn end(&self, n: u64, descending: bool) -> u64 {
        let (mut open, mut over) = (0, n);
        while open < over {
            let middle = open + (over - open) / 2;
            if self.is_over(middle, n, descending) { over = middle } else { open = middle + 1 }
        }
        over
    }

    /// How many of the members that show a face stay, by its rank in each pool.
    pub(crate) fn stays(&self, face: &Face, ranks: &[Rank]) -> u64 {
        let (rank, last) = (ranks[self.of], self.rows.last());
        let shown = match face {
            Face::Shows(value) => value,
            // Faces that are not listed are not known to be equal, so only their places may matter.
            _ if rank.here > 1 && last.is_some_and(|row| row.scan.size.is_none()) => return UNTOLD,
            _ => &Value::NOTHING,
        };
        let (Some(Row { stage, scan }), Some((with, rows))) = (last, &self.second) else {
            return stay_of(&self.rows, shown, rank);
        };
        let second = vec![shown.clone(); stay_of(rows, shown, ranks[*with]) as usize];
        let place =
            |(place, arg)| if scan.against == Some(place) { Value::pool(second.clone()) } else { Value::clone(arg) };
        let args: Vec<Value> = stage.args.iter().enumerate().map(place).collect();
        (scan.stay)(&args, shown, ranked_by(&self.rows[..self.rows.len() - 1], rank))
    }

    /// What so many members that stay of a face do to a state.
    pub(crate) fn change(&self, face: &Face, stay: u64, budget: &mut Budget) -> Result<Change, Stop> {
        let (mut one, times) = match (self.tally, face) {
            _ if stay == UNTOLD => return Ok(Change::Lost),
            (None, _) => (face.pool(), stay),
            (Some(list), Face::Shows(shown)) => {
                let count = i64::try_from(stay).map_err(|_| Stop::mistake("more members than dice"))?;
                (Outcome::Known(Value::ints(&[count])), list.iter().filter(|number| *number == shown).count() as u64)
            }
            (Some(_), _) => return Ok(Change::Lost),
        };
        if times == 0 {
            return Ok(Change::None);
        }
        for stage in &self.each {
            one = outcome::apply(stage.row, &stage.with(&one), budget)?;
            match &one {
                Outcome::Unknown => return Ok(Change::Lost),
                Outcome::Known(value) if value.as_pool() == Some(&[]) => return Ok(Change::None),
                _ => {}
            }
        }
        if let Some(row) = self.fold() {
            one = outcome::apply(row, &[one], budget)?;
        }
        Ok(Change::Add(one, times))
    }

    /// The state before the first face; numbers to be tallied that no die shows come here.
    pub(crate) fn start(&self, faces: &[&Value], budget: &mut Budget) -> Result<Outcome, Stop> {
        let empty = Outcome::Known(Value::ints(&[]));
        let mut state = match self.fold() {
            Some(row) => outcome::apply(row, &[empty], budget)?,
            None => empty,
        };
        let mut absent: Vec<&Value> = self.tally.iter().copied().flatten().filter(|n| !faces.contains(n)).collect();
        sort::sort(&mut absent);
        absent.dedup();
        for number in absent {
            budget.step(5)?;
            let change = self.change(&Face::Shows(number.clone()), 0, budget)?;
            state = self.next(&state, &change, budget)?;
        }
        Ok(state)
    }

    /// The state after a change.
    pub(crate) fn next(&self, state: &Outcome, change: &Change, budget: &mut Budget) -> Result<Outcome, Stop> {
        let (each, times) = match change {
            Change::None => return Ok(state.clone()),
            Change::Lost => return Ok(Outcome::Unknown),
            Change::Add(each, times) => (each, *times),
        };
        match (self.fold().map(|row| row.shape), self.reducer()) {
            (Some(Shape::Fold(merge)), _) => merged(merge, state, each, times, budget),
            (_, None) => many(state, each, times, budget),
            (_, Some(stage)) => {
                let members = many(state, each, times, budget)?;
                outcome::apply(stage.row, &stage.with(&members), budget)
            }
        }
    }

    /// What the view shows after the last face.
    pub(crate) fn finish(&self, state: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        if self.is_plain() { Ok(state.clone()) } else { self.rest.apply(state, budget) }
    }
}

/// The rank of a face after rows that have a size.
fn ranked_by(rows: &[Row<'_>], rank: Rank) -> Rank {
    rows.iter().fold(rank, |rank, row| row.leaves(rank))
}

/// How many members that show a face stay after some rows.
fn stay_of(rows: &[Row<'_>], face: &Value, rank: Rank) -> u64 {
    rows.split_last().map_or(rank.here, |(last, front)| last.stay(face, ranked_by(front, rank)))
}

/// A fold with so many times the worth of one member.
fn merged(merge: Merge, so_far: &Outcome, each: &Outcome, times: u64, budget: &mut Budget) -> Result<Outcome, Stop> {
    if let (Merge::Add, Some(sum), Some(each), Ok(times)) =
        (merge, so_far.as_int(), each.as_int(), i64::try_from(times))
        && let Some(sum) = each.checked_mul(times).and_then(|more| sum.checked_add(more))
    {
        return Ok(Outcome::int(sum));
    }
    (0..times).try_fold(so_far.clone(), |sum, _| outcome::merge(merge, &sum, each, budget))
}

/// What was there and `times` more of a collection of one, in order.
fn many(so_far: &Outcome, one: &Outcome, times: u64, budget: &mut Budget) -> Result<Outcome, Stop> {
    let members = |outcome: &'_ Outcome| outcome.known().and_then(Value::as_pool).map(<[Value]>::to_vec);
    let (Some(mut all), Some(more)) = (members(so_far), members(one)) else {
        let alone = times == 1 && members(so_far).is_some_and(|members| members.is_empty());
        return Ok(if alone { one.clone() } else { Outcome::Unknown });
    };
    budget.step(all.len() as u64 + times)?;
    for _ in 0..times {
        all.extend_from_slice(&more);
    }
    sort::sort(&mut all);
    Ok(Outcome::Known(Value::pool(all)))
}
