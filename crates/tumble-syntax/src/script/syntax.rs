//! The syntax tree of a script.
//!
//! ```text
//! script    = { record | enum | const | function }
//! record    = "deftype" NAME "{" { NAME ":" type [ "=" expr ] "," } "}"
//! enum      = "defenum" NAME "{" { NAME "," } "}"
//! const     = "defconst" NAME "=" expr ";"
//! function  = ( "deffun" | "defroll" TEXT ) NAME "(" { NAME ":" type "," } ")" [ ":" type ] block
//! type      = NAME { "list" }
//! block     = "{" { statement } "}"
//! statement = place ( "=" | "+=" | "-=" | "*=" | "/=" ) expr ";" | place ( "++" | "--" ) ";"
//!           | "if" "(" expr ")" block { "else" "if" "(" expr ")" block } [ "else" block ]
//!           | "while" "(" expr ")" block | "for" "(" NAME ":" expr ")" block | "group" "(" [ expr ] ")" block
//!           | "return" [ expr ] ";" | "break" ";" | expr ";" | block
//! place     = NAME { "." NAME | "[" expr "]" }
//! expr      = or [ "?" expr ":" expr ]           or  = and { "||" and }
//! and       = equal { "&&" equal }               equal = order { ( "==" | "!=" ) order }
//! order     = sum { ( "<" | "<=" | ">" | ">=" ) sum }
//! sum       = product { ( "+" | "-" ) product }  product = unary { ( "*" | "/" | "%" ) unary }
//! unary     = { "-" | "!" } operand { "." NAME | "[" expr "]" }
//! operand   = NUMBER | TEXT | "true" | "false" | NAME | NAME "(" { expr "," } ")" | NAME "{" { NAME ":" expr "," } "}"
//!           | "[" { expr "," } "]" | "[" expr "for" "(" NAME ":" expr ")" [ "if" "(" expr ")" ] "]" | "(" expr ")"
//! ```
//!
//! Chains of operators of one level are one node, and so is a chain of `else if`: only what is really nested is nested
//! here. Names and keywords compare without regard to case.

pub(super) use crate::tabletop::syntax::Infix;
pub(super) use crate::tree::NodeId;
use tumble_core::{Compare, Span};

/// The table of expressions.
pub(super) type Nodes = crate::tree::Nodes<Expr>;

/// A script as written.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Nodes,
    pub(super) records: Vec<Record>,
    pub(super) enums: Vec<Enum>,
    pub(super) consts: Vec<Const>,
    pub(super) functions: Vec<Function>,
}

/// A name where it is written.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// As written.
    pub(super) text: String,
    /// By which it is compared.
    pub(super) key: String,
    pub(super) span: Span,
}

/// `deftype weapon { … }`
#[derive(Debug)]
pub(super) struct Record {
    pub(super) name: Name,
    pub(super) fields: Vec<Field>,
    pub(super) doc: String,
}

/// `ac: int = 10`, of a record or as a parameter.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) kind: TypeName,
    pub(super) default: Option<NodeId>,
    pub(super) doc: String,
}

/// `attack list`
#[derive(Clone, Debug)]
pub(super) struct TypeName {
    pub(super) name: Name,
    /// How often `list` follows.
    pub(super) lists: usize,
}

/// `defenum edge { none, advantage }`
#[derive(Debug)]
pub(super) struct Enum {
    pub(super) name: Name,
    pub(super) members: Vec<(Name, String)>,
    pub(super) doc: String,
}

/// `defconst most = 3;`
#[derive(Debug)]
pub(super) struct Const {
    pub(super) name: Name,
    pub(super) value: NodeId,
}

/// `deffun f(x: int) { … }`, `defroll "Title" f(x: int) { … }`
#[derive(Debug)]
pub(super) struct Function {
    /// The title of a roll.
    pub(super) title: Option<String>,
    pub(super) name: Name,
    pub(super) params: Vec<Field>,
    pub(super) gives: Option<TypeName>,
    pub(super) body: Block,
    pub(super) doc: String,
}

/// `{ … }`
#[derive(Debug)]
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    pub(super) span: Span,
}

/// A statement with its place.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) what: Do,
    pub(super) span: Span,
}

/// What a statement does. It is small, because it is handed up through every level of nesting.
#[derive(Debug)]
pub(super) enum Do {
    /// `a.x[2] += 1;`; without an operator, `=`
    Assign {
        place: Box<Place>,
        op: Option<Infix>,
        value: NodeId,
    },
    /// The conditions with their blocks, and what happens if none holds.
    If {
        arms: Vec<(NodeId, Block)>,
        other: Option<Block>,
    },
    While {
        test: NodeId,
        body: Block,
    },
    For {
        name: Box<Name>,
        list: NodeId,
        body: Block,
    },
    Group {
        title: Option<NodeId>,
        body: Block,
    },
    Return(Option<NodeId>),
    Break,
    /// An expression for what it does.
    Expr(NodeId),
    Block(Block),
}

/// What can be assigned to.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) name: Name,
    pub(super) steps: Vec<Step>,
    pub(super) span: Span,
}

/// A part of a value.
#[derive(Debug)]
pub(super) enum Step {
    Field(Name),
    Index(NodeId),
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Int(i64),
    Text(String),
    Truth(bool),
    Name(Name),
    List(Vec<NodeId>),
    /// `[item for (name : list) if (test)]`
    Made {
        item: NodeId,
        name: Name,
        list: NodeId,
        test: Option<NodeId>,
    },
    /// `weapon { name: "axe" }`
    Record {
        name: Name,
        fields: Vec<(Name, NodeId)>,
    },
    Call {
        name: Name,
        args: Vec<NodeId>,
    },
    Field {
        of: NodeId,
        name: Name,
    },
    Index {
        of: NodeId,
        at: NodeId,
    },
    Not(NodeId),
    Minus(NodeId),
    /// Operators of one level, from left to right.
    Chain {
        first: NodeId,
        rest: Vec<(Infix, NodeId)>,
    },
    Choice {
        test: NodeId,
        then: NodeId,
        other: NodeId,
    },
    /// What could not be read; its mistake is reported already.
    Unread,
}

/// Every operator with its sign and how tightly it binds.
const OPERATORS: &[(&str, Infix, u8)] = &[
    ("||", Infix::Or, 1),
    ("&&", Infix::And, 2),
    ("==", Infix::Compare(Compare::Equal), 3),
    ("!=", Infix::Compare(Compare::Unequal), 3),
    ("<", Infix::Compare(Compare::Less), 4),
    ("<=", Infix::Compare(Compare::AtMost), 4),
    (">", Infix::Compare(Compare::More), 4),
    (">=", Infix::Compare(Compare::AtLeast), 4),
    ("+", Infix::Plus, 5),
    ("-", Infix::Minus, 5),
    ("*", Infix::Times, 6),
    ("/", Infix::Over, 6),
    ("%", Infix::Modulo, 6),
];

/// The operator with this sign, and how tightly it binds.
pub(super) fn operator(sign: &str) -> Option<(Infix, u8)> {
    OPERATORS.iter().find(|(spelling, ..)| *spelling == sign).map(|(_, infix, level)| (*infix, *level))
}

/// The sign of an operator.
pub(super) fn sign(operator: Infix) -> &'static str {
    OPERATORS.iter().find(|(_, infix, _)| *infix == operator).map_or("", |(sign, ..)| sign)
}
