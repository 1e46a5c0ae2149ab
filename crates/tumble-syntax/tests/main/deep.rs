//! Long and deep texts: an answer at once, on a small stack.

use tumble_core::Code;
use tumble_syntax::{Vars, compile, notation};

/// The stack of the thread that reads them; a thread usually has 2 MiB.
const STACK: usize = 1 << 20;

/// Pieces that nest when repeated, and what ends them.
const NESTING: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("{", "1", "}"),
    ("{1,", "1", "}"),
    ("[1,", "1", "]"),
    ("- ", "1", ""),
    ("d ", "1", ""),
    ("z ", "1", ""),
    ("! ", "1", ""),
    ("'", "1", ""),
    ("%1 ", "1", ""),
    ("sum ", "1", ""),
    ("least 1 ", "1", ""),
    ("largest ", "1", " 1"),
    ("x ~ ", "1", ""),
    ("1@", "1", ""),
    ("1 & ", "1", ""),
    ("1#", "1", ""),
    ("1 d ", "1", ""),
    ("1=", "1", ""),
    ("1 || ", "1", ""),
    ("if 1 then ", "1", " else 1"),
    ("if 1 then 1 else ", "1", ""),
    ("if ", "1", " then 1 else 1"),
    ("x:=1;", "1", ""),
    ("x:=", "1", ";x"),
    ("foreach x in 1 do ", "1", ""),
    ("repeat x:=1 until ", "1", ""),
    ("accumulate x:=", "1", " while {}"),
    ("call f(", "1", ")"),
    ("call c(", "1", ")"),
    ("1+(2*(", "1", "))"),
];

/// Operators that group to the left: any number of them is fine.
const CHAINS: &[&str] =
    &["+1", "-1", "*1", "/1", " mod 1", " drop 1", " keep 1", " pick 1", "--1", "'1", "*1-1", "=2'1"];

const FUNCTIONS: &str = "\nfunction f(x) = x\ncompositional c(0, -, +)";

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

fn nested(depth: usize, (open, inside, close): (&str, &str, &str)) -> String {
    open.repeat(depth) + inside + &close.repeat(depth) + FUNCTIONS
}

#[test]
fn deep_texts_are_refused() {
    on_a_small_stack(|| {
        let troll = notation("troll").unwrap();
        for &piece in NESTING {
            for text in [nested(1_000, piece), nested(25_000, piece), piece.0.repeat(200_000)] {
                let found = compile(troll, &text, &Vars::new()).expect_err(piece.0);
                assert_eq!(found[0].code, Code::Limit, "{piece:?}");
            }
        }
    });
}

#[test]
fn texts_of_allowed_depth_are_compiled_and_spelled() {
    on_a_small_stack(|| {
        let troll = notation("troll").unwrap();
        for &piece in NESTING {
            let depth = if piece.0.contains("+(") { 49 } else { 198 };
            let text = nested(depth, piece);
            compile(troll, &text, &Vars::new()).unwrap_or_else(|found| panic!("{piece:?}: {found:?}"));
            let spelled = (troll.spell)(&text).unwrap();
            assert_eq!((troll.spell)(&spelled).unwrap(), spelled, "{piece:?}");
        }
    });
}

#[test]
fn long_chains_are_compiled_and_spelled() {
    on_a_small_stack(|| {
        let troll = notation("troll").unwrap();
        for (at, piece) in CHAINS.iter().enumerate() {
            let text = format!("1{}", piece.repeat(if at == 0 { 100_000 } else { 20_000 }));
            compile(troll, &text, &Vars::new()).unwrap_or_else(|found| panic!("{piece:?}: {found:?}"));
            let spelled = (troll.spell)(&text).unwrap();
            assert_eq!((troll.spell)(&spelled).unwrap(), spelled, "{piece:?}");
        }
        let wide = format!("{{1{}}}", ",d6".repeat(100_000));
        compile(troll, &wide, &Vars::new()).unwrap();
        let boxed = format!("\"{}\"", "a||".repeat(100_000));
        compile(troll, &boxed, &Vars::new()).unwrap();
    });
}

/// Functions that call each other in a row; `order` is the order in which they are found.
fn linked(count: usize, order: impl Fn(usize) -> usize) -> String {
    let name = |n: usize| n.to_string().bytes().map(|digit| char::from(digit + 49)).collect::<String>();
    let links = (0..count).map(|n| format!("function f{}(x) = call f{}(x)\n", name(n), name(n + 1)));
    let calls = (0..count).map(|n| format!("call f{}(1),", name(order(n))));
    let last = format!("function f{}(x) = x@x\n", name(count));
    links.collect::<String>() + &last + "{" + &calls.collect::<String>() + "0}"
}

#[test]
fn functions_that_need_each_other_are_settled() {
    on_a_small_stack(|| {
        let troll = notation("troll").unwrap();
        for text in [linked(9_000, |n| n), linked(9_000, |n| 8_999 - n), linked(100, |n| n * 37 % 100)] {
            compile(troll, &text, &Vars::new()).unwrap();
        }
        let found = compile(troll, &linked(1_009, |n| n * 337 % 1_009), &Vars::new()).unwrap_err();
        assert_eq!(found[0].code, Code::Limit);
    });
}

#[test]
fn a_text_of_more_than_a_mebibyte_is_refused() {
    let troll = notation("troll").unwrap();
    let found = compile(troll, &" ".repeat((1 << 20) + 1), &Vars::new()).unwrap_err();
    assert_eq!(found[0].code, Code::Limit);
    let found = compile(troll, &" ".repeat(1 << 20), &Vars::new()).unwrap_err();
    assert_eq!(found[0].code, Code::Syntax);
}
