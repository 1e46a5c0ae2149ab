//! Which outcomes an answer lists.
//!
//! Outcomes are listed until less than 10^-12 of mass is left or 100,000 are listed, and only where
//! nothing unlisted can add to them. Where next to nothing is open but could add to much of what is known, all of it
//! is listed, and every row is a lower bound.

use crate::dist::Dist;
use crate::outcome::{self, Outcome, ratio};
use dashu_int::UBig;
use tumble_core::Value;

/// Where the unlisted outcomes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// There are none.
    Nowhere,
    /// All are larger than every listed outcome.
    Above,
    /// All are smaller than every listed outcome.
    Below,
    /// Each is larger than every listed outcome or smaller than every one.
    Both,
    /// Anywhere.
    Anywhere,
}

pub(crate) const MOST_LISTED: usize = 100_000;

/// Less than this share may stay unlisted: one in 10^12.
pub(crate) fn small_enough(weight: &UBig, den: &UBig) -> bool {
    weight * UBig::from(1_000_000_000_000u64) < *den
}

/// More than this share should not stay unlisted: one in a million.
pub(crate) fn much(weight: &UBig, den: &UBig) -> bool {
    weight * UBig::from(1_000_000u64) > *den
}

/// The listed outcomes, and what is known of the others.
pub(crate) struct Listing {
    pub(crate) den: UBig,
    pub(crate) items: Vec<(Value, UBig)>,
    pub(crate) rest: UBig,
    pub(crate) side: Side,
    /// How much of the rest lies below everything listed; it means something where the rest has a side.
    pub(crate) below: UBig,
    /// Whether every listed weight is complete.
    pub(crate) exact: bool,
    /// Whether no known number, listed or not, is a fraction: then the first that is not listed is one larger than the last.
    pub(crate) whole: bool,
}

impl Listing {
    pub(crate) fn new(dist: Dist) -> Listing {
        let (mut rest, mut side, mut exact) = (UBig::ZERO, Side::Nowhere, true);
        let (mut lowest, mut highest) = (None::<i64>, None::<i64>);
        let mut larger = None::<u64>;
        let mut below = UBig::ZERO;
        // Collected in place: a long table is not copied.
        let known = dist.items.into_iter().filter_map(|(outcome, weight)| {
            match outcome {
                Outcome::Known(value) => return Some((value, weight)),
                Outcome::Above { bound, .. } => highest = Some(highest.map_or(bound, |h| h.min(bound))),
                Outcome::Below { bound, .. } => {
                    below += &weight;
                    lowest = Some(lowest.map_or(bound, |l| l.max(bound)));
                }
                Outcome::Larger(size) => larger = Some(larger.map_or(size, |l| l.min(size))),
                Outcome::Cut => side = Side::Anywhere,
                Outcome::Unknown
                | Outcome::Hole { .. }
                | Outcome::Failed(_)
                | Outcome::Pool(_)
                | Outcome::Several(_)
                | Outcome::Unseen(_) => (side, exact) = (Side::Anywhere, false),
            }
            rest += weight;
            None
        });
        let items: Vec<(Value, UBig)> = known.collect();
        let whole = items.iter().all(|(value, _)| ratio(value).is_none_or(|n| n.whole().is_some()));
        let mut listing = Listing { den: dist.den, items, rest, side, below, exact, whole };
        listing.complete(lowest, highest, larger);
        listing
    }

    /// Moves outcomes that the rest could still add to out of the list, then lists no more than asked.
    fn complete(&mut self, lowest: Option<i64>, highest: Option<i64>, larger: Option<u64>) {
        let inside = |value: &Value| {
            let by_number = ratio(value)
                .is_none_or(|n| highest.is_none_or(|h| n <= h.into()) && lowest.is_none_or(|l| n >= l.into()));
            by_number && larger.is_none_or(|most| members(value) <= most)
        };
        let outside = self.items.iter().filter(|(value, _)| !inside(value));
        let moved = outside.fold(self.rest.clone(), |sum, (_, weight)| sum + weight);
        if !self.exact || small_enough(&self.rest, &self.den) && much(&moved, &self.den) {
            (self.side, self.exact) = (Side::Anywhere, false);
            return;
        }
        self.rest = moved;
        let under = |value: &Value| ratio(value).is_some_and(|n| lowest.is_some_and(|l| n < l.into()));
        self.items.iter().filter(|(value, _)| under(value)).for_each(|(_, weight)| self.below += weight);
        self.items.retain(|(value, _)| inside(value));
        if self.side == Side::Nowhere {
            self.side = match (lowest, highest, larger) {
                (None, None, None) => Side::Nowhere,
                (None, Some(_), None) => Side::Above,
                (Some(_), None, None) => Side::Below,
                (Some(_), Some(_), None) => Side::Both,
                _ => Side::Anywhere,
            };
        }
        match self.side {
            Side::Above => self.trim(|items| items.pop()),
            Side::Below => self.trim(|items| if items.is_empty() { None } else { Some(items.remove(0)) }),
            Side::Both => self.trim_both(),
            Side::Anywhere if larger.is_some() && self.exact => self.trim_sizes(),
            Side::Nowhere | Side::Anywhere => {}
        }
    }

    /// The same for collections, which are complete size by size: the largest go first.
    fn trim_sizes(&mut self) {
        while let Some(most) = self.items.iter().map(|(value, _)| members(value)).max() {
            let largest = self.items.iter().filter(|(value, _)| members(value) == most);
            let rest = largest.fold(self.rest.clone(), |sum, (_, weight)| sum + weight);
            if !small_enough(&rest, &self.den) {
                return;
            }
            self.items.retain(|(value, _)| members(value) < most);
            self.rest = rest;
        }
    }

    /// The same at both ends: of the first and the last outcome, the less likely goes first.
    fn trim_both(&mut self) {
        let (mut from, mut to) = (0, self.items.len());
        while from < to {
            let (first, last) = (&self.items[from].1, &self.items[to - 1].1);
            let rest = &self.rest + first.min(last);
            if to - from <= MOST_LISTED && !small_enough(&rest, &self.den) {
                break;
            }
            if first < last {
                self.below += first;
                from += 1
            } else {
                to -= 1
            }
            self.rest = rest;
        }
        self.items.truncate(to);
        self.items.drain(..from);
    }

    /// Stops the list where the rest first falls below the threshold, or at the longest list.
    fn trim(&mut self, take: impl Fn(&mut Vec<(Value, UBig)>) -> Option<(Value, UBig)>) {
        loop {
            let before = self.items.len();
            let Some((value, weight)) = take(&mut self.items) else { return };
            let rest = &self.rest + &weight;
            if before <= MOST_LISTED && !small_enough(&rest, &self.den) {
                let back = if self.side == Side::Above { self.items.len() } else { 0 };
                self.items.insert(back, (value, weight));
                return;
            }
            if self.side == Side::Below {
                self.below += weight;
            }
            self.rest = rest;
        }
    }
}

fn members(value: &Value) -> u64 {
    outcome::chunk(value).map_or(0, |items| items.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each case lists of outcomes that are all as likely, and where the rest lies.
    fn check(outcomes: Vec<Outcome>, listed: &[i64], rest: u64, side: Side, exact: bool) {
        let den = UBig::from(outcomes.len());
        let text = format!("{outcomes:?}");
        let listing = Listing::new(Dist::listed(outcomes.into_iter().map(|one| (one, UBig::ONE)).collect(), den));
        let numbers: Vec<i64> = listing.items.iter().filter_map(|(value, _)| value.as_int()).collect();
        assert_eq!((numbers.as_slice(), &listing.rest), (listed, &UBig::from(rest)), "{text}");
        assert_eq!((listing.side, listing.exact), (side, exact), "{text}");
    }

    fn known(numbers: &[i64], far: &[Outcome]) -> Vec<Outcome> {
        numbers.iter().map(|n| Outcome::int(*n)).chain(far.iter().cloned()).collect()
    }

    /// A row that something unlisted could still add to is not listed; the one at the bound is.
    #[test]
    fn only_complete_rows_are_listed() {
        let above = |bound: i64| Outcome::Above { bound, pooled: false, far: None };
        let below = |bound: i64| Outcome::Below { bound, pooled: false, far: None };
        let all = [3, 4, 5, 6];
        check(known(&all, &[]), &all, 0, Side::Nowhere, true);
        check(known(&all, &[above(6)]), &all, 1, Side::Above, true);
        check(known(&all, &[above(5)]), &[3, 4, 5], 2, Side::Above, true);
        check(known(&all, &[above(4)]), &[3, 4], 3, Side::Above, true);
        check(known(&all, &[above(2)]), &[], 5, Side::Above, true);
        check(known(&all, &[below(3)]), &all, 1, Side::Below, true);
        check(known(&all, &[below(4)]), &[4, 5, 6], 2, Side::Below, true);
        check(known(&all, &[below(4), above(5)]), &[4, 5], 4, Side::Both, true);
        check(known(&all, &[below(6), above(4)]), &[], 6, Side::Both, true);
        check(known(&all, &[Outcome::Unknown]), &all, 1, Side::Anywhere, false);
        check(known(&all, &[Outcome::Unknown, above(4)]), &all, 2, Side::Anywhere, false);
        check(known(&all, &[Outcome::Cut]), &all, 1, Side::Anywhere, true);
    }

    /// Collections are complete up to a number of members.
    #[test]
    fn only_complete_sizes_are_listed() {
        for (most, listed) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)] {
            let pools = [&[1][..], &[1, 1], &[1, 1, 1]].map(|members| Outcome::Known(Value::ints(members)));
            let items = pools.into_iter().chain([Outcome::Larger(most)]).map(|one| (one, UBig::ONE)).collect();
            let listing = Listing::new(Dist::listed(items, UBig::from(4u64)));
            assert_eq!((listing.items.len(), listing.rest), (listed, UBig::from(4 - listed)), "more than {most}");
            assert!(listing.items.iter().all(|(value, _)| members(value) <= most));
        }
    }
}
