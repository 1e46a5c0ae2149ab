//! What a draw or a repetition asks for, and what is wrong with it: the same words in every semantics.

use crate::diagnostic::Fault;
use crate::value::Value;

/// How many faces a range has, if it has any and they can be counted.
pub fn faces(lo: &Value, hi: &Value) -> Result<u64, Fault> {
    let (lo, hi) = (number(lo)?, number(hi)?);
    match (i128::from(hi) - i128::from(lo) + 1, lo) {
        (size, _) if size > i128::from(u64::MAX) => Err(Fault::limit("a die with this many sides is too large")),
        (size, _) if size > 0 => Ok(u64::try_from(size).unwrap_or(u64::MAX)),
        (_, 1) => Err(Fault::runtime(format!("a die needs at least 1 side, not {hi}"))),
        (_, 0) => Err(Fault::runtime(format!("the largest face must be 0 or more, not {hi}"))),
        _ => Err(Fault::runtime(format!("a die can't have faces from {lo} to {hi}"))),
    }
}

/// The members one of which is to be chosen.
pub fn members(pool: &Value) -> Result<&[Value], Fault> {
    pool.as_pool().ok_or_else(|| Fault::wrong_type(format!("expected a collection, not {}", pool.sort())))
}

/// The members one of which is to be chosen; there must be one.
pub fn some_members(pool: &Value) -> Result<&[Value], Fault> {
    match members(pool)? {
        [] => Err(Fault::runtime("can't choose from an empty collection")),
        members => Ok(members),
    }
}

/// How many members to pick from so many.
pub fn picks(count: &Value, from: usize) -> Result<usize, Fault> {
    let count = number(count)?;
    if count < 0 {
        return Err(Fault::runtime(format!("can't pick {count} members; the number must be 0 or more")));
    }
    Ok(usize::try_from(count).unwrap_or(usize::MAX).min(from))
}

/// How often to repeat.
pub fn times(count: &Value) -> Result<u64, Fault> {
    let count = number(count)?;
    u64::try_from(count).map_err(|_| {
        Fault::runtime(format!("can't roll {count} times; the number must be 0 or more")).kind("negative-count")
    })
}

fn number(value: &Value) -> Result<i64, Fault> {
    value.as_int().ok_or_else(|| Fault::wrong_type(format!("expected a number, not {}", value.sort())))
}
