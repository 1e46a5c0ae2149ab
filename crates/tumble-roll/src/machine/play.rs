//! What scripts do: leave early, ask, show, and throw dice by their text.
//!
//! ```text
//! throw      arguments   r          a die whose path within the text is `r` has the path of the throw, any other
//!                                   that path, a point, and its own
//! ask        arguments   u
//! ```
//!
//! A text is a program of its own: it is rolled by a machine of its own with the same dice and the same budget.

use super::{Machine, Plan, Space};
use crate::play::{Asked, Shown, Thrown};
use crate::scribe::Scribe;
use crate::source::{Die, Shows, Sides, Source};
use crate::trace::Rolled;
use crate::watch::{Nobody, Watch};
use tumble_core::play::{dice_again, no_group, plain_dice, quoted, style};
use tumble_core::{Code, Diagnostic, Event, Fault, Program, Question, Span, TermId, Throw, Value};

/// A group of output that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// It ends with its call at the latest.
    Started,
    /// It ends with its block.
    Block,
}

impl<S: Source + ?Sized, W: Watch> Machine<'_, '_, S, W> {
    /// Leaves the innermost call, or ends the roll, with the value given.
    pub(super) fn leave_call(&mut self) -> Result<(), Fault> {
        if !self.space.calls.is_empty() {
            return self.leave();
        }
        let value = self.pop();
        let space = &mut *self.space;
        space.jobs.clear();
        space.values.clear();
        space.rounds.clear();
        self.end_groups(0)?;
        if self.watch.level().parts > self.begun.parts {
            self.watch.cut_back(self.begun, &value);
        }
        self.push(value);
        Ok(())
    }

    /// A player's decision; what it is about is given.
    pub(super) fn ask(&mut self, id: TermId, question: Question) -> Result<(), Fault> {
        let first = self.space.values.len() - question.takes();
        let answers = question.answers(&self.space.values[first..])?;
        self.space.path.letter('u');
        let path = self.space.path.text();
        let default = answers.default();
        let given = self.play.answers.get(path);
        let value = given.and_then(|given| answers.fit(given)).unwrap_or_else(|| default.clone());
        self.budget.step(1 + self.space.values[first..].iter().map(Value::weight).sum::<u64>())?;
        if W::PLAYS {
            let unfit = given.filter(|given| answers.fit(given).is_none()).cloned();
            let args = &self.space.values[first..];
            let span = self.plan.program.span(id);
            let path = path.to_owned();
            let asked = Asked {
                path,
                question,
                answers,
                owner: owner(args),
                prompt: words(&args[2]),
                value: value.clone(),
                default,
                unfit,
                span,
            };
            self.watch.asked(asked)?;
        }
        self.space.values.truncate(first);
        self.push(value);
        Ok(())
    }

    /// Something to show; it is given.
    pub(super) fn emit(&mut self, id: TermId, event: Event) -> Result<(), Fault> {
        let first = self.space.values.len() - event.takes();
        let style = if event == Event::Line { style(&self.space.values[first + 1])? } else { None };
        self.grouped(event)?;
        if W::PLAYS {
            let args = &self.space.values[first..];
            let text = |at: usize| args.get(at).filter(|value| value.as_text().is_some()).map(words);
            let shown = match event {
                Event::Line => Shown::Line { text: words(&args[0]), style },
                Event::Open | Event::Enter => Shown::Open { title: text(0) },
                Event::Close => Shown::Close,
                // Every group that ends with the block was reported by `grouped`.
                Event::Exit => return self.shown_nothing(first),
                Event::Change => {
                    let amount = args[3].as_int().unwrap_or(0);
                    Shown::Change { owner: owner(args), field: words(&args[2]), amount }
                }
            };
            self.watch.shown(shown, self.plan.program.span(id))?;
        }
        self.shown_nothing(first)
    }

    fn shown_nothing(&mut self, first: usize) -> Result<(), Fault> {
        self.space.values.truncate(first);
        self.push(Value::NOTHING);
        Ok(())
    }

    /// Keeps account of the groups that are open.
    fn grouped(&mut self, event: Event) -> Result<(), Fault> {
        let base = self.space.calls.last().map_or(0, |frame| frame.groups);
        let groups = &mut self.space.groups;
        match event {
            Event::Line | Event::Change => {}
            Event::Open => groups.push(Group::Started),
            Event::Enter => groups.push(Group::Block),
            Event::Close => {
                let own = groups.len() > base && groups.last() == Some(&Group::Started);
                if !own {
                    return Err(no_group());
                }
                groups.pop();
            }
            Event::Exit => {
                let block = groups.iter().rposition(|group| *group == Group::Block).unwrap_or(base);
                self.end_groups(block.max(base))?;
            }
        }
        Ok(())
    }

    /// Ends all groups above this height.
    pub(super) fn end_groups(&mut self, height: usize) -> Result<(), Fault> {
        while self.space.groups.len() > height {
            self.space.groups.pop();
            if W::PLAYS {
                self.watch.shown(Shown::Close, Span::default())?;
            }
        }
        Ok(())
    }

    /// Dice that fall together; what they are is given.
    pub(super) fn throw(&mut self, id: TermId, throw: Throw) -> Result<(), Fault> {
        let first = self.space.values.len() - throw.takes();
        let args: Vec<Value> = self.space.values.drain(first..).collect();
        self.space.path.letter('r');
        let value = match throw {
            Throw::Total | Throw::Dice => self.text(id, throw, &words(&args[0]))?,
            Throw::Plain => {
                let (count, sides) = plain_dice(&args)?;
                self.budget.draw(count)?;
                let total = self.fallen(id, (throw, &format!("{count}d{sides}")), sides, 0..count, total)?;
                Value::int(total)
            }
            Throw::Again => {
                let (members, places, sides) = dice_again(&args)?;
                self.budget.draw(places.len() as u64)?;
                self.budget.members(members.len() as u64)?;
                let mut dice = members.to_vec();
                let indexes = places.iter().map(|place| *place as u64);
                let faces =
                    self.fallen(id, (throw, &format!("reroll d{sides}")), sides, indexes, |faces| Ok(faces.to_vec()))?;
                places.iter().zip(faces).for_each(|(place, face)| dice[*place] = Value::int(face));
                Value::pool(dice)
            }
        };
        self.push(value);
        Ok(())
    }

    /// Plain dice with these indexes.
    fn fallen<T>(
        &mut self,
        id: TermId,
        (throw, text): (Throw, &str),
        sides: i64,
        indexes: impl Iterator<Item = u64>,
        give: impl FnOnce(&[i64]) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let kind = Sides::Range { lo: 1, hi: sides };
        let path = self.space.path.text();
        let (mut faces, mut dice) = (Vec::new(), Vec::new());
        for index in indexes {
            self.budget.step(1 + path.len() as u64 / super::draw::BYTES_PER_STEP)?;
            let die = Die { path, index, version: 0, sides: kind, shows: Shows::Numbers };
            let face = self.source.draw(&die)?;
            if face > kind.last() {
                return Err(Fault::new(Code::Request, format!("a die with faces {kind} has no face number {face}")));
            }
            self.drawn += 1;
            faces.push(face as i64 + 1);
            if W::PLAYS {
                dice.push((path.to_owned(), kind, index, Value::int(face as i64 + 1)));
            }
        }
        let given = give(&faces)?;
        if W::PLAYS {
            let total = total(&faces).ok();
            let (path, span) = (path.to_owned(), self.plan.program.span(id));
            self.watch.thrown(Thrown {
                path,
                throw,
                text: text.to_owned(),
                dice,
                value: total.map(Value::int),
                rolled: None,
                span,
            })?;
        }
        Ok(given)
    }

    /// Reads a text and rolls it.
    fn text(&mut self, id: TermId, throw: Throw, text: &str) -> Result<Value, Fault> {
        let quoted = |found: Diagnostic| quoted(text, found);
        let program = self.play.reader.read(text, throw).map_err(quoted)?;
        self.budget.step(program.nodes().len() as u64)?;
        let path = self.space.path.text().to_owned();
        let mut rolled = None;
        let mut source = &mut *self.source;
        let mut inside = Inside { source: &mut source, path: &path, whole: String::new(), drawn: 0 };
        let value = if W::PLAYS {
            let told = told(&program, &mut inside, &mut self.budget);
            let told = told.map_err(quoted)?;
            let value = told.value.clone();
            rolled = Some(told);
            value
        } else {
            let plan = Plan::new(&program);
            let (mut space, mut nobody) = (Space::default(), Nobody);
            let mut machine = Machine::new(&plan, &mut space, &mut inside, &mut nobody, self.budget.limits().clone());
            std::mem::swap(&mut machine.budget, &mut self.budget);
            let value = machine.run();
            std::mem::swap(&mut machine.budget, &mut self.budget);
            value.map_err(quoted)?
        };
        self.drawn += inside.drawn;
        if W::PLAYS {
            let dice = rolled.iter().flat_map(|rolled| &rolled.draws);
            let dice =
                dice.map(|drawn| (whole_path(&path, &drawn.path), drawn.sides, drawn.index, drawn.shown.clone()));
            let (dice, span) = (dice.collect(), self.plan.program.span(id));
            let thrown = Thrown { path, throw, text: text.to_owned(), dice, value: Some(value.clone()), rolled, span };
            self.watch.thrown(thrown)?;
        }
        Ok(value)
    }
}

/// Rolls a text with its full record.
fn told(program: &Program, source: &mut Inside<'_>, budget: &mut tumble_core::Budget) -> Result<Rolled, Diagnostic> {
    let plan = Plan::new(program);
    let (mut space, mut scribe) = (Space::default(), Scribe::default());
    let span = program.span(program.function(program.main()).body);
    scribe.begin(span, None);
    let mut machine = Machine::new(&plan, &mut space, source, &mut scribe, budget.limits().clone());
    std::mem::swap(&mut machine.budget, budget);
    let value = machine.run();
    std::mem::swap(&mut machine.budget, budget);
    scribe.finish(value?, budget).map_err(|fault| fault.at(span))
}

fn total(faces: &[i64]) -> Result<i64, Fault> {
    let sum = faces.iter().try_fold(0i64, |sum, face| sum.checked_add(*face));
    sum.ok_or_else(|| Fault::runtime("the sum of the dice is too large"))
}

/// The dice of a text in the place of its throw.
struct Inside<'a> {
    source: &'a mut dyn Source,
    path: &'a str,
    whole: String,
    drawn: u64,
}

impl Source for Inside<'_> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        self.drawn += 1;
        if die.path == "r" {
            return self.source.draw(&Die { path: self.path, ..*die });
        }
        self.whole.clear();
        self.whole.push_str(self.path);
        self.whole.push('.');
        self.whole.push_str(die.path);
        self.source.draw(&Die { path: &self.whole, ..*die })
    }

    fn needs_path(&self) -> bool {
        self.source.needs_path()
    }
}

/// The path of a die of a text, where the text is thrown at `path`.
fn whole_path(path: &str, inner: &str) -> String {
    if inner == "r" { path.to_owned() } else { format!("{path}.{inner}") }
}

/// The owner of a question or change: name and identity.
fn owner(args: &[Value]) -> crate::play::Owner {
    let name = args[0].as_text().map(ToString::to_string);
    let id = if let tumble_core::Data::Tag(tag) = &args[1].data { tag.0.as_deref().map(str::to_owned) } else { None };
    crate::play::Owner { name, id }
}

fn words(value: &Value) -> String {
    value.as_text().map_or_else(String::new, ToString::to_string)
}
