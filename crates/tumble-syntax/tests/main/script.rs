//! Scripts: what is wrong with them is reported at once, with edits that put it right.

use tumble_syntax::script::{Edit, Level, Problem, Script, completions, format, read, tokens};

/// The text with these edits made.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}

fn message(problem: &Problem) -> &str {
    &problem.diagnostic.message
}

/// Every correction removes the message it belongs to.
fn corrections_correct(text: &str, script: &Script) {
    let count = |script: &Script, wanted: &str| script.problems.iter().filter(|found| message(found) == wanted).count();
    for problem in script.problems.iter().filter(|problem| !problem.edits.is_empty()) {
        let fixed = edited(text, &problem.edits);
        let left = read(&fixed, false);
        let (before, after) = (count(script, message(problem)), count(&left, message(problem)));
        assert!(
            after < before,
            "{:?} {} is still there in\n{fixed}\n{:?}",
            problem.span(),
            message(problem),
            left.problems
        );
    }
}

/// `1:5 error message`, one a line.
fn told(text: &str, script: &Script) -> Vec<String> {
    let place = |problem: &Problem| {
        let before = &text[..problem.span().start];
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        std::format!("{}:{column}", before.matches('\n').count() + 1)
    };
    let level = |problem: &Problem| match problem.level {
        Level::Error => "error",
        Level::Slip => "slip",
        Level::Warning => "warning",
    };
    script
        .problems
        .iter()
        .map(|problem| std::format!("{} {} {}", place(problem), level(problem), message(problem)))
        .collect()
}

/// Checks what is reported about the body of a roll.
fn check(text: &str, expected: &[&str]) {
    let script = read(text, false);
    assert_eq!(told(text, &script), expected, "{text}");
    corrections_correct(text, &script);
}

/// The same about statements.
fn check_body(body: &str, expected: &[&str]) {
    check(&std::format!("defroll \"R\" r(n: int, h: hero) {{\n{body}\n}}\n{REST}"), expected);
}

const REST: &str = "deftype hero { name: string, luck: int, mood: mood, all: hero list }\n\
    defenum mood { calm, angry }\n\
    defconst most = 3;\n\
    deffun use(h: hero) { return h.luck + length(h.all) + (h.mood == mood.calm ? 1 : 0); }\n\
    deffun shout() { output(\"!\"); }";

#[test]
fn the_document_as_printed_is_refused_at_each_of_its_slips() {
    let text = include_str!("../../../../conformance/hilton-as-printed.tumble");
    let script = read(text, false);
    assert!(!script.is_sound());
    let found = told(text, &script);
    let has = |slip: u8, words: &str| assert!(found.iter().any(|one| one.contains(words)), "slip {slip}: {found:#?}");
    has(1, "typographic quote, here and in 35 other places");
    has(2, "a dash instead of hyphens, here and in one other place");
    has(3, "keyword with a capital letter");
    has(4, "21:1 error unknown word `deffype`");
    has(5, "26:20 slip missing `,` after a field");
    for name in ["Attackbuffs", "critreduce", "sneakreduce", "couldsneak", "tohit", "Temp", "Dmg"] {
        has(6, &std::format!("`{name}` is spelled differently"));
    }
    has(7, "`attack` has no field `autoconf`");
    has(8, "`rerollbonus` is a field: whose?");
    has(8, "`forcererollpen` is a field: whose?");
    has(9, "79:14 slip dice without quotes: `d100`");
    has(10, "67:5 error this loop never ends");
    has(11, "107:20 error a space inside the name of a function");
    has(11, "107:33 error unknown name `whichattakc`");
    has(13, "39:28 slip missing `;`");
    has(13, "84:16 slip missing `;`");
    has(13, "115:12 slip missing `;`");
    has(14, "114:1 error `oneAttack` is not closed");
    has(14, "`oneAttack` returns a value, but this path through it ends without one");
    has(16, "nothing reads the field `sritovercome` of `creature`");
    has(16, "nothing reads the field `sneakovercome` of `creature`");
    assert_eq!(found.iter().filter(|one| one.contains("nothing reads")).count(), 2, "{found:#?}");
    corrections_correct(text, &script);
}

#[test]
fn the_games_are_sound() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "tumble") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let script = read(&text, true);
        assert_eq!(told(&text, &script), Vec::<String>::new(), "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 9);
}

/// The words and signs of a script, without blanks.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn a_formatted_script_is_the_same_script() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "tumble") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let laid_out = format(&text).unwrap();
        assert_eq!(squeezed(&laid_out), squeezed(&text), "{}", path.display());
        assert_eq!(format(&laid_out).unwrap(), laid_out, "{}", path.display());
        assert_eq!(laid_out, text, "{}", path.display());
    }
}

#[test]
fn formatting_puts_slips_right_and_keeps_comments() {
    for (text, expected) in [
        ("Deffun f( x:int ){ Return -x+ - 1 }", "deffun f(x: int) { return -x + -1; }\n"),
        (
            "deffun f(){\n\n\n// a\n  output( “a” )  /* b */ ;\n\n\n\noutput(1);// c\n\n}",
            "deffun f() {\n  // a\n  output(\"a\")  /* b */;\n\n  output(1); // c\n}\n",
        ),
        (
            "deffun f(x:int){y=x>1?[ 1,2 ] [0]:-1;for(i:range( 3 )){y+=i;}return !(y==1)&&true;}",
            "deffun f(x: int) { y = x > 1 ? [1, 2][0] : -1; for (i : range(3)) { y += i; } return !(y == 1) && true; }\n",
        ),
        ("deffun f(x: int) { return - - x - - 1; }", "deffun f(x: int) { return - -x - -1; }\n"),
        (
            "deffun f(x: int) {\nreturn x\n+ 1\n+ max(\n1,\n2\n);\n}",
            "deffun f(x: int) {\n  return x\n    + 1\n    + max(\n    1,\n    2\n  );\n}\n",
        ),
    ] {
        let found = format(text).unwrap();
        assert_eq!(found, expected, "{text}");
        assert_eq!(format(&found).unwrap(), found, "{text}");
    }
    assert!(format("deffun f() { x = ; }").is_err());
}

#[test]
fn every_piece_has_a_class() {
    let text = "defenum e { a }\ndeftype t { x: int } // c\ndefconst k = 1;\n\
        deffun f(y: t) { return roll(\"d6\") + y.x + k + max(1, 2) + (e.a == e.a ? 1 : 0) + length([\"no\"]); }";
    let written: Vec<String> = tokens(text)
        .into_iter()
        .filter(|(_, class)| class.name() != "sign")
        .map(|(span, class)| std::format!("{} {}", &text[span.start..span.end], class.name()))
        .collect();
    assert_eq!(
        written.join(", "),
        "defenum keyword, e type, a variable, deftype keyword, t type, x field, int type, // c comment, defconst keyword, \
         k constant, 1 number, deffun keyword, f function, y variable, t type, return keyword, roll builtin, \"d6\" dice, \
         y variable, x field, k constant, max builtin, 1 number, 2 number, e type, a field, e type, a field, 1 number, \
         0 number, length builtin, \"no\" text"
    );
}

#[test]
fn names_can_be_completed() {
    let text = "deftype hero { name: string, luck: int /* left */ }\ndefenum mood { calm, angry }\n\
        deffun lucky(h: hero) { return h.l> 0; }";
    let at = |what: &str| text.find(what).unwrap() + what.len();
    let texts = |at: usize| completions(text, at).into_iter().map(|one| std::format!("{} ({})", one.text, one.detail));
    let all = |at: usize| texts(at).collect::<Vec<_>>().join(", ");
    assert_eq!(all(at("return h.")), "name (string), luck (int)");
    assert_eq!(all(at("return h.l")), "luck (int)");
    assert_eq!(completions(text, at("return h.l"))[0].doc, "left");
    let text = std::format!("{text}\ndefroll \"R\" r() {{ lu");
    let found = completions(&text, text.len());
    assert_eq!(found.iter().map(|one| one.detail.as_str()).collect::<Vec<_>>(), ["lucky(h: hero)"]);
    let text = std::format!("{text} = mood.");
    assert_eq!(completions(&text, text.len()).len(), 2);
    for at in 0..text.len() {
        completions(&text, at);
    }
}

#[test]
fn names() {
    check_body("x = y;", &["2:5 error unknown name `y`"]);
    check_body("luk = 1; x = luck;", &["2:14 error `luck` is a field: whose?"]);
    check_body("x = h.lukc;", &["2:7 error `hero` has no field `lukc`"]);
    check_body("x = mood.angri;", &["2:10 error `mood` has no member `angri`"]);
    check_body("x = angry;", &["2:5 error unknown name `angry`"]);
    check_body("x = lenght([1]);", &["2:5 error unknown function `lenght`"]);
    check_body("if (n > 1) { x = 1; } y = x;", &["2:27 error `x` may have no value here"]);
    check_body("if (n > 1) { x = 1; } else { x = 2; } y = x;", &[]);
    check_body("while (true) { x = roll(\"d6\"); if (x > 3) { break; } } y = x;", &[]);
    check_body("most = 1;", &["2:1 warning the variable `most` hides the constant of that name"]);
    check_body("for (n : [1]) { }", &["2:6 error `n` is a variable already"]);
    check_body("for (i : [1]) { } for (i : [\"a\"]) { output(i); }", &[]);
    check_body(
        "x = Roll(\"d6\") + Dice(\"d4\")[0] + ROLL(\"d8\");",
        &[
            "2:5 slip `roll` is spelled differently, here and in one other place",
            "2:18 slip `dice` is spelled differently",
        ],
    );
    check_body("most += 1;", &["2:1 error `most` is a constant and can't change"]);
    check_body("if (n > 1) { output(x); } x = 1;", &["2:21 error `x` may have no value here"]);
    check_body("mood = 1;", &["2:1 warning the variable `mood` hides the enumeration of that name"]);
    check_body("x = N;", &["2:5 slip `n` is spelled differently"]);
    check("deftype a { x: b }", &["1:13 warning nothing reads the field `x` of `a`", "1:16 error unknown type `b`"]);
    check("deffun f() { } deffun F() { }", &["1:23 error there is another function with the name `F`"]);
    check("deffun sum() { return 1; }", &["1:8 warning `sum` hides the built-in of that name"]);
    check(
        "deftype a { x: a }",
        &["1:9 error a `a` contains a `a`, or something that does", "1:13 warning nothing reads the field `x` of `a`"],
    );
}

#[test]
fn types() {
    check_body("x = 1; x = \"a\";", &["2:12 error `x` is int since its first assignment, and this is string"]);
    check_body("x = 1 + true;", &["2:9 error `+` takes int, not bool"]);
    check_body("x = \"a\" + h;", &["2:11 error hero has no text of its own"]);
    check_body("x = 1 == \"a\";", &["2:5 error this compares int with string: they are never equal"]);
    check_body("x = mood.calm < mood.angry && h == h;", &[]);
    check_body("x = n ? 1 : 2;", &["2:5 error expected bool, not int"]);
    check_body("x = n > 1 ? 1 : \"a\";", &["2:17 error one value is int, the other string: both need the same type"]);
    check_body("x = [1, \"a\"];", &["2:9 error the list holds int so far, but this is string"]);
    check_body("x = [];", &["2:5 error a list of what?"]);
    check_body("x = [1]; x = []; x += [2]; x += 3;", &["2:28 error `+` can't join int list and int"]);
    check_body("x = [1] + [];", &[]);
    check_body("x = shout();", &["2:5 error this call returns no value"]);
    check_body("x = use(h, 1);", &["2:5 error `use` takes one value (h), not 2 values"]);
    check_body("x = use(1);", &["2:9 error expected hero, not int"]);
    check_body("x = max(1);", &["2:9 error expected int list, not int"]);
    check_body("for (x : n) { }", &["2:10 error expected a list, not int"]);
    check_body("x = h.all.length;", &["2:11 error hero list has no field `length`"]);
    check_body("change(h, \"mood\", 1);", &["2:11 error only a number can change, and `mood` is mood"]);
    check_body("output(\"a\", \"goood\");", &["2:13 error unknown style \"goood\""]);
    check_body("x = hero { luck: 1, luk: 2 };", &["2:21 error `hero` has no field `luk`"]);
    check_body("h.luck = true;", &["2:10 error expected int, not bool"]);
    check_body("h.all[0].luck += 1; h.all = h.all + [h];", &[]);
    check_body("n + 1;", &["2:1 warning this value is not used"]);
}

#[test]
fn returns_and_loops() {
    check(
        "deffun f(n: int) { if (n > 1) { return 1; } }",
        &["1:45 error `f` returns a value, but this path through it ends without one"],
    );
    check(
        "deffun f(n: int) { if (n > 1) { return 1; } return; }",
        &["1:45 error `f` returns a value elsewhere, but not here"],
    );
    check("deffun f(n: int) { while (true) { if (n > 1) { return 1; } n++; } }", &[]);
    check(
        "deffun f(n: int) { return f(n - 1); }",
        &["1:8 error can't tell what `f` returns: every `return` calls it again"],
    );
    check("deffun f(n: int): int { return f(n - 1); }", &[]);
    check("deffun f() { return foo; } deffun g() { return f(); }", &["1:21 error unknown name `foo`"]);
    check(
        "deffun f(n: int) { if (n > 1) { return; } return 1; }",
        &["1:33 error `f` returns a value elsewhere, but not here"],
    );
    check("deffun f(n: int) { if (n > 0) { return g(n); } return 0; } deffun g(n: int) { return f(n - 1); }", &[]);
    check("deffun f() { return 1; output(2); }", &["1:24 warning this is never reached"]);
    check("deffun f() { break; }", &["1:14 error `break` outside a loop"]);
    check_body(
        "i = 0; while (i < 3) { output(i); }",
        &["2:8 error this loop never ends: nothing in it changes its condition"],
    );
    check_body("while (true) { output(1); }", &["2:1 error this loop never ends: nothing in it changes its condition"]);
    check_body("while (roll(\"d6\") < 6) { }", &[]);
}

#[test]
fn dice_texts() {
    check_body(
        "x = roll(\"2d6x\");",
        &[
            "2:10 error \"2d6x\" is not a dice expression: to multiply, write `*`; to repeat a roll, `6x(…)`; to explode dice, `!`",
        ],
    );
    check_body(
        "x = roll(n + \"d6\") + roll(\"d\" + n + \"!\") + roll(d20) + roll(2d6);",
        &["2:49 slip dice without quotes: `d20`", "2:61 slip dice without quotes: `2d6`"],
    );
    check_body(
        "x = dice(\"2d6 + 1\");",
        &["2:10 error \"2d6 + 1\" is not a dice expression: expected a single dice term, such as `4d6kh3`"],
    );
    check_body(
        "x = roll(\"d20 + @str\");",
        &["2:10 error \"d20 + @str\" is not a dice expression: values of a character are not known inside a script"],
    );
    check_body("x = roll(n);", &["2:10 error expected a dice expression in quotes, not int"]);
    check_body("x = roll(h.name);", &[]);
    check_body("d6 = \"d8\"; x = roll(d6);", &[]);
    check_body(
        "x = dice(\"{2d6, 3d6}kh1\");",
        &["2:10 error \"{2d6, 3d6}kh1\" is not a dice expression: expected a single dice term, such as `4d6kh3`"],
    );
    check_body(
        "x = roll(\"2x3d6\");",
        &["2:10 error \"2x3d6\" is not a dice expression: put parentheses around the roll after `2x`"],
    );
}

#[test]
fn readers_go_on() {
    check(
        "defroll \"R\" r() { x = ; y = 1 +; z = 3; }",
        &["1:23 error expected a value, not `;`", "1:32 error expected a value, not `;`"],
    );
    check("deffun f() { if (1 == 1) output(1); }", &["1:26 error missing braces around the body of `if`"]);
    check("deffun f(x: int) { if x > 1 { output(1); } }", &["1:23 error the condition of `if` needs parentheses"]);
    check("deffun f(x: int) { if (x = 1) { output(1); } }", &["1:26 error `=` assigns; it doesn't compare"]);
    check("deffun f() { output(1) }", &["1:23 slip missing `;`"]);
    check("deffun f() { output(1);\ndeffun g() { }", &["2:1 error `f` is not closed: `}` is missing before `deffun`"]);
    check("deffun f(int x) { output(x); }", &["1:10 error the name of a parameter comes before its type"]);
    check("deffun f(x: int) -> int { return x; }", &["1:18 error a colon goes before the type of the result"]);
    check("defroll \"R\" r { }", &["1:15 error expected `(` after the name of a roll, not `{`"]);
    check("deffun f() { group { output(1); } }", &["1:20 error expected `(` after `group`, not `{`"]);
    check("deffun f(x: int) { if (x > 1 and x < 3) { output(1); } }", &["1:30 slip `and` instead of `&&`"]);
    check("deffun f(x: int) { if (x > 1) { } elseif (x < 3) { } }", &["1:35 error unknown word `elseif`"]);
    check("deffun f() { for (x in [1]) { output(x); } }", &["1:21 slip `in` instead of `:`"]);
    check(
        "deffun f() { x = [1 2]; y = max(1 2); }",
        &["1:21 error expected `,` or `]`, not `2`", "1:35 error expected `,` or `)`, not `2`"],
    );
    check(
        "deffun f() { xs: int list = [1]; output(xs); }",
        &["1:16 error a variable takes the type of its first value"],
    );
    check("deffun f() { x = 1 y = 2; output(x + y); }", &["1:20 error expected `;`, not `y`"]);
    check(
        "deffun f() { x = -9223372036854775808; y = 9223372036854775808; }",
        &["1:44 error this number is too large: at most 9223372036854775807"],
    );
    check("deffun f() { let x = 1; }", &["1:14 error `let` is not part of scripts"]);
    check("defrol \"R\" r() { }", &["1:1 error unknown word `defrol`"]);
    check("defroll r() { }", &["1:9 error a roll needs a title in quotes before its name"]);
    check("x = 1;", &["1:1 error expected a declaration, not `x`"]);
    check("deffun f() { x = \"abc; }\n}", &["1:18 error this text is not closed"]);
    check("/* abc", &["1:1 error this comment is never closed"]);
    check(
        "deffun f() { x = 'a'; }",
        &["1:18 error unexpected `'`", "1:19 error unknown name `a`", "1:20 error unexpected `'`"],
    );
}

#[test]
fn docs_are_comments_beside_and_above() {
    let script = read(
        "// A hero.\ndeftype hero { // of the story\n  // How lucky.\n  luck: int, // 0 to 9\n  name: string }\n\
         /* Rolls\n * once. */\ndefroll \"R\" r(h: hero /* who */) { return h.luck; }",
        true,
    );
    let hero = &script.tables().records[0];
    assert_eq!((hero.doc.as_str(), hero.fields[0].doc.as_str()), ("A hero.\nof the story", "How lucky.\n0 to 9"));
    let roll = &script.tables().functions[0];
    assert_eq!((roll.doc.as_str(), roll.params[0].doc.as_str()), ("Rolls\nonce.", "who"));
}

/// However a text is nested, reading it needs no more than a small stack.
#[test]
fn nesting_has_a_limit_and_needs_no_stack() {
    let nested = |open: &str, inside: &str, close: &str, times: usize| {
        std::format!("deffun f(n: int) {{ {}{inside}{} }}", open.repeat(times), close.repeat(times))
    };
    let texts = [
        nested("if (n == 1) { ", "n = 1;", " }", 5_000),
        nested("(", "n", ")", 20_000).replacen("{ (", "{ n = (", 1),
        nested("[", "n", "]", 20_000).replace("{ [", "{ x = ["),
        nested("- ", "n", "", 20_000).replacen("{ - ", "{ n = - ", 1),
        std::format!("deffun f(n: int) {{ n = n{}; }}", ".a".repeat(20_000)),
        std::format!("deffun f(n: int) {{ n = n{}; }}", "[0]".repeat(20_000)),
        std::format!("deffun f(n: int) {{ n = {}n; }}", "n == 1 ? 1 : ".repeat(10_000)),
    ];
    let fine = [
        nested("if (n == 1) { ", "n = 1;", " }", 900),
        nested("(", "n", ")", 900).replace("{ (", "{ n = ("),
        std::format!("deffun f(n: int) {{ n = n{}; }}", " + n".repeat(40_000)),
        std::format!("deffun f(n: int) {{ {} }}", "if (n == 1) { n = 2; } else ".repeat(5_000) + "{ n = 3; }"),
        std::format!("deffun f(n: int) {{ {} }}", "n = n + 1; ".repeat(20_000)),
    ];
    let small = |run: Box<dyn FnOnce() + Send>| {
        std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    };
    for text in texts {
        small(Box::new(move || {
            let script = read(&text, false);
            let limit = script.problems.iter().any(|problem| problem.diagnostic.code == tumble_core::Code::Limit);
            assert!(limit, "{:.80}: {:?}", text, script.problems.first());
        }));
    }
    for text in fine {
        let text = text + " defroll \"R\" r() { f(1); }";
        small(Box::new(move || {
            let script = read(&text, false);
            assert!(script.is_sound(), "{:.80}: {:?}", text, script.problems.first());
            assert!(script.lower(1, vec![]).is_ok());
        }));
    }
}
