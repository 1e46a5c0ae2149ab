//! What is too large is refused with the name of the limit, before it is tried.

use tumble_core::read::program;
use tumble_core::{Code, Limits, Remedy};
use tumble_exact::{Options, odds};

fn refused(text: &str, message: &str) {
    let limits = Limits { steps: 2_000_000, bytes: 64 << 20, ..Limits::default() };
    let found = odds(&program(text), &Options { limits, ..Options::default() }).map(|odds| odds.len()).unwrap_err();
    assert_eq!(found.code, Code::Limit, "{text}: {found:?}");
    assert!(found.message.contains(message), "{text}: {}", found.message);
    assert!(found.remedies.contains(&Remedy::Approximate), "{text}: {found:?}");
}

#[test]
fn huge_rolls() {
    let many = |count: &str, sides: &str| format!("bag(gather(repeat({count}, draw(1..{sides}))))");
    refused(&many("999999999", "6"), "about 8.3e42; at most");
    refused(&many("30", "100"), "about 2.0e29; at most");
    refused(&format!("sum({})", many("999999999", "6")), "B of memory");
    refused(&format!("largest(1, {})", many("999999999", "6")), "allowed");
    refused(&format!("sum(largest(3, {}))", many("999999999", "6")), "allowed");
    refused(&format!("count(different({}))", many("99999", "6")), "allowed");
    refused("draw(1..999999999999)", "too many outcomes");
    refused(&many("draw(1..100000)", "6"), "possible numbers of dice");
    refused("range(1, 1000000000)", "too large");
    refused(
        "let x = draw(1..1000) in let y = draw(1..1000) in let z = draw(1..1000) in tuple(tuple(x, y), z)",
        "steps",
    );
}

#[test]
fn loops_with_a_far_end() {
    let explosion = "accumulate(x = draw(1..6), some(more(6, gather(x))), at most 1000000)";
    refused(&format!("sum(gather({explosion}))"), "a loop of up to 1000000 passes");
    refused(&format!("largest(1, bag(gather({explosion})))"), "a loop of up to 1000000 passes");
    refused("until(x = draw(1..6), some(less(1, gather(x))), at most 1000000)", "a loop of up to 1000000 passes");
    refused("until(x = draw(1..6), false, at most 9000000000000000000)", "a loop of up to 9000000000000000000 passes");
}

#[test]
fn deep_terms_and_deep_calls_use_no_native_stack() {
    let mut deep = "1".to_owned();
    for _ in 0..2_000 {
        deep = format!("add(1, {deep})");
    }
    let countdown = "f(n) = if some(equal(0, gather(n))) then 0 else add(1, f(sub(n, 1))); f(5000)";
    let run = move || {
        let value =
            |text: &str| odds(&program(text), &Options::default()).unwrap().outcomes().next().unwrap().0.to_string();
        assert_eq!(value(countdown), "5000");
        deep
    };
    let deep = std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
    // The reader of the tests recurses, so the deep term is read on a large stack.
    let read = move || odds(&program(&deep), &Options::default()).unwrap().len();
    assert_eq!(std::thread::Builder::new().stack_size(64 << 20).spawn(read).unwrap().join().unwrap(), 1);
}
