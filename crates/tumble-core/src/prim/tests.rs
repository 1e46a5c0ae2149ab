//! Every row: its example, and its shape against its `apply` on random collections.

use super::*;
use crate::limits::Limits;

/// Reads a value in the spelling of `Display`.
fn read(text: &str) -> Value {
    let mut rest = text;
    let value = read_one(&mut rest);
    assert!(rest.trim().is_empty(), "left over: {rest:?} of {text:?}");
    value
}

fn read_one(rest: &mut &str) -> Value {
    *rest = rest.trim_start();
    let first = rest.chars().next().expect("a value");
    match first {
        '[' => Value::pool(read_items(rest, ']')),
        '(' => Value::tuple(read_items(rest, ')')),
        '<' => Value::list(read_items(rest, '>')),
        '"' => {
            let end = rest[1..].find('"').expect("a closing quote") + 1;
            let text = rest[1..end].replace("\\n", "\n");
            *rest = &rest[end + 1..];
            Value::text(&text)
        }
        _ => {
            let end = rest.find([',', ']', ')', '>']).unwrap_or(rest.len());
            let word = rest[..end].trim();
            *rest = &rest[end..];
            match word {
                "true" | "false" => Value::bool(word == "true"),
                _ => Value::int(word.parse().expect("a number")),
            }
        }
    }
}

fn read_items(rest: &mut &str, close: char) -> Vec<Value> {
    *rest = &rest[1..];
    let mut items = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return items;
        }
        *rest = rest.strip_prefix(',').unwrap_or(rest);
        items.push(read_one(rest));
    }
}

pub(super) fn apply(prim: &Prim, args: &[Value]) -> Result<Value, Fault> {
    (prim.apply)(args, &mut Budget::new(Limits::default()))
}

#[test]
fn every_example_holds() {
    for prim in ALL {
        let args: Vec<Value> = prim.example.0.iter().map(|text| read(text)).collect();
        assert!(prim.accepts(args.len()), "{}", prim.name);
        let got = match apply(prim, &args) {
            Ok(value) => value.to_string(),
            Err(fault) => format!("error: {}", fault.message),
        };
        assert_eq!(got, prim.example.1, "{}", prim.name);
        assert!(prim.doc.ends_with('.'), "{}", prim.name);
        assert_eq!(named(prim.name), Some(*prim));
    }
}

/// A small generator, so that this crate needs no other.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    pub(super) fn pool(&mut self) -> Vec<Value> {
        (0..self.below(6)).map(|_| Value::int(self.below(5) as i64 - 1)).collect()
    }

    /// Members of the sort that the row's example shows.
    fn members(&mut self, prim: &Prim) -> Vec<Value> {
        let plain = self.pool();
        match prim.example.0[prim.over].contains('(') {
            true => plain.into_iter().map(|n| Value::tuple(vec![n, Value::int(self.below(3) as i64)])).collect(),
            false => plain,
        }
    }
}

/// Arguments for `prim` with `members` in the place its shape speaks of.
fn arguments(prim: &Prim, others: &[Value], members: &[Value]) -> Vec<Value> {
    let mut args = others.to_vec();
    args.insert(prim.over, Value::pool(members.to_vec()));
    args
}

fn others(prim: &Prim, dice: &mut Dice) -> Vec<Value> {
    let sorts = prim.takes.iter().enumerate().filter(|(i, _)| *i != prim.over);
    sorts
        .map(|(_, sort)| match sort {
            Sort::Int => Value::int(dice.below(4) as i64 + i64::from(*prim == EACH_MOD)),
            Sort::Text => Value::text("some text"),
            // A table has something for each face.
            _ if *prim == LOOK_UP => {
                Value::pool((-1..4).map(|n| Value::tuple(vec![Value::int(n), Value::int(n * n)])).collect())
            }
            _ => Value::pool(dice.pool()),
        })
        .collect()
}

fn sorted(value: Value) -> Value {
    match value.as_pool() {
        Some(members) => {
            let mut members = members.to_vec();
            members.sort();
            Value::pool(members)
        }
        None => value,
    }
}

#[test]
fn every_shape_agrees_with_apply() {
    let mut dice = Dice(20260101);
    for prim in ALL.iter().filter(|prim| !matches!(prim.shape, Shape::Opaque | Shape::Union)) {
        for _ in 0..400 {
            let (a, b, rest) = (dice.members(prim), dice.members(prim), others(prim, &mut dice));
            shape_holds(prim, &rest, &a, &b);
        }
    }
}

fn shape_holds(prim: &Prim, others: &[Value], a: &[Value], b: &[Value]) {
    let both: Vec<Value> = a.iter().chain(b).cloned().collect();
    let on = |members: &[Value]| apply(prim, &arguments(prim, others, members));
    let (Ok(whole), Ok(left), Ok(right)) = (on(&both), on(a), on(b)) else {
        assert!(prim.name == "median", "{} fails on a collection", prim.name);
        return;
    };
    let union = || left.as_pool().unwrap().iter().chain(right.as_pool().unwrap()).cloned().collect::<Vec<_>>();
    match prim.shape {
        Shape::Filter | Shape::Map { .. } | Shape::Forget => {
            assert_eq!(sorted(whole), sorted(Value::pool(union())));
            if matches!(prim.shape, Shape::Filter | Shape::Map { monotone: true }) {
                let ascending = on(sorted(Value::pool(both.clone())).as_pool().unwrap()).unwrap();
                assert_eq!(ascending, sorted(ascending.clone()), "{} keeps members in ascending order", prim.name);
            }
        }
        Shape::Fold(Merge::Add) => assert_eq!(whole.as_int(), Some(left.as_int().unwrap() + right.as_int().unwrap())),
        Shape::Fold(Merge::Or) => {
            assert_eq!(whole.as_bool(), Some(left.as_bool().unwrap() || right.as_bool().unwrap()))
        }
        Shape::Scan(scan) => {
            let args = arguments(prim, others, &both);
            assert_eq!(sorted(whole.clone()), Value::pool(pool::scanned(&scan, &args, &both)), "{}", prim.name);
            if scan.reduces {
                assert_eq!(sorted(whole), sorted(on(&union()).unwrap()), "{}", prim.name);
            }
        }
        Shape::Opaque | Shape::Union => {}
    }
}

#[test]
fn blind_rows_cannot_see_the_order() {
    let mut dice = Dice(7);
    for prim in ALL.iter().filter(|prim| prim.order == Order::Blind) {
        for _ in 0..100 {
            let (mut members, rest) = (dice.members(prim), others(prim, &mut dice));
            let forward = apply(prim, &arguments(prim, &rest, &members)).map_err(|_| ());
            members.reverse();
            assert_eq!(forward, apply(prim, &arguments(prim, &rest, &members)).map_err(|_| ()), "{}", prim.name);
        }
    }
}

#[test]
fn the_earliest_of_equal_members_is_dropped_first() {
    use crate::value::Mark;
    let members: Vec<Value> = [5, 5, 5].iter().enumerate().map(|(i, &n)| Value::int(n).marked(Mark::die(i))).collect();
    for prim in [&LARGEST, &LEAST] {
        let kept = apply(prim, &[Value::int(2), Value::pool(members.clone())]).unwrap();
        let marks: Vec<_> = kept.as_pool().unwrap().iter().filter_map(|member| member.mark.index()).collect();
        assert_eq!(marks, [1, 2], "{}", prim.name);
    }
}
