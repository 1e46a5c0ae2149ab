//! What we promise about speed, and whether a run keeps it.
//!
//! Why a promise is not kept is written in `bench/reasons.txt`, one line `NAME: REASON` for each row
//! that misses.

use super::child;
use super::growth::Growth;
use super::jobs::{self, End, Job};
use super::peers::{Programs, Score};
use super::rolling::Rolling;
use super::table::{best, median, span, three_digits};
use std::process::Command;
use std::time::Duration;

/// Against icepool: at least this many times faster, or in less than this many seconds.
const FASTER: f64 = 20.0;
const FAST_ENOUGH: f64 = 100e-6;
/// The jobs with a family, programs with rules of their own: at least as fast as icepool.
const FASTER_IN_A_FAMILY: f64 = 1.0;
/// And as the geometric mean.
pub(super) const FASTER_IN_THE_MEAN: f64 = 200.0;

const RUNS: usize = 9;

/// Further questions with a promise of their own: name, what, text, seconds.
const QUESTIONS: &[(&str, &str, &str, f64)] = &[
    (
        "l5r_unbounded",
        "`sum largest 3 5#(sum accumulate x := d10 until x<10)`, unbounded",
        "sum largest 3 5#(sum accumulate x := d10 until x<10)",
        1e-3,
    ),
    ("time_sum_1000d6", "`sum 1000d6`", "sum 1000d6", 2e-3),
    ("time_sum_10000d6", "`sum 10000d6`", "sum 10000d6", 0.4),
    ("time_kh50_100d10", "`sum largest 50 100d10`", "sum largest 50 100d10", 10e-3),
    // There are 69 thousand million multisets: who answers at all has not listed them.
    ("three_summaries", "`x := 20d20; {max x, min x, sum x}`", "x := 20d20; {max x, min x, sum x}", 1.0),
];

/// A promise and what became of it.
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) what: String,
    pub(super) promised: String,
    pub(super) measured: String,
    pub(super) met: bool,
}

/// Measures the questions and the start of the program.
pub(super) fn measure(programs: &Programs) -> Result<Vec<Target>, String> {
    let mut targets: Vec<Target> = QUESTIONS
        .iter()
        .map(|(name, what, text, limit)| {
            let (measured, met) = match time(programs, text) {
                Ok(seconds) => (span(seconds), seconds < *limit),
                Err(why) => (why, false),
            };
            Target { name, what: (*what).into(), promised: format!("under {}", span(*limit)), measured, met }
        })
        .collect();
    targets.push(start(programs)?);
    Ok(targets)
}

fn time(programs: &Programs, text: &str) -> Result<f64, String> {
    let mut times = Vec::new();
    while times.len() < RUNS && times.iter().sum::<f64>() < 6.0 {
        match jobs::ours(&programs.tumble, text) {
            End::Answered(answer) => times.push(answer.seconds),
            End::Refused(_) => return Err("refused".into()),
            End::Late(seconds) => return Err(format!("> {}", span(seconds))),
            End::Broken(why) => return Err(format!("broken: {why}")),
        }
    }
    best(&times).ok_or_else(|| "none".into())
}

/// A whole process by the clock on the wall; the median, since a user has no second try.
fn start(programs: &Programs) -> Result<Target, String> {
    let mut times = Vec::new();
    for _ in 0..21 {
        let mut command = Command::new(&programs.tumble);
        let ran = child::run(command.args(["roll", "-n", "troll", "1d20"]), "", Duration::from_secs(60))
            .map_err(|error| error.to_string())?;
        if ran.well != Some(true) {
            return Err(format!("{command:?}: {}", ran.err));
        }
        times.push(ran.wall.as_secs_f64());
    }
    let seconds = median(&times).unwrap_or(f64::INFINITY);
    Ok(Target {
        name: "start",
        what: "the whole process `tumble roll -n troll 1d20`, median".into(),
        promised: "under 5 ms".into(),
        measured: span(seconds),
        met: seconds < 5e-3,
    })
}

/// The promises about rolling.
pub(super) fn rolling(rolling: &Rolling) -> Vec<Target> {
    let rate = |name, what: &str, rate: f64, promised: f64| Target {
        name,
        what: what.into(),
        promised: format!("{} M/s", promised / 1e6),
        measured: format!("{} M/s", three_digits(rate / 1e6)),
        met: rate >= promised,
    };
    let times = rolling.rate("by_hand_alike") / rolling.rate("ours_bulk");
    vec![
        rate("roll_text", "rolling `4d6kh3+2` with full trace, from text", rolling.rate("ours_text"), 1e6),
        rate("roll_shelf", "the same, the text read before", rolling.rate("ours_shelf"), 1e6),
        rate("roll_prepared", "the same, prepared", rolling.rate("ours_prepared"), 10e6),
        Target {
            name: "bulk",
            what: "bulk sampling `4d6kh3` without trace, against a loop by hand on the same generator".into(),
            promised: "within 3 times".into(),
            measured: format!("{} times", three_digits(times)),
            met: times <= 3.0,
        },
    ]
}

pub(super) fn growth(growth: &Growth) -> Target {
    let broken = growth.broken();
    Target {
        name: "growth",
        what: "cost as n doubles, see [growth.md](growth.md)".into(),
        promised: "as the method promises".into(),
        measured: if broken.is_empty() { "as promised".into() } else { format!("not kept: {}", broken.join(", ")) },
        met: broken.is_empty(),
    }
}

/// How many times faster than icepool, and whether this is only a bound, since icepool was stopped.
pub(super) fn ratio(ours: &Score, icepool: &Score) -> Option<(f64, bool)> {
    match (ours, icepool) {
        (Score::Right(ours), Score::Right(icepool)) => Some((icepool / ours, false)),
        (Score::Right(ours), Score::Late(icepool)) => Some((icepool / ours, true)),
        _ => None,
    }
}

/// Whether a job keeps its promise against icepool.
pub(super) fn met(job: &Job, ours: &Score, icepool: &Score) -> bool {
    let ratio = ratio(ours, icepool).map(|(ratio, _)| ratio);
    if job.family.is_some() {
        return ratio.is_some_and(|ratio| ratio >= FASTER_IN_A_FAMILY);
    }
    match (job.name.as_str(), ours) {
        // A user's recursion over two pools: right, within the default budget.
        ("risk_10v10_d6", ours) => matches!(ours, Score::Right(_)),
        // A megabyte of digits is the answer.
        ("max_1000d1000", _) => ratio.is_some_and(|ratio| ratio >= 2.0),
        (_, Score::Right(seconds)) if *seconds < FAST_ENOUGH => true,
        _ => ratio.is_some_and(|ratio| ratio >= FASTER),
    }
}

/// The reason that is written down for a row.
pub(super) fn reason<'a>(reasons: &'a str, name: &str) -> Option<&'a str> {
    reasons.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_held_against_icepool() {
        let right = Score::Right;
        for (name, ours, icepool, expected) in [
            ("a", right(1e-3), right(20e-3), true),
            ("a", right(1e-3), right(19e-3), false),
            ("a", right(99e-6), right(99e-6), true),
            ("a", right(1.0), Score::Late(60.0), true),
            ("a", Score::Wrong, right(1.0), false),
            ("a", Score::Refused(String::new()), right(1.0), false),
            ("max_1000d1000", right(1e-2), right(2e-2), true),
            ("max_1000d1000", right(1e-2), right(1e-2), false),
            ("risk_10v10_d6", right(5.0), right(1.0), true),
            ("risk_10v10_d6", Score::Late(60.0), right(1.0), false),
            ("sets/a", right(1e-3), right(1e-3), true),
            ("sets/a", right(1e-3), Score::Late(60.0), true),
            ("sets/a", right(20e-6), right(19e-6), false),
            ("sets/a", Score::Refused(String::new()), Score::Late(60.0), false),
        ] {
            let (family, name) = name.split_once('/').map_or((None, name), |(family, name)| (Some(family), name));
            assert_eq!(met(&Job::named(name, family), &ours, &icepool), expected, "{name}");
        }
        assert_eq!(ratio(&right(1.0), &Score::Late(60.0)), Some((60.0, true)));
    }

    #[test]
    fn reasons_are_found_by_name() {
        let reasons = "# why\nbulk: slow die\n";
        assert_eq!((reason(reasons, "bulk"), reason(reasons, "bul")), (Some("slow die"), None));
    }
}
