//! [`LinesBefore`]: since which commits lines count as edited, and the base that the lines behind
//! failures are compared with. Nothing is built unless a base was asked for. Where lines can't be
//! compared, the report says why.

use std::env;
use std::mem;
use std::rc::Rc;

use alloc_gate::sites::{Changes, Explained, Found, Side, SiteDiff};
use alloc_gate::{Baseline, Measurements, ScenarioId, grouped};
use clap::Args;

use crate::bench::build::Built;
use crate::children;
use crate::explain::Explainer;
use crate::failure::Failure;
use crate::git::base::Base;
use crate::git::baselines::{Row, last_changes};
use crate::git::worktree::label;
use crate::git::{Git, how_to_fetch};
use crate::output::shell::Shell;
use crate::project::{BenchRun, Project};

/// The word for the commits that changed the baseline.
const BASELINE: &str = "baseline";

/// The commits that are searched for the change of a row at most, if a base was asked for.
const MOST_ASKED: u64 = 1000;

/// The same in every failure, which shall not wait for git.
const MOST: u64 = 20;

/// What the lines behind failures are compared with.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct BaseArguments {
    /// Show which lines changed since a commit, or since `baseline` was accepted
    #[arg(long, value_name = "REF", env = "ALLOC_GATE_BASE")]
    base: Option<String>,
}

/// A commit that lines are compared with.
#[derive(Clone)]
pub(crate) struct BaseCommit {
    /// Its full name.
    pub(crate) commit: String,
    /// `main (4f8762a1c0)`.
    pub(crate) label: String,
}

impl BaseCommit {
    /// The commit as the user calls it.
    pub(crate) fn new(reference: &str, commit: String) -> Self {
        Self {
            label: label(reference, &commit),
            commit,
        }
    }

    /// The commit that `reference` names. A shallow clone may lack it, which is a reason
    /// and no error.
    pub(crate) fn find(git: &Git, reference: &str) -> Result<Result<Self, String>, Failure> {
        if git.known_commit(reference)?.is_none() && git.is_shallow()? {
            return Ok(Err(format!(
                "`{reference}` is not in this repository, which is a shallow clone: {}",
                how_to_fetch(reference)
            )));
        }
        let commit = git.commit(reference)?;
        Ok(Ok(Self::new(reference, commit)))
    }
}

/// A commit, and the lines that are others since.
#[derive(Clone)]
pub(crate) struct Since {
    pub(crate) commit: BaseCommit,
    pub(crate) changes: Rc<Changes>,
}

impl Since {
    /// The changes since a commit.
    pub(crate) fn new(git: &Git, commit: BaseCommit) -> Result<Self, Failure> {
        let changes = Rc::new(git.changes(&commit.commit, None)?);
        Ok(Self { commit, changes })
    }
}

/// The commits of one value, the first with an edit counts; or why the base that was
/// asked for is none.
pub(crate) type Edits = Result<Vec<Since>, String>;

pub(crate) struct AskedBase {
    git: Git,
    commits: Commits,
}

enum Commits {
    /// One for all, or why there is none.
    One(Result<BaseCommit, String>),
    /// Those that changed the rows of the baseline.
    OfRows,
}

impl BaseArguments {
    /// Finds the commit that was asked for, if any.
    pub(crate) fn find(&self, project: &Project<'_>) -> Result<Option<AskedBase>, Failure> {
        let Some(reference) = &self.base else {
            return Ok(None);
        };
        let git = Git::open(project.workspace.root())?;
        let commits = if reference == BASELINE {
            let config = &project.rules.config;
            if config.baseline.is_none() {
                let what = format!("{} has no `[baseline]`", config.file());
                return Err(Failure::usage(what)
                    .help("name a commit, or write `--base heads/baseline` for a branch"));
            }
            Commits::OfRows
        } else {
            Commits::One(BaseCommit::find(&git, reference)?)
        };
        Ok(Some(AskedBase { git, commits }))
    }
}

/// What the lines of a run are held against.
pub(crate) struct LinesBefore<'b> {
    pub(crate) asked: Option<&'b AskedBase>,
    pub(crate) project: &'b Project<'b>,
    pub(crate) measurements: &'b Measurements,
    pub(crate) baseline: Option<&'b Baseline>,
}

impl LinesBefore<'_> {
    /// Explains values, with the lines that were edited, and compares them with those at the base
    /// that was asked for, if any.
    pub(crate) fn explain(
        &self,
        wanted: Vec<Explained>,
        run: &BenchRun<'_>,
        built: &[Built],
    ) -> Result<Vec<Explained>, Failure> {
        let edits = self.edits(&wanted, self.project.shell);
        let sides = |value: usize| {
            let commits = edits[value].iter().flatten();
            let side = commits.map(|it| (&*it.commit.label, Side::New(&it.changes)));
            side.collect()
        };
        let explainer = Explainer { run, built };
        let mut explained = explainer.explain(wanted, &sides)?;
        if let Some(asked) = self.asked {
            self.compare(&asked.git, run, &mut explained, &edits)?;
        }
        Ok(explained)
    }

    /// For each value, the commits since which lines count as edited.
    fn edits(&self, values: &[Explained], shell: &Shell) -> Vec<Edits> {
        let mut known: Vec<Since> = Vec::new();
        match self.asked {
            Some(AskedBase { git, commits }) => {
                let commits = match commits {
                    Commits::One(base) => vec![base.clone(); values.len()],
                    Commits::OfRows => self.commits_of_rows(git, values, MOST_ASKED),
                };
                let commits = commits.into_iter();
                commits
                    .map(|commit| Ok(vec![since(git, commit?, &mut known)?]))
                    .collect()
            }
            None => {
                let each = self.usual_edits(values, &mut known, shell);
                let each = each.unwrap_or_else(|Failure { what: why, .. }| {
                    shell.status(
                        "Note",
                        &format!("which lines were edited is not known: {why}"),
                    );
                    vec![Vec::new(); values.len()]
                });
                each.into_iter().map(Ok).collect()
            }
        }
    }

    /// The commits without a base that was asked for.
    fn usual_edits(
        &self,
        values: &[Explained],
        known: &mut Vec<Since>,
        shell: &Shell,
    ) -> Result<Vec<Vec<Since>>, Failure> {
        let Some(git) = Git::find(self.project.workspace.root())? else {
            return Ok(vec![Vec::new(); values.len()]);
        };
        let usual = base_of_changes(&git, shell)?;
        let usual = usual.map(|commit| Since::new(&git, commit)).transpose()?;
        known.extend(usual.clone());
        let rows = self.commits_of_rows(&git, values, MOST).into_iter();
        let each = rows.map(|row| {
            let row = row
                .ok()
                .map(|commit| since(&git, commit, known))
                .transpose()?;
            // The newer one first: it says more exactly what was edited.
            let is_row_newer = match (&row, &usual) {
                (Some(row), Some(usual)) => {
                    let [row, usual] = [row, usual].map(|one| &one.commit.commit);
                    git.is_ancestor(usual, row)?
                }
                _ => false,
            };
            let mut both = [usual.clone(), row];
            if is_row_newer {
                both.reverse();
            }
            Ok(both.into_iter().flatten().collect())
        });
        each.collect()
    }

    /// Compares each value with its first commit, or notes why it has none. A commit
    /// is built once.
    fn compare(
        &self,
        git: &Git,
        run: &BenchRun<'_>,
        explained: &mut [Explained],
        bases: &[Edits],
    ) -> Result<(), Failure> {
        let mut compared = Vec::new();
        for (one, base) in explained.iter_mut().zip(bases) {
            if one.found.is_err() {
                continue;
            }
            match base.as_ref().map(|commits| commits.first()) {
                Err(why) => without_base(one, why.clone()),
                Ok(None) => {}
                Ok(Some(base)) => compared.push((base, one)),
            }
        }
        let groups = grouped(compared, |group, (base, _)| {
            group[0].0.commit.commit == base.commit.commit
        });
        for group in groups {
            let Since { commit, changes } = group[0].0;
            let wanted = group.iter().map(|(_, one)| (**one).clone()).collect();
            let group = group.into_iter().map(|(_, one)| one);
            let base = Base::check_out(self.project, run.arguments, git, commit);
            let there = base.and_then(|base| base.explain(&run.benches, wanted, changes));
            children::check()?;
            beside(group, &commit.label, there.map(|there| (there, &**changes)));
        }
        Ok(())
    }

    /// The commits that last changed the rows of the values' scenarios in the baseline.
    fn commits_of_rows(
        &self,
        git: &Git,
        values: &[Explained],
        most: u64,
    ) -> Vec<Result<BaseCommit, String>> {
        let Some(files) = &self.project.rules.config.baseline else {
            let none = Err(String::from("there is no baseline"));
            return vec![none; values.len()];
        };
        let rows: Vec<Row> = values.iter().map(|one| self.row(one)).collect();
        let now = self.baseline.cloned().unwrap_or_default();
        let folder = self.project.rules.folder();
        let commits = last_changes(git, folder, &files.data, &now, &rows, most).into_iter();
        commits
            .map(|commit| Ok(BaseCommit::new(BASELINE, commit?)))
            .collect()
    }

    /// The row of a value's scenario.
    fn row(&self, one: &Explained) -> Row {
        let id = ScenarioId {
            bench: one.bench.clone(),
            name: one.scenario.clone(),
        };
        let mut measured = self.measurements.scenarios().iter();
        let measured = measured.find(|it| it.bench == id.bench && it.record.name == id.name);
        (measured.map(|it| it.environment.clone()), id)
    }
}

/// The variables in which CI systems name the branch that a pull request is for: GitHub
/// and Gitea, GitLab, Jenkins, Azure Pipelines, Buildkite, Bitbucket and Drone.
const REQUEST_VARIABLES: [&str; 7] = [
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CHANGE_TARGET",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "DRONE_TARGET_BRANCH",
];

/// Where a pull request leaves the branch that it is for, or else where the working tree leaves
/// the usual base.
fn base_of_changes(git: &Git, shell: &Shell) -> Result<Option<BaseCommit>, Failure> {
    let named = REQUEST_VARIABLES.into_iter().find_map(|name| {
        let value = env::var(name).ok()?;
        let branch = value.strip_prefix("refs/heads/").unwrap_or(&value);
        (!branch.is_empty()).then(|| branch.to_owned())
    });
    let mut references = match &named {
        Some(branch) => vec![format!("origin/{branch}"), branch.clone()],
        None => git.usual_base()?.into_iter().collect(),
    };
    // A shallow clone can have the merge that GitHub makes of both branches, and no branch.
    if named.is_some() && git.known_commit("HEAD^2")?.is_some() {
        references.push(String::from("HEAD^1"));
    }
    for reference in &references {
        if let Some(commit) = git.merge_base(reference)? {
            return Ok(Some(BaseCommit::new(reference, commit)));
        }
    }
    if named.is_some() || git.is_shallow()? {
        let what = match &named {
            Some(branch) => format!(
                "which lines the pull request edits is not known: this clone has no history up to \
                 `{branch}`; fetch it, in GitHub Actions with `fetch-depth: 2`"
            ),
            None => String::from(
                "which lines were edited is not known: this shallow clone has no earlier commit; \
                 fetch it, in GitHub Actions with `fetch-depth: 2`",
            ),
        };
        shell.status("Note", &what);
    }
    Ok(None)
}

/// The changes since a commit. Each is asked for once, and has one name.
fn since(git: &Git, commit: BaseCommit, known: &mut Vec<Since>) -> Result<Since, Failure> {
    let same = known.iter().find(|one| one.commit.commit == commit.commit);
    if let Some(same) = same {
        return Ok(same.clone());
    }
    let since = Since::new(git, commit)?;
    known.push(since.clone());
    Ok(since)
}

/// Compares values with the same ones `there`, at the commit called `label`.
pub(crate) fn beside<'e>(
    explained: impl IntoIterator<Item = &'e mut Explained>,
    label: &str,
    there: Result<(Vec<Explained>, &Changes), Failure>,
) {
    for (number, one) in explained.into_iter().enumerate() {
        match &there {
            Err(failure) => without_base(one, failure.what.clone()),
            Ok((there, changes)) => match &there[number].found {
                Err(why) => without_base(one, format!("at {label}: {why}")),
                Ok(there) => {
                    if let Ok(Found::Sites { sites, .. }) = &mut one.found {
                        let head = mem::take(&mut **sites);
                        let diff = SiteDiff::new(there.sites().clone(), head, changes);
                        one.found = Ok(Found::Compared {
                            base: label.to_owned(),
                            diff: Box::new(diff),
                        });
                    }
                }
            },
        }
    }
}

fn without_base(one: &mut Explained, why: String) {
    if let Ok(Found::Sites { no_base, .. }) = &mut one.found {
        *no_base = Some(why);
    }
}
