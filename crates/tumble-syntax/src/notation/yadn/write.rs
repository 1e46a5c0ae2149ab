//! From the core to YADN: an expression with the same meaning, with parentheses everywhere; `spell` takes the
//! needless ones away.
//!
//! YADN has no names for values, so a roll that is used twice cannot be written, and its pools hold dice of one
//! kind.
//!
//! ```text
//! members above 4      P pa 5            not t      t ? F : T
//! members that are 4   P pa 4 pb 4       a and b    a ? b : F
//! ```

use super::operator::{INFIXES, REDUCES};
use crate::Spelling;
use crate::view::{View, Written, all, written};
use tumble_core::{Compare, Faces, Keep, Program, Term, TermId, prim};

/// A YADN text with the same meaning.
pub(super) fn write(program: &Program, from: &Spelling) -> Written {
    written(program, &super::NOTATION, |view| {
        let body = view.only()?;
        match view.of(body, &prim::RESULTS) {
            Some(results) => Ok(all(results, |result| value(view, result))?.join("; ")),
            None if from.lone && keeps_one(view, body) => Ok(format!("S ({})", value(view, body)?)),
            None => value(view, body),
        }
    })
}

/// Whether this is a collection of exactly one number, which some notations take for the number.
fn keeps_one(view: View<'_>, id: TermId) -> bool {
    let kept = view.of(id, &prim::LARGEST).or_else(|| view.of(id, &prim::LEAST));
    kept.and_then(|args| args.first()).is_some_and(|count| view.int(*count) == Some(1))
}

/// A value of any sort.
fn value(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    let text = match view.term(id) {
        Term::Lit(literal) => match (literal.as_int(), literal.as_bool(), literal.as_text(), view.ints(id)) {
            (Some(n), ..) => number(n),
            (_, Some(truth), ..) => if truth { "T" } else { "F" }.to_owned(),
            (.., Some(text), _) if text.lines.len() == 1 && !text.lines[0].contains('"') => {
                format!("\"{}\"", text.lines[0])
            }
            (.., Some(members)) => {
                format!("[{}]", members.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", "))
            }
            _ => return Err(view.no_words(id)),
        },
        _ if view.indicator(id).is_some() => {
            let test = view.indicator(id).unwrap_or(id);
            format!("({} ? 1 : 0)", truth(view, test)?)
        }
        Term::If { .. } if view.both(id).is_some() || view.not(id).is_some() => truth(view, id)?,
        Term::If { test, then, other, .. } => {
            format!("({} ? {} : {})", truth(view, *test)?, value(view, *then)?, value(view, *other)?)
        }
        Term::Draw { faces } => die(view, id, faces, "d", "1")?,
        Term::Prim { prim, .. } if prim.gives == prim::Sort::Pool => pool(view, id)?,
        Term::Prim { prim, .. } if prim.gives == prim::Sort::Bool => truth(view, id)?,
        Term::Prim { prim, args } => row(view, id, prim.name, args)?,
        Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => {
            return Err(view.cannot(id, "a list of separate results"));
        }
        Term::Var(_) | Term::Let { .. } | Term::Loop { .. } | Term::Call { .. } => return Err(view.no_words(id)),
        Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => return Err(view.no_words(id)),
    };
    view.short(id, text)
}

fn number(n: i64) -> String {
    if n < 0 { format!("({n})") } else { n.to_string() }
}

/// So many dice after this operator.
fn die(view: View<'_>, id: TermId, faces: &Faces, operator: &str, count: &str) -> Written {
    match faces {
        Faces::Range { lo, hi } if view.int(*lo) == Some(1) => {
            Ok(format!("({count} {operator} {})", value(view, *hi)?))
        }
        Faces::Range { lo, hi } if operator == "d" && count == "1" => {
            let (lo, hi) = (value(view, *lo)?, value(view, *hi)?);
            Ok(format!("((1 d ({hi} - {lo} + 1)) + ({lo} - 1))"))
        }
        _ => Err(view.cannot(id, "a die like this")),
    }
}

fn row(view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
    let whole = |args: &[TermId]| args.iter().all(|arg| view.never_negative(*arg));
    let known = match row {
        "quot" if whole(args) => "div",
        "rem" if whole(args) => "mod",
        "quot" | "rem" => return Err(view.cannot(id, "a division that rounds toward zero")),
        row => row,
    };
    match (operator(known), args) {
        (Some(sign), [a, b]) => Ok(format!("({} {sign} {})", value(view, *a)?, value(view, *b)?)),
        _ => summary(view, id, row, args),
    }
}

/// The operator that is this row of the core.
fn operator(row: &str) -> Option<&'static str> {
    INFIXES.iter().find(|op| op.core().is_some_and(|core| core.name == row)).map(|op| op.sign)
}

/// A number made of a pool.
fn summary(view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
    match (row, args) {
        ("neg", [a]) => Ok(format!("(-({}))", value(view, *a)?)),
        ("sum", [dice]) => sum(view, id, *dice),
        ("only", [dice]) => Ok(format!("(S {})", pool(view, *dice)?)),
        ("count", [dice]) => match filter(view, *dice) {
            Some((Compare::AtLeast, n, inner)) => Ok(format!("({} ns {})", pool(view, inner)?, number(n))),
            _ => Ok(format!("(N {})", pool(view, *dice)?)),
        },
        (row, [dice]) => match REDUCES.iter().find(|reduce| reduce.core.name == row) {
            Some(reduce) => Ok(format!("({} {})", reduce.sign, pool(view, *dice)?)),
            None => Err(view.no_words(id)),
        },
        _ => Err(view.no_words(id)),
    }
}

/// The sum of dice: plain ones, or ones that explode.
fn sum(view: View<'_>, id: TermId, dice: TermId) -> Written {
    let Some((times, body)) = view.repeated(dice) else {
        return match view.gathered(dice).and_then(|one| explodes(view, one)) {
            Some(sides) => Ok(format!("(1 d! {sides})")),
            None => Ok(format!("(S {})", pool(view, dice)?)),
        };
    };
    if let Term::Draw { faces: faces @ Faces::Range { lo, .. } } = view.term(body)
        && view.int(*lo) == Some(1)
    {
        let count = value(view, times)?;
        return die(view, id, faces, "d", &count);
    }
    // Dice from another face on are shifted all together.
    if let (Term::Draw { .. }, Some((sides, less))) = (view.term(body), summed_range(view, dice)) {
        let count = value(view, times)?;
        return Ok(format!("(({count} d {sides}) + {count} * {})", number(less)));
    }
    match repeated_chain(view, dice) {
        Some(sides) => Ok(format!("({} d! {sides})", value(view, times)?)),
        None => Ok(format!("(S {})", pool(view, dice)?)),
    }
}

/// The number of sides of equal dice, and how much less than 1 their lowest face is; the number of dice is written.
fn summed_range(view: View<'_>, dice: TermId) -> Option<(i64, i64)> {
    let (times, body) = view.repeated(dice)?;
    let (lo, hi) = view.die(body).filter(|_| view.int(times).is_some())?;
    Some((hi.checked_sub(lo)?.checked_add(1)?, lo.checked_sub(1)?))
}

/// The sides of equal dice each of which explodes into dice of its own; all are added up.
fn repeated_chain(view: View<'_>, dice: TermId) -> Option<i64> {
    let (_, body) = view.repeated(dice)?;
    explodes(view, view.gathered(body)?)
}

/// A comparison of members with a written number.
fn filter(view: View<'_>, id: TermId) -> Option<(Compare, i64, TermId)> {
    let (row, [n, inner]) = view.prim(id)? else { return None };
    let by = Compare::of(row)?.flipped();
    match (by, view.int(*n)?) {
        (Compare::More, n) => Some((Compare::AtLeast, n.checked_add(1)?, *inner)),
        (Compare::Less, n) => Some((Compare::AtMost, n.checked_sub(1)?, *inner)),
        (by, n) => Some((by, n, *inner)),
    }
}

fn pool(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    if let Some((by, n, inner)) = filter(view, id) {
        let (inner, n) = (pool(view, inner)?, number(n));
        return Ok(match by {
            Compare::AtLeast | Compare::More => format!("({inner} pa {n})"),
            Compare::AtMost | Compare::Less => format!("({inner} pb {n})"),
            Compare::Unequal => format!("({inner} pr {n})"),
            Compare::Equal => format!("({inner} pa {n} pb {n})"),
        });
    }
    if let Some((times, body)) = view.repeated(id) {
        return dice(view, id, times, body);
    }
    match view.prim(id).map(|(row, args)| (row.name, args)) {
        Some(("bag", [inner])) => pool(view, *inner),
        Some((row @ ("largest" | "least" | "cap" | "lift" | "each_mod"), [n, inner])) => {
            let operator = operator(row).ok_or_else(|| view.no_words(id))?;
            Ok(format!("({} {operator} ({}))", pool(view, *inner)?, value(view, *n)?))
        }
        Some((row @ ("but_least" | "but_largest"), [n, inner])) => {
            let count = view.repeated(*inner).and_then(|(times, _)| view.int(times));
            let (Some(count), Some(n)) = (count, view.int(*n)) else {
                return Err(view.cannot(id, "dropping some of an unknown number of dice"));
            };
            let operator = if row == "but_least" { "ph" } else { "pl" };
            Ok(format!("({} {operator} {})", pool(view, *inner)?, (count - n).max(0)))
        }
        Some(("gather", [one])) => {
            if let Term::Draw { faces } = view.term(*one) {
                return die(view, *one, faces, "dp", "1");
            }
            let inner = view.prim(*one).filter(|(row, _)| row.gives == prim::Sort::Pool);
            if inner.is_some() { pool(view, *one) } else { Err(view.no_words(*one)) }
        }
        Some(("gather", _)) => Err(view.cannot(id, "dice of different kinds together")),
        _ if view.ints(id).is_some() => value(view, id),
        _ => Err(view.no_words(id)),
    }
}

/// Equal dice: plain ones, or ones whose explosions are added up die by die.
fn dice(view: View<'_>, id: TermId, times: TermId, body: TermId) -> Written {
    let count = value(view, times)?;
    if let Term::Draw { faces } = view.term(body) {
        return die(view, id, faces, "dp", &count);
    }
    let chain = view.of(body, &prim::SUM).and_then(|args| view.gathered(*args.first()?));
    match chain.and_then(|chain| explodes(view, chain)) {
        Some(sides) => Ok(format!("({count} g! {sides})")),
        None => Err(view.cannot(id, "dice like these together")),
    }
}

/// The sides of a die that is rolled again as long as it shows its largest face.
fn explodes(view: View<'_>, id: TermId) -> Option<i64> {
    let id = view.gathered(id).unwrap_or(id);
    let Term::Until { slot, first: None, body, stop, most: None, keep: Keep::All } = view.term(id) else { return None };
    let (Some((1, sides)), on) = (view.die(*body), view.goes_on(*slot, *stop)?) else { return None };
    (on == (Compare::Equal, sides) || on == (Compare::AtLeast, sides)).then_some(sides)
}

fn truth(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    if let Some((by, a, b)) = view.compare(id) {
        let sign = if by == Compare::Equal { "==" } else { by.sign() };
        return Ok(format!("({} {sign} {})", value(view, a)?, value(view, b)?));
    }
    if let Some(inner) = view.not(id) {
        return Ok(format!("({} ? F : T)", truth(view, inner)?));
    }
    if let Some((both, a, b)) = view.both(id) {
        let (a, b) = (truth(view, a)?, truth(view, b)?);
        return Ok(if both { format!("({a} ? {b} : F)") } else { format!("({a} ? T : {b})") });
    }
    match (view.bool(id), view.prim(id).map(|(row, args)| (row.name, args))) {
        (Some(truth), _) => Ok(if truth { "T" } else { "F" }.to_owned()),
        (_, Some(("some", [dice]))) => Ok(format!("((N {}) > 0)", pool(view, *dice)?)),
        (_, Some(("same", [a, b]))) => Ok(format!("({} == {})", value(view, *a)?, value(view, *b)?)),
        _ => Err(view.no_words(id)),
    }
}
