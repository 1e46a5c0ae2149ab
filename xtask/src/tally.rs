//! Counting tests by the summary lines of their runners.
//!
//! ```text
//! Summary [   0.412s] 7 tests run: 6 passed (1 slow), 1 failed, 2 skipped                 nextest
//! test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished …  libtest
//! ```

use std::fmt;

/// How many tests passed, failed, and were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    pub(crate) const PASSED: Tally = Tally { passed: 1, failed: 0, skipped: 0 };
    pub(crate) const FAILED: Tally = Tally { passed: 0, failed: 1, skipped: 0 };
    pub(crate) const SKIPPED: Tally = Tally { passed: 0, failed: 0, skipped: 1 };

    /// Adds another tally.
    pub(crate) fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Adds one part of a summary, such as `3 passed` or `1 timed out`.
    fn part(&mut self, part: &str) {
        let Some((number, word)) = part.trim().split_once(' ') else { return };
        let Ok(number) = number.parse::<u64>() else { return };
        match word.trim() {
            "passed" => self.passed += number,
            "failed" | "exec failed" | "timed out" => self.failed += number,
            "skipped" | "ignored" => self.skipped += number,
            _ => {}
        }
    }
}

/// The line that `cargo xtask test` ends with.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 { write!(f, ", {} skipped", self.skipped) } else { Ok(()) }
    }
}

/// The counts of a summary line of nextest.
pub(crate) fn nextest(line: &str) -> Option<Tally> {
    let (head, counts) = line.trim_start().strip_prefix("Summary [")?.split_once(" run:")?;
    if !head.ends_with(" test") && !head.ends_with(" tests") {
        return None;
    }
    let mut tally = Tally::default();
    without_parentheses(counts).split(',').for_each(|part| tally.part(part));
    Some(tally)
}

/// The counts of a summary line of `cargo test`.
pub(crate) fn libtest(line: &str) -> Option<Tally> {
    let (_, counts) = line.trim_start().strip_prefix("test result: ")?.split_once(". ")?;
    let mut tally = Tally::default();
    counts.split(';').for_each(|part| tally.part(part));
    Some(tally)
}

/// The counts of a summary line of Vitest, `Tests  3 failed | 7 passed (10)`.
pub(crate) fn vitest(line: &str) -> Option<Tally> {
    let mut tally = Tally::default();
    let counts = line.trim().strip_prefix("Tests ")?;
    without_parentheses(counts).split('|').for_each(|part| tally.part(part));
    Some(tally)
}

/// The counts of a summary line of Playwright, `12 passed (40.1s)`; each kind has its own line.
pub(crate) fn playwright(line: &str) -> Option<Tally> {
    let mut tally = Tally::default();
    let bare = without_parentheses(line);
    // A test that passes only the second time is counted as one that failed.
    let bare = bare.trim().replace("flaky", "failed").replace("did not run", "failed");
    let (number, word) = bare.split_once(' ')?;
    if number.parse::<u64>().is_err() || !["passed", "failed", "skipped"].contains(&word.trim()) {
        return None;
    }
    tally.part(&bare);
    Some(tally)
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_u32;
    text.chars()
        .filter(|c| match c {
            '(' => {
                depth += 1;
                false
            }
            ')' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, failed: u64, skipped: u64) -> Tally {
        Tally { passed, failed, skipped }
    }

    #[test]
    fn nextest_summaries_are_counted() {
        let cases = [
            ("     Summary [   0.412s] 7 tests run: 7 passed, 0 skipped", tally(7, 0, 0)),
            ("     Summary [   0.412s] 1 test run: 1 passed, 2 skipped", tally(1, 0, 2)),
            ("     Summary [   9.0s] 9/12 tests run: 5 passed (1 slow, 2 leaky), 4 failed, 0 skipped", tally(5, 4, 0)),
            ("     Summary [   9.0s] 4 tests run: 1 passed, 1 failed, 1 exec failed, 1 timed out", tally(1, 3, 0)),
        ];
        for (line, expected) in cases {
            assert_eq!(nextest(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn libtest_summaries_are_counted() {
        let good = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let bad = "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 4 filtered out; finished in 1.00s";
        assert_eq!(libtest(good), Some(tally(3, 0, 1)));
        assert_eq!(libtest(bad), Some(tally(10, 2, 0)));
    }

    #[test]
    fn other_lines_are_not_counted() {
        for line in ["", "test a ... ok", "running 3 tests", "        PASS [   0.003s] xtask tally::tests"] {
            assert_eq!(nextest(line), None, "{line}");
            assert_eq!(libtest(line), None, "{line}");
        }
    }

    #[test]
    fn the_last_line_names_what_was_skipped_only_if_something_was() {
        assert_eq!(tally(3, 0, 0).to_string(), "3 passed, 0 failed");
        assert_eq!(tally(3, 1, 2).to_string(), "3 passed, 1 failed, 2 skipped");
    }
}
