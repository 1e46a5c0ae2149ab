//! How an answer should look: what its reader asked for and how much room there is.

use super::series::Measure;
use super::text::PAGE;

/// What a table of odds shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The probability of each outcome.
    Exactly,
    /// The probability of each outcome or a larger one.
    AtLeast,
    /// The probability of each outcome or a smaller one.
    AtMost,
    /// Probabilities in percent.
    Percent,
    /// Probabilities as exact fractions, including long ones.
    Fraction,
}

impl Show {
    /// All of them, with their names.
    pub const ALL: &'static [(&'static str, Show)] = &[
        ("exactly", Show::Exactly),
        ("at-least", Show::AtLeast),
        ("at-most", Show::AtMost),
        ("percent", Show::Percent),
        ("fraction", Show::Fraction),
    ];
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Those of the reader; light where that cannot be known, as in PNG.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// All of them, with their names.
    pub const ALL: &'static [(&'static str, Theme)] =
        &[("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];
}

/// How an answer should look. [`super::effects`] says what means something in which format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The columns of the terminal.
    pub width: usize,
    /// Show every row of a long table.
    pub all: bool,
    /// What to show; the probability of each outcome in percent, and as a fraction where that is short,
    /// if nothing is named.
    pub show: Vec<Show>,
    /// One table for each roll, even where they would fit side by side.
    pub separate: bool,
    /// Colours for a terminal.
    pub colour: bool,
    /// The colours of a picture.
    pub theme: Theme,
    /// The title of a picture, a page or a Markdown table, instead of the rolls.
    pub title: Option<String>,
    /// The width of a picture and, if it is given, its height: in units for SVG, in pixels for PNG.
    pub size: Option<(u32, Option<u32>)>,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            width: PAGE,
            all: false,
            show: vec![],
            separate: false,
            colour: false,
            theme: Theme::Auto,
            title: None,
            size: None,
        }
    }
}

impl Look {
    pub(super) fn measures(&self) -> Vec<Measure> {
        let measure = |show: &Show| match show {
            Show::Exactly => Some(Measure::Exactly),
            Show::AtLeast => Some(Measure::AtLeast),
            Show::AtMost => Some(Measure::AtMost),
            Show::Percent | Show::Fraction => None,
        };
        let mut measures: Vec<Measure> = Vec::new();
        for found in self.show.iter().filter_map(measure) {
            if !measures.contains(&found) {
                measures.push(found);
            }
        }
        if measures.is_empty() { vec![Measure::Exactly] } else { measures }
    }

    /// Whether fractions were asked for by name.
    pub(super) fn wants_fractions(&self) -> bool {
        self.show.contains(&Show::Fraction)
    }

    /// Whether percentages were asked for, and fractions were not.
    pub(super) fn percent_only(&self) -> bool {
        self.show.contains(&Show::Percent) && !self.wants_fractions()
    }

    /// Whether percent are shown: if they are named, or nothing else is.
    pub(super) fn percent(&self) -> bool {
        self.show.contains(&Show::Percent) || !self.wants_fractions()
    }

    /// Whether fractions are shown where they are short, though nobody asked.
    pub(super) fn short_fractions(&self) -> bool {
        !self.show.contains(&Show::Percent) && self.measures() == [Measure::Exactly]
    }
}
