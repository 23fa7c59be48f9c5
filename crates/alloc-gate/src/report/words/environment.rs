//! The line of a report that says where, when and from which sources was measured.

use crate::report::document::{Block, Document, words};
use crate::results::Origin;

/// `environment: x86_64-unknown-linux-gnu, profile bench, opt-level 3, over
/// std::alloc::System, rustc 1.95.0, commit 9ab1dd53bd, 2026-09-21 14:13 UTC`; nothing without a
/// bench. Different values of several benches are joined by `and`.
pub(in crate::report) fn environment(origins: &[Origin]) -> Document {
    if origins.is_empty() {
        return Vec::new();
    }
    let level = |origin: &Origin| Some(format!("opt-level {}", origin.opt_level.as_ref()?));
    let features = |origin: &Origin| {
        let features = &origin.environment.features;
        (!features.is_empty()).then(|| format!("features {}", features.join(" ")))
    };
    let is_debug = |one: &Origin| one.environment.debug_assertions;
    let times = origins.iter().filter_map(|origin| origin.unix_time);
    let parts = [
        distinct(origins, |one| Some(one.environment.target.clone())),
        distinct(origins, |one| {
            Some(format!("profile {}", one.environment.profile))
        }),
        distinct(origins, level),
        distinct(origins, features),
        distinct(origins, |one| {
            is_debug(one).then(|| "with debug assertions".into())
        }),
        distinct(origins, |one| {
            one.quick
                .then(|| "a quick run with fewer iterations".into())
        }),
        distinct(origins, |one| {
            Some(format!("over {}", one.environment.allocator))
        }),
        distinct(origins, |one| {
            Some(format!("started by {}", one.runner.as_ref()?))
        }),
        distinct(origins, |one| Some(one.environment.rustc.clone())),
        distinct(origins, |one| Some(commit(one))),
        // The oldest results are the most likely to be out of date.
        times.min().map(minute),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let words = parts.join(", ");
    vec![
        Block::Log(vec![words!("environment: {}", &words).into()]),
        Block::Page(vec![words!("Environment: {}", words).into()]),
    ]
}

/// The different values, in the order of the benches; `None` if there are none.
fn distinct(origins: &[Origin], value: impl Fn(&Origin) -> Option<String>) -> Option<String> {
    let mut values: Vec<String> = Vec::new();
    for value in origins.iter().filter_map(value) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    (!values.is_empty()).then(|| values.join(" and "))
}

/// The first ten digits of a commit's name.
pub(in crate::report) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

fn commit(origin: &Origin) -> String {
    let Some(commit) = &origin.commit else {
        return String::from("commit unknown");
    };
    let short = short(commit);
    match origin.dirty {
        Some(true) => format!("commit {short} with uncommitted changes"),
        Some(false) | None => format!("commit {short}"),
    }
}

/// `2026-01-31 18:00 UTC`, of the seconds since 1970.
fn minute(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let (year, month, day) = date(seconds / DAY);
    let minutes = seconds % DAY / 60;
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// The year, month and day so many days after 1970-01-01.
///
/// The algorithm is `civil_from_days` of
/// <https://howardhinnant.github.io/date_algorithms.html>. Its years begin in March, so that a
/// leap day is the last day of a year.
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 0000-03-01
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153; // from March
    let year = era * 400 + year_of_era;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    if month < 10 {
        (year, month + 3, day)
    } else {
        (year + 1, month - 9, day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970_become_a_date() {
        // From `date -u -d @$((days * 86400)) +%F`.
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (789, (1972, 2, 29)),
            (790, (1972, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_322, (2000, 12, 31)),
            (11_323, (2001, 1, 1)),
            (20_484, (2026, 1, 31)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
