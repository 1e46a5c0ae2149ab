//! The primitive table: every pure operation has one row, and the row is its only home.
//!
//! Rolling calls [`Prim::apply`] on values. The exact engine uses the row's [`Shape`], the algebra
//! that lets it go fast, and failing that maps `apply` over outcomes. A property test holds every
//! shape against its `apply`. On plain numbers both may use [`Prim::flat`].
//!
//! In the laws below `A` and `B` are collections given as argument number `over`, the other
//! arguments being fixed, and `∪` is union with repetition:
//!
//! ```text
//! Filter, Map   f(A ∪ B) = f(A) ∪ f(B)
//! Fold(merge)   f(A ∪ B) = merge(f(A), f(B))
//! Scan          f(A) holds stay(…) of the members that show each face, and size(…) in all; if it
//!               reduces, f(A ∪ B) = f(f(A) ∪ f(B))
//! ```

mod arith;
mod bounds;
mod compare;
mod each;
mod fail;
mod filter;
mod flat;
mod list;
mod pool;
mod text;
mod truth;
mod tuple;

use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::ratio::Ratio;
use crate::value::{Data, Text, Value};

pub use bounds::{Extent, Interval, Told};
pub use compare::Compare;
pub use flat::{Against, Change, Flat, Fold, List, Ordered, Unsure};

pub use arith::{ABS, ADD, DIV, DIV_UP, MOD, MUL, NEG, OVER, POW, QUOT, REM, SIGN, SQRT, SUB};
pub use each::{CAP, EACH_MOD, FIRSTS, HAVING, LIFT, LOOK_UP};
pub use fail::FAIL;
pub use filter::{AMONG, AT_LEAST, AT_MOST, EQUAL, LESS, MORE, UNEQUAL, WITHOUT};
pub(crate) use list::no_member;
pub use list::{AT, LIST, REVERSE, WITH_AT};
pub use pool::{
    BAG, BUT_LARGEST, BUT_LEAST, COLLECT, COUNT, DIFFERENT, DIGITS, GATHER, LARGEST, LEAST, MATCHING, MAXIMAL, MEDIAN,
    MINIMAL, MINUS, ONLY, RANGE, SUM, TALLY,
};
pub use text::{BESIDE, JOIN, LAYERS, STACK_CENTRE, STACK_LEFT, STACK_RIGHT, TEXT, WRITTEN, WRITTEN_EACH};
pub use truth::{ALIKE, GIVEN, SAME, SOME};
pub use tuple::{FIELD, RESULTS, TUPLE, WITH_FIELD, fields};

/// A pure operation.
pub struct Prim {
    /// Its name in the core.
    pub name: &'static str,
    /// The kinds of its arguments.
    pub takes: &'static [Sort],
    /// The kind of its result.
    pub gives: Sort,
    /// One line for the reference.
    pub doc: &'static str,
    /// Arguments and the result, in the spelling of values; executed by a test.
    pub example: (&'static [&'static str], &'static str),
    /// The algebra of the operation.
    pub shape: Shape,
    /// Which argument the shape applies to.
    pub over: usize,
    /// What the operation does with the order of the members.
    pub order: Order,
    /// Whether only the number of members matters, not what they are.
    pub counts: bool,
    /// What it does if that argument is an empty collection.
    pub on_empty: OnEmpty,
    /// Whether it can fail on arguments of the kinds it takes.
    pub fails: Fails,
    /// Whether it gives, for each number of its first argument, how many members of the collection equal it.
    pub tallies: bool,
    /// What is known of the result where only bounds of the arguments are known.
    pub tell: fn(&[Extent]) -> Told,
    /// The meaning on plain numbers, truths and collections of numbers, where there is a faster one.
    pub flat: Option<Flat>,
    /// The meaning.
    pub apply: Apply,
}

/// The meaning of a primitive: arguments and budget to a result.
pub type Apply = fn(&[Value], &mut Budget) -> Result<Value, Fault>;

/// The kinds of arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A number. Where the arguments are whole, so is the result, but for [`OVER`].
    Int,
    /// True or false.
    Bool,
    /// A collection.
    Pool,
    /// Text.
    Text,
    /// A tuple.
    Tuple,
    /// A list of results.
    List,
    /// Any value.
    Any,
    /// Any number of further values; only as the last kind.
    Rest,
}

/// The algebra of a row; the laws are at the top of this file.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Nothing is known: only enumeration is right.
    Opaque,
    /// Removes members one by one.
    Filter,
    /// Replaces members one by one.
    Map {
        /// Whether members in ascending order stay so.
        monotone: bool,
    },
    /// Adds up.
    Fold(Merge),
    /// Keeps some members of each face.
    Scan(Scan),
    /// All members of all arguments together.
    Union,
    /// The same members, sorted.
    Forget,
}

/// How two halves of a fold are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Numbers are added.
    Add,
    /// True if either is.
    Or,
}

/// How many members of a face stay.
#[derive(Clone, Copy)]
pub struct Scan {
    /// Of `rank.here` members that show `face`, how many stay.
    pub stay: fn(args: &[Value], face: &Value, rank: Rank) -> u64,
    /// Of `n` members, how many stay in all; none if that depends on their faces. A row that says so is an order statistic:
    /// of members in order it keeps the same ones whatever they show. With it the ranks after this row are
    /// known too: below a face is what stayed of smaller ones, here is `stay`, and above is the rest of `size`.
    pub size: Option<fn(args: &[Value], n: u64) -> u64>,
    /// Which argument is a second collection: of that, only how many members show the face may matter.
    pub against: Option<usize>,
    /// Whether how many stay follows from how many show the face, here and in the second collection, and not from the rank.
    pub alone: bool,
    /// Whether the result of a union follows from the results of its parts.
    pub reduces: bool,
}

/// The rank of the members that show one face among all.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    /// Members with a smaller face.
    pub below: u64,
    /// Members with this face.
    pub here: u64,
    /// Members with a larger face.
    pub above: u64,
}

/// What an operation does with the order of a collection's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The result does not depend on it.
    Blind,
    /// The members of the result follow it.
    Carries,
    /// The result depends on it in some other way.
    Sees,
}

/// What an operation does if the collection it is [over](Prim::over) is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnEmpty {
    /// It gives a result, unless its other arguments are wrong.
    Fine,
    /// It fails, whatever its other arguments are.
    Fails,
}

/// Whether an operation can fail, limits aside, on arguments of the kinds it takes: collections of numbers, and tuples that
/// have the field asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// It cannot.
    Never,
    /// Only if a number gets too large.
    Overflow,
    /// Perhaps.
    Maybe,
}

/// What a row says if it says nothing: any value from no argument, in a way no algorithm can see into.
const BLANK: Prim = Prim {
    name: "",
    takes: &[],
    gives: Sort::Any,
    doc: "",
    example: (&[], ""),
    shape: Shape::Opaque,
    over: 0,
    order: Order::Sees,
    counts: false,
    on_empty: OnEmpty::Fine,
    fails: Fails::Maybe,
    tallies: false,
    tell: |_| Told::NOTHING,
    flat: None,
    apply: |_, _| Ok(Value::NOTHING),
};

impl Prim {
    /// Whether this row only removes members, so that what it removed counts as dropped.
    pub fn selects(&self) -> bool {
        matches!(self.shape, Shape::Filter | Shape::Scan(_))
    }

    /// Whether it can take this many arguments.
    pub fn accepts(&self, count: usize) -> bool {
        match self.takes.split_last() {
            Some((Sort::Rest, fixed)) => count >= fixed.len(),
            _ => count == self.takes.len(),
        }
    }
}

/// A row is itself and no other: there is one of each.
impl PartialEq for Prim {
    fn eq(&self, other: &Prim) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Prim {}

impl std::hash::Hash for Prim {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl std::fmt::Debug for Prim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Every row, in the order of the reference.
pub static ALL: &[&Prim] = &[
    &ADD,
    &SUB,
    &MUL,
    &DIV,
    &MOD,
    &QUOT,
    &REM,
    &DIV_UP,
    &OVER,
    &POW,
    &NEG,
    &ABS,
    &SIGN,
    &SQRT,
    &GATHER,
    &COLLECT,
    &BAG,
    &RANGE,
    &ONLY,
    &SUM,
    &COUNT,
    &LEAST,
    &LARGEST,
    &BUT_LEAST,
    &BUT_LARGEST,
    &MINIMAL,
    &MAXIMAL,
    &MEDIAN,
    &DIFFERENT,
    &MINUS,
    &TALLY,
    &MATCHING,
    &WITHOUT,
    &AMONG,
    &EQUAL,
    &UNEQUAL,
    &LESS,
    &MORE,
    &AT_MOST,
    &AT_LEAST,
    &CAP,
    &LIFT,
    &EACH_MOD,
    &FIRSTS,
    &HAVING,
    &LOOK_UP,
    &DIGITS,
    &SOME,
    &GIVEN,
    &SAME,
    &ALIKE,
    &LIST,
    &AT,
    &WITH_AT,
    &REVERSE,
    &TUPLE,
    &FIELD,
    &WITH_FIELD,
    &RESULTS,
    &TEXT,
    &WRITTEN,
    &WRITTEN_EACH,
    &JOIN,
    &BESIDE,
    &STACK_LEFT,
    &STACK_RIGHT,
    &STACK_CENTRE,
    &LAYERS,
    &FAIL,
];

/// The row with this name.
pub fn named(name: &str) -> Option<&'static Prim> {
    ALL.iter().copied().find(|prim| prim.name == name)
}

fn int(value: &Value) -> Result<i64, Fault> {
    value.as_int().ok_or_else(|| match value.as_ratio() {
        Some(ratio) => Fault::wrong_type(format!("expected a whole number, not {ratio}")),
        None => not_a_number(value),
    })
}

fn ratio(value: &Value) -> Result<Ratio, Fault> {
    value.as_ratio().ok_or_else(|| not_a_number(value))
}

fn not_a_number(value: &Value) -> Fault {
    Fault::wrong_type(format!("expected a number, not {}", value.sort()))
}

fn pool(value: &Value) -> Result<&[Value], Fault> {
    value.as_pool().ok_or_else(|| Fault::wrong_type(format!("expected a collection of numbers, not {}", value.sort())))
}

fn lines(value: &Value) -> Result<&Text, Fault> {
    value.as_text().ok_or_else(|| Fault::wrong_type(format!("expected text, not {}", value.sort())))
}

fn items(value: &Value) -> Result<&[Value], Fault> {
    match &value.data {
        Data::List(items) => Ok(items),
        _ => Err(Fault::wrong_type(format!("expected a list of results, not {}", value.sort()))),
    }
}

#[cfg(test)]
mod bounds_tests;
#[cfg(test)]
mod flat_tests;
#[cfg(test)]
mod tests;
