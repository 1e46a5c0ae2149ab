//! How often one client may ask (generic cell rate algorithm: a steady rate, and a burst of twice as many).

use crate::app::Shared;
use crate::net::Client;
use crate::problem::Problem;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A client that asks for an evaluation and may: it is counted before its body is read.
pub(crate) struct Asking(pub(crate) Client);

impl FromRequestParts<Shared> for Asking {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Asking, Problem> {
        let client = parts.extensions.get::<Client>().copied().ok_or_else(Problem::bug)?;
        app.rate.check(&client)?;
        Ok(Asking(client))
    }
}

/// After so many requests, clients that have been quiet are forgotten.
const SWEEP: u32 = 4096;

/// A limit for each of many.
pub(crate) struct Rate<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, HashMapStateStore<K>, DefaultClock>,
    asked: AtomicU32,
}

impl<K: Hash + Eq + Clone> Rate<K> {
    /// So many per second, on average.
    pub(crate) fn per_second(n: u32) -> Rate<K> {
        let n = NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        Rate::new(Quota::per_second(n).allow_burst(n.saturating_mul(NonZeroU32::MIN.saturating_add(1))))
    }

    /// So many within a time, at once or spread.
    pub(crate) fn within(n: u32, time: Duration) -> Rate<K> {
        let n = NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(time / n.get()).unwrap_or_else(|| Quota::per_second(n));
        Rate::new(quota.allow_burst(n))
    }

    fn new(quota: Quota) -> Rate<K> {
        Rate { limiter: RateLimiter::hashmap(quota), asked: AtomicU32::new(0) }
    }

    /// Counts one request.
    pub(crate) fn check(&self, who: &K) -> Result<(), Problem> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(who).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate", "too many requests from this address").retry(wait)
        })
    }
}

impl<K: Hash + Eq + Clone> std::fmt::Debug for Rate<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_twice_the_rate_and_each_has_its_own() {
        let rate = Rate::per_second(5);
        assert_eq!((0..50).filter(|_| rate.check(&"a").is_ok()).count(), 10);
        assert!(rate.check(&"b").is_ok());
        let hourly = Rate::within(3, Duration::from_secs(3600));
        assert_eq!((0..50).filter(|_| hourly.check(&1).is_ok()).count(), 3);
    }
}
