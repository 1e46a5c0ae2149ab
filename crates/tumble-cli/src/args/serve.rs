//! `tumble serve`: the page and the API on this machine, or on the network.

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use tumble_server::{Allowance, Config, Network, PORT, PublicUrl, TableConfig};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble serve                     for this machine: http://127.0.0.1:2020/
  tumble serve --lan               for everybody on the same network
  tumble serve --public-url https://dice.example.org --trusted-proxy 127.0.0.1
                                   behind a proxy that speaks HTTPS

Every option can also be set in the environment. TUMBLE_LOG=warn makes the log
quieter, TUMBLE_LOG=off silent. `GET /openapi.json` describes the API.")]
pub(crate) struct ServeArgs {
    /// Address or port to listen on [default: 127.0.0.1:2020, with --lan 0.0.0.0:2020]
    #[arg(short, long, value_name = "ADDRESS", value_parser = address, env = "TUMBLE_LISTEN", hide_env_values = true)]
    pub(crate) listen: Option<Place>,

    /// Let everybody on the same network in; print all addresses and a QR code
    #[arg(long, env = "TUMBLE_LAN", hide_env_values = true)]
    pub(crate) lan: bool,

    /// Where tables are kept: a file, or a postgres:// address
    #[arg(long, value_name = "DATABASE", env = "DATABASE_URL", default_value = "tumble.db", hide_env_values = true)]
    pub(crate) database: String,

    /// The address people use, if there is a proxy in between
    #[arg(long, value_name = "URL", env = "TUMBLE_PUBLIC_URL", hide_env_values = true)]
    pub(crate) public_url: Option<PublicUrl>,

    /// A proxy to believe about whom it asks for (X-Forwarded-For): an address or a network
    #[arg(long, value_name = "NETWORK", value_delimiter = ',', env = "TUMBLE_TRUSTED_PROXY", hide_env_values = true)]
    pub(crate) trusted_proxy: Vec<Network>,

    /// Address or port for /healthz, /readyz and /metrics
    #[arg(long, value_name = "ADDRESS", value_parser = address, env = "TUMBLE_ADMIN_LISTEN", hide_env_values = true)]
    pub(crate) admin_listen: Option<Place>,

    /// How many evaluations run at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = positive::<usize>(), env = "TUMBLE_WORKERS", hide_env_values = true)]
    pub(crate) workers: Option<usize>,

    /// Megabytes that one evaluation may use [default: 64]
    #[arg(long, value_name = "MB", value_parser = positive::<u64>(), env = "TUMBLE_MEMORY", hide_env_values = true)]
    pub(crate) memory: Option<u64>,

    /// Steps that one evaluation may take [default: 2000000]
    #[arg(long, value_name = "N", value_parser = positive::<u64>(), env = "TUMBLE_MAX_STEPS", hide_env_values = true)]
    pub(crate) max_steps: Option<u64>,

    /// Evaluations per second that one address may ask for; bursts of twice as many are fine [default: 10]
    #[arg(long, value_name = "N", value_parser = positive::<u32>(), env = "TUMBLE_RATE", hide_env_values = true)]
    pub(crate) rate: Option<u32>,

    /// Requests per second that one member of a table may make; bursts of twice as many are fine [default: 20]
    #[arg(
        long,
        value_name = "N",
        value_parser = positive::<u32>(),
        env = "TUMBLE_MEMBER_RATE",
        hide_env_values = true
    )]
    pub(crate) member_rate: Option<u32>,

    /// Tables that there may be [default: any number]
    #[arg(long, value_name = "N", env = "TUMBLE_MAX_TABLES", hide_env_values = true)]
    pub(crate) max_tables: Option<u64>,

    /// Key that is needed to make a table [default: anybody may]
    #[arg(long, value_name = "KEY", env = "TUMBLE_CREATE_KEY", hide_env_values = true)]
    pub(crate) create_key: Option<String>,

    /// Delete tables that nobody used for so many days [default: never]
    #[arg(long, value_name = "DAYS", env = "TUMBLE_EXPIRE_IDLE", hide_env_values = true)]
    pub(crate) expire_idle: Option<u32>,
}

/// `tumble admin`: what whoever runs a server does with its database.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble admin backup friday.db
  tumble admin tables --database /var/lib/tumble/tumble.db

`backup`, `tables` and `delete` work while the server runs; `restore` needs it
stopped.")]
pub(crate) struct AdminArgs {
    #[command(subcommand)]
    pub(crate) what: Admin,

    /// Where tables are kept: a file, or a postgres:// address
    #[arg(
        long,
        global = true,
        value_name = "DATABASE",
        env = "DATABASE_URL",
        default_value = "tumble.db",
        hide_env_values = true
    )]
    pub(crate) database: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Admin {
    /// Copy the database into a new file
    Backup {
        /// File to write
        file: PathBuf,
    },
    /// Put a backup in the place of the database
    Restore {
        /// File to read
        file: PathBuf,
    },
    /// List all tables
    Tables,
    /// Delete a table with everything in it
    Delete {
        /// Its id, the part of its address after /t/
        table: String,
    },
}

/// Where to listen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// `127.0.0.1:2020`
    Address(SocketAddr),
    /// `2020`
    Port(u16),
}

impl Place {
    fn on(self, host: Ipv4Addr) -> SocketAddr {
        match self {
            Place::Address(address) => address,
            Place::Port(port) => SocketAddr::from((host, port)),
        }
    }
}

/// A whole number from 1 on.
fn positive<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    RangedU64ValueParser::new().range(1..)
}

fn address(text: &str) -> Result<Place, String> {
    let port = || text.parse().ok().map(Place::Port);
    let found = text.parse().ok().map(Place::Address).or_else(port);
    found.ok_or_else(|| "write it like 127.0.0.1:2020, [::1]:2020 or 2020".to_owned())
}

impl ServeArgs {
    /// The configuration of the server.
    pub(crate) fn config(&self) -> Config {
        let usual = Config::default();
        let tables = TableConfig {
            database: self.database.clone(),
            most: self.max_tables,
            create_key: self.create_key.clone(),
            expire_idle: self.expire_idle,
            members: Allowance {
                per_second: self.member_rate.unwrap_or(usual.tables.members.per_second),
                ..usual.tables.members
            },
            ..usual.tables
        };
        Config {
            listen: self.listen.unwrap_or(Place::Port(PORT)).on(if self.lan {
                Ipv4Addr::UNSPECIFIED
            } else {
                Ipv4Addr::LOCALHOST
            }),
            lan: self.lan,
            public_url: self.public_url.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
            tables,
            admin_listen: self.admin_listen.map(|place| place.on(Ipv4Addr::LOCALHOST)),
            strangers: Allowance {
                steps: self.max_steps.unwrap_or(usual.strangers.steps),
                memory: self.memory.map_or(usual.strangers.memory, |megabytes| megabytes.saturating_mul(1 << 20)),
                per_second: self.rate.unwrap_or(usual.strangers.per_second),
                workers: self.workers.unwrap_or(usual.strangers.workers),
            },
        }
    }
}
