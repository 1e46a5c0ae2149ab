//! Collections: building, filtering, keeping and summing up.

use super::bounds::{Extent, Interval, Told, kept_of, lone};
use super::flat::FOLD;
use super::{BLANK, Fails, Flat, Fold, Merge, OnEmpty, Order, Prim, Scan, Shape, Sort, flat, int, pool, ratio};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::ratio::Ratio;
use crate::sort;
use crate::value::{Data, Mark, Value};

/// All members of all arguments together
pub static GATHER: Prim = Prim {
    name: "gather",
    takes: &[Sort::Rest],
    doc: "One collection of all the given numbers, members of collections and results of lists.",
    example: (&["1", "[2, 3]", "<4, [5]>"], "[1, 2, 3, 4, 5]"),
    fails: Fails::Never,
    shape: Shape::Union,
    order: Order::Carries,
    tell: joined,
    flat: Some(Flat::Join),
    apply: |args, budget| union(args, budget, false),
    ..ROW
};

/// The same for values of any sort
pub static COLLECT: Prim = Prim {
    name: "collect",
    takes: &[Sort::Rest],
    doc: "One collection of all the given values, members of collections and results of lists, with text and pairs.",
    example: (&["\"a\"", "[2, 3]", "<(4, 1), [5]>"], "[\"a\", 2, 3, (4, 1), 5]"),
    fails: Fails::Never,
    shape: Shape::Union,
    order: Order::Carries,
    tell: joined,
    flat: Some(Flat::Join),
    apply: |args, budget| union(args, budget, true),
    ..ROW
};

/// The same members, sorted
pub static BAG: Prim = Prim {
    name: "bag",
    doc: "The members in ascending order.",
    example: (&["[3, 1, 2]"], "[1, 2, 3]"),
    fails: Fails::Never,
    shape: Shape::Forget,
    order: Order::Blind,
    tell: |args| kept_of(args, 0, |least, most| (least, most)),
    flat: Some(Flat::Change(|_, members, ordered, budget| flat::sort(members, ordered, budget))),
    apply: |args, budget| {
        let mut members = pool(&args[0])?.to_vec();
        budget.step(members.len() as u64)?;
        sort::sort(&mut members);
        Ok(Value::pool(members))
    },
    ..ROW
};

/// `a..b`
pub static RANGE: Prim = Prim {
    name: "range",
    takes: &[Sort::Int, Sort::Int],
    doc: "All whole numbers from the first to the second; empty if the second is smaller.",
    example: (&["2", "4"], "[2, 3, 4]"),
    tell: |args| match (args[0].number(), args[1].number()) {
        (Some(from), Some(to)) => {
            Told::Within(Extent::Pool { members: Some(Interval { lo: from.lo, hi: to.hi }), least: 0, most: None })
        }
        _ => Told::NOTHING,
    },
    flat: Some(Flat::List(flat::range)),
    apply: |args, budget| {
        let (from, to) = (int(&args[0])?, int(&args[1])?);
        let size = i128::from(to) - i128::from(from) + 1;
        budget.members(u64::try_from(size.max(0)).unwrap_or(u64::MAX))?;
        Ok(Value::pool((from..=to).map(Value::int).collect()))
    },
    ..ROW
};

/// The one member
pub static ONLY: Prim = Prim {
    name: "only",
    gives: Sort::Int,
    doc: "The single number of a collection of exactly one.",
    example: (&["[4]"], "4"),
    order: Order::Blind,
    on_empty: OnEmpty::Fails,
    tell: |args| match args[0].members() {
        _ if args[0].number().is_some() => Told::same(0, false),
        // Whatever has not one member fails.
        Some((Some(members), ..)) => Told::number(members),
        _ => Told::NOTHING,
    },
    flat: Some(Flat::Fold(Fold {
        of: |members| <[i64; 1]>::try_from(members).ok().map(|[one]| one),
        passes: true,
        ..FOLD
    })),
    apply: |args, _| match &args[0].data {
        Data::Int(_) | Data::Ratio(_) => Ok(args[0].clone()),
        Data::Pool(members) => match &members[..] {
            [one] => Ok(one.clone()),
            [] => Err(one_number("an empty collection")),
            many => Err(one_number(&format!("a collection of {}", many.len()))),
        },
        _ => Err(Fault::wrong_type(format!("expected a number, not {}", args[0].sort()))),
    },
    ..ROW
};

/// `sum p`
pub static SUM: Prim = Prim {
    name: "sum",
    gives: Sort::Int,
    doc: "The sum of all members; 0 for none.",
    example: (&["[1, 2, 4]"], "7"),
    fails: Fails::Overflow,
    shape: Shape::Fold(Merge::Add),
    order: Order::Blind,
    tell: |args| match args[0].members() {
        _ if lone(&args[0]) => Told::same(0, false),
        Some((Some(each), least, most)) => Told::number(each.summed(least, most)),
        _ => Told::NOTHING,
    },
    flat: Some(Flat::Fold(Fold { of: flat::sum, adds: true, ..FOLD })),
    apply: |args, _| {
        let mut total = Ratio::from(0);
        for member in pool(&args[0])? {
            total = match (total.whole(), member.as_int()) {
                (Some(a), Some(b)) => a.checked_add(b).map(Ratio::from),
                _ => total.plus(ratio(member)?),
            }
            .ok_or_else(|| Fault::runtime("the sum is too large"))?;
        }
        Ok(Value::ratio(total))
    },
    ..ROW
};

/// `count p`
pub static COUNT: Prim = Prim {
    name: "count",
    gives: Sort::Int,
    doc: "The number of members.",
    example: (&["[5, 5, 1]"], "3"),
    fails: Fails::Never,
    shape: Shape::Fold(Merge::Add),
    order: Order::Blind,
    counts: true,
    tell: |args| match args[0].members() {
        Some((_, least, most)) => {
            let size = |n: u64| i64::try_from(n).ok();
            Told::number(Interval { lo: size(least), hi: most.and_then(size) })
        }
        None => Told::NOTHING,
    },
    flat: Some(Flat::Fold(Fold { of: |members| i64::try_from(members.len()).ok(), ..FOLD })),
    apply: |args, _| Ok(Value::int(i64::try_from(pool(&args[0])?.len()).unwrap_or(i64::MAX))),
    ..ROW
};

/// `least n p`
pub static LEAST: Prim = Prim {
    name: "least",
    doc: "The n smallest members; all of them if there are fewer.",
    example: (&["2", "[5, 1, 6]"], "[5, 1]"),
    shape: Shape::Scan(Scan {
        stay: |args, _, rank| how_many(args).saturating_sub(rank.below).min(rank.here),
        size: Some(|args, n| n.min(how_many(args))),
        against: None,
        alone: false,
        reduces: true,
    }),
    tell: |args| keeping(args, |n, least, most| (least.min(n), Some(most.map_or(n, |most| most.min(n))))),
    flat: Some(Flat::Change(|n, members, ordered, budget| flat::keep((n, false), members, ordered, budget))),
    apply: |args, budget| best(args, budget, false),
    ..KEEP
};

/// `largest n p`
pub static LARGEST: Prim = Prim {
    name: "largest",
    doc: "The n largest members; all of them if there are fewer.",
    example: (&["2", "[5, 1, 6]"], "[5, 6]"),
    shape: Shape::Scan(Scan {
        stay: |args, _, rank| how_many(args).saturating_sub(rank.above).min(rank.here),
        size: Some(|args, n| n.min(how_many(args))),
        against: None,
        alone: false,
        reduces: true,
    }),
    tell: |args| keeping(args, |n, least, most| (least.min(n), Some(most.map_or(n, |most| most.min(n))))),
    flat: Some(Flat::Change(|n, members, ordered, budget| flat::keep((n, true), members, ordered, budget))),
    apply: |args, budget| best(args, budget, true),
    ..KEEP
};

/// `but_least n p`
pub static BUT_LEAST: Prim = Prim {
    name: "but_least",
    doc: "All but the n smallest members; none if there are fewer.",
    example: (&["2", "[5, 1, 6]"], "[6]"),
    shape: Shape::Scan(Scan {
        stay: |args, _, rank| rank.here - how_many(args).saturating_sub(rank.below).min(rank.here),
        size: Some(|args, n| n.saturating_sub(how_many(args))),
        against: None,
        alone: false,
        reduces: false,
    }),
    tell: |args| keeping(args, |n, least, most| (least.saturating_sub(n), most.map(|most| most.saturating_sub(n)))),
    flat: Some(Flat::Change(|n, members, ordered, budget| flat::rest((n, false), members, ordered, budget))),
    apply: |args, budget| rest(args, budget, &LEAST),
    ..KEEP
};

/// `but_largest n p`
pub static BUT_LARGEST: Prim = Prim {
    name: "but_largest",
    doc: "All but the n largest members; none if there are fewer.",
    example: (&["2", "[5, 1, 6]"], "[1]"),
    shape: Shape::Scan(Scan {
        stay: |args, _, rank| rank.here - how_many(args).saturating_sub(rank.above).min(rank.here),
        size: Some(|args, n| n.saturating_sub(how_many(args))),
        against: None,
        alone: false,
        reduces: false,
    }),
    tell: |args| keeping(args, |n, least, most| (least.saturating_sub(n), most.map(|most| most.saturating_sub(n)))),
    flat: Some(Flat::Change(|n, members, ordered, budget| flat::rest((n, true), members, ordered, budget))),
    apply: |args, budget| rest(args, budget, &LARGEST),
    ..KEEP
};

/// `minimal p`
pub static MINIMAL: Prim = Prim {
    name: "minimal",
    doc: "All members that equal the smallest.",
    example: (&["[2, 3, 2]"], "[2, 2]"),
    fails: Fails::Never,
    shape: Shape::Scan(Scan {
        stay: |_, _, rank| if rank.below == 0 { rank.here } else { 0 },
        size: None,
        against: None,
        alone: false,
        reduces: true,
    }),
    order: Order::Carries,
    tell: |args| kept_of(args, 0, |least, most| (least.min(1), most)),
    flat: Some(Flat::Change(|_, members, _, _| flat::equal_to(members.iter().min().copied(), members))),
    apply: |args, _| equal_to(args, |members| members.iter().min()),
    ..ROW
};

/// `maximal p`
pub static MAXIMAL: Prim = Prim {
    name: "maximal",
    doc: "All members that equal the largest.",
    example: (&["[3, 2, 3]"], "[3, 3]"),
    fails: Fails::Never,
    shape: Shape::Scan(Scan {
        stay: |_, _, rank| if rank.above == 0 { rank.here } else { 0 },
        size: None,
        against: None,
        alone: false,
        reduces: true,
    }),
    order: Order::Carries,
    tell: |args| kept_of(args, 0, |least, most| (least.min(1), most)),
    flat: Some(Flat::Change(|_, members, _, _| flat::equal_to(members.iter().max().copied(), members))),
    apply: |args, _| equal_to(args, |members| members.iter().max()),
    ..ROW
};

/// `median p`
pub static MEDIAN: Prim = Prim {
    name: "median",
    doc: "The median; for an even number of members, the upper one.",
    example: (&["[9, 1, 5, 7]"], "[7]"),
    shape: Shape::Scan(Scan {
        stay: |_, _, rank| {
            let middle = (rank.below + rank.here + rank.above) / 2;
            u64::from(rank.below <= middle && middle < rank.below + rank.here)
        },
        size: Some(|_, n| n.min(1)),
        against: None,
        alone: false,
        reduces: false,
    }),
    order: Order::Blind,
    on_empty: OnEmpty::Fails,
    tell: |args| kept_of(args, 0, |_, _| (1, Some(1))),
    flat: Some(Flat::Change(|_, members, _, budget| flat::median(members, budget))),
    apply: |args, budget| {
        let mut members = pool(&args[0])?.to_vec();
        budget.step(members.len() as u64)?;
        sort::sort(&mut members);
        match members.get(members.len() / 2) {
            Some(middle) => Ok(Value::pool(vec![middle.clone()])),
            None => Err(Fault::runtime("an empty collection has no median")),
        }
    },
    ..ROW
};

/// `different p`
pub static DIFFERENT: Prim = Prim {
    name: "different",
    doc: "Each value once.",
    example: (&["[3, 1, 3]"], "[3, 1]"),
    fails: Fails::Never,
    shape: Shape::Scan(Scan {
        stay: |_, _, rank| rank.here.min(1),
        size: None,
        against: None,
        alone: true,
        reduces: true,
    }),
    order: Order::Carries,
    tell: |args| kept_of(args, 0, |least, most| (least.min(1), most)),
    flat: Some(Flat::Change(|_, members, ordered, budget| flat::different(members, ordered, budget))),
    apply: |args, budget| {
        let members = pool(&args[0])?;
        budget.step(members.len() as u64)?;
        let mut seen = std::collections::HashSet::new();
        Ok(Value::pool(members.iter().filter(|member| seen.insert(*member)).cloned().collect()))
    },
    ..ROW
};

/// `a -- b`
pub static MINUS: Prim = Prim {
    name: "minus",
    takes: &[Sort::Pool, Sort::Pool],
    doc: "The multiset difference: the first collection without one member for each equal member of the second.",
    example: (&["[1, 2, 2, 3]", "[2, 4]"], "[1, 2, 3]"),
    fails: Fails::Never,
    shape: Shape::Scan(Scan {
        stay: |args, face, rank| {
            let gone = args[1].as_pool().unwrap_or(&[]).iter().filter(|member| *member == face).count();
            rank.here.saturating_sub(gone as u64)
        },
        size: None,
        against: Some(1),
        alone: true,
        reduces: false,
    }),
    order: Order::Carries,
    tell: |args| {
        let gone = args[1].members().and_then(|(.., most)| most);
        kept_of(args, 0, |least, most| (gone.map_or(0, |gone| least.saturating_sub(gone)), most))
    },
    flat: Some(Flat::Against(flat::minus)),
    apply: |args, budget| {
        let mut gone = counts(pool(&args[1])?);
        budget.step(args[0].weight())?;
        let stays = |member: &&Value| match gone.get_mut(*member) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        Ok(Value::pool(pool(&args[0])?.iter().filter(stays).cloned().collect()))
    },
    ..ROW
};

/// `foreach i in list do count i = p`
pub static TALLY: Prim = Prim {
    name: "tally",
    takes: &[Sort::Pool, Sort::Pool],
    doc: "For each number of the first collection, how many members of the second equal it.",
    example: (&["[1, 2, 3]", "[3, 1, 3]"], "[1, 0, 2]"),
    over: 1,
    tallies: true,
    order: Order::Blind,
    tell: |args| match (args[0].members(), args[1].members()) {
        (Some((_, least, most)), Some((.., all))) => {
            let counts = Interval { lo: Some(0), hi: all.and_then(|all| i64::try_from(all).ok()) };
            Told::Within(Extent::Pool { members: Some(counts), least, most })
        }
        _ => Told::NOTHING,
    },
    apply: |args, budget| {
        let list = pool(&args[0])?;
        if list.is_empty() {
            // For no number, nothing is asked of the other.
            return Ok(Value::pool(vec![]));
        }
        let members = pool(&args[1])?;
        budget.step((list.len() as u64).saturating_mul(1 + members.len() as u64))?;
        let mut counts = Vec::with_capacity(list.len());
        for number in list {
            let number = ratio(number)?;
            let mut count = 0;
            for member in members {
                count += i64::from(ratio(member)? == number);
            }
            counts.push(Value::int(count));
        }
        Ok(Value::pool(counts))
    },
    ..ROW
};

/// How many dice show the most common face: `matching p`
pub static MATCHING: Prim = Prim {
    name: "matching",
    gives: Sort::Int,
    doc: "The size of the largest group of equal members.",
    example: (&["[3, 5, 3, 3, 5]"], "3"),
    fails: Fails::Never,
    order: Order::Blind,
    tell: |args| match args[0].members() {
        Some((_, least, most)) => {
            let most = most.and_then(|most| i64::try_from(most).ok());
            Told::number(Interval { lo: Some(i64::from(least > 0)), hi: most })
        }
        None => Told::NOTHING,
    },
    apply: |args, budget| {
        let mut members = pool(&args[0])?.to_vec();
        budget.step(members.len() as u64)?;
        sort::sort(&mut members);
        let largest = members.chunk_by(|a, b| a == b).map(<[Value]>::len).max().unwrap_or(0);
        Ok(Value::int(i64::try_from(largest).unwrap_or(i64::MAX)))
    },
    ..ROW
};

/// `C p`
pub static DIGITS: Prim = Prim {
    name: "digits",
    gives: Sort::Int,
    doc: "The digits of all members joined into one number.",
    example: (&["[1, 0, 20]"], "1020"),
    on_empty: OnEmpty::Fails,
    tell: |args| match args[0].members() {
        Some((Some(each), ..)) if each.from(0) => Told::number(Interval { lo: each.lo, hi: None }),
        _ => Told::NOTHING,
    },
    apply: |args, budget| {
        let members = pool(&args[0])?;
        budget.step(members.len() as u64)?;
        let (mut written, mut first) = (String::new(), true);
        for member in members {
            let digits = int(member)?;
            if digits < 0 && !first {
                return Err(Fault::runtime(format!("{digits} can't be in the middle of a number")));
            }
            first = false;
            written.push_str(&digits.to_string());
            // No number is longer than this, and leading zeros need no room.
            if written.trim_start_matches(['-', '0']).len() > 20 {
                break;
            }
        }
        match written.parse() {
            Ok(number) => Ok(Value::int(number)),
            Err(_) if first => Err(Fault::runtime("an empty collection has no digits to join")),
            Err(_) => Err(Fault::runtime("the joined digits make a number that is too large")),
        }
    },
    ..ROW
};

const ROW: Prim = Prim { takes: &[Sort::Pool], gives: Sort::Pool, ..BLANK };

const KEEP: Prim = Prim { takes: &[Sort::Int, Sort::Pool], over: 1, order: Order::Carries, ..ROW };

/// All members of all arguments; one number is itself.
fn joined(args: &[Extent]) -> Told {
    if args.len() == 1 && args[0].number().is_some() {
        return Told::same(0, true);
    }
    let (mut all, mut fewest, mut largest) = (None::<Option<Interval>>, 0u64, Some(0u64));
    for arg in args {
        let Some((members, least, most)) = arg.members() else { return Told::NOTHING };
        fewest = fewest.saturating_add(least);
        largest = largest.zip(most).and_then(|(a, b)| a.checked_add(b));
        // What has no members says nothing of them.
        if most != Some(0) {
            all = Some(all.map_or(members, |so_far| so_far.zip(members).map(|(a, b)| a.hull(b))));
        }
    }
    Told::Within(Extent::Pool { members: all.unwrap_or(Some(Interval::one(0))), least: fewest, most: largest })
}

/// Some of the members, for a number in front; a negative one fails.
fn keeping(args: &[Extent], size: impl Fn(u64, u64, Option<u64>) -> (u64, Option<u64>)) -> Told {
    match args[0].number().filter(|number| number.from(0)).map(Interval::single) {
        Some(Some(n)) => kept_of(args, 1, |least, most| size(n.unsigned_abs(), least, most)),
        Some(None) => kept_of(args, 1, |_, most| (0, most)),
        None => Told::NOTHING,
    }
}

fn union(args: &[Value], budget: &mut Budget, any: bool) -> Result<Value, Fault> {
    // Room for a list of numbers is made at once; more than is allowed is never needed.
    let several = |arg: &Value| if let Data::List(items) = &arg.data { items.len() as u64 } else { 1 };
    let room = args.iter().map(several).sum::<u64>().min(budget.limits().members);
    let mut members = Vec::with_capacity(room as usize);
    for arg in args {
        match &arg.data {
            Data::List(items) => items.iter().try_for_each(|item| splice(item, any, &mut members, budget))?,
            _ => splice(arg, any, &mut members, budget)?,
        }
    }
    Ok(Value::pool(members))
}

fn splice(value: &Value, any: bool, members: &mut Vec<Value>, budget: &mut Budget) -> Result<(), Fault> {
    let before = members.len();
    match &value.data {
        Data::Int(_) | Data::Ratio(_) => members.push(value.clone()),
        Data::Pool(more) => {
            budget.room(before as u64 + more.len() as u64)?;
            members.extend_from_slice(more);
        }
        Data::Text(_) | Data::Tuple(_) | Data::Bool(_) if any => members.push(value.clone()),
        _ => return Err(Fault::wrong_type(format!("{} can't be part of a collection of numbers", value.sort()))),
    }
    budget.room(members.len() as u64)?;
    budget.step((members.len() - before) as u64)
}

fn one_number(got: &str) -> Fault {
    Fault::runtime(format!("expected a single number, not {got}"))
}

fn how_many(args: &[Value]) -> u64 {
    args[0].as_int().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

/// The `n` largest or smallest members in their own order; of equal ones the earliest goes first.
fn best(args: &[Value], budget: &mut Budget, largest: bool) -> Result<Value, Fault> {
    let wanted = int(&args[0])?;
    let members = pool(&args[1])?;
    if wanted < 0 {
        return Err(Fault::runtime(format!("can't keep {wanted} members; the number must be 0 or more")));
    }
    let keep = usize::try_from(wanted).unwrap_or(usize::MAX).min(members.len());
    budget.step(members.len() as u64)?;
    if keep == members.len() {
        return Ok(args[1].clone().marked(Mark::NONE));
    }
    let mut places: Vec<usize> = (0..members.len()).collect();
    if largest {
        sort::by(&mut places, |&a, &b| members[b].cmp(&members[a]).then(b.cmp(&a)));
    } else {
        sort::by(&mut places, |&a, &b| members[a].cmp(&members[b]).then(b.cmp(&a)));
    }
    places.truncate(keep);
    places.sort_unstable();
    Ok(Value::pool(places.into_iter().map(|place| members[place].clone()).collect()))
}

/// What a row of [`KEEP`] does not keep.
fn rest(args: &[Value], budget: &mut Budget, keep: &Prim) -> Result<Value, Fault> {
    let kept = (keep.apply)(args, budget)?;
    (MINUS.apply)(&[args[1].clone(), kept], budget)
}

fn equal_to(args: &[Value], pick: impl Fn(&[Value]) -> Option<&Value>) -> Result<Value, Fault> {
    let members = pool(&args[0])?;
    let wanted = pick(members);
    Ok(Value::pool(members.iter().filter(|member| Some(*member) == wanted).cloned().collect()))
}

pub(super) fn counts(members: &[Value]) -> std::collections::HashMap<&Value, u64> {
    let mut counts = std::collections::HashMap::new();
    for member in members {
        *counts.entry(member).or_insert(0) += 1;
    }
    counts
}
