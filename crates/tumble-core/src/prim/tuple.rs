//! Several values as one: tuples of any width, and results side by side.
//!
//! ```text
//! field(i, tuple(v0, v1, …))           = vi            fields are counted from 0
//! field(i, with_field(i, t, v))        = v
//! field(j, with_field(i, t, v))        = field(j, t)   for another j
//! ```

use super::{BLANK, Fails, Prim, Sort, int};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::value::{Data, Value};

/// `[a, b]`
pub static TUPLE: Prim = Prim {
    name: "tuple",
    takes: &[Sort::Rest],
    gives: Sort::Tuple,
    doc: "Several values as one, each in a field; two are a pair.",
    example: (&["1", "\"a\"", "[2, 3]"], "(1, \"a\", [2, 3])"),
    fails: Fails::Never,
    apply: |args, budget| made(args.to_vec(), budget),
    ..BLANK
};

/// `%1 p`
pub static FIELD: Prim = Prim {
    name: "field",
    takes: &[Sort::Int, Sort::Tuple],
    gives: Sort::Any,
    doc: "One field of several values; the first has the number 0.",
    example: (&["1", "(1, \"a\")"], "\"a\""),
    fails: Fails::Never,
    apply: |args, _| {
        let items = tuple(&args[1])?;
        Ok(items[place(&args[0], items)?].clone())
    },
    ..BLANK
};

/// The same with another value in one field
pub static WITH_FIELD: Prim = Prim {
    name: "with_field",
    takes: &[Sort::Int, Sort::Tuple, Sort::Any],
    gives: Sort::Tuple,
    doc: "The same values with another one in this field; the first has the number 0.",
    example: (&["1", "(1, 2, 3)", "\"a\""], "(1, \"a\", 3)"),
    fails: Fails::Never,
    apply: |args, budget| {
        let mut items = tuple(&args[1])?.to_vec();
        let place = place(&args[0], &items)?;
        items[place] = args[2].clone();
        made(items, budget)
    },
    ..BLANK
};

/// `a; b`
pub static RESULTS: Prim = Prim {
    name: "results",
    takes: &[Sort::Rest],
    gives: Sort::List,
    doc: "Several results, side by side.",
    example: (&["1", "[2, 3]", "\"a\""], "<1, [2, 3], \"a\">"),
    apply: |args, budget| {
        budget.members(args.iter().fold(0u64, |sum, arg| sum.saturating_add(arg.weight())))?;
        Ok(Value::list(args.to_vec()))
    },
    ..BLANK
};

/// Values are compared and dropped by recursion, so their depth has a limit.
const DEEPEST: u32 = 64;

/// The fields of a tuple of just so many, as they are bound to so many variables.
pub fn fields(value: &Value, width: usize) -> Result<&[Value], Fault> {
    let several = |count: usize| if count == 2 { "a pair".to_owned() } else { format!("{count} values") };
    match &value.data {
        Data::Tuple(items) if items.len() == width => Ok(items),
        Data::Tuple(items) => {
            Err(Fault::wrong_type(format!("expected {}, not {}", several(width), several(items.len()))))
        }
        _ => Err(Fault::wrong_type(format!("expected {}, not {}", several(width), value.sort()))),
    }
}

fn made(items: Vec<Value>, budget: &mut Budget) -> Result<Value, Fault> {
    if items.iter().any(|item| item.depth() >= DEEPEST) {
        return Err(Fault::limit(format!("values are nested more than {DEEPEST} deep")));
    }
    // What is in a field is shared and not copied.
    budget.step(items.len() as u64)?;
    budget.whole(items.iter().fold(0u64, |sum, item| sum.saturating_add(item.weight())))?;
    Ok(Value::tuple(items))
}

fn tuple(value: &Value) -> Result<&[Value], Fault> {
    match &value.data {
        Data::Tuple(items) => Ok(items),
        _ => Err(Fault::wrong_type(format!("expected a pair or more values, not {}", value.sort()))),
    }
}

fn place(number: &Value, items: &[Value]) -> Result<usize, Fault> {
    let number = int(number)?;
    usize::try_from(number).ok().filter(|place| *place < items.len()).ok_or_else(|| match items.len() {
        0 => Fault::runtime(format!("there is no field {number}: there are no fields")),
        1 => Fault::runtime(format!("there is no field {number}; the only one is 0")),
        count => Fault::runtime(format!("there is no field {number}; they are 0 to {}", count - 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::apply;
    use super::*;

    fn ints(items: &[i64]) -> Value {
        Value::tuple(items.iter().map(|&n| Value::int(n)).collect())
    }

    #[test]
    fn a_field_that_is_not_there_is_a_fault() {
        let words = |row: &Prim, args: &[Value]| apply(row, args).unwrap_err().message;
        for (number, there, message) in [
            (2, &[1, 2][..], "there is no field 2; they are 0 to 1"),
            (-1, &[1, 2], "there is no field -1; they are 0 to 1"),
            (1, &[1], "there is no field 1; the only one is 0"),
            (0, &[], "there is no field 0: there are no fields"),
        ] {
            let (number, there) = (Value::int(number), ints(there));
            assert_eq!(words(&FIELD, &[number.clone(), there.clone()]), message);
            assert_eq!(words(&WITH_FIELD, &[number, there, Value::int(7)]), message);
        }
        assert_eq!(words(&FIELD, &[Value::int(0), Value::int(3)]), "expected a pair or more values, not a number");
    }

    #[test]
    fn variables_take_just_as_many_fields() {
        for (value, width, message) in [
            (ints(&[1, 2, 3]), 2, "expected a pair, not 3 values"),
            (ints(&[1, 2]), 3, "expected 3 values, not a pair"),
            (Value::int(1), 2, "expected a pair, not a number"),
        ] {
            assert_eq!(fields(&value, width).unwrap_err().message, message);
        }
        assert_eq!(fields(&ints(&[1, 2]), 2).unwrap().len(), 2);
    }

    #[test]
    fn values_inside_each_other_have_a_limit() {
        let mut value = Value::int(1);
        let mut nested = 0;
        while let Ok(deeper) = apply(&TUPLE, &[value.clone()]) {
            (value, nested) = (deeper, nested + 1);
        }
        assert_eq!(nested, DEEPEST);
        assert!(apply(&WITH_FIELD, &[Value::int(0), ints(&[1]), value]).is_err());
    }
}
