//! What a walk is made of: points, what there is to choose at them, and the ways to choose.

use super::code::Reg;
use crate::dist::Dist;
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Answers, Diagnostic, Fault, Prim, Slot, TermId, Value};

/// What is done with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Its code is run as a part of the caller's: it calls itself, decides something, or is short.
    Inline,
    /// It has no chance: its result is computed once for the same arguments.
    Pure,
    /// The distribution of its result is found once for the same arguments.
    Shared,
}
/// A state of the walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub(super) function: usize,
    pub(super) at: usize,
    pub(super) live: Box<[Outcome]>,
    /// The calls that are open, by number.
    pub(super) below: Option<u32>,
    pub(super) request: Request,
}

impl Point {
    /// The register that has to be seen here, if that is what is chosen.
    pub(super) fn sees(&self) -> Option<Reg> {
        if let Request::Unseen { reg, .. } = self.request { Some(reg) } else { None }
    }
}
/// What is to be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Request {
    /// One draw.
    Draw { faces: Faces, path: Outcome },
    /// A list of draws.
    Dice { count: u64, faces: Faces, path: Outcome },
    /// The total of a text, or its dice; sorted if nothing sees their order.
    Text { text: String, dice: bool, sorted: bool },
    /// The total of plain dice.
    Plain { count: u64, sides: i64, path: Outcome },
    /// A collection with new dice in the places of those that are gone.
    Again { kept: Vec<Option<Value>>, sides: i64, sorted: bool, path: Outcome },
    /// The result of a call.
    Call { function: usize, args: Vec<Outcome>, path: Outcome },
    /// What becomes of unseen dice, in this register.
    Unseen { number: u32, reg: usize },
    /// What a player decides.
    Ask { group: usize, answers: Kind },
}

/// What a draw chooses from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Faces {
    Range(i64, i64),
    Weighted(Vec<(Value, u64)>),
    Member(Vec<Value>),
    /// So many members without replacement.
    Members(Vec<Value>, usize),
}

/// The ways to choose, with whole weights that add up to `den`.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    pub(super) den: UBig,
    pub(super) items: Vec<(Outcome, UBig)>,
}

impl From<Dist> for Ways {
    fn from(dist: Dist) -> Ways {
        Ways { den: dist.den, items: dist.items }
    }
}

impl Ways {
    /// One way only.
    pub(super) fn one(value: Value) -> Ways {
        Dist::one(Outcome::Known(value)).into()
    }
}

/// What becomes of dice that nobody has looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unseen {
    /// The dice of a text.
    Thrown(String),
    /// A row of them and of known values.
    Row(&'static Prim, Vec<Part>),
    /// One evaluation per member, with the values of other variables.
    Each { term: TermId, pool: u32, held: Vec<(Slot, Value)> },
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Known(Value),
    Unseen(u32),
}

/// What can be answered, without the words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Option,
    Choice(usize),
    Number { low: i64, high: i64 },
    Select(usize),
}

impl Kind {
    /// What can be answered to this question or to another one of the same option.
    pub(super) fn widen(&mut self, other: &Kind) {
        *self = match (&*self, other) {
            (Kind::Choice(a), Kind::Choice(b)) => Kind::Choice(*a.max(b)),
            (Kind::Select(a), Kind::Select(b)) => Kind::Select(*a.max(b)),
            (Kind::Number { low, high }, Kind::Number { low: least, high: most }) => {
                Kind::Number { low: *low.min(least), high: *high.max(most) }
            }
            _ => return,
        };
    }

    pub(super) fn of(answers: &Answers) -> Kind {
        match answers {
            Answers::Option => Kind::Option,
            Answers::Choice(texts) => Kind::Choice(texts.len()),
            Answers::Number { low, high, .. } => Kind::Number { low: *low, high: *high },
            Answers::Select(texts) => Kind::Select(texts.len()),
        }
    }
}

/// What is remembered of a call: its distribution, and the options that are met inside.
pub(super) type Call = (Rc<Ways>, Rc<[usize]>);

/// What went wrong: at this place, or in a call inside it.
pub(super) enum Wrong {
    Here(Fault),
    Inside(Box<Diagnostic>),
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::Here(fault)
    }
}

impl From<Stop> for Wrong {
    fn from(stop: Stop) -> Wrong {
        match stop {
            Stop::Fault(fault) => Wrong::Here(fault),
            Stop::Unsolvable | Stop::Need(_) => Wrong::Here(Fault::mistake("internal error: a script stopped")),
        }
    }
}

/// What code comes to.
pub(super) enum Next {
    Choice(Request),
    Call(usize, Vec<Outcome>, Outcome),
    Return(Outcome),
    End(Outcome),
}

/// What becomes of a choice.
pub(super) enum Chosen {
    /// There is only one way.
    Known(Outcome),
    Next(Next),
}
