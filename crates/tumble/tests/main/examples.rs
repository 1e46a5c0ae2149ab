//! The programs of `examples/`, run with given input and held against what they print.

#[expect(dead_code, reason = "a test calls `run` and not `main`")]
#[path = "../../examples/bot.rs"]
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
    let mut answers = Vec::new();
    bot::run(said, &mut answers, 7).unwrap();
    String::from_utf8(answers).unwrap()
}

#[test]
fn the_bot_answers_players() {
    let said = b"\
mia: hello, who rolls?
mia: !roll 4d6kh3
mia: !set str 3
mia: !vars
mia: !roll d20 + @str
tom: !roll d20 + @str
tom: !odds 2d6+3 >= 9
tom: !odds d4!
!roll 4d6k3h
tom: !set str strong
tom: !dance
tom: !vars
";
    assert_eq!(
        heard(said),
        "\
@mia 4d6kh3 (~~1~~, 4, 4, 3) = 11
@mia str is 3
@mia str 3
@mia d20 (5) + 3 [str] = 8
@tom sorry: there is no value `@str`
  d20 + @str
        ^^^^
@tom on average 0.72
0: 5/18, about 3 in 10
1: 13/18, about 7 in 10
@tom on average 3.33
1: 1/4, 1 in 4
2: 1/4, 1 in 4
3: 1/4, 1 in 4
5: 1/16, 1 in 16
6: 1/16, 1 in 16
7: 1/16, 1 in 16
9: 1/64, 1 in 64
10: 1/64, 1 in 64
11: 1/64, 1 in 64
13: 1/256, 1 in 256
…
@you sorry: `h` stands before the number
  4d6k3h
       ^
hint: try `4d6kh3`
@tom write a name and a whole number, such as !set str 3
@tom there is no !dance; !help lists what there is
@tom you have no values yet
"
    );
    assert_eq!(heard(b"mia: hello\n:::!roll 3d6\n\n"), "");
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
        b"\0:!roll 3d6",
        long.as_bytes(),
    ] {
        let answer = heard(said);
        assert!(answer.starts_with('@') && answer.lines().count() <= 12, "{answer}");
        assert!(answer.len() < 3000, "{answer}");
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
three dice       no value is given for die number 4 at `r` (1 to 6)
"
    );
}
