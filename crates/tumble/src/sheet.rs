//! Values from outside: an object of JSON, as deep as a character sheet is.
//!
//! ```text
//! {"str": 3, "skill": {"stealth": 5}, "slots": [4, 2], "sword": "1d8 + @str"}
//! str = 3    skill.stealth = 5    slots.0 = 4    slots.1 = 2    sword = 1d8 + @str
//! ```
//!
//! True and false are 1 and 0, and 30.0 is 30. A name that holds a roll is written out where it is used, in parentheses
//! and without its comment if it is not alone, before the whole is read, and is rolled anew at each use. A sheet also
//! holds words and fractions: who asks for one is told what is there.

use crate::prepared::{Errors, Prepared, prepare};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use tumble_core::{Code, Diagnostic, Span};
use tumble_syntax::{Notation, Vars, everyday};

/// Deeper sheets are refused.
const DEEPEST: usize = 32;

/// More rolls are not written out.
const MOST_ROLLS: usize = 50;

/// The longest expression that is written out, in bytes.
const LONGEST: usize = 1 << 16;

/// A character sheet.
///
/// ```
/// use tumble::{Limits, Sheet, Vars, everyday};
///
/// let mia: Sheet = r#"{"name": "Mia", "str": 3, "skill": {"stealth": 5}, "sword": "1d8 + @str"}"#.parse()?;
/// assert_eq!(mia.numbers()["skill.stealth"], 5);
/// let attack = mia.prepare(everyday(), "@sword + 1", mia.numbers())?;
/// assert_eq!(attack.text(), "(1d8 + @str) + 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    numbers: Vars,
    /// Words, among them rolls, and numbers that are not whole.
    others: BTreeMap<String, Json>,
}

impl std::str::FromStr for Sheet {
    type Err = Diagnostic;

    /// Reads a JSON object.
    fn from_str(text: &str) -> Result<Sheet, Diagnostic> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match serde_json::from_str(text) {
            Ok(Json::Object(fields)) => Sheet::new(&fields),
            Ok(_) => Err(refused("values must be a JSON object, such as {\"str\": 3}")),
            Err(error) => Err(refused(format!(
                "the values are not JSON, at line {}, column {}",
                error.line().max(1),
                error.column().max(1)
            ))),
        }
    }
}

impl Sheet {
    /// The values of an object, each by its names joined with dots.
    pub(crate) fn new(fields: &Map<String, Json>) -> Result<Sheet, Diagnostic> {
        let mut sheet = Sheet::default();
        fields.iter().try_for_each(|(name, value)| sheet.add(name.clone(), value, 0))?;
        Ok(sheet)
    }

    fn add(&mut self, name: String, value: &Json, depth: usize) -> Result<(), Diagnostic> {
        if depth > DEEPEST {
            return Err(refused(format!("the values are nested more than {DEEPEST} deep")));
        }
        let inner = |part: &dyn std::fmt::Display| format!("{name}.{part}");
        match value {
            Json::Object(fields) => fields.iter().try_for_each(|(part, value)| self.add(inner(part), value, depth + 1)),
            Json::Array(items) => {
                items.iter().enumerate().try_for_each(|(i, value)| self.add(inner(&i), value, depth + 1))
            }
            Json::Bool(truth) => {
                self.numbers.insert(name, i64::from(*truth));
                Ok(())
            }
            Json::Number(number) => {
                match number.as_i64().or_else(|| whole(number.as_f64()?)) {
                    Some(n) => drop(self.numbers.insert(name, n)),
                    None => drop(self.others.insert(name, value.clone())),
                }
                Ok(())
            }
            // Many sheets write their numbers in quotes.
            Json::String(text) => {
                match text.trim().parse() {
                    Ok(n) => drop(self.numbers.insert(name, n)),
                    Err(_) => drop(self.others.insert(name, value.clone())),
                }
                Ok(())
            }
            Json::Null => Ok(()),
        }
    }

    /// The whole numbers.
    pub fn numbers(&self) -> &Vars {
        &self.numbers
    }

    /// Reads an expression whose names may hold rolls of this sheet; `vars` are the numbers, which take precedence. The
    /// text of what is prepared has the rolls written out; mistakes are shown in the text as it was given.
    pub fn prepare(&self, notation: &'static Notation, text: &str, vars: &Vars) -> Result<Prepared, Errors> {
        let written = self.written(notation, text, vars)?;
        let better = |errors| self.unknown(notation, text, vars).unwrap_or_else(|| written.all_placed(errors));
        prepare(notation, &written.text, vars).map_err(better)
    }

    /// The expression with the rolls of its names written out.
    fn written(&self, notation: &'static Notation, text: &str, vars: &Vars) -> Result<Written, Diagnostic> {
        let mut written = Written { text: text.to_owned(), edits: Vec::new(), rolls: Vec::new() };
        let mut known = vars.clone();
        while !self.others.is_empty() {
            let Err(errors) = tumble_syntax::compile(notation, &written.text, &known) else { break };
            let Some((name, span)) = missing(&errors).or_else(|| self.bare(&written.text, &errors)) else { break };
            match self.held(&name) {
                Some(held) => {
                    let roll = self.roll(notation, &name, held, &known).map_err(|why| written.placed(why.at(span)))?;
                    written.fill(notation, span, &name, &roll).map_err(|why| written.placed(why))?;
                }
                // Somebody else has to give it a value; the names after it are looked at all the same.
                None if known.insert(name, 1).is_some() => break,
                None => {}
            }
        }
        Ok(written)
    }

    /// A name of the sheet without its `@`: the notation does not know that somebody could give it a value.
    fn bare(&self, text: &str, errors: &[Diagnostic]) -> Option<(String, Span)> {
        let first = errors.first().filter(|first| first.code == Code::Name)?;
        let name = text.get(first.span.start..first.span.end)?;
        self.held(name).map(|_| (name.to_owned(), first.span))
    }

    /// The names that nobody knows, with the names of the sheet that were most likely meant: for the notation, those
    /// that hold rolls are names like any other.
    fn unknown(&self, notation: &'static Notation, text: &str, vars: &Vars) -> Option<Errors> {
        let mut known: Vars = self.others.keys().map(|name| (name.clone(), 1)).collect();
        known.extend(vars.clone());
        let errors = prepare(notation, text, &known).err().filter(|_| !self.others.is_empty())?;
        let first = errors.all().first().filter(|first| first.code == Code::Name)?;
        let offered = first.hint.as_deref().and_then(|hint| hint.strip_prefix("try `")?.strip_suffix('`'));
        // What is near may be no roll.
        let works = |text| self.written(notation, text, vars).is_ok_and(|offer| is_roll(notation, &offer.text, vars));
        offered.is_none_or(works).then_some(errors)
    }

    /// What is there besides whole numbers; capitals matter only if there are two such names.
    fn held(&self, name: &str) -> Option<&Json> {
        let alike = || self.others.iter().find(|(known, _)| known.to_lowercase() == name.to_lowercase());
        self.others.get(name).or_else(|| alike().map(|(_, held)| held))
    }

    /// The roll that a name holds.
    fn roll(&self, notation: &Notation, name: &str, held: &Json, vars: &Vars) -> Result<String, Refusal> {
        let refused = |what: &str| {
            let held: String = held.to_string().chars().take(40).collect();
            Refusal(format!("`@{name}` is {held}, which is {what}"))
        };
        let whole = held.as_f64().is_some_and(|n| n.fract() == 0.0);
        let Json::String(roll) = held else {
            return Err(refused(if whole { "too large for a 64-bit whole number" } else { "not a whole number" }));
        };
        match is_roll(notation, roll, vars) {
            true => Ok(roll.trim().to_owned()),
            false => Err(refused("neither a whole number nor a roll")),
        }
    }
}

/// The whole number that a number with a point or an exponent is.
fn whole(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() < 2f64.powi(63);
    fits.then_some(number as i64)
}

/// Whether a text is a roll, though it may lack values.
fn is_roll(notation: &Notation, text: &str, vars: &Vars) -> bool {
    tumble_syntax::compile(notation, text, vars).map_or_else(|errors| missing(&errors).is_some(), |_| true)
}

/// The same for the everyday notation, before any values are known.
pub(crate) fn can_be_roll(text: &str) -> bool {
    is_roll(everyday(), text, &Vars::new())
}

/// Why a name cannot be used.
struct Refusal(String);

impl Refusal {
    fn at(self, span: Span) -> Diagnostic {
        Diagnostic::new(Code::Name, span, self.0)
    }
}

/// The first name without a value, and where it is.
fn missing(errors: &[Diagnostic]) -> Option<(String, Span)> {
    let first = errors.first()?;
    first.missing().next().map(|name| (name.to_owned(), first.span))
}

/// An expression on its way, and what was put where.
struct Written {
    text: String,
    edits: Vec<Edit>,
    /// The rolls that were put in, where they are now.
    rolls: Vec<(String, Span)>,
}

/// So many bytes at this place in place of so many others.
struct Edit {
    at: usize,
    old: usize,
    new: usize,
}

impl Written {
    fn fill(&mut self, notation: &Notation, span: Span, name: &str, roll: &str) -> Result<(), Diagnostic> {
        self.leads_on(span, name)?;
        if self.edits.len() == MOST_ROLLS || self.text.len() + roll.len() > LONGEST {
            return Err(Diagnostic::new(Code::Limit, span, "the rolls of the sheet are too many or too long"));
        }
        let alone = self.text[..span.start].trim().is_empty() && self.text[span.end..].trim().is_empty();
        // What follows is not part of a comment.
        let roll = if alone { roll.to_owned() } else { format!("({})", (notation.without_comments)(roll).trim()) };
        self.text.replace_range(span.start..span.end, &roll);
        let edit = Edit { at: span.start, old: span.end - span.start, new: roll.len() };
        let moved = |place: usize| if place >= span.end { place - edit.old + edit.new } else { place };
        self.rolls.iter_mut().for_each(|(_, at)| *at = Span::new(moved(at.start), moved(at.end)));
        self.rolls.push((name.to_owned(), Span::new(span.start, span.start + roll.len())));
        self.edits.push(edit);
        Ok(())
    }

    /// A name inside a roll may not lead back to that roll.
    fn leads_on(&self, span: Span, name: &str) -> Result<(), Diagnostic> {
        let around = self.rolls.iter().filter(|(_, at)| at.start <= span.start && span.end <= at.end);
        let around: Vec<&str> = around.map(|(name, _)| name.as_str()).collect();
        match around.iter().position(|outer| outer.to_lowercase() == name.to_lowercase()) {
            Some(first) => {
                let way: Vec<String> = around[first..].iter().chain([&name]).map(|name| format!("@{name}")).collect();
                let message = format!("`@{name}` leads back to itself: {}", way.join(" → "));
                Err(Diagnostic::new(Code::Name, span, message))
            }
            None => Ok(()),
        }
    }

    /// A mistake where it is in the text as it was given: what is inside a roll is at the name that holds it.
    fn placed(&self, error: Diagnostic) -> Diagnostic {
        let back = |place: usize, end: bool| {
            self.edits.iter().rev().fold(place, |place, edit| match place {
                before if before <= edit.at => before,
                after if after >= edit.at + edit.new => after - edit.new + edit.old,
                _ if end => edit.at + edit.old,
                _ => edit.at,
            })
        };
        let span = Span::new(back(error.span.start, false), back(error.span.end, true));
        Diagnostic { span, ..error }
    }

    fn all_placed(&self, errors: Errors) -> Errors {
        match self.edits.is_empty() {
            true => errors,
            false => errors.map(|error| self.placed(error)),
        }
    }
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> Sheet {
        text.parse().unwrap()
    }

    #[test]
    fn a_sheet_becomes_names_with_dots() {
        let sheet = sheet(
            r#"{"a": 1, "b": {"c": -2, "d": {"e": true}}, "f": [4, {"g": " 5"}], "name": "x", "h": 1.5, "i": null}"#,
        );
        let wanted = [("a", 1), ("b.c", -2), ("b.d.e", 1), ("f.0", 4), ("f.1.g", 5)];
        assert_eq!(*sheet.numbers(), wanted.map(|(name, n)| (name.to_owned(), n)).into());
    }

    #[test]
    fn what_is_no_sheet_is_refused() {
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        for text in ["", "[]", "3", "{", "{\"a\": }", &deep] {
            assert_eq!(text.parse::<Sheet>().unwrap_err().code, Code::Request, "{text}");
        }
    }

    #[test]
    fn names_hold_rolls() {
        let mia = sheet(
            r#"{"name": "Mia", "str": 3, "sword": "1d8 + @str", "axe": {"dmg": "1d12+@str"}, "both": "@sword + @axe.dmg",
                "loop": "1 + @loop", "ping": "d4 + @pong", "pong": "@ping", "bad": "2d", "part": 1.5, "two": "3 + @luck",
                "blade": "1d8 # blade", "weight": 30.0, "far": 99999999999999999999, "skill": {"sneak-attack": "2d6"}}"#,
        );
        for (text, wanted) in [
            ("d20 + @str", Ok("d20 + @str")),
            ("@sword", Ok("1d8 + @str")),
            ("2 * @Sword + @axe.dmg", Ok("2 * (1d8 + @str) + (1d12+@str)")),
            ("@both", Ok("(1d8 + @str) + (1d12+@str)")),
            ("d20 + @name", Err(("`@name` is \"Mia\", which is neither a whole number nor a roll", "@name"))),
            ("d20 + @bad", Err(("`@bad` is \"2d\", which is neither a whole number nor a roll", "@bad"))),
            ("d20 + @part", Err(("`@part` is 1.5, which is not a whole number", "@part"))),
            ("d20 + @far", Err(("which is too large for a 64-bit whole number", "@far"))),
            ("d20 + @loop", Err(("`@loop` leads back to itself: @loop → @loop", "@loop"))),
            ("@sword + @ping + 1", Err(("`@ping` leads back to itself: @ping → @pong → @ping", "@ping"))),
            ("@sword + @sword", Ok("(1d8 + @str) + (1d8 + @str)")),
            ("sword + Axe", Err(("`Axe`", "Axe"))),
            ("2 * sword + str", Ok("2 * (1d8 + @str) + str")),
            ("@blade + 2", Ok("(1d8) + 2")),
            ("@blade", Ok("1d8 # blade")),
            ("@weight", Ok("@weight")),
            ("@{skill.sneak-attack}", Ok("2d6")),
            ("@sword + @luck", Err(("`@luck`", "@luck"))),
            ("@luck + @sword", Err(("`@luck`", "@luck"))),
            ("@sword + @two", Err(("`@luck`", "@two"))),
            ("@sword +* 2", Err(("", "*"))),
        ] {
            match (mia.prepare(everyday(), text, mia.numbers()), wanted) {
                (Ok(prepared), Ok(wanted)) => assert_eq!(prepared.text(), wanted, "{text}"),
                (Err(errors), Err((message, place))) => {
                    let error = errors.first();
                    assert!(error.message.contains(message), "{text}: {error}");
                    assert_eq!(&text[error.span.start..error.span.end], place, "{text}: {error}");
                }
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn names_of_the_sheet_that_were_meant_are_offered() {
        let mia = sheet(
            r#"{"name": "Mia", "str": 3, "sword": "1d8 + @str", "dmg": {"two": {"hand": "2d6"}},
                "skill": {"stealth": "d20 + 5", "sneak-attack": "2d6"}}"#,
        );
        for (text, meant) in [
            ("d20 + @swrod", Some("d20 + @sword")),
            ("d20 + swrod", Some("d20 + @sword")),
            ("@skill.stelth", Some("@skill.stealth")),
            ("@skill.sneak-attack + 1", Some("@{skill.sneak-attack} + 1")),
            ("2 * @dmg.two", Some("2 * @dmg.two.hand")),
            ("@skill", None),
            ("@nme", None),
            ("@luck", None),
        ] {
            let error = mia.prepare(everyday(), text, mia.numbers()).unwrap_err().first();
            assert_eq!(error.hint, meant.map(|meant| format!("try `{meant}`")), "{text}: {error:?}");
        }
    }
}
