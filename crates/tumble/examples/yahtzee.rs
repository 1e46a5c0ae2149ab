//! The optimal expected score of solitaire Yahtzee, from a script of one turn.
//!
//! ```text
//! value(card) = best play of a turn whose final dice are worth the best box: its score + value(card with that box)
//! ```
//!
//! The situations of a turn are the same for every score card, so they are built once (`Situations`) and valued for each
//! card, from the full one backward. A card is the set of boxes that are filled, the upper total up to 63, and whether a
//! yahtzee was scored with 50. There are three sets of rules. `plain` has neither bonus nor jokers. With `forced`, every
//! further yahtzee gives 100 more and must go into its upper box if that is open, else into a lower box, where it is a
//! joker and counts as anything, else it is a zero elsewhere. With `free` it may go anywhere, and it is a joker if its
//! upper box is filled.
//!
//! The bars tell what a box is worth: what the game is worth with it, less what it is worth if it is crossed out at once.
//!
//! `cargo run --release -p tumble --example yahtzee` takes them all; give one or more of them to take only those.

use std::io::Write;
use std::time::Instant;
use tumble::script::{Before, Datum, Entry, Given, Players, Script, Situations, datum_from_json};
use tumble::{Limits, Value};

const BOXES: usize = 13;
const YAHTZEE: usize = 11;
const NAMES: [&str; BOXES] = [
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "three of a kind",
    "four of a kind",
    "full house",
    "small straight",
    "large straight",
    "yahtzee",
    "chance",
];
/// The upper boxes give 35 more if they come to this.
const ENOUGH: usize = 63;

type Found<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Found<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout();
    for rules in [Rules::Forced, Rules::Free, Rules::Plain] {
        let name = format!("{rules:?}").to_lowercase();
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        let start = Instant::now();
        let game = Game::new(rules)?;
        let (values, error) = game.solve();
        let value = values[Card::EMPTY.number()];
        let (situations, cards, seconds) = (game.turn.len(), game.cards(), start.elapsed().as_secs_f64());
        writeln!(out, "{name}: {value:.6} (off by at most {error:.0e})")?;
        writeln!(out, "{situations} situations of a turn, {cards} cards, {seconds:.1} s")?;
        for (at, name) in NAMES.iter().enumerate() {
            let without = values[Card { filled: 1 << at, ..Card::EMPTY }.number()];
            let bar = "█".repeat((value - without).round() as usize);
            writeln!(out, "  {name:<15} {:6.2}  {bar}", value - without)?;
        }
    }
    Ok(())
}

/// What happens to a yahtzee when its box is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Plain,
    Forced,
    Free,
}

struct Game {
    turn: Situations,
    rules: Rules,
    /// The score of each box for each result of a turn, and as a joker.
    scores: Vec<[f64; BOXES]>,
    as_joker: Vec<[f64; BOXES]>,
    /// The face of a yahtzee, from 0.
    yahtzee: Vec<Option<usize>>,
}

impl Game {
    fn new(rules: Rules) -> Found<Game> {
        let text = include_str!("yahtzee.tumble");
        let script = Script::read(text, true);
        let (none, limits) = (Datum::Record(vec![]), Limits::default());
        let turn = script.entry("turn", &none)?.situations(&Given::default(), &Players::default(), &limits)?;
        let (mut scores, mut as_joker, mut yahtzee) = (vec![], vec![], vec![]);
        for dice in turn.results() {
            let dice: Vec<i64> = dice.as_pool().unwrap_or(&[]).iter().filter_map(Value::as_int).collect();
            scores.push(scored(&script, &dice, false)?);
            as_joker.push(scored(&script, &dice, true)?);
            let first = dice.first().copied().unwrap_or(1);
            yahtzee.push(dice.iter().all(|die| *die == first).then_some(first as usize - 1));
        }
        Ok(Game { turn, rules, scores, as_joker, yahtzee })
    }

    /// The value of every card, and by how much it can be off.
    fn solve(&self) -> (Vec<f64>, f64) {
        let size = 1 << BOXES;
        let mut values = vec![0.0f64; size * (ENOUGH + 1) * 2];
        let (mut worth, mut room) = (vec![0.0; self.turn.results().len()], vec![]);
        for filled in (0..size - 1).rev() {
            for upper in 0..=ENOUGH {
                for bonus in 0..=usize::from(self.has_bonus() && filled >> YAHTZEE & 1 == 1) {
                    let card = Card { filled, upper, bonus };
                    (0..worth.len()).for_each(|dice| worth[dice] = self.best_box(&values, card, dice));
                    values[card.number()] = self.turn.value(&worth, &mut room);
                }
            }
        }
        let most = values.iter().copied().fold(0.0, f64::max);
        (values, BOXES as f64 * self.turn.error(most))
    }

    /// What dice are worth on a card.
    fn best_box(&self, values: &[f64], card: Card, dice: usize) -> f64 {
        let open = |at: usize| card.filled >> at & 1 == 0;
        let further = self.yahtzee[dice].filter(|_| self.has_bonus() && !open(YAHTZEE));
        let is_joker = further.is_some_and(|face| !open(face));
        let scores = if is_joker { &self.as_joker[dice] } else { &self.scores[dice] };
        let more = if further.is_some() && card.bonus == 1 { 100.0 } else { 0.0 };
        let may = |at: usize| match further.filter(|_| self.rules == Rules::Forced) {
            Some(face) if open(face) => at == face,
            Some(_) if (6..BOXES).any(open) => at >= 6,
            _ => true,
        };
        let boxes = (0..BOXES).filter(|at| open(*at) && may(*at));
        more + boxes.map(|at| scores[at] + self.after(values, card, at, scores[at])).fold(f64::NEG_INFINITY, f64::max)
    }

    /// What the rest of the game is worth after a box was filled.
    fn after(&self, values: &[f64], card: Card, at: usize, score: f64) -> f64 {
        let added = if at < 6 { score as usize } else { 0 };
        let upper = (card.upper + added).min(ENOUGH);
        let reached = if upper == ENOUGH && card.upper < ENOUGH { 35.0 } else { 0.0 };
        let bonus = if self.has_bonus() && at == YAHTZEE && score > 0.0 { 1 } else { card.bonus };
        reached + values[Card { filled: card.filled | 1 << at, upper, bonus }.number()]
    }

    fn has_bonus(&self) -> bool {
        self.rules != Rules::Plain
    }

    fn cards(&self) -> usize {
        let each = |filled: usize| 1 + usize::from(self.has_bonus() && filled >> YAHTZEE & 1 == 1);
        (0..(1 << BOXES) - 1).map(|filled| each(filled) * (ENOUGH + 1)).sum()
    }
}

#[derive(Clone, Copy)]
struct Card {
    filled: usize,
    upper: usize,
    bonus: usize,
}

impl Card {
    const EMPTY: Card = Card { filled: 0, upper: 0, bonus: 0 };

    fn number(self) -> usize {
        (self.filled * (ENOUGH + 1) + self.upper) * 2 + self.bonus
    }
}

/// The scores of all boxes, by the script.
fn scored(script: &Script, dice: &[i64], joker: bool) -> Found<[f64; BOXES]> {
    let args = datum_from_json(&serde_json::json!({ "ds": dice, "joker": joker }));
    let entry: Entry = script.entry("scores", &args)?;
    let run = entry.run(Before::default(), tumble_roll::Seeded::new(1), &Limits::default())?;
    let Datum::List(scores) = run.result? else { return Err("no list of scores".into()) };
    let mut all = [0.0; BOXES];
    for (place, score) in all.iter_mut().zip(scores) {
        if let Datum::Number(n) = score {
            *place = n as f64;
        }
    }
    Ok(all)
}
