//! nice-dice: how texts are read and spelled, what they mean, and how deep and long they may be.

use crate::deep::{Nesting, accepted, chained, refused};
use crate::random::Random;
use crate::round::{Round, check};
use tumble_core::{Span, Term, print};
use tumble_syntax::nice::syntax::{Expr, Keep, NodeId, Nodes, OPERATORS, Tree};
use tumble_syntax::nice::{parse, spell};
use tumble_syntax::{Compiled, Vars, compile, notation};

const SPELLED: &[(&str, &str)] = &[
    ("2 d 6 kh 1 - ( 3 )", "2d6kh-3"),
    ("4d6kl1", "4d6kl"),
    ("4d6kh0", "4d6kh0"),
    ("(2)(d6)", "2d6"),
    ("(2)((d6)+1)", "2(d6+1)"),
    ("((d2))(3)", "(d2)(3)"),
    ("1+(2+(3-4))", "1+2+3-4"),
    ("1-(2+3)", "1-(2+3)"),
    ("1-(2-3)-4", "1-(2-3)-4"),
    ("8/2/2", "8 / 2 / 2"),
    ("8/(2/2)", "8 / (2 / 2)"),
    ("8*(2/2)", "8 * (2 / 2)"),
    ("(8*2)/2", "8 * 2 / 2"),
    ("(1+2)*3", "(1+2) * 3"),
    ("2*-3", "2 * -3"),
    ("-(2*3)", "-(2 * 3)"),
    ("-(-(4))", "4"),
    ("-(-(1+2))*3", "(1+2) * 3"),
    ("4 - -4", "4--4"),
    ("-+3", "-3"),
    ("-2d4", "-2d4"),
    ("d4 >= 2", "d4 ≥ 2"),
    ("d4<=2", "d4 ≤ 2"),
    ("d4==2", "d4 = 2"),
    ("(1<2)<3", "(1 < 2) < 3"),
    ("1+(2<3)", "1+(2 < 3)"),
    ("(1+2)<(3*4)", "1+2 < 3 * 4"),
    ("2 × 3", "2 * 3"),
    ("[ A : ( d4 ) ]([B:1]A+B)", "[A: d4] [B: 1] A+B"),
    ("([A:1]A)+1", "([A: 1] A)+1"),
    ("1+([A:1]A)", "1+([A: 1] A)"),
    ("[A:[B:d4]B]A", "[A: [B: d4] B] A"),
    ("2([A:d20]A)kh", "2([A: d20] A)kh"),
    ("( A )d4", "(A)d4"),
];

/// The meaning of texts, as terms of the core; `N` is 4.
const MEANS: &[(&str, &str)] = &[
    ("d6 + 1", "add(draw(1..6), 1)"),
    ("-3", "-3"),
    ("-d6", "neg(draw(1..6))"),
    ("3d6", "sum(gather(repeat(3, draw(1..6))))"),
    ("4d6kh3", "sum(largest(3, gather(repeat(4, draw(1..6)))))"),
    ("2d20kl", "sum(least(1, gather(repeat(2, draw(1..20)))))"),
    ("(d2)(d4 - 1)", "sum(gather(repeat(draw(1..2), sub(draw(1..4), 1))))"),
    ("7 / 2 * 2", "mul(quot(7, 2), 2)"),
    ("1 < 2", "if some(more(2, gather(1))) then 1 else 0"),
    ("d4 == 2", "if some(equal(2, gather(draw(1..4)))) then 1 else 0"),
    ("[A: d4] [A: A] A", "let A0 = draw(1..4) in let A1 = A0 in A1"),
    ("N + 1", "add(4, 1)"),
    ("[N: 2] N", "let N = 2 in N"),
    ("(d2)d4kh0", "sum(largest(0, gather(repeat(draw(1..2), draw(1..4)))))"),
];

fn lowered(text: &str) -> Compiled {
    let vars: Vars = [("N".to_owned(), 4), ("small".to_owned(), 1)].into();
    compile(notation("nice").unwrap(), text, &vars).unwrap_or_else(|found| panic!("{text:?}: {found:?}"))
}

#[test]
fn texts_are_spelled_like_this() {
    for (text, spelled) in SPELLED {
        let tree = parse(text).unwrap_or_else(|found| panic!("{text:?}: {found:?}"));
        assert_eq!(spell(&tree), *spelled, "{text:?}");
        assert_eq!(written(&parse(spelled).unwrap()), written(&tree), "{text:?}");
    }
}

#[test]
fn texts_mean_these_terms() {
    for (text, means) in MEANS {
        assert_eq!(print(&lowered(text).program), *means, "{text:?}");
    }
}

#[test]
fn a_spelled_tree_is_read_back() {
    check(&Round { tree, spell, parse, written, sparing: true });
}

/// A tree made at random.
fn tree(random: &mut Random, size: usize) -> Tree {
    let mut nodes = Nodes::default();
    let main = grow(random, &mut nodes, size);
    Tree { nodes, main }
}

/// A tree with all its brackets; `a + (b + c)` and `-(-a)` as `a + b + c` and `a`.
fn written(tree: &Tree) -> String {
    of(tree, tree.main)
}

fn of(tree: &Tree, id: NodeId) -> String {
    match tree.nodes.expr(id) {
        Expr::Number(n) => n.to_string(),
        Expr::Name(name) => name.clone(),
        Expr::Die(sides) => format!("d{sides}"),
        Expr::Repeat(count, body, keep) => format!("(repeat {} {} {keep:?})", of(tree, *count), of(tree, *body)),
        Expr::Negative(inside) => match tree.nodes.expr(*inside) {
            Expr::Negative(inside) => of(tree, *inside),
            _ => format!("(- {})", of(tree, *inside)),
        },
        Expr::Infix(op, ..) if matches!(op.sign, "+" | "-") => format!("(sum{})", terms(tree, id)),
        Expr::Infix(op, a, b) => format!("({} {} {})", op.sign, of(tree, *a), of(tree, *b)),
        Expr::Bind(name, value, body) => format!("(let {name} {} {})", of(tree, *value), of(tree, *body)),
    }
}

/// The terms of a sum with their signs.
fn terms(tree: &Tree, id: NodeId) -> String {
    match tree.nodes.expr(id) {
        Expr::Infix(op, a, b) if op.sign == "+" => terms(tree, *a) + &terms(tree, *b),
        Expr::Infix(op, a, b) if op.sign == "-" => format!("{} -{}", terms(tree, *a), of(tree, *b)),
        Expr::Negative(inside) => match tree.nodes.expr(*inside) {
            Expr::Negative(inside) => terms(tree, *inside),
            _ => format!(" +{}", of(tree, id)),
        },
        _ => format!(" +{}", of(tree, id)),
    }
}

/// A random tree of about `size` nodes.
fn grow(random: &mut Random, nodes: &mut Nodes, size: usize) -> NodeId {
    let name = |random: &mut Random| random.pick(&["A", "D", "KH", "ATK"]).to_owned();
    let left = random.below(size.max(1));
    let expr = match random.below(if size <= 1 { 3 } else { 10 }) {
        0 => Expr::Number(random.pick(&[0, 1, 2, 20, i64::MAX])),
        1 => Expr::Name(name(random)),
        2 => Expr::Die(random.pick(&[0, 1, 6, 100])),
        3 | 4 => {
            let highest = random.below(2) == 0;
            let number = random.pick(&[0, 1, 3]);
            let keep = random.pick(&[None, Some(Keep { highest, number })]);
            Expr::Repeat(grow(random, nodes, left), grow(random, nodes, size - 1 - left), keep)
        }
        5 => Expr::Negative(grow(random, nodes, size - 1)),
        6 => {
            let value = grow(random, nodes, left);
            Expr::Bind(name(random), value, grow(random, nodes, size - 1 - left))
        }
        _ => {
            let a = grow(random, nodes, left);
            Expr::Infix(random.row(OPERATORS), a, grow(random, nodes, size - 1 - left))
        }
    };
    nodes.add(Span::default(), expr)
}

#[test]
fn every_vector_is_spelled_anew() {
    let trees: Vec<Tree> = crate::vectors::texts("nice").iter().filter_map(|text| parse(text).ok()).collect();
    assert!(trees.len() > 150);
    for tree in trees {
        let spelled = spell(&tree);
        assert_eq!(written(&parse(&spelled).unwrap()), written(&tree), "{spelled:?}");
    }
}

/// Many doubtful places in one text, and many names without a value, cost no more than the text.
#[test]
fn advice_is_cheap() {
    let text = format!("(1<2)(1){}", "+(1<2)(1)".repeat(40));
    assert_eq!(lowered(&text).warnings.len(), 41);
    let letters = |n: usize| (0..4).map(|at| char::from(b'A' + (n / 26usize.pow(at) % 26) as u8)).collect::<String>();
    let names: Vec<String> = (0..200_000).map(letters).collect();
    let found = compile(notation("nice").unwrap(), &names.join("+"), &Vars::new()).unwrap_err();
    assert_eq!(found[0].kind.as_deref(), Some("unbound-symbols"));
}

#[test]
fn every_piece_of_the_reference_is_a_program() {
    for piece in notation("nice").unwrap().reference {
        lowered(piece.example);
    }
}

#[test]
fn warnings_are_about_accidental_repetition() {
    for (text, hint) in [
        ("(d20 > 1) (d20 + 5 >= 12)", Some("to multiply: `(d20 > 1) * (d20 + 5 >= 12)`")),
        ("(d20 > 1)d6", Some("to multiply: `(d20 > 1) * d6`")),
        ("[A: d20] 6 / (A > 0) (A)", Some("to multiply: `[A: d20] 6 / ((A > 0) * (A))`")),
        ("(d20 > 0)d6kh", None),
        ("2(d20 > 1)", None),
        ("(d4)(d20 > 1)", None),
    ] {
        let warnings = lowered(text).warnings;
        let odd = text.contains(" (d") || text.contains(" (A)") || text.contains(")d6");
        assert_eq!(warnings.len(), usize::from(odd), "{text:?}: {warnings:?}");
        assert_eq!(warnings.first().and_then(|warning| warning.hint.as_deref()), hint, "{text:?}");
    }
}

#[test]
fn free_names_are_told_together() {
    let nice = notation("nice").unwrap();
    let found = compile(nice, "[A: B] A + C + B / d0 + d", &Vars::new()).unwrap_err();
    assert_eq!(found[0].kind.as_deref(), Some("parse"));
    let found = compile(nice, "[A: B] A + C + B / d0", &Vars::new()).unwrap_err();
    assert_eq!(
        (found[0].kind.as_deref(), found[0].message.as_str()),
        (Some("unbound-symbols"), "unknown names `B` and `C`")
    );
    let found = compile(nice, "small + N", &[("small".to_owned(), 1)].into()).unwrap_err();
    assert_eq!(found[0].kind.as_deref(), Some("invalid-symbol"));
}

/// Every die has the place of the whole term it is rolled for.
#[test]
fn dice_know_their_places() {
    for (text, wanted) in
        [("1 + (4d6kh3) * 2", "4d6kh3"), ("2 (d 4 + 1)", "d 4"), ("(3) d 8", "(3) d 8"), ("2 * ( d20 )", "d20")]
    {
        let program = lowered(text).program;
        let dice = program.nodes().iter().find(|node| matches!(node.term, Term::Draw { .. })).unwrap();
        assert_eq!(&text[dice.span.start..dice.span.end], wanted, "{text:?}");
    }
}

const NESTING: &[Nesting] = &[
    ("(", "1", ")"),
    ("-(", "1", ")"),
    ("2(", "1", ")"),
    ("(", "1", ")d6"),
    ("(", "1", ")(2)kh0"),
    ("1+(", "1", ")"),
    ("1<1+1*(", "1", ")"),
    ("[A: 1] ", "A", ""),
    ("[A: ", "1", "] A"),
];

const CHAINS: &[&str] = &["+1", "-1", "*1", "/1", "×1", "*1-1", "+2d6", "-d4", "+(1)", "+1(1)"];

#[test]
fn deep_texts_are_refused() {
    refused("nice", NESTING, "");
}

#[test]
fn texts_of_allowed_depth_are_compiled_and_spelled() {
    accepted("nice", NESTING, 198, "");
}

#[test]
fn long_chains_are_compiled_and_spelled() {
    chained("nice", "1", CHAINS);
}
