//! Inputs of the engine that depend on the machine: the cfgs of rustc for the targets that
//! were measured.

use std::process::Command;

use alloc_gate::{CfgSets, Config, Measurements};

use crate::cargo;
use crate::children;
use crate::failure::Failure;

/// The cfgs of each target that the rules need. Without one, rustc is not started.
pub(crate) fn cfgs(config: &Config, measurements: &Measurements) -> Result<CfgSets, Failure> {
    cfgs_of(CfgSets::needed(config, measurements), config)
}

/// The cfgs of these targets.
pub(crate) fn cfgs_of<'t>(
    targets: impl IntoIterator<Item = &'t str>,
    config: &Config,
) -> Result<CfgSets, Failure> {
    let mut sets = CfgSets::default();
    for target in targets {
        let printed =
            cargo::print_cfg(target).map_err(|reason| unknown(target, config, &reason))?;
        let inserted = sets.insert(target, &printed);
        inserted.map_err(|error| unknown(target, config, &error))?;
    }
    Ok(sets)
}

/// The target that rustc builds for without an option.
pub(crate) fn host() -> Result<String, Failure> {
    let output = children::output(Command::new(cargo::rustc()).arg("-vV")).ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| {
        Failure::build_failed("rustc does not report its host, which the `when` of a bench needs")
            .help("set RUSTC to a rustc, or pass --target")
    })
}

fn unknown(target: &str, config: &Config, reason: &str) -> Failure {
    Failure::bench_failed(format!(
        "failed to get the cfgs of `{target}` from rustc, for a `when` in {}: {reason}",
        config.file()
    ))
    .help(
        "set RUSTC to a rustc that knows the target, or write target triples in `when` instead of \
         cfgs",
    )
}
