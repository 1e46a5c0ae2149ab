//! Nothing a program does makes the machine recurse: all of this runs on a very small stack.

use tumble_core::read::program;
use tumble_core::{Code, Draft, FnId, Function, Limits, Program, Span, Term, Value, check, prim};
use tumble_roll::{Seeded, roll, sample, story};

const STACK: usize = 128 << 10;

/// Rolls on a small stack; the value or the code of the error.
fn small(program: Program, limits: Limits) -> Result<Value, Code> {
    let run = move || {
        let rolled = roll(&program, &mut Seeded::new(1), &limits).map_err(|error| error.code)?;
        assert!(!story("", &program, &rolled).is_empty());
        assert_eq!(sample(&program, &mut Seeded::new(1), &limits).unwrap(), rolled.value);
        Ok(rolled.value)
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap()
}

/// `neg(neg(… draw(1..1)))`
fn nested(depth: usize) -> Program {
    let mut draft = Draft::new();
    let here = Span::default();
    let (lo, hi) = (draft.lit(here, Value::int(1)), draft.lit(here, Value::int(1)));
    let mut body = draft.add(here, Term::Draw { faces: tumble_core::Faces::Range { lo, hi } });
    for _ in 0..depth {
        body = draft.prim(here, &prim::NEG, vec![body]);
    }
    check(draft, vec![Function { name: "roll".into(), params: vec![], slots: vec![], body }], FnId(0)).unwrap()
}

#[test]
fn terms_may_be_nested() {
    assert_eq!(small(nested(100_000), Limits::default()), Ok(Value::int(1)));
}

#[test]
fn calls_may_be_nested() {
    let text = "f(n) = if some(less(0, gather(n))) then add(draw(1..1), f(sub(n, 1))) else 0; f(9998)";
    assert_eq!(small(program(text), Limits::default()), Ok(Value::int(9998)));
}

#[test]
fn what_never_ends_is_refused() {
    let table = [
        ("f() = add(1, f()); f()", Code::Limit),
        ("f(x) = f(tuple(x, 0)); f(0)", Code::Limit),
        ("f(x) = f(repeat(2, x)); f(0)", Code::Limit),
        ("loop(s = 0, while true, each(x in [1, 2], s))", Code::Limit),
        ("loop(s = 0, while true, draw(1..6))", Code::Limit),
        ("until(x = 0, false)", Code::Endless),
        ("repeat(1000000, repeat(1000000, repeat(1000000, 1)))", Code::Limit),
        ("loop(s = [1], while true, gather(s, s))", Code::Limit),
    ];
    for (text, code) in table {
        assert_eq!(small(program(text), Limits::small()), Err(code), "{text}");
    }
}

#[test]
fn a_million_dice_can_be_rolled() {
    let value = small(program("count(gather([1], 1))"), Limits::default());
    assert_eq!(value, Ok(Value::int(2)));
    let rolled = roll(&program("repeat(1000000, draw(1..6))"), &mut Seeded::new(1), &Limits::default()).unwrap();
    assert_eq!(rolled.draws.len(), 1_000_000);
    let passes = roll(&program("repeat(300000, add(0, draw(1..6)))"), &mut Seeded::new(1), &Limits::default()).unwrap();
    assert_eq!(passes.draws[299_999].path, "w300000r");
}
