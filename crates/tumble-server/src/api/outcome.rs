//! What rolls and runs show, for the description of the API: parts of the answers of `batch`, which are written elsewhere.
//! Clients have their types from here. `required = false` is a field that may be missing, an `Option` one that may be null.

#![allow(missing_docs, dead_code, reason = "described here, explained in the book, written by the library")]

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What came of an execution: of an expression, or of a roll of the script.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum OutcomeView {
    Roll(RollOutcome),
    Run(RunOutcome),
}

/// What came of an expression.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RollOutcome {
    pub(crate) value: Value,
    /// The result as people read it.
    pub(crate) text: String,
    /// The expression with its dice and the result.
    pub(crate) line: String,
    #[schema(value_type = Object)]
    pub(crate) trace: Value,
    /// What was written behind the roll.
    #[schema(required = false)]
    pub(crate) comment: String,
    pub(crate) draws: Vec<DrawView>,
    #[schema(required = false)]
    pub(crate) checks: Vec<CheckView>,
    /// Subtotals by label.
    #[schema(required = false)]
    pub(crate) labels: BTreeMap<String, i64>,
    pub(crate) warnings: Vec<String>,
}

/// A die of a roll.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DrawView {
    /// Where it fell, and which of the dice of its kind there.
    pub(crate) path: String,
    pub(crate) index: u64,
    pub(crate) faces: u64,
    /// Its lowest face, if that is not 1.
    #[schema(required = false)]
    pub(crate) lowest: i64,
    /// The face of a die that picks one of several values.
    #[schema(required = false)]
    pub(crate) face: u64,
    pub(crate) value: Value,
    pub(crate) state: DrawState,
    /// The number that a rule made of it.
    #[schema(required = false)]
    pub(crate) became: i64,
    /// What it adds to a count of successes.
    #[schema(required = false)]
    pub(crate) score: i64,
    /// What a single d20 shows.
    #[schema(required = false)]
    pub(crate) natural: i64,
    /// The die that it was rolled for.
    #[schema(required = false)]
    pub(crate) from: u64,
}

/// What became of a die.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawState {
    Kept,
    Dropped,
    Rerolled,
    Exploded,
}

/// A comparison.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckView {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) left: i64,
    pub(crate) sign: String,
    pub(crate) right: i64,
    pub(crate) success: bool,
}

/// What came of a roll of the script.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunOutcome {
    /// What the roll returned.
    #[schema(required = false)]
    pub(crate) result: Value,
    /// Why it did not come to its end.
    #[schema(required = false)]
    pub(crate) error: NoteView,
    pub(crate) outputs: Vec<Value>,
    /// The same as a tree of groups and lines.
    pub(crate) tree: Vec<ItemView>,
    pub(crate) rolls: Vec<DiceView>,
    /// The options that were met.
    pub(crate) options: Vec<OptionView>,
    pub(crate) changes: Vec<ProposedView>,
    /// Where dice are remembered that did not fall this time.
    pub(crate) remembered: Vec<String>,
}

/// A line, or a group of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum ItemView {
    Line(LineView),
    #[schema(no_recursion)]
    Group(GroupView),
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LineView {
    pub(crate) text: String,
    #[schema(required = false)]
    pub(crate) style: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupView {
    /// The number of the group, which options name.
    pub(crate) group: u64,
    #[schema(required = true)]
    pub(crate) title: Option<String>,
    #[schema(no_recursion)]
    pub(crate) items: Vec<ItemView>,
}

/// Dice that a script rolled.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiceView {
    pub(crate) path: String,
    pub(crate) dice: String,
    pub(crate) values: Vec<Value>,
    pub(crate) status: DiceStatus,
    /// Which of them are new, if only some are.
    #[schema(required = false)]
    pub(crate) new_dice: Vec<u64>,
    pub(crate) total: Value,
    pub(crate) shown: String,
    /// Where it is written in the script, in bytes.
    pub(crate) place: Vec<u64>,
    /// Each die: where it fell, its kind such as `d6`, and its place among those.
    #[schema(value_type = Vec<Vec<Value>>)]
    pub(crate) each: Vec<(String, String, u64)>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) enum DiceStatus {
    #[serde(rename = "new")]
    New,
    #[serde(rename = "kept")]
    Kept,
    #[serde(rename = "partly new")]
    Partly,
}

/// A decision of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OptionView {
    pub(crate) path: String,
    #[schema(required = false)]
    pub(crate) kind: String,
    pub(crate) prompt: String,
    /// The character whose decision it is, and its object.
    #[schema(required = true)]
    pub(crate) owner: Option<String>,
    #[schema(required = true)]
    pub(crate) owner_id: Option<String>,
    pub(crate) value: Value,
    pub(crate) default: Value,
    #[schema(required = false)]
    pub(crate) choices: Vec<String>,
    /// The smallest and the largest number that may be chosen.
    #[schema(required = false)]
    pub(crate) low: i64,
    #[schema(required = false)]
    pub(crate) high: i64,
    /// The group where it was met.
    #[schema(required = true)]
    pub(crate) group: Option<u64>,
    pub(crate) line: u64,
    /// An answer that was given before and fits no longer, and what was asked then.
    #[schema(required = false)]
    pub(crate) unfit: Value,
    #[schema(required = false)]
    pub(crate) asked: String,
    pub(crate) place: Vec<u64>,
}

/// A change of a sheet that a roll proposes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProposedView {
    #[schema(required = true)]
    pub(crate) owner: Option<String>,
    #[schema(required = true)]
    pub(crate) owner_id: Option<String>,
    pub(crate) field: String,
    pub(crate) amount: i64,
}

/// Something to say about an expression or a script: what, where, and what to write instead.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NoteView {
    /// Whether it is an error.
    #[schema(required = false)]
    pub(crate) level: NoteLevel,
    pub(crate) code: String,
    pub(crate) message: String,
    /// Its place, in bytes.
    #[schema(required = false)]
    pub(crate) start: u64,
    #[schema(required = false)]
    pub(crate) end: u64,
    pub(crate) hint: Option<String>,
    /// What to change in the text.
    #[schema(required = false)]
    pub(crate) edits: Vec<ReplaceView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoteLevel {
    Error,
    Warning,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReplaceView {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) text: String,
}

/// What a script offers: its types as JSON Schema, and its rolls.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OfferView {
    pub(crate) version: String,
    #[serde(rename = "$defs")]
    pub(crate) defs: BTreeMap<String, TypeView>,
    pub(crate) rolls: Vec<EntryView>,
}

/// A roll of a script.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntryView {
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) arguments: TypeView,
    #[schema(required = true)]
    pub(crate) result: Option<TypeView>,
}

/// A type of a script, as JSON Schema.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TypeView {
    #[schema(required = false)]
    pub(crate) title: String,
    #[schema(required = false)]
    pub(crate) description: String,
    #[serde(rename = "type")]
    #[schema(required = false)]
    pub(crate) kind: TypeName,
    /// `dice` for a text that is an expression.
    #[schema(required = false)]
    pub(crate) format: String,
    #[serde(rename = "enum")]
    #[schema(required = false)]
    pub(crate) names: Vec<String>,
    #[schema(required = false, no_recursion)]
    pub(crate) items: Box<TypeView>,
    #[schema(required = false, no_recursion)]
    pub(crate) properties: BTreeMap<String, TypeView>,
    #[schema(required = false)]
    pub(crate) default: Value,
    #[serde(rename = "$ref")]
    #[schema(required = false)]
    pub(crate) reference: String,
    /// The names of the properties as the script lists them.
    #[serde(rename = "x-order")]
    #[schema(required = false)]
    pub(crate) order: Vec<String>,
    /// What the members of an enum mean.
    #[serde(rename = "x-docs")]
    #[schema(required = false)]
    pub(crate) docs: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TypeName {
    Integer,
    Boolean,
    String,
    Array,
    Object,
}
