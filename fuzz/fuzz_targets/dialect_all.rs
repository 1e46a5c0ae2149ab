//! Any text in a dialect, which the first line names: read, rolled, counted and translated.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::dialect(data, tumble_fuzz::all));
