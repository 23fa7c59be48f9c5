//! What decides over results that were recorded: no cargo runs.

pub(crate) mod acceptances;
mod baseline_files;
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
