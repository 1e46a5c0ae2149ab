//! How an answer was found and checked, for people and for programs.
//!
//! ```text
//! how the answer was found:
//!   sum largest 3 4d6
//!     the sum of the 3 largest of 4 dice with 6 faces
//!     thresholds: takes each face in turn as the last one kept
//!     expected at most 540 steps and 2.1 kB, took 540
//!   everything else took 93 steps
//!   633 steps in total; 50,000,000 allowed
//! ```

use super::text::PAGE;
use super::{visible, width};
use crate::prepared::Prepared;
use crate::verify::Verified;
use serde_json::{Map, Value as Json, json};
use tumble_core::Span;
use tumble_exact::{Explanation, Line};

/// How an answer was found, line by line.
pub fn text(prepared: &Prepared, told: &Explanation) -> String {
    let mut out = "how the answer was found:\n".to_owned();
    let mut place = None;
    for line in &told.lines {
        if place.replace(line.span) != Some(line.span) {
            out.push_str(&format!("  {}\n", visible(&quoted(prepared.text(), line.span))));
        }
        let times = if line.times > 1 { format!("  ×{}", grouped(line.times)) } else { String::new() };
        out.push_str(&wrapped("    ", &format!("{}{times}", line.what)));
        out.push_str(&wrapped("    ", &line.how));
        out.push_str(&wrapped("    ", &cost(line)));
    }
    if told.other > 0 {
        out.push_str(&match told.lines.is_empty() {
            true => format!("  steps too small to list: {}\n", grouped(told.other)),
            false => format!("  everything else took {}\n", steps(told.other)),
        });
    }
    out.push_str(&format!("  {} in total; {} allowed\n", steps(told.steps), grouped(told.allowed)));
    out
}

fn cost(line: &Line) -> String {
    match line.expected {
        Some(cost) => {
            format!("expected at most {} and {}, took {}", steps(cost.steps), bytes(cost.bytes), grouped(line.steps))
        }
        None => format!("took {}", steps(line.steps)),
    }
}

/// What was checked, in one or two lines.
pub fn verified(verified: &Verified) -> String {
    let fractions = |count: &usize| match count {
        1 => "the same fraction".to_owned(),
        n => format!("the same {} fractions", grouped(*n as u64)),
    };
    let said = match verified {
        Verified::EveryRoll { rolls, outcomes, cut } => {
            let but =
                if *cut > 0.0 { format!(", except for at most {cut:.1e} of very long rolls") } else { String::new() };
            format!("verified: all {} possible rolls give {}{but}", grouped(*rolls), fractions(outcomes))
        }
        Verified::Without { left_out, outcomes } => {
            let names: Vec<&str> = left_out.iter().map(|method| method.name).collect();
            format!("verified: a second method, without {}, gives {}", names.join(", "), fractions(outcomes))
        }
        Verified::Cut { after, within, outcomes } => format!(
            "verified: with loops cut off after {after} rolls, {} outcomes have the same fractions to within \
             {within:.1e}, the part cut off",
            grouped(*outcomes as u64)
        ),
        Verified::Prime { prime, questions } => format!(
            "partly verified: {} passed a check modulo the prime {prime}; how the answers were combined was \
             not checked",
            match questions {
                1 => "the one question about dice".to_owned(),
                n => format!("all {} questions about dice", grouped(*n)),
            }
        ),
        Verified::Not => "not verified: no second method was found within the limits".to_owned(),
    };
    wrapped("", &said)
}

/// How an answer was found.
pub fn json(told: &Explanation) -> Json {
    let lines: Vec<Json> = told.lines.iter().map(line).collect();
    json!({ "lines": lines, "other": told.other, "steps": told.steps, "allowed": told.allowed })
}

fn line(line: &Line) -> Json {
    let mut fields = Map::new();
    fields.insert("start".into(), json!(line.span.start));
    fields.insert("end".into(), json!(line.span.end));
    fields.insert("what".into(), json!(line.what));
    fields.insert("method".into(), json!(line.method));
    fields.insert("how".into(), json!(line.how));
    fields.insert("times".into(), json!(line.times));
    let expected = line.expected.map(|cost| json!({ "steps": cost.steps, "bytes": cost.bytes }));
    fields.insert("expected".into(), json!(expected));
    fields.insert("steps".into(), json!(line.steps));
    Json::Object(fields)
}

/// What was checked.
pub fn verified_json(verified: &Verified) -> Json {
    match verified {
        Verified::EveryRoll { rolls, outcomes, cut } => {
            json!({ "by": "every roll", "rolls": rolls, "outcomes": outcomes, "within": cut })
        }
        Verified::Without { left_out, outcomes } => {
            let without: Vec<&str> = left_out.iter().map(|method| method.name).collect();
            json!({ "by": "other methods", "without": without, "outcomes": outcomes })
        }
        Verified::Cut { after, within, outcomes } => {
            json!({ "by": "a cut", "after": after, "within": within, "outcomes": outcomes })
        }
        Verified::Prime { prime, questions } => json!({ "by": "a prime", "prime": prime, "questions": questions }),
        Verified::Not => Json::Null,
    }
}

/// The place in the text, in one line.
fn quoted(text: &str, span: Span) -> String {
    let place = text.get(span.start..span.end).unwrap_or(text);
    let line: String = place.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(PAGE - 6) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Words in lines that fit the page, each after the indent.
pub(super) fn wrapped(indent: &str, words: &str) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for word in words.split(' ') {
        if !line.is_empty() && indent.len() + width(&line) + 1 + width(word) > PAGE {
            out.push_str(&format!("{indent}{}\n", std::mem::take(&mut line)));
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    out + &format!("{indent}{line}\n")
}

fn steps(n: u64) -> String {
    if n == 1 { "1 step".to_owned() } else { format!("{} steps", grouped(n)) }
}

/// `1234567` as `1,234,567`; what nobody can read as `1.2e19`.
pub(super) fn grouped(n: u64) -> String {
    if n >= 1_000_000_000_000 {
        return format!("{:.1e}", n as f64);
    }
    let digits = n.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

fn bytes(n: u64) -> String {
    let units = [(1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.iter().find(|(unit, _)| n as f64 >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", n as f64 / unit),
        None => format!("{n} bytes"),
    }
}
