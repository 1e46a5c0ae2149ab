//! A roll as people read it: the expression, with the dice after each dice term, and the result.
//!
//! ```text
//! 4d6kh3 (6, 5, ~~1~~, 4) + 2 = 17
//! 1d20 (3) + 3 [str] = 6 vs 15: failure
//!
//! 4          a die that counts            1r→5       a reroll: the 5 replaces the 1
//! ~~1~~      one that does not            6! + 4     an explosion: both count
//! 10:2       it counts as 2 successes     1→10       it counts as 10
//! ```
//!
//! A line is the expression with edits: what dice show is found in `dice`, bounds on totals in `changes`, comparisons
//! and names in `events`, what becomes of the result in `ending`, the sums of labels in `labels`. Lists over 100 are
//! shortened here, never in the data.

mod changes;
mod dice;
mod edit;
mod ending;
mod events;
mod labels;

use crate::sight::row;
use crate::trace::{Drawn, Event, Rolled, Side, Step, Trace};
use edit::Edit;
use ending::Ending;
use labels::Parts;
pub use labels::subtotals;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use tumble_core::prim::Sort;
use tumble_core::{Data, Mark, Program, Slot, Span, Term, TermId, Value};

/// The longest list that is written out.
const LONGEST: usize = 100;

/// Writes rolls as lines.
pub struct LineWriter<'a> {
    /// The expression, with spaces for what is left out.
    pub text: &'a str,
    /// What was rolled.
    pub program: &'a Program,
    /// Names whose numbers come from outside.
    pub values: Vec<Side>,
    /// The names of parts.
    pub labels: Vec<(Span, &'a str)>,
    /// Dice terms whose dice are shown in order, if true the highest first.
    pub sorted: Vec<(Span, bool)>,
    /// Whether comparisons show their totals, or are filters that stay as written.
    pub checks: bool,
    /// Whether each roll of a repetition gets its own line, if that is the whole program.
    pub apart: bool,
    /// How a value is spelled.
    pub spell: &'a dyn Fn(&Value) -> String,
    /// How parts of a line are marked.
    pub style: Style,
}

/// How parts of a line are marked; each part comes as plain text.
#[derive(Clone, Copy)]
pub struct Style {
    /// A die.
    pub die: fn(&Drawn, String) -> String,
    /// A result.
    pub total: fn(String) -> String,
    /// Whether a comparison holds.
    pub verdict: fn(bool, String) -> String,
}

impl Style {
    /// Without marks.
    pub const PLAIN: Style = Style { die: |_, die| die, total: |total| total, verdict: |_, verdict| verdict };
}

/// The roll of an expression in one line.
pub fn story(text: &str, program: &Program, rolled: &Rolled) -> String {
    let spell = &Value::to_string;
    let (values, labels, sorted, style) = (vec![], vec![], vec![], Style::PLAIN);
    let writer = LineWriter { text, program, values, labels, sorted, checks: true, apart: false, spell, style };
    writer.lines(rolled).join("\n")
}

/// A part of a roll that is told in one line.
struct Scene<'r> {
    /// Its part of the text.
    region: Range<usize>,
    draws: &'r [Drawn],
    /// Its dice.
    dice: Range<usize>,
    events: &'r [Event],
    trace: Option<&'r Trace>,
    results: Vec<(TermId, &'r Value)>,
}

impl LineWriter<'_> {
    /// The lines of a roll: one, unless each roll of a repetition has its own.
    pub fn lines(&self, rolled: &Rolled) -> Vec<String> {
        let (result, bound) = self.result();
        if self.apart
            && let (Term::Repeat { body, .. }, Data::List(values)) = (self.program.term(result), &rolled.value.data)
        {
            return self.rolls_apart(rolled, (result, *body), values);
        }
        let resolve = |id: &TermId| {
            let value = if let Term::Var(slot) = self.program.term(*id) { bound.get(slot) } else { None };
            value.copied().unwrap_or(*id)
        };
        let results: Vec<(TermId, &Value)> = match (row(self.program, result), &rolled.value.data) {
            (Some((prim, args)), Data::List(values)) if prim.gives == Sort::List => {
                args.iter().map(resolve).zip(values.iter()).collect()
            }
            _ => vec![(result, &rolled.value)],
        };
        let scene = Scene {
            region: 0..self.text.len(),
            draws: &rolled.draws,
            dice: 0..rolled.draws.len(),
            events: &rolled.events,
            trace: Some(&rolled.trace),
            results,
        };
        vec![self.line(&scene)]
    }

    /// The term behind all bindings, and what is bound.
    fn result(&self) -> (TermId, HashMap<Slot, TermId>) {
        let mut bound = HashMap::new();
        let mut id = self.program.function(self.program.main()).body;
        while let Term::Let { slots, value, body } = self.program.term(id) {
            if let [slot] = slots.as_slice() {
                bound.insert(*slot, *value);
            }
            id = *body;
        }
        (id, bound)
    }

    /// A line for each roll of a repetition, after one for what was bound before.
    fn rolls_apart(&self, rolled: &Rolled, (repeat, body): (TermId, TermId), values: &[Value]) -> Vec<String> {
        let (place, inner) = (self.program.span(repeat), self.program.span(body));
        let part = find(&rolled.trace, place);
        let first = part.map(fell).filter(|dice| !dice.is_empty()).map_or(rolled.draws.len(), |dice| dice.start);
        let noted = part.map_or(rolled.events.len(), |part| part.events.start);
        let mut before = Scene {
            region: 0..place.start.min(self.text.len()),
            draws: &rolled.draws,
            dice: 0..first,
            events: rolled.events.get(..noted).unwrap_or(&[]),
            trace: Some(&rolled.trace),
            results: vec![],
        };
        let head = self.line(&before);
        let mut lines: Vec<String> = Some(head).filter(|head| !head.is_empty()).into_iter().collect();
        let mut passes = part.map_or(&[][..], |part| part.inside.as_slice()).iter().peekable();
        for (number, value) in values.iter().enumerate() {
            let pass = passes.next_if(|pass| pass.what == Step::Pass(number as u64 + 1));
            before.region = self.inside(inner);
            before.dice = match (part, pass) {
                (_, Some(pass)) => fell(pass),
                // Plain dice are rolled all at once.
                (Some(part), None) if part.what == Step::Dice => first + number..first + number + 1,
                _ => 0..0,
            };
            before.events = pass.and_then(|pass| rolled.events.get(pass.events.clone())).unwrap_or(&[]);
            before.trace = pass;
            before.results = vec![(body, value)];
            lines.push(self.line(&before));
        }
        lines
    }

    /// A place without the brackets around it.
    fn inside(&self, place: Span) -> Range<usize> {
        let Some(written) = self.text.get(place.start..place.end).filter(|written| written.starts_with('(')) else {
            return place.start..place.end;
        };
        let mut depth = 0usize;
        let close = written.char_indices().find(|(_, c)| {
            depth = depth.saturating_add(usize::from(*c == '(')).saturating_sub(usize::from(*c == ')'));
            depth == 0
        });
        match close {
            Some((last, ')')) if last + 1 == written.len() => place.start + 1..place.end - 1,
            _ => place.start..place.end,
        }
    }

    fn line(&self, scene: &Scene<'_>) -> String {
        let endings: Vec<Ending<'_>> =
            scene.results.iter().map(|(id, value)| Ending::new(self.program, *id, value)).collect();
        let checks = scene.events.iter().filter_map(|event| match event {
            Event::Check(check) if self.checks => Some(check.span),
            Event::Check(_) | Event::Named(_) | Event::Changed(_) => None,
        });
        let checks: HashSet<Span> = checks.collect();
        let parts = scene.trace.and_then(|trace| Parts::new(self.program, trace, scene.events, &self.labels));
        let changes = self.changes(scene);
        let mut edits = dice::edits(self, scene, &changes.of_dice);
        edits.extend(changes.of_items);
        self.events(scene, &endings, &mut edits);
        let mut last = String::new();
        for ending in &endings {
            let text = self.ending(ending, &checks, parts.as_ref());
            match endings.as_slice() {
                [_] => last = text,
                _ => edits.push(Edit::after(self.program.span(ending.term), edit::RESULT, text)),
            }
        }
        let (line, compares) = edit::apply(self.text, scene.region.clone(), edits);
        let line: Vec<&str> = line.split(['\n', '\r']).map(str::trim).filter(|piece| !piece.is_empty()).collect();
        let mut line = line.join(" ");
        if !endings.is_empty() {
            // A `;` at the end is followed by nothing.
            line.truncate(line.trim_end_matches([';', ' ']).len());
        }
        // No comparison runs into the value.
        match last.strip_prefix(" =") {
            Some(value) if compares => format!("{line}:{value}"),
            _ => line + &last,
        }
    }
}

/// The dice of a scene by number; a choice among dice brings no new die: what it shows bears the mark of the one that
/// was chosen.
fn numbered<'r>(scene: &'r Scene<'_>) -> impl Iterator<Item = (usize, &'r Drawn)> {
    let dice = scene.dice.start.min(scene.draws.len())..scene.dice.end.min(scene.draws.len());
    dice.map(|number| (number, &scene.draws[number])).filter(|(_, die)| die.shown.mark == Mark::NONE)
}

/// The outermost part in this place that is a loop or dice.
fn find(trace: &Trace, span: Span) -> Option<&Trace> {
    if trace.span == span && matches!(trace.what, Step::Loop | Step::Dice) {
        return Some(trace);
    }
    trace.inside.iter().find_map(|part| find(part, span))
}

/// The dice that fell in a part.
fn fell(part: &Trace) -> Range<usize> {
    let own = part.dice.first().zip(part.dice.last()).map(|(first, last)| *first..last + 1);
    let inside = part.inside.iter().map(fell).filter(|dice| !dice.is_empty());
    own.into_iter().chain(inside).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
}

/// The canonical spelling of a value, long collections shortened.
fn short(value: &Value) -> Option<String> {
    let (open, items, close) = match &value.data {
        Data::Pool(items) if items.len() > LONGEST => ('[', items, ']'),
        Data::List(items) if items.len() > LONGEST => ('<', items, '>'),
        _ => return None,
    };
    let first: Vec<String> = items[..LONGEST].iter().map(Value::to_string).collect();
    Some(format!("{open}{}, … {} more{close}", first.join(", "), items.len() - LONGEST))
}
