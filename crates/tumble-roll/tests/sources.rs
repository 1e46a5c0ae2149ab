//! Sources: pinned values, and that uniform means uniform. All seeds are fixed, so nothing flakes.

use tumble_core::Limits;
use tumble_core::read::program;
use tumble_roll::{Die, Fast, Scripted, Seeded, Shows, Sides, Source, roll};

fn die(sides: i64) -> Sides {
    Sides::Range { lo: 1, hi: sides }
}

/// These numbers are a promise: a seeded roll is the same on every machine and in every version.
#[test]
fn seeded_faces_are_pinned() {
    let everything = Sides::Range { lo: i64::MIN, hi: i64::MAX };
    let table: &[(u64, &str, Sides, u64, u32, u64)] = &[
        (0, "r", die(6), 0, 0, 3),
        (7, "r", die(6), 0, 0, 0),
        (7, "r", die(6), 1, 0, 3),
        (7, "r", die(6), 0, 1, 1),
        (7, "rw1r", die(20), 0, 0, 10),
        (7, "r", Sides::Pick { of: 6 }, 0, 0, 0),
        (u64::MAX, "rutr", die(1_000_003), 3, 2, 500_078),
        (7, "r", everything, 0, 0, 13_128_968_226_601_768_608),
        (7, "r", Sides::Pick { of: (1 << 63) + 1 }, 0, 0, 2_852_811_325_018_253_254),
    ];
    for &(seed, path, sides, index, version, face) in table {
        assert_eq!(Seeded::face(seed, path, sides, index, version), face, "{seed} {path} {sides} {index} {version}");
    }
}

#[test]
fn fast_faces_are_pinned() {
    let mut source = Fast::new(7);
    let faces: Vec<u64> = (0..8).map(|index| fast(&mut source, die(20), index)).collect();
    assert_eq!(faces, [15, 9, 0, 6, 7, 6, 7, 3]);
}

#[test]
fn every_part_of_a_die_counts() {
    let face =
        |path, lo, index, version| Seeded::face(1, path, Sides::Range { lo, hi: lo + 999_999_999 }, index, version);
    let faces = [face("r", 1, 0, 0), face("rr", 1, 0, 0), face("r", 2, 0, 0), face("r", 1, 1, 0), face("r", 1, 0, 1)];
    let mut different = faces.to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), faces.len());
}

#[test]
fn a_source_from_the_system_is_a_seed_nobody_knew() {
    let (a, b) = (Seeded::from_system().unwrap(), Seeded::from_system().unwrap());
    assert_ne!(a.seed(), b.seed());
    assert!(fast(&mut Fast::from_system().unwrap(), die(6), 0) < 6);
}

#[test]
fn a_range_may_hold_every_number() {
    let sides = Sides::Range { lo: i64::MIN, hi: i64::MAX };
    assert_eq!((sides.last(), sides.count()), (u64::MAX, 1 << 64));
    assert_eq!((die(6).last(), die(6).count()), (5, 6));
    assert_eq!((Sides::Pick { of: 1 }.last(), Sides::Pick { of: 1 }.count()), (0, 1));
}

#[test]
fn given_values_come_first() {
    let mut source = Scripted::new([6, 5]).or(Seeded::new(3));
    let rolled = roll(&program("repeat(4, draw(1..6))"), &mut source, &Limits::small()).unwrap();
    let faces: Vec<u64> = rolled.draws.iter().map(|die| die.face).collect();
    assert_eq!(faces[..2], [5, 4]);
    assert_eq!(faces[2], Seeded::face(3, "r", die(6), 2, 0));
    assert_eq!(source.used(), 2);
}

fn fast(source: &mut Fast, sides: Sides, index: u64) -> u64 {
    source.draw(&Die { path: "", index, version: 0, sides, shows: Shows::Numbers }).unwrap()
}

/// How far the faces are from uniform: chi-square less its mean, in standard deviations. Sides are
/// put into at most 100 buckets.
fn distance(sides: u64, throws: u64, mut throw: impl FnMut(u64) -> u64) -> f64 {
    let buckets = sides.min(100);
    let bucket = |face: u64| (u128::from(face) * u128::from(buckets) / u128::from(sides)) as usize;
    let mut size = vec![0u64; buckets as usize];
    let mut seen = size.clone();
    (0..sides).for_each(|face| size[bucket(face)] += 1);
    (0..throws).for_each(|number| seen[bucket(throw(number))] += 1);
    let cells = seen.iter().zip(&size).map(|(&seen, &size)| {
        let expected = throws as f64 * size as f64 / sides as f64;
        (seen as f64 - expected).powi(2) / expected
    });
    let freedom = (buckets - 1) as f64;
    (cells.sum::<f64>() - freedom) / (2.0 * freedom).sqrt()
}

fn uniform(name: &str, mut throw: impl FnMut(Sides, u64) -> u64) {
    for sides in [2, 6, 20, 100, 1_000_003] {
        let distance = distance(sides, 60_000, |number| throw(die(sides as i64), number));
        assert!(distance.abs() < 4.0, "{name}: d{sides} is {distance:.1} standard deviations from uniform");
    }
}

#[test]
fn faces_are_uniform() {
    uniform("by seed", |sides, seed| Seeded::face(seed, "r", sides, 0, 0));
    uniform("by index", |sides, index| Seeded::face(1, "r", sides, index, 0));
    uniform("by path", |sides, number| Seeded::face(1, &format!("w{number}r"), sides, 0, 0));
    uniform("by version", |sides, number| Seeded::face(1, "r", sides, 0, number as u32));
    let mut source = Fast::new(1);
    uniform("fast", |sides, number| fast(&mut source, sides, number));
}

/// Half of all words must be refused for this die; what is left is uniform.
#[test]
fn a_die_that_refuses_words_is_uniform() {
    let sides = Sides::Pick { of: (1 << 63) + 1 };
    let coarse = |face: u64| face / ((1 << 63) / 10 + 1);
    let distance = distance(10, 20_000, |index| coarse(Seeded::face(5, "r", sides, index, 0)));
    assert!(distance.abs() < 4.0, "{distance:.1}");
}

#[test]
fn two_dice_are_independent() {
    let both = |first: u64, second: u64| 6 * first + second;
    let by_index = |seed| both(Seeded::face(seed, "r", die(6), 0, 0), Seeded::face(seed, "r", die(6), 1, 0));
    let by_path = |seed| both(Seeded::face(seed, "r", die(6), 0, 0), Seeded::face(seed, "rr", die(6), 0, 0));
    let mut source = Fast::new(2);
    let in_turn = |index| both(fast(&mut source, die(6), index), fast(&mut source, die(6), index));
    for distance in [distance(36, 72_000, by_index), distance(36, 72_000, by_path), distance(36, 72_000, in_turn)] {
        assert!(distance.abs() < 4.0, "{distance:.1}");
    }
}

/// The whole way: the faces of a program's dice over many seeds.
#[test]
fn a_rolled_program_is_uniform() {
    let program = program("sum(gather(repeat(2, draw(1..6))))");
    let mut cells = [0u64; 36];
    for seed in 0..36_000 {
        let rolled = roll(&program, &mut Seeded::new(seed), &Limits::small()).unwrap();
        cells[(6 * rolled.draws[0].face + rolled.draws[1].face) as usize] += 1;
    }
    let chi: f64 = cells.iter().map(|&seen| (seen as f64 - 1000.0).powi(2) / 1000.0).sum();
    assert!((chi - 35.0).abs() < 4.0 * 70f64.sqrt(), "{chi:.1}");
}
