//! The maps that are there without being defined.
//!
//! The dice of *Star Wars: Edge of the Empire* twice: with the signs of the original (• success, + advantage, ! triumph,
//! ° failure, - threat, ? despair) and in words; the Fate die as signs and as numbers; the Fate ladder.

use super::syntax::Scalar;
use std::collections::HashMap;
use tumble_core::Value;
use tumble_core::prim::Interval;

use super::sort::Sort;

/// Maps from 1, 2, 3 … to texts, with `|` between them.
const FACES: &[(&str, &str)] = &[
    ("sweote boost", "||++|+|•+|•"),
    ("sweote setback", "||°|°|-|-"),
    ("sweote ability", "|•|•|••|+|+|•+|++"),
    ("sweote difficulty", "|°|°°|-|-|-|--|°-"),
    ("sweote proficiency", "|•|•|••|••|+|•+|•+|•+|++|++|!"),
    ("sweote challenge", "|°|°|°°|°°|-|-|°-|°-|--|--|?"),
    ("fate", "-||+"),
];

/// What the signs of these dice are in words, for the maps that have the same name without its first word.
const WORDS: &[(char, &str)] =
    &[('•', "success"), ('+', "advantage"), ('!', "triumph"), ('°', "failure"), ('-', "threat"), ('?', "despair")];

/// The first word of the maps of signs.
const SIGNS: &str = "sweote ";

/// The Fate ladder, from -2 on.
const LADDER: &str = "Terrible|Poor|Mediocre|Average|Fair|Good|Great|Superb|Fantastic|Epic|Legendary";

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
    let texts = |first: i64, texts: &str, say: fn(&str) -> String| -> Vec<(Scalar, Scalar)> {
        let pair = |(key, text): (i64, &str)| (Scalar::Number(key), Scalar::Text(say(text)));
        (first..).zip(texts.split('|')).map(pair).collect()
    };
    let faces = |name: &str| FACES.iter().find(|(known, _)| *known == name).map(|(_, faces)| *faces);
    let pairs = match name {
        "fudge" => (1..=3).map(|face| (Scalar::Number(face), Scalar::Number(face - 2))).collect(),
        "fateladder" => texts(-2, LADDER, str::to_owned),
        _ => match faces(name) {
            Some(signs) => texts(1, signs, str::to_owned),
            None => texts(1, faces(&format!("{SIGNS}{name}"))?, in_words),
        },
    };
    Some(Map::new(&pairs))
}

/// `•+` as `success advantage`.
fn in_words(signs: &str) -> String {
    let word = |sign: char| WORDS.iter().find(|(known, _)| *known == sign).map_or("", |(_, word)| word);
    if signs.is_empty() { "blank".to_owned() } else { signs.chars().map(word).collect::<Vec<_>>().join(" ") }
}

/// The names of all built-in maps.
pub(super) fn names<'n>() -> impl Iterator<Item = &'n str> {
    let words = FACES.iter().filter_map(|(name, _)| name.strip_prefix(SIGNS));
    FACES.iter().map(|(name, _)| *name).chain(words).chain(["fudge", "fateladder"])
}
