//! Words that are no part of the roll: a comment without its `#`, and rolls that have a name of their own.

/// Words after a roll that may change it, so that nobody knows whether they are only a comment.
const RULE_WORDS: &str = "\
    above accuracy add advantage after against all and any average before below best between botch bottom brutal \
    cap capped chance compound compounding count counting crit critical crits dc dice die difference difficulty \
    disadvantage divided double doubled drop dropping each either eight else elven empowered equal equals even \
    every except explode explodes exploding extra fail fails failure failures fighting five four glitch great \
    greater half halve halved high higher highest hits if ignore ignoring keep keeping least less lesser low lower \
    lowest lucky max maximum mean median middle min minimum minus mod modulo more most multiplied nine not odd \
    odds of once one ones open or over penetrate penetrating per plus power probability push pushed raise raises \
    range reliable remove repeat repeated reroll rerolling rerolls roll rolled rolling rolls round rounded savage \
    seven six sort sorted squared subtract success successes sum take taking target ten than then three thrice \
    threshold time times top total triple tripled twice two under unique until up down versus vs when where \
    whichever while without worst xor";

/// Short words of a sentence; other short ones may be modifiers of some tool.
const SMALL_WORDS: &[&str] =
    &["a", "an", "as", "at", "by", "for", "from", "i", "in", "is", "it", "my", "on", "our", "the", "to", "we"];

/// Rolls that players call by a name.
const ROLLS: &[(&str, &str)] =
    &[("stats", "6x(4d6kh3)"), ("coin", "d2"), ("fate", "4dF"), ("initiative", "d20"), ("percentile", "d%")];

/// More words than this are no comment but a mistake.
const LONGEST: usize = 80;

/// Words up to the end of a text that can only be a comment.
pub(super) fn comment_at_end(rest: &str) -> Option<&str> {
    let words = rest.trim_end();
    let plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | ',' | '.' | '!');
    if words.len() > LONGEST || !words.chars().all(plain) || words.contains(" -") || words.contains("- ") {
        return None;
    }
    let mut said = false;
    for word in words.split([' ', '-', ',', '.', '!']).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let small = SMALL_WORDS.contains(&lower.as_str());
        if RULE_WORDS.split(' ').any(|rule| rule == lower) || !small && lower.chars().count() < 3 {
            return None;
        }
        said |= !small;
    }
    said.then_some(words)
}

/// The roll that a text is the name of.
pub(super) fn roll_by_name(text: &str) -> Option<&'static str> {
    let name = text.trim();
    ROLLS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, roll)| *roll)
}
