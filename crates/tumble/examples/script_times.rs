//! How long scripts take: to compile, to run for the first time, to run again with an option answered; and their odds,
//! what their options are worth, and best play.
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
use tumble::script::{Before, Datum, Entry, Given, Goal, Players, Script, datum_from_json};

/// How often each is measured; the least time counts. Odds take longer, and are measured less often.
const TIMES: usize = 200;
const FEW: usize = 5;

/// A fight of so many attacks, each with a critical hit that has to be confirmed.
const FIGHT: &str = r#"
deffun swing(bonus: int) {
  t = roll("d20");
  if (t == 1 || (t != 20 && t + bonus < 15)) { return 0; }
  dmg = roll("2d6+3");
  if (t >= 19 && roll("d20") + bonus >= 15) { dmg += roll("2d6+3"); }
  return dmg;
}
defroll "Fight" fight(attacks: int) {
  total = 0;
  for (i : range(attacks)) { total += swing(i % 5); output("so far " + total); }
  return total;
}
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts");
    println!(
        "# Scripts\n\nLeast of {TIMES}, in microseconds: reading and lowering a script with its arguments, its first run, and a run"
    );
    println!("with the dice of the first and every yes-or-no option taken.\n");
    println!("| game | compile | first run | run again | rolls |\n|---|--:|--:|--:|--:|");
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut entries = vec![];
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
        entries.push((name.to_string(), entry));
    }
    odds(&entries);
    fights()
}

/// Odds and best play of each game.
fn odds(entries: &[(String, Entry)]) {
    println!(
        "\n## Odds and best play\n\nLeast of {FEW}, in milliseconds: the odds with all options at their defaults, the same with what"
    );
    println!(
        "every answer to every option is worth, and best play for the mean (or for one result, where it is no number).\n"
    );
    println!("| game | odds | states | with worth | best play | states |\n|---|--:|--:|--:|--:|--:|");
    let (given, players, limits) = (Given::default(), Players::default(), Limits::default());
    for (name, entry) in entries {
        let plain = entry.odds(&given, false, &limits);
        let goals = [Goal::Mean, Goal::Exactly(tumble::Value::text("critical success"))];
        let goal = goals.iter().find(|goal| entry.best(&given, goal, &players, 0, &limits).is_ok());
        let best = goal.and_then(|goal| entry.best(&given, goal, &players, 0, &limits).ok());
        let time = |what: &mut dyn FnMut()| milliseconds((0..FEW).map(|_| timed(what)).min().unwrap_or_default());
        let times = [
            time(&mut || drop(entry.odds(&given, false, &limits))),
            time(&mut || drop(entry.odds(&given, true, &limits))),
            time(&mut || drop(goal.map(|goal| entry.best(&given, goal, &players, 0, &limits)))),
        ];
        let states = plain.map_or_else(|found| found.message, |found| found.effort.states.to_string());
        let decided = best.map_or_else(|| "-".to_owned(), |found| found.states.to_string());
        println!("| {name} | {} | {states} | {} | {} | {decided} |", times[0], times[1], times[2]);
    }
}

/// How the odds of a fight grow with the number of attacks.
fn fights() -> Result<(), Box<dyn Error>> {
    println!(
        "\n## A fight that gets longer\n\nThe odds of the total damage, least of {FEW}; each bar is as long as its time.\n"
    );
    println!("| attacks | states | outcomes | ms | |\n|--:|--:|--:|--:|---|");
    let script = Script::read(FIGHT, true);
    for attacks in [1, 2, 5, 10, 20, 30, 40] {
        let entry = script.entry("fight", &Datum::Record(vec![("attacks".into(), Datum::Number(attacks))]))?;
        let limits = Limits { steps: 1_000_000_000, ..Limits::default() };
        let found = entry.odds(&Given::default(), false, &limits)?;
        let mut ask = || drop(entry.odds(&Given::default(), false, &limits));
        let time = (0..FEW).map(|_| timed(&mut ask)).min().unwrap_or_default();
        let bar = "█".repeat((time.as_secs_f64() * 1e3 / 20.0).ceil() as usize);
        println!("| {attacks} | {} | {} | {} | {bar} |", found.effort.states, found.odds.len(), milliseconds(time));
    }
    Ok(())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

fn timed(what: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    what();
    start.elapsed()
}

fn least(mut what: impl FnMut()) -> Duration {
    (0..TIMES).map(|_| timed(&mut what)).min().unwrap_or_default()
}
