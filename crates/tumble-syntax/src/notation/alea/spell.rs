//! The canonical spelling of a tree.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! What need not be said is not said: `1d6` is `d6`, `K1R` is `K`, `dF1` is `dF`. The number of dice to keep stands
//! before the letter: `K2H`.

use super::syntax::{Change, Count, Die, Operand, Pool, Sides, Tree, Which};
use crate::kit::faces_written;

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    let mut out = String::new();
    for (at, term) in tree.terms.iter().enumerate() {
        if at > 0 {
            out.push_str(if term.minus { " - " } else { " + " });
        }
        match &term.operand {
            Operand::Number(n) => out.push_str(&n.to_string()),
            Operand::Pool(pool) => spell_pool(pool, &mut out),
        }
    }
    out
}

fn spell_pool(pool: &Pool, out: &mut String) {
    out.push_str(&unless(1, pool.dice));
    spell_die(&pool.die, out);
    for modifier in &pool.modifiers {
        match &modifier.change {
            Change::Advantage => out.push('+'),
            Change::Disadvantage => out.push('-'),
            Change::Maximize => out.push('M'),
            Change::Minimize => out.push('m'),
            Change::Explode { chain, from, with } => {
                out.push_str(if *chain { "!!" } else { "!" });
                out.push_str(&from.map(|n| n.to_string()).unwrap_or_default());
                with.iter().for_each(|die| spell_die(die, out));
            }
            Change::Keep(n, which) => out.push_str(&format!("K{}{}", unless(1, *n), letter(*which))),
            Change::Drop(n, which) => out.push_str(&format!("D{}{}", unless(1, *n), letter(*which))),
        }
    }
    if let Some(count) = pool.count {
        out.push_str(&spell_count(count));
    }
}

fn spell_die(die: &Die, out: &mut String) {
    out.push('d');
    match &die.sides {
        Sides::Plain(n) => out.push_str(&n.to_string()),
        Sides::Percent => out.push('%'),
        Sides::Fudge(n) => out.push_str(&format!("F{}", unless(1, *n))),
        Sides::Range(from, to) => out.push_str(&format!("[{from}..{to}]")),
        Sides::List(items) => {
            out.push_str(&format!("{{{}}}", faces_written(items)));
        }
    }
}

fn spell_count(count: Count) -> String {
    match count {
        Count::All => "C".to_owned(),
        Count::Largest => "CM".to_owned(),
        Count::Smallest => "Cm".to_owned(),
        Count::Exploded => "C!".to_owned(),
        Count::Those(by, n) => format!("C{}{n}", by.sign()),
    }
}

fn letter(which: Which) -> &'static str {
    match which {
        Which::Highest => "H",
        Which::Lowest => "L",
        Which::Random => "",
    }
}

/// A number, unless it is the one that goes without saying.
fn unless(usual: i64, n: i64) -> String {
    if n == usual { String::new() } else { n.to_string() }
}
