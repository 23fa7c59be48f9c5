//! `compare`: the same benches at a git ref and in the working tree, side by
//! side. The base is measured first and whole, or nothing is said.

use alloc_gate::baseline::{Baseline, Coverage};
use alloc_gate::config::Reaction;
use alloc_gate::report::comparison::{self, Comparison, Sides};
use alloc_gate::{Delta, Evaluation, Incomparable, Inputs, Measurements, evaluate};

use crate::accepted_past;
use crate::arguments::{CompareArguments, Format};
use crate::cargo::Workspace;
use crate::commands::check;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::git::Git;
use crate::judging;
use crate::outputs;
use crate::past::{self, Past};
use crate::results::Job;
use crate::rules::Rules;
use crate::shell::Shell;
use crate::worktree::{Worktree, label};

pub(crate) fn compare(arguments: &CompareArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = if arguments.gate {
        Rules::load(&workspace, &arguments.workspace)?
    } else {
        Rules::load_if_there(&workspace, &arguments.workspace)?
            .unwrap_or_else(|| Rules::none(&workspace))
    };
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let git = Git::open(workspace.root())?;
    let sides = Sides {
        base: git.commit(&arguments.reference)?,
        head: git.commit("HEAD")?,
        uncommitted: git.uncommitted()?,
        reference: arguments.reference.clone(),
    };
    let base = at_base(arguments, &workspace, &rules, &git, &sides, &job, shell)?;
    shell.status("Comparing", "the working tree");
    let head = accepted_past::beside(job.run(shell)?.measurements, &rules);
    let delta =
        alloc_gate::delta::compare(&base, &head).map_err(|problem| unusable(&problem, &sides))?;
    let evaluation = match arguments.gate {
        true => Some(judge(&rules, &job, &base, &head)?),
        false => None,
    };
    report(arguments, &rules, &sides, &delta, evaluation, shell)
}

/// What is measured at the ref. The worktree is gone when this returns.
fn at_base(
    arguments: &CompareArguments,
    workspace: &Workspace,
    rules: &Rules,
    git: &Git,
    sides: &Sides,
    job: &Job<'_>,
    shell: &Shell,
) -> Result<Measurements, Failure> {
    let held = past::hold(workspace, &arguments.build, git, shell)?;
    let label = label(&sides.reference, &sides.base);
    shell.status("Checking out", &label);
    let tree = Worktree::new(git, &sides.base, &held, shell)?;
    let there = Past::new(
        workspace,
        &rules.config,
        git,
        &arguments.build,
        &arguments.workspace,
        &held,
    );
    there.measure(tree.path(), &label, job.selection(), shell)
}

/// The gates, with the base for a baseline. A scenario that is new is compared
/// with itself: there is nothing that it could be worse than. What is better than
/// the base is no finding: nobody can accept it, and the next base has it.
fn judge(
    rules: &Rules,
    job: &Job<'_>,
    base: &Measurements,
    head: &Measurements,
) -> Result<Evaluation, Failure> {
    let accepted = base.with_new_scenarios_from(head);
    let baseline = Baseline::default().accept(&accepted, Coverage::AllBenches);
    let mut config = rules.config.clone();
    config.policy.stale = Reaction::Allow;
    let mut evaluation = evaluate(&Inputs {
        cfgs: &judging::cfgs(&config, head)?,
        today: judging::today(),
        config: &config,
        measurements: head,
        baseline: Some(&baseline),
        document: None,
        partiality: job.partiality(),
    });
    evaluation.is_acceptable = false;
    Ok(evaluation)
}

fn report(
    arguments: &CompareArguments,
    rules: &Rules,
    sides: &Sides,
    delta: &Delta,
    evaluation: Option<Evaluation>,
    shell: &Shell,
) -> Result<Code, Failure> {
    let compared = Comparison {
        sides,
        delta,
        evaluation: evaluation.as_ref(),
    };
    let mut failures = outputs::write_each(
        &|format, out| match format {
            Format::Terminal => comparison::terminal(compared, out),
            Format::Markdown => comparison::markdown(compared, out),
            Format::Json => comparison::json(compared, out),
        },
        &arguments.output,
        shell,
    );
    if let Some(evaluation) = &evaluation {
        return Ok(check::conclude(evaluation, &failures, rules, shell));
    }
    if let Some(last) = failures.pop() {
        for failure in &failures {
            shell.error(failure);
        }
        return Err(last);
    }
    shell.verdict(&comparison::line(delta));
    Ok(Code::Held)
}

/// Why there is nothing to compare.
fn unusable(problem: &Incomparable, sides: &Sides) -> Failure {
    let label = label(&sides.reference, &sides.base);
    let what = format!("{label} can't be compared with the working tree: {problem}");
    match problem {
        Incomparable::Empty { .. } => Failure::new(Code::NothingSelected, what)
            .next("name a commit with scenarios, or register one with `Suite::scenario`"),
        Incomparable::Incomplete { .. } | Incomparable::Environment(_) => {
            Failure::new(Code::BenchFailed, what).next(
                "what differs has to be the same on both sides; see `.cargo/config.toml` and the \
                 profiles there and here",
            )
        }
    }
}
