//! The walk over merged states: from a beginning, every point that can be reached, each once.
//!
//! A point is expanded by running the code on from it with each way to choose, those first that take the fewest steps to
//! reach, so that most of what leads to a point is known before it is expanded. Points with next to no mass wait. If only
//! such points are left, there are either few of them, or there is no end of them. So about as many points again are
//! tried: if that was all, everything is exact; if not, it is taken back, and what was left to expand is an outcome of its
//! own, with its exact mass.

use super::code::Reg;
use super::machine::{Machine, Stopped};
use super::request::{Kind, Point, Request, Ways};
use crate::algo::walk::flow::Equation;
use crate::map::HashMap;
use crate::outcome::{self, Outcome};
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use dashu_int::ops::EstimatedLog2;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;
use tumble_core::sort;
use tumble_core::{Diagnostic, Fault, Span, Value};

/// Points lighter than this wait, and all together they may have this mass.
const LIGHT: f64 = 1e-20;
const NEXT_TO_NOTHING: f64 = 1e-14;
/// How often what came late is handed on at a time.
const SWEEPS: usize = 20;
/// Points that are always tried.
const A_FEW: usize = 1000;

/// Questions with more answers are refused.
const MOST_ITEMS: usize = 12;
const MOST_NUMBERS: i64 = 1000;

/// Where a way leads.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// To the point with this number.
    Point(usize),
    /// To the end.
    End(Outcome),
}

/// What becomes of a point.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// It is not expanded yet.
    Open,
    /// Dice decide.
    Chance(Equation<Outcome>),
    /// A player decides.
    Decide { group: usize, answers: Vec<(Value, Target)> },
}

/// All points that are known.
pub(super) struct Graph {
    pub(super) points: Vec<Rc<Point>>,
    pub(super) nodes: Vec<Node>,
    pub(super) first: Target,
    /// The point before each, and the number of the way from there.
    pub(super) from: Vec<Option<(usize, usize)>>,
    /// How many ways led to points that were known already.
    pub(super) merged: u64,
    places: HashMap<Rc<Point>, usize>,
    /// About how much of the probability comes to each point; what came after it was expanded, and where it goes from there.
    mass: Vec<f64>,
    late: Vec<f64>,
    shares: Vec<Vec<(usize, f64)>>,
    /// The points that are not expanded yet; the light ones apart.
    open: VecDeque<usize>,
    light: VecDeque<usize>,
    decides: bool,
    /// Where next to nothing was left: how many points there were, and those that were open.
    mark: Option<(usize, Vec<usize>)>,
}

/// How far a graph is.
pub(super) enum Progress {
    /// The result of this call must be known first.
    Needs(Request),
    /// One more point is expanded.
    More,
    Done,
}

impl Graph {
    pub(super) fn new(machine: &mut Machine<'_>, start: Stopped) -> Result<Graph, Diagnostic> {
        let mut graph = Graph {
            points: vec![],
            nodes: vec![],
            first: Target::Point(0),
            from: vec![],
            merged: 0,
            places: HashMap::default(),
            mass: vec![],
            late: vec![],
            shares: vec![],
            open: VecDeque::new(),
            light: VecDeque::new(),
            decides: false,
            mark: None,
        };
        graph.first = match start {
            Stopped::End(outcome) => Target::End(outcome),
            Stopped::Choice(point) => Target::Point(graph.arrive(machine, point, None, 1.0)?),
        };
        Ok(graph)
    }

    fn arrive(
        &mut self,
        machine: &mut Machine<'_>,
        point: Point,
        from: Option<(usize, usize)>,
        mass: f64,
    ) -> Result<usize, Diagnostic> {
        if let Some(place) = self.places.get(&point).filter(|_| !machine.without.merging) {
            let place = *place;
            self.merged += 1;
            self.add(place, mass);
            return Ok(place);
        }
        let place = self.points.len();
        machine.held += 250 + point.live.iter().map(|value| 40 + 24 * outcome::size(value)).sum::<u64>();
        let span = machine.routines[point.function].spans[point.at];
        if machine.held > machine.budget.limits().bytes {
            return Err(self.too_many(machine).at(span));
        }
        machine.budget.step(10 + point.live.len() as u64).map_err(|fault| self.explained(machine, fault).at(span))?;
        let point = Rc::new(point);
        self.points.push(Rc::clone(&point));
        self.places.insert(point, place);
        self.nodes.push(Node::Open);
        self.from.push(from);
        self.mass.push(mass);
        self.late.push(0.0);
        self.shares.push(vec![]);
        if mass < LIGHT {
            self.light.push_back(place)
        } else {
            self.open.push_back(place)
        }
        Ok(place)
    }

    /// More mass for a point that is known; one that is no longer light need not wait.
    fn add(&mut self, place: usize, mass: f64) {
        let light = self.mass[place] < LIGHT;
        self.mass[place] += mass;
        match self.nodes[place] {
            Node::Open if light && self.mass[place] >= LIGHT => self.open.push_back(place),
            Node::Open => {}
            Node::Chance(_) | Node::Decide { .. } => self.late[place] += mass,
        }
    }

    /// The next point to expand.
    fn next(&mut self) -> Option<usize> {
        for queue in [&mut self.open, &mut self.light] {
            while let Some(place) = queue.front() {
                if matches!(self.nodes[*place], Node::Open) {
                    return Some(*place);
                }
                queue.pop_front();
            }
        }
        None
    }

    /// Expands one more point.
    pub(super) fn advance(&mut self, machine: &mut Machine<'_>) -> Result<Progress, Diagnostic> {
        let Some(place) = self.next() else { return Ok(Progress::Done) };
        self.look_out();
        if self.is_endless() {
            self.take_back();
            return Ok(Progress::Done);
        }
        match self.expand(machine, place) {
            Err(found) if found.code == tumble_core::Code::Limit && self.mark.is_some() => {
                self.take_back();
                Ok(Progress::Done)
            }
            done => done,
        }
    }

    fn expand(&mut self, machine: &mut Machine<'_>, place: usize) -> Result<Progress, Diagnostic> {
        let point = Rc::clone(&self.points[place]);
        let span = machine.routines[point.function].spans[point.at];
        if let Request::Ask { group, answers } = &point.request {
            let answers = possible(answers).map_err(|fault| fault.at(span))?;
            self.decide(machine, place, &point, *group, answers)?;
            return Ok(Progress::More);
        }
        let ways = match (&point.request, machine.remembered(&point.request)) {
            (Request::Call { .. }, None) => return Ok(Progress::Needs(point.request.clone())),
            (_, Some(ways)) => ways,
            (_, None) => {
                let found = machine.ways(&point.request);
                found.map_err(|fault| self.explained(machine, fault).at(span))?
            }
        };
        self.chance(machine, place, &point, &ways, span)?;
        Ok(Progress::More)
    }

    /// Remembers where only light points are left, and next to nothing of the mass. Where somebody decides, what is
    /// unlikely now may be what happens in the end.
    fn look_out(&mut self) {
        if self.mark.is_some() || self.decides || !self.open.is_empty() {
            return;
        }
        let late = self.catch_up();
        if !self.open.is_empty() {
            return;
        }
        let open: Vec<usize> =
            self.light.iter().copied().filter(|place| matches!(self.nodes[*place], Node::Open)).collect();
        let left: f64 = open.iter().map(|place| self.mass[*place]).sum();
        if left + late < NEXT_TO_NOTHING {
            self.mark = Some((self.points.len(), open));
        }
    }

    /// Hands on what came late, from each point to those after it; what is left of it.
    fn catch_up(&mut self) -> f64 {
        for _ in 0..SWEEPS {
            for place in 0..self.points.len() {
                let late = std::mem::take(&mut self.late[place]);
                if late > 0.0 {
                    for at in 0..self.shares[place].len() {
                        let (to, share) = self.shares[place][at];
                        self.add(to, late * share);
                    }
                }
            }
            if self.late.iter().sum::<f64>() < NEXT_TO_NOTHING / 10.0 {
                break;
            }
        }
        self.late.iter().sum()
    }

    /// Whether about as many points as before were tried, and there is still no end.
    fn is_endless(&self) -> bool {
        self.mark.as_ref().is_some_and(|(size, _)| self.points.len() > 2 * size + A_FEW)
    }

    /// Goes back to where next to nothing was left.
    fn take_back(&mut self) {
        let Some((size, open)) = self.mark.take() else { return };
        for point in self.points.drain(size..) {
            self.places.remove(&point);
        }
        self.nodes.truncate(size);
        self.from.truncate(size);
        self.mass.truncate(size);
        self.late.truncate(size);
        self.shares.truncate(size);
        open.into_iter().for_each(|place| self.nodes[place] = Node::Open);
        self.open.clear();
        self.light.clear();
    }

    fn decide(
        &mut self,
        machine: &mut Machine<'_>,
        place: usize,
        point: &Point,
        group: usize,
        answers: Vec<Value>,
    ) -> Result<(), Diagnostic> {
        let mass = self.mass[place] / answers.len() as f64;
        let mut targets = Vec::with_capacity(answers.len());
        for (way, answer) in answers.into_iter().enumerate() {
            let target = match machine.go_on(point, Outcome::Known(answer.clone()))? {
                Stopped::End(outcome) => Target::End(outcome),
                Stopped::Choice(next) => Target::Point(self.arrive(machine, next, Some((place, way)), mass)?),
            };
            targets.push((answer, target));
        }
        self.decides = true;
        self.nodes[place] = Node::Decide { group, answers: targets };
        Ok(())
    }

    fn chance(
        &mut self,
        machine: &mut Machine<'_>,
        place: usize,
        point: &Point,
        ways: &Ways,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let routine = Rc::clone(&machine.routines[point.function]);
        let to = routine.ops[point.at].chooses();
        let needed = point.sees().is_some() || to.is_some_and(|to: Reg| routine.live[point.at].contains(&to));
        let one = [(Outcome::Known(Value::NOTHING), ways.den.clone())];
        // What nobody looks at need not be split.
        let split = needed || ways.items.iter().any(|(outcome, _)| outcome.is_lost());
        let items = if split { &ways.items } else { &one[..] };
        let log = ways.den.log2_est();
        let (mut passed, mut results): (HashMap<usize, UBig>, HashMap<Outcome, UBig>) = Default::default();
        let cost = cost_of(bits(&ways.den));
        for (way, (value, weight)) in items.iter().enumerate() {
            machine.budget.step(4 + cost).map_err(|fault| self.explained(machine, fault).at(span))?;
            match machine.go_on(point, value.clone())? {
                Stopped::End(outcome) => *results.entry(outcome).or_insert(UBig::ZERO) += weight,
                Stopped::Choice(next) => {
                    let share = f64::from((weight.log2_est() - log).exp2());
                    let to = self.arrive(machine, next, Some((place, way)), self.mass[place] * share)?;
                    self.shares[place].push((to, share));
                    *passed.entry(to).or_insert(UBig::ZERO) += weight;
                }
            }
        }
        machine.held += 64 * (passed.len() + results.len()) as u64;
        let mut passed: Vec<(usize, UBig)> = passed.into_iter().collect();
        sort::by_key(&mut passed, |(to, _)| *to);
        let mut results: Vec<(Outcome, UBig)> = results.into_iter().collect();
        sort::unstable_by(&mut results, |a, b| a.0.cmp(&b.0));
        self.nodes[place] = Node::Chance(Equation { den: ways.den.clone(), mass: UBig::ONE, passed, results });
        Ok(())
    }

    /// The equations of all points, for a graph without decisions. Nothing is known of what was not expanded.
    pub(super) fn equations(self, mut beyond: impl FnMut(&Point) -> Outcome) -> Vec<Equation<Outcome>> {
        let mut open = |point: &Point| Equation {
            den: UBig::ONE,
            mass: UBig::ONE,
            passed: vec![],
            results: vec![(beyond(point), UBig::ONE)],
        };
        let nodes = self.nodes.into_iter().zip(&self.points);
        nodes
            .map(|(node, point)| match node {
                Node::Chance(equation) => equation,
                Node::Open | Node::Decide { .. } => open(point),
            })
            .collect()
    }

    fn too_many(&self, machine: &Machine<'_>) -> Fault {
        let words = format!("more than {} situations have to be told apart", self.points.len());
        self.explained(machine, Fault::limit(words))
    }

    /// A limit with the variable that has most to do with it.
    fn explained(&self, machine: &Machine<'_>, fault: Fault) -> Fault {
        if fault.code != tumble_core::Code::Limit || fault.hint.is_some() {
            return fault;
        }
        match self.costliest(machine) {
            Some((name, values)) => fault.hint(format!(
                "`{name}` takes {values} different values; sort it if it is a list, or carry only what matters later"
            )),
            None => fault,
        }
    }

    /// The variable with the most different values at one place.
    pub(super) fn costliest(&self, machine: &Machine<'_>) -> Option<(String, usize)> {
        let mut seen: HashMap<(usize, usize, Reg), HashSet<&Outcome>> = HashMap::default();
        for point in self.points.iter().take(100_000) {
            let routine = &machine.routines[point.function];
            for (reg, value) in routine.kept(point.at, point.sees()).zip(&point.live) {
                if routine.names.get(reg).is_some_and(|name| is_name(name)) {
                    seen.entry((point.function, point.at, reg)).or_default().insert(value);
                }
            }
        }
        let ((function, _, reg), values) = seen.into_iter().max_by_key(|(key, values)| (values.len(), *key))?;
        (values.len() > 1).then(|| (machine.routines[function].names[reg].clone(), values.len()))
    }
}

/// Whether a variable has a name that somebody wrote.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "_"
}

/// All that can be answered.
pub(super) fn possible(kind: &Kind) -> Result<Vec<Value>, Fault> {
    match kind {
        Kind::Option => Ok(vec![Value::bool(false), Value::bool(true)]),
        Kind::Choice(count) => Ok((0..*count as i64).map(Value::int).collect()),
        Kind::Number { low, high } if high.saturating_sub(*low) >= MOST_NUMBERS => {
            let words = format!("a decision among the numbers from {low} to {high} is too large");
            Err(Fault::limit(words).hint(format!("at most {MOST_NUMBERS} numbers can be compared")))
        }
        Kind::Number { low, high } => Ok((*low..=*high).map(Value::int).collect()),
        Kind::Select(count) if *count > MOST_ITEMS => {
            let words = format!("there are too many ways to choose among {count} items");
            Err(Fault::limit(words).hint(format!("at most {MOST_ITEMS} items can be compared")))
        }
        Kind::Select(count) => {
            let set = |mask: u32| (0..*count as i64).filter(|item| mask >> item & 1 == 1).collect::<Vec<i64>>();
            let mut sets: Vec<Vec<i64>> = (0..1u32 << count).map(set).collect();
            sort::by(&mut sets, |a, b| (a.len(), a).cmp(&(b.len(), b)));
            Ok(sets.iter().map(|set| Value::ints(set)).collect())
        }
    }
}
