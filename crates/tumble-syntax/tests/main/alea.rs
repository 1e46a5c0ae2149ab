//! Alea: how texts are read and spelled, what they mean in the core, and what is remarked on.

use crate::deep::chained;
use crate::random::Random;
use crate::round::{Round, check, no_term_is_left_over};
use tumble_core::{Code, Compare, Span, Term as CoreTerm, print};
use tumble_syntax::alea::syntax::{Change, Count, Die, Modifier, Operand, Pool, Sides, Term, Tree, Which};
use tumble_syntax::alea::{parse, spell};
use tumble_syntax::{Compiled, Vars, compile, notation};

/// How many random trees are spelled and read back.
/// A text and its canonical spelling.
const SPELLED: &[(&str, &str)] = &[
    ("1d20", "d20"),
    (" 3d6+d4 \n+ 2 ", "3d6 + d4 + 2"),
    ("d20+1", "d20 + 1"),
    ("d20+ 1", "d20 + 1"),
    ("d20 +1", "d20 + 1"),
    ("d20+", "d20+"),
    ("d20++1", "d20+ + 1"),
    ("d20+ + 1", "d20+ + 1"),
    ("d20+-", "d20+-"),
    ("d20+-1", "d20+ - 1"),
    ("d20-+2", "d20- + 2"),
    ("d20+-d4", "d20+ - d4"),
    ("d20!+1", "d20! + 1"),
    ("2d6KH+3", "2d6KH + 3"),
    ("2d6KH+ + 3", "2d6KH+ + 3"),
    ("5d6C+2", "5d6C + 2"),
    ("d6M+1", "d6M + 1"),
    ("3d6KR", "3d6K"),
    ("3d6K1R", "3d6K"),
    ("3d6KR2", "3d6K2"),
    ("4d6KH3", "4d6K3H"),
    ("4d6DL1", "4d6DL"),
    ("3d6KM", "3d6KM"),
    ("dF1", "dF"),
    ("dF0", "dF0"),
    ("d[1..-1]", "d[-1..1]"),
    ("d[ -1 .. 1 ]", "d[-1..1]"),
    ("d{ 1,1 , 100 }", "d{1, 1, 100}"),
    ("d{20..1}", "d{1..20}"),
    ("d6!!!", "d6!!!"),
    ("d6!5d4", "d6!5d4"),
    ("d6!!5d{1,2}KHC!", "d6!!5d{1, 2}KHC!"),
    ("4dFC<-1", "4dFC<-1"),
    ("007d06", "7d6"),
];

#[test]
fn texts_are_spelled_like_this() {
    for (text, spelled) in SPELLED {
        assert_eq!(spell(&parse(text).unwrap()), *spelled, "{text:?}");
    }
}

#[test]
fn a_spelled_tree_is_read_back() {
    check(&Round { tree: |random, _| tree(random), spell, parse, written, sparing: false });
}

fn tree(random: &mut Random) -> Tree {
    let terms = (0..1 + random.below(4)).map(|at| {
        let operand = if random.below(5) == 0 { Operand::Number(number(random)) } else { Operand::Pool(pool(random)) };
        Term { minus: at > 0 && random.below(2) == 0, operand, span: Span::default() }
    });
    Tree { terms: terms.collect() }
}

fn pool(random: &mut Random) -> Pool {
    let mut modifiers: Vec<Modifier> = Vec::new();
    for _ in 0..random.below(6) {
        let change = change(random);
        // `!` and `!` would be read as `!!`.
        let bare = matches!(
            modifiers.last().map(|last| &last.change),
            Some(Change::Explode { chain: false, from: None, with: None })
        );
        if !(bare && matches!(change, Change::Explode { .. })) {
            modifiers.push(Modifier { change, span: Span::default() });
        }
    }
    let counts = [
        Count::All,
        Count::Largest,
        Count::Smallest,
        Count::Exploded,
        Count::Those(Compare::AtLeast, -3),
        Count::Those(Compare::AtMost, i64::MIN),
        Count::Those(Compare::More, 4),
        Count::Those(Compare::Less, i64::MAX),
    ];
    let count = if random.below(2) == 0 { Some(random.pick(&counts)) } else { None };
    Pool { dice: number(random), die: die(random), modifiers, count }
}

fn change(random: &mut Random) -> Change {
    let which = random.pick(&[Which::Highest, Which::Lowest, Which::Random]);
    match random.below(7) {
        0 => Change::Advantage,
        1 => Change::Disadvantage,
        2 => Change::Maximize,
        3 => Change::Minimize,
        4 => Change::Keep(number(random), which),
        5 => Change::Drop(number(random), which),
        _ => Change::Explode {
            chain: random.below(2) == 0,
            from: if random.below(2) == 0 { Some(number(random)) } else { None },
            with: if random.below(3) == 0 { Some(die(random)) } else { None },
        },
    }
}

fn die(random: &mut Random) -> Die {
    let ends = [(-2, 2), (3, 3), (i64::MIN, i64::MAX), (0, 9)];
    let sides = match random.below(5) {
        0 => Sides::Percent,
        1 => Sides::Fudge(number(random)),
        2 => {
            let (from, to) = random.pick(&ends);
            Sides::Range(from, to)
        }
        3 => Sides::List((0..1 + random.below(3)).map(|_| random.pick(&ends)).collect()),
        _ => Sides::Plain(number(random)),
    };
    Die { sides, span: Span::default() }
}

fn number(random: &mut Random) -> i64 {
    random.pick(&[0, 1, 1, 1, 2, 3, 6, 20, i64::MAX])
}

/// A tree without its places.
fn written(tree: &Tree) -> String {
    let change = |change: &Change| match change {
        Change::Explode { chain, from, with } => {
            format!("{chain} {from:?} {:?}", with.as_ref().map(|die| &die.sides))
        }
        other => format!("{other:?}"),
    };
    let term = |term: &Term| match &term.operand {
        Operand::Number(n) => format!("{} {n}", term.minus),
        Operand::Pool(pool) => {
            let changes: Vec<String> = pool.modifiers.iter().map(|modifier| change(&modifier.change)).collect();
            format!("{} {} {:?} {changes:?} {:?}", term.minus, pool.dice, pool.die.sides, pool.count)
        }
    };
    tree.terms.iter().map(term).collect::<Vec<_>>().join("; ")
}

fn lowered(text: &str) -> Compiled {
    compile(notation("alea").unwrap(), text, &Vars::new()).unwrap_or_else(|found| panic!("{text:?}: {found:?}"))
}

/// A text and its program in the spelling of the core.
const MEANS: &[(&str, &str)] = &[
    ("d20", "draw(1..20)"),
    ("7", "7"),
    ("d% - 2", "sub(draw(1..100), 2)"),
    ("3d6 + dF", "add(sum(gather(repeat(3, draw(1..6)))), draw(-1..1))"),
    ("d{1..20}", "draw(1..20)"),
    ("d{1, 1, 100}", "draw(1 x2 or 100 x1)"),
    ("0d6", "sum(gather(repeat(0, draw(1..6))))"),
    // How to roll.
    ("d20+", "only(largest(1, gather(repeat(2, draw(1..20)))))"),
    ("d20++", "only(largest(1, gather(repeat(4, draw(1..20)))))"),
    ("d6+-", "only(least(1, gather(repeat(2, only(largest(1, gather(repeat(2, draw(1..6)))))))))"),
    ("3d6M", "sum(gather(repeat(3, 6)))"),
    ("d6+m-", "1"),
    // Keep and drop.
    ("4d6K3H", "sum(largest(3, gather(repeat(4, draw(1..6)))))"),
    ("4d6DLDH", "sum(but_largest(1, but_least(1, gather(repeat(4, draw(1..6))))))"),
    ("3d6K2", "sum(draw(2 of bag(gather(repeat(3, draw(1..6))))))"),
    ("3d6D", "sum(draw(2 of bag(gather(repeat(3, draw(1..6))))))"),
    ("3d6K3H", "sum(gather(repeat(3, draw(1..6))))"),
    ("3d6D5", "sum(draw(0 of bag(gather(repeat(3, draw(1..6))))))"),
    // Explosions.
    ("3d6!!", "sum(gather(repeat(3, gather(accumulate(link = draw(1..6), some(more(6, gather(link))))))))"),
    ("3d6KH!", KEPT),
    // Count.
    ("5d6C>4", "count(less(4, gather(repeat(5, draw(1..6)))))"),
    ("5d6C>=5", "count(at_most(5, gather(repeat(5, draw(1..6)))))"),
    ("5d6CM", "count(equal(6, gather(repeat(5, draw(1..6)))))"),
    ("3d6C", "count(gather(repeat(3, draw(1..6))))"),
    ("d6!!C!", "count(at_most(6, gather(gather(accumulate(link = draw(1..6), some(more(6, gather(link))))))))"),
];

/// Of dice that were kept it is enough to know how many explode.
const KEPT: &str = "let pool = bag(largest(1, gather(repeat(3, draw(1..6))))) in \
    add(sum(pool), sum(gather(repeat(count(at_most(6, pool)), draw(1..6)))))";

#[test]
fn texts_mean_these_terms() {
    for (text, means) in MEANS {
        assert_eq!(print(&lowered(text).program), *means, "{text:?}");
    }
}

/// A text, and the places and words of what is remarked on.
const WARNS: &[(&str, &[(&str, &str)])] = &[
    ("4d6K3H", &[]),
    ("d20+-", &[]),
    ("d6M!!m", &[]),
    ("2d20KH+", &[("+", "all dice have already been rolled")]),
    ("3d6DLm", &[("m", "all dice have already been rolled")]),
    ("3d6KM", &[("M", "all dice have already been rolled")]),
    ("2d4!!M", &[("M", "never maximized")]),
    ("d20Mm", &[("M", "decides what these dice show")]),
    ("d20+M", &[("+", "decides what these dice show")]),
    ("d20M+", &[("+", "decides what these dice show")]),
    ("d6!7", &[("!7", "no die can explode")]),
    ("d1!!", &[("!!", "no die can explode")]),
    ("d1!", &[]),
    ("d6!!1", &[("!!1", "no die can explode")]),
    ("d6!!!", &[("!", "no die can explode")]),
    ("d6!!!5", &[]),
    ("d6!d4!", &[]),
    ("3d6K4H", &[("K4H", "never more than 3 dice")]),
    ("3d6K3H", &[("K3H", "never more than 3 dice")]),
    ("d6KH", &[("KH", "never more than one die")]),
    ("2d6!K4H", &[("K4H", "never more than 4 dice")]),
    ("2d6!!K9H", &[]),
    ("3d6D4", &[("D4", "all are dropped")]),
    ("2d6D0L", &[("D0L", "no die is dropped")]),
    ("3d6K0DL", &[("DL", "no dice are left")]),
    ("3d6C!", &[("3d6C!", "always 0")]),
];

#[test]
fn what_has_no_effect_is_remarked_on() {
    for (text, wanted) in WARNS {
        let found = lowered(text).warnings;
        assert_eq!(found.len(), wanted.len(), "{text:?}: {found:?}");
        for (found, (place, words)) in found.iter().zip(*wanted) {
            assert_eq!(&text[found.span.start..found.span.end], *place, "{text:?}");
            assert!(found.message.contains(words), "{text:?}: {}", found.message);
        }
    }
}

/// Every term of a program stands in it, and every die knows the whole of its pool.
#[test]
fn programs_are_whole() {
    let texts = crate::vectors::texts("alea");
    let alea = notation("alea").unwrap();
    let programs = texts.iter().filter_map(|text| Some((text, compile(alea, text, &Vars::new()).ok()?.program)));
    let mut checked = 0;
    for (text, program) in programs {
        no_term_is_left_over(&program, text);
        checked += 1;
    }
    assert!(checked > 140, "only {checked} programs");
    let program = lowered("1 + 4d6!!K3H").program;
    let die = program.nodes().iter().find(|node| matches!(node.term, CoreTerm::Draw { .. })).unwrap();
    assert_eq!(die.span, Span::new(4, 12));
}

#[test]
fn every_example_of_the_reference_is_right() {
    let alea = notation("alea").unwrap();
    for text in alea.examples.iter().chain(alea.reference.iter().map(|piece| &piece.example)) {
        assert_eq!(lowered(text).warnings, [], "{text:?}");
        (alea.spell)(text).unwrap();
    }
}

#[test]
fn long_sums_are_compiled_and_spelled() {
    chained("alea", "d6", &["+1", " - 1", "+d6", " + 2d20KH", "-d20+ "]);
    chained("alea", "d6M", &["+-", "m", "M"]);
}

/// Texts that ask for more than anyone wants.
#[test]
fn too_much_is_refused() {
    let lower: String = (50..=81).rev().map(|n| format!("!{n}")).collect();
    let texts = [
        format!("d20{}", "+".repeat(200_000)),
        format!("d20{}1", "+-".repeat(100_000)),
        format!("d20{}", "!".repeat(200_000)),
        format!("100d20{}", "KH".repeat(100_000)),
        format!("d100{lower}"),
        "d{1..1000000000, 3}".to_owned(),
        format!("d{{{}}}", "1,".repeat(100_000) + "1"),
        "d[-9223372036854775808..9223372036854775807]".to_owned() + &" ".repeat(1 << 20),
    ];
    for text in &texts {
        let found = compile(notation("alea").unwrap(), text, &Vars::new()).expect_err(&text[..10]);
        assert_eq!(found[0].code, Code::Limit, "{:?}", &text[..10]);
    }
    lowered("d[-9223372036854775808..9223372036854775807]");
    lowered("d{1..1000000000}");
}

/// The finer names that the definition gives.
#[test]
fn mistakes_have_kinds() {
    for (text, kind) in [("d", "parse"), ("3d0", "no-sides"), ("d6!d0", "no-sides"), ("d6CC", "count-not-last")] {
        let found = compile(notation("alea").unwrap(), text, &Vars::new()).expect_err(text);
        assert_eq!(found[0].kind.as_deref(), Some(kind), "{text:?}");
    }
}
