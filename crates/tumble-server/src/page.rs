//! The page: files that `cargo xtask web` built, inside the program, each also compressed.
//!
//! A build without them serves one page that says how to get the real one. A debug build reads the folder each time.

use crate::problem::Problem;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// Compressed copies beside a file, the smaller first.
const ENCODINGS: &[(&str, &str)] = &[("br", "br"), ("gzip", "gz")];

/// What a build without the page shows.
const MISSING: &str = include_str!("missing.html");

/// The policy of a build without the page, and of everything that is no page.
const STRICT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

/// The files, and the policy that browsers enforce.
#[derive(Debug)]
pub(crate) struct Page {
    /// The content security policy, and the one of a page that may be in a frame.
    policy: [HeaderValue; 2],
}

impl Page {
    /// The page of this program.
    pub(crate) fn embedded() -> Page {
        let file = Files::get("policy.txt");
        let text = file.as_ref().and_then(|file| std::str::from_utf8(&file.data).ok()).unwrap_or_default();
        let mut lines = text.lines().map(|line| HeaderValue::from_str(line).ok());
        let mut next = || lines.next().flatten().unwrap_or(HeaderValue::from_static(STRICT));
        Page { policy: [next(), next()] }
    }

    /// The first page, changed on its way out.
    pub(crate) fn index(&self, embed: bool, change: impl FnOnce(String) -> String) -> Response<Body> {
        let found = Files::get("index.html").and_then(|file| String::from_utf8(file.data.into_owned()).ok());
        let text = found.map_or_else(|| MISSING.to_owned(), change);
        let mut response = Response::new(Body::from(text));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy[usize::from(embed)].clone());
        response
    }

    /// Another file of the page.
    pub(crate) fn file(&self, name: &str, headers: &HeaderMap) -> Result<Response<Body>, Problem> {
        // Compressed copies and the policy are not addresses of their own.
        let inner = name == "policy.txt" || ENCODINGS.iter().any(|(_, ending)| name.ends_with(&format!(".{ending}")));
        let file = Files::get(name).filter(|_| !inner).ok_or_else(Problem::not_found)?;
        Ok(self.sent(name, file, headers))
    }

    fn sent(&self, name: &str, file: EmbeddedFile, asked: &HeaderMap) -> Response<Body> {
        let etag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..8]));
        let same = is_known(&etag, asked);
        let kind = HeaderValue::from_str(file.metadata.mimetype()).unwrap_or(HeaderValue::from_static("text/plain"));
        let (encoding, body) = match compressed(name, asked) {
            Some((encoding, body)) => (Some(encoding), body),
            None => (None, file.data.into_owned()),
        };
        let mut response = Response::new(if same { Body::empty() } else { Body::from(body) });
        if same {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        // A name in assets/ has the hash of its content in it.
        let kept = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy[0].clone());
        headers.extend(HeaderValue::from_str(&etag).ok().map(|etag| (header::ETAG, etag)));
        headers.extend(encoding.map(|name| (header::CONTENT_ENCODING, HeaderValue::from_static(name))));
        response
    }
}

/// A copy that the browser can unpack.
fn compressed(name: &str, asked: &HeaderMap) -> Option<(&'static str, Vec<u8>)> {
    let accepted = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok())?;
    let accepts = |encoding: &str| {
        accepted.split(',').any(|one| {
            let mut parts = one.split(';').map(str::trim);
            parts.next() == Some(encoding) && parts.next().is_none_or(|weight| weight != "q=0")
        })
    };
    let copies = ENCODINGS.iter().filter(|(encoding, _)| accepts(encoding));
    let mut found = copies.filter_map(|(encoding, ending)| Some((*encoding, Files::get(&format!("{name}.{ending}"))?)));
    found.next().map(|(encoding, file)| (encoding, file.data.into_owned()))
}

/// Whether the client has what this tag stands for. Proxies that compress mark a tag as weak, which makes no difference.
pub(crate) fn is_known(etag: &str, asked: &HeaderMap) -> bool {
    let given = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = given.flat_map(|line| line.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
