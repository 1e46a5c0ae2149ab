//! Long and deep texts: an answer at once, on a small stack.

use tumble_core::Code;
use tumble_syntax::{Vars, compile, notation};

/// The stack of the thread that reads them; a thread usually has 2 MiB.
const STACK: usize = 1 << 20;

/// Pieces that nest when repeated: what opens, what is inside, what closes.
pub(crate) type Nesting = (&'static str, &'static str, &'static str);

/// What nests in Troll.
const NESTING: &[Nesting] = &[
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

fn nested(depth: usize, (open, inside, close): Nesting) -> String {
    open.repeat(depth) + inside + &close.repeat(depth)
}

/// Texts that nest too deep are refused by name of the limit, and so are beginnings without an end;
/// `ending` stands after every text.
pub(crate) fn refused(name: &'static str, nesting: &'static [Nesting], ending: &'static str) {
    on_a_small_stack(move || {
        let notation = notation(name).unwrap();
        for &piece in nesting {
            for text in [nested(1_000, piece) + ending, nested(25_000, piece) + ending, piece.0.repeat(200_000)] {
                let found = compile(notation, &text, &Vars::new()).expect_err(piece.0);
                assert_eq!(found[0].code, Code::Limit, "{piece:?}");
            }
        }
    });
}

/// Texts of allowed depth become programs and can be spelled.
pub(crate) fn accepted(name: &'static str, nesting: &'static [Nesting], depth: usize, ending: &'static str) {
    on_a_small_stack(move || {
        for &piece in nesting {
            read_and_spelled(name, &(nested(depth, piece) + ending), piece.0);
        }
    });
}

/// Any number of pieces after `first` is fine.
pub(crate) fn chained(name: &'static str, first: &'static str, chains: &'static [&'static str]) {
    on_a_small_stack(move || {
        for (at, piece) in chains.iter().enumerate() {
            let text = format!("{first}{}", piece.repeat(if at == 0 { 100_000 } else { 20_000 }));
            read_and_spelled(name, &text, piece);
        }
    });
}

fn read_and_spelled(name: &str, text: &str, piece: &str) {
    let notation = notation(name).unwrap();
    compile(notation, text, &Vars::new()).unwrap_or_else(|found| panic!("{piece:?}: {found:?}"));
    let spelled = (notation.spell)(text).unwrap();
    assert_eq!((notation.spell)(&spelled).unwrap(), spelled, "{piece:?}");
}

#[test]
fn deep_texts_are_refused() {
    refused("troll", NESTING, FUNCTIONS);
}

#[test]
fn texts_of_allowed_depth_are_compiled_and_spelled() {
    let (twice, once): (Vec<Nesting>, Vec<Nesting>) = NESTING.iter().partition(|piece| piece.0.contains("+("));
    accepted("troll", once.leak(), 198, FUNCTIONS);
    accepted("troll", twice.leak(), 49, FUNCTIONS);
}

#[test]
fn long_chains_are_compiled_and_spelled() {
    chained("troll", "1", CHAINS);
    on_a_small_stack(|| {
        let troll = notation("troll").unwrap();
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
