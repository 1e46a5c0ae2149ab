//! What holds of every notation: a tree that is spelled is read back, the spelling has no parenthesis too many, and
//! no term of a program is left over.

use crate::random::Random;
use tumble_core::{Diagnostic, Program};

/// How many random trees are spelled.
const CASES: u64 = 20_000;

/// A notation from both ends: how a tree is made at random, spelled, read, and written with every bracket.
pub(crate) struct Round<Tree> {
    pub(crate) tree: fn(&mut Random, usize) -> Tree,
    pub(crate) spell: fn(&Tree) -> String,
    pub(crate) parse: fn(&str) -> Result<Tree, Vec<Diagnostic>>,
    pub(crate) written: fn(&Tree) -> String,
    /// Whether the spelling has only the parentheses it needs.
    pub(crate) sparing: bool,
}

/// `parse(spell(tree)) = tree`, and the spelling is its own spelling.
pub(crate) fn check<Tree>(round: &Round<Tree>) {
    for seed in 0..CASES {
        let mut random = Random::new(seed);
        let size = 1 + random.below(24);
        let tree = (round.tree)(&mut random, size);
        let (spelled, meaning) = ((round.spell)(&tree), (round.written)(&tree));
        let again = (round.parse)(&spelled).unwrap_or_else(|found| panic!("seed {seed}: {spelled:?}: {found:?}"));
        assert_eq!((round.written)(&again), meaning, "seed {seed}: {spelled:?}");
        assert_eq!((round.spell)(&again), spelled, "seed {seed}");
        if round.sparing {
            no_parentheses_too_many(round, seed, &spelled, &meaning);
        }
    }
}

/// Without any one pair of parentheses the text is wrong or means something else.
fn no_parentheses_too_many<Tree>(round: &Round<Tree>, seed: u64, spelled: &str, meaning: &str) {
    for (open, close) in pairs(spelled) {
        let without = format!("{} {} {}", &spelled[..open], &spelled[open + 1..close], &spelled[close + 1..]);
        if let Ok(tree) = (round.parse)(&without) {
            assert_ne!((round.written)(&tree), meaning, "seed {seed}: {spelled:?} needs no parentheses at {open}");
        }
    }
}

/// The places of matching parentheses outside quotes.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs, mut quoted) = (Vec::new(), Vec::new(), false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => open.push(at),
            ')' if !quoted => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs
}

/// Every term of a program stands in it.
pub(crate) fn no_term_is_left_over(program: &Program, text: &str) {
    let mut count = 0;
    let mut walk: Vec<_> = program.functions().iter().map(|function| function.body).collect();
    while let Some(id) = walk.pop() {
        count += 1;
        program.term(id).children(|child| walk.push(child));
    }
    assert_eq!(count, program.nodes().len(), "{text:?}");
}
