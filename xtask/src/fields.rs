//! The fields of a JSON object, for the lines that we write ourselves and what cargo tells.
//!
//! Strings are read with their escapes; every other value, also a nested one, stays as it is
//! written. A line that is not an object has no fields.

/// The fields of an object in their order.
pub(crate) struct Fields(Vec<(String, Field)>);

enum Field {
    Text(String),
    /// A number, `true`, `null`, a list or an object.
    Other(String),
}

impl Fields {
    pub(crate) fn read(line: &str) -> Option<Fields> {
        let mut reader = Reader { rest: line.trim() };
        reader.skip('{')?;
        let mut fields = Vec::new();
        while !reader.rest.starts_with('}') {
            let name = reader.text()?;
            reader.skip(':')?;
            let value =
                if reader.rest.starts_with('"') { Field::Text(reader.text()?) } else { Field::Other(reader.other()?) };
            fields.push((name, value));
            if reader.skip(',').is_none() && !reader.rest.starts_with('}') {
                return None;
            }
        }
        Some(Fields(fields))
    }

    /// A string; none if the field is missing or something else.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Field::Text(text) => Some(text),
            Field::Other(_) => None,
        }
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Field::Text(_) => None,
            Field::Other(raw) => raw.parse().ok(),
        }
    }

    pub(crate) fn truth(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Field::Other(raw)) if raw == "true")
    }

    /// A field that is an object itself.
    pub(crate) fn object(&self, name: &str) -> Option<Fields> {
        match self.get(name)? {
            Field::Text(_) => None,
            Field::Other(raw) => Fields::read(raw),
        }
    }

    /// A field that is a list, and the objects in it.
    pub(crate) fn objects(&self, name: &str) -> Vec<Fields> {
        self.items(name).iter().filter_map(|item| Fields::read(item)).collect()
    }

    /// A field as it is written; a string with its quotes.
    pub(crate) fn raw(&self, name: &str) -> Option<String> {
        Some(match self.get(name)? {
            Field::Text(text) => quoted(text),
            Field::Other(raw) => raw.clone(),
        })
    }

    /// A field that is a list, and what is in it, each as it is written.
    pub(crate) fn items(&self, name: &str) -> Vec<String> {
        let Some(Field::Other(raw)) = self.get(name) else { return vec![] };
        let mut reader = Reader { rest: raw };
        let (mut found, mut mark) = (vec![], '[');
        while reader.skip(mark).is_some() {
            found.extend(reader.other());
            mark = ',';
        }
        found
    }

    fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }
}

/// A text as JSON writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Steps over one character and the blanks after it.
    fn skip(&mut self, wanted: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(wanted)?.trim_start();
        Some(())
    }

    fn text(&mut self) -> Option<String> {
        let (text, rest) = crate::json::string(self.rest)?;
        self.rest = rest.trim_start();
        Some(text)
    }

    /// Any other value, up to the comma or bracket that ends it.
    fn other(&mut self) -> Option<String> {
        let (mut depth, mut inside, mut escape) = (0_u32, false, false);
        for (at, c) in self.rest.char_indices() {
            match c {
                _ if escape => escape = false,
                '\\' if inside => escape = true,
                '"' => inside = !inside,
                _ if inside => {}
                ',' | '}' | ']' if depth == 0 => {
                    let (value, rest) = self.rest.split_at(at);
                    self.rest = rest;
                    return Some(value.trim().to_string()).filter(|value| !value.is_empty());
                }
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read() {
        let line = r#" {"name": "a\nb \"c\" \u00e9", "n":7,"ok":true, "none":null,
            "error":{"code":"limit","list":[1,"}",{"x":2}]},"last":[] } "#;
        let fields = Fields::read(line).unwrap();
        assert_eq!(fields.text("name"), Some("a\nb \"c\" é"));
        assert_eq!(fields.number("n"), Some(7));
        assert!(fields.truth("ok") && !fields.truth("n"));
        assert_eq!((fields.text("none"), fields.number("none"), fields.text("missing")), (None, None, None));
        assert_eq!(fields.object("error").unwrap().text("code"), Some("limit"));
        assert!(Fields::read("{}").is_some());
        let list = Fields::read(r#"{"list":[{"a":"x, ]"}, 3, {"a":"y"}],"none":[]}"#).unwrap();
        let texts: Vec<String> =
            list.objects("list").iter().filter_map(|one| Some(one.text("a")?.to_owned())).collect();
        assert_eq!(texts, ["x, ]", "y"]);
        assert_eq!(list.items("list"), [r#"{"a":"x, ]"}"#, "3", r#"{"a":"y"}"#]);
        assert_eq!((list.raw("none").as_deref(), list.raw("missing")), (Some("[]"), None));
        assert!(list.objects("none").is_empty() && list.objects("missing").is_empty());
    }

    #[test]
    fn what_is_no_object_has_no_fields() {
        for line in ["", "[1]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":\"b"] {
            assert!(Fields::read(line).is_none(), "{line}");
        }
    }

    #[test]
    fn quoted_texts_come_back() {
        let text = "a \"b\" \\ \n \u{1} é";
        let fields = Fields::read(&format!("{{\"t\":{}}}", quoted(text))).unwrap();
        assert_eq!(fields.text("t"), Some(text));
    }
}
