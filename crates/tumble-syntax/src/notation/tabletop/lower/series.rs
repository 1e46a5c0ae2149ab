//! Dice that depend on those before them, one after the other.
//!
//! ```text
//! 4d6u        loop((done, open) = ([], 4), while open > 0,
//!               (bag(gather(done, until(d = draw, not d in done))), open - 1))
//! 6d10x2=10   let p = … in let q = repeat(count(largest(2, p = 10)), draw) in
//!               gather(p, loop((more, open, left) = (q, count(q = 10), 2 - count(q)), while open > 0 and left > 0, …))
//! 9d20r1=1    loop((done, open, left) = ([], 9, 1), while open > 0, …)
//! 4d6rol1     let p = … in gather(but_least(1, p), repeat(count(least(1, p)), draw))
//! ```
//!
//! Where only the total is wanted, numbers are carried instead of dice.

use super::super::syntax::{Arg, Keep, Test, Unique};
use super::Lowering;
use super::again::Trigger;
use super::dice::{Die, Number, State, Throw, compares};
use crate::build::{
    self, Build, and, as_number, bind, compare, count, either, looped, not, nothing, one, sum, three, times, two,
};
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Code, Compare, Keep as Rolls, Slot, Span, Term, TermId, prim};

impl Lowering<'_> {
    /// `u`: a die that shows what an earlier one shows is rerolled.
    pub(super) fn unique(&mut self, throw: &mut Throw, unique: &Unique, at: Span) -> Parsed<()> {
        let span = throw.span;
        let Some((_, true)) = self.each(throw) else {
            return Mistake::new(at, "`u` must come right after its dice").fail();
        };
        let number = unique.test.map(|test| self.argument(throw, &test.arg)).transpose()?;
        let full = self.more_dice_than_faces(throw, unique, at)?;
        let [done, open, die] = ["dice", "open", "die"].map(|name| self.kit.slot(name));
        let seen = one(&prim::SOME, two(&prim::EQUAL, die, done));
        let again = match (unique.test, number) {
            (Some(test), Some(number)) => self.kit.put(span, and(compares(die, test.by, number), seen)),
            _ => self.kit.put(span, seen),
        };
        let stop = self.kit.put(span, not(again));
        let (body, most) = (self.draw(span, &throw.die), unique.once.then_some(2));
        let mut new = self.kit.put(span, Term::Until { slot: die, first: None, body, stop, most, keep: Rolls::Last });
        if let Some(faces) = full {
            let all = compare(Compare::AtLeast, count(one(&prim::DIFFERENT, done)), faces);
            let any = self.draw(span, &throw.die);
            new = self.kit.put(span, either(all, any, new));
        }
        let body = two(&prim::TUPLE, joined(done, new), one_less(open));
        let start = two(&prim::TUPLE, nothing(), throw.count);
        throw.state = State::Pool(self.kit.put(span, looped(vec![done, open], start, some_left(open), body)));
        Ok(())
    }

    /// How many faces there are if there are more dice than that and each is to show another one.
    fn more_dice_than_faces(&self, throw: &Throw, unique: &Unique, at: Span) -> Parsed<Option<i64>> {
        let faces = match &throw.die {
            Die::Range(Number::Known(low), Number::Known(high)) => {
                high.checked_sub(*low).and_then(|n| n.checked_add(1))
            }
            Die::Listed(faces) => i64::try_from(faces.len()).ok(),
            Die::Range(..) => return Mistake::new(at, "`u` needs a plain number of sides").fail(),
            Die::None => None,
        };
        let (Some(faces), Some(dice)) = (faces, throw.members) else {
            return Mistake::new(at, "`u` needs a plain number of dice").fail();
        };
        let every = |test: &Test| match (test.arg, &throw.die) {
            (Arg::Number(n), Die::Range(Number::Known(low), Number::Known(high))) => {
                test.by != Compare::Equal && test.by.holds(*low, n) && test.by.holds(*high, n)
            }
            _ => false,
        };
        let always = unique.test.as_ref().is_none_or(every);
        match dice > faces && always && !unique.once {
            true if unique.gives_up => Ok(Some(faces)),
            true => {
                let message = format!("this never ends: {dice} dice with {faces} faces can't all be different");
                Mistake::new(at, message).code(Code::Endless).fail()
            }
            false => Ok(None),
        }
    }

    /// At most so many dice of all are rerolled, each once.
    pub(super) fn reroll_some(&mut self, throw: &mut Throw, tests: &[Test], most: u64, last: bool) -> Parsed<()> {
        let span = throw.span;
        let Some((_, true)) = self.each(throw) else {
            return Mistake::new(span, "a maximum for all dice together must come right after the dice").fail();
        };
        let trigger = self.trigger(throw, tests)?;
        let [done, open, left, first, die] = ["dice", "open", "left", "first", "die"].map(|name| self.kit.slot(name));
        let [rolls_on, counts] = [die, first].map(|die| self.goes_on(span, &trigger, die));
        let stop = self.kit.put(span, not(and(some_left(left), rolls_on)));
        let (shown, body) = (self.kit.put(span, first), self.draw(span, &throw.die));
        let rolls = Term::Until { slot: die, first: Some(shown), body, stop, most: Some(2), keep: Rolls::Last };
        let all = self.added(span, done, rolls, last);
        let fewer = two(&prim::SUB, left, as_number(and(some_left(left), counts)));
        let body = bind(first, self.draw(span, &throw.die), three(&prim::TUPLE, all, one_less(open), fewer));
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let start = three(&prim::TUPLE, self.nothing(span, last), throw.count, most);
        let all = self.kit.put(span, looped(vec![done, open, left], start, some_left(open), body));
        throw.state = if last { State::Total(all) } else { State::Pool(all) };
        Ok(())
    }

    /// At most so many dice of all explode. The dice that the first ones bring are rolled together, so that a roll shows
    /// which those are; what these bring follows one by one.
    pub(super) fn explode_some(&mut self, throw: &mut Throw, trigger: &Trigger, most: u64, last: bool) {
        let (span, pool) = (throw.span, self.pool(throw));
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let [dice, new] = ["dice", "new"].map(|name| self.kit.slot(name));
        let first = self.kit.put(span, dice);
        let found = self.triggered(span, trigger, first);
        let brought = times(count(two(&prim::LARGEST, most, found)), self.draw(span, &throw.die));
        let later = self.explode_later(throw, (trigger, new), most, last);
        let all = match last {
            true => self.kit.put(span, two(&prim::ADD, sum(dice), later)),
            false => self.kit.put(span, two(&prim::GATHER, dice, later)),
        };
        let all = self.kit.put(span, bind(dice, pool, bind(new, brought, all)));
        throw.state = if last { State::Total(all) } else { State::Pool(all) };
    }

    /// The new dice in a variable, and what they bring as long as it is not too many.
    fn explode_later(&mut self, throw: &Throw, (trigger, new): (&Trigger, Slot), most: i64, last: bool) -> TermId {
        let span = throw.span;
        let [more, open, left, die] = ["more", "open", "left", "die"].map(|name| self.kit.slot(name));
        let again = self.goes_on(span, trigger, die);
        let now = self.added(span, more, die, last);
        let still = two(&prim::ADD, one_less(open), as_number(again));
        let body = bind(die, self.draw(span, &throw.die), three(&prim::TUPLE, now, still, one_less(left)));
        let all = self.kit.put(span, new);
        let found = self.triggered(span, trigger, all);
        let all = if last { self.kit.put(span, sum(new)) } else { self.kit.put(span, new) };
        let start = three(&prim::TUPLE, all, count(found), two(&prim::SUB, most, count(new)));
        let test = and(some_left(open), some_left(left));
        self.kit.put(span, looped(vec![more, open, left], start, test, body))
    }

    /// `rol1`: so many of the lowest or highest are rerolled.
    pub(super) fn reroll_end(&mut self, throw: &mut Throw, end: Keep, n: i64) {
        let (taken, left) = match end {
            Keep::High => (&prim::LARGEST, &prim::BUT_LARGEST),
            _ => (&prim::LEAST, &prim::BUT_LEAST),
        };
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let times = match throw.members {
            Some(dice) => self.kit.put(span, n.min(dice)),
            None => self.kit.put(span, count(two(taken, n, slot))),
        };
        let new = build::times(times, self.draw(span, &throw.die));
        let all = bind(slot, pool, two(&prim::GATHER, two(left, n, slot), new));
        throw.state = State::Pool(self.kit.put(span, all));
    }

    /// `ra1`: one more die if any meets a condition.
    pub(super) fn another(&mut self, throw: &mut Throw, tests: &[Test]) -> Parsed<()> {
        throw.members = None;
        let trigger = self.trigger(throw, tests)?;
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let dice = self.kit.put(span, slot);
        let found = self.triggered(span, &trigger, dice);
        // One of those that meet it is counted, so that a roll shows which.
        let new = times(count(two(&prim::LARGEST, 1, found)), self.draw(span, &throw.die));
        throw.state = State::Pool(self.kit.put(span, bind(slot, pool, two(&prim::GATHER, slot, new))));
        Ok(())
    }

    /// No dice, or a total of nothing.
    fn nothing(&mut self, span: Span, total: bool) -> TermId {
        if total { self.kit.put(span, 0) } else { self.kit.put(span, nothing()) }
    }

    /// One more die beside those in a variable, or added to the total there.
    fn added(&mut self, span: Span, done: Slot, die: impl Build, total: bool) -> TermId {
        match total {
            true => self.kit.put(span, two(&prim::ADD, done, die)),
            false => self.kit.put(span, joined(done, die)),
        }
    }
}

/// One more die; in which order they came does not matter.
fn joined(done: Slot, die: impl Build) -> impl Build {
    one(&prim::BAG, two(&prim::GATHER, done, die))
}

fn one_less(slot: Slot) -> impl Build {
    two(&prim::SUB, slot, 1)
}

fn some_left(slot: Slot) -> impl Build {
    compare(Compare::More, slot, 0)
}
