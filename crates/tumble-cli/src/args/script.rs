//! What is asked about a roll of a script: which one, its arguments, and what is answered.

use clap::Args;
use std::path::PathBuf;
use tumble::batch::Json;
use tumble::script::Said;

/// The options of `tumble odds` that are about a script.
#[derive(Debug, Args)]
pub(crate) struct OfScript {
    /// Show the odds of a roll of a script
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["texts", "file", "notation", "vars", "file_of_sheet", "iterations", "separate", "verify", "approx", "samples", "seed"]
    )]
    pub(crate) script: Option<PathBuf>,

    /// The roll of the script, by its title or name
    #[arg(long, value_name = "ROLL")]
    pub(crate) entry: Option<String>,

    /// Arguments of the script: a JSON file, or a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) args: Option<String>,

    /// Answer all options of a script with this prompt, such as "Reroll?=yes" or
    /// "Ann: Reroll?=yes"; can be repeated
    #[arg(long, value_name = "PROMPT=ANSWER", value_parser = said)]
    pub(crate) say: Vec<Saying>,

    /// Answer one option of a script by its path, such as ru=true
    #[arg(long = "answer", value_name = "PATH=ANSWER", value_parser = answer_pair)]
    pub(crate) answers: Vec<(String, Json)>,

    /// Take one field of the record that a script returns
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Option<String>,
}

impl OfScript {
    /// An option that was given, but no script.
    pub(crate) fn idle(&self) -> Option<&'static str> {
        let given = [
            (self.entry.is_some(), "--entry"),
            (self.args.is_some(), "--args"),
            (!self.say.is_empty(), "--say"),
            (!self.answers.is_empty(), "--answer"),
            (self.field.is_some(), "--field"),
        ];
        given.into_iter().find(|(given, _)| *given && self.script.is_none()).map(|(_, name)| name)
    }
}

/// What is said to a prompt, in all ways it can be meant: a name before a colon may be an owner.
pub(crate) type Saying = Vec<Said>;

/// `Reroll?=yes`, `Ann: Reroll?=yes`
pub(crate) fn said(given: &str) -> Result<Vec<Said>, String> {
    let bad = || "write a prompt, `=` and an answer, such as \"Reroll?=yes\"".to_owned();
    let (prompt, answer) = given.rsplit_once('=').ok_or_else(bad)?;
    let (prompt, value) = (prompt.trim(), answer_of(answer.trim()).ok_or_else(bad)?);
    if prompt.is_empty() {
        return Err(bad());
    }
    let whole = Said { owner: None, prompt: prompt.to_owned(), value: value.clone() };
    let owned = prompt.split_once(": ").map(|(owner, prompt)| Said {
        owner: Some(Some(owner.trim().to_owned())),
        prompt: prompt.trim().to_owned(),
        value,
    });
    Ok([whole].into_iter().chain(owned).collect())
}

/// `ru=true`
pub(crate) fn answer_pair(given: &str) -> Result<(String, Json), String> {
    let bad = || "write PATH=ANSWER, such as ru=true".to_owned();
    let (path, answer) = given.split_once('=').ok_or_else(bad)?;
    Ok((path.trim().to_owned(), answer_of(answer.trim()).ok_or_else(bad)?))
}

/// `yes`, `3`, `[0,2]`
fn answer_of(text: &str) -> Option<Json> {
    match text.to_lowercase().as_str() {
        "yes" | "y" | "true" => Some(Json::Bool(true)),
        "no" | "n" | "false" => Some(Json::Bool(false)),
        _ => text.parse::<Json>().ok().filter(|json| json.is_i64() || json.is_array()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_by_prompt() {
        for (given, count) in [
            ("Reroll?=yes", Some(1)),
            ("Ann: Reroll?=no", Some(2)),
            ("a=b=3", Some(1)),
            ("Which?=[0,2]", Some(1)),
            ("Reroll?", None),
            ("Reroll?=maybe", None),
            ("=yes", None),
        ] {
            assert_eq!(said(given).ok().map(|said| said.len()), count, "{given}");
        }
    }
}
