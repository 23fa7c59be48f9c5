//! The baselines of past commits, for `compare` and for the lines behind failures:
//! which commits changed the data, and the data of each.

use std::path::Path;

use alloc_gate::{Baseline, Environment, ScenarioId};

use crate::git::{Committed, Git};

/// The baseline of a commit, in a `file` below the folder; `None` if the commit does not have it.
pub(crate) fn at(folder: &Path, commit: &str, file: &str) -> Result<Option<Baseline>, String> {
    let Some(text) = Git::text_of(folder, commit, file)? else {
        return Ok(None);
    };
    let baseline = Baseline::parse(file, &text).map_err(|diagnostics| {
        let first = diagnostics.list().first();
        let first = first.map(|one| (diagnostics.place(one), one.message.as_str()));
        // A file without a diagnostic is readable.
        let (place, message) = first.unzip();
        let place = place.map_or(String::new(), |place| format!(":{place}"));
        format!("{file}{place}: {}", message.unwrap_or_default())
    })?;
    Ok(Some(baseline))
}

/// A scenario's row in the data of a baseline, of the environment that measured it, or of any.
pub(crate) type Row = (Option<Environment>, ScenarioId);

/// For each row of the data `now`, the commit that last changed it, or why none is known. At most
/// the last `most` commits that changed the file are read.
pub(crate) fn last_changes(
    git: &Git,
    folder: &Path,
    file: &str,
    now: &Baseline,
    rows: &[Row],
    most: u64,
) -> Vec<Result<String, String>> {
    let search = || -> Result<Vec<Result<String, String>>, String> {
        let commits = git.commits_of(folder, file, most)?;
        let past = commits.iter().map(|commit| {
            // Data that can't be read has other rows.
            let data = at(folder, &commit.name, file);
            (commit, data.ok().flatten().unwrap_or_default())
        });
        Ok(last_change_of_each(past, file, now, rows, most))
    };
    search().unwrap_or_else(|why| rows.iter().map(|_| Err(why.clone())).collect())
}

/// The same in these commits, the newest first. No more of them are read than needed.
fn last_change_of_each<'c>(
    past: impl Iterator<Item = (&'c Committed, Baseline)>,
    file: &str,
    now: &Baseline,
    rows: &[Row],
    most: u64,
) -> Vec<Result<String, String>> {
    let find = |baseline: &Baseline, (environment, id): &Row| match environment {
        Some(environment) => baseline
            .accepted_in(environment)?
            .scenarios
            .get(id)
            .cloned(),
        None => {
            let mut all = baseline.environments().iter();
            all.find_map(|accepted| accepted.scenarios.get(id).cloned())
        }
    };
    let mut found: Vec<Option<Result<String, String>>> = vec![None; rows.len()];
    for (row, found) in rows.iter().zip(&mut found) {
        if find(now, row).is_none() {
            *found = Some(Err(format!("{file} has no row of the scenario")));
        }
    }
    let (mut newer, mut count): (Option<&Committed>, u64) = (None, 0);
    for (commit, data) in past {
        for (row, found) in rows.iter().zip(&mut found) {
            let (here, now) = (find(&data, row), find(now, row));
            let is_same = here
                .zip(now)
                .is_some_and(|(one, other)| one.has_values_of(&other));
            if found.is_none() && !is_same {
                *found = Some(match newer {
                    Some(newer) => Ok(newer.name.clone()),
                    None => Err(format!("its row in {file} is not committed")),
                });
            }
        }
        (newer, count) = (Some(commit), count + 1);
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    // All of these commits have the row, so the oldest one added it.
    let oldest = match newer {
        None => Err(format!("{file} is not committed")),
        Some(commit) if commit.is_boundary => Err(format!(
            "the repository is a shallow clone without the commit that changed its row in {file}"
        )),
        Some(_) if count >= most => Err(format!(
            "none of the last {most} commits of {file} changed its row"
        )),
        Some(commit) => Ok(commit.name.clone()),
    };
    let found = found.into_iter();
    found
        .map(|one| one.unwrap_or_else(|| oldest.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use alloc_results::BenchId;

    use super::*;

    /// Data with scenarios of so many iterations.
    fn data(scenarios: &[(&str, u64)]) -> Baseline {
        let environment = "version = 1\n[[environment]]\ntarget = \"t\"\nprofile = \"bench\"\n\
                           features = []\nallocator = \"a\"\ndebug-assertions = false\n\
                           rustc = \"r\"\nharness = \"h\"\n";
        let rows = scenarios.iter().map(|(name, iterations)| {
            format!(
                "[[environment.scenario]]\nname = \"{name}\"\n\
                 bench = {{ package = \"p\", target = \"b\" }}\n\
                 iterations = {iterations}\nwarmup = 0\n[environment.scenario.metrics]\n"
            )
        });
        let text: String = [environment.to_owned()].into_iter().chain(rows).collect();
        Baseline::parse("b.toml", &text).unwrap()
    }

    #[test]
    fn each_row_has_the_commit_that_last_changed_it() {
        let commit = |name: &str, is_boundary| Committed {
            name: name.to_owned(),
            is_boundary,
        };
        let now = data(&[("first", 1), ("later", 2), ("again", 3), ("open", 4)]);
        // The newest first; `again` had its values before as well.
        let past = [
            data(&[("first", 1), ("later", 2), ("again", 3), ("open", 5)]),
            data(&[("first", 1), ("later", 2), ("again", 9)]),
            data(&[("first", 1), ("again", 3)]),
        ];
        let environment = now.environments()[0].environment.clone();
        let rows = ["first", "later", "again", "open", "gone"].map(|name| {
            let bench = BenchId {
                package: String::from("p"),
                target: String::from("b"),
            };
            let name = name.to_owned();
            (Some(environment.clone()), ScenarioId { bench, name })
        });
        for (is_shallow, first) in [
            (false, Ok(String::from("oldest"))),
            (
                true,
                Err(String::from(
                    "the repository is a shallow clone without the commit that changed its row in \
                     b.toml",
                )),
            ),
        ] {
            let commits = [
                commit("newest", false),
                commit("middle", false),
                commit("oldest", is_shallow),
            ];
            let past = commits.iter().zip(past.clone());
            assert_eq!(
                last_change_of_each(past, "b.toml", &now, &rows, 1000),
                [
                    first,
                    Ok(String::from("middle")),
                    Ok(String::from("newest")),
                    Err(String::from("its row in b.toml is not committed")),
                    Err(String::from("b.toml has no row of the scenario")),
                ]
            );
        }
    }
}
