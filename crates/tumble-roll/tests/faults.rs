//! What goes wrong, in which words, and where.

use tumble_core::read::program;
use tumble_core::{Code, Limits};
use tumble_roll::{Scripted, Seeded, roll};

/// The place is the part of the text between `«` and `»`.
fn check(marked: &str, code: Code, message: &str) {
    let (start, end) = (marked.find('«').unwrap(), marked.find('»').unwrap() - '«'.len_utf8());
    let text = marked.replace(['«', '»'], "");
    let error = roll(&program(&text), &mut Seeded::new(1), &Limits::small()).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (code, message), "{text}");
    assert_eq!((error.span.start, error.span.end), (start, end), "{text}");
}

#[test]
fn wrong_numbers() {
    check("add(1, «draw(1..0)»)", Code::Runtime, "a die needs at least 1 side, not 0");
    check("«draw(1..-3)»", Code::Runtime, "a die needs at least 1 side, not -3");
    check("«draw(0..-1)»", Code::Runtime, "the largest face must be 0 or more, not -1");
    check("«draw(5..2)»", Code::Runtime, "a die can't have faces from 5 to 2");
    check("sum(gather(«repeat(2, draw(1..0))»))", Code::Runtime, "a die needs at least 1 side, not 0");
    check("«repeat(-1, draw(1..6))»", Code::Runtime, "can't roll -1 times; the number must be 0 or more");
    check("«repeat(-1, 7)»", Code::Runtime, "can't roll -1 times; the number must be 0 or more");
    check("«draw(of [])»", Code::Runtime, "can't choose from an empty collection");
    check("«draw(-2 of [1])»", Code::Runtime, "can't pick -2 members; the number must be 0 or more");
    check("«div(1, 0)»", Code::Runtime, "division by zero");
}

#[test]
fn wrong_sorts() {
    check("«draw(1..\"a\")»", Code::Type, "expected a number, not text");
    check("«repeat([1], 7)»", Code::Type, "expected a number, not a collection");
    check("«draw(of 3)»", Code::Type, "expected a collection, not a number");
    check("«each(x in 3, x)»", Code::Type, "expected a collection, not a number");
    check("«if 1 then 2 else 3»", Code::Type, "expected true or false, not a number");
    check("«until(x = draw(1..6), x)»", Code::Type, "expected true or false, not a number");
    check("«let (x, y) = 3 in x»", Code::Type, "expected a pair, not a number");
    check("«let (x, y, z) = (1, 2) in x»", Code::Type, "expected 3 values, not a pair");
    check("«loop((x, y) = (1, 2, 3), while false, x)»", Code::Type, "expected a pair, not 3 values");
    check("«loop((x, y) = (1, 2), while true, x)»", Code::Type, "expected a pair, not a number");
    check("«field(2, (1, 2))»", Code::Runtime, "there is no field 2; they are 0 to 1");
    check("«loop(s = 1, while s, s)»", Code::Type, "expected true or false, not a number");
}

#[test]
fn limits() {
    check("«repeat(2001, draw(1..6))»", Code::Limit, "this rolls more than 2,000 dice");
    check("«repeat(2001, 7)»", Code::Limit, "this rolls more than 2,000 dice");
    check("repeat(2000, sub(«draw(1..6)», draw(1..6)))", Code::Limit, "this rolls more than 2,000 dice");
    check("until(x = «draw(1..6)», false)", Code::Limit, "this rolls more than 2,000 dice");
    check("«draw(3000 of range(1, 3000))»", Code::Limit, "this rolls more than 2,000 dice");
    check("«draw(-9223372036854775808..9223372036854775807)»", Code::Limit, "a die with this many sides is too large");
    check("«accumulate(x = 1, false, at most 9999)»", Code::Limit, TOO_LARGE);
    check("f() = «f()»; f()", Code::Limit, "function calls are nested more than 200 deep");
    check("«loop(s = 1, while true, s)»", Code::Limit, "this needs more than 200,000 steps");
    check("loop(s = 1, while true, «repeat(1, s)»)", Code::Limit, "lists are nested more than 64 deep");
}

const TOO_LARGE: &str = "a collection of 5,001 members is too large; at most 5,000 are allowed";

#[test]
fn a_loop_in_which_nothing_changes_is_endless() {
    let words = "this loop can never stop: nothing in it changes from one pass to the next";
    check("«until(x = 1, false)»", Code::Endless, words);
    check("«draw(-9223372036854775808..9223372036854775807)»", Code::Limit, "a die with this many sides is too large");
    check("«accumulate(x = repeat(0, draw(1..6)), some(gather(x)))»", Code::Endless, words);
}

#[test]
fn dice_that_are_given() {
    let table: &[(&str, &[i64], &str)] = &[
        ("draw(1..6)", &[7], "a die with faces 1 to 6 can't show 7"),
        ("draw(1 x2 or 6 x1)", &[3], "no face of this die shows 3"),
        ("draw(\"a\" x2 or \"b\" x1)", &[3], "a die with 2 faces has no face number 3"),
        ("draw(of [1, 100])", &[0], "no face of this die shows 0"),
        ("repeat(2, draw(1..6))", &[3], "no value given for die number 2 at `r` (1 to 6)"),
    ];
    for (text, dice, message) in table {
        let error = roll(&program(text), &mut Scripted::new(*dice), &Limits::small()).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (Code::Request, *message), "{text}");
    }
}
