//! The book, rendered with mdBook into `target/book`. Its links are checked by the tests of `tumble`.

use crate::shell;
use crate::tools::{self, End};
use std::process::Command;

/// The version of mdBook that is known to work. Without search and its server it builds in about two minutes.
const MDBOOK: &[&str] = &["mdbook", "--locked", "--version", "0.5.4", "--no-default-features"];

/// Renders the book; a warning of mdBook is a problem too.
pub(crate) fn render() -> End {
    let has = || Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success());
    if let Err(reason) = tools::have("mdbook", MDBOOK, has) {
        return End::Skipped(reason);
    }
    let root = shell::root();
    let mut mdbook = Command::new("mdbook");
    mdbook.args(["build", "docs/book", "--dest-dir"]).arg(root.join("target/book")).current_dir(&root);
    let mut problems = Vec::new();
    let ended = shell::stream(&mut mdbook, |line| problems.extend(is_problem(line).then(|| line.to_owned())));
    match ended {
        Ok(ended) if ended.well => {}
        Ok(ended) => problems.extend(ended.last_lines),
        Err(error) => problems.push(format!("mdbook could not be started: {error}")),
    }
    End::Done(problems)
}

/// Whether mdBook warns in this line.
fn is_problem(line: &str) -> bool {
    ["WARN", "ERROR", "[WARN]", "[ERROR]"].iter().any(|word| line.split_whitespace().any(|found| found == *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_problems() {
        assert!(is_problem(" WARN unclosed HTML tag `<b>` found in `a.md`"));
        assert!(is_problem("2026-11-17 12:00:00 [ERROR] (mdbook::utils): no"));
        assert!(!is_problem(" INFO Book building has started"));
    }
}
