//! Benches that others wrote, from their published archives: with the one line they build and run
//! unchanged, and count what the same calls do in scenarios of alloc-scenario.
//!
//! The archives come from the registry or from its cache, and everything is built offline.

#![expect(
    clippy::unwrap_used,
    reason = "all functions of this file are parts of tests"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A package whose archive has benches over criterion.
struct Published {
    name: &'static str,
    version: &'static str,
    bench: &'static str,
    /// The number of its benches.
    benches: usize,
}

const PUBLISHED: [Published; 5] = [
    published("itoa", "1.0.19", "bench", 14),
    published("ryu", "1.0.23", "bench", 16),
    published("semver", "1.0.28", "parse", 3),
    published("smol_str", "0.3.7", "bench", 21),
    published("zmij", "1.0.23", "bench", 15),
];

const fn published(
    name: &'static str,
    version: &'static str,
    bench: &'static str,
    benches: usize,
) -> Published {
    Published {
        name,
        version,
        bench,
        benches,
    }
}

/// The calls of some of these benches, by their names.
const BY_HAND: &str = r#"
use std::hint::black_box;
use std::io::Write;

use alloc_scenario::{CountingAlloc, Suite};
use semver::{Prerelease, Version, VersionReq};
use smol_str::{SmolStr, format_smolstr};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite
        .scenario("parse Prerelease", || black_box("x.7.z.92").parse::<Prerelease>())
        .scenario("parse Version", || {
            black_box("1.0.2021-beta+exp.sha.5114f85").parse::<Version>()
        })
        .scenario("parse VersionReq", || black_box(">=1.2.3, <2.0.0").parse::<VersionReq>());
    suite.scenario("u64[max]/itoa", || {
        black_box(itoa::Buffer::new().format(black_box(u64::MAX)).len())
    });
    suite.scenario_with("u64[max]/std::fmt", |b| {
        b.setup(|()| Vec::with_capacity(20)).run(|buffer| {
            buffer.clear();
            write!(buffer, "{}", black_box(u64::MAX)).unwrap();
        })
    });
    for length in [12, 50, 1_000] {
        let text = "a".repeat(length);
        let copy = text.clone();
        suite.scenario(&format!("SmolStr::from len={length}"), move || {
            SmolStr::from(black_box(&copy))
        });
        let small = SmolStr::new(text);
        suite.scenario(&format!("SmolStr::clone len={length}"), move || small.clone());
        let begin = "a".repeat(length - 5);
        suite.scenario(&format!("format_smolstr! len={length}"), move || {
            format_smolstr!("{begin}-{}", 12_345)
        });
    }
    suite.finish()
}
"#;

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the log of CI says which benches ran, or that none could"
)]
#[ignore = "it takes archives from the registry, and builds what they depend on"]
fn published_benches_run_unchanged_and_count_what_their_calls_do() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    if let Err(problem) = unpack(&folder) {
        println!("published: not run, as the registry has no archives here: {problem}");
        return;
    }
    let by_hand = counts(&run(&folder.join("by_hand"), "by_hand"));
    let mut compared = BTreeMap::<&str, usize>::new();
    for package in &PUBLISHED {
        let output = run(&package.folder(&folder), package.bench);
        let counted = counts(&output);
        assert_eq!(counted.len(), package.benches, "{}", text(&output.stdout));
        for (name, counts) in &counted {
            if let Some(expected) = by_hand.get(name) {
                assert_eq!(counts, expected, "{}: {name}", package.name);
                *compared.entry(package.name).or_default() += 1;
            }
        }
        println!(
            "published: {} {}: {} benches ran, {} counted the same by hand",
            package.name,
            package.version,
            counted.len(),
            compared.get(package.name).unwrap_or(&0)
        );
    }
    let expected = [("itoa", 2), ("semver", 3), ("smol_str", 9)];
    assert_eq!(compared, BTreeMap::from(expected));
}

impl Published {
    fn folder(&self, workspace: &Path) -> PathBuf {
        let folder = format!("{}-{}", self.name, self.version);
        workspace.join("vendor").join(folder)
    }
}

/// Makes a workspace of the packages with the one line, and of the scenarios; or says why the
/// archives, or those of their dependencies, are missing.
fn unpack(folder: &Path) -> Result<(), String> {
    write(folder, "archives/src/lib.rs", "");
    let versions = PUBLISHED.iter();
    let versions = versions.map(|one| format!("{} = \"={}\"\n", one.name, one.version));
    let manifest = format!(
        "[package]\nname = \"archives\"\n\n[workspace]\n\n[dependencies]\n{}",
        versions.collect::<String>()
    );
    write(folder, "archives/Cargo.toml", &manifest);
    online_or_offline(
        &folder.join("archives"),
        &["vendor", "--quiet", "--versioned-dirs", "../vendor"],
    )?;

    let mut members = String::new();
    for package in &PUBLISHED {
        let path = package.folder(folder).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, with_the_line(&text)).unwrap();
        members.push_str(&format!(
            "\"vendor/{}-{}\", ",
            package.name, package.version
        ));
    }
    let root = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{members}\"by_hand\"]\n\n[profile.dev]\ndebug = \
         false\n"
    );
    write(folder, "Cargo.toml", &root);
    write(folder, "by_hand/src/lib.rs", "");
    write(folder, "by_hand/benches/by_hand.rs", BY_HAND);
    let used = PUBLISHED
        .iter()
        .filter(|one| ["itoa", "semver", "smol_str"].contains(&one.name));
    let used = used.map(|one| {
        format!(
            "{} = {{ path = \"../vendor/{0}-{}\" }}\n",
            one.name, one.version
        )
    });
    let manifest = format!(
        "[package]\nname = \"by_hand\"\nedition = \"2024\"\n\n[dependencies]\nalloc-scenario = {{ path = \
         '{HERE}/../alloc-scenario' }}\n{}\n[[bench]]\nname = \"by_hand\"\nharness = false\n",
        used.collect::<String>()
    );
    write(folder, "by_hand/Cargo.toml", &manifest);
    online_or_offline(folder, &["fetch", "--quiet"])
}

/// The manifest of an archive with the line of criterion changed, and nothing else.
fn with_the_line(manifest: &str) -> String {
    let (before, rest) = manifest
        .split_once("dev-dependencies.criterion]\n")
        .unwrap();
    let (version, after) = rest.split_once('\n').unwrap();
    assert!(version.starts_with("version = "), "{version}");
    format!(
        "{before}dev-dependencies.criterion]\npackage = \"alloc-criterion\"\npath = '{HERE}'\n{after}"
    )
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Cargo in a folder, with the network or with the registry's cache alone.
fn online_or_offline(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    if cargo(folder, arguments).status.success() {
        return Ok(());
    }
    let output = cargo(folder, &[arguments, &["--offline"]].concat());
    if output.status.success() {
        Ok(())
    } else {
        Err(text(&output.stderr))
    }
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(folder)
        .env(
            "CARGO_TARGET_DIR",
            folder
                .ancestors()
                .find(|one| one.ends_with("tmp"))
                .unwrap()
                .join("published-target"),
        )
        .env("ALLOC_GATE_CRITERION", "1")
        .env_remove("RUSTFLAGS");
    command.output().unwrap()
}

/// Measures with a bench, offline.
fn run(package: &Path, bench: &str) -> Output {
    let output = cargo(
        package,
        &[
            "test",
            "--quiet",
            "--offline",
            "--bench",
            bench,
            "--",
            "--bench",
        ],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The calls, bytes and peaks of each row of a bench's table.
fn counts(output: &Output) -> BTreeMap<String, Vec<String>> {
    let table = text(&output.stdout);
    let rows = table.lines().filter(|line| line.starts_with("| "));
    let rows = rows.skip(1).map(|row| {
        let mut cells = row
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned());
        let name = cells.next().unwrap();
        (name, cells.skip(1).take(5).collect())
    });
    rows.collect()
}
