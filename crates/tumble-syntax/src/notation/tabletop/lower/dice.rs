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

use super::super::syntax::{Arg, Bound, Cap, Dice, Expr, Keep, Modifier, NodeId, Order, Sides, Source, Test, Twice};
use super::super::tool::counts;
use super::expr::best;
use super::{Held, Kind, Lowering, TEXT, Typed};
pub(super) use crate::build::Number;
use crate::build::{
    self, Build, all, at as place, bind, compare, each, either, gather, nothing, one, sum, those, times, two,
};
use crate::kit::faces_listed;
use crate::mistake::{Mistake, Parsed};
use crate::{Note, Remark};
use std::sync::Arc;
use tumble_core::{Compare, Faces, Slot, Span, Term, TermId, Value, prim};

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
    /// How many dice are rolled.
    pub(super) count: Number,
    /// How many members there are, where that is known.
    pub(super) members: Option<i64>,
    pub(super) state: State,
    /// Whether nothing has looked at all dice together.
    pub(super) apart: bool,
    /// What was rolled before the dice.
    rolled: Rolled,
    /// What is added to the result.
    pub(super) more: Option<TermId>,
}

impl Throw {
    /// Something to evaluate before the dice.
    pub(super) fn before(&mut self, slot: Slot, value: TermId) {
        self.rolled.push((slot, value));
    }
}

/// Variables and their values, in order.
pub(super) type Rolled = Vec<(Slot, TermId)>;

impl Lowering<'_> {
    pub(super) fn dice(&mut self, span: Span, dice: &Dice) -> Parsed<Typed> {
        if let Source::Roll(count, Sides::Words(words)) = &dice.source {
            return self.words(span, *count, words, &dice.modifiers);
        }
        if let Source::Within(inside) = dice.source {
            return self.kept_within(span, inside, &dice.modifiers);
        }
        let (mut throw, counts) = self.thrown(span, dice, true)?;
        let mut term = if counts.is_empty() { self.total(&mut throw) } else { self.counted(&mut throw, &counts)? };
        if let Some(more) = throw.more {
            term = self.kit.put(span, two(&prim::ADD, term, more));
        }
        Ok(Typed { term: self.kit.after(span, throw.rolled, term), kind: Kind::Number, span })
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
        Ok(self.kit.after(span, throw.rolled, term))
    }

    /// The dice for which one of these tests holds.
    pub(super) fn succeeding(&mut self, throw: &mut Throw, tests: &[&Test]) -> Parsed<TermId> {
        let (span, slot) = (throw.span, self.kit.slot("die"));
        let mut body = self.kit.put(span, nothing());
        for test in tests.iter().rev() {
            let number = self.argument(throw, &test.arg)?;
            body = self.kit.put(span, either(compares(slot, test.by, number), gather(slot), body));
        }
        let pool = self.pool(throw);
        Ok(self.kit.put(span, gather(each(slot, pool, body))))
    }

    /// Dice for a name: what must be evaluated before them, what they are, and all of them.
    pub(super) fn held(&mut self, span: Span, dice: &Dice) -> Parsed<(Rolled, Held, TermId)> {
        let (mut throw, _) = self.thrown(span, dice, false)?;
        let pool = self.pool(&mut throw);
        Ok((throw.rolled, Held::Dice(throw.die, throw.members), pool))
    }

    /// The dice of a name, perhaps with modifiers; none if this is something else.
    pub(super) fn dice_with_a_name(&mut self, id: NodeId) -> Parsed<Option<TermId>> {
        let tree = self.tree;
        let id = tree.bare(id);
        match tree.nodes.expr(id) {
            Expr::Name(name) => match self.slot(name) {
                Some((slot, Held::Dice(..))) => Ok(Some(self.kit.put(tree.nodes.own(id), slot))),
                _ => Ok(None),
            },
            Expr::Dice(dice) if matches!(dice.source, Source::Named(_)) => {
                let counted = dice.modifiers.iter().any(|(modifier, _)| counts(modifier));
                if counted { Ok(None) } else { self.members(tree.nodes.own(id), dice).map(Some) }
            }
            _ => Ok(None),
        }
    }

    /// Rolled and modified dice, and how they are counted; `total` if nothing but their total is wanted.
    fn thrown<'d>(&mut self, span: Span, dice: &'d Dice, total: bool) -> Parsed<(Throw, Vec<&'d Modifier>)> {
        if let (Source::Times(count, body), []) = (&dice.source, dice.modifiers.as_slice()) {
            self.repeated(span, *count, *body);
        }
        let mut throw = self.throw(span, &dice.source)?;
        let mut counts = Vec::new();
        let last = dice.modifiers.iter().rposition(|(modifier, _)| !matches!(modifier, Modifier::Sort(_))).unwrap_or(0);
        for (number, (modifier, at)) in dice.modifiers.iter().enumerate() {
            throw.apart &= one_by_one(modifier);
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
                Modifier::Reroll(tests, Cap::Total(most)) => {
                    self.reroll_some(&mut throw, tests, *most, total && number == last)?;
                }
                Modifier::Reroll(tests, cap) => {
                    if tests.len() == 1 {
                        self.plain_again(&dice.modifiers[..number], *at);
                    }
                    self.reroll(&mut throw, tests, *cap, *at)?;
                }
                Modifier::Explode(explode) => self.explode(&mut throw, explode, *at, total && number == last)?,
                Modifier::RerollEnd(end, n) => self.reroll_end(&mut throw, *end, *n),
                Modifier::Another(tests) => self.another(&mut throw, tests)?,
                Modifier::Unique(unique) => self.unique(&mut throw, unique, *at)?,
                Modifier::Picked(0, 0, tests) => self.only(&mut throw, tests)?,
                Modifier::Picked(high, low, tests) => self.picked(&mut throw, (*high, *low), tests)?,
                Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Deduct(..) => counts.push(modifier),
                // Dice with words are lowered on their own.
                Modifier::Shows(_) => {}
                Modifier::Parity(_) | Modifier::Matches(..) | Modifier::Together(_) => counts.push(modifier),
                Modifier::Implode(test) => {
                    let alone = dice.modifiers[number + 1..].iter().all(|(one, _)| matches!(one, Modifier::Explode(_)));
                    self.implode(&mut throw, test, alone)?;
                }
                Modifier::Sort(order) => self.shown_in_order(span, *order),
            }
        }
        Ok((throw, counts))
    }

    fn throw(&mut self, span: Span, source: &Source) -> Parsed<Throw> {
        let mut rolled = Vec::new();
        let (mut die, mut number) = (Die::None, Number::Known(1));
        let apart = matches!(source, Source::Roll(..));
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
                (count, State::Pool(self.kit.put(span, all(&prim::GATHER, items))))
            }
            Source::Union(terms) => {
                let pools = terms.iter().map(|term| self.pool_of(*term)).collect::<Parsed<Vec<TermId>>>()?;
                (None, State::Pool(self.kit.put(span, all(&prim::GATHER, pools))))
            }
            Source::Named(name) => match self.slot(name) {
                Some((slot, Held::Dice(shown, members))) => {
                    let members = *members;
                    die = shown.clone();
                    (members, State::Pool(self.kit.put(span, slot)))
                }
                _ => return self.unknown_name(span, name).fail(),
            },
            Source::Within(_) => return Mistake::new(span, "these dice can't be taken out of their expression").fail(),
            Source::Times(count, body) => {
                let all = times(self.number_of(*count)?, self.number_of(*body)?);
                (self.known(*count), State::Pool(self.kit.put(span, all)))
            }
        };
        Ok(Throw { span, die, count: number, members, state, apart, rolled, more: None })
    }

    /// The dice of a term as a collection.
    fn pool_of(&mut self, term: NodeId) -> Parsed<TermId> {
        let tree = self.tree;
        match tree.nodes.expr(term) {
            Expr::Dice(dice) => self.members(tree.nodes.own(term), dice),
            _ => self.number_of(term),
        }
    }

    /// `km2`: as many of the lowest as of the highest go, and one more of the highest if that is not even.
    fn middle(&mut self, throw: &mut Throw, count: Number, at: Span) -> Parsed<()> {
        let (Number::Known(stay), Some(there)) = (count, throw.members) else {
            return Mistake::new(at, "`km` needs a plain number of dice").fail();
        };
        let gone = there.saturating_sub(stay.max(0)).max(0);
        throw.members = Some(there - gone);
        let (pool, low) = (self.pool(throw), gone / 2);
        let pool = two(&prim::BUT_LEAST, place(at, low), two(&prim::BUT_LARGEST, place(at, gone - low), pool));
        throw.state = State::Pool(self.kit.put(throw.span, pool));
        Ok(())
    }

    /// The highest, the lowest and those that meet a condition stay. Of dice that show the same, each selection takes those
    /// that come first, so of each face as many stay as the selection that takes most of it has.
    fn picked(&mut self, throw: &mut Throw, (high, low): (i64, i64), tests: &[Test]) -> Parsed<()> {
        throw.members = None;
        let numbers = tests.iter().map(|test| self.argument(throw, &test.arg)).collect::<Parsed<Vec<Number>>>()?;
        let (span, pool, slot) = (throw.span, self.pool(throw), self.kit.slot("dice"));
        let mut rows: Vec<(&'static tumble_core::Prim, Number)> = Vec::new();
        for (row, n) in [(&prim::LARGEST, high), (&prim::LEAST, low)] {
            rows.push((row, Number::Known(n)));
        }
        for (test, number) in tests.iter().zip(numbers) {
            rows.push((test.by.flipped().row(), number));
        }
        let mut kept = self.kit.put(span, nothing());
        for (row, number) in rows {
            let before = self.kit.slot("kept");
            let more = two(&prim::MINUS, two(row, number, slot), before);
            kept = self.kit.put(span, bind(before, kept, two(&prim::GATHER, before, more)));
        }
        throw.state = State::Pool(self.kit.put(span, bind(slot, one(&prim::BAG, pool), kept)));
        Ok(())
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
        let pool = self.pool(throw);
        throw.state = State::Pool(self.kit.put(throw.span, those(test.by, number, pool)));
        Ok(())
    }

    /// A number that the dice need; what is not known is rolled before them.
    pub(super) fn rolled_first(&mut self, rolled: &mut Rolled, id: NodeId) -> Parsed<Number> {
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
            Sides::Words(_) => return Mistake::new(span, TEXT).fail(),
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
            let ends = ends.map(|end| self.kit.put(span, end)).to_vec();
            let (end, slot) = (self.kit.put(span, best(row, ends)), self.kit.slot("end"));
            rolled.push((slot, end));
            Number::Rolled(slot)
        });
        Ok(Die::Range(sorted[0], sorted[1]))
    }

    /// One die, rolled.
    pub(super) fn draw(&mut self, span: Span, die: &Die) -> TermId {
        match die {
            Die::Range(low, high) => self.kit.put(span, build::die(*low, *high)),
            Die::Listed(faces) => self.kit.put(span, Term::Draw { faces: Faces::Weighted(faces.clone()) }),
            Die::None => self.kit.put(span, 0),
        }
    }

    /// All dice together.
    pub(super) fn pool(&mut self, throw: &mut Throw) -> TermId {
        match throw.state {
            State::Pool(pool) | State::Total(pool) => pool,
            State::Each { die, .. } => match throw.count {
                Number::Known(1) => self.kit.put(throw.span, gather(die)),
                count => self.kit.put(throw.span, times(count, die)),
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

    fn keep(&mut self, throw: &mut Throw, keep: Keep, arg: &Arg, at: Span) -> Parsed<()> {
        let count = self.argument(throw, arg)?;
        if let (Number::Known(n), true) = (count, keep != Keep::Middle) {
            self.kept(throw, keep, n, at);
        } else if keep != Keep::Middle {
            throw.members = None;
        }
        let row = match keep {
            Keep::High => &prim::LARGEST,
            Keep::Low => &prim::LEAST,
            Keep::ButHigh => &prim::BUT_LARGEST,
            Keep::ButLow => &prim::BUT_LEAST,
            Keep::Middle => return self.middle(throw, count, at),
        };
        let pool = self.pool(throw);
        throw.state = State::Pool(self.kit.put(throw.span, two(row, place(at, count), pool)));
        Ok(())
    }

    fn bound(&mut self, throw: &mut Throw, bound: Bound, arg: &Arg) -> Parsed<()> {
        let number = self.argument(throw, arg)?;
        let (span, row) = (throw.span, if bound == Bound::Least { &prim::LIFT } else { &prim::CAP });
        throw.state = match throw.state {
            State::Each { die, .. } => {
                State::Each { die: self.kit.put(span, two(row, number, gather(die))), plain: false }
            }
            State::Pool(pool) | State::Total(pool) => State::Pool(self.kit.put(span, two(row, number, pool))),
        };
        Ok(())
    }

    /// `adv`: each die is rolled twice. It stands before everything that needs all dice.
    fn twice(&mut self, throw: &mut Throw, twice: Twice, at: Span) {
        let span = throw.span;
        let State::Each { die, .. } = throw.state else { return };
        self.several_twice(throw, twice, at);
        let row = if twice == Twice::Advantage { &prim::LARGEST } else { &prim::LEAST };
        throw.state = State::Each { die: self.kit.put(span, two(row, 1, times(2, die))), plain: false };
    }

    /// Notes that the dice of a term are shown in order.
    pub(super) fn shown_in_order(&mut self, span: Span, order: Order) {
        self.notes.push(Note { remark: Remark::Sorted(order == Order::Descending), text: String::new(), span });
    }

    fn total(&mut self, throw: &mut Throw) -> TermId {
        match (&throw.state, throw.count) {
            (State::Total(total), _) => *total,
            (State::Each { die, plain: true }, Number::Known(1)) => *die,
            _ => {
                let pool = self.pool(throw);
                self.kit.put(throw.span, sum(pool))
            }
        }
    }
}

/// Whether a die in a variable compares like this with a number.
pub(super) fn compares(die: Slot, by: Compare, number: Number) -> impl Build {
    compare(by.flipped(), number, die)
}

/// Whether a modifier looks at each die for itself.
fn one_by_one(modifier: &Modifier) -> bool {
    match modifier {
        Modifier::Explode(explode) => !matches!(explode.cap, Cap::Total(_)),
        Modifier::Reroll(_, cap) => !matches!(cap, Cap::Total(_)),
        Modifier::Twice(_) | Modifier::Bound(..) | Modifier::Picked(0, 0, _) => true,
        Modifier::Shows(_) => true,
        Modifier::Sort(_) | Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Deduct(..) => true,
        Modifier::Keep(..) | Modifier::Picked(..) | Modifier::RerollEnd(..) | Modifier::Another(_) => false,
        Modifier::Unique(_) | Modifier::Parity(_) | Modifier::Matches(..) => false,
        Modifier::Implode(_) | Modifier::Together(_) => false,
    }
}
