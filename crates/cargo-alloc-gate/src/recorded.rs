//! Measurements from recorded result files. A broken file is an error, never a smaller
//! measurement.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::{Config, Measurements, Selection, UncheckedBench, one_line};
use alloc_results::{BenchId, EnvironmentRecord, Stream, read_streams};

use crate::bench_output::quoted;
use crate::bench_run::ListedBench;
use crate::cargo::Workspace;
use crate::compile::DEFAULT_PROFILE;
use crate::failure::Failure;
use crate::files;
use crate::git::short;
use crate::measurements::{ambiguous, join};
use crate::selection::SelectedBenches;
use crate::shell::Shell;

/// Recorded results, to read.
pub(crate) struct Recorded<'r> {
    pub(crate) paths: &'r [PathBuf],
    /// Whether results of another commit are read as well.
    pub(crate) allow_stale: bool,
    pub(crate) workspace: &'r Workspace,
    pub(crate) config: &'r Config,
    pub(crate) shell: &'r Shell,
}

impl Recorded<'_> {
    /// Reads the results.
    pub(crate) fn read(&self) -> Result<Measurements, Failure> {
        whole(join(self.streams()?)?)
    }

    /// Reads the results of these benches, which may have none of others. Returns the
    /// benches without results as well.
    pub(crate) fn read_all_of(
        &self,
        benches: &SelectedBenches,
    ) -> Result<(Measurements, Vec<UncheckedBench>), Failure> {
        let streams = self.streams()?;
        let recorded = streams.iter().map(|stream| &stream.environment.bench);
        let recorded: BTreeSet<BenchId> = recorded.cloned().collect();
        refuse_others(&recorded, &benches.names, benches.selection)?;
        let absent = benches.names.iter().filter(|name| !recorded.contains(name));
        let absent = absent.cloned().map(UncheckedBench::Unrecorded).collect();
        Ok((whole(join(streams)?)?, absent))
    }

    /// Lists the scenarios. Those that could not be measured come last.
    pub(crate) fn list(&self) -> Result<Vec<ListedBench>, Failure> {
        let streams = self.streams()?;
        whole(join(streams.clone())?)?;
        let list = |stream: Stream| {
            let EnvironmentRecord {
                bench, unavailable, ..
            } = stream.environment;
            let measured = stream.scenarios.into_iter().map(|scenario| scenario.name);
            let others = unavailable.iter().map(|scenario| scenario.name.clone());
            ListedBench {
                name: bench.to_string(),
                scenarios: measured.chain(others).collect(),
                unavailable,
            }
        };
        Ok(streams.into_iter().map(list).collect())
    }

    /// Reads results of one or several machines. Returns those of each environment, with
    /// its benches.
    pub(crate) fn read_by_environment(
        &self,
    ) -> Result<Vec<(Measurements, BTreeSet<BenchId>)>, Failure> {
        let groups = Measurements::by_environment(self.streams()?).map_err(ambiguous)?;
        groups
            .into_iter()
            .map(|(measurements, benches)| Ok((whole(measurements)?, benches)))
            .collect()
    }

    fn streams(&self) -> Result<Vec<Stream>, Failure> {
        let streams = read_files(self.paths)?;
        for stream in &streams {
            self.check_origin(&stream.environment)?;
        }
        Ok(streams)
    }

    /// Refuses results of another commit, and warns where they may not be those of this
    /// one.
    fn check_origin(&self, record: &EnvironmentRecord) -> Result<(), Failure> {
        const AGAIN: &str = "measure again with `cargo alloc-gate run`";
        let bench = one_line(&record.bench.to_string());
        let there = record.commit.as_deref().map(one_line);
        let here = self.workspace.checkout().map(|checkout| &*checkout.commit);
        match (there.as_deref(), here) {
            (Some(there), Some(here)) if there != here && !self.allow_stale => {
                return Err(Failure::bench_failed(format!(
                    "the results of {bench} are of the commit {}, and HEAD is {}",
                    short(there),
                    short(here)
                ))
                .help(format!("{AGAIN}, or pass --allow-stale")));
            }
            (None, Some(_)) => self.shell.warning(
                &format!("the results of {bench} may be of another commit: commit unknown"),
                AGAIN,
            ),
            (Some(there), None) => self.shell.warning(
                &format!(
                    "the results of {bench} are of the commit {}, and git finds no commit here",
                    short(there)
                ),
                "check them in a git repository with that commit",
            ),
            // Without a repository, no result has a commit.
            (Some(_), Some(_)) | (None, None) => {}
        }
        if record.dirty == Some(true) {
            self.shell.warning(
                &format!("the results of {bench} were measured with uncommitted changes"),
                "commit the changes, and measure again",
            );
        }
        let rule = self.config.bench(&record.bench);
        let wanted = rule.and_then(|rule| rule.profile.as_deref());
        let wanted = wanted.unwrap_or(DEFAULT_PROFILE);
        if record.profile != wanted {
            self.shell.warning(
                &format!(
                    "the results of {bench} were measured with the profile `{}`, not `{wanted}`",
                    one_line(&record.profile)
                ),
                "measure again without --cargo-profile; profiles can differ in their counts",
            );
        }
        Ok(())
    }
}

/// Refuses results of benches that are not `known`: `check` would never measure them
/// again, and miss their scenarios in the baseline.
pub(crate) fn refuse_others(
    recorded: &BTreeSet<BenchId>,
    known: &[BenchId],
    selection: Selection,
) -> Result<(), Failure> {
    let Some(bench) = recorded.iter().find(|bench| !known.contains(bench)) else {
        return Ok(());
    };
    let (why, help) = match selection {
        Selection::Whole => (
            "gates.toml does not name",
            "add a `[[bench]]` to gates.toml, or leave out its file",
        ),
        Selection::Selected | Selection::Scenarios { .. } => (
            "--package and --bench do not select",
            "select it, or leave out its file",
        ),
    };
    let what = format!("the results are of a bench that {why}: {bench}");
    Err(Failure::bench_failed(what).help(help))
}

fn read_files(paths: &[PathBuf]) -> Result<Vec<Stream>, Failure> {
    let mut streams = Vec::new();
    for path in paths {
        let text = files::read(path).map_err(|error| {
            Failure::bench_failed(format!(
                "failed to read results from {}: {error}",
                path.display()
            ))
            .help("`cargo alloc-gate run` records results, and prints the paths")
        })?;
        let read = read_streams(&path.display().to_string(), &text).map_err(|error| {
            Failure::bench_failed(error.to_string())
                .help("the file is not used; `cargo alloc-gate run` records whole results")
        })?;
        streams.extend(read);
    }
    Ok(streams)
}

/// Refuses measurements that lack a scenario.
fn whole(measurements: Measurements) -> Result<Measurements, Failure> {
    if measurements.is_filtered() {
        return Err(Failure::bench_failed(
            "the results are incomplete: a filter left scenarios out",
        )
        .help("measure again without the filter, with `cargo alloc-gate run`"));
    }
    if let Some(failed) = measurements.failures().first() {
        return Err(Failure::bench_failed(format!(
            "the results have a scenario that was not measured: `{}` ({}:{}){}",
            failed.scenario,
            failed.location.file,
            failed.location.line,
            quoted(&failed.message)
        ))
        .help("fix it, and measure again"));
    }
    Ok(measurements)
}
