//! The syntax tree of the everyday notation.
//!
//! ```text
//! text     = [ "/r" | "/roll" ] item { ";" item } [ ";" ] | { bind } NUMBER "x" "(" block ")"
//! item     = { bind } expr
//! bind     = "[" NAME ":" block "]" | NAME ":=" block ";"
//! block    = { bind } expr
//! expr     = or [ "?" expr ":" expr ]            or  = and { "||" and }
//! and      = test { "&&" test }                  test = sum [ compare sum ]
//! sum      = product { ("+" | "-") product }     product = unary { ("*" | "/" | "%") unary }
//! unary    = { "-" | "!" | "+" } power           power = term [ ("**" | "^") unary ]
//! term     = operand { "[" LABEL "]" }
//! operand  = NUMBER | "@" NAME | NAME | dice | FUNCTION "(" block { "," block } ")" | "(" block ")" | "[[" block "]]"
//! dice     = ( [ count ] "d" sides | group | count "(" block ")" ) { modifier }
//! group    = "{" block { "," block } "}" | "(" block "," block { "," block } ")"
//! count    = NUMBER | "@" NAME | "(" block ")"
//! sides    = NUMBER | "@" NAME | "(" block ")" | "%" | "F" [ ".1" | ".2" ] | "c" | "[" block ".." block "]"
//!          | "{" face { "," face } "}"
//! face     = number [ ".." number ]
//! modifier = ("kh" | "kl" | "dh" | "dl") [ value ] | "adv" | "dis" | ("mi" | "ma") value
//!          | ("r" | "ro") condition [ "x" NUMBER ] | "!" ["!"] ["p"] ["o"] [ condition ] [ "x" NUMBER ]
//!          | "cs" condition { "," number ":" number } | "cf" condition | "even" | "odd" | "s" | "sa" | "sd"
//! ```
//!
//! Parentheses leave no node.

pub use crate::tree::NodeId;
pub use tumble_core::Compare;
use tumble_core::Span;

/// The table of nodes.
pub type Nodes = crate::tree::Nodes<Expr>;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All its expressions.
    pub nodes: Nodes,
    /// What it binds and rolls, in the order written.
    pub items: Vec<Item>,
    /// How often the only roll is made, if that is given: `6x(…)`.
    pub times: Option<(i64, Span)>,
    /// Its comments, without the `#`.
    pub comments: Vec<(String, Span)>,
    /// Whether words after it were left out of it.
    pub ignored: bool,
}

/// A part of an expression between two `;`.
#[derive(Clone, Debug)]
pub enum Item {
    /// `[A: d20]`, `a := d20;`
    Bind(Binding),
    /// `d20 + 5`
    Roll(NodeId),
}

/// A name and its value.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name as written.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// Whether it is in brackets.
    pub bracket: bool,
    /// The value.
    pub value: NodeId,
}

/// The forms of an expression; each variant shows its spelling.
#[derive(Clone, Debug)]
pub enum Expr {
    /// `7`
    Number(i64),
    /// `@skill.stealth`
    Value(String),
    /// `atk`
    Name(String),
    /// `4d6kh3`
    Dice(Box<Dice>),
    /// `max(a, b)`
    Call(Function, Vec<NodeId>),
    /// `-a`, `!a`
    Prefix(Prefix, NodeId),
    /// `a + b`
    Infix(Infix, NodeId, NodeId),
    /// `a ? b : c`
    Choice(NodeId, NodeId, NodeId),
    /// `a[fire]`
    Label(NodeId, String),
    /// `([A: d20] A + A)`
    Block(Vec<Binding>, NodeId),
}

/// Dice and what is done with them.
#[derive(Clone, Debug)]
pub struct Dice {
    /// Where the dice come from.
    pub source: Source,
    /// What is done with them, from left to right, and where it is written.
    pub modifiers: Vec<(Modifier, Span)>,
}

/// Where the members of a pool come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// `4d6`
    Roll(Option<NodeId>, Sides),
    /// `{2d6, d8}`
    Group(Vec<NodeId>),
    /// `3(d6 + 1)`
    Times(NodeId, NodeId),
    /// The dice of several terms as one pool; Roll20's `{4d6 + 3d8}`.
    Union(Vec<NodeId>),
}

/// The faces of a die.
#[derive(Clone, Debug)]
pub enum Sides {
    /// `d6`, `d(2 * 3)`
    Upto(NodeId),
    /// `d%`
    Percent,
    /// `dF`
    Fudge,
    /// `d[-1..1]`
    Range(NodeId, NodeId),
    /// `d{1, 1, 5..7}`: from the first to the second, which are the same for one face.
    List(Vec<(i64, i64)>),
}

/// What is done with dice.
#[derive(Clone, Debug)]
pub enum Modifier {
    /// `kh3`, `dl1`
    Keep(Keep, Arg),
    /// `adv`, `dis`
    Twice(Twice),
    /// `r<3x2`, `ro1`
    Reroll(Test, Cap),
    /// `!`, `!!>=5`
    Explode(Explode),
    /// `mi2`, `ma5`
    Bound(Bound, Arg),
    /// `cs>=8,10:2`
    Successes(Test, Vec<(i64, i64)>),
    /// `cf=1`
    Failures(Test),
    /// `even`, `odd`: how many show such a face.
    Parity(Parity),
    /// `s`, `sa`, `sd`: changes nothing but the order in which dice are shown.
    Sort,
    /// Only dice that meet one of these conditions stay; Avrae's `k1k2` and `p<3`.
    Only(Vec<Test>),
    /// How many faces are shown by at least so many dice; Roll20's `mt3`.
    Matches(i64, Option<Test>),
    /// Rerolled while any of these holds; Roll20's `r1r3`.
    RerollAny(Vec<Test>),
}

/// Which faces are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// `even`
    Even,
    /// `odd`
    Odd,
}

/// Which dice stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// `kh`
    High,
    /// `kl`
    Low,
    /// `dh`
    ButHigh,
    /// `dl`
    ButLow,
}

/// Which of two rolls counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twice {
    /// `adv`
    Advantage,
    /// `dis`
    Disadvantage,
}

/// Which way a die is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `mi`
    Least,
    /// `ma`
    Most,
}

/// `!` and what may follow it.
#[derive(Clone, Debug)]
pub struct Explode {
    /// `!!`: into the same die.
    pub compound: bool,
    /// `!p`: extra dice count one less.
    pub penetrate: bool,
    /// What makes a die explode; without it, the largest face.
    pub test: Option<Test>,
    /// How often.
    pub cap: Cap,
}

/// How often a die may be rolled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Without end.
    None,
    /// `ro`, `!o`
    Once,
    /// `x3`
    Most(u64),
}

/// A condition on a die.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// How it is compared.
    pub by: Compare,
    /// With what.
    pub arg: Arg,
}

/// A number of a modifier.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// `3`, `-1`
    Number(i64),
    /// `(2 + 1)`, `@n`
    Value(NodeId),
}

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `abs(a)`
    Abs,
    /// `floor(a / b)`
    Floor,
    /// `ceil(a / b)`
    Ceil,
    /// `round(a / b)`
    Round,
    /// `sign(a)`
    Sign,
    /// `pow(a, b)`, `a ** b`
    Pow,
}

impl Function {
    /// All of them with their words.
    pub const ALL: [(&'static str, Function); 8] = [
        ("min", Function::Min),
        ("max", Function::Max),
        ("abs", Function::Abs),
        ("floor", Function::Floor),
        ("ceil", Function::Ceil),
        ("round", Function::Round),
        ("sign", Function::Sign),
        ("pow", Function::Pow),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Function::ALL.iter().find(|(_, function)| *function == self).map_or("", |(word, _)| word)
    }
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `-a`
    Minus,
    /// `!a`
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a < b`
    Compare(Compare),
    /// `a + b`
    Plus,
    /// `a - b`
    Minus,
    /// `a * b`
    Times,
    /// `a / b`
    Over,
    /// `a % b`
    Modulo,
}

/// The level of `a ? b : c`.
pub(super) const CHOICE: u8 = 0;
/// The level of comparisons, which do not stand beside each other.
pub(super) const COMPARISON: u8 = 3;
/// The level of `-a` and `!a`.
pub(super) const UNARY: u8 = 6;
/// The level of what stands together without an operator.
pub(super) const TERM: u8 = 7;

impl Infix {
    /// How tight it binds.
    pub(super) fn level(self) -> u8 {
        match self {
            Infix::Or => 1,
            Infix::And => 2,
            Infix::Compare(_) => COMPARISON,
            Infix::Plus | Infix::Minus => 4,
            Infix::Times | Infix::Over | Infix::Modulo => 5,
        }
    }

    /// Its sign.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Infix::Or => "||",
            Infix::And => "&&",
            Infix::Compare(by) => by.sign(),
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::Times => "*",
            Infix::Over => "/",
            Infix::Modulo => "%",
        }
    }
}

/// How a name is looked up: capitals do not matter.
pub(super) fn key(name: &str) -> String {
    name.to_lowercase()
}

impl Tree {
    /// All dice.
    pub(super) fn dice(&self) -> impl Iterator<Item = &Dice> {
        self.nodes.iter().filter_map(|(_, expr)| if let Expr::Dice(dice) = expr { Some(&**dice) } else { None })
    }

    /// The node without its labels.
    pub(super) fn bare(&self, mut id: NodeId) -> NodeId {
        while let Expr::Label(inside, _) = self.nodes.expr(id) {
            id = *inside;
        }
        id
    }
}
