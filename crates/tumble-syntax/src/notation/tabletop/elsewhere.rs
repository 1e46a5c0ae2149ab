//! Spellings that only one other tool has, said in the everyday notation.
//!
//! ```text
//! 4d6R{<3}L      4d6r<3dl1           conditions in braces
//! 1d20!e, d20ad  1d20!, d20adv       words for exploding and advantage
//! 4d6-L2         4d6dl2
//! (4d6)kh3       4d6kh3              modifiers after parentheses around dice
//! R3(d6 + 1)     3(d6 + 1)
//! d20 : to hit   d20 # to hit
//! 3d6//2         floor(3d6/2)        offered, not read: elsewhere it is a comment
//! 6d10 t7        6d10cs>=7           DiceMaiden's words, offered
//! [highest 3 of 4d6]                 AnyDice's functions, offered
//! 6 4d6kh3       6x(4d6kh3)          DiceMaiden's sets, offered
//! ```

use super::dialect::{DICEMAIDEN, TABLETOP};
use super::mistakes::{dice, replaced};
use super::parse;
use super::spell::spell_in;
use crate::kit::{faces_written, in_rows};
use crate::mistake::Mistake;
use tumble_core::{Code, Compare};

/// Longer texts are not looked at.
const LONGEST: usize = 200;

/// The most faces that are written out.
const MOST_FACES: i64 = 100;

/// Says what is meant, if the text is spelled like that.
pub(super) fn explained(mistake: Box<Mistake>, text: &str) -> Box<Mistake> {
    if text.len() > LONGEST || mistake.code == Code::Limit {
        return mistake;
    }
    if let Some(fixed) = braces(text).into_iter().chain(replaced("read", text)).find_map(sound) {
        return Box::new(mistake.meaning(fixed, true));
    }
    match replaced("offered", text).chain(flat(text)).find_map(sound) {
        Some(fixed) => Box::new(mistake.meaning(fixed, false)),
        None => mistake,
    }
}

fn sound(fixed: String) -> Option<String> {
    parse::attempt(&TABLETOP, &fixed).is_ok().then_some(fixed)
}

/// How long the digits are at the beginning.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether dice may begin after this.
fn apart(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '}' || c == ')')
}

/// `4d6R{<3}`, `5d10S{7,1}`, `2d6!{>5}`
fn braces(text: &str) -> Option<String> {
    let (mut out, mut at, mut found) = (String::new(), 0, false);
    while at < text.len() {
        let rest = &text[at..];
        match dice(rest).filter(|_| apart(&text[..at])) {
            Some((length, sides)) => {
                let mut term = Term { dice: &rest[..length], sides, faces: None, out: String::new(), less: None };
                let taken = term.modifiers(&rest[length..])?;
                found |= rest[length..length + taken].contains('{');
                out.push_str(&term.written());
                at += length + taken;
            }
            None => {
                let c = rest.chars().next()?;
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    found.then_some(out)
}

/// Dice on their way to another spelling.
struct Term<'t> {
    dice: &'t str,
    sides: i64,
    /// What each face is worth, if that has changed; nothing for a face that does not occur.
    faces: Option<Vec<Option<i64>>>,
    out: String,
    less: Option<i64>,
}

impl Term<'_> {
    fn written(&self) -> String {
        let count = &self.dice[..digits(self.dice)];
        let dice = match &self.faces {
            Some(faces) => {
                let faces: Vec<i64> = faces.iter().filter_map(|face| *face).collect();
                format!("{count}d{{{}}}", faces_written(&in_rows(&faces)))
            }
            None => self.dice.to_owned(),
        };
        let less = self.less.map_or(String::new(), |less| format!(" - {less}"));
        format!("{dice}{}{less}", self.out)
    }

    /// Reads modifiers; how long they are.
    fn modifiers(&mut self, text: &str) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let letters: String = rest.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '!').collect();
            let after = &rest[letters.len()..];
            if letters.is_empty() {
                return Some(at);
            }
            if letters.len() > 1 && letters.starts_with(['l', 'L', 'h', 'H']) {
                // `4d6LR{1}`
                let (word, _) = self.plain(&letters[..1], "")?;
                self.out.push_str(&word);
                at += 1;
                continue;
            }
            if let Some(inside) = after.strip_prefix('{') {
                let (inside, behind) = inside.split_once('}')?;
                if behind.starts_with(|c: char| c.is_ascii_digit()) || self.less.is_some() {
                    return None;
                }
                self.braced(&letters.to_ascii_lowercase(), inside)?;
                at = text.len() - behind.len();
                continue;
            }
            // What comes before braces and has none itself is read up to them.
            let (word, length) = self.plain(&letters, after)?;
            self.out.push_str(&word);
            at += length;
        }
    }

    /// `L`, `H2`, `kh3`: what is written for it, and its length.
    fn plain(&self, letters: &str, after: &str) -> Option<(String, usize)> {
        let lower = letters.to_ascii_lowercase();
        let n = digits(after);
        let drops = self.faces.as_ref().is_some_and(|faces| faces.contains(&Some(0)));
        match lower.as_str() {
            "l" | "h" if !drops => {
                let number = if n > 0 { &after[..n] } else { "1" };
                Some((format!("d{lower}{number}"), 1 + n))
            }
            "kh" | "kl" | "dh" | "dl" if n > 0 && !drops => Some((format!("{lower}{}", &after[..n]), 2 + n)),
            _ => None,
        }
    }

    fn braced(&mut self, word: &str, inside: &str) -> Option<()> {
        let parts: Vec<&str> = inside.split(',').map(str::trim).collect();
        let number = |text: &str| text.parse::<i64>().ok();
        match (word, parts.as_slice()) {
            ("r", [one]) if self.faces.is_none() => {
                condition(one)?;
                self.out.push_str(&format!("r{one}"));
            }
            ("ro" | "u", [one]) if self.faces.is_none() => {
                condition(one)?;
                let sign = if word == "u" { "!=" } else { "" };
                self.out.push_str(&format!("{word}{sign}{one}"));
            }
            ("r" | "d" | "v", parts) => return self.changed(word, parts),
            ("c", parts) => {
                for part in parts {
                    let (by, n) = condition(part)?;
                    let word = if matches!(by, Compare::Less | Compare::AtMost) { "mi" } else { "ma" };
                    self.out.push_str(&format!("{word}{n}"));
                }
            }
            ("s", [least]) => self.out.push_str(&format!("cs>={}", number(least)?)),
            ("s", [least, most]) => self.out.push_str(&format!("cs>={}cf<={}", number(least)?, number(most)?)),
            ("f", [most]) => self.out.push_str(&format!("cs<={}", number(most)?)),
            ("ms", [less]) => self.less = Some(number(less)?),
            ("!" | "!!" | "!p", [one]) if self.faces.is_none() => {
                condition(one)?;
                self.out.push_str(&format!("{word}o{one}"));
            }
            _ => return None,
        }
        Some(())
    }

    /// Rerolled, dropped and replaced faces, as a die with other faces.
    fn changed(&mut self, word: &str, parts: &[&str]) -> Option<()> {
        if !self.out.is_empty() || self.sides > MOST_FACES {
            return None;
        }
        let mut faces = self.faces.take().unwrap_or_else(|| (1..=self.sides).map(Some).collect());
        for part in parts {
            let (tested, worth) = match (word, part.rsplit_once('=')) {
                ("v", Some((tested, worth))) => (tested, Some(worth.parse::<i64>().ok()?)),
                ("v", None) => return None,
                ("d", _) => (*part, Some(0)),
                _ => (*part, None),
            };
            let (by, n) = condition(tested)?;
            for (face, shown) in faces.iter_mut().zip(1..) {
                if by.holds(shown, n) && *face == Some(shown) {
                    *face = worth;
                }
            }
        }
        self.faces = Some(faces).filter(|faces| faces.iter().any(Option::is_some));
        self.faces.is_some().then_some(())
    }
}

/// `<3`, `>=7`, `5`
fn condition(text: &str) -> Option<(Compare, i64)> {
    let signs = [Compare::AtMost, Compare::AtLeast, Compare::Less, Compare::More, Compare::Equal];
    let by = signs.into_iter().find(|by| text.starts_with(by.sign()));
    let sign = by.map_or("", Compare::sign);
    let by = by.unwrap_or(Compare::Equal);
    Some((by, text[sign.len()..].parse().ok()?))
}

/// `6d10 t7 f1`, `4cod`
fn flat(text: &str) -> Option<String> {
    let modifier = |token: &str| {
        let word = token.trim_end_matches(|c: char| c.is_ascii_digit());
        token == "ie" || matches!(word, "t" | "tl" | "f" | "e" | "ie" | "k" | "kl") && word.len() < token.len()
    };
    let plain = |token: &str| token.chars().all(|c| c.is_ascii_digit() || "dD%+-*/".contains(c));
    let letters = |token: &str| token.contains(|c: char| c.is_ascii_alphabetic());
    let first = text.split_whitespace().next()?;
    // `2d6 d8` may be two rolls.
    let dropped = |token: &str| token.starts_with(['d', 'D']);
    let (mut tokens, mut later) = (text.split_whitespace(), text.split_whitespace().skip(1));
    let listed = tokens.all(|token| modifier(token) || plain(token)) && later.any(modifier);
    let listed = listed && !text.split_whitespace().skip(1).any(dropped);
    let mut tree = parse::attempt(&DICEMAIDEN, text).ok()?;
    let called = tree.named && letters(first) && first.contains(|c: char| c.is_ascii_digit());
    tree.comments.clear();
    (listed || called).then(|| spell_in(&TABLETOP, &tree)).flatten()
}
