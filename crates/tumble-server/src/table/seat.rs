//! Who asks: a browser by its cookie, or a bot by its key, and the seat that it has at the table.
//!
//! A browser sends its cookie with every request, also with one that another page makes for it. So a request that changes
//! something and has a cookie must come from a page of ours (`Origin`), and as JSON, which no form can send.

use super::role::{Role, Viewer};
use super::token::hash;
use crate::app::Shared;
use crate::home::origin;
use crate::problem::Problem;
use crate::store::no_table;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use sqlx::Row;
use std::collections::HashMap;

/// The name of the cookie; with HTTPS one that only this host can set.
fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-tumble" } else { "tumble" }
}

/// The secret that a request carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// From a browser.
    Cookie(String),
    /// From a bot.
    Key(String),
    None,
}

impl Token {
    fn read(headers: &HeaderMap, secure: bool) -> Token {
        let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if let Some(key) = authorization.and_then(|value| value.strip_prefix("Bearer ")) {
            return Token::Key(key.trim().to_owned());
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.find(|(name, _)| *name == cookie_name(secure)) {
            Some((_, value)) => Token::Cookie(value.to_owned()),
            None => Token::None,
        }
    }

    /// What is kept of it in the store.
    pub(crate) fn hash(&self) -> Option<String> {
        match self {
            Token::Cookie(secret) | Token::Key(secret) => Some(hash(secret)),
            Token::None => None,
        }
    }
}

/// A browser or bot, with or without seats.
pub(crate) struct Caller {
    pub(crate) token: Token,
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Caller, Problem> {
        let secure = app.config.public_url.as_ref().is_some_and(|url| url.is_secure());
        let token = Token::read(&parts.headers, secure);
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        // A browser that has no cookie yet gets one by joining, so it too must be on a page of ours.
        if !reads && !matches!(token, Token::Key(_)) {
            let given = parts.headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
            let own = origin(app, &parts.headers);
            if given.is_some_and(|given| given != own) || given.is_none() && token != Token::None {
                let problem = Problem::new(StatusCode::FORBIDDEN, "forbidden", "this request comes from another page");
                return Err(problem.hint("open the table at its own address; a bot uses a key instead of a cookie"));
            }
        }
        Ok(Caller { token })
    }
}

/// The header that gives a browser its secret.
pub(crate) fn set_cookie(app: &Shared, secret: &str) -> (header::HeaderName, String) {
    let secure = app.config.public_url.as_ref().is_some_and(|url| url.is_secure());
    let more = if secure { "; Secure" } else { "" };
    let name = cookie_name(secure);
    (header::SET_COOKIE, format!("{name}={secret}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax{more}"))
}

/// A seat at the table of the address.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) table: String,
    pub(crate) member: String,
    pub(crate) role: Role,
}

impl Seat {
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer { member: self.member.clone(), role: self.role }
    }

    /// Refuses who is less than that.
    pub(crate) fn at_least(&self, role: Role) -> Result<(), Problem> {
        if self.role >= role { Ok(()) } else { Err(may_not(role)) }
    }

    pub(crate) fn is_master(&self) -> bool {
        self.role == Role::Master
    }
}

/// The answer to who may not.
pub(crate) fn may_not(needed: Role) -> Problem {
    let detail = match needed {
        Role::Master => "only the game master can do this",
        Role::Player | Role::Spectator => "spectators can't do this",
    };
    Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
}

impl FromRequestParts<Shared> for Seat {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Seat, Problem> {
        let Path(names) =
            Path::<HashMap<String, String>>::from_request_parts(parts, app).await.map_err(|_| no_table())?;
        let table = names.get("table").cloned().unwrap_or_default();
        let caller = Caller::from_request_parts(parts, app).await?;
        let Some(token) = caller.token.hash() else {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "you have no seat at this table")
                .hint("open an invite link, or ask the game master for one"));
        };
        let seat = find(app, &table, &token).await?.ok_or_else(no_table)?;
        app.tables.rate.check(&seat.member)?;
        Ok(seat)
    }
}

/// The seat of a token; none if its member has left.
pub(crate) async fn find(app: &Shared, table: &str, token: &str) -> Result<Option<Seat>, Problem> {
    let row = sqlx::query(
        "SELECT m.id, m.role FROM seats s JOIN members m ON m.id = s.member_id
         WHERE s.token = $1 AND m.table_id = $2 AND m.gone = 0",
    )
    .bind(token)
    .bind(table)
    .fetch_optional(&app.tables.store.read)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let role: String = row.try_get("role")?;
    Ok(Some(Seat {
        table: table.to_owned(),
        member: row.try_get("id")?,
        role: Role::named(&role).unwrap_or(Role::Spectator),
    }))
}
