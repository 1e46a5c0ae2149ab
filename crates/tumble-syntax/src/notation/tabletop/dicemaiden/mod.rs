//! DiceMaiden, the Discord bot, by its list of commands: one list of dice, modifiers and numbers, worked through from left
//! to right, and rolls of many games under names of their own.
//!
//! ```text
//! text  = roll { ";" roll }
//! roll  = [ command ] { flag } [ sets ] { flag } [ "(" label ")" ] first { step } [ "!" comment ]
//! first = dice | NUMBER sign dice | name
//! step  = modifier | sign ( NUMBER | dice { modifier } )
//! ```

mod aliases;
mod assemble;
mod earthdawn;
mod expand;
mod parse;
mod spell;

pub(super) use aliases::ALIASES;
pub(super) use parse::attempt;
pub(super) use spell::spell;

/// How a name is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// As this text of the same tool.
    Own(&'static str),
    /// As this text in the everyday notation, which can say more.
    Everyday(&'static str),
    /// Not at all, for this reason.
    Refused(&'static str),
}

/// A pattern and its meaning. Both have holes:
///
/// ```text
/// <n>        a number; <A> is a single digit
/// <n+1>      in a meaning, this number and one more; <n-1> one less
/// <+n>       a number with its sign, or nothing
/// <adv>      `+` or `-` in front, or nothing: two d20, of which one is kept, or one
/// <rank:n>   in a meaning, what a table has for this number; without a row, the pattern does not match
/// ```
///
/// A blank stands for any number of them.
pub(super) type Alias = (&'static str, Meaning);

/// Texts by number.
type Table = &'static [(i64, &'static str)];

/// What differs in a tool whose texts are such lists.
#[derive(Debug)]
pub(super) struct Flat {
    /// Words in front that only change what is shown.
    pub(super) flags: &'static [&'static str],
    /// Words whose number means that number or more; for others it is that number or less.
    pub(super) upward: &'static [&'static str],
    /// Rolls with a name.
    pub(super) aliases: &'static [Alias],
    /// The fewest and the most rolls of a set.
    pub(super) sets: (i64, i64),
    /// The most rolls with `;` between them.
    pub(super) rolls: usize,
}
