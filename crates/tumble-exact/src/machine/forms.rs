//! The meaning of each form on laws.

use super::state::Ways;
use super::values::{Combinations, beyond, with};
use super::{Env, Job, Machine, Next, Then, Values};
use crate::algo::{pick, power};
use crate::dist::Dist;
use crate::law::{self, Bunch, Law, Part, Source, Stage};
use crate::outcome::{Outcome, Stop};
use crate::prepare::{Form, Watch, Watched};
use crate::question::View;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Code, Faces, Fault, Slot, Term, TermId, Value, chance};

/// What chains show is remembered for at most so many outcomes in all.
const MOST_SHOWN: usize = 100_000;

/// A question of chains: which binding asks, of which collection, with which arguments.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Shown {
    term: TermId,
    bunch: ByPlace,
    args: Vec<Outcome>,
}

/// A collection that is only equal to itself.
struct ByPlace(Rc<Bunch>);

impl PartialEq for ByPlace {
    fn eq(&self, other: &ByPlace) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ByPlace {}

impl std::hash::Hash for ByPlace {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

impl Machine<'_> {
    /// The law of a form that needs no other, if it is one.
    pub(super) fn leaf(&mut self, term: TermId, env: &Values) -> Result<Option<Law>, Stop> {
        Ok(match self.plan.form(term) {
            Form::Core(Term::Lit(value)) => Some(Law::one(Outcome::Known(value.clone()))),
            Form::Core(Term::Var(slot)) => match &env[slot.index()] {
                Some(Outcome::Failed(failure)) => return Err(Stop::Fault(Fault::clone(&failure.0))),
                Some(Outcome::Pool(pool)) if pool.shared.is_empty() => Some(Law::bunch(pool.bunch()?)),
                Some(outcome) => Some(Law::one(outcome.clone())),
                None => Some(Law::one(Outcome::Unknown)),
            },
            Form::Core(Term::Draw { faces: Faces::Weighted(faces) }) => {
                let mut pile = crate::dist::Pile::default();
                faces.iter().for_each(|(value, weight)| pile.add(Outcome::Known(value.clone()), &UBig::from(*weight)));
                let den: u64 = faces.iter().map(|(_, weight)| *weight).sum();
                Some(pile.over(UBig::from(den)).into())
            }
            _ => None,
        })
    }

    /// What a form that is no control flow asks for first.
    pub(super) fn open(&self, term: TermId, env: &Env) -> (Vec<Job>, Then) {
        let env = self.lent(term, env);
        let eval = |id: &TermId| Job::Eval(*id, env.clone());
        match self.plan.form(term) {
            Form::Total(terms) => (terms.iter().map(|(_, term)| eval(term)).collect(), Then::Apply),
            Form::Core(form) => match form {
                Term::Prim { args, .. } => (args.iter().map(eval).collect(), Then::Apply),
                Term::Call { args, .. } => {
                    let env = self.lent_to_call(term, &env);
                    (args.iter().map(|arg| Job::Eval(*arg, env.clone())).collect(), Then::Arguments)
                }
                Term::Draw { faces } => (face_terms(faces).iter().map(eval).collect(), Then::Draw),
                Term::Repeat { times, .. } => (vec![eval(times)], Then::Times(env)),
                Term::ForEach { pool, .. } => (vec![eval(pool)], Then::Each(env)),
                Term::Until { first, body, .. } => (vec![eval(first.as_ref().unwrap_or(body))], Then::Pass(env, None)),
                Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Loop { .. } => {
                    (vec![], Then::Apply)
                }
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => (vec![], Then::Apply),
            },
            Form::Watch(_) | Form::Joint { .. } | Form::Ahead { .. } | Form::Several(_) => (vec![], Then::Apply),
        }
    }

    /// What a form does with the laws it asked for.
    pub(super) fn resume(&mut self, term: TermId, then: Then, laws: Vec<Rc<Law>>) -> Result<Next, Stop> {
        let done = |law: Law| Next::Done(Rc::new(law));
        match then {
            Then::Step(walk) => self.stepped(walk, &laws),
            Then::Apply => self.apply(term, &laws).map(done),
            Then::Draw => self.draw(term, &laws).map(done),
            Then::Times(env) => self.times(term, &env, &laws[0]),
            Then::Copies(counts) => self.copies(term, &counts, &laws[0]).map(done),
            Then::Each(env) => self.each(term, &env, &laws[0]),
            Then::Bodies(pool, members) => self.bodies(term, &pool, &members, &laws).map(done),
            Then::Pass(env, first) => self.pass(term, env, first, &laws[0]),
            Then::Stops(env, first, pass) => self.stops(term, env, first, &pass, &laws),
            Then::Arguments => self.arguments(term, &laws),
            Then::Return(call) => self.returned(call, laws),
            Then::Mix(mixture) => self.mix(mixture, laws).map(Next::Done),
        }
    }

    /// Whether so many ways to go on can be held at once.
    pub(super) fn affordable(&self, ways: u64) -> Result<(), Stop> {
        const BYTES_EACH: u64 = 1000;
        self.fits(ways, ways.saturating_mul(BYTES_EACH))
    }

    /// Refuses so many ways if they take more room than there is.
    pub(super) fn fits(&self, ways: u64, bytes: u64) -> Result<(), Stop> {
        if bytes > self.desk.budget.limits().bytes {
            let message = format!("there are {ways} ways to continue from here, which is too many");
            return Err(Fault::limit(message)
                .hint("use fewer dice, or ask for less, such as a sum, a count, or the largest few")
                .into());
        }
        Ok(())
    }

    /// What the chains of a watched binding show.
    pub(super) fn watched(&mut self, term: TermId, env: &Env, source: &Law) -> Result<Ways, Stop> {
        let plan = self.plan;
        let Form::Watch(watch) = plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let views = self.chained(&watch.chains, env)?;
        let mut parts: Vec<(UBig, UBig, Result<Vec<Outcome>, Outcome>)> = Vec::new(); // share of den, its own den
        for (pool, weight) in &source.known {
            let seen = match pool.is_lost() {
                true => Err(pool.clone()),
                false => {
                    let seen = views.iter().map(|view| self.seen(view, pool)).collect::<Result<Vec<_>, _>>()?;
                    Ok(self.combined(watch, env, seen)?)
                }
            };
            parts.push((weight.clone(), UBig::ONE, seen));
        }
        for (bunch, weight) in &source.lazy {
            let shown = self.shown(term, env, &views, bunch)?;
            parts.extend(shown.1.iter().map(|(seen, w)| (w * weight, shown.0.clone(), Ok(seen.clone()))));
        }
        let mut shared = UBig::ONE;
        let mut last = &UBig::ONE;
        for (_, den, _) in &parts {
            if den != last {
                shared = crate::fraction::lcm(&shared, den);
                last = den;
            }
        }
        let scaled = |weight: UBig, den: &UBig| if *den == shared { weight } else { weight * (&shared / den) };
        let ways = parts.into_iter().map(|(weight, den, seen)| (seen, scaled(weight, &den))).collect();
        Ok(Ways { den: &source.den * &shared, slots: watch.slots(), ways }.bound(plan.linear[term.index()]))
    }

    /// What the body sees of what the chains show.
    fn combined(&mut self, watch: &Watch, env: &Env, seen: Vec<Outcome>) -> Result<Vec<Outcome>, Stop> {
        let Some(total) = &watch.total else { return Ok(seen) };
        let bound: Vec<(Slot, Outcome)> = watch.chains.iter().map(|chain| chain.slot).zip(seen).collect();
        Ok(vec![self.guarded(total.tree, &with(env, &bound))?])
    }

    /// The linear combination of the chains as one sum; none if there is none, or where it must be found in another way.
    fn one_sum(&mut self, watch: &Watch, views: &[Chained], bunch: &Bunch) -> Result<Option<Dist>, Stop> {
        let Some(total) = watch.total.as_ref().filter(|_| self.desk.allows(&power::METHOD)) else { return Ok(None) };
        let all = views.iter().zip(&total.factors).map(|(view, factor)| Some((*factor, view.as_ref().ok()?)));
        match all.collect::<Option<Vec<_>>>() {
            Some(terms) => power::combination(&mut self.desk, bunch, &terms, total.constant),
            None => Ok(None),
        }
    }

    /// What the chains show of a collection in parts, found out once for equal arguments.
    fn shown(
        &mut self,
        term: TermId,
        env: &Env,
        views: &[Chained],
        bunch: &Rc<Bunch>,
    ) -> Result<Rc<Combinations>, Stop> {
        let args = views.iter().flat_map(|view| match view {
            Ok(view) => view.stages.iter().flat_map(|stage| stage.args.iter().cloned().map(Outcome::Known)).collect(),
            Err(lost) => vec![lost.clone()],
        });
        let key = Shown { term, bunch: ByPlace(bunch.clone()), args: args.collect() };
        if let Some(shown) = self.shown.get(&key) {
            return Ok(shown.clone());
        }
        let plan = self.plan;
        let Form::Watch(watch) = plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let shown = match self.one_sum(watch, views, bunch)? {
            Some(total) => Rc::new((total.den, total.items.into_iter().map(|(n, weight)| (vec![n], weight)).collect())),
            None => {
                let (den, all) = self.seen_of_bunch(views, bunch)?;
                let all = all.into_iter().map(|(seen, weight)| Ok((self.combined(watch, env, seen)?, weight)));
                Rc::new((den, all.collect::<Result<_, Stop>>()?))
            }
        };
        // As with the memo: when it becomes too much, everything is forgotten.
        if self.shown.values().map(|shown| shown.1.len()).sum::<usize>() > MOST_SHOWN {
            self.shown.clear();
        }
        self.shown.insert(key, shown.clone());
        Ok(shown)
    }

    /// The chains of a watched binding with the values of their arguments.
    pub(super) fn chained(&mut self, chains: &[Watched], env: &Values) -> Result<Vec<Chained>, Stop> {
        let mut views = Vec::with_capacity(chains.len());
        for chain in chains {
            let mut stages = Vec::with_capacity(chain.rows.len());
            let mut lost = None;
            for (row, args) in &chain.rows {
                let mut values = Vec::with_capacity(args.len());
                for (i, arg) in args.iter().enumerate() {
                    match if i == row.over { Outcome::Known(Value::NOTHING) } else { self.guarded(*arg, env)? } {
                        Outcome::Known(value) => values.push(value),
                        failed @ Outcome::Failed(_) => lost = lost.or(Some(failed)),
                        other => lost = lost.or(Some(beyond(&[other])?)),
                    }
                }
                stages.push(Stage { row, args: values, against: None });
            }
            views.push(match lost {
                Some(lost) => Err(lost),
                None => Ok(View { stages, goal: chain.goal.clone() }),
            });
        }
        Ok(views)
    }

    /// What the chains show of a collection in parts. A chain that would fail, or that has an argument
    /// which is not known, shows that instead.
    fn seen_of_bunch(&mut self, views: &[Chained], bunch: &Bunch) -> Result<Combinations, Stop> {
        let nothing = Outcome::Known(Value::ints(&[]));
        let mut fixed: Vec<Option<Outcome>> = Vec::with_capacity(views.len());
        let mut good = Vec::new();
        for view in views {
            let seen = self.seen(view, &nothing)?;
            match view {
                // A middle is only asked of what has members.
                Ok(view) if middle(view) || !matches!(seen, Outcome::Failed(_)) => {
                    good.push(view.clone());
                    fixed.push(None);
                }
                _ => fixed.push(Some(seen)),
            }
        }
        if good.is_empty() {
            return Ok((UBig::ONE, vec![(fixed.into_iter().flatten().collect(), UBig::ONE)]));
        }
        let joint = self.desk.joint(bunch, &good)?;
        let whole = |seen: Vec<Outcome>| {
            let mut seen = seen.into_iter();
            let each = fixed.iter().map(|fixed| fixed.clone().or_else(|| seen.next()));
            each.collect::<Option<Vec<_>>>().ok_or_else(|| Stop::mistake("a view without an outcome"))
        };
        let items = joint.items.into_iter().map(|(seen, weight)| Ok((whole(seen)?, weight)));
        Ok((joint.den, items.collect::<Result<_, Stop>>()?))
    }

    /// What a chain shows of a known value; an error waits until it is used.
    fn seen(&mut self, view: &Chained, pool: &Outcome) -> Result<Outcome, Stop> {
        let view = match view {
            Ok(view) => view,
            Err(lost) => return Ok(lost.clone()),
        };
        match view.apply(pool, &mut self.desk.budget) {
            Err(Stop::Fault(fault)) if !matches!(fault.code, Code::Limit | Code::Stopped) => {
                Ok(Outcome::Failed(crate::outcome::Failure(Rc::new(fault))))
            }
            other => other,
        }
    }

    /// A draw: every face of every possible die.
    fn draw(&mut self, term: TermId, laws: &[Rc<Law>]) -> Result<Law, Stop> {
        let Form::Core(Term::Draw { faces }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        if self.desk.allows(&pick::METHOD) {
            let picked = match (faces, laws) {
                (Faces::Member { .. }, [pool]) => pick::one(pool, &mut self.desk.budget)?,
                (Faces::Members { .. }, [pool, count]) => pick::several(pool, count, &mut self.desk.budget)?,
                _ => None,
            };
            if let Some(law) = picked {
                return Ok(law);
            }
        }
        if let (Faces::Members { .. }, [pool, count]) = (faces, laws)
            && let (Some(pool), Some(Outcome::Known(count))) = (self.certain(pool)?, count.certain())
            && let members = chance::members(&pool)?
            // What is picked keeps its order.
            && (self.plan.blind[term.index()] || members.is_sorted())
        {
            let times = chance::picks(count, members.len())? as u64;
            self.desk.budget.step(members.len() as u64)?;
            return Ok(Law::bunch(Bunch::pool(vec![Part { times, source: Source::deck(runs(members)) }])));
        }
        let mut parts = Vec::new();
        for (args, weight) in self.combinations(laws)?.1 {
            let known = args.iter().map(|arg| arg.known().cloned()).collect::<Option<Vec<Value>>>();
            let law = match known {
                Some(values) => self.faces(faces, &values)?.into(),
                None => Law::one(beyond(&args)?),
            };
            parts.push((weight, law));
        }
        let den = parts.iter().map(|(weight, _)| weight).sum();
        Law::mix(parts, den, &mut self.desk.budget)
    }

    /// The only value of a law, also if its members are still in parts.
    fn certain(&mut self, law: &Law) -> Result<Option<Value>, Stop> {
        let fixed = |part: &Part| matches!(&part.source, Source::Each(dist) if dist.certain().is_some());
        if let ([], [(bunch, _)]) = (law.known.as_slice(), law.lazy.as_slice())
            && bunch.parts.iter().all(fixed)
        {
            return Ok(self.desk.settle(law)?.certain().and_then(Outcome::known).cloned());
        }
        Ok(law.certain().and_then(Outcome::known).cloned())
    }

    fn faces(&mut self, faces: &Faces, values: &[Value]) -> Result<Dist, Stop> {
        match faces {
            Faces::Range { .. } => {
                let size = chance::faces(&values[0], &values[1])?;
                if size.saturating_mul(100) > self.desk.budget.limits().bytes {
                    return Err(Fault::limit(format!("a die with {size} sides has too many outcomes to list")).into());
                }
                self.desk.budget.step(size.saturating_mul(10))?;
                let low = values[0].as_int().ok_or_else(|| Stop::mistake("a range of no numbers"))?;
                let items = (0..size).map(|i| (Outcome::int(low.wrapping_add_unsigned(i)), UBig::ONE)).collect();
                Ok(Dist { den: UBig::from(size), items })
            }
            Faces::Member { .. } => {
                let members = chance::some_members(&values[0])?;
                self.desk.budget.step(members.len() as u64)?;
                let mut pile = crate::dist::Pile::default();
                members.iter().for_each(|member| pile.add(Outcome::Known(member.clone()), &UBig::ONE));
                Ok(pile.over(UBig::from(members.len())))
            }
            Faces::Members { .. } => {
                let members = chance::members(&values[0])?;
                let count = chance::picks(&values[1], members.len())?;
                law::deals(&runs(members), count as u64, &mut self.desk.budget)
            }
            Faces::Weighted(_) => Err(Stop::Unsolvable),
        }
    }
}

/// Runs of equal neighbours: from each, how many are picked is all that can be seen.
fn runs(members: &[Value]) -> Vec<(Value, u64)> {
    let run = |run: &[Value]| (run[0].clone(), run.len() as u64);
    members.chunk_by(|a, b| a == b).map(run).collect()
}

fn middle(view: &View) -> bool {
    view.stages.iter().any(|stage| *stage.row == tumble_core::prim::MEDIAN)
}

/// The terms that say what a draw chooses from.
fn face_terms(faces: &Faces) -> Vec<TermId> {
    match faces {
        Faces::Range { lo, hi } => vec![*lo, *hi],
        Faces::Weighted(_) => vec![],
        Faces::Member { pool } => vec![*pool],
        Faces::Members { pool, count } => vec![*pool, *count],
    }
}

/// A chain with the values of its arguments, or what it shows if one of them is not known.
pub(super) type Chained = Result<View, Outcome>;
