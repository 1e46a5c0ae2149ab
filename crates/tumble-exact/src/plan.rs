//! Which shape goes to which method.
//!
//! The question is always the same: a collection in independent parts, and one or more [`View`]s of
//! it (rows applied in a chain, then a fold or the members themselves); the answer is the joint
//! distribution of the views. [`METHODS`] are tried in order; a method that does not fit says so, and
//! the plain one fits everything.

use crate::Options;
use crate::algo;
use crate::cost;
use crate::dist::Dist;
use crate::explain::{Mark, Record};
use crate::law::{Bunch, Law, Stage};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::probe;
use crate::round::{self, Rounding};
use crate::tailed;
use crate::words;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::Prim;
use tumble_core::{Budget, Fault, Span, TermId, Value};

/// The methods, named so that tests can leave each one out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Sums and counts by generating functions: powers of polynomials.
    Power,
    /// Whether there are any members, by a product of probabilities.
    Empty,
    /// The largest or smallest member, by order statistics.
    Extreme,
    /// The sum of the largest or smallest few, by thresholds.
    Keep,
    /// Any views of dice, by dynamic programming over the faces in order.
    Faces,
    /// Several sums, counts and tests for emptiness of the same parts.
    Folds,
    /// Sums of the largest or smallest few, or of the others, of parts of any kind, by cutoffs.
    Border,
    /// Rows whose result on a union follows from the results on its parts.
    Reduce,
    /// Dice picked at random from rolled dice, by exchangeability.
    Pick,
    /// Two numbers compared by cumulative sums.
    Compare,
    /// A named collection that is only examined through a few rows, and the other rewritings.
    Views,
    /// Forgetting the dice of a hidden pool that nothing can ask for any more.
    Forget,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 12] = [
        Method::Power,
        Method::Empty,
        Method::Extreme,
        Method::Keep,
        Method::Faces,
        Method::Folds,
        Method::Border,
        Method::Reduce,
        Method::Pick,
        Method::Compare,
        Method::Views,
        Method::Forget,
    ];

    /// Its name, and what it does in a plain sentence.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Method::Power => ("generating functions", "adds up the parts by multiplying polynomials"),
            Method::Empty => ("product of probabilities", "multiplies the probabilities that each part is empty"),
            Method::Pick => ("exchangeability", "dice picked at random are distributed like any others"),
            Method::Compare => ("cumulative sums", "compares two numbers in one pass"),
            Method::Extreme => ("order statistics", "finds the probability that no die goes beyond each face"),
            Method::Keep => ("thresholds", "takes each face in turn as the last one kept"),
            Method::Faces => ("dynamic programming", "asks how many dice show each face in turn"),
            Method::Folds => ("joint sums", "merges what each part adds to all the questions at once"),
            Method::Border => ("cutoffs", "takes each face in turn as the border between kept and dropped dice"),
            Method::Reduce => ("reduction", "reduces each part to what can matter, then combines them"),
            Method::Forget => ("forgetting", "drops what no later question can ask for"),
            Method::Views => ("rewriting", "never lists a named roll that is only examined"),
        }
    }
}

/// The words for the plain meaning.
const PLAIN: (&str, &str) = ("enumeration", "lists every collection and examines it");

/// What a method gives; none if it does not fit.
type Answer<T> = Result<Option<T>, Stop>;

/// How a method answers.
enum Run {
    /// One view.
    One(fn(&mut Desk<'_>, &Bunch, &View) -> Answer<Dist>),
    /// Several views together.
    All(fn(&mut Desk<'_>, &Bunch, &[View]) -> Answer<Joint>),
}

/// The methods in the order they are tried.
const METHODS: &[(Method, Run)] = &[
    (Method::Power, Run::One(algo::power::run)),
    (Method::Empty, Run::All(algo::joined::empty)),
    (Method::Extreme, Run::One(algo::extreme::run)),
    (Method::Keep, Run::One(algo::keep::run)),
    (Method::Faces, Run::All(algo::faces::run)),
    (Method::Folds, Run::All(algo::joined::folds)),
    (Method::Border, Run::One(algo::threshold::run)),
    (Method::Reduce, Run::All(algo::joined::reduce)),
];

/// What a method has found.
enum Found {
    One(Dist),
    All(Joint),
}

/// What every part of a computation needs: the budget, the options, the wanted precision.
pub(crate) struct Desk<'a> {
    pub(crate) budget: Budget,
    pub(crate) options: &'a Options,
    /// Unlisted mass of a solved loop is below two to the minus this.
    pub(crate) precision: u64,
    /// What was done so far, for those who want to know.
    pub(crate) record: Record,
    /// What rounding has cost, where it is allowed.
    pub(crate) rounding: Option<Rounding>,
}

/// A way to look at a collection.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) stages: Vec<Stage>,
    pub(crate) goal: Goal,
}

/// Where a view ends.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// In a fold of this row.
    Fold(&'static Prim),
    /// In the members themselves.
    Members,
}

/// A joint distribution: one outcome per view.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) den: UBig,
    pub(crate) items: Vec<(Vec<Outcome>, UBig)>,
}

impl Joint {
    /// From weights that add up to `den`.
    pub(crate) fn new(weights: HashMap<Vec<Outcome>, UBig>, den: UBig) -> Joint {
        let items: Vec<_> = weights.into_iter().filter(|(_, weight)| !weight.is_zero()).collect();
        debug_assert_eq!(items.iter().map(|(_, weight)| weight).sum::<UBig>(), den, "mass is kept");
        Joint { den, items }
    }

    /// The distribution of the only view.
    fn single(self) -> Dist {
        let only = |(mut outcomes, weight): (Vec<Outcome>, UBig)| (outcomes.pop().unwrap_or(Outcome::Unknown), weight);
        Dist::listed(self.items.into_iter().map(only).collect(), self.den)
    }
}

impl From<Dist> for Joint {
    fn from(dist: Dist) -> Joint {
        Joint {
            den: dist.den,
            items: dist.items.into_iter().map(|(outcome, weight)| (vec![outcome], weight)).collect(),
        }
    }
}

impl View {
    /// What the view shows of a whole collection: its meaning.
    pub(crate) fn apply(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let mut seen = pool.clone();
        for stage in &self.stages {
            seen = outcome::apply(stage.row, &stage.with(&seen), budget)?;
        }
        match self.goal {
            Goal::Fold(row) => outcome::apply(row, &[seen], budget),
            Goal::Members => Ok(seen),
        }
    }
}

impl Desk<'_> {
    /// The term that is worked on from now on.
    pub(crate) fn work_on(&mut self, term: TermId, span: Span) {
        self.record.at = span;
        if let Some(rounding) = &mut self.rounding {
            rounding.at(term);
        }
    }

    /// Whether a method may be used.
    pub(crate) fn allows(&self, method: Method) -> bool {
        !self.options.without.contains(&method)
    }

    /// The joint distribution of what the views show.
    pub(crate) fn joint(&mut self, bunch: &Bunch, views: &[View]) -> Result<Joint, Stop> {
        Ok(match self.found(bunch, views)? {
            Found::One(dist) => dist.into(),
            Found::All(joint) => joint,
        })
    }

    /// The distribution of what one view shows.
    fn single(&mut self, bunch: &Bunch, goal: Goal) -> Result<Dist, Stop> {
        Ok(match self.found(bunch, &[View { stages: vec![], goal }])? {
            Found::One(dist) => dist,
            Found::All(joint) => joint.single(),
        })
    }

    fn found(&mut self, bunch: &Bunch, views: &[View]) -> Result<Found, Stop> {
        let views: Vec<View> = views
            .iter()
            .map(|view| View {
                stages: bunch.stages.iter().chain(&view.stages).cloned().collect(),
                goal: view.goal.clone(),
            })
            .collect();
        if algo::across::second(&bunch.stages).is_some() {
            return algo::across::run(self, bunch, &views).map(Found::All);
        }
        if let Some(joint) = round::sum(self, bunch, &views)? {
            return Ok(Found::All(joint));
        }
        let since = self.record.mark(self.budget.used());
        let (method, answer) = self.answered(bunch, &views);
        let found = answer.map_err(|stop| cost::refused(stop, method, bunch, &views, &self.budget))?;
        self.probe(bunch, &views, &found)?;
        let found = self.completed(found, bunch, &views)?;
        self.record.tell(since, self.budget.used(), || {
            let (name, does) = method.map_or(PLAIN, Method::words);
            let expected = cost::of(method, bunch, &views);
            (words::question(bunch, &views), method, format!("{name}: {does}"), expected)
        });
        Ok(found)
    }

    /// The same with what can be known of kept dice that are not listed, whatever the method.
    fn completed(&mut self, found: Found, bunch: &Bunch, views: &[View]) -> Result<Found, Stop> {
        let mut dist = match (found, views) {
            (Found::One(dist), [_]) => dist,
            (Found::All(joint), [view]) if view.stages.len() == 1 => joint.single(),
            (found, _) => return Ok(found),
        };
        tailed::complete_kept(&mut dist, bunch, &views[0], &mut self.budget)?;
        Ok(Found::One(dist))
    }

    /// The answer of the first method that fits, and which one that is; none is the plain one.
    fn answered(&mut self, bunch: &Bunch, views: &[View]) -> (Option<Method>, Result<Found, Stop>) {
        for (method, run) in METHODS {
            if !self.allows(*method) {
                continue;
            }
            let answer = match (run, views) {
                (Run::One(run), [view]) => run(self, bunch, view).map(|found| found.map(Found::One)).transpose(),
                (Run::One(_), _) => None,
                (Run::All(run), views) => run(self, bunch, views).map(|found| found.map(Found::All)).transpose(),
            };
            if let Some(answer) = answer {
                return (Some(*method), answer);
            }
        }
        (None, algo::plain::run(self, bunch, views).map(Found::All))
    }

    /// Checks an answer against its question modulo a prime, if that was asked for.
    fn probe(&mut self, bunch: &Bunch, views: &[View], found: &Found) -> Result<(), Stop> {
        let Some(probe) = self.options.probe else { return Ok(()) };
        let agrees = match found {
            Found::One(dist) => probe::agrees(probe, bunch, views, &dist.clone().into()),
            Found::All(joint) => probe::agrees(probe, bunch, views, joint),
        };
        match agrees {
            Some(true) => self.record.agreed += 1,
            None => self.record.unprobed += 1,
            Some(false) => {
                let question = words::question(bunch, views);
                let message = format!("internal error: this answer fails a check modulo a prime: {question}");
                return Err(Fault::mistake(message).into());
            }
        }
        Ok(())
    }

    /// Tells of work that is no question about a collection; the closure says what and how.
    pub(crate) fn tell(&mut self, since: Mark, told: impl FnOnce() -> (String, String)) {
        self.record.tell(since, self.budget.used(), || {
            let (what, how) = told();
            (what, None, how, None)
        });
    }

    /// The distribution of a fold.
    pub(crate) fn fold(&mut self, bunch: &Bunch, row: &'static Prim) -> Result<Dist, Stop> {
        self.single(bunch, Goal::Fold(row))
    }

    /// The distribution of the members, as a collection or as the list it is.
    pub(crate) fn members(&mut self, bunch: &Bunch) -> Result<Dist, Stop> {
        let members = self.single(bunch, Goal::Members)?;
        if !bunch.list {
            return Ok(members);
        }
        let as_list = |outcome: &Outcome| match outcome {
            Outcome::Known(value) => Outcome::Known(Value::list(outcome::chunk(value).unwrap_or(&[]).to_vec())),
            other => other.clone(),
        };
        members.map(&mut self.budget, |outcome, _| Ok(as_list(outcome)))
    }

    /// A law with all its outcomes known.
    pub(crate) fn settle(&mut self, law: &Law) -> Result<Rc<Dist>, Stop> {
        law.settled(|| self.listed(law))
    }

    /// The same for a law that is not needed any more; it is copied only if others hold it.
    pub(crate) fn settle_owned(&mut self, law: Rc<Law>) -> Result<Dist, Stop> {
        match Rc::try_unwrap(law) {
            Ok(law) if law.lazy.is_empty() => Ok(Dist { den: law.den, items: law.known }),
            Ok(law) => self.listed(&law),
            Err(law) => self.settle(&law).map(|dist| Dist::clone(&dist)),
        }
    }

    fn listed(&mut self, law: &Law) -> Result<Dist, Stop> {
        if law.lazy.is_empty() {
            return Ok(Dist { den: law.den.clone(), items: law.known.clone() });
        }
        let mut parts: Vec<(UBig, Dist)> = Vec::new();
        for (bunch, weight) in &law.lazy {
            parts.push((weight.clone(), self.members(bunch)?));
        }
        for (outcome, weight) in &law.known {
            parts.push((weight.clone(), Dist::one(outcome.clone())));
        }
        let views: Vec<(UBig, &Dist)> = parts.iter().map(|(weight, dist)| (weight.clone(), dist)).collect();
        Dist::mix(&views, &law.den, &mut self.budget)
    }
}
