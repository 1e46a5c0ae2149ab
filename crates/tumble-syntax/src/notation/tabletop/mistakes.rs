//! The matcher of the table of mistakes, `mistakes.txt`: patterns, what is said where one fits, and what was meant.
//!
//! A part of the table is asked in one place of the parser, and its first row that fits answers. Letters fit in upper and
//! lower case, capitals only themselves, and a blank any blanks or none. Other signs:
//!
//! ```text
//! #     a number               @     dice with what touches them      ¤     plain dice: `4d6`
//! ~     a comparison           &     letters and digits               *     no blanks, but a digit
//! …     anything in which brackets match, as short as can be          ※     anything, as short as can be
//! ⟨ab⟩  any of these, at least one; ⟪ab⟫ or none; ⟨^ab⟩ any others    (a|b) the first of these that fits
//! _     at least one blank     •     the end of a word                ·     the end of letters or of digits
//! ?     any character          ¬     nothing that could be counted or changed comes before
//! ^ $   the ends of the text   ¢     words that are only a comment    \     the next sign is meant as it is
//! ¦     where reading stopped  °     what is complained about         `1    what was found first, once more
//! « »   what to point at       ‹ ›   what to replace; without them, what is pointed at
//! ```
//!
//! What is found can be said and offered again: `{1}` is the first of `# @ ¤ ~ & * … ※ ⟨⟩ ⟪⟫ () ¢`, `{1/x}` is `x` if that is
//! empty, and `{}` what is pointed at. In an offer `_` is a blank, `∅` nothing, and `-` takes the blanks before it along.
//! What comes after `⇒` can only be meant, and is read; the note about it may follow.

use super::wording::comment_at_end;
use crate::mistake::{Mistake, instead, shown};
use tumble_core::Span;

const TABLE: &str = include_str!("mistakes.txt");

/// How much of a text is looked at before a place, and in how much of it a row without a place is looked for.
const LONGEST: usize = 400;

/// A line of the table: a pattern, a sentence, what to write, and what to say if that is read.
struct Row {
    pattern: &'static str,
    message: &'static str,
    meant: Option<&'static str>,
    certain: bool,
    note: Option<&'static str>,
}

/// The lines of a part, which ends with an empty one.
fn lines(part: &str) -> impl Iterator<Item = &'static str> {
    let head = format!("\n[{part}]\n");
    let start = TABLE.find(&head).map_or(TABLE.len(), |at| at + head.len());
    TABLE[start..].lines().take_while(|line| !line.is_empty())
}

/// Whether a part that is a list of words has this one.
pub(super) fn listed(part: &str, word: &str) -> bool {
    lines(part).any(|line| line.split(' ').any(|known| known == word))
}

/// The rows of a part.
fn rows(part: &'static str) -> impl Iterator<Item = Row> {
    lines(part).map(|line| {
        let (said, read) = line.split_once('⇒').map_or((line, None), |(said, read)| (said, Some(read)));
        let mut said = said.split('→').map(str::trim);
        let (pattern, message) = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
        let mut read = read.into_iter().flat_map(|read| read.split('→')).map(str::trim);
        Row {
            pattern,
            message,
            meant: said.next().or_else(|| read.next()),
            certain: line.contains('⇒'),
            note: read.next(),
        }
    })
}

/// What a part of the table says about a place in a text; `about` is what is complained about if a row does not say.
pub(super) fn said(part: &'static str, text: &str, place: usize, about: Span) -> Option<Mistake> {
    rows(part).find_map(|row| row.said(text, place, about))
}

/// What all rows of a part say about a text.
pub(super) fn noted(part: &'static str, text: &str) -> impl Iterator<Item = Mistake> {
    rows(part).filter_map(|row| row.said(text, 0, Span::new(0, text.len())))
}

impl Row {
    fn said(&self, text: &str, place: usize, about: Span) -> Option<Mistake> {
        let fit = Fit::all(self.pattern, text, place, about).next()?;
        let mistake = Mistake::new(fit.span, fit.filled(self.message, text));
        let Some(meant) = self.meant else { return Some(mistake) };
        if meant == "-" {
            return Some(mistake.delete(fit.part));
        }
        let with = fit.offered(meant, text);
        let fixed = if self.certain { instead(text, fit.part, &with) } else { None };
        Some(match (fixed, self.note) {
            (Some(fixed), Some(note)) => mistake.certainly_noting(fixed, fit.filled(note, text)),
            (Some(fixed), None) => mistake.certainly(fixed),
            (None, _) => mistake.replace(fit.part, &with),
        })
    }
}

/// What the rows of a part make of a text, each as often as it fits, but a few times only; perhaps of whole words only.
pub(super) fn rewritten(part: &'static str, text: &str, alone: bool) -> Option<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut out, mut changed) = (words(text), false);
    for row in rows(part) {
        for _ in 0..8 {
            let about = Span::new(0, out.len());
            let apart = |fit: &Fit<'_>| {
                let (before, after) = (&out[..fit.part.start], &out[fit.part.end..]);
                !alone || (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
            };
            let Some(fit) = Fit::all(row.pattern, &out, 0, about).find(apart) else { break };
            let (part, with) = (fit.part, fit.offered(row.meant.unwrap_or_default(), &out));
            out.replace_range(part.start..part.end, &with);
            changed = true;
        }
    }
    changed.then(|| words(&out))
}

/// What each row that fits makes of a text.
pub(super) fn replaced(part: &'static str, text: &str) -> impl Iterator<Item = String> {
    let whole = Span::new(0, text.len());
    rows(part).filter_map(move |row| {
        let fit = Fit::all(row.pattern, text, 0, whole).next()?;
        instead(text, fit.part, &fit.offered(row.meant?, text))
    })
}

/// A pattern on its way through a text.
#[derive(Clone)]
struct Fit<'t> {
    text: &'t str,
    place: usize,
    about: usize,
    /// What to point at.
    span: Span,
    /// What to replace.
    part: Span,
    found: Vec<&'t str>,
}

impl<'t> Fit<'t> {
    /// Where a pattern fits, from left to right.
    fn all(pattern: &'static str, text: &'t str, place: usize, about: Span) -> impl Iterator<Item = Fit<'t>> {
        let text = text.trim_end();
        let place = place.min(text.len());
        let (from, to) = match pattern.chars().next() {
            Some('^') => (0, text.len() - text.trim_start().len()),
            _ if pattern.contains('¦') => (place.saturating_sub(LONGEST), place),
            _ => (0, LONGEST),
        };
        let starts = (from..=to.min(text.len())).filter(|at| text.is_char_boundary(*at));
        starts.filter_map(move |at| {
            let (span, part) = (about, Span::new(usize::MAX, 0));
            let mut fit = Fit { text, place, about: about.start, span, part, found: vec![] };
            let end = fit.fits(pattern, at)?;
            if fit.part.start == usize::MAX {
                fit.part = if pattern.contains(['«', '¦']) { fit.span } else { Span::new(at, end) };
            }
            Some(fit)
        })
    }

    /// Where a pattern ends that begins here.
    fn fits(&mut self, pattern: &'static str, at: usize) -> Option<usize> {
        let mut signs = pattern.chars();
        let Some(sign) = signs.next() else { return Some(at) };
        let (more, rest) = (signs.as_str(), &self.text[at..]);
        let run = |wanted: &dyn Fn(char) -> bool| rest.len() - rest.trim_start_matches(wanted).len();
        let next = rest.chars().next();
        let before = self.text[..at].chars().next_back();
        let holds = |holds: bool| holds.then_some(at);
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let at = match sign {
            ' ' => Some(at + run(&char::is_whitespace)),
            '_' => holds(next.is_some_and(char::is_whitespace)).map(|at| at + run(&char::is_whitespace)),
            '^' => holds(self.text[..at].trim().is_empty()),
            '$' => holds(rest.is_empty()),
            '¦' => holds(at == self.place),
            '°' => holds(at == self.about),
            '¬' => holds(!before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '}' | ')'))),
            '?' => next.map(|c| at + c.len_utf8()),
            '•' => holds(!word(before) || !word(next)),
            '·' => holds(match (before, next) {
                (Some(a), Some(b)) => {
                    !(a.is_alphabetic() && b.is_alphabetic() || a.is_ascii_digit() && b.is_ascii_digit())
                }
                _ => true,
            }),
            '«' | '»' | '‹' | '›' => {
                match sign {
                    '«' => self.span.start = at,
                    '»' => self.span.end = at,
                    '‹' => self.part.start = at,
                    _ => self.part.end = at,
                }
                Some(at)
            }
            '#' => self.take(at, run(&|c| c.is_ascii_digit())),
            '&' => self.take(at, run(&|c| c.is_alphanumeric() || c == '_')),
            '¤' => self.take(at, dice(rest).map_or(0, |(length, _)| length)),
            '@' => {
                let length = run(&|c| c.is_ascii_alphanumeric() || matches!(c, '%' | '!'));
                self.take(at, if is_dice(&rest[..length]) { length } else { 0 })
            }
            '*' => {
                let length = run(&|c| !c.is_whitespace());
                self.take(at, if rest[..length].contains(|c: char| c.is_ascii_digit()) { length } else { 0 })
            }
            '~' => {
                let length = run(&|c| "<>=!\u{2264}\u{2265}\u{2260}".contains(c));
                let known = ["<", ">", "<=", ">=", "=", "!=", "\u{2264}", "\u{2265}", "\u{2260}"];
                self.take(at, if known.contains(&&rest[..length]) { length } else { 0 })
            }
            '¢' => self.take(at, comment_at_end(rest).map_or(0, |_| rest.len())),
            '…' | '※' => return self.anything(more, at, sign == '…'),
            '(' => return self.either(more, at),
            '⟨' | '⟪' => {
                let (sort, after) = more.split_once(if sign == '⟨' { '⟩' } else { '⟫' })?;
                let length = run(&|c| among(sort, c));
                let taken = self.take(at, length);
                return self.fits(after, if sign == '⟪' { at + length } else { taken? });
            }
            '`' => {
                let known =
                    more.chars().next().and_then(|c| c.to_digit(10)).and_then(|n| self.found.get(n as usize - 1));
                let length = known.filter(|known| rest.starts_with(**known)).map(|known| known.len())?;
                return self.fits(&more[1..], at + length);
            }
            '\\' => {
                signs.next()?;
                let sign = more.chars().next()?;
                return self.literal(sign, signs.as_str(), at);
            }
            sign => return self.literal(sign, more, at),
        };
        self.fits(more, at?)
    }

    /// A sign as it is.
    fn literal(&mut self, sign: char, more: &'static str, at: usize) -> Option<usize> {
        let next = self.text[at..].chars().next()?;
        let same = sign == next || sign.is_lowercase() && sign == next.to_ascii_lowercase();
        if same { self.fits(more, at + next.len_utf8()) } else { None }
    }

    /// Something found, if it is not nothing.
    fn take(&mut self, at: usize, length: usize) -> Option<usize> {
        self.found.push(&self.text[at..at + length]);
        (length > 0).then_some(at + length)
    }

    /// As little as can be before the rest of a pattern.
    fn anything(&mut self, more: &'static str, at: usize, balanced: bool) -> Option<usize> {
        let (mut depth, known) = (0usize, self.clone());
        let all = self.text[at..].char_indices().take_while(|(length, _)| *length <= LONGEST);
        for (length, c) in all.chain([(self.text.len() - at, ' ')]) {
            if depth == 0 || !balanced {
                self.clone_from(&known);
                self.found.push(&self.text[at..at + length]);
                if let Some(end) = self.fits(more, at + length) {
                    return Some(end);
                }
            }
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 && balanced => return None,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// The first of several that fits. A word is said as it stands in the table.
    fn either(&mut self, pattern: &'static str, at: usize) -> Option<usize> {
        let close = pattern.match_indices(')').map(|(at, _)| at).find(|at| !pattern[..*at].ends_with('\\'))?;
        let (inside, more) = (&pattern[..close], &pattern[close + 1..]);
        let known = self.clone();
        inside.split('|').find_map(|one| {
            self.clone_from(&known);
            let end = self.fits(one, at)?;
            self.found.truncate(known.found.len());
            let word = !one.is_empty() && one.bytes().all(|c| c.is_ascii_lowercase());
            self.found.push(if word { one } else { &self.text[at..end] });
            self.fits(more, end)
        })
    }

    /// What to write, with what was found.
    fn offered(&self, meant: &str, text: &str) -> String {
        self.filled(&meant.replace('_', " ").replace('∅', ""), text)
    }

    /// A sentence with what was found.
    fn filled(&self, with: &str, text: &str) -> String {
        let mut out = with.replace("{}", &shown(text.get(self.span.start..self.span.end).unwrap_or_default()));
        for (number, found) in (1..).zip(&self.found) {
            out = out.replace(&format!("{{{number}}}"), found);
            let or = format!("{{{number}/");
            if let Some((before, (other, after))) = out.split_once(&or).and_then(|(a, b)| Some((a, b.split_once('}')?)))
            {
                out = format!("{before}{}{after}", if found.is_empty() { other } else { found });
            }
        }
        out
    }
}

/// Whether a sort of characters, as in `a-z0-9`, has one.
fn among(sort: &str, c: char) -> bool {
    let (signs, others) = sort.strip_prefix('^').map_or((sort, false), |signs| (signs, true));
    let signs: Vec<char> = signs.chars().collect();
    let c = c.to_ascii_lowercase();
    let range = signs.windows(3).any(|three| three[1] == '-' && (three[0]..=three[2]).contains(&c));
    (range || signs.contains(&c) && (c != '-' || sort.ends_with(c))) != others
}

/// How long `4d6` or `d20` is at the beginning, and its number of sides.
pub(super) fn dice(text: &str) -> Option<(usize, i64)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let count = digits(text);
    let sides = text[count..].strip_prefix(['d', 'D'])?;
    let length = digits(sides);
    Some((count + 1 + length, sides[..length].parse().ok()?))
}

/// Whether a word is dice and what touches them.
fn is_dice(word: &str) -> bool {
    let die = word.trim_start_matches(|c: char| c.is_ascii_digit());
    die.starts_with(['d', 'D']) && die[1..].starts_with(|c: char| c.is_ascii_digit() || c == '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the tables of errors, and their words.
    fn texts() -> Vec<String> {
        let tables = concat!(
            include_str!("../../../tests/main/errors/tabletop.txt"),
            include_str!("../../../tests/main/errors/roll20.txt"),
            include_str!("../../../tests/main/errors/rpg-dice-roller.txt"),
        );
        let whole = tables.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned);
        let whole: Vec<String> = whole.collect();
        let words = whole.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphabetic())).map(str::to_owned);
        words.chain(whole.iter().cloned()).collect()
    }

    #[test]
    fn every_row_fits_a_wrong_text() {
        let (texts, mut unused) = (texts(), Vec::new());
        for part in TABLE.split("\n[").skip(1).filter_map(|block| Some(block.split_once("]\n")?.0)) {
            for row in rows(part).filter(|_| !part.ends_with("words") && !part.contains("note")) {
                assert!(!row.message.is_empty() || row.meant.is_some(), "{part}: {}", row.pattern);
                let fits = |text: &String| {
                    let places = |sign| 0..=if row.pattern.contains(sign) { text.len() } else { 0 };
                    let mut both = places('¦').flat_map(|place| places('°').map(move |at| (place, Span::new(at, at))));
                    both.any(|(place, about)| Fit::all(row.pattern, text, place, about).next().is_some())
                };
                if !texts.iter().any(fits) {
                    unused.push(format!("[{part}] {}", row.pattern));
                }
            }
        }
        assert!(unused.is_empty(), "no text of the tables is for {unused:#?}");
    }
}
