//! The canonical spelling of a tree: lower case, blanks around operators, as few parentheses as keep
//! its meaning.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! A label belongs to the term before it, so whatever is not a single term has parentheses under it;
//! bindings have them wherever an expression does not begin anew.

use super::dialect::{COIN, Dialect, FUDGE_ONE, LoneGroup, TABLETOP, Word};
use super::lower::at;
use super::syntax::{
    Arg, Binding, CHOICE, COMPARISON, Cap, Compare, Dice, Explode, Expr, Item, Modifier, NodeId, Parity, Prefix, Sides,
    Source, TERM, Test, Tree, UNARY,
};
use crate::kit::faces_written;

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    spelled(&TABLETOP, tree).0
}

/// The spelling for another tool, unless it has no words for a part of it.
pub(super) fn spell_in(dialect: &'static Dialect, tree: &Tree) -> Option<String> {
    let (text, foreign) = spelled(dialect, tree);
    (!foreign).then_some(text)
}

/// The spelling, and whether a part of it has none.
fn spelled(dialect: &'static Dialect, tree: &Tree) -> (String, bool) {
    let mut speller = Speller { tree, dialect, out: String::new(), foreign: false };
    let mut rolled = false;
    for item in &tree.items {
        if rolled {
            speller.out.push_str("; ");
        }
        rolled = false;
        match item {
            Item::Bind(binding) => speller.binding(binding),
            Item::Roll(roll) => {
                rolled = true;
                speller.roll(*roll);
            }
        }
    }
    for (words, _) in &tree.comments {
        let sign = dialect.comments.first().unwrap_or(&"#");
        let joint = if speller.out.contains(sign) { "\n" } else { " " };
        speller.out.push_str(&format!("{joint}{sign} {words}"));
    }
    (speller.out, speller.foreign)
}

struct Speller<'t> {
    tree: &'t Tree,
    dialect: &'static Dialect,
    out: String,
    /// Whether something has no spelling here.
    foreign: bool,
}

impl Speller<'_> {
    fn roll(&mut self, roll: NodeId) {
        match self.tree.times {
            Some((count, _)) => {
                self.only_ours();
                self.out.push_str(&format!("{count}x("));
                self.block(roll);
                self.out.push(')');
            }
            None => self.expr(roll, CHOICE),
        }
    }

    /// What follows has a spelling only in the everyday notation.
    fn only_ours(&mut self) {
        self.foreign |= !self.dialect.everyday();
    }

    fn binding(&mut self, binding: &Binding) {
        self.only_ours();
        let name = &binding.name;
        self.out.push_str(&if binding.bracket { format!("[{name}: ") } else { format!("{name} := ") });
        self.block(binding.value);
        self.out.push_str(if binding.bracket { "] " } else { "; " });
    }

    /// An expression where bindings may stand.
    fn block(&mut self, id: NodeId) {
        match self.tree.nodes.expr(id) {
            Expr::Block(bindings, body) => {
                bindings.iter().for_each(|binding| self.binding(binding));
                self.expr(*body, CHOICE);
            }
            _ => self.expr(id, CHOICE),
        }
    }

    fn parenthesised(&mut self, id: NodeId) {
        self.out.push('(');
        self.block(id);
        self.out.push(')');
    }

    /// An expression in a place where looser operators than `min` need parentheses. A chain of
    /// operators is walked in a loop.
    fn expr(&mut self, id: NodeId, min: u8) {
        let mut chain = Vec::new();
        let (mut first, mut min) = (id, min);
        while let Expr::Infix(op, left, right) = self.tree.nodes.expr(first) {
            let closed = op.level() < min;
            if closed {
                self.out.push('(');
            }
            chain.push((*op, *right, closed));
            // Comparisons do not stand side by side.
            min = if op.level() == COMPARISON { COMPARISON + 1 } else { op.level() };
            first = *left;
        }
        self.operand(first, min);
        for (op, right, closed) in chain.into_iter().rev() {
            self.foreign |= !self.dialect.tests && op.level() <= COMPARISON;
            self.out.push_str(&format!(" {} ", op.sign()));
            self.expr(right, op.level() + 1);
            if closed {
                self.out.push(')');
            }
        }
    }

    /// An expression that is no chain, with its parentheses.
    fn operand(&mut self, id: NodeId, min: u8) {
        let tree = self.tree;
        match tree.nodes.expr(id) {
            Expr::Choice(..) if min > CHOICE => self.parenthesised(id),
            Expr::Prefix(..) if min > UNARY => self.parenthesised(id),
            Expr::Block(..) => self.parenthesised(id),
            Expr::Infix(..) => self.expr(id, min),
            Expr::Number(n) => self.out.push_str(&n.to_string()),
            Expr::Value(name) => self.out.push_str(&at(name)),
            Expr::Name(name) => self.out.push_str(name),
            Expr::Dice(dice) => self.dice(dice),
            Expr::Call(function, args) => self.listed(&format!("{}(", function.word()), args, ")"),
            Expr::Prefix(prefix, inside) => {
                self.foreign |= !self.dialect.tests && *prefix == Prefix::Not;
                self.out.push(if *prefix == Prefix::Minus { '-' } else { '!' });
                self.expr(*inside, UNARY);
            }
            Expr::Choice(test, then, other) => {
                self.foreign |= !self.dialect.tests;
                self.expr(*test, CHOICE + 1);
                self.out.push_str(" ? ");
                self.expr(*then, CHOICE);
                self.out.push_str(" : ");
                self.expr(*other, CHOICE);
            }
            Expr::Label(inside, label) => {
                self.expr(*inside, TERM);
                self.out.push_str(&format!("[{label}]"));
            }
        }
    }

    fn listed(&mut self, open: &str, members: &[NodeId], close: &str) {
        self.out.push_str(open);
        for (number, member) in members.iter().enumerate() {
            if number > 0 {
                self.out.push_str(", ");
            }
            self.block(*member);
        }
        self.out.push_str(close);
    }

    fn dice(&mut self, dice: &Dice) {
        match &dice.source {
            Source::Roll(count, sides) => {
                if let Some(count) = count {
                    self.number_or_parentheses(*count);
                }
                self.out.push('d');
                self.sides(sides);
            }
            Source::Group(members) => {
                let keeps = dice.modifiers.iter().any(|(modifier, _)| matches!(modifier, Modifier::Keep(..)));
                let opened = match self.dialect.lone_group {
                    LoneGroup::None => false,
                    LoneGroup::Keep => keeps,
                    LoneGroup::All => !dice.modifiers.is_empty(),
                };
                self.foreign |= members.len() == 1 && opened;
                let (open, close) = if self.dialect.loose_sets { ("(", ")") } else { ("{", "}") };
                self.listed(open, members, if self.dialect.loose_sets && members.len() == 1 { ",)" } else { close });
            }
            Source::Union(members) => {
                self.foreign |= self.dialect.lone_group == LoneGroup::None;
                self.out.push('{');
                for (number, member) in members.iter().enumerate() {
                    self.out.push_str(if number > 0 { " + " } else { "" });
                    self.expr(*member, TERM);
                }
                self.out.push('}');
            }
            Source::Times(count, body) => {
                self.only_ours();
                self.number_or_parentheses(*count);
                self.parenthesised(*body);
            }
        }
        for (modifier, _) in &dice.modifiers {
            let single = self.out.ends_with('!') && !self.out.ends_with("!!");
            if single && matches!(modifier, Modifier::Explode(_)) {
                // `!!` is one modifier.
                self.out.push(' ');
            }
            if self.out.ends_with(['!', 'p']) && matches!(modifier, Modifier::Parity(Parity::Odd)) {
                // `!o` is one modifier too.
                self.out.push(' ');
            }
            if (self.out.ends_with("odd") || self.out.ends_with("even")) && matches!(modifier, Modifier::Sort) {
                // `odds` is a word of its own.
                self.out.push(' ');
            }
            self.modifier(modifier);
        }
    }

    fn number_or_parentheses(&mut self, id: NodeId) {
        match self.tree.nodes.expr(id) {
            Expr::Number(n @ 0..) => self.out.push_str(&n.to_string()),
            _ => self.parenthesised(id),
        }
    }

    fn sides(&mut self, sides: &Sides) {
        match sides {
            Sides::Upto(sides) => self.number_or_parentheses(*sides),
            Sides::Percent => self.out.push_str(if self.dialect.tens { "100" } else { "%" }),
            Sides::Fudge => self.out.push('F'),
            Sides::Range(low, high) => {
                self.only_ours();
                self.out.push('[');
                self.block(*low);
                self.out.push_str("..");
                self.block(*high);
                self.out.push(']');
            }
            Sides::List(faces) if self.dialect.tens && is_tens(faces) => self.out.push('%'),
            Sides::List(faces) if !self.dialect.everyday() && *faces == COIN => self.out.push('c'),
            Sides::List(faces) if !self.dialect.everyday() && *faces == FUDGE_ONE => self.out.push_str("F.1"),
            Sides::List(faces) => {
                self.only_ours();
                self.out.push_str(&format!("{{{}}}", faces_written(faces)));
            }
        }
    }

    /// The word for something; none if the tool can't say it.
    fn word(&mut self, wanted: Word) -> &'static str {
        let word = self.dialect.spelling(wanted);
        self.foreign |= word.is_none();
        word.unwrap_or_default()
    }

    fn modifier(&mut self, modifier: &Modifier) {
        match modifier {
            Modifier::Keep(keep, arg) => self.word_and_number(Word::Keep(*keep), arg),
            Modifier::Twice(twice) => {
                let word = self.word(Word::Twice(*twice));
                self.out.push_str(word);
            }
            Modifier::Bound(bound, arg) => self.word_and_number(Word::Bound(*bound), arg),
            Modifier::Reroll(test, cap) => {
                let often = if *cap == Cap::Once { Cap::Once } else { Cap::None };
                let word = self.word(Word::Reroll(often));
                self.out.push_str(word);
                self.test(test, false);
                self.cap(*cap);
            }
            Modifier::RerollAny(tests) => {
                self.foreign |= self.dialect.lone_group != LoneGroup::All;
                for test in tests {
                    self.out.push('r');
                    self.test(test, false);
                }
            }
            Modifier::Explode(explode) => self.explode(explode),
            Modifier::Successes(test, weights) => {
                self.counted(Word::Count(1), test);
                for (face, worth) in weights {
                    self.only_ours();
                    self.out.push_str(&format!(",{face}:{worth}"));
                }
            }
            Modifier::Failures(test) => self.counted(Word::Count(-1), test),
            Modifier::Parity(parity) => {
                let word = self.word(Word::Parity(*parity == Parity::Even));
                self.out.push_str(word);
            }
            Modifier::Sort => self.out.push_str(self.dialect.spelling(Word::Sort).unwrap_or_default()),
            Modifier::Only(tests) => {
                for test in tests {
                    let word = self.word(Word::Select(true));
                    self.out.push_str(word);
                    self.test(test, false);
                }
            }
            Modifier::Matches(alike, test) => {
                let word = self.word(Word::Matches);
                self.out.push_str(&format!("{word}{alike}"));
                test.iter().for_each(|test| self.test(test, true));
            }
        }
    }

    fn word_and_number(&mut self, word: Word, arg: &Arg) {
        let word = self.word(word);
        self.out.push_str(word);
        self.arg(arg);
    }

    /// Successes or failures, by a word or as a target.
    fn counted(&mut self, count: Word, test: &Test) {
        let target = self.dialect.targets && count == Word::Count(1);
        let word = if target { "" } else { self.word(count) };
        self.out.push_str(word);
        self.test(test, true);
    }

    fn explode(&mut self, explode: &Explode) {
        if !self.dialect.bang {
            return self.explode_by_word(explode);
        }
        self.foreign |= !self.dialect.everyday() && explode.cap != Cap::None;
        self.out.push_str(if explode.compound { "!!" } else { "!" });
        if explode.penetrate {
            self.out.push('p');
        }
        if explode.cap == Cap::Once {
            self.out.push('o');
        }
        match &explode.test {
            // `!=` would be read as "not equal".
            Some(Test { by: Compare::Unequal, arg }) => {
                self.out.push_str("<>");
                self.arg(arg);
            }
            Some(test) => self.test(test, false),
            None => {}
        }
        self.cap(explode.cap);
    }

    /// `x10`, `e6`; what explodes is always said.
    fn explode_by_word(&mut self, explode: &Explode) {
        let capped = matches!(explode.cap, Cap::Most(_));
        self.foreign |= explode.compound || explode.penetrate || capped;
        let word = self.word(Word::Explode(explode.cap));
        self.out.push_str(word);
        match &explode.test {
            Some(test) => self.test(test, false),
            // The highest face is not known here.
            None => self.foreign |= self.dialect.spelling(Word::Select(true)).is_some(),
        }
    }

    fn cap(&mut self, cap: Cap) {
        if let Cap::Most(n) = cap {
            self.only_ours();
            self.out.push_str(&format!("x{n}"));
        }
    }

    /// A condition; "equal" is said only where that is usual.
    fn test(&mut self, test: &Test, equal: bool) {
        let (by, arg) = if self.dialect.inclusive { self.inclusive(test) } else { (test.by, test.arg) };
        if by != Compare::Equal || equal {
            self.out.push_str(by.sign());
        }
        self.arg(&arg);
    }

    /// The same condition where `>` and `<` include the number and nothing else does.
    fn inclusive(&mut self, test: &Test) -> (Compare, Arg) {
        let moved = |by: Compare, step: i64| match test.arg {
            Arg::Number(n) => n.checked_add(step).map(|n| (by, Arg::Number(n))),
            Arg::Value(_) => None,
        };
        let found = match test.by {
            Compare::AtLeast => Some((Compare::More, test.arg)),
            Compare::AtMost => Some((Compare::Less, test.arg)),
            Compare::More => moved(Compare::More, 1),
            Compare::Less => moved(Compare::Less, -1),
            Compare::Equal => Some((Compare::Equal, test.arg)),
            Compare::Unequal => None,
        };
        self.foreign |= found.is_none();
        found.unwrap_or((test.by, test.arg))
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Number(n) => self.out.push_str(&n.to_string()),
            Arg::Value(id) => self.parenthesised(*id),
        }
    }
}

/// Whether these are the faces 0, 10, 20 to 90.
fn is_tens(faces: &[(i64, i64)]) -> bool {
    faces.len() == 10 && faces.iter().zip(0..).all(|(face, n)| *face == (10 * n, 10 * n))
}
