//! The types and rolls of a script for any user interface: JSON Schema with order, defaults and docs.

use super::{Script, datum_to_json};
use serde_json::{Map, Value as Json, json};
use tumble_syntax::script::{FieldType, Tables, Type};

/// The schema of a script: its types by name, and its rolls with the schema of their arguments.
pub fn schema(script: &Script) -> Json {
    let tables = script.tables();
    let mut types = Map::new();
    for record in &tables.records {
        types.insert(record.name.clone(), object(tables, &record.name, &record.doc, &record.fields));
    }
    for found in &tables.enums {
        let names: Vec<&str> = found.members.iter().map(|(name, _)| name.as_str()).collect();
        let docs: Map<String, Json> = found
            .members
            .iter()
            .filter(|(_, doc)| !doc.is_empty())
            .map(|(name, doc)| (name.clone(), json!(doc)))
            .collect();
        let mut fields = Map::from_iter([("title".to_owned(), json!(found.name)), ("enum".to_owned(), json!(names))]);
        described(&found.doc, &mut fields);
        if !docs.is_empty() {
            fields.insert("x-docs".into(), Json::Object(docs));
        }
        types.insert(found.name.clone(), Json::Object(fields));
    }
    let rolls: Vec<Json> = tables
        .functions
        .iter()
        .filter_map(|function| {
            let title = function.title.as_ref()?;
            let mut arguments = object(tables, title, &function.doc, &function.params);
            if let Json::Object(fields) = &mut arguments {
                fields.insert("additionalProperties".into(), json!(false));
            }
            let gives =
                function.gives.as_ref().filter(|gives| **gives != Type::Nothing).map(|gives| kind(tables, gives));
            Some(json!({
                "title": title, "name": function.name, "doc": function.doc, "arguments": arguments, "result": gives,
            }))
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "version": script.version(), "$defs": types, "rolls": rolls,
    })
}

/// A record, or the arguments of a roll. Its properties keep their order.
fn object(tables: &Tables, title: &str, doc: &str, fields: &[FieldType]) -> Json {
    let mut properties = Map::new();
    for field in fields {
        let mut property = match kind(tables, &field.kind) {
            Json::Object(fields) => fields,
            _ => Map::new(),
        };
        described(&field.doc, &mut property);
        let default = tables.datum(&field.kind, &field.default);
        if !matches!(field.kind, Type::Record(_)) {
            property.insert("default".into(), datum_to_json(&default));
        }
        properties.insert(field.name.clone(), Json::Object(property));
    }
    let order: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut schema = Map::new();
    schema.insert("title".into(), json!(title));
    described(doc, &mut schema);
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Json::Object(properties));
    schema.insert("x-order".into(), json!(order));
    Json::Object(schema)
}

fn described(doc: &str, fields: &mut Map<String, Json>) {
    if !doc.is_empty() {
        fields.insert("description".into(), json!(doc));
    }
}

fn kind(tables: &Tables, of: &Type) -> Json {
    match of {
        Type::Int => json!({ "type": "integer" }),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Text => json!({ "type": "string" }),
        Type::Dice => json!({ "type": "string", "format": "dice" }),
        Type::Record(_) | Type::Enum(_) => json!({ "$ref": format!("#/$defs/{}", tables.name(of)) }),
        Type::List(member) => json!({ "type": "array", "items": kind(tables, member) }),
        Type::Empty => json!({ "type": "array" }),
        Type::Nothing | Type::Unknown => Json::Null,
    }
}
