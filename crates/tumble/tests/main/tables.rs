//! In a table of README.md or the book with a column `Tumble`, every expression of that column is read.
//!
//! ```text
//! | Roll20              | Tumble                             |
//! |---------------------|------------------------------------|
//! | `5d10>8`            | `5d10cs>=8`                        |  an expression in the everyday notation
//! | `4d6k3`, `2d20kl`   | the same                           |  then those of the first column are read
//! | `{4d6+3d8}k4`       | Troll: `sum largest 4 {4d6, 3d8}`  |  from here on in another notation
//! | `@{str}`            | the same, with `--var str=3`       |  options and commands are for the tests of the program
//! ```
//!
//! A name that needs a value gets one. Code with `…` is not read.

use crate::pages::markdown;
use tumble::{NOTATIONS, Remedy, Vars, compile};

#[test]
fn expressions_in_tables_can_be_read() {
    let (root, files) = markdown::manual();
    let (mut count, mut failed) = (0, Vec::new());
    for page in files.iter().map(|file| markdown::read(&root, file)) {
        let (read, wrong) = wrong(&page.text);
        count += read;
        failed.extend(wrong.into_iter().map(|why| format!("{}:{why}", page.name)));
    }
    assert!(count >= 100, "only {count} expressions were found");
    assert!(failed.is_empty(), "{} of {count} expressions cannot be read:\n{}", failed.len(), failed.join("\n"));
}

/// How many expressions the tables of a page have, and what is wrong with some of them.
fn wrong(page: &str) -> (usize, Vec<String>) {
    let (mut column, mut count, mut wrong) = (None, 0, Vec::new());
    let mut above: Option<Vec<String>> = None;
    for (number, line) in page.lines().enumerate() {
        let Some(cells) = cells(line) else {
            (above, column) = (None, None);
            continue;
        };
        if line.starts_with("|---") {
            column = above.as_ref().and_then(|header| header.iter().position(|name| name == "Tumble"));
        } else if let Some(cell) = column.and_then(|column| cells.get(column)) {
            let same = cell.starts_with("the same").then_some(&cells[0]);
            for (notation, expression) in same.into_iter().chain([cell]).flat_map(|cell| expressions(cell)) {
                count += 1;
                if let Err(why) = read(notation, &expression) {
                    wrong.push(format!("{}: `{expression}` ({notation}): {why}", number + 1));
                }
            }
        }
        above = Some(cells);
    }
    (count, wrong)
}

/// The cells of a row; a bar inside is written `\|`.
fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.trim_end().strip_prefix('|')?.strip_suffix('|')?;
    let kept = inside.replace("\\|", "\u{0}");
    Some(kept.split('|').map(|cell| cell.trim().replace('\u{0}', "\\|")).collect())
}

/// The expressions in a cell, each with the name of its notation.
fn expressions(cell: &str) -> Vec<(&'static str, String)> {
    let mut notation = "tabletop";
    let mut before = cell.split('`').step_by(2);
    let code = markdown::spans(cell).into_iter().map(|span| {
        let words = before.next().unwrap_or_default().to_lowercase();
        let named = NOTATIONS.iter().find(|known| words.contains(&format!("{}:", known.name)));
        notation = named.map_or(notation, |known| known.name);
        (notation, span.code)
    });
    let other = |code: &str| code.starts_with("tumble ") || code.starts_with('-') || code.contains('…');
    code.filter(|(_, code)| !other(code)).collect()
}

/// Reads an expression, with a value for every name that needs one.
fn read(notation: &str, expression: &str) -> Result<(), String> {
    let mut vars = Vars::new();
    loop {
        let errors = match compile(notation, expression, &vars) {
            Ok(_) => return Ok(()),
            Err(errors) => errors,
        };
        let missing = errors.all().iter().flat_map(|error| &error.remedies).find_map(|remedy| match remedy {
            Remedy::Set(name) if !vars.contains_key(name) => Some(name.clone()),
            _ => None,
        });
        match missing {
            Some(name) => vars.insert(name, 3),
            None => return Err(errors.to_string()),
        };
    }
}

#[test]
fn bad_tables_are_found() {
    let table = |row: &str| format!("| there | Tumble |\n|---|---|\n{row}\n");
    for (row, count, bad) in [
        ("| `5d10>8` | `5d10cs>=8` |", 1, 0),
        ("| `5d10>8` | `5d10cs>=` |", 1, 1),
        ("| `4d6k3`, `d20 + @str` | the same |", 2, 0),
        ("| `4d6k3`, `4d6e6` | the same, with `--var str=3` |", 2, 1),
        ("| – | Troll: `sum largest 3 4d6`, `count 4d6` |", 2, 0),
        ("| – | Troll: `4d6kh3` |", 1, 1),
        ("| `a \\| b` | `d6 \\|\\| d8`, `tumble odds 3d6`, `d20 + …` |", 1, 0),
    ] {
        let (read, wrong) = wrong(&table(row));
        assert_eq!((read, wrong.len()), (count, bad), "{row}: {wrong:?}");
    }
    assert_eq!(wrong("| there | here |\n|---|---|\n| a | `4d6kh` `nothing` |\n").0, 0);
}
