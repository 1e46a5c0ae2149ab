//! Loops that evidently never end: nothing that their condition depends on can change.

use super::super::builtin::Effect;
use super::super::problem::Problem;
use super::super::syntax::{Block, Do, Expr, Infix, NodeId};
use super::super::types::Meaning;
use super::super::walk::{each_inside, statement_parts};
use super::{Checker, Scope};
use tumble_core::{Code, Compare, Span};

impl Checker<'_, '_> {
    pub(super) fn evidently_endless(&mut self, scope: &Scope<'_>, span: Span, test: NodeId, body: &Block) {
        if self.quiet || matches!(self.tree.nodes.expr(test), Expr::Truth(false)) || !self.is_fixed(test) {
            return;
        }
        let mut read = Vec::new();
        each_inside(self.tree, vec![test], |node, _| read.extend(self.variable(node)));
        if leaves(body) || read.iter().any(|var| assigns(body, &scope.declared[*var].key)) {
            return;
        }
        let head = Span::new(span.start, self.tree.nodes.span(test).end);
        let problem = Problem::error(Code::Endless, head, "this loop never ends: nothing in it changes its condition");
        self.add(match self.counted(test) {
            Some(step) => {
                let at = Span::new(body.span.end.saturating_sub(1), body.span.end.saturating_sub(1));
                problem.fix(format!("perhaps `{step}` is missing"), at, format!("{step} "))
            }
            None => problem.hint("change a variable of its condition, or leave it with `break`"),
        });
    }

    /// Whether a condition has no dice, no option and no call of a function.
    fn is_fixed(&self, test: NodeId) -> bool {
        let mut fixed = true;
        each_inside(self.tree, vec![test], |node, expr| {
            if let Expr::Call { .. } = expr {
                let pure = matches!(&self.known.meanings[node.index()],
                    Some(Meaning::Builtin(row)) if row.effect == Effect::Nothing);
                fixed &= pure;
            }
        });
        fixed
    }

    /// What a loop that counts a variable up or down lacks.
    fn counted(&self, test: NodeId) -> Option<String> {
        let Expr::Chain { first, rest } = self.tree.nodes.expr(test) else { return None };
        let [(Infix::Compare(by), _)] = rest.as_slice() else { return None };
        let Expr::Name(name) = self.tree.nodes.expr(*first) else { return None };
        self.variable(*first)?;
        match by {
            Compare::Less | Compare::AtMost => Some(format!("{}++;", name.text)),
            Compare::More | Compare::AtLeast => Some(format!("{}--;", name.text)),
            Compare::Equal | Compare::Unequal => None,
        }
    }
}

/// Whether a block can leave the loop whose body it is.
fn leaves(body: &Block) -> bool {
    let mut found = false;
    each_statement(body, |what, inner| {
        found |= matches!(what, Do::Return(_)) || matches!(what, Do::Break) && !inner;
    });
    found
}

/// Whether a block assigns a variable.
pub(super) fn assigns(body: &Block, key: &str) -> bool {
    let mut found = false;
    each_statement(body, |what, _| {
        found |= matches!(what, Do::Assign { place, .. } if place.name.key == key);
    });
    found
}

/// Visits all statements in a block, and says whether they stand in a loop inside it.
fn each_statement(block: &Block, mut visit: impl FnMut(&Do, bool)) {
    let (mut todo, mut nodes) = (vec![(block, false)], Vec::new());
    while let Some((block, inner)) = todo.pop() {
        for statement in &block.statements {
            visit(&statement.what, inner);
            let mut blocks = Vec::new();
            statement_parts(&statement.what, &mut nodes, &mut blocks);
            let inner = inner || matches!(statement.what, Do::While { .. } | Do::For { .. });
            todo.extend(blocks.into_iter().map(|block| (block, inner)));
        }
    }
}
