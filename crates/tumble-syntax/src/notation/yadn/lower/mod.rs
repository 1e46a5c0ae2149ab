//! From a tree to the core.
//!
//! ```text
//! x dp y         gather(repeat(x, draw(1..y)))                            y is evaluated once
//! x g! y         gather(repeat(x, sum(gather(until(f = draw(1..y), f ≠ y)))))  all passes
//! p ns y         count(at_most(y, p))
//! p nb y         sum of (1 if x ≥ y) - (1 if x = 1), for each x in cap(max(y, 2), p)
//! x d y          sum(x dp y); likewise dc, dh, dl, d!
//! x dw y         let w = draw(1..y), e = (if w = y then explosion of y else 0), o = sum((x - 1) dp y)
//!                in if w = 1 then 0 else w + e + o
//! p m "name"     look_up("name", table, p)
//! a; b           results(a, b)
//! ```
//!
//! Every expression becomes a term with its [`Sort`] and its bounds: an interval that has every number it can give, or
//! every number in the pools it can give, as the rows tell that make it. What can only be wrong is a mistake of the text; what
//! may be wrong is checked by the roll, and the bounds make most of these checks unnecessary.

mod dice;
mod pool;
mod wrong;

use super::maps::{Map, built_in};
use super::operator::{COMPARE_LEVEL, DICE_LEVEL, Does, POOL_LEVEL};
use super::sort::Sort;
use super::syntax::{Expr, Infix, NodeId, Roll, Tree};
use crate::Lowered;
use crate::build::{all, compare, either, not, three, two};
use crate::kit::Kit;
use crate::mistake::Parsed;
use std::collections::HashMap;
use tumble_core::prim::{Extent, Interval};
use tumble_core::{Compare, Prim, Span, TermId, Value, prim};

/// Lowers a tree.
pub(super) fn lower(tree: &Tree, text: &str) -> Parsed<Lowered> {
    let mut lowering = Lowering { tree, text, kit: Kit::new(&[]), maps: HashMap::new() };
    let mut results = Vec::new();
    for roll in &tree.rolls {
        match roll {
            Roll::Define(definition) => {
                lowering.maps.insert(definition.name.clone(), Map::new(&definition.pairs));
            }
            Roll::Result(id) => {
                let result = lowering.expr(*id)?;
                results.push(lowering.term(result));
            }
        }
    }
    let whole = Span::new(0, text.len());
    let body = match results[..] {
        [] => lowering.kit.put(whole, Value::list(vec![])),
        [one] => one,
        _ => lowering.kit.put(whole, all(&prim::RESULTS, results)),
    };
    Ok(lowering.kit.finish(body))
}

struct Lowering<'a> {
    tree: &'a Tree,
    text: &'a str,
    kit: Kit,
    /// The maps defined so far.
    maps: HashMap<String, Map>,
}

/// A term, what it can be, and the expression it came from.
#[derive(Clone, Copy)]
struct Typed {
    /// None for a number that is written out: its term is made where it is needed.
    term: Option<TermId>,
    sort: Sort,
    /// The numbers it can be or, of a pool, its members.
    bounds: Interval,
    /// The number, if it is written out.
    known: Option<i64>,
    /// Whether a pool keeps only its highest or lowest dice, so that its members are not independent.
    ranked: bool,
    span: Span,
}

/// An operator on the way down a chain, with its place.
enum Link<'a> {
    Infix(Span, &'static Infix, [NodeId; 2]),
    Map(Span, &'a str),
}

impl<'a> Lowering<'a> {
    /// Lowers an expression. A chain of operators grows to the left without a limit, so it is walked in a loop.
    fn expr(&mut self, id: NodeId) -> Parsed<Typed> {
        let (tree, mut chain, mut first) = (self.tree, Vec::new(), id);
        loop {
            let span = tree.nodes.span(first);
            match tree.nodes.expr(first) {
                Expr::Infix(op, left, right) => {
                    chain.push(Link::Infix(span, op, [*left, *right]));
                    first = *left;
                }
                Expr::Map(value, name) => {
                    chain.push(Link::Map(span, name));
                    first = *value;
                }
                _ => break,
            }
        }
        let mut left = self.operand(first)?;
        for link in chain.into_iter().rev() {
            left = match link {
                Link::Infix(span, op, [first, second]) => {
                    self.no_loose_number(op, first, left, second)?;
                    let right = self.expr(second)?;
                    self.infix(span, op, left, right)?
                }
                Link::Map(span, name) => self.look_up(span, name, left)?,
            };
        }
        Ok(left)
    }

    fn operand(&mut self, id: NodeId) -> Parsed<Typed> {
        let (tree, span) = (self.tree, self.tree.nodes.span(id));
        match tree.nodes.expr(id) {
            Expr::Number(n) => {
                let bounds = Interval::one(*n);
                Ok(Typed { term: None, sort: Sort::NUMBER, bounds, known: Some(*n), ranked: false, span })
            }
            Expr::Text(text) => Ok(typed(span, self.kit.put(span, Value::text(text)), Sort::TEXT, Interval::ALL)),
            Expr::Truth(truth) => Ok(typed(span, self.kit.put(span, *truth), Sort::TRUTH, Interval::ALL)),
            Expr::Pool(members) => {
                let term = self.kit.put(span, Value::pool(members.iter().map(|member| member.value()).collect()));
                let sort = members.iter().map(|member| member.sort()).reduce(Sort::or).unwrap_or(Sort::NUMBER);
                let bounds = Interval::of(members.iter().filter_map(|member| member.number()));
                Ok(typed(span, term, Sort::pool_of(sort), bounds))
            }
            Expr::Minus(operand) => {
                let value = self.expr(*operand)?;
                let term = self.number(value, "-")?;
                Ok(self.prim(span, (&prim::NEG, Sort::NUMBER), vec![term], &[value.number()]))
            }
            Expr::Reduce(reduce, pool) => {
                let pool = self.expr(*pool)?;
                self.reduce(span, reduce, pool)
            }
            Expr::Choice(test, then, other) => self.choice(span, *test, *then, *other),
            Expr::Infix(..) | Expr::Map(..) => self.expr(id),
        }
    }

    /// `a ? b : c`
    fn choice(&mut self, span: Span, test: NodeId, then: NodeId, other: NodeId) -> Parsed<Typed> {
        let test = self.expr(test)?;
        if !test.sort.may_be(Sort::TRUTH) {
            return self.no_truth(test);
        }
        let (then, other) = (self.expr(then)?, self.expr(other)?);
        let [test, first, second] = [test, then, other].map(|value| self.term(value));
        let term = self.kit.put(span, either(test, first, second));
        let ranked = then.ranked || other.ranked;
        Ok(Typed { ranked, ..typed(span, term, then.sort.or(other.sort), then.bounds.hull(other.bounds)) })
    }

    fn infix(&mut self, span: Span, op: &Infix, left: Typed, right: Typed) -> Parsed<Typed> {
        match op.does {
            Does::Compare(by) => self.compare(span, by, op.sign, left, right),
            Does::Roll(total, explodes) => self.dice(span, (op.sign, total, explodes), left, right),
            Does::Number(row) => {
                let args = vec![self.number(left, op.sign)?, self.number(right, op.sign)?];
                Ok(self.prim(span, (row, Sort::NUMBER), args, &[left.number(), right.number()]))
            }
            Does::Pool(_) | Does::Count(_) | Does::Botches | Does::SumSuccess => {
                self.pool_operator(span, op, left, right)
            }
        }
    }

    /// Refuses `p pa 2 + 2`, where `p pa (2 + 2)` is meant.
    fn no_loose_number(&self, op: &Infix, first: NodeId, left: Typed, second: NodeId) -> Parsed<()> {
        let nodes = &self.tree.nodes;
        match nodes.expr(first) {
            Expr::Infix(pool, _, number) if pool.level == POOL_LEVEL && left.sort.is_only(Sort::pools()) => {
                let written = self.text[nodes.span(first).start..].starts_with('(');
                if written || !(COMPARE_LEVEL + 1..=DICE_LEVEL).contains(&op.level) {
                    return Ok(());
                }
                self.loose_number(left, nodes.span(*number), nodes.span(second), op.sign)
            }
            _ => Ok(()),
        }
    }

    /// Numbers are compared in six ways; texts, and T and F, are the same or not.
    fn compare(&mut self, span: Span, by: Compare, sign: &str, a: Typed, b: Typed) -> Parsed<Typed> {
        let sameness = matches!(by, Compare::Equal | Compare::Unequal);
        let plain = Sort::NUMBER.or(Sort::TEXT).or(Sort::TRUTH);
        let both = a.sort.among(b.sort).among(plain);
        let numbers = a.sort.is_only(Sort::NUMBER) && b.sort.is_only(Sort::NUMBER);
        let term = if numbers || !sameness || !both.may_be(plain) {
            // Also where nothing fits: the message is about numbers then.
            let (a, b) = (self.number(a, sign)?, self.number(b, sign)?);
            self.kit.put(span, compare(by, a, b))
        } else {
            let same = two(&prim::SAME, self.term(a), self.term(b));
            if by == Compare::Equal { self.kit.put(span, same) } else { self.kit.put(span, not(same)) }
        };
        Ok(typed(span, term, Sort::TRUTH, Interval::ALL))
    }

    /// `a m "name"`
    fn look_up(&mut self, span: Span, name: &str, value: Typed) -> Parsed<Typed> {
        let Some(map) = self.maps.get(name).cloned().or_else(|| built_in(name)) else {
            return self.no_map(span, name);
        };
        let scalar = Sort::NUMBER.or(Sort::TEXT);
        if value.sort.is_only(Sort::TRUTH) {
            return self.no_key(value);
        }
        let mut sort = None;
        if value.sort.may_be(scalar) {
            sort = Some(map.sort);
        }
        if value.sort.may_be(Sort::pools()) {
            let pool = Sort::pool_of(map.sort);
            sort = Some(sort.map_or(pool, |sort: Sort| sort.or(pool)));
        }
        let found = three(&prim::LOOK_UP, Value::text(name), map.table, self.term(value));
        let found = self.kit.put(span, found);
        Ok(Typed { ranked: value.ranked, ..typed(span, found, sort.unwrap_or(map.sort), map.bounds) })
    }

    /// The value as a number, for the operator with this sign.
    fn number(&mut self, value: Typed, sign: &str) -> Parsed<TermId> {
        if value.sort.is_only(Sort::NUMBER) {
            return Ok(self.term(value));
        }
        if !value.sort.may_be(Sort::NUMBER) {
            return self.no_number(value, sign);
        }
        // The row complains about anything else.
        let sum = two(&prim::ADD, self.term(value), 0);
        Ok(self.kit.put(value.span, sum))
    }

    fn term(&mut self, value: Typed) -> TermId {
        value.term.unwrap_or_else(|| self.kit.put(value.span, value.known.unwrap_or_default()))
    }

    /// A row on values of which this is known.
    fn prim(&mut self, span: Span, (row, sort): (&'static Prim, Sort), args: Vec<TermId>, known: &[Extent]) -> Typed {
        typed(span, self.kit.put(span, all(row, args)), sort, told(row, known))
    }
}

impl Typed {
    /// What is known of it as a number.
    fn number(self) -> Extent {
        Extent::Number(self.bounds)
    }

    /// What is known of it as a pool.
    fn pool(self) -> Extent {
        Extent::Pool { members: Some(self.bounds), least: 0, most: None }
    }
}

/// The numbers that a row can give, or that are in the pools it can give.
fn told(row: &Prim, known: &[Extent]) -> Interval {
    (row.tell)(known).extent(known).members().and_then(|(of, ..)| of).unwrap_or(Interval::ALL)
}

fn typed(span: Span, term: TermId, sort: Sort, bounds: Interval) -> Typed {
    Typed { term: Some(term), sort, bounds, known: None, ranked: false, span }
}
