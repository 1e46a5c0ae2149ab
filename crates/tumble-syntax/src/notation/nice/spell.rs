//! The canonical spelling of a tree.
//!
//! ```text
//! parse(spell(tree)) = tree, but for what a + (b + c) and -(-a) are: a + b + c and a
//! ```
//!
//! No blanks around `+` and `-`, blanks around `*`, `/` and comparisons, `≥` and `≤`, `kh` for `kh1`,
//! and only the parentheses that keep the meaning. Operators group to the left.

use super::operator::{COMPARISON, PRODUCT, SUM};
use super::syntax::{Expr, Infix, Keep, NodeId, Tree};

/// The level of a negated expression.
const NEGATIVE: u8 = PRODUCT + 1;
/// The level of what never needs parentheses.
const CLOSED: u8 = NEGATIVE + 1;

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    let mut speller = Speller { tree, out: String::new() };
    speller.expr(tree.main, 0);
    speller.out
}

struct Speller<'t> {
    tree: &'t Tree,
    out: String,
}

impl Speller<'_> {
    /// An expression where only operators of level `min` or tighter need no parentheses. A chain of
    /// operators is walked in a loop.
    fn expr(&mut self, id: NodeId, mut min: u8) {
        let mut chain = Vec::new();
        let mut first = self.plain(id);
        while let Expr::Infix(sign, left, right) = *self.tree.nodes.expr(first) {
            let closed = sign.level < min;
            if closed {
                self.out.push('(');
            }
            chain.push((sign, right, closed));
            min = if sign.level == COMPARISON { SUM } else { sign.level };
            first = self.plain(left);
        }
        self.operand(first, min);
        for (sign, right, closed) in chain.into_iter().rev() {
            self.out.push_str(sign.spelled);
            self.right(sign, right);
            if closed {
                self.out.push(')');
            }
        }
    }

    /// What stands after an operator; a sum that is added needs no parentheses.
    fn right(&mut self, sign: &Infix, right: NodeId) {
        let min = match self.tree.nodes.expr(self.plain(right)) {
            Expr::Infix(inner, ..) if inner.level == SUM && sign.sign == "+" => SUM,
            _ => sign.level + 1,
        };
        self.expr(right, min);
    }

    /// An expression that is not a chain.
    fn operand(&mut self, id: NodeId, min: u8) {
        let tree = self.tree;
        let level = match tree.nodes.expr(id) {
            Expr::Bind(..) => 0,
            Expr::Negative(_) => NEGATIVE,
            _ => CLOSED,
        };
        if level < min {
            return self.parenthesis(id);
        }
        match tree.nodes.expr(id) {
            Expr::Number(n) => self.out.push_str(&n.to_string()),
            Expr::Name(name) => self.out.push_str(name),
            Expr::Die(sides) => self.out.push_str(&format!("d{sides}")),
            Expr::Repeat(count, body, keep) => self.repetition(*count, *body, *keep),
            Expr::Negative(inside) => {
                self.out.push('-');
                self.expr(*inside, CLOSED);
            }
            // The loop above leaves none.
            Expr::Infix(..) => self.expr(id, 0),
            Expr::Bind(name, value, body) => {
                self.out.push_str(&format!("[{name}: "));
                self.expr(*value, 0);
                self.out.push_str("] ");
                self.expr(*body, 0);
            }
        }
    }

    fn repetition(&mut self, count: NodeId, body: NodeId, keep: Option<Keep>) {
        let (count, body) = (self.plain(count), self.plain(body));
        match self.tree.nodes.expr(count) {
            Expr::Number(n) => self.out.push_str(&n.to_string()),
            _ => self.parenthesis(count),
        }
        match self.tree.nodes.expr(body) {
            Expr::Die(sides) => self.out.push_str(&format!("d{sides}")),
            _ => self.parenthesis(body),
        }
        match keep {
            Some(keep) if keep.number == 1 => self.out.push_str(keep.word()),
            Some(keep) => self.out.push_str(&format!("{}{}", keep.word(), keep.number)),
            None => {}
        }
    }

    fn parenthesis(&mut self, id: NodeId) {
        self.out.push('(');
        self.expr(id, 0);
        self.out.push(')');
    }

    /// The expression without two minus signs that undo each other.
    fn plain(&self, mut id: NodeId) -> NodeId {
        while let Expr::Negative(inside) = self.tree.nodes.expr(id)
            && let Expr::Negative(inside) = self.tree.nodes.expr(*inside)
        {
            id = *inside;
        }
        id
    }
}
