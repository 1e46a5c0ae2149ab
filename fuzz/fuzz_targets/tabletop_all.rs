//! Any text in the notation `tabletop`: read, rolled, counted and translated.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::all("tabletop", data));
