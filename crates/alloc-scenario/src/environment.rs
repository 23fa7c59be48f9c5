//! Where and how this process measures, as the record has it.

use std::env;
use std::path::Path;

use alloc_results::{BenchId, CounterProof, EnvironmentRecord, protocol};
use counting_alloc::{LivenessError, Proof, inner_allocator, prove};

use crate::measure::counts;
use crate::suite::Selection;

/// The proof that allocations are counted, or how it failed.
pub(crate) fn live_proof() -> Result<Proof, LivenessError> {
    let proof = prove();
    proof.check()?;
    Ok(proof)
}

/// The environment record of this process.
pub(crate) fn record(proof: &Proof, selection: &Selection<'_>) -> EnvironmentRecord {
    EnvironmentRecord {
        bench: BenchId {
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| String::from("unknown")),
            target: target(),
        },
        rustc: env!("ALLOC_SCENARIO_RUSTC").to_owned(),
        target: env!("ALLOC_SCENARIO_TARGET").to_owned(),
        profile: env::var(protocol::PROFILE)
            .unwrap_or_else(|_| env!("ALLOC_SCENARIO_PROFILE").to_owned()),
        features: features(&env::var(protocol::FEATURES).unwrap_or_default()),
        allocator: inner_allocator().unwrap_or("unknown").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        harness: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        proof: CounterProof {
            expected: counts(proof.expected),
            this_thread: counts(proof.this_thread),
            spawned_thread: proof.spawned_thread.map(counts),
            idle: counts(proof.idle),
        },
        filtered: selection.left_out > 0,
        planned: selection
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect(),
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

fn features(list: &str) -> Vec<String> {
    let mut features: Vec<String> = list
        .split(',')
        .filter(|feature| !feature.is_empty())
        .map(str::to_owned)
        .collect();
    features.sort_unstable();
    features.dedup();
    features
}

/// `alloc_count-0123456789abcdef`, as cargo names executables, without the hash.
fn without_hash(stem: &str) -> &str {
    match stem.rsplit_once('-') {
        Some((name, hash))
            if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            name
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cargos_hash_is_taken_off_a_name() {
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
    fn features_are_sorted_and_none_is_none() {
        assert_eq!(features("serde,alloc,serde"), ["alloc", "serde"]);
        assert!(features("").is_empty());
    }
}
