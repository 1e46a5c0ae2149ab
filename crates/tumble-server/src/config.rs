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
    /// Tables of players.
    pub tables: TableConfig,
}

/// What can be set for tables.
#[derive(Clone, Debug)]
pub struct TableConfig {
    /// A file for SQLite, or the address of a PostgreSQL database.
    pub database: String,
    /// What members may ask for.
    pub members: Allowance,
    /// The most tables; any number if there is none.
    pub most: Option<u64>,
    /// How many tables one address may make in an hour.
    pub new_per_hour: u32,
    /// How often one address may join in a minute.
    pub joins_per_minute: u32,
    /// Who makes a table must know this.
    pub create_key: Option<String>,
    /// Tables that nobody touched for so many days are deleted.
    pub expire_idle: Option<u32>,
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
            tables: TableConfig {
                database: "tumble.db".to_owned(),
                members: Allowance { steps: 10_000_000, memory: 256 << 20, per_second: 20, workers: cores() },
                most: None,
                new_per_hour: 10,
                joins_per_minute: 10,
                create_key: None,
                expire_idle: None,
            },
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}
