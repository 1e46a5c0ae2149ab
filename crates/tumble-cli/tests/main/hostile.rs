//! Input made to hurt: each gets a short message and the right exit status, in little memory.

use crate::tool::{Ran, shell};

/// Megabytes for what is refused early, and for what first uses up its budget.
const SMALL: u32 = 200;
const LARGE: u32 = 1024;

/// A text, and the exit status of rolling and of counting it.
type Case<'t> = (&'t [u8], i32, i32);

/// Rolls and counts texts that come in on standard input, in so many megabytes of address space.
fn check(megabytes: u32, cases: &[Case<'_>]) {
    check_in("troll", megabytes, cases);
}

fn check_in(notation: &str, megabytes: u32, cases: &[Case<'_>]) {
    let limit = if cfg!(target_os = "linux") { format!("ulimit -v {};", megabytes * 1024) } else { String::new() };
    let mut failed = Vec::new();
    for (text, roll, odds) in cases {
        for (command, status) in [("roll", roll), ("odds", odds)] {
            let ran = shell(&format!("{limit} tumble {command} -n {notation} --file -"), text);
            let shown = String::from_utf8_lossy(&text[..text.len().min(60)]);
            if ran.status != *status {
                failed.push(format!("{notation} {command} {shown}: not {status}: {ran:?}"));
            } else {
                polite(&ran);
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A failure is told on standard error, in few words, and nothing else is printed.
fn polite(ran: &Ran) {
    if ran.status == 0 {
        return;
    }
    assert!(ran.err.lines().any(|line| line.starts_with("error")), "{ran:?}");
    assert!(ran.err.len() < 1000 && ran.out.is_empty(), "{ran:?}");
    for word in ["token", "EOF", "parser", "panicked", "end of input"] {
        assert!(!ran.err.contains(word), "{ran:?}");
    }
}

#[test]
fn empty_and_broken_texts() {
    check(
        SMALL,
        &[
            (b"", 1, 1),
            (b" \n\t", 1, 1),
            (b"\\ only a comment", 1, 1),
            (b"\"never closed", 1, 1),
            (b"d6\0", 1, 1),
            ("d6 \u{202E}6d".as_bytes(), 1, 1),
            ("🎲".as_bytes(), 1, 1),
            (b"sum \xFF", 2, 2),
            (&vec![b' '; (1 << 20) + 1], 3, 3),
        ],
    );
}

#[test]
fn huge_numbers() {
    check(
        SMALL,
        &[
            (b"999999999d6", 3, 3),
            (b"sum 999999999d6", 3, 3),
            (b"1..1000000000", 3, 3),
            (b"count 1..1000000000", 3, 3),
            (b"9223372036854775807 + 1", 1, 1),
            (b"99999999999999999999", 1, 1),
            (b"d9223372036854775807", 0, 3),
        ],
    );
}

#[test]
fn rolls_that_never_stop() {
    check(
        SMALL,
        &[
            (b"function f(x) = call f(x+1)\ncall f(1)", 3, 3),
            (b"function f(x) = call f(x)\ncall f(1)", 3, 3),
            (b"accumulate x := 1 while 1", 3, 3),
        ],
    );
    check(LARGE, &[(b"repeat x := d6 until x = 7", 3, 3), (b"accumulate x := d6 while 1", 3, 3)]);
}

#[test]
fn deep_nesting() {
    let open = ["(", "- ", "{", "!", "[", "sum ", "d ", "x:=", "2#", "\"a\"||"].map(|piece| piece.repeat(200_000));
    let closed = [("(", ")"), ("{", "}"), ("[1,", "]"), ("-(", ")")]
        .map(|(open, close)| format!("{}1{}", open.repeat(200_000), close.repeat(200_000)));
    let cases: Vec<Case<'_>> = open.iter().chain(&closed).map(|text| (text.as_bytes(), 3, 3)).collect();
    check(SMALL, &cases);
    let minus = "-".repeat(200_000);
    let long = format!("1{}", "+1".repeat(200_000));
    check(SMALL, &[(minus.as_bytes(), 1, 1)]);
    check(LARGE, &[(long.as_bytes(), 0, 0)]);
}

#[test]
fn deep_values() {
    let pair = b"function f(n) = if 0 < n then [call f(n-1), n] else 0\ncall f(9000)";
    check(SMALL, &[(pair, 3, 3)]);
}

/// The same few ideas, in the words of each notation.
#[test]
fn every_notation() {
    let signs = |sign: &str| format!("d20{}", sign.repeat(200_000));
    let [plus, bang, open] = ["+", "!", "("].map(signs);
    let widest = b"d[-9223372036854775808..9223372036854775807]";
    let wide = b"d[-4611686018427387904..4611686018427387903]";
    check_in(
        "tabletop",
        LARGE,
        &[
            (b"9^9^9^9", 1, 1),
            (b"9999999999*9999999999", 1, 1),
            (b"5d1!", 3, 3),
            (b"d6r<7", 3, 3),
            (b"999d6!>0", 3, 3),
            (b"d6r1x9223372036854775807", 3, 3),
            (b"1000000x(1000000d6)", 3, 3),
            (b"(d1000)(d1000)", 0, 3),
            (widest, 3, 3),
            (wide, 0, 3),
            (plus.as_bytes(), 1, 1),
            (bang.as_bytes(), 3, 3),
            (open.as_bytes(), 1, 1),
            ("d6 \u{202E}6d".as_bytes(), 1, 1),
            (b"d6\0", 1, 1),
            (b"", 1, 1),
        ],
    );
    check_in(
        "yadn",
        LARGE,
        &[(b"9^9^9^9", 1, 1), (b"5d!1", 3, 3), (b"1d9223372036854775807", 0, 3), (plus.as_bytes(), 1, 1), (b"", 1, 1)],
    );
    let cases: &[Case<'_>] = &[
        (b"9^9^9^9", 1, 1),
        (b"5d1!!", 0, 0),
        (b"999d6!!1", 0, 0),
        (wide, 0, 3),
        (b"d{1..1000000000, 7}", 3, 3),
        (plus.as_bytes(), 3, 3),
        (b"", 1, 1),
    ];
    check_in("alea", LARGE, cases);
    check_in(
        "nice",
        LARGE,
        &[
            (b"9^9^9^9", 1, 1),
            (b"d9223372036854775807", 0, 3),
            (b"(d1000)(d1000)", 0, 3),
            (open.as_bytes(), 1, 1),
            (b"", 1, 1),
        ],
    );
}

#[test]
fn bad_calls() {
    for (line, words) in [
        ("tumble roll -n troll d6 --var N=x", "not a whole number"),
        ("tumble roll -n troll d6 --var N", "such as N=3"),
        ("tumble roll -n troll d6 --var N=99999999999999999999", "too large"),
        ("tumble roll -n troll --file /no/such/file", "no such file: `/no/such/file`"),
        ("tumble roll -n troll --file /", "is a folder"),
        ("tumble batch /no/such/file", "no such file: `/no/such/file`"),
        ("tumble d6 --vars /no/such/file", "no such file: `/no/such/file`"),
        ("echo 3 | tumble d6 --vars -", "must be a JSON object"),
        ("tumble odds -n klingon d6", "unknown notation `klingon`"),
        ("tumble odds -n troll", "<ROLL>"),
        ("tumble odds -n troll \"$(printf 'd6\\377')\"", "UTF-8"),
        ("tumble odds -n troll d6 --file x", "cannot be used with"),
        ("tumble roll -n troll d6 --times 0", "expected a whole number, 1 or more"),
        ("tumble roll -n troll d6 --tims 3", "--tims"),
    ] {
        let ran = shell(line, b"");
        assert_eq!(ran.status, 2, "{line}: {ran:?}");
        assert!(ran.err.contains(words), "{line}: {ran:?}");
        polite(&ran);
    }
}

/// What can't be seen, and what turns the direction of writing, is shown as an escape: in rolls, tables, pages, messages
/// and the line above a mark, which stays below its place.
#[test]
fn hidden_characters_are_escapes() {
    let script =
        "defroll \"R\u{202e}\" r() { log(\"a\u{1b}[2Jb\"); if (userOption(\"Go\u{7}?\")) { return 1; } return 2; }";
    let folder = std::env::temp_dir().join(format!("tumble-hidden-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("r.tumble").display().to_string();
    std::fs::write(&file, script).unwrap();
    for (line, shown) in [
        ("roll 'd1 # \u{1b}[2Jhi\u{202e}'", "# \\u{1b}[2Jhi\\u{202e}"),
        ("roll 'd1[fi\u{202e}re]'", "\\u{202e}"),
        ("odds -n troll '\"re\u{202e}d\"'", "re\\u{202e}d"),
        ("odds d2 --name 'a\u{7}b'", "a\\u{7}b"),
        ("odds d2 --name 'a\u{202e}b' --at-least 2", "a\\u{202e}b"),
        ("odds d2 --format md --title 'a\u{202e}b'", "a\\u{202e}b"),
        ("odds d2 --format html --title 'a\u{202e}b'", "a\\u{202e}b"),
        ("odds d2 --format svg --title 'a\u{202e}b'", "a\\u{202e}b"),
        ("roll '2d6 \u{202e} $'", "\\u{202e}"),
        ("roll '--\u{1b}x'", "\\u{1b}"),
        (&format!("run {file}"), "a\\u{1b}[2Jb"),
        (&format!("run {file}"), "Go\\u{7}?"),
        (&format!("odds --script {file}"), "Go\\u{7}?"),
        (&format!("best {file}"), "R\\u{202e}"),
        (&format!("check {file}"), "R\\u{202e}"),
    ] {
        let ran = shell(&format!("tumble {line}"), b"");
        let all = format!("{}{}", ran.out, ran.err);
        let raw = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}'));
        assert!(all.contains(shown) && !all.contains(raw), "{line}: {all:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let ran = shell("tumble roll 'd6 + \u{202e}\u{1b} x'", b"");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[1].find("\\u{202e}"), lines[2].find('^'), "{}", ran.err);
}
