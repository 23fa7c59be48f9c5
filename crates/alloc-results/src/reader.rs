//! [`read_streams`]: reads lines as streams. A stream that is incomplete or
//! inconsistent is refused with a sentence that says what to do.

mod sites;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::custom::check_custom_names;
use crate::environment::EnvironmentRecord;
use crate::metric::Reading;
use crate::record::{self, EndRecord, FailureRecord, MOST, SCHEMA, ScenarioRecord};
use counting_alloc::Tally;

/// One complete stream: everything that one process measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Where and how it was measured.
    pub environment: EnvironmentRecord,
    /// The scenarios, in the order in which they were measured.
    pub scenarios: Vec<ScenarioRecord>,
    /// The scenarios that panicked.
    pub failures: Vec<FailureRecord>,
}

/// Why a text is not a stream, with the place of the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamError {
    /// The name of the file, as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with the line, or with the stream that it ends.
    pub problem: StreamProblem,
}

/// What is wrong, and what to do, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamProblem {
    /// Its kind.
    pub kind: ProblemKind,
    /// The sentence.
    pub message: String,
}

/// The kinds of problems that mean different things to whoever started the bench.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The stream has no end record.
    Truncated {
        /// The next planned scenario, if any.
        next: Option<String>,
        /// The records before.
        so_far: Box<Stream>,
    },
    /// The counter miscounted known operations.
    DeadCounter,
    /// The sites of a scenario don't add up to its readings, or are not whole.
    WrongSites,
    /// The text is not what a bench writes, was damaged, or is of another version.
    Unusable,
}

fn unusable(message: impl Into<String>) -> StreamProblem {
    StreamProblem {
        kind: ProblemKind::Unusable,
        message: message.into(),
    }
}

/// Reads the streams in `text`, one after the other. `file` is the name of the
/// text in errors.
///
/// # Errors
///
/// At the first wrong line. Nothing of a file with an error is used, so that an
/// incomplete measurement never looks like a complete one.
pub fn read_streams(file: &str, text: &str) -> Result<Vec<Stream>, StreamError> {
    let error = |line, problem| StreamError {
        file: file.to_owned(),
        line,
        problem,
    };
    let mut streams = Vec::new();
    let mut open: Option<OpenStream> = None;
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        last = index + 1;
        match read_line(line, open.take()) {
            Ok(Step::Open(stream)) => open = Some(stream),
            Ok(Step::Whole(stream)) => streams.push(stream),
            Err(problem) => return Err(error(last, problem)),
        }
    }
    if let Some(stream) = open {
        return Err(error(last, stream.truncated()));
    }
    if streams.is_empty() {
        let message = "no records; run the bench again, and return the result of `Suite::finish` \
                       from `main`";
        return Err(error(last, unusable(message)));
    }
    Ok(streams)
}

/// The fields of every line.
#[derive(Deserialize)]
struct Head {
    schema: u64,
    record: String,
}

/// A stream whose end has not been read yet.
struct OpenStream {
    stream: Stream,
    /// The planned names, each with whether its record has been read.
    seen: HashMap<String, bool>,
}

enum Step {
    Open(OpenStream),
    Whole(Stream),
}

fn read_line(line: &str, open: Option<OpenStream>) -> Result<Step, StreamProblem> {
    let head: Head = serde_json::from_str(line).map_err(|error| {
        unusable(format!(
            "not a result line of alloc-gate ({error}); give the files that a bench wrote under \
             ALLOC_GATE_BENCH_RESULTS"
        ))
    })?;
    let found = head.schema;
    if found != SCHEMA {
        let what_to_do = if found > SCHEMA {
            "update cargo-alloc-gate to the version of the bench's alloc-scenario"
        } else {
            "measure again with the current alloc-scenario"
        };
        return Err(unusable(format!(
            "the results have schema {found}, and this program reads schema {SCHEMA}; {what_to_do}"
        )));
    }
    if head.record == record::ENVIRONMENT {
        return match open {
            Some(stream) => Err(stream.truncated()),
            None => OpenStream::begin(body(line)?).map(Step::Open),
        };
    }
    let Some(mut open) = open else {
        return Err(unusable(
            "the first record is not an environment record; the start of the file is missing: \
             measure again",
        ));
    };
    match head.record.as_str() {
        record::SCENARIO => open.scenario(body(line)?)?,
        record::FAILURE => open.failure(body(line)?)?,
        record::END => return open.end(body(line)?).map(Step::Whole),
        kind => {
            return Err(unusable(format!(
                "unknown kind of record, `{kind}`; update cargo-alloc-gate to the version of the \
                 bench's alloc-scenario"
            )));
        }
    }
    Ok(Step::Open(open))
}

fn body<T: DeserializeOwned>(line: &str) -> Result<T, StreamProblem> {
    serde_json::from_str(line).map_err(|error| malformed(&error.to_string()))
}

fn malformed(reason: &str) -> StreamProblem {
    unusable(format!(
        "invalid record ({reason}); the file was damaged or edited: measure again"
    ))
}

impl OpenStream {
    fn begin(environment: EnvironmentRecord) -> Result<Self, StreamProblem> {
        if let Some(message) = environment.proof.shortfall() {
            let kind = ProblemKind::DeadCounter;
            return Err(StreamProblem { kind, message });
        }
        if !environment.registered.is_empty() {
            let registered: HashSet<&String> = environment.registered.iter().collect();
            let unavailable = environment.unavailable.iter().map(|one| &one.name);
            let mut names = environment.planned.iter().chain(unavailable);
            if let Some(name) = names.find(|name| !registered.contains(name)) {
                return Err(malformed(&format!(
                    "`{name}` is not among the registered scenarios"
                )));
            }
        }
        let planned = environment.planned.iter().cloned();
        Ok(Self {
            seen: planned.map(|name| (name, false)).collect(),
            stream: Stream {
                environment,
                scenarios: Vec::new(),
                failures: Vec::new(),
            },
        })
    }

    fn scenario(&mut self, scenario: ScenarioRecord) -> Result<(), StreamProblem> {
        self.see(&scenario.name)?;
        check_custom_names(scenario.metrics.iter().map(|metric| &*metric.name))
            .map_err(|reason| malformed(&reason))?;
        let times = scenario
            .samples
            .iter()
            .try_fold(0_u64, |sum, sample| sum.checked_add(sample.times));
        let mut readings = scenario.samples.iter().map(|sample| &sample.reading);
        let is_countable = |reading: &Reading| {
            let Tally {
                allocs,
                reallocs,
                deallocs,
                bytes,
                freed_bytes,
                failed: _,
            } = reading.counts;
            let peak = reading.peak_bytes.unwrap_or_default();
            let counts = [allocs, reallocs, deallocs, bytes, freed_bytes, peak];
            counts.iter().all(|count| *count <= MOST)
        };
        let metrics = scenario.metrics.iter().map(|metric| &metric.samples);
        let peaks = scenario.peak_pass.as_ref().map(|pass| &pass.samples);
        let is_whole = !scenario.samples.is_empty()
            && scenario.iterations <= MOST
            && times == Some(scenario.iterations)
            && is_countable(&scenario.first)
            && readings.all(is_countable)
            && peaks.is_none_or(|peaks| peaks.min() >= 0 && peaks.max() <= MOST.into())
            && (metrics.chain(peaks)).all(|values| values.iterations() == scenario.iterations);
        if !is_whole {
            return Err(unusable(format!(
                "the samples of `{}` don't add up to its iterations, or are too large to have \
                 been counted; the file was damaged or edited: measure again",
                scenario.name
            )));
        }
        let sites = scenario.sites.as_ref();
        if let Some(mistake) = sites.and_then(|sites| sites.mistake(&scenario)) {
            let message = format!(
                "the sites of `{}` don't add up to its samples ({mistake}); the file was damaged \
                 or edited: measure again",
                scenario.name
            );
            let kind = ProblemKind::WrongSites;
            return Err(StreamProblem { kind, message });
        }
        self.stream.scenarios.push(scenario);
        Ok(())
    }

    fn failure(&mut self, failure: FailureRecord) -> Result<(), StreamProblem> {
        self.see(&failure.name)?;
        self.stream.failures.push(failure);
        Ok(())
    }

    fn see(&mut self, name: &str) -> Result<(), StreamProblem> {
        match self.seen.get_mut(name) {
            None => Err(unusable(format!(
                "the scenario `{name}` was not announced; two runs wrote to one file: measure \
                 again into separate files"
            ))),
            Some(true) => Err(unusable(format!(
                "two scenarios are called `{name}`; give each its own name or group"
            ))),
            Some(seen) => {
                *seen = true;
                Ok(())
            }
        }
    }

    fn end(self, end: EndRecord) -> Result<Stream, StreamProblem> {
        let scenarios = self.stream.scenarios.len() as u64;
        let failed = self.stream.failures.len() as u64;
        let planned = self.stream.environment.planned.len() as u64;
        if (end.scenarios, end.failed) != (scenarios, failed) || scenarios + failed != planned {
            let end = end.scenarios.saturating_add(end.failed);
            let found = scenarios + failed;
            return Err(unusable(format!(
                "the end record counts {end} scenarios, {planned} were announced and {found} are \
                 here; lines are missing, measure again"
            )));
        }
        Ok(self.stream)
    }

    fn truncated(self) -> StreamProblem {
        let mut planned = self.stream.environment.planned.iter();
        let next = planned.find(|name| self.seen.get(*name) != Some(&true));
        let end = match next {
            Some(name) => format!("while it measured `{name}`"),
            None => String::from("after its last scenario, before `Suite::finish` returned"),
        };
        let message = format!("the end record is missing; the bench exited {end}");
        let next = next.cloned();
        let so_far = Box::new(self.stream);
        StreamProblem {
            kind: ProblemKind::Truncated { next, so_far },
            message,
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

impl Error for StreamError {}

impl fmt::Display for StreamProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
