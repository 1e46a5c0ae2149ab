//! From the core to nice-dice: an expression with the same meaning, with parentheses everywhere; `spell` takes the
//! needless ones away.
//!
//! All values are numbers, so a pool can only be totalled, and what happens to its members happens to what is
//! repeated:
//!
//! ```text
//! sum of the dice of at least 5        3([A: d6] (A ≥ 5) * A)
//! number of dice of at least 5         3(d6 ≥ 5)
//! the three highest                    4d6kh3
//! a if t, else b                       [T: t] T * a + (1 - T) * b
//! ```

use super::operator::{Core, OPERATORS};
use crate::Spelling;
use crate::view::{View, Written, written};
use std::cell::Cell;
use tumble_core::{Compare, Program, Term, TermId, prim};

/// A nice-dice text with the same meaning.
pub(super) fn write(program: &Program, _: &Spelling) -> Written {
    written(program, &super::NOTATION, |view| {
        Writer { extra: Cell::new(view.main().slots.len()) }.number(view, view.only()?)
    })
}

/// A name made of capitals, another for each number.
fn name(number: usize) -> String {
    let (letter, rest) = (char::from(b'A' + (number % 26) as u8), number / 26);
    if rest == 0 { letter.to_string() } else { format!("{}{letter}", name(rest - 1)) }
}

struct Writer {
    /// The next name that nobody has.
    extra: Cell<usize>,
}

/// What happens to a member before it is added up.
#[derive(Clone, Copy)]
enum Change {
    /// Only those that compare so with the number count.
    Only(Compare, i64),
    Cap(i64),
    Lift(i64),
    /// It counts as 1.
    One,
}

impl Writer {
    fn fresh(&self) -> String {
        let number = self.extra.get();
        self.extra.set(number + 1);
        name(number)
    }

    fn number(&self, view: View<'_>, id: TermId) -> Written {
        let view = view.inside(id)?;
        let number = |id: TermId| self.number(view, id);
        if let Some(truth) = view.indicator(id) {
            return self.truth(view, truth);
        }
        let text = match view.term(id) {
            Term::Lit(value) => match value.as_int() {
                Some(n @ 0..) => n.to_string(),
                Some(n @ -0x7fff_ffff_ffff_ffff..) => format!("(-{})", n.unsigned_abs()),
                _ => return Err(view.no_words(id)),
            },
            Term::Var(slot) => name(slot.index()),
            Term::Let { slots, value, body } => {
                let slot = view.named(id, slots)?;
                format!("([{}: {}] {})", name(slot.index()), number(*value)?, number(*body)?)
            }
            Term::If { test, then, other, .. } => {
                let (test, then, other) = (self.truth(view, *test)?, number(*then)?, number(*other)?);
                match other.as_str() {
                    "0" => format!("({test} * {then})"),
                    _ => {
                        let bound = self.fresh();
                        format!("([{bound}: {test}] ({bound} * {then} + (1 - {bound}) * {other}))")
                    }
                }
            }
            Term::Draw { .. } => self.die(view, id)?,
            Term::Prim { prim, args } => self.row(view, id, prim.name, args)?,
            Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => return Err(view.no_words(id)),
            Term::Loop { .. } | Term::Call { .. } => return Err(view.no_words(id)),
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
                return Err(view.no_words(id));
            }
        };
        view.short(id, text)
    }

    fn die(&self, view: View<'_>, id: TermId) -> Written {
        match view.die(id) {
            Some((1, sides @ 1..)) => Ok(format!("d{sides}")),
            Some((lo, hi)) if lo <= hi => {
                let sides = (i128::from(hi) - i128::from(lo) + 1).to_string();
                Ok(format!("(d{sides} + ({}))", i128::from(lo) - 1))
            }
            _ => Err(view.cannot(id, "a die like this")),
        }
    }

    /// 1 or 0.
    fn truth(&self, view: View<'_>, id: TermId) -> Written {
        let view = view.inside(id)?;
        if let Some(truth) = view.bool(id) {
            return Ok(i64::from(truth).to_string());
        }
        if let Some((by, a, b)) = view.compare(id) {
            return compared(by, &self.number(view, a)?, &self.number(view, b)?);
        }
        if let Some(inner) = view.not(id) {
            return Ok(format!("(1 - {})", self.truth(view, inner)?));
        }
        if let Some((both, a, b)) = view.both(id) {
            let (a, b) = (self.truth(view, a)?, self.truth(view, b)?);
            return Ok(if both { format!("({a} * {b})") } else { format!("(1 - (1 - {a}) * (1 - {b}))") });
        }
        match view.of(id, &prim::SOME) {
            Some([pool]) => Ok(format!("({} > 0)", self.total(view, *pool, &[Change::One])?)),
            _ => Err(view.no_words(id)),
        }
    }

    fn row(&self, view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
        let number = |id: &TermId| self.number(view, *id);
        let operator = OPERATORS.iter().find(|op| matches!(op.core, Core::Row(core) if core.name == row));
        if let (Some(op), [a, b]) = (operator, args) {
            return Ok(format!("({} {} {})", number(a)?, op.sign, number(b)?));
        }
        match (row, args) {
            ("div", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => {
                Ok(format!("({} / {})", number(a)?, number(b)?))
            }
            ("rem", [a, b]) => self.remainder(view, *a, *b),
            ("mod", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => self.remainder(view, *a, *b),
            ("div" | "mod", _) => Err(view.cannot(id, "a division that rounds negative numbers down")),
            ("neg", [a]) => Ok(format!("(-({}))", number(a)?)),
            ("abs", [a]) => {
                let bound = self.fresh();
                Ok(format!("([{bound}: {}] (({bound} > 0) * 2 - 1) * {bound})", number(a)?))
            }
            ("sum", [pool]) => self.total(view, *pool, &[]),
            ("count", [pool]) => self.total(view, *pool, &[Change::One]),
            ("only", [pool]) => self.best(view, id, *pool),
            // A collection of one is a number where it comes from.
            ("largest" | "least", [one, _]) if view.int(*one) == Some(1) => self.best(view, id, id),
            _ => Err(view.no_words(id)),
        }
    }

    fn remainder(&self, view: View<'_>, a: TermId, b: TermId) -> Written {
        let (x, y) = (self.fresh(), self.fresh());
        let (a, b) = (self.number(view, a)?, self.number(view, b)?);
        Ok(format!("([{x}: {a}] [{y}: {b}] ({x} - ({x} / {y}) * {y}))"))
    }

    /// The only member: the best of equal rolls, or of two numbers.
    fn best(&self, view: View<'_>, id: TermId, pool: TermId) -> Written {
        let Some((largest, [a, b])) = view.extreme(id) else { return self.total(view, pool, &[]) };
        let (x, y) = (self.fresh(), self.fresh());
        let (a, b) = (self.number(view, *a)?, self.number(view, *b)?);
        let sign = if largest { "≥" } else { "≤" };
        Ok(format!("([{x}: {a}] [{y}: {b}] (({x} {sign} {y}) * {x} + (1 - ({x} {sign} {y})) * {y}))"))
    }

    /// The sum of the members of a pool after these changes, the first one first.
    fn total(&self, view: View<'_>, pool: TermId, after: &[Change]) -> Written {
        let view = view.inside(pool)?;
        if let Some(parts) = view.union(pool) {
            let part = |id: &TermId| match view.term(*id) {
                Term::Repeat { times, body } => {
                    let each = self.changed(self.number(view, *body)?, after)?;
                    Ok(format!("(({})({each}))", self.number(view, *times)?))
                }
                Term::Prim { prim, .. } if prim.gives == prim::Sort::Pool => self.total(view, *id, after),
                Term::Until { .. } | Term::ForEach { .. } => Err(view.no_words(*id)),
                Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => {
                    self.changed(self.number(view, *id)?, after)
                }
                Term::Draw { .. } | Term::Loop { .. } | Term::Call { .. } => {
                    self.changed(self.number(view, *id)?, after)
                }
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
                    Err(view.no_words(*id))
                }
            };
            let parts = parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
            return Ok(if parts.is_empty() { "0".to_owned() } else { format!("({})", parts.join(" + ")) });
        }
        let with = |change: Change| [&[change], after].concat();
        let Some((row, args)) = view.prim(pool) else { return Err(view.no_words(pool)) };
        let (n, inner) = match args {
            [inner] if *row == prim::BAG => return self.total(view, *inner, after),
            [n, inner] => (view.int(*n).ok_or_else(|| view.no_words(pool))?, *inner),
            _ => return Err(view.no_words(pool)),
        };
        match (row.name, Compare::of(row)) {
            (_, Some(by)) => self.total(view, inner, &with(Change::Only(by.flipped(), n))),
            ("cap", _) => self.total(view, inner, &with(Change::Cap(n))),
            ("lift", _) => self.total(view, inner, &with(Change::Lift(n))),
            ("largest" | "least" | "but_largest" | "but_least", _) if after.is_empty() => {
                self.kept(view, pool, (row.name, n), inner)
            }
            _ => Err(view.no_words(pool)),
        }
    }

    /// The highest or lowest of equal rolls.
    fn kept(&self, view: View<'_>, id: TermId, (row, n): (&str, i64), pool: TermId) -> Written {
        let Some((times, body)) = view.repeated(pool) else {
            return Err(view.cannot(id, "keeping some of a mixed pool"));
        };
        let Some(count) = view.int(times) else {
            return Err(view.cannot(id, "keeping some of a random number of dice"));
        };
        let (high, keep) = match row {
            "largest" => (true, n.min(count)),
            "least" => (false, n.min(count)),
            "but_least" => (true, (count - n).max(0)),
            _ => (false, (count - n).max(0)),
        };
        let word = if high { "kh" } else { "kl" };
        Ok(format!("({count}({}){word}{keep})", self.number(view, body)?))
    }

    /// What a member adds.
    fn changed(&self, member: String, changes: &[Change]) -> Written {
        match changes {
            [] => return Ok(member),
            [Change::One] => return Ok("1".to_owned()),
            [Change::Only(by, n), Change::One] => return compared(*by, &member, &literal(*n)),
            _ => {}
        }
        let bound = self.fresh();
        let (mut value, mut factors) = (bound.clone(), Vec::new());
        for change in changes {
            value = match change {
                Change::Only(by, n) => {
                    factors.push(compared(*by, &value, &literal(*n))?);
                    value
                }
                Change::Cap(n) => format!("(({value} > {n}) * {n} + ({value} ≤ {n}) * {value})", n = literal(*n)),
                Change::Lift(n) => format!("(({value} < {n}) * {n} + ({value} ≥ {n}) * {value})", n = literal(*n)),
                Change::One => "1".to_owned(),
            };
        }
        factors.push(value);
        Ok(format!("([{bound}: {member}] ({}))", factors.join(" * ")))
    }
}

fn literal(n: i64) -> String {
    if n < 0 { format!("(-{})", n.unsigned_abs()) } else { n.to_string() }
}

/// A comparison, which gives 1 or 0.
fn compared(by: Compare, a: &str, b: &str) -> Written {
    let op = OPERATORS.iter().find(|op| op.core == Core::Compare(by));
    Ok(op.map_or_else(|| format!("(1 - ({a} = {b}))"), |op| format!("({a} {} {b})", op.sign)))
}
