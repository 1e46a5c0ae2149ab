//! Many parts of one whole, brought to lowest terms.
//!
//! Meaning: each part divided by its greatest common divisor with the whole. The whole is nearly
//! always a product of the sides of dice, so its few small primes are found once; how often they
//! divide a part follows from its rest modulo a product of their powers that fits into half a word
//! ([`Residue`]), and one exact division takes them out. Few different divisors occur, so the parts
//! share their denominators.

use crate::limbs::{self, Divisor, Residue};
use crate::map::HashMap;
use dashu_int::UBig;
use dashu_int::ops::Gcd;

/// A common divisor, and the whole divided by it.
#[derive(Clone, Debug)]
pub(crate) struct Over {
    pub(crate) shared: UBig,
    pub(crate) den: UBig,
}

/// Brings parts of one whole to lowest terms.
pub(crate) struct Lowest {
    den: UBig,
    /// How often two divides the whole.
    twos: usize,
    /// Odd primes in groups; none if the whole has a large prime.
    groups: Option<Vec<Group>>,
    places: HashMap<UBig, u32>,
    found: Vec<Over>,
    /// How often each prime of a group may still be taken.
    left: Vec<u64>,
    row: Vec<u64>,
}

/// Odd primes whose powers are looked for together.
struct Group {
    primes: Vec<Prime>,
    residue: Residue,
}

struct Prime {
    prime: u64,
    /// How often it divides the modulus of the group.
    seen: u32,
    /// How often it divides the whole.
    most: u64,
}

impl Lowest {
    const LARGEST_PRIME: u64 = 1000;

    pub(crate) fn new(den: &UBig) -> Lowest {
        let twos = den.trailing_zeros().unwrap_or(0);
        let wide = limbs::words(den).len();
        // For a whole of two words, the machine's own divisions are as quick.
        let primes = if wide > 2 { odd_primes(den, twos) } else { None };
        let groups = primes.map(|primes| grouped(primes, wide));
        Lowest { den: den.clone(), twos, groups, places: HashMap::default(), found: vec![], left: vec![], row: vec![] }
    }

    /// Divides the part by what it shares with the whole, and says where its denominator will be.
    pub(crate) fn reduce(&mut self, part: &mut UBig) -> u32 {
        let shared = match self.groups.take().filter(|_| !part.is_zero()) {
            Some(groups) => {
                let shared = self.take_primes(&groups, part);
                self.groups = Some(groups);
                shared
            }
            None => {
                let shared = if part.is_zero() { self.den.clone() } else { (&*part).gcd(&self.den) };
                if !shared.is_one() {
                    *part /= &shared;
                }
                shared
            }
        };
        let (next, found, den) = (self.found.len() as u32, &mut self.found, &self.den);
        *self.places.entry(shared).or_insert_with_key(|shared| {
            found.push(Over { shared: shared.clone(), den: den / shared });
            next
        })
    }

    /// All denominators that were found.
    pub(crate) fn found(self) -> Vec<Over> {
        self.found
    }

    fn take_primes(&mut self, groups: &[Group], part: &mut UBig) -> UBig {
        let twos = part.trailing_zeros().unwrap_or(0).min(self.twos);
        let mut shared = UBig::ONE << twos;
        // The twos go with the first division.
        let mut shift = twos;
        for group in groups {
            self.left.clear();
            self.left.extend(group.primes.iter().map(|prime| prime.most));
            loop {
                let (factor, more) = group.factor(group.residue.of(&limbs::words(part)), &mut self.left);
                if factor > 1 {
                    if shift >= 32 {
                        *part >>= std::mem::take(&mut shift);
                    }
                    self.divide(part, factor << std::mem::take(&mut shift));
                    shared *= factor;
                }
                let Some(place) = more else { break };
                let (power, times) = group.primes[place].leap();
                while self.left[place] >= times && self.divide(part, power) {
                    shared *= power;
                    self.left[place] -= times;
                }
            }
        }
        if shift > 0 {
            *part >>= shift;
        }
        shared
    }

    /// Divides if nothing is left over, and says whether.
    fn divide(&mut self, part: &mut UBig, by: u64) -> bool {
        let words = limbs::words(part);
        self.row.resize(words.len(), 0);
        let exact = Divisor::new(by).quotient(&mut self.row, words.iter().map(|word| i128::from(*word)));
        if exact {
            *part = limbs::number(&self.row);
        }
        exact
    }
}

impl Prime {
    /// The largest power in a word, and how often the prime is in it: for parts that share much.
    fn leap(&self) -> (u64, u64) {
        let times = u64::from(63 / (64 - self.prime.leading_zeros()));
        (self.prime.pow(times as u32), times)
    }
}

impl Group {
    /// What can be taken out of a part with this rest, and a prime that may divide it even more often;
    /// `left` is how often each prime may be taken.
    fn factor(&self, rest: u64, left: &mut [u64]) -> (u64, Option<usize>) {
        let (mut factor, mut more) = (1, None);
        for (place, (Prime { prime, seen, .. }, left)) in self.primes.iter().zip(left).enumerate() {
            let mut times = 0;
            let mut power = *prime;
            while times < *seen && *left > 0 && rest.is_multiple_of(power) {
                times += 1;
                *left -= 1;
                factor *= prime;
                power = power.saturating_mul(*prime);
            }
            if times == *seen && *left > 0 {
                more = Some(place);
            }
        }
        (factor, more)
    }
}

/// The odd primes of a number and how often they divide it; none if a large one does.
fn odd_primes(den: &UBig, twos: usize) -> Option<Vec<(u64, u64)>> {
    let mut rest = den >> twos;
    let mut primes = Vec::new();
    let mut factor = 3;
    while factor < Lowest::LARGEST_PRIME && !rest.is_one() {
        // A composite factor never divides: its primes are gone.
        let times = rest.remove(&UBig::from(factor)).unwrap_or(0);
        if times > 0 {
            primes.push((factor, times as u64));
        }
        factor += 2;
    }
    rest.is_one().then_some(primes)
}

/// Primes in groups whose product stays below 2^32, each as often as there is room.
fn grouped(primes: Vec<(u64, u64)>, wide: usize) -> Vec<Group> {
    let most = u64::from(u32::MAX);
    let mut groups: Vec<(u64, Vec<Prime>)> = Vec::new();
    for (prime, times) in primes {
        let one = Prime { prime, seen: 1, most: times };
        match groups.last_mut().filter(|(product, _)| product * prime <= most) {
            Some((product, group)) => {
                *product *= prime;
                group.push(one);
            }
            None => groups.push((prime, vec![one])),
        }
    }
    for (product, group) in &mut groups {
        while let Some(prime) =
            group.iter_mut().filter(|p| u64::from(p.seen) < p.most && *product * p.prime <= most).min_by_key(|p| p.seen)
        {
            *product *= prime.prime;
            prime.seen += 1;
        }
    }
    let finish = |(product, primes)| Group { primes, residue: Residue::new(product as u32, wide) };
    groups.into_iter().map(finish).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every part against its greatest common divisor with the whole.
    fn check(den: &UBig, parts: impl Iterator<Item = UBig>) {
        let mut lowest = Lowest::new(den);
        let all: Vec<(UBig, UBig, u32)> = parts
            .map(|part| {
                let mut num = part.clone();
                let place = lowest.reduce(&mut num);
                (part, num, place)
            })
            .collect();
        let found = lowest.found();
        for (part, num, place) in all {
            let shared = if part.is_zero() { den.clone() } else { (&part).gcd(den) };
            let over = &found[place as usize];
            assert_eq!(
                (&num, &over.shared, &over.den),
                (&(&part / &shared), &shared, &(den / &shared)),
                "{part}/{den}"
            );
        }
        let mut different: Vec<&UBig> = found.iter().map(|over| &over.shared).collect();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), found.len());
    }

    #[test]
    fn parts_are_reduced_by_what_they_share() {
        let big = |base: u64, times: usize| UBig::from(base).pow(times);
        let wholes = [
            big(1, 1),
            big(7, 1),
            big(360, 1),
            big(6, 10),
            big(6, 100),
            big(2, 200),
            big(3, 130),
            big(30, 60),
            big(10, 50) * big(1009, 1),
            big(1009, 20),
            // More odd primes than one group can hold.
            [3u64, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 997].map(|prime| big(prime, 3)).iter().product(),
        ];
        for den in &wholes {
            let some = (0..150u32).map(UBig::from);
            let long = (0..90usize).map(|n| big(6, n) * big(35, n % 7) + UBig::from(n % 2));
            let high = (0..200usize).map(|n| (UBig::ONE << n) * big(3, 200 - n) * big(5, n / 2));
            check(den, some.chain(long).chain(high).chain([den.clone(), den / big(3, 1), den - UBig::ONE]));
        }
    }
}
