//! How much of a total each label brings.
//!
//! ```text
//! 2d6[fire] + 3 + d8[cold]                fire: that 2d6         cold: that d8
//! (d20 >= 12) * (d8[slash] + d6[fire])    the same times 0 or 1
//! x := 2d6[fire]; 2 * x + d8[cold]        fire: that 2d6, twice
//! max(2d6[fire], 5) + d8[cold]            unknown
//! ```
//!
//! A subtotal is shown only if it is certain: if the total is linear in its labelled parts, as the rows tell that make it.
//! They may be added, subtracted, multiplied by something without labels, chosen, and given names. If anything else is done
//! with one, none is shown. What has no label is the rest, so that the subtotals and the rest are the total.

use crate::trace::{Event, Trace};
use std::collections::{BTreeMap, HashMap};
use tumble_core::prim::{Extent, Interval, Sort, Told};
use tumble_core::sort;
use tumble_core::{Program, Slot, Span, Term, TermId, Value};

/// The subtotals of the labels, in the order written, of the number that `term` gave; none if there are not at
/// least two, or if they are unknown. The trace and the events are those of the evaluation of `term`.
pub fn subtotals<'a>(
    program: &'a Program,
    term: TermId,
    trace: &Trace,
    events: &[Event],
    labels: &[(Span, &'a str)],
) -> Vec<(&'a str, i64)> {
    Parts::new(program, trace, events, labels).map(|parts| parts.sums(term)).unwrap_or_default()
}

/// The number that each place came to.
type Known = BTreeMap<(usize, usize), i64>;

fn place(span: Span) -> (usize, usize) {
    (span.start, span.end)
}

/// Notes the numbers of a part and all in it; the outermost part in a place counts.
fn values(part: &Trace, known: &mut Known) {
    if let Some(number) = part.value.as_ref().and_then(|value| value.as_int()) {
        known.entry(place(part.span)).or_insert(number);
    }
    part.inside.iter().for_each(|inner| values(inner, known));
}

/// What is known of the parts of a roll.
pub(super) struct Parts<'a> {
    program: &'a Program,
    /// In the order of the text.
    labels: Vec<(Span, &'a str)>,
    /// Whether each term has labels in it, also by way of a name.
    labelled: Vec<bool>,
    /// What is bound to each name.
    bound: HashMap<Slot, TermId>,
    known: Known,
}

impl<'a> Parts<'a> {
    /// The parts of a roll, if there are at least two labels.
    pub(super) fn new(
        program: &'a Program,
        trace: &Trace,
        events: &[Event],
        labels: &[(Span, &'a str)],
    ) -> Option<Parts<'a>> {
        let (_, first) = labels.first()?;
        labels.iter().find(|(_, label)| label != first)?;
        let (mut labels, mut known) = (labels.to_vec(), Known::new());
        sort::by_key(&mut labels, |(span, _)| place(*span));
        values(trace, &mut known);
        for event in events {
            match event {
                Event::Check(check) => _ = known.insert(place(check.span), i64::from(check.holds)),
                Event::Named(side) => _ = known.insert(place(side.span), side.value),
                Event::Changed(_) => {}
            }
        }
        let labelled = vec![false; program.nodes().len()];
        let mut parts = Parts { program, labels, labelled, bound: HashMap::new(), known };
        parts.find_labels();
        Some(parts)
    }

    /// Finds the terms with labels, those inside before those around them, and a name's value before the name.
    fn find_labels(&mut self) {
        let mut todo = vec![(self.program.function(self.program.main()).body, false)];
        while let Some((id, done)) = todo.pop() {
            let term = self.program.term(id);
            if !done {
                todo.push((id, true));
                let first = todo.len();
                term.children(|child| todo.push((child, false)));
                todo[first..].reverse();
                if let Term::Let { slots, value, .. } = term
                    && let [slot] = slots.as_slice()
                {
                    self.bound.insert(*slot, *value);
                }
                continue;
            }
            let mut found = self.own(id).next().is_some();
            term.children(|child| found |= self.has_labels(child));
            if let Term::Var(slot) = term {
                found |= self.bound.get(slot).is_some_and(|value| self.has_labels(*value));
            }
            self.labelled[id.index()] = found;
        }
    }

    fn has_labels(&self, id: TermId) -> bool {
        self.labelled[id.index()]
    }

    /// The sums of at least two labels in a term.
    pub(super) fn sums(&self, term: TermId) -> Vec<(&'a str, i64)> {
        self.all(term).filter(|sums| sums.len() > 1).unwrap_or_default()
    }

    /// The sums of all labels, if they are certain.
    fn all(&self, term: TermId) -> Option<Vec<(&'a str, i64)>> {
        let mut sums: Vec<(&str, i64)> = Vec::new();
        let mut todo = vec![(term, 1)];
        while let Some((id, factor)) = todo.pop() {
            if !self.has_labels(id) {
                continue;
            }
            match self.own_label(id)? {
                Some(label) => add(&mut sums, label, self.value(id)?.checked_mul(factor)?)?,
                None => todo.extend(self.split(id, factor)?),
            }
        }
        Some(sums)
    }

    /// The parts of a term that is linear in them, the last one first.
    fn split(&self, id: TermId, factor: i64) -> Option<Vec<(TermId, i64)>> {
        match self.program.term(id) {
            Term::Let { body, .. } => Some(vec![(*body, factor)]),
            Term::Var(slot) => Some(vec![(*self.bound.get(slot)?, factor)]),
            Term::If { test, then, other, .. } if !self.has_labels(*test) => {
                let happened = |branch: &TermId| self.happened(self.program.span(*branch));
                let holds = match self.value(*test) {
                    Some(holds) => holds != 0,
                    None if happened(then) != happened(other) => happened(then),
                    None => return None,
                };
                Some(vec![(if holds { *then } else { *other }, factor)])
            }
            Term::Prim { prim, args } => {
                let sorts = prim.takes.iter().chain(std::iter::repeat(&Sort::Any));
                let extents: Vec<Extent> = args.iter().zip(sorts).map(|(arg, sort)| self.extent(*sort, *arg)).collect();
                let Told::Linear { parts, .. } = (prim.tell)(&extents) else { return None };
                let part = |(place, by): &(usize, i64)| Some((*args.get(*place)?, factor.checked_mul(*by)?));
                parts.iter().rev().map(part).collect()
            }
            Term::Lit(_)
            | Term::If { .. }
            | Term::Draw { .. }
            | Term::Repeat { .. }
            | Term::ForEach { .. }
            | Term::Until { .. }
            | Term::Loop { .. }
            | Term::Call { .. }
            | Term::Leave { .. }
            | Term::Ask { .. }
            | Term::Emit { .. }
            | Term::Throw { .. } => None,
        }
    }

    /// What is known of an argument of this sort: any number where there are labels in it, else what it came to.
    fn extent(&self, sort: Sort, arg: TermId) -> Extent {
        match self.value(arg).filter(|_| !self.has_labels(arg)) {
            Some(number) => Extent::Known(Value::int(number)),
            None if sort == Sort::Int => Extent::Number(Interval::ALL),
            None => Extent::Any,
        }
    }

    /// The number that a term came to.
    fn value(&self, id: TermId) -> Option<i64> {
        if let Term::Lit(value) = self.program.term(id) {
            return value.as_int();
        }
        self.known.get(&place(self.program.span(id))).copied()
    }

    /// Whether dice fell in a place.
    fn happened(&self, place: Span) -> bool {
        self.known.range((place.start, 0)..(place.end, 0)).any(|((_, end), _)| *end <= place.end)
    }

    /// The labels of just this term.
    fn own(&self, id: TermId) -> impl Iterator<Item = &'a str> {
        let place = place(self.program.span(id));
        let first = self.labels.partition_point(|(span, _)| (span.start, span.end) < place);
        self.labels[first..]
            .iter()
            .take_while(move |(span, _)| (span.start, span.end) == place)
            .map(|(_, label)| *label)
    }

    /// The label of just this term; the outer none if it has several, or others in it.
    fn own_label(&self, id: TermId) -> Option<Option<&'a str>> {
        let mut own = self.own(id);
        let Some(label) = own.next() else { return Some(None) };
        let span = self.program.span(id);
        let first = self.labels.partition_point(|(label, _)| label.start < span.start);
        let mut inside = self.labels[first..].iter().take_while(|(label, _)| label.start < span.end);
        if inside.all(|(_, other)| *other == label) { Some(Some(label)) } else { None }
    }
}

fn add<'a>(sums: &mut Vec<(&'a str, i64)>, label: &'a str, number: i64) -> Option<()> {
    match sums.iter_mut().find(|(known, _)| *known == label) {
        Some((_, sum)) => *sum = sum.checked_add(number)?,
        None => sums.push((label, number)),
    }
    Some(())
}
