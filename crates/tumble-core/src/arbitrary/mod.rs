//! Random programs, for everyone's property tests.
//!
//! A program is made of small dice and small numbers, so that every roll of it can be listed, and of
//! every form and almost every row. It is well typed where types matter, so that most programs give
//! values; some give errors, and those must agree too. The same seed gives the same program.

mod cut;
mod endless;
mod list;
mod number;
mod peel;
mod play;
mod pool;
mod text;
mod tuple;

use crate::check::{Program, check};
use crate::diagnostic::Span;
use crate::prim::{self, Prim};
use crate::term::{Draft, FnId, Fork, Function, Slot, Term, TermId};
use crate::value::Value;

pub use cut::cut;

/// A random program whose loops all end after few passes.
pub fn program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    let size = 2 + maker.below(7) as u32;
    let sort = maker.sort();
    let body = maker.term(sort, size);
    maker.finish(body)
}

/// A random program like [`program`], but its loops end only by themselves.
pub fn open_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.open_loops = true;
    let pool = maker.term(Sort::Pool, 3);
    let body = maker.loop_over(pool);
    let summary = maker.fold(body);
    maker.finish(summary)
}

/// A random program that goes through the members of a collection one after the other, with something around it.
pub fn peeling_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    let size = maker.pick(&[2, 3, 4, 6]);
    let peeled = maker.peeled(size);
    let body = match maker.below(3) {
        0 => maker.row(&prim::GATHER, vec![peeled]),
        1 => {
            let other = maker.term(Sort::Int, size / 2);
            maker.row(&prim::ADD, vec![peeled, other])
        }
        _ => peeled,
    };
    maker.finish(body)
}

/// A random program that looks at one roll of several dice in several ways.
pub fn sharing_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    let dice = maker.repeated(0);
    let value = maker.row(&prim::BAG, vec![dice]);
    let body = maker.binding(Sort::Pool, |maker, slot| {
        let looks = (0..1 + maker.below(3)).map(|_| maker.idiom(3)).collect();
        let (pool, sort) = (maker.row(&prim::GATHER, looks), maker.sort());
        let body = match maker.below(3) {
            0 => maker.row(&prim::BAG, vec![pool]),
            1 => maker.fold(pool),
            _ => {
                let (other, number) = (maker.term(sort, 2), maker.fold(pool));
                maker.row(&prim::TUPLE, vec![number, other])
            }
        };
        maker.add(Term::Let { slots: vec![slot], value, body })
    });
    maker.finish(body)
}

/// A random program like [`program`] that also has loops with carried state, dice of any size, choices and
/// short cuts, and gives every term a place of its own. Not all its rolls can be listed.
pub fn wide_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.wide = true;
    let size = 3 + maker.below(8) as u32;
    let sort = maker.sort();
    let body = maker.term(sort, size);
    maker.finish(body)
}

/// A random program of dice that explode without end and are then changed: kept, capped, divided, compared, rolled
/// again, chosen, mixed with others and added up. Each of its loops goes on with a chance of one half at most, so
/// that [`cut`] changes little.
pub fn endless_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    let size = maker.pick(&[1, 2, 2, 2, 3, 3, 4]);
    let body = maker.changed_result(size);
    maker.finish(body)
}

/// A random program like [`program`] that also plays: it leaves early, asks, shows, and throws dice.
pub fn playing_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.plays = true;
    let size = 3 + maker.below(6) as u32;
    let sort = maker.sort();
    let body = maker.term(sort, size);
    maker.finish(body)
}

/// What a term gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Int,
    Pool,
    Truth,
    Pair,
    Text,
    /// A collection of pairs of numbers.
    Pairs,
    /// Several results.
    List,
}

struct Maker {
    state: u64,
    draft: Draft,
    /// The variables in scope.
    scope: Vec<(Slot, Sort)>,
    slots: usize,
    /// Functions made so far, each of one number.
    functions: Vec<Function>,
    open_loops: bool,
    wide: bool,
    plays: bool,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        Maker {
            state,
            draft: Draft::new(),
            scope: vec![],
            slots: 0,
            functions: vec![],
            open_loops: false,
            wide: false,
            plays: false,
        }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn sort(&mut self) -> Sort {
        match self.below(6) {
            0 => self.pick(&[Sort::Pair, Sort::Pair, Sort::Pair, Sort::Text, Sort::Text, Sort::Pairs, Sort::List]),
            _ => self.pick(&[Sort::Int, Sort::Pool]),
        }
    }

    fn finish(mut self, body: TermId) -> Program {
        let names = (0..self.slots).map(|i| format!("x{i}")).collect();
        self.functions.push(Function { name: "roll".into(), params: vec![], slots: names, body });
        let main = FnId(self.functions.len() as u32 - 1);
        match check(self.draft, self.functions, main) {
            Ok(program) => program,
            Err(found) => unreachable!("a made program is right: {found:?}"),
        }
    }

    fn add(&mut self, term: Term) -> TermId {
        let place = if self.wide { self.draft.len() } else { 0 };
        self.draft.add(Span::new(place, place + usize::from(self.wide)), term)
    }

    fn row(&mut self, prim: &'static Prim, args: Vec<TermId>) -> TermId {
        self.add(Term::Prim { prim, args })
    }

    /// A row of these kinds that fails by overflow at most. A new one is found by itself.
    fn any_row(&mut self, takes: &[prim::Sort], gives: prim::Sort) -> &'static Prim {
        let fits = |row: &&&Prim| row.takes == takes && row.gives == gives && row.fails != prim::Fails::Maybe;
        let rows: Vec<&'static Prim> = prim::ALL.iter().filter(fits).copied().collect();
        self.pick(&rows)
    }

    /// A row that makes a number of a collection.
    fn any_fold(&mut self) -> &'static Prim {
        self.any_row(&[prim::Sort::Pool], prim::Sort::Int)
    }

    fn int(&mut self, n: i64) -> TermId {
        self.add(Term::Lit(Value::int(n)))
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot(self.slots as u32 - 1)
    }

    /// A term of this sort made of about `size` others.
    fn term(&mut self, sort: Sort, size: u32) -> TermId {
        if self.plays && size > 0 && self.below(3) == 0 {
            return self.played(sort, size - 1);
        }
        if size > 0 && self.below(6) == 0 {
            return self.common(sort, size - 1);
        }
        let wanted: Vec<Slot> = self.scope.iter().filter(|(_, s)| *s == sort).map(|(slot, _)| *slot).collect();
        if !wanted.is_empty() && self.below(3) == 0 {
            let slot = self.pick(&wanted);
            return self.add(Term::Var(slot));
        }
        match sort {
            Sort::Int => self.number(size),
            Sort::Pool => self.pool(size),
            Sort::Truth => self.truth(size),
            Sort::Pair => self.pair(size),
            Sort::Text => self.text(size),
            Sort::Pairs => self.pairs(size),
            Sort::List => self.results(size),
        }
    }

    fn sort_of_half(&mut self) -> Sort {
        self.pick(&[Sort::Int, Sort::Pool])
    }

    /// The forms that can give anything.
    fn common(&mut self, sort: Sort, size: u32) -> TermId {
        match self.below(3) {
            0 => {
                let (test, then, other) =
                    (self.term(Sort::Truth, size / 2), self.term(sort, size / 2), self.term(sort, size / 2));
                let fork = self.pick(&[Fork::Branch, Fork::ShortCut]);
                self.add(Term::If { fork, test, then, other })
            }
            1 if sort == Sort::Int && self.below(2) == 0 => self.peeled(size),
            1 if sort == Sort::Int => self.call(size),
            _ if self.below(4) == 0 => self.taken_apart(sort, size),
            _ if matches!(sort, Sort::Int | Sort::Pool) && self.below(4) == 0 => self.carried_along(sort, size),
            _ => {
                let bound = self.pick(&[Sort::Int, Sort::Pool, Sort::Pool]);
                let value = self.term(bound, size / 2);
                self.binding(bound, |maker, slot| {
                    let body = maker.term(sort, size);
                    maker.add(Term::Let { slots: vec![slot], value, body })
                })
            }
        }
    }

    fn binding(&mut self, sort: Sort, body: impl FnOnce(&mut Maker, Slot) -> TermId) -> TermId {
        let slot = self.slot();
        self.scope.push((slot, sort));
        let term = body(self, slot);
        self.scope.pop();
        term
    }

    fn binding_all(&mut self, sorts: &[Sort], body: impl FnOnce(&mut Maker, Vec<Slot>) -> TermId) -> TermId {
        let slots: Vec<Slot> = sorts.iter().map(|_| self.slot()).collect();
        self.scope.extend(slots.iter().copied().zip(sorts.iter().copied()));
        let term = body(self, slots);
        self.scope.truncate(self.scope.len() - sorts.len());
        term
    }

    /// A call of a function that counts down.
    fn call(&mut self, size: u32) -> TermId {
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 1));
        self.scope.push((Slot(0), Sort::Int));
        // The place is taken first: the step may call functions of its own.
        let function = FnId(self.functions.len() as u32);
        let name = format!("f{}", function.0);
        self.functions.push(Function { name, params: vec![Slot(0)], slots: vec![], body: TermId(0) });
        let step = self.term(Sort::Int, size / 3);
        let passes_on = self.below(2) == 0;
        let n = self.add(Term::Var(Slot(0)));
        let by = if passes_on { self.die() } else { self.int(1) };
        let less = self.row(&prim::SUB, vec![n, by]);
        let inner = self.add(Term::Call { function, args: vec![less] });
        // Either the call is the last thing done, or its result is added to.
        let (go_on, end) = match passes_on {
            true => (inner, step),
            false => (self.row(&prim::ADD, vec![step, inner]), self.int(0)),
        };
        let (zero, n) = (self.int(0), self.add(Term::Var(Slot(0))));
        let pool = self.row(&prim::GATHER, vec![n]);
        let more = self.row(&prim::LESS, vec![zero, pool]);
        let test = self.row(&prim::SOME, vec![more]);
        let body = self.add(Term::If { fork: Fork::Branch, test, then: go_on, other: end });
        let names = (0..self.slots).map(|i| format!("n{i}")).collect();
        self.functions[function.index()].slots = names;
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        let count = self.below(3) as i64;
        let arg = self.int(count);
        self.add(Term::Call { function, args: vec![arg] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Node;
    use std::collections::{BTreeMap, BTreeSet};

    /// Programs of each sort that are looked at.
    const SEEDS: u64 = 2_000;

    #[test]
    fn every_seed_makes_a_program() {
        for seed in 0..SEEDS {
            assert!(!program(seed).nodes().is_empty());
            assert!(!open_program(seed).nodes().is_empty());
            assert!(!wide_program(seed).nodes().is_empty());
            assert!(!endless_program(seed).nodes().is_empty());
            assert!(!playing_program(seed).nodes().is_empty());
        }
    }

    /// How many of the programs use each row.
    fn uses(make: fn(u64) -> Program) -> BTreeMap<&'static str, u64> {
        let mut uses = BTreeMap::new();
        for seed in 0..SEEDS {
            let program = make(seed);
            let row = |node: &Node| if let Term::Prim { prim, .. } = &node.term { Some(prim.name) } else { None };
            let rows: BTreeSet<&str> = program.nodes().iter().filter_map(row).collect();
            rows.into_iter().for_each(|row| *uses.entry(row).or_default() += 1);
        }
        uses
    }

    /// A row that no random program uses is a row that no property test tests.
    #[test]
    fn every_row_occurs() {
        let (closed, endless) = (uses(program), uses(endless_program));
        for row in prim::ALL {
            let often = closed.get(row.name).copied().unwrap_or(0);
            assert!(often >= SEEDS / 200, "`{}` occurs in {often} of {SEEDS} programs", row.name);
        }
        for row in prim::ALL.iter().filter(|row| row.takes.iter().any(of_numbers) && !in_pairs(row)) {
            let often = endless.get(row.name).copied().unwrap_or(0);
            assert!(often >= 2, "`{}` occurs in {often} of {SEEDS} programs with endless dice", row.name);
        }
    }

    /// Whether a row takes numbers or collections of them.
    fn of_numbers(sort: &prim::Sort) -> bool {
        matches!(sort, prim::Sort::Int | prim::Sort::Pool | prim::Sort::Rest)
    }

    /// Whether it needs members that are pairs.
    fn in_pairs(row: &Prim) -> bool {
        row.example.0.iter().any(|arg| arg.starts_with("[("))
    }

    /// So does every form that plays.
    #[test]
    fn every_play_occurs() {
        let name = |node: &Node| match &node.term {
            Term::Leave { exit, .. } => Some(format!("leave {}", exit.name())),
            Term::Ask { question, .. } => Some(question.name().to_owned()),
            Term::Emit { event, .. } => Some(event.name().to_owned()),
            Term::Throw { throw, .. } => Some(throw.name().to_owned()),
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => None,
            Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => None,
            Term::Loop { .. } | Term::Call { .. } => None,
        };
        let mut uses: BTreeMap<String, u64> = BTreeMap::new();
        for seed in 0..SEEDS {
            let names: BTreeSet<String> = playing_program(seed).nodes().iter().filter_map(name).collect();
            names.into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
        }
        for form in ["leave call", "leave loop", "option", "number", "line", "plain", "again"] {
            let often = uses.get(form).copied().unwrap_or(0);
            assert!(often >= SEEDS / 50, "`{form}` occurs in {often} of {SEEDS} programs");
        }
    }

    /// So does a form that binds several variables.
    #[test]
    fn several_variables_occur() {
        let several = |node: &Node, binding: bool| match &node.term {
            Term::Let { slots, .. } => binding && slots.len() > 1,
            Term::Loop { slots, .. } => !binding && slots.len() > 1,
            Term::Lit(_) | Term::Var(_) | Term::If { .. } | Term::Prim { .. } | Term::Draw { .. } => false,
            Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Call { .. } => false,
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => false,
        };
        for (make, binding) in [(program as fn(u64) -> Program, true), (program, false), (wide_program, true)] {
            let has = |seed: &u64| make(*seed).nodes().iter().any(|node| several(node, binding));
            let often = (0..SEEDS).filter(has).count() as u64;
            assert!(often >= SEEDS / 50, "{often} of {SEEDS}");
        }
    }

    #[test]
    fn a_cut_program_is_the_same_with_ends() {
        for seed in 0..SEEDS {
            let endless = endless_program(seed);
            let ended = cut(&endless, 7);
            assert_eq!(crate::print(&ended).replace(", at most 7", ""), crate::print(&endless));
            let open = |node: &Node| matches!(node.term, Term::Until { most: None, .. });
            assert!(!ended.nodes().iter().any(open), "seed {seed}");
        }
    }
}
