//! The canonical spelling of a tree: as few parentheses and blanks as keep its meaning.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! An operand needs parentheses in three cases: its operator is looser than its place allows; it is
//! open to the right and would take the operator that follows it; or it stands first after `least`
//! or `largest` and its operator would be read as the start of the second operand. The roll stands
//! before the functions, because a roll that starts with a sign would continue a function's body.

use super::operator::{DEFAULT_LEVEL, Does, RANGE_LEVEL, WORD_LEVEL, infix};
use super::syntax::{Body, Declaration, Expr, Infix, NodeId, Prefix, Step, Tree};

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    let mut speller = Speller { tree, out: String::new() };
    speller.expr(tree.main, Place::default());
    for declaration in &tree.declarations {
        speller.out.push('\n');
        speller.declaration(declaration);
    }
    speller.out
}

struct Speller<'t> {
    tree: &'t Tree,
    out: String,
}

/// Where an expression stands.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Looser infix operators need parentheses here.
    min: u8,
    /// The level of the operator that comes next, if one does.
    next: Option<u8>,
    /// Whether this is the first operand of `least` or `largest`, or its left end.
    first: bool,
}

impl Place {
    /// Inside brackets, or before a word that ends the expression.
    const FREE: Place = Place { min: 0, next: None, first: false };

    /// Whether the next operator is of this level or tighter.
    fn before(self, level: u8) -> bool {
        self.next.is_some_and(|next| next >= level)
    }
}

impl Speller<'_> {
    /// An expression with its parentheses. A chain of infix operators is walked in a loop.
    fn expr(&mut self, id: NodeId, place: Place) {
        let mut chain = Vec::new();
        let (mut first, mut place) = (id, place);
        while let Expr::Infix(op, left, right) = self.tree.nodes.expr(first) {
            // `..` gives way to nobody, not even to itself.
            let open = if op.level == RANGE_LEVEL { RANGE_LEVEL } else { op.right };
            let bare = op.level >= place.min && !place.before(open) && !(place.first && op.starts_operand());
            if !bare {
                self.out.push('(');
                place = Place::FREE;
            }
            chain.push((op, *right, !bare, place.next));
            place.next = Some(op.level);
            first = *left;
        }
        self.operand(first, place);
        for (op, right, closed, next) in chain.into_iter().rev() {
            self.sign(op);
            self.expr(right, Place { min: op.right, next, first: false });
            if closed {
                self.out.push(')');
            }
        }
    }

    /// An expression that is not a chain, with its parentheses.
    fn operand(&mut self, id: NodeId, place: Place) {
        // The loosest operator that it would take if it came next, or could not stand before.
        let open = match self.tree.nodes.expr(id) {
            Expr::Prefix(op, _) if is_die(op) => u8::MAX,
            Expr::Prefix(..) => WORD_LEVEL,
            Expr::Extreme(..) => WORD_LEVEL,
            Expr::Default(..) => DEFAULT_LEVEL,
            Expr::Let(..) | Expr::If(..) | Expr::ForEach(..) | Expr::Loop(..) => 0,
            _ => u8::MAX,
        };
        if place.before(open) {
            self.out.push('(');
            self.form(id, None);
            self.out.push(')');
        } else {
            self.form(id, place.next);
        }
    }

    /// An expression that is not a chain, without parentheses; `next` is the operator after it.
    fn form(&mut self, id: NodeId, next: Option<u8>) {
        let tree = self.tree;
        let last = Place { next, ..Place::FREE };
        match tree.nodes.expr(id) {
            Expr::Number(n) => self.word(&n.to_string()),
            Expr::Name(name) => self.word(name),
            Expr::Text(inside) => self.out.push_str(&format!("\"{inside}\"")),
            Expr::Chance(digits) if digits.is_empty() => self.word("?0.0"),
            Expr::Chance(digits) => self.word(&format!("?0.{digits}")),
            Expr::Group(members) => self.listed("{", members, "}"),
            Expr::Pair(first, second) => self.listed("[", &[*first, *second], "]"),
            Expr::Prefix(op, operand) => {
                self.prefix(op);
                self.expr(*operand, Place { min: op.operand, ..last });
            }
            Expr::Infix(..) => self.expr(id, last),
            Expr::Extreme(which, count, pool) => {
                self.word(which.word());
                self.out.push(' ');
                self.sides(*count, *pool, Place { min: WORD_LEVEL + 1, ..last });
            }
            Expr::Default(name, other) => {
                self.word(name);
                self.out.push_str(" ~ ");
                self.expr(*other, Place { min: DEFAULT_LEVEL, ..last });
            }
            Expr::Let(name, value, body) => {
                self.phrase(&[(&format!("{name} := "), *value), ("; ", *body)], last);
            }
            Expr::If(test, then, other) => {
                self.phrase(&[("if ", *test), (" then ", *then), (" else ", *other)], last);
            }
            Expr::ForEach(name, pool, body) => {
                self.phrase(&[(&format!("foreach {name} in "), *pool), (" do ", *body)], last);
            }
            Expr::Loop(which, name, body, stop, test) => {
                let start = format!("{} {name} := ", which.word());
                self.phrase(&[(&start, *body), (&format!(" {} ", stop.word()), *test)], last);
            }
            Expr::Call(name, args) => self.listed(&format!("call {name}("), args, ")"),
        }
    }

    /// Words with an expression after each; only the last one is open to what follows.
    fn phrase(&mut self, parts: &[(&str, NodeId)], last: Place) {
        for (at, (words, part)) in parts.iter().enumerate() {
            self.word(words);
            self.expr(*part, if at + 1 == parts.len() { last } else { Place::FREE });
        }
    }

    /// The operands of `least`. What the second one starts with decides how the first one is read.
    fn sides(&mut self, count: NodeId, pool: NodeId, place: Place) {
        let mut second = Speller { tree: self.tree, out: String::new() };
        second.expr(pool, place);
        let next = leading_sign(&second.out).map(|op| op.level);
        self.expr(count, Place { min: 0, next, first: true });
        self.out.push(' ');
        self.out.push_str(&second.out);
    }

    fn listed(&mut self, open: &str, members: &[NodeId], close: &str) {
        self.word(open);
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.expr(*member, Place::FREE);
        }
        self.out.push_str(close);
    }

    fn prefix(&mut self, op: &Prefix) {
        let sign = op.sign;
        if sign == "-" && self.out.ends_with('-') {
            self.out.push(' ');
        }
        self.word(sign);
        if !is_die(op) && sign.len() > 1 {
            self.out.push(' ');
        }
    }

    fn sign(&mut self, op: &Infix) {
        let sign = op.sign;
        match sign {
            "d" | "z" | ".." | "'" | "#" => self.word(sign),
            _ => self.out.push_str(&format!(" {sign} ")),
        }
    }

    /// Words, with a blank before them if they would melt with what is there.
    fn word(&mut self, word: &str) {
        let (before, after) = (self.out.chars().next_back(), word.chars().next());
        let melts = match (before, after) {
            (Some(a), Some(b)) => a.is_ascii_alphabetic() && b.is_ascii_alphabetic() || both_digits(a, b),
            _ => false,
        };
        if melts {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let name = &declaration.name;
        match &declaration.body {
            Body::Function(params, body) => {
                self.out.push_str(&format!("function {name}({}) = ", params.join(", ")));
                self.expr(*body, Place::FREE);
            }
            Body::Compositional(empty, unary, binary) => {
                self.out.push_str(&format!("compositional {name}("));
                self.expr(*empty, Place::FREE);
                let unary = step(unary, |op| op.sign);
                let binary = step(binary, |op| op.sign);
                self.out.push_str(&format!(", {unary}, {binary})"));
            }
        }
    }
}

fn step<Operator: Copy>(step: &Step<Operator>, sign: impl Fn(Operator) -> &'static str) -> &str {
    match step {
        Step::Named(name) => name,
        Step::Operator(op) => sign(*op),
    }
}

fn is_die(op: &Prefix) -> bool {
    matches!(op.does, Does::Die(_))
}

fn both_digits(a: char, b: char) -> bool {
    a.is_ascii_digit() && b.is_ascii_digit()
}

/// The infix operator that an expression seems to start with.
fn leading_sign(spelled: &str) -> Option<&'static Infix> {
    let word = spelled.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(spelled.len()).max(1);
    infix(spelled.get(..word)?).filter(|op| op.starts_operand())
}
