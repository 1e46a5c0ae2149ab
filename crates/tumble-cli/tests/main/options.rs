//! No option of `tumble odds` is accepted and ignored: in every view and every format it changes the answer, or it is
//! refused with a message that names it and the formats in which it works.

use crate::tool::{TUMBLE, shell};
use std::process::Command;

/// One call for each view, with a distribution in which every setting matters: it is long, its ends are thin, and one of
/// its fractions is short.
const VIEWS: &[(&str, &[&str])] = &[
    ("a single roll", &["d2 = 1 ? 7 : d20000"]),
    ("several rolls", &["d2 = 1 ? 7 : d20000", "99d6"]),
    ("single chances", &["d6", "--at-least", "4"]),
    ("a sweep", &["d2 = 1 ? -7 : d20000 + @n", "--sweep", "n=1..2"]),
    ("a sweep with a question", &["d6+@b", "--sweep", "b=0..1", "--at-least", "4"]),
    ("a grid", &["d6+@b+@c", "--sweep", "b=0..1", "--sweep", "c=0..1"]),
];

const FORMATS: &[&str] = &["text", "json", "csv", "md", "html", "svg", "png"];

/// Options that mean something in some views and formats only.
const SETTINGS: &[&[&str]] = &[
    &["--show", "at-least"],
    &["--show", "at-most"],
    &["--show", "percent"],
    &["--show", "fraction"],
    &["--all"],
    &["--separate"],
    &["--theme", "dark"],
    &["--title", "Dice"],
    &["--size", "900x700"],
    &["--explain"],
    &["--verify"],
    &["--samples", "50"],
    &["--seed", "7"],
    &["--name", "Dice"],
];

/// Options that choose the view or the format, give a roll its values, or set a limit: they mean something everywhere,
/// though not for every roll.
const EVERYWHERE: &[&str] = &[
    "--notation",
    "--var",
    "--vars",
    "--file",
    "--json",
    "--max-steps",
    "--max-dice",
    "--max-depth",
    "--format",
    "--output",
    "--iterations",
    "--at-least",
    "--at-most",
    "--between",
    "--exactly",
    "--approx",
    "--sweep",
    "--help",
    "--script",
    "--entry",
    "--args",
    "--say",
    "--answer",
    "--field",
];

/// What a call prints, what it complains about, and its status. The time it took is no part of an answer.
fn ran(view: &[&str], format: &str, option: &[&str]) -> (Vec<u8>, String, i32) {
    let ran = Command::new(TUMBLE).arg("odds").args(view).args(["--format", format]).args(option).output().unwrap();
    let out = match format {
        "json" => without_time(&String::from_utf8(ran.stdout).unwrap()).into_bytes(),
        _ => ran.stdout,
    };
    (out, String::from_utf8(ran.stderr).unwrap(), ran.status.code().unwrap_or(-1))
}

fn without_time(json: &str) -> String {
    let mut pieces = json.split("\"micros\":");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + piece.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[test]
fn no_option_does_nothing() {
    let formats = FORMATS.iter().filter(|name| cfg!(feature = "png") || **name != "png");
    let mut worked = vec![0; SETTINGS.len()];
    for format in formats {
        for (words, view) in VIEWS {
            let (plain, why, status) = ran(view, format, &[]);
            if status != 0 {
                assert!(why.contains("can't be drawn"), "{words} in {format}: {why}");
                continue;
            }
            for (place, option) in SETTINGS.iter().enumerate() {
                let (changed, why, status) = ran(view, format, option);
                let case = format!("{} for {words} in {format}: {why}", option.join(" "));
                match status {
                    0 => {
                        assert!(changed != plain, "{case}: nothing changed");
                        worked[place] += 1;
                    }
                    _ => refused(option, words, &why, &case),
                }
            }
        }
    }
    let idle: Vec<&&[&str]> =
        SETTINGS.iter().zip(&worked).filter(|(_, count)| **count == 0).map(|(one, _)| one).collect();
    // Only an approximate answer rolls dice.
    assert_eq!(idle, [&["--samples", "50"], &["--seed", "7"]]);
}

/// A refusal names the option and where it works, and not the place where it was refused.
fn refused(option: &[&str], words: &str, why: &str, case: &str) {
    assert!(why.starts_with("error: ") && why.contains(option[0]), "{case}");
    if matches!(option[0], "--samples" | "--seed") {
        assert!(why.contains("without --approx"), "{case}");
        return;
    }
    assert!(why.contains(words), "{case}");
    let remedy = why.split("; ").nth(1).unwrap_or_default();
    assert!(FORMATS.iter().any(|format| remedy.contains(format)), "{case}");
}

#[test]
fn dice_of_an_approximate_answer_can_be_chosen() {
    let hard = "tumble odds -n troll 'sum minimal 999d6' --max-steps 9999 --approx --samples 100";
    let one = shell(&format!("{hard} --seed 1"), b"");
    assert_eq!(one.status, 0, "{}", one.err);
    assert_ne!(one.out, shell(&format!("{hard} --seed 2"), b"").out);
    assert_ne!(one.out, shell(&format!("{hard} --seed 1").replace("100 ", "200 "), b"").out);
}

/// A new option has to be in one of the two tables.
#[test]
fn every_option_is_known_here() {
    let help = shell("tumble odds --help", b"").out;
    let named = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let long =
            line.strip_prefix("--").or_else(|| line.get(4..).filter(|_| line.starts_with('-'))?.strip_prefix("--"))?;
        Some(format!("--{}", long.split([' ', '=', '[']).next()?))
    });
    let named: Vec<String> = named.collect();
    assert!(named.len() > 20, "{help}");
    for option in named {
        let known = EVERYWHERE.contains(&option.as_str()) || SETTINGS.iter().any(|one| one[0] == option);
        assert!(known, "{option} is in no table");
    }
}
