//! The value of a program for given dice.

use tumble_core::Limits;
use tumble_core::read::program;
use tumble_roll::{Scripted, roll, sample};

fn check(text: &str, dice: &[i64], value: &str) {
    let program = program(text);
    let mut source = Scripted::new(dice);
    let rolled = roll(&program, &mut source, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(rolled.value.to_string(), value, "{text}");
    assert_eq!(source.used(), dice.len(), "{text}: all dice");
    let sampled = sample(&program, &mut Scripted::new(dice), &Limits::default()).unwrap();
    assert_eq!(sampled, rolled.value, "{text}: a sample is the same roll");
}

#[test]
fn forms() {
    let table: &[(&str, &[i64], &str)] = &[
        ("7", &[], "7"),
        ("\"a\"", &[], "\"a\""),
        ("add(2, 3)", &[], "5"),
        ("let x = 2 in add(x, let y = 3 in mul(x, y))", &[], "8"),
        ("let (x, y, z) = tuple(2, [3], (4, 5)) in tuple(z, y, x)", &[], "((4, 5), [3], 2)"),
        ("let (x, y) = with_field(0, (1, 2), 7) in sub(x, y)", &[], "5"),
        ("if some([1]) then 1 else 2", &[], "1"),
        ("if some([]) then 1 else 2", &[], "2"),
        ("both(true, some([]))", &[], "false"),
        ("both(false, fail(\"\", \"\", \"\", \"\"))", &[], "false"),
        ("either(true, fail(\"\", \"\", \"\", \"\"))", &[], "true"),
        ("either(false, true)", &[], "true"),
        ("each(x in [1, 2], mul(x, x))", &[], "<1, 4>"),
        ("each(x in [], x)", &[], "<>"),
        ("repeat(3, 7)", &[], "<7, 7, 7>"),
        ("repeat(0, fail(\"\", \"\", \"\", \"\"))", &[], "<>"),
        ("loop(s = 1, while some(more(100, gather(s))), mul(s, 2))", &[], "128"),
        ("f(x, y) = sub(x, y); f(5, 3)", &[], "2"),
        ("f(n) = if some(equal(0, gather(n))) then 1 else mul(n, f(sub(n, 1))); f(5)", &[], "120"),
        ("f(x) = let y = add(x, 1) in y; let y = 10 in add(f(y), y)", &[], "21"),
        ("f(x) = add(1, leave(call, x)); add(f(5), 1)", &[], "6"),
        ("add(1, leave(call, 7))", &[], "7"),
        ("loop((s, t) = (1, 2), while true, tuple(leave(loop, (3, 4)), 5))", &[], "(3, 4)"),
        ("f(x) = loop(s = x, while true, each(y in [1], leave(call, add(s, y)))); f(5)", &[], "6"),
        ("ask(number, nothing, nothing, \"?\", 1, 5, 2, nothing)", &[], "2"),
        ("ask(select, nothing, nothing, \"?\", [\"a\"], nothing)", &[], "[]"),
        ("let x = emit(line, \"a\", \"good\") in 1", &[], "1"),
        ("throw(plain, 2, 6)", &[3, 4], "7"),
        ("throw(again, [1, 2, 3], [2, 0, 2], 6)", &[5, 6], "[5, 2, 6]"),
    ];
    table.iter().for_each(|(text, dice, value)| check(text, dice, value));
}

#[test]
fn draws() {
    let table: &[(&str, &[i64], &str)] = &[
        ("draw(1..6)", &[4], "4"),
        ("draw(-1..1)", &[-1], "-1"),
        ("draw(5..5)", &[5], "5"),
        ("draw(-9223372036854775807..9223372036854775807)", &[i64::MAX], "9223372036854775807"),
        ("draw(1 x2 or 6 x1)", &[6], "6"),
        ("draw(\"a\" x2 or \"b\" x1)", &[2], "\"b\""),
        ("draw(of [1, 1, 100])", &[100], "100"),
        ("draw(2 of [10, 20, 30])", &[30, 10], "[10, 30]"),
        ("draw(5 of [10, 20])", &[20, 10], "[10, 20]"),
        ("draw(0 of [])", &[], "[]"),
        ("repeat(3, draw(1..6))", &[3, 1, 2], "<3, 1, 2>"),
        ("repeat(0, draw(1..0))", &[], "<>"),
        ("repeat(draw(1..2), draw(1..draw(1..20)))", &[2, 7, 5, 20, 13], "<5, 13>"),
        ("sum(largest(3, bag(gather(repeat(4, draw(1..6))))))", &[6, 5, 1, 4], "15"),
        ("let x = draw(1..6) in add(x, x)", &[4], "8"),
        ("sub(draw(1..6), draw(1..6))", &[4, 6], "-2"),
    ];
    table.iter().for_each(|(text, dice, value)| check(text, dice, value));
}

#[test]
fn loops() {
    let table: &[(&str, &[i64], &str)] = &[
        ("until(x = draw(1..6), some(more(3, gather(x))))", &[5, 6, 2], "2"),
        ("until(x = draw(1..6), false, at most 2)", &[5, 6], "6"),
        ("until(x = draw(1..6), false, at most 0)", &[5], "5"),
        ("accumulate(x = draw(1..6), some(unequal(6, gather(x))))", &[6, 6, 2], "<6, 6, 2>"),
        ("accumulate(x = 1, false, at most 3)", &[], "<1, 1, 1>"),
        ("loop(s = [], while some(more(3, gather(count(s)))), gather(s, draw(1..6)))", &[4, 5, 6], "[4, 5, 6]"),
        (
            "loop((n, s) = (0, []), while some(more(2, gather(n))), tuple(add(n, 1), gather(s, draw(1..6))))",
            &[4, 5],
            "(2, [4, 5])",
        ),
        ("let (a, b) = loop((a, b) = (1, 1), while some(more(50, gather(b))), tuple(b, add(a, b))) in b", &[], "55"),
        ("f(x) = gather(x, if some(equal(6, gather(x))) then f(draw(1..6)) else []); f(6)", &[6, 1], "[6, 6, 1]"),
        ("each(x in gather(repeat(2, draw(1..6))), draw(1..x))", &[3, 5, 2, 4], "<2, 4>"),
    ];
    table.iter().for_each(|(text, dice, value)| check(text, dice, value));
}
