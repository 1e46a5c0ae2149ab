//! Mistakes that only a roll meets, if it gets there: a `fail` in their place, a warning unless it is
//! certain that the roll gets there, and advice.

use super::super::kind::Kind;
use super::super::parse::attempt;
use super::super::spell::spell;
use super::{Lowering, Typed};
use crate::build::{self, bind};
use crate::mistake::{LONGEST_FIX, instead, shown};
use crate::nearest::nearest;
use tumble_core::{Code, Data, Diagnostic, Span, Term, TermId, prim};

impl Lowering<'_> {
    pub(super) fn unknown_variable(&mut self, span: Span, name: &str) -> Typed {
        if let Some(function) = self.frame.name
            && self.vars.contains_key(name)
        {
            let message = format!("the function `{function}` can only use its parameters, not the variable `{name}`");
            return self.fail(Code::Name, span, &message, None);
        }
        let hint = self.meant(span, name).or_else(|| self.given_a_value(name));
        self.fail(Code::Name, span, &format!("unknown name {}", shown(name)), hint)
    }

    pub(super) fn unknown_function(&mut self, span: Span, name: &str) -> Typed {
        let hint = self.meant_function(span, name);
        self.fail(Code::Name, span, &format!("unknown function {}", shown(name)), hint)
    }

    pub(super) fn wrong_count(&mut self, span: Span, name: &str, wanted: usize, given: usize) -> Typed {
        let values = if wanted == 1 { "value" } else { "values" };
        let message = format!("the function {} takes {wanted} {values}, not {given}", shown(name));
        self.fail(Code::Name, span, &message, None)
    }

    /// Dice where one number is needed; the core would say the same without advice.
    pub(super) fn not_one_number(&mut self, dice: Typed, count: i64) -> TermId {
        let message = format!("expected a single number, not a collection of {count}");
        let hint = self.summed(dice.span).map(|fixed| format!("to add up the dice: `{fixed}`"));
        let failing = self.fail(Code::Runtime, dice.span, &message, hint);
        self.after(&[dice], failing).term
    }

    /// The same after these values were rolled for nothing.
    pub(super) fn after(&mut self, values: &[Typed], last: Typed) -> Typed {
        values.iter().rev().fold(last, |last, value| {
            let slot = self.slot("unused");
            self.typed(last.span, last.kind, bind(slot, value.term, last.term))
        })
    }

    /// Stops the roll if it gets here.
    fn fail(&mut self, code: Code, span: Span, message: &str, hint: Option<String>) -> Typed {
        if !self.frame.certain && self.warned.insert(message.to_owned()) {
            let warning = Diagnostic { hint: hint.clone(), ..Diagnostic::new(code, span, message) };
            self.warnings.push(warning);
        }
        self.typed(span, Kind::Bottom, build::fail(code, "", message, hint.as_deref().unwrap_or_default()))
    }

    /// How many dice the term rolls, if it is `m d n` with a written `m` other than 1.
    pub(super) fn dice(&self, term: TermId) -> Option<i64> {
        let inside = |term: TermId, row| {
            let (_, args) = self.draft.node(term).term.row().filter(|(prim, _)| *prim == row)?;
            if let [one] = *args { Some(one) } else { None }
        };
        let list = inside(inside(term, &prim::BAG)?, &prim::GATHER)?;
        let Term::Repeat { times, body } = self.draft.node(list).term else { return None };
        let (Term::Draw { .. }, Term::Lit(times)) = (&self.draft.node(body).term, &self.draft.node(times).term) else {
            return None;
        };
        match times.data {
            Data::Int(count) if count > 1 => Some(count),
            _ => None,
        }
    }

    /// The text with `sum` before the dice, with as few parentheses as say the same.
    fn summed(&self, span: Span) -> Option<String> {
        let dice = &self.text[span.start..span.end];
        let closed = self.instead(span, &format!("(sum {dice})"))?;
        let meaning = |text: &str| attempt(text).ok().map(|tree| spell(&tree));
        let inside = dice.strip_prefix('(').and_then(|dice| dice.strip_suffix(')')).unwrap_or(dice);
        let shorter = [format!("sum {inside}"), format!("(sum {inside})")];
        let mut shorter = shorter.iter().filter_map(|sum| self.instead(span, sum));
        Some(shorter.find(|fixed| meaning(fixed) == meaning(&closed)).unwrap_or(closed))
    }

    /// A name that is known here and nearly the same.
    fn meant(&self, span: Span, name: &str) -> Option<String> {
        if self.text.len() > LONGEST_FIX {
            return None;
        }
        let bound = self.frame.scope.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(name, _)| *name);
        let outside = self.vars.keys().map(String::as_str).filter(|_| self.frame.outside.is_some());
        let mut known: Vec<&str> = bound.chain(outside).collect();
        known.sort_unstable();
        let same = || known.iter().find(|other| other.eq_ignore_ascii_case(name)).map(|same| (*same).to_owned());
        let near = || nearest(name, known.iter().copied()).map(str::to_owned);
        let meant = same().or_else(|| apart(name, &known)).or_else(near)?;
        self.instead(span, &meant).map(did_you_mean)
    }

    fn meant_function(&self, span: Span, name: &str) -> Option<String> {
        if self.text.len() > LONGEST_FIX {
            return None;
        }
        let meant = nearest(name, self.declared.keys().copied())?;
        let at = span.start + self.text[span.start..span.end].find(name)?;
        self.instead(Span::new(at, at + name.len()), meant).map(did_you_mean)
    }

    /// The text with a binding for the name before what it rolls; a function would not see it.
    fn given_a_value(&self, name: &str) -> Option<String> {
        self.frame.outside.as_ref()?;
        let start = self.span(self.tree.main).start;
        let fixed = self.instead(Span::new(start, start), &format!("{name} := 1; "))?;
        Some(format!("give it a value first: `{fixed}`"))
    }

    /// The text with `with` in place of `span`, if that can be read.
    fn instead(&self, span: Span, with: &str) -> Option<String> {
        let fixed = instead(self.text, span, with).filter(|_| !self.text.contains('`'))?;
        attempt(&fixed).is_ok().then_some(fixed)
    }
}

/// `dn` is `d n` and `nd` is `n d` where `n` is known.
fn apart(name: &str, known: &[&str]) -> Option<String> {
    const DICE: [char; 4] = ['d', 'D', 'z', 'Z'];
    let known = |part: &&str| known.contains(part);
    if let Some(sides) = name.strip_prefix(DICE).filter(known) {
        return Some(format!("{} {sides}", &name[..1]));
    }
    let count = name.strip_suffix(DICE).filter(known)?;
    Some(format!("{count} {}", &name[count.len()..]))
}

fn did_you_mean(fixed: String) -> String {
    format!("did you mean `{fixed}`?")
}
