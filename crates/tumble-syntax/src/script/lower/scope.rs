//! Where variables occur: what is not read later need not be carried on (liveness, by places in the text).

use super::super::check::Checked;
use super::super::syntax::{Block, Do, Name, NodeId, Tree};
use super::super::types::{Meaning, Type};
use super::super::walk::{each_inside, statement_parts};
use std::collections::HashMap;
use tumble_core::Span;

/// The first and last place of every variable of a function, and where it is assigned.
#[derive(Default)]
pub(super) struct Occurrences {
    /// The names and types of all variables.
    vars: Vec<(String, Type)>,
    /// Which variable a name that is bound means, by where it is written.
    names: HashMap<usize, usize>,
    places: Vec<(usize, usize)>,
    /// Where something is assigned, in the order of the text, and what.
    assigned: Vec<(usize, usize)>,
}

impl Occurrences {
    pub(super) fn new(tree: &Tree, known: &Checked, function: usize) -> Occurrences {
        let vars = &known.functions[function];
        let mut places = vec![(usize::MAX, 0); vars.all.len()];
        let mut see = |var: usize, at: usize| {
            if let Some((first, last)) = places.get_mut(var) {
                (*first, *last) = ((*first).min(at), (*last).max(at));
            }
        };
        vars.places.iter().for_each(|(at, var)| see(*var, *at));
        let (mut blocks, mut nodes) = (vec![&tree.functions[function].body], Vec::<NodeId>::new());
        let mut assigned = Vec::new();
        while let Some(block) = blocks.pop() {
            for statement in &block.statements {
                if let Do::Assign { place, .. } = &statement.what
                    && let Some(var) = vars.places.get(&place.name.span.start)
                {
                    assigned.push((place.name.span.start, *var));
                }
                statement_parts(&statement.what, &mut nodes, &mut blocks);
            }
        }
        each_inside(tree, nodes, |node, _| {
            if let Some(Meaning::Variable(var)) = &known.meanings[node.index()] {
                see(*var, tree.nodes.span(node).start);
            }
        });
        assigned.sort_unstable();
        Occurrences { vars: vars.all.clone(), names: vars.places.clone(), places, assigned }
    }

    /// The variable that is bound by this name.
    pub(super) fn variable(&self, name: &Name) -> Option<usize> {
        self.names.get(&name.span.start).copied()
    }

    pub(super) fn name(&self, var: usize) -> &str {
        &self.vars[var].0
    }

    pub(super) fn kind(&self, var: usize) -> &Type {
        &self.vars[var].1
    }

    /// The variables that a block or statement assigns.
    pub(super) fn assigned(&self, span: Span) -> Vec<usize> {
        let from = self.assigned.partition_point(|(at, _)| *at < span.start);
        let inside = self.assigned[from..].iter().take_while(|(at, _)| *at < span.end);
        let mut vars: Vec<usize> = inside.map(|(_, var)| *var).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Whether a variable is named before a place.
    pub(super) fn before(&self, var: usize, span: Span) -> bool {
        self.places[var].0 < span.start
    }

    /// Whether it is named after a place.
    pub(super) fn after(&self, var: usize, span: Span) -> bool {
        self.places[var].1 >= span.end
    }
}

/// Whether a block always leaves: nothing after it is reached.
pub(super) fn leaves(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.what {
        Do::Return(_) | Do::Break => true,
        Do::Block(block) | Do::Group { body: block, .. } => leaves(block),
        Do::If { arms, other } => arms.iter().all(|(_, block)| leaves(block)) && other.as_ref().is_some_and(leaves),
        Do::Assign { .. } | Do::While { .. } | Do::For { .. } | Do::Expr(_) => false,
    })
}
