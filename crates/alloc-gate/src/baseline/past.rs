//! [`Histories`]: the baselines that were accepted in the past, as far as the tables
//! of the rules ask for them. Whoever hands them in has asked git; nothing of git is
//! known here, and nothing is judged by them.

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::figure::Date;

/// The length of a commit's name where it stands for the whole one.
const SHORT: usize = 10;

/// The baselines of the past, by the file that has their data.
#[derive(Clone, Debug, Default)]
pub struct Histories {
    files: BTreeMap<String, Result<History, String>>,
}

/// The commits that changed the data of a baseline.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The commits, the oldest first: the newest of all, or all that there are.
    pub commits: Vec<PastBaseline>,
    /// Whether older commits may be missing, since the repository has but a part of
    /// its history.
    pub is_shallow: bool,
}

/// A baseline as of a commit that changed it.
#[derive(Clone, Debug)]
pub struct PastBaseline {
    /// The commit's full name.
    pub commit: String,
    /// The day on which it was committed, in UTC.
    pub date: Date,
    /// Whether its parents are missing, so that an older commit may be the one that
    /// accepted these figures.
    pub is_boundary: bool,
    /// What it says, or why that can't be read.
    pub baseline: Result<Baseline, String>,
}

impl Histories {
    /// Hands in what is known of a file, or why nothing is.
    pub fn insert(&mut self, file: &str, history: Result<History, String>) {
        self.files.insert(file.to_owned(), history);
    }

    /// What is known of a file.
    pub(crate) fn of(&self, file: &str) -> Result<&History, &str> {
        match self.files.get(file) {
            Some(Ok(history)) if history.commits.is_empty() => Err("no commit has the file"),
            Some(Ok(history)) => Ok(history),
            Some(Err(reason)) => Err(reason),
            None => Err("nobody asked git for it"),
        }
    }
}

impl History {
    /// The newest `last` commits, the oldest first, and whether older ones that belong
    /// among them are missing.
    pub(crate) fn newest(&self, last: u64) -> (&[PastBaseline], bool) {
        let last = usize::try_from(last).unwrap_or(usize::MAX);
        let begin = self.commits.len().saturating_sub(last);
        let newest = &self.commits[begin..];
        let is_short = newest.len() < last || newest.iter().any(|past| past.is_boundary);
        (newest, self.is_shallow && is_short)
    }
}

impl PastBaseline {
    /// `2026-11-20 8b9c065d1e`: what tables call it.
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
    fn a_part_of_a_history_is_shallow_where_it_reaches_the_end_of_what_is_there() {
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
