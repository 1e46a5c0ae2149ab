//! Parses the rolls, their fronts and their steps.

use super::super::dialect::{Bare, Dialect, Row, TABLETOP, Word};
use super::super::parse::{Parser, comments};
use super::super::syntax::{
    Arg, Cap, Compare, Explode, Expr, Infix, Item, Modifier, NodeId, Nodes, Sides, Source, Test, Tree,
};
use super::Flat;
use super::assemble::{Change, First, Pool, Roll, Step};
use super::expand::{EVERYDAY, Expanded, Front, front, rolls};
use crate::mistake::{Mistake, Parsed};
use crate::scan::Cursor;
use tumble_core::Span;

/// Reads a text; the mistake is not explained yet.
pub(in super::super) fn attempt(dialect: &'static Dialect, flat: &'static Flat, text: &str) -> Parsed<Tree> {
    let expanded = Expanded::new(flat, dialect.commands, text)?;
    let source = expanded.text.as_str();
    let cursor = Cursor::new(source);
    let mut parser = Parser { text: source, dialect, cursor, nodes: Nodes::default(), depth: 0, names: vec![] };
    let read = parser.rolls(flat).map_err(|mistake| {
        let place = expanded.place(mistake.span);
        Box::new(mistake.at(place))
    });
    let (items, times) = read?;
    let mut nodes = parser.nodes;
    nodes.respan(|span| expanded.place(span));
    nodes.change(|expr| replaced(expr, &expanded));
    let times = times.map(|(count, span)| (count, expanded.place(span)));
    Ok(Tree { nodes, items, times, comments: comments(dialect, text), ignored: false, named: expanded.named() })
}

/// The places inside an expression, as they were written.
fn replaced(expr: &mut Expr, expanded: &Expanded) {
    match expr {
        Expr::Dice(dice) => dice.modifiers.iter_mut().for_each(|(_, span)| *span = expanded.place(*span)),
        Expr::Block(bindings, _) => bindings.iter_mut().for_each(|binding| binding.span = expanded.place(binding.span)),
        _ => {}
    }
}

/// What is rolled, and how often if it is one roll alone.
type Read = (Vec<Item>, Option<(i64, Span)>);

impl Parser<'_> {
    fn rolls(&mut self, flat: &'static Flat) -> Parsed<Read> {
        let spans: Vec<Span> =
            rolls(self.text).filter(|roll| !self.text[roll.start..roll.end].trim().is_empty()).collect();
        if let Some(span) = spans.get(flat.rolls) {
            return Mistake::limit(*span, format!("{} rolls at most {} at once", self.dialect.title, flat.rolls))
                .fail();
        }
        let (mut items, mut times) = (Vec::new(), None);
        for roll in &spans {
            let front = front(flat, self.dialect.commands, self.text, *roll, roll.start == 0);
            let sets = self.sets(flat, &front)?;
            self.cursor = self.at_byte(front.head);
            let rolled = self.flat_roll(front.label, *roll)?;
            match sets {
                Some(sets) if spans.len() == 1 => {
                    times = Some(sets);
                    items.push(Item::Roll(rolled));
                }
                Some((count, _)) => items.extend((0..count).map(|_| Item::Roll(rolled))),
                None => items.push(Item::Roll(rolled)),
            }
        }
        if items.is_empty() {
            return Mistake::new(Span::new(0, self.text.len()), "missing dice").fail();
        }
        Ok((items, times))
    }

    fn sets(&self, flat: &Flat, front: &Front) -> Parsed<Option<(i64, Span)>> {
        let (least, most) = flat.sets;
        match front.sets {
            Some((count, span)) if !(least..=most).contains(&count) => {
                let message = format!("{} rolls {least} to {most} sets, not {count}", self.dialect.title);
                Mistake::limit(span, message).fail()
            }
            sets => Ok(sets),
        }
    }

    /// Dice and all steps after them, up to the end of the roll.
    fn flat_roll(&mut self, label: Option<String>, whole: Span) -> Parsed<NodeId> {
        let start = self.cursor.at();
        let first = self.first()?;
        let mut roll = Roll { start, first, steps: vec![] };
        while let Some(step) = self.step(&mut roll, whole)? {
            roll.steps.push(step);
        }
        let node = self.assembled(roll)?;
        let shown = label.filter(|label| !label.is_empty() && !label.contains(['[', ']', '#', '\n']));
        Ok(match shown {
            Some(label) => self.nodes.add(self.nodes.span(node), Expr::Label(node, label)),
            None => node,
        })
    }

    /// `4d6`, `100 / 2d4`, or something in the everyday notation.
    fn first(&mut self) -> Parsed<First> {
        if self.cursor.eat(&EVERYDAY.0.to_string()) {
            let dialect = std::mem::replace(&mut self.dialect, &TABLETOP);
            let inside = self.block();
            self.dialect = dialect;
            let inside = inside?;
            self.blanks();
            self.cursor.eat(&EVERYDAY.1.to_string());
            return Ok(First::Everyday(inside));
        }
        let start = self.cursor.at();
        if let Some(dice) = self.plain_dice()? {
            return Ok(First::Dice(dice));
        }
        if !matches!(self.cursor.peek(), Some('0'..='9')) {
            return self.no_dice(start).fail();
        }
        let (number, span) = self.number()?;
        let Some(sign) = self.sign() else { return self.no_dice(start).fail() };
        match self.plain_dice()? {
            Some(dice) => Ok(First::Number(number, span, sign, dice)),
            None => self.no_dice(self.cursor.at()).fail(),
        }
    }

    fn no_dice(&self, at: usize) -> Mistake {
        let word = self.text[at..].split(char::is_whitespace).next().unwrap_or_default();
        let shown: String = word.chars().take(30).collect();
        let message =
            if shown.is_empty() { "missing dice".to_owned() } else { format!("expected dice, not `{shown}`") };
        Mistake::new(Span::new(at, at + word.len()), message)
    }

    /// `4d6`, `d%`; what comes next is left alone if it is something else.
    fn plain_dice(&mut self) -> Parsed<Option<Pool>> {
        self.blanks();
        let before = self.cursor.clone();
        let start = before.at();
        let count = match self.cursor.peek() {
            Some('0'..='9') => Some(self.number()?),
            _ => None,
        };
        let die = self.cursor.eat("d") || self.cursor.eat("D");
        let sides = match self.cursor.peek() {
            Some('%') if die => {
                self.cursor.bump();
                Some(Sides::Percent)
            }
            Some('0'..='9') if die => {
                let (sides, span) = self.number()?;
                if sides == 0 {
                    return Mistake::new(span, "a die needs at least one side").fail();
                }
                Some(Sides::Upto(self.nodes.add(span, Expr::Number(sides))))
            }
            _ => None,
        };
        let Some(sides) = sides else {
            self.cursor = before;
            return Ok(None);
        };
        if let Some((0, span)) = count {
            return Mistake::new(span, "there must be at least one die").fail();
        }
        let count = count.map(|(count, span)| self.nodes.add(span, Expr::Number(count)));
        let span = self.cursor.since(start);
        Ok(Some(Pool { span, source: Source::Roll(count, sides), changes: vec![] }))
    }

    /// `+`, `-`, `*` or `/`; of two signs the last counts.
    fn sign(&mut self) -> Option<Infix> {
        let mut found = None;
        loop {
            self.blanks();
            let sign = match self.cursor.peek()? {
                '+' => Infix::Plus,
                '-' if found != Some(Infix::Minus) || self.doubled() => Infix::Minus,
                '*' if found.is_none() => Infix::Times,
                '/' if found.is_none() => Infix::Over,
                _ => return found,
            };
            self.cursor.bump();
            found = Some(sign);
        }
    }

    /// Whether another sign before dice comes next.
    fn doubled(&self) -> bool {
        self.cursor.rest()[1..].starts_with(['d', 'D'])
    }

    /// The next modifier or number.
    fn step(&mut self, roll: &mut Roll, whole: Span) -> Parsed<Option<Step>> {
        let touching = self.cursor.at();
        self.blanks();
        let start = self.cursor.at();
        match self.cursor.peek() {
            None | Some(';') => Ok(None),
            Some('+' | '-' | '*' | '/') => self.operation(start).map(Some),
            Some(c) if c.is_alphabetic() => {
                let changes = self.flat_modifier(roll.sides(self), start)?;
                match roll.steps.last_mut() {
                    Some(Step::Dice(sign, dice)) if *sign == Infix::Plus || start == touching => {
                        dice.span = dice.span.to(self.cursor.since(start));
                        dice.changes.extend(changes);
                        self.step(roll, whole)
                    }
                    Some(Step::Number(..) | Step::Dice(..)) => Ok(Some(Step::Changes(changes))),
                    _ => {
                        roll.widen(self.cursor.since(start));
                        Ok(Some(Step::Changes(changes)))
                    }
                }
            }
            Some(_) => {
                let word = self.text[start..whole.end].split(char::is_whitespace).next().unwrap_or_default();
                let shown: String = word.chars().take(30).collect();
                Mistake::new(Span::new(start, start + word.len()), format!("unexpected `{shown}`")).fail()
            }
        }
    }

    fn operation(&mut self, start: usize) -> Parsed<Step> {
        let sign = self.sign().unwrap_or(Infix::Plus);
        if let Some(dice) = self.plain_dice()? {
            return Ok(Step::Dice(sign, dice));
        }
        if !matches!(self.cursor.peek(), Some('0'..='9')) {
            return Mistake::new(self.cursor.since(start), "missing a number or dice after this").fail();
        }
        let (number, span) = self.number()?;
        if number == 0 && sign == Infix::Times {
            return Mistake::new(span, format!("{} leaves out `* 0`", self.dialect.title)).fail();
        }
        Ok(Step::Number(sign, number, span))
    }

    /// A word and its number.
    fn flat_modifier(&mut self, sides: Option<i64>, start: usize) -> Parsed<Vec<(Change, Span)>> {
        let letters: String = self.cursor.rest().chars().take_while(|c| c.is_alphabetic()).collect();
        let Some(row) = self.dialect.first_word(&letters.to_lowercase()) else {
            let shown: String = letters.chars().take(30).collect();
            let message = format!("unknown modifier `{shown}`");
            return Mistake::new(Span::new(start, start + letters.len()), message).fail();
        };
        self.skip(row.0.len());
        let number = match self.cursor.peek() {
            Some('0'..='9') => Some(self.number()?.0),
            _ => None,
        };
        let at = self.cursor.since(start);
        if number.is_none() && row.2 == Bare::Needed {
            return Mistake::new(at, format!("missing number after `{}`", row.0)).fail();
        }
        let may_be_none = matches!(row.1, Word::Count(-1) | Word::Mark | Word::Extra(_));
        if number == Some(0) && !may_be_none {
            return Mistake::new(at, format!("`{}` needs a number above 0", row.0)).fail();
        }
        let changes = self.changes(row, number, sides, at)?;
        let whole = self.cursor.since(start);
        Ok(changes.into_iter().map(|change| (change, whole)).collect())
    }

    fn changes(&mut self, row: &'static Row, number: Option<i64>, sides: Option<i64>, at: Span) -> Parsed<Vec<Change>> {
        let (word, does, _) = *row;
        let upward = self.dialect.flat.is_some_and(|flat| flat.upward.contains(&word));
        let by = if upward { Compare::AtLeast } else { Compare::AtMost };
        let n = number.unwrap_or(1);
        let test = |n: i64| Test { by, arg: Arg::Number(n) };
        let modifier = match does {
            Word::Explode(Cap::None) if sides == Some(1) || number == Some(1) => {
                let message = format!("every face explodes; {} stops after 100 dice", self.dialect.title);
                return Mistake::new(at, message).fail();
            }
            Word::Reroll(Cap::None) if sides.is_some_and(|sides| by.holds(1, n) && by.holds(sides, n)) => {
                let message = format!("every face is rerolled; {} stops after 100 rolls", self.dialect.title);
                return Mistake::new(at, message).fail();
            }
            Word::Explode(cap) => Modifier::Explode(Explode {
                compound: false,
                penetrate: false,
                tests: number.map(test).into_iter().collect(),
                cap,
            }),
            Word::Implode => Modifier::Implode(test(n)),
            Word::Keep(keep) => Modifier::Keep(keep, Arg::Number(n)),
            Word::Middle => return Ok(vec![Change::Middle(n)]),
            Word::Extra(keep) => return Ok(vec![Change::Extra(keep, n)]),
            Word::Reroll(cap) => Modifier::Reroll(vec![test(n)], cap),
            Word::Count(1) => {
                let twice = self.double(n, by)?;
                let counted = std::iter::once(n).chain(twice);
                return Ok(counted.map(|n| Change::Modifier(Modifier::Successes(test(n), vec![]))).collect());
            }
            Word::Count(_) => Modifier::Failures(test(n)),
            Word::Together(what) => Modifier::Together(what),
            _ => return Ok(vec![]),
        };
        Ok(vec![Change::Modifier(modifier)])
    }

    /// `ds10` after a target: what counts twice.
    fn double(&mut self, target: i64, by: Compare) -> Parsed<Option<i64>> {
        let start = self.cursor.at();
        if !(self.cursor.eat("ds") || self.cursor.eat("DS")) {
            return Ok(None);
        }
        let n = match self.cursor.peek() {
            Some('0'..='9') => self.number()?.0,
            _ => target,
        };
        if n == 0 || !by.holds(n, target) {
            let message = "what counts twice must count once";
            return Mistake::new(self.cursor.since(start), message).fail();
        }
        Ok(Some(n))
    }
}
