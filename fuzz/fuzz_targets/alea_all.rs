//! Any text in the notation `alea`: read, rolled, counted and translated.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::all("alea", data));
