//! `cargo xtask bench phrasings [PROGRAM]`: one question in many spellings should cost much the same.
//!
//! The spellings are in `bench/phrasings.jsonl`; that they give the same answer is also checked here. The goal is that
//! the slowest spelling of a question takes at most ten times as long as the fastest, or less than 5 ms.

use super::jobs::{self, Answer, End};
use super::table::{best, geometric_mean, row, span, table, three_digits};
use crate::fields::Fields;
use std::path::Path;

const RUNS: usize = 5;
/// No further run of a spelling is started after this many seconds.
const SECONDS: f64 = 2.0;

const TIMES: f64 = 10.0;
const FAST_ENOUGH: f64 = 5e-3;

struct Spelling {
    question: String,
    kind: String,
    notation: String,
    text: String,
}

/// A spelling by its kind, and its time or why there is none.
struct Timed {
    kind: String,
    time: Result<f64, String>,
}

/// Times all spellings; an error names those with a different answer.
pub(super) fn bench(root: &Path, tumble: &Path) -> Result<(), String> {
    let (mut questions, mut problems): (Vec<(String, Vec<Timed>)>, Vec<String>) = Default::default();
    let mut first: Option<(String, String)> = None;
    for spelling in read(root)? {
        let (answer, time) = time(tumble, &spelling);
        let name = format!("{}: {}", spelling.question, spelling.kind);
        println!("{name:<80}{}", time.as_ref().map_or_else(Clone::clone, |time| span(*time)));
        if let Some(answer) = answer {
            match &first {
                Some((question, digest)) if *question == spelling.question && *digest != answer.digest => {
                    problems.push(format!("{name}: another answer than the spellings before"));
                }
                Some((question, _)) if *question == spelling.question => {}
                _ => first = Some((spelling.question.clone(), answer.digest)),
            }
        }
        if questions.last().is_none_or(|(question, _)| *question != spelling.question) {
            questions.push((spelling.question, vec![]));
        }
        if let Some((_, all)) = questions.last_mut() {
            all.push(Timed { kind: spelling.kind, time });
        }
    }
    println!("\n{}", shown(&questions));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn read(root: &Path) -> Result<Vec<Spelling>, String> {
    let name = "bench/phrasings.jsonl";
    let text = std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))?;
    let spelling = |line| {
        let fields = Fields::read(line)?;
        let text = |name: &str| fields.text(name).map(str::to_string);
        Some(Spelling {
            question: text("question")?,
            kind: text("kind")?,
            notation: text("notation")?,
            text: text("text")?,
        })
    };
    let lines = text.lines().enumerate();
    lines.map(|(at, line)| spelling(line).ok_or_else(|| format!("{name}:{}: not a spelling", at + 1))).collect()
}

fn time(tumble: &Path, spelling: &Spelling) -> (Option<Answer>, Result<f64, String>) {
    let (mut times, mut last) = (Vec::new(), None);
    while times.len() < RUNS && times.iter().sum::<f64>() < SECONDS {
        match jobs::ask(tumble, &spelling.notation, &spelling.text) {
            End::Answered(answer) => {
                times.push(answer.seconds.max(1e-6));
                last = Some(answer);
            }
            End::Refused(_) => return (None, Err("refused".into())),
            End::Late(seconds) => return (None, Err(format!("> {}", span(seconds)))),
            End::Broken(why) => return (None, Err(format!("broken: {why}"))),
        }
    }
    (last, best(&times).ok_or_else(|| "none".into()))
}

/// The fastest and the slowest spelling of each question.
fn shown(questions: &[(String, Vec<Timed>)]) -> String {
    let mut rows = vec![row!["question", "spellings", "fastest", "slowest", "ratio", "no answer", "goal"]];
    let (mut met, mut ratios) = (0, Vec::new());
    for (question, all) in questions {
        let times: Vec<(f64, &str)> =
            all.iter().filter_map(|one| Some((*one.time.as_ref().ok()?, one.kind.as_str()))).collect();
        let none: Vec<&str> = all.iter().filter(|one| one.time.is_err()).map(|one| one.kind.as_str()).collect();
        let fastest = times.iter().min_by(|one, other| one.0.total_cmp(&other.0));
        let slowest = times.iter().max_by(|one, other| one.0.total_cmp(&other.0));
        let word = |one: Option<&(f64, &str)>| one.map(|(time, kind)| format!("{} ({kind})", span(*time)));
        let ratio = fastest.zip(slowest).map(|(fastest, slowest)| slowest.0 / fastest.0);
        let kept =
            none.is_empty() && slowest.zip(ratio).is_some_and(|(slow, ratio)| ratio <= TIMES || slow.0 < FAST_ENOUGH);
        met += usize::from(kept);
        ratios.extend(ratio);
        rows.push(row![
            question,
            all.len(),
            word(fastest).unwrap_or_default(),
            word(slowest).unwrap_or_default(),
            ratio.map(three_digits).unwrap_or_default(),
            none.join(", "),
            if kept { "met" } else { "MISSED" }
        ]);
    }
    format!(
        "{}\nGoal: the slowest spelling takes at most {TIMES} times as long as the fastest, or less than {}. Met by {met} \
         of {} questions; geometric mean of the ratios {}.",
        table(&rows),
        span(FAST_ENOUGH),
        questions.len(),
        geometric_mean(&ratios).map_or("none".into(), three_digits)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spellings_of_the_repository_are_read() {
        let spellings = read(&crate::shell::root()).unwrap();
        assert!(spellings.len() > 80 && spellings.iter().any(|one| one.notation == "tabletop"));
    }

    #[test]
    fn fastest_and_slowest_are_shown() {
        let question = |times: &[Result<f64, &str>]| {
            let timed = |time: &Result<f64, &str>| Timed { kind: "kind".into(), time: time.map_err(str::to_string) };
            ("which".to_string(), times.iter().map(timed).collect::<Vec<_>>())
        };
        for (times, kept) in [
            (&[Ok(1.0), Ok(10.0)][..], true),
            (&[Ok(1.0), Ok(11.0)], false),
            (&[Ok(1e-5), Ok(4e-3)], true),
            (&[Ok(1.0), Ok(1.0), Err("refused")], false),
            (&[Err("refused")], false),
        ] {
            let page = shown(&[question(times)]);
            assert_eq!(page.contains("Met by 1 of 1"), kept, "{page}");
        }
    }
}
