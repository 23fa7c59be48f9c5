//! [`Config`]: the valid rules of gates.toml. Reading an invalid file gives [`Diagnostics`] with
//! all its mistakes.

mod condition;
mod pattern;
mod read;

pub(crate) use condition::Unmet;
pub use condition::{CfgSets, CompilerRequirement, Condition, When};
pub use pattern::Pattern;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use alloc_results::BenchId;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Level, Place};
use crate::measure::{Measure, Statistic};
use crate::requirement::{Requirement, rule_words};

/// The rules of a workspace.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// How benches run.
    pub run: RunSettings,
    /// Where the baseline is, if there is one.
    pub baseline: Option<BaselineFiles>,
    /// The reaction to findings that are not failures by themselves.
    pub policy: Policy,
    /// The benches to measure, and the benches to leave out.
    pub benches: Vec<Bench>,
    /// The gates, in the order of the file.
    pub gates: Vec<Gate>,
    file: String,
    text: String,
}

/// How benches run, `[run]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// Iterations before the counted pass; `None` for the number of the bench, by default
    /// 1,000.
    pub warmup: Option<u64>,
    /// Iterations of the counted pass; `None` for the number of the bench, by default 10,000.
    pub iterations: Option<u64>,
    /// How long a bench target may take.
    pub timeout: Duration,
    /// How long a scenario may take that does not set its own limit; `None` for no limit
    /// but the limit of the target.
    pub scenario_timeout: Option<Duration>,
    /// Whether benches are built with line tables, if their profile has none.
    pub line_tables: bool,
}

/// Where the baseline is, `[baseline]`. Paths are relative to gates.toml.
#[derive(Clone, Debug)]
pub struct BaselineFiles {
    /// The data file, which values are compared with.
    pub data: String,
    /// The page for people, if there is one.
    pub page: Option<String>,
    /// Scenarios that are left out of the baseline.
    pub exclude: Vec<Pattern>,
}

impl BaselineFiles {
    /// Whether the baseline includes the scenario with this full name.
    #[must_use]
    pub fn keeps(&self, name: &str) -> bool {
        !Pattern::any_matches(&self.exclude, name)
    }
}

/// The reactions to findings, `[policy]`. By default, findings about what the values leave
/// out are denied, and the others are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// To values that are better than the baseline.
    pub stale: Reaction,
    /// To scenarios that no gate applies to.
    pub ungated: Reaction,
    /// To scenarios whose iterations differ in a metric that a gate limits.
    pub nondeterministic: Reaction,
    /// To operations that the values of a scenario leave out: of other threads, or inside
    /// `uncounted`.
    pub foreign: Reaction,
    /// To benches over alloc-scenario that nothing names.
    pub unlisted: Reaction,
    /// To scenarios that no longer allocate, but did in the baseline.
    pub fell_to_zero: Reaction,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            stale: Reaction::Warn,
            ungated: Reaction::Warn,
            nondeterministic: Reaction::Warn,
            foreign: Reaction::Deny,
            unlisted: Reaction::Deny,
            fell_to_zero: Reaction::Deny,
        }
    }
}

named! {
    /// The reaction to a finding, from strict to lenient.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Reaction {
        /// The finding fails the check.
        Deny = "deny",
        /// The finding is shown.
        Warn = "warn",
        /// The finding is not shown.
        Allow = "allow",
    }
}

impl Reaction {
    /// The level of such a finding, if it is shown.
    pub(crate) const fn level(self) -> Option<Level> {
        match self {
            Self::Deny => Some(Level::Deny),
            Self::Warn => Some(Level::Warn),
            Self::Allow => None,
        }
    }
}

/// A bench target, `[[bench]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    pub package: String,
    pub target: String,
    /// What gates and results call it: the target, with `+` and the features behind it if the
    /// target is listed more than once.
    pub name: String,
    /// Whether to measure it. One that is not measured is not an unlisted bench either.
    pub run: bool,
    /// The features of its package to build it with, in addition to the features on the command line.
    pub features: Vec<String>,
    pub default_features: bool,
    /// The cargo profile to build it with; `None` for the command line's.
    pub profile: Option<String>,
    /// The environment variables that it runs with.
    pub env: Vec<(String, String)>,
    /// The targets that it is for; `None` for all.
    pub when: Option<When>,
    span: Range<usize>,
}

impl Config {
    #[must_use]
    pub fn compares_with_baseline(&self) -> bool {
        let mut rules = self.gates.iter().flat_map(|gate| &gate.rules);
        rules.any(|rule| rule.requirement.needs_baseline())
    }

    /// Parses the `text` of `file`.
    ///
    /// # Errors
    ///
    /// Returns all mistakes of the text, not only the first one.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostics> {
        read::read(file, text)
    }

    /// The rules of a workspace without gates.toml: defaults, and no gates.
    #[must_use]
    pub fn without_file() -> Self {
        Self {
            file: String::from("gates.toml"),
            ..Self::default()
        }
    }

    /// The path of the file, as it was given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rule of `[[bench]]` about the bench.
    #[must_use]
    pub fn bench(&self, bench: &BenchId) -> Option<&Bench> {
        let mut rules = self.benches.iter();
        rules.find(|rule| (&rule.package, &rule.name) == (&bench.package, &bench.target))
    }

    #[must_use]
    pub fn target_of(&self, bench: &BenchId) -> BenchId {
        let target = self.bench(bench).map_or(&bench.target, |rule| &rule.target);
        BenchId {
            package: bench.package.clone(),
            target: target.clone(),
        }
    }

    /// Whether a `[[bench]]` has this target.
    #[must_use]
    pub fn lists(&self, target: &BenchId) -> bool {
        let mut rules = self.benches.iter();
        rules.any(|rule| (&rule.package, &rule.target) == (&target.package, &target.target))
    }

    /// Diagnostics for `benches` that the workspace doesn't have, each with its help.
    #[must_use]
    pub fn unknown_benches(&self, benches: &[(&Bench, String)]) -> Diagnostics {
        let list = benches.iter().map(|(bench, help)| {
            let message = format!(
                "the workspace has no bench `{}` in a package `{}`",
                bench.target, bench.package
            );
            Diagnostic::mistake(Code::UnknownBench, bench.span.clone(), message).help(help)
        });
        Diagnostics::new(&self.file, &self.text, list.collect())
    }
}

/// The JSON schema of gates.toml, with which editors complete, explain and check the file.
///
/// It accepts every file that [`Config::parse`] accepts, and mistakes that span the file, such as two
/// gates with one name. `gates.schema.json` is written by hand. A test compares its keys with the
/// keys that the reader takes.
#[must_use]
pub const fn schema() -> &'static str {
    include_str!("../gates.schema.json")
}

impl Default for RunSettings {
    /// The numbers of iterations of the bench, 60 seconds per target, and line tables.
    fn default() -> Self {
        Self {
            warmup: None,
            iterations: None,
            timeout: Duration::from_secs(60),
            scenario_timeout: None,
            line_tables: true,
        }
    }
}

/// A gate, `[[gate]]`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The name, unique in the file.
    pub name: String,
    pub filter: ScenarioFilter,
    /// Where it applies.
    pub condition: Condition,
    /// The requirements on each scenario; at least one.
    pub rules: Vec<Rule>,
    /// The axis of requirements on growth; `None` for the only numeric axis.
    pub growth_axis: Option<String>,
    /// The reaction to iterations that differ in a metric of this gate; `None` for the
    /// policy's.
    pub nondeterministic: Option<Reaction>,
    /// The reaction to operations that the values of its scenarios leave out; `None` for
    /// other gates' or the policy's.
    pub foreign: Option<Reaction>,
    /// Why the gate exists, for whoever breaks it.
    pub reason: Option<String>,
    pub place: Place,
}

/// One requirement of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub metric: Measure,
    /// Which value of the metric is judged.
    pub statistic: Statistic,
    /// The limits on the value.
    pub requirement: Arc<Requirement>,
    pub place: Place,
}

impl Rule {
    /// `allocs max <= 3`.
    pub(crate) fn words(&self) -> String {
        rule_words(&self.metric, self.statistic, &self.requirement)
    }
}

/// The scenarios that a gate or a table is for.
#[derive(Clone, Debug)]
pub struct ScenarioFilter {
    /// Their names; at least one pattern.
    pub scenarios: Vec<Pattern>,
    /// Exceptions from `scenarios`.
    pub exclude: Vec<Pattern>,
    pub benches: BenchFilter,
}

impl ScenarioFilter {
    /// Whether it has the scenario with this bench and full name.
    #[must_use]
    pub fn includes(&self, bench: &BenchId, name: &str) -> bool {
        self.benches.includes(bench)
            && Pattern::any_matches(&self.scenarios, name)
            && !self.excludes(name)
    }

    pub(crate) fn excludes(&self, name: &str) -> bool {
        Pattern::any_matches(&self.exclude, name)
    }

    /// The patterns that select none of these scenarios.
    pub fn idle<'i>(
        &self,
        ids: impl Iterator<Item = (&'i BenchId, &'i str)> + Clone,
    ) -> impl Iterator<Item = &Pattern> {
        let selects = move |glob: &Pattern| {
            let mut ids = ids.clone();
            ids.any(|(bench, name)| glob.matches(name) && self.benches.includes(bench))
        };
        self.scenarios.iter().filter(move |glob| !selects(glob))
    }

    /// The exceptions that take away none of these scenarios.
    pub fn idle_exceptions<'i>(
        &self,
        ids: impl Iterator<Item = (&'i BenchId, &'i str)> + Clone,
    ) -> impl Iterator<Item = &Pattern> {
        let takes_away = move |glob: &Pattern| {
            let mut ids = ids.clone();
            ids.any(|(bench, name)| {
                glob.matches(name)
                    && self.benches.includes(bench)
                    && Pattern::any_matches(&self.scenarios, name)
            })
        };
        self.exclude.iter().filter(move |glob| !takes_away(glob))
    }
}

/// The benches that a gate or a table is for: `package` and `bench`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchFilter {
    /// The packages; `None` for all.
    pub package: Option<Pattern>,
    /// The bench targets; `None` for all.
    pub bench: Option<Pattern>,
}

impl BenchFilter {
    #[must_use]
    pub fn includes(&self, bench: &BenchId) -> bool {
        let allows = |pattern: &Option<Pattern>, name: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
        };
        allows(&self.package, &bench.package) && allows(&self.bench, &bench.target)
    }

    /// The keys that the filter has, with their globs.
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, &Pattern)> {
        let package = self.package.iter().map(|pattern| ("package", pattern));
        package.chain(self.bench.iter().map(|pattern| ("bench", pattern)))
    }
}

#[cfg(test)]
mod tests;
