//! `compare`: measures the same benches at a git ref and in the working tree, and reports
//! the differences. If the base can't be measured whole, nothing is compared.

use std::mem;
use std::slice;

use alloc_gate::baseline::Baseline;
use alloc_gate::report::compare::{self, Comparison, Sides};
use alloc_gate::sites::{Explained, Side};
use alloc_gate::to_explain;
use alloc_gate::{Delta, Evaluation, Incomparable, Inputs, Measurements, Outcome, evaluate};
use clap::Args;

use super::{Call, Runnable, check};
use crate::arguments::{BuildArguments, OutputArguments};
use crate::bench::cargo;
use crate::children;
use crate::exit_code::Code;
use crate::explain::{BaseCommit, Explainer, LineArguments, beside};
use crate::failure::Failure;
use crate::git::Git;
use crate::git::base::Base;
use crate::git::baselines;
use crate::git::worktree::label;
use crate::output::shell::Shell;
use crate::output::{github, reports};
use crate::project::{BenchRun, Project, Rules};

/// Compare allocations with another commit
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct CompareArguments {
    /// Branch, tag or commit to compare with
    #[arg(value_name = "REF")]
    reference: String,
    /// Check the gates, with the values at REF as the baseline
    #[arg(long)]
    gate: bool,
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    lines: LineArguments,
}

const HELP: &str = "\
REF is built with --locked in its own git worktree, with the current toolchain,
and with the current Cargo.lock if it has none. It is compared with the working
tree, including uncommitted changes.
Without --gate, the exit code is 0 if both sides were measured.";

impl Runnable for CompareArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let read = match self.gate {
            true => Rules::load,
            false => Rules::load_if_there,
        };
        let project = Project::load(call.workspace, shell, read)?;
        reports::prepare(&self.output, self.gate, &project, &[])?;
        let run = project.bench_run(&self.build)?;
        let git = Git::open(project.workspace.root())?;
        let commit = BaseCommit::new(&self.reference, git.commit(&self.reference)?);
        // Both sides are there until the end, so that their lines can be compared.
        let there = Base::check_out(&project, &self.build, &git, &commit)?;
        let base = there.measure(&run.benches)?;
        // As late as the working tree is built.
        let mut sides = Sides {
            reference: self.reference.clone(),
            base: commit.commit.clone(),
            lock: there.lock,
            removed: base.removed.clone(),
            head: git.commit("HEAD")?,
            uncommitted: git.uncommitted()?.len(),
        };
        shell.status("Comparing", "the working tree");
        let head = run.measure(&[])?.whole(shell)?;
        // As the results record it, if something was edited meanwhile.
        if let Some(checkout) = head.built.first().and_then(|one| one.checkout.clone()) {
            sides.head = checkout.commit;
            sides.uncommitted = checkout.uncommitted;
        }
        let measured = [&base.results.measurements, &head.measurements];
        let delta = alloc_gate::compare(measured[0], measured[1])
            .map_err(|problem| unusable(&problem, &sides))?;
        let judge = || judge(&project.rules, &run, &sides, measured, shell);
        let mut judged = self.gate.then(judge).transpose()?;
        let mut explained = Vec::new();
        let wanted = self.to_explain(judged.as_ref().map(|it| &it.0), &delta, shell);
        if !wanted.is_empty() {
            let explainer = Explainer {
                run: &run,
                built: &head.built,
            };
            let changes = git.changes(&sides.base, None);
            let new = changes.as_ref().map(|it| (&*commit.label, Side::New(it)));
            let new = |_| new.into_iter().collect();
            explained = explainer.explain(wanted.clone(), &new)?;
            let there = match &changes {
                Ok(changes) => there
                    .explain_measured(&base, wanted, changes)
                    .map(|there| (there, changes)),
                Err(failure) => Err(failure.clone()),
            };
            children::check()?;
            beside(&mut explained, &commit.label, there);
        }
        drop(there);
        if let Some(judged) = &mut judged {
            judged.0.explained = mem::take(&mut explained);
        }
        let source = github::line_address();
        let compared = Comparison {
            sides: &sides,
            delta: &delta,
            evaluation: judged.as_ref().map(|(evaluation, _)| evaluation),
            approved: judged.as_ref().map_or(&[], |(_, approved)| approved),
            explained: &explained,
            detail: call.workspace.detail(),
            repository: Some(git.repository()),
            source: source.as_deref(),
        };
        self.report(compared, &project)
    }
}

impl CompareArguments {
    /// Writes the reports, and ends the run.
    fn report(&self, compared: Comparison<'_>, project: &Project<'_>) -> Result<Code, Failure> {
        let shell = project.shell;
        if compared.evaluation.is_some() {
            check::mention_missing_gates(project);
        }
        let failures = reports::write_with_summary(compared, &self.output, shell);
        let Some(evaluation) = compared.evaluation else {
            reports::all_written(failures, shell)?;
            shell.verdict(&compare::line(compared.delta));
            return Ok(Code::Held);
        };
        let evaluations = slice::from_ref(evaluation);
        github::annotate(evaluations, project.workspace.root(), shell);
        Ok(check::conclude(evaluations, &failures, None, project))
    }

    /// The values whose lines are compared: those that fail gates; or without gates, those
    /// that grew.
    fn to_explain(
        &self,
        judged: Option<&Evaluation>,
        delta: &Delta,
        shell: &Shell,
    ) -> Vec<Explained> {
        let (wanted, noun) = match judged {
            _ if self.lines.is_never() => return Vec::new(),
            Some(judged) if judged.outcome() != Outcome::Failed => return Vec::new(),
            Some(judged) => (to_explain(judged), "failing scenario"),
            None => (delta.to_explain(), "increase"),
        };
        if wanted.is_empty() {
            return wanted;
        }
        self.lines.worst(wanted, noun, shell)
    }
}

/// Judges the head by the gates, and names the scenarios whose changes are approved, with the base as the baseline. A new scenario is
/// compared with nothing. A value that is better than the base is no finding: nothing
/// has to be accepted, because the next base has it. A scenario whose accepted values the
/// head changes is compared with these: they approve the change.
fn judge(
    rules: &Rules,
    run: &BenchRun<'_>,
    sides: &Sides,
    [base, head]: [&Measurements; 2],
    shell: &Shell,
) -> Result<(Evaluation, Vec<String>), Failure> {
    let measured = Baseline::measured(base);
    let measured = measured.moved_to(head);
    let (baseline, approved) = match accepted(rules, sides, shell)? {
        Some([before, after]) => measured.approved_by(&before, &after, head),
        None => (measured.into_owned(), Vec::new()),
    };
    let config = &rules.config;
    let cfgs = cargo::needed_cfgs(config, head)?;
    let inputs = Inputs {
        baseline: Some(&baseline),
        unchecked: &run.benches.unchecked,
        selection: run.benches.selection,
        ..Inputs::new(config, head, &cfgs)
    };
    Ok((evaluate(&inputs), approved))
}

/// The accepted values of the base and of the head; `None` if the head has none.
fn accepted(rules: &Rules, sides: &Sides, shell: &Shell) -> Result<Option<[Baseline; 2]>, Failure> {
    let (Some(files), Some(after)) = (&rules.config.baseline, rules.baseline()?) else {
        return Ok(None);
    };
    let before = baselines::at(rules.folder(), &sides.base, &files.data);
    Ok(match before {
        Ok(before) => Some([before.unwrap_or_default(), after]),
        Err(why) => {
            shell.warning(
                &format!(
                    "failed to read the baseline of the base, so no change counts as \
                     approved: {why}"
                ),
                "choose a base with a readable baseline",
            );
            None
        }
    })
}

/// The error for measurements that can't be compared.
fn unusable(problem: &Incomparable, sides: &Sides) -> Failure {
    let label = label(&sides.reference, &sides.base);
    let what = format!("{label} can't be compared with the working tree: {problem}");
    match problem {
        Incomparable::Empty(_) => Failure::nothing_selected(what)
            .help("choose a commit with scenarios, or register one with `Suite::scenario`"),
        Incomparable::Incomplete(_) | Incomparable::Environment(_) => Failure::bench_failed(what)
            .help("build both sides the same way; compare their `.cargo/config.toml` and profiles"),
    }
}
