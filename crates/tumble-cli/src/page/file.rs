//! The files of the page, and the headers that go with them.

use super::head::Head;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What the files are, by how their names end.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Compressed copies beside a file, the smaller first.
const ENCODINGS: &[(&str, &str)] = &[("br", "br"), ("gzip", "gz")];

/// A folder with a built page.
pub(super) struct Folder {
    place: PathBuf,
    /// The content security policy, and the one of a page that may be in a frame.
    policy: [String; 2],
}

/// What goes back to the browser.
pub(super) struct Reply {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl Folder {
    /// The folder, if a page was built into it.
    pub(super) fn open(place: &Path) -> Result<Folder, String> {
        let policy = fs::read_to_string(place.join("policy.txt"));
        let lines = policy.as_deref().map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        match lines.as_deref() {
            Ok([own, embedded]) if place.join("index.html").is_file() => {
                Ok(Folder { place: place.to_owned(), policy: [own.clone(), embedded.clone()] })
            }
            _ => Err(format!("`{}` has no page; `cargo xtask web` builds it in web/dist", place.display())),
        }
    }

    /// The answer to a request.
    pub(super) fn reply(&self, head: &Head) -> Reply {
        if !head.is_for_us() {
            return Reply::bare("421 Misdirected Request");
        }
        if !matches!(head.method.as_str(), "GET" | "HEAD") {
            return Reply::bare("405 Method Not Allowed").with("Allow", "GET, HEAD".to_owned());
        }
        match self.found(&head.path) {
            Some(path) => self.file(&path, head).unwrap_or_else(|| Reply::bare("404 Not Found")),
            None => Reply::bare("404 Not Found"),
        }
    }

    /// The file of a path; a name that leads out of the folder has none.
    fn found(&self, path: &str) -> Option<PathBuf> {
        let name = path.strip_prefix('/')?;
        let name = if name.is_empty() { "index.html" } else { name };
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let known = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b));
        (plain && known(name)).then(|| self.place.join(name)).filter(|file| file.is_file())
    }

    fn file(&self, path: &Path, head: &Head) -> Option<Reply> {
        let ending = path.extension()?.to_str()?;
        let kind = TYPES.iter().find(|(known, _)| *known == ending)?.1;
        let accepts =
            |name: &str| head.accept_encoding.split(',').any(|one| one.trim().split(';').next() == Some(name));
        let mut packed = ENCODINGS.iter().filter(|(name, _)| accepts(name)).filter_map(|(name, more)| {
            let body = fs::read(path.with_extension(format!("{ending}.{more}"))).ok()?;
            Some((*name, body))
        });
        let (encoding, body) = match packed.next() {
            Some((name, body)) => (Some(name), body),
            None => (None, fs::read(path).ok()?),
        };
        // A name in assets/ has the hash of its content in it.
        let forever = path.parent().is_some_and(|folder| folder.ends_with("assets"));
        let kept = if forever { "public, max-age=31536000, immutable" } else { "no-cache" };
        let policy = &self.policy[usize::from(head.is_embedded())];
        let reply = Reply { status: "200 OK", headers: vec![], body }
            .with("Content-Type", kind.to_owned())
            .with("Cache-Control", kept.to_owned())
            .with("Vary", "Accept-Encoding".to_owned())
            .with("Content-Security-Policy", policy.clone());
        Some(encoding.into_iter().fold(reply, |reply, name| reply.with("Content-Encoding", name.to_owned())))
    }
}

impl Reply {
    /// A status and nothing else.
    pub(super) fn bare(status: &'static str) -> Reply {
        Reply { status, headers: vec![], body: vec![] }
    }

    fn with(mut self, name: &'static str, value: String) -> Reply {
        self.headers.push((name, value));
        self
    }

    /// Everything before the body.
    pub(super) fn head(&self) -> String {
        let own: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!(
            "HTTP/1.1 {}\r\n{own}X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.status,
            self.body.len()
        )
    }
}
