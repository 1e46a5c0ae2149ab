//! A cheap check of every answer, modulo a prime.
//!
//! Every outcome of a question gets a fingerprint that multiplies over the members of a collection: a
//! sum n becomes `x^n`, a collection the product of one random number per member. Then the mean of
//! the fingerprint can be had in two ways,
//!
//! ```text
//! Σ weight(o) · fingerprint(o)   over the answer              =
//! Π (Σ weight · fingerprint)^times   over the parts           where the views look member by member,
//! a walk through the faces that only counts the dice left     where they keep some of the members
//! ```
//!
//! and two polynomials that differ agree at a random point, modulo a random prime, with a chance below
//! their degree in 2^60. "Whether there is any" does not multiply, but "there is none" does. The key
//! and the prime come from outside, for nothing here knows chance.

use crate::dice::{Face, dice};
use crate::law::{Bunch, Source};
use crate::map::HashMap;
use crate::outcome::{self, Outcome};
use crate::question::{Goal, Joint, Question, View};
use dashu_int::UBig;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use tumble_core::prim::{Merge, Rank, Shape};
use tumble_core::{Budget, Limits, Value};

/// A prime of about 61 bits, and an unpredictable key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The prime.
    pub prime: u64,
    /// What the fingerprints are made from.
    pub key: u64,
}

/// A walk through the faces may take this many steps.
const MOST_STEPS: f64 = 20_000_000.0;
/// More questions of this kind at once are not expanded.
const MOST_TRUTHS: usize = 6;

/// Whether an answer passes; none if it is not of a kind that can be checked.
pub(crate) fn agrees(probe: Probe, question: &Question<'_>, joint: &Joint) -> Option<bool> {
    let Question { bunch, views, .. } = question;
    let truths: Vec<usize> = (0..views.len()).filter(|&v| is_truth(&views[v])).collect();
    // A tally is neither a sum over the parts nor a choice of dice.
    let opaque = views.iter().flat_map(|view| &view.stages).any(|stage| matches!(stage.row.shape, Shape::Opaque));
    if truths.len() > MOST_TRUTHS || opaque {
        return None;
    }
    let mut answer = 0;
    for (seen, weight) in &joint.items {
        let marks = seen.iter().zip(*views).enumerate();
        let mark = marks.map(|(v, (outcome, view))| probe.print(v, view, outcome)).collect::<Option<Vec<u64>>>()?;
        answer = probe.add(answer, mark.into_iter().fold(probe.small(weight), |product, m| probe.times(product, m)));
    }
    let scans = views.iter().flat_map(|view| &view.stages).any(|stage| matches!(stage.row.shape, Shape::Scan(_)));
    let mut meaning = 0;
    for chosen in 0..1usize << truths.len() {
        let none: Vec<usize> =
            truths.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, v)| *v).collect();
        let mean = if scans { probe.by_faces(bunch, views, &none)? } else { probe.by_parts(bunch, views, &none)? };
        let factor = truths.iter().fold(1, |product, v| {
            let yes = probe.point(*v, &0);
            probe.times(product, if none.contains(v) { probe.add(1, probe.prime - yes) } else { yes })
        });
        meaning = probe.add(meaning, probe.times(mean, factor));
    }
    Some(probe.times(answer, probe.den(bunch, scans)?) == probe.times(meaning, probe.small(&joint.den)))
}

fn is_truth(view: &View) -> bool {
    matches!(view.goal, Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Or)))
}

impl Probe {
    fn small(self, n: &UBig) -> u64 {
        u64::try_from(n % UBig::from(self.prime)).unwrap_or(0)
    }

    fn add(self, a: u64, b: u64) -> u64 {
        ((u128::from(a) + u128::from(b)) % u128::from(self.prime)) as u64
    }

    fn times(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.prime)) as u64
    }

    /// A power; what is negative is taken from the other end, for `x^(p−1) = 1`.
    fn power(self, base: u64, exponent: i128) -> u64 {
        let mut left = exponent.rem_euclid(i128::from(self.prime) - 1);
        let (mut result, mut square) = (1, base);
        while left > 0 {
            if left & 1 == 1 {
                result = self.times(result, square);
            }
            square = self.times(square, square);
            left >>= 1;
        }
        result
    }

    /// The number of one thing in one view; never 0.
    fn point(self, view: usize, of: &impl Hash) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        of.hash(&mut hasher);
        let mut z = hasher.finish() ^ self.key.rotate_left(view as u32 * 7) ^ (view as u64 + 1);
        for _ in 0..3 {
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9).wrapping_add(self.key);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        }
        1 + z % (self.prime - 1)
    }

    /// The fingerprint of what a view shows.
    fn print(self, v: usize, view: &View, shown: &Outcome) -> Option<u64> {
        let value = shown.known()?;
        match view.goal {
            Goal::Members => {
                let members = outcome::chunk(value)?;
                Some(members.iter().fold(1, |product, member| self.times(product, self.point(v, member))))
            }
            Goal::Fold(_) if is_truth(view) => Some(if value.as_bool()? { self.point(v, &0) } else { 1 }),
            Goal::Fold(_) => Some(self.power(self.point(v, &0), i128::from(value.as_int()?))),
        }
    }

    /// The product of all denominators, of the parts or of the dice that they are.
    fn den(self, bunch: &Bunch, scans: bool) -> Option<u64> {
        let power = |den: &UBig, times: u64| self.power(self.small(den), i128::from(times));
        if scans {
            let dice = dice(bunch)?;
            return Some(dice.groups.iter().fold(1, |all, group| self.times(all, power(&group.den, group.count))));
        }
        bunch.parts.iter().try_fold(1, |all, part| {
            let Source::Each(dist) = &part.source else { return None };
            Some(self.times(all, power(&dist.den, part.times)))
        })
    }

    /// The mean fingerprint for views that look member by member; those in `none` must see nothing.
    fn by_parts(self, bunch: &Bunch, views: &[View], none: &[usize]) -> Option<u64> {
        let mut budget = Budget::new(Limits::default());
        let mut all = 1;
        for part in &bunch.parts {
            let Source::Each(dist) = &part.source else { return None };
            let mut mean = 0;
            for (pool, weight) in &dist.items {
                let mut product = self.small(weight);
                for (v, view) in views.iter().enumerate() {
                    let seen = view.apply(pool, &mut budget).ok()?;
                    let mark = match (is_truth(view), none.contains(&v)) {
                        (false, _) => self.print(v, view, &seen)?,
                        (true, true) => u64::from(!seen.known()?.as_bool()?),
                        (true, false) => 1,
                    };
                    product = self.times(product, mark);
                }
                mean = self.add(mean, product);
            }
            all = self.times(all, self.power(mean, i128::from(part.times)));
        }
        Some(all)
    }

    /// The mean fingerprint for views that keep some of the dice: through the faces in order, counting
    /// the dice of each kind that are left.
    fn by_faces(self, bunch: &Bunch, views: &[View], none: &[usize]) -> Option<u64> {
        let dice = dice(bunch)?;
        let plain = |face: &Face| matches!(face, Face::Shows(_));
        if dice.beyond.is_some() || dice.groups.iter().any(|g| !g.nothing.is_zero() || !g.faces.keys().all(plain)) {
            return None;
        }
        let total = dice.groups.iter().fold(0u64, |sum, group| sum.saturating_add(group.count));
        let faces: BTreeSet<&Face> = dice.groups.iter().flat_map(|group| group.faces.keys()).collect();
        let ways: f64 = dice.groups.iter().map(|group| group.count as f64 + 1.0).product();
        if ways * (total as f64 + 1.0) * faces.len() as f64 > MOST_STEPS {
            return None;
        }
        let choose = self.factorials(total);
        let mut table: HashMap<Vec<u64>, u64> = HashMap::default();
        table.insert(dice.groups.iter().map(|group| group.count).collect(), 1);
        for face in faces {
            let mut open: HashMap<(Vec<u64>, u64), u64> = table.drain().map(|(left, w)| ((left, 0), w)).collect();
            for (kind, group) in dice.groups.iter().enumerate() {
                let Some(weight) = group.faces.get(face) else { continue };
                let last = group.faces.keys().next_back() == Some(face);
                open = self.shown(open, kind, self.small(weight), last, &choose);
            }
            for ((left, here), weight) in open {
                let above = left.iter().sum::<u64>();
                let rank = Rank { below: total - above - here, here, above };
                let mark = self.kept(views, none, face, rank)?;
                let cell = table.entry(left).or_insert(0);
                *cell = self.add(*cell, self.times(weight, mark));
            }
        }
        Some(table.into_values().fold(0, |sum, weight| self.add(sum, weight)))
    }

    /// Some of the dice of one kind show the face.
    fn shown(
        self,
        open: HashMap<(Vec<u64>, u64), u64>,
        kind: usize,
        weight: u64,
        last: bool,
        choose: &[(u64, u64)],
    ) -> HashMap<(Vec<u64>, u64), u64> {
        let mut next: HashMap<(Vec<u64>, u64), u64> = HashMap::default();
        for ((left, here), so_far) in open {
            let most = left[kind];
            for show in (if last { most } else { 0 })..=most {
                let (n, k, rest) = (choose[most as usize].0, choose[show as usize].1, choose[(most - show) as usize].1);
                let ways = self.times(self.times(n, self.times(k, rest)), self.power(weight, i128::from(show)));
                let mut left = left.clone();
                left[kind] -= show;
                let cell = next.entry((left, here + show)).or_insert(0);
                *cell = self.add(*cell, self.times(so_far, ways));
            }
        }
        next
    }

    /// `n!` and its inverse.
    fn factorials(self, most: u64) -> Vec<(u64, u64)> {
        let mut row = vec![1];
        for n in 1..=most {
            row.push(self.times(row[n as usize - 1], n));
        }
        row.into_iter().map(|n| (n, self.power(n, i128::from(self.prime) - 2))).collect()
    }

    /// The fingerprint of the dice that show one face and that the views keep.
    fn kept(self, views: &[View], none: &[usize], face: &Face, rank: Rank) -> Option<u64> {
        let Face::Shows(shown) = face else { return None };
        let mut budget = Budget::new(Limits::default());
        let mut product = 1;
        for (v, view) in views.iter().enumerate() {
            let (mut one, mut here, mut counted) = (Outcome::Known(Value::pool(vec![shown.clone()])), rank.here, true);
            for stage in &view.stages {
                match stage.row.shape {
                    Shape::Forget => {}
                    Shape::Filter => {
                        counted = false;
                        one = outcome::apply(stage.row, &stage.with(&one), &mut budget).ok()?;
                        here = if outcome::chunk(one.known()?)?.is_empty() { 0 } else { here };
                    }
                    // A row that ranks what another row left would need to know how many that are.
                    Shape::Scan(scan) if counted => {
                        counted = false;
                        here = if here == 0 { 0 } else { (scan.stay)(&stage.args, shown, Rank { here, ..rank }) };
                    }
                    _ => return None,
                }
                if here == 0 {
                    break;
                }
            }
            let mark = match view.goal {
                _ if here == 0 => 1,
                Goal::Members => self.power(self.point(v, shown), i128::from(here)),
                Goal::Fold(_) if is_truth(view) => u64::from(!none.contains(&v)),
                Goal::Fold(row) => {
                    let worth = outcome::apply(row, &[one], &mut budget).ok()?.as_int()?;
                    self.power(self.point(v, &0), i128::from(worth).checked_mul(i128::from(here))?)
                }
            };
            product = self.times(product, mark);
        }
        Some(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::Dist;
    use crate::law::Part;
    use std::rc::Rc;
    use tumble_core::prim;

    /// The largest prime below 2^61.
    const PROBE: Probe = Probe { prime: (1 << 61) - 1, key: 0x1234_5678_9ABC_DEF1 };

    fn two_dice() -> (Bunch, [View; 1]) {
        let face = |n: i64| (Outcome::Known(Value::ints(&[n])), UBig::ONE);
        let die = Dist { den: UBig::from(3u8), items: vec![face(1), face(2), face(3)] };
        let parts = vec![Part { times: 2, source: Source::Each(Rc::new(die)) }];
        (Bunch::pool(parts), [View { stages: vec![], goal: Goal::Fold(&prim::SUM) }])
    }

    #[test]
    fn a_wrong_weight_is_seen() {
        let (bunch, views) = two_dice();
        let sum = |weights: [u8; 5]| Joint {
            den: UBig::from(9u8),
            items: (2..).zip(weights).map(|(n, w)| (vec![Outcome::int(n)], UBig::from(w))).collect(),
        };
        assert_eq!(agrees(PROBE, &Question::new(&bunch, &views), &sum([1, 2, 3, 2, 1])), Some(true));
        for wrong in [[1, 2, 3, 1, 2], [2, 1, 3, 2, 1], [1, 2, 3, 2, 2], [1, 1, 4, 2, 1]] {
            assert_eq!(agrees(PROBE, &Question::new(&bunch, &views), &sum(wrong)), Some(false), "{wrong:?}");
        }
        let unknown = Joint { den: UBig::ONE, items: vec![(vec![Outcome::Unknown], UBig::ONE)] };
        assert_eq!(agrees(PROBE, &Question::new(&bunch, &views), &unknown), None);
    }

    #[test]
    fn powers_go_both_ways() {
        let (base, n) = (PROBE.point(0, &7), 12_345);
        assert_eq!(PROBE.times(PROBE.power(base, n), PROBE.power(base, -n)), 1);
    }
}
