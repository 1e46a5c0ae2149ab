//! Views of dice by dynamic programming over the faces in order.
//!
//! Meaning: list every roll and look at it. Accepts dice, and any views: each is an [`Automaton`] that reads a face and how
//! many dice show it, and the [sweep](crate::algo::sweep) feeds them all. A view of all members lists the multisets; several
//! pools are counted apart. Cost: faces × dice left of each kind × dice / 2 × states.

use crate::algo::automaton::Automaton;
use crate::algo::kinds::{Family, Kinds};
use crate::algo::sweep::{self, Axes, swept};
use crate::dice::{Dice, Face, dice_or_cards};
use crate::law::Bunch;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::Stop;
use crate::price::{Price, choose, choose_up_to};
use crate::question::{Joint, Question, View};
use crate::weight::{cost_of, in_lane};
use tumble_core::Fault;
use tumble_core::prim::{Merge, Shape};

/// Any views of dice, by dynamic programming over the faces in order.
pub static METHOD: Method = Method {
    name: "dynamic programming",
    does: "asks how many dice show each face in turn",
    answers: Answers::Cheapest(Row { price, run }),
};

/// The joint distribution of the views.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some(dice) = question.cards() else { return Ok(None) };
    Ok(answered(desk, &[dice], &alone(question.views))?.map(Found::All))
}

/// A view of pool number `of`; a row that compares it with a second collection takes pool number `with` for that.
pub(crate) struct Across {
    pub(crate) view: View,
    pub(crate) of: usize,
    pub(crate) with: Option<usize>,
}

/// The joint distribution of views of several independent pools.
pub(crate) fn run_joint(desk: &mut Desk<'_>, pools: &[Bunch], views: &[Across]) -> Result<Option<Joint>, Stop> {
    let Some(dice) = pools.iter().map(dice_or_cards).collect::<Option<Vec<Dice>>>() else { return Ok(None) };
    let whole = |Across { view, of, .. }: &Across| View {
        stages: pools[*of].stages.iter().chain(&view.stages).cloned().collect(),
        goal: view.goal.clone(),
    };
    let wholes: Vec<View> = views.iter().map(whole).collect();
    let automata = wholes.iter().zip(views).map(|(view, across)| {
        let alone = Automaton::new(view, across.of);
        match across.with {
            Some(with) => alone.against(with, &pools[with].stages),
            None => Some(alone),
        }
    });
    match automata.collect::<Option<Vec<_>>>() {
        Some(automata) => answered(desk, &dice.iter().collect::<Vec<_>>(), &automata),
        None => Ok(None),
    }
}

/// Views of the only pool.
fn alone(views: &[View]) -> Vec<Automaton<'_>> {
    views.iter().map(|view| Automaton::new(view, 0)).collect()
}

fn answered(desk: &mut Desk<'_>, pools: &[&Dice], automata: &[Automaton<'_>]) -> Result<Option<Joint>, Stop> {
    let mut faces = pools.iter().flat_map(|dice| &dice.groups).flat_map(|group| group.faces.keys());
    let far = faces.any(|face| !matches!(face, Face::Shows(_)));
    if far && automata.iter().any(Automaton::compares) {
        return Ok(None);
    }
    affordable(desk, pools, automata)?;
    let bits = pools.iter().map(|dice| dice.bits()).fold(0, u64::saturating_add);
    desk.budget.step(bits / 4)?;
    let kinds = ordered(pools, automata);
    hopeless(desk, pools, automata, &kinds, bits)?;
    let Some(axes) = Axes::of(&kinds, pools, desk) else { return Ok(None) };
    in_lane!(bits, swept, desk, pools, &kinds, axes, automata, bits).map(Some)
}

/// Where all dice must be gone through, all rows of binomials are needed: if they are too much, that is told at once.
fn hopeless(
    desk: &mut Desk<'_>,
    pools: &[&Dice],
    automata: &[Automaton<'_>],
    kinds: &Kinds,
    bits: u64,
) -> Result<(), Stop> {
    let whole = |automaton: &Automaton<'_>| {
        let count = pools[automaton.of].count();
        automaton.end(count, kinds.descending) >= count
    };
    let largest = kinds.families.iter().map(|family| family.count).max().unwrap_or(0);
    let rows = (largest.saturating_mul(largest) / 4).saturating_mul(cost_of(bits));
    if automata.iter().any(whole) && rows > desk.budget.limits().steps {
        desk.budget.step(rows)?;
    }
    Ok(())
}

/// The faces in the order that makes the smaller table and comes to an end sooner.
fn ordered(pools: &[&Dice], automata: &[Automaton<'_>]) -> Kinds {
    let end = |descending: bool| end(pools, automata, descending);
    if let [Dice { groups, .. }] = pools
        && groups.len() < 2
    {
        return Kinds::of(pools, end(true) < end(false));
    }
    let cost = |kinds: &Kinds| kinds.families.iter().map(radix).product::<f64>() * (end(kinds.descending) as f64 + 1.0);
    let [ascending, descending] = [false, true].map(|descending| Kinds::of(pools, descending));
    if cost(&descending) < cost(&ascending) { descending } else { ascending }
}

/// After how many members nothing more stays of what any automaton reads.
fn end(pools: &[&Dice], automata: &[Automaton<'_>], descending: bool) -> u64 {
    automata.iter().map(|automaton| automaton.end(pools[automaton.of].count(), descending)).max().unwrap_or(0)
}

fn radix(family: &Family) -> f64 {
    family.count as f64 + 1.0
}

/// Refuses before it starts what cannot be listed.
fn affordable(desk: &Desk<'_>, pools: &[&Dice], automata: &[Automaton<'_>]) -> Result<(), Stop> {
    let [Dice { groups, .. }] = pools else { return Ok(()) };
    let [group] = groups.as_slice() else { return Ok(()) };
    let faces = group.faces.len() + usize::from(!group.nothing.is_zero());
    let lists = choose(faces as f64 - 1.0, group.count as f64);
    let bytes = lists * (24.0 * group.count as f64 + 96.0);
    if bytes <= desk.budget.limits().bytes as f64 / 4.0 || !automata.iter().any(Automaton::lists) {
        return Ok(());
    }
    let (count, lists) = (group.count, format!("{lists:.0}"));
    let message =
        format!("listing all collections of {count} dice with {faces} faces takes {lists} rows, which is too many");
    Err(Fault::limit(message).hint("ask for less, such as their sum, count, min, max, or the largest few").into())
}

/// Face by face: dice left × states × how many show the face, as far as there are so many different partial rolls.
fn price(question: &Question<'_>) -> Option<Price> {
    let (pools, automata) = ([question.cards()?], alone(question.views));
    let (kinds, count, long) = (ordered(&pools, &automata), pools[0].count(), pools[0].bits());
    let (n, faces, views) = (count as f64, kinds.turns.len() as f64, automata.len() as f64);
    let reads: Vec<Reads> = automata.iter().map(|automaton| Reads::of(automaton, &kinds, count)).collect();
    let states = |turns: usize, passed: f64| {
        let matter = reads.iter().map(|reads| reads.turns[turns].0).sum::<f64>().min(turns as f64);
        choose_up_to(matter, passed, reads.iter().map(|reads| reads.states(turns, passed)).product())
    };
    // Views that keep all they see move together.
    let all = reads.iter().filter(|reads| reads.all).map(|reads| reads.moves).fold(1.0, f64::max);
    let others = reads.iter().filter(|reads| !reads.all).map(|reads| reads.moves).product::<f64>();
    let moves = f64::min(all * others, (n + 1.0) * (n + 1.0));
    let size = reads.iter().map(|reads| reads.size).sum::<f64>();
    // What is read further has at most so many members behind it.
    let behind = (end(&pools, &automata, kinds.descending) as f64 - 1.0).max(0.0);
    let gone = pools[0].may_go() as f64 + 1.0;
    let (single, walks) = match kinds.families.as_slice() {
        [_] => (true, gone * f64::min((n + 1.0) * (n + 2.0) / 2.0, (behind + 1.0) * (n + 1.0))),
        families => {
            let cells = families.iter().map(radix).product::<f64>() * gone;
            (false, families.iter().map(|family| cells * (n + 1.0) * (radix(family) + 1.0) / 2.0).sum())
        }
    };
    let mut price = Price::default();
    // The partial rolls of the faces so far: C(n + f, n), and those of the faces before with so many members.
    let (mut rolls, mut open, mut held) = (1.0, 1.0, 0.0f64);
    for face in 1..=kinds.turns.len() {
        let (mean, most) = up_to(behind, |passed| states(face - 1, passed));
        rolls = f64::min(rolls * (n + face as f64) / face as f64, 1e300);
        let adds = walks * f64::min(mean, open);
        let adds = if single { adds.min(rolls * gone).min(open * gone * (n + 1.0)) } else { adds };
        let learnt = f64::min(f64::min(most, open) * moves / 2.0, adds) * (5.0 * views + 3.0 * size);
        // Cells without states are only passed over.
        price.steps += gone * (n + 1.0) * (n + 2.0) / 32.0 + walks + sweep::products(adds, long) + learnt;
        held = held.max(adds);
        open = f64::min(open * (behind + face as f64) / face as f64, 1e300);
    }
    let asked = if automata.iter().any(Automaton::sees_faces) { faces } else { 2.0 };
    let seen = f64::min(states(kinds.turns.len(), n), rolls);
    price.steps += asked * walks * 5.0 * views + (behind + 1.0) * n * cost_of(long) as f64 / 2.0;
    price.steps += (seen * 4.0 + 60.0) * size;
    let cells = kinds.families.iter().map(radix).product::<f64>() * gone * seen;
    price.bytes = held.min(cells) * (16.0 + long as f64 / 8.0) + seen * (96.0 * views + 24.0 * size);
    Some(price)
}

/// The mean and the most of a function that grows, over the numbers up to this, from few of them.
fn up_to(last: f64, f: impl Fn(f64) -> f64) -> (f64, f64) {
    const PLACES: u32 = 10;
    let place = |i: u32| (last * f64::from(i) / f64::from(PLACES)).ceil();
    ((1..=PLACES).map(|i| f(place(i))).sum::<f64>() / f64::from(PLACES), f(last))
}

/// What an automaton can have read.
struct Reads {
    n: f64,
    /// Only of so many members that come last, and so many that come first, it keeps any.
    last: f64,
    first: f64,
    /// Whether it keeps members by their places, so that of those before the last ones none is kept.
    placed: bool,
    /// How many it keeps at most, and how many of one face.
    most: f64,
    here: f64,
    /// After each turn, how many of the faces so far matter to it, and how far apart their worths are.
    turns: Vec<(f64, f64)>,
    /// Whether it adds up what it keeps; none if it lists it.
    adds: Option<bool>,
    /// Whether it keeps all members of every face, and how many different numbers of members it can keep of one.
    all: bool,
    moves: f64,
    size: f64,
}

impl Reads {
    fn of(automaton: &Automaton<'_>, kinds: &Kinds, n: u64) -> Reads {
        let (all, here) = automaton.holds(n);
        let adds = automaton.fold().map(|row| matches!(row.shape, Shape::Fold(Merge::Add)));
        let (mut turns, mut matter, mut low, mut high) = (vec![(0.0, 0.0)], 0.0, 0, 0);
        for turn in &kinds.turns {
            let counted = turn.face.as_ref().is_none_or(|face| automaton.counts(face));
            let worth = turn.face.as_ref().filter(|_| counted).map_or(0, |face| automaton.worth(face));
            (low, high) = (low.min(worth), high.max(worth));
            matter += if counted && (worth != 0 || adds != Some(true)) { 1.0 } else { 0.0 };
            turns.push((matter, high as f64 - low as f64));
        }
        let tallied = if automaton.tallies() { n as f64 } else { 0.0 };
        Reads {
            n: n as f64,
            last: automaton.end(n, !kinds.descending) as f64,
            first: automaton.end(n, kinds.descending) as f64,
            placed: automaton.is_placed(),
            most: if automaton.tallies() { n as f64 } else { all as f64 },
            here: here as f64,
            turns,
            adds,
            all: automaton.keeps_all(),
            moves: here as f64 + tallied,
            size: 2.0 + if adds.is_none() { n as f64 } else { 0.0 },
        }
    }

    /// How many states there can be after so many turns and members.
    fn states(&self, turns: usize, passed: f64) -> f64 {
        let (faces, spread) = self.turns[turns];
        let begun = passed > self.n - self.last;
        let kept = match (begun, self.placed) {
            (false, _) => 0.0,
            (true, true) => (passed.min(self.first) - (self.n - self.last)).min(self.most),
            (true, false) => self.most.min(passed),
        };
        let most = match self.adds {
            None => 1e300,
            Some(false) => 2.0,
            Some(true) => spread * kept.min(self.here * faces) + 1.0,
        };
        choose_up_to(faces, kept, most).min((self.here + 1.0).powf(faces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::plain;
    use crate::dist::Dist;
    use crate::explain::Record;
    use crate::law::{Part, Source, Stage};
    use crate::map::HashMap;
    use crate::outcome::Outcome;
    use crate::question::Goal;
    use dashu_int::UBig;
    use std::rc::Rc;
    use tumble_core::prim::Prim;
    use tumble_core::{Budget, Limits, Value, prim};

    /// Dice with weighted faces; weight 0 is for a face that is not there, and the first is that of showing nothing.
    fn dice_of(kinds: &[(u64, &[u32])]) -> Bunch {
        let part = |(times, weights): &(u64, &[u32])| {
            let face = |n: usize| if n == 0 { Value::ints(&[]) } else { Value::ints(&[n as i64]) };
            let items = weights.iter().enumerate().filter(|(_, w)| **w > 0);
            let items = items.map(|(n, w)| (Outcome::Known(face(n)), UBig::from(*w))).collect();
            let den = UBig::from(weights.iter().sum::<u32>());
            Part { times: *times, source: Source::Each(Rc::new(Dist { den, items })) }
        };
        Bunch::pool(kinds.iter().map(part).collect())
    }

    fn desk() -> Desk<'static> {
        let (budget, record) = (Budget::new(Limits::default()), Record::new(false));
        Desk { budget, without: &[], iterations: None, probe: None, precision: 10, record, rounding: None }
    }

    fn stage(row: &'static Prim, args: Vec<Value>) -> Stage {
        Stage { row, args, against: None }
    }

    /// The weight of every outcome.
    fn table(joint: Joint) -> HashMap<Vec<Outcome>, UBig> {
        let mut all = HashMap::default();
        joint.items.into_iter().for_each(|(seen, weight)| *all.entry(seen).or_insert(UBig::ZERO) += weight);
        all
    }

    /// The meaning: every roll of one pool.
    fn listing(desk: &mut Desk<'_>, pool: &Bunch, views: &[View]) -> Joint {
        plain::run(desk, &Question::new(pool, views)).unwrap().unwrap().into()
    }

    /// The meaning: every roll of both pools.
    fn listed(desk: &mut Desk<'_>, pools: &[Bunch], views: &[Across]) -> HashMap<Vec<Outcome>, UBig> {
        let mut rolls: Vec<(Vec<Outcome>, UBig)> = vec![(vec![], UBig::ONE)];
        for pool in pools {
            let view = View { stages: pool.stages.clone(), goal: Goal::Members };
            let each = listing(desk, pool, &[view]).items;
            let joined = |(so_far, w): &(Vec<Outcome>, UBig)| {
                let one = |(roll, weight): &(Vec<Outcome>, UBig)| ([so_far.clone(), roll.clone()].concat(), w * weight);
                each.iter().map(one).collect::<Vec<_>>()
            };
            rolls = rolls.iter().flat_map(joined).collect();
        }
        let mut all = HashMap::default();
        for (roll, weight) in rolls {
            let shown = views.iter().map(|Across { view, of, with }| {
                let mut view = view.clone();
                for stage in &mut view.stages {
                    let Shape::Scan(scan) = stage.row.shape else { continue };
                    if let (Some(place), Some(with)) = (scan.against, with) {
                        stage.args[place] = roll[*with].known().unwrap().clone();
                    }
                }
                view.apply(&roll[*of], &mut desk.budget).unwrap()
            });
            *all.entry(shown.collect()).or_insert(UBig::ZERO) += weight;
        }
        all
    }

    #[test]
    fn views_of_two_pools_are_those_of_all_rolls() {
        let minus = || stage(&prim::MINUS, vec![Value::NOTHING, Value::NOTHING]);
        let keep = |row: &'static Prim, n: i64| stage(row, vec![Value::int(n), Value::NOTHING]);
        let chains = [
            (vec![minus()], Goal::Fold(&prim::COUNT)),
            (vec![minus()], Goal::Fold(&prim::SUM)),
            (vec![minus(), keep(&prim::LARGEST, 1)], Goal::Members),
            (vec![minus(), keep(&prim::BUT_LEAST, 1)], Goal::Fold(&prim::SUM)),
            (vec![keep(&prim::LEAST, 2), minus()], Goal::Members),
            (vec![minus(), keep(&prim::LESS, 2)], Goal::Fold(&prim::SOME)),
        ];
        let mut kept = dice_of(&[(3, &[0, 1, 1, 1, 1])]);
        kept.stages.push(keep(&prim::LARGEST, 2));
        let pools = [
            dice_of(&[(3, &[0, 1, 1, 1, 1])]),
            dice_of(&[(2, &[0, 1, 1, 1, 1]), (1, &[0, 2, 2])]),
            dice_of(&[(2, &[1, 1, 0, 3]), (1, &[0, 1, 1, 1])]),
            dice_of(&[(2, &[0, 1, 2, 3, 1]), (1, &[0, 0, 1, 1])]),
            kept,
        ];
        let mut desk = desk();
        for (a, b) in pools.iter().flat_map(|a| pools.iter().map(move |b| (a, b))) {
            let pools = [a.clone(), b.clone()];
            for (stages, goal) in &chains {
                let view = |stages: Vec<Stage>, goal: Goal| View { stages, goal };
                let across = Across { view: view(stages.clone(), goal.clone()), of: 0, with: Some(1) };
                let rest = Across { view: view(vec![], Goal::Fold(&prim::SUM)), of: 1, with: None };
                for views in [vec![across], vec![rest]] {
                    let got = table(run_joint(&mut desk, &pools, &views).unwrap().unwrap());
                    assert_eq!(got, listed(&mut desk, &pools, &views), "{:?} of {pools:?}", views[0].view);
                }
            }
            let pair = |of, with| Across { view: view_of_minus(), of, with: Some(with) };
            let views = [pair(0, 1), pair(1, 0)];
            let got = table(run_joint(&mut desk, &pools, &views).unwrap().unwrap());
            assert_eq!(got, listed(&mut desk, &pools, &views), "both ways of {pools:?}");
        }
    }

    fn view_of_minus() -> View {
        let stages = vec![stage(&prim::MINUS, vec![Value::NOTHING, Value::NOTHING])];
        View { stages, goal: Goal::Fold(&prim::SUM) }
    }

    /// Dice of many kinds in both directions, with and without a rest that shows nothing.
    #[test]
    fn views_of_many_kinds_are_those_of_all_rolls() {
        let keep = |row: &'static Prim, n: i64| stage(row, vec![Value::int(n), Value::NOTHING]);
        let whole = |row: &'static Prim| stage(row, vec![Value::NOTHING]);
        let chains = [
            (vec![], Goal::Members),
            (vec![keep(&prim::LEAST, 2)], Goal::Fold(&prim::SUM)),
            (vec![keep(&prim::LARGEST, 3), keep(&prim::BUT_LARGEST, 1), whole(&prim::MAXIMAL)], Goal::Members),
            (vec![whole(&prim::DIFFERENT), keep(&prim::BUT_LEAST, 1)], Goal::Fold(&prim::COUNT)),
            (vec![keep(&prim::LIFT, 2), whole(&prim::MINIMAL)], Goal::Fold(&prim::COUNT)),
            (vec![keep(&prim::LESS, 1), keep(&prim::LARGEST, 2)], Goal::Fold(&prim::SUM)),
            (
                vec![
                    stage(&prim::TALLY, vec![Value::ints(&[1, 3, 3, 9]), Value::NOTHING]),
                    stage(&prim::BAG, vec![Value::NOTHING]),
                ],
                Goal::Members,
            ),
        ];
        let own: [(u64, &[u32]); 7] = [
            (1, &[0, 1, 1, 1, 1, 1]),
            (1, &[0, 1, 1, 1]),
            (1, &[0, 2, 2]),
            (2, &[0, 1, 2]),
            (1, &[2, 0, 1, 1]),
            (1, &[0, 0, 0, 1, 1]),
            (1, &[0, 1]),
        ];
        let mut desk = desk();
        for pool in [dice_of(&own), dice_of(&own[..4]), dice_of(&own[2..]), dice_of(&[])] {
            for (stages, goal) in &chains {
                let views = [
                    View { stages: stages.clone(), goal: goal.clone() },
                    View { stages: vec![], goal: Goal::Fold(&prim::SUM) },
                ];
                for views in [&views[..1], &views] {
                    let got = table(run(&mut desk, &Question::new(&pool, views)).unwrap().unwrap().into());
                    assert_eq!(got, table(listing(&mut desk, &pool, views)), "{views:?} of {pool:?}");
                }
            }
        }
    }
}
