//! Runs one bench as cargo would run it, with a time limit, and with its output in
//! files. Its measurements come from its result file alone.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use alloc_results::{BenchId, FailureRecord, ProblemKind, Stream, integer, protocol, read_streams};
use cargo_metadata::Package;
use cargo_metadata::camino::Utf8PathBuf;
use serde_json::Value;
use tempfile::TempDir;
use wait_timeout::ChildExt;

use crate::bench::build::Built;
use crate::bench::cargo::program;
use crate::bench::excerpt::quoted;
use crate::children::{Running, Stops, TICK};
use crate::failure::{Failure, Spot};
use crate::files;
use crate::git::Checkout;
use crate::output::progress::Progress;
use crate::output::shell::quoted as words;
use crate::project::BenchRun;

#[derive(Default)]
pub(crate) struct Ended {
    /// Its results, which may lack scenarios that failed; `None` if they can't be used.
    pub(crate) results: Option<BenchResults>,
    /// Why there are no results, or not all.
    pub(crate) failure: Option<Failure>,
    /// What was measured before a bench had to be stopped.
    pub(crate) so_far: Option<Box<Stream>>,
    /// Whether the call stacks of a scenario don't add up to its readings.
    pub(crate) has_wrong_sites: bool,
    /// What it printed, stdout before stderr.
    pub(crate) output: String,
}

pub(crate) struct BenchResults {
    pub(crate) stream: Stream,
    /// The lines as the bench wrote them.
    pub(crate) text: String,
}

/// The most that is kept of a stream of a bench, whose end says most.
const MOST_OUTPUT: u64 = 1 << 20;

/// The variable that names the folders of shared libraries.
const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// A bench that runs with its files in a temporary folder.
pub(crate) struct BenchProcess<'b> {
    run: &'b BenchRun<'b>,
    built: &'b Built,
    /// Whether it records call stacks.
    sites: bool,
    scratch: TempDir,
}

impl<'b> BenchProcess<'b> {
    /// Prepares to run a bench once.
    pub(crate) fn new(
        run: &'b BenchRun<'b>,
        built: &'b Built,
        sites: bool,
    ) -> Result<Self, Failure> {
        let scratch = run.scratch.folder()?;
        Ok(Self {
            run,
            built,
            sites,
            scratch,
        })
    }

    fn limit(&self) -> Duration {
        self.run.config.run.timeout
    }

    /// Measures the scenarios of these names, or all without names.
    pub(crate) fn measure(self, only: &[String], progress: &Progress<'_>) -> Ended {
        let folder = self.path("results");
        let mut written = ResultsSoFar::default();
        let status = self
            .start(only)
            .and_then(|child| self.wait(child, || progress.tick(|| written.step(&folder))));
        let mut ended = match status {
            Ok(status) => self.read_results(status),
            Err(error) => {
                let help = "run a bench that was built for another target on a machine of that \
                            target, or with a `runner` in `[target.TRIPLE]` of .cargo/config.toml, \
                            such as qemu";
                failed(format!("failed to run {}: {error}", self.built.name), help)
            }
        };
        ended.output = self.output();
        ended
    }

    /// The names of the scenarios, as the bench lists them, and what else it printed.
    pub(crate) fn list(self) -> (io::Result<Vec<String>>, String) {
        let list = || {
            let mut command = self.command();
            command.args(["--list", "--format", "terse"]);
            let child = self.spawn(command)?;
            let status = self.wait(child, || {})?;
            let status = status.map_err(|_| io::ErrorKind::TimedOut)?;
            if !status.success() {
                return Err(io::Error::other(status.to_string()));
            }
            let lines = files::read(&self.path("stdout"))?;
            let names = lines.lines();
            let names = names.filter_map(|line| line.strip_suffix(": benchmark"));
            Ok(names.map(str::to_owned).collect())
        };
        (list(), self.output())
    }

    fn start(&self, only: &[String]) -> io::Result<Running> {
        let (run, built) = (self.run, self.built);
        let variant = run.variant(&built.name);
        let mut command = self.command();
        command
            .arg("--bench")
            .env(protocol::PROFILE, &variant.profile)
            .env(protocol::FEATURES, run.recorded_features(variant).join(","))
            .env(protocol::TARGET, &built.name.target)
            .env(protocol::SILENT, "1")
            .env(protocol::OPT_LEVEL, &built.opt_level)
            .env(protocol::COMMIT, commit(built.checkout.as_ref()));
        if !only.is_empty() {
            // A name may begin like an option.
            command.args(["--exact", "--"]).args(only);
        }
        let rules = &run.config.run;
        let milliseconds = |limit: Duration| limit.as_millis().to_string();
        let flag = |is_set: bool| is_set.then(|| String::from("1"));
        for (name, value) in [
            (protocol::WARMUP, rules.warmup.map(|it| it.to_string())),
            (
                protocol::ITERATIONS,
                rules.iterations.map(|it| it.to_string()),
            ),
            (protocol::TIMEOUT, Some(milliseconds(rules.timeout))),
            (
                protocol::SCENARIO_TIMEOUT,
                rules.scenario_timeout.map(milliseconds),
            ),
            (protocol::QUICK, flag(run.arguments.quick)),
            (protocol::SITES, flag(self.sites)),
            (protocol::UNTIMED, flag(!run.is_timed)),
        ] {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.spawn(command)
    }

    /// Starts the bench. Its output goes to files, because a grandchild could hold a pipe
    /// open for longer than the bench runs.
    fn spawn(&self, mut command: Command) -> io::Result<Running> {
        command
            // By it, too, the processes are known that the bench started.
            .env(protocol::RESULTS, self.path("results"))
            .stdin(Stdio::null())
            .stdout(File::create(self.path("stdout"))?)
            .stderr(File::create(self.path("stderr"))?);
        Running::start(&mut command, Stops::WithItsOwn)
    }

    /// Waits for the bench. If it had to be stopped, the inner error has the ids of what could not
    /// be stopped.
    fn wait(
        &self,
        mut bench: Running,
        mut tick: impl FnMut(),
    ) -> io::Result<Result<ExitStatus, Vec<u32>>> {
        let begin = Instant::now();
        let limit = self.limit();
        loop {
            let left = limit.saturating_sub(begin.elapsed());
            if let Some(status) = bench.child.wait_timeout(left.min(TICK))? {
                return Ok(Ok(status));
            }
            if begin.elapsed() >= limit {
                return Ok(Err(bench.stop(self.scratch.path())));
            }
            tick();
        }
    }

    /// One of its temporary files, or the folder for its results.
    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// What the bench printed, stdout before stderr.
    fn output(&self) -> String {
        let mut output = end_of(&self.path("stdout"));
        if !output.is_empty() && !output.ends_with('\n') {
            output.push('\n');
        }
        output.push_str(&end_of(&self.path("stderr")));
        output
    }

    /// The bench, as cargo starts it: by its runner, in the folder and with the variables that
    /// it sets.
    fn command(&self) -> Command {
        let (workspace, built) = (self.run.workspace, self.built);
        let runner = workspace.runner(self.target());
        let words = runner.iter().map(OsString::as_os_str);
        let mut words = words.chain([built.executable.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        let rule = self.run.config.bench(&built.name);
        let own = rule.into_iter().flat_map(|rule| &rule.env);
        let own = own.chain(&built.variables);
        command
            .args(words)
            .env("CARGO", program())
            .envs(own.map(|(name, value)| (name, value)));
        // A bench that starts itself again does so in the same way.
        if !runner.is_empty() {
            command.env(protocol::RUNNER, runner.join(OsStr::new(" ")));
        }
        if let Some(package) = workspace.package_of(&built.package) {
            if let Some(folder) = package.manifest_path.parent() {
                command
                    .current_dir(folder)
                    .env("CARGO_MANIFEST_DIR", folder);
            }
            command.env("CARGO_MANIFEST_PATH", &package.manifest_path);
            for (name, value) in variables(package) {
                command.env(format!("CARGO_PKG_{name}"), value);
            }
        }
        if let Some(value) = self.library_path() {
            command.env(LIBRARY_PATH, value);
        }
        for (name, value, replaces) in workspace.variables() {
            let is_set = command.get_envs().any(|(other, _)| *other == *name);
            if !is_set && (replaces || env::var_os(&name).is_none()) {
                command.env(name, value);
            }
        }
        command
    }

    /// The triple of `--target`.
    fn target(&self) -> Option<&str> {
        self.run.arguments.target.as_deref()
    }

    fn library_path(&self) -> Option<OsString> {
        let mut folders = self.built.libraries.clone();
        let libraries = self.run.workspace.sysroot_libraries(self.target());
        folders.extend(libraries.map(Path::to_path_buf));
        if let Some(present) = env::var_os(LIBRARY_PATH) {
            folders.extend(env::split_paths(&present));
        }
        env::join_paths(folders).ok()
    }
}

/// The variables `CARGO_PKG_*` of a package.
fn variables(package: &Package) -> Vec<(&'static str, String)> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let path = |value: &Option<Utf8PathBuf>| value.clone().unwrap_or_default().into_string();
    let version = &package.version;
    let rust_version = package.rust_version.as_ref();
    let rust_version = rust_version.map(ToString::to_string).unwrap_or_default();
    // As it is usually written; the metadata doesn't keep whether a `.0` was there.
    let rust_version = rust_version.strip_suffix(".0").unwrap_or(&rust_version);
    vec![
        ("NAME", package.name.to_string()),
        ("VERSION", version.to_string()),
        ("VERSION_MAJOR", version.major.to_string()),
        ("VERSION_MINOR", version.minor.to_string()),
        ("VERSION_PATCH", version.patch.to_string()),
        ("VERSION_PRE", version.pre.to_string()),
        ("AUTHORS", package.authors.join(":")),
        ("DESCRIPTION", text(&package.description)),
        ("HOMEPAGE", text(&package.homepage)),
        ("REPOSITORY", text(&package.repository)),
        ("LICENSE", text(&package.license)),
        ("LICENSE_FILE", path(&package.license_file)),
        ("README", path(&package.readme)),
        ("RUST_VERSION", rust_version.to_owned()),
    ]
}

/// What a bench has written to its result file.
#[derive(Default)]
struct ResultsSoFar {
    /// The file, at the end of what was read.
    file: Option<BufReader<File>>,
    /// A line, which may not be whole yet.
    line: Vec<u8>,
    /// The names of the scenarios, from the first line.
    planned: Option<Vec<String>>,
    done: usize,
}

impl ResultsSoFar {
    /// The scenario that the bench measures now, for which the new lines are read.
    fn step(&mut self, folder: &Path) -> Option<String> {
        if self.file.is_none() {
            let file = files::open(result_files(folder).first()?).ok()?;
            self.file = Some(BufReader::new(file));
        }
        let file = self.file.as_mut()?;
        // An unreadable file is reported when the bench ends.
        while file.read_until(b'\n', &mut self.line).is_ok() && self.line.ends_with(b"\n") {
            match &self.planned {
                None => self.planned = Some(planned(&self.line).unwrap_or_default()),
                Some(_) => self.done += 1,
            }
            self.line.clear();
        }
        let planned = self.planned.as_ref()?;
        let (name, number) = (planned.get(self.done)?, self.done + 1);
        Some(format!("{name}, {number} of {}", planned.len()))
    }
}

/// The names of the scenarios in the first line of results.
fn planned(line: &[u8]) -> Option<Vec<String>> {
    let record: Value = serde_json::from_slice(line).ok()?;
    let names = record.get("planned")?.as_array()?.iter();
    Some(
        names
            .filter_map(|name| Some(name.as_str()?.to_owned()))
            .collect(),
    )
}

/// The value of [`protocol::COMMIT`]; empty for a commit that is not known.
fn commit(checkout: Option<&Checkout>) -> String {
    checkout.map_or_else(String::new, |checkout| {
        let mark = if checkout.is_dirty() {
            protocol::DIRTY
        } else {
            ""
        };
        format!("{}{mark}", checkout.commit)
    })
}

impl BenchProcess<'_> {
    /// Reads the results of a bench that ended with `status`, or was stopped without one; then
    /// the error has the ids of the processes that could not be stopped.
    fn read_results(&self, status: Result<ExitStatus, Vec<u32>>) -> Ended {
        let name = &self.built.name;
        let files = result_files(&self.path("results"));
        let text = match &files[..] {
            [path] => Some(text_of(path)),
            [] | [_, _, ..] => None,
        };
        let read = text.as_ref().map(|text| read_streams("its results", text));
        // The scenario that was being measured when the stream stopped, and those before.
        let (next, so_far) = match &read {
            Some(Err(error)) => {
                if let ProblemKind::Truncated { next, so_far } = &error.problem.kind {
                    (next.as_deref(), Some(so_far.clone()))
                } else {
                    (None, None)
                }
            }
            Some(Ok(_)) | None => (None, None),
        };
        let whilst = next.map_or_else(String::new, |next| format!(" while it measured `{next}`"));
        let alone = format!(
            "run it by itself: `cargo bench {}`",
            words(["--package", &name.package, "--bench", &name.target])
        );
        let status = match status {
            Ok(status) => status,
            Err(left) => {
                let limit = self.limit().as_secs_f64();
                let left = still_running(&left);
                let help = format!(
                    "if it hangs, {alone}; if it is slow, raise `timeout` under `[run]` in gates.toml"
                );
                return Ended {
                    so_far,
                    ..failed(
                        format!("{name} timed out after {limit} s{whilst}{left}"),
                        help,
                    )
                };
            }
        };
        let unusable = |what: &str| {
            failed(
                format!("{name} wrote unusable results: {what}"),
                "call `Suite::finish` once; nothing else may write to the folder in \
                 ALLOC_GATE_BENCH_RESULTS",
            )
        };
        let crashed = || failed(format!("{name} crashed ({status}){whilst}"), alone);
        if files.len() > 1 {
            let name = |path: &PathBuf| Some(format!("`{}`", path.file_name()?.display()));
            let names: Vec<String> = files.iter().filter_map(name).collect();
            let names = names.join(" and ");
            return unusable(&format!("it wrote several result files: {names}"));
        }
        let (Some(text), Some(read)) = (text, read) else {
            if !status.success() {
                return crashed();
            }
            return failed(
                format!("{name} exited without writing results"),
                "register scenarios with `alloc_scenario::Suite` and return the result of \
                 `finish` from `main`; `cargo alloc-gate init` says how a bench of criterion \
                 counts; remove one of another harness from gates.toml",
            );
        };
        let error = match read {
            Ok(mut streams) if streams.len() == 1 => {
                let stream = streams.remove(0);
                let failure = if !stream.failures.is_empty() {
                    Some(scenarios_failed(name, &stream.failures))
                } else if !status.success() {
                    return failed(
                        format!("{name} failed after it had measured all scenarios ({status})"),
                        "return the result of `Suite::finish` from `main`, and do nothing after it",
                    );
                } else {
                    None
                };
                return Ended {
                    results: Some(BenchResults { stream, text }),
                    failure,
                    ..Ended::default()
                };
            }
            Ok(_) => return unusable("it wrote its results more than once"),
            Err(error) => error,
        };
        match error.problem.kind {
            ProblemKind::DeadCounter => failed(
                format!("{name}: {}", error.problem),
                "the output of the bench says what to do; nothing was measured",
            ),
            ProblemKind::WrongSites => Ended {
                has_wrong_sites: true,
                ..failed(
                    format!("{name} wrote unusable results: {error}"),
                    "please report this bug of alloc-scenario",
                )
            },
            _ if !status.success() => crashed(),
            ProblemKind::Truncated { .. } => failed(
                format!(
                    "{name} exited with code 0, but its results are incomplete: {}",
                    error.problem
                ),
                "don't exit the process in a scenario; return the result of `Suite::finish` from \
                 `main`",
            ),
            ProblemKind::Unusable | _ => unusable(&error.to_string()),
        }
    }
}

/// A bench without results.
fn failed(what: String, help: impl Into<Box<str>>) -> Ended {
    Ended {
        failure: Some(Failure::bench_failed(what).help(help)),
        ..Ended::default()
    }
}

fn scenarios_failed(bench: &BenchId, failures: &[FailureRecord]) -> Failure {
    let mut what = match failures {
        [one] => format!("`{}` of {bench} was not measured:", one.name),
        several => format!("{} scenarios of {bench} were not measured:", several.len()),
    };
    let spots = failures.iter().map(|failed| {
        let FailureRecord { name, message, .. } = failed;
        let (file, line) = (&failed.location.file, failed.location.line);
        what.push_str(&format!("\n  `{name}` ({file}:{line}){}", quoted(message)));
        Spot {
            file: file.clone(),
            line: line.to_string(),
            message: format!("`{name}` of {bench}: {message}"),
        }
    });
    let spots = spots.collect();
    let mut failure = Failure::bench_failed(what)
        .help("fix the scenario; the check fails until every scenario is measured");
    failure.spots = spots;
    failure
}

/// Says which processes a person has to stop.
fn still_running(ids: &[u32]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    format!(
        "; still running, as they can't be stopped: {}",
        ids.join(", ")
    )
}

/// The sorted files in the folder for the results of a bench, which writes one.
fn result_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

/// The text of a file. An unreadable one is reported as one without a result line.
fn text_of(path: &Path) -> String {
    let mut text = Vec::new();
    let _ = files::open(path).and_then(|mut file| file.read_to_end(&mut text));
    String::from_utf8_lossy(&text).into()
}

/// The end of a file that a bench wrote, behind a line that says what is left out.
fn end_of(path: &Path) -> String {
    let read = || -> io::Result<String> {
        let mut file = files::open(path)?;
        let left_out = file.metadata()?.len().saturating_sub(MOST_OUTPUT);
        file.seek(SeekFrom::Start(left_out))?;
        let mut text = Vec::new();
        file.take(MOST_OUTPUT).read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        Ok(match left_out {
            0 => text.into(),
            left_out => format!("[{} bytes not shown]\n{text}", integer(left_out.into())),
        })
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_scenario_is_known_from_the_lines_that_a_bench_has_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut written = ResultsSoFar::default();
        assert_eq!(written.step(folder.path()), None);
        let mut file = File::create(folder.path().join("b.1.jsonl")).unwrap();
        let mut step_after = |text: &str| {
            file.write_all(text.as_bytes()).unwrap();
            written.step(folder.path())
        };
        assert_eq!(
            step_after("{\"record\":\"environment\",\"planned\":[\"a"),
            None
        );
        let first = Some(String::from("a, 1 of 2"));
        assert_eq!(step_after("\",\"b\"]}\n{\"record\""), first);
        let second = Some(String::from("b, 2 of 2"));
        assert_eq!(step_after(":\"scenario\"}\n"), second);
        assert_eq!(step_after("{\"record\":\"scenario\"}\n"), None);
    }

    #[test]
    fn of_a_long_output_the_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stdout");
        fs::write(&path, "short\n").unwrap();
        assert_eq!(end_of(&path), "short\n");
        fs::write(&path, format!("{}\nend\n", "a".repeat(3 << 20))).unwrap();
        let end = end_of(&path);
        assert!(end.len() < (1 << 20) + 100, "{}", end.len());
        assert!(end.starts_with("[2,097,157 bytes not shown]\naa"));
        assert!(end.ends_with("aa\nend\n"));
        assert_eq!(end_of(&folder.path().join("nothing")), "");
    }
}
