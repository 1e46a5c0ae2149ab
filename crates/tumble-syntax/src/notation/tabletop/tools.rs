//! Dialects as notations: one row for each tool, over the parser, the lowering and the speller of the everyday notation.

use super::dialect::{self, Dialect};
use super::{lower as lowering, parse, spell, write};
use crate::mistake::Parsed;
use crate::row::unwritten;
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use tumble_core::{Code, Diagnostic, Program, Span};

/// Every dialect of the everyday notation.
pub static DIALECTS: &[Notation] = &[
    Notation {
        name: "roll20",
        description: "the everyday notation as Roll20 reads it",
        examples: &["4d6kh3", "3d6!>5", "5d10>8f1", "{2d6,d8}kh1"],
        lower: |text, vars, names| lower(&dialect::ROLL20, text, vars, names),
        spell: |text| respell(&dialect::ROLL20, text),
        without_comments: |text| without_comments(&dialect::ROLL20, text),
        write: |program, spelling| written(&dialect::ROLL20, program, spelling),
        ..COMMON
    },
    Notation {
        name: "foundry",
        description: "the everyday notation as Foundry VTT reads it",
        examples: &["4d6kh3", "5d10x10cs>=8", "2d8r<3", "{1d8x,1d6x}kh"],
        lower: |text, vars, names| lower(&dialect::FOUNDRY, text, vars, names),
        spell: |text| respell(&dialect::FOUNDRY, text),
        without_comments: |text| without_comments(&dialect::FOUNDRY, text),
        write: |program, spelling| written(&dialect::FOUNDRY, program, spelling),
        ..COMMON
    },
    Notation {
        name: "avrae",
        description: "the everyday notation as Avrae and d20 read it",
        examples: &["4d6kh3", "10d6e6", "(1d6, 1d8)kh1", "4d6rr<3"],
        lower: |text, vars, names| lower(&dialect::AVRAE, text, vars, names),
        spell: |text| respell(&dialect::AVRAE, text),
        without_comments: |text| without_comments(&dialect::AVRAE, text),
        write: |program, spelling| written(&dialect::AVRAE, program, spelling),
        ..COMMON
    },
    Notation {
        name: "rpg-dice-roller",
        description: "the everyday notation as RPG Dice Roller reads it",
        examples: &["4d6kh3", "6d10!>=9>=8", "4d6!!r1", "{4d6,2d10}kh1"],
        lower: |text, vars, names| lower(&dialect::RPG_DICE_ROLLER, text, vars, names),
        spell: |text| respell(&dialect::RPG_DICE_ROLLER, text),
        without_comments: |text| without_comments(&dialect::RPG_DICE_ROLLER, text),
        write: |program, spelling| written(&dialect::RPG_DICE_ROLLER, program, spelling),
        ..COMMON
    },
    Notation {
        name: "dicemaiden",
        description: "the rolls of DiceMaiden, the Discord bot",
        examples: &["4d6 k3", "6d10 t7 ie10", "4cod", "6 4d6 k3"],
        lower: |text, vars, names| lower(&dialect::DICEMAIDEN, text, vars, names),
        spell: |text| respell(&dialect::DICEMAIDEN, text),
        without_comments: |text| without_comments(&dialect::DICEMAIDEN, text),
        write: |program, spelling| written(&dialect::DICEMAIDEN, program, spelling),
        ..COMMON
    },
];

/// What all of them have in common.
const COMMON: Notation = Notation {
    name: "",
    description: "",
    examples: &[],
    reference: &[],
    spelling: Spelling::PLAIN,
    lower: |text, vars, names| lower(&dialect::TABLETOP, text, vars, names),
    read_as: Reading::none,
    spell: |text| respell(&dialect::TABLETOP, text),
    without_comments: |text| without_comments(&dialect::TABLETOP, text),
    write: |program, spelling| written(&dialect::TABLETOP, program, spelling),
};

/// The text of one dialect as another one, or the everyday notation, spells the same tree; nothing if there are no words
/// for a part of it, or if one of them is another notation.
pub fn respelled(from: &Notation, text: &str, to: &Notation) -> Option<String> {
    let (from, to) = (row(from)?, row(to)?);
    let tree = parse::attempt_strictly(from, text).ok()?;
    spell::spell_in(to, &tree)
}

/// The row of differences of a notation.
fn row(notation: &Notation) -> Option<&'static Dialect> {
    dialect::OTHERS.into_iter().chain([&dialect::TABLETOP]).find(|dialect| dialect.name == notation.name)
}

fn lower(dialect: &'static Dialect, text: &str, vars: &Vars, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    let prove = |fixed: &str| {
        attempt(dialect, fixed, vars, names)?;
        // Words that the tool would ignore correct nothing.
        Ok(parse::attempt_strictly(dialect, fixed).is_ok())
    };
    attempt(dialect, text, vars, names).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

fn attempt(dialect: &'static Dialect, text: &str, vars: &Vars, names: &[&str]) -> Parsed<Lowered> {
    let tree = parse::attempt(dialect, text)?;
    let mut lowered = lowering::lower(&tree, text, vars, names)?;
    lowered.warnings.extend(super::notes::doubts(dialect, &tree, text));
    Ok(lowered)
}

fn respell(dialect: &'static Dialect, text: &str) -> Result<String, Vec<Diagnostic>> {
    let whole = Span::new(0, text.len());
    if cfg!(not(feature = "full")) {
        return Err(vec![unwritten(whole)]);
    }
    let tree = parse::parse_in(dialect, text)?;
    if tree.ignored {
        let message = format!("{} ignores the words after this roll", dialect.title);
        return Err(vec![Diagnostic::new(Code::Syntax, whole, message)]);
    }
    if tree.named {
        // The name is how it is spelled.
        return Ok(text.trim().to_owned());
    }
    spell::spell_in(dialect, &tree).ok_or_else(|| vec![no_words(dialect, whole)])
}

fn no_words(dialect: &Dialect, span: Span) -> Diagnostic {
    Diagnostic::new(Code::Type, span, format!("this can't be written for {}", dialect.title))
}

/// The text with blanks for its comments, every byte in its place.
pub(super) fn without_comments(dialect: &Dialect, text: &str) -> String {
    let mut out = text.to_owned();
    for (_, span) in parse::comments(dialect, text) {
        out.replace_range(span.start..span.end, &" ".repeat(span.end - span.start));
    }
    out
}

/// By way of the everyday notation.
fn written(dialect: &'static Dialect, program: &Program, spelling: &Spelling) -> Result<String, Diagnostic> {
    let whole = program.span(program.function(program.main()).body);
    if cfg!(not(feature = "full")) {
        return Err(unwritten(whole));
    }
    let everyday = write::write(program, spelling)?;
    let tree = super::parse(&everyday).map_err(|_| no_words(dialect, whole))?;
    spell::spell_in(dialect, &tree).ok_or_else(|| no_words(dialect, whole))
}
