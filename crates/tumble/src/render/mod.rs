//! How results look: `json` for programs, `text` for people, `html` for pages, `place` for messages about
//! a text; `explain` for how an answer was found, `near` for approximate ones.

pub mod ansi;
pub mod explain;
pub mod html;
pub mod json;
pub mod luck;
pub mod near;
pub mod place;
pub mod sweep;
mod table;
pub mod text;
mod width;

use tumble_core::{Data, Value};
use tumble_syntax::Notation;

pub use width::width;

/// A value as people read it: `7`, `[1, 2]`, `(1, 2)`, the lines of a text, `1; 2` for several results.
pub fn spelled(value: &Value, notation: &Notation) -> String {
    match &value.data {
        Data::Text(text) if !notation.spelling.quoted => text.to_string(),
        Data::List(items) if items.is_empty() => notation.spelling.none.to_owned(),
        Data::List(items) => items.iter().map(|item| spelled(item, notation)).collect::<Vec<_>>().join("; "),
        _ => inner(value, notation),
    }
}

/// The same for a table, where even a text without a visible character needs a name.
fn labelled(value: &Value, notation: &Notation) -> String {
    let label = spelled(value, notation);
    if label.trim().is_empty() { "(empty text)".to_owned() } else { label }
}

/// The same inside a collection or pair, where a text stands in quotes.
fn inner(value: &Value, notation: &Notation) -> String {
    let list = |items: &[Value]| items.iter().map(|item| inner(item, notation)).collect::<Vec<_>>().join(", ");
    match &value.data {
        Data::Pool(items) => match lone(items, notation) {
            Some(n) => n.to_string(),
            None => format!("[{}]", list(items)),
        },
        Data::Tuple(items) => format!("({})", list(items)),
        Data::List(items) => list(items),
        Data::Bool(truth) => notation.spelling.truths[usize::from(*truth)].to_owned(),
        Data::Text(text) if notation.spelling.quoted => format!("\"{text}\""),
        Data::Nothing | Data::Int(_) | Data::Text(_) => value.to_string(),
    }
}

/// The only member of a collection, in a notation where a number and a collection of just this
/// number are the same thing.
fn lone(items: &[Value], notation: &Notation) -> Option<i64> {
    match items {
        [one] if notation.spelling.lone => one.as_int(),
        _ => None,
    }
}
