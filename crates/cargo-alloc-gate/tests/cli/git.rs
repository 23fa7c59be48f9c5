//! What asks git.

mod compared;
mod edited_lines;
pub(crate) mod explained_bases;
mod lock_files;
