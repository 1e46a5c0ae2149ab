//! Just enough JSON to read the vectors.

use std::collections::BTreeMap;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Other,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub(crate) fn parse(text: &str) -> Json {
        Reader { rest: text }.value()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.get(key),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn next(&mut self) -> char {
        let next = self.rest.chars().next().expect("JSON ends too early");
        self.rest = &self.rest[next.len_utf8()..];
        next
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn value(&mut self) -> Json {
        self.skip();
        match self.rest.as_bytes()[0] {
            b'"' => Json::Text(self.string()),
            b'[' => Json::List(self.items(']', |reader| reader.value())),
            b'{' => Json::Object(
                self.items('}', |reader| {
                    let key = reader.string();
                    reader.skip();
                    assert_eq!(reader.next(), ':');
                    (key, reader.value())
                })
                .into_iter()
                .collect(),
            ),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\n']).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                word.parse().map_or(Json::Other, Json::Number)
            }
        }
    }

    fn items<T>(&mut self, close: char, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        self.next();
        let mut items = Vec::new();
        loop {
            self.skip();
            if self.rest.starts_with(close) {
                self.next();
                return items;
            }
            if self.rest.starts_with(',') {
                self.next();
                self.skip();
            }
            items.push(item(self));
        }
    }

    fn string(&mut self) -> String {
        self.skip();
        assert_eq!(self.next(), '"');
        let mut out = String::new();
        loop {
            match self.next() {
                '"' => return out,
                '\\' => match self.next() {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    'u' => {
                        let (code, rest) = self.rest.split_at(4);
                        self.rest = rest;
                        let code = u32::from_str_radix(code, 16).expect("four hex digits");
                        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    }
                    other => out.push(other),
                },
                other => out.push(other),
            }
        }
    }
}

#[test]
fn json_is_read() {
    let json = Json::parse(r#"{"a": [1, -2.5, "x\n\u00a7"], "b": {}, "c": null}"#);
    let Some(Json::List(items)) = json.get("a") else { panic!("{json:?}") };
    assert_eq!(items[1], Json::Number(-2.5));
    assert_eq!(items[2].text(), Some("x\n§"));
    assert_eq!(json.get("c"), Some(&Json::Other));
}
