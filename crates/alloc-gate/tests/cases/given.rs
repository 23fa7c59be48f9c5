//! The sections of a case that have a syntax of their own: the history of a baseline, the
//! cfgs of targets, and benches that the workspace does not have.

use alloc_gate::baseline::Coverage;
use alloc_gate::rules::Bench;
use alloc_gate::{Baseline, CfgSets, Config, Date, History, Measurements, PastBaseline};
use alloc_results::BenchId;

use super::results;

pub(crate) fn history(text: &str) -> Result<Result<History, String>, String> {
    let mut history = History::default();
    let mut blocks: Vec<(PastBaseline, String)> = Vec::new();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "absent" => return Ok(Err(rest.to_owned())),
            "shallow" => history.is_shallow = true,
            "commit" | "boundary" => {
                let (commit, date) = rest.split_once(' ').ok_or("a commit has a date")?;
                let past = PastBaseline {
                    commit: commit.to_owned(),
                    date: Date::parse(date).ok_or_else(|| format!("`{date}` is not a date"))?,
                    is_boundary: word == "boundary",
                    baseline: Ok(Baseline::default()),
                };
                blocks.push((past, String::new()));
            }
            _ => {
                let (past, results) = blocks.last_mut().ok_or("no commit stands above")?;
                match word {
                    "unreadable" => past.baseline = Err(rest.to_owned()),
                    _ => results.push_str(&format!("{line}\n")),
                }
            }
        }
    }
    for (mut past, results) in blocks {
        let groups = Measurements::by_environment(results::streams(&results)?);
        for (accepted, _) in groups.map_err(|error| error.to_string())? {
            past.baseline = past
                .baseline
                .map(|baseline| baseline.accept(&accepted, Coverage::AllBenches));
        }
        history.commits.push(past);
    }
    Ok(Ok(history))
}

pub(crate) fn cfgs(text: &str) -> Result<CfgSets, String> {
    let mut sets = CfgSets::default();
    for block in text.split("target ").skip(1) {
        let (target, printed) = block.split_once('\n').unwrap_or((block, ""));
        let inserted = sets.insert(target.trim(), printed);
        inserted.map_err(|error| error.to_string())?;
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
