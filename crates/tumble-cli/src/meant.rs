//! The call that was meant, where the arguments are not what they seem.
//!
//! ```text
//! tumble odds 2d6 + 3             tumble odds "2d6 + 3"
//! tumble odds 2d6 at least 7      tumble odds 2d6 --at-least 7
//! tumble odds d20+5 vs 15         tumble odds "d20+5 >= 15"
//! tumble ods 2d6                  tumble odds 2d6
//! ```
//!
//! `tumble roll` takes all words as one roll and needs none of this; `tumble odds` takes several rolls.

use crate::args::{Cli, OddsArgs};
use crate::words::{Reader, Sort, Word, together};
use crate::{arrange, input};
use clap::{ArgAction, CommandFactory};
use std::ffi::OsString;
use tumble::{Diagnostic, Sheet, Vars, everyday, nearest};

/// What is wrong with a call of `odds` whose rolls were taken apart, with the call that was meant.
pub(crate) fn apart(args: &OddsArgs) -> Option<Diagnostic> {
    if args.texts.len() < 2 {
        return None;
    }
    let notation = input::known(Some(input::notation(&args.given))).ok()?;
    let (vars, sheet) = (input::vars(&args.given).ok()?, args.given.reading.sheet().ok()?);
    apart_in(&args.texts, &options(std::env::args_os().collect()), &Reader { notation, vars: &vars, sheet })
}

fn apart_in(texts: &[String], options: &[String], reader: &Reader<'_>) -> Option<Diagnostic> {
    let words: Vec<Word> = texts.iter().map(|text| Word::new(text)).collect();
    let sort = |text: &str| reader.sort(text);
    let odd = words.iter().find(|word| word.sort(&sort) < Sort::Dice || word.goes_on())?;
    let rolls = match together(&words, &sort) {
        Some(rolls) if rolls == texts => return None,
        Some(rolls) => {
            let why =
                if sort(&odd.text) == Sort::Not { "is not a roll by itself" } else { "may be part of another roll" };
            let hint = format!("put quotes around a roll: `{}`", call("odds", &rolls, options));
            return Some(input::refused(format!("`{}` {why}", odd.text)).hint(hint));
        }
        None => {
            with_options(&words, options, &sort).or_else(|| Some(call("odds", &[reworded(&words, reader)?], options)))
        }
    };
    let odd = words.iter().find(|word| sort(&word.text) == Sort::Not)?;
    let hint = format!("did you mean `{}`?", rolls?);
    Some(input::refused(format!("`{}` is not a roll by itself", odd.text)).hint(hint))
}

/// The call with the words that spell an option: `at least 7`.
fn with_options(words: &[Word], options: &[String], sort: &dyn Fn(&str) -> Sort) -> Option<String> {
    let cli = Cli::command();
    let known: Vec<&clap::Arg> = cli.find_subcommand("odds")?.get_arguments().collect();
    let (mut left, mut options, mut at) = (vec![], options.to_vec(), 0);
    while let Some(word) = words.get(at) {
        let spelled = known.iter().filter_map(|arg| Some((spelled(arg.get_long()?, &words[at..])?, *arg)));
        let Some((taken, arg)) = spelled.max_by_key(|(taken, _)| *taken).filter(|_| sort(&word.text) == Sort::Not)
        else {
            left.push(word.clone());
            at += 1;
            continue;
        };
        options.push(format!("--{}", arg.get_long()?));
        at += taken;
        if matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
            options.push(words.get(at)?.text.clone());
            at += 1;
        }
    }
    let moved = left.len() < words.len() && !left.is_empty();
    moved.then(|| together(&left, sort)).flatten().map(|rolls| call("odds", &rolls, &options))
}

/// How many words spell the name of an option, without its hyphens.
fn spelled(long: &str, words: &[Word]) -> Option<usize> {
    let parts: Vec<&str> = long.split('-').collect();
    let same = |(part, word): (&&str, &Word)| word.text.eq_ignore_ascii_case(part);
    (parts.len() <= words.len() && parts.iter().zip(words).all(same)).then_some(parts.len())
}

/// The roll that all words make once a word of plain English is replaced: `d20 vs 15`.
fn reworded(words: &[Word], reader: &Reader<'_>) -> Option<String> {
    let joined = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let odd = words.iter().find(|word| reader.sort(&word.text) == Sort::Not)?;
    let error = match tumble::prepare(reader.notation, &joined, reader.vars) {
        Ok(read) => return (read.is_corrected() && read.comment().is_none()).then(|| read.text().to_owned()),
        Err(errors) => errors.first(),
    };
    let fixed = error.hint.as_deref()?.strip_prefix("try `")?.strip_suffix('`')?;
    // Something else may be wrong, and a word that stays, or goes and leaves nothing, is not what was meant.
    let about_it = joined.get(error.span.start..error.span.end) == Some(odd.text.as_str());
    let rolls: String = words.iter().filter(|word| reader.is_roll(&word.text)).map(|word| word.text.as_str()).collect();
    let gone = fixed.split_whitespace().collect::<String>() == rolls;
    let replaced = odd.text.chars().all(char::is_alphabetic) && !fixed.contains(&odd.text) && !gone;
    (about_it && replaced).then(|| fixed.to_owned())
}

/// The call that was meant, where the first word is nearly a command.
pub(crate) fn misspelled(arguments: &[OsString]) -> Option<Diagnostic> {
    let first = arguments.get(1)?.to_str().filter(|word| word.chars().all(char::is_alphabetic))?;
    let cli = Cli::command();
    let meant = nearest(&first.to_lowercase(), cli.get_subcommands().map(clap::Command::get_name))?.to_owned();
    let mut arguments = arguments.to_vec();
    arguments[1] = OsString::from(&meant);
    let (options, texts) = (options(arguments.clone()), texts(arguments));
    let (vars, sheet) = (Vars::new(), Sheet::default());
    let reader = Reader { notation: everyday(), vars: &vars, sheet: &sheet };
    let rolls = match meant.as_str() {
        "odds" => {
            let words: Vec<Word> = texts.iter().map(|text| Word::new(text)).collect();
            together(&words, &|text| reader.sort(text)).unwrap_or(texts)
        }
        _ => texts,
    };
    let hint = format!("did you mean `{}`?", call(&meant, &rolls, &options));
    Some(input::refused(format!("unknown command `{first}`")).hint(hint))
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

    #[test]
    fn rolls_that_were_taken_apart_are_found() {
        let (vars, sheet) = (Vars::new(), r#"{"sword": "1d8"}"#.parse().unwrap());
        let reader = Reader { notation: everyday(), vars: &vars, sheet: &sheet };
        for (line, meant) in [
            ("2d6 3d6", None),
            ("2d6 + 3", Some("\"2d6 + 3\"")),
            ("2d6 -3", Some("\"2d6 -3\"")),
            ("d20 -d6", Some("\"d20 -d6\"")),
            ("-d6 d20", None),
            ("2 d6", Some("\"2 d6\"")),
            ("4d6 kh 3", Some("\"4d6 kh 3\"")),
            ("3d6 -2 4d6", Some("\"3d6 -2\" 4d6")),
            ("2d6 -@str", Some("\"2d6 -@str\"")),
            ("@sword 3d6", None),
            // No roll is made of these, so a number is compared.
            ("2d6 7", None),
            ("2d6 at least 7", Some("2d6 --at-least 7")),
            ("2d6 AT MOST 7 d20", Some("2d6 d20 --at-most 7")),
            ("2d6 explain", Some("2d6 --explain")),
            ("2d6 + 3 exactly 7", Some("\"2d6 + 3\" --exactly 7")),
            ("2d6 at least", None),
            ("d20+5 vs 15", Some("\"d20+5 >= 15\"")),
            ("4d6 keep highest 3", Some("4d6kh3")),
            ("2d6 nonsense", None),
            ("2d6 4d6kj3", None),
        ] {
            let texts: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let hint = apart_in(&texts, &[], &reader).and_then(|error| error.hint);
            let shown = hint.as_deref().and_then(|hint| hint.split('`').nth(1));
            assert_eq!(shown, meant.map(|call| format!("tumble odds {call}")).as_deref(), "{line}: {hint:?}");
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
