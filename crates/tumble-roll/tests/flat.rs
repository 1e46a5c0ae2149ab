//! A sampler takes short cuts; it must agree with the machine die for die, in errors too.

use tumble_core::read::program;
use tumble_core::{Diagnostic, Fault, Limits, Program, Value, arbitrary};
use tumble_roll::{Die, Fast, Sampler, Scripted, Source, every, roll, sample};

/// Dice without paths; how many fell is counted.
struct Counted {
    dice: Fast,
    fell: u64,
}

impl Source for Counted {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        self.fell += 1;
        self.dice.draw(die)
    }

    fn needs_path(&self) -> bool {
        false
    }
}

fn counted(seed: u64) -> Counted {
    Counted { dice: Fast::new(seed), fell: 0 }
}

/// Several rolls in a row, so that a die too many in one of them would show in the next.
fn agree(program: &Program, seed: u64, limits: &Limits, name: &str) -> Vec<Result<Value, Diagnostic>> {
    let (mut fast, mut plain) = (counted(seed), counted(seed));
    let mut sampler = Sampler::new(program, limits);
    let ends = (0..4).map(|number| {
        let sampled = sampler.sample(&mut fast);
        assert_eq!(sampled, sample(program, &mut plain, limits), "{name}, roll {number}");
        assert_eq!(fast.fell, plain.fell, "{name}, roll {number}: the dice");
        sampled
    });
    ends.collect()
}

fn tight(seed: u64) -> Limits {
    Limits { draws: seed % 7, steps: seed % 61, members: seed % 5, ..Limits::small() }
}

#[test]
fn random_programs_agree() {
    let mut values = 0;
    for seed in 0..6_000 {
        let made = arbitrary::program(seed);
        let ends = agree(&made, seed, &Limits::small(), &format!("program {seed}"));
        values += ends.iter().filter(|end| end.is_ok()).count();
        agree(&made, seed, &tight(seed), &format!("program {seed} with tight limits"));
        let open = arbitrary::open_program(seed);
        agree(&open, seed, &Limits { steps: 3_000, ..Limits::small() }, &format!("open program {seed}"));
    }
    assert!(values > 12_000, "only {values} rolls had a value");
}

#[test]
fn wide_programs_agree() {
    for seed in 0..3_000 {
        let made = arbitrary::wide_program(seed);
        agree(&made, seed, &Limits::small(), &format!("wide program {seed}"));
        agree(&made, seed, &tight(seed), &format!("wide program {seed} with tight limits"));
    }
}

/// The same value as the roll with its story, for the same seed.
#[test]
fn a_sample_is_the_roll() {
    for seed in 0..2_000 {
        let made = arbitrary::program(seed);
        let sampled = Sampler::new(&made, &Limits::default()).sample(&mut Fast::new(seed));
        let rolled = roll(&made, &mut Fast::new(seed), &Limits::default());
        assert_eq!(sampled, rolled.map(|rolled| rolled.value), "program {seed}");
    }
}

/// Rows that a random program seldom meets in all their ways: members of every order and number.
#[test]
fn rows_agree() {
    let dice = "gather(repeat(draw(0..9), draw(-2..3)))";
    let rows = [
        "X",
        "bag(X)",
        "largest(draw(0..5), X)",
        "least(draw(0..5), X)",
        "largest(draw(0..5), bag(X))",
        "least(draw(0..5), bag(X))",
        "least(draw(-1..5), gather(bag(X), X))",
        "equal(1, X)",
        "unequal(1, X)",
        "less(1, X)",
        "more(1, X)",
        "at_most(1, X)",
        "at_least(1, X)",
        "minimal(X)",
        "maximal(X)",
        "median(X)",
        "different(X)",
        "different(bag(X))",
        "minus(X, X)",
        "among(X, X)",
        "without(X, X)",
        "range(draw(-2..2), draw(-2..2))",
        "each(x in X, add(x, draw(1..2)))",
        "gather(each(x in X, gather(x, X)))",
        "gather(repeat(2, largest(2, X)))",
        "let x = X in gather(x, bag(x))",
        "loop(s = X, while some(more(4, gather(count(s)))), gather(s, X))",
        "only(largest(1, X))",
        "repeat(2, draw(3 x1 or 8 x2))",
        "accumulate(x = draw(1..6), some(unequal(6, gather(x))))",
        "mod(draw(-9..9), draw(-2..2))",
        "mul(mul(draw(1..9223372036854775807), 2), 1)",
        "draw(draw(0..3)..draw(0..3))",
        "sum(gather(repeat(2, draw(-2305843009213693952..2305843009213693951))))",
        "sum(largest(1, gather(repeat(2, draw(-9223372036854775807..9223372036854775807)))))",
        "sum(least(draw(0..3), bag(gather(repeat(3, draw(-5..5))))))",
        "sum(gather(9223372036854775807, draw(0..1)))",
    ];
    for (number, row) in rows.iter().enumerate() {
        for fold in ["X", "sum(X)", "count(X)", "some(X)"] {
            let text = fold.replace('X', &row.replace('X', dice));
            for seed in 0..40 {
                agree(&program(&text), 1000 * number as u64 + seed, &Limits::small(), &text);
            }
        }
    }
}

/// Each way to keep of each number of dice, which one instruction may do at once.
#[test]
fn sums_of_kept_dice_agree() {
    for keep in ["largest", "least"] {
        for (count, wanted) in (0..5).flat_map(|count| (0..6).map(move |wanted| (count, wanted))) {
            let text = format!("add(sum({keep}({wanted}, bag(gather(repeat({count}, draw(-3..2)))))), 2)");
            let (program, name) = (program(&text), &text);
            for seed in 0..20 {
                agree(&program, seed, &Limits::small(), name);
                agree(&program, seed, &Limits { steps: seed + 5, ..Limits::small() }, name);
            }
        }
    }
}

/// A source that refuses is asked once, and its words are the answer.
#[test]
fn a_refusal_is_passed_on() {
    struct Refuses(u64);
    impl Source for Refuses {
        fn draw(&mut self, _: &Die<'_>) -> Result<u64, Fault> {
            self.0 += 1;
            if self.0 == 3 { Err(Fault::runtime("the dice are gone")) } else { Ok(0) }
        }
        fn needs_path(&self) -> bool {
            false
        }
    }
    let (four, mut source) = (program("sum(gather(repeat(4, draw(1..6))))"), Refuses(0));
    let mut sampler = Sampler::new(&four, &Limits::small());
    assert_eq!(sampler.sample(&mut source).unwrap_err().message, "the dice are gone");
    assert_eq!(source.0, 3);
    assert_eq!(sampler.sample(&mut source), Ok(Value::int(4)));
}

/// A source that wants paths gets them.
#[test]
fn paths_are_there_when_wanted() {
    let four = program("sum(gather(repeat(4, draw(1..6))))");
    let error = Sampler::new(&four, &Limits::small()).sample(&mut Scripted::new([1, 2])).unwrap_err();
    assert_eq!(error.message, "no value given for die number 3 at `r` (1 to 6)");
    assert_eq!(every(&four, &Limits::small(), 2_000).unwrap().outcomes.len(), 21);
}
