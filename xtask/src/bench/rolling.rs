//! Rolling side by side: rolls of `4d6kh3+2` per second of processor time, as `bench/peers/src/bin/rolling.rs`
//! counts them.

use super::child;
use super::peers::Programs;
use super::table::{row, table, three_digits};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// Rolls per second by name.
pub(super) struct Rolling(Vec<(String, f64)>);

pub(super) fn measure(programs: &Programs) -> Result<Rolling, String> {
    let mut command = Command::new(programs.peers.join("rolling"));
    let ran = child::run(&mut command, "", LIMIT).map_err(|error| format!("{command:?}: {error}"))?;
    if ran.well != Some(true) {
        return Err(format!("{command:?}: {}", ran.err));
    }
    Ok(Rolling::read(&ran.out))
}

impl Rolling {
    pub(super) fn read(lines: &str) -> Rolling {
        let rates = lines.lines().filter_map(|line| {
            let (name, rate) = line.split_once(' ')?;
            Some((name.to_string(), rate.parse().ok()?))
        });
        Rolling(rates.collect())
    }

    /// Rolls per second; 0 for who did not roll.
    pub(super) fn rate(&self, name: &str) -> f64 {
        self.0.iter().find(|(given, _)| given == name).map_or(0.0, |(_, rate)| *rate)
    }

    pub(super) fn table(&self) -> String {
        let million = |name: &str| format!("{} M/s", three_digits(self.rate(name) / 1e6));
        table(&[
            row!["who", "from text", "prepared", "what it gives"],
            row!["ours", million("ours_text"), million("ours_prepared"), "the total, every die; the record on demand"],
            row!["ours, text read before", million("ours_shelf"), "", "the same, from a `Cache`"],
            row!["ours, dice by seed and place", "", million("ours_seeded"), "the same, each die with its own hash"],
            row![
                "ours, with the full record",
                million("ours_text_told"),
                million("ours_told"),
                "the total, every die and what happened to it, the tree; dice by seed and place"
            ],
            row!["tyche", million("tyche_text"), million("tyche_prepared"), "the total, every die"],
            row![
                "caith",
                million("caith_text"),
                million("caith_prepared"),
                "the total, every die, text; it parses on each roll"
            ],
            row!["ours, bulk sampler", "", million("ours_bulk"), "the value of `4d6kh3` only"],
            row!["a loop by hand", "", million("by_hand"), "the value of `4d6kh3` only, on fastrand"],
            row!["the same, our generator", "", million("by_hand_alike"), "the value of `4d6kh3` only, on ChaCha8"],
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_and_shown() {
        let rolling = Rolling::read("ours_text 222816\nours_bulk 11204215\nnoise\n");
        assert_eq!((rolling.rate("ours_text"), rolling.rate("nobody")), (222_816.0, 0.0));
        assert!(rolling.table().contains("11.2 M/s"));
    }
}
