//! [`Measurements`]: the joined results of one or several bench processes, with unique scenario
//! names.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;
use std::{fmt, mem};

use alloc_results::{BenchId, Location, ScenarioRecord, Stream, UnavailableScenario};

use crate::results::environment::Environment;
use crate::results::origin::Origin;

/// The measured scenarios, each name once.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    measured: Arc<[MeasuredScenario]>,
    environments: Vec<Environment>,
    origins: Arc<[Origin]>,
    failures: Vec<ScenarioFailure>,
    unavailable: Vec<Unavailable>,
    filtered: bool,
    /// Sorted, without duplicates.
    cores: Vec<u64>,
}

/// A measured scenario, with its bench and environment.
#[derive(Clone, Debug)]
pub struct MeasuredScenario {
    /// The bench target.
    pub bench: BenchId,
    /// The environment of the measurement.
    pub environment: Environment,
    /// The available parallelism of the process, if the system reported it.
    pub cores: Option<u64>,
    /// The measured figures.
    pub record: ScenarioRecord,
}

/// A scenario that could not be measured in the environment of its bench, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The bench target.
    pub bench: BenchId,
    /// The environment of the bench.
    pub environment: Environment,
    /// The name and the reason, from the bench.
    pub scenario: UnavailableScenario,
}

/// A scenario that panicked and was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFailure {
    /// The bench target.
    pub bench: BenchId,
    /// The full name.
    pub scenario: String,
    /// Where it was registered.
    pub location: Location,
    /// The message of the panic.
    pub message: String,
}

/// Why streams can't be judged together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasurementsError {
    /// Two scenarios have one name, so that rules can't distinguish them.
    Ambiguous {
        /// The name.
        scenario: String,
        /// The first bench with it.
        first: BenchId,
        /// The second bench with it, or the first one measured again.
        second: BenchId,
    },
    /// A bench was measured twice in one environment.
    BenchTwice {
        /// The bench.
        bench: BenchId,
        /// The environment of the measurement.
        environment: Box<Environment>,
    },
}

impl Measurements {
    /// Joins the streams of several processes.
    ///
    /// # Errors
    ///
    /// Returns an error if a scenario occurs in several streams.
    pub fn new(streams: impl IntoIterator<Item = Stream>) -> Result<Self, MeasurementsError> {
        let mut joined = Self::default();
        let mut all = Vec::new();
        let mut origins = Vec::new();
        let mut names: BTreeMap<String, BenchId> = BTreeMap::new();
        for stream in streams {
            let bench = stream.environment.bench.clone();
            origins.push(Origin::from(&stream.environment));
            joined.filtered |= stream.environment.filtered;
            joined.cores.extend(stream.environment.cores);
            let environment = Environment::from(&stream.environment);
            let scenarios = stream.scenarios.iter().map(|scenario| &scenario.name);
            let failures = stream.failures.iter().map(|failure| &failure.name);
            let unavailable = stream.environment.unavailable.iter().map(|one| &one.name);
            for name in scenarios.chain(failures).chain(unavailable) {
                if let Some(first) = names.insert(name.clone(), bench.clone()) {
                    return Err(MeasurementsError::Ambiguous {
                        scenario: name.clone(),
                        first,
                        second: bench,
                    });
                }
            }
            let is_new = !joined.environments.contains(&environment);
            if is_new && !stream.scenarios.is_empty() {
                joined.environments.push(environment.clone());
            }
            all.extend(stream.scenarios.into_iter().map(|record| MeasuredScenario {
                bench: bench.clone(),
                environment: environment.clone(),
                cores: stream.environment.cores,
                record,
            }));
            let unavailable = stream.environment.unavailable.into_iter();
            joined
                .unavailable
                .extend(unavailable.map(|scenario| Unavailable {
                    bench: bench.clone(),
                    environment: environment.clone(),
                    scenario,
                }));
            let failures = stream.failures.into_iter().map(|failure| ScenarioFailure {
                bench: bench.clone(),
                scenario: failure.name,
                location: failure.location,
                message: failure.message,
            });
            joined.failures.extend(failures);
        }
        joined.measured = all.into();
        joined.origins = origins.into();
        joined.cores.sort_unstable();
        joined.cores.dedup();
        Ok(joined)
    }

    /// Joins the streams of several machines into one [`Measurements`] per way of building, with
    /// its benches.
    ///
    /// # Errors
    ///
    /// Returns an error if a bench or a scenario occurs twice in one environment.
    pub fn by_environment(
        streams: impl IntoIterator<Item = Stream>,
    ) -> Result<Vec<(Self, BTreeSet<BenchId>)>, MeasurementsError> {
        let mut groups: Vec<(Environment, BTreeSet<BenchId>, Vec<Stream>)> = Vec::new();
        for stream in streams {
            let environment = Environment::from(&stream.environment);
            let bench = stream.environment.bench.clone();
            let alike = groups
                .iter_mut()
                .find(|(other, ..)| other.is_built_like(&environment));
            match alike {
                Some((_, benches, streams)) => {
                    if !benches.insert(bench.clone()) {
                        let environment = Box::new(environment);
                        return Err(MeasurementsError::BenchTwice { bench, environment });
                    }
                    streams.push(stream);
                }
                None => groups.push((environment, BTreeSet::from([bench]), vec![stream])),
            }
        }
        groups
            .into_iter()
            .map(|(_, benches, streams)| Ok((Self::new(streams)?, benches)))
            .collect()
    }

    /// The scenarios, in the order in which they were measured.
    #[must_use]
    pub fn scenarios(&self) -> &[MeasuredScenario] {
        &self.measured
    }

    /// The scenarios, shared without a copy.
    pub(crate) fn shared(&self) -> Arc<[MeasuredScenario]> {
        Arc::clone(&self.measured)
    }

    /// The environments of the scenarios, without duplicates.
    #[must_use]
    pub fn environments(&self) -> &[Environment] {
        &self.environments
    }

    /// Where, when and from which sources each bench measured, in order.
    #[must_use]
    pub fn origins(&self) -> &Arc<[Origin]> {
        &self.origins
    }

    /// The available parallelism of the measured processes, sorted and without duplicates; empty
    /// if no system reported it.
    #[must_use]
    pub fn cores(&self) -> &[u64] {
        &self.cores
    }

    /// These scenarios, and those of `other` with new names.
    #[must_use]
    pub fn with_new_scenarios_from(&self, other: &Self) -> Self {
        let names: BTreeSet<&str> = self
            .measured
            .iter()
            .map(|measured| measured.record.name.as_str())
            .collect();
        let new = other.measured.iter();
        let new = new.filter(|measured| !names.contains(measured.record.name.as_str()));
        Self {
            measured: self.measured.iter().chain(new).cloned().collect(),
            ..self.clone()
        }
    }

    /// The scenarios whose names `keep` returns true for, without failures, unavailable scenarios
    /// and the flag for a filter.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.measured.iter().filter(|m| keep(&m.record.name));
        Self {
            measured: kept.cloned().collect(),
            environments: self.environments.clone(),
            ..Self::default()
        }
    }

    /// The scenarios whose names `keep` returns true for, as if the benches had no others.
    #[must_use]
    pub fn restricted_to(&self, keep: impl Fn(&str) -> bool) -> Self {
        let mut kept = self.clone();
        let is_kept = |measured: &&MeasuredScenario| keep(&measured.record.name);
        kept.measured = self.measured.iter().filter(is_kept).cloned().collect();
        kept.unavailable.retain(|one| keep(&one.scenario.name));
        kept
    }

    /// Replaces the record at `index`, in this copy only, and returns the old one.
    pub(crate) fn replace(&mut self, index: usize, record: ScenarioRecord) -> ScenarioRecord {
        let measured = Arc::make_mut(&mut self.measured);
        mem::replace(&mut measured[index].record, record)
    }

    /// The scenarios that panicked.
    #[must_use]
    pub fn failures(&self) -> &[ScenarioFailure] {
        &self.failures
    }

    /// The scenarios that could not be measured in the environments of their benches.
    #[must_use]
    pub fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }

    /// Whether a filter left out scenarios of a bench.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.filtered
    }
}

impl fmt::Display for MeasurementsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous {
                scenario,
                first,
                second,
            } if first == second => write!(
                f,
                "the scenario `{scenario}` of {first} was measured twice; give each result file once"
            ),
            Self::Ambiguous {
                scenario,
                first,
                second,
            } => write!(
                f,
                "two scenarios are called `{scenario}`, in {first} and in {second}; rename one, or put \
                 it into a group"
            ),
            Self::BenchTwice { bench, environment } => write!(
                f,
                "{bench} was measured twice on {environment}; give one result file per bench, \
                 target, profile and set of features"
            ),
        }
    }
}

impl Error for MeasurementsError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_results::streams;

    fn joined(results: &str) -> Result<Measurements, String> {
        let streams = streams(results).expect("the results are well written");
        Measurements::new(streams).map_err(|error| error.to_string())
    }

    #[test]
    fn streams_are_joined_in_their_order() {
        let joined = joined(
            "bench codec/b\nz: 1 x\na: 1 x\nbench store/b\nput: panicked out of space\nget: 1 x",
        )
        .unwrap();
        let all = joined.scenarios().iter();
        let names: Vec<_> = all.map(|m| (&*m.bench.package, &*m.record.name)).collect();
        assert_eq!(names, [("codec", "z"), ("codec", "a"), ("store", "get")]);
        assert_eq!(joined.failures()[0].scenario, "put");
        assert_eq!(joined.failures()[0].bench.package, "store");
    }

    #[test]
    fn scenario_names_are_unique() {
        for (results, error) in [
            (
                "bench a/x\nencode: 1 x\nbench b/y\nencode: 1 x",
                "two scenarios are called `encode`, in a/x and in b/y; rename one, or put it into a \
                 group",
            ),
            (
                "bench a/x\nencode: 1 x\nbench a/x\nencode: 1 x",
                "the scenario `encode` of a/x was measured twice; give each result file once",
            ),
            (
                "bench a/x\nencode: panicked no\nbench a/x features=f\nencode: 1 x",
                "the scenario `encode` of a/x was measured twice; give each result file once",
            ),
        ] {
            assert_eq!(joined(results).unwrap_err(), error, "{results}");
        }
        // Other scenarios of one bench may come from another process.
        assert!(joined("bench a/x\nencode: 1 x\nbench a/x\ndecode: 1 x").is_ok());
    }

    fn by_environment(results: &str) -> Result<Vec<(Vec<String>, usize)>, String> {
        let streams = streams(results).expect("the results are well written");
        let groups = Measurements::by_environment(streams).map_err(|error| error.to_string())?;
        let shown = groups.iter().map(|(measurements, benches)| {
            let names = measurements.scenarios().iter().map(|m| &m.record.name);
            (names.cloned().collect(), benches.len())
        });
        Ok(shown.collect())
    }

    #[test]
    fn streams_are_joined_by_environment() {
        let groups = by_environment(
            "bench a/x\na: 1 x\nbench a/x target=wasm32-wasip1\na: 1 x\n\
             bench b/y allocator=mimalloc\nb: 1 x\nbench c/empty target=wasm32-wasip1",
        );
        let expected = vec![
            (vec!["a".to_owned(), "b".to_owned()], 2),
            (vec!["a".to_owned()], 2),
        ];
        assert_eq!(groups.unwrap(), expected);
    }

    #[test]
    fn a_bench_measured_twice_in_an_environment_is_an_error() {
        // Allocator and compiler do not distinguish environments here.
        for again in ["", "allocator=mimalloc", "rustc=newer"] {
            let results = format!("bench a/x\na: 1 x\nbench a/x {again}\nb: 1 x");
            let error = by_environment(&results).unwrap_err();
            assert!(
                error.starts_with("a/x was measured twice on x86_64-unknown-linux-gnu, profile "),
                "{error}"
            );
        }
        let ambiguous = by_environment("bench a/x\na: 1 x\nbench b/y\na: 1 x").unwrap_err();
        assert!(
            ambiguous.starts_with("two scenarios are called `a`"),
            "{ambiguous}"
        );
    }

    #[test]
    fn new_scenarios_are_added_and_existing_ones_kept() {
        let base = joined("bench a/x\na: 1 x allocs=1\nold: 1 x").unwrap();
        let head = joined("bench a/x\na: 1 x allocs=9\nnew: 1 x").unwrap();
        let both = base.with_new_scenarios_from(&head);
        let names = both.scenarios().iter().map(|m| m.record.name.as_str());
        assert!(names.eq(["a", "old", "new"]), "{both:?}");
        assert_eq!(both.scenarios()[0].record.first.counts.allocs, 1);
    }

    #[test]
    fn a_filter_on_one_stream_marks_all_measurements_as_filtered() {
        let mut streams = streams("bench a/x\na: 1 x\nbench b/y\nb: 1 x").unwrap();
        assert!(!Measurements::new(streams.clone()).unwrap().is_filtered());
        streams[0].environment.filtered = true;
        assert!(Measurements::new(streams).unwrap().is_filtered());
    }

    #[test]
    fn environments_are_compared_without_versions() {
        let environment = |bench: &str| {
            let results = format!("bench a/b {bench}\na: 1 x");
            joined(&results).unwrap().scenarios()[0].environment.clone()
        };
        let here = environment("");
        assert!(here.is_comparable_to(&environment("rustc=other harness=other")));
        for other in ["target=t", "profile=p", "features=f", "debug-assertions"] {
            assert!(!here.is_comparable_to(&environment(other)), "{other}");
            assert!(!here.is_built_like(&environment(other)), "{other}");
        }
        assert!(!here.is_comparable_to(&environment("allocator=mimalloc")));
        assert!(here.is_built_like(&environment("allocator=mimalloc")));
        assert_eq!(
            environment("features=a,b debug-assertions profile=dev").to_string(),
            "x86_64-unknown-linux-gnu, profile dev, features a b, with debug assertions, over \
             std::alloc::System"
        );
    }
}
