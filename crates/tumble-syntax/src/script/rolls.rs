//! Dice texts inside a script: what is known of them before they are rolled, and how they are read.

use super::syntax::{Expr, Infix, NodeId, Tree};
use super::types::Type;
use crate::{Lowered, Vars, tabletop};
use tumble_core::{Code, Diagnostic, Span};

/// A part of a dice text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// As written.
    Text(String),
    /// The sum of these numbers, one or more.
    Number(Vec<NodeId>),
}

impl Piece {
    /// For a message.
    pub(super) fn shown(&self) -> &str {
        match self {
            Piece::Text(text) => text,
            Piece::Number(_) => "…",
        }
    }
}

/// The pieces of a text that is a literal or a join of literals and numbers.
pub(super) fn pieces(tree: &Tree, types: &[Type], node: NodeId) -> Option<Vec<Piece>> {
    let (first, rest) = match tree.nodes.expr(node) {
        Expr::Text(text) => return Some(vec![Piece::Text(text.clone())]),
        Expr::Chain { first, rest } => (*first, rest),
        _ => return None,
    };
    let mut pieces = Vec::new();
    for (at, part) in std::iter::once(first).chain(rest.iter().map(|(_, part)| *part)).enumerate() {
        if at > 0 && rest[at - 1].0 != Infix::Plus {
            return None;
        }
        match (tree.nodes.expr(part), &types[part.index()], pieces.as_mut_slice()) {
            (Expr::Text(text), ..) => pieces.push(Piece::Text(text.clone())),
            // Numbers before the first text are added.
            (_, Type::Int, [Piece::Number(sum)]) => sum.push(part),
            (_, Type::Int, _) => pieces.push(Piece::Number(vec![part])),
            _ => return None,
        }
    }
    Some(pieces)
}

/// The names of the numbers in a text, as the everyday notation sees them.
pub(super) fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("number{number}")).collect()
}

/// Reads a text with numbers in it as parameters; `term` if it must be a single dice term.
pub(super) fn lower(pieces: &[Piece], term: bool) -> Result<Lowered, Diagnostic> {
    let mut numbers = 0;
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Number(_) => {
                text.push_str(&format!("(number{numbers})"));
                numbers += 1;
            }
        }
    }
    let names = names(numbers);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    read(&text, &names, term)
}

/// The longest dice text.
const LONGEST: usize = 1000;

/// Reads a dice text.
pub(super) fn read(text: &str, names: &[&str], term: bool) -> Result<Lowered, Diagnostic> {
    let whole = Span::new(0, text.len());
    if text.chars().count() > LONGEST {
        return Err(Diagnostic::new(Code::Limit, whole, format!("a dice text has at most {LONGEST} characters")));
    }
    if let Some(at) = text.find('@') {
        let span = Span::new(at, text.len());
        let message = "values of a character are not known inside a script";
        return Err(Diagnostic::new(Code::Name, span, message).hint("join the number to the text"));
    }
    let lowered = if term { tabletop::members(text, &Vars::new(), names) } else { total(text, names) };
    lowered
        .map_err(|found| found.into_iter().next().unwrap_or_else(|| Diagnostic::new(Code::Syntax, whole, "unreadable")))
}

/// A text with one total.
fn total(text: &str, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    let lowered = (crate::everyday().lower)(text, &Vars::new(), names)?;
    let several =
        lowered.one.is_some() || tabletop::parse(text).is_ok_and(|tree| tree.items.len() > 1 && several(&tree));
    if several {
        let message = "it has several results, and a script needs one number";
        return Err(vec![Diagnostic::new(Code::Type, Span::new(0, text.len()), message)]);
    }
    Ok(lowered)
}

/// Whether more than one roll is made.
fn several(tree: &tabletop::syntax::Tree) -> bool {
    let rolls = tree.items.iter().filter(|item| matches!(item, tabletop::syntax::Item::Roll(_)));
    rolls.count() > 1
}
