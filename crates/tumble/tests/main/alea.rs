//! Alea: the law on random texts, and chains that are solved without end.

use crate::agreement::agrees;
use tumble::{Method, Options, Vars, compile};

/// Random texts that are compared in one run.
const TEXTS: usize = 150;

const DICE: &[&str] = &["d1", "d2", "d3", "2d2", "2d3", "3d2", "dF", "d[2..4]", "d{1, 1, 3}", "2d{0, 2}", "0d6", "d4"];
const CHANGES: &[&str] = &["+", "-", "M", "m", "KH", "KL", "K", "K2H", "K2", "DH", "DL", "D", "D2L"];
const EXPLOSIONS: &[&str] = &["!", "!2", "!d3", "!3d2", "!!", "!!2", "!!d3", "!!3d4", "!1"];
const COUNTS: &[&str] = &["", "", "", "C", "CM", "Cm", "C!", "C>1", "C<=2", "C>=-1"];

/// A small generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    fn pool(&mut self) -> String {
        let mut text = self.pick(DICE).to_owned();
        for _ in 0..self.below(5) {
            text += if self.below(2) == 0 { self.pick(CHANGES) } else { self.pick(EXPLOSIONS) };
        }
        text + self.pick(COUNTS)
    }
}

#[test]
fn the_law_holds_for_random_texts() {
    let first: u64 = std::env::var("TUMBLE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    let (mut failed, mut compared) = (Vec::new(), 0);
    for seed in 0..20 * TEXTS as u64 {
        let mut random = Random(first.wrapping_mul(1_000_003).wrapping_add(seed));
        let mut text = random.pool();
        if random.below(3) == 0 {
            text = format!("{text} - {}", random.pool());
        }
        // Not every row of words is a text: a count may be followed by a sign.
        let Ok(prepared) = compile("alea", &text, &Vars::new()) else { continue };
        // Chains are long to list without any method.
        let without: &[&[Method]] = if text.contains("!!") { &[&[]] } else { &[&[], &Method::ALL] };
        match agrees(prepared.program(), without) {
            Ok(small) => compared += usize::from(small),
            Err(why) => failed.push(format!("{text:?}: {why}")),
        }
        if compared == TEXTS {
            break;
        }
    }
    assert!(failed.is_empty(), "{} texts disagree:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(compared, TEXTS, "too few texts were small enough");
}

/// Texts without a longest roll, and their means.
const CHAINS: &[(&str, &str)] = &[
    ("d6!!", "21/5"),
    ("d6!!5", "21/4"),
    ("d20!!18", "210/17"),
    ("3d6!!", "63/5"),
    ("3d6!!+", "343/25"),
    ("d6M!!", "51/5"),
    ("d6!!d8", "61/14"),
    ("3d6!!5!4", "147/8"),
    ("3d6!!C", "18/5"),
    ("3d6!!C!", "3/5"),
    ("d6!!5d8C!", "2/3"),
    ("2d6!!d10CM", "10/27"),
    ("2d6!!KL", "11/5"),
    ("5d10!!K3H", "1756293/80000"),
    ("3d6!!d10K2HCM", "1019441/2160000"),
    ("3d6K2H!!", "1897/180"),
    ("6d6K3!!", "63/5"),
    ("3d6K2H!!C!", "107/180"),
];

#[test]
fn chains_without_end_are_exact() {
    for (text, mean) in CHAINS {
        let odds = compile("alea", text, &Vars::new()).unwrap().odds(&Options::default()).unwrap();
        assert!(odds.exact(), "{text:?}");
        assert_eq!(odds.mean().map(|mean| mean.to_string()).as_deref(), Some(*mean), "{text:?}");
    }
}
