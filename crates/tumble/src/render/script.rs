//! The odds and the best play of scripts for people: below a table, what each option is worth; for best play its value,
//! the first decision and what to do.
//!
//! ```text
//! Reroll? (Ann): comes up 40 %; worth +1.63 (4.08 → 5.71)
//! Again?: yes if x is at most 3
//! ```

use super::explain::{grouped, wrapped};
use super::table::percent;
use super::text::trimmed;
use super::{visible, width};
use crate::script::answers::{Leads, Measure, known, leads, likeliest};
use crate::script::{Advice, Best, Decision, Effort, Group, OpenWorth, OptionOdds, Shape};
use tumble_core::sort;
use tumble_core::{Diagnostic, Value};
use tumble_exact::Fraction;

/// What each option is worth, a paragraph each.
pub fn options(
    options: &[OptionOdds],
    shape: &Shape,
    measure: Measure<'_>,
    columns: usize,
) -> Result<String, Diagnostic> {
    options.iter().map(|option| Ok(shown(&self::option(option, shape, measure, columns)?))).collect()
}

/// Prompts, titles and answers are texts of the script.
fn shown(text: &str) -> String {
    visible(text).into_owned()
}

fn option(option: &OptionOdds, shape: &Shape, measure: Measure<'_>, columns: usize) -> Result<String, Diagnostic> {
    let mut led = vec![];
    for (answer, odds) in &option.answers {
        led.push((shape.answer(&option.group.form, answer), leads(odds, shape, measure)?));
    }
    let chances = matches!(measure, Measure::Chance(_));
    let head = format!("{}: {}", named(&option.group), met(option.met.as_ref()));
    if let Some(why) = &option.refused {
        return Ok(hanging(&format!("{head}; its worth is not known: {}", why.message)));
    }
    Ok(match led.as_slice() {
        [(_, Leads::To(off)), (no, Leads::To(on))] if no == "yes" => {
            hanging(&format!("{head}; {}", difference(off, on, chances)))
        }
        [(_, Leads::To(_)), ..] => {
            let number = |leads: &Leads| match leads {
                Leads::To(number) => measured(number, chances),
                Leads::Among(_) => String::new(),
            };
            let cells: Vec<String> = led.iter().map(|(answer, leads)| format!("{answer}: {}", number(leads))).collect();
            let some = (option.of > led.len() as u64)
                .then(|| format!(" (the first {} of {} answers)", led.len(), grouped(option.of)));
            format!("{head}; by answer{}\n{}", some.unwrap_or_default(), filled(&cells, columns))
        }
        _ => format!("{head}{}\n{}", shown_of(&led, option.of), table(&led, shape)),
    })
}

/// How many of the answers are beside each other.
fn shown_of(led: &[(String, Leads)], of: u64) -> String {
    match led.len().min(BESIDE) as u64 {
        some if some < of => format!(" (the first {some} of {} answers)", grouped(of)),
        _ => String::new(),
    }
}

/// More answers than this do not fit beside each other.
const BESIDE: usize = 5;

/// Lines that fit the page; all but the first are indented.
fn hanging(words: &str) -> String {
    // A number and its unit stay together.
    wrapped("  ", &words.replace(" %", "\u{a0}%").replace("→ ", "→\u{a0}")).replacen("  ", "", 1).replace('\u{a0}', " ")
}

/// `Reroll? (Ann)`
pub fn named(group: &Group) -> String {
    match group.owner.as_deref().filter(|owner| !owner.is_empty()) {
        Some(owner) => format!("{} ({owner})", group.form),
        None => group.form.clone(),
    }
}

fn met(met: Option<&Fraction>) -> String {
    match met {
        Some(met) if *met == Fraction::one() => "always comes up".to_owned(),
        Some(met) if met.is_zero() => "never comes up".to_owned(),
        Some(met) => format!("comes up {} %", trimmed(&percent(met))),
        None => "how often it comes up is not known".to_owned(),
    }
}

/// `worth +1.63 (4.08 → 5.71)`
fn difference(off: &Fraction, on: &Fraction, chances: bool) -> String {
    let gain = on - off;
    if gain.is_zero() {
        return format!("makes no difference ({})", measured(off, chances));
    }
    let from = format!("({} → {})", measured(off, chances), measured(on, chances));
    format!("worth {} {from}", signed(&gain, chances))
}

/// `+1.63`, or `+12.5 percentage points`.
fn signed(gain: &Fraction, chances: bool) -> String {
    let (size, unit) = match chances {
        true => (gain * &Fraction::whole(100), " percentage points"),
        false => (gain.clone(), ""),
    };
    let told = short(&size);
    let sign = if told.starts_with('-') { "" } else { "+" };
    format!("{sign}{told}{unit}")
}

/// A mean, or a chance in percent.
fn measured(number: &Fraction, chances: bool) -> String {
    match chances {
        true => format!("{} %", trimmed(&percent(number))),
        false => short(number),
    }
}

/// Two decimals; more where they would all be zero.
fn short(number: &Fraction) -> String {
    let digits = [2, 4, 6, 9, 12]
        .into_iter()
        .find(|digits| number.is_zero() || number.decimal(*digits).bytes().any(|digit| (b'1'..=b'9').contains(&digit)));
    trimmed(&number.decimal(digits.unwrap_or(12)))
}

/// The outcomes of all answers, where they are not numbers.
fn table(led: &[(String, Leads)], shape: &Shape) -> String {
    let mut values: Vec<Value> = vec![];
    let mut all = 0;
    for (_, leads) in led {
        if let Leads::Among(outcomes) = leads {
            values.extend(likeliest(outcomes).into_iter().map(|(value, _)| value));
            all = all.max(outcomes.len());
        }
    }
    sort::sort(&mut values);
    values.dedup();
    let label = |value: &Value| shape.label(value).replace('\n', " / ");
    let wide = values.iter().map(|value| width(&label(value))).max().unwrap_or(0);
    let cell = |leads: &Leads, value: &Value| match leads {
        Leads::Among(outcomes) => outcomes.iter().find(|(other, _)| other == value).map(|(_, chance)| chance.clone()),
        Leads::To(_) => None,
    };
    let shown = |chance: Option<Fraction>| chance.map_or("-".to_owned(), |chance| format!("{} %", percent(&chance)));
    let led = &led[..led.len().min(BESIDE)];
    let head: String = led.iter().map(|(answer, _)| format!("{answer:>10}")).collect();
    let mut out = format!("  {}{head}\n", " ".repeat(wide));
    for value in &values {
        let name = label(value);
        let cells: String = led.iter().map(|(_, leads)| format!("{:>10}", shown(cell(leads, value)))).collect();
        out.push_str(&format!("  {name}{}{cells}\n", " ".repeat(wide.saturating_sub(width(&name)))));
    }
    if all > values.len() {
        out.push_str("  only the most likely outcomes are shown\n");
    }
    out
}

/// As many cells in a line as fit.
fn filled(cells: &[String], columns: usize) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for cell in cells {
        if !line.is_empty() && 5 + width(&line) + width(cell) > columns {
            out.push_str(&format!("  {}\n", line.trim_end()));
            line.clear();
        }
        line.push_str(&format!("{cell}   "));
    }
    out + &format!("  {}\n", line.trim_end())
}

/// So many situations take a while.
const MANY: usize = 10_000;

/// What was done to find the odds, and what a slow script could do without.
pub fn effort(effort: &Effort) -> String {
    let Effort { states, merged, shared, operations, costliest, steps } = effort;
    let count = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{} {one}s", grouped(n)) };
    let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{} times", grouped(n)) };
    let again = if *merged > 0 { format!("; {} one of them was reached again", times(*merged)) } else { String::new() };
    let mut lines = vec![
        format!("{}{again}", count(*states as u64, "situation")),
        format!("{} computed, each once for its arguments", count(*shared as u64, "call")),
        format!("{}, {} of them only for output and left out", count(operations.0 as u64, "operation"), operations.1),
    ];
    if let Some((name, values)) = costliest.as_ref().filter(|(_, values)| *values > 1) {
        let hint = if *states > MANY { "; sort it, or do without it, if this takes too long" } else { "" };
        lines.push(format!("`{name}` has the most different values, {}{hint}", grouped(*values as u64)));
    }
    lines.push(format!("{} in total", count(*steps, "step")));
    let lines: String = lines.iter().map(|line| wrapped("  ", line)).collect();
    format!("how the answer was found:\n{lines}")
}

/// The value of best play, and what it gains.
pub fn value(best: &Best, chances: bool) -> String {
    let number = |number: &Fraction| match chances {
        true => format!("{} %{}", trimmed(&percent(number)), exact(number)),
        false => format!("{}{}", trimmed(&number.decimal(4)), exact(number)),
    };
    let mut out = format!("best play     {}\n", number(&best.value));
    if let Some(default) = &best.all_default {
        out.push_str(&format!("all defaults  {}\n", number(default)));
        let gain = &best.value - default;
        if !gain.is_zero() {
            out.push_str(&format!("gain          {}\n", signed(&gain, chances)));
        }
    }
    out
}

/// What could not be followed to its end, if anything.
pub fn unfollowed(best: &Best) -> Option<String> {
    (!best.unresolved.is_zero()).then(|| {
        let share = best.unresolved.to_f64() * 100.0;
        format!("{share:.1e} % is too rare to be followed to its end, and counts as 0")
    })
}

/// The fraction in brackets, if it is short.
fn exact(number: &Fraction) -> String {
    let exact = number.to_string();
    if exact.contains('/') && exact.len() <= 24 { format!(" ({exact})") } else { String::new() }
}

/// At most so many answers of one decision are listed.
const MOST_ANSWERS: usize = 12;

/// The answers of one decision with their values, the best one marked.
pub fn decision(decision: &Decision, shape: &Shape, chances: bool) -> String {
    let known = known(decision, shape);
    let with = if known.is_empty() { String::new() } else { format!(", with {known}") };
    let head = wrapped(
        "",
        &format!("First decision: {}{with}", named(&Group { form: decision.prompt.clone(), ..decision.group.clone() })),
    );
    let rows =
        decision.answers.iter().map(|(answer, value)| (shape.answer(&decision.group.form, answer), value.clone()));
    shown(&(head + &answers(&rows.collect::<Vec<_>>(), decision.best, chances)))
}

/// The highest of the values.
fn highest(answers: &[(Value, Fraction)]) -> usize {
    let better = |best: usize, at: usize| if answers[at].1 > answers[best].1 { at } else { best };
    (0..answers.len()).fold(0, better)
}

/// More answers than this are not listed in a line.
const MOST_IN_LINE: usize = 6;

/// What the answers at an open option are worth, in a line: `no 2, yes 3.5`.
pub fn worth_line(worth: &OpenWorth) -> String {
    let texts = worth.option.choices();
    let name = |answer: &Value| match (texts, answer.as_bool()) {
        (Some(texts), _) => picked(answer, texts),
        (None, Some(truth)) => if truth { "yes" } else { "no" }.to_owned(),
        (None, None) => answer.to_string(),
    };
    let one = |(answer, value): &(Value, Fraction)| format!("{} {}", name(answer), short(value));
    shown(&match worth.answers.as_slice() {
        few if few.len() <= MOST_IN_LINE && texts.is_none_or(|_| few[0].0.as_pool().is_none()) => {
            few.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        many => {
            let (best, value) = &many[highest(many)];
            let now = many.iter().find(|(answer, _)| *answer == worth.option.asked.value);
            let now = now
                .map_or_else(String::new, |(answer, value)| format!("; as it is: {} ({})", name(answer), short(value)));
            format!("best: {} ({}){now}", name(best), short(value))
        }
    })
}

/// What the answers at an open option are worth, the highest marked.
pub fn worth(worth: &OpenWorth, shape: &Shape, chances: bool) -> String {
    let best = highest(&worth.answers);
    let form = |answer: &Value| match worth.option.choices() {
        Some(texts) => picked(answer, texts),
        None => shape.answer("", answer),
    };
    let rows: Vec<(String, Fraction)> =
        worth.answers.iter().map(|(answer, value)| (form(answer), value.clone())).collect();
    shown(&answers(&rows, best, chances))
}

/// An answer by the texts that it chooses.
fn picked(answer: &Value, texts: &[String]) -> String {
    let text = |at: &Value| at.as_int().and_then(|at| texts.get(usize::try_from(at).ok()?)).cloned();
    match answer.as_pool() {
        Some([]) => "none".to_owned(),
        Some(items) => items.iter().filter_map(text).collect::<Vec<_>>().join(", "),
        None => text(answer).unwrap_or_else(|| answer.to_string()),
    }
}

/// Answers with their values below each other; of many the best ones.
fn answers(rows: &[(String, Fraction)], best: usize, chances: bool) -> String {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if rows.len() > MOST_ANSWERS {
        let rank = |at: &usize| (*at != best, std::cmp::Reverse(rows[*at].1.clone()));
        sort::by_key(&mut order, rank);
        order.truncate(MOST_ANSWERS);
    }
    let wide = order.iter().map(|at| width(&rows[*at].0)).max().unwrap_or(0).min(40);
    let mut out = String::new();
    for at in order {
        let (name, value) = &rows[at];
        let equal = *value == rows[best].1;
        let mark = if at == best || equal { "  best" } else { "" };
        let room = " ".repeat(wide.saturating_sub(width(name)));
        out.push_str(&format!("  {name}{room}  {:>8}{mark}\n", measured(value, chances)));
    }
    if rows.len() > MOST_ANSWERS {
        out.push_str(&format!("  and {} more answers\n", grouped((rows.len() - MOST_ANSWERS) as u64)));
    }
    out
}

/// What to do, at most so many lines, and how many are left out.
pub fn advice(all: &[Advice], most: usize) -> (String, usize) {
    let mut lines: Vec<String> = vec![];
    for Advice { group, rules, rows } in all {
        match rules.as_slice() {
            [rule] => lines.push(hanging(&format!("{}: {rule}", named(group)))),
            [] => {}
            several => {
                lines.push(format!("{}:\n", named(group)));
                lines.extend(several.iter().map(|rule| wrapped("  ", rule)));
            }
        }
        if rows.is_empty() {
            continue;
        }
        lines.push(format!("{}:\n", named(group)));
        let seen = rows.iter().take(most).map(|(known, _)| width(known)).max().unwrap_or(0).min(50);
        let row = |(known, best): &(String, String)| {
            format!("  {known}{}  {best}\n", " ".repeat(seen.saturating_sub(width(known))))
        };
        lines.extend(rows.iter().map(row));
    }
    let left = lines.len().saturating_sub(most);
    (lines.iter().take(most).map(|line| shown(line)).collect(), left)
}
