//! The requests in the book's page on the server are sent, and must be answered as it says.
//!
//! ```text
//! POST /api/v1/roll                a block marked `http`: a request,
//! {"text":"d6"}                    its body,
//!
//! 200 application/json             and after an empty line the status, the kind of the answer, and the answer if
//! {"value":…}                      it is shown, with `…` for anything
//! ```

use crate::client::Server;

const PAGE: &str = include_str!("../../../../docs/book/src/serve.md");

fn check(server: &Server, block: &str) {
    let (asked, answered) = block.split_once("\n\n").unwrap();
    let mut lines = asked.lines();
    let (method, path) = lines.next().unwrap().split_once(' ').unwrap();
    let body: String = lines.collect::<Vec<_>>().join("\n");
    let reply = match method {
        "GET" => server.get(path),
        _ => server.post(path, &body),
    };
    let (head, wanted) = answered.split_once('\n').unwrap_or((answered, ""));
    assert_eq!(format!("{} {}", reply.status, reply.header("content-type")), head, "{block}");
    let text = reply.text();
    match wanted.trim_end().split_once('…') {
        None if wanted.is_empty() => {}
        None => assert_eq!(text, wanted.trim_end()),
        Some((start, end)) => assert!(text.starts_with(start) && text.ends_with(end), "{text} is not {wanted}"),
    }
}

#[test]
fn the_requests_of_the_book_are_answered() {
    let server = Server::patient();
    let blocks: Vec<&str> = PAGE.split("```http\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    assert!(blocks.len() >= 4, "{blocks:?}");
    blocks.iter().for_each(|block| check(&server, block));
}
