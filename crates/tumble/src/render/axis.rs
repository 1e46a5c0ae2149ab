//! A variable that is swept, and the values it takes.
//!
//! ```text
//! values = number ".." number [ ".." step ] | number { "," number }      both ends of a range belong to it
//! ```

/// The most values of one variable.
const MOST_VALUES: i64 = 1000;

/// A variable with the values it takes.
///
/// ```
/// use tumble::render::Axis;
///
/// assert_eq!(Axis::read("N", "0..10..5")?.values, [0, 5, 10]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The name of the variable.
    pub name: String,
    /// Its values.
    pub values: Vec<i64>,
}

impl Axis {
    /// Reads values as people write them: `3..10`, `0..100..10` or `2,4,8`. The error says what is wrong with them.
    pub fn read(name: &str, values: &str) -> Result<Axis, String> {
        let bad = || format!("`{values}` are not values for a sweep; write them like 3..10, 0..100..10 or 2,4,8");
        let number = |piece: &str| piece.trim().parse::<i64>().map_err(|_| bad());
        let values = match values.split("..").collect::<Vec<_>>().as_slice() {
            [list] => list.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
            [from, to] => range(number(from)?, number(to)?, 1)?,
            [from, to, step] => range(number(from)?, number(to)?, number(step)?)?,
            _ => return Err(bad()),
        };
        Axis::new(name, values)
    }

    /// The same from a list.
    pub fn new(name: &str, values: Vec<i64>) -> Result<Axis, String> {
        match values.len() {
            0 => Err(format!("`{name}` has no values")),
            count if count > MOST_VALUES as usize => Err(format!("at most {MOST_VALUES} values can be swept")),
            _ => Ok(Axis { name: name.to_owned(), values }),
        }
    }
}

fn range(from: i64, to: i64, step: i64) -> Result<Vec<i64>, String> {
    if step < 1 {
        return Err("the step of a sweep must be at least 1".to_owned());
    }
    match to.checked_sub(from).map(|span| span / step) {
        Some(span) if (0..MOST_VALUES).contains(&span) && to >= from => {
            Ok((0..=span).map(|n| from + n * step).collect())
        }
        Some(_) if to < from => Err(format!("{from}..{to} is empty; the smaller number comes first")),
        _ => Err(format!("at most {MOST_VALUES} values can be swept")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_ranges_or_lists() {
        for (given, values) in [
            ("3..6", Some(vec![3, 4, 5, 6])),
            ("-1..1", Some(vec![-1, 0, 1])),
            ("0..10..4", Some(vec![0, 4, 8])),
            ("2, 4,8", Some(vec![2, 4, 8])),
            ("5", Some(vec![5])),
            ("6..3", None),
            ("6..3..5", None),
            ("0..1000", None),
            ("-9223372036854775808..9223372036854775807", None),
            ("0..9..0", None),
            ("", None),
            ("1..2..3..4", None),
            ("a..b", None),
        ] {
            assert_eq!(Axis::read("N", given).ok().map(|axis| axis.values), values, "{given}");
        }
    }
}
