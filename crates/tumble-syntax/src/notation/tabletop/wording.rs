//! Words and characters that people write for something the notation has.

use crate::nearest::nearest;

/// The modifier that letters were most likely meant to be.
pub(super) fn modifier_like(letters: &str) -> Option<&'static str> {
    const OTHERS: &[(&str, &str)] = &[
        ("hk", "kh"),
        ("lk", "kl"),
        ("kj", "kh"),
        ("jh", "kh"),
        ("kg", "kh"),
        ("advantage", "adv"),
        ("disadvantage", "dis"),
    ];
    let listed = OTHERS.iter().find(|(word, _)| *word == letters).map(|(_, meant)| *meant);
    listed.or_else(|| nearest(letters, ["adv", "dis", "advantage", "disadvantage"].into_iter()).map(short))
}

fn short(word: &'static str) -> &'static str {
    match word {
        "advantage" => "adv",
        "disadvantage" => "dis",
        other => other,
    }
}

/// The text in plain characters: wide ones made narrow, quotes and pictures of dice replaced.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let alone = text.trim().chars().all(|c| matches!(c, '\u{1f3b2}' | '\u{fe0f}'));
    for c in text.chars() {
        match c {
            '\u{ff24}' => out.push('d'),
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            '"' | '\'' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{fe0f}' => {}
            c if c == '\u{200b}' || c == '\u{feff}' || c == '\u{ad}' || c.is_control() && !c.is_whitespace() => {}
            '\u{2014}' => out.push('-'),
            '\u{2026}' => out.push_str(".."),
            '\u{2022}' | '\u{22c5}' | '\u{2217}' => out.push('*'),
            '\u{2044}' | '\u{2215}' => out.push('/'),
            '\u{2680}'..='\u{2685}' => out.push_str(&(c as u32 - 0x267f).to_string()),
            '\u{1f3b2}' if alone && out.is_empty() => out.push_str("d6"),
            '\u{1f3b2}' if out.ends_with(|c: char| c.is_ascii_digit()) => out.push_str("d6"),
            '\u{1f3b2}' => {}
            _ => out.push(c),
        }
    }
    out
}

/// Phrases and what they are in the notation. `#` is a number, `@` dice, `~` a comparison, `*` any word or roll; words
/// with `|` between them are as good as each other, and one with `?` may be missing. In what they become `1`, `2`, … in
/// braces are the things found, in their order.
const PHRASES: &[(&str, &str)] = &[
    ("one @", "1{1}"),
    ("two @", "2{1}"),
    ("three @", "3{1}"),
    ("four @", "4{1}"),
    ("half @", "floor({1} / 2)"),
    ("@ half|halved", "floor({1} / 2)"),
    ("@ # times", "{2}x({1})"),
    ("repeat # @", "{1}x({2})"),
    ("@ / # round|rounded up", "ceil({1} / {2})"),
    ("@ / # round|rounded down", "floor({1} / {2})"),
    ("with adv|advantage", "adv"),
    ("with dis|disadvantage", "dis"),
    ("if * ~ # then * else *", "{1} {2} {3} ? {4} : {5}"),
    ("roll twice and take the higher @", "{1}adv"),
    ("at advantage", "adv"),
    ("at disadvantage", "dis"),
    ("@ or @ whichever is higher", "max({1}, {2})"),
    ("@ or @ whichever is lower", "min({1}, {2})"),
    ("best|highest|top # of @", "{2}kh{1}"),
    ("worst|lowest # of @", "{2}kl{1}"),
    ("best|highest of @", "{1}kh1"),
    ("worst|lowest of @", "{1}kl1"),
    ("keep highest # of @", "{2}kh{1}"),
    ("drop lowest # of @", "{2}dl{1}"),
    ("@ drop the? lowest #", "{1}dl{2}"),
    ("@ drop the? lowest", "{1}dl1"),
    ("@ drop highest #", "{1}dh{2}"),
    ("@ drop the? highest", "{1}dh1"),
    ("@ drop #", "{1}dl{2}"),
    ("@ keep the? highest|best #", "{1}kh{2}"),
    ("@ keep the? lowest #", "{1}kl{2}"),
    ("@ keep highest|best", "{1}kh1"),
    ("@ keep lowest", "{1}kl1"),
    ("@ keep #", "{1}kh{2}"),
    ("@ take the? highest #", "{1}kh{2}"),
    ("@ best|highest #", "{1}kh{2}"),
    ("@ lowest #", "{1}kl{2}"),
    ("@ reroll # once", "{1}ro{2}"),
    ("@ exploding|explode|explodes", "{1}!"),
    ("exploding @", "{1}!"),
    ("divided by", "/"),
    ("multiplied by", "*"),
    ("plus", "+"),
    ("minus", "-"),
    ("mod", "%"),
    ("is? at least", ">="),
    ("is? at most", "<="),
    ("more|greater than", ">"),
    ("less than", "<"),
    ("equals", "="),
    ("vs|against", ">="),
    ("not * ~ #", "!({1} {2} {3})"),
    ("if * then * else *", "{1} ? {2} : {3}"),
    ("dc #", ">= {1}"),
    ("roll|rolling|please", ""),
    ("r *", "{1}"),
];

/// The text with phrases in the spelling of the notation; the same text if there are none.
pub(super) fn rephrased(text: &str) -> String {
    if text.len() > 400 || text.contains('#') {
        return text.to_owned();
    }
    let rounds = ["round up", "rounded up", "round down", "rounded down"].iter().any(|end| text.ends_with(end));
    let spaced = if rounds { text.replace('/', " / ") } else { text.to_owned() };
    let mut words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    let mut changed = false;
    if let [first, _, ..] = words.as_slice()
        && let Some(twice) = first_word_twice(first)
    {
        words.remove(0);
        words.push(twice.to_owned());
        changed = true;
    }
    for (pattern, meaning) in
        PHRASES.iter().flat_map(|(phrase, meaning)| patterns(phrase).map(move |one| (one, meaning)))
    {
        // Each phrase is looked for a few times only.
        for _ in 0..8 {
            let Some(at) = (0..words.len()).find(|at| matches(&words[*at..], &pattern)) else { break };
            let found = words[at..at + pattern.len()].to_vec();
            let filled = filled(meaning, &pattern, &found);
            words.splice(at..at + pattern.len(), (!filled.is_empty()).then_some(filled));
            changed = true;
        }
    }
    changed |= conjunction(&mut words);
    if changed { words.join(" ") } else { text.to_owned() }
}

/// The words of a phrase, with the one that may be missing and without it.
fn patterns(phrase: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let with = phrase.split(' ').map(|word| word.strip_suffix('?').unwrap_or(word)).collect();
    let without = phrase.contains('?').then(|| phrase.split(' ').filter(|word| !word.ends_with('?')).collect());
    std::iter::once(with).chain(without)
}

/// `advantage 1d20 + 5`
fn first_word_twice(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "adv" | "advantage" => Some("adv"),
        "dis" | "disadvantage" => Some("dis"),
        _ => None,
    }
}

/// `and` joins conditions; whether it adds rolls is not certain.
fn conjunction(words: &mut [String]) -> bool {
    let compares = words.iter().any(|word| word.contains(['<', '>', '=', '\u{2265}', '\u{2264}']));
    let mut changed = false;
    for word in words.iter_mut().filter(|word| word.eq_ignore_ascii_case("and")) {
        if compares {
            *word = "&&".to_owned();
            changed = true;
        }
    }
    changed
}

fn matches(words: &[String], pattern: &[&str]) -> bool {
    words.len() >= pattern.len()
        && pattern.iter().zip(words).all(|(wanted, word)| match *wanted {
            "#" => !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit()),
            "@" => is_dice(word),
            "~" => matches!(word.as_str(), ">" | ">=" | "<" | "<=" | "="),
            "*" => word.contains(|c: char| c.is_ascii_digit()),
            _ => wanted.split('|').any(|wanted| word.eq_ignore_ascii_case(wanted)),
        })
}

/// Whether a word is dice and nothing else, so that a modifier can come right after it.
fn is_dice(word: &str) -> bool {
    let die = word.trim_start_matches(|c: char| c.is_ascii_digit());
    die.starts_with(['d', 'D'])
        && die[1..].starts_with(|c: char| c.is_ascii_digit() || c == '%')
        && die.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '%' | '!'))
}

fn filled(meaning: &str, pattern: &[&str], found: &[String]) -> String {
    let captured = pattern.iter().zip(found).filter(|(wanted, _)| matches!(**wanted, "#" | "@" | "~" | "*"));
    let mut out = meaning.to_owned();
    for (number, (_, word)) in captured.enumerate() {
        out = out.replace(&format!("{{{}}}", number + 1), word);
    }
    out
}
