//! Rolls in the query of an address, as the playground writes it and as a person would.
//!
//! ```text
//! ?roll=4d6kh3&roll=sum+3d6&in=troll&as=Classic&set=str:3&show=at-least&theme=dark
//! ?text=4d6kh3&notation=tabletop
//! ```
//!
//! What follows a roll is about that roll.

use tumble::render::{Look, Series, Show, Theme};
use tumble::{Diagnostic, Limits, Query, Sampling, Vars, compile, everyday};

/// More rolls are not compared.
const MOST: usize = 6;

/// One roll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linked {
    text: String,
    notation: Option<String>,
    name: Option<String>,
}

/// Everything in a query that is about odds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    pub(crate) rolls: Vec<Linked>,
    vars: Vars,
    show: Option<Show>,
    theme: Theme,
    title: Option<String>,
    size: Option<(u32, Option<u32>)>,
    pub(crate) embed: bool,
    /// What can't be understood; a page leaves it out, a picture does not.
    pub(crate) wrong: Option<String>,
}

impl Link {
    /// Reads a query; what it does not know is for somebody else.
    pub(crate) fn read(query: &str) -> Link {
        let mut link = Link::default();
        // What comes before the first roll is about that roll.
        let mut ahead = Linked::default();
        for (name, value) in pairs(query) {
            match name.as_str() {
                "roll" | "text" => link.rolls.push(Linked { text: value, ..std::mem::take(&mut ahead) }),
                "in" | "notation" => link.rolls.last_mut().unwrap_or(&mut ahead).notation = Some(value),
                "as" | "name" => link.rolls.last_mut().unwrap_or(&mut ahead).name = Some(value),
                "title" => link.title = Some(value),
                "embed" => link.embed = value == "1",
                _ => link.set(&name, &value),
            }
        }
        if link.rolls.len() > MOST {
            link.rolls.truncate(MOST);
            link.wrong = Some(format!("at most {MOST} rolls can be compared"));
        }
        link
    }

    /// Reads what can be wrong.
    fn set(&mut self, name: &str, value: &str) {
        let choices = |all: Vec<&str>| format!("`{name}` must be one of {}", all.join(", "));
        let (fine, wrong) = match name {
            "set" => {
                let read = set(value);
                let fine = read.is_some();
                self.vars.extend(read);
                (fine, "`set` must be a name and a whole number, such as `str:3`".to_owned())
            }
            "show" => {
                self.show = named(Show::ALL, value);
                (self.show.is_some(), choices(Show::ALL.iter().map(|(name, _)| *name).collect()))
            }
            "theme" => {
                let read = named(Theme::ALL, value);
                self.theme = read.unwrap_or_default();
                (read.is_some(), choices(Theme::ALL.iter().map(|(name, _)| *name).collect()))
            }
            "size" => {
                self.size = size(value);
                let sides = format!("from {SMALLEST} to {LARGEST}");
                (self.size.is_some(), format!("`size` must be a width such as `800`, or `800x400`, {sides}"))
            }
            _ => return,
        };
        if !fine {
            self.wrong = Some(wrong);
        }
    }

    /// The odds of every roll.
    pub(crate) fn series(&self, limits: &Limits) -> Result<Vec<Series>, Diagnostic> {
        self.rolls.iter().map(|roll| roll.series(&self.vars, limits)).collect()
    }

    /// How they should be drawn.
    pub(crate) fn look(&self) -> Look {
        Look {
            show: self.show.into_iter().collect(),
            theme: self.theme,
            title: self.title.clone(),
            size: self.size,
            ..Look::default()
        }
    }

    /// The rolls as a title.
    pub(crate) fn words(&self) -> String {
        let words: Vec<&str> = self.rolls.iter().map(|roll| roll.name.as_ref().unwrap_or(&roll.text).trim()).collect();
        words.join(" · ")
    }
}

impl Linked {
    /// Whether there is no expression.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn series(&self, vars: &Vars, limits: &Limits) -> Result<Series, Diagnostic> {
        let notation = self.notation.as_deref().unwrap_or(everyday().name);
        let prepared = compile(notation, &self.text, vars).map_err(|errors| errors.first())?;
        let answer = prepared.ask(&Query::default(), limits, &Sampling::default())?;
        let series = Series::new(prepared, answer);
        Ok(match &self.name {
            Some(name) if !name.is_empty() => series.named(name),
            _ => series,
        })
    }
}

/// The fields of a query, in order.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts.map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(name), decoded(value))
    })
}

/// `%2B` as a plus, and a plus as a space; what is not UTF-8 is replaced.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match (bytes[at], hex.and_then(|two| u8::from_str_radix(two, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `str:3`
fn set(value: &str) -> Option<(String, i64)> {
    let (name, number) = value.rsplit_once(':')?;
    Some((name.to_owned(), number.parse().ok()?))
}

/// The smallest and the largest side of a picture.
const SMALLEST: u32 = 200;
const LARGEST: u32 = 2000;

/// `800` or `800x400`
fn size(value: &str) -> Option<(u32, Option<u32>)> {
    let side = |text: &str| text.parse().ok().filter(|n| (SMALLEST..=LARGEST).contains(n));
    match value.split_once('x') {
        Some((width, height)) => Some((side(width)?, Some(side(height)?))),
        None => Some((side(value)?, None)),
    }
}

fn named<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_as_the_playground_writes_it() {
        let link = Link::read("roll=4d6kh3&roll=sum+3d6%2B%40str&in=troll&as=Classic&set=str:3&show=at-least&embed=1");
        let roll = |text: &str, notation: Option<&str>, name: Option<&str>| Linked {
            text: text.to_owned(),
            notation: notation.map(str::to_owned),
            name: name.map(str::to_owned),
        };
        assert_eq!(link.rolls, [roll("4d6kh3", None, None), roll("sum 3d6+@str", Some("troll"), Some("Classic"))]);
        assert_eq!((link.vars["str"], link.show, link.embed), (3, Some(Show::AtLeast), true));
        assert_eq!((link.words().as_str(), link.wrong), ("4d6kh3 · Classic", None));
        assert_eq!(Link::read("notation=troll&text=sum+2d6").rolls, [roll("sum 2d6", Some("troll"), None)]);
    }

    #[test]
    fn nonsense_is_left_alone() {
        for query in ["", "&&&", "roll", "in=troll", "set=x", "size=1x1", "%", "roll=%ff%2", "theme=&show=&title"] {
            let _ = Link::read(query).series(&Limits::small());
        }
        assert_eq!(Link::read(&"roll=d6&".repeat(20)).rolls.len(), MOST);
        for query in ["set=x", "size=1x1", "theme=blue", "show=x", &"roll=d6&".repeat(7)] {
            assert!(Link::read(query).wrong.is_some(), "{query}");
        }
    }
}
