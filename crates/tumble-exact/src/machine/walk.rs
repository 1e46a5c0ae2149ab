//! Control flow: the states a program goes through, merged.
//!
//! A state is a place in the program with the variables that are live there; hidden pools are among them. From each state
//! weighted steps lead to others: a binding continues with each outcome of its value, a choice with each branch, a call
//! at the end of a function with its body, a loop with each state after one more pass. A look that needs to know more of
//! a hidden pool than is known splits the state by what it can reveal. Equal states are one, so there are as many as
//! differ in what can still matter. Where it ends is the absorbing Markov chain of `flow`.

use super::flow::{Exit, Leaving};
use super::pools::{all_lent, given_up, has_pools, mass, state_of, whole};
use super::state::{Arrival, Place, State, Walk, Ways, Work, lost_track};
use super::{Env, Job, Machine, Next, Then};
use crate::algo::walk::flow::Flow;
use crate::dist::{Dist, Pile};
use crate::law::Law;
use crate::outcome::{Need, Outcome, Stop};
use crate::prepare::{Control, Form, Stream};
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Fault, Slot, Term, TermId};

impl Machine<'_> {
    /// Begins at a term.
    pub(super) fn walk_from(&mut self, term: TermId, env: Env) -> Result<Next, Stop> {
        self.walks += 1;
        let since = self.desk.record.mark(self.desk.budget.used());
        self.walk_on(Box::new(Walk::new(self.walks, Place::At(term), env, since)))
    }

    /// Goes on to the next state that asks for laws, or to the end.
    fn walk_on(&mut self, mut walk: Box<Walk>) -> Result<Next, Stop> {
        self.at = walk.id;
        loop {
            let Some(state) = walk.current() else {
                if let Some(law) = self.walked(&mut walk)? {
                    self.tell_states(&walk);
                    return self.as_fields(&walk, law).map(Next::Done);
                }
                // It leads back to where it was, with work around that: then its calls are equations.
                self.as_equations.extend(walk.work.all.iter().flatten().map(|work| work.0));
                walk = walk.anew(self.walks + 1);
                (self.walks, self.at) = (self.walks + 1, walk.id);
                continue;
            };
            let (place, env) = (state.place, state.env.clone());
            self.desk.budget.step(10)?;
            // Programs that need these are not in the everyday notation.
            if cfg!(feature = "full") && (self.peel(&mut walk)? || self.condition(&mut walk)?) {
                continue;
            }
            match self.ask(place, &env) {
                Ok(Some(jobs)) => return Ok(Next::More(jobs, Then::Step(walk))),
                Ok(None) => self.taken(&mut walk, &[])?,
                Err(Stop::Need(need)) if walk.owns(&need) => self.reveal(&mut walk, &need)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    /// The laws that the current state has asked for are known.
    pub(super) fn stepped(&mut self, mut walk: Box<Walk>, laws: &[Rc<Law>]) -> Result<Next, Stop> {
        self.at = walk.id;
        self.taken(&mut walk, laws)?;
        self.walk_on(walk)
    }

    /// Something in the current state must be revealed.
    pub(super) fn revealed(&mut self, mut walk: Box<Walk>, need: &Need) -> Result<Next, Stop> {
        self.at = walk.id;
        self.reveal(&mut walk, need)?;
        self.walk_on(walk)
    }

    /// Goes on from the current state; what must be known for that is revealed first.
    fn taken(&mut self, walk: &mut Walk, laws: &[Rc<Law>]) -> Result<(), Stop> {
        match self.step(walk, laws) {
            Err(Stop::Need(need)) if walk.owns(&need) => self.reveal(walk, &need),
            stepped => stepped,
        }
    }

    /// What a state asks for first; none if it can go on at once.
    fn ask(&mut self, place: Place, env: &Env) -> Result<Option<Vec<Job>>, Stop> {
        let plan = self.plan;
        let (term, child) = match place {
            Place::At(term) => {
                let mut first = vec![];
                if let Some(stream) = self.streamed(term, env) {
                    return Ok(Some(self.stream_asks(&stream, env)).filter(|jobs| !jobs.is_empty()));
                }
                if let Some((call, _)) = self.work_around(place, env)? {
                    return Ok(Some(self.arguments_asked(call, env)));
                }
                match plan.form(term) {
                    _ if self.is_pure_in(term, env) => return Ok(None),
                    Form::Ahead { .. } => return Ok(None),
                    Form::Several(slots) => return Err(whole(env, slots, self.at)),
                    Form::Watch(watch) => first.push(watch.source),
                    Form::Joint { source, .. } => first.push(*source),
                    Form::Core(Term::Let { value, .. }) => first.push(*value),
                    Form::Core(Term::If { test, .. }) => first.push(*test),
                    Form::Core(Term::Loop { slots, start, .. }) => match plan.fields_of(*start, slots.len()) {
                        Some(fields) if slots.len() > 1 => {
                            let env = all_lent(env, self.at);
                            return Ok(Some(fields.iter().map(|field| Job::Eval(*field, env.clone())).collect()));
                        }
                        _ => first.push(*start),
                    },
                    Form::Core(Term::Call { .. }) if self.goes_on(term) => {
                        return Ok(Some(self.arguments_asked(term, env)));
                    }
                    _ => {
                        self.look_first(term, env)?;
                        return Ok(Some(vec![Job::Plain(term, env.clone())]));
                    }
                }
                (term, first)
            }
            Place::Turn(_) if !cfg!(feature = "full") => return Err(lost_track()),
            Place::Turn(term) => {
                let Some(stream) = plan.streams.get(&term) else { return Err(lost_track()) };
                let Some((member, _)) = self.stream_turn(stream, &all_lent(env, self.at))? else { return Ok(None) };
                let mut slots = Vec::clone(env);
                slots[stream.slot.index()] = Some(Outcome::Known(member));
                return Ok(Some(vec![Job::Eval(stream.body, self.lent(stream.each, &Rc::new(slots)))]));
            }
            Place::Head(term) => match plan.form(term) {
                Form::Core(Term::Loop { test, .. }) => (term, vec![*test]),
                _ => return Err(lost_track()),
            },
            Place::Inside(of, term) => return Ok(self.ask_inside(of, term, env)),
        };
        let env = self.lent(term, env);
        Ok(Some(child.into_iter().map(|id| Job::Eval(id, env.clone())).collect()))
    }

    /// The arguments of a call at the end.
    fn arguments_asked(&self, call: TermId, env: &Env) -> Vec<Job> {
        let Control::Call { args, .. } = self.plan.form(call).control() else { return vec![] };
        let env = self.lends_to_call(call, env).to(env, &self.plan.free[call.index()]);
        args.iter().map(|arg| Job::Eval(*arg, env.clone())).collect()
    }

    /// The steps out of the current state.
    fn step(&mut self, walk: &mut Walk, laws: &[Rc<Law>]) -> Result<(), Stop> {
        let Some(State { place, env, distance }) = walk.current() else { return Err(lost_track()) };
        let (place, env, distance) = (*place, env.clone(), *distance);
        let plan = self.plan;
        let term = match place {
            Place::At(term) => term,
            Place::Head(term) => return self.tested(walk, term, &env, &laws[0]),
            Place::Turn(_) if !cfg!(feature = "full") => return Err(lost_track()),
            Place::Turn(term) => return self.turned(walk, term, &env, laws),
            Place::Inside(of, term) => return self.step_inside(walk, (of, term), &env, laws, distance),
        };
        if let Some(stream) = self.streamed(term, &env) {
            if let Some((den, shown)) = self.folded(&stream, &env, laws)? {
                return self.fold_ended(walk, &env, &stream, den, shown);
            }
            let lent = all_lent(&env, self.at);
            let (den, starts) = self.stream_starts(&stream, &lent, laws)?;
            let start = |(mut seen, weight): (Vec<Outcome>, UBig)| match seen.as_slice() {
                [cursor, _] if cursor.known().is_some() => (Ok(seen), weight),
                _ => (Err(seen.swap_remove(0)), weight),
            };
            let ways =
                Ways { den, slots: vec![stream.cursor, stream.so_far], ways: starts.into_iter().map(start).collect() };
            return self.spread(walk, &env, &ways, Place::Turn(term), distance);
        }
        if let Some((call, work)) = self.work_around(place, &env)? {
            return self.called(walk, call, laws, distance, Some(work));
        }
        match plan.form(term) {
            _ if laws.is_empty() && self.is_pure_in(term, &env) => {
                let outcome = self.computed(term, &self.lent(term, &env))?;
                self.ends(walk, &env, outcome)
            }
            Form::Ahead { slot, value, body } => {
                let outcome = self.guarded_here(*value, &env)?;
                let ways = Ways { den: UBig::ONE, slots: vec![*slot], ways: vec![(Ok(vec![outcome]), UBig::ONE)] };
                self.spread(walk, &env, &ways, Place::At(*body), distance)
            }
            Form::Watch(watch) => {
                let ways = self.watched(term, &all_lent(&env, self.at), &laws[0])?;
                self.spread(walk, &env, &ways, Place::At(watch.body), distance)
            }
            Form::Joint { slots, body, .. } => {
                let linear = plan.linear[term.index()];
                self.bind(walk, &env, (slots, &laws[0]), Place::At(*body), distance, linear)
            }
            Form::Core(Term::Let { slots, body, .. }) => {
                let linear = plan.linear[term.index()];
                self.bind(walk, &env, (slots, &laws[0]), Place::At(*body), distance, linear)
            }
            Form::Core(Term::If { then, other, .. }) => {
                let (then, other) = (Place::At(*then), Place::At(*other));
                self.choose(walk, &env, &laws[0], (then, other))
            }
            Form::Core(Term::Loop { slots, .. }) => match laws {
                [law] => self.bind(walk, &env, (slots, law), Place::Head(term), distance, false),
                fields => self.bind_fields(walk, &env, (slots, fields), Place::Head(term), distance),
            },
            Form::Core(Term::Call { .. }) if self.goes_on(term) => self.called(walk, term, laws, distance, None),
            _ => {
                self.uncorrelated(term, &laws[0])?;
                let mut leaving = Leaving::new(UBig::ONE, mass(&env));
                leaving.shares(Exit::Law(given_up(&env, &laws[0], self.at)?), UBig::ONE);
                walk.close(leaving);
                Ok(())
            }
        }
    }

    /// What a term at the end of a pass of a loop asks for. All pools are lent to it: later passes may look at them too.
    fn ask_inside(&self, of: TermId, term: TermId, env: &Env) -> Option<Vec<Job>> {
        let plan = self.plan;
        let (names, value) = match plan.form(term) {
            Form::Ahead { .. } => return None,
            Form::Core(Term::If { test, .. }) => (&[][..], *test),
            Form::Core(Term::Let { slots, value, .. }) => (&slots[..], *value),
            _ => (plan.loop_slots(of), term),
        };
        let fields = plan.fields_of(value, names.len()).filter(|_| names.len() > 1);
        let env = all_lent(env, self.at);
        Some(fields.unwrap_or(&[value]).iter().map(|id| Job::Eval(*id, env.clone())).collect())
    }

    fn step_inside(
        &mut self,
        walk: &mut Walk,
        (of, term): (TermId, TermId),
        env: &Env,
        laws: &[Rc<Law>],
        distance: usize,
    ) -> Result<(), Stop> {
        let plan = self.plan;
        let (names, place, distance) = match plan.form(term) {
            Form::Core(Term::If { then, other, .. }) => {
                return self.choose(walk, env, &laws[0], (Place::Inside(of, *then), Place::Inside(of, *other)));
            }
            Form::Ahead { slot, value, body } => {
                let outcome = self.guarded_here(*value, env)?;
                let ways = Ways { den: UBig::ONE, slots: vec![*slot], ways: vec![(Ok(vec![outcome]), UBig::ONE)] };
                return self.spread(walk, env, &ways, Place::Inside(of, *body), distance);
            }
            Form::Core(Term::Let { slots, body, .. }) => (&slots[..], Place::Inside(of, *body), distance),
            _ => (plan.loop_slots(of), Place::Head(of), distance + 1),
        };
        match laws {
            [law] => self.bind(walk, env, (names, law), place, distance, false),
            fields => self.bind_fields(walk, env, (names, fields), place, distance),
        }
    }

    /// Variables take each combination of outcomes.
    fn bind_fields(
        &mut self,
        walk: &mut Walk,
        env: &Env,
        (slots, laws): (&[Slot], &[Rc<Law>]),
        place: Place,
        distance: usize,
    ) -> Result<(), Stop> {
        let (den, combinations) = self.all_hidden(laws)?;
        let way = |(values, weight): (Vec<Outcome>, UBig)| match values.iter().find(|value| value.is_lost()) {
            Some(lost) => (Err(lost.clone()), weight),
            None => (Ok(values), weight),
        };
        let ways = combinations.into_iter().map(way).collect();
        self.spread(walk, env, &Ways { den, slots: slots.to_vec(), ways }.bound(false), place, distance)
    }

    /// All that the chains of a stream show.
    fn fold_ended(
        &mut self,
        walk: &mut Walk,
        env: &Env,
        stream: &Stream,
        den: UBig,
        shown: Vec<(Vec<Outcome>, UBig)>,
    ) -> Result<(), Stop> {
        let distance = walk.current().map_or(0, |state| state.distance);
        if let Some(then) = stream.then {
            let slots = stream.chains.iter().map(|chain| chain.slot).collect();
            let ways = Ways { den, slots, ways: shown.into_iter().map(|(seen, weight)| (Ok(seen), weight)).collect() };
            return self.spread(walk, env, &ways, Place::At(then), distance);
        }
        let mut leaving = Leaving::new(den, mass(env));
        for (mut seen, weight) in shown {
            leaving.shares(Exit::Known(seen.swap_remove(0)), weight);
        }
        walk.close(leaving);
        Ok(())
    }

    /// One more body of a stream, or its end.
    fn turned(&mut self, walk: &mut Walk, term: TermId, env: &Env, laws: &[Rc<Law>]) -> Result<(), Stop> {
        let plan = self.plan;
        let Some(stream) = plan.streams.get(&term) else { return Err(lost_track()) };
        let distance = walk.current().map_or(0, |state| state.distance);
        let [law] = laws else {
            let mut shown = self.stream_shown(stream, &all_lent(env, self.at))?;
            let Some(then) = stream.then else { return self.ends(walk, env, shown.swap_remove(0)) };
            let slots = stream.chains.iter().map(|chain| chain.slot).collect();
            let ways = Ways { den: UBig::ONE, slots, ways: vec![(Ok(shown), UBig::ONE)] };
            return self.spread(walk, env, &ways, Place::At(then), distance);
        };
        let Some((_, cursor)) = self.stream_turn(stream, &all_lent(env, self.at))? else { return Err(lost_track()) };
        let dist = self.desk.settle(law)?;
        let mut ways = Vec::with_capacity(dist.items.len());
        for (outcome, weight) in &dist.items {
            let seen = match outcome {
                Outcome::Pool(pool) => Ok(Outcome::Known(pool.all_known()?)),
                lost if lost.is_lost() => Err(lost.clone()),
                outcome => Ok(outcome.clone()),
            };
            let fed = match seen {
                Ok(outcome) => Ok(vec![cursor.clone(), self.stream_fed(stream, &all_lent(env, self.at), &outcome)?]),
                Err(lost) => Err(lost),
            };
            ways.push((fed, weight.clone()));
        }
        let ways = Ways { den: dist.den.clone(), slots: vec![stream.cursor, stream.so_far], ways };
        self.spread(walk, env, &ways, Place::Turn(term), distance)
    }

    /// The current state ends with one outcome.
    fn ends(&mut self, walk: &mut Walk, env: &Env, outcome: Outcome) -> Result<(), Stop> {
        let mut leaving = Leaving::new(UBig::ONE, mass(env));
        let exit = match outcome {
            Outcome::Pool(_) => Exit::Law(given_up(env, &Rc::new(Law::one(outcome)), self.at)?),
            outcome => Exit::Known(outcome),
        };
        leaving.shares(exit, UBig::ONE);
        walk.close(leaving);
        Ok(())
    }

    /// Variables take each outcome of a value.
    fn bind(
        &mut self,
        walk: &mut Walk,
        env: &Env,
        (slots, value): (&[Slot], &Rc<Law>),
        place: Place,
        distance: usize,
        linear: bool,
    ) -> Result<(), Stop> {
        let live = self.live(place).to_vec();
        // Several variables take a tuple apart, even if nothing looks at them.
        let unused = slots.len() == 1 && !live.contains(&slots[0]);
        if unused && value.has_holes() {
            return Err(Stop::Unsolvable);
        }
        if unused && !value.known.iter().any(|(outcome, _)| outcome.is_lost()) {
            let ways = Ways { den: UBig::ONE, slots: vec![], ways: vec![(Ok(vec![]), UBig::ONE)] };
            return self.spread(walk, env, &ways, place, distance);
        }
        let (den, items) = self.outcomes(value)?;
        let ways = Ways::of(slots, &items, den)?.bound(linear);
        self.spread(walk, env, &ways, place, distance)
    }

    /// Goes on with every way to bind variables.
    fn spread(&mut self, walk: &mut Walk, env: &Env, ways: &Ways, place: Place, distance: usize) -> Result<(), Stop> {
        let mut results = Pile::default();
        let mut leaving = Leaving::new(ways.den.clone(), mass(env));
        let mut slots = Vec::clone(env);
        let each = cost_of(bits(&ways.den)) / 2;
        let pure = match place {
            Place::At(term) if self.plan.pure[term.index()] && !has_pools(env) => Some(term),
            _ => None,
        };
        for (seen, weight) in &ways.ways {
            let seen = match seen {
                Ok(seen) => seen,
                Err(lost) => {
                    results.add(lost.clone(), weight);
                    continue;
                }
            };
            self.fill(&mut slots, env, place, &ways.slots, seen)?;
            if let Some(term) = pure.filter(|_| !seen.iter().any(|seen| matches!(seen, Outcome::Pool(_)))) {
                self.desk.budget.step(each)?;
                results.add(self.computed_in(term, &mut slots)?, weight);
                results.check(&self.desk.budget)?;
                continue;
            }
            let here = Arrival { place, slots: slots.clone(), distance };
            let weight = (weight.clone(), leaving.own.clone());
            self.arrive(walk, &mut leaving, here, weight)?;
        }
        results.into_items().into_iter().for_each(|(outcome, weight)| leaving.shares(Exit::Known(outcome), weight));
        walk.close(leaving);
        Ok(())
    }

    /// A choice: each branch with the weight of its test.
    fn choose(&mut self, walk: &mut Walk, env: &Env, test: &Law, branches: (Place, Place)) -> Result<(), Stop> {
        let truth = super::values::Truth::of(&*self.desk.settle(test)?)?;
        let distance = walk.current().map_or(0, |state| state.distance);
        let mut leaving = Leaving::new(truth.den, mass(env));
        for (place, weight) in [(branches.0, truth.yes), (branches.1, truth.no)] {
            if !weight.is_zero() {
                let weight = (weight, leaving.own.clone());
                self.arrive(walk, &mut leaving, Arrival { place, slots: Vec::clone(env), distance }, weight)?;
            }
        }
        truth.others.into_iter().for_each(|(outcome, weight)| leaving.shares(Exit::Known(outcome), weight));
        walk.close(leaving);
        Ok(())
    }

    /// The test of a loop: one more pass, or its variables as they are.
    fn tested(&mut self, walk: &mut Walk, term: TermId, env: &Env, test: &Law) -> Result<(), Stop> {
        let truth = super::values::Truth::of(&*self.desk.settle(test)?)?;
        let Form::Core(Term::Loop { slots, body, .. }) = self.plan.form(term) else { return Err(lost_track()) };
        let distance = walk.current().map_or(0, |state| state.distance);
        let mut leaving = Leaving::new(truth.den, mass(env));
        if !truth.yes.is_zero() {
            let here = Arrival { place: Place::Inside(term, *body), slots: Vec::clone(env), distance };
            let weight = (truth.yes, leaving.own.clone());
            self.arrive(walk, &mut leaving, here, weight)?;
        }
        truth.others.into_iter().for_each(|(outcome, weight)| leaving.shares(Exit::Known(outcome), weight));
        if !truth.no.is_zero() {
            let counted = self.counter(term).map(|_| Outcome::int(0));
            let exit = match counted.map_or_else(|| state_of(env, slots, self.at), Ok)? {
                Outcome::Pool(pool) if pool.shared.is_empty() => Exit::Law(Rc::new(Law::bunch(pool.bunch()?))),
                outcome => Exit::Known(outcome),
            };
            leaving.shares(exit, truth.no);
        }
        walk.close(leaving);
        Ok(())
    }

    /// A call at the end: its body with its arguments, and the work around it.
    fn called(
        &mut self,
        walk: &mut Walk,
        term: TermId,
        laws: &[Rc<Law>],
        distance: usize,
        work: Option<Work>,
    ) -> Result<(), Stop> {
        let Form::Core(Term::Call { function, .. }) = self.plan.form(term) else { return Err(lost_track()) };
        let Some(State { env, .. }) = walk.current() else { return Err(lost_track()) };
        let env = env.clone();
        self.returning(*function)?;
        self.nest(distance + 1)?;
        let routine = &self.plan.functions[function.index()];
        let (den, combinations) = self.arguments_of(laws, Some(&env))?;
        let mut leaving = Leaving::new(den, mass(&env));
        for (args, weight) in combinations {
            if let Some(lost) = args.iter().find(|arg| arg.is_lost()) {
                let lost = self.worked(lost.clone(), work.as_slice())?;
                leaving.shares(Exit::Known(lost), weight);
                continue;
            }
            if args.iter().any(|arg| matches!(arg, Outcome::Hole { .. })) {
                return Err(Stop::Unsolvable);
            }
            let mut slots = vec![None; routine.slots];
            let bound = routine.params.iter().zip(args);
            bound.for_each(|(param, arg)| slots[param.index()] = Some(arg.without_law()));
            let here = Arrival { place: Place::At(routine.body), slots, distance: distance + 1 };
            let weight = (weight, leaving.own.clone());
            self.arrive_with(walk, &mut leaving, here, weight, work.clone())?;
        }
        walk.close(leaving);
        Ok(())
    }

    /// How many states there were, for the explanation.
    fn tell_states(&mut self, walk: &Walk) {
        if let (Some(State { place: Place::At(term), .. }), 2..) = (walk.states.first(), walk.states.len()) {
            self.desk.work_on(*term, self.plan.spans[term.index()]);
            let how = || format!("follows {} states, equal ones merged", walk.states.len());
            let told = || ("every way through it".into(), Some("Markov chain"), how(), None);
            self.desk.record.tell(walk.since, self.desk.budget.used(), told);
        }
    }

    /// What all states together give; none if they cannot be solved one by one.
    fn walked(&mut self, walk: &mut Walk) -> Result<Option<Rc<Law>>, Stop> {
        if cfg!(feature = "full") && walk.work.all.len() > 1 {
            return self.walked_back(walk);
        }
        let states = std::mem::take(&mut walk.out).into_iter().map(Leaving::equation).collect();
        let shares = Flow { states }.solve_from(&[(0, UBig::ONE)], &UBig::ONE, &mut self.desk.budget)?;
        let den = shares.den;
        // What is lost on the way is a mistake, in every build.
        if shares.items.iter().map(|(_, weight)| weight).sum::<UBig>() != den {
            return Err(Fault::mistake("internal error: the probabilities of a program do not add up to 1").into());
        }
        let (mut pile, mut laws) = (Pile::default(), Vec::new());
        for (exit, weight) in shares.items {
            match exit {
                Exit::Known(outcome) => pile.add(outcome, &weight),
                Exit::Law(law) => laws.push((law, weight)),
            }
        }
        self.mixed(pile, laws, den).map(Some)
    }

    /// Laws with weights, and outcomes with theirs.
    pub(super) fn mix(&mut self, mixture: super::Mixture, laws: Vec<Rc<Law>>) -> Result<Rc<Law>, Stop> {
        let mut pile = Pile::default();
        mixture.others.into_iter().for_each(|(outcome, weight)| pile.add(outcome, &weight));
        self.mixed(pile, laws.into_iter().zip(mixture.weights).collect(), mixture.den)
    }

    fn mixed(&mut self, pile: Pile, laws: Vec<(Rc<Law>, UBig)>, den: UBig) -> Result<Rc<Law>, Stop> {
        if laws.is_empty() {
            return Ok(Rc::new(pile.over(den).reduced().into()));
        }
        if let ([(law, _)], 0) = (laws.as_slice(), pile.len()) {
            return Ok(law.clone());
        }
        let known = pile.into_items();
        if laws.iter().all(|(law, _)| law.lazy.is_empty()) {
            let mut parts = Vec::with_capacity(laws.len() + 1);
            for (law, weight) in laws {
                parts.push((weight, self.desk.settle(&law)?));
            }
            if !known.is_empty() {
                let weight: UBig = known.iter().map(|(_, weight)| weight).sum();
                parts.push((weight.clone(), Rc::new(Dist { den: weight, items: known })));
            }
            let views: Vec<(UBig, &Dist)> = parts.iter().map(|(weight, dist)| (weight.clone(), &**dist)).collect();
            return Ok(Rc::new(Dist::mix(&views, &den, &mut self.desk.budget)?.into()));
        }
        let mut parts: Vec<(UBig, Law)> = laws.iter().map(|(law, weight)| (weight.clone(), Law::clone(law))).collect();
        if !known.is_empty() {
            let weight: UBig = known.iter().map(|(_, weight)| weight).sum();
            parts.push((weight.clone(), Dist { den: weight, items: known }.into()));
        }
        let mut law = Law::mix(parts, den, &mut self.desk.budget)?;
        if law.lazy.len() > super::values::MOST_ALTERNATIVES {
            law = Dist::clone(&*self.desk.settle(&law)?).into();
        }
        Ok(Rc::new(law))
    }
}
