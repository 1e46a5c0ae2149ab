//! `tumble best`: the value of a roll of a script when every option is answered as well as can be, and what to answer.

use crate::args::{BestArgs, Wanted};
use crate::batch::clock;
use crate::run::{arguments, roll};
use crate::script_odds::{asked, wrong};
use crate::{input, report};
use std::io::{self, Write};
use tumble::batch::{Json, Settings};
use tumble::render::chance::Question;
use tumble::render::{script as shown, visible};
use tumble::script::{Aim, Best, Players, ScriptQuery, Shape, advice};
use tumble::{Diagnostic, nearest};

/// So many decisions are looked at, to say what to do.
const LOOKED_AT: usize = 20_000;

/// So many lines of what to do are shown, unless more are wanted.
const LINES: u64 = 20;

/// The most decisions that JSON has besides the first.
const MOST: u64 = 1000;

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &BestArgs, out: &mut dyn Write) -> io::Result<u8> {
    let query = match query(args) {
        Ok(query) => query,
        Err(error) => return report::errors(out, args.json, "", &[error]),
    };
    let script = query.script();
    if !script.is_sound() {
        return wrong(&args.file, &script, args.json, out);
    }
    if args.json {
        let settings = Settings::new(args.most.limits(), clock);
        let answer = tumble::batch::answer(request(args, &query).to_string().as_bytes(), &settings);
        return report::answered(out, &answer);
    }
    let doubts: Vec<Diagnostic> = script.problems().iter().map(|problem| problem.diagnostic.clone()).collect();
    report::warnings(&query.program, &doubts);
    let named = roll(&script, query.entry.as_deref());
    match named.and_then(|named| found(args, &ScriptQuery { entry: Some(named), ..query.clone() }, &script)) {
        Ok((best, shape, warnings)) => {
            report::warnings("", &warnings);
            told(args, &best, &shape, out)
        }
        Err(error) => report::errors(out, false, &query.program, &[error]),
    }
}

fn query(args: &BestArgs) -> Result<ScriptQuery, Diagnostic> {
    Ok(ScriptQuery {
        program: input::file(&args.file)?,
        entry: args.roll.clone(),
        args: args.args.as_deref().map(arguments).transpose()?.unwrap_or(Json::Null),
        answers: args.answers.iter().cloned().collect(),
        say: args.say.iter().flatten().cloned().collect(),
        field: args.field.clone(),
        strict: args.strict,
    })
}

/// The same question as a request of `tumble batch`.
fn request(args: &BestArgs, query: &ScriptQuery) -> Json {
    let mut fields = asked(query, "best");
    let goal = match aim(args) {
        Aim::Mean => Json::from("mean"),
        Aim::AtLeast(n) => [("at_least".to_owned(), Json::from(n))].into_iter().collect(),
        Aim::AtMost(n) => [("at_most".to_owned(), Json::from(n))].into_iter().collect(),
        Aim::Exactly(value) => [("exactly".to_owned(), value)].into_iter().collect(),
    };
    let owners = |names: &[String]| names.iter().map(|name| Json::from(name.as_str())).collect::<Json>();
    fields.push(("goal".to_owned(), goal));
    fields.push(("minimise".to_owned(), owners(&args.minimise)));
    fields.push(("fixed".to_owned(), owners(&args.fixed)));
    fields.push(("decisions".to_owned(), Json::from(args.decisions.unwrap_or(0).min(MOST))));
    fields.into_iter().collect()
}

fn aim(args: &BestArgs) -> Aim {
    match &args.goal {
        Wanted::Mean => Aim::Mean,
        Wanted::Chance(Question::AtLeast(n)) => Aim::AtLeast(*n),
        Wanted::Chance(Question::AtMost(n)) => Aim::AtMost(*n),
        Wanted::Chance(other) => {
            let label = other.to_string().trim_start_matches("exactly ").to_owned();
            Aim::Exactly(label.parse().unwrap_or(Json::String(label)))
        }
    }
}

fn found(
    args: &BestArgs,
    query: &ScriptQuery,
    script: &tumble::script::Script,
) -> Result<(Best, Shape, Vec<Diagnostic>), Diagnostic> {
    let entry = query.entry(script, &[])?;
    let given = query.given(&entry)?;
    let shape = entry.shape(given.field);
    let owners = |names: &[String]| names.iter().map(|name| Some(name.clone())).collect();
    let players = Players { minimise: owners(&args.minimise), fixed: owners(&args.fixed) };
    let goal = aim(args).goal(&shape)?;
    let best = entry.best(&given, &goal, &players, LOOKED_AT, &args.most.limits())?;
    Ok((best, shape, entry.warnings))
}

fn told(args: &BestArgs, best: &Best, shape: &Shape, out: &mut dyn Write) -> io::Result<u8> {
    let chances = matches!(args.goal, Wanted::Chance(_));
    let wanted = match &args.goal {
        Wanted::Mean => "the highest mean".to_owned(),
        Wanted::Chance(question) => format!("the best chance of {question}"),
    };
    writeln!(out, "{}: {wanted}", visible(shape.title()))?;
    write!(out, "{}", shown::value(best, chances))?;
    if let Some(first) = best.decisions.first() {
        write!(out, "\n{}", shown::decision(first, shape, chances))?;
        let most = usize::try_from(args.decisions.unwrap_or(LINES)).unwrap_or(usize::MAX);
        let (lines, left) = shown::advice(&advice(best, shape), most);
        write!(out, "\nWhat to do\n{lines}")?;
        if left > 0 {
            writeln!(out, "and {left} more lines; --decisions shows more")?;
        }
        if best.decisions.len() < best.of {
            writeln!(out, "of {} decisions the first {} are shown", best.of, best.decisions.len())?;
        }
    }
    out.flush()?;
    report::notes(&Vec::from_iter(shown::unfollowed(best)));
    report::notes(&unknown(args, best));
    if best.of == 0 {
        report::notes(&["no option comes up that is free to be decided".to_owned()]);
    }
    Ok(0)
}

/// Owners that decide nothing.
fn unknown(args: &BestArgs, best: &Best) -> Vec<String> {
    let owners: Vec<&str> = best.decisions.iter().filter_map(|one| one.group.owner.as_deref()).collect();
    let complete = best.decisions.len() == best.of;
    let lost = args.minimise.iter().filter(|name| complete && best.of > 0 && !owners.contains(&name.as_str()));
    let told = |name: &String| match nearest(name, owners.iter().copied()) {
        Some(meant) => format!("\"{name}\" decides nothing; did you mean \"{meant}\"?"),
        None => format!("\"{name}\" decides nothing"),
    };
    lost.map(told).collect()
}
