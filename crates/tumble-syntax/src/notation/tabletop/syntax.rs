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
//! operand  = NUMBER | DECIMAL | '"' WORDS '"' | "@" NAME | NAME | dice | FUNCTION "(" block { "," block } ")" | "(" block ")" | "[[" block "]]"
//! dice     = ( [ count ] "d" sides | group | count "(" block ")" | NAME ) { modifier }
//! group    = "{" block { "," block } "}" | "(" block "," block { "," block } ")"
//! count    = NUMBER | "@" NAME | "(" block ")"
//! sides    = NUMBER | "@" NAME | "(" block ")" | "%" | "F" [ ".1" | ".2" ] | "c" | "[" block ".." block "]"
//!          | "{" face { "," face } "}"
//! face     = number [ ".." number ] | WORD
//! modifier = ("kh" | "kl" | "dh" | "dl") [ value ] | "km" value | "adv" | "dis" | ("mi" | "ma") value
//!          | ("r" | "ro") condition [ "x" NUMBER ] | "!" ["!"] ["p"] ["o"] [ condition ] [ "x" NUMBER ]
//!          | "cs" condition { "," condition ":" number } | "cf" condition | target "f" condition | "even" | "odd"
//!          | ("u" | "uo") [ condition ] | "m" | "mt" [ NUMBER ] [ condition ] | "s" | "sa" | "sd"
//! ```
//!
//! Parentheses leave no node.

use super::tool::counts;
pub use crate::tree::NodeId;
pub use tumble_core::Compare;
use tumble_core::{Ratio, Span};

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
    /// Whether a roll was called by the name of a game; DiceMaiden's `4cod`.
    pub named: bool,
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
    /// `1.5`, which is not whole.
    Decimal(Ratio),
    /// `"hit"`
    Words(String),
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

impl Dice {
    /// Whether a name for it holds its dice, and not a number or words.
    pub(super) fn holds(&self) -> bool {
        let words = matches!(self.source, Source::Roll(_, Sides::Words(_)) | Source::Within(_));
        !words && !self.modifiers.iter().any(|(modifier, _)| counts(modifier))
    }
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
    /// `p kh1`: dice that were rolled before and have a name.
    Named(String),
    /// All dice in an expression, of which those that stay count where they are; RPG Dice Roller's `{4d10 * 5d6}k2`.
    Within(NodeId),
}

impl Source {
    /// The faces of its dice, if they are rolled here.
    pub(super) fn sides(&self) -> Option<&Sides> {
        if let Source::Roll(_, sides) = self { Some(sides) } else { None }
    }

    /// The words on its dice.
    pub(super) fn words(&self) -> Option<&[String]> {
        if let Some(Sides::Words(words)) = self.sides() { Some(words) } else { None }
    }
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
    /// `d{hit, miss, crit}`
    Words(Vec<String>),
}

impl Sides {
    /// The lowest and the highest face, where they are written.
    pub(super) fn ends(&self, nodes: &Nodes) -> Option<(i64, Option<i64>)> {
        match self {
            Sides::Upto(sides) => match nodes.expr(*sides) {
                Expr::Number(n) => Some((1, Some(*n))),
                _ => Some((1, None)),
            },
            Sides::Percent => Some((1, Some(100))),
            Sides::Fudge => Some((-1, Some(1))),
            Sides::List(faces) => Some((faces.iter().map(|face| face.0).min()?, faces.iter().map(|face| face.1).max())),
            Sides::Range(..) | Sides::Words(_) => None,
        }
    }

    /// How many sides a plain die has, where that is written.
    pub(super) fn plain(&self, nodes: &Nodes) -> Option<i64> {
        if matches!(self, Sides::Upto(_) | Sides::Percent) { self.ends(nodes)?.1 } else { None }
    }
}

/// What is done with dice.
#[derive(Clone, Debug)]
pub enum Modifier {
    /// `kh3`, `dl1`
    Keep(Keep, Arg),
    /// `adv`, `dis`
    Twice(Twice),
    /// `r<3x2`, `ro1`: rerolled while any of these holds, as Roll20's `r1r3`, or once.
    Reroll(Vec<Test>, Cap),
    /// `!`, `!!>=5`
    Explode(Explode),
    /// `mi2`, `ma5`
    Bound(Bound, Arg),
    /// `cs>=8,10:2`: dice that meet the condition, and those that count as more.
    Successes(Test, Vec<(Test, i64)>),
    /// `cf=1`
    Failures(Test),
    /// `cs=hit`: how many dice show this word.
    Shows(String),
    /// Dice that meet the condition count as -1 or as less what they show, whatever else counts; Foundry's `df` and `sf`.
    Deduct(Deduct, Test),
    /// `even`, and `odd`, which is false: how many show such a face.
    Parity(bool),
    /// `s`, `sa`, `sd`: changes nothing but the order in which dice are shown.
    Sort(Order),
    /// `u`, `uo<3`: a die that shows what an earlier one shows is rerolled.
    Unique(Unique),
    /// So many of the highest, so many of the lowest and all that meet a condition stay; Avrae's `kh4kl3`, `k1k2`, `p<3`.
    Picked(i64, i64, Vec<Test>),
    /// `mt3`: how many faces are shown by at least so many dice.
    Matches(i64, Option<Test>),
    /// So many of the highest or lowest are rerolled once; Avrae's `rol1`.
    RerollEnd(Keep, i64),
    /// One more die if any meets a condition; Avrae's `ra1`.
    Another(Vec<Test>),
    /// For each die that meets a condition another die is taken away; DiceMaiden's `i1`.
    Implode(Test),
    /// Something that is counted of all dice together, by the rule of a game.
    Together(Together),
}

/// What all dice are worth together, beside what each of them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// Each ten makes up for a one that was counted as a failure; DiceMaiden's `c`.
    TensForOnes,
    /// Each pair of tens is worth two more; DiceMaiden's `vtm7h2`.
    PairsOfTens,
    /// The highest die, and one more for each six but the first; DiceMaiden's `sil3`.
    ExtraSixes,
}

/// What failing dice count as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deduct {
    /// -1
    One,
    /// As much less as they show.
    Face,
}

/// The order in which dice are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `s`, `sa`
    Ascending,
    /// `sd`
    Descending,
}

/// `u` and what may follow it.
#[derive(Clone, Debug)]
pub struct Unique {
    /// `uo`
    pub once: bool,
    /// Which dice are rerolled; without it, all.
    pub test: Option<Test>,
    /// Whether a die that can show nothing new keeps what it shows, or the roll never ends.
    pub gives_up: bool,
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
    /// `km`
    Middle,
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
    /// What makes a die explode, one of them as in Avrae's `e5e6`; without any, the largest face.
    pub tests: Vec<Test>,
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
    /// So many for all dice together; Foundry's `x3=6`.
    Total(u64),
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
    /// `trunc(a / b)`
    Trunc,
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
    /// `sqrt(a)`
    Sqrt,
}

impl Function {
    /// All of them with their words.
    pub const ALL: [(&'static str, Function); 10] = [
        ("min", Function::Min),
        ("max", Function::Max),
        ("abs", Function::Abs),
        ("trunc", Function::Trunc),
        ("floor", Function::Floor),
        ("ceil", Function::Ceil),
        ("round", Function::Round),
        ("sign", Function::Sign),
        ("pow", Function::Pow),
        ("sqrt", Function::Sqrt),
    ];

    /// Whether it makes whole numbers of fractions.
    pub(super) fn rounds(self) -> bool {
        matches!(self, Function::Trunc | Function::Floor | Function::Ceil | Function::Round)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        Function::ALL.iter().find(|(_, function)| *function == self).map_or("", |(word, _)| word)
    }
}

/// The word that keeps the fraction of a division.
pub(super) const EXACT: &str = "exact";

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
    /// `exact(a / b)`, which keeps its fraction; other tools write just `a / b`.
    Exact,
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

/// The operators with their signs, the usual one first.
pub(super) const SIGNS: &[(&[&str], Infix)] = &[
    (&["||"], Infix::Or),
    (&["&&"], Infix::And),
    (&["+"], Infix::Plus),
    (MINUS, Infix::Minus),
    (&["*", "\u{d7}", "\u{b7}"], Infix::Times),
    (&["/", "\u{f7}"], Infix::Over),
    (&["%"], Infix::Modulo),
];

/// How a minus may be written.
pub(super) const MINUS: &[&str] = &["-", "\u{2212}", "\u{2013}"];

/// The comparisons with their signs, a longer one before its beginning.
pub(super) const COMPARISONS: &[(&[&str], Compare)] = &[
    (&["==", "="], Compare::Equal),
    (&["!=", "<>", "\u{2260}"], Compare::Unequal),
    (&["<=", "\u{2264}"], Compare::AtMost),
    (&["<"], Compare::Less),
    (&[">=", "\u{2265}"], Compare::AtLeast),
    (&[">"], Compare::More),
];

impl Infix {
    /// How tight it binds.
    pub(super) fn level(self) -> u8 {
        match self {
            Infix::Or => 1,
            Infix::And => 2,
            Infix::Compare(_) => COMPARISON,
            Infix::Plus | Infix::Minus => 4,
            Infix::Times | Infix::Over | Infix::Exact | Infix::Modulo => 5,
        }
    }

    /// Its sign.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Infix::Compare(by) => by.sign(),
            Infix::Exact => Infix::Over.sign(),
            op => SIGNS.iter().find(|(_, known)| *known == op).map_or("", |(signs, _)| signs[0]),
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

    /// Rounds what is rolled toward zero, or to so many decimals, where it may have more.
    pub(super) fn round_results(&mut self, decimals: Option<i64>) {
        if decimals.is_some_and(|decimals| self.has_short_fractions(decimals)) {
            return;
        }
        for at in 0..self.items.len() {
            let Item::Roll(roll) = self.items[at] else { continue };
            let span = self.nodes.span(roll);
            let divides =
                if let Expr::Infix(Infix::Exact, a, b) = *self.nodes.expr(roll) { Some((a, b)) } else { None };
            if let Some((a, b)) = divides {
                self.nodes.replace(roll, Expr::Infix(Infix::Over, a, b));
            }
            let call = match decimals {
                None if divides.is_some() => continue,
                None => Expr::Call(Function::Trunc, vec![roll]),
                Some(decimals) => Expr::Call(Function::Round, vec![roll, self.nodes.add(span, Expr::Number(decimals))]),
            };
            self.items[at] = Item::Roll(self.nodes.add(span, call));
        }
    }

    /// Whether no result has more than so many decimals, as far as can be seen at once: one division by a factor of a
    /// power of ten, or one short number with a decimal point.
    fn has_short_fractions(&self, decimals: i64) -> bool {
        let power = u32::try_from(decimals).ok().and_then(|places| 10i64.checked_pow(places)).unwrap_or(1);
        let mut short = 0;
        for (_, expr) in self.nodes.iter() {
            short += match expr {
                Expr::Infix(Infix::Exact, _, by) => match self.nodes.expr(self.bare(*by)) {
                    Expr::Number(by) if power.checked_rem(*by) == Some(0) => 1,
                    _ => return false,
                },
                Expr::Decimal(n) if i128::from(power) % i128::from(n.denominator()) == 0 => 1,
                Expr::Decimal(_) => return false,
                Expr::Call(Function::Sqrt, _) => return false,
                Expr::Call(Function::Pow, args) => match args.get(1).map(|power| self.nodes.expr(*power)) {
                    Some(Expr::Number(0..)) => 0,
                    _ => return false,
                },
                _ => 0,
            };
        }
        short < 2 && (short == 0 || !self.nodes.iter().any(|(_, expr)| matches!(expr, Expr::Call(Function::Pow, _))))
    }

    /// A square root whose fraction would be needed.
    pub(super) fn unrounded_root(&self) -> Option<Span> {
        let rounded: Vec<NodeId> = self
            .nodes
            .iter()
            .filter_map(|(_, expr)| match expr {
                Expr::Call(Function::Floor, args) => args.first().copied(),
                Expr::Call(Function::Round, args) if args.len() > 1 => args.first().copied(),
                _ => None,
            })
            .collect();
        let mut roots = self.nodes.iter().filter(|(_, expr)| matches!(expr, Expr::Call(Function::Sqrt, _)));
        roots.find(|(id, _)| !rounded.contains(id)).map(|(id, _)| self.nodes.span(id))
    }

    /// Whether a part of it may not be whole.
    pub(super) fn has_fractions(&self) -> bool {
        self.nodes.iter().any(|(_, expr)| match expr {
            Expr::Infix(Infix::Exact, ..) | Expr::Decimal(_) => true,
            Expr::Call(Function::Round, args) => args.len() > 1,
            _ => false,
        })
    }

    /// The node without its labels.
    pub(super) fn bare(&self, mut id: NodeId) -> NodeId {
        while let Expr::Label(inside, _) = self.nodes.expr(id) {
            id = *inside;
        }
        id
    }
}
