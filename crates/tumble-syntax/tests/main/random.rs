//! Random trees and texts, from a seed.

use tumble_core::Span;
use tumble_syntax::troll::syntax::{
    Body, Declaration, Expr, Extreme, INFIXES, Infix, Loop, NodeId, Nodes, PREFIXES, Prefix, Step, Stop, Tree,
};

/// A small generator (splitmix64); the same seed gives the same tree for ever.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A row of a table.
    pub(crate) fn row<T>(&mut self, table: &'static [T]) -> &'static T {
        &table[self.below(table.len())]
    }
}

const NAMES: &[&str] = &["x", "y", "n", "dn", "xd", "sumx", "N", "Dx", "foo"];
const TEXTS: &[&str] = &["", "a", "a|>b", "x<y|", "<", "|||", "Str <> Dex", "ä→9 ", "\\ no comment", "`"];
const CHANCES: &[&str] = &["", "5", "25", "001", "999999999999999999"];

/// A random tree of about `size` nodes.
pub(crate) fn tree(random: &mut Random, size: usize) -> Tree {
    let mut grower = Grower { random, nodes: Nodes::default() };
    let main = grower.expr(size);
    let count = grower.random.below(6).saturating_sub(3);
    let declarations = (0..count).map(|_| grower.declaration(size / 2)).collect();
    Tree { nodes: grower.nodes, main, declarations }
}

struct Grower<'r> {
    random: &'r mut Random,
    nodes: Nodes,
}

impl Grower<'_> {
    fn declaration(&mut self, size: usize) -> Declaration {
        let body = if self.random.below(3) > 0 {
            let params = (0..1 + self.random.below(3)).map(|_| self.name()).collect();
            Body::Function(params, self.expr(size))
        } else {
            let unary = match self.random.below(2) {
                0 => Step::Named(self.name()),
                _ => {
                    let those = |op: &&Prefix| matches!(op.sign, "-" | "d" | "sgn" | "sum");
                    Step::Operator(self.random.pick(&PREFIXES.iter().filter(those).collect::<Vec<_>>()))
                }
            };
            let binary = match self.random.below(2) {
                0 => Step::Named(self.name()),
                _ => {
                    let those = |op: &&Infix| matches!(op.sign, "+" | "*" | "@");
                    Step::Operator(self.random.pick(&INFIXES.iter().filter(those).collect::<Vec<_>>()))
                }
            };
            Body::Compositional(self.expr(size), unary, binary)
        };
        Declaration { name: self.name(), span: Span::default(), body }
    }

    fn expr(&mut self, size: usize) -> NodeId {
        let expr = if size <= 1 { self.leaf() } else { self.form(size - 1) };
        self.nodes.add(Span::default(), expr)
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(8) {
            0 | 1 => Expr::Name(self.name()),
            2 => Expr::Text(self.random.pick(TEXTS).to_owned()),
            3 => Expr::Chance(self.random.pick(CHANCES).to_owned()),
            4 => Expr::Group(vec![]),
            _ => Expr::Number(self.random.pick(&[0, 1, 2, 6, 10, i64::MAX])),
        }
    }

    fn form(&mut self, size: usize) -> Expr {
        match self.random.below(24) {
            0..=6 => Expr::Prefix(self.random.row(PREFIXES), self.expr(size)),
            7..=13 => {
                let (left, right) = self.two(size);
                Expr::Infix(self.random.row(INFIXES), left, right)
            }
            14 | 15 => {
                let (count, pool) = self.two(size);
                Expr::Extreme(self.random.pick(&[Extreme::Least, Extreme::Largest]), count, pool)
            }
            16 => Expr::Default(self.name(), self.expr(size)),
            17 => {
                let (value, body) = self.two(size);
                Expr::Let(self.name(), value, body)
            }
            18 => {
                let (test, then) = self.two(size);
                Expr::If(test, then, self.expr(size / 3))
            }
            19 => {
                let (pool, body) = self.two(size);
                Expr::ForEach(self.name(), pool, body)
            }
            20 => {
                let (body, test) = self.two(size);
                let (which, stop) = (self.random.below(2), self.random.below(2));
                let which = if which == 0 { Loop::Repeat } else { Loop::Accumulate };
                Expr::Loop(which, self.name(), body, if stop == 0 { Stop::Until } else { Stop::While }, test)
            }
            21 => {
                let (first, second) = self.two(size);
                Expr::Pair(first, second)
            }
            22 => Expr::Call(self.name(), self.several(size, 1)),
            _ => Expr::Group(self.several(size, 0)),
        }
    }

    fn two(&mut self, size: usize) -> (NodeId, NodeId) {
        let left = self.random.below(size.max(1));
        (self.expr(left), self.expr(size - left))
    }

    fn several(&mut self, size: usize, least: usize) -> Vec<NodeId> {
        let count = least + self.random.below(3);
        (0..count).map(|_| self.expr(size / count)).collect()
    }

    fn name(&mut self) -> String {
        self.random.pick(NAMES).to_owned()
    }
}
