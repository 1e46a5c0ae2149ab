//! Sweeps, curves and grids: every number is the one that the odds themselves give, and every format takes every study.

use tumble::render::chance::{Chance, Question, chance};
use tumble::render::effects::{View, undrawable};
use tumble::render::{Axis, FORMATS, Look, Series, Show, Study, Theme, format};
use tumble::{Fraction, Limits, Odds, Options, Query, Sampling, Value, Vars, compile};

fn odds(text: &str, case: &[(String, i64)]) -> Odds {
    let vars: Vars = case.iter().cloned().collect();
    compile("tabletop", text, &vars).unwrap().odds(&Options::default()).unwrap()
}

/// The study of these rolls; some cells are missing if `gaps`.
fn study(texts: &[&str], axes: &[(&str, &str)], questions: &[Question], gaps: bool) -> Study {
    let axes = axes.iter().map(|(name, values)| Axis::read(name, values).unwrap()).collect();
    let mut study = Study::new(texts.len(), axes, questions.to_vec()).unwrap();
    for (roll, text) in texts.iter().enumerate() {
        for (place, case) in study.cases().into_iter().enumerate() {
            if gaps && place % 3 == 1 {
                continue;
            }
            let prepared = compile("tabletop", text, &case.iter().cloned().collect()).unwrap();
            study.put(roll, place, Series::new(prepared, odds(text, &case)));
        }
    }
    study
}

fn written(study: &Study, name: &str, look: &Look) -> String {
    String::from_utf8(study.write(format(name).unwrap(), look).unwrap()).unwrap()
}

#[test]
fn every_cell_of_a_grid_is_the_answer_for_its_values() {
    for (text, question) in
        [("(@n)d6kh2 + @b", Some(8)), ("(@n)d6! + @b", Some(60)), ("(@n)d4 >= @b", None), ("(@n)d6 - @b", None)]
    {
        let questions: Vec<Question> = question.map(Question::AtLeast).into_iter().collect();
        let grid = study(&[text], &[("n", "2..4"), ("b", "1,5,9")], &questions, false);
        let csv = written(&grid, "csv", &Look::default());
        for (line, case) in csv.lines().skip(1).zip(grid.cases()) {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!([fields[1], fields[2]], [case[0].1.to_string(), case[1].1.to_string()], "{line}");
            let odds = odds(text, &case);
            let known = match question {
                Some(n) => odds.at_least(&Value::int(n)).unwrap(),
                // The mean of what is 0 or 1 is the chance of 1.
                None => odds.mean().unwrap(),
            };
            let fraction = fields[fields.len() - 2];
            assert_eq!(fraction.parse::<Fraction>().unwrap(), known, "{text}: {line}");
        }
        assert_eq!(csv.lines().count(), 10, "{csv}");
    }
}

#[test]
fn ranges_and_several_outcomes_are_sums() {
    for text in ["2d6", "d6!", "0 - d6!", "3d6! + d4", "d6! - d6!"] {
        let prepared = compile("tabletop", text, &Vars::new()).unwrap();
        let series = Series::new(prepared, odds(text, &[]));
        let exact = |question: &Question| match chance(&series, question).unwrap() {
            Chance::Exact(chance) => Some(chance),
            _ => None,
        };
        for (low, high) in [(2, 4), (5, 5), (-3, 7), (6, 300), (-300, -2), (400, 500)] {
            let several: Vec<String> = (low..=high).map(|n| n.to_string()).collect();
            let range = exact(&Question::Between(low, high));
            let rest = exact(&Question::AtLeast(low)).zip(exact(&Question::AtLeast(high + 1)));
            if let (Some(range), Some((from, beyond))) = (&range, &rest) {
                assert_eq!(*range, from - beyond, "{text}: {low} to {high}");
            }
            assert!(range.is_some() || rest.is_none(), "{text}: {low} to {high}");
            if let (Some(range), Some(any)) = (&range, exact(&Question::AnyOf(several.clone()))) {
                assert_eq!(*range, any, "{text}: {low} to {high}");
                assert_eq!(exact(&Question::Exactly(several.join(", "))), Some(any), "{text}");
            }
        }
    }
}

/// Rolls, variables with their values, and questions.
type Case = (&'static [&'static str], &'static [(&'static str, &'static str)], Vec<Question>);

fn cases() -> Vec<Case> {
    let least = |n| Question::AtLeast(n);
    vec![
        (&["d6"], &[], vec![least(3)]),
        (&["d6", "d8"], &[], vec![least(3), Question::Between(2, 5)]),
        (&["d6 + @a"], &[("a", "1..3")], vec![]),
        (&["d6 + @a"], &[("a", "7")], vec![least(9)]),
        (&["d6 + @a", "<b>&'"], &[("a", "-5,1000000000000000000")], vec![least(3), Question::Exactly("7,9".into())]),
        (&["(@a)d6!"], &[("a", "1..40")], vec![Question::Between(3, 500)]),
        (&["d20 + @a >= @b"], &[("a", "0..2"), ("b", "10..60")], vec![]),
        (&["d20 + @a + @b", "d6 * @a - @b"], &[("a", "0..30"), ("b", "1")], vec![]),
        (&["d20 + @a - @b"], &[("a", "3"), ("b", "4")], vec![least(-100), least(100)]),
    ]
}

#[test]
fn every_format_takes_every_study() {
    for (texts, axes, questions) in cases() {
        let texts: Vec<&str> = texts.iter().map(|text| if text.starts_with('<') { "d4 + @a" } else { text }).collect();
        for gaps in [false, true] {
            let study = study(&texts, axes, &questions, gaps);
            for format in FORMATS.iter().filter(|format| !format.binary) {
                for look in looks() {
                    let found = study.write(format, &look);
                    if undrawable(study.view(), format.name).is_some() {
                        assert!(found.is_err());
                        continue;
                    }
                    let text = String::from_utf8(found.unwrap()).unwrap();
                    assert!(!text.is_empty() && !text.contains("NaN") && !text.contains("inf\""), "{text}");
                    if format.name == "svg" {
                        let tree = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
                        let size = |name: &str| tree.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
                        let (wide, high) = look.size.unwrap_or((800, None));
                        assert!((size("width") - f64::from(wide)).abs() < 1.0);
                        assert!(high.is_none_or(|high| (size("height") - f64::from(high)).abs() < 1.0), "{text}");
                    }
                }
            }
        }
    }
}

fn looks() -> Vec<Look> {
    vec![
        Look::default(),
        Look { theme: Theme::Dark, size: Some((100, Some(100))), show: vec![Show::Fraction], ..Look::default() },
        Look { size: Some((3000, Some(120))), title: Some("<&>".to_owned()), width: 40, ..Look::default() },
    ]
}

#[test]
fn an_approximate_curve_has_bounds() {
    let mut study = Study::new(1, vec![Axis::read("n", "998..999").unwrap()], vec![Question::AtLeast(21)]).unwrap();
    let how = Sampling { rolls: Some(500), seed: 7, threads: 1, stop: None, progress: |_, _| {} };
    let query = Query { approx: true, samples: Some(500), seed: Some(7), ..Query::default() };
    for (place, case) in study.cases().into_iter().enumerate() {
        let prepared = compile("troll", "sum different {n d6, d5}", &case.into_iter().collect()).unwrap();
        let answer = prepared.ask(&query, &Limits { steps: 9999, ..Limits::default() }, &how).unwrap();
        study.put(0, place, Series::new(prepared, answer));
    }
    assert_eq!(study.view(), View::Curve);
    let csv = written(&study, "csv", &Look::default());
    assert!(csv.starts_with("roll,n,question,fraction,probability,low,high\n"), "{csv}");
    assert!(csv.contains(",998,at least 21,,1.0,0.9"), "{csv}");
    assert!(written(&study, "svg", &Look::default()).contains("not every number is exact"));
}
