//! `cargo xtask bench`: our own program on every job, checked, and how the cost grows.

use super::jobs::{self, End, Job};
use super::table::{best, median, row, span, table};
use super::{growth, instructions};
use std::path::Path;

const RUNS: usize = 9;
/// No further run of a job is started after this many seconds.
const SECONDS: f64 = 6.0;

/// Runs all; an error names what is wrong with our answers.
pub(super) fn bench(root: &Path, tumble: &Path, counted: bool) -> Result<(), String> {
    let jobs = jobs::read(root)?;
    let mut rows = vec![row!["job", "outcomes", "best", "median", "runs", "answer"]];
    let mut problems = Vec::new();
    for job in &jobs {
        let (cells, problem) = measure(tumble, job);
        rows.push(cells);
        problems.extend(problem);
    }
    println!("{}", table(&rows));
    grow(root, tumble)?;
    if counted {
        instructions::count(root, tumble, &jobs)?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Measures the growth, shows it and writes the page and the plot.
pub(super) fn grow(root: &Path, tumble: &Path) -> Result<growth::Growth, String> {
    let growth = growth::measure(tumble);
    println!("{}", growth.table());
    for (name, text) in [("bench/growth.md", growth.page()), ("bench/growth.svg", growth.svg())] {
        std::fs::write(root.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("wrote bench/growth.md and bench/growth.svg");
    Ok(growth)
}

/// A row of the table, and what is wrong.
fn measure(tumble: &Path, job: &Job) -> (Vec<String>, Option<String>) {
    let mut times = Vec::new();
    while times.len() < RUNS && times.iter().sum::<f64>() < SECONDS {
        let (word, problem) = match jobs::ours(tumble, &job.text) {
            End::Answered(answer) => match job.wrong(&answer) {
                None => {
                    times.push(answer.seconds);
                    continue;
                }
                Some(wrong) => ("WRONG".to_string(), wrong),
            },
            End::Refused(why) => ("refused".into(), format!("{}: refused: {why}", job.name)),
            End::Late(seconds) => (format!("> {}", span(seconds)), format!("{}: stopped after {seconds} s", job.name)),
            End::Broken(why) => ("broken".into(), format!("{}: {why}", job.name)),
        };
        return (row![job.name, job.outcomes, "", "", times.len(), word], Some(problem));
    }
    let shown = |time: Option<f64>| time.map(span).unwrap_or_default();
    (row![job.name, job.outcomes, shown(best(&times)), shown(median(&times)), times.len(), "right"], None)
}
