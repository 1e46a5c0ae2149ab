//! Texts for people fit the page and lose nothing.

use tumble::dice::Scripted;
use tumble::render::{Reduced, text, width};
use tumble::{Options, Vars, compile};

fn table(text: &str, all: bool) -> String {
    let prepared = compile("troll", text, &Vars::new()).unwrap();
    let odds = prepared.odds(&Options::default()).unwrap();
    text::odds(&prepared, &Reduced::new(&odds), all)
}

fn story(text: &str, dice: &[i64]) -> String {
    let prepared = compile("troll", text, &Vars::new()).unwrap();
    let rolled = prepared.roll_from(&mut Scripted::new(dice), &Default::default()).unwrap();
    text::roll(&prepared, &rolled)
}

#[test]
fn tables_fit_the_page() {
    for text in [
        "d6",
        "sum 3d6",
        "3d6",
        "10d2",
        "[d2, 12d2]",
        "d20000",
        "sum 30d6",
        "\"a very long line of a text that is wider than any column could be\" |> d2",
        "sum accumulate x := d6 while x = 6",
        "accumulate x := d2 until x = 2",
        "1000000000000 * d3",
        "-9223372036854775807 + d2",
    ] {
        let table = table(text, false);
        for line in table.lines() {
            assert!(width(line) <= 80, "{text}: {line}");
        }
    }
}

#[test]
fn thin_ends_of_a_long_table_are_folded() {
    let (short, long) = (table("sum 30d6", false), table("sum 30d6", true));
    assert!(short.lines().count() < 90 && long.lines().count() > 150, "{short}");
    assert!(short.trim_start().starts_with("30 … "), "{short}");
    assert!(short.contains("mean 105   "), "{short}");
}

#[test]
fn unlisted_mass_has_a_row() {
    let table = table("sum accumulate x := d6 while x = 6", true);
    assert!(table.contains("above "), "{table}");
    assert!(table.contains("mean 4.2 (21/5)"), "{table}");
}

#[test]
fn a_story_shows_every_die() {
    for (text, dice, expected) in [
        ("sum largest 3 4d6", &[6, 1, 4, 5][..], "sum largest 3 4d6 (6, ~~1~~, 4, 5) = 15\n"),
        ("2d6", &[6, 1], "2d6 (6, 1) = [1, 6]\n"),
        ("max 1d6", &[6], "max 1d6 (6) = 6\n"),
        ("{}", &[], "{} = []\n"),
        ("[d6, d6]", &[2, 1], "[d6 (2), d6 (1)] = (2, 1)\n"),
        ("\"a\" || \"b\"", &[], "\"a\" || \"b\" = ab\n"),
        ("'d6 |> \"b\"", &[3], "'d6 (3) |> \"b\" =\n3 \nb \n"),
    ] {
        assert_eq!(story(text, dice), expected);
    }
}
