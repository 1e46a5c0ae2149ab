//! What a view has seen when it goes through the faces in order.
//!
//! At each face a view is told how many dice show it and how many stand below and above; its rows
//! say how many of them [stay](stays), and those are [taken](take) into what it has so far. Rows in a
//! chain work on the ranks that the row before leaves: after `largest(k)` there are k members, and as
//! many of those above as fit. `tally` turns the dice that show a face into one number, their count,
//! also if there are none; a row that keeps members of such numbers is applied to all so far, which
//! its law allows.

use crate::algo::dice::Face;
use crate::law::Stage;
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Goal, View};
use tumble_core::prim::{self, Merge, Prim, Rank, Scan, Shape};
use tumble_core::{Budget, Fault, Value};

/// What stays of a face: a collection of one, and how often; none if that cannot be told.
pub(crate) type Kept = Option<(Outcome, u64)>;

/// Whether the stages of a view can be followed from face to face.
pub(crate) fn fits(view: &View) -> bool {
    let mut counted = true;
    let mut tallied = false;
    let mut done = false;
    view.stages.iter().all(|stage| match stage.row.shape {
        Shape::Filter => {
            counted = false;
            !done
        }
        Shape::Forget => true,
        Shape::Scan(scan) if tallied => !std::mem::replace(&mut done, true) && scan.reduces,
        Shape::Scan(_) => std::mem::replace(&mut counted, how_many(stage).is_some()),
        Shape::Opaque if is_tally(stage) => counted && !std::mem::replace(&mut tallied, true) && at_front(view, stage),
        _ => false,
    })
}

/// Whether only rows that forget the order stand before a stage.
fn at_front(view: &View, stage: &Stage) -> bool {
    let before = view.stages.iter().take_while(|other| !std::ptr::eq(*other, stage));
    before.into_iter().all(|other| matches!(other.row.shape, Shape::Forget))
}

fn is_tally(stage: &Stage) -> bool {
    *stage.row == prim::TALLY
}

/// Whether a view counts the dice of each face.
pub(crate) fn tallies(view: &View) -> bool {
    view.stages.iter().any(is_tally)
}

/// Whether nothing more stays once `passed` dice were seen from the top, or from below.
pub(crate) fn is_over(view: &View, passed: u64, from_top: bool) -> bool {
    let keeps = |stage: &Stage| {
        let side = if from_top { *stage.row == prim::LARGEST } else { *stage.row == prim::LEAST };
        side && number(stage).is_some_and(|n| n <= passed)
    };
    let first = view.stages.iter().find(|stage| !matches!(stage.row.shape, Shape::Forget));
    first.is_some_and(keeps)
}

fn number(stage: &Stage) -> Option<u64> {
    stage.args[0].as_int().and_then(|n| u64::try_from(n).ok())
}

/// What a row that keeps so many makes of a rank.
type Leaves = fn(u64, Rank) -> Rank;

/// How many members a row leaves here, above and below, if the rank tells.
fn how_many(stage: &Stage) -> Option<Leaves> {
    fn of(total: u64, here: u64, above: u64) -> Rank {
        Rank { below: total.saturating_sub(above + here), here, above, other: 0 }
    }
    fn under(total: u64, here: u64, below: u64) -> Rank {
        Rank { below, here, above: total.saturating_sub(below + here), other: 0 }
    }
    match stage.row {
        row if *row == prim::LARGEST => Some(|k, rank| {
            let total = k.min(rank.below + rank.here + rank.above);
            of(total, k.saturating_sub(rank.above).min(rank.here), rank.above.min(total))
        }),
        row if *row == prim::LEAST => Some(|k, rank| {
            let total = k.min(rank.below + rank.here + rank.above);
            under(total, k.saturating_sub(rank.below).min(rank.here), rank.below.min(total))
        }),
        row if *row == prim::BUT_LARGEST => Some(|k, rank| {
            let total = (rank.below + rank.here + rank.above).saturating_sub(k);
            let gone = k.saturating_sub(rank.above).min(rank.here);
            of(total, rank.here - gone, rank.above.saturating_sub(k))
        }),
        row if *row == prim::BUT_LEAST => Some(|k, rank| {
            let total = (rank.below + rank.here + rank.above).saturating_sub(k);
            let gone = k.saturating_sub(rank.below).min(rank.here);
            under(total, rank.here - gone, rank.below.saturating_sub(k))
        }),
        _ => None,
    }
}

/// A view made ready to be asked for every face and rank.
pub(crate) struct Gaze<'a> {
    view: &'a View,
    steps: Vec<Step<'a>>,
    tallies: bool,
}

/// A row that keeps members, by rank.
enum Step<'a> {
    Leaves(Leaves, u64),
    Scan(&'a Stage, &'a Scan),
}

impl<'a> Gaze<'a> {
    /// The rows of the view that keep members; those after a tally wait.
    pub(crate) fn new(view: &'a View) -> Gaze<'a> {
        let scans = view.stages.iter().take_while(|stage| !is_tally(stage));
        let steps = scans.filter_map(|stage| match (&stage.row.shape, how_many(stage), number(stage)) {
            (Shape::Scan(_), Some(leaves), Some(n)) => Some(Step::Leaves(leaves, n)),
            (Shape::Scan(scan), ..) => Some(Step::Scan(stage, scan)),
            _ => None,
        });
        Gaze { view, steps: steps.collect(), tallies: tallies(view) }
    }

    /// Whether what stays of a listed face is told by its rank alone; else [`stays`] tells.
    pub(crate) fn is_plain(&self) -> bool {
        !self.tallies
    }

    /// What one die that shows a listed face is worth, before any row that keeps members.
    pub(crate) fn one(&self, face: &Face, budget: &mut Budget) -> Result<Option<Outcome>, Stop> {
        let mut one = face.pool();
        for stage in self.view.stages.iter().filter(|stage| matches!(stage.row.shape, Shape::Filter)) {
            one = outcome::apply(stage.row, &stage.with(&one), budget)?;
            match &one {
                Outcome::Unknown => return Ok(None),
                Outcome::Known(value) if value.as_pool() == Some(&[]) => return Ok(Some(one)),
                _ => {}
            }
        }
        Ok(Some(one))
    }

    /// How many of the dice of this rank stay.
    pub(crate) fn count(&self, shown: &Value, rank: Rank) -> u64 {
        let next = |rank: Rank, step: &Step<'_>| match step {
            Step::Leaves(leaves, n) => leaves(*n, rank),
            Step::Scan(stage, scan) => Rank { here: stay(stage, scan, shown, rank), ..rank },
        };
        self.steps.iter().fold(rank, next).here
    }
}

fn stay(stage: &Stage, scan: &Scan, shown: &Value, rank: Rank) -> u64 {
    (scan.stay)(&stage.args, Rank { other: scan.other(&stage.args, shown), ..rank })
}

/// What a view has before the first face.
pub(crate) fn start(view: &View) -> Outcome {
    let empty = match view.goal {
        _ if reduces(view).is_some() => Value::ints(&[]),
        Goal::Members | Goal::Rest => Value::ints(&[]),
        Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => Value::int(0),
        Goal::Fold(_) => Value::bool(false),
    };
    Outcome::Known(empty)
}

/// The row that keeps some of the tallied numbers.
fn reduces(view: &View) -> Option<&Stage> {
    let tallied = view.stages.iter().skip_while(|stage| !is_tally(stage));
    tallied.into_iter().find(|stage| matches!(stage.row.shape, Shape::Scan(_)))
}

/// How many of the dice that show the face pass all stages.
pub(crate) fn stays(view: &View, face: &Face, rank: Rank, budget: &mut Budget) -> Result<Kept, Stop> {
    let (mut one, mut rank) = (face.pool(), rank);
    let mut tallied = false;
    for stage in &view.stages {
        match stage.row.shape {
            Shape::Filter => {
                one = outcome::apply(stage.row, &stage.with(&one), budget)?;
                match &one {
                    Outcome::Unknown => return Ok(None),
                    Outcome::Known(value) if value.as_pool() == Some(&[]) => return Ok(Some((one, 0))),
                    _ => {}
                }
            }
            Shape::Scan(_) if tallied => {}
            Shape::Scan(scan) => {
                // Unlisted faces are not known to be equal, so only their number may matter.
                let known = matches!(face, Face::Shows(_));
                let counts = how_many(stage).is_some() || *stage.row == prim::MEDIAN;
                if !known && rank.here > 1 && !counts {
                    return Ok(None);
                }
                let shown = if let Face::Shows(value) = face { value.clone() } else { Value::NOTHING };
                rank = match (how_many(stage), number(stage)) {
                    (Some(leaves), Some(n)) => leaves(n, rank),
                    _ => Rank { here: stay(stage, &scan, &shown, rank), ..rank },
                };
            }
            Shape::Opaque => {
                let listed = stage.args[0].as_pool().unwrap_or(&[]);
                let Face::Shows(shown) = face else { return Ok(None) };
                let count = i64::try_from(rank.here).unwrap_or(i64::MAX);
                one = Outcome::Known(Value::ints(&[count]));
                rank.here = listed.iter().filter(|number| *number == shown).count() as u64;
                tallied = true;
            }
            _ => {}
        }
    }
    Ok(Some((one, rank.here)))
}

/// What a view tallies of faces that no die has.
pub(crate) fn absent(view: &View, faces: &[&Value], budget: &mut Budget) -> Result<Vec<Kept>, Stop> {
    let Some(stage) = view.stages.iter().find(|stage| is_tally(stage)) else { return Ok(vec![]) };
    let listed = stage.args[0].as_pool().unwrap_or(&[]);
    let absent = listed.iter().filter(|number| !faces.contains(number));
    let nobody = Rank { below: 0, here: 0, above: 0, other: 0 };
    let mut kept = Vec::new();
    for number in absent {
        budget.step(5)?;
        // Each is met once here, however often it is listed.
        let stays = stays(view, &Face::Shows(number.clone()), nobody, budget)?;
        kept.push(stays.map(|(one, stay)| (one, stay.min(1))));
    }
    Ok(kept)
}

/// What a view has with what stays of one more face.
pub(crate) fn take(view: &View, so_far: &Outcome, kept: &Kept, budget: &mut Budget) -> Result<Outcome, Stop> {
    let Some((one, stay)) = kept else { return Ok(Outcome::Unknown) };
    if *stay == 0 {
        return Ok(so_far.clone());
    }
    if let Some(stage) = reduces(view) {
        let members = many(so_far, one, *stay, budget)?;
        return outcome::apply(stage.row, &stage.with(&members), budget);
    }
    match view.goal {
        Goal::Members | Goal::Rest => many(so_far, one, *stay, budget),
        Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => {
            if let Some(sum) = plain_sum(row, so_far, one, *stay) {
                return Ok(Outcome::int(sum));
            }
            let worth = outcome::apply(row, std::slice::from_ref(one), budget)?;
            let times = Outcome::int(i64::try_from(*stay).map_err(|_| Fault::runtime("the sum is too large"))?);
            let more = outcome::apply(&prim::MUL, &[worth, times], budget)?;
            outcome::apply(&prim::ADD, &[so_far.clone(), more], budget)
        }
        Goal::Fold(_) => Ok(Outcome::Known(Value::bool(true))),
    }
}

/// The sum or count with so many more of one number, where nothing is unlisted or too large.
fn plain_sum(row: &Prim, so_far: &Outcome, one: &Outcome, stay: u64) -> Option<i64> {
    let [member] = one.known()?.as_pool()? else { return None };
    let worth = match row {
        row if *row == prim::SUM => member.as_int()?,
        row if *row == prim::COUNT => 1,
        _ => return None,
    };
    worth.checked_mul(i64::try_from(stay).ok()?)?.checked_add(so_far.as_int()?)
}

/// What the view shows after the last face.
pub(crate) fn finish(view: &View, so_far: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    match (view.goal.clone(), reduces(view)) {
        (Goal::Fold(row), Some(_)) => outcome::apply(row, std::slice::from_ref(so_far), budget),
        _ => Ok(so_far.clone()),
    }
}

/// What was there and `times` more of a collection of one, in order.
fn many(so_far: &Outcome, one: &Outcome, times: u64, budget: &mut Budget) -> Result<Outcome, Stop> {
    let (Some(have), Some(more)) = (so_far.known().and_then(Value::as_pool), one.known().and_then(Value::as_pool))
    else {
        let alone = times == 1 && so_far.known().and_then(Value::as_pool) == Some(&[]);
        return Ok(if alone { one.clone() } else { Outcome::Unknown });
    };
    budget.step(have.len() as u64 + times)?;
    let mut members = have.to_vec();
    for _ in 0..times {
        members.extend_from_slice(more);
    }
    members.sort();
    Ok(Outcome::Known(Value::pool(members)))
}
