//! What an editor shows: what each piece of a script is, and what can be written at a place.

use super::builtin::{self, BUILTINS};
use super::lex::{self, Kind};
use super::parse::{KEYWORDS, is_dice};
use super::problem::Problems;
use super::types::{Tables, Type};
use super::{Script, read};
use tumble_core::Span;
use tumble_core::sort;

/// What a piece of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Class {
    Keyword,
    Type,
    Function,
    Builtin,
    Constant,
    Variable,
    Field,
    Number,
    Text,
    /// A text that is a roll.
    Dice,
    Comment,
    Sign,
}

impl Class {
    /// Its name, also on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Class::Keyword => "keyword",
            Class::Type => "type",
            Class::Function => "function",
            Class::Builtin => "builtin",
            Class::Constant => "constant",
            Class::Variable => "variable",
            Class::Field => "field",
            Class::Number => "number",
            Class::Text => "text",
            Class::Dice => "dice",
            Class::Comment => "comment",
            Class::Sign => "sign",
        }
    }
}

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What to write.
    pub text: String,
    /// What it is.
    pub class: Class,
    /// How it is used, or its type.
    pub detail: String,
    /// What it does.
    pub doc: String,
}

/// Every piece of a script with its place, in order.
pub fn tokens(text: &str) -> Vec<(Span, Class)> {
    let script = read(text, false);
    let lexed = lex::tokens(text, &mut Problems::default());
    let mut found: Vec<(Span, Class)> = lexed.comments.iter().map(|comment| (comment.span, Class::Comment)).collect();
    for (at, token) in lexed.tokens.iter().enumerate() {
        let sign = |at: Option<usize>| match at.and_then(|at| lexed.tokens.get(at)).map(|token| &token.kind) {
            Some(Kind::Sign(sign)) => *sign,
            _ => "",
        };
        let (before, next) = (sign(at.checked_sub(1)), sign(Some(at + 1)));
        let word = &text[token.span.start..token.span.end];
        let class = match &token.kind {
            Kind::Word => word_class(script.tables(), word, before, next),
            Kind::Number(_) => Class::Number,
            Kind::Text(inside) => {
                if is_roll(inside) {
                    Class::Dice
                } else {
                    Class::Text
                }
            }
            Kind::Sign(_) => Class::Sign,
            Kind::End => continue,
        };
        found.push((token.span, class));
    }
    sort::by_key(&mut found, |(span, _)| *span);
    found
}

fn is_roll(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit() || c == '%') && super::rolls::read(text, &[], false).is_ok()
}

/// What a word is, by what stands around it and what the script declares.
fn word_class(tables: &Tables, word: &str, before: &str, next: &str) -> Class {
    let key = word.to_lowercase();
    if KEYWORDS.contains(&key.as_str()) {
        return Class::Keyword;
    }
    if before == "." {
        return Class::Field;
    }
    if next == "(" {
        let own = tables.function(&key).is_some();
        return if !own && builtin::named(&key).is_some() { Class::Builtin } else { Class::Function };
    }
    if before == ":" && is_type(tables, &key) || next == "{" && tables.record(&key).is_some() {
        return Class::Type;
    }
    if next == ":"
        && before != "("
        && tables.records.iter().any(|record| record.fields.iter().any(|field| field.key == key))
    {
        return Class::Field;
    }
    if is_type(tables, &key) && (next == "." || next == "{" || before.is_empty()) {
        return Class::Type;
    }
    if tables.constant(&key).is_some() {
        return Class::Constant;
    }
    if is_dice(&key) && before == "(" { Class::Dice } else { Class::Variable }
}

fn is_type(tables: &Tables, key: &str) -> bool {
    matches!(key, "int" | "bool" | "string" | "dice")
        || tables.record(key).is_some()
        || tables.enumeration(key).is_some()
}

/// What can be written at a place: the names that begin like the word before it.
pub fn completions(text: &str, at: usize) -> Vec<Completion> {
    let Some(before) = text.get(..at) else { return vec![] };
    let start = before
        .rfind(|c: char| !lex::is_name(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (word, rest) = (before[start..].to_lowercase(), before[..start].trim_end());
    let script = read(text, false);
    let mut found = match rest.strip_suffix('.') {
        Some(owner) => parts(&script, owner, start),
        None => names(&script, start),
    };
    found.retain(|one| one.text.to_lowercase().starts_with(&word));
    found
}

/// The function around a place.
fn around(script: &Script, at: usize) -> Option<usize> {
    let inside = |number: &usize| {
        let function = &script.tree.functions[*number];
        function.name.span.start <= at && at <= function.body.span.end
    };
    (0..script.tree.functions.len()).find(inside)
}

/// The fields of what stands before a point, or the members of an enumeration.
fn parts(script: &Script, owner: &str, at: usize) -> Vec<Completion> {
    let tables = script.tables();
    let start = owner
        .rfind(|c: char| !lex::is_name(c))
        .map_or(0, |at| at + owner[at..].chars().next().map_or(1, char::len_utf8));
    let key = owner[start..].to_lowercase();
    let variable = around(script, at).and_then(|function| {
        let vars = &script.known.functions.get(function)?.all;
        vars.iter().rev().find(|(name, _)| name.to_lowercase() == key).map(|(_, kind)| kind.clone())
    });
    // Behind another point it is a field of some record.
    let field = || tables.records.iter().flat_map(|record| &record.fields).find(|field| field.key == key);
    match variable.or_else(|| field().map(|field| field.kind.clone())) {
        Some(Type::Record(record)) => tables.records[record]
            .fields
            .iter()
            .map(|field| Completion {
                text: field.name.clone(),
                class: Class::Field,
                detail: tables.name(&field.kind),
                doc: field.doc.clone(),
            })
            .collect(),
        _ => match tables.enumeration(&key) {
            Some(found) => tables.enums[found]
                .members
                .iter()
                .map(|(name, doc)| Completion {
                    text: name.clone(),
                    class: Class::Constant,
                    detail: tables.enums[found].name.clone(),
                    doc: doc.clone(),
                })
                .collect(),
            None => vec![],
        },
    }
}

/// Everything that has a name at a place: what is near comes first.
fn names(script: &Script, at: usize) -> Vec<Completion> {
    let tables = script.tables();
    let one = |text: &str, class: Class, detail: String, doc: &str| Completion {
        text: text.to_owned(),
        class,
        detail,
        doc: doc.to_owned(),
    };
    let mut found: Vec<Completion> = Vec::new();
    let vars = around(script, at).and_then(|function| script.known.functions.get(function));
    for (name, kind) in vars.into_iter().flat_map(|vars| &vars.all) {
        if !found.iter().any(|known| known.text == *name) {
            found.push(one(name, Class::Variable, tables.name(kind), ""));
        }
    }
    found.extend(tables.consts.iter().map(|known| one(&known.name, Class::Constant, tables.name(&known.kind), "")));
    for function in &tables.functions {
        let params: Vec<String> =
            function.params.iter().map(|param| format!("{}: {}", param.name, tables.name(&param.kind))).collect();
        let detail = format!("{}({})", function.name, params.join(", "));
        found.push(one(&function.name, Class::Function, detail, &function.doc));
    }
    found.extend(tables.records.iter().map(|record| one(&record.name, Class::Type, String::new(), &record.doc)));
    found.extend(tables.enums.iter().map(|known| one(&known.name, Class::Type, String::new(), &known.doc)));
    found.extend(BUILTINS.iter().map(|row| one(row.name, Class::Builtin, row.call.to_owned(), row.doc)));
    found.extend(KEYWORDS.iter().map(|word| one(word, Class::Keyword, String::new(), "")));
    found
}
