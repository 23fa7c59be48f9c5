//! [`BaseArguments`]: the commits that the lines behind failures are compared with.

use alloc_gate::sites::Explained;
use alloc_gate::{Baseline, Measurements, ScenarioId};
use clap::Args;

use crate::bench_run::BenchRun;
use crate::explain::{BaseCommit, LineBase};
use crate::failure::Failure;
use crate::git::Git;
use crate::past_baselines::{Row, last_changes};
use crate::project::Project;
use crate::shell::Shell;

/// The word for the commits that changed the baseline.
const BASELINE: &str = "baseline";

/// What the lines behind failures are compared with.
#[derive(Debug, Args)]
pub(crate) struct BaseArguments {
    /// Compare the lines with those of a commit
    ///
    /// The benches that fail are built there once more. `baseline` is the commit that last
    /// changed the scenario in the baseline's file.
    #[arg(
        long,
        value_name = "REF",
        help_heading = "Reports",
        hide_short_help = true
    )]
    base: Option<String>,
}

/// The commits that lines are compared with.
pub(crate) struct FailureBase {
    git: Git,
    commit: Commits,
}

enum Commits {
    /// One for all, or why there is none.
    One(Result<BaseCommit, String>),
    /// Those that changed the rows of the baseline in this file.
    OfRows(String),
}

impl BaseArguments {
    /// Finds the commit that was asked for, if any.
    pub(crate) fn find(&self, project: &Project<'_>) -> Result<Option<FailureBase>, Failure> {
        let Some(reference) = &self.base else {
            return Ok(None);
        };
        let git = Git::open(project.workspace.root())?;
        let commit = if reference == BASELINE {
            let config = &project.rules.config;
            let Some(files) = &config.baseline else {
                let what = format!("{} has no `[baseline]`", config.file());
                return Err(Failure::usage(what)
                    .help("name a commit, or write `--base heads/baseline` for a branch"));
            };
            Commits::OfRows(files.data.clone())
        } else {
            Commits::One(BaseCommit::find(&git, reference)?)
        };
        Ok(Some(FailureBase { git, commit }))
    }
}

impl FailureBase {
    /// Compares the lines of figures with those at the commits.
    pub(crate) fn compare(
        &self,
        explained: &mut [Explained],
        project: &Project<'_>,
        run: &BenchRun<'_>,
        measurements: &Measurements,
        baseline: Option<&Baseline>,
        shell: &Shell,
    ) -> Result<(), Failure> {
        let bases = match &self.commit {
            Commits::One(base) => vec![base.clone(); explained.len()],
            Commits::OfRows(file) => {
                let rows = explained.iter().map(|one| row(one, measurements));
                let rows: Vec<Row> = rows.collect();
                let now = baseline.cloned().unwrap_or_default();
                let folder = project.rules.folder();
                let changes = last_changes(&self.git, folder, file, &now, &rows).into_iter();
                changes
                    .map(|commit| Ok(BaseCommit::new(BASELINE, commit?)))
                    .collect()
            }
        };
        let lines = LineBase {
            project,
            git: &self.git,
            run,
            shell,
        };
        lines.compare(explained, &bases)
    }
}

/// The row of a figure's scenario.
fn row(one: &Explained, measurements: &Measurements) -> Row {
    let id = ScenarioId {
        bench: one.bench.clone(),
        name: one.scenario.clone(),
    };
    let mut measured = measurements.scenarios().iter();
    let measured = measured.find(|it| it.bench == id.bench && it.record.name == id.name);
    (measured.map(|it| it.environment.clone()), id)
}
