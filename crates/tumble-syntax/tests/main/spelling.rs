//! The canonical spelling: `parse(spell(tree)) = tree`, with no parenthesis too many.

use crate::random::tree;
use crate::round::{Round, check};
use crate::written::written;
use tumble_syntax::troll::{parse, spell};

const SPELLED: &[(&str, &str)] = &[
    ("sum(largest(3)(4 d 6))", "sum largest 3 4d6"),
    ("x:=2d6;((max x)-(min x))", "x := 2d6; max x - min x"),
    ("(N)D(10)", "N d10"),
    ("d(n)", "d n"),
    ("3-(-2)", "3 - -2"),
    ("-(-2)", "- -2"),
    ("(1..2)..3", "(1..2)..3"),
    ("2*(if 1 then 2 else 3)+4", "2 * (if 1 then 2 else 3) + 4"),
    ("1+(x:=1;x)", "1 + x := 1; x"),
    ("(x:=1;x)+1", "(x := 1; x) + 1"),
    ("least(3-1){4}", "least (3 - 1) {4}"),
    ("largest(1+n)(d6)", "largest (1 + n) d6"),
    ("largest(n)(d6)", "largest n d6"),
    ("sum (2'd6)", "sum (2'd6)"),
    ("?0.500", "?0.5"),
    ("?0.0", "?0.0"),
    ("%1[1,2]", "%1 [1, 2]"),
    ("compositional s(0,sgn,U) call s({1})", "call s({1})\ncompositional s(0, sgn, @)"),
    ("\"a||b\"||(2#('d6))", "\"a||b\" || 2#'d6"),
    ("accumulate x:=d6 while(x=6)", "accumulate x := d6 while x = 6"),
];

#[test]
fn texts_are_spelled_like_this() {
    for (text, spelled) in SPELLED {
        assert_eq!(spell(&parse(text).unwrap()), *spelled, "{text:?}");
    }
}

#[test]
fn a_spelled_tree_is_read_back() {
    check(&Round { tree, spell, parse, written, sparing: true });
}
