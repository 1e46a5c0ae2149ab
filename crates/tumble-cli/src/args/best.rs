//! `tumble best`.

use super::script::{Saying, answer_pair, said};
use super::shared::{Most, from_zero};
use clap::Args;
use std::path::PathBuf;
use tumble::batch::Json;
use tumble::render::chance::Question;

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble best yahtzee.tumble "Most sixes"
  tumble best attack.tumble --args fight.json --goal "at least 20"
  tumble best duel.tumble --minimise Goblin

Every option is answered knowing everything that was rolled and answered before
it. An owner in --minimise plays against all others, one in --fixed keeps to the
answers of --say and --answer, and to the defaults. In answers, #1 is the first
of what an option offers."#)]
pub(crate) struct BestArgs {
    /// The script
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The roll, by its title or name
    #[arg(value_name = "ROLL")]
    pub(crate) roll: Option<String>,

    /// Its arguments: a JSON file, or a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) args: Option<String>,

    /// What the players want: mean, "at least 20", "at most 3" or "exactly 7"
    #[arg(long, value_name = "GOAL", default_value = "mean", hide_default_value = true, value_parser = goal)]
    pub(crate) goal: Wanted,

    /// An owner who plays against all others; can be repeated
    #[arg(long, value_name = "OWNER")]
    pub(crate) minimise: Vec<String>,

    /// An owner who keeps to the given answers; can be repeated
    #[arg(long, value_name = "OWNER")]
    pub(crate) fixed: Vec<String>,

    /// Answer all options with this prompt, for owners in --fixed
    #[arg(long, value_name = "PROMPT=ANSWER", requires = "fixed", value_parser = said)]
    pub(crate) say: Vec<Saying>,

    /// Answer one option by its path, such as ru=true
    #[arg(long = "answer", value_name = "PATH=ANSWER", value_parser = answer_pair)]
    pub(crate) answers: Vec<(String, Json)>,

    /// Take one field of the record that the roll returns
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Option<String>,

    /// Show up to N lines of what to do [default: 20]; with --json, N decisions
    /// besides the first
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    pub(crate) decisions: Option<u64>,

    /// Treat slips that would be understood as errors
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print the answer as JSON, as `tumble batch` does
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) most: Most,
}

/// What is wanted: a high mean, or a chance.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Mean,
    Chance(Question),
}

/// `mean`, `at least 20`, `at-least=20`, `>= 20`, `exactly hurt`
fn goal(given: &str) -> Result<Wanted, String> {
    let spelled = given.trim().replace("at-least", "at least").replace("at-most", "at most");
    let spelled =
        spelled.replacen("least=", "least ", 1).replacen("most=", "most ", 1).replacen("exactly=", "exactly ", 1);
    if spelled == "mean" {
        return Ok(Wanted::Mean);
    }
    match spelled.parse::<Question>() {
        Ok(question @ (Question::AtLeast(_) | Question::AtMost(_) | Question::Exactly(_))) => {
            Ok(Wanted::Chance(question))
        }
        _ => Err("write mean, \"at least 20\", \"at most 3\" or \"exactly 7\"".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals() {
        for (given, wanted) in [
            ("mean", "mean"),
            ("at least 20", "at least 20"),
            ("at-least 20", "at least 20"),
            ("at-least=20", "at least 20"),
            ("<= 3", "at most 3"),
            ("exactly hurt", "exactly hurt"),
            ("7..9", ""),
            ("most", ""),
        ] {
            let found = match goal(given) {
                Ok(Wanted::Mean) => "mean".to_owned(),
                Ok(Wanted::Chance(question)) => question.to_string(),
                Err(_) => String::new(),
            };
            assert_eq!(found, wanted, "{given}");
        }
    }
}
