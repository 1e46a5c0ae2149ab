//! Scratch.
#![allow(clippy::all, clippy::unwrap_used, clippy::print_stdout)]
use std::io::BufRead;
use std::sync::OnceLock;
use std::time::Instant;
fn clock() -> u64 {
    static S: OnceLock<Instant> = OnceLock::new();
    S.get_or_init(Instant::now).elapsed().as_micros() as u64
}
fn main() {
    let _ = clock();
    for l in std::io::stdin().lock().lines() {
        let l = l.unwrap();
        let s = tumble::batch::Settings::new(tumble::Limits::default(), clock);
        println!("{}", tumble::batch::answer(l.as_bytes(), &s));
    }
}
