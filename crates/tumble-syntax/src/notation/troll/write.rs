//! From the core to Troll: an expression with the same meaning, with parentheses everywhere; `spell` takes the
//! needless ones away.
//!
//! A truth is a collection that has members or none. A first roll that differs from the others and a cap
//! on the number of rolls are written out with bindings:
//!
//! ```text
//! first then others until c     f := first; if c(f) then f else f @ accumulate x := others until c(x)
//! at most 2 rolls               f := roll; if c(f) then f else f @ roll
//! rounded toward zero           x := a; sgn x * (sgn x * x / b)
//! ```

use super::operator::{Does, INFIXES, Joins, PREFIXES};
use crate::Spelling;
use crate::view::{View, Written, all, written};
use std::cell::Cell;
use tumble_core::{Compare, Faces, Function, Keep, Program, Slot, Term, TermId, prim};

/// More rolls than this are not written one by one.
const MOST_ROLLS: u64 = 8;

/// A Troll text with the same meaning.
pub(super) fn write(program: &Program, _: &Spelling) -> Written {
    written(program, &super::NOTATION, |view| {
        let main = program.main();
        let mut text = Writer::new(view.main()).value(view, view.main().body)?;
        for (index, function) in program.functions().iter().enumerate().filter(|(index, _)| *index != main.index()) {
            let params: Vec<String> = function.params.iter().map(|slot| name(*slot)).collect();
            let body = Writer::new(function).value(view, function.body)?;
            text.push_str(&format!("\nfunction {}({}) = {body}", routine(index), params.join(", ")));
        }
        Ok(text)
    })
}

/// The letters that are a name by themselves.
const LETTERS: &[u8] = b"abcefghijklmnopqrstuvwxy";

/// A name for a variable that is no word of the notation.
fn name(slot: Slot) -> String {
    match LETTERS.get(slot.index()) {
        Some(letter) => char::from(*letter).to_string(),
        None => letters("v", slot.index()),
    }
}

fn routine(index: usize) -> String {
    letters("f", index)
}

fn letters(first: &str, mut n: usize) -> String {
    let mut out = first.to_owned();
    while n > 0 {
        out.push(char::from(LETTERS[n % LETTERS.len()]));
        n /= LETTERS.len();
    }
    out + "x"
}

struct Writer {
    /// The next name that nobody has.
    extra: Cell<u32>,
}

impl Writer {
    fn new(function: &Function) -> Writer {
        Writer { extra: Cell::new(function.slots.len() as u32) }
    }

    fn fresh(&self) -> String {
        let number = self.extra.get();
        self.extra.set(number + 1);
        name(Slot(number))
    }

    /// A number, collection, text or pair, in parentheses where that is not certain to be needless.
    fn value(&self, view: View<'_>, id: TermId) -> Written {
        let view = view.inside(id)?;
        let value = |id: TermId| self.value(view, id);
        let text = match view.term(id) {
            Term::Lit(literal) => return self.literal(view, id, literal),
            Term::Var(slot) => return Ok(name(*slot)),
            Term::Let { slots, value: bound, body } => {
                format!("({} := {}; {})", name(view.named(id, slots)?), value(*bound)?, value(*body)?)
            }
            Term::If { .. } if view.not(id).is_some() || view.both(id).is_some() => {
                return Err(view.cannot(id, "true or false as a result"));
            }
            Term::If { .. } if view.indicator(id).and_then(|test| view.compare(test)).is_some() => {
                let test = view.indicator(id).unwrap_or(id);
                format!("(count {})", self.truth(view, test)?)
            }
            Term::If { test, then, other, .. } => {
                format!("(if {} then {} else {})", self.truth(view, *test)?, value(*then)?, value(*other)?)
            }
            Term::Prim { prim, args } => self.row(view, id, prim.name, args)?,
            Term::Draw { faces } => self.draw(view, id, faces)?,
            Term::Until { keep: Keep::Last, .. } => self.until(view, id)?,
            Term::Call { function, args } => {
                format!("(call {}({}))", routine(function.index()), all(args, value)?.join(", "))
            }
            Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => {
                return Err(view.cannot(id, "a list of separate results"));
            }
            Term::Loop { .. } => return Err(view.no_words(id)),
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
                return Err(view.no_words(id));
            }
        };
        view.short(id, text)
    }

    fn literal(&self, view: View<'_>, id: TermId, literal: &tumble_core::Value) -> Written {
        if let Some(n) = literal.as_int() {
            return match n {
                // The smallest number has no positive twin.
                i64::MIN => Ok(format!("(-{} - 1)", i64::MAX)),
                0.. => Ok(n.to_string()),
                _ => Ok(format!("(-{})", n.unsigned_abs())),
            };
        }
        if let Some(members) = view.ints(id) {
            let members: Vec<String> = members.iter().map(ToString::to_string).collect();
            return Ok(format!("{{{}}}", members.join(", ")));
        }
        match literal.as_text() {
            Some(text) if text.lines.len() == 1 && !text.lines[0].contains(['"', '|', '<', '>']) => {
                Ok(format!("\"{}\"", text.lines[0]))
            }
            _ => Err(view.no_words(id)),
        }
    }

    /// A truth, as a collection with members or without.
    fn truth(&self, view: View<'_>, id: TermId) -> Written {
        let view = view.inside(id)?;
        if let Some(truth) = view.bool(id) {
            return Ok(if truth { "1" } else { "{}" }.to_owned());
        }
        if let Some(inner) = view.not(id) {
            return Ok(format!("(! {})", self.truth(view, inner)?));
        }
        if let Some((both, a, b)) = view.both(id) {
            let (a, b) = (self.truth(view, a)?, self.truth(view, b)?);
            return Ok(if both { format!("({a} & {b})") } else { format!("(if {a} then 1 else {b})") });
        }
        if let Some((by, a, b)) = view.compare(id) {
            return Ok(format!("({} {} {})", self.value(view, a)?, sign(by), self.value(view, b)?));
        }
        match view.term(id) {
            Term::Prim { prim, args } => match args.as_slice() {
                [pool] if **prim == prim::SOME || **prim == prim::GIVEN => self.value(view, *pool),
                _ => Err(view.no_words(id)),
            },
            Term::If { test, then, other, .. } => {
                let [test, then, other] = [test, then, other].map(|part| self.truth(view, *part));
                Ok(format!("(if {} then {} else {})", test?, then?, other?))
            }
            Term::Let { slots, value, body } => {
                let slot = view.named(id, slots)?;
                Ok(format!("({} := {}; {})", name(slot), self.value(view, *value)?, self.truth(view, *body)?))
            }
            Term::Lit(_) | Term::Var(_) | Term::Draw { .. } | Term::Call { .. } => Err(view.no_words(id)),
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => Err(view.no_words(id)),
            Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } => {
                Err(view.no_words(id))
            }
        }
    }

    fn row(&self, view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
        let value = |id: &TermId| self.value(view, *id);
        if let ("largest" | "least", [one, pool]) = (row, args)
            && view.int(*one) == Some(1)
        {
            return Ok(format!("({} {})", if row == "largest" { "max" } else { "min" }, value(pool)?));
        }
        if let (Some(op), [operand]) =
            (PREFIXES.iter().find(|op| matches!(op.does, Does::Row(_, core) if core.name == row)), args)
        {
            return Ok(format!("({} {})", op.sign, value(operand)?));
        }
        if let (Some(op), [a, b]) =
            (INFIXES.iter().find(|op| matches!(op.joins, Joins::Row(_, core) if core.name == row)), args)
        {
            return Ok(format!("({} {} {})", value(a)?, op.sign, value(b)?));
        }
        match (row, args) {
            ("bag" | "only", [pool]) => value(pool),
            ("least" | "largest", [n, pool]) => Ok(format!("({row} {} {})", value(n)?, value(pool)?)),
            ("text", [e]) => Ok(format!("(' {})", value(e)?)),
            ("gather" | "collect", parts) => self.union(view, parts),
            ("quot", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => {
                Ok(format!("({} / {})", value(a)?, value(b)?))
            }
            ("rem", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => {
                Ok(format!("({} mod {})", value(a)?, value(b)?))
            }
            ("tuple", [a, b]) => Ok(format!("[{}, {}]", value(a)?, value(b)?)),
            ("field", [number, pair]) if matches!(view.int(*number), Some(0 | 1)) => {
                Ok(format!("(%{} {})", if view.int(*number) == Some(0) { 1 } else { 2 }, value(pair)?))
            }
            ("div_up", [a, b]) => Ok(format!("(-((-{}) / {}))", value(a)?, value(b)?)),
            ("layers", [list]) => {
                let Term::Repeat { times, body } = view.term(*list) else { return Err(view.no_words(id)) };
                Ok(format!("({} ' {})", value(times)?, value(body)?))
            }
            _ => self.bound_row(view, id, row, args),
        }
    }

    /// Rows that need a name for what they work on.
    fn bound_row(&self, view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
        let value = |id: &TermId| self.value(view, *id);
        let (bound, by) = (self.fresh(), self.fresh());
        match (row, args) {
            ("but_least" | "but_largest", [n, pool]) => {
                let word = if row == "but_least" { "least" } else { "largest" };
                Ok(format!("({bound} := {}; {bound} -- ({word} {} {bound}))", value(pool)?, value(n)?))
            }
            ("abs", [a]) => Ok(format!("({bound} := {}; sgn {bound} * {bound})", value(a)?)),
            ("quot" | "rem", [a, b]) => {
                let quotient = format!("sgn {bound} * sgn {by} * ((sgn {bound} * {bound}) / (sgn {by} * {by}))");
                let rest = if row == "quot" { quotient } else { format!("{bound} - ({quotient}) * {by}") };
                Ok(format!("({bound} := {}; {by} := {}; {rest})", value(a)?, value(b)?))
            }
            ("tally", [list, pool]) => {
                let (pool, list) = (value(pool)?, value(list)?);
                Ok(format!("({by} := {pool}; foreach {bound} in {list} do count ({bound} = {by}))"))
            }
            ("cap", [n, pool]) => {
                Ok(format!("(foreach {bound} in {} do min {{{bound}, {}}})", value(pool)?, value(n)?))
            }
            ("lift", [n, pool]) => {
                Ok(format!("(foreach {bound} in {} do max {{{bound}, {}}})", value(pool)?, value(n)?))
            }
            ("each_mod", [n, pool]) => {
                Ok(format!("(foreach {bound} in {} do {bound} mod {})", value(pool)?, value(n)?))
            }
            _ => Err(view.no_words(id)),
        }
    }

    fn union(&self, view: View<'_>, parts: &[TermId]) -> Written {
        let part = |id: TermId| match view.term(id) {
            Term::Repeat { times, body } => self.dice(view, *times, *body),
            Term::ForEach { slot, pool, body } => {
                let (pool, body) = (self.value(view, *pool)?, self.value(view, *body)?);
                Ok(format!("(foreach {} in {pool} do {body})", name(*slot)))
            }
            Term::Until { keep: Keep::All, .. } => self.until(view, id),
            Term::Until { .. } | Term::Loop { .. } | Term::Call { .. } | Term::Draw { .. } => self.value(view, id),
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => self.value(view, id),
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => {
                self.value(view, id)
            }
        };
        match parts {
            [one] => part(*one),
            _ => Ok(format!("{{{}}}", all(parts, part)?.join(", "))),
        }
    }

    fn dice(&self, view: View<'_>, times: TermId, body: TermId) -> Written {
        let count = self.value(view, times)?;
        if let Term::Draw { faces: Faces::Range { lo, hi } } = view.term(body)
            && let Some(lowest @ (0 | 1)) = view.int(*lo)
        {
            let letter = if lowest == 1 { "d" } else { "z" };
            return Ok(format!("({count} {letter} {})", self.value(view, *hi)?));
        }
        Ok(format!("({count} # {})", self.value(view, body)?))
    }

    fn draw(&self, view: View<'_>, id: TermId, faces: &Faces) -> Written {
        match faces {
            Faces::Range { lo, hi } => {
                let highest = self.value(view, *hi)?;
                match view.int(*lo) {
                    Some(1) => Ok(format!("(d {highest})")),
                    Some(0) => Ok(format!("(z {highest})")),
                    _ => {
                        let lowest = self.value(view, *lo)?;
                        Ok(format!("({lowest} + (z ({highest} - {lowest})))"))
                    }
                }
            }
            Faces::Weighted(_) => {
                let faces = view.faces(id).ok_or_else(|| view.no_words(id))?;
                let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
                Ok(format!("(choose {{{}}})", faces.join(", ")))
            }
            Faces::Member { pool } => Ok(format!("(choose {})", self.value(view, *pool)?)),
            Faces::Members { pool, count } => {
                Ok(format!("({} pick {})", self.value(view, *pool)?, self.value(view, *count)?))
            }
        }
    }

    /// A loop; its first roll and its cap are written out.
    fn until(&self, view: View<'_>, id: TermId) -> Written {
        let Term::Until { slot, first, body, stop, most, keep } = view.term(id) else { return Err(view.no_words(id)) };
        let (roll, test, x) = (self.value(view, *body)?, self.truth(view, *stop)?, name(*slot));
        let join = |before: &str, after: &str| match keep {
            Keep::Last => after.to_owned(),
            Keep::All => format!("({before} @ {after})"),
        };
        let word = if *keep == Keep::Last { "repeat" } else { "accumulate" };
        let mut text = match most {
            None => match view.not(*stop) {
                Some(goes) => format!("({word} {x} := {roll} while {})", self.truth(view, goes)?),
                None => format!("({word} {x} := {roll} until {test})"),
            },
            Some(most) if (1..=MOST_ROLLS).contains(most) => {
                let once = |rest: String| format!("({x} := {roll}; if {test} then {x} else {})", join(&x, &rest));
                let all = if first.is_some() { *most - 1 } else { *most };
                (1..all).fold(roll.clone(), |rest, _| once(rest))
            }
            Some(_) => return Err(view.cannot(id, "a cap on the number of rolls")),
        };
        if let Some(first) = first {
            let first = self.value(view, *first)?;
            text = match most {
                Some(1) => first,
                _ => format!("({x} := {first}; if {test} then {x} else {})", join(&x, &text)),
            };
        }
        view.short(id, text)
    }
}

/// The filter that keeps what compares so.
fn sign(by: Compare) -> &'static str {
    INFIXES.iter().find(|op| matches!(op.joins, Joins::Row(_, row) if row == by.row())).map_or("", |op| op.sign)
}
