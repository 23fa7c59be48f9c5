//! Accepting: how measured figures become the new baseline, or the new limits.

pub mod limits;
pub mod ratchet;
