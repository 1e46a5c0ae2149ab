//! Answers: a program, and what it gives. `rest` is what is not listed, `~` marks an answer that is
//! not exact.

use tumble_core::read::program;
use tumble_exact::{Odds, Options, odds};

fn spelled(odds: &Odds) -> String {
    let mut rows: Vec<String> = odds.outcomes().map(|(value, share)| format!("{value}: {share}")).collect();
    if !odds.unresolved().is_zero() {
        rows.push(format!("rest: {}", odds.unresolved()));
    }
    if !odds.exact() {
        rows.push("~".into());
    }
    rows.join(", ")
}

fn check(iterations: Option<u64>, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let options = Options { iterations, ..Options::default() };
        let got = match odds(&program(text), &options) {
            Ok(odds) => spelled(&odds),
            Err(found) => format!("{}: {}", found.code.name(), found.message),
        };
        assert_eq!(got, *expected, "{text}");
    }
}

#[test]
fn plain_forms() {
    check(
        None,
        &[
            ("7", "7: 1"),
            ("draw(1..3)", "1: 1/3, 2: 1/3, 3: 1/3"),
            ("count(more(5, gather(repeat(4444444, draw(1..3)))))", "4444444: 1"),
            ("add(draw(1..2), draw(1..2))", "2: 1/4, 3: 1/2, 4: 1/4"),
            ("let x = draw(1..2) in add(x, x)", "2: 1/2, 4: 1/2"),
            ("draw(1 x1 or 2 x3)", "1: 1/4, 2: 3/4"),
            ("draw(of [1, 1, 2])", "1: 2/3, 2: 1/3"),
            ("draw(2 of [1, 1, 2])", "[1, 1]: 1/3, [1, 2]: 2/3"),
            ("repeat(2, draw(1..2))", "<1, 1>: 1/4, <1, 2>: 1/4, <2, 1>: 1/4, <2, 2>: 1/4"),
            ("bag(gather(repeat(2, draw(1..2))))", "[1, 1]: 1/4, [1, 2]: 1/2, [2, 2]: 1/4"),
            ("sum(gather(repeat(draw(1..2), draw(1..2))))", "1: 1/4, 2: 3/8, 3: 1/4, 4: 1/8"),
            (
                "count(gather(each(i in [1, 2], repeat(i, 5))))",
                "type: a list of results can't be part of a collection of numbers",
            ),
            ("sum(gather(each(i in [1, 2], draw(1..i))))", "2: 1/2, 3: 1/2"),
            ("if some([]) then div(1, 0) else 2", "2: 1"),
            ("some(each_mod(0, gather(each(x in [], draw(1..2)))))", "runtime: remainder of a division by zero"),
            ("let x = div(1, 0) in 2", "runtime: division by zero"),
            ("loop(s = 3, while some(less(0, gather(s))), sub(s, draw(1..2)))", "-1: 3/8, 0: 5/8"),
        ],
    );
}

#[test]
fn loops_without_end_are_solved() {
    check(
        None,
        &[
            ("until(x = draw(1..6), some(less(4, gather(x))))", "5: 1/2, 6: 1/2"),
            (
                "largest(1, bag(gather(accumulate(x = draw(1..4), some(equal(1, gather(x)))))))",
                "[1]: 1/4, [2]: 1/12, [3]: 1/6, [4]: 1/2",
            ),
            ("some(equal(3, gather(accumulate(x = draw(1..4), some(less(2, gather(x)))))))", "false: 1/2, true: 1/2"),
            ("count(different(bag(gather(accumulate(x = draw(1..2), some(equal(2, gather(x))))))))", "1: 1/2, 2: 1/2"),
            (
                "count(less(12, gather(sum(gather(accumulate(x = draw(1..6), some(more(6, gather(x)))))))))",
                "0: 35/36, 1: 1/36",
            ),
            ("until(x = draw(1..6), some(equal(7, gather(x))))", "endless: this roll can never stop"),
            ("gather(accumulate(x = 1, false))", "endless: this roll can never stop"),
            ("let x = draw(1..2) in until(y = x, some(equal(1, gather(y))))", "endless: this roll can never stop"),
        ],
    );
}

/// A row may change the order of sorted members, and counts stand in the order of what was counted.
#[test]
fn the_order_of_members_is_kept() {
    check(
        None,
        &[
            ("each_mod(2, bag(gather(repeat(2, draw(1..2)))))", "[0, 0]: 1/4, [1, 0]: 1/2, [1, 1]: 1/4"),
            ("bag(each_mod(2, bag(gather(repeat(2, draw(1..2))))))", "[0, 0]: 1/4, [0, 1]: 1/2, [1, 1]: 1/4"),
            (
                "let x = bag(gather(repeat(2, draw(1..2)))) in tuple(count(x), tally([1, 2], x))",
                "(2, [0, 2]): 1/4, (2, [1, 1]): 1/2, (2, [2, 0]): 1/4",
            ),
            (
                "let x = bag(gather(repeat(2, draw(1..2)))) in tuple(count(x), gather(each(i in [1, 2], count(equal(i, x)))))",
                "(2, [0, 2]): 1/4, (2, [1, 1]): 1/2, (2, [2, 0]): 1/4",
            ),
        ],
    );
}

#[test]
fn recursion_is_solved() {
    check(
        None,
        &[
            ("f(n) = if some(equal(0, gather(n))) then 0 else add(1, f(sub(n, 1))); f(3)", "3: 1"),
            (
                "even(n) = if some(equal(0, gather(n))) then 1 else odd(sub(n, 1)); odd(n) = if some(equal(0, gather(n))) then 0 else even(sub(n, 1)); even(draw(1..4))",
                "0: 1/2, 1: 1/2",
            ),
            // A fair coin until it shows 2; who throws it?
            (
                "a(n) = if some(equal(2, gather(draw(1..2)))) then 1 else b(n); b(n) = if some(equal(2, gather(draw(1..2)))) then 2 else a(n); a(0)",
                "1: 2/3, 2: 1/3",
            ),
            ("f(n) = f(n); f(1)", "endless: this roll can never stop"),
            ("f(n) = f(add(n, 1)); f(1)", "endless: this roll can never stop"),
        ],
    );
}

#[test]
fn cuts_are_as_asked() {
    check(
        Some(2),
        &[
            ("sum(gather(accumulate(x = draw(1..2), some(equal(2, gather(x))))))", "2: 1/2, 3: 1/4, rest: 1/4"),
            ("some(equal(1, gather(accumulate(x = draw(1..2), some(equal(2, gather(x)))))))", "false: 1/2, true: 1/2"),
            (
                "f(n) = if some(equal(0, gather(n))) then 0 else add(1, f(sub(n, 1))); f(draw(1..2))",
                "1: 1/2, rest: 1/2",
            ),
            ("f(n) = f(n); f(1)", "rest: 1"),
        ],
    );
}

#[test]
fn limits_on_passes_lose_nothing() {
    check(
        None,
        &[
            ("sum(gather(accumulate(x = draw(1..2), some(equal(2, gather(x))), at most 2)))", "2: 3/4, 3: 1/4"),
            ("until(x = draw(1..2), some(equal(2, gather(x))), at most 2)", "1: 1/4, 2: 3/4"),
            ("until(x = draw(1..2), false, at most 3)", "1: 1/2, 2: 1/2"),
            ("until(x = draw(1..2), true, at most 3)", "1: 1/2, 2: 1/2"),
            // However many outcomes a pass has, the next one follows.
            (
                "count(less(200000, gather(sum(gather(accumulate(x = draw(1..200000), \
                 some(more(200000, gather(x))), at most 3))))))",
                "0: 199999/200000, 1: 1/200000",
            ),
            ("until(x = draw(1..3), some(equal(3, gather(x))), at most 3)", "1: 4/27, 2: 4/27, 3: 19/27"),
        ],
    );
}

/// Loops with a state are absorbing Markov chains, and it is told how many states they have. What nobody wants is no part
/// of a state, and neither is what is only added to.
#[test]
fn loops_with_a_state_tell_how_many_there_are() {
    let three = "loop((n, s, x) = tuple(10, 0, 0), while some(less(0, gather(n))), \
                 tuple(sub(n, 1), rem(add(s, draw(1..6)), 5), add(x, draw(1..6))))";
    let six = "loop((s, n) = tuple(0, 0), while some(unequal(6, gather(s))), tuple(draw(1..6), add(n, 1)))";
    let ruin = "loop(n = 20, while if some(equal(0, gather(n))) then false else some(unequal(50, gather(n))), \
                if some(equal(1, gather(draw(1..2)))) then add(n, 1) else sub(n, 1))";
    for (text, states, mean, first) in [
        (ruin.to_owned(), 50, "20", "0: 3/5"),
        (format!("let (s, n) = {six} in n"), 2, "6", "1: 1/6"),
        (format!("let (s, n) = {six} in some(less(2, gather(n)))"), 2, "", "false: 11/36"),
        (format!("let (n, s, x) = {three} in s"), 47, "60466175/30233088", "0: 3023309/15116544"),
        (format!("let (n, s, x) = {three} in x"), 47, "35", "10: 1/60466176"),
    ] {
        let told = odds(&program(&text), &Options { explain: true, ..Options::default() }).unwrap();
        assert!(told.exact(), "{text}");
        assert!(spelled(&told).starts_with(first), "{text}: {}", spelled(&told));
        assert_eq!(told.mean().map_or(String::new(), |mean| mean.to_string()), mean, "{text}");
        let lines = &told.explanation().unwrap().lines;
        let words = format!("follows {states} states");
        assert!(lines.iter().any(|line| line.how.contains(&words)), "{text}: {lines:?}");
    }
}
