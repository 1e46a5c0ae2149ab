//! How much of a total each label brings.
//!
//! ```text
//! 2d6[fire] + 3 + d8[cold]                fire: that 2d6         cold: that d8
//! (d20 >= 12) * (d8[slash] + d6[fire])    the same times 0 or 1
//! floor(4d6[fire] / 2) + d8[cold]         fire: that half
//! ```
//!
//! A sum is taken apart into its parts; a part with one label belongs to it. If a part has several labels, it cannot
//! be known what each adds, and nothing is shown.

use crate::sight::row;
use crate::trace::{Event, Trace};
use std::collections::BTreeMap;
use tumble_core::{Program, Span, Term, TermId, prim};

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
        labels.sort_by_key(|(span, _)| place(*span));
        values(trace, &mut known);
        for event in events {
            match event {
                Event::Check(check) => known.insert(place(check.span), i64::from(check.holds)),
                Event::Named(side) => known.insert(place(side.span), side.value),
            };
        }
        Some(Parts { program, labels, known })
    }

    /// The sums of at least two labels in a term.
    pub(super) fn sums(&self, term: TermId) -> Vec<(&'a str, i64)> {
        self.all(term).filter(|sums| sums.len() > 1).unwrap_or_default()
    }

    fn all(&self, term: TermId) -> Option<Vec<(&'a str, i64)>> {
        let mut sums: Vec<(&str, i64)> = Vec::new();
        let mut todo = vec![(term, 1)];
        while let Some((id, factor)) = todo.pop() {
            if let Some(label) = self.own_label(id) {
                add(&mut sums, label, self.value(id)?.checked_mul(factor)?)?;
                continue;
            }
            match self.program.term(id) {
                Term::Let { body, .. } => todo.push((*body, factor)),
                Term::If { then, other, .. } if self.label(id) != Labels::None => {
                    let rolled = |branch: &TermId| self.happened(self.program.span(*branch));
                    let branch = [other, then].into_iter().find(|branch| rolled(branch))?;
                    todo.push((*branch, factor));
                }
                _ => match self.split(id, factor) {
                    Some(parts) => todo.extend(parts?),
                    None => match self.label(id) {
                        Labels::None => {}
                        Labels::One(label) => add(&mut sums, label, self.value(id)?.checked_mul(factor)?)?,
                        Labels::Several => return None,
                    },
                },
            }
        }
        Some(sums)
    }

    /// The parts of a sum, the last one first, or of a product in which one side has all labels; the inner none is
    /// a number that is not known.
    fn split(&self, id: TermId, factor: i64) -> Option<Option<Vec<(TermId, i64)>>> {
        let (prim, args) = row(self.program, id)?;
        match *args {
            [a, b] if *prim == prim::ADD => Some(Some(vec![(b, factor), (a, factor)])),
            [a, b] if *prim == prim::SUB => Some(factor.checked_neg().map(|less| vec![(b, less), (a, factor)])),
            [a] if *prim == prim::NEG => Some(factor.checked_neg().map(|less| vec![(a, less)])),
            [a, b] if *prim == prim::MUL && self.label(id) == Labels::Several => {
                let (labelled, other) = match (self.label(a), self.label(b)) {
                    (Labels::None, _) => (b, a),
                    (_, Labels::None) => (a, b),
                    _ => return None,
                };
                Some(self.value(other).and_then(|times| Some(vec![(labelled, factor.checked_mul(times)?)])))
            }
            _ => None,
        }
    }

    /// The number that a term came to.
    fn value(&self, id: TermId) -> Option<i64> {
        match self.program.term(id) {
            Term::Lit(value) => value.as_int(),
            _ => self.known.get(&place(self.program.span(id))).copied(),
        }
    }

    /// Whether dice fell in a place.
    fn happened(&self, place: Span) -> bool {
        self.known.range((place.start, 0)..(place.end, 0)).any(|((_, end), _)| *end <= place.end)
    }

    /// The label of just this term.
    fn own_label(&self, id: TermId) -> Option<&'a str> {
        let place = place(self.program.span(id));
        let found = self.labels.binary_search_by_key(&place, |(span, _)| (span.start, span.end));
        found.ok().map(|found| self.labels[found].1)
    }

    /// The labels in the place of a term.
    fn label(&self, id: TermId) -> Labels<'a> {
        let place = self.program.span(id);
        let first = self.labels.partition_point(|(span, _)| span.start < place.start);
        let inside = self.labels[first..].iter().take_while(|(span, _)| span.start < place.end);
        let mut found = Labels::None;
        for (_, label) in inside {
            match found {
                Labels::None => found = Labels::One(label),
                Labels::One(other) if other == *label => {}
                Labels::One(_) | Labels::Several => return Labels::Several,
            }
        }
        found
    }
}

/// The labels in a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels<'a> {
    None,
    One(&'a str),
    Several,
}

fn add<'a>(sums: &mut Vec<(&'a str, i64)>, label: &'a str, number: i64) -> Option<()> {
    match sums.iter_mut().find(|(known, _)| *known == label) {
        Some((_, sum)) => *sum = sum.checked_add(number)?,
        None => sums.push((label, number)),
    }
    Some(())
}
