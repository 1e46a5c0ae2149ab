//! Charts by their address, for a wiki, a forum or a chat: `/odds.svg?text=4d6kh3`, `/odds.png?text=…&notation=…`.
//!
//! The odds of an expression never change, so the address and the version of the program are all there is to the ETag.

use crate::api::shape;
use crate::app::{App, Shared};
use crate::link::Link;
use crate::net::Client;
use crate::page::{hex, is_known};
use crate::problem::{Problem, Problems};
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::time::Instant;
use tumble::Limits;
use tumble::render;
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
    #[param(schema_with = shape::notation)]
    pub(crate) notation: Option<String>,
    /// A name that the legend shows instead of the expression. `as` is the same.
    pub(crate) name: Option<String>,
    /// A value for a name in the expression: `str:3`.
    #[param(schema_with = shape::set)]
    pub(crate) set: Option<String>,
    /// What is shown.
    #[param(schema_with = shape::shows)]
    pub(crate) show: Option<String>,
    /// The colours.
    #[param(schema_with = shape::themes)]
    pub(crate) theme: Option<String>,
    /// The title of the picture.
    pub(crate) title: Option<String>,
    /// Its width, or its width and height: `800`, `800x400`.
    #[param(schema_with = shape::sides)]
    pub(crate) size: Option<String>,
}

/// The chart of some odds, as SVG
#[utoipa::path(get, path = "/odds.svg", tag = "pictures", params(ChartQuery), responses(
    (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
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
    (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
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
    if let Some(wrong) = link.wrong {
        return Err(Problem::request(wrong));
    }
    let digest = Sha256::digest(format!("{name} {} {query}", env!("CARGO_PKG_VERSION")));
    let etag = format!("\"{}\"", hex(&digest[..12]));
    let kept = [(header::ETAG, etag.clone()), (header::CACHE_CONTROL, "public, max-age=3600".to_owned())];
    if is_known(&etag, headers) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    app.rate.check(&client)?;
    let start = Instant::now();
    let picture = app.work.run(client, move |limits| drawn(&link, name, limits)).await?;
    metrics::histogram!("tumble_evaluation_seconds", "task" => name).record(start.elapsed());
    Ok((kept, [(header::CONTENT_TYPE, kind)], picture?).into_response())
}

fn drawn(link: &Link, name: &str, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let format = render::format(name).ok_or_else(Problem::bug)?;
    let series = link.series(limits).map_err(|error| Problem::from(&error))?;
    let picture = render::render(format, &series, &link.look()).map_err(|error| Problem::from(&error))?;
    if picture.len() > LARGEST {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", "the picture would be too large"));
    }
    Ok(picture)
}
