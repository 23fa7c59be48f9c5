//! The names of report formats as values on the command line. The engine has the formats.

use alloc_gate::report::Format;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads the name of a format.
pub(crate) fn parser() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|format| {
        let name = PossibleValue::new(format.name());
        name.help(format.help())
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse().map_err(|()| "unknown format"))
}

/// The help of an option that takes a format.
pub(crate) fn help() -> String {
    format!("What to print to stdout: {}", names())
}

/// The names of all formats.
pub(crate) fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
}
