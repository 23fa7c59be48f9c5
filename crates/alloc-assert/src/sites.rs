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
mod second_run;
#[cfg(feature = "sites")]
mod stacks;
#[cfg(feature = "sites")]
mod table;

use std::panic::Location;

use alloc_requirement::{Metric, Reading};
use counting_alloc::{Scope, Tally};

pub(crate) use captured::{Capture, Captured, restart_window_numbers};

/// What failed.
#[cfg_attr(
    not(feature = "sites"),
    expect(dead_code, reason = "the stand-in shows no lines")
)]
pub(crate) struct Failed<'f> {
    /// The metrics to show.
    pub(crate) metrics: &'f [Metric],
    pub(crate) reading: &'f Reading,
    pub(crate) tally: Tally,
    pub(crate) scope: Scope,
    /// The line of the assertion.
    pub(crate) place: &'static Location<'static>,
}
