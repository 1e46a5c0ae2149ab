//! Any script: read, lowered, its odds and best play with few steps; no run may contradict the odds.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::script_odds(data));
