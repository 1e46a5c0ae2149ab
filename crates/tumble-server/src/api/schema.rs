//! The bodies of the API, for its description. What they mean is said in the book's page on `batch`; whether a body
//! fits is decided by the library, whose messages say what to do about it.

#![allow(missing_docs, dead_code, reason = "described here, explained in the book, read by the library")]

use super::outcome::*;
use super::shape::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// How a document looks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    /// `exactly`, `at_least`, `at_most`, `percent` or `fraction`, or an array of them.
    #[schema(schema_with = shown)]
    pub(crate) show: Option<Value>,
    /// Words above it.
    pub(crate) title: Option<String>,
    #[schema(schema_with = look_theme)]
    pub(crate) theme: Option<String>,
    /// `[1200, 600]`, or the width alone.
    #[schema(schema_with = size)]
    pub(crate) size: Option<Value>,
    /// Every row of a long table.
    pub(crate) all: Option<bool>,
    /// The columns of a line.
    #[schema(minimum = 20, maximum = 1000)]
    pub(crate) width: Option<u64>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    /// The expression.
    #[schema(example = "4d6kh3")]
    pub(crate) text: String,
    /// Its notation; `tabletop` by default.
    #[schema(schema_with = any_notation)]
    pub(crate) notation: Option<String>,
    /// Numbers that names in the expression stand for; a nested object is a character sheet.
    #[schema(schema_with = vars)]
    pub(crate) vars: Option<Value>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OddsRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    /// The expression.
    #[schema(example = "4d6kh3")]
    pub(crate) text: String,
    /// Its notation; `tabletop` by default.
    #[schema(schema_with = any_notation)]
    pub(crate) notation: Option<String>,
    /// Numbers that names in the expression stand for; a nested object is a character sheet.
    #[schema(schema_with = vars)]
    pub(crate) vars: Option<Value>,
    /// Ask for one number instead of the distribution.
    #[schema(schema_with = numbers)]
    pub(crate) at_least: Option<Value>,
    #[schema(schema_with = numbers)]
    pub(crate) at_most: Option<Value>,
    /// A range such as `7..9`.
    #[schema(schema_with = ranges)]
    pub(crate) between: Option<Value>,
    /// An outcome, or an array of those that are meant together.
    #[schema(schema_with = outcomes)]
    pub(crate) exactly: Option<Value>,
    /// A name for the roll.
    pub(crate) name: Option<String>,
    /// Variables and their values, each a range such as `1..10`.
    #[schema(schema_with = sweep)]
    pub(crate) sweep: Option<Value>,
    /// A document instead of numbers.
    #[schema(schema_with = formats)]
    pub(crate) format: Option<String>,
    /// How the document looks.
    pub(crate) look: Option<LookRequest>,
    /// Cut loops after this many rolls.
    #[schema(minimum = 1, maximum = 1000000)]
    pub(crate) iterations: Option<u64>,
    pub(crate) explain: Option<bool>,
    pub(crate) verify: Option<bool>,
    pub(crate) approx: Option<bool>,
    #[schema(minimum = 1, maximum = 100000000)]
    pub(crate) samples: Option<u64>,
    #[schema(schema_with = seed)]
    pub(crate) seed: Option<u64>,
    /// `digest` for a checksum instead of the outcomes.
    #[serde(rename = "return")]
    #[schema(schema_with = returns)]
    pub(crate) returned: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RollRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    /// The expression.
    #[schema(example = "4d6kh3")]
    pub(crate) text: String,
    /// Its notation; `tabletop` by default.
    #[schema(schema_with = any_notation)]
    pub(crate) notation: Option<String>,
    /// Numbers that names in the expression stand for; a nested object is a character sheet.
    #[schema(schema_with = vars)]
    pub(crate) vars: Option<Value>,
    /// The same seed gives the same dice.
    #[schema(schema_with = seed)]
    pub(crate) seed: Option<u64>,
    /// So many rolls.
    #[schema(minimum = 1, maximum = 10000)]
    pub(crate) times: Option<u64>,
    /// The values of the dice, in order.
    pub(crate) feed: Option<Vec<i64>>,
    /// How lucky the roll was.
    pub(crate) luck: Option<bool>,
    /// The marks in `line`.
    #[schema(schema_with = marks)]
    pub(crate) render: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TranslateRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    /// The expression.
    #[schema(example = "4d6kh3")]
    pub(crate) text: String,
    /// Its notation; `tabletop` by default.
    #[schema(schema_with = any_notation)]
    pub(crate) notation: Option<String>,
    /// Numbers that names in the expression stand for; a nested object is a character sheet.
    #[schema(schema_with = vars)]
    pub(crate) vars: Option<Value>,
    /// The notation to translate to.
    #[schema(schema_with = notation)]
    pub(crate) to: String,
}

/// What every request about a script begins with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptCheckRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    #[schema(
        example = "defroll \"Twice\" twice() { x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x; }"
    )]
    pub(crate) program: String,
    /// Whether slips are errors.
    pub(crate) strict: Option<bool>,
    /// Also give the classes of the words, for an editor.
    pub(crate) tokens: Option<bool>,
    /// Also give what could be written here, in bytes from the start.
    #[schema(maximum = 4294967295u32)]
    pub(crate) at: Option<u64>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    #[schema(
        example = "defroll \"Twice\" twice() { x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x; }"
    )]
    pub(crate) program: String,
    /// The roll, by name or title.
    pub(crate) entry: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) args: Option<Value>,
    /// Answers by the path of their option.
    #[schema(schema_with = answers)]
    pub(crate) answers: Option<Value>,
    /// The dice of the last answer.
    #[schema(value_type = Option<Object>)]
    pub(crate) dice: Option<Value>,
    pub(crate) edits: Option<Vec<Value>>,
    pub(crate) feed: Option<Vec<i64>>,
    #[schema(schema_with = seed)]
    pub(crate) seed: Option<u64>,
    pub(crate) version: Option<String>,
    pub(crate) strict: Option<bool>,
}

/// An answer to all options with this prompt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Say {
    pub(crate) owner: Option<String>,
    pub(crate) prompt: String,
    pub(crate) value: Value,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptOddsRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    #[schema(
        example = "defroll \"Twice\" twice() { x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x; }"
    )]
    pub(crate) program: String,
    pub(crate) entry: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) args: Option<Value>,
    #[schema(schema_with = answers)]
    pub(crate) answers: Option<Value>,
    pub(crate) say: Option<Vec<Say>>,
    /// The field of the record that is returned.
    pub(crate) field: Option<String>,
    pub(crate) strict: Option<bool>,
    #[schema(schema_with = numbers)]
    pub(crate) at_least: Option<Value>,
    #[schema(schema_with = numbers)]
    pub(crate) at_most: Option<Value>,
    #[schema(schema_with = ranges)]
    pub(crate) between: Option<Value>,
    #[schema(schema_with = outcomes)]
    pub(crate) exactly: Option<Value>,
    pub(crate) name: Option<String>,
    #[schema(schema_with = sweep)]
    pub(crate) sweep: Option<Value>,
    #[schema(schema_with = formats)]
    pub(crate) format: Option<String>,
    pub(crate) look: Option<LookRequest>,
    pub(crate) explain: Option<bool>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BestRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    #[schema(
        example = "defroll \"Twice\" twice() { x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x; }"
    )]
    pub(crate) program: String,
    pub(crate) entry: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) args: Option<Value>,
    #[schema(schema_with = answers)]
    pub(crate) answers: Option<Value>,
    pub(crate) say: Option<Vec<Say>>,
    pub(crate) field: Option<String>,
    pub(crate) strict: Option<bool>,
    /// `mean`, or an object with `at_least`, `at_most` or `exactly`.
    #[schema(schema_with = goal)]
    pub(crate) goal: Option<Value>,
    pub(crate) minimise: Option<Vec<Option<String>>>,
    pub(crate) fixed: Option<Vec<Option<String>>>,
    #[schema(maximum = 1000)]
    pub(crate) decisions: Option<u64>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorthRequest {
    /// A string or a number that comes back with the answer.
    #[schema(schema_with = id)]
    pub(crate) id: Option<Value>,
    #[schema(
        example = "defroll \"Twice\" twice() { x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x; }"
    )]
    pub(crate) program: String,
    pub(crate) entry: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) args: Option<Value>,
    #[schema(schema_with = answers)]
    pub(crate) answers: Option<Value>,
    #[schema(value_type = Option<Object>)]
    pub(crate) dice: Option<Value>,
    pub(crate) edits: Option<Vec<Value>>,
    pub(crate) feed: Option<Vec<i64>>,
    #[schema(schema_with = seed)]
    pub(crate) seed: Option<u64>,
    pub(crate) version: Option<String>,
    pub(crate) strict: Option<bool>,
    /// The path of the option.
    pub(crate) path: String,
    #[schema(schema_with = goal)]
    pub(crate) goal: Option<Value>,
    /// `best`: later options are played as well as can be.
    #[schema(schema_with = then)]
    pub(crate) then: Option<String>,
    pub(crate) minimise: Option<Vec<Option<String>>>,
    pub(crate) fixed: Option<Vec<Option<String>>>,
    pub(crate) field: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OddsAnswer {
    /// Whether every listed probability is complete.
    pub(crate) exact: Option<bool>,
    /// Each outcome with its probability, a fraction in lowest terms.
    pub(crate) outcomes: Option<Vec<Value>>,
    /// The probability of everything that is not listed.
    pub(crate) unresolved: Option<Value>,
    pub(crate) mean: Option<Value>,
    pub(crate) variance: Option<Value>,
    pub(crate) warnings: Option<Vec<Value>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RollAnswer {
    pub(crate) value: Option<Value>,
    /// The result as people read it.
    pub(crate) text: Option<String>,
    /// The expression with its dice and the result.
    pub(crate) line: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) trace: Option<Value>,
    pub(crate) draws: Option<Vec<DrawView>>,
    pub(crate) seed: Option<u64>,
    /// With `times`, one entry for each roll.
    pub(crate) rolls: Option<Vec<Value>>,
    pub(crate) warnings: Option<Vec<Value>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckAnswer {
    /// Whether it can be rolled.
    pub(crate) sound: bool,
    pub(crate) problems: Vec<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TranslateAnswer {
    pub(crate) text: String,
    pub(crate) notation: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NotationsAnswer {
    pub(crate) notations: Vec<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScriptCheckAnswer {
    pub(crate) sound: bool,
    pub(crate) problems: Vec<NoteView>,
    /// The types, constants and rolls of the script.
    #[schema(value_type = OfferView)]
    pub(crate) schema: Value,
}

/// What a run shows.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunAnswer {
    /// What the roll returned.
    pub(crate) result: Option<Value>,
    pub(crate) outputs: Vec<Value>,
    /// The same as a tree of groups and lines.
    pub(crate) tree: Vec<ItemView>,
    pub(crate) rolls: Vec<DiceView>,
    /// The options that were met.
    pub(crate) options: Vec<OptionView>,
    pub(crate) changes: Vec<ProposedView>,
    /// The dice, for the next run.
    #[schema(value_type = Object)]
    pub(crate) dice: Value,
    pub(crate) fed: u64,
    pub(crate) remembered: Vec<String>,
    pub(crate) version: String,
    pub(crate) warnings: Vec<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestAnswer {
    /// The value of best play.
    pub(crate) value: Value,
    pub(crate) all_default: Option<Value>,
    pub(crate) decisions: Vec<Value>,
    pub(crate) states: Option<u64>,
    pub(crate) warnings: Vec<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WorthAnswer {
    /// Each answer with what it is worth.
    pub(crate) answers: Vec<Vec<Value>>,
    pub(crate) warnings: Vec<Value>,
}
