//! Connections: taken, limited, and ended when the server ends.
//!
//! A client has the time [`HEAD`] to send a request, from the moment it connects and after each answer; a silent connection
//! is closed. More than [`MOST`] at once are turned away.

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// The most connections at once.
const MOST: usize = 4096;

/// How long answers may take after the end was announced.
const GRACE: Duration = Duration::from_millis(1200);

/// Connections are files, and many systems allow a process only 1024 of them unless it asks for more.
pub(crate) fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let wanted = (MOST as u64 * 2).min(limit.maximum.unwrap_or(u64::MAX));
        if limit.current.is_some_and(|current| current < wanted) {
            // Without it the server runs all the same, for fewer clients.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit });
        }
    }
}

/// Serves until the end is announced, then waits a moment for answers that are under way.
pub(crate) async fn serve(listener: TcpListener, router: Router, mut ending: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(MOST));
    let graceful = GracefulShutdown::new();
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = ending.wait_for(|ending| *ending) => break,
        };
        let (stream, peer) = match taken {
            Ok(taken) => taken,
            // Out of file descriptors, most likely: others will end.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else { continue };
        let connection = graceful.watch(connection(stream, peer, router.clone()));
        tokio::spawn(async move {
            // Clients go away in the middle all the time.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
) -> http1::Connection<
    TokioIo<TcpStream>,
    impl hyper::service::Service<
        hyper::Request<Incoming>,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future: Send,
    >,
> {
    // Small answers wait for nothing.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(axum::extract::ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10);
    http.serve_connection(TokioIo::new(stream), service)
}
