//! Answers that were once wrong: a text, a cut, and what it must give. `~` marks an answer that says
//! it is not exact; of the outcomes only the wanted ones are compared.

use serde_json::{Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, answer};

fn ask(text: &str, iterations: Option<u64>) -> Json {
    let mut request = json!({"do": "odds", "notation": "troll", "text": text});
    if let Some(iterations) = iterations {
        request["iterations"] = iterations.into();
    }
    answer(request.to_string().as_bytes(), &Settings::new(Limits::default(), || 0))
}

#[test]
fn what_cannot_be_told_is_never_nothing() {
    let lost = "function f(x) = call f(x+1) sum largest 2 {d2, d2, call f(1)}";
    let answer = ask(lost, Some(3));
    assert_eq!((&answer["outcomes"], &answer["unresolved"]), (&json!([]), &json!("1")), "{answer}");
    for text in [
        "w := (count accumulate x := d6 while x=6); 2 # {w, 1}",
        "function f(n) = if ?0.5 then 1 else 2 # call f(n) call f(1)",
    ] {
        let answer = ask(text, None);
        assert_ne!(answer["unresolved"], json!("0"), "{text}");
        assert!(!answer["outcomes"].as_array().unwrap().iter().any(|row| row[0] == json!([])), "{text}: {answer}");
    }
}

#[test]
fn endless_is_endless_wherever_it_stands() {
    for text in [
        "function f(n) = call f(n+1) 2#call f(1)",
        "function f(x) = (y := call f(x); 5) call f(1)",
        "function g(x) = 5 function f(x) = call g(call f(x)) call f(1)",
    ] {
        let answer = ask(text, None);
        assert_eq!(answer["error"]["code"], json!("endless"), "{text}: {answer}");
    }
}

#[test]
fn unlisted_faces_are_not_taken_for_equal() {
    let answer = ask("count different 2#(sum accumulate x:=d2 while x=2)", None);
    assert_eq!(answer["exact"], json!(false), "{answer}");
}

#[test]
fn one_unlisted_number_is_not_two() {
    for text in ["x := sum accumulate y := d6 while y=6; x + x", "x := sum accumulate y := d6 while y=6; sum 2#x"] {
        assert_eq!(ask(text, None)["variance"], Json::Null, "{text}");
    }
    assert_eq!(ask("x := sum accumulate y := d6 while y=6; x + 1", None)["variance"], json!("266/25"));
}

#[test]
fn a_view_that_is_not_taken_does_not_fail() {
    let branch = ask("n := d3 - 2; x := 2d6; if 0 <= n then sum least n x else 5", None);
    assert_eq!(branch["mean"], json!("271/108"), "{branch}");
    assert_eq!(ask("n := 0-1; x := 2d6; if {} then sum largest n x else 5", None)["outcomes"], json!([[5, "1"]]));
}

#[test]
fn a_view_may_have_an_argument_without_end() {
    let answer = ask("n := count accumulate x:=d6 while x=6; p := 3d6; sum largest n p", None);
    assert_eq!(answer["outcomes"][0], json!([1, "5/1296"]), "{answer}");
}

#[test]
fn loops_that_collect_are_listed_together() {
    let answer = ask("2#(accumulate x:=d3 until x=1)", None);
    assert_eq!(answer["exact"], json!(true), "{answer}");
    assert_eq!(answer["outcomes"][1], json!([[1, 1, 2], "2/27"]));
}

#[test]
fn what_may_be_empty_in_one_function_is_not_taken_for_full() {
    for text in [
        "function f(p) = q := d6; q+0 x := call f(1); y := 5<2d6; count (min y) = y",
        "function f(p) = q := 5<p; count((max q)=q) function h(p) = q := 3d6; max q (call f(d4)) + call h(1)",
    ] {
        assert_eq!(ask(text, None)["error"]["code"], json!("runtime"), "{text}");
    }
    assert_eq!(ask("x := [1,2]; foreach v in {} do count v = x", None)["outcomes"], json!([[[], "1"]]));
}

#[test]
fn what_is_not_looked_at_costs_nothing() {
    for (text, mean) in [
        ("x := d6; y := 100d6; x", "7/2"),
        ("x := 3d6; y := 100d6; w := max x; w + 1", "143/24"),
        ("x := 31d100; median x", "101/2"),
        ("x := 1000d6; y := 1000d6; (sum x) - (sum y)", "0"),
        (
            "function w(n) = if n=0 then 0 else if n=1000 then 1 else if d2=1 then call w(n-1) else call w(n+1) call w(500)",
            "1/2",
        ),
        ("function f(n) = if n=1 then n else (d2) + call f(d8) call f(3)", "13"),
    ] {
        assert_eq!(ask(text, None)["mean"], json!(mean), "{text}");
    }
}

/// A walk that begins with a choice has the denominators of both: a sixth to begin with, tenths on the way.
#[test]
fn choices_and_loops_of_different_dice() {
    let answer = ask("sum 3#(if 1=d6 then {1} else accumulate y := d10 while y=10)", None);
    assert_eq!((&answer["exact"], &answer["mean"]), (&json!(true), &json!("142/9")), "{answer}");
    // Of one: a quarter shows 1, a twelfth each of 2 to 9.
    let rows: Vec<&Json> = answer["outcomes"].as_array().unwrap().iter().take(3).collect();
    assert_eq!(rows, [&json!([3, "1/64"]), &json!([4, "1/64"]), &json!([5, "1/48"])], "{answer}");
}
