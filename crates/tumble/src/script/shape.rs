//! What a script returns, as people and programs read it.
//!
//! ```text
//! record   hit true, damage 7        {"hit":true,"damage":7}
//! member   risky                     "risky"
//! list     [1, 2, 3]                 [1,2,3]
//! ```

use super::{Datum, Entry, Type, datum_to_json};
use serde_json::Value as Json;
use std::sync::Arc;
use tumble_core::{Code, Data, Diagnostic, Question, Span, Term, Value};
use tumble_syntax::nearest;

/// Where the prompt is among the arguments of a question: after the name and the identity of its owner.
const PROMPT: usize = 2;

/// The type of a result, with the roll that returns it.
#[derive(Clone, Debug)]
pub struct Shape {
    script: Arc<tumble_syntax::script::Script>,
    gives: Type,
    title: String,
    /// What is asked for by each prompt of the script.
    prompts: Vec<(String, Question)>,
}

impl Shape {
    /// The title of the roll.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether the result is a number.
    pub fn is_number(&self) -> bool {
        self.gives == Type::Int
    }

    /// A result in JSON.
    pub fn json(&self, value: &Value) -> Json {
        datum_to_json(&self.script.tables().datum(&self.gives, value))
    }

    /// A result from JSON.
    pub fn value(&self, json: &Json) -> Result<Value, Diagnostic> {
        self.script.tables().value(&self.gives, &super::datum_from_json(json))
    }

    /// A result as it is read in a table.
    pub fn label(&self, value: &Value) -> String {
        let label = match self.script.tables().datum(&self.gives, value) {
            Datum::Record(fields) => named(&fields),
            other => words(&other),
        };
        if label.trim().is_empty() { "(empty text)".to_owned() } else { label }
    }

    /// The prompts of the script's options, with `…` for what is inserted.
    pub fn prompts(&self) -> impl Iterator<Item = &str> {
        self.prompts.iter().map(|(form, _)| form.as_str())
    }

    /// That no option was met that has a prompt, and which one was most likely meant. What is before a colon may be the
    /// name of an owner.
    pub fn unheard(&self, prompt: &str) -> String {
        let bare = prompt.split_once(": ").map_or(prompt, |(_, bare)| bare);
        let meant = nearest(prompt, self.prompts()).or_else(|| nearest(bare, self.prompts()));
        let known: Vec<String> = self.prompts().map(|prompt| format!("\"{prompt}\"")).collect();
        let hint = match meant {
            Some(meant) if meant == bare || meant == prompt => {
                "that option does not come up, or is not theirs".to_owned()
            }
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None if known.is_empty() => "the script has no options".to_owned(),
            None => format!("its prompts are {}", known.join(", ")),
        };
        format!("no option has the prompt \"{prompt}\"; {hint}")
    }

    /// An answer to an option in words: yes, a number, or which of the things that are offered, from 1.
    pub fn answer(&self, prompt: &str, answer: &Value) -> String {
        let chooses = self.prompts.iter().any(|(form, asks)| form == prompt && *asks == Question::Choice);
        let place = |at: i64| format!("#{}", at.saturating_add(1));
        match &answer.data {
            Data::Bool(true) => "yes".to_owned(),
            Data::Bool(false) => "no".to_owned(),
            Data::Int(at) if chooses => place(*at),
            Data::Pool(items) if items.is_empty() => "none".to_owned(),
            Data::Pool(items) => items.iter().filter_map(Value::as_int).map(place).collect::<Vec<_>>().join(" "),
            Data::Nothing
            | Data::Int(_)
            | Data::Ratio(_)
            | Data::Text(_)
            | Data::Tuple(_)
            | Data::List(_)
            | Data::Tag(_) => answer.to_string(),
        }
    }

    pub(super) fn tables(&self) -> &super::Tables {
        self.script.tables()
    }
}

fn named(fields: &[(String, Datum)]) -> String {
    fields.iter().map(|(name, value)| format!("{name} {}", words(value))).collect::<Vec<_>>().join(", ")
}

fn words(datum: &Datum) -> String {
    match datum {
        Datum::Nothing => String::new(),
        Datum::Truth(truth) => truth.to_string(),
        Datum::Number(n) => n.to_string(),
        Datum::Fraction(text) | Datum::Text(text) => text.clone(),
        Datum::List(items) => format!("[{}]", items.iter().map(words).collect::<Vec<_>>().join(", ")),
        Datum::Record(fields) => format!("{{{}}}", named(fields)),
    }
}

impl Entry {
    /// What it returns, or one field of that.
    pub fn shape(&self, field: Option<usize>) -> Shape {
        let (gives, name) = match (&self.gives, field) {
            (Type::Record(record), Some(at)) => {
                let field = self.script.tables().records[*record].fields.get(at);
                field.map_or((Type::Unknown, None), |field| (field.kind.clone(), Some(field.name.as_str())))
            }
            (gives, _) => (gives.clone(), None),
        };
        let title = match name {
            Some(name) => format!("{}, {name}", self.title),
            None => self.title.clone(),
        };
        let asks = self.program.nodes().iter().filter_map(|node| {
            let Term::Ask { question, args, .. } = &node.term else { return None };
            // A prompt that is written as it is needs no form of its own.
            let text =
                |at: Option<&tumble_core::TermId>| self.program.term(*at?).lit()?.as_text().map(ToString::to_string);
            Some((text(args.last()).or_else(|| text(args.get(PROMPT)))?, *question))
        });
        Shape { script: Arc::clone(&self.script), gives, title, prompts: asks.collect() }
    }

    /// The number of a field of the record that it returns.
    pub fn field(&self, name: &str) -> Result<usize, Diagnostic> {
        let refused = |message: String| Diagnostic::new(Code::Request, Span::default(), message);
        let Type::Record(record) = &self.gives else {
            let gives = self.script.tables().name(&self.gives);
            return Err(refused(format!("this roll returns {gives}, which has no field `{name}`")));
        };
        let fields = &self.script.tables().records[*record].fields;
        let found = fields.iter().position(|field| field.name.to_lowercase() == name.to_lowercase());
        found.ok_or_else(|| {
            let error = refused(format!("the result has no field `{name}`"));
            match nearest(name, fields.iter().map(|field| field.name.as_str())) {
                Some(meant) => error.hint(format!("did you mean `{meant}`?")),
                None => {
                    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
                    error.hint(format!("its fields are {}", names.join(", ")))
                }
            }
        })
    }
}
