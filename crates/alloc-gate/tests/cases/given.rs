//! The sections of a case that have a syntax of their own: the cfgs of targets, and benches that
//! the workspace does not have.

use alloc_gate::rules::Bench;
use alloc_gate::{CfgSets, Config};
use alloc_results::BenchId;

pub(crate) fn cfgs(text: &str) -> Result<CfgSets, String> {
    let mut sets = CfgSets::default();
    for block in text.split("target ").skip(1) {
        let (target, printed) = block.split_once('\n').unwrap_or((block, ""));
        sets.insert(target.trim(), printed)?;
    }
    Ok(sets)
}

/// The benches of a text, `package/target` a line.
pub(crate) fn benches(text: &str) -> Result<Vec<BenchId>, String> {
    text.lines()
        .map(|line| {
            let (package, target) = line.split_once('/').ok_or("a bench is `package/target`")?;
            Ok(BenchId {
                package: package.to_owned(),
                target: target.to_owned(),
            })
        })
        .collect()
}

pub(crate) fn unknown_benches<'b>(
    list: &str,
    config: &'b Config,
) -> Result<Vec<(&'b Bench, String)>, String> {
    list.lines()
        .map(|line| {
            let (name, hint) = line.split_once(": ").ok_or("an unknown bench has a hint")?;
            let bench = config
                .benches
                .iter()
                .find(|bench| format!("{}/{}", bench.package, bench.target) == name);
            let bench = bench.ok_or_else(|| format!("gates.toml has no bench `{name}`"))?;
            Ok((bench, hint.to_owned()))
        })
        .collect()
}
