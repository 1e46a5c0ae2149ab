//! Executions: rolls of an expression or of the script, with their dice and answers.
//!
//! ```text
//! start ─▶ play (on a worker, with the table's turn) ─▶ Execution ─▶ store, event
//! answer, die, close, reveal ─▶ play again ─▶ the same, one version later
//! ```
//!
//! Arguments are a snapshot. Dice are known by where they fell, so only what changed is rolled anew; each is a keyed
//! function of the execution's own seed and of the key of the request that started it.

mod act;
mod model;
mod play;
mod start;
mod worth;

pub(crate) use model::{Execution, add_seed, latest, latest_of};

use crate::app::Shared;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(start::roll))
        .routes(routes!(start::run))
        .routes(routes!(act::one))
        .routes(routes!(act::answer))
        .routes(routes!(act::die))
        .routes(routes!(act::close))
        .routes(routes!(act::reveal))
        .routes(routes!(act::apply))
        .routes(routes!(worth::worth))
}
