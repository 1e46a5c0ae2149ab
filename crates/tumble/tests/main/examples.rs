//! The programs of `examples/`, run with given input and held against what they print.

#[expect(dead_code, reason = "a test calls `run` and not `main`")]
#[path = "../../../../examples/bot.rs"]
mod bot;
#[expect(dead_code, reason = "a test calls `run` and not `main`")]
#[path = "../../examples/odds_table.rs"]
mod odds_table;
#[expect(dead_code, reason = "a test calls `run` and not `main`")]
#[path = "../../examples/replay.rs"]
mod replay;

use tumble::Fraction;

/// What the bot says to one line after the other.
fn heard(said: &[u8]) -> String {
    let mut replies = Vec::new();
    bot::run(said, &mut replies, 7).unwrap();
    String::from_utf8(replies).unwrap()
}

/// The bot in Python is held to the same transcript by the tests of `tumble-cli`.
#[test]
fn the_bot_replies_as_in_its_transcript() {
    let transcript = include_str!("../../../../examples/transcript.txt");
    let said: String =
        transcript.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
    let replies: String =
        transcript.lines().filter(|line| !line.starts_with("> ")).map(|line| format!("{line}\n")).collect();
    assert_eq!(heard(said.as_bytes()), replies);
}

#[test]
fn the_bots_are_short() {
    for (name, text) in [
        ("bot.rs", include_str!("../../../../examples/bot.rs")),
        ("bot.py", include_str!("../../../../examples/bot.py")),
    ] {
        assert!(text.lines().count() < 60, "{name} has {} lines", text.lines().count());
    }
}

#[test]
fn the_bot_survives_everything() {
    let long = format!("!roll {}", "(".repeat(100_000));
    for said in [
        b"!roll" as &[u8],
        b"!odds",
        b"!set",
        b"!roll \xff\xfe",
        b"!roll d0",
        b"!roll 9999999d6",
        b"!odds 9999999d6",
        b"!odds 99d99!cs>=3",
        b"!roll d6/0",
        b"!roll 5d1!",
        long.as_bytes(),
    ] {
        let reply = heard(said);
        assert!(!reply.trim().is_empty() && reply.chars().count() <= 2000, "{reply}");
    }
}

#[test]
fn the_table_is_exact() {
    let mut out = Vec::new();
    odds_table::run(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let expected = "\
| dice | 1+ hits | 2+ hits | 3+ hits | 4+ hits |
|--:|--:|--:|--:|--:|
| 2 | 55.6 % (5/9) | 11.1 % (1/9) | 0.0 % (0) | 0.0 % (0) |
| 3 | 70.4 % (19/27) | 25.9 % (7/27) | 3.7 % (1/27) | 0.0 % (0) |
| 4 | 80.2 % (65/81) | 40.7 % (11/27) | 11.1 % (1/9) | 1.2 % (1/81) |
| 5 | 86.8 % (211/243) | 53.9 % (131/243) | 21.0 % (17/81) | 4.5 % (11/243) |
| 6 | 91.2 % (665/729) | 64.9 % (473/729) | 32.0 % (233/729) | 10.0 % (73/729) |

dice,hits,fraction,probability
2,1,5/9,0.555556
";
    assert!(out.starts_with(expected), "{out}");
    // Counted by hand: the sum of the terms of a binomial distribution.
    let choose = |n: u32, k: u32| (0..k).fold(1, |product, i| product * u64::from(n - i) / u64::from(i + 1));
    for line in out.lines().skip_while(|line| !line.starts_with("dice,")).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (dice, hits): (u32, u32) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        let ways: u64 = (hits..=dice).map(|k| choose(dice, k) * 2u64.pow(dice - k)).sum();
        assert_eq!(Fraction::ratio(ways as i64, 3u64.pow(dice)).to_string(), fields[2], "{line}");
    }
}

#[test]
fn a_roll_is_made_again() {
    let mut out = Vec::new();
    replay::run(&mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "\
on the table     4d6kh3 (3, 5, 6, ~~1~~) = 14
the 1 again      4d6kh3 (~~3~~, 5, 6, 6) = 17
three dice       no value given for die number 4 at `r` (1 to 6)
"
    );
}
