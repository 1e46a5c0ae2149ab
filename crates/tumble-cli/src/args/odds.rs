//! `tumble odds`.

use super::shared::{Given, from_one, from_zero, whole};
use crate::sweep::{Sweep, sweep};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use tumble::render::chance::Question;
use tumble::render::{FORMATS, Format, Show, Theme, format, format_of};
use tumble::{Diagnostic, Query};

/// An exact answer rolls no dice.
const MAX_DICE: &str =
    "The most members of one collection, and dice of one roll of an approximate answer [default: 1 million]";

#[derive(Debug, Args)]
#[command(mut_arg("max_dice", |arg| arg.help(MAX_DICE)))]
#[command(after_help = r#"Examples:
  tumble odds 4d6kh3
  tumble odds 3d6 "2d6 + 3"
  tumble odds "(@N)d10cs>=8" --var N=3
  tumble odds 4d6kh3 --explain --verify
  tumble odds -n troll "different 40d40" --approx --samples 100000
  tumble odds 4d6kh3 --show at-least
  tumble odds 4d6kh3 --at-least 15
  tumble odds 4d6kh3 3d6 -o odds.svg
  tumble odds 4d6kh3 3d6 --format csv

Loops without an end, such as exploding dice, are solved exactly. What is too
rare to be listed has a row of its own."#)]
pub(crate) struct OddsArgs {
    /// What to count; several texts stand side by side where they fit
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) texts: Vec<String>,

    #[command(flatten)]
    pub(crate) given: Given,

    /// How the answer looks [default: text, or what the ending of FILE says]
    #[arg(long, value_name = "NAME", conflicts_with = "json", value_parser = formats())]
    format: Option<String>,

    /// Write the answer to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Cut loops after N rolls, as the program Troll does, and list the rest as
    /// one row
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_one)]
    pub(crate) iterations: Option<u64>,

    /// Which probabilities to show, and how; several are separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = named(Show::ALL))]
    pub(crate) show: Vec<Show>,

    /// Show every row, also the rare ones at the ends of a long table
    #[arg(long)]
    pub(crate) all: bool,

    /// Show one table per text, also where they fit side by side
    #[arg(long)]
    pub(crate) separate: bool,

    /// The colours of a picture
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = named(Theme::ALL))]
    pub(crate) theme: Theme,

    /// What stands above a picture, a page or a Markdown table
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,

    /// Tell only the chance of this number or a larger one
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    at_least: Vec<i64>,

    /// Tell only the chance of this number or a smaller one
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    at_most: Vec<i64>,

    /// Tell only the chance of this outcome
    #[arg(long, value_name = "OUTCOME", allow_hyphen_values = true)]
    exactly: Vec<String>,

    /// Tell how the answer was found, what it was expected to cost and what it
    /// took
    #[arg(long)]
    pub(crate) explain: bool,

    /// Work the answer out a second time in another way, and compare
    #[arg(long)]
    pub(crate) verify: bool,

    /// Allow an approximate answer where the exact one is over its limit
    #[arg(long, conflicts_with = "iterations")]
    pub(crate) approx: bool,

    /// Make an approximate answer of this many rolls [default: up to 1 million]
    #[arg(long, value_name = "N", requires = "approx", allow_negative_numbers = true, value_parser = from_one)]
    samples: Option<u64>,

    /// Roll the same dice again for an approximate answer
    #[arg(long, value_name = "N", requires = "approx", allow_negative_numbers = true, value_parser = from_zero)]
    seed: Option<u64>,

    /// Give a variable one value after the other, and put the answers side by
    /// side: N=3..10, N=0..100..10 or N=2,4,8
    #[arg(long, value_name = "NAME=VALUES", value_parser = sweep)]
    #[arg(conflicts_with_all = ["explain", "verify"])]
    pub(crate) sweep: Option<Sweep>,
}

/// The names of the formats.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name).chain(LEFT_OUT))
}

/// The format that this build does not have.
const LEFT_OUT: Option<&str> = if cfg!(feature = "png") { None } else { Some("png") };

/// One of several things that have names.
fn named<T: Copy + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = all.iter().map(|(name, _)| *name).collect();
    let find = |given: String| all.iter().find(|(name, _)| *name == given).map(|(_, thing)| *thing);
    PossibleValuesParser::new(names).try_map(move |given| find(given).ok_or("there is no such name"))
}

impl OddsArgs {
    /// The format that was named, or that the ending of the file tells.
    pub(crate) fn format(&self) -> &'static Format {
        let named = if self.given.json { Some("json") } else { self.format.as_deref() };
        let file = self.output.as_ref().and_then(|path| path.to_str());
        let found = named.map_or_else(|| file.and_then(format_of), format);
        found.unwrap_or(&FORMATS[0])
    }

    /// What is wrong with the name of the file: its ending tells no format, and none was named.
    pub(crate) fn unknown_ending(&self) -> Option<String> {
        let file = self.output.as_ref().filter(|_| self.format.is_none() && !self.given.json)?;
        let ending = file.extension()?.to_str().filter(|_| file.to_str().and_then(format_of).is_none())?;
        let known: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let known = known.join(", ");
        Some(format!("the ending `.{ending}` tells no format; use one of {known}, or name a format with --format"))
    }

    /// Why a format that this build does not have cannot be had.
    pub(crate) fn left_out(&self) -> Option<Diagnostic> {
        let name = LEFT_OUT?;
        let by_file = || self.output.as_ref()?.extension()?.to_str();
        self.format.as_deref().or_else(by_file).filter(|asked| asked.eq_ignore_ascii_case(name))?;
        let hint = format!("write an svg, or build it with {name}: `cargo install --path crates/tumble-cli`");
        Some(crate::input::refused(format!("this tumble was built without {name}")).hint(hint))
    }

    /// What is odd about the name of the file: its ending tells another format than the one that was named.
    pub(crate) fn other_ending(&self) -> Option<String> {
        let file = self.output.as_ref()?.to_str()?;
        let (said, named) = (format_of(file)?, self.format());
        (said.name != named.name)
            .then(|| format!("`{file}` now holds {}, though its name says {}", named.name, said.name))
    }

    /// What was asked for one number.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let least = self.at_least.iter().map(|n| Question::AtLeast(*n));
        let most = self.at_most.iter().map(|n| Question::AtMost(*n));
        least.chain(most).chain(self.exactly.iter().cloned().map(Question::Exactly)).collect()
    }

    pub(crate) fn query(&self) -> Query {
        Query {
            iterations: self.iterations,
            explain: self.explain,
            verify: self.verify,
            approx: self.approx,
            samples: self.samples,
            seed: self.seed,
        }
    }
}
