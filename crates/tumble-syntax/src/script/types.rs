//! The types of a script, and everything it declares.

use super::builtin::Builtin;
use std::collections::HashMap;
use tumble_core::{Data, Span, Tag, Value};

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Int,
    /// `true` or `false`.
    Bool,
    /// A text.
    Text,
    /// A text that is a roll in the everyday notation.
    Dice,
    /// The record with this number.
    Record(usize),
    /// The enumeration with this number.
    Enum(usize),
    /// A list of such values.
    List(Box<Type>),
    /// The list without members, whatever it is a list of.
    Empty,
    /// No value: what a function without `return` gives.
    Nothing,
    /// Not known, because of a mistake that is reported already.
    Unknown,
}

impl Type {
    /// A list of such values.
    pub(super) fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// Whether a value of this type can be used where `wanted` is expected.
    pub(super) fn fits(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Text | Type::Dice, Type::Text | Type::Dice) => true,
            (Type::Empty, Type::List(_)) | (Type::List(_), Type::Empty) => true,
            (Type::List(one), Type::List(other)) => one.fits(other),
            _ => self == wanted,
        }
    }

    /// The type of a value that may come from either.
    pub(super) fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Unknown, other) | (other, Type::Unknown) => Some(other),
            (Type::Empty, list @ (Type::List(_) | Type::Empty)) | (list @ Type::List(_), Type::Empty) => Some(list),
            (Type::Text, Type::Dice) | (Type::Dice, Type::Text) => Some(Type::Text),
            (Type::List(one), Type::List(other)) => one.join(*other).map(Type::list),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// What a list of this type holds; none if it is no list.
    pub(super) fn member(&self) -> Option<Type> {
        match self {
            Type::List(member) => Some((**member).clone()),
            Type::Empty | Type::Unknown => Some(Type::Unknown),
            _ => None,
        }
    }

    /// Whether it is a text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Type::Text | Type::Dice)
    }

    /// Whether it is known for certain that it is not this type.
    pub(super) fn is_not(&self, wanted: &Type) -> bool {
        !self.fits(wanted)
    }

    /// Whether values of this type can be shown as text: all but records, and lists of them.
    pub(super) fn has_text(&self) -> bool {
        match self {
            Type::Record(_) | Type::Nothing => false,
            Type::List(member) => member.has_text(),
            _ => true,
        }
    }
}

/// Everything that a script declares.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Its records.
    pub records: Vec<RecordType>,
    /// Its enumerations.
    pub enums: Vec<EnumType>,
    /// Its constants.
    pub consts: Vec<Constant>,
    /// Its functions and rolls.
    pub functions: Vec<Signature>,
    /// Its types by name.
    pub(super) type_names: HashMap<String, Type>,
    /// Its constants by name.
    pub(super) const_names: HashMap<String, usize>,
    /// Its functions by name.
    pub(super) function_names: HashMap<String, usize>,
}

/// A record.
#[derive(Clone, Debug)]
pub struct RecordType {
    /// Its name as declared.
    pub name: String,
    /// What its comments say.
    pub doc: String,
    /// Its fields in order.
    pub fields: Vec<FieldType>,
    pub(super) span: Span,
}

/// A field of a record, or a parameter.
#[derive(Clone, Debug)]
pub struct FieldType {
    /// Its name as declared.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// The value of a new one.
    pub default: Value,
    /// What its comments say.
    pub doc: String,
    pub(super) key: String,
    pub(super) span: Span,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumType {
    /// Its name as declared.
    pub name: String,
    /// What its comments say.
    pub doc: String,
    /// Its members in order, with what their comments say.
    pub members: Vec<(String, String)>,
    pub(super) span: Span,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name as declared.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Its value.
    pub value: Value,
    pub(super) span: Span,
}

/// How a function or roll is called.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name as declared.
    pub name: String,
    /// The title of a roll; a function has none.
    pub title: Option<String>,
    /// What its comments say.
    pub doc: String,
    /// Its parameters.
    pub params: Vec<FieldType>,
    /// What it gives; none if that is not known yet.
    pub gives: Option<Type>,
    pub(super) span: Span,
}

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The variable with this number in its function.
    Variable(usize),
    Constant(usize),
    /// A member of an enumeration, by number.
    Member(usize, usize),
    Function(usize),
    Builtin(&'static Builtin),
    /// Dice without quotes.
    DiceText(String),
    /// A field of a record, by number.
    Field(usize),
}

impl Tables {
    /// What to call a type.
    pub fn name(&self, kind: &Type) -> String {
        match kind {
            Type::Int => "int".into(),
            Type::Bool => "bool".into(),
            Type::Text => "string".into(),
            Type::Dice => "dice".into(),
            Type::Record(record) => self.records[*record].name.clone(),
            Type::Enum(of) => self.enums[*of].name.clone(),
            Type::List(member) => format!("{} list", self.name(member)),
            Type::Empty => "an empty list".into(),
            Type::Nothing => "no value".into(),
            Type::Unknown => "unknown".into(),
        }
    }

    /// The field with this name, by number.
    pub(super) fn field(&self, record: usize, key: &str) -> Option<usize> {
        self.records[record].fields.iter().position(|field| field.key == key)
    }

    /// The member with this name, by number.
    pub(super) fn member(&self, of: usize, key: &str) -> Option<usize> {
        self.enums[of].members.iter().position(|(name, _)| same(name, key))
    }

    /// The enumeration with this name.
    pub(super) fn enumeration(&self, key: &str) -> Option<usize> {
        if let Some(Type::Enum(found)) = self.type_names.get(key) { Some(*found) } else { None }
    }

    /// The record with this name.
    pub(super) fn record(&self, key: &str) -> Option<usize> {
        if let Some(Type::Record(found)) = self.type_names.get(key) { Some(*found) } else { None }
    }

    /// The function with this name.
    pub(super) fn function(&self, key: &str) -> Option<usize> {
        self.function_names.get(key).copied()
    }

    /// The constant with this name.
    pub(super) fn constant(&self, key: &str) -> Option<usize> {
        self.const_names.get(key).copied()
    }

    /// The value of a new variable, field or argument of this type.
    pub fn default_of(&self, kind: &Type) -> Value {
        match kind {
            Type::Int => Value::int(0),
            Type::Bool => Value::bool(false),
            Type::Text | Type::Dice => Value::text(""),
            Type::Record(record) => {
                record_value(self.records[*record].fields.iter().map(|field| field.default.clone()).collect(), None)
            }
            Type::Enum(of) => self.member_value(*of, 0),
            Type::List(_) | Type::Empty => Value::pool(vec![]),
            Type::Nothing | Type::Unknown => Value::NOTHING,
        }
    }

    /// A member of an enumeration: its number, by which it is ordered, and its name.
    pub fn member_value(&self, of: usize, member: usize) -> Value {
        let name = self.enums[of].members.get(member).map_or("", |(name, _)| name.as_str());
        Value::tuple(vec![Value::int(member as i64), Value::text(name)])
    }
}

/// A record with these fields; its identity is known to nothing in the script.
pub(super) fn record_value(mut fields: Vec<Value>, id: Option<&str>) -> Value {
    fields.push(Data::Tag(Tag(id.map(Into::into))).into());
    Value::tuple(fields)
}

/// Whether a declared name is meant.
pub(super) fn same(name: &str, key: &str) -> bool {
    name == key || name.to_lowercase() == key
}
