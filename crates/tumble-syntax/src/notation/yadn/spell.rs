//! The canonical spelling of a tree: as few parentheses and blanks as keep its meaning.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! An operand needs parentheses in two cases: its operator is looser than its place allows; or it begins with `C`,
//! `N` or `S`, perhaps behind a minus, and would take the pool operator that follows it.

use super::operator::{CHOICE_LEVEL, COMPARE_LEVEL, MAP_LEVEL, POOL_LEVEL, PRIMARY_LEVEL};
use super::syntax::{Definition, Expr, Infix, NodeId, Roll, Scalar, Tree};

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    let mut speller = Speller { tree, out: String::new() };
    for (at, roll) in tree.rolls.iter().enumerate() {
        if at > 0 {
            speller.out.push_str("; ");
        }
        match roll {
            Roll::Define(definition) => speller.definition(definition),
            Roll::Result(id) => speller.expr(*id, Place::FREE),
        }
    }
    speller.out
}

struct Speller<'t> {
    tree: &'t Tree,
    out: String,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place {
    /// Looser operators need parentheses here.
    min: u8,
    /// Whether a pool operator comes next, which `S` would take.
    taken: bool,
}

impl Place {
    const FREE: Place = Place { min: MAP_LEVEL, taken: false };
}

/// An operator that was met on the way down a chain, with its right side.
enum Link<'t> {
    /// The last says whether a pool operator comes next.
    Infix(&'static Infix, NodeId, bool),
    Map(&'t str),
}

impl<'t> Speller<'t> {
    /// An expression with its parentheses. A chain of operators is walked in a loop.
    fn expr(&mut self, id: NodeId, place: Place) {
        let mut chain = Vec::new();
        let (mut first, mut place) = (id, place);
        loop {
            let (mut link, left, level, min) = match self.tree.nodes.expr(first) {
                Expr::Infix(row, left, right) => {
                    // `^` groups to the right, a comparison stands alone.
                    let looser = row.right == row.level || row.level == COMPARE_LEVEL;
                    (Link::Infix(row, *right, false), *left, row.level, row.level + u8::from(looser))
                }
                Expr::Map(value, name) => (Link::Map(name), *value, MAP_LEVEL, MAP_LEVEL),
                _ => break,
            };
            let bare = level >= place.min;
            if !bare {
                self.out.push('(');
                place = Place::FREE;
            }
            if let Link::Infix(.., taken) = &mut link {
                *taken = place.taken;
            }
            chain.push((link, !bare));
            place = Place { min, taken: level >= POOL_LEVEL };
            first = left;
        }
        self.operand(first, place);
        for (link, closed) in chain.into_iter().rev() {
            match link {
                Link::Infix(op, right, taken) => {
                    self.sign(op);
                    self.expr(right, Place { min: op.right, taken });
                }
                Link::Map(name) => self.out.push_str(&format!(" m \"{name}\"")),
            }
            if closed {
                self.out.push(')');
            }
        }
    }

    /// An expression that is not a chain, with its parentheses.
    fn operand(&mut self, id: NodeId, place: Place) {
        let tree = self.tree;
        match tree.nodes.expr(id) {
            Expr::Number(n) => self.out.push_str(&n.to_string()),
            Expr::Text(text) => self.out.push_str(&format!("\"{text}\"")),
            Expr::Truth(truth) => self.out.push(if *truth { 'T' } else { 'F' }),
            Expr::Pool(members) => self.pool(members),
            Expr::Minus(operand) => self.minus(*operand, place),
            Expr::Reduce(..) if place.taken => self.closed(id),
            Expr::Reduce(reduce, pool) => {
                self.out.push_str(&format!("{} ", reduce.sign));
                self.expr(*pool, Place { min: POOL_LEVEL, taken: false });
            }
            Expr::Choice(..) if place.min > CHOICE_LEVEL => self.closed(id),
            Expr::Choice(test, then, other) => {
                self.expr(*test, Place { min: COMPARE_LEVEL, taken: false });
                self.out.push_str(" ? ");
                self.expr(*then, Place::FREE);
                self.out.push_str(" : ");
                self.expr(*other, Place { min: CHOICE_LEVEL, taken: false });
            }
            Expr::Infix(..) | Expr::Map(..) => self.expr(id, place),
        }
    }

    /// A minus takes only what stands close to it; before a number it would become its sign.
    fn minus(&mut self, operand: NodeId, place: Place) {
        self.out.push('-');
        match self.tree.nodes.expr(operand) {
            Expr::Number(n) if *n >= 0 => self.closed(operand),
            _ => self.expr(operand, Place { min: PRIMARY_LEVEL, ..place }),
        }
    }

    fn closed(&mut self, id: NodeId) {
        self.out.push('(');
        self.expr(id, Place::FREE);
        self.out.push(')');
    }

    fn sign(&mut self, op: &Infix) {
        let sign = op.sign;
        if op.rolls() {
            self.out.push_str(sign);
        } else {
            self.out.push_str(&format!(" {sign} "));
        }
    }

    fn pool(&mut self, members: &[Scalar]) {
        self.out.push('[');
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.scalar(member);
        }
        self.out.push(']');
    }

    fn scalar(&mut self, scalar: &Scalar) {
        match scalar {
            Scalar::Number(n) => self.out.push_str(&n.to_string()),
            Scalar::Text(text) => self.out.push_str(&format!("\"{text}\"")),
        }
    }

    fn definition(&mut self, definition: &Definition) {
        self.out.push_str(&format!("{{\"{}\" = ", definition.name));
        for (at, (key, value)) in definition.pairs.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.scalar(key);
            self.out.push_str(": ");
            self.scalar(value);
        }
        self.out.push('}');
    }
}
