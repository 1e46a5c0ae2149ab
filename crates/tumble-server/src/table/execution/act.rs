//! What is done with an execution afterwards: answers, single dice, its end, its visibility, its changes.
//!
//! Answers are applied one after the other: each is evaluated on the version that it was given for, with the table's turn.

use super::model::{Execution, find};
use super::play::{Play, Played, by_hand, merged};
use crate::app::Shared;
use crate::body::Body;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::now;
use crate::table::key::{Key, Keyed};
use crate::table::role::{Role, Visibility};
use crate::table::seat::Seat;
use crate::table::tables::{self, read};
use crate::table::view::{AnswerView, ChangeView, ExecutionView, Kind, Right};
use crate::table::{object, script};
use axum::Json as Sent;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use tumble::script::Edit;
use utoipa::ToSchema;

/// A roll at a table
#[utoipa::path(get, operation_id = "execution", path = "/api/v1/tables/{table}/executions/{number}", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path)),
    responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn one(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
) -> Result<Sent<ExecutionView>, Problem> {
    Ok(Sent(find(&app.tables.store.read, &seat.table, number).await?.view(&seat.viewer())))
}

/// An answer to an option.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAnswer {
    /// The path of the option.
    path: String,
    /// True or false, a number, or an array of positions.
    value: Json,
    /// The version of the roll that you saw; if it has changed since, nothing is answered.
    version: Option<i64>,
    /// Dice that you rolled by hand for what the answer leads to.
    #[serde(default)]
    dice: Vec<i64>,
}

/// Answer an option
#[utoipa::path(post, path = "/api/v1/tables/{table}/executions/{number}/answers", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path), ("Idempotency-Key" = String, Header)),
    request_body = NewAnswer, responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn answer(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
    key: Key,
    Body(body): Body,
) -> Result<Sent<Json>, Problem> {
    seat.at_least(Role::Player)?;
    let asked: NewAnswer = read(&body)?;
    let keyed = Keyed::new(&seat, &key, &format!("answer {number}"), &body);
    change(&app, &seat, number, &keyed, Change::Answer(asked)).await
}

/// Something that is done with one die.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the library reads it")]
pub(crate) struct DieEdit {
    /// `reroll`, `undo`, or `set` with a value.
    #[serde(rename = "do")]
    what: String,
    path: String,
    /// What kind of die: `d6`, `-1..1`.
    die: String,
    index: u64,
    value: Option<i64>,
}

/// Roll one die again, take that back, or set it
#[utoipa::path(post, path = "/api/v1/tables/{table}/executions/{number}/dice", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path), ("Idempotency-Key" = String, Header)),
    request_body = DieEdit, responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn die(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
    key: Key,
    Body(body): Body,
) -> Result<Sent<Json>, Problem> {
    seat.at_least(Role::Player)?;
    read::<DieEdit>(&body)?;
    let edit = tumble::script::edit(&Json::Object(body.clone())).map_err(|error| Problem::from(&error))?;
    let keyed = Keyed::new(&seat, &key, &format!("die {number}"), &body);
    change(&app, &seat, number, &keyed, Change::Die(edit)).await
}

/// What is to be changed.
enum Change {
    Answer(NewAnswer),
    Die(Edit),
}

async fn change(app: &Shared, seat: &Seat, number: i64, keyed: &Keyed, what: Change) -> Result<Sent<Json>, Problem> {
    let tables = &app.tables;
    let _turn = tables.turn(&seat.table).await;
    if let Some(answer) = keyed.before(&tables.store.read).await? {
        return Ok(Sent(answer));
    }
    let mut execution = seen(app, seat, number).await?;
    let settings = tables::find(&tables.store.read, &seat.table).await?.view.settings;
    let mut play = Play::of(&execution, script::text_of(&tables.store.read, &execution).await?);
    match &what {
        Change::Answer(answer) => {
            may_answer(seat, &execution, answer, settings.take_back)?;
            let prompt = prompt(&execution, &answer.path)?;
            let given =
                AnswerView { value: answer.value.clone(), prompt: prompt.clone(), by: seat.member.clone(), at: now() };
            execution.answers.insert(answer.path.clone(), given);
            play.answers.insert(answer.path.clone(), answer.value.clone());
            play.asked.insert(answer.path.clone(), prompt);
            play.feed.clone_from(&answer.dice);
            if !answer.dice.is_empty() && !settings.typed_dice {
                seat.at_least(Role::Master)?;
            }
        }
        Change::Die(edit) => {
            let own = settings.reroll == Right::Owner && execution.member == seat.member;
            if !own {
                seat.at_least(Role::Master)?;
            }
            play.edits.push(edit.clone());
        }
    }
    open(&execution)?;
    let played = tables.work.run(seat.member.clone(), move |limits| play.play(limits)).await??;
    later(app, &mut execution, played).await?;
    let mut transaction = tables.store.begin(&seat.table).await?;
    if !execution.update(&mut transaction).await? {
        return Err(stale());
    }
    let answer = json!(execution.view(&seat.viewer()));
    if !keyed.keep(&mut transaction, &answer).await? {
        return Err(stale());
    }
    tables.commit(&seat.table, transaction, &execution.event(false)).await?;
    Ok(Sent(answer))
}

/// The execution with what came of it now, and with what it was before.
async fn later(app: &Shared, execution: &mut Execution, played: Played) -> Result<(), Problem> {
    let owners =
        object::owners_of(&app.tables.store.read, &execution.table, &execution.member, &played.outcome).await?;
    execution.fed += played.fed;
    let before = std::mem::replace(&mut execution.shown.outcome, played.outcome);
    execution.shown.before = Some(before);
    execution.shown.owners = owners;
    execution.shown.answers = execution.answers.clone();
    execution.shown.typed = by_hand(&played.edited) + execution.fed;
    execution.shown.edited = played.edited;
    execution.shown.changes = merged(played.changes, &execution.applied);
    execution.dice = played.dice;
    Ok(())
}

/// An execution that somebody may see the inside of; to others it is as if there were nothing to do with it.
pub(super) async fn seen(app: &Shared, seat: &Seat, number: i64) -> Result<Execution, Problem> {
    let execution = find(&app.tables.store.read, &seat.table, number).await?;
    if execution.audience().has(&seat.viewer()) {
        return Ok(execution);
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "this roll is hidden from you"))
}

fn open(execution: &Execution) -> Result<(), Problem> {
    if execution.closed {
        return Err(Problem::new(StatusCode::CONFLICT, "conflict", "this roll is closed"));
    }
    Ok(())
}

pub(super) fn stale() -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "the roll has changed meanwhile; look again and then answer")
}

/// An option that is there now.
pub(super) fn option<'e>(execution: &'e Execution, path: &str) -> Result<&'e Map<String, Json>, Problem> {
    let options = execution.shown.outcome.get("options").and_then(Json::as_array);
    let found = options.into_iter().flatten().filter_map(Json::as_object);
    let mut found = found.filter(|option| option.get("path").and_then(Json::as_str) == Some(path));
    found.next().ok_or_else(|| Problem::new(StatusCode::CONFLICT, "conflict", "this option is not there any more"))
}

fn prompt(execution: &Execution, path: &str) -> Result<String, Problem> {
    Ok(option(execution, path)?.get("prompt").and_then(Json::as_str).unwrap_or_default().to_owned())
}

/// Whether somebody may give this answer now.
fn may_answer(seat: &Seat, execution: &Execution, answer: &NewAnswer, take_back: Right) -> Result<(), Problem> {
    open(execution)?;
    if answer.version.is_some_and(|version| version != execution.version) {
        return Err(stale());
    }
    let option = option(execution, &answer.path)?;
    let forbidden = |detail: &str| Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", detail));
    if seat.is_master() {
        return Ok(());
    }
    if execution.shown.owners.get(&answer.path).is_none_or(|owner| *owner != seat.member) {
        return forbidden("this is somebody else's decision");
    }
    // An answer that changed nothing showed no new dice, so to give another one is not to take it back.
    let default = option.get("default").unwrap_or(&Json::Null);
    let taken =
        execution.answers.get(&answer.path).is_some_and(|old| old.value != *default && old.value != answer.value);
    if taken && take_back == Right::GameMaster {
        return forbidden("only the game master can take back an answer whose dice were seen");
    }
    Ok(())
}

/// Close a roll: nothing can change any more
#[utoipa::path(post, path = "/api/v1/tables/{table}/executions/{number}/close", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path)),
    responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn close(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
) -> Result<Sent<ExecutionView>, Problem> {
    let _turn = app.tables.turn(&seat.table).await;
    let mut execution = seen(&app, &seat, number).await?;
    if execution.member != seat.member {
        seat.at_least(Role::Master)?;
    }
    open(&execution)?;
    execution.closed = true;
    written(&app, &seat, execution, true).await
}

/// Who may see it from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reveal {
    visibility: Visibility,
}

/// Show a hidden roll to more people
#[utoipa::path(post, path = "/api/v1/tables/{table}/executions/{number}/reveal", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path)), request_body = Reveal,
    responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn reveal(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
    Body(body): Body,
) -> Result<Sent<ExecutionView>, Problem> {
    let asked: Reveal = read(&body)?;
    let _turn = app.tables.turn(&seat.table).await;
    let mut execution = seen(&app, &seat, number).await?;
    if execution.member != seat.member {
        seat.at_least(Role::Master)?;
    }
    let wider = match (execution.visibility, asked.visibility) {
        (from, to) if from == to => true,
        (Visibility::Own | Visibility::Blind, Visibility::Master | Visibility::Everyone) => true,
        (Visibility::Master, Visibility::Everyone) => true,
        _ => false,
    };
    if !wider {
        let detail = "a roll can be shown to more people, but not hidden from those who have seen it";
        return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail));
    }
    execution.visibility = asked.visibility;
    written(&app, &seat, execution, true).await
}

async fn written(
    app: &Shared,
    seat: &Seat,
    mut execution: Execution,
    public: bool,
) -> Result<Sent<ExecutionView>, Problem> {
    let mut transaction = app.tables.store.begin(&seat.table).await?;
    if !execution.update(&mut transaction).await? {
        return Err(stale());
    }
    let view = execution.view(&seat.viewer());
    app.tables.commit(&seat.table, transaction, &execution.event(public)).await?;
    Ok(Sent(view))
}

/// Which of the changes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Apply {
    /// Its position in `changes`.
    index: usize,
}

/// Apply a change that a roll proposes to the sheet of its object
#[utoipa::path(post, path = "/api/v1/tables/{table}/executions/{number}/changes", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path), ("Idempotency-Key" = String, Header)), request_body = Apply,
    responses((status = 200, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn apply(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
    key: Key,
    Body(body): Body,
) -> Result<Sent<Json>, Problem> {
    seat.at_least(Role::Player)?;
    let asked: Apply = read(&body)?;
    let keyed = Keyed::new(&seat, &key, &format!("apply {number}"), &body);
    let _turn = app.tables.turn(&seat.table).await;
    if let Some(answer) = keyed.before(&app.tables.store.read).await? {
        return Ok(Sent(answer));
    }
    let mut execution = seen(&app, &seat, number).await?;
    let conflict = |detail: &str| Problem::new(StatusCode::CONFLICT, "conflict", detail);
    let change = execution.shown.changes.get(asked.index).cloned();
    let change = change.ok_or_else(|| conflict("this change is not there any more"))?;
    if change.applied {
        return Err(conflict("this change was applied already"));
    }
    let mut transaction = app.tables.store.begin(&seat.table).await?;
    let object = object::changed(&mut transaction, &seat, &change).await?;
    let done = ChangeView { applied: true, ..change };
    execution.applied.push(done.clone());
    execution.shown.changes[asked.index] = done;
    if !execution.update(&mut transaction).await? {
        return Err(stale());
    }
    let answer = json!(execution.view(&seat.viewer()));
    keyed.keep(&mut transaction, &answer).await?;
    let event = object::applied_event(&execution, &object);
    app.tables.commit(&seat.table, transaction, &event).await?;
    Ok(Sent(answer))
}

/// Whether an execution is one of the script.
pub(super) fn of_script(execution: &Execution) -> Result<(), Problem> {
    match execution.subject.kind {
        Kind::Script => Ok(()),
        Kind::Roll => Err(Problem::request("only a roll of the script has options")),
    }
}
