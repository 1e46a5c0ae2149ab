//! The patterns of the tables of mistakes: where one fits in a text, and what it finds there.
//!
//! A blank is any blanks or none. Other signs:
//!
//! ```text
//! #     a number               @     dice with what touches them      ¤     plain dice: `4d6`
//! ~     a comparison           &     letters and digits               *     no blanks, but a digit
//! …     anything in which brackets match, as short as can be          ※     anything, as short as can be
//! ⟨ab⟩  any of these, at least one; ⟪ab⟫ or none; ⟨^ab⟩ any others; ⟨:name⟩ of a class
//! (a|b) the first of these that fits; (~a|b) in upper and lower case
//! _     at least one blank     •     the end of a word                ·     the end of letters or of digits
//! ?     any character          ¬     nothing that could be counted or changed comes before
//! ^ $   the ends of the text   ¢     words that are only a comment    \     the next sign is meant as it is
//! ¦     where reading stopped  °     what is complained about         ⊣     where that ends
//! « »   what to point at       ‹ ›   what to replace                  `1    what was found first, once more
//! ```
//!
//! In a text that is read by words a pattern fits whole ones, letters are as they are written, and what is nearest before
//! the place counts. In others lower case fits any case, and what comes first counts.

use crate::explain::{Row, Scene, Table};
use crate::mistake::LONGEST_FIX;
use tumble_core::Span;

/// What has a meaning in a pattern.
const SIGNS: &str = " #@¤~&*…※⟨⟪(_•·?¬^$¢\\¦°⊣«»‹›`";

/// How much of a text is looked at before a place, and in how much of it a row without a place is looked for.
const FARTHEST: usize = 400;

/// A sign that a text must have where a pattern fits.
pub(crate) fn needed(pattern: &str) -> Option<char> {
    let mut rest = pattern;
    while let Some(sign) = rest.chars().next() {
        let close = match sign {
            '⟨' => '⟩',
            '⟪' => '⟫',
            '(' | '\\' | '`' => return None,
            sign if SIGNS.contains(sign) => sign,
            literal => return Some(literal),
        };
        rest = &rest[rest.find(close)? + close.len_utf8()..];
    }
    None
}

/// A pattern on its way through a text.
pub(crate) struct Fit<'t> {
    pub(crate) scene: Scene<'t>,
    table: &'static Table,
    text: &'t str,
    place: usize,
    /// What to point at.
    pub(crate) marked: Option<Span>,
    /// What to replace.
    pub(crate) part: Option<Span>,
    /// What was found, and how it is said.
    pub(crate) found: Vec<(Span, &'t str)>,
    folds: bool,
    inside: bool,
}

impl<'t> Fit<'t> {
    /// Where a pattern fits.
    pub(crate) fn all(table: &'static Table, row: Row, scene: Scene<'t>) -> impl Iterator<Item = Fit<'t>> {
        let (words, pattern, here) = (table.words, row.pattern, scene.here);
        let text = if words { scene.text } else { scene.text.trim_end() };
        let place = scene.place.min(text.len());
        let (from, to) = match pattern.trim_start_matches(['«', '‹']).chars().next() {
            None | Some('¦') => (place, place),
            Some('^') => (0, if words { 0 } else { text.len() - text.trim_start().len() }),
            _ if words || pattern.contains('¦') => (place.saturating_sub(FARTHEST), place),
            Some('°') if here.start <= FARTHEST => (here.start, here.start),
            _ => (0, FARTHEST),
        };
        let has = |c: char| text.contains(c) || !words && text.contains(c.to_ascii_uppercase());
        // In long texts, which are not corrected, anything would be looked for too long.
        let hopeless = words && text.len() > LONGEST_FIX && pattern.contains('※') || !row.needs.is_none_or(has);
        let to = to.min(text.len());
        let many = if hopeless { 0 } else { (to + 1).saturating_sub(from) };
        let starts = (0..many).map(move |by| if words { to - by } else { from + by });
        starts.filter(move |at| *at == 0 || scene.is_bound(*at)).filter_map(move |at| {
            let (marked, part, found) = (None, None, Vec::new());
            let mut fit = Fit { scene, table, text, place, marked, part, found, folds: !words, inside: false };
            let end = fit.fits(pattern, at)?;
            let whole = if pattern.contains(['«', '¦']) { here } else { Span::new(at, end) };
            fit.part = fit.part.or(fit.marked).or(Some(whole));
            Some(fit)
        })
    }

    /// Where a pattern ends that begins here; as deep as it is long.
    fn fits(&mut self, pattern: &'static str, at: usize) -> Option<usize> {
        let holds = |holds: bool| holds.then_some(at);
        let mut signs = pattern.chars();
        let Some(sign) = signs.next() else { return holds(self.inside || self.scene.is_bound(at)) };
        let (more, rest) = (signs.as_str(), &self.text[at..]);
        let run = |wanted: &dyn Fn(char) -> bool| rest.len() - rest.trim_start_matches(wanted).len();
        let blanks = || at + run(&char::is_whitespace);
        let (before, next) = (self.text[..at].chars().next_back(), rest.chars().next());
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let at = match sign {
            ' ' => Some(blanks()),
            '_' => holds(next.is_some_and(char::is_whitespace)).map(|_| blanks()),
            '^' => holds(self.text[..at].trim().is_empty()),
            '$' => holds(rest.trim_start().is_empty()),
            '¦' => holds(at == self.place),
            '°' => holds(at == self.scene.here.start),
            '⊣' => holds(at == self.scene.here.end),
            '¬' => holds(!before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '}' | ')'))),
            '?' => next.map(|c| at + c.len_utf8()),
            '•' => holds(!word(before) || !word(next)),
            '·' if !self.scene.lexemes.is_empty() => holds(self.scene.is_bound(at)),
            '·' => holds(!before.zip(next).is_some_and(|(a, b)| {
                a.is_alphabetic() && b.is_alphabetic() || a.is_ascii_digit() && b.is_ascii_digit()
            })),
            '«' | '‹' => {
                *self.mark(sign == '«') = Some(Span::new(at, at));
                Some(at)
            }
            '»' | '›' => {
                let mark = self.mark(sign == '»');
                *mark = mark.map(|open| Span::new(open.start.min(at), at));
                Some(at)
            }
            '#' => self.run("0-9", at, true),
            '&' => self.take(at, run(&|c| word(Some(c)))),
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
                let length = run(&|c| "<>=!≤≥≠".contains(c));
                let known = ["<", ">", "<=", ">=", "=", "!=", "≤", "≥", "≠"];
                self.take(at, if known.contains(&&rest[..length]) { length } else { 0 })
            }
            '¢' => self.take(at, if self.table.is_comment(rest) { rest.len() } else { 0 }),
            '…' | '※' => return self.anything(more, at, sign == '…'),
            '(' => return self.either(more, at),
            '⟨' | '⟪' => {
                let (sort, after) = more.split_once(if sign == '⟨' { '⟩' } else { '⟫' })?;
                let end = self.run(sort, at, sign == '⟨')?;
                return self.fits(after, end);
            }
            '`' => {
                let (_, known) = *self.found.get(signs.next()?.to_digit(10)?.checked_sub(1)? as usize)?;
                return rest.strip_prefix(known).and_then(|_| self.fits(signs.as_str(), at + known.len()));
            }
            '\\' => {
                let sign = signs.next()?;
                return self.literal(sign, signs.as_str(), at);
            }
            sign => return self.literal(sign, more, at),
        };
        self.fits(more, at?)
    }

    fn mark(&mut self, pointed: bool) -> &mut Option<Span> {
        if pointed { &mut self.marked } else { &mut self.part }
    }

    /// A sign as it is.
    fn literal(&mut self, sign: char, more: &'static str, at: usize) -> Option<usize> {
        let next = self.text[at..].chars().next()?;
        let same = sign == next || self.folds && sign.is_lowercase() && sign == next.to_ascii_lowercase();
        if same { self.fits(more, at + next.len_utf8()) } else { None }
    }

    /// Something found, if it is not nothing.
    fn take(&mut self, at: usize, length: usize) -> Option<usize> {
        self.found.push((Span::new(at, at + length), &self.text[at..at + length]));
        (length > 0).then_some(at + length)
    }

    /// Characters of a sort.
    fn run(&mut self, sort: &str, at: usize, least: bool) -> Option<usize> {
        // What is searched from its end must not begin in the middle of a number or word.
        let first = self.table.words && at < self.place && !sort.starts_with('^');
        if first && self.text[..at].chars().next_back().is_some_and(|c| among(sort, c)) {
            return None;
        }
        let rest = &self.text[at..];
        let length = rest.find(|c| !among(sort, c)).unwrap_or(rest.len());
        self.take(at, length).or((!least).then_some(at))
    }

    /// As little as can be before the rest of a pattern.
    fn anything(&mut self, more: &'static str, at: usize, balanced: bool) -> Option<usize> {
        let (mut depth, known) = (0usize, (self.marked, self.part, self.found.len()));
        let all = self.text[at..].char_indices().take_while(|(length, _)| *length <= FARTHEST);
        for (length, c) in all.chain([(self.text.len() - at, ' ')]) {
            if depth == 0 || !balanced {
                self.again(known);
                self.take(at, length);
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

    /// What was known before something that did not fit.
    fn again(&mut self, (marked, part, found): (Option<Span>, Option<Span>, usize)) {
        (self.marked, self.part) = (marked, part);
        self.found.truncate(found);
    }

    /// The first of several that fits. A word that fits in any case is said as it stands in the table.
    fn either(&mut self, pattern: &'static str, at: usize) -> Option<usize> {
        let close = pattern.match_indices(')').map(|(at, _)| at).find(|at| !pattern[..*at].ends_with('\\'))?;
        let (list, more) = (&pattern[..close], &pattern[close + 1..]);
        let (folds, any_case) = (self.folds, list.strip_prefix('~'));
        let known = (self.marked, self.part, self.found.len());
        any_case.unwrap_or(list).split('|').find_map(|one| {
            self.again(known);
            (self.folds, self.inside) = (folds || any_case.is_some(), true);
            let end = self.fits(one, at);
            (self.folds, self.inside) = (folds, false);
            let end = end?;
            self.found.truncate(known.2);
            let word = folds && !one.is_empty() && one.bytes().all(|c| c.is_ascii_lowercase());
            self.found.push((Span::new(at, end), if word { one } else { &self.text[at..end] }));
            self.fits(more, end)
        })
    }
}

/// Whether a sort of characters, as in `a-z0-9`, has one.
fn among(sort: &str, c: char) -> bool {
    match sort {
        "0-9" => return c.is_ascii_digit(),
        ":alphabetic" => return c.is_alphabetic(),
        ":alphanumeric" => return c.is_alphanumeric(),
        ":blank" => return c.is_whitespace(),
        ":invisible" => return c.is_control() || c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'),
        _ => {}
    }
    let (signs, others) = sort.strip_prefix('^').map_or((sort, false), |signs| (signs, true));
    let has = |c: char| {
        let range = |(at, _): (usize, &str)| {
            let ends = signs[..at].chars().next_back().zip(signs[at + 1..].chars().next());
            ends.is_some_and(|(first, last)| (first..=last).contains(&c))
        };
        signs.contains(c) && (c != '-' || signs.ends_with(c)) || signs.match_indices('-').any(range)
    };
    (has(c) || has(c.to_ascii_lowercase())) != others
}

/// How long `4d6` or `d20` is at the beginning, and its number of sides.
pub(crate) fn dice(text: &str) -> Option<(usize, i64)> {
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
