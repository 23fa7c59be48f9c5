//! `init` in a package with benches over criterion: names them in gates.toml, and prints the line
//! of Cargo.toml that counts them.

use std::path::Path;

use alloc_gate::Config;
use alloc_results::BenchId;
use cargo_metadata::{Package, Target, TargetKind};

use super::sample::{RULES_HEAD, line_end};
use super::{
    Call, InitArguments, dependency, is_listed, present_rules, rules_files, source,
    warn_of_older_rust, write as write_files,
};
use crate::bench::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::shown;

/// The crate that counts, under the name of criterion.
const CRATE: &str = "alloc-criterion";

/// The Rust that criterion and alloc-criterion need.
const RUST: (u64, u64) = (1, 86);

/// How benches run, in the begin of a gates.toml.
const USUAL_RUN: &str = "A scenario can set its own numbers.
# [run]
# warmup = 1_000
# iterations = 10_000
";

/// The same for benches of criterion, which often have many scenarios.
const RUN: &str = "Scenarios of criterion have their sample_size, at most 100.
[run]
timeout = \"10m\" # of each bench
";

/// Writes the entries of the `benches` in gates.toml, and prints the line.
pub(super) fn write(
    arguments: &InitArguments,
    workspace: &Workspace,
    (package, benches): (&Package, &[String]),
    rules_path: &Path,
    call: &Call<'_>,
) -> Result<Code, Failure> {
    let rules = present_rules(workspace, rules_path, call)?;
    let before = rules.as_ref().map(|rules| rules.config.text().to_owned());
    let mut text = before
        .clone()
        .unwrap_or_else(|| RULES_HEAD.replace(USUAL_RUN, RUN));
    let line_end = line_end(&text);
    for target in benches {
        let bench = BenchId {
            package: package.name.to_string(),
            target: target.clone(),
        };
        if !is_listed(rules.as_ref(), workspace, &bench)? {
            let entry = format!(
                "\n\n[[bench]]\npackage = \"{}\"\ntarget = \"{target}\"\n{}",
                package.name,
                required_features(package, target)
            );
            text = text.trim_end().to_owned() + &entry.replace('\n', line_end);
        }
    }
    Config::parse(&shown(rules_path), &text).map_err(|mistakes| {
        let path = shown(rules_path);
        Failure::output_failed(format!("nothing was written: {path}: {mistakes}"))
    })?;
    let is_counted = package.dependencies.iter().any(|one| one.name == CRATE);
    let line = match is_counted {
        true => None,
        false => Some(line(package, &source(arguments, package, CRATE)?)),
    };
    let outputs = rules_files(rules_path, text, before, arguments.schema);
    write_files(outputs, call.shell)?;
    warn_of_older_rust(package, CRATE, RUST, call.shell);
    if let Some(line) = line {
        let manifest = shown(package.manifest_path.as_std_path());
        let what = format!("in {manifest}, replace the line of criterion with this one:");
        call.shell.note(&what, &line);
    }
    call.shell.verdict(
        "alloc-gate: named the benches of criterion; once Cargo.toml has the line, run `cargo \
         alloc-gate suggest --write` for gates",
    );
    Ok(Code::Held)
}

/// The features that the bench needs, as a line of its entry.
fn required_features(package: &Package, target: &str) -> String {
    let mut targets = package.targets.iter();
    let is_it = |one: &&Target| one.kind.contains(&TargetKind::Bench) && one.name == target;
    match targets.find(is_it).map(|bench| &bench.required_features) {
        Some(features) if !features.is_empty() => format!("features = {features:?}\n"),
        Some(_) | None => String::new(),
    }
}

/// The dependency of this source, a version in quotes or an inline table, with what the present
/// one has besides.
fn line(package: &Package, source: &str) -> String {
    let table = source
        .strip_prefix('{')
        .and_then(|keys| keys.strip_suffix('}'));
    let own = table.map_or_else(
        || format!("version = {source}"),
        |keys| keys.trim().to_owned(),
    );
    let mut line = format!("criterion = {{ package = \"{CRATE}\", {own}");
    let mut dependencies = package.dependencies.iter();
    if let Some(present) = dependencies.find(|one| one.name == "criterion") {
        if !present.uses_default_features {
            line.push_str(", default-features = false");
        }
        if !present.features.is_empty() {
            line.push_str(&format!(", features = {:?}", present.features));
        }
        if present.optional {
            line.push_str(", optional = true");
        }
    }
    line + " }"
}

/// Whether `init` is about these benches: the package has none of alloc-scenario.
pub(super) fn is_for(package: &Package, benches: &[String]) -> bool {
    let mut dependencies = package.dependencies.iter();
    !benches.is_empty() && dependencies.all(|one| one.name != dependency::CRATE)
}

#[cfg(test)]
mod tests {
    use alloc_results::protocol;

    use super::*;

    #[test]
    fn the_crate_has_this_rust_and_reads_this_variable() {
        let (major, minor) = RUST;
        let manifest = include_str!("../../../../alloc-criterion/Cargo.toml");
        assert!(manifest.contains(&format!("\nrust-version = \"{major}.{minor}\"\n")));
        let script = include_str!("../../../../alloc-criterion/build.rs");
        assert!(script.contains(&format!("\"{}\"", protocol::CRITERION)));
    }
}
