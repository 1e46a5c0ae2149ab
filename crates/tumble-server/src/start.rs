//! From a configuration to a server that runs, and to its end.

use crate::app::{App, Shared};
use crate::config::Config;
use crate::net::{PublicUrl, own_addresses};
use crate::table::{Tables, keep};
use crate::{admin, describe, listen, log};
use metrics_exporter_prometheus::PrometheusBuilder;
use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A server that runs.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it reports its health.
    pub admin: Option<SocketAddr>,
    end: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Running {
    /// Ends it; answers that are under way get a moment.
    pub async fn end(self) {
        // Nobody listens any more if it has ended by itself.
        let _ = self.end.send(true);
        for task in self.tasks {
            let _ = task.await;
        }
    }
}

/// Starts a server; it ends with what is returned.
pub async fn start(config: Config) -> io::Result<Running> {
    let own = reachable(config.listen);
    let listener = TcpListener::bind(config.listen).await?;
    let admin = match config.admin_listen {
        Some(address) => Some(TcpListener::bind(address).await?),
        None => None,
    };
    let (end, ending) = watch::channel(false);
    let metrics = PrometheusBuilder::new().build_recorder();
    let handle = metrics.handle();
    // A second server in one process, as in tests, is not counted.
    let _ = metrics::set_global_recorder(metrics);
    let tables = Tables::open(&config).await?;
    let app: Shared = Arc::new(App::new(config, &own, handle, ending.clone(), tables)?);
    let address = listener.local_addr()?;
    let admin_address = admin.as_ref().map(TcpListener::local_addr).transpose()?;
    tokio::spawn(keep::house(app.clone(), ending.clone()));
    let mut tasks = vec![tokio::spawn(listen::serve(listener, describe::router(app.clone()), ending.clone()))];
    if let Some(listener) = admin {
        tasks.push(tokio::spawn(listen::serve(listener, admin::router(app), ending)));
    }
    Ok(Running { address, admin: admin_address, end, tasks })
}

/// Runs a server until a signal stops it, and prints where it is.
pub fn run(config: Config, out: &mut dyn Write) -> io::Result<()> {
    log::start()?;
    listen::raise_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let (lan, public) = (config.lan, config.public_url.clone());
        // Whoever reads the address may end the server at once.
        let stopped = stopped()?;
        let running = start(config).await?;
        announce(out, lan, public, running.address)?;
        stopped.await;
        running.end().await;
        Ok(())
    });
    runtime.shutdown_background();
    result
}

/// Ctrl-C, or what a service manager sends; both are caught from now on.
#[cfg(unix)]
fn stopped() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}

/// Ctrl-C, caught from now on.
#[cfg(windows)]
fn stopped() -> io::Result<impl Future<Output = ()>> {
    let mut pressed = tokio::signal::windows::ctrl_c()?;
    Ok(async move { drop(pressed.recv().await) })
}

/// The addresses of this machine that a server listening there answers at, besides loopback.
fn reachable(listen: SocketAddr) -> Vec<IpAddr> {
    match listen.ip() {
        ip if ip.is_loopback() => vec![],
        // `[::]` takes both kinds of addresses.
        ip if ip.is_unspecified() => own_addresses().into_iter().filter(|own| own.is_ipv4() || ip.is_ipv6()).collect(),
        ip => vec![ip],
    }
}

/// Not every phone can read a code that is light on dark.
fn on_white(line: &str) -> String {
    if io::stdout().is_terminal() { format!("\x1b[30;107m{line}\x1b[0m") } else { line.to_owned() }
}

/// Where it is: each address alone on a line, so that programs can read it; for a network a QR code before them.
fn announce(out: &mut dyn Write, lan: bool, public: Option<PublicUrl>, at: SocketAddr) -> io::Result<()> {
    let url = |address: IpAddr| PublicUrl::plain(address, at.port());
    let mut all: Vec<PublicUrl> = public.into_iter().chain(reachable(at).into_iter().map(url)).collect();
    if let Some(first) = all.first().filter(|_| lan) {
        let code = qrcode::QrCode::new(format!("{first}/")).map_err(io::Error::other)?;
        let picture = code.render::<qrcode::render::unicode::Dense1x2>().quiet_zone(true).build();
        for line in picture.lines() {
            writeln!(out, "{}", on_white(line))?;
        }
        writeln!(out, "\nOn the same network, scan this or open:")?;
    }
    match at.ip() {
        ip if ip.is_unspecified() => all.push(url(Ipv4Addr::LOCALHOST.into())),
        ip if ip.is_loopback() => all.push(url(ip)),
        _ => {}
    }
    for url in &all {
        writeln!(out, "{url}/")?;
    }
    out.flush()
}
