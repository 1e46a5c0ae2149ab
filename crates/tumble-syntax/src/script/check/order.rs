//! The order in which functions are checked: what a function calls comes before it, as far as there is no circle.

use super::super::syntax::{Expr, Function};
use super::super::walk::each_node;
use super::Checker;

impl Checker<'_, '_> {
    /// The functions in the order of a depth-first search that keeps its own stack.
    pub(super) fn callees_first(&self) -> Vec<usize> {
        let calls: Vec<Vec<usize>> = self.tree.functions.iter().map(|function| self.callees(function)).collect();
        let (mut seen, mut order) = (vec![false; calls.len()], Vec::new());
        for first in 0..calls.len() {
            let mut open = vec![(first, 0)];
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            while let Some((function, next)) = open.last_mut() {
                match calls[*function].get(*next) {
                    Some(callee) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[*callee], true) {
                            open.push((*callee, 0));
                        }
                    }
                    None => {
                        order.push(*function);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// Whether a function can lead back to itself.
    pub(super) fn calls_itself(&self, number: usize) -> bool {
        let (mut todo, mut seen) = (vec![number], vec![false; self.tree.functions.len()]);
        while let Some(function) = todo.pop() {
            for callee in self.callees(&self.tree.functions[function]) {
                if callee == number {
                    return true;
                }
                if !std::mem::replace(&mut seen[callee], true) {
                    todo.push(callee);
                }
            }
        }
        false
    }

    fn callees(&self, function: &Function) -> Vec<usize> {
        let mut found = Vec::new();
        each_node(self.tree, &function.body, |expr| {
            if let Expr::Call { name, .. } = expr {
                found.extend(self.known.tables.function(&name.key));
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}
