//! What texts mean, in the spelling of the core.

use crate::round::no_term_is_left_over;
use tumble_core::{Term, print};
use tumble_syntax::{Compiled, Vars, compile, notation};

const MEANS: &[(&str, &str)] = &[
    // Dice.
    ("d6", "draw(1..6)"),
    ("z9", "draw(0..9)"),
    ("3d6", "bag(gather(repeat(3, draw(1..6))))"),
    ("2z1", "bag(gather(repeat(2, draw(0..1))))"),
    ("d d10", "draw(1..draw(1..10))"),
    ("2#sum 3d6", "bag(gather(repeat(2, sum(bag(gather(repeat(3, draw(1..6))))))))"),
    ("n d10", "let n = 4 in bag(gather(repeat(n, draw(1..10))))"),
    ("d(max 3)", "draw(1..only(largest(1, gather(3))))"),
    // Collections.
    ("{}", "[]"),
    ("{d6}", "draw(1..6)"),
    ("{\"a\"}", "\"a\""),
    ("{1,2} @ {3} U 4", "bag(gather(1, 2, 3, 4))"),
    ("{{1,2},{3}}", "bag(gather(1, 2, 3))"),
    ("1..6", "range(1, 6)"),
    ("{1,2} -- 2", "minus(bag(gather(1, 2)), gather(2))"),
    ("n drop 2 keep 3", "let n = 4 in among(without(gather(n), gather(2)), gather(3))"),
    ("sum largest 3 4d6", "sum(largest(3, bag(gather(repeat(4, draw(1..6))))))"),
    ("least 1+1 {4,5}", "least(add(1, 1), bag(gather(4, 5)))"),
    ("min 3d6", "least(1, bag(gather(repeat(3, draw(1..6)))))"),
    ("max 3d6 - 1", "sub(only(largest(1, bag(gather(repeat(3, draw(1..6)))))), 1)"),
    ("minimal {1,2}", "minimal(bag(gather(1, 2)))"),
    ("maximal {1,2}", "maximal(bag(gather(1, 2)))"),
    ("median 3d6", "only(median(bag(gather(repeat(3, draw(1..6))))))"),
    ("different 2d4", "different(bag(gather(repeat(2, draw(1..4)))))"),
    ("count 5 <= {d8,d10}", "count(at_most(5, bag(gather(draw(1..8), draw(1..10)))))"),
    ("choose {1,2}", "draw(of bag(gather(1, 2)))"),
    ("{1,2} pick d2", "bag(draw(draw(1..2) of bag(gather(1, 2))))"),
    ("choose \"a\"", "draw(of bag(\"a\"))"),
    // Numbers.
    ("7 / 2 * 3 mod 4", "mod(mul(div(7, 2), 3), 4)"),
    ("-d4", "neg(draw(1..4))"),
    ("sgn (d5-3)", "sign(sub(draw(1..5), 3))"),
    ("(1=1) + {}", "add(only(equal(1, gather(1))), only([]))"),
    // Truths.
    ("?0.25", "draw([1] x1 or [] x3)"),
    ("?0.50", "draw([1] x1 or [] x1)"),
    ("?0.0", "[]"),
    ("!(3<d6)", "if some(less(3, gather(draw(1..6)))) then [] else [1]"),
    ("(3<d6) & d2", "if given(less(3, gather(draw(1..6)))) then gather(draw(1..2)) else []"),
    ("\"a\" & \"b\"", "if given(\"a\") then \"b\" else []"),
    ("if d6>3 then 1 else 2", "if some(more(draw(1..6), gather(3))) then 1 else 2"),
    ("if n then 1 else {}", "let n = 4 in if some(gather(n)) then gather(1) else []"),
    // Bindings.
    ("x := 2d6; (max x) =/= x", "let x = bag(gather(repeat(2, draw(1..6)))) in unequal(only(largest(1, x)), x)"),
    ("x ~ 4", "4"),
    ("n ~ d4", "let n = 4 in n"),
    ("x := 3; x ~ d4", "let x = 3 in x"),
    ("x := 1; x := x+1; x", "let x0 = 1 in let x1 = add(x0, 1) in x1"),
    // Loops.
    ("foreach i in 1..3 do i*i", "bag(gather(each(i in range(1, 3), mul(i, i))))"),
    ("foreach i in [1,2] do i", "bag(gather(each(i in bag(tuple(gather(1), gather(2))), i)))"),
    ("repeat x := d6 until x>1", "until(x = draw(1..6), some(more(x, gather(1))))"),
    ("repeat x := d6 while x=6", "until(x = draw(1..6), if some(equal(x, gather(6))) then false else true)"),
    ("accumulate x := 2#?0.5 until x", ACCUMULATED),
    ("repeat x := \"a\" until x", "until(x = bag(\"a\"), some(x))"),
    // Texts and pairs.
    ("'d2", "text(draw(1..2))"),
    ("'\"a\"", "\"a\""),
    ("2'{1,2}", "layers(repeat(2, text(bag(gather(1, 2)))))"),
    ("\"a|>b||c\" <> 3", "stack_centre(stack_left(\"a\", beside(\"b\", \"c\")), text(3))"),
    ("\"a<b|\"", "\"a<b|\""),
    ("\"a\" <| \"b\" |> 3", "stack_right(\"a\", stack_left(\"b\", text(3)))"),
    ("[d2, {1,2}]", "tuple(gather(draw(1..2)), bag(gather(1, 2)))"),
    ("p := [d2, 3]; (%1 p) + %2 p", PROJECTED),
    // Functions.
    ("call sq(d4) function sq(x) = x*x", "sq(x) = mul(x, x)\nsq(draw(1..4))"),
    ("call f(1) + call f(2d4) function f(x) = sum x", FUNCTION_OF_TWO_KINDS),
    ("function f(x) = x call f(\"a\") function f(x) = 1", "f(x) = x\nf(\"a\")"),
    ("call h(1) function h(n) = call h(n)", "h(n) = h(n)\nh(1)"),
    ("call f(3) function f(n) = if n=0 then 0 else d2 + call f(n-1)", RECURSIVE),
    ("call p(3d4) compositional p(1, sum, *)", PRODUCT),
    ("call u(d4) compositional u({}, d, @)", UNION),
    ("call c({1,2}) compositional c(call one(1), one, two) function one(x) = x function two(x, y) = x-y", STEPS),
    // Mistakes that only matter if the roll gets there.
    ("if 1 then 2 else y", NO_VARIABLE),
    (
        "d n + dn",
        "let n = 4 in add(draw(1..n), fail(\"name\", \"\", \"unknown name `dn`\", \"did you mean `d n + d n`?\"))",
    ),
    ("call g(3)", "fail(\"name\", \"\", \"unknown function `g`\", \"\")"),
    ("call f(1,2) function f(x) = x", "fail(\"name\", \"\", \"the function `f` takes 1 value, not 2\", \"\")"),
    ("2d8+1", DICE_FOR_A_NUMBER),
];

const ACCUMULATED: &str = "bag(gather(accumulate(x = bag(gather(repeat(2, draw([1] x1 or [] x1)))), some(x))))";
const PROJECTED: &str = "let p = tuple(gather(draw(1..2)), gather(3)) in add(only(field(0, p)), only(field(1, p)))";
const FUNCTION_OF_TWO_KINDS: &str = "f(x) = sum(x)\nadd(f(gather(1)), f(bag(gather(repeat(2, draw(1..4))))))";
const RECURSIVE: &str = "f(n) = if some(equal(n, gather(0))) then 0 else add(draw(1..2), f(sub(n, 1)))\nf(3)";
const PRODUCT: &str = "only(field(1, loop((members, value) = tuple(bag(gather(repeat(3, draw(1..4)))), gather(1)), \
    while some(members), let member = only(largest(1, members)) in \
    tuple(minus(members, gather(member)), gather(mul(sum(gather(member)), only(value)))))))";
const UNION: &str = "field(1, loop((members, value) = tuple(gather(draw(1..4)), []), while some(members), \
    let member = only(largest(1, members)) in \
    tuple(minus(members, gather(member)), bag(gather(draw(1..member), value)))))";
const STEPS: &str = "c_of_nothing() = one(1)\none(x) = x\ntwo(x, y) = sub(x, y)\n\
    only(field(1, loop((members, value) = tuple(bag(gather(1, 2)), gather(c_of_nothing())), while some(members), \
    let member = only(largest(1, members)) in \
    tuple(minus(members, gather(member)), gather(two(one(member), only(value)))))))";
const NO_VARIABLE: &str = "if some(gather(1)) then 2 else fail(\"name\", \"\", \"unknown name `y`\", \
    \"give it a value first: `y := 1; if 1 then 2 else y`\")";
const DICE_FOR_A_NUMBER: &str = "add(let unused = bag(gather(repeat(2, draw(1..8)))) in fail(\"runtime\", \"\", \
    \"expected a single number, not a collection of 2\", \"to add up the dice: `sum 2d8+1`\"), 1)";

fn lowered(text: &str, vars: &[(&str, i64)]) -> Compiled {
    let vars: Vars = vars.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    compile(notation("troll").unwrap(), text, &vars).unwrap_or_else(|found| panic!("{text:?}: {found:?}"))
}

#[test]
fn texts_mean_these_terms() {
    for (text, means) in MEANS {
        assert_eq!(print(&lowered(text, &[("n", 4)]).program), *means, "{text:?}");
    }
}

#[test]
fn warnings_say_what_a_roll_may_meet() {
    let check = |text: &str, vars: &[(&str, i64)], wanted: &[(&str, &str)]| {
        let found = lowered(text, vars).warnings;
        let found: Vec<(&str, &str)> =
            found.iter().map(|found| (found.message.as_str(), &text[found.span.start..found.span.end])).collect();
        assert_eq!(found, wanted, "{text:?}");
    };
    let no_y = ("unknown name `y`", "y");
    check("if 1 then 2 else y", &[], &[no_y]);
    check("{} & y", &[], &[no_y]);
    check("0#(y+y)", &[], &[no_y]);
    check("foreach i in {} do y", &[], &[no_y]);
    check("d6 + y", &[], &[]);
    check("x := y; 3", &[], &[]);
    check("repeat x := d6 until y", &[], &[]);
    check("call f(1) function f(x) = y", &[], &[]);
    check("if 1 then 2 else call f(1) function f(x) = y", &[], &[no_y]);
    check("1 function f(x) = y", &[], &[]);
    check("x := 1; x", &[("x", 9)], &[]);
    check("x + 1", &[("x", 9)], &[]);
    check("if 1 then 2 else call f(1)", &[], &[("unknown function `f`", "call f(1)")]);
    let hidden = ("the function `f` can only use its parameters, not the variable `N`", "N");
    check("N + if 1 then 1 else call f(1) function f(x) = N", &[("N", 3)], &[hidden]);
}

/// Every term of a program stands in it.
#[test]
fn terms_are_all_reached() {
    for (text, _) in MEANS {
        let program = lowered(text, &[("n", 4)]).program;
        no_term_is_left_over(&program, text);
    }
}

#[test]
fn terms_know_their_places() {
    let place = |text: &str, wanted: fn(&Term) -> bool| {
        let program = lowered(text, &[]).program;
        let node = program.nodes().iter().find(|node| wanted(&node.term)).unwrap();
        text[node.span.start..node.span.end].to_owned()
    };
    let prim = |name: &'static str| move |term: &Term| matches!(term, Term::Prim { prim, .. } if prim.name == name);
    let find = |text: &str, name: &'static str| {
        let program = lowered(text, &[]).program;
        let node = program.nodes().iter().find(|node| prim(name)(&node.term)).unwrap();
        text[node.span.start..node.span.end].to_owned()
    };
    assert_eq!(find("1 + 7 / (3 - 3)", "div"), "7 / (3 - 3)");
    assert_eq!(find("1 + (max 2d6)", "only"), "(max 2d6)");
    assert_eq!(find("sum (2d6 @ 3)", "sum"), "sum (2d6 @ 3)");
    assert_eq!(place("2 * d 6", |term| matches!(term, Term::Draw { .. })), "d 6");
}
