//! How results look: `text` for people, `json` for programs, `csv`, `md`, `html`, `svg` and `png` for what
//! they work with; `place` for messages about an expression, `explain` for how an answer was found, `approximate` for
//! approximate ones, `chance` for one number.
//!
//! A format of odds is one row of [`FORMATS`]. It is made from [`Series`]: one or several distributions
//! with their titles. A [`Study`] has them for several values of variables: sweeps, curves and grids.
//!
//! ```
//! use tumble::render::{self, Look, Series};
//! use tumble::{Options, Prepared};
//!
//! let mut series = Vec::new();
//! for text in ["4d6kh3", "3d6"] {
//!     let prepared: Prepared = text.parse()?;
//!     let odds = prepared.odds(&Options::default())?;
//!     series.push(Series::new(prepared, odds));
//! }
//! let svg = render::format("svg").ok_or("no such format")?;
//! let picture = String::from_utf8(render::render(svg, &series, &Look::default())?)?;
//! assert!(picture.starts_with("<svg ") && picture.contains("4d6kh3 and 3d6"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod format;
mod look;
mod series;

pub mod ansi;
pub mod approximate;
mod axis;
mod binned;
pub mod chance;
mod csv;
pub mod effects;
pub mod explain;
mod grid;
mod groups;
mod heading;
pub mod html;
pub mod json;
pub mod line;
pub mod luck;
mod markdown;
mod numbers;
pub mod place;
#[cfg(feature = "png")]
mod png;
mod question;
pub mod script;
mod study;
mod svg;
pub mod sweep;
mod table;
pub mod text;
mod visible;
mod width;

pub use crate::reduced::Reduced;
pub use axis::Axis;
pub use format::{FORMATS, Format, format, format_of, render};
pub use look::{Look, Show, Theme};
pub use series::Series;
pub use study::{MOST_CELLS, Study};
pub use visible::{is_hidden, visible};
pub use width::width;

use tumble_core::{Data, Value};
use tumble_syntax::Notation;

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
        Data::Ratio(ratio) => ratio.decimal().unwrap_or_else(|| ratio.to_string()),
        Data::Nothing | Data::Int(_) | Data::Text(_) | Data::Tag(_) => value.to_string(),
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
