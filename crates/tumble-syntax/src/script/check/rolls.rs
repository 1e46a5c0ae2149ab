//! Dice texts that are known before anything runs: they are read in the everyday notation.
//!
//! A literal is known, and so is a join of literals with numbers, which stand in it like numbers in parentheses.

use super::super::parse::is_dice;
use super::super::problem::Problem;
use super::super::rolls::{self, Piece};
use super::super::syntax::{Expr, NodeId};
use super::super::types::{Meaning, Type};
use super::{Checker, Scope};
use tumble_core::Code;

impl Checker<'_, '_> {
    /// The text of a roll; `term` if it must be a single dice term.
    pub(super) fn dice_text(&mut self, scope: &mut Scope<'_>, arg: NodeId, term: bool) -> Type {
        let tree = self.tree;
        if let Expr::Name(name) = tree.nodes.expr(arg)
            && !scope.named.contains_key(&name.key)
            && self.known.tables.constant(&name.key).is_none()
            && is_dice(&name.key)
        {
            let quoted = format!("\"{}\"", name.text);
            let problem = Problem::syntax(name.span, format!("dice without quotes: `{}`", name.text));
            self.add(problem.fix(format!("write `{quoted}`"), name.span, quoted).slip());
            self.means(arg, Meaning::DiceText(name.text.clone()));
            return self.set(arg, Type::Text);
        }
        let kind = self.value(scope, arg, Some(&Type::Text));
        if kind.is_not(&Type::Text) {
            let found = self.known.tables.name(&kind);
            let span = tree.nodes.span(arg);
            let problem = Problem::wrong_type(span, format!("expected a dice expression in quotes, not {found}"));
            self.add(problem.hint("for example `\"2d6\"`, or `n + \"d6\"`"));
            return Type::Text;
        }
        self.known_text(arg, term);
        kind
    }

    /// A literal where a dice text is expected.
    pub(super) fn dice_literal(&mut self, node: NodeId) {
        if matches!(self.tree.nodes.expr(node), Expr::Text(text) if !text.is_empty()) {
            self.known_text(node, false);
        }
    }

    /// Reads a text if it is known.
    fn known_text(&mut self, node: NodeId, term: bool) {
        if self.quiet {
            return;
        }
        let Some(pieces) = rolls::pieces(self.tree, &self.known.types, node) else { return };
        let written: String = pieces.iter().map(Piece::shown).collect();
        let Err(found) = rolls::lower(&pieces, term) else { return };
        let span = self.tree.nodes.span(node);
        let message = format!("\"{written}\" is not a dice expression: {}", found.message);
        let problem = Problem::error(Code::Syntax, span, message);
        let literal = matches!(pieces.as_slice(), [Piece::Text(_)]);
        // A name that is not known may be anything; a correction has to be one that a script can roll.
        let known = found.code == Code::Syntax;
        let meant = found.hint.as_deref().and_then(|hint| hint.strip_prefix("try `")?.strip_suffix('`'));
        let meant = meant.filter(|meant| known && rolls::read(meant, &[], term).is_ok());
        self.add(match (meant, literal) {
            (Some(meant), true) => problem.fix(format!("try \"{meant}\""), span, format!("\"{meant}\"")),
            (_, _) => match found.hint.filter(|hint| !hint.starts_with("try `")) {
                Some(hint) if literal && known => problem.hint(hint),
                _ => problem,
            },
        });
    }
}
