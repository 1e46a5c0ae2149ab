//! Random texts as other tools spell them: the law, the way there and back, and into the everyday notation.

use crate::agreement::agrees;
use crate::grammars::{Random, Rule};
use tumble::{DIALECTS, Fraction, Notation, Options, Prepared, Vars, compile, everyday, notation};

/// Texts of each dialect that are compared in one run.
const TEXTS: usize = 200;

const COMMON: &[Rule] = &[
    ("n", &["0", "1", "2", "3"]),
    ("die", &["d2", "d3", "d4", "dF"]),
    ("keep", &["kh1", "kl1", "kh2"]),
    (
        "sum",
        &[
            "«dice»",
            "«dice»",
            "«dice» + «dice»",
            "«dice» - «n»",
            "«n» * «dice»",
            "(«sum») * 2",
            "floor(«dice» / 2)",
            "ceil(«dice» / 2)",
            "round(«dice» / 2)",
            "abs(«dice» - 2)",
            "«dice» ** 2",
        ],
    ),
];

const ROLL20: &[Rule] = &[
    ("text", &["«sum»", "«sum»", "{«dice»,«dice»}kh1", "{2d3+2d2}kh2", "{2d3+1}>3", "/roll «sum»", "[[«sum»]]"]),
    ("dice", &["«die»«mod»", "2«die»«mod»", "3d2«mod»", "2«die»«mod»«keep»", "2d4«count»", "3d3«keep»«count»"]),
    ("mod", &["", "", "r1", "ro<1", "ro1", "dl1", "dh1", "s", "sd", "m", "cs>2", "d1"]),
    ("count", &[">2", "<2", "=1", ">2f1", "<2f>3", "mt2", "mt", "mt3>1"]),
];

const FOUNDRY: &[Rule] = &[
    ("text", &["«sum»", "«sum»", "{«dice»,«dice»}kh1", "/r «sum»", "«dice» > «n»"]),
    ("dice", &["«die»«mod»", "2«die»«mod»", "3d2«mod»", "2«die»«mod»«keep»", "2d4«count»", "2d4xo«count»", "2dc"]),
    ("mod", &["", "", "r1", "r<2", "r1=1", "x1=2", "x2>=2", "xo", "xo2", "min2", "max2", "dl1", "dh1", "d"]),
    ("count", &["cs>2", "cf<2", "cs>=3df=1", "cs>2df", "df<2", "df", "sf1", "cs>=2sf=1", "even", "odd", "ms2"]),
];

const AVRAE: &[Rule] = &[
    ("text", &["«sum»", "«sum»", "(«dice», «dice»)kh1", "(«dice», 2)", "«dice» // 2", "!r «sum»", "«dice» > «n»"]),
    ("dice", &["«die»«mod»", "2«die»«mod»", "3d2«mod»", "2«die»«mod»mi2", "2d4k>2", "3d3k1k2", "2d3p1"]),
    (
        "mod",
        &[
            "", "", "«keep»", "ph1", "pl1", "ro1", "ro<2", "mi2", "ma2", "rol1", "roh1", "ra1", "ral1", "kh1kl1",
            "k1kh1", "ro1ro2", "p1ph1", "mi2mi1",
        ],
    ),
];

const RPG_DICE_ROLLER: &[Rule] = &[
    ("text", &["«sum»", "«sum»", "{«dice»,«dice»}kh1", "{3d3}kh2", "{2d3}>3", "«sum» // words"]),
    ("dice", &["«die»«mod»", "2«die»«mod»", "3d2«mod»", "3d3«keep»«mod»", "2d4«count»", "3d3dl1kh1", "2dF.1"]),
    ("mod", &["", "", "ro", "ro<2", "min2", "max2", "dl1", "sa", "cs>2", "u", "uo", "uo<2", "r>0"]),
    ("count", &[">2", "<2", "=1", ">=3f1", ">2f<2"]),
];

const DICEMAIDEN: &[Rule] = &[
    (
        "text",
        &["«list»", "«list»", "«list»", "/roll «list»", "p s «list»", "(Label) «list»", "«list» ! words", "«name»"],
    ),
    (
        "list",
        &[
            "«pool»",
            "«pool» + «n»",
            "«pool» - «m» * 2",
            "«pool» + 2d3«touch»",
            "«pool»«count»",
            "«pool» + 1«count»",
            "6 - «pool»",
        ],
    ),
    ("m", &["1", "2", "3"]),
    ("pool", &["2d4«mod»", "3d3«mod»", "2d3«again»«mod»", "3d2 k2", "d4"]),
    ("again", &[" e3", " e2", " r1", " rg3", " ir1", " i1"]),
    ("mod", &["", "", " k1", " kl1", " d1", " km1", " adv1", " dis1", " b1"]),
    ("touch", &["", "k1", "kl1", "e3", "r1"]),
    ("count", &[" t3", " tl2", " t2 f1", " f1", " t2ds3", " t2 t3 + 1", " f1 t3 c"]),
    ("name", &["dd23", "2yz", "3wh4+", "2wod6", "2wod6c", "1d6l", "cd2", "ww3", "age", "+d4", "sil2", "vtm2h1", "ex2"]),
];

const GRAMMARS: &[(&str, &[Rule])] = &[
    ("roll20", ROLL20),
    ("foundry", FOUNDRY),
    ("avrae", AVRAE),
    ("rpg-dice-roller", RPG_DICE_ROLLER),
    ("dicemaiden", DICEMAIDEN),
];

/// Texts of a dialect that can be read.
fn readable(name: &'static str, grammar: &'static [Rule]) -> impl Iterator<Item = Prepared> {
    let rules: Vec<Rule> = grammar.iter().chain(COMMON).copied().collect();
    let text = move |n| Random::new(n).text(&rules, "text", 0);
    (0..).map(text).filter_map(move |text| compile(name, &text, &Vars::new()).ok())
}

#[test]
fn every_dialect_has_a_grammar() {
    assert!(DIALECTS.iter().all(|dialect| GRAMMARS.iter().any(|(name, _)| *name == dialect.name)));
}

#[test]
fn the_law_holds_in_every_dialect() {
    for (name, grammar) in GRAMMARS {
        let mut compared = 0;
        for prepared in readable(name, grammar).take(20 * TEXTS) {
            match agrees(prepared.program(), &[&[]]) {
                Ok(small) => compared += usize::from(small),
                Err(why) => panic!("{name}: {:?}: {why}", prepared.text()),
            }
            if compared == TEXTS {
                break;
            }
        }
        assert_eq!(compared, TEXTS, "{name}: too few texts were small enough");
    }
}

/// The canonical spelling has the same meaning, and is its own spelling.
#[test]
fn spelled_texts_mean_the_same() {
    for (name, grammar) in GRAMMARS {
        for prepared in readable(name, grammar).take(TEXTS) {
            let spell = prepared.notation().spell;
            let spelled = spell(prepared.text()).unwrap_or_else(|found| panic!("{name}: {prepared}: {found:?}"));
            assert_eq!(spell(&spelled).unwrap(), spelled, "{name}: {prepared}");
            let again = compile(name, &spelled, &Vars::new()).unwrap();
            let core = |prepared: &Prepared| tumble_core::print(prepared.program());
            assert_eq!(core(&again), core(&prepared), "{name}: {prepared} spelled {spelled}");
        }
    }
}

fn distribution(prepared: &Prepared) -> Option<Vec<(String, Fraction)>> {
    let odds = prepared.odds(&Options::default()).ok()?;
    Some(odds.outcomes().map(|(value, chance)| (value.to_string(), chance)).collect())
}

/// How many of some texts have a translation, which means the same.
fn translated(texts: impl Iterator<Item = Prepared>, to: &'static Notation) -> usize {
    let given = texts.filter(|prepared| {
        let Ok(given) = prepared.translate(to) else { return false };
        let there = compile(to.name, &given.text, &Vars::new()).unwrap();
        let [here, there] = [prepared, &there].map(distribution);
        assert_eq!(here, there, "{prepared} as {}: {}", to.name, given.text);
        true
    });
    given.count()
}

#[test]
fn most_texts_are_translated_to_the_everyday_notation() {
    for (name, grammar) in GRAMMARS {
        let given = translated(readable(name, grammar).take(TEXTS), everyday());
        assert!(4 * given > TEXTS, "{name}: only {given} of {TEXTS} are translated");
    }
}

/// And from there: what everybody can say, and what only some can.
#[test]
fn many_texts_are_translated_from_the_everyday_notation() {
    const EVERYDAY: &[Rule] = &[
        ("text", &["«sum»", "«sum»", "{«dice», «dice»}kh1"]),
        ("dice", &["«die»«mod»", "2«die»«mod»", "3d2«mod»", "2«die»«mod»«keep»", "2d4«count»"]),
        ("mod", &["", "", "", "r1", "ro1", "ro<2", "dl1", "dh1", "mi2", "ma2", "s"]),
        ("count", &["cs>2", "cs>=3", "cs<2", "cs>=3cf=1", "even", "mt2"]),
    ];
    for dialect in DIALECTS {
        let given = translated(readable("tabletop", EVERYDAY).take(TEXTS), dialect);
        // A list from left to right can say little of it.
        let wanted = if dialect.name == "dicemaiden" { TEXTS / 6 } else { TEXTS / 3 };
        assert!(given > wanted, "{}: only {given} of {TEXTS} are translated", dialect.name);
    }
}

#[test]
fn what_dialects_say_to_each_other_means_the_same() {
    for (name, grammar) in GRAMMARS {
        for other in DIALECTS.iter().filter(|other| other.name != *name) {
            assert!(translated(readable(name, grammar).take(TEXTS / 4), other) > 0, "{name} to {}", other.name);
        }
    }
}

#[test]
fn texts_are_translated_between_dialects() {
    for (from, text, to, wanted) in [
        ("roll20", "3d6!>4", "tabletop", "3d6!>=4"),
        ("roll20", "2d8r<2", "tabletop", "2d8r<=2"),
        ("tabletop", "3d6!>=4", "roll20", "3d6!>4"),
        ("tabletop", "4d6r1kh3", "foundry", "4d6rr1kh3"),
        ("foundry", "4d6r<3", "tabletop", "4d6ro<3"),
        ("rpg-dice-roller", "4d6uo", "tabletop", "4d6uo"),
        ("roll20", "5d6mt3", "tabletop", "5d6mt3"),
        ("avrae", "4d6mi2ro1", "tabletop", "4d6mi2ro1"),
        ("tabletop", "4d6u", "rpg-dice-roller", "4d6u"),
        ("tabletop", "5d10>=8f1", "roll20", "5d10>8f=1"),
        ("avrae", "4d6rr<3kh3", "roll20", "4d6r<2kh3"),
        ("tabletop", "5d10cs>=8", "rpg-dice-roller", "5d10>=8"),
        ("tabletop", "5d10cs>=8", "roll20", "5d10>8"),
        ("tabletop", "5d10cs>=8", "dicemaiden", "5d10 t8"),
        ("tabletop", "4d6r<3kh3 + 2", "dicemaiden", "4d6 ir2 k3 + 2"),
        ("dicemaiden", "4d6 e5 k3", "tabletop", "4d6!>=5x1kh3"),
        ("dicemaiden", "4cod", "tabletop", "4d10!cs>=8"),
        ("dicemaiden", "1d6 + 2 * 3", "tabletop", "(d6 + 2) * 3"),
    ] {
        let prepared = compile(from, text, &Vars::new()).unwrap();
        assert_eq!(prepared.translate(notation(to).unwrap()).unwrap().text, wanted, "{from} {text} to {to}");
    }
}
