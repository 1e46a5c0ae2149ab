//! The everyday notation: spelling, meaning, warnings and notes, long and deep texts.

use crate::deep::{Nesting, accepted, chained, refused};
use crate::round::{Round, check};
use crate::tabletop_trees::{tree, written};
use std::collections::BTreeSet;
use tumble_core::{Span, print};
use tumble_syntax::tabletop::{parse, spell};
use tumble_syntax::{Compiled, DIALECTS, Remark, compile, notation};

const SPELLED: &[(&str, &str)] = &[
    ("4D6KH3+2", "4d6kh3 + 2"),
    ("4d6k3", "4d6kh3"),
    ("4d6d1", "4d6dl1"),
    ("2d20 kh", "2d20kh1"),
    ("1d20 adv+5", "1d20adv + 5"),
    ("2d6rr<3", "2d6r<3"),
    ("2d6min2max5", "2d6mi2ma5"),
    ("5d10 cs >= 8 , 10:2", "5d10cs>=8,10:2"),
    ("5d10cf1", "5d10cf=1"),
    ("d6! !", "d6! !"),
    ("d6!<>6x2", "d6!<>6x2"),
    ("[A:d20](A+5>=15)*(d8+3)", "[A: d20] (A + 5 >= 15) * (d8 + 3)"),
    ("atk:=d20;atk+5", "atk := d20; atk + 5"),
    ("(1+(2*3))-(4-5)", "1 + 2 * 3 - (4 - 5)"),
    ("(d6>3)?(1):((d6>2)?2:3)", "d6 > 3 ? 1 : d6 > 2 ? 2 : 3"),
    ("/roll 2d6", "2d6"),
    ("[[1d4]]d6 + @{str}", "(1d4)d6 + @str"),
    ("2d6 [fire]+d8[ cold ]# hot", "2d6[fire] + d8[cold] # hot"),
    ("6X( 4d6kh3 )", "6x(4d6kh3)"),
    ("{2d6,d8 , d10}kh2", "{2d6, d8, d10}kh2"),
    ("d6×2÷3−1", "d6 * 2 / 3 - 1"),
    ("d20≥11&&!(d6<>1)", "d20 >= 11 && !(d6 != 1)"),
    ("d[ -1 .. 1 ]", "d[-1..1]"),
    ("d{1,1,100}", "d{1, 1, 100}"),
    ("D%+4DF", "d% + 4dF"),
    ("p:=5d6;p  kh2r1 + P cs6+p!", "p := 5d6; p kh2r1 + P cs=6 + p !"),
    ("exact( 8d6/2 )*1.50", "exact(8d6 / 2) * 1.5"),
    ("d20>10?\"hit\":\"miss\"", "d20 > 10 ? \"hit\" : \"miss\""),
];

#[test]
fn texts_are_spelled_like_this() {
    for (text, spelled) in SPELLED {
        assert_eq!(spell(&parse(text).unwrap()), *spelled, "{text:?}");
        assert_eq!(spell(&parse(spelled).unwrap()), *spelled, "{text:?}");
    }
}

#[test]
fn a_spelled_tree_is_read_back() {
    check(&Round { tree, spell, parse, written, sparing: false });
}

const MEANS: &[(&str, &str)] = &[
    ("d20", "draw(1..20)"),
    ("4d6kh3", "sum(largest(3, gather(repeat(4, draw(1..6)))))"),
    ("4d6dl1", "sum(but_least(1, gather(repeat(4, draw(1..6)))))"),
    ("d20adv", "sum(gather(largest(1, gather(repeat(2, draw(1..20))))))"),
    ("2dFmi0", "sum(lift(0, gather(repeat(2, draw(-1..1)))))"),
    ("d[-9223372036854775808..9223372036854775807]", "draw(-9223372036854775808..9223372036854775807)"),
    ("1 - -9223372036854775808", "sub(1, -9223372036854775808)"),
    ("d{1,1,9}", "draw(1 x2 or 9 x1)"),
    ("5d10cs>=8", "count(at_most(8, gather(repeat(5, draw(1..10)))))"),
    ("{d8, d6}kh1", "sum(largest(1, gather(draw(1..8), draw(1..6))))"),
    ("7/2%3", "rem(quot(7, 2), 3)"),
    ("floor(7/2)", "div(7, 2)"),
    ("ceil(7/2)", "div_up(7, 2)"),
    ("max(d6, 3)", "sum(largest(1, gather(draw(1..6), 3)))"),
    ("d20 >= 11", "count(at_most(11, gather(draw(1..20))))"),
    ("d20 > 10 ? d6 : 0", "if some(less(10, gather(draw(1..20)))) then draw(1..6) else 0"),
    ("[A: d4] A + A", "let A = draw(1..4) in add(A, A)"),
    ("d4; d6", "results(draw(1..4), draw(1..6))"),
    ("6x(d6)", "repeat(6, draw(1..6))"),
    ("d20 + @str", "add(draw(1..20), 3)"),
    ("d6r1", "sum(gather(until(die = draw(1..6), if some(equal(1, gather(die))) then false else true)))"),
    ("d6!", "sum(gather(gather(accumulate(die = draw(1..6), if some(equal(6, gather(die))) then false else true))))"),
];

fn compiled(text: &str) -> Compiled {
    let tabletop = notation("tabletop").unwrap();
    compile(tabletop, text, &crate::errors::vars()).unwrap_or_else(|found| panic!("{text:?}: {found:?}"))
}

#[test]
fn texts_mean_this() {
    for (text, meaning) in MEANS {
        assert_eq!(print(&compiled(text).program), *meaning, "{text:?}");
    }
    let one = compiled("6x(d6 + 1)").one.expect("the roll that is repeated");
    assert_eq!(print(&one), "add(draw(1..6), 1)");
}

const WARNED: &[(&str, &str)] = &[
    ("1d6!!!", "these dice explode twice: once for each modifier, from left to right"),
    ("1d6!!!", "RPG Dice Roller reads this as `1d6!`"),
    ("5d10>=8", "this compares the total; to count dice, write cs>=8"),
    ("{5d6!!}>8", "this compares the total; to count items, write cs>8"),
    ("3d6kh5", "there are only 3 dice here, and all are kept"),
    ("2d6dl2", "there are only 2 dice here, and all are dropped"),
    ("d6kh2", "there is only one die here, and it is kept"),
    ("{d6, d8}kh3", "there are only 2 items here, and all are kept"),
    ("{d6}dl1", "there is only one item here, and it is dropped"),
    ("d20advr1", "the new roll is a plain die; `adv` does not apply to it"),
    ("3d4 disr=1x3", "the new roll is a plain die; `dis` does not apply to it"),
    ("4d6mi2r3", "the new roll is a plain die; `mi2` does not apply to it"),
    ("2d20adv", "each of the 2 dice is rolled twice, keeping the higher roll"),
    ("2(d6+1)", "this rolls the parentheses anew each time and adds the results; to multiply, write `2 * (d6+1)`"),
    ("1d6!!!", "these dice explode twice: once for each modifier, from left to right"),
    ("max(4d6)", "this is the total of the dice; to keep one die, write kh1"),
    ("floor(d6 + 1)", "`floor` only rounds a division directly inside it, as in floor(d20 / 2)"),
];

/// What other tools read differently.
const NOTED: &[(&str, &str)] = &[
    ("3d6!>4", "Roll20 reads this as `3d6!>=4`"),
    ("[[3d6!>4]]", "Roll20 reads this as `3d6!>=4`"),
    ("/roll 2d8r<2", "Roll20 reads this as `2d8r<=2`; Foundry as `2d8ro<2`"),
    ("5d10cs>7", "Roll20 and RPG Dice Roller read this as `5d10`"),
    ("1d20cs>19 + 5", "Roll20 and RPG Dice Roller read this as `1d20 + 5`"),
    ("6d10cf=1", "Roll20 and RPG Dice Roller read this as `6d10`; Foundry as `6d10cs=1`"),
    ("d%", "Avrae reads this as `d{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}`"),
    ("4d6k3", "Avrae reads this differently"),
    ("{4d6}kh1", "Roll20 and RPG Dice Roller read this as `4d6kh1`"),
    ("8d4kh4!", "RPG Dice Roller reads this as `8d4!kh4`"),
    ("4d6kh3>4", "Roll20 reads this as `4d6kh3cs>=4`; RPG Dice Roller as `4d6kh3cs>4`"),
    ("-d20", "DiceMaiden rolls a leading `-d20` twice: `2d20kl1`"),
    ("6#4d6kh3", "`#` begins a comment; to repeat a roll, write `6x(4d6kh3)`"),
    ("3#d20", "`#` begins a comment; to repeat a roll, write `3x(d20)`"),
    ("/roll 3d6!>4", "Roll20 reads this as `3d6!>=4`"),
    ("/r 2d8r<2", "Roll20 reads this as `2d8r<=2`; Foundry as `2d8ro<2`"),
    ("1d20cs20cf1+5", "Roll20 and RPG Dice Roller read this as `1d20 + 5`; Foundry as `1d20cs=20cs=1 + 5`"),
    ("5d10>8f1", "Roll20 reads this as `5d10cs>=8cf=1`"),
    ("d66", "this is a die with 66 faces; for two dice as two digits, write `10*d6 + d6`"),
    (
        "(1/2)d6",
        "this division is rounded toward zero, as `floor(…)` makes clear; `exact(…)` keeps the fraction, as other tools do",
    ),
    ("d6 + 2 * 3", "DiceMaiden works from left to right: `(d6 + 2) * 3`"),
];

/// Texts that nobody needs to be warned about.
const FINE: &[&str] = &[
    "d20 >= 15",
    "2d20kh1 >= 15",
    "3d6 > 2d8",
    "2d6 >= 7",
    "3d6 <= 12",
    "2d6>=7",
    "8d6 * 2 / 2",
    "floor(8d6 / 2)",
    "4d6kh3",
    "d20adv",
    "4d6kh4",
    "d6!x1000",
    "6(4d6kh3)kh1",
    "3(d20 + 5)cs>=15",
];

#[test]
fn doubtful_texts_are_warned_about() {
    for (text, warning) in WARNED {
        let said: Vec<String> = compiled(text).warnings.into_iter().map(|warning| warning.message).collect();
        assert!(said.iter().any(|said| said == warning), "{text:?}: {said:?}");
    }
    for (text, note) in NOTED {
        let said: Vec<String> = compiled(text).warnings.into_iter().map(|warning| warning.message).collect();
        assert_eq!(said, [*note], "{text:?}");
    }
    for text in FINE {
        assert!(compiled(text).warnings.is_empty(), "{text:?}");
    }
}

#[test]
fn labels_and_comments_are_kept() {
    let text = "2d6[fire] + (d8 + 1)[cold] # to hit";
    let notes: Vec<(Remark, String, Span)> =
        compiled(text).notes.into_iter().map(|note| (note.remark, note.text, note.span)).collect();
    let at = |part: &str| text.find(part).map(|start| Span::new(start, start + part.len())).unwrap();
    let wanted = [
        (Remark::Label, "fire".to_owned(), at("2d6[fire]")),
        (Remark::Label, "cold".to_owned(), at("(d8 + 1)")),
        (Remark::Comment, "to hit".to_owned(), at("# to hit")),
    ];
    assert_eq!(notes, wanted);
}

#[test]
fn every_piece_of_the_reference_stands_once_and_works() {
    let tabletop = notation("tabletop").unwrap();
    let spellings: BTreeSet<&str> = tabletop.reference.iter().map(|piece| piece.spelling).collect();
    assert_eq!(spellings.len(), tabletop.reference.len());
    for text in tabletop.reference.iter().map(|piece| piece.example).chain(tabletop.examples.iter().copied()) {
        compiled(text);
    }
}

const NESTING: &[Nesting] = &[
    ("(", "1", ")"),
    ("{", "1", "}"),
    ("[[", "1", "]]"),
    ("-", "1", ""),
    ("!", "1", ""),
    ("d(", "1", ")"),
    ("2(", "1", ")"),
    ("1+(", "1", ")"),
    ("max(1,", "1", ")"),
    ("1?", "1", ":1"),
    ("1?1:", "1", ""),
    ("d6kh(", "1", ")"),
    ("d6!(", "1", ")"),
    ("d[1..", "1", "]"),
    ("(a:=", "1", ";1)"),
    ("[a:", "1", "]1"),
];

#[test]
fn deep_texts_are_refused() {
    refused("tabletop", NESTING, "");
}

#[test]
fn texts_of_allowed_depth_are_compiled_and_spelled() {
    accepted("tabletop", NESTING, 49, "");
}

#[test]
fn long_chains_are_compiled_and_spelled() {
    chained("tabletop", "1", &["+1", "-1", "*1", "/1", "%1", "&&1", "||1", "+1*1", ";1", "[a]+1", "+d6"]);
}

/// Texts that mean harm, or that a cat wrote: an answer at once.
#[test]
fn hostile_texts_are_answered() {
    let signs = "d20".to_owned() + &"!".repeat(200_000);
    let wide = format!("{{1{}}}", ",d6".repeat(100_000));
    let faces = format!("d{{1{}}}", ",2".repeat(100_000));
    let range = "d[-9223372036854775808..9223372036854775807]";
    let texts = [signs.as_str(), &wide, &faces, range, "9^9^9^9", "(d1000)(d1000)", "1000000x(1000000d6)"];
    let family = || DIALECTS.iter().chain(notation("tabletop"));
    for text in texts {
        family().for_each(|notation| drop(compile(notation, text, &crate::errors::vars())));
    }
    for sign in
        ["+", "-", "(", "[", "{", "[[", "@", "!", "d", "d6!", "kh", "#", "?", "x", "6x(", "a:=", "[a:", "\u{1f3b2}"]
    {
        family().for_each(|notation| drop(compile(notation, &sign.repeat(100_000), &crate::errors::vars())));
    }
    for modifier in
        ["kh1", "k1", "p1", "ro1", "rr1", "e1", "ra1", "mi1", "u", "mt", "s", "x1=1", "r1=1", "df1", "cs1", ">1", "f1"]
    {
        let text = format!("9d9{}", modifier.repeat(30_000));
        family().for_each(|notation| drop(compile(notation, &text, &crate::errors::vars())));
    }
}
