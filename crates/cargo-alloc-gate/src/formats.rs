//! The names of report formats as values on the command line. The engine has the formats.

use alloc_gate::report::Format;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads the name of a format that is printed.
pub(crate) fn parser() -> impl TypedValueParser<Value = Format> {
    let names = printed().map(|format| {
        let name = PossibleValue::new(format.name());
        name.help(format.help())
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse().map_err(|()| "unknown format"))
}

/// The help of an option that takes a format.
pub(crate) fn help() -> String {
    format!("What to print to stdout: {}", names(printed()))
}

/// The names of formats.
pub(crate) fn names(formats: impl IntoIterator<Item = Format>) -> String {
    let names = formats.into_iter().map(Format::name);
    names.collect::<Vec<_>>().join(", ")
}

/// The formats of all commands. In a JUnit file nothing keeps a CI system from taking a text for
/// a command, so it is not printed.
fn printed() -> impl Iterator<Item = Format> {
    let all = Format::ALL.into_iter();
    all.filter(|format| !format.needs_verdicts())
}
