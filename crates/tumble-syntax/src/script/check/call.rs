//! Calls: functions of the script and built-ins.

use super::super::builtin::{self, Builtin, Want};
use super::super::problem::Problem;
use super::super::syntax::{Expr, Name, NodeId};
use super::super::types::{Meaning, Type};
use super::{Checker, NOWHERE, Scope};
use crate::nearest;
use tumble_core::play::STYLES;
use tumble_core::{Code, Span};

impl Checker<'_, '_> {
    #[inline(never)]
    pub(super) fn call(&mut self, scope: &mut Scope<'_>, node: NodeId, name: &Name, args: &[NodeId]) -> Type {
        if let Some(function) = self.known.tables.function(&name.key) {
            return self.own_call(scope, node, function, name, args);
        }
        if let Some(row) = builtin::named(&name.key) {
            self.spelled(row.name, NOWHERE, name);
            self.means(node, Meaning::Builtin(row));
            return self.builtin(scope, node, row, args);
        }
        args.iter().for_each(|arg| _ = self.value(scope, *arg, None));
        self.unknown_function(name);
        Type::Unknown
    }

    #[inline(never)]
    fn own_call(&mut self, scope: &mut Scope<'_>, node: NodeId, function: usize, name: &Name, args: &[NodeId]) -> Type {
        let signature = self.known.tables.functions[function].clone();
        self.spelled(&signature.name, signature.span, name);
        self.means(node, Meaning::Function(function));
        if signature.params.len() != args.len() {
            let names: Vec<&str> = signature.params.iter().map(|param| param.name.as_str()).collect();
            let takes = match names.as_slice() {
                [] => "nothing".to_owned(),
                _ => format!("{} ({})", values(names.len()), names.join(", ")),
            };
            let message = format!("`{}` takes {takes}, not {}", signature.name, values(args.len()));
            self.add(Problem::wrong_type(self.tree.nodes.span(node), message));
        }
        for (at, arg) in args.iter().enumerate() {
            match signature.params.get(at) {
                Some(param) => _ = self.expect(scope, *arg, &param.kind),
                None => _ = self.value(scope, *arg, None),
            }
        }
        signature.gives.unwrap_or(Type::Unknown)
    }

    #[inline(never)]
    fn builtin(&mut self, scope: &mut Scope<'_>, node: NodeId, row: &'static Builtin, args: &[NodeId]) -> Type {
        let Some(form) = row.form(args.len()) else {
            args.iter().for_each(|arg| _ = self.value(scope, *arg, None));
            let message = format!("`{}` does not take {}", row.name, values(args.len()));
            let problem = Problem::wrong_type(self.tree.nodes.span(node), message);
            self.add(problem.hint(format!("write {}", row.call)));
            return row.gives.kind(Type::Unknown);
        };
        let (mut list, mut record) = (Type::Unknown, Type::Unknown);
        for (at, arg) in args.iter().enumerate() {
            let want = form.get(at).copied().unwrap_or(Want::Int);
            let kind = self.argument(scope, *arg, want, (&list, &record));
            match want {
                Want::List | Want::Ordered | Want::Items => list = kind,
                Want::Record => record = kind,
                _ => {}
            }
        }
        row.gives.kind(list)
    }

    /// An argument of a built-in; beside it the types of the list and of the record before it.
    #[inline(never)]
    fn argument(&mut self, scope: &mut Scope<'_>, arg: NodeId, want: Want, (list, record): (&Type, &Type)) -> Type {
        match want {
            Want::Int | Want::MoreInts => self.expect(scope, arg, &Type::Int),
            Want::Ints => self.expect(scope, arg, &Type::Int.list()),
            Want::Text => self.expect(scope, arg, &Type::Text),
            Want::Roll | Want::Term => self.dice_text(scope, arg, want == Want::Term),
            Want::Member => {
                let member = list.member().unwrap_or(Type::Unknown);
                self.expect(scope, arg, &member)
            }
            Want::Field => self.field_name(scope, arg, record),
            Want::Style => self.style(scope, arg),
            Want::Shown | Want::Items | Want::List | Want::Ordered | Want::Record => {
                let kind = self.value(scope, arg, None);
                if !fits(&kind, want) {
                    let found = self.known.tables.name(&kind);
                    let span = self.tree.nodes.span(arg);
                    let problem = Problem::wrong_type(span, format!("expected {}, not {found}", words(want)));
                    self.add(match want {
                        Want::Shown | Want::Items => problem.hint("a record has no text of its own: use its fields"),
                        _ => problem,
                    });
                    return Type::Unknown;
                }
                kind
            }
        }
    }

    /// The name of a field that can change; it is known before anything runs.
    fn field_name(&mut self, scope: &mut Scope<'_>, arg: NodeId, record: &Type) -> Type {
        let span = self.tree.nodes.span(arg);
        let Expr::Text(text) = self.tree.nodes.expr(arg) else {
            self.value(scope, arg, None);
            self.add(Problem::wrong_type(span, "expected the name of a field in quotes"));
            return Type::Text;
        };
        let Type::Record(record) = record else { return self.set(arg, Type::Text) };
        let inside = Span::new(span.start + 1, span.end - 1);
        let name = Name { text: text.clone(), key: text.to_lowercase(), span: inside };
        let kind = self.field_of(arg, *record, &name, true);
        if kind.is_not(&Type::Int) {
            let found = self.known.tables.name(&kind);
            self.add(Problem::wrong_type(span, format!("only a number can change, and `{text}` is {found}")));
        }
        self.set(arg, Type::Text)
    }

    fn style(&mut self, scope: &mut Scope<'_>, arg: NodeId) -> Type {
        if let Expr::Text(style) = self.tree.nodes.expr(arg)
            && !STYLES.contains(&style.as_str())
        {
            let span = self.tree.nodes.span(arg);
            let problem = Problem::error(Code::Name, span, format!("unknown style \"{style}\""));
            self.add(match nearest(style, STYLES.iter().copied()) {
                Some(meant) => problem.fix(format!("did you mean \"{meant}\"?"), span, format!("\"{meant}\"")),
                None => problem.hint(format!("styles are {}", STYLES.join(", "))),
            });
        }
        self.expect(scope, arg, &Type::Text)
    }
}

fn fits(kind: &Type, want: Want) -> bool {
    match (want, kind) {
        (_, Type::Unknown) => true,
        (Want::Shown, _) => kind.has_text(),
        (Want::List, _) => matches!(kind, Type::List(_) | Type::Empty),
        (Want::Items, Type::List(member)) => member.has_text(),
        (Want::Ordered, Type::List(member)) => matches!(**member, Type::Int | Type::Enum(_) | Type::Unknown),
        (Want::Items | Want::Ordered, Type::Empty) => true,
        (Want::Record, Type::Record(_)) => true,
        _ => false,
    }
}

fn words(want: Want) -> &'static str {
    match want {
        Want::Shown => "something that can be shown as text",
        Want::List => "a list",
        Want::Items => "a list of things that can be shown as text",
        Want::Ordered => "a list of ints or members of an enumeration",
        Want::Record => "a record",
        Want::Int | Want::MoreInts => "int",
        Want::Ints => "int list",
        Want::Text | Want::Roll | Want::Term | Want::Member | Want::Field | Want::Style => "a text",
    }
}

fn values(count: usize) -> String {
    match count {
        0 => "no values".to_owned(),
        1 => "one value".to_owned(),
        _ => format!("{count} values"),
    }
}
