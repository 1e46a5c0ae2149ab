//! What a row does on plain values: numbers, truths as 0 and 1, and collections of numbers as slices that are changed
//! in place. Nothing is boxed, and no member has a mark.
//!
//! ```text
//! flat gives a result   =>   apply gives the same result for the same values, and takes the same steps
//! flat is unsure        =>   apply is asked
//! ```
//!
//! So it knows no messages: whatever is unusual (an overflow, a limit, a wrong argument) makes it unsure. The words are
//! few, so that an evaluator can take its short cuts by them and need not know which row it has before it. A property test
//! compares every row with its `apply`.

use super::compare::Compare;
use crate::diagnostic::Fault;
use crate::limits::Budget;

/// What a row does on plain values; the arguments come in the order of the row.
#[derive(Clone, Copy, Debug)]
pub enum Flat {
    /// A number becomes a number.
    One(fn(i64) -> Option<i64>),
    /// Two numbers become a number.
    Two(fn(i64, i64) -> Option<i64>),
    /// Two numbers become a collection in ascending order.
    List(List),
    /// A collection becomes a number, or a truth.
    Fold(Fold),
    /// A collection becomes one that is not larger; it may come after a number.
    Change(Change),
    /// A collection loses members because of another one.
    Against(Against),
    /// Numbers and collections become one collection; it takes a step for each member.
    Join,
}

/// What a collection becomes that is looked at as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    /// Its value.
    pub of: fn(&[i64]) -> Option<i64>,
    /// Whether it is the sum, so that the members may be added as they come.
    pub adds: bool,
    /// Whether what is no collection, but already of the sort that the row gives, stays itself.
    pub passes: bool,
}

/// How a collection is changed in place, given the number before it if there is one, and what is known of its order; how
/// many members are left.
pub type Change = fn(i64, &mut [i64], Ordered, &mut Budget) -> Result<usize, Unsure>;

/// How a collection loses members because of another one, which is sorted on the way; how many are left.
pub type Against = fn(&mut [i64], &mut [i64], &mut Budget) -> Result<usize, Unsure>;

/// How a collection is made of two numbers at the end of what is there.
pub type List = fn(i64, i64, &mut Vec<i64>, &mut Budget) -> Result<(), Unsure>;

/// What is known of the order of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// They ascend.
    Ascending,
    /// Nobody sees it: what is left may come in any order.
    Unseen,
    /// Somebody sees it.
    Seen,
}

/// Plain values do not lead to an answer here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsure;

impl From<Fault> for Unsure {
    fn from(_: Fault) -> Unsure {
        Unsure
    }
}

/// A fold that neither adds nor lets anything pass.
pub(super) const FOLD: Fold = Fold { of: |_| None, adds: false, passes: false };

pub(super) fn sum(members: &[i64]) -> Option<i64> {
    members.iter().try_fold(0i64, |sum, member| sum.checked_add(*member))
}

/// All whole numbers from one to another.
pub(super) fn range(from: i64, to: i64, all: &mut Vec<i64>, budget: &mut Budget) -> Result<(), Unsure> {
    let size = i128::from(to) - i128::from(from) + 1;
    budget.members(u64::try_from(size.max(0)).unwrap_or(u64::MAX))?;
    all.extend(from..=to);
    Ok(())
}

/// Members in ascending order, if anybody can see that.
pub(super) fn sort(members: &mut [i64], ordered: Ordered, budget: &mut Budget) -> Result<usize, Unsure> {
    budget.step(members.len() as u64)?;
    if ordered == Ordered::Seen {
        members.sort_unstable();
    }
    Ok(members.len())
}

/// The members that a number compares with in this way.
#[inline(always)]
pub(super) fn compared(number: i64, members: &mut [i64], by: Compare) -> Result<usize, Unsure> {
    Ok(retain(members, |member| by.holds(number, member)))
}

/// The members that equal this one.
pub(super) fn equal_to(wanted: Option<i64>, members: &mut [i64]) -> Result<usize, Unsure> {
    Ok(retain(members, |member| Some(member) == wanted))
}

/// Each member becomes another number.
pub(super) fn each(members: &mut [i64], budget: &mut Budget, f: impl Fn(i64) -> i64) -> Result<usize, Unsure> {
    budget.step(members.len() as u64)?;
    members.iter_mut().for_each(|member| *member = f(*member));
    Ok(members.len())
}

/// The largest or smallest members in their own order; of equal ones the earliest goes first.
#[inline]
pub(super) fn keep(
    (wanted, largest): (i64, bool),
    members: &mut [i64],
    ordered: Ordered,
    budget: &mut Budget,
) -> Result<usize, Unsure> {
    let wanted = usize::try_from(wanted).map_err(|_| Unsure)?;
    budget.step(members.len() as u64)?;
    Ok(kept((wanted, largest), members, ordered))
}

/// What is left without the largest or smallest members: the same as keeping so many fewer on the other side.
pub(super) fn rest(
    (gone, largest): (i64, bool),
    members: &mut [i64],
    ordered: Ordered,
    budget: &mut Budget,
) -> Result<usize, Unsure> {
    let gone = usize::try_from(gone).map_err(|_| Unsure)?;
    budget.step(2 * members.len() as u64 + 1)?;
    Ok(kept((members.len().saturating_sub(gone), !largest), members, ordered))
}

fn kept((wanted, largest): (usize, bool), members: &mut [i64], ordered: Ordered) -> usize {
    let size = members.len();
    if wanted == 0 || wanted >= size {
        return wanted.min(size);
    }
    match ordered {
        Ordered::Ascending => cut(largest, wanted, members),
        // Nobody can tell which of the equal members are left.
        Ordered::Unseen if size - wanted <= FEW => {
            (wanted..size).rev().for_each(|last| worst_last(largest, &mut members[..=last]));
        }
        Ordered::Unseen => {
            members.sort_unstable();
            cut(largest, wanted, members);
        }
        Ordered::Seen => in_order(largest, wanted, members),
    }
    wanted
}

/// Of ascending members, the last or first ones.
fn cut(largest: bool, wanted: usize, members: &mut [i64]) {
    if largest {
        members.copy_within(members.len() - wanted.., 0);
    }
}

/// Brings the smallest member, or the largest, to the end; the order is lost.
fn worst_last(largest: bool, members: &mut [i64]) {
    let Some((last, others)) = members.split_last_mut() else { return };
    // The last place holds the worst so far. No branch: dice cannot be foreseen.
    let mut worst = *last;
    for other in others {
        let (low, high) = (worst.min(*other), worst.max(*other));
        (worst, *other) = if largest { (low, high) } else { (high, low) };
    }
}

fn in_order(largest: bool, wanted: usize, members: &mut [i64]) {
    let mut ranked = members.to_vec();
    let place = if largest { ranked.len() - wanted } else { wanted - 1 };
    let (_, &mut edge, _) = ranked.select_nth_unstable(place);
    let better = |member: i64| if largest { member > edge } else { member < edge };
    let sure = members.iter().filter(|member| better(**member)).count();
    let equal = members.iter().filter(|member| **member == edge).count();
    let mut too_many = sure + equal - wanted;
    retain(members, |member| {
        if member == edge && too_many > 0 {
            too_many -= 1;
            return false;
        }
        member == edge || better(member)
    });
}

pub(super) fn median(members: &mut [i64], budget: &mut Budget) -> Result<usize, Unsure> {
    budget.step(members.len() as u64)?;
    if members.is_empty() {
        return Err(Unsure);
    }
    let (_, &mut middle, _) = members.select_nth_unstable(members.len() / 2);
    members[0] = middle;
    Ok(1)
}

pub(super) fn different(members: &mut [i64], ordered: Ordered, budget: &mut Budget) -> Result<usize, Unsure> {
    budget.step(members.len() as u64)?;
    if ordered == Ordered::Ascending {
        let mut last = None;
        return Ok(retain(members, |member| last.replace(member) != Some(member)));
    }
    let mut seen = std::collections::BTreeSet::new();
    Ok(retain(members, |member| seen.insert(member)))
}

/// How many of each were taken is counted at its first place among those that go.
pub(super) fn minus(members: &mut [i64], gone: &mut [i64], budget: &mut Budget) -> Result<usize, Unsure> {
    budget.step(members.len() as u64 + 1)?;
    gone.sort_unstable();
    let mut taken = vec![0usize; gone.len()];
    Ok(retain(members, |member| {
        let first = gone.partition_point(|other| *other < member);
        let stays = gone.get(first).is_none_or(|_| gone.get(first + taken[first]) != Some(&member));
        if !stays {
            taken[first] += 1;
        }
        stays
    }))
}

pub(super) fn by_presence(
    members: &mut [i64],
    listed: &mut [i64],
    budget: &mut Budget,
    wanted: bool,
) -> Result<usize, Unsure> {
    budget.step(members.len() as u64)?;
    listed.sort_unstable();
    Ok(retain(members, |member| listed.binary_search(&member).is_ok() == wanted))
}

/// Brings the members for which this holds to the front; how many they are.
#[inline(always)]
fn retain(members: &mut [i64], mut stays: impl FnMut(i64) -> bool) -> usize {
    let mut to = 0;
    for from in 0..members.len() {
        let member = members[from];
        members[to] = member;
        to += usize::from(stays(member));
    }
    to
}

/// So many members are dropped faster one by one than by sorting.
const FEW: usize = 3;
