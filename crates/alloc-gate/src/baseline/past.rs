//! [`Histories`]: the baselines of past commits, for tables with `history`. The caller reads
//! them from git.

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::figure::Date;

/// The length of a shortened commit hash.
const SHORT: usize = 10;

/// The baselines of past commits, by data file.
#[derive(Clone, Debug, Default)]
pub struct Histories {
    files: BTreeMap<String, Result<History, String>>,
}

/// The commits that changed the data of a baseline.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The newest commits, or all, the oldest first.
    pub commits: Vec<PastBaseline>,
    /// Whether the repository is a shallow clone, so that older commits may be missing.
    pub is_shallow: bool,
}

/// A baseline as a commit changed it.
#[derive(Clone, Debug)]
pub struct PastBaseline {
    /// The commit's full hash.
    pub commit: String,
    /// The date of the commit, in UTC.
    pub date: Date,
    /// Whether the commit's parents are missing in a shallow clone. Then an older commit may
    /// have accepted these figures.
    pub is_boundary: bool,
    /// The baseline, or why it can't be read.
    pub baseline: Result<Baseline, String>,
}

impl Histories {
    /// Adds the history of a data file, or why there is none.
    pub fn insert(&mut self, file: &str, history: Result<History, String>) {
        self.files.insert(file.to_owned(), history);
    }

    /// The history of a data file, or why there is none.
    pub(crate) fn find(&self, file: &str) -> Result<&History, &str> {
        match self.files.get(file) {
            Some(Ok(history)) if history.commits.is_empty() => Err("no commit has the file"),
            Some(Ok(history)) => Ok(history),
            Some(Err(reason)) => Err(reason),
            None => Err("nobody asked git for it"),
        }
    }
}

impl History {
    /// The newest `last` commits, the oldest first, and whether a shallow clone cut some of
    /// them off.
    pub(crate) fn newest(&self, last: u64) -> (&[PastBaseline], bool) {
        let last = usize::try_from(last).unwrap_or(usize::MAX);
        let begin = self.commits.len().saturating_sub(last);
        let newest = &self.commits[begin..];
        let is_short = newest.len() < last || newest.iter().any(|past| past.is_boundary);
        (newest, self.is_shallow && is_short)
    }
}

impl PastBaseline {
    /// The commit's label in tables: `2026-11-20 8b9c065d1e`.
    #[must_use]
    pub fn label(&self) -> String {
        let short = self.commit.get(..SHORT).unwrap_or(&self.commit);
        format!("{} {short}", self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shallow_history_is_cut_if_its_oldest_commit_is_shown() {
        let past = |is_boundary| PastBaseline {
            commit: String::from("8b9c065d1e3"),
            date: Date::new(2026, 11, 20).unwrap(),
            is_boundary,
            baseline: Ok(Baseline::default()),
        };
        let history = |is_shallow| History {
            commits: vec![past(is_shallow), past(false), past(false)],
            is_shallow,
        };
        for (last, shown, is_cut) in [(1, 1, false), (2, 2, false), (3, 3, true), (9, 3, true)] {
            let (whole, shallow) = (history(false), history(true));
            assert!(!whole.newest(last).1);
            assert_eq!(whole.newest(last).0.len(), shown);
            assert_eq!(shallow.newest(last).1, is_cut);
        }
        assert_eq!(past(false).label(), "2026-11-20 8b9c065d1e");
    }
}
