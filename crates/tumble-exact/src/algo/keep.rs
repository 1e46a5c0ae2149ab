//! The sum of the k largest or k smallest of n equal dice.
//!
//! Meaning: `sum(largest(k, A))`. Let v be the smallest face that is kept: j dice show more, and all
//! of those are kept; of the others at least k − j show v, and none more. So with `G_v(x)` the
//! polynomial of the faces above v,
//!
//! ```text
//! Σ_v Σ_j  C(n, j) · G_v(x)^j · x^(v·(k−j)) · W(v, j)
//! W(v, j) = Σ_{m >= k−j} C(n−j, m) · w(v)^m · below(v)^(n−j−m)
//! ```
//!
//! and for even dice `G_v` is a fraction with the same denominator for every v, so the sum over v comes
//! first; for others the powers of `G_v` grow by one face at a time. Accepts one group of dice with whole
//! faces, and one view of `largest` or `least` under `sum`. Cost: k × range of the sum + faces × k² for
//! even dice, faces × k² × range for others.
//!
//! A die that explodes without end has a face "above b". Every sum up to `b + (k−1)·lowest` is
//! complete without it; the rest is above that, with its mean and mean square from [`crate::tailed`].
//! Where the smallest are kept, that face is the last to be kept and counts among those below v.

use crate::dice::{Dice, Face};
use crate::dist::{Dist, Pile};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{Outcome, Stop};
use crate::price::Price;
use crate::question::{Goal, Question, View};
use crate::weight::{Weight, binomials, bits, cost_of, in_lane, powers};
use dashu_int::UBig;
use tumble_core::prim;
use tumble_core::sort;

/// The dice of a question, turned so that the largest are kept.
struct Keep {
    /// How many dice, and how many of them are kept.
    dice: u64,
    kept: u64,
    /// The listed faces in ascending order, negated if the smallest are asked for.
    faces: Vec<(i64, UBig)>,
    /// The unlisted face above all, if there is one.
    above: Option<i64>,
    /// The weight of the unlisted face below all, and the lowest sum that is complete without it.
    under: UBig,
    complete: Option<i64>,
    negated: bool,
}

/// The sum of the largest or smallest few, by thresholds.
pub static METHOD: Method = Method {
    name: "thresholds",
    does: "takes each face in turn as the last one kept",
    answers: Answers::First(Row { price, run }),
};

/// The distribution of the kept sum.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some((dice, keep, range)) = Keep::asked(question) else { return Ok(None) };
    desk.budget.step(keep.cells(range).saturating_mul(cost_of(dice.bits())))?;
    let den = dice.den();
    let sums = in_lane!(bits(&den), sums, &keep, range);
    Ok(Some(Found::One(keep.dist(sums, den))))
}

/// The cells that are added to; where something is not listed, its mean takes every number of dice above each face.
fn price(question: &Question<'_>) -> Option<Price> {
    let (dice, keep, range) = Keep::asked(question)?;
    let long = dice.bits();
    let tail = if keep.open() { (keep.dice * (keep.faces.len() as u64 + 1)) as f64 * 40.0 } else { 0.0 };
    let numbers = if keep.uniform() { range } else { range.saturating_mul(keep.kept) };
    Some(Price {
        steps: keep.cells(range) as f64 * cost_of(long) as f64 + tail,
        bytes: 2.0 * numbers as f64 * (24.0 + long as f64 / 8.0),
    })
}

impl Keep {
    /// What a question asks for, and how many sums there are; none if it is of another kind.
    fn asked<'q>(question: &'q Question<'_>) -> Option<(&'q Dice, Keep, u64)> {
        let View { stages, goal: Goal::Fold(row) } = question.view()? else { return None };
        let [stage] = stages.as_slice() else { return None };
        if **row != prim::SUM || (*stage.row != prim::LARGEST && *stage.row != prim::LEAST) {
            return None;
        }
        let (dice, wanted) = (question.dice()?, u64::try_from(stage.args[0].as_int()?).ok()?);
        let keep = Keep::of(dice, wanted, *stage.row == prim::LEAST)?;
        let range = keep.range()?;
        Some((dice, keep, range))
    }

    fn of(dice: &Dice, kept: u64, least: bool) -> Option<Keep> {
        let [group] = dice.groups.as_slice() else { return None };
        if dice.beyond.is_some() || !group.nothing.is_zero() || kept == 0 || kept >= group.count {
            return None;
        }
        let (faces, under) = (vec![], UBig::ZERO);
        let mut keep = Keep { dice: group.count, kept, faces, above: None, under, complete: None, negated: least };
        let mut lowest = None;
        for (face, weight) in &group.faces {
            match (face, least) {
                (Face::Shows(value), _) => {
                    let n = value.as_int()?;
                    keep.faces.push((if least { n.checked_neg()? } else { n }, weight.clone()));
                }
                (Face::Above(bound), false) => keep.above = Some(*bound),
                (Face::Below(bound), true) => keep.above = Some(bound.checked_neg()?),
                (Face::Above(bound), true) => lowest = Some((bound.checked_neg()?, weight)),
                (Face::Below(bound), false) => lowest = Some((*bound, weight)),
            }
        }
        sort::by_key(&mut keep.faces, |(n, _)| *n);
        if let Some((bound, weight)) = lowest {
            // With a die below the bound among the kept, the sum is less than this.
            let others = keep.faces.last()?.0.checked_mul(i64::try_from(kept - 1).ok()?)?;
            keep.complete = Some(bound.checked_add(others)?);
            keep.under = weight.clone();
        }
        let both = keep.above.is_some() && keep.complete.is_some();
        (!keep.faces.is_empty() && !both).then_some(keep)
    }

    /// Whether something is not listed.
    fn open(&self) -> bool {
        self.above.is_some() || self.complete.is_some()
    }

    fn lowest(&self) -> i64 {
        self.faces.first().map_or(0, |(n, _)| *n)
    }

    /// How many sums there are from the lowest on; with an unlisted face, how many are complete.
    fn range(&self) -> Option<u64> {
        let highest = self.faces.last()?.0;
        let span = u64::try_from(highest.checked_sub(self.lowest())?).ok()?;
        let range = match self.above {
            Some(bound) => u64::try_from(bound.checked_sub(self.lowest())?).ok()?,
            None => span.checked_mul(self.kept)?,
        };
        let dense = range <= 1_000_000 && span <= 1000 + 16 * self.faces.len() as u64;
        let lowest = self.lowest().checked_mul(i64::try_from(self.kept).ok()?)?;
        lowest.checked_add_unsigned(range)?;
        dense.then_some(range + 1)
    }

    /// About how many cells are added to, in fours.
    fn cells(&self, range: u64) -> u64 {
        let row = self.kept.saturating_mul(range);
        let all = self.kept.saturating_mul(self.faces.len() as u64);
        let even = row.saturating_add(all.saturating_mul(self.kept));
        let uneven = all.saturating_mul(range).saturating_mul(2 + self.kept);
        1 + if self.uniform() { even } else { uneven } / 4
    }

    fn uniform(&self) -> bool {
        let near = self.faces.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
        near && self.faces.iter().all(|(_, weight)| *weight == self.faces[0].1)
    }

    fn dist(&self, sums: Vec<UBig>, den: UBig) -> Dist {
        let mut pile = Pile::default();
        let mut listed = UBig::ZERO;
        let base = self.lowest() * self.kept as i64;
        let turned = |n: i64| if self.negated { -n } else { n };
        let last = base + sums.len() as i64 - 1;
        for (i, weight) in sums.into_iter().enumerate() {
            let n = base + i as i64;
            if self.complete.is_none_or(|complete| n >= complete) {
                listed += &weight;
                pile.add(Outcome::int(turned(n)), &weight);
            }
        }
        if self.open() {
            let (bound, pooled, far) = (turned(self.complete.unwrap_or(last)), false, None);
            let beyond = if self.negated == self.complete.is_none() {
                Outcome::Below { bound, pooled, far }
            } else {
                Outcome::Above { bound, pooled, far }
            };
            pile.add(beyond, &(&den - listed));
        }
        pile.over(den)
    }
}

/// The weights of the sums from the lowest on; faces count from the lowest face.
fn sums<W: Weight>(keep: &Keep, range: u64) -> Vec<UBig> {
    let total = if keep.uniform() { shared::<W>(keep, range as usize) } else { growing::<W>(keep, range as usize) };
    total.into_iter().map(W::widen).collect()
}

/// Even dice. Exponents count from v for each die that is kept, so with h faces above v the inner sum is
/// `x^(v·k) · Σ_j end(v, j) · y^j` with `y = x·(1 − x^h) / (1 − x)`. What differs between the v is only the
/// numerator, so all v share the divisions: `Σ_j (x / (1 − x))^j · D_j` with
/// `D_j = Σ_v end(v, j) · x^(v·k) · (1 − x^h)^j`, and a division by `1 − x` adds up the cells before each one.
/// Numbers turn negative on the way and come back.
fn shared<W: Weight>(keep: &Keep, size: usize) -> Vec<W> {
    let kept = keep.kept as usize;
    let ends = all_ends::<W>(keep);
    let mut choose: Vec<W> = binomials(keep.kept - 1).iter().map(W::narrow).collect();
    let mut total = vec![W::zero(); size];
    for j in (0..kept).rev() {
        if j + 1 < kept {
            shift_and_add_up(&mut total);
            one_fewer(&mut choose);
        }
        for (v, ends) in ends.iter().enumerate() {
            let higher = keep.faces.len() - v - 1;
            // With no face above v no die can show one.
            let terms = if higher == 0 && j > 0 { &[] } else { &choose[..=j] };
            for (i, ways) in terms.iter().enumerate() {
                let Some(cell) = total.get_mut(v * kept + higher * i) else { break };
                if i % 2 == 0 { cell.add_product(&ends[j], ways) } else { cell.less(&ends[j].times(ways)) }
            }
        }
    }
    total
}

/// The ends of even dice for every v.
fn all_ends<W: Weight>(keep: &Keep) -> Vec<Vec<W>> {
    let mut below = keep.under.clone();
    let choose = binomials(keep.dice);
    let of_face = |(_, weight): &(i64, UBig)| {
        let ends = ends(keep, weight, &below, &choose, true);
        below += weight;
        ends.iter().map(W::narrow).collect()
    };
    keep.faces.iter().map(of_face).collect()
}

/// Times `x / (1 − x)`: each cell becomes the sum of those before it.
fn shift_and_add_up<W: Weight>(row: &mut [W]) {
    let mut before = W::zero();
    for cell in row {
        let own = std::mem::replace(cell, before.clone());
        before.more(&own);
    }
}

/// From `C(j + 1, i)` to `C(j, i)` for all i, as `C(j, i) = C(j + 1, i) − C(j, i − 1)`.
fn one_fewer<W: Weight>(choose: &mut Vec<W>) {
    choose.pop();
    for i in 1..choose.len() {
        let (before, from) = choose.split_at_mut(i);
        from[0].less(&before[i - 1]);
    }
}

/// Uneven dice: from the highest v down, the powers of `G_v` grow by one face at a time,
/// `(G + w·x^v)^j = Σ_i C(j, i) · w^i · x^(i·v) · G^(j−i)`.
fn growing<W: Weight>(keep: &Keep, size: usize) -> Vec<W> {
    let kept = keep.kept as usize;
    let offset = |face: i64| usize::try_from(face - keep.lowest()).unwrap_or(usize::MAX);
    let choose = binomials(keep.dice);
    let ways: Vec<Vec<UBig>> = (0..keep.kept).map(binomials).collect();
    let mut below = keep.faces.iter().fold(keep.under.clone(), |sum, (_, weight)| sum + weight);
    let mut total = vec![W::zero(); size];
    let highest = keep.faces.last().map_or(0, |(face, _)| offset(*face));
    let cells = |j: usize| highest.saturating_mul(j).saturating_add(1).min(size);
    let mut powers_above: Vec<Vec<W>> = (0..kept).map(|j| vec![W::zero(); cells(j)]).collect();
    powers_above[0][0] = W::narrow(&UBig::ONE);
    // The lowest face above v: a power j has nothing below j times that.
    let mut above = size;
    for (face, weight) in keep.faces.iter().rev() {
        let v = offset(*face);
        below -= weight;
        for (j, end) in ends(keep, weight, &below, &choose, false).iter().enumerate() {
            let start = above.saturating_mul(j);
            add_shifted(&mut total, &powers_above[j], start, v.saturating_mul(kept - j), &W::narrow(end));
        }
        let own = powers(weight, keep.kept);
        for j in (1..kept).rev() {
            for i in 1..=j {
                let (lower, upper) = powers_above.split_at_mut(j);
                let factor = W::narrow(&(&ways[j][i] * &own[i]));
                let start = above.saturating_mul(j - i);
                add_shifted(&mut upper[0], &lower[j - i], start, v.saturating_mul(i), &factor);
            }
        }
        above = v;
    }
    total
}

/// Adds `factor · x^shift · from`; there is nothing in `from` before `start`.
fn add_shifted<W: Weight>(to: &mut [W], from: &[W], start: usize, shift: usize, factor: &W) {
    if factor.is_nothing() {
        return;
    }
    let cells = to.iter_mut().skip(start.saturating_add(shift)).zip(from.iter().skip(start));
    for (cell, weight) in cells.filter(|(_, weight)| !weight.is_nothing()) {
        cell.add_product(weight, factor);
    }
}

/// `C(n, j) · W(v, j)` for every j below k; with even dice the weights of the j dice above are here
/// too, and the polynomial above has only ones.
///
/// Downwards, `W(v, j) = (w + b) · W(v, j+1) − C(n−j−1, k−j−1) · w^(k−j−1) · b^(n−k+1)`: one die more, which
/// must show v if there were just enough of them. `W(v, k)` is `(w + b)^(n−k)`.
fn ends(keep: &Keep, weight: &UBig, below: &UBig, choose: &[UBig], even: bool) -> Vec<UBig> {
    let spare = usize::try_from(keep.dice - keep.kept).unwrap_or(usize::MAX);
    let both = weight + below;
    let mut enough = both.pow(spare);
    let mut short = below.pow(spare.saturating_add(1));
    let own = if even { powers(weight, keep.kept) } else { vec![] };
    let mut ends = Vec::with_capacity(keep.kept as usize);
    for j in (0..keep.kept).rev() {
        enough = enough * &both - &short;
        short = short * weight * UBig::from(keep.dice - j) / UBig::from(keep.kept - j);
        let end = &enough * &choose[j as usize];
        ends.push(if even { end * &own[j as usize] } else { end });
    }
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(dice: u64, kept: u64, weights: &[u64], under: u64) -> Keep {
        let faces = weights.iter().enumerate().filter(|(_, w)| **w > 0).map(|(n, w)| (n as i64, UBig::from(*w)));
        let under = UBig::from(under);
        Keep { dice, kept, faces: faces.collect(), above: None, under, complete: None, negated: false }
    }

    /// The meaning: every roll.
    fn listed(keep: &Keep, size: usize) -> Vec<UBig> {
        let mut sums = vec![UBig::ZERO; size];
        let sides = keep.faces.len();
        for roll in 0..sides.pow(keep.dice as u32) {
            let mut shown: Vec<&(i64, UBig)> =
                (0..keep.dice as u32).map(|die| &keep.faces[roll / sides.pow(die) % sides]).collect();
            let weight: UBig = shown.iter().map(|(_, weight)| weight).product();
            sort::by_key(&mut shown, |(n, _)| -n);
            let sum: i64 = shown.iter().take(keep.kept as usize).map(|(n, _)| n - keep.lowest()).sum();
            sums[sum as usize] += weight;
        }
        sums
    }

    fn size(keep: &Keep) -> usize {
        keep.range().unwrap() as usize
    }

    #[test]
    fn kept_sums_are_those_of_all_rolls() {
        for weights in [&[1, 1, 1][..], &[2, 2, 2, 2], &[1, 0, 5, 2], &[7], &[3, 1]] {
            for (dice, kept) in [(2, 1), (3, 1), (3, 2), (4, 3), (5, 2), (5, 4)] {
                let keep = keep(dice, kept, weights, 0);
                assert_eq!(sums::<u64>(&keep, size(&keep) as u64), listed(&keep, size(&keep)), "{kept} of {dice}");
            }
        }
    }

    fn both<W: Weight>(keep: &Keep) -> [Vec<UBig>; 2] {
        let plain = |sums: Vec<W>| sums.into_iter().map(W::widen).collect();
        [plain(shared::<W>(keep, size(keep))), plain(growing::<W>(keep, size(keep)))]
    }

    #[test]
    fn both_ways_agree_in_every_lane() {
        for (dice, kept, sides, under) in
            [(9, 3, 6, 0), (21, 5, 8, 0), (24, 7, 6, 2), (42, 4, 8, 0), (85, 6, 8, 0), (90, 5, 6, 1), (150, 4, 10, 0)]
        {
            let keep = keep(dice, kept, &vec![1; sides], under);
            let den = UBig::from(sides as u64 + under).pow(dice as usize);
            let [even, uneven] = in_lane!(bits(&den), both, &keep);
            assert_eq!(even, uneven, "{kept} of {dice}d{sides}");
            let [wider, _] = in_lane!(bits(&den) * 2, both, &keep);
            assert_eq!(even, wider, "{kept} of {dice}d{sides}, wider");
            if under == 0 {
                assert_eq!(even.iter().sum::<UBig>(), den, "mass is kept");
            }
        }
    }
}
