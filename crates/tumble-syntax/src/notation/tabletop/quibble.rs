//! Messages about dice and modifiers that cannot be parsed, and what may have been meant.

use super::complain::RANGE;
use super::parse::Parser;
use super::syntax::{Arg, Expr, Infix, Keep, Modifier, NodeId, Source};
use super::wording::{modifier_like, normal, rephrased};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;

/// What a range among the faces of a die needs.
const RANGE_OF_FACES: &str = "a range of faces needs both ends, as in `d{1..3, 5}`";

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
            return Mistake::new(written, message).fix(phrased);
        }
        if let Some(word) = ["ice", "ie"].into_iter().find(|word| *word == letters) {
            let whole = Span::new(die.start, die.end + word.len());
            return Mistake::new(written, message).replace(text, whole, "d6");
        }
        if after.starts_with(['d', 'D']) {
            return Mistake::new(written, message).replace(text, die, "");
        }
        let sides = if count.is_some() { "6" } else { "20" };
        Mistake::new(written, message).insert(text, die.end, sides)
    }

    pub(super) fn no_sides(&mut self, span: Span) -> Mistake {
        Mistake::new(span, "a die needs at least one side").replace(self.text, span, "10").replace(self.text, span, "6")
    }

    pub(super) fn not_a_range(&mut self, open: Span, low: NodeId) -> Mistake {
        let (text, here) = (self.text, self.next());
        let mistake = Mistake::new(open, RANGE);
        let rest = self.cursor.rest();
        if let Expr::Infix(Infix::Minus, low, high) = self.nodes.expr(low) {
            let between = Span::new(self.nodes.span(*low).end, self.nodes.span(*high).start);
            return mistake.replace(text, between, "..");
        }
        if rest.starts_with([',', '-', ':']) || rest.starts_with('\u{2026}') {
            return mistake.replace(text, self.here(), "..");
        }
        match rest.starts_with(']') {
            true => mistake.insert(text, open.end, "1..").replace(text, Span::new(open.start, here.end), "6"),
            false => mistake,
        }
    }

    pub(super) fn bad_face(&mut self, open: Span, first: bool) -> Mistake {
        let (text, here) = (self.text, self.next());
        let mistake = Mistake::new(here, "the faces of a die must be numbers, as in `d{1, 1, 100}`");
        match self.cursor.peek() {
            Some('}') if first => mistake.insert(text, here.start, "1, 2, 3"),
            Some('.') if self.cursor.rest().starts_with("..") => {
                mistake.saying(RANGE_OF_FACES.to_owned()).insert(text, here.start, "1")
            }
            Some('}') => {
                let comma = text[..here.start].trim_end().len() - 1;
                mistake.replace(text, Span::new(comma, here.start), "")
            }
            None if first => Mistake::new(open, "unclosed `{`").append(text, "1, 2, 3}"),
            None => Mistake::new(open, "unclosed `{`").append(text, "1}"),
            _ => mistake.replace(text, here, "1"),
        }
    }

    /// `d{1..}`, `d{1...6}`
    pub(super) fn open_range(&mut self, dots: usize) -> Mistake {
        let more = self.cursor.rest().len() - self.cursor.rest().trim_start_matches('.').len();
        let span = Span::new(dots, self.cursor.at() + more);
        let closed = self.text[span.end..].trim_start().starts_with(|c: char| c == '-' || c.is_ascii_digit());
        Mistake::new(span, RANGE_OF_FACES).replace(self.text, span, if closed { ".." } else { "" })
    }

    /// `d{1-6}`, `d{1 to 6}`
    pub(super) fn dashed_range(&self) -> Option<Mistake> {
        let rest = self.cursor.rest();
        let after = ["-", "\u{2013}", "\u{2212}", "to"].iter().find_map(|word| rest.strip_prefix(word))?.trim_start();
        let dash = Span::new(self.cursor.at(), self.cursor.at() + rest.len() - after.len());
        let dots = Span::new(self.text[..dash.start].trim_end().len(), dash.end);
        let ends = after.starts_with(|c: char| c.is_ascii_digit());
        ends.then(|| Mistake::new(dash, RANGE_OF_FACES).replace(self.text, dots, ".."))
    }

    /// `3d6!=6`
    pub(super) fn touching_unequal(&mut self, start: usize) -> Mistake {
        let span = Span::new(start, start + 2);
        let message = "does this explode (`!`) or compare (`!=`)? Put a space before \"not equal\"";
        let after = &self.text[span.end..];
        let blanks = after.len() - after.trim_start().len();
        Mistake::new(span, message).replace(self.text, Span::new(start, span.end + blanks), " != ")
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
                let message = "`d` after dice drops the lowest; how many?";
                return Mistake::new(span, message).replace(text, span, "dl1");
            }
            "h" | "l" => {
                if let Some(fixed) = self.turned_keep(letters, span) {
                    return Mistake::new(span, format!("`{letters}` must come before the number")).fix(fixed);
                }
                if letters == "l" && number == 0 {
                    let message = "to drop the lowest dice, write `dl`; to keep them, `kl`";
                    return Mistake::new(span, message).replace(text, span, "dl1");
                }
            }
            "e" | "f" | "t" if number > 0 => {
                let meant = if letters == "e" {
                    "!"
                } else if letters == "f" {
                    "cf="
                } else {
                    "cs>="
                };
                let message = format!("unknown modifier {}", self.shown(span));
                return Mistake::new(span, message).replace(text, span, meant);
            }
            "s" | "sa" | "sd" => {
                return Mistake::new(span, "dice can't be sorted here; it would not change the result")
                    .delete(text, whole);
            }
            _ => {}
        }
        let mistake = Mistake::new(span, format!("unknown modifier {}", self.shown(span)));
        let narrow = normal(text);
        let mistake = if normal(letters) == letters { mistake } else { mistake.fix(narrow) };
        let mistake = match modifier_like(letters) {
            Some(close) => mistake.replace(text, span, close),
            None => mistake,
        };
        let phrased = rephrased(text);
        let mistake = if phrased == text { mistake } else { mistake.fix(phrased) };
        if digits.is_empty() && letters.chars().count() > 2 {
            return mistake.insert(text, span.start, " # ");
        }
        mistake.replace(text, whole, "")
    }

    /// `4d6k3h`
    fn turned_keep(&self, letters: &str, span: Span) -> Option<String> {
        let before = &self.text[..span.start];
        let stem = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &before[stem.len()..];
        let keep = stem.chars().next_back().filter(|c| matches!(c, 'k' | 'K' | 'd' | 'D'))?;
        let stem = &stem[..stem.len() - 1];
        Some(format!("{stem}{keep}{letters}{digits}{}", &self.text[span.end..]))
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
            _ => "missing number: which faces explode?",
        };
        let bare = !self.text[..written].ends_with(['<', '>', '=', '\u{2264}', '\u{2265}', '\u{2260}']);
        let number = match word {
            "cs" if bare => ">=5",
            "cf" if bare => "=1",
            "mi" | "min" => "2",
            "ma" | "max" | "cs" | "!" => "5",
            _ if text[..written].ends_with('<') => "3",
            _ => "1",
        };
        Mistake::new(at, message).insert(text, written, number).insert(text, written, "2")
    }

    pub(super) fn missing_cap(&mut self, sign: Span) -> Mistake {
        let message = "missing number after `x`: how many times at most?";
        Mistake::new(sign, message).insert(self.text, sign.end, "3").replace(self.text, sign, " *")
    }

    pub(super) fn once_and_cap(&mut self, word: &str, start: usize, cap: usize) -> Mistake {
        let (text, end) = (self.text, self.cursor.at());
        let message = format!("`{word}` means once and `x` sets a maximum; use only one of them");
        Mistake::new(Span::new(start, end), message).replace(text, Span::new(cap, end), "")
    }

    /// Whether a modifier can stand after what was done already.
    pub(super) fn fits(
        &mut self,
        source: &Source,
        done: &[(Modifier, Span)],
        found: &Modifier,
        span: Span,
    ) -> Parsed<()> {
        let counts = |modifier: &Modifier| matches!(modifier, Modifier::Successes(..) | Modifier::Failures(_));
        let single = |modifier: &Modifier| matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..));
        if let Some((_, first)) = done.iter().find(|(modifier, _)| counts(modifier)) {
            return if counts(found) { Ok(()) } else { self.after_a_count(*first, span).fail() };
        }
        let dice = matches!(source, Source::Roll(..));
        match found {
            Modifier::Twice(_) if dice && done.iter().all(|(modifier, _)| single(modifier)) => Ok(()),
            Modifier::Twice(_) if dice => self.late_twice(done, span).fail(),
            Modifier::Reroll(..) | Modifier::Explode(_) | Modifier::Twice(_) if !dice => {
                self.not_for_groups(source, span).fail()
            }
            Modifier::Keep(Keep::ButLow, Arg::Number(n)) => self.all_dropped(source, done, *n, span),
            _ => Ok(()),
        }
    }

    fn after_a_count(&mut self, count: Span, span: Span) -> Mistake {
        let text = self.text;
        let message = "no other modifier can follow a count";
        let (first, later) = (self.written(count), self.written(span));
        let moved = format!("{}{later}{first}{}", &text[..count.start], &text[span.end..]);
        Mistake::new(span, message).fix(moved).delete(text, span)
    }

    fn late_twice(&mut self, done: &[(Modifier, Span)], span: Span) -> Mistake {
        let text = self.text;
        let word = self.written(span).to_owned();
        let first = done.iter().find(|(modifier, _)| !matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..)));
        let mistake = Mistake::new(span, format!("`{word}` must come right after its die"));
        match first {
            // `disadv` is one word.
            Some((Modifier::Twice(_), first)) if first.end == span.start => {
                let whole = first.to(span);
                mistake.saying(format!("unknown modifier {}", self.shown(whole))).delete(text, span).at(whole)
            }
            Some((Modifier::Twice(_), _)) => mistake.delete(text, span),
            Some((_, first)) => {
                let between = &text[first.start..span.start];
                mistake.replace(text, Span::new(first.start, span.end), &format!("{word}{}", between.trim_end()))
            }
            None => mistake.delete(text, span),
        }
    }

    fn not_for_groups(&mut self, source: &Source, span: Span) -> Mistake {
        let message = "only plain dice can reroll or explode; here only `kh kl dh dl mi ma cs cf` are allowed";
        let mistake = Mistake::new(span, message);
        let members = match source {
            Source::Group(members) => members.as_slice(),
            Source::Times(_, body) => std::slice::from_ref(body),
            Source::Roll(..) => &[],
        };
        let text = self.text;
        let (mut moved, mut done) = (String::new(), 0);
        for member in members.iter().filter(|member| matches!(self.nodes.expr(**member), Expr::Dice(_))) {
            let end = self.nodes.span(*member).end;
            let end = if text[..end].ends_with(')') { end - 1 } else { end };
            moved.push_str(&text[done..end]);
            moved.push_str(self.written(span));
            done = end;
        }
        moved.push_str(&text[done..span.start]);
        mistake.fix(moved + &text[span.end..]).delete(text, span)
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
            .replace(text, Span::new(start, span.end), &format!("({pool}){}", self.written(span)))
            .fail()
    }
}

fn is_or_are(n: i64) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

fn letters_len(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches(char::is_alphabetic).len()
}
