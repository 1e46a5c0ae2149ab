//! Dialects: what other tools read differently, as rows of data over one grammar.
//!
//! A row says which words are modifiers and what they do, how signs are read and what a text may be wrapped in. The parser
//! asks the row and makes the same tree for the same meaning, whatever it is spelled like, so lowering knows no dialect;
//! what only one tool can say has a form of its own in the tree.

use super::dicemaiden::{ALIASES, Flat};
use super::syntax::{Bound, Cap, Compare, Deduct, Keep, Order, Together, Twice};

/// The faces of `dc`, a coin.
pub(super) const COIN: [(i64, i64); 2] = [(0, 0), (1, 1)];

/// The faces of `dF.1`, which has one plus and one minus.
pub(super) const FUDGE_ONE: [(i64, i64); 6] = [(-1, -1), (0, 0), (0, 0), (0, 0), (0, 0), (1, 1)];

/// What a word after dice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Each die is rolled twice.
    Twice(Twice),
    /// Some of the dice stay; the number is 1 if there is none.
    Keep(Keep),
    /// Dice are raised or lowered to a number.
    Bound(Bound),
    /// Dice are rerolled.
    Reroll(Cap),
    /// Dice explode.
    Explode(Cap),
    /// Dice that meet a condition count as much.
    Count(i64),
    /// Dice that meet a condition are pointed out; the total stays the same.
    Mark,
    /// Dice are shown in order.
    Sort(Order),
    /// A die that shows what an earlier one shows is rerolled, perhaps only once.
    Unique(bool),
    /// Dice that meet a condition are taken away from the result.
    Deduct(Deduct),
    /// Some of the highest or lowest dice are rerolled once.
    RerollEnd(Keep),
    /// One more die if any meets a condition.
    Another,
    /// One more die.
    AnotherAnyway,
    /// Even or odd dice are counted.
    Parity(bool),
    /// Only dice that meet a condition stay, or if not, go: `k1`, `p<3`.
    Select(bool),
    /// The total less a number.
    Margin,
    /// Matching faces are counted.
    Matches,
    /// A die that meets a condition takes another one away.
    Implode,
    /// More dice, of which as many are dropped at once.
    Extra(Keep),
    /// The dice in the middle stay.
    Middle,
    /// All dice are counted together.
    Together(Together),
}

/// What a condition is when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// A mistake.
    Needed,
    /// The lowest face.
    Lowest,
    /// The highest face.
    Highest,
}

/// What is done with the dice of the only item of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoneGroup {
    /// Nothing: it is an item like any other.
    None,
    /// They are kept and dropped one by one.
    Keep,
    /// Everything.
    All,
}

/// A word, what it does and what it does alone.
pub(super) type Row = (&'static str, Word, Bare);

/// How one tool reads a text.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Its name as a notation.
    pub(super) name: &'static str,
    /// What people call the tool.
    pub(super) title: &'static str,
    /// Words that begin a modifier; of those that mean the same the usual one comes first.
    pub(super) words: &'static [Row],
    /// What may come in front: `/roll`.
    pub(super) commands: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub(super) comments: &'static [&'static str],
    /// Whether anything after the roll is a comment.
    pub(super) trailing: bool,
    /// Whether `>5` and `<5` in a condition include the 5.
    pub(super) inclusive: bool,
    /// Whether a comparison that touches dice counts them.
    pub(super) targets: bool,
    /// Whether totals are compared, and conditions joined.
    pub(super) tests: bool,
    /// Whether `!` explodes.
    pub(super) bang: bool,
    /// Whether `!=5` explodes on 5.
    pub(super) bang_equal: bool,
    /// Whether modifiers have an order of their own, and keep and drop both look at all dice.
    pub(super) ordered: bool,
    /// Whether counting comes last, wherever it is written.
    pub(super) counts_last: bool,
    /// Whether `d%` shows tens from 0 to 90.
    pub(super) tens: bool,
    /// Whether a quotient keeps its fraction.
    pub(super) fractions: bool,
    /// Whether the result of all is rounded toward zero.
    pub(super) whole_result: bool,
    /// How many decimals the result of all has at most.
    pub(super) decimals: Option<i64>,
    /// Whether `a // b` is a division that is rounded down.
    pub(super) floors: bool,
    /// How often a die that would roll for ever is rolled again.
    pub(super) gives_up: Option<u64>,
    /// Whether `(1,)` is a set.
    pub(super) loose_sets: bool,
    /// Whether a blank may come before a modifier.
    pub(super) spaced: bool,
    /// Which modifiers of a group with one item apply to the dice in it.
    pub(super) lone_group: LoneGroup,
    /// What is different where a text is one list of dice, modifiers and numbers.
    pub(super) flat: Option<&'static Flat>,
}

const KEEP: [Row; 4] = [
    ("kh", Word::Keep(Keep::High), Bare::Needed),
    ("kl", Word::Keep(Keep::Low), Bare::Needed),
    ("dh", Word::Keep(Keep::ButHigh), Bare::Needed),
    ("dl", Word::Keep(Keep::ButLow), Bare::Needed),
];

/// The everyday notation.
pub(super) static TABLETOP: Dialect = Dialect {
    name: "tabletop",
    title: "Tumble",
    words: &[
        ("adv", Word::Twice(Twice::Advantage), Bare::Needed),
        ("dis", Word::Twice(Twice::Disadvantage), Bare::Needed),
        KEEP[0],
        KEEP[1],
        KEEP[2],
        KEEP[3],
        ("k", Word::Keep(Keep::High), Bare::Needed),
        ("d", Word::Keep(Keep::ButLow), Bare::Needed),
        ("r", Word::Reroll(Cap::None), Bare::Lowest),
        ("rr", Word::Reroll(Cap::None), Bare::Lowest),
        ("ro", Word::Reroll(Cap::Once), Bare::Lowest),
        ("mi", Word::Bound(Bound::Least), Bare::Needed),
        ("min", Word::Bound(Bound::Least), Bare::Needed),
        ("ma", Word::Bound(Bound::Most), Bare::Needed),
        ("max", Word::Bound(Bound::Most), Bare::Needed),
        ("cs", Word::Count(1), Bare::Highest),
        ("cf", Word::Count(-1), Bare::Lowest),
        ("f", Word::Count(-1), Bare::Needed),
        ("even", Word::Parity(true), Bare::Needed),
        ("odd", Word::Parity(false), Bare::Needed),
        ("km", Word::Keep(Keep::Middle), Bare::Needed),
        ("u", Word::Unique(false), Bare::Needed),
        ("uo", Word::Unique(true), Bare::Needed),
        ("mt", Word::Matches, Bare::Needed),
        ("s", Word::Sort(Order::Ascending), Bare::Needed),
        ("sa", Word::Sort(Order::Ascending), Bare::Needed),
        ("sd", Word::Sort(Order::Descending), Bare::Needed),
        ("m", Word::Sort(Order::Ascending), Bare::Needed),
    ],
    commands: &["/roll", "/r", "!roll", "!r"],
    comments: &["#"],
    trailing: false,
    inclusive: false,
    targets: false,
    tests: true,
    bang: true,
    bang_equal: false,
    lone_group: LoneGroup::None,
    ordered: false,
    counts_last: false,
    tens: false,
    fractions: false,
    whole_result: false,
    decimals: None,
    floors: false,
    gives_up: None,
    loose_sets: false,
    spaced: true,
    flat: None,
};

/// Roll20, by its Dice Reference.
pub(super) static ROLL20: Dialect = Dialect {
    name: "roll20",
    title: "Roll20",
    words: &[
        KEEP[0],
        KEEP[1],
        KEEP[2],
        KEEP[3],
        ("ro", Word::Reroll(Cap::Once), Bare::Lowest),
        ("cs", Word::Mark, Bare::Highest),
        ("cf", Word::Mark, Bare::Lowest),
        ("sa", Word::Sort(Order::Ascending), Bare::Needed),
        ("sd", Word::Sort(Order::Descending), Bare::Needed),
        ("k", Word::Keep(Keep::High), Bare::Needed),
        ("d", Word::Keep(Keep::ButLow), Bare::Needed),
        ("r", Word::Reroll(Cap::None), Bare::Lowest),
        ("s", Word::Sort(Order::Ascending), Bare::Needed),
        ("f", Word::Count(-1), Bare::Needed),
        ("m", Word::Sort(Order::Ascending), Bare::Needed),
        ("mt", Word::Matches, Bare::Needed),
    ],
    commands: &["/roll", "/r", "/gmroll", "/gr", "/gmr"],
    comments: &["#", "\\"],
    trailing: true,
    inclusive: true,
    targets: true,
    tests: false,
    lone_group: LoneGroup::All,
    counts_last: true,
    fractions: true,
    ..TABLETOP_FLAGS
};

/// Foundry Virtual Tabletop, by its manual.
pub(super) static FOUNDRY: Dialect = Dialect {
    name: "foundry",
    title: "Foundry",
    words: &[
        ("even", Word::Parity(true), Bare::Needed),
        ("min", Word::Bound(Bound::Least), Bare::Needed),
        ("max", Word::Bound(Bound::Most), Bare::Needed),
        ("odd", Word::Parity(false), Bare::Needed),
        KEEP[0],
        KEEP[1],
        KEEP[2],
        KEEP[3],
        ("rr", Word::Reroll(Cap::None), Bare::Lowest),
        ("xo", Word::Explode(Cap::Once), Bare::Highest),
        ("cs", Word::Count(1), Bare::Highest),
        ("cf", Word::Count(1), Bare::Lowest),
        ("df", Word::Deduct(Deduct::One), Bare::Lowest),
        ("sf", Word::Deduct(Deduct::Face), Bare::Lowest),
        ("ms", Word::Margin, Bare::Needed),
        ("k", Word::Keep(Keep::High), Bare::Needed),
        ("d", Word::Keep(Keep::ButLow), Bare::Needed),
        ("r", Word::Reroll(Cap::Once), Bare::Lowest),
        ("x", Word::Explode(Cap::None), Bare::Highest),
        ("c", Word::Count(1), Bare::Needed),
    ],
    commands: &[
        "/roll",
        "/r",
        "/publicroll",
        "/pr",
        "/gmroll",
        "/gmr",
        "/blindroll",
        "/broll",
        "/br",
        "/selfroll",
        "/sr",
    ],
    bang: false,
    counts_last: true,
    fractions: true,
    ..TABLETOP_FLAGS
};

/// Avrae and its library d20.
pub(super) static AVRAE: Dialect = Dialect {
    name: "avrae",
    title: "Avrae",
    words: &[
        ("kh", Word::Keep(Keep::High), Bare::Needed),
        ("kl", Word::Keep(Keep::Low), Bare::Needed),
        ("ph", Word::Keep(Keep::ButHigh), Bare::Needed),
        ("pl", Word::Keep(Keep::ButLow), Bare::Needed),
        ("rr", Word::Reroll(Cap::None), Bare::Needed),
        ("ro", Word::Reroll(Cap::Once), Bare::Needed),
        ("roh", Word::RerollEnd(Keep::High), Bare::Needed),
        ("rol", Word::RerollEnd(Keep::Low), Bare::Needed),
        ("ra", Word::Another, Bare::Needed),
        ("rah", Word::AnotherAnyway, Bare::Needed),
        ("ral", Word::AnotherAnyway, Bare::Needed),
        ("mi", Word::Bound(Bound::Least), Bare::Needed),
        ("ma", Word::Bound(Bound::Most), Bare::Needed),
        ("k", Word::Select(true), Bare::Needed),
        ("p", Word::Select(false), Bare::Needed),
        ("e", Word::Explode(Cap::None), Bare::Needed),
    ],
    commands: &["!roll", "!r", "/roll", "/r"],
    bang: false,
    tens: true,
    fractions: true,
    whole_result: true,
    floors: true,
    loose_sets: true,
    ..TABLETOP_FLAGS
};

/// RPG Dice Roller, by its documentation.
pub(super) static RPG_DICE_ROLLER: Dialect = Dialect {
    name: "rpg-dice-roller",
    title: "RPG Dice Roller",
    words: &[
        ("min", Word::Bound(Bound::Least), Bare::Needed),
        ("max", Word::Bound(Bound::Most), Bare::Needed),
        KEEP[0],
        KEEP[1],
        KEEP[2],
        KEEP[3],
        ("ro", Word::Reroll(Cap::Once), Bare::Lowest),
        ("cs", Word::Mark, Bare::Highest),
        ("cf", Word::Mark, Bare::Lowest),
        ("sa", Word::Sort(Order::Ascending), Bare::Needed),
        ("sd", Word::Sort(Order::Descending), Bare::Needed),
        ("k", Word::Keep(Keep::High), Bare::Needed),
        ("d", Word::Keep(Keep::ButLow), Bare::Needed),
        ("r", Word::Reroll(Cap::None), Bare::Lowest),
        ("s", Word::Sort(Order::Ascending), Bare::Needed),
        ("f", Word::Count(-1), Bare::Needed),
        ("u", Word::Unique(false), Bare::Needed),
        ("uo", Word::Unique(true), Bare::Needed),
    ],
    commands: &[],
    comments: &["//", "/*", "#"],
    targets: true,
    tests: false,
    bang_equal: true,
    spaced: false,
    lone_group: LoneGroup::Keep,
    ordered: true,
    counts_last: true,
    fractions: true,
    decimals: Some(2),
    gives_up: Some(1000),
    ..TABLETOP_FLAGS
};

/// DiceMaiden, by its list of commands.
pub(super) static DICEMAIDEN: Dialect = Dialect {
    name: "dicemaiden",
    title: "DiceMaiden",
    words: &[
        ("k", Word::Keep(Keep::High), Bare::Needed),
        ("kl", Word::Keep(Keep::Low), Bare::Needed),
        ("km", Word::Middle, Bare::Needed),
        ("d", Word::Keep(Keep::ButLow), Bare::Needed),
        ("adv", Word::Extra(Keep::ButLow), Bare::Needed),
        ("dis", Word::Extra(Keep::ButHigh), Bare::Needed),
        ("r", Word::Reroll(Cap::Once), Bare::Needed),
        ("ir", Word::Reroll(Cap::None), Bare::Needed),
        ("rg", Word::Reroll(Cap::Once), Bare::Needed),
        ("irg", Word::Reroll(Cap::None), Bare::Needed),
        ("e", Word::Explode(Cap::Once), Bare::Highest),
        ("ie", Word::Explode(Cap::None), Bare::Highest),
        ("i", Word::Implode, Bare::Lowest),
        ("t", Word::Count(1), Bare::Needed),
        ("tl", Word::Count(1), Bare::Needed),
        ("f", Word::Count(-1), Bare::Needed),
        ("c", Word::Together(Together::TensForOnes), Bare::Lowest),
        ("vtm", Word::Together(Together::PairsOfTens), Bare::Lowest),
        ("sil", Word::Together(Together::ExtraSixes), Bare::Lowest),
        ("b", Word::Mark, Bare::Lowest),
        ("cpd", Word::Mark, Bare::Lowest),
        ("cs", Word::Mark, Bare::Lowest),
        ("dh", Word::Mark, Bare::Lowest),
        ("dheart", Word::Mark, Bare::Lowest),
        ("gbs", Word::Mark, Bare::Lowest),
        ("hsh", Word::Mark, Bare::Lowest),
        ("hsn", Word::Mark, Bare::Lowest),
        ("shadowrun", Word::Mark, Bare::Lowest),
        ("tdh", Word::Mark, Bare::Lowest),
    ],
    commands: &["/roll", "/r", "!roll", "!r"],
    comments: &["!"],
    flat: Some(&Flat {
        flags: &["p", "s", "nr", "ul"],
        upward: &["e", "ie", "rg", "irg", "t"],
        aliases: ALIASES,
        sets: (2, 20),
        rolls: 4,
    }),
    ..TABLETOP_FLAGS
};

/// What most dialects have in common with the everyday notation.
const TABLETOP_FLAGS: Dialect = Dialect {
    name: "",
    title: "",
    words: &[],
    commands: &["/roll", "/r", "!roll", "!r"],
    comments: &["#"],
    trailing: false,
    inclusive: false,
    targets: false,
    tests: true,
    bang: true,
    bang_equal: false,
    lone_group: LoneGroup::None,
    ordered: false,
    counts_last: false,
    tens: false,
    fractions: false,
    whole_result: false,
    decimals: None,
    floors: false,
    gives_up: None,
    loose_sets: false,
    spaced: true,
    flat: None,
};

/// The tools whose readings are compared with ours.
pub(super) static OTHERS: [&Dialect; 4] = [&ROLL20, &FOUNDRY, &AVRAE, &RPG_DICE_ROLLER];

impl Dialect {
    /// Whether this is the everyday notation, which has names, several rolls, repeats, weights and other faces.
    pub(super) fn everyday(&self) -> bool {
        self.name == TABLETOP.name
    }

    /// What a word does here.
    pub(super) fn word(&self, word: &str) -> Option<&'static Row> {
        self.words.iter().find(|(known, ..)| *known == word)
    }

    /// The longest word that letters begin with.
    pub(super) fn first_word(&self, letters: &str) -> Option<&'static Row> {
        self.words.iter().filter(|(word, ..)| letters.starts_with(word)).max_by_key(|(word, ..)| word.len())
    }

    /// How something is said here.
    pub(super) fn spelling(&self, wanted: Word) -> Option<&'static str> {
        self.words.iter().find(|(_, does, _)| *does == wanted).map(|(word, ..)| *word)
    }

    /// A comparison inside a condition.
    pub(super) fn condition(&self, by: Compare) -> Compare {
        match by {
            Compare::More if self.inclusive => Compare::AtLeast,
            Compare::Less if self.inclusive => Compare::AtMost,
            other => other,
        }
    }
}
