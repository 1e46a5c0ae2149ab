//! The line of a roll, in every notation: what counted, what did not, and how a check came out.

use tumble::dice::Scripted;
use tumble::render::{json, text};
use tumble::{Limits, Prepared, Rolled, Vars, compile};

fn rolled(notation: &str, roll: &str, dice: &[i64]) -> (Prepared, Rolled) {
    let vars = Vars::from([("str", 3), ("prof.dex", 2), ("N", 2), ("AC", 12)].map(|(name, n)| (name.to_owned(), n)));
    let prepared = compile(notation, roll, &vars).map_err(|errors| format!("{roll}: {errors}")).unwrap();
    let rolled = prepared.roll_from(&mut Scripted::new(dice), &Limits::default());
    let rolled = rolled.map_err(|error| format!("{roll}: {error:?}")).unwrap();
    assert_eq!(rolled.draws.len(), dice.len(), "{roll}");
    (prepared, rolled)
}

/// A notation, a roll, its dice, and its lines.
type Case = (&'static str, &'static str, &'static [i64], &'static str);

fn check(cases: &[Case]) {
    for (notation, roll, dice, lines) in cases {
        let (prepared, rolled) = rolled(notation, roll, dice);
        assert_eq!(text::roll(&prepared, &rolled), format!("{lines}\n"), "{roll}");
    }
}

#[test]
fn a_check_has_its_total_and_its_verdict() {
    check(&[
        ("tabletop", "1d20+5 >= 15", &[3], "1d20 (3) + 5 = 8 vs 15: failure"),
        ("tabletop", "1d20 + 5 >= 15", &[10], "1d20 (10) + 5 = 15 vs 15: success"),
        ("tabletop", "2d6 = 7", &[6, 5], "2d6 (6, 5) = 11 vs exactly 7: failure"),
        ("tabletop", "d100 < 45", &[95], "d100 (95) = 95 vs < 45: failure"),
        ("tabletop", "d100<=45", &[45], "d100 (45) = 45 vs <= 45: success"),
        ("tabletop", "d6 != 3", &[3], "d6 (3) = 3 vs not 3: failure"),
        ("tabletop", "d6 > 3", &[4], "d6 (4) = 4 vs > 3: success"),
        ("tabletop", "15 <= d20+5", &[3], "15 vs <= d20 (3) + 5 = 8: failure"),
        ("tabletop", "d20+5 >= d20+3", &[3, 11], "d20 (3) + 5 = 8 vs d20 (11) + 3 = 14: failure"),
        ("tabletop", "(d20+5) >= (10+2)", &[7], "(d20 (7) + 5) = 12 vs (10 + 2) = 12: success"),
        ("tabletop", "(d20 >= 15)", &[3], "(d20 (3) = 3 vs 15: failure)"),
        ("tabletop", "d20 ≥ 15 # to hit", &[3], "d20 (3) = 3 vs 15: failure  # to hit"),
        ("nice", "d20 + 5 > AC", &[3], "d20 (3) + 5 = 8 vs > 12 [AC]: failure"),
        ("yadn", "1d20 > 10", &[3], "1d20 (3) = 3 vs > 10: failure"),
        ("yadn", "2d6; 1d20 >= 11", &[3, 4, 12], "2d6 (3, 4) = 7; 1d20 (12) = 12 vs 11: success"),
    ]);
}

#[test]
fn a_comparison_inside_stands_in_brackets() {
    check(&[
        ("tabletop", "(d20+5 >= 15) * (d8+3)", &[16, 7], "(d20 (16) + 5 = 21 vs 15: success) * (d8 (7) + 3) = 10"),
        ("tabletop", "d20+5>=15 ? 2d6 : 0", &[3], "(d20 (3) + 5 = 8 vs 15: failure) ? 2d6 : 0 = 0"),
        ("tabletop", "d20>=5 && d6>=3", &[5, 2], "(d20 (5) = 5 vs 5: success) && (d6 (2) = 2 vs 3: failure): failure"),
        ("tabletop", "d20>=5 || d6>=3", &[5], "(d20 (5) = 5 vs 5: success) || d6>=3: success"),
        ("tabletop", "!(d20>=15)", &[5], "!(d20 (5) = 5 vs 15: failure): success"),
        ("tabletop", "hit := d20>=15; hit*d8", &[16, 7], "hit := (d20 (16) = 16 vs 15: success); 1 [hit] * d8 (7) = 7"),
        ("tabletop", "max(d20>=15, 0)", &[16], "max((d20 (16) = 16 vs 15: success), 0) = 1"),
        ("tabletop", "2(d20 >= 10)", &[13, 4], "2(d20 (13, 4) = 13, 4 vs 10: success, failure) = 1"),
        (
            "nice",
            "[ATK: 2d20kh] (ATK + 4 >= 12) * (1d4 + 1)",
            &[16, 10, 1],
            "[ATK: 2d20kh (16, ~~10~~)] (16 [ATK] + 4 = 20 vs 12: success) * (1d4 (1) + 1) = 2",
        ),
        (
            "yadn",
            "1d20 == 20 ? \"hit\" : \"miss\"",
            &[5],
            "(1d20 (5) = 5 vs exactly 20: failure) ? \"hit\" : \"miss\" = \"miss\"",
        ),
        // A filter is no comparison, and what decides about a loop is told by its dice. None runs into the value.
        ("troll", "if 15 <= (d20+5) then 1 else 0", &[12], "if 15 <= (d20 (12) + 5) then 1 else 0 = 1"),
        ("troll", "count 7 < 3d10", &[8, 5, 9], "count 7 < 3d10 (8, ~~5~~, 9) = 2"),
        (
            "troll",
            "sum accumulate x := d6 while x = 6",
            &[6, 6, 2],
            "sum accumulate x := d6 (6! + 6! + 2) while x = 6: 14",
        ),
    ]);
}

#[test]
fn names_have_their_numbers() {
    check(&[
        ("tabletop", "d20 + @str + @prof.dex", &[14], "d20 (14) + 3 [str] + 2 [prof.dex] = 19"),
        ("tabletop", "d20+@{prof.dex}+str", &[14], "d20 (14) + 2 [prof.dex] + 3 [str] = 19"),
        ("tabletop", "(@N)d6kh(@N)", &[1, 2], "(2 [N])d6kh(2 [N]) (1, 2) = 3"),
        ("tabletop", "d[@N..@str]", &[2], "d[2 [N]..3 [str]] (2) = 2"),
        ("tabletop", "d20+@str >= @AC", &[9], "d20 (9) + 3 [str] = 12 vs 12 [AC]: success"),
        ("tabletop", "atk := d20; (atk)+5", &[14], "atk := d20 (14); (14 [atk]) + 5 = 19"),
        ("tabletop", "n := d4; (n)d6", &[2, 1, 5], "n := d4 (2); (2 [n])d6 (1, 5) = 6"),
        ("nice", "d20 + AC", &[14], "d20 (14) + 12 [AC] = 26"),
        ("troll", "x := d20; x + N", &[14], "x := d20 (14); 14 [x] + 2 [N] = 16"),
        // A collection is told by its dice.
        ("troll", "x := 2d6; (max x) - (min x)", &[3, 5], "x := 2d6 (3, 5); (max x) - (min x) = 2"),
    ]);
}

#[test]
fn dice_show_what_they_count_as() {
    check(&[
        ("tabletop", "1d20mi10", &[1], "1d20mi10 (1→10) = 10"),
        ("tabletop", "3d6ma4", &[6, 2, 5], "3d6ma4 (6→4, 2, 5→4) = 10"),
        ("tabletop", "2d6!p", &[6, 6, 3, 1], "2d6!p (6! + 6!→5 + 3→2, 1) = 14"),
        ("tabletop", "3d6kh2!p", &[6, 3, 1, 4], "3d6kh2!p (6! + 4→3, 3, ~~1~~) = 12"),
        ("tabletop", "d20 + 5", &[20], "d20 (nat 20) + 5 = 25"),
        ("tabletop", "d20adv", &[1, 1], "d20adv (~~1~~, nat 1) = 1"),
        ("tabletop", "d20 + d{1..20, 20} + d[0..20]", &[2, 20, 20], "d20 (2) + d{1..20, 20} (20) + d[0..20] (20) = 42"),
        ("tabletop", "5d10cs>=8", &[8, 3, 10, 1, 7], "5d10cs>=8 (8, ~~3~~, 10, ~~1~~, ~~7~~) = 2"),
        ("tabletop", "5d10cs>=8cf=1", &[8, 3, 10, 1, 7], "5d10cs>=8cf=1 (8, ~~3~~, 10, 1:-1, ~~7~~) = 1"),
        ("tabletop", "5d10cs>=7,10:2", &[8, 3, 10, 1, 7], "5d10cs>=7,10:2 (8, ~~3~~, 10:2, ~~1~~, 7) = 4"),
        ("tabletop", "3d10cf=1", &[8, 3, 1], "3d10cf=1 (~~8~~, ~~3~~, 1:-1) = -1"),
        ("tabletop", "2d10!cs>=8cf=1", &[10, 1, 9], "2d10!cs>=8cf=1 (10! + 1:-1, 9) = 1"),
        ("tabletop", "2d6!!cs>=8cf=7", &[6, 1, 5], "2d6!!cs>=8cf=7 (6! + 1:-1, ~~5~~) = -1"),
        ("yadn", "4dp10 nb 7", &[9, 3, 1, 7], "4dp10 (9, ~~3~~, 1:-1, 7) nb 7 = 1"),
        ("yadn", "3dp6 pc 4", &[6, 3, 5], "3dp6 (6→4, 3, 5→4) pc 4 = [4, 3, 4]"),
        ("yadn", "3dc10", &[10, 3, 4], "3dc10 (10→0, 3, 4) = 34"),
        ("alea", "3d6C>=5", &[6, 4, 5], "3d6C>=5 (6, ~~4~~, 5) = 2"),
        (
            "troll",
            "sum foreach x in 3d10 do if x >= 8 then 1 else 0",
            &[8, 5, 9],
            "sum foreach x in 3d10 (8, ~~5~~, 9) do if x >= 8 then 1 else 0: 2",
        ),
    ]);
}

#[test]
fn rerolls_and_explosions_stand_beside_their_die() {
    check(&[
        ("tabletop", "4d6!r1kh2", &[1, 6, 4, 1, 3, 1, 5, 5], "4d6!r1kh2 (1r→1r→~~5~~, 6! + ~~4~~, 1r→5, ~~3~~) = 11"),
        ("tabletop", "2d6r<3", &[1, 2, 5, 6], "2d6r<3 (1r→2r→5, 6) = 11"),
        ("tabletop", "d20ro1 + 5", &[1, 14], "d20ro1 (1r→14) + 5 = 19"),
        ("tabletop", "2d6kh1r1", &[1, 1, 4], "2d6kh1r1 (~~1~~, 1r→4) = 4"),
        ("tabletop", "d6!r6", &[6, 2, 3], "d6!r6 (6r→3 + 2) = 5"),
        ("tabletop", "4d6kh3!", &[6, 6, 1, 2, 6, 3, 2], "4d6kh3! (6! + 6! + 3, 6! + 2, ~~1~~, 2) = 25"),
        ("tabletop", "2d10!!kh1", &[10, 4, 7], "2d10!!kh1 (10! + 4, ~~7~~) = 14"),
        ("tabletop", "2(2d6)", &[1, 2, 3, 4], "2(2d6 (1, 2; 3, 4)) = 10"),
        // Successes that decide how many other dice are rolled do not explode.
        ("tabletop", "(2d6cs>=5)d8", &[6, 1, 8], "(2d6cs>=5 (6, ~~1~~))d8 (8) = 8"),
        ("alea", "3d6!", &[6, 6, 2, 3], "3d6! (6! + 6, 2, 3) = 17"),
        (
            "troll",
            "sum repeat x := 2d6 until (sum x) > 8",
            &[3, 1, 3, 6],
            "sum repeat x := 2d6 (3r, 1r → 3, 6) until (sum x) > 8: 9",
        ),
    ]);
}

#[test]
fn several_rolls_and_labels() {
    check(&[
        (
            "tabletop",
            "2x(4d6kh3)",
            &[6, 6, 6, 1, 1, 2, 3, 4],
            "4d6kh3 (6, 6, 6, ~~1~~) = 18\n4d6kh3 (~~1~~, 2, 3, 4) = 9",
        ),
        ("tabletop", "2x(d20) # luck", &[3, 4], "d20 (3) = 3  # luck\nd20 (4) = 4"),
        ("tabletop", "x := d6; 2x(x+d4)", &[3, 1, 4], "x := d6 (3);\n3 [x] + d4 (1) = 4\n3 [x] + d4 (4) = 7"),
        ("tabletop", "x := d6; 2x(x >= 3)", &[2], "x := d6 (2);\n2 [x] vs 3: failure\n2 [x] vs 3: failure"),
        ("tabletop", "2x(3 + 4)", &[], "3 + 4 = 7\n3 + 4 = 7"),
        (
            "tabletop",
            "d20; x := 2d6; x + 1; d20 = 3",
            &[5, 1, 6, 3],
            "d20 (5) = 5; x := 2d6 (1, 6); 7 [x] + 1 = 8; d20 (3) = 3 vs exactly 3: success",
        ),
        ("tabletop", "2d6[fire] + 1d8[cold]", &[3, 4, 5], "2d6[fire] (3, 4) + 1d8[cold] (5) = 12 (fire 7, cold 5)"),
        (
            "tabletop",
            "d8[cold]+2d6[fire]+3-(d4+1)[cold]+5[x]",
            &[8, 3, 4, 2],
            "d8[cold] (8) + 2d6[fire] (3, 4) + 3 - (d4 (2) + 1)[cold] + 5[x] = 20 (cold 5, fire 7, x 5)",
        ),
        // What is divided is no longer what the label names.
        ("tabletop", "2d6[fire]/2 + d8[cold]", &[3, 4, 5], "2d6[fire] (3, 4) / 2 + d8[cold] (5) = 8"),
        (
            "tabletop",
            "(2d6[fire]/2)[fire] + d8[cold]",
            &[3, 4, 5],
            "(2d6[fire] (3, 4) / 2)[fire] + d8[cold] (5) = 8 (fire 3, cold 5)",
        ),
        (
            "tabletop",
            "(d20>=5)*(d8[a]+d6[b])",
            &[9, 3, 4],
            "(d20 (9) = 9 vs 5: success) * (d8[a] (3) + d6[b] (4)) = 7 (a 3, b 4)",
        ),
        (
            "tabletop",
            "d2=1 ? d8[a] : d6[a]+d4[b]",
            &[2, 3, 4],
            "(d2 (2) = 2 vs exactly 1: failure) ? d8[a] : d6[a] (3) + d4[b] (4) = 7 (a 3, b 4)",
        ),
        // One label says nothing new, and what two labels share cannot be told apart.
        ("tabletop", "2d6[fire] + d8", &[3, 4, 5], "2d6[fire] (3, 4) + d8 (5) = 12"),
        ("tabletop", "{2d6[fire], d8[cold]}kh1", &[3, 4, 5], "{2d6[fire] (3, 4), d8[cold] (~~5~~)}kh1 = 7"),
        (
            "tabletop",
            "2x(d8[a]+d6[b])",
            &[1, 2, 3, 4],
            "d8[a] (1) + d6[b] (2) = 3 (a 1, b 2)\nd8[a] (3) + d6[b] (4) = 7 (a 3, b 4)",
        ),
    ]);
}

#[test]
fn programs_read_the_same_facts() {
    let table: &[(&str, &[i64], &[&str])] = &[
        (
            "1d20+5 >= 15",
            &[20],
            &[r#""natural":20"#, r#""checks":[{"start":0,"end":12,"left":25,"sign":">=","right":15,"success":true}]"#],
        ),
        ("1d20mi10", &[1], &[r#""state":"kept","became":10}"#]),
        ("2d10cs>=8cf=1", &[1, 5], &[r#""score":-1}"#, r#""score":0}"#]),
        ("2d6[fire] + 1d8[cold]", &[3, 4, 5], &[r#""labels":{"fire":7,"cold":5}"#]),
        ("d6", &[3], &[r#""draws":[{"path":"r","index":0,"faces":6,"value":3,"state":"kept"}]}"#]),
    ];
    for (roll, dice, parts) in table {
        let (prepared, rolled) = rolled("tabletop", roll, dice);
        let written = serde_json::Value::Object(json::roll(&prepared, &rolled)).to_string();
        parts.iter().for_each(|part| assert!(written.contains(part), "{part} in {written}"));
    }
}

/// What each modifier of the everyday grammar leaves to see: its variant, then a case.
const MODIFIERS: &[(&str, Case)] = &[
    ("Keep", ("tabletop", "4d6kh3", &[6, 1, 4, 5], "4d6kh3 (6, ~~1~~, 4, 5) = 15")),
    ("Keep", ("tabletop", "5d6km3", &[3, 1, 2, 1, 5], "5d6km3 (3, ~~1~~, 2, 1, ~~5~~) = 6")),
    ("Twice", ("tabletop", "d20adv", &[5, 18], "d20adv (~~5~~, 18) = 18")),
    ("Reroll", ("tabletop", "2d6r<3", &[1, 2, 5, 6], "2d6r<3 (1r→2r→5, 6) = 11")),
    ("Reroll", ("foundry", "3d10r1<=5", &[3, 8, 7, 2], "3d10r1<=5 (3r→8, 7, 2) = 17")),
    ("Explode", ("tabletop", "2d6!", &[6, 4, 3], "2d6! (6! + 4, 3) = 13")),
    ("Explode", ("foundry", "4d10x2=10", &[10, 3, 10, 10, 4, 7], "4d10x2=10 (10, 3, 10! + 4, 10! + 7) = 44")),
    ("Explode", ("foundry", "2d10x5>=8", &[9, 3, 8, 2], "2d10x5>=8 (9! + 8, 3, 2) = 22")),
    ("Bound", ("tabletop", "4d6mi2", &[3, 1, 2, 1], "4d6mi2 (3, 1→2, 2, 1→2) = 9")),
    ("Successes", ("tabletop", "3d10cs>=8,10:2", &[8, 3, 10], "3d10cs>=8,10:2 (8, ~~3~~, 10:2) = 3")),
    ("Failures", ("tabletop", "3d10cs>=8cf=1", &[8, 3, 1], "3d10cs>=8cf=1 (8, ~~3~~, 1:-1) = 0")),
    ("Shows", ("tabletop", "2d{hit, miss}cs=hit", &[1, 2], "2d{hit, miss}cs=hit (\"hit\", ~~\"miss\"~~) = 1")),
    ("Deduct", ("foundry", "4d6sf<3", &[3, 1, 2, 5], "4d6sf<3 (3, 1→-1, 2→-2, 5) = 5")),
    ("Deduct", ("foundry", "3d10df<3cs>8", &[9, 3, 1], "3d10df<3cs>8 (9, ~~3~~, 1:-1) = 0")),
    ("Parity", ("tabletop", "4d6even", &[3, 2, 6, 1], "4d6even (~~3~~, 2, 6, ~~1~~) = 2")),
    ("Parity", ("tabletop", "4d6odd", &[3, 2, 6, 1], "4d6odd (3, ~~2~~, ~~6~~, 1) = 2")),
    ("Sort", ("tabletop", "4d6sd", &[3, 6, 1, 2], "4d6sd (6, 3, 2, 1) = 12")),
    ("Unique", ("tabletop", "3d6u", &[5, 5, 1, 3], "3d6u (5, 5r→1, 3) = 9")),
    ("Unique", ("tabletop", "2d6uo", &[5, 5, 5], "2d6uo (5, 5r→5) = 10")),
    ("Only", ("avrae", "4d6p<3", &[3, 1, 2, 5], "4d6p<3 (3, ~~1~~, ~~2~~, 5) = 8")),
    ("Picked", ("avrae", "4d6kh1kl1", &[4, 2, 1, 3], "4d6kh1kl1 (4, ~~2~~, 1, ~~3~~) = 5")),
    ("Matches", ("tabletop", "5d6mt", &[3, 1, 2, 1, 5], "5d6mt (~~3~~, 1, ~~2~~, 1, ~~5~~) = 1")),
    ("RerollAny", ("roll20", "2d6r1r3", &[1, 3, 5, 6], "2d6r1r3 (1r→3r→5, 6) = 11")),
    ("RerollEnd", ("avrae", "3d6rol1", &[3, 1, 2, 5], "3d6rol1 (3, ~~1~~, 2, 5) = 10")),
    ("Another", ("avrae", "3d6ra6", &[3, 6, 2, 5], "3d6ra6 (3, 6! + 5, 2) = 16")),
    ("Another", ("avrae", "3d6ra6", &[3, 5, 2], "3d6ra6 (3, 5, 2) = 10")),
    ("Implode", ("dicemaiden", "3d6 i1", &[3, 1, 4, 5], "3d6 i1 (3, 1, 4, 5→-5) = 3")),
    ("Together", ("dicemaiden", "4d10 t8 f1 c", &[10, 1, 3, 8], "4d10 t8 f1 c (10, 1, ~~3~~, 8) = 2")),
];

#[test]
fn every_modifier_shows_which_dice_count() {
    let syntax = include_str!("../../../tumble-syntax/src/notation/tabletop/syntax.rs");
    let (_, variants) = syntax.split_once("pub enum Modifier {").unwrap();
    let (variants, _) = variants.split_once("\n}").unwrap();
    let variants = variants.lines().map(str::trim).filter(|line| line.starts_with(char::is_uppercase));
    let missing = |line: &&str| !MODIFIERS.iter().any(|(name, _)| line.split(['(', ',']).next() == Some(name));
    assert_eq!(variants.filter(missing).collect::<Vec<_>>(), [""; 0], "modifiers without a case");
    for (_, case) in MODIFIERS {
        check(&[*case]);
    }
}

#[test]
fn names_in_conditions_and_names_that_hold_dice() {
    check(&[
        ("tabletop", "x := 8; 3d10cs>=x", &[8, 3, 9], "x := 8; 3d10cs>=8 [x] (8, ~~3~~, 9) = 2"),
        ("tabletop", "x := 3d6; x cs=6", &[6, 3, 6], "x := 3d6 (6, ~~3~~, 6); 2 [x cs=6] = 2"),
    ]);
}
