//! Records as JSON text and back, without serde: every bench compiles this crate.
//!
//! `object!` and `names!` implement [`ToJson`] and [`FromJson`] for a record and for an
//! enum. They only list members: one function writes all records, and another one reads
//! them. The errors have the words and the columns of serde_json.

pub(crate) mod input;
mod output;

use std::collections::BTreeMap;

use input::{Input, JsonError};

pub(crate) use output::members;

/// A value that can be written.
pub(crate) trait ToJson {
    /// Appends the value.
    fn write(&self, out: &mut String);

    /// Whether it is written as no member, where its member may be omitted.
    fn is_blank(&self) -> bool {
        false
    }
}

/// A value that can be read.
pub(crate) trait FromJson {
    /// A value to read into; also that of a member which is absent.
    fn blank() -> Self
    where
        Self: Sized;

    /// Reads a value into a blank one.
    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError>;
}

/// Whether a record has a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Always.
    Required,
    /// It is always written, and may be absent.
    Optional,
    /// It is written unless it is blank.
    Omitted,
}

/// The value in a whole text.
pub(crate) fn parse<T: FromJson>(text: &str) -> Result<T, JsonError> {
    let mut input = Input::new(text);
    let mut value = T::blank();
    value.read_into(&mut input)?;
    input.end()?;
    Ok(value)
}

/// Reads and writes a record as an object with these members, in this order. Members can be
/// fields of fields, if a blank record is given.
macro_rules! object {
    ($type:ident { $($key:literal $presence:ident $field:ident),+ $(,)? }) => {
        $crate::json::object!($type = Self { $($field: $crate::json::FromJson::blank()),+ } => {
            $($key $presence $field),+
        });
    };
    ($type:ident = $blank:expr => {
        $($key:literal $presence:ident $($field:ident).+),+ $(,)?
    }) => {
        impl $crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                use $crate::json::Presence;
                $crate::json::members(
                    out,
                    &[$(($key, Presence::$presence, &self.$($field).+)),+],
                );
            }
        }

        impl $crate::json::FromJson for $type {
            fn blank() -> Self {
                $blank
            }

            fn read_into(
                &mut self,
                input: &mut $crate::json::input::Input<'_>,
            ) -> Result<(), $crate::json::input::JsonError> {
                use $crate::json::Presence;
                input.members(&mut [$(($key, Presence::$presence, &mut self.$($field).+)),+])
            }
        }
    };
}

/// Reads and writes the variants of an enum by these names.
macro_rules! names {
    ($type:ident { $first:ident $first_name:literal $(, $variant:ident $name:literal)+ $(,)? }) => {
        impl $crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                let name = match self {
                    Self::$first => $first_name,
                    $(Self::$variant => $name,)+
                };
                $crate::json::ToJson::write(name, out);
            }
        }

        impl $crate::json::FromJson for $type {
            fn blank() -> Self {
                Self::$first
            }

            fn read_into(
                &mut self,
                input: &mut $crate::json::input::Input<'_>,
            ) -> Result<(), $crate::json::input::JsonError> {
                *self = match &*input.string()? {
                    $first_name => Self::$first,
                    $($name => Self::$variant,)+
                    other => return Err(input.unknown_variant(other, &[$first_name, $($name),+])),
                };
                Ok(())
            }
        }
    };
}

pub(crate) use {names, object};

impl FromJson for bool {
    fn blank() -> Self {
        false
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        *self = input.boolean()?;
        Ok(())
    }
}

/// Reads an integer.
macro_rules! integers {
    ($($type:ident),+) => {
        $(impl FromJson for $type {
            fn blank() -> Self {
                0
            }

            fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
                *self = input.integer(stringify!($type))?;
                Ok(())
            }
        })+
    };
}

integers!(u32, u64, usize, i64);

impl FromJson for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        *self = input.string()?.into_owned();
        Ok(())
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn blank() -> Self {
        None
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        if input.null()? {
            return Ok(());
        }
        self.insert(T::blank()).read_into(input)
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        (**self).read_into(input)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        input.array(&mut |input| {
            let mut item = T::blank();
            item.read_into(input)?;
            self.push(item);
            Ok(())
        })
    }
}

/// Of members with the same key, the last one.
impl<T: FromJson> FromJson for BTreeMap<String, T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        input.object(&mut |key, input| {
            let mut value = T::blank();
            value.read_into(input)?;
            self.insert(key.to_owned(), value);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
