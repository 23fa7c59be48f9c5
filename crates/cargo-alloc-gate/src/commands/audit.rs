//! `audit`: measures or reads results, breaks each gate in a copy of them, and reports
//! the gates that did not fail.

use std::path::Path;

use alloc_gate::Inputs;
use alloc_gate::audit::AuditOutcome;
use alloc_gate::report::Subject;
use alloc_gate::report::audit::{AuditReport, verdict_line};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::OutputArguments;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::measure::MeasureArguments;
use crate::project::Project;
use crate::selection::warn_of_unchecked;
use crate::{inputs, outputs};

/// Check that every gate can fail, by testing it against altered results; -v lists them
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    measure: MeasureArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl Runnable for AuditArguments {
    fn report_files(&self) -> Vec<&Path> {
        self.output.files()
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell)?;
        let recorded = self.measure.recorded_files()?;
        outputs::prepare(&self.output, Subject::Anything, &project.rules, &recorded)?;
        let config = &project.rules.config;
        let baseline = project.rules.baseline()?;
        let results = self.measure.measure(&project, shell)?.whole(shell)?;
        warn_of_unchecked(&results.unchecked, config, shell);
        let measurements = &results.measurements;
        let cfgs = inputs::cfgs(config, measurements)?;
        let today = inputs::today(&project.rules, shell)?;
        // Pages that are out of date and benches that did not run make no gate fail.
        let mut audit = alloc_gate::audit(&Inputs {
            baseline: baseline.as_ref(),
            selection: results.selection,
            ..Inputs::new(config, measurements, &cfgs, today)
        });
        audit.overrides = project.overrides(call.variables);
        let report = AuditReport {
            audit: &audit,
            lists_all: call.workspace.verbose,
        };
        let failures = outputs::write_with_summary(report, &self.output, shell);
        let code = match audit.outcome() {
            AuditOutcome::CannotFail => Code::GateFailed,
            AuditOutcome::NothingAudited => Code::NothingSelected,
            AuditOutcome::Proved => Code::Held,
        };
        let line = verdict_line(&audit);
        Ok(outputs::conclude(code, line, &failures, shell))
    }
}
