//! What a dialect writes and what that is in the everyday notation, made from its row: the table of its page in the book.

use super::dialect::{Bare, DICEMAIDEN, Dialect, LoneGroup, OTHERS, TABLETOP, Word};
use super::dicemaiden::{Alias, Meaning};
use super::parse::attempt;
use super::spell::spell_in;
use super::syntax::{Bound, Cap, Deduct, Keep, Twice};

/// A piece of a dialect with an example.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What this is about.
    pub group: &'static str,
    /// An example as the tool reads it.
    pub there: String,
    /// What it means.
    pub meaning: String,
    /// The same in the everyday notation, if that has words for it.
    pub here: Option<String>,
    /// Whether the everyday notation reads the example like that.
    pub same: bool,
}

/// Every piece of the dialect with this name; none if there is no such dialect.
pub fn differences(name: &str) -> Vec<Difference> {
    let mut all = OTHERS.into_iter().chain([&DICEMAIDEN]);
    let Some(dialect) = all.find(|dialect| dialect.name == name) else { return vec![] };
    let words = dialect.words.iter().flat_map(|(word, does, bare)| worded(dialect, word, *does, *bare));
    let games = dialect.flat.iter().flat_map(|flat| flat.aliases).filter_map(game);
    // Of a list worked through from left to right, the words are told on its page, and the games here.
    let words = words.chain(flags(dialect)).filter(|_| dialect.flat.is_none());
    words.chain(games).filter_map(|(group, there, meaning)| made(dialect, group, there, meaning)).collect()
}

/// A group, an example and its meaning.
type Entry = (&'static str, String, String);

/// A roll with a name, with numbers in its holes; only those whose meaning is a text of the same tool.
fn game((pattern, meaning): &Alias) -> Option<Entry> {
    let filled = |text: &str| {
        let holes = [("<n>", "4"), ("<m>", "2"), ("<k>", "1"), ("<t>", "8")];
        holes.iter().fold(text.to_owned(), |text, (hole, number)| text.replace(hole, number))
    };
    let Meaning::Own(text) = meaning else { return None };
    let (there, text) = (filled(pattern), filled(text));
    let open = |text: &str| text.contains('<');
    (!open(&there) && !open(&text)).then(|| ("games", there, format!("`{text}`")))
}

/// An entry with its spelling here; what the tool itself refuses is left out.
fn made(dialect: &'static Dialect, group: &'static str, there: String, meaning: String) -> Option<Difference> {
    let tree = attempt(dialect, &there).ok()?;
    let here = spell_in(&TABLETOP, &tree);
    let ours = attempt(&TABLETOP, &there).ok().and_then(|tree| spell_in(&TABLETOP, &tree));
    let same = here.is_some() && here == ours;
    Some(Difference { group, there, meaning, here, same })
}

/// A word with a number or a condition, and alone where it needs none.
fn worded(dialect: &Dialect, word: &str, does: Word, bare: Bare) -> Vec<Entry> {
    let target = if dialect.targets { ">=8" } else { "cs>=8" };
    let target = if dialect.inclusive { ">8" } else { target };
    let (group, there, meaning) = match does {
        Word::Twice(twice) => ("keep and drop", format!("d20{word}"), twice_words(twice)),
        Word::Keep(keep) => return vec![kept(word, keep)],
        Word::Select(true) => ("keep and drop", format!("4d6{word}6"), "keep dice that show 6".into()),
        Word::Select(false) => ("keep and drop", format!("4d6{word}1"), "drop dice that show 1".into()),
        Word::Bound(Bound::Least) => ("bounds", format!("4d6{word}2"), "a die below 2 counts as 2".into()),
        Word::Bound(Bound::Most) => ("bounds", format!("4d6{word}5"), "a die above 5 counts as 5".into()),
        Word::Reroll(cap) => {
            let often = if cap == Cap::Once { "once" } else { "until it is gone" };
            ("reroll", format!("4d6{word}1"), format!("reroll every 1, {often}"))
        }
        Word::RerollEnd(end) => ("reroll", format!("4d6{word}1"), format!("reroll the {} die once", end_words(end))),
        Word::Unique(once) => {
            let often = if once { "once" } else { "until all are different" };
            ("reroll", format!("4d6{word}"), format!("reroll dice that show what another shows, {often}"))
        }
        Word::Explode(cap) => {
            let often = if cap == Cap::Once { "; the new dice don't" } else { "" };
            ("explode", format!("4d6{word}6"), format!("dice that show 6 explode{often}"))
        }
        Word::Another => ("explode", format!("4d6{word}6"), "one more die if any shows 6".into()),
        Word::AnotherAnyway => ("explode", format!("2d6{word}1"), "one more die".into()),
        Word::Count(1) => ("count", format!("6d10{word}>=8"), "count dice that show 8 or more".into()),
        Word::Count(_) => ("count", format!("6d10{target}{word}1"), "each 1 subtracts a success".into()),
        Word::Deduct(Deduct::One) => ("count", format!("6d10{target}{word}=1"), "each 1 counts as -1".into()),
        Word::Deduct(Deduct::Face) => ("count", format!("4d6{word}<3"), "dice below 3 are subtracted".into()),
        Word::Mark => ("count", format!("1d20{word}20"), "mark a die; the total stays the same".into()),
        Word::Sort(_) => ("order", format!("4d6{word}"), "show the dice in order".into()),
        Word::Parity(even) => {
            ("count", format!("6d6{word}"), format!("count {} dice", if even { "even" } else { "odd" }))
        }
        Word::Margin => ("count", format!("2d6{word}7"), "by how much the total beats 7".into()),
        Word::Matches => ("count", format!("5d6{word}"), "count faces that at least two dice show".into()),
        // Only lists have these, whose page is written by hand.
        Word::Implode | Word::Extra(_) | Word::Middle | Word::Together(_) => return vec![],
    };
    let alone = match (does, bare) {
        (_, Bare::Needed) | (Word::Deduct(_), _) => None,
        (Word::Mark, _) => None,
        (_, Bare::Lowest) => Some((group, format!("4d6{word}"), format!("`{word}` alone means the lowest face"))),
        (_, Bare::Highest) => Some((group, format!("4d6{word}"), format!("`{word}` alone means the highest face"))),
    };
    [(group, there, meaning)].into_iter().chain(alone).collect()
}

fn twice_words(twice: Twice) -> String {
    let which = if twice == Twice::Advantage { "higher" } else { "lower" };
    format!("roll twice and keep the {which}")
}

fn end_words(end: Keep) -> &'static str {
    if matches!(end, Keep::High | Keep::ButHigh) { "highest" } else { "lowest" }
}

fn kept(word: &str, keep: Keep) -> Entry {
    let (n, meaning) = match keep {
        Keep::High | Keep::Low => (3, format!("keep the 3 {} dice", end_words(keep))),
        Keep::ButHigh | Keep::ButLow => (1, format!("drop the {} die", end_words(keep))),
        Keep::Middle => (2, "keep the 2 dice in the middle".to_owned()),
    };
    ("keep and drop", format!("4d6{word}{n}"), meaning)
}

/// What is read differently without being a word.
fn flags(dialect: &Dialect) -> Vec<Entry> {
    let entry = |on: bool, group, there: &str, meaning: &str| on.then(|| (group, there.to_owned(), meaning.to_owned()));
    let limited = dialect.word("x").is_some();
    let entries = [
        entry(dialect.bang, "explode", "3d6!", "dice that show the highest face explode"),
        entry(dialect.bang, "explode", "3d6!!", "extra rolls are added to the same die"),
        entry(dialect.bang, "explode", "3d6!p", "each extra die counts one less"),
        entry(dialect.bang && dialect.inclusive, "explode", "3d6!>5", "`>` includes the number"),
        entry(dialect.bang && !dialect.inclusive, "explode", "3d6!>4", "`>` leaves the number out"),
        entry(dialect.bang_equal, "explode", "3d6!=5", "5 explodes"),
        entry(limited, "explode", "6d10x2=10", "at most 2 dice explode"),
        entry(limited, "reroll", "6d10r1=1", "at most one die is rerolled"),
        entry(dialect.inclusive, "reroll", "2d8r<2", "`<` includes the number"),
        entry(dialect.lone_group == LoneGroup::All, "reroll", "2d8r1r3", "until neither 1 nor 3 shows"),
        entry(dialect.loose_sets, "reroll", "2d8rr1rr3", "until neither 1 nor 3 shows"),
        entry(dialect.targets && dialect.inclusive, "count", "5d10>8", "count dice that show 8 or more"),
        entry(dialect.targets && !dialect.inclusive, "count", "5d10>=8", "count dice that show 8 or more"),
        entry(dialect.tests, "comparison", "2d6 >= 7", "compare the total: 1 or 0"),
        entry(dialect.ordered, "order", "4d6kh3!", "dice explode before any are kept"),
        entry(dialect.ordered, "keep and drop", "4d6kh2dl3", "keep and drop both look at all dice"),
        entry(dialect.loose_sets, "keep and drop", "6d6kh2kl1", "selections are joined"),
        entry(!dialect.loose_sets, "groups", "{2d6, 1d8}kh1", "keep the higher of two totals"),
        entry(dialect.loose_sets, "groups", "(2d6, 1d8)kh1", "keep the higher of two totals"),
        entry(dialect.lone_group != LoneGroup::None, "groups", "{4d6}kh3", "one item alone: its dice are kept"),
        entry(dialect.lone_group == LoneGroup::All, "groups", "{4d6 + 2d8}kh3", "the best dice of both"),
        entry(dialect.tens, "dice", "1d%", "0, 10, 20 up to 90"),
        entry(!dialect.tens, "dice", "1d%", "a die with 100 sides"),
        entry(dialect.floors, "arithmetic", "4d6 // 3", "divide and round down"),
        entry(true, "arithmetic", "floor(4d6 / 3)", "divide and round down"),
    ];
    let comments = dialect.comments.iter().map(|sign| {
        let close = if *sign == "/*" { " */" } else { "" };
        ("comments", format!("2d6 {sign} fire{close}"), "a comment".to_owned())
    });
    let commands =
        dialect.commands.first().map(|word| ("comments", format!("{word} 2d6"), "a command in front".to_owned()));
    let trailing = entry(dialect.trailing, "comments", "2d6 fire damage", "words after the roll are a comment");
    entries.into_iter().flatten().chain(comments).chain(trailing).chain(commands).collect()
}
