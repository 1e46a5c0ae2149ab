//! The parser: from tokens to a tree; the grammar is at the top of `syntax`.
//!
//! Functions on the way down into nested blocks and parentheses have small frames: what is big or rare is not inlined
//! into them. It goes on after a mistake, at the next `;`, `}` or `def…`, so that all mistakes are reported at once. What is
//! commonly written differently is understood and reported as a slip.

mod declaration;
mod expression;
mod statement;

pub(super) use expression::is_dice;

use super::docs::Docs;
use super::lex::{Kind, Token, Tokens};
use super::problem::{Edit, Problem, Problems, places};
use super::syntax::{Name, Nodes, Tree};
use crate::nearest;
use std::collections::HashSet;
use tumble_core::{Code, Span};

/// How deep blocks, parentheses and the like may stand inside each other.
pub(super) const DEEPEST: usize = 1000;

/// How many declarations a script may have.
const MOST_DECLARATIONS: usize = 2000;

/// The words that begin a declaration.
const DECLARATIONS: [&str; 5] = ["deftype", "defenum", "defconst", "deffun", "defroll"];

/// All keywords.
pub(super) const KEYWORDS: &[&str] = &[
    "deftype", "deffun", "defroll", "defenum", "defconst", "if", "else", "while", "for", "group", "return", "break",
    "true", "false", "list",
];

/// Words of other languages, and what to write instead.
const RESERVED: &[(&str, &str)] = &[
    ("continue", "put the rest of the body into an `if`"),
    ("include", "a script is one text: copy what it needs"),
    ("switch", "use `if` and `else if`"),
    ("null", "use a bool, an enumeration or an empty list"),
    ("var", "a variable needs no declaration: write `x = 1;`"),
    ("let", "a variable needs no declaration: write `x = 1;`"),
];

/// A mistake was reported, and what was being read has to be given up.
#[derive(Debug)]
pub(super) struct Stop;

/// What could be read.
pub(super) type Read<T> = Result<T, Stop>;

/// Reads a whole script.
pub(super) fn parse(text: &str, tokens: &Tokens, problems: &mut Problems) -> Tree {
    let mut parser = Parser {
        text,
        tokens: &tokens.tokens,
        docs: Docs::new(text, tokens),
        at: 0,
        depth: 0,
        open_blocks: 0,
        nodes: Nodes::default(),
        problems,
        functions: HashSet::new(),
        capitals: vec![],
        given_up: None,
        records_allowed: true,
    };
    parser.find_functions();
    let mut tree = Tree::default();
    parser.script(&mut tree);
    tree.nodes = std::mem::take(&mut parser.nodes);
    let capitals = std::mem::take(&mut parser.capitals);
    problems.merged(
        capitals,
        |n| format!("keyword with a capital letter{}", places(n)),
        "write keywords in lower case",
    );
    tree
}

pub(super) struct Parser<'t, 'p> {
    text: &'t str,
    tokens: &'t [Token],
    docs: Docs<'t>,
    at: usize,
    /// How many expressions and blocks are open.
    depth: usize,
    /// How many braces are open.
    open_blocks: usize,
    nodes: Nodes,
    problems: &'p mut Problems,
    /// The names of all functions declared anywhere.
    functions: HashSet<String>,
    /// Keywords with capital letters.
    capitals: Vec<Edit>,
    /// Where open blocks were given up, so that it is reported once.
    given_up: Option<usize>,
    /// Whether `name {` can begin a record here.
    records_allowed: bool,
}

impl Parser<'_, '_> {
    /// The names behind `deffun` and `defroll "…"`.
    fn find_functions(&mut self) {
        for (at, token) in self.tokens.iter().enumerate() {
            let name = match (&token.kind, self.keyword_at(at)) {
                (Kind::Word, Some("deffun")) => at + 1,
                (Kind::Word, Some("defroll")) => at + 2,
                _ => continue,
            };
            if self.tokens.get(name).is_some_and(|token| token.kind == Kind::Word) {
                self.functions.insert(self.word_at(name).to_lowercase());
            }
        }
    }

    fn script(&mut self, tree: &mut Tree) {
        let mut count = 0;
        while self.token().kind != Kind::End {
            count += 1;
            if count > MOST_DECLARATIONS {
                let message = format!("more than {MOST_DECLARATIONS} declarations");
                self.problems.add(Problem::error(Code::Limit, self.span(), message));
                return;
            }
            let before = self.at;
            if self.declaration(tree).is_err() {
                self.skip_declaration();
            }
            debug_assert!(self.at > before, "the parser goes on");
            self.at = self.at.max(before + 1).min(self.tokens.len() - 1);
        }
    }

    /// Skips to the next declaration.
    fn skip_declaration(&mut self) {
        (self.depth, self.open_blocks, self.records_allowed) = (0, 0, true);
        while self.token().kind != Kind::End && !self.at_declaration() {
            self.at += 1;
        }
    }

    /// Whether a declaration begins here.
    fn at_declaration(&self) -> bool {
        self.keyword_at(self.at).is_some_and(|word| DECLARATIONS.contains(&word)) && self.token().leads
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The place just after the token read last.
    fn after(&self) -> Span {
        let end = self.at.checked_sub(1).map_or(0, |last| self.tokens[last].span.end);
        Span::new(end, end)
    }

    /// From a place to the token read last.
    fn since(&self, start: usize) -> Span {
        Span::new(start, self.after().end.max(start))
    }

    fn word_at(&self, at: usize) -> &str {
        let Span { start, end } = self.tokens[at].span;
        &self.text[start..end]
    }

    /// The keyword at a place.
    fn keyword_at(&self, at: usize) -> Option<&'static str> {
        if self.tokens[at].kind != Kind::Word {
            return None;
        }
        let word = self.word_at(at);
        KEYWORDS.iter().copied().find(|keyword| word.eq_ignore_ascii_case(keyword))
    }

    fn keyword(&self) -> Option<&'static str> {
        self.keyword_at(self.at)
    }

    /// Moves past the next token.
    fn skip(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Moves past a keyword if it comes next.
    fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.skip_keyword();
        }
        found
    }

    /// Moves past a keyword, which should have no capital letters.
    fn skip_keyword(&mut self) {
        if let Some(keyword) = self.keyword().filter(|keyword| *keyword != self.word_at(self.at)) {
            self.capitals.push(Edit { span: self.span(), text: keyword.to_owned() });
        }
        self.skip();
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    /// Moves past a sign if it comes next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.skip();
        }
        found
    }

    /// Moves past a sign that must come next.
    fn expect(&mut self, sign: &str, after: &str) -> Read<()> {
        if self.eat(sign) { Ok(()) } else { self.missing(sign, after) }
    }

    #[cold]
    #[inline(never)]
    fn missing(&mut self, sign: &str, after: &str) -> Read<()> {
        let at = self.after();
        let problem = Problem::syntax(self.span(), format!("expected `{sign}` after {after}, not {}", self.found()));
        self.fail(problem.fix(format!("insert `{sign}`"), at, sign))
    }

    /// What comes next, for a message.
    fn found(&self) -> String {
        match &self.token().kind {
            Kind::End => "the end of the script".to_owned(),
            Kind::Text(_) => "a text".to_owned(),
            Kind::Word | Kind::Number(_) | Kind::Sign(_) => crate::mistake::shown(self.word_at(self.at)),
        }
    }

    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, problem: Problem) -> Read<T> {
        self.problems.add(problem);
        Err(Stop)
    }

    /// A name that somebody chose.
    fn name(&mut self, what: &str) -> Read<Name> {
        let span = self.span();
        if self.token().kind != Kind::Word {
            let message = format!("expected {what}, not {}", self.found());
            return self.fail(Problem::syntax(span, message));
        }
        let text = self.word_at(self.at).to_owned();
        let key = text.to_lowercase();
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("{} is not a name: a name begins with a letter", crate::mistake::shown(&text));
            return self.fail(Problem::syntax(span, message));
        }
        if self.keyword().is_some() || RESERVED.iter().any(|(word, _)| *word == key) {
            let message = format!("`{text}` is a keyword and can't be {what}");
            return self.fail(Problem::syntax(span, message).fix("choose another name", span, format!("{text}_")));
        }
        self.skip();
        Ok(Name { text, key, span })
    }

    /// Counts one more level of nesting while `inside` is read.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        self.depth += 1;
        let read = inside(self);
        self.depth -= 1;
        read
    }

    #[cold]
    #[inline(never)]
    fn too_deep<T>(&mut self) -> Read<T> {
        let message = format!("blocks or parentheses are nested more than {DEEPEST} deep");
        self.problems.add(Problem::error(Code::Limit, self.span(), message));
        // Whatever follows would be read at some wrong depth.
        self.at = self.tokens.len() - 1;
        self.given_up = Some(self.at);
        Err(Stop)
    }

    /// A word of another language, or one that is nearly a keyword.
    fn reserved(&self) -> Option<&'static str> {
        let word = self.word_at(self.at);
        RESERVED.iter().find(|(reserved, _)| word.eq_ignore_ascii_case(reserved)).map(|(_, instead)| *instead)
    }
}

/// The declaration that a word was meant to begin.
fn meant(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let found = nearest(&word, DECLARATIONS.into_iter())?;
    DECLARATIONS.into_iter().find(|keyword| *keyword == found)
}
