//! From rows to flat code: which instruction stands for a row, and what it may know of the order.

use super::compile::Writer;
use super::fuse::Total;
use super::row::{Operand, Order, Row};
use super::{Arith, Kind, Op};
use tumble_core::{Compare, Prim, TermId, prim};

impl Writer<'_, '_> {
    pub(super) fn row(&mut self, row: &'static Prim, args: &[TermId], seen: bool) -> Option<Kind> {
        if let (Some(arith), [left, right]) = (arith(row.name), args) {
            return self.arith(arith, *left, *right);
        }
        let is_number = |sort: &prim::Sort| *sort == prim::Sort::Int;
        if matches!(row.takes.len(), 1 | 2) && is_number(&row.gives) && row.takes.iter().all(is_number) {
            args.iter().try_for_each(|arg| self.wants(*arg, Kind::Number))?;
            self.emit(Op::Apply(row));
            return Some(Kind::Number);
        }
        let kept = |sorted| Some(Kind::Pool { sorted });
        match (row.name, args) {
            ("gather", _) => self.gather(args, seen),
            ("bag", [pool]) => {
                let sorted = self.pool(*pool, false)?;
                if seen && !sorted {
                    self.rows(Row::Sort)
                } else {
                    self.pay_each()
                }
                kept(seen || sorted)
            }
            ("range", [from, to]) => {
                self.wants(*from, Kind::Number)?;
                self.wants(*to, Kind::Number)?;
                self.rows(Row::Range);
                kept(true)
            }
            ("only", [one]) => match self.term(*one, false)? {
                Kind::Number => Some(Kind::Number),
                Kind::Pool { .. } => self.fold(Row::Only, Kind::Number),
                _ => None,
            },
            ("some", [one]) => match self.term(*one, false)? {
                Kind::Truth => Some(Kind::Truth),
                Kind::Pool { .. } => self.fold(Row::Some, Kind::Truth),
                _ => None,
            },
            ("sum" | "count" | "given", [pool]) => {
                self.pool(*pool, false)?;
                match row.name {
                    "sum" => self.sum(),
                    "count" => self.fold(Row::Count, Kind::Number),
                    _ => self.fold(Row::Some, Kind::Truth),
                }
            }
            ("median", [pool]) => {
                self.pool(*pool, false)?;
                self.rows(Row::Median);
                kept(true)
            }
            (_, args) => {
                let (row, sorted) = self.selecting(row, args, seen)?;
                self.rows(row);
                kept(sorted)
            }
        }
    }

    /// Evaluates the arguments of a row that removes members; whether what is left is sorted.
    fn selecting(&mut self, prim: &Prim, args: &[TermId], seen: bool) -> Option<(Row, bool)> {
        let name = prim.name;
        match *args {
            [pool] => {
                let sorted = self.pool(pool, seen)?;
                let row = match name {
                    "minimal" => Row::Minimal,
                    "maximal" => Row::Maximal,
                    "different" => Row::Different { sorted },
                    _ => return None,
                };
                Some((row, sorted))
            }
            [first, second] if matches!(name, "minus" | "among" | "without") => {
                let sorted = self.pool(first, seen)?;
                self.pool(second, false)?;
                Some((if name == "minus" { Row::Minus } else { Row::Among(name == "among") }, sorted))
            }
            [number, pool] => {
                let number = self.operand(number)?;
                let sorted = self.pool(pool, seen)?;
                let order = Order::of(Kind::Pool { sorted }, seen);
                let row = match name {
                    "largest" => Row::Keep { wanted: number, largest: true, order },
                    "least" => Row::Keep { wanted: number, largest: false, order },
                    _ => Row::Filter(number, Compare::of(prim)?),
                };
                Some((row, sorted))
            }
            _ => None,
        }
    }

    fn gather(&mut self, args: &[TermId], seen: bool) -> Option<Kind> {
        let mut sorted = true;
        for arg in args {
            match self.term(*arg, seen)? {
                Kind::Number => self.rows(Row::Single),
                Kind::Pool { sorted: arg } => sorted &= arg,
                Kind::List | Kind::Pools => sorted = false,
                Kind::Truth => return None,
            }
        }
        match args.len() {
            0 => self.rows(Row::Empty),
            1 => self.pay_each(),
            many => self.rows(Row::Join(many)),
        }
        Some(Kind::Pool { sorted: sorted && args.len() < 2 })
    }

    /// A number that is known stands in the instruction, on whichever side it is.
    fn arith(&mut self, arith: Arith, left: TermId, right: TermId) -> Option<Kind> {
        let swaps = arith != Arith::Sub && self.known(left).is_some();
        let (first, second) = if swaps { (right, left) } else { (left, right) };
        self.owed += u64::from(swaps);
        self.wants(first, Kind::Number)?;
        let operand = match self.known(second) {
            Some(number) if swaps => Operand::Known(number),
            _ => self.operand(second)?,
        };
        self.emit(Op::Arith(arith, operand));
        Some(Kind::Number)
    }

    fn fold(&mut self, row: Row, kind: Kind) -> Option<Kind> {
        self.rows(row);
        Some(kind)
    }

    fn sum(&mut self) -> Option<Kind> {
        let fused = match &self.code.steps[self.label..] {
            [.., throw, then] => Total::of(throw, then),
            _ => None,
        };
        match fused {
            Some(step) => {
                self.code.steps.truncate(self.code.steps.len() - 2);
                self.code.steps.push(step);
                Some(Kind::Number)
            }
            None => self.fold(Row::Sum, Kind::Number),
        }
    }

    fn rows(&mut self, row: Row) {
        self.emit(Op::Row(row));
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

fn arith(name: &str) -> Option<Arith> {
    Some(match name {
        "add" => Arith::Add,
        "sub" => Arith::Sub,
        "mul" => Arith::Mul,
        _ => return None,
    })
}
