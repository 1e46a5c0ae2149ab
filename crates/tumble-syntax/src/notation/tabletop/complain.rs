//! Messages about an expression that cannot be parsed, and what may have been meant.
//!
//! Each function is called at the place of one sort of mistake. Words and characters that belong to no
//! notation are in `wording`, modifiers in `quibble`, anything left over in `leftover`.

use super::parse::{DEEPEST, Parser};
use super::syntax::{Compare, Expr, Function, Item, NodeId};
use super::wording::normal;
use crate::mistake::{Mistake, Parsed, shown};
use tumble_core::Span;

impl<'t> Parser<'t> {
    pub(super) fn too_deep(&self) -> Mistake {
        Mistake::limit(self.here(), format!("expressions are nested more than {DEEPEST} deep"))
    }

    /// The word or sign that comes next, for a message.
    pub(super) fn next(&self) -> Span {
        let rest = self.cursor.rest();
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        Span::new(self.cursor.at(), self.cursor.at() + letters.max(first))
    }

    pub(super) fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// What is written there, in backticks and not longer than anyone would read.
    pub(super) fn shown(&self, span: Span) -> String {
        shown(self.written(span))
    }

    /// A value is missing.
    pub(super) fn missing_operand(&mut self) -> Mistake {
        let (text, here) = (self.text, self.next());
        // Nothing is missing after a comment, but before it.
        let before = super::without_comments(&text[..here.start]);
        let before = before.trim_end();
        let Some(c) = self.cursor.peek() else { return self.missing_at_the_end(before) };
        if let Some(mistake) = self.odd_character(c) {
            return mistake;
        }
        match c {
            '?' if self.cursor.rest().starts_with("?{") => self.query(),
            '=' if before.ends_with(['<', '>']) => {
                let gap = Span::new(before.len(), here.start);
                Mistake::new(Span::new(before.len() - 1, here.end), "unexpected space inside this operator")
                    .replace(gap, "")
            }
            '<' | '>' | '=' | '!' if before.ends_with("||") || before.ends_with("&&") => {
                self.half_comparison(Span::new(before.len() - 2, before.len()))
            }
            ')' | ']' | '}' if before.ends_with(['(', '[', '{']) => {
                Mistake::new(Span::new(before.len() - 1, here.end), "empty brackets")
            }
            ':' if before.ends_with('?') => Mistake::new(here, "missing value between `?` and `:`"),
            '[' => self.late_binding(here),
            ')' | ']' | '}' | ',' | ';' | ':' if is_sign_at_end(before) => self.missing_at_the_end(before),
            ')' | ']' | '}' => self.closes_nothing(here),
            ';' if before.is_empty() || before.ends_with(';') => {
                Mistake::new(here, "missing roll before `;`").delete(here)
            }
            _ => Mistake::new(here, format!("missing number or dice before {}", self.shown(here))),
        }
    }

    /// `1 + [A: d4] A`
    pub(super) fn late_binding(&mut self, here: Span) -> Mistake {
        let text = self.text;
        let message = "a binding such as `[ATK: d20]` must come first; anywhere else it needs parentheses";
        let inside = format!("({})", text[here.start..].trim_end());
        Mistake::new(here, message).replace(Span::new(here.start, text.len()), &inside)
    }

    /// Something should follow and nothing does.
    fn missing_at_the_end(&mut self, before: &str) -> Mistake {
        let end = before.len();
        let Some((at, last)) = before.char_indices().next_back() else {
            return Mistake::new(Span::new(0, 0), "there is nothing to roll");
        };
        if matches!(last, '(' | '{' | '[') {
            let open = Span::new(at, end);
            return Mistake::new(open, format!("missing number or dice after {}", self.shown(open)));
        }
        let start = before.trim_end_matches(|c: char| "+-*/%<>=!&|?:×÷·−–≥≤≠ ".contains(c)).len();
        let sign = Span::new(start + (before[start..].len() - before[start..].trim_start().len()), end);
        Mistake::new(sign, format!("missing number or dice after {}", self.shown(sign)))
    }

    pub(super) fn closes_nothing(&mut self, here: Span) -> Mistake {
        let mistake = Mistake::new(here, format!("unmatched {}", self.shown(here)));
        // Before other things it may just as well have been opened too late.
        if self.text[here.end..].trim().is_empty() { mistake.delete(here) } else { mistake }
    }

    /// Characters that no text holds.
    pub(super) fn odd_character(&mut self, c: char) -> Option<Mistake> {
        let (text, here) = (self.text, self.here());
        let fixed = normal(text);
        if fixed != text && normal(self.written(here)) != self.written(here) {
            let message = match c {
                '\u{ff01}'..='\u{ff5e}' => format!("`{c}` is a full-width character; type the plain one"),
                '"' | '\'' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => "unexpected quotes".to_owned(),
                c if c.is_control() || c == '\u{200b}' => "unexpected invisible character".to_owned(),
                _ => format!("unexpected `{c}`"),
            };
            return Some(Mistake::new(here, message).fix(fixed));
        }
        match c {
            '.' if self.text[here.end..].starts_with(|c: char| c.is_ascii_digit()) => {
                Some(self.no_digit_in_front(here))
            }
            '$' | '~' | '`' | '\\' | '.' | '_' => Some(Mistake::new(here, format!("unexpected `{c}`"))),
            c if !c.is_ascii() && !c.is_alphabetic() => Some(Mistake::new(here, format!("unexpected `{c}`"))),
            _ => None,
        }
    }

    /// A bracket that is not closed before here.
    pub(super) fn unclosed(&mut self, close: &'static str, open: Span) -> Mistake {
        let (text, here) = (self.text, self.next());
        let Some(c) = self.cursor.peek() else {
            let mistake = Mistake::new(open, format!("unclosed {}", self.shown(open)));
            // What a modifier at the end belongs to, nobody knows.
            let several = close == "}" || text[open.end..].contains(',');
            return if several && keeps_at_end(text) { mistake } else { mistake.append(close) };
        };
        if let ')' | ']' | '}' = c {
            let message = format!("{} must be closed with `{close}`, not {}", self.shown(open), self.shown(here));
            return Mistake::new(here, message).replace(here, close);
        }
        if close == "]" && (c.is_alphanumeric() || c == '(') && !self.closes_later() {
            let message = format!("unclosed {}", self.shown(open));
            let end = text[..here.start].trim_end().len();
            return Mistake::new(open, message).insert(end, "]");
        }
        if let Some(mistake) = Some(here).filter(|_| c == ',').and_then(|comma| self.listed_condition(comma)) {
            return mistake;
        }
        let touched = text[..open.start].chars().next_back();
        let condition = touched.is_some_and(|c| c == '!' || c.is_alphabetic() && !matches!(c, 'd' | 'D'));
        match (c, close) {
            ('.', ")") if self.cursor.rest().starts_with("..") => self.range_in_parentheses(open),
            (c, "}") if c.is_ascii_digit() || self.die_comes_next() => {
                let gap = Span::new(text[..here.start].trim_end().len(), here.start);
                Mistake::new(here, "members are separated by commas").replace(gap, ", ")
            }
            (',', ")") if condition => Mistake::new(here, "a modifier takes only one condition"),
            (',', ")") => {
                Mistake::new(here, "several values need braces, as in `{2d6, d8}kh1`").fix(self.in_braces(open))
            }
            (';', "}" | ")") if self.written(open) != "(" || close == "}" => {
                Mistake::new(here, "members are separated by commas").replace(here, ",")
            }
            (';', _) => Mistake::new(here, "`;` separates whole rolls and can't be used inside brackets"),
            _ => self.leftover(None),
        }
    }

    /// Whether a die without a number before it comes next.
    fn die_comes_next(&self) -> bool {
        matches!(self.cursor.rest().as_bytes(), [b'd' | b'D', b'0'..=b'9' | b'%', ..])
    }

    /// Whether a `]` that belongs to no other bracket comes after here.
    fn closes_later(&self) -> bool {
        let mut open = 0usize;
        self.cursor.rest().chars().any(|c| {
            match c {
                '[' => open += 1,
                ']' if open == 0 => return true,
                ']' => open -= 1,
                _ => {}
            }
            false
        })
    }

    /// `d(1..6)`
    fn range_in_parentheses(&mut self, open: Span) -> Mistake {
        let text = self.text;
        let mistake = Mistake::new(open, RANGE);
        let Some(close) = text[open.end..].find(')').map(|at| open.end + at) else { return mistake };
        let die = if text[..open.start].ends_with(['d', 'D']) { "" } else { "d" };
        let range = format!("{die}[{}]", &text[open.end..close]);
        mistake.replace(Span::new(open.start, close + 1), &range)
    }

    /// The text with braces in place of the parentheses that are open.
    fn in_braces(&self, open: Span) -> String {
        let (text, mut depth) = (self.text, 0usize);
        for (at, c) in text[self.cursor.at()..].char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    let close = self.cursor.at() + at;
                    return format!("{}{{{}}}{}", &text[..open.start], &text[open.end..close], &text[close + 1..]);
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        String::new()
    }

    pub(super) fn nothing_to_roll(&mut self, last: Option<&Item>) -> Mistake {
        let end = self.text.trim_end().len();
        let Some(Item::Bind(binding)) = last else {
            return Mistake::new(Span::new(end, end), "there is nothing to roll");
        };
        Mistake::new(binding.span, format!("missing roll after the value of {}", self.shown(binding.span)))
            .insert(end, &format!(" {}", binding.name))
    }

    pub(super) fn missing_rest(&mut self, name: &str, span: Span) -> Mistake {
        if self.cursor.peek().is_some() {
            return self.leftover(None);
        }
        let message = format!("missing `;` and a roll after the value of {}", self.shown(span));
        Mistake::new(span, message).append(&format!("; {name}"))
    }

    /// `[` at the start, and no name with a value in it.
    pub(super) fn not_a_binding(&mut self, name: Span, after: usize) -> Mistake {
        let (text, open) = (self.text, self.here());
        if !self.written(name).is_empty() && text[..after].ends_with(":=") {
            let sign = Span::new(after - 2, after);
            return Mistake::new(sign, "inside brackets, a name gets its value with `:`").replace(sign, ":");
        }
        let Some(close) = text[open.start..].find(']').map(|at| open.start + at) else {
            return Mistake::new(open, "unclosed `[`");
        };
        let label = Span::new(open.start, close + 1);
        let words = text[open.end..close].trim();
        let mistake = Mistake::new(label, "a label comes after its dice, as in `2d6[fire]`");
        let ends = words.split_once("..").or_else(|| words.split_once('-'));
        if let Some((low, high)) = ends.map(|(low, high)| (low.trim(), high.trim())) {
            let number = |n: &str| n.trim_start_matches('-').parse::<i64>().is_ok();
            if number(low) && number(high) {
                return Mistake::new(label, RANGE).replace(label, &format!("d[{low}..{high}]"));
            }
        }
        if words.chars().next().is_some_and(|c| c.is_ascii_digit()) {
            return mistake.replace(label, &format!("({words})"));
        }
        let rest = text[label.end..].trim();
        let value = words.split_once(' ').map_or("", |(_, value)| value);
        let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == self.written(name));
        if used && value.contains(|c: char| c.is_ascii_digit()) {
            let message = format!("missing `:` after {}", self.shown(name));
            return Mistake::new(name, message).insert(name.end, ":");
        }
        let plain = words.chars().all(|c| c.is_alphabetic() || c == ' ') && !rest.is_empty();
        if plain { mistake.fix(format!("{}{rest}[{words}]", &text[..open.start])) } else { mistake }
    }

    pub(super) fn bindable(&mut self, name: &str, span: Span) -> Parsed<()> {
        let lower = name.to_lowercase();
        let die = matches!(lower.as_bytes(), [b'd'] | [b'd', b'0'..=b'9', ..] | b"df");
        let function = Function::ALL.iter().any(|(word, _)| *word == lower);
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
            let message = "names must start with a letter";
            return Mistake::new(span, message).fail();
        }
        if die || function {
            let what = if die { "a die" } else { "a function" };
            let message = format!("{} is {what} and can't be used as a name", self.shown(span));
            return Mistake::new(span, message)
                .fix(crate::nearest::renamed(self.text, name, &format!("my{name}")))
                .fail();
        }
        Ok(())
    }

    pub(super) fn times_without_parentheses(&mut self, sign: Span) -> Mistake {
        let text = self.text;
        let rest = text[sign.end..].trim();
        if rest.is_empty() {
            return Mistake::new(sign, format!("missing roll after {}", self.shown(sign)));
        }
        let message = format!("put parentheses around the roll after {}", self.shown(sign));
        Mistake::new(sign, message).certainly(format!("{}({rest})", &text[..sign.end]))
    }

    /// `?{Bonus|2}`
    pub(super) fn query(&mut self) -> Mistake {
        let (text, start) = (self.text, self.cursor.at());
        let close = text[start..].find('}').map_or(text.len(), |at| start + at + 1);
        let span = Span::new(start, close);
        let inside = self.written(span).trim_end_matches('}');
        let mistake = Mistake::new(span, "Roll20 queries can't be answered here; write the value itself");
        mistake
            .when(inside.rsplit('|').next().map(str::trim).filter(|n| n.parse::<i64>().is_ok()), |mistake, number| {
                mistake.replace(span, number)
            })
    }

    pub(super) fn missing_otherwise(&mut self, sign: Span) -> Mistake {
        let here = self.next();
        let message = "`?` needs two values separated by `:`";
        match self.cursor.peek() {
            None => Mistake::new(sign, message).append(" : 0"),
            Some(')' | ']' | '}' | ';' | ',') => Mistake::new(sign, message).insert(here.start, " : 0"),
            Some(_) => self.leftover(None),
        }
    }

    /// `1 < x < 3`
    pub(super) fn compared_twice(&mut self, first: NodeId, by: Compare, after: usize) -> Mistake {
        let text = self.text;
        let here = Span::new(self.cursor.at(), after);
        let mistake = Mistake::new(here, "only two values can be compared at a time");
        let Expr::Infix(op, left, middle) = *self.nodes.expr(first) else { return mistake };
        let (whole, middle_at) = (self.nodes.span(first), self.nodes.span(middle));
        let (left_text, middle_text) = (self.written(self.nodes.span(left)), self.written(middle_at));
        let tail = text[after..].trim_start();
        let (one, two) = (op.sign(), by.sign());
        if let Expr::Number(_) | Expr::Name(_) | Expr::Value(_) = self.nodes.expr(middle) {
            let and = format!("{left_text} {one} {middle_text} && {middle_text} {two} {tail}");
            return mistake.fix(format!("{}{and}", &text[..whole.start]));
        }
        mistake.fix(format!("[X: {middle_text}] {left_text} {one} X && X {two} {tail}"))
    }

    pub(super) fn turned_sign(&mut self, span: Span) -> Mistake {
        let right = if self.written(span) == "=>" { ">=" } else { "<=" };
        Mistake::new(span, format!("write `{right}` instead of {}", self.shown(span))).replace(span, right)
    }

    pub(super) fn bad_label(&mut self, start: usize, label: &str) -> Mistake {
        let open = Span::new(start, start + 1);
        match self.cursor.peek() {
            Some(']') => {
                let empty = Span::new(start, self.cursor.at() + 1);
                Mistake::new(empty, "empty label").delete(empty)
            }
            Some(c @ ('#' | '[')) => Mistake::new(self.here(), format!("a label can't contain `{c}`")),
            _ if label.is_empty() => Mistake::new(open, "unclosed `[`"),
            _ => Mistake::new(open, "unclosed `[`").append("]"),
        }
    }

    pub(super) fn function_without_arguments(&mut self, function: Function, span: Span) -> Mistake {
        let (text, word) = (self.text, function.word());
        let message = format!("`{word}` needs parentheses after it, as in `{word}(2d6, d12)`");
        let rest = text[span.end..].trim();
        let mistake = Mistake::new(span, message.replace("(2d6, d12)", example(function)));
        let keep = match function {
            Function::Min => "kl1",
            Function::Max => "kh1",
            _ => "",
        };
        let dice = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
        let pool = dice.split_once(['d', 'D']).is_some_and(|(count, sides)| {
            [count, sides].iter().all(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))
        });
        if !keep.is_empty() && pool && !rest.contains(',') {
            let end = text.len() - text[span.end..].trim_start().len() + dice.len();
            let message = format!(
                "to keep the {} of several dice, write `{keep}` after them",
                if keep == "kh1" { "highest" } else { "lowest" }
            );
            return mistake.saying(message).replace(Span::new(span.start, end), &format!("{dice}{keep}"));
        }
        mistake
    }

    pub(super) fn unknown_function(&mut self, span: Span) -> Mistake {
        let word = self.written(span).to_lowercase();
        match word.as_str() {
            "adv" | "advantage" => return self.twice_of(span, "adv"),
            "dis" | "disadvantage" => return self.twice_of(span, "dis"),
            _ => {}
        }
        let meant = match word.as_str() {
            "ceiling" | "roundup" => Some("ceil"),
            "rounddown" => Some("floor"),
            "maximum" => Some("max"),
            "minimum" => Some("min"),
            "sum" | "total" | "roll" => Some(""),
            _ => crate::nearest::nearest(&word, Function::ALL.iter().map(|(name, _)| *name)),
        };
        let mistake = match word.as_str() {
            "odds" | "average" | "mean" => Mistake::new(span, ODDS),
            _ => Mistake::new(span, format!("unknown function {}", self.shown(span))),
        };
        mistake.when(meant, |mistake, name| mistake.replace(span, name))
    }

    /// `adv(d20 + 5)`
    fn twice_of(&mut self, span: Span, twice: &str) -> Mistake {
        let text = self.text;
        let mistake = Mistake::new(span, format!("`{twice}` comes right after its die, as in `d20 {twice}`"));
        let Some(close) = text[self.cursor.at()..].find(')').map(|at| self.cursor.at() + at) else { return mistake };
        let inside = text[self.cursor.at() + 1..close].trim();
        let one = inside.strip_prefix('1').unwrap_or(inside);
        let Some(sides) = one.strip_prefix(['d', 'D']) else { return mistake };
        let die = sides.trim_start_matches(|c: char| c.is_ascii_digit());
        if die.len() == sides.len() || die.contains(|c: char| c.is_alphabetic() || c == '(') {
            return mistake;
        }
        let fixed = format!("{} {twice}{die}", &inside[..inside.len() - die.len()]);
        let sum = !die.is_empty() && (span.start > 0 || close + 1 < text.trim_end().len());
        mistake.replace(Span::new(span.start, close + 1), &if sum { format!("({fixed})") } else { fixed })
    }

    pub(super) fn wrong_arguments(&mut self, function: Function, args: &[NodeId], whole: Span) -> Mistake {
        let count = match function {
            Function::Pow => "two values",
            Function::Round if self.dialect.everyday() => "one value, and perhaps a number of decimals from 0 to 6",
            _ => "one value",
        };
        let span = args.get(1).map_or(whole, |arg| self.nodes.span(*arg));
        Mistake::new(span, format!("`{}` takes {count}", function.word()))
    }

    /// `.5`
    fn no_digit_in_front(&mut self, point: Span) -> Mistake {
        let rest = &self.text[point.end..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let span = Span::new(point.start, point.end + digits);
        let message = "a number with a decimal point needs a digit in front of it";
        Mistake::new(span, message).replace(point, "0.")
    }

    /// `1.5d6`, and more digits than anybody needs.
    pub(super) fn decimal(&mut self, start: usize) -> Mistake {
        let text = self.text;
        let rest = &text[start..];
        let end = start + rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        Mistake::new(Span::new(start, end), "a number with a decimal point can't stand here")
    }
}

/// What a roll cannot answer.
pub(super) const ODDS: &str = "a roll gives one result; for its average or its chances, ask for the odds";

/// How a die with faces from one number to another is written.
pub(super) const RANGE: &str = "a die with a range of faces is written like `d[-1..1]`";

fn example(function: Function) -> &'static str {
    match function {
        Function::Min | Function::Max => "(2d6, d12)",
        Function::Abs => "(d6 - d6)",
        Function::Trunc | Function::Floor | Function::Ceil | Function::Round => "(d20 / 2)",
        Function::Sign => "(d6 - d6)",
        Function::Pow => "(d6, 2)",
        Function::Sqrt => "(d20)",
    }
}

fn is_sign_at_end(before: &str) -> bool {
    before.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '&', '|', '?', '!', '\u{d7}', '\u{f7}', '\u{2212}'])
}

/// Whether the last thing is a modifier that keeps or drops: `{2d6, d8kh1`.
fn keeps_at_end(text: &str) -> bool {
    let word = text.trim_end().trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
    ["kh", "kl", "dh", "dl", "ph", "pl", "k"].iter().any(|keep| word.ends_with(keep))
}
