//! Any script: read, with every problem and its edits.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::script(data));
