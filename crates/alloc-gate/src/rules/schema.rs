//! The JSON schema of gates.toml, for editors: what they complete, explain and underline
//! while a person writes. It refuses no rules that [`Config::parse`](crate::Config::parse)
//! takes, and knows nothing of mistakes that only the whole of a file shows, such as two
//! gates of one name.
//!
//! The schema is written by hand, in `gates.schema.json`. Tests hold its keys to those of
//! the reader, and what it accepts to what the reader accepts.

/// The schema, as JSON.
#[must_use]
pub const fn text() -> &'static str {
    include_str!("../../gates.schema.json")
}

#[cfg(test)]
mod tests;
