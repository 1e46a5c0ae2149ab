//! What clients are shown of a table. These are the shapes of the API; the store keeps its own.

#![allow(dead_code, reason = "some are only described")]

use super::role::{Role, Visibility};
use crate::api::outcome::{NoteView, OfferView, OutcomeView};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// How a table is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TableSettings {
    /// Who may take an answer back after its dice were seen: `game_master`, or `owner` for free toggling.
    pub(crate) take_back: Right,
    /// Who may roll a single die again, or set it.
    pub(crate) reroll: Right,
    /// Whether players may type in the dice that they rolled by hand.
    pub(crate) typed_dice: bool,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings { take_back: Right::GameMaster, reroll: Right::GameMaster, typed_dice: true }
    }
}

/// Who may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Right {
    GameMaster,
    Owner,
}

/// A table, in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) settings: TableSettings,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created: i64,
    /// The number of the current script; 0 if there is none.
    pub(crate) script: i64,
}

/// A table that somebody has a seat at.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SeatView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) member: String,
    pub(crate) touched: i64,
}

/// Somebody who sits or sat at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MemberView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Whether it is a bot.
    pub(crate) bot: bool,
    /// Whether they have left.
    pub(crate) gone: bool,
}

/// Everything that a page needs to begin with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableState {
    pub(crate) table: TableView,
    /// Who asks.
    pub(crate) you: MemberView,
    pub(crate) members: Vec<MemberView>,
    /// The members who have the table open.
    pub(crate) online: Vec<String>,
    pub(crate) objects: Vec<ObjectView>,
    pub(crate) saved: Vec<SavedView>,
    /// The latest rolls, newest first.
    pub(crate) executions: Vec<ExecutionView>,
    /// Events after this one are news.
    pub(crate) last_event: i64,
}

/// A character, a monster, or whatever else the script has a type for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ObjectView {
    pub(crate) id: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The member it belongs to; empty for the game master's.
    pub(crate) owner: String,
    /// `everyone`, or `master` for owner and game master.
    pub(crate) visibility: Visibility,
    #[schema(value_type = Object)]
    pub(crate) data: Json,
    /// What the current script has no field for.
    #[schema(value_type = Object)]
    pub(crate) leftover: Json,
    /// Grows with every change.
    pub(crate) version: i64,
    pub(crate) deleted: bool,
}

/// A roll with a name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SavedView {
    pub(crate) id: String,
    /// The member who saved it.
    pub(crate) owner: String,
    /// Whether everyone at the table has it.
    pub(crate) shared: bool,
    pub(crate) name: String,
    pub(crate) notation: String,
    pub(crate) text: String,
    /// Values that are asked for when it is rolled: names such as `str` in `d20 + @str`.
    pub(crate) params: Vec<SavedParam>,
    pub(crate) deleted: bool,
}

/// A value of a saved roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedParam {
    pub(crate) name: String,
    pub(crate) default: i64,
}

/// What an execution is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// An expression.
    Roll,
    /// A roll of the script.
    Script,
}

/// A roll at a table. To those who may not see it, `hidden` is true and only who, when and for whom is there.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ExecutionView {
    /// Counts from 1, without gaps.
    pub(crate) number: i64,
    /// The member who rolled.
    pub(crate) member: String,
    pub(crate) visibility: Visibility,
    /// Whether it is closed: nothing can change any more.
    pub(crate) closed: bool,
    /// Grows with every answer and every die that is rolled again.
    pub(crate) version: i64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shown: Option<Shown>,
}

/// The inside of an execution.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Shown {
    pub(crate) kind: Kind,
    /// What somebody wrote beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// The title of a roll of the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// The expression, its notation and its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notation: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) vars: BTreeMap<String, i64>,
    /// The number of the script, its roll, and the objects that were picked for its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) script: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) picked: BTreeMap<String, String>,
    /// How many dice were typed in or set by hand.
    pub(crate) typed: u64,
    /// What `batch` answers to a roll or a run: `value`, `line`, `draws`, or `result`, `tree`, `rolls`, `options`.
    #[schema(value_type = OutcomeView)]
    pub(crate) outcome: Json,
    /// The outcome before the last answer or die, for a view of before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OutcomeView>)]
    pub(crate) before: Option<Json>,
    /// Dice that were rolled again or set since they fell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) edited: Vec<EditedView>,
    /// Who may answer each option that is open, by its path: a member, or empty for the game master.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) owners: BTreeMap<String, String>,
    /// What was answered, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<String, AnswerView>,
    /// Changes that the roll proposes for objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<ChangeView>,
}

/// A die that was rolled again or set since it fell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct EditedView {
    pub(crate) path: String,
    /// What kind of die: `d6`, `-1..1`.
    pub(crate) die: String,
    pub(crate) index: u64,
    /// Whether it shows what somebody set.
    pub(crate) by_hand: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct AnswerView {
    pub(crate) value: Json,
    /// What was asked.
    pub(crate) prompt: String,
    /// The member who answered, and when.
    pub(crate) by: String,
    pub(crate) at: i64,
}

/// A change of a number on a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ChangeView {
    /// The object; empty if the roll was not made with a stored one.
    pub(crate) object: String,
    pub(crate) owner: Option<String>,
    pub(crate) field: String,
    pub(crate) amount: i64,
    /// Whether it was applied to the sheet.
    pub(crate) applied: bool,
    /// Whether it was applied and the roll no longer asks for it.
    pub(crate) stale: bool,
}

/// A script and its versions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ScriptView {
    /// 0 if there is none yet.
    pub(crate) number: i64,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) created: i64,
    /// Its types and rolls.
    #[schema(value_type = OfferView)]
    pub(crate) schema: Json,
    #[schema(value_type = Vec<NoteView>)]
    pub(crate) problems: Vec<Json>,
    /// All versions, newest first.
    pub(crate) versions: Vec<VersionView>,
}

/// A version of a script.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct VersionView {
    pub(crate) number: i64,
    pub(crate) author: String,
    pub(crate) created: i64,
}

/// The data of an event. Others than these may come, and mean nothing to a page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "it is only described")]
pub(crate) enum TableEvent {
    Execution {
        execution: ExecutionView,
    },
    /// With `members`, these changed together.
    Member {
        member: MemberView,
        members: Option<Vec<MemberView>>,
    },
    /// `gone` is one that you may not see any more.
    Object {
        object: Option<ObjectView>,
        gone: Option<String>,
    },
    Saved {
        saved: Option<SavedView>,
        gone: Option<String>,
    },
    Script {
        number: i64,
        author: String,
    },
    /// `deleted` when there is no table any more.
    Table {
        table: Option<TableView>,
        deleted: Option<bool>,
    },
    Presence {
        online: Vec<String>,
    },
    Pack {
        pack: String,
    },
}
