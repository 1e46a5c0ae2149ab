//! The first examples people copy are in double quotes, which every shell has: `cmd.exe` takes single quotes for
//! letters. They stay single where bash and zsh would replace something inside double ones: `!`, `$` and the like.

use crate::console::{COMMANDS, markdown};
use crate::tool::shell;

/// Pages whose examples are copied first.
const PAGES: &[&str] = &["README.md", "docs/book/src/tutorial.md", "docs/book/src/install.md"];

#[test]
fn examples_are_in_double_quotes() {
    let (root, _) = markdown::manual();
    let mut found = Vec::new();
    for name in PAGES {
        let page = markdown::read(&root, &root.join(name));
        for mark in ["console", "sh", "text"] {
            let lines = markdown::blocks(&page.text, mark).into_iter().flat_map(|block| block.lines);
            found.extend(lines.filter(|line| single(line)).map(|line| format!("{name}: {line}")));
        }
    }
    for command in COMMANDS {
        let help = shell(&format!("tumble {command} --help"), b"").out;
        let lines = help.lines().filter(|line| line.starts_with("  ") && line.contains("tumble"));
        found.extend(lines.filter(|line| single(line)).map(|line| format!("tumble {command} --help: {line}")));
    }
    assert!(found.is_empty(), "put these in double quotes:\n{}", found.join("\n"));
}

/// Whether something in single quotes could be in double ones.
fn single(line: &str) -> bool {
    line.split('\'').skip(1).step_by(2).any(|quoted| !quoted.contains(['!', '$', '`', '"', '\\']))
}

#[test]
fn single_quotes_are_found() {
    for (line, found) in [
        ("$ tumble odds 'd20 + @str' --var str=3", true),
        ("$ tumble odds \"d20 + @str\"", false),
        ("$ tumble odds '5d10!!kh3'", false),
        ("$ echo '{\"do\":\"odds\"}' | tumble batch", false),
        ("$ tumble '5d10!!kh3' '2d6 + 3'", true),
        ("don't", true),
    ] {
        assert_eq!(single(line), found, "{line}");
    }
}
