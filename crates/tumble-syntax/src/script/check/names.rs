//! Names: what they mean, and what to say if they mean nothing.

use super::super::builtin;
use super::super::problem::Problem;
use super::super::syntax::{Name, NodeId};
use super::super::types::{Meaning, Type};
use super::endless::assigns;
use super::{Checker, Scope};
use crate::nearest;
use tumble_core::{Code, Span};

impl Checker<'_, '_> {
    /// A name as a value: a variable or a constant.
    #[inline(never)]
    pub(super) fn name(&mut self, scope: &mut Scope<'_>, node: NodeId, name: &Name) -> Type {
        if let Some(var) = scope.named.get(&name.key).copied() {
            let declared = scope.declared[var].clone();
            self.spelled(&declared.text, declared.span, name);
            self.means(node, Meaning::Variable(var));
            if !scope.flow.has(var) {
                self.unassigned(name);
            }
            return scope.vars.all[var].1.clone();
        }
        if let Some(constant) = self.known.tables.constant(&name.key) {
            let found = self.known.tables.consts[constant].clone();
            self.spelled(&found.name, found.span, name);
            self.means(node, Meaning::Constant(constant));
            return found.kind;
        }
        self.unknown_name(scope, name);
        Type::Unknown
    }

    fn unassigned(&mut self, name: &Name) {
        let message = format!("`{}` may have no value here", name.text);
        let hint = format!("assign it first, on every path: `{} = …;`", name.text);
        self.add(Problem::error(Code::Name, name.span, message).hint(hint));
    }

    /// Says what an unknown name may be meant to be.
    #[inline(never)]
    pub(super) fn unknown_name(&mut self, scope: &Scope<'_>, name: &Name) {
        let problem = Problem::error(Code::Name, name.span, format!("unknown name `{}`", name.text));
        if self.known.tables.constant(&name.key).is_some() {
            let message = format!("`{}` is a constant and can't change", name.text);
            return self.add(Problem::error(Code::Name, name.span, message).hint("assign it to a variable first"));
        }
        if scope.function.is_some_and(|(_, function)| assigns(&function.body, &name.key)) {
            return self.unassigned(name);
        }
        let owners = self.owners(scope, &name.key);
        self.perhaps_read(&name.key);
        if let Some(first) = owners.first() {
            let whole = format!("{first}.{}", name.text);
            let all: Vec<String> = owners.iter().map(|owner| format!("`{owner}.{}`", name.text)).collect();
            let message = format!("`{}` is a field: whose?", name.text);
            let problem = Problem { diagnostic: tumble_core::Diagnostic { message, ..problem.diagnostic }, ..problem };
            return self.add(problem.fix(format!("write {}", all.join(" or ")), name.span, whole));
        }
        if self.known.tables.enumeration(&name.key).is_some() {
            let hint = format!("a member is written `{}.…`", name.text);
            return self.add(problem.hint(hint));
        }
        if let Some(owner) = self.member_owner(&name.key) {
            let whole = format!("{owner}.{}", name.text);
            return self.add(problem.fix(format!("write `{whole}`"), name.span, whole));
        }
        let constants = self.known.tables.consts.iter().map(|found| found.name.as_str());
        let all = scope.declared.iter().map(|name| name.text.as_str()).chain(constants);
        let meant = nearest(&name.text, all).map(str::to_owned);
        self.add(match meant {
            Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
            None if builtin::named(&name.key).is_some() => problem.hint(format!("to call it write `{}(…)`", name.text)),
            None => problem,
        });
    }

    /// The variables whose record has such a field.
    fn owners(&self, scope: &Scope<'_>, key: &str) -> Vec<String> {
        let named = scope.declared.iter().enumerate().filter(|(var, name)| scope.named.get(&name.key) == Some(var));
        let records = named.filter_map(|(var, name)| match scope.vars.all[var].1 {
            Type::Record(record) => Some((name, record)),
            _ => None,
        });
        let owners = records.filter(|(_, record)| self.known.tables.field(*record, key).is_some());
        owners.map(|(name, _)| name.text.clone()).collect()
    }

    /// The only enumeration with such a member.
    fn member_owner(&self, key: &str) -> Option<String> {
        let tables = &self.known.tables;
        let mut owners = (0..tables.enums.len()).filter(|found| tables.member(*found, key).is_some());
        let owner = owners.next()?;
        owners.next().is_none().then(|| tables.enums[owner].name.clone())
    }

    /// A field that a record does not have.
    pub(super) fn unknown_field(&mut self, record: usize, name: &Name) {
        let found = &self.known.tables.records[record];
        let message = format!("`{}` has no field `{}`", found.name, name.text);
        let problem = Problem::error(Code::Name, name.span, message);
        let fields = || found.fields.iter().map(|field| field.name.as_str());
        let begins = fields().find(|field| name.key.len() > 3 && field.to_lowercase().starts_with(&name.key));
        let meant = nearest(&name.text, fields()).or(begins).map(str::to_owned);
        let all: Vec<&str> = fields().collect();
        let key = meant.as_ref().map(|meant| meant.to_lowercase());
        let problem = match meant {
            Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
            None if all.is_empty() || all.len() > 12 => problem,
            None => problem.hint(format!("its fields are {}", all.join(", "))),
        };
        key.iter().for_each(|key| self.perhaps_read(key));
        self.add(problem);
    }

    /// A function that does not exist.
    pub(super) fn unknown_function(&mut self, name: &Name) {
        let problem = Problem::error(Code::Name, name.span, format!("unknown function `{}`", name.text));
        let own = self.known.tables.functions.iter().map(|function| function.name.as_str());
        let all = own.chain(builtin::BUILTINS.iter().map(|row| row.name));
        let meant = nearest(&name.text, all).map(str::to_owned);
        self.add(match meant {
            Some(meant) => problem.fix(format!("did you mean `{meant}`?"), name.span, meant.clone()),
            None => problem,
        });
    }

    /// What is written at a place.
    pub(super) fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or_default()
    }
}
