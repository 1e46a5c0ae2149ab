//! Which dice a value came from. A die has a mark; so has a number computed from several dice, and that mark
//! stands for all of them, so that a total which is dropped drops its dice.
//!
//! ```text
//! sum [3, 5]   of dice 0 and 1   a mark for {0, 1}
//! that + 2                       a mark for {{0, 1}}
//! that + die 2                   a mark for {{0, 1}, 2}
//! a success of die 0             a mark for {0}, which says that only a judgement of the die is there
//! ```
//!
//! The mark of a single die thus says that the number is the die itself, perhaps changed by a bound.
//!
//! A number may be used many times over, so whoever walks through marks looks at each only once.

use tumble_core::{Budget, Data, Fault, Mark, Value};

/// Marks from here on stand for several dice.
const FIRST: usize = 1 << 31;

/// Members looked at that cost as much as one step.
const MEMBERS_PER_STEP: u64 = 8;

/// The marks that stand for several dice.
#[derive(Debug, Default)]
pub(crate) struct Kin {
    groups: Vec<Group>,
    walk: u64,
}

#[derive(Debug)]
struct Group {
    marks: Vec<Mark>,
    /// Whether it stands for what the dice were judged to be, not for their numbers.
    judged: bool,
    /// When it was looked at last, as it is and inside a judgement.
    seen: [u64; 2],
}

impl Kin {
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.walk = 0;
    }

    /// The mark of the sum of a collection; one die that is summed up is still that die.
    pub(crate) fn summed(&mut self, pool: &Value, budget: &mut Budget) -> Result<Mark, Fault> {
        match pool.as_pool() {
            Some([one]) => Ok(one.mark),
            _ => self.computed(std::slice::from_ref(pool), budget),
        }
    }

    /// The mark of a number that was computed from these values.
    pub(crate) fn computed(&mut self, from: &[Value], budget: &mut Budget) -> Result<Mark, Fault> {
        let marks = marks(from, budget)?;
        Ok(self.group(marks, false))
    }

    /// The mark of what a value was judged to be.
    pub(crate) fn judged(&mut self, member: &Value, budget: &mut Budget) -> Result<Mark, Fault> {
        let marks = marks(std::slice::from_ref(member), budget)?;
        Ok(self.group(marks, true))
    }

    /// The marks of what a number is the count of.
    pub(crate) fn counted(&self, number: &Value) -> Option<Vec<Mark>> {
        let group = self.groups.get(number.mark.index()?.checked_sub(FIRST)?)?;
        let whole = group.judged && i64::try_from(group.marks.len()).ok() == number.as_int();
        whole.then(|| group.marks.clone())
    }

    fn group(&mut self, marks: Vec<Mark>, judged: bool) -> Mark {
        if marks.is_empty() {
            return Mark::NONE;
        }
        self.groups.push(Group { marks, judged, seen: [0; 2] });
        Mark::die(FIRST + self.groups.len() - 1)
    }

    /// Visits every die that a value or a value in it came from, and whether only a judgement of it did.
    pub(crate) fn each_die(
        &mut self,
        value: &Value,
        budget: &mut Budget,
        mut visit: impl FnMut(usize, bool),
    ) -> Result<(), Fault> {
        let mut open: Vec<(Mark, bool)> = Vec::new();
        open.extend(marks(std::slice::from_ref(value), budget)?.into_iter().map(|mark| (mark, false)));
        self.walk += 1;
        while let Some((mark, judged)) = open.pop() {
            let Some(index) = mark.index() else { continue };
            let Some(group) = index.checked_sub(FIRST) else {
                visit(index, judged);
                continue;
            };
            let Some(group) = self.groups.get_mut(group) else { continue };
            if std::mem::replace(&mut group.seen[usize::from(judged)], self.walk) != self.walk {
                budget.step(1 + group.marks.len() as u64 / MEMBERS_PER_STEP)?;
                open.extend(group.marks.iter().map(|mark| (*mark, judged || group.judged)));
            }
        }
        Ok(())
    }
}

fn marks(values: &[Value], budget: &mut Budget) -> Result<Vec<Mark>, Fault> {
    let mut marks = Vec::new();
    values.iter().try_for_each(|value| collect(value, &mut marks, budget))?;
    Ok(marks)
}

/// The die, if a mark stands for just one.
pub(crate) fn one_die(mark: Mark) -> Option<usize> {
    mark.index().filter(|index| *index < FIRST)
}

fn collect(value: &Value, marks: &mut Vec<Mark>, budget: &mut Budget) -> Result<(), Fault> {
    if value.mark != Mark::NONE {
        marks.push(value.mark);
    }
    if let Data::Pool(items) | Data::Tuple(items) | Data::List(items) = &value.data {
        budget.step(1 + items.len() as u64 / MEMBERS_PER_STEP)?;
        items.iter().try_for_each(|item| collect(item, marks, budget))?;
    }
    Ok(())
}
