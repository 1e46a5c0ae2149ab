//! Arithmetic: whole numbers of 64 bits and fractions of them, checked; an overflow is an error, never a wrap.
//!
//! Only [`OVER`] makes a fraction of whole numbers. Every row takes fractions where it takes numbers, and rounds where
//! it says so: `floor(x)` is `div(x, 1)`.

use super::bounds::{Extent, Interval, Told, divided, linear, monotone};
use super::{BLANK, Fails, Flat, Prim, Sort, int, ratio};
use crate::diagnostic::Fault;
use crate::ratio::Ratio;
use crate::value::Value;

/// `a + b`
pub static ADD: Prim = Prim {
    name: "add",
    doc: "The sum of two numbers.",
    example: (&["2", "3"], "5"),
    fails: Fails::Overflow,
    tell: |args| linear(args, &[(0, 1), (1, 1)]),
    flat: Some(Flat::Two(i64::checked_add)),
    apply: |args, _| two(args, i64::checked_add, Ratio::plus),
    ..BINARY
};

/// `a - b`
pub static SUB: Prim = Prim {
    name: "sub",
    doc: "The first number minus the second.",
    example: (&["2", "3"], "-1"),
    fails: Fails::Overflow,
    tell: |args| linear(args, &[(0, 1), (1, -1)]),
    flat: Some(Flat::Two(i64::checked_sub)),
    apply: |args, _| two(args, i64::checked_sub, Ratio::minus),
    ..BINARY
};

/// `a * b`
pub static MUL: Prim = Prim {
    name: "mul",
    doc: "The product of two numbers.",
    example: (&["2", "-3"], "-6"),
    fails: Fails::Overflow,
    tell: |args| match (args[0].int(), args[1].int()) {
        (Some(n), _) => linear(args, &[(1, n)]),
        (_, Some(n)) => linear(args, &[(0, n)]),
        _ => args[0].number().zip(args[1].number()).map_or(Told::NOTHING, |(a, b)| Told::number(a.by(b))),
    },
    flat: Some(Flat::Two(i64::checked_mul)),
    apply: |args, _| two(args, i64::checked_mul, Ratio::times),
    ..BINARY
};

/// `a / b`, rounded down
pub static DIV: Prim = Prim {
    name: "div",
    doc: "The quotient of two numbers, rounded down.",
    example: (&["7", "-2"], "-4"),
    tell: |args| quotient(args, down),
    flat: Some(Flat::Two(down)),
    apply: |args, _| {
        divisor(second(args)?, "division by zero")?;
        two(args, down, |a, b| Some(a.over(b)?.floor().into()))
    },
    ..BINARY
};

/// `a / b`, as it is
pub static OVER: Prim = Prim {
    name: "over",
    doc: "The quotient of two numbers; a fraction if it is not whole.",
    example: (&["7", "-2"], "-7/2"),
    tell: |args| match (args[0].int(), args[1].int()) {
        (_, Some(1)) => linear(args, &[(0, 1)]),
        (Some(a), Some(b)) => Ratio::new(a.into(), b.into()).map_or(Told::NOTHING, |of| Told::known(Value::ratio(of))),
        (_, Some(by)) if args[0].number().is_some() && by != 0 => {
            let Told::Within(within) = rounded_out(args) else { return Told::NOTHING };
            Told::Part { place: 0, by, within }
        }
        _ => Told::NOTHING,
    },
    apply: |args, _| {
        divisor(second(args)?, "division by zero")?;
        two(args, |_, _| None, Ratio::over)
    },
    ..BINARY
};

/// `a / b`, rounded up
pub static DIV_UP: Prim = Prim {
    name: "div_up",
    doc: "The quotient of two numbers, rounded up.",
    example: (&["7", "2"], "4"),
    tell: |args| quotient(args, up),
    flat: Some(Flat::Two(up)),
    apply: |args, _| {
        divisor(second(args)?, "division by zero")?;
        two(args, up, |a, b| Some(a.over(b)?.ceil().into()))
    },
    ..BINARY
};

/// `a / b`, rounded toward zero
pub static QUOT: Prim = Prim {
    name: "quot",
    doc: "The quotient of two numbers, rounded toward zero.",
    example: (&["-7", "2"], "-3"),
    tell: |args| if one_sided(&args[0]) { quotient(args, i64::checked_div) } else { monotone(args, i64::checked_div) },
    flat: Some(Flat::Two(i64::checked_div)),
    apply: |args, _| {
        divisor(second(args)?, "division by zero")?;
        two(args, i64::checked_div, |a, b| Some(a.over(b)?.trunc().into()))
    },
    ..BINARY
};

/// `a % b`, with the sign of a
pub static REM: Prim = Prim {
    name: "rem",
    doc: "The remainder of a division rounded toward zero; it has the sign of the dividend.",
    example: (&["-7", "3"], "-1"),
    tell: |args| match (args[1].int(), args[0].number()) {
        (Some(n), Some(of)) if n != 0 && n != i64::MIN => {
            // A fraction leaves up to nearly the whole divisor.
            let most = n.abs();
            let (lo, hi) = (if of.from(0) { 0 } else { -most }, if of.up_to(0) { 0 } else { most });
            let told = Told::number(Interval { lo: Some(lo), hi: Some(hi) });
            if one_sided(&args[0]) { divided(args, (0, 1), 0, told) } else { told }
        }
        _ => Told::NOTHING,
    },
    flat: Some(Flat::Two(rem)),
    apply: |args, _| {
        divisor(second(args)?, "remainder of a division by zero")?;
        two(args, rem, |a, b| left(a, b, Ratio::trunc))
    },
    ..BINARY
};

/// `a ^ b`
pub static POW: Prim = Prim {
    name: "pow",
    doc: "The first number to the power of the second, which must not be negative.",
    example: (&["2", "10"], "1024"),
    flat: Some(Flat::Two(pow)),
    apply: |args, _| match int(&args[1])? {
        power if power < 0 => Err(Fault::runtime(format!("can't raise to the power {power}; it must be 0 or more"))),
        _ => two(args, pow, power),
    },
    ..BINARY
};

/// `a mod b`, with the sign of b
pub static MOD: Prim = Prim {
    name: "mod",
    doc: "The remainder of a division rounded down; it has the sign of the divisor.",
    example: (&["-7", "3"], "2"),
    tell: |args| match args[1].number().and_then(remainders) {
        Some(left) => divided(args, (0, 1), 0, Told::number(left)),
        None => Told::NOTHING,
    },
    flat: Some(Flat::Two(modulo)),
    apply: |args, _| {
        divisor(second(args)?, "remainder of a division by zero")?;
        two(args, modulo, |a, b| left(a, b, Ratio::floor))
    },
    ..BINARY
};

/// `-a`
pub static NEG: Prim = Prim {
    name: "neg",
    doc: "The negative of the number.",
    example: (&["5"], "-5"),
    fails: Fails::Overflow,
    tell: |args| linear(args, &[(0, -1)]),
    flat: Some(Flat::One(i64::checked_neg)),
    apply: |args, _| Ratio::from(0).minus(ratio(&args[0])?).map(Value::ratio).ok_or_else(overflow),
    ..UNARY
};

/// `abs a`
pub static ABS: Prim = Prim {
    name: "abs",
    doc: "The absolute value of the number.",
    example: (&["-9"], "9"),
    fails: Fails::Overflow,
    tell: |args| match args[0].number() {
        Some(of) if of.from(0) => linear(args, &[(0, 1)]),
        Some(of) if of.up_to(0) => linear(args, &[(0, -1)]),
        Some(of) => {
            let hi = of.lo.zip(of.hi).and_then(|(lo, hi)| Some(lo.checked_neg()?.max(hi)));
            Told::number(Interval { lo: Some(0), hi })
        }
        None => Told::NOTHING,
    },
    flat: Some(Flat::One(i64::checked_abs)),
    apply: |args, _| {
        let number = ratio(&args[0])?;
        let size = if number < Ratio::from(0) { Ratio::from(0).minus(number) } else { Some(number) };
        size.map(Value::ratio).ok_or_else(overflow)
    },
    ..UNARY
};

/// `sgn a`
pub static SIGN: Prim = Prim {
    name: "sign",
    doc: "-1, 0 or 1: the sign of a number.",
    example: (&["-9"], "-1"),
    fails: Fails::Never,
    tell: |args| match args[0].number() {
        Some(of) => {
            Told::number(Interval { lo: Some(of.lo.map_or(-1, i64::signum)), hi: Some(of.hi.map_or(1, i64::signum)) })
        }
        None => Told::NOTHING,
    },
    flat: Some(Flat::One(|n| Some(n.signum()))),
    apply: |args, _| Ok(Value::int(ratio(&args[0])?.numerator().signum())),
    ..UNARY
};

/// `sqrt(a)`, rounded down
pub static SQRT: Prim = Prim {
    name: "sqrt",
    doc: "The square root of a number that is not negative, rounded down.",
    example: (&["17"], "4"),
    tell: |args| match args[0].number().filter(|of| of.from(0)) {
        Some(of) => Told::number(Interval { lo: of.lo.map(i64::isqrt), hi: of.hi.map(i64::isqrt) }),
        None => Told::NOTHING,
    },
    flat: Some(Flat::One(i64::checked_isqrt)),
    apply: |args, _| {
        let of = ratio(&args[0])?;
        match of.numerator().div_euclid(of.denominator()).checked_isqrt() {
            Some(root) => Ok(Value::int(root)),
            None => Err(Fault::runtime("a negative number has no square root")),
        }
    },
    ..UNARY
};

const BINARY: Prim = Prim { takes: &[Sort::Int, Sort::Int], gives: Sort::Int, ..BLANK };

const UNARY: Prim = Prim { takes: &[Sort::Int], ..BINARY };

/// What is told of a quotient: it rises by one each time the dividend is larger by the divisor.
fn quotient(args: &[Extent], f: fn(i64, i64) -> Option<i64>) -> Told {
    divided(args, (0, 1), args[1].int().map_or(0, i64::signum), monotone(args, f))
}

/// Whole numbers between which a quotient is.
fn rounded_out(args: &[Extent]) -> Told {
    match (monotone(args, down), monotone(args, up)) {
        (Told::Within(Extent::Number(low)), Told::Within(Extent::Number(high))) => {
            Told::number(Interval { lo: low.lo, hi: high.hi })
        }
        _ => Told::NOTHING,
    }
}

/// Whether no numbers on both sides of zero are among these: there, rounding toward zero is rounding in one direction.
fn one_sided(of: &Extent) -> bool {
    of.number().is_some_and(|of| of.from(0) || of.up_to(0))
}

/// The quotient rounded down; none by zero.
fn down(a: i64, b: i64) -> Option<i64> {
    Some(a.checked_div(b)? - i64::from(a % b != 0 && (a < 0) != (b < 0)))
}

/// The quotient rounded up; none by zero.
fn up(a: i64, b: i64) -> Option<i64> {
    Some(a.checked_div(b)? + i64::from(a % b != 0 && (a < 0) == (b < 0)))
}

/// What becomes of two numbers: by the first function if both are whole, and by the second if it has no answer to that.
fn two(
    args: &[Value],
    whole: fn(i64, i64) -> Option<i64>,
    any: fn(Ratio, Ratio) -> Option<Ratio>,
) -> Result<Value, Fault> {
    let plain = args[0].as_int().zip(args[1].as_int()).and_then(|(a, b)| whole(a, b));
    match plain {
        Some(n) => Ok(Value::int(n)),
        None => any(ratio(&args[0])?, ratio(&args[1])?).map(Value::ratio).ok_or_else(overflow),
    }
}

/// What is divided by, once what is divided is known to be a number.
fn second(args: &[Value]) -> Result<&Value, Fault> {
    ratio(&args[0]).map(|_| &args[1])
}

/// Nothing can be divided by zero.
pub(super) fn divisor(by: &Value, message: &str) -> Result<(), Fault> {
    let zero = ratio(by)? == Ratio::from(0);
    if zero { Err(Fault::runtime(message).kind("divide-by-zero")) } else { Ok(()) }
}

/// What a division leaves, by how its quotient is rounded; none by zero.
pub(super) fn left(of: Ratio, by: Ratio, rounded: fn(Ratio) -> i64) -> Option<Ratio> {
    of.minus(by.times(rounded(of.over(by)?).into())?)
}

/// What a division by these numbers, rounded down, can leave; none if their sign is not certain.
pub(super) fn remainders(by: Interval) -> Option<Interval> {
    match by {
        _ if by.from(1) => Some(Interval { lo: Some(0), hi: by.hi }),
        _ if by.up_to(-1) => Some(Interval { lo: by.lo, hi: Some(0) }),
        _ => None,
    }
}

/// What a division rounded toward zero leaves; none by zero.
fn rem(a: i64, b: i64) -> Option<i64> {
    // Only the quotient by -1 can be too large.
    (b != 0).then(|| a.checked_rem(b).unwrap_or(0))
}

/// What a division rounded down leaves; none by zero.
pub(super) fn modulo(a: i64, b: i64) -> Option<i64> {
    let left = rem(a, b)?;
    Some(if left != 0 && (left < 0) != (b < 0) { left + b } else { left })
}

/// A power; none of a negative one.
fn pow(base: i64, power: i64) -> Option<i64> {
    // Only 0, 1 and -1 have a power as high as this, and of these only whether it is even matters.
    let high = || u32::try_from(1000 + power % 2).ok();
    base.checked_pow(u32::try_from(power).ok().or_else(|| high().filter(|_| power >= 0))?)
}

/// A power of a fraction; none of a negative one.
fn power(base: Ratio, power: Ratio) -> Option<Ratio> {
    let power = u32::try_from(power.whole()?).ok()?;
    let part = |n: i64| n.checked_pow(power).map(i128::from);
    Ratio::new(part(base.numerator())?, part(base.denominator())?)
}

pub(super) fn overflow() -> Fault {
    Fault::runtime("the result is too large; numbers range from -9223372036854775808 to 9223372036854775807")
}
