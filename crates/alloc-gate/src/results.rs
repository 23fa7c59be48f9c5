//! [`Measurements`]: the joined results of one or several bench processes, with what became of each
//! scenario, and in which [`Environment`]. Each bench has a name once.

pub(crate) mod names;

use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use alloc_results::{
    AxisValue, BenchId, EnvironmentRecord, FailureRecord, ScenarioRecord, Stream,
    UnavailableScenario,
};

use crate::diagnostic::Where;
use crate::results::names::{CalledName, IdRef, Named, Qualifiers, ScenarioId, qualified};

/// The measured scenarios, each once.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    measured: Arc<[MeasuredScenario]>,
    environments: Vec<Environment>,
    origins: Arc<[Origin]>,
    failures: Vec<ScenarioFailure>,
    unavailable: Vec<Unavailable>,
    filtered: bool,
}

/// Why streams can't be judged together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasurementsError {
    /// A bench has a scenario twice, so that rules can't distinguish the two.
    ScenarioTwice {
        bench: BenchId,
        /// The name.
        scenario: String,
    },
    BenchTwice {
        bench: BenchId,
        environment: Box<Environment>,
    },
}

impl Measurements {
    /// Joins the streams of several processes.
    ///
    /// # Errors
    ///
    /// Returns an error if a scenario of a bench occurs twice.
    pub fn new(streams: impl IntoIterator<Item = Stream>) -> Result<Self, MeasurementsError> {
        let streams: Vec<Stream> = streams.into_iter().collect();
        let qualifiers = Qualifiers::new([streams.iter().flat_map(named)]);
        let joined = Self::join(streams, &qualifiers);
        let mut ids: HashSet<IdRef<'_>> = HashSet::new();
        if let Some((bench, scenario)) = joined.ids().find(|id| !ids.insert(*id)) {
            let (bench, scenario) = (bench.clone(), scenario.to_owned());
            return Err(MeasurementsError::ScenarioTwice { bench, scenario });
        }
        Ok(joined)
    }

    fn join(streams: Vec<Stream>, qualifiers: &Qualifiers) -> Self {
        let mut joined = Self::default();
        let mut all = Vec::new();
        let mut origins = Vec::new();
        for stream in streams {
            let bench = &stream.environment.bench;
            let qualifier = |name: &str, axes: &[AxisValue]| -> String {
                qualifiers.find((bench, name, axes)).to_owned()
            };
            origins.push(Origin::from(&stream.environment));
            joined.filtered |= !stream.environment.registered.is_empty();
            let environment = Environment::from(&stream.environment);
            let is_new = !joined.environments.contains(&environment);
            if is_new && !stream.scenarios.is_empty() {
                joined.environments.push(environment.clone());
            }
            all.extend(stream.scenarios.into_iter().map(|record| MeasuredScenario {
                bench: bench.clone(),
                environment: environment.clone(),
                qualifier: qualifier(&record.name, &record.axes),
                record,
            }));
            let failures = stream.failures.into_iter().map(|record| ScenarioFailure {
                bench: bench.clone(),
                qualifier: qualifier(&record.name, &[]),
                record,
            });
            joined.failures.extend(failures);
            let unavailable = stream.environment.unavailable.iter();
            joined
                .unavailable
                .extend(unavailable.map(|scenario| Unavailable {
                    bench: bench.clone(),
                    environment: environment.clone(),
                    qualifier: qualifier(&scenario.name, &scenario.axes),
                    scenario: scenario.clone(),
                }));
        }
        joined.measured = all.into();
        joined.origins = origins.into();
        joined
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
        let environment = |stream: &Stream| Environment::from(&stream.environment);
        let groups = grouped(streams, |others, stream| {
            environment(&others[0]).is_built_like(&environment(stream))
        });
        let joined = groups.into_iter().map(|streams| {
            let mut benches = BTreeSet::new();
            for stream in &streams {
                let bench = stream.environment.bench.clone();
                if !benches.insert(bench.clone()) {
                    let environment = Box::new(environment(stream));
                    return Err(MeasurementsError::BenchTwice { bench, environment });
                }
            }
            Ok((Self::new(streams)?, benches))
        });
        joined.collect()
    }

    /// The scenarios, in the order in which they were measured.
    #[must_use]
    pub fn scenarios(&self) -> &[MeasuredScenario] {
        &self.measured
    }

    /// All scenarios of the benches: measured, failed and unavailable.
    pub fn ids(&self) -> impl Iterator<Item = (&BenchId, &str)> {
        let measured = self.measured.iter().map(MeasuredScenario::id);
        let failures = self.failures.iter().map(ScenarioFailure::id);
        let unavailable = self.unavailable.iter().map(Unavailable::id);
        measured.chain(failures).chain(unavailable)
    }

    /// The scenarios that `name` means: those with this full name, or else those that are
    /// called `bench/name` or `package/bench/name`.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<&MeasuredScenario> {
        let all = self.measured.iter();
        let exact: Vec<_> = all.clone().filter(|m| m.record.name == name).collect();
        if !exact.is_empty() {
            return exact;
        }
        all.filter(|measured| {
            let mut ids = qualified(name);
            ids.any(|id| measured.is_called(id))
        })
        .collect()
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

    /// The scenarios that `keep` returns true for, as if the benches had no others.
    #[must_use]
    pub fn restricted_to(&self, keep: impl Fn(&ScenarioId) -> bool) -> Self {
        let mut kept = self.clone();
        let is_kept = |measured: &&MeasuredScenario| keep(&measured.id().into());
        kept.measured = self.measured.iter().filter(is_kept).cloned().collect();
        kept.unavailable
            .retain(|one| keep(&(&one.bench, &*one.scenario.name).into()));
        kept
    }

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

/// All scenarios of a bench: measured, failed and unavailable.
fn named(stream: &Stream) -> impl Iterator<Item = Named<'_>> {
    let bench = &stream.environment.bench;
    let measured = stream.scenarios.iter();
    let measured = measured.map(move |one| (bench, &*one.name, &*one.axes));
    let failures = stream.failures.iter();
    let failures = failures.map(move |one| (bench, &*one.name, &[][..]));
    let unavailable = stream.environment.unavailable.iter();
    let unavailable = unavailable.map(move |one| (bench, &*one.name, &*one.axes));
    measured.chain(failures).chain(unavailable)
}

impl fmt::Display for MeasurementsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ScenarioTwice { bench, scenario } => write!(
                f,
                "the scenario `{scenario}` of {bench} was measured twice; pass each result file \
                 once"
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

/// The part of the workspace that a command was asked to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// All benches. A gate that matches no scenario fails.
    Whole,
    /// Some benches. A gate that matches none of their scenarios is skipped, and the report says
    /// so.
    Selected,
    /// Some scenarios of some or all benches. A judgement that needs other scenarios does not
    /// fail.
    Scenarios {
        /// How many scenarios of the benches were left out; at least one.
        left_out: usize,
    },
}

impl Selection {
    /// How many scenarios of the measured benches were left out.
    #[must_use]
    pub const fn left_out(self) -> usize {
        match self {
            Self::Whole | Self::Selected => 0,
            Self::Scenarios { left_out } => left_out,
        }
    }
}

#[derive(Clone, Debug)]
pub struct MeasuredScenario {
    pub bench: BenchId,
    pub environment: Environment,
    /// The prefix of the name in reports: nothing, or `bench/` or `package/bench/` if
    /// other benches have the name too.
    pub qualifier: String,
    /// The measured values.
    pub record: ScenarioRecord,
}

/// A scenario that could not be measured in the environment of its bench, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    pub bench: BenchId,
    pub environment: Environment,
    /// The prefix of the name in reports, as in [`MeasuredScenario`].
    pub qualifier: String,
    /// The name and the reason, from the bench.
    pub scenario: UnavailableScenario,
}

/// A scenario that panicked or timed out, and was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFailure {
    pub bench: BenchId,
    /// The prefix of the name in reports, as in [`MeasuredScenario`].
    pub qualifier: String,
    /// The name and the message, from the bench.
    pub record: FailureRecord,
}

impl MeasuredScenario {
    /// The name as reports show it: with its bench if other benches have the name too.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.record.name)
    }

    /// The subject of a diagnostic about it.
    pub(crate) fn place(&self) -> Where {
        Where::scenario(&self.bench, self.label(), &self.record.location)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.record.name)
    }

    pub(crate) fn is_called(&self, called: CalledName<'_>) -> bool {
        self.record.name == called.name
            && self.bench.target == called.bench
            && called
                .package
                .is_none_or(|package| self.bench.package == package)
    }
}

impl Unavailable {
    /// The name as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.scenario.name)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.scenario.name)
    }
}

impl ScenarioFailure {
    /// The name as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.record.name)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.record.name)
    }
}

/// The properties of a measurement's environment that counts depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    pub target: String,
    pub profile: String,
    /// The requested features, sorted.
    pub features: Vec<String>,
    /// The type name of the counted allocator.
    pub allocator: String,
    /// Whether debug assertions were enabled.
    pub debug_assertions: bool,
    /// The compiler's version.
    pub rustc: String,
    pub harness: String,
}

impl Environment {
    /// Whether counts can be compared: all but the versions of compiler and harness is equal.
    #[must_use]
    pub fn is_comparable_to(&self, other: &Self) -> bool {
        self.is_built_like(other) && self.allocator == other.allocator
    }

    /// Whether target, profile, features and debug assertions are equal. The environments of
    /// one run differ only in the allocators of its benches.
    #[must_use]
    pub fn is_built_like(&self, other: &Self) -> bool {
        self.target == other.target
            && self.profile == other.profile
            && self.features == other.features
            && self.debug_assertions == other.debug_assertions
    }
}

impl From<&EnvironmentRecord> for Environment {
    fn from(record: &EnvironmentRecord) -> Self {
        Self {
            target: record.target.clone(),
            profile: record.profile.clone(),
            features: record.features.clone(),
            allocator: record.allocator.clone(),
            debug_assertions: record.debug_assertions,
            rustc: record.rustc.clone(),
            harness: record.harness.clone(),
        }
    }
}

/// `x86_64-unknown-linux-gnu, profile bench, features a b, over
/// std::alloc::System`.
impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, profile {}", self.target, self.profile)?;
        if !self.features.is_empty() {
            write!(f, ", features {}", self.features.join(" "))?;
        }
        if self.debug_assertions {
            f.write_str(", with debug assertions")?;
        }
        write!(f, ", over {}", self.allocator)
    }
}

/// Where, when and from which sources a bench measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub bench: BenchId,
    /// The properties that counts depend on.
    pub environment: Environment,
    /// The `opt-level` of the profile, if it is known.
    pub opt_level: Option<String>,
    /// The program that started the bench; `None` for none.
    pub runner: Option<String>,
    /// Whether the run was quick, with fewer iterations than usual.
    pub quick: bool,
    /// The full name of the commit of the sources, if it is known.
    pub commit: Option<String>,
    /// Whether files of the working tree differed from the commit, if it is known.
    pub dirty: Option<bool>,
    /// When the bench began, in seconds since 1970 in UTC, if it is known.
    pub unix_time: Option<u64>,
}

impl From<&EnvironmentRecord> for Origin {
    fn from(record: &EnvironmentRecord) -> Self {
        Self {
            bench: record.bench.clone(),
            environment: Environment::from(record),
            opt_level: record.opt_level.clone(),
            runner: record.runner.clone(),
            quick: record.quick,
            commit: record.commit.clone(),
            dirty: record.dirty,
            unix_time: record.unix_time,
        }
    }
}

/// Puts each item into the first group that it belongs to, or else into a new one. The groups are
/// in the order of their first items.
pub fn grouped<T>(
    items: impl IntoIterator<Item = T>,
    belongs: impl Fn(&[T], &T) -> bool,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|group| belongs(group, &item)) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use sample_results::streams;

    use super::*;

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
        assert_eq!(joined.failures()[0].record.name, "put");
        assert_eq!(joined.failures()[0].bench.package, "store");
    }

    #[test]
    fn a_bench_has_each_name_once() {
        for again in [
            "bench a/x\nencode: 1 x",
            "bench a/x features=f\nencode: panicked no",
        ] {
            let error = joined(&format!("bench a/x\nencode: 1 x\n{again}")).unwrap_err();
            assert!(error.starts_with("the scenario `encode` of a/x was measured twice"));
        }
        // Other scenarios of one bench may come from another process.
        assert!(joined("bench a/x\nencode: 1 x\nbench a/x\ndecode: 1 x").is_ok());
    }

    const SHARED: &str = "bench a/x\nencode: 1 x\nbench b/x\nencode: 1 x\ndecode: 1 x\n\
                          hash: panicked no\nbench b/y\nhash: unavailable off";

    #[test]
    fn a_scenario_is_found_by_any_form_of_its_name() {
        let joined = joined(&format!("{SHARED}\nbench c/z\nx/decode: 1 x")).unwrap();
        // A full name comes before a bench and a name.
        let table = "
            encode | a/x b/x
            x/encode | a/x b/x
            a/x/encode | a/x
            decode | b/x
            b/x/decode | b/x
            x/decode | c/z
            z/x/decode | c/z
            a/decode |
            b/encode |";
        for [name, benches] in crate::tests::rows(table) {
            let found = joined.named(name).into_iter();
            let found: Vec<String> = found.map(|one| one.bench.to_string()).collect();
            assert_eq!(found.join(" "), benches, "{name}");
        }
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
        assert_eq!(
            format!("{groups:?}"),
            r#"Ok([(["a", "b"], 2), (["a"], 2)])"#
        );
    }

    #[test]
    fn a_bench_measured_twice_in_an_environment_is_an_error() {
        // Allocator and compiler do not distinguish environments here.
        for again in ["", "allocator=mimalloc", "rustc=newer"] {
            let results = format!("bench a/x\na: 1 x\nbench a/x {again}\nb: 1 x");
            let error = by_environment(&results).unwrap_err();
            let words = "a/x was measured twice on x86_64-unknown-linux-gnu, profile ";
            assert!(error.starts_with(words), "{error}");
        }
    }

    #[test]
    fn a_filter_on_one_stream_marks_all_measurements_as_filtered() {
        let mut streams = streams("bench a/x\na: 1 x\nbench b/y\nb: 1 x").unwrap();
        assert!(!Measurements::new(streams.clone()).unwrap().is_filtered());
        streams[0].environment.registered = vec![String::from("another")];
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
