//! What is said about a value of the wrong sort, and what may be meant.

use super::super::maps;
use super::super::sort::Sort;
use super::{Lowering, Typed};
use crate::mistake::{Mistake, Parsed, fail};
use crate::nearest::nearest;
use tumble_core::{Code, Span};

impl Lowering<'_> {
    /// A number was needed.
    pub(super) fn no_number<T>(&self, value: Typed, sign: &str) -> Parsed<T> {
        let message = format!("`{sign}` needs a number here, not {}", value.sort.words());
        let mistake = Mistake::coded(Code::Type, value.span, message);
        let (text, span) = (self.text, value.span);
        let written = &text[span.start..span.end];
        fail(match value.sort {
            Sort::TRUTH if written == "F" && sign == "d" => self.fate(mistake, span),
            Sort::TRUTH => {
                mistake.replace(span, &format!("({written} ? 1 : 0)")).replace(span, &format!("(({written}) ? 1 : 0)"))
            }
            sort if sort.is_only(Sort::pools()) && text[..span.start].ends_with(char::is_alphabetic) => {
                mistake.replace(span, &format!("(S {written})"))
            }
            // Whether dice are counted or their sum is compared, nobody knows.
            _ if matches!(sign, "<" | "<=" | ">" | ">=" | "==" | "!=") => mistake,
            sort if sort.is_only(Sort::pools()) => {
                mistake.replace(span, &format!("S {written}")).replace(span, &format!("(S {written})"))
            }
            _ => mistake,
        })
    }

    /// `p pa 2 + 2`: the operator of the pool takes only the first number.
    pub(super) fn loose_number<T>(&self, pool: Typed, number: Span, right: Span, sign: &str) -> Parsed<T> {
        let message = format!("`{sign}` needs a number before it, not a pool; a pool operator takes only one number");
        let whole = number.to(right);
        fail(
            Mistake::coded(Code::Type, pool.span, message)
                .replace(whole, &format!("({})", &self.text[whole.start..whole.end])),
        )
    }

    /// `4dF`
    fn fate(&self, mistake: Mistake, span: Span) -> Mistake {
        let before = self.text[..span.start].trim_end_matches(['d', 'D', ' ']);
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let count = if start == before.len() { "1" } else { &before[start..] };
        let dice = format!("S ({count}dp3 m \"fudge\")");
        mistake.replace(Span::new(start, span.end), &dice)
    }

    /// A pool was needed.
    pub(super) fn no_pool<T>(&self, value: Typed, sign: &str) -> Parsed<T> {
        let numbers = value.sort.is_only(Sort::TEXTS);
        let wanted = if numbers { "a pool of numbers" } else { "a pool" };
        let (text, span) = (self.text, value.span);
        if !value.sort.is_only(Sort::NUMBER) {
            let message = format!("`{sign}` needs {wanted} here, not {}", value.sort.words());
            return fail(Mistake::coded(Code::Type, span, message));
        }
        let message = format!("`{sign}` needs a pool here, not a number; `d` already sums, `dp` makes a pool");
        let mut mistake = Mistake::coded(Code::Type, span, message);
        let (before, inside, after) = (text[..span.start].trim_end(), &text[span.start..span.end], &text[span.end..]);
        let gap = after.len() - after.trim_start().len();
        if is_dice(&after[gap..]) {
            mistake = mistake.insert(span.end + gap + 1, "p");
        }
        if before.ends_with(['d', 'D']) {
            mistake = mistake.insert(before.len(), "p");
        }
        if let Some(at) = inside.find(['d', 'D']).filter(|at| is_dice(&inside[*at..])) {
            mistake = mistake.insert(span.start + at + 1, "p");
        }
        if matches!(sign, "S" | "N" | "C") {
            mistake = mistake.replace(span, &format!("[{inside}]"));
        }
        fail(mistake)
    }

    /// A choice by something that is neither T nor F.
    pub(super) fn no_truth<T>(&self, test: Typed) -> Parsed<T> {
        let message = format!("`?` needs T or F before it, not {}", test.sort.words());
        let mistake = Mistake::coded(Code::Type, test.span, message);
        let span = test.span;
        fail(match test.sort {
            Sort::NUMBER => mistake.insert(span.end, " > 0"),
            _ => mistake,
        })
    }

    /// T or F as a key of a map.
    pub(super) fn no_key<T>(&self, value: Typed) -> Parsed<T> {
        let message = "the keys of a map are numbers and text, not T and F";
        let fixed = format!("({} ? 1 : 0)", &self.text[value.span.start..value.span.end]);
        fail(Mistake::coded(Code::Type, value.span, message).replace(value.span, &fixed))
    }

    /// A map that does not exist, at least not yet.
    pub(super) fn no_map<T>(&self, span: Span, name: &str) -> Parsed<T> {
        let shown: String = name.chars().take(30).collect();
        let at = self.text[..span.end].rfind(&format!("\"{name}\"")).unwrap_or(span.start);
        let place = Span::new(at, span.end);
        let mistake = Mistake::coded(Code::Name, place, format!("no map \"{shown}\" is defined before this"));
        let mut known: Vec<&str> = maps::names().collect();
        known.extend(self.maps.keys().map(String::as_str));
        known.sort_unstable();
        fail(
            mistake.when(nearest(name, known.into_iter()), |mistake, meant| {
                mistake.replace(place, &format!("\"{meant}\""))
            }),
        )
    }
}

/// Whether a text begins with a plain `d` and sides.
fn is_dice(text: &str) -> bool {
    let sides = text.strip_prefix(['d', 'D']).map(str::trim_start);
    sides.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || c == '(' || c == '%'))
}
