//! How lucky a roll was, in words and for programs.
//!
//! ```text
//! better than 90.7 % of rolls; 4.6 % are the same, 4.6 % are better
//! better than at least 83.3 % of rolls; 16.7 % of rolls are not listed
//! ```
//!
//! More is taken for better.

use super::json::fraction;
use super::text::trimmed;
use crate::luck::{Luck, Shares};
use serde_json::{Value as Json, json};
use std::fmt;
use tumble_exact::Fraction;

impl fmt::Display for Luck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(text(self).trim_end())
    }
}

/// One line about a result.
pub fn text(luck: &Luck) -> String {
    let (about, shares) = match luck {
        Luck::Exact(Shares { others, same }) => {
            let others = others.as_ref().map(|(below, above)| (below.to_f64(), above.to_f64()));
            ("", Shares { others, same: same.to_f64() })
        }
        Luck::Between { least, rest } => return format!("{}\n", bounds(least, rest.to_f64())),
        Luck::Approximate(shares) => ("about ", shares.clone()),
    };
    let same = percent("", shares.same);
    match shares.others {
        None => format!("{} of rolls give exactly this\n", percent(about, shares.same)),
        Some((_, above)) if above <= 0.0 && shares.same >= 1.0 => "every roll gives this\n".to_owned(),
        Some((below, above)) if above <= 0.0 && about.is_empty() => {
            format!("better than {} of rolls; {same} are the same, none are better\n", percent(about, below))
        }
        Some((below, above)) if below <= 0.0 && about.is_empty() => {
            format!("no roll is worse; {same} are the same, {} are better\n", percent("", above))
        }
        Some((below, above)) => {
            let (below, above) = (percent(about, below), percent("", above));
            format!("better than {below} of rolls; {same} are the same, {above} are better\n")
        }
    }
}

/// What is known for certain, and how much is not.
fn bounds(least: &Shares<Fraction>, rest: f64) -> String {
    let known = |share: &Fraction| Some(share.to_f64()).filter(|share| *share > 0.0).map(|share| percent("", share));
    let same = known(&least.same);
    let mut told = Vec::new();
    if let Some((below, above)) = &least.others {
        told.extend(known(below).map(|share| format!("better than at least {share} of rolls")));
        told.extend(known(above).map(|share| format!("worse than at least {share} of rolls")));
        told.extend(same.map(|share| format!("at least {share} are the same")));
    } else {
        told.extend(same.map(|share| format!("at least {share} of rolls give exactly this")));
    }
    let rest = percent("", rest);
    match told.is_empty() {
        true => format!("luck unknown: {rest} of rolls are not listed"),
        false => format!("{}; {rest} of rolls are not listed", told.join(", ")),
    }
}

/// The luck of a roll: one object, or one for each of several results.
pub fn all_json(lucks: &[Luck]) -> Json {
    match lucks {
        [one] => json(one),
        several => several.iter().map(json).collect(),
    }
}

/// The sentence, and the shares: fractions, numbers if they are not exact, or bounds if a part is not listed.
pub fn json(luck: &Luck) -> Json {
    let mut told = shares(luck);
    if let Json::Object(fields) = &mut told {
        fields.insert("text".into(), json!(text(luck).trim_end()));
    }
    told
}

fn shares(luck: &Luck) -> Json {
    match luck {
        Luck::Exact(Shares { others, same }) => {
            let (below, above) = others.as_ref().map_or((None, None), |(below, above)| (Some(below), Some(above)));
            json!({ "exact": true, "below": fraction(below), "same": fraction(Some(same)), "above": fraction(above) })
        }
        Luck::Between { least: Shares { others, same }, rest } => {
            let bounds = |least: &Fraction| json!([least.to_string(), (least + rest).to_string()]);
            let others = others.as_ref();
            let (below, above) = (others.map(|(below, _)| bounds(below)), others.map(|(_, above)| bounds(above)));
            let between = json!({ "below": below, "same": bounds(same), "above": above });
            json!({ "exact": false, "below": null, "same": null, "above": null, "between": between })
        }
        Luck::Approximate(Shares { others, same }) => {
            let (below, above) = others.map_or((None, None), |(below, above)| (Some(below), Some(above)));
            json!({ "exact": false, "below": below, "same": same, "above": above })
        }
    }
}

/// One decimal, and never all or nothing where it is not.
fn percent(about: &str, share: f64) -> String {
    match share * 100.0 {
        none if none <= 0.0 => "0 %".to_owned(),
        few if few < 0.05 => "<0.1 %".to_owned(),
        most if most > 99.95 && share < 1.0 => ">99.9 %".to_owned(),
        other => format!("{about}{} %", trimmed(&format!("{other:.1}"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, Limits, Luck, Query, Value, Vars, batch::Settings, compile};

    fn check(notation: &str, text: &str, result: i64, told: &str) {
        let prepared = compile(notation, text, &Vars::new()).unwrap();
        let sampling = Settings::new(Limits::default(), || 0).sampling;
        let wanted = Query { approx: true, samples: Some(100), seed: Some(1), ..Query::default() };
        let answer: Answer = prepared.ask(&wanted, &Limits::default(), &sampling).unwrap();
        let luck = Luck::of(&answer, &Value::int(result));
        assert_eq!(super::text(&luck), format!("{told}\n"), "{text}");
    }

    #[test]
    fn a_result_stands_among_all_rolls() {
        check("tabletop", "3d6", 15, "better than 90.7 % of rolls; 4.6 % are the same, 4.6 % are better");
        check("tabletop", "d20", 20, "better than 95 % of rolls; 5 % are the same, none are better");
        check("tabletop", "d20", 1, "no roll is worse; 5 % are the same, 95 % are better");
        check("tabletop", "7", 7, "every roll gives this");
        check("tabletop", "10d6", 60, "better than >99.9 % of rolls; <0.1 % are the same, none are better");
        check("tabletop", "d6!", 7, "better than 83.3 % of rolls; 2.8 % are the same, 13.9 % are better");
        let told = "better than at least >99.9 % of rolls; <0.1 % of rolls are not listed";
        check("tabletop", "d6!", 600, told);
        check("troll", "sum 100000d6", 400_000, "better than about 100 % of rolls; 0 % are the same, 0 % are better");
    }

    /// Loops cut after one roll: what is not listed may lie anywhere, and no share of it is a fact.
    #[test]
    fn what_is_not_listed_is_not_said_to_be_nothing() {
        for (text, result, told, below) in [
            ("d6!", 9, "better than at least 83.3 % of rolls; 16.7 % of rolls are not listed", "5/6"),
            (
                "d6!",
                1,
                "worse than at least 66.7 % of rolls, at least 16.7 % are the same; 16.7 % of rolls are not listed",
                "0",
            ),
        ] {
            let prepared = compile("tabletop", text, &Vars::new()).unwrap();
            let options = crate::Options { iterations: Some(1), ..crate::Options::default() };
            let luck = Luck::of(&prepared.odds(&options).unwrap().into(), &Value::int(result));
            assert_eq!(super::text(&luck), format!("{told}\n"), "{text}");
            let json = super::json(&luck);
            assert!(json["below"].is_null() && json["same"].is_null() && json["above"].is_null(), "{json}");
            assert_eq!(json["between"]["below"][0], below, "{json}");
        }
    }
}
