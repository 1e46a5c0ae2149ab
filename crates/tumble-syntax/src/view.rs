//! What a term of the core says, however a notation wrote it: the way back from a program to an expression.
//!
//! ```text
//! a < b      some(less(a, gather(b)))           dice       gather(repeat(n, die)), sorted or not
//! 1 or 0     if t then 1 else 0                 best of    only(largest(1, gather(a, b)))
//! not t      if t then false else true
//! ```
//!
//! A notation's `write` asks these questions and spells the answers; what it has no words for is a
//! diagnostic at the place of the text that the program was made from.

use crate::Notation;
use crate::single::SingleUses;
use tumble_core::prim::{Extent, Interval};
use tumble_core::{
    Code, Compare, Data, Diagnostic, Faces, Function, Keep, Prim, Program, Slot, Span, Term, TermId, Value, prim,
};

/// Deeper terms are not translated; nobody would read the text.
const DEEPEST: usize = 120;

/// Longer translations are given up.
const LONGEST: usize = 100_000;

/// A program on its way to a text in a notation.
#[derive(Clone, Copy)]
pub(crate) struct View<'p> {
    program: &'p Program,
    single: &'p SingleUses,
    /// The notation that is written.
    pub(crate) notation: &'static str,
    depth: usize,
}

/// A text, or why there is none.
pub(crate) type Written = Result<String, Diagnostic>;

/// The texts of several terms.
pub(crate) fn all(ids: &[TermId], write: impl Fn(TermId) -> Written) -> Result<Vec<String>, Diagnostic> {
    ids.iter().map(|id| write(*id)).collect()
}

/// What a notation writes for a program, in its canonical spelling.
pub(crate) fn written(program: &Program, notation: &Notation, write: impl FnOnce(View<'_>) -> Written) -> Written {
    let view = View { program, single: &SingleUses::of(program), notation: notation.name, depth: 0 };
    let body = view.main().body;
    (notation.spell)(&write(view)?).map_err(|found| match found.into_iter().next() {
        Some(found) => Diagnostic::new(Code::Limit, view.span(body), found.message),
        None => view.no_words(body),
    })
}

impl<'p> View<'p> {
    /// What the program rolls, if it has no functions beside that.
    pub(crate) fn only(&self) -> Result<TermId, Diagnostic> {
        let body = self.main().body;
        if self.program.functions().len() > 1 { Err(self.cannot(body, "a function")) } else { Ok(body) }
    }

    /// What the program rolls.
    pub(crate) fn main(&self) -> &'p Function {
        self.program.function(self.program.main())
    }

    /// The same one level further inside, if that is not too deep.
    pub(crate) fn inside(&self, id: TermId) -> Result<View<'p>, Diagnostic> {
        if self.depth == DEEPEST {
            return Err(Diagnostic::new(
                Code::Limit,
                self.span(id),
                "this expression is nested too deeply to translate",
            ));
        }
        Ok(View { depth: self.depth + 1, ..*self })
    }

    /// A text that is not too long.
    pub(crate) fn short(&self, id: TermId, text: String) -> Written {
        if text.len() <= LONGEST {
            return Ok(text);
        }
        Err(Diagnostic::new(Code::Limit, self.span(id), "the translation would be too long"))
    }

    /// Why a term cannot be written.
    pub(crate) fn cannot(&self, id: TermId, what: &str) -> Diagnostic {
        let message = format!("{what} cannot be written in {}", self.notation);
        Diagnostic::new(Code::Type, self.span(id), message).kind("no-translation")
    }

    /// The same for a form or row that a notation has nothing for.
    pub(crate) fn no_words(&self, id: TermId) -> Diagnostic {
        let what = match self.term(id) {
            Term::Prim { prim, .. } => match prim.name {
                "fail" => "an expression that can fail this way".to_owned(),
                "look_up" => "a map".to_owned(),
                "digits" => "joining digits".to_owned(),
                "results" => "several results".to_owned(),
                "pow" => "a power".to_owned(),
                "firsts" | "having" => "dice that remember what they showed".to_owned(),
                "some" | "given" | "same" => "true or false as a result".to_owned(),
                _ if prim.gives == prim::Sort::Pool => "a collection of dice here".to_owned(),
                _ => in_a_sentence(prim.doc),
            },
            Term::Lit(value) => format!("{} here", value.sort()),
            Term::Let { slots, .. } if slots.len() > 1 => "taking several values apart".to_owned(),
            Term::Let { .. } | Term::Var(_) => "a roll that is used twice".to_owned(),
            Term::If { .. } => "a choice".to_owned(),
            Term::Draw { .. } => "a die like this".to_owned(),
            Term::Repeat { .. } | Term::ForEach { .. } => "rolling this several times".to_owned(),
            Term::Until { .. } => "rerolling until a condition holds".to_owned(),
            Term::Loop { .. } => "a loop".to_owned(),
            Term::Call { .. } => "a function".to_owned(),
            Term::Leave { .. } => "leaving early".to_owned(),
            Term::Ask { .. } => "a question to a player".to_owned(),
            Term::Emit { .. } => "output".to_owned(),
            Term::Throw { .. } => "a dice text".to_owned(),
        };
        self.cannot(id, &what)
    }

    pub(crate) fn span(&self, id: TermId) -> Span {
        self.program.span(id)
    }

    /// The term that is read in this place.
    pub(crate) fn term(&self, id: TermId) -> &'p Term {
        self.program.term(self.single.read(id))
    }

    /// The variable of a binding; several at once can be written nowhere.
    pub(crate) fn named(&self, id: TermId, slots: &[Slot]) -> Result<Slot, Diagnostic> {
        if let [slot] = slots { Ok(*slot) } else { Err(self.no_words(id)) }
    }

    /// The row and its arguments.
    pub(crate) fn prim(&self, id: TermId) -> Option<(&'static Prim, &'p [TermId])> {
        self.term(id).row()
    }

    /// The arguments of this row.
    pub(crate) fn of(&self, id: TermId, row: &Prim) -> Option<&'p [TermId]> {
        self.prim(id).filter(|(prim, _)| *prim == row).map(|(_, args)| args)
    }

    /// A written number.
    pub(crate) fn int(&self, id: TermId) -> Option<i64> {
        self.term(id).lit()?.as_int()
    }

    /// A written truth.
    pub(crate) fn bool(&self, id: TermId) -> Option<bool> {
        self.term(id).lit()?.as_bool()
    }

    /// Written numbers.
    pub(crate) fn ints(&self, id: TermId) -> Option<Vec<i64>> {
        self.term(id).lit()?.as_pool()?.iter().map(|member| member.as_int()).collect()
    }

    /// A collection, before it was sorted.
    pub(crate) fn unsorted(&self, id: TermId) -> TermId {
        match self.of(id, &prim::BAG) {
            Some([pool]) => self.unsorted(*pool),
            _ => id,
        }
    }

    /// The parts of a union.
    pub(crate) fn union(&self, id: TermId) -> Option<&'p [TermId]> {
        let id = self.unsorted(id);
        self.of(id, &prim::GATHER).or_else(|| self.of(id, &prim::COLLECT))
    }

    /// The only part of a union.
    pub(crate) fn gathered(&self, id: TermId) -> Option<TermId> {
        match self.union(id)? {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// How often what is rolled, for a collection of equal rolls.
    pub(crate) fn repeated(&self, id: TermId) -> Option<(TermId, TermId)> {
        let Term::Repeat { times, body } = self.term(self.gathered(id)?) else { return None };
        Some((*times, *body))
    }

    /// A comparison of two numbers: a truth, or 1 or 0.
    pub(crate) fn compare(&self, id: TermId) -> Option<(Compare, TermId, TermId)> {
        let [left] = self.of(id, &prim::SOME).or_else(|| self.of(id, &prim::COUNT))? else { return None };
        let (row, [a, b]) = self.prim(*left)? else { return None };
        let by = Compare::of(row)?;
        let number = self.gathered(*b)?;
        let one = match self.term(number) {
            Term::Repeat { .. } | Term::ForEach { .. } => false,
            Term::Until { keep, .. } => *keep == Keep::Last,
            Term::Prim { prim, .. } => prim.gives == prim::Sort::Int,
            Term::Draw { faces } => !matches!(faces, Faces::Members { .. }),
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } => true,
            Term::Loop { .. } | Term::Call { .. } => true,
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => false,
        };
        // People write the number on the right.
        let turned = self.int(*a).is_some() && self.int(number).is_none();
        one.then_some(if turned { (by.flipped(), number, *a) } else { (by, *a, number) })
    }

    /// The members of a collection that compare so with a number.
    pub(crate) fn those(&self, id: TermId) -> Option<(Compare, TermId, TermId)> {
        let (row, [n, inner]) = self.prim(self.unsorted(id))? else { return None };
        Some((Compare::of(row)?.flipped(), *n, *inner))
    }

    /// The two branches of a choice between written values.
    fn choice<T>(&self, id: TermId, of: impl Fn(TermId) -> Option<T>) -> Option<(TermId, T, T)> {
        let Term::If { test, then, other, .. } = self.term(id) else { return None };
        Some((*test, of(*then)?, of(*other)?))
    }

    /// The truth that is counted as 1 or 0.
    pub(crate) fn indicator(&self, id: TermId) -> Option<TermId> {
        if self.of(id, &prim::COUNT).is_some() && self.compare(id).is_some() {
            return Some(id);
        }
        self.choice(id, |branch| self.int(branch)).filter(|(_, then, other)| (*then, *other) == (1, 0)).map(|it| it.0)
    }

    /// The truth of which the opposite is meant.
    pub(crate) fn not(&self, id: TermId) -> Option<TermId> {
        self.choice(id, |branch| self.bool(branch)).filter(|(_, then, other)| !then && *other).map(|it| it.0)
    }

    /// Both truths, or (false) one of them.
    pub(crate) fn both(&self, id: TermId) -> Option<(bool, TermId, TermId)> {
        let Term::If { test, then, other, .. } = self.term(id) else { return None };
        match (self.bool(*then), self.bool(*other)) {
            (None, Some(false)) => Some((true, *test, *then)),
            (Some(true), None) => Some((false, *test, *other)),
            _ => None,
        }
    }

    /// A die with written ends.
    pub(crate) fn die(&self, id: TermId) -> Option<(i64, i64)> {
        let Term::Draw { faces: Faces::Range { lo, hi } } = self.term(id) else { return None };
        Some((self.int(*lo)?, self.int(*hi)?))
    }

    /// The faces of a die with written faces, each as often as it weighs.
    pub(crate) fn faces(&self, id: TermId) -> Option<Vec<i64>> {
        if let Term::Draw { faces: Faces::Member { pool } } = self.term(id) {
            let parts = || self.union(*pool)?.iter().map(|part| self.int(*part)).collect();
            return self.ints(*pool).or_else(parts).filter(|faces: &Vec<i64>| (1..1000).contains(&faces.len()));
        }
        let Term::Draw { faces: Faces::Weighted(faces) } = self.term(id) else { return None };
        let mut all = Vec::new();
        for (value, weight) in faces.iter() {
            if *weight > 100 || all.len() > 1000 {
                return None;
            }
            let Data::Int(face) = value.data else { return None };
            all.extend((0..*weight).map(|_| face));
        }
        Some(all)
    }

    /// The largest (or smallest) of several numbers.
    pub(crate) fn extreme(&self, id: TermId) -> Option<(bool, &'p [TermId])> {
        let inside = self.of(id, &prim::ONLY).or_else(|| self.of(id, &prim::SUM));
        let kept = inside.and_then(|args| args.first()).copied().unwrap_or(id);
        let (row, [count, pool]) = self.prim(kept)? else { return None };
        let largest = [(&prim::LARGEST, true), (&prim::LEAST, false)].into_iter().find(|(keep, _)| **keep == *row)?.1;
        let parts = self.union(*pool).filter(|parts| parts.len() > 1)?;
        (self.int(*count) == Some(1)).then_some((largest, parts))
    }

    /// When a loop over this variable goes on, if that is a comparison with a written number.
    pub(crate) fn goes_on(&self, slot: Slot, stop: TermId) -> Option<(Compare, i64)> {
        let compared = |id: TermId| -> Option<(Compare, i64)> {
            let (by, a, b) = self.compare(id)?;
            let is = |id: TermId| matches!(self.term(id), Term::Var(var) if *var == slot);
            match (self.int(a), self.int(b)) {
                (None, Some(n)) if is(a) => Some((by, n)),
                (Some(n), None) if is(b) => Some((by.flipped(), n)),
                _ => None,
            }
        };
        match self.not(stop) {
            Some(goes) => compared(goes),
            None => compared(stop).map(|(by, n)| (by.negated(), n)),
        }
    }

    /// Whether a number is certain not to be negative, as far as can be seen at once.
    pub(crate) fn never_negative(&self, id: TermId) -> bool {
        self.extent(id, 0).number().is_some_and(|interval| interval.from(0))
    }

    /// The values that a term can have: its interval semantics, which is that of its rows.
    fn extent(&self, id: TermId, depth: usize) -> Extent {
        if depth > DEEPEST {
            return Extent::Any;
        }
        let inner = |id: TermId| self.extent(id, depth + 1);
        let number = |interval: Option<Interval>| interval.map_or(Extent::Any, Extent::Number);
        match self.term(id) {
            Term::Lit(value) => Extent::Known(value.clone()),
            Term::Let { body, .. } => inner(*body),
            Term::If { then, other, .. } => number(either(&inner(*then), &inner(*other))),
            Term::Prim { prim, args } => {
                let args: Vec<Extent> = args.iter().map(|arg| inner(*arg)).collect();
                (prim.tell)(&args).extent(&args)
            }
            Term::Draw { faces: Faces::Range { lo, hi } } => number(either(&inner(*lo), &inner(*hi))),
            Term::Draw { faces: Faces::Weighted(faces) } => {
                let face = |(value, _): &(Value, u64)| value.as_int().map(Interval::one);
                let hull = |all: Interval, one: Option<Interval>| Some(all.hull(one?));
                let mut faces = faces.iter().map(face);
                number(faces.next().flatten().and_then(|first| faces.try_fold(first, hull)))
            }
            Term::Draw { faces: Faces::Member { pool } } => number(inner(*pool).members().and_then(|(of, ..)| of)),
            Term::Repeat { times, body } => {
                let size = inner(*times).number().unwrap_or(Interval::ALL);
                let count = |n: i64| u64::try_from(n.max(0)).unwrap_or(0);
                let (least, most) = (size.lo.map_or(0, count), size.hi.map(count));
                Extent::Pool { members: inner(*body).number(), least, most }
            }
            Term::Until { first, body, keep, .. } => {
                let each = first.map_or_else(|| inner(*body).number(), |first| either(&inner(first), &inner(*body)));
                match keep {
                    Keep::Last => number(each),
                    Keep::All => Extent::Pool { members: each, least: 1, most: None },
                }
            }
            Term::Var(_) | Term::Call { .. } | Term::Loop { .. } | Term::ForEach { .. } => Extent::Any,
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => Extent::Any,
            Term::Draw { faces: Faces::Members { .. } } => Extent::Any,
        }
    }
}

/// The numbers of one or the other, and all between.
fn either(one: &Extent, other: &Extent) -> Option<Interval> {
    Some(one.number()?.hull(other.number()?))
}

/// The first sentence of a row's doc, to stand inside another.
fn in_a_sentence(doc: &str) -> String {
    let first = doc.split([';', '.', ',']).next().unwrap_or(doc);
    let mut letters = first.chars();
    letters.next().map_or_else(String::new, |letter| letter.to_lowercase().chain(letters).collect())
}
