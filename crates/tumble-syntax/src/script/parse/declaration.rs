//! Declarations: records, enumerations, constants, functions and rolls.

use super::super::lex::Kind;
use super::super::problem::Problem;
use super::super::syntax::{Const, Enum, Field, Function, Name, Record, Tree, TypeName};
use super::{Parser, Read, meant};
use tumble_core::Span;

impl Parser<'_, '_> {
    pub(super) fn declaration(&mut self, tree: &mut Tree) -> Read<()> {
        let start = self.span().start;
        match self.declaration_word()? {
            "deftype" => tree.records.push(self.record(start)?),
            "defenum" => tree.enums.push(self.enumeration(start)?),
            "defconst" => tree.consts.push(self.constant()?),
            word => tree.functions.push(self.function(start, word == "defroll")?),
        }
        Ok(())
    }

    /// The word that says what is declared.
    fn declaration_word(&mut self) -> Read<&'static str> {
        let span = self.span();
        if let Some(word) = self.keyword().filter(|word| super::DECLARATIONS.contains(word)) {
            self.skip_keyword();
            return Ok(word);
        }
        if let Some(word) = (self.token().kind == Kind::Word).then(|| meant(self.word_at(self.at))).flatten() {
            let message = format!("unknown word `{}`", self.word_at(self.at));
            self.problems.add(Problem::syntax(span, message).fix(format!("did you mean `{word}`?"), span, word));
            self.skip();
            return Ok(word);
        }
        if self.is_sign("}") {
            self.skip();
            return self.fail(Problem::syntax(span, "unmatched `}`").fix("remove it", span, ""));
        }
        let message = format!("expected a declaration, not {}", self.found());
        let hint = "a script consists of `deftype`, `defenum`, `defconst`, `deffun` and `defroll`";
        self.skip();
        self.fail(Problem::syntax(span, message).hint(hint))
    }

    fn record(&mut self, start: usize) -> Read<Record> {
        let name = self.name("the name of a type")?;
        let end = self.span().end;
        self.expect("{", "the name of a type")?;
        let doc = self.docs.of(start, end, self.span().start);
        let fields = self.fields("}", "field")?;
        Ok(Record { name, fields, doc: self.doc_behind(doc, end) })
    }

    /// What is said about a declaration, with what stands behind it if it ends on a line of its own.
    fn doc_behind(&self, doc: String, head: usize) -> String {
        let behind = self.docs.behind(head, self.after().end, self.span().start);
        [doc, behind].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// `name: type` with commas between them, up to a closing sign.
    fn fields(&mut self, close: &str, what: &str) -> Read<Vec<Field>> {
        let mut fields = Vec::new();
        while !self.eat(close) {
            let start = self.span().start;
            let name = self.name(&format!("the name of a {what}"))?;
            let (name, kind) = self.name_and_type(name, what)?;
            let default = if self.eat("=") { Some(self.expr()?) } else { None };
            let end = self.after().end;
            self.comma(close, what)?;
            let doc = self.docs.of(start, end, self.span().start);
            fields.push(Field { name, kind, default, doc });
        }
        Ok(fields)
    }

    /// `: type` behind a name, or the other way round as in other languages: `int x`.
    fn name_and_type(&mut self, name: Name, what: &str) -> Read<(Name, TypeName)> {
        if self.token().kind != Kind::Word || self.token().leads {
            self.expect(":", &format!("the name of a {what}"))?;
            return Ok((name, self.type_name()?));
        }
        let mut lists = 0;
        while self.eat_keyword("list") {
            lists += 1;
        }
        let own = self.name(&format!("the name of a {what}"))?;
        let span = name.span.to(own.span);
        let kind = format!("{}{}", name.text, " list".repeat(lists));
        let problem = Problem::syntax(span, format!("the name of a {what} comes before its type"));
        let meant = format!("{}: {kind}", own.text);
        self.problems.add(problem.fix(format!("write `{meant}`"), span, meant));
        Ok((own, TypeName { name, lists }))
    }

    /// A comma, or the end of a list; a comma at the end of a line may be missing.
    fn comma(&mut self, close: &str, what: &str) -> Read<()> {
        if self.eat(",") || self.is_sign(close) {
            return Ok(());
        }
        let at = self.after();
        if self.is_sign(";") {
            let span = self.span();
            self.skip();
            self.problems.add(Problem::syntax(span, format!("`;` after a {what}")).fix("write `,`", span, ",").slip());
            return Ok(());
        }
        if self.token().leads && self.token().kind == Kind::Word && !self.at_declaration() {
            let message = format!("missing `,` after a {what}");
            self.problems.add(Problem::syntax(at, message).fix("insert `,`", at, ",").slip());
            return Ok(());
        }
        let message = format!("expected `,` or `{close}` after a {what}, not {}", self.found());
        self.fail(Problem::syntax(self.span(), message))
    }

    pub(super) fn type_name(&mut self) -> Read<TypeName> {
        if self.keyword() == Some("list") {
            let span = self.span();
            return self.fail(Problem::syntax(span, "a list of what?").hint("write `int list`"));
        }
        let name = self.name("a type")?;
        let mut lists = 0;
        while self.eat_keyword("list") {
            lists += 1;
        }
        Ok(TypeName { name, lists })
    }

    fn enumeration(&mut self, start: usize) -> Read<Enum> {
        let name = self.name("the name of an enumeration")?;
        let end = self.span().end;
        self.expect("{", "the name of an enumeration")?;
        let doc = self.docs.of(start, end, self.span().start);
        let mut members = Vec::new();
        while !self.eat("}") {
            let start = self.span().start;
            let member = self.name("the name of a member")?;
            let end = self.after().end;
            self.comma("}", "member")?;
            members.push((member, self.docs.of(start, end, self.span().start)));
        }
        if members.is_empty() {
            let message = format!("`{}` has no members", name.text);
            self.problems.add(Problem::syntax(name.span, message).hint("an enumeration needs at least one member"));
        }
        Ok(Enum { name, members, doc: self.doc_behind(doc, end) })
    }

    fn constant(&mut self) -> Read<Const> {
        let name = self.name("the name of a constant")?;
        self.expect("=", "the name of a constant")?;
        let value = self.expr()?;
        self.end_of_statement()?;
        Ok(Const { name, value })
    }

    fn function(&mut self, start: usize, roll: bool) -> Read<Function> {
        let title = self.title(roll)?;
        let what = if roll { "the name of a roll" } else { "the name of a function" };
        let name = self.name(what)?;
        let params = self.params(what)?;
        for (param, default) in params.iter().filter_map(|param| Some((param, param.default?))) {
            let span = self.nodes.span(default);
            let message = format!("the parameter `{}` can't have a default", param.name.text);
            self.problems.add(Problem::syntax(span, message).hint("fields of types can have defaults"));
        }
        let gives = if self.arrow() || self.eat(":") { Some(self.type_name()?) } else { None };
        let end = self.span().end;
        let next = self.tokens.get(self.at + 1).map_or(end, |token| token.span.start);
        let doc = self.docs.of(start, end, next);
        let body = self.block(&format!("`{}`", name.text))?;
        let doc = self.doc_behind(doc, end);
        Ok(Function { title, name, params, gives, body, doc })
    }

    /// The parameters in parentheses, which are needed even if there are none.
    fn params(&mut self, what: &str) -> Read<Vec<Field>> {
        if self.is_sign("{") {
            let at = self.after();
            let problem = Problem::syntax(self.span(), format!("expected `(` after {what}, not `{{`"));
            self.problems.add(problem.fix("insert `()`", at, "()"));
            return Ok(vec![]);
        }
        self.expect("(", what)?;
        self.fields(")", "parameter")
    }

    /// `-> int` as in other languages: what follows is read as behind a colon.
    fn arrow(&mut self) -> bool {
        let next = self.tokens.get(self.at + 1);
        if !self.is_sign("-") || next.is_none_or(|next| next.kind != Kind::Sign(">")) {
            return false;
        }
        let span = self.span().to(self.tokens[self.at + 1].span);
        self.problems.add(Problem::syntax(span, "a colon goes before the type of the result").fix(
            "write `:`",
            span,
            ":",
        ));
        self.skip();
        self.skip();
        true
    }

    /// The title of a roll; a function has none.
    fn title(&mut self, roll: bool) -> Read<Option<String>> {
        let span = self.span();
        let title = if let Kind::Text(title) = &self.token().kind { Some(title.clone()) } else { None };
        match (title, roll) {
            (Some(title), true) => {
                self.skip();
                Ok(Some(title))
            }
            (Some(_), false) => {
                self.skip();
                let problem = Problem::syntax(span, "a function has no title");
                let word = Span::new(span.start, self.span().start);
                self.problems.add(problem.fix("remove it, or write `defroll`", word, ""));
                Ok(None)
            }
            (None, true) => {
                let name = if self.token().kind == Kind::Word { self.word_at(self.at) } else { "Attack" };
                let at = Span::new(span.start, span.start);
                let title = format!("\"{name}\" ");
                let problem = Problem::syntax(span, "a roll needs a title in quotes before its name");
                self.problems.add(problem.fix(format!("write `defroll {title}…`"), at, title));
                Ok(Some(String::new()))
            }
            (None, false) => Ok(None),
        }
    }
}
