//! Answers that were once wrong: a text, a cut, and what it must give. `~` marks an answer that says
//! it is not exact; of the outcomes only the wanted ones are compared.

use crate::endless::held_against_its_cut;
use serde_json::{Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, answer};
use tumble::{Fraction, Odds, number};

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

/// A notation, a text, some outcomes with their chances, and the mean.
type Changed = (&'static str, &'static str, &'static [(i64, &'static str)], &'static str);

/// Endless dice of which small outcomes were changed, then added up, taken from each other or kept. `¤` stands for a
/// limit on explosions, and none is meant.
const CHANGED: &[Changed] = &[
    ("tabletop", "2d4!!¤ro1", &[(2, "1/256"), (6, "37/256"), (7, "11/128")], "89/12"),
    ("tabletop", "2d6!!¤ro1", &[(2, "1/1296"), (8, "163/1296"), (9, "8/81")], "277/30"),
    ("tabletop", "2d4!!¤ro<3", &[(2, "1/64"), (6, "3/16"), (8, "3/32")], "23/3"),
    ("tabletop", "2d4!!¤ro3", &[(2, "25/256"), (6, "21/256"), (8, "23/256")], "77/12"),
    ("tabletop", "2d4!!¤r1x2", &[(2, "1/4096"), (6, "659/4096"), (8, "369/4096")], "365/48"),
    ("tabletop", "2d2!!¤ro1", &[(2, "1/16"), (6, "1/8"), (8, "3/32")], "13/2"),
    ("tabletop", "2d4!!¤mi2ro2", &[(2, "1/64"), (6, "3/16"), (8, "3/32")], "23/3"),
    ("tabletop", "5d10!!¤ro1", &[(5, "1/10000000000"), (7, "253/2000000000")], "1181/36"),
    ("tabletop", "2(d4!!¤ro1)", &[(6, "37/256"), (7, "11/128")], "89/12"),
    ("tabletop", "{d4!!¤ro1, d4!!¤ro1}", &[(6, "37/256"), (7, "11/128")], "89/12"),
    ("tabletop", "d4!!¤ro1 + d4!!¤ro1", &[(6, "37/256"), (7, "11/128")], "89/12"),
    ("tabletop", "2d4!!¤ro1 >= 8", &[(0, "157/256"), (1, "99/256")], "99/256"),
    ("tabletop", "(d2 = 1 ? 13 : d6!¤) - d6!¤", &[], "22/5"),
    ("tabletop", "abs((d20 >= 11) * d4!¤ - d4!!¤mi4)", &[(0, "1/160")], "31/8"),
    ("tabletop", "d6!!¤mi2 - d4!!¤mi2", &[], "47/60"),
    ("tabletop", "abs(d4!!¤ro1 - d4!!¤ro1)", &[(0, "69/320")], "467/192"),
    ("tabletop", "max(d6!!¤mi2, 3)", &[(3, "1/2"), (4, "1/6"), (7, "1/36")], "47/10"),
    ("tabletop", "{d8!!¤mi2, d6}kh1", &[(2, "1/12"), (6, "11/48")], "165/28"),
    ("tabletop", "2d6!!¤mi2kh1", &[(2, "1/9"), (7, "61/1296")], "1049/180"),
    ("tabletop", "2d4!!¤r1kh1", &[(2, "1/9")], "359/72"),
    ("tabletop", "2d4!!¤ro1kh1", &[(1, "1/256"), (4, "23/256")], "1891/384"),
    ("tabletop", "5d10!!¤ro1kh3", &[(3, "1/10000000000"), (8, "323257/1000000000")], ""),
    ("tabletop", "max(d20 >= 11 ? d8!¤ : 0, d6)", &[(1, "3/32"), (7, "1/16")], "3149/672"),
    ("tabletop", "2((d20 >= 11) * d8!¤)kh1", &[(0, "1/4"), (1, "17/256")], "13/3"),
    (
        "troll",
        "(if 1 = d2 then 13 else sum accumulate x := d6 while x = 6) - (sum accumulate x := d6 while x = 6)",
        &[],
        "22/5",
    ),
    ("troll", "max 1#(if 1 = d2 then 10 else sum accumulate y := d3 while y = 3)", &[(10, "41/81")], "13/2"),
    ("troll", "max {d6, if 1 = d2 then 0 else sum accumulate x := d6 while x = 6}", &[(1, "7/72")], "1561/360"),
    ("yadn", "S (2g!6 pr 1)", &[(0, "1/36"), (6, "1/12")], "121/15"),
];

/// A text, some outcomes with their chances, the mean, and the variance; both are stated. Computed independently, with
/// fractions, from the series of each die.
type Endless = (&'static str, &'static [(i64, &'static str)], &'static str, &'static str);

/// What is made of several endless dice, or of one by rows that do more than move it: nothing of it is left open.
const ENDLESS: &[Endless] = &[
    (
        "{d8!¤,d6!¤,d4!¤}kh2",
        &[(2, "1/192")],
        "437854059883/40768634865",
        "44937747307892071537234/1662081588755693568225",
    ),
    ("d8!p - d10!", &[], "-10/9", "2512/81"),
    ("(d6!¤ - 1) / 2", &[(0, "1/3"), (1, "1/3"), (2, "1/6"), (3, "1/18")], "7/5", "68/25"),
    ("d6!¤ % 4", &[(0, "1/5"), (1, "13/35"), (2, "1/5"), (3, "8/35")], "51/35", "1354/1225"),
    ("d10!!¤ >= d8!!¤", &[(1, "204371075/327679999")], "204371075/327679999", "25200777354973300/107374181744640001"),
];

#[test]
fn no_mean_of_endless_dice_is_missing() {
    for (text, rows, mean, variance) in ENDLESS {
        let odds = held_against_its_cut("tabletop", text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(odds.exact(), "{text}");
        assert_eq!(differs(&odds, rows, mean), None, "{text}");
        let stated = [odds.mean(), odds.variance()].map(|moment| moment.unwrap().to_string());
        assert_eq!(stated, [*mean, *variance], "{text}");
    }
}

/// The first row, or the mean, that is not what it should be.
fn differs(odds: &Odds, rows: &[(i64, &str)], mean: &str) -> Option<String> {
    // Where an answer says that its rows are lower bounds, the cut one is all there is to hold them against.
    for (n, right) in rows.iter().filter(|_| odds.exact()) {
        let listed = odds.outcomes().find(|(value, _)| number(value) == Some(*n)).map(|(_, chance)| chance);
        if listed != Some(right.parse::<Fraction>().unwrap()) {
            return Some(format!("P({n}) is {listed:?} and should be {right}"));
        }
    }
    // A mean need not be stated, but one that is stated is exact.
    let stated = odds.mean().filter(|_| !mean.is_empty());
    stated
        .filter(|stated| stated.to_string() != mean)
        .map(|stated| format!("the mean is {stated} and should be {mean}"))
}

#[test]
fn changed_dice_keep_no_note_of_what_they_were() {
    let mut failed = Vec::new();
    for (notation, text, rows, mean) in CHANGED {
        let why = match held_against_its_cut(notation, text) {
            Ok(odds) => differs(&odds, rows, mean),
            Err(why) => Some(why),
        };
        failed.extend(why.map(|why| format!("{notation}: {text}: {why}")));
    }
    assert!(failed.is_empty(), "{} of {} are wrong:\n{}", failed.len(), CHANGED.len(), failed.join("\n"));
}
