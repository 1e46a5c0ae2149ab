//! A question about a roll of a script, as a request or a call asks it: which roll, its arguments, and what is answered.
//!
//! ```text
//! way = name { "." name | "[" number "]" }        an argument: target.ac, hero.attacks[1].bonus
//! ```

use super::request::{answered, entry_name};
use super::{Entry, Given, Goal, Say, Script, Shape, Tables, Type, datum_from_json};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use tumble_core::{Code, Diagnostic, Span};
use tumble_syntax::nearest;
use tumble_syntax::script::FieldType;

/// A question about a roll of a script.
#[derive(Clone, Debug, Default)]
pub struct ScriptQuery {
    /// The script.
    pub program: String,
    /// The roll, by name or title; the only one if it is left out.
    pub entry: Option<String>,
    /// Its arguments.
    pub args: Json,
    /// What was answered, by path.
    pub answers: HashMap<String, Json>,
    /// What is answered to all options with the same prompt.
    pub say: Vec<Said>,
    /// The field of the result that is asked for, if it is a record.
    pub field: Option<String>,
    /// Whether slips are errors.
    pub strict: bool,
}

/// An answer to all options with a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Whose; none means anybody's, and no name means those that belong to nobody.
    pub owner: Option<Option<String>>,
    /// The prompt, or its form with `…` for what differs.
    pub prompt: String,
    /// The answer.
    pub value: Json,
}

/// What players want, before the type of the result is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A high result on average.
    Mean,
    /// This result or a higher one.
    AtLeast(i64),
    /// This result or a lower one.
    AtMost(i64),
    /// Just this result.
    Exactly(Json),
}

impl Aim {
    /// The goal, for results like this.
    pub fn goal(&self, shape: &Shape) -> Result<Goal, Diagnostic> {
        Ok(match self {
            Aim::Mean => Goal::Mean,
            Aim::AtLeast(n) => Goal::AtLeast(*n),
            Aim::AtMost(n) => Goal::AtMost(*n),
            Aim::Exactly(value) => Goal::Exactly(shape.value(value)?),
        })
    }
}

impl ScriptQuery {
    /// The script, read.
    pub fn script(&self) -> Script {
        Script::read(&self.program, self.strict)
    }

    /// The roll with its arguments, some of them replaced.
    pub fn entry(&self, script: &Script, case: &[(String, i64)]) -> Result<Entry, Diagnostic> {
        let name = entry_name(script, self.entry.as_deref())?;
        let mut args = self.args.clone();
        for (way, value) in case {
            set(script, &name, &mut args, way, *value)?;
        }
        script.entry(&name, &datum_from_json(&args))
    }

    /// What is answered, for a roll.
    pub fn given(&self, entry: &Entry) -> Result<Given, Diagnostic> {
        let mut given =
            Given { field: self.field.as_deref().map(|name| entry.field(name)).transpose()?, ..Given::default() };
        for (path, answer) in &self.answers {
            given.answers.insert(path.clone(), answered(path, answer)?);
        }
        for Said { owner, prompt, value } in &self.say {
            let value = answered(prompt, value)?;
            given.say.push(Say { owner: owner.clone(), prompt: prompt.clone(), value });
        }
        Ok(given)
    }
}

/// One step on the way to an argument.
enum Step<'w> {
    Field(&'w str),
    Member(usize),
}

fn steps(way: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = vec![];
    for piece in way.split('.') {
        let (name, places) = piece.find('[').map_or((piece, ""), |at| piece.split_at(at));
        if name.is_empty() {
            return None;
        }
        steps.push(Step::Field(name));
        for place in places.split_terminator(']') {
            steps.push(Step::Member(place.strip_prefix('[')?.trim().parse().ok()?));
        }
    }
    Some(steps)
}

/// Sets one number among the arguments.
fn set(script: &Script, entry: &str, args: &mut Json, way: &str, value: i64) -> Result<(), Diagnostic> {
    let tables = script.tables();
    let named = |name: &str| name.to_lowercase() == entry.to_lowercase();
    let roll = tables
        .functions
        .iter()
        .find(|roll| roll.title.as_deref().is_some_and(|title| named(title) || named(&roll.name)));
    // Which rolls there are is told where the roll is looked up.
    let Some(roll) = roll else { return Ok(()) };
    let steps = steps(way)
        .ok_or_else(|| refused(format!("`{way}` is no argument; write it like target.ac or hero.attacks[1].bonus")))?;
    let (mut here, mut kind, mut walked) = (args, Type::Unknown, String::new());
    let mut fields: &[FieldType] = &roll.params;
    for step in steps {
        (here, kind) = match step {
            Step::Field(name) => {
                let (next, field) = into_field(here, fields, name, &walked)?;
                walked = if walked.is_empty() { field.name.clone() } else { format!("{walked}.{}", field.name) };
                (next, field.kind.clone())
            }
            Step::Member(at) => {
                let next = into_member(here, tables, &kind, at, &walked)?;
                walked.push_str(&format!("[{at}]"));
                next
            }
        };
        fields = match &kind {
            Type::Record(record) => &tables.records[*record].fields,
            _ => &[],
        };
    }
    if kind != Type::Int {
        return Err(refused(format!("`{walked}` is {}, and only whole numbers can be swept", tables.name(&kind))));
    }
    *here = Json::from(value);
    Ok(())
}

/// The value of a field; it is made if it is not there.
fn into_field<'j, 't>(
    here: &'j mut Json,
    fields: &'t [FieldType],
    name: &str,
    walked: &str,
) -> Result<(&'j mut Json, &'t FieldType), Diagnostic> {
    let same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let field = fields.iter().find(|field| same(&field.name)).ok_or_else(|| unknown(fields, name, walked))?;
    if here.is_null() {
        *here = Json::Object(Map::new());
    }
    let Json::Object(object) = here else {
        return Err(refused(format!("`{walked}` must be an object")));
    };
    let key = object.keys().find(|key| same(key)).cloned().unwrap_or_else(|| field.name.clone());
    Ok((object.entry(key).or_insert(Json::Null), field))
}

/// A member of a list.
fn into_member<'j>(
    here: &'j mut Json,
    tables: &Tables,
    kind: &Type,
    at: usize,
    walked: &str,
) -> Result<(&'j mut Json, Type), Diagnostic> {
    let Type::List(member) = kind else {
        return Err(refused(format!("`{walked}` is {}, not a list", tables.name(kind))));
    };
    let count = here.as_array().map_or(0, Vec::len);
    let found = here.as_array_mut().and_then(|items| items.get_mut(at));
    let found = found.ok_or_else(|| {
        refused(format!("`{walked}` has {count} members, numbered from 0, so there is no `{walked}[{at}]`"))
    })?;
    Ok((found, (**member).clone()))
}

fn unknown(fields: &[FieldType], name: &str, walked: &str) -> Diagnostic {
    let error = match walked {
        "" => refused(format!("the roll has no parameter `{name}`")),
        _ => refused(format!("`{walked}` has no field `{name}`")),
    };
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    match nearest(name, fields.iter().map(|field| field.name.as_str())) {
        Some(meant) => error.hint(format!("did you mean `{meant}`?")),
        None if names.is_empty() => error,
        None => error.hint(format!("there are {}", names.join(", "))),
    }
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}
