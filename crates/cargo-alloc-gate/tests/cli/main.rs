//! The real program in temporary cargo projects: its exit codes, and its whole
//! output. `SNAPSHOTS=overwrite cargo test` writes the outputs anew; read the
//! difference.
//!
//! What changes from one machine to the next stands in brackets: `[ROOT]` is the
//! project's folder, `[TARGET]` the one that all of them build in.

mod acceptances;
mod audits;
mod baseline_files;
mod baselines;
mod beginnings;
mod benches;
mod bisected;
mod builds;
mod compared;
mod histories;
mod outputs;
mod parts;
mod program;
mod project;
mod ratchets;
mod recorded;
mod repository;
mod rules;
mod scopes;
mod selections;
mod suggestions;
mod suites;
mod tables_pages;
mod untrusted;
mod usage;
mod verdicts;
