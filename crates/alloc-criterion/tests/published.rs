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
use std::path::Path;
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Packages whose archives have benches over criterion: the name, the version, the bench target and
/// the number of its benches.
const PUBLISHED: [(&str, &str, &str, usize); 5] = [
    ("itoa", "1.0.19", "bench", 14),
    ("ryu", "1.0.23", "bench", 16),
    ("semver", "1.0.28", "parse", 3),
    ("smol_str", "0.3.7", "bench", 21),
    ("zmij", "1.0.23", "bench", 15),
];

/// The calls of some of these benches, by their names.
const BY_HAND: &str = r#"
use std::hint::black_box;

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
    for (name, version, bench, benches) in PUBLISHED {
        let output = run(&folder.join(format!("vendor/{name}-{version}")), bench);
        let counted = counts(&output);
        assert_eq!(counted.len(), benches, "{}", text(&output.stdout));
        for (bench, counts) in &counted {
            if let Some(expected) = by_hand.get(bench) {
                assert_eq!(counts, expected, "{name}: {bench}");
                *compared.entry(name).or_default() += 1;
            }
        }
        println!(
            "published: {name} {version}: {benches} benches ran, {} counted the same by hand",
            compared.get(name).unwrap_or(&0)
        );
    }
    let expected = [("itoa", 1), ("semver", 3), ("smol_str", 9)];
    assert_eq!(compared, BTreeMap::from(expected));
}

/// Makes a workspace of the packages with the one line, and of the scenarios. The error says which
/// archives are missing, of the packages or of their dependencies.
fn unpack(folder: &Path) -> Result<(), String> {
    write(folder, "archives/src/lib.rs", "");
    let versions = PUBLISHED.map(|(name, version, ..)| format!("{name} = \"={version}\"\n"));
    let manifest = format!(
        "[package]\nname = \"archives\"\n\n[workspace]\n\n[dependencies]\n{}",
        versions.concat()
    );
    write(folder, "archives/Cargo.toml", &manifest);
    online_or_offline(
        &folder.join("archives"),
        &["vendor", "--quiet", "--versioned-dirs", "../vendor"],
    )?;

    let mut members = String::new();
    let mut used = String::new();
    for (name, version, ..) in PUBLISHED {
        let member = format!("vendor/{name}-{version}");
        let path = folder.join(&member).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, with_the_line(&text)).unwrap();
        members += &format!("\"{member}\", ");
        if ["itoa", "semver", "smol_str"].contains(&name) {
            used += &format!("{name} = {{ path = \"../{member}\" }}\n");
        }
    }
    let root = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{members}\"by_hand\"]\n\n[profile.dev]\ndebug = \
         false\n"
    );
    write(folder, "Cargo.toml", &root);
    write(folder, "by_hand/src/lib.rs", "");
    write(folder, "by_hand/benches/by_hand.rs", BY_HAND);
    let manifest = format!(
        "[package]\nname = \"by_hand\"\nedition = \"2024\"\n\n[dependencies]\nalloc-scenario = {{ path = \
         '{HERE}/../alloc-scenario' }}\n{used}\n[[bench]]\nname = \"by_hand\"\nharness = false\n"
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
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published-target");
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("ALLOC_GATE_CRITERION", "1")
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

/// Measures with a bench, offline.
fn run(package: &Path, bench: &str) -> Output {
    let test = [
        "test",
        "--quiet",
        "--offline",
        "--bench",
        bench,
        "--",
        "--bench",
    ];
    let output = cargo(package, &test);
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
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap();
        (
            name.to_owned(),
            cells.skip(1).take(5).map(str::to_owned).collect(),
        )
    });
    rows.collect()
}
