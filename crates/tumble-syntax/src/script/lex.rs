//! From text to tokens. Comments are kept apart, for the docs and the formatter.
//!
//! ```text
//! name     a letter of any script, then letters, digits, "_"
//! number   digits
//! text     " … " with \" \\ \n inside, or typographic quotes in any combination
//! comment  "//" to the end of the line | "/*" … "*/"
//! ```
//!
//! Word processors turn two hyphens into a dash: a dash after a name and before `;` means `--`, any other means minus.

use super::problem::{Edit, Problem, Problems, places};
use crate::scan::Cursor;
use tumble_core::Span;

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Whether it is the first one on its line.
    pub(super) leads: bool,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// A whole number; none if it is too large.
    Number(Option<i64>),
    /// A text, as it is meant.
    Text(String),
    /// Punctuation or an operator.
    Sign(&'static str),
    /// After everything.
    End,
}

/// A comment, with its signs.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) span: Span,
    /// Whether it is the first thing on its line.
    pub(super) leads: bool,
}

/// The tokens of a script, the last one for its end.
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
}

/// Every sign, longer ones before those they begin with.
const SIGNS: &[&str] = &[
    "++", "--", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "{", "}", "(", ")", "[", "]", ",", ";",
    ":", ".", "?", "+", "-", "*", "/", "%", "=", "<", ">", "!",
];

/// Quotes as word processors write them.
const CURLY: [char; 4] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}'];

/// Dashes as word processors write them.
const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];

/// Reads all tokens; what cannot be read is reported and skipped.
pub(super) fn tokens(text: &str, problems: &mut Problems) -> Tokens {
    let mut lexer = Lexer {
        text,
        cursor: Cursor::new(text),
        found: Tokens { tokens: Vec::with_capacity(text.len() / 4), comments: vec![] },
        problems,
        quotes: vec![],
        dashes: vec![],
        leads: true,
    };
    lexer.run();
    let Lexer { found, quotes, dashes, .. } = lexer;
    problems.merged(quotes, |n| format!("typographic quote{}", places(n)), "write straight quotes: `\"`");
    problems.merged(dashes, |n| format!("a dash instead of hyphens{}", places(n)), "write `--` or `-`");
    found
}

struct Lexer<'t, 'p> {
    text: &'t str,
    cursor: Cursor<'t>,
    found: Tokens,
    problems: &'p mut Problems,
    quotes: Vec<Edit>,
    dashes: Vec<Edit>,
    leads: bool,
}

impl Lexer<'_, '_> {
    fn run(&mut self) {
        loop {
            self.blanks();
            let start = self.cursor.at();
            let Some(next) = self.cursor.peek() else { break };
            match next {
                '/' if self.comment() => self.comment_read(start),
                '0'..='9' => self.number(start),
                '"' => self.string(start),
                c if c.is_alphabetic() || c == '_' => {
                    self.cursor.take_while(is_name);
                    self.push(start, Kind::Word);
                }
                c if CURLY.contains(&c) => self.string(start),
                c if DASHES.contains(&c) => self.dash(start),
                _ => self.sign(start),
            }
        }
        let end = self.text.len();
        self.push(end, Kind::End);
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let leads = std::mem::replace(&mut self.leads, false);
        self.found.tokens.push(Token { kind, span: self.cursor.since(start), leads });
    }

    fn blanks(&mut self) {
        let blank = self.cursor.take_while(char::is_whitespace);
        self.leads |= blank.contains('\n');
    }

    /// Moves past a comment if one comes next.
    fn comment(&mut self) -> bool {
        let start = self.cursor.at();
        if self.cursor.eat("//") {
            self.cursor.take_while(|c| c != '\n');
            return true;
        }
        if !self.cursor.eat("/*") {
            return false;
        }
        let rest = self.cursor.rest();
        let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
        if !rest.contains("*/") {
            self.problems.add(Problem::syntax(Span::new(start, start + 2), "this comment is never closed").fix(
                "close it with `*/`",
                Span::new(self.text.len(), self.text.len()),
                " */",
            ));
        }
        while self.cursor.at() < start + 2 + length {
            self.cursor.bump();
        }
        true
    }

    fn comment_read(&mut self, start: usize) {
        self.found.comments.push(Comment { span: self.cursor.since(start), leads: self.leads });
    }

    fn number(&mut self, start: usize) {
        let digits = self.cursor.take_ascii(|c| c.is_ascii_digit()).to_owned();
        // `2d6` is one word, which only `roll` and `dice` understand; `2list` is a slip anyway.
        if self.cursor.peek().is_some_and(is_name) {
            self.cursor.take_while(|c| is_name(c) || c == '%');
            return self.push(start, Kind::Word);
        }
        self.push(start, Kind::Number(digits.parse().ok()));
    }

    fn string(&mut self, start: usize) {
        let straight = self.cursor.peek() == Some('"');
        self.quote();
        let closes = |c: char| c == '"' || !straight && CURLY.contains(&c);
        let mut text = String::new();
        loop {
            match self.cursor.peek() {
                Some(c) if closes(c) => {
                    self.quote();
                    break;
                }
                Some('\\') => self.escape(&mut text),
                Some('\n') | None => {
                    let span = self.cursor.since(start);
                    let at = Span::new(span.end, span.end);
                    self.problems.add(Problem::syntax(span, "this text is not closed").fix(
                        "close it with `\"`",
                        at,
                        "\"",
                    ));
                    break;
                }
                Some(c) => {
                    text.push(c);
                    self.cursor.bump();
                }
            }
        }
        self.push(start, Kind::Text(text));
    }

    /// Moves past a quote.
    fn quote(&mut self) {
        let start = self.cursor.at();
        if self.cursor.bump().is_some_and(|c| CURLY.contains(&c)) {
            self.quotes.push(Edit { span: self.cursor.since(start), text: "\"".into() });
        }
    }

    fn escape(&mut self, text: &mut String) {
        let start = self.cursor.at();
        self.cursor.bump();
        match self.cursor.peek() {
            Some('n') => text.push('\n'),
            Some(c @ ('"' | '\\')) => text.push(c),
            _ => {
                let span = self.cursor.since(start);
                self.problems.add(Problem::syntax(span, "unknown escape in this text").fix(
                    "for a backslash write `\\\\`",
                    span,
                    "\\\\",
                ));
                return text.push('\\');
            }
        }
        self.cursor.bump();
    }

    fn dash(&mut self, start: usize) {
        self.cursor.bump();
        let span = self.cursor.since(start);
        let after_name =
            self.found.tokens.last().is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Sign("]")));
        let twice = after_name && self.cursor.rest().trim_start().starts_with(';');
        let sign = if twice { "--" } else { "-" };
        self.dashes.push(Edit { span, text: sign.into() });
        self.push(start, Kind::Sign(sign));
    }

    fn sign(&mut self, start: usize) {
        if let Some(sign) = SIGNS.iter().find(|sign| self.cursor.eat(sign)) {
            return self.push(start, Kind::Sign(sign));
        }
        let Some(strange) = self.cursor.bump() else { return };
        let span = self.cursor.since(start);
        let problem = Problem::syntax(span, format!("unexpected `{strange}`"));
        self.problems.add(match strange {
            '\'' | '\u{2018}' | '\u{2019}' => problem.hint("text goes in double quotes: `\"d20\"`"),
            '&' => problem.fix("for \"and\" write `&&`", span, "&&"),
            '|' => problem.fix("for \"or\" write `||`", span, "||"),
            '\u{d7}' => problem.fix("for times write `*`", span, "*"),
            '#' => problem.fix("a comment begins with `//`", span, "//"),
            _ => problem.fix("leave it out", span, ""),
        });
    }
}

/// Whether a character opens or closes a text.
pub(super) fn is_quote(c: char) -> bool {
    c == '"' || CURLY.contains(&c)
}

/// Whether a character can stand inside a name.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
