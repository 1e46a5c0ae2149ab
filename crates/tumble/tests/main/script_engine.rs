//! Scripts whose odds and best play are known from elsewhere, and scripts that ask too much.

use tumble::script::{Best, Datum, Entry, Given, Goal, Players, Script};
use tumble::{Code, Diagnostic, Limits, Value, compile};

/// A script of one roll, with functions before it.
fn entry(functions: &str, body: &str) -> Entry {
    let text = format!("{functions} defroll \"R\" r() {{ {body} }}");
    let script = Script::read(&text, false);
    assert!(script.is_sound(), "{text}: {:?}", script.problems());
    script.entry("r", &Datum::Record(vec![])).unwrap()
}

fn best(entry: &Entry, goal: &Goal) -> Result<Best, Diagnostic> {
    entry.best(&Given::default(), goal, &Players::default(), 1, &Limits::default())
}

/// Loops, calls and lists whose distribution is that of a roll: script, functions, the roll.
const SAME: &[(&str, &str, &str)] = &[
    ("t = 0; while (true) { x = roll(\"d6\"); t += x; if (x != 6) { return t; } }", "", "d6!"),
    ("t = 0; while (roll(\"d4\") == 4) { t += 4; } return t + roll(\"d3\");", "", "d4!"),
    ("return f(0);", "deffun f(n: int): int { x = roll(\"d6\"); return x == 6 ? f(n + 6) : n + x; }", "d6!"),
    ("return f();", "deffun f(): int { x = roll(\"d6\"); return x == 6 ? 6 + f() : x; }", "d6!"),
    ("return roll(\"2d6!\") + 3;", "", "2d6! + 3"),
    ("t = 0; for (i : range(150)) { t += roll(\"d6\"); } return t;", "", "150d6"),
    ("return sum([roll(\"d6\") for (i : range(12))]);", "", "12d6"),
    ("ds = [roll(\"d6\") for (i : range(8))]; return sum(highest(3, ds));", "", "8d6kh3"),
    ("return f(9);", "deffun f(n: int): int { return n == 0 ? roll(\"d2\") : f(n - 1) + f(n - 1); }", "512d2"),
    ("return length([x for (x : dice(\"30d10\")) if (x >= 8)]);", "", "30d10cs>=8"),
    ("ds = reroll(dice(\"3d6\"), [0, 1, 2], 6); return sum(ds);", "", "3d6"),
    ("x = roll(\"d20\"); if (x < 10) { x = roll(\"d20\"); } return x;", "", "d20ro<10"),
];

#[test]
fn scripts_and_rolls_with_the_same_odds() {
    for (body, functions, text) in SAME {
        let found = entry(functions, body).odds(&Given::default(), false, &Limits::default()).unwrap();
        let roll = compile("tabletop", text, &Default::default()).unwrap();
        let expected = roll.odds(&Default::default()).unwrap();
        let same = found.odds.to_string() == expected.to_string();
        assert!(same && found.odds.exact(), "{body}: {:.200}", found.odds.to_string());
    }
}

/// Known values: functions, script, outcome, its probability.
const KNOWN: &[(&str, &str, &str)] = &[
    // A gambler with 10 who stops at 0 or 50.
    ("x = 10; while (x > 0 && x < 50) { x += roll(\"d2\") == 1 ? 1 : -1; } return x;", "50", "1/5"),
    // The last of six coupons comes with the seventh.
    (
        "seen = [0]; n = 0; while (length(seen) < 7) { x = roll(\"d6\"); n++; \
         if (!contains(seen, x)) { seen = sort(seen + [x]); } if (n > 9) { return n; } } return n;",
        "7",
        "25/648",
    ),
    // A loop without end that adds a die each time: 1, then at least two dice.
    ("t = 0; while (roll(\"d6\") == 6) { t += roll(\"d6\"); } return t;", "1", "5/216"),
    // Monty Hall, who always opens another door.
    (
        "car = roll(\"d3\"); mine = roll(\"d3\"); open = [d for (d : [1, 2, 3]) if (d != car && d != mine)]; \
         shown = open[roll(\"d\" + length(open)) - 1]; other = [d for (d : [1, 2, 3]) if (d != mine && d != shown)]; \
         return other[0] == car;",
        "true",
        "2/3",
    ),
];

#[test]
fn known_chances() {
    for (body, outcome, chance) in KNOWN {
        let found = entry("", body).odds(&Given::default(), false, &Limits::default()).unwrap();
        let row = found.odds.outcomes().find(|(value, _)| value.to_string() == *outcome);
        assert_eq!(row.unwrap().1.to_string(), *chance, "{body}");
    }
}

/// Known values of best play; the goal is the mean, or that something is true.
const PLAYED: &[(&str, bool, &str)] = &[
    ("x = roll(\"d6\"); if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x;", false, "17/4"),
    (
        "x = roll(\"d6\"); for (i : range(2)) { if (userOption(\"Again?\")) { x = roll(\"d6\"); } } return x;",
        false,
        "14/3",
    ),
    (
        "ds = sort(dice(\"3d6\")); for (n : range(2)) { ds = sort(reroll(ds, userSelect(\"Again?\", ds), 6)); } \
         return count(ds, 6);",
        false,
        "91/72",
    ),
    (
        "ds = dice(\"5d6\"); for (n : range(2)) { ds = reroll(ds, userSelect(\"Again?\", ds), 6); } \
         return count(ds, ds[0]) == 5;",
        true,
        "347897/7558272",
    ),
    (
        "ds = sort(dice(\"5d6\")); for (n : range(2)) { ds = sort(reroll(ds, userSelect(\"Again?\", ds), 6)); } \
         return count(ds, ds[0]) == 5;",
        true,
        "347897/7558272",
    ),
    (
        "t = 0; for (i : range(60)) { x = roll(\"d6\"); if (userOption(\"Again \" + i + \"?\")) { x = roll(\"d6\"); } \
         t += x; } return t;",
        false,
        "255",
    ),
    // A circle of chance alone is solved: roll until it is no six, then decide once.
    (
        "x = 6; while (x == 6) { x = roll(\"d6\"); } if (userOption(\"Again?\")) { x = roll(\"d6\"); } return x;",
        false,
        "39/10",
    ),
];

#[test]
fn known_values_of_best_play() {
    for (body, truth, expected) in PLAYED {
        let goal = if *truth { Goal::Exactly(Value::bool(true)) } else { Goal::Mean };
        let found = best(&entry("", body), &goal).unwrap();
        assert_eq!(found.value.to_string(), *expected, "{body}");
        assert!(found.unresolved.is_zero(), "{body}");
    }
}

/// Scripts that ask too much: the code of the refusal, what it says, and a part of the hint.
const REFUSED: &[(&str, Code, &str, &str)] = &[
    (
        "log = \"\"; for (i : range(100)) { log = log + roll(\"d6\"); } return log == \"\" ? 1 : 0;",
        Code::Limit,
        "situations have to be told apart",
        "`log` takes",
    ),
    ("while (true) { x = roll(\"d6\"); if (x > 6) { return x; } }", Code::Endless, "never stop", ""),
    ("ds = dice(\"60d6\"); return length(userSelect(\"Which?\", ds));", Code::Limit, "in order", "sort(dice(…))"),
    ("ds = dice(\"20d6\"); return ds[0] * ds[19];", Code::Limit, "in order", "sort(dice(…))"),
    ("x = 1; while (x > 0) { x += 1; } return x;", Code::Limit, "steps", ""),
    ("return 1 / (roll(\"d6\") - 1);", Code::Runtime, "division by zero", ""),
    ("endGroup(); return roll(\"d6\");", Code::Runtime, "no group to end", ""),
    ("output(\"x\", \"blue\" + roll(\"d6\")); return 1;", Code::Runtime, "unknown style", ""),
];

#[test]
fn what_is_refused_says_why() {
    for (body, code, message, hint) in REFUSED {
        let found = entry("", body).odds(&Given::default(), true, &Limits::default()).unwrap_err();
        assert_eq!(found.code, *code, "{body}: {}", found.message);
        assert!(found.message.contains(message), "{body}: {}", found.message);
        assert!(found.hint.unwrap_or_default().contains(hint), "{body}");
    }
}

/// Best play that has no end, or too many answers.
const UNPLAYED: &[(&str, Code, &str)] = &[
    ("while (true) { x = roll(\"d6\"); if (userOption(\"Stop?\")) { return x; } }", Code::Endless, "same situation"),
    ("return userNumber(\"How many?\", 0, 5000, 0);", Code::Limit, "too large"),
    ("return length(userSelect(\"Which?\", range(60)));", Code::Limit, "60 items"),
    ("return userOption(\"Yes?\");", Code::Request, "not a number"),
];

#[test]
fn best_play_that_is_refused_says_why() {
    for (body, code, message) in UNPLAYED {
        let found = best(&entry("", body), &Goal::Mean).unwrap_err();
        assert_eq!(found.code, *code, "{body}: {}", found.message);
        assert!(found.message.contains(message), "{body}: {}", found.message);
    }
}

/// What only output sees is no state: these have as many situations with it as without.
const SLICED: &[(&str, &str)] = &[
    (
        "n = 0; x = 0; while (x < 100) { n++; x += roll(\"d6\"); output(n); } return x;",
        "x = 0; while (x < 100) { x += roll(\"d6\"); } return x;",
    ),
    (
        "log = \"\"; t = 0; for (i : range(9)) { x = roll(\"d6\"); log = log + x + \", \"; t += x; } output(log); return t;",
        "t = 0; for (i : range(9)) { x = roll(\"d6\"); t += x; } return t;",
    ),
    (
        "xs = [0]; t = 0; for (i : range(9)) { x = roll(\"d6\"); xs += [x]; t += x; } output(\"\" + xs); return t;",
        "t = 0; for (i : range(9)) { x = roll(\"d6\"); t += x; } return t;",
    ),
];

#[test]
fn what_only_output_sees_is_no_state() {
    for (with, without) in SLICED {
        let states = |body: &str| {
            let found = entry("", body).odds(&Given::default(), false, &Limits::default()).unwrap();
            (found.odds.to_string(), found.effort.states)
        };
        assert_eq!(states(with), states(without), "{with}");
    }
}
