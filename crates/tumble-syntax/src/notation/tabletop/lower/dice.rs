//! Dice and their modifiers, from left to right.
//!
//! ```text
//! 4d6             sum(gather(repeat(4, draw(1..6))))
//! 4d6kh3          sum(largest(3, …))
//! 3d20adv         sum(gather(repeat(3, largest(1, gather(repeat(2, draw(1..20)))))))
//! 4d6mi2          sum(lift(2, …))
//! 5d10cs>=8       count(at_most(8, …))
//! {2d6, d8}kh1    sum(largest(1, gather(sum(…), draw(1..8))))
//! ```
//!
//! While nothing looks at all dice together, what is done is done to one die, and the dice come last:
//! `Each`. From the first modifier on that needs them all it is a `Pool`.

use super::super::syntax::{Arg, Bound, Dice, Expr, Keep, Modifier, NodeId, Parity, Sides, Source, Test, Twice};
use super::{Kind, Lowering, Typed};
use crate::kit::faces_listed;
use crate::mistake::{Mistake, Parsed};
use std::sync::Arc;
use tumble_core::{Faces, Slot, Span, Term, TermId, Value, prim};

/// A number that is known, or that was rolled before the dice.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Known(i64),
    Rolled(Slot),
}

/// What a die shows.
#[derive(Clone)]
pub(super) enum Die {
    Range(Number, Number),
    Listed(Arc<Vec<(Value, u64)>>),
    /// Not a die: the members of a group are not rolled again.
    None,
}

/// How far the dice are.
pub(super) enum State {
    /// One die; `plain` if nothing was done with it.
    Each { die: TermId, plain: bool },
    /// All dice.
    Pool(TermId),
    /// The sum of all dice.
    Total(TermId),
}

/// A dice term on its way.
pub(super) struct Throw {
    pub(super) span: Span,
    pub(super) die: Die,
    count: Number,
    /// How many members there are, where that is known.
    pub(super) members: Option<i64>,
    state: State,
    /// What was rolled before the dice.
    rolled: Rolled,
}

impl Throw {
    /// Something to evaluate before the dice.
    pub(super) fn before(&mut self, slot: Slot, value: TermId) {
        self.rolled.push((slot, value));
    }
}

/// Variables and their values, in order.
type Rolled = Vec<(Slot, TermId)>;

impl Lowering<'_> {
    pub(super) fn dice(&mut self, span: Span, dice: &Dice) -> Parsed<Typed> {
        let (mut throw, counts) = self.thrown(span, dice, true)?;
        let term = if counts.is_empty() { self.total(&mut throw) } else { self.counted(&mut throw, &counts)? };
        Ok(Typed { term: self.after_rolled(throw, term), kind: Kind::Number, span })
    }

    /// The dice that count: those that stay, and if successes are counted, those that succeed.
    pub(super) fn members(&mut self, span: Span, dice: &Dice) -> Parsed<TermId> {
        let (mut throw, counts) = self.thrown(span, dice, false)?;
        let tests = counts.iter().filter_map(|count| match count {
            Modifier::Successes(test, _) => Some(test),
            _ => None,
        });
        let tests: Vec<&Test> = tests.collect();
        let term = if tests.is_empty() { self.pool(&mut throw) } else { self.succeeding(&mut throw, &tests)? };
        Ok(self.after_rolled(throw, term))
    }

    /// The dice for which one of these tests holds.
    fn succeeding(&mut self, throw: &mut Throw, tests: &[&Test]) -> Parsed<TermId> {
        let (span, slot) = (throw.span, self.kit.slot("die"));
        let mut body = self.kit.prim(span, &prim::GATHER, vec![]);
        for test in tests.iter().rev() {
            let number = self.argument(throw, &test.arg)?;
            let holds = self.holds(span, slot, test.by, number);
            let die = self.kit.var(span, slot);
            let die = self.kit.prim(span, &prim::GATHER, vec![die]);
            body = self.kit.either(span, holds, die, body);
        }
        let pool = self.pool(throw);
        let each = self.kit.add(span, Term::ForEach { slot, pool, body });
        Ok(self.kit.prim(span, &prim::GATHER, vec![each]))
    }

    /// What was rolled before the dice is evaluated before them.
    fn after_rolled(&mut self, throw: Throw, mut term: TermId) -> TermId {
        for (slot, value) in throw.rolled.into_iter().rev() {
            term = self.kit.bind(throw.span, slot, value, term);
        }
        term
    }

    /// Rolled and modified dice, and how they are counted; `total` if nothing but their total is wanted.
    fn thrown<'d>(&mut self, span: Span, dice: &'d Dice, total: bool) -> Parsed<(Throw, Vec<&'d Modifier>)> {
        if let (Source::Times(count, body), []) = (&dice.source, dice.modifiers.as_slice()) {
            self.repeated(span, *count, *body);
        }
        let mut throw = self.throw(span, &dice.source)?;
        let mut counts = Vec::new();
        for (number, (modifier, at)) in dice.modifiers.iter().enumerate() {
            match modifier {
                Modifier::Keep(keep, arg) => self.keep(&mut throw, *keep, arg, *at)?,
                Modifier::Bound(bound, arg) => {
                    let again = |(later, _): &(Modifier, Span)| {
                        matches!(later, Modifier::Twice(_) | Modifier::Reroll(..) | Modifier::Explode(_))
                    };
                    if !dice.modifiers[number + 1..].iter().any(again) {
                        // Nothing needs the dice one by one, and together they are simple dice.
                        throw.state = State::Pool(self.pool(&mut throw));
                    }
                    self.bound(&mut throw, *bound, arg)?;
                }
                Modifier::Twice(twice) => self.twice(&mut throw, *twice, *at),
                Modifier::Reroll(test, cap) => {
                    self.plain_again(&dice.modifiers[..number], *at);
                    self.reroll(&mut throw, test, *cap, *at)?;
                }
                Modifier::Explode(explode) => {
                    self.explode(&mut throw, explode, *at, total && number + 1 == dice.modifiers.len())?
                }
                Modifier::RerollAny(tests) => self.reroll_any(&mut throw, tests, *at)?,
                Modifier::Only(tests) => self.only(&mut throw, tests)?,
                Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Parity(_) | Modifier::Matches(..) => {
                    counts.push(modifier);
                }
                Modifier::Sort => {}
            }
        }
        Ok((throw, counts))
    }

    fn throw(&mut self, span: Span, source: &Source) -> Parsed<Throw> {
        let mut rolled = Vec::new();
        let (mut die, mut number) = (Die::None, Number::Known(1));
        let (members, state) = match source {
            Source::Roll(count, sides) => {
                if let Some(count) = count {
                    number = self.rolled_first(&mut rolled, *count)?;
                }
                die = self.faces(&mut rolled, span, sides)?;
                let members = if let Number::Known(n) = number { Some(n) } else { None };
                (members, State::Each { die: self.draw(span, &die), plain: true })
            }
            Source::Group(members) => {
                let items = members.iter().map(|member| self.number_of(*member)).collect::<Parsed<Vec<TermId>>>()?;
                let count = i64::try_from(items.len()).ok();
                (count, State::Pool(self.kit.prim(span, &prim::GATHER, items)))
            }
            Source::Union(terms) => {
                let pools = terms.iter().map(|term| self.pool_of(*term)).collect::<Parsed<Vec<TermId>>>()?;
                (None, State::Pool(self.kit.prim(span, &prim::GATHER, pools)))
            }
            Source::Times(count, body) => {
                let (times, body) = (self.number_of(*count)?, self.number_of(*body)?);
                (self.known(*count), State::Pool(self.kit.times(span, times, body)))
            }
        };
        Ok(Throw { span, die, count: number, members, state, rolled })
    }

    /// The dice of a term as a collection.
    fn pool_of(&mut self, term: NodeId) -> Parsed<TermId> {
        let tree = self.tree;
        match tree.nodes.expr(term) {
            Expr::Dice(dice) => self.members(tree.nodes.own(term), dice),
            _ => self.number_of(term),
        }
    }

    /// Only the dice that meet one of these conditions stay.
    fn only(&mut self, throw: &mut Throw, tests: &[Test]) -> Parsed<()> {
        throw.members = None;
        let [test] = tests else {
            let tests: Vec<&Test> = tests.iter().collect();
            throw.state = State::Pool(self.succeeding(throw, &tests)?);
            return Ok(());
        };
        let number = self.argument(throw, &test.arg)?;
        let (span, pool) = (throw.span, self.pool(throw));
        let number = self.read(span, number);
        throw.state = State::Pool(self.kit.prim(span, test.by.flipped().row(), vec![number, pool]));
        Ok(())
    }

    /// How many faces are shown by at least so many dice.
    fn matching(&mut self, throw: &mut Throw, alike: i64, test: Option<&Test>) -> Parsed<TermId> {
        let (span, message) = (throw.span, "matching dice need a plain number of sides");
        let Die::Range(Number::Known(low), Number::Known(high)) = throw.die else {
            return Mistake::new(span, message).fail();
        };
        let number = test.map(|test| self.argument(throw, &test.arg)).transpose()?;
        let (pool, dice, face) = (self.pool(throw), self.kit.slot("dice"), self.kit.slot("face"));
        let (one, all) = (self.kit.var(span, face), self.kit.var(span, dice));
        let same = self.kit.prim(span, &prim::EQUAL, vec![one, all]);
        let (count, alike) = (self.kit.prim(span, &prim::COUNT, vec![same]), self.kit.int(span, alike));
        let mut holds = self.kit.compare(span, tumble_core::Compare::AtLeast, count, alike);
        if let (Some(test), Some(number)) = (test, number) {
            let right = self.holds(span, face, test.by, number);
            holds = self.kit.and(span, right, holds);
        }
        let score = self.kit.as_number(span, holds);
        let (low, high) = (self.kit.int(span, low), self.kit.int(span, high));
        let faces = self.kit.prim(span, &prim::RANGE, vec![low, high]);
        let each = self.kit.add(span, Term::ForEach { slot: face, pool: faces, body: score });
        let each = self.kit.prim(span, &prim::GATHER, vec![each]);
        let sum = self.kit.sum(span, each);
        Ok(self.kit.bind(span, dice, pool, sum))
    }

    /// A number that the dice need; what is not known is rolled before them.
    fn rolled_first(&mut self, rolled: &mut Rolled, id: NodeId) -> Parsed<Number> {
        if let Some(n) = self.known(id) {
            self.stand_for(id);
            return Ok(Number::Known(n));
        }
        let value = self.number_of(id)?;
        let slot = self.kit.slot("n");
        rolled.push((slot, value));
        Ok(Number::Rolled(slot))
    }

    /// The number of a modifier.
    pub(super) fn argument(&mut self, throw: &mut Throw, arg: &Arg) -> Parsed<Number> {
        match arg {
            Arg::Number(n) => Ok(Number::Known(*n)),
            Arg::Value(id) => self.rolled_first(&mut throw.rolled, *id),
        }
    }

    pub(super) fn read(&mut self, span: Span, number: Number) -> TermId {
        match number {
            Number::Known(n) => self.kit.int(span, n),
            Number::Rolled(slot) => self.kit.var(span, slot),
        }
    }

    fn faces(&mut self, rolled: &mut Rolled, span: Span, sides: &Sides) -> Parsed<Die> {
        let one = Number::Known(1);
        Ok(match sides {
            Sides::Percent => Die::Range(one, Number::Known(100)),
            Sides::Fudge => Die::Range(Number::Known(-1), one),
            Sides::Upto(id) => {
                let high = self.rolled_first(rolled, *id)?;
                self.at_least_one_side(high, *id)?;
                Die::Range(one, high)
            }
            Sides::Range(low, high) => match (self.known(*low), self.known(*high)) {
                (Some(one), Some(other)) => {
                    [*low, *high].into_iter().for_each(|end| self.stand_for(end));
                    Die::Range(Number::Known(one.min(other)), Number::Known(one.max(other)))
                }
                _ => self.either_way(rolled, span, (*low, *high))?,
            },
            Sides::List(faces) => match faces.as_slice() {
                [(low, high)] => Die::Range(Number::Known(*low), Number::Known(*high)),
                _ => Die::Listed(Arc::new(faces_listed(faces, span)?)),
            },
        })
    }

    fn at_least_one_side(&self, sides: Number, id: NodeId) -> Parsed<()> {
        match sides {
            Number::Known(n) if n < 1 => {
                let span = self.span(id);
                let message = format!("a die needs at least one side, not {n}");
                Mistake::new(span, message).code(tumble_core::Code::Runtime).fail()
            }
            _ => Ok(()),
        }
    }

    /// A range whose ends are rolled, in either order.
    fn either_way(&mut self, rolled: &mut Rolled, span: Span, (low, high): (NodeId, NodeId)) -> Parsed<Die> {
        let ends = [self.rolled_first(rolled, low)?, self.rolled_first(rolled, high)?];
        let sorted = [&prim::LEAST, &prim::LARGEST].map(|row| {
            let pool = ends.map(|end| self.read(span, end)).to_vec();
            let (one, pool) = (self.kit.int(span, 1), self.kit.prim(span, &prim::GATHER, pool));
            let end = self.kit.prim(span, row, vec![one, pool]);
            let (end, slot) = (self.kit.sum(span, end), self.kit.slot("end"));
            rolled.push((slot, end));
            Number::Rolled(slot)
        });
        Ok(Die::Range(sorted[0], sorted[1]))
    }

    /// One die, rolled.
    pub(super) fn draw(&mut self, span: Span, die: &Die) -> TermId {
        let faces = match die {
            Die::Range(low, high) => Faces::Range { lo: self.read(span, *low), hi: self.read(span, *high) },
            Die::Listed(faces) => Faces::Weighted(faces.clone()),
            Die::None => return self.kit.int(span, 0),
        };
        self.kit.add(span, Term::Draw { faces })
    }

    /// All dice together.
    pub(super) fn pool(&mut self, throw: &mut Throw) -> TermId {
        match throw.state {
            State::Pool(pool) | State::Total(pool) => pool,
            State::Each { die, .. } => match throw.count {
                Number::Known(1) => self.kit.prim(throw.span, &prim::GATHER, vec![die]),
                count => {
                    let times = self.read(throw.span, count);
                    self.kit.times(throw.span, times, die)
                }
            },
        }
    }

    /// The one die that everything so far was done to, and whether that was nothing.
    pub(super) fn each(&self, throw: &Throw) -> Option<(TermId, bool)> {
        match throw.state {
            State::Each { die, plain } => Some((die, plain)),
            State::Pool(_) | State::Total(_) => None,
        }
    }

    pub(super) fn becomes(&self, throw: &mut Throw, state: State) {
        throw.state = state;
    }

    fn keep(&mut self, throw: &mut Throw, keep: Keep, arg: &Arg, at: Span) -> Parsed<()> {
        let count = self.argument(throw, arg)?;
        if let Number::Known(n) = count {
            self.kept(throw, keep, n, at);
        } else {
            throw.members = None;
        }
        let row = match keep {
            Keep::High => &prim::LARGEST,
            Keep::Low => &prim::LEAST,
            Keep::ButHigh => &prim::BUT_LARGEST,
            Keep::ButLow => &prim::BUT_LEAST,
        };
        let pool = self.pool(throw);
        let count = self.read(at, count);
        throw.state = State::Pool(self.kit.prim(throw.span, row, vec![count, pool]));
        Ok(())
    }

    fn bound(&mut self, throw: &mut Throw, bound: Bound, arg: &Arg) -> Parsed<()> {
        let number = self.argument(throw, arg)?;
        let (span, row) = (throw.span, if bound == Bound::Least { &prim::LIFT } else { &prim::CAP });
        let number = self.read(span, number);
        throw.state = match throw.state {
            State::Each { die, .. } => {
                let one = self.kit.prim(span, &prim::GATHER, vec![die]);
                State::Each { die: self.kit.prim(span, row, vec![number, one]), plain: false }
            }
            State::Pool(pool) | State::Total(pool) => State::Pool(self.kit.prim(span, row, vec![number, pool])),
        };
        Ok(())
    }

    /// `adv`: each die is rolled twice. It stands before everything that needs all dice.
    fn twice(&mut self, throw: &mut Throw, twice: Twice, at: Span) {
        let span = throw.span;
        let State::Each { die, .. } = throw.state else { return };
        self.several_twice(throw, twice, at);
        let (two, one) = (self.kit.int(span, 2), self.kit.int(span, 1));
        let both = self.kit.times(span, two, die);
        let row = if twice == Twice::Advantage { &prim::LARGEST } else { &prim::LEAST };
        throw.state = State::Each { die: self.kit.prim(span, row, vec![one, both]), plain: false };
    }

    fn total(&mut self, throw: &mut Throw) -> TermId {
        match (&throw.state, throw.count) {
            (State::Total(total), _) => *total,
            (State::Each { die, plain: true }, Number::Known(1)) => *die,
            _ => {
                let pool = self.pool(throw);
                self.kit.sum(throw.span, pool)
            }
        }
    }

    /// Successes less failures.
    fn counted(&mut self, throw: &mut Throw, counts: &[&Modifier]) -> Parsed<TermId> {
        let span = throw.span;
        if let [Modifier::Successes(test, weights)] = counts
            && weights.is_empty()
        {
            let number = self.argument(throw, &test.arg)?;
            let pool = self.pool(throw);
            let number = self.read(span, number);
            let found = self.kit.prim(span, test.by.flipped().row(), vec![number, pool]);
            return Ok(self.kit.prim(span, &prim::COUNT, vec![found]));
        }
        if let [Modifier::Matches(alike, test)] = counts {
            return self.matching(throw, *alike, test.as_ref());
        }
        let slot = self.kit.slot("die");
        let mut scores = Vec::new();
        for count in counts {
            scores.push(self.score(throw, slot, count)?);
        }
        let pool = self.pool(throw);
        let body = self.kit.prim(span, &prim::GATHER, scores);
        let each = self.kit.add(span, Term::ForEach { slot, pool, body });
        let all = self.kit.prim(span, &prim::GATHER, vec![each]);
        Ok(self.kit.sum(span, all))
    }

    /// What a die in a variable counts.
    fn score(&mut self, throw: &mut Throw, slot: Slot, count: &Modifier) -> Parsed<TermId> {
        let span = throw.span;
        let (test, weights, worth) = match count {
            Modifier::Successes(test, weights) => (test, weights.as_slice(), 1),
            Modifier::Failures(test) => (test, &[][..], -1),
            Modifier::Parity(parity) => return Ok(self.even_or_odd(span, slot, *parity)),
            _ => return Ok(self.kit.int(span, 0)),
        };
        let number = self.argument(throw, &test.arg)?;
        let holds = self.holds(span, slot, test.by, number);
        let (yes, no) = (self.kit.int(span, worth), self.kit.int(span, 0));
        let mut score = self.kit.either(span, holds, yes, no);
        for (face, worth) in weights.iter().rev() {
            let shows = self.holds(span, slot, tumble_core::Compare::Equal, Number::Known(*face));
            let worth = self.kit.int(span, *worth);
            score = self.kit.either(span, shows, worth, score);
        }
        Ok(score)
    }

    /// 1 for a die that is even, or odd.
    fn even_or_odd(&mut self, span: Span, slot: Slot, parity: Parity) -> TermId {
        let (die, two) = (self.kit.var(span, slot), self.kit.int(span, 2));
        let rest = self.kit.prim(span, &prim::MOD, vec![die, two]);
        let (one, odd) = (self.kit.int(span, 1), parity == Parity::Odd);
        if odd { rest } else { self.kit.prim(span, &prim::SUB, vec![one, rest]) }
    }

    /// Whether a die in a variable compares like this with a number.
    pub(super) fn holds(&mut self, span: Span, die: Slot, by: tumble_core::Compare, number: Number) -> TermId {
        let (number, die) = (self.read(span, number), self.kit.var(span, die));
        self.kit.compare(span, by.flipped(), number, die)
    }
}
