//! Sums of very many dice in floating point, with a bound on the error.
//!
//! Nothing here subtracts, so errors stay relative: a cell that was rounded k times is off by at most
//! a factor `(1 ± u)^k`, with `u = 2⁻⁵³`. Adding keeps the larger k and adds one, multiplying adds both
//! and one. The thin ends of a table are dropped, and their mass is counted.
//!
//! Where that is allowed, and what becomes of the errors, is told in [`rounding`](crate::rounding).

use crate::algo::power;
use crate::explain::Cost;
use crate::fraction::Fraction;
use crate::law::{Part, Source};
use crate::method::Desk;
use crate::outcome::{self, Outcome, Stop};
use crate::question::{Joint, Question};
use crate::rounding::{Rounding, UNIT};
use dashu_int::UBig;
use tumble_core::Budget;
use tumble_core::prim::Prim;

/// The mass that may be dropped at each end of a table.
const THIN: f64 = 1e-30;
/// Smaller numbers than this are dropped, so that none loses digits by being small.
const TINY: f64 = 1e-290;
/// Weights are over two to this.
const DEN_BITS: usize = 1100;
/// So many multiplications in a row are one step.
const PER_STEP: u64 = 64;
/// The distribution of a sum or count that is too much for exact numbers; none if it is not, or not of
/// this kind, or where rounding is not allowed.
pub(crate) fn sum(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Joint>, Stop> {
    if !desk.rounding.as_ref().is_some_and(Rounding::is_allowed) {
        return Ok(None);
    }
    let Some(row) = question.plain_sum().filter(|_| !fits(desk, question)) else { return Ok(None) };
    let mut total = Cells { low: 0, cells: vec![1.0], roundings: 0.0, dropped: 0.0 };
    for part in &question.bunch.parts {
        let Some(each) = Cells::of(part, row, &mut desk.budget)? else { return Ok(None) };
        let Some(copies) = each.power(part.times, &mut desk.budget)? else { return Ok(None) };
        let Some(sum) = total.plus(&copies, &mut desk.budget)? else { return Ok(None) };
        total = sum;
    }
    let relative = (total.roundings * 4.0 + 4.0) * UNIT;
    if relative > 0.001 {
        return Ok(None);
    }
    if let Some(rounding) = &mut desk.rounding {
        rounding.rounded(relative, total.dropped);
    }
    Ok(Some(total.joint()))
}

/// Whether exact numbers can do it, and may.
fn fits(desk: &Desk<'_>, question: &Question<'_>) -> bool {
    let limits = desk.budget.limits();
    let affordable = |cost: Cost| cost.steps < limits.steps / 2 && cost.bytes < limits.bytes / 2;
    desk.allows(&power::METHOD) && power::price(question).is_none_or(|price| affordable(price.told()))
}

/// Probabilities of the whole numbers from `low` on.
struct Cells {
    low: i64,
    cells: Vec<f64>,
    /// How often each cell was rounded, at most.
    roundings: f64,
    /// The mass that is not in the cells, at most.
    dropped: f64,
}

impl Cells {
    /// What one copy of a part is worth; none if it is not always a number, or the numbers are far apart.
    fn of(part: &Part, row: &Prim, budget: &mut Budget) -> Result<Option<Cells>, Stop> {
        let Source::Each(dist) = &part.source else { return Ok(None) };
        let worth = dist.map(budget, |pool, budget| outcome::apply(row, std::slice::from_ref(pool), budget))?;
        let numbers: Option<Vec<(i64, f64)>> = worth
            .items
            .iter()
            .map(|(outcome, weight)| Some((outcome.as_int()?, Fraction::part(weight, &worth.den).to_f64())))
            .collect();
        let Some(numbers) = numbers else { return Ok(None) };
        let (Some((low, _)), Some((high, _))) = (numbers.first(), numbers.last()) else { return Ok(None) };
        let span = high.checked_sub(*low).and_then(|span| usize::try_from(span).ok());
        let Some(span) = span.filter(|span| *span <= 1000 + 64 * numbers.len()) else { return Ok(None) };
        let mut cells = vec![0.0; span + 1];
        numbers.iter().for_each(|(n, share)| cells[(n - low) as usize] = *share);
        Ok(Some(Cells { low: *low, cells, roundings: 4.0, dropped: 0.0 }))
    }

    /// The sum of so many copies; none if a number would be too large.
    fn power(&self, times: u64, budget: &mut Budget) -> Result<Option<Cells>, Stop> {
        if self.is_even() && self.sliding_is_cheaper(times) {
            let mut sum = Cells { low: 0, cells: vec![1.0], roundings: 0.0, dropped: 0.0 };
            for _ in 0..times {
                budget.step(1 + (sum.cells.len() + self.cells.len()) as u64 / 12)?;
                let Some(low) = sum.low.checked_add(self.low) else { return Ok(None) };
                sum = Cells { low, ..sum.slid(self.cells.len(), self.cells[0]) }.trimmed();
            }
            return Ok(Some(sum));
        }
        let mut result: Option<Cells> = None;
        // From the highest bit down: only the sum so far is squared, and single copies are added.
        for bit in (0..u64::BITS - times.leading_zeros()).rev() {
            result = match &result {
                Some(half) => half.plus(half, budget)?,
                None => Some(Cells { low: 0, cells: vec![1.0], roundings: 0.0, dropped: 0.0 }),
            };
            let Some(twice) = &result else { return Ok(None) };
            if times >> bit & 1 == 1 {
                result = twice.plus(self, budget)?;
            }
        }
        Ok(result)
    }

    /// Whether all faces of the die are equal neighbours.
    fn is_even(&self) -> bool {
        self.cells.iter().all(|share| *share == self.cells[0])
    }

    /// Whether adding one even die after the other takes less work than squaring.
    fn sliding_is_cheaper(&self, times: u64) -> bool {
        let (sides, dice) = (self.cells.len() as f64, times as f64);
        // What is left of the ends lies within twelve standard deviations, and one is sides/√12 · √dice.
        let length = (7.0 * sides * dice.sqrt()).min(sides * dice);
        dice * length * 4.0 < length * length
    }

    /// The sum with one more even die. Sums over a window without subtracting: in blocks as long as the
    /// window, a window is the end of one block and the beginning of the next.
    fn slid(&self, sides: usize, share: f64) -> Cells {
        let length = self.cells.len() + sides - 1;
        let mut padded = vec![0.0; sides - 1];
        padded.extend_from_slice(&self.cells);
        padded.resize(length + sides - 1, 0.0);
        let (mut begins, mut ends) = (padded.clone(), padded);
        for block in begins.chunks_mut(sides) {
            (1..block.len()).for_each(|i| block[i] += block[i - 1]);
        }
        for block in ends.chunks_mut(sides) {
            (1..block.len()).rev().for_each(|i| block[i - 1] += block[i]);
        }
        let window = |i: usize| if i.is_multiple_of(sides) { ends[i] } else { ends[i] + begins[i + sides - 1] };
        let cells = (0..length).map(|i| window(i) * share).collect();
        Cells { low: self.low, cells, roundings: self.roundings + sides as f64 + 6.0, dropped: self.dropped }
    }

    /// The sum of two independent numbers.
    fn plus(&self, other: &Cells, budget: &mut Budget) -> Result<Option<Cells>, Stop> {
        let (long, short) = if self.cells.len() < other.cells.len() { (other, self) } else { (self, other) };
        let Some(low) = self.low.checked_add(other.low) else { return Ok(None) };
        let length = long.cells.len() + short.cells.len() - 1;
        if low.checked_add_unsigned(length as u64).is_none() {
            return Ok(None);
        }
        budget
            .step((long.cells.len() as u64).saturating_mul(short.cells.len() as u64) / PER_STEP + length as u64 / 8)?;
        let mut cells = vec![0.0; length];
        for (shift, share) in short.cells.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            for (cell, more) in cells[shift..].iter_mut().zip(&long.cells) {
                *cell += share * more;
            }
        }
        let added = short.cells.iter().filter(|share| **share > 0.0).count() as f64;
        let roundings = self.roundings + other.roundings + added + 2.0;
        let sum = Cells { low, cells, roundings, dropped: self.dropped + other.dropped };
        Ok(Some(sum.trimmed()))
    }

    /// Without thin ends and tiny cells.
    fn trimmed(mut self) -> Cells {
        let thin = |cells: &mut dyn Iterator<Item = &f64>| {
            let mut mass = 0.0;
            let within = |cell: &&f64| {
                mass += **cell;
                mass < THIN
            };
            cells.take_while(within).count()
        };
        let (first, last) = (thin(&mut self.cells.iter()), thin(&mut self.cells.iter().rev()));
        let (first, end) = (first.min(self.cells.len() - 1), self.cells.len() - last.min(self.cells.len() - 1));
        let (first, end) = if first < end { (first, end) } else { (0, self.cells.len()) };
        let ends = self.cells[..first].iter().chain(&self.cells[end..]).sum::<f64>();
        self.dropped += ends * (1.0 + self.roundings * 4.0 * UNIT);
        self.cells.truncate(end);
        self.cells.drain(..first);
        self.low += first as i64;
        for cell in self.cells.iter_mut().filter(|cell| **cell < TINY) {
            self.dropped += if *cell > 0.0 { 2.0 * TINY } else { 0.0 };
            *cell = 0.0;
        }
        // Products too small for a number were lost on the way.
        self.dropped += self.cells.len() as f64 * TINY;
        self
    }

    /// The cells as weights over a power of two, made a little smaller so that they never add up to
    /// more than the whole.
    fn joint(self) -> Joint {
        let smaller = 1.0 - (self.roundings * 2.0 + 2.0) * UNIT;
        let den = UBig::ONE << DEN_BITS;
        let mut listed = UBig::ZERO;
        let mut items = Vec::with_capacity(self.cells.len() + 1);
        for (n, cell) in (self.low..).zip(&self.cells).filter(|(_, cell)| **cell > 0.0) {
            let weight = scaled(cell * smaller);
            listed += &weight;
            items.push((vec![Outcome::int(n)], weight));
        }
        if listed < den {
            items.push((vec![Outcome::Unknown], &den - listed));
        }
        Joint { den, items }
    }
}

/// A number from 1e-300 to 1, times two to the [`DEN_BITS`], exactly.
fn scaled(share: f64) -> UBig {
    let bits = share.to_bits();
    let exponent = (bits >> 52) as usize;
    let digits = (bits & ((1 << 52) - 1)) | 1 << 52;
    // The number is digits · 2^(exponent − 1075).
    UBig::from(digits) << (exponent + DEN_BITS - 1075)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_weights_without_loss() {
        for share in [1.0, 0.5, 1.0 / 3.0, 1e-280, 0.999_999] {
            let back = Fraction::part(&scaled(share), &(UBig::ONE << DEN_BITS)).to_f64();
            assert_eq!(back, share);
        }
    }
}
