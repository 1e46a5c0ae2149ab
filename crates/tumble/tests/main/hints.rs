//! A hint keeps the meaning: for every wrong text of the tables in `crates/tumble-syntax/tests/main/errors/` whose
//! meaning is known, what is offered or read has the same distribution as what was meant.

use tumble::{DIALECTS, NOTATIONS, Notation, Options, Prepared, Vars, prepare};

/// The values that the tables use.
fn vars() -> Vars {
    [("str", 3), ("dex", 2), ("level", 4), ("skill.stealth", 5), ("n", 2)].map(|(name, n)| (name.to_owned(), n)).into()
}

/// Wrong texts with what was meant.
fn meant(notation: &Notation) -> Vec<(String, String)> {
    let name = format!("{}/../tumble-syntax/tests/main/errors/{}.txt", env!("CARGO_MANIFEST_DIR"), notation.name);
    let file = std::fs::read_to_string(&name).unwrap();
    let line = |line: &str| line.replace('⏎', "\n");
    let block = |block: &str| {
        let (text, rest) = block.split_once('\n')?;
        let meant = rest.lines().next()?.strip_prefix("meant `")?.strip_suffix('`')?;
        Some((line(text.strip_prefix("> ")?), line(meant)))
    };
    file.trim_end().split("\n\n").filter_map(block).collect()
}

fn distribution(prepared: &Prepared) -> String {
    let odds = prepared.odds(&Options::default()).unwrap();
    let rows = odds.outcomes().map(|(value, chance)| format!("{value}: {chance}"));
    format!("{}; {} left", rows.collect::<Vec<_>>().join(", "), odds.unresolved())
}

/// What is offered for a wrong text, or read in its place.
fn offered(notation: &'static Notation, text: &str) -> Option<Prepared> {
    match prepare(notation, text, &vars()) {
        Ok(read) => Some(read),
        Err(errors) => {
            let hint = errors.first().hint?;
            let fixed = hint.split('`').nth(1)?.to_owned();
            Some(prepare(notation, &fixed, &vars()).unwrap())
        }
    }
}

#[test]
fn a_hint_means_what_was_meant() {
    let mut proved = 0;
    for notation in NOTATIONS.iter().chain(DIALECTS) {
        for (text, meant) in meant(notation) {
            let Some(offered) = offered(notation, &text) else { continue };
            let meant = prepare(notation, &meant, &vars()).unwrap_or_else(|errors| panic!("{meant:?}: {errors}"));
            assert_eq!(distribution(&offered), distribution(&meant), "{}: {text:?}", notation.name);
            proved += 1;
        }
    }
    assert!(proved >= 500, "only {proved} hints are proved");
}
