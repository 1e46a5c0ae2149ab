//! Puts the arguments into an order that leaves no doubt what is a text.
//!
//! A text may start with `-`, as `-d6`, and options may stand after it. So before the arguments are
//! read, `roll` is put in front of a text without a command, and the texts of the commands that take
//! some go behind a `--`.

use clap::ArgAction;
use std::ffi::{OsStr, OsString};

/// The commands whose arguments are texts.
const WITH_TEXTS: &[&str] = &["roll", "odds", "translate", "fmt"];

/// The arguments in an order that can be read in one way only, for the program that `cli` describes.
pub(crate) fn arrange(cli: &clap::Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    if is_bare(cli, &arguments) {
        arguments.insert(1, "roll".into());
    }
    let command = cli.get_subcommands().find(|command| arguments.get(1).is_some_and(|name| name == command.get_name()));
    match command {
        Some(command) if WITH_TEXTS.contains(&command.get_name()) => texts_last(command, arguments),
        _ => arguments,
    }
}

/// Whether there are arguments, but no command and no question about the program.
pub(crate) fn is_bare(cli: &clap::Command, arguments: &[OsString]) -> bool {
    let Some(first) = arguments.get(1) else { return false };
    let is_command = cli.get_subcommands().any(|command| first == command.get_name());
    let about_itself = ["-h", "--help", "-V", "--version"].iter().any(|option| first == option);
    !is_command && !about_itself
}

fn texts_last(command: &clap::Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let (mut options, mut texts) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    options.extend(arguments.by_ref().take(2));
    while let Some(argument) = arguments.next() {
        match kind(command, &argument) {
            Kind::Rest => break,
            Kind::Text => texts.push(argument),
            Kind::Option => options.push(argument),
            Kind::OptionWithValue => {
                options.push(argument);
                match arguments.next() {
                    Some(value) => options.push(value),
                    // It lacks its value, and must not take what is put behind it for one.
                    None => return options,
                }
            }
        }
    }
    texts.extend(arguments);
    if !texts.is_empty() {
        options.push("--".into());
        options.extend(texts);
    }
    options
}

/// What an argument is.
pub(crate) enum Kind {
    /// `--`: all that follows are texts.
    Rest,
    Text,
    Option,
    OptionWithValue,
}

/// What an argument of a command is.
pub(crate) fn kind(command: &clap::Command, argument: &OsStr) -> Kind {
    let Some(word) = argument.to_str() else { return Kind::Text };
    if word == "--" {
        return Kind::Rest;
    }
    let takes_value =
        |arg: Option<&clap::Arg>| arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append));
    let mut known = command.get_arguments();
    if let Some(long) = word.strip_prefix("--").filter(|long| long.starts_with(|c: char| c.is_ascii_alphabetic())) {
        return if takes_value(known.find(|arg| arg.get_long() == Some(long))) {
            Kind::OptionWithValue
        } else {
            Kind::Option
        };
    }
    match word {
        "-n" => Kind::OptionWithValue,
        "-o" if known.any(|arg| arg.get_short() == Some('o')) => Kind::OptionWithValue,
        "-h" => Kind::Option,
        // `-ntroll` is an option, and `-n d6` is a text that starts with a minus.
        _ => match word.strip_prefix("-n").map(|name| name.strip_prefix('=').unwrap_or(name)) {
            Some(name) if tumble::notation(name).is_some() => Kind::Option,
            _ => Kind::Text,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    fn check(given: &str, arranged: &str) {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(arrange(&Cli::command(), words(given)), words(arranged), "{given}");
    }

    #[test]
    fn texts_go_last() {
        check("tumble roll -n troll -d6", "tumble roll -n troll -- -d6");
        check("tumble roll -d6 -n troll --times 5 --json", "tumble roll -n troll --times 5 --json -- -d6");
        check("tumble odds -n troll a --seed=3 b", "tumble odds -n troll --seed=3 -- a b");
        check("tumble odds -n troll -- -d4 --json", "tumble odds -n troll -- -d4 --json");
        check("tumble odds -n troll d6 -o f --json", "tumble odds -n troll -o f --json -- d6");
        check("tumble roll -n troll -o", "tumble roll -n troll -- -o");
        check("tumble odds d6 --json --name", "tumble odds --json --name");
        check("tumble odds --3 -ntroll", "tumble odds -ntroll -- --3");
        check("tumble odds --notation troll -x --typo", "tumble odds --notation troll --typo -- -x");
    }

    #[test]
    fn a_text_without_a_command_is_rolled() {
        check("tumble d6", "tumble roll -- d6");
        check("tumble -n troll d6", "tumble roll -n troll -- d6");
        check("tumble --help", "tumble --help");
        check("tumble batch -", "tumble batch -");
        check("tumble", "tumble");
    }
}
