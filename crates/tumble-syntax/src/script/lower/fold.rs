//! The value of a term without dice and questions: what a constant is.

use tumble_core::{Budget, Code, Diagnostic, Draft, Limits, Slot, Term, TermId, Value};

/// The value of a term of a draft.
pub(super) fn value(draft: &Draft, term: TermId) -> Result<Value, Diagnostic> {
    Fold { draft, budget: Budget::new(Limits::small()), vars: vec![] }.value(term)
}

struct Fold<'d> {
    draft: &'d Draft,
    budget: Budget,
    vars: Vec<(Slot, Value)>,
}

impl Fold<'_> {
    /// It recurses as deep as the script is nested, which is counted when it is read.
    fn value(&mut self, id: TermId) -> Result<Value, Diagnostic> {
        let node = self.draft.node(id);
        let at = |fault: tumble_core::Fault| fault.at(node.span);
        self.budget.step(1).map_err(at)?;
        match &node.term {
            Term::Lit(value) => Ok(value.clone()),
            Term::Var(slot) => {
                let found = self.vars.iter().rev().find(|(own, _)| own == slot);
                Ok(found.map_or(Value::NOTHING, |(_, value)| value.clone()))
            }
            Term::Let { slots, value, body } => {
                let value = self.value(*value)?;
                self.vars.extend(slots.first().map(|slot| (*slot, value)));
                let body = self.value(*body);
                self.vars.pop();
                body
            }
            Term::If { test, then, other, .. } => {
                let holds = self.value(*test)?.as_bool().unwrap_or(false);
                self.value(if holds { *then } else { *other })
            }
            Term::Prim { prim, args } => {
                let args = args.iter().map(|arg| self.value(*arg)).collect::<Result<Vec<_>, _>>()?;
                (prim.apply)(&args, &mut self.budget).map_err(at)
            }
            Term::ForEach { slot, pool, body } => {
                let pool = self.value(*pool)?;
                let mut results = Vec::new();
                for member in pool.as_pool().unwrap_or(&[]) {
                    self.vars.push((*slot, member.clone()));
                    let result = self.value(*body);
                    self.vars.pop();
                    results.push(result?);
                }
                Ok(Value::list(results))
            }
            Term::Draw { .. } | Term::Repeat { .. } | Term::Until { .. } | Term::Loop { .. } | Term::Call { .. } => {
                Err(unknown(node.span))
            }
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => Err(unknown(node.span)),
        }
    }
}

fn unknown(span: tumble_core::Span) -> Diagnostic {
    Diagnostic::new(Code::Type, span, "this is not known before a roll")
}
