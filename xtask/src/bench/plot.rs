//! A plot with both axes logarithmic, as SVG that can be read on a light and on a dark page.
//!
//! Colours are set by a style inside the picture, which asks whether the reader wants it dark. Each
//! line also has a mark of its own shape, so that colour is not needed to tell them apart.

use std::fmt::Write;

/// A named line.
pub(super) struct Series {
    pub(super) name: String,
    /// Places and values, all above 0.
    pub(super) points: Vec<(f64, f64)>,
}

/// What is written around the lines.
pub(super) struct Labels<'a> {
    pub(super) title: &'a str,
    pub(super) across: &'a str,
    pub(super) up: &'a str,
    /// How a value of the upright axis is written.
    pub(super) value: fn(f64) -> String,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 184.0;

const STYLE: &str = "\
.page{fill:#ffffff}.ink{fill:#1f2328}.dim{fill:#59636e}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.s0{stroke:#0969da}.s1{stroke:#bc4c00}.s2{stroke:#1a7f37}.s3{stroke:#8250df}.s4{stroke:#cf222e}.s5{stroke:#9a6700}
.s6{stroke:#1b7c83}.s7{stroke:#bf3989}.m0{fill:#0969da}.m1{fill:#bc4c00}.m2{fill:#1a7f37}.m3{fill:#8250df}
.m4{fill:#cf222e}.m5{fill:#9a6700}.m6{fill:#1b7c83}.m7{fill:#bf3989}
@media (prefers-color-scheme: dark){
.page{fill:#0d1117}.ink{fill:#f0f6fc}.dim{fill:#9198a1}.grid{stroke:#3d444d}.axis{stroke:#9198a1}
.s0{stroke:#4493f8}.s1{stroke:#f0883e}.s2{stroke:#3fb950}.s3{stroke:#ab7df8}.s4{stroke:#f85149}.s5{stroke:#d29922}
.s6{stroke:#39c5cf}.s7{stroke:#db61a2}.m0{fill:#4493f8}.m1{fill:#f0883e}.m2{fill:#3fb950}.m3{fill:#ab7df8}
.m4{fill:#f85149}.m5{fill:#d29922}.m6{fill:#39c5cf}.m7{fill:#db61a2}}
";

/// The picture; up to eight series have colours of their own.
pub(super) fn svg(labels: &Labels<'_>, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|series| &series.points);
    let across = Axis::around(all().map(|point| point.0), 2.0, LEFT, WIDTH - RIGHT);
    let up = Axis::around(all().map(|point| point.1), 10.0, HEIGHT - BOTTOM, TOP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n\
         <text class=\"ink\" x=\"{LEFT}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{0}</text>\n",
        escaped(labels.title)
    );
    frame(&mut out, labels, &across, &up);
    for (at, series) in series.iter().enumerate() {
        line(&mut out, series, at, &across, &up);
        legend(&mut out, series, at);
    }
    out.push_str("</svg>\n");
    out
}

/// A logarithmic axis: from which value to which, and where these are in the picture.
struct Axis {
    base: f64,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// From the power of the base below all values to the one above.
    fn around(values: impl Iterator<Item = f64>, base: f64, from: f64, to: f64) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for exponent in values.map(|value| value.ln() / base.ln()) {
            (low, high) = (low.min(exponent), high.max(exponent));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // The tolerance keeps an exact power of the base from getting a decade of its own.
        let (low, high) = ((low + 1e-9).floor(), (high - 1e-9).ceil());
        Axis { base, low, high: high.max(low + 1.0), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.ln() / self.base.ln() - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    /// The powers of the base on the axis.
    fn marks(&self) -> impl Iterator<Item = f64> + '_ {
        (self.low as i32..=self.high as i32).map(|exponent| self.base.powi(exponent))
    }
}

fn frame(out: &mut String, labels: &Labels<'_>, across: &Axis, up: &Axis) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for mark in up.marks() {
        let (y, text) = (up.place(mark), escaped(&(labels.value)(mark)));
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
        let _ = writeln!(
            out,
            "<text class=\"dim\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    for mark in across.marks() {
        let x = across.place(mark);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom}\"/>");
        let at = bottom + 18.0;
        let _ = writeln!(out, "<text class=\"dim\" x=\"{x:.1}\" y=\"{at}\" text-anchor=\"middle\">{mark}</text>");
    }
    let _ = writeln!(out, "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>");
    let (middle, below) = ((LEFT + right) / 2.0, bottom + 40.0);
    let across = escaped(labels.across);
    let _ = writeln!(out, "<text class=\"ink\" x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{across}</text>");
    let (middle, up) = ((TOP + bottom) / 2.0, escaped(labels.up));
    let _ = writeln!(
        out,
        "<text class=\"ink\" transform=\"translate(20 {middle}) rotate(-90)\" text-anchor=\"middle\">{up}</text>"
    );
}

fn line(out: &mut String, series: &Series, at: usize, across: &Axis, up: &Axis) {
    let places: Vec<(f64, f64)> = series.points.iter().map(|(x, y)| (across.place(*x), up.place(*y))).collect();
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(out, "<polyline class=\"line s{at}\" points=\"{}\"/>", points.join(" "));
    for (x, y) in places {
        mark(out, at, x, y);
    }
}

/// A circle, a square, a triangle or a diamond; after that, the same again in other colours.
fn mark(out: &mut String, at: usize, x: f64, y: f64) {
    let _ = match at % 4 {
        0 => writeln!(out, "<circle class=\"m{at}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"),
        1 => writeln!(out, "<path class=\"m{at}\" d=\"M{:.1} {:.1}h8v8h-8z\"/>", x - 4.0, y - 4.0),
        3 => writeln!(out, "<path class=\"m{at}\" d=\"M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"/>", y - 5.5),
        _ => writeln!(out, "<path class=\"m{at}\" d=\"M{x:.1} {:.1}l5.5 9.5h-11z\"/>", y - 6.0),
    };
}

/// The names stand below the plot, two side by side.
fn legend(out: &mut String, series: &Series, at: usize) {
    let (x, y) = (LEFT + 320.0 * (at % 2) as f64, HEIGHT - BOTTOM + 72.0 + 28.0 * (at / 2) as f64);
    let _ = writeln!(out, "<path class=\"line s{at}\" d=\"M{x} {y}h28\"/>");
    mark(out, at, x + 14.0, y);
    let _ = writeln!(out, "<text class=\"ink\" x=\"{}\" y=\"{}\">{}</text>", x + 36.0, y + 4.5, escaped(&series.name));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_goes_from_power_to_power() {
        let axis = Axis::around([10.0, 250.0].into_iter(), 10.0, 0.0, 100.0);
        assert_eq!(axis.marks().collect::<Vec<_>>(), [10.0, 100.0, 1000.0]);
        assert!((axis.place(100.0) - 50.0).abs() < 1e-9);
        let one = Axis::around([4.0].into_iter(), 2.0, 0.0, 1.0);
        assert_eq!(one.marks().count(), 2);
        let none = Axis::around(std::iter::empty(), 2.0, 0.0, 1.0);
        assert_eq!(none.marks().count(), 2);
    }

    #[test]
    fn the_picture_has_lines_labels_and_a_legend() {
        let labels = Labels { title: "a < b", across: "n", up: "time", value: |value| format!("{value} s") };
        let series = [
            Series { name: "one".into(), points: vec![(1.0, 1.0), (2.0, 10.0)] },
            Series { name: "two & three".into(), points: vec![] },
        ];
        let svg = svg(&labels, &series);
        for part in ["a &lt; b", ">n<", ">time<", ">10 s<", ">one<", "two &amp; three", "prefers-color-scheme: dark"] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
