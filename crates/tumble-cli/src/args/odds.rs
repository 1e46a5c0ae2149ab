//! `tumble odds`.

use super::script::OfScript;
use super::shared::{Given, from_one, from_zero, whole};
use crate::sweep::sweep;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use tumble::batch::Json;
use tumble::render::chance::Question;
use tumble::render::effects::Setting;
use tumble::render::{Axis, FORMATS, Format, Show, Theme, format, format_of};
use tumble::{Diagnostic, Query};

/// An exact answer rolls no dice.
const MAX_DICE: &str =
    "Most members of one collection, and dice of one roll of an approximate answer [default: 1 million]";

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
  tumble odds 2d6 --exactly 7,11 --between 4..6
  tumble odds 4d6kh3 3d6 -o odds.svg --name Heroic --name Classic
  tumble odds 4d6kh3 3d6 --format csv
  tumble odds d20+@bonus --sweep bonus=0..10 --at-least 15 -o hit.svg
  tumble odds "d20 + @b >= @dc" --sweep b=0..5 --sweep dc=10..20
  tumble odds --script attack.tumble --args fight.json --sweep target.ac=10..20

Words such as -3 or kh3 belong to the roll before them: put the whole roll in
quotes. Endless loops, such as exploding dice, are solved exactly. What is too
rare to be listed has a row of its own."#)]
pub(crate) struct OddsArgs {
    /// One or several expressions; several are shown side by side where they fit
    #[arg(value_name = "ROLL", required_unless_present_any = ["file", "script"], conflicts_with = "file")]
    pub(crate) texts: Vec<String>,

    /// The rolls as somebody typed them in a session, before their saved rolls were written out.
    #[arg(skip)]
    pub(crate) typed: Vec<String>,

    #[command(flatten)]
    pub(crate) given: Given,

    #[command(flatten)]
    pub(crate) of: OfScript,

    /// Format of the answer [default: text, or by the extension of FILE]
    #[arg(long, value_name = "NAME", conflicts_with = "json", value_parser = formats())]
    format: Option<String>,

    /// Write the answer to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// A name for a roll, instead of its expression; can be repeated, in the
    /// order of the rolls
    // Not `"name = roll"`: `d6 = 3` is a comparison, and `:` and `#` have meanings in notations too.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = name)]
    pub(crate) name: Vec<String>,

    /// Cut loops after N rolls, as the program Troll does, and list the rest as
    /// one row
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_one)]
    pub(crate) iterations: Option<u64>,

    /// Which probabilities to show, and how; separate several by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = named(Show::ALL))]
    pub(crate) show: Vec<Show>,

    /// Show every row, including rare ones at the ends of a long table
    #[arg(long)]
    pub(crate) all: bool,

    /// Show one table per roll, even where they fit side by side
    #[arg(long)]
    pub(crate) separate: bool,

    /// Colours of a picture or a page [default: auto]
    #[arg(long, value_name = "NAME", value_parser = named(Theme::ALL))]
    pub(crate) theme: Option<Theme>,

    /// Title of a picture, a page or a Markdown table
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,

    /// Size of a picture, such as 1200x600, or its width alone
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<(u32, Option<u32>)>,

    /// Show only the chance of N or more
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    at_least: Vec<i64>,

    /// Show only the chance of N or less
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    at_most: Vec<i64>,

    /// Show only the chance of A, B or a number between them, such as 7..9
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = between)]
    between: Vec<(i64, i64)>,

    /// Show only the chance of this outcome, or of any of several: 7,11
    #[arg(long, value_name = "OUTCOME", allow_hyphen_values = true)]
    exactly: Vec<String>,

    /// Show how the answer was found, what it was expected to cost and what it
    /// took
    #[arg(long)]
    pub(crate) explain: bool,

    /// Compute the answer a second time in another way, and compare
    #[arg(long)]
    pub(crate) verify: bool,

    /// Allow an approximate answer where the exact one is over its limit
    #[arg(long, conflicts_with = "iterations")]
    pub(crate) approx: bool,

    /// Make an approximate answer of this many rolls [default: up to 1 million]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_one)]
    samples: Option<u64>,

    /// Roll the same dice again for an approximate answer
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    seed: Option<u64>,

    /// Try several values of a variable: N=3..10, N=0..100..10 or N=2,4,8; give
    /// it twice for a grid; of a script, an argument such as target.ac
    #[arg(long, value_name = "NAME=VALUES", value_parser = sweep)]
    pub(crate) sweep: Vec<Axis>,
}

/// A name that can be seen.
fn name(given: &str) -> Result<String, String> {
    let name = given.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { Err("a name needs at least one letter".to_owned()) } else { Ok(name) }
}

/// The smallest and the largest picture.
const SIZES: std::ops::RangeInclusive<u32> = 100..=5_000;

/// `1200x600`, or `1200` for the width alone.
fn size(given: &str) -> Result<(u32, Option<u32>), String> {
    let bad =
        || format!("write it like 1200x600, or 1200 for the width alone, from {} to {}", SIZES.start(), SIZES.end());
    let number = |piece: &str| piece.trim().parse().ok().filter(|n| SIZES.contains(n)).ok_or_else(bad);
    match given.split_once(['x', 'X', '×']) {
        Some((wide, high)) => Ok((number(wide)?, Some(number(high)?))),
        None => Ok((number(given)?, None)),
    }
}

/// `7..9`
fn between(given: &str) -> Result<(i64, i64), String> {
    let bad = || "write two whole numbers, the smaller first, such as 7..9".to_owned();
    let (low, high) = given.split_once("..").ok_or_else(bad)?;
    match (low.trim().parse::<i64>(), high.trim().parse::<i64>()) {
        (Ok(low), Ok(high)) if low <= high => Ok((low, high)),
        _ => Err(bad()),
    }
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
    /// The format that was named, or that the extension of the file means.
    pub(crate) fn format(&self) -> &'static Format {
        let named = if self.given.json { Some("json") } else { self.format.as_deref() };
        let file = self.output.as_ref().and_then(|path| path.to_str());
        let found = named.map_or_else(|| file.and_then(format_of), format);
        found.unwrap_or(&FORMATS[0])
    }

    /// What is wrong with the name of the file: no format has its extension, and none was named.
    pub(crate) fn unknown_ending(&self) -> Option<String> {
        let file = self.output.as_ref().filter(|_| self.format.is_none() && !self.given.json)?;
        let ending = file.extension()?.to_str().filter(|_| file.to_str().and_then(format_of).is_none())?;
        let known: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let known = known.join(", ");
        Some(format!("unknown file extension `.{ending}`; use one of {known}, or choose a format with --format"))
    }

    /// Why a format that this build does not have cannot be had.
    pub(crate) fn left_out(&self) -> Option<Diagnostic> {
        let name = LEFT_OUT?;
        let by_file = || self.output.as_ref()?.extension()?.to_str();
        self.format.as_deref().or_else(by_file).filter(|asked| asked.eq_ignore_ascii_case(name))?;
        let hint = format!("write an svg, or build it with {name}: `cargo install --path crates/tumble-cli`");
        Some(crate::input::refused(format!("this tumble was built without {name}")).hint(hint))
    }

    /// What is odd about the name of the file: its extension is that of another format than the one that was named.
    pub(crate) fn other_ending(&self) -> Option<String> {
        let file = self.output.as_ref()?.to_str()?;
        let (said, named) = (format_of(file)?, self.format());
        (said.name != named.name)
            .then(|| format!("`{file}` contains {}, although its extension says {}", named.name, said.name))
    }

    /// What was asked for one number.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let least = self.at_least.iter().map(|n| Question::AtLeast(*n));
        let most = self.at_most.iter().map(|n| Question::AtMost(*n));
        let between = self.between.iter().map(|(low, high)| Question::Between(*low, *high));
        least.chain(most).chain(between).chain(self.exactly.iter().cloned().map(Question::Exactly)).collect()
    }

    /// The same as the fields of a request.
    pub(crate) fn asked(&self) -> Vec<(&'static str, Json)> {
        let numbers = |all: &[i64]| Json::from(all.to_vec());
        let between = self.between.iter().map(|(low, high)| format!("{low}..{high}")).collect::<Vec<_>>();
        let fields = [
            ("at_least", numbers(&self.at_least)),
            ("at_most", numbers(&self.at_most)),
            ("between", Json::from(between)),
            ("exactly", Json::from(self.exactly.clone())),
        ];
        fields.into_iter().filter(|(_, values)| values.as_array().is_some_and(|all| !all.is_empty())).collect()
    }

    /// The settings that were given, as they were spelled; each means something in some formats only.
    pub(crate) fn settings(&self) -> Vec<(Setting, String)> {
        let show = self.show.iter().map(|show| {
            let name = Show::ALL.iter().find(|(_, other)| other == show).map_or("", |(name, _)| name);
            let setting = match show {
                Show::Exactly | Show::AtLeast | Show::AtMost => Setting::Measure,
                Show::Percent => Setting::Percent,
                Show::Fraction => Setting::Fraction,
            };
            (setting, format!("--show {name}"))
        });
        let others = [
            (self.all, Setting::All, "--all"),
            (self.separate, Setting::Separate, "--separate"),
            (self.theme.is_some(), Setting::Theme, "--theme"),
            (self.title.is_some(), Setting::Title, "--title"),
            (self.size.is_some(), Setting::Size, "--size"),
            (self.explain, Setting::Explain, "--explain"),
            (self.verify, Setting::Verify, "--verify"),
            (self.samples.is_some(), Setting::Samples, "--samples"),
            (self.seed.is_some(), Setting::Seed, "--seed"),
        ];
        let others = others.into_iter().filter(|(given, ..)| *given);
        show.chain(others.map(|(_, setting, name)| (setting, name.to_owned()))).collect()
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
