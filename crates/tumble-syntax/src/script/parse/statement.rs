//! Statements and blocks.

use super::super::lex::{Kind, is_quote};
use super::super::problem::{Edit, Problem};
use super::super::syntax::{Block, Do, Expr, Infix, NodeId, Place, Statement, Step};
use super::{Parser, Read, Stop};
use tumble_core::Span;

impl Parser<'_, '_> {
    /// A block in braces; `owner` is what it belongs to, for messages.
    pub(super) fn block(&mut self, owner: &str) -> Read<Block> {
        if !self.is_sign("{") {
            return self.block_without_braces(owner);
        }
        let start = self.span().start;
        self.skip();
        self.open_blocks += 1;
        let block = self.nested(|parser| parser.statements(owner, start));
        self.open_blocks = self.open_blocks.saturating_sub(1);
        block
    }

    fn statements(&mut self, owner: &str, start: usize) -> Read<Block> {
        let mut statements = Vec::new();
        loop {
            if self.eat("}") {
                return Ok(Block { statements, span: self.since(start) });
            }
            if self.token().kind == Kind::End || self.at_declaration() {
                self.not_closed(owner);
                return Ok(Block { statements, span: self.since(start) });
            }
            if self.eat(";") {
                continue;
            }
            let before = self.at;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => {
                    self.skip_statement();
                    if self.at == before {
                        self.skip();
                    }
                }
            }
        }
    }

    /// A block ends where something else begins; all blocks that are open end there, so it is reported once.
    #[inline(never)]
    fn not_closed(&mut self, owner: &str) {
        if self.given_up == Some(self.at) {
            return;
        }
        self.given_up = Some(self.at);
        let span = self.span();
        let at = Span::new(span.start, span.start);
        let count = self.open_blocks;
        let braces = "}".repeat(count);
        let message = match count {
            1 => format!("{owner} is not closed: `}}` is missing before {}", self.found()),
            _ => format!("{owner} is not closed: {count} `}}` are missing before {}", self.found()),
        };
        self.problems.add(Problem::syntax(span, message).fix(format!("insert `{braces}`"), at, format!("{braces}\n")));
    }

    /// `if (x) y = 1;`: a single statement, which should stand in braces.
    #[inline(never)]
    fn block_without_braces(&mut self, owner: &str) -> Read<Block> {
        let span = self.span();
        if matches!(self.token().kind, Kind::End | Kind::Sign(_)) || self.at_declaration() {
            let message = format!("expected `{{` after {owner}, not {}", self.found());
            return self.fail(Problem::syntax(span, message).fix("insert a block", self.after(), " { }"));
        }
        let statement = self.nested(Self::statement)?;
        let whole = self.since(span.start);
        let mut problem = Problem::syntax(span, format!("missing braces around the body of {owner}"));
        problem.edits = vec![
            Edit { span: Span::new(whole.start, whole.start), text: "{ ".into() },
            Edit { span: Span::new(whole.end, whole.end), text: " }".into() },
        ];
        self.problems.add(problem.hint("put it into `{ }`"));
        Ok(Block { statements: vec![statement], span: whole })
    }

    /// Skips what could not be read, up to the next statement.
    #[inline(never)]
    fn skip_statement(&mut self) {
        let mut open = 0usize;
        while self.token().kind != Kind::End && !self.at_declaration() {
            match self.token().kind {
                Kind::Sign(";") if open == 0 => return self.skip(),
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") => {
                    open -= 1;
                    if open == 0 {
                        return self.skip();
                    }
                }
                _ => {}
            }
            self.skip();
        }
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.span().start;
        let what = match self.keyword() {
            Some("if") => self.choice()?,
            Some("while") => self.while_loop()?,
            Some("for") => self.for_loop()?,
            Some("group") => self.group()?,
            Some("return") => self.result()?,
            Some("break") => {
                self.skip_keyword();
                self.end_of_statement()?;
                Do::Break
            }
            Some("else") => return self.lone_else(),
            _ if self.is_sign("{") => Do::Block(self.block("this block")?),
            _ => self.simple()?,
        };
        Ok(Statement { what, span: self.since(start) })
    }

    #[inline(never)]
    fn lone_else<T>(&mut self) -> Read<T> {
        let span = self.span();
        self.skip_keyword();
        self.fail(Problem::syntax(span, "`else` without an `if` before it"))
    }

    /// A condition in parentheses.
    #[inline(never)]
    fn condition(&mut self, word: &str) -> Read<NodeId> {
        if self.eat("(") {
            let test = self.expr()?;
            self.close_condition(word)?;
            return Ok(test);
        }
        let start = self.span().start;
        let records = std::mem::replace(&mut self.records_allowed, false);
        let test = self.expr();
        self.records_allowed = records;
        let (test, whole) = (test?, self.since(start));
        let mut problem = Problem::syntax(whole, format!("the condition of `{word}` needs parentheses"));
        problem.edits = vec![
            Edit { span: Span::new(whole.start, whole.start), text: "(".into() },
            Edit { span: Span::new(whole.end, whole.end), text: ")".into() },
        ];
        self.problems.add(problem.hint("put it into `( )`"));
        Ok(test)
    }

    #[inline(never)]
    fn close_condition(&mut self, word: &str) -> Read<()> {
        if self.is_sign("=") {
            let span = self.span();
            let problem = Problem::syntax(span, "`=` assigns; it doesn't compare").fix("write `==`", span, "==");
            return self.fail(problem);
        }
        self.expect(")", &format!("the condition of `{word}`"))
    }

    #[inline(never)]
    fn choice(&mut self) -> Read<Do> {
        let (mut arms, mut other) = (Vec::new(), None);
        loop {
            self.skip_keyword();
            let test = self.condition("if")?;
            arms.push((test, self.block("`if`")?));
            if self.else_in_one_word() {
                continue;
            }
            if !self.eat_keyword("else") {
                break;
            }
            if self.keyword() != Some("if") {
                other = Some(self.block("`else`")?);
                break;
            }
        }
        Ok(Do::If { arms, other })
    }

    /// `elseif`, `elif`: the next turn of the chain skips the word.
    #[inline(never)]
    fn else_in_one_word(&mut self) -> bool {
        let word = if self.token().kind == Kind::Word { self.word_at(self.at).to_lowercase() } else { String::new() };
        let found = matches!(word.as_str(), "elseif" | "elif" | "elsif");
        if found {
            let span = self.span();
            self.problems.add(Problem::syntax(span, format!("unknown word `{word}`")).fix(
                "write `else if`",
                span,
                "else if",
            ));
        }
        found
    }

    /// The colon of a `for`, which other languages write as `in`.
    #[inline(never)]
    pub(super) fn each_colon(&mut self) -> Read<()> {
        if self.token().kind == Kind::Word && self.word_at(self.at).eq_ignore_ascii_case("in") {
            let span = self.span();
            self.problems.add(Problem::syntax(span, "`in` instead of `:`").fix("write `:`", span, ":").slip());
            self.skip();
            return Ok(());
        }
        self.expect(":", "the variable of `for`")
    }

    #[inline(never)]
    fn while_loop(&mut self) -> Read<Do> {
        self.skip_keyword();
        let test = self.condition("while")?;
        Ok(Do::While { test, body: self.block("`while`")? })
    }

    #[inline(never)]
    fn for_loop(&mut self) -> Read<Do> {
        self.skip_keyword();
        self.expect("(", "`for`")?;
        let name = Box::new(self.name("the name of a variable")?);
        self.each_colon()?;
        let list = self.expr()?;
        self.expect(")", "the list of `for`")?;
        Ok(Do::For { name, list, body: self.block("`for`")? })
    }

    #[inline(never)]
    fn group(&mut self) -> Read<Do> {
        self.skip_keyword();
        if self.is_sign("{") {
            let (at, span) = (self.after(), self.span());
            self.problems.add(Problem::syntax(span, "expected `(` after `group`, not `{`").fix(
                "insert `()`",
                at,
                "()",
            ));
            return Ok(Do::Group { title: None, body: self.block("`group`")? });
        }
        self.expect("(", "`group`")?;
        let title = if self.is_sign(")") { None } else { Some(self.expr()?) };
        self.expect(")", "the title of `group`")?;
        Ok(Do::Group { title, body: self.block("`group`")? })
    }

    #[inline(never)]
    fn result(&mut self) -> Read<Do> {
        self.skip_keyword();
        let none = self.is_sign(";") || self.is_sign("}") || self.token().leads || self.token().kind == Kind::End;
        let value = if none { None } else { Some(self.expr()?) };
        self.end_of_statement()?;
        Ok(Do::Return(value))
    }

    /// An assignment, or an expression for what it does.
    #[inline(never)]
    fn simple(&mut self) -> Read<Do> {
        let expr = self.expr()?;
        self.stated_type();
        let Kind::Sign(sign) = self.token().kind else { return self.expression_statement(expr) };
        let (op, step) = match sign {
            "=" => (None, false),
            "+=" => (Some(Infix::Plus), false),
            "-=" => (Some(Infix::Minus), false),
            "*=" => (Some(Infix::Times), false),
            "/=" => (Some(Infix::Over), false),
            "++" => (Some(Infix::Plus), true),
            "--" => (Some(Infix::Minus), true),
            _ => return self.expression_statement(expr),
        };
        let place = Box::new(self.place(expr)?);
        let span = self.span();
        self.skip();
        let value = if step { self.nodes.add(span, Expr::Int(1)) } else { self.expr()? };
        self.end_of_statement()?;
        Ok(Do::Assign { place, op, value })
    }

    /// `x: int = 1;`: a variable has no type of its own to state.
    #[inline(never)]
    fn stated_type(&mut self) {
        if !self.is_sign(":") {
            return;
        }
        let start = self.after().end;
        self.skip();
        if self.type_name().is_ok() {
            let span = self.since(start);
            let problem = Problem::syntax(span, "a variable takes the type of its first value");
            self.problems.add(problem.fix("remove the type", span, ""));
        }
    }

    #[inline(never)]
    fn expression_statement(&mut self, expr: NodeId) -> Read<Do> {
        self.end_of_statement()?;
        Ok(Do::Expr(expr))
    }

    /// What is assigned to: a variable, or a part of what it holds.
    #[inline(never)]
    fn place(&mut self, expr: NodeId) -> Read<Place> {
        let (span, mut steps, mut here) = (self.nodes.span(expr), Vec::new(), expr);
        let name = loop {
            match self.nodes.expr(here) {
                Expr::Name(name) => break name.clone(),
                Expr::Field { of, name } => {
                    steps.push(Step::Field(name.clone()));
                    here = *of;
                }
                Expr::Index { of, at } => {
                    steps.push(Step::Index(*at));
                    here = *of;
                }
                _ => return self.fail(Problem::syntax(span, "only a variable can be assigned to")),
            }
        };
        steps.reverse();
        Ok(Place { name, steps, span })
    }

    /// Whether the token read last is a text that is not closed, which may hide what follows it.
    fn after_unclosed(&self) -> bool {
        let Some(last) = self.at.checked_sub(1) else { return false };
        let written = self.word_at(last);
        let closes = written.chars().count() > 1 && written.ends_with(is_quote);
        matches!(self.tokens[last].kind, Kind::Text(_)) && !closes
    }

    /// A `;`, which may be missing at the end of a line or block.
    #[inline(never)]
    pub(super) fn end_of_statement(&mut self) -> Read<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.after_unclosed() {
            return Ok(());
        }
        let at = self.after();
        let problem = Problem::syntax(at, "missing `;`").fix("insert `;`", at, ";");
        if self.token().leads || self.is_sign("}") || self.token().kind == Kind::End {
            self.problems.add(problem.slip());
            return Ok(());
        }
        let message = format!("expected `;`, not {}", self.found());
        self.problems.add(Problem::syntax(self.span(), message).fix("insert `;`", at, ";"));
        // Another statement may begin here.
        if self.token().kind == Kind::Word { Ok(()) } else { Err(Stop) }
    }
}
