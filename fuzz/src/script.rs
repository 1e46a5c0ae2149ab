//! What holds for any script.

use std::collections::HashMap;
use std::sync::Arc;
use tumble_core::{Code, Diagnostic, Limits, Program, Reader, Throw};
use tumble_exact::play::{Goal, Players};
use tumble_roll::{Answered, Dice, Happened, Ledger, Play, Seeded, Source, run};
use tumble_syntax::script::{Datum, Level, read, read_dice};

/// The texts that a script throws.
struct Texts;

impl Reader for Texts {
    fn read(&self, text: &str, throw: Throw) -> Result<Arc<Program>, Diagnostic> {
        read_dice(text, throw).map(Arc::new)
    }
}

/// A script is sound or has an error; every problem and every edit has a place inside the text.
pub fn script(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let script = read(&text, false);
    let errors = script.problems.iter().any(|problem| problem.level == Level::Error);
    assert_eq!(script.is_sound(), !errors, "a script is sound if it has no error");
    for problem in &script.problems {
        let spans = problem.edits.iter().map(|edit| edit.span).chain([problem.span()]);
        for span in spans {
            assert!(text.get(span.start..span.end).is_some(), "{span:?} is no place: {}", problem.diagnostic.message);
        }
    }
    let strict = read(&text, true);
    assert!(script.is_sound() || !strict.is_sound(), "strict reading forgives nothing");
}

/// The rolls of a sound script, with default arguments.
fn rolls(data: &[u8]) -> Vec<Program> {
    let script = read(&String::from_utf8_lossy(data), false);
    if !script.is_sound() {
        return vec![];
    }
    let entries = 0..script.tables().functions.len();
    let titled = entries.filter(|entry| script.tables().functions[*entry].title.is_some());
    let lowered = titled.map(|entry| {
        let (args, _) = script.arguments(entry, &Datum::Nothing).expect("defaults are arguments");
        script.lower(entry, args).expect("a sound script can be lowered")
    });
    lowered.collect()
}

/// A sound script has odds, or is refused: what a run gives has a chance, and best play is at least as good as none.
pub fn script_odds(data: &[u8]) {
    for program in rolls(data) {
        let answers = Answered::new();
        let play = tumble_exact::play::Play {
            limits: Limits::small(),
            ..tumble_exact::play::Play::new(&program, &Texts, &answers)
        };
        let odds = play.odds(true);
        let mut ledger = Ledger::new(Dice::default(), vec![], Seeded::new(1));
        let run = once(&program, &mut ledger, &answers).0;
        if let (Ok(found), Ok(value)) = (&odds, &run)
            && found.odds.exact()
            && found.odds.unresolved().is_zero()
        {
            assert!(!found.odds.probability(value).is_zero(), "a run gives {value}, which has no chance");
        }
        if let Ok(best) = play.best(&Goal::Mean, &Players::default(), 3)
            && let Some(default) = best.all_default
        {
            assert!(best.value >= default || !best.unresolved.is_zero(), "best play is worse than none");
        }
    }
}

/// A sound script runs: no die has two faces, no die falls twice, and the same run again is the same.
pub fn script_run(data: &[u8]) {
    for program in rolls(data) {
        let mut answers = Answered::new();
        let mut ledger = Ledger::new(Dice::default(), vec![], Seeded::new(1));
        let first = once(&program, &mut ledger, &answers);
        let same = once(&program, &mut ledger, &answers);
        assert_eq!(first.0, same.0, "the same answers give the same run");
        for (path, default) in first.1 {
            if default.as_bool().is_some() {
                answers.insert(path, tumble_core::Value::bool(true));
            }
        }
        let _ = once(&program, &mut ledger, &answers);
        assert_eq!(first.0, once(&program, &mut ledger, &Answered::new()).0, "going back restores");
    }
}

/// The value or error of a run, and the options that it met.
fn once<S: Source>(
    program: &Program,
    ledger: &mut Ledger<S>,
    answers: &Answered,
) -> (Result<tumble_core::Value, Code>, HashMap<String, tumble_core::Value>) {
    let play = Play { reader: &Texts, answers };
    let done = run(program, ledger, play, &Limits::small());
    let (mut dice, mut options) = (HashMap::new(), HashMap::new());
    for happened in done.log {
        match happened {
            Happened::Thrown(thrown) => {
                for (path, sides, index, _) in thrown.dice {
                    assert!(dice.insert((path, sides, index), ()).is_none(), "a die falls twice");
                }
            }
            Happened::Asked(asked) => {
                assert!(options.insert(asked.path, asked.default).is_none(), "an option is met twice");
            }
            Happened::Shown(_) => {}
        }
    }
    (done.value.map_err(|error| error.code), options)
}
