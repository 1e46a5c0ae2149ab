//! The arguments of `:odds`, `:roll` and `:translate`: the same as on the command line, but a roll needs no quotes.
//!
//! ```text
//! 3d6 + 2 --at-least 10        one roll and its options, which may also come first
//! 3d6 "2d6 + 3" 4d6kh3         several rolls
//! ```

use crate::args::Cli;
use crate::arrange::{Kind, kind};
use crate::words::{Sort, Word, together};
use clap::CommandFactory;
use std::ffi::OsStr;
use std::ops::Range;

/// The words of a call, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Options with their values.
    pub(super) options: Vec<String>,
    /// What is no option, as it was typed.
    pub(super) text: String,
    /// The same as words, without their quotes.
    words: Vec<Word>,
}

impl Asked {
    /// Whether one of these options was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        let given = |option: &String| names.iter().any(|name| option.split('=').next() == Some(name));
        self.options.iter().any(given)
    }

    /// What is to be rolled: several rolls where they are wanted and the words make them, else the text as it is, or
    /// without its quotes.
    pub(super) fn rolls(&self, several: bool, sort: &dyn Fn(&str) -> Sort) -> Vec<String> {
        let is_roll = |text: &str| sort(text) > Sort::Not;
        let rolls = if several { together(&self.words, sort) } else { None };
        let joined = self.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        match rolls {
            Some(rolls) if rolls.len() > 1 => rolls,
            _ if is_roll(&self.text) || !is_roll(&joined) => vec![self.text.clone()],
            _ => vec![joined],
        }
    }
}

/// Sorts what stands after a command of the program.
pub(super) fn sorted(command: &str, rest: &str) -> Asked {
    let cli = Cli::command();
    let Some(command) = cli.find_subcommand(command) else { return Asked::default() };
    let (mut asked, mut text): (Asked, Vec<&str>) = (Asked::default(), vec![]);
    let mut words = words(rest).into_iter();
    while let Some((place, word)) = words.next() {
        let quoted = rest[place.clone()].starts_with(['"', '\'']);
        match if quoted { Kind::Text } else { kind(command, OsStr::new(&word)) } {
            Kind::Option => asked.options.push(word),
            Kind::OptionWithValue => {
                asked.options.push(word);
                asked.options.extend(words.next().map(|(_, value)| value));
            }
            Kind::Text | Kind::Rest => {
                text.push(&rest[place]);
                asked.words.push(Word { text: word, quoted });
            }
        }
    }
    // Where no option stands in between, not even a blank is changed.
    let start = text.first().and_then(|first| rest.find(first)).unwrap_or(0);
    let whole = text.last().and_then(|last| Some(&rest[start..rest.rfind(last)? + last.len()]));
    let blanks = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    asked.text = match whole {
        Some(whole) if blanks(whole) == blanks(&text.join(" ")) => whole.to_owned(),
        _ => text.join(" "),
    };
    asked
}

/// The words of a line with their places; quotes keep blanks and are taken away.
fn words(line: &str) -> Vec<(Range<usize>, String)> {
    let (mut words, mut quote, mut start): (Vec<(Range<usize>, String)>, Option<char>, _) = (vec![], None, None);
    let mut word = String::new();
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) if at < line.len() => word.push(c),
            _ if c.is_whitespace() => {
                if let Some(start) = start.take() {
                    words.push((start..at, std::mem::take(&mut word)));
                }
            }
            _ => {
                start = start.or(Some(at));
                match c {
                    '"' | '\'' => quote = Some(c),
                    _ => word.push(c),
                }
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Reader;

    #[test]
    fn options_are_told_from_the_roll() {
        for (command, rest, options, text) in [
            ("odds", "d2 + 1 --verify", "--verify", "d2 + 1"),
            ("odds", "--at-least 3  2d6  + 1", "--at-least 3", "2d6  + 1"),
            ("odds", "3d6 -o a.svg", "-o a.svg", "3d6"),
            ("odds", "3d6 --title \"a b\"", "--title a b", "3d6"),
            ("roll", "4d6kh3 --odds --times 2", "--odds --times 2", "4d6kh3"),
            ("roll", "d6 - 3 -n troll", "-n troll", "d6 - 3"),
            ("roll", "-d6 --seed 3 + 2", "--seed 3", "-d6 + 2"),
            ("translate", "4d6kh3 --to troll", "--to troll", "4d6kh3"),
            ("odds", "", "", ""),
        ] {
            let asked = sorted(command, rest);
            assert_eq!((asked.options.join(" ").as_str(), asked.text.as_str()), (options, text), "{rest}");
        }
    }

    #[test]
    fn several_rolls_are_found() {
        let (vars, sheet) = (tumble::Vars::new(), tumble::Sheet::default());
        let reader = Reader { notation: tumble::everyday(), vars: &vars, sheet: &sheet };
        let sort = |text: &str| reader.sort(text);
        for (rest, rolls) in [
            ("3d6 + 2", "3d6 + 2"),
            ("3d6 4d6kh3", "3d6|4d6kh3"),
            ("3d6 \"2d6 + 3\"", "3d6|2d6 + 3"),
            ("\"2d6 + 3\"", "2d6 + 3"),
            ("\"2d6\" \"-3\"", "2d6|-3"),
            ("2d6 -3", "2d6 -3"),
            ("2d6  -3", "2d6  -3"),
            ("(2d6) (3d6)", "(2d6)|(3d6)"),
            ("3d6 nonsense", "3d6 nonsense"),
        ] {
            assert_eq!(sorted("odds", rest).rolls(true, &sort).join("|"), rolls, "{rest}");
        }
        assert_eq!(sorted("roll", "'2d6 + 3'").rolls(false, &sort), ["2d6 + 3"]);
    }
}
