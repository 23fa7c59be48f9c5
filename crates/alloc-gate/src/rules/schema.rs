//! The JSON schema of gates.toml, with which editors complete, explain and check the file.
//!
//! The schema accepts every file that [`Config::parse`](crate::Config::parse) accepts. It also
//! accepts mistakes that span the file, such as two gates with one name.
//!
//! `gates.schema.json` is written by hand, but for the places that repeat the metrics of a gate,
//! which `tests/cases/schema.rs` writes. Tests compare it with the reader.

/// The schema, as JSON.
#[must_use]
pub const fn text() -> &'static str {
    include_str!("../../gates.schema.json")
}

#[cfg(test)]
mod tests;
