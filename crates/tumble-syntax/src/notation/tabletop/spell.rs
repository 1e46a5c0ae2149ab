//! The canonical spelling of a tree: lower case, blanks around operators, as few parentheses as keep
//! its meaning.
//!
//! ```text
//! parse(spell(tree)) = tree
//! ```
//!
//! A label belongs to the term before it, so whatever is not a single term has parentheses under it;
//! bindings have them wherever an expression does not begin anew.

use super::dialect::{COIN, Dialect, FUDGE_ONE, LoneGroup, TABLETOP, Word};
use super::lower::at;
use super::syntax::{
    Arg, Binding, CHOICE, COMPARISON, Cap, Compare, Dice, Explode, Expr, Function, Infix, Item, Keep, Modifier, NodeId,
    Prefix, Sides, Source, TERM, Test, Tree, UNARY,
};
use super::tool::counts;
use crate::kit::faces_written;
use tumble_core::{Span, sort};

/// Spells a tree.
pub fn spell(tree: &Tree) -> String {
    spelled(&TABLETOP, tree).0
}

/// The spelling for another tool, unless it has no words for a part of it.
pub(super) fn spell_in(dialect: &'static Dialect, tree: &Tree) -> Option<String> {
    if dialect.flat.is_some() {
        return super::dicemaiden::spell(dialect, tree);
    }
    let (text, foreign) = spelled(dialect, tree);
    (!foreign).then_some(text)
}

/// The spelling, and whether a part of it has none.
fn spelled(dialect: &'static Dialect, tree: &Tree) -> (String, bool) {
    let mut speller = Speller { tree, dialect, out: String::new(), foreign: false, rounded: false };
    let mut rolled = false;
    for item in &tree.items {
        if rolled {
            speller.out.push_str("; ");
        }
        rolled = false;
        match item {
            Item::Bind(binding) => speller.binding(binding),
            Item::Roll(roll) => {
                rolled = true;
                speller.roll(*roll);
            }
        }
    }
    for (words, _) in &tree.comments {
        let sign = dialect.comments.first().unwrap_or(&"#");
        let joint = if speller.out.contains(sign) { "\n" } else { " " };
        // A comment between two signs may have several lines.
        let words = words.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        speller.out.push_str(&format!("{joint}{sign} {words}"));
    }
    (speller.out, speller.foreign)
}

struct Speller<'t> {
    tree: &'t Tree,
    dialect: &'static Dialect,
    out: String,
    /// Whether something has no spelling here.
    foreign: bool,
    /// Whether the division that comes next is rounded by what is around it.
    rounded: bool,
}

impl Speller<'_> {
    fn roll(&mut self, roll: NodeId) {
        match self.tree.times {
            Some((count, _)) => {
                self.ours(&format!("{count}x("));
                self.block(roll);
                self.out.push(')');
            }
            None => {
                // Some tools round what is rolled.
                self.rounded = self.dialect.whole_result;
                match self.tree.nodes.expr(roll) {
                    Expr::Call(Function::Trunc, inside) if self.dialect.whole_result => self.expr(inside[0], CHOICE),
                    Expr::Call(Function::Round, inside) if self.shortened(inside) => {
                        self.rounded = true;
                        self.expr(inside[0], CHOICE);
                    }
                    _ => self.expr(roll, CHOICE),
                }
                self.rounded = false;
            }
        }
    }

    /// Whether the tool itself rounds a result like this.
    fn shortened(&self, round: &[NodeId]) -> bool {
        let places = round.get(1).map(|places| self.tree.nodes.expr(*places));
        matches!((places, self.dialect.decimals), (Some(Expr::Number(wanted)), Some(known)) if *wanted == known)
    }

    /// Says what has a spelling only in the everyday notation.
    fn ours(&mut self, text: &str) {
        self.foreign |= !self.dialect.everyday();
        self.out.push_str(text);
    }

    fn binding(&mut self, binding: &Binding) {
        let name = &binding.name;
        self.ours(&if binding.bracket { format!("[{name}: ") } else { format!("{name} := ") });
        self.block(binding.value);
        self.out.push_str(if binding.bracket { "] " } else { "; " });
    }

    /// An expression where bindings may stand.
    fn block(&mut self, id: NodeId) {
        match self.tree.nodes.expr(id) {
            Expr::Block(bindings, body) => {
                bindings.iter().for_each(|binding| self.binding(binding));
                self.expr(*body, CHOICE);
            }
            _ => self.expr(id, CHOICE),
        }
    }

    fn parenthesised(&mut self, id: NodeId) {
        self.out.push('(');
        self.block(id);
        self.out.push(')');
    }

    /// An expression in a place where looser operators than `min` need parentheses. A chain of
    /// operators is walked in a loop.
    fn expr(&mut self, id: NodeId, min: u8) {
        let mut chain = Vec::new();
        let (mut first, mut min) = (id, min);
        let rounded = std::mem::take(&mut self.rounded);
        while let Expr::Infix(op, left, right) = self.tree.nodes.expr(first) {
            let open = self.opened(*op, min, first == id && rounded);
            self.out.push_str(open);
            chain.push((*op, *right, !open.is_empty()));
            // Comparisons do not stand side by side.
            min = if op.level() == COMPARISON { COMPARISON + 1 } else { op.level() };
            first = *left;
        }
        self.operand(first, min);
        for (op, right, closed) in chain.into_iter().rev() {
            self.foreign |= !self.dialect.tests && op.level() <= COMPARISON;
            self.out.push_str(&format!(" {} ", op.sign()));
            self.expr(right, op.level() + 1);
            if closed {
                self.out.push(')');
            }
        }
    }

    /// What opens around an operator in a place where looser ones than `min` need parentheses: nothing, or a bracket.
    fn opened(&self, op: Infix, min: u8, rounded: bool) -> &'static str {
        match op {
            Infix::Exact if !self.dialect.fractions => "exact(",
            // The result is the same unless it is negative, which nobody can see here.
            Infix::Over if self.dialect.fractions && !rounded => "floor(",
            _ if op.level() < min => "(",
            _ => "",
        }
    }

    /// An expression that is no chain, with its parentheses.
    fn operand(&mut self, id: NodeId, min: u8) {
        let tree = self.tree;
        match tree.nodes.expr(id) {
            Expr::Choice(..) if min > CHOICE => self.parenthesised(id),
            Expr::Prefix(..) if min > UNARY => self.parenthesised(id),
            Expr::Block(..) => self.parenthesised(id),
            Expr::Infix(..) => self.expr(id, min),
            Expr::Number(n) => self.out.push_str(&n.to_string()),
            Expr::Decimal(n) => self.out.push_str(&n.decimal().unwrap_or_else(|| n.to_string())),
            Expr::Words(words) => self.ours(&format!("\"{words}\"")),
            Expr::Value(name) => self.out.push_str(&at(name)),
            Expr::Name(name) => self.out.push_str(name),
            Expr::Dice(dice) => self.dice(dice),
            Expr::Call(function, args) => self.call(*function, args),
            Expr::Prefix(prefix, inside) => {
                self.foreign |= !self.dialect.tests && *prefix == Prefix::Not;
                self.out.push(if *prefix == Prefix::Minus { '-' } else { '!' });
                match tree.nodes.expr(*inside) {
                    // `!r` is a command.
                    Expr::Name(_) if *prefix == Prefix::Not => self.parenthesised(*inside),
                    _ => self.expr(*inside, UNARY),
                }
            }
            Expr::Choice(test, then, other) => {
                self.foreign |= !self.dialect.tests;
                self.expr(*test, CHOICE + 1);
                self.out.push_str(" ? ");
                self.expr(*then, CHOICE);
                self.out.push_str(" : ");
                self.expr(*other, CHOICE);
            }
            Expr::Label(inside, label) => {
                self.expr(*inside, TERM);
                self.out.push_str(&format!("[{label}]"));
            }
        }
    }

    fn call(&mut self, function: Function, args: &[NodeId]) {
        self.foreign |=
            (function == Function::Trunc || function == Function::Round && args.len() > 1) && !self.dialect.everyday();
        self.rounded = function.rounds();
        self.listed(&format!("{}(", function.word()), args, ")");
        self.rounded = false;
    }

    fn listed(&mut self, open: &str, members: &[NodeId], close: &str) {
        self.out.push_str(open);
        for (number, member) in members.iter().enumerate() {
            if number > 0 {
                self.out.push_str(", ");
            }
            self.block(*member);
        }
        self.out.push_str(close);
    }

    fn dice(&mut self, dice: &Dice) {
        let start = self.out.len();
        match &dice.source {
            Source::Roll(count, sides) => self.some_dice(*count, sides),
            Source::Group(members) => {
                let keeps = dice.modifiers.iter().any(|(modifier, _)| matches!(modifier, Modifier::Keep(..)));
                let opened = match self.dialect.lone_group {
                    LoneGroup::None => false,
                    LoneGroup::Keep => keeps,
                    LoneGroup::All => !dice.modifiers.is_empty(),
                };
                self.foreign |= members.len() == 1 && opened;
                let (open, close) = if self.dialect.loose_sets { ("(", ")") } else { ("{", "}") };
                self.listed(open, members, if self.dialect.loose_sets && members.len() == 1 { ",)" } else { close });
            }
            Source::Union(members) => {
                self.foreign |= self.dialect.lone_group == LoneGroup::None;
                self.out.push('{');
                for (number, member) in members.iter().enumerate() {
                    self.out.push_str(if number > 0 { " + " } else { "" });
                    self.expr(*member, TERM);
                }
                self.out.push('}');
            }
            Source::Named(name) => {
                self.ours(&format!("{name} "));
            }
            Source::Within(body) => {
                self.foreign |= self.dialect.lone_group != LoneGroup::Keep;
                self.listed("{", &[*body], "}");
            }
            Source::Times(count, body) => {
                self.ours("");
                self.number_or_parentheses(*count);
                self.parenthesised(*body);
            }
        }
        let mut before: Option<&Modifier> = None;
        for modifier in self.in_writing(&dice.modifiers) {
            let selects = |modifier: &Modifier| matches!(modifier, Modifier::Keep(..) | Modifier::Picked(..));
            if self.dialect.loose_sets && selects(modifier) && before.is_some_and(selects) {
                // Side by side, two selections look at the same dice.
                self.out.insert(start, '(');
                self.out.push(')');
            }
            before = Some(modifier);
            let melts = match modifier {
                // `!!` is one modifier.
                Modifier::Explode(_) => self.out.ends_with('!') && !self.out.ends_with("!!"),
                // `!o` is one modifier too.
                Modifier::Parity(false) => self.out.ends_with(['!', 'p']),
                // `odds` is a word of its own.
                Modifier::Sort(_) | Modifier::Matches(..) => self.out.ends_with("odd") || self.out.ends_with("even"),
                _ => false,
            };
            // Nothing follows `u` at once.
            if melts || self.dialect.everyday() && (self.out.ends_with('u') || self.out.ends_with("uo")) {
                self.out.push(' ');
            }
            self.modifier(modifier);
        }
    }

    fn some_dice(&mut self, count: Option<NodeId>, sides: &Sides) {
        match count {
            Some(count) => self.number_or_parentheses(count),
            // `dc` alone may be a name.
            None if matches!(sides, Sides::List(faces) if *faces == COIN && !self.dialect.everyday()) => {
                self.out.push('1')
            }
            None => {}
        }
        self.out.push('d');
        self.sides(sides);
    }

    /// Modifiers in the order of writing. Right after `!` a target would be what makes a die explode; where a tool takes
    /// modifiers in an order of its own, it can stand before.
    fn in_writing<'m>(&self, modifiers: &'m [(Modifier, Span)]) -> Vec<&'m Modifier> {
        let mut written: Vec<&Modifier> = modifiers.iter().map(|(modifier, _)| modifier).collect();
        let bare = |modifier: &Modifier| matches!(modifier, Modifier::Explode(explode) if explode.tests.is_empty());
        let open = |two: &[&Modifier]| bare(two[0]) && matches!(two[1], Modifier::Successes(..));
        let free = self.dialect.targets && (self.dialect.counts_last || self.dialect.ordered);
        if free && written.windows(2).any(open) {
            sort::by_key(&mut written, |modifier| !counts(modifier));
        }
        written
    }

    fn number_or_parentheses(&mut self, id: NodeId) {
        match self.tree.nodes.expr(id) {
            Expr::Number(n @ 0..) => self.out.push_str(&n.to_string()),
            _ => self.parenthesised(id),
        }
    }

    fn sides(&mut self, sides: &Sides) {
        match sides {
            Sides::Upto(sides) => self.number_or_parentheses(*sides),
            Sides::Percent => self.out.push_str(if self.dialect.tens { "100" } else { "%" }),
            Sides::Fudge => self.out.push('F'),
            Sides::Range(low, high) => {
                self.ours("[");
                self.block(*low);
                self.out.push_str("..");
                self.block(*high);
                self.out.push(']');
            }
            Sides::List(faces) if self.dialect.tens && is_tens(faces) => self.out.push('%'),
            Sides::List(faces) if !self.dialect.everyday() && *faces == COIN => self.out.push('c'),
            Sides::List(faces) if !self.dialect.everyday() && *faces == FUDGE_ONE => self.out.push_str("F.1"),
            Sides::Words(words) => self.ours(&format!("{{{}}}", words.join(", "))),
            Sides::List(faces) => self.ours(&format!("{{{}}}", faces_written(faces))),
        }
    }

    /// Says something by its word, if the tool has one.
    fn word(&mut self, wanted: Word) {
        match self.dialect.spelling(wanted) {
            Some(word) => self.out.push_str(word),
            None => self.foreign = true,
        }
    }

    fn modifier(&mut self, modifier: &Modifier) {
        match modifier {
            Modifier::Keep(keep, arg) => self.word_and_number(Word::Keep(*keep), arg),
            Modifier::Twice(twice) => self.word(Word::Twice(*twice)),
            Modifier::Bound(bound, arg) => self.word_and_number(Word::Bound(*bound), arg),
            Modifier::Reroll(tests, cap) => {
                let often = if matches!(cap, Cap::Once | Cap::Total(_)) { Cap::Once } else { Cap::None };
                self.foreign |=
                    tests.len() > 1 && self.dialect.lone_group != LoneGroup::All && !self.dialect.loose_sets;
                for test in tests {
                    self.word(Word::Reroll(often));
                    self.limited(*cap);
                    self.test(test, matches!(cap, Cap::Total(_)));
                }
                self.cap(*cap);
            }
            Modifier::RerollEnd(end, n) => self.word_and_number(Word::RerollEnd(*end), &Arg::Number(*n)),
            Modifier::Another(tests) => self.another(tests),
            Modifier::Unique(unique) => {
                // Elsewhere a die that can show nothing new never ends.
                self.foreign |= unique.gives_up && self.dialect.gives_up.is_none();
                self.word(Word::Unique(unique.once));
                unique.test.iter().for_each(|test| self.test(test, true));
            }
            Modifier::Explode(explode) => self.explode(explode),
            Modifier::Successes(test, weights) => {
                self.counted(Word::Count(1), test);
                for (test, worth) in weights {
                    self.ours(",");
                    self.test(test, false);
                    self.out.push_str(&format!(":{worth}"));
                }
            }
            Modifier::Shows(word) => self.ours(&format!("cs={word}")),
            Modifier::Deduct(deduct, test) => self.counted(Word::Deduct(*deduct), test),
            Modifier::Failures(test) => self.counted(Word::Count(-1), test),
            Modifier::Parity(even) => self.word(Word::Parity(*even)),
            Modifier::Sort(order) => self.out.push_str(self.dialect.spelling(Word::Sort(*order)).unwrap_or_default()),
            // No condition says "not equal"; to drop what is equal says the same.
            Modifier::Picked(high, low, tests) => {
                if let (0, 0, [Test { by: Compare::Unequal, arg }]) = (high, low, &tests[..]) {
                    return self.each(Word::Select(false), &[Test { by: Compare::Equal, arg: *arg }]);
                }
                for (keep, n) in [(Keep::High, high), (Keep::Low, low)].into_iter().filter(|(_, n)| **n > 0) {
                    self.foreign |= !self.dialect.loose_sets;
                    self.word_and_number(Word::Keep(keep), &Arg::Number(*n));
                }
                self.each(Word::Select(true), tests);
            }
            Modifier::Implode(_) | Modifier::Together(_) => self.foreign = true,
            Modifier::Matches(alike, test) => {
                self.word_and_number(Word::Matches, &Arg::Number(*alike));
                test.iter().for_each(|test| self.test(test, true));
            }
        }
    }

    /// A word once for each condition.
    fn each(&mut self, word: Word, tests: &[Test]) {
        for test in tests {
            self.word(word);
            self.test(test, false);
        }
    }

    fn word_and_number(&mut self, word: Word, arg: &Arg) {
        self.word(word);
        self.arg(arg);
    }

    /// Successes or failures, by a word or as a target.
    fn counted(&mut self, count: Word, test: &Test) {
        if !self.dialect.targets || count != Word::Count(1) {
            self.word(count);
        }
        self.test(test, true);
    }

    fn explode(&mut self, explode: &Explode) {
        if !self.dialect.bang {
            return self.explode_by_word(explode);
        }
        self.foreign |= !self.dialect.everyday() && !self.tireless(explode.cap);
        self.foreign |= explode.tests.len() > 1 || matches!(explode.cap, Cap::Total(_));
        self.out.push_str(if explode.compound { "!!" } else { "!" });
        if explode.penetrate {
            self.out.push('p');
        }
        if explode.cap == Cap::Once {
            self.out.push('o');
        }
        match explode.tests.first() {
            // `!=` would be read as "not equal".
            Some(Test { by: Compare::Unequal, arg }) => {
                self.out.push_str("<>");
                self.arg(arg);
            }
            Some(test) => self.test(test, false),
            None => {}
        }
        self.cap(explode.cap);
    }

    /// `x10`, `e6`; what explodes is always said.
    fn explode_by_word(&mut self, explode: &Explode) {
        let capped = matches!(explode.cap, Cap::Most(_));
        self.foreign |= explode.compound || explode.penetrate || capped;
        let often = if explode.cap == Cap::Once { Cap::Once } else { Cap::None };
        self.word(Word::Explode(often));
        match explode.tests.split_first() {
            Some((test, also)) => {
                self.limited(explode.cap);
                self.test(test, matches!(explode.cap, Cap::Total(_)));
                self.foreign |= !also.is_empty() && !self.dialect.loose_sets;
                self.each(Word::Explode(often), also);
            }
            // The highest face is not known here.
            None => self.foreign |= self.dialect.spelling(Word::Select(true)).is_some(),
        }
    }

    /// Whether dice roll again without end here, or as often as the tool does at all.
    fn tireless(&self, cap: Cap) -> bool {
        cap == Cap::None || matches!(cap, Cap::Most(n) if self.dialect.gives_up == Some(n))
    }

    /// `ra1`
    fn another(&mut self, tests: &[Test]) {
        for test in tests {
            self.word(Word::Another);
            match test {
                Test { by: Compare::AtLeast, arg: Arg::Number(i64::MIN) } => self.out.push_str("l1"),
                _ => self.test(test, false),
            }
        }
        if tests.is_empty() {
            self.word(Word::Another);
            self.out.push_str("l0");
        }
    }

    /// `x2=6`: a maximum for all dice together.
    fn limited(&mut self, cap: Cap) {
        if let Cap::Total(n) = cap {
            self.foreign |= self.dialect.word("x").is_none();
            self.out.push_str(&n.to_string());
        }
    }

    fn cap(&mut self, cap: Cap) {
        if let Cap::Most(n) = cap
            && !self.tireless(cap)
        {
            self.ours(&format!("x{n}"));
        }
    }

    /// A condition; "equal" is said only where that is usual.
    fn test(&mut self, test: &Test, equal: bool) {
        self.foreign |= test.by == Compare::Unequal && !self.dialect.everyday();
        let (by, arg) = if self.dialect.inclusive { self.inclusive(test) } else { (test.by, test.arg) };
        if by != Compare::Equal || equal {
            self.out.push_str(by.sign());
        }
        self.arg(&arg);
    }

    /// The same condition where `>` and `<` include the number and nothing else does.
    fn inclusive(&mut self, test: &Test) -> (Compare, Arg) {
        let moved = |by: Compare, step: i64| match test.arg {
            Arg::Number(n) => n.checked_add(step).map(|n| (by, Arg::Number(n))),
            Arg::Value(_) => None,
        };
        let found = match test.by {
            Compare::AtLeast => Some((Compare::More, test.arg)),
            Compare::AtMost => Some((Compare::Less, test.arg)),
            Compare::More => moved(Compare::More, 1),
            Compare::Less => moved(Compare::Less, -1),
            Compare::Equal => Some((Compare::Equal, test.arg)),
            Compare::Unequal => None,
        };
        self.foreign |= found.is_none();
        found.unwrap_or((test.by, test.arg))
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Number(n) => self.out.push_str(&n.to_string()),
            Arg::Value(id) => self.parenthesised(*id),
        }
    }
}

/// Whether these are the faces 0, 10, 20 to 90.
fn is_tens(faces: &[(i64, i64)]) -> bool {
    faces.len() == 10 && faces.iter().zip(0..).all(|(face, n)| *face == (10 * n, 10 * n))
}
