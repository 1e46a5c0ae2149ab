//! The canonical spelling of a tree: lower case, blanks around operators, as few parentheses as keep
//! its meaning.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! A label belongs to the term before it, so whatever is not a single term has parentheses under it;
//! bindings have them wherever an expression does not begin anew.

use super::lower::at;
use super::syntax::{
    Arg, Binding, Bound, CHOICE, COMPARISON, Cap, Compare, Dice, Explode, Expr, Item, Keep, Modifier, NodeId, Prefix,
    Sides, Source, TERM, Test, Tree, Twice, UNARY,
};
use crate::kit::faces_written;

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    let mut speller = Speller { tree, out: String::new() };
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
        let joint = if speller.out.contains('#') { "\n# " } else { " # " };
        speller.out.push_str(&format!("{joint}{words}"));
    }
    speller.out
}

struct Speller<'t> {
    tree: &'t Tree,
    out: String,
}

impl Speller<'_> {
    fn roll(&mut self, roll: NodeId) {
        match self.tree.times {
            Some((count, _)) => {
                self.out.push_str(&format!("{count}x("));
                self.block(roll);
                self.out.push(')');
            }
            None => self.expr(roll, CHOICE),
        }
    }

    fn binding(&mut self, binding: &Binding) {
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
                self.out.push(if *prefix == Prefix::Minus { '-' } else { '!' });
                self.expr(*inside, UNARY);
            }
            Expr::Choice(test, then, other) => {
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
            Source::Group(members) => self.listed("{", members, "}"),
            Source::Times(count, body) => {
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
            Sides::Percent => self.out.push('%'),
            Sides::Fudge => self.out.push('F'),
            Sides::Range(low, high) => {
                self.out.push('[');
                self.block(*low);
                self.out.push_str("..");
                self.block(*high);
                self.out.push(']');
            }
            Sides::List(faces) => {
                self.out.push_str(&format!("{{{}}}", faces_written(faces)));
            }
        }
    }

    fn modifier(&mut self, modifier: &Modifier) {
        match modifier {
            Modifier::Keep(keep, arg) => {
                self.out.push_str(match keep {
                    Keep::High => "kh",
                    Keep::Low => "kl",
                    Keep::ButHigh => "dh",
                    Keep::ButLow => "dl",
                });
                self.arg(arg);
            }
            Modifier::Twice(Twice::Advantage) => self.out.push_str("adv"),
            Modifier::Twice(Twice::Disadvantage) => self.out.push_str("dis"),
            Modifier::Bound(bound, arg) => {
                self.out.push_str(if *bound == Bound::Least { "mi" } else { "ma" });
                self.arg(arg);
            }
            Modifier::Reroll(test, cap) => {
                self.out.push_str(if *cap == Cap::Once { "ro" } else { "r" });
                self.test(test, false);
                self.cap(*cap);
            }
            Modifier::Explode(explode) => self.explode(explode),
            Modifier::Successes(test, weights) => {
                self.out.push_str("cs");
                self.test(test, true);
                weights.iter().for_each(|(face, worth)| self.out.push_str(&format!(",{face}:{worth}")));
            }
            Modifier::Failures(test) => {
                self.out.push_str("cf");
                self.test(test, true);
            }
        }
    }

    fn explode(&mut self, explode: &Explode) {
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

    fn cap(&mut self, cap: Cap) {
        if let Cap::Most(n) = cap {
            self.out.push_str(&format!("x{n}"));
        }
    }

    /// A condition; "equal" is said only where that is usual.
    fn test(&mut self, test: &Test, equal: bool) {
        if test.by != Compare::Equal || equal {
            self.out.push_str(test.by.sign());
        }
        self.arg(&test.arg);
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Number(n) => self.out.push_str(&n.to_string()),
            Arg::Value(id) => self.parenthesised(*id),
        }
    }
}
