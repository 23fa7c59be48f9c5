//! [`FailureGroup`]: the failures that have the same cause, for all reports.

use std::mem;

use indexmap::IndexMap;

use crate::evaluation::{Evaluation, Level, Subjects};
use crate::report::check::failure::FailureText;
use crate::report::explain::SitesText;
use crate::report::explain::shared::shared;
use crate::sites::{Explained, Unexplained};

/// Failures that the same lines explain, those without lines for the same reason, those that
/// nothing explains, or one failure.
pub(in crate::report) struct FailureGroup {
    /// At least one; all of a level and a verdict.
    pub(in crate::report) failures: Vec<FailureText>,
    /// The lines of each failure, or once why there are none.
    pub(in crate::report) each: Vec<SitesText>,
    /// The lines that explain several failures, once.
    pub(in crate::report) shared: Option<SitesText>,
}

impl FailureGroup {
    pub(in crate::report) fn level(&self) -> Level {
        self.failures[0].level
    }

    /// The lines to show: what the failures share, or those of the only one.
    pub(in crate::report) fn lines(&self) -> &[SitesText] {
        match &self.shared {
            Some(shared) => std::slice::from_ref(shared),
            None => &self.each,
        }
    }
}

/// What failures of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Common<'e> {
    /// The lines, by their number.
    Lines(usize),
    /// The reason why there are no lines.
    Reason(&'e Unexplained),
    /// Their lines were not asked for.
    NotAsked,
    /// Nothing: the number of the failure.
    Nothing(usize),
}

/// Puts failures that the same lines explain, or that have no lines for the same reason, into one
/// group, at the place of the first of them, and those that are left unexplained into another.
/// With `is_each`, each failure is a group of its own.
pub(in crate::report) fn groups(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    failures: Vec<FailureText>,
    is_each: bool,
) -> Vec<FailureGroup> {
    // A failure with several explained figures, of a sweep, has lines of its own.
    let single = |failure: &FailureText| match (&failure.explained[..], is_each) {
        (&[number], false) if failure.level == Level::Deny => Some(&evaluation.explained[number]),
        _ => None,
    };
    let explained = failures.iter().filter_map(single);
    let mut shared = shared(explained, |one, metric| subjects.accepted(one, metric));
    let in_common = |failure: &FailureText| {
        let explained = single(failure)?;
        if let Err(reason) = &explained.found {
            return Some(Common::Reason(reason));
        }
        let mut causes = shared.iter();
        let is_one = |one: &Explained| std::ptr::eq(one, explained);
        let cause = causes.position(|(cause, _)| cause.iter().any(|one| is_one(one)));
        cause.map(Common::Lines)
    };
    let leaves_some = !is_each && !evaluation.explained.is_empty();
    let mut groups: IndexMap<Common<'_>, Vec<FailureText>> = IndexMap::new();
    for (number, failure) in failures.into_iter().enumerate() {
        let common = match in_common(&failure) {
            Some(common) => common,
            None if leaves_some && failure.is_left_unexplained => Common::NotAsked,
            None => Common::Nothing(number),
        };
        groups.entry(common).or_default().push(failure);
    }
    let group = |(common, failures): (Common<'_>, Vec<FailureText>)| {
        let explained = failures.iter().flat_map(|failure| &failure.explained);
        let explained = explained.map(|&number| &evaluation.explained[number]);
        let (most, shared) = match common {
            Common::Reason(_) => (1, None),
            Common::Lines(cause) => (usize::MAX, Some(mem::take(&mut shared[cause].1))),
            Common::NotAsked | Common::Nothing(_) => (usize::MAX, None),
        };
        FailureGroup {
            each: explained.take(most).map(SitesText::new).collect(),
            shared,
            failures,
        }
    };
    groups.into_iter().map(group).collect()
}
