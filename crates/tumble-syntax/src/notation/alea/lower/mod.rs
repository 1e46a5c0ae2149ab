//! From a tree to the core: the meaning of Alea.
//!
//! A pool starts as so many dice that are not rolled yet. `+ - M m` attach to the dice not yet rolled; `K`, `D`
//! and `!` first roll everything and then look at the dice. Which modifiers meet which dice is known before
//! anything is rolled (`plan`), so a pool becomes one term:
//!
//! ```text
//! d20+          only(largest(1, gather(repeat(2, draw(1..20)))))
//! 3d6!          3 clans: a die and, if it shows 6, another one (explode)
//! 3d6!!         3 clans: until(x = draw(1..6), x < 6), all passes
//! … K2H         largest(2, pool)          … K2    2 members drawn
//! … C>4         count(less(4, pool))      else    sum(pool)
//! ```
//!
//! Where something later must know which die a member is, or whether it exploded, members are pairs of a number
//! and a tag; everywhere else they are plain numbers.

mod die;
mod explode;
mod plan;
mod pool;

use super::syntax::{Operand, Tree};
use crate::Lowered;
use crate::build::two;
use crate::kit::Kit;
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Code, Diagnostic, Span, TermId, prim};

/// More remarks than this help nobody.
const MOST_WARNINGS: usize = 20;

/// Lowers a tree.
pub(super) fn lower(tree: &Tree) -> Parsed<Lowered> {
    let mut lowering = Lowering { kit: Kit::new(&[]), before_pool: 0, warnings: Vec::new() };
    let mut total: Option<(TermId, Span)> = None;
    for term in &tree.terms {
        let value = match &term.operand {
            Operand::Number(n) => lowering.kit.put(term.span, *n),
            Operand::Pool(pool) => lowering.pool(pool, term.span)?,
        };
        total = Some(match total {
            None => (value, term.span),
            Some((left, before)) => {
                let span = before.to(term.span);
                let row = if term.minus { &prim::SUB } else { &prim::ADD };
                (lowering.kit.put(span, two(row, left, value)), span)
            }
        });
    }
    let nothing = || Box::new(Mistake::new(Span::default(), "there is nothing to roll"));
    let (body, _) = total.ok_or_else(nothing)?;
    let Lowering { kit, warnings, .. } = lowering;
    Ok(Lowered { warnings, ..kit.finish(body) })
}

/// The terms so far.
struct Lowering {
    kit: Kit,
    /// How many terms there were before this pool.
    before_pool: usize,
    warnings: Vec<Diagnostic>,
}

impl Lowering {
    fn warn(&mut self, span: Span, message: impl Into<String>) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Diagnostic::new(Code::Syntax, span, message));
        }
    }
}
