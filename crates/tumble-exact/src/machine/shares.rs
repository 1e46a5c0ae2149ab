//! Mixtures that keep their parts.
//!
//! Many ways through a program lead to the same question, and thanks to the memo to the very same
//! law: of 441 ways a round of Risk can go, three differ in what follows. A mixture first adds up the
//! weights of equal parts, by identity, and is worked out only when something looks inside.

use super::{Machine, Mixture};
use crate::dist::Dist;
use crate::fraction::lcm;
use crate::law::Law;
use crate::map::HashMap;
use crate::outcome::Stop;
use dashu_int::UBig;
use std::cell::OnceCell;
use std::rc::Rc;

/// A law, or a mixture that is not worked out yet.
#[derive(Clone)]
pub(super) enum Given {
    Law(Rc<Law>),
    Shares(Rc<Shares>),
}

/// Laws with weights that add up to `den`.
pub(super) struct Shares {
    den: UBig,
    parts: Vec<(Rc<Law>, UBig)>,
    flat: OnceCell<Rc<Law>>,
}

impl Given {
    /// A law of its own.
    pub(super) fn law(law: Law) -> Given {
        Given::Law(Rc::new(law))
    }

    /// Whether it waits for a call that is not solved; a mixture never does.
    pub(super) fn has_holes(&self) -> bool {
        matches!(self, Given::Law(law) if law.has_holes())
    }
}

impl Machine<'_> {
    /// Mixes what was given with the weights of the mixture.
    pub(super) fn mixed(&mut self, mixture: Mixture, given: Vec<Given>) -> Result<Given, Stop> {
        let mut parts: Vec<(UBig, Given)> = mixture.weights.into_iter().zip(given).collect();
        parts.extend(mixture.others.into_iter().map(|(outcome, weight)| (weight, Given::law(Law::one(outcome)))));
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0).1);
        }
        let own = |given: &Given| if let Given::Shares(shares) = given { shares.den.clone() } else { UBig::ONE };
        let shared = parts.iter().fold(UBig::ONE, |shared, (_, given)| lcm(&shared, &own(given)));
        let (before, mut sums) = (parts.len(), Sums::default());
        for (weight, given) in parts {
            self.desk.budget.step(2)?;
            match given {
                Given::Law(law) => sums.add(&law, weight * &shared),
                Given::Shares(shares) => {
                    let scale = weight * (&shared / &shares.den);
                    shares.parts.iter().for_each(|(law, w)| sums.add(law, w * &scale));
                }
            }
        }
        let shares = Shares { den: mixture.den * shared, parts: sums.parts, flat: OnceCell::new() };
        if let [(law, _)] = shares.parts.as_slice() {
            return Ok(Given::Law(law.clone()));
        }
        let holes = shares.parts.iter().any(|(law, _)| law.has_holes());
        if shares.parts.len() < before && !holes {
            return Ok(Given::Shares(Rc::new(shares)));
        }
        Ok(Given::Law(self.worked_out(&shares)?))
    }

    /// The law that was given.
    pub(super) fn flat(&mut self, given: &Given) -> Result<Rc<Law>, Stop> {
        match given {
            Given::Law(law) => Ok(law.clone()),
            Given::Shares(shares) => self.worked_out(shares),
        }
    }

    fn worked_out(&mut self, shares: &Shares) -> Result<Rc<Law>, Stop> {
        if let Some(law) = shares.flat.get() {
            return Ok(law.clone());
        }
        if shares.parts.iter().all(|(law, _)| law.lazy.is_empty()) {
            let listed = |(law, weight): &(Rc<Law>, UBig)| Ok((weight.clone(), self.desk.settle(law)?));
            let listed = shares.parts.iter().map(listed).collect::<Result<Vec<_>, Stop>>()?;
            let views: Vec<(UBig, &Dist)> = listed.iter().map(|(weight, dist)| (weight.clone(), &**dist)).collect();
            let law = Rc::new(Law::from(Dist::mix(&views, &shares.den, &mut self.desk.budget)?));
            return Ok(shares.flat.get_or_init(|| law).clone());
        }
        let parts = shares.parts.iter().map(|(law, weight)| (weight.clone(), Law::clone(law))).collect();
        let mut law = Law::mix(parts, shares.den.clone(), &mut self.desk.budget)?;
        if law.lazy.len() > super::rows::MOST_ALTERNATIVES {
            law = Dist::clone(&*self.desk.settle(&law)?).into();
        }
        Ok(shares.flat.get_or_init(|| Rc::new(law)).clone())
    }
}

/// Weights of laws, added up by identity.
#[derive(Default)]
struct Sums {
    places: HashMap<*const Law, usize>,
    parts: Vec<(Rc<Law>, UBig)>,
}

impl Sums {
    fn add(&mut self, law: &Rc<Law>, weight: UBig) {
        let next = self.parts.len();
        let place = *self.places.entry(Rc::as_ptr(law)).or_insert(next);
        match self.parts.get_mut(place) {
            Some((_, sum)) => *sum += weight,
            None => self.parts.push((law.clone(), weight)),
        }
    }
}
