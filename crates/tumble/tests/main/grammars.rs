//! Grammars of random texts. A grammar is data: `«name»` stands for one of the lines under `name`.
//!
//! `cargo xtask same` reads this file too.

/// What a name stands for.
pub(crate) type Rule = (&'static str, &'static [&'static str]);

/// Notations and their grammars.
pub(crate) type Grammars = &'static [(&'static str, &'static [Rule])];

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

/// Small texts of every notation.
pub(crate) const SMALL: Grammars =
    &[("tabletop", TABLETOP), ("troll", TROLL), ("yadn", YADN), ("alea", ALEA), ("nice", NICE)];

/// Troll programs with rules of their own: larger pools, counts per face, folds, cards, two pools, recursion. Only some
/// are small enough for every roll to be listed.
pub(crate) const RULES: Grammars = &[("troll", RULES_TROLL)];

const RULES_TROLL: &[Rule] = &[
    (
        "text",
        &[
            "x := «p»; «x»",
            "x := «p»; c := foreach i in «faces» do count i «eq» x; «c»",
            "x := «p»; y := «p»; «xy»",
            "x := «p» -- «p»; «x»",
            "x := «cards»; c := foreach i in different x do count i=x; «c»",
            "x := «p»; w := max foreach i in 1..6 do count i=x; [w, max foreach i in 1..6 do if w = (count i=x) then i else {}]",
            "compositional f(«unit», «one», «op»)\ncall f(«p»)",
            "function f(x) = if x then «step» else 0\ncall f(«p»)",
            "function f(x, s) = if 0 = (count x) then s else call f(x -- («end» x), «more»)\ncall f(«p», «n»)",
            "function f(x, i) = if i=x then 1 + call f(x, i+1) else 0\nx := «p»; max foreach i in 1..6 do call f(x, i)",
            "function f(x, y) = if (0 = (count x)) then «n» else if (0 = (count y)) then «n» else «pair»\ncall f(«p», «p»)",
            "function f(n, s) = if n=0 then s else call f(n-1, «walk»)\ncall f(«k», «n»)",
            "function f(s) = if s >= «goal» then 0 else 1 + call f(s + d«s»)\ncall f(0)",
        ],
    ),
    (
        "p",
        &[
            "3d4",
            "2d6",
            "4d6",
            "5d6",
            "4d3",
            "6d2",
            "{2d4, 2d6}",
            "{d4, d6, d8}",
            "3#(max 2d4)",
            "2#(choose {1, 2, 2, 5})",
            "different 4d6",
            "2 <= 5d6",
        ],
    ),
    (
        "cards",
        &[
            "4#(1..5) pick 3",
            "(foreach c in (0..11) pick 3 do c mod 3)",
            "(foreach c in (0..11) pick 4 do c/4)",
            "{1, 1, 2, 2, 3} pick 2",
        ],
    ),
    ("faces", &["1..6", "1..4", "different x", "{1, 3, 5}"]),
    ("eq", &["=", "=", "=", "<=", ">"]),
    (
        "x",
        &[
            "sum (max x)=x",
            "count («end» x)=x",
            "sum (x drop {max x, min x})",
            "(sum x) - (count x)",
            "[count x, sum different x]",
            "(count «k»=x) - (count «k»<=x)",
            "if «k» = x then sum x else count x",
            "if (max {0, x}) > «k» then count different x else «n»",
            "sum foreach i in x do if 2 <= (count i=x) then i else 0",
            "(min largest 2 x) * «k»",
            "{max x, min x}",
            "m := max x; m * (count m=x) + (count m>x)",
        ],
    ),
    (
        "c",
        &[
            "max c",
            "count «k»<=c",
            "count «k»=c",
            "if (3<=c) & (2 <= (count 2<=c)) then 1 else 0",
            "if 4<=c then 3 else if 3=c then 2 else count 2=c",
            "sum foreach i in c do i*i",
            "[max c, count different c]",
            "{largest 2 c}",
        ],
    ),
    (
        "xy",
        &[
            "count foreach i in 1..2 do (min largest i x) > (min largest i y)",
            "count (x keep y)",
            "sum largest 2 (x -- y)",
            "(count (max x)<=y) - (count (max y)<=x)",
            "sgn ((sum x) - (sum y))",
            "sum (different (x @ y))",
        ],
    ),
    ("unit", &["0", "1"]),
    ("one", &["sum", "count", "max"]),
    ("op", &["+", "*", "-"]),
    (
        "step",
        &[
            "(max x) - call f(x -- (max x))",
            "m := max x; n := count m=x; m*n*n + call f(m > x)",
            "1 + call f((min x) < x)",
        ],
    ),
    ("end", &["max", "min"]),
    ("more", &["s + 1", "(«end» x) - s", "s * 2 + («end» x)", "max {s, count (max x)=x}"]),
    (
        "pair",
        &[
            "(count (max x) > (max y)) + call f(x -- (max x), y -- (max y))",
            "if (max x) > (max y) then 1 + call f(x -- (max x), y -- (max y)) else call f(x, y -- (max y))",
            "if (max x) > (min y) then call f(x, y -- (min y)) else call f(x -- (max x), y)",
        ],
    ),
    ("walk", &["max {0, s + sgn (d6 - d6)}", "s + count 6=2d6", "if 6=d6 then 0 else s + 1", "max {s, d«s»}"]),
    ("goal", &["3", "6", "12"]),
    ("n", &["0", "1", "2"]),
    ("k", &["2", "3", "5"]),
    ("s", &["4", "6"]),
];

/// Dice that explode without end and are then changed. Where a notation can write a limit, `¤` stands for it.
pub(crate) const ENDLESS: Grammars =
    &[("tabletop", ENDLESS_TABLETOP), ("troll", ENDLESS_TROLL), ("yadn", ENDLESS_YADN), ("alea", ENDLESS_ALEA)];

const ENDLESS_TABLETOP: &[Rule] = &[
    (
        "text",
        &["«e»", "«e»", "«e»", "«e»", "a := «d»; a + a", "a := «d»; a - min(a, «o»)", "[A: «d»] A > «n» ? A : «o»"],
    ),
    (
        "e",
        &[
            "«d»",
            "«d»",
            "2«d»",
            "3«d»",
            "2«d»«keep»",
            "3«d»«keep»",
            "2«d» «cmp» «n»",
            "2«d»cs>=«n»",
            "«d» - «d»",
            "«d» - «o»",
            "abs(«d» - «o»)",
            "«d» + «o»",
            "2 * «d» + «o»",
            "«d» * «d»",
            "(«o» «cmp» «n») * «d»",
            "2((«o» «cmp» «n») * «d»)",
            "2((«o» «cmp» «n») * «d»)«keep»",
            "«o» «cmp» «n» ? «d» : «o»",
            "(«o» «cmp» «n» ? «d» : «n») - «d»",
            "max(«d», «o»)",
            "min(«d», «o»)",
            "max(«o» «cmp» «n» ? «d» : «o», «d»)",
            "{«d», «o»}«keep»",
            "{«d», «o», «d»}«keep»",
            "{«d», «d»}",
            "2(«d» + «o»)",
            "2(«d»)«keep»",
            "3(«d» / 2)",
            "(«d» - «n») / «m»",
            "(«d» - «n») % «m»",
            "floor((«d» - «n») / «m»)",
            "ceil(-(«d») / «m»)",
            "-(«d») + «o»",
            "«d» «cmp» «d»",
            "(«e») - («e»)",
            "max(«e», «e»)",
        ],
    ),
    ("d", &["«die»«x»", "«die»«x»", "«die»«x»«mod»", "«die»«x»«mod»", "«die»«x»«mod»", "«die»«x»«mod»«mod»"]),
    ("die", &["d4", "d4", "d2", "d3", "d6", "d{1,2,3,3}", "d[0..3]"]),
    ("x", &["!!¤", "!!¤", "!!¤", "!¤", "!p¤", "!!p¤"]),
    ("mod", &["ro1", "ro1", "ro<3", "ro3", "r1x2", "r1¤", "mi2", "mi2", "mi4", "ma3", "ma9", "«keep»"]),
    ("keep", &["kh1", "kl1", "kh2", "dh1", "dl1"]),
    ("o", &["d6", "«n»", "d3", "«d»", "d4"]),
    ("cmp", &[">=", ">", "<", "<=", "=", "!="]),
    ("n", &["1", "2", "3", "5", "8", "13"]),
    ("m", &["2", "3"]),
];

const ENDLESS_TROLL: &[Rule] = &[
    (
        "text",
        &[
            "«e»",
            "«e»",
            "«e»",
            "«e»",
            "x := «p»; «x»",
            "x := «d»; x + x",
            "x := «d»; if x «cmp» «n» then «o» else x",
            "call f(0) function f(n) = x := d«s»; if x = «s» then «n» + call f(n) else x",
        ],
    ),
    (
        "e",
        &[
            "«d»",
            "sum 2#«d»",
            "sum 3#(«d»)",
            "(«d») - («d»)",
            "(«d») - («o»)",
            "(«d») * («o»)",
            "(«d» - «n») / 2",
            "(«d» - «n») mod 3",
            "sgn ((«d») - «n»)",
            "max {«d», «o»}",
            "min {«d», «o»}",
            "max 2#(«d»)",
            "sum largest 2 3#(«d»)",
            "sum least 2 {«d», «o», «o»}",
            "median {«d», «o», «d»}",
            "count «n» «cmp» «p»",
            "sum («n» «cmp» «p»)",
            "count different «p»",
            "sum different 2#(«d»)",
            "sum minimal «p»",
            "max («p»)",
            "sum («p» drop 1)",
            "sum («p» -- {2})",
            "«p»",
            "sum «p»",
            "sum foreach i in «p» do («n») * i",
        ],
    ),
    (
        "d",
        &[
            "sum accumulate x := d«s» while x = «s»",
            "sum accumulate x := d4 while x > 2",
            "if 1 = d2 then «n» else sum accumulate y := d3 while y = 3",
            "if 1 = d6 then 1 else sum accumulate y := d«s» while y = «s»",
            "y := sum accumulate z := d«s» while z = «s»; if y «cmp» 2 then «o» else y",
            "count accumulate x := d«s» while x = 1",
            "(?0.25) + sum accumulate x := d«s» while x = «s»",
        ],
    ),
    (
        "p",
        &[
            "2#(«d»)",
            "accumulate x := d4 while x = 4",
            "{«d», «o»}",
            "2#(accumulate x := d3 while x = 3)",
            "2#(if 1 = d6 then {1} else accumulate y := d4 while y = 4)",
            "(accumulate x := d4 while x = 4) @ «o»",
        ],
    ),
    ("x", &["sum x - count x", "sum (x -- (least 1 x))", "(max x) - (min x)", "count 1 = x"]),
    ("o", &["d6", "d2", "«n»", "0", "d4"]),
    ("cmp", &["<", "<=", "=", "=/=", ">=", ">"]),
    ("n", &["1", "2", "3", "5", "10"]),
    ("s", &["2", "3", "4", "6"]),
];

const ENDLESS_YADN: &[Rule] = &[
    ("text", &["«e»", "«e»", "«e»", "«d» «cmp» «o»", "«p»"]),
    (
        "e",
        &[
            "«d»",
            "(«d») - («d»)",
            "(«d») - («o»)",
            "(«d») + («o»)",
            "(«d») * «n»",
            "(«d») * (1d2 - 1)",
            "((«d») - «n») / 2",
            "((«d») - «n») % 3",
            "(«d») ^ 2",
            "-(«d»)",
            "(«o») «cmp» «n» ? («d») : («o»)",
            "((«o») «cmp» «n» ? («d») : «n») - («d»)",
            "S («p»)",
            "S («p»)",
            "N («p» pa «n»)",
            "«p» ns «n»",
            "«p» nb «n»",
            "S («p» ph 1)",
            "S («p» pl 1)",
            "C (2g!2 pc 3)",
        ],
    ),
    ("d", &["1d!«s»", "2d!«s»", "3d!«s»", "1dw«s»", "2dw«s»", "(1d!«s») - 1"]),
    (
        "p",
        &[
            "2g!«s»",
            "3g!«s»",
            "2g!«s» pf 2",
            "2g!«s» pf 4",
            "2g!«s» pc «n»",
            "2g!«s» pa «n»",
            "2g!«s» pb «n»",
            "3g!«s» ph 2",
            "3g!«s» pl 2",
            "2g!«s» pr 1",
            "2g!«s» p% 3",
        ],
    ),
    ("o", &["1d6", "«n»", "1d!4", "1d3"]),
    ("cmp", &["<", "<=", "==", "!=", ">=", ">"]),
    ("n", &["1", "2", "3", "5", "8"]),
    ("s", &["2", "3", "4", "6"]),
];

const ENDLESS_ALEA: &[Rule] = &[
    ("text", &["«pool»", "«pool»", "«pool» - «pool»", "«pool» - d6", "«pool» + 2", "«pool» + 2d4KH"]),
    ("pool", &["«dice»«x»", "«dice»«x»«mod»", "«dice»«x»«mod»", "«dice»«x»«mod»«count»", "«dice»«x»«count»"]),
    ("dice", &["d2", "d3", "d4", "d6", "2d3", "2d4", "3d4", "2d6", "2d{0, 2}", "d4+", "2d4-"]),
    ("x", &["!!", "!!", "!!", "!!d4", "!!d6"]),
    ("mod", &["KH", "KL", "K2H", "K2L", "K", "DH", "DL", "D", "D2L"]),
    ("count", &["C", "CM", "Cm", "C!", "C>1", "C<=2"]),
];

/// A small generator (splitmix64); `TUMBLE_TEST_SEED` chooses other texts.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(n: u64) -> Random {
        Random::seeded(std::env::var("TUMBLE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap()), n)
    }

    pub(crate) fn seeded(first: u64, n: u64) -> Random {
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
