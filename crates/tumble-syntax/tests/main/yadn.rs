//! YADN: how texts are read, spelled and lowered; random trees; long and deep texts.

use crate::deep::{Nesting, accepted, chained, refused};
use crate::random::Random;
use crate::round::{Round, check, no_term_is_left_over};
use tumble_core::{Code, Span, Term, print};
use tumble_syntax::yadn::syntax::{Definition, Expr, INFIXES, NodeId, Nodes, REDUCES, Roll, Scalar, Tree};
use tumble_syntax::yadn::{parse, spell};
use tumble_syntax::{Compiled, Vars, compile, notation};

/// A text and its canonical spelling, which shows how it is read.
const SPELLED: &[(&str, &str)] = &[
    ("S(4 dp 6 ph 3)", "S 4dp6 ph 3"),
    ("(S 4dp6)ph 3", "(S 4dp6) ph 3"),
    ("S 3dp6 d 4", "S 3dp6d4"),
    ("S 2dp6+3", "S 2dp6 + 3"),
    ("[3,1,9]ns 2+1", "[3, 1, 9] ns 2 + 1"),
    ("[3,1,9] ns (2+1)", "[3, 1, 9] ns (2 + 1)"),
    ("2d3^2", "2d3 ^ 2"),
    ("2d(3^2)", "2d(3 ^ 2)"),
    ("2^2d1", "2 ^ 2d1"),
    ("1d6d4", "1d6d4"),
    ("1d(6d4)", "1d(6d4)"),
    ("2^3^2", "2 ^ 3 ^ 2"),
    ("(2^3)^2", "(2 ^ 3) ^ 2"),
    ("-2^2", "-2 ^ 2"),
    ("-(2^2)", "-(2 ^ 2)"),
    ("--3", "--3"),
    ("-(3)", "-(3)"),
    ("- 3", "-3"),
    ("-1d6", "-1d6"),
    ("-(1d6)", "-(1d6)"),
    ("10--3", "10 - -3"),
    ("-S[1]pa 2", "-S [1] pa 2"),
    ("[1]pa S[2]ph 3", "[1] pa S [2] ph 3"),
    ("([1]pa S[2])ph 3", "[1] pa (S [2]) ph 3"),
    ("d20", "1d20"),
    ("2^d6", "2 ^ 1d6"),
    ("3dp d6", "3dp(1d6)"),
    ("[1] pa d6 ph 2", "[1] pa (1d6) ph 2"),
    ("d%", "1d100"),
    ("2D%", "2d100"),
    ("1p8m\"ability\"", "1dp8 m \"ability\""),
    ("2g3 m= \"fate\" m \"x\"", "2dp3 m \"fate\" m \"x\""),
    ("2dp!6", "2g!6"),
    ("[1]ps 2;[1]pz 2", "[1] ns 2; [1] p% 2"),
    ("true==false", "T == F"),
    ("(1>2)==T", "(1 > 2) == T"),
    ("T?1:F?2:3", "T ? 1 : F ? 2 : 3"),
    ("(T?T:F)?1:3", "(T ? T : F) ? 1 : 3"),
    ("T?1 m \"a\":2", "T ? 1 m \"a\" : 2"),
    ("T?1:2 m \"a\"", "T ? 1 : 2 m \"a\""),
    ("T?1:(2 m \"a\")", "T ? 1 : (2 m \"a\")"),
    ("1+1m\"x\"", "1 + 1 m \"x\""),
    ("1+(1m\"x\")", "1 + (1 m \"x\")"),
    ("{\"x\"=--1:\"a\",\"b\":2};007;", "{\"x\" = 1: \"a\", \"b\": 2}; 7"),
    ("\u{a0}3\r\n+\u{2003}4", "3 + 4"),
    ("[]", "[]"),
    ("-9223372036854775808", "-9223372036854775808"),
];

/// Texts and what they mean, in the spelling of the core.
const MEANS: &[(&str, &str)] = &[
    ("3d6", "sum(gather(repeat(3, draw(1..6))))"),
    ("3dp6", "gather(repeat(3, draw(1..6)))"),
    ("-3d6", "neg(sum(gather(repeat(3, draw(1..6)))))"),
    ("(1d4)d6", "let n = sum(gather(repeat(1, draw(1..4)))) in sum(gather(repeat(n, draw(1..6))))"),
    ("2d(1d6)", "let n = sum(gather(repeat(1, draw(1..6)))) in sum(gather(repeat(2, draw(1..n))))"),
    ("2dh20", "only(largest(1, gather(repeat(2, draw(1..20)))))"),
    ("2dl20", "only(least(1, gather(repeat(2, draw(1..20)))))"),
    ("2dc20", "digits(each_mod(10, gather(repeat(2, draw(1..20)))))"),
    ("0dh6", "fail(\"runtime\", \"\", \"there are no dice to take the highest of\", \"\")"),
    ("1d!6", "sum(gather(repeat(1, sum(gather(accumulate(face = draw(1..6), some(unequal(6, gather(face)))))))))"),
    ("3g!6", "gather(repeat(3, sum(gather(accumulate(face = draw(1..6), some(unequal(6, gather(face))))))))"),
    ("4dp6 ph 3", "largest(3, gather(repeat(4, draw(1..6))))"),
    ("5dp10 ns 7", "count(at_most(7, gather(repeat(5, draw(1..10)))))"),
    ("5dp10 nb 7", BOTCHES),
    ("[1, 2] ss 3", "if some(at_most(3, gather(sum([1, 2])))) then \"success\" else \"failure\""),
    ("4dp6 pa (1d6)", "let pool = gather(repeat(4, draw(1..6))) in at_most(sum(gather(repeat(1, draw(1..6)))), pool)"),
    ("1d6 > 3", "some(less(3, gather(sum(gather(repeat(1, draw(1..6)))))))"),
    ("T == F", "same(true, false)"),
    ("\"a\" != \"b\"", "if same(\"a\", \"b\") then false else true"),
    ("(T ? 1 : \"a\") + 1", "add(add(if true then 1 else \"a\", 0), 1)"),
    ("[1, 2] m \"fudge\"", "look_up(\"fudge\", [(1, -1), (2, 0), (3, 1)], [1, 2])"),
    ("{\"x\" = 1: 2, 1: 3}; 1 m \"x\"", "look_up(\"x\", [(1, 3)], 1)"),
    ("{\"x\" = 1: 2}", "<>"),
    ("1; [2]", "results(1, [2])"),
    ("1;", "1"),
];

const BOTCHES: &str = "sum(gather(each(member in cap(7, gather(repeat(5, draw(1..10)))), \
    sub(if some(at_most(7, gather(member))) then 1 else 0, if some(equal(1, gather(member))) then 1 else 0))))";

fn lowered(text: &str) -> Compiled {
    compile(notation("yadn").unwrap(), text, &Vars::new()).unwrap_or_else(|found| panic!("{text:?}: {found:?}"))
}

#[test]
fn texts_are_spelled_like_this() {
    for (text, spelled) in SPELLED {
        let tree = parse(text).unwrap_or_else(|found| panic!("{text:?}: {found:?}"));
        assert_eq!(spell(&tree), *spelled, "{text:?}");
    }
}

#[test]
fn texts_mean_these_terms() {
    for (text, means) in MEANS {
        assert_eq!(print(&lowered(text).program), *means, "{text:?}");
    }
}

/// Every term of a program stands in it.
#[test]
fn terms_are_all_reached() {
    let shown = notation("yadn").unwrap().reference.iter().map(|piece| piece.example);
    for text in MEANS.iter().map(|(text, _)| *text).chain(shown) {
        let program = lowered(text).program;
        no_term_is_left_over(&program, text);
    }
}

/// The dice of a term are told where the term ends.
#[test]
fn dice_know_their_places() {
    for (text, place) in [("1 + S 4dp6 ph 3", "4dp6"), ("2 * 4dw6", "4dw6"), ("S (2g!6)", "(2g!6)"), ("d20+1", "d20")] {
        for node in lowered(text).program.nodes() {
            if matches!(node.term, Term::Draw { .. } | Term::Repeat { .. }) {
                assert_eq!(&text[node.span.start..node.span.end], place, "{text:?}");
            }
        }
    }
}

#[test]
fn a_spelled_tree_is_read_back() {
    check(&Round { tree, spell, parse, written, sparing: true });
}

/// What nests.
const NESTING: &[Nesting] = &[
    ("(", "1", ")"),
    ("- ", "(1)", ""),
    ("2^", "1", ""),
    ("T ? 1 : ", "1", ""),
    ("T ? ", "1", " : 1"),
    ("(", "T", ") ? T : F"),
    ("1d(", "1", ")"),
    ("1+(2*(", "1", "))"),
    ("S(1dp(", "1", "))"),
];

/// What may be repeated as often as anyone likes.
const CHAINS: &[&str] = &["+1", "-1", "*1", "/1", "%1", "d1", "dh1", ";1", "- --1", "+ S [1] pa 1 pa 1"];

#[test]
fn deep_texts_are_refused() {
    refused("yadn", NESTING, "");
    refused("yadn", &[("S ", "1", ""), ("d ", "1", "")], "");
}

#[test]
fn texts_of_allowed_depth_are_compiled_and_spelled() {
    accepted("yadn", NESTING, 49, "");
    accepted("yadn", &NESTING[..3], 190, "");
}

#[test]
fn long_chains_are_compiled_and_spelled() {
    chained("yadn", "1", CHAINS);
    chained("yadn", "[1]", &[" pa 1", " ph 1"]);
    let maps = " m \"a\"".repeat(20_000);
    lowered(&format!("{{\"a\" = 1: 1}}; 1{maps}"));
    lowered(&format!("[1{}]", ",2".repeat(100_000)));
    lowered(&format!("{{\"a\" = 1: 1{}}}", ",2: 3".repeat(100_000)));
}

#[test]
fn a_text_of_more_than_a_mebibyte_is_refused() {
    let yadn = notation("yadn").unwrap();
    let found = compile(yadn, &" ".repeat((1 << 20) + 1), &Vars::new()).unwrap_err();
    assert_eq!(found[0].code, Code::Limit);
}

/// A random tree of about `size` nodes.
fn tree(random: &mut Random, size: usize) -> Tree {
    let mut grower = Grower { random, nodes: Nodes::default() };
    let count = 1 + grower.random.below(3);
    let rolls = (0..count).map(|_| grower.roll(size / count)).collect();
    Tree { nodes: grower.nodes, rolls }
}

struct Grower<'r> {
    random: &'r mut Random,
    nodes: Nodes,
}

const TEXTS: &[&str] = &["", "a", "a;b", "}", "ä→9 ", "two\nlines", "m", "[1]", "`"];

impl Grower<'_> {
    fn roll(&mut self, size: usize) -> Roll {
        if self.random.below(6) > 0 {
            return Roll::Result(self.expr(size));
        }
        let count = 1 + self.random.below(3);
        let pairs = (0..count).map(|_| (self.scalar(), self.scalar())).collect();
        Roll::Define(Definition { name: self.text(), pairs })
    }

    fn expr(&mut self, size: usize) -> NodeId {
        let expr = if size <= 1 { self.leaf() } else { self.form(size - 1) };
        self.nodes.add(Span::default(), expr)
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(7) {
            0 => Expr::Text(self.text()),
            1 => Expr::Truth(self.random.below(2) == 0),
            2 => {
                let count = self.random.below(3);
                Expr::Pool((0..count).map(|_| self.scalar()).collect())
            }
            _ => Expr::Number(self.number()),
        }
    }

    fn form(&mut self, size: usize) -> Expr {
        match self.random.below(12) {
            0 => Expr::Minus(self.expr(size)),
            1 | 2 => Expr::Reduce(self.random.row(REDUCES), self.expr(size)),
            3 => Expr::Map(self.expr(size), self.text()),
            4 => Expr::Choice(self.expr(size / 3), self.expr(size / 3), self.expr(size / 3)),
            _ => {
                let left = self.random.below(size.max(1));
                Expr::Infix(self.random.row(INFIXES), self.expr(left), self.expr(size - left))
            }
        }
    }

    fn scalar(&mut self) -> Scalar {
        if self.random.below(3) == 0 { Scalar::Text(self.text()) } else { Scalar::Number(self.number()) }
    }

    fn number(&mut self) -> i64 {
        self.random.pick(&[0, 1, 6, 10, -1, -6, i64::MAX, i64::MIN])
    }

    fn text(&mut self) -> String {
        self.random.pick(TEXTS).to_owned()
    }
}

/// A tree with all its brackets, so that two trees can be compared without their places.
fn written(tree: &Tree) -> String {
    let rolls = tree.rolls.iter().map(|roll| match roll {
        Roll::Define(definition) => format!("{definition:?}"),
        Roll::Result(id) => of(tree, *id),
    });
    rolls.collect::<Vec<_>>().join(" ; ")
}

fn of(tree: &Tree, id: NodeId) -> String {
    match tree.nodes.expr(id) {
        Expr::Minus(a) => format!("(- {})", of(tree, *a)),
        Expr::Reduce(op, a) => format!("({} {})", op.sign, of(tree, *a)),
        Expr::Infix(op, a, b) => format!("({} {} {})", op.sign, of(tree, *a), of(tree, *b)),
        Expr::Choice(a, b, c) => format!("(? {} {} {})", of(tree, *a), of(tree, *b), of(tree, *c)),
        Expr::Map(a, name) => format!("(m {} {name:?})", of(tree, *a)),
        leaf => format!("{leaf:?}"),
    }
}
