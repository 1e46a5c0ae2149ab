//! Which setting means something where: one table, read by the program and by `tumble batch`.
//!
//! ```text
//! setting  ×  view  ×  format      either changes the answer, or is refused
//! ```
//!
//! An option that is accepted and ignored is worse than an error: whoever gives it believes that the answer obeys it.
//! So every caller asks this table first, and a test of the program goes through all of its cells.

/// What is asked for, as far as that decides which settings mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The distribution of one roll.
    Roll,
    /// The distributions of several rolls.
    Rolls,
    /// One number for each question, such as the chance of at least 15.
    Chances,
    /// The distributions for several values of a variable.
    Sweep,
    /// One number for each value of a variable.
    Curve,
    /// One number for each pair of values of two variables.
    Grid,
}

impl View {
    /// All of them.
    pub const ALL: &'static [View] = &[View::Roll, View::Rolls, View::Chances, View::Sweep, View::Curve, View::Grid];

    /// The view of this many rolls and swept variables, with or without questions.
    pub fn of(rolls: usize, sweeps: usize, questions: bool) -> View {
        match (sweeps, questions) {
            (0, false) if rolls < 2 => View::Roll,
            (0, false) => View::Rolls,
            (0, true) => View::Chances,
            (1, false) => View::Sweep,
            (1, true) => View::Curve,
            _ => View::Grid,
        }
    }

    fn words(self) -> &'static str {
        match self {
            View::Roll => "a single roll",
            View::Rolls => "several rolls",
            View::Chances => "single chances",
            View::Sweep => "a sweep",
            View::Curve => "a sweep with a question",
            View::Grid => "a grid",
        }
    }
}

/// Something that changes how an answer looks or what it says besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Probabilities of at least and at most, besides exactly.
    Measure,
    /// Percentages and no fractions.
    Percent,
    /// Fractions, even long ones.
    Fraction,
    /// Every row of a long table.
    All,
    /// One table per roll.
    Separate,
    /// Light or dark.
    Theme,
    /// A title.
    Title,
    /// The size of a picture.
    Size,
    /// The columns of a line.
    Width,
    /// How the answer was found.
    Explain,
    /// Whether a second way gives the same.
    Verify,
    /// How many rolls make an approximate answer.
    Samples,
    /// Which dice make an approximate answer.
    Seed,
}

/// The formats in which a setting means something, for several views at once.
type Works = (&'static [View], &'static [&'static str]);

const DISTRIBUTIONS: &[View] = &[View::Roll, View::Rolls, View::Sweep];
const DRAWN: &[View] = &[View::Roll, View::Rolls, View::Sweep, View::Curve, View::Grid];
const EVERY_FORMAT: &[&str] = &["text", "json", "csv", "md", "html", "svg", "png"];

impl Setting {
    /// All of them.
    pub const ALL: &'static [Setting] = &[
        Setting::Measure,
        Setting::Percent,
        Setting::Fraction,
        Setting::All,
        Setting::Separate,
        Setting::Theme,
        Setting::Title,
        Setting::Size,
        Setting::Width,
        Setting::Explain,
        Setting::Verify,
        Setting::Samples,
        Setting::Seed,
    ];

    /// The table.
    fn works(self) -> &'static [Works] {
        match self {
            // JSON always has every outcome with its fraction.
            Setting::Measure => &[(DISTRIBUTIONS, &["text", "csv", "md", "html", "svg", "png"])],
            // CSV always has both; the table of a sweep has no room for fractions, and a grid shows one number per cell.
            Setting::Percent => &[
                (&[View::Roll, View::Rolls], &["text", "md", "html"]),
                (&[View::Sweep, View::Chances, View::Curve], &["md", "html"]),
            ],
            Setting::Fraction => &[
                (&[View::Roll, View::Rolls, View::Grid], &["text", "md", "html"]),
                (&[View::Sweep, View::Chances, View::Curve], &["md", "html"]),
            ],
            // What is for programs lists everything anyway.
            Setting::All => &[(DISTRIBUTIONS, &["text", "md", "html"])],
            Setting::Separate => &[(&[View::Rolls], &["text"])],
            Setting::Theme => &[(DRAWN, &["html", "svg", "png"]), (&[View::Chances], &["html"])],
            Setting::Title => &[(DRAWN, &["md", "html", "svg", "png"]), (&[View::Chances], &["md", "html"])],
            Setting::Size => &[(DRAWN, &["svg", "png"])],
            Setting::Width => &[(DISTRIBUTIONS, &["text"]), (&[View::Grid], &["text"])],
            Setting::Explain | Setting::Verify => &[(&[View::Roll, View::Rolls, View::Chances], &["text", "json"])],
            Setting::Samples | Setting::Seed => &[(View::ALL, EVERY_FORMAT)],
        }
    }

    /// What can be had without it.
    fn anyway(self, format: &str) -> &'static str {
        match (self, format) {
            (Setting::Measure, "json") => "; json always has every outcome",
            (Setting::Fraction, "json" | "csv") => "; json and csv always have the fractions",
            (Setting::All, "json" | "csv") => "; json and csv always have every row",
            (Setting::Fraction, _) => "; json and csv always have them",
            _ => "",
        }
    }

    /// The formats that heed it in this view.
    fn formats(self, view: View) -> Vec<&'static str> {
        // Not by the table of formats, which would link all of them where none is written.
        let known = |name: &&&str| cfg!(feature = "png") || **name != "png";
        let rows = self.works().iter().filter(|(views, _)| views.contains(&view));
        rows.flat_map(|(_, formats)| formats.iter().filter(known)).copied().collect()
    }
}

/// Whether this format can show this view at all; if not, why, and what can.
pub fn undrawable(view: View, format: &str) -> Option<String> {
    let picture = matches!(format, "svg" | "png");
    (view == View::Chances && picture).then(|| {
        format!("a single number can't be drawn as {format}; ask for text, json, csv, md or html, or sweep a value")
    })
}

/// Why a setting would do nothing, in words; none if it means something. `named` is how the caller spells it, and
/// `approx` how an approximate answer is asked for, if it was not.
pub fn idle(setting: Setting, named: &str, view: View, format: &str, approx: Option<&str>) -> Option<String> {
    if let (Setting::Samples | Setting::Seed, Some(approx)) = (setting, approx) {
        return Some(format!("{named} does nothing without {approx}: an exact answer rolls no dice"));
    }
    let here = setting.formats(view);
    if here.contains(&format) {
        return None;
    }
    if !here.is_empty() {
        let (view, here, anyway) = (view.words(), listed(&here), setting.anyway(format));
        return Some(format!("{named} does nothing in {format} for {view}; it works in {here}{anyway}"));
    }
    let elsewhere = |other: &&View| !setting.formats(**other).is_empty();
    let views: Vec<&str> = View::ALL.iter().filter(elsewhere).map(|other| other.words()).collect();
    let mut formats: Vec<&str> = View::ALL.iter().flat_map(|other| setting.formats(*other)).collect();
    let mut seen = Vec::new();
    formats.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    Some(format!("{named} does nothing for {}; it is for {} in {}", view.words(), listed(&views), listed(&formats)))
}

/// `a, b and c`
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_nothing_is_refused_with_what_would() {
        for (setting, view, format, why) in [
            (Setting::Title, View::Roll, "md", None),
            (
                Setting::Title,
                View::Roll,
                "text",
                Some("X does nothing in text for a single roll; it works in md, html, svg"),
            ),
            (
                Setting::Separate,
                View::Sweep,
                "text",
                Some("X does nothing for a sweep; it is for several rolls in text"),
            ),
            (Setting::Seed, View::Grid, "svg", Some("X does nothing without A: an exact answer rolls no dice")),
        ] {
            let found = idle(setting, "X", view, format, Some("A"));
            match (found, why) {
                (None, None) => {}
                (Some(found), Some(why)) => assert!(found.replace(" and svg", ", svg").starts_with(why), "{found}"),
                (found, why) => panic!("{found:?}, not {why:?}"),
            }
        }
    }

    #[test]
    fn every_setting_means_something_somewhere() {
        for setting in Setting::ALL {
            assert!(View::ALL.iter().any(|view| !setting.formats(*view).is_empty()), "{setting:?}");
        }
    }
}
