//! Writes the story of a roll while the machine runs.
//!
//! The scribe follows marks: whatever is shown as a number uses the dice that it came from, and of every row that was
//! applied, and of every choice, the dice that went in are compared with those that came out. Looking at members costs
//! steps, so that the story of a roll has a limit too. What dice count as is found in `worth`.

mod alone;
mod fate;
mod worth;

use crate::kin::{Kin, one_die};
use crate::sight::Compared;
use crate::source::Die;
use crate::trace::{Change, Check, DieState, Drawn, Event, Rolled, Side, Step, Trace};
use crate::watch::{Applied, Level, Question, Watch};
use fate::Fate;
use std::ops::Range;
use tumble_core::prim::{Merge, Sort};
use tumble_core::{Budget, Data, Fault, Keep, Mark, Prim, Shape, Span, Value};

/// How deep a trace may be, so that whoever reads it may recurse.
const DEEPEST: usize = 64;

/// How many members the values of a trace may have in all.
const ROOM: usize = 1_000_000;

/// How many dice a roll may have before room that is not needed is given back, and how many parts of
/// an old story are kept for the next.
const MANY: usize = 256;

/// How many comparisons and names are noted.
const MOST_ASIDES: usize = 10_000;

/// The listener of a roll. It can be used again, and writes the next story over the last one.
#[derive(Debug, Default)]
pub(crate) struct Scribe {
    /// The dice of this roll, then what is left of the one before.
    draws: Vec<Drawn>,
    /// How many dice fell in this roll.
    fell: usize,
    fates: Vec<Fate>,
    kin: Kin,
    events: Vec<Event>,
    /// The dice that were counted to find how often something is repeated.
    reasons: Vec<Vec<usize>>,
    /// What is asked about, the innermost last.
    topics: Vec<Value>,
    /// The open parts, the whole roll first.
    open: Vec<Trace>,
    /// How many more are open that are too deep to be told.
    deeper: usize,
    room: usize,
    round: u64,
    /// Parts of the previous record.
    spare: Vec<Trace>,
}

impl Scribe {
    /// Begins a record; `last` is one that is no longer needed.
    pub(crate) fn begin(&mut self, span: Span, last: Option<Rolled>) {
        if let Some(last) = last {
            self.draws = last.draws;
            self.take_apart(last.trace);
        }
        self.fell = 0;
        self.fates.clear();
        self.kin.clear();
        self.events.clear();
        self.reasons.clear();
        self.topics.clear();
        self.open.clear();
        (self.deeper, self.room, self.round) = (0, ROOM, 0);
        let whole = self.part(Step::Whole, span);
        self.open.push(whole);
    }

    /// Keeps some parts of an old record, for their memory; it is at most [`DEEPEST`] deep.
    fn take_apart(&mut self, mut part: Trace) {
        part.inside.drain(..).for_each(|inner| self.take_apart(inner));
        part.dice.clear();
        if self.spare.len() < MANY {
            self.spare.push(part);
        }
    }

    /// A part without dice yet.
    fn part(&mut self, what: Step, span: Span) -> Trace {
        let events = self.events.len()..self.events.len();
        match self.spare.pop() {
            Some(old) => Trace { span, what, value: None, events, ..old },
            None => Trace { span, what, dice: vec![], value: None, inside: vec![], events },
        }
    }

    /// Ends the record.
    pub(crate) fn finish(&mut self, value: Value, budget: &mut Budget) -> Result<Rolled, Fault> {
        self.use_all(&value, budget)?;
        self.draws.truncate(self.fell);
        for (drawn, fate) in self.draws.iter_mut().zip(&self.fates) {
            if fate.is_out() && drawn.state != DieState::Rerolled && drawn.shown.mark == Mark::NONE {
                drawn.state = DieState::Dropped;
            }
            drawn.alone = fate.used;
            worth::settle(drawn, fate.used);
        }
        let mut trace = self.open.swap_remove(0);
        trace.value = Some(value.clone());
        trace.events.end = self.events.len();
        alone::settle(&mut self.draws, &trace);
        let (draws, events) = (std::mem::take(&mut self.draws), std::mem::take(&mut self.events));
        Ok(Rolled { value, trace, draws, events })
    }

    fn note(&mut self, event: Event) {
        if self.events.len() < MOST_ASIDES {
            self.events.push(event);
        }
    }

    /// A comparison of two numbers was made.
    fn compared(&mut self, compared: &Compared, span: Span, args: &[Value], result: &Value) {
        let [number, pool] = args else { return };
        let (Some(number), Some([member])) = (number.as_int(), pool.as_pool()) else { return };
        let Some(member) = member.as_int() else { return };
        let (first, last) = if compared.in_order { (number, member) } else { (member, number) };
        let (left, right) = (Side { span: compared.left, value: first }, Side { span: compared.right, value: last });
        let holds = result.as_pool().is_some_and(|kept| !kept.is_empty());
        self.note(Event::Check(Check { span, left, sign: compared.sign, right, holds }));
    }

    /// Members that are no dice but totals became other numbers; if one did, all of them are noted, so that they can be
    /// shown side by side.
    fn changed(&mut self, span: Span, before: &Value, after: &Value, budget: &mut Budget) -> Result<(), Fault> {
        let (Some(before), Some(after)) = (before.as_pool(), after.as_pool()) else { return Ok(()) };
        let mut totals = Vec::new();
        for (place, (before, after)) in before.iter().zip(after).enumerate() {
            let (Some(from), Some(to)) = (before.as_int(), after.as_int()) else { continue };
            if one_die(after.mark).is_some() {
                continue;
            }
            let mut dice: Option<(usize, usize)> = None;
            self.kin.each_die(after, budget, |die, _| {
                dice = Some(dice.map_or((die, die), |(first, last)| (first.min(die), last.max(die))));
            })?;
            totals.push(Change { span, place, dice, from, to });
        }
        if totals.iter().any(|total| total.from != total.to) {
            totals.into_iter().for_each(|total| self.note(Event::Changed(total)));
        }
        Ok(())
    }

    /// A part without dice is left out, except a pass in which something else is worth recording. A row over one dice
    /// term in the same place is the same thing to a reader: the dice term takes its value.
    fn end_part(&mut self, value: Option<&Value>) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(mut part) = self.open.pop_if(|part| part.what != Step::Whole) else { return };
        part.events.end = self.events.len();
        let told = matches!(part.what, Step::Loop | Step::Pass(_)) && !part.events.is_empty();
        if part.dice.is_empty() && part.inside.is_empty() && !told {
            self.spare.push(part);
            return;
        }
        let inner = matches!((&part.what, part.inside.as_slice()), (Step::Row(_), [one])
            if part.dice.is_empty() && one.span == part.span && matches!(one.what, Step::Dice | Step::Row(_)));
        if inner && let Some(one) = part.inside.pop() {
            self.spare.push(std::mem::replace(&mut part, one));
        }
        part.value = value.and_then(|value| self.kept(value));
        if self.fell > MANY {
            part.dice.shrink_to_fit();
            part.inside.shrink_to_fit();
        }
        if let Some(around) = self.open.last_mut() {
            around.inside.push(part);
        }
    }

    /// A value for the trace, while there is room.
    fn kept(&mut self, value: &Value) -> Option<Value> {
        let members = match &value.data {
            Data::Pool(items) | Data::Tuple(items) | Data::List(items) => items.len(),
            Data::Text(text) => text.lines.len(),
            Data::Nothing | Data::Bool(_) | Data::Int(_) | Data::Ratio(_) | Data::Tag(_) => 0,
        };
        self.room = self.room.checked_sub(members)?;
        Some(value.clone())
    }
}

impl Watch for Scribe {
    const TRACED: bool = true;

    fn open(&mut self, what: impl FnOnce() -> Step, span: Span) {
        if self.open.len() < DEEPEST {
            let part = self.part(what(), span);
            self.open.push(part);
        } else {
            self.deeper += 1;
        }
    }

    fn close(&mut self, value: &Value) {
        self.end_part(Some(value));
    }

    fn level(&self) -> Level {
        Level { parts: self.open.len() + self.deeper, topics: self.topics.len() }
    }

    /// A part that is given up keeps its dice and has no value.
    fn cut_back(&mut self, to: Level, value: &Value) {
        while self.level().parts > to.parts + 1 {
            self.end_part(None);
        }
        self.end_part(Some(value));
        self.topics.truncate(to.topics);
    }

    fn die(&mut self, die: &Die<'_>, face: u64, shown: &Value, span: Span) -> Mark {
        let number = self.fell;
        self.fell += 1;
        let mut path = self.draws.get_mut(number).map(|old| std::mem::take(&mut old.path)).unwrap_or_default();
        path.clear();
        path.push_str(die.path);
        let (index, sides, shown) = (die.index, die.sides, shown.clone());
        let (state, from, replaces, became, score, alone) = (DieState::Kept, None, false, None, None, false);
        let drawn = Drawn { path, index, sides, face, shown, span, state, from, replaces, became, score, alone };
        match self.draws.get_mut(number) {
            Some(old) => *old = drawn,
            None => self.draws.push(drawn),
        }
        self.fates.push(Fate::default());
        if let Some(part) = self.open.last_mut() {
            part.dice.push(number);
        }
        Mark::die(number)
    }

    fn applied(
        &mut self,
        row: &Applied<'_>,
        args: &[Value],
        result: &Value,
        budget: &mut Budget,
    ) -> Result<Mark, Fault> {
        if let Some((compared, span)) = row.check {
            self.compared(compared, span, args, result);
        }
        let selects = row.prim.selects();
        if let (Shape::Map { .. }, Some(before)) = (row.prim.shape, args.get(row.prim.over)) {
            worth::changed(&mut self.draws, before, result, budget)?;
            self.changed(row.span, before, result, budget)?;
        }
        if let Some(question) = row.looking {
            return self.look(question, args, budget).map(|()| Mark::NONE);
        }
        if !selects && passes_on(row.prim) {
            return Ok(Mark::NONE);
        }
        if row.prim.gives == Sort::Int {
            return match (row.prim.shape, args) {
                _ if result.mark != Mark::NONE => Ok(Mark::NONE),
                (Shape::Fold(_), [pool]) if row.prim.counts => self.kin.judged(pool, budget),
                (Shape::Fold(_), [pool]) => self.kin.summed(pool, budget),
                _ => self.kin.computed(args, budget),
            };
        }
        for (place, arg) in args.iter().enumerate() {
            match selects && place == row.prim.over {
                true => self.compare(arg, std::slice::from_ref(result), budget)?,
                false => self.use_all(arg, budget)?,
            }
        }
        Ok(Mark::NONE)
    }

    fn chosen(&mut self, from: &Value, taken: &[Value], budget: &mut Budget) -> Result<(), Fault> {
        self.compare(from, taken, budget)
    }

    /// How many dice there are does not need what they count for.
    fn used(&mut self, value: &Value, budget: &mut Budget) -> Result<(), Fault> {
        match self.dice_counted(value, budget)? {
            Some(_) => self.look(Question::Inner, std::slice::from_ref(value), budget),
            None => self.use_all(value, budget),
        }
    }

    /// Dice that the value of the pass has not were dropped before, unless it has none of them: then it was made of all.
    /// A pass without dice hands on a die that fell before.
    fn led(&mut self, value: &Value, dice: Range<u64>, keep: Keep, budget: &mut Budget) -> Result<Option<u64>, Fault> {
        let mut dice = dice.start as usize..dice.end as usize;
        if let (true, Some(die)) = (dice.is_empty(), one_die(value.mark)) {
            dice = die..die + 1;
        }
        let round = self.stay(std::slice::from_ref(value), budget)?;
        let stayed = |die: &usize| self.fates.get(*die).is_some_and(|fate| fate.stayed == round);
        let mut carried = dice.clone().filter(stayed);
        let (first, several) = (carried.next(), carried.next().is_some());
        for die in dice.clone() {
            let (Some(fate), Some(drawn)) = (self.fates.get(die), self.draws.get_mut(die)) else { continue };
            if first.is_none() || fate.stayed == round || fate.used {
                lead(drawn, keep);
            }
        }
        let last = dice.last();
        Ok(if several { last } else { first.or(last) }.map(|die| die as u64))
    }

    fn about(&mut self, value: &Value) {
        self.topics.push(value.clone());
    }

    fn answered(&mut self) {
        self.topics.pop();
    }

    /// A die that already follows from one in its own pass keeps that link.
    fn follow(&mut self, dice: Range<u64>, from: u64, keep: Keep) {
        for drawn in &mut self.draws[dice.start as usize..dice.end as usize] {
            if drawn.from.is_none() {
                (drawn.from, drawn.replaces) = (Some(from as usize), keep == Keep::Last);
            }
        }
    }

    fn counts(&mut self, number: &Value, budget: &mut Budget) -> Result<Option<usize>, Fault> {
        let Some(dice) = self.dice_counted(number, budget)? else {
            return self.use_all(number, budget).map(|()| None);
        };
        self.reasons.push(dice);
        Ok(Some(self.reasons.len() - 1))
    }

    /// A die that is counted and brings others of the same dice term explodes.
    fn counted(&mut self, list: usize, place: u64, dice: Range<u64>) {
        let Some(&from) = self.reasons.get(list).and_then(|list| list.get(place as usize)) else { return };
        let span = |die: usize| self.draws.get(die).map(|drawn| drawn.span);
        if !dice.is_empty() && span(from) == span(dice.start as usize) {
            self.follow(dice, from as u64, Keep::All);
            self.draws.get_mut(from).into_iter().for_each(|drawn| lead(drawn, Keep::All));
        } else if let Some(fate) = self.fates.get_mut(from) {
            fate.looked = true;
        }
    }

    /// A score stands for the dice that have it.
    fn judged(&mut self, member: &Value, result: &mut Value, budget: &mut Budget) -> Result<(), Fault> {
        let Some(score) = worth::score(result, budget)? else {
            // A die that is handed on is not only looked at.
            self.about(result);
            self.look(Question::Inner, std::slice::from_ref(member), budget)?;
            self.answered();
            return Ok(());
        };
        let mut dice = Vec::new();
        self.kin.each_die(member, budget, |die, _| dice.push(die))?;
        worth::scored(&mut self.draws, &dice, score);
        let mark = self.kin.judged(member, budget)?;
        *result = match result.as_pool() {
            Some(scores) => Value::pool(scores.iter().map(|score| score.clone().marked(mark)).collect()),
            None => result.clone().marked(mark),
        };
        Ok(())
    }

    fn named(&mut self, value: &Value, span: Span) {
        if let Some(value) = value.as_int() {
            self.note(Event::Named(Side { span, value }));
        }
    }
}

/// A die that led to another roll: in its place, or beside it.
fn lead(drawn: &mut Drawn, keep: Keep) {
    match (keep, drawn.state) {
        (Keep::Last, _) => drawn.state = DieState::Rerolled,
        (Keep::All, DieState::Kept) => drawn.state = DieState::Exploded,
        (Keep::All, _) => {}
    }
}

/// Whether a row hands its dice on or only asks whether there are any, so that it does not use them.
fn passes_on(prim: &Prim) -> bool {
    match prim.shape {
        Shape::Union | Shape::Forget | Shape::Map { .. } | Shape::Fold(Merge::Or) => true,
        Shape::Opaque | Shape::Filter | Shape::Fold(Merge::Add) | Shape::Scan(_) => {
            matches!(prim.gives, Sort::Tuple | Sort::Any)
        }
    }
}
