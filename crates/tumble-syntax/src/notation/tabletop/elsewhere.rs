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

use super::MISTAKES;
use super::dialect::{DICEMAIDEN, TABLETOP};
use super::parse;
use super::spell::spell_in;
use crate::kit::{faces_written, in_rows};
use crate::mistake::Mistake;
use crate::pattern::dice;
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
    if let Some(fixed) = braces(text).into_iter().chain(MISTAKES.replaced("read", text)).find_map(sound) {
        return Box::new(mistake.meaning(fixed, true));
    }
    match MISTAKES.replaced("offered", text).chain(flat(text)).find_map(sound) {
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

/// `4d6R{<3}`, `5d10S{7,1}`, `2d6!{>5}`
fn braces(text: &str) -> Option<String> {
    // Where other modifiers come between, each tool has its own order.
    let letter = |c: char| c.is_ascii_alphabetic() || c == '!';
    let known = |words: &str, word: &str| words.split(' ').any(|known| known.eq_ignore_ascii_case(word));
    let plain = text.split('}').all(|part| {
        let before = part.split_once('{').map(|(before, _)| before);
        let stem = before.map_or(part, |before| before.trim_end_matches(letter));
        let word = before.map_or("r", |before| before[stem.len()..].trim_start_matches(['l', 'L', 'h', 'H']));
        known("r ro u c s f ms ! !! !p d v", word)
            && stem.split(|c| !letter(c)).all(|word| known(" d l h kh kl dh dl", word))
    });
    if !plain || !text.contains(['d', 'D']) {
        return None;
    }
    let changed = changed(text);
    let said = changed.as_deref().unwrap_or(text);
    let read = MISTAKES.rewritten("braces", said, false).or(changed)?;
    MISTAKES.rewritten("after braces", &read, false).or(Some(read))
}

/// `4d6R{1,2}`, `4d6D{>5}`, `4d6V{1=2,>5=1}`: rerolled, dropped and replaced faces, as a die with other faces.
fn changed(text: &str) -> Option<String> {
    let (start, (length, sides)) = text.char_indices().find_map(|(at, _)| Some((at, dice(&text[at..])?)))?;
    let (dice, rest) = text[start..].split_at(length);
    let (inside, after) = rest.strip_prefix(['r', 'R', 'd', 'D', 'v', 'V'])?.strip_prefix('{')?.split_once('}')?;
    let word = rest[..1].to_ascii_lowercase();
    // Faces that became others are not asked for again.
    let asked = word != "r" && after.contains('{') || after.starts_with(|c: char| c.is_ascii_digit());
    if asked || sides > MOST_FACES {
        return None;
    }
    let mut faces: Vec<Option<i64>> = (1..=sides).map(Some).collect();
    for part in inside.split(',').map(str::trim) {
        let (tested, worth) = match (word.as_str(), part.rsplit_once('=')) {
            ("v", Some((tested, worth))) => (tested, Some(worth.parse::<i64>().ok()?)),
            ("d", _) => (part, Some(0)),
            ("r", _) if inside.contains(',') => (part, None),
            _ => return None,
        };
        let (by, n) = condition(tested)?;
        for (face, shown) in faces.iter_mut().zip(1..) {
            if by.holds(shown, n) && *face == Some(shown) {
                *face = worth;
            }
        }
    }
    let faces: Vec<i64> = faces.into_iter().flatten().collect();
    let count = &dice[..digits(dice)];
    let lost = faces.contains(&0) && after.starts_with(char::is_alphabetic);
    (!faces.is_empty() && !lost)
        .then(|| format!("{}{count}d{{{}}}{after}", &text[..start], faces_written(&in_rows(&faces))))
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
