//! The program as a child process, and assertions about its output.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use snapbox::assert::Action;
use snapbox::{Assert, IntoData, Redactions};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cargo-alloc-gate");

/// The folder for all files of the tests.
pub(crate) const TMP: &str = env!("CARGO_TARGET_TMPDIR");

/// The variable that names the build folder.
pub(crate) const BUILD_DIR: &str = "CARGO_BUILD_BUILD_DIR";

/// The user's configuration of git in all tests.
const HOSTILE_GIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/hostile.gitconfig");

/// Variables of the caller that would change the program's output.
const UNSET: [&str; 14] = [
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CHANGE_TARGET",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "DRONE_TARGET_BRANCH",
    "GITHUB_ACTIONS",
    "GITHUB_BASE_REF",
    "GITHUB_STEP_SUMMARY",
    "RUSTC_WORKSPACE_WRAPPER",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
];

/// A command in `folder` with an environment of its own, in which cargo is quiet and
/// offline.
pub(crate) fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for name in UNSET {
        command.env_remove(name);
    }
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("ALLOC_GATE_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("CARGO", env!("CARGO"))
        .env("RUSTC", &*RUSTC_PROGRAM)
        .env("CARGO_NET_OFFLINE", "true")
        // Cargo would parse the system's certificates in each start, a third of `cargo metadata`.
        .env("SSL_CERT_FILE", "/dev/null")
        .env("SSL_CERT_DIR", "/dev/null")
        .env_remove("CARGO_TARGET_DIR")
        // The projects are not in the repository of this crate.
        .env("GIT_CEILING_DIRECTORIES", TMP)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", HOSTILE_GIT)
        .env("GIT_DIFF_OPTS", "--unified=9")
        .env("GIT_GLOB_PATHSPECS", "1")
        .env("GIT_TRACE", "1")
        .env("CARGO_TERM_QUIET", "true")
        .env("NO_COLOR", "1")
        .env("RUST_BACKTRACE", "0");
    command
}

/// The `PATH` of this process behind a folder.
pub(crate) fn path_with(first: &Path) -> OsString {
    let present = env::var_os("PATH").unwrap_or_default();
    let folders = [first.to_owned()]
        .into_iter()
        .chain(env::split_paths(&present));
    env::join_paths(folders).expect("no folder has a separator in its name")
}

/// The variable that a test of lines sets: others skip them, which takes a second run.
pub(crate) const EXPLAINS: &str = "ALLOC_GATE_TEST_EXPLAINS";

/// Whether the command is `check` or `compare`, whose option decides about lines, and the test is
/// not about these.
fn skips_lines(command: &Command) -> bool {
    let is_program = |name: &OsStr| name == PROGRAM || name == "nohup";
    let mut args = command.get_args().map(OsStr::to_string_lossy);
    let others = "accept completions explain help init list run suggest -- --help --version";
    let is_check = !args.any(|arg| others.split(' ').any(|other| arg == other));
    let explains = command.get_envs().any(|(name, _)| name == EXPLAINS);
    is_program(command.get_program()) && is_check && !explains
}

/// How a text is compared with what is expected, or written there.
pub(crate) fn comparing() -> Assert {
    let writes = env::var_os("BLESS").is_some_and(|value| value == "1");
    Assert::new().action(match writes {
        true => Action::Overwrite,
        false => Action::Verify,
    })
}

/// A command that has ended.
pub(crate) struct Ran {
    output: Output,
    is_program: bool,
    assert: Assert,
}

impl Ran {
    /// Runs a command in the project at `root`, which cargo builds in `target`.
    pub(crate) fn new(mut command: Command, root: &Path, target: &Path) -> Self {
        if skips_lines(&command) {
            command.args(["--explain", "never"]);
        }
        let is_program = command.get_program() == PROGRAM;
        let output = command.output().expect("the program starts");
        let mut redactions = Redactions::new();
        let mut variables = command.get_envs();
        let build = variables.find_map(|(name, value)| value.filter(|_| name == BUILD_DIR));
        let build = build.map(|build| ("[BUILD]", Path::new(build)));
        let paths = [("[ROOT]", root), ("[TARGET]", target)].into_iter();
        for (placeholder, path) in paths.chain(build) {
            redactions
                .insert(placeholder, path.to_path_buf())
                .expect("the placeholder is in brackets");
        }
        for (placeholder, value) in [
            ("[RUSTC]", RUSTC.version.as_str()),
            ("[HOST]", &RUSTC.host),
            ("[HARNESS]", HARNESS),
        ] {
            redactions
                .insert(placeholder, value.to_owned())
                .expect("the placeholder is in brackets");
        }
        Self {
            output,
            is_program,
            assert: comparing().redact_with(redactions).normalize_paths(false),
        }
    }

    /// Asserts the exit code, which the last line of an error repeats.
    #[track_caller]
    pub(crate) fn code(self, expected: i32) -> Self {
        let texts = format!(
            "stdout:\n{}\nstderr:\n{}",
            self.stdout_text(),
            self.stderr_text()
        );
        assert_eq!(self.output.status.code(), Some(expected), "{texts}");
        if self.is_program && ![0, 1, 4].contains(&expected) {
            let last = self.last_line();
            let end = format!("(exit code {expected})");
            assert!(
                last.contains("alloc-gate: ") && last.contains(&end),
                "{texts}"
            );
        }
        self
    }

    /// Asserts the whole of stdout.
    #[track_caller]
    pub(crate) fn stdout(self, expected: impl IntoData) -> Self {
        self.same(&self.stdout_text(), expected);
        self
    }

    /// Asserts the whole of stderr.
    #[track_caller]
    pub(crate) fn stderr(self, expected: impl IntoData) -> Self {
        let assert = self.assert.clone().normalize_paths(true);
        assert.eq(self.stderr_text(), expected);
        self
    }

    /// Asserts the last line, which has the verdict.
    #[track_caller]
    pub(crate) fn verdict(&self, expected: &str) -> &Self {
        assert_eq!(self.last_line(), format!("alloc-gate: {expected}"));
        self
    }

    /// Asserts a text, with placeholders for what depends on the machine.
    #[track_caller]
    pub(crate) fn same(&self, text: &str, expected: impl IntoData) {
        self.assert.eq(text, expected);
    }

    /// Asserts that stdout has this text.
    #[track_caller]
    pub(crate) fn stdout_has(&self, expected: &str) -> &Self {
        let text = self.stdout_text();
        assert!(
            text.contains(expected),
            "stdout without {expected}:\n{text}"
        );
        self
    }

    /// Asserts that stderr has this text.
    #[track_caller]
    pub(crate) fn stderr_has(&self, expected: &str) -> &Self {
        let text = self.stderr_text();
        assert!(
            text.contains(expected),
            "stderr without {expected}:\n{text}"
        );
        self
    }

    /// The JSON report on stdout.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout_text()).expect("the report is JSON")
    }

    pub(crate) fn stdout_text(&self) -> String {
        let text = String::from_utf8(self.output.stdout.clone()).expect("stdout is UTF-8");
        without_time(&text)
    }

    /// The text of stderr, without the file of the report in its last line.
    pub(crate) fn stderr_text(&self) -> String {
        let text = String::from_utf8(self.output.stderr.clone()).expect("stderr is UTF-8");
        match self.report_file() {
            Some(path) => text.replace(&format!("; report: {path}"), ""),
            None => text,
        }
    }

    /// The file of the report, if the last line names one.
    pub(crate) fn report_file(&self) -> Option<String> {
        let text = String::from_utf8(self.output.stderr.clone()).expect("stderr is UTF-8");
        let (_, rest) = text.lines().last()?.split_once("; report: ")?;
        let (folder, _) = rest.split_once("report.md")?;
        Some(format!("{folder}report.md"))
    }

    /// The line with the verdict.
    pub(crate) fn last_line(&self) -> String {
        let text = self.stderr_text();
        text.lines().last().unwrap_or_default().to_owned()
    }
}

/// The text with a placeholder for the time in the line of the environment.
pub(crate) fn without_time(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let is_environment = line.to_ascii_lowercase().starts_with("environment: ");
        match line.rsplit_once(", ") {
            Some((begin, end)) if is_environment && end.ends_with(" UTC\n") => {
                format!("{begin}, [TIME]\n")
            }
            Some(_) | None => line.to_owned(),
        }
    });
    lines.collect()
}

/// The name of the harness in results. All crates have one version.
const HARNESS: &str = concat!("alloc-scenario ", env!("CARGO_PKG_VERSION"));

pub(crate) struct Rustc {
    pub(crate) version: String,
    pub(crate) host: String,
}

pub(crate) static RUSTC: LazyLock<Rustc> = LazyLock::new(|| {
    let output = Command::new(&*RUSTC_PROGRAM)
        .arg("-vV")
        .output()
        .expect("rustc is there");
    let text = String::from_utf8(output.stdout).expect("rustc prints UTF-8");
    let mut lines = text.lines();
    let version = lines.next().expect("rustc prints its version");
    let host = lines.find_map(|line| line.strip_prefix("host: "));
    Rustc {
        version: version.to_owned(),
        host: host.expect("rustc prints its host").to_owned(),
    }
});

/// The rustc of the tests: rustup's would look for its toolchain again each time.
static RUSTC_PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let rustc = Path::new(env!("CARGO")).with_file_name("rustc");
    if !rustc.exists() {
        return PathBuf::from("rustc");
    }
    #[cfg(unix)]
    {
        let path = Path::new(TMP).join("cli-rustc");
        let known = ["-vV", "--print target-libdir", "--print sysroot"];
        crate::stand_in::write(&path, || Command::new(&rustc), &known);
        path
    }
    #[cfg(not(unix))]
    rustc
});
