//! How long scripts take: to compile, to run for the first time, and to run again with an option answered.
//!
//! `cargo run --release -p tumble --example script_times > bench/scripts.md`

#![expect(clippy::print_stdout, reason = "its table goes to standard output")]

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};
use tumble::Limits;
use tumble::batch::Json;
use tumble::dice::Seeded;
use tumble::script::{Before, Script, datum_from_json};

/// How often each is measured; the least time counts.
const TIMES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts");
    println!(
        "# Scripts\n\nLeast of {TIMES}, in microseconds: reading and lowering a script with its arguments, its first run, and a run"
    );
    println!("with the dice of the first and every yes-or-no option taken.\n");
    println!("| game | compile | first run | run again | rolls |\n|---|--:|--:|--:|--:|");
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "tumble")) {
        let text = fs::read_to_string(path)?;
        let args: Json = fs::read_to_string(path.with_extension("json"))?.parse()?;
        let args = datum_from_json(&args);
        let compile = || {
            let script = Script::read(&text, true);
            let name = script.rolls().next().map(|(_, name)| name.to_owned()).unwrap_or_default();
            script.entry(&name, &args)
        };
        let entry = compile()?;
        let run = |before: Before| entry.run(before, Seeded::new(7), &Limits::default());
        let first = run(Before::default())?;
        let yes = first.options.iter().filter(|option| option.kind().is_none());
        let answers: HashMap<_, _> = yes.map(|option| (option.asked.path.clone(), tumble::Value::bool(true))).collect();
        let again = || Before { answers: answers.clone(), dice: first.dice.clone(), ..Before::default() };
        let after = run(again())?;
        let times = [least(|| drop(compile())), least(|| drop(run(Before::default()))), least(|| drop(run(again())))];
        let [compiled, ran, ran_again] = times.map(|time| format!("{:.1}", time.as_secs_f64() * 1e6));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("| {name} | {compiled} | {ran} | {ran_again} | {} |", after.rolls.len());
    }
    Ok(())
}

fn least(mut what: impl FnMut()) -> Duration {
    let once = |what: &mut dyn FnMut()| {
        let start = Instant::now();
        what();
        start.elapsed()
    };
    (0..TIMES).map(|_| once(&mut what)).min().unwrap_or_default()
}
