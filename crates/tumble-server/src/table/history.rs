//! What happened at a table: page by page, as a file, and how lucky everybody was.
//!
//! Everything is told as whoever asks may see it.

use super::execution::{Execution, latest_of};
use super::members;
use super::seat::Seat;
use super::tables;
use super::view::{ExecutionView, MemberView};
use crate::app::Shared;
use crate::link::pairs;
use crate::problem::{Problem, Problems, TableProblems};
use axum::Json as Sent;
use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most rolls of one page, and how many are read at once for a file.
const PAGE: i64 = 100;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(page))
        .routes(routes!(luck))
        .routes(routes!(export_json))
        .routes(routes!(export_csv))
}

/// Earlier rolls, newest first
#[utoipa::path(get, path = "/api/v1/tables/{table}/executions", tag = "rolls at a table",
    params(("table" = String, Path), ("before" = Option<i64>, Query, description = "Only rolls with a smaller number"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100)),
    responses((status = 200, body = Vec<ExecutionView>), TableProblems, Problems))]
async fn page(
    State(app): State<Shared>,
    seat: Seat,
    RawQuery(query): RawQuery,
) -> Result<Sent<Vec<ExecutionView>>, Problem> {
    let query = query.unwrap_or_default();
    let number = |wanted: &str| {
        let found = pairs(&query).find(|(name, _)| name == wanted).map(|(_, value)| value.parse::<i64>());
        found.transpose().map_err(|_| Problem::request(format!("`{wanted}` must be a whole number")))
    };
    let (before, limit) = (number("before")?, number("limit")?.unwrap_or(50));
    if !(1..=PAGE).contains(&limit) {
        return Err(Problem::request(format!("`limit` must be between 1 and {PAGE}")));
    }
    let found = latest_of(&app.tables.store.read, &seat.table, before, limit).await?;
    Ok(Sent(found.iter().map(|one| one.view(&seat.viewer())).collect()))
}

/// All rolls of a table, oldest first, as somebody may see them.
async fn all(app: &Shared, seat: &Seat) -> Result<Vec<Execution>, Problem> {
    let (mut all, mut before) = (vec![], None);
    loop {
        let found = latest_of(&app.tables.store.read, &seat.table, before, PAGE).await?;
        before = found.last().map(|one| one.number);
        let last = found.len() < PAGE as usize;
        all.extend(found);
        if last {
            all.reverse();
            return Ok(all);
        }
    }
}

/// How the dice of a member fell.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Luck {
    member: String,
    /// How many dice, without those that were typed in or set by hand.
    dice: u64,
    /// The average place of a die among its faces, from 0 (the lowest) to 1 (the highest); fair dice average 1/2.
    average: Option<f64>,
    /// How many standard deviations that is from 1/2.
    deviations: Option<f64>,
}

/// How lucky everybody was, by the rolls that you may see
#[utoipa::path(get, path = "/api/v1/tables/{table}/luck", tag = "rolls at a table", params(("table" = String, Path)),
    responses((status = 200, body = Vec<Luck>), TableProblems, Problems))]
async fn luck(State(app): State<Shared>, seat: Seat) -> Result<Sent<Vec<Luck>>, Problem> {
    let viewer = seat.viewer();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for execution in all(&app, &seat).await?.iter().filter(|one| one.audience().has(&viewer) && one.shown.typed == 0) {
        tallies.entry(execution.member.clone()).or_default().add(execution);
    }
    Ok(Sent(tallies.into_iter().map(|(member, tally)| tally.luck(member)).collect()))
}

/// Dice, the sum of their places, and the variance of that sum.
#[derive(Default)]
struct Tally {
    dice: u64,
    places: f64,
    variance: f64,
}

impl Tally {
    fn add(&mut self, execution: &Execution) {
        let kinds = execution.dice.as_object().into_iter().flatten().filter(|(path, _)| !execution.forgot(path));
        for (kind, values) in kinds.filter_map(|(_, kinds)| kinds.as_object()).flatten() {
            for value in values.as_array().into_iter().flatten() {
                let now = value.get("now").unwrap_or(value).as_i64();
                if let (Some(face), Some((low, high))) = (now, faces(kind)) {
                    self.die(face, low, high);
                }
            }
        }
    }

    /// A die with n faces, each as likely: its place is uniform on 0, 1/(n-1), …, 1.
    fn die(&mut self, face: i64, low: i64, high: i64) {
        let last = (high - low) as f64;
        if last < 1.0 {
            return;
        }
        self.dice += 1;
        self.places += (face - low) as f64 / last;
        self.variance += (last + 2.0) / (12.0 * last);
    }

    fn luck(self, member: String) -> Luck {
        let n = self.dice as f64;
        let average = (self.dice > 0).then(|| self.places / n);
        let deviations = average.map(|average| (average - 0.5) * n / self.variance.sqrt());
        Luck { member, dice: self.dice, average, deviations }
    }
}

/// The faces of a kind of die: `d6`, `-1..1`; a pick has no order.
fn faces(kind: &str) -> Option<(i64, i64)> {
    match kind.strip_prefix('d') {
        Some(high) => Some((1, high.parse().ok()?)),
        None => {
            let (low, high) = kind.split_once("..")?;
            Some((low.parse().ok()?, high.parse().ok()?))
        }
    }
}

/// Everything at a table that you may see, as JSON
#[utoipa::path(get, path = "/api/v1/tables/{table}/export.json", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Object), TableProblems, Problems))]
async fn export_json(State(app): State<Shared>, seat: Seat) -> Result<Response, Problem> {
    let (pool, viewer) = (&app.tables.store.read, seat.viewer());
    let table = tables::find(pool, &seat.table).await?;
    let executions: Vec<ExecutionView> = all(&app, &seat).await?.iter().map(|one| one.view(&viewer)).collect();
    let export = json!({
        "tumble": 1,
        "table": table.view,
        "members": members::of_table(pool, &seat.table).await?,
        "objects": super::object::of_table(pool, &seat.table, &viewer).await?,
        "saved": super::saved::of_table(pool, &seat.table, &viewer).await?,
        "executions": executions,
    });
    let name = [(header::CONTENT_DISPOSITION, "attachment; filename=\"table.json\"")];
    Ok((name, Sent(export)).into_response())
}

/// Every roll at a table that you may see, for a spreadsheet
#[utoipa::path(get, path = "/api/v1/tables/{table}/export.csv", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), TableProblems, Problems))]
async fn export_csv(State(app): State<Shared>, seat: Seat) -> Result<Response, Problem> {
    let viewer = seat.viewer();
    let members = members::of_table(&app.tables.store.read, &seat.table).await?;
    let mut out = String::from("number,time,member,visibility,what,label,result,line\r\n");
    for execution in all(&app, &seat).await? {
        out.push_str(&row(&execution.view(&viewer), &members));
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"rolls.csv\""),
    ];
    Ok((headers, out).into_response())
}

fn row(execution: &ExecutionView, members: &[MemberView]) -> String {
    let who = members.iter().find(|member| member.id == execution.member).map_or("", |member| member.name.as_str());
    let shown = execution.shown.as_ref();
    let outcome = |name: &str| shown.and_then(|shown| shown.outcome.get(name));
    let result = match outcome("text").or_else(|| outcome("result")) {
        Some(Json::String(text)) => text.clone(),
        Some(Json::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    let what = shown.and_then(|shown| shown.text.as_deref().or(shown.title.as_deref())).unwrap_or_default();
    let label = shown.and_then(|shown| shown.label.as_deref()).unwrap_or_default();
    let line = outcome("line").and_then(Json::as_str).unwrap_or_default();
    let cells = [
        execution.number.to_string(),
        execution.created.to_string(),
        who.to_owned(),
        execution.visibility.name().to_owned(),
        what.to_owned(),
        label.to_owned(),
        result,
        line.to_owned(),
    ];
    format!("{}\r\n", cells.map(|text| cell(&text)).join(","))
}

/// A cell of a spreadsheet. One that begins like a formula would be run by some programs, so it gets a quote in front.
fn cell(text: &str) -> String {
    let number = text.parse::<i64>().is_ok();
    let formula = !number && text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) || formula { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        for (text, written) in [
            ("7", "7"),
            ("-3", "-3"),
            ("=1+1", "\"'=1+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("+cmd", "\"'+cmd\""),
            ("-cmd", "\"'-cmd\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("a,b", "\"a,b\""),
        ] {
            assert_eq!(cell(text), written);
        }
    }

    #[test]
    fn luck_is_where_dice_fall_among_their_faces() {
        let mut tally = Tally::default();
        for face in 1..=6 {
            tally.die(face, 1, 6);
        }
        let luck = tally.luck(String::new());
        assert_eq!((luck.dice, luck.average, luck.deviations), (6, Some(0.5), Some(0.0)));
        assert_eq!(faces("-1..1"), Some((-1, 1)));
        assert_eq!(faces("1 of 7"), None);
        let mut high = Tally::default();
        high.die(2, 1, 2);
        // One coin: the place is 0 or 1, and its standard deviation 1/2.
        assert_eq!(high.luck(String::new()).deviations, Some(1.0));
    }
}
