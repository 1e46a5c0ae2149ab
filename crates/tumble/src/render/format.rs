//! The table of formats: one row each, and the row is its only home.

use super::look::Look;
use super::numbers::{self, Numbers};
use super::series::Series;
use super::{csv, html, json, markdown, svg, text};
use tumble_core::Diagnostic;

/// A way to write odds.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is called, as in `--format NAME`.
    pub name: &'static str,
    /// Its file extension.
    pub ending: &'static str,
    /// Its media type, as in HTTP.
    pub media: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// Whether it is anything but text.
    pub binary: bool,
    write: fn(&[Series], &Look) -> Result<Vec<u8>, Diagnostic>,
    /// The same for one number per roll, question and value of what is swept.
    pub(super) numbers: fn(&Numbers, &Look) -> Result<Vec<u8>, Diagnostic>,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        ending: "txt",
        media: "text/plain; charset=utf-8",
        about: "a table with bars for a terminal",
        binary: false,
        write: |series, look| Ok(text::tables(series, look).into_bytes()),
        numbers: numbers::text,
    },
    Format {
        name: "json",
        ending: "json",
        media: "application/x-ndjson",
        about: "one object per roll, with every fraction",
        binary: false,
        write: |series, _| json::lines(series).map(String::into_bytes),
        numbers: numbers::objects,
    },
    Format {
        name: "csv",
        ending: "csv",
        media: "text/csv; charset=utf-8",
        about: "one line per outcome for a spreadsheet, with every fraction",
        binary: false,
        write: |series, look| Ok(csv::lines(series, look).into_bytes()),
        numbers: numbers::lines,
    },
    Format {
        name: "md",
        ending: "md",
        media: "text/markdown; charset=utf-8",
        about: "a Markdown table for a forum or a chat",
        binary: false,
        write: |series, look| Ok(markdown::table(series, look).into_bytes()),
        numbers: numbers::markdown,
    },
    Format {
        name: "html",
        ending: "html",
        media: "text/html; charset=utf-8",
        about: "a page with a table of bars; its table is a Charts.css chart",
        binary: false,
        write: |series, look| html::shown(series, look).map(String::into_bytes),
        numbers: numbers::page,
    },
    Format {
        name: "svg",
        ending: "svg",
        media: "image/svg+xml",
        about: "a chart, light and dark",
        binary: false,
        write: |series, look| svg::chart(series, look, look.theme).map(String::into_bytes),
        numbers: |numbers, look| svg::numbers(numbers, look, look.theme).map(String::into_bytes),
    },
    #[cfg(feature = "png")]
    Format {
        name: "png",
        ending: "png",
        media: "image/png",
        about: "the same chart as a bitmap",
        binary: true,
        write: super::png::chart,
        numbers: super::png::numbers,
    },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The format of a file with this name, if its extension is known.
pub fn format_of(file: &str) -> Option<&'static Format> {
    let (_, ending) = file.rsplit_once('.')?;
    FORMATS.iter().find(|format| format.ending.eq_ignore_ascii_case(ending))
}

/// Writes one or several distributions in a format.
pub fn render(format: &Format, series: &[Series], look: &Look) -> Result<Vec<u8>, Diagnostic> {
    (format.write)(series, look)
}
