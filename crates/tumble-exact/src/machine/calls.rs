//! Functions on laws.
//!
//! A call is memoised on its arguments. A call that meets itself, directly or around a circle, gives
//! a *hole*: "whatever that call gives". When the outermost call of a circle is done, the laws of all
//! calls of the circle are equations for each other; as steps of a walk they are solved together.
//! (The circles are strongly connected components, found as in Tarjan's algorithm: `low` is the
//! outermost call that a call has met.)

use super::{Depth, Job, Machine, Mixture, Next, Then};
use crate::algo::{chain, solve};
use crate::dist::Dist;
use crate::fraction::lcm;
use crate::law::{Bunch, Chain, End, Law, Part, Source, Step};
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop, Wrap};
use crate::prepare::Form;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Fault, FnId, Term, TermId, Value};

/// The calls met so far.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) met: HashMap<Key, usize>,
    pub(super) all: Vec<Call>,
    pub(super) active: Vec<usize>,
    pub(super) open: Vec<usize>,
    /// What was wrong when calls were nested too deep.
    pub(super) too_deep: Option<Fault>,
}

pub(super) struct Call {
    pub(super) low: usize,
    pub(super) law: Option<Rc<Law>>,
    pub(super) solved: bool,
    /// The circle it belongs to, and its place there, if its law is an equation.
    circle: Option<(Rc<Circle>, usize)>,
    /// What it was met as.
    key: Key,
}

/// A function with its arguments, and how many calls may still nest.
type Key = (FnId, Vec<Outcome>, u64);

impl Call {
    /// A call whose body is not known yet.
    pub(super) fn new(low: usize, key: Key) -> Call {
        Call { low, law: None, solved: false, circle: None, key }
    }
}

/// Calls that need each other, as the states of a walk.
struct Circle {
    den: UBig,
    states: Vec<Vec<Step>>,
    kind: Kind,
}

impl Calls {
    /// Forgets the innermost call, and those inside it that wait for it: something must be revealed first.
    pub(super) fn abandon(&mut self, call: usize) {
        self.active.pop();
        self.open.retain(|open| *open < call);
        for (place, call) in self.all.iter().enumerate().skip(call).filter(|(_, call)| !call.solved) {
            if self.met.get(&call.key) == Some(&place) {
                self.met.remove(&call.key);
            }
        }
    }

    /// How many calls are inside one another now.
    pub(super) fn nested(&self) -> u64 {
        self.active.len() as u64
    }
}

impl Machine<'_> {
    /// A call: once for each combination of arguments.
    pub(super) fn arguments(&mut self, term: TermId, laws: &[Rc<Law>]) -> Result<Next, Stop> {
        let Form::Core(Term::Call { function, .. }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let (den, combinations) = self.arguments_of(laws, None)?;
        let (mut jobs, mut weights, mut others) = (vec![], vec![], vec![]);
        for (args, weight) in combinations {
            if let Some(lost) = args.iter().find(|arg| arg.is_lost()) {
                others.push((lost.clone(), weight));
                continue;
            }
            let args: Vec<Outcome> = args.into_iter().map(Outcome::without_law).collect();
            if args.iter().any(|arg| matches!(arg, Outcome::Hole { .. })) {
                return Err(Stop::Unsolvable);
            }
            jobs.push(Job::Enter(*function, self.forget_arguments(*function, args)));
            weights.push(weight);
        }
        Ok(Next::More(jobs, Then::Mix(Mixture { den, weights, others })))
    }

    /// Whether a call goes on in the states of the walk. Others are entered: those that lead back to their function, which has
    /// something left to do, are equations.
    pub(super) fn goes_on(&self, call: TermId) -> bool {
        self.depth.is_none() && !self.plan.entered.contains(&call)
    }

    /// Refuses a call that never returns, unless calls are cut anyway.
    pub(super) fn returning(&self, function: FnId) -> Result<(), Stop> {
        let cut = matches!(&self.depth, Some(Depth { beyond: Outcome::Cut, .. }));
        if cut || self.plan.returns[function.index()] { Ok(()) } else { Err(solve::endless().into()) }
    }

    /// Asks for call number `depth` inside one another. One that is too deep may still be listed call by call.
    pub(super) fn nest(&mut self, depth: usize) -> Result<(), Stop> {
        self.desk.budget.nest(depth).map_err(|fault| {
            self.calls.too_deep = Some(fault);
            Stop::Unsolvable
        })
    }

    /// Enters a call: its law if it is known, a hole if it is under way, else its body.
    pub(super) fn enter(&mut self, function: FnId, args: Vec<Outcome>) -> Result<(), Stop> {
        self.returning(function)?;
        self.desk.budget.step(20 + args.iter().map(crate::outcome::size).sum::<u64>())?;
        let nested = self.calls.nested();
        let left = match &self.depth {
            Some(depth) if nested >= depth.most => {
                let beyond = Law::one(depth.beyond.clone());
                self.deliver(Rc::new(beyond));
                return Ok(());
            }
            Some(depth) => depth.most - nested,
            None => 0,
        };
        if let Some(&call) = self.calls.met.get(&(function, args.clone(), left)) {
            let law = match &self.calls.all[call] {
                Call { solved: true, law: Some(law), .. } => law.clone(),
                Call { circle: Some((circle, start)), .. } => {
                    let (circle, start) = (circle.clone(), *start);
                    self.solved(call, &circle, start)?
                }
                _ => self.hole(call),
            };
            self.deliver(law);
            return Ok(());
        }
        self.nest(self.calls.active.len() + 1)?;
        let call = self.calls.all.len();
        let key = (function, args.clone(), left);
        self.calls.all.push(Call::new(call, key.clone()));
        self.calls.met.insert(key, call);
        self.calls.active.push(call);
        self.calls.open.push(call);
        let jobs = vec![self.body(function, args)].into_iter();
        let term = self.plan.functions[function.index()].body;
        self.frames.push(super::Frame { term, jobs, given: vec![], then: Then::Return(call), memo: None });
        Ok(())
    }

    /// Whatever a call that is under way gives; the call around it now belongs to the same circle.
    fn hole(&mut self, call: usize) -> Rc<Law> {
        let low = self.calls.all[call].low;
        if let Some(around) = self.calls.active.last() {
            let around = &mut self.calls.all[*around];
            around.low = around.low.min(low);
        }
        Rc::new(Law::one(Outcome::Hole { call, wrap: Wrap::Same }))
    }

    /// The body of a call is known; if the call is the outermost of its circle, the circle is solved.
    pub(super) fn returned(&mut self, call: usize, laws: Vec<Rc<Law>>) -> Result<Next, Stop> {
        let Some(law) = laws.into_iter().next() else { return Err(Stop::mistake("a call without a law")) };
        self.calls.active.pop();
        self.calls.all[call].law = Some(law.clone());
        if self.calls.all[call].low < call {
            let hole = self.hole(call);
            return Ok(Next::Done(hole));
        }
        let start = self.calls.open.iter().rposition(|&open| open == call);
        let start = start.ok_or_else(|| Stop::mistake("a call that is not open"))?;
        let circle = self.calls.open.split_off(start);
        let law = match circle.len() > 1 || law.has_holes() {
            true => self.solve(&circle)?,
            false => law,
        };
        self.calls.all[call].solved = true;
        Ok(Next::Done(law))
    }

    /// The body of a function with these arguments.
    fn body(&self, function: FnId, args: Vec<Outcome>) -> Job {
        let routine = &self.plan.functions[function.index()];
        let mut slots = vec![None; routine.slots];
        routine.params.iter().zip(args).for_each(|(param, arg)| slots[param.index()] = Some(arg));
        Job::Eval(routine.body, Rc::new(slots))
    }

    /// Solves the laws of a circle of calls for the first of them; the others when they are asked for.
    fn solve(&mut self, circle: &[usize]) -> Result<Rc<Law>, Stop> {
        let since = self.desk.record.mark(self.desk.budget.used());
        let mut dists = Vec::with_capacity(circle.len());
        for &call in circle {
            let law = self.calls.all[call].law.clone().ok_or_else(|| Stop::mistake("a call without a law"))?;
            dists.push(self.desk.settle(&law)?);
        }
        let kind = Kind::of(&dists)?;
        let shared = dists.iter().fold(UBig::ONE, |shared, dist| lcm(&shared, &dist.den));
        let places: HashMap<usize, usize> = circle.iter().enumerate().map(|(place, call)| (*call, place)).collect();
        let mut states = Vec::with_capacity(dists.len());
        for dist in &dists {
            let scale = &shared / &dist.den;
            let step = |(outcome, weight): &(Outcome, UBig)| kind.step(outcome, weight * &scale, &places);
            states.push(dist.items.iter().map(step).collect::<Result<Vec<_>, _>>()?);
        }
        let solving = Rc::new(Circle { den: shared, states, kind });
        for (start, &call) in circle.iter().enumerate() {
            self.calls.all[call].circle = Some((solving.clone(), start));
        }
        let law = self.solved(circle[0], &solving, 0)?;
        let how = |calls: usize| match calls {
            1 => "solves one equation for it".to_owned(),
            calls => format!("solves a system of equations for {calls} calls"),
        };
        self.desk.tell(since, || ("a function that calls itself".to_owned(), how(circle.len())));
        Ok(law)
    }

    /// The law of one call of a circle.
    fn solved(&mut self, call: usize, circle: &Circle, start: usize) -> Result<Rc<Law>, Stop> {
        let walk = Chain { den: circle.den.clone(), states: circle.states.clone(), start, end: End::Open };
        let law = Rc::new(match circle.kind {
            Kind::Ends => chain::ended(&mut self.desk, &walk)?.into(),
            Kind::Numbers => chain::added(&mut self.desk, &walk)?.into(),
            Kind::Pools => {
                chain::can_end(&walk)?;
                Law::bunch(Bunch::pool(vec![Part { times: 1, source: Source::Chain(Rc::new(walk)) }]))
            }
        });
        let solved = &mut self.calls.all[call];
        (solved.law, solved.solved, solved.circle) = (Some(law.clone()), true, None);
        Ok(law)
    }
}

/// What the calls of a circle collect from each other.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing: the result is passed on as it is.
    Ends,
    /// Numbers that are added.
    Numbers,
    /// Members that are added.
    Pools,
}

impl Kind {
    fn of(dists: &[Rc<Dist>]) -> Result<Kind, Stop> {
        let mut kind = Kind::Ends;
        for (outcome, _) in dists.iter().flat_map(|dist| &dist.items) {
            let wanted = match outcome {
                Outcome::Hole { wrap: Wrap::Plus(_), .. } => Kind::Numbers,
                Outcome::Hole { wrap: Wrap::With(_), .. } => Kind::Pools,
                _ => continue,
            };
            if kind != Kind::Ends && kind != wanted {
                return Err(Stop::Unsolvable);
            }
            kind = wanted;
        }
        Ok(kind)
    }

    /// One outcome of a call as a step of the walk.
    fn step(self, outcome: &Outcome, weight: UBig, places: &HashMap<usize, usize>) -> Result<Step, Stop> {
        let nothing = match self {
            Kind::Ends => Value::NOTHING,
            Kind::Numbers => Value::int(0),
            Kind::Pools => Value::ints(&[]),
        };
        let fits = |value: &Value| match self {
            Kind::Ends => true,
            Kind::Numbers => value.as_int().is_some(),
            Kind::Pools => value.as_pool().is_some(),
        };
        match outcome {
            Outcome::Hole { call, wrap } => {
                let emit = match wrap {
                    Wrap::Same => nothing,
                    Wrap::Plus(n) => Value::int(*n),
                    Wrap::With(members) => members.clone(),
                };
                let next = Some(*places.get(call).ok_or(Stop::Unsolvable)?);
                Ok(Step { weight, emit: Outcome::Known(emit), next })
            }
            Outcome::Known(value) if !fits(value) => Err(Stop::Unsolvable),
            other => Ok(Step { weight, emit: other.clone(), next: None }),
        }
    }
}
