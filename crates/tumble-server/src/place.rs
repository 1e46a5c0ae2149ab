//! The parts of an address that name something: a table, a member, a roll. One that can't be read is told like every other
//! mistake; axum's own words are plain text.

use crate::problem::Problem;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The parts, in their order.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let Ok(axum::extract::Path(read)) = read else {
            return Err(Problem::request("a part of the address can't be read; a roll has a number, such as 12"));
        };
        Ok(Path(read))
    }
}
