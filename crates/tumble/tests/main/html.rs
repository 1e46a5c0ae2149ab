//! The table in HTML: well-formed, complete and bounded.

use tumble::render::html::{MOST_ROWS, page, table};
use tumble::render::{Look, Series, format, render};
use tumble::{Answer, Options, Vars, compile};

fn series(notation: &str, text: &str) -> Series {
    let prepared = compile(notation, text, &Vars::new()).unwrap();
    let odds = prepared.odds(&Options::default()).unwrap();
    Series::new(prepared, Answer::Exact(odds, None))
}

fn written(notation: &str, texts: &[&str]) -> String {
    let html = table(&texts.iter().map(|text| series(notation, text)).collect::<Vec<_>>());
    balanced(&html);
    html
}

/// Every tag is closed in its order, every row has a cell per column, and nothing is left unescaped.
fn balanced(html: &str) {
    let (mut open, mut cells) = (Vec::new(), Vec::new());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{html}");
        let (tag, after) = rest[start + 1..].split_once('>').unwrap();
        rest = after;
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{html}"),
            None if tag == "br" => {}
            None => {
                let name = tag.split(' ').next().unwrap();
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                match name {
                    "tr" => cells.push(0),
                    "th" | "td" => *cells.last_mut().unwrap() += 1,
                    _ => {}
                }
                open.push(name);
            }
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{html}");
    assert!(cells.windows(2).all(|two| two[0] == two[1]), "{html}");
}

fn labels(html: &str) -> Vec<&str> {
    html.split("<th scope=\"row\">").skip(1).map(|rest| rest.split("</th>").next().unwrap()).collect()
}

#[test]
fn numbers_go_from_the_joint_minimum_to_the_joint_maximum() {
    let html = written("nice", &["2d2", "-1", "2 * d2 + 1"]);
    assert_eq!(labels(&html), ["-1", "0", "1", "2", "3", "4", "5"]);
    let head = "<thead>\n<tr><th scope=\"col\">Outcome</th><th scope=\"col\">2d2</th><th scope=\"col\">-1</th>";
    assert!(html.contains(head), "{html}");
    assert!(html.contains("<tr><th scope=\"row\">0</th><td style=\"--size: 0.0000\"><span class=\"data\">–</span>"));
    assert_eq!(labels(&written("nice", &["2(d4+1)"])), ["4", "5", "6", "7", "8", "9", "10"]);
}

#[test]
fn sizes_are_shares_of_the_largest_and_nothing_possible_is_zero() {
    let html = written("nice", &["2d2", "d4 > 1"]);
    for cell in [
        "--size: 1.0000\"><span class=\"data\">75.00 % (3/4)",
        "--size: 0.6667\"><span class=\"data\">50.00 % (1/2)",
        "--size: 0.3333\"><span class=\"data\">25.00 % (1/4)",
        "d4 &gt; 1",
    ] {
        assert!(html.contains(cell), "{cell}: {html}");
    }
    let rare = written("nice", &["(10d6 = 60) * 2", "7"]);
    assert!(rare.contains("&lt;0.01 %") && rare.contains("&gt;99.99 %") && rare.contains(">100.00 %"), "{rare}");
}

#[test]
fn texts_and_collections_are_rows_too() {
    let html = written("troll", &["2d2", "\"<b>&'\" || d2", "d3"]);
    let wanted = ["1", "2", "3", "[1, 1]", "[1, 2]", "[2, 2]", "&lt;b&gt;&amp;&#39;1 ", "&lt;b&gt;&amp;&#39;2 "];
    assert_eq!(labels(&html), wanted, "{html}");
    assert!(written("troll", &["\"a\" |> \"b\""]).contains("a<br>b"));
}

#[test]
fn what_is_not_listed_has_a_row() {
    let one = written("troll", &["sum accumulate x := d6 while x = 6"]);
    assert!(labels(&one).last().unwrap().starts_with("above "), "{one}");
    let two = written("troll", &["sum accumulate x := d6 while x = 6", "d6"]);
    assert_eq!(labels(&two).last(), Some(&"not listed"));
    assert!(two.contains("lies above the last one"), "{two}");
}

#[test]
fn a_table_has_a_limit() {
    for (notation, text) in [
        ("nice", "d2000"),
        ("nice", "2d2000"),
        ("nice", "(d2 - 1) * 9000000000000000000 * ((d2 - 1) * 2 - 1)"),
        ("troll", "6d9"),
    ] {
        let html = written(notation, &[text]);
        assert!(labels(&html).len() <= MOST_ROWS + 1, "{text}: {} rows", labels(&html).len());
    }
    let html = written("nice", &["d2000", "1"]);
    assert_eq!(labels(&html)[0], "0 … 9");
    assert!(html.contains("each row of numbers holds 10 of them"), "{html}");
}

#[test]
fn no_column_is_an_empty_table() {
    balanced(&table(&[]));
}

#[test]
fn a_page_stands_on_its_own() {
    let page = page(&[series("nice", "2d2 < 4")]);
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>Odds: 2d2 &lt; 4</title>"), "{page}");
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("class=\"charts-css bar"), "{page}");
    assert!(!page.contains("http"), "{page}");
}

#[test]
fn a_page_has_a_heading_and_a_line_for_each_roll() {
    let rolls = [series("nice", "2d2"), series("nice", "d4 > 1")];
    let plain = page(&rolls);
    assert!(plain.contains("<h1>2d2 and d4 &gt; 1</h1>"), "{plain}");
    assert!(plain.contains("3 outcomes, exact<br>d4 &gt; 1: mean"), "{plain}");
    for (title, heading) in [("a <b>\nc", "<h1>a &lt;b&gt; c</h1>"), ("two", "<h1>two</h1>")] {
        let look = Look { title: Some(title.to_owned()), ..Look::default() };
        let html = render(format("html").unwrap(), &rolls, &look).unwrap();
        assert!(String::from_utf8(html).unwrap().contains(heading), "{title}");
        let svg = String::from_utf8(render(format("svg").unwrap(), &rolls, &look).unwrap()).unwrap();
        assert!(svg.contains(&heading.replace("h1", "title")) && svg.contains("2d2"), "{svg}");
    }
}
