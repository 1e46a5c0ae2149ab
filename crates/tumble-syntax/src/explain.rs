//! What is said about a place where a text cannot be read on: a table per notation (`mistakes.txt`), whose patterns
//! `pattern.rs` explains.
//!
//! ```text
//! operand @before..here: \( ¦\)   what was wanted, the place of the message, and the text around the place `¦`
//!   empty parentheses             the message
//!   here: `1`                     what may be meant: another text in a place, or `drop here`
//! ```
//!
//! The first row that fits counts. Instead of a new line there may be an arrow, `→`, and rows without a message share the
//! next one. Without a place, another text is for what `‹ ›` is around; `read …` is for one that can only be meant, and is
//! read, with what to `say:` about it. `each ab: …` is for each of these characters, `name 1: …` for each word like this
//! one, and `kind …` gives the mistake a finer name.
//!
//! What was found is `{1}`, `{2}`, … in messages (in backticks, without them as `{=1}`, however long as `{!1}`) and texts,
//! as are places and what the parser adds: `{1^}` is in capitals, `{1~}` has letters for digits, `{1:6}` is 6 if there was
//! nothing, `{1+}` one more, `{1-2}` a difference of at least 0; a text that cannot be made is not offered.

use crate::mistake::{Mistake, instead, shown};
use crate::nearest::renamed;
use crate::pattern::{Fit, needed};
use crate::words::{Lexeme, Token};
use std::collections::HashMap;
use std::sync::OnceLock;
use tumble_core::Span;

/// What a notation says about mistakes, read when it is first needed.
pub(crate) struct Table {
    source: &'static str,
    /// Whether its texts are read by words.
    pub(crate) words: bool,
    rows: OnceLock<HashMap<&'static str, Vec<Row>>>,
}

/// A pattern and what is said where it fits.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) pattern: &'static str,
    /// A sign without which it does not fit.
    pub(crate) needs: Option<char>,
    place: Option<&'static str>,
    body: &'static str,
}

impl Row {
    /// The message and what is offered.
    fn fields(self) -> impl Iterator<Item = &'static str> {
        self.body.split(['→', '\n']).map(str::trim).filter(|field| !field.is_empty())
    }

    /// What a row writes that only rewrites.
    fn meant(self) -> &'static str {
        self.body.trim().trim_matches('`')
    }
}

impl Table {
    pub(crate) const fn new(source: &'static str, words: bool) -> Table {
        Table { source, words, rows: OnceLock::new() }
    }

    fn rows(&self, what: &str) -> &[Row] {
        self.rows.get_or_init(|| read(self.source)).get(what).map_or(&[], Vec::as_slice)
    }

    /// Whether a list of words has this one.
    fn lists(&self, what: &str, word: &str) -> bool {
        self.rows(what).iter().any(|row| row.body.split_whitespace().any(|known| known == word))
    }

    /// Whether words up to the end of a text can only be a comment: none of them may change the roll, and a short one is a
    /// small word of a sentence, because other short ones may be modifiers of some tool.
    pub(crate) fn is_comment(&self, rest: &str) -> bool {
        // More words than this are no comment but a mistake.
        const LONGEST: usize = 80;
        let words = rest.trim_end();
        let plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | ',' | '.' | '!');
        if words.len() > LONGEST || !words.chars().all(plain) || words.contains(" -") || words.contains("- ") {
            return false;
        }
        let words = words.split([' ', '-', ',', '.', '!']).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let small = |word: &String| self.lists("small words", word);
        let free = |word: &String| !self.lists("rule words", word) && (word.chars().count() > 2 || small(word));
        words.iter().all(free) && !words.iter().all(small)
    }

    /// What all rows say about a text.
    pub(crate) fn noted(&'static self, what: &str, text: &str) -> impl Iterator<Item = Mistake> {
        let scene = Scene::of(text, Span::new(0, text.len()));
        self.rows(what).iter().filter_map(move |row| Some(Fit::all(self, *row, scene).next()?.says(*row)))
    }

    /// What the rows make of a text, each as often as it fits, but a few times only; perhaps of whole words only.
    pub(crate) fn rewritten(&'static self, what: &str, text: &str, alone: bool) -> Option<String> {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (mut out, mut changed) = (words(text), false);
        for row in self.rows(what) {
            for _ in 0..8 {
                let apart = |part: &Span| {
                    let (before, after) = (&out[..part.start], &out[part.end..]);
                    !alone
                        || (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
                };
                let scene = Scene::of(&out, Span::new(0, out.len()));
                let mut fits = Fit::all(self, *row, scene);
                let Some(fit) = fits.find(|fit| fit.part.as_ref().is_some_and(apart)) else { break };
                let (Some(part), Some(with)) = (fit.part, fit.filled(row.meant(), false)) else { break };
                drop(fits);
                out.replace_range(part.start..part.end, &with);
                changed = true;
            }
        }
        changed.then(|| words(&out))
    }

    /// What each row that fits makes of a text.
    pub(crate) fn replaced(&'static self, what: &str, text: &str) -> impl Iterator<Item = String> {
        let scene = Scene::of(text, Span::new(0, text.len()));
        self.rows(what).iter().filter_map(move |row| {
            let fit = Fit::all(self, *row, scene).next()?;
            instead(text, fit.part?, &fit.filled(row.meant(), false)?)
        })
    }
}

/// The rows of a table, by what was wanted.
fn read(source: &'static str) -> HashMap<&'static str, Vec<Row>> {
    let (mut rows, mut waiting, mut rest) = (HashMap::<_, Vec<Row>>::new(), Vec::new(), source);
    while !rest.is_empty() {
        let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
        let (row, after) = rest.split_at(ends.find(|at| !rest[*at..].starts_with("  ")).unwrap_or(rest.len()));
        rest = after;
        let Some((head, row)) = row.split_once(':').filter(|_| !row.starts_with('/')) else { continue };
        let (pattern, body) = row.split_once(['→', '\n']).unwrap_or((row, ""));
        let (whats, place) = head.split_once(" @").map_or((head, None), |(whats, place)| (whats, Some(place)));
        let pattern = pattern.trim_matches(' ');
        let row = Row { pattern, needs: needed(pattern), place, body };
        waiting.extend(whats.split('|').map(|what| (what, row)));
        if !body.is_empty() {
            waiting.drain(..).for_each(|(what, row)| rows.entry(what).or_default().push(Row { body, ..row }));
        }
    }
    rows
}

/// A place that cannot be read, and what is known about it.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'t> {
    pub(crate) text: &'t str,
    /// Where reading stopped.
    pub(crate) place: usize,
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
        Scene { text, place: here.start, here, before: here, owner: here, lexemes: &[], key: "" }
    }

    /// What the table says about a text in which `what` was wanted.
    pub(crate) fn explained(self, table: &'static Table, what: &str) -> Mistake {
        self.known(table, what)
            .unwrap_or_else(|| Mistake::new(self.here, format!("unexpected {}", shown(self.written(self.here)))))
    }

    /// The same, if it says anything.
    pub(crate) fn known(self, table: &'static Table, what: &str) -> Option<Mistake> {
        table.rows(what).iter().find_map(|row| Some(Fit::all(table, *row, self).next()?.says(*row)))
    }

    fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
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
    pub(crate) fn is_bound(&self, at: usize) -> bool {
        let Some(last) = self.lexemes.last() else { return self.text.is_char_boundary(at) };
        let next = self.lexemes.partition_point(|lexeme| lexeme.span.end < at);
        let inside = self.lexemes.get(next).is_some_and(|lexeme| lexeme.span.start < at && at < lexeme.span.end);
        self.text.is_char_boundary(at) && (at >= last.span.start || !inside)
    }
}

impl<'t> Fit<'t> {
    /// What a row says where it fits.
    fn says(mut self, row: Row) -> Mistake {
        let place = row.place.and_then(|place| self.place(place));
        let place = self.marked.or(place).unwrap_or(self.scene.here);
        self.marked = Some(place);
        let mut fields = row.fields();
        let message = fields.next().and_then(|message| self.filled(message, true)).unwrap_or_default();
        fields.fold(Mistake::new(place, message), |mistake, offer| self.offer(mistake, offer))
    }

    fn capture(&self, number: &str) -> Option<(Span, &'t str)> {
        self.found.get(number.parse::<usize>().ok()?.checked_sub(1)?).copied()
    }

    /// A place by its name; `before..here` goes from one to the other.
    fn place(&self, name: &str) -> Option<Span> {
        let Scene { text, here, before, owner, .. } = self.scene;
        if let Some((from, to)) = name.split_once("..") {
            return Some(self.place(from)?.to(self.place(to)?));
        }
        Some(match name {
            "" => self.part?,
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
            number => self.capture(number)?.0,
        })
    }

    fn value(&self, key: &str) -> Option<String> {
        if key == "key" {
            return Some(self.scene.key.to_owned());
        }
        let written = |key: &str| match self.capture(key) {
            Some((_, said)) => Some(said),
            None => self.place(key).map(|place| self.scene.written(place)),
        };
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
            match (key.strip_prefix('='), key.strip_prefix('!')) {
                (Some(key), _) => out.push_str(shown(&self.value(key)?).trim_matches('`')),
                (_, Some(key)) => out.push_str(&self.value(key)?),
                _ if message => out.push_str(&shown(&self.value(key)?)),
                _ => out.push_str(&self.value(key)?),
            }
            rest = after;
        }
        Some(out + rest)
    }

    /// The mistake with what a line of the row offers.
    fn offer(&self, mistake: Mistake, line: &'static str) -> Mistake {
        let Some((place, with)) = line.split_once('`') else {
            let (word, name) = line.split_once(' ').unwrap_or((line, ""));
            return match word {
                "kind" => mistake.kind(name),
                _ => mistake.when(self.place(name), Mistake::delete),
            };
        };
        let (with, note) = with.split_once('`').unwrap_or((with, ""));
        let (place, text) = (place.trim_end_matches([':', ' ']), self.scene.text);
        let Some(with) = self.filled(with, false) else { return mistake };
        match (place, place.strip_prefix("each "), place.strip_prefix("name ")) {
            ("read", ..) => {
                let fixed = self.part.and_then(|part| instead(text, part, &with));
                let note = note.strip_prefix(" and say: ").and_then(|note| self.filled(note, true));
                mistake.when(fixed, |mistake, fixed| match note {
                    Some(note) => mistake.certainly_noting(fixed, note),
                    None => mistake.certainly(fixed),
                })
            }
            (_, Some(signs), _) => {
                let signs: Vec<char> = signs.chars().collect();
                mistake.fix(text.replace(signs.as_slice(), &with))
            }
            (.., Some(name)) => mistake
                .when(self.place(name), |mistake, name| mistake.fix(renamed(text, self.scene.written(name), &with))),
            _ => mistake.when(self.place(place), |mistake, place| mistake.replace(place, &with)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::tabletop::MISTAKES;

    /// For a text of the tables of errors, or a word of one.
    #[test]
    fn every_row_fits_a_wrong_text() {
        let tables = concat!(
            include_str!("../tests/main/errors/tabletop.txt"),
            include_str!("../tests/main/errors/roll20.txt"),
            include_str!("../tests/main/errors/rpg-dice-roller.txt"),
        );
        let mut texts: Vec<&str> = tables.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        texts.extend(texts.clone().iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphabetic())));
        let mut unused = Vec::new();
        let rows = read(MISTAKES.source);
        for (what, row) in rows.iter().flat_map(|(what, rows)| rows.iter().map(move |row| (what, *row))) {
            assert!(row.fields().next().is_some(), "{what}: {}", row.pattern);
            let fits = |text: &&str| {
                let places = |sign| 0..=if row.pattern.contains(sign) { text.len() } else { 0 };
                let mut both = places('¦').flat_map(|place| places('°').map(move |at| (place, Span::new(at, at))));
                both.any(|(place, about)| {
                    Fit::all(&MISTAKES, row, Scene { place, ..Scene::of(text, about) }).next().is_some()
                })
            };
            if !what.ends_with("words") && !what.contains("note") && !texts.iter().any(fits) {
                unused.push(format!("{what}: {}", row.pattern));
            }
        }
        assert!(unused.is_empty(), "no text of the tables is for {unused:#?}");
    }
}
