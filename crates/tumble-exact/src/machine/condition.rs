//! A look at a pool that is looked at again afterwards, by conditioning.
//!
//! ```text
//! w := max foreach i in 1..10 do count i=x; max foreach i in 1..10 do if w = (count i=x) then i else {}
//! ```
//!
//! The first look asks for every face, and the second one asks for them again: to remember them all is to list the pool.
//! Instead the first look is a fold over the faces (`fold`), an automaton that reads them from the top down, and the
//! program goes on once for each of its results, with a pool of which no more is known than that it gives this result
//! (`hidden/given.rs`).

use super::flow::Leaving;
use super::fold::{Fold, Members};
use super::pools::{all_lent, mass};
use super::state::{Arrival, Place, Walk, lost_track, owned};
use super::values::Numbers;
use super::{Env, Machine, Values};
use crate::hidden::{Hidden, Node, ways_to};
use crate::law::Law;
use crate::map::HashMap;
use crate::method::CONDITIONING;
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Form, Stream};
use crate::weight::bits;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::Rank;
use tumble_core::{Fault, Slot, Term, TermId, Value};

/// Faces that later looks ask for, up to which to remember them costs less.
const FEW_FACES: usize = 2;

/// A first look: what it is, what it binds, and where the program goes on.
struct First {
    stream: Rc<Stream>,
    /// The rows around it, from the inside out, up to the value that is bound.
    around: Vec<TermId>,
    names: Vec<Slot>,
    then: TermId,
    slot: Slot,
    pool: Hidden,
}

/// A pool read by an automaton: the nodes, and those at the end with their state.
struct Reading {
    nodes: Vec<Node>,
    ends: Vec<(usize, Outcome)>,
}

impl Machine<'_> {
    /// Goes on from the current state with every result of a first look.
    pub(super) fn condition(&mut self, walk: &mut Walk) -> Result<bool, Stop> {
        let Some(state) = walk.current() else { return Ok(false) };
        let (env, distance) = (state.env.clone(), state.distance);
        let Some(first) = self.first_look(state.place, &env) else { return Ok(false) };
        let since = self.desk.record.mark(self.desk.budget.used());
        let Some((members, rows)) = self.first_members(&first, &env)? else { return Ok(false) };
        let alone = |member: &Value| self.asks_itself(&first.stream, first.slot, &first.pool, member, &env);
        if !members.iter().all(alone) {
            return Ok(false);
        }
        let (slots, count) = (vec![first.slot], first.pool.count());
        let fold = Fold { stream: &first.stream, slots, rows, env: &env, count };
        let Some(reading) = self.read_pool(&fold, &first.pool, members)? else { return Ok(false) };
        let Some(results) = self.first_results(&first, &env, &reading)? else { return Ok(false) };
        self.desk.tell(since, || ("the results of a first look".into(), CONDITIONING.does.into()));
        let whole = first.pool.mass().clone();
        let nodes: Rc<[Node]> = reading.nodes.into();
        let mut leaving = Leaving::new(UBig::ONE, mass(&env));
        let (mut all, place) = (UBig::ZERO, Place::At(first.then));
        self.readings += 1;
        let reading = nodes.iter().map(|node| 1 + node.steps.len() as u64).sum::<u64>() * (1 + bits(&whole) / 32);
        for (i, (values, ends)) in results.into_iter().enumerate() {
            self.desk.budget.step(reading)?;
            let ways: Rc<[UBig]> = ways_to(&nodes, &ends).into();
            let weight = ways[0].clone();
            let mut slots = Vec::clone(&env);
            self.fill(&mut slots, &env, place, &first.names, &values)?;
            let pool = first.pool.given(&nodes, ways, (self.readings, i as u32));
            slots[first.slot.index()] = Some(Outcome::Pool(pool));
            all += &weight;
            let weight = (UBig::ONE, mass(&slots));
            self.arrive(walk, &mut leaving, Arrival { place, slots, distance }, weight)?;
        }
        if all != whole {
            return Err(Fault::mistake("internal error: the probabilities of a look do not add up to 1").into());
        }
        walk.close(leaving);
        Ok(true)
    }

    /// The first look at a place, if a pool is looked at there and later on.
    fn first_look(&self, place: Place, env: &Env) -> Option<First> {
        let Place::At(term) = place else { return None };
        let plan = self.plan;
        let (stream, around, names, then) = if let Some(stream) = plan.streams.get(&term) {
            let names = stream.chains.iter().map(|chain| chain.slot).collect();
            (stream.clone(), vec![], names, stream.then?)
        } else {
            let Form::Core(Term::Let { slots, value, body }) = plan.form(term) else { return None };
            let (stream, around) = self.only_stream(*value, env)?;
            (stream, around, slots.clone(), *body)
        };
        // Several variables that take a tuple apart are no chains.
        if names.len() != stream.chains.len() {
            return None;
        }
        let hidden = |slot: &&Slot| matches!(env[slot.index()], Some(Outcome::Pool(_)));
        let mut pools = plan.free[stream.body.index()].iter().filter(hidden);
        let (Some(slot), None) = (pools.next().copied(), pools.next()) else { return None };
        let Some(Outcome::Pool(pool)) = env[slot.index()].as_ref().filter(|_| owned(env, &slot)) else { return None };
        let uses = |term: &TermId| plan.free[term.index()].contains(&slot);
        if !uses(&then)
            || plan.asks_of(&stream, slot)
            || !plan.pure[stream.body.index()]
            || !self.desk.allows(&CONDITIONING)
        {
            return None;
        }
        pool.fresh()?;
        let asked = self.kept_by(then, slot, pool, &self.known_at(then, env), &mut vec![]);
        let few = |asked: &super::forget::Asked| asked.faces.iter().take(FEW_FACES + 1).count() <= FEW_FACES;
        if asked.is_some_and(|asked| asked.ranks.is_none() && few(&asked)) {
            return None;
        }
        let pool = pool.clone();
        Some(First { stream, around, names, then, slot, pool })
    }

    /// The only stream inside a term, if rows are all that is around it; and those rows.
    pub(super) fn only_stream(&self, value: TermId, env: &Values) -> Option<(Rc<Stream>, Vec<TermId>)> {
        let (plan, mut around, mut here) = (self.plan, vec![], value);
        loop {
            if let Some(stream) = self.streamed(here, env) {
                around.reverse();
                return stream.then.is_none().then(|| (stream.clone(), around));
            }
            around.push(here);
            let args = args_of(plan.form(here));
            here = *args.iter().find(|arg| self.looks_at_own(**arg, env))?;
            let plain = |arg: &TermId| plan.pure[arg.index()] && !self.looks_at_own(*arg, env);
            if !args.iter().all(|arg| *arg == here || plain(arg)) {
                return None;
            }
        }
    }

    /// Whether a term looks at a pool of the current state.
    pub(super) fn looks_at_own(&self, term: TermId, env: &Values) -> bool {
        self.plan.free[term.index()].iter().any(|slot| owned(env, slot))
    }

    fn first_members(&mut self, first: &First, env: &Env) -> Result<Option<Members>, Stop> {
        let stream = &first.stream;
        let lent = all_lent(env, self.at);
        let mut laws = vec![];
        if !self.stream_asks(stream, env).is_empty() {
            if self.looks_at_own(stream.pool, env) || !self.plan.pure[stream.pool.index()] {
                return Ok(None);
            }
            laws.push(Rc::new(Law::one(self.computed(stream.pool, &lent)?)));
        }
        self.fold_members(stream, env, &laws)
    }

    /// All ways through the faces of a pool, from the top down.
    fn read_pool(&mut self, fold: &Fold<'_>, pool: &Hidden, members: Vec<Value>) -> Result<Option<Reading>, Stop> {
        let Some(faces) = pool.fresh() else { return Ok(None) };
        let faces: Vec<&Value> = faces.iter().rev().map(|place| pool.face(place)).collect();
        let Ok(mut unit) = self.stream_unit(fold.stream, fold.env) else { return Ok(None) };
        // What no die can show is asked for too.
        for member in members.iter().filter(|member| fold.rows.is_none() && !faces.contains(member)) {
            unit = self.fold_fed(fold, member, &unit, (&[0], 1), &mut HashMap::default())?;
        }
        let mut seen = Numbers::new();
        let mut nodes = vec![Node { left: pool.clone(), steps: vec![] }];
        let mut layer = vec![(0, seen.of(unit))];
        for face in faces {
            let mut next: Vec<(usize, usize)> = vec![];
            let mut places: HashMap<(Hidden, usize), usize> = HashMap::default();
            let mut gives = HashMap::default();
            for (at, state) in layer {
                let left = nodes[at].left.clone();
                for (ways, shows, mut rest) in self.fold_split(std::slice::from_ref(&left), face)? {
                    let (here, count) = (shows[0], left.count());
                    let rank = Rank { below: count - here, here, above: fold.count - count };
                    let fed = members.binary_search(face).is_ok();
                    let stay = if fed { self.fold_stays(fold, face, rank)? } else { 0 };
                    let so_far = seen.all[state].clone();
                    let to = seen.of(self.fold_fed(fold, face, &so_far, (&shows, stay), &mut gives)?);
                    let left = rest.swap_remove(0);
                    let place = *places.entry((left.clone(), to)).or_insert_with(|| {
                        next.push((nodes.len(), to));
                        nodes.push(Node { left, steps: vec![] });
                        nodes.len() - 1
                    });
                    self.desk.budget.step(4 + bits(&ways) / 8)?;
                    nodes[at].steps.push((ways, here, place));
                }
                self.affordable(nodes.len() as u64)?;
            }
            layer = next;
        }
        let end = |(at, state): (usize, usize)| (at, seen.all[state].clone());
        Ok(Some(Reading { ends: layer.into_iter().map(end).collect(), nodes }))
    }

    /// What the look gives at each end, with the ends that give the same; none if that is not known.
    fn first_results(&mut self, first: &First, env: &Env, reading: &Reading) -> Result<Option<Results>, Stop> {
        let mut results: Numbers<Vec<Outcome>> = Numbers::new();
        let mut ends: Vec<Vec<usize>> = vec![];
        for (node, state) in &reading.ends {
            let shown = self.stream_shows(&first.stream, env, state)?;
            let values = match first.around.is_empty() {
                true => shown,
                false => vec![self.around(first, env, shown)?],
            };
            if !values.iter().all(|value| matches!(value, Outcome::Known(_))) {
                return Ok(None);
            }
            let place = results.of(values);
            ends.resize(ends.len().max(place + 1), vec![]);
            ends[place].push(*node);
        }
        Ok(Some(results.all.into_iter().zip(ends).collect()))
    }

    /// The value that rows make of what a stream shows.
    fn around(&mut self, first: &First, env: &Env, mut shown: Vec<Outcome>) -> Result<Outcome, Stop> {
        let plan = self.plan;
        let mut so_far = shown.swap_remove(0);
        for term in &first.around {
            let Form::Core(core) = plan.form(*term) else { return Err(lost_track()) };
            let Some((row, args)) = core.row() else { return Err(lost_track()) };
            let mut values = Vec::with_capacity(args.len());
            for arg in args {
                values.push(match self.looks_at_own(*arg, env) {
                    true => so_far.clone(),
                    false => self.computed(*arg, env)?,
                });
            }
            so_far = outcome::apply(row, &values, &mut self.desk.budget)?;
        }
        Ok(so_far)
    }
}

/// The arguments of a row.
fn args_of(form: &Form) -> &[TermId] {
    if let Form::Core(term) = form { term.row().map_or(&[], |(_, args)| args) } else { &[] }
}

/// What a look gives, and the nodes at which it gives that.
type Results = Vec<(Vec<Outcome>, Vec<usize>)>;
