//! Dice with words on them: a text, or several as a collection without order; their words can be counted.
//!
//! ```text
//! d{hit, miss}         draw("hit", "miss")
//! 3d{hit, miss}        bag(collect(repeat(3, draw(…))))
//! 3d{hit, miss}cs=hit  count(among(collect(…), ["hit"]))
//! ```

use super::super::syntax::{Modifier, NodeId};
use super::dice::{Number, Rolled};
use super::{Kind, Lowering, Typed};
use crate::build::{self, one, repeat, two};
use crate::mistake::Parsed;
use std::collections::BTreeMap;
use std::sync::Arc;
use tumble_core::{Faces, Span, Term, Value, prim};

impl Lowering<'_> {
    pub(super) fn words(
        &mut self,
        span: Span,
        count: Option<NodeId>,
        words: &[String],
        modifiers: &[(Modifier, Span)],
    ) -> Parsed<Typed> {
        let mut rolled: Rolled = Vec::new();
        let count = count.map(|count| self.rolled_first(&mut rolled, count)).transpose()?;
        let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
        words.iter().for_each(|word| *weights.entry(word).or_default() += 1);
        let faces = weights.into_iter().map(|(word, weight)| (Value::text(word), weight)).collect();
        let die = self.kit.put(span, Term::Draw { faces: Faces::Weighted(Arc::new(faces)) });
        let shown = modifiers.iter().filter_map(|(modifier, _)| match modifier {
            Modifier::Shows(word) => Some(Value::text(word)),
            _ => None,
        });
        let shown: Vec<Value> = shown.collect();
        for (modifier, _) in modifiers {
            if let Modifier::Sort(order) = modifier {
                self.shown_in_order(span, *order);
            }
        }
        let lone = matches!(count, None | Some(Number::Known(1)));
        if lone && shown.is_empty() {
            return Ok(Typed { term: die, kind: Kind::Words, span });
        }
        let all = count.map_or(die, |count| self.kit.put(span, repeat(count, die)));
        let pool = one(&prim::COLLECT, all);
        let (term, kind) = match shown.is_empty() {
            true => (self.kit.put(span, one(&prim::BAG, pool)), Kind::Words),
            false => (self.kit.put(span, build::count(two(&prim::AMONG, pool, Value::pool(shown)))), Kind::Number),
        };
        Ok(Typed { term: self.kit.after(span, rolled, term), kind, span })
    }
}
