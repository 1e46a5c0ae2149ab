//! The dice of a script on the wire, and what can be done with one of them.
//!
//! ```text
//! {"ir":{"d6":[6,null,{"was":[2],"now":5,"by":"hand"}]}}      by path, kind and index
//! d6   -1..1   1 of 7                                         kinds; a pick is given by its number, from 1
//! {"do":"reroll","path":"ir","die":"d6","index":0}            also "undo", and "set" with a "value"
//! ```
//!
//! A die with versions is an object: `was` are those before, `now` is the one that holds, `then` those that were taken
//! back. One that was set by hand is `{"hand":5}` there, and for `now` it has `"by":"hand"`.

use super::Dice;
use serde_json::{Map, Value as Json, json};
use tumble_core::{Code, Diagnostic, Fault, Span};
use tumble_roll::{Kept, Ledger, Shows, Sides, Source, Version, face_of};

/// Something that is done with one die before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is done.
    pub what: What,
    /// Where the die fell.
    pub path: String,
    /// Its faces.
    pub sides: Sides,
    /// Which of the dice there it is.
    pub index: u64,
}

/// What is done with a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It is rolled again.
    Reroll,
    /// The version before holds again.
    Undo,
    /// It shows this value.
    Set(i64),
}

/// Does it.
pub(crate) fn apply<S: Source>(ledger: &mut Ledger<S>, edit: &Edit) -> Result<(), Diagnostic> {
    let Edit { what, path, sides, index } = edit;
    let done = match what {
        What::Reroll => ledger.reroll(path, *sides, *index),
        What::Undo => ledger.undo(path, *sides, *index),
        What::Set(value) => match face_of(*sides, Shows::Numbers, *value) {
            Some(face) => ledger.set(path, *sides, *index, face),
            None => Err(Fault::new(Code::Request, format!("a die {} can't show {value}", sides.kind()))),
        },
    };
    done.map_err(|fault| fault.at(Span::default()))
}

/// The faces of a kind.
fn sides(kind: &str) -> Option<Sides> {
    let range = |lo: i64, hi: i64| (lo <= hi).then_some(Sides::Range { lo, hi });
    if let Some(hi) = kind.strip_prefix('d') {
        return range(1, hi.parse().ok()?);
    }
    if let Some(of) = kind.strip_prefix("1 of ") {
        return of.parse().ok().filter(|of| *of > 0).map(|of| Sides::Pick { of });
    }
    let (lo, hi) = kind.split_once("..")?;
    range(lo.parse().ok()?, hi.parse().ok()?)
}

/// What a face shows on the wire.
fn shown(sides: Sides, face: u64) -> i64 {
    match sides {
        Sides::Range { lo, .. } => lo.wrapping_add(face as i64),
        Sides::Pick { .. } => (face as i64).saturating_add(1),
    }
}

/// All dice as JSON.
pub fn to_json(dice: &Dice) -> Json {
    let kinds = |kinds: &std::collections::BTreeMap<Sides, Vec<Option<Kept>>>| {
        let lists = kinds.iter().map(|(sides, list)| {
            let list: Vec<Json> =
                list.iter().map(|kept| kept.as_ref().map_or(Json::Null, |kept| die(*sides, kept))).collect();
            (sides.kind(), Json::Array(list))
        });
        Json::Object(lists.collect())
    };
    Json::Object(dice.known.iter().map(|(path, all)| (path.clone(), kinds(all))).collect())
}

fn die(sides: Sides, kept: &Kept) -> Json {
    let value = |version: &Version| shown(sides, version.face);
    if let [only] = kept.versions.as_slice() {
        return json!(value(only));
    }
    let other = |version: &Version| match version.by_hand {
        true => json!({ "hand": value(version) }),
        false => json!(value(version)),
    };
    let (was, rest) = kept.versions.split_at(kept.now);
    let mut fields = Map::new();
    fields.insert("was".into(), was.iter().map(other).collect());
    if let Some((now, then)) = rest.split_first() {
        fields.insert("now".into(), json!(value(now)));
        if now.by_hand {
            fields.insert("by".into(), json!("hand"));
        }
        if !then.is_empty() {
            fields.insert("then".into(), then.iter().map(other).collect());
        }
    }
    Json::Object(fields)
}

/// Dice from JSON.
pub fn from_json(json: &Json) -> Result<Dice, Diagnostic> {
    let mut dice = Dice::default();
    for (path, kinds) in object(json, "dice")? {
        for (kind, list) in object(kinds, "the dice of a path")? {
            let sides = sides(kind).ok_or_else(|| refused(format!("unknown kind of die `{kind}`")))?;
            let list = list.as_array().ok_or_else(|| refused(format!("`{path}` `{kind}` must be an array")))?;
            for (index, value) in list.iter().enumerate().filter(|(_, value)| !value.is_null()) {
                let kept = kept(sides, value)
                    .ok_or_else(|| refused(format!("die number {index} `{kind}` at `{path}` can't show {value}")))?;
                dice.insert(path, sides, index as u64, kept).map_err(|fault| fault.at(Span::default()))?;
            }
        }
    }
    Ok(dice)
}

fn kept(sides: Sides, json: &Json) -> Option<Kept> {
    let face = |value: &Json| face_of(sides, Shows::Numbers, value.as_i64()?);
    let version = |value: &Json| match value.get("hand") {
        Some(value) => Some(Version { face: face(value)?, by_hand: true }),
        None => Some(Version { face: face(value)?, by_hand: false }),
    };
    if json.is_number() {
        return Some(Kept { versions: vec![version(json)?], now: 0 });
    }
    let several = |name: &str| match json.get(name) {
        Some(list) => list.as_array()?.iter().map(version).collect::<Option<Vec<_>>>(),
        None => Some(vec![]),
    };
    if json.get("by").is_some_and(|by| by != "hand") {
        return None;
    }
    let mut versions = several("was")?;
    let now = versions.len();
    versions.push(Version { face: face(json.get("now")?)?, by_hand: json.get("by").is_some() });
    versions.extend(several("then")?);
    Some(Kept { versions, now })
}

/// An edit from JSON.
pub fn edit(json: &Json) -> Result<Edit, Diagnostic> {
    let fields = object(json, "an edit")?;
    let text = |name: &str| fields.get(name).and_then(Json::as_str);
    let wrong = |name: &str, words: &str| refused(format!("`{name}` of an edit must be {words}"));
    let what = match text("do") {
        Some("reroll") => What::Reroll,
        Some("undo") => What::Undo,
        Some("set") => {
            let value = fields.get("value").and_then(Json::as_i64);
            What::Set(value.ok_or_else(|| wrong("value", "a whole number"))?)
        }
        _ => return Err(wrong("do", "`reroll`, `undo` or `set`")),
    };
    let path = text("path").ok_or_else(|| wrong("path", "where the die fell"))?.to_owned();
    let sides = text("die").and_then(sides).ok_or_else(|| wrong("die", "its kind, such as `d6`"))?;
    let index = match fields.get("index") {
        None => 0,
        Some(index) => index.as_u64().ok_or_else(|| wrong("index", "a whole number from 0"))?,
    };
    Ok(Edit { what, path, sides, index })
}

fn object<'j>(json: &'j Json, what: &str) -> Result<&'j Map<String, Json>, Diagnostic> {
    json.as_object().ok_or_else(|| refused(format!("`{what}` must be an object")))
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}
