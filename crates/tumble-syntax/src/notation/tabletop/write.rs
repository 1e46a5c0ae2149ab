//! From the core to the everyday notation: an expression with the same meaning, with parentheses everywhere; `spell`
//! takes the needless ones away.
//!
//! ```text
//! numbers   arithmetic, comparisons, choices, bindings, min and max
//! pools     N die { modifier }, { item, … } { modifier }, N(number)
//! die       dN with r, !, !!, adv, dis, mi, ma, in the order in which they were done
//! ```

use super::dice::MOST_EXTRA;
use crate::Spelling;
use crate::kit::{faces_written, in_rows};
use crate::view::{View, Written, all, written};
use tumble_core::{Compare, Faces, Keep, Program, Ratio, Slot, Term, TermId, Value, prim};

/// A tabletop text with the same meaning.
pub(super) fn write(program: &Program, _: &Spelling) -> Written {
    written(program, &super::NOTATION, |view| {
        let body = view.only()?;
        if let Term::Repeat { times, body } = view.term(body) {
            let random = || view.cannot(*times, "a random number of separate results");
            return Ok(format!("{}x({})", view.int(*times).ok_or_else(random)?, number(view, *body)?));
        }
        match view.of(body, &prim::RESULTS) {
            Some(results) => Ok(all(results, |result| number(view, result))?.join("; ")),
            None => number(view, body),
        }
    })
}

/// A name that can be taken for nothing else.
fn name(slot: Slot) -> String {
    const LETTERS: &[u8] = b"abceghijlnopqstuvwy";
    let (letter, times) = (LETTERS[slot.index() % LETTERS.len()], 1 + slot.index() / LETTERS.len());
    char::from(letter).to_string().repeat(times)
}

fn number(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    if let Some(test) = view.indicator(id) {
        return truth(view, test);
    }
    if let Some((largest, parts)) = view.extreme(id)
        && let Ok(parts) = all(parts, |part| number(view, part))
    {
        return Ok(format!("{}({})", if largest { "max" } else { "min" }, parts.join(", ")));
    }
    let text = match view.term(id) {
        Term::Lit(value) => match value.as_int() {
            Some(n @ 0..) => n.to_string(),
            Some(n) => format!("(-{})", n.unsigned_abs()),
            None => fraction(value).ok_or_else(|| view.no_words(id))?,
        },
        Term::Var(slot) => name(*slot),
        Term::Let { slots, value, body } => {
            format!("([{}: {}] {})", name(view.named(id, slots)?), number(view, *value)?, number(view, *body)?)
        }
        Term::If { test, then, other, .. } => {
            format!("({} ? {} : {})", truth(view, *test)?, number(view, *then)?, number(view, *other)?)
        }
        Term::Draw { .. } | Term::Until { .. } => die(view, id)?,
        Term::Prim { prim, args } => row(view, id, prim.name, args)?,
        Term::Repeat { .. } | Term::ForEach { .. } | Term::Loop { .. } | Term::Call { .. } => {
            return Err(view.no_words(id));
        }
        Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
            return Err(view.no_words(id));
        }
    };
    view.short(id, text)
}

/// `1.5`, or `exact(1 / 3)`.
fn fraction(value: &Value) -> Option<String> {
    let number = value.as_ratio()?;
    let size = Ratio::from(0).minus(number).filter(|size| *size > number).unwrap_or(number);
    let text = size.decimal().unwrap_or_else(|| format!("exact({} / {})", size.numerator(), size.denominator()));
    Some(if size == number { text } else { format!("(-{text})") })
}

fn row(view: View<'_>, id: TermId, row: &str, args: &[TermId]) -> Written {
    let number = |id: &TermId| number(view, *id);
    let sides = |a: &TermId, sign: &str, b: &TermId| Ok(format!("({} {sign} {})", number(a)?, number(b)?));
    match (row, args) {
        ("add", [a, b]) => sides(a, "+", b),
        ("sub", [a, b]) => sides(a, "-", b),
        ("mul", [a, b]) => sides(a, "*", b),
        ("quot", [a, b]) if view.int(*b) == Some(1) => Ok(format!("trunc({})", number(a)?)),
        ("quot", [a, b]) => sides(a, "/", b),
        ("over", [a, b]) => Ok(format!("exact{}", sides(a, "/", b)?)),
        ("rem", [a, b]) => sides(a, "%", b),
        ("div", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => sides(a, "/", b),
        ("mod", [a, b]) if view.never_negative(*a) && view.never_negative(*b) => sides(a, "%", b),
        ("div", [a, b]) => Ok(format!("floor{}", sides(a, "/", b)?)),
        ("div_up", [a, b]) => Ok(format!("ceil{}", sides(a, "/", b)?)),
        ("mod", _) => Err(view.cannot(id, "a remainder that is never negative")),
        ("neg", [a]) => Ok(format!("(-({}))", number(a)?)),
        ("pow", [a, b]) => sides(a, "**", b),
        ("abs" | "sign" | "sqrt", [a]) => Ok(format!("{row}({})", number(a)?)),
        ("sum" | "only", [dice]) => pool(view, *dice),
        ("count", [dice]) => counted(view, *dice),
        ("largest" | "least", [one, _]) if view.int(*one) == Some(1) => pool(view, id),
        _ => Err(view.no_words(id)),
    }
}

fn truth(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    if let Some(truth) = view.bool(id) {
        return Ok(i64::from(truth).to_string());
    }
    if let Some((by, a, b)) = view.compare(id) {
        return Ok(format!("({} {} {})", number(view, a)?, by.sign(), number(view, b)?));
    }
    if let Some(inner) = view.not(id) {
        return Ok(format!("(!{})", truth(view, inner)?));
    }
    if let Some((both, a, b)) = view.both(id) {
        return Ok(format!("({} {} {})", truth(view, a)?, if both { "&&" } else { "||" }, truth(view, b)?));
    }
    match view.of(id, &prim::SOME) {
        Some([dice]) => Ok(format!("({} > 0)", counted(view, *dice)?)),
        _ => Err(view.no_words(id)),
    }
}

/// `cs>=8`
fn counted(view: View<'_>, id: TermId) -> Written {
    match view.those(id) {
        Some((Compare::Unequal, ..)) => Err(view.cannot(id, "counting dice that do not show a number")),
        Some((by, n, inner)) => {
            let n = view.int(n).filter(|n| *n >= 0).ok_or_else(|| view.no_words(id))?;
            Ok(format!("{}cs{}{n}", pool(view, inner)?, by.sign()))
        }
        None => Err(view.cannot(id, "counting all dice")),
    }
}

/// Dice with their modifiers.
fn pool(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    if let Some((times, body)) = view.repeated(id) {
        let count = match view.int(times) {
            Some(n @ 0..) => n.to_string(),
            _ => format!("({})", number(view, times)?),
        };
        return match die(view, body) {
            Ok(die) => Ok(format!("{count}{die}")),
            Err(_) => Ok(format!("{count}({})", number(view, body)?)),
        };
    }
    match view.union(id) {
        Some([one]) => return die(view, *one),
        Some(parts) => {
            return Ok(format!("{{{}}}", all(parts, |part| number(view, part))?.join(", ")));
        }
        None => {}
    }
    let Some((row, [n, inner])) = view.prim(id).map(|(row, args)| (row.name, args)) else {
        return match view.of(id, &prim::BAG) {
            Some([inner]) => pool(view, *inner),
            _ => Err(view.no_words(id)),
        };
    };
    let word = match row {
        "largest" => "kh",
        "least" => "kl",
        "but_largest" => "dh",
        "but_least" => "dl",
        "cap" => "ma",
        "lift" => "mi",
        _ => return Err(view.no_words(id)),
    };
    let n = view.int(*n).filter(|n| *n >= 0).ok_or_else(|| view.cannot(*n, "a number like this after a modifier"))?;
    Ok(format!("{}{word}{n}", pool(view, *inner)?))
}

/// One die with what is done to it.
fn die(view: View<'_>, id: TermId) -> Written {
    let view = view.inside(id)?;
    match view.term(id) {
        Term::Draw { faces } => faces_of(view, id, faces),
        Term::Until { keep: Keep::Last, .. } => again(view, id, false),
        Term::Prim { prim, args } => match (prim.name, args.as_slice()) {
            ("gather" | "only" | "bag", [one]) => die(view, *one),
            ("largest" | "least", [one, both]) => match (view.int(*one), view.repeated(*both)) {
                (Some(1), Some((times, body))) if view.int(times) == Some(2) => {
                    Ok(format!("{}{}", die(view, body)?, if prim.name == "largest" { "adv" } else { "dis" }))
                }
                _ => Err(view.no_words(id)),
            },
            ("cap" | "lift", [n, one]) => {
                let n = view.int(*n).filter(|n| *n >= 0).ok_or_else(|| view.no_words(id))?;
                Ok(format!("{}{}{n}", die(view, *one)?, if prim.name == "cap" { "ma" } else { "mi" }))
            }
            ("sum", [chain]) => match view.gathered(*chain) {
                Some(chain) => again(view, chain, true),
                None => Err(view.no_words(id)),
            },
            _ => Err(view.no_words(id)),
        },
        Term::Until { .. } => again(view, id, false),
        Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } => Err(view.no_words(id)),
        Term::Repeat { .. } | Term::ForEach { .. } | Term::Loop { .. } | Term::Call { .. } => Err(view.no_words(id)),
        Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => Err(view.no_words(id)),
    }
}

fn faces_of(view: View<'_>, id: TermId, faces: &Faces) -> Written {
    match faces {
        Faces::Range { lo, hi } => match (view.int(*lo), view.int(*hi)) {
            (Some(1), Some(sides @ 1..)) => Ok(format!("d{sides}")),
            (Some(-1), Some(1)) => Ok("dF".to_owned()),
            (Some(lo), Some(hi)) => Ok(format!("d[{lo}..{hi}]")),
            (Some(1), None) => Ok(format!("d({})", number(view, *hi)?)),
            _ => Err(view.no_words(id)),
        },
        Faces::Weighted(_) | Faces::Member { .. } => {
            let faces = view.faces(id).ok_or_else(|| view.no_words(id))?;
            Ok(format!("d{{{}}}", faces_written(&in_rows(&faces))))
        }
        Faces::Members { .. } => Err(view.cannot(id, "choosing among dice")),
    }
}

/// `r1`, `!`, `!!`
fn again(view: View<'_>, id: TermId, compound: bool) -> Written {
    let Term::Until { slot, first: None, body, stop, most, keep } = view.term(id) else {
        return Err(view.no_words(id));
    };
    let (by, n) = view.goes_on(*slot, *stop).ok_or_else(|| view.cannot(id, "a reroll like this"))?;
    if n < 0 || by == Compare::Unequal {
        return Err(view.cannot(id, "rerolling these numbers"));
    }
    let largest = view.die(*body).map(|(_, hi)| hi);
    let test = match by {
        Compare::Equal => n.to_string(),
        _ => format!("{}{n}", by.sign()),
    };
    let on_largest = largest == Some(n) && matches!(by, Compare::Equal | Compare::AtLeast);
    let (word, test) = match (keep, compound) {
        (Keep::Last, false) => ("r", test),
        (Keep::All, true) => ("!!", if on_largest { String::new() } else { test }),
        (Keep::All, false) => ("!", if on_largest { String::new() } else { test }),
        (Keep::Last, true) => return Err(view.no_words(id)),
    };
    let cap = match most {
        None => String::new(),
        Some(most) if most.saturating_sub(1) > MOST_EXTRA.unsigned_abs() => {
            return Err(view.cannot(id, "this many extra rolls"));
        }
        Some(most) => format!("x{}", most.saturating_sub(1)),
    };
    Ok(format!("{}{word}{test}{cap}", die(view, *body)?))
}
