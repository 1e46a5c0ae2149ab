//! Messages about dice and modifiers that cannot be parsed, and what may have been meant.

use super::complain::RANGE;
use super::dialect::{TABLETOP, Word};
use super::dice::only_modifiers;
use super::leftover::TIMES;
use super::parse::Parser;
use super::syntax::{Arg, Expr, Infix, Keep, Modifier, NodeId, Sides, Source};
use super::tool::counts;
use super::wording::{modifier_like, normal, rephrased};
use crate::mistake::{Mistake, Parsed, instead};
use tumble_core::Span;

/// What a range among the faces of a die needs.
const RANGE_OF_FACES: &str = "a range of faces needs both ends, as in `d{1..3, 5}`";

/// What is said of `{2d6, d8}r1`.
const NOT_FOR_GROUPS: &str = "only plain dice can reroll or explode; here only `kh kl dh dl mi ma cs cf` are allowed";

impl Parser<'_> {
    /// `2d` and no sides.
    pub(super) fn missing_sides(&mut self, die: Span, count: Option<NodeId>) -> Mistake {
        let (text, after) = (self.text, &self.text[die.end..]);
        let written = match count {
            Some(count) => Span::new(self.nodes.span(count).start, die.end),
            None => die,
        };
        let letters: String = after.chars().take_while(|c| c.is_alphabetic()).collect();
        let message = format!("missing number of sides after {}", self.shown(written));
        let phrased = rephrased(text);
        if !letters.is_empty() && phrased != text {
            return Mistake::new(written, message).certainly(phrased);
        }
        Mistake::new(written, message)
    }

    pub(super) fn not_a_range(&mut self, open: Span, low: NodeId) -> Mistake {
        let mistake = Mistake::new(open, RANGE);
        let rest = self.cursor.rest();
        if let Expr::Infix(Infix::Minus, low, high) = self.nodes.expr(low) {
            let between = Span::new(self.nodes.span(*low).end, self.nodes.span(*high).start);
            return mistake.replace(between, "..");
        }
        if let Some(faces) = self.bracketed_faces(open) {
            return mistake.certainly(faces);
        }
        if rest.starts_with([',', '-', ':']) || rest.starts_with('\u{2026}') {
            return mistake.replace(self.here(), "..");
        }
        match rest.starts_with(']') {
            true => mistake.insert(open.end, "1.."),
            false => mistake,
        }
    }

    /// `d[1, 1, 2]`; two numbers may be the ends of a range.
    fn bracketed_faces(&self, open: Span) -> Option<String> {
        let inside = &self.text[open.end..];
        let inside = &inside[..inside.find(']')?];
        let number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        let numbers = inside.split(',').all(|part| number(part.trim().trim_start_matches('-')));
        let several = self.dialect.everyday() && numbers && inside.split(',').count() > 2;
        let whole = Span::new(open.start, open.end + inside.len() + 1);
        several.then(|| instead(self.text, whole, &format!("{{{inside}}}")))?
    }

    pub(super) fn bad_face(&mut self, open: Span, first: bool) -> Mistake {
        let (text, here) = (self.text, self.next());
        let mistake = Mistake::new(here, "the faces of a die must be numbers, as in `d{1, 1, 100}`");
        match self.cursor.peek() {
            Some('.') if self.cursor.rest().starts_with("..") => mistake.saying(RANGE_OF_FACES.to_owned()),
            Some('}') if !first => {
                let comma = text[..here.start].trim_end().len() - 1;
                mistake.replace(Span::new(comma, here.start), "")
            }
            None => Mistake::new(open, "unclosed `{`"),
            _ => mistake,
        }
    }

    /// `d{1..}`, `d{1...6}`
    pub(super) fn open_range(&mut self, dots: usize) -> Mistake {
        let more = self.cursor.rest().len() - self.cursor.rest().trim_start_matches('.').len();
        let span = Span::new(dots, self.cursor.at() + more);
        let closed = self.text[span.end..].trim_start().starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let mistake = Mistake::new(span, RANGE_OF_FACES);
        if closed { mistake.replace(span, "..") } else { mistake }
    }

    /// `d{1-6}`, `d{1 to 6}`
    pub(super) fn dashed_range(&self) -> Option<Mistake> {
        let rest = self.cursor.rest();
        let after = ["-", "\u{2013}", "\u{2212}", "to"].iter().find_map(|word| rest.strip_prefix(word))?.trim_start();
        let dash = Span::new(self.cursor.at(), self.cursor.at() + rest.len() - after.len());
        let dots = Span::new(self.text[..dash.start].trim_end().len(), dash.end);
        let ends = after.starts_with(|c: char| c.is_ascii_digit());
        ends.then(|| Mistake::new(dash, RANGE_OF_FACES).replace(dots, ".."))
    }

    /// Letters that touch dice and are no modifier.
    pub(super) fn unknown_modifier(&mut self, letters: &str) -> Mistake {
        let (text, start) = (self.text, self.cursor.at());
        let span = Span::new(start, start + letters_len(self.cursor.rest()));
        let after = &text[span.end..];
        let number = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let whole = Span::new(span.start, span.end + number);
        let digits = &text[span.end..whole.end];
        if let Some(mistake) = self.foreign(letters, span, digits) {
            return mistake;
        }
        match letters {
            "d" if number == 0 => {
                return Mistake::new(span, "`d` after dice drops the lowest; how many?");
            }
            "h" | "l" => {
                if let Some(fixed) = self.turned_keep(letters, span) {
                    return Mistake::new(span, format!("`{letters}` must come before the number")).fix(fixed);
                }
                return self.keep_or_drop(letters, span, number);
            }
            // `4d6LH`
            _ if self.dialect.everyday()
                && modifier_like(letters).is_none()
                && letters.starts_with(['h', 'l'])
                && several_words(&letters[1..]) =>
            {
                return self.keep_or_drop(&letters[..1], Span::new(span.start, span.start + 1), 0);
            }
            "b" | "w" if number > 0 => {
                let (keep, word) = if letters == "b" { ("kh", "best") } else { ("kl", "worst") };
                let message = format!("to keep the {word} dice, write `{keep}`");
                return Mistake::new(span, message).replace(span, keep);
            }
            "e" | "ie" => {
                let message = "to explode without end, write `!`; once, `!o`";
                return Mistake::new(span, message);
            }
            // Where `cs` only marks dice, this is no way to count.
            "t" if number > 0 && self.dialect.spelling(Word::Count(1)) == Some("cs") => {
                return Mistake::new(span, "to count successes, write `cs`").replace(span, "cs>=");
            }
            _ => {}
        }
        let mistake = Mistake::new(span, format!("unknown modifier {}", self.shown(span)));
        let narrow = normal(text);
        let mistake = if normal(letters) == letters { mistake } else { mistake.fix(narrow) };
        let mistake = mistake.when(modifier_like(letters), |mistake, close| mistake.replace(span, close));
        let phrased = rephrased(text);
        if phrased == text { mistake } else { mistake.certainly(phrased) }
    }

    /// `4d6xo6`, `10d10cs>7df1`, `d20ms15`: a modifier of Foundry, and the digits that follow it.
    fn foreign(&self, letters: &str, span: Span, digits: &str) -> Option<Mistake> {
        match letters {
            "x" | "xo" => Some(self.foreign_explosion(letters, span, digits)),
            "df" => {
                let mistake = Mistake::new(span, "to subtract failures, write `cf`");
                // Alone it takes away what is not counted.
                Some(if digits.is_empty() { mistake } else { mistake.replace(span, "cf=") })
            }
            "ms" if !digits.is_empty() => {
                Some(Mistake::new(span, "unknown modifier `ms`; subtract instead").replace(span, " - "))
            }
            _ => None,
        }
    }

    fn foreign_explosion(&self, letters: &str, span: Span, digits: &str) -> Mistake {
        let whole = Span::new(span.start, span.end + digits.len());
        let mistake = Mistake::new(whole, TIMES);
        let after = &self.text[whole.end..];
        let condition = after.len() - after.trim_start_matches(['<', '>', '=']).len();
        match letters {
            "xo" => mistake.replace(span, "!o"),
            _ if digits.is_empty() && condition > 0 => mistake.replace(span, "!"),
            _ => mistake,
        }
    }

    /// `4d6L` drops, as on paper, and `4d6h3` keeps; some tools read them the other way round, which the note says.
    fn keep_or_drop(&self, letter: &str, span: Span, number: usize) -> Mistake {
        let word = if letter == "l" { "lowest" } else { "highest" };
        let message = format!("to drop the {word} dice, write `d{letter}`; to keep them, `k{letter}`");
        let mistake = Mistake::new(span, message);
        let digits = if number == 0 { "1" } else { &self.text[span.end..span.end + number] };
        let (read, other) = if number == 0 { ('d', 'k') } else { ('k', 'd') };
        let does = |sign: char| if sign == 'k' { "keep" } else { "drop" };
        let note = format!(
            "`{}` is read as `{read}{letter}{digits}`, {} the {word}; to {} it, write `{other}{letter}{digits}`",
            &self.text[span.start..span.end + number],
            does(read),
            does(other)
        );
        let one = if number == 0 { "1" } else { "" };
        mistake.when(instead(self.text, span, &format!("{read}{letter}{one}")), |mistake, fixed| {
            mistake.certainly_noting(fixed, note)
        })
    }

    /// `4d6k3h`, `4d6d1l`
    fn turned_keep(&self, letters: &str, span: Span) -> Option<String> {
        let before = &self.text[..span.start];
        let stem = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &before[stem.len()..];
        let keep = stem.chars().next_back().filter(|c| matches!(c, 'k' | 'K' | 'd' | 'D'))?;
        let stem = &stem[..stem.len() - 1];
        let sides = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '%');
        // What `d` is the first letter of is a die.
        let drops = sides.len() < stem.len() && sides.ends_with(['d', 'D']);
        let known = matches!(keep, 'k' | 'K') || drops;
        known.then(|| format!("{stem}{keep}{letters}{digits}{}", &self.text[span.end..]))
    }

    pub(super) fn missing_number(&mut self, word: &str, at: Span) -> Mistake {
        let (text, end) = (self.text, self.cursor.at());
        let written = text[..end].trim_end().len();
        let at = Span::new(at.start.min(written), written.max(at.start));
        let message = match word {
            "r" | "rr" | "ro" => "missing number: which faces are rerolled?",
            "cs" => "missing condition: which dice are successes, as in `cs>=5`?",
            "cf" => "missing condition: which dice are failures, as in `cf=1`?",
            "mi" | "min" | "ma" | "max" => "missing number",
            "km" => "missing number: how many dice are kept?",
            "f" => "missing condition: which dice are failures, as in `f1`?",
            _ => "missing number: which faces explode?",
        };
        Mistake::new(at, message)
    }

    /// Whether a modifier can stand after what was done already.
    pub(super) fn fits(
        &mut self,
        source: &Source,
        done: &[(Modifier, Span)],
        found: &Modifier,
        span: Span,
    ) -> Parsed<()> {
        let single = |modifier: &Modifier| matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..));
        let last = self.dialect.counts_last || matches!(found, Modifier::Sort(_));
        if done.iter().any(|(modifier, _)| counts(modifier)) && !counts(found) && !last {
            return self.after_count(done, found, span).fail();
        }
        if let Source::Roll(_, Sides::Words(words)) = self.rolled_from(source)
            && !matches!(found, Modifier::Shows(_) | Modifier::Sort(_))
        {
            let word = words.first().map_or("", String::as_str);
            let message = format!("dice with words on them can only be counted, as in `cs={word}`");
            return Mistake::new(span, message).fail();
        }
        let dice = matches!(self.rolled_from(source), Source::Roll(..) | Source::Union(_));
        let named = matches!(source, Source::Named(_));
        match found {
            Modifier::Twice(_) | Modifier::Unique(_) | Modifier::RerollEnd(..) | Modifier::Another(_) if named => {
                let message = "dice with a name are rolled already; put this where they are rolled";
                Mistake::new(span, message).fail()
            }
            Modifier::Twice(_) if dice && done.iter().all(|(modifier, _)| single(modifier)) => Ok(()),
            Modifier::Twice(_) if dice => self.late_twice(done, span).fail(),
            Modifier::Reroll(..) | Modifier::Explode(_) | Modifier::Twice(_) | Modifier::Unique(_) if !dice => {
                Mistake::new(span, NOT_FOR_GROUPS).fail()
            }
            Modifier::RerollEnd(..) | Modifier::Another(_) if !dice => Mistake::new(span, NOT_FOR_GROUPS).fail(),
            Modifier::Keep(Keep::ButLow, Arg::Number(n)) => self.all_dropped(source, done, *n, span),
            _ => Ok(()),
        }
    }

    /// `4d6cs>4!`: dice are counted after everything else, in every tool that counts them.
    fn after_count(&self, done: &[(Modifier, Span)], found: &Modifier, span: Span) -> Mistake {
        let mistake = Mistake::new(span, "no other modifier can follow a count");
        let Some((_, count)) = done.iter().find(|(modifier, _)| counts(modifier)) else { return mistake };
        let (text, moved) = (self.text, self.written(span));
        // Whether dice are kept by what they show or by what they count for is not certain.
        let rolls = matches!(found, Modifier::Explode(_) | Modifier::Reroll(..) | Modifier::Bound(..));
        let between = &text[count.start..span.start];
        match instead(text, Span::new(count.start, span.end), &format!("{moved}{between}")) {
            Some(fixed) if self.dialect.everyday() && rolls => mistake.certainly(fixed),
            _ => mistake,
        }
    }

    fn late_twice(&mut self, done: &[(Modifier, Span)], span: Span) -> Mistake {
        let word = self.written(span).to_owned();
        let first = done.iter().find(|(modifier, _)| !matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..)));
        let mistake = Mistake::new(span, format!("`{word}` must come right after its die"));
        match first {
            // `disadv` is one word.
            Some((Modifier::Twice(_), first)) if first.end == span.start => {
                let whole = first.to(span);
                let mistake = mistake.saying(format!("unknown modifier {}", self.shown(whole))).at(whole);
                if self.written(whole).eq_ignore_ascii_case("disadv") { mistake.delete(span) } else { mistake }
            }
            _ => mistake,
        }
    }

    /// `2d4d6`: nobody drops more dice than there are.
    fn all_dropped(&mut self, source: &Source, done: &[(Modifier, Span)], n: i64, span: Span) -> Parsed<()> {
        let text = self.text;
        let Source::Roll(count, _) = source else { return Ok(()) };
        let there = match count.map(|count| self.nodes.expr(count)) {
            Some(Expr::Number(there)) => *there,
            Some(_) => return Ok(()),
            None => 1,
        };
        let bare = self.written(span)[1..].starts_with(|c: char| c.is_ascii_digit());
        if !bare || n < there || !done.is_empty() {
            return Ok(());
        }
        let whole = count.map_or(span.start, |count| self.nodes.span(count).start);
        let start = if count.is_some() { whole } else { text[..span.start].rfind(['d', 'D']).unwrap_or(0) };
        let message = format!("`d{n}` after dice drops the lowest {n}, but there {} only {there}", is_or_are(there));
        let pool = &text[start..span.start];
        Mistake::new(span, message)
            .replace(Span::new(start, span.end), &format!("({pool}){}", self.written(span)))
            .fail()
    }
}

fn is_or_are(n: i64) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// Whether letters are further modifiers of the same kind, or known ones.
fn several_words(letters: &str) -> bool {
    let rest = letters.trim_start_matches(['h', 'l']);
    rest.is_empty() || only_modifiers(&TABLETOP, rest)
}

fn letters_len(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches(char::is_alphabetic).len()
}
