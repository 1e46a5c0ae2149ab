//! The Rust in `docs/book/src/for-programs.md`. The page shows it in pieces; here it is compiled and run, and a test
//! compares the two. The Python beside it is run by the tests of the program.

use crate::pages::markdown::blocks;
use std::error::Error;

type Done = Result<(), Box<dyn Error>>;

#[test]
fn roll() -> Done {
    use tumble::{Limits, Prepared, render};

    let stats: Prepared = "4d6kh3".parse()?;
    let rolled = stats.roll(7, &Limits::default())?;
    assert_eq!(rolled.value.as_int(), Some(11));
    assert_eq!(render::text::roll(&stats, &rolled), "4d6kh3 (~~1~~, 4, 4, 3) = 11\n");
    Ok(())
}

#[test]
fn odds() -> Done {
    use tumble::{Options, Prepared, Value};

    let stats: Prepared = "4d6kh3".parse()?;
    let odds = stats.odds(&Options::default())?;
    assert_eq!(odds.mean().map(|mean| mean.to_string()).as_deref(), Some("15869/1296"));
    assert_eq!(odds.probability(&Value::int(18)).to_string(), "7/432");
    let chance = odds.at_least(&Value::int(15)).ok_or("these are not numbers")?;
    assert_eq!((chance.to_string(), chance.decimal(4)), ("25/108".to_owned(), "0.2315".to_owned()));
    Ok(())
}

#[test]
fn values_and_notations() -> Done {
    use tumble::{Limits, Vars, compile, notation};

    let vars = Vars::from([("skill.stealth".to_owned(), 5)]);
    let sneak = compile("tabletop", "d20 + @skill.stealth", &vars)?;
    assert_eq!(sneak.roll(2, &Limits::default())?.to_string(), "10");
    let stats = compile("tabletop", "4d6kh3", &Vars::new())?;
    let troll = stats.translate(notation("troll").ok_or("no such notation")?)?;
    assert_eq!(troll.to_string(), "sum largest 3 4d6");
    Ok(())
}

#[test]
fn mistakes() -> Done {
    use tumble::{Code, Prepared, Remedy};

    let errors = "4d6k3h".parse::<Prepared>().err().ok_or("this is a mistake")?;
    let error = &errors.all()[0];
    assert_eq!((error.code, error.span.start, error.hint.as_deref()), (Code::Syntax, 5, Some("try `4d6kh3`")));
    let errors = "d20 + @str".parse::<Prepared>().err().ok_or("str has no value")?;
    assert_eq!(*errors.all()[0].remedies, [Remedy::Set("str".to_owned())]);
    Ok(())
}

#[test]
fn strangers() -> Done {
    use tumble::{Code, Limits, Prepared};

    let strict = Limits { steps: 1_000_000, draws: 1000, members: 1000, ..Limits::default() };
    let much: Prepared = "9999999d6".parse()?;
    assert_eq!(much.roll(1, &strict).err().map(|error| error.code), Some(Code::Limit));
    Ok(())
}

#[test]
fn pictures() -> Done {
    use tumble::render::{self, Look, Series};
    use tumble::{Options, Prepared};

    let stats: Prepared = "4d6kh3".parse()?;
    let odds = stats.odds(&Options::default())?;
    let look = Look { title: Some("Ability scores".to_owned()), ..Look::default() };
    let picture = render::render(render::format("svg").ok_or("no such format")?, &[Series::new(stats, odds)], &look)?;
    assert!(picture.starts_with(b"<svg"));
    Ok(())
}

#[test]
fn the_page_shows_this_code() {
    let page = include_str!("../../../../docs/book/src/for-programs.md");
    let shown = blocks(page, "rust");
    assert_eq!(shown.len(), 6, "each piece is a test above");
    let here = flat(include_str!("side_by_side.rs").lines());
    for block in shown {
        assert!(here.contains(&flat(block.lines.iter().copied())), "line {} is not the code of this file", block.line);
    }
}

/// Lines without their indentation; empty ones are left out.
fn flat<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}
