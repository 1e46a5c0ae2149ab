//! The maps that are there without being defined.
//!
//! The dice of *Star Wars: Edge of the Empire* twice: with the signs of the original (• success, + advantage, ! triumph,
//! ° failure, - threat, ? despair) and in words; the Fate die as signs and as numbers; the Fate ladder.

use super::syntax::Scalar;
use std::collections::HashMap;
use tumble_core::Value;
use tumble_core::prim::Interval;

use super::sort::Sort;

/// Maps from 1, 2, 3 … to texts.
const FACES: &[(&str, &[&str])] = &[
    ("sweote boost", &["", "", "++", "+", "•+", "•"]),
    ("sweote setback", &["", "", "°", "°", "-", "-"]),
    ("sweote ability", &["", "•", "•", "••", "+", "+", "•+", "++"]),
    ("sweote difficulty", &["", "°", "°°", "-", "-", "-", "--", "°-"]),
    ("sweote proficiency", &["", "•", "•", "••", "••", "+", "•+", "•+", "•+", "++", "++", "!"]),
    ("sweote challenge", &["", "°", "°", "°°", "°°", "-", "-", "°-", "°-", "--", "--", "?"]),
    ("boost", &["blank", "blank", "advantage advantage", "advantage", "success advantage", "success"]),
    ("setback", &["blank", "blank", "failure", "failure", "threat", "threat"]),
    (
        "ability",
        &[
            "blank",
            "success",
            "success",
            "success success",
            "advantage",
            "advantage",
            "success advantage",
            "advantage advantage",
        ],
    ),
    (
        "difficulty",
        &["blank", "failure", "failure failure", "threat", "threat", "threat", "threat threat", "failure threat"],
    ),
    (
        "proficiency",
        &[
            "blank",
            "success",
            "success",
            "success success",
            "success success",
            "advantage",
            "success advantage",
            "success advantage",
            "success advantage",
            "advantage advantage",
            "advantage advantage",
            "triumph",
        ],
    ),
    (
        "challenge",
        &[
            "blank",
            "failure",
            "failure",
            "failure failure",
            "failure failure",
            "threat",
            "threat",
            "failure threat",
            "failure threat",
            "threat threat",
            "threat threat",
            "despair",
        ],
    ),
    ("fate", &["-", "", "+"]),
];

/// The Fate ladder, from -2 on.
const LADDER: &[&str] =
    &["Terrible", "Poor", "Mediocre", "Average", "Fair", "Good", "Great", "Superb", "Fantastic", "Epic", "Legendary"];

/// A map ready for use.
#[derive(Clone)]
pub(super) struct Map {
    /// Its pairs, as a value of the core.
    pub(super) table: Value,
    /// What its values are.
    pub(super) sort: Sort,
    /// The numbers among them.
    pub(super) bounds: Interval,
}

impl Map {
    /// The map with these pairs; of equal keys the last one counts.
    pub(super) fn new(pairs: &[(Scalar, Scalar)]) -> Map {
        let mut places: HashMap<&Scalar, usize> = HashMap::with_capacity(pairs.len());
        let mut kept: Vec<(&Scalar, &Scalar)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            match places.get(key) {
                Some(place) => kept[*place].1 = value,
                None => {
                    places.insert(key, kept.len());
                    kept.push((key, value));
                }
            }
        }
        let values = || kept.iter().map(|(_, value)| *value);
        let sorts = values().map(Scalar::sort).reduce(Sort::or);
        Map {
            sort: sorts.unwrap_or(Sort::NUMBER),
            bounds: Interval::of(values().filter_map(Scalar::number)),
            table: Value::pool(kept.iter().map(|(k, v)| Value::tuple(vec![k.value(), v.value()])).collect()),
        }
    }
}

impl Scalar {
    /// As a value of the core.
    pub(super) fn value(&self) -> Value {
        match self {
            Scalar::Number(n) => Value::int(*n),
            Scalar::Text(text) => Value::text(text),
        }
    }

    pub(super) fn sort(&self) -> Sort {
        match self {
            Scalar::Number(_) => Sort::NUMBER,
            Scalar::Text(_) => Sort::TEXT,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Scalar::Number(n) => Some(*n),
            Scalar::Text(_) => None,
        }
    }
}

/// The built-in map with this name.
pub(super) fn built_in(name: &str) -> Option<Map> {
    let texts = |first: i64, texts: &[&str]| -> Vec<(Scalar, Scalar)> {
        (first..).zip(texts).map(|(key, text)| (Scalar::Number(key), Scalar::Text((*text).to_owned()))).collect()
    };
    let pairs = match name {
        "fudge" => (1..=3).map(|face| (Scalar::Number(face), Scalar::Number(face - 2))).collect(),
        "fateladder" => texts(-2, LADDER),
        _ => texts(1, FACES.iter().find(|(known, _)| *known == name)?.1),
    };
    Some(Map::new(&pairs))
}

/// The names of all built-in maps.
pub(super) fn names<'n>() -> impl Iterator<Item = &'n str> {
    FACES.iter().map(|(name, _)| *name).chain(["fudge", "fateladder"])
}
