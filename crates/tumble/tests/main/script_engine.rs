//! Scripts whose odds and best play are known from elsewhere, and scripts that ask too much.

use std::time::Instant;
use tumble::script::{Datum, Given, Goal, Players, Script};
use tumble_core::Limits;

#[test]
fn tries() {
    let cases: &[(&str, &str)] = &[
        (
            "explode",
            "defroll \"R\" r() { t = 0; while (true) { x = roll(\"d6\"); t += x; if (x != 6) { return t; } } }",
        ),
        ("explode2", "defroll \"R\" r() { t = 0; while (roll(\"d6\") == 6) { t += 6; } return t; }"),
        ("d6!", "defroll \"R\" r() { return roll(\"d6!\") + 3; }"),
        (
            "gambler",
            "defroll \"R\" r() { x = 10; while (x > 0 && x < 50) { x += roll(\"d2\") == 1 ? 1 : -1; } return x; }",
        ),
        (
            "coupon",
            "defroll \"R\" r() { seen = [0]; n = 0; while (length(seen) < 7) { x = roll(\"d6\"); n++; if (!contains(seen, x)) { seen = sort(seen + [x]); } } return n; }",
        ),
        (
            "recursion",
            "deffun f(n: int): int { if (roll(\"d6\") == 6) { return f(n + 1); } return n; } defroll \"R\" r() { return f(0); }",
        ),
        (
            "recursion2",
            "deffun f(): int { if (roll(\"d6\") == 6) { return 1 + f(); } return 0; } defroll \"R\" r() { return f(); }",
        ),
        (
            "20 attacks",
            "deffun swing(bonus: int) { t = roll(\"d20\"); if (t == 1) { return 0; } if (t + bonus < 15) { return 0; } crit = t == 20 && roll(\"d20\") + bonus >= 15; dmg = roll(\"2d6+3\"); if (crit) { dmg += roll(\"2d6+3\"); } return dmg; } defroll \"R\" r() { total = 0; for (i : range(20)) { total += swing(i % 3); output(\"so far \" + total); } return total; }",
        ),
        (
            "log",
            "defroll \"R\" r() { log = \"\"; for (i : range(100)) { log = log + roll(\"d6\"); } return length(dice(\"3d6\")) + (log == \"\" ? 1 : 0); }",
        ),
        (
            "counter for output",
            "defroll \"R\" r() { n = 0; x = 0; while (x < 100) { n++; x += roll(\"d6\"); output(n); } return x; }",
        ),
        (
            "yahtzee unsorted",
            "defroll \"R\" r() { ds = dice(\"5d6\"); for (n : range(2)) { ds = reroll(ds, userSelect(\"Again?\", ds), 6); } return count(ds, ds[0]) == 5; }",
        ),
        (
            "yahtzee sorted",
            "defroll \"R\" r() { ds = sort(dice(\"5d6\")); for (n : range(2)) { ds = sort(reroll(ds, userSelect(\"Again?\", ds), 6)); } return count(ds, ds[0]) == 5; }",
        ),
        (
            "60 options",
            "defroll \"R\" r() { t = 0; for (i : range(60)) { x = roll(\"d6\"); if (userOption(\"Again \" + i + \"?\")) { x = roll(\"d6\"); } t += x; } return t; }",
        ),
        (
            "decision in endless loop",
            "defroll \"R\" r() { while (true) { x = roll(\"d6\"); if (userOption(\"Stop?\")) { return x; } } }",
        ),
        ("select of 60", "defroll \"R\" r() { ds = dice(\"60d6\"); return length(userSelect(\"Which?\", ds)); }"),
        ("twenty in order", "defroll \"R\" r() { ds = dice(\"20d6\"); return ds[0] * ds[19]; }"),
        (
            "twenty in order 2",
            "defroll \"R\" r() { ds = [roll(\"d6\") for (i : range(20))]; t = 0; for (x : ds) { t = t * 2 + x; } return t; }",
        ),
        ("sum of made", "defroll \"R\" r() { ds = [roll(\"d6\") for (i : range(20))]; return sum(ds); }"),
        (
            "highest of made",
            "defroll \"R\" r() { ds = [roll(\"d6\") for (i : range(10))]; return sum(highest(3, ds)); }",
        ),
        (
            "big text",
            "defroll \"R\" r() { t = \"\"; for (i : range(1000)) { t = t + t + \"x\"; output(t); } return roll(\"d6\"); }",
        ),
        (
            "exponential recursion",
            "deffun f(n: int): int { if (n == 0) { return roll(\"d2\"); } return f(n - 1) + f(n - 1); } defroll \"R\" r() { return f(12); }",
        ),
    ];
    for (name, text) in cases {
        let script = Script::read(text, false);
        assert!(script.is_sound(), "{name}: {:?}", script.problems());
        let entry = script.entry("r", &Datum::Record(vec![])).unwrap();
        let start = Instant::now();
        match entry.odds(&Given::default(), false, &Limits::default()) {
            Ok(found) => println!(
                "{name}: {:?} mean {:?} {} outcomes, rest {}, exact {}, {:?}\n   {}",
                start.elapsed(),
                found.odds.mean().map(|m| m.to_f64()),
                found.odds.len(),
                found.odds.unresolved().to_f64(),
                found.odds.exact(),
                found.effort,
                found.odds.to_string().chars().take(150).collect::<String>()
            ),
            Err(e) => println!("{name}: {:?} {} / {:?}", start.elapsed(), e.message, e.hint),
        }
        if text.contains("user") {
            let start = Instant::now();
            let goal =
                if name.contains("yahtzee") { Goal::Exactly(tumble_core::Value::bool(true)) } else { Goal::Mean };
            match entry.best(&Given::default(), &goal, &Players::default(), 2, &Limits::default()) {
                Ok(found) => println!(
                    "   best {:?} {} default {:?} states {} lost {}",
                    start.elapsed(),
                    found.value.to_string().chars().take(60).collect::<String>(),
                    found.all_default.map(|f| f.to_f64()),
                    found.states,
                    found.unresolved.to_f64()
                ),
                Err(e) => println!("   best {:?} {} {:?}", start.elapsed(), e.message, e.hint),
            }
        }
    }
}
