//! Dice: their faces, and how one is rolled.
//!
//! ```text
//! law of a die            draw(faces)
//! … with k times "+"      only(largest(1, gather(repeat(2^k, law so far)))), and "-" with `least`
//! … with "M" or "m"       its largest or smallest face, whatever else is said
//! ```

use super::super::syntax::{Die, Sides};
use super::{Lowering, Parsed};
use crate::build::{die, one, times, two};
use crate::kit::faces_listed;
use crate::mistake::Mistake;
use std::sync::Arc;
use tumble_core::{Code, Faces, Span, Term, TermId, Value, prim};

/// How often advantage and disadvantage may be said of one die: it is rolled 2^n times.
const MOST_SIGNS: u32 = 12;

/// A die, known by its faces.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    pub(super) smallest: i64,
    pub(super) largest: i64,
    /// The faces with their weights, if they are not all numbers from the smallest to the largest.
    listed: Option<Arc<Vec<(Value, u64)>>>,
}

/// How a die is rolled.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Law {
    /// Whether every die shows its largest (true) or smallest face.
    pub(super) fixed: Option<bool>,
    /// Advantage (true) and disadvantage, and how often in a row.
    runs: Vec<(bool, u32)>,
    /// The first sign too many.
    beyond: Option<Span>,
}

impl Law {
    /// Attaches advantage or disadvantage.
    pub(super) fn sign(&mut self, better: bool, span: Span) {
        if self.runs.iter().map(|(_, times)| times).sum::<u32>() == MOST_SIGNS {
            self.beyond = self.beyond.or(Some(span));
            return;
        }
        match self.runs.last_mut() {
            Some((last, times)) if *last == better => *times += 1,
            _ => self.runs.push((better, 1)),
        }
    }

    /// Complains about more rolls than anyone wants.
    pub(super) fn check(&self) -> Parsed<()> {
        match self.beyond {
            Some(span) if self.fixed.is_none() => {
                let message =
                    format!("advantage and disadvantage can be applied at most {MOST_SIGNS} times to the same dice");
                Mistake::limit(span, message).fail()
            }
            _ => Ok(()),
        }
    }
}

impl Kind {
    fn range(smallest: i64, largest: i64) -> Kind {
        Kind { smallest, largest, listed: None }
    }

    fn list(items: &[(i64, i64)], span: Span) -> Parsed<Kind> {
        let faces = faces_listed(items, span)?;
        let end = |face: Option<&(Value, u64)>| face.and_then(|(face, _)| face.as_int()).unwrap_or_default();
        let (smallest, largest) = (end(faces.first()), end(faces.last()));
        Ok(Kind { smallest, largest, listed: Some(Arc::new(faces)) })
    }
}

impl Lowering {
    /// The faces of a die.
    pub(super) fn kind(&self, die: &Die) -> Parsed<Kind> {
        match &die.sides {
            Sides::Plain(0) => {
                let message = "a die needs at least one side";
                let mistake = Mistake::coded(Code::Runtime, die.span, message).kind("no-sides");
                mistake.fail()
            }
            Sides::Plain(n) => Ok(Kind::range(1, *n)),
            Sides::Percent => Ok(Kind::range(1, 100)),
            Sides::Fudge(n) => Ok(Kind::range(-n, *n)),
            Sides::Range(from, to) => Ok(Kind::range(*from, *to)),
            Sides::List(items) => match items.as_slice() {
                [(from, to)] => Ok(Kind::range(*from, *to)),
                _ => Kind::list(items, die.span),
            },
        }
    }

    /// One roll of a die.
    pub(super) fn law(&mut self, kind: &Kind, law: &Law, span: Span) -> TermId {
        if let Some(largest) = law.fixed {
            return self.kit.put(span, if largest { kind.largest } else { kind.smallest });
        }
        let mut term = match &kind.listed {
            None => self.kit.put(span, die(kind.smallest, kind.largest)),
            Some(faces) => self.kit.put(span, Term::Draw { faces: Faces::Weighted(faces.clone()) }),
        };
        for (better, signs) in &law.runs {
            let row = if *better { &prim::LARGEST } else { &prim::LEAST };
            term = self.kit.put(span, one(&prim::ONLY, two(row, 1, times(1 << signs, term))));
        }
        term
    }
}
