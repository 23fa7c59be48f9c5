//! The names of report formats as values on the command line. The engine has the formats.

use alloc_gate::report::Format;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads the name of a format.
pub(crate) fn parser<F: Format>() -> impl TypedValueParser<Value = F> {
    let names = F::ALL.iter().map(|format| {
        let name = PossibleValue::new(format.name());
        name.help(format.help())
    });
    PossibleValuesParser::new(names).try_map(|name| find(&name).ok_or("unknown format"))
}

/// The help of an option that takes a format.
pub(crate) fn help<F: Format>() -> String {
    let names: Vec<&str> = F::ALL.iter().map(|format| format.name()).collect();
    format!("What to print to stdout: {}", names.join(", "))
}

/// The format of this name.
pub(crate) fn find<F: Format>(name: &str) -> Option<F> {
    let mut all = F::ALL.iter().copied();
    all.find(|format| format.name() == name)
}
