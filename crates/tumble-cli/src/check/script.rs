//! A script: everything that is wrong with it, or what it offers.

use crate::args::CheckArgs;
use crate::{input, report, screen};
use std::io::{self, Write};
use std::path::Path;
use tumble::Span;
use tumble::render::{visible, width};
use tumble::script::{Class, Level, Problem, Script, Tables, problems, schema, tokens};

/// Checks one script and gives the exit status.
pub(super) fn check(path: &Path, args: &CheckArgs, out: &mut dyn Write) -> io::Result<u8> {
    let text = match input::file(path) {
        Ok(text) => text,
        Err(error) => return report::errors(out, args.json, "", &[error]),
    };
    let script = Script::read(&text, args.strict);
    if args.json {
        let mut fields = schema(&script);
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("ok".to_owned(), script.is_sound().into());
            fields.insert("problems".to_owned(), problems(&script));
        }
        writeln!(out, "{fields}")?;
        return Ok(u8::from(!script.is_sound()));
    }
    let name = path.display().to_string();
    write!(out, "{}", wrong(&name, &script))?;
    match script.is_sound() {
        true => write!(out, "{}", offers(&name, &script))?,
        false => writeln!(out, "{name}: {}", counted(&script))?,
    }
    Ok(u8::from(!script.is_sound()))
}

/// Everything that is wrong with a script.
pub(crate) fn wrong(name: &str, script: &Script) -> String {
    let classes = if screen::colour() { tokens(script.text()) } else { vec![] };
    script.problems().iter().map(|problem| told(name, script.text(), problem, &classes)).collect()
}

/// `rules.tumble:3:7: error: …`, the line, and what to do.
fn told(name: &str, text: &str, problem: &Problem, classes: &[(Span, Class)]) -> String {
    let (start, end) = (problem.span().start, problem.span().end);
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = coloured(text, Span::new(line_start, line_end), classes);
    let (number, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    let (word, colour) = if problem.level == Level::Error { ("error", "31") } else { ("warning", "33") };
    let word = if screen::colour() { format!("\x1b[1;{colour}m{word}\x1b[0m") } else { word.to_owned() };
    let under = width(&visible(&text[start..end.clamp(start, line_end)])).max(1);
    // What stands before the place keeps its tabs, so that the sign stands below it.
    let blank = |part: &str| " ".repeat(width(part));
    let indent: Vec<String> = visible(&before[line_start..]).split('\t').map(blank).collect();
    let indent = indent.join("\t");
    let hint = problem.diagnostic.hint.as_ref().map(|hint| format!("hint: {}\n", visible(hint))).unwrap_or_default();
    let message = visible(&problem.diagnostic.message);
    format!("{name}:{number}:{column}: {word}: {message}\n  {line}\n  {indent}{}\n{hint}", "^".repeat(under))
}

/// A line of a script in colours; those of an editor are its own business.
fn coloured(text: &str, line: Span, classes: &[(Span, Class)]) -> String {
    let (mut out, mut at) = (String::new(), line.start);
    let first = classes.partition_point(|(span, _)| span.end <= line.start);
    for (span, class) in classes[first..].iter().take_while(|(span, _)| span.start < line.end) {
        let code = match class {
            Class::Keyword => "35",
            Class::Type => "36",
            Class::Function | Class::Builtin => "34",
            Class::Text | Class::Dice => "32",
            Class::Number | Class::Constant => "33",
            Class::Comment => "2",
            Class::Variable | Class::Field | Class::Sign => continue,
        };
        let (start, end) = (span.start.max(at), span.end.min(line.end));
        out.push_str(&visible(&text[at..start]));
        out.push_str(&format!("\x1b[{code}m{}\x1b[0m", visible(&text[start..end])));
        at = end;
    }
    out + &visible(text[at..line.end].trim_end())
}

/// `2 errors, 1 warning`
fn counted(script: &Script) -> String {
    let count = |error: bool| script.problems().iter().filter(|found| (found.level == Level::Error) == error).count();
    let words = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (count(true), count(false)) {
        (0, 0) => "ok".to_owned(),
        (0, warnings) => format!("ok, {}", words(warnings, "warning")),
        (errors, 0) => words(errors, "error"),
        (errors, warnings) => format!("{}, {}", words(errors, "error"), words(warnings, "warning")),
    }
}

/// The rolls and types of a script.
fn offers(name: &str, script: &Script) -> String {
    let tables = script.tables();
    let mut out = format!("{name}: {}\n", counted(script));
    if script.rolls().next().is_none() {
        out.push_str("  no rolls: `defroll` makes one\n");
    }
    for function in &tables.functions {
        let Some(title) = &function.title else { continue };
        let gives = function.gives.as_ref().map(|kind| tables.name(kind)).unwrap_or_default();
        let params = params(tables, &function.params);
        out.push_str(&format!("  roll {}({params}) returns {gives}\n", visible(title)));
    }
    for record in &tables.records {
        out.push_str(&format!("  type {} {{ {} }}\n", record.name, params(tables, &record.fields)));
    }
    for found in &tables.enums {
        let members: Vec<&str> = found.members.iter().map(|(name, _)| name.as_str()).collect();
        out.push_str(&format!("  enum {} {{ {} }}\n", found.name, members.join(", ")));
    }
    screen::folded(out, &io::stdout())
}

fn params(tables: &Tables, fields: &[tumble::script::FieldType]) -> String {
    fields.iter().map(|field| format!("{}: {}", field.name, tables.name(&field.kind))).collect::<Vec<_>>().join(", ")
}
