//! What two answers to the same request have in common.
//!
//! Rows are compared as they are written, outcome and fraction together. Only where a part is not listed, another
//! answer may have more rows and a smaller rest; and if the old one says that it is not exact, larger ones.

use super::fraction;
use super::running::Said;
use crate::fields::Fields;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// How two answers compare.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    Same(Known),
    /// The new one knows all that the old one did, and more.
    More(String),
    Different(String),
    /// Answered by the old one only.
    Refused(String),
}

/// What is known of an answer that both give.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Known {
    pub(super) answered: bool,
    /// Whether a part of it is not listed.
    pub(super) rest: bool,
    /// Whether messages or warnings are worded differently.
    pub(super) words: bool,
}

/// Compares what the two programs say.
pub(super) fn of(old: &Said, new: &Said) -> Verdict {
    let (old, new) = match (old, new) {
        (Ok(old), Ok(new)) => (Fields::read(old), Fields::read(new)),
        (Err(_), Err(why)) => return Verdict::Different(format!("both: {why}")),
        (Err(why), Ok(_)) => return Verdict::More(format!("the old one: {why}")),
        (Ok(_), Err(why)) => return Verdict::Different(format!("the new one: {why}")),
    };
    let (Some(old), Some(new)) = (old, new) else { return Verdict::Different("an answer is not JSON".into()) };
    match (old.truth("ok"), new.truth("ok")) {
        (true, true) => answers(&old, &new),
        (false, false) => errors(&old, &new),
        (true, false) => Verdict::Refused(error(&new)),
        (false, true) if code(&old) == "limit" => Verdict::More(format!("the old one said: {}", error(&old))),
        (false, true) => Verdict::Different(format!("the old one said: {}", error(&old))),
    }
}

fn answers(old: &Fields, new: &Fields) -> Verdict {
    let rest = old.text("unresolved").is_some_and(|rest| rest != "0");
    let mut more = Vec::new();
    for name in ["mean", "variance"] {
        match (old.raw(name), new.raw(name)) {
            (old, new) if old == new => {}
            (Some(old), Some(new)) if old == "null" => more.push(format!("{name} is {}", short(&new))),
            (old, new) => return Verdict::Different(format!("{name} is {}, was {}", show(new), show(old))),
        }
    }
    // Documents, sweeps and single numbers are compared as they are.
    for name in ["document", "sweep", "answers", "count", "sha256_hex", "name", "roll"] {
        let (old, new) = (old.raw(name), new.raw(name));
        if old != new && !(rest && matches!(name, "count" | "sha256_hex")) {
            return Verdict::Different(format!("{name} is {}, was {}", show(new), show(old)));
        }
    }
    let (rows, new_rows) = (old.items("outcomes"), new.items("outcomes"));
    if rows == new_rows {
        if old.raw("unresolved") != new.raw("unresolved") || old.raw("exact") != new.raw("exact") {
            return Verdict::Different("the rows are the same, but not the rest".into());
        }
    } else if !rest {
        return Verdict::Different(first_change(&rows, &new_rows));
    } else {
        match grown(old, &rows, new, &new_rows) {
            Ok(why) => more.push(why),
            Err(why) => return Verdict::Different(why),
        }
    }
    if more.is_empty() {
        Verdict::Same(Known { answered: true, rest, words: old.raw("warnings") != new.raw("warnings") })
    } else {
        Verdict::More(more.join(", "))
    }
}

/// How an answer with a smaller rest differs, or why it is wrong. Where the old one is not exact, its rows are bounds
/// from below.
fn grown(old: &Fields, rows: &[String], new: &Fields, new_rows: &[String]) -> Result<String, String> {
    let rest = |fields: &Fields| fields.text("unresolved").unwrap_or_default().to_string();
    if fraction::compare(&rest(new), &rest(old)) != Some(Ordering::Less) {
        return Err(format!("the rest is not smaller; {}", first_change(rows, new_rows)));
    }
    let now: HashMap<&str, &str> = new_rows.iter().map(|row| parts(row)).collect();
    for row in rows {
        let (outcome, share) = parts(row);
        let order = now.get(outcome).and_then(|now| fraction::compare(now, share));
        let fine = order == Some(Ordering::Equal) || (order == Some(Ordering::Greater) && !old.truth("exact"));
        if !fine {
            return Err(first_change(std::slice::from_ref(row), new_rows));
        }
    }
    Ok(format!("{} rows, were {}; the rest is smaller", new_rows.len(), rows.len()))
}

/// A row as its outcome and its fraction.
fn parts(row: &str) -> (&str, &str) {
    let inside = row.strip_prefix('[').and_then(|row| row.strip_suffix("\"]")).unwrap_or(row);
    inside.rsplit_once(",\"").unwrap_or((inside, ""))
}

/// The first row that is not among the new ones, and what is there instead.
fn first_change(rows: &[String], new_rows: &[String]) -> String {
    let there: HashSet<&String> = new_rows.iter().collect();
    let Some(row) = rows.iter().find(|row| !there.contains(row)) else {
        return format!("{} rows, were {}", new_rows.len(), rows.len());
    };
    let instead = new_rows.iter().find(|new| parts(new).0 == parts(row).0);
    format!("the row {} is now {}", short(row), instead.map_or("gone".into(), |row| short(row)))
}

fn errors(old: &Fields, new: &Fields) -> Verdict {
    match (code(old), code(new)) {
        (before, now) if before == now => Verdict::Same(Known { words: error(old) != error(new), ..Known::default() }),
        (before, _) if before == "limit" => {
            Verdict::More(format!("an error was found beyond the limit: {}", error(new)))
        }
        _ => Verdict::Different(format!("the error is {}, was {}", error(new), error(old))),
    }
}

fn code(answer: &Fields) -> String {
    answer.object("error").and_then(|error| Some(error.text("code")?.to_string())).unwrap_or_default()
}

fn error(answer: &Fields) -> String {
    let message = answer.object("error").and_then(|error| Some(error.text("message")?.to_string()));
    format!("{}: {}", code(answer), message.unwrap_or_default())
}

fn show(raw: Option<String>) -> String {
    raw.map_or_else(|| "missing".into(), |raw| short(&raw))
}

/// A long number or text by its start.
fn short(text: &str) -> String {
    let start: String = text.chars().take(80).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(rows: &str, rest: &str, mean: &str) -> String {
        let exact = rest == "0";
        format!(
            "{{\"ok\":true,\"micros\":{},\"exact\":{exact},\"outcomes\":[{rows}],\"unresolved\":\"{rest}\",\
             \"mean\":{mean},\"variance\":null,\"warnings\":[]}}",
            rows.len()
        )
    }

    fn refusal(code: &str, message: &str) -> String {
        format!("{{\"ok\":false,\"error\":{{\"code\":\"{code}\",\"message\":\"{message}\"}}}}")
    }

    #[test]
    fn answers_are_compared() {
        let half = answer("[1,\"1/2\"],[[2,\"a, \"],\"1/2\"]", "0", "\"3/2\"");
        let same = |rest| Verdict::Same(Known { answered: true, rest, words: false });
        assert_eq!(of(&Ok(half.clone()), &Ok(half.replace("micros\":", "micros\":1"))), same(false));
        let word = |old: &str, new: &str| match of(&Ok(old.to_string()), &Ok(new.to_string())) {
            Verdict::Same(_) => "same",
            Verdict::More(_) => "more",
            Verdict::Different(_) => "different",
            Verdict::Refused(_) => "refused",
        };
        let open = answer("[1,\"1/2\"],[2,\"1/4\"]", "1/4", "null");
        let listed = open.replace("\"exact\":false", "\"exact\":true");
        assert_eq!(of(&Ok(open.clone()), &Ok(open.clone())), same(true));
        for (old, new, expected) in [
            (&half, &answer("[1,\"1/2\"],[[2,\"a, \"],\"1/3\"]", "0", "\"3/2\""), "different"),
            (&half, &answer("[1,\"1/2\"],[[2,\"a, \"],\"1/2\"]", "0", "\"5/2\""), "different"),
            (&half, &answer("[1,\"1/2\"],[[2,\"a, \"],\"1/2\"]", "0", "null"), "different"),
            (&half, &answer("[1,\"1/2\"]", "1/2", "\"3/2\""), "different"),
            (&open, &answer("[1,\"1/2\"],[2,\"1/4\"],[3,\"1/8\"]", "1/8", "null"), "more"),
            (&open, &answer("[1,\"1/2\"],[2,\"1/8\"],[3,\"1/4\"]", "1/8", "null"), "different"),
            (&open, &answer("[1,\"1/2\"],[2,\"1/4\"]", "1/4", "\"2\""), "more"),
            (&open, &answer("[1,\"1/2\"],[2,\"1/4\"]", "1/8", "null"), "different"),
            (&open, &answer("[1,\"1/2\"]", "1/2", "null"), "different"),
            (&open, &answer("[1,\"5/8\"],[2,\"1/4\"]", "1/8", "null"), "more"),
            (&listed, &answer("[1,\"5/8\"],[2,\"1/4\"]", "1/8", "null"), "different"),
            (&half, &refusal("limit", "no"), "refused"),
            (&refusal("limit", "no"), &half, "more"),
            (&refusal("runtime", "no"), &half, "different"),
            (&refusal("limit", "no"), &refusal("limit", "never"), "same"),
            (&refusal("limit", "no"), &refusal("runtime", "no"), "more"),
            (&refusal("runtime", "no"), &refusal("limit", "no"), "different"),
        ] {
            assert_eq!(word(old, new), expected, "{old} {new}");
        }
        assert!(matches!(of(&Ok(half.clone()), &Err("gone")), Verdict::Different(_)));
        assert!(matches!(of(&Err("gone"), &Ok(half.clone())), Verdict::More(_)));
    }
}
