//! Any text in the notation `nice`: read and spelled.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::parse("nice", data));
