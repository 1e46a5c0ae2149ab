//! `"format":"md"`: the odds as a table, a page or a picture, in the field `document`.
//!
//! ```text
//! look   show   exactly, at_least, at_most, percent, fraction      one or several
//!        title  words above it
//!        theme  auto, light, dark
//!        size   [width, height], or the width alone
//!        all    every row of a long table
//!        width  columns of a line
//! ```
//!
//! What means something in which format is in [`crate::render::effects`]; the rest is refused.

use super::fields::{Fields, chosen};
use super::{Settings, fits, refused};
use crate::ask::Answer;
use crate::render::effects::{Setting, View, idle, undrawable};
use crate::render::{Look, Series, Show, Study, Theme, json};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Diagnostic, Span};

/// A format, and how it should look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name of the format.
    pub format: &'static str,
    /// How it should look.
    pub look: Look,
}

/// The formats of a document; a picture of pixels does not fit into JSON.
const FORMATS: &[(&str, &str)] = &[("text", "text"), ("md", "md"), ("csv", "csv"), ("html", "html"), ("svg", "svg")];

/// The fields of a look.
const LOOK: &[(&str, Setting)] = &[
    ("show", Setting::Measure),
    ("title", Setting::Title),
    ("theme", Setting::Theme),
    ("size", Setting::Size),
    ("all", Setting::All),
    ("width", Setting::Width),
];

/// What can be shown.
const SHOWN: &[(&str, (Show, Setting))] = &[
    ("exactly", (Show::Exactly, Setting::Measure)),
    ("at_least", (Show::AtLeast, Setting::Measure)),
    ("at_most", (Show::AtMost, Setting::Measure)),
    ("percent", (Show::Percent, Setting::Percent)),
    ("fraction", (Show::Fraction, Setting::Fraction)),
];

/// The narrowest and the widest line, and the smallest and the largest picture.
const WIDTHS: (u64, u64) = (20, 1000);
const SIZES: std::ops::RangeInclusive<u64> = 100..=5_000;

impl Document {
    /// Reads `format` and `look`, for what they are to show.
    pub(super) fn read(fields: &Fields, view: View) -> Result<Option<Document>, Diagnostic> {
        let Some(format) = fields.choice("format", FORMATS)? else {
            return fields.idle("look", "without `format`").map(|()| None);
        };
        if let Some(why) = undrawable(view, format) {
            return Err(refused(why));
        }
        let look = fields.inside("look")?.map_or_else(|| Ok(Look::default()), |look| read_look(&look, format, view))?;
        Ok(Some(Document { format, look }))
    }

    /// The fields of the answer.
    pub(super) fn fields(&self, study: &Study, settings: &Settings) -> Result<Map<String, Json>, Diagnostic> {
        let document = String::from_utf8_lossy(&settings.parts.document(study, self)?).into_owned();
        fits(document.len(), settings.longest, Span::default(), "ask for a smaller roll")?;
        let series = study.series();
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
        let warned = match one.prepared() {
            Some(prepared) => json::odds_warnings(prepared, more),
            None => json!(more),
        };
        if let Json::Array(found) = warned {
            all.extend(found.into_iter().filter(|warning| !all.contains(warning)).collect::<Vec<_>>());
        }
    }
    Json::Array(all)
}

fn read_look(look: &Fields, format: &str, view: View) -> Result<Look, Diagnostic> {
    look.only(&LOOK.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
    let check = |setting: Setting, named: &str| match idle(setting, &format!("`{named}`"), view, format, None) {
        Some(why) => Err(refused(why)),
        None => Ok(()),
    };
    let given = |name: &str| !matches!(look.get(name), None | Some(Json::Bool(false)));
    for (name, setting) in LOOK.iter().filter(|(name, _)| *name != "show" && given(name)) {
        check(*setting, name)?;
    }
    let one = |one: &Json| {
        let name = one.as_str().unwrap_or_default();
        let (show, setting) = chosen("show", name, SHOWN)?;
        check(setting, &format!("show {name}")).map(|()| show)
    };
    let show = match look.get("show") {
        None => vec![],
        Some(Json::Array(several)) => several.iter().map(one).collect::<Result<_, _>>()?,
        Some(only) => vec![one(only)?],
    };
    let usual = Look::default();
    Ok(Look {
        show,
        title: look.text("title")?,
        theme: look.choice("theme", Theme::ALL)?.unwrap_or_default(),
        all: look.truth("all")?,
        width: look.count("width", WIDTHS.0, WIDTHS.1)?.map_or(usual.width, |width| width as usize),
        size: size(look)?,
        ..usual
    })
}

/// `[1200, 600]`, or `1200` for the width alone.
fn size(look: &Fields) -> Result<Option<(u32, Option<u32>)>, Diagnostic> {
    let Some(given) = look.get("size") else { return Ok(None) };
    let number = |json: &Json| json.as_u64().filter(|n| SIZES.contains(n)).and_then(|n| u32::try_from(n).ok());
    let found = match given.as_array().map(Vec::as_slice) {
        Some([wide, high]) => number(wide).zip(number(high)).map(|(wide, high)| (wide, Some(high))),
        Some(_) => None,
        None => number(given).map(|wide| (wide, None)),
    };
    let (least, most) = (SIZES.start(), SIZES.end());
    let wrong = || refused(format!("`size` must be a width, or [width, height], from {least} to {most}"));
    found.map(Some).ok_or_else(wrong)
}
