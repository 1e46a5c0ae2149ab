//! What bots send: fields that are checked, lines and luck, dice of their own, documents, sweeps.

use serde_json::{Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, answer};

fn ask(request: &Json) -> Json {
    answer(request.to_string().as_bytes(), &Settings::new(Limits::default(), || 0))
}

/// A request that is refused, with words of the message and of the hint.
fn check_refused(request: &Json, message: &str, hint: &str) {
    let error = &ask(request)["error"];
    assert_eq!(error["code"], "request", "{request}: {error}");
    assert!(error["message"].as_str().unwrap().contains(message), "{request}: {error}");
    assert!(error["hint"].as_str().unwrap_or_default().contains(hint), "{request}: {error}");
}

/// A request of a field and its value beside others.
fn with(base: &Json, field: &str, value: Json) -> Json {
    let mut request = base.clone();
    request[field] = value;
    request
}

#[test]
fn fields_that_nobody_knows_are_refused() {
    let (odds, roll) = (json!({"do": "odds", "text": "d6"}), json!({"do": "roll", "text": "d6"}));
    for (base, field, hint) in [
        (&odds, "atleast", "did you mean `at_least`?"),
        (&odds, "exactl", "did you mean `exactly`?"),
        (&odds, "Approx", "did you mean `approx`?"),
        (&odds, "odds", "known fields: id, do, text, "),
        (&roll, "dice", "known fields: id, do, text, notation, vars, seed, times, feed, luck, render"),
        (&roll, "sed", "did you mean `seed`?"),
        (&roll, "", "known fields"),
    ] {
        check_refused(&with(base, field, json!(true)), &format!("unknown field `{field}`"), hint);
        check_refused(&with(base, field, Json::Null), &format!("unknown field `{field}`"), hint);
    }
    let long = "x".repeat(1000);
    check_refused(&with(&odds, &long, json!(1)), &format!("`{}`", "x".repeat(40)), "known fields");
}

#[test]
fn fields_that_would_do_nothing_are_refused() {
    let (odds, roll) = (json!({"do": "odds", "text": "d6"}), json!({"do": "roll", "text": "d6"}));
    let translate = json!({"do": "translate", "text": "d6", "to": "troll"});
    for (base, field, value, message, hint) in [
        (&odds, "feed", json!([1]), "`feed` has no effect on `odds`", "it works with `roll`"),
        (&odds, "to", json!("troll"), "`to` has no effect on `odds`", "it works with `translate`"),
        (&roll, "at_least", json!(3), "`at_least` has no effect on `roll`", "it works with `odds`"),
        (&translate, "seed", json!(3), "`seed` has no effect on `translate`", "it works with `odds` and `roll`"),
        (&odds, "seed", json!(3), "`seed` has no effect without", ""),
        (&odds, "samples", json!(3), "`samples` has no effect without", ""),
        (&odds, "look", json!({"all": true}), "`look` has no effect without `format`", ""),
        (&with(&odds, "iterations", json!(3)), "approx", json!(true), "`approx` has no effect together with", ""),
        (
            &with(&odds, "at_most", json!(3)),
            "return",
            json!("digest"),
            "`return` has no effect together with `at_least`",
            "",
        ),
        (
            &with(&odds, "format", json!("md")),
            "return",
            json!("digest"),
            "`return` has no effect together with `format`",
            "",
        ),
        (&with(&roll, "feed", json!([3])), "seed", json!(3), "`seed` has no effect together with `feed`", ""),
        (&odds, "sweep", json!({"N": [1]}), "the roll does not use `N`", ""),
    ] {
        check_refused(&with(base, field, value), message, hint);
    }
    for (base, field, value) in
        [(&odds, "approx", json!(false)), (&odds, "feed", Json::Null), (&roll, "luck", json!(false))]
    {
        assert_eq!(ask(&with(base, field, value))["ok"], true, "{field}");
    }
}

#[test]
fn an_id_is_the_first_field_of_every_answer() {
    for id in [json!(7), json!("a-7"), json!(-1), json!(18_446_744_073_709_551_615_u64), json!("")] {
        for request in [
            json!({"do": "odds", "text": "d2"}),
            json!({"do": "odds", "text": "d2", "at_least": 2}),
            json!({"do": "odds", "text": "d2", "format": "md"}),
            json!({"do": "roll", "text": "d2"}),
            json!({"do": "translate", "text": "d2", "to": "troll"}),
            json!({"do": "roll", "text": "d"}),
            json!({"do": "dance"}),
            json!({"do": "roll", "text": "d2", "dice": [1]}),
            json!({}),
        ] {
            let told = ask(&with(&request, "id", id.clone()));
            let (name, first) = told.as_object().unwrap().iter().next().unwrap();
            assert_eq!((name.as_str(), first), ("id", &id), "{request}: {told}");
            assert!(told["ok"].is_boolean(), "{told}");
            assert_eq!(ask(&request).get("id"), None);
        }
    }
    for id in [json!([1]), json!({}), json!(true)] {
        check_refused(&json!({"do": "roll", "text": "d2", "id": id}), "`id` must be a string or a number", "");
    }
    assert_eq!(ask(&json!({"do": "roll", "text": "d2", "id": null})).get("id"), None);
}

#[test]
fn a_roll_has_its_line() {
    let request = json!({"do": "roll", "text": "4d6kh3", "feed": [1, 4, 4, 3]});
    for (render, line) in [
        (Json::Null, "4d6kh3 (~~1~~, 4, 4, 3) = 11"),
        (json!("text"), "4d6kh3 (~~1~~, 4, 4, 3) = 11"),
        (json!("markdown"), "4d6kh3 (~~1~~, 4, 4, 3) = **11**"),
        (json!("plain"), "4d6kh3 (1, 4, 4, 3) = 11"),
    ] {
        assert_eq!(ask(&with(&request, "render", render))["line"], line);
    }
    check_refused(&with(&request, "render", json!("html")), "`render` must be `text`, `markdown` or `plain`", "");
    let series = ask(&json!({"do": "roll", "text": "d6", "feed": [2, 5], "times": 2, "render": "markdown"}));
    assert_eq!(series["rolls"][1]["line"], "d6 (5) = **5**", "{series}");
}

#[test]
fn dice_can_be_brought_along() {
    let fed = |text: &str, feed: Json| ask(&json!({"do": "roll", "text": text, "feed": feed}));
    let told = fed("4d6kh3", json!([3, 5, 6, 1]));
    assert_eq!((&told["value"], told.get("seed")), (&json!(14), None), "{told}");
    assert_eq!(fed("d6!", json!([6, 6, 2]))["value"], 14);
    assert_eq!(fed("7", json!([]))["value"], 7);
    for (text, feed, message) in [
        ("4d6kh3", json!([3, 5, 6]), "3 dice are given, but the roll needs one more die: 1 to 6"),
        ("4d6kh3", json!([3, 5, 6, 1, 2]), "5 dice are given, but the roll takes only 4"),
        ("2d6", json!([]), "no dice are given; the roll needs a die: 1 to 6"),
        ("d6!", json!([6]), "1 die is given, but the roll needs one more die: 1 to 6"),
        ("7", json!([1]), "1 die is given, but the roll takes no dice"),
        ("2d6", json!([3, 7]), "die 2: a die with faces 1 to 6 can't show 7"),
        ("2d6", json!([0, 3]), "die 1: "),
        ("2d6", json!([3, "4"]), "`feed` must be an array of whole numbers"),
        ("2d6", json!(3), "`feed` must be an array"),
    ] {
        check_refused(&json!({"do": "roll", "text": text, "feed": feed}), message, "");
    }
}

#[test]
fn luck_is_told_on_request() {
    let request = json!({"do": "roll", "text": "3d6", "feed": [5, 5, 5]});
    assert_eq!(ask(&request).get("luck"), None);
    let luck = json!({
        "exact": true, "below": "49/54", "same": "5/108", "above": "5/108",
        "text": "better than 90.7 % of rolls; 4.6 % are the same, 4.6 % are better",
    });
    assert_eq!(ask(&with(&request, "luck", json!(true)))["luck"], luck);
    let several = ask(&json!({"do": "roll", "text": "2x(d6)", "feed": [1, 6], "luck": true}));
    assert_eq!(several["luck"][1]["below"], "5/6", "{several}");
    let near = ask(&json!({"do": "roll", "notation": "troll", "text": "sum 50000d6", "luck": true, "seed": 1}));
    assert_eq!(near["luck"]["exact"], false, "{}", near["luck"]);
}

#[test]
fn odds_come_as_a_document() {
    let request = json!({"do": "odds", "text": "2d2"});
    let made = |format: &str, look: Json| {
        ask(&with(&with(&request, "format", json!(format)), "look", look))["document"].as_str().unwrap().to_owned()
    };
    assert!(made("text", Json::Null).contains("mean 3"), "{}", made("text", Json::Null));
    let markdown = made("md", json!({"title": "Two coins", "show": ["at_least", "fraction"]}));
    assert!(markdown.starts_with("### Two coins\n") && markdown.contains("3/4"), "{markdown}");
    assert!(made("csv", json!({"show": "at_most"})).contains("2d2,3,3/4,0.75"));
    assert!(made("html", Json::Null).contains("<table"));
    let dark = made("svg", json!({"theme": "dark"}));
    assert!(dark.starts_with("<svg ") && dark != made("svg", Json::Null));
    let whole = ask(&with(&request, "format", json!("text")));
    let names: Vec<&String> = whole.as_object().unwrap().keys().collect();
    assert_eq!(names, ["ok", "format", "exact", "document", "warnings"]);
    let line = ask(&json!({"do": "odds", "text": "4d6kh3", "at_least": 15, "format": "text"}));
    assert_eq!(line["document"], "at least 15: 23.15 %  25/108  about 1 in 4\n");
    let verified = ask(&json!({"do": "odds", "text": "d6", "format": "md", "verify": true}));
    assert_eq!(verified["verified"]["by"], "every roll");
}

#[test]
fn a_document_that_cannot_be_made_is_refused() {
    let odds = json!({"do": "odds", "text": "2d2"});
    for (fields, message) in [
        (json!({"format": "png"}), "`format` must be `text`, `md`, `csv`, `html` or `svg`, not `png`"),
        (json!({"format": "json"}), "`format` must be"),
        (json!({"format": "svg", "at_least": 3}), "a single number"),
        (json!({"format": "text", "at_least": 3, "look": {"all": true}}), "`all` does nothing for single chances"),
        (json!({"format": "text", "look": {"title": "x"}}), "`title` does nothing in text"),
        (json!({"format": "md", "look": {"theme": "dark"}}), "`theme` does nothing in md"),
        (json!({"format": "csv", "look": {"show": "percent"}}), "`show percent` does nothing in csv"),
        (json!({"format": "svg", "look": {"size": [3, 4]}}), "`size` must be a width"),
        (json!({"format": "html", "look": {"size": 300}}), "`size` does nothing in html"),
        (json!({"format": "md", "look": {"show": [3]}}), "`show` must be"),
        (json!({"format": "md", "look": {"titel": "x"}}), "unknown field `titel`"),
        (json!({"format": "text", "look": {"width": 3}}), "`width` must be a whole number from 20 to 1000"),
        (json!({"format": "md", "look": "dark"}), "`look` must be an object"),
    ] {
        let mut request = odds.clone();
        request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        check_refused(&request, message, "");
    }
}

#[test]
fn a_sweep_has_an_entry_for_each_value() {
    let request = json!({"do": "odds", "text": "(@n)d6", "sweep": {"n": "1..3"}, "at_least": 6});
    let told = ask(&request);
    let entry = |one: &Json| json!([one["vars"], one["answers"][0]["probability"]]);
    let entries: Json = told["sweep"].as_array().unwrap().iter().map(entry).collect();
    assert_eq!(entries, json!([[{"n": 1}, "1/6"], [{"n": 2}, "13/18"], [{"n": 3}, "103/108"]]));
    let both = ask(&json!({"do": "odds", "text": "d20 + @b >= @dc", "sweep": {"b": [0, 5], "dc": "10..20..5"}}));
    let vars: Vec<String> = both["sweep"].as_array().unwrap().iter().map(|one| one["vars"].to_string()).collect();
    assert_eq!(vars[..3], [r#"{"b":0,"dc":10}"#, r#"{"b":0,"dc":15}"#, r#"{"b":0,"dc":20}"#]);
    assert_eq!((vars.len(), &both["sweep"][5]["mean"]), (6, &json!("3/10")), "{both}");
    // One value without an answer does not take it from the others.
    let holes = ask(&json!({"do": "odds", "text": "6 / @n", "sweep": {"n": [0, 2]}}));
    assert_eq!((&holes["sweep"][0]["ok"], &holes["sweep"][1]["ok"]), (&json!(false), &json!(true)), "{holes}");
    let table = ask(&json!({"do": "odds", "text": "(@n)d2", "sweep": {"n": [1, 2]}, "format": "csv"}));
    assert!(table["document"].as_str().unwrap().contains("n = 2,3,1/2"), "{table}");
}

#[test]
fn a_sweep_that_is_none_is_refused() {
    for sweep in [
        json!({}),
        json!(3),
        json!({"n": []}),
        json!({"n": 3}),
        json!({"n": "6..1"}),
        json!({"n": "1..2..0"}),
        json!({"n": "a..b"}),
        json!({"n": [1.5]}),
        json!({"n": "1..1001"}),
        json!({"n": "0..9223372036854775807"}),
        json!({"n": "1..100", "m": "1..100"}),
    ] {
        check_refused(&json!({"do": "odds", "text": "(@n)d6 + @m", "vars": {"m": 1}, "sweep": sweep}), "", "");
    }
    let wrong = ask(&json!({"do": "odds", "text": "(@n)d6k3h", "sweep": {"n": "1..9"}}));
    assert_eq!(wrong["error"]["code"], "syntax", "{wrong}");
    check_refused(&json!({"do": "odds", "text": "@n", "notation": "klingon", "sweep": {"n": [1]}}), "klingon", "");
}

#[test]
fn errors_have_remedies() {
    let small = Settings::new(Limits { steps: 1000, draws: 10, ..Limits::default() }, || 0);
    for (request, remedies) in [
        (json!({"do": "odds", "text": "sum largest 3 4d6"}), json!([{"notation": "troll"}])),
        (json!({"do": "roll", "text": "d20 + @str + @prof"}), json!([{"set": "str"}, {"set": "prof"}])),
        (json!({"do": "roll", "text": "11d6"}), json!([{"raise": "dice"}])),
        (json!({"do": "odds", "text": "99d99kh50"}), json!([{"raise": "steps"}, {"approx": true}])),
        (json!({"do": "roll", "text": "d6 +* 2"}), Json::Null),
    ] {
        let told = answer(request.to_string().as_bytes(), &small);
        assert_eq!(told["error"]["remedies"], remedies, "{request}: {told}");
        assert!(!told["error"].to_string().contains("--"), "{told}");
    }
}
