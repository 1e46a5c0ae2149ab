//! A roller notes the dice and tells the story later; it must be the story that is told at once, die for
//! die and word for word, in errors too.

use tumble_core::read::program;
use tumble_core::{Diagnostic, Limits, Program, Value, arbitrary, print};
use tumble_roll::{
    Drawn, Fast, LazyRoll, Ready, Recorded, Rolled, RolledDie, Roller, Scripted, Seeded, Source, roll, story,
};

/// The dice of a roll before its story is told.
type Noted = (Value, Vec<RolledDie<'static>>);

/// What a roll says before it is told, and its story.
fn noted(thrown: LazyRoll<'_, '_>) -> (Noted, Result<Rolled, Diagnostic>) {
    let own = |die: RolledDie<'_>| RolledDie { path: die.path.into_owned().into(), ..die };
    let dice = thrown.dice().map(own).collect();
    ((thrown.value(), dice), thrown.record().cloned())
}

fn fell(drawn: &Drawn) -> RolledDie<'_> {
    let Drawn { path, index, sides, face, shown, span, .. } = drawn;
    RolledDie { path: path.into(), index: *index, sides: *sides, face: *face, shown: shown.clone(), span: *span }
}

/// Two rolls in a row from each of two equal sources; how many dice were noted. A roll whose story alone is too
/// long stops earlier when it is told at once, so the sources are not equal any more after an error.
fn agree<S: Source>(roller: &mut Roller<'_>, program: &Program, limits: &Limits, (mut one, mut two): (S, S)) -> usize {
    let mut dice = 0;
    for number in 0..2 {
        let at_once = roll(program, &mut one, limits);
        let words = || format!("roll {number} of {}", print(program));
        let (noted, told) = match roller.roll(&mut two).map(noted) {
            Ok(thrown) => thrown,
            Err(error) => {
                assert_eq!(Err(error), at_once, "{}", words());
                return dice;
            }
        };
        assert_eq!(told, at_once, "{}", words());
        let Ok(rolled) = at_once else { return dice };
        assert_eq!(noted, (rolled.value.clone(), rolled.draws.iter().map(fell).collect()), "{}", words());
        assert_eq!(story("", program, &told.unwrap()), story("", program, &rolled));
        dice += rolled.draws.len();
    }
    dice
}

fn agree_on(program: &Program, seed: u64, limits: &Limits) -> usize {
    let mut roller = Roller::new(program, limits);
    let seeded = (Seeded::new(seed), Seeded::new(seed));
    let typed = || Scripted::new([1, 2, 1, 3, 2, 1]).or(Fast::new(seed));
    agree(&mut roller, program, limits, seeded)
        + agree(&mut roller, program, limits, (Fast::new(seed), Fast::new(seed)))
        + agree(&mut roller, program, limits, (typed(), typed()))
}

fn tight(seed: u64) -> Limits {
    Limits { draws: seed % 7, steps: seed % 97, members: seed % 5, ..Limits::small() }
}

#[test]
fn random_programs_agree() {
    let mut dice = 0;
    for seed in 0..2_000 {
        for made in [arbitrary::program(seed), arbitrary::wide_program(seed)] {
            dice += agree_on(&made, seed, &Limits::small());
            agree_on(&made, seed, &tight(seed));
        }
        agree_on(&arbitrary::open_program(seed), seed, &Limits { steps: 2_000, ..Limits::small() });
    }
    assert!(dice > 20_000, "only {dice} dice fell");
}

/// Every form and every row of flat code, also after one another in loops, so that paths have many passes.
#[test]
fn written_programs_agree() {
    let texts = [
        "sum(largest(3, bag(gather(repeat(4, draw(1..6))))))",
        "gather(repeat(12, sub(draw(1..6), draw(1..draw(1..3)))), draw(1..6))",
        "gather(repeat(3, gather(repeat(11, add(0, draw(1..6))))))",
        "gather(each(x in gather(repeat(11, draw(1..3)), draw(1..2)), draw(0..x)), draw(1..4))",
        "gather(each(x in gather(accumulate(y = draw(1..3), some(equal(3, gather(y))))), draw(0..x)))",
        "sum(gather(repeat(3, sum(gather(accumulate(x = draw(1..2), some(unequal(2, gather(x)))))))))",
        "until(x = repeat(2, draw(1 x2 or 5 x1)), some(equal(5, gather(x))))",
        "loop(s = draw(1..2), while some(more(20, gather(s))), add(s, draw(1..3)))",
        "if both(some(equal(1, gather(draw(1..2)))), some(equal(1, gather(draw(1..2))))) then draw(1..6) else draw(1..8)",
        "add(if some(equal(1, gather(draw(1..2)))) then draw(1..6) else 0, mul(2, sub(3, draw(1..4))))",
        "div(draw(1..6), draw(0..1))",
        "mul(draw(1..9223372036854775807), draw(1..4))",
        "f(x) = draw(1..x); add(f(draw(1..6)), draw(1..6))",
        "bag(draw(2 of gather(repeat(4, draw(1..6)))))",
        "draw(draw(0..3)..draw(0..3))",
        "repeat(draw(-1..2), draw(1..6))",
    ];
    for text in texts {
        let program = program(text);
        (0..40).for_each(|seed| assert!(agree_on(&program, seed, &Limits::small()) < 5_000, "{text}"));
        (0..300).for_each(|seed| assert!(agree_on(&program, seed, &tight(seed)) < 50, "{text}"));
    }
}

/// What is known of a program is found once and serves many rollers, on several threads.
#[test]
fn a_ready_program_is_shared() {
    let ready = Ready::new(program("add(sum(largest(3, bag(gather(repeat(4, draw(1..6)))))), 2)"));
    let expected: Vec<Rolled> =
        (0..50).map(|seed| roll(ready.program(), &mut Seeded::new(seed), &Limits::small()).unwrap()).collect();
    let rolls = || {
        let (mut roller, mut sampler) = (ready.roller(&Limits::small()), ready.sampler(&Limits::small()));
        for (seed, rolled) in expected.iter().enumerate() {
            let mut source = Seeded::new(seed as u64);
            assert_eq!(sampler.sample(&mut source).unwrap(), rolled.value);
            assert_eq!(roller.roll(&mut source).and_then(LazyRoll::record).unwrap(), rolled);
        }
    };
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(rolls))));
    assert!(!ready.clone().program().nodes().is_empty());
}

/// The dice that were noted are enough to have the roll again.
#[test]
fn noted_dice_can_be_recorded() {
    let program = program("repeat(2, sub(draw(1..6), draw(1..20)))");
    let mut roller = Roller::new(&program, &Limits::small());
    let thrown = roller.roll(&mut Fast::new(3)).unwrap();
    let mut recorded = Recorded::new();
    thrown.dice().for_each(|die| recorded.insert(&die.path, die.sides, die.index, die.face));
    let value = thrown.value();
    assert_eq!(roll(&program, &mut recorded, &Limits::small()).unwrap().value, value);
}
