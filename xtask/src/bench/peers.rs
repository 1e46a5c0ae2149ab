//! `cargo xtask bench peers`: the same jobs by ours, icepool, dyce and nice-dice, taking turns.
//!
//! Everything that is compared is made here: a virtual environment with the Python libraries, and
//! the programs of `bench/peers/`. An answer of icepool or dyce that differs from the known one is an
//! error, since then the job was not written well for it. nice-dice counts in 64 bits that wrap
//! around, so its answers may differ; the table says so.

use super::jobs::{self, Answer, End, Job};
use super::table::{best, span};
use super::{child, own, results, rolling, targets, well};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The versions from PyPI; icepool 2.1.3 is the newest for Python 3.11. Those of the Rust libraries
/// stand in `bench/peers/Cargo.toml`.
const PYTHON_PEERS: [&str; 2] = ["icepool==2.1.3", "dyce==0.7.0"];

/// Rounds per job, in which everybody has one turn.
const ROUNDS: usize = 7;
/// Nobody has a further turn after this many seconds.
const SECONDS: f64 = 6.0;

/// Somebody who takes part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Ours,
    Icepool,
    Dyce,
    NiceDice,
}

impl Who {
    pub(super) const ALL: [Who; 4] = [Who::Ours, Who::Icepool, Who::Dyce, Who::NiceDice];

    fn limit(self) -> Duration {
        Duration::from_secs(match self {
            Who::Ours | Who::Icepool => 60,
            Who::Dyce => 20,
            Who::NiceDice => 10,
        })
    }
}

/// What somebody made of a job.
pub(super) enum Score {
    /// The best time in seconds.
    Right(f64),
    /// It answered something else.
    Wrong,
    /// It was stopped after so many seconds.
    Late(f64),
    Refused(String),
    /// Its notation has no words for it.
    Cannot,
}

/// The programs.
pub(super) struct Programs {
    pub(super) tumble: PathBuf,
    pub(super) python: PathBuf,
    /// The folder with the programs of `bench/peers/`.
    pub(super) peers: PathBuf,
    /// The folder with the Python files.
    scripts: PathBuf,
}

/// Makes the peers, runs everything and writes the results.
pub(super) fn bench(root: &Path, tumble: &Path) -> Result<(), String> {
    let programs = programs(root, tumble)?;
    let start = Instant::now();
    let mut scores = Vec::new();
    for job in jobs::read(root)? {
        let score = compare(&programs, &job)?;
        println!("{:<22}{}", job.name, score.iter().map(shown).collect::<Vec<_>>().join("   "));
        scores.push((job, score));
    }
    let measured = targets::measure(&programs)?;
    let rolling = rolling::measure(&programs)?;
    let growth = own::grow(root, tumble)?;
    let page = results::page(root, &programs, &scores, &measured, &rolling, &growth, start.elapsed());
    std::fs::write(root.join("bench/results.md"), &page).map_err(|error| format!("bench/results.md: {error}"))?;
    println!("\n{page}\nwrote bench/results.md in {:.0} s", start.elapsed().as_secs_f64());
    let wrong = |(job, score): &(Job, [Score; 4])| matches!(score[0], Score::Wrong).then(|| job.name.clone());
    let wrong: Vec<String> = scores.iter().filter_map(wrong).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("our answer is wrong: {}", wrong.join(", "))) }
}

fn programs(root: &Path, tumble: &Path) -> Result<Programs, String> {
    let made = shell::target(root).join("peers");
    let mut build = shell::cargo();
    build.args(["build", "--release", "--locked", "--manifest-path"]).arg(root.join("bench/peers/Cargo.toml"));
    well(build.arg("--target-dir").arg(&made))?;
    let venv = made.join("venv");
    let python = venv.join("bin/python");
    if !python.exists() {
        well(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    }
    well(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(PYTHON_PEERS),
    )?;
    let (peers, scripts) = (made.join("release"), root.join("bench/peers"));
    Ok(Programs { tumble: tumble.to_path_buf(), python, peers, scripts })
}

/// Everybody on one job, round after round.
fn compare(programs: &Programs, job: &Job) -> Result<[Score; 4], String> {
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut last: [Option<Score>; 4] = Default::default();
    for _ in 0..ROUNDS {
        for (at, who) in Who::ALL.into_iter().enumerate() {
            if last[at].is_none() && times[at].iter().sum::<f64>() < SECONDS {
                match turn(programs, who, job)? {
                    Score::Right(seconds) => times[at].push(seconds),
                    other => last[at] = Some(other),
                }
            }
        }
    }
    let mut scores = times
        .iter()
        .zip(last)
        .map(|(times, last)| last.unwrap_or_else(|| best(times).map_or(Score::Cannot, Score::Right)));
    let mut next = || scores.next().unwrap_or(Score::Cannot);
    Ok([next(), next(), next(), next()])
}

fn turn(programs: &Programs, who: Who, job: &Job) -> Result<Score, String> {
    match (who, programs.run(who, job)) {
        (Who::Ours, End::Answered(answer)) if job.wrong(&answer).is_some() => Ok(Score::Wrong),
        (_, End::Answered(answer)) if answer.digest == job.digest => Ok(Score::Right(answer.seconds)),
        (Who::NiceDice, End::Answered(_) | End::Broken(_)) => Ok(Score::Wrong),
        (_, End::Answered(_)) => Err(format!("{}: a Python peer gives a different answer", job.name)),
        (_, End::Late(seconds)) => Ok(Score::Late(seconds)),
        (Who::Ours, End::Refused(why)) => Ok(Score::Refused(why)),
        (_, End::Refused(_)) => Ok(Score::Cannot),
        (_, End::Broken(why)) => Err(format!("{}: {why}", job.name)),
    }
}

impl Programs {
    fn run(&self, who: Who, job: &Job) -> End {
        let python = |script: &str| {
            let mut command = Command::new(&self.python);
            // -B: nothing is written beside the scripts.
            command.arg("-B").arg(self.scripts.join(script));
            command
        };
        let mut command = match who {
            Who::Ours => return jobs::ours(&self.tumble, &job.text),
            Who::Icepool => python("icepool_jobs.py"),
            Who::Dyce => python("dyce_jobs.py"),
            Who::NiceDice => Command::new(self.peers.join("nice_dice_jobs")),
        };
        match child::run(command.arg(&job.name), "", who.limit()) {
            Err(error) => End::Broken(format!("could not start {command:?}: {error}")),
            Ok(ran) if ran.well.is_none() => End::Late(who.limit().as_secs_f64()),
            Ok(ran) => read(&ran.out).unwrap_or_else(|| End::Broken(format!("{command:?}: {}{}", ran.out, ran.err))),
        }
    }
}

/// The lines that `answer.py` describes.
fn read(out: &str) -> Option<End> {
    let field = |name: &str| out.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    if let Some(why) = field("cannot") {
        return Some(End::Refused(why.to_string()));
    }
    let (seconds, digest) = (field("seconds")?.parse().ok()?, field("sha256_hex")?.to_string());
    Some(End::Answered(Answer { seconds, digest, mean: None }))
}

/// A score as it stands in the table.
pub(super) fn shown(score: &Score) -> String {
    match score {
        Score::Right(seconds) => span(*seconds),
        Score::Wrong => "wrong".into(),
        Score::Late(seconds) => format!("> {seconds:.0} s"),
        Score::Refused(_) => "refused".into(),
        Score::Cannot => "—".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_peers_are_read() {
        let answered = read("seconds 0.000494\noutcomes 16\nsha256_hex ab\n");
        assert!(matches!(answered, Some(End::Answered(answer)) if answer.digest == "ab" && answer.seconds == 0.000494));
        assert!(matches!(read("cannot do that\n"), Some(End::Refused(why)) if why == "do that"));
        assert!(read("Traceback\n").is_none());
    }
}
