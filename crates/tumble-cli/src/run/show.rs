//! A run for a terminal: its lines, its rolls and its options; after an answer, what was before and what is new.

use tumble::batch::Json;
use tumble::render::visible;
use tumble::script::{Item, MetOption, Outcome, Roll, Status, datum_to_json};
use tumble::{Data, Value};

/// More lines than this are not compared one by one.
const MOST_COMPARED: usize = 1000;

/// A page: what the run shows, beside what the run before showed.
/// `paths` shows where options are met, for those who answer in the next call.
/// `worth` is a line for each option, or nothing.
pub(super) fn page(outcome: &Outcome, before: Option<&Outcome>, colour: bool, paths: bool, worth: &[String]) -> String {
    let new = lines(outcome, colour);
    let mut out = match before {
        None => new.iter().map(|line| format!("{line}\n")).collect(),
        Some(before) => compared(&lines(before, colour), &new),
    };
    out.push_str(&dice(outcome, before.is_some()));
    for change in &outcome.changes {
        if let tumble::script::Shown::Change { owner, field, amount } = change {
            let whose = owner.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
            out.push_str(&visible(&format!("\nChange  {whose}{field} {amount:+}\n")));
        }
    }
    out + &options(outcome, paths, worth)
}

/// The options with their answers.
pub(super) fn options(outcome: &Outcome, paths: bool, worth: &[String]) -> String {
    let mut out = String::new();
    if !outcome.options.is_empty() {
        out.push_str("\nOptions\n");
    }
    for (number, option) in outcome.options.iter().enumerate() {
        let path = if paths { format!("  [{}]", option.asked.path) } else { String::new() };
        out.push_str(&format!("  {:>2}  {}{path}\n", number + 1, visible(&asked(option))));
        out.push_str(&worth.get(number).map(|line| format!("      {line}\n")).unwrap_or_default());
    }
    out
}

/// The rolls with their dice; in a run that is not the first, those with new dice.
pub(super) fn dice(outcome: &Outcome, again: bool) -> String {
    let kept = |roll: &Roll| again && roll.status == Status::Kept;
    let stay = outcome.rolls.iter().filter(|roll| kept(roll)).count();
    let mut out = String::new();
    for (number, roll) in outcome.rolls.iter().enumerate().filter(|(_, roll)| !kept(roll)) {
        out.push_str(&format!("  {:>2}  {}\n", number + 1, visible(&roll.shown)));
    }
    match (outcome.rolls.len(), again) {
        (0, _) => String::new(),
        (_, false) => format!("\nDice\n{out}"),
        (all, true) if stay == all => "\nNo new dice\n".to_owned(),
        (_, true) => format!("\nNew dice ({stay} other rolls stay)\n{out}"),
    }
}

/// `Rogue: Reroll dagger?  no`
fn asked(option: &MetOption) -> String {
    let named = option.owner().name.as_deref().filter(|name| !name.is_empty());
    let owner = named.map(|name| format!("{name}: ")).unwrap_or_default();
    let unfit =
        option.asked.unfit.as_ref().map(|unfit| format!("  ({} does not fit)", plain(unfit))).unwrap_or_default();
    format!("{owner}{}  {}{unfit}", option.asked.prompt, answer(option))
}

/// The answer that holds, in words.
pub(super) fn answer(option: &MetOption) -> String {
    let value = &option.asked.value;
    let choice = |at: i64| {
        let texts = option.choices().unwrap_or(&[]);
        usize::try_from(at).ok().and_then(|at| texts.get(at)).cloned().unwrap_or_else(|| at.to_string())
    };
    match (&value.data, option.kind()) {
        (Data::Bool(true), _) => "yes".to_owned(),
        (Data::Bool(false), _) => "no".to_owned(),
        (Data::Int(at), Some("choice")) => choice(*at),
        (Data::Pool(items), _) if items.is_empty() => "none".to_owned(),
        (Data::Pool(items), _) => items.iter().filter_map(Value::as_int).map(choice).collect::<Vec<_>>().join(", "),
        _ => plain(value),
    }
}

fn plain(value: &Value) -> String {
    value.to_string()
}

/// The lines of a run, groups indented, and its result.
fn lines(outcome: &Outcome, colour: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut left: Vec<(usize, &Item)> = outcome.tree.iter().rev().map(|item| (0, item)).collect();
    while let Some((depth, item)) = left.pop() {
        let indent = "  ".repeat(depth);
        match item {
            Item::Line { text, style } => {
                let styled = styled(&visible(text), style.as_deref(), colour);
                found.extend(styled.lines().map(|line| format!("{indent}{line}")));
                if text.is_empty() {
                    found.push(String::new());
                }
            }
            Item::Group { number, title, items } => {
                let title = title.as_ref().map_or_else(|| format!("{number}."), |title| visible(title).into_owned());
                found.push(format!("{indent}{title}"));
                left.extend(items.iter().rev().map(|item| (depth + 1, item)));
            }
        }
    }
    if let Ok(result) = &outcome.result {
        match datum_to_json(result) {
            Json::Null => {}
            Json::String(text) => found.push(format!("= {}", visible(&text))),
            other => found.push(format!("= {}", visible(&other.to_string()))),
        }
    }
    found
}

fn styled(text: &str, style: Option<&str>, colour: bool) -> String {
    let code = match (colour, style) {
        (true, Some("good")) => "32",
        (true, Some("bad")) => "31",
        (true, Some("crit")) => "1;33",
        (true, Some("dim")) => "2",
        _ => return text.to_owned(),
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Lines that are gone behind `-`, new ones behind `+` (longest common subsequence).
fn compared(old: &[String], new: &[String]) -> String {
    if old.len() > MOST_COMPARED || new.len() > MOST_COMPARED {
        return new.iter().map(|line| format!("{line}\n")).collect();
    }
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            common[i][j] = if one == other { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut out, mut i, mut j) = (String::new(), 0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push_str(&format!("  {}\n", new[j]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            out.push_str(&format!("- {}\n", old[i]));
            i += 1;
        } else {
            out.push_str(&format!("+ {}\n", new[j]));
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::compared;

    #[test]
    fn what_changed_is_marked() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(compared(&lines("a b c"), &lines("a x c d")), "  a\n- b\n+ x\n  c\n+ d\n");
        assert_eq!(compared(&lines("a"), &lines("a")), "  a\n");
    }
}
