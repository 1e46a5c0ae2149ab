//! The hidden pools among the variables of a state: who may reveal them, and what becomes of them.
//!
//! A pool belongs to the state in whose variables it is. Terms that look at it together with others only borrow it:
//! what they need to know is revealed by the state, which is split by it. A term that alone looks at a pool owns
//! it, and may ask for the distribution of what it sees.

use super::flow::Leaving;
use super::pure::Lends;
use super::state::{Arrival, Place, State, Walk, lost_track, owned, owned_by};
use super::values::Combinations;
use super::{Env, Machine, Then, Values};
use crate::fraction::lcm;
use crate::hidden::{Hidden, Owner};
use crate::law::{Bunch, Law};
use crate::outcome::{Need, Outcome, Stop};
use crate::prepare::Form;
use dashu_int::UBig;
use std::borrow::Cow;
use std::rc::Rc;
use tumble_core::prim::{Shape, Sort};
use tumble_core::{Slot, TermId, Value};

/// A variable, and what its pool can reveal in how many ways.
type Parts = (Slot, Vec<(UBig, Hidden)>);

impl<'a> Machine<'a> {
    /// Whether pools that belong to a term are looked at by several of the terms inside it.
    pub(super) fn shares(&self, term: TermId, env: &Values) -> bool {
        self.plan.shared[term.index()].iter().any(|slot| owned(env, slot))
    }

    /// Whether a term has no chance in it, and nothing hidden that only it looks at.
    pub(super) fn is_pure_in(&self, term: TermId, env: &Values) -> bool {
        let owned = |slot: &Slot| match &env[slot.index()] {
            Some(Outcome::Pool(pool)) => {
                pool.shared.is_empty()
                    && !self.plan.shared[term.index()].contains(slot)
                    && (!pool.is_tied() || self.only_stream(term, env).is_some())
            }
            _ => false,
        };
        self.plan.pure[term.index()] && !self.plan.free[term.index()].iter().any(owned)
    }

    /// The variables for the terms inside one, of which some pools are lent.
    pub(super) fn lent(&self, term: TermId, env: &Env) -> Env {
        self.lends(term, env).to(env, &self.plan.free[term.index()])
    }

    /// What the terms inside one borrow: pools that several of them look at belong to none of them.
    pub(super) fn lends(&self, term: TermId, env: &Values) -> Lends<'a> {
        let plan = self.plan;
        self.lends_also((&plan.shared[term.index()], &plan.passes[term.index()]), term, env)
    }

    /// The same for the arguments of a call at the end. A pool that is made into another one for the call alone is lent to
    /// it as well: what must be known for that is revealed by the state, and the rest stays hidden.
    pub(super) fn lends_to_call(&self, call: TermId, env: &Values) -> Lends<'a> {
        let plan = self.plan;
        plan.call_lends
            .get(&call)
            .map_or_else(|| self.lends(call, env), |(slots, passes)| self.lends_also((slots, passes), call, env))
    }

    /// These pools, and those that are given and not read by one stream alone.
    fn lends_also(&self, (slots, passes): (&'a [Slot], &'a [Slot]), term: TermId, env: &Values) -> Lends<'a> {
        let given = |slot: &&Slot| match &env[slot.index()] {
            Some(Outcome::Pool(pool)) => pool.is_tied() && !self.reads_alone(term, **slot, env),
            _ => false,
        };
        let mut slots = Cow::Borrowed(slots);
        for slot in self.plan.free[term.index()].iter().filter(given) {
            slots.to_mut().push(*slot);
        }
        Lends::Some { at: self.at, slots, passes }
    }

    /// What rows around a collection need that several looks at one pool make (`sum (x drop {max x, min x})`): known before
    /// the rows are asked for, it leaves the rest of the pool in independent parts, where by itself it would be listed.
    pub(super) fn look_first(&mut self, term: TermId, env: &Env) -> Result<(), Stop> {
        let (plan, mut here) = (self.plan, term);
        while let Form::Core(core) = plan.form(here)
            && let Some((row, args)) = core.row()
        {
            let shared = &plan.shared[here.index()];
            let shares = shared.iter().any(|slot| owned(env, slot));
            let alone = plan.free[here.index()].iter().any(|slot| owned(env, slot) && !shared.contains(slot));
            if shares && (alone || here == term || row.gives != Sort::Pool || !plan.pure[here.index()]) {
                return Ok(());
            }
            if shares {
                let looked = self.computed(here, &self.lent(here, env));
                return looked
                    .map_or_else(|stop| if let Stop::Need(_) = stop { Err(stop) } else { Ok(()) }, |_| Ok(()));
            }
            let Some(looking) = args.iter().find(|arg| self.looks_at_own(**arg, env)) else { return Ok(()) };
            here = *looking;
        }
        Ok(())
    }

    /// Whether one stream is all that looks at a variable inside a term.
    fn reads_alone(&self, term: TermId, slot: Slot, env: &Values) -> bool {
        let mut alone = !self.plan.is_variable(term, slot);
        self.plan.form(term).children(|child| {
            alone &= !self.plan.free[child.index()].contains(&slot) || self.only_stream(child, env).is_some();
        });
        alone
    }

    /// The variables for the arguments of a call that is not at the end: who owns what it takes parts of reveals it.
    pub(super) fn lent_to_call(&self, call: TermId, env: &Env) -> Env {
        let env = self.lent(call, env);
        let Some((taken, _)) = self.plan.call_lends.get(&call) else { return env };
        if !taken.iter().any(|slot| owned(&env, slot)) {
            return env;
        }
        let mut slots = Vec::clone(&env);
        for slot in taken {
            if let Some(Outcome::Pool(pool)) = &mut slots[slot.index()]
                && pool.shared.is_empty()
                && let Some(walk) = self.owner(slot, pool)
            {
                *pool = pool.lent_by((walk, *slot));
                pool.passes = true;
            }
        }
        Rc::new(slots)
    }

    /// The walk whose current state owns this pool of a variable, if it is no call's own.
    fn owner(&self, slot: &Slot, pool: &Hidden) -> Option<u32> {
        for frame in self.frames.iter().rev() {
            match &frame.then {
                Then::Step(walk) => {
                    let own =
                        |state: &&State| matches!(&state.env[slot.index()], Some(Outcome::Pool(own)) if own == pool);
                    return walk.current().filter(own).map(|_| walk.id);
                }
                Then::Return(_) => return None,
                _ => {}
            }
        }
        None
    }

    /// Splits the current state by what one of its pools can reveal.
    pub(super) fn reveal(&mut self, walk: &mut Walk, need: &Need) -> Result<(), Stop> {
        let Some(state) = walk.current() else { return Err(lost_track()) };
        let State { place, ref env, distance } = *state;
        let env = env.clone();
        let Some((slot, parts)) = self.parts(state, need)? else {
            // All that is its own is known: it is for the others to tell.
            let others = need.owners.iter().filter(|owner| !owned_by(&env, owner, self.at)).copied();
            return Err(Stop::Need(Need { owners: others.collect(), faces: need.faces.clone() }));
        };
        let mut leaving = Leaving::new(UBig::ONE, mass(&env));
        for (ways, part) in parts {
            let mut slots = Vec::clone(&env);
            slots[slot.index()] = Some(part.outcome());
            let weight = (ways, mass(&slots));
            self.arrive(walk, &mut leaving, Arrival { place, slots, distance }, weight)?;
        }
        walk.close(leaving);
        Ok(())
    }

    /// A pool that a call took over may not be a part of the result as well, unless it is known: what is hidden in it
    /// has to do with what the call gave.
    pub(super) fn uncorrelated(&self, term: TermId, law: &Law) -> Result<(), Stop> {
        let taken = |(walk, slot): &Owner| *walk == self.at && self.plan.passes[term.index()].contains(slot);
        for (outcome, _) in &law.known {
            if let Outcome::Pool(pool) = outcome
                && pool.shared.iter().any(taken)
            {
                pool.all_known()?;
            }
        }
        Ok(())
    }

    /// What the first of the pools that can tell more reveals.
    fn parts(&mut self, state: &State, need: &Need) -> Result<Option<Parts>, Stop> {
        let State { place, env, .. } = state;
        for (_, slot) in need.owners.iter().filter(|owner| owned_by(env, owner, self.at)) {
            if let Some((first, faces)) = self.in_step(state, need, *slot)
                && let Some(Outcome::Pool(pool)) = &env[first.index()]
            {
                return Ok(Some((first, pool.revealed(&faces, None, &mut self.desk.budget)?)));
            }
            let Some(Outcome::Pool(pool)) = &env[slot.index()] else { continue };
            let asked = pool.places(|face| need.faces.contains(face));
            let later = self.asks_at_all(*place, *slot, env, pool);
            let later = later.as_ref().map(|later| &later.faces);
            let parts = pool.revealed(&asked, later, &mut self.desk.budget)?;
            if parts.iter().any(|(_, part)| part != pool) {
                return Ok(Some((*slot, parts)));
            }
        }
        Ok(None)
    }

    /// The outcomes of a value that is bound; a collection that can stay hidden does.
    pub(super) fn outcomes(&mut self, value: &Law) -> Result<(UBig, Vec<(Outcome, UBig)>), Stop> {
        if !value.lazy.is_empty() && self.desk.allows(&crate::method::REWRITING) {
            let mut all: Vec<(Outcome, UBig, UBig)> =
                value.known.iter().map(|(outcome, weight)| (outcome.clone(), weight.clone(), UBig::ONE)).collect();
            let mut fits = true;
            for (bunch, weight) in &value.lazy {
                let Some(pools) = self.hide(bunch)? else {
                    fits = false;
                    break;
                };
                let whole: UBig = pools.iter().map(|(ways, pool)| ways * pool.mass()).sum();
                for (ways, pool) in pools {
                    all.push((pool.clone().outcome(), weight * ways * pool.mass(), whole.clone()));
                }
            }
            if fits {
                let shared = all.iter().fold(UBig::ONE, |shared, (.., den)| lcm(&shared, den));
                let items = all.into_iter().map(|(outcome, weight, den)| (outcome, weight * (&shared / den)));
                return Ok((&value.den * &shared, items.collect()));
            }
        }
        let dist = self.desk.settle(value)?;
        Ok((dist.den.clone(), dist.items.clone()))
    }

    /// A collection in parts as hidden pools, its waiting rows applied; none if it is better listed.
    pub(super) fn hide(&mut self, bunch: &Bunch) -> Result<Option<Vec<(UBig, Hidden)>>, Stop> {
        let few = |shape: &Shape| matches!(shape, Shape::Scan(scan) if scan.reduces);
        if bunch.stages.iter().any(|stage| few(&stage.row.shape)) {
            return Ok(None);
        }
        let plain = Bunch { stages: vec![], ..bunch.clone() };
        let Some(hidden) = Hidden::of(&plain) else { return Ok(None) };
        if bunch.stages.is_empty() {
            return Ok(Some(vec![(UBig::ONE, hidden)]));
        }
        Ok(None)
    }

    /// Binds variables. A pool that is made of others takes their place; if those matter as well, it must be known.
    pub(super) fn fill(
        &self,
        slots: &mut [Option<Outcome>],
        env: &Values,
        place: Place,
        names: &[Slot],
        seen: &[Outcome],
    ) -> Result<(), Stop> {
        for (i, (slot, outcome)) in names.iter().zip(seen).enumerate() {
            let Outcome::Pool(pool) = outcome else {
                slots[slot.index()] = Some(outcome.clone());
                continue;
            };
            // What others have lent goes on belonging to them.
            if !pool.shared.is_empty() && !pool.shared.iter().any(|owner| owned_by(env, owner, self.at)) {
                slots[slot.index()] = Some(Outcome::Pool(pool.still_lent()));
                continue;
            }
            let live = &self.live(place);
            let used = |made_of: &Owner| {
                let again = |other: &Outcome| matches!(other, Outcome::Pool(other) if other.shared.contains(made_of));
                let lent = !owned_by(env, made_of, self.at);
                let replaced = names.contains(&made_of.1);
                lent || (live.contains(&made_of.1) && !replaced)
                    || seen.iter().enumerate().any(|(j, other)| j != i && again(other))
            };
            if pool.shared.iter().any(used) {
                slots[slot.index()] = Some(Outcome::Known(pool.all_known()?));
                continue;
            }
            slots[slot.index()] = Some(Outcome::Pool(pool.owned()));
        }
        Ok(())
    }

    /// All combinations of arguments, as those of a call; see [`hand_over`].
    pub(super) fn arguments_of(&mut self, laws: &[Rc<Law>], env: Option<&Values>) -> Result<Combinations, Stop> {
        let (den, mut all) = self.all_hidden(laws)?;
        for (args, _) in &mut all {
            hand_over(args, env, self.at)?;
        }
        Ok((den, all))
    }

    /// All combinations of outcomes, in which pools stay hidden.
    pub(super) fn all_hidden(&mut self, laws: &[Rc<Law>]) -> Result<Combinations, Stop> {
        let mut all = vec![(Vec::with_capacity(laws.len()), UBig::ONE)];
        let mut den = UBig::ONE;
        for law in laws {
            let (own, items) = self.outcomes(law)?;
            let ways = all.len() as u64 * items.len() as u64;
            self.desk.budget.step(2 * ways)?;
            self.affordable(ways)?;
            let mut longer = Vec::with_capacity(all.len() * items.len());
            for (so_far, weight) in &all {
                for (outcome, w) in &items {
                    let mut next: Vec<Outcome> = Vec::clone(so_far);
                    next.push(outcome.clone());
                    longer.push((next, weight * w));
                }
            }
            all = longer;
            den *= own;
        }
        Ok((den, all))
    }
}

/// Arguments that become those of a call. A pool that only it is made of belongs to the call from now on; at the end of a
/// function (`env`) that must be so. Others are lent to it.
pub(super) fn hand_over(args: &mut [Outcome], env: Option<&Values>, at: u32) -> Result<(), Stop> {
    for i in 0..args.len() {
        let Outcome::Pool(pool) = &args[i] else { continue };
        let again = |owner: &Owner| {
            let made_of = |other: &Outcome| matches!(other, Outcome::Pool(other) if other.shared.contains(owner));
            args.iter().enumerate().any(|(j, other)| j != i && made_of(other))
        };
        let own = |owner: &Owner| env.is_some_and(|env| owned_by(env, owner, at));
        let takes = match env {
            Some(_) => pool.shared.iter().all(own),
            None => pool.passes || pool.shared.is_empty(),
        };
        args[i] = match takes && !pool.shared.iter().any(again) {
            true => Outcome::Pool(pool.owned()),
            false if pool.shared.iter().any(own) => Outcome::Known(pool.all_known()?),
            false => Outcome::Pool(pool.still_lent()),
        };
    }
    Ok(())
}

/// The mass of the pools that belong to these variables.
pub(super) fn mass(env: &[Option<Outcome>]) -> UBig {
    let pools = env.iter().filter_map(|value| match value {
        Some(Outcome::Pool(pool)) if pool.shared.is_empty() => Some(pool.mass()),
        _ => None,
    });
    pools.product()
}

pub(super) fn has_pools(env: &[Option<Outcome>]) -> bool {
    env.iter().any(|value| matches!(value, Some(Outcome::Pool(_))))
}

/// A result, in which the pools of a state that has ended are plain collections.
pub(super) fn given_up(env: &Values, law: &Rc<Law>, at: u32) -> Result<Rc<Law>, Stop> {
    let free = |outcome: &Outcome| match outcome {
        Outcome::Pool(pool) => pool.shared.iter().all(|owner| owned_by(env, owner, at)),
        _ => false,
    };
    if !law.known.iter().any(|(outcome, _)| free(outcome)) {
        return Ok(law.clone());
    }
    let (mut known, mut lazy) = (vec![], law.lazy.to_vec());
    for (outcome, weight) in &law.known {
        match outcome {
            Outcome::Pool(pool) if free(outcome) => lazy.push((Rc::new(pool.bunch()?), weight.clone())),
            _ => known.push((outcome.clone(), weight.clone())),
        }
    }
    Ok(Rc::new(Law::new(law.den.clone(), known, lazy)))
}

/// What the variables of a loop are together: the only one, or a tuple.
pub(super) fn state_of(env: &Values, slots: &[Slot], at: u32) -> Result<Outcome, Stop> {
    let value = |slot: &Slot| env[slot.index()].clone().unwrap_or(Outcome::Unknown);
    if let [slot] = slots {
        return Ok(value(slot));
    }
    let values: Vec<Outcome> = slots.iter().map(value).collect();
    if values.iter().any(|value| matches!(value, Outcome::Pool(_))) {
        return Err(whole(env, slots, at));
    }
    let known: Option<Vec<Value>> = values.iter().map(|value| value.known().cloned()).collect();
    Ok(known.map_or_else(|| Outcome::Several(values.into()), |known| Outcome::Known(Value::tuple(known))))
}

/// The variables for a value that is computed beside others: all pools belong to the state.
pub(super) fn all_lent(env: &Values, at: u32) -> Env {
    let lent = |(i, value): (usize, &Option<Outcome>)| match value {
        Some(Outcome::Pool(pool)) if pool.shared.is_empty() => Some(Outcome::Pool(pool.lent_by((at, Slot(i as u32))))),
        other => other.clone(),
    };
    Rc::new(env.iter().enumerate().map(lent).collect())
}

/// What must be revealed of the first pool among some variables.
pub(super) fn whole(env: &Values, slots: &[Slot], at: u32) -> Stop {
    let open = slots.iter().find_map(|slot| match &env[slot.index()] {
        Some(Outcome::Pool(pool)) if pool.shared.is_empty() => Some(pool.lent_by((at, *slot)).all_known()),
        Some(Outcome::Pool(pool)) => Some(pool.all_known()),
        _ => None,
    });
    open.and_then(Result::err).unwrap_or_else(lost_track)
}
