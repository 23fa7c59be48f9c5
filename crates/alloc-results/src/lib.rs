//! Placeholder, written in the next commits.
