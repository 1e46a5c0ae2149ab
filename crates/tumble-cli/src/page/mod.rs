//! `tumble page`: serves the built page to this machine and to nobody else.
//!
//! ```text
//! connection ─▶ Head (method, path, headers) ─▶ File in the folder ─▶ status, headers, bytes
//! ```
//!
//! A plain server of files, in nothing but std: one thread per connection, one request per connection, loopback only. A
//! request for another host is refused, so that no page of the internet can reach it through a name of its own.

mod file;
mod head;

use crate::args::PageArgs;
use crate::report;
use file::Folder;
use head::Head;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// More connections at once are turned away.
const MOST: usize = 64;

/// How long a browser may take to send its request, or to take its answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs until it is stopped.
pub(crate) fn run(args: &PageArgs, out: &mut dyn Write) -> io::Result<u8> {
    let folder = match Folder::open(&args.folder) {
        Ok(folder) => Arc::new(folder),
        Err(why) => return report::errors(out, false, "", &[crate::input::refused(why)]),
    };
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)) {
        Ok(listener) => listener,
        Err(error) => {
            let why = crate::input::refused(format!("can't listen on port {}: {error}", args.port));
            return report::errors(out, false, "", &[why]);
        }
    };
    writeln!(out, "http://{}/", listener.local_addr()?)?;
    out.flush()?;
    serve(&listener, &folder);
    Ok(0)
}

fn serve(listener: &TcpListener, folder: &Arc<Folder>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if open.fetch_add(1, Ordering::SeqCst) >= MOST {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (folder, open) = (Arc::clone(folder), Arc::clone(&open));
        std::thread::spawn(move || {
            // A browser that goes away before it has everything is no news.
            let _ = answer(stream, &folder);
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

fn answer(mut stream: TcpStream, folder: &Folder) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = Head::read(&mut stream)?;
    let reply = match &head {
        Some(head) => folder.reply(head),
        None => file::Reply::bare("400 Bad Request"),
    };
    let body = head.is_none_or(|head| head.method != "HEAD");
    stream.write_all(reply.head().as_bytes())?;
    if body {
        stream.write_all(&reply.body)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// What a server over a small folder answers to these bytes.
    fn asked(request: &str) -> String {
        let place = std::env::temp_dir().join(format!("tumble-page-{}", std::process::id()));
        std::fs::create_dir_all(place.join("assets")).unwrap();
        for (name, text) in [
            ("index.html", "<p>hello</p>"),
            ("policy.txt", "default-src 'none'; frame-ancestors 'none'\ndefault-src 'none'\n"),
            ("assets/a-1.js", "1"),
            ("assets/a-1.js.br", "br"),
        ] {
            std::fs::write(place.join(name), text).unwrap();
        }
        let folder = Folder::open(&place).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(request.as_bytes()).unwrap();
        answer(listener.accept().unwrap().0, &folder).unwrap();
        let mut told = String::new();
        client.read_to_string(&mut told).unwrap();
        told
    }

    #[test]
    fn files_are_served_with_their_headers_and_nothing_else_is() {
        let here = "Host: localhost:80\r\n\r\n";
        for (request, parts, absent) in [
            ("GET / HTTP/1.1\r\n", &["200 OK", "text/html", "frame-ancestors", "nosniff", "hello"][..], "immutable"),
            ("GET /?embed=1 HTTP/1.1\r\n", &["200 OK", "default-src 'none'"][..], "frame-ancestors"),
            ("GET /assets/a-1.js HTTP/1.1\r\n", &["immutable", "text/javascript", "\r\n\r\n1"][..], "Content-Encoding"),
            (
                "GET /assets/a-1.js HTTP/1.1\r\nAccept-Encoding: gzip, br\r\n",
                &["Content-Encoding: br"][..],
                "\r\n\r\n1",
            ),
            ("HEAD / HTTP/1.1\r\n", &["200 OK", "Content-Length: 12"][..], "hello"),
            ("GET /../Cargo.toml HTTP/1.1\r\n", &["404 Not Found"][..], "package"),
            ("GET /%2e%2e/etc/passwd HTTP/1.1\r\n", &["404 Not Found"][..], "root"),
            ("GET /nothing HTTP/1.1\r\n", &["404 Not Found"][..], "hello"),
            ("POST / HTTP/1.1\r\n", &["405 Method Not Allowed"][..], "hello"),
            ("nonsense\r\n", &["400 Bad Request"][..], "hello"),
        ] {
            let told = asked(&format!("{request}{here}"));
            parts.iter().for_each(|part| assert!(told.contains(part), "{request}: {part} in {told}"));
            assert!(!told.contains(absent), "{request}: {absent} in {told}");
        }
        let told = asked("GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n");
        assert!(told.contains("421 Misdirected Request") && !told.contains("hello"), "{told}");
    }
}
