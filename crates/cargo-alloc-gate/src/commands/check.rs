//! `check`: measures or reads results, judges them, and writes the reports.

use std::path::Path;

use alloc_gate::report::{Evaluations, View, verdict_of_all};
use alloc_gate::{Evaluation, Inputs, Outcome, evaluate};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{
    BuildArguments, OutputArguments, ResultsArguments, ScenarioArguments, TableArguments,
};
use crate::bench::cargo;
use crate::bench::recorded::find_results;
use crate::bench::run::RunResults;
use crate::bench::selection::{SelectedBenches, left_out};
use crate::exit_code::Code;
use crate::explain::{BaseArguments, LineArguments, LinesBefore};
use crate::failure::Failure;
use crate::git::Git;
use crate::output::{github, reports};
use crate::project::{Project, Rules};

/// Run benches and check their gates (the default command)
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    #[command(flatten)]
    results: ResultsArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    lines: LineArguments,
    #[command(flatten)]
    base: BaseArguments,
}

impl Runnable for CheckArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell, Rules::load)?;
        let recorded = find_results(&self.results.paths)?;
        reports::prepare(&self.output, true, &project, &recorded)?;
        let rules = &project.rules;
        let baseline = rules.baseline()?;
        let document = rules.document_state(baseline.as_ref())?;
        let asked = self.base.find(&project)?;
        let measured = self
            .measure(&project)
            .map_err(|failure| failure.consequence("no gates were checked"))?;
        let benches_left_out = match self.build.selects_all() {
            true => left_out(&rules.config, &self.build)?.len(),
            // Nobody misses benches who selects some.
            false => 0,
        };
        let evaluations = measured.iter().map(|results| {
            let (config, measurements) = (&rules.config, &results.measurements);
            let cfgs = cargo::needed_cfgs(config, measurements)?;
            let inputs = Inputs {
                baseline: baseline.as_ref(),
                document,
                unchecked: &results.unchecked,
                selection: results.selection,
                ..Inputs::new(config, measurements, &cfgs)
            };
            let evaluation = Evaluation {
                benches_left_out,
                ..evaluate(&inputs)
            };
            let before = LinesBefore {
                asked: asked.as_ref(),
                project: &project,
                measurements,
                baseline: baseline.as_ref(),
            };
            let run = || project.bench_run(&self.build);
            let explained = (self.lines).explain(&evaluation, results, &before, run)?;
            Ok(evaluation.with_sites(explained))
        });
        let evaluations = evaluations.collect::<Result<Vec<_>, Failure>>()?;
        self.report(call, &project, measured, &evaluations)
    }
}

impl CheckArguments {
    /// Runs the benches, or reads the results of one or several environments. There is at least
    /// one.
    fn measure(&self, project: &Project<'_>) -> Result<Vec<RunResults>, Failure> {
        let wanted = &self.selection.scenarios;
        if self.results.paths.is_empty() {
            let run = project.bench_run(&self.build)?;
            return Ok(vec![run.measure(wanted)?]);
        }
        let config = &project.rules.config;
        let benches = SelectedBenches::new(&project.workspace, config, &self.build)?;
        self.results.read(&benches, wanted, project)
    }

    /// Writes the reports, and ends the run.
    fn report(
        &self,
        call: &Call<'_>,
        project: &Project<'_>,
        mut measured: Vec<RunResults>,
        evaluations: &[Evaluation],
    ) -> Result<Code, Failure> {
        let (shell, rules) = (call.shell, &project.rules);
        let root = project.workspace.root();
        let git = reports::repository(&self.output, root);
        let source = github::line_address();
        let base = usual_base(evaluations, rules);
        let report = Evaluations {
            runs: evaluations,
            repository: git.as_ref().map(Git::repository),
            view: View {
                base: base.as_deref(),
                source: source.as_deref(),
                ..self.table.view(call.workspace)
            },
        };
        mention_missing_gates(project);
        let failures = reports::write_with_summary(report, &self.output, shell);
        github::annotate(evaluations, root, shell);
        let file = reports::keep(report, project.workspace.target_directory(), shell);
        let mut failed = measured.iter_mut();
        if let Some(failed) = failed.find_map(|results| results.failed.take()) {
            // The verdicts on the other scenarios are shown, but there is none on the run.
            failures.iter().for_each(|failure| shell.error(failure));
            return Err(failed
                .reported()
                .consequence("the other scenarios were checked"));
        }
        Ok(conclude(evaluations, &failures, file.as_deref(), project))
    }
}

/// The branch that a reader of a failure can compare with.
fn usual_base(evaluations: &[Evaluation], rules: &Rules) -> Option<String> {
    if Outcome::of_all(evaluations) != Outcome::Failed {
        return None;
    }
    // What git says against it was said when the commit was asked for.
    Git::find(rules.folder()).ok()??.usual_base().ok()?
}

/// Ends a run that judged gates, in one or several environments; the code says the
/// verdict, or that a report is missing. The last line names the file `report`.
pub(super) fn conclude(
    evaluations: &[Evaluation],
    failures: &[Failure],
    report: Option<&Path>,
    project: &Project<'_>,
) -> Code {
    let shell = project.shell;
    let mut code = match Outcome::of_all(evaluations) {
        Outcome::Failed => Code::GateFailed,
        Outcome::NothingJudged => {
            let mut evaluations = evaluations.iter();
            let unjudged = evaluations.find(|one| one.outcome() == Outcome::NothingJudged);
            if let Some(evaluation) = unjudged.filter(|_| !project.rules.config.gates.is_empty()) {
                shell.error(&nothing_judged(&project.rules, evaluation));
            }
            Code::NothingSelected
        }
        Outcome::Held => Code::Held,
    };
    let mut line = reports::with_file(verdict_of_all(evaluations), report);
    for failure in failures {
        github::annotate_failure(failure, shell);
        shell.error(failure);
    }
    if !failures.is_empty() {
        if code == Code::Held {
            code = Code::OutputFailed;
        }
        let what = Code::OutputFailed.meaning();
        line.push_str(&format!("; but {what} (exit code {})", code.number()));
    }
    shell.judgement(&line, code);
    code
}

/// Prints what is missing before the values that nothing limits.
pub(super) fn mention_missing_gates(project: &Project<'_>) {
    let config = &project.rules.config;
    if config.gates.is_empty() {
        let failure = Failure::nothing_selected(format!("{} has no gates", config.file()));
        let help = "`cargo alloc-gate suggest --write` adds gates, with these values as limits";
        project.shell.error(&failure.help(help));
    }
}

fn nothing_judged(rules: &Rules, evaluation: &Evaluation) -> Failure {
    let (file, tally) = (rules.config.file(), evaluation.tally());
    let (which, help) = if tally.skipped > tally.not_selected {
        let help = "the report says why each gate is skipped; add a gate that applies here";
        ("measured", help)
    } else {
        let help = "select other scenarios; `cargo alloc-gate list` shows the gates of each";
        ("selected", help)
    };
    Failure::nothing_selected(format!(
        "no gate in {file} applies to the {which} scenarios"
    ))
    .help(help)
}
