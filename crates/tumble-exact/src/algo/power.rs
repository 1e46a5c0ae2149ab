//! Sums and counts of independent parts.
//!
//! Meaning: `f(A ∪ B) = f(A) + f(B)`, so the distribution over a union is the product of polynomials
//! whose coefficients are weights. Accepts one view without stages that ends in a fold by addition.
//!
//! Copies: the coefficients of `w(x)^n` follow one after the other ([`recur`]). Cost: range of the sum
//! times faces of the die; for dice with equal neighbouring faces, range of the sum.
//!
//! An unlisted part "above b" makes the polynomial a power series known up to x^b; its powers are
//! known as far, and the recurrence never looks further.

use crate::algo::walk;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::{Bunch, Source};
use crate::map::HashMap;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::moments;
use crate::outcome::{self, Outcome, Stop};
use crate::packed;
use crate::price::{Price, Worth, choose, one_look, operation, worth};
use crate::question::{Question, View};
use crate::recur::Recurrence;
use crate::tailed;
use crate::weight::{binomials, bits, cost_of, powers};
use dashu_int::{IBig, UBig};
use tumble_core::prim::Merge;
use tumble_core::sort;
use tumble_core::{Budget, Code, Fault};

/// Sums and counts by generating functions: powers of polynomials.
pub static METHOD: Method = Method {
    name: "generating functions",
    does: "adds up the parts by multiplying polynomials",
    answers: Answers::First(Row { price, run }),
};

/// The distribution of a sum or count.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some(row) = question.plain_sum() else { return Ok(None) };
    let mut total: Option<Dist> = None;
    for part in &question.bunch.parts {
        let each = match &part.source {
            Source::Each(dist) => {
                dist.map(&mut desk.budget, |pool, budget| outcome::apply(row, std::slice::from_ref(pool), budget))?
            }
            Source::Chain(walk) => walk::summed(desk, walk, row, part.times)?,
            Source::Deck(_) => return Ok(None),
        };
        let copies = power(&each, part.times, &mut desk.budget)?;
        total = Some(match total {
            Some(total) => add(&total, &copies, &mut desk.budget)?,
            None => copies,
        });
    }
    Ok(Some(Found::One(total.unwrap_or_else(|| Dist::one(Outcome::int(0))))))
}

/// The range of each part's sum times its faces, then the parts pair by pair.
pub(crate) fn price(question: &Question<'_>) -> Option<Price> {
    let (row, bunch) = (question.plain_sum()?, question.bunch);
    let mut price = Price { steps: one_look(bunch)?, bytes: 0.0 };
    let (mut so_far, mut all_bits) = (1.0, 0.0);
    for (worth, part) in worth(bunch, row)?.into_iter().zip(&bunch.parts) {
        let (times, Worth { count, spread, bits, .. }) = (part.times as f64, &worth);
        let (count, spread, bits) = (*count, *spread, *bits);
        let far = spread > 1000.0 + 64.0 * count;
        let listed = choose(times, count - 1.0);
        let range = (spread * times + 1.0).min(if far { listed } else { f64::MAX });
        if part.times > 1 {
            price.steps += match far {
                false => recurrence(&worth, part.times).price() as f64,
                // Numbers far apart are put together pair by pair, or listed.
                true => f64::min(range * range.sqrt() * 12.0, in_order(part.times, count, bits)),
            };
        }
        all_bits += bits * times;
        price.steps += if so_far > 1.0 { so_far * range * 6.0 * operation(all_bits) + so_far + range } else { 0.0 };
        so_far *= range;
        price.bytes += range * (24.0 + bits * times / 8.0);
    }
    Some(price)
}

/// How the weights of the sum of so many follow one after the other, for numbers that are not far apart.
fn recurrence(Worth { spread, bits, numbers, .. }: &Worth, times: u64) -> Recurrence {
    let mut weights = vec![UBig::ZERO; *spread as usize + 1];
    numbers.iter().for_each(|(number, weight)| weights[(number - numbers[0].0) as usize] += weight);
    let range = (*spread as u64).saturating_mul(times).saturating_add(1);
    Recurrence::new(&weights, times, range, (*bits as u64).saturating_mul(times))
}

/// What it costs to list how many of so many dice show each face.
fn in_order(times: u64, faces: f64, bits: f64) -> f64 {
    choose(times as f64 + 1.0, faces - 1.0) * (2.0 + operation(bits * times as f64))
}

/// The distribution of a constant and a linear combination of views that each add up over the members, as one sum; none
/// with loops, where something is not listed, and where a number on the way may be too large.
pub(crate) fn combination(
    desk: &mut Desk<'_>,
    bunch: &Bunch,
    terms: &[(i64, &View)],
    constant: i64,
) -> Result<Option<Dist>, Stop> {
    let since = desk.record.mark(desk.budget.used());
    let mut far = i128::from(constant).abs();
    let mut parts = Vec::with_capacity(bunch.parts.len());
    for part in &bunch.parts {
        let Source::Each(dist) = &part.source else { return Ok(None) };
        if !bunch.stages.is_empty() || dist.items.iter().any(|(pool, _)| pool.known().is_none()) {
            return Ok(None);
        }
        let mut farthest = 0;
        let each = dist.map(&mut desk.budget, |pool, budget| {
            let (mut sum, mut size) = (0i128, 0i128);
            for (factor, view) in terms {
                let seen = match view.apply(pool, budget) {
                    Err(Stop::Fault(fault)) if !matches!(fault.code, Code::Limit | Code::Stopped) => None,
                    other => other?.as_int(),
                };
                // What is no number is too large.
                let term = seen.map_or(i128::MAX >> 4, |n| i128::from(n) * i128::from(*factor));
                (sum, size) = (sum.saturating_add(term), size.saturating_add(term.abs()));
            }
            farthest = farthest.max(size);
            Ok(Outcome::int(i64::try_from(sum).unwrap_or(i64::MAX)))
        })?;
        far = far.saturating_add(i128::saturating_mul(farthest, part.times.into()));
        parts.push((each, part.times));
    }
    if far >= 1 << 62 {
        return Ok(None);
    }
    let mut total = Dist::one(Outcome::int(constant));
    for (each, times) in &parts {
        let copies = power(each, *times, &mut desk.budget)?;
        total = add(&total, &copies, &mut desk.budget)?;
    }
    desk.record.tell(since, desk.budget.used(), || {
        let what = format!("a linear combination of {} properties of one roll", terms.len());
        (what, Some(METHOD.name), format!("{}: {}", METHOD.name, METHOD.does), None)
    });
    Ok(Some(total))
}

/// The distribution of the sum of two independent numbers.
pub(crate) fn add(a: &Dist, b: &Dist, budget: &mut Budget) -> Result<Dist, Stop> {
    if let (Some(x), Some(y)) = (Numbers::of(a), Numbers::of(b))
        && let Some(sum) = x.plus(&y, budget)?
    {
        return Ok(sum);
    }
    a.cross(b, budget, |x, y, budget| outcome::merge(Merge::Add, x, y, budget))
}

/// Listed numbers in order, with their weights.
struct Numbers<'a> {
    den: &'a UBig,
    items: Vec<(i64, &'a UBig)>,
}

impl<'a> Numbers<'a> {
    fn of(dist: &'a Dist) -> Option<Numbers<'a>> {
        let items = dist.items.iter().map(|(outcome, weight)| Some((outcome.as_int()?, weight)));
        Some(Numbers { den: &dist.den, items: items.collect::<Option<_>>()? })
    }

    /// The sum, in a table; none if the numbers stand too far apart for one.
    fn plus(&self, other: &Numbers<'_>, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
        let ends = |numbers: &Numbers<'_>| Some((numbers.items.first()?.0, numbers.items.last()?.0));
        let (Some((a, b)), Some((c, d))) = (ends(self), ends(other)) else { return Ok(None) };
        let (Some(low), Some(high)) = (a.checked_add(c), b.checked_add(d)) else { return Ok(None) };
        let pairs = self.items.len() as u64 * other.items.len() as u64;
        let range = u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(u64::MAX);
        if range > 1000 + pairs {
            return Ok(None);
        }
        let den = self.den * other.den;
        let slots = [(b - a) as u64 + 1, (d - c) as u64 + 1];
        let pairwise = price_of_products(pairs, self.den, other.den);
        let packed = packed::price(slots, bits(&den));
        budget.step(range.saturating_add(pairwise.min(packed)))?;
        let table = if pairwise <= packed {
            self.pairwise(other, low, range as usize)
        } else {
            packed::product(&self.row(slots[0]), &other.row(slots[1]), bits(&den))
        };
        let items = table.into_iter().enumerate().map(|(i, weight)| (Outcome::int(low + i as i64), weight)).collect();
        Ok(Some(Dist::listed(items, den)))
    }

    /// Whether listing how many of so many dice show each face is cheap, where pairs of sums are many.
    fn few(&self, times: u64) -> bool {
        let most = self.items.iter().map(|(n, _)| i128::from(*n).abs()).max().unwrap_or(0);
        let all = in_order(times, self.items.len() as f64, bits(self.den) as f64);
        most.saturating_mul(times.into()) < i64::MAX.into() && all < 1e7
    }

    /// The sum of so many, face by face: how many dice are left, and the sum of the others.
    fn listed(&self, times: u64, budget: &mut Budget) -> Result<Dist, Stop> {
        let step = 2 + cost_of(bits(self.den).saturating_mul(times));
        let mut open: HashMap<(u64, i64), UBig> = HashMap::from_iter([((times, 0), UBig::ONE)]);
        let mut chosen: HashMap<u64, Vec<UBig>> = HashMap::default();
        for (place, (face, weight)) in self.items.iter().enumerate() {
            let (powers, last) = (powers(weight, times), place + 1 == self.items.len());
            let mut next: HashMap<(u64, i64), UBig> = HashMap::default();
            for ((left, sum), ways) in open {
                let least = if last { left } else { 0 };
                budget.step(step.saturating_mul(left - least + 1))?;
                let chosen = chosen.entry(left).or_insert_with(|| binomials(left));
                for shows in least..=left {
                    let more = &chosen[shows as usize] * &powers[shows as usize] * &ways;
                    *next.entry((left - shows, sum + face * shows as i64)).or_default() += more;
                }
            }
            open = next;
        }
        let items = open.into_iter().map(|((_, sum), weight)| (Outcome::int(sum), weight)).collect();
        Ok(Dist::listed(items, self.den.pow(usize::try_from(times).unwrap_or(usize::MAX))))
    }

    /// The plain meaning: every pair.
    fn pairwise(&self, other: &Numbers<'_>, low: i64, range: usize) -> Vec<UBig> {
        let mut table = vec![UBig::ZERO; range];
        for (x, v) in &self.items {
            for (y, w) in &other.items {
                table[(x + y - low) as usize] += *v * *w;
            }
        }
        table
    }

    /// The weights in so many slots from the first number on.
    fn row(&self, slots: u64) -> packed::Row<'a> {
        let first = self.items.first().map_or(0, |(n, _)| *n);
        let weights = self.items.iter().map(|(n, weight)| ((n - first) as usize, *weight)).collect();
        packed::Row { slots: slots as usize, weights }
    }
}

/// What adding so many products of two weights costs, in steps: half of one each, and more for long ones.
fn price_of_products(pairs: u64, a: &UBig, b: &UBig) -> u64 {
    let words = |den: &UBig| bits(den) / 64;
    pairs.saturating_mul(75 + words(a).saturating_mul(words(b))) / 150
}

/// The distribution of the sum of `times` independent copies.
pub(crate) fn power(each: &Dist, times: u64, budget: &mut Budget) -> Result<Dist, Stop> {
    match times {
        0 => return Ok(Dist::one(Outcome::int(0))),
        1 => return Ok(each.clone()),
        _ => {}
    }
    // What is certain needs no powers of its weight.
    if let [(only, _)] = each.items.as_slice()
        && let Some(sum) = only.as_int().and_then(|n| n.checked_mul(i64::try_from(times).ok()?))
    {
        return Ok(Dist::one(Outcome::int(sum)));
    }
    match Series::of(each) {
        Some(series) => match tailed::copies(each, times, series.weights.len() as u64, budget)? {
            Some(sum) => Ok(with_moments(sum, each, times)),
            None => series.power(each, times, budget),
        },
        None => match Numbers::of(each).filter(|numbers| numbers.few(times)) {
            Some(numbers) => numbers.listed(times, budget),
            None => doubled(each, times, budget),
        },
    }
}

/// Copies by doubling, for numbers too far apart for a table.
fn doubled(each: &Dist, times: u64, budget: &mut Budget) -> Result<Dist, Stop> {
    let (mut result, mut square, mut left) = (Dist::one(Outcome::int(0)), each.clone(), times);
    while left > 0 {
        if left % 2 == 1 {
            result = add(&result, &square, budget)?;
        }
        left /= 2;
        if left > 0 {
            square = add(&square, &square, budget)?;
        }
    }
    Ok(result)
}

/// Weights by value from `low` on, known up to and including `low + weights.len() - 1`.
struct Series {
    low: i64,
    weights: Vec<UBig>,
    /// Whether the weights stand for the negated numbers.
    mirrored: bool,
    /// What the weight beyond the table stands for, if there is any.
    beyond: Option<Outcome>,
}

impl Series {
    /// The series of a distribution of numbers, if they stand close enough together.
    fn of(each: &Dist) -> Option<Series> {
        let below = each.items.iter().any(|(outcome, _)| matches!(outcome, Outcome::Below { .. }));
        let mut edge = i64::MAX;
        let mut beyond = None;
        let mut numbers = Vec::new();
        for (outcome, weight) in &each.items {
            match outcome {
                Outcome::Above { bound, .. } if !below => edge = edge.min(*bound),
                Outcome::Below { bound, .. } => edge = edge.min(bound.checked_neg()?),
                Outcome::Above { .. } | Outcome::Unknown => beyond = Some(Outcome::Unknown),
                Outcome::Cut => beyond = beyond.or(Some(Outcome::Cut)),
                _ => numbers.push((if below { outcome.as_int()?.checked_neg()? } else { outcome.as_int()? }, weight)),
            }
        }
        sort::by_key(&mut numbers, |(n, _)| *n);
        let low = numbers.first()?.0;
        let high = numbers.last()?.0.min(edge);
        let span = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
        if span > 1000 + 64 * numbers.len() {
            return None;
        }
        let full =
            if edge == i64::MAX { span } else { usize::try_from(edge.checked_sub(low)?).ok()?.checked_add(1)? };
        let mut weights = vec![UBig::ZERO; full.min(span + 1_000_000)];
        for (n, weight) in numbers {
            if let Some(place) = usize::try_from(n - low).ok().and_then(|place| weights.get_mut(place)) {
                *place += weight;
            }
        }
        let open = edge != i64::MAX;
        let far = Outcome::Above { bound: 0, pooled: false, far: None };
        Some(Series { low, weights, mirrored: below, beyond: beyond.or(open.then_some(far)) })
    }

    fn power(&self, each: &Dist, times: u64, budget: &mut Budget) -> Result<Dist, Stop> {
        let wide = self.weights.len() as u64;
        let open = matches!(self.beyond, Some(Outcome::Above { .. }));
        let range = if open { wide } else { (wide - 1).saturating_mul(times).saturating_add(1) };
        let den_bits = bits(&each.den).saturating_mul(times);
        let bytes = range.saturating_mul(24 + den_bits / 8);
        if bytes > budget.limits().bytes {
            return Err(Stop::Fault(too_long(range, den_bits)));
        }
        let recurrence = Recurrence::new(&self.weights, times, range, den_bits);
        budget.step(recurrence.price())?;
        let lowest = i64::try_from(times).ok().and_then(|times| self.low.checked_mul(times));
        let base = lowest.filter(|low| low.checked_add_unsigned(range).is_some()).ok_or_else(overflow)?;
        let table = recurrence.coefficients();
        let den = each.den.pow(usize::try_from(times).unwrap_or(usize::MAX));
        Ok(self.finish(each, times, base, table, den))
    }

    fn finish(&self, each: &Dist, times: u64, base: i64, table: Vec<UBig>, den: UBig) -> Dist {
        let last = base + table.len() as i64 - 1;
        let listed = self.beyond.as_ref().map(|_| table.iter().sum::<UBig>());
        let number = |k: usize| if self.mirrored { -(base + k as i64) } else { base + k as i64 };
        let some = table.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        let mut items: Vec<(Outcome, UBig)> = some.map(|(k, weight)| (Outcome::int(number(k)), weight)).collect();
        if self.mirrored {
            items.reverse();
        }
        if let (Some(beyond), Some(listed)) = (&self.beyond, listed) {
            let far = match beyond {
                Outcome::Above { .. } if self.mirrored => Outcome::Below { bound: -last, pooled: false, far: None },
                Outcome::Above { .. } => Outcome::Above { bound: last, pooled: false, far: None },
                other => other.clone(),
            };
            let left = &den - listed;
            items.extend((!left.is_zero()).then_some((far, left)));
        }
        with_moments(Dist::sorted(items, den), each, times)
    }
}

/// Gives the unlisted part of a sum of copies its mean and mean square, if the copies have theirs.
fn with_moments(mut sum: Dist, each: &Dist, times: u64) -> Dist {
    if !sum.items.iter().any(|(outcome, _)| outcome.beyond().is_some()) {
        return sum;
    }
    let Some((mean, square)) = moments::of(&each.items, &each.den) else { return sum };
    let n = Fraction::new(IBig::from(times), UBig::ONE);
    let all_mean = &n * &mean;
    let all_square = &(&n * &(&square - &(&mean * &mean))) + &(&all_mean * &all_mean);
    tailed::complete(&mut sum, &all_mean, &all_square);
    sum
}

fn too_long(range: u64, den_bits: u64) -> Fault {
    Fault::limit(format!(
        "the exact answer has {range} outcomes with numbers of {} digits, which is too much",
        den_bits / 3
    ))
    .hint("use fewer dice")
}

fn overflow() -> Stop {
    Stop::Fault(Fault::runtime("the sum is too large"))
}
