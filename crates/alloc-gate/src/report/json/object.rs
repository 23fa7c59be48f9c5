//! [`Object`]: an object of a JSON report, with its keys in the order of the calls.

use std::borrow::Cow;
use std::io::{self, Write};

use alloc_results::{BenchId, Ratio, integer, mean};
use serde::{Serialize, Serializer};

use crate::diagnostic::Place;
use crate::figure::Statistic;
use crate::printable::is_hidden;

/// A JSON value. serde_json's own value can't hold the integers of a [`Ratio`].
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::report) enum Json {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Object(Object),
}

impl Json {
    pub(in crate::report) fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }

    /// Writes the value as a whole report. Hidden characters, and what a CI system would read
    /// as a command, are written as escapes; readers get the same text.
    pub(in crate::report) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let json = serde_json::to_string_pretty(self)?;
        let json = json
            .replace("##[", "#\\u0023[")
            .replace("##vso[", "#\\u0023vso[");
        let mut text = String::with_capacity(json.len() + 1);
        for character in json.chars() {
            if character == '\n' || !is_hidden(character) {
                text.push(character);
                continue;
            }
            for unit in character.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        text.push('\n');
        out.write_all(text.as_bytes())
    }
}

/// An object.
#[derive(Default)]
pub(in crate::report) struct Object(Vec<(Cow<'static, str>, Json)>);

impl Object {
    pub(in crate::report) fn with(
        mut self,
        key: impl Into<Cow<'static, str>>,
        value: impl Into<Json>,
    ) -> Self {
        self.0.push((key.into(), value.into()));
        self
    }

    /// Adds the key only if there is a value.
    pub(in crate::report) fn with_some(
        self,
        key: &'static str,
        value: Option<impl Into<Json>>,
    ) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    pub(in crate::report) fn with_list<T: Into<Json>>(
        self,
        key: &'static str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.with(key, Json::list(values))
    }

    /// Adds the key only if the list has values.
    pub(in crate::report) fn with_some_list<T: Into<Json>>(
        self,
        key: &'static str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let mut values = values.into_iter().peekable();
        match values.peek() {
            Some(_) => self.with_list(key, values),
            None => self,
        }
    }

    /// Adds `package` and `bench`.
    pub(in crate::report) fn with_bench(self, bench: &BenchId) -> Self {
        self.with("package", &bench.package)
            .with("bench", &bench.target)
    }

    /// Adds `metric` and `statistic`.
    pub(in crate::report) fn with_figure(self, metric: &str, statistic: Statistic) -> Self {
        self.with("metric", metric)
            .with("statistic", statistic.name())
    }

    /// Adds `line` and `column`.
    pub(in crate::report) fn with_place(self, Place { line, column }: Place) -> Self {
        self.with("line", line).with("column", column)
    }

    /// Writes the object as a whole report.
    pub(in crate::report) fn write(self, out: &mut dyn Write) -> io::Result<()> {
        Json::Object(self).write(out)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

macro_rules! into_json {
    ($($Type:ty: $value:ident => $json:expr,)+) => {
        $(impl From<$Type> for Json {
            fn from($value: $Type) -> Self {
                $json
            }
        })+
    };
}

into_json! {
    bool: value => Self::Bool(value),
    u32: value => Self::Integer(value.into()),
    u64: value => Self::Integer(value.into()),
    usize: value => Self::Integer(value as i128),
    i128: value => Self::Integer(value),
    f64: value => Self::Float(value),
    &str: value => Self::Text(value.to_owned()),
    &String: value => Self::Text(value.clone()),
    String: value => Self::Text(value),
    Object: value => Self::Object(value),
    // A rational number, exact and as text.
    Ratio: value => Self::Object(
        Object::default()
            .with("numerator", value.numerator())
            .with("denominator", value.denominator())
            .with("text", value.as_whole().map_or_else(|| mean(value, 2), integer)),
    ),
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
