//! What is not listed completes what is: its moments are those of the whole without those of the listed numbers.

use super::Far;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::moments;
use crate::outcome::{Outcome, number};
use dashu_int::{IBig, UBig};

/// Sets the moments of the one unlisted part so that the whole has the given ones. Where anything else is not a listed
/// number, nothing follows for that part.
pub(crate) fn complete(dist: &mut Dist, mean: &Fraction, square: &Fraction) {
    let listed = dist.items.iter().filter(|(outcome, _)| outcome.beyond().is_none());
    let numbers = listed.map(|(outcome, weight)| Some((number(outcome.known()?)?, weight)));
    let Some(numbers) = numbers.collect::<Option<Vec<(i64, &UBig)>>>() else { return };
    if numbers.len() + 1 != dist.items.len() {
        return;
    }
    let [_, known_mean, known_square] = moments::weighted(&numbers);
    let den = dist.den.clone();
    for (outcome, weight) in &mut dist.items {
        if let Outcome::Above { far, .. } | Outcome::Below { far, .. } = outcome {
            let share = Fraction::part(weight, &den);
            let left = |all: &Fraction, known: &IBig| &(all - &Fraction::new(known.clone(), den.clone())) / &share;
            *far = Some(Far::new(left(mean, &known_mean), left(square, &known_square)));
        }
    }
}
