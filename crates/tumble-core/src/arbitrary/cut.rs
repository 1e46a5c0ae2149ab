//! Loops with an end put to them.

use crate::check::{Program, check};
use crate::term::{Draft, Term};

/// The same program with every loop without end cut after so many passes: what the last pass gives stands. The two
/// give the same unless some loop would go on for longer.
pub fn cut(program: &Program, most: u64) -> Program {
    let mut draft = Draft::with_room(program.nodes().len());
    for node in program.nodes() {
        let mut term = node.term.clone();
        if let Term::Until { most: end, .. } = &mut term {
            end.get_or_insert(most);
        }
        draft.add(node.span, term);
    }
    match check(draft, program.functions().to_vec(), program.main()) {
        Ok(program) => program,
        Err(found) => unreachable!("it was right before: {found:?}"),
    }
}
