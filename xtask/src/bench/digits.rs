//! `cargo xtask bench digits`: where the answer is only digits, finding it should not cost much more than writing it.
//!
//! The program `bench/peers/src/bin/digits.rs` measures both on counts and sums of thousands of dice. The goal is that
//! an answer takes at most ten times as long as its numerators take to be written once.

use super::table::{row, span, table, three_digits};
use super::{child, well};
use crate::shell;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(500);
const TIMES: f64 = 10.0;

pub(super) fn bench(root: &Path) -> Result<(), String> {
    let made = shell::target(root).join("peers");
    let mut build = shell::cargo();
    build.args(["build", "--release", "--locked", "--bin", "digits", "--manifest-path"]);
    well(build.arg(root.join("bench/peers/Cargo.toml")).arg("--target-dir").arg(&made))?;
    let mut command = Command::new(made.join("release/digits"));
    let ran = child::run(&mut command, "", LIMIT).map_err(|error| format!("{command:?}: {error}"))?;
    if ran.well != Some(true) {
        return Err(format!("{command:?}: {}{}", ran.out, ran.err));
    }
    println!("{}", shown(&ran.out));
    Ok(())
}

fn shown(lines: &str) -> String {
    let mut rows = vec![row!["text", "outcomes", "MB of digits", "found in", "written in", "ratio", "goal"]];
    let mut met = 0;
    for line in lines.lines() {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        let (Some(find), Some(write), Some(bytes)) = (number(0), number(1), number(3)) else {
            let text = line.splitn(3, ' ').nth(2).unwrap_or(line);
            rows.push(row![format!("`{text}`"), "", "", "refused", "", "", "MISSED"]);
            continue;
        };
        let ratio = find / write;
        met += usize::from(ratio <= TIMES);
        rows.push(row![
            format!("`{}`", fields[4]),
            fields[2],
            three_digits(bytes / 1e6),
            span(find),
            span(write),
            three_digits(ratio),
            if ratio <= TIMES { "met" } else { "MISSED" }
        ]);
    }
    let all = rows.len() - 1;
    format!(
        "{}\nGoal: an answer takes at most {TIMES} times as long as its numerators take to be written once, reduced and in \
         hexadecimal, into memory. Met by {met} of {all}.",
        table(&rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_shown() {
        let page =
            shown("0.05 0.01 5001 6000000 count 5<=5000d6\n0.2 0.01 9 100 sum 9d6\nrefused too_large x := 9d9; x\n");
        for part in ["| `count 5<=5000d6` |", "5.00 | met", "20.0 | MISSED", "| `x := 9d9; x`", "Met by 1 of 3"] {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }
}
