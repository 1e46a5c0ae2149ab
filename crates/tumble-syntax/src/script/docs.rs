//! Comments that document something: on its line after it, or on the lines directly above it.

use super::lex::{Comment, Tokens};
use tumble_core::Span;

/// The lines of a script and its comments.
pub(super) struct Docs<'t> {
    text: &'t str,
    comments: &'t [Comment],
    /// Where each line begins.
    lines: Vec<usize>,
}

impl<'t> Docs<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t Tokens) -> Docs<'t> {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Docs { text, comments: &tokens.comments, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// What is said about what begins at `start`, has its own words up to `end`, and is followed by something at `next`.
    pub(super) fn of(&self, start: usize, end: usize, next: usize) -> String {
        let own_line = self.text[..start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        let mut found = if own_line { self.above(start) } else { vec![] };
        found.extend(self.beside(end, next));
        found.retain(|words| !words.is_empty());
        found.join("\n")
    }

    /// What is said behind something that ends on another line than its head.
    pub(super) fn behind(&self, head: usize, end: usize, next: usize) -> String {
        if self.line(head) == self.line(end) { String::new() } else { self.beside(end, next).join("\n") }
    }

    /// The comments between two places, on the line of the first.
    fn beside(&self, end: usize, next: usize) -> Vec<String> {
        let first = self.comments.partition_point(|comment| comment.span.start < end);
        let line = self.line(end);
        self.comments[first..]
            .iter()
            .take_while(|comment| comment.span.start < next && self.line(comment.span.start) == line)
            .map(|comment| self.words(comment.span))
            .collect()
    }

    /// The comments that fill the lines directly above a place, from the top down.
    fn above(&self, start: usize) -> Vec<String> {
        let mut line = self.line(start);
        let before = self.comments.partition_point(|comment| comment.span.start < start);
        let mut found = Vec::new();
        for comment in self.comments[..before].iter().rev() {
            if !comment.leads || self.line(comment.span.end) + 1 != line {
                break;
            }
            line = self.line(comment.span.start);
            found.push(self.words(comment.span));
        }
        found.reverse();
        found
    }

    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// A comment without its signs.
    fn words(&self, span: Span) -> String {
        let text = &self.text[span.start..span.end];
        if let Some(line) = text.strip_prefix("//") {
            return line.trim_start_matches('/').trim().to_owned();
        }
        let inside = text.trim_start_matches("/*").trim_end_matches("*/");
        let lines = inside.lines().map(|line| line.trim().trim_start_matches('*').trim());
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
