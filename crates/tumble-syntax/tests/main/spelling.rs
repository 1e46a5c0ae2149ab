//! The canonical spelling: `parse(spell(tree)) = tree`, with no parenthesis too many.

use crate::random::{Random, tree};
use crate::written::written;
use tumble_syntax::troll::{parse, spell};

const CASES: u64 = 20_000;

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
    for seed in 0..CASES {
        let mut random = Random::new(seed);
        let size = 1 + random.below(24);
        let tree = tree(&mut random, size);
        let spelled = spell(&tree);
        let again = parse(&spelled).unwrap_or_else(|found| panic!("seed {seed}: {spelled:?}: {found:?}"));
        assert_eq!(written(&again), written(&tree), "seed {seed}: {spelled:?}");
        assert_no_parentheses_too_many(seed, &spelled, &written(&tree));
    }
}

/// Without any one pair of parentheses the text is wrong or means something else.
fn assert_no_parentheses_too_many(seed: u64, spelled: &str, meaning: &str) {
    for (open, close) in pairs(spelled) {
        let without = format!("{} {} {}", &spelled[..open], &spelled[open + 1..close], &spelled[close + 1..]);
        if let Ok(tree) = parse(&without) {
            assert_ne!(written(&tree), meaning, "seed {seed}: {spelled:?} needs no parentheses at {open}");
        }
    }
}

/// The places of matching parentheses outside quotes.
pub(crate) fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs, mut quoted) = (Vec::new(), Vec::new(), false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => open.push(at),
            ')' if !quoted => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs
}
