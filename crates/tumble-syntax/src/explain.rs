//! What is said about a place where a text cannot be read on: a table per notation (`mistakes.txt`), and the matcher
//! that reads it.
//!
//! ```text
//! operand @before..here: ( ¦ )    what was wanted, the place of the message, and the text around the place `¦`
//!   empty parentheses             the message
//!   here: `1`                     a text that may be meant: another text in a place, or `drop here`
//! ```
//!
//! The first row that fits counts. In a pattern a blank is any number of blanks, `⊢` and `⊣` are the ends of the text, `$`
//! that of what stands here, `«…»` is the place of the message, and a backslash takes a sign as it is:
//!
//! ```text
//! {#} digits         {@} letters       {&} both          {_} blanks     {!} anything invisible     {#?} or none of them
//! {[ab]} of these    {^ab} of others   {*} anything      {a|b} one of these words or signs, {~a|b} in capitals as well
//! ```
//!
//! What was found is `{1}`, `{2}`, … in messages (in backticks, without them as `{=1}`) and texts, as are places and what
//! the parser adds: `{1^}` is in capitals, `{1~}` has letters for digits, `{1:6}` is 6 if there was nothing, `{1+}` one
//! more, `{1-2}` a difference of at least 0; a text that cannot be made is not offered. `each ab: …` is for each of these
//! characters, `name 1: …` for each word like this one, and `kind …` gives the mistake a finer name.

use crate::mistake::{LONGEST_FIX, Mistake, shown};
use crate::nearest::renamed;
use crate::words::{Lexeme, Token};
use tumble_core::Span;

/// A place that cannot be read, and what is known about it.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'t> {
    pub(crate) text: &'t str,
    /// What stands here, what was read before it, and what it would belong to.
    pub(crate) here: Span,
    pub(crate) before: Span,
    pub(crate) owner: Span,
    /// The words of the text: a pattern fits whole ones only. None if it is not read by words.
    pub(crate) lexemes: &'t [Lexeme],
    /// A word that messages can name, `{key}`.
    pub(crate) key: &'t str,
}

impl<'t> Scene<'t> {
    /// Something in a text that is not read by words.
    pub(crate) fn of(text: &'t str, here: Span) -> Scene<'t> {
        Scene { text, here, before: here, owner: here, lexemes: &[], key: "" }
    }

    /// What the table says about a text in which `what` was wanted.
    pub(crate) fn explained(self, table: &'static str, what: &str) -> Mistake {
        self.known(table, what)
            .unwrap_or_else(|| Mistake::new(self.here, format!("unexpected {}", shown(self.written(self.here)))))
    }

    /// The same, if it says anything.
    pub(crate) fn known(self, table: &'static str, what: &str) -> Option<Mistake> {
        let mut lines = table.lines();
        while let Some(line) = lines.next() {
            let Some((head, pattern)) = head(line).filter(|(head, _)| wants(head, what)) else { continue };
            let Some(found) = self.find(&parts(pattern.trim_matches(' '))) else { continue };
            let place = head.split_once(" @").and_then(|(_, place)| found.place(place));
            let place = found.marked.or(place).unwrap_or(self.here);
            let found = Found { marked: Some(place), ..found };
            let mut body = lines.skip_while(|line| self::head(line).is_some());
            let mistake = Mistake::new(place, found.filled(body.next()?.trim(), true).unwrap_or_default());
            let offers = body.take_while(|line| line.starts_with("  "));
            return Some(offers.fold(mistake, |mistake, line| found.offer(mistake, line.trim())));
        }
        None
    }

    fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// The pattern around this place, the shortest text that fits. What has anything in it is for texts that can be
    /// corrected; in longer ones it would be looked for too long.
    fn find(self, parts: &[Part<'_>]) -> Option<Found<'t>> {
        const FARTHEST: usize = 200;
        if self.text.len() > LONGEST_FIX && parts.iter().any(|part| matches!(part, Part::Any)) {
            return None;
        }
        let place = self.here.start;
        let starts = match parts {
            [] | [Part::Place, ..] => place..=place,
            [Part::Start, ..] => 0..=0,
            _ => place.saturating_sub(FARTHEST)..=place,
        };
        starts.rev().filter(|at| *at == 0 || self.is_bound(*at)).find_map(|at| {
            let mut found = Found { scene: self, captured: Vec::new(), marked: None };
            found.fits(parts, at).then_some(found)
        })
    }

    /// The bracket that closes what is open here, if it is the one that is needed.
    fn closing(&self) -> Option<Span> {
        let mut depth = 0usize;
        let after = self.lexemes.iter().filter(|lexeme| lexeme.span.start >= self.here.start);
        let close = after.copied().find(|lexeme| {
            match lexeme.token {
                Token::Key("(" | "[" | "{") => depth += 1,
                Token::Key(")" | "]" | "}") if depth == 0 => return true,
                Token::Key(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            false
        });
        let close = close.map(|close| close.span);
        close.filter(|close| self.key.is_empty() || self.written(*close) == self.key)
    }

    /// Whether a word can begin or end here.
    fn is_bound(&self, at: usize) -> bool {
        let Some(last) = self.lexemes.last() else { return self.text.is_char_boundary(at) };
        let next = self.lexemes.partition_point(|lexeme| lexeme.span.end < at);
        let inside = self.lexemes.get(next).is_some_and(|lexeme| lexeme.span.start < at && at < lexeme.span.end);
        self.text.is_char_boundary(at) && (at >= last.span.start || !inside)
    }

    /// Whether a word can end here.
    fn ends_word(&self, at: usize) -> bool {
        match self.lexemes {
            [] => !self.text[at..].starts_with(char::is_alphabetic),
            _ => self.is_bound(at),
        }
    }
}

/// The head of a row and its pattern.
fn head(line: &str) -> Option<(&str, &str)> {
    let line = Some(line).filter(|line| !line.starts_with([' ', '/']))?;
    line.split_once(':')
}

fn wants(head: &str, what: &str) -> bool {
    head.split(" @").next().is_some_and(|wanted| wanted.split('|').any(|wanted| wanted == what))
}

/// A piece of a pattern.
#[derive(Clone, Copy)]
enum Part<'r> {
    Start,
    End,
    Place,
    /// The end of what stands here.
    Last,
    Open,
    Close,
    Blanks,
    Char(char),
    /// Anything, as little as possible.
    Any,
    /// Characters of this class, or if that is false of no such class; at least one, if that is wanted.
    Run(&'r str, bool, bool),
    /// One of these words or signs.
    OneOf(&'r str),
}

fn parts(pattern: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), pattern);
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        parts.push(match first {
            '⊢' => Part::Start,
            '⊣' => Part::End,
            '¦' => Part::Place,
            '$' => Part::Last,
            '«' => Part::Open,
            '»' => Part::Close,
            ' ' => Part::Blanks,
            '\\' => {
                let taken = rest.chars().next().unwrap_or(' ');
                rest = &rest[taken.len_utf8()..];
                Part::Char(taken)
            }
            '{' => {
                let (group, after) = rest.split_once('}').unwrap_or((rest, ""));
                rest = after;
                group_part(group)
            }
            plain => Part::Char(plain),
        });
    }
    parts
}

fn group_part(group: &str) -> Part<'_> {
    let (class, least) = group.strip_suffix('?').map_or((group, true), |class| (class, false));
    match class {
        "*" => Part::Any,
        "#" | "@" | "&" | "_" | "!" => Part::Run(class, true, least),
        _ if class.starts_with('[') => Part::Run(class.strip_suffix(']').unwrap_or(class), true, least),
        _ if class.starts_with('^') => Part::Run(class, false, least),
        _ => Part::OneOf(group),
    }
}

fn is_of(class: &str, c: char) -> bool {
    match class {
        "#" => c.is_ascii_digit(),
        "@" => c.is_alphabetic(),
        "&" => c.is_alphanumeric(),
        "_" => c.is_whitespace(),
        "!" => c.is_control() || c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'),
        _ => class[1..].contains(c),
    }
}

/// What a pattern found.
struct Found<'t> {
    scene: Scene<'t>,
    captured: Vec<Span>,
    marked: Option<Span>,
}

impl<'t> Found<'t> {
    /// Whether the text fits from here on; as deep as the pattern is long.
    fn fits(&mut self, parts: &[Part<'_>], at: usize) -> bool {
        let Some((part, after)) = parts.split_first() else { return self.scene.is_bound(at) };
        let (scene, text) = (self.scene, self.scene.text);
        let rest = &text[at..];
        let blanks = || rest.len() - rest.trim_start().len();
        let long = |wanted: &dyn Fn(char) -> bool| rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        match *part {
            Part::Start => at == 0 && self.fits(after, at),
            Part::End => blanks() == rest.len() && self.fits(after, at),
            Part::Place => at == self.scene.here.start && self.fits(after, at),
            Part::Last => at == self.scene.here.end && self.fits(after, at),
            Part::Open => {
                self.marked = Some(Span::new(at, at));
                self.fits(after, at)
            }
            Part::Close => {
                self.marked = self.marked.map(|open| Span::new(open.start.min(at), at));
                self.fits(after, at)
            }
            Part::Blanks => self.fits(after, at + blanks()),
            Part::Char(c) => rest.starts_with(c) && self.fits(after, at + c.len_utf8()),
            Part::Any => {
                let mut ends = rest.char_indices().map(|(end, _)| at + end).chain([text.len()]);
                ends.any(|end| self.captures(after, Span::new(at, end)))
            }
            Part::Run(class, inside, least) => {
                // What is searched from its end must not begin in the middle of a number or word.
                let first = at < self.scene.here.start && inside;
                let whole = !first || !text[..at].chars().next_back().is_some_and(|c| is_of(class, c));
                let end = if whole { long(&|c| is_of(class, c) == inside) } else { 0 };
                whole && end >= usize::from(least) && self.captures(after, Span::new(at, at + end))
            }
            Part::OneOf(list) => {
                let any_case = list.strip_prefix('~');
                let fitting = |one: &str| {
                    let found = rest.get(..one.len()).unwrap_or_default();
                    let same = found == one || any_case.is_some() && found.eq_ignore_ascii_case(one);
                    same && (!one.starts_with(char::is_alphabetic) || scene.ends_word(at + one.len()))
                };
                let mut fitting = any_case.unwrap_or(list).split('|').filter(|one| fitting(one));
                fitting.any(|one| self.captures(after, Span::new(at, at + one.len())))
            }
        }
    }

    fn captures(&mut self, after: &[Part<'_>], span: Span) -> bool {
        let before = self.captured.len();
        self.captured.push(span);
        let fits = self.fits(after, span.end);
        if !fits {
            self.captured.truncate(before);
        }
        fits
    }

    /// A place by its name; `before..here` goes from one to the other.
    fn place(&self, name: &str) -> Option<Span> {
        let Scene { text, here, before, owner, .. } = self.scene;
        if let Some((from, to)) = name.split_once("..") {
            return Some(self.place(from)?.to(self.place(to)?));
        }
        Some(match name {
            "here" => here,
            "before" => before,
            "owner" => owner,
            "it" => self.marked?,
            "start" => Span::new(0, 0),
            "stop" => Span::new(text.len(), text.len()),
            "all" => Span::new(0, text.len()),
            "close" => self.scene.closing()?,
            "inner" => {
                let end = self.scene.closing().map_or(text.len(), |close| close.start);
                Span::new(here.start, text[..end].trim_end().len().max(here.start))
            }
            "gap" => Span::new(before.end.min(here.start), here.start),
            "rest" => Span::new(here.start, text.trim_end().len().max(here.start)),
            "inside" => Span::new(owner.end, self.scene.closing()?.start),
            "end" => Span::new(text.trim_end().len(), text.len()),
            number => *self.captured.get(number.parse::<usize>().ok()?.checked_sub(1)?)?,
        })
    }

    fn value(&self, key: &str) -> Option<String> {
        if key == "key" {
            return Some(self.scene.key.to_owned());
        }
        let written = |key: &str| self.place(key).map(|place| self.scene.written(place));
        let number = |key: &str| match written(key)? {
            "" => Some(1),
            digits => digits.parse::<i64>().ok(),
        };
        let letter = |digit: u8| char::from(b'A' + (digit.wrapping_sub(b'0') + 9) % 10);
        if let Some(key) = key.strip_suffix('^') {
            return written(key).map(str::to_ascii_uppercase);
        } else if let Some(key) = key.strip_suffix('~') {
            return Some(written(key)?.bytes().map(letter).collect());
        } else if let Some(key) = key.strip_suffix('+') {
            return Some(number(key)?.checked_add(1)?.to_string());
        } else if let Some((key, other)) = key.split_once(':') {
            return written(key).map(|found| if found.is_empty() { other } else { found }.to_owned());
        } else if let Some((from, less)) = key.split_once('-').filter(|(from, _)| from.parse::<u8>().is_ok()) {
            return Some(number(from)?.saturating_sub(number(less)?).max(0).to_string());
        }
        written(key).map(str::to_owned)
    }

    /// A message or text with what was found in it.
    fn filled(&self, template: &str, message: bool) -> Option<String> {
        let (mut out, mut rest) = (String::new(), template);
        while let Some(at) = rest.find(['{', '\\']) {
            out.push_str(&rest[..at]);
            let (mark, after) = rest[at..].split_at(1);
            if mark == "\\" {
                let taken = after.chars().next().map_or(0, char::len_utf8);
                out.push_str(&after[..taken]);
                rest = &after[taken..];
                continue;
            }
            let (key, after) = after.split_once('}')?;
            match key.strip_prefix('=') {
                Some(key) => out.push_str(shown(&self.value(key)?).trim_matches('`')),
                None if message => out.push_str(&shown(&self.value(key)?)),
                None => out.push_str(&self.value(key)?),
            }
            rest = after;
        }
        Some(out + rest)
    }

    /// The mistake with what a line of the row offers.
    fn offer(&self, mistake: Mistake, line: &'static str) -> Mistake {
        let Some((place, with)) = line.split_once(": `") else {
            let (word, name) = line.split_once(' ').unwrap_or((line, ""));
            return match word {
                "kind" => mistake.kind(name),
                _ => mistake.when(self.place(name), Mistake::delete),
            };
        };
        let Some(with) = self.filled(with.trim_end_matches('`'), false) else { return mistake };
        if let Some(signs) = place.strip_prefix("each ") {
            let signs: Vec<char> = signs.chars().collect();
            return mistake.fix(self.scene.text.replace(signs.as_slice(), &with));
        }
        match place.strip_prefix("name ") {
            Some(name) => mistake.when(self.place(name), |mistake, name| {
                mistake.fix(renamed(self.scene.text, self.scene.written(name), &with))
            }),
            None => mistake.when(self.place(place), |mistake, place| mistake.replace(place, &with)),
        }
    }
}
