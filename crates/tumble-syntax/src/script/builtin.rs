//! What every script can call. A built-in is a row: name, how it is called, what it takes and gives, and one line of
//! doc. A function of one's own with the same name hides it.

use super::types::Type;

/// A function that every script has.
#[derive(Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How it is called, for people.
    pub call: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// What it takes; forms differ by how many arguments they have.
    pub(super) forms: &'static [&'static [Want]],
    /// What it gives.
    pub(super) gives: Gives,
    /// What it does besides giving a value.
    pub(super) effect: Effect,
}

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Int,
    Ints,
    Text,
    /// A roll in the everyday notation.
    Roll,
    /// A single dice term with its modifiers.
    Term,
    /// Anything that can be shown as text.
    Shown,
    /// A list of things that can be shown as text.
    Items,
    /// Any list.
    List,
    /// A list of numbers or members of an enumeration.
    Ordered,
    /// What the list before it holds.
    Member,
    /// A record: whose decision it is, or what changes.
    Record,
    /// The name of a number field of the record before it.
    Field,
    /// A style of output.
    Style,
    /// Any number of further numbers.
    MoreInts,
}

/// What a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Nothing,
    Int,
    Bool,
    Text,
    Ints,
    /// A list like the one that it takes.
    Same,
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    Rolls,
    Asks,
    Shows,
}

impl Builtin {
    /// The form for so many arguments.
    pub(super) fn form(&self, count: usize) -> Option<&'static [Want]> {
        self.forms.iter().copied().find(|form| match form.split_last() {
            Some((Want::MoreInts, fixed)) => count >= fixed.len(),
            _ => form.len() == count,
        })
    }
}

impl Gives {
    /// The type, where `list` is the type of the list it takes.
    pub(super) fn kind(self, list: Type) -> Type {
        match self {
            Gives::Nothing => Type::Nothing,
            Gives::Int => Type::Int,
            Gives::Bool => Type::Bool,
            Gives::Text => Type::Text,
            Gives::Ints => Type::Int.list(),
            Gives::Same => list,
        }
    }
}

/// The built-in with this name.
pub(super) fn named(key: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| super::types::same(builtin.name, key))
}

/// A row in one place.
const fn row(
    call: &'static str,
    name: &'static str,
    forms: &'static [&'static [Want]],
    gives: Gives,
    effect: Effect,
    doc: &'static str,
) -> Builtin {
    Builtin { name, call, doc, forms, gives, effect }
}

use Want::{Field, Int, Ints, Items, List, Member, MoreInts, Ordered, Record, Roll, Shown, Style, Term, Text};

/// Every built-in.
#[rustfmt::skip]
pub static BUILTINS: &[Builtin] = &[
    row("roll(text)", "roll", &[&[Roll]], Gives::Int, Effect::Rolls,
        "Rolls a dice expression: its total, or its successes if it counts them."),
    row("dice(text)", "dice", &[&[Term]], Gives::Ints, Effect::Rolls,
        "Rolls a single dice term: the dice that count, in the order in which they fell."),
    row("d(n, s)", "d", &[&[Int, Int]], Gives::Int, Effect::Rolls,
        "The total of n dice with s sides."),
    row("reroll(xs, positions, s)", "reroll", &[&[Ints, Ints, Int]], Gives::Ints, Effect::Rolls,
        "The list with a new die of s sides at each of these positions."),
    row("max(a, b, …) or max(xs)", "max", &[&[Ints], &[Int, Int, MoreInts]], Gives::Int, Effect::Nothing,
        "The largest number."),
    row("min(a, b, …) or min(xs)", "min", &[&[Ints], &[Int, Int, MoreInts]], Gives::Int, Effect::Nothing,
        "The smallest number."),
    row("sum(xs)", "sum", &[&[Ints]], Gives::Int, Effect::Nothing,
        "The sum of a list of numbers."),
    row("length(xs)", "length", &[&[List]], Gives::Int, Effect::Nothing,
        "How many members a list has."),
    row("sort(xs)", "sort", &[&[Ordered]], Gives::Same, Effect::Nothing,
        "The list in ascending order."),
    row("reverse(xs)", "reverse", &[&[List]], Gives::Same, Effect::Nothing,
        "The list from its end to its beginning."),
    row("abs(n)", "abs", &[&[Int]], Gives::Int, Effect::Nothing,
        "The number without its sign."),
    row("range(n)", "range", &[&[Int]], Gives::Ints, Effect::Nothing,
        "The list 0, 1, … of n numbers."),
    row("text(v)", "text", &[&[Shown]], Gives::Text, Effect::Nothing,
        "The value as text."),
    row("count(xs, v)", "count", &[&[List, Member]], Gives::Int, Effect::Nothing,
        "How many members of a list equal v."),
    row("contains(xs, v)", "contains", &[&[List, Member]], Gives::Bool, Effect::Nothing,
        "Whether a member of a list equals v."),
    row("highest(n, xs)", "highest", &[&[Int, Ints]], Gives::Ints, Effect::Nothing,
        "The n largest members of a list, in their order."),
    row("lowest(n, xs)", "lowest", &[&[Int, Ints]], Gives::Ints, Effect::Nothing,
        "The n smallest members of a list, in their order."),
    row("userOption([owner,] text)", "userOption", &[&[Text], &[Record, Text]], Gives::Bool, Effect::Asks,
        "Asks a player yes or no; no until it is answered."),
    row("userChoice([owner,] text, texts)", "userChoice", &[&[Text, Items], &[Record, Text, Items]], Gives::Int,
        Effect::Asks, "Asks a player for one of several: its position, 0 until it is answered."),
    row("userNumber([owner,] text, low, high, default)", "userNumber",
        &[&[Text, Int, Int, Int], &[Record, Text, Int, Int, Int]], Gives::Int, Effect::Asks,
        "Asks a player for a number from low to high."),
    row("userSelect([owner,] text, items)", "userSelect", &[&[Text, Items], &[Record, Text, Items]], Gives::Ints,
        Effect::Asks, "Asks a player to select some of several: their positions, none until it is answered."),
    row("output(value [, style])", "output", &[&[Shown], &[Shown, Style]], Gives::Nothing, Effect::Shows,
        "A line of the result; styles are good, bad, crit and dim."),
    row("startGroup([title])", "startGroup", &[&[], &[Shown]], Gives::Nothing, Effect::Shows,
        "Starts a group: what is shown next is part of it."),
    row("endGroup()", "endGroup", &[&[]], Gives::Nothing, Effect::Shows,
        "Ends the group that was started last."),
    row("change(record, \"field\", amount)", "change", &[&[Record, Field, Int]], Gives::Nothing, Effect::Shows,
        "Notes that a number of a character should change when the roll is done."),
];
