//! [`Stacks`]: call stacks of measurements, from which the lines are made.

use std::panic::Location;
use std::sync::Arc;

use counting_alloc::{Scope, SiteCounts, Tally};

/// Call stacks, and what each of them did.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    /// The line that measured.
    pub(super) place: &'static Location<'static>,
    /// Return addresses, innermost first.
    pub(super) stacks: Vec<Arc<[usize]>>,
    pub(super) counts: SiteCounts,
    pub(super) scope: Scope,
    /// The operations of the windows.
    pub(super) tally: Tally,
}
