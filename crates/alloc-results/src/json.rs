//! Records as JSON text and back, without serde: every bench compiles this crate.
//!
//! `object!` and `names!` implement [`ToJson`] and [`FromJson`] for a record and for an
//! enum. They only list members: one function writes all records, and another one reads
//! them. The errors have the words and the columns of serde_json.

#[cfg(feature = "read")]
pub(crate) mod input;
mod output;
#[cfg(feature = "read")]
mod read;

pub(crate) use output::members;
#[cfg(feature = "read")]
pub(crate) use read::{FromJson, parse};

/// A value that can be written.
pub(crate) trait ToJson {
    /// Appends the value.
    fn write(&self, out: &mut String);

    /// Whether it is written as no member, where its member may be omitted.
    fn is_blank(&self) -> bool {
        false
    }
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

        #[cfg(feature = "read")]
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

        #[cfg(feature = "read")]
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

#[cfg(all(test, feature = "read"))]
mod tests;
