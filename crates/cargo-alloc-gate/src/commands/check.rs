//! `check`: measures or reads results, judges them, and writes the reports.

use std::path::Path;

use alloc_gate::report::runs::verdict_of_all;
use alloc_gate::report::{EvaluationFormat, Evaluations, View};
use alloc_gate::{Evaluation, Inputs, Outcome, evaluate, in_baseline, pivot};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{OutputArguments, PartitionArguments, TableArguments};
use crate::bench_run::RunResults;
use crate::exit_code::Code;
use crate::explain::{BaseArguments, LineArguments};
use crate::failure::Failure;
use crate::git::Git;
use crate::measure::MeasureArguments;
use crate::project::Project;
use crate::rules::Rules;
use crate::shell::Shell;
use crate::{github, inputs, outputs};

/// Build, run, judge and print (this is what happens without a command)
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    measure: MeasureArguments,
    #[command(flatten)]
    part: PartitionArguments,
    #[command(flatten)]
    output: OutputArguments<EvaluationFormat>,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    lines: LineArguments,
    #[command(flatten)]
    base: BaseArguments,
}

impl Runnable for CheckArguments {
    fn report_files(&self) -> Vec<&Path> {
        self.output.files()
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell)?;
        outputs::refuse_inputs(
            &self.output.files(),
            &project.rules,
            &self.measure.recorded_files()?,
        )?;
        let rules = &project.rules;
        let baseline = rules.baseline()?;
        let documents = rules.document_states(baseline.as_ref())?;
        let line_base = self.base.find(&project)?;
        let mut measured = self
            .measure
            .measure_each(&project, self.part.partition, shell)
            .map_err(|failure| failure.consequence("no gates were checked"))?;
        let today = inputs::today(rules, shell)?;
        let left_out = self.measure.benches_left_out(&project)?;
        let judge = |results: &RunResults| -> Result<Evaluation, Failure> {
            let config = &rules.config;
            let measurements = &results.measurements;
            let inputs = Inputs {
                config,
                measurements,
                baseline: baseline.as_ref(),
                documents: &documents,
                unchecked: &results.unchecked,
                selection: results.selection,
                cfgs: &inputs::cfgs(config, measurements)?,
                today,
            };
            let tables = pivot(config, measurements, results.selection);
            let evaluation = evaluate(&inputs).with_accepted(in_baseline(&inputs));
            Ok(evaluation
                .with_tables(tables)
                .with_benches_left_out(left_out)
                .with_overrides(project.overrides(call.variables)))
        };
        let evaluations = measured.iter().map(|results| {
            let evaluation = judge(results)?;
            let run = || self.measure.bench_run(&project);
            let built = (&*results.built, line_base.is_some());
            let mut explained = self.lines.explain(&evaluation, built, run, shell)?;
            if let (Some(base), false) = (&line_base, explained.is_empty()) {
                let of = (&results.measurements, baseline.as_ref());
                base.compare(&mut explained, &project, &run()?, of, shell)?;
            }
            Ok(evaluation.with_sites(explained))
        });
        let evaluations = evaluations.collect::<Result<Vec<_>, Failure>>()?;

        let base = match Outcome::of_all(&evaluations) {
            Outcome::Failed => Git::find(rules.folder())
                .ok()
                .and_then(|git| git.usual_base()),
            Outcome::Held | Outcome::NothingJudged => None,
        };
        let report = Evaluations {
            runs: &evaluations,
            view: View {
                base,
                ..self.table.view(call.workspace)
            },
        };
        let failures = outputs::write_with_summary(report, &self.output, shell);
        github::annotate(&evaluations, project.workspace.root(), shell);
        let file = outputs::keep(report, self.measure.target(&project.workspace), shell);
        if let Some(failed) = measured
            .iter_mut()
            .find_map(|results| results.failed.take())
        {
            // The verdicts on the other scenarios are shown, but there is none on the run.
            failures.iter().for_each(|failure| shell.error(failure));
            return Err(failed
                .reported()
                .consequence("the other scenarios were checked"));
        }
        Ok(conclude(
            &evaluations,
            &failures,
            file.as_deref(),
            rules,
            shell,
        ))
    }
}

/// Ends a run that judged gates, in one or several environments; the code is that of the
/// verdict and of the reports. The last line names the file `report`.
pub(super) fn conclude(
    evaluations: &[Evaluation],
    failures: &[Failure],
    report: Option<&Path>,
    rules: &Rules,
    shell: &Shell,
) -> Code {
    let code = match Outcome::of_all(evaluations) {
        Outcome::Failed => Code::GateFailed,
        Outcome::NothingJudged => {
            let mut evaluations = evaluations.iter();
            let unjudged = evaluations.find(|one| one.outcome() == Outcome::NothingJudged);
            if let Some(evaluation) = unjudged {
                shell.error(&nothing_judged(rules, evaluation));
            }
            Code::NothingSelected
        }
        Outcome::Held => Code::Held,
    };
    let line = outputs::with_file(verdict_of_all(evaluations), report);
    outputs::conclude(code, line, failures, shell)
}

fn nothing_judged(rules: &Rules, evaluation: &Evaluation) -> Failure {
    let file = rules.config.file();
    if rules.config.gates.is_empty() {
        Failure::nothing_selected(format!("{file} has no gates")).help(
            "add a `[[gate]]` with `name`, `scenarios` and a limit such as `allocs = \"<= 3\"`",
        )
    } else if evaluation.tally().skipped > evaluation.tally().not_selected {
        Failure::nothing_selected(format!(
            "no gate in {file} applies to the measured scenarios"
        ))
        .help("the report says why each gate is skipped; add a gate that applies here")
    } else {
        Failure::nothing_selected(format!(
            "no gate in {file} applies to the selected scenarios"
        ))
        .help("select other scenarios; `cargo alloc-gate list` shows the gates of each")
    }
}
