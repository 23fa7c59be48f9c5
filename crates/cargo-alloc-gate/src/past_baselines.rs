//! The baselines of past commits, for `compare` and for the tables that show them: which
//! commits changed the data, and the data of each. A baseline that can't be read is no error; the table
//! shows the reason.

use std::path::Path;

use alloc_gate::{Baseline, Date, Histories, History, PastBaseline, histories_needed};

use crate::git::{Committed, Git};
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
    let committed = git.commits_of(&path, most)?;
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
