//! The same roll in another notation.
//!
//! ```text
//! text ─▶ core ─▶ text in another notation ─▶ core
//!           └────── the same distribution ──────┘
//! ```
//!
//! Both programs are counted and compared before a translation is given; where that costs too much, the
//! translation says so.

use crate::prepared::{Prepared, compile};
use crate::render::json;
use std::collections::BTreeMap;
use std::fmt;
use tumble_core::{Code, Diagnostic, Limits, Span};
use tumble_exact::{Fraction, Odds, Options};
use tumble_syntax::{Notation, Vars, respelled};

/// An expression in another notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The expression.
    pub text: String,
    /// Whether both were computed and have the same distribution.
    pub checked: bool,
}

impl fmt::Display for Translation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What the comparison of both expressions may cost at most.
const STEPS: u64 = 5_000_000;

impl Prepared {
    /// The same roll in this notation, or what cannot be expressed there.
    ///
    /// ```
    /// use tumble::{Vars, compile, notation};
    ///
    /// let stats = compile("troll", "sum (largest 3 (4 d 6))", &Vars::new())?;
    /// let again = stats.translate(notation("troll").unwrap())?;
    /// assert_eq!(again.text, "sum largest 3 4d6");
    /// assert!(again.checked);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn translate(&self, to: &'static Notation) -> Result<Translation, Diagnostic> {
        self.translate_within(to, &Limits::default())
    }

    /// The same; the comparison of both expressions takes no more than this.
    pub fn translate_within(&self, to: &'static Notation, limits: &Limits) -> Result<Translation, Diagnostic> {
        // Dialects have words for the same trees; a value from outside is a number there.
        let respelled = respelled(self.notation(), self.text(), to)
            .filter(|text| to.name != self.notation().name && compile(to.name, text, &Vars::new()).is_ok());
        let text = match respelled {
            Some(text) => text,
            None => (to.write)(self.program(), &self.notation().spelling)?,
        };
        let whole = Span::new(0, self.text().len());
        let refused = |why: String| Diagnostic::new(Code::Type, whole, why).kind("no-translation");
        let there = compile(to.name, &text, &Vars::new())
            .map_err(|errors| refused(format!("this can't be written in {}: {errors}", to.name)))?;
        let limits = Limits { steps: limits.steps.min(STEPS), ..limits.clone() };
        let options = Options { limits, ..Options::default() };
        let checked = match (tumble_exact::roll_odds(self.program(), &options), there.odds(&options)) {
            // Probabilities that are lower bounds cannot be compared.
            (Ok(here), Ok(other)) if !here.exact() || !other.exact() => false,
            (Ok(here), Ok(other)) => {
                if !alike(&Side::new(self, &here), &Side::new(&there, &other)) {
                    return Err(refused(format!("{} has no expression with the same results", to.name)));
                }
                true
            }
            (Err(here), _) if here.code != Code::Limit => return Err(here),
            (Ok(_), Err(there)) if there.code == Code::Stopped => return Err(there),
            (Ok(_), Err(there)) if there.code != Code::Limit => {
                return Err(refused(format!("{} has no expression with the same results", to.name)));
            }
            _ => false,
        };
        Ok(Translation { text, checked })
    }
}

/// A distribution, in words that all notations share.
struct Side<'o> {
    outcomes: BTreeMap<String, Fraction>,
    odds: &'o Odds,
}

impl Side<'_> {
    fn new<'o>(prepared: &Prepared, odds: &'o Odds) -> Side<'o> {
        let word = |(value, chance)| (json::value(value, prepared.notation()).to_string(), chance);
        Side { outcomes: odds.outcomes().map(word).collect(), odds }
    }
}

/// Whether two distributions are the same; of infinitely many outcomes, those that both list.
fn alike(a: &Side<'_>, b: &Side<'_>) -> bool {
    let open = [a, b].iter().any(|side| !side.odds.unresolved().is_zero());
    if !open {
        return a.outcomes == b.outcomes;
    }
    let shared: Vec<&String> = a.outcomes.keys().filter(|outcome| b.outcomes.contains_key(*outcome)).collect();
    let known = |x: Option<Fraction>, y: Option<Fraction>| x.is_none() || y.is_none() || x == y;
    !shared.is_empty()
        && shared.into_iter().all(|outcome| a.outcomes.get(outcome) == b.outcomes.get(outcome))
        && known(a.odds.mean(), b.odds.mean())
        && known(a.odds.variance(), b.odds.variance())
}
