//! Scenarios that were selected by globs, and what is said of globs that select
//! nothing, or too much. How scenarios are listed and run is not known here.

use alloc_gate::config::Pattern;
use alloc_gate::report::counted;

use crate::compile::Built;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::selection::BenchName;
use crate::shell::Shell;

/// The benches with the scenarios to measure.
pub(crate) struct Selected<'p> {
    /// Without a scenario it is all of them.
    pub(crate) benches: Vec<(Built, Vec<String>)>,
    /// The globs that select nothing.
    pub(crate) idle: Vec<&'p Pattern>,
    pub(crate) left_out: Vec<String>,
}

/// Why an option with these globs selects nothing.
pub(crate) fn nothing_selected(option: &str, globs: &[&Pattern]) -> Failure {
    let globs: Vec<&str> = globs.iter().map(|pattern| pattern.text()).collect();
    Failure::new(
        Code::NothingSelected,
        format!("{option} {} selects no scenario", globs.join(" ")),
    )
    .next(NAMES)
}

/// A slip of the keyboard beside a glob that selects something.
pub(crate) fn tell_idle(globs: &[&Pattern], shell: &Shell) {
    for pattern in globs {
        let text = pattern.text();
        shell.warning(&format!("--scenarios {text} selects no scenario"), NAMES);
    }
}

const NAMES: &str = "`cargo alloc-gate list` names them all; a glob matches a whole name";

/// How many bytes of names a bench is started with at most: less than any system
/// lets a command line have.
const MOST_NAMES: usize = if cfg!(windows) { 24 << 10 } else { 512 << 10 };

/// A bench gets the names on its command line, and measures all of them in one go.
pub(crate) fn refuse_too_many(bench: &BenchName, only: &[String]) -> Result<(), Failure> {
    // On Windows each has quotes and a space.
    let bytes: usize = only.iter().map(|name| name.len() + 3).sum();
    if bytes <= MOST_NAMES {
        return Ok(());
    }
    Err(Failure::new(
        Code::NothingSelected,
        format!(
            "{} of {} are too many to be selected by name: a command line has room for {} KiB \
             of names, and these have {} KiB",
            counted(only.len(), "scenario"),
            bench.shown(),
            MOST_NAMES >> 10,
            bytes.div_ceil(1 << 10),
        ),
    )
    .next("select fewer of them, or all, for which no names are needed"))
}
