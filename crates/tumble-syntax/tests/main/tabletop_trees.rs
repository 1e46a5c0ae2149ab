//! Random trees of the everyday notation, and trees written out with all their brackets.

use crate::random::Random;
use tumble_core::{Ratio, Span};
use tumble_syntax::tabletop::syntax::{
    Arg, Binding, Bound, Cap, Compare, Dice, Explode, Expr, Function, Infix, Item, Keep, Modifier, NodeId, Nodes,
    Order, Prefix, Sides, Source, Test, Tree, Twice, Unique,
};

const NAMES: &[&str] = &["atk", "X", "dex", "x2", "kh", "dmg_1"];
const VALUES: &[&str] = &["str", "skill.stealth", "Level", "odd name"];
const LABELS: &[&str] = &["fire", "Sneak attack: 2", "a, b; (c", "d20!"];
const COMPARES: &[Compare] =
    &[Compare::Less, Compare::AtMost, Compare::Equal, Compare::Unequal, Compare::AtLeast, Compare::More];
const INFIXES: &[Infix] =
    &[Infix::Or, Infix::And, Infix::Plus, Infix::Minus, Infix::Times, Infix::Over, Infix::Exact, Infix::Modulo];

struct Grower<'r> {
    random: &'r mut Random,
    nodes: Nodes,
}

/// A random tree with about this many nodes.
pub(crate) fn tree(random: &mut Random, size: usize) -> Tree {
    let times = (random.below(8) == 0).then(|| (random.below(9) as i64, Span::default()));
    let mut grower = Grower { random, nodes: Nodes::default() };
    let mut items = Vec::new();
    if times.is_none() {
        for _ in 0..grower.random.below(3) {
            let item = match grower.random.below(2) {
                0 => Item::Bind(grower.binding(size / 3)),
                _ => Item::Roll(grower.expr(size / 3)),
            };
            items.push(item);
        }
    }
    items.push(Item::Roll(grower.expr(size)));
    Tree { nodes: grower.nodes, items, times, comments: vec![], ignored: false, named: false }
}

impl Grower<'_> {
    fn add(&mut self, expr: Expr) -> NodeId {
        self.nodes.add(Span::default(), expr)
    }

    fn binding(&mut self, size: usize) -> Binding {
        let name = self.random.pick(NAMES).to_owned();
        let (bracket, value) = (self.random.below(2) == 0, self.expr(size));
        Binding { name, span: Span::default(), bracket, value }
    }

    fn expr(&mut self, size: usize) -> NodeId {
        if size <= 1 {
            return self.leaf();
        }
        let half = size / 2;
        let expr = match self.random.below(12) {
            0..=2 => {
                let op = self.random.pick(INFIXES);
                Expr::Infix(op, self.expr(half), self.expr(half))
            }
            3 => {
                let by = self.random.pick(COMPARES);
                Expr::Infix(Infix::Compare(by), self.expr(half), self.expr(half))
            }
            4 => {
                let prefix = self.random.pick(&[Prefix::Minus, Prefix::Not]);
                Expr::Prefix(prefix, self.expr(size - 1))
            }
            5 => Expr::Choice(self.expr(size / 3), self.expr(size / 3), self.expr(size / 3)),
            6 => Expr::Label(self.expr(size - 1), self.random.pick(LABELS).to_owned()),
            7 => {
                let bindings = (0..1 + self.random.below(2)).map(|_| self.binding(size / 3)).collect();
                Expr::Block(bindings, self.expr(size / 3))
            }
            8 => self.call(size),
            _ => self.dice(size),
        };
        self.add(expr)
    }

    fn leaf(&mut self) -> NodeId {
        let expr = match self.random.below(4) {
            0 if self.random.below(4) == 0 => {
                let tenths = 10 * self.random.below(30) + 1 + self.random.below(9);
                Ratio::new(tenths as i128, 10).map_or(Expr::Number(0), Expr::Decimal)
            }
            0 => Expr::Number(self.random.below(30) as i64),
            1 => Expr::Value(self.random.pick(VALUES).to_owned()),
            2 => Expr::Name(self.random.pick(NAMES).to_owned()),
            _ => self.dice(1),
        };
        self.add(expr)
    }

    fn call(&mut self, size: usize) -> Expr {
        let (_, function) = self.random.pick(&Function::ALL);
        if function == Function::Pow {
            return Expr::Call(function, vec![self.expr(size / 2), self.expr(size / 2)]);
        }
        let several = matches!(function, Function::Min | Function::Max);
        let count = if several { 1 + self.random.below(3) } else { 1 };
        Expr::Call(function, (0..count).map(|_| self.expr(size / 3)).collect())
    }

    fn dice(&mut self, size: usize) -> Expr {
        let source = match self.random.below(8) {
            0 => Source::Group((0..1 + self.random.below(3)).map(|_| self.expr(size / 3)).collect()),
            1 => Source::Times(self.expr(size / 3), self.expr(size / 3)),
            _ => {
                let count = (self.random.below(4) > 0).then(|| self.expr(size / 3));
                Source::Roll(count, self.sides(size))
            }
        };
        let rolled = matches!(source, Source::Roll(..));
        let modifiers = self.modifiers(size, rolled).into_iter().map(|modifier| (modifier, Span::default())).collect();
        Expr::Dice(Box::new(Dice { source, modifiers }))
    }

    fn sides(&mut self, size: usize) -> Sides {
        match self.random.below(8) {
            0 => Sides::Percent,
            1 => Sides::Fudge,
            2 => Sides::Range(self.expr(size / 3), self.expr(size / 3)),
            3 => {
                let faces = 1 + self.random.below(3) as i64;
                Sides::List((0..faces).map(|n| (n - 1, n - 1 + self.random.below(3) as i64)).collect())
            }
            4 => {
                // A die without sides is refused.
                let sides = self.expr(size / 3);
                let plus = self.add(Expr::Number(1));
                Sides::Upto(self.add(Expr::Infix(Infix::Plus, sides, plus)))
            }
            _ => {
                let sides = 1 + self.random.below(20) as i64;
                Sides::Upto(self.add(Expr::Number(sides)))
            }
        }
    }

    /// Modifiers in an order that is allowed.
    fn modifiers(&mut self, size: usize, rolled: bool) -> Vec<Modifier> {
        let mut modifiers = Vec::new();
        if rolled && self.random.below(5) == 0 {
            modifiers.push(Modifier::Reroll(vec![self.test(size, true)], Cap::None));
        }
        if rolled && self.random.below(5) == 0 {
            modifiers.push(Modifier::Twice(self.random.pick(&[Twice::Advantage, Twice::Disadvantage])));
        }
        if rolled && self.random.below(6) == 0 {
            let test =
                (self.random.below(2) == 0).then(|| Test { by: self.random.pick(COMPARES), arg: Arg::Number(3) });
            modifiers.push(Modifier::Unique(Unique { once: self.random.below(2) == 0, test, gives_up: false }));
        }
        for _ in 0..self.random.below(3) {
            let modifier = match self.random.below(if rolled { 4 } else { 2 }) {
                0 => {
                    let keeps = [Keep::High, Keep::Low, Keep::ButHigh, Keep::ButLow, Keep::Middle];
                    let keep = self.random.pick(&keeps);
                    Modifier::Keep(keep, self.arg(size, false))
                }
                1 => Modifier::Bound(self.random.pick(&[Bound::Least, Bound::Most]), self.arg(size, true)),
                2 => {
                    let cap = self.random.pick(&[Cap::None, Cap::Once, Cap::Most(3)]);
                    Modifier::Reroll(vec![self.test(size, true)], cap)
                }
                _ => Modifier::Explode(self.explode(size)),
            };
            modifiers.push(modifier);
        }
        if self.random.below(4) == 0 {
            let weights = (0..self.random.below(3)).map(|n| {
                let test = Test { by: self.random.pick(COMPARES), arg: Arg::Number(n as i64 + 1) };
                (test, 2 - n as i64 * 3)
            });
            let weights = weights.collect();
            modifiers.push(Modifier::Successes(self.test(size, true), weights));
        }
        if self.random.below(4) == 0 {
            modifiers.push(Modifier::Failures(self.test(size, true)));
        }
        if self.random.below(8) == 0 {
            modifiers.push(Modifier::Parity(self.random.pick(&[true, false])));
        }
        if self.random.below(8) == 0 {
            let test = (self.random.below(2) == 0).then(|| self.test(size, true));
            modifiers.push(Modifier::Matches(self.random.below(4) as i64, test));
        }
        if self.random.below(8) == 0 {
            modifiers.push(Modifier::Sort(self.random.pick(&[Order::Ascending, Order::Descending])));
        }
        modifiers
    }

    fn explode(&mut self, size: usize) -> Explode {
        let mut test = (self.random.below(2) == 0).then(|| self.test(size, true));
        if let Some(Test { by: Compare::Equal, arg: Arg::Number(n) }) = &mut test {
            *n = n.abs();
        }
        Explode {
            compound: self.random.below(2) == 0,
            penetrate: self.random.below(2) == 0,
            tests: test.into_iter().collect(),
            cap: self.random.pick(&[Cap::None, Cap::Once, Cap::Most(2)]),
        }
    }

    fn test(&mut self, size: usize, signed: bool) -> Test {
        Test { by: self.random.pick(COMPARES), arg: self.arg(size, signed) }
    }

    fn arg(&mut self, size: usize, signed: bool) -> Arg {
        match self.random.below(4) {
            0 => Arg::Value(self.expr(size / 3)),
            1 if signed => Arg::Number(-(self.random.below(5) as i64)),
            _ => Arg::Number(self.random.below(12) as i64),
        }
    }
}

/// A tree with all its brackets, so that two trees can be compared without their places.
pub(crate) fn written(tree: &Tree) -> String {
    let items = tree.items.iter().map(|item| match item {
        Item::Bind(binding) => bound(tree, binding),
        Item::Roll(roll) => of(tree, *roll),
    });
    format!("{:?} {}", tree.times.map(|(times, _)| times), items.collect::<Vec<_>>().join("; "))
}

fn bound(tree: &Tree, binding: &Binding) -> String {
    format!("{}{}={}", binding.name, binding.bracket, of(tree, binding.value))
}

fn of(tree: &Tree, id: NodeId) -> String {
    let all = |ids: &[NodeId]| ids.iter().map(|id| of(tree, *id)).collect::<Vec<_>>().join(" ");
    match tree.nodes.expr(id) {
        Expr::Number(n) => n.to_string(),
        Expr::Decimal(n) => n.to_string(),
        Expr::Words(words) => format!("{words:?}"),
        Expr::Value(name) => format!("@{name}"),
        Expr::Name(name) => name.clone(),
        Expr::Call(function, args) => format!("({function:?} {})", all(args)),
        Expr::Prefix(prefix, a) => format!("({prefix:?} {})", of(tree, *a)),
        Expr::Infix(op, a, b) => format!("({op:?} {})", all(&[*a, *b])),
        Expr::Choice(a, b, c) => format!("(? {})", all(&[*a, *b, *c])),
        Expr::Label(a, label) => format!("({label:?} {})", of(tree, *a)),
        Expr::Block(bindings, body) => {
            let bindings: Vec<String> = bindings.iter().map(|binding| bound(tree, binding)).collect();
            format!("[{} | {}]", bindings.join(" "), of(tree, *body))
        }
        Expr::Dice(dice) => {
            let source = match &dice.source {
                Source::Roll(count, sides) => {
                    format!("{} d {}", count.map_or(String::new(), |count| of(tree, count)), faces(tree, sides))
                }
                Source::Group(members) => format!("group {}", all(members)),
                Source::Times(count, body) => format!("times {}", all(&[*count, *body])),
                Source::Union(members) => format!("union {}", all(members)),
                Source::Named(name) => format!("named {name}"),
                Source::Within(body) => format!("within {}", of(tree, *body)),
            };
            let modifiers: Vec<String> = dice.modifiers.iter().map(|(each, _)| modifier(tree, each)).collect();
            format!("({source} {})", modifiers.join(" "))
        }
    }
}

fn faces(tree: &Tree, sides: &Sides) -> String {
    match sides {
        Sides::Upto(id) => of(tree, *id),
        Sides::Percent => "%".to_owned(),
        Sides::Fudge => "F".to_owned(),
        Sides::Range(low, high) => format!("[{}..{}]", of(tree, *low), of(tree, *high)),
        Sides::List(faces) => format!("{faces:?}"),
        Sides::Words(words) => format!("{words:?}"),
    }
}

fn modifier(tree: &Tree, modifier: &Modifier) -> String {
    let arg = |arg: &Arg| match arg {
        Arg::Number(n) => n.to_string(),
        Arg::Value(id) => format!("<{}>", of(tree, *id)),
    };
    let test = |test: &Test| format!("{:?}{}", test.by, arg(&test.arg));
    match modifier {
        Modifier::Keep(keep, n) => format!("{keep:?}{}", arg(n)),
        Modifier::Twice(twice) => format!("{twice:?}"),
        Modifier::Bound(bound, n) => format!("{bound:?}{}", arg(n)),
        Modifier::Reroll(tests, cap) => format!("r{}{cap:?}", tests.iter().map(test).collect::<String>()),
        Modifier::Explode(explode) => {
            let when: String = explode.tests.iter().map(test).collect();
            format!("!{}{}{when}{:?}", explode.compound, explode.penetrate, explode.cap)
        }
        Modifier::Successes(when, weights) => {
            let weights: Vec<String> = weights.iter().map(|(when, worth)| format!("{}:{worth}", test(when))).collect();
            format!("cs{}{weights:?}", test(when))
        }
        Modifier::Shows(word) => format!("cs{word}"),
        Modifier::Deduct(deduct, when) => format!("{deduct:?}{}", test(when)),
        Modifier::Failures(when) => format!("cf{}", test(when)),
        Modifier::Parity(even) => format!("even{even}"),
        Modifier::Sort(order) => format!("{order:?}"),
        Modifier::Unique(unique) => {
            format!("u{}{}", unique.once, unique.test.as_ref().map_or(String::new(), test))
        }
        Modifier::Picked(high, low, tests) => format!("k{high}{low}{}", tests.iter().map(test).collect::<String>()),
        Modifier::RerollEnd(end, n) => format!("ro{end:?}{n}"),
        Modifier::Another(tests) => format!("ra{}", tests.iter().map(test).collect::<String>()),
        Modifier::Implode(when) => format!("i{}", test(when)),
        Modifier::Together(what) => format!("{what:?}"),
        Modifier::Matches(alike, when) => format!("mt{alike}{}", when.as_ref().map_or(String::new(), test)),
    }
}
