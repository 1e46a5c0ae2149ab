//! Missing values from outside: all of them are listed in one message.

use super::{Lowering, at};
use crate::mistake::{Mistake, listed};
use crate::notation::tabletop::syntax::{Expr, key};
use tumble_core::{Code, Span};

/// More names than this are not shown.
const MOST_SHOWN: usize = 5;

/// A name for a message is not longer than this.
const LONGEST_SHOWN: usize = 40;

impl<'a> Lowering<'a> {
    /// `@str` without a value, and perhaps others after it.
    pub(super) fn missing_value(&self, span: Span, name: &str) -> Mistake {
        let names = self.without_value(name);
        let mistake = Mistake::new(span, said(&names)).code(Code::Name).missing(&names);
        // `@leveld6`
        let glued = name.rsplit_once(['d', 'D']).filter(|(known, _)| self.outside(known).is_some());
        let mistake =
            mistake.when(glued, |mistake, (known, sides)| mistake.replace(span, &format!("{} d{sides}", at(known))));
        self.meant(mistake, span, name)
    }

    /// Offers the value from outside that a name was most likely meant to be.
    pub(super) fn meant(&self, mistake: Mistake, span: Span, name: &str) -> Mistake {
        if let Some((known, end)) = self.longer(span) {
            return mistake.replace(Span::new(span.start, end), &at(known));
        }
        mistake.when(self.near(name), |mistake, known| mistake.replace(span, &at(known)))
    }

    /// A known name that goes on with something else than letters: `@sneak-attack`.
    pub(super) fn longer(&self, span: Span) -> Option<(&'a str, usize)> {
        let start = span.start + usize::from(self.text[span.start..].starts_with('@'));
        let here = |known: &&str| {
            let written = self.text.get(start..start + known.len());
            start + known.len() > span.end && written.is_some_and(|written| key(written) == key(known))
        };
        let found = self.vars.keys().map(String::as_str).filter(here).max_by_key(|known| known.len())?;
        Some((found, start + found.len()))
    }

    /// The first and all others.
    fn without_value<'n>(&'n self, first: &'n str) -> Vec<&'n str> {
        let mut names: Vec<&str> = vec![first];
        for (_, expr) in self.tree.nodes.iter() {
            let Expr::Value(name) = expr else { continue };
            if names.len() > MOST_SHOWN {
                break;
            }
            if !names.iter().any(|known| key(known) == key(name)) && self.outside(name).is_none() {
                names.push(name);
            }
        }
        names
    }
}

/// What to say of them.
fn said(names: &[&str]) -> String {
    let shown = |name: &&str| format!("`{}`", at(&name.chars().take(LONGEST_SHOWN).collect::<String>()));
    let shown: Vec<String> = names.iter().map(shown).collect();
    format!("no value{} for {}", if names.len() == 1 { "" } else { "s" }, listed(&shown, MOST_SHOWN))
}
