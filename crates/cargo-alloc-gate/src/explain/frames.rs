//! Call stacks as functions and lines: [`resolved`] gives a stream the frames that its executable
//! names, and [`captured`] reads the stacks of such a stream, on this machine or on another one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use alloc_gate::sites::{Frame, FrameKind, Members, ScenarioSites, Unexplained};
use alloc_results::{ExecutableRecord, FrameRecord, Stream};
use alloc_symbols::{Error, Executable, Problem};

use super::not_measured;

/// The call stacks of a bench's scenarios, by name.
pub(super) type Captured = BTreeMap<String, Result<ScenarioSites, Unexplained>>;

/// The stream with the frames of its stacks, by the executable at `path`, which recorded them.
pub(super) fn resolved(
    mut stream: Stream,
    path: &Path,
    members: &Members,
) -> Result<Stream, Unexplained> {
    let Some(record) = &mut stream.environment.executable else {
        return Err(not_measured(
            "its version of alloc-scenario records no call stacks",
        ));
    };
    let mut frames = Frames::default();
    let captured = stream
        .scenarios
        .iter_mut()
        .filter_map(|one| one.sites.as_mut());
    let mut captured = captured.peekable();
    // Scenarios without stacks need no executable.
    if captured.peek().is_some() {
        let unreadable = |error: Error| {
            if matches!(error, Error::AnotherBuild { .. }) {
                Unexplained::Rebuilt
            } else {
                not_measured(&error.to_string())
            }
        };
        let executable = Executable::open(path).map_err(unreadable)?;
        if let Some(id) = &record.build_id {
            executable.require_build_id(id).map_err(unreadable)?;
        }
        let mut symbols = executable.symbols(&record.anchor).map_err(unreadable)?;
        for stack in captured.flat_map(|sites| &mut sites.stacks.0) {
            let named = symbols.frames(stack).into_iter();
            *stack = named.map(|frame| frames.index(frame, members)).collect();
        }
        let problem = symbols.problem();
        let problem = problem.filter(|problem| **problem != Problem::NoLineTables);
        record.problem = problem.map(ToString::to_string);
    }
    record.frames = Some(frames.records);
    Ok(stream)
}

/// Different frames, in the order in which they were first seen.
#[derive(Default)]
struct Frames {
    records: Vec<FrameRecord>,
    indices: HashMap<Frame, i64>,
}

impl Frames {
    fn index(&mut self, frame: Frame, members: &Members) -> i64 {
        let Self { records, indices } = self;
        *indices.entry(frame).or_insert_with_key(|frame| {
            records.push(FrameRecord {
                function: frame.function.to_string(),
                file: frame.file.as_deref().map(|file| members.relative(file)),
                line: frame.line,
                column: frame.column,
                inlined: frame.kind == FrameKind::Inlined,
                tail_called: frame.kind == FrameKind::TailCalled,
            });
            records.len() as i64 - 1
        })
    }
}

/// The frames of a record.
fn frames(record: &ExecutableRecord) -> Vec<Frame> {
    let mut files: HashMap<&str, Arc<str>> = HashMap::new();
    let mut shared = |file| Arc::clone(files.entry(file).or_insert_with(|| file.into()));
    let records = record.frames.iter().flatten();
    let frames = records.map(|record| Frame {
        function: record.function.as_str().into(),
        file: record.file.as_deref().map(&mut shared),
        line: record.line,
        column: record.column,
        kind: match (record.inlined, record.tail_called) {
            (true, _) => FrameKind::Inlined,
            (false, true) => FrameKind::TailCalled,
            (false, false) => FrameKind::Called,
        },
    });
    frames.collect()
}

/// The call stacks of a stream that has frames.
pub(super) fn captured(stream: &Stream) -> Captured {
    let record = stream.environment.executable.as_deref();
    let frames = record.map_or_else(Vec::new, frames);
    let failed = not_measured("the scenario failed in the second run");
    let planned = stream.environment.planned.iter();
    let mut captured: Captured = planned
        .map(|name| (name.clone(), Err(failed.clone())))
        .collect();
    captured.extend(stream.scenarios.iter().map(|scenario| {
        let sites = match &scenario.sites {
            Some(sites) => {
                let stacks = sites.stacks.0.iter().map(|stack| {
                    // The reader has checked the indices.
                    let indices = stack.iter().filter_map(|&at| usize::try_from(at).ok());
                    indices.filter_map(|at| frames.get(at).cloned()).collect()
                });
                let mut sites = ScenarioSites::new(scenario, sites, stacks.collect());
                sites.problem = record.and_then(|record| record.problem.clone());
                Ok(sites)
            }
            None => Err(match scenario.sites_unavailable.as_deref() {
                Some(reason) if reason.starts_with("not exact") => not_measured(reason),
                _ => Unexplained::Target(stream.environment.target.clone()),
            }),
        };
        (scenario.name.clone(), sites)
    }));
    captured
}
