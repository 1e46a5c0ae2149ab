//! Words and characters that people write for something the notation has.

use crate::nearest::nearest;

/// The modifier that letters were most likely meant to be.
pub(super) fn modifier_like(letters: &str) -> Option<&'static str> {
    const OTHERS: &[(&str, &str)] = &[
        ("hk", "kh"),
        ("lk", "kl"),
        ("hd", "dh"),
        ("ld", "dl"),
        ("h", "kh"),
        ("l", "kl"),
        ("kj", "kh"),
        ("jh", "kh"),
        ("kg", "kh"),
        ("kk", "kh"),
        ("hh", "kh"),
        ("b", "kh"),
        ("w", "kl"),
        ("keep", "kh"),
        ("drop", "dl"),
        ("highest", "kh"),
        ("lowest", "kl"),
        ("best", "kh"),
        ("worst", "kl"),
        ("explode", "!"),
        ("e", "!"),
        ("ie", "!"),
        ("ir", "r"),
        ("or", "ro"),
        ("re", "r"),
        ("reroll", "r"),
        ("sc", "cs"),
        ("fc", "cf"),
        ("c", "cs"),
        ("s", "cs"),
        ("im", "mi"),
        ("am", "ma"),
        ("a", "adv"),
        ("ad", "adv"),
        ("advantage", "adv"),
        ("disadvantage", "dis"),
        ("p", "dl"),
        ("pl", "dl"),
        ("ph", "dh"),
        ("dk", "dl"),
    ];
    let listed = OTHERS.iter().find(|(word, _)| *word == letters).map(|(_, meant)| *meant);
    let slip = if letters.len() == 2 && letters.starts_with('k') { Some("kh") } else { None };
    listed.or(slip).or_else(|| nearest(letters, ["adv", "dis", "advantage", "disadvantage"].into_iter()).map(short))
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

/// Phrases and what they are in the notation. `#` is a number, `*` any word or roll; in what they
/// become `1`, `2`, … in braces are the things found, in their order.
const PHRASES: &[(&str, &str)] = &[
    ("one *", "1{1}"),
    ("two *", "2{1}"),
    ("three *", "3{1}"),
    ("four *", "4{1}"),
    ("reroll # on *", "{2}r{1}"),
    ("reroll # *", "{2}r{1}"),
    ("if * > # then * else *", "{1} > {2} ? {3} : {4}"),
    ("if * >= # then * else *", "{1} >= {2} ? {3} : {4}"),
    ("if * < # then * else *", "{1} < {2} ? {3} : {4}"),
    ("if * <= # then * else *", "{1} <= {2} ? {3} : {4}"),
    ("if * = # then * else *", "{1} = {2} ? {3} : {4}"),
    ("roll twice and take the higher *", "{1}adv"),
    ("* with advantage", "{1}adv"),
    ("* with disadvantage", "{1}dis"),
    ("* at advantage", "{1}adv"),
    ("* at disadvantage", "{1}dis"),
    ("* advantage", "{1}adv"),
    ("* disadvantage", "{1}dis"),
    ("advantage *", "{1}adv"),
    ("disadvantage *", "{1}dis"),
    ("adv *", "{1}adv"),
    ("dis *", "{1}dis"),
    ("best # of *", "{2}kh{1}"),
    ("highest # of *", "{2}kh{1}"),
    ("top # of *", "{2}kh{1}"),
    ("worst # of *", "{2}kl{1}"),
    ("lowest # of *", "{2}kl{1}"),
    ("best of *", "{1}kh1"),
    ("highest of *", "{1}kh1"),
    ("worst of *", "{1}kl1"),
    ("lowest of *", "{1}kl1"),
    ("keep highest # of *", "{2}kh{1}"),
    ("drop lowest # of *", "{2}dl{1}"),
    ("* drop the lowest #", "{1}dl{2}"),
    ("* drop the lowest", "{1}dl1"),
    ("* drop the highest", "{1}dh1"),
    ("* drop lowest #", "{1}dl{2}"),
    ("* drop highest #", "{1}dh{2}"),
    ("* drop lowest", "{1}dl1"),
    ("* drop highest", "{1}dh1"),
    ("* drop #", "{1}dl{2}"),
    ("* keep the highest #", "{1}kh{2}"),
    ("* keep the best #", "{1}kh{2}"),
    ("* keep the lowest #", "{1}kl{2}"),
    ("* keep highest #", "{1}kh{2}"),
    ("* keep best #", "{1}kh{2}"),
    ("* keep lowest #", "{1}kl{2}"),
    ("* keep highest", "{1}kh1"),
    ("* keep best", "{1}kh1"),
    ("* keep lowest", "{1}kl1"),
    ("* keep #", "{1}kh{2}"),
    ("* take highest #", "{1}kh{2}"),
    ("* take the highest #", "{1}kh{2}"),
    ("* best #", "{1}kh{2}"),
    ("* highest #", "{1}kh{2}"),
    ("* lowest #", "{1}kl{2}"),
    ("* reroll # once", "{1}ro{2}"),
    ("* reroll #", "{1}r{2}"),
    ("* reroll ones", "{1}r1"),
    ("* exploding", "{1}!"),
    ("* explode", "{1}!"),
    ("* explodes", "{1}!"),
    ("exploding *", "{1}!"),
    ("divided by", "/"),
    ("multiplied by", "*"),
    ("plus", "+"),
    ("minus", "-"),
    ("times", "*"),
    ("mod", "%"),
    ("is at least", ">="),
    ("at least", ">="),
    ("is at most", "<="),
    ("at most", "<="),
    ("more than", ">"),
    ("greater than", ">"),
    ("less than", "<"),
    ("equals", "="),
    ("vs", ">="),
    ("not * = #", "!({1} = {2})"),
    ("not * > #", "!({1} > {2})"),
    ("not * < #", "!({1} < {2})"),
    ("not * >= #", "!({1} >= {2})"),
    ("not * <= #", "!({1} <= {2})"),
    ("or", "||"),
    ("if * then * else *", "{1} ? {2} : {3}"),
    ("roll", ""),
    ("rolling", ""),
    ("please", ""),
];

/// The text with phrases in the spelling of the notation; the same text if there are none.
pub(super) fn rephrased(text: &str) -> String {
    if text.len() > 400 || text.contains('#') {
        return text.to_owned();
    }
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let mut changed = false;
    for (phrase, meaning) in PHRASES {
        let pattern: Vec<&str> = phrase.split(' ').collect();
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

/// `and` joins conditions, or rolls that are added.
fn conjunction(words: &mut [String]) -> bool {
    let compares = words.iter().any(|word| word.contains(['<', '>', '=', '\u{2265}', '\u{2264}']));
    let mut changed = false;
    for word in words.iter_mut().filter(|word| word.eq_ignore_ascii_case("and")) {
        *word = if compares { "&&" } else { "+" }.to_owned();
        changed = true;
    }
    changed
}

fn matches(words: &[String], pattern: &[&str]) -> bool {
    words.len() >= pattern.len()
        && pattern.iter().zip(words).all(|(wanted, word)| match *wanted {
            "#" => !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit()),
            "*" => word.contains(|c: char| c.is_ascii_digit()),
            _ => word.eq_ignore_ascii_case(wanted),
        })
}

fn filled(meaning: &str, pattern: &[&str], found: &[String]) -> String {
    let captured = pattern.iter().zip(found).filter(|(wanted, _)| matches!(**wanted, "#" | "*"));
    let mut out = meaning.to_owned();
    for (number, (_, word)) in captured.enumerate() {
        out = out.replace(&format!("{{{}}}", number + 1), word);
    }
    out
}
