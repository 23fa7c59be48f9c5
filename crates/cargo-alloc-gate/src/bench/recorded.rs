//! Measurements from recorded result files. A broken file is an error, never a smaller
//! measurement.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use alloc_gate::baseline::Coverage;
use alloc_gate::rules::Pattern;
use alloc_gate::{
    Environment, Measurements, ScenarioId, Selection, UncheckedBench, counted, grouped, one_line,
};
use alloc_results::{BenchId, EnvironmentRecord, Stream, read_streams};

use crate::arguments::ResultsArguments;
use crate::bench::build::DEFAULT_PROFILE;
use crate::bench::excerpt::quoted;
use crate::bench::run::{RunResults, ambiguous, join, no_scenario};
use crate::bench::selection::{SelectedBenches, selected};
use crate::failure::Failure;
use crate::files;
use crate::git::{Checkout, Git, short};
use crate::output::shell::Shell;
use crate::project::Project;

/// The help for results that may not match the sources.
const AGAIN: &str = "measure again with `cargo alloc-gate run`";

impl ResultsArguments {
    /// Reads the results of these benches, which may have none of others, and of them the
    /// scenarios that a pattern of `wanted` matches; without patterns, all. Returns the results of each
    /// environment, with the benches without results. There is at least one.
    pub(crate) fn read(
        &self,
        benches: &SelectedBenches,
        wanted: &[Pattern],
        project: &Project<'_>,
    ) -> Result<Vec<RunResults>, Failure> {
        let is_whole = benches.selection == Selection::Whole;
        let results = self.streams(|bench| is_whole || benches.names.contains(bench), project)?;
        warn_of_quick(&results, project.shell);
        let mut runs = runs(results);
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        let measured = runs.into_iter().map(|streams| {
            let recorded = streams.iter().map(|stream| &stream.environment.bench);
            let recorded: BTreeSet<BenchId> = recorded.cloned().collect();
            refuse_others(&recorded, &benches.names)?;
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
        let mut runs = measured.collect::<Result<Vec<_>, Failure>>()?;
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

    /// Reads results of one or several machines, to accept them, which may have none of other
    /// benches. Returns the results of each environment.
    pub(crate) fn read_for_baseline(
        &self,
        known: &[BenchId],
        project: &Project<'_>,
    ) -> Result<Vec<(Measurements, Coverage)>, Failure> {
        let streams = self.streams(|_| true, project)?;
        if let Some(quick) = streams.iter().find(|stream| stream.environment.quick) {
            let bench = one_line(&quick.environment.bench.to_string());
            return Err(Failure::bench_failed(format!(
                "the results of {bench} are from a quick run"
            ))
            .help("measure again without --quick; a baseline needs all iterations"));
        }
        let groups = Measurements::by_environment(streams).map_err(ambiguous)?;
        let groups = groups.into_iter().map(|(measurements, benches)| {
            refuse_others(&benches, known)?;
            let coverage = match known.iter().all(|name| benches.contains(name)) {
                true => Coverage::AllBenches,
                false => Coverage::SomeBenches,
            };
            Ok((whole(measurements)?, coverage))
        });
        groups.collect()
    }

    /// Reads the results of the benches that are `wanted`, and joins those whose scenarios were
    /// measured by several runs.
    fn streams(
        &self,
        wanted: impl Fn(&BenchId) -> bool,
        project: &Project<'_>,
    ) -> Result<Vec<Stream>, Failure> {
        let mut all = Vec::new();
        for file in find_results(&self.paths)? {
            let read = read_file(&file)?.into_iter();
            all.extend(read.filter(|stream| wanted(&stream.environment.bench)));
        }
        let all = join_parts(all)?;
        let here = Checkout::of(project.workspace.root(), project.shell);
        for stream in &all {
            self.check_origin(&stream.environment, here.as_ref(), project)?;
        }
        if let Some(here) = here.filter(Checkout::is_dirty) {
            warn_of_edits(&all, &here, project)?;
        }
        Ok(all)
    }

    /// Refuses results of another commit, and warns where they may not match this
    /// one.
    fn check_origin(
        &self,
        record: &EnvironmentRecord,
        here: Option<&Checkout>,
        project: &Project<'_>,
    ) -> Result<(), Failure> {
        let results = format!("the results of {}", one_line(&record.bench.to_string()));
        let there = record.commit.as_deref().map(one_line);
        let mut warnings: Vec<(String, &str)> = Vec::new();
        match (&there, here.map(|here| &*here.commit)) {
            (Some(there), Some(here)) if *there != here && !self.allow_stale => {
                let (there, here) = (short(there), short(here));
                let what = format!("{results} are from commit {there}, but HEAD is {here}");
                let help = format!("{AGAIN}, or pass --allow-stale");
                return Err(Failure::bench_failed(what).help(help));
            }
            (None, Some(_)) => {
                warnings.push((String::from("don't say from which commit they are"), AGAIN));
            }
            (Some(there), None) => warnings.push((
                format!(
                    "are from commit {}, but git finds no commit here",
                    short(there)
                ),
                "check them in a git checkout of that commit",
            )),
            // Without a repository, no result has a commit.
            (Some(_), Some(_)) | (None, None) => {}
        }
        if record.dirty == Some(true) {
            warnings.push((
                String::from("were measured with uncommitted changes"),
                "commit the changes, and measure again",
            ));
        }
        let rule = project.rules.config.bench(&record.bench);
        let wanted = rule.and_then(|rule| rule.profile.as_deref());
        let wanted = wanted.unwrap_or(DEFAULT_PROFILE);
        if record.profile != wanted {
            let profile = one_line(&record.profile);
            warnings.push((
                format!("were measured with the profile `{profile}`, not `{wanted}`"),
                "measure again without --profile or RUSTFLAGS; profiles can differ in their counts",
            ));
        }
        for (what, help) in warnings {
            project.shell.warning(&format!("{results} {what}"), help);
        }
        Ok(())
    }
}

/// Warns if sources were edited since the results of a clean commit were measured. The
/// rules and the baseline may differ: they judge the results.
fn warn_of_edits(
    streams: &[Stream],
    here: &Checkout,
    project: &Project<'_>,
) -> Result<(), Failure> {
    let mut records = streams.iter().map(|stream| &stream.environment);
    let is_clean = |record: &EnvironmentRecord| {
        record.dirty == Some(false) && record.commit.as_ref() == Some(&here.commit)
    };
    if !records.any(is_clean) {
        return Ok(());
    }
    let root = project.workspace.root();
    let mut edited = Git::open(root)?.uncommitted()?;
    let judging = project.rules.files();
    edited.retain(|file| file.is_tracked && !judging.contains(&files::real(&file.path)));
    if let Some(first) = edited.first() {
        let others = match edited.len() - 1 {
            0 => String::from("was"),
            others => format!("and {} were", counted(others, "other file")),
        };
        let what = format!(
            "the results were measured without uncommitted changes, but {} {others} edited \
                 since",
            files::shown(&first.path)
        );
        project.shell.warning(&what, AGAIN);
    }
    Ok(())
}

/// Warns of results of quick runs: few iterations can miss what happens rarely.
fn warn_of_quick(streams: &[Stream], shell: &Shell) {
    let mut records = streams.iter().map(|stream| &stream.environment);
    if let Some(quick) = records.find(|record| record.quick) {
        let bench = one_line(&quick.bench.to_string());
        shell.warning(
            &format!("the results of {bench} are from a quick run with fewer iterations"),
            "measure again without --quick",
        );
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
            "measure it too, and pass all results; results of one bench must have the same \
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
fn refuse_others(recorded: &BTreeSet<BenchId>, known: &[BenchId]) -> Result<(), Failure> {
    let Some(bench) = recorded.iter().find(|bench| !known.contains(bench)) else {
        return Ok(());
    };
    let what = format!("the results include a bench that gates.toml does not name: {bench}");
    Err(Failure::bench_failed(what).help("add a `[[bench]]` to gates.toml, or leave out its file"))
}

/// The streams that are judged together: all of one target. If a bench was built in
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

const RECORD: &str = "`cargo alloc-gate run` records results, and prints the paths";

/// The files that are named, and the `*.jsonl` files of each folder that is named and of
/// the folders in it, as CI systems unpack artifacts.
pub(crate) fn find_results(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
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
        found.extend(files);
    }
    Ok(found)
}

fn read_file(path: &Path) -> Result<Vec<Stream>, Failure> {
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
    files.retain(|path| path.extension() == Some("jsonl".as_ref()) && !path.is_dir());
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
