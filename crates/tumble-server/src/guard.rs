//! What happens to every request on its way in and out.
//!
//! ```text
//! in:   is it for us (Host)?  who asks (Client)?
//! out:  headers that browsers obey, one line in the log, one count
//! ```
//!
//! The log names the route and never the path, the query or the body: there may be tokens and secrets in them.

use crate::app::Shared;
use crate::net::Client;
use crate::problem::Problem;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::time::Instant;

/// The headers of every answer that does not have them already.
const HEADERS: &[(HeaderName, &str)] = &[
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// The middleware around all routes.
pub(crate) async fn guard(
    State(app): State<Shared>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    matched: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let route = matched.as_ref().map_or("none", MatchedPath::as_str).to_owned();
    let mut response = if app.names.has(host(&request)) {
        let client = Client::behind(peer.ip(), request.headers(), &app.config.trusted_proxies);
        request.extensions_mut().insert(client);
        next.run(request).await
    } else {
        let problem =
            Problem::new(StatusCode::MISDIRECTED_REQUEST, "host", "this server does not go by this host name");
        problem.hint("to use this name, start the server with `--public-url`").into_response()
    };
    dressed(response.headers_mut());
    let status = response.status().as_u16();
    metrics::counter!("tumble_requests_total", "route" => route.clone(), "status" => status.to_string()).increment(1);
    metrics::histogram!("tumble_request_seconds", "route" => route.clone()).record(start.elapsed());
    tracing::info!(%method, route, status, micros = start.elapsed().as_micros() as u64, "request");
    response
}

/// The name we were asked by; HTTP/1.1 has it in a header, an absolute address in the first line.
fn host(request: &Request) -> &str {
    let header = request.headers().get(header::HOST).and_then(|value| value.to_str().ok());
    header.or_else(|| request.uri().authority().map(|authority| authority.as_str())).unwrap_or_default()
}

fn dressed(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        if !headers.contains_key(name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}
