//! What was seen on the way to a decision, in words. Types are not known there, so a record is recognised by its fields.
//!
//! ```text
//! attacker = Ann, attacker.luckPoints = 2      a record by its name, and the fields in which situations differ
//! ```

use super::{Shape, Type};
use tumble_core::{Data, Value};
use tumble_syntax::script::FieldType;

/// A variable with its value.
type Known = (String, Value);

impl Shape {
    /// Something that was seen: members of enumerations and records by their names.
    pub fn seen(&self, value: &Value) -> String {
        let seen = |value: &Value| self.seen(value);
        match &value.data {
            Data::Tuple(items) => match (&items[..], self.fields(items)) {
                ([place, name], _) if self.is_member(place, name) => name.to_string(),
                (items, Some(fields)) => match named(fields, items) {
                    Some(name) => name.to_string(),
                    None => {
                        let parts =
                            fields.iter().zip(items).map(|(field, item)| format!("{} {}", field.name, seen(item)));
                        format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
                    }
                },
                (items, None) => {
                    let parts = items.iter().filter(|item| !matches!(item.data, Data::Tag(_) | Data::Nothing));
                    format!("({})", parts.map(seen).collect::<Vec<_>>().join(", "))
                }
            },
            Data::Pool(items) => format!("[{}]", items.iter().map(seen).collect::<Vec<_>>().join(", ")),
            Data::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
            Data::Text(text) => format!("\"{text}\""),
            Data::Nothing | Data::Int(_) | Data::Ratio(_) | Data::List(_) | Data::Tag(_) => value.to_string(),
        }
    }

    fn is_member(&self, place: &Value, name: &Value) -> bool {
        let (Some(place), Some(name)) = (place.as_int(), name.as_text()) else { return false };
        let (name, at) = (name.to_string(), usize::try_from(place).unwrap_or(usize::MAX));
        self.tables().enums.iter().any(|of| of.members.get(at).is_some_and(|(member, _)| *member == name))
    }

    /// The fields of a record, if just one type has such.
    fn fields(&self, items: &[Value]) -> Option<&[FieldType]> {
        let (last, items) = items.split_last()?;
        let fits = |fields: &[FieldType]| {
            matches!(last.data, Data::Tag(_))
                && fields.len() == items.len()
                && fields.iter().zip(items).all(|(field, item)| like(&field.kind, item))
        };
        let mut found = self.tables().records.iter().filter(|record| fits(&record.fields));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(&only.fields),
            _ => None,
        }
    }

    /// The variables in which situations differ; of a record its name and those of its fields.
    pub(super) fn differing(&self, situations: &[&[Known]]) -> Vec<Vec<Known>> {
        let mut all: Vec<Vec<Known>> = situations.iter().map(|known| known.to_vec()).collect();
        // Records inside records take a few rounds.
        for _ in 0..3 {
            let split = |known: &Vec<Known>| known.iter().flat_map(|(name, value)| self.split(name, value)).collect();
            all = all.iter().map(split).collect();
        }
        let Some(first) = all.first().cloned() else { return all };
        let alike = |known: &Vec<Known>| known.iter().map(|(name, _)| name).eq(first.iter().map(|(name, _)| name));
        if all.len() < 2 || !all.iter().all(alike) {
            return situations.iter().map(|known| known.to_vec()).collect();
        }
        let differs = |at: &usize| all.iter().any(|known| known[*at].1 != first[*at].1);
        let kept: Vec<usize> = (0..first.len()).filter(differs).collect();
        all.iter().map(|known| kept.iter().map(|at| known[*at].clone()).collect()).collect()
    }

    /// A record as its fields: the one called `name` goes by the name of the variable.
    fn split(&self, name: &str, value: &Value) -> Vec<Known> {
        let whole = || vec![(name.to_owned(), value.clone())];
        let Data::Tuple(items) = &value.data else { return whole() };
        let Some(fields) = self.fields(items) else { return whole() };
        let part = |(field, item): (&FieldType, &Value)| {
            let own = if is_name(field) { name.to_owned() } else { format!("{name}.{}", field.name) };
            (own, item.clone())
        };
        fields.iter().zip(items.iter()).map(part).collect()
    }
}

fn is_name(field: &FieldType) -> bool {
    field.kind == Type::Text && field.name.to_lowercase() == "name"
}

fn named<'v>(fields: &[FieldType], items: &'v [Value]) -> Option<&'v Value> {
    let (_, name) = fields.iter().zip(items).find(|(field, _)| is_name(field))?;
    Some(name).filter(|name| name.as_text().is_some_and(|text| !text.to_string().is_empty()))
}

/// Whether a value may be of this type.
fn like(kind: &Type, value: &Value) -> bool {
    match kind {
        Type::Int => matches!(value.data, Data::Int(_)),
        Type::Bool => matches!(value.data, Data::Bool(_)),
        Type::Text | Type::Dice => matches!(value.data, Data::Text(_)),
        Type::Record(_) | Type::Enum(_) => matches!(value.data, Data::Tuple(_)),
        Type::List(_) | Type::Empty => matches!(value.data, Data::Pool(_)),
        Type::Nothing | Type::Unknown => false,
    }
}
