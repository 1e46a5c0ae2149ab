//! Pages and pictures: headers, caches, compressed files, previews, frames. What needs the page itself is seen where it was
//! built (`cargo xtask web`); a build without it has a page that says so.

use crate::client::{Ask, Reply, Server};

/// Whether the page was built.
fn has_page() -> bool {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/index.html")).exists()
}

fn ask(server: &Server, path: &str, headers: &[(&'static str, &str)]) -> Reply {
    let ask = headers.iter().fold(Ask::get(path), |ask, (name, value)| ask.with(name, value));
    server.client().ask(&ask)
}

/// Every answer has these, whatever it is.
#[test]
fn browsers_are_told_to_be_careful() {
    let server = Server::patient();
    for path in
        ["/", "/?embed=1", "/openapi.json", "/nothing", "/odds.svg?text=d6", "/odds.png?text=d6", "/api/v1/odds"]
    {
        let reply = server.get(path);
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert!(!reply.header("cache-control").is_empty(), "{path}");
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") || policy.contains("default-src 'self'"), "{path}: {policy}");
        let frames = has_page() && path == "/?embed=1";
        assert_eq!(!policy.contains("frame-ancestors 'none'"), frames, "{path}: {policy}");
    }
}

#[test]
fn the_first_page_is_there_with_or_without_node() {
    let server = Server::patient();
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.text().contains("cargo xtask web"), !has_page(), "{}", page.text());
}

#[test]
fn a_picture_that_is_known_is_not_sent_again() {
    let server = Server::patient();
    for (path, kind, start) in [
        ("/odds.svg?text=4d6kh3", "image/svg+xml", &b"<svg "[..]),
        ("/odds.png?text=sum+3d6&notation=troll", "image/png", b"\x89PNG"),
        (
            "/odds.svg?notation=troll&text=sum+3d6&show=at-least&theme=dark&title=Classic&size=600x300",
            "image/svg+xml",
            b"<svg ",
        ),
    ] {
        let first = server.get(path);
        assert_eq!((first.status, first.header("content-type")), (200, kind), "{path} {}", first.text());
        assert!(first.body.starts_with(start), "{path}");
        assert_eq!(first.header("cache-control"), "public, max-age=3600");
        let tag = first.header("etag");
        for given in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let again = ask(&server, path, &[("If-None-Match", &given)]);
            assert_eq!((again.status, again.header("etag")), (304, tag), "{path} {given}");
        }
        assert_eq!(ask(&server, path, &[("If-None-Match", "\"x\"")]).status, 200);
    }
    assert!(server.get("/odds.svg?text=4d6kh3&name=%3Cb%3E").text().contains("&lt;b&gt;"));
}

#[test]
fn a_head_has_everything_but_the_body() {
    let server = Server::patient();
    for path in ["/", "/openapi.json", "/odds.svg?text=d6", "/api/v1/notations", "/nothing"] {
        let (get, mut client) = (server.get(path), server.client());
        let head = client.ask(&Ask { method: "HEAD", ..Ask::get(path) });
        assert_eq!((head.status, head.header("content-type")), (get.status, get.header("content-type")), "{path}");
        assert_eq!(head.header("content-length"), get.header("content-length"), "{path}");
        // The next answer on this connection is whole.
        assert_eq!(client.ask(&Ask::get("/openapi.json")).status, 200, "{path}");
    }
}

#[test]
fn files_are_compressed_and_kept() {
    let server = Server::patient();
    let page = server.get("/").text();
    let Some(script) = page.split('"').find(|part| part.contains("assets/") && part.ends_with(".js")) else {
        assert!(!has_page(), "no script in {page}");
        return;
    };
    let path = format!("/{}", script.trim_start_matches(['.', '/']));
    let plain = server.get(&path);
    assert_eq!((plain.status, plain.header("content-type")), (200, "text/javascript"), "{path}");
    assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
    let mut sizes = vec![plain.body.len()];
    for (accepted, encoding) in [("gzip, deflate", "gzip"), ("gzip, deflate, br", "br"), ("br;q=0, gzip", "gzip")] {
        let packed = ask(&server, &path, &[("Accept-Encoding", accepted)]);
        assert_eq!((packed.header("content-encoding"), packed.header("vary")), (encoding, "Accept-Encoding"));
        sizes.push(packed.body.len());
    }
    assert!(sizes[2] < sizes[1] && sizes[1] < sizes[0], "{sizes:?}");
    assert_eq!(ask(&server, &path, &[("If-None-Match", plain.header("etag"))]).status, 304);
    assert_eq!(server.get(&format!("{path}.br")).status, 404);
}

/// What a chat shows for a link: the rolls, their means and their chart. Texts are text.
#[test]
fn a_link_has_a_preview() {
    if !has_page() {
        return;
    }
    let server = Server::with(|config| {
        config.public_url = Some("https://dice.example.org".parse().unwrap());
        config.strangers.per_second = 1_000;
    });
    let page = server.get("/?roll=4d6kh3&roll=3d6&as=Classic").text();
    for part in [
        "<title>4d6kh3 · Classic · Tumble</title>",
        "property=\"og:description\" content=\"4d6kh3: mean 12.24, standard deviation 2.85 · Classic: mean 10.50",
        "property=\"og:image\" content=\"https://dice.example.org/odds.png?roll=4d6kh3&amp;roll=3d6&amp;as=Classic\"",
    ] {
        assert!(page.contains(part), "{part} in {}", &page[..2_000.min(page.len())]);
    }
    let hostile = server.get("/?roll=d6&as=%3Cscript%3E%E2%80%AE%22").text();
    assert!(hostile.contains("<title>&lt;script&gt;\\u{202e}&quot; · Tumble</title>"), "{}", &hostile[..500]);
    assert!(!server.get("/?roll=3d").text().contains("og:title"), "an error has no preview");
}
