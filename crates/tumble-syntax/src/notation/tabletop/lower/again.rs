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
use super::dice::{Die, Number, State, Throw};
use crate::kit::Kit;
use crate::mistake::{Mistake, Parsed};
use tumble_core::prim::Interval;
use tumble_core::{Code, Compare, Keep, Slot, Span, Term, TermId, prim};

/// From here on a die that always explodes is not followed roll by roll.
const LONG: u64 = 100;

/// What makes a die roll again: one of these.
#[derive(Clone)]
pub(super) struct Trigger(Vec<(Compare, Number)>);

impl Trigger {
    fn one(by: Compare, number: Number) -> Trigger {
        Trigger(vec![(by, number)])
    }
}

impl Lowering<'_> {
    pub(super) fn reroll(&mut self, throw: &mut Throw, test: &Test, cap: Cap, at: Span) -> Parsed<()> {
        self.reroll_any(throw, std::slice::from_ref(test), cap, at)
    }

    /// Rerolled while any of several conditions holds.
    pub(super) fn reroll_any(&mut self, throw: &mut Throw, tests: &[Test], cap: Cap, at: Span) -> Parsed<()> {
        let trigger = self.trigger(throw, tests)?;
        self.can_stop(throw, &trigger, cap, at, "is rerolled")?;
        let span = throw.span;
        if let Some((die, plain)) = self.each(throw) {
            let first = (!plain).then_some(die);
            let body = if plain { die } else { self.draw(span, &throw.die) };
            let die = self.until(span, &trigger, (first, body), cap, Keep::Last);
            self.becomes(throw, State::Each { die, plain: false });
            return Ok(());
        }
        let (slot, pool) = (self.kit.slot("die"), self.pool(throw));
        let (first, body) = (self.kit.var(span, slot), self.draw(span, &throw.die));
        let body = self.until(span, &trigger, (Some(first), body), cap, Keep::Last);
        self.for_each(throw, slot, pool, body);
        Ok(())
    }

    pub(super) fn trigger<'t>(
        &mut self,
        throw: &mut Throw,
        tests: impl IntoIterator<Item = &'t Test>,
    ) -> Parsed<Trigger> {
        let tests = tests.into_iter().map(|test| Ok((test.by, self.argument(throw, &test.arg)?)));
        Ok(Trigger(tests.collect::<Parsed<Vec<_>>>()?))
    }

    /// For each die that meets a condition another one is taken away; nothing that comes later can drop it. If nothing
    /// comes later but explosions, which it does not meet, it lies beside its die.
    pub(super) fn implode(&mut self, throw: &mut Throw, test: &Test, alone: bool) -> Parsed<()> {
        let number = self.argument(throw, &test.arg)?;
        let (span, pool) = (throw.span, self.pool(throw));
        let slot = self.kit.slot(if alone { "die" } else { "dice" });
        let another = self.draw(span, &throw.die);
        if !alone {
            throw.before(slot, pool);
            let times = self.found_in(span, slot, test.by, number);
            let less = self.opposite(span, another);
            let less = self.kit.times(span, times, less);
            throw.more = Some(self.kit.sum(span, less));
            let pool = self.kit.var(span, slot);
            self.becomes(throw, State::Pool(pool));
            return Ok(());
        }
        let (die, single) = (self.kit.var(span, slot), self.kit.var(span, slot));
        let less = self.opposite(span, another);
        let both = self.kit.prim(span, &prim::GATHER, vec![die, less]);
        let single = self.kit.prim(span, &prim::GATHER, vec![single]);
        let holds = self.holds(span, slot, test.by, number);
        let body = self.kit.either(span, holds, both, single);
        throw.members = None;
        self.for_each(throw, slot, pool, body);
        Ok(())
    }

    pub(super) fn explode(&mut self, throw: &mut Throw, explode: &Explode, at: Span, last: bool) -> Parsed<()> {
        let trigger = match &explode.test {
            Some(test) => self.trigger(throw, [test].into_iter().chain(&explode.also))?,
            None => Trigger::one(Compare::Equal, largest(&throw.die)),
        };
        let every = self.can_stop(throw, &trigger, explode.cap, at, "explodes")?;
        if explode.test.is_none() && explode.cap == Cap::None {
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
        if let Some((die, plain)) = self.each(throw) {
            let exploded = match explode.cap {
                Cap::Most(most @ LONG..) if every && plain && !explode.penetrate => {
                    self.in_a_row(span, die, explode, most)
                }
                _ => self.exploded(throw, explode, &trigger, (die, plain)),
            };
            if explode.compound {
                self.becomes(throw, State::Each { die: exploded, plain: false });
            } else {
                // A pool for each die: together they are one.
                self.becomes(throw, State::Each { die: exploded, plain: false });
                let pool = self.pool(throw);
                self.becomes(throw, State::Pool(pool));
            }
            return Ok(());
        }
        if last || !explode.compound && !throw.apart {
            self.explode_together(throw, explode, &trigger, last);
            return Ok(());
        }
        let (slot, pool) = (self.kit.slot("die"), self.pool(throw));
        let member = self.kit.var(span, slot);
        let body = self.exploded(throw, explode, &trigger, (member, false));
        self.for_each(throw, slot, pool, body);
        Ok(())
    }

    /// A die that always explodes is so many dice.
    fn in_a_row(&mut self, span: Span, die: TermId, explode: &Explode, most: u64) -> TermId {
        let times = self.kit.int(span, i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1));
        let all = self.kit.times(span, times, die);
        if explode.compound { self.kit.sum(span, all) } else { all }
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
        let chain = if explode.penetrate {
            let pairs = self.kit.prim(span, &prim::COLLECT, vec![list]);
            self.kit.prim(span, &prim::FIRSTS, vec![pairs])
        } else {
            self.kit.prim(span, &prim::GATHER, vec![list])
        };
        let dice = self.kit.var(span, slot);
        let found = self.triggered(span, trigger, dice);
        let times = self.kit.prim(span, &prim::COUNT, vec![found]);
        let extra = self.kit.times(span, times, chain);
        let dice = self.kit.var(span, slot);
        let all = if last {
            let (dice, extra) = (self.kit.sum(span, dice), self.kit.sum(span, extra));
            self.kit.prim(span, &prim::ADD, vec![dice, extra])
        } else {
            self.kit.prim(span, &prim::GATHER, vec![dice, extra])
        };
        let pool = if last { pool } else { self.kit.prim(span, &prim::BAG, vec![pool]) };
        let all = self.kit.bind(span, slot, pool, all);
        self.becomes(throw, if last { State::Total(all) } else { State::Pool(all) });
    }

    /// The dice that roll again.
    pub(super) fn triggered(&mut self, span: Span, trigger: &Trigger, dice: TermId) -> TermId {
        if let [(by, number)] = trigger.0[..] {
            let number = self.read(span, number);
            return self.kit.prim(span, by.flipped().row(), vec![number, dice]);
        }
        let slot = self.kit.slot("die");
        let die = self.kit.var(span, slot);
        let again = self.goes_on(span, trigger, die);
        let die = self.kit.var(span, slot);
        let (one, none) = (self.kit.prim(span, &prim::GATHER, vec![die]), self.kit.prim(span, &prim::GATHER, vec![]));
        let body = self.kit.either(span, again, one, none);
        let each = self.kit.add(span, Term::ForEach { slot, pool: dice, body });
        self.kit.prim(span, &prim::GATHER, vec![each])
    }

    /// Whether a die rolls again.
    pub(super) fn goes_on(&mut self, span: Span, trigger: &Trigger, shown: TermId) -> TermId {
        if let [(by, number)] = trigger.0[..] {
            let number = self.read(span, number);
            return self.kit.compare(span, by.flipped(), number, shown);
        }
        let slot = self.kit.slot("shown");
        let mut again = self.kit.truth(span, false);
        for (by, number) in trigger.0.iter().rev() {
            let holds = self.holds(span, slot, *by, *number);
            again = self.kit.or(span, holds, again);
        }
        self.kit.bind(span, slot, shown, again)
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
            let list = self.until(span, trigger, (first, body), explode.cap, Keep::All);
            self.kit.prim(span, &prim::GATHER, vec![list])
        };
        if explode.compound { self.kit.sum(span, all) } else { all }
    }

    /// Dice as pairs: what they are worth, and what they show.
    fn penetrating(&mut self, throw: &Throw, trigger: &Trigger, cap: Cap, (die, plain): (TermId, bool)) -> TermId {
        let span = throw.span;
        let die = if plain { die } else { self.single(span, die) };
        let first = self.paired(span, die, 0);
        let draw = self.draw(span, &throw.die);
        let body = self.paired(span, draw, 1);
        let list = self.again(span, trigger, (Some(first), body), (passes(cap), Keep::All), true);
        let pairs = self.kit.prim(span, &prim::COLLECT, vec![list]);
        self.kit.prim(span, &prim::FIRSTS, vec![pairs])
    }

    /// The one member of a die that went through a row for collections.
    fn single(&mut self, span: Span, die: TermId) -> TermId {
        if matches!(self.kit.draft.node(die).term, Term::Var(_) | Term::Draw { .. }) {
            return die;
        }
        self.kit.prim(span, &prim::ONLY, vec![die])
    }

    /// `(die - less, die)`
    fn paired(&mut self, span: Span, die: TermId, less: i64) -> TermId {
        self.worth_beside(span, die, |kit, worth| match less {
            0 => worth,
            _ => {
                let less = kit.int(span, less);
                kit.prim(span, &prim::SUB, vec![worth, less])
            }
        })
    }

    /// A die that counts as its opposite: `firsts(collect((-die, die)))`, so that a roll shows both.
    pub(super) fn opposite(&mut self, span: Span, die: TermId) -> TermId {
        let pair = self.worth_beside(span, die, |kit, worth| kit.prim(span, &prim::NEG, vec![worth]));
        let pairs = self.kit.prim(span, &prim::COLLECT, vec![pair]);
        self.kit.prim(span, &prim::FIRSTS, vec![pairs])
    }

    /// A pair of what a die is worth and what it shows.
    fn worth_beside(&mut self, span: Span, die: TermId, worth: impl Fn(&mut Kit, TermId) -> TermId) -> TermId {
        let slot = self.kit.slot("face");
        let (face, shown) = (self.kit.var(span, slot), self.kit.var(span, slot));
        let worth = worth(&mut self.kit, face);
        let pair = self.kit.tuple(span, vec![worth, shown]);
        self.kit.bind(span, slot, die, pair)
    }

    /// The same roll again while the trigger holds.
    fn until(
        &mut self,
        span: Span,
        trigger: &Trigger,
        rolls: (Option<TermId>, TermId),
        cap: Cap,
        keep: Keep,
    ) -> TermId {
        self.again(span, trigger, rolls, (passes(cap), keep), false)
    }

    /// The same with rolls counted; of pairs the second decides.
    fn again(
        &mut self,
        span: Span,
        trigger: &Trigger,
        (first, body): (Option<TermId>, TermId),
        (most, keep): (Option<u64>, Keep),
        pairs: bool,
    ) -> TermId {
        let slot = self.kit.slot("die");
        let die = self.kit.var(span, slot);
        let shown = if pairs { self.kit.field(span, 1, die) } else { die };
        let again = self.goes_on(span, trigger, shown);
        let stop = self.kit.not(span, again);
        self.kit.add(span, Term::Until { slot, first, body, stop, most, keep })
    }

    fn for_each(&mut self, throw: &mut Throw, slot: Slot, pool: TermId, body: TermId) {
        let list = self.kit.add(throw.span, Term::ForEach { slot, pool, body });
        let pool = self.kit.prim(throw.span, &prim::GATHER, vec![list]);
        self.becomes(throw, State::Pool(pool));
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
        let span = throw.span;
        let (one, other) = (self.read(span, low), self.read(span, high));
        let alike = self.kit.compare(span, Compare::Equal, one, other);
        let fail = self.kit.fail(at, Code::Endless, "", "this never ends: every face explodes", "");
        let fine = self.read(span, high);
        let checked = self.kit.either(span, alike, fail, fine);
        let slot = self.kit.slot("sides");
        throw.before(slot, checked);
    }
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
