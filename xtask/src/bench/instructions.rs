//! Counted instructions of a few small jobs: the same on a busy machine as on an idle one.
//!
//! The counts are kept in `bench/instructions.txt`, so that the history of that file is the history of
//! the cost. A count is that of the whole program `tumble odds`, less that of `tumble odds` on `1`.

use super::child;
use super::jobs::Job;
use super::table::{row, table};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const JOBS: &[&str] = &["sum_3d6", "kh3_4d6", "kh3_10d10", "sum_50d10", "count_gt7_100d10", "d6_d6", "l5r_3k5_x5"];
const KEPT: &str = "bench/instructions.txt";
const LIMIT: Duration = Duration::from_secs(300);

/// Counts, shows the change, and keeps the counts.
pub(super) fn count(root: &Path, tumble: &Path, jobs: &[Job]) -> Result<(), String> {
    let kept = std::fs::read_to_string(root.join(KEPT)).unwrap_or_default();
    let start = callgrind(tumble, "1")?;
    let mut rows = vec![row!["job", "instructions", "before", "change"]];
    let mut keep =
        String::from("# Instructions per job, counted by `cargo xtask bench --instructions`; do not edit.\n");
    let counted = jobs.iter().filter(|job| JOBS.contains(&job.name.as_str()));
    for (name, text) in [("start", "")].into_iter().chain(counted.map(|job| (job.name.as_str(), job.text.as_str()))) {
        let count = if name == "start" { start } else { callgrind(tumble, text)?.saturating_sub(start) };
        let before = before(&kept, name);
        let change = before.map(|before| format!("{:+.1} %", (count as f64 / before as f64 - 1.0) * 100.0));
        rows.push(row![
            name,
            count,
            before.map(|before| before.to_string()).unwrap_or_default(),
            change.unwrap_or_default()
        ]);
        keep.push_str(&format!("{name} {count}\n"));
    }
    println!("\n{}", table(&rows));
    std::fs::write(root.join(KEPT), keep).map_err(|error| format!("{KEPT}: {error}"))
}

/// The kept count of a job.
fn before(kept: &str, name: &str) -> Option<u64> {
    kept.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

fn callgrind(tumble: &Path, text: &str) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(tumble)
        .args(["odds", "-n", "troll", text]);
    let ran = child::run(&mut command, "", LIMIT)
        .map_err(|error| format!("could not start valgrind, so nothing is counted: {error}"))?;
    collected(&ran.err).filter(|_| ran.well == Some(true)).ok_or_else(|| format!("valgrind: {}", ran.err))
}

/// The number after `Collected :`.
fn collected(said: &str) -> Option<u64> {
    said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 1234567\n==7== \n"), Some(1_234_567));
        assert_eq!(collected("nothing"), None);
        let kept = "# made\nstart 5\nsum_3d6 7\n";
        assert_eq!((before(kept, "sum_3d6"), before(kept, "sum")), (Some(7), None));
    }
}
