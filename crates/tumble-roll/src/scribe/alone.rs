//! Which dice count alone: only there a natural 20 is one, and not in a pool.
//!
//! ```text
//! d20 + 5, 2d20kh1, d20 adv     one die counts
//! 5d20cs>=15, 3d20adv           several do
//! 6x(d20 + 5)                   one does in each result
//! ```

use crate::trace::{DieState, Drawn, Step, Trace};
use std::collections::HashMap;
use tumble_core::{Data, Span};

/// Leaves as alone the dice that are the only ones of their dice term to count.
pub(super) fn settle(draws: &mut [Drawn], whole: &Trace) {
    let mut results = Results::new(whole);
    let mut counting: HashMap<(usize, Span), usize> = HashMap::new();
    let mut keys = Vec::with_capacity(draws.len());
    for (number, die) in draws.iter().enumerate() {
        let key = (results.of(number), die.span);
        keys.push(key);
        let counts = !die.is_out() && die.state != DieState::Rerolled;
        *counting.entry(key).or_default() += usize::from(counts);
    }
    for (die, key) in draws.iter_mut().zip(keys) {
        die.alone &= counting.get(&key) == Some(&1);
    }
}

/// Where the results of a repetition that is the whole roll begin among the dice.
struct Results {
    begin: Vec<usize>,
    at: usize,
}

impl Results {
    fn new(whole: &Trace) -> Results {
        let list = matches!(whole.value.as_ref().map(|value| &value.data), Some(Data::List(_)));
        let repeated = whole.inside.last().filter(|part| list && part.value == whole.value);
        let begin = match repeated {
            Some(part) if part.what == Step::Dice => part.dice.clone(),
            Some(part) if part.what == Step::Loop => part.inside.iter().filter_map(first).collect(),
            _ => vec![],
        };
        Results { begin, at: 0 }
    }

    /// The result that a die belongs to; dice are asked for in order.
    fn of(&mut self, die: usize) -> usize {
        while self.begin.get(self.at).is_some_and(|begin| *begin <= die) {
            self.at += 1;
        }
        self.at
    }
}

/// The first die that fell in a part.
fn first(part: &Trace) -> Option<usize> {
    part.dice.iter().copied().chain(part.inside.iter().filter_map(first)).min()
}
