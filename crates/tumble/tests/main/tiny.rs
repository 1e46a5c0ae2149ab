//! A fifth notation, from outside: all that Tumble needs to know of a notation is its row.
//!
//! ```text
//! text  = number "c"         so many coins; the result is the number of heads
//! ```
//!
//! Inside Tumble the same code would be the folder `crates/tumble-syntax/src/notation/coins/` and one line in
//! `NOTATIONS`. Everything else, from the dice of a roll to the translation into Troll, comes with the core.

use tumble::render::text;
use tumble::{
    Code, Diagnostic, Limits, Lowered, Notation, Options, Piece, Program, Reading, Span, Spelling, Value, Vars,
};
use tumble_core::{Draft, Faces, Function, Term, prim};

static COINS: Notation = Notation {
    name: "coins",
    description: "coins: how many of them show heads",
    examples: &["3c"],
    reference: &[Piece { group: "coins", spelling: "Nc", meaning: "Throws N coins and counts heads.", example: "3c" }],
    spelling: Spelling::PLAIN,
    lower: |text, _, _| lower(text),
    read_as: Reading::none,
    spell: |text| Ok(format!("{}c", coins(text)?)),
    without_comments: str::to_owned,
    write: |program, _| Err(Diagnostic::new(Code::Type, place(program), "this is no row of coins")),
};

fn place(program: &Program) -> Span {
    program.span(program.function(program.main()).body)
}

fn coins(text: &str) -> Result<i64, Vec<Diagnostic>> {
    let number = text.trim().strip_suffix('c').and_then(|number| number.parse().ok());
    let wrong = || Diagnostic::new(Code::Syntax, Span::new(0, text.len()), "write a number and `c`").hint("try `3c`");
    number.ok_or_else(|| vec![wrong()])
}

fn lower(text: &str) -> Result<Lowered, Vec<Diagnostic>> {
    let (count, span) = (coins(text)?, Span::new(0, text.len()));
    let mut draft = Draft::new();
    let (lo, hi, times) =
        (draft.lit(span, Value::int(0)), draft.lit(span, Value::int(1)), draft.lit(span, Value::int(count)));
    let body = draft.add(span, Term::Draw { faces: Faces::Range { lo, hi } });
    let list = draft.add(span, Term::Repeat { times, body });
    let pool = draft.prim(span, &prim::GATHER, vec![list]);
    let body = draft.prim(span, &prim::SUM, vec![pool]);
    let main = Function { name: "roll".into(), params: vec![], slots: vec![], body };
    Ok(Lowered::new(draft, vec![main]))
}

#[test]
fn a_row_is_all_there_is_to_a_notation() {
    let three = tumble::prepare(&COINS, "3c", &Vars::new()).unwrap();
    let odds = three.odds(&Options::default()).unwrap();
    let chances: Vec<String> = odds.outcomes().map(|(value, chance)| format!("{value}: {chance}")).collect();
    assert_eq!(chances, ["0: 1/8", "1: 3/8", "2: 3/8", "3: 1/8"]);

    let rolled = three.roll(7, &Limits::default()).unwrap();
    let heads: i64 = rolled.draws.iter().filter_map(|die| die.shown.as_int()).sum();
    assert_eq!(rolled.value, Value::int(heads));
    assert!(text::roll(&three, &rolled).starts_with("3c ("));

    let troll = three.translate(tumble::notation("troll").unwrap()).unwrap();
    assert_eq!((troll.text.as_str(), troll.checked), ("sum 3z1", true));

    let wrong = tumble::prepare(&COINS, "4d6kh3", &Vars::new()).unwrap_err().first();
    assert_eq!(wrong.notations().collect::<Vec<_>>(), ["tabletop", "nice"]);
}
