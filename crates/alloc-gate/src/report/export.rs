//! The formats for programs. They read the data and not its documents.

mod alerts;
pub(super) mod benchmark_action;
pub(super) mod bmf;
mod cases;
pub(super) mod code_quality;
pub(super) mod csv;
pub(super) mod dhat;
pub(super) mod flame;
pub(super) mod folded;
pub mod github;
pub(super) mod json;
pub(super) mod junit;
mod measured;
pub(super) mod runs;
pub(super) mod sarif;
pub(super) mod stacks;
