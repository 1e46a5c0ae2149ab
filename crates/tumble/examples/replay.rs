//! The dice on the table, and a roll that is made again with one die changed.
//!
//! A roll is recorded as its dice. Who may reroll one of them keeps the others: the record is rolled again, and
//! only that die is new. The text decides anew which dice are dropped.
//!
//! Try it: `cargo run -p tumble --example replay`.

use std::error::Error;
use std::io::{self, Write};
use tumble::dice::{Recorded, Scripted, Seeded};
use tumble::{Limits, Prepared, render::text};

/// Plays a short scene.
pub(crate) fn run(mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let (limits, stats): (Limits, Prepared) = (Limits::default(), "4d6kh3".parse()?);
    let table = stats.roll_from(&mut Scripted::new([3, 5, 6, 1]), &limits)?;
    write!(out, "on the table     {}", text::roll(&stats, &table))?;

    // All dice but the one that shows 1; that one falls again.
    let others: Vec<_> = table.draws.iter().filter(|die| die.shown.as_int() != Some(1)).cloned().collect();
    let again = stats.roll_from(&mut Recorded::from_draws(&others).or(Seeded::new(5)), &limits)?;
    write!(out, "the 1 again      {}", text::roll(&stats, &again))?;

    // Somebody counted wrong: there are only three dice.
    match stats.roll_from(&mut Scripted::new([3, 5, 6]), &limits) {
        Ok(_) => writeln!(out, "there were four dice")?,
        Err(error) => writeln!(out, "three dice       {error}")?,
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(io::stdout().lock())
}
