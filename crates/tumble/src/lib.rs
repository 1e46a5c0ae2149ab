//! Dice: fair rolls with every die shown, and the exact odds of every outcome.
//!
//! ```
//! let roll = tumble::roll("2d6 + 3")?;
//! println!("{roll}"); // 11
//! println!("{}", roll.line()); // 2d6 (6, 2) + 3 = 11
//!
//! let odds = tumble::odds("4d6kh3")?;
//! assert_eq!(odds.mean().map(|mean| mean.decimal(2)).as_deref(), Some("12.24"));
//! # assert!((5..=15).contains(&roll.total().ok_or("2d6 is a number")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Behind them are [`compile`], [`Prepared::roll`], [`Prepared::odds`] and what is in [`render`]; [`batch`] is all
//! of it behind one JSON object. Nothing here reads a file or a clock, nothing prints, and no expression makes it
//! panic or hang.
//!
//! # A roll
//!
//! An expression in the everyday notation is read with [`str::parse`]. Once [`Prepared`], it can be rolled and
//! counted as often as you like.
//!
//! ```
//! use tumble::{Limits, Prepared, any_seed, render};
//!
//! let stats: Prepared = "4d6kh3".parse()?;
//! let rolled = stats.roll(7, &Limits::default())?;
//! assert_eq!(render::text::roll(&stats, &rolled), "4d6kh3 (~~1~~, 4, 4, 3) = 11\n");
//!
//! // The same seed gives the same dice on every machine. For a fair roll, take an unpredictable one.
//! let fair = stats.roll(any_seed()?, &Limits::default())?;
//! println!("{stats} gives {fair}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every die is there, in the order rolled, with what happened to it:
//!
//! ```
//! use tumble::{DieState, Limits, Prepared};
//!
//! let stats: Prepared = "4d6kh3".parse()?;
//! let rolled = stats.roll(7, &Limits::default())?;
//! assert_eq!(rolled.value.as_int(), Some(11));
//! let dice: Vec<String> = rolled.draws.iter().map(|die| die.shown.to_string()).collect();
//! assert_eq!(dice, ["1", "4", "4", "3"]);
//! assert_eq!(rolled.draws[0].state, DieState::Dropped);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Exact odds
//!
//! Probabilities are [`Fraction`]s, never floats, even where dice explode without end.
//!
//! ```
//! use tumble::{Options, Prepared, Value};
//!
//! let stats: Prepared = "4d6kh3".parse()?;
//! let odds = stats.odds(&Options::default())?;
//! assert_eq!(odds.probability(&Value::int(18)).to_string(), "7/432");
//! assert_eq!(odds.mean().map(|mean| mean.to_string()).as_deref(), Some("15869/1296"));
//!
//! // What is the chance of at least 15?
//! let chance = odds.at_least(&Value::int(15)).ok_or("this has no order")?;
//! assert_eq!(chance.to_string(), "25/108");
//! assert_eq!(chance.decimal(4), "0.2315");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A short distribution can be printed as it is; [`render::chance`] puts a probability in players' words.
//!
//! ```
//! use tumble::render::chance::{Chance, in_words};
//! use tumble::{Options, Prepared};
//!
//! let coins: Prepared = "2d2".parse()?;
//! assert_eq!(coins.odds(&Options::default())?.to_string(), "2: 1/4, 3: 1/2, 4: 1/4");
//! assert_eq!(in_words(&Chance::Exact("25/108".parse()?)), "about 1 in 4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values and notations
//!
//! [`compile`] takes the name of a notation, and values for the names in the expression. [`NOTATIONS`] lists the
//! notations, and [`Prepared::translate`] translates a roll to another.
//!
//! ```
//! use tumble::{Limits, Options, Vars, compile, notation};
//!
//! let vars = Vars::from([("skill.stealth".to_owned(), 5)]);
//! let sneak = compile("tabletop", "d20 + @skill.stealth", &vars)?;
//! assert_eq!(sneak.roll(2, &Limits::default())?.to_string(), "10");
//!
//! let troll = compile("troll", "sum largest 3 4d6", &Vars::new())?;
//! let nice = compile("nice", "4d6kh3", &Vars::new())?;
//! assert_eq!(troll.odds(&Options::default())?.mean(), nice.odds(&Options::default())?.mean());
//! assert_eq!(nice.translate(notation("troll").ok_or("no such notation")?)?.to_string(), "sum largest 3 4d6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! An error is a value: a place in the expression, a message in plain words, and what to write instead.
//!
//! ```
//! use tumble::{Code, Prepared, render};
//!
//! let text = "4d6k3h";
//! let errors = text.parse::<Prepared>().expect_err("the `h` is in the wrong place");
//! let error = &errors.all()[0];
//! assert_eq!((error.code, error.span.start, error.span.end), (Code::Syntax, 5, 6));
//! assert_eq!(error.message, "`h` must come before the number");
//! assert_eq!(error.hint.as_deref(), Some("try `4d6kh3`"));
//! assert_eq!(
//!     render::place::message("error", text, error),
//!     "error: `h` must come before the number\n  4d6k3h\n       ^\nhint: try `4d6kh3`\n",
//! );
//! ```
//!
//! # Tables and pictures
//!
//! A format is a row of [`render::FORMATS`]: text, json, csv, md, html, svg and png. It takes one or several
//! distributions.
//!
//! ```
//! use tumble::render::{self, Look, Series};
//! use tumble::{Options, Prepared};
//!
//! let mut series = Vec::new();
//! for text in ["2d2", "d3 + 1"] {
//!     let prepared: Prepared = text.parse()?;
//!     let odds = prepared.odds(&Options::default())?;
//!     series.push(Series::new(prepared, odds));
//! }
//! let markdown = render::format("md").ok_or("no such format")?;
//! let table = String::from_utf8(render::render(markdown, &series, &Look::default())?)?;
//! assert!(table.starts_with("| outcome | `2d2` | `d3 + 1` |\n|--:|--:|--:|\n| 2 | 25.00 % (1/4) | 33.33 % (1/3) |"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When it is too much
//!
//! [`Limits`] are counted and never timed, so an answer does not depend on the machine. Give strangers small
//! ones. What is over them is refused at once, or approximated if you allow it, with bounds and marked
//! as such.
//!
//! ```
//! use tumble::{Answer, Limits, Query, Sampling, Vars, compile};
//!
//! let much = compile("troll", "different 40d40", &Vars::new())?;
//! let limits = Limits { steps: 100_000, ..Limits::default() };
//! assert!(much.ask(&Query::default(), &limits, &Sampling::default()).is_err());
//!
//! let query = Query { approx: true, samples: Some(1000), seed: Some(7), ..Query::default() };
//! match much.ask(&query, &limits, &Sampling::default())? {
//!     Answer::Approximate(approximate, why) => {
//!         let [low, high] = [approximate.outcomes[0].interval.0, approximate.outcomes[0].interval.1];
//!         println!("between {low} and {high}, because {why}");
//!     }
//!     Answer::Exact(..) => unreachable!("this is over its limit"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dice from elsewhere
//!
//! Dice come from any [`dice::Source`]: a seed, the dice on a table, or those of an earlier roll, with some of
//! them changed.
//!
//! ```
//! use tumble::dice::{Recorded, Scripted};
//! use tumble::{Limits, Prepared, render};
//!
//! let stats: Prepared = "4d6kh3".parse()?;
//! let table = stats.roll_from(&mut Scripted::new([3, 5, 6, 1]), &Limits::default())?;
//! assert_eq!(render::text::roll(&stats, &table), "4d6kh3 (3, 5, 6, ~~1~~) = 14\n");
//!
//! // The same dice, for another question.
//! let drop: Prepared = "4d6kl3".parse()?;
//! let again = drop.roll_from(&mut Recorded::from_draws(&table.draws), &Limits::default())?;
//! assert_eq!(render::text::roll(&drop, &again), "4d6kl3 (3, 5, ~~6~~, 1) = 9\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # More
//!
//! A bot that gets the same expressions again and again keeps a [`Cache`]. Many rolls of one expression go through
//! [`Prepared::roller`] or [`Prepared::sampler`]. [`Luck`] measures how lucky a roll was, [`workings`] explains how an
//! answer was found. A chat bot in 60 lines, an odds table and more are in the `examples` of the repository.

mod cache;
mod prepared;
mod reduced;
mod replay;
mod sheet;
mod shortcuts;
mod translate;

mod approximate;
mod ask;
mod luck;
mod verify;

pub mod render;

pub mod batch;
mod digest;

pub mod script;

/// Where dice come from, and the full record of a roll.
pub mod dice {
    pub use tumble_roll::{
        Die, Fast, Recorded, RolledDie, Roller, Sampler, Scripted, Sealed, Seeded, Shows, Sides, Source,
    };
    pub use tumble_roll::{LazyRoll, Step, Supplied, Trace};
}

/// How an answer was found, and how it was checked.
pub mod workings {
    pub use crate::verify::Verified;
    pub use tumble_exact::{Cost, Explanation, Line, Probe};
}

pub use approximate::{Approximate, ApproximateOutcome, ApproximatedBy, Sampling};
pub use ask::{Answer, Query};
pub use cache::Cache;
pub use luck::{Luck, Shares};
pub use prepared::{Errors, ONE_OF_SEVERAL, Prepared, any_seed, compile, nth_seed, prepare, uses_variable};
pub use replay::Replayed;
pub use sheet::Sheet;
pub use shortcuts::{Roll, odds, roll};
pub use translate::Translation;
pub use tumble_core::{Code, Data, Diagnostic, Fault, Interrupt, Limit, Limits, Program, Remedy, Span, Text, Value};
pub use tumble_exact::{CUT_SHORT, Fraction, Method, NO_MEAN, Odds, Options, Side, methods, number, ratio};
pub use tumble_roll::{DieState, Drawn, Rolled};
pub use tumble_syntax::{
    DIALECTS, Difference, Lowered, NOTATIONS, Notation, Piece, Reading, Spelling, Vars, differences, everyday, is_note,
    nearest, notation,
};
