//! Taking a method away changes only speed, and for loops without end, how much can be told.

use std::collections::BTreeMap;
use tumble_core::read::program;
use tumble_core::{Code, Limits, Program, Value, arbitrary};
use tumble_exact::{Fraction, Method, Options, Probe, methods, odds};

/// What an answer says.
#[derive(Debug, PartialEq)]
enum Answer {
    Table { rows: BTreeMap<Value, Fraction>, rest: Fraction, exact: bool },
    Error(&'static str),
}

/// The answer without some methods; none if it was refused.
fn answer(program: &Program, without: &[&'static Method]) -> Option<Answer> {
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    match odds(program, &Options { limits, without: without.to_vec(), ..Options::default() }) {
        Ok(odds) => {
            let rows: BTreeMap<Value, Fraction> =
                odds.outcomes().map(|(value, share)| (value.clone(), share)).collect();
            let all = rows.values().fold(odds.unresolved(), |sum, share| &sum + share);
            assert_eq!(all, Fraction::one(), "mass is kept");
            Some(Answer::Table { rows, rest: odds.unresolved(), exact: odds.exact() })
        }
        Err(found) if found.code == Code::Limit => None,
        Err(found) => Some(Answer::Error(found.code.name())),
    }
}

/// What both list is equal where both are exact; elsewhere more than the ends of what they leave open must agree. What one
/// of them alone lists fits together into the rest of the other.
fn fits(got: &Answer, expected: &Answer) -> bool {
    let (Answer::Table { rows, rest, .. }, Answer::Table { rows: others, rest: other, .. }) = (got, expected) else {
        return got == expected;
    };
    let alike = |value: &Value| {
        let ((low, high), (least, most)) = (room(got, value), room(expected, value));
        let (low, high) = (low.max(least), high.min(most));
        low < high || low == high && (is_complete(got) || is_complete(expected))
    };
    let alone = |rows: &BTreeMap<Value, Fraction>, others: &BTreeMap<Value, Fraction>| {
        let missing = rows.iter().filter(|(value, _)| !others.contains_key(value));
        missing.fold(Fraction::zero(), |sum, (_, share)| &sum + share)
    };
    rows.keys().filter(|value| others.contains_key(value)).all(alike)
        && alone(rows, others) <= *other
        && alone(others, rows) <= *rest
}

/// Between what and what the probability of a listed outcome lies.
fn room(answer: &Answer, value: &Value) -> (Fraction, Fraction) {
    let Answer::Table { rows, rest, .. } = answer else { panic!("{answer:?} has no rows") };
    let share = &rows[value];
    (share.clone(), if is_complete(answer) { share.clone() } else { share + rest })
}

/// Whether the probabilities of listed outcomes are complete.
fn is_complete(answer: &Answer) -> bool {
    matches!(answer, Answer::Table { rest, exact, .. } if *exact || rest.is_zero())
}

/// The comparison can fail, also where something is not listed.
#[test]
fn answers_that_differ_do_not_fit() {
    let table = |rows: &[(i64, i64)], rest: i64, exact: bool| Answer::Table {
        rows: rows.iter().map(|(n, share)| (Value::int(*n), Fraction::ratio(*share, 8))).collect(),
        rest: Fraction::ratio(rest, 8),
        exact,
    };
    let whole = table(&[(1, 4), (2, 4)], 0, true);
    for (other, same) in [
        (table(&[(1, 4), (2, 4)], 0, true), true),
        (table(&[(1, 5), (2, 3)], 0, true), false),
        (table(&[(1, 4)], 4, true), true),
        (table(&[(1, 3)], 5, true), false),
        (table(&[(1, 3), (2, 4)], 1, false), true),
        (table(&[(1, 3), (3, 1)], 4, false), false),
    ] {
        assert_eq!((fits(&whole, &other), fits(&other, &whole)), (same, same), "{other:?}");
    }
    // Both leave something open, and that only touches.
    assert!(!fits(&table(&[(1, 2)], 3, false), &table(&[(1, 5)], 3, false)));
}

/// Two questions about what loops collect, also such that a step which goes on answers one and adds nothing to the
/// other.
#[test]
fn questions_about_loops_agree() {
    let loops = [
        "accumulate(y = draw(1..3), some(more(3, gather(y))))",
        "accumulate(y = draw(1..4), some(more(2, gather(y))))",
        "accumulate(y = draw(0..2), some(equal(1, gather(y))))",
    ];
    let views = [
        "count(less(2, x))",
        "count(equal(1, x))",
        "sum(x)",
        "some(equal(3, x))",
        "some(equal(1, x))",
        "some(equal(2, x))",
    ];
    for (make, times) in loops.iter().flat_map(|make| [1, 2, 3].map(|times| (make, times))) {
        for (one, two) in views.iter().flat_map(|one| views.iter().map(move |two| (one, two))) {
            let number = |view: &str| {
                if view.starts_with("some") { format!("if {view} then 1 else 0") } else { view.to_owned() }
            };
            let text = format!(
                "let x = bag(gather(repeat({times}, bag(gather({make}))))) in tuple({}, {})",
                number(one),
                number(two)
            );
            let program = program(&text);
            let expected = answer(&program, &[]).unwrap();
            let Answer::Table { rest, .. } = &expected else { panic!("{text}: {expected:?}") };
            assert!(rest.to_f64() < 0.5, "{text}: {expected:?}");
            for without in [vec![&methods::FOLDS], vec![&methods::REWRITING], methods::ALL.to_vec()] {
                let Some(got) = answer(&program, &without) else { continue };
                assert!(fits(&got, &expected), "without {without:?}\n{text}\n{got:?}\n{expected:?}");
            }
        }
    }
}

/// Whether an answer was found by a method, and without it is the same.
fn answers(text: &str, what: &str, without: &[&'static Method]) -> bool {
    let program = program(text);
    let told = odds(&program, &Options { explain: true, ..Options::default() }).unwrap();
    let expected = answer(&program, &[]).unwrap();
    for without in [without.to_vec(), vec![&methods::REWRITING], methods::ALL.to_vec()] {
        let Some(got) = answer(&program, &without) else { continue };
        assert!(fits(&got, &expected), "without {without:?}\n{text}\n{got:?}\n{expected:?}");
    }
    let lines = &told.explanation().unwrap().lines;
    lines.iter().any(|line| line.what.contains(what) || line.method == Some(what))
}

const DICE: [&str; 5] = [
    "gather(repeat(5, draw(1..4)))",
    "gather(repeat(3, draw(1..4)), repeat(2, draw(0..2)))",
    "gather(repeat(3, draw(1..3)), 7)",
    "gather(repeat(4, draw([1] x 1 or [2, 2] x 2 or [] x 3)))",
    "gather(repeat(draw(0..3), draw(1..6)))",
];

/// Linear combinations of sums and counts of one roll are one sum; other uses of them are not.
#[test]
fn linear_combinations_of_what_is_seen() {
    let combinations = [
        "sub(count(more(2, x)), count(equal(1, x)))",
        "add(sum(x), mul(3, sub(count(less(3, x)), 5)))",
        "sub(sub(7, sum(less(3, x))), add(sum(x), count(x)))",
        "add(count(more(1, x)), add(count(x), count(more(1, x))))",
        "mul(sub(count(more(2, x)), count(equal(1, x))), -2)",
        "if some(less(1, gather(sub(sum(x), mul(2, count(more(1, x))))))) then 1 else 0",
    ];
    for (pool, combination) in DICE.iter().flat_map(|pool| combinations.map(|combination| (pool, combination))) {
        let text = format!("let x = bag({pool}) in {combination}");
        assert!(answers(&text, "a linear combination", &[&methods::POWER]), "{text}");
    }
    for other in ["mul(sum(x), count(x))", "add(sub(sum(x), count(x)), sum(largest(1, x)))", "tuple(sum(x), count(x))"]
    {
        let text = format!("let x = bag({}) in {other}", DICE[0]);
        assert!(!answers(&text, "a linear combination", &[&methods::POWER]), "{text}");
    }
}

/// Numbers that are too large on the way are so however they are added up.
#[test]
fn large_combinations_fail_alike() {
    let most = i64::MAX - 1;
    let text = format!("let x = bag(gather(repeat(2, draw([1] x 1 or [{most}] x 1)))) in sub(sum(x), sum(more(5, x)))");
    let found = |without: &[&'static Method]| answer(&program(&text), without);
    assert_eq!(found(&[]), found(&[&methods::REWRITING]));
    assert!(matches!(found(&[]), Some(Answer::Error(_))), "{:?}", found(&[]));
}

/// The smallest and the largest member together.
#[test]
fn both_ends() {
    let ends = ["sub(sum(largest(1, x)), sum(least(1, x)))", "tuple(sum(least(1, x)), some(more(2, largest(1, x))))"];
    for (pool, ends) in DICE.iter().flat_map(|pool| ends.map(|ends| (pool, ends))) {
        answers(&format!("let x = bag({pool}) in {ends}"), methods::SPAN.name, &[&methods::SPAN]);
    }
    let many = "let x = bag(gather(repeat(9, draw(1..6)), repeat(2, draw(3..8)))) in tuple(largest(1, x), least(1, x))";
    assert!(answers(many, methods::SPAN.name, &[&methods::SPAN]));
}

/// All equal to the largest, of more dice than states could be held for.
#[test]
fn the_largest_and_how_often() {
    for row in ["maximal", "minimal"] {
        for pool in &DICE[..4] {
            answers(&format!("count({row}(bag({pool})))"), methods::FACES.name, &[&methods::FACES]);
        }
    }
    let many = odds(&program("count(maximal(bag(gather(repeat(900, draw(1..10))))))"), &Options::default()).unwrap();
    let once: Fraction = (0..10).fold(Fraction::zero(), |sum, below| {
        let others = (0..899).fold(Fraction::one(), |product, _| &product * &Fraction::ratio(below, 10));
        &sum + &others
    });
    assert_eq!(many.probability(&Value::int(1)), &Fraction::ratio(90, 1) * &once);
}

/// Which faces show, of dice that are equal and of others; and numbers too far apart for a table.
#[test]
fn which_faces_show() {
    let views =
        ["count(different(x))", "sum(different(x))", "tuple(sum(but_least(1, different(x))), count(different(x)))"];
    for (pool, view) in DICE.iter().flat_map(|pool| views.map(|view| (pool, view))) {
        answers(&format!("let x = bag({pool}) in {view}"), methods::SHOWN.name, &[&methods::SHOWN]);
    }
    let many = "sum(different(bag(gather(repeat(25, draw(1 x3 or 2 x1 or 4 x1 or 9 x2))))))";
    assert!(answers(many, methods::SHOWN.name, &[&methods::SHOWN]));
    let far = "sum(gather(repeat(6, draw(-7 x1 or 5000 x2 or 1000000 x1 or 1000003 x3))))";
    assert!(answers(far, methods::POWER.name, &[&methods::POWER]));
}

fn agree(make: fn(u64) -> Program, seeds: std::ops::Range<u64>) {
    let mut compared = 0;
    for seed in seeds.clone() {
        let program = make(seed);
        let Some(expected) = answer(&program, &[]) else { continue };
        for without in methods::ALL.map(|method| vec![method]).iter().chain([&methods::ALL.to_vec()]) {
            if let Some(got) = answer(&program, without) {
                let text = tumble_core::print(&program);
                assert!(fits(&got, &expected), "seed {seed} without {without:?}\n{text}\n{got:?}\n{expected:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > (seeds.end - seeds.start) * 4, "only {compared} answers were compared");
}

#[test]
fn on_programs_that_end() {
    agree(arbitrary::program, 0..3_000);
}

#[test]
fn on_loops_without_end() {
    agree(arbitrary::open_program, 0..400);
}

/// Long sums, which are put together from equal terms: dice, numbers, loops, and sums too large on the way.
#[test]
fn on_long_sums() {
    const LOOP: &str = "sum(gather(accumulate(x = draw(1..2), some(equal(2, gather(x))))))";
    const D: &str = "draw(1..2)";
    let most = i64::MAX.to_string();
    let cases: [&[&str]; 6] = [
        &["draw(1..6)"],
        &["draw(1..3)", "7", "draw(2..4)"],
        &["1", "2"],
        &[LOOP, D, D, D, D, D, D, D, D, D, D, D],
        &[&most, "draw(1..2)", &most],
        &["x", "draw(1..x)", "draw(1..2)"],
    ];
    for terms in cases {
        for rows in [["add", "add"], ["add", "sub"], ["sub", "sub"]] {
            let sum = (1..40)
                .fold(terms[0].to_owned(), |sum, i| format!("{}({sum}, {})", rows[i % 2], terms[i % terms.len()]));
            let program = program(&format!("let x = draw(1..2) in {sum}"));
            let expected = answer(&program, &[]);
            assert!(expected.is_some(), "{terms:?}");
            for without in [vec![&methods::REWRITING], vec![&methods::POWER], methods::ALL.to_vec()] {
                let got = answer(&program, &without);
                assert!(
                    got.as_ref().is_none_or(|got| fits(got, expected.as_ref().unwrap())),
                    "{terms:?} {rows:?} without {without:?}"
                );
            }
        }
    }
}

/// A cut answer has lower bounds, and what it cut is enough to reach the whole.
#[test]
fn cuts_are_honest() {
    let options = |iterations| Options {
        limits: Limits { steps: 1_000_000, ..Limits::default() },
        iterations,
        ..Options::default()
    };
    let mut compared = 0;
    for seed in 0..600 {
        let program = arbitrary::open_program(seed);
        let (Ok(whole), Ok(cut)) = (odds(&program, &options(None)), odds(&program, &options(Some(3)))) else {
            continue;
        };
        if !whole.exact() {
            continue;
        }
        let text = tumble_core::print(&program);
        for (value, share) in whole.outcomes() {
            let lower = cut.probability(value);
            assert!(lower <= share && share <= &lower + &cut.unresolved(), "seed {seed}: {value}\n{text}");
        }
        compared += 1;
    }
    assert!(compared > 200, "only {compared}");
}

/// Every answer of every method passes the check modulo a prime, and most are of a kind it can check.
#[test]
fn answers_pass_the_probe() {
    let (mut agreed, mut unprobed) = (0, 0);
    for seed in 0..3_000 {
        let program = arbitrary::program(seed);
        let without = vec![methods::ALL[seed as usize % methods::ALL.len()]];
        let probe = Some(Probe { prime: (1 << 61) - 1, key: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) });
        let limits = Limits { steps: 1_000_000, ..Limits::default() };
        let options = Options { limits, without, probe, explain: true, ..Options::default() };
        match odds(&program, &options) {
            Ok(odds) => {
                agreed += odds.explanation().unwrap().agreed;
                unprobed += odds.explanation().unwrap().unprobed;
            }
            Err(error) => {
                assert_ne!(error.code, Code::Mistake, "seed {seed}: {}\n{error:?}", tumble_core::print(&program));
            }
        }
    }
    assert!(agreed > 900 && agreed > unprobed, "{agreed} agreed, {unprobed} could not be checked");
}
