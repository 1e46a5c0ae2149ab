//! Idempotency: a request that rolls or answers has a key, and a retry with the same key gets the first answer.
//!
//! The key is also the nonce of the dice. Keys are kept for seven days, each with a hash of its request: the same key with
//! another request is a mistake, not a retry.

use super::seat::Seat;
use super::token::hash;
use crate::app::Shared;
use crate::problem::Problem;
use crate::store::{Change, now};
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde_json::{Map, Value as Json};
use sqlx::{AnyPool, Row};

/// How long keys are kept, in milliseconds.
const KEPT: i64 = 7 * 24 * 3600 * 1000;

/// The key of a request.
#[derive(Clone, Debug)]
pub(crate) struct Key(pub(crate) String);

impl FromRequestParts<Shared> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Key, Problem> {
        let given = parts.headers.get("idempotency-key").and_then(|value| value.to_str().ok());
        let fits = |key: &&str| {
            (22..=64).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        given.filter(fits).map(|key| Key(key.to_owned())).ok_or_else(|| {
            Problem::request("missing `Idempotency-Key`")
                .hint("send 128 random bits, such as 32 hexadecimal digits, and the same again when you retry")
        })
    }
}

/// A request under its key.
#[derive(Clone, Debug)]
pub(crate) struct Keyed {
    pub(crate) member: String,
    pub(crate) key: String,
    request: String,
}

impl Keyed {
    /// What is asked, by whom, where, and with which body.
    pub(crate) fn new(seat: &Seat, key: &Key, what: &str, body: &Map<String, Json>) -> Keyed {
        let request = hash(&format!("{} {what} {}", seat.table, Json::Object(body.clone())));
        Keyed { member: seat.member.clone(), key: key.0.clone(), request }
    }

    /// The answer that was given before, if this is a retry.
    pub(crate) async fn before(&self, pool: &AnyPool) -> Result<Option<Json>, Problem> {
        let row = sqlx::query("SELECT request, body FROM answered WHERE member_id = $1 AND key = $2")
            .bind(&self.member)
            .bind(&self.key)
            .fetch_optional(pool)
            .await?;
        let Some(row) = row else { return Ok(None) };
        if row.try_get::<String, _>("request")? != self.request {
            let detail = "this `Idempotency-Key` was used for another request";
            return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail).hint("make a new key for every request"));
        }
        let body: String = row.try_get("body")?;
        Ok(serde_json::from_str(&body).ok())
    }

    /// Keeps the answer, in the transaction that it is about. False if somebody else has answered meanwhile.
    pub(crate) async fn keep(&self, change: &mut Change, answer: &Json) -> Result<bool, Problem> {
        let kept = sqlx::query(
            "INSERT INTO answered (member_id, key, request, body, created) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (member_id, key) DO NOTHING",
        )
        .bind(&self.member)
        .bind(&self.key)
        .bind(&self.request)
        .bind(answer.to_string())
        .bind(now())
        .execute(&mut *change.tx)
        .await?;
        Ok(kept.rows_affected() == 1)
    }
}

/// Forgets keys that are too old.
pub(crate) async fn forget_old(pool: &AnyPool) -> Result<(), Problem> {
    sqlx::query("DELETE FROM answered WHERE created < $1").bind(now() - KEPT).execute(pool).await?;
    Ok(())
}
