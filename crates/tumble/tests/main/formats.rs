//! Every format takes every kind of distribution, and charts are well-formed.

use tumble::render::chance::{Chance, Question, chance};
use tumble::render::{FORMATS, Look, Series, Show, Theme, format, format_of, render, width};
use tumble::{Answer, Fraction, Limits, Options, Query, Sampling, Vars, compile};

/// Texts whose outcomes are of every kind: few, many, huge, far apart, rare, open, texts, pools, pairs.
const TEXTS: &[&str] = &[
    "d6",
    "7",
    "sum largest 3 4d6",
    "d100",
    "sum 40d6",
    "d2000",
    "1000000000000 * d3",
    "-9223372036854775807 + d2",
    "(d2 - 1) * 9000000000000000000",
    "sum accumulate x := d6 while x = 6",
    "accumulate x := d2 until x = 2",
    "2d6",
    "6d9",
    "[d2, 2d2]",
    "\"<b>&'|`*_ [a], b\" |> d2",
    "{}",
];

fn series(text: &str) -> Series {
    let prepared = compile("troll", text, &Vars::new()).unwrap();
    let odds = prepared.odds(&Options::default()).unwrap();
    Series::new(prepared, Answer::Exact(odds, None))
}

fn near(text: &str) -> Series {
    let prepared = compile("troll", text, &Vars::new()).unwrap();
    let how = Sampling { rolls: Some(2000), seed: 7, threads: 1, stop: None, progress: |_, _| {} };
    let wanted = Query { approx: true, samples: Some(2000), seed: Some(7), ..Query::default() };
    let limits = Limits { steps: 10_000, ..Limits::default() };
    let answer = prepared.ask(&wanted, &limits, &how).unwrap();
    assert!(matches!(answer, Answer::Approximate(..)), "{text}");
    Series::new(prepared, answer)
}

fn written(name: &str, series: &[Series], look: &Look) -> String {
    String::from_utf8(render(format(name).unwrap(), series, look).unwrap()).unwrap()
}

/// Alone, in twos, all at once, none, and approximate ones.
fn cases() -> Vec<Vec<Series>> {
    let mut all: Vec<Series> = TEXTS.iter().map(|text| series(text)).collect();
    all.push(series("d2").titled("<b>&\"'\u{1}\u{ffff}"));
    let mut cases: Vec<Vec<Series>> = all.iter().map(|one| vec![one.clone()]).collect();
    cases.extend(all.windows(2).map(<[Series]>::to_vec));
    cases.extend([all, vec![], vec![near("sum different 99d99")], vec![near("9d99"), series("d6")]]);
    cases
}

#[test]
fn every_format_takes_every_distribution() {
    for case in cases() {
        for format in FORMATS.iter().filter(|format| !format.binary) {
            let text = written(format.name, &case, &Look::default());
            assert!(case.is_empty() || !text.is_empty(), "{}", format.name);
            if format.name == "text" {
                let long = text.lines().find(|line| width(line) > 80 && !case.iter().any(|one| one.title() == *line));
                assert_eq!(long, None);
            }
        }
    }
}

#[test]
fn charts_are_well_formed() {
    for case in cases() {
        for (_, theme) in Theme::ALL {
            let svg = written("svg", &case, &Look { theme: *theme, ..Look::default() });
            let tree = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
            let root = tree.root_element();
            let named =
                |name: &str| root.children().any(|child| child.has_tag_name(("http://www.w3.org/2000/svg", name)));
            assert!(named("title") && named("desc") && named("style"), "{svg}");
            let role = |role: &str| tree.descendants().filter(|node| node.attribute("role") == Some(role)).count();
            assert_eq!(role("table"), 1);
            assert_eq!(role("cell"), role("rowheader") * case.len(), "{svg}");
            assert!(role("rowheader") <= 101, "{svg}");
            assert_eq!(svg.contains("prefers-color-scheme"), *theme == Theme::Auto);
            assert!(!svg.contains("NaN") && !svg.contains("inf "), "{svg}");
        }
    }
}

#[test]
#[cfg(feature = "png")]
fn a_picture_has_letters() {
    let png = |text: &str| render(format("png").unwrap(), &[series(text).titled(text)], &Look::default()).unwrap();
    assert!(png("d6").starts_with(b"\x89PNG"));
    // Without a font both would be the same picture.
    assert_ne!(render(format("png").unwrap(), &[series("d6").titled("a")], &Look::default()), Ok(png("d6")));
}

#[test]
fn csv_holds_every_fraction() {
    let csv =
        written("csv", &[series("sum 60d6")], &Look { show: vec![Show::Exactly, Show::AtLeast], ..Look::default() });
    let fraction = |line: &str| line.split(',').nth(2).unwrap().parse::<Fraction>().unwrap();
    let sum = csv.lines().skip(1).map(fraction).fold(Fraction::zero(), |sum, one| &sum + &one);
    assert_eq!(sum, Fraction::one());
    assert!(csv.lines().nth(1).unwrap().ends_with(",1,1.0"), "{csv}");
}

#[test]
fn cumulated_columns_are_those_of_the_odds() {
    for text in ["sum largest 3 4d6", "sum accumulate x := d6 while x = 6", "0 - sum accumulate x := d4 while x = 4"] {
        let one = series(text);
        let Answer::Exact(odds, _) = one.answer() else { panic!("{text}") };
        let csv = written(
            "csv",
            std::slice::from_ref(&one),
            &Look { show: vec![Show::AtLeast, Show::AtMost], ..Look::default() },
        );
        for (line, value) in csv.lines().skip(1).zip(odds.values()) {
            let fields: Vec<&str> = line.split(',').collect();
            for (field, known) in [(2, odds.at_least(value)), (4, odds.at_most(value))] {
                if let (Some(known), false) = (known, fields[field].is_empty()) {
                    assert_eq!(known, fields[field].parse().unwrap(), "{text}: {line}");
                }
            }
        }
    }
}

/// The chance of at least `n`, counted by hand.
fn by_hand(text: &str, n: i64) -> Fraction {
    let rolls = |count: u32| {
        let die = |all: u64, i: u32| (all / 6u64.pow(i) % 6) as i64 + 1;
        (0..6u64.pow(count)).map(move |all| (0..count).map(|i| die(all, i)).collect::<Vec<i64>>())
    };
    let share = |held: usize, count: u32| Fraction::ratio(held as i64, 6u64.pow(count));
    match text {
        "sum largest 3 4d6" => {
            let best = |roll: &Vec<i64>| roll.iter().sum::<i64>() - roll.iter().min().unwrap();
            share(rolls(4).filter(|roll| best(roll) >= n).count(), 4)
        }
        "d6 - d6" => share(rolls(2).filter(|roll| roll[0] - roll[1] >= n).count(), 2),
        // So many sixes in a row, then a die that shows the rest or more; a total is never 6 or a multiple of it.
        _ if n <= 1 => Fraction::one(),
        _ => Fraction::ratio(7 - ((n - 1) % 6 + 1), 6u64.pow((n - 1) as u32 / 6 + 1)),
    }
}

#[test]
fn one_number_is_that_of_the_odds() {
    for text in ["sum largest 3 4d6", "sum accumulate x := d6 while x = 6", "d6 - d6"] {
        let one = series(text);
        for n in -7..20 {
            let (here, next) = (by_hand(text, n), by_hand(text, n + 1));
            for (question, known) in [
                (Question::AtLeast(n), here.clone()),
                (Question::AtMost(n), &Fraction::one() - &next),
                (Question::Exactly(n.to_string()), &here - &next),
            ] {
                assert_eq!(chance(&one, &question).unwrap(), Chance::Exact(known), "{text} {question:?}");
            }
        }
    }
    let open = series("sum accumulate x := d6 while x = 6");
    // 33 sixes, and then at least a 2: far beyond the list, and still exact.
    let far = chance(&open, &Question::AtLeast(200)).unwrap();
    assert_eq!(far, Chance::Exact("5/286511799958070431838109696".parse().unwrap()));
    let unseen = chance(&open, &Question::AtLeast(1_000_000)).unwrap();
    assert!(matches!(unseen, Chance::Between(low, _) if low.is_zero()));
    assert!(chance(&series("2d6"), &Question::AtLeast(3)).is_err());
    let pool = chance(&series("2d2"), &Question::Exactly("[1, 2]".into())).unwrap();
    assert_eq!(pool, Chance::Exact(Fraction::ratio(1, 2)));
}

/// What a chart says to who cannot see it: each row with its cells.
fn heard(svg: &str) -> Vec<Vec<String>> {
    let tree = roxmltree::Document::parse(svg).unwrap();
    let rows = tree.descendants().filter(|node| node.attribute("role") == Some("row"));
    rows.map(|row| row.children().filter_map(|cell| cell.text().map(str::to_owned)).collect()).collect()
}

#[test]
fn pictures_show_what_is_asked_for() {
    let look = |show: &[Show]| Look { show: show.to_vec(), ..Look::default() };
    let both = [series("2 * d3"), series("d4")];
    let svg = written("svg", &both, &look(&[Show::AtLeast]));
    let expected = [
        ["Outcome", "2 * d3, at least", "d4, at least"],
        ["1", "100 %", "100 %"],
        ["2", "100 %", "75.0 %"],
        ["3", "66.7 %", "50.0 %"],
        ["4", "66.7 %", "25.0 %"],
        ["5", "33.3 %", "0 %"],
        ["6", "33.3 %", "0 %"],
    ];
    assert_eq!(heard(&svg), expected);
    assert!(svg.contains("2 * d3 and d4: at least"), "{svg}");
    let svg = written("svg", &both[..1], &look(&[Show::Exactly, Show::AtMost]));
    assert_eq!(heard(&svg)[1..4], [["2", "33.3 %", "33.3 %"], ["3", "0 %", "33.3 %"], ["4", "33.3 %", "66.7 %"]]);
    let html = written("html", &both, &look(&[Show::AtMost]));
    assert!(html.contains("<th scope=\"col\">2 * d3, at most</th>"), "{html}");
    let row = "<tr><th scope=\"row\">3</th><td style=\"--size: 0.3333\"><span class=\"data\">33.33 %</span></td>\
               <td style=\"--size: 0.7500\"><span class=\"data\">75.00 %</span></td></tr>";
    assert!(html.contains(row), "{html}");
}

/// A range of numbers shows the chance of its first or more, and of its last or less.
#[test]
fn ranges_of_a_picture_are_summed_from_their_ends() {
    let svg = written("svg", &[series("d2000")], &Look { show: vec![Show::AtLeast, Show::AtMost], ..Look::default() });
    let rows = heard(&svg);
    assert_eq!(rows[1], ["0 … 49", "100 %", "2.5 %"]);
    assert_eq!(rows[2], ["50 … 99", "97.6 %", "5.0 %"]);
    assert_eq!(rows.last().unwrap(), &["2000 … 2049", "0.05 %", "100 %"]);
}

#[test]
fn what_has_no_order_is_refused_in_pictures() {
    for name in ["svg", "html"] {
        let look = Look { show: vec![Show::AtLeast], ..Look::default() };
        let refused = render(format(name).unwrap(), &[series("2d6")], &look);
        assert!(refused.unwrap_err().message.contains("at least"), "{name}");
    }
    let open = [series("sum accumulate x := d6 while x = 6"), series("999")];
    let svg = written("svg", &open, &Look { show: vec![Show::AtLeast], ..Look::default() });
    // What can happen is never none.
    assert!(heard(&svg).iter().any(|row| row[1] == "<0.01 %"), "{svg}");
}

#[test]
fn the_ending_of_a_file_tells_the_format() {
    for (file, name) in
        [("a.svg", Some("svg")), ("b/c.CSV", Some("csv")), ("x.txt", Some("text")), ("odds", None), ("a.doc", None)]
    {
        assert_eq!(format_of(file).map(|format| format.name), name, "{file}");
    }
}
