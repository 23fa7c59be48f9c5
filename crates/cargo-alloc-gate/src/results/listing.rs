//! What scenarios the benches have, as they say themselves. Nothing is measured.

use alloc_gate::config::Pattern;
use alloc_results::UnavailableScenario;

use super::{Job, failure, scratch};
use crate::bench_output::excerpt;
use crate::bench_process::{self, Ended, Unlisted, Wanted};
use crate::compile::{Built, features};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::globs::{nothing_selected, tell_idle};
use crate::progress::Progress;
use crate::shell::Shell;

/// The scenarios of benches.
pub(crate) struct Listed {
    pub(crate) benches: Vec<ListedBench>,
    /// How many scenarios were not selected.
    pub(crate) left_out: usize,
}

/// The scenarios of a bench.
pub(crate) struct ListedBench {
    /// The bench, as messages name it.
    pub(crate) name: String,
    pub(crate) scenarios: Vec<String>,
    /// Those of them that can't be measured here, with the reasons.
    pub(crate) unavailable: Vec<UnavailableScenario>,
}

impl Job<'_> {
    /// The `wanted` scenarios of each bench, or all if there is no pattern.
    pub(crate) fn list(&self, wanted: &[Pattern], shell: &Shell) -> Result<Listed, Failure> {
        let mut benches = Vec::new();
        let mut left_out = 0;
        let mut idle: Vec<&Pattern> = wanted.iter().collect();
        for bench in &self.compile(shell)? {
            let mut names = self.scenarios_of(bench, shell)?;
            let all = names.len();
            if !wanted.is_empty() {
                idle.retain(|pattern| !names.iter().any(|name| pattern.matches(name)));
                names.retain(|name| wanted.iter().any(|pattern| pattern.matches(name)));
            }
            left_out += all - names.len();
            if wanted.is_empty() || !names.is_empty() {
                let mut unavailable = self.unavailable_of(bench, shell)?;
                unavailable.retain(|one| names.contains(&one.name));
                benches.push(ListedBench {
                    name: bench.name.shown(),
                    scenarios: names,
                    unavailable,
                });
            }
        }
        if benches.is_empty() {
            return Err(nothing_selected("--scenarios", &idle));
        }
        tell_idle(&idle, shell);
        Ok(Listed { benches, left_out })
    }

    /// The names of all its scenarios.
    pub(super) fn scenarios_of(
        &self,
        bench: &Built,
        shell: &Shell,
    ) -> Result<Vec<String>, Failure> {
        let name = bench.name.shown();
        let features = features(self.arguments);
        let settings = self.settings(&features);
        let scratch = scratch()?;
        bench_process::list(self.workspace, bench, &settings, scratch.path()).map_err(
            |Unlisted { what, output }| {
                if !output.trim().is_empty() {
                    shell.say(&excerpt(&name, &output, self.output.verbose));
                }
                Failure::new(
                    Code::BenchFailed,
                    format!("{name} did not list its scenarios: {what}"),
                )
                .next("its `main` has to hand the arguments to `Suite::from_args`")
            },
        )
    }
    /// Its scenarios that can't be measured here. It is asked to measure those alone,
    /// so that its record has them and no other. What keeps it from that is told, and
    /// does not make the list worse.
    fn unavailable_of(
        &self,
        bench: &Built,
        shell: &Shell,
    ) -> Result<Vec<UnavailableScenario>, Failure> {
        let features = features(self.arguments);
        let scratch = scratch()?;
        let progress = Progress::new(shell.draw_target(), String::from("listing"));
        let Ended { outcome, .. } = bench_process::run(
            self.workspace,
            bench,
            &self.settings(&features),
            Wanted::Unavailable,
            scratch.path(),
            &progress,
        );
        drop(progress);
        match outcome {
            Ok(measured) => Ok(measured.stream.environment.unavailable),
            Err(problem) => {
                let failure = failure(&bench.name, problem);
                shell.warning(
                    &format!("what can't be measured here is not known: {}", failure.what),
                    "the list has all scenarios; see what `cargo alloc-gate run` says of the bench",
                );
                Ok(Vec::new())
            }
        }
    }
}
