//! The law for scripts: exact odds are the tally of all runs, and best play is the best of all strategies.
//!
//! The meaning is found by brute force from runs alone. A run is given the dice that fell so far; where it needs one
//! more it stops, and every face is tried. Where it met a question that is not answered yet, the question comes first:
//! it is answered as the policy says, or in every way.

use crate::script_programs::{FEW, Writer};
use crate::scripts::random;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use tumble_core::{Answers, Code, Diagnostic, Fault, Limits, Program, Reader, Throw, Value};
use tumble_exact::Fraction;
use tumble_exact::play::{Goal, Play as Exact, Players, Say, Without};
use tumble_roll::{Answered, Asked, Die, Happened, Play, Source, run};

/// Reads each text once.
#[derive(Default)]
struct Texts(Mutex<HashMap<(String, bool), Arc<Program>>>);

impl Reader for Texts {
    fn read(&self, text: &str, throw: Throw) -> Result<Arc<Program>, Diagnostic> {
        let key = (text.to_owned(), throw == Throw::Dice);
        let mut known = self.0.lock().unwrap();
        if let Some(program) = known.get(&key) {
            return Ok(program.clone());
        }
        let program = tumble_syntax::script::read_dice(text, throw).map(Arc::new)?;
        known.insert(key, program.clone());
        Ok(program)
    }
}

fn lowered(text: &str) -> Program {
    let script = tumble_syntax::script::read(text, false);
    let entry = script.entry("r").unwrap_or_else(|| unreachable!("{text}"));
    script.lower(entry, vec![]).unwrap_or_else(|found| unreachable!("{found:?}\n{text}"))
}

/// Dice that are given, and the faces of the first one that is not.
struct Given<'a> {
    faces: &'a [u64],
    used: usize,
    missing: Option<u64>,
}

impl Source for Given<'_> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let face = self.faces.get(self.used).copied();
        self.used += 1;
        face.ok_or_else(|| {
            self.missing = Some(die.sides.last() + 1);
            Fault::runtime("one more die")
        })
    }

    fn needs_path(&self) -> bool {
        true
    }
}

/// What happens next after some dice and answers.
enum Next {
    Die(u64),
    Question(Box<Asked>),
    End(Result<Value, Diagnostic>),
}

struct Brute<'a> {
    program: &'a Program,
    texts: &'a Texts,
    /// How many runs may still be made.
    left: usize,
    /// Where a run ends: whether questions of this owner and form are met is all that is asked.
    ends_at: Option<(Option<String>, String)>,
}

/// The form of a prompt of these scripts.
fn form(asked: &Asked) -> String {
    if asked.prompt.len() > 1 { format!("{}…", &asked.prompt[..1]) } else { asked.prompt.clone() }
}

impl Brute<'_> {
    /// Runs with these dice and answers; none if that is too much.
    fn next(&mut self, faces: &[u64], answers: &Answered) -> Option<Next> {
        self.left = self.left.checked_sub(1)?;
        let mut given = Given { faces, used: 0, missing: None };
        let found = run(self.program, &mut given, Play { reader: self.texts, answers }, &Limits::default());
        let open = found.log.into_iter().find_map(|happened| match happened {
            Happened::Asked(asked) if !answers.contains_key(&asked.path) => Some(asked),
            _ => None,
        });
        Some(match (open, given.missing) {
            (Some(asked), _) => Next::Question(Box::new(asked)),
            (None, Some(sides)) => Next::Die(sides),
            (None, None) => Next::End(found.value),
        })
    }

    /// All ends with their probabilities, if each question is answered as the policy says.
    fn tally(
        &mut self,
        faces: &mut Vec<u64>,
        answers: &mut Answered,
        policy: &dyn Fn(&Asked) -> Value,
    ) -> Option<BTreeMap<String, Fraction>> {
        match self.next(faces, answers)? {
            Next::End(Ok(value)) => Some(BTreeMap::from([(value.to_string(), Fraction::one())])),
            Next::End(Err(found)) => Some(BTreeMap::from([(format!("error: {}", found.message), Fraction::one())])),
            Next::Question(asked)
                if self.ends_at.as_ref().is_some_and(|end| *end == (asked.owner.name.clone(), form(&asked))) =>
            {
                Some(BTreeMap::from([("met".to_owned(), Fraction::one())]))
            }
            Next::Question(asked) => {
                answers.insert(asked.path.clone(), policy(&asked));
                let found = self.tally(faces, answers, policy);
                answers.remove(&asked.path);
                found
            }
            Next::Die(sides) => {
                let mut all: BTreeMap<String, Fraction> = BTreeMap::new();
                for face in 0..sides {
                    faces.push(face);
                    let found = self.tally(faces, answers, policy);
                    faces.pop();
                    for (end, chance) in found? {
                        let share = &chance / &Fraction::whole(sides as i64);
                        let sum = all.entry(end).or_insert_with(Fraction::zero);
                        *sum = &*sum + &share;
                    }
                }
                Some(all)
            }
        }
    }

    /// The value of the best strategy; an error anywhere is an error of the whole.
    fn best(
        &mut self,
        faces: &mut Vec<u64>,
        answers: &mut Answered,
        goal: &Goal,
        players: &Players,
    ) -> Option<Result<Fraction, String>> {
        match self.next(faces, answers)? {
            Next::End(Ok(value)) => {
                let number = value.as_int().unwrap_or(0);
                let worth = match goal {
                    Goal::Mean => number,
                    Goal::AtLeast(least) => i64::from(number >= *least),
                    Goal::AtMost(most) => i64::from(number <= *most),
                    Goal::Exactly(wanted) => i64::from(value == *wanted),
                };
                Some(Ok(Fraction::whole(worth)))
            }
            Next::End(Err(found)) => Some(Err(found.message)),
            Next::Question(asked) => {
                let against = players.minimise.contains(&asked.owner.name);
                let mut found: Option<Fraction> = None;
                for answer in possible(&asked.answers) {
                    answers.insert(asked.path.clone(), answer);
                    let value = self.best(faces, answers, goal, players);
                    answers.remove(&asked.path);
                    match value? {
                        Err(error) => return Some(Err(error)),
                        Ok(value) => {
                            let better =
                                found.as_ref().is_none_or(|best| if against { value < *best } else { value > *best });
                            found = if better { Some(value) } else { found };
                        }
                    }
                }
                found.map(Ok)
            }
            Next::Die(sides) => {
                let mut sum = Fraction::zero();
                for face in 0..sides {
                    faces.push(face);
                    let value = self.best(faces, answers, goal, players);
                    faces.pop();
                    match value? {
                        Err(error) => return Some(Err(error)),
                        Ok(value) => sum = &sum + &value,
                    }
                }
                Some(Ok(&sum / &Fraction::whole(sides as i64)))
            }
        }
    }
}

fn possible(answers: &Answers) -> Vec<Value> {
    match answers {
        Answers::Option => vec![Value::bool(false), Value::bool(true)],
        Answers::Choice(texts) => (0..texts.len() as i64).map(Value::int).collect(),
        Answers::Number { low, high, .. } => (*low..=*high).map(Value::int).collect(),
        Answers::Select(items) => {
            let sets = 0..1u32 << items.len();
            let set = |mask: u32| (0..items.len() as i64).filter(|item| mask >> item & 1 == 1).collect::<Vec<i64>>();
            sets.map(|mask| Value::ints(&set(mask))).collect()
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Random answers: to all questions with a prompt, and to single ones that a run meets.
fn answers(program: &Program, texts: &Texts, state: &mut u64) -> (Vec<Say>, Answered) {
    let say = |prompt: &str, value: Value| Say { owner: None, prompt: prompt.to_owned(), value };
    let all = [
        say("o", Value::bool(true)),
        say("o…", Value::bool(true)),
        say("o2", Value::bool(true)),
        say("n", Value::int(3)),
        say("c", Value::int(1)),
        say("s", Value::ints(&[0])),
    ];
    let said: Vec<Say> = all.into_iter().filter(|_| random(state, 3) == 0).collect();
    let mut by_path = Answered::new();
    for _ in 0..random(state, 4) {
        let mut faces: Vec<u64> = vec![];
        let mut brute = Brute { program, texts, left: 100, ends_at: None };
        // One run with random dice, question by question.
        let mut met = Answered::new();
        while let Some(next) = brute.next(&faces, &met) {
            match next {
                Next::Die(sides) => faces.push(random(state, sides as usize) as u64),
                Next::End(_) => break,
                Next::Question(asked) => {
                    let every = possible(&asked.answers);
                    let answer = every[random(state, every.len())].clone();
                    if random(state, 3) == 0 {
                        by_path.insert(asked.path.clone(), answer.clone());
                    }
                    met.insert(asked.path.clone(), answer);
                }
            }
        }
    }
    (said, by_path)
}

/// What is answered to a question: by path, by prompt, or the default.
fn policy<'a>(said: &'a [Say], by_path: &'a Answered) -> impl Fn(&Asked) -> Value + 'a {
    move |asked| {
        let form = |say: &Say| say.prompt == "o…" && asked.prompt.len() > 1 && asked.prompt.starts_with('o');
        let said = || said.iter().find(|say| say.prompt == asked.prompt || form(say)).map(|say| &say.value);
        let given = by_path.get(&asked.path).or_else(said);
        given.and_then(|given| asked.answers.fit(given)).unwrap_or_else(|| asked.default.clone())
    }
}

/// Compares the odds of a random script with its runs; whether there was something to compare.
fn odds_hold(seed: u64) -> bool {
    let text = Writer::script(seed, &FEW);
    let program = lowered(&text);
    let mut state = seed;
    let texts = Texts::default();
    let (said, by_path) = answers(&program, &texts, &mut state);
    let mut brute = Brute { program: &program, texts: &texts, left: 1000, ends_at: None };
    let Some(expected) = brute.tally(&mut vec![], &mut Answered::new(), &policy(&said, &by_path)) else { return false };
    let play = Exact { say: &said, ..Exact::new(&program, &texts, &by_path) };
    let about = || format!("seed {seed}, say {said:?}, answers {by_path:?}\n{text}");
    let with = |without: Without| Exact { without, ..play.clone() };
    let others = [
        ("slicing", with(Without { slicing: true, ..Without::default() })),
        ("merging", with(Without { merging: true, ..Without::default() })),
        ("sharing", with(Without { sharing: true, ..Without::default() })),
        ("seeing", Exact { seen_at_once: 0, ..play.clone() }),
    ];
    for (name, other) in others {
        let same = match (other.odds(false), play.odds(false)) {
            (Ok(other), Ok(found)) => other.odds.to_string() == found.odds.to_string(),
            (Err(other), Err(_)) => other.code != Code::Limit,
            _ => false,
        };
        assert!(same, "without {name}, {}", about());
    }
    options_hold(&play, &mut Brute { program: &program, texts: &texts, left: 3000, ends_at: None }, &about);
    match play.odds(false) {
        Ok(found) => {
            let found: BTreeMap<String, Fraction> =
                found.odds.outcomes().map(|(value, chance)| (value.to_string(), chance)).collect();
            assert_eq!(found, expected, "{}", about());
        }
        Err(found) if found.code == Code::Limit => unreachable!("{} {}", found.message, about()),
        Err(found) => {
            let error = format!("error: {}", found.message);
            assert!(expected.contains_key(&error), "{error}, not in {expected:?}\n{}", about());
        }
    }
    true
}

/// How likely each option is to be met, and what its answers lead to.
fn options_hold(play: &Exact<'_>, brute: &mut Brute<'_>, about: &dyn Fn() -> String) {
    let Ok(found) = play.odds(true) else { return };
    let policy = policy(play.say, play.answers);
    for option in found.options.iter().filter(|option| option.refused.is_none()) {
        let own = (option.group.owner.clone(), option.group.form.clone());
        brute.ends_at = Some(own.clone());
        let ended = brute.tally(&mut vec![], &mut Answered::new(), &policy);
        brute.ends_at = None;
        let Some(ended) = ended else { return };
        let met = ended.get("met").cloned().unwrap_or_else(Fraction::zero);
        assert_eq!(option.met, Some(met), "{own:?} is met, {}", about());
        for (answer, odds) in option.answers.iter().take(2) {
            let forced = |asked: &Asked| match (asked.owner.name.clone(), form(asked)) == own {
                true => asked.answers.fit(answer).unwrap_or_else(|| asked.default.clone()),
                false => policy(asked),
            };
            let Some(expected) = brute.tally(&mut vec![], &mut Answered::new(), &forced) else { return };
            let found: BTreeMap<String, Fraction> =
                odds.outcomes().map(|(value, chance)| (value.to_string(), chance)).collect();
            assert_eq!(found, expected, "{own:?} = {answer}, {}", about());
        }
    }
}

#[test]
fn odds_are_the_tally_of_all_runs() {
    let (first, count) = (number("TUMBLE_TEST_SEED", 0), number("TUMBLE_TEST_PROGRAMS", 150));
    let compared = (first..first + count).filter(|seed| odds_hold(*seed)).count();
    assert!(compared as u64 > count / 4, "only {compared} scripts were compared");
}

fn best_holds(seed: u64) -> bool {
    let text = Writer::script(seed, &FEW);
    let program = lowered(&text);
    let mut state = seed;
    let goal = match random(&mut state, 3) {
        0 => Goal::AtLeast(4),
        _ => Goal::Mean,
    };
    let texts = Texts::default();
    let minimise = if random(&mut state, 2) == 0 { vec![] } else { vec![Some("Foe".to_owned())] };
    let players = Players { minimise, fixed: vec![] };
    let mut brute = Brute { program: &program, texts: &texts, left: 1500, ends_at: None };
    let Some(expected) = brute.best(&mut vec![], &mut Answered::new(), &goal, &players) else { return false };
    let none = Answered::new();
    let play = Exact::new(&program, &texts, &none);
    match (play.best(&goal, &players, 3), expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.value, expected, "seed {seed}\n{text}");
            // No fixed answers do better.
            let (said, by_path) = answers(&program, &texts, &mut state);
            let fixed = Exact { say: &said, ..Exact::new(&program, &texts, &by_path) }.odds(false);
            if let (true, Goal::Mean, Ok(fixed)) = (players.minimise.is_empty(), &goal, fixed) {
                assert!(fixed.odds.mean().unwrap() <= found.value, "seed {seed}, {said:?}, {by_path:?}\n{text}");
            }
            let alone = players.minimise.is_empty();
            assert!(!alone || found.value >= found.all_default.unwrap(), "seed {seed}\n{text}");
        }
        (Err(_), Err(_)) => {}
        (found, expected) => unreachable!("{found:?} but {expected:?}, seed {seed}\n{text}"),
    }
    true
}

#[test]
fn best_play_is_the_best_of_all_strategies() {
    let (first, count) = (number("TUMBLE_TEST_SEED", 0), number("TUMBLE_TEST_PROGRAMS", 120));
    let compared = (first..first + count).filter(|seed| best_holds(*seed)).count();
    assert!(compared as u64 > count / 8, "only {compared} scripts were compared");
}
