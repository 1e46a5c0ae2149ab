//! What an answer may claim: "never stops" only of what never does, ranges that hold, bounds that are true. Each text was
//! once answered with a claim that was false.

use serde_json::{Value as Json, json};
use tumble::batch::{Settings, answer};
use tumble::{Limits, Options, Vars, compile};

fn ask(request: &Json, limits: Limits) -> Json {
    answer(request.to_string().as_bytes(), &Settings::new(limits, || 0))
}

/// A notation, a text, the code of the error or the whole answer, and a part of the message.
fn check(rows: &[(&str, &str, Json, &str)]) {
    for (notation, text, expected, message) in rows {
        let answer = ask(&json!({"do": "odds", "notation": notation, "text": text}), Limits::default());
        let found = if expected.is_string() { &answer["error"]["code"] } else { &answer["outcomes"] };
        assert_eq!(found, expected, "{text}: {answer}");
        let told = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(told.contains(message), "{text}: {answer}");
        assert_eq!(expected == "limit", answer["error"]["remedies"][0].get("raise").is_some(), "{text}: {answer}");
    }
}

const STEPS_DOWN: &str = "function f(n) = if n = 0 then 0 else call f(n-1)";

#[test]
fn never_stops_is_said_only_of_what_never_stops() {
    let deep = |text: &str| format!("{text} {STEPS_DOWN}");
    let too_deep = "more than 10,000 deep";
    check(&[
        ("troll", &deep("call f(10000)"), json!([[0, "1"]]), ""),
        ("troll", &deep("call f(20000)"), json!("limit"), too_deep),
        ("troll", &deep("d2 + call f(20000)"), json!("limit"), too_deep),
        ("troll", "call f(20000) function f(n) = if n = 0 then 0 else (d2) + call f(n-1)", json!("limit"), too_deep),
        (
            "troll",
            "call f(20000) function f(n) = if n = 0 then 0 else if 1 = d2 then call f(n-1) else call f(n-1)",
            json!("limit"),
            too_deep,
        ),
        ("troll", "call f(1) function f(n) = if n = 0 then 0 else call f(n+1)", json!("limit"), too_deep),
        ("troll", "call f(1) function f(n) = call f(n+1)", json!("endless"), "never stop"),
        ("troll", "if 1 = d2 then 5 else call f(1) function f(n) = call f(n+1)", json!("endless"), "never stop"),
        (
            "troll",
            "if 1 = d2 then 5 else call f(1) function f(n) = d6 + call g(n) function g(n) = call f(n+1)",
            json!("endless"),
            "never stop",
        ),
        ("troll", "if 1 = 2 then call f(1) else 5 function f(n) = call f(n+1)", json!([[5, "1"]]), ""),
        (
            "troll",
            "repeat x := (accumulate q := d3 until 1 < q) until 6 = x",
            json!("limit"),
            "no outcome could be found",
        ),
    ]);
}

#[test]
fn a_deep_recursion_is_answered_where_it_is_allowed() {
    let limits = Limits { depth: 30_000, ..Limits::default() };
    for (text, outcomes) in
        [("call f(20000)", json!([[0, "1"]])), ("d2 + call f(20000)", json!([[1, "1/2"], [2, "1/2"]]))]
    {
        let answer =
            ask(&json!({"do": "odds", "notation": "troll", "text": format!("{text} {STEPS_DOWN}")}), limits.clone());
        assert_eq!(answer["outcomes"], outcomes, "{text}: {answer}");
    }
}

/// Half of the rolls are given up, and might have shown anything.
#[test]
fn ranges_hold_what_the_rolls_that_were_given_up_may_have_shown() {
    for (shown, chance) in [(5, 1.0), (7, 0.5)] {
        let text =
            format!("if 1 = d2 then 5 else call f(20000) function f(n) = if n = 0 then {shown} else call f(n-1)");
        let mut request =
            json!({"do": "odds", "notation": "troll", "text": text, "approx": true, "samples": 200, "seed": 1});
        let table = ask(&request, Limits::default());
        let [row] = table["outcomes"].as_array().unwrap().as_slice() else { panic!("{table}") };
        let holds = |range: &Json, true_chance: f64| {
            range[0].as_f64().unwrap() <= true_chance && true_chance <= range[1].as_f64().unwrap()
        };
        assert!(row[0] == 5 && holds(&row[2], if shown == 5 { 1.0 } else { 0.5 }), "{table}");
        assert!(table["unseen"].as_f64().unwrap() >= 1.0 - chance, "{table}");
        request["exactly"] = json!([5, shown]);
        request["at_least"] = json!(6);
        let answers = ask(&request, Limits::default())["answers"].clone();
        assert_eq!((&answers[0]["at_least"], &answers[1]["exactly"]), (&json!(6), &json!("5")), "{answers}");
        assert_eq!(answers[1]["between"], row[2], "the table and the question agree");
        assert!(holds(&answers[2]["between"], chance), "{answers}");
        assert_eq!(answers[0]["between"], json!([0.0, table["unseen"]]), "{answers}");
        assert_eq!(answers[0]["probability"].to_string(), "0.0", "nothing is less than nothing");
    }
}

/// A walk that comes home after any odd number of steps, and of which few take very long.
#[test]
fn ranges_hold_for_a_random_walk() {
    let text =
        "call w(1, 0) function w(n, k) = if n = 0 then k else if 1 = d2 then call w(n-1, k+1) else call w(n+1, k+1)";
    let request = json!({"do": "odds", "notation": "troll", "text": text, "approx": true, "samples": 1000, "seed": 1});
    let answer = ask(&request, Limits { steps: 20_000, ..Limits::default() });
    assert!(answer["unresolved"].as_f64().unwrap() > 0.0, "{answer}");
    let mut chance = 0.5;
    for (place, row) in answer["outcomes"].as_array().unwrap().iter().enumerate().take(5) {
        let n = 2 * place as u64 + 1;
        let (low, high) = (row[2][0].as_f64().unwrap(), row[2][1].as_f64().unwrap());
        assert!(row[0] == n && low <= chance && chance <= high, "{row}, {chance}");
        chance *= n as f64 / (n + 3) as f64;
    }
}

/// "Each number is off by at most so much of itself, plus so much" is true of every row, also of the rarest.
#[test]
fn what_is_said_of_floating_point_is_true_of_every_row() {
    for (text, steps) in [("sum 50d6", 1_000), ("sum 100#(sum 2d6)", 8_000), ("5 + sum 60#(sum 2d10)", 18_000)] {
        let exact = compile("troll", text, &Vars::new()).unwrap().odds(&Options::default()).unwrap();
        let request = json!({"do": "odds", "notation": "troll", "text": text, "approx": true});
        let near = ask(&request, Limits { steps, ..Limits::default() });
        assert_eq!(near["method"], "floating point", "{text}");
        let (relative, absolute) = (near["relative_error"].as_f64().unwrap(), near["absolute_error"].as_f64().unwrap());
        for (row, outcome) in near["outcomes"].as_array().unwrap().iter().map(|row| (row, row[0].as_i64().unwrap())) {
            let (said, true_chance) =
                (row[1].as_f64().unwrap(), exact.probability(&tumble::Value::int(outcome)).to_f64());
            assert!((said - true_chance).abs() <= said * relative + absolute, "{text}: {row}, {true_chance}");
            assert!(row[2][0].as_f64().unwrap() <= true_chance && true_chance <= row[2][1].as_f64().unwrap(), "{row}");
        }
    }
}

#[test]
fn several_modifiers_may_stand_after_a_blank() {
    for (apart, touching) in [
        ("4d2 diskl", "4d2diskl"),
        ("4d2 diskl1", "4d2diskl1"),
        ("4d2 advkl", "4d2advkl"),
        ("4d2 klkl0", "4d2klkl0"),
        ("4d6 khdl ro<3", "4d6khdlro<3"),
        ("[bar: 4d2 diskl!o<2] bar", "[bar: 4d2diskl!o<2] bar"),
    ] {
        let ask = |text: &str| ask(&json!({"do": "odds", "text": text}), Limits::default());
        // Not every tool takes the blank, so notes about them may differ.
        assert_eq!(ask(apart)["outcomes"], ask(touching)["outcomes"], "{apart}");
        assert_eq!(ask(apart)["ok"], true, "{apart}");
    }
}

/// What the text itself shows to be wrong is refused wherever it stands; what only shows when it is rolled is an error
/// only where it is rolled.
#[test]
fn a_mistake_of_the_text_is_one_wherever_it_stands() {
    check(&[
        ("tabletop", "1 ? 2 : d4r<5", json!("endless"), "never ends"),
        ("tabletop", "0d2r>=1", json!("endless"), "never ends"),
        ("tabletop", "1 ? 2 : 1/0", json!([[2, "1"]]), ""),
        ("nice", "0(0d3kl2)", json!("runtime"), "there are only 0"),
        ("nice", "0(1/0)", json!([[0, "1"]]), ""),
    ]);
}

/// Of equal faces the one of the die that is named later counts as higher, and a die is named where it first stands.
#[test]
fn a_die_that_is_named_twice_has_its_first_place() {
    let answer = ask(&json!({"do": "odds", "notation": "alea", "text": "d3!1d2!1d3!1DHCM"}), Limits::default());
    assert_eq!(answer["outcomes"][0], json!([0, "14/27"]), "{answer}");
}

/// Finite, but with a little open: bounds, and never a false "exact".
#[test]
fn what_is_open_is_said_to_be() {
    for (notation, text, open) in [
        ("yadn", "3g!3 pc 2", 1e-15),
        ("yadn", "3g!2 pl 0", 1e-15),
        ("alea", "d6!!2K", 0.04),
        ("alea", "3d6!!2K2R", 0.5),
    ] {
        let answer = ask(&json!({"do": "odds", "notation": notation, "text": text}), Limits::default());
        assert_eq!(answer["exact"], json!(false), "{text}: {answer}");
        let left: tumble::Fraction = answer["unresolved"].as_str().unwrap().parse().unwrap();
        assert!(left.to_f64() < open, "{text}: {answer}");
    }
    // No fraction: (ln 6) / 5 lies between what is listed and what is open besides.
    let answer = ask(&json!({"do": "odds", "notation": "alea", "text": "d6!!2K", "exactly": 1}), Limits::default());
    let bound = |at: usize| answer["answers"][0]["between"][at].as_str().unwrap().parse::<tumble::Fraction>().unwrap();
    assert!(bound(0).to_f64() < 6f64.ln() / 5.0 && 6f64.ln() / 5.0 < bound(1).to_f64(), "{answer}");
}
