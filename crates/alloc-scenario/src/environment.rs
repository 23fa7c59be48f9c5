//! The environment record: where and how this process measures.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::thread;
use std::time::SystemTime;

use alloc_results::{BenchId, CounterProof, EnvironmentRecord, UnavailableScenario, protocol};
use counting_alloc::{LivenessError, Proof, inner_allocator};

use crate::plan::Plan;
use crate::selection::Selection;
use crate::sites;

/// Checks that the proof shows a live counter. The error says what to do, with the
/// names of this crate, or of alloc-criterion if scenarios are called.
pub(crate) fn check(proof: &Proof, is_called: bool) -> Result<(), String> {
    proof.check().map_err(|error| {
        if error != LivenessError::NotInstalled {
            return error.to_string();
        }
        if is_called {
            return String::from(
                "no allocation was counted: the program's global allocator is not counted. \
                 Replace its `#[global_allocator]` by `criterion::global_allocator!(TYPE, VALUE)`",
            );
        }
        String::from(
            "no allocation was counted: `CountingAlloc` is not the global allocator of this \
             bench. Add to its root:\n    \
             #[global_allocator]\n    \
             static ALLOC: alloc_scenario::CountingAlloc = \
             alloc_scenario::CountingAlloc::system();\n\
             If a crate of the program has a `#[global_allocator]`, put the counter around that \
             one instead: `CountingAlloc::new(...)`",
        )
    })
}

/// The environment record of this process.
pub(crate) fn record(proof: &Proof, selection: &Selection, plan: &Plan) -> EnvironmentRecord {
    let entries = selection.entries.iter();
    let available = entries.clone().filter(|entry| entry.place.is_ok());
    let unavailable = entries.filter_map(|entry| {
        Some(UnavailableScenario {
            name: entry.name.clone(),
            axes: entry.axes.clone(),
            location: entry.location(),
            reason: entry.place.clone().err()?,
        })
    });
    let (commit, dirty) = commit(&env::var(protocol::COMMIT).unwrap_or_default());
    EnvironmentRecord {
        bench: BenchId {
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| String::from("unknown")),
            target: target(),
        },
        rustc: env!("ALLOC_SCENARIO_RUSTC").to_owned(),
        target: env!("ALLOC_SCENARIO_TARGET").to_owned(),
        profile: env::var(protocol::PROFILE).unwrap_or_else(|_| profile()),
        features: features(&env::var(protocol::FEATURES).unwrap_or_default()),
        allocator: inner_allocator().unwrap_or("unknown").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        harness: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        proof: CounterProof {
            expected: proof.expected,
            this_thread: proof.this_thread,
            spawned_thread: proof.spawned_thread,
            idle: proof.idle,
        },
        planned: available.map(|entry| entry.name.clone()).collect(),
        cores: thread::available_parallelism()
            .ok()
            .and_then(|cores| u64::try_from(cores.get()).ok()),
        commit,
        dirty,
        unix_time: SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .ok()
            .map(|since| since.as_secs()),
        opt_level: env::var(protocol::OPT_LEVEL).ok(),
        runner: env::var(protocol::RUNNER).ok(),
        quick: plan.quick,
        unavailable: unavailable.collect(),
        registered: selection.registered.clone(),
        anchor: plan.sites.then(sites::anchor_path),
    }
}

/// The commit of a value of [`protocol::COMMIT`], and whether the tree was dirty.
fn commit(value: &str) -> (Option<String>, Option<bool>) {
    let clean = value.strip_suffix(protocol::DIRTY);
    match clean.unwrap_or(value) {
        "" => (None, None),
        commit => (Some(commit.to_owned()), Some(clean.is_some())),
    }
}

/// The name of the bench target.
pub(crate) fn target() -> String {
    if let Ok(target) = env::var(protocol::TARGET) {
        return target;
    }
    let program = env::args_os().next().unwrap_or_default();
    let stem = Path::new(&program).file_stem().unwrap_or_default();
    without_hash(&stem.to_string_lossy()).to_owned()
}

/// The cargo profile, by the folder of this executable.
fn profile() -> String {
    let program = env::current_exe().ok();
    let folder = program.as_deref().and_then(profile_folder);
    folder.unwrap_or("unknown").to_owned()
}

/// The profile of `target/PROFILE/deps/program`. The profiles `dev` and `test` share
/// the folder `debug`, and `release` and `bench` share `release`. Benches are built
/// with the second profile of each pair.
fn profile_folder(program: &Path) -> Option<&str> {
    let folder = program.parent()?.parent()?.file_name()?.to_str()?;
    Some(match folder {
        "debug" => "test",
        "release" => "bench",
        custom => custom,
    })
}

fn features(list: &str) -> Vec<String> {
    let features = list.split(',').filter(|feature| !feature.is_empty());
    let features: BTreeSet<&str> = features.collect();
    features.into_iter().map(str::to_owned).collect()
}

/// The name of an executable, such as `alloc_count-0123456789abcdef`, without
/// cargo's hash.
fn without_hash(stem: &str) -> &str {
    let is_hash =
        |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts = stem.rsplit_once('-').filter(|(_, hash)| is_hash(hash));
    parts.map_or(stem, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cargos_hash_is_removed_from_a_name() {
        for (stem, name) in [
            ("alloc_count-0123456789abcdef", "alloc_count"),
            ("two-words-0123456789abcdef", "two-words"),
            ("two-words", "two-words"),
            ("alloc_count", "alloc_count"),
            ("x-0123456789abcdeg", "x-0123456789abcdeg"),
        ] {
            assert_eq!(without_hash(stem), name);
        }
    }

    #[test]
    fn the_folder_tells_the_profile() {
        for (program, profile) in [
            (
                "/w/target/release/deps/alloc_count-0123456789abcdef",
                "bench",
            ),
            ("/w/target/x86_64-pc-windows-gnu/debug/deps/a.exe", "test"),
            ("/w/target/lto/deps/a", "lto"),
        ] {
            assert_eq!(profile_folder(Path::new(program)), Some(profile));
        }
        assert_eq!(profile_folder(Path::new("a")), None);
    }

    #[test]
    fn a_commit_says_whether_the_tree_was_dirty() {
        assert_eq!(commit("4f1c"), (Some("4f1c".to_owned()), Some(false)));
        assert_eq!(commit("4f1c-dirty"), (Some("4f1c".to_owned()), Some(true)));
        for unknown in ["", "-dirty"] {
            assert_eq!(commit(unknown), (None, None));
        }
    }

    #[test]
    fn features_are_sorted_and_distinct() {
        assert_eq!(features("serde,alloc,serde"), ["alloc", "serde"]);
        assert!(features("").is_empty());
    }
}
