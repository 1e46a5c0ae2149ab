//! Giving up, with words that a notation prepared.

use super::{BLANK, Prim, Sort};
use crate::diagnostic::{Code, Fault};

/// Stops with a message that a notation prepared
pub static FAIL: Prim = Prim {
    name: "fail",
    takes: &[Sort::Text, Sort::Text, Sort::Text, Sort::Text],
    gives: Sort::Any,
    doc: "Stops with this code, kind, message and hint; a notation puts it where it found an error.",
    example: (&["\"name\"", "\"\"", "\"unknown name\"", "\"\""], "error: unknown name"),
    apply: |args, _| {
        let words: Vec<String> = args.iter().filter_map(|arg| arg.as_text().map(ToString::to_string)).collect();
        let [code, kind, message, hint] = words.as_slice() else {
            return Err(Fault::runtime("something is wrong here"));
        };
        let given = |word: &String| Some(word.clone()).filter(|word| !word.is_empty());
        let code = Code::named(code).unwrap_or(Code::Runtime);
        let fault = Fault::new(code, message);
        Err(Fault { kind: given(kind).map(Into::into), hint: given(hint), ..fault })
    },
    ..BLANK
};
