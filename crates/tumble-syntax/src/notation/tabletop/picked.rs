//! Selectors that stand side by side, as d20 reads them: `kh4kl3`, `ro1ro2`, `e5e6` are one operation on all dice that any
//! of them picks, and of bounds the last one counts.

use super::syntax::{Arg, Keep, Modifier};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;

/// Modifiers with the same operator in a row as one.
pub(super) fn together(text: &str, modifiers: Vec<(Modifier, Span)>) -> Parsed<Vec<(Modifier, Span)>> {
    let operator = |span: Span| {
        let letters: String = text[span.start..].chars().take(2).collect::<String>().to_lowercase();
        match letters.as_bytes() {
            [b'k', ..] => "k".to_owned(),
            [b'p', ..] => "p".to_owned(),
            [b'e', ..] => "e".to_owned(),
            _ => letters,
        }
    };
    let mut out = Vec::with_capacity(modifiers.len());
    for row in modifiers.chunk_by(|(_, a), (_, b)| operator(*a) == operator(*b)) {
        match row {
            [one] => out.push(one.clone()),
            [(_, first), .., (_, last)] => {
                let span = first.to(*last);
                let found: Vec<&Modifier> = row.iter().map(|(modifier, _)| modifier).collect();
                let drops = operator(*first) == "p";
                out.extend(joined(&found, drops, span)?.into_iter().map(|modifier| (modifier, span)));
            }
            [] => {}
        }
    }
    Ok(out)
}

/// Several selectors of one operation.
fn joined(row: &[&Modifier], drops: bool, span: Span) -> Parsed<Vec<Modifier>> {
    if let [.., last @ Modifier::Bound(..)] = row {
        return Ok(vec![(*last).clone()]);
    }
    if row.iter().any(|modifier| matches!(modifier, Modifier::Keep(..) | Modifier::Picked(..))) {
        return selected(row, drops).map_or_else(|| unable(span), Ok);
    }
    let mut all = row[0].clone();
    match row[1..].iter().all(|more| also(&mut all, more)) {
        true => Ok(vec![all]),
        false => unable(span),
    }
}

fn unable<T>(span: Span) -> Parsed<T> {
    Mistake::new(span, "these selections of dice together can't be rolled here").fail()
}

/// Adds the conditions of another modifier of the same kind, if that is one operation.
pub(super) fn also(all: &mut Modifier, more: &Modifier) -> bool {
    match (all, more) {
        (Modifier::Another(all), Modifier::Another(more)) => all.extend(more),
        (Modifier::Explode(all), Modifier::Explode(more)) => all.tests.extend(&more.tests),
        (Modifier::Reroll(all, cap), Modifier::Reroll(more, other)) if cap == other => all.extend(more),
        _ => return false,
    }
    true
}

/// What is kept, or dropped, by several selectors at once.
fn selected(row: &[&Modifier], drops: bool) -> Option<Vec<Modifier>> {
    let (mut high, mut low, mut tests) = (0, 0, Vec::new());
    for modifier in row {
        match modifier {
            Modifier::Keep(keep, Arg::Number(n)) => {
                let end = if matches!(keep, Keep::High | Keep::ButHigh) { &mut high } else { &mut low };
                *end = (*end).max(*n);
            }
            Modifier::Picked(0, 0, more) => tests.push(more.clone()),
            _ => return None,
        }
    }
    // Of dice that show the same both ends take the same ones.
    if drops && high > 0 && low > 0 {
        return None;
    }
    if !drops {
        return Some(vec![Modifier::Picked(high, low, tests.concat())]);
    }
    // A drop by a number is a keep by its opposite.
    let ends = [(Keep::ButHigh, high), (Keep::ButLow, low)].into_iter().filter(|(_, n)| *n > 0);
    let ends = ends.map(|(keep, n)| Modifier::Keep(keep, Arg::Number(n)));
    Some(ends.chain(tests.into_iter().map(|tests| Modifier::Picked(0, 0, tests))).collect())
}
