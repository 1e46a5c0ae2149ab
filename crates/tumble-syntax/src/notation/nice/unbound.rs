//! Names without a value: all of them are listed in one message.

use super::syntax::{Expr, Tree};
use crate::mistake::{LONGEST_FIX, Mistake, listed, shown};
use tumble_core::{Code, Span};

/// A name without a value, where it stands, and the name that it was most likely meant to be.
pub(super) struct Free<'a> {
    pub(super) name: &'a str,
    pub(super) span: Span,
    pub(super) meant: Option<String>,
}

/// More names than this are counted and not shown.
const MOST_SHOWN: usize = 5;

/// What to say about them. The corrected text has the nearest names in their place, if each is near to one.
pub(super) fn unbound(tree: &Tree, text: &str, free: &[Free<'_>]) -> Mistake {
    let mut names: Vec<&str> = Vec::new();
    for Free { name, .. } in free {
        if names.len() <= MOST_SHOWN && !names.contains(name) {
            names.push(name);
        }
    }
    let place = free.first().map_or(Span::default(), |first| first.span);
    let message = match names.as_slice() {
        [name] if elsewhere(tree, name) => {
            format!("{} has no value here; a binding only applies to what comes after it", shown(name))
        }
        [name] => format!("unknown name {}", shown(name)),
        many => {
            let names: Vec<String> = many.iter().map(|name| shown(name)).collect();
            format!("unknown names {}", listed(&names, MOST_SHOWN))
        }
    };
    let mistake = Mistake::new(place, message).code(Code::Name).kind("unbound-symbols");
    let known = free.iter().all(|free| free.meant.is_some());
    if known && text.len() <= LONGEST_FIX { mistake.fix(corrected(text, free)) } else { mistake }
}

/// Whether the name is bound at another place.
fn elsewhere(tree: &Tree, name: &str) -> bool {
    tree.nodes.iter().any(|(_, expr)| matches!(expr, Expr::Bind(bound, ..) if bound == name))
}

fn corrected(text: &str, free: &[Free<'_>]) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for Free { span, meant, .. } in free {
        out.push_str(&text[done..span.start]);
        out.push_str(meant.as_deref().unwrap_or_default());
        done = span.end;
    }
    format!("{out}{}", &text[done..])
}
