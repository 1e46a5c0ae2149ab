//! The usual layout of a script: the lines stay the author's, blanks and indentation are ours, comments are kept.
//!
//! ```text
//! indentation   two blanks for every open brace, bracket or parenthesis, and for a line that continues a statement
//! blanks        around operators, after commas and colons, inside braces; none inside parentheses
//! blank lines   at most one in a row
//! ```
//!
//! Slips that would be understood are put right first. Formatting what was formatted changes nothing.

use super::lex::{Comment, Kind, Token, Tokens, tokens};
use super::problem::{Edit, Level, Problem, Problems};
use super::read;
use tumble_core::sort;
use tumble_core::{Code, Diagnostic};

/// The script in its usual layout; one that cannot be read is refused.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let text = mended(&text.replace("\r\n", "\n"));
    let script = read(&text, false);
    let unread = |problem: &&Problem| {
        problem.level == Level::Error && matches!(problem.diagnostic.code, Code::Syntax | Code::Limit)
    };
    let errors: Vec<Diagnostic> =
        script.problems.iter().filter(unread).map(|problem| problem.diagnostic.clone()).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let tokens = tokens(&text, &mut Problems::default());
    Ok(Layout { text: &text, out: String::new(), open: vec![], last: None, statement: false }.written(&tokens))
}

/// The text without slips. Mending one may show another, such as a name behind a missing semicolon.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..3 {
        let script = read(&text, false);
        let slips = script.problems.iter().filter(|problem| problem.level == Level::Slip);
        let mut edits: Vec<Edit> = slips.flat_map(|problem| problem.edits.clone()).collect();
        if edits.is_empty() {
            break;
        }
        sort::by_key(&mut edits, |edit| std::cmp::Reverse((edit.span, edit.text.clone())));
        edits.dedup();
        for edit in edits {
            text.replace_range(edit.span.start..edit.span.end, &edit.text);
        }
    }
    text
}

/// What is open around a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    Bracket,
    Parenthesis,
    /// The parenthesis of a `for`, whose `:` stands alone.
    Each,
    /// A `?` whose `:` is still to come.
    Choice,
}

/// A token or a comment.
#[derive(Clone, Copy)]
enum Item<'t> {
    Token(&'t Token),
    Comment(&'t Comment),
}

struct Layout<'t> {
    text: &'t str,
    out: String,
    open: Vec<Open>,
    last: Option<Item<'t>>,
    /// Whether a statement or declaration has begun and not ended.
    statement: bool,
}

impl<'t> Layout<'t> {
    fn written(mut self, tokens: &'t Tokens) -> String {
        let mut comments = tokens.comments.iter().peekable();
        for token in &tokens.tokens {
            while let Some(comment) = comments.next_if(|comment| comment.span.start < token.span.start) {
                self.item(Item::Comment(comment), comment.leads);
            }
            if token.kind != Kind::End {
                self.item(Item::Token(token), token.leads);
            }
        }
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        self.out.push('\n');
        self.out
    }

    fn span(item: Item<'_>) -> tumble_core::Span {
        match item {
            Item::Token(token) => token.span,
            Item::Comment(comment) => comment.span,
        }
    }

    fn written_as(&self, item: Item<'_>) -> &'t str {
        let span = Layout::span(item);
        &self.text[span.start..span.end]
    }

    fn item(&mut self, item: Item<'t>, leads: bool) {
        let closes = matches!(self.sign(item), Some("}" | ")" | "]"));
        if closes {
            self.close();
        }
        match self.last {
            None => {}
            Some(last) if leads => self.new_line(last, item, closes),
            Some(last) => self.blanks(last, item),
        }
        let written = self.written_as(item).trim_end();
        self.out.push_str(written);
        self.opens(item);
        if let Item::Token(token) = item {
            self.statement = !matches!(token.kind, Kind::Sign(";" | "{" | "}" | ","));
        }
        self.last = Some(item);
    }

    fn sign(&self, item: Item<'_>) -> Option<&'static str> {
        match item {
            Item::Token(Token { kind: Kind::Sign(sign), .. }) => Some(sign),
            _ => None,
        }
    }

    /// Ends what is open, and choices inside it that have no end.
    fn close(&mut self) {
        while self.open.pop() == Some(Open::Choice) {}
    }

    fn opens(&mut self, item: Item<'t>) {
        let after_for = || matches!(self.last, Some(last) if self.written_as(last).eq_ignore_ascii_case("for"));
        match self.sign(item) {
            Some("{") => self.open.push(Open::Brace),
            Some("[") => self.open.push(Open::Bracket),
            Some("(") => {
                let each = after_for();
                self.open.push(if each { Open::Each } else { Open::Parenthesis });
            }
            Some("?") => self.open.push(Open::Choice),
            Some(":") if self.open.last() == Some(&Open::Choice) => _ = self.open.pop(),
            _ => {}
        }
    }

    fn new_line(&mut self, last: Item<'t>, item: Item<'t>, closes: bool) {
        let between = &self.text[Layout::span(last).end..Layout::span(item).start];
        let blank = between.matches('\n').count() > 1 && !closes && self.sign(last) != Some("{");
        self.out.push_str(if blank { "\n\n" } else { "\n" });
        let depth = self.open.iter().filter(|open| **open != Open::Choice).count();
        let in_braces =
            self.open.iter().rev().find(|open| **open != Open::Choice).is_none_or(|open| *open == Open::Brace);
        let goes_on = self.statement && in_braces && !closes && matches!(item, Item::Token(_));
        self.out.push_str(&"  ".repeat(depth + usize::from(goes_on)));
    }

    /// What stands between two items on one line.
    fn blanks(&mut self, last: Item<'t>, item: Item<'t>) {
        if let Item::Comment(_) = item {
            // Comments may be aligned.
            let given = Layout::span(item).start - Layout::span(last).end;
            return self.out.push_str(&" ".repeat(given.max(1)));
        }
        if !self.together(last, item) {
            self.out.push(' ');
        }
    }

    /// Whether two tokens stand together.
    fn together(&self, last: Item<'t>, item: Item<'t>) -> bool {
        let (before, next) = (self.sign(last), self.sign(item));
        match (before, next) {
            // Two signs in a row would become another one.
            (Some("-"), Some("-" | "--")) => false,
            (Some("(" | "[" | "."), _) | (_, Some(")" | "]" | "," | ";" | "." | "++" | "--")) => true,
            (_, Some(":")) => !matches!(self.open.last(), Some(Open::Choice | Open::Each)),
            (Some("!"), _) => true,
            (Some("-"), _) => self.is_prefix(),
            (None, Some("(")) => !self.takes_blank(last),
            (None | Some("]" | ")"), Some("[")) => !self.takes_blank(last),
            _ => false,
        }
    }

    /// A keyword before a parenthesis or bracket.
    fn takes_blank(&self, last: Item<'t>) -> bool {
        let word = self.written_as(last).to_lowercase();
        matches!(last, Item::Comment(_)) || matches!(word.as_str(), "if" | "while" | "for" | "return" | "else")
    }

    /// Whether the `-` written last has nothing before it to subtract from.
    fn is_prefix(&self) -> bool {
        let written = self.out.trim_end_matches('-').trim_end();
        let word = written.rsplit(|c: char| !super::lex::is_name(c)).next().unwrap_or_default();
        match written.chars().next_back() {
            None => true,
            Some(')' | ']' | '"') => false,
            Some(c) if super::lex::is_name(c) => word.eq_ignore_ascii_case("return"),
            Some(_) => true,
        }
    }
}
