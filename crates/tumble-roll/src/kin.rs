//! Which dice a value came from. A die has a mark; so has a number computed from several dice, and that mark
//! stands for all of them, so that a total which is dropped drops its dice.
//!
//! ```text
//! sum [3, 5]   of dice 0 and 1   a mark for {0, 1}
//! that + 2                       the same mark
//! that + die 2                   a mark for {{0, 1}, 2}
//! ```
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
    groups: Vec<Vec<Mark>>,
    /// When each was looked at last.
    seen: Vec<u64>,
    walk: u64,
}

impl Kin {
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.seen.clear();
        self.walk = 0;
    }

    /// The mark of a number that was computed from these values.
    pub(crate) fn computed(&mut self, from: &[Value], budget: &mut Budget) -> Result<Mark, Fault> {
        let mut marks = Vec::new();
        for value in from {
            collect(value, &mut marks, budget)?;
        }
        Ok(match marks.as_slice() {
            [] => Mark::NONE,
            [one] => *one,
            _ => {
                self.groups.push(marks);
                self.seen.push(0);
                Mark::die(FIRST + self.groups.len() - 1)
            }
        })
    }

    /// Visits every die that a value or a value in it came from.
    pub(crate) fn each_die(
        &mut self,
        value: &Value,
        budget: &mut Budget,
        mut visit: impl FnMut(usize),
    ) -> Result<(), Fault> {
        let mut open = Vec::new();
        collect(value, &mut open, budget)?;
        self.walk += 1;
        while let Some(mark) = open.pop() {
            let Some(index) = mark.index() else { continue };
            let Some(group) = index.checked_sub(FIRST) else {
                visit(index);
                continue;
            };
            if let (Some(seen), Some(inner)) = (self.seen.get_mut(group), self.groups.get(group))
                && std::mem::replace(seen, self.walk) != self.walk
            {
                budget.step(1 + inner.len() as u64 / MEMBERS_PER_STEP)?;
                open.extend_from_slice(inner);
            }
        }
        Ok(())
    }
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
