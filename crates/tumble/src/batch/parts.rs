//! Which requests are answered.
//!
//! What is not named is not linked: a page that draws its own tables leaves out the formats, and one without scripts
//! is a third smaller.

use super::fields::Fields;
use super::{Document, Json, Settings, check, refused, run, script, script_odds};
use crate::render::{Study, format};
use tumble_core::Diagnostic;

/// Answers a request about a script; the time is the one it came in.
type Door = fn(&Fields, &Settings, u64) -> Result<Json, Diagnostic>;

/// Writes a document.
type Writer = fn(&Study, &Document) -> Result<Vec<u8>, Diagnostic>;

/// The kinds of requests that are answered, besides those about a roll.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    documents: Option<Writer>,
    scripts: Option<Door>,
}

impl Parts {
    /// Everything.
    pub const ALL: Parts = Parts { documents: Some(write), scripts: Some(door) };
    /// Rolls, without documents.
    pub const ROLLS: Parts = Parts { documents: None, scripts: None };
    /// Rolls and scripts, without documents.
    pub const SCRIPTS: Parts = Parts { documents: None, scripts: Some(door) };

    pub(super) fn script(self, fields: &Fields, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
        let door = self.scripts.ok_or_else(|| refused("scripts are not available here"))?;
        door(fields, settings, start)
    }

    pub(super) fn document(self, study: &Study, document: &Document) -> Result<Vec<u8>, Diagnostic> {
        let write = self.documents.ok_or_else(|| refused("`format` is not available here"))?;
        write(study, document)
    }
}

fn door(fields: &Fields, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
    match fields.text("do")?.as_deref() {
        Some("run") => run::read(fields).and_then(|request| crate::script::perform(&request, &settings.limits)),
        Some("best") => script::best(fields, settings),
        Some("worth") => script::worth(fields, settings),
        Some("check") => check::script(fields),
        _ => script_odds::answer(fields, settings, start),
    }
}

fn write(study: &Study, document: &Document) -> Result<Vec<u8>, Diagnostic> {
    let name = document.format;
    study.write(format(name).ok_or_else(|| refused(format!("unknown format `{name}`")))?, &document.look)
}
