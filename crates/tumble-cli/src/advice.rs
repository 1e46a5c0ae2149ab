//! What can be done about a message, in the words of the program: options for a call, commands for a session.
//!
//! ```text
//! hint: use fewer dice, raise the limit with --max-steps, or allow an approximate answer with --approx
//! note: this is valid with `-n troll`
//! note: give it a value with --var str=3
//! ```
//!
//! The library gives all of this as data, because a bot or a web page has other words for it.

use tumble::{CUT_SHORT, Diagnostic, Limit, Remedy};

/// Where the reader of a message can do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the next call of the program.
    Call,
    /// In the next line of a session.
    Session,
}

/// A message whose hint is worded for this place, and a note that follows it.
pub(crate) fn worded(error: &Diagnostic, place: Place) -> (Diagnostic, Option<String>) {
    let note = elsewhere(error, place).or_else(|| values(error, place));
    (Diagnostic { hint: hint(error), remedies: Box::default(), ..error.clone() }, note)
}

/// A warning about an answer; one that speaks of other ways to ask names the options.
pub(crate) fn warning(warning: &str) -> &str {
    match warning {
        CUT_SHORT => {
            "much is not listed because a limit was reached; use fewer dice, ask a question such as \
             --at-least 15, or allow an approximate answer with --approx"
        }
        other => other,
    }
}

/// The hint, followed by what else helps.
fn hint(error: &Diagnostic) -> Option<String> {
    let option = |remedy: &Remedy| match remedy {
        Remedy::Raise(Limit::Steps, _) => Some("raise the limit with --max-steps"),
        Remedy::Raise(Limit::Dice, _) => Some("raise the limit with --max-dice"),
        Remedy::Raise(Limit::Depth, _) => Some("raise the limit with --max-depth"),
        Remedy::Approximate => Some("allow an approximate answer with --approx"),
        Remedy::CutEarlier => Some("cut loops earlier with --iterations"),
        Remedy::Supply => Some("add the number on that die, or use --dice ask to be asked for each"),
        Remedy::Notation(_) | Remedy::Set(_) => None,
    };
    let ways: Vec<&str> = error.hint.as_deref().into_iter().chain(error.remedies.iter().filter_map(option)).collect();
    match ways.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        [most @ .., last] => Some(format!("{}, or {last}", most.join(", "))),
    }
}

/// In which other notations the text is valid, and how to choose them.
fn elsewhere(error: &Diagnostic, place: Place) -> Option<String> {
    let choice = match place {
        Place::Call => "-n",
        Place::Session => ":notation",
    };
    let names: Vec<String> = error.notations().map(|name| format!("`{choice} {name}`")).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("this is valid with {one}")),
        [most @ .., last] => Some(format!("this is valid with {} and {last}", most.join(", "))),
    }
}

/// How missing values are given, unless the text itself can be mended.
fn values(error: &Diagnostic, place: Place) -> Option<String> {
    let names: Vec<&str> = error.missing().filter(|_| error.hint.is_none()).collect();
    let them = match names.len() {
        0 => return None,
        1 => "it a value",
        _ => "them values",
    };
    Some(match place {
        Place::Call => {
            let options: Vec<String> = names.iter().map(|name| format!("--var {name}=3")).collect();
            format!("give {them} with {}", options.join(" "))
        }
        Place::Session => {
            let lines: Vec<String> = names.iter().map(|name| format!("`{name} := 3`")).collect();
            format!("give {them} with the line{} {}", if lines.len() > 1 { "s" } else { "" }, lines.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::{Code, Span};

    fn check(hint: Option<&str>, remedies: &[Remedy], place: Place, shown: [Option<&str>; 2]) {
        let mut error = Diagnostic::new(Code::Limit, Span::default(), "too much");
        error.hint = hint.map(str::to_owned);
        error.remedies = remedies.into();
        let (told, note) = worded(&error, place);
        assert_eq!([told.hint.as_deref(), note.as_deref()], shown, "{error:?}");
        assert!(told.remedies.is_empty(), "what is worded is not worded twice");
    }

    #[test]
    fn remedies_are_worded_as_options_or_commands() {
        use Place::{Call, Session};
        let set = |name: &str| Remedy::Set(name.to_owned());
        let other = |name: &'static str| Remedy::Notation(name.into());
        check(None, &[], Call, [None, None]);
        check(Some("roll less"), &[], Call, [Some("roll less"), None]);
        check(None, &[Remedy::Approximate], Call, [Some("allow an approximate answer with --approx"), None]);
        check(
            Some("roll less"),
            &[Remedy::Raise(Limit::Dice, None), Remedy::Approximate],
            Call,
            [Some("roll less, raise the limit with --max-dice, or allow an approximate answer with --approx"), None],
        );
        check(None, &[set("str")], Call, [None, Some("give it a value with --var str=3")]);
        check(None, &[set("a"), set("b")], Call, [None, Some("give them values with --var a=3 --var b=3")]);
        check(None, &[set("a"), set("b")], Session, [None, Some("give them values with the lines `a := 3`, `b := 3`")]);
        check(Some("try `@str`"), &[set("st")], Call, [Some("try `@str`"), None]);
        check(None, &[other("troll")], Session, [None, Some("this is valid with `:notation troll`")]);
        check(
            None,
            &[set("a"), other("troll"), other("nice")],
            Call,
            [None, Some("this is valid with `-n troll` and `-n nice`")],
        );
    }
}
