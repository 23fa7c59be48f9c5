//! Accepting: turns measured figures into a new baseline or new limits.

pub mod limits;
pub mod ratchet;
