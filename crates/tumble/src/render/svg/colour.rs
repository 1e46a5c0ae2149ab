//! The colours of a chart, in light and in dark.
//!
//! ```text
//! distinct   for rolls that have nothing to do with each other: no two alike, however many there are
//! ramp       for the values of a variable: in order, from one end of a scale to the other
//! heat       for the cells of a grid: the larger, the stronger; the number in a cell is black or white, whichever
//!            can be read better
//! ```

use super::super::look::Theme;
use std::fmt::Write;

/// Ink, soft ink, lines, back.
const LIGHT: [&str; 4] = ["#1f2733", "#5b6675", "#e3e7ed", "#ffffff"];
const DARK: [&str; 4] = ["#e8ecf2", "#a3adba", "#2c3440", "#161b22"];

/// The first colours of distinct rolls; more are found by turning the hue.
const LIGHT_FIRST: [&str; 6] = ["#2f6fd0", "#d9780f", "#1f9468", "#a8428f", "#6a51c4", "#6b7685"];
const DARK_FIRST: [&str; 6] = ["#6fa3f2", "#f0a24a", "#4fc796", "#dd83c8", "#a690f0", "#a7b1bf"];

/// The ends and the middle of a ramp.
const LIGHT_RAMP: [&str; 3] = ["#dd8413", "#c43a6e", "#35308f"];
const DARK_RAMP: [&str; 3] = ["#ffd98a", "#f0829f", "#8f83ff"];

/// From the smallest number of a grid to the largest.
const LIGHT_HEAT: [&str; 4] = ["#f1f6fd", "#a9c8f5", "#4384dd", "#143f86"];
const DARK_HEAT: [&str; 4] = ["#1f2836", "#24477f", "#4384dd", "#b4d0f8"];

/// The hue that is farthest from those of all before it, as a part of the circle.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// So many steps from the smallest number to the largest.
pub(super) const STEPS: usize = 20;

/// Which colours the rolls of a chart have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Palette {
    Distinct(usize),
    Ramp(usize),
    Heat,
}

impl Palette {
    /// The rules of a style sheet.
    pub(super) fn rules(self, theme: Theme) -> String {
        match theme {
            Theme::Light => self.rules_of(false),
            Theme::Dark => self.rules_of(true),
            Theme::Auto => {
                format!("{}@media(prefers-color-scheme:dark){{{}}}", self.rules_of(false), self.rules_of(true))
            }
        }
    }

    fn rules_of(self, dark: bool) -> String {
        let [ink, soft, line, back] = if dark { DARK } else { LIGHT };
        let mut rules = format!(
            ".ink{{fill:{ink}}}.soft{{fill:{soft}}}.grid{{stroke:{line}}}.axis{{stroke:{soft}}}.back{{fill:{back}}}"
        );
        let (Palette::Distinct(count) | Palette::Ramp(count)) = self else {
            for step in 0..=STEPS {
                let (fill, text) = heat(step, dark);
                let _ = write!(rules, ".h{step}{{fill:{fill}}}.t{step}{{fill:{text}}}");
            }
            return rules;
        };
        for place in 0..count {
            let colour = self.colour(place, dark);
            let _ = write!(rules, ".s{place}{{fill:{colour}}}.l{place}{{fill:none;stroke:{colour};stroke-width:2}}");
        }
        rules
    }

    fn colour(self, place: usize, dark: bool) -> String {
        match self {
            Palette::Ramp(count) => {
                let stops = if dark { DARK_RAMP } else { LIGHT_RAMP };
                mixed(&stops, place as f64 / count.saturating_sub(1).max(1) as f64)
            }
            Palette::Distinct(_) | Palette::Heat => {
                let first = if dark { DARK_FIRST } else { LIGHT_FIRST };
                first.get(place).map_or_else(|| turned(place - first.len(), dark), |colour| (*colour).to_owned())
            }
        }
    }
}

/// The colour of a cell and of the number in it.
fn heat(step: usize, dark: bool) -> (String, &'static str) {
    let stops = if dark { DARK_HEAT } else { LIGHT_HEAT };
    let fill = mixed(&stops, step as f64 / STEPS as f64);
    let text = if contrast(&fill, "#000000") >= contrast(&fill, "#ffffff") { "#000000" } else { "#ffffff" };
    (fill, text)
}

/// One more colour that is unlike all others; after each turn of the circle they are a little darker or lighter.
fn turned(more: usize, dark: bool) -> String {
    let hue = (0.52 + GOLDEN * more as f64).fract() * 6.0;
    let lightness = if dark { 0.62 } else { 0.28 } + 0.06 * ((more / 2) % 3) as f64;
    let strong = 0.62 * (1.0 - (2.0 * lightness - 1.0).abs());
    let part = |shift: f64| {
        let place = (hue + shift) % 6.0;
        let share = (2.0 - (place - 3.0).abs()).clamp(0.0, 1.0);
        lightness + strong * (0.5 - share)
    };
    hex([part(0.0), part(4.0), part(2.0)].map(|part| part * 255.0))
}

/// A colour between some that follow each other.
fn mixed(stops: &[&str], at: f64) -> String {
    let place = at.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let first = (place as usize).min(stops.len() - 2);
    let (low, high) = (parts(stops[first]), parts(stops[first + 1]));
    let share = place - first as f64;
    hex([0, 1, 2].map(|part| low[part] + (high[part] - low[part]) * share))
}

/// Red, green and blue.
fn parts(colour: &str) -> [f64; 3] {
    let number = u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0);
    [number >> 16, (number >> 8) & 0xff, number & 0xff].map(f64::from)
}

fn hex(parts: [f64; 3]) -> String {
    let [red, green, blue] = parts.map(|part| part.round().clamp(0.0, 255.0) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// How well two colours can be told apart, as WCAG 2 defines it: from 1 to 21.
fn contrast(one: &str, other: &str) -> f64 {
    let light = |colour: &str| {
        let [red, green, blue] = parts(colour).map(|part| {
            let part = part / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (one, other) = (light(one), light(other));
    one.max(other) / one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_in_cells_can_be_read() {
        for dark in [false, true] {
            for step in 0..=STEPS {
                let (fill, text) = heat(step, dark);
                assert!(contrast(&fill, text) >= 4.5, "{fill} {text}");
            }
        }
    }

    #[test]
    fn no_colour_comes_twice() {
        for dark in [false, true] {
            for palette in [Palette::Distinct(60), Palette::Ramp(60)] {
                let colours: BTreeSet<String> = (0..60).map(|place| palette.colour(place, dark)).collect();
                assert_eq!(colours.len(), 60);
                let back = if dark { DARK[3] } else { LIGHT[3] };
                for colour in colours {
                    assert!(contrast(&colour, back) >= 2.4, "{colour} on {back}");
                }
            }
        }
    }
}
