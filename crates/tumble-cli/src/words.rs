//! Words that a shell, or somebody in a session, took apart, and the rolls they make.
//!
//! ```text
//! 3d6 d20 adv + 5      3d6 | d20 adv + 5
//! 2d6 -3               2d6 -3
//! f() g()              f() | g()
//! ```
//!
//! A word with dice begins a roll, unless it begins with a sign; any other word belongs to the words before it. Only if
//! that makes no rolls is a number a roll of its own.

use tumble::dice::{Die, Source};
use tumble::{Code, Errors, Fault, Limits, Notation, Prepared, Sheet, Vars};

/// More words than this are not put together.
const MOST: usize = 40;

/// What a text is by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    /// Nothing that can be rolled.
    Not,
    /// A roll without dice: `-3`.
    Number,
    /// A roll with dice.
    Dice,
}

/// What a text is read with.
pub(crate) struct Reader<'r> {
    pub(crate) notation: &'static Notation,
    pub(crate) vars: &'r Vars,
    pub(crate) sheet: &'r Sheet,
}

impl Reader<'_> {
    /// What a text is; one that only lacks values can be rolled.
    pub(crate) fn sort(&self, text: &str) -> Sort {
        match self.read(text) {
            Err(_) => Sort::Not,
            Ok(prepared) if prepared.is_corrected() => Sort::Not,
            Ok(prepared) if has_dice(&prepared) => Sort::Dice,
            Ok(_) => Sort::Number,
        }
    }

    /// Whether a text can be rolled.
    pub(crate) fn is_roll(&self, text: &str) -> bool {
        self.sort(text) != Sort::Not
    }

    /// Reads a text; where it lacks values, any will do.
    fn read(&self, text: &str) -> Result<Prepared, Errors> {
        let mut vars = self.vars.clone();
        loop {
            let errors = match self.sheet.prepare(self.notation, text, &vars) {
                Ok(prepared) => return Ok(prepared),
                Err(errors) => errors,
            };
            let missing: Vec<String> =
                errors.all().iter().flat_map(|error| error.missing()).map(str::to_owned).collect();
            let before = vars.len();
            vars.extend(missing.into_iter().map(|name| (name, 1)));
            if vars.len() == before {
                return Err(errors);
            }
        }
    }
}

/// Whether a roll asks for a die: up to the first one, it is always the same.
fn has_dice(prepared: &Prepared) -> bool {
    let mut first = First(false);
    let _ = prepared.roll_from(&mut first, &Limits::default());
    first.0
}

/// Ends a roll at its first die.
struct First(bool);

impl Source for First {
    fn draw(&mut self, _: &Die<'_>) -> Result<u64, Fault> {
        self.0 = true;
        Err(Fault::new(Code::Stopped, "this is the first die"))
    }

    fn needs_path(&self) -> bool {
        false
    }
}

/// A word of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Whether it was in quotes, and so is meant as it is.
    pub(crate) quoted: bool,
}

impl Word {
    /// A word that came through a shell: one with blanks was in quotes.
    pub(crate) fn new(text: &str) -> Word {
        Word { text: text.to_owned(), quoted: text.contains(char::is_whitespace) }
    }

    /// What it is; a number in quotes is meant to be a roll.
    pub(crate) fn sort(&self, sort: &dyn Fn(&str) -> Sort) -> Sort {
        match sort(&self.text) {
            Sort::Number if self.quoted => Sort::Dice,
            sort => sort,
        }
    }

    /// Whether it goes on with what is before it: `-d6`.
    pub(crate) fn goes_on(&self) -> bool {
        !self.quoted && self.text.starts_with(['+', '-', '\u{2212}'])
    }
}

/// The rolls that the words make: as many as possible, with dice in each if there is a way.
pub(crate) fn together(words: &[Word], sort: &dyn Fn(&str) -> Sort) -> Option<Vec<String>> {
    if words.len() > MOST {
        return None;
    }
    [Sort::Dice, Sort::Number].into_iter().find_map(|least| most(words, &|word| word.sort(sort) >= least))
}

/// The most rolls that the words make, none of which begins with a word that is no roll of its own or goes on.
fn most(words: &[Word], is_roll: &dyn Fn(&Word) -> bool) -> Option<Vec<String>> {
    let begins: Vec<bool> = words.iter().map(|word| !word.goes_on() && is_roll(word)).collect();
    // The best way to make rolls of the first so many words.
    let mut best: Vec<Option<Vec<String>>> = vec![Some(vec![])];
    for end in 1..=words.len() {
        let mut found: Option<Vec<String>> = None;
        for start in (0..end).filter(|start| *start == 0 || begins[*start]) {
            let Some(before) = &best[start] else { continue };
            let roll = joined(&words[start..end]);
            let more = found.as_ref().is_none_or(|found| before.len() + 1 > found.len());
            if more && is_roll(&roll) {
                found = Some(before.iter().cloned().chain([roll.text]).collect());
            }
        }
        best.push(found);
    }
    best.pop().flatten().filter(|rolls| !rolls.is_empty())
}

/// Words as one; only a word alone is in quotes.
fn joined(words: &[Word]) -> Word {
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    Word { text, quoted: words.len() == 1 && words[0].quoted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::everyday;

    #[test]
    fn words_are_put_together() {
        let (vars, sheet) = (Vars::new(), Sheet::default());
        let reader = Reader { notation: everyday(), vars: &vars, sheet: &sheet };
        for (line, rolls) in [
            ("2d6 + 3", Some("2d6 + 3")),
            ("3d6 d20 adv + 5", Some("3d6|d20 adv + 5")),
            ("d20 adv d20 dis", Some("d20 adv|d20 dis")),
            ("(2d6 + 3) * 2 d8", Some("(2d6 + 3) * 2|d8")),
            ("d20 + @str 3d6", Some("d20 + @str|3d6")),
            ("2d6 -3", Some("2d6 -3")),
            ("d20 -d6 3d6", Some("d20 -d6|3d6")),
            ("2 d6", Some("2 d6")),
            ("(2d6) (3d6)", Some("(2d6)|(3d6)")),
            ("3d6 7 d20 + 5", Some("3d6|7|d20 + 5")),
            ("2d6 nonsense", None),
            ("+ +", None),
        ] {
            let words: Vec<Word> = line.split(' ').map(Word::new).collect();
            let found = together(&words, &|text| reader.sort(text)).map(|rolls| rolls.join("|"));
            assert_eq!(found.as_deref(), rolls, "{line}");
        }
    }

    #[test]
    fn what_is_in_quotes_is_a_roll() {
        let (vars, sheet) = (Vars::new(), Sheet::default());
        let reader = Reader { notation: everyday(), vars: &vars, sheet: &sheet };
        let words = ["2d6", "-3"].map(|text| Word { text: text.to_owned(), quoted: true });
        assert_eq!(together(&words, &|text| reader.sort(text)).unwrap(), ["2d6", "-3"]);
    }
}
