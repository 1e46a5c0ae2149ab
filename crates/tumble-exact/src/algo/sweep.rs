//! Views of dice that follow from how many dice show each face, going through the faces in
//! order.
//!
//! Meaning: list every collection and look at it. Accepts dice (of several kinds), and any number of
//! views at once whose stages are filters and scans; a scan after another needs to know how many
//! members the first leaves, so only after rows that keep or leave a known number. The state is how many dice of each
//! kind are left and what each view has so far. Cost: faces × dice² × states, in the lane that the
//! final denominator needs.

use crate::algo::dice::{Dice, Face, Group, dice};
use crate::algo::eye;
use crate::law::{Bunch, Stage};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Desk, Goal, Joint, View};
use crate::weight::{Weight, binomials, cost_of, in_lane, powers};
use dashu_int::UBig;
use std::collections::BTreeSet;
use std::hash::Hash;
use tumble_core::prim::{self, Rank, Shape};
use tumble_core::{Fault, Value};

/// More kinds of dice than this make too many states.
const MOST_KINDS: usize = 6;

/// The joint distribution of the views.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    if !views.iter().all(|view| eye::fits(view) && !eye::tallies(view)) {
        return Ok(None);
    }
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let groups = &dice.groups;
    let far = groups.iter().any(|group| group.faces.keys().any(|face| !matches!(face, Face::Shows(_))));
    if far && views.iter().flat_map(|view| &view.stages).any(|stage| *stage.row == prim::MINUS) {
        return Ok(None);
    }
    check_arguments(desk, views)?;
    if groups.len() > MOST_KINDS || !holds_little(views) {
        return Ok(None);
    }
    let den_bits = dice.bits();
    let count: u64 = groups.iter().map(|group| group.count).fold(0, u64::saturating_add);
    desk.budget.step((count.saturating_mul(count) / 4).saturating_mul(cost_of(den_bits)))?;
    in_lane!(den_bits, sweep, desk, &dice, views).map(Some)
}

/// Whether any view keeps only a few members or adds them up, so that listing what is seen is no
/// enumeration of collections.
pub(crate) fn holds_little(views: &[View]) -> bool {
    !views.iter().all(|view| !matches!(view.goal, Goal::Fold(_)) && !view.stages.iter().any(selective))
}

/// Rows that would refuse their arguments do so, whatever the dice show.
pub(crate) fn check_arguments(desk: &mut Desk<'_>, views: &[View]) -> Result<(), Stop> {
    for stage in views.iter().flat_map(|view| &view.stages).filter(|stage| *stage.row != prim::MEDIAN) {
        outcome::apply(stage.row, &stage.with(&Outcome::Known(Value::ints(&[]))), &mut desk.budget)?;
    }
    Ok(())
}

/// A stage that leaves few members, so that listing them is no enumeration of collections.
fn selective(stage: &Stage) -> bool {
    let leaves_many = [&prim::MINUS, &prim::BUT_LEAST, &prim::BUT_LARGEST];
    matches!(stage.row.shape, Shape::Scan(_)) && !leaves_many.contains(&stage.row)
}

/// What the sweep has seen so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Dice of each kind that have not shown their face yet.
    left: Vec<u64>,
    /// Dice that show anything at all.
    total: u64,
    /// What each view has so far.
    seen: Vec<Outcome>,
}

impl State {
    fn size(&self) -> u64 {
        4 + self.left.len() as u64 + self.seen.iter().map(|seen| 2 + outcome::size(seen)).sum::<u64>()
    }
}

type Table<W> = HashMap<State, W>;

fn sweep<W: Weight>(desk: &mut Desk<'_>, dice: &Dice, views: &[View]) -> Result<Joint, Stop> {
    let groups = &dice.groups;
    let rows: Vec<Vec<Vec<W>>> = groups.iter().map(|group| narrow_rows(group.count)).collect();
    let mut table = start::<W>(desk, groups, views, &rows)?;
    let faces: BTreeSet<&Face> = groups.iter().flat_map(|group| group.faces.keys()).collect();
    for face in faces {
        // Kinds are advanced one after the other; `here` counts the dice that show this face.
        let mut open: HashMap<(State, u64), W> =
            table.into_iter().map(|(state, weight)| ((state, 0), weight)).collect();
        for (kind, group) in groups.iter().enumerate() {
            if let Some(weight) = group.faces.get(face) {
                let last = group.faces.keys().next_back() == Some(face);
                open = advance(desk, open, kind, &narrow_powers(weight, group.count), &rows[kind], last)?;
            }
        }
        table = look(desk, open, face, views)?;
        holdable(desk, &table, dice.bits())?;
    }
    let (den, mut listed) = (dice.den(), UBig::ZERO);
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    for (state, weight) in table {
        let outcomes = state.seen;
        let weight = weight.widen();
        listed += &weight;
        *weights.entry(outcomes).or_insert(UBig::ZERO) += weight;
    }
    if let Some((beyond, weight)) = dice.rest(&listed, &den) {
        *weights.entry(vec![beyond; views.len()]).or_insert(UBig::ZERO) += weight;
    }
    Ok(Joint::new(weights, den))
}

/// Refuses a table that has grown too large.
fn holdable<W>(desk: &Desk<'_>, table: &Table<W>, bits: u64) -> Result<(), Stop> {
    let bytes: u64 = table.keys().map(|state| 24 * state.size() + 64 + bits / 8).sum();
    if bytes > desk.budget.limits().bytes / 4 {
        let message = format!("this needs {} states at once, which is too many", table.len());
        return Err(Fault::limit(message)
            .hint("use fewer dice, or ask for less, such as a sum, a count, or the largest few")
            .into());
    }
    Ok(())
}

fn narrow_rows<W: Weight>(count: u64) -> Vec<Vec<W>> {
    (0..=count).map(|n| binomials(n).iter().map(W::narrow).collect()).collect()
}

fn narrow_powers<W: Weight>(base: &UBig, most: u64) -> Vec<W> {
    powers(base, most).iter().map(W::narrow).collect()
}

/// The dice that show nothing are set aside first, so that the number of members is known.
fn start<W: Weight>(
    desk: &mut Desk<'_>,
    groups: &[Group],
    views: &[View],
    rows: &[Vec<Vec<W>>],
) -> Result<Table<W>, Stop> {
    let left: Vec<u64> = groups.iter().map(|group| group.count).collect();
    let seen = views.iter().map(eye::start).collect();
    let total = left.iter().sum();
    let mut open = HashMap::from_iter([((State { left, total, seen }, 0), W::narrow(&UBig::ONE))]);
    for (kind, group) in groups.iter().enumerate() {
        if !group.nothing.is_zero() {
            let last = group.faces.is_empty();
            open = advance(desk, open, kind, &narrow_powers(&group.nothing, group.count), &rows[kind], last)?;
        }
    }
    let set_aside = |((mut state, gone), weight): ((State, u64), W)| {
        state.total -= gone;
        (state, weight)
    };
    let mut table: Table<W> = HashMap::default();
    for (state, weight) in open.into_iter().map(set_aside) {
        if state.total == 0 {
            views
                .iter()
                .try_for_each(|view| view.apply(&Outcome::Known(Value::ints(&[])), &mut desk.budget).map(|_| ()))?;
        }
        *table.entry(state).or_insert_with(W::zero) += &weight;
    }
    Ok(table)
}

/// Some of the dice of one kind that are left show the face; at the last face, all of them.
fn advance<W: Weight>(
    desk: &mut Desk<'_>,
    open: HashMap<(State, u64), W>,
    kind: usize,
    powers: &[W],
    rows: &[Vec<W>],
    last: bool,
) -> Result<HashMap<(State, u64), W>, Stop> {
    let mut next: HashMap<(State, u64), W> = HashMap::default();
    for ((state, here), weight) in open {
        let left = state.left[kind];
        let cost = 2 * state.size();
        for show in (if last { left } else { 0 })..=left {
            desk.budget.step(cost)?;
            let ways = rows[left as usize][show as usize].times(&powers[show as usize]);
            let mut state = state.clone();
            state.left[kind] -= show;
            let weight = weight.times(&ways);
            if !weight.is_nothing() {
                *next.entry((state, here + show)).or_insert_with(W::zero) += &weight;
            }
        }
    }
    Ok(next)
}

/// Every view takes note of the dice that show this face.
fn look<W: Weight>(
    desk: &mut Desk<'_>,
    open: HashMap<(State, u64), W>,
    face: &Face,
    views: &[View],
) -> Result<Table<W>, Stop> {
    let mut table: Table<W> = HashMap::default();
    for ((mut state, here), weight) in open {
        desk.budget.step(1 + views.len() as u64)?;
        if here > 0 {
            let above = state.left.iter().sum::<u64>();
            let rank = Rank { below: state.total - above - here, here, above, other: 0 };
            for (seen, view) in state.seen.iter_mut().zip(views) {
                let kept = eye::stays(view, face, rank, &mut desk.budget)?;
                *seen = eye::take(view, seen, &kept, &mut desk.budget)?;
            }
        }
        *table.entry(state).or_insert_with(W::zero) += &weight;
    }
    Ok(table)
}
