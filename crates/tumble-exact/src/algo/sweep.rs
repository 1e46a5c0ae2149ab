//! The table of a sweep over faces: weights by dice left and state, in the lane that the final denominator needs.
//!
//! An index is a mixed-radix number of how many dice of each [family](Kinds) are left and how many of each pool show nothing.
//! At a face the families show it one after the other, which adds up their costs instead of multiplying them: all but
//! the last are [split](Sweep::split) into those that show it, counted in a further digit for each pool, and the others.
//! With the last the automata [read](Sweep::read) how many dice of each pool show the face. When nothing more can stay, the
//! dice that are left only count with all their weight.

use crate::algo::automaton::Automaton;
use crate::algo::kinds::{Family, Kinds, Show, Turn};
use crate::algo::product::{Product, UNKNOWN};
use crate::dice::{Dice, Face, Group, mass};
use crate::map::HashMap;
use crate::method::Desk;
use crate::outcome::{Outcome, Stop};
use crate::question::Joint;
use crate::weight::{Weight, binomials, cost_of, first_binomials, powers};
use dashu_int::UBig;
use tumble_core::prim::Rank;
use tumble_core::{Budget, Fault, Value};

/// One digit of an index.
#[derive(Clone, Copy)]
struct Axis {
    stride: usize,
    radix: usize,
}

impl Axis {
    fn digit(self, index: usize) -> usize {
        index / self.stride % self.radix
    }
}

/// The digits of an index: dice left of each family, dice of each pool that show nothing, and while a face is read,
/// dice of each pool that show it.
pub(crate) struct Axes {
    left: Vec<Axis>,
    gone: Vec<Axis>,
    here: Vec<Axis>,
    /// How many cells there are without the last digits, and with them.
    cells: usize,
    all: usize,
}

impl Axes {
    /// None if there are more cells than can be gone through.
    pub(crate) fn of(kinds: &Kinds, pools: &[&Dice], desk: &Desk<'_>) -> Option<Axes> {
        let mut all = 1usize;
        let mut axis = |most: u64| {
            let (stride, radix) = (all, usize::try_from(most).ok()?.checked_add(1)?);
            all = all.checked_mul(radix)?;
            Some(Axis { stride, radix })
        };
        let left = kinds.families.iter().map(|family| axis(family.count)).collect::<Option<Vec<_>>>()?;
        let gone = pools.iter().map(|dice| axis(dice.may_go())).collect::<Option<Vec<_>>>()?;
        let here = pools.iter().map(|dice| axis(dice.count())).collect::<Option<Vec<_>>>()?;
        let cells = here.first().map_or(1, |axis| axis.stride);
        // With one family, how many dice show a face follows from how many are left.
        let held = if kinds.families.len() > 1 { all } else { cells };
        let limits = desk.budget.limits();
        let most = (limits.bytes / 64).min(limits.steps / (1 + kinds.turns.len() as u64));
        (held as u64 <= most).then_some(Axes { left, gone, here, cells, all })
    }
}

/// How many members stay is kept for this many indices.
const MOST_STAYS: usize = 1 << 20;

/// One family at one face.
struct Showing<W> {
    dealt: bool,
    /// The powers of the weight of the face; of cards, in how many ways some of its copies are dealt.
    powers: Vec<W>,
}

/// The states of one cell with their weights.
type Row<W> = Vec<(u32, W)>;

/// A cell that is added to: the weights by state, and the states that have one.
struct Sums<'a, W> {
    product: Product<'a>,
    weights: Vec<W>,
    states: Vec<u32>,
    bits: u64,
}

/// Steps to add so many products of weights of this size: a quarter of one each, and long numbers take what their digits
/// take.
pub(crate) fn products(count: f64, bits: u64) -> f64 {
    let words = bits as f64 / 64.0;
    count * f64::max(0.25, words * words / 4600.0)
}

impl<W: Weight> Sums<'_, W> {
    fn add(&mut self, row: &Row<W>, ways: &W, by: Option<usize>, budget: &mut Budget) -> Result<(), Stop> {
        budget.step(1 + products(row.len() as f64, self.bits) as u64)?;
        for (from, weight) in row {
            let to = match by {
                Some(by) => self.product.lead(*from, by, budget)?,
                None => *from,
            };
            if self.weights.len() <= to as usize {
                self.weights.resize(self.product.len(), W::zero());
            }
            let sum = &mut self.weights[to as usize];
            if sum.is_nothing() {
                self.states.push(to);
            }
            sum.add_product(weight, ways);
        }
        Ok(())
    }

    fn take(&mut self) -> Row<W> {
        let sums = &mut self.weights;
        self.states.drain(..).map(|state| (state, std::mem::replace(&mut sums[state as usize], W::zero()))).collect()
    }
}

/// The table between two faces.
struct Sweep<'a, W> {
    kinds: &'a Kinds,
    automata: &'a [Automaton<'a>],
    axes: Axes,
    rows: Vec<Row<W>>,
    sums: Sums<'a, W>,
    /// The dice of each pool, and those of them that have entered.
    dice: Vec<u64>,
    inside: Vec<u64>,
    /// The weight of the faces that each family has left, and that of all dice that have not entered.
    whole: Vec<UBig>,
    outside: UBig,
    /// How many members stay by index, while that depends on nothing else; see [`Product::stays`].
    stays: Vec<u32>,
    /// `C(n, k)`, by n where it was needed.
    ways: Vec<Vec<W>>,
    /// The weights of states in which nothing more stayed.
    over: Vec<W>,
    bits: u64,
}

/// The joint distribution of what the automata show after the last face.
pub(crate) fn swept<W: Weight>(
    desk: &mut Desk<'_>,
    pools: &[&Dice],
    kinds: &Kinds,
    axes: Axes,
    automata: &[Automaton<'_>],
    bits: u64,
) -> Result<Joint, Stop> {
    let shown = kinds.turns.iter().filter_map(|turn| match &turn.face {
        Some(Face::Shows(value)) => Some(value),
        _ => None,
    });
    let faces: Vec<&Value> = shown.collect();
    let product = Product::new(automata, &faces, &mut desk.budget)?;
    let mut rows: Vec<Row<W>> = vec![vec![]; axes.cells];
    rows[0].push((0, W::narrow(&UBig::ONE)));
    let most = kinds.families.iter().map(|family| family.count as usize).max().unwrap_or(0);
    let mut sweep = Sweep {
        kinds,
        automata,
        axes,
        rows,
        sums: Sums { product, weights: vec![], states: vec![], bits },
        dice: pools.iter().map(|dice| dice.count()).collect(),
        inside: vec![0; pools.len()],
        whole: vec![UBig::ZERO; kinds.families.len()],
        outside: pools.iter().flat_map(|dice| &dice.groups).map(Group::whole).product(),
        stays: vec![],
        ways: vec![vec![]; most + 1],
        over: vec![],
        bits,
    };
    let (nothing, faces) = kinds.turns.split_at(usize::from(kinds.turns.first().is_some_and(|t| t.face.is_none())));
    nothing.iter().try_for_each(|turn| sweep.turn(turn, desk))?;
    sweep.check(desk)?;
    faces.iter().try_for_each(|turn| sweep.turn(turn, desk))?;
    sweep.finish(desk, pools)
}

impl<W: Weight> Sweep<'_, W> {
    /// Rows that fail for a number of members that can be.
    fn check(&self, desk: &mut Desk<'_>) -> Result<(), Stop> {
        for (cell, _) in self.rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            for automaton in self.automata {
                automaton.check(self.members(cell, automaton.of), &mut desk.budget)?;
            }
        }
        Ok(())
    }

    /// How many members a pool has.
    fn members(&self, cell: usize, pool: usize) -> u64 {
        self.dice[pool] - self.axes.gone[pool].digit(cell) as u64
    }

    /// How many of them have not shown their face.
    fn ahead(&self, cell: usize, pool: usize) -> u64 {
        let own = self.kinds.families.iter().zip(&self.axes.left).filter(|(family, _)| family.pool == pool);
        self.dice[pool] - self.inside[pool] + own.map(|(_, axis)| axis.digit(cell) as u64).sum::<u64>()
    }

    fn turn(&mut self, turn: &Turn, desk: &mut Desk<'_>) -> Result<(), Stop> {
        turn.shows.iter().for_each(|show| self.enter(show));
        if let Some(face) = &turn.face {
            self.settle(desk)?;
            let alike = self.sums.product.look_at(face);
            if !alike || turn.shows.iter().any(|show| !show.enter.is_empty()) {
                self.stays.clear();
            }
            self.stays.resize(if alike { self.axes.all.min(MOST_STAYS) } else { 0 }, UNKNOWN);
        }
        for (place, show) in turn.shows.iter().enumerate() {
            let pool = self.kinds.families[show.family].pool;
            if turn.face.is_none() {
                self.split(show, self.axes.gone[pool], self.axes.cells, desk)?;
            } else if place + 1 < turn.shows.len() {
                self.split(show, self.axes.here[pool], self.axes.all, desk)?;
            } else {
                self.read(show, self.axes.here[pool], desk)?;
            }
            self.whole[show.family] = &show.whole - &show.weight;
            self.sums.product.forget(self.rows.iter().flatten().map(|(state, _)| *state));
            self.holdable(desk)?;
        }
        Ok(())
    }

    /// Dice whose first face comes join those of their family.
    fn enter(&mut self, show: &Show) {
        let (axis, family) = (self.axes.left[show.family], &self.kinds.families[show.family]);
        self.whole[show.family] = show.whole.clone();
        let (mut entered, mut factor) = (0, UBig::ONE);
        for (count, shared) in &show.enter {
            factor *= shared.pow(*count as usize);
            self.outside /= mass(family.dealt, &(shared * &show.whole), *count);
            entered += *count as usize;
        }
        if entered == 0 {
            return;
        }
        self.inside[family.pool] += entered as u64;
        let plain = factor.is_one() && show.each.is_one();
        for cell in (0..self.axes.cells).rev().filter(|cell| axis.digit(*cell) + entered < axis.radix) {
            let mut row = std::mem::take(&mut self.rows[cell]);
            if !plain && !row.is_empty() {
                let factor = W::narrow(&(show.each.pow(axis.digit(cell)) * &factor));
                row.iter_mut().for_each(|(_, weight)| *weight = weight.times(&factor));
            }
            self.rows[cell + entered * axis.stride] = row;
        }
    }

    /// Cells in which nothing more can stay are done with.
    fn settle(&mut self, desk: &mut Desk<'_>) -> Result<(), Stop> {
        for cell in 0..self.axes.cells {
            let over = |automaton: &Automaton<'_>| {
                let (n, ahead) = (self.members(cell, automaton.of), self.ahead(cell, automaton.of));
                automaton.is_over(n - ahead, n, self.kinds.descending)
            };
            if !self.rows[cell].is_empty() && self.automata.iter().all(over) {
                let families = self.kinds.families.iter().zip(&self.whole).zip(&self.axes.left);
                let whole = families.map(|((family, whole), axis)| mass(family.dealt, whole, axis.digit(cell) as u64));
                let rest = W::narrow(&whole.fold(self.outside.clone(), |all, whole| all * whole));
                desk.budget.step(1 + self.rows[cell].len() as u64 / 4)?;
                self.done(cell, &rest);
            }
        }
        Ok(())
    }

    /// The states of a cell stay what they are, whatever the dice that are left show.
    fn done(&mut self, cell: usize, rest: &W) {
        self.over.resize(self.sums.product.len(), W::zero());
        for (state, weight) in std::mem::take(&mut self.rows[cell]) {
            self.over[state as usize].add_product(&weight, rest);
        }
    }

    /// The ways for so many of the dice of a family that are left to show a face.
    fn ways(&mut self, left: usize, shows: usize, show: &Showing<W>, desk: &mut Desk<'_>) -> Result<W, Stop> {
        if show.dealt {
            return Ok(show.powers.get(shows).cloned().unwrap_or_else(W::zero));
        }
        if self.ways[left].is_empty() {
            desk.budget.step((left as u64 / 2).saturating_mul(cost_of(self.bits)))?;
            self.ways[left] = binomials(left as u64).iter().map(W::narrow).collect();
        }
        Ok(self.ways[left][shows].times(&show.powers[shows]))
    }

    /// The digit of a family, what it shows, and the indices below `size` that can be reached: all its dice show their
    /// last face.
    fn shown(&self, show: &Show, size: usize) -> (Axis, Showing<W>, impl Iterator<Item = usize> + use<W>) {
        let (own, last) = (self.axes.left[show.family], show.whole == show.weight);
        let Family { count, dealt, .. } = self.kinds.families[show.family];
        let powers = match dealt {
            true => first_binomials(u64::try_from(&show.weight).unwrap_or(u64::MAX), count),
            false => powers(&show.weight, count),
        };
        let showing = Showing { dealt, powers: powers.iter().map(W::narrow).collect() };
        (own, showing, (0..size).filter(move |target| !last || own.digit(*target) == 0))
    }

    /// Some of the dice of a family that are left show a face, and are counted along an axis.
    fn split(&mut self, show: &Show, axis: Axis, size: usize, desk: &mut Desk<'_>) -> Result<(), Stop> {
        let (own, showing, targets) = self.shown(show, size);
        let mut rows = std::mem::take(&mut self.rows);
        rows.resize(size, vec![]);
        self.rows.resize(size, vec![]);
        desk.budget.step(size as u64 / 16)?;
        for target in targets {
            let (left, here) = (own.digit(target), axis.digit(target));
            for shows in 0..=here.min(own.radix - 1 - left) {
                let row = &rows[target - shows * axis.stride + shows * own.stride];
                if !row.is_empty() {
                    let ways = self.ways(left + shows, shows, &showing, desk)?;
                    if ways.is_nothing() {
                        continue;
                    }
                    self.sums.add(row, &ways, None, &mut desk.budget)?;
                }
            }
            self.rows[target] = self.sums.take();
        }
        Ok(())
    }

    /// The last family shows a face, and the automata read how many dice of each pool did.
    fn read(&mut self, show: &Show, axis: Axis, desk: &mut Desk<'_>) -> Result<(), Stop> {
        let cells = self.axes.cells;
        let (own, showing, targets) = self.shown(show, cells);
        let rows = std::mem::take(&mut self.rows);
        self.rows.resize(cells, vec![]);
        for target in targets {
            let left = own.digit(target);
            desk.budget.step(((own.radix - left) * (rows.len() / cells)) as u64 / 16)?;
            for shows in 0..own.radix - left {
                let sources = (target + shows * own.stride..rows.len()).step_by(cells);
                for source in sources.filter(|source| !rows[*source].is_empty()) {
                    let ways = self.ways(left + shows, shows, &showing, desk)?;
                    if ways.is_nothing() {
                        continue;
                    }
                    let stays = self.stays(source - shows * own.stride + shows * axis.stride, desk)?;
                    let by = self.sums.product.by(stays, &mut desk.budget)?;
                    self.sums.add(&rows[source], &ways, by, &mut desk.budget)?;
                }
            }
            self.rows[target] = self.sums.take();
        }
        Ok(())
    }

    /// How many members stay, if so many dice of each pool show the face and so many are left.
    fn stays(&mut self, index: usize, desk: &mut Desk<'_>) -> Result<u32, Stop> {
        if let Some(known) = self.stays.get(index).filter(|known| **known != UNKNOWN) {
            return Ok(*known);
        }
        let rank = |pool: usize| {
            let (here, ahead) = (self.axes.here[pool].digit(index) as u64, self.ahead(index, pool));
            let passed = self.members(index, pool) - ahead - here;
            let (below, above) = if self.kinds.descending { (ahead, passed) } else { (passed, ahead) };
            Rank { below, here, above }
        };
        let ranks: Vec<Rank> = (0..self.dice.len()).map(rank).collect();
        let stays = self.sums.product.stays(&ranks, &mut desk.budget)?;
        if let Some(place) = self.stays.get_mut(index) {
            *place = stays;
        }
        Ok(stays)
    }

    /// Refuses a table that has grown too large.
    fn holdable(&self, desk: &Desk<'_>) -> Result<(), Stop> {
        let states: u64 = self.rows.iter().map(|row| row.len() as u64).sum();
        let bytes = states.saturating_mul(size_of::<(u32, W)>() as u64 + self.bits / 16);
        if bytes.saturating_add(self.sums.product.bytes) <= desk.budget.limits().bytes / 4 {
            return Ok(());
        }
        let message = format!("this needs {states} states at once, which is too many");
        Err(Fault::limit(message)
            .hint("use fewer dice, or ask for less, such as a sum, a count, or the largest few")
            .into())
    }

    fn finish(mut self, desk: &mut Desk<'_>, pools: &[&Dice]) -> Result<Joint, Stop> {
        (0..self.axes.cells).for_each(|cell| self.done(cell, &W::narrow(&UBig::ONE)));
        let mut items = Vec::new();
        let mut listed = UBig::ZERO;
        for (state, weight) in self.over.into_iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
            let weight = weight.widen();
            listed += &weight;
            items.push((self.sums.product.shown(state as u32, &mut desk.budget)?, weight));
        }
        let den: UBig = pools.iter().map(|dice| dice.den()).product();
        if let Some(beyond) = pools.iter().filter_map(|dice| dice.beyond.clone()).max() {
            items.push((vec![beyond; self.automata.len()], &den - listed));
        } else if self.automata.iter().all(Automaton::is_plain) {
            return Ok(Joint { den, items });
        }
        let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
        items.into_iter().for_each(|(seen, weight)| *weights.entry(seen).or_insert(UBig::ZERO) += weight);
        Ok(Joint::new(weights, den))
    }
}
