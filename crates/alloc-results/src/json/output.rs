//! Writes values as compact JSON.

use std::fmt::Write;

use super::{Presence, ToJson};

/// Writes an object with these members.
pub(crate) fn members(out: &mut String, members: &[(&str, Presence, &dyn ToJson)]) {
    out.push('{');
    for (key, presence, value) in members {
        if *presence != Presence::Omitted || !value.is_blank() {
            member(out, key, *value);
        }
    }
    out.push('}');
}

fn member(out: &mut String, key: &str, value: &dyn ToJson) {
    if !out.ends_with('{') {
        out.push(',');
    }
    key.write(out);
    out.push(':');
    value.write(out);
}

impl ToJson for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn is_blank(&self) -> bool {
        !self
    }
}

/// Writes an integer, as its `Display` does.
macro_rules! integers {
    ($($type:ty),+) => {
        $(impl ToJson for $type {
            fn write(&self, out: &mut String) {
                let _ = write!(out, "{self}");
            }

            fn is_blank(&self) -> bool {
                *self == 0
            }
        })+
    };
}

integers!(u32, u64, usize, i64);

impl ToJson for str {
    fn write(&self, out: &mut String) {
        out.push('"');
        for character in self.chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                '\0'..='\u{1f}' => {
                    let _ = write!(out, "\\u{:04x}", u32::from(character));
                }
                _ => out.push(character),
            }
        }
        out.push('"');
    }
}

impl ToJson for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn is_blank(&self) -> bool {
        self.is_none()
    }
}

impl<T: ToJson> ToJson for Box<T> {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            value.write(out);
        }
        out.push(']');
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

/// An object with these members.
impl<T: ToJson> ToJson for Vec<(String, T)> {
    fn write(&self, out: &mut String) {
        out.push('{');
        for (key, value) in self {
            member(out, key, value);
        }
        out.push('}');
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}
