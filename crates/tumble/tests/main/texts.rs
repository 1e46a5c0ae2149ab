//! Random texts of every notation: the law, the way there and back, and translations.
//!
//! Texts are small, so that every roll of most of them can be listed.

use crate::agreement::agrees;
use crate::grammars::{RULES, Random, Rule, SMALL};
use tumble::{Method, NOTATIONS, Prepared, Vars, compile, methods};
use tumble_core::Term;

/// Texts of each notation that are compared in one run.
const TEXTS: usize = 250;

/// Texts of a grammar that can be read.
fn readable(name: &'static str, grammar: &'static [Rule]) -> impl Iterator<Item = Prepared> {
    let text = move |n| Random::new(n).text(grammar, "text", 0);
    (0..).map(text).filter_map(move |text| compile(name, &text, &Vars::new()).ok())
}

#[test]
fn every_notation_has_a_grammar() {
    assert!(NOTATIONS.iter().all(|notation| SMALL.iter().any(|(name, _)| *name == notation.name)));
}

#[test]
fn the_law_holds_for_random_texts() {
    for (name, grammar) in SMALL.iter().chain(RULES) {
        let (mut failed, mut compared) = (Vec::new(), 0);
        for prepared in readable(name, grammar).take(20 * TEXTS) {
            // Chains are long to list without any method.
            let open = prepared.text().contains("!!") || prepared.text().contains("d!");
            let without: &[&[&'static Method]] = if open { &[&[]] } else { &[&[], &methods::ALL] };
            match agrees(prepared.program(), without) {
                Ok(small) => compared += usize::from(small),
                Err(why) => failed.push(format!("{name}: {:?}: {why}", prepared.text())),
            }
            if compared == TEXTS {
                break;
            }
        }
        assert!(failed.is_empty(), "{} texts disagree:\n{}", failed.len(), failed.join("\n"));
        assert_eq!(compared, TEXTS, "{name}: too few texts were small enough");
    }
}

/// The canonical spelling has the same law, and is its own spelling.
#[test]
fn spelled_texts_mean_the_same() {
    for (name, grammar) in SMALL {
        for prepared in readable(name, grammar).take(TEXTS) {
            let spelled = (prepared.notation().spell)(prepared.text()).unwrap();
            assert_eq!((prepared.notation().spell)(&spelled).unwrap(), spelled, "{name}: {}", prepared.text());
            let again = compile(name, &spelled, &Vars::new()).unwrap();
            let core = |prepared: &Prepared| tumble_core::print(prepared.program());
            assert_eq!(core(&again), core(&prepared), "{name}: {} spelled {spelled}", prepared.text());
        }
    }
}

/// A translation that is given has the same law: it is compared before it is given, so here only what a writer
/// got wrong can show.
#[test]
fn translations_are_right_or_refused() {
    for (name, grammar) in SMALL {
        for prepared in readable(name, grammar).take(TEXTS / 2) {
            for to in NOTATIONS {
                let Err(error) = prepared.translate(to) else { continue };
                let wrong = error.message.contains("has no text with the same results");
                assert!(!wrong || order_is_seen(&prepared), "{name} to {}: {}", to.name, prepared.text());
            }
        }
    }
}

/// Whether the result is a collection, which one notation sorts and another does not.
fn order_is_seen(prepared: &Prepared) -> bool {
    let program = prepared.program();
    let body = program.function(program.main()).body;
    let pool = |id| program.term(id).row().is_some_and(|(row, _)| row.gives == tumble_core::prim::Sort::Pool);
    let mut open = vec![body];
    while let Some(id) = open.pop() {
        if pool(id) {
            return true;
        }
        // What is bound may be what is named in the end.
        if let Term::Let { value, .. } = program.term(id) {
            open.push(*value);
        }
        program.term(id).parts(|child, role| open.extend(role.tail.then_some(child)));
    }
    false
}
