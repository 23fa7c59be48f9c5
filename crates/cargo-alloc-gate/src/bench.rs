//! Benches: which are selected, how cargo builds them, how they run, and what they measured.

pub(crate) mod build;
pub(crate) mod cargo;
pub(crate) mod excerpt;
mod process;
pub(crate) mod recorded;
pub(crate) mod run;
pub(crate) mod selection;
