//! Operations that have to be chosen for: dice, questions and calls.

use super::answers::{Given, Group};
use super::code::{About, Dice, Op, Reg, Routine};
use super::compile::{For, compile};
use super::machine::{Machine, Stopped};
use super::request::{Chosen, Faces, Kind, Mode, Next, Request, Unseen, Wrong};
use crate::outcome::{self, Outcome};
use tumble_core::play::{dice_again, plain_dice, quoted};
use tumble_core::sort;
use tumble_core::{Fault, Question, Throw, Value, chance};

/// Calls without chance inside each other that are computed aside.
const MOST_NESTED: usize = 16;

impl Machine<'_> {
    /// An operation that may have to be chosen for.
    pub(super) fn choose(&mut self, op: &Op, routine: &Routine) -> Result<Chosen, Wrong> {
        let request = match op {
            Op::Draw { faces, path, .. } => {
                self.faces(faces)?.map(|faces| Request::Draw { faces, path: self.path(*path) })
            }
            Op::Dice { count, faces, path, .. } => {
                let count = self.regs[*count].as_int().and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                self.faces(faces)?.map(|faces| Request::Dice { count, faces, path: self.path(*path) })
            }
            Op::Throw { to, throw, args, path } => return self.throw(*throw, args, *path, routine.unordered[*to]),
            Op::Ask { question, about, args, path, .. } => return self.ask(*question, about, args, *path),
            Op::Call { function, args, path, .. } => {
                let args: Vec<Outcome> = args.iter().map(|arg| self.regs[*arg].clone()).collect();
                let (callee, path) = (function.index(), self.path(*path));
                if args.iter().any(|arg| matches!(arg, Outcome::Unseen(_))) {
                    return Ok(Chosen::Next(Next::Call(callee, args, path)));
                }
                return match self.modes.get(callee).copied().unwrap_or(Mode::Inline) {
                    Mode::Pure if self.nested < MOST_NESTED => self.computed(callee, args),
                    Mode::Inline | Mode::Pure => Ok(Chosen::Next(Next::Call(callee, args, path))),
                    Mode::Shared => Ok(Chosen::Next(Next::Choice(Request::Call { function: callee, args, path }))),
                };
            }
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => None,
            Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } | Op::Members { .. } | Op::Next { .. } => None,
            Op::Push { .. } | Op::Count { .. } | Op::Down { .. } | Op::Letter { .. } | Op::Emit { .. } => None,
        };
        Ok(Chosen::Next(request.map_or(Next::End(Outcome::Unknown), Next::Choice)))
    }

    /// The result of a call without chance, from memory if there were the same arguments before.
    fn computed(&mut self, function: usize, args: Vec<Outcome>) -> Result<Chosen, Wrong> {
        let key = (function, args);
        self.budget.step(4 + key.1.iter().map(outcome::size).sum::<u64>() / 4)?;
        if let Some(result) = self.results.get(&key) {
            return Ok(Chosen::Known(result.clone()));
        }
        let regs = std::mem::take(&mut self.regs);
        self.nested += 1;
        let ended = self.enter(function, key.1.clone(), &Outcome::Known(Value::NOTHING));
        self.nested -= 1;
        self.regs = regs;
        match ended {
            Ok(Stopped::End(result)) => {
                self.held += 150 + 24 * (outcome::size(&result) + key.1.iter().map(outcome::size).sum::<u64>());
                self.results.insert(key, result.clone());
                Ok(if result.is_lost() { Chosen::Next(Next::End(result)) } else { Chosen::Known(result) })
            }
            Ok(Stopped::Choice(_)) => Err(Fault::mistake("internal error: a call without chance has a choice").into()),
            Err(found) => Err(Wrong::Inside(Box::new(found))),
        }
    }

    fn path(&self, path: Option<Reg>) -> Outcome {
        path.map_or(Outcome::Known(Value::NOTHING), |reg| self.regs[reg].clone())
    }

    /// The faces of dice; none if they are not known.
    fn faces(&self, faces: &Dice) -> Result<Option<Faces>, Fault> {
        let known = |reg: &Reg| self.regs[*reg].known();
        Ok(match faces {
            Dice::Range { lo, hi } => match (known(lo), known(hi)) {
                (Some(lo), Some(hi)) => {
                    chance::faces(lo, hi)?;
                    lo.as_int().zip(hi.as_int()).map(|(lo, hi)| Faces::Range(lo, hi))
                }
                _ => None,
            },
            Dice::Weighted(faces) => Some(Faces::Weighted(faces.iter().cloned().collect())),
            Dice::Member { pool } => match known(pool) {
                Some(pool) => Some(Faces::Member(chance::some_members(pool)?.to_vec())),
                None => None,
            },
            Dice::Members { pool, count } => match (known(pool), known(count)) {
                (Some(pool), Some(count)) => {
                    let members = chance::members(pool)?;
                    Some(Faces::Members(members.to_vec(), chance::picks(count, members.len())?))
                }
                _ => None,
            },
        })
    }

    fn throw(&mut self, throw: Throw, args: &[Reg], path: Option<Reg>, sorted: bool) -> Result<Chosen, Wrong> {
        let known: Option<Vec<Value>> = args.iter().map(|arg| self.regs[*arg].known().cloned()).collect();
        let (Some(args), path) = (known, self.path(path)) else { return Ok(Chosen::Next(Next::End(Outcome::Unknown))) };
        let request = match throw {
            Throw::Total | Throw::Dice => {
                let text = args[0].as_text().map_or_else(String::new, ToString::to_string);
                if self.paths.knows_dice(&path) {
                    let callee = self.text_as_function(&text, throw)?;
                    let inside = self.paths.inside(&path);
                    return Ok(Chosen::Next(Next::Call(callee, vec![], inside)));
                }
                let dice = throw == Throw::Dice;
                let request = Request::Text { text: text.clone(), dice, sorted: sorted && dice };
                if self.made_for.unseen && self.nested == 0 && self.stays_unseen(&request) {
                    return Ok(Chosen::Known(self.unseen(Unseen::Thrown(text))));
                }
                request
            }
            Throw::Plain => {
                let (count, sides) = plain_dice(&args)?;
                Request::Plain { count, sides, path: self.narrow(path) }
            }
            Throw::Again => {
                let (members, places, sides) = dice_again(&args)?;
                let mut kept: Vec<Option<Value>> = members.iter().cloned().map(Some).collect();
                places.iter().for_each(|place| kept[*place] = None);
                if places.is_empty() {
                    return Ok(Chosen::Known(Outcome::Known(args[0].clone())));
                }
                let path = self.narrow(path);
                let sorted = sorted && path.as_int().is_none();
                if sorted {
                    sort::sort(&mut kept);
                }
                Request::Again { kept, sides, sorted, path }
            }
        };
        Ok(Chosen::Next(Next::Choice(request)))
    }

    /// A path only matters to dice where some are known.
    fn narrow(&self, path: Outcome) -> Outcome {
        if self.paths.knows_dice(&path) { path } else { Outcome::Known(Value::NOTHING) }
    }

    /// The code of a text some of whose dice are known.
    fn text_as_function(&mut self, text: &str, throw: Throw) -> Result<usize, Fault> {
        let key = (text.to_owned(), throw == Throw::Dice);
        if let Some(function) = self.texts.get(&key) {
            return Ok(*function);
        }
        let program = self.reader.read(text, throw).map_err(|found| quoted(text, found))?;
        let first = self.routines.len();
        self.budget.step(program.nodes().len() as u64 * 4)?;
        let functions = program.functions().iter();
        let mut routines: Vec<Routine> =
            functions.map(|function| compile(&program, function, For { unseen: false, ..self.made_for })).collect();
        routines.iter_mut().for_each(|routine| routine.call_from(first));
        let routines = super::prepare::ready(routines, program.main().index(), self.without.slicing)?;
        self.modes.resize(first, Mode::Inline);
        self.modes.extend(routines.iter().map(|_| Mode::Inline));
        self.routines.extend(routines);
        let function = first + program.main().index();
        self.texts.insert(key, function);
        Ok(function)
    }

    fn ask(&mut self, question: Question, about: &About, args: &[Reg], path: Option<Reg>) -> Result<Chosen, Wrong> {
        let mut given = vec![Value::NOTHING; 3];
        for arg in args {
            match self.regs[*arg].known() {
                Some(value) => given.push(value.clone()),
                None => return Ok(Chosen::Next(Next::End(Outcome::Unknown))),
            }
        }
        let answers = question.answers(&given)?;
        let words = |reg: Reg| self.regs[reg].known().and_then(Value::as_text).map(ToString::to_string);
        let (owner, prompt) = (words(about.owner), about.prompt.and_then(words));
        let form = about.form.as_deref().map(str::to_owned).or_else(|| prompt.clone()).unwrap_or_default();
        let path = self.path(path);
        let by_path = self.paths.answer_at(&path).cloned();
        let group = Group { owner, form };
        self.asked = Some((path, prompt.clone()));
        let number = self.answering.meet(&group, question, &answers);
        Ok(match self.answering.given(number, &group, prompt.as_deref(), by_path) {
            Given::Answer(answer) => {
                let value = answer.and_then(|answer| answers.fit(&answer)).unwrap_or_else(|| answers.default());
                Chosen::Known(Outcome::Known(value))
            }
            Given::Met => Chosen::Next(Next::End(Outcome::Cut)),
            Given::Free => Chosen::Next(Next::Choice(Request::Ask { group: number, answers: Kind::of(&answers) })),
        })
    }
}
