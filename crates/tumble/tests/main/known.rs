//! Answers that are known from elsewhere: a text, what is asked of it, and the exact answer.

use serde_json::{Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, answer};

fn ask(text: &str) -> Json {
    let request = json!({"do": "odds", "notation": "troll", "text": text, "explain": true});
    answer(request.to_string().as_bytes(), &Settings::new(Limits::default(), || 0))
}

fn chance(answer: &Json, outcome: i64) -> Json {
    let rows = answer["outcomes"].as_array().unwrap();
    rows.iter().find(|row| row[0] == json!(outcome)).map_or(json!("0"), |row| row[1].clone())
}

#[test]
fn loops_and_recursion_without_end() {
    let d6 = "(sum accumulate x := d6 while x=6)";
    let d10 = "(sum accumulate x := d10 until x<10)";
    let craps = "function point(p) = r := sum 2d6; if r=p then 1 else if r=7 then 0 else call point(p)
        function craps(n) = r := sum 2d6; if {r=7, r=11} then 1 else if {r=2, r=3, r=12} then 0 else call point(r)
        call craps(0)";
    for (text, mean) in [
        (format!("sum {d6}"), "21/5"),
        (format!("sum {d10}"), "55/9"),
        (format!("max 2#{d6}"), "29/5"),
        (format!("max {{{d6}, sum accumulate x := d8 while x=8}}"), "21494566/3317755"),
        (format!("min {{{d6}, sum accumulate x := d8 while x=8}}"), "271507/94793"),
        ("max {d6, sum accumulate x := d8 while x=8}".to_owned(), "1973/336"),
        (format!("sum largest 3 5#{d10}"), "27508315/1122211"),
        (craps.to_owned(), "244/495"),
    ] {
        assert_eq!(ask(&text)["mean"], json!(mean), "{text}");
    }
    assert_eq!(chance(&ask(&format!("sum largest 3 5#{d10}")), 25), json!("47461/1000000"));
    assert_eq!(chance(&ask(&format!("sum 3#{d6}")), 20), json!("1/48"));
    assert_eq!(chance(&ask(craps), 1), json!("244/495"));
}

/// Many exploding dice are listed until next to nothing is left.
#[test]
fn many_exploding_dice() {
    let found = ask("sum 200#(sum accumulate y := d6 while y=6)");
    assert_eq!((&found["exact"], &found["mean"], &found["variance"]), (&json!(true), &json!("840"), &json!("2128")));
    assert!(parts(&found["unresolved"]) < 1e-12, "{found}");
    let listed: f64 = found["outcomes"].as_array().unwrap().iter().map(|row| parts(&row[1])).sum();
    assert!((listed - 1.0).abs() < 1e-9, "{listed}");
    // The least is 200 ones; then one die shows a two.
    let (least, next) = (parts(&chance(&found, 200)), parts(&chance(&found, 201)));
    assert!((next / least - 200.0).abs() < 1e-6, "{next} {least}");
}

/// What is beyond every face of the other die is decided.
#[test]
fn exploding_against_plain_dice() {
    let d6 = "(sum accumulate y := d6 while y=6)";
    for (text, chances) in [
        (format!("x := {d6}; if x < d4 then 1 else 0"), ["3/4", "1/4"]),
        (format!("x := {d6}; if d4 > x then 1 else 0"), ["3/4", "1/4"]),
        (format!("if {d6} = d2 then 1 else 0"), ["5/6", "1/6"]),
    ] {
        let found = ask(&text);
        assert_eq!(found["exact"], json!(true), "{text}: {found}");
        assert_eq!([chance(&found, 0), chance(&found, 1)], chances.map(|share| json!(share)), "{text}");
    }
}

/// Successes, and ones if there are none, of one pool of exploding dice: two questions, one exact answer.
#[test]
fn two_questions_of_one_exploding_pool() {
    let botch = |dice: u32| {
        let pool = format!("x := {dice}#(accumulate y := d10 while y=10)");
        ask(&format!("{pool}; if 8 <= x then count 8 <= x else if 1 = x then -1 else 0"))
    };
    for (dice, none) in [(3, "27/125"), (8, "6561/390625"), (20, "3486784401/95367431640625")] {
        let found = botch(dice);
        assert_eq!((&found["exact"], chance(&found, 0)), (&json!(true), json!(none)), "{dice}: {found}");
    }
    // Three dice: one success is a die with 8 or 9, or a ten and then one below, and two dice below.
    assert_eq!(chance(&botch(3), 1), json!("3969/10000"));
    assert_eq!(chance(&botch(3), -1), json!("127/1000"));
}

/// What is open could add to every row; there is next to nothing of it, so all rows are listed as lower bounds.
#[test]
fn next_to_nothing_open_hides_no_rows() {
    let found = ask("x := 2#(sum accumulate y := d6 while y=6); (max x) - (min x)");
    assert_eq!(found["exact"], json!(false), "{found}");
    assert!(found["outcomes"].as_array().unwrap().len() > 100, "{found}");
    // P(both alike) = 5/36 · (1 + 1/36 + …)
    let (chance, sum) = (parts(&chance(&found, 0)), parts(&json!("1/7")));
    assert!((chance - sum).abs() < 1e-12, "{chance}");
}

/// A fraction as a float; its numbers may be too long for one.
fn parts(fraction: &Json) -> f64 {
    let (num, den) = fraction.as_str().unwrap().split_once('/').unwrap();
    let short = |text: &str| (text[..text.len().min(17)].parse::<f64>().unwrap(), text.len().saturating_sub(17) as i32);
    let ((num, zeros), (den, more)) = (short(num), short(den));
    num / den * 10f64.powi(zeros - more)
}

/// Questions that must never list collections: none of the methods that do is used.
#[test]
fn what_is_never_listed() {
    for text in [
        "x := 20d20; (max x) - (min x)",
        "x := 12d10; {max x, min x, sum x, count 7<x}",
        "x := 30d6; count (max x) = x",
        "sum largest 10 {4d4,4d6,4d8,4d10,4d12}",
        "count different 40d20",
        "median 51d20",
        "x := 10d10; y := 10d10; (sum largest 3 x) - (sum largest 3 y)",
        "x := 5d6; c := foreach i in 1..6 do count i=x; if (3=c) & (2=c) then 1 else 0",
        "x := 9d6; y := largest 3 x; [sum y, max y]",
        "sum choose 10d10",
        "sum largest 3 ({10d10, 6d6} pick 5)",
        "function p(a) = if 0=count a then 0 else (max a) + call p(a -- (max a)) call p(20d20)",
    ] {
        let answer = ask(text);
        assert_eq!((&answer["ok"], &answer["exact"]), (&json!(true), &json!(true)), "{text}: {answer}");
        let lines = answer["explain"]["lines"].as_array().unwrap();
        let lists = |line: &Json| {
            let [what, how] = ["what", "how"].map(|key| line[key].as_str().unwrap());
            what.starts_with("every collection") || how.starts_with("enumeration:")
        };
        let listed = lines.iter().any(lists);
        assert!(!listed, "{text}: {}", answer["explain"]);
    }
}
