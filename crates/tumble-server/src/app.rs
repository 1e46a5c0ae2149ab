//! What all requests share.

use crate::config::Config;
use crate::net::{Client, Names};
use crate::page::Page;
use crate::rate::Rate;
use crate::table::Tables;
use crate::work::Work;
use metrics_exporter_prometheus::PrometheusHandle;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;
use tumble::Limits;
use tumble::batch::Settings;

/// The longest answer, in bytes.
pub(crate) const LONGEST_ANSWER: usize = 1 << 20;

/// The most dice of one roll, and the most members of one collection: more would not fit an answer, but take memory.
const MOST_DICE: u64 = 50_000;
const MOST_MEMBERS: u64 = 200_000;

/// The server.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) names: Names,
    pub(crate) page: Page,
    pub(crate) metrics: PrometheusHandle,
    /// Where strangers' expressions are evaluated, and how often one may ask.
    pub(crate) work: Work<Client>,
    pub(crate) rate: Rate<Client>,
    /// Where groups play.
    pub(crate) tables: Tables,
    /// True when the server is about to end.
    pub(crate) ending: watch::Receiver<bool>,
}

/// What handlers get.
pub(crate) type Shared = Arc<App>;

impl App {
    pub(crate) fn new(
        config: Config,
        own: &[IpAddr],
        metrics: PrometheusHandle,
        ending: watch::Receiver<bool>,
        tables: Tables,
    ) -> io::Result<App> {
        let strangers = &config.strangers;
        let (steps, bytes) = (strangers.steps, strangers.memory);
        let limits = Limits { steps, bytes, draws: MOST_DICE, members: MOST_MEMBERS, ..Limits::default() };
        Ok(App {
            names: Names::new(own, config.public_url.as_ref()),
            page: Page::embedded(),
            metrics,
            work: Work::start("odds", strangers.workers, limits)?,
            rate: Rate::per_second(strangers.per_second),
            ending,
            tables,
            config,
        })
    }
}

/// How `batch` answers here, with the limits of an evaluation.
pub(crate) fn settings(limits: &Limits) -> Settings {
    Settings { longest: LONGEST_ANSWER, shared: true, ..Settings::new(limits.clone(), clock) }
}

fn clock() -> u64 {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_micros() as u64
}
