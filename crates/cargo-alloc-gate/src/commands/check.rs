//! `check`: measures or reads results, judges them, and writes the reports.

use std::path::{Path, PathBuf};

use alloc_gate::report::{Evaluations, View, verdict_of_all};
use alloc_gate::{
    Baseline, DocumentState, Evaluation, Inputs, Outcome, ScenarioId, evaluate, in_baseline,
};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{
    BuildArguments, OutputArguments, ScenarioArguments, StaleArguments, TableArguments,
};
use crate::bench::cargo;
use crate::bench::recorded::{Recorded, find_results};
use crate::bench::run::RunResults;
use crate::bench::selection::{SelectedBenches, left_out, selected};
use crate::exit_code::Code;
use crate::explain::{BaseArguments, LineArguments, LinesBefore};
use crate::failure::Failure;
use crate::git::Git;
use crate::output::shell::Shell;
use crate::output::{github, reports};
use crate::project::{Project, Rules};

/// Build, run, judge and print (this is what happens without a command)
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    /// Read recorded results, and run no bench
    #[arg(
        long,
        value_name = "PATH",
        num_args = 1..,
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
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
    fn report_files(&self) -> Vec<&Path> {
        self.output.files()
    }

    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell)?;
        let recorded = find_results(&self.results)?.into_iter();
        let recorded: Vec<PathBuf> = recorded.map(|file| file.path).collect();
        let target = self.build.target(&project.workspace);
        reports::prepare(&self.output, true, &project.rules, &recorded, target)?;
        let rules = &project.rules;
        let baseline = rules.baseline()?;
        let document = rules.document_state(baseline.as_ref())?;
        let asked = self.base.find(&project)?;
        let measured = self
            .measure(&project, shell)
            .map_err(|failure| failure.consequence("no gates were checked"))?;
        let judging = Judging {
            rules,
            baseline: baseline.as_ref(),
            document,
            left_out: match self.build.selects_all() {
                true => left_out(&rules.config, &self.build)?.len(),
                // Nobody misses benches who selects some.
                false => 0,
            },
        };
        let evaluations = measured.iter().map(|results| {
            let evaluation = judging.judge(results)?;
            let before = LinesBefore {
                asked: asked.as_ref(),
                project: &project,
                measurements: &results.measurements,
                baseline: judging.baseline,
            };
            let run = || project.bench_run(&self.build);
            let explained = (self.lines).explain(&evaluation, results, &before, run, shell)?;
            Ok(evaluation.with_sites(explained))
        });
        let evaluations = evaluations.collect::<Result<Vec<_>, Failure>>()?;
        self.report(call, &project, measured, &evaluations)
    }
}

impl CheckArguments {
    /// Runs the benches, or reads the results of one or several environments. There is at least
    /// one.
    fn measure(&self, project: &Project<'_>, shell: &Shell) -> Result<Vec<RunResults>, Failure> {
        let wanted = &self.selection.scenarios;
        if self.results.is_empty() {
            let run = project.bench_run(&self.build)?;
            return Ok(vec![run.measure(wanted, shell)?]);
        }
        let config = &project.rules.config;
        let benches = SelectedBenches::new(&project.workspace, config, &self.build)?;
        let recorded = Recorded {
            paths: &self.results,
            allow_stale: self.stale.allow_stale,
            workspace: &project.workspace,
            rules: &project.rules,
            shell,
        };
        let mut runs = recorded.read_all_of(&benches)?;
        if wanted.is_empty() {
            return Ok(runs);
        }
        let all = runs.iter().flat_map(|run| run.measurements.ids());
        let all: Vec<ScenarioId> = all.map(ScenarioId::from).collect();
        let kept = selected(wanted, &all)?;
        // Runs without a selected scenario are left out.
        runs.retain_mut(|run| {
            let ids = run.measurements.ids().map(ScenarioId::from);
            let (here, others): (Vec<_>, Vec<_>) = ids.partition(|id| kept.contains(id));
            run.measurements = run.measurements.restricted_to(|id| kept.contains(id));
            run.leave_out(others);
            !here.is_empty()
        });
        Ok(runs)
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
        let failures = reports::write_with_summary(report, &self.output, shell);
        github::annotate(evaluations, root, shell);
        let file = reports::keep(report, self.build.target(&project.workspace), shell);
        let mut failed = measured.iter_mut();
        if let Some(failed) = failed.find_map(|results| results.failed.take()) {
            // The verdicts on the other scenarios are shown, but there is none on the run.
            failures.iter().for_each(|failure| shell.error(failure));
            return Err(failed
                .reported()
                .consequence("the other scenarios were checked"));
        }
        Ok(conclude(
            evaluations,
            &failures,
            file.as_deref(),
            rules,
            shell,
        ))
    }
}

/// What the results of each environment are judged by.
struct Judging<'j> {
    rules: &'j Rules,
    baseline: Option<&'j Baseline>,
    document: Option<DocumentState>,
    /// How many benches the rules leave out here.
    left_out: usize,
}

impl Judging<'_> {
    fn judge(&self, results: &RunResults) -> Result<Evaluation, Failure> {
        let config = &self.rules.config;
        let measurements = &results.measurements;
        let cfgs = cargo::needed_cfgs(config, measurements)?;
        let inputs = Inputs {
            baseline: self.baseline,
            document: self.document,
            unchecked: &results.unchecked,
            selection: results.selection,
            ..Inputs::new(config, measurements, &cfgs)
        };
        Ok(Evaluation {
            accepted: in_baseline(&inputs),
            benches_left_out: self.left_out,
            ..evaluate(&inputs)
        })
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
    let line = reports::with_file(verdict_of_all(evaluations), report);
    reports::conclude(code, line, failures, shell)
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
