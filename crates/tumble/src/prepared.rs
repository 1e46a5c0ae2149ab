//! A text that is ready to be rolled and counted.

use std::fmt;
use std::str::FromStr;
use tumble_core::{Budget, Code, Diagnostic, Fault, Limits, Program, Remedy, Span, Value, print};
use tumble_exact::{Odds, Options};
use tumble_roll::{Ready, Rolled, Roller, Sampler, Seeded, Side, Source};
use tumble_syntax::{DIALECTS, NOTATIONS, Notation, Note, Remark, Vars, everyday, nearest, notation};

/// What is wrong with an expression; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(Vec<Diagnostic>);

impl Errors {
    /// The messages, the most important first.
    pub fn all(&self) -> &[Diagnostic] {
        &self.0
    }

    /// The same, each changed in the same way.
    pub(crate) fn map(self, change: impl Fn(Diagnostic) -> Diagnostic) -> Errors {
        Errors(self.0.into_iter().map(change).collect())
    }

    /// The most important message.
    pub fn first(self) -> Diagnostic {
        let none = || Diagnostic::new(Code::Syntax, Span::default(), "this expression can't be read");
        self.0.into_iter().next().unwrap_or_else(none)
    }
}

impl From<Diagnostic> for Errors {
    fn from(one: Diagnostic) -> Errors {
        Errors(vec![one])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self.0.iter().map(|error| error.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for Errors {}

/// A compiled expression: it can be rolled, its odds computed, and translated to another notation.
///
/// [`str::parse`] reads the everyday notation; [`compile`] takes any notation, and values.
///
/// ```
/// use tumble::{Limits, Prepared};
///
/// let prepared: Prepared = "2d6 + 3".parse()?;
/// assert_eq!(prepared.to_string(), "2d6 + 3");
/// assert_eq!(prepared.roll(7, &Limits::default())?.draws.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Prepared {
    notation: &'static Notation,
    text: String,
    corrected: bool,
    ready: Ready,
    one: Option<Ready>,
    warnings: Vec<Diagnostic>,
    notes: Vec<Note>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("notation", &self.notation.name).field("text", &self.text).finish()
    }
}

impl fmt::Display for Prepared {
    /// The expression as given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Prepared {
    type Err = Errors;

    /// Reads a text in the everyday notation, without values from outside.
    fn from_str(text: &str) -> Result<Prepared, Errors> {
        prepare(everyday(), text, &Vars::new())
    }
}

/// Compiles an expression in the notation with this name.
///
/// ```
/// use tumble::{Limits, Vars, compile};
///
/// let attack = compile("tabletop", "d20 + @str", &Vars::from([("str".to_owned(), 3)]))?;
/// assert_eq!(attack.roll(4, &Limits::default())?.to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(name: &str, text: &str, vars: &Vars) -> Result<Prepared, Errors> {
    prepare(notation(name).ok_or_else(|| no_such_notation(name))?, text, vars)
}

/// Compiles an expression in a notation, which may be your own.
pub fn prepare(notation: &'static Notation, text: &str, vars: &Vars) -> Result<Prepared, Errors> {
    let compiled = tumble_syntax::compile(notation, text, vars).map_err(|found| {
        let mut found = found.into_iter();
        let first = found.next().map(|first| match first.code {
            Code::Syntax | Code::Name => elsewhere(notation, text, vars).fold(first, Diagnostic::remedy),
            _ => first,
        });
        Errors(first.into_iter().chain(found).collect())
    })?;
    let one = compiled.one.map(Ready::new);
    let (ready, warnings, notes) = (Ready::new(compiled.program), compiled.warnings, compiled.notes);
    let corrected = compiled.read.is_some();
    let text = compiled.read.unwrap_or_else(|| text.to_owned());
    Ok(Prepared { notation, text, corrected, ready, one, warnings, notes })
}

/// Whether an expression compiled with these values uses this one: without it the meaning differs, or
/// something is missing. An expression with an error unrelated to names counts as one that may use it.
///
/// ```
/// use tumble::{Vars, everyday, uses_variable};
///
/// let vars = Vars::from([("str".to_owned(), 3), ("dex".to_owned(), 1)]);
/// assert!(uses_variable(everyday(), "d20 + @str", &vars, "str"));
/// assert!(!uses_variable(everyday(), "d20 + @str", &vars, "dex"));
/// ```
pub fn uses_variable(notation: &Notation, text: &str, vars: &Vars, name: &str) -> bool {
    let mut others = vars.clone();
    others.remove(name);
    let read = |vars: &Vars| tumble_syntax::compile(notation, text, vars).map(|compiled| print(&compiled.program));
    match (read(vars), read(&others)) {
        (Ok(with), Ok(without)) => with != without,
        (Err(with), Err(without)) => with.iter().any(|error| error.code != Code::Name) || with != without,
        _ => true,
    }
}

/// The warning where the odds are those of one roll, though the expression has several.
pub const ONE_OF_SEVERAL: &str = "these are the odds of one of the repeated rolls";

/// Longer texts are not tried in other notations.
const LONGEST_TRIED: usize = 10_000;

/// The other notations in which the text is valid.
fn elsewhere(notation: &Notation, text: &str, vars: &Vars) -> impl Iterator<Item = Remedy> {
    let valid = |other: &&Notation| {
        other.name != notation.name
            && tumble_syntax::compile(other, text, vars).is_ok_and(|compiled| {
                compiled.read.is_none() && !lacks_a_name(&compiled.program) && can_be_rolled(&compiled.program)
            })
    };
    let tried = if text.len() <= LONGEST_TRIED { NOTATIONS } else { &[] };
    tried.iter().filter(valid).map(|other| Remedy::Notation(other.name.into()))
}

/// Whether one roll makes sense: a text that only fails, as `d0` does in some notations, is valid nowhere.
fn can_be_rolled(program: &Program) -> bool {
    let rolled = tumble_roll::roll(program, &mut Seeded::new(1), &Limits::small());
    !rolled.is_err_and(|error| matches!(error.code, Code::Runtime | Code::Type | Code::Name))
}

/// Whether the program stops at a name that nobody gave a meaning.
fn lacks_a_name(program: &Program) -> bool {
    let mut budget = Budget::new(Limits::small());
    program.nodes().iter().any(|node| {
        // What is certain to fail says why.
        let Some((row, args)) = node.term.row() else { return false };
        let args: Option<Vec<Value>> = args.iter().map(|id| program.term(*id).lit().cloned()).collect();
        args.is_some_and(|args| (row.apply)(&args, &mut budget).is_err_and(|fault| fault.code == Code::Name))
    })
}

/// A name that no notation has.
pub(crate) fn no_such_notation(name: &str) -> Diagnostic {
    let known: Vec<&str> = NOTATIONS.iter().chain(DIALECTS).map(|notation| notation.name).collect();
    let name: String = name.chars().take(40).collect();
    let hint = match nearest(&name.to_lowercase(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known notations: {}", known.join(", ")),
    };
    Diagnostic::new(Code::Request, Span::default(), format!("unknown notation `{name}`")).hint(hint)
}

impl Prepared {
    /// The notation it is written in.
    pub fn notation(&self) -> &'static Notation {
        self.notation
    }

    /// The expression as given, or as it was read if it had an error that left no doubt.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the expression was read as something else than what was typed; a warning says so.
    ///
    /// ```
    /// let prepared: tumble::Prepared = "4d6 drop lowest".parse()?;
    /// assert!(prepared.is_corrected());
    /// assert_eq!(prepared.text(), "4d6dl1");
    /// # Ok::<(), tumble::Errors>(())
    /// ```
    pub fn is_corrected(&self) -> bool {
        self.corrected
    }

    /// The compiled program.
    pub fn program(&self) -> &Program {
        self.ready.program()
    }

    /// The program whose odds are asked for: that of one roll if the expression repeats the same roll.
    pub fn counted(&self) -> &Program {
        self.one.as_ref().unwrap_or(&self.ready).program()
    }

    /// Whether the odds are those of one of several equal rolls.
    pub fn counts_one(&self) -> bool {
        self.one.is_some()
    }

    /// The label of the part of the expression in this place.
    pub fn label(&self, span: Span) -> Option<&str> {
        let label = |note: &&Note| note.remark == Remark::Label && note.span == span;
        self.notes.iter().find(label).map(|note| note.text.as_str())
    }

    /// The labels of the text, and what they name.
    pub(crate) fn labels(&self) -> Vec<(Span, &str)> {
        let labels = self.notes.iter().filter(|note| note.remark == Remark::Label);
        labels.map(|note| (note.span, note.text.as_str())).collect()
    }

    /// The names in the text that stand for a number from outside.
    pub(crate) fn named(&self) -> Vec<Side> {
        let side = |note: &Note| match note.remark {
            Remark::Value(value) => Some(Side { span: note.span, value }),
            Remark::Label | Remark::Comment | Remark::Sorted(_) => None,
        };
        self.notes.iter().filter_map(side).collect()
    }

    /// The dice terms whose dice are shown in order, if true the highest first.
    pub(crate) fn sorted(&self) -> Vec<(Span, bool)> {
        let sorted = |note: &Note| match note.remark {
            Remark::Sorted(descending) => Some((note.span, descending)),
            Remark::Label | Remark::Comment | Remark::Value(_) => None,
        };
        self.notes.iter().filter_map(sorted).collect()
    }

    /// The comment on the expression.
    pub fn comment(&self) -> Option<&str> {
        self.notes.iter().find(|note| note.remark == Remark::Comment).map(|note| note.text.as_str())
    }

    /// Warnings about the expression.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// One roll; the same seed gives the same dice on every machine.
    pub fn roll(&self, seed: u64, limits: &Limits) -> Result<Rolled, Diagnostic> {
        self.roll_from(&mut Seeded::new(seed), limits)
    }

    /// One roll with dice from any source.
    pub fn roll_from(&self, source: &mut dyn Source, limits: &Limits) -> Result<Rolled, Diagnostic> {
        tumble_roll::roll(self.program(), source, limits)
    }

    /// For many rolls, each with its dice and, on demand, its full record; the limits apply to each roll.
    ///
    /// ```
    /// use tumble::dice::Fast;
    /// use tumble::{Vars, compile};
    ///
    /// let attack = compile("troll", "d20 + 5", &Vars::new())?;
    /// let (mut roller, mut dice) = (attack.roller(&Default::default()), Fast::new(7));
    /// let roll = roller.roll(&mut dice)?;
    /// assert_eq!(roll.value(), tumble::Value::int(roll.dice().map(|die| die.face as i64 + 1).sum::<i64>() + 5));
    /// let rolled = roll.record()?;
    /// println!("{}", tumble::render::text::roll(&attack, rolled));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn roller(&self, limits: &Limits) -> Roller<'_> {
        self.ready.roller(limits)
    }

    /// For many rolls of which only the value is needed; the limits apply to each roll.
    pub fn sampler(&self, limits: &Limits) -> Sampler<'_> {
        self.ready.sampler(limits)
    }

    /// The exact distribution.
    ///
    /// ```
    /// use tumble::{Options, Prepared};
    ///
    /// let coins: Prepared = "2d2".parse()?;
    /// assert_eq!(coins.odds(&Options::default())?.to_string(), "2: 1/4, 3: 1/2, 4: 1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds(&self, options: &Options) -> Result<Odds, Diagnostic> {
        tumble_exact::roll_odds(self.counted(), options)
    }
}

/// An unpredictable seed. It is below 2^53, so that every JSON reader can give it back exactly.
pub fn any_seed() -> Result<u64, Diagnostic> {
    let located = |fault: Fault| fault.at(Span::default());
    Ok(Seeded::from_system().map_err(located)?.seed() >> 11)
}

/// The seed of roll number `n` of a series that starts with `seed`; number 0 is `seed` itself.
///
/// It is the output of SplitMix64, truncated to 53 bits like [`any_seed`]; it never changes, so that a series
/// can be repeated.
pub fn nth_seed(seed: u64, n: u64) -> u64 {
    if n == 0 {
        return seed;
    }
    let mut z = seed.wrapping_add(n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_a_series_differ() {
        let seeds: std::collections::BTreeSet<u64> = (0..1000).map(|n| nth_seed(7, n)).collect();
        assert_eq!(seeds.len(), 1000);
        assert_eq!(nth_seed(7, 0), 7);
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    }

    #[test]
    fn an_unknown_notation_is_a_bad_request() {
        let error = compile("trolls", "d6", &Vars::new()).unwrap_err().first();
        assert_eq!(error.code, Code::Request);
        assert!(error.hint.is_some_and(|hint| hint.contains("troll")));
    }
}
