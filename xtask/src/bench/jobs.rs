//! The jobs of `bench/jobs.jsonl`, and how one run of a job ends.
//!
//! Ours is run as `tumble batch` in a fresh process, so that nothing is cached. The time is its own
//! `micros`: from the text to the finished distribution in lowest terms, without the start of the
//! process and without writing the numbers out.

use super::child;
use crate::fields::{Fields, quoted};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long one of our runs may take.
const OUR_LIMIT: Duration = Duration::from_secs(60);

/// A question with its known answer.
pub(super) struct Job {
    pub(super) name: String,
    /// What kind of program it is, for the jobs that people write with rules of their own.
    pub(super) family: Option<String>,
    pub(super) text: String,
    pub(super) outcomes: u64,
    /// A fraction, or a decimal where the fraction is long.
    pub(super) mean: Option<String>,
    pub(super) digest: String,
}

/// How a run ended.
pub(super) enum End {
    Answered(Answer),
    /// It gave up by itself, and why.
    Refused(String),
    /// It was stopped after this many seconds.
    Late(f64),
    /// It did not end as a program should; a mistake of the harness or of the peer.
    Broken(String),
}

/// An answer with the time it took.
pub(super) struct Answer {
    pub(super) seconds: f64,
    pub(super) digest: String,
    pub(super) mean: Option<String>,
}

/// Reads all jobs.
pub(super) fn read(root: &Path) -> Result<Vec<Job>, String> {
    let path = root.join("bench/jobs.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| job(line).ok_or_else(|| format!("bench/jobs.jsonl:{}: not a job", at + 1))).collect()
}

fn job(line: &str) -> Option<Job> {
    let fields = Fields::read(line)?;
    (fields.text("notation") == Some("troll")).then_some(())?;
    Some(Job {
        name: fields.text("name")?.to_string(),
        family: fields.text("family").map(str::to_string),
        text: fields.text("text")?.to_string(),
        outcomes: fields.number("outcomes")?,
        mean: fields.text("mean").map(str::to_string),
        digest: fields.text("sha256_hex")?.to_string(),
    })
}

impl Job {
    #[cfg(test)]
    pub(super) fn named(name: &str, family: Option<&str>) -> Job {
        let (text, digest) = (String::new(), String::new());
        Job { name: name.into(), family: family.map(str::to_string), text, outcomes: 2, mean: None, digest }
    }

    /// What is wrong with an answer of ours.
    pub(super) fn wrong(&self, answer: &Answer) -> Option<String> {
        if answer.digest != self.digest {
            return Some(format!("{}: the checksum is {}, not {}", self.name, answer.digest, self.digest));
        }
        let (Some(known), Some(given)) = (&self.mean, &answer.mean) else { return None };
        (!same_mean(known, given)).then(|| format!("{}: the mean is {given}, not {known}", self.name))
    }
}

/// A decimal stands for all fractions close to it.
fn same_mean(known: &str, given: &str) -> bool {
    if !known.contains('.') {
        return known == given;
    }
    match (known.parse::<f64>(), value(given)) {
        (Ok(known), Some(given)) => (known - given).abs() <= 1e-12 * known.abs(),
        _ => false,
    }
}

/// The value of a fraction whose numbers may be too long for any machine word.
fn value(fraction: &str) -> Option<f64> {
    let (above, below) = fraction.split_once('/').unwrap_or((fraction, "1"));
    let ((above, more), (below, less)) = (leading(above)?, leading(below)?);
    Some(above / below * 10_f64.powi(more - less))
}

/// The first digits of a whole number, and how many follow.
fn leading(number: &str) -> Option<(f64, i32)> {
    let (first, rest) = number.split_at(number.len().min(18));
    Some((first.parse().ok()?, i32::try_from(rest.len()).ok()?))
}

/// Answers a Troll text with the program, in a process of its own.
pub(super) fn ours(tumble: &Path, text: &str) -> End {
    ask(tumble, "troll", text)
}

/// Answers a text of any notation.
pub(super) fn ask(tumble: &Path, notation: &str, text: &str) -> End {
    let text = quoted(text);
    let request = format!("{{\"do\":\"odds\",\"notation\":\"{notation}\",\"text\":{text},\"return\":\"digest\"}}\n");
    match child::run(Command::new(tumble).arg("batch"), &request, OUR_LIMIT) {
        Err(error) => End::Broken(format!("could not start {}: {error}", tumble.display())),
        Ok(ran) if ran.well.is_none() => End::Late(OUR_LIMIT.as_secs_f64()),
        Ok(ran) => read_ours(&ran.out).unwrap_or_else(|| End::Broken(format!("{}{}", ran.out, ran.err))),
    }
}

fn read_ours(line: &str) -> Option<End> {
    let fields = Fields::read(line)?;
    if !fields.truth("ok") {
        return Some(End::Refused(fields.object("error")?.text("message")?.to_string()));
    }
    Some(End::Answered(Answer {
        seconds: fields.number("micros")? as f64 * 1e-6,
        digest: fields.text("sha256_hex")?.to_string(),
        mean: fields.text("mean").map(str::to_string),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jobs_of_the_repository_are_read() {
        let jobs = read(&crate::shell::root()).unwrap();
        assert_eq!(jobs.iter().filter(|job| job.family.is_none()).count(), 24);
        assert_eq!(jobs.iter().filter(|job| job.family.is_some()).count(), 43);
        let mut names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(jobs.iter().all(|job| job.digest.len() == 64 && job.outcomes > 1));
        assert!(jobs.iter().any(|job| job.text.contains('\n')));
    }

    #[test]
    fn means_are_compared() {
        assert!(same_mean("21/2", "21/2") && !same_mean("21/2", "42/4"));
        assert!(same_mean("0.5", "500000000000000000000000001/1000000000000000000000000000"));
        assert!(!same_mean("0.5", "51/100") && !same_mean("0.5", "x"));
    }

    #[test]
    fn answers_and_refusals_are_told_apart() {
        let good = r#"{"ok":true,"micros":217,"exact":true,"sha256_hex":"ab","mean":"21/2","variance":null}"#;
        assert!(matches!(read_ours(good), Some(End::Answered(answer)) if answer.mean.as_deref() == Some("21/2")));
        let bad = r#"{"ok":false,"error":{"code":"limit","message":"too \"many\""}}"#;
        assert!(matches!(read_ours(bad), Some(End::Refused(why)) if why == "too \"many\""));
        assert!(read_ours("thread panicked").is_none());
    }
}
