//! The sections of a case that have a syntax of their own: rules in short lines, the cfgs of
//! targets, and benches that the workspace does not have.

use alloc_gate::rules::Bench;
use alloc_gate::{CfgSets, Config};
use alloc_results::BenchId;

/// The TOML text of rules in short lines, below `version = 1`:
///
/// ```text
/// [baseline] data = "baseline.toml"
/// gate R12 encode*, decode: allocs < 5; reason = "few allocations"
/// ```
///
/// A line `[table]` has the keys of the table behind it, and a line `gate` a name, patterns and
/// keys; `allocs < 5` is `allocs = "< 5"`. Other lines are TOML.
pub(crate) fn rules(short: &str) -> String {
    let mut lines = vec![String::from("version = 1")];
    for line in short.lines() {
        let gate = line.strip_prefix("gate ");
        if let Some((head, keys)) = gate.and_then(|rest| rest.split_once(": ")) {
            let (name, patterns) = head.split_once(' ').unwrap_or((head, "*"));
            let patterns = patterns.replace(", ", "\", \"");
            lines.extend([String::new(), String::from("[[gate]]")]);
            lines.push(format!("name = \"{name}\""));
            lines.push(format!("scenarios = [\"{patterns}\"]"));
            lines.extend(keys.split("; ").map(key));
        } else if let Some((table, keys)) = line.split_once("] ").filter(|_| line.starts_with('['))
        {
            lines.extend([String::new(), format!("{table}]")]);
            lines.extend(keys.split("; ").map(str::to_owned));
        } else {
            lines.extend(line.starts_with('[').then(String::new));
            lines.push(line.to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// `allocs = "< 5"` for `allocs < 5`; another key as it is.
fn key(text: &str) -> String {
    match text.split_once(' ') {
        Some((key, limit)) if limit.starts_with(['<', '>']) || limit.starts_with("==") => {
            format!("{key} = \"{limit}\"")
        }
        _ => text.to_owned(),
    }
}

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
    let bench = |line: &str| {
        let (name, hint) = line.split_once(": ")?;
        let named = |bench: &&Bench| format!("{}/{}", bench.package, bench.target) == name;
        Some((config.benches.iter().find(named)?, hint.to_owned()))
    };
    let all = list
        .lines()
        .map(|line| bench(line).ok_or(format!("no bench: {line}")));
    all.collect()
}
