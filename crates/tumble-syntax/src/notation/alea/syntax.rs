//! The tree of an Alea text: a sum of pools and numbers, nothing inside anything.
//!
//! ```text
//! expression = blanks term { blanks ("+" | "-") blanks term } blanks
//! term       = pool | NUMBER
//! pool       = [ NUMBER ] die { modifier } [ count ]
//! die        = "d" ( NUMBER | "%" | "F" [ NUMBER ] | "[" INT ".." INT "]" | "{" item { "," item } "}" )
//! item       = INT | INT ".." INT
//! modifier   = "+" | "-" | "M" | "m" | explode | keep | drop
//! explode    = "!" [ "!" ] [ NUMBER ] [ die ]
//! keep       = "K" [ NUMBER ] [ mode ] | "K" mode NUMBER
//! drop       = "D" [ NUMBER ] [ mode ] | "D" mode NUMBER
//! mode       = "H" | "L" | "R"
//! count      = "C" [ "M" | "m" | "!" | (">=" | "<=" | ">" | "<") INT ]
//! ```
//!
//! What is left out is filled in (`K` is `K1R`, `d6` is `1d6`), and ranges are the right way round, so two
//! texts that only differ in spelling have the same tree.

use tumble_core::{Compare, Span};

/// A parsed expression: terms that are added and subtracted from left to right.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The terms; there is at least one, and the first is added.
    pub terms: Vec<Term>,
}

/// A term of the sum.
#[derive(Clone, Debug)]
pub struct Term {
    /// Whether it is subtracted.
    pub minus: bool,
    /// What it is.
    pub operand: Operand,
    /// Where it is, without its sign.
    pub span: Span,
}

/// What is added or subtracted.
#[derive(Clone, Debug)]
pub enum Operand {
    /// `7`
    Number(i64),
    /// `4d6K3H`
    Pool(Pool),
}

/// Equal dice and what is done with them.
#[derive(Clone, Debug)]
pub struct Pool {
    /// How many dice.
    pub dice: i64,
    /// Which die.
    pub die: Die,
    /// What is done, in the order written.
    pub modifiers: Vec<Modifier>,
    /// What is counted, if the result is not the sum.
    pub count: Option<Count>,
}

/// A die and its place.
#[derive(Clone, Debug)]
pub struct Die {
    /// Its sides.
    pub sides: Sides,
    /// Where it is, from its `d`.
    pub span: Span,
}

/// The sides of a die; each variant shows its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides {
    /// `d6`: 1 to 6
    Plain(i64),
    /// `d%`: 1 to 100
    Percent,
    /// `dF2`: -2 to 2
    Fudge(i64),
    /// `d[2..5]`
    Range(i64, i64),
    /// `d{1, 1, 5..7}`: first and last number of each item
    List(Vec<(i64, i64)>),
}

/// A modifier and its place.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// What it does.
    pub change: Change,
    /// Where it is.
    pub span: Span,
}

/// What a modifier does; each variant shows its spelling.
#[derive(Clone, Debug)]
pub enum Change {
    /// `+`
    Advantage,
    /// `-`
    Disadvantage,
    /// `M`
    Maximize,
    /// `m`
    Minimize,
    /// `!`, `!!5d4`: whether it goes on, from which number, and with which die
    Explode {
        /// `!!`: new dice explode too.
        chain: bool,
        /// From which number on; a die's largest face if nothing is said.
        from: Option<i64>,
        /// The die that is added; another of the same if nothing is said.
        with: Option<Die>,
    },
    /// `K2H`
    Keep(i64, Which),
    /// `D2H`
    Drop(i64, Which),
}

/// Which dice are kept or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// `H`
    Highest,
    /// `L`
    Lowest,
    /// `R`, or nothing
    Random,
}

/// What is counted; each variant shows its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `C`: the dice
    All,
    /// `CM`: the dice that show their largest face
    Largest,
    /// `Cm`: the dice that show their smallest face
    Smallest,
    /// `C!`: the dice that exploded
    Exploded,
    /// `C>=5`; equality is not counted
    Those(Compare, i64),
}
