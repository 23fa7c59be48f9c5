//! [`Inputs`]: everything that a verdict depends on.

use std::borrow::Cow;

use alloc_results::BenchId;

use crate::baseline::Baseline;
use crate::results::{Measurements, Selection};
use crate::rules::{CfgSets, Config};

/// Everything that a verdict depends on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// The rules.
    pub config: &'i Config,
    /// The results of the run.
    pub measurements: &'i Measurements,
    /// The accepted figures. `None` without a data file: comparisons with the
    /// baseline are then missing.
    pub baseline: Option<&'i Baseline>,
    /// The state of the baseline's page; `None` if the caller did not check it.
    pub document: Option<DocumentState>,
    /// The benches that were not measured. Empty if the caller did not look for them.
    pub unchecked: &'i [UncheckedBench],
    /// How much of the workspace the run selected.
    pub selection: Selection,
    /// The compiler's cfgs for the targets of the run; see [`CfgSets::needed`]. A
    /// `when` that needs the cfgs of another target is a denied finding.
    pub cfgs: &'i CfgSets,
}

impl<'i> Inputs<'i> {
    /// A run of the whole workspace, without a baseline.
    #[must_use]
    pub const fn new(
        config: &'i Config,
        measurements: &'i Measurements,
        cfgs: &'i CfgSets,
    ) -> Self {
        Self {
            config,
            measurements,
            baseline: None,
            document: None,
            unchecked: &[],
            selection: Selection::Whole,
            cfgs,
        }
    }

    /// The baseline with scenarios in the benches that have them now. Of a part of the
    /// workspace it is not known which scenarios the other benches have.
    pub(crate) fn moved_baseline(&self) -> Option<Cow<'i, Baseline>> {
        let baseline = self.baseline?;
        Some(if self.is_whole() {
            baseline.moved_to(self.measurements)
        } else {
            Cow::Borrowed(baseline)
        })
    }

    /// Whether no scenario of the workspace was left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.selection == Selection::Whole && !self.measurements.is_filtered()
    }
}

/// A bench that was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncheckedBench {
    /// It is over alloc-scenario, and neither the rules nor the metadata of its package
    /// name it.
    Unlisted(BenchId),
    /// The rules name it, and the recorded results have none of it.
    Unrecorded(BenchId),
}

/// The state of a page of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentState {
    /// The page shows the data file's figures.
    Current,
    /// The page is out of date.
    Stale,
    /// The page does not exist.
    Absent,
}
