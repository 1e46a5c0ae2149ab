//! The page `bench/results.md`: everything that was measured in one run, and nothing else.

use super::growth::Growth;
use super::jobs::Job;
use super::peers::{Programs, Score, shown};
use super::rolling::Rolling;
use super::table::{geometric_mean, row, table, three_digits};
use super::targets::{self, Target};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const HOW: &str = "\
Made by `cargo xtask bench peers`; do not edit; reasons for what is missed belong in `reasons.txt`.

What is measured: the exact distribution, from the expression (ours, nice-dice) or from the library's own
objects (icepool, dyce) to the finished numbers, without the start of the process, the import of the
library and the writing of the answer. Every run is a fresh process, so no cache is warm. Ours is
asked through `tumble batch`, which answers a few small questions at startup, so that the pages
of the program are loaded, as those of the others are by their import; nothing is kept from them. All
take turns, at most 7 times each and for about 6 s, and the best time counts. Ours is wall-clock
time and ends with fractions in lowest terms; the others are by processor time and without reduction.
icepool is stopped after 60 s, dyce after 20 s, nice-dice after 10 s. Every answer is compared with
the known checksum. Each job is written for icepool and dyce in the fastest way that was found; sums
in icepool are doubled, which is up to eight times as fast as its `@`.

`—`: its notation does not express the job, or nobody has written it. `wrong`: it answers something
else; nice-dice counts in 64 bits that wrap around, and adds the rolls of different numbers of dice
without weighing them.
";

#[allow(clippy::too_many_arguments, reason = "the page is made of all that was measured")]
pub(super) fn page(
    root: &Path,
    programs: &Programs,
    scores: &[Scored],
    measured: &[Target],
    rolling: &Rolling,
    growth: &Growth,
    took: Duration,
) -> String {
    let reasons = std::fs::read_to_string(root.join("bench/reasons.txt")).unwrap_or_default();
    let (plain, families): (Vec<_>, Vec<_>) = scores.iter().partition(|(job, _)| job.family.is_none());
    let further: Vec<Target> = [in_the_mean(mean(&plain))].into_iter().chain(targets::rolling(rolling)).collect();
    let growth = targets::growth(growth);
    let all: Vec<&Target> = further[..1].iter().chain(measured).chain([&growth]).chain(&further[1..]).collect();
    format!(
        "# Results\n\n{HOW}\n{}\n## Exact odds\n\n{}\n{}\n## Exact odds of programs with rules of their own\n\n\
         Target: at least as fast as icepool, job by job.\n\n{}\n{}\n## Targets\n\n{}\n## Rolling\n\n\
         Rolls of `4d6kh3+2` per second of processor time, one core; the best of seven rounds in which all take turns.\n\n{}",
        about(programs, took),
        job_table(&plain, &reasons),
        mean_words(&plain),
        job_table(&families, &reasons),
        mean_words(&families),
        target_table(&all, &reasons),
        rolling.table()
    )
}

/// A job and what everybody made of it.
type Scored = (Job, [Score; 4]);

fn job_table(scores: &[&Scored], reasons: &str) -> String {
    let mut rows = vec![row!["job", "outcomes", "ours", "icepool", "ratio", "dyce", "nice-dice", "target"]];
    for (job, [ours, icepool, dyce, nice_dice]) in scores {
        let ratio = targets::ratio(ours, icepool)
            .map(|(ratio, bound)| format!("{}{}", if bound { "> " } else { "" }, three_digits(ratio)));
        let mut verdict = verdict(targets::met(job, ours, icepool), &job.name, reasons);
        if let Score::Refused(why) = ours {
            verdict.push_str(&format!(" (it says: {why})"));
        }
        rows.push(row![
            job.name,
            job.outcomes,
            shown(ours),
            shown(icepool),
            ratio.unwrap_or_default(),
            shown(dyce),
            shown(nice_dice),
            verdict
        ]);
    }
    table(&rows)
}

fn verdict(met: bool, name: &str, reasons: &str) -> String {
    match (met, targets::reason(reasons, name)) {
        (true, _) => "met".into(),
        (false, Some(reason)) => format!("MISSED: {reason}"),
        (false, None) => "MISSED".into(),
    }
}

/// The geometric mean over the jobs that both have answered.
fn mean(scores: &[&Scored]) -> Option<f64> {
    let ratios = scores.iter().filter_map(|(_, score)| targets::ratio(&score[0], &score[1]));
    geometric_mean(&ratios.filter(|(_, bound)| !bound).map(|(ratio, _)| ratio).collect::<Vec<_>>())
}

fn mean_words(scores: &[&Scored]) -> String {
    let both =
        scores.iter().filter(|(_, [ours, icepool, ..])| matches!((ours, icepool), (Score::Right(_), Score::Right(_))));
    let mean = mean(scores).map_or("none".into(), three_digits);
    format!(
        "Geometric mean of the ratios to icepool: **{mean}**, over the {} of {} jobs that both answered.\n",
        both.count(),
        scores.len()
    )
}

fn in_the_mean(mean: Option<f64>) -> Target {
    Target {
        name: "geometric_mean",
        what: "the jobs of the first table against icepool, geometric mean".into(),
        promised: format!("{} times", targets::FASTER_IN_THE_MEAN),
        measured: mean.map_or("none".into(), |mean| format!("{} times", three_digits(mean))),
        met: mean.is_some_and(|mean| mean >= targets::FASTER_IN_THE_MEAN),
    }
}

fn target_table(targets: &[&Target], reasons: &str) -> String {
    let mut rows = vec![row!["name", "what", "target", "measured", "met"]];
    for target in targets {
        let verdict = verdict(target.met, target.name, reasons);
        rows.push(row![target.name, target.what, target.promised, target.measured, verdict]);
    }
    table(&rows)
}

/// When, where and with which versions.
fn about(programs: &Programs, took: Duration) -> String {
    let pip = said(Command::new(&programs.python).args(["-m", "pip", "list", "--format=freeze"]));
    let version = |name: &str| {
        let line = pip.lines().find(|line| line.starts_with(name)).unwrap_or(name);
        line.replace("==", " ")
    };
    table(&[
        row!["about this run", ""],
        row!["date", date(SystemTime::now())],
        row!["machine", machine()],
        row!["ours", said(Command::new(&programs.tumble).arg("--version"))],
        row!["compiler", said(Command::new("rustc").arg("--version"))],
        row!["Python", said(Command::new(&programs.python).arg("--version"))],
        row![
            "peers",
            format!("{}, {}, nice-dice 0.1.0, tyche 0.3.1, caith 4.2.4", version("icepool"), version("dyce"))
        ],
        row!["took", format!("{:.0} s", took.as_secs_f64())],
    ])
}

/// What a program says, without its last line end.
fn said(command: &mut Command) -> String {
    command
        .output()
        .map_or_else(|_| "unknown".into(), |output| String::from_utf8_lossy(&output.stdout).trim_end().to_string())
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{}, {cores} cores, load {load} at the end", model.map_or("unknown", |(_, model)| model))
}

/// The day in UTC, by the rule of the Gregorian calendar.
fn date(time: SystemTime) -> String {
    let mut days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_names() {
        for (day, name) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_772, "2026-11-15")] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(day * 86_400 + 7)), name);
        }
    }

    #[test]
    fn the_table_says_what_is_missed_and_why() {
        let cannot = || [Score::Cannot, Score::Cannot];
        let made = |name, ours, icepool| {
            let [dyce, nice] = cannot();
            (Job::named(name, None), [Score::Right(ours), Score::Right(icepool), dyce, nice])
        };
        let scores = [made("a", 1e-3, 1.0), made("b", 1e-3, 1e-2)];
        let scores: Vec<&Scored> = scores.iter().collect();
        let page = job_table(&scores, "b: not yet\na: unused\n");
        assert!(page.contains("| met ") && page.contains("| MISSED: not yet |"), "{page}");
        assert!((mean(&scores).unwrap() - 100.0).abs() < 1e-6);
        assert!(mean_words(&scores).contains("**100**, over the 2 of 2 jobs"));
        assert!(!in_the_mean(Some(199.0)).met && in_the_mean(Some(200.0)).met && !in_the_mean(None).met);
    }
}
