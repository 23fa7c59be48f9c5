//! [`Inputs`]: everything that a verdict depends on.

use std::collections::BTreeSet;

use alloc_results::{BenchId, Distribution, Metric, Scope};

use crate::baseline::Baseline;
use crate::figure::Date;
use crate::results::{Measurements, Selection};
use crate::rules::{CfgSets, Config};

/// What a verdict is reached from.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// The rules.
    pub config: &'i Config,
    /// What was measured.
    pub measurements: &'i Measurements,
    /// What was accepted; `None` when there is no data file, and then whatever
    /// is compared with it is missing.
    pub baseline: Option<&'i Baseline>,
    /// The states of the baseline's pages, in the order of the rules; empty where nobody
    /// looked.
    pub documents: &'i [DocumentState],
    /// How much of the workspace was asked for.
    pub selection: Selection,
    /// What the compiler says of the targets of the run; see
    /// [`CfgSets::needed`]. A `when` that asks for another is a denied finding.
    pub cfgs: &'i CfgSets,
    /// The day on which is judged: waivers end.
    pub today: Date,
}

/// The state of the baseline's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentState {
    /// It shows the data.
    Current,
    /// It shows something else.
    Stale,
    /// It is not there.
    Absent,
}
