//! `tumble odds --script`: the exact odds of what a roll of a script returns, and what each of its options is worth.

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::run::{arguments, roll};
use crate::{check, input, odds, report, screen, sweep, wait};
use std::io::{self, Write};
use std::path::Path;
use tumble::Diagnostic;
use tumble::batch::{Json, Settings};
use tumble::render::effects::View;
use tumble::render::{Format, Series, Study, script as shown};
use tumble::script::answers::Measure;
use tumble::script::{Said, Script, ScriptOdds, ScriptQuery, Shape, unsound};

/// Runs the command and gives the exit status.
pub(crate) fn answer(args: &OddsArgs, path: &Path, format: &Format, out: &mut dyn Write) -> io::Result<u8> {
    let json = format.name == "json";
    let query = match query(args, path) {
        Ok(query) => query,
        Err(error) => return report::errors(out, json, "", &[error]),
    };
    let script = query.script();
    if !script.is_sound() {
        return wrong(path, &script, json, out);
    }
    if json {
        let settings = Settings::new(args.given.most.limits(), clock);
        let answer = tumble::batch::answer(request(args, &query).to_string().as_bytes(), &settings);
        return report::answered(out, &answer);
    }
    let study = Study::new(1, args.sweep.clone(), args.questions());
    match study.and_then(|study| Ok((study, roll(&script, query.entry.as_deref())?))) {
        Ok((study, named)) => {
            let query = ScriptQuery { entry: Some(named), ..query };
            computed(args, &query, &script, study, format, out)
        }
        Err(error) => report::errors(out, false, "", &[error]),
    }
}

/// What is wrong with a script.
pub(crate) fn wrong(path: &Path, script: &Script, json: bool, out: &mut dyn Write) -> io::Result<u8> {
    match json {
        true => writeln!(out, "{}", unsound(script))?,
        false => {
            out.flush()?;
            write!(io::stderr(), "{}", check::script::wrong(&path.display().to_string(), script))?;
        }
    }
    Ok(report::BAD_TEXT)
}

fn query(args: &OddsArgs, path: &Path) -> Result<ScriptQuery, Diagnostic> {
    let of = &args.of;
    Ok(ScriptQuery {
        program: input::file(path)?,
        entry: of.entry.clone(),
        args: of.args.as_deref().map(arguments).transpose()?.unwrap_or(Json::Null),
        answers: of.answers.iter().cloned().collect(),
        say: of.say.iter().flatten().cloned().collect(),
        field: of.field.clone(),
        strict: false,
    })
}

/// The same question as a request of `tumble batch`.
fn request(args: &OddsArgs, query: &ScriptQuery) -> Json {
    let mut fields = asked(query, "odds");
    fields.extend(args.name.first().map(|name| ("name".to_owned(), Json::from(name.as_str()))));
    if args.explain {
        fields.push(("explain".to_owned(), Json::Bool(true)));
    }
    let sweep = args.sweep.iter().map(|axis| (axis.name.clone(), Json::from(axis.values.clone())));
    if !args.sweep.is_empty() {
        fields.push(("sweep".to_owned(), sweep.collect()));
    }
    fields.extend(args.asked().into_iter().map(|(name, values)| (name.to_owned(), values)));
    fields.into_iter().collect()
}

/// The fields of a request about a script.
pub(crate) fn asked(query: &ScriptQuery, task: &str) -> Vec<(String, Json)> {
    let mut fields = vec![("do", Json::from(task)), ("program", Json::from(query.program.as_str()))];
    fields.extend(query.entry.as_deref().map(|entry| ("entry", Json::from(entry))));
    fields.push(("args", query.args.clone()));
    fields.push(("answers", query.answers.iter().map(|(path, answer)| (path.clone(), answer.clone())).collect()));
    let say = query.say.iter().map(|Said { owner, prompt, value }| {
        let owner = owner.iter().map(|owner| ("owner".to_owned(), Json::from(owner.clone())));
        let rest = [("prompt".to_owned(), Json::from(prompt.as_str())), ("value".to_owned(), value.clone())];
        owner.chain(rest).collect::<Json>()
    });
    fields.push(("say", say.collect()));
    fields.extend(query.field.as_deref().map(|field| ("field", Json::from(field))));
    fields.push(("strict", Json::from(query.strict)));
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Answers for every value of what is swept, and writes what they show.
fn computed(
    args: &OddsArgs,
    query: &ScriptQuery,
    script: &Script,
    mut study: Study,
    format: &Format,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let one_question = args.questions().len() < 2;
    let worth = format.name == "text" && matches!(study.view(), View::Roll | View::Chances) && one_question;
    let (mut status, mut last, mut warned) = (0, None, false);
    for (place, case) in sweep::until_stopped(study.cases()) {
        match found(args, query, script, &case, worth) {
            Ok((series, shape, odds, doubts)) => {
                if !std::mem::replace(&mut warned, true) {
                    report::warnings(&query.program, &doubts);
                    report::notes(&unheard(args, &odds, &shape));
                }
                study.put(0, place, series);
                last = Some((odds, shape));
            }
            Err(error) => {
                if !case.is_empty() && error.code != tumble::Code::Request {
                    out.flush()?;
                    report::notes(&[format!("there is no answer for {}", sweep::spelled(&case))]);
                }
                status = status.max(report::errors(out, false, &query.program, std::slice::from_ref(&error))?);
                if error.code == tumble::Code::Request {
                    return Ok(status);
                }
            }
        }
    }
    status = odds::written(args, format, &study, status, out)?;
    let shows = format.name == "text" && matches!(study.view(), View::Roll | View::Chances);
    if let (Some((odds, shape)), true) = (&last, shows && status == 0) {
        status = status.max(below(args, odds, shape, out)?);
    }
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
}

/// One answer: the odds under their title, what was found besides, and what is doubtful.
type Found = (Series, Shape, ScriptOdds, Vec<Diagnostic>);

fn found(
    args: &OddsArgs,
    query: &ScriptQuery,
    script: &Script,
    case: &[(String, i64)],
    worth: bool,
) -> Result<Found, Diagnostic> {
    let entry = query.entry(script, case)?;
    let given = query.given(&entry)?;
    let shape = entry.shape(given.field);
    let odds = entry.odds(&given, worth, &args.given.most.limits())?;
    let series = Series::of_script(shape.title(), shape.clone(), odds.odds.clone());
    let series = match args.name.first() {
        Some(name) => series.named(name),
        None => series,
    };
    let doubts = script.problems().iter().map(|problem| problem.diagnostic.clone()).chain(entry.warnings.clone());
    Ok((series, shape, odds, doubts.collect()))
}

/// What stands below the table: what the options are worth, and how the answer was found.
fn below(args: &OddsArgs, odds: &ScriptOdds, shape: &Shape, out: &mut dyn Write) -> io::Result<u8> {
    let questions = args.questions();
    let measure = questions.first().map_or(Measure::Mean, Measure::Chance);
    if !odds.options.is_empty() {
        match shown::options(&odds.options, shape, measure, screen::width()) {
            Ok(text) => write!(out, "\n{text}")?,
            Err(error) => return report::errors(out, false, "", &[error]),
        }
    }
    if args.explain {
        write!(out, "\n{}", shown::effort(&odds.effort))?;
    }
    Ok(0)
}

/// What was said and no option asked, with the prompt that was most likely meant.
fn unheard(args: &OddsArgs, odds: &ScriptOdds, shape: &Shape) -> Vec<String> {
    let lost = |said: &&Vec<Said>| said.iter().all(|one| odds.unheard.contains(&one.prompt));
    let told = |said: &Vec<Said>| shape.unheard(said.first().map_or("", |one| one.prompt.as_str()));
    args.of.say.iter().filter(lost).map(told).collect()
}
