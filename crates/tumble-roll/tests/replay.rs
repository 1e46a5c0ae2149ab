//! Laws that hold for every roll of every program.

use std::collections::HashSet;
use tumble_core::read::program;
use tumble_core::{Limits, Program, arbitrary, print};
use tumble_roll::{Fast, LazyRoll, Recorded, Rolled, Roller, Sampler, Seeded, Shows, Versioned, every, roll, sample};

const PROGRAMS: u64 = 1500;

/// Random programs and their rolls with one seed; those that fail are left out, but not too many.
fn each_roll(mut law: impl FnMut(&str, &Program, u64, Rolled)) {
    let mut rolls = 0;
    for seed in 0..PROGRAMS {
        let program = arbitrary::wide_program(seed);
        let text = print(&program);
        if let Ok(rolled) = roll(&program, &mut Seeded::new(seed), &Limits::small()) {
            rolls += 1;
            law(&text, &program, seed, rolled);
        }
    }
    assert!(rolls > PROGRAMS / 2, "only {rolls} programs could be rolled");
}

#[test]
fn no_two_dice_share_a_path_and_an_index() {
    each_roll(|text, _, _, rolled| {
        let mut seen = HashSet::new();
        for die in &rolled.draws {
            assert!(seen.insert((&die.path, die.index)), "{} #{} twice in {text}", die.path, die.index);
        }
    });
}

#[test]
fn a_recorded_roll_is_the_same_roll() {
    each_roll(|text, program, _, rolled| {
        let again = roll(program, &mut Recorded::from_draws(&rolled.draws), &Limits::small()).unwrap();
        assert_eq!(again, rolled, "{text}");
    });
}

#[test]
fn a_recorded_roll_less_one_die_is_filled_up() {
    each_roll(|text, program, seed, rolled| {
        let Some((_, others)) = rolled.draws.split_last() else { return };
        let recorded = Recorded::from_draws(others);
        assert!(roll(program, &mut recorded.clone(), &Limits::small()).is_err(), "{text}");
        let filled = roll(program, &mut recorded.or(Seeded::new(seed)), &Limits::small()).unwrap();
        assert_eq!(filled, rolled, "{text}");
    });
}

#[test]
fn every_die_can_be_had_alone() {
    each_roll(|text, _, seed, rolled| {
        for die in &rolled.draws {
            assert_eq!(Seeded::face(seed, &die.path, die.sides, die.index, 0), die.face, "{text}");
        }
    });
}

/// Other dice may be met because of the new face, but no die that is met in both rolls differs.
#[test]
fn another_version_changes_one_die_only() {
    each_roll(|text, program, seed, rolled| {
        let Some(chosen) = rolled.draws.first() else { return };
        let mut source = Versioned::new(Seeded::new(seed));
        source.set(&chosen.path, chosen.sides, chosen.index, 1);
        let Ok(again) = roll(program, &mut source, &Limits::small()) else { return };
        let face = Seeded::face(seed, &chosen.path, chosen.sides, chosen.index, 1);
        assert_eq!(again.draws[0].face, face, "{text}");
        for die in &again.draws[1..] {
            assert_eq!(Seeded::face(seed, &die.path, die.sides, die.index, 0), die.face, "{text}");
        }
    });
}

#[test]
fn a_sample_is_a_roll_without_its_story() {
    each_roll(|text, program, seed, rolled| {
        assert_eq!(sample(program, &mut Seeded::new(seed), &Limits::small()).unwrap(), rolled.value, "{text}");
        let mut source = Fast::new(seed);
        let mut sampler = Sampler::new(program, &Limits::small());
        let samples: Vec<_> = (0..3).map(|_| sampler.sample(&mut source)).collect();
        let mut source = Fast::new(seed);
        let fresh: Vec<_> = (0..3).map(|_| sample(program, &mut source, &Limits::small())).collect();
        assert_eq!(samples, fresh, "{text}: a sampler starts anew each time");
    });
}

/// A roller writes each story over the one before; nothing of it may show, also after a failure.
#[test]
fn a_roller_starts_anew_each_time() {
    for number in 0..PROGRAMS {
        let program = arbitrary::wide_program(number);
        let text = print(&program);
        let mut roller = Roller::new(&program, &Limits::small());
        for seed in 0..4 {
            let again = roller.roll(&mut Seeded::new(seed)).and_then(LazyRoll::record).cloned();
            assert_eq!(again, roll(&program, &mut Seeded::new(seed), &Limits::small()), "{text}");
        }
    }
}

#[test]
fn every_roll_is_among_all_rolls() {
    let mut tallied = 0;
    each_roll(|text, program, _, rolled| {
        let Ok(tally) = every(program, &Limits::small(), 300) else { return };
        tallied += 1;
        assert!(tally.outcomes.iter().any(|row| row.end.as_ref() == Ok(&rolled.value)), "{text}");
        let sum = tally.outcomes.iter().try_fold(tally.cut, |sum, row| sum.plus(row.weight)).unwrap();
        assert_eq!((sum.num, sum.den), (1, 1), "{text}");
    });
    assert!(tallied > PROGRAMS / 10, "only {tallied} programs could be tallied");
}

/// A source of one's own sees what the faces show.
#[test]
fn a_source_sees_what_a_die_shows() {
    struct Largest;
    impl tumble_roll::Source for Largest {
        fn draw(&mut self, die: &tumble_roll::Die<'_>) -> Result<u64, tumble_core::Fault> {
            Ok(match die.shows {
                Shows::Numbers => die.sides.last(),
                Shows::Weighted(_) => 0,
                Shows::Members(members) => (0..members.len()).max_by_key(|&at| &members[at]).unwrap() as u64,
            })
        }
    }
    let program = program("gather(draw(1..6), draw(9 x2 or 1 x1), draw(of [3, 8, 5]))");
    assert_eq!(roll(&program, &mut Largest, &Limits::small()).unwrap().value.to_string(), "[6, 9, 8]");
}
