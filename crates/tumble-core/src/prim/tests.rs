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
                _ => {
                    let (above, below) = word.split_once('/').unwrap_or((word, "1"));
                    let part = |text: &str| text.parse().expect("a number");
                    Value::ratio(Ratio::new(part(above), part(below)).expect("a fraction"))
                }
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

/// Keeps the members that `scan` lets stay: what `apply` must agree with.
fn scanned(scan: &Scan, args: &[Value], members: &[Value]) -> Vec<Value> {
    let stay = |(face, rank): (Value, Rank)| {
        let stay = (scan.stay)(args, &face, rank);
        if let Some(second) = scan.against {
            let mut args = args.to_vec();
            let same = args[second].as_pool().unwrap().iter().filter(|member| **member == face).cloned();
            args[second] = Value::pool(same.collect());
            assert_eq!((scan.stay)(&args, &face, rank), stay, "of a second collection only the face matters");
        }
        vec![face; stay as usize]
    };
    ranks(members).into_iter().flat_map(stay).collect()
}

/// Each face of some members in ascending order, and its rank.
fn ranks(members: &[Value]) -> Vec<(Value, Rank)> {
    let mut sorted = members.to_vec();
    sorted.sort();
    let (all, mut below) = (sorted.len() as u64, 0);
    let mut ranks = Vec::new();
    for equal in sorted.chunk_by(|a, b| a == b) {
        let here = equal.len() as u64;
        ranks.push((equal[0].clone(), Rank { below, here, above: all - below - here }));
        below += here;
    }
    ranks
}

/// A value of this kind, also an extreme one.
fn any(sort: Sort, dice: &mut Dice) -> Value {
    match sort {
        Sort::Int => Value::int([i64::MIN, -1, 0, 1, 5, i64::MAX][dice.below(6) as usize]),
        Sort::Bool => Value::bool(dice.below(2) == 1),
        Sort::Text => Value::text("some text"),
        Sort::Tuple => Value::tuple(vec![Value::int(1), Value::text("a")]),
        Sort::List => Value::list(vec![Value::int(1), Value::ints(&[2])]),
        Sort::Pool | Sort::Any | Sort::Rest if dice.below(8) == 0 => Value::ints(&[i64::MAX, i64::MAX, i64::MIN]),
        Sort::Pool | Sort::Any | Sort::Rest => Value::pool(dice.pool()),
    }
}

#[test]
fn rows_that_never_fail_do_not() {
    let mut dice = Dice(20261118);
    for prim in ALL {
        let mut failed = false;
        for _ in 0..400 {
            // Rows that make texts of several values take texts.
            let of = |sort: &Sort| if (*sort, prim.gives) == (Sort::Rest, Sort::Text) { Sort::Text } else { *sort };
            let mut args: Vec<Value> = prim.takes.iter().map(|sort| any(of(sort), &mut dice)).collect();
            // A tuple has the field asked for.
            if prim.takes.starts_with(&[Sort::Int, Sort::Tuple]) {
                args[0] = Value::int(dice.below(2) as i64);
            }
            match apply(prim, &args) {
                Ok(_) => {}
                Err(fault) => {
                    let large = fault.message.contains("too large") || fault.message.contains("too small");
                    assert!(prim.fails != Fails::Never, "{} fails: {}", prim.name, fault.message);
                    assert!(prim.fails == Fails::Maybe || large, "{} fails: {}", prim.name, fault.message);
                    failed = true;
                }
            }
        }
        assert!(prim.fails == Fails::Maybe || failed == (prim.fails == Fails::Overflow), "{} can fail", prim.name);
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
        let empty = a.is_empty() || b.is_empty();
        assert!(empty && prim.on_empty == OnEmpty::Fails, "{} fails on a collection", prim.name);
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
            assert_eq!(sorted(whole.clone()), Value::pool(scanned(&scan, &args, &both)), "{}", prim.name);
            if let Some(size) = scan.size {
                let left = whole.as_pool().unwrap().len() as u64;
                assert_eq!(size(&args, both.len() as u64), left, "{} of {both:?}", prim.name);
                // An order statistic: it keeps the same places whatever the members are, so long as their order stays.
                let lower = |member: &Value| Value::int(member.as_int().unwrap_or(0).div_euclid(2));
                let (low, kept) = (both.iter().map(lower), whole.as_pool().unwrap().iter().map(lower));
                let kept = sorted(Value::pool(kept.collect()));
                let low = apply(prim, &arguments(prim, others, &low.collect::<Vec<_>>())).unwrap();
                assert_eq!(sorted(low), kept, "{} of {both:?}", prim.name);
            }
            if scan.alone {
                let shows = |face: &Value| both.iter().filter(|member| *member == face).cloned().collect::<Vec<_>>();
                let mut faces = both.clone();
                faces.sort();
                faces.dedup();
                let kept = faces.iter().flat_map(|face| on(&shows(face)).unwrap().as_pool().unwrap().to_vec());
                assert_eq!(sorted(whole.clone()), sorted(Value::pool(kept.collect())), "{} of {both:?}", prim.name);
            }
            if scan.reduces {
                assert_eq!(sorted(whole), sorted(on(&union()).unwrap()), "{}", prim.name);
            }
        }
        Shape::Opaque | Shape::Union => {}
    }
}

#[test]
fn rows_that_tally_count_each_number() {
    let mut dice = Dice(4);
    for prim in ALL.iter().filter(|prim| prim.tallies) {
        for _ in 0..100 {
            let (list, members) = (dice.pool(), dice.pool());
            let count = |number: &Value| Value::int(members.iter().filter(|member| *member == number).count() as i64);
            let counts = Value::pool(list.iter().map(count).collect());
            let args = arguments(prim, &[Value::pool(list.clone())], &members);
            assert_eq!(apply(prim, &args).unwrap(), counts, "{}", prim.name);
        }
    }
}

/// A row that works on some collection says what it does on none.
#[test]
fn every_row_does_on_nothing_what_it_says() {
    let mut dice = Dice(12);
    let collects = |prim: &&&Prim| matches!(prim.takes.get(prim.over), Some(Sort::Pool | Sort::Any));
    for prim in ALL.iter().filter(collects) {
        let mut tried = 0;
        for _ in 0..400 {
            let (members, rest) = (dice.members(prim), others(prim, &mut dice));
            let on = |members: &[Value]| apply(prim, &arguments(prim, &rest, members)).is_ok();
            if !members.is_empty() && on(&members) {
                assert_eq!(on(&[]), prim.on_empty == OnEmpty::Fine, "{}", prim.name);
                tried += 1;
            }
        }
        assert!(tried > 0 || prim.on_empty == OnEmpty::Fine, "{} was never tried", prim.name);
    }
}

/// The ranks that a row leaves follow from its `stay` and its `size`, so that rows work one after the other by rank alone.
#[test]
fn ranks_go_through_a_chain_of_rows() {
    let mut dice = Dice(31);
    let scans = ALL.iter().filter_map(|prim| match prim.shape {
        Shape::Scan(scan) => Some((*prim, scan)),
        _ => None,
    });
    let scans: Vec<(&Prim, Scan)> = scans.collect();
    let mut chained = 0;
    for (first, by_first) in &scans {
        let Some(size) = by_first.size else { continue };
        for (second, by_second) in scans.iter().cycle().take(scans.len() * 60) {
            let members = dice.pool();
            let [one, two] = [first, second].map(|prim| others(prim, &mut dice));
            let (one, two) = (arguments(first, &one, &members), |members: &[Value]| arguments(second, &two, members));
            let Ok(kept) = apply(first, &one) else { continue };
            let Ok(whole) = apply(second, &two(kept.as_pool().unwrap())) else { continue };
            let (mut got, mut below, left) = (Vec::new(), 0, size(&one, members.len() as u64));
            for (face, rank) in ranks(&members) {
                let here = (by_first.stay)(&one, &face, rank);
                let rank = Rank { below, here, above: left - below - here };
                let stay = (by_second.stay)(&two(&[]), &face, rank);
                got.extend((0..stay).map(|_| face.clone()));
                below += here;
            }
            assert_eq!(sorted(whole), Value::pool(got), "{} of {}", second.name, first.name);
            chained += 1;
        }
    }
    assert!(chained > 500, "only {chained} chains were tried");
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

/// A fold either counts, or tells members apart.
#[test]
fn only_rows_that_count_cannot_see_the_members() {
    let mut dice = Dice(99);
    for prim in ALL.iter().filter(|prim| prim.counts || matches!(prim.shape, Shape::Fold(_))) {
        let differ = (0..100).filter(|_| {
            let size = dice.below(5);
            let [one, other] = [0; 2].map(|_| (0..size).map(|_| Value::int(dice.below(9) as i64)).collect());
            apply(prim, &[Value::pool(one)]).unwrap() != apply(prim, &[Value::pool(other)]).unwrap()
        });
        assert_eq!(differ.count() == 0, prim.counts, "{}", prim.name);
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
