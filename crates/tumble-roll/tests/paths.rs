//! The path of every draw, by Hilton's rules.

use tumble_core::Limits;
use tumble_core::read::program;
use tumble_roll::{Scripted, roll};

/// Draws are spelled `path` or, for the dice of one path, `path#index`.
fn check(text: &str, dice: &[i64], paths: &str) {
    let rolled = roll(&program(text), &mut Scripted::new(dice), &Limits::small()).unwrap();
    let spelled: Vec<String> = rolled
        .draws
        .iter()
        .map(|die| if die.index == 0 { die.path.clone() } else { format!("{}#{}", die.path, die.index) })
        .collect();
    assert_eq!(spelled.join(" "), paths, "{text}");
}

const FOUR: &str = "some(equal(4, gather(draw(1..6))))";

#[test]
fn dice() {
    check("add(draw(1..6), draw(1..6))", &[1, 2], "r rr");
    check("gather(repeat(3, draw(1..6)), draw(1..6))", &[1, 2, 3, 4], "r r#1 r#2 rr");
    check("gather(repeat(0, draw(1..6)), draw(1..6))", &[4], "rr");
    check("let n = 6 in repeat(2, draw(1..add(n, n)))", &[1, 12], "r r#1");
    check("repeat(2, draw(1 x2 or 6 x1))", &[1, 6], "r r#1");
    check("repeat(2, draw(of [1, 2]))", &[1, 2], "r r#1");
    check("gather(draw(2 of [1, 2, 3]), draw(1..6))", &[1, 2, 6], "r r#1 rr");
    check("draw(1..draw(1..6))", &[6, 3], "r rr");
}

#[test]
fn loops() {
    check("gather(repeat(2, sub(draw(1..6), draw(1..6))), draw(1..6))", &[1; 5], "w1r w1rr w2r w2rr Lr");
    check("repeat(2, draw(1..draw(1..6)))", &[1; 4], "w1r w1rr w2r w2rr");
    check("repeat(2, draw(1 of [1, 2]))", &[1; 2], "w1r w2r");
    check("repeat(draw(1..6), until(x = draw(1..6), true))", &[2, 1, 1], "r rw1w1r rw2w1r");
    check("gather(each(x in gather(draw(1..6), 3), draw(1..6)), draw(1..6))", &[1; 4], "r rw1r rw2r Lr");
    check("gather(until(x = draw(1..6), false, at most 3), draw(1..6))", &[1; 4], "w1r w2r w3r Lr");
    check(&format!("until(x = draw(1..6), {FOUR})"), &[1, 1, 2, 4], "w1r w1rr w2r w2rr");
    let counted = "loop(s = draw(1..6), while some(more(3, gather(s))), add(s, draw(1..6)))";
    check(&format!("add({counted}, draw(1..6))"), &[1; 4], "r rwr rwrwr Lr");
    check(&format!("loop(s = 0, while {FOUR}, draw(1..6))"), &[4, 1, 3], "r rwr rwrr");
}

#[test]
fn branches() {
    let hilton = format!("add(if {FOUR} then draw(1..6) else 0, draw(1..6))");
    check(&hilton, &[4, 1, 2], "r rtr ir");
    check(&hilton, &[3, 2], "r ir");
    check(&format!("if {FOUR} then 0 else draw(1..6)"), &[1, 2], "r rfr");
    check(&format!("if {FOUR} then 0 else if {FOUR} then draw(1..6) else 0"), &[1, 4, 2], "r rfr rfrtr");
}

/// Without `q`, what follows could have the path of something in the condition.
#[test]
fn conditions_that_begin_like_their_end() {
    let inner = format!("if {FOUR} then true else {FOUR}");
    let text = format!("gather(if {inner} then draw(1..6) else 0, draw(1..6))");
    check(&text, &[4, 1, 2], "qr qitr ir");
    check(&text, &[1, 4, 1, 2], "qr qrfr qitr ir");
    let inner = "gather(until(x = draw(1..6), true))";
    check(&format!("gather(each(x in {inner}, draw(1..6)), draw(1..6))"), &[1, 1, 1], "qw1r qLw1r Lr");
    check(&format!("gather(each(x in gather(draw(1..6), {inner}), draw(1..6)))"), &[1; 4], "r rw1r rLw1r rLw2r");
    let inner = "some(equal(4, gather(until(x = draw(1..6), true))))";
    check(
        &format!("gather(loop(s = 0, while {inner}, draw(1..6)), draw(1..6))"),
        &[4, 1, 3, 1],
        "qw1r qLwr qLwrw1r Lr",
    );
}

#[test]
fn short_cuts() {
    let after = |short: String| format!("if {short} then 1 else draw(1..6)");
    check(&after(format!("both({FOUR}, {FOUR})")), &[4, 1, 1], "r rsr rofr");
    check(&after(format!("both({FOUR}, {FOUR})")), &[1, 1], "r rofr");
    check(&after(format!("either({FOUR}, {FOUR})")), &[1, 1, 1], "r rsr rofr");
    check(&format!("either({FOUR}, either(both(true, false), {FOUR}))"), &[1, 4], "r rsosr");
}

/// A call or loop that is left early leaves the same letter as one that comes to its end.
#[test]
fn leaving() {
    let text =
        format!("f() = let x = if {FOUR} then leave(call, 1) else 2 in add(x, draw(1..6)); add(f(), draw(1..6))");
    check(&text, &[4, 6], "cr er");
    check(&text, &[1, 5, 6], "cr cir er");
    let text = format!("gather(loop(s = 0, while true, if {FOUR} then leave(loop, s) else draw(1..6)), draw(1..6))");
    check(&text, &[1, 2, 4, 6], "wr wrfr wiwr Lr");
    let inner = format!("each(x in [1, 2], if {FOUR} then leave(loop, s) else draw(1..6))");
    check(
        &format!("gather(loop(s = 0, while true, sum(gather({inner}))), draw(1..6))"),
        &[1, 2, 4, 6],
        "ww1r ww1rfr ww2r Lr",
    );
    check("let x = if true then leave(call, draw(1..6)) else 2 in draw(1..6)", &[3], "tr");
}

#[test]
fn questions() {
    check("let x = ask(option, nothing, nothing, \"?\", nothing) in draw(1..6)", &[3], "ur");
    check("if ask(option, nothing, nothing, \"?\", nothing) then 1 else draw(1..6)", &[3], "ufr");
}

#[test]
fn calls() {
    let text = "f(x) = draw(1..x); add(f(draw(1..6)), draw(1..6))";
    check(text, &[4, 1, 1], "r rcr rer");
    let text = format!("f() = if {FOUR} then f() else 0; add(f(), draw(1..6))");
    check(&text, &[4, 4, 1, 6], "cr crtcr crtcrtcr er");
}
