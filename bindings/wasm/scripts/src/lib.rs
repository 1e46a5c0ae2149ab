//! The module that the page loads when a script is opened: rolls and scripts.

use tumble_wasm::Parts;
use wasm_bindgen::prelude::wasm_bindgen;

/// The answer to one request, within these limits.
#[wasm_bindgen]
pub fn answer(request: &str, steps: f64, bytes: f64) -> String {
    tumble_wasm::answer(request, steps, bytes, Parts::SCRIPTS)
}
