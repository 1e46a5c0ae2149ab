//! The canonical spelling of a program's terms, one line per function.
//!
//! ```text
//! lit      7  "a"  [1, 2]
//! let      let x = value in body     let (x, y) = value in body
//! if       if test then a else b
//! prim     name(a, b)
//! draw     draw(lo..hi)  draw(1 or 6)  draw(of pool)  draw(n of pool)
//! repeat   repeat(n, body)      each      each(x in pool, body)
//! until    until(x = body, stop)   accumulate(x = body, stop)
//! loop     loop(s = start, while test, body)     loop((s, t) = start, while test, body)
//! call     f(a, b)
//! play     leave(call, v)   ask(option, …)   emit(line, …)   throw(total, …)
//! ```

use crate::check::Program;
use crate::term::{Faces, FnId, Function, Keep, Slot, Term, TermId};

/// Spells a program: its functions, then the roll itself.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for (index, function) in program.functions().iter().enumerate() {
        if FnId(index as u32) == program.main() {
            continue;
        }
        let params: Vec<String> = function.params.iter().map(|&slot| name(function, slot)).collect();
        out.push_str(&format!("{}({}) = ", function.name, params.join(", ")));
        spell(program, function, &mut out);
        out.push('\n');
    }
    spell(program, program.function(program.main()), &mut out);
    out
}

/// What is left to write; the printer keeps its own stack.
enum Piece {
    Term(TermId),
    Text(String),
}

fn spell(program: &Program, function: &Function, out: &mut String) {
    let mut pieces = vec![Piece::Term(function.body)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Term(id) => pieces.extend(parts(program, function, id).into_iter().rev()),
        }
    }
}

fn parts(program: &Program, function: &Function, id: TermId) -> Vec<Piece> {
    let var = |slot: Slot| name(function, slot);
    match program.term(id) {
        Term::Lit(value) => vec![text(value)],
        Term::Var(slot) => vec![text(var(*slot))],
        Term::Let { slots, value, body } => {
            vec![text(format!("let {} = ", names(function, slots))), term(value), text(" in "), term(body)]
        }
        Term::If { test, then, other, .. } => {
            vec![text("if "), term(test), text(" then "), term(then), text(" else "), term(other)]
        }
        Term::Prim { prim, args } => listed(prim.name, args),
        Term::Call { function, args } => listed(&program.function(*function).name, args),
        Term::Leave { exit, value } => listed_as("leave", exit.name(), &[*value]),
        Term::Ask { question, args } => listed_as("ask", question.name(), args),
        Term::Emit { event, args } => listed_as("emit", event.name(), args),
        Term::Throw { throw, args } => listed_as("throw", throw.name(), args),
        Term::Draw { faces } => drawn(faces),
        Term::Repeat { times, body } => vec![text("repeat("), term(times), text(", "), term(body), text(")")],
        Term::ForEach { slot, pool, body } => {
            vec![text(format!("each({} in ", var(*slot))), term(pool), text(", "), term(body), text(")")]
        }
        Term::Until { slot, first, body, stop, most, keep } => {
            let word = if *keep == Keep::Last { "until" } else { "accumulate" };
            let most = most.map_or(String::new(), |most| format!(", at most {most}"));
            let head = format!("{word}({} = ", var(*slot));
            let mut pieces = vec![text(head)];
            pieces.extend(first.iter().flat_map(|first| [term(first), text(" then ")]));
            pieces.extend([term(body), text(", "), term(stop), text(format!("{most})"))]);
            pieces
        }
        Term::Loop { slots, start, test, body } => {
            let head = text(format!("loop({} = ", names(function, slots)));
            vec![head, term(start), text(", while "), term(test), text(", "), term(body), text(")")]
        }
    }
}

fn drawn(faces: &Faces) -> Vec<Piece> {
    match faces {
        Faces::Range { lo, hi } => vec![text("draw("), term(lo), text(".."), term(hi), text(")")],
        Faces::Weighted(faces) => {
            let faces: Vec<String> = faces.iter().map(|(value, weight)| format!("{value} x{weight}")).collect();
            vec![text(format!("draw({})", faces.join(" or ")))]
        }
        Faces::Member { pool } => vec![text("draw(of "), term(pool), text(")")],
        Faces::Members { pool, count } => {
            vec![text("draw("), term(count), text(" of "), term(pool), text(")")]
        }
    }
}

fn listed(name: &str, args: &[TermId]) -> Vec<Piece> {
    let mut pieces = vec![text(format!("{name}("))];
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            pieces.push(text(", "));
        }
        pieces.push(term(arg));
    }
    pieces.push(text(")"));
    pieces
}

/// `word(kind, a, b)`
fn listed_as(word: &str, kind: &str, args: &[TermId]) -> Vec<Piece> {
    let mut pieces = vec![text(format!("{word}({kind}"))];
    pieces.extend(args.iter().flat_map(|arg| [text(", "), term(arg)]));
    pieces.push(text(")"));
    pieces
}

fn term(id: &TermId) -> Piece {
    Piece::Term(*id)
}

fn text(text: impl ToString) -> Piece {
    Piece::Text(text.to_string())
}

/// `x`, or `(x, y)` for several.
fn names(function: &Function, slots: &[Slot]) -> String {
    let names: Vec<String> = slots.iter().map(|slot| name(function, *slot)).collect();
    if let [one] = names.as_slice() { one.clone() } else { format!("({})", names.join(", ")) }
}

/// Two variables of one name are told apart by their number.
fn name(function: &Function, slot: Slot) -> String {
    let name = function.slots.get(slot.index()).map_or("_", String::as_str);
    let shared = function.slots.iter().filter(|other| *other == name).count() > 1;
    if shared { format!("{name}{}", slot.0) } else { name.to_owned() }
}

#[cfg(all(test, feature = "arbitrary"))]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn what_is_printed_can_be_read() {
        for text in [
            "let x = draw(1..6) in add(x, x)",
            "let (x, y) = tuple(1, (2, 3)) in field(0, y)",
            "loop(s = 1, while false, s)",
            "loop((n, rest) = tuple(1, [2]), while some(rest), tuple(add(n, 1), [3]))",
            "until(x = 1 then 2, some(equal(x, 1)), at most 3)",
            "let x = if true then leave(call, 1) else nothing in x",
            "loop(s = 1, while true, leave(loop, s))",
            "ask(option, \"Ann\", nothing, \"Reroll?\", nothing)",
            "emit(line, \"hit\", \"good\")",
            "throw(again, [1, 2], [0], 6)",
        ] {
            assert_eq!(print(&read::program(text)), text);
        }
    }
}
