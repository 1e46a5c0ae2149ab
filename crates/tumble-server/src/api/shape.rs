//! Shapes of fields that a type can't describe: choices by name, ranges, one or several.

use tumble::render::line::Marks;
use tumble::render::{Show, Theme};
use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder};
use utoipa::openapi::{ArrayBuilder, Object, ObjectBuilder, RefOr, Schema, Type};

/// A field that may be left out may also be null.
fn optional(shape: impl Into<Schema>) -> Schema {
    any([shape.into(), ObjectBuilder::new().schema_type(Type::Null).into()])
}

fn choice<'a>(names: impl IntoIterator<Item = &'a str>) -> Schema {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names.into_iter().collect::<Vec<_>>())).into()
}

fn whole(least: i64, most: i64) -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(least as isize)).maximum(Some(most as isize)).build()
}

fn number() -> Object {
    whole(i64::MIN, i64::MAX)
}

fn text(pattern: Option<&str>) -> Object {
    ObjectBuilder::new().schema_type(Type::String).pattern(pattern).build()
}

fn array(items: impl Into<RefOr<Schema>>, least: usize, most: usize) -> Schema {
    ArrayBuilder::new().items(items.into()).min_items(Some(least)).max_items(Some(most)).into()
}

fn any(shapes: impl IntoIterator<Item = Schema>) -> Schema {
    Schema::AnyOf(shapes.into_iter().fold(AnyOfBuilder::new(), AnyOfBuilder::item).build())
}

fn one_or_several(one: impl Into<Schema>) -> Schema {
    let one = one.into();
    any([one.clone(), array(one, 1, 100)])
}

fn map(values: impl Into<RefOr<Schema>>, least: usize) -> Schema {
    let values = AdditionalProperties::RefOr(values.into());
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .min_properties(Some(least))
        .additional_properties(Some(values))
        .into()
}

/// The name of a notation.
pub(crate) fn notation() -> Schema {
    choice(tumble::NOTATIONS.iter().chain(tumble::DIALECTS).map(|row| row.name))
}

/// The same, where there is a usual one.
pub(super) fn any_notation() -> Schema {
    optional(notation())
}

/// A string or a number.
pub(super) fn id() -> Schema {
    optional(any([text(None).into(), ObjectBuilder::new().schema_type(Type::Number).into()]))
}

/// Names with their numbers or rolls; a character sheet may have anything in it.
pub(super) fn vars() -> Schema {
    let other = |kind| ObjectBuilder::new().schema_type(kind).into();
    let sheet = [Type::String, Type::Boolean, Type::Object, Type::Array].map(other);
    optional(map(any(sheet.into_iter().chain([number().into()])), 0))
}

pub(super) fn numbers() -> Schema {
    optional(one_or_several(number()))
}

/// `7..9`
pub(super) fn ranges() -> Schema {
    optional(one_or_several(text(Some(r"^\d{1,9}\.\.\d{1,9}$"))))
}

/// An outcome, or an array of those that are meant together or one by one.
pub(super) fn outcomes() -> Schema {
    let outcome = || any([number().into(), text(None).into()]);
    optional(any([outcome(), array(any([outcome(), array(outcome(), 1, 100)]), 1, 100)]))
}

/// `{"N":"1..6","M":[1,5]}`
pub(super) fn sweep() -> Schema {
    optional(map(any([array(number(), 1, 100), text(Some(r"^\d{1,2}\.\.\d{1,2}$")).into()]), 1))
}

pub(super) fn formats() -> Schema {
    optional(choice(["text", "md", "csv", "html", "svg"]))
}

pub(super) fn shown() -> Schema {
    optional(one_or_several(choice(["exactly", "at_least", "at_most", "percent", "fraction"])))
}

pub(super) fn look_theme() -> Schema {
    optional(themes())
}

pub(crate) fn themes() -> Schema {
    choice(Theme::ALL.iter().map(|(name, _)| *name))
}

pub(crate) fn shows() -> Schema {
    choice(Show::ALL.iter().map(|(name, _)| *name))
}

pub(super) fn size() -> Schema {
    let side = || whole(100, 5_000);
    optional(any([side().into(), array(side(), 2, 2)]))
}

pub(super) fn marks() -> Schema {
    optional(choice(Marks::ALL.iter().map(|(name, _)| *name)))
}

pub(super) fn returns() -> Schema {
    optional(choice(["outcomes", "digest"]))
}

pub(super) fn seed() -> Schema {
    optional(ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)))
}

/// Answers by path: yes or no, a number, or positions.
pub(super) fn answers() -> Schema {
    let yes_or_no = ObjectBuilder::new().schema_type(Type::Boolean);
    optional(map(any([yes_or_no.into(), number().into(), array(number(), 0, 100)]), 0))
}

/// `"mean"`, `{"at_least":20}`
pub(super) fn goal() -> Schema {
    let of = |name: &str| {
        let nothing_else = AdditionalProperties::FreeForm(false);
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .property(name, number())
            .required(name)
            .additional_properties(Some(nothing_else))
            .into()
    };
    optional(any([choice(["mean"]), of("at_least"), of("at_most"), of("exactly")]))
}

pub(super) fn then() -> Schema {
    optional(choice(["best"]))
}

/// `str:3`
pub(crate) fn set() -> Schema {
    text(Some(r"^[a-z]{1,9}:-?\d{1,9}$")).into()
}

/// `800`, `800x400`
pub(crate) fn sides() -> Schema {
    text(Some(r"^([2-9]\d\d|1\d\d\d)(x([2-9]\d\d|1\d\d\d))?$")).into()
}
