//! What a script does besides computing: it leaves early, asks players, shows lines, and throws dice by their text.
//!
//! ```text
//! leave(call, v)      the innermost call, or the whole roll, has the value v
//! leave(loop, v)      the innermost Loop has the state v
//! ask(kind, …)        a player's decision: what was answered, or the default
//! emit(kind, …)       a line of output, a group of lines, or a change for later; its value is nothing
//! throw(kind, …)      dice thrown together, by their text or plain; they share one place in the path
//! ```
//!
//! A text is read when it is met; who evaluates is handed a [`Reader`](crate::Reader) for it, because the core knows no
//! notation.

use crate::diagnostic::{Code, Diagnostic, Fault};
use crate::prim;
use crate::value::{Data, Value};

/// What is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The innermost call; outside a call, the roll itself.
    Call,
    /// The innermost `Loop`.
    Loop,
}

/// What a player is asked for. All take an owner, which is a text and a tag or nothing, and a prompt, which is a text.
/// Last comes the form of the prompt: the text with `…` for what differs from time to time, or nothing if it is the prompt
/// itself. Questions of one owner with one form are one option to whoever asks what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Yes or no; no by default.
    Option,
    /// The position of one of the texts that follow; 0 by default.
    Choice,
    /// A number; its bounds and its default follow.
    Number,
    /// Some positions of the texts that follow; none by default.
    Select,
}

/// What is shown or noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line: a text, and a style or an empty text.
    Line,
    /// A group begins, with a title or nothing; it ends with `Close`, or with its call.
    Open,
    /// The group that this call opened last ends.
    Close,
    /// A group begins that ends with `Exit`.
    Enter,
    /// That group ends, with all that are open inside it.
    Exit,
    /// A number should change later: owner (text and tag), field (text), amount.
    Change,
}

/// How dice are thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throw {
    /// The total of a text.
    Total,
    /// The dice that count of a text, as a collection.
    Dice,
    /// The total of so many dice with so many sides.
    Plain,
    /// A collection, with a new die of so many sides at each of these positions.
    Again,
}

impl Exit {
    /// Its name in the canonical spelling.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Call => "call",
            Exit::Loop => "loop",
        }
    }
}

impl Question {
    /// Every kind.
    pub const ALL: [Question; 4] = [Question::Option, Question::Choice, Question::Number, Question::Select];

    /// Its name, also on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Question::Option => "option",
            Question::Choice => "choice",
            Question::Number => "number",
            Question::Select => "select",
        }
    }

    /// How many arguments it takes.
    pub fn takes(self) -> usize {
        match self {
            Question::Option => 4,
            Question::Choice | Question::Select => 5,
            Question::Number => 7,
        }
    }

    /// What can be answered; a question that has no answer is a fault.
    pub fn answers(self, args: &[Value]) -> Result<Answers, Fault> {
        let texts = |value: &Value| {
            let members = value.as_pool().unwrap_or(&[]).iter();
            members.map(|text| text.as_text().map_or_else(String::new, ToString::to_string)).collect()
        };
        let number = |at: usize| args.get(at).and_then(Value::as_int).unwrap_or(0);
        match (self, args.get(3)) {
            (Question::Option, _) => Ok(Answers::Option),
            (Question::Choice, Some(given)) if given.as_pool().is_some_and(|members| members.is_empty()) => {
                Err(Fault::runtime("there is nothing to choose from"))
            }
            (Question::Choice, Some(given)) => Ok(Answers::Choice(texts(given))),
            (Question::Select, Some(given)) => Ok(Answers::Select(texts(given))),
            (Question::Number, _) => {
                let (low, high, default) = (number(3), number(4), number(5));
                if low > high {
                    return Err(Fault::runtime(format!("no number is at least {low} and at most {high}")));
                }
                if !(low..=high).contains(&default) {
                    return Err(Fault::runtime(format!("the default {default} is not between {low} and {high}")));
                }
                Ok(Answers::Number { low, high, default })
            }
            (Question::Choice | Question::Select, None) => Err(Fault::mistake("a question lacks its choices")),
        }
    }
}

/// What can be answered to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Answers {
    /// Yes or no.
    Option,
    /// One of these.
    Choice(Vec<String>),
    /// A number between two.
    Number { low: i64, high: i64, default: i64 },
    /// Some of these.
    Select(Vec<String>),
}

impl Answers {
    /// What holds until it is answered.
    pub fn default(&self) -> Value {
        match self {
            Answers::Option => Value::bool(false),
            Answers::Choice(_) => Value::int(0),
            Answers::Number { default, .. } => Value::int(*default),
            Answers::Select(_) => Value::ints(&[]),
        }
    }

    /// The answer as it is used, if it is one: positions in ascending order.
    pub fn fit(&self, answer: &Value) -> Option<Value> {
        match (self, &answer.data) {
            (Answers::Option, Data::Bool(_)) => Some(answer.clone()),
            (Answers::Choice(texts), Data::Int(n)) => position(*n, texts.len()).then(|| answer.clone()),
            (Answers::Number { low, high, .. }, Data::Int(n)) => (low..=high).contains(&n).then(|| answer.clone()),
            (Answers::Select(items), Data::Pool(members)) => {
                let mut places = Vec::with_capacity(members.len());
                for member in members.iter() {
                    places.push(member.as_int().filter(|n| position(*n, items.len()))?);
                }
                places.sort_unstable();
                places.dedup();
                Some(Value::ints(&places))
            }
            _ => None,
        }
    }
}

fn position(number: i64, count: usize) -> bool {
    usize::try_from(number).is_ok_and(|number| number < count)
}

/// How a line can look.
pub const STYLES: &[&str] = &["good", "bad", "crit", "dim"];

/// The style of a line; an empty text is none.
pub fn style(value: &Value) -> Result<Option<String>, Fault> {
    let style = value.as_text().map_or_else(String::new, ToString::to_string);
    match style.as_str() {
        "" => Ok(None),
        known if STYLES.contains(&known) => Ok(Some(style)),
        _ => {
            Err(Fault::runtime(format!("unknown style \"{style}\"")).hint(format!("styles are {}", STYLES.join(", "))))
        }
    }
}

impl Event {
    /// Every kind.
    pub const ALL: [Event; 6] = [Event::Line, Event::Open, Event::Close, Event::Enter, Event::Exit, Event::Change];

    /// Its name in the canonical spelling.
    pub fn name(self) -> &'static str {
        match self {
            Event::Line => "line",
            Event::Open => "open",
            Event::Close => "close",
            Event::Enter => "enter",
            Event::Exit => "exit",
            Event::Change => "change",
        }
    }

    /// How many arguments it takes.
    pub fn takes(self) -> usize {
        match self {
            Event::Line => 2,
            Event::Open | Event::Enter => 1,
            Event::Close | Event::Exit => 0,
            Event::Change => 4,
        }
    }
}

impl Throw {
    /// Every kind.
    pub const ALL: [Throw; 4] = [Throw::Total, Throw::Dice, Throw::Plain, Throw::Again];

    /// Its name in the canonical spelling.
    pub fn name(self) -> &'static str {
        match self {
            Throw::Total => "total",
            Throw::Dice => "dice",
            Throw::Plain => "plain",
            Throw::Again => "again",
        }
    }

    /// How many arguments it takes.
    pub fn takes(self) -> usize {
        match self {
            Throw::Total | Throw::Dice => 1,
            Throw::Plain => 2,
            Throw::Again => 3,
        }
    }
}

/// How many dice with how many sides are thrown.
pub fn plain_dice(args: &[Value]) -> Result<(u64, i64), Fault> {
    let [count, sides] = [0, 1].map(|at| args.get(at).and_then(Value::as_int).unwrap_or(0));
    let Ok(count) = u64::try_from(count) else {
        return Err(Fault::runtime(format!("{count} dice can't be rolled")).hint("the number of dice is at least 0"));
    };
    Ok((count, at_least_one(sides)?))
}

/// The members, the positions at which they are thrown again in ascending order, and the sides of the new dice.
pub fn dice_again(args: &[Value]) -> Result<(&[Value], Vec<usize>, i64), Fault> {
    let members = |at: usize| args.get(at).and_then(Value::as_pool).unwrap_or(&[]);
    let (dice, sides) = (members(0), args.get(2).and_then(Value::as_int).unwrap_or(0));
    let mut places = Vec::new();
    for place in members(1) {
        let number = place.as_int().unwrap_or(-1);
        let found = usize::try_from(number).ok().filter(|place| *place < dice.len());
        places.push(found.ok_or_else(|| prim::no_member(number, dice.len()))?);
    }
    places.sort_unstable();
    places.dedup();
    Ok((dice, places, at_least_one(sides)?))
}

fn at_least_one(sides: i64) -> Result<i64, Fault> {
    if sides < 1 {
        return Err(Fault::runtime(format!("a die can't have {sides} sides")).hint("a die has at least one side"));
    }
    Ok(sides)
}

/// The fault of a group that ends without having begun.
pub fn no_group() -> Fault {
    let words = "no group to end: nothing in this call started one that is still open";
    Fault::runtime(words).hint("`startGroup()` comes before `endGroup()`")
}

/// An error inside a text, as an error of the throw.
pub fn quoted(text: &str, found: Diagnostic) -> Fault {
    let Diagnostic { code, kind, message, hint, remedies, .. } = found;
    let shown: String = text.chars().take(60).collect();
    // The script itself is fine: the mistake is in a text that it made or was given.
    let hint = hint.filter(|_| code != Code::Name);
    let code = if matches!(code, Code::Syntax | Code::Name | Code::Type) { Code::Runtime } else { code };
    Fault { code, kind, message: format!("\"{shown}\": {message}"), hint, remedies }
}
