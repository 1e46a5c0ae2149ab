//! Evaluation, away from the threads that talk to the network.
//!
//! ```text
//! request ─▶ Queue, one line per client ─▶ a worker thread ─▶ answer
//! ```
//!
//! What an evaluation may cost is counted, so whether there is an answer does not depend on the load. The clock is only an
//! emergency brake: an evaluation that takes longer than [`BRAKE`] from its start is stopped, and its client is asked to
//! try again. So is one whose client has gone away.

mod queue;

use queue::{Job, Queue};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tumble::{Interrupt, Limits};

/// How long one evaluation may take.
pub(crate) const BRAKE: Duration = Duration::from_secs(2);

/// How long one may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Too many others are waiting, or too many requests of the same client.
    Full,
    /// It took too long.
    Late,
    /// The evaluation itself broke.
    Broken,
}

/// Threads that evaluate, and who waits for them.
#[derive(Debug)]
pub(crate) struct Work<K> {
    shared: Arc<Shared<K>>,
    limits: Limits,
}

#[derive(Debug)]
struct Shared<K> {
    queue: Mutex<Queue<K>>,
    more: Condvar,
}

impl<K> Shared<K> {
    /// A worker that broke while it held the queue can't have left it half changed: jobs run outside.
    fn queue(&self) -> MutexGuard<'_, Queue<K>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone + Send + 'static> Work<K> {
    /// Starts so many threads; each evaluation gets these limits.
    pub(crate) fn start(name: &str, workers: usize, limits: Limits) -> std::io::Result<Work<K>> {
        let shared = Arc::new(Shared { queue: Mutex::new(Queue::default()), more: Condvar::new() });
        for number in 0..workers.max(1) {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(format!("{name}-{number}")).spawn(move || work(&shared))?;
        }
        Ok(Work { shared, limits })
    }

    /// The answer of a job, when its turn has come.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: K,
        job: impl FnOnce(&Limits) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let stop = Stop::default();
        let (begun, start) = oneshot::channel();
        let (done, answer) = oneshot::channel();
        let limits = Limits { interrupt: Interrupt::when(&stop.0), ..self.limits.clone() };
        let run = move || {
            // Nobody listens if the client has gone away.
            let _ = begun.send(());
            let _ = done.send(catch_unwind(AssertUnwindSafe(|| job(&limits))));
        };
        self.shared
            .queue()
            .push(client, Job { run: Box::new(run), stop: Arc::clone(&stop.0) })
            .map_err(|()| Refused::Full)?;
        self.shared.more.notify_one();
        // A job that is dropped before it begins had to make room.
        timeout(PATIENCE, start).await.map_err(|_| Refused::Full)?.map_err(|_| Refused::Full)?;
        // Whatever comes after the brake is not looked at: it may depend on when the evaluation noticed.
        let found = timeout(BRAKE, answer).await.map_err(|_| Refused::Late)?;
        found.map_err(|_| Refused::Broken)?.map_err(|_| Refused::Broken)
    }

    /// How many wait, and how many run.
    pub(crate) fn load(&self) -> (usize, usize) {
        self.shared.queue().load()
    }
}

/// The end of an evaluation: when it takes too long, and when nobody waits for it any more.
#[derive(Default)]
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn work<K: Eq + Hash + Clone>(shared: &Shared<K>) {
    let mut queue = shared.queue();
    loop {
        let Some((client, job)) = queue.pop() else {
            queue = shared.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        let start = Instant::now();
        (job.run)();
        queue = shared.queue();
        queue.done(&client, start.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Client;
    use std::net::IpAddr;
    use std::sync::atomic::AtomicUsize;

    fn client(last: u8) -> Client {
        Client::of(IpAddr::from([192, 0, 2, last]))
    }

    fn waits(limits: &Limits) -> bool {
        let prepared = tumble::compile("troll", "different 40d40", &tumble::Vars::new()).unwrap();
        let options = tumble::Options { limits: limits.clone(), ..tumble::Options::default() };
        prepared.odds(&options).is_err_and(|error| error.code == tumble::Code::Stopped)
    }

    #[tokio::test]
    async fn an_answer_comes_back() {
        let work = Work::start("test", 2, Limits::default()).unwrap();
        assert_eq!(work.run(client(1), |limits| limits.steps).await, Ok(Limits::default().steps));
        assert_eq!(work.run(client(1), |_| panic!("broken")).await, Err::<(), _>(Refused::Broken));
        assert_eq!(work.run(client(1), |_| 2).await, Ok(2), "the worker goes on");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_goes_away_stops_the_work() {
        let endless = Limits { steps: u64::MAX, bytes: u64::MAX, ..Limits::default() };
        let work = Arc::new(Work::start("test", 1, endless).unwrap());
        let (behind, seen) = (Arc::clone(&work), Arc::new(AtomicUsize::new(0)));
        let stopped = Arc::clone(&seen);
        let gone = tokio::spawn(async move {
            behind.run(client(1), move |limits| stopped.fetch_add(usize::from(waits(limits)), Ordering::SeqCst)).await
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        gone.abort();
        assert_eq!(work.run(client(2), |_| 1).await, Ok(1));
        assert_eq!(seen.load(Ordering::SeqCst), 1, "it was stopped");
    }
}
