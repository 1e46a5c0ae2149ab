//! Which question goes to which method.
//!
//! Closed forms that win by a factor wherever they fit are tried first. Of the others the one with the lowest
//! [price](crate::price) answers; what costs far too much by any of them is refused before it starts. The plain
//! meaning, which lists every collection, fits everything.

use crate::algo::{METHODS, across, plain};
use crate::dist::Dist;
use crate::explain::Explanation;
use crate::law::{Bunch, Law, Source};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{self, Outcome, Stop};
use crate::price::collections;
use crate::question::{Goal, Joint, Question, View};
use crate::{probe, refusal, round, tailed, words};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::Prim;
use tumble_core::sort;
use tumble_core::{Budget, Fault, Value};

/// Where there are fewer collections than this, nothing is gained by comparing prices.
const LITTLE: f64 = 1000.0;

impl Explanation {
    /// The methods that answered, each once.
    pub fn methods(&self) -> Vec<&'static Method> {
        let used = |method: &&Method| self.lines.iter().any(|line| line.method == Some(method.name));
        METHODS.into_iter().filter(used).collect()
    }
}

impl Desk<'_> {
    /// The joint distribution of what the views show.
    pub(crate) fn joint(&mut self, bunch: &Bunch, views: &[View]) -> Result<Joint, Stop> {
        Ok(self.found(bunch, views)?.into())
    }

    /// The distribution of what one view shows.
    fn single(&mut self, bunch: &Bunch, goal: Goal) -> Result<Dist, Stop> {
        match self.found(bunch, &[View { stages: vec![], goal }])? {
            Found::One(dist) => Ok(dist),
            Found::All(joint) => joint.single(),
        }
    }

    fn found(&mut self, bunch: &Bunch, views: &[View]) -> Result<Found, Stop> {
        let after = |view: &View| View {
            stages: bunch.stages.iter().chain(&view.stages).cloned().collect(),
            goal: view.goal.clone(),
        };
        let views: Vec<View> = views.iter().map(after).collect();
        if across::second(&bunch.stages).is_some() {
            return across::run(self, bunch, &views).map(Found::All);
        }
        let question = Question::new(bunch, &views);
        if let Some(joint) = round::sum(self, &question)? {
            return Ok(Found::All(joint));
        }
        let since = self.record.mark(self.budget.used());
        let (method, found) = self.answered(&question)?;
        self.probe(&question, &found)?;
        let found = self.completed(found, &question)?;
        self.record.tell(since, self.budget.used(), || {
            let expected = method.row().and_then(|row| (row.price)(&question)).map(|price| price.told());
            (words::question(&question), Some(method.name), format!("{}: {}", method.name, method.does), expected)
        });
        Ok(found)
    }

    /// The same with what can be known of kept dice that are not listed, whatever the method.
    fn completed(&mut self, found: Found, question: &Question<'_>) -> Result<Found, Stop> {
        let Some(view) = question.view() else { return Ok(found) };
        let mut dist = match found {
            Found::One(dist) => dist,
            Found::All(joint) if view.stages.len() == 1 => joint.single()?,
            found => return Ok(found),
        };
        tailed::complete_kept(&mut dist, question.bunch, |dice| view.kept(dice), &mut self.budget)?;
        Ok(Found::One(dist))
    }

    /// The answer, and whose it is.
    fn answered(&mut self, question: &Question<'_>) -> Result<(&'static Method, Found), Stop> {
        let mut open: Vec<(&'static Method, Row)> = Vec::new();
        for method in METHODS.into_iter().filter(|method| !self.without.contains(method)) {
            match method.answers {
                Answers::First(row) => {
                    if let Some(found) = self.run(question, method, row)? {
                        return Ok((method, found));
                    }
                }
                Answers::Cheapest(row) => open.push((method, row)),
                Answers::None => {}
            }
        }
        open.extend(plain::METHOD.row().map(|row| (&plain::METHOD, row)));
        if worth_comparing(question) {
            open = self.by_price(question, open)?;
        }
        for (method, row) in open {
            if let Some(found) = self.run(question, method, row)? {
                return Ok((method, found));
            }
        }
        Err(Stop::mistake("the plain meaning fits everything"))
    }

    fn run(&mut self, question: &Question<'_>, method: &'static Method, row: Row) -> Result<Option<Found>, Stop> {
        let found = (row.run)(self, question);
        found.map_err(|stop| refusal::refused(stop, question, method, (row.price)(question), &self.budget))
    }

    /// Those that fit, the cheapest first; a refusal if even that is far too much.
    fn by_price(
        &self,
        question: &Question<'_>,
        open: Vec<(&'static Method, Row)>,
    ) -> Result<Vec<(&'static Method, Row)>, Stop> {
        let mut priced: Vec<_> = open.into_iter().filter_map(|of| Some(((of.1.price)(question)?, of))).collect();
        sort::by(&mut priced, |(a, _), (b, _)| a.steps.total_cmp(&b.steps));
        match priced.first() {
            Some((price, (method, _))) => refusal::hopeless(question, method, *price, &self.budget)?,
            None => return Err(Stop::mistake("the plain meaning has a price")),
        }
        Ok(priced.into_iter().map(|(_, of)| of).collect())
    }

    /// Checks an answer against its question modulo a prime, if that was asked for.
    fn probe(&mut self, question: &Question<'_>, found: &Found) -> Result<(), Stop> {
        let Some(probe) = self.probe else { return Ok(()) };
        let agrees = match found {
            Found::One(dist) => probe::agrees(probe, question, &dist.clone().into()),
            Found::All(joint) => probe::agrees(probe, question, joint),
        };
        match agrees {
            Some(true) => self.record.agreed += 1,
            None => self.record.unprobed += 1,
            Some(false) => {
                let question = words::question(question);
                let message = format!("internal error: this answer fails a check modulo a prime: {question}");
                return Err(Fault::mistake(message).into());
            }
        }
        Ok(())
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
        let as_list = |outcome: &Outcome, _: &mut Budget| match outcome {
            Outcome::Known(value) => match outcome::chunk(value) {
                Some(members) => Ok(Outcome::Known(Value::list(members.to_vec()))),
                None => Err(Stop::mistake("a list of what is no collection")),
            },
            other => Ok(other.clone()),
        };
        members.map(&mut self.budget, as_list)
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

/// Whether all is listed, so that all methods tell the same, and there is more than a little of it. What loops give shows
/// only on the way, and of what is not listed the first in the table tells most.
fn worth_comparing(question: &Question<'_>) -> bool {
    let known = question.bunch.parts.iter().all(|part| match &part.source {
        Source::Each(dist) => dist.items.iter().all(|(pool, _)| pool.known().is_some()),
        Source::Chain(_) | Source::Deck(_) => false,
    });
    known && collections(question.bunch).is_some_and(|lists| lists >= LITTLE)
}
