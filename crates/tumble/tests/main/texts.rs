//! Random texts of every notation: the law, the way there and back, and translations.
//!
//! A grammar is data: `«name»` stands for one of the lines under `name`. Texts are small, so that every roll of most
//! of them can be listed.

use crate::agreement::agrees;
use tumble::{Method, NOTATIONS, Prepared, Vars, compile};
use tumble_core::Term;

/// Texts of each notation that are compared in one run.
const TEXTS: usize = 250;

/// What a name stands for.
pub(crate) type Rule = (&'static str, &'static [&'static str]);

const TABLETOP: &[Rule] = &[
    (
        "text",
        &["«e»", "«e»", "«e»", "«e»", "a := «dice»; a + a * «n»", "«dice»; «dice»", "[A: «dice»] (A > «n») * A + «n»"],
    ),
    (
        "e",
        &[
            "«dice»",
            "«dice»",
            "«dice»",
            "«dice» + «dice»",
            "«dice» - «n»",
            "«n» * «dice»",
            "(«e») * («e»)",
            "(«dice» >= «n») * («dice»)",
            "«dice» > «n» ? «dice» : «n»",
            "max(«dice», «n»)",
            "min(«dice», «dice»)",
            "abs(«dice» - «n»)",
            "(«dice» - 2) / «m»",
            "(«dice» - 3) % «m»",
            "floor((«dice» - 3) / «m»)",
            "ceil((«dice» - 3) / «m»)",
            "(«dice» = «n») || («dice» > «n»)",
            "(«dice» < 3) && («dice» > 1)",
            "!(«dice» > «n»)",
            "{«dice», «dice»}«keep»",
            "{«dice», «n», «dice»}«keep»",
            "«m»(«dice» + 1)",
            "(d2)«die»«mods»",
            "-(«dice»)",
            "d(d3)",
        ],
    ),
    ("dice", &["«die»«mods»", "2«die»«mods»", "2«die»«mods»", "3d2«mods»", "2«die»«mods»«count»"]),
    ("die", &["d2", "d3", "d4", "dF", "d[0..2]", "d{1,1,3}"]),
    ("mods", &["", "", "«mod»", "«mod»", "«mod»«mod»", "«mod»«mod»«keep»"]),
    (
        "mod",
        &[
            "«keep»", "mi2", "ma2", "r1x2", "ro1", "ro<2", "r2x1", "!o", "!x1", "!x2", "!o2", "!>=2x1", "!!x1", "!!o",
            "!px1", "!po", "!!px1", "adv", "dis", "r1",
        ],
    ),
    ("keep", &["kh1", "kl1", "kh2", "dh1", "dl1", "k"]),
    ("count", &["cs>=2", "cs2", "cf1", "cs>=2cf=1", "cs>=2,3:2"]),
    ("n", &["0", "1", "2", "3"]),
    ("m", &["1", "2", "3"]),
];

const YADN: &[Rule] = &[
    (
        "text",
        &[
            "«num»",
            "«num»",
            "«pool»",
            "«num» «cmp» «num»",
            "«num» > «n» ? «num» : \"x\"",
            "«num»; «num»",
            "2dp3 m \"fate\"",
        ],
    ),
    (
        "num",
        &[
            "«n»",
            "«m»d«s»",
            "«m»dh«s»",
            "«m»dl«s»",
            "1d!«s»",
            "«m»dw2",
            "2dc3",
            "«pool» ns 2",
            "«pool» nb 2",
            "S «pool»",
            "N («pool»)",
            "C 2dp3",
            "(«num») + («num»)",
            "(«num») - («num»)",
            "(«num») * «n»",
            "(«num») / «m»",
            "(«num») % «m»",
            "«m» ^ «n»",
            "-(«num»)",
            "(1d2)d«s»",
            "S (2dp3 m \"fudge\")",
            "(«num») > «n» ? («num») : «n»",
        ],
    ),
    (
        "pool",
        &[
            "2dp«s»",
            "3dp2",
            "[2, 1, 2]",
            "2dp«s» pa «n»",
            "2dp«s» pb «n»",
            "2dp«s» pc «m»",
            "2dp«s» pf «m»",
            "3dp2 ph 2",
            "3dp2 pl 1",
            "2dp«s» pr «n»",
            "2dp«s» p% «m»",
            "1g!«s» pc 3",
            "2g!2 pc 2",
        ],
    ),
    ("cmp", &["<", "<=", "==", "!=", ">=", ">"]),
    ("n", &["0", "1", "2", "3"]),
    ("m", &["1", "2", "3"]),
    ("s", &["2", "3", "4"]),
];

const ALEA: &[Rule] = &[
    ("text", &["«pool»", "«pool»", "«pool» - «pool»", "«pool» + 2"]),
    ("pool", &["«dice»«mods»«count»"]),
    ("dice", &["d1", "d2", "d3", "2d2", "2d3", "3d2", "dF", "d[2..4]", "d{1, 1, 3}", "2d{0, 2}", "0d6", "d4"]),
    ("mods", &["", "«mod»", "«mod»«mod»", "«mod»«mod»«mod»"]),
    (
        "mod",
        &[
            "+", "-", "M", "m", "KH", "KL", "K", "K2H", "K2", "DH", "DL", "D", "D2L", "!", "!2", "!d3", "!3d2", "!!",
            "!!2", "!!d3", "!1",
        ],
    ),
    ("count", &["", "", "", "C", "CM", "Cm", "C!", "C>1", "C<=2", "C>=-1"]),
];

const NICE: &[Rule] = &[
    ("text", &["«e»", "«e»", "«e»", "[A: «e»] «a»", "[A: «e»] [B: «a»] A - B"]),
    (
        "e",
        &[
            "«d»",
            "«m»«d»",
            "«m»«d»kh",
            "3«d»kl2",
            "(«e»)",
            "«d» + «d»",
            "«d» - «n»",
            "«d» * («d» - 2)",
            "(«d» - 3) / «m»",
            "(«d»)(«d»)",
            "(«d» - 1)«d»",
            "«m»(«e»)",
            "«m»(«d» - 1)kh",
            "«d» «cmp» «d»",
            "(«d» > «n») * («d» + 1)",
            "-«d»",
            "«m»([A: d2] A * A)",
        ],
    ),
    ("a", &["A", "A + A", "(A)«d»", "«m»(A + «d»)", "(A > «n») * «d»", "A «cmp» «n»"]),
    ("d", &["d2", "d3", "d4"]),
    ("cmp", &["<", "<=", "==", ">=", ">"]),
    ("n", &["0", "1", "2", "3"]),
    ("m", &["1", "2", "3"]),
];

const TROLL: &[Rule] = &[
    ("text", &["«n»", "«c»", "x := «c»; «x»", "if «c» then «n» else «c»", "foreach i in «c» do i + d2"]),
    (
        "c",
        &[
            "2d«s»",
            "{«n», «n»}",
            "«k» «cmp» 2d«s»",
            "largest «k» 3d2",
            "least 1 2d«s»",
            "2#(d2 + 1)",
            "different 2d«s»",
            "2d3 drop 2",
            "2d3 keep {1, 2}",
            "2d2 @ d3",
            "accumulate i := d2 until i = 2",
            "3d2 pick 2",
        ],
    ),
    (
        "n",
        &[
            "«k»",
            "d«s»",
            "z2",
            "sum «c»",
            "count «c»",
            "max 2d«s»",
            "(«n») + («n»)",
            "(«n») - («n»)",
            "(«n») * 2",
            "(«n») / 2",
            "(«n») mod 2",
            "-(«n»)",
            "median 3d2",
            "repeat i := d3 until i < 3",
        ],
    ),
    ("x", &["sum x - count x", "x -- (least 1 x)", "count «k» = x", "x"]),
    ("cmp", &["<", "<=", "=", "=/=", ">=", ">"]),
    ("k", &["1", "2", "3"]),
    ("s", &["2", "3", "4"]),
];

const GRAMMARS: &[(&str, &[Rule])] =
    &[("tabletop", TABLETOP), ("troll", TROLL), ("yadn", YADN), ("alea", ALEA), ("nice", NICE)];

/// A small generator (splitmix64); `TUMBLE_TEST_SEED` chooses other texts.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(n: u64) -> Random {
        let first: u64 = std::env::var("TUMBLE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
        Random(first.wrapping_mul(1_000_003).wrapping_add(n))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    /// A text of a grammar; deep ones end with the first line of a rule.
    pub(crate) fn text(&mut self, grammar: &[Rule], name: &str, depth: usize) -> String {
        let (_, lines) = grammar.iter().find(|(known, _)| *known == name).unwrap();
        let line = lines[if depth > 4 { 0 } else { self.below(lines.len()) }];
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('«') {
            let (name, after) = after.split_once('»').unwrap();
            out.push_str(before);
            out.push_str(&self.text(grammar, name, depth + 1));
            rest = after;
        }
        out + rest
    }
}

/// Texts of a grammar that can be read.
fn readable(name: &'static str, grammar: &'static [Rule]) -> impl Iterator<Item = Prepared> {
    let text = move |n| Random::new(n).text(grammar, "text", 0);
    (0..).map(text).filter_map(move |text| compile(name, &text, &Vars::new()).ok())
}

#[test]
fn every_notation_has_a_grammar() {
    assert!(NOTATIONS.iter().all(|notation| GRAMMARS.iter().any(|(name, _)| *name == notation.name)));
}

#[test]
fn the_law_holds_for_random_texts() {
    for (name, grammar) in GRAMMARS {
        let (mut failed, mut compared) = (Vec::new(), 0);
        for prepared in readable(name, grammar).take(20 * TEXTS) {
            // Chains are long to list without any method.
            let open = prepared.text().contains("!!") || prepared.text().contains("d!");
            let without: &[&[Method]] = if open { &[&[]] } else { &[&[], &Method::ALL] };
            match agrees(prepared.program(), without) {
                Ok(small) => compared += usize::from(small),
                Err(why) => failed.push(format!("{name}: {:?}: {why}", prepared.text())),
            }
            if compared == TEXTS {
                break;
            }
        }
        assert!(failed.is_empty(), "{} texts disagree:\n{}", failed.len(), failed.join("\n"));
        assert_eq!(compared, TEXTS, "{name}: too few texts were small enough");
    }
}

/// The canonical spelling has the same law, and is its own spelling.
#[test]
fn spelled_texts_mean_the_same() {
    for (name, grammar) in GRAMMARS {
        for prepared in readable(name, grammar).take(TEXTS) {
            let spelled = (prepared.notation().spell)(prepared.text()).unwrap();
            assert_eq!((prepared.notation().spell)(&spelled).unwrap(), spelled, "{name}: {}", prepared.text());
            let again = compile(name, &spelled, &Vars::new()).unwrap();
            let core = |prepared: &Prepared| tumble_core::print(prepared.program());
            assert_eq!(core(&again), core(&prepared), "{name}: {} spelled {spelled}", prepared.text());
        }
    }
}

/// A translation that is given has the same law: it is compared before it is given, so here only what a writer
/// got wrong can show.
#[test]
fn translations_are_right_or_refused() {
    for (name, grammar) in GRAMMARS {
        for prepared in readable(name, grammar).take(TEXTS / 2) {
            for to in NOTATIONS {
                let Err(error) = prepared.translate(to) else { continue };
                let wrong = error.message.contains("has no text with the same results");
                assert!(!wrong || order_is_seen(&prepared), "{name} to {}: {}", to.name, prepared.text());
            }
        }
    }
}

/// Whether the result is a collection, which one notation sorts and another does not.
fn order_is_seen(prepared: &Prepared) -> bool {
    let program = prepared.program();
    let body = program.function(program.main()).body;
    let pool = |id| program.term(id).row().is_some_and(|(row, _)| row.gives == tumble_core::prim::Sort::Pool);
    let mut open = vec![body];
    while let Some(id) = open.pop() {
        if pool(id) {
            return true;
        }
        // What is bound may be what is named in the end.
        if let Term::Let { value, .. } = program.term(id) {
            open.push(*value);
        }
        program.term(id).parts(|child, role| open.extend(role.tail.then_some(child)));
    }
    false
}
