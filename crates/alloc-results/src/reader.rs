//! [`read_streams`]: reads lines as streams. A stream that is incomplete or
//! inconsistent is refused with a sentence that says what to do.

mod sites;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::environment::{EnvironmentRecord, Shortfall};
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
    /// The problem.
    pub problem: StreamProblem,
}

/// What is wrong with a line, or with the stream that it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamProblem {
    /// There are no records.
    Empty,
    /// The line is not a record: not JSON, or without a schema number.
    Foreign {
        /// The error of the JSON parser.
        reason: String,
    },
    /// The line has a major version that this crate does not know.
    UnknownSchema {
        /// The version that the line names.
        found: u64,
    },
    /// The line is a record of an unknown kind.
    UnknownRecord {
        /// The kind that the line names.
        kind: String,
    },
    /// A field of a record is missing or has the wrong type.
    Malformed {
        /// The error of the JSON parser.
        reason: String,
    },
    /// A record comes before any environment record.
    NoEnvironment,
    /// The stream has no end record.
    Truncated {
        /// The next planned scenario, if any.
        next: Option<String>,
        /// The records before.
        so_far: Box<Stream>,
    },
    /// A scenario occurs twice.
    Duplicate {
        /// The scenario's name.
        name: String,
    },
    /// A scenario occurs that was not planned.
    Unplanned {
        /// The scenario's name.
        name: String,
    },
    /// The end record has another number of scenarios than the stream.
    WrongCount {
        /// The number in the end record.
        end: u64,
        /// The number of scenarios in the stream.
        found: u64,
        /// The number of planned scenarios.
        planned: u64,
    },
    /// The samples of a scenario don't add up to its iterations, are missing, or
    /// are too large to have been counted.
    WrongSamples {
        /// The scenario's name.
        name: String,
    },
    /// The sites of a scenario don't add up to its readings, or are not whole.
    WrongSites {
        /// The scenario's name.
        name: String,
        /// What is wrong, as a noun: `allocs of the first call`.
        mistake: String,
    },
    /// The counter miscounted known operations.
    DeadCounter(Box<Shortfall>),
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
        return Err(error(last, StreamProblem::Empty));
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
    let head: Head = serde_json::from_str(line).map_err(|error| StreamProblem::Foreign {
        reason: error.to_string(),
    })?;
    if head.schema != SCHEMA {
        return Err(StreamProblem::UnknownSchema { found: head.schema });
    }
    if head.record == record::ENVIRONMENT {
        return match open {
            Some(stream) => Err(stream.truncated()),
            None => OpenStream::begin(body(line)?).map(Step::Open),
        };
    }
    let Some(mut open) = open else {
        return Err(StreamProblem::NoEnvironment);
    };
    match head.record.as_str() {
        record::SCENARIO => open.scenario(body(line)?)?,
        record::FAILURE => open.failure(body(line)?)?,
        record::END => return open.end(body(line)?).map(Step::Whole),
        _ => return Err(StreamProblem::UnknownRecord { kind: head.record }),
    }
    Ok(Step::Open(open))
}

fn body<T: DeserializeOwned>(line: &str) -> Result<T, StreamProblem> {
    serde_json::from_str(line).map_err(|error| StreamProblem::Malformed {
        reason: error.to_string(),
    })
}

impl OpenStream {
    fn begin(environment: EnvironmentRecord) -> Result<Self, StreamProblem> {
        if let Some(shortfall) = environment.proof.shortfall() {
            return Err(StreamProblem::DeadCounter(Box::new(shortfall)));
        }
        if !environment.registered.is_empty() {
            let registered: HashSet<&String> = environment.registered.iter().collect();
            let unavailable = environment.unavailable.iter().map(|one| &one.name);
            let mut names = environment.planned.iter().chain(unavailable);
            if let Some(name) = names.find(|name| !registered.contains(name)) {
                let reason = format!("`{name}` is not among the registered scenarios");
                return Err(StreamProblem::Malformed { reason });
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
        let times = scenario
            .samples
            .iter()
            .try_fold(0_u64, |sum, sample| sum.checked_add(sample.times));
        let is_countable = scenario.iterations <= MOST
            && scenario.samples.iter().all(|sample| {
                let reading = &sample.reading;
                let peak = reading.peak_bytes.unwrap_or_default();
                let Tally {
                    allocs,
                    reallocs,
                    deallocs,
                    bytes,
                    freed_bytes,
                    ..
                } = reading.counts;
                let counts = [allocs, reallocs, deallocs, bytes, freed_bytes, peak];
                counts.iter().all(|count| *count <= MOST)
            });
        let is_peak_whole = scenario.peak_pass.as_ref().is_none_or(|pass| {
            let samples = pass.samples.iter();
            let times = samples
                .clone()
                .try_fold(0_u64, |sum, sample| sum.checked_add(sample.times));
            times == Some(scenario.iterations)
                && samples.clone().all(|sample| sample.peak_bytes <= MOST)
        });
        let is_custom_whole = scenario
            .custom()
            .all(|(_, figure)| figure.distribution().iterations() == scenario.iterations);
        if scenario.samples.is_empty()
            || times != Some(scenario.iterations)
            || !is_countable
            || !is_peak_whole
            || !is_custom_whole
        {
            return Err(StreamProblem::WrongSamples {
                name: scenario.name,
            });
        }
        let sites = scenario.sites.as_ref();
        if let Some(mistake) = sites.and_then(|sites| sites.mistake(&scenario)) {
            return Err(StreamProblem::WrongSites {
                name: scenario.name,
                mistake,
            });
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
        let name = name.to_owned();
        match self.seen.get_mut(&name) {
            None => Err(StreamProblem::Unplanned { name }),
            Some(true) => Err(StreamProblem::Duplicate { name }),
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
            return Err(StreamProblem::WrongCount {
                end: end.scenarios.saturating_add(end.failed),
                found: scenarios + failed,
                planned,
            });
        }
        Ok(self.stream)
    }

    fn truncated(self) -> StreamProblem {
        let mut planned = self.stream.environment.planned.iter();
        let next = planned.find(|name| self.seen.get(*name) != Some(&true));
        StreamProblem::Truncated {
            next: next.cloned(),
            so_far: Box::new(self.stream),
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
        match self {
            Self::Empty => f.write_str(
                "no records; run the bench again, and return the result of `Suite::finish` from \
                 `main`",
            ),
            Self::Foreign { reason } => write!(
                f,
                "not a result line of alloc-gate ({reason}); give the files that a bench wrote \
                 under ALLOC_GATE_BENCH_RESULTS"
            ),
            Self::UnknownSchema { found } if *found > SCHEMA => write!(
                f,
                "the results have schema {found}, and this program reads schema {SCHEMA}; update \
                 cargo-alloc-gate to the version of the bench's alloc-scenario"
            ),
            Self::UnknownSchema { found } => write!(
                f,
                "the results have schema {found}, and this program reads schema {SCHEMA}; measure \
                 again with the current alloc-scenario"
            ),
            Self::UnknownRecord { kind } => write!(
                f,
                "unknown kind of record, `{kind}`; update cargo-alloc-gate to the version of \
                 the bench's alloc-scenario"
            ),
            Self::Malformed { reason } => write!(
                f,
                "invalid record ({reason}); the file was damaged or edited: measure again"
            ),
            Self::NoEnvironment => f.write_str(
                "the first record is not an environment record; the start of the file is missing: \
                 measure again",
            ),
            Self::Truncated {
                next: Some(name), ..
            } => write!(
                f,
                "the end record is missing; the bench exited while it measured `{name}`"
            ),
            Self::Truncated { next: None, .. } => f.write_str(
                "the end record is missing; the bench exited after its last scenario, before \
                 `Suite::finish` returned",
            ),
            Self::Duplicate { name } => write!(
                f,
                "two scenarios are called `{name}`; give each its own name or group"
            ),
            Self::Unplanned { name } => write!(
                f,
                "the scenario `{name}` was not announced; two runs wrote to one file: measure \
                 again into separate files"
            ),
            Self::WrongCount {
                end,
                found,
                planned,
            } => write!(
                f,
                "the end record counts {end} scenarios, {planned} were announced and {found} are \
                 here; lines are missing, measure again"
            ),
            Self::WrongSamples { name } => write!(
                f,
                "the samples of `{name}` don't add up to its iterations, or are too large to have \
                 been counted; the file was damaged or edited: measure again"
            ),
            Self::WrongSites { name, mistake } => write!(
                f,
                "the sites of `{name}` don't add up to its samples ({mistake}); the file was \
                 damaged or edited: measure again"
            ),
            Self::DeadCounter(shortfall) if shortfall.counted == Tally::default() => write!(
                f,
                "the counter is not active: known allocations read as zero {}. Add to the \
                 bench:\n    \
                 #[global_allocator]\n    \
                 static ALLOC: alloc_scenario::CountingAlloc = \
                 alloc_scenario::CountingAlloc::system();\n\
                 If a crate of the program has a `#[global_allocator]`, put the counter around \
                 that one instead: `CountingAlloc::new(...)`",
                shortfall.place
            ),
            Self::DeadCounter(shortfall) => write!(
                f,
                "the counter is not active: {} it counted {} instead of {}; see \
                 design/counting-model.md of alloc-gate on what must be forwarded",
                shortfall.place, shortfall.counted, shortfall.expected
            ),
        }
    }
}
