//! Rule packs: a script and saved rolls to begin with, or to go on with. A pack is copied into a table, which may change it.

use super::saved::{self, NewSaved};
use super::script;
use super::view::SavedParam;
use crate::app::Shared;
use crate::problem::{Problem, Problems};
use crate::store::Event;
use axum::Json as Sent;
use axum::extract::State;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A pack.
pub(crate) struct Pack {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Empty if it has none.
    pub(crate) script: &'static str,
    rolls: &'static [PackRoll],
}

/// A saved roll of a pack: its name, its expression, and its values with their defaults.
type PackRoll = (&'static str, &'static str, &'static [(&'static str, i64)]);

/// All packs.
const PACKS: &[Pack] = &[
    Pack {
        name: "plain",
        title: "Plain dice",
        about: "No rules, only dice.",
        script: "",
        rolls: &[
            ("d20", "d20", &[]),
            ("Two dice", "2d6", &[]),
            ("Percent", "d100", &[]),
            ("Check", "d20 + @bonus", &[("bonus", 0)]),
        ],
    },
    Pack {
        name: "dnd",
        title: "D&D",
        about: "Checks, attacks with advantage, damage and criticals, with characters.",
        script: include_str!("../../../../examples/scripts/dnd5e.tumble"),
        rolls: &[
            ("Check", "d20 + @bonus", &[("bonus", 0)]),
            ("Advantage", "d20 adv + @bonus", &[("bonus", 0)]),
            ("Disadvantage", "d20 dis + @bonus", &[("bonus", 0)]),
            ("Ability score", "4d6kh3", &[]),
        ],
    },
    Pack {
        name: "full-attack",
        title: "Full attack",
        about: "The full attack of Hilton's document: rerolls for the attacker, forced ones for the target.",
        script: include_str!("../../../../examples/scripts/fullattack.tumble"),
        rolls: &[("Check", "d20 + @bonus", &[("bonus", 0)])],
    },
    Pack {
        name: "blades",
        title: "Blades in the Dark",
        about: "Action rolls with position and effect, resistance and pushing yourself.",
        script: include_str!("../../../../examples/scripts/blades.tumble"),
        rolls: &[("Fortune", "(@dice)d6kh1", &[("dice", 2)])],
    },
    Pack {
        name: "savage",
        title: "Savage Worlds",
        about: "Trait rolls with the wild die, aces, and bennies to spend.",
        script: include_str!("../../../../examples/scripts/savage.tumble"),
        rolls: &[("Trait d8", "{d8!, d6!}kh1", &[]), ("Damage", "2d6!", &[])],
    },
];

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A pack, in words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PackView {
    name: &'static str,
    title: &'static str,
    about: &'static str,
}

/// The rule packs that a table can begin with
#[utoipa::path(get, path = "/api/v1/packs", tag = "scripts at a table",
    responses((status = 200, body = Vec<PackView>), Problems))]
async fn list(State(_): State<Shared>) -> Sent<Vec<PackView>> {
    Sent(PACKS.iter().map(|pack| PackView { name: pack.name, title: pack.title, about: pack.about }).collect())
}

/// A pack by its name.
pub(crate) fn named(name: &str) -> Result<&'static Pack, Problem> {
    let names: Vec<&str> = PACKS.iter().map(|pack| pack.name).collect();
    let found = PACKS.iter().find(|pack| pack.name == name);
    found.ok_or_else(|| {
        Problem::request(format!("there is no rule pack `{name}`")).hint(format!("there are {}", names.join(", ")))
    })
}

impl Pack {
    fn rolls(&self) -> Vec<NewSaved> {
        let param = |(name, default): &(&str, i64)| SavedParam { name: (*name).to_owned(), default: *default };
        let roll = |(name, text, params): &PackRoll| NewSaved {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
            notation: None,
            params: params.iter().map(param).collect(),
            shared: true,
        };
        self.rolls.iter().map(roll).collect()
    }
}

/// Copies a pack into a table that is new.
pub(crate) async fn lay(app: &Shared, table: &str, member: &str, pack: &Pack) -> Result<(), Problem> {
    if !pack.script.is_empty() {
        script::store(app, table, member, pack.script).await?;
    }
    lay_rolls(app, table, member, pack).await
}

/// Copies the saved rolls of a pack into a table, as far as it has none like them.
pub(crate) async fn lay_rolls(app: &Shared, table: &str, member: &str, pack: &Pack) -> Result<(), Problem> {
    let mut change = app.tables.store.begin(table).await?;
    saved::lay(&mut change, table, member, &pack.rolls()).await?;
    let event = Event::public("pack", &json!({ "pack": pack.name }));
    app.tables.commit(table, change, &event).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::script::Script;

    #[test]
    fn packs_are_sound() {
        for pack in PACKS {
            assert!(Script::read(pack.script, true).is_sound(), "{}", pack.name);
            for roll in pack.rolls() {
                let vars = roll.params.iter().map(|param| (param.name.clone(), param.default)).collect();
                assert!(tumble::compile("tabletop", &roll.text, &vars).is_ok(), "{}: {}", pack.name, roll.text);
            }
        }
    }
}
