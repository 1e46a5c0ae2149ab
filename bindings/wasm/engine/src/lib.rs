//! Tumble in a browser: one function that answers what `tumble batch` does, with the same JSON.
//!
//! It is built twice, because most people never need all of it: `rolls` for the odds and rolls of the everyday notation
//! and its dialects, and `scripts` for everything, with the feature `full`. Documents are left out, because a page draws
//! its own.

pub use tumble::batch::Parts;
use tumble::batch::{self, Settings};
use tumble::Limits;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// The answer to one request, within these limits.
pub fn answer(request: &str, steps: f64, bytes: f64, parts: Parts) -> String {
    let limits = Limits { steps: steps as u64, bytes: bytes as u64, ..Limits::default() };
    let settings = Settings { parts, ..Settings::new(limits, || (now() * 1000.0) as u64) };
    batch::answer(request.as_bytes(), &settings).to_string()
}
