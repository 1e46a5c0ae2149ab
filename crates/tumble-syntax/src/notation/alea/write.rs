//! From the core to Alea: an expression with the same meaning.
//!
//! ```text
//! text  = term { ("+" | "-") term }
//! term  = a number, or the total or a count of dice of one kind: [N] die { explode } { keep | drop } [ count ]
//! ```

use crate::Spelling;
use crate::kit::{faces_written, in_rows};
use crate::view::{View, Written, written};
use tumble_core::{Compare, Diagnostic, Faces, Keep, Program, Term, TermId, prim};

/// An Alea text with the same meaning.
pub(super) fn write(program: &Program, _: &Spelling) -> Written {
    written(program, &super::NOTATION, |view| {
        let body = view.only()?;
        let mut text = String::new();
        for (minus, term) in terms(view, body) {
            let (minus, term) = signed(view, minus, term)?;
            text = match (text.is_empty(), minus) {
                (true, false) => term,
                (true, true) => format!("0 - {term}"),
                (false, true) => format!("{text} - {term}"),
                (false, false) => format!("{text} + {term}"),
            };
        }
        view.short(body, text)
    })
}

/// The parts of a sum, each with whether it is taken away, in their order.
fn terms(view: View<'_>, id: TermId) -> Vec<(bool, TermId)> {
    let (mut found, mut open) = (Vec::new(), vec![(false, id)]);
    while let Some((minus, id)) = open.pop() {
        match view.prim(id).map(|(row, args)| (row.name, args)) {
            Some(("add", [a, b])) => open.extend([(minus, *b), (minus, *a)]),
            Some(("sub", [a, b])) => open.extend([(!minus, *b), (minus, *a)]),
            Some(("neg", [a])) => open.push((!minus, *a)),
            _ => found.push((minus, id)),
        }
    }
    found
}

fn signed(view: View<'_>, minus: bool, id: TermId) -> Result<(bool, String), Diagnostic> {
    match view.int(id) {
        Some(n) => Ok((minus != (n < 0), n.unsigned_abs().to_string())),
        None => Ok((minus, term(view, id)?)),
    }
}

fn term(view: View<'_>, id: TermId) -> Written {
    if let Some(die) = law(view, id)? {
        return Ok(die);
    }
    match view.prim(id).map(|(row, args)| (row.name, args)) {
        Some(("sum", [dice])) => pool(view, *dice, true),
        Some(("count", [dice])) => counted(view, *dice),
        Some(("only", [dice])) => pool(view, *dice, true),
        Some(("largest" | "least", [one, _])) if view.int(*one) == Some(1) => pool(view, id, true),
        Some(("mul" | "quot" | "div" | "mod" | "rem" | "div_up" | "pow", _)) => {
            Err(view.cannot(id, "arithmetic other than + and -"))
        }
        _ => Err(view.no_words(id)),
    }
}

/// `C>=5`
fn counted(view: View<'_>, id: TermId) -> Written {
    let filter = view.those(id).and_then(|(by, n, inner)| Some((by, view.int(n)?, inner)));
    let Some((by, n, inner)) = filter else { return Ok(format!("{}C", pool(view, id, false)?)) };
    if matches!(by, Compare::Equal | Compare::Unequal) {
        return Err(view.cannot(id, "counting dice that show exactly one number"));
    }
    Ok(format!("{}C{}{n}", pool(view, inner, false)?, by.sign()))
}

/// Dice of one kind with their modifiers; `summed` if only their sum is asked for.
fn pool(view: View<'_>, id: TermId, summed: bool) -> Written {
    let view = view.inside(id)?;
    if let Some((row, [n, inner])) = view.prim(id).map(|(row, args)| (row.name, args))
        && let Some(letters) = match row {
            "largest" => Some(("K", "H")),
            "least" => Some(("K", "L")),
            "but_largest" => Some(("D", "H")),
            "but_least" => Some(("D", "L")),
            _ => None,
        }
    {
        let n = view.int(*n).filter(|n| *n >= 0).ok_or_else(|| view.cannot(id, "keeping a random number of dice"))?;
        return Ok(format!("{}{}{n}{}", pool(view, *inner, false)?, letters.0, letters.1));
    }
    if let Term::Draw { faces: Faces::Members { pool: inner, count } } = view.term(id) {
        let n = view.int(*count).ok_or_else(|| view.cannot(id, "keeping a random number of dice"))?;
        return Ok(format!("{}K{n}R", pool(view, *inner, false)?));
    }
    if let Some([inner]) = view.of(id, &prim::BAG) {
        return pool(view, *inner, summed);
    }
    if let Some((times, body)) = view.repeated(id) {
        let count = view.int(times).filter(|n| *n >= 0);
        let count = count.ok_or_else(|| view.cannot(times, "a random number of dice"))?;
        return Ok(format!("{count}{}", clan(view, body, summed)?));
    }
    match view.gathered(id) {
        Some(one) => Ok(format!("1{}", clan(view, one, summed)?)),
        None => Err(view.cannot(id, "dice of different kinds together")),
    }
}

/// A die, or a die with all that it explodes into.
fn clan(view: View<'_>, id: TermId, summed: bool) -> Written {
    if let Some(die) = law(view, id)? {
        return Ok(die);
    }
    // The links of a chain may be added up one by one if all is added up in the end.
    let inner = match view.of(id, &prim::SUM) {
        Some([chain]) if summed => *chain,
        _ => id,
    };
    let chain = view.gathered(inner).unwrap_or(inner);
    let Term::Until { slot, first, body, stop, most, keep: Keep::All } = view.term(chain) else {
        return Err(view.no_words(id));
    };
    let explode = match most {
        None => "!!",
        Some(2) => "!",
        Some(_) => return Err(view.cannot(id, "a cap on explosions")),
    };
    let (start, link) = (first.unwrap_or(*body), *body);
    let (Some(die), Some(next), Some((lo, hi))) = (law(view, start)?, law(view, link)?, ends(view, start)) else {
        return Err(view.no_words(id));
    };
    let reaches = match view.goes_on(*slot, *stop) {
        Some((Compare::AtLeast, n)) => n,
        Some((Compare::More, n)) => n + 1,
        Some((Compare::Equal, n)) if n == hi => n,
        Some((Compare::Unequal, n)) if n == lo => n + 1,
        _ => return Err(view.cannot(id, "exploding on these numbers")),
    };
    // What is said of the links stands behind: their advantages, or all of another die.
    let plain = die.trim_end_matches(['+', '-']);
    let after = next.strip_prefix(plain).filter(|signs| signs.trim_start_matches(['+', '-']).is_empty());
    let threshold = match reaches {
        n if n == hi && (after.is_some() || *most == Some(2)) => String::new(),
        n @ 0.. => n.to_string(),
        _ => return Err(view.cannot(id, "exploding on negative numbers")),
    };
    Ok(format!("{die}{explode}{threshold}{}", after.unwrap_or(&next)))
}

/// The ends of a die, whatever its advantages.
fn ends(view: View<'_>, id: TermId) -> Option<(i64, i64)> {
    if let Some(faces) = view.faces(id) {
        return Some((*faces.iter().min()?, *faces.iter().max()?));
    }
    let mut inner = id;
    while let Some([kept]) = view.of(inner, &prim::ONLY) {
        let (_, [_, pool]) = view.prim(*kept)? else { return None };
        inner = view.repeated(*pool)?.1;
    }
    view.die(inner)
}

/// A die and its advantages; none if the term is something else.
fn law(view: View<'_>, id: TermId) -> Result<Option<String>, Diagnostic> {
    if let Some((lo, hi)) = view.die(id) {
        return Ok(Some(range(lo, hi)));
    }
    if let Some(faces) = view.faces(id) {
        return Ok(Some(format!("d{{{}}}", faces_written(&in_rows(&faces)))));
    }
    let kept = view.of(id, &prim::ONLY).and_then(|args| args.first()).copied().unwrap_or(id);
    let Some((row, [one, pool])) = view.prim(kept) else {
        return Ok(None);
    };
    let sign = match row.name {
        "largest" => "+",
        "least" => "-",
        _ => return Ok(None),
    };
    let Some((times, body)) = view.repeated(*pool) else { return Ok(None) };
    let (Some(1), Some(rolls @ 2..)) = (view.int(*one), view.int(times)) else { return Ok(None) };
    if !rolls.cast_unsigned().is_power_of_two() || rolls > 64 {
        return Ok(None);
    }
    let inner = law(view.inside(id)?, body)?;
    Ok(inner.map(|die| format!("{die}{}", sign.repeat(rolls.trailing_zeros() as usize))))
}

fn range(lo: i64, hi: i64) -> String {
    match (lo, hi) {
        (1, sides @ 1..) => format!("d{sides}"),
        _ => format!("d[{lo}..{hi}]"),
    }
}
