//! How texts are read: the consequences of the levels, as the reference implementation has them.

use crate::written::written;
use tumble_core::Code;
use tumble_syntax::troll::parse;

/// A text and the same text with the parentheses that say how it is read.
const SAME: &[(&str, &str)] = &[
    // Comparisons bind tighter than arithmetic.
    ("1<2+3", "(1<2)+3"),
    ("y=x+5", "(y=x)+5"),
    ("2*d6=3", "2*((d6)=3)"),
    ("1<2<3", "1<(2<3)"),
    ("3 = 3 = 3", "3=(3=3)"),
    ("2<=5>=d6", "2<=(5>=(d6))"),
    // Words bind tighter than arithmetic and unions.
    ("sum 3d6+4", "(sum (3d6))+4"),
    ("sum {1,2}@{3}", "(sum {1,2})@{3}"),
    ("count 1<2+3", "(count (1<2))+3"),
    ("!1=2", "!(1=2)"),
    ("sgn 2-5", "(sgn 2)-5"),
    ("choose {1,2}+1", "(choose {1,2})+1"),
    ("%1 [1,2] + 1", "(%1 [1,2])+1"),
    ("median {1,2,3} + 1", "(median {1,2,3})+1"),
    ("sum count 3d6", "sum (count (3d6))"),
    ("count 3<2#d6", "count (3<(2#(d6)))"),
    ("min 2d2+1", "(min (2d2))+1"),
    // Ranges are loose, and bind looser than drop, keep, pick and unions.
    ("sum 1..4", "(sum 1)..4"),
    ("1..3@5", "1..(3@5)"),
    ("x drop 2..3", "(x drop 2)..3"),
    ("1..4 pick 2", "1..(4 pick 2)"),
    ("{1,2,3} pick 1+1", "{1,2,3} pick (1+1)"),
    ("{1,2,3} drop {1} keep {2}", "({1,2,3} drop {1}) keep {2}"),
    ("{1,2} @ {3} -- {3}", "({1,2}@{3})--{3}"),
    ("{} & 2 @ 3", "{} & (2@3)"),
    ("{} @ {} & 3", "{} @ ({}&3)"),
    ("1@2-3", "1@(2-3)"),
    // Minus.
    ("-2d2", "-(2d2)"),
    ("-2#3", "-(2#3)"),
    ("-2*3", "(-2)*3"),
    ("-7 mod 3", "(-7) mod 3"),
    ("3---2", "3 -- (-2)"),
    ("5- -2", "5-(-2)"),
    ("2-1-1", "(2-1)-1"),
    ("-2'3", "-(2'3)"),
    ("2 # - 3 = 4", "2#(-(3=4))"),
    ("2 # - 3 * 4", "(2#(-3))*4"),
    // Dice.
    ("2d6d8", "2 d (6d8)"),
    ("d6 d8", "(d6) d 8"),
    ("2d6#3", "2 d (6#3)"),
    ("d 2 # 3", "(d2)#3"),
    ("2#3d6", "2#(3d6)"),
    ("2#3#4", "2#(3#4)"),
    ("2 d 2 + 1", "(2d2)+1"),
    ("d d d4", "d(d(d 4))"),
    ("2 # d 2 @ 3", "(2#(d 2))@3"),
    ("3D6", "3d6"),
    ("2Z9", "2z9"),
    ("3 U 4", "3@4"),
    // `least` and `largest` take two operands side by side.
    ("largest n d6", "largest (n) (d6)"),
    ("least 1+1 {4,5,6}", "least (1+1) {4,5,6}"),
    ("largest 3 4d6", "largest (3) (4d6)"),
    ("largest 2 d4 d2", "largest (2) ((d4) d 2)"),
    ("least 2 -{1}", "least (2) (-{1})"),
    ("least -1 {1}", "least (-1) {1}"),
    ("largest 1 z2", "largest (1) (z2)"),
    ("least d2 {1,2,3}", "least (d2) {1,2,3}"),
    ("least 1@2-3 {4}", "least (1@(2-3)) {4}"),
    ("largest 1+n d6 {7}", "largest (1+(n d 6)) {7}"),
    ("sum least 2 3d2+1", "(sum (least 2 (3d2)))+1"),
    ("largest 2 'x", "largest (2) ('x)"),
    ("max least 2 3 d N", "max (least 2 (3 d N))"),
    // Constructs reach as far to the right as they can.
    ("if 1 then 2 else 3+4", "if 1 then 2 else (3+4)"),
    ("if 1 then 2 else 3 || 4", "if 1 then 2 else (3||4)"),
    ("foreach i in {1,2} do i @ {9}", "foreach i in {1,2} do (i@{9})"),
    ("foreach i in {1,2} do x:=i; x+1", "foreach i in {1,2} do (x:=i; (x+1))"),
    ("y:=repeat x:=d4 until x>2; y*10", "y:=(repeat x:=(d4) until (x>2)); (y*10)"),
    ("if 1 then x:=2; x else 3", "if 1 then (x:=2; x) else 3"),
    ("if 1=1 then if 1=2 then 1 else 2 else 3", "if (1=1) then (if (1=2) then 1 else 2) else 3"),
    ("repeat x:=repeat y:=d6 until y>2 until x>3", "repeat x:=(repeat y:=d6 until (y>2)) until (x>3)"),
    // A binding may stand anywhere.
    ("1+x:=1; x", "1+(x:=1; x)"),
    ("x:=1; x+1", "x:=1; (x+1)"),
    ("x:=y:=2; y; x", "x:=(y:=2; y); x"),
    ("sum x:=1; x + 2", "sum (x:=1; (x+2))"),
    // `~` holds on to the name before it.
    ("x ~ 3 + 1", "(x~3)+1"),
    ("x ~ 3 # 2", "x~(3#2)"),
    ("d x ~ 6", "d (x~6)"),
    // Texts.
    ("\"a\" || 2'1", "\"a\" || (2'1)"),
    ("2'1 || \"a\"", "(2'1) || \"a\""),
    ("1+2'd6", "1+(2'(d6))"),
    ("1=2'3", "(1=2)'3"),
    ("2'3=4", "(2'3)=4"),
    ("2'3'4", "(2'3)'4"),
    ("2'3#4", "2'(3#4)"),
    ("1 |> 2 <> 3", "1 |> (2 <> 3)"),
    ("\"a\" || 1..3", "\"a\" || (1..3)"),
    // Blanks and comments.
    ("3 \\ comment to the end\n + 4", "3+4"),
    ("? 0.5 & 3", "(?0.5)&3"),
    ("007", "7"),
    ("\x0c3\td\r\n6", "3d6"),
    // The order of declarations, and a body that goes on over the end of a line.
    ("function f(x) = x\n-3 call f(1)", "function f(x) = (x-3) call f(1)"),
    ("function f(x) = x\nfunction g(x) = x\n1", "1\nfunction f(x) = x\nfunction g(x) = x"),
];

/// Texts that are not Troll.
const WRONG: &[&str] = &[
    "least 3-1 {4,5,6}",
    "least 1+1-1 {4}",
    "sum 2'd6",
    "least 1 2'3",
    "'2'3",
    "1..2..3",
    "1.. -2 ..3",
    "x := 3",
    "x := 3;",
    "3d6;",
    "nd10",
    "1=>2",
    "?.5",
    "?1.0",
    "1.5",
    "0.5",
    "(x) := 3; x",
    "1 ~ 2",
    "call f()",
    "call sum(1)",
    "function f() = 1 2",
    "function f(x) = x",
    "compositional f(0, median, +) 1",
    "compositional f(0, sum, -) 1",
    "let x = 3 in x",
    "[1]",
    "[1,2,3]",
    "{1,}",
    "\0",
    "3\u{a0}d6",
    "9223372036854775808",
    "\"a\nb\"",
    "",
    "\\ only a comment",
];

#[test]
fn texts_are_read_as_the_reference_reads_them() {
    let read = |text: &str| written(&parse(text).unwrap_or_else(|found| panic!("{text:?}: {found:?}")));
    for (text, explicit) in SAME {
        assert_eq!(read(text), read(explicit), "{text:?}");
    }
}

#[test]
fn what_is_not_troll_is_refused() {
    for text in WRONG {
        let found = parse(text).expect_err(text);
        assert_eq!(found.len(), 1, "{text:?}");
        assert_eq!(found[0].code, Code::Syntax, "{text:?}");
    }
}

#[test]
fn the_largest_number_is_read() {
    assert_eq!(written(&parse("9223372036854775807 + 1").unwrap()), "(+ 9223372036854775807 1)");
}
