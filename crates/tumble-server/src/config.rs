//! The configuration of a server.

use crate::net::{Network, PublicUrl};
use std::net::{Ipv4Addr, SocketAddr};

/// The port without `--listen`.
pub const PORT: u16 = 2020;

/// What one evaluation may cost, and how often somebody may ask for one.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Steps of one evaluation.
    pub steps: u64,
    /// Bytes of one evaluation.
    pub memory: u64,
    /// Evaluations per second of one address, or of one member of a table.
    pub per_second: u32,
    /// How many evaluations run at once.
    pub workers: usize,
}

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Whether the network may reach it, which prints its addresses and a QR code.
    pub lan: bool,
    /// The address that people use, if there is a proxy in between.
    pub public_url: Option<PublicUrl>,
    /// Proxies that are believed about whom they ask for.
    pub trusted_proxies: Vec<Network>,
    /// Where it reports its health, if anywhere.
    pub admin_listen: Option<SocketAddr>,
    /// What strangers may ask for.
    pub strangers: Allowance,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            lan: false,
            public_url: None,
            trusted_proxies: vec![],
            admin_listen: None,
            strangers: Allowance { steps: 2_000_000, memory: 64 << 20, per_second: 10, workers: cores() },
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}
