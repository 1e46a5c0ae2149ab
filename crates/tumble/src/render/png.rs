//! The SVG chart as a bitmap, with a font of our own: it looks the same on every machine.

use super::look::{Look, Theme};
use super::numbers::Numbers;
use super::series::Series;
use super::svg;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;
use tumble_core::{Code, Diagnostic, Span};

/// Pixels for each unit of the SVG, so that it is sharp on a fine screen.
const SCALE: f32 = 2.0;

/// The chart of distributions as PNG.
pub(super) fn chart(series: &[Series], look: &Look) -> Result<Vec<u8>, Diagnostic> {
    bitmap(&svg::chart(series, &halved(look), theme(look))?, look)
}

/// The chart of numbers as PNG.
pub(super) fn numbers(numbers: &Numbers, look: &Look) -> Result<Vec<u8>, Diagnostic> {
    bitmap(&svg::numbers(numbers, &halved(look), theme(look))?, look)
}

/// A bitmap cannot follow its reader from light to dark, so it is light if nobody chose.
fn theme(look: &Look) -> Theme {
    if look.theme == Theme::Auto { Theme::Light } else { look.theme }
}

/// The size in pixels as the size of the SVG.
fn halved(look: &Look) -> Look {
    let half = |size: u32| (f64::from(size) / f64::from(SCALE)).round() as u32;
    Look { size: look.size.map(|(wide, high)| (half(wide), high.map(half))), ..look.clone() }
}

fn bitmap(svg: &str, look: &Look) -> Result<Vec<u8>, Diagnostic> {
    let mut options = usvg::Options { font_family: "Noto Sans".to_owned(), ..usvg::Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| mistake(&error))?;
    let (wide, high) = (tree.size().width(), tree.size().height());
    // Half a unit may be lost where the size is odd.
    let (asked_wide, asked_high) = look.size.unwrap_or(((wide * SCALE).round() as u32, None));
    let asked_high = asked_high.unwrap_or((high * asked_wide as f32 / wide).round() as u32);
    let mut dots = tiny_skia::Pixmap::new(asked_wide, asked_high).ok_or_else(|| mistake(&"it has no size"))?;
    let scale = tiny_skia::Transform::from_scale(asked_wide as f32 / wide, asked_high as f32 / high);
    resvg::render(&tree, scale, &mut dots.as_mut());
    dots.encode_png().map_err(|error| mistake(&error))
}

fn mistake(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        Code::Mistake,
        Span::default(),
        format!("internal error: the chart can't be converted to an image: {error}"),
    )
}
