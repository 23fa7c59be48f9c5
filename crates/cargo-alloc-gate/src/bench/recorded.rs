//! Measurements from recorded result files. A broken file is an error, never a smaller
//! measurement.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use alloc_gate::{
    Environment, Measurements, Selection, UncheckedBench, counted, grouped, one_line,
};
use alloc_results::{BenchId, EnvironmentRecord, Stream, read_streams};

use crate::bench::build::DEFAULT_PROFILE;
use crate::bench::cargo::Workspace;
use crate::bench::problem::quoted;
use crate::bench::run::{RunResults, ambiguous, join, no_scenario};
use crate::bench::selection::SelectedBenches;
use crate::failure::Failure;
use crate::files;
use crate::git::{Checkout, Git, Uncommitted, short};
use crate::output::shell::Shell;
use crate::project::Rules;

/// The help for results that may not be those of the sources.
const AGAIN: &str = "measure again with `cargo alloc-gate run`";

/// Recorded results, to read.
pub(crate) struct Recorded<'r> {
    pub(crate) paths: &'r [PathBuf],
    /// Whether results of another commit are read as well.
    pub(crate) allow_stale: bool,
    pub(crate) workspace: &'r Workspace,
    pub(crate) rules: &'r Rules,
    pub(crate) shell: &'r Shell,
}

impl Recorded<'_> {
    /// Reads the results of these benches, which may have none of others. Returns those of
    /// each environment, with the benches without results. There is at least one.
    pub(crate) fn read_all_of(
        &self,
        benches: &SelectedBenches,
    ) -> Result<Vec<RunResults>, Failure> {
        let is_whole = benches.selection == Selection::Whole;
        let results = self.streams(|bench| is_whole || benches.names.contains(bench))?;
        self.warn_of_quick(&results);
        let mut runs = runs(results);
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        let measured = runs.into_iter().map(|streams| {
            let recorded = streams.iter().map(|stream| &stream.environment.bench);
            let recorded: BTreeSet<BenchId> = recorded.cloned().collect();
            refuse_others(&recorded, &benches.names, benches.selection)?;
            let absent = benches.names.iter().filter(|name| !recorded.contains(name));
            let unchecked = absent.cloned().map(UncheckedBench::Unrecorded).collect();
            Ok(RunResults {
                measurements: whole(join(streams)?)?,
                built: Vec::new(),
                files: Vec::new(),
                selection: benches.selection,
                left_out: Vec::new(),
                unchecked,
                failed: None,
            })
        });
        measured.collect()
    }

    /// Reads the results of all benches and environments.
    pub(crate) fn read_all(&self) -> Result<Vec<Stream>, Failure> {
        let streams = self.streams(|_| true)?;
        Measurements::by_environment(streams.clone()).map_err(ambiguous)?;
        Ok(streams)
    }

    /// Reads results of one or several machines, to accept them. Returns those of each
    /// environment, with its benches.
    pub(crate) fn read_for_baseline(
        &self,
    ) -> Result<Vec<(Measurements, BTreeSet<BenchId>)>, Failure> {
        let streams = self.streams(|_| true)?;
        if let Some(quick) = streams.iter().find(|stream| stream.environment.quick) {
            let bench = one_line(&quick.environment.bench.to_string());
            return Err(Failure::bench_failed(format!(
                "the results of {bench} are from a quick run"
            ))
            .help("measure again without --quick; a baseline needs all iterations"));
        }
        let groups = Measurements::by_environment(streams).map_err(ambiguous)?;
        groups
            .into_iter()
            .map(|(measurements, benches)| Ok((whole(measurements)?, benches)))
            .collect()
    }

    /// Reads the results, and joins those of benches whose scenarios were measured by several runs.
    /// In folders, only the benches that
    /// are `wanted` are read.
    fn streams(&self, wanted: impl Fn(&BenchId) -> bool) -> Result<Vec<Stream>, Failure> {
        let mut all = Vec::new();
        for file in find_results(self.paths)? {
            let read = read(&file.path)?;
            let is_wanted = |stream: &Stream| !file.in_folder || wanted(&stream.environment.bench);
            all.extend(read.into_iter().filter(is_wanted));
        }
        let all = join_parts(all)?;
        let here = Checkout::of(self.workspace.root(), self.shell);
        for stream in &all {
            self.check_origin(&stream.environment, here.as_ref())?;
        }
        if let Some(here) = here.filter(Checkout::is_dirty) {
            self.warn_of_edits(&all, &here)?;
        }
        Ok(all)
    }

    /// Warns if sources were edited since the results of a clean commit were measured. The
    /// rules and the baseline may differ: they judge the results.
    fn warn_of_edits(&self, streams: &[Stream], here: &Checkout) -> Result<(), Failure> {
        let mut records = streams.iter().map(|stream| &stream.environment);
        let is_clean = |record: &EnvironmentRecord| {
            record.dirty == Some(false) && record.commit.as_ref() == Some(&here.commit)
        };
        if !records.any(is_clean) {
            return Ok(());
        }
        let mut edited = Git::open(self.workspace.root())?.uncommitted()?;
        let judging = self.rules.files();
        edited.retain(|file| file.is_tracked && !judging.contains(&files::real(&file.path)));
        let Some(Uncommitted { path: first, .. }) = edited.first() else {
            return Ok(());
        };
        let others = match edited.len() - 1 {
            0 => String::from("was"),
            others => format!("and {} were", counted(others, "other file")),
        };
        self.shell.warning(
            &format!(
                "the results were measured without uncommitted changes, but {} {others} edited \
                 since",
                files::shown(first)
            ),
            AGAIN,
        );
        Ok(())
    }

    /// Warns of results of quick runs: few iterations can miss what happens rarely.
    fn warn_of_quick(&self, streams: &[Stream]) {
        let mut records = streams.iter().map(|stream| &stream.environment);
        if let Some(quick) = records.find(|record| record.quick) {
            let bench = one_line(&quick.bench.to_string());
            self.shell.warning(
                &format!("the results of {bench} are from a quick run with fewer iterations"),
                "measure again without --quick",
            );
        }
    }

    /// Refuses results of another commit, and warns where they may not be those of this
    /// one.
    fn check_origin(
        &self,
        record: &EnvironmentRecord,
        here: Option<&Checkout>,
    ) -> Result<(), Failure> {
        let bench = one_line(&record.bench.to_string());
        let there = record.commit.as_deref().map(one_line);
        let here = here.map(|here| &*here.commit);
        match (there.as_deref(), here) {
            (Some(there), Some(here)) if there != here && !self.allow_stale => {
                return Err(Failure::bench_failed(format!(
                    "the results of {bench} are from commit {}, but HEAD is {}",
                    short(there),
                    short(here)
                ))
                .help(format!("{AGAIN}, or pass --allow-stale")));
            }
            (None, Some(_)) => self.shell.warning(
                &format!("the results of {bench} don't say from which commit they are"),
                AGAIN,
            ),
            (Some(there), None) => self.shell.warning(
                &format!(
                    "the results of {bench} are from commit {}, but git finds no commit here",
                    short(there)
                ),
                "check them in a git checkout of that commit",
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
        let rule = self.rules.config.bench(&record.bench);
        let wanted = rule.and_then(|rule| rule.profile.as_deref());
        let wanted = wanted.unwrap_or(DEFAULT_PROFILE);
        if record.profile != wanted {
            self.shell.warning(
                &format!(
                    "the results of {bench} were measured with the profile `{}`, not `{wanted}`",
                    one_line(&record.profile)
                ),
                "measure again without --profile or RUSTFLAGS; profiles can differ in their counts",
            );
        }
        Ok(())
    }
}

/// Joins the results of runs with other `--scenarios` of one bench, which was built once. A
/// scenario that no run measured is an error, never a smaller measurement.
fn join_parts(streams: Vec<Stream>) -> Result<Vec<Stream>, Failure> {
    let program = |record: &EnvironmentRecord| {
        let (commit, rustc) = (record.commit.clone(), record.rustc.clone());
        (
            commit,
            rustc,
            record.harness.clone(),
            record.opt_level.clone(),
        )
    };
    let benches = grouped(streams, |parts, stream| {
        let (one, other) = (&parts[0].environment, &stream.environment);
        !one.registered.is_empty()
            && one.registered == other.registered
            && one.bench == other.bench
            && Environment::from(one).is_built_like(&Environment::from(other))
            && program(one) == program(other)
    });
    benches.into_iter().map(joined).collect()
}

/// The parts of one bench as one stream, in the order of the bench.
fn joined(parts: Vec<Stream>) -> Result<Stream, Failure> {
    let mut parts = parts.into_iter();
    let Some(mut whole) = parts.next() else {
        return Err(no_scenario());
    };
    let environment = &mut whole.environment;
    for part in parts {
        let other = part.environment;
        environment.planned.extend(other.planned);
        environment.unavailable.extend(other.unavailable);
        environment.cores = environment.cores.min(other.cores);
        environment.dirty = environment.dirty.max(other.dirty);
        environment.unix_time = environment.unix_time.min(other.unix_time);
        whole.scenarios.extend(part.scenarios);
        whole.failures.extend(part.failures);
    }
    let registered = mem::take(&mut environment.registered);
    if registered.is_empty() {
        return Ok(whole);
    }
    let unavailable = environment.unavailable.iter().map(|one| &one.name);
    let measured: HashSet<&String> = environment.planned.iter().chain(unavailable).collect();
    if let Some(missing) = registered.iter().find(|name| !measured.contains(name)) {
        return Err(Failure::bench_failed(format!(
            "the results are incomplete: no run measured the scenario `{}` of {}",
            one_line(missing),
            one_line(&environment.bench.to_string())
        ))
        .help(
            "measure it as well, and pass all results; those of one bench must be of the same \
             sources and compiler",
        ));
    }
    let positions = registered.iter().enumerate();
    let positions: HashMap<&str, usize> = positions.map(|(at, name)| (&**name, at)).collect();
    // The reader has checked that these are names of registered scenarios.
    let position = |name: &String| positions.get(name.as_str()).copied();
    environment.planned.sort_by_key(position);
    environment
        .unavailable
        .sort_by_key(|one| position(&one.name));
    whole.scenarios.sort_by_key(|one| position(&one.name));
    whole.failures.sort_by_key(|one| position(&one.name));
    Ok(whole)
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
    let what = format!("the results include a bench that {why}: {bench}");
    Err(Failure::bench_failed(what).help(help))
}

/// The streams that are judged together: those of one target. If a bench was built in
/// several ways for a target, those that were built in the same way.
fn runs(streams: Vec<Stream>) -> Vec<Vec<Stream>> {
    let environment = |stream: &Stream| Environment::from(&stream.environment);
    let targets = grouped(streams, |others, stream| {
        others[0].environment.target == stream.environment.target
    });
    let split = |target: Vec<Stream>| -> Vec<Vec<Stream>> {
        let is_built_again = target.iter().enumerate().any(|(number, one)| {
            target[..number].iter().any(|other| {
                one.environment.bench == other.environment.bench
                    && !environment(one).is_built_like(&environment(other))
            })
        });
        if !is_built_again {
            return vec![target];
        }
        grouped(target, |others, stream| {
            environment(&others[0]).is_built_like(&environment(stream))
        })
    };
    targets.into_iter().flat_map(split).collect()
}

/// Refuses measurements that lack a scenario.
fn whole(measurements: Measurements) -> Result<Measurements, Failure> {
    if let Some(failed) = measurements.failures().first() {
        return Err(Failure::bench_failed(format!(
            "the results have a scenario that was not measured: `{}` ({}:{}){}",
            failed.label(),
            failed.record.location.file,
            failed.record.location.line,
            quoted(&failed.record.message)
        ))
        .help("fix it, and measure again"));
    }
    Ok(measurements)
}

/// A file with results.
pub(crate) struct ResultFile {
    pub(crate) path: PathBuf,
    /// Whether a folder was named, and not the file itself.
    in_folder: bool,
}

const RECORD: &str = "`cargo alloc-gate run` records results, and prints the paths";

/// The files that are named, and the `*.jsonl` files of each folder that is named and of
/// the folders in it, as CI systems unpack artifacts.
pub(crate) fn find_results(paths: &[PathBuf]) -> Result<Vec<ResultFile>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(ResultFile {
                path: path.clone(),
                in_folder: false,
            });
            continue;
        }
        let files = in_folder(path).map_err(|error| unreadable(path, &error))?;
        if files.is_empty() {
            return Err(Failure::bench_failed(format!(
                "no results found in {}: neither it nor a folder in it has a `*.jsonl` file",
                path.display()
            ))
            .help("`cargo alloc-gate run --output DIR` writes results to a folder"));
        }
        found.extend(files.into_iter().map(|path| ResultFile {
            path,
            in_folder: true,
        }));
    }
    Ok(found)
}

/// Reads the streams of a file.
fn read(path: &Path) -> Result<Vec<Stream>, Failure> {
    let text = files::read(path).map_err(|error| unreadable(path, &error))?;
    read_streams(&path.display().to_string(), &text).map_err(|error| {
        Failure::bench_failed(error.to_string())
            .help("the file was not used; measure again with `cargo alloc-gate run`")
    })
}

fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(entries(&path)?);
        } else {
            files.push(path);
        }
    }
    files.retain(|path| {
        let is_named = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        is_named && !path.is_dir()
    });
    Ok(files)
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::bench_failed(format!(
        "failed to read results from {}: {error}",
        path.display()
    ))
    .help(RECORD)
}
