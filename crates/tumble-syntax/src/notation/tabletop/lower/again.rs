//! Dice that are rolled again: rerolls and explosions.
//!
//! ```text
//! r<3     until(x = die then draw, not x < 3)                            the last roll counts
//! !       gather(accumulate(x = die then draw, not x = 6))               all rolls count, each a die
//! !!      sum(gather(accumulate(…)))                                     one die
//! !p      firsts(collect(accumulate(x = (die, die) then (draw - 1, draw), not second(x) = 6)))
//! ```
//!
//! `die` is the die as it is when the modifier meets it, and `draw` a new one. While the dice are still
//! apart this is done to one die before it is repeated, else to each member of the pool. Where something has looked
//! at all dice (`4d6kh3!`), the new dice need not know those they come from, and are counted:
//!
//! ```text
//! let p = pool in gather(p, repeat(count(p = 6), gather(accumulate(x = draw, not x = 6))))
//! ```
//!
//! and if only the sum of all is wanted, it is the sum of the two parts, which has an exact answer
//! without end.

use super::super::syntax::{Cap, Explode, Test};
use super::Lowering;
use super::count::found;
use super::dice::{Die, Number, State, Throw, compares};
use crate::build::{
    self, Build, bind, compare, count, each, either, field, gather, not, nothing, one, or, sum, those, times, two,
};
use crate::mistake::{Mistake, Parsed};
use tumble_core::prim::Interval;
use tumble_core::{Code, Compare, Keep, Slot, Span, Term, TermId, prim};

/// From here on a die that always explodes is not followed roll by roll.
const LONG: u64 = 100;

/// What makes a die roll again: one of these.
#[derive(Clone)]
pub(super) struct Trigger(Vec<(Compare, Number)>);

impl Lowering<'_> {
    /// Rerolled while any of several conditions holds.
    pub(super) fn reroll(&mut self, throw: &mut Throw, tests: &[Test], cap: Cap, at: Span) -> Parsed<()> {
        let trigger = self.trigger(throw, tests)?;
        self.can_stop(throw, &trigger, cap, at, "is rerolled")?;
        self.each_die(throw, |this, throw, (die, plain)| {
            let first = (!plain).then_some(die);
            let body = if plain { die } else { this.draw(throw.span, &throw.die) };
            this.again(throw.span, &trigger, (first, body), (passes(cap), Keep::Last), false)
        });
        Ok(())
    }

    /// Does something to every die, before they are repeated or one by one; it is plain if nothing was done to it.
    fn each_die(&mut self, throw: &mut Throw, does: impl FnOnce(&mut Self, &Throw, (TermId, bool)) -> TermId) {
        if let Some(die) = self.each(throw) {
            let die = does(self, throw, die);
            throw.state = State::Each { die, plain: false };
            return;
        }
        let (slot, pool) = (self.kit.slot("die"), self.pool(throw));
        let member = self.kit.put(throw.span, slot);
        let body = does(self, throw, (member, false));
        self.for_each(throw, slot, pool, body);
    }

    pub(super) fn trigger(&mut self, throw: &mut Throw, tests: &[Test]) -> Parsed<Trigger> {
        let tests = tests.iter().map(|test| Ok((test.by, self.argument(throw, &test.arg)?)));
        Ok(Trigger(tests.collect::<Parsed<Vec<_>>>()?))
    }

    /// For each die that meets a condition another one is taken away; nothing that comes later can drop it. If nothing
    /// comes later but explosions, which it does not meet, it lies beside its die.
    pub(super) fn implode(&mut self, throw: &mut Throw, test: &Test, alone: bool) -> Parsed<()> {
        let number = self.argument(throw, &test.arg)?;
        let (span, pool) = (throw.span, self.pool(throw));
        let slot = self.kit.slot(if alone { "die" } else { "dice" });
        let another = self.draw(span, &throw.die);
        let less = self.opposite(span, another);
        if !alone {
            throw.before(slot, pool);
            throw.more = Some(self.kit.put(span, sum(times(found(slot, test.by, number), less))));
            throw.state = State::Pool(self.kit.put(span, slot));
            return Ok(());
        }
        let body = either(compares(slot, test.by, number), two(&prim::GATHER, slot, less), gather(slot));
        throw.members = None;
        self.for_each(throw, slot, pool, body);
        Ok(())
    }

    pub(super) fn explode(&mut self, throw: &mut Throw, explode: &Explode, at: Span, last: bool) -> Parsed<()> {
        let trigger = match explode.tests[..] {
            [] => Trigger(vec![(Compare::Equal, largest(&throw.die))]),
            _ => self.trigger(throw, &explode.tests)?,
        };
        let every = self.can_stop(throw, &trigger, explode.cap, at, "explodes")?;
        if explode.tests.is_empty() && explode.cap == Cap::None {
            self.two_faces_at_least(throw, at);
        }
        let span = throw.span;
        if !explode.compound {
            throw.members = None;
        }
        if let Cap::Total(most) = explode.cap {
            self.explode_some(throw, &trigger, most, last);
            return Ok(());
        }
        let apart = self.each(throw).is_some();
        if !apart && (last || !explode.compound && !throw.apart) {
            self.explode_together(throw, explode, &trigger, last);
            return Ok(());
        }
        self.each_die(throw, |this, throw, (die, plain)| match explode.cap {
            Cap::Most(most @ LONG..) if every && plain && !explode.penetrate => this.in_a_row(span, die, explode, most),
            _ => this.exploded(throw, explode, &trigger, (die, plain)),
        });
        if apart && !explode.compound {
            // A pool for each die: together they are one.
            throw.state = State::Pool(self.pool(throw));
        }
        Ok(())
    }

    /// A die that always explodes is so many dice.
    fn in_a_row(&mut self, span: Span, die: TermId, explode: &Explode, most: u64) -> TermId {
        let all = times(i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1), die);
        if explode.compound { self.kit.put(span, sum(all)) } else { self.kit.put(span, all) }
    }

    /// As many new dice as members of the pool explode, beside the pool.
    fn explode_together(&mut self, throw: &mut Throw, explode: &Explode, trigger: &Trigger, last: bool) {
        let most = match explode.cap {
            Cap::None | Cap::Total(_) => None,
            Cap::Once => Some(1),
            Cap::Most(0) => return,
            Cap::Most(n) => Some(n),
        };
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let draw = self.draw(span, &throw.die);
        let body = if explode.penetrate { self.paired(span, draw, 1) } else { draw };
        let list = self.again(span, trigger, (None, body), (most, Keep::All), explode.penetrate);
        let chain = match explode.penetrate {
            true => self.kit.put(span, firsts(list)),
            false => self.kit.put(span, gather(list)),
        };
        let dice = self.kit.put(span, slot);
        let found = self.triggered(span, trigger, dice);
        let extra = times(count(found), chain);
        let all = match last {
            true => State::Total(self.kit.put(span, bind(slot, pool, two(&prim::ADD, sum(slot), sum(extra))))),
            false => {
                State::Pool(self.kit.put(span, bind(slot, one(&prim::BAG, pool), two(&prim::GATHER, slot, extra))))
            }
        };
        throw.state = all;
    }

    /// The dice that roll again.
    pub(super) fn triggered(&mut self, span: Span, trigger: &Trigger, dice: TermId) -> TermId {
        if let [(by, number)] = trigger.0[..] {
            return self.kit.put(span, those(by, number, dice));
        }
        let slot = self.kit.slot("die");
        let again = self.goes_on(span, trigger, slot);
        self.kit.put(span, gather(each(slot, dice, either(again, gather(slot), nothing()))))
    }

    /// Whether a die rolls again.
    pub(super) fn goes_on(&mut self, span: Span, trigger: &Trigger, shown: impl Build) -> TermId {
        if let [(by, number)] = trigger.0[..] {
            return self.kit.put(span, compare(by.flipped(), number, shown));
        }
        let slot = self.kit.slot("shown");
        let mut again = self.kit.put(span, false);
        for (by, number) in trigger.0.iter().rev() {
            again = self.kit.put(span, or(compares(slot, *by, *number), again));
        }
        self.kit.put(span, bind(slot, shown, again))
    }

    /// A die with the dice that it brings.
    fn exploded(&mut self, throw: &Throw, explode: &Explode, trigger: &Trigger, die: (TermId, bool)) -> TermId {
        let span = throw.span;
        let all = if explode.penetrate {
            self.penetrating(throw, trigger, explode.cap, die)
        } else {
            let (first, body) = match die {
                (die, true) => (None, die),
                (die, false) => (Some(die), self.draw(span, &throw.die)),
            };
            let list = self.again(span, trigger, (first, body), (passes(explode.cap), Keep::All), false);
            self.kit.put(span, gather(list))
        };
        if explode.compound { self.kit.put(span, sum(all)) } else { all }
    }

    /// Dice as pairs: what they are worth, and what they show.
    fn penetrating(&mut self, throw: &Throw, trigger: &Trigger, cap: Cap, (die, plain): (TermId, bool)) -> TermId {
        let span = throw.span;
        let die = if plain { die } else { self.single(span, die) };
        let first = self.paired(span, die, 0);
        let draw = self.draw(span, &throw.die);
        let body = self.paired(span, draw, 1);
        let list = self.again(span, trigger, (Some(first), body), (passes(cap), Keep::All), true);
        self.kit.put(span, firsts(list))
    }

    /// The one member of a die that went through a row for collections.
    fn single(&mut self, span: Span, die: TermId) -> TermId {
        if matches!(self.kit.draft.node(die).term, Term::Var(_) | Term::Draw { .. }) {
            return die;
        }
        self.kit.put(span, one(&prim::ONLY, die))
    }

    /// `(die - less, die)`
    fn paired(&mut self, span: Span, die: TermId, less: i64) -> TermId {
        let slot = self.kit.slot("face");
        match less {
            0 => self.kit.put(span, bind(slot, die, two(&prim::TUPLE, slot, slot))),
            _ => self.kit.put(span, bind(slot, die, two(&prim::TUPLE, two(&prim::SUB, slot, less), slot))),
        }
    }

    /// A die that counts as its opposite: `firsts(collect((-die, die)))`, so that a roll shows both.
    pub(super) fn opposite(&mut self, span: Span, die: impl Build) -> TermId {
        let slot = self.kit.slot("face");
        self.kit.put(span, firsts(bind(slot, die, two(&prim::TUPLE, one(&prim::NEG, slot), slot))))
    }

    /// The same roll again while the trigger holds; of pairs the second decides.
    fn again(
        &mut self,
        span: Span,
        trigger: &Trigger,
        (first, body): (Option<TermId>, TermId),
        (most, keep): (Option<u64>, Keep),
        pairs: bool,
    ) -> TermId {
        let slot = self.kit.slot("die");
        let again = match pairs {
            true => self.goes_on(span, trigger, field(1, slot)),
            false => self.goes_on(span, trigger, slot),
        };
        let stop = self.kit.put(span, not(again));
        self.kit.put(span, Term::Until { slot, first, body, stop, most, keep })
    }

    fn for_each(&mut self, throw: &mut Throw, slot: Slot, pool: TermId, body: impl Build) {
        throw.state = State::Pool(self.kit.put(throw.span, gather(each(slot, pool, body))));
    }

    /// Whether every face rolls again; refuses what would roll for ever, where the faces tell.
    fn can_stop(&mut self, throw: &Throw, trigger: &Trigger, cap: Cap, at: Span, what: &str) -> Parsed<bool> {
        let Some(ends) = ends(&throw.die) else { return Ok(false) };
        let known = |(by, number): &(Compare, Number)| match number {
            Number::Known(n) => Some((*by, *n)),
            Number::Rolled(_) => None,
        };
        let tests: Vec<(Compare, i64)> = trigger.0.iter().filter_map(known).collect();
        let every = match &throw.die {
            Die::Listed(faces) => faces
                .iter()
                .all(|(face, _)| face.as_int().is_some_and(|face| tests.iter().any(|(by, n)| by.holds(face, *n)))),
            _ => tests.iter().any(|(by, n)| by.certain(ends, Interval::one(*n)) == Some(true)) || covered(ends, &tests),
        };
        if every && cap == Cap::None {
            let message = format!("this never ends: every face {what}; to set a maximum, add `x3`");
            return Mistake::new(at, message).code(Code::Endless).fail();
        }
        Ok(every)
    }
}

impl Lowering<'_> {
    /// A die whose faces are rolled and turn out to be one would explode for ever.
    fn two_faces_at_least(&mut self, throw: &mut Throw, at: Span) {
        let Die::Range(low, high @ Number::Rolled(_)) = throw.die else { return };
        let endless = build::at(at, build::fail(Code::Endless, "", "this never ends: every face explodes", ""));
        let checked = self.kit.put(throw.span, either(compare(Compare::Equal, low, high), endless, high));
        let slot = self.kit.slot("sides");
        throw.before(slot, checked);
    }
}

/// The first of each of several pairs.
fn firsts(pairs: impl Build) -> impl Build {
    one(&prim::FIRSTS, one(&prim::COLLECT, pairs))
}

/// Whether several conditions together hold for every number of a short row.
fn covered(ends: Interval, tests: &[(Compare, i64)]) -> bool {
    let (Some(low), Some(high), 2..) = (ends.lo, ends.hi, tests.len()) else { return false };
    high.saturating_sub(low) < 10_000 && (low..=high).all(|face| tests.iter().any(|(by, n)| by.holds(face, *n)))
}

/// The largest face.
fn largest(die: &Die) -> Number {
    match die {
        Die::Range(_, high) => *high,
        _ => Number::Known(ends(die).and_then(|ends| ends.hi).unwrap_or(0)),
    }
}

/// From the smallest to the largest face, where they are known.
fn ends(die: &Die) -> Option<Interval> {
    match die {
        Die::Range(Number::Known(low), Number::Known(high)) => Some(Interval { lo: Some(*low), hi: Some(*high) }),
        Die::Listed(faces) => {
            Some(Interval { lo: Some(faces.first()?.0.as_int()?), hi: Some(faces.last()?.0.as_int()?) })
        }
        _ => None,
    }
}

/// How many rolls there are in all.
fn passes(cap: Cap) -> Option<u64> {
    match cap {
        Cap::None => None,
        Cap::Once => Some(2),
        Cap::Most(n) | Cap::Total(n) => Some(n.saturating_add(1)),
    }
}
