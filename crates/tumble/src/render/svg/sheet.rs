//! What is around a plot: title, legend, notes, the table that is heard, and the size of it all.
//!
//! A chart is as high as it needs. If a height is asked for, it is drawn twice: the first time tells how much of it is
//! not the plot, and the second time the plot gets the rest.

use super::super::look::{Look, Theme};
use super::MARGIN;
use super::colour::Palette;
use super::paint::{self, Canvas, Weight, escaped};

/// The width of a chart if nobody asks for another.
const WIDTH: f64 = 800.0;

/// A chart that is narrower or lower is drawn as large as this, and made smaller: letters have to fit.
const NARROWEST: f64 = 560.0;
const LOWEST: f64 = 380.0;

/// A plot has at least this height.
const LOWEST_PLOT: f64 = 80.0;

/// The height of a line of the legend, and of the notes.
const LEGEND_LINE: f64 = 22.0;
const NOTE_LINE: f64 = 17.0;

/// How much room there is.
pub(super) struct Page {
    pub(super) width: f64,
    /// The height of the plot with its axes, if it was asked for.
    pub(super) plot: Option<f64>,
}

/// What tells what is drawn.
#[derive(Clone, Debug)]
pub(super) enum Legend {
    /// One roll: what can be said of it.
    Said(Vec<String>),
    /// Several: the name of each, and what can be said of it.
    Rolls(Vec<(String, Vec<String>)>),
    /// The values of a variable, in order, and what can be said of all.
    Values { name: String, values: Vec<String>, said: String },
}

/// A table for someone who cannot see the chart.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) title: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<(String, Vec<String>)>,
}

/// Everything but the plot.
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) legend: Legend,
    /// Whether the marks of the legend are those of lines.
    pub(super) lines: bool,
    pub(super) notes: Vec<String>,
    pub(super) heard: Vec<Heard>,
    pub(super) palette: Palette,
}

/// Draws a plot below a place, and tells where it ends.
type Draw<'d> = &'d dyn Fn(&Page, f64, &mut Canvas) -> f64;

impl Sheet {
    /// The chart.
    pub(super) fn written(&self, look: &Look, theme: Theme, draw: Draw<'_>) -> String {
        let asked = look.size.map(|(wide, high)| (f64::from(wide), high.map(f64::from)));
        let (shown, high) = asked.unwrap_or((WIDTH, None));
        let larger = (NARROWEST / shown).max(high.map_or(1.0, |high| LOWEST / high)).max(1.0);
        let (width, wanted) = (shown * larger, high.map(|high| high * larger));
        let (mut canvas, mut height, plot) = self.drawn(&Page { width, plot: None }, draw);
        if let Some(wanted) = wanted {
            let rest = (wanted - (height - plot)).max(LOWEST_PLOT);
            let (again, found, _) = self.drawn(&Page { width, plot: Some(rest) }, draw);
            // What does not fit is made smaller as a whole.
            (canvas, height) = (again, found.max(wanted));
        }
        let high = high.unwrap_or(height / larger);
        self.framed((width, height), (shown, high), theme, &canvas)
    }

    /// The canvas, how high it is, and how high the plot on it.
    fn drawn(&self, page: &Page, draw: Draw<'_>) -> (Canvas, f64, f64) {
        let mut canvas = Canvas::new(matches!(self.palette, Palette::Ramp(_)));
        let top = self.head(page, &mut canvas);
        let below = draw(page, top, &mut canvas);
        let height = self.foot(page, below, &mut canvas);
        (canvas, height, below - top)
    }

    fn framed(&self, (width, height): (f64, f64), (wide, high): (f64, f64), theme: Theme, canvas: &Canvas) -> String {
        let said = match &self.legend {
            Legend::Said(said) => said.clone(),
            Legend::Rolls(rolls) => {
                let entry = |(title, said): &(String, Vec<String>)| match said.is_empty() {
                    true => title.clone(),
                    false => format!("{title}: {}", said.join(", ")),
                };
                rolls.iter().map(entry).collect()
            }
            Legend::Values { name, values, said } => vec![format!("{name} = {}: {said}", values.join(", "))],
        };
        let said: Vec<String> = said.into_iter().chain(self.notes.iter().cloned()).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{wide:.0}\" \
             height=\"{high:.0}\" role=\"graphics-document\" aria-roledescription=\"chart\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<style>{}</style>\n\
             <rect class=\"back\" width=\"100%\" height=\"100%\"/>\n<g aria-hidden=\"true\">\n{}</g>\n{}</svg>\n",
            escaped(&self.title),
            escaped(&said.join("; ")),
            paint::style(theme, self.palette),
            canvas.drawn(),
            self.heard.iter().map(heard).collect::<String>(),
        )
    }

    /// The title, and below it the legend; where the plot begins.
    fn head(&self, page: &Page, canvas: &mut Canvas) -> f64 {
        let (mut y, room) = (36.0, page.width - 2.0 * MARGIN);
        canvas.text((MARGIN, y), &paint::cut(&self.title, room, 21.0), "ink title", Weight::Start);
        match &self.legend {
            Legend::Said(said) => {
                for line in paint::listed(said, room, 13.0) {
                    y += LEGEND_LINE;
                    canvas.text((MARGIN, y), &line, "soft", Weight::Start);
                }
            }
            Legend::Rolls(rolls) => {
                for (place, (title, said)) in rolls.iter().enumerate() {
                    y = self.entry(place, title, said, (y, room), canvas);
                }
            }
            Legend::Values { name, values, said } => y = self.values(name, values, said, (y, room), canvas),
        }
        y + 26.0
    }

    /// A roll in the legend; what does not fit beside its name continues below.
    fn entry(&self, place: usize, title: &str, said: &[String], (y, room): (f64, f64), canvas: &mut Canvas) -> f64 {
        let mut y = y + LEGEND_LINE;
        canvas.mark(place, (MARGIN + 6.0, y - 4.5), self.lines);
        let title = paint::cut(title, room - 30.0, 13.5);
        let beside = room - 30.0 - paint::wide(&title, 13.5);
        let whole = said.join(", ");
        if paint::wide(&whole, 13.0) <= beside {
            canvas.pair((MARGIN + 20.0, y), (&title, "ink name"), (&whole, "soft"));
            return y;
        }
        canvas.text((MARGIN + 20.0, y), &title, "ink name", Weight::Start);
        for line in paint::listed(said, room - 20.0, 13.0) {
            y += LEGEND_LINE - 4.0;
            canvas.text((MARGIN + 20.0, y), &line, "soft", Weight::Start);
        }
        y
    }

    /// The values of a variable, one after the other, and below them what is said of all.
    fn values(&self, name: &str, values: &[String], said: &str, (y, room): (f64, f64), canvas: &mut Canvas) -> f64 {
        let (mut x, mut y) = (MARGIN, y + LEGEND_LINE);
        let head = format!("{} =", paint::cut(name, room / 3.0, 13.5));
        canvas.text((x, y), &head, "ink name", Weight::Start);
        let first = MARGIN + paint::wide(&head, 13.5) + 14.0;
        x = first;
        for (place, value) in values.iter().enumerate() {
            let wide = 14.0 + paint::wide(value, 13.0);
            if x + wide > MARGIN + room {
                (x, y) = (first, y + LEGEND_LINE - 4.0);
            }
            canvas.mark(place, (x + 4.0, y - 4.5), self.lines);
            canvas.text((x + 14.0, y), value, "ink", Weight::Start);
            x += wide + 14.0;
        }
        if !said.is_empty() {
            y += LEGEND_LINE - 2.0;
            canvas.text((MARGIN, y), &paint::cut(said, room, 13.0), "soft", Weight::Start);
        }
        y
    }

    /// The notes; where the picture ends.
    fn foot(&self, page: &Page, below: f64, canvas: &mut Canvas) -> f64 {
        let mut y = below + 4.0;
        for line in self.notes.iter().flat_map(|note| paint::lines(note, page.width - 2.0 * MARGIN, 12.0)) {
            y += NOTE_LINE;
            canvas.text((MARGIN, y), &line, "soft small", Weight::Start);
        }
        y + 20.0
    }
}

/// The table for someone who cannot see the chart.
fn heard(table: &Heard) -> String {
    let cell = |role: &str, text: &str| format!("<text role=\"{role}\">{}</text>", escaped(text));
    let mut out = format!("<g class=\"heard\" role=\"table\" aria-label=\"{}\">\n", escaped(&table.title));
    let heads: String = table.heads.iter().map(|head| cell("columnheader", head)).collect();
    out.push_str(&format!("<g role=\"row\">{heads}</g>\n"));
    for (label, cells) in &table.rows {
        let cells: String = cells.iter().map(|text| cell("cell", text)).collect();
        out.push_str(&format!("<g role=\"row\">{}{cells}</g>\n", cell("rowheader", label)));
    }
    out + "</g>\n"
}
