//! Expressions of several notations in one program, as a script has them: one draft, variables that they can name, and
//! places in the larger text.

use std::collections::BTreeMap;
use tumble::{Fraction, Limits, Odds, Options, Program, Value, Vars, compile, methods, notation};
use tumble_core::{FnId, Function, Span, Term, check, prim};
use tumble_exact::odds;
use tumble_roll::{Drawn, Seeded, roll};
use tumble_syntax::Site;

/// Two expressions, each with its notation, and the same with a number for the name.
const CASES: &[[(&str, &str); 4]] = &[
    [("tabletop", "2d6kh1 + n"), ("troll", "sum n d 4"), ("tabletop", "2d6kh1 + 3"), ("troll", "sum 3 d 4")],
    [
        ("troll", "call f(n) function f(x) = if 0 = x then 0 else (d 2) + call f(x - 1)"),
        ("troll", "call g(2) + n function f(x) = x function g(x) = call f(x) * d 3"),
        ("troll", "call f(3) function f(x) = if 0 = x then 0 else (d 2) + call f(x - 1)"),
        ("troll", "2 * (d 3) + 3"),
    ],
    [("nice", "[A: d4 + N] A * A"), ("alea", "3d6K2H"), ("nice", "[A: d4 + 3] A * A"), ("alea", "3d6K2H")],
    [("yadn", "S 2dp6"), ("tabletop", "x := (n)d4; x - N"), ("yadn", "S 2dp6"), ("tabletop", "x := 3d4; x - 3")],
];

const NUMBER: i64 = 3;

/// `let n = 3 in one + other`, the texts one behind the other.
fn sum(one: (&str, &str), other: (&str, &str)) -> Program {
    let mut site = Site::default();
    let n = site.slot("n");
    // One notation has small letters only, another capitals only.
    site.scope.extend(["n", "N"].map(|name| (name.to_owned(), n)));
    let mut at = 0;
    let [a, b] = [one, other].map(|(name, text)| {
        let part = site.lower(notation(name).unwrap(), text, at, &Vars::new()).unwrap();
        assert!(part.warnings.is_empty(), "{text}");
        at += text.len();
        part.root
    });
    let whole = Span::new(0, at);
    let both = site.draft.prim(whole, &prim::ADD, vec![a, b]);
    let value = site.draft.lit(whole, Value::int(NUMBER));
    let body = site.draft.add(whole, Term::Let { slots: vec![n], value, body: both });
    let main = FnId(site.functions.len() as u32);
    site.functions.push(Function { name: "roll".into(), params: vec![], slots: site.slots, body });
    check(site.draft, site.functions, main).unwrap()
}

fn table(odds: &Odds) -> BTreeMap<i64, Fraction> {
    odds.outcomes().map(|(value, chance)| (value.as_int().unwrap(), chance)).collect()
}

/// The distribution of the sum of two independent results.
fn added(one: (&str, &str), other: (&str, &str)) -> BTreeMap<i64, Fraction> {
    let [one, other] = [one, other]
        .map(|(name, text)| table(&compile(name, text, &Vars::new()).unwrap().odds(&Options::default()).unwrap()));
    let mut sums: BTreeMap<i64, Fraction> = BTreeMap::new();
    for (a, p) in &one {
        for (b, q) in &other {
            let place = sums.entry(a + b).or_insert_with(Fraction::zero);
            *place = &*place + &(p * q);
        }
    }
    sums
}

#[test]
fn two_expressions_are_added() {
    for [one, other, plain, simple] in CASES {
        let program = sum(*one, *other);
        for without in [vec![], methods::ALL.to_vec()] {
            let found = odds(&program, &Options { without, ..Options::default() }).unwrap();
            assert_eq!(table(&found), added(*plain, *simple), "{one:?} and {other:?}");
        }
        let rolled = roll(&program, &mut Seeded::new(1), &Limits::default()).unwrap();
        let value = rolled.value.as_int().unwrap();
        assert!(added(*plain, *simple).contains_key(&value), "{one:?} and {other:?}: {value}");
        // The dice of the second stand behind the first.
        let behind = |drawn: &&Drawn| drawn.span.start >= one.1.len();
        let dice = rolled.draws.iter().filter(behind).count();
        assert!(dice > 0 && dice < rolled.draws.len(), "{one:?} and {other:?}");
        let end = one.1.len() + other.1.len();
        assert!(rolled.draws.iter().all(|drawn| drawn.span.end <= end), "{one:?} and {other:?}");
    }
}

/// What is wrong stands where it is in the larger text, and adds nothing.
#[test]
fn errors_are_found_in_the_larger_text() {
    let mut site = Site::default();
    for (name, text, span) in
        [("tabletop", "d6 + m", (15, 16)), ("troll", "d6 + ", (13, 14)), ("nice", "d6 + M", (15, 16))]
    {
        let found = site.lower(notation(name).unwrap(), text, 10, &Vars::new()).unwrap_err();
        assert_eq!((found[0].span.start, found[0].span.end), span, "{name}: {found:?}");
        assert!(site.draft.is_empty() && site.functions.is_empty() && site.slots.is_empty());
    }
}
