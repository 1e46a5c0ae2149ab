//! Any text in the notation `troll`, all the way: compiled, rolled and counted under small limits.
//! Where the odds are complete, no roll may contradict them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tumble_core::{Code, Diagnostic, Limits};
use tumble_exact::{Odds, Options, odds};
use tumble_roll::{Rolled, Seeded, roll};
use tumble_syntax::{Vars, compile, notation};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let troll = notation("troll").expect("the notation exists");
    let Ok(compiled) = compile(troll, &text, &Vars::new()) else { return };
    let limits = Limits::small();
    let counted = odds(&compiled.program, &Options { limits, ..Options::default() });
    if let Err(diagnostic) = &counted {
        place(&text, diagnostic);
    }
    for seed in 1..=3 {
        let rolled = roll(&compiled.program, &mut Seeded::new(seed), &limits);
        if let Err(diagnostic) = &rolled {
            place(&text, diagnostic);
        }
        if let Ok(odds) = &counted {
            agree(&text, odds, &rolled);
        }
    }
});

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

/// The place is a piece of the text.
fn place(text: &str, Diagnostic { span, .. }: &Diagnostic) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} is no place in a text of {} bytes", text.len());
}
