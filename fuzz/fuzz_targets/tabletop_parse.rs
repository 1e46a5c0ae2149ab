//! Any text in the notation `tabletop`: read and spelled.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::parse("tabletop", data));
