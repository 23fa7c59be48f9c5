//! [`Git`]: the repository of the workspace, through the program `git`. It never changes a
//! branch, the index, the working tree or the configuration of the user.

pub(crate) mod base;
pub(crate) mod baselines;
pub(crate) mod worktree;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use alloc_gate::report::Repository;
use alloc_gate::sites::Changes;

use crate::children;
use crate::failure::Failure;
use crate::output::shell::{Shell, quoted};

/// A repository with a working tree.
pub(crate) struct Git {
    /// The root of the working tree.
    top: PathBuf,
    /// The path of the workspace below it; empty for the root itself.
    prefix: PathBuf,
}

/// The commit of a working tree.
#[derive(Clone)]
pub(crate) struct Checkout {
    /// Its full name.
    pub(crate) commit: String,
    /// How many files of the working tree differ from it.
    pub(crate) uncommitted: usize,
}

/// A file of the working tree that differs from its commit.
pub(crate) struct Uncommitted {
    pub(crate) path: PathBuf,
    pub(crate) is_tracked: bool,
}

/// A commit that changed a file.
pub(crate) struct Committed {
    pub(crate) name: String,
    /// Whether a shallow clone ends with it.
    pub(crate) is_boundary: bool,
}

/// The variables that a git hook sets, and that would make git use another repository; and
/// variables that would change how git reads its arguments, or what it prints.
const UNSET: [&str; 12] = [
    "GIT_COMMON_DIR",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_TRACE",
    "GIT_WORK_TREE",
];

/// The settings of each call, so that nothing is written but what the subcommand is for. They also
/// apply where git starts itself in a submodule.
const SETTINGS: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "diff.autoRefreshIndex=true",
    "diff.ignoreSubmodules=none",
    "diff.orderFile=/dev/null",
    "status.showUntrackedFiles=normal",
    "submodule.recurse=false",
];

/// The options that give a diff one form, whatever is configured.
const DIFF: [&str; 13] = [
    "diff",
    "-U0",
    "--inter-hunk-context=0",
    "--diff-algorithm=default",
    "--find-renames",
    "-l1000",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--ignore-submodules=none",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

impl Checkout {
    /// The commit of the working tree around `folder`; `None` without a repository or before the
    /// first commit. An error of git is a warning.
    pub(crate) fn of(folder: &Path, shell: &Shell) -> Option<Self> {
        let found = match Git::find(folder) {
            Ok(Some(git)) => git.checkout(),
            Ok(None) => Ok(None),
            Err(failure) => Err(failure),
        };
        found.unwrap_or_else(|failure| {
            let what = format!("the commit is not known: {}", failure.what);
            shell.warning(
                &what,
                "until git works here, reports name no commit and no edited line",
            );
            None
        })
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.uncommitted > 0
    }
}

impl Git {
    /// The repository that has `folder` in its working tree.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        Self::find(folder)?.ok_or_else(|| {
            Failure::usage(format!("{} is not in a git repository", folder.display()))
                .help("run this in a workspace that is in the working tree of a git repository")
        })
    }

    /// The same; `None` if there is none.
    pub(crate) fn find(folder: &Path) -> Result<Option<Self>, Failure> {
        let real = folder.canonicalize();
        let real = real.as_deref().unwrap_or(folder);
        if !real.ancestors().any(|parent| parent.join(".git").exists()) {
            // Then git may be missing, too.
            return Ok(None);
        }
        // Each by itself, because a path can have line breaks.
        let top = match said(folder, ["rev-parse", "--show-toplevel"]) {
            Err(failure) if failure.what.contains(NO_REPOSITORY) => return Ok(None),
            top => top?,
        };
        let prefix = said(folder, ["rev-parse", "--show-prefix"])?;
        Ok(Some(Self {
            top: top.into(),
            prefix: prefix.into(),
        }))
    }

    /// The root of the working tree.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// Where the sources are, for reports whose paths are below the root of the repository.
    pub(crate) fn repository(&self) -> Repository<'_> {
        Repository {
            top: &self.top,
            prefix: &self.prefix,
        }
    }

    /// The full name of the commit that `reference` names.
    pub(crate) fn commit(&self, reference: &str) -> Result<String, Failure> {
        match self.known_commit(reference)? {
            Some(commit) => Ok(commit),
            None => Err(Failure::usage(format!(
                "`{reference}` is not a commit in this repository"
            ))
            .help(self.advice(reference)?)),
        }
    }

    /// The same; `None` if there is none.
    pub(crate) fn known_commit(&self, reference: &str) -> Result<Option<String>, Failure> {
        let commit = format!("{reference}^{{commit}}");
        self.answer([
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ])
    }

    /// How to get the commit that `reference` should name.
    fn advice(&self, reference: &str) -> Result<String, Failure> {
        let branches = format!("refs/remotes/*/{reference}");
        let branches = self.said(["for-each-ref", "--format=%(refname:lstrip=2)", &branches])?;
        if let Some(branch) = branches.lines().next() {
            return Ok(format!("did you mean `{branch}`?"));
        }
        Ok(if self.is_shallow()? {
            how_to_fetch(reference)
        } else {
            String::from(
                "`git log --all --oneline` lists the commits; `git fetch --tags` fetches more, \
                 and in CI, `fetch-depth: 0` fetches all",
            )
        })
    }

    /// The usual base of a comparison: the default branch of the remote, or else `main` or
    /// `master`, or the remote's where there is no other, as in CI; on that branch, the
    /// commit before.
    pub(crate) fn usual_base(&self) -> Result<Option<String>, Failure> {
        let default = self.answer(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"])?;
        let default = default.as_deref().unwrap_or_default();
        let default = default.strip_prefix("refs/remotes/origin/");
        let default = default.map(|name| [name.to_owned(), format!("origin/{name}")]);
        let others = ["main", "master", "origin/main", "origin/master"].map(str::to_owned);
        for branch in default.into_iter().flatten().chain(others) {
            let Some(commit) = self.known_commit(&branch)? else {
                continue;
            };
            let here = self.checkout()?;
            if here.is_some_and(|here| !here.is_dirty() && here.commit == commit) {
                let before = "HEAD~1";
                let commit = self.known_commit(before)?;
                return Ok(commit.map(|_| before.to_owned()));
            }
            return Ok(Some(branch));
        }
        Ok(None)
    }

    /// Where the history of the working tree leaves the history of `reference`; `None` if one of both
    /// is not here.
    pub(crate) fn merge_base(&self, reference: &str) -> Result<Option<String>, Failure> {
        match self.known_commit(reference)? {
            Some(commit) => self.answer(["merge-base", "HEAD", &commit]),
            None => Ok(None),
        }
    }

    /// The commit of the working tree; `None` before the first commit.
    fn checkout(&self) -> Result<Option<Checkout>, Failure> {
        let Some(commit) = self.known_commit("HEAD")? else {
            return Ok(None);
        };
        let uncommitted = self.uncommitted()?.len();
        Ok(Some(Checkout {
            commit,
            uncommitted,
        }))
    }

    /// The files of the working tree that differ from its commit.
    pub(crate) fn uncommitted(&self) -> Result<Vec<Uncommitted>, Failure> {
        let options = ["--untracked-files=normal", "--ignore-submodules=none"];
        let status = ["status", "--porcelain", "-z", "--no-renames"];
        let status = self.said(status.into_iter().chain(options))?;
        let shown = parts(&status).filter_map(|entry| Some((entry.get(..2)?, entry.get(3..)?)));
        let shown = shown.map(|(state, name)| Uncommitted {
            path: self.top.join(name),
            is_tracked: state != "??",
        });
        Ok(shown.collect())
    }

    /// Whether one commit is in the history of the other.
    pub(crate) fn is_ancestor(&self, older: &str, newer: &str) -> Result<bool, Failure> {
        let answer = self.answer(["merge-base", "--is-ancestor", older, newer])?;
        Ok(answer.is_some())
    }

    /// Whether the repository has only a part of its history.
    pub(crate) fn is_shallow(&self) -> Result<bool, Failure> {
        Ok(self.said(["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// The commits in the history of `HEAD` that changed a file, whose path is relative to
    /// `folder`, the newest first, `most` of them at most. It does not follow renames. The merged
    /// commits of a merge are left out, so that each comes directly after the next one: the merge
    /// has their changes.
    pub(crate) fn commits_of(
        &self,
        folder: &Path,
        file: &str,
        most: u64,
    ) -> Result<Vec<Committed>, Failure> {
        if self.known_commit("HEAD")?.is_none() {
            return Err(Failure::usage("the repository has no commit yet"));
        }
        let most = format!("--max-count={most}");
        let args = ["rev-list", "--first-parent", &most, "HEAD", "--", file];
        let listed = said(folder, args)?;
        // A whole clone has no such file.
        let boundary = self.said(["rev-parse", "--git-path", "shallow"])?;
        let boundary = fs::read_to_string(self.top.join(boundary)).unwrap_or_default();
        let commits = listed.lines().map(|name| Committed {
            name: name.to_owned(),
            is_boundary: boundary.lines().any(|commit| commit == name),
        });
        Ok(commits.collect())
    }

    /// The text of a file in a commit, whose path is relative to `folder`; `None` if the commit does
    /// not have it.
    pub(crate) fn text_of(
        folder: &Path,
        commit: &str,
        file: &str,
    ) -> Result<Option<String>, Failure> {
        if said(folder, ["ls-tree", commit, "--", file])?.is_empty() {
            return Ok(None);
        }
        said(folder, ["cat-file", "blob", &format!("{commit}:./{file}")]).map(Some)
    }

    /// The lines of another commit, or of the working tree, that a commit does not have, and
    /// where it has others. Names of files are relative to the workspace.
    pub(crate) fn changes(&self, from: &str, to: Option<&str>) -> Result<Changes, Failure> {
        let sides = ["--no-relative", from].into_iter().chain(to).chain(["--"]);
        let mut changes = Changes::parse(&self.said(DIFF.into_iter().chain(sides))?);
        if to.is_none() {
            // The diff has no files that git does not track.
            let untracked = self.said(["ls-files", "--others", "--exclude-standard", "-z"])?;
            changes = changes.with_new_files(parts(&untracked).map(str::to_owned));
        }
        let changes = changes.relative_to(&self.prefix.to_string_lossy());
        if !changes.has_lock() {
            return Ok(changes);
        }
        let folder = self.top.join(&self.prefix);
        let at = |commit| Self::text_of(&folder, commit, "Cargo.lock");
        let new = match to {
            Some(commit) => at(commit)?,
            None => fs::read_to_string(folder.join("Cargo.lock")).ok(),
        };
        let [old, new] = [at(from)?, new].map(Option::unwrap_or_default);
        Ok(changes.with_locks(&old, &new))
    }

    /// Adds a worktree at `path`, at `commit`.
    pub(crate) fn add_worktree(&self, path: &Path, commit: &str) -> Result<(), Failure> {
        let args = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let args = args.into_iter().chain([path.as_os_str(), commit.as_ref()]);
        self.said(args).map(drop)
    }

    /// Checks the submodules of a commit out in its worktree at `path`, from the ones that are
    /// here. Returns why some are missing.
    pub(crate) fn add_submodules(&self, path: &Path, commit: &str) -> Result<Vec<String>, Failure> {
        let mut missing = Vec::new();
        if !path.join(".gitmodules").exists() {
            return Ok(missing);
        }
        let tree = self.said(["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let modules = parts(&tree).filter_map(|entry| {
            let (about, name) = entry.split_once('\t')?;
            Some((about.strip_prefix("160000 commit ")?, name))
        });
        for (commit, name) in modules {
            let here = Self {
                top: self.top.join(name),
                prefix: PathBuf::new(),
            };
            let there = path.join(name);
            if !here.top.join(".git").exists() {
                missing.push(format!(
                    "the submodule `{name}`, which is not checked out here; `git submodule update \
                     --init --recursive` does that"
                ));
                continue;
            }
            let clone = ["clone", "--shared", "--no-checkout", "--"].map(OsStr::new);
            let clone = clone.into_iter().chain([here.top.as_ref(), there.as_ref()]);
            let added = here.said(clone);
            let added = added.and_then(|_| said(&there, ["checkout", "--detach", commit]));
            match added.and_then(|_| here.add_submodules(&there, commit)) {
                Ok(inner) => {
                    missing.extend(
                        inner
                            .into_iter()
                            .map(|inner| format!("in `{name}`, {inner}")),
                    );
                }
                Err(failure) => missing.push(format!("the submodule `{name}`: {}", failure.what)),
            }
        }
        Ok(missing)
    }

    /// Removes a worktree, from git and from the disk. It may be gone already.
    pub(crate) fn remove_worktree(&self, path: &Path) -> Result<(), Failure> {
        // Once for untracked files, and once for a lock.
        let args = ["worktree", "remove", "--force", "--force"].map(OsStr::new);
        let remove = || self.said(args.into_iter().chain([path.as_os_str()]));
        if remove().is_ok() {
            return Ok(());
        }
        // Git removes no worktree that it was stopped from adding, unless the folder is gone.
        let _ = fs::remove_dir_all(path);
        remove().map(drop)
    }

    fn said(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<String, Failure> {
        said(&self.top, args)
    }

    fn answer(
        &self,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<Option<String>, Failure> {
        answer(&self.top, args)
    }
}

pub(crate) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// How to fetch `reference` into a shallow clone.
pub(crate) fn how_to_fetch(reference: &str) -> String {
    let name = reference.strip_prefix("origin/").unwrap_or(reference);
    if name.contains(['~', '^', '@', ':']) || name.chars().all(|c| c.is_ascii_hexdigit()) {
        return String::from(
            "`git fetch --unshallow` gets the whole history; in CI, `fetch-depth: 0` does",
        );
    }
    format!(
        "`{}` gets it, as `FETCH_HEAD`; in CI, `fetch-depth: 0` gets all",
        quoted(["git", "fetch", "--depth", "1", "origin", name])
    )
}

/// How long git may take, unless it writes a working tree.
const LIMIT: Duration = Duration::from_secs(60);

/// How long git may take to write a working tree.
const LIMIT_OF_TREES: Duration = Duration::from_secs(15 * 60);

/// What git says outside of any repository. Of a broken one it says something else.
const NO_REPOSITORY: &str = "fatal: not a git repository (or any ";

/// The output of git, without the line break at its end.
fn said(
    folder: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<String, Failure> {
    let args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().into()).collect();
    answer(folder, &args)?.ok_or_else(|| failed(&args, "it printed no error"))
}

/// The same; `None` if git says no, which is the exit code 1 without an error.
fn answer(
    folder: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Option<String>, Failure> {
    let args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().into()).collect();
    let writes = args.first().is_some_and(|name| {
        let writing = ["worktree", "checkout", "clone"];
        writing.into_iter().any(|writing| name == writing)
    });
    let limit = if writes { LIMIT_OF_TREES } else { LIMIT };
    let mut command = Command::new("git");
    for name in UNSET {
        command.env_remove(name);
    }
    command
        .arg("-C")
        .arg(folder)
        // Paths are no patterns.
        .args(["--literal-pathspecs", "--no-optional-locks"])
        .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
        .args(&args)
        // Errors are told apart by their words.
        .env("LC_ALL", "C")
        // It would ask for a password and wait.
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    let output = children::output(&mut command, limit).map_err(|error| {
        if error.kind() != ErrorKind::TimedOut {
            return Failure::usage(format!("failed to start git: {error}"))
                .help("install git, and put it on the PATH: https://git-scm.com/downloads");
        }
        let git = OsString::from("git");
        Failure::output_failed(format!(
            "`{}` was stopped after {} seconds",
            quoted([&git].into_iter().chain(&args)),
            limit.as_secs()
        ))
        .help(format!(
            "run it in {}; a lock, a password or a slow file system can block it",
            folder.display()
        ))
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(Some(text.strip_suffix('\n').unwrap_or(&text).to_owned()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match error_of(&said) {
        None if output.status.code() == Some(1) => Ok(None),
        None => Err(failed(&args, &format!("{} {}", output.status, said.trim()))),
        Some(error) => Err(failed(&args, error)),
    }
}

/// The error in what git printed to stderr, which begins with progress and warnings.
fn error_of(said: &str) -> Option<&str> {
    let starts = ["fatal: ", "error: "].map(|start| {
        let is_line = |at: &usize| *at == 0 || said[..*at].ends_with('\n');
        let mut found = said.match_indices(start).map(|(at, _)| at);
        found.find(is_line)
    });
    let start = starts.into_iter().flatten().min()?;
    Some(said[start..].trim_end())
}

/// The parts of an output that end with a zero byte each.
fn parts(output: &str) -> impl Iterator<Item = &str> {
    output.split_terminator('\0')
}

fn failed(args: &[OsString], said: &str) -> Failure {
    let subcommand = args.first().map(|name| name.to_string_lossy());
    let what = format!("git {} failed: {said}", subcommand.unwrap_or_default());
    let failure = Failure::output_failed(what);
    // After the first line comes git's own advice.
    if said.contains('\n') {
        return failure;
    }
    failure.help("fix git's error; the working tree was not changed")
}

#[cfg(test)]
mod tests;
