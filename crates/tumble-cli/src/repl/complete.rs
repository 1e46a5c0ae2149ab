//! What can come at the cursor.
//!
//! After a command these are its options or topics. In a roll it is tried out: a piece of the notation is offered if the
//! text before the cursor, the piece with something for its placeholder, and the brackets that are still open make a
//! text that can be read. So after `4d6` there are modifiers, and after `4d6 +` dice, functions and names.

use super::commands::{COMMANDS, bare};
use super::line::{is_letter, marks};
use super::saved::{Rolls, Saved, Writer};
use crate::args::Cli;
use clap::CommandFactory;
use tumble::{NOTATIONS, Notation, Piece, Vars, prepare};

/// The dice that are offered.
const DICE: &[&str] = &["d4", "d6", "d8", "d10", "d12", "d20", "d%"];

/// What may follow a word of a notation, if not the same as in its example.
const PLACEHOLDERS: &[&str] = &["", "1", "=1", " 1", " d6", "(1)"];

/// What the session knows that can be completed.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) notation: &'static Notation,
    pub(super) vars: Vars,
    pub(super) saved: Rolls,
}

/// Something that can come at the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) about: String,
    /// Where in the text before the cursor it begins.
    pub(super) start: usize,
    /// Whether a blank follows.
    pub(super) blank: bool,
}

/// A place in a roll.
struct Spot<'t> {
    /// The roll up to the word at the cursor.
    head: &'t str,
    /// What is typed of that word.
    word: &'t str,
    /// Whether the roll could end before it.
    whole: bool,
    /// Where the word begins in the line.
    start: usize,
}

impl Known {
    /// What can come after `before`.
    pub(super) fn candidates(&self, before: &str) -> Vec<Candidate> {
        let (word, rest) = before.split_once(' ').map_or((before, None), |(word, rest)| (word, Some(rest)));
        let at = |rest: &str| before.len() - rest.len();
        let command = if word.starts_with(':') { Some(word) } else { bare(word) };
        match (command, rest) {
            (Some(typed), None) if word.starts_with(':') => commands(typed, 0),
            (Some(":notation"), Some(rest)) => names_of_notations(rest, at(rest)),
            (Some(":help"), Some(rest)) => self.topics(rest, at(last_word(rest))),
            (Some(name @ (":odds" | ":roll" | ":translate")), Some(rest)) => {
                self.call(&name[1..], rest, at(rest)).unwrap_or_else(|| {
                    let spot = self.spot(rest, at(rest));
                    self.names_and_dice(&spot).into_iter().chain(self.pieces(&spot)).collect()
                })
            }
            (Some(_), Some(_)) => vec![],
            _ => {
                let spot = self.spot(before, 0);
                let more = if before.trim().is_empty() { commands("", before.len()) } else { vec![] };
                self.names_and_dice(&spot).into_iter().chain(more).chain(self.pieces(&spot)).collect()
            }
        }
    }

    /// The options of a command of the program, and their values.
    fn call(&self, name: &str, rest: &str, place: usize) -> Option<Vec<Candidate>> {
        let cli = Cli::command();
        let command = cli.find_subcommand(name)?;
        let word = last_word(rest);
        let start = place + rest.len() - word.len();
        if word.starts_with('-') && rest.len() > word.len() || word.starts_with("--") {
            let options = command.get_arguments().filter_map(|arg| {
                let (long, about) = (format!("--{}", arg.get_long()?), arg.get_help()?.to_string());
                (long.starts_with(word) && !arg.is_hide_set()).then_some((long, about))
            });
            return Some(options.map(|(value, about)| Candidate { value, about, start, blank: true }).collect());
        }
        let before = rest[..rest.len() - word.len()].trim_end();
        let option = last_word(before).strip_prefix("--")?;
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(option))?;
        let values: Vec<String> = match option {
            "to" | "notation" => NOTATIONS.iter().map(|notation| notation.name.to_owned()).collect(),
            _ => arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        };
        let values = values.into_iter().filter(|value| value.starts_with(word));
        // A value that cannot be listed is no roll either; an option without a value is followed by one.
        let found: Vec<Candidate> =
            values.map(|value| Candidate { value, about: String::new(), start, blank: true }).collect();
        (arg.get_action().takes_values()).then_some(found)
    }

    /// The groups and words of the notation that there is help about.
    fn topics(&self, rest: &str, start: usize) -> Vec<Candidate> {
        let word = last_word(rest).to_lowercase();
        let mut found: Vec<Candidate> = vec![];
        if "reading".starts_with(&word) {
            let about = "how to read a roll".to_owned();
            found.push(Candidate { value: "reading".to_owned(), about, start, blank: false });
        }
        for piece in self.notation.reference {
            let topics = piece.group.split_whitespace().chain(lead(piece)).filter(|topic| topic.len() > 1);
            for topic in topics.filter(|topic| topic.starts_with(&word) && *topic != "and") {
                if found.iter().all(|known| known.value != topic) {
                    let about = format!("{}: {}", piece.group, piece.meaning);
                    found.push(Candidate { value: topic.to_owned(), about, start, blank: false });
                }
            }
        }
        found
    }

    /// Where the cursor is in a roll, which begins at this place of the line.
    fn spot<'t>(&self, text: &'t str, place: usize) -> Spot<'t> {
        // What is typed of a word; in `4d` that is `d`.
        let word = &text[text.rfind(|c| !is_letter(c)).map_or(0, |at| at + char_at(text, at))..];
        let head = &text[..text.len() - word.len()];
        // What gives a name is no part of the roll.
        let (given, head) = head.rsplit_once(":=").map_or((0, head), |(given, head)| (given.len() + 2, head));
        let whole = !head.trim().is_empty() && self.reads(head, "");
        Spot { head, word, whole, start: place + given + head.len() }
    }

    fn names_and_dice(&self, spot: &Spot<'_>) -> Vec<Candidate> {
        let here = |saved: &Saved| saved.notation.name == self.notation.name;
        let values = self.vars.iter().map(|(name, n)| (name.clone(), n.to_string()));
        let values = values.filter(|(name, _)| !spot.whole && self.reads(spot.head, name));
        let saved = self.saved.iter().filter(|(_, saved)| !spot.whole && here(saved));
        let saved = saved.map(|(name, saved)| (format!("{name}("), format!("{} := {}", saved.head(name), saved.body)));
        let dice = DICE.iter().filter(|die| self.reads(spot.head, die)).map(|die| {
            let sides = if *die == "d%" { "100" } else { &die[1..] };
            ((*die).to_owned(), format!("a die with {sides} sides"))
        });
        let all = values.chain(saved).chain(dice).filter(|(value, _)| value.starts_with(spot.word));
        all.map(|(value, about)| Candidate { value, about, start: spot.start, blank: false }).collect()
    }

    /// The words and marks of the notation.
    fn pieces(&self, spot: &Spot<'_>) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = vec![];
        for piece in self.notation.reference {
            let Some(lead) = lead(piece).filter(|lead| lead.starts_with(spot.word)) else { continue };
            // What comes after a whole roll is a modifier; `!` in front of one means something else.
            let fits = if spot.whole { follows(piece, lead) } else { !lead.starts_with('!') };
            let tried = || {
                let as_shown = piece.example.find(lead).is_some_and(|at| self.reads(spot.head, &piece.example[at..]));
                as_shown || PLACEHOLDERS.iter().any(|rest| self.reads(spot.head, &format!("{lead}{rest}")))
            };
            if fits && found.iter().all(|known| known.value != lead) && tried() {
                let about = format!("{}  {}  {}", piece.spelling, piece.meaning, piece.example.replace('\n', " "));
                found.push(Candidate { value: lead.to_owned(), about, start: spot.start, blank: false });
            }
        }
        found
    }

    /// Whether the text, this, and the brackets that are still open make a text that can be read.
    fn reads(&self, head: &str, tail: &str) -> bool {
        let text = format!("{head}{tail}");
        let mut open = vec![];
        for (_, c) in marks(self.notation, &text) {
            match c {
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' => drop(open.pop()),
                _ => {}
            }
        }
        let closed: String = text.chars().chain(open.into_iter().rev()).collect();
        let writer = Writer {
            rolls: &self.saved,
            notation: self.notation,
            vars: &self.vars,
            limits: &tumble::Limits::default(),
        };
        let valid = |text: &str| prepare(self.notation, text, &self.vars).is_ok_and(|read| !read.is_corrected());
        writer.written_out(&closed).is_ok_and(|written| valid(&written.text))
    }
}

/// The length of the character at a place.
fn char_at(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

/// What stands after the last blank.
fn last_word(text: &str) -> &str {
    text.rsplit(' ').next().unwrap_or_default()
}

fn commands(typed: &str, start: usize) -> Vec<Candidate> {
    let rows = COMMANDS.iter().filter(|row| row.name.starts_with(typed));
    let one = |name: &str, about: &str| Candidate { value: name.into(), about: about.into(), start, blank: true };
    rows.map(|row| one(row.name, row.meaning)).collect()
}

fn names_of_notations(typed: &str, start: usize) -> Vec<Candidate> {
    let rows = NOTATIONS.iter().filter(|row| row.name.starts_with(typed));
    rows.map(|row| Candidate { value: row.name.into(), about: row.description.into(), start, blank: false }).collect()
}

/// The word, or the marks, that a piece begins with.
fn lead(piece: &Piece) -> Option<&'static str> {
    let inside = |c: char| c.is_alphabetic() && !c.is_uppercase() || c == '!';
    let lead = &piece.spelling[..piece.spelling.find(|c| !inside(c)).unwrap_or(piece.spelling.len())];
    // `a + b` begins with a placeholder.
    let placeholder = lead.len() == 1 && lead != "!" && piece.spelling[1..].starts_with([' ', ';', '[', ')']);
    // Dice are offered with their sides.
    (!lead.is_empty() && lead != "d" && !placeholder).then_some(lead)
}

/// Whether a piece comes after something, as its example shows.
fn follows(piece: &Piece, lead: &str) -> bool {
    piece.example.find(lead).is_some_and(|at| !piece.example[..at].trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> Known {
        let notation = tumble::notation(name).unwrap();
        let fireball = Saved { params: vec!["level".into()], body: "(level + 5)d6".into(), notation };
        let vars = Vars::from([("str".to_owned(), 3)]);
        Known { notation, vars, saved: Rolls::from([("fireball".to_owned(), fireball)]) }
    }

    fn values(name: &str, before: &str) -> Vec<String> {
        known(name).candidates(before).into_iter().map(|one| one.value).collect()
    }

    #[test]
    fn what_fits_is_offered() {
        for (name, before, offered) in [
            ("tabletop", ":o", ":odds"),
            ("tabletop", ":notation t", "tabletop troll"),
            ("tabletop", ":help exp", "explode"),
            ("tabletop", "help k", "keep kh kl km"),
            ("tabletop", ":help xyzzy", ""),
            ("tabletop", "d20 + st", "str"),
            ("tabletop", "d20 + fi", "fireball("),
            ("tabletop", "4d6k", "kh kl km"),
            ("tabletop", "4d", "d4 d6 d8 d10 d12 d20 d% dc"),
            ("tabletop", "x := 4d6k", "kh kl km"),
            ("tabletop", "(d20 + 5 >= 15) * (2d6 + m", "min max"),
            ("tabletop", ":odds 4d6k", "kh kl km"),
            ("tabletop", ":odds 3d6 --at", "--at-least --at-most"),
            ("tabletop", "odds 3d6 --ver", "--verify"),
            ("tabletop", ":roll 3d6 --d", "--dice"),
            ("tabletop", ":odds 3d6 --format s", "svg"),
            ("tabletop", ":translate 3d6 --to t", "tabletop troll"),
            ("tabletop", ":odds 3d6 --at-least ", ""),
            ("tabletop", "3d6 nonsense nonsen", ""),
            ("troll", "sum la", "largest"),
            ("troll", "é foreac", ""),
            ("troll", "1 + foreac", "foreach"),
        ] {
            assert_eq!(values(name, before).join(" "), offered, "{before}");
        }
    }

    #[test]
    fn an_empty_line_begins_with_dice_names_and_commands() {
        let offered = values("tabletop", "");
        for one in ["d20", "str", "fireball(", ":odds", ":help", "max"] {
            assert!(offered.iter().any(|value| value == one), "{one} in {offered:?}");
        }
        for one in ["kh", "adv", "!", "r"] {
            assert!(offered.iter().all(|value| value != one), "{one} in {offered:?}");
        }
    }

    #[test]
    fn dice_are_followed_by_modifiers() {
        let offered = values("tabletop", "4d6");
        for one in ["kh", "dl", "adv", "r", "!", "cs"] {
            assert!(offered.iter().any(|value| value == one), "{one} in {offered:?}");
        }
        for one in ["d", "d6", "max", "str", ":odds"] {
            assert!(offered.iter().all(|value| value != one), "{one} in {offered:?}");
        }
        assert!(values("tabletop", ":odds 3d6 --").len() > 15);
    }

    #[test]
    fn a_candidate_begins_where_its_word_does() {
        for (before, start) in
            [("d20 + st", 6), (":odds 4d6k", 9), ("odds 3d6 --ver", 9), (":help a exp", 8), (":o", 0)]
        {
            let found = known("tabletop").candidates(before);
            assert_eq!(found.first().map(|one| one.start), Some(start), "{before}");
        }
    }
}
