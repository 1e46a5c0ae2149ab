//! Any text in the notation `troll`: it compiles or is told why not, with places inside the text, and
//! its canonical spelling is spelled as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tumble_core::Diagnostic;
use tumble_syntax::{Vars, compile, notation};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let troll = notation("troll").expect("the notation exists");
    let compiled = compile(troll, &text, &Vars::new());
    match &compiled {
        Ok(compiled) => places(&text, &compiled.warnings),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "a text is refused without a reason");
            places(&text, diagnostics);
        }
    }
    match (troll.spell)(&text) {
        Ok(spelled) => assert_eq!((troll.spell)(&spelled).as_ref(), Ok(&spelled), "a spelling is not its own spelling"),
        Err(diagnostics) => places(&text, &diagnostics),
    }
});

/// Every place is a piece of the text.
fn places(text: &str, diagnostics: &[Diagnostic]) {
    for Diagnostic { span, .. } in diagnostics {
        assert!(text.get(span.start..span.end).is_some(), "{span:?} is no place in a text of {} bytes", text.len());
    }
}
