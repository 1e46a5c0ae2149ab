//! Who sits at a table, and what each may see.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody is at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub(crate) enum Role {
    #[serde(rename = "spectator")]
    Spectator,
    #[serde(rename = "player")]
    Player,
    #[serde(rename = "game_master")]
    Master,
}

impl Role {
    /// The name on the wire and in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Spectator => "spectator",
            Role::Player => "player",
            Role::Master => "game_master",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Role> {
        [Role::Spectator, Role::Player, Role::Master].into_iter().find(|role| role.name() == name)
    }
}

/// Somebody who looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Viewer {
    pub(crate) member: String,
    pub(crate) role: Role,
}

/// Who may see the inside of a roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    /// Everyone at the table.
    #[default]
    Everyone,
    /// The game master and whoever rolled.
    Master,
    /// The game master only, not even whoever rolled.
    Blind,
    /// Whoever rolled, and nobody else.
    Own,
}

impl Visibility {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Visibility::Everyone => "everyone",
            Visibility::Master => "master",
            Visibility::Blind => "blind",
            Visibility::Own => "own",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Visibility> {
        let all = [Visibility::Everyone, Visibility::Master, Visibility::Blind, Visibility::Own];
        all.into_iter().find(|one| one.name() == name)
    }
}
