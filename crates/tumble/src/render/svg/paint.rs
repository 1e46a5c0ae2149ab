//! Shapes, letters and colours of a chart.

use super::super::look::Theme;
use super::super::width;
use std::fmt::Write;

/// Ink, soft ink, lines, back, then the distributions.
const LIGHT: [&str; 10] =
    ["#1f2733", "#5b6675", "#e3e7ed", "#ffffff", "#2f6fd0", "#d9780f", "#1f9468", "#a8428f", "#6a51c4", "#6b7685"];
const DARK: [&str; 10] =
    ["#e8ecf2", "#a3adba", "#2c3440", "#161b22", "#6fa3f2", "#f0a24a", "#4fc796", "#dd83c8", "#a690f0", "#a7b1bf"];
/// The first colour of a distribution, and how many there are.
const FIRST: usize = 4;
const COLOURS: usize = 6;

/// The width of a letter, as a share of its height.
const LETTER: f64 = 0.57;

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weight {
    Start,
    Middle,
    End,
}

/// What is drawn.
#[derive(Debug, Default)]
pub(super) struct Canvas(String);

impl Canvas {
    pub(super) fn drawn(&self) -> &str {
        &self.0
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), text: &str, class: &str, weight: Weight) {
        let anchor = match weight {
            Weight::Start => "",
            Weight::Middle => " text-anchor=\"middle\"",
            Weight::End => " text-anchor=\"end\"",
        };
        self.put(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{}</text>", escaped(text)));
    }

    pub(super) fn line(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64), class: &str) {
        self.put(&format!("<path class=\"{class}\" d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/>"));
    }

    /// Two texts in one line.
    pub(super) fn pair(&mut self, (x, y): (f64, f64), first: (&str, &str), second: (&str, &str)) {
        let part =
            |(text, class): (&str, &str), dx: &str| format!("<tspan class=\"{class}\"{dx}>{}</tspan>", escaped(text));
        let parts = part(first, "") + &part(second, " dx=\"10\"");
        self.put(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\">{parts}</text>"));
    }

    /// A bar that stands on its lower end; who points at it reads `about`.
    pub(super) fn upright(&mut self, place: usize, (x, floor): (f64, f64), (wide, high): (f64, f64), about: &str) {
        let round = (wide / 4.0).min(high).min(2.5);
        let (up, across) = (high - round, wide - 2.0 * round);
        let path = format!(
            "M{x:.2} {floor:.1}v-{up:.2}q0 -{round:.1} {round:.1} -{round:.1}h{across:.2}\
             q{round:.1} 0 {round:.1} {round:.1}v{up:.2}z"
        );
        self.put(&format!(
            "<path class=\"s{}\" d=\"{path}\"><title>{}</title></path>",
            place % COLOURS,
            escaped(about)
        ));
    }

    /// A bar that begins at its left end.
    pub(super) fn lying(&mut self, place: usize, (x, y): (f64, f64), (wide, high): (f64, f64), about: &str) {
        let round = (high / 4.0).min(wide).min(2.5);
        let (across, down) = (wide - round, high - 2.0 * round);
        let path = format!(
            "M{x:.1} {y:.2}h{across:.2}q{round:.1} 0 {round:.1} {round:.1}v{down:.2}\
             q0 {round:.1} -{round:.1} {round:.1}h-{across:.2}z"
        );
        self.put(&format!(
            "<path class=\"s{}\" d=\"{path}\"><title>{}</title></path>",
            place % COLOURS,
            escaped(about)
        ));
    }

    /// A line through points.
    pub(super) fn curve(&mut self, place: usize, points: &[(f64, f64)]) {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.2}")).collect();
        let dashes = ["", "7 4", "2 4", "10 3 2 3"][place % 4];
        let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        self.put(&format!("<path class=\"l{}\" d=\"M{}\"{dashes}/>", place % COLOURS, path.join("L")));
    }

    /// The sign of a distribution in the legend and on lines; no two that follow each other are alike,
    /// also for who sees no colours.
    pub(super) fn mark(&mut self, place: usize, (x, y): (f64, f64), on_lines: bool) {
        let class = place % COLOURS;
        let shape = match (on_lines, place % 4) {
            (false, _) => format!(
                "<rect class=\"s{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" rx=\"2.5\"/>",
                x - 6.0,
                y - 6.0
            ),
            (true, 0) => format!("<circle class=\"s{class}\" cx=\"{x:.1}\" cy=\"{y:.2}\" r=\"3.4\"/>"),
            (true, 1) => format!("<path class=\"s{class}\" d=\"M{:.1} {:.2}h6.4v6.4h-6.4z\"/>", x - 3.2, y - 3.2),
            (true, 2) => format!("<path class=\"s{class}\" d=\"M{x:.1} {:.2}l4.2 7.2h-8.4z\"/>", y - 4.6),
            (true, _) => format!("<path class=\"s{class}\" d=\"M{x:.1} {:.2}l4.4 4.4l-4.4 4.4l-4.4 -4.4z\"/>", y - 4.4),
        };
        self.put(&shape);
    }

    fn put(&mut self, shape: &str) {
        self.0.push_str(shape);
        self.0.push('\n');
    }
}

/// The style sheet of a chart with so many distributions.
pub(super) fn style(theme: Theme, series: usize) -> String {
    let fixed = "text{font-family:'Noto Sans',system-ui,-apple-system,'Segoe UI',sans-serif;font-size:13px}\
                 .title{font-size:20px;font-weight:700}.name{font-weight:700}.small{font-size:12px}\
                 .value{font-size:11px}.tiny{font-size:9.5px}.grid,.axis{fill:none;stroke-width:1}.heard{font-size:1px;opacity:0}";
    let rules = |colours: &[&str; 10]| {
        let mut rules = format!(
            ".ink{{fill:{0}}}.soft{{fill:{1}}}.grid{{stroke:{2}}}.axis{{stroke:{1}}}.back{{fill:{3}}}",
            colours[0], colours[1], colours[2], colours[3]
        );
        for place in 0..series.min(COLOURS) {
            let colour = colours[FIRST + place];
            let _ = write!(rules, ".s{place}{{fill:{colour}}}.l{place}{{fill:none;stroke:{colour};stroke-width:2}}");
        }
        rules
    };
    match theme {
        Theme::Light => fixed.to_owned() + &rules(&LIGHT),
        Theme::Dark => fixed.to_owned() + &rules(&DARK),
        Theme::Auto => format!("{fixed}{}@media(prefers-color-scheme:dark){{{}}}", rules(&LIGHT), rules(&DARK)),
    }
}

/// About how wide a text of this height is.
pub(super) fn wide(text: &str, height: f64) -> f64 {
    width(text) as f64 * height * LETTER
}

/// A text in one line, cut to this width.
pub(super) fn cut(text: &str, room: f64, height: f64) -> String {
    let line: String = text.lines().map(str::trim).collect::<Vec<_>>().join(" / ");
    if wide(&line, height) <= room {
        return line;
    }
    let most = (room / (height * LETTER)) as usize;
    let mut kept = String::new();
    for c in line.chars() {
        if width(&kept) + 2 > most {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// A text in lines of this width.
pub(super) fn lines(text: &str, room: f64, height: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if wide(line, height) + wide(word, height) + height * LETTER <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| cut(line, room, height)).collect()
}

/// One or two decimals, but never 0 for what can happen nor 100 for what can fail.
pub(super) fn percent(share: f64) -> String {
    match share {
        0.0 => "0 %".to_owned(),
        1.0 => "100 %".to_owned(),
        0.01..0.9995 => format!("{:.1} %", share * 100.0 + 1e-9),
        0.00005..0.01 => format!("{:.2} %", share * 100.0 + 1e-9),
        0.5.. => ">99.9 %".to_owned(),
        _ => "<0.01 %".to_owned(),
    }
}

/// A text as XML needs it.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            // XML has no way to write these.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
