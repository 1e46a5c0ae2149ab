//! What happens in a run besides its value: throws, questions, lines and groups, with their paths.

use std::sync::Arc;
use tumble_core::read::program;
use tumble_core::{Diagnostic, Limits, Program, Reader, Throw, Value};
use tumble_roll::{Answered, Happened, Play, Scripted, Shown, run};

/// Texts are core terms here.
struct Core;

impl Reader for Core {
    fn read(&self, text: &str, _: Throw) -> Result<Arc<Program>, Diagnostic> {
        Ok(Arc::new(program(text)))
    }
}

/// Everything that happened, in words, and the value.
fn check(text: &str, dice: &[i64], answers: &[(&str, Value)], expected: &str) {
    let answers: Answered = answers.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    let play = Play { reader: &Core, answers: &answers };
    let mut source = Scripted::new(dice);
    let done = run(&program(text), &mut source, play, &Limits::small());
    let mut words: Vec<String> = done.log.iter().map(told).collect();
    words.push(match done.value {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    });
    assert_eq!(words.join("; "), expected, "{text}");
    assert_eq!(source.used(), dice.len(), "{text}: all dice");
}

fn told(happened: &Happened) -> String {
    match happened {
        Happened::Thrown(thrown) => {
            let dice = thrown.dice.iter().map(|(path, _, index, shown)| format!("{path}#{index}={shown}"));
            format!("{} at {} ({})", thrown.text, thrown.path, dice.collect::<Vec<_>>().join(" "))
        }
        Happened::Asked(asked) => format!("{}? at {}: {}", asked.prompt, asked.path, asked.value),
        Happened::Shown(Shown::Line { text, .. }) => text.clone(),
        Happened::Shown(Shown::Open { title }) => format!("[{}", title.as_deref().unwrap_or_default()),
        Happened::Shown(Shown::Close) => "]".to_owned(),
        Happened::Shown(Shown::Change { field, amount, .. }) => format!("{field} {amount}"),
    }
}

#[test]
fn dice_that_fall_together_share_a_path() {
    check(
        "add(throw(plain, 2, 6), throw(plain, 1, 4))",
        &[3, 4, 1],
        &[],
        "2d6 at r (r#0=3 r#1=4); 1d4 at rr (rr#0=1); 8",
    );
    check("throw(plain, 0, 6)", &[], &[], "0d6 at r (); 0");
    check("throw(plain, sub(0, 1), 6)", &[], &[], "error: -1 dice can't be rolled");
    check("throw(again, [1, 2], [1], 6)", &[5], &[], "reroll d6 at r (r#1=5); [1, 5]");
    check("throw(again, [1, 2], [2], 6)", &[], &[], "error: there is no position 2; they are 0 to 1");
}

#[test]
fn a_text_has_its_own_paths_behind_a_point() {
    check("throw(total, \"draw(1..6)\")", &[3], &[], "draw(1..6) at r (r#0=3); 3");
    check(
        "add(throw(total, \"add(draw(1..6), draw(1..4))\"), throw(plain, 1, 8))",
        &[3, 2, 8],
        &[],
        "add(draw(1..6), draw(1..4)) at r (r#0=3 r.rr#0=2); 1d8 at rr (rr#0=8); 13",
    );
    check("throw(total, \"div(1, 0)\")", &[], &[], "error: \"div(1, 0)\": division by zero");
}

#[test]
fn a_question_has_a_default_until_it_is_answered() {
    let text = "if ask(option, \"Ann\", nothing, \"Reroll\", nothing) then throw(plain, 1, 6) else 0";
    check(text, &[], &[], "Reroll? at u: false; 0");
    check(text, &[4], &[("u", Value::bool(true))], "Reroll? at u: true; 1d6 at utr (utr#0=4); 4");
    check(text, &[], &[("u", Value::int(1))], "Reroll? at u: false; 0");
    let text = "ask(number, nothing, nothing, \"How many\", 1, 3, 2, nothing)";
    check(text, &[], &[("u", Value::int(3))], "How many? at u: 3; 3");
    check(text, &[], &[("u", Value::int(4))], "How many? at u: 2; 2");
    let text = "ask(select, nothing, nothing, \"Which\", [\"a\", \"b\"], nothing)";
    check(text, &[], &[("u", Value::ints(&[1, 0, 1]))], "Which? at u: [0, 1]; [0, 1]");
    check("ask(choice, nothing, nothing, \"Which\", [], nothing)", &[], &[], "error: there is nothing to choose from");
}

#[test]
fn groups_end_with_their_call_or_block() {
    let text = "f() = let a = emit(open, \"one\") in let b = emit(line, \"x\", \"\") in 1; \
        let a = f() in let b = emit(line, \"y\", \"\") in a";
    check(text, &[], &[], "[one; x; ]; y; 1");
    let text = "f() = let a = emit(enter, nothing) in let b = if true then leave(call, 2) else 1 in 1; \
        let a = f() in let b = emit(line, \"y\", \"\") in a";
    check(text, &[], &[], "[; ]; y; 2");
    let text = "let a = emit(enter, nothing) in let b = emit(open, nothing) in let c = emit(exit) in 1";
    check(text, &[], &[], "[; [; ]; ]; 1");
    let text = "let a = emit(open, nothing) in let b = emit(close) in 1";
    check(text, &[], &[], "[; ]; 1");
    let close = "error: no group to end: nothing in this call started one that is still open";
    check("f() = emit(close); let a = emit(open, nothing) in f()", &[], &[], &format!("[; {close}"));
    check("emit(close)", &[], &[], close);
    check("emit(line, \"a\", \"loud\")", &[], &[], "error: unknown style \"loud\"");
}
