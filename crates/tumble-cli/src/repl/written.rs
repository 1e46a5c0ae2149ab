//! A text whose saved rolls were written out, and the way back: whoever typed `f() >` is shown `f() >`.

use std::ops::Range;
use tumble::Span;

/// A text with its saved rolls written out, and what was typed where.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: String,
    /// The place of each use in the text as typed, and of what it became.
    pub(super) uses: Vec<[Range<usize>; 2]>,
}

impl Written {
    /// A place of the text where somebody typed it: what is inside a use is the use.
    pub(super) fn typed(&self, span: Span) -> Span {
        let back = |place: usize, end: bool| {
            let inside = |written: &Range<usize>| written.start < place && place < written.end;
            let before = self.uses.iter().take_while(|[_, written]| written.start < place).last();
            match before {
                Some([typed, written]) if inside(written) => {
                    if end {
                        typed.end
                    } else {
                        typed.start
                    }
                }
                Some([typed, written]) => place - written.end + typed.end,
                None => place,
            }
        };
        Span::new(back(span.start, false), back(span.end, true))
    }

    /// Another text in which the uses are as they were typed.
    pub(super) fn folded(&self, other: &str, typed: &str) -> String {
        let fold = |text: String, [place, written]: &[Range<usize>; 2]| {
            text.replacen(&self.text[written.clone()], &typed[place.clone()], 1)
        };
        self.uses.iter().fold(other.to_owned(), fold)
    }
}
