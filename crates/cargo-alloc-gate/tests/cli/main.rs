//! Runs the real program in temporary cargo projects, and compares exit codes and whole
//! outputs. `SNAPSHOTS=overwrite cargo test` writes the outputs anew; review the
//! difference.
//!
//! Text that depends on the machine is in brackets: `[ROOT]` is the project's folder,
//! `[TARGET]` its target folder, `[BUILD]` its build folder.

mod acceptances;
mod baseline_files;
mod baselines;
mod beginnings;
mod benches;
mod browser;
mod builds;
mod call_stacks;
mod compared;
mod completions;
mod continued_beginnings;
#[cfg(target_os = "linux")]
mod criterion_benches;
mod destinations;
mod edited_lines;
mod explained;
mod explained_bases;
mod exports;
mod first_minute;
#[cfg(target_os = "linux")]
mod github_action;
mod help;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod interrupted;
mod line_tables;
mod lock_files;
mod machines;
mod names;
mod neighbours;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod other_target;
mod outputs;
mod pages;
mod parts;
mod program;
mod project;
mod recorded;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod red_to_fixed;
mod red_without_verdict;
mod repository;
mod requirements;
mod rules;
mod scopes;
mod selections;
mod shared_builds;
#[cfg(unix)]
mod stand_in;
mod suggestions;
mod suites;
mod terminal_reports;
mod time_limits;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod unexplained;
mod untrusted;
mod usage;
mod verdicts;
