//! The command on recorded results where no cargo runs, such as under wine: `check`,
//! `accept` and `list` ask cargo only for its metadata, and this program stands in for it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Trial};
use serde_json::json;

/// The folder of the workspace, for a process that stands in for cargo.
const ROOT: &str = "ALLOC_GATE_TEST_ROOT";

fn main() -> ExitCode {
    if let Some(root) = env::var_os(ROOT) {
        return print_metadata(Path::new(&root));
    }
    let tests: [(&str, fn()); 5] = [
        ("recorded_results_are_checked", recorded_results_are_checked),
        ("a_broken_gate_has_its_place", a_broken_gate_has_its_place),
        ("a_baseline_is_accepted", a_baseline_is_accepted),
        ("scenarios_are_listed", scenarios_are_listed),
        ("a_missing_file_is_named", a_missing_file_is_named),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = tests.map(trial).into();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The output of `cargo metadata --no-deps` for a package with one bench.
#[expect(clippy::print_stdout, reason = "cargo prints it")]
fn print_metadata(root: &Path) -> ExitCode {
    let path = |name: &str| root.join(name);
    let package = json!({
        "name": "wordy", "version": "1.2.3", "id": "path+file:///wordy#1.2.3",
        "dependencies": [], "features": {}, "edition": "2024",
        "manifest_path": path("Cargo.toml"),
        "targets": [{
            "kind": ["bench"], "crate_types": ["bin"], "name": "alloc_count",
            "src_path": path("benches").join("alloc_count.rs"), "edition": "2024",
        }],
    });
    let metadata = json!({
        "version": 1, "packages": [package],
        "workspace_members": ["path+file:///wordy#1.2.3"],
        "workspace_root": root, "target_directory": path("target"),
    });
    println!("{metadata}");
    ExitCode::SUCCESS
}

/// A workspace with recorded results.
struct Recorded(PathBuf);

impl Recorded {
    /// With this limit, in a file of rules with the line ends of Windows.
    fn new(name: &str, limit: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("elsewhere")
            .join(name);
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("a folder can be made");
        // As cargo prints it on Windows, with the drive.
        let root = std::path::absolute(root).expect("there is a current folder");
        let rules = format!(
            "version = 1\n[baseline]\ndata = \"design/accepted.toml\"\n\
             [[bench]]\npackage = \"wordy\"\ntarget = \"alloc_count\"\n\
             [[gate]]\nname = \"small\"\nscenarios = [\"*\"]\nallocs = \"{limit}\"\n"
        );
        let write = |name: &str, text: &str| {
            fs::write(root.join(name), text).expect("a file can be written");
        };
        write("gates.toml", &rules.replace('\n', "\r\n"));
        write("recorded.jsonl", include_str!("recorded.jsonl"));
        Self(root)
    }

    /// Runs the command with the recorded results, and asserts its exit code.
    #[track_caller]
    fn run(&self, line: &str, code: i32) -> Printed {
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new(env!("CARGO_BIN_EXE_cargo-alloc-gate"))
            .args(line.split_whitespace())
            .current_dir(&self.0)
            .env(
                "CARGO",
                env::current_exe().expect("this program has a path"),
            )
            .env(ROOT, &self.0)
            // The folder is not in the repository of this crate.
            .env(
                "GIT_CEILING_DIRECTORIES",
                self.0.parent().unwrap_or(&self.0),
            )
            .env_remove("CI")
            .env_remove("CARGO_TERM_COLOR")
            .env_remove("GITHUB_ACTIONS")
            .env_remove("GITHUB_STEP_SUMMARY")
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let printed = Printed {
            stdout: text(stdout),
            stderr: text(stderr),
        };
        let all = format!("{}{}", printed.stdout, printed.stderr);
        assert_eq!(status.code(), Some(code), "{all}");
        // No colours without a terminal, and the same line ends everywhere.
        assert!(
            !all.contains(['\x1b', '\r']) || line.contains("--color"),
            "{all}"
        );
        printed
    }
}

struct Printed {
    stdout: String,
    stderr: String,
}

fn recorded_results_are_checked() {
    let project = Recorded::new("checked", "<= 1");
    let printed = project.run("check --results recorded.jsonl", 0);
    let row = "| short    |      1 |\n";
    assert!(printed.stdout.contains(row), "{}", printed.stdout);
    let verdict = with_report("alloc-gate: passed: 1 gate checked, 1 scenario measured");
    // Wine has no git.
    let before = printed.stderr.strip_suffix(&verdict);
    let warning = "warning: the commit is not known: failed to start git: ";
    assert!(
        before.is_some_and(|text| text.is_empty() || text.starts_with(warning)),
        "{}",
        printed.stderr
    );
    let colored = project.run("check --color always --results recorded.jsonl", 0);
    assert!(colored.stdout.contains("\x1b["), "{}", colored.stdout);
}

fn a_broken_gate_has_its_place() {
    let project = Recorded::new("broken", "< 1");
    let printed = project.run("check --results recorded.jsonl", 1);
    for part in [
        " benches/alloc_count.rs:10\n       allocs  1  < 1 [small]\n",
        "change the limit at gates.toml:10:10\n",
    ] {
        assert!(printed.stdout.contains(part), "{}", printed.stdout);
    }
    let verdict = with_report("alloc-gate: FAILED: 1 of 1 scenario, 1 of 1 gate");
    assert!(printed.stderr.ends_with(&verdict), "{}", printed.stderr);
}

/// A last line that names the file of the report.
fn with_report(line: &str) -> String {
    let report = Path::new("target").join("alloc-gate").join("report.md");
    format!("{line}; report: {}\n", report.display())
}

fn a_baseline_is_accepted() {
    let project = Recorded::new("accepted", "<= baseline");
    let check = "accept --check --results recorded.jsonl";
    project.run(check, 1);
    let printed = project.run("accept --results recorded.jsonl", 0);
    // As gates.toml writes it, on all platforms.
    let wrote = "       Wrote design/accepted.toml\n";
    assert!(printed.stderr.contains(wrote), "{}", printed.stderr);
    let data = project.0.join("design").join("accepted.toml");
    let text = fs::read_to_string(data).expect("it was written");
    assert!(text.contains("\"short\"") && !text.contains('\r'), "{text}");
    project.run(check, 0);
    // A file that is there is replaced.
    project.run("accept --results recorded.jsonl", 0);
    project.run("check --results recorded.jsonl", 0);
}

fn scenarios_are_listed() {
    let project = Recorded::new("listed", "<= 1");
    let printed = project.run("list --results recorded.jsonl", 0);
    let listed = "wordy/alloc_count\n  short: gated by small\n";
    assert_eq!(printed.stdout, listed);
}

fn a_missing_file_is_named() {
    let project = Recorded::new("missing", "<= 1");
    let path = Path::new("results").join("absent.jsonl");
    let printed = project.run(&format!("check --results {}", path.display()), 104);
    let begin = format!("error: failed to read results from {}: ", path.display());
    assert!(printed.stderr.starts_with(&begin), "{}", printed.stderr);
}
