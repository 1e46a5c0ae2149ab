//! What a script declares: types, enumerations, constants and the heads of functions.

use super::super::builtin::{self, Effect};
use super::super::problem::Problem;
use super::super::syntax::{Expr, Field, Name, NodeId, TypeName};
use super::super::types::{Constant, EnumType, FieldType, RecordType, Signature, Type};
use super::super::walk::each_inside;
use super::{Checker, NOWHERE, Scope};
use crate::nearest;
use std::collections::HashSet;
use tumble_core::{Code, Value};

/// The types that need no declaration.
const PLAIN: &[(&str, Type)] =
    &[("int", Type::Int), ("bool", Type::Bool), ("string", Type::Text), ("dice", Type::Dice)];

/// What other languages call them.
const FOREIGN: &[(&str, &str)] = &[
    ("integer", "int"),
    ("number", "int"),
    ("float", "int"),
    ("boolean", "bool"),
    ("text", "string"),
    ("str", "string"),
    ("die", "dice"),
];

impl Checker<'_, '_> {
    pub(super) fn declare(&mut self) {
        self.name_types();
        self.fill_records();
        self.name_functions();
        self.records_end();
        self.constants();
        self.defaults();
    }

    /// Every type gets a number; what is in it comes later, because order does not matter.
    fn name_types(&mut self) {
        let tree = self.tree;
        let names = tree.records.iter().map(|record| &record.name).chain(tree.enums.iter().map(|found| &found.name));
        self.declared_once(names, "type");
        for name in tree.records.iter().map(|record| &record.name).chain(tree.enums.iter().map(|found| &found.name)) {
            if PLAIN.iter().any(|(plain, _)| *plain == name.key) {
                let message = format!("`{}` is a type of every script and can't be declared", name.text);
                self.add(Problem::error(Code::Name, name.span, message));
            }
        }
        for (number, record) in tree.records.iter().enumerate() {
            self.known.tables.type_names.entry(record.name.key.clone()).or_insert(Type::Record(number));
            let (name, span) = (record.name.text.clone(), record.name.span);
            self.known.tables.records.push(RecordType { name, doc: record.doc.clone(), fields: vec![], span });
        }
        for (number, found) in tree.enums.iter().enumerate() {
            self.known.tables.type_names.entry(found.name.key.clone()).or_insert(Type::Enum(number));
            self.declared_once(found.members.iter().map(|(name, _)| name), "member");
            let members = found.members.iter().map(|(name, doc)| (name.text.clone(), doc.clone())).collect();
            let (name, span) = (found.name.text.clone(), found.name.span);
            self.known.tables.enums.push(EnumType { name, doc: found.doc.clone(), members, span });
        }
    }

    fn fill_records(&mut self) {
        for (number, record) in self.tree.records.iter().enumerate() {
            self.declared_once(record.fields.iter().map(|field| &field.name), "field");
            let fields = record.fields.iter().map(|field| self.field(field)).collect();
            self.known.tables.records[number].fields = fields;
        }
    }

    fn field(&mut self, field: &Field) -> FieldType {
        let kind = self.type_of(&field.kind);
        let Name { text: name, key, span } = field.name.clone();
        FieldType { name, kind, default: Value::NOTHING, doc: field.doc.clone(), key, span }
    }

    fn name_functions(&mut self) {
        let tree = self.tree;
        self.declared_once(tree.functions.iter().map(|function| &function.name), "function");
        for (number, function) in tree.functions.iter().enumerate() {
            self.known.tables.function_names.entry(function.name.key.clone()).or_insert(number);
            if builtin::named(&function.name.key).is_some() {
                let message = format!("`{}` hides the built-in of that name", function.name.text);
                self.add(Problem::error(Code::Name, function.name.span, message).warning());
            }
            self.declared_once(function.params.iter().map(|param| &param.name), "parameter");
            let params = function.params.iter().map(|param| self.field(param)).collect();
            let gives = function.gives.as_ref().map(|kind| self.type_of(kind));
            let (name, span) = (function.name.text.clone(), function.name.span);
            let (title, doc) = (function.title.clone(), function.doc.clone());
            self.known.tables.functions.push(Signature { name, title, doc, params, gives, span });
        }
        self.titles_once();
    }

    /// Two rolls with one title could not be told apart.
    fn titles_once(&mut self) {
        let mut seen = HashSet::new();
        for function in &self.tree.functions {
            let Some(title) = function.title.as_deref().filter(|title| !title.is_empty()) else { continue };
            if !seen.insert(title.to_lowercase()) {
                let message = format!("another roll has the title \"{title}\" already");
                self.add(Problem::error(Code::Name, function.name.span, message));
            }
        }
    }

    fn declared_once<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name.key.clone()) {
                let message = format!("there is another {what} with the name `{}`", name.text);
                self.add(Problem::error(Code::Name, name.span, message));
            }
        }
    }

    /// The type that is written.
    fn type_of(&mut self, written: &TypeName) -> Type {
        let mut kind = self.base_type(&written.name);
        for _ in 0..written.lists {
            kind = kind.list();
        }
        kind
    }

    fn base_type(&mut self, name: &Name) -> Type {
        if let Some((plain, kind)) = PLAIN.iter().find(|(plain, _)| *plain == name.key) {
            self.spelled(plain, NOWHERE, name);
            return kind.clone();
        }
        let tables = &self.known.tables;
        if let Some(record) = tables.record(&name.key) {
            let (declared, at) = (tables.records[record].name.clone(), tables.records[record].span);
            self.spelled(&declared, at, name);
            return Type::Record(record);
        }
        if let Some(found) = tables.enumeration(&name.key) {
            let (declared, at) = (tables.enums[found].name.clone(), tables.enums[found].span);
            self.spelled(&declared, at, name);
            return Type::Enum(found);
        }
        self.unknown_type(name);
        Type::Unknown
    }

    fn unknown_type(&mut self, name: &Name) {
        let problem = Problem::error(Code::Name, name.span, format!("unknown type `{}`", name.text));
        let tables = &self.known.tables;
        let declared = tables.records.iter().map(|record| record.name.as_str());
        let all = declared.chain(tables.enums.iter().map(|found| found.name.as_str()));
        let all = all.chain(PLAIN.iter().map(|(plain, _)| *plain));
        let meant = FOREIGN.iter().find(|(foreign, _)| *foreign == name.key).map(|(_, plain)| *plain);
        let meant = meant.or_else(|| nearest(&name.text, all)).map(str::to_owned);
        self.add(match meant {
            Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
            None => problem.hint("types are int, bool, string, dice, and what `deftype` and `defenum` declare"),
        });
    }

    /// A record that contains itself directly would have no end.
    fn records_end(&mut self) {
        let count = self.known.tables.records.len();
        let inside = |record: usize| {
            let fields = &self.known.tables.records[record].fields;
            fields.iter().filter_map(|field| if let Type::Record(inner) = field.kind { Some(inner) } else { None })
        };
        // A record that only holds records that end ends too.
        let mut ends = vec![false; count];
        let mut holders = vec![vec![]; count];
        let mut waits: Vec<usize> = (0..count).map(|record| inside(record).count()).collect();
        (0..count).for_each(|record| inside(record).for_each(|inner| holders[inner].push(record)));
        let mut todo: Vec<usize> = (0..count).filter(|record| waits[*record] == 0).collect();
        while let Some(record) = todo.pop() {
            ends[record] = true;
            for holder in &holders[record] {
                waits[*holder] -= 1;
                if waits[*holder] == 0 {
                    todo.push(*holder);
                }
            }
        }
        for (record, found) in ends.into_iter().enumerate() {
            if !found {
                self.endless_record(record);
            }
        }
    }

    /// Reports a record that contains itself, and makes it end.
    fn endless_record(&mut self, record: usize) {
        let RecordType { name, span, .. } = self.known.tables.records[record].clone();
        let message = format!("a `{name}` contains a `{name}`, or something that does");
        self.add(Problem::wrong_type(span, message).hint(format!("only a list can hold it: `{name} list`")));
        for field in &mut self.known.tables.records[record].fields {
            if matches!(field.kind, Type::Record(_)) {
                field.kind = Type::Unknown;
            }
        }
    }

    /// The types of constants, each after those that it needs.
    fn constants(&mut self) {
        let tree = self.tree;
        self.declared_once(tree.consts.iter().map(|found| &found.name), "constant");
        for (number, found) in tree.consts.iter().enumerate() {
            self.known.tables.const_names.entry(found.name.key.clone()).or_insert(number);
            let (name, span) = (found.name.text.clone(), found.name.span);
            let value = Value::NOTHING;
            self.known.tables.consts.push(Constant { name, kind: Type::Unknown, value, span });
        }
        let mut waiting: HashSet<usize> = (0..tree.consts.len()).collect();
        while !waiting.is_empty() {
            let mut ready: Vec<usize> =
                waiting.iter().copied().filter(|number| !self.needs(*number, &waiting)).collect();
            ready.sort_unstable();
            if ready.is_empty() {
                return self.circular(&waiting);
            }
            for number in ready {
                waiting.remove(&number);
                self.known.const_order.push(number);
                self.known.tables.consts[number].kind = self.constant(tree.consts[number].value, None, true);
            }
        }
    }

    /// Whether a constant needs one of these.
    fn needs(&self, number: usize, waiting: &HashSet<usize>) -> bool {
        let mut found = false;
        each_inside(self.tree, vec![self.tree.consts[number].value], |_, expr| {
            if let Expr::Name(name) = expr {
                found |= self.known.tables.constant(&name.key).is_some_and(|other| waiting.contains(&other));
            }
        });
        found
    }

    fn circular(&mut self, numbers: &HashSet<usize>) {
        for number in numbers {
            let name = &self.tree.consts[*number].name;
            let message = format!("the constant `{}` needs itself", name.text);
            self.add(Problem::error(Code::Name, name.span, message));
        }
    }

    /// The types of what fields are when they are left out.
    fn defaults(&mut self) {
        for (number, record) in self.tree.records.iter().enumerate() {
            for (at, field) in record.fields.iter().enumerate() {
                let kind = self.known.tables.records[number].fields[at].kind.clone();
                if let Some(node) = field.default {
                    self.constant(node, Some(&kind), false);
                }
            }
        }
    }

    /// A value that is known before anything runs; `calls` says whether it may use pure built-ins.
    fn constant(&mut self, node: NodeId, wanted: Option<&Type>, calls: bool) -> Type {
        let mut found = None;
        each_inside(self.tree, vec![node], |node, expr| {
            if let Expr::Call { name, .. } = expr {
                let pure = builtin::named(&name.key).is_some_and(|row| row.effect == Effect::Nothing);
                let own = self.known.tables.function(&name.key).is_some();
                if own || !pure || !calls {
                    found = Some((node, name.text.clone()));
                }
            }
        });
        if let Some((call, name)) = found {
            let span = self.tree.nodes.span(call);
            self.add(Problem::wrong_type(
                span,
                format!("`{name}` can't be called here: the value must be known before a roll"),
            ));
            return wanted.cloned().unwrap_or(Type::Unknown);
        }
        let mut scope = Scope::none();
        let kind = self.expr(&mut scope, node, wanted);
        if let Some(wanted) = wanted {
            self.fitting(node, &kind, wanted);
        }
        kind
    }
}
