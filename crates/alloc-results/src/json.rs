//! Writes records as compact JSON, by hand: every bench compiles this crate, and serde_json would
//! be more than half of a bench's first build. The reader, behind the feature `read`, is serde's.

use std::fmt::Write;

/// A value that can be written.
pub(crate) trait ToJson {
    /// Appends the value.
    fn write(&self, out: &mut String);

    /// Whether it is written as no member, where its member may be omitted.
    fn is_blank(&self) -> bool {
        false
    }
}

/// The members of an object: name of the field and value.
pub(crate) type Members<'m> = &'m [(&'m str, &'m dyn ToJson)];

/// Declares a record: an object whose members have the names of the fields, in kebab case. Those
/// behind `omitted` are not written if they are blank, and blank if they are absent.
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $type:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $field_type:ty,)*
        }
        $(omitted {
            $($(#[$blank_meta:meta])* $blank_vis:vis $blank:ident: $blank_type:ty,)*
        })?
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "read", derive(serde::Deserialize))]
        #[cfg_attr(feature = "read", serde(rename_all = "kebab-case", expecting = "an object"))]
        $(#[$meta])*
        $vis struct $type {
            $($(#[$field_meta])* $field_vis $field: $field_type,)*
            $($(
                $(#[$blank_meta])*
                #[cfg_attr(feature = "read", serde(default))]
                $blank_vis $blank: $blank_type,
            )*)?
        }

        impl $crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                $crate::json::object(
                    out,
                    &[$((stringify!($field), &self.$field)),*],
                    &[$($((stringify!($blank), &self.$blank)),*)?],
                );
            }
        }
    };
}

/// Writes the variants of an enum by these names.
macro_rules! names {
    ($type:ident { $($variant:ident $name:literal),+ $(,)? }) => {
        impl $crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                $crate::json::ToJson::write(match self { $(Self::$variant => $name),+ }, out);
            }
        }
    };
}

pub(crate) use {names, record};

/// Writes an object with these members, and the members in `omitted` that are not blank.
pub(crate) fn object(out: &mut String, members: Members<'_>, omitted: Members<'_>) {
    let written = omitted.iter().filter(|(_, value)| !value.is_blank());
    let mut separator = '{';
    for (field, value) in members.iter().chain(written) {
        out.push(separator);
        field.replace('_', "-").write(out);
        out.push(':');
        value.write(out);
        separator = ',';
    }
    out.push('}');
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

#[cfg(all(test, feature = "read"))]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_read_back() {
        let all: String = (0..=0x2ff)
            .chain([0x20ac, 0x1_f600])
            .filter_map(char::from_u32)
            .collect();
        let mut json = String::new();
        all.write(&mut json);
        let read: String = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(read, all);
    }

    #[test]
    fn blank_members_are_omitted_where_they_may_be() {
        record! {
            struct Pair {
                left: u64,
                right_side: Option<String>,
            } omitted {
                more: Vec<i64>,
                is_odd: bool,
            }
        }
        let mut pair = Pair {
            left: u64::MAX,
            right_side: None,
            more: vec![i64::MIN, 0],
            is_odd: true,
        };
        let mut json = String::new();
        pair.write(&mut json);
        (pair.more, pair.is_odd) = (Vec::new(), false);
        pair.write(&mut json);
        assert_eq!(
            json,
            r#"{"left":18446744073709551615,"right-side":null,"more":[-9223372036854775808,0],"is-odd":true}{"left":18446744073709551615,"right-side":null}"#
        );
    }
}
