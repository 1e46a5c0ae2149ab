//! The module that the page loads when somebody opens a script, uses another notation or asks for a translation.

use tumble_wasm::Parts;
use wasm_bindgen::prelude::wasm_bindgen;

/// The answer to one request, within these limits.
#[wasm_bindgen]
pub fn answer(request: &str, steps: f64, bytes: f64) -> String {
    tumble_wasm::answer(request, steps, bytes, Parts::SCRIPTS)
}
