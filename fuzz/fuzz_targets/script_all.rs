//! Any script: read, lowered and run with few steps, once with all options at their defaults and once without.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tumble_fuzz::script_run(data));
