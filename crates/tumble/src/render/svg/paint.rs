//! Shapes, letters and colours of a chart.

use super::super::look::Theme;
use super::super::visible;
use super::super::width::columns;
use super::colour::Palette;

/// The widths of the letters from the blank to `~`, in thousandths of their height, as Noto Sans has them.
const LETTERS: [u16; 95] = [
    260, 268, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572, 572, 572, 572, 572,
    572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 729, 556, 519, 728, 741, 339, 273, 619, 521, 907,
    760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586, 568, 572, 329, 372, 329, 572, 444, 281, 561, 615, 480, 615,
    564, 344, 615, 618, 258, 258, 524, 258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 381,
    551, 381, 572,
];

/// Another reader may have another font, and bold letters are wider.
const SPARE: f64 = 1.05;

/// On which side of its place a text is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weight {
    Start,
    Middle,
    End,
}

/// What is drawn.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    drawn: String,
    /// Whether the rolls are values of one variable: then their colours are in order, and nothing else tells them apart.
    ordered: bool,
}

impl Canvas {
    pub(super) fn new(ordered: bool) -> Canvas {
        Canvas { ordered, ..Canvas::default() }
    }

    pub(super) fn drawn(&self) -> &str {
        &self.drawn
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), text: &str, class: &str, weight: Weight) {
        let anchor = match weight {
            Weight::Start => "",
            Weight::Middle => " text-anchor=\"middle\"",
            Weight::End => " text-anchor=\"end\"",
        };
        self.put(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{}</text>", escaped(text)));
    }

    /// A text from bottom to top that begins at its place.
    pub(super) fn upward(&mut self, (x, y): (f64, f64), text: &str, class: &str) {
        let turn = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.put(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" {turn}>{}</text>", escaped(text)));
    }

    /// A cell of a grid; someone someone who points at it reads `about`.
    pub(super) fn cell(&mut self, step: usize, (x, y): (f64, f64), (wide, high): (f64, f64), about: &str) {
        let title = if about.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(about)) };
        self.put(&format!(
            "<rect class=\"h{step}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\">{title}</rect>"
        ));
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

    /// A bar that grows upward; someone who points at it reads `about`.
    pub(super) fn upright(&mut self, place: usize, (x, floor): (f64, f64), (wide, high): (f64, f64), about: &str) {
        let round = (wide / 4.0).min(high).min(2.5);
        let (up, across) = (high - round, wide - 2.0 * round);
        let path = format!(
            "M{x:.2} {floor:.1}v-{up:.2}q0 -{round:.1} {round:.1} -{round:.1}h{across:.2}\
             q{round:.1} 0 {round:.1} {round:.1}v{up:.2}z"
        );
        self.put(&format!("<path class=\"s{place}\" d=\"{path}\"><title>{}</title></path>", escaped(about)));
    }

    /// A bar that begins at its left end.
    pub(super) fn lying(&mut self, place: usize, (x, y): (f64, f64), (wide, high): (f64, f64), about: &str) {
        let round = (high / 4.0).min(wide).min(2.5);
        let (across, down) = (wide - round, high - 2.0 * round);
        let path = format!(
            "M{x:.1} {y:.2}h{across:.2}q{round:.1} 0 {round:.1} {round:.1}v{down:.2}\
             q0 {round:.1} -{round:.1} {round:.1}h-{across:.2}z"
        );
        self.put(&format!("<path class=\"s{place}\" d=\"{path}\"><title>{}</title></path>", escaped(about)));
    }

    /// A line through points.
    pub(super) fn curve(&mut self, place: usize, points: &[(f64, f64)]) {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.2}")).collect();
        let dashes = if self.ordered { "" } else { ["", "7 4", "2 4", "10 3 2 3"][place % 4] };
        let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        self.put(&format!("<path class=\"l{place}\" d=\"M{}\"{dashes}/>", path.join("L")));
    }

    /// The sign of a distribution in the legend and on lines. No two in a row are alike, even for someone who sees no
    /// colours, unless they are in order.
    pub(super) fn mark(&mut self, place: usize, (x, y): (f64, f64), on_lines: bool) {
        let class = place;
        let shape = match (on_lines, if self.ordered { 0 } else { place % 4 }) {
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
        self.drawn.push_str(shape);
        self.drawn.push('\n');
    }
}

/// The style sheet of a chart.
pub(super) fn style(theme: Theme, palette: Palette) -> String {
    let fixed = "text{font-family:'Noto Sans',system-ui,-apple-system,'Segoe UI',sans-serif;font-size:13px}\
                 .title{font-size:20px;font-weight:700}.name{font-weight:700}.small{font-size:12px}\
                 .value{font-size:11px}.tiny{font-size:9.5px}.grid,.axis{fill:none;stroke-width:1}.heard{font-size:1px;opacity:0}";
    format!("{fixed}{}", palette.rules(theme))
}

/// About how wide a text of this height is.
pub(super) fn wide(text: &str, height: f64) -> f64 {
    let letter = |c: char| match LETTERS.get((c as usize).wrapping_sub(32)) {
        Some(wide) => f64::from(*wide) / 1000.0,
        None => 0.7 * columns(c) as f64,
    };
    text.chars().map(letter).sum::<f64>() * height * SPARE
}

/// A text in one line, cut to this width.
pub(super) fn cut(text: &str, room: f64, height: f64) -> String {
    let line: String = text.lines().map(str::trim).collect::<Vec<_>>().join(" / ");
    if wide(&line, height) <= room {
        return line;
    }
    let (mut kept, dots) = (String::new(), wide("…", height));
    for c in line.chars() {
        kept.push(c);
        if wide(&kept, height) + dots > room {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// A text in lines of this width.
pub(super) fn lines(text: &str, room: f64, height: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if wide(line, height) + wide(" ", height) + wide(word, height) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| cut(line, room, height)).collect()
}

/// Parts with commas between them, in lines of this width that end after a comma.
pub(super) fn listed(parts: &[String], room: f64, height: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let part = if place + 1 < parts.len() { format!("{part},") } else { part.clone() };
        match lines.last_mut() {
            Some(line) if wide(&format!("{line} {part}"), height) <= room => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.push(part),
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
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => visible::push(&mut out, c),
        }
    }
    out
}
