//! Texts as boxes of lines: turning values into text, and joining boxes.
//!
//! Side by side, the shorter box is filled up with blank lines below; stacked, each line is filled
//! up with spaces to the wider box. A box without lines changes nothing.

use super::{BLANK, Fails, Prim, Sort, items, lines};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::value::{Data, Text, Value};

/// `'v`
pub static TEXT: Prim = Prim {
    name: "text",
    takes: &[Sort::Any],
    doc: "The value as text: each number followed by a space, a pair in brackets.",
    example: (&["[1, 2]"], "\"1 2 \""),
    apply: |args, budget| {
        budget.step(args[0].weight())?;
        spelled(&args[0]).map(Value::lines)
    },
    ..ROW
};

/// `text(v)`
pub static WRITTEN: Prim = Prim {
    name: "written",
    takes: &[Sort::Any],
    doc: "The value as a script writes it: a number, a truth, a text as it is, a list in brackets, the name of a member.",
    example: (&["[1, 2]"], "\"[1, 2]\""),
    fails: Fails::Never,
    apply: |args, budget| {
        let mut text = String::new();
        write(&args[0], &mut text, budget)?;
        long(text, budget)
    },
    ..ROW
};

/// Each member as text
pub static WRITTEN_EACH: Prim = Prim {
    name: "written_each",
    takes: &[Sort::Pool],
    gives: Sort::Pool,
    doc: "The members of a list as a script writes them.",
    example: (&["[1, 2]"], "[\"1\", \"2\"]"),
    fails: Fails::Never,
    apply: |args, budget| {
        let mut texts = Vec::new();
        for member in super::pool(&args[0])? {
            let mut text = String::new();
            write(member, &mut text, budget)?;
            texts.push(long(text, budget)?);
        }
        Ok(Value::pool(texts))
    },
    ..ROW
};

/// `a + b` for texts
pub static JOIN: Prim = Prim {
    name: "join",
    takes: &[Sort::Rest],
    doc: "Texts one after the other.",
    example: (&["\"a\"", "\"b\""], "\"ab\""),
    fails: Fails::Never,
    apply: |args, budget| {
        let mut text = String::new();
        for arg in args {
            text.push_str(&lines(arg)?.to_string());
            if text.len() > LONGEST {
                break;
            }
        }
        long(text, budget)
    },
    ..ROW
};

/// `a || b`
pub static BESIDE: Prim = Prim {
    name: "beside",
    takes: &[Sort::Text, Sort::Text],
    doc: "Two boxes side by side, their tops aligned.",
    example: (&["\"A\nB\"", "\"x\""], "\"Ax\\nB \""),
    apply: |args, budget| {
        charge(args, budget)?;
        Ok(Value::lines(beside(lines(&args[0])?, lines(&args[1])?)))
    },
    ..ROW
};

/// `a |> b`
pub static STACK_LEFT: Prim = Prim {
    name: "stack_left",
    takes: &[Sort::Text, Sort::Text],
    doc: "The first box above the second, left-aligned.",
    example: (&["\"a\"", "\"bcd\""], "\"a  \\nbcd\""),
    apply: |args, budget| stack(args, budget, |_| 0),
    ..ROW
};

/// `a <| b`
pub static STACK_RIGHT: Prim = Prim {
    name: "stack_right",
    takes: &[Sort::Text, Sort::Text],
    doc: "The first box above the second, right-aligned.",
    example: (&["\"a\"", "\"bcd\""], "\"  a\\nbcd\""),
    apply: |args, budget| stack(args, budget, |gap| gap),
    ..ROW
};

/// `a <> b`
pub static STACK_CENTRE: Prim = Prim {
    name: "stack_centre",
    takes: &[Sort::Text, Sort::Text],
    doc: "The first box above the second, centred; an odd space goes to the right.",
    example: (&["\"a\"", "\"bcde\""], "\" a  \\nbcde\""),
    apply: |args, budget| stack(args, budget, |gap| gap / 2),
    ..ROW
};

/// `n ' e`
pub static LAYERS: Prim = Prim {
    name: "layers",
    takes: &[Sort::List],
    doc: "All boxes of a list stacked, right-aligned.",
    example: (&["<\"a\", \"bc\">"], "\" a\\nbc\""),
    apply: |args, budget| {
        charge(args, budget)?;
        let boxes = items(&args[0])?.iter().map(lines).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::lines(layers(&boxes, |gap| gap)))
    },
    ..ROW
};

const ROW: Prim = Prim { gives: Sort::Text, ..BLANK };

/// The longest text of a script, in bytes.
const LONGEST: usize = 64 * 1024;

/// A text that may be too long.
fn long(text: String, budget: &mut Budget) -> Result<Value, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::limit(format!("a text of more than {LONGEST} bytes is too long")));
    }
    budget.step(1 + text.len() as u64 / 8)?;
    Ok(Value::text(&text))
}

/// Writes a value; it stops where the text is too long anyway.
fn write(value: &Value, text: &mut String, budget: &mut Budget) -> Result<(), Fault> {
    if text.len() > LONGEST {
        return Ok(());
    }
    budget.step(1)?;
    match &value.data {
        Data::Text(own) => text.push_str(&own.to_string()),
        Data::Int(n) => text.push_str(&n.to_string()),
        Data::Ratio(ratio) => text.push_str(&ratio.to_string()),
        Data::Bool(b) => text.push_str(&b.to_string()),
        Data::Pool(members) => {
            text.push('[');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                write(member, text, budget)?;
            }
            text.push(']');
        }
        // A member of an enumeration: its number, by which it is ordered, and its name.
        Data::Tuple(items) if items.len() == 2 => write(&items[1], text, budget)?,
        _ => return Err(Fault::wrong_type(format!("{} can't be turned into text", value.sort()))),
    }
    Ok(())
}

/// Texts grow by being joined with themselves, so their size has a limit: the joined box is paid for
/// before it is built.
fn charge(args: &[Value], budget: &mut Budget) -> Result<(), Fault> {
    let boxes: Vec<&Text> = match args {
        [one] => items(one)?.iter().filter_map(Value::as_text).collect(),
        _ => args.iter().filter_map(Value::as_text).collect(),
    };
    let height: usize = boxes.iter().map(|text| text.lines.len()).sum();
    let wide: usize = boxes.iter().map(|text| width(text)).sum();
    let size = (height as u64).saturating_mul(wide as u64 + 1);
    if size > LARGEST_BOX {
        return Err(Fault::limit(format!("text of more than {LARGEST_BOX} characters is too large")));
    }
    budget.step(1 + size / 8)
}

const LARGEST_BOX: u64 = 1_000_000;

fn spelled(value: &Value) -> Result<Text, Fault> {
    match &value.data {
        Data::Text(text) => Ok(Text::clone(text)),
        Data::Int(n) => Ok(Text::new(&format!("{n} "))),
        Data::Ratio(ratio) => Ok(Text::new(&format!("{ratio} "))),
        Data::Pool(members) => {
            let mut line = String::new();
            for member in members.iter() {
                match member.data {
                    Data::Int(n) => line.push_str(&format!("{n} ")),
                    _ => line.push_str(&format!("{member} ")),
                }
            }
            Ok(Text::new(&line))
        }
        Data::Tuple(items) => {
            let mut text = Text::new("[");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    text = beside(&text, &Text::new(" , "));
                }
                text = beside(&text, &spelled(item)?);
            }
            Ok(beside(&text, &Text::new("]")))
        }
        _ => Err(Fault::wrong_type(format!("{} can't be turned into text", value.sort()))),
    }
}

fn width(text: &Text) -> usize {
    text.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

fn beside(left: &Text, right: &Text) -> Text {
    let (wide, height) = (width(left), left.lines.len().max(right.lines.len()));
    let right_wide = width(right);
    let line = |text: &Text, i: usize, wide: usize| format!("{:wide$}", text.lines.get(i).map_or("", String::as_str));
    Text { lines: (0..height).map(|i| line(left, i, wide) + &line(right, i, right_wide)).collect() }
}

fn stack(args: &[Value], budget: &mut Budget, before: impl Fn(usize) -> usize) -> Result<Value, Fault> {
    charge(args, budget)?;
    Ok(Value::lines(layers(&[lines(&args[0])?, lines(&args[1])?], before)))
}

/// The boxes above each other; of a gap of blanks, `before` go before the line.
fn layers(boxes: &[&Text], before: impl Fn(usize) -> usize) -> Text {
    let wide = boxes.iter().map(|text| width(text)).max().unwrap_or(0);
    let place = |text: &Text, line: &String| {
        let gap = wide - width(text);
        let left = before(gap);
        let rest = wide - left;
        format!("{:left$}{line:rest$}", "")
    };
    Text { lines: boxes.iter().flat_map(|text| text.lines.iter().map(|line| place(text, line))).collect() }
}
