//! A chat bot in the style of Discord: chat lines in, replies in Markdown out.
//!
//! `!roll 4d6kh3` rolls, `!odds 2d6+3 >= 9` gives a chance, `!odds 3d6` a table; everything else is chat. Try it:
//! `cargo run -p tumble --example bot`. Strangers write the expressions, so every one of them has small limits.

use std::io::{self, BufRead, Write};
use tumble::render::{Look, Series, chance, line, text};
use tumble::{Cache, Errors, Limits, Options, Vars, any_seed};

const HELP: &str = "try `!roll 4d6kh3`, `!odds 2d6+3 >= 9` or `!odds 3d6`";

fn limits() -> Limits {
    Limits { draws: 1000, members: 1000, steps: 1_000_000, ..Limits::default() }
}

fn roll(cache: &mut Cache, dice: &str, seed: u64) -> Result<String, Errors> {
    let prepared = cache.compile("tabletop", dice, &Vars::new())?;
    Ok(line::line(&prepared, &prepared.roll(seed, &limits())?, line::Marks::Markdown))
}

fn odds(cache: &mut Cache, asked: &str) -> Result<String, Errors> {
    let place = asked.find(" >= ").or_else(|| asked.find(" <= "));
    let question = place.and_then(|at| asked[at..].parse::<chance::Question>().ok());
    let dice = place.filter(|_| question.is_some()).map_or(asked, |at| &asked[..at]);
    let prepared = cache.compile("tabletop", dice, &Vars::new())?;
    let odds = prepared.odds(&Options { limits: limits(), ..Options::default() })?;
    let series = [Series::new((*prepared).clone(), odds)];
    Ok(match question {
        Some(question) => chance::text(&series, &[question])?,
        None => format!("```\n{:.1900}```", text::tables(&series, &Look { width: 50, ..Look::default() })),
    })
}

pub(crate) fn run(input: impl BufRead, mut output: impl Write, seed: u64) -> io::Result<()> {
    let (mut cache, mut rolls) = (Cache::new(1000), 0);
    for said in input.split(b'\n') {
        let said = String::from_utf8_lossy(&said?).trim().to_owned();
        let reply = match said.split_once(' ').unwrap_or((&said, "")) {
            ("!roll", dice) => {
                rolls += 1;
                roll(&mut cache, dice.trim(), seed.wrapping_add(rolls))
            }
            ("!odds", asked) => odds(&mut cache, asked.trim()),
            (other, _) if other.starts_with('!') => Ok(HELP.to_owned()),
            _ => continue,
        };
        let reply = reply.unwrap_or_else(|errors| {
            let error = errors.first();
            format!("sorry: {}{}", error.message, error.hint.map(|hint| format!("; {hint}")).unwrap_or_default())
        });
        writeln!(output, "{}", reply.trim_end())?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(run(io::stdin().lock(), io::stdout(), any_seed()?)?)
}
