//! The batch function: every vector, and every way a request can be wrong.

use crate::vectors::{self, Answer};
use serde_json::{Value as Json, json};
use tumble::Limits;
use tumble::batch::{Parts, Settings, answer};

const SETTINGS: fn() -> Settings = || Settings::new(Limits::default(), || 0);

fn ask(request: &Json) -> Json {
    answer(request.to_string().as_bytes(), &SETTINGS())
}

#[test]
fn troll() {
    vectors::check_all(&vectors::troll(), |vector| Answer::read(&ask(&vector.request())));
}

#[test]
fn odds_have_the_fields_of_the_design_in_their_order() {
    let line = ask(&json!({"do": "odds", "notation": "troll", "text": "sum N d2", "vars": {"N": 2}})).to_string();
    let expected = r#"{"ok":true,"micros":0,"exact":true,"outcomes":[[2,"1/4"],[3,"1/2"],[4,"1/4"]],"#.to_owned()
        + r#""unresolved":"0","mean":"3","variance":"1/2","warnings":[]}"#;
    assert_eq!(line, expected);
}

#[test]
fn outcomes_are_encoded_by_their_sort() {
    for (text, outcomes) in [
        ("7", json!([[7, "1"]])),
        ("{}", json!([[[], "1"]])),
        ("{7}", json!([[7, "1"]])),
        ("2d2", json!([[[1, 1], "1/4"], [[1, 2], "1/2"], [[2, 2], "1/4"]])),
        ("\"a\" |> \"b\"", json!([["a\nb", "1"]])),
        ("0'd6", json!([["", "1"]])),
        ("[d2, {1, 2}]", json!([[{"pair": [1, [1, 2]]}, "1/2"], [{"pair": [2, [1, 2]]}, "1/2"]])),
    ] {
        let answer = ask(&json!({"do": "odds", "notation": "troll", "text": text}));
        assert_eq!(answer["outcomes"], outcomes, "{text}: {answer}");
    }
}

#[test]
fn mean_and_variance_are_null_for_what_is_no_number() {
    let answer = ask(&json!({"do": "odds", "notation": "troll", "text": "2d2"}));
    assert_eq!((&answer["mean"], &answer["variance"]), (&Json::Null, &Json::Null));
}

#[test]
fn a_digest_stands_for_the_outcomes() {
    for (text, count, digest) in [
        ("sum 3d6", 16, "7d552df1880b2a749fcf5ec342383433c10f7193466a4d8c28e82f2cdf4a0b64"),
        ("sum largest 3 4d6", 16, "8d0433fba120c39f2154eadc8ae49a4e79ee826bb2629954ce70d5d1cc869730"),
    ] {
        let answer = ask(&json!({"do": "odds", "notation": "troll", "text": text, "return": "digest"}));
        assert_eq!(answer["count"], count, "{answer}");
        assert_eq!(answer["sha256_hex"], digest, "{answer}");
        assert_eq!(answer.get("outcomes"), None);
    }
}

#[test]
fn a_roll_shows_its_dice() {
    let request = json!({"do": "roll", "notation": "troll", "text": "sum largest 3 4d6", "seed": 7});
    let answer = ask(&request);
    assert_eq!(answer, ask(&request));
    let draws = answer["draws"].as_array().unwrap();
    assert_eq!(draws.len(), 4);
    assert_eq!(draws.iter().filter(|die| die["state"] == "dropped").count(), 1);
    for (index, die) in draws.iter().enumerate() {
        assert_eq!((&die["path"], &die["index"], &die["faces"]), (&json!("r"), &json!(index), &json!(6)));
    }
    let kept = draws.iter().filter(|die| die["state"] == "kept");
    let sum: i64 = kept.map(|die| die["value"].as_i64().unwrap()).sum();
    assert_eq!(answer["value"], sum);
    assert_eq!(answer["text"], sum.to_string());
    assert_eq!(answer["seed"], 7);
}

#[test]
fn a_series_starts_with_the_roll_of_its_seed() {
    let mut request = json!({"do": "roll", "notation": "troll", "text": "5d10", "seed": 3});
    let one = ask(&request);
    request["times"] = json!(3);
    let series = ask(&request);
    let rolls = series["rolls"].as_array().unwrap();
    assert_eq!(rolls.len(), 3);
    assert_eq!(rolls[0]["value"], one["value"]);
    assert!(rolls[1]["draws"] != rolls[2]["draws"]);
}

#[test]
fn a_roll_without_a_seed_tells_the_seed_it_used() {
    let mut request = json!({"do": "roll", "notation": "troll", "text": "9d100"});
    let first = ask(&request);
    request["seed"] = first["seed"].clone();
    assert_eq!(ask(&request), first);
}

#[test]
fn errors_in_a_text_have_a_place() {
    for (text, code) in [("sum 3d", "syntax"), ("x", "name"), ("1/0", "runtime"), ("\"a\"+1", "type"), ("", "syntax")] {
        for task in ["odds", "roll"] {
            let answer = ask(&json!({"do": task, "notation": "troll", "text": text}));
            assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!(code)), "{text}: {answer}");
            let place = |name: &str| answer["error"][name].as_u64().unwrap() as usize;
            assert!(place("start") <= place("end") && place("end") <= text.len(), "{text}: {answer}");
        }
    }
}

#[test]
fn a_bad_request_is_answered() {
    let fine = r#""do":"odds","notation":"troll","text":"d6""#;
    for (line, words) in [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("d6", "not JSON"),
        ("[]", "JSON object"),
        ("3", "JSON object"),
        ("{}", "missing `do`"),
        (r#"{"do":"dance","notation":"troll","text":"d6"}"#, "unknown `do` value `dance`"),
        (r#"{"do":"run"}"#, "missing `program`"),
        (r#"{"do":"run","program":"defroll \"R\" r() { }","text":"d6"}"#, "unknown field `text`"),
        (r#"{"do":"run","program":"defroll \"R\" r() { }","entry":"q"}"#, "there is no roll \"q\""),
        (r#"{"do":"run","program":"defroll \"R\" r(n: int) { }","args":{"n":"x"}}"#, "`n`: expected int, not a text"),
        (
            r#"{"do":"run","program":"defroll \"R\" r() { }","dice":{"r":{"d6":[7]}}}"#,
            "die number 0 `d6` at `r` can't show 7",
        ),
        (r#"{"do":"run","program":"defroll \"R\" r() { }","version":"1"}"#, "not the one that this execution"),
        (r#"{"do":7,"notation":"troll","text":"d6"}"#, "`do` must be a string"),
        (r#"{"do":"odds","notation":"klingon","text":"d6"}"#, "unknown notation `klingon`"),
        (r#"{"do":"odds","notation":"troll"}"#, "missing `text`"),
        (r#"{"do":"odds","notation":"troll","text":6}"#, "`text` must be a string"),
        (&format!("{{{fine},\"vars\":[]}}"), "`vars` must be an object"),
        (&format!("{{{fine},\"vars\":{{\"N\":\"3\"}}}}"), "variable `N`"),
        (&format!("{{{fine},\"vars\":{{\"N\":1.5}}}}"), "variable `N`"),
        (&format!("{{{fine},\"vars\":{{\"N\":9223372036854775808}}}}"), "variable `N`"),
        (&format!("{{{fine},\"iterations\":0}}"), "`iterations`"),
        (&format!("{{{fine},\"iterations\":-1}}"), "`iterations`"),
        (&format!("{{{fine},\"iterations\":\"9\"}}"), "`iterations`"),
        (&format!("{{{fine},\"return\":\"bars\"}}"), "`return`"),
        (r#"{"do":"roll","notation":"troll","text":"d6","seed":-1}"#, "`seed`"),
        (r#"{"do":"roll","notation":"troll","text":"d6","times":0}"#, "`times`"),
        (r#"{"do":"check","text":"2d6","seed":1}"#, "`seed` has no effect on `check`"),
        (r#"{"do":"check","program":"","text":"2d6"}"#, "unknown field `text`"),
        (r#"{"do":"notations","text":"2d6"}"#, "unknown field `text`"),
        (r#"{"do":"translate","notation":"troll","text":"d6"}"#, "missing `to`"),
        (r#"{"do":"translate","notation":"troll","text":"d6","to":"klingon"}"#, "unknown notation `klingon`"),
        (&format!("{{{fine},\"at_least\":1.5}}"), "`at_least` must be a whole number"),
        (&format!("{{{fine},\"at_most\":[3,\"4\"]}}"), "`at_most` must be a whole number"),
        (&format!("{{{fine},\"exactly\":{{}}}}"), "`exactly` must be an outcome"),
        (&format!("{{{fine},\"exactly\":[{}1]}}", "1,".repeat(2000)), "at most 1000 numbers"),
        (&"[".repeat(100_000), "nested too deeply"),
    ] {
        check_refused(line.as_bytes(), words);
    }
    check_refused(b"{\"do\":\"odds\xFF\"}", "not UTF-8");
}

fn check_refused(line: &[u8], words: &str) {
    let answer = answer(line, &SETTINGS());
    let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
    assert_eq!(answer["ok"], false, "{shown}: {answer}");
    assert_eq!(answer["error"]["code"], "request", "{shown}: {answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{shown}: {answer}");
}

#[test]
fn null_is_the_same_as_nothing() {
    let answer = ask(&json!({"do": "odds", "notation": "troll", "text": "d2", "vars": null, "iterations": null}));
    assert_eq!(answer["ok"], true, "{answer}");
}

#[test]
fn an_answer_that_is_too_long_is_refused() {
    let answer = ask(&json!({"do": "roll", "notation": "troll", "text": "500000d6", "seed": 1}));
    assert_eq!(answer["error"]["code"], "limit", "{}", &answer.to_string()[..200]);
    assert!(answer["error"]["message"].as_str().unwrap().contains("32 MB"));
}

#[test]
fn an_answer_tells_how_it_was_found() {
    let answer = ask(&json!({"do": "odds", "notation": "troll", "text": "sum largest 3 4d6", "explain": true}));
    let line = &answer["explain"]["lines"][0];
    assert_eq!(line["what"], "the sum of the 3 largest of 4 dice with 6 faces");
    assert_eq!((&line["start"], &line["end"], &line["times"]), (&json!(0), &json!(17), &json!(1)));
    assert_eq!(line["method"], "thresholds");
    let steps = |value: &Json| value.as_u64().unwrap();
    assert!(steps(&line["steps"]) <= steps(&line["expected"]["steps"]), "{answer}");
    assert!(steps(&answer["explain"]["steps"]) >= steps(&line["steps"]), "{answer}");
    let plain = ask(&json!({"do": "odds", "notation": "troll", "text": "sum largest 3 4d6"}));
    assert_eq!((plain.get("explain"), plain.get("verified")), (None, None));
}

#[test]
fn an_answer_is_verified() {
    for (text, by) in [
        ("sum largest 3 4d6", json!("every roll")),
        ("max 30d10", json!("other methods")),
        ("sum accumulate x:=d6 while x=6", json!("a cut")),
        ("\"a\" || \"b\"", json!("every roll")),
    ] {
        let answer = ask(&json!({"do": "odds", "notation": "troll", "text": text, "verify": true}));
        assert_eq!(answer["verified"]["by"], by, "{text}: {answer}");
        assert_eq!(answer["verified"]["outcomes"], json!(answer["outcomes"].as_array().unwrap().len()), "{text}");
    }
    let answer = ask(&json!({"do": "odds", "notation": "troll", "text": "sum 2000d6", "verify": true}));
    assert_eq!((&answer["verified"]["by"], &answer["verified"]["questions"]), (&json!("a prime"), &json!(1)));
}

#[test]
fn an_approximate_answer_is_marked() {
    let request = |text: &str| json!({"do": "odds", "notation": "troll", "text": text, "approx": true, "samples": 500, "seed": 1});
    let exact = ask(&request("d6"));
    assert_eq!((&exact["exact"], exact.get("approximate")), (&json!(true), None));
    let near = ask(&request("sum different 5000d30"));
    assert_eq!((&near["exact"], &near["approximate"]), (&json!(false), &json!(true)), "{near}");
    assert_eq!((&near["method"], &near["samples"], &near["seed"]), (&json!("sampling"), &json!(500), &json!(1)));
    assert_eq!(near["outcomes"][0][0], 465);
    let interval = near["outcomes"][0][2].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() > 0.98 && interval[1] == 1.0, "{near}");
    assert_eq!(near, ask(&request("sum different 5000d30")));
    let floats = ask(&json!({"do": "odds", "notation": "troll", "text": "sum 50000d6", "approx": true}));
    assert_eq!((&floats["approximate"], &floats["method"]), (&json!(true), &json!("floating point")));
    assert!(
        floats["relative_error"].as_f64().unwrap() < 1e-8 && (floats["mean"].as_f64().unwrap() - 175e3).abs() < 1e-3
    );
    let refused = ask(&json!({"do": "odds", "notation": "troll", "text": "sum different 5000d30"}));
    assert_eq!(refused["error"]["remedies"], json!([{"approx": true}]), "{refused}");
    let mut long = request("sum different 5000d30");
    long["samples"] = json!(50_000_000);
    assert_eq!(ask(&long)["error"]["code"], "limit");
    let broken = ask(&request("sum different 5000d30 / (d6 - 1)"));
    assert_eq!(broken["ok"], false, "{broken}");
}

#[test]
fn one_number_can_be_asked_for() {
    let mut request = json!({"do": "odds", "text": "3d6", "at_least": 15, "at_most": [5, 3], "exactly": "10"});
    let answer = ask(&request);
    assert_eq!((&answer["ok"], &answer["exact"]), (&json!(true), &json!(true)), "{answer}");
    let chances: Vec<&Json> = answer["answers"].as_array().unwrap().iter().map(|one| &one["probability"]).collect();
    assert_eq!(chances, ["5/54", "5/108", "1/216", "1/8"]);
    assert_eq!(
        answer["answers"][2],
        json!({"at_most": 3, "probability": "1/216", "about": 1.0 / 216.0, "odds": "1 in 216"})
    );
    request["text"] = json!("1/0");
    assert_eq!(ask(&request)["error"]["code"], "runtime");
    let pools = ask(&json!({"do": "odds", "notation": "troll", "text": "2d2", "exactly": ["[1, 2]", 7]}));
    assert_eq!(pools["answers"][0]["probability"], "1/2");
    assert_eq!(pools["answers"][1]["probability"], "0");
    let no_order = ask(&json!({"do": "odds", "notation": "troll", "text": "2d2", "at_least": 3}));
    assert_eq!(no_order["error"]["code"], "type");
}

#[test]
fn a_text_is_translated() {
    let answer = ask(&json!({"do": "translate", "text": "4d6kh3", "to": "troll"}));
    assert_eq!(answer, json!({"ok": true, "notation": "troll", "text": "sum largest 3 4d6", "checked": true}));
    let answer = ask(&json!({"do": "translate", "text": "d6 * d6", "to": "alea"}));
    assert_eq!(answer["error"]["kind"], "no-translation", "{answer}");
    assert_eq!(ask(&json!({"do": "translate", "text": "4d6k3h", "to": "troll"}))["error"]["code"], "syntax");
}

#[test]
fn a_check_finds_everything_and_rolls_nothing() {
    for (request, part) in [
        (r#"{"do":"check","text":"2d6"}"#, r#"{"ok":true,"sound":true,"problems":[]}"#),
        (r#"{"do":"check","id":7,"text":"4d6k3h"}"#, r#"{"id":7,"ok":true,"sound":false,"problems":[{"level":"error""#),
        (r#"{"do":"check","text":"4d6 drop lowest"}"#, r#""sound":true,"problems":[{"level":"warning""#),
        (r#"{"do":"check","program":"defroll \"R\" r() { return 1; }"}"#, r#""rolls":[{"title":"R","name":"r""#),
        (r#"{"do":"check","program":"defroll","tokens":true}"#, r#""sound":false"#),
        (r#"{"do":"check","program":"// x","tokens":true}"#, r#""tokens":[[0,4,"comment"]]"#),
        (r#"{"do":"check","program":"deff","at":4}"#, r#""completions":[{"text":"deffun""#),
        (r#"{"do":"check","program":"deff","at":999}"#, r#""completions":[]"#),
        (r#"{"do":"notations"}"#, r#"{"ok":true,"notations":[{"name":"tabletop","description":"#),
        (r#"{"do":"odds","text":"d6!"}"#, r#""unlisted":"above""#),
    ] {
        let told = answer(request.as_bytes(), &SETTINGS()).to_string();
        assert!(told.contains(part), "{request}: {told}");
    }
}

#[test]
fn what_is_left_out_is_refused_and_the_rest_is_answered() {
    let bare = |parts| Settings { parts, ..SETTINGS() };
    for (request, rolls, scripts) in [
        (r#"{"do":"odds","text":"d2"}"#, r#""outcomes":[[1,"1/2"]"#, r#""outcomes":[[1,"1/2"]"#),
        (
            r#"{"do":"odds","text":"d2","format":"md"}"#,
            "`format` is not available here",
            "`format` is not available here",
        ),
        (
            r#"{"do":"run","program":"defroll \"R\" r() { return 1; }"}"#,
            "scripts are not available here",
            r#""result":1"#,
        ),
        (r#"{"do":"check","program":""}"#, "scripts are not available here", r#""sound":true"#),
    ] {
        for (parts, part) in [(Parts::ROLLS, rolls), (Parts::SCRIPTS, scripts)] {
            let told = answer(request.as_bytes(), &bare(parts)).to_string();
            assert!(told.contains(part), "{request}: {told}");
        }
    }
}
