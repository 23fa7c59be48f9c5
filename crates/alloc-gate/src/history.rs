//! [`Histories`]: the baselines that were accepted in the past, as far as the tables
//! of the rules ask for them. Whoever hands them in has asked git; nothing of git is
//! known here, and nothing is judged by them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use alloc_results::AxisValue;

use crate::baseline::{AcceptedScenario, Baseline};
use crate::config::{Config, Table, TableHistory};
use crate::date::Date;

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
    /// The files whose history the tables of `config` show, relative to gates.toml,
    /// each with how many commits at most.
    #[must_use]
    pub fn needed(config: &Config) -> BTreeMap<&str, u64> {
        let mut needed = BTreeMap::new();
        for history in config.tables.iter().filter_map(|t| t.history.as_ref()) {
            let most = needed.entry(history.file(config)).or_insert(history.last);
            *most = history.last.max(*most);
        }
        needed
    }

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

/// A scenario as it was accepted with a commit.
#[derive(Clone, Debug)]
pub(crate) struct PastScenario<'h> {
    pub(crate) name: &'h str,
    /// The commit and the environment first, so that no axis of its own hides them.
    pub(crate) axes: Vec<AxisValue>,
    pub(crate) accepted: &'h AcceptedScenario,
}

/// The scenarios of `commits` that `table` shows, by name, and of one name from the
/// oldest on.
pub(crate) fn scenarios<'h>(
    table: &Table,
    history: &TableHistory,
    commits: &'h [PastBaseline],
) -> Vec<PastScenario<'h>> {
    let mut all = Vec::new();
    for past in commits {
        let baseline = past.baseline.iter();
        for accepted in baseline.flat_map(Baseline::environments) {
            let environment = accepted.environment.to_string();
            let pattern = history.environment.as_ref();
            if pattern.is_some_and(|pattern| !pattern.matches(&environment)) {
                continue;
            }
            let shown = accepted.scenarios.iter();
            let shown = shown.filter(|(name, _)| table.shows(name));
            all.extend(shown.map(|(name, accepted)| {
                let reserved = [
                    (TableHistory::COMMIT, past.label()),
                    (TableHistory::ENVIRONMENT, environment.clone()),
                ];
                let reserved = reserved.map(|(axis, value)| AxisValue {
                    axis: axis.to_owned(),
                    value,
                });
                PastScenario {
                    name,
                    axes: reserved.into_iter().chain(axes(name)).collect(),
                    accepted,
                }
            }));
        }
    }
    all.sort_by(|a, b| by_number(a.name, b.name));
    all
}

/// The axes that a scenario's name ends in, `NAME/axis=value,axis=value`: a baseline
/// keeps the name alone. A slash or a comma of a value is not taken for an end of it,
/// unless a further axis seems to follow.
fn axes(name: &str) -> Vec<AxisValue> {
    let ends = name.rmatch_indices('/').map(|(slash, _)| slash);
    let mut tails = ends.map(|slash| &name[slash + 1..]);
    tails.find_map(axes_of_tail).unwrap_or_default()
}

fn axes_of_tail(tail: &str) -> Option<Vec<AxisValue>> {
    let is_name = |text: &str| {
        let mut characters = text.chars();
        !text.is_empty() && characters.all(|c| c.is_alphanumeric() || "-_.".contains(c))
    };
    let mut axes: Vec<AxisValue> = Vec::new();
    for piece in tail.split(',') {
        match piece.split_once('=').filter(|(axis, _)| is_name(axis)) {
            Some((axis, value)) => axes.push(AxisValue {
                axis: axis.to_owned(),
                value: value.to_owned(),
            }),
            None => {
                let last = axes.last_mut()?;
                last.value.push(',');
                last.value.push_str(piece);
            }
        }
    }
    Some(axes)
}

/// The order of texts in which runs of digits are numbers: `rows=25` before
/// `rows=100`, as a sweep has them. A baseline knows no order of its own.
fn by_number(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.len() - text.trim_start_matches(digit).len();
        let (of_left, of_right) = (digits(left), digits(right));
        if of_left > 0 && of_right > 0 {
            let number = |text: &'_ str, end: usize| {
                let number = text[..end].trim_start_matches('0');
                (number.len(), number.to_owned())
            };
            let order = number(left, of_left).cmp(&number(right, of_right));
            if order.is_ne() {
                return order;
            }
            (left, right) = (&left[of_left..], &right[of_right..]);
            continue;
        }
        let (mut after_left, mut after_right) = (left.chars(), right.chars());
        match (after_left.next(), after_right.next()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (after_left.as_str(), after_right.as_str());
            }
            // Texts that differ in leading zeros alone differ all the same.
            (None, None) => return a.cmp(b),
            (one, other) => return one.cmp(&other),
        }
    }
}

fn digit(character: char) -> bool {
    character.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_a_scenario_are_read_from_its_name() {
        for (name, expected) in [
            ("encode", ""),
            ("decode/rows=10", "rows:10"),
            ("decode (all)/impl=old,rows=10", "impl:old rows:10"),
            ("scan/path=a/b", "path:a/b"),
            ("scan/list=a,b,n=1", "list:a,b n:1"),
            ("a=b/rows=10", "rows:10"),
            ("read/a=1/b=2", "b:2"),
            ("read/raw (k=v)", ""),
            ("read/1 + 1 = 2", ""),
            ("read/", ""),
            ("pair/size=", "size:"),
        ] {
            let axes = axes(name).into_iter();
            let axes: Vec<String> = axes.map(|a| format!("{}:{}", a.axis, a.value)).collect();
            assert_eq!(axes.join(" "), expected, "{name}");
        }
    }

    #[test]
    fn digits_are_compared_as_numbers_and_all_else_as_text() {
        let sorted = [
            "",
            "1",
            "01a",
            "1a",
            "a",
            "a/n=2",
            "a/n=2,m=9",
            "a/n=2,m=10",
            "a/n=10",
            "a/n=010x",
            "a/n=100000000000000000000000000000000000000000",
            "ab",
            "b",
            "b0",
            "b00",
        ];
        for (nth, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(by_number(a, b), nth.cmp(&other), "{a:?} and {b:?}");
            }
        }
    }

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
