//! The arguments of a roll: from a file, from the call, or asked for field by field.

use crate::dice::{Typed, ask};
use crate::input;
use std::io::{self, Write};
use std::path::Path;
use tumble::Diagnostic;
use tumble::batch::Json;
use tumble::script::{Script, Tables, Type, datum_to_json};

/// A JSON object, or a file with one.
pub(super) fn given(text: &str) -> Result<Json, Diagnostic> {
    let (name, text) = match text.trim_start().starts_with('{') {
        true => ("the arguments".to_owned(), text.to_owned()),
        false => (format!("`{text}`"), input::file(Path::new(text))?),
    };
    text.parse().map_err(|error| input::refused(format!("{name}: not JSON: {error}")))
}

/// Asks for every argument; none if that is cancelled.
pub(super) fn asked(script: &Script, entry: &str, out: &mut dyn Write) -> io::Result<Option<Json>> {
    let tables = script.tables();
    let Some(function) = tables.functions.iter().find(|function| {
        function.title.is_some() && (function.name == entry || function.title.as_deref() == Some(entry))
    }) else {
        return Ok(Some(Json::Null));
    };
    if !function.params.is_empty() {
        writeln!(out, "An empty line takes the value in brackets; Ctrl-C cancels.")?;
    }
    let mut fields = Vec::new();
    for param in &function.params {
        let default = datum_to_json(&tables.datum(&param.kind, &param.default));
        match value(tables, &param.name, &param.kind, &param.doc, &default, 0, out)? {
            Some(value) => fields.push((param.name.clone(), value)),
            None => return Ok(None),
        }
    }
    Ok(Some(fields.into_iter().collect()))
}

/// Asks for one value; records and lists by their parts.
fn value(
    tables: &Tables,
    name: &str,
    kind: &Type,
    doc: &str,
    default: &Json,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<Option<Json>> {
    let indent = "  ".repeat(depth);
    let doc = if doc.is_empty() { String::new() } else { format!("  ({})", doc.replace('\n', " ")) };
    match kind {
        Type::Record(record) => {
            writeln!(out, "{indent}{name}{doc}")?;
            let mut fields = Vec::new();
            for field in &tables.records[*record].fields {
                let own = datum_to_json(&tables.datum(&field.kind, &field.default));
                let default = default.get(&field.name).cloned().unwrap_or(own);
                match value(tables, &field.name, &field.kind, &field.doc, &default, depth + 1, out)? {
                    Some(value) => fields.push((field.name.clone(), value)),
                    None => return Ok(None),
                }
            }
            Ok(Some(fields.into_iter().collect()))
        }
        Type::List(member) => list(tables, name, member, &doc, depth, out),
        _ => simple(tables, &format!("{indent}{name}"), kind, &doc, default, out),
    }
}

/// Asks how many members a list has, and for each.
fn list(
    tables: &Tables,
    name: &str,
    member: &Type,
    doc: &str,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<Option<Json>> {
    let indent = "  ".repeat(depth);
    let count = loop {
        out.flush()?;
        match ask(&format!("{indent}how many {name}?{doc} [0] ")) {
            Typed::Line(line) if line.trim().is_empty() => break 0,
            Typed::Line(line) => match line.trim().parse::<usize>() {
                Ok(count) if count <= 1000 => break count,
                _ => writeln!(out, "{indent}type a number from 0 to 1000")?,
            },
            Typed::Cancelled | Typed::End => return Ok(None),
        }
    };
    let mut items = Vec::new();
    for number in 0..count {
        let default = datum_to_json(&tables.datum(member, &tables.default_of(member)));
        match value(tables, &format!("{name} {}", number + 1), member, "", &default, depth + 1, out)? {
            Some(value) => items.push(value),
            None => return Ok(None),
        }
    }
    Ok(Some(Json::Array(items)))
}

fn simple(
    tables: &Tables,
    name: &str,
    kind: &Type,
    doc: &str,
    default: &Json,
    out: &mut dyn Write,
) -> io::Result<Option<Json>> {
    let choices = match kind {
        Type::Enum(of) => {
            let names: Vec<&str> = tables.enums[*of].members.iter().map(|(name, _)| name.as_str()).collect();
            format!(" {}", names.join(" | "))
        }
        Type::Bool => " yes | no".to_owned(),
        _ => format!(" {}", tables.name(kind)),
    };
    let shown = match default {
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    loop {
        out.flush()?;
        let line = match ask(&format!("{name}:{choices}{doc} [{shown}] ")) {
            Typed::Line(line) => line,
            Typed::Cancelled | Typed::End => return Ok(None),
        };
        let typed = line.trim();
        if typed.is_empty() {
            return Ok(Some(default.clone()));
        }
        match read(tables, kind, typed) {
            Some(value) => return Ok(Some(value)),
            None => writeln!(out, "  `{typed}` is not{choices}")?,
        }
    }
}

fn read(tables: &Tables, kind: &Type, typed: &str) -> Option<Json> {
    match kind {
        Type::Int => typed.parse::<i64>().ok().map(Json::from),
        Type::Bool => yes_or_no(typed).map(Json::from),
        Type::Enum(of) => {
            let mut members = tables.enums[*of].members.iter();
            members.find(|(name, _)| name.eq_ignore_ascii_case(typed)).map(|(name, _)| Json::from(name.as_str()))
        }
        Type::Text | Type::Dice => Some(Json::from(typed)),
        Type::Record(_) | Type::List(_) | Type::Empty | Type::Nothing | Type::Unknown => None,
    }
}

/// `y`, `no`, `true`
pub(super) fn yes_or_no(typed: &str) -> Option<bool> {
    match typed.to_lowercase().as_str() {
        "y" | "yes" | "true" | "1" => Some(true),
        "n" | "no" | "false" | "0" => Some(false),
        _ => None,
    }
}
