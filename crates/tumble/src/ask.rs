//! Everything that can be asked about odds at once: exact, explained, verified, or approximate.

use crate::approximate::{Approximate, Sampling};
use crate::prepared::{Prepared, any_seed};
use crate::verify::{Verified, probe};
use tumble_core::{Code, Diagnostic, Limits, Remedy, Span};
use tumble_exact::{Odds, Options};

/// What is wanted besides the odds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Cut loops after this many rolls.
    pub iterations: Option<u64>,
    /// Explain how the answer was found.
    pub explain: bool,
    /// Compute it a second time in another way, and compare.
    pub verify: bool,
    /// Allow an approximate answer where the exact one is over its limit.
    pub approx: bool,
    /// How many rolls to sample for an approximate answer.
    pub samples: Option<u64>,
    /// The seed for an approximate answer; by default a random one.
    pub seed: Option<u64>,
}

impl Query {
    /// Whether an approximate answer is to be made of rolls.
    fn rolls(&self) -> bool {
        self.samples.is_some() || self.seed.is_some()
    }

    fn sampling(&self, how: &Sampling) -> Result<Sampling, Diagnostic> {
        Ok(Sampling { rolls: self.samples, seed: self.seed.map_or_else(any_seed, Ok)?, ..how.clone() })
    }
}

/// The odds, exact or approximate.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each question, and it is seldom moved")]
pub enum Answer {
    /// The exact distribution, and how it was verified if that was wanted.
    Exact(Odds, Option<Verified>),
    /// An approximate distribution, and why there is no exact one.
    Approximate(Approximate, Diagnostic),
}

impl From<Odds> for Answer {
    fn from(odds: Odds) -> Answer {
        Answer::Exact(odds, None)
    }
}

impl Prepared {
    /// The odds. If an approximate answer is allowed it is given only where the exact one is over its
    /// limit or could list too little within it: in floating point if that can be and no number of rolls and no seed
    /// are given, else by rolling as `sampling` says, but for what is wanted here.
    pub fn ask(&self, query: &Query, limits: &Limits, sampling: &Sampling) -> Result<Answer, Diagnostic> {
        let verify = query.verify && cfg!(feature = "full");
        let explain = query.explain || verify;
        let probe = if verify { Some(probe(any_seed()?)) } else { None };
        let iterations = query.iterations;
        let options = Options { limits: limits.clone(), iterations, explain, probe, ..Options::default() };
        // Rolls know no cut, so an answer with loops cut is exact or none.
        let may = query.approx && query.iterations.is_none();
        let odds = match self.odds(&options) {
            Err(error) if may && error.code == Code::Limit => return self.approximated(query, limits, sampling, error),
            // What little is listed is still better than nothing.
            Ok(odds) if may && odds.cut_short() => match self.approximated(query, limits, sampling, self.cut_short()) {
                Ok(near) => return Ok(near),
                Err(_) => odds,
            },
            // Nor can it be approximate.
            Err(error) if iterations.is_some() => {
                let remedies =
                    error.remedies.iter().filter(|remedy| **remedy != Remedy::Approximate).cloned().collect();
                return Err(Diagnostic { remedies, ..error });
            }
            other => other?,
        };
        let verified = if verify { Some(self.verify(&odds, &options)?) } else { None };
        Ok(Answer::Exact(odds, verified))
    }

    /// What comes near the odds; `why` says why there are no exact ones.
    fn approximated(
        &self,
        query: &Query,
        limits: &Limits,
        sampling: &Sampling,
        why: Diagnostic,
    ) -> Result<Answer, Diagnostic> {
        let floats = if query.rolls() { None } else { self.round(limits) };
        let near = floats.map_or_else(|| self.sample(limits, &query.sampling(sampling)?), Ok)?;
        Ok(Answer::Approximate(near, why))
    }

    fn cut_short(&self) -> Diagnostic {
        let whole = Span::new(0, self.text().len());
        Diagnostic::new(Code::Limit, whole, "more than one part in a million could not be listed within the limits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CUT_SHORT, Vars, compile};

    /// So few steps do not reach where most rolls lie.
    #[test]
    fn a_list_that_is_cut_short_says_so_and_may_be_sampled() {
        let prepared = compile("tabletop", "30d6!", &Vars::new()).unwrap();
        let limits = Limits { steps: 3_000, ..Limits::default() };
        let query = Query { seed: Some(1), samples: Some(100), ..Query::default() };
        let Answer::Exact(odds, _) = prepared.ask(&query, &limits, &Sampling::default()).unwrap() else {
            panic!("nothing approximate was allowed")
        };
        assert!(odds.cut_short() && odds.warnings().iter().any(|warning| warning == CUT_SHORT), "{odds}");
        let near = prepared.ask(&Query { approx: true, ..query }, &limits, &Sampling::default()).unwrap();
        assert!(matches!(near, Answer::Approximate(..)), "{near:?}");
        let all = prepared.ask(&Query { approx: true, ..query }, &Limits::default(), &Sampling::default()).unwrap();
        let Answer::Exact(odds, _) = all else { panic!("the exact answer is within the limits") };
        assert!(!odds.cut_short() && odds.warnings().is_empty(), "{:?}", odds.warnings());
    }
}
