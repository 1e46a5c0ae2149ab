//! A table of odds across two things that vary, as Markdown and as CSV: how many dice a player has, and how
//! many successes are needed.
//!
//! ```text
//! cell   the chance of at least so many sixes and fives, as percent and as the exact fraction
//! ```
//!
//! Try it: `cargo run -p tumble --example odds_table > table.md`.

use std::error::Error;
use std::io::{self, Write};
use tumble::{Fraction, Options, Value, Vars, compile};

/// Shadowrun: so many dice, each 5 or 6 is a hit.
const TEXT: &str = "(@pool)d6cs>=5";
const POOLS: std::ops::RangeInclusive<i64> = 2..=6;
const NEEDED: std::ops::RangeInclusive<i64> = 1..=4;

/// The chance of each number of hits or more, for one pool.
fn chances(pool: i64) -> Result<Vec<Fraction>, Box<dyn Error>> {
    let prepared = compile("tabletop", TEXT, &Vars::from([("pool".to_owned(), pool)]))?;
    let odds = prepared.odds(&Options::default())?;
    let chance = |needed| odds.at_least(&Value::int(needed)).ok_or_else(|| "hits are numbers".into());
    NEEDED.map(chance).collect()
}

fn markdown(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let heads: Vec<String> = NEEDED.map(|needed| format!("{needed}+ hits")).collect();
    writeln!(out, "| dice | {} |", heads.join(" | "))?;
    writeln!(out, "|--:|{}", "--:|".repeat(heads.len()))?;
    for pool in POOLS {
        let cell = |chance: &Fraction| format!("{:.1} % ({chance})", chance.to_f64() * 100.0);
        let cells: Vec<String> = chances(pool)?.iter().map(cell).collect();
        writeln!(out, "| {pool} | {} |", cells.join(" | "))?;
    }
    Ok(())
}

fn csv(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "dice,hits,fraction,probability")?;
    for pool in POOLS {
        for (needed, chance) in NEEDED.zip(chances(pool)?) {
            writeln!(out, "{pool},{needed},{chance},{}", chance.decimal(6))?;
        }
    }
    Ok(())
}

/// Both tables.
pub(crate) fn run(mut out: impl Write) -> Result<(), Box<dyn Error>> {
    markdown(&mut out)?;
    writeln!(out)?;
    csv(&mut out)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(io::stdout().lock())
}
