//! What the program prints and writes for people: messages, progress, reports and annotations.

pub(crate) mod github;
pub(crate) mod progress;
pub(crate) mod reports;
pub(crate) mod shell;
