//! All expressions of a script, found without recursion.

use super::syntax::{Block, Do, Expr, NodeId, Step, Tree};

/// Visits all expressions in a block, in no particular order.
pub(super) fn each_node<'t>(tree: &'t Tree, block: &'t Block, mut visit: impl FnMut(&'t Expr)) {
    let (mut blocks, mut nodes) = (vec![block], Vec::new());
    while let Some(block) = blocks.pop() {
        for statement in &block.statements {
            statement_parts(&statement.what, &mut nodes, &mut blocks);
        }
    }
    each_inside(tree, nodes, |_, expr| visit(expr));
}

/// The expressions and blocks directly inside a statement.
pub(super) fn statement_parts<'t>(what: &'t Do, nodes: &mut Vec<NodeId>, blocks: &mut Vec<&'t Block>) {
    match what {
        Do::Assign { place, value, .. } => {
            nodes.push(*value);
            nodes.extend(place.steps.iter().filter_map(|step| match step {
                Step::Index(at) => Some(*at),
                Step::Field(_) => None,
            }));
        }
        Do::If { arms, other } => {
            nodes.extend(arms.iter().map(|(test, _)| *test));
            blocks.extend(arms.iter().map(|(_, block)| block).chain(other));
        }
        Do::While { test: node, body } | Do::For { list: node, body, .. } => {
            nodes.push(*node);
            blocks.push(body);
        }
        Do::Group { title, body } => {
            nodes.extend(title);
            blocks.push(body);
        }
        Do::Return(value) => nodes.extend(value),
        Do::Break => {}
        Do::Expr(value) => nodes.push(*value),
        Do::Block(block) => blocks.push(block),
    }
}

/// Visits expressions and all that is inside them.
pub(super) fn each_inside<'t>(tree: &'t Tree, mut todo: Vec<NodeId>, mut visit: impl FnMut(NodeId, &'t Expr)) {
    while let Some(node) = todo.pop() {
        let expr = tree.nodes.expr(node);
        visit(node, expr);
        match expr {
            Expr::Int(_) | Expr::Text(_) | Expr::Truth(_) | Expr::Name(_) | Expr::Unread => {}
            Expr::List(items) => todo.extend(items),
            Expr::Made { item, list, test, .. } => todo.extend([*item, *list].into_iter().chain(*test)),
            Expr::Record { fields, .. } => todo.extend(fields.iter().map(|(_, value)| *value)),
            Expr::Call { args, .. } => todo.extend(args),
            Expr::Field { of, .. } => todo.push(*of),
            Expr::Index { of, at } => todo.extend([*of, *at]),
            Expr::Not(inside) | Expr::Minus(inside) => todo.push(*inside),
            Expr::Chain { first, rest } => todo.extend(rest.iter().map(|(_, value)| *value).chain([*first])),
            Expr::Choice { test, then, other } => todo.extend([*test, *then, *other]),
        }
    }
}
