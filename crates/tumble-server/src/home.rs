//! The first page, and what a link to it shows in a chat: the rolls as its title, their means, and their chart.

use crate::app::{App, Shared};
use crate::describe::wrong_method;
use crate::link::Link;
use crate::net::Client;
use crate::problem::Problem;
use axum::extract::{Extension, OriginalUri, RawQuery, State};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use tumble::render::{Series, visible};
use tumble::{Answer, Limits};

/// `/` with a query
pub(crate) async fn home(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let link = Link::read(&query);
    let embed = link.embed;
    let preview = preview(&app, client, link).await;
    let place = origin(&app, &headers);
    app.page.index(embed, |page| match preview {
        Some((title, about)) => with(page, &title, &about, &format!("{place}/odds.png?{query}")),
        None => page,
    })
}

/// The page of a table: the app finds out by itself where it is. Its address is deeper than the files of the app, which are
/// at the root here.
pub(crate) async fn table(State(app): State<Shared>) -> Response {
    app.page.index(false, |page| at_root(&page))
}

/// The page with the addresses of its files from the root of the host.
fn at_root(page: &str) -> String {
    page.replace("=\"./", "=\"/")
}

/// Every other file of the page.
pub(crate) async fn file(
    State(app): State<Shared>,
    method: Method,
    headers: HeaderMap,
    OriginalUri(uri): OriginalUri,
) -> Result<Response, Problem> {
    let found = app.page.file(uri.path().trim_start_matches('/'), &headers)?;
    if method == Method::GET || method == Method::HEAD {
        return Ok(found);
    }
    Ok(([(header::ALLOW, "GET,HEAD")], wrong_method(method).await).into_response())
}

/// What the odds say, if there is a roll and time for it: the page works it out by itself anyway.
async fn preview(app: &App, client: Client, link: Link) -> Option<(String, String)> {
    if link.rolls.iter().all(|roll| roll.is_empty()) || app.rate.check(&client).is_err() {
        return None;
    }
    let title = link.words();
    let about = app.work.run(client, move |limits| about(&link, limits)).await.ok()??;
    Some((title, about))
}

fn about(link: &Link, limits: &Limits) -> Option<String> {
    let series = link.series(limits).ok()?;
    let sentences: Vec<String> = series.iter().filter_map(mean).collect();
    (!sentences.is_empty()).then(|| sentences.join(" · "))
}

/// `4d6kh3: mean 12.24, standard deviation 2.85`
fn mean(series: &Series) -> Option<String> {
    let Answer::Exact(odds, _) = series.answer() else { return None };
    let (mean, variance) = (odds.mean()?, odds.variance()?);
    let deviation = variance.to_f64().sqrt();
    Some(format!("{}: mean {}, standard deviation {deviation:.2}", series.roll(), mean.decimal(2)))
}

/// Where a browser finds us.
pub(crate) fn origin(app: &App, headers: &HeaderMap) -> String {
    match &app.config.public_url {
        Some(url) => url.to_string(),
        None => {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
            format!("http://{host}")
        }
    }
}

/// The page with another title, and with what link previews read.
fn with(page: String, title: &str, about: &str, picture: &str) -> String {
    let [title, about, picture] = [title, about, picture].map(escaped);
    let tags = [("og:title", &title), ("og:description", &about), ("og:image", &picture)]
        .map(|(name, value)| format!("<meta property=\"{name}\" content=\"{value}\" />"));
    let card = "<meta name=\"twitter:card\" content=\"summary_large_image\" /><meta property=\"og:type\" content=\"website\" />";
    let page = match (page.find("<title>"), page.find("</title>")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}<title>{title} · Tumble{}", &page[..start], &page[end..])
        }
        _ => page,
    };
    page.replacen("</head>", &format!("{}{card}</head>", tags.concat()), 1)
}

/// Text as text in HTML, also in quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_address_finds_the_files_of_the_app() {
        let page = r#"<link href="./icon.svg" /><script type="module" src="./assets/index.js"></script><p>./</p>"#;
        let expected = r#"<link href="/icon.svg" /><script type="module" src="/assets/index.js"></script><p>./</p>"#;
        assert_eq!(at_root(page), expected);
    }

    #[test]
    fn a_preview_is_text() {
        let page = "<head><title>Tumble</title></head><body></body>".to_owned();
        let shown = with(page, "<script>\u{202e}", "\"a\" & b", "http://x/odds.png?roll=d6&in=troll");
        assert_eq!(
            shown,
            "<head><title>&lt;script&gt;\\u{202e} · Tumble</title>\
             <meta property=\"og:title\" content=\"&lt;script&gt;\\u{202e}\" />\
             <meta property=\"og:description\" content=\"&quot;a&quot; &amp; b\" />\
             <meta property=\"og:image\" content=\"http://x/odds.png?roll=d6&amp;in=troll\" />\
             <meta name=\"twitter:card\" content=\"summary_large_image\" />\
             <meta property=\"og:type\" content=\"website\" /></head><body></body>"
        );
    }
}
