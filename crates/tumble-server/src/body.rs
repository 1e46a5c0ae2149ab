//! The body of a request: a JSON object that is not too long, not too deep, and there in time.

use crate::problem::Problem;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value as Json};
use std::time::Duration;

/// How long a client may take to send its body.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest body where a route allows no more.
pub(crate) const LONGEST: usize = 64 << 10;

/// A JSON object.
pub(crate) struct Body<const MOST: usize = LONGEST>(pub(crate) Map<String, Json>);

impl<S: Send + Sync, const MOST: usize> FromRequest<S> for Body<MOST> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "request", "the body must be JSON");
            return Err(problem.hint("send it with `Content-Type: application/json`"));
        }
        let bytes = read(request, MOST).await?;
        match serde_json::from_slice(&bytes) {
            Ok(Json::Object(fields)) => Ok(Body(fields)),
            Ok(_) => Err(Problem::request("the body must be a JSON object")),
            Err(error) => Err(Problem::request(format!("the body is not JSON: {error}"))),
        }
    }
}

async fn read(request: Request, most: usize) -> Result<Bytes, Problem> {
    let reading = Limited::new(request.into_body(), most).collect();
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let detail = format!("the body is longer than {} KB", most >> 10);
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail))
        }
        Ok(Err(_)) => Err(Problem::request("the body did not arrive")),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "request", "the body took too long to arrive")),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}
