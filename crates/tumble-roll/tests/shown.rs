//! The dice that are shown as counting are those that the numbers on the line come from.
//!
//! Random terms are built from what notations make: dice, kept, exploded, rerolled and bounded ones, groups, and names.
//! None of them adds a number of its own, so that the total is the sum of the dice that count.

use tumble_core::Limits;
use tumble_core::read::program;
use tumble_roll::{DieState, Event, Rolled, Seeded, roll};

const TERMS: u64 = 4_000;

/// A grammar: `«name»` stands for one of the lines of `name`.
const GRAMMAR: &[(&str, &[&str])] = &[
    ("total", &["sum(«pool»)", "sum(«pool»)", "«together»", "add(«total», «total»)", "let x = «total» in x"]),
    (
        "pool",
        &[
            "gather(repeat(3, draw(1..4)))",
            "gather(repeat(2, «die»))",
            "gather(«die»)",
            "«select»(1, «pool»)",
            "«select»(2, «pool»)",
            "gather(«total», «total»)",
            "let p = «pool» in gather(p, repeat(count(equal(4, p)), draw(1..4)))",
            "gather(each(m in «pool», until(x = m then draw(1..4), some(unequal(1, gather(x))))))",
        ],
    ),
    ("select", &["largest", "least", "but_largest", "but_least"]),
    (
        "die",
        &[
            "draw(1..4)",
            "until(x = draw(1..4), some(unequal(1, gather(x))))",
            "until(x = «select»(1, gather(repeat(2, draw(1..4)))) then draw(1..4), some(unequal(1, gather(x))))",
            "gather(accumulate(x = draw(1..4), some(unequal(4, gather(x)))))",
            "sum(gather(accumulate(x = draw(1..4), some(unequal(4, gather(x))))))",
            "«select»(1, gather(repeat(2, draw(1..4))))",
        ],
    ),
    ("together", &["let p = «pool» in add(sum(p), sum(gather(repeat(count(equal(4, p)), draw(1..4)))))"]),
];

/// A text of the grammar; deep ones end with plain dice.
fn text(name: &str, depth: usize, next: &mut impl FnMut(usize) -> usize) -> String {
    let lines = GRAMMAR.iter().find(|(known, _)| *known == name).map(|(_, lines)| *lines).unwrap();
    let line = if depth > 4 { lines[0] } else { lines[next(lines.len())] };
    let mut parts = line.split(['«', '»']);
    let mut out = parts.next().unwrap().to_owned();
    while let (Some(name), Some(after)) = (parts.next(), parts.next()) {
        out += &text(name, depth + 1, next);
        out += after;
    }
    out
}

/// The sum of the dice that are shown as counting.
fn counting(rolled: &Rolled) -> i64 {
    let counts = rolled.draws.iter().filter(|die| !die.is_out() && die.state != DieState::Rerolled);
    counts.map(|die| die.became.or(die.shown.as_int()).unwrap()).sum()
}

/// Random totals, put in a place of the given text, and their rolls.
fn each(place: &str, law: impl Fn(&str, Rolled)) {
    let mut rolls = 0;
    for seed in 0..TERMS {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % below
        };
        let text = place.replace('§', &text("total", 0, &mut next));
        if let Ok(rolled) = roll(&program(&text), &mut Seeded::new(seed), &Limits::small()) {
            rolls += 1;
            law(&text, rolled);
        }
    }
    assert!(rolls > TERMS / 2, "only {rolls} could be rolled");
}

#[test]
fn dice_that_count_are_the_total() {
    each("§", |text, rolled| assert_eq!(Some(counting(&rolled)), rolled.value.as_int(), "{text}"));
}

#[test]
fn dice_that_count_are_the_total_that_is_compared() {
    for place in
        ["if some(at_most(9, gather(§))) then 1 else 0", "let y = § in if some(less(9, gather(y))) then 7 else 8"]
    {
        each(place, |text, rolled| {
            let compared = rolled.events.iter().find_map(|event| match event {
                Event::Check(check) => Some(check.right.value),
                _ => None,
            });
            assert_eq!(compared.map_or(counting(&rolled), |total| total), counting(&rolled), "{text}");
        });
    }
}

#[test]
fn dice_of_what_is_not_used_do_not_count() {
    for place in ["let y = § in 0", "sum(least(1, gather(-1, §)))", "sum(largest(1, gather(§, 1000)))"] {
        // Dice that were counted to roll as many others decided something.
        each(place, |text, rolled| assert!(text.contains("count") || counting(&rolled) == 0, "{text}"));
    }
}
