//! What holds for any text in any notation; a target is one of these and the name of a notation.

mod script;

pub use script::{script, script_odds, script_run};
use tumble_core::{Code, Diagnostic, Limits};
use tumble_exact::{Odds, Options, odds};
use tumble_roll::{Rolled, Seeded, roll};
use tumble_syntax::{DIALECTS, NOTATIONS, Notation, Vars, compile, notation};

fn named(name: &str) -> &'static Notation {
    notation(name).expect("the notation exists")
}

fn vars() -> Vars {
    [("str".to_owned(), 3), ("skill.stealth".to_owned(), 5), ("N".to_owned(), 2)].into()
}

/// A text in the dialect that its first line names; one without such a line is in the first dialect.
pub fn dialect(data: &[u8], run: fn(&str, &[u8])) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (name, text) = data.split_at(end);
    let named = DIALECTS.iter().find(|dialect| dialect.name.as_bytes() == name);
    match named {
        Some(dialect) => run(dialect.name, text.get(1..).unwrap_or_default()),
        None => run(DIALECTS[data.len() % DIALECTS.len()].name, data),
    }
}

/// A text compiles or is told why not, with places inside the text, and its canonical spelling is spelled as
/// itself.
pub fn parse(name: &str, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let notation = named(name);
    match &compile(notation, &text, &vars()) {
        // Places are in what was read, if that is something else.
        Ok(compiled) => places(compiled.read.as_deref().unwrap_or(&text), &compiled.warnings),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "a text is refused without a reason");
            places(&text, diagnostics);
        }
    }
    match (notation.spell)(&text) {
        Ok(spelled) => match (notation.spell)(&spelled) {
            // A spelling may need a pair of parentheses where the text needs none, and be too deep for that.
            Err(found) if found.iter().all(|diagnostic| diagnostic.code == Code::Limit) => {}
            again => assert_eq!(again.as_ref(), Ok(&spelled), "a spelling is not its own spelling"),
        },
        Err(diagnostics) => places(&text, &diagnostics),
    }
}

/// A text all the way: compiled, rolled, counted under small limits, and written in every notation. Where the odds
/// are complete, no roll may contradict them.
pub fn all(name: &str, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let notation = named(name);
    let Ok(compiled) = compile(notation, &text, &vars()) else { return };
    let text = compiled.read.as_deref().unwrap_or(&text);
    let limits = Limits::small();
    let counted = odds(&compiled.program, &Options { limits: limits.clone(), ..Options::default() });
    if let Err(diagnostic) = &counted {
        places(text, std::slice::from_ref(diagnostic));
    }
    for seed in 1..=3 {
        let rolled = roll(&compiled.program, &mut Seeded::new(seed), &limits);
        if let Err(diagnostic) = &rolled {
            places(text, std::slice::from_ref(diagnostic));
        }
        if let Ok(odds) = &counted {
            agree(text, odds, &rolled);
        }
    }
    for to in NOTATIONS {
        if let Ok(written) = (to.write)(&compiled.program, &notation.spelling) {
            // Some notations see at once that a roll never ends or always fails, others when it is rolled.
            let endless = |found: &[Diagnostic]| found.iter().any(|diagnostic| diagnostic.code == Code::Endless);
            let read = compile(to, &written, &Vars::new());
            assert!(
                counted.is_err() || read.as_ref().err().is_none_or(|found| endless(found)),
                "`{text}` becomes `{written}`, which {} refuses",
                to.name
            );
        }
    }
}

/// A roll gives an outcome that has a chance, and fails only if the odds failed or a limit was met.
fn agree(text: &str, odds: &Odds, rolled: &Result<Rolled, Diagnostic>) {
    if !odds.exact() || !odds.unresolved().is_zero() {
        return;
    }
    match rolled {
        Ok(rolled) => assert!(
            !odds.probability(&rolled.value).is_zero(),
            "`{text}` gave {}, which the odds do not list",
            rolled.value
        ),
        Err(failed) => assert_eq!(failed.code, Code::Limit, "`{text}` failed, but the odds did not: {failed:?}"),
    }
}

/// Every place is a piece of the text.
fn places(text: &str, diagnostics: &[Diagnostic]) {
    for Diagnostic { span, .. } in diagnostics {
        assert!(text.get(span.start..span.end).is_some(), "{span:?} is no place in a text of {} bytes", text.len());
    }
}
