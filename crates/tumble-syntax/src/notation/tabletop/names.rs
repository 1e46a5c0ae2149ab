//! Names that hold dice: `p := 5d6; p kh2 + p kl1`.
//!
//! A name stands for the roll with its dice if it is bound to dice that are not counted; where a number is wanted it is their
//! total. Modifiers after such a name change these dice, and the name keeps them as they were.

use super::parse::Parser;
use super::syntax::{Dice, Expr, NodeId, Source, key};
use crate::mistake::{Mistake, Parsed};

impl Parser<'_> {
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.names.iter().any(|(known, _)| *known == key(name))
    }

    /// The dice that a name holds; none if it is a number.
    pub(super) fn dice_named(&self, name: &str) -> Option<&Dice> {
        let (_, value) = self.names.iter().rev().find(|(known, _)| *known == key(name))?;
        let mut value = *value;
        while let Expr::Label(inside, _) = self.nodes.expr(value) {
            value = *inside;
        }
        match self.nodes.expr(value) {
            Expr::Dice(dice) if dice.holds() => Some(dice),
            _ => None,
        }
    }

    /// Where the dice of a source were rolled, if they have a name.
    pub(super) fn rolled_from<'s>(&'s self, source: &'s Source) -> &'s Source {
        let mut source = source;
        // A name is bound after what it stands for, so this ends; each name is met once.
        for _ in 0..=self.names.len() {
            match source {
                Source::Named(name) => match self.dice_named(name) {
                    Some(dice) => source = &dice.source,
                    None => break,
                },
                _ => break,
            }
        }
        source
    }

    /// A name, and what is done with the dice it holds.
    pub(super) fn named(&mut self, name: String, start: usize) -> Parsed<NodeId> {
        let before = self.cursor.clone();
        let node = self.modified(start, Source::Named(name.clone()))?;
        let Expr::Dice(dice) = self.nodes.expr(node) else { return Ok(node) };
        if dice.modifiers.is_empty() {
            self.cursor = before;
            self.nodes.replace(node, Expr::Name(name));
            return Ok(node);
        }
        if self.dice_named(&name).is_none() {
            let span = dice.modifiers[0].1;
            let message = format!("`{name}` holds no dice that a modifier could change, as in `p := 5d6; p kh2`");
            return Mistake::new(span, message).fail();
        }
        Ok(node)
    }
}
