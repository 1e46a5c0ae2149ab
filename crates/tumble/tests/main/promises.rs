//! What others rely on without reading the code: values that can be shared between threads, copied, printed
//! and read.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tumble::batch::{Request, Settings, Task};
use tumble::dice::{Fast, Recorded, Scripted, Seeded, Trace};
use tumble::render::chance::{Chance, Question};
use tumble::render::{Format, Look, Series};
use tumble::workings::{Explanation, Verified};
use tumble::{
    Answer, Approximate, Cache, Code, Data, Diagnostic, Drawn, Errors, Fault, Fraction, Interrupt, Limits, Luck,
    Notation, Odds, Options, Prepared, Program, Query, Rolled, Sampling, Span, Translation, Value, Vars,
};

fn shared<T: Debug + Send + Sync + 'static>() {}
fn copied<T: Clone + Debug + Send + Sync + 'static>() {}
fn printed<T: Display>() {}
fn read<T: FromStr>() {}
fn failure<T: Error + Clone + PartialEq + Send + Sync + 'static>() {}

macro_rules! all {
    ($check:ident: $($kind:ty),*) => { $($check::<$kind>();)* };
}

/// This is checked when it is compiled.
#[test]
fn types_keep_their_promises() {
    all!(copied: Prepared, Odds, Rolled, Value, Data, Fraction, Limits, Options, Vars, Span, Program, Translation);
    all!(copied: Answer, Query, Approximate, Sampling, Luck, Drawn, Trace, Seeded, Scripted, Recorded, Fast, Fault);
    all!(copied: Series, Format, Look, Chance, Question, Request, Task, Settings, Explanation, Verified);
    all!(shared: Cache, &'static Notation);
    all!(failure: Errors, Diagnostic);
    all!(printed: Prepared, Odds, Rolled, Value, Fraction, Errors, Diagnostic, Translation, Luck, Chance, Question);
    all!(read: Prepared, Fraction, Question);
}

#[test]
fn what_is_printed_can_be_read() {
    for text in ["4d6kh3", "d20 + 5 # attack", "6x(3d6)", "2d6!>3"] {
        let Ok(prepared) = text.parse::<Prepared>() else { continue };
        assert_eq!(prepared.to_string(), text);
        assert!(prepared.to_string().parse::<Prepared>().is_ok());
    }
    for fraction in ["0", "1", "-3", "25/108"] {
        assert_eq!(fraction.parse::<Fraction>().unwrap().to_string(), fraction);
    }
    for question in ["at least 15", "at most -2", "exactly 7", "exactly [1, 2]"] {
        assert_eq!(question.parse::<Question>().unwrap().to_string(), question);
    }
}

/// Far ends of what people write are answered within the limits: an outcome, its probability, and the mean.
#[test]
fn far_ends_are_answered() {
    let far = "20d{1,10,100,1000,10000,100000,1000000}";
    for (text, outcome, chance, mean) in [
        ("(d100)d100", 1, "1/10000", "10201/4"),
        ("(d100)d6 + 3", 4, "1/600", "719/4"),
        ("d1000 * d1000", 5040, "1/20000", "1002001/4"),
        ("d1000 % d1000", 999, "1/1000000", ""),
        ("3d6!x1000", 4, "1/72", ""),
        ("10d2!x1000", 10, "1/1024", ""),
        (far, 20, "1/79792266297612001", "22222220/7"),
    ] {
        let odds = text.parse::<Prepared>().unwrap().odds(&Options::default()).unwrap();
        assert_eq!(odds.probability(&Value::int(outcome)).to_string(), chance, "{text}");
        assert!(mean.is_empty() || odds.mean().unwrap().to_string() == mean, "{text}: {}", odds.mean().unwrap());
    }
    let highest = "100000d6kh1".parse::<Prepared>().unwrap().odds(&Options::default()).unwrap();
    let least = highest.probability(&Value::int(1));
    assert!(highest.len() == 6 && &least.to_string()[..2] == "1/");
}

#[test]
fn odds_are_printed_with_what_is_left() {
    let odds = |text: &str| text.parse::<Prepared>().unwrap().odds(&Options::default()).unwrap().to_string();
    assert_eq!(odds("2d2"), "2: 1/4, 3: 1/2, 4: 1/4");
    let open = odds("d4!");
    assert!(open.starts_with("1: 1/4, 2: 1/4, 3: 1/4, 5: 1/16, ") && open.contains(", not listed: 1/"), "{open}");
}

#[test]
fn questions_are_read_as_players_write_them() {
    for (text, question) in [
        (">= 15", Some(Question::AtLeast(15))),
        (">15", Some(Question::AtLeast(16))),
        ("<=-2", Some(Question::AtMost(-2))),
        ("< 3", Some(Question::AtMost(2))),
        ("= 7", Some(Question::Exactly("7".into()))),
        ("at least 15", Some(Question::AtLeast(15))),
        ("15+", Some(Question::AtLeast(15))),
        ("> 9223372036854775807", None),
        ("at least", None),
        (">= x", None),
        ("", None),
    ] {
        assert_eq!(text.parse::<Question>().ok(), question, "{text}");
    }
}

/// Who stops an answer gets none, also where an approximate one is allowed; before that nothing changes.
#[test]
fn an_answer_can_be_stopped() {
    let [never, now] = [false, true].map(|set| Interrupt::when(&Arc::new(AtomicBool::new(set))));
    for text in ["4d6kh3", "5d10!!kh3", "{d8!, d6!}kh1", "(d4)d6"] {
        let prepared: Prepared = text.parse().unwrap();
        let ask = |interrupt: Interrupt, approx: bool| {
            let limits = Limits { interrupt, ..Limits::default() };
            prepared.ask(&Query { approx, ..Query::default() }, &limits, &Sampling::default())
        };
        for approx in [false, true] {
            let stopped = ask(now.clone(), approx).map(|_| ()).unwrap_err();
            assert_eq!(stopped.code, Code::Stopped, "{text}");
        }
        let (Answer::Exact(patient, _), Answer::Exact(usual, _)) =
            (ask(never.clone(), false).unwrap(), ask(Interrupt::default(), false).unwrap())
        else {
            panic!("{text} is exact")
        };
        assert_eq!(patient.to_string(), usual.to_string(), "{text}");
    }
}
