//! Conditions that are listed or not repeated: `d6r1,2`, `5d10cs>=8,10`, `d6 = 5 or 6`.
//!
//! A modifier has one condition; a list is one only if it is a row of faces at the lower or the upper end of the
//! die. A comparison has two sides; one that is meant twice is written twice, of the same roll.

use super::MISTAKES;
use super::parse::Parser;
use super::syntax::{Arg, Compare, Dice, Explode, Expr, Modifier, Test};
use crate::mistake::Mistake;
use tumble_core::Span;

impl Parser<'_> {
    /// A comma with a number after it, where the condition of a modifier has just ended.
    pub(super) fn listed_condition(&self, comma: Span) -> Option<Mistake> {
        let text = self.text;
        let end = text[..comma.start].trim_end().len();
        let (dice, at) = self.dice_before(end)?;
        let (modifier, span) = dice.modifiers.last()?;
        let (test, weighted) = match modifier {
            Modifier::Failures(test) => (Some(test), false),
            Modifier::Reroll(tests, _) | Modifier::Explode(Explode { tests, .. }) => (tests.first(), false),
            Modifier::Successes(test, _) => (Some(test), true),
            _ => return None,
        };
        let (numbers, after) = numbers_after(text, comma.start)?;
        let list = Span::new(comma.start, after);
        let written = self.written(*span);
        let word = &written[..written.find(|c: char| !c.is_alphabetic() && c != '!').unwrap_or(written.len())];
        let weight = text[after..].trim_start();
        if !weighted && weight.starts_with(':') {
            let message = format!("weights such as `{}:2` only work with `cs`", numbers.last()?);
            return Some(Mistake::new(list, message));
        }
        let mistake = Mistake::new(list, format!("`{word}` takes only one condition"));
        if weighted && !matches!(test, Some(Test { by: Compare::Equal, .. })) {
            return Some(self.with_a_worth(mistake, &numbers, after));
        }
        let plain = !written.ends_with(|c: char| !c.is_ascii_digit())
            && !written.contains(['x', 'X'])
            && !weight.starts_with([':', '=']);
        let row = match test {
            Some(Test { by: Compare::Equal, arg: Arg::Number(first) }) if plain => {
                row(*first, &numbers, dice.source.sides().and_then(|sides| sides.plain(&self.nodes)))
            }
            _ => None,
        };
        Some(
            mistake.when(row, |mistake, row| {
                mistake.replace(Span::new(span.start.max(at), after), &format!("{word}{row}"))
            }),
        )
    }

    /// `cs>=8,10` and `cs>=8,10=2`: some dice are worth more.
    fn with_a_worth(&self, mistake: Mistake, numbers: &[i64], after: usize) -> Mistake {
        let text = self.text;
        let [_] = numbers else { return mistake };
        let message = "a comma after the condition of `cs` sets what a face is worth, as in `cs>=8,10:2`";
        let mistake = mistake.saying(message.to_owned());
        let rest = &text[after..];
        let worth = rest.trim_start();
        mistake.when(
            worth.strip_prefix('=').map(str::trim_start).filter(|n| n.starts_with(|c: char| c.is_ascii_digit())),
            |mistake, number| mistake.replace(Span::new(after, text.len() - number.len()), ":"),
        )
    }

    /// The dice that end in this place, and where they begin.
    fn dice_before(&self, end: usize) -> Option<(&Dice, usize)> {
        self.nodes.iter().rev().find_map(|(id, expr)| match expr {
            Expr::Dice(dice) if self.nodes.span(id).end == end => Some((&**dice, self.nodes.span(id).start)),
            _ => None,
        })
    }
}

/// The numbers with commas between them from a comma on, and where they end.
fn numbers_after(text: &str, comma: usize) -> Option<(Vec<i64>, usize)> {
    let (mut numbers, mut end) = (Vec::new(), comma);
    while let Some(rest) = text[end..].trim_start().strip_prefix(',').map(str::trim_start) {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let alone = !rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '(');
        let Some(number) = rest[..digits].parse().ok().filter(|_| alone) else { break };
        numbers.push(number);
        end = text.len() - rest.len() + digits;
    }
    (!numbers.is_empty()).then_some((numbers, end))
}

/// One condition for all these faces.
fn row(first: i64, more: &[i64], sides: Option<i64>) -> Option<String> {
    let mut faces = [&[first], more].concat();
    faces.sort_unstable();
    let (low, high) = (faces[0], faces[faces.len() - 1]);
    if !faces.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) {
        return None;
    }
    match sides {
        Some(sides) if high == sides && low > 1 => Some(format!(">={low}")),
        Some(sides) if low == 1 && high < sides => Some(format!("<={high}")),
        _ => None,
    }
}

/// `d6 = 5 or 6`, `d6 >= 2 && <= 5`: the comparison with the same roll on its left each time.
pub(super) fn repeated_comparison(text: &str) -> Option<String> {
    let plain = text.len() <= 200 && !text.contains(['#', ';', '?', '(', '{']);
    if plain { MISTAKES.rewritten("both sides", text, false) } else { None }
}
