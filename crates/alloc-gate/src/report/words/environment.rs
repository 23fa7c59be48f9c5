//! The line of a report that says where, when and from which sources was measured.

use crate::figure::Date;
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

fn minute(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let date = Date::from_unix_days(i64::try_from(seconds / DAY).unwrap_or(i64::MAX));
    let minutes = seconds % DAY / 60;
    format!("{date} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}
