//! Charts by their address, for a wiki, a forum or a chat: `/odds.svg?text=4d6kh3`, `/odds.png?text=…&notation=…`.
//!
//! The odds of an expression never change, so the address and the version of the program are all there is to the ETag.

use crate::app::{App, Shared};
use crate::link::Link;
use crate::net::Client;
use crate::page::hex;
use crate::problem::{Problem, Problems};
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::time::Instant;
use tumble::Limits;
use tumble::render::{self, Format, Look, Series};
use utoipa::{IntoParams, ToSchema};

/// The largest picture, in bytes.
const LARGEST: usize = 4 << 20;

#[allow(dead_code, reason = "only described; `Link` reads the query, in which order matters")]
/// What is drawn: the query of `/odds.svg` and `/odds.png`.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChartQuery {
    /// The expression; several are compared. `roll` is the same.
    pub(crate) text: String,
    /// Its notation; `tabletop` by default. `in` is the same.
    pub(crate) notation: Option<String>,
    /// A name that the legend shows instead of the expression. `as` is the same.
    pub(crate) name: Option<String>,
    /// A value for a name in the expression: `str:3`.
    pub(crate) set: Option<String>,
    /// What is shown: `exactly`, `at-least` or `at-most`.
    pub(crate) show: Option<String>,
    /// The colours: `auto`, `light` or `dark`.
    pub(crate) theme: Option<String>,
    /// The title of the picture.
    pub(crate) title: Option<String>,
    /// Its width, or its width and height: `800`, `800x400`.
    pub(crate) size: Option<String>,
}

/// The chart of some odds, as SVG
#[utoipa::path(get, path = "/odds.svg", tag = "pictures", params(ChartQuery), responses(
    (status = 200, body = String, content_type = "image/svg+xml"),
    (status = 304, description = "The picture that the client has is still right"), Problems))]
pub(crate) async fn svg(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    chart(&app, client, &headers, query, "svg", "image/svg+xml").await
}

/// The chart of some odds, as PNG
#[utoipa::path(get, path = "/odds.png", tag = "pictures", params(ChartQuery), responses(
    (status = 200, body = Vec<u8>, content_type = "image/png"),
    (status = 304, description = "The picture that the client has is still right"), Problems))]
pub(crate) async fn png(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    chart(&app, client, &headers, query, "png", "image/png").await
}

async fn chart(
    app: &App,
    client: Client,
    headers: &HeaderMap,
    query: Option<String>,
    name: &'static str,
    kind: &'static str,
) -> Result<Response, Problem> {
    let query = query.unwrap_or_default();
    let link = Link::read(&query);
    if link.rolls.iter().all(|roll| roll.is_empty()) {
        return Err(Problem::request("missing `text`").hint("write the address like /odds.svg?text=4d6kh3"));
    }
    let digest = Sha256::digest(format!("{name} {} {query}", env!("CARGO_PKG_VERSION")));
    let etag = format!("\"{}\"", hex(&digest[..12]));
    let kept = [(header::ETAG, etag.clone()), (header::CACHE_CONTROL, "public, max-age=3600".to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == etag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    app.rate.check(&client)?;
    let start = Instant::now();
    let picture = app.work.run(client, move |limits| drawn(&link, name, limits)).await?;
    metrics::histogram!("tumble_evaluation_seconds", "task" => name).record(start.elapsed());
    Ok((kept, [(header::CONTENT_TYPE, kind)], picture?).into_response())
}

fn drawn(link: &Link, name: &str, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let format = render::format(name).ok_or_else(|| Problem::request(format!("unknown format `{name}`")))?;
    let series = link.series(limits).map_err(|error| Problem::from(&error))?;
    let picture = picture(format, &series, &link.look())?;
    if picture.len() > LARGEST {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", "the picture would be too large"));
    }
    Ok(picture)
}

fn picture(format: &Format, series: &[Series], look: &Look) -> Result<Vec<u8>, Problem> {
    render::render(format, series, look).map_err(|error| Problem::from(&error))
}
