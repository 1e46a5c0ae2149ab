//! `tumble help`: a command, everything that can be written in a notation, or how to read a roll.
//!
//! ```text
//! keep and drop
//!   khN   Keep the N highest dice, 1 if there is no N; kN is the same.
//!         4d6kh3
//! ```
//!
//! The rows of a notation are its own reference; nothing is explained here that is not there.

use crate::args::{Cli, HelpArgs};
use crate::{input, report, screen};
use clap::CommandFactory;
use std::io::{self, Write};
use tumble::render::width;
use tumble::{Diagnostic, NOTATIONS, Notation, Piece};

/// The widest line.
const PAGE: usize = 80;

/// The widest column of spellings; a longer spelling has a line of its own.
const WIDEST: usize = 16;

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &HelpArgs, out: &mut dyn Write) -> io::Result<u8> {
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    let found = match words.as_slice() {
        [] => overview(),
        ["notation" | "notations"] => {
            return crate::notations::run(out);
        }
        ["notation" | "notations", name, about @ ..] => {
            input::known(Some(name)).and_then(|notation| reference(notation, about, screen::colour()))
        }
        [name, about @ ..] if tumble::notation(name).is_some() => {
            input::known(Some(name)).and_then(|notation| reference(notation, about, screen::colour()))
        }
        ["reading"] => Ok(READING.to_owned()),
        [name] => command(name),
        _ => Err(no_topic(&words.join(" "))),
    };
    match found {
        Ok(text) => out.write_all(text.as_bytes()).map(|()| 0),
        Err(error) => report::errors(out, false, "", &[error]),
    }
}

/// How to read a roll; it fits a screen of 24 lines.
pub(crate) const READING: &str = "\
How to read a roll:

  4d6kh3 (6, 5, ~~1~~, 4) = 15         the dice as they fell, then the total
  1d20 (3) + 5 = 8 vs 15: failure      a check: the total has to be at least 15

Dice:
  ~~1~~            dropped, not a success, or never used: it does not count
  1r→5             rerolled: the 5 replaces the 1
  6! + 4           exploded: both count
  1→10             the 1 counts as 10; in `6! + 4 → 8` the total as 8
  10:2  1:-1       two successes; a failure, which subtracts one
  nat 20  nat 1    a natural 20 or 1 on a single d20
  1, 2; 3, 4       the same dice, rolled twice

Around them:
  3 [str]                       the value of a name
  12 (fire 7, cold 5)           a total, and how much each label adds to it
  vs < 45  vs <= 45  vs > 15    the total has to be below, at most or above this
  vs exactly 7  vs not 7        the total has to be this, or anything else

A check inside a larger roll is in brackets. On a terminal, colours repeat what
the marks say. With `--json`, every die and every check is data.
";

fn overview() -> Result<String, Diagnostic> {
    let mut text = Cli::command().render_help().to_string();
    text.push_str("\nTopics:\n  tumble help COMMAND          more about one command\n");
    text.push_str("  tumble help reading          how to read a roll\n");
    for notation in NOTATIONS {
        let line = format!("tumble help notation {}", notation.name);
        text.push_str(&format!("  {line}\n      {}\n", notation.description));
    }
    Ok(text)
}

fn command(name: &str) -> Result<String, Diagnostic> {
    let mut cli = Cli::command();
    cli.build();
    let found = cli.find_subcommand_mut(name).ok_or_else(|| no_topic(name))?;
    Ok(found.render_long_help().to_string())
}

fn no_topic(name: &str) -> Diagnostic {
    let name: String = name.chars().take(40).collect();
    input::refused(format!("no help on `{name}`")).hint("`tumble help` lists the topics")
}

/// Everything that can be written in a notation; with words, only what has them in it.
pub(crate) fn reference(notation: &Notation, about: &[&str], styled: bool) -> Result<String, Diagnostic> {
    let wanted = |piece: &&Piece| {
        let row = format!("{} {} {}", piece.group, piece.spelling, piece.meaning).to_lowercase();
        about.iter().all(|word| row.contains(&word.to_lowercase()))
    };
    let pieces: Vec<&Piece> = notation.reference.iter().filter(wanted).collect();
    if pieces.is_empty() {
        let message = format!("nothing about `{}` in {}", about.join(" "), notation.name);
        return Err(input::refused(message).hint(format!("`tumble help notation {}` lists everything", notation.name)));
    }
    let column = pieces.iter().map(|piece| width(piece.spelling)).filter(|w| *w <= WIDEST).max().unwrap_or(0) + 4;
    let bold = |text: &str| if styled { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
    let mut out = if about.is_empty() { format!("{}\n", notation.description) } else { String::new() };
    let mut group = "";
    for piece in pieces {
        if piece.group != group {
            group = piece.group;
            out.push_str(&format!("{}{}\n", if out.is_empty() { "" } else { "\n" }, bold(group)));
        }
        out.push_str(&row(piece, column, bold(piece.spelling)));
    }
    Ok(out)
}

fn row(piece: &Piece, column: usize, spelling: String) -> String {
    let used = 2 + width(piece.spelling);
    let gap = if used < column { " ".repeat(column - used) } else { format!("\n{}", " ".repeat(column)) };
    let indent = format!("\n{}", " ".repeat(column));
    let meaning = wrapped(piece.meaning, PAGE - column).join(&indent);
    let example = piece.example.replace('\n', &indent);
    format!("  {spelling}{gap}{meaning}{indent}{example}\n")
}

/// The words of a sentence in lines of at most this width.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if width(line) + 1 + width(word) <= columns => line.push_str(&format!(" {word}")),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_has_a_page_that_fits() {
        for notation in NOTATIONS {
            let page = reference(notation, &[], false).unwrap();
            assert!(page.lines().count() > 2 * notation.reference.len(), "{}", notation.name);
            assert!(page.lines().all(|line| width(line) <= PAGE), "{page}");
        }
    }

    #[test]
    fn the_legend_fits_a_screen() {
        assert!(READING.lines().count() < 24 && READING.lines().all(|line| width(line) <= PAGE));
    }

    #[test]
    fn every_command_has_a_page() {
        for name in Cli::command().get_subcommands().map(|command| command.get_name().to_owned()) {
            assert!(command(&name).is_ok_and(|page| page.contains("Usage: tumble")), "{name}");
        }
        assert!(command("rol").is_err());
    }
}
