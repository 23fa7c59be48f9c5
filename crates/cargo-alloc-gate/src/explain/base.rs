//! [`LineBase`]: compares the lines behind figures with those at other commits. Where that is
//! not possible, the report says why.

use std::mem;

use alloc_gate::grouped;
use alloc_gate::sites::{Changes, Explained, Found, SiteDiff, Unexplained};

use crate::children;
use crate::explain::since::{Edits, Since};
use crate::failure::Failure;
use crate::git::base::Base;
use crate::git::worktree::label;
use crate::git::{Git, how_to_fetch};
use crate::project::{BenchRun, Project};

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

    /// The commit that `reference` stands for. A shallow clone may lack it, which is a reason
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

/// Builds other commits, and compares lines with those there.
pub(crate) struct LineBase<'b> {
    pub(crate) project: &'b Project<'b>,
    pub(crate) git: &'b Git,
    /// The run that has the lines.
    pub(crate) run: &'b BenchRun<'b>,
}

impl LineBase<'_> {
    /// Compares each figure with the first commit beside it, or notes why it has none. A commit
    /// is built once.
    pub(crate) fn compare(
        &self,
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
            let Self { project, git, run } = self;
            let base = Base::check_out(project, run.arguments, git, commit);
            let there = base.and_then(|base| base.explain(&run.benches, wanted, changes));
            children::check()?;
            beside(group, &commit.label, there.map(|there| (there, &**changes)));
        }
        Ok(())
    }
}

/// Compares figures with the same ones `there`, at the commit called `label`.
pub(crate) fn beside<'e>(
    explained: impl IntoIterator<Item = &'e mut Explained>,
    label: &str,
    there: Result<(Vec<Explained>, &Changes), Failure>,
) {
    for (number, one) in explained.into_iter().enumerate() {
        match &there {
            Err(failure) => without_base(one, failure.what.clone()),
            Ok((there, changes)) => match &there[number].found {
                Err(why) => without_base(one, reason(label, why)),
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

/// Why there are no lines at a base.
fn reason(label: &str, why: &Unexplained) -> String {
    if let Unexplained::NotMeasured(why) = why {
        format!("at {label}: {why}")
    } else {
        format!("the scenario was not explained at {label}")
    }
}
