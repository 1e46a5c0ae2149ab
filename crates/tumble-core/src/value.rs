//! What a term evaluates to.
//!
//! Every value may carry a [`Mark`]: which die it came from. Equality, order and hashing ignore
//! marks, so one `apply` serves rolling (which reads them for the trace) and counting (which has
//! none).
//!
//! The order, which is also the order of outcomes in a table: nothing, truth values, numbers and fractions, collections,
//! text, pairs, lists; collections and lists compare member by member, a beginning before what
//! continues it; text compares line by line.

use crate::ratio::Ratio;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Which die a value came from; `Mark::NONE` for a value that was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark(u32);

impl Mark {
    /// No die.
    pub const NONE: Mark = Mark(0);

    /// The die with this number in the list of draws.
    pub fn die(index: usize) -> Mark {
        Mark(u32::try_from(index + 1).unwrap_or(0))
    }

    /// The number of the die in the list of draws.
    pub fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

/// A value: what it is, and the die it came from.
#[derive(Clone, Debug)]
pub struct Value {
    /// What it is.
    pub data: Data,
    /// The die it came from; equality and order ignore it.
    pub mark: Mark,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// No value.
    Nothing,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number that is not whole. It is behind a pointer so that all other values stay small.
    Ratio(Arc<Ratio>),
    /// A collection; its members keep their order.
    Pool(Arc<Items>),
    /// Text, as a box of lines.
    Text(Arc<Text>),
    /// A pair, or more.
    Tuple(Arc<Items>),
    /// The results of several evaluations.
    List(Arc<Items>),
    /// The identity of something outside, which no operation can see.
    Tag(Tag),
}

impl Data {
    /// The place of its kind in the order; all numbers have the same.
    fn rank(&self) -> u8 {
        match self {
            Data::Nothing => 0,
            Data::Bool(_) => 1,
            Data::Int(_) | Data::Ratio(_) => 2,
            Data::Pool(_) => 3,
            Data::Text(_) => 4,
            Data::Tuple(_) => 5,
            Data::List(_) => 6,
            Data::Tag(_) => 7,
        }
    }

    fn ratio(&self) -> Option<Ratio> {
        match self {
            Data::Int(n) => Some(Ratio::from(*n)),
            Data::Ratio(ratio) => Some(**ratio),
            _ => None,
        }
    }
}

impl PartialOrd for Data {
    fn partial_cmp(&self, other: &Data) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Data {
    fn cmp(&self, other: &Data) -> Ordering {
        match (self, other) {
            (Data::Int(a), Data::Int(b)) => a.cmp(b),
            (Data::Bool(a), Data::Bool(b)) => a.cmp(b),
            (Data::Text(a), Data::Text(b)) => a.cmp(b),
            (Data::Pool(a), Data::Pool(b)) | (Data::Tuple(a), Data::Tuple(b)) | (Data::List(a), Data::List(b)) => {
                a.cmp(b)
            }
            _ => match (self.ratio(), other.ratio()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.rank().cmp(&other.rank()),
            },
        }
    }
}

/// An identity that travels with a value. All tags are equal, so that nothing depends on it.
#[derive(Clone, Debug, Default)]
pub struct Tag(pub Option<Arc<str>>);

impl PartialEq for Tag {
    fn eq(&self, _: &Tag) -> bool {
        true
    }
}

impl Eq for Tag {}

impl Hash for Tag {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl PartialOrd for Tag {
    fn partial_cmp(&self, other: &Tag) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tag {
    fn cmp(&self, _: &Tag) -> Ordering {
        Ordering::Equal
    }
}

/// The values inside a value. A value inside may be shared many times over, so how much there is to
/// copy or compare, and how deep, is counted when it is made.
#[derive(Clone, Debug)]
pub struct Items {
    values: Vec<Value>,
    size: u64,
    depth: u32,
}

impl Items {
    fn new(values: Vec<Value>) -> Arc<Items> {
        let (mut size, mut depth) = (values.len() as u64, 0);
        // Almost all members are numbers, which weigh one and have no depth.
        for value in values.iter().filter(|value| !matches!(value.data, Data::Int(_))) {
            size = size.saturating_add(value.weight() - 1);
            depth = depth.max(value.depth());
        }
        Arc::new(Items { values, size, depth })
    }
}

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl PartialEq for Items {
    fn eq(&self, other: &Items) -> bool {
        self.size == other.size && self.values == other.values
    }
}

impl Eq for Items {}

impl Hash for Items {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl PartialOrd for Items {
    fn partial_cmp(&self, other: &Items) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Items {
    fn cmp(&self, other: &Items) -> Ordering {
        self.values.cmp(&other.values)
    }
}

/// Text as a box of lines; a box may have no lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text {
    /// The lines, without line ends.
    pub lines: Vec<String>,
}

impl Text {
    /// The box with the lines of `text`; an empty text is one empty line.
    pub fn new(text: &str) -> Text {
        Text { lines: text.split('\n').map(str::to_owned).collect() }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

impl Value {
    /// The absent value.
    pub const NOTHING: Value = Value { data: Data::Nothing, mark: Mark::NONE };

    /// A number.
    pub fn int(n: i64) -> Value {
        Data::Int(n).into()
    }

    /// A number, whole or not.
    pub fn ratio(ratio: Ratio) -> Value {
        ratio.whole().map_or_else(|| Data::Ratio(Arc::new(ratio)), Data::Int).into()
    }

    /// True or false.
    pub fn bool(b: bool) -> Value {
        Data::Bool(b).into()
    }

    /// Text.
    pub fn text(text: &str) -> Value {
        Value::lines(Text::new(text))
    }

    /// A box of lines.
    pub fn lines(text: Text) -> Value {
        Data::Text(Arc::new(text)).into()
    }

    /// A collection with these members in this order.
    pub fn pool(members: Vec<Value>) -> Value {
        Data::Pool(Items::new(members)).into()
    }

    /// A collection of numbers.
    pub fn ints(members: &[i64]) -> Value {
        Value::pool(members.iter().map(|&n| Value::int(n)).collect())
    }

    /// A pair, or more.
    pub fn tuple(items: Vec<Value>) -> Value {
        Data::Tuple(Items::new(items)).into()
    }

    /// A list of results.
    pub fn list(items: Vec<Value>) -> Value {
        Data::List(Items::new(items)).into()
    }

    /// The same value from this die.
    pub fn marked(mut self, mark: Mark) -> Value {
        self.mark = mark;
        self
    }

    /// The number, if it is a whole one.
    pub fn as_int(&self) -> Option<i64> {
        match self.data {
            Data::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The number, if it is one, whole or not.
    pub fn as_ratio(&self) -> Option<Ratio> {
        self.data.ratio()
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The members, if it is a collection.
    pub fn as_pool(&self) -> Option<&[Value]> {
        match &self.data {
            Data::Pool(members) => Some(members),
            _ => None,
        }
    }

    /// The text, if it is text.
    pub fn as_text(&self) -> Option<&Text> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How many values it holds, itself included; what it costs to copy or compare.
    pub fn weight(&self) -> u64 {
        match &self.data {
            Data::Pool(items) | Data::Tuple(items) | Data::List(items) => items.size.saturating_add(1),
            Data::Text(text) => 1 + text.lines.iter().map(|line| 1 + line.len() as u64 / 8).sum::<u64>(),
            _ => 1,
        }
    }

    /// How deep values are nested.
    pub fn depth(&self) -> u32 {
        match &self.data {
            Data::Pool(items) | Data::Tuple(items) | Data::List(items) => items.depth + 1,
            _ => 0,
        }
    }

    /// What to call it in a message: "a number", "text".
    pub fn sort(&self) -> &'static str {
        match self.data {
            Data::Nothing => "nothing",
            Data::Bool(_) => "true or false",
            Data::Int(_) => "a number",
            Data::Ratio(_) => "a fraction",
            Data::Pool(_) => "a collection",
            Data::Text(_) => "text",
            Data::Tuple(ref items) if items.len() == 2 => "a pair",
            Data::Tuple(_) => "several values",
            Data::List(_) => "a list of results",
            Data::Tag(_) => "an identity",
        }
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Value {
        Value { data, mark: Mark::NONE }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.data == other.data
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.data.cmp(&other.data)
    }
}

/// The canonical spelling: `7`, `7/2`, `true`, `[1, 2]`, `"a"`, `(1, 2)`, `<1, 2>`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.data {
            Data::Nothing => f.write_str("nothing"),
            Data::Bool(b) => write!(f, "{b}"),
            Data::Int(n) => write!(f, "{n}"),
            Data::Ratio(ratio) => write!(f, "{ratio}"),
            Data::Text(text) => write!(f, "{:?}", text.to_string()),
            Data::Pool(items) => write_items(f, "[", items, "]"),
            Data::Tuple(items) => write_items(f, "(", items, ")"),
            Data::List(items) => write_items(f, "<", items, ">"),
            Data::Tag(_) => f.write_str("tag"),
        }
    }
}

fn write_items(f: &mut fmt::Formatter<'_>, open: &str, items: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    f.write_str(close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_order_of_a_table() {
        let ascending = [
            Value::bool(true),
            Value::int(1),
            Value::ratio(Ratio::new(3, 2).unwrap()),
            Value::int(2),
            Value::ints(&[]),
            Value::ints(&[1]),
            Value::ints(&[1, 1]),
            Value::ints(&[1, 2]),
            Value::ints(&[2]),
            Value::lines(Text::default()),
            Value::text("a"),
            Value::text("a\nb"),
            Value::tuple(vec![Value::int(1), Value::int(2)]),
        ];
        assert!(ascending.is_sorted());
    }

    #[test]
    fn shared_values_are_counted_not_walked() {
        let mut pair = Value::int(1);
        for _ in 0..60 {
            pair = Value::tuple(vec![pair.clone(), pair]);
        }
        assert_eq!(pair.depth(), 60);
        assert!(pair.weight() > 1 << 60);
    }

    #[test]
    fn marks_are_invisible() {
        assert_eq!(Value::int(3), Value::int(3).marked(Mark::die(7)));
        assert_eq!(Mark::die(7).index(), Some(7));
        assert_eq!(Mark::NONE.index(), None);
    }
}
