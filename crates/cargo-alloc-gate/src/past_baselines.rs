//! The baselines of past commits, for `compare`, for the lines behind failures and for the
//! tables that show them: which commits changed the data, and the data of each. A baseline that can't be read is no error; the table
//! shows the reason.

use std::path::Path;

use alloc_gate::{
    Baseline, Date, Environment, Histories, History, PastBaseline, ScenarioId, histories_needed,
};

use crate::git::{Committed, Git, Walk};
use crate::rules::Rules;

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// Reads the past baselines that the tables of the rules need. Without a table of the
/// past, git is not started.
pub(crate) fn read(rules: &Rules) -> Histories {
    let mut histories = Histories::default();
    let needed = histories_needed(&rules.config);
    if needed.is_empty() {
        return histories;
    }
    let git = Git::find(rules.folder());
    for (file, most) in needed {
        let history = match &git {
            Ok(git) => history(git, rules.folder(), file, most),
            Err(reason) => Err(reason.clone()),
        };
        histories.insert(file, history);
    }
    histories
}

/// The baselines of the newest commits that changed `file`, `most` of them at most.
fn history(git: &Git, folder: &Path, file: &str, most: u64) -> Result<History, String> {
    let path = inside(git, folder, file)?;
    let is_shallow = git.is_shallow()?;
    let committed = git.commits_of(&path, most, Walk::All)?;
    if committed.is_empty() {
        let shallow = match is_shallow {
            true => "; the repository is a shallow clone",
            false => "",
        };
        return Err(format!("no commit has the file{shallow}"));
    }
    // Git names the newest first.
    let commits = committed.into_iter().rev();
    Ok(History {
        commits: commits
            .map(|commit| past(git, commit, &path, file))
            .collect(),
        is_shallow,
    })
}

fn past(git: &Git, commit: Committed, path: &str, file: &str) -> PastBaseline {
    let baseline = parsed(git, &commit.name, path, file);
    let baseline = baseline
        .and_then(|baseline| baseline.ok_or_else(|| String::from("the commit removes the file")));
    PastBaseline {
        date: Date::from_unix_days(commit.seconds.div_euclid(SECONDS_A_DAY)),
        is_boundary: commit.is_boundary,
        commit: commit.name,
        baseline,
    }
}

/// The baseline of a commit; `None` if it does not have the `file`.
pub(crate) fn at(
    git: &Git,
    commit: &str,
    folder: &Path,
    file: &str,
) -> Result<Option<Baseline>, String> {
    parsed(git, commit, &inside(git, folder, file)?, file)
}

/// A scenario's row in the data of a baseline, of the environment that measured it.
pub(crate) type Row = (Option<Environment>, ScenarioId);

/// The commits that are searched for the change of a row at most.
const MOST: u64 = 1000;

/// For each row of the data `now`, the commit that last changed it, or why none is known.
pub(crate) fn last_changes(
    git: &Git,
    folder: &Path,
    file: &str,
    now: &Baseline,
    rows: &[Row],
) -> Vec<Result<String, String>> {
    let search = || -> Result<Vec<Result<String, String>>, String> {
        let path = inside(git, folder, file)?;
        let commits = git.commits_of(&path, MOST, Walk::FirstParents)?;
        let past = commits.iter().map(|commit| {
            // Data that can't be read has other rows.
            let data = parsed(git, &commit.name, &path, file);
            (commit, data.ok().flatten().unwrap_or_default())
        });
        Ok(last_change_of_each(past, file, now, rows))
    };
    search().unwrap_or_else(|why| rows.iter().map(|_| Err(why.clone())).collect())
}

/// The same in these commits, the newest first. No more of them are read than needed.
fn last_change_of_each<'c>(
    past: impl Iterator<Item = (&'c Committed, Baseline)>,
    file: &str,
    now: &Baseline,
    rows: &[Row],
) -> Vec<Result<String, String>> {
    let find = |baseline: &Baseline, (environment, id): &Row| {
        let accepted = baseline.accepted_in(environment.as_ref()?)?;
        accepted.scenarios.get(id).cloned()
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
                .is_some_and(|(one, other)| one.has_figures_of(&other));
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
        Some(_) if count >= MOST => Err(format!(
            "none of the last {MOST} commits of {file} changed its row"
        )),
        Some(commit) => Ok(commit.name.clone()),
    };
    let found = found.into_iter();
    found
        .map(|one| one.unwrap_or_else(|| oldest.clone()))
        .collect()
}

fn parsed(git: &Git, commit: &str, path: &str, file: &str) -> Result<Option<Baseline>, String> {
    let Some(text) = git.text_of(commit, path)? else {
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

/// The path of `file`, which is relative to `folder`, from the root of the working
/// tree, with the slashes that git has.
fn inside(git: &Git, folder: &Path, file: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = Vec::new();
    let outside = || String::from("the file is outside of the repository");
    let path = folder.join(file);
    let absolute;
    let relative = if Path::new(file).is_absolute() {
        // Git prints the root without links, so the path is compared without links.
        let parent = path.parent().map(Path::canonicalize);
        let parent = parent.and_then(Result::ok).ok_or_else(outside)?;
        absolute = parent.join(path.file_name().unwrap_or_default());
        absolute.strip_prefix(git.top()).map_err(|_| outside())?
    } else {
        absolute = git.prefix().join(file);
        &absolute
    };
    for part in relative.components() {
        use std::path::Component::{CurDir, Normal, ParentDir, Prefix, RootDir};
        match part {
            CurDir => {}
            ParentDir => drop(parts.pop().ok_or_else(outside)?),
            Normal(part) => parts.push(part.to_str().ok_or("its path is not UTF-8")?),
            Prefix(_) | RootDir => return Err(outside()),
        }
    }
    Ok(parts.join("/"))
}
