//! The lines that allocate, in the message of a failed assertion. Without the feature `sites`,
//! no call stacks are captured, and the message says how to get the lines.

#[cfg_attr(feature = "sites", path = "sites/captured.rs")]
#[cfg_attr(not(feature = "sites"), path = "sites/absent.rs")]
mod captured;
#[cfg(feature = "sites")]
mod excerpt;
#[cfg(feature = "sites")]
mod executable;
#[cfg(feature = "sites")]
mod frames;
#[cfg(feature = "sites")]
mod table;

pub(crate) use captured::{Captured, measure};

/// Why an assertion has no lines where others have some.
const NOT_CAPTURED: &str =
    "only `assert_allocs!` and `Steady` have some, and not inside one another";
