//! The first line: a roll or its odds straight from an expression in the everyday notation.
//!
//! Both take the usual [`Limits`] and no values from outside; whoever needs more, or rolls the same expression again,
//! reads it once into a [`Prepared`].

use crate::prepared::{Errors, Prepared, any_seed};
use crate::render::line::{Marks, line};
use crate::render::spelled;
use std::fmt;
use tumble_core::{Limits, Value};
use tumble_exact::{Odds, Options, number};
use tumble_roll::Rolled;

/// A roll, with the expression it was made from.
#[derive(Clone, Debug)]
pub struct Roll {
    prepared: Prepared,
    rolled: Rolled,
    seed: u64,
}

/// Rolls an expression in the everyday notation, with unpredictable dice.
///
/// ```
/// let roll = tumble::roll("2d6 + 3")?;
/// println!("{roll}"); // 11
/// println!("{}", roll.line()); // 2d6 (6, 2) + 3 = 11
/// # assert!(roll.line().starts_with("2d6 (") && roll.line().ends_with(&format!(" = {roll}")));
/// # Ok::<(), tumble::Errors>(())
/// ```
pub fn roll(text: &str) -> Result<Roll, Errors> {
    let prepared: Prepared = text.parse()?;
    let seed = any_seed()?;
    let rolled = prepared.roll(seed, &Limits::default())?;
    Ok(Roll { prepared, rolled, seed })
}

/// The exact odds of an expression in the everyday notation.
///
/// ```
/// let odds = tumble::odds("2d2")?;
/// assert_eq!(odds.to_string(), "2: 1/4, 3: 1/2, 4: 1/4");
/// # Ok::<(), tumble::Errors>(())
/// ```
pub fn odds(text: &str) -> Result<Odds, Errors> {
    let prepared: Prepared = text.parse()?;
    Ok(prepared.odds(&Options::default())?)
}

impl Roll {
    /// The result, where it is a number.
    pub fn total(&self) -> Option<i64> {
        number(&self.rolled.value)
    }

    /// The result.
    pub fn value(&self) -> &Value {
        &self.rolled.value
    }

    /// The expression with its dice, and the result: `4d6kh3 (~~1~~, 4, 4, 3) = 11`.
    pub fn line(&self) -> String {
        line(&self.prepared, &self.rolled, Marks::Text)
    }

    /// Every die, and the full record.
    pub fn rolled(&self) -> &Rolled {
        &self.rolled
    }

    /// The seed it came from; [`Prepared::roll`] gives the same roll again.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

impl fmt::Display for Roll {
    /// The result: `11`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(&self.rolled.value, self.prepared.notation()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_is_shown_with_its_dice_and_can_be_had_again() {
        for text in ["2d6", "4d6kh3", "d4;d6", "d20 >= 10", "7"] {
            let roll = roll(text).unwrap();
            let end = match text {
                // Several results have their totals in place, and a check has a verdict.
                "d4;d6" => String::new(),
                "d20 >= 10" if roll.total() == Some(1) => ": success".to_owned(),
                "d20 >= 10" => ": failure".to_owned(),
                _ => format!(" = {roll}"),
            };
            assert!(roll.line().ends_with(&end), "{}", roll.line());
            let prepared: Prepared = text.parse().unwrap();
            assert_eq!(prepared.roll(roll.seed(), &Limits::default()).unwrap(), *roll.rolled(), "{text}");
            assert_eq!(roll.total().map(|total| total.to_string()), Some(roll.to_string()).filter(|_| text != "d4;d6"));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(roll("4d6k3h").is_err_and(|errors| errors.all()[0].hint.as_deref() == Some("try `4d6kh3`")));
        assert!(roll("1/0").is_err() && odds("1/0").is_err() && odds("2d").is_err());
    }
}
