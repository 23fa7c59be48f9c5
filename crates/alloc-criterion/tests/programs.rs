//! Benches that were written for criterion, as programs: with criterion itself, with the one line
//! under cargo, and counted.

#![expect(
    clippy::unwrap_used,
    reason = "all functions of this file are parts of tests"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Two projects share a target folder, in which cargo builds for one of them at a time, and
/// either counted or not.
static CARGO: Mutex<()> = Mutex::new(());

/// A package with all benches of this folder.
struct Project {
    folder: PathBuf,
    is_counted: bool,
}

/// Writes a package with the versions that this workspace has.
fn write_package(name: &str, manifest: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let lock = Path::new(HERE).join("../../Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).unwrap();
    folder
}

fn the_line() -> String {
    format!("package = \"alloc-criterion\", path = '{HERE}'")
}

impl Project {
    fn new(name: &str, dependency: &str, is_counted: bool) -> Self {
        let mut manifest = format!(
            "[workspace]\n\n[package]\nname = \"benches\"\nedition = \"2024\"\n\n\
             [dependencies]\ncriterion = {{ {dependency}, default-features = false, features = \
             [\"async_futures\", \"cargo_bench_support\"] }}\n\n[profile.dev]\ndebug = false\n"
        );
        let benches = fs::read_dir(Path::new(HERE).join("tests/benches")).unwrap();
        for bench in benches {
            let path = bench.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            manifest += &format!(
                "\n[[bench]]\nname = \"{name}\"\nharness = false\npath = '{}'\n",
                path.display()
            );
        }
        let folder = write_package(name, &manifest);
        Self { folder, is_counted }
    }

    fn with_the_line(is_counted: bool) -> Self {
        Self::new("one-line", &the_line(), is_counted)
    }

    fn run(&self, bench: &str, arguments: &[&str]) -> Output {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("target");
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["test", "--quiet", "--bench", bench, "--"])
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_TERM_COLOR", "never")
            .env("RUST_BACKTRACE", "0");
        for variable in [
            "RUSTFLAGS",
            "ALLOC_GATE_ITERATIONS",
            "ALLOC_GATE_WARMUP",
            "ALLOC_GATE_CRITERION",
        ] {
            command.env_remove(variable);
        }
        if self.is_counted {
            command.env("ALLOC_GATE_CRITERION", "1");
        }
        command.output().unwrap()
    }

    /// What the bench prints, which has to succeed.
    fn stdout(&self, bench: &str, arguments: &[&str]) -> String {
        let output = self.run(bench, arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The errors of a bench, which has to fail, with places in this folder.
    fn errors(&self, bench: &str, arguments: &[&str]) -> String {
        let output = self.run(bench, arguments);
        assert!(!output.status.success(), "{bench} succeeded");
        stderr(&output).replace(&format!("{HERE}/"), "")
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The cells of a table without the times.
fn cells(stdout: &str) -> Vec<String> {
    let rows = stdout.lines().filter(|line| line.starts_with("| "));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        [&cells[..7], &cells[8..]].concat().join(" ")
    });
    rows.collect()
}

#[test]
#[ignore = "it builds criterion once more; the step `criterion` runs it"]
fn counted_benches_have_the_values_of_their_routines() {
    let _cargo = CARGO.lock().unwrap_or_else(PoisonError::into_inner);
    let project = Project::with_the_line(true);
    let output = project.run("interface", &["--bench"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stderr(&output),
        "note: settings that are not about allocations have no effect on this bench: \
         `plot_config`, `with_measurement`\n"
    );
    let stdout = String::from_utf8(output.stdout).unwrap();
    // A vector of boxes: 8 bytes for each box and one in it. Batched forms count neither the
    // vector of set-up nor the drop of outputs.
    assert_eq!(
        cells(&stdout),
        [
            "scenario iters allocs/op bytes/op deallocs/op reallocs/op peak bytes \
             allocs/element bytes/element allocs/byte bytes/byte",
            "join 100 1.00 3 1.00 0.00 3 - - - -",
            "repeat/20 100 1.00 640 1.00 0.00 640 - - - -",
            "iterations/boxes/10 20 11.00 90 11.00 0.00 90 1.10 9.00 - -",
            "iterations/boxes/100 20 101.00 900 101.00 0.00 900 1.01 9.00 - -",
            "iterations/boxes/1000 20 1,001.00 9,000 1,001.00 0.00 9,000 1.001 9.00 - -",
            "iterations/text 20 1.00 8 1.00 0.00 8 0.50 4.00 0.125 1.00",
            "iter/large_drop 100 1.00 32 0.00 0.00 32 - - - -",
            "iter/batched 100 1.00 1 0.00 0.00 1 - - - -",
            "iter/batched, drops 100 0.00 0 1.00 0.00 0 - - - -",
            "iter/batched_ref 100 0.00 0 0.00 0.00 0 - - - -",
            "iter/setup 100 0.00 0 1.00 0.00 0 - - - -",
            "iter/custom 1 100.00 800 100.00 0.00 8 1.00 8.00 - -",
            "async/iter 30 1.00 8 1.00 0.00 8 - - - -",
            "async/large_drop 30 1.00 8 0.00 0.00 8 - - - -",
            "async/batched 30 0.00 0 1.00 0.00 0 - - - -",
            "async/batched_ref 30 1.00 8 0.00 0.00 8 - - - -",
            "async/custom 1 30.00 240 30.00 0.00 8 1.00 8.00 - -",
        ]
    );
    let note = "\niter/custom: `iter_custom`: counts are totals of 100 iterations, and an element is an \
                iteration\n";
    assert!(stdout.contains(note), "{stdout}");

    let allocator = project.stdout("own_allocator", &["--bench"]);
    assert_eq!(cells(&allocator)[1], "box 100 1.00 8 1.00 0.00 8");

    let unusual = project.stdout("unusual", &["--bench"]);
    assert_eq!(
        cells(&unusual)[1..],
        [
            "same/x 100 2.00 9 2.00 0.00 9",
            "same/many 100 2.00 9 2.00 0.00 9",
            "same/x #2 100 3.00 18 3.00 0.00 18",
            "twice 100 4.00 27 4.00 0.00 27",
            "lazy 100 0.00 0 0.00 0.00 0",
        ]
    );
    for note in [
        "\ntwice: only the last of 2 `iter` calls is counted\n",
        "\nlazy: measured nothing: the output is a closure or a future that never ran",
    ] {
        assert!(unusual.contains(note), "{note}: {unusual}");
    }
    let one = project.stdout("interface", &["--list", "--exact", "iter/batched"]);
    assert_eq!(one, "iter/batched: benchmark\n\n0 tests, 1 benchmarks\n");
    let smoke = project.stdout("interface", &["iter"]);
    let summary = "11 passed; 0 failed; 0 ignored; 0 measured; 6 filtered out";
    assert!(smoke.contains(summary), "{smoke}");
}

#[test]
#[ignore = "it builds criterion once more; the step `criterion` runs it"]
fn mistakes_have_a_message_each() {
    let _cargo = CARGO.lock().unwrap_or_else(PoisonError::into_inner);
    let project = Project::with_the_line(true);
    let failures = [
        "`never` (at tests/benches/mistakes.rs:6) measured nothing: its function has to call an \
         `iter` method",
        "`nested` (at tests/benches/mistakes.rs:10) panicked: a bench was started inside the \
         function of another bench; start it after that function (at \
         tests/benches/mistakes.rs:11:30)",
        "`routine` (at tests/benches/mistakes.rs:17) panicked: called `Result::unwrap()` on an \
         `Err` value: ParseIntError { kind: InvalidDigit } (at tests/benches/mistakes.rs:17:65)",
        "`after` (at tests/benches/mistakes.rs:21) panicked: it is not sorted (at \
         tests/benches/mistakes.rs:23:9)",
    ];
    let reported = |arguments: &[&str]| {
        let text = project.errors("mistakes", arguments);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("error: scenario "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(reported(&["--bench"]), failures);
    // The smoke test names columns too.
    assert_eq!(
        reported(&[]),
        failures.map(|line| line.replacen(") ", ":7) ", 1))
    );

    for (bench, message) in [
        (
            "other_names",
            "error: the scenario `call 1` (at tests/benches/other_names.rs:12:7) was not there when \
             the bench listed its scenarios; the bench has to make the same calls with the same \
             names each time\n",
        ),
        (
            "unreached",
            "error: scenario `once` (at tests/benches/unreached.rs:12) was not measured: the bench \
             listed it and then did not call it; the bench has to make the same calls with the \
             same names each time\n",
        ),
        (
            "own_main",
            "benches are counted in functions that `criterion_main!` calls, on its thread; replace \
             this program's `main` by `criterion_main!`\n",
        ),
        (
            "uncounted",
            "error: no allocation was counted: the program's global allocator is not counted. \
             Replace its `#[global_allocator]` by `criterion::global_allocator!(TYPE, VALUE)`\n",
        ),
        (
            "two_allocators",
            "error: cannot define multiple global allocators\n",
        ),
        ("finished", "error[E0382]: borrow of moved value: `group`\n"),
    ] {
        let text = project.errors(bench, &["--bench"]);
        assert!(text.contains(message), "{text}");
    }
}

#[test]
#[ignore = "it builds criterion once more; the step `criterion` runs it"]
fn cargo_bench_prints_what_criterion_prints() {
    let _cargo = CARGO.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = Project::new("criterion", "version = \"0.8\"", false);
    let line = Project::with_the_line(false);
    let fast = "--bench --warm-up-time 0.01 --measurement-time 0.01 --nresamples 1001 join";
    let fast: Vec<&str> = fast.split(' ').collect();
    for arguments in [
        &["--help"][..],
        &["--list"],
        &["--list", "--format", "terse", "iter"],
        &["--test"],
        &["--bogus"],
        &fast,
    ] {
        let [expected, actual] = [&plain, &line].map(|project| project.run("interface", arguments));
        let status = |output: &Output| output.status.code();
        assert_eq!(status(&actual), status(&expected));
        let texts = |output: &Output| [&output.stdout, &output.stderr].map(|text| names(text));
        assert_eq!(texts(&actual), texts(&expected), "{arguments:?}");
    }
}

#[test]
fn criterion_is_built_with_the_same_features() {
    for features in [
        "",
        ", default-features = false",
        ", features = [\"html_reports\", \"async_tokio\"]",
        ", default-features = false, features = [\"csv_output\", \"real_blackbox\"]",
    ] {
        let [expected, actual] = ["version = \"0.8\"", &the_line()].map(|source| {
            let folder = write_package(
                "features",
                &format!(
                    "[workspace]\n\n[package]\nname = \"features\"\n\n[dependencies]\ncriterion = \
                     {{ {source}{features} }}\n"
                ),
            );
            let output = Command::new(env!("CARGO"))
                .args(["tree", "--quiet", "--format", "{p} {f}", "--prefix", "none"])
                .current_dir(folder)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", stderr(&output));
            let tree = String::from_utf8(output.stdout).unwrap();
            let mut lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
            lines
                .find(|line| line.starts_with("criterion v"))
                .unwrap()
                .to_owned()
        });
        assert_eq!(actual, expected, "{features}");
    }
}

/// The text without times, and without what differs by them from run to run.
fn names(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().map(|line| {
        let end = ["time:", "estimated", "Unable to complete"]
            .iter()
            .filter_map(|word| line.find(word))
            .min();
        line[..end.unwrap_or(line.len())].replace(|c: char| c.is_ascii_digit(), "0")
    });
    let differs = |line: &String| line.contains("outliers") || line.starts_with(' ');
    lines.filter(|line| !differs(line)).collect()
}
