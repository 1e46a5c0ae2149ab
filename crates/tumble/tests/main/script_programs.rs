//! Random scripts with every construct, and random answers and edits: which dice stay is a law, not an example.
//!
//! ```text
//! no identity twice in a run          a die that occurs in two runs shows the same, unless it was edited
//! an earlier set of answers gives the identical run      a fresh run from the same seed equals the one reached by toggling
//! ```

use crate::scripts::{lasting, random, some_answer};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use tumble::Limits;
use tumble::batch::{Settings, answer};

/// Writes a script. Loops count, so that they end; everything else is left to chance.
pub(crate) struct Writer {
    state: u64,
    loops: usize,
    /// How many functions can be called.
    functions: usize,
    /// The variables of loops around this place.
    members: Vec<String>,
    dice: &'static Texts,
}

/// The dice that a script throws.
pub(crate) struct Texts {
    first: [&'static str; 2],
    totals: &'static [&'static str],
    lists: &'static [&'static str],
    many: &'static str,
    sides: u32,
}

/// Dice of all kinds.
const MANY: Texts = Texts {
    first: ["d4", "3d6"],
    totals: &["d6", "2d4", "d4!", "4d6kh3", "d20+d4", "2d4r1", "d6cs>=4", "d4 adv"],
    lists: &["3d6", "2d4!", "4d6kh2", "d8"],
    many: "2d6",
    sides: 6,
};

/// Dice with few faces, so that all ways to roll them can be gone through.
pub(crate) const FEW: Texts = Texts {
    first: ["d3", "2d3"],
    totals: &["d2", "2d2", "d2!x1", "3d2kh2", "d3+d2", "d3r1x1", "2d2cs>=2", "d2 adv", "d3"],
    lists: &["2d3", "d2!x2", "3d2kh2", "d3"],
    many: "2d2",
    sides: 2,
};

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        random(&mut self.state, n)
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        let at = self.below(choices.len());
        choices[at].to_owned()
    }

    pub(crate) fn script(seed: u64, dice: &'static Texts) -> String {
        let mut writer = Writer { state: seed, loops: 0, functions: 0, members: vec![], dice };
        let mut text = "deftype who { name: string }\n".to_owned();
        for number in 0..2 {
            let body = writer.block(2, false);
            let result = writer.number(1);
            text.push_str(&format!("deffun f{number}(a: int) {{ b = 1; xs = [a, 2]; {body} return {result}; }}\n"));
            writer.functions = number + 1;
        }
        let body = writer.block(3, false);
        let result = writer.number(2);
        let [one, several] = dice.first;
        text + &format!(
            "defroll \"R\" r() {{ a = 2; b = roll(\"{one}\"); xs = dice(\"{several}\"); {body} return {result}; }}\n"
        )
    }

    fn block(&mut self, size: usize, in_loop: bool) -> String {
        (0..1 + self.below(3)).map(|_| self.statement(size, in_loop)).collect()
    }

    fn statement(&mut self, size: usize, in_loop: bool) -> String {
        if size == 0 {
            let number = self.number(1);
            return format!("{} {number}; ", self.pick(&["a =", "b =", "a +=", "b -="]));
        }
        match self.below(12) {
            0 | 1 => format!("a = {}; ", self.number(size)),
            2 => format!("b += {}; ", self.number(size)),
            3 | 4 => {
                let (test, then) = (self.truth(size - 1), self.block(size - 1, in_loop));
                let other = self.block(size - 1, in_loop);
                let other = if self.below(2) == 0 { String::new() } else { format!("else {{ {other}}} ") };
                format!("if ({test}) {{ {then}}} {other}")
            }
            5 => self.counted_loop(size),
            6 => {
                self.loops += 1;
                let (name, list) = (format!("m{}", self.loops), self.list(size - 1));
                self.members.push(name.clone());
                let body = self.block(size - 1, true);
                self.members.pop();
                format!("for ({name} : {list}) {{ {body}}} ")
            }
            7 => format!("xs = {}; ", self.list(size)),
            8 => format!("group(\"g\") {{ {}}} ", self.block(size - 1, in_loop)),
            9 => format!("if ({}) {{ {} }} ", self.truth(size - 1), if in_loop { "break;" } else { "return a + 1;" }),
            10 => format!("output(\"a\" + {} + xs); ", self.number(size - 1)),
            _ => {
                let number = self.number(size - 1);
                format!("if (length(xs) > 1) {{ xs = reroll(xs, [0, 1], {}); xs[1] = {number}; }} ", self.dice.sides)
            }
        }
    }

    fn counted_loop(&mut self, size: usize) -> String {
        self.loops += 1;
        let (name, test, body) = (format!("w{}", self.loops), self.truth(size - 1), self.block(size - 1, true));
        let tests = [format!("{name} < 2 && {test}"), format!("({test}) && {name} < 2"), format!("{name} < 2")];
        let at = self.below(tests.len());
        format!("{name} = 0; while ({}) {{ {name}++; {body}}} ", tests[at])
    }

    fn number(&mut self, size: usize) -> String {
        if size == 0 {
            let members: Vec<&str> = self.members.iter().map(String::as_str).collect();
            let known: Vec<&str> = ["1", "2", "a", "b", "a"].into_iter().chain(members).collect();
            let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
            let at = self.below(known.len());
            return known[at].clone();
        }
        let inner = size - 1;
        match self.below(13) {
            0..=2 => format!("roll(\"{}\")", self.pick(self.dice.totals)),
            3 => format!("roll(abs({}) % 3 + \"d{}\")", self.number(0), self.dice.sides),
            4 => format!("d({}, 2 + abs({}) % 2)", self.dice.sides / 2, self.number(0)),
            5 if self.functions > 0 => {
                let at = self.below(self.functions);
                format!("f{at}({})", self.number(inner))
            }
            6 => format!("({} ? {} : {})", self.truth(inner), self.number(inner), self.number(inner)),
            7 => format!("max({}, {})", self.number(inner), self.number(inner)),
            8 => format!("sum({})", self.list(inner)),
            9 => "userNumber(\"n\", 0, 3, 1)".to_owned(),
            10 => "userChoice(who { name: \"Foe\" }, \"c\", [\"x\", \"y\"])".to_owned(),
            11 => format!("count(xs, {})", self.number(0)),
            _ => format!("({} {} {})", self.number(inner), self.pick(&["+", "-"]), self.number(inner)),
        }
    }

    fn truth(&mut self, size: usize) -> String {
        if size == 0 {
            return self.pick(&["userOption(\"o\")", "roll(\"d2\") == 1", "a > b"]);
        }
        let inner = size - 1;
        match self.below(7) {
            0 | 1 => "userOption(\"o\" + a)".to_owned(),
            2 => format!("{} && {}", self.truth(inner), self.truth(inner)),
            3 => format!("({} || {})", self.truth(inner), self.truth(inner)),
            4 => format!("!({})", self.truth(inner)),
            5 => format!("contains(xs, {})", self.number(inner)),
            _ => format!("{} {} {}", self.number(inner), self.pick(&["<", ">=", "==", "!="]), self.number(inner)),
        }
    }

    fn list(&mut self, size: usize) -> String {
        if size == 0 {
            let many = format!("dice(\"{}\")", self.dice.many);
            return self.pick(&["xs", "[1, 2]", &many]);
        }
        let inner = size - 1;
        match self.below(6) {
            0 => format!("dice(\"{}\")", self.pick(self.dice.lists)),
            1 => format!("[{}, {}]", self.number(inner), self.number(inner)),
            2 => "[xs[i] for (i : userSelect(\"s\", xs))]".to_owned(),
            3 => {
                self.loops += 1;
                let (name, list) = (format!("x{}", self.loops), self.list(inner));
                self.members.push(name.clone());
                let (item, test) = (self.number(inner), self.truth(inner));
                self.members.pop();
                let test = if self.below(2) == 0 { String::new() } else { format!(" if ({test})") };
                format!("[{item} for ({name} : {list}){test}]")
            }
            4 => format!("highest(2, {} + [1])", self.list(inner)),
            _ => format!("sort({})", self.list(inner)),
        }
    }
}

/// A run, as `tumble batch` answers it.
struct Runs {
    program: String,
    seed: u64,
    settings: Settings,
}

impl Runs {
    fn ask(&self, answers: &Map<String, Json>, dice: &Json, edits: &Json) -> Json {
        let request = json!({
            "do": "run", "program": self.program, "answers": answers, "dice": dice, "edits": edits, "seed": self.seed,
        });
        answer(request.to_string().as_bytes(), &self.settings)
    }
}

/// The faces of a run by identity; none twice.
fn faces(found: &Json, program: &str) -> BTreeMap<String, Json> {
    let mut faces = BTreeMap::new();
    for roll in found["rolls"].as_array().unwrap() {
        for (identity, value) in roll["each"].as_array().unwrap().iter().zip(roll["values"].as_array().unwrap()) {
            assert!(faces.insert(identity.to_string(), value.clone()).is_none(), "{identity} twice in\n{program}");
        }
    }
    let options = found["options"].as_array().unwrap();
    let paths: BTreeSet<&str> = options.iter().map(|option| option["path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), options.len(), "an option twice in\n{program}");
    faces
}

/// Changes answers and dice at random; the answer is how many runs succeeded.
fn toggled(seed: u64) -> usize {
    let program = Writer::script(seed, &MANY);
    let runs = Runs { program: program.clone(), seed, settings: Settings::new(Limits::default(), || 0) };
    let (mut answers, mut dice, mut state, mut fine) = (Map::new(), json!({}), seed, 0);
    let (mut known, mut seen) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..10 {
        let found = runs.ask(&answers, &dice, &json!([]));
        assert!(found.get("rolls").is_some(), "{found:#}\n{program}");
        fine += usize::from(found["ok"] == true);
        for (identity, face) in faces(&found, &program) {
            let before = known.insert(identity.clone(), face.clone());
            assert!(before.is_none_or(|before| before == face), "{identity} changed in\n{program}");
        }
        let lasts = lasting(&found);
        let before = seen.insert(json!(answers).to_string(), lasts.clone());
        assert!(before.is_none_or(|before| before == lasts), "{answers:?} gives another run of\n{program}");
        assert_eq!(
            lasting(&runs.ask(&answers, &json!({}), &json!([]))),
            lasts,
            "a fresh run with {answers:?} of\n{program}"
        );
        dice = found["dice"].clone();
        let options = found["options"].as_array().unwrap();
        if options.is_empty() {
            break;
        }
        let option = &options[random(&mut state, options.len())];
        answers.insert(option["path"].as_str().unwrap().to_owned(), some_answer(option, &mut state));
    }
    edited(&runs, &answers, &dice, known, &mut state);
    fine
}

/// Dice that are rolled again may change, all others may not; taking it back restores the run.
fn edited(runs: &Runs, answers: &Map<String, Json>, dice: &Json, known: BTreeMap<String, Json>, state: &mut u64) {
    let before = runs.ask(answers, dice, &json!([]));
    let dice = &before["dice"];
    let rolls: Vec<&Json> =
        before["rolls"].as_array().unwrap().iter().filter(|roll| roll["each"] != json!([])).collect();
    if rolls.is_empty() {
        return;
    }
    let each = rolls[random(state, rolls.len())]["each"].as_array().unwrap();
    let die = &each[random(state, each.len())];
    let own = die.to_string();
    let edit = |what: &str| json!([{ "do": what, "path": die[0], "die": die[1], "index": die[2] }]);
    let again = runs.ask(answers, dice, &edit("reroll"));
    assert!(again.get("rolls").is_some(), "{again:#} after {die} of\n{}", runs.program);
    for (identity, face) in faces(&again, &runs.program) {
        if identity != own {
            let before = known.get(&identity);
            assert!(before.is_none_or(|before| *before == face), "{identity} changed with {die} in\n{}", runs.program);
        }
    }
    let back = runs.ask(answers, &again["dice"], &edit("undo"));
    assert_eq!(lasting(&back), lasting(&before), "taking {die} back in\n{}", runs.program);
}

#[test]
fn dice_stay_in_random_programs() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (first, count) = (number("TUMBLE_TEST_SEED", 0), number("TUMBLE_TEST_PROGRAMS", 150));
    let fine: usize = (first..first + count).map(toggled).sum();
    assert!(fine as u64 > count * 2, "only {fine} runs succeeded");
}
