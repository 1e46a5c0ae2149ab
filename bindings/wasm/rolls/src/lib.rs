//! The module that the page loads first: rolls and their odds, in the everyday notation and its dialects.

use tumble_wasm::Parts;
use wasm_bindgen::prelude::wasm_bindgen;

/// The answer to one request, within these limits.
#[wasm_bindgen]
pub fn answer(request: &str, steps: f64, bytes: f64) -> String {
    tumble_wasm::answer(request, steps, bytes, Parts::ROLLS)
}
