//! Lists the scenarios of benches, without measuring.

use alloc_gate::ScenarioId;
use alloc_gate::rules::Pattern;
use alloc_results::{BenchId, UnavailableScenario};

use super::BenchRun;
use crate::bench::build::Built;
use crate::bench::problem::excerpt;
use crate::bench::process::{Unlisted, Wanted};
use crate::bench::selection::{IdleGlob, ids, matches, nothing_selected, warn_of_idle};
use crate::children;
use crate::failure::Failure;
use crate::files;
use crate::output::shell::Shell;

/// The scenarios of a bench.
pub(crate) struct ListedBench {
    pub(crate) name: BenchId,
    pub(crate) scenarios: Vec<String>,
    /// The scenarios that can't be measured on this machine, with the reasons.
    pub(crate) unavailable: Vec<UnavailableScenario>,
}

/// The scenarios that patterns match.
pub(crate) struct MatchingScenarios<'p> {
    /// The benches that have some.
    pub(crate) benches: Vec<(Built, Vec<String>)>,
    /// The patterns that match none.
    pub(crate) idle: Vec<IdleGlob<'p>>,
    pub(crate) left_out: Vec<ScenarioId>,
}

impl BenchRun<'_> {
    /// The scenarios of each bench that a pattern of `wanted` matches, or all without
    /// patterns; and how many were left out.
    pub(crate) fn list(
        &self,
        wanted: &[Pattern],
        shell: &Shell,
    ) -> Result<(Vec<ListedBench>, usize), Failure> {
        let matching = self.matching(wanted, shell)?;
        if matching.benches.is_empty() {
            return Err(nothing_selected("--scenarios", &matching.idle));
        }
        let mut benches = Vec::new();
        for (bench, names) in matching.benches {
            let mut unavailable = self.unavailable_of(&bench, shell)?;
            unavailable.retain(|one| names.contains(&one.name));
            benches.push(ListedBench {
                name: bench.name,
                scenarios: names,
                unavailable,
            });
        }
        warn_of_idle(&matching.idle, shell);
        Ok((benches, matching.left_out.len()))
    }

    /// Builds the benches, and lists their scenarios that a pattern of `wanted` matches, or
    /// all without patterns.
    pub(crate) fn matching<'p>(
        &self,
        wanted: &'p [Pattern],
        shell: &Shell,
    ) -> Result<MatchingScenarios<'p>, Failure> {
        let mut all = Vec::new();
        for bench in self.compile(shell)? {
            let names = self.scenarios_of(&bench, shell)?;
            all.push((bench, names));
        }
        let listed = all.iter();
        let listed = listed.flat_map(|(bench, names)| ids(&bench.name, names));
        let (matched, idle) = matches(wanted, &listed.collect::<Vec<_>>());
        let mut matching = MatchingScenarios {
            benches: Vec::new(),
            idle,
            left_out: Vec::new(),
        };
        for (bench, mut names) in all {
            if !wanted.is_empty() {
                let (here, others): (Vec<_>, Vec<_>) =
                    ids(&bench.name, &names).partition(|id| matched.contains(id));
                names = here.into_iter().map(|id| id.name).collect();
                matching.left_out.extend(others);
            }
            if wanted.is_empty() || !names.is_empty() {
                matching.benches.push((bench, names));
            }
        }
        Ok(matching)
    }

    /// The names of all scenarios of a bench.
    pub(super) fn scenarios_of(
        &self,
        bench: &Built,
        shell: &Shell,
    ) -> Result<Vec<String>, Failure> {
        let name = bench.name.to_string();
        let listed = self.process(bench, self.settings(&bench.name))?.list();
        children::check()?;
        listed.map_err(|Unlisted { error, output }| {
            if !output.trim().is_empty() {
                shell.say(&excerpt(&name, &output, self.output.verbose));
            }
            let usual = "create the suite with `Suite::from_args()` in `main`";
            Failure::bench_failed(format!("{name} did not list its scenarios: {error}"))
                .help(files::help_with(&error, usual))
        })
    }

    /// The scenarios of a bench that can't be measured here. The bench is asked to
    /// measure only those, so that it measures none and its record names them. If that
    /// fails, a warning says so, and the list goes on.
    fn unavailable_of(
        &self,
        bench: &Built,
        shell: &Shell,
    ) -> Result<Vec<UnavailableScenario>, Failure> {
        let ended = self.start(bench, Wanted::Unavailable, "listing", shell)?;
        Ok(match ended.results {
            Ok(results) => results.stream.environment.unavailable,
            Err(problem) => {
                let what = problem.into_failure(&bench.name, "").what;
                shell.warning(
                    &format!("failed to list the unavailable scenarios: {what}"),
                    "the list has all scenarios; run the bench with `cargo alloc-gate run`",
                );
                Vec::new()
            }
        })
    }
}
