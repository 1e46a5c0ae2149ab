//! Any text in the notation `nice`: read, rolled, counted and translated.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::all("nice", data));
