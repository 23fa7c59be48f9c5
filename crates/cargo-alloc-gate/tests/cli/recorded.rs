//! What decides over results that were recorded: no cargo runs.

pub(crate) mod acceptances;
mod baseline_files;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod browser;
mod completions;
mod destinations;
#[cfg(target_os = "linux")]
mod hostile;
mod machines;
mod names;
mod outputs;
mod results;
mod rules;
mod scopes;
mod terminal_reports;
mod usage;
mod verdicts;
