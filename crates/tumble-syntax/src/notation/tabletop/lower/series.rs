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
use super::dice::{Die, Number, State, Throw};
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
        let (shown, seen) = (self.kit.var(span, die), self.kit.var(span, done));
        let same = self.kit.prim(span, &prim::EQUAL, vec![shown, seen]);
        let mut again = self.kit.prim(span, &prim::SOME, vec![same]);
        if let (Some(test), Some(number)) = (unique.test, number) {
            let holds = self.holds(span, die, test.by, number);
            again = self.kit.and(span, holds, again);
        }
        let stop = self.kit.not(span, again);
        let (draw, most) = (self.draw(span, &throw.die), unique.once.then_some(2));
        let new = Term::Until { slot: die, first: None, body: draw, stop, most, keep: Rolls::Last };
        let mut new = self.kit.add(span, new);
        if let Some(faces) = full {
            let seen = self.kit.var(span, done);
            let seen = self.kit.prim(span, &prim::DIFFERENT, vec![seen]);
            let (seen, faces) = (self.kit.prim(span, &prim::COUNT, vec![seen]), self.kit.int(span, faces));
            let all = self.kit.compare(span, Compare::AtLeast, seen, faces);
            let any = self.draw(span, &throw.die);
            new = self.kit.either(span, all, any, new);
        }
        let dice = self.joined_by(span, done, new);
        let left = self.one_less(span, open);
        let body = self.kit.tuple(span, vec![dice, left]);
        let (none, count) = (self.kit.prim(span, &prim::GATHER, vec![]), self.how_many(throw));
        let start = self.kit.tuple(span, vec![none, count]);
        let test = self.some_left(span, open);
        let all = self.kit.add(span, Term::Loop { slots: vec![done, open], start, test, body });
        let pool = self.kit.field(span, 0, all);
        self.becomes(throw, State::Pool(pool));
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
    pub(super) fn reroll_some(&mut self, throw: &mut Throw, test: &Test, most: u64, last: bool) -> Parsed<()> {
        let span = throw.span;
        let Some((_, true)) = self.each(throw) else {
            return Mistake::new(span, "a maximum for all dice together must come right after the dice").fail();
        };
        let number = self.argument(throw, &test.arg)?;
        let [done, open, left, first, die] = ["dice", "open", "left", "first", "die"].map(|name| self.kit.slot(name));
        let [again, less] = [die, first].map(|die| {
            let (some, holds) = (self.some_left(span, left), self.holds(span, die, test.by, number));
            self.kit.and(span, some, holds)
        });
        let stop = self.kit.not(span, again);
        let (shown, draw) = (self.kit.var(span, first), self.draw(span, &throw.die));
        let rolls = Term::Until { slot: die, first: Some(shown), body: draw, stop, most: Some(2), keep: Rolls::Last };
        let rolls = self.kit.add(span, rolls);
        let all = self.added(span, done, rolls, last);
        let (less, there, next) = (self.kit.as_number(span, less), self.kit.var(span, left), self.one_less(span, open));
        let fewer = self.kit.prim(span, &prim::SUB, vec![there, less]);
        let body = self.kit.tuple(span, vec![all, next, fewer]);
        let draw = self.draw(span, &throw.die);
        let body = self.kit.bind(span, first, draw, body);
        let (nothing, count) = (self.nothing(span, last), self.how_many(throw));
        let most = self.kit.int(span, i64::try_from(most).unwrap_or(i64::MAX));
        let start = self.kit.tuple(span, vec![nothing, count, most]);
        let test = self.some_left(span, open);
        let all = self.kit.add(span, Term::Loop { slots: vec![done, open, left], start, test, body });
        let all = self.kit.field(span, 0, all);
        self.becomes(throw, if last { State::Total(all) } else { State::Pool(all) });
        Ok(())
    }

    /// At most so many dice of all explode. The dice that the first ones bring are rolled together, so that a roll shows
    /// which those are; what these bring follows one by one.
    pub(super) fn explode_some(&mut self, throw: &mut Throw, trigger: &Trigger, most: u64, last: bool) {
        let (span, pool) = (throw.span, self.pool(throw));
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let [dice, new] = ["dice", "new"].map(|name| self.kit.slot(name));
        let (first, limit) = (self.kit.var(span, dice), self.kit.int(span, most));
        let found = self.triggered(span, trigger, first);
        let found = self.kit.prim(span, &prim::LARGEST, vec![limit, found]);
        let (times, die) = (self.kit.prim(span, &prim::COUNT, vec![found]), self.draw(span, &throw.die));
        let brought = self.kit.times(span, times, die);
        let later = self.explode_later(throw, (trigger, new), most, last);
        let first = self.kit.var(span, dice);
        let all = if last {
            let first = self.kit.sum(span, first);
            self.kit.prim(span, &prim::ADD, vec![first, later])
        } else {
            self.kit.prim(span, &prim::GATHER, vec![first, later])
        };
        let all = self.kit.bind(span, new, brought, all);
        let all = self.kit.bind(span, dice, pool, all);
        self.becomes(throw, if last { State::Total(all) } else { State::Pool(all) });
    }

    /// The new dice in a variable, and what they bring as long as it is not too many.
    fn explode_later(&mut self, throw: &Throw, (trigger, new): (&Trigger, Slot), most: i64, last: bool) -> TermId {
        let span = throw.span;
        let [more, open, left, die] = ["more", "open", "left", "die"].map(|name| self.kit.slot(name));
        let (now, shown) = (self.kit.var(span, die), self.kit.var(span, die));
        let again = self.goes_on(span, trigger, shown);
        let (now, again) = (self.added(span, more, now, last), self.kit.as_number(span, again));
        let (closed, fewer) = (self.one_less(span, open), self.one_less(span, left));
        let still = self.kit.prim(span, &prim::ADD, vec![closed, again]);
        let body = self.kit.tuple(span, vec![now, still, fewer]);
        let draw = self.draw(span, &throw.die);
        let body = self.kit.bind(span, die, draw, body);
        let [found, there, all] = [(); 3].map(|()| self.kit.var(span, new));
        let found = self.triggered(span, trigger, found);
        let [found, there] = [found, there].map(|dice| self.kit.prim(span, &prim::COUNT, vec![dice]));
        let most = self.kit.int(span, most);
        let most = self.kit.prim(span, &prim::SUB, vec![most, there]);
        let all = if last { self.kit.sum(span, all) } else { all };
        let start = self.kit.tuple(span, vec![all, found, most]);
        let (exploding, allowed) = (self.some_left(span, open), self.some_left(span, left));
        let test = self.kit.and(span, exploding, allowed);
        let all = self.kit.add(span, Term::Loop { slots: vec![more, open, left], start, test, body });
        self.kit.field(span, 0, all)
    }

    /// `rol1`: so many of the lowest or highest are rerolled.
    pub(super) fn reroll_end(&mut self, throw: &mut Throw, end: Keep, n: i64) {
        let (taken, left) = match end {
            Keep::High => (&prim::LARGEST, &prim::BUT_LARGEST),
            _ => (&prim::LEAST, &prim::BUT_LEAST),
        };
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let [gone, stay] = [taken, left].map(|row| {
            let (n, dice) = (self.kit.int(span, n), self.kit.var(span, slot));
            self.kit.prim(span, row, vec![n, dice])
        });
        let times = match throw.members {
            Some(dice) => self.kit.int(span, n.min(dice)),
            None => self.kit.prim(span, &prim::COUNT, vec![gone]),
        };
        let die = self.draw(span, &throw.die);
        let new = self.kit.times(span, times, die);
        let all = self.kit.prim(span, &prim::GATHER, vec![stay, new]);
        let all = self.kit.bind(span, slot, pool, all);
        self.becomes(throw, State::Pool(all));
    }

    /// `ra1`: one more die if any meets a condition.
    pub(super) fn another(&mut self, throw: &mut Throw, tests: &[Test]) -> Parsed<()> {
        throw.members = None;
        let trigger = self.trigger(throw, tests)?;
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let (dice, one) = (self.kit.var(span, slot), self.kit.int(span, 1));
        let found = self.triggered(span, &trigger, dice);
        // One of those that meet it is counted, so that a roll shows which.
        let found = self.kit.prim(span, &prim::LARGEST, vec![one, found]);
        let (times, die) = (self.kit.prim(span, &prim::COUNT, vec![found]), self.draw(span, &throw.die));
        let new = self.kit.times(span, times, die);
        let dice = self.kit.var(span, slot);
        let all = self.kit.prim(span, &prim::GATHER, vec![dice, new]);
        let all = self.kit.bind(span, slot, pool, all);
        self.becomes(throw, State::Pool(all));
        Ok(())
    }

    /// No dice, or a total of nothing.
    fn nothing(&mut self, span: Span, total: bool) -> TermId {
        if total { self.kit.int(span, 0) } else { self.kit.prim(span, &prim::GATHER, vec![]) }
    }

    /// One more die beside those in a variable, or added to the total there.
    fn added(&mut self, span: Span, done: Slot, die: TermId, total: bool) -> TermId {
        if !total {
            return self.joined_by(span, done, die);
        }
        let done = self.kit.var(span, done);
        self.kit.prim(span, &prim::ADD, vec![done, die])
    }

    /// One more die; in which order they came does not matter.
    fn joined_by(&mut self, span: Span, done: Slot, die: TermId) -> TermId {
        let done = self.kit.var(span, done);
        let all = self.kit.prim(span, &prim::GATHER, vec![done, die]);
        self.kit.prim(span, &prim::BAG, vec![all])
    }

    fn one_less(&mut self, span: Span, slot: Slot) -> TermId {
        let (n, one) = (self.kit.var(span, slot), self.kit.int(span, 1));
        self.kit.prim(span, &prim::SUB, vec![n, one])
    }

    fn some_left(&mut self, span: Span, slot: Slot) -> TermId {
        let (n, zero) = (self.kit.var(span, slot), self.kit.int(span, 0));
        self.kit.compare(span, Compare::More, n, zero)
    }
}
