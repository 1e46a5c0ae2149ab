//! `"format":"md"`: the odds as a table, a page or a picture, in the field `document`.
//!
//! ```text
//! look   show   exactly, at_least, at_most; percent, fraction in text and md      one or several
//!        title  words above it                                                   md, html, svg
//!        theme  auto, light, dark                                                 svg
//!        all    every row of a long table                                         text, md
//!        width  columns of a line                                                 text
//! ```

use super::fields::{Fields, chosen};
use super::{LONGEST_ANSWER, refused};
use crate::ask::Answer;
use crate::render::chance::Question;
use crate::render::{FORMATS, Format, Look, Series, Show, Theme, chance, json, render};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Code, Diagnostic, Span};

/// A format, and how it should look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name of the format.
    pub format: &'static str,
    /// How it should look.
    pub look: Look,
}

/// What each format heeds of a look.
const HEEDS: &[(&str, &[&str])] = &[
    ("text", &["show", "all", "width"]),
    ("md", &["show", "title", "all"]),
    ("csv", &["show"]),
    ("html", &["show", "title"]),
    ("svg", &["show", "title", "theme"]),
];

/// What a table can show.
const MEASURES: &[(&str, Show)] = &[("exactly", Show::Exactly), ("at_least", Show::AtLeast), ("at_most", Show::AtMost)];

/// How a table of text can show it.
const SPELLINGS: &[(&str, Show)] = &[("percent", Show::Percent), ("fraction", Show::Fraction)];

/// The narrowest and the widest line.
const WIDTHS: (u64, u64) = (20, 1000);

impl Document {
    /// Reads `format` and `look`.
    pub(super) fn read(fields: &Fields) -> Result<Option<Document>, Diagnostic> {
        let all: Vec<_> = HEEDS.iter().map(|row| (row.0, row)).collect();
        let Some((format, heeded)) = fields.choice("format", &all)? else {
            return fields.idle("look", "without `format`").map(|()| None);
        };
        let look =
            fields.inside("look")?.map_or_else(|| Ok(Look::default()), |look| read_look(&look, format, heeded))?;
        Ok(Some(Document { format, look }))
    }

    /// Whether the answers to these questions can be shown like this.
    pub(super) fn fits(&self, questions: &[Question]) -> Result<(), Diagnostic> {
        match questions.is_empty() || (self.format == "text" && self.look == Look::default()) {
            true => Ok(()),
            false => Err(refused("a single number can't be drawn and takes no `look`")
                .hint("ask for it in the format `text` without a `look`, or without both")),
        }
    }

    fn row(&self) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == self.format)
    }

    /// The fields of the answer.
    pub(super) fn fields(&self, series: &[Series], questions: &[Question]) -> Result<Map<String, Json>, Diagnostic> {
        let document = match (questions, self.row()) {
            ([_, ..], _) => chance::text(series, questions)?,
            ([], Some(format)) => String::from_utf8_lossy(&render(format, series, &self.look)?).into_owned(),
            ([], None) => return Err(refused(format!("unknown format `{}`", self.format))),
        };
        if document.len() > LONGEST_ANSWER {
            let message = format!("the answer would be longer than {} MB", LONGEST_ANSWER >> 20);
            return Err(Diagnostic::new(Code::Limit, Span::default(), message).hint("ask for a smaller roll"));
        }
        let exact = series.iter().all(|one| matches!(one.answer(), Answer::Exact(odds, _) if odds.exact()));
        let mut fields =
            Map::from_iter([("format".to_owned(), json!(self.format)), ("exact".to_owned(), json!(exact))]);
        fields.insert("document".into(), json!(document));
        fields.insert("warnings".into(), warnings(series));
        Ok(fields)
    }
}

/// What the asker should know, each thing once.
fn warnings(series: &[Series]) -> Json {
    let mut all: Vec<Json> = Vec::new();
    for one in series {
        let more = match one.answer() {
            Answer::Exact(odds, _) => odds.warnings(),
            Answer::Approximate(..) => &[],
        };
        if let Json::Array(found) = json::odds_warnings(one.prepared(), more) {
            all.extend(found.into_iter().filter(|warning| !all.contains(warning)).collect::<Vec<_>>());
        }
    }
    Json::Array(all)
}

fn read_look(look: &Fields, format: &str, heeded: &[&str]) -> Result<Look, Diagnostic> {
    let every = HEEDS.iter().flat_map(|(_, heeded)| *heeded).copied().collect::<Vec<_>>();
    look.only(&every)?;
    for (name, _) in look.entries().filter(|(name, _)| !heeded.contains(name)) {
        look.idle(name, &format!("in {format}"))?;
    }
    let show = match look.get("show") {
        None => vec![],
        Some(Json::Array(several)) => several.iter().map(|one| shown(one, format)).collect::<Result<_, _>>()?,
        Some(one) => vec![shown(one, format)?],
    };
    let usual = Look::default();
    Ok(Look {
        show,
        title: look.text("title")?,
        theme: look.choice("theme", Theme::ALL)?.unwrap_or_default(),
        all: look.truth("all")?,
        width: look.count("width", WIDTHS.0, WIDTHS.1)?.map_or(usual.width, |width| width as usize),
        ..usual
    })
}

fn shown(one: &Json, format: &str) -> Result<Show, Diagnostic> {
    let spelled = if matches!(format, "text" | "md") { SPELLINGS } else { &[] };
    let all: Vec<(&str, Show)> = MEASURES.iter().chain(spelled).copied().collect();
    chosen("show", one.as_str().unwrap_or_default(), &all)
}
