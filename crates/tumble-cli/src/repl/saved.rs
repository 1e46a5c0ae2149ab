//! Saved rolls, which have a name and perhaps values: `fireball(level) := (level + 5)d6`.
//!
//! A roll that uses one is written out before it is read. With `fireball` as above:
//!
//! ```text
//! fireball(3) + 2      ((3 + 5)d6) + 2
//! fireball(d4)         (level := d4; (level + 5)d6)
//! ```
//!
//! A value without dice is a number, found where the roll is used; one with dice is rolled once, before the body, so
//! that a value that is used twice is the same roll. Neither sees the names inside the body, and a name of a value is
//! chosen so that no other value sees it. Names that the body does not take as values are those of the session at the
//! time of use. No saved roll leads back to itself, so writing out comes to an end; how long and how deep it may get is
//! limited.

use super::line::{marks, words};
use super::written::Written;
use std::collections::BTreeMap;
use std::ops::Range;
use tumble::{Code, Diagnostic, Limits, Notation, Span, Vars, number, prepare};

/// Calls inside calls.
const DEEPEST: usize = 32;
/// The longest roll that is written out, in bytes.
const LONGEST: usize = 1 << 16;

/// How notations write "a name is this roll, up to the end of the parenthesis".
const BINDINGS: &[fn(&str, &str, &str) -> String] = &[
    |name, value, body| format!("({name} := {value}; {body})"),
    |name, value, body| format!("([{name}: {value}] {body})"),
];

/// A saved roll.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    pub(super) params: Vec<String>,
    pub(super) body: String,
    pub(super) notation: &'static Notation,
}

impl Saved {
    /// `fireball(level)`
    pub(super) fn head(&self, name: &str) -> String {
        format!("{name}({})", self.params.join(", "))
    }
}

/// All saved rolls by name.
pub(super) type Rolls = BTreeMap<String, Saved>;

/// The names, each after those that it uses.
pub(super) fn in_order(rolls: &Rolls) -> Vec<&str> {
    let mut done: Vec<&str> = vec![];
    let mut left: Vec<(&str, &Saved)> = rolls.iter().map(|(name, saved)| (name.as_str(), saved)).collect();
    while !left.is_empty() {
        let waits = |saved: &Saved, left: &[(&str, &Saved)]| {
            let used: Vec<&str> = calls(saved.notation, rolls, &saved.body).iter().map(|call| call.name).collect();
            left.iter().any(|(name, _)| used.contains(name))
        };
        let ready = left.iter().position(|(_, saved)| !waits(saved, &left)).unwrap_or(0);
        done.push(left.remove(ready).0);
    }
    done
}

/// What a roll is written out with.
pub(super) struct Writer<'s> {
    pub(super) rolls: &'s Rolls,
    pub(super) notation: &'static Notation,
    pub(super) vars: &'s Vars,
    pub(super) limits: &'s Limits,
}

/// Where a text stands: in the bodies of which rolls, under which names that are given in the text around it.
#[derive(Clone, Default)]
struct Scope {
    bodies: Vec<String>,
    given: Vec<String>,
    depth: usize,
}

impl Writer<'_> {
    /// The text without saved rolls: each is replaced by what it stands for.
    pub(super) fn written_out(&self, text: &str) -> Result<Written, Diagnostic> {
        match self.rolls.is_empty() {
            true => Ok(Written { text: text.to_owned(), uses: vec![] }),
            false => self.inside(text, &Scope::default()),
        }
    }

    /// The same for the body of this saved roll.
    pub(super) fn body_written_out(&self, name: &str, body: &str) -> Result<Written, Diagnostic> {
        self.inside(body, &Scope { bodies: vec![name.to_owned()], ..Scope::default() })
    }

    fn inside(&self, text: &str, around: &Scope) -> Result<Written, Diagnostic> {
        let mut scope = Scope { depth: around.depth + 1, ..around.clone() };
        scope.given.extend(given(self.notation, text));
        let (mut out, mut at, mut uses) = (String::new(), 0, vec![]);
        for call in calls(self.notation, self.rolls, text) {
            // One inside a value is written out with the value.
            let Some(saved) = self.rolls.get(call.name).filter(|_| call.place.start >= at) else { continue };
            // Only what somebody has typed can be pointed at.
            let span = match around.depth {
                0 => Span { start: call.place.start, end: call.place.end },
                _ => Span::default(),
            };
            let wrong = |error: Diagnostic| Diagnostic { span, ..error };
            self.fits(&call, saved, &scope).map_err(wrong)?;
            let (filled, closed) = self.one(&call, saved, text, &scope).map_err(wrong)?;
            let alone = text[..call.place.start].trim().is_empty() && text[call.place.end..].trim().is_empty();
            out.push_str(&text[at..call.place.start]);
            let start = out.len();
            out.push_str(&if alone || closed { filled } else { format!("({filled})") });
            at = call.place.end;
            uses.push([call.place, start..out.len()]);
            if out.len() > LONGEST {
                return Err(wrong(refused("this is too long once its saved rolls are expanded")));
            }
        }
        out.push_str(&text[at..]);
        Ok(Written { text: out, uses })
    }

    /// One use written out, and whether it is in parentheses.
    fn one(&self, call: &Call<'_>, saved: &Saved, text: &str, scope: &Scope) -> Result<(String, bool), Diagnostic> {
        let values =
            call.values.iter().map(|value| self.inside(text[value.clone()].trim(), scope).map(|written| written.text));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let (filled, closed) = self.filled(saved, &values, scope)?;
        let mut scope = scope.clone();
        scope.bodies.push(call.name.to_owned());
        Ok((self.inside(&filled, &scope)?.text, closed))
    }

    /// Whether a saved roll can be used here.
    fn fits(&self, call: &Call<'_>, saved: &Saved, scope: &Scope) -> Result<(), Diagnostic> {
        let (name, notation) = (call.name, saved.notation.name);
        if scope.bodies.iter().any(|body| body == name) {
            return Err(refused(format!("`{name}` uses itself")));
        }
        if scope.depth > DEEPEST {
            return Err(refused("saved rolls are nested too deeply"));
        }
        if notation != self.notation.name {
            let error = refused(format!("`{name}` is written in {notation}"));
            return Err(error.hint(format!("`:notation {notation}` switches to it")));
        }
        let takes = match saved.params.len() {
            n if n == call.values.len() => None,
            0 => Some("no value".to_owned()),
            1 => Some("1 value".to_owned()),
            n => Some(format!("{n} values")),
        };
        if let Some(takes) = takes {
            return Err(refused(format!("`{name}` takes {takes}: `{}`", saved.head(name))));
        }
        // The body means the name of the session, which cannot be seen from here.
        let own = given(self.notation, &saved.body);
        let hidden = words(self.notation, &saved.body).into_iter().map(|word| &saved.body[word]).find(|word| {
            let elsewhere = saved.params.iter().any(|param| param == word) || own.iter().any(|name| name == word);
            !elsewhere && self.vars.contains_key(*word) && scope.given.iter().any(|name| name == word)
        });
        match hidden {
            Some(word) => {
                Err(refused(format!("`{word}` has a different value here than in the session, which `{name}` uses"))
                    .hint("use another name here"))
            }
            None => Ok(()),
        }
    }

    /// The body with its values, and whether it is in parentheses.
    fn filled(&self, saved: &Saved, values: &[String], scope: &Scope) -> Result<(String, bool), Diagnostic> {
        let mut body = (self.notation.without_comments)(&saved.body).trim().to_owned();
        let mut bound: Vec<(String, &String)> = vec![];
        for (param, value) in saved.params.iter().zip(values) {
            body = match self.constant(value, scope) {
                Some(n) => replaced(self.notation, &body, param, &n.to_string()),
                None => {
                    let fresh = self.fresh(param, &body, values, &saved.params);
                    body = replaced(self.notation, &body, param, &fresh);
                    bound.push((fresh, value));
                    body
                }
            };
        }
        let closed = !bound.is_empty();
        for (name, value) in bound.into_iter().rev() {
            let form = BINDINGS.iter().find(|form| prepare(self.notation, &form(&name, "1", &name), self.vars).is_ok());
            let Some(form) = form else {
                return Err(refused(format!("in {}, saved rolls take only numbers", self.notation.name)));
            };
            body = form(&name, value, &body);
        }
        Ok((body, closed))
    }

    /// The number that a value without dice is. What happens before the first die is always the same, so a value that
    /// was rolled without any has none.
    fn constant(&self, value: &str, scope: &Scope) -> Option<i64> {
        let around = |word: Range<usize>| scope.given.iter().any(|name| *name == value[word.clone()]);
        if words(self.notation, value).into_iter().any(around) {
            return None;
        }
        let prepared = prepare(self.notation, value, self.vars).ok()?;
        let rolled = prepared.roll(0, self.limits).ok()?;
        if rolled.draws.is_empty() { number(&rolled.value) } else { None }
    }

    /// A name like `param` that means nothing else in the body and in any value.
    fn fresh(&self, param: &str, body: &str, values: &[String], params: &[String]) -> String {
        let used = |name: &str| {
            let inside = |text: &str| words(self.notation, text).into_iter().any(|range| &text[range] == name);
            let another = name != param && (inside(body) || params.iter().any(|other| other == name));
            another || self.vars.contains_key(name) || values.iter().any(|value| inside(value))
        };
        let mut name = param.to_owned();
        while used(&name) {
            name.push('_');
        }
        name
    }
}

/// A use of a saved roll.
struct Call<'t> {
    place: Range<usize>,
    name: &'t str,
    values: Vec<Range<usize>>,
}

/// The uses in a text, from left to right: a name with a `(` right behind it and its `)`.
fn calls<'t>(notation: &Notation, rolls: &Rolls, text: &'t str) -> Vec<Call<'t>> {
    let marks = marks(notation, text);
    let call = |word: Range<usize>| {
        let name = &text[word.clone()];
        // `6x(…)` is no use of `x`.
        let glued = text[..word.start].ends_with(|c: char| c.is_ascii_digit());
        if glued || !rolls.contains_key(name) {
            return None;
        }
        let open = marks.iter().position(|(place, c)| *place == word.end && *c == '(')?;
        let (mut depth, mut start, mut values) = (0i64, word.end + 1, vec![]);
        for &(place, c) in &marks[open..] {
            depth += i64::from(matches!(c, '(' | '[' | '{')) - i64::from(matches!(c, ')' | ']' | '}'));
            if depth == 0 || depth == 1 && c == ',' {
                values.push(start..place);
                start = place + 1;
            }
            if depth == 0 {
                let none = values.len() == 1 && text[values[0].clone()].trim().is_empty();
                return Some(Call { place: word.start..place + 1, name, values: if none { vec![] } else { values } });
            }
        }
        None
    };
    words(notation, text).into_iter().filter_map(call).collect()
}

/// The text with a word replaced wherever it stands; it is put in parentheses where it could run into its neighbours.
fn replaced(notation: &Notation, text: &str, word: &str, with: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for place in words(notation, text).into_iter().filter(|place| &text[place.clone()] == word) {
        let before = text[..place.start].chars().next_back();
        let after = text[place.end..].chars().next();
        let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '@');
        let apart = !touches(before) && !touches(after) && !with.starts_with('-');
        out.push_str(&text[at..place.start]);
        out.push_str(&if apart { with.to_owned() } else { format!("({with})") });
        at = place.end;
    }
    out + &text[at..]
}

/// The names that a text itself gives: `x := …`, `[x: …]`, `foreach x in …`.
fn given(notation: &Notation, text: &str) -> Vec<String> {
    let (mut names, mut last) = (vec![], "");
    for word in words(notation, text) {
        let (before, after) = (text[..word.start].trim_end(), text[word.end..].trim_start());
        let name = &text[word];
        if after.starts_with(":=") || before.ends_with('[') && after.starts_with(':') || last == "foreach" {
            names.push(name.to_owned());
        }
        last = name;
    }
    names
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Name, Span::default(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::line::{Naming, naming};

    fn rolls(lines: &[&str]) -> Rolls {
        let notation = tumble::everyday();
        let saved = |line: &&str| match naming(notation, line) {
            Some(Naming::Roll { name, params, body }) => {
                let params = params.into_iter().map(str::to_owned).collect();
                (name.to_owned(), Saved { params, body: body.to_owned(), notation })
            }
            other => panic!("{other:?}"),
        };
        lines.iter().map(saved).collect()
    }

    fn check(lines: &[&str], text: &str, expected: Result<&str, &str>) {
        let (rolls, vars, limits) = (rolls(lines), Vars::from([("x".to_owned(), 10)]), Limits::default());
        let writer = Writer { rolls: &rolls, notation: tumble::everyday(), vars: &vars, limits: &limits };
        let found = writer.written_out(text).map(|written| written.text);
        let found = found.as_deref().map_err(|error| error.message.as_str());
        assert_eq!(found, expected, "{text}");
        if let Ok(found) = found {
            assert!(prepare(writer.notation, found, &vars).is_ok(), "{found}");
        }
    }

    #[test]
    fn values_are_filled_in() {
        let lines = ["fireball(level) := (level + 5)d6 # boom", "attack() := d20 + 7", "sub(a, b) := a - b"];
        for (text, written) in [
            ("fireball(3)", "(3 + 5)d6"),
            ("fireball(3) + 2", "((3 + 5)d6) + 2"),
            ("fireball(x - 8)", "(2 + 5)d6"),
            ("attack() >= 15", "(d20 + 7) >= 15"),
            ("sub(1, -2)", "1 - (-2)"),
            ("sub(max(1, 2), 3) + d6[attack]", "(2 - 3) + d6[attack]"),
            ("d6 # attack()", "d6 # attack()"),
            ("attack := 3; attack + 1", "attack := 3; attack + 1"),
        ] {
            check(&lines, text, Ok(written));
        }
    }

    #[test]
    fn a_roll_as_a_value_is_rolled_once() {
        let lines = ["twice(a) := a + a", "sub(a, b) := a - b", "sum_of(y) := z := d6; z + y + x"];
        for (text, written) in [
            ("twice(d6)", "(a := d6; a + a)"),
            ("sub(d6, 2)", "(a := d6; a - 2)"),
            ("sub(d6, d8)", "(a := d6; (b := d8; a - b))"),
            ("twice(twice(d6))", "(a_ := (a := d6; a + a); a_ + a_)"),
            // Names of the caller are not those of the body.
            ("a := d4; sub(2, a)", "a := d4; (b := a; 2 - b)"),
            ("a := d4; sub(d6, a)", "a := d4; (a_ := d6; (b := a; a_ - b))"),
            ("z := d4; sum_of(z)", "z := d4; (y := z; z := d6; z + y + x)"),
            ("a := 3; twice(a)", "a := 3; (a_ := a; a_ + a_)"),
            ("twice(x)", "10 + 10"),
            ("[x: d6] twice(x)", "[x: d6] (a := x; a + a)"),
        ] {
            check(&lines, text, Ok(written));
        }
        // The body means the `x` of the session.
        check(&lines, "sum_of(1)", Ok("z := d6; z + 1 + x"));
        let hidden = "`x` has a different value here than in the session, which `sum_of` uses";
        check(&lines, "x := d4; sum_of(x)", Err(hidden));
    }

    #[test]
    fn saved_rolls_use_each_other_but_never_themselves() {
        let lines = [
            "fireball(level) := (level + 5)d6",
            "two(n) := fireball(n) + fireball(n + 1)",
            "shadow(attack) := attack + 1",
            "attack() := d20",
            "loop(n) := loop(n) + 1",
            "ping() := pong()",
            "pong() := ping()",
        ];
        for (text, expected) in [
            ("two(1)", Ok("((1 + 5)d6) + ((2 + 5)d6)")),
            ("two(fireball(1))", Ok("(n := (1 + 5)d6; (level := n; (level + 5)d6) + (level := n + 1; (level + 5)d6))")),
            ("shadow(3)", Ok("3 + 1")),
            ("shadow(attack())", Ok("(attack := d20; attack + 1)")),
            ("loop(1)", Err("`loop` uses itself")),
            ("1 + ping()", Err("`ping` uses itself")),
            ("fireball()", Err("`fireball` takes 1 value: `fireball(level)`")),
            ("attack(1)", Err("`attack` takes no value: `attack()`")),
        ] {
            check(&lines, text, expected);
        }
    }

    #[test]
    fn what_grows_without_bound_is_refused() {
        let mut lines = vec!["f() := d6".to_owned()];
        let mut name = "f".to_owned();
        for _ in 0..31 {
            lines.push(format!("{name}f() := {name}() + {name}()"));
            name.push('f');
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        check(&lines, &format!("{name}()"), Err("this is too long once its saved rolls are expanded"));
        let deep = format!("{}1{}", "g(".repeat(40), ")".repeat(40));
        check(&["g(a) := a"], &deep, Err("saved rolls are nested too deeply"));
    }

    #[test]
    fn places_are_those_of_what_was_typed() {
        let (rolls, vars, limits) = (rolls(&["f() := d20 + 7", "g() := d6"]), Vars::new(), Limits::default());
        let writer = Writer { rolls: &rolls, notation: tumble::everyday(), vars: &vars, limits: &limits };
        let typed = "2 + f() * g() - x";
        let written = writer.written_out(typed).unwrap();
        assert_eq!(written.text, "2 + (d20 + 7) * (d6) - x");
        for (part, shown) in
            [("2", "2"), ("d20", "f()"), ("(d20 + 7)", "f()"), ("*", "*"), ("7) * (d6", "f() * g()"), ("x", "x")]
        {
            let start = written.text.find(part).unwrap();
            let span = written.typed(Span::new(start, start + part.len()));
            assert_eq!(&typed[span.start..span.end], shown, "{part}");
        }
        assert_eq!(written.folded("2 + (d20 + 7) * (d6)", typed), "2 + f() * g()");
    }

    #[test]
    fn what_is_used_comes_first() {
        let rolls = rolls(&["a() := b() + c()", "b() := c()", "c() := d6", "z() := d6"]);
        assert_eq!(in_order(&rolls), ["c", "b", "a", "z"]);
    }

    #[test]
    fn another_notation_is_told() {
        let (mut rolls, vars, limits) = (rolls(&["attack() := d20"]), Vars::new(), Limits::default());
        rolls.values_mut().for_each(|saved| saved.notation = tumble::notation("troll").unwrap());
        let writer = Writer { rolls: &rolls, notation: tumble::everyday(), vars: &vars, limits: &limits };
        assert_eq!(writer.written_out("attack()").unwrap_err().message, "`attack` is written in troll");
    }
}
