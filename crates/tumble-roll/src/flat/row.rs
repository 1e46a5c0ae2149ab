//! Rows on numbers, in place.
//!
//! Each of these does what the row of its name in `tumble_core::prim` does to a collection of numbers,
//! and pays the same steps; the rows are the meaning, and a test holds one against the other.

use super::run::Stacks;
use super::{Kind, Unsure};
use std::collections::HashSet;
use tumble_core::{Budget, Compare};

/// A row on the collection given, or on the two given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// No members.
    Empty,
    /// The number given as a collection.
    Single,
    /// So many collections as one.
    Join(usize),
    /// `bag`
    Sort,
    /// `range`
    Range,
    /// `only`
    Only,
    /// `sum`
    Sum,
    /// `count`
    Count,
    /// `some`
    Some,
    /// `largest` or `least` of so many.
    Keep { wanted: Operand, largest: bool, order: Order },
    /// The members that stand so to a number.
    Filter(Operand, Compare),
    /// `minimal`
    Minimal,
    /// `maximal`
    Maximal,
    /// `median`
    Median,
    /// `different`
    Different { sorted: bool },
    /// `minus`
    Minus,
    /// `among` or `without`
    Among(bool),
}

/// A number that is known, or given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Known(i64),
    Given,
}

/// What is known of the order of the members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// They ascend.
    Sorted,
    /// Nobody sees it.
    Blind,
    /// Somebody sees it.
    Seen,
}

impl Order {
    pub(super) fn of(kind: Kind, seen: bool) -> Order {
        match kind {
            Kind::Pool { sorted: true } => Order::Sorted,
            _ if seen => Order::Seen,
            _ => Order::Blind,
        }
    }
}

impl Stacks {
    #[inline]
    pub(super) fn row(&mut self, row: Row, budget: &mut Budget) -> Result<(), Unsure> {
        match row {
            Row::Empty => self.open(),
            Row::Single => {
                let number = self.pop();
                self.open();
                self.members.push(number);
            }
            Row::Join(count) => {
                self.starts.truncate(self.starts.len() + 1 - count);
                budget.members(self.top().len() as u64)?;
            }
            Row::Sort => {
                budget.step(self.top().len() as u64)?;
                self.top_mut().sort_unstable();
            }
            Row::Range => {
                let (to, from) = (self.pop(), self.pop());
                let size = i128::from(to) - i128::from(from) + 1;
                budget.members(u64::try_from(size.max(0)).unwrap_or(u64::MAX))?;
                self.open();
                self.members.extend(from..=to);
            }
            Row::Only => {
                let &[one] = self.top() else { return Err(Unsure) };
                self.give(one);
            }
            Row::Sum => {
                let sum = self.top().iter().try_fold(0i64, |sum, member| sum.checked_add(*member));
                self.give(sum.ok_or(Unsure)?);
            }
            Row::Count => self.give(i64::try_from(self.top().len()).unwrap_or(i64::MAX)),
            Row::Some => self.give(i64::from(!self.top().is_empty())),
            Row::Filter(number, test) => {
                let number = self.operand(number);
                self.filter(number, test);
            }
            Row::Keep { wanted, largest, order } => {
                let wanted = self.operand(wanted);
                self.keep(wanted, largest, order, budget)?;
            }
            Row::Minimal => self.equal_to(self.top().iter().min().copied()),
            Row::Maximal => self.equal_to(self.top().iter().max().copied()),
            Row::Median => self.median(budget)?,
            Row::Different { sorted } => self.different(sorted, budget)?,
            Row::Minus => self.minus(budget)?,
            Row::Among(wanted) => self.among(wanted, budget)?,
        }
        Ok(())
    }

    /// Replaces the collection given by a number.
    fn give(&mut self, number: i64) {
        self.close();
        self.ints.push(number);
    }

    pub(super) fn operand(&mut self, operand: Operand) -> i64 {
        match operand {
            Operand::Known(number) => number,
            Operand::Given => self.pop(),
        }
    }

    fn filter(&mut self, n: i64, test: Compare) {
        match test {
            Compare::Equal => self.retain(|x| n == x),
            Compare::Unequal => self.retain(|x| n != x),
            Compare::Less => self.retain(|x| n < x),
            Compare::More => self.retain(|x| n > x),
            Compare::AtMost => self.retain(|x| n <= x),
            Compare::AtLeast => self.retain(|x| n >= x),
        }
    }

    fn equal_to(&mut self, wanted: Option<i64>) {
        self.retain(|member| Some(member) == wanted);
    }

    /// The largest or smallest members in their own order; of equal ones the earliest goes first.
    #[inline]
    fn keep(&mut self, wanted: i64, largest: bool, order: Order, budget: &mut Budget) -> Result<(), Unsure> {
        let size = self.top().len();
        let wanted = usize::try_from(wanted).map_err(|_| Unsure)?;
        budget.step(size as u64)?;
        if wanted >= size {
            return Ok(());
        }
        if wanted == 0 {
            self.retain(|_| false);
            return Ok(());
        }
        match order {
            // Nobody can tell which of the equal members are left.
            Order::Sorted => self.cut(largest, wanted),
            Order::Blind if size - wanted <= FEW => {
                for _ in wanted..size {
                    self.drop_worst(largest);
                }
            }
            Order::Blind => {
                self.top_mut().sort_unstable();
                self.cut(largest, wanted);
            }
            Order::Seen => self.keep_in_order(largest, wanted),
        }
        Ok(())
    }

    /// Of ascending members, the last or first ones.
    fn cut(&mut self, largest: bool, wanted: usize) {
        let start = self.start();
        if largest {
            let end = self.members.len() - wanted;
            self.members.copy_within(end.., start);
        }
        self.members.truncate(start + wanted);
    }

    /// Drops the smallest member, or the largest; the order is lost.
    fn drop_worst(&mut self, largest: bool) {
        let members = self.top_mut();
        let Some((last, others)) = members.split_last_mut() else { return };
        // The last place holds the worst so far. No branch: dice cannot be foreseen.
        let mut worst = *last;
        for other in others {
            let (low, high) = (worst.min(*other), worst.max(*other));
            (worst, *other) = if largest { (low, high) } else { (high, low) };
        }
        self.members.pop();
    }

    fn keep_in_order(&mut self, largest: bool, wanted: usize) {
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        spare.extend_from_slice(self.top());
        let place = if largest { spare.len() - wanted } else { wanted - 1 };
        let (_, &mut edge, _) = spare.select_nth_unstable(place);
        let better = |member: i64| if largest { member > edge } else { member < edge };
        let sure = spare.iter().filter(|member| better(**member)).count();
        let equal = spare.iter().filter(|member| **member == edge).count();
        let mut too_many = sure + equal - wanted;
        self.spare = spare;
        self.retain(|member| {
            if member == edge && too_many > 0 {
                too_many -= 1;
                return false;
            }
            member == edge || better(member)
        });
    }

    fn median(&mut self, budget: &mut Budget) -> Result<(), Unsure> {
        let size = self.top().len();
        budget.step(size as u64)?;
        if size == 0 {
            return Err(Unsure);
        }
        let (_, &mut middle, _) = self.top_mut().select_nth_unstable(size / 2);
        self.members.truncate(self.start());
        self.members.push(middle);
        Ok(())
    }

    fn different(&mut self, sorted: bool, budget: &mut Budget) -> Result<(), Unsure> {
        budget.step(self.top().len() as u64)?;
        if sorted {
            let mut last = None;
            self.retain(|member| last.replace(member) != Some(member));
        } else {
            let mut seen = HashSet::new();
            self.retain(|member| seen.insert(member));
        }
        Ok(())
    }

    /// The upper collection is sorted; how many of each were taken is counted at its first place.
    fn minus(&mut self, budget: &mut Budget) -> Result<(), Unsure> {
        let gone = self.take_top();
        budget.step(self.top().len() as u64 + 1)?;
        let mut taken = vec![0usize; gone.len()];
        self.retain(|member| {
            let first = gone.partition_point(|other| *other < member);
            let stays = gone.get(first).is_none_or(|_| gone.get(first + taken[first]) != Some(&member));
            if !stays {
                taken[first] += 1;
            }
            stays
        });
        self.spare = gone;
        Ok(())
    }

    fn among(&mut self, wanted: bool, budget: &mut Budget) -> Result<(), Unsure> {
        let listed = self.take_top();
        budget.step(self.top().len() as u64)?;
        self.retain(|member| listed.binary_search(&member).is_ok() == wanted);
        self.spare = listed;
        Ok(())
    }

    /// Takes the collection given away, sorted.
    fn take_top(&mut self) -> Vec<i64> {
        let mut taken = std::mem::take(&mut self.spare);
        taken.clear();
        taken.extend_from_slice(self.top());
        taken.sort_unstable();
        self.close();
        taken
    }

    /// Keeps the members of the collection given for which this holds.
    fn retain(&mut self, mut stays: impl FnMut(i64) -> bool) {
        let start = self.start();
        let mut to = start;
        for from in start..self.members.len() {
            let member = self.members[from];
            self.members[to] = member;
            to += usize::from(stays(member));
        }
        self.members.truncate(to);
    }
}

/// So many members are dropped faster one by one than by sorting.
const FEW: usize = 3;
