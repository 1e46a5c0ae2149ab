//! A tree with all its brackets, `(+ 1 2)`, so that two trees can be compared without their places.

use tumble_syntax::troll::syntax::{Body, Expr, NodeId, Tree};

pub(crate) fn written(tree: &Tree) -> String {
    let mut out = expr(tree, tree.main);
    for declaration in &tree.declarations {
        let name = &declaration.name;
        out += &match &declaration.body {
            Body::Function(params, body) => format!("\n(function {name} {params:?} {})", expr(tree, *body)),
            Body::Compositional(empty, unary, binary) => {
                format!("\n(compositional {name} {} {unary:?} {binary:?})", expr(tree, *empty))
            }
        };
    }
    out
}

fn expr(tree: &Tree, id: NodeId) -> String {
    let of = |id: &NodeId| expr(tree, *id);
    match tree.nodes.expr(id) {
        Expr::Number(n) => n.to_string(),
        Expr::Name(name) => name.clone(),
        Expr::Text(text) => format!("{text:?}"),
        Expr::Chance(digits) => format!("?{digits}"),
        Expr::Group(members) => form("group", members.iter().map(of)),
        Expr::Pair(a, b) => form("pair", [of(a), of(b)]),
        Expr::Prefix(op, a) => form(op.sign, [of(a)]),
        Expr::Infix(op, a, b) => form(op.sign, [of(a), of(b)]),
        Expr::Extreme(which, a, b) => form(&format!("{which:?}"), [of(a), of(b)]),
        Expr::Default(name, a) => form("~", [name.clone(), of(a)]),
        Expr::Let(name, a, b) => form(":=", [name.clone(), of(a), of(b)]),
        Expr::If(a, b, c) => form("if", [of(a), of(b), of(c)]),
        Expr::ForEach(name, a, b) => form("foreach", [name.clone(), of(a), of(b)]),
        Expr::Loop(which, name, a, stop, b) => {
            form(&format!("{which:?}"), [name.clone(), of(a), format!("{stop:?}"), of(b)])
        }
        Expr::Call(name, args) => form(&format!("call {name}"), args.iter().map(of)),
    }
}

fn form(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().fold(format!("({head}"), |out, part| out + " " + &part) + ")"
}
