//! Rows in flat code: what a row does on plain values is in its column `flat`, and this is all that is known of it.

use super::compile::Writer;
use super::fuse::Total;
use super::run::Stacks;
use super::{Kind, Op, Unsure};
use tumble_core::prim::{Against, Change, Flat, Fold, List, Order, Ordered, Scan, Shape, Sort};
use tumble_core::{Budget, Prim, TermId};

/// An instruction for a row; "given" is what lies on top of its stack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// A number of the number given.
    One(fn(i64) -> Option<i64>),
    /// A collection of the two numbers given.
    List(List),
    /// A number or a truth of the collection given.
    Fold(fn(&[i64]) -> Option<i64>),
    /// Changes the collection given; it is `ranked` if only their ranks decide which members stay.
    Change { change: Change, number: Operand, ordered: Ordered, ranked: bool },
    /// Removes members of the collection below the one given because of that one.
    Against(Against),
    /// The number given as a collection.
    Single,
    /// So many collections as one.
    Join(usize),
}

/// A number that is known, or given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Known(i64),
    Given,
}

impl Writer<'_, '_> {
    pub(super) fn row(&mut self, row: &'static Prim, args: &[TermId], seen: bool) -> Option<Kind> {
        let single = if row.gives == Sort::Bool { Kind::Truth } else { Kind::Number };
        match (row.flat?, args) {
            (Flat::One(f), [one]) => {
                self.wants(*one, Kind::Number)?;
                self.rows(Row::One(f), single)
            }
            (Flat::Two(f), [left, right]) => {
                let sides = [self.operand(*left)?, self.operand(*right)?];
                self.emit(Op::Two(f, sides));
                Some(single)
            }
            (Flat::List(f), [from, to]) => {
                self.wants(*from, Kind::Number)?;
                self.wants(*to, Kind::Number)?;
                self.rows(Row::List(f), Kind::Pool { sorted: true })
            }
            (Flat::Fold(fold), [whole]) => match self.term(*whole, row.order == Order::Sees)? {
                Kind::Pool { .. } => self.fold(fold, single),
                kind => (fold.passes && kind == single).then_some(kind),
            },
            (Flat::Change(change), [pool]) => self.change((row, change), Operand::Known(0), *pool, seen),
            (Flat::Change(change), [number, pool]) => {
                let number = self.operand(*number)?;
                self.change((row, change), number, *pool, seen)
            }
            (Flat::Against(f), [first, second]) => {
                let sorted = self.pool(*first, seen)?;
                self.pool(*second, false)?;
                self.rows(Row::Against(f), Kind::Pool { sorted })
            }
            (Flat::Join, args) => self.join(args, seen),
            _ => None,
        }
    }

    fn change(&mut self, (row, change): (&Prim, Change), number: Operand, pool: TermId, seen: bool) -> Option<Kind> {
        let sees = row.order == Order::Sees || (row.order == Order::Carries && seen);
        let sorted = self.pool(pool, sees)?;
        let ordered = match sorted {
            true => Ordered::Ascending,
            false if seen => Ordered::Seen,
            false => Ordered::Unseen,
        };
        let sorted = match row.shape {
            Shape::Forget if ordered != Ordered::Seen => {
                self.pay_each();
                return Some(Kind::Pool { sorted });
            }
            Shape::Forget => true,
            Shape::Filter | Shape::Scan(_) | Shape::Map { monotone: true } => sorted,
            _ => false,
        };
        let ranked = matches!(row.shape, Shape::Scan(Scan { size: Some(_), .. }));
        self.rows(Row::Change { change, number, ordered, ranked }, Kind::Pool { sorted })
    }

    fn join(&mut self, args: &[TermId], seen: bool) -> Option<Kind> {
        let mut sorted = args.len() < 2;
        for arg in args {
            match self.term(*arg, seen)? {
                Kind::Number => drop(self.emit(Op::Row(Row::Single))),
                Kind::Pool { sorted: arg } => sorted &= arg,
                Kind::List | Kind::Pools => sorted = false,
                Kind::Truth => return None,
            }
        }
        match args {
            [_] => self.pay_each(),
            _ => drop(self.emit(Op::Row(Row::Join(args.len())))),
        }
        Some(Kind::Pool { sorted })
    }

    fn fold(&mut self, fold: Fold, gives: Kind) -> Option<Kind> {
        if fold.adds
            && let Some((first, step)) = Total::of(&self.code.steps[self.label..])
        {
            self.code.steps.truncate(self.label + first);
            self.code.steps.push(step);
            return Some(gives);
        }
        self.rows(Row::Fold(fold.of), gives)
    }

    fn rows(&mut self, row: Row, gives: Kind) -> Option<Kind> {
        self.emit(Op::Row(row));
        Some(gives)
    }

    /// Evaluates a number, unless it is known.
    fn operand(&mut self, id: TermId) -> Option<Operand> {
        if let Some(number) = self.known(id) {
            self.owed += 1;
            return Some(Operand::Known(number));
        }
        self.wants(id, Kind::Number)?;
        Some(Operand::Given)
    }
}

impl Stacks {
    /// The most common instructions are compiled into the loop of [`Code::run`]; the others stay outside, so that it
    /// stays small.
    ///
    /// [`Code::run`]: super::Code::run
    #[inline]
    pub(super) fn row(&mut self, row: Row, budget: &mut Budget) -> Result<(), Unsure> {
        match row {
            Row::Fold(f) => {
                let number = f(self.top()).ok_or(Unsure)?;
                self.close();
                self.ints.push(number);
            }
            Row::Change { change, number, ordered, .. } => {
                let (number, start) = (self.operand(number), self.start());
                let left = change(number, &mut self.members[start..], ordered, budget)?;
                self.members.truncate(start + left);
            }
            Row::Single => {
                let number = self.pop();
                self.open();
                self.members.push(number);
            }
            other => self.other_row(other, budget)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn other_row(&mut self, row: Row, budget: &mut Budget) -> Result<(), Unsure> {
        match row {
            Row::One(f) => {
                let number = self.pop();
                self.ints.push(f(number).ok_or(Unsure)?);
            }
            Row::List(f) => {
                let (to, from) = (self.pop(), self.pop());
                self.open();
                f(from, to, &mut self.members, budget)?;
            }
            Row::Against(f) => {
                let second = self.starts.pop().unwrap_or(0);
                let start = self.start();
                let (first, second) = self.members.split_at_mut(second);
                let left = f(&mut first[start..], second, budget)?;
                self.members.truncate(start + left);
            }
            Row::Join(0) => self.open(),
            Row::Join(count) => {
                self.starts.truncate(self.starts.len() + 1 - count);
                budget.members(self.top().len() as u64)?;
            }
            _ => return Err(Unsure),
        }
        Ok(())
    }

    /// A number of two.
    #[inline]
    pub(super) fn two(&mut self, f: fn(i64, i64) -> Option<i64>, [left, right]: [Operand; 2]) -> Result<(), Unsure> {
        let right = self.operand(right);
        let left = self.operand(left);
        self.ints.push(f(left, right).ok_or(Unsure)?);
        Ok(())
    }

    #[inline]
    fn operand(&mut self, operand: Operand) -> i64 {
        match operand {
            Operand::Known(number) => number,
            Operand::Given => self.pop(),
        }
    }
}
