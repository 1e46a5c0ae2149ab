//! The SVG chart as a picture in dots, with a font of our own: it looks the same on every machine.

use super::look::{Look, Theme};
use super::series::Series;
use super::svg;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;
use tumble_core::{Code, Diagnostic, Span};

/// Dots for each unit of the SVG, so that it is sharp on a fine screen.
const SCALE: f32 = 2.0;

/// The chart as PNG; it cannot follow the reader from light to dark, so it is light if nobody chose.
pub(super) fn chart(series: &[Series], look: &Look) -> Result<Vec<u8>, Diagnostic> {
    let theme = if look.theme == Theme::Auto { Theme::Light } else { look.theme };
    let mut options = usvg::Options { font_family: "Noto Sans".to_owned(), ..usvg::Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    let tree = usvg::Tree::from_str(&svg::chart(series, look, theme)?, &options).map_err(|error| mistake(&error))?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| mistake(&"it has no size"))?;
    let mut dots = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or_else(|| mistake(&"it has no size"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut dots.as_mut());
    dots.encode_png().map_err(|error| mistake(&error))
}

fn mistake(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        Code::Mistake,
        Span::default(),
        format!("internal error: the chart can't be converted to an image: {error}"),
    )
}
