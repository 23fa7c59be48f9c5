//! `check`: measures or reads results, judges them, and writes the reports.

use std::path::Path;

use alloc_gate::report::{EvaluationFormat, verdict_line};
use alloc_gate::{Evaluation, Inputs, Outcome, TablesUpdate, evaluate, pivot};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{OutputArguments, PageArguments};
use crate::bench_run::RunResults;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::measure::MeasureArguments;
use crate::project::Project;
use crate::rules::Rules;
use crate::shell::Shell;
use crate::{inputs, outputs, past_baselines, tables_page};

/// Build, run, judge and print (this is what happens without a command)
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    measure: MeasureArguments,
    #[command(flatten)]
    output: OutputArguments<EvaluationFormat>,
    #[command(flatten)]
    page: PageArguments,
}

impl Runnable for CheckArguments {
    fn report_files(&self) -> Vec<&Path> {
        let page = self.page.update_tables.as_deref();
        self.output.files().into_iter().chain(page).collect()
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let page = self.page.update_tables.as_deref();
        let project = Project::load(call.workspace, shell)?;
        outputs::refuse_inputs(
            &self.output.files(),
            &project.rules,
            self.measure.recorded_files(),
        )?;
        let rules = &project.rules;
        let baseline = rules.baseline()?;
        let documents = rules.document_states(baseline.as_ref())?;
        if let Some(path) = page {
            tables_page::check(path, &rules.config, shell)?;
        }
        let RunResults {
            measurements,
            selection,
            left_out,
            unchecked,
            failed,
            ..
        } = self.measure.measure(&project, shell)?;
        let cfgs = inputs::cfgs(&rules.config, &measurements)?;
        let evaluation = evaluate(&Inputs {
            config: &rules.config,
            measurements: &measurements,
            baseline: baseline.as_ref(),
            documents: &documents,
            unchecked: &unchecked,
            selection,
            cfgs: &cfgs,
            today: inputs::today(rules, shell)?,
        });
        let histories = past_baselines::read(rules);
        let tables = pivot(&rules.config, &measurements, selection, &histories);
        let evaluation = evaluation.with_tables(tables);

        let mut failures = outputs::write_with_summary(&evaluation, &self.output, shell);
        if let Some(failed) = failed {
            // The verdicts on the other scenarios are shown, but there is none on the run.
            failures.iter().for_each(|failure| shell.error(failure));
            return Err(failed);
        }
        if let Some(path) = page {
            let update = TablesUpdate {
                tables: &evaluation.tables,
                measurements: &measurements,
                selection,
                command: call.typed,
            };
            let written = tables_page::write(path, &rules.config, &update, &left_out, shell);
            failures.extend(written.err());
        }
        Ok(conclude(&evaluation, &failures, rules, shell))
    }
}

/// Ends a run that judged gates; the code is that of the verdict and of the reports.
pub(super) fn conclude(
    evaluation: &Evaluation,
    failures: &[Failure],
    rules: &Rules,
    shell: &Shell,
) -> Code {
    let code = match evaluation.outcome() {
        Outcome::Failed => Code::GateFailed,
        Outcome::NothingJudged => {
            shell.error(&nothing_judged(rules, evaluation));
            Code::NothingSelected
        }
        Outcome::Held => Code::Held,
    };
    outputs::conclude(code, verdict_line(evaluation), failures, shell)
}

fn nothing_judged(rules: &Rules, evaluation: &Evaluation) -> Failure {
    let file = rules.config.file();
    if rules.config.gates.is_empty() {
        Failure::nothing_selected(format!("{file} has no gates")).help(
            "add a `[[gate]]` with `name`, `scenarios` and a limit such as `allocs = \"<= 3\"`",
        )
    } else if evaluation.tally().skipped > evaluation.tally().not_selected {
        Failure::nothing_selected(format!("no gate of {file} applies to what was measured"))
            .help("the report says why each gate is skipped; add a gate that applies here")
    } else {
        Failure::nothing_selected(format!("no gate of {file} applies to what was selected"))
            .help("select other scenarios; `cargo alloc-gate list` shows the gates of each")
    }
}
