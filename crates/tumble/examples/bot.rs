//! A chat bot: lines in, lines out, one answer for each command, whatever it is sent.
//!
//! ```text
//! line     = [ player ":" ] text
//! command  = "!roll" text | "!odds" text | "!set" name number | "!vars" | "!help"
//! ```
//!
//! Try it: `cargo run -p tumble --example bot`, then type `!roll 4d6kh3`. What is no command is chat, and
//! gets no answer. The texts come from strangers, so every one of them has small limits.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use tumble::render::chance::{Chance, in_words};
use tumble::render::{place, spelled, text};
use tumble::{Diagnostic, Errors, Limits, Options, Prepared, Shelf, Vars, any_seed, everyday, nth_seed};

/// A chat message has at most so many lines.
const MOST_LINES: usize = 12;

const HELP: &str = "\
!roll 4d6kh3       roll, with every die shown
!odds 2d6+3 >= 9   exact odds
!set str 3         a value of your own; then !roll d20 + @str
!vars              your values";

/// What the bot remembers.
struct Bot {
    /// Texts that were read before: people roll the same things again and again.
    shelf: Shelf,
    sheets: HashMap<String, Vars>,
    seed: u64,
    rolls: u64,
}

impl Bot {
    fn new(seed: u64) -> Bot {
        Bot { shelf: Shelf::new(1000), sheets: HashMap::new(), seed, rolls: 0 }
    }

    /// What one stranger may cost.
    fn limits() -> Limits {
        Limits { draws: 1000, steps: 1_000_000, members: 1000, bytes: 16 << 20, ..Limits::default() }
    }

    /// The answer to a line; none if it is only chat.
    fn hear(&mut self, line: &str) -> Option<String> {
        let (player, said) = match line.split_once(':') {
            Some((player, said)) if !player.contains('!') => (player.trim(), said.trim()),
            _ => ("you", line.trim()),
        };
        let (command, rest) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
        let rest = rest.trim();
        let answer = match command {
            "!roll" => self.roll(player, rest),
            "!odds" => self.odds(player, rest),
            "!set" => self.set(player, rest),
            "!vars" => self.vars(player),
            "!help" => HELP.to_owned(),
            _ if command.starts_with('!') => format!("there is no {command}; !help lists what there is"),
            _ => return None,
        };
        Some(format!("@{player} {}", cut(&answer)))
    }

    fn roll(&mut self, player: &str, dice: &str) -> String {
        let prepared = match self.read(player, dice) {
            Ok(prepared) => prepared,
            Err(errors) => return wrong(dice, &errors.first()),
        };
        let seed = nth_seed(self.seed, self.rolls);
        self.rolls += 1;
        match prepared.roll(seed, &Bot::limits()) {
            Ok(rolled) => text::roll(&prepared, &rolled),
            Err(error) => wrong(dice, &error),
        }
    }

    fn odds(&mut self, player: &str, dice: &str) -> String {
        let prepared = match self.read(player, dice) {
            Ok(prepared) => prepared,
            Err(errors) => return wrong(dice, &errors.first()),
        };
        let odds = match prepared.odds(&Options { limits: Bot::limits(), ..Options::default() }) {
            Ok(odds) => odds,
            Err(error) => return wrong(dice, &error),
        };
        let mut lines = Vec::new();
        if let Some(mean) = odds.mean() {
            lines.push(format!("on average {}", mean.decimal(2)));
        }
        for (value, chance) in odds.outcomes().take(MOST_LINES) {
            let outcome = spelled(value, prepared.notation());
            lines.push(format!("{outcome}: {chance}, {}", in_words(&Chance::Exact(chance.clone()))));
        }
        lines.join("\n")
    }

    fn set(&mut self, player: &str, rest: &str) -> String {
        let parts = rest.split_once(char::is_whitespace).map(|(name, n)| (name, n.trim().parse::<i64>()));
        let Some((name, Ok(value))) = parts else {
            return "write a name and a whole number, such as !set str 3".to_owned();
        };
        self.sheets.entry(player.to_owned()).or_default().insert(name.to_owned(), value);
        format!("{name} is {value}")
    }

    fn vars(&self, player: &str) -> String {
        let values = self.sheets.get(player).into_iter().flatten();
        let told: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
        if told.is_empty() { "you have no values yet".to_owned() } else { told.join(", ") }
    }

    fn read(&mut self, player: &str, dice: &str) -> Result<std::sync::Arc<Prepared>, Errors> {
        let none = Vars::new();
        let vars = self.sheets.get(player).unwrap_or(&none);
        self.shelf.compile(everyday().name, dice, vars)
    }
}

/// A mistake as a chat message: what, where, and what to write instead.
fn wrong(dice: &str, error: &Diagnostic) -> String {
    place::message("sorry", dice, error)
}

/// As much of an answer as fits a chat message.
fn cut(answer: &str) -> String {
    let mut lines: Vec<String> = answer.trim_end().lines().map(|line| line.chars().take(200).collect()).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// Answers every line until there are no more.
pub(crate) fn run(input: impl BufRead, mut output: impl Write, seed: u64) -> io::Result<()> {
    let mut bot = Bot::new(seed);
    for line in input.split(b'\n') {
        if let Some(answer) = bot.hear(&String::from_utf8_lossy(&line?)) {
            writeln!(output, "{answer}")?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(io::stdin().lock(), io::stdout(), any_seed()?)?;
    Ok(())
}
