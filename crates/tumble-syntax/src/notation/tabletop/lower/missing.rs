//! Missing values from outside: all of them are listed in one message.

use super::{Lowering, at};
use crate::mistake::Mistake;
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
        let mistake = match glued {
            Some((known, sides)) => mistake.replace(self.text, span, &format!("{} d{sides}", at(known))),
            None => mistake,
        };
        match self.near(name) {
            Some(known) => mistake.replace(self.text, span, &at(known)),
            None => mistake,
        }
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
    match shown.split_last() {
        Some((last, [])) => format!("no value for {last}"),
        Some((_, most)) if names.len() > MOST_SHOWN => {
            format!("no values for {} and others", most.join(", "))
        }
        Some((last, most)) => format!("no values for {} and {last}", most.join(", ")),
        None => String::new(),
    }
}
