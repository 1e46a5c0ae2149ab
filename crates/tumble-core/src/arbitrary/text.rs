//! Texts.

use super::{Maker, Sort};
use crate::prim;
use crate::term::{Term, TermId};
use crate::value::Value;

impl Maker {
    pub(super) fn text(&mut self, size: u32) -> TermId {
        if size == 0 {
            let text = self.pick(&["", "a", "bc", "d\ne"]);
            return self.add(Term::Lit(Value::text(text)));
        }
        match self.below(7) {
            5 | 6 => self.script_text(size),
            0 | 1 => {
                let sort = self.pick(&[Sort::Int, Sort::Pool, Sort::Pair, Sort::Text]);
                let value = self.term(sort, size - 1);
                self.row(&prim::TEXT, vec![value])
            }
            2 | 3 => {
                let rows = [&prim::BESIDE, &prim::STACK_LEFT, &prim::STACK_RIGHT, &prim::STACK_CENTRE];
                let row = self.pick(&rows);
                let args = vec![self.term(Sort::Text, size / 2), self.term(Sort::Text, size / 2)];
                self.row(row, args)
            }
            _ => {
                let times = self.pick(&[0, 1, 2, 2]);
                let (times, body) = (self.int(times), self.term(Sort::Text, size / 2));
                let list = self.add(Term::Repeat { times, body });
                self.row(&prim::LAYERS, vec![list])
            }
        }
    }
}
