//! The story of a roll: what became of each die, the line a person reads, and the tree.

use tumble_core::read::program;
use tumble_core::{Limits, Span};
use tumble_roll::{Rolled, Scripted, Step, Trace, roll, story};

fn rolled(text: &str, dice: &[i64]) -> Rolled {
    roll(&program(text), &mut Scripted::new(dice), &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn check(text: &str, dice: &[i64], line: &str) {
    assert_eq!(story(text, &program(text), &rolled(text, dice)), line);
}

/// The dice only, as the story spells them, and the dice they follow from.
fn fates(text: &str, dice: &[i64], expected: &str) {
    let mut rolled = rolled(text, dice);
    for die in &mut rolled.draws {
        (die.span, die.path) = (Span::default(), String::new());
    }
    let froms: Vec<String> = rolled.draws.iter().map(|d| d.from.map_or("-".into(), |from| from.to_string())).collect();
    let line = story("", &program(text), &rolled);
    assert_eq!(format!("{line} <{}>", froms.join(" ")), expected, "{text}");
}

#[test]
fn dropped() {
    let table: &[(&str, &[i64], &str)] = &[
        (
            "sum(largest(3, bag(gather(repeat(4, draw(1..6))))))",
            &[6, 5, 1, 4],
            "sum(largest(3, bag(gather(repeat(4, draw(1..6)) (6, 5, ~~1~~, 4))))) = 15",
        ),
        ("sub(draw(1..6), draw(1..6))", &[4, 2], "sub(draw(1..6) (4), draw(1..6) (2)) = 2"),
        (
            "let x = gather(repeat(4, draw(1..6))) in sub(sum(largest(1, x)), sum(least(1, x)))",
            &[3, 6, 1, 3],
            "let x = gather(repeat(4, draw(1..6)) (~~3~~, 6, 1, ~~3~~)) in sub(sum(largest(1, x)), sum(least(1, x))) = 5",
        ),
        (
            "count(less(7, gather(repeat(3, draw(1..10)))))",
            &[9, 7, 8],
            "count(less(7, gather(repeat(3, draw(1..10)) (9, ~~7~~, 8)))) = 2",
        ),
        (
            "largest(1, gather(repeat(2, draw(1..6))))",
            &[5, 5],
            "largest(1, gather(repeat(2, draw(1..6)) (~~5~~, 5))) = [5]",
        ),
        // A total stands for its dice.
        (
            "largest(1, gather(sum(gather(repeat(2, draw(1..6)))), add(draw(1..8), 1)))",
            &[2, 3, 7],
            "largest(1, gather(sum(gather(repeat(2, draw(1..6)) (~~2~~, ~~3~~))), add(draw(1..8) (7), 1))) = [8]",
        ),
        (
            "sum(largest(1, gather(repeat(2, sum(gather(accumulate(x = draw(1..6), some(less(x, [6])))))))))",
            &[6, 1, 5],
            "sum(largest(1, gather(repeat(2, sum(gather(accumulate(x = draw(1..6) (6! + 1, ~~5~~), some(less(x, [6]))))))))) = 7",
        ),
        (
            "let x = sum(gather(repeat(2, draw(1..6)))) in sub(add(x, x), sum(least(0, gather(x))))",
            &[1, 2],
            "let x = sum(gather(repeat(2, draw(1..6)) (1, 2))) in sub(add(3 [x], 3 [x]), sum(least(0, gather(3 [x])))) = 6",
        ),
    ];
    table.iter().for_each(|(text, dice, line)| check(text, dice, line));
}

#[test]
fn kept() {
    let table: &[(&str, &[i64], &str)] = &[
        // A die that is only looked at is kept.
        ("let x = draw(1..20) in mul(if some(at_most(11, gather(x))) then 1 else 0, 5)", &[8], "(8) = 0 <->"),
        ("if some(less(15, gather(draw(1..20)))) then 1 else 0", &[10], "(10) = 0 <->"),
        (
            "if some(less(15, largest(1, gather(repeat(2, draw(1..20)))))) then 1 else 0",
            &[3, 9],
            "(~~3~~, 9) = 0 <- ->",
        ),
        // One that nothing asks for is not.
        ("let x = draw(1..6) in 5", &[3], "(~~3~~) = 5 <->"),
        // A removed die that something else used is kept.
        ("let x = gather(repeat(2, draw(1..6))) in add(sum(largest(1, x)), count(x))", &[3, 4], "(3, 4) = 6 <- ->"),
        // What decides how something is rolled is used.
        ("let x = draw(1..6) in gather(less(6, gather(x)), repeat(x, 7))", &[2], "(2) = [7, 7] <->"),
        ("let x = draw(1..6) in gather(less(6, gather(x)), draw(1..x))", &[2, 1], "(2, 1) = [1] <- ->"),
        ("largest(draw(1..1), gather(repeat(2, draw(1..6))))", &[1, 2, 3], "(1, ~~2~~, 3) = [3] <- - ->"),
        // A pair carries its dice.
        ("tuple(largest(1, gather(repeat(2, draw(1..6)))), 0)", &[2, 3], "(~~2~~, 3) = ([3], 0) <- ->"),
        ("field(0, tuple(least(1, gather(repeat(2, draw(1..6)))), 0))", &[2, 3], "(2, ~~3~~) = [2] <- ->"),
        // So do the variables that take it apart; a field of a face came from that die.
        ("let (a, b) = tuple(draw(1..6), draw(1..6)) in add(a, 1)", &[2, 3], "(2, ~~3~~) = 3 <- ->"),
        ("let (a, b) = draw((1, 2) x1 or (3, 4) x1) in b", &[2], "((3, 4)) = 4 <->"),
        // A member picked keeps its own die; the pick is a die of its own.
        ("largest(1, draw(1 of gather(repeat(2, draw(1..6)))))", &[2, 3, 3], "(~~2~~, 3) = [3] <- - ->"),
        ("draw(of gather(repeat(3, draw(1..6))))", &[2, 3, 5, 5], "(~~2~~, ~~3~~, 5) = 5 <- - - ->"),
        (
            "let x = gather(repeat(3, draw(1..6))) in repeat(2, draw(of x))",
            &[2, 3, 5, 5, 2],
            "(2, ~~3~~, 5) = <5, 2> <- - - - ->",
        ),
        // What a choice left is kept if something else used it.
        ("let x = gather(repeat(2, draw(1..6))) in add(draw(of x), sum(x))", &[2, 3, 3], "(2, 3) = 8 <- - ->"),
    ];
    table.iter().for_each(|(text, dice, expected)| fates(text, dice, expected));
}

#[test]
fn again() {
    let six = "some(unequal(6, gather(x)))";
    let one = "some(unequal(1, gather(y)))";
    let reroll = format!("until(y = draw(1..6), {one})");
    let table: &[(&str, &[i64], &str)] = &[
        (&reroll, &[1, 1, 4], "(1r→1r→4) = 4 <- 0 1>"),
        (&format!("sum(gather(accumulate(x = draw(1..6), {six})))"), &[6, 6, 2], "(6! + 6! + 2) = 14 <- 0 1>"),
        (
            "until(y = sum(gather(repeat(2, draw(1..6)))), some(less(5, gather(y))))",
            &[1, 2, 4, 3],
            "(1r, 2r → 4, 3) = 7 <- - 1 1>",
        ),
        // Explosions of rerolled dice: the links inside a pass stay.
        (&format!("sum(gather(accumulate(x = {reroll}, {six})))"), &[1, 6, 1, 3], "(1r→6! + 1r→3) = 9 <- 0 1 2>"),
        // A rerolled explosion is rerolled, and a dropped one is dropped.
        (
            &format!("until(z = sum(gather(accumulate(x = draw(1..6), {six}))), some(more(8, gather(z))))"),
            &[6, 5, 3],
            "(6r + 5r→3) = 3 <- 0 1>",
        ),
        (
            &format!("sum(least(2, gather(accumulate(x = draw(1..6), {six}))))"),
            &[6, 6, 2],
            "(~~6!~~ + 6! + 2) = 8 <- 0 1>",
        ),
    ];
    table.iter().for_each(|(text, dice, expected)| fates(text, dice, expected));
}

#[test]
fn worth() {
    let judged = "if some(less(7, gather(x))) then 1 else if some(equal(1, gather(x))) then -1 else 0";
    let explode = "accumulate(x = draw(1..6), some(unequal(6, gather(x))))";
    let together = format!(
        "let p = largest(2, gather(repeat(3, draw(1..6)))) in \
         gather(p, repeat(count(equal(6, p)), gather({explode})))"
    );
    let table: &[(&str, &[i64], &str)] = &[
        // A row that replaces members changes what their dice count as.
        ("sum(lift(3, gather(repeat(2, draw(1..6)))))", &[1, 5], "(1→3, 5) = 8 <- ->"),
        ("sum(cap(2, lift(4, gather(draw(1..6)))))", &[1], "(1→2) = 2 <->"),
        ("sum(lift(1, cap(0, gather(draw(1..6)))))", &[1], "(1) = 1 <->"),
        ("sum(largest(1, lift(3, gather(repeat(2, draw(1..6))))))", &[1, 5], "(~~1→3~~, 5) = 5 <- ->"),
        ("sum(firsts(collect(repeat(2, tuple(sub(2, 1), draw(1..6))))))", &[4, 5], "(4→1, 5→1) = 2 <- ->"),
        // Dice that are judged one by one have a score.
        (
            &format!("sum(gather(each(x in gather(repeat(3, draw(1..10))), {judged})))"),
            &[8, 4, 1],
            "(8, ~~4~~, 1:-1) = 0 <- - ->",
        ),
        // One that is used for itself has none.
        (
            &format!("let p = gather(repeat(2, draw(1..10))) in add(sum(p), sum(gather(each(x in p, {judged}))))"),
            &[4, 1],
            "(4, 1) = 4 <- ->",
        ),
        // Natural faces are those of a d20 that counts as it fell.
        ("sum(largest(1, gather(repeat(2, draw(1..20)))))", &[20, 20], "(~~20~~, nat 20) = 20 <- ->"),
        ("add(draw(1..20), draw(0..20))", &[1, 1], "(nat 1, 1) = 2 <- ->"),
        ("sum(lift(2, gather(draw(1..20))))", &[1], "(1→2) = 2 <->"),
    ];
    table.iter().for_each(|(text, dice, expected)| fates(text, dice, expected));
    // A number computed from a die is not its face.
    check("sum(lift(9, gather(add(draw(1..6), 1))))", &[1], "sum(lift(9, gather(add(draw(1..6) (1), 1) → 9))) = 9");
    // Dice that are counted and bring others: only in one dice term, which is why the places are those of the text.
    let rolled = rolled(&together, &[6, 3, 6, 6, 2, 4]);
    let froms: Vec<Option<usize>> = rolled.draws.iter().map(|die| die.from).collect();
    assert_eq!(froms, [None, None, None, None, Some(3), None]);
}

#[test]
fn a_term_rolled_often_lists_all_its_dice() {
    check(
        "sum(gather(repeat(2, sum(gather(repeat(2, draw(1..6)))))))",
        &[1, 2, 3, 4],
        "sum(gather(repeat(2, sum(gather(repeat(2, draw(1..6)) (1, 2; 3, 4)))))) = 10",
    );
    check(
        "repeat(2, accumulate(x = draw(1..6), some(unequal(6, gather(x)))))",
        &[6, 2, 3],
        "repeat(2, accumulate(x = draw(1..6) (6! + 2, 3), some(unequal(6, gather(x))))) = <<6, 2>, <3>>",
    );
    check("draw(1..draw(1..6))", &[6, 3], "draw(1..draw(1..6) (6)) (3) = 3");
    check("add(2,\n 3)", &[], "add(2, 3) = 5");
}

#[test]
fn long_lists_are_shortened_in_the_line_only() {
    let ones = vec![1; 1000];
    let text = "repeat(1000, draw(1..6))";
    let rolled = rolled(text, &ones);
    let line = story("", &program(text), &rolled);
    assert!(line.starts_with("(1, 1, ") && line.contains("1, … 900 more) = <1, ") && line.ends_with("… 900 more>"));
    assert_eq!(rolled.trace.inside[0].dice.len(), 1000);
}

fn shape(trace: &Trace) -> String {
    let what = match &trace.what {
        Step::Whole => "whole".to_owned(),
        Step::Dice => format!("dice{:?}", trace.dice),
        Step::Loop => "loop".to_owned(),
        Step::Pass(number) => format!("pass{number}"),
        Step::Call(name) => format!("{name}()"),
        Step::Row(name) => (*name).to_owned(),
    };
    let value = trace.value.as_ref().map_or(String::new(), |value| format!("={value}"));
    let inside: Vec<String> = trace.inside.iter().map(shape).collect();
    if inside.is_empty() { what + &value } else { format!("{what}{value}{{{}}}", inside.join(" ")) }
}

#[test]
fn the_tree_has_the_shape_of_the_text() {
    let table: &[(&str, &[i64], &str)] = &[
        ("add(1, 2)", &[], "whole=3"),
        ("add(draw(1..6), 2)", &[4], "whole=6{add=6{dice[0]=4}}"),
        ("gather(repeat(2, draw(1..6)))", &[4, 5], "whole=[4, 5]{gather=[4, 5]{dice[0, 1]=<4, 5>}}"),
        (
            "until(x = draw(1..6), some(more(3, gather(x))))",
            &[5, 2],
            "whole=2{loop=2{pass1=5{dice[0]=5} pass2=2{dice[1]=2}}}",
        ),
        ("f(x) = draw(1..x); f(6)", &[3], "whole=3{f()=3{dice[0]=3}}"),
        ("loop(s = 2, while some(less(0, gather(s))), sub(s, 1))", &[], "whole=0"),
        ("if some(gather(draw(1..6))) then 1 else 0", &[3], "whole=1{some=true{gather=[3]{dice[0]=3}}}"),
    ];
    for (text, dice, expected) in table {
        assert_eq!(shape(&rolled(text, dice).trace), *expected, "{text}");
    }
}
