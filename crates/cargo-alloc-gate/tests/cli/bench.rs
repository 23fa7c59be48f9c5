//! What cargo builds, and what a bench does.

pub(crate) mod beginnings;
pub(crate) mod benches;
mod builds;
#[cfg(target_os = "linux")]
mod criterion_benches;
pub(crate) mod explained;
#[cfg(target_os = "linux")]
mod github_action;
#[cfg(target_os = "linux")]
mod interrupted;
mod line_tables;
mod meanwhile;
mod neighbours;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod other_target;
mod parts;
mod recordings;
mod red_without_verdict;
mod selections;
mod shared_builds;
mod suggestions;
mod time_limits;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod unexplained;
