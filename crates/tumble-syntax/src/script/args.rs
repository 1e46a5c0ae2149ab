//! Arguments and results: plain data on the outside, typed values inside.

use super::Script;
use super::rolls;
use super::types::{Tables, Type, record_value, same};
use tumble_core::{Code, Data, Diagnostic, Span, Value};

/// Plain data, as JSON has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Datum {
    Nothing,
    Truth(bool),
    Number(i64),
    /// A number with a fraction, or one that is too large, as it was written.
    Fraction(String),
    Text(String),
    List(Vec<Datum>),
    Record(Vec<(String, Datum)>),
}

impl Datum {
    /// About how many bytes it takes when it is written. It is counted with a stack of its own.
    fn size(&self) -> usize {
        let (mut left, mut size) = (vec![self], 0);
        while let Some(one) = left.pop() {
            size += 2 + match one {
                Datum::Nothing | Datum::Truth(_) | Datum::Number(_) => 1,
                Datum::Fraction(text) | Datum::Text(text) => text.len(),
                Datum::List(items) => {
                    left.extend(items);
                    0
                }
                Datum::Record(fields) => {
                    left.extend(fields.iter().map(|(_, value)| value));
                    fields.iter().map(|(name, _)| name.len() + 3).sum()
                }
            };
        }
        size
    }

    /// What to call it in a message.
    fn sort(&self) -> &'static str {
        match self {
            Datum::Nothing => "nothing",
            Datum::Truth(_) => "true or false",
            Datum::Number(_) => "a number",
            Datum::Fraction(text) if text.contains(['.', 'e', 'E']) => "a number that is not whole",
            Datum::Fraction(_) => "a number that is too large",
            Datum::Text(_) => "a text",
            Datum::List(_) => "a list",
            Datum::Record(_) => "an object",
        }
    }
}

/// How deep arguments may be nested, and how many bytes they may have.
const DEEPEST: usize = 60;
const LARGEST: usize = 1 << 20;

impl Script {
    /// The arguments of a roll in order, from plain data by name, with warnings.
    pub fn arguments(&self, entry: usize, given: &Datum) -> Result<(Vec<Value>, Vec<Diagnostic>), Diagnostic> {
        if given.size() > LARGEST {
            let message = format!("the arguments have more than {} MB", LARGEST >> 20);
            return Err(Diagnostic::new(Code::Limit, Span::default(), message));
        }
        let mut reader = ArgReader { tables: self.tables(), warnings: vec![] };
        let given = match given {
            Datum::Record(given) => given.as_slice(),
            Datum::Nothing => &[],
            _ => return Err(wrong("the arguments", &format!("expected an object, not {}", given.sort()))),
        };
        let params = &self.tables().functions[entry].params;
        let fields: Vec<(&str, &Type, &Value)> =
            params.iter().map(|param| (param.name.as_str(), &param.kind, &param.default)).collect();
        let values = reader.fields("", &fields, given, DEEPEST)?;
        Ok((values, reader.warnings))
    }
}

struct ArgReader<'s> {
    tables: &'s Tables,
    warnings: Vec<Diagnostic>,
}

impl ArgReader<'_> {
    fn warn(&mut self, message: String) {
        self.warnings.push(Diagnostic::new(Code::Request, Span::default(), message));
    }

    /// Values for these fields; what is missing takes its default.
    fn fields(
        &mut self,
        way: &str,
        fields: &[(&str, &Type, &Value)],
        given: &[(String, Datum)],
        deep: usize,
    ) -> Result<Vec<Value>, Diagnostic> {
        let inside = |name: &str| if way.is_empty() { name.to_owned() } else { format!("{way}.{name}") };
        for (name, _) in given {
            let key = name.to_lowercase();
            if let Some((first, _)) =
                given.iter().find(|(other, _)| same(other, &key)).filter(|(first, _)| first != name)
            {
                self.warn(format!("`{}` is not used: `{}` is given too", inside(name), inside(first)));
            } else if !fields.iter().any(|(field, ..)| same(field, &key)) && name != "$id" {
                self.warn(format!("`{}` is not used: there is no such {}", inside(name), what(way)));
            }
        }
        let mut values = Vec::new();
        for (field, kind, default) in fields {
            let key = field.to_lowercase();
            let Some((name, datum)) = given.iter().find(|(name, _)| same(name, &key)) else {
                if way.is_empty() {
                    self.warn(format!("`{field}` is not given and takes its default"));
                }
                values.push((*default).clone());
                continue;
            };
            if name != field {
                self.warn(format!("`{}` is spelled `{field}` in the script", inside(name)));
            }
            values.push(self.value(&inside(field), kind, datum, deep)?);
        }
        Ok(values)
    }

    fn value(&mut self, way: &str, kind: &Type, datum: &Datum, deep: usize) -> Result<Value, Diagnostic> {
        let Some(deep) = deep.checked_sub(1) else {
            return Err(wrong(way, &format!("values are nested more than {DEEPEST} deep")));
        };
        match (kind, datum) {
            (Type::Int, Datum::Number(n)) => Ok(Value::int(*n)),
            (Type::Bool, Datum::Truth(truth)) => Ok(Value::bool(*truth)),
            (Type::Text, Datum::Text(text)) => Ok(Value::text(text)),
            (Type::Dice, Datum::Text(text)) => self.dice(way, text),
            (Type::Enum(of), Datum::Text(name)) => self.member(way, *of, name),
            (Type::List(member), Datum::List(items)) => {
                let items = items.iter().enumerate();
                let values = items.map(|(at, item)| self.value(&format!("{way}[{at}]"), member, item, deep));
                Ok(Value::pool(values.collect::<Result<_, _>>()?))
            }
            (Type::Record(record), Datum::Record(given)) => {
                let tables = self.tables;
                let fields: Vec<(&str, &Type, &Value)> = tables.records[*record]
                    .fields
                    .iter()
                    .map(|field| (field.name.as_str(), &field.kind, &field.default))
                    .collect();
                let values = self.fields(way, &fields, given, deep)?;
                let id = match given.iter().find(|(name, _)| name == "$id") {
                    Some((_, Datum::Text(id))) => Some(id.as_str()),
                    Some((_, other)) => {
                        return Err(wrong(&format!("{way}.$id"), &format!("expected a text, not {}", other.sort())));
                    }
                    None => None,
                };
                Ok(record_value(values, id))
            }
            (kind, datum) => {
                let message = format!("expected {}, not {}", self.tables.name(kind), datum.sort());
                Err(wrong(way, &message))
            }
        }
    }

    fn dice(&mut self, way: &str, text: &str) -> Result<Value, Diagnostic> {
        if !text.trim().is_empty() {
            rolls::read(text, &[], false).map_err(|found| wrong(way, &format!("\"{text}\": {}", found.message)))?;
        }
        Ok(Value::text(text))
    }

    fn member(&mut self, way: &str, of: usize, name: &str) -> Result<Value, Diagnostic> {
        let key = name.to_lowercase();
        let Some(member) = self.tables.member(of, &key) else {
            let names: Vec<&str> = self.tables.enums[of].members.iter().map(|(name, _)| name.as_str()).collect();
            return Err(wrong(way, &format!("unknown member \"{name}\"; there are {}", names.join(", "))));
        };
        let declared = &self.tables.enums[of].members[member].0;
        if declared != name {
            self.warn(format!("`{way}`: \"{name}\" is spelled \"{declared}\" in the script"));
        }
        Ok(self.tables.member_value(of, member))
    }
}

fn what(way: &str) -> &'static str {
    if way.is_empty() { "parameter" } else { "field" }
}

fn wrong(way: &str, message: &str) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), format!("`{way}`: {message}"))
}

impl Tables {
    /// A value of this type from plain data.
    pub fn value(&self, kind: &Type, datum: &Datum) -> Result<Value, Diagnostic> {
        ArgReader { tables: self, warnings: vec![] }.value("the value", kind, datum, DEEPEST)
    }

    /// An object of a record type from plain data: what is missing takes its default, and what the type has no field for is
    /// in the warnings. None if there is no such type.
    pub fn object(&self, name: &str, given: &Datum) -> Option<Result<(Datum, Vec<Diagnostic>), Diagnostic>> {
        let kind = Type::Record(self.record(&name.to_lowercase())?);
        let mut reader = ArgReader { tables: self, warnings: vec![] };
        let read = reader.value(name, &kind, given, DEEPEST);
        Some(read.map(|value| (self.datum(&kind, &value), reader.warnings)))
    }

    /// A value of this type as plain data.
    pub fn datum(&self, kind: &Type, value: &Value) -> Datum {
        match (&value.data, kind) {
            (Data::Bool(truth), _) => Datum::Truth(*truth),
            (Data::Int(n), _) => Datum::Number(*n),
            (Data::Ratio(ratio), _) => Datum::Text(ratio.to_string()),
            (Data::Text(text), _) => Datum::Text(text.to_string()),
            (Data::Pool(members), kind) => {
                let member = kind.member().unwrap_or(Type::Unknown);
                Datum::List(members.iter().map(|value| self.datum(&member, value)).collect())
            }
            (Data::Tuple(items), Type::Record(record)) => {
                let fields = self.records[*record].fields.iter().zip(items.iter());
                Datum::Record(
                    fields.map(|(field, value)| (field.name.clone(), self.datum(&field.kind, value))).collect(),
                )
            }
            (Data::Tuple(items), _) => items.get(1).map_or(Datum::Nothing, |name| self.datum(&Type::Text, name)),
            (Data::Nothing | Data::List(_) | Data::Tag(_), _) => Datum::Nothing,
        }
    }
}
