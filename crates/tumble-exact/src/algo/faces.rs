//! Views of dice by dynamic programming over the faces in order.
//!
//! Meaning: list every roll and look at it. Accepts dice, and any views: each is an [`Automaton`] that reads a face and how
//! many dice show it; several views are their [`Product`]. The table is indexed by how many dice of each
//! [family](Kinds) are left, a mixed-radix number, and holds the weights of the states of the product. At a face the families
//! show it one after the other, so that their costs add up and do not multiply; then the automata read how many dice
//! of each pool showed it. When nothing more can stay, the dice that are left only count with all their weight. Several
//! pools at once are families that are counted apart. A view of all members is a listing of the multisets.
//!
//! Cost: faces × cells of the table × dice / 2 × states, in the lane that the final denominator needs.

use crate::algo::automaton::Automaton;
use crate::algo::dice::{Dice, Face, Group, dice};
use crate::algo::kinds::{Family, Kinds, Show, Turn};
use crate::algo::product::Product;
use crate::cost::choose;
use crate::explain::Cost;
use crate::law::Bunch;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use crate::weight::{Weight, binomials, cost_of, in_lane, powers};
use dashu_int::UBig;
use tumble_core::prim::{Merge, Prim, Rank, Shape};
use tumble_core::{Budget, Fault, Value};

/// The joint distribution of the views.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let automata: Vec<Automaton<'_>> = views.iter().map(|view| Automaton::new(view, 0)).collect();
    answered(desk, &[dice], &automata)
}

/// A view of one of several pools; a row that compares it with a second collection takes pool number `with` for that.
pub(crate) struct Across {
    pub(crate) view: View,
    pub(crate) of: usize,
    pub(crate) with: Option<usize>,
}

/// The joint distribution of views of several independent pools.
pub(crate) fn run_joint(desk: &mut Desk<'_>, pools: &[Bunch], views: &[Across]) -> Result<Option<Joint>, Stop> {
    let Some(dice) = pools.iter().map(dice).collect::<Option<Vec<Dice>>>() else { return Ok(None) };
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
        Some(automata) => answered(desk, &dice, &automata),
        None => Ok(None),
    }
}

fn answered(desk: &mut Desk<'_>, pools: &[Dice], automata: &[Automaton<'_>]) -> Result<Option<Joint>, Stop> {
    let mut faces = pools.iter().flat_map(|dice| &dice.groups).flat_map(|group| group.faces.keys());
    let far = faces.any(|face| !matches!(face, Face::Shows(_)));
    if far && automata.iter().any(Automaton::compares) {
        return Ok(None);
    }
    affordable(desk, pools, automata)?;
    let bits = pools.iter().map(Dice::bits).fold(0, u64::saturating_add);
    desk.budget.step(bits / 4)?;
    let kinds = ordered(pools, automata);
    let Some(axes) = Axes::of(&kinds, pools, desk) else { return Ok(None) };
    in_lane!(bits, swept, desk, pools, &kinds, axes, automata, bits).map(Some)
}

/// The faces in the order that makes the smaller table, and comes to an end sooner.
fn ordered(pools: &[Dice], automata: &[Automaton<'_>]) -> Kinds {
    let end = |descending: bool| {
        let of_one = |automaton: &Automaton<'_>| {
            let n = count(&pools[automaton.of]);
            let (mut open, mut over) = (0, n);
            while open < over {
                let middle = open + (over - open) / 2;
                if automaton.is_over(middle, n, descending) { over = middle } else { open = middle + 1 }
            }
            over
        };
        automata.iter().map(of_one).max().unwrap_or(0) + 1
    };
    let (up, down) = (end(false), end(true));
    if let [dice] = pools
        && dice.groups.len() < 2
    {
        return Kinds::of(pools, down < up);
    }
    let cost = |kinds: &Kinds, end: u64| {
        kinds.families.iter().fold(u128::from(end), |cells, family| cells.saturating_mul(u128::from(family.count) + 1))
    };
    let both = [Kinds::of(pools, false), Kinds::of(pools, true)];
    let [ascending, descending] = both;
    if cost(&descending, down) < cost(&ascending, up) { descending } else { ascending }
}

fn count(dice: &Dice) -> u64 {
    dice.groups.iter().map(|group| group.count).fold(0, u64::saturating_add)
}

/// Whether a view is of all members, so that its states are the collections themselves.
pub(crate) fn lists(views: &[View]) -> bool {
    views.iter().any(|view| Automaton::new(view, 0).lists())
}

/// Refuses before it starts what cannot be listed.
fn affordable(desk: &Desk<'_>, pools: &[Dice], automata: &[Automaton<'_>]) -> Result<(), Stop> {
    let [dice] = pools else { return Ok(()) };
    let [group] = dice.groups.as_slice() else { return Ok(()) };
    if !automata.iter().any(Automaton::lists) {
        return Ok(());
    }
    let (count, faces) = (group.count, group.faces.len() as u64 + u64::from(!group.nothing.is_zero()));
    let mut collections = 1u128;
    for i in 1..faces {
        collections = collections.saturating_mul(u128::from(count + i)) / u128::from(i);
        if collections > u128::from(u64::MAX) {
            break;
        }
    }
    let bytes = collections.saturating_mul(u128::from(count) * 24 + 96);
    if bytes <= u128::from(desk.budget.limits().bytes / 4) {
        return Ok(());
    }
    let message = format!(
        "listing all collections of {count} dice with {faces} faces takes {collections} rows, which is too many"
    );
    Err(Fault::limit(message).hint("ask for less, such as their sum, count, min, max, or the largest few").into())
}

/// What an answer costs at most, from closed forms.
pub(crate) fn price(bunch: &Bunch, views: &[View]) -> Option<Cost> {
    let pools = [dice(bunch)?];
    let automata: Vec<Automaton<'_>> = views.iter().map(|view| Automaton::new(view, 0)).collect();
    let (kinds, n) = (ordered(&pools, &automata), count(&pools[0]) as f64);
    let (faces, long) = (kinds.turns.len() as f64, pools[0].bits());
    let every = choose(faces, n);
    let (mut seen, mut moves, mut size) = (1.0, 1.0, 0.0);
    for automaton in &automata {
        let (states, choices) = situations(automaton, &kinds, n as u64);
        (seen, moves) = (seen * states, moves * choices);
        size += 2.0 + if automaton.fold().is_none() { n } else { 0.0 };
    }
    let (seen, moves) = (f64::min(seen, every), f64::min(moves, (n + 1.0).powi(2)));
    let gone =
        pools[0].groups.iter().filter(|group| !group.nothing.is_zero()).map(|group| group.count as f64).sum::<f64>();
    let radix = |family: &Family| family.count as f64 + 1.0;
    let cells = kinds.families.iter().map(radix).product::<f64>() * (gone + 1.0);
    // With one family, how many dice show a face follows from how many are left.
    let layers = if kinds.families.len() > 1 { n + 1.0 } else { 1.0 };
    let walks: f64 = kinds.families.iter().map(|family| cells * layers * (radix(family) + 1.0) / 2.0).sum();
    let asked = cells * (n + 1.0) * (1.0 + 5.0 * views.len() as f64);
    let learnt = seen * moves * (10.0 + 3.0 * size) / 2.0;
    let steps = faces * (asked + walks * (1.0 + seen / 8.0) + learnt) + n * n * cost_of(long) as f64 / 4.0;
    let bytes = (cells * seen).min(every * layers) * (16.0 + long as f64 / 8.0) + seen * (96.0 + 24.0 * size);
    let whole = |n: f64| n.ceil().min(u64::MAX as f64) as u64;
    Some(Cost { steps: whole(steps + every.min(seen) * 4.0 * size + 60.0 * size), bytes: whole(bytes) })
}

/// How many states an automaton can have, and how many different numbers of members it can keep of a face.
fn situations(automaton: &Automaton<'_>, kinds: &Kinds, n: u64) -> (f64, f64) {
    let (all, here) = automaton.holds(n);
    let (all, here, faces) = (all as f64, here as f64, kinds.turns.len() as f64);
    let lists = choose(faces, all).min((here + 1.0).powf(faces));
    let states = match automaton.fold() {
        None => lists,
        Some(Prim { shape: Shape::Fold(Merge::Add), .. }) => {
            let shown = kinds.turns.iter().filter_map(|turn| turn.face.as_ref());
            let (low, high) = shown.map(|face| automaton.worth(face)).fold((0, 0), |(a, b), n| (a.min(n), b.max(n)));
            lists.min((high as f64 - low as f64) * all.min(here * faces) + 2.0)
        }
        Some(_) => 2.0,
    };
    (states, here + if automaton.tallies() { n as f64 } else { 0.0 })
}

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
struct Axes {
    left: Vec<Axis>,
    gone: Vec<Axis>,
    here: Vec<Axis>,
    /// How many cells there are between faces.
    cells: usize,
    /// How many there are with the last digits.
    all: usize,
}

impl Axes {
    /// None if there would be more than can be gone through.
    fn of(kinds: &Kinds, pools: &[Dice], desk: &Desk<'_>) -> Option<Axes> {
        let mut all = 1usize;
        let limits = desk.budget.limits();
        let most = usize::try_from((limits.bytes / 64).min(limits.steps / (1 + kinds.turns.len() as u64))).ok()?;
        let mut axis = |most_digit: u64| {
            let (stride, radix) = (all, usize::try_from(most_digit).ok()?.checked_add(1)?);
            all = all.checked_mul(radix)?;
            Some(Axis { stride, radix })
        };
        let may_go = |dice: &Dice| dice.groups.iter().filter(|group| !group.nothing.is_zero()).map(|g| g.count).sum();
        let left = kinds.families.iter().map(|family| axis(family.count)).collect::<Option<Vec<_>>>()?;
        let gone = pools.iter().map(|dice| axis(may_go(dice))).collect::<Option<Vec<_>>>()?;
        let cells = gone.last().map_or(1, |axis| axis.stride * axis.radix);
        let here = pools.iter().map(|dice| axis(count(dice))).collect::<Option<Vec<_>>>()?;
        // With one family, how many dice show a face follows from how many are left.
        let held = if kinds.families.len() > 1 { all } else { cells };
        (held <= most).then_some(Axes { left, gone, here, cells, all })
    }
}

/// The states of one cell with their weights.
type Row<W> = Vec<(u32, W)>;

/// A cell that is added to.
struct Sums<'a, W> {
    product: Product<'a>,
    by_state: Vec<W>,
    states: Vec<u32>,
}

impl<W: Weight> Sums<'_, W> {
    fn add(&mut self, row: &Row<W>, ways: &W, by: Option<usize>, budget: &mut Budget) -> Result<(), Stop> {
        budget.step(1 + row.len() as u64 / 4)?;
        for (from, weight) in row {
            let to = match by {
                Some(by) => self.product.lead(*from, by, budget)?,
                None => *from,
            };
            if self.by_state.len() <= to as usize {
                self.by_state.resize(self.product.len(), W::zero());
            }
            let sum = &mut self.by_state[to as usize];
            if sum.is_nothing() {
                self.states.push(to);
            }
            sum.add_product(weight, ways);
        }
        Ok(())
    }

    fn take(&mut self) -> Row<W> {
        let sums = &mut self.by_state;
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
    /// `C(n, k)`, by n where it was needed.
    ways: Vec<Vec<W>>,
    /// The weights of states in which nothing more stayed.
    over: Vec<W>,
    bits: u64,
}

fn swept<W: Weight>(
    desk: &mut Desk<'_>,
    pools: &[Dice],
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
    let (dice, inside): (Vec<u64>, _) = (pools.iter().map(count).collect(), vec![0; pools.len()]);
    let most = kinds.families.iter().map(|family| family.count).max().unwrap_or(0) as usize;
    let (whole, ways) = (vec![UBig::ZERO; kinds.families.len()], vec![vec![]; most + 1]);
    let outside = pools.iter().flat_map(|dice| &dice.groups).map(Group::whole).product();
    let sums = Sums { product, by_state: vec![], states: vec![] };
    let mut sweep = Sweep { kinds, automata, axes, rows, sums, dice, inside, whole, outside, ways, over: vec![], bits };
    let (nothing, faces) = kinds.turns.split_at(kinds.turns.iter().take_while(|turn| turn.face.is_none()).count());
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

    /// How many dice of a pool are still to show something.
    fn ahead(&self, cell: usize, pool: usize) -> u64 {
        let own = self.kinds.families.iter().zip(&self.axes.left).filter(|(family, _)| family.pool == pool);
        self.dice[pool] - self.inside[pool] + own.map(|(_, axis)| axis.digit(cell) as u64).sum::<u64>()
    }

    fn turn(&mut self, turn: &Turn, desk: &mut Desk<'_>) -> Result<(), Stop> {
        turn.shows.iter().for_each(|show| self.enter(show));
        if let Some(face) = &turn.face {
            self.settle(desk)?;
            self.sums.product.look_at(face);
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
        }
        Ok(())
    }

    /// Dice whose first face comes join those of their family.
    fn enter(&mut self, show: &Show) {
        let axis = self.axes.left[show.family];
        self.whole[show.family] = show.whole.clone();
        let (mut entered, mut factor) = (0, UBig::ONE);
        for (count, shared) in &show.enter {
            factor *= shared.pow(*count as usize);
            self.outside /= (shared * &show.whole).pow(*count as usize);
            entered += *count as usize;
        }
        if entered == 0 {
            return;
        }
        self.inside[self.kinds.families[show.family].pool] += entered as u64;
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
            if self.rows[cell].is_empty() || !self.automata.iter().all(over) {
                continue;
            }
            let whole = self.whole.iter().zip(&self.axes.left).map(|(whole, axis)| whole.pow(axis.digit(cell)));
            let rest = W::narrow(&whole.fold(self.outside.clone(), |all, whole| all * whole));
            desk.budget.step(1 + self.rows[cell].len() as u64 / 4)?;
            self.done(cell, &rest);
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
    fn ways(&mut self, left: usize, show: usize, powers: &[W], desk: &mut Desk<'_>) -> Result<W, Stop> {
        if self.ways[left].is_empty() {
            desk.budget.step((left as u64 / 2).saturating_mul(cost_of(self.bits)))?;
            self.ways[left] = binomials(left as u64).iter().map(W::narrow).collect();
        }
        Ok(self.ways[left][show].times(&powers[show]))
    }

    fn powers(&self, show: &Show) -> Vec<W> {
        powers(&show.weight, self.kinds.families[show.family].count).iter().map(W::narrow).collect()
    }

    /// Some of the dice of a family that are left show a face, and are counted along an axis; at the last face, all do.
    fn split(&mut self, show: &Show, axis: Axis, size: usize, desk: &mut Desk<'_>) -> Result<(), Stop> {
        let (own, last, powers) = (self.axes.left[show.family], show.whole == show.weight, self.powers(show));
        self.rows.resize(size, vec![]);
        let rows = std::mem::take(&mut self.rows);
        let mut next = vec![vec![]; size];
        desk.budget.step(size as u64 / 16)?;
        for target in (0..size).filter(|target| !last || own.digit(*target) == 0) {
            let (left, here) = (own.digit(target), axis.digit(target));
            for shows in 0..=here.min(own.radix - 1 - left) {
                let row = &rows[target - shows * axis.stride + shows * own.stride];
                if !row.is_empty() {
                    let ways = self.ways(left + shows, shows, &powers, desk)?;
                    self.sums.add(row, &ways, None, &mut desk.budget)?;
                }
            }
            next[target] = self.sums.take();
        }
        self.rows = next;
        self.holdable(desk)
    }

    /// The last family shows a face, and the automata read how many dice of each pool did.
    fn read(&mut self, show: &Show, axis: Axis, desk: &mut Desk<'_>) -> Result<(), Stop> {
        let (own, last, powers) = (self.axes.left[show.family], show.whole == show.weight, self.powers(show));
        let (rows, cells) = (std::mem::take(&mut self.rows), self.axes.cells);
        let mut next = vec![vec![]; cells];
        let mut moves: Vec<Option<Option<usize>>> = vec![];
        for target in (0..cells).filter(|target| !last || own.digit(*target) == 0) {
            let left = own.digit(target);
            desk.budget.step(((own.radix - left) * (rows.len() / cells)) as u64 / 16)?;
            moves.clear();
            moves.resize(self.axes.all / cells, None);
            for shows in 0..own.radix - left {
                for source in (target + shows * own.stride..rows.len()).step_by(cells) {
                    if rows[source].is_empty() {
                        continue;
                    }
                    let here = source - shows * own.stride + shows * axis.stride;
                    let by = match moves[here / cells] {
                        Some(by) => by,
                        None => self.by(target, here, desk)?,
                    };
                    moves[here / cells] = Some(by);
                    let ways = self.ways(left + shows, shows, &powers, desk)?;
                    self.sums.add(&rows[source], &ways, by, &mut desk.budget)?;
                }
            }
            next[target] = self.sums.take();
        }
        self.rows = next;
        self.holdable(desk)
    }

    /// The move in a cell if so many dice of each pool show the face.
    fn by(&mut self, cell: usize, here: usize, desk: &mut Desk<'_>) -> Result<Option<usize>, Stop> {
        let rank = |pool: usize| {
            let (here, ahead) = (self.axes.here[pool].digit(here) as u64, self.ahead(cell, pool));
            let passed = self.members(cell, pool) - ahead - here;
            match self.kinds.descending {
                true => Rank { below: ahead, here, above: passed, other: 0 },
                false => Rank { below: passed, here, above: ahead, other: 0 },
            }
        };
        let ranks: Vec<Rank> = (0..self.dice.len()).map(rank).collect();
        self.sums.product.by(&ranks, &mut desk.budget)
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

    fn finish(mut self, desk: &mut Desk<'_>, pools: &[Dice]) -> Result<Joint, Stop> {
        (0..self.axes.cells).for_each(|cell| self.done(cell, &W::narrow(&UBig::ONE)));
        let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
        let mut listed = UBig::ZERO;
        for (state, weight) in self.over.into_iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
            let weight = weight.widen();
            listed += &weight;
            *weights.entry(self.sums.product.shown(state as u32, &mut desk.budget)?).or_insert(UBig::ZERO) += weight;
        }
        let den: UBig = pools.iter().map(Dice::den).product();
        if let Some(beyond) = pools.iter().filter_map(|dice| dice.beyond.clone()).max() {
            *weights.entry(vec![beyond; self.automata.len()]).or_insert(UBig::ZERO) += &den - listed;
        }
        Ok(Joint::new(weights, den))
    }
}
