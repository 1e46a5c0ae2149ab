//! The pages people read, and the marked blocks in them.

use std::path::{Path, PathBuf};

/// A page of Markdown.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A block between fences.
pub(crate) struct Block<'t> {
    /// The number of its first line.
    pub(crate) line: usize,
    pub(crate) lines: Vec<&'t str>,
}

/// The folder of the repository, and in it README.md and every page of the book.
pub(crate) fn manual() -> (PathBuf, Vec<PathBuf>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    under(&root.join("docs/book"), &mut files);
    assert!(files.len() > 2, "the book is missing");
    (root, files)
}

/// One page.
pub(crate) fn read(root: &Path, file: &Path) -> Page {
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    Page { name, text: std::fs::read_to_string(file).unwrap() }
}

/// All pages in a folder and the folders in it.
pub(crate) fn under(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    for path in found {
        if path.is_dir() {
            under(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

/// The blocks whose fence bears this mark.
pub(crate) fn blocks<'t>(text: &'t str, mark: &str) -> Vec<Block<'t>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    let mut fence: Option<(&str, bool)> = None;
    for (number, line) in text.lines().enumerate() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some((open, _)) if line == open => fence = None,
            Some((_, true)) => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line);
                }
            }
            Some((_, false)) => {}
            None if ticks.len() >= 3 => {
                let wanted = line[ticks.len()..].trim() == mark;
                fence = Some((ticks, wanted));
                if wanted {
                    blocks.push(Block { line: number + 2, lines: vec![] });
                }
            }
            None => {}
        }
    }
    blocks
}

/// A piece of code between backticks in a sentence or a table.
#[derive(Debug, PartialEq)]
pub(crate) struct Span<'t> {
    /// The line it begins in.
    pub(crate) line: usize,
    /// The code, in one line.
    pub(crate) code: String,
    /// What follows it in its paragraph.
    pub(crate) after: &'t str,
}

/// All code in sentences and tables, outside of fences. A piece may go on in the next line, but not beyond its
/// paragraph; in a table `\|` is a bar.
pub(crate) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    for (line, paragraph) in paragraphs(text) {
        let mut rest = paragraph;
        while let Some((before, from)) = rest.split_once('`') {
            let Some((code, after)) = from.split_once('`') else { break };
            let at = paragraph.len() - rest.len() + before.len();
            spans.push(Span {
                line: line + paragraph[..at].matches('\n').count(),
                code: code.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\|", "|"),
                after,
            });
            rest = after;
        }
    }
    spans
}

/// The paragraphs outside of fences with the number of their first line; each row of a table is one.
fn paragraphs(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut inside): (Vec<(usize, &str)>, _) = (Vec::new(), false);
    let (mut start, mut open) = (0, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        let fence = line.starts_with("```");
        inside ^= fence;
        let row = line.starts_with('|');
        if fence || inside || line.trim().is_empty() {
            open = false;
        } else if let (true, false, Some((_, last))) = (open, row, found.last_mut()) {
            *last = &text[start - last.len()..end];
        } else {
            found.push((number + 1, &text[start..end]));
            open = !row;
        }
        start = end;
    }
    found
}
