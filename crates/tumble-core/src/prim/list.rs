//! Lists of any values, told by position: the collections of scripts.
//!
//! ```text
//! at(list(v0, v1, …), i)               = vi            positions are counted from 0
//! at(with_at(p, i, v), i)              = v
//! reverse(reverse(p))                  = p
//! ```

use super::{BLANK, Fails, OnEmpty, Prim, Sort, int, pool};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::value::Value;

/// `[a, b]`
pub static LIST: Prim = Prim {
    name: "list",
    takes: &[Sort::Rest],
    gives: Sort::Pool,
    doc: "A list of these values; a list among them is one member.",
    example: (&["1", "\"a\"", "[2, 3]"], "[1, \"a\", [2, 3]]"),
    fails: Fails::Never,
    apply: |args, budget| made(args.to_vec(), budget),
    ..BLANK
};

/// `xs[i]`
pub static AT: Prim = Prim {
    name: "at",
    takes: &[Sort::Pool, Sort::Int],
    gives: Sort::Any,
    doc: "The member of a list at a position, from 0.",
    example: (&["[4, 5, 6]", "1"], "5"),
    on_empty: OnEmpty::Fails,
    apply: |args, _| {
        let members = pool(&args[0])?;
        Ok(members[place(&args[1], members)?].clone())
    },
    ..BLANK
};

/// `xs[i] = v`
pub static WITH_AT: Prim = Prim {
    name: "with_at",
    takes: &[Sort::Pool, Sort::Int, Sort::Any],
    gives: Sort::Pool,
    doc: "The list with another member at a position, from 0.",
    example: (&["[4, 5, 6]", "1", "0"], "[4, 0, 6]"),
    on_empty: OnEmpty::Fails,
    apply: |args, budget| {
        let mut members = pool(&args[0])?.to_vec();
        let place = place(&args[1], &members)?;
        members[place] = args[2].clone();
        made(members, budget)
    },
    ..BLANK
};

/// `reverse(xs)`
pub static REVERSE: Prim = Prim {
    name: "reverse",
    takes: &[Sort::Pool],
    gives: Sort::Pool,
    doc: "The list from its end to its beginning.",
    example: (&["[1, 2, 3]"], "[3, 2, 1]"),
    fails: Fails::Never,
    apply: |args, budget| {
        let members = pool(&args[0])?;
        budget.step(members.len() as u64)?;
        Ok(Value::pool(members.iter().rev().cloned().collect()))
    },
    ..BLANK
};

/// Values are compared and dropped by recursion, so their depth has a limit.
const DEEPEST: u32 = 64;

fn made(members: Vec<Value>, budget: &mut Budget) -> Result<Value, Fault> {
    if members.iter().any(|member| member.depth() >= DEEPEST) {
        return Err(Fault::limit(format!("lists are nested more than {DEEPEST} deep")));
    }
    budget.members(members.len() as u64)?;
    budget.whole(members.iter().fold(0u64, |sum, member| sum.saturating_add(member.weight())))?;
    Ok(Value::pool(members))
}

fn place(number: &Value, members: &[Value]) -> Result<usize, Fault> {
    let number = int(number)?;
    let found = usize::try_from(number).ok().filter(|place| *place < members.len());
    found.ok_or_else(|| no_member(number, members.len()))
}

/// A position outside a list.
pub(crate) fn no_member(number: i64, count: usize) -> Fault {
    Fault::runtime(match count {
        0 => format!("there is no position {number}: the list is empty"),
        1 => format!("there is no position {number}; the only one is 0"),
        count => format!("there is no position {number}; they are 0 to {}", count - 1),
    })
}
