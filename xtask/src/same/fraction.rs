//! Fractions as answers write them, `3` or `1/216`, with numbers of any length; all we ask is which is larger.

use std::cmp::Ordering;

/// Digits of a number in base 1,000,000,000, the last ones first, without zeros at the end.
type Digits = Vec<u64>;

const BASE: u64 = 1_000_000_000;

/// Which of two fractions from 0 up is larger; none if one of them is no fraction.
pub(super) fn compare(one: &str, other: &str) -> Option<Ordering> {
    let (above, below) = parts(one)?;
    let (other_above, other_below) = parts(other)?;
    let (left, right) = (product(&above, &other_below), product(&other_above, &below));
    Some(left.len().cmp(&right.len()).then_with(|| left.iter().rev().cmp(right.iter().rev())))
}

fn parts(text: &str) -> Option<(Digits, Digits)> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    Some((digits(above)?, digits(below)?))
}

fn digits(text: &str) -> Option<Digits> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let pieces =
        text.as_bytes().rchunks(9).map(|piece| piece.iter().fold(0, |n, byte| n * 10 + u64::from(byte - b'0')));
    Some(trimmed(pieces.collect()))
}

fn product(one: &Digits, other: &Digits) -> Digits {
    let mut out = vec![0; one.len() + other.len() + 1];
    for (at, digit) in one.iter().enumerate() {
        let mut carry = 0;
        for (further, other) in other.iter().enumerate() {
            let sum = out[at + further] + digit * other + carry;
            (out[at + further], carry) = (sum % BASE, sum / BASE);
        }
        out[at + other.len()] += carry;
    }
    trimmed(out)
}

fn trimmed(mut digits: Digits) -> Digits {
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_compared() {
        let long = |digit: &str| format!("{}/{}", digit.repeat(60), "9".repeat(61));
        for (one, other, expected) in [
            ("1/2", "1/3", Ordering::Greater),
            ("2/3", "3/4", Ordering::Less),
            ("0", "1/1000000000000", Ordering::Less),
            ("1", "1", Ordering::Equal),
            ("1000000000/3000000001", "1/3", Ordering::Less),
            (&long("3"), &long("4"), Ordering::Less),
            (&long("3"), &long("3"), Ordering::Equal),
        ] {
            assert_eq!(compare(one, other), Some(expected), "{one} {other}");
            assert_eq!(compare(other, one), Some(expected.reverse()), "{other} {one}");
        }
        assert_eq!((compare("", "1"), compare("1", "-1"), compare("1/x", "1")), (None, None, None));
    }
}
