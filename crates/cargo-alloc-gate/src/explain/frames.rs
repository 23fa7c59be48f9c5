//! Call stacks as functions and lines: [`captured`] reads the stacks that a bench recorded.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use alloc_gate::sites::{Members, ScenarioSites, Unexplained};
use alloc_results::Stream;
use alloc_symbols::{Error, Executable, Problem};

use super::not_measured;

/// The call stacks of a bench's scenarios, by name.
pub(super) type Captured = BTreeMap<String, Result<ScenarioSites, Unexplained>>;

/// The call stacks of a stream, with the frames that the executable at `path` names, which
/// recorded them. `source` is the file of the bench.
pub(super) fn captured(
    stream: &Stream,
    (path, source): (&Path, &str),
    members: &Members,
) -> Result<Captured, Unexplained> {
    let Some(anchor) = &stream.environment.anchor else {
        return Err(not_measured(
            "its version of alloc-scenario records no call stacks",
        ));
    };
    let unreadable = |error: Error| not_measured(&error.to_string());
    let missing = |name: &String| {
        let mut failures = stream.failures.iter();
        not_measured(if failures.any(|failure| failure.name == *name) {
            "the scenario failed in the second run"
        } else {
            "there was no time for it in the second run; raise `timeout` under `[run]`"
        })
    };
    let planned = stream.environment.planned.iter();
    let mut captured: Captured = planned
        .map(|name| (name.clone(), Err(missing(name))))
        .collect();
    let (with_stacks, without): (Vec<_>, Vec<_>) = stream
        .scenarios
        .iter()
        .partition(|scenario| scenario.sites.is_some());
    for scenario in without {
        let why = match scenario.sites_unavailable.as_deref() {
            Some(reason) if reason.starts_with("not exact") => not_measured(reason),
            _ => Unexplained::Target(stream.environment.target.clone()),
        };
        captured.insert(scenario.name.clone(), Err(why));
    }
    // Scenarios without stacks need no executable.
    if with_stacks.is_empty() {
        return Ok(captured);
    }
    let executable = Executable::open(path).map_err(unreadable)?;
    let mut symbols = executable.symbols(anchor).map_err(unreadable)?;
    let root = symbols.folder_of(source);
    let mut files: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    let mut relative = |file: Arc<str>| {
        let relative = files.entry(file);
        let root = root.as_deref();
        Arc::clone(relative.or_insert_with_key(|file| members.relative(file, root).into()))
    };
    let mut hidden = None;
    let mut with_frames = Vec::new();
    for scenario in with_stacks {
        let Some(sites) = &scenario.sites else {
            continue;
        };
        let stacks = sites.stacks.0.iter().map(|stack| {
            let mut frames = symbols.frames(stack);
            for frame in &mut frames {
                frame.file = frame.file.take().map(&mut relative);
            }
            let mut all = frames.iter();
            hidden = hidden.take().or_else(|| {
                let frame = all.find(|frame| members.is_hidden(frame))?;
                frame.file.clone()
            });
            frames
        });
        let sites = ScenarioSites::new(scenario, sites, stacks.collect());
        with_frames.push((scenario.name.clone(), sites));
    }
    let problem = symbols.problem();
    let problem = problem.filter(|problem| **problem != Problem::NoLineTables);
    let problem = problem.map(ToString::to_string).or_else(|| {
        let file = hidden?;
        Some(format!(
            "line tables name `{file}`, which is no file of the workspace; build without \
             `--remap-path-prefix`"
        ))
    });
    for (name, mut sites) in with_frames {
        sites.problem.clone_from(&problem);
        captured.insert(name, Ok(sites));
    }
    Ok(captured)
}
