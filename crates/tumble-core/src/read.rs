//! Reads programs in the canonical spelling of the core, so that tests are tables of text.
//!
//! Beyond `tumble_core::print`: `both(a, b)` and `either(a, b)` are short cuts, and functions stand
//! before the roll, each ended by `;`. A wrong text is a wrong test, so it panics.

#![expect(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "only tests read programs")]

use crate::check::{Program, check};
use crate::diagnostic::Span;
use crate::play::{Event, Exit, Question, Throw};
use crate::prim;
use crate::term::{Draft, Faces, FnId, Fork, Function, Keep, Slot, Term, TermId};
use crate::value::Value;
use std::sync::Arc;

/// The program of this text.
pub fn program(text: &str) -> Program {
    let names = text.split(';').rev().skip(1).map(|f| f[..f.find('(').unwrap()].trim().to_owned());
    let mut names: Vec<String> = names.collect();
    names.reverse();
    let mut reader = Reader { text, at: 0, draft: Draft::new(), names, slots: vec![], scope: vec![] };
    let mut functions = Vec::new();
    for name in reader.names.clone() {
        reader.expect(&format!("{name}("));
        reader.slots.clear();
        reader.scope.clear();
        let mut params = Vec::new();
        while !reader.eat(")") {
            let param = reader.word();
            params.push(reader.bind(&param));
            reader.eat(",");
        }
        reader.expect("=");
        let body = reader.term();
        reader.expect(";");
        functions.push(Function { name, params, slots: reader.slots.clone(), body });
    }
    reader.slots.clear();
    reader.scope.clear();
    let body = reader.term();
    assert_eq!(reader.rest().trim(), "", "left over in {text:?}");
    functions.push(Function { name: "roll".into(), params: vec![], slots: reader.slots.clone(), body });
    let main = FnId(functions.len() as u32 - 1);
    check(reader.draft, functions, main).unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    draft: Draft,
    names: Vec<String>,
    slots: Vec<String>,
    scope: Vec<(String, Slot)>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, word: &str) -> bool {
        let start = self.at;
        self.skip();
        let found = self.rest().starts_with(word);
        self.at = if found { self.at + word.len() } else { start };
        found
    }

    fn expect(&mut self, word: &str) {
        assert!(self.eat(word), "{word:?} expected at {:?} in {:?}", self.rest(), self.text);
    }

    fn word(&mut self) -> String {
        self.skip();
        let end = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_owned();
        self.at += end;
        word
    }

    fn number(&mut self) -> i64 {
        let sign = if self.eat("-") { -1 } else { 1 };
        let word = self.word();
        let size = word.parse::<i128>().unwrap_or_else(|_| panic!("a number, not {word:?}, in {:?}", self.text));
        i64::try_from(sign * size).unwrap()
    }

    fn bind(&mut self, name: &str) -> Slot {
        let slot = Slot(self.slots.len() as u32);
        self.slots.push(name.to_owned());
        self.scope.push((name.to_owned(), slot));
        slot
    }

    /// `x`, or `(x, y)`.
    fn names(&mut self) -> Vec<String> {
        if !self.eat("(") {
            return vec![self.word()];
        }
        let mut names = Vec::new();
        while !self.eat(")") {
            names.push(self.word());
            self.eat(",");
        }
        names
    }

    /// Reads a term that sees more variables.
    fn inside_all(&mut self, names: &[String], read: impl FnOnce(&mut Self) -> TermId) -> (Vec<Slot>, TermId) {
        let slots = names.iter().map(|name| self.bind(name)).collect();
        let body = read(self);
        self.scope.truncate(self.scope.len() - names.len());
        (slots, body)
    }

    /// Reads a term that sees one more variable.
    fn inside(&mut self, name: &str, read: impl FnOnce(&mut Self, Slot) -> TermId) -> (Slot, TermId) {
        let slot = self.bind(name);
        let body = read(self, slot);
        self.scope.pop();
        (slot, body)
    }

    fn term(&mut self) -> TermId {
        self.skip();
        let start = self.at;
        let term = self.form();
        self.draft.add(Span::new(start, self.at), term)
    }

    fn form(&mut self) -> Term {
        let first = self.rest().chars().next().expect("a term");
        if first == '[' || first == '(' || first == '"' || first == '-' || first.is_ascii_digit() {
            return Term::Lit(self.value());
        }
        let word = self.word();
        match word.as_str() {
            "true" | "false" => Term::Lit(Value::bool(word == "true")),
            "nothing" => Term::Lit(Value::NOTHING),
            "let" => self.binding(),
            "if" => self.branch(),
            _ if !self.eat("(") => {
                let bound = self.scope.iter().rev().find(|(name, _)| *name == word);
                Term::Var(bound.unwrap_or_else(|| panic!("no {word} in {:?}", self.text)).1)
            }
            _ => {
                let term = self.named(&word);
                self.expect(")");
                term
            }
        }
    }

    fn binding(&mut self) -> Term {
        let names = self.names();
        self.expect("=");
        let value = self.term();
        self.expect("in ");
        let (slots, body) = self.inside_all(&names, Self::term);
        Term::Let { slots, value, body }
    }

    fn branch(&mut self) -> Term {
        let test = self.term();
        self.expect("then ");
        let then = self.term();
        self.expect("else ");
        Term::If { fork: Fork::Branch, test, then, other: self.term() }
    }

    fn named(&mut self, word: &str) -> Term {
        match word {
            "draw" => Term::Draw { faces: self.faces() },
            "both" | "either" => {
                let test = self.pair_start();
                let (right, known) = (self.term(), Term::Lit(Value::bool(word == "either")));
                let known = self.draft.add(Span::default(), known);
                let (then, other) = if word == "both" { (right, known) } else { (known, right) };
                Term::If { fork: Fork::ShortCut, test, then, other }
            }
            "repeat" => {
                let times = self.pair_start();
                Term::Repeat { times, body: self.term() }
            }
            "each" => {
                let name = self.word();
                self.expect("in ");
                let pool = self.pair_start();
                let (slot, body) = self.inside(&name, |reader, _| reader.term());
                Term::ForEach { slot, pool, body }
            }
            "until" | "accumulate" => self.until(if word == "until" { Keep::Last } else { Keep::All }),
            "loop" => {
                let names = self.names();
                self.expect("=");
                let start = self.pair_start();
                let mut test = start;
                let (slots, body) = self.inside_all(&names, |reader| {
                    reader.expect("while ");
                    test = reader.pair_start();
                    reader.term()
                });
                Term::Loop { slots, start, test, body }
            }
            "leave" => {
                let exit = if self.word() == "call" { Exit::Call } else { Exit::Loop };
                self.expect(",");
                Term::Leave { exit, value: self.term() }
            }
            "ask" => {
                let (kind, args) = self.kind_and_args();
                let question = Question::ALL.into_iter().find(|question| question.name() == kind).unwrap();
                Term::Ask { question, args }
            }
            "emit" => {
                let (kind, args) = self.kind_and_args();
                let event = Event::ALL.into_iter().find(|event| event.name() == kind).unwrap();
                Term::Emit { event, args }
            }
            "throw" => {
                let (kind, args) = self.kind_and_args();
                let throw = Throw::ALL.into_iter().find(|throw| throw.name() == kind).unwrap();
                Term::Throw { throw, args }
            }
            _ => self.applied(word),
        }
    }

    /// `line, a, b`
    fn kind_and_args(&mut self) -> (String, Vec<TermId>) {
        let kind = self.word();
        self.eat(",");
        (kind, self.args())
    }

    /// Terms up to a parenthesis.
    fn args(&mut self) -> Vec<TermId> {
        let mut args = Vec::new();
        self.skip();
        while !self.rest().starts_with(')') {
            args.push(self.term());
            self.eat(",");
            self.skip();
        }
        args
    }

    fn pair_start(&mut self) -> TermId {
        let term = self.term();
        self.expect(",");
        term
    }

    fn until(&mut self, keep: Keep) -> Term {
        let name = self.word();
        self.expect("=");
        let once = self.term();
        let first = self.eat("then ").then_some(once);
        let body = if first.is_some() { self.term() } else { once };
        self.expect(",");
        let (slot, stop) = self.inside(&name, |reader, _| reader.term());
        let most = if self.eat(", at most") { Some(self.number() as u64) } else { None };
        Term::Until { slot, first, body, stop, most, keep }
    }

    fn applied(&mut self, word: &str) -> Term {
        let args = self.args();
        match self.names.iter().position(|name| name == word) {
            Some(function) => Term::Call { function: FnId(function as u32), args },
            None => Term::Prim { prim: prim::named(word).unwrap_or_else(|| panic!("no {word}")), args },
        }
    }

    fn faces(&mut self) -> Faces {
        if self.eat("of ") {
            return Faces::Member { pool: self.term() };
        }
        let start = self.at;
        let first = self.term();
        if self.eat("..") {
            return Faces::Range { lo: first, hi: self.term() };
        }
        if self.eat("of ") {
            return Faces::Members { count: first, pool: self.term() };
        }
        self.at = start;
        let mut faces = Vec::new();
        loop {
            let value = self.value();
            self.expect("x");
            faces.push((value, self.number() as u64));
            if !self.eat("or ") {
                return Faces::Weighted(Arc::new(faces));
            }
        }
    }

    fn value(&mut self) -> Value {
        if self.eat("\"") {
            let end = self.rest().find('"').unwrap();
            let text = Value::text(&self.rest()[..end]);
            self.at += end + 1;
            return text;
        }
        if self.eat("(") {
            return Value::tuple(self.values(")"));
        }
        if !self.eat("[") {
            return Value::int(self.number());
        }
        Value::pool(self.values("]"))
    }
    fn values(&mut self, close: &str) -> Vec<Value> {
        let mut values = Vec::new();
        while !self.eat(close) {
            values.push(self.value());
            self.eat(",");
        }
        values
    }
}
