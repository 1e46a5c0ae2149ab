//! Errors over HTTP: problem details (RFC 9457) with the code, the place and the hint of a diagnostic.
//!
//! ```text
//! {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"`h` must come before the number",
//!  "code":"syntax","start":5,"end":6,"hint":"try `4d6kh3`"}
//! ```

use crate::work::Refused;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;
use tumble::{Code, Diagnostic};
use utoipa::{IntoResponses, ToSchema};

/// What went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    retry: Option<Duration>,
    fields: Map<String, Json>,
}

/// The fields of an error, for the description of the API.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// Always `about:blank`: the status and the code say what it is.
    #[serde(rename = "type")]
    pub(crate) kind_of_problem: String,
    /// The name of the status.
    pub(crate) title: String,
    /// The status.
    pub(crate) status: u16,
    /// What is wrong, in words for players.
    pub(crate) detail: String,
    /// What kind of error it is.
    pub(crate) code: ProblemCode,
    /// A name that the notation has for it.
    pub(crate) kind: Option<String>,
    /// Where it begins in the expression or program, in bytes.
    pub(crate) start: Option<u64>,
    /// Where it ends.
    pub(crate) end: Option<u64>,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

/// The kinds of errors.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, dead_code, reason = "described here: the codes of the library, and those of HTTP")]
pub(crate) enum ProblemCode {
    Syntax,
    Name,
    Type,
    Runtime,
    Limit,
    Endless,
    Request,
    Stopped,
    Mistake,
    NotFound,
    Method,
    Host,
    Rate,
    Busy,
    Forbidden,
    Unauthorized,
    Conflict,
    TooLarge,
    Server,
}

/// The errors that every route can answer with.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "they are only described")]
pub(crate) enum Problems {
    /// The request can't be read, or has a field that is unknown or has no effect.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemBody),
    /// The request did not arrive in time.
    #[response(status = 408, content_type = "application/problem+json")]
    Timeout(ProblemBody),
    /// The body is too long.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemBody),
    /// The body is not JSON.
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(ProblemBody),
    /// The request is for another host.
    #[response(status = 421, content_type = "application/problem+json")]
    Misdirected(ProblemBody),
    /// There is no answer: an error in the expression or program, or a limit.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(ProblemBody),
    /// Too many requests; `Retry-After` says when to try again.
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(ProblemBody),
    /// A bug in Tumble.
    #[response(status = 500, content_type = "application/problem+json")]
    Server(ProblemBody),
    /// Too busy; `Retry-After` says when to try again.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(ProblemBody),
}

/// The errors that every route of a table can answer with, besides.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "they are only described")]
pub(crate) enum TableProblems {
    /// No seat at this table: no cookie and no key.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemBody),
    /// A seat, but not the right to do this.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemBody),
    /// There is no such thing, or it is hidden.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemBody),
    /// Somebody was quicker, or it is too late.
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(ProblemBody),
    /// The disk of the server is full.
    #[response(status = 507, content_type = "application/problem+json")]
    Full(ProblemBody),
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Problem {
        let mut fields = Map::new();
        fields.insert("type".into(), json!("about:blank"));
        fields.insert("title".into(), json!(status.canonical_reason().unwrap_or("Error")));
        fields.insert("status".into(), json!(status.as_u16()));
        fields.insert("detail".into(), json!(detail.into()));
        fields.insert("code".into(), json!(code));
        Problem { status, retry: None, fields }
    }

    /// A request that makes no sense.
    pub(crate) fn request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "request", detail)
    }

    /// The same in so many bytes: what a run had shown before it failed may be long, and is left out then.
    pub(crate) fn within(mut self, most: usize) -> Problem {
        if Json::Object(self.fields.clone()).to_string().len() > most {
            let kept =
                ["type", "title", "status", "detail", "code", "kind", "start", "end", "hint", "note", "remedies"];
            self.fields.retain(|name, _| kept.contains(&name.as_str()));
        }
        self
    }

    /// Our own fault.
    pub(crate) fn bug() -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "this is a bug in Tumble; please report it")
    }

    /// Nothing is at this address.
    pub(crate) fn not_found() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", "nothing is at this address")
            .hint("/openapi.json lists all addresses of the API")
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.fields.insert("hint".into(), json!(hint.into()));
        self
    }

    /// One that may be gone after a while.
    pub(crate) fn retry(mut self, after: Duration) -> Problem {
        self.retry = Some(after);
        self
    }

    /// The error of an answer `{"ok":false,"error":{…},…}`, and whatever else is in it.
    pub(crate) fn of_answer(mut answer: Map<String, Json>) -> Problem {
        answer.shift_remove("ok");
        let error = match answer.shift_remove("error") {
            Some(Json::Object(error)) => error,
            _ => Map::new(),
        };
        let text = |name: &str| error.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let code = text("code");
        let mut problem = Problem::new(status(Code::named(&code)), &code, text("message"));
        let more = error.into_iter().filter(|(name, _)| name != "code" && name != "message");
        problem.fields.extend(more.chain(answer));
        if code == Code::Stopped.name() { Problem::from(Refused::Late) } else { problem }
    }

    /// The status, for the log.
    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }
}

fn status(code: Option<Code>) -> StatusCode {
    match code {
        Some(Code::Request) => StatusCode::BAD_REQUEST,
        Some(Code::Syntax | Code::Name | Code::Type | Code::Runtime | Code::Limit | Code::Endless) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Some(Code::Stopped) => StatusCode::SERVICE_UNAVAILABLE,
        Some(Code::Mistake) | None => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<&Diagnostic> for Problem {
    fn from(error: &Diagnostic) -> Problem {
        match tumble::render::json::error(error) {
            Json::Object(answer) => Problem::of_answer(answer),
            _ => Problem::bug(),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let busy = |code, detail: &str| Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
        match refused {
            Refused::Full => busy("busy", "too many requests are waiting").retry(Duration::from_secs(2)),
            Refused::Late => busy("stopped", "the server is too busy for this now")
                .hint("try again later, or ask for a smaller roll")
                .retry(Duration::from_secs(10)),
            Refused::Broken => Problem::bug(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Json::Object(self.fields).to_string();
        let mut response = (self.status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
        if let Some(after) = self.retry {
            let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_one_keeps_everything_it_has() {
        let answer = json!({ "ok": false, "error": { "code": "runtime", "message": "division by zero", "start": 3,
            "end": 4 }, "dice": { "r": {} } });
        let Json::Object(answer) = answer else { return };
        let problem = Problem::of_answer(answer);
        assert_eq!(problem.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(
            Json::Object(problem.fields),
            json!({ "type": "about:blank", "title": "Unprocessable Entity", "status": 422, "detail": "division by zero",
                "code": "runtime", "start": 3, "end": 4, "dice": { "r": {} } })
        );
    }

    #[test]
    fn a_long_answer_is_cut_to_its_error() {
        let long = json!({ "ok": false, "error": { "code": "limit", "message": "too many", "hint": "fewer" },
            "rolls": vec![0; 1000] });
        let Json::Object(long) = long else { return };
        let fields = Problem::of_answer(long.clone()).within(500).fields;
        assert_eq!((fields.contains_key("rolls"), &fields["hint"]), (false, &json!("fewer")));
        assert!(Problem::of_answer(long).within(5000).fields.contains_key("rolls"));
    }

    #[test]
    fn who_took_too_long_is_not_over_a_limit() {
        let Json::Object(answer) = json!({ "ok": false, "error": { "code": "stopped", "message": "" } }) else {
            return;
        };
        let response = Problem::of_answer(answer).into_response();
        assert_eq!((response.status().as_u16(), response.headers()["retry-after"].to_str().ok()), (503, Some("10")));
    }
}
