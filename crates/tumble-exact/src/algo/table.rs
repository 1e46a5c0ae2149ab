//! Views of dice, face by face, in tables.
//!
//! Meaning: that of [`sweep`](crate::algo::sweep), for dice that always show a listed face and that
//! can be gone through as one kind: all alike, or such that those that have not shown a higher face
//! are alike from some face on, as d12, d10 and d8 are from 8 down; then each kind enters when its
//! first face comes. What each view has seen so far is numbered, and so is each combination; how many
//! of the dice that are left show a face decides how many of them each view keeps, and both together
//! lead to the next number, so the inner loop only multiplies and adds. When no view can keep any
//! more, the dice that are left only count with all their weight. Cost: faces × dice² / 2 × numbers.

use crate::algo::dice::{Dice, Face, Group, dice};
use crate::algo::eye::{self, Gaze, Kept};
use crate::algo::sweep::{check_arguments, holds_little};
use crate::law::Bunch;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use crate::weight::{Weight, binomials, cost_of, in_lane, powers};
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::prim::{self, Rank};
use tumble_core::{Fault, Value};

/// The joint distribution of the views.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    if !views.iter().all(eye::fits) || !holds_little(views) {
        return Ok(None);
    }
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let shows =
        |group: &Group| group.nothing.is_zero() && group.faces.keys().all(|face| matches!(face, Face::Shows(_)));
    if dice.groups.is_empty() || !dice.groups.iter().all(shows) {
        return Ok(None);
    }
    check_arguments(desk, views)?;
    let count = dice.groups.iter().map(|group| group.count).fold(0, u64::saturating_add);
    desk.budget.step((count.saturating_mul(count) / 4).saturating_mul(cost_of(dice.bits())))?;
    let top_first = views.iter().flat_map(|view| &view.stages).any(|stage| *stage.row == prim::LARGEST);
    let turns = turns(&dice.groups, top_first).or_else(|| turns(&dice.groups, !top_first));
    let Some(turns) = turns else { return Ok(None) };
    in_lane!(dice.bits(), swept, desk, &dice, &turns, views).map(Some)
}

/// The faces in the order they are gone through.
struct Turns {
    faces: Vec<Turn>,
    /// Whether the highest face comes first.
    top_first: bool,
}

/// One face, its weight, and the dice for which it is the first.
struct Turn {
    face: Face,
    weight: UBig,
    /// The weight of this face and all that follow.
    whole: UBig,
    enter: u64,
    /// The weight of all dice that enter at later faces.
    outside: UBig,
    /// A factor for everything, and one for each die that is left, when kinds become one.
    factor: UBig,
    each: UBig,
}

/// The dice as one kind that others join; none if they do not become alike.
fn turns(groups: &[Group], top_first: bool) -> Option<Turns> {
    let mut order: Vec<&Face> = groups.iter().flat_map(|group| group.faces.keys()).collect();
    order.sort();
    order.dedup();
    if top_first {
        order.reverse();
    }
    let mut kind: BTreeMap<&Face, UBig> = BTreeMap::new();
    let all = |group: &Group| group.faces.values().sum::<UBig>().pow(group.count as usize);
    let mut outside: UBig = groups.iter().map(all).product();
    let mut faces = Vec::with_capacity(order.len());
    // The weight of the faces that are left, kept up to date: to add them up for each is quadratic.
    let mut left = UBig::ZERO;
    for face in order {
        let (mut factor, mut each, mut enter) = (UBig::ONE, UBig::ONE, 0);
        let begins = |group: &&Group| {
            let mut keys = group.faces.keys();
            (if top_first { keys.next_back() } else { keys.next() }) == Some(face)
        };
        for group in groups.iter().filter(begins) {
            let own: BTreeMap<&Face, UBig> = group.faces.iter().map(|(face, weight)| (face, weight.clone())).collect();
            let (mine, theirs) = (primitive(&own), primitive(&kind));
            if kind.is_empty() {
                kind = mine.1;
            } else if mine.1 == theirs.1 {
                kind = theirs.1;
                each *= theirs.0;
            } else {
                return None;
            }
            factor *= mine.0.pow(group.count as usize);
            outside /= all(group);
            enter += group.count;
            left = kind.values().sum();
        }
        let weight = kind.remove(face).unwrap_or(UBig::ZERO);
        let whole = left.clone();
        left -= &weight;
        faces.push(Turn { face: face.clone(), weight, whole, enter, outside: outside.clone(), factor, each });
    }
    Some(Turns { faces, top_first })
}

/// Weights without their common factor.
fn primitive<'a>(kind: &BTreeMap<&'a Face, UBig>) -> (UBig, BTreeMap<&'a Face, UBig>) {
    use dashu_int::ops::Gcd;
    let shared =
        kind.values().fold(UBig::ZERO, |shared, weight| if shared.is_one() { shared } else { shared.gcd(weight) });
    if shared.is_zero() || shared.is_one() {
        return (UBig::ONE, kind.clone());
    }
    (shared.clone(), kind.iter().map(|(face, weight)| (*face, weight / &shared)).collect())
}

/// What one view can have seen, each with a number, and where each move leads.
struct Eye<'a> {
    view: &'a View,
    gaze: Gaze<'a>,
    /// What one die is worth that shows the face whose turn it is, and the moves by how many stay.
    one: Option<Outcome>,
    by_count: Vec<Option<(usize, bool)>>,
    of: HashMap<Outcome, u32>,
    seen: Vec<Outcome>,
    move_of: HashMap<Kept, usize>,
    moves: Vec<(Kept, Vec<u32>)>,
}

const UNKNOWN: u32 = u32::MAX;

impl<'a> Eye<'a> {
    fn new(view: &'a View) -> Eye<'a> {
        let (of, move_of) = (HashMap::default(), HashMap::default());
        Eye { view, gaze: Gaze::new(view), one: None, by_count: vec![], of, seen: vec![], move_of, moves: vec![] }
    }

    /// A new face: what one die is worth that shows it.
    fn look_at(&mut self, face: &Face, desk: &mut Desk<'_>) -> Result<(), Stop> {
        self.by_count.clear();
        self.one = self.gaze.one(face, &mut desk.budget)?;
        Ok(())
    }

    /// The number of the move, and whether it changes anything.
    fn moved(&mut self, face: &Face, rank: Rank, desk: &mut Desk<'_>) -> Result<(usize, bool), Stop> {
        // A tally tells of the dice that show a face, other rows of those that stay.
        let count = match (&self.one, face) {
            _ if !self.gaze.is_plain() => rank.here,
            (Some(one), Face::Shows(_)) if one.known().and_then(Value::as_pool) == Some(&[]) => 0,
            (Some(_), Face::Shows(shown)) => self.gaze.count(shown, rank),
            _ => rank.here,
        };
        let place = usize::try_from(count).unwrap_or(usize::MAX);
        if self.by_count.len() <= place {
            self.by_count.resize(place + 1, None);
        }
        if let Some(known) = self.by_count[place] {
            return Ok(known);
        }
        let kept = match &self.one {
            Some(one) if self.gaze.is_plain() => Some((one.clone(), count)),
            _ => eye::stays(self.view, face, rank, &mut desk.budget)?,
        };
        let changes = !matches!(kept, Some((_, 0)));
        let known = (self.numbered(kept), changes);
        self.by_count[place] = Some(known);
        Ok(known)
    }

    fn number(&mut self, seen: Outcome) -> Result<u32, Stop> {
        let next = u32::try_from(self.seen.len()).map_err(|_| Fault::limit("too many situations"))?;
        Ok(*self.of.entry(seen).or_insert_with_key(|seen| {
            self.seen.push(seen.clone());
            next
        }))
    }

    fn numbered(&mut self, kept: Kept) -> usize {
        let next = self.moves.len();
        *self.move_of.entry(kept).or_insert_with_key(|kept| {
            self.moves.push((kept.clone(), vec![]));
            next
        })
    }

    fn lead(&mut self, from: u32, by: usize, desk: &mut Desk<'_>) -> Result<u32, Stop> {
        let (kept, known) = &mut self.moves[by];
        if known.len() <= from as usize {
            known.resize(self.seen.len().max(from as usize + 1), UNKNOWN);
        }
        if known[from as usize] == UNKNOWN {
            let so_far = &self.seen[from as usize];
            desk.budget.step(5 + crate::outcome::size(so_far))?;
            let seen = eye::take(self.view, so_far, kept, &mut desk.budget)?;
            let to = self.number(seen)?;
            self.moves[by].1[from as usize] = to;
        }
        Ok(self.moves[by].1[from as usize])
    }
}

/// All views together: combinations of what they have seen, each with a number.
struct Eyes<'a> {
    eyes: Vec<Eye<'a>>,
    of: HashMap<Box<[u32]>, u32>,
    /// The numbers of each combination, one after the other.
    seen: Vec<u32>,
    scratch: Vec<u32>,
}

impl<'a> Eyes<'a> {
    fn new(views: &'a [View], turns: &Turns, desk: &mut Desk<'_>) -> Result<Eyes<'a>, Stop> {
        let mut eyes = Eyes { eyes: vec![], of: HashMap::default(), seen: vec![], scratch: vec![] };
        let shown = |turn: &'_ Turn| if let Face::Shows(value) = &turn.face { Some(value.clone()) } else { None };
        let faces: Vec<Value> = turns.faces.iter().filter_map(shown).collect();
        let faces: Vec<&Value> = faces.iter().collect();
        for view in views {
            let mut start = eye::start(view);
            for kept in eye::absent(view, &faces, &mut desk.budget)? {
                start = eye::take(view, &start, &kept, &mut desk.budget)?;
            }
            let mut eye = Eye::new(view);
            let number = eye.number(start)?;
            eyes.eyes.push(eye);
            eyes.scratch.push(number);
        }
        eyes.number()?;
        Ok(eyes)
    }

    /// The number of the combination in `scratch`.
    fn number(&mut self) -> Result<u32, Stop> {
        if let Some(number) = self.of.get(self.scratch.as_slice()) {
            return Ok(*number);
        }
        let next = u32::try_from(self.of.len()).map_err(|_| Fault::limit("too many situations"))?;
        self.of.insert(self.scratch.as_slice().into(), next);
        self.seen.extend(&self.scratch);
        Ok(next)
    }

    fn lead(&mut self, from: usize, by: &[usize], desk: &mut Desk<'_>) -> Result<u32, Stop> {
        let width = self.eyes.len();
        self.scratch.clear();
        for (i, (eye, by)) in self.eyes.iter_mut().zip(by).enumerate() {
            let to = eye.lead(self.seen[from * width + i], *by, desk)?;
            self.scratch.push(to);
        }
        self.number()
    }

    /// What the views show in a combination.
    fn shown(&self, number: usize, desk: &mut Desk<'_>) -> Result<Vec<Outcome>, Stop> {
        let ids = &self.seen[number * self.eyes.len()..][..self.eyes.len()];
        let shown = |(eye, id): (&Eye<'_>, &u32)| eye::finish(eye.view, &eye.seen[*id as usize], &mut desk.budget);
        self.eyes.iter().zip(ids).map(shown).collect()
    }
}

/// The weights by dice left and number; a row may be shorter than there are numbers.
type Rows<W> = Vec<Vec<W>>;

fn swept<W: Weight>(desk: &mut Desk<'_>, dice: &Dice, turns: &Turns, views: &[View]) -> Result<Joint, Stop> {
    let total: u64 = dice.groups.iter().map(|group| group.count).sum();
    let count = total as usize;
    let ways: Vec<Vec<W>> = (0..=total).map(|n| binomials(n).iter().map(W::narrow).collect()).collect();
    let mut eyes = Eyes::new(views, turns, desk)?;
    let mut rows: Rows<W> = vec![vec![]; count + 1];
    rows[0] = vec![W::narrow(&UBig::ONE)];
    let mut over: Vec<W> = vec![];
    let tallies = views.iter().any(eye::tallies);
    let (mut inside, mut kind) = (0, 0);
    for turn in &turns.faces {
        inside += turn.enter;
        kind += turn.enter;
        entered(&mut rows, turn);
        let last = turn.whole == turn.weight;
        let powers: Vec<W> = powers(&turn.weight, kind).iter().map(W::narrow).collect();
        eyes.eyes.iter_mut().try_for_each(|eye| eye.look_at(&turn.face, desk))?;
        let mut moves =
            Moves { tallies, turn, top_first: turns.top_first, total, kept: vec![], numbers: HashMap::default() };
        let mut next: Rows<W> = vec![vec![]; count + 1];
        for (left, row) in rows.iter_mut().enumerate().filter(|(_, row)| !row.is_empty()) {
            let passed = inside - left as u64;
            if views.iter().all(|view| eye::is_over(view, passed, turns.top_first)) {
                let rest = W::narrow(&(turn.whole.pow(left) * &turn.outside));
                add_all(&mut over, &std::mem::take(row), &rest);
                continue;
            }
            for show in (if last { left } else { 0 })..=left {
                let by = moves.at(left, show, passed, &mut eyes, desk)?;
                let ways = ways[left][show].times(&powers[show]);
                step(desk, row, &mut next[left - show], &ways, &mut eyes, &mut moves, by)?;
            }
        }
        holdable::<W>(desk, &next, dice.bits())?;
        rows = next;
        kind = if last { 0 } else { kind };
    }
    add_all(&mut over, &rows.swap_remove(0), &W::narrow(&UBig::ONE));
    listed(desk, dice, &eyes, over)
}

/// The dice that enter at a face join those that are left.
fn entered<W: Weight>(rows: &mut Rows<W>, turn: &Turn) {
    if turn.enter == 0 {
        return;
    }
    rows.rotate_right(turn.enter as usize);
    if turn.factor.is_one() && turn.each.is_one() {
        return;
    }
    for (left, row) in rows.iter_mut().enumerate().filter(|(_, row)| !row.is_empty()) {
        let before = left - turn.enter as usize;
        let factor = W::narrow(&(turn.each.pow(before) * &turn.factor));
        row.iter_mut().for_each(|weight| *weight = weight.times(&factor));
    }
}

fn add_all<W: Weight>(to: &mut Vec<W>, from: &[W], factor: &W) {
    if to.len() < from.len() {
        to.resize(from.len(), W::zero());
    }
    for (sum, weight) in to.iter_mut().zip(from).filter(|(_, weight)| !weight.is_nothing()) {
        *sum += &weight.times(factor);
    }
}

fn listed<W: Weight>(desk: &mut Desk<'_>, dice: &Dice, eyes: &Eyes<'_>, over: Vec<W>) -> Result<Joint, Stop> {
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    let mut listed = UBig::ZERO;
    for (number, weight) in over.into_iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
        let weight = weight.widen();
        listed += &weight;
        *weights.entry(eyes.shown(number, desk)?).or_insert(UBig::ZERO) += weight;
    }
    let den = dice.den();
    if let Some((beyond, weight)) = dice.rest(&listed, &den) {
        *weights.entry(vec![beyond; eyes.eyes.len()]).or_insert(UBig::ZERO) += weight;
    }
    Ok(Joint::new(weights, den))
}

/// Where each number leads, by how many dice of the face each view keeps.
struct Moves<'a> {
    /// Whether a view counts the dice of a face also if there are none.
    tallies: bool,
    turn: &'a Turn,
    top_first: bool,
    total: u64,
    /// The moves of all views, and where they lead.
    kept: Vec<(Vec<usize>, Vec<u32>)>,
    numbers: HashMap<Vec<usize>, usize>,
}

impl Moves<'_> {
    /// The number of the move when `show` of `left` dice show the face; none if it changes nothing.
    fn at(
        &mut self,
        left: usize,
        show: usize,
        passed: u64,
        eyes: &mut Eyes<'_>,
        desk: &mut Desk<'_>,
    ) -> Result<Option<usize>, Stop> {
        let here = show as u64;
        if show == 0 && !self.tallies {
            return Ok(None);
        }
        let ahead = self.total - passed - here;
        debug_assert!(left as u64 - here <= ahead, "dice that are left are ahead");
        let rank = match self.top_first {
            true => Rank { below: ahead, here, above: passed, other: 0 },
            false => Rank { below: passed, here, above: ahead, other: 0 },
        };
        let mut by = Vec::with_capacity(eyes.eyes.len());
        let mut changes = false;
        desk.budget.step(5 * eyes.eyes.len() as u64)?;
        for eye in &mut eyes.eyes {
            let (number, alters) = eye.moved(&self.turn.face, rank, desk)?;
            changes |= alters;
            by.push(number);
        }
        if !changes {
            return Ok(None);
        }
        let next = self.kept.len();
        let number = *self.numbers.entry(by.clone()).or_insert(next);
        if number == next {
            self.kept.push((by, vec![]));
        }
        Ok(Some(number))
    }

    fn lead(
        &mut self,
        from: usize,
        by: Option<usize>,
        eyes: &mut Eyes<'_>,
        desk: &mut Desk<'_>,
    ) -> Result<usize, Stop> {
        let Some(number) = by else { return Ok(from) };
        let (by, known) = &mut self.kept[number];
        if known.len() <= from {
            known.resize(eyes.of.len().max(from + 1), UNKNOWN);
        }
        if known[from] == UNKNOWN {
            desk.budget.step(5)?;
            known[from] = eyes.lead(from, by, desk)?;
        }
        Ok(known[from] as usize)
    }
}

/// Moves one row of weights on.
fn step<W: Weight>(
    desk: &mut Desk<'_>,
    row: &[W],
    next: &mut Vec<W>,
    ways: &W,
    eyes: &mut Eyes<'_>,
    moves: &mut Moves<'_>,
    by: Option<usize>,
) -> Result<(), Stop> {
    desk.budget.step(1 + row.len() as u64 / 4)?;
    for (from, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
        let to = moves.lead(from, by, eyes, desk)?;
        if next.len() <= to {
            next.resize(to + 1, W::zero());
        }
        next[to] += &weight.times(ways);
    }
    Ok(())
}

fn holdable<W>(desk: &Desk<'_>, rows: &Rows<W>, bits: u64) -> Result<(), Stop> {
    let cells: u64 = rows.iter().map(|row| row.len() as u64).sum();
    if cells.saturating_mul(size_of::<W>() as u64 + bits / 16) > desk.budget.limits().bytes / 4 {
        let message = format!("this needs {cells} states at once, which is too many");
        return Err(Fault::limit(message)
            .hint("use fewer dice, or ask for less, such as a sum, a count, or the largest few")
            .into());
    }
    Ok(())
}
