//! Any text in the notation `yadn`: read and spelled.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::parse("yadn", data));
