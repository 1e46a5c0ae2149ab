//! Totals that a bound changed.
//!
//! ```text
//! 3d12!!ma8           (4, 4, 12! + 3 → 8)                  a die with what came from it
//! {2d6, d8}ma5        {2d6 (4, 5) → 5, d8 (3)}ma5          an item of a group
//! 3(d6 + 1)mi4        3(d6 (1, 5, 2) + 1 → 4, 6, 4)mi4     what is repeated, each time
//! ```

use super::edit::{Edit, TOTAL};
use super::events::listed;
use super::{LineWriter, Scene, row};
use crate::trace::{Change, Event};
use std::collections::{BTreeMap, HashMap};
use tumble_core::{Shape, Span, Term, TermId};

/// Where changes are written.
pub(super) struct Changes {
    /// After the items that they are about.
    pub(super) of_items: Vec<Edit>,
    /// After dice.
    pub(super) of_dice: Vec<Total>,
}

/// What the dice from a first to a last one count as together.
#[derive(Clone, Copy)]
pub(super) struct Total {
    pub(super) dice: (usize, usize),
    pub(super) number: i64,
}

impl LineWriter<'_> {
    pub(super) fn changes(&self, scene: &Scene<'_>) -> Changes {
        let changes = scene.events.iter().filter_map(|event| match event {
            Event::Changed(change) => Some(change),
            Event::Check(_) | Event::Named(_) => None,
        });
        let changes: Vec<&Change> = changes.collect();
        let mut found = Changes { of_items: vec![], of_dice: vec![] };
        if changes.is_empty() {
            return found;
        }
        let bounds = self.bounds();
        let mut items: BTreeMap<(usize, usize), Vec<&Change>> = BTreeMap::new();
        let mut dice: BTreeMap<(usize, usize), &Change> = BTreeMap::new();
        for change in changes {
            match (bounds.get(&change.span).and_then(|items| items.place(change)), change.dice) {
                (Some(item), _) => items.entry((item.start, item.end)).or_default().push(change),
                (None, Some(own)) if change.from != change.to => _ = dice.insert(own, change),
                (None, _) => {}
            }
        }
        for ((start, end), changes) in items {
            if changes.iter().any(|change| change.from != change.to) {
                let totals = listed(changes.iter().map(|change| change.to.to_string()).collect());
                let place = self.inside(Span { start, end });
                let place = Span { start: place.start, end: place.end };
                found.of_items.push(Edit::after(place, TOTAL, format!(" → {totals}")));
            }
        }
        found.of_dice = dice.into_iter().map(|(dice, change)| Total { dice, number: change.to }).collect();
        found
    }

    /// What is bound in each place, where that is written apart from the bound.
    fn bounds(&self) -> HashMap<Span, Items> {
        let mut bounds = HashMap::new();
        for id in self.program.ids() {
            if let Some((prim, args)) = row(self.program, id)
                && let (Shape::Map { .. }, Some(pool)) = (prim.shape, args.get(prim.over))
                && let Some(items) = self.items(self.program.span(id), *pool)
            {
                bounds.insert(self.program.span(id), items);
            }
        }
        bounds
    }

    /// The members of a collection as they are written, if that is not where the bound itself is.
    fn items(&self, bound: Span, mut pool: TermId) -> Option<Items> {
        let apart = |id: TermId| Some(self.program.span(id)).filter(|span| *span != bound);
        loop {
            let (prim, args) = row(self.program, pool)?;
            match (prim.shape, args) {
                (Shape::Map { .. }, _) => pool = *args.get(prim.over)?,
                (Shape::Union, [one]) => {
                    if let Term::Repeat { body, .. } = self.program.term(*one) {
                        return apart(*body).map(Items::Repeated);
                    }
                    return apart(*one).map(|one| Items::Listed(vec![one]));
                }
                (Shape::Union, several) => {
                    return several.iter().map(|one| apart(*one)).collect::<Option<_>>().map(Items::Listed);
                }
                _ => return None,
            }
        }
    }
}

/// What a bound is about.
enum Items {
    Listed(Vec<Span>),
    Repeated(Span),
}

impl Items {
    fn place(&self, change: &Change) -> Option<Span> {
        match self {
            Items::Listed(items) => items.get(change.place).copied(),
            Items::Repeated(body) => Some(*body),
        }
    }
}
