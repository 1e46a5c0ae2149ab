//! Doubtful places: the text has a meaning, but perhaps not the one its author expects.

use super::super::syntax::{Compare, Expr, Function, Keep, Modifier, NodeId, Sides, Source, Twice};
use super::super::tool::counts;
use super::Lowering;
use super::dice::{Die, Throw};
use tumble_core::{Code, Diagnostic, Span};

/// What is said of a comparison right after dice.
pub(in super::super) const TOTALS: &str = "this compares the total";

impl Lowering<'_> {
    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.warnings.push(Diagnostic::new(Code::Syntax, span, message));
    }

    /// `5d10 >= 8`, `{5d6!!} > 8`
    pub(super) fn total_compared(&mut self, span: Span, by: Compare, (left, right): (NodeId, NodeId)) {
        let tree = self.tree;
        let Some(n) = self.known(right) else { return };
        let Expr::Dice(dice) = tree.nodes.expr(tree.bare(left)) else { return };
        let (several, members) = match dice.source {
            Source::Roll(Some(count), _) => (self.known(count) != Some(1), "dice"),
            Source::Group(_) => (true, "items"),
            Source::Roll(None, _) | Source::Times(..) | Source::Union(_) | Source::Named(_) | Source::Within(_) => {
                return;
            }
        };
        let total = |modifier: &Modifier| matches!(modifier, Modifier::Keep(..)) || counts(modifier);
        // No note where counting would be nonsense: no die shows that number, or every one does.
        if let Some((low, high)) = self.ends_of(&dice.source)
            && (n < low || n > high || by.holds(low, n) && by.holds(high, n))
        {
            return;
        }
        if several && !dice.modifiers.iter().any(|(modifier, _)| total(modifier)) {
            self.warn(span, format!("{TOTALS}; to count {members}, write cs{}{n}", by.sign()));
        }
    }

    /// The lowest and highest face of plain dice, where they are known.
    fn ends_of(&self, source: &Source) -> Option<(i64, i64)> {
        let Source::Roll(_, sides) = source else { return None };
        match sides {
            Sides::Upto(sides) => Some((1, self.known(*sides)?)),
            Sides::Percent => Some((1, 100)),
            Sides::Fudge => Some((-1, 1)),
            Sides::Range(low, high) => Some((self.known(*low)?, self.known(*high)?)),
            Sides::Words(_) => None,
            Sides::List(faces) => {
                Some((faces.iter().map(|face| face.0).min()?, faces.iter().map(|face| face.1).max()?))
            }
        }
    }

    /// `4d6kh5`
    pub(super) fn kept(&mut self, throw: &mut Throw, keep: Keep, n: i64, at: Span) {
        let Some(there) = throw.members else { return };
        let (one, many) = if matches!(throw.die, Die::None) { ("item", "items") } else { ("die", "dice") };
        let drops = matches!(keep, Keep::ButHigh | Keep::ButLow);
        let done = if drops { "dropped" } else { "kept" };
        let message = match there {
            0 => format!("there are no {many} here"),
            1 => format!("there is only one {one} here, and it is {done}"),
            _ => format!("there are only {there} {many} here, and all are {done}"),
        };
        if (drops && n >= there && there > 0) || (!drops && n > there) {
            self.warn(at, message);
        }
        throw.members = Some(if drops { (there - n).max(0) } else { there.min(n) });
    }

    /// `d20advr1`
    pub(super) fn plain_again(&mut self, done: &[(Modifier, Span)], at: Span) {
        let lost = |modifier: &Modifier| matches!(modifier, Modifier::Twice(_) | Modifier::Bound(..));
        let words: Vec<&str> =
            done.iter().filter(|(modifier, _)| lost(modifier)).map(|(_, span)| self.written(*span)).collect();
        if let Some(first) = words.first() {
            self.warn(at, format!("the new roll is a plain die; `{first}` does not apply to it"));
        }
    }

    /// `2d20adv`
    pub(super) fn several_twice(&mut self, throw: &Throw, twice: Twice, at: Span) {
        let word = if twice == Twice::Advantage { "higher" } else { "lower" };
        if throw.members == Some(2) {
            let message = format!("each of the 2 dice is rolled twice, keeping the {word} roll");
            self.warn(at, message);
        }
    }

    /// `2(d6 + 1)`; who keeps or counts some of them, as in `6(4d6kh3)kh1`, does not mean to multiply.
    pub(super) fn repeated(&mut self, span: Span, count: NodeId, body: NodeId) {
        let (count, body) = (self.written(self.span(count)), self.written(self.span(body)));
        let short = count.len() + body.len() < 60 && body.starts_with('(');
        let example = if short { format!("`{count} * {body}`") } else { "`*` between them".to_owned() };
        self.warn(
            span,
            format!("this rolls the parentheses anew each time and adds the results; to multiply, write {example}"),
        );
    }

    /// `max(4d6)`
    pub(super) fn lone_argument(&mut self, span: Span, function: Function, args: &[NodeId]) {
        let keep = match function {
            Function::Max => "kh1",
            Function::Min => "kl1",
            _ => return,
        };
        if let [one] = args {
            let pool = matches!(self.tree.nodes.expr(*one), Expr::Dice(_));
            let message = if pool {
                format!("this is the total of the dice; to keep one die, write {keep}")
            } else {
                format!("`{}` of a single value is just that value", function.word())
            };
            self.warn(span, message);
        }
    }

    /// `floor(d6 + 1)`
    pub(super) fn nothing_to_round(&mut self, span: Span, function: Function, arg: NodeId) {
        if !matches!(self.tree.nodes.expr(arg), Expr::Number(_)) {
            let word = function.word();
            let message = format!("`{word}` only rounds a division directly inside it, as in {word}(d20 / 2)");
            self.warn(span, message);
        }
    }
}
