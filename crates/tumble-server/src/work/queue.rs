//! Who is next: of those who wait, the client that has used the least lately.
//!
//! So somebody who asks once waits for what is running and not for what twenty others have piled up. What was used
//! halves every [`HALF`].

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many evaluations of one client run at once, and how many wait.
const RUNNING: usize = 2;
const WAITING: usize = 8;

/// How many wait in all.
const ALL_WAITING: usize = 256;

/// The time in which half of what was used is forgotten.
const HALF: Duration = Duration::from_secs(10);

/// One evaluation.
pub(super) struct Job {
    pub(super) run: Box<dyn FnOnce() + Send>,
    /// Set when nobody waits for it any more.
    pub(super) stop: Arc<AtomicBool>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Job")
    }
}

/// What one client has asked for.
#[derive(Debug)]
struct Line {
    waiting: VecDeque<Job>,
    running: usize,
    /// Seconds used lately, as of then.
    used: f64,
    then: Instant,
}

impl Line {
    fn new() -> Line {
        Line { waiting: VecDeque::new(), running: 0, used: 0.0, then: Instant::now() }
    }

    fn used(&self, now: Instant) -> f64 {
        self.used * 0.5f64.powf((now - self.then).as_secs_f64() / HALF.as_secs_f64())
    }

    fn drop_stopped(&mut self) {
        self.waiting.retain(|job| !job.stop.load(Ordering::Relaxed));
    }

    fn is_idle(&self, now: Instant) -> bool {
        self.waiting.is_empty() && self.running == 0 && self.used(now) < 0.001
    }
}

/// All lines.
#[derive(Debug)]
pub(super) struct Queue<K> {
    lines: HashMap<K, Line>,
}

impl<K> Default for Queue<K> {
    fn default() -> Queue<K> {
        Queue { lines: HashMap::new() }
    }
}

impl<K: Eq + Hash + Clone> Queue<K> {
    /// Lets a job wait, unless too many do.
    pub(super) fn push(&mut self, client: K, job: Job) -> Result<(), ()> {
        let now = Instant::now();
        self.lines.retain(|_, line| {
            line.drop_stopped();
            !line.is_idle(now)
        });
        let mine = self.lines.get(&client).map_or(0, |line| line.waiting.len());
        if mine >= WAITING || self.load().0 >= ALL_WAITING && !self.make_room(mine + 1) {
            return Err(());
        }
        self.lines.entry(client).or_insert_with(Line::new).waiting.push_back(job);
        Ok(())
    }

    /// Sends away the last job of the longest line, if that is longer than this: many clients that pile up requests do not
    /// keep out one who has none waiting.
    fn make_room(&mut self, than: usize) -> bool {
        let longest = self.lines.values_mut().max_by_key(|line| line.waiting.len());
        longest.filter(|line| line.waiting.len() > than).and_then(|line| line.waiting.pop_back()).is_some()
    }

    /// The next job; nothing if none may run.
    pub(super) fn pop(&mut self) -> Option<(K, Job)> {
        let now = Instant::now();
        self.lines.values_mut().for_each(Line::drop_stopped);
        let ready = self.lines.iter_mut().filter(|(_, line)| line.running < RUNNING && !line.waiting.is_empty());
        let (client, line) = ready.min_by(|(_, a), (_, b)| a.load(now).total_cmp(&b.load(now)))?;
        line.running += 1;
        Some((client.clone(), line.waiting.pop_front()?))
    }

    /// A job of this client has ended.
    pub(super) fn done(&mut self, client: &K, took: Duration) {
        let now = Instant::now();
        if let Some(line) = self.lines.get_mut(client) {
            line.used = line.used(now) + took.as_secs_f64();
            line.then = now;
            line.running -= 1;
        }
    }

    /// How many wait, and how many run.
    pub(super) fn load(&self) -> (usize, usize) {
        self.lines
            .values()
            .fold((0, 0), |(waiting, running), line| (waiting + line.waiting.len(), running + line.running))
    }
}

impl Line {
    /// What is running counts as if it took a second.
    fn load(&self, now: Instant) -> f64 {
        self.used(now) + self.running as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Client;
    use std::net::IpAddr;

    fn client(last: u8) -> Client {
        Client::of(IpAddr::from([192, 0, 2, last]))
    }

    fn job() -> Job {
        Job { run: Box::new(|| ()), stop: Arc::default() }
    }

    #[test]
    fn a_client_has_a_limit_of_its_own() {
        let mut queue = Queue::default();
        for _ in 0..WAITING {
            queue.push(client(1), job()).unwrap();
        }
        assert!(queue.push(client(1), job()).is_err());
        assert!(queue.push(client(2), job()).is_ok());
        let taken: Vec<Client> = std::iter::from_fn(|| queue.pop()).map(|(client, _)| client).collect();
        assert_eq!(taken.len(), RUNNING + 1);
        assert_eq!(queue.load(), (WAITING - RUNNING, RUNNING + 1));
    }

    #[test]
    fn a_full_queue_has_room_for_who_has_nothing_in_it() {
        let mut queue = Queue::default();
        let others = (ALL_WAITING / WAITING) as u8;
        for n in 0..others {
            (0..WAITING).for_each(|_| queue.push(client(n), job()).unwrap());
        }
        assert_eq!(queue.load().0, ALL_WAITING);
        (0..WAITING / 2).for_each(|_| queue.push(client(200), job()).unwrap());
        assert_eq!(queue.load().0, ALL_WAITING);
        let taken = |queue: &Queue<Client>| queue.lines.values().map(|line| line.waiting.len()).max();
        assert_eq!((queue.lines[&client(200)].waiting.len(), taken(&queue)), (WAITING / 2, Some(WAITING)));
    }

    #[test]
    fn who_used_the_least_is_next() {
        let mut queue = Queue::default();
        queue.push(client(1), job()).unwrap();
        queue.pop().unwrap();
        queue.done(&client(1), Duration::from_secs(1));
        queue.push(client(1), job()).unwrap();
        queue.push(client(2), job()).unwrap();
        assert_eq!(queue.pop().unwrap().0, client(2));
        assert_eq!(queue.pop().unwrap().0, client(1));
    }

    #[test]
    fn who_went_away_has_no_place() {
        let mut queue = Queue::default();
        let gone = job();
        gone.stop.store(true, Ordering::Relaxed);
        queue.push(client(1), gone).unwrap();
        queue.push(client(2), job()).unwrap();
        assert_eq!(queue.pop().unwrap().0, client(2));
        assert!(queue.pop().is_none());
        queue.done(&client(2), Duration::ZERO);
        queue.push(client(3), job()).unwrap();
        assert_eq!(queue.lines.len(), 1, "idle lines are forgotten");
    }
}
