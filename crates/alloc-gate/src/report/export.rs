//! The formats for programs. They read the data and not its documents.

pub(super) mod dhat;
pub(super) mod flame;
pub(super) mod folded;
pub mod github;
pub(super) mod json;
pub(super) mod stacks;
