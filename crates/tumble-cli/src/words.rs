//! Words that a shell took apart: `tumble 2d6 + 3` is one roll, and `tumble odds 2d6 + 3` is an error that shows what to
//! put in quotes, because `odds` takes several rolls.
//!
//! A word that is not a roll by itself belongs to the words before it:
//!
//! ```text
//! 3d6 d20 adv + 5      3d6 | d20 adv + 5
//! ```
//!
//! A first word that is nearly a command gets a suggestion.

use crate::args::{Cli, OddsArgs};
use crate::{arrange, input};
use clap::CommandFactory;
use std::ffi::OsString;
use tumble::{Diagnostic, Notation, Vars, everyday, nearest, prepare};

/// More words than this are not put together.
const MOST: usize = 40;

/// What is wrong with a call of `odds` whose rolls were taken apart, with the call that was meant.
pub(crate) fn apart(args: &OddsArgs) -> Option<Diagnostic> {
    let (notation, vars) = (input::known(Some(input::notation(&args.given))).ok()?, input::vars(&args.given).ok()?);
    let odd = args.texts.iter().find(|word| args.texts.len() > 1 && !is_roll(notation, &vars, word))?;
    let rolls = together(&args.texts, &|text| is_roll(notation, &vars, text))?;
    let call = call("odds", &rolls, &options(std::env::args_os().collect()));
    Some(input::refused(format!("`{odd}` is not a roll by itself")).hint(format!("put quotes around a roll: `{call}`")))
}

/// The call that was meant, where the first word is nearly a command.
pub(crate) fn misspelled(arguments: &[OsString]) -> Option<Diagnostic> {
    let first = arguments.get(1)?.to_str().filter(|word| word.chars().all(char::is_alphabetic))?;
    let cli = Cli::command();
    let meant = nearest(&first.to_lowercase(), cli.get_subcommands().map(clap::Command::get_name))?.to_owned();
    let mut arguments = arguments.to_vec();
    arguments[1] = OsString::from(&meant);
    let (options, texts) = (options(arguments.clone()), texts(arguments));
    let rolls = match meant.as_str() {
        "odds" => together(&texts, &|text| is_roll(everyday(), &Vars::new(), text)).unwrap_or(texts),
        _ => texts,
    };
    let hint = format!("did you mean `{}`?", call(&meant, &rolls, &options));
    Some(input::refused(format!("unknown command `{first}`")).hint(hint))
}

/// Whether a word can be rolled; one that only lacks values can.
pub(crate) fn is_roll(notation: &'static Notation, vars: &Vars, text: &str) -> bool {
    match prepare(notation, text, vars) {
        Ok(_) => true,
        Err(errors) => errors.all().iter().all(|error| error.missing().next().is_some()),
    }
}

/// The most rolls that the words make, none of which begins with a word that is no roll of its own.
pub(crate) fn together(words: &[String], is_roll: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
    if words.len() > MOST {
        return None;
    }
    let begins: Vec<bool> = words.iter().map(|word| is_roll(word)).collect();
    // The best way to make rolls of the first so many words.
    let mut best: Vec<Option<Vec<String>>> = vec![Some(vec![])];
    for end in 1..=words.len() {
        let mut found: Option<Vec<String>> = None;
        for start in (0..end).filter(|start| *start == 0 || begins[*start]) {
            let Some(before) = &best[start] else { continue };
            let roll = words[start..end].join(" ");
            let more = found.as_ref().is_none_or(|found| before.len() + 1 > found.len());
            if more && is_roll(&roll) {
                found = Some(before.iter().cloned().chain([roll]).collect());
            }
        }
        best.push(found);
    }
    best.pop().flatten()
}

/// What is no roll among the arguments of a command.
fn options(arguments: Vec<OsString>) -> Vec<String> {
    let arranged = arrange::arrange(&Cli::command(), arguments);
    let options = arranged.iter().skip(2).take_while(|word| *word != "--");
    options.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The rolls among the arguments of a command.
fn texts(arguments: Vec<OsString>) -> Vec<String> {
    let arranged = arrange::arrange(&Cli::command(), arguments);
    let texts = arranged.iter().skip_while(|word| *word != "--").skip(1);
    texts.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// A line that a shell takes.
fn call(command: &str, rolls: &[String], options: &[String]) -> String {
    let words = rolls.iter().chain(options).map(|word| quoted(word));
    ["tumble".to_owned(), command.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell needs it: in double quotes, which every shell has, but not where bash and zsh would replace
/// something inside them.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+./:=,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if word.contains(['!', '$', '`', '"', '\\']) && !cfg!(windows) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn words_are_put_together() {
        for (line, rolls) in [
            ("2d6 + 3", Some("2d6 + 3")),
            ("3d6 d20 adv + 5", Some("3d6|d20 adv + 5")),
            ("d20 adv d20 dis", Some("d20 adv|d20 dis")),
            ("(2d6 + 3) * 2 d8", Some("(2d6 + 3) * 2|d8")),
            ("d20 + @str 3d6", Some("d20 + @str|3d6")),
            ("2d6 nonsense", None),
            ("+ +", None),
        ] {
            let is_roll = |text: &str| is_roll(everyday(), &Vars::new(), text);
            let found = together(&words(line), &is_roll).map(|rolls| rolls.join("|"));
            assert_eq!(found.as_deref(), rolls, "{line}");
        }
    }

    #[test]
    fn a_command_that_was_meant_is_found() {
        for (line, call) in [
            ("tumble ods 2d6", Some("tumble odds 2d6")),
            ("tumble ods 2d6 + 3 --at-least 7", Some("tumble odds \"2d6 + 3\" --at-least 7")),
            ("tumble repll", Some("tumble repl")),
            ("tumble rol 2d6 + 3", Some("tumble roll 2d6 + 3")),
            ("tumble d20 adv", None),
            ("tumble fireball", None),
            ("tumble -n troll", None),
        ] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let hint = misspelled(&arguments).and_then(|error| error.hint);
            assert_eq!(hint, call.map(|call| format!("did you mean `{call}`?")), "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn words_are_quoted_for_the_shell() {
        for (word, shown) in [
            ("4d6kh3", "4d6kh3"),
            ("2d6 + 3", "\"2d6 + 3\""),
            ("d20>=15", "\"d20>=15\""),
            ("5d10!!kh3", "'5d10!!kh3'"),
            ("", "\"\""),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
