//! [`Measurements`]: what one or several processes measured, joined and checked
//! for what no single stream can show.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;
use std::{fmt, mem};

use alloc_results::{
    BenchId, EnvironmentRecord, Location, ScenarioRecord, Stream, UnavailableScenario,
};

use crate::results::environment::Environment;

/// All scenarios that were measured, each name once.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    measured: Arc<[MeasuredScenario]>,
    environments: Vec<Environment>,
    failures: Vec<ScenarioFailure>,
    unavailable: Vec<Unavailable>,
    filtered: bool,
    /// Each number once, ascending.
    cores: Vec<u64>,
}

/// A scenario, with the bench and the environment that it was measured in.
#[derive(Clone, Debug)]
pub struct MeasuredScenario {
    /// The bench target.
    pub bench: BenchId,
    /// Where and how.
    pub environment: Environment,
    /// How many threads the process could run at once, where the system said so.
    pub cores: Option<u64>,
    /// What was measured.
    pub record: ScenarioRecord,
}

/// A scenario that could not be measured where its bench ran, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The bench target.
    pub bench: BenchId,
    /// Where and how the bench ran.
    pub environment: Environment,
    /// What the bench says of it.
    pub scenario: UnavailableScenario,
}

/// A scenario that panicked, and so was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFailure {
    /// The bench target.
    pub bench: BenchId,
    /// The full name.
    pub scenario: String,
    /// Where it was registered.
    pub location: Location,
    /// What it said.
    pub message: String,
}

/// Why streams can't be judged together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasurementsError {
    /// A name stands for two scenarios, so that no rule could tell them apart.
    Ambiguous {
        /// The name.
        scenario: String,
        /// The bench that has it.
        first: BenchId,
        /// The other bench that has it, or the same one measured twice.
        second: BenchId,
    },
    /// A bench was measured twice in one environment, so that nobody can tell
    /// which of the two is meant.
    BenchTwice {
        /// The bench.
        bench: BenchId,
        /// Where and how.
        environment: Box<Environment>,
    },
}

impl Measurements {
    /// Joins streams.
    ///
    /// # Errors
    ///
    /// When a scenario occurs in more than one of them.
    pub fn new(streams: impl IntoIterator<Item = Stream>) -> Result<Self, MeasurementsError> {
        let mut joined = Self::default();
        let mut all = Vec::new();
        let mut names: BTreeMap<String, BenchId> = BTreeMap::new();
        for stream in streams {
            let bench = stream.environment.bench.clone();
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
        joined.cores.sort_unstable();
        joined.cores.dedup();
        Ok(joined)
    }

    /// Joins streams of several machines, in one for each way of building that
    /// occurs, with the benches that it has.
    ///
    /// # Errors
    ///
    /// When a bench or a scenario occurs twice in one of them.
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

    /// The same scenarios, for an evaluation that outlives this.
    pub(crate) fn shared(&self) -> Arc<[MeasuredScenario]> {
        Arc::clone(&self.measured)
    }

    /// The environments that scenarios were measured in, each once.
    #[must_use]
    pub fn environments(&self) -> &[Environment] {
        &self.environments
    }

    /// How many threads the processes that measured could run at once, each number
    /// once, ascending; none where the system did not say.
    #[must_use]
    pub fn cores(&self) -> &[u64] {
        &self.cores
    }

    /// These scenarios, and those of `other` whose names are not among them.
    #[must_use]
    pub fn with_new_of(&self, other: &Self) -> Self {
        let names: BTreeSet<&str> = self
            .measured
            .iter()
            .map(|measured| measured.record.name.as_str())
            .collect();
        let new = other.measured.iter();
        let new = new.filter(|measured| !names.contains(measured.record.name.as_str()));
        Self {
            measured: self.measured.iter().chain(new).cloned().collect(),
            failures: self.failures.clone(),
            unavailable: self.unavailable.clone(),
            filtered: self.filtered,
            environments: self.environments.clone(),
            cores: self.cores.clone(),
        }
    }

    /// The scenarios whose names are among those that `keep` keeps, as a part of the
    /// benches that was selected and measured whole.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.measured.iter().filter(|m| keep(&m.record.name));
        Self {
            measured: kept.cloned().collect(),
            environments: self.environments.clone(),
            ..Self::default()
        }
    }

    /// The scenarios whose names `keep` keeps, as if the benches had no others.
    #[must_use]
    pub fn restricted_to(&self, keep: impl Fn(&str) -> bool) -> Self {
        let mut kept = self.clone();
        let is_kept = |measured: &&MeasuredScenario| keep(&measured.record.name);
        kept.measured = self.measured.iter().filter(is_kept).cloned().collect();
        kept.unavailable.retain(|one| keep(&one.scenario.name));
        kept
    }

    /// Puts `record` in the place of another scenario's, here and in no other copy,
    /// and returns that.
    pub(crate) fn replace(&mut self, index: usize, record: ScenarioRecord) -> ScenarioRecord {
        let measured = Arc::make_mut(&mut self.measured);
        mem::replace(&mut measured[index].record, record)
    }

    /// The scenarios that panicked.
    #[must_use]
    pub fn failures(&self) -> &[ScenarioFailure] {
        &self.failures
    }

    /// The scenarios that could not be measured where their benches ran.
    #[must_use]
    pub fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }

    /// Whether a filter left scenarios out of a bench.
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
                "the scenario `{scenario}` of {}/{} was measured twice; give each result file once",
                first.package, first.target
            ),
            Self::Ambiguous {
                scenario,
                first,
                second,
            } => write!(
                f,
                "two scenarios are called `{scenario}`, in {}/{} and in {}/{}, and no rule could \
                 tell them apart; rename one, or put it into a group",
                first.package, first.target, second.package, second.target
            ),
            Self::BenchTwice { bench, environment } => write!(
                f,
                "{}/{} was measured twice on {environment}; give one result file of each bench, \
                 target, profile and set of features",
                bench.package, bench.target
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
        let names: Vec<_> = joined
            .scenarios()
            .iter()
            .map(|measured| {
                (
                    measured.bench.package.as_str(),
                    measured.record.name.as_str(),
                )
            })
            .collect();
        assert_eq!(names, [("codec", "z"), ("codec", "a"), ("store", "get")]);
        assert_eq!(joined.failures()[0].scenario, "put");
        assert_eq!(joined.failures()[0].bench.package, "store");
    }

    #[test]
    fn a_name_stands_for_one_scenario() {
        for (results, error) in [
            (
                "bench a/x\nencode: 1 x\nbench b/y\nencode: 1 x",
                "two scenarios are called `encode`, in a/x and in b/y, and no rule could tell them \
                 apart; rename one, or put it into a group",
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
    fn each_environment_has_its_own_measurements_of_the_same_scenarios() {
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
    fn a_bench_is_measured_once_in_an_environment() {
        // Over whatever allocator, by whatever compiler: it has but one.
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
    fn new_scenarios_are_added_and_known_ones_stay() {
        let base = joined("bench a/x\na: 1 x allocs=1\nold: 1 x").unwrap();
        let head = joined("bench a/x\na: 1 x allocs=9\nnew: 1 x").unwrap();
        let both = base.with_new_of(&head);
        let names: Vec<_> = both
            .scenarios()
            .iter()
            .map(|measured| measured.record.name.as_str())
            .collect();
        assert_eq!(names, ["a", "old", "new"]);
        assert_eq!(both.scenarios()[0].record.first.counts.allocs, 1);
    }

    #[test]
    fn a_filter_on_one_stream_is_a_filter_on_all() {
        let mut streams = streams("bench a/x\na: 1 x\nbench b/y\nb: 1 x").unwrap();
        assert!(!Measurements::new(streams.clone()).unwrap().is_filtered());
        streams[0].environment.filtered = true;
        assert!(Measurements::new(streams).unwrap().is_filtered());
    }

    #[test]
    fn environments_are_compared_by_all_but_versions() {
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
