//! [`Git`]: the repository of the workspace, through the program `git`. It never changes a
//! branch, the index, the working tree or the configuration of the user.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use alloc_gate::report::Repository;
use alloc_gate::sites::Changes;

use crate::children;
use crate::failure::Failure;
use crate::shell::quoted;

/// A repository with a working tree.
pub(crate) struct Git {
    /// The root of the working tree.
    top: PathBuf,
    /// The path of the workspace below it; empty for the root itself.
    prefix: PathBuf,
}

/// The commit of a working tree.
pub(crate) struct Checkout {
    /// Its full name.
    pub(crate) commit: String,
    /// Whether files of the working tree differ from it.
    pub(crate) is_dirty: bool,
}

/// A commit that changed a file.
pub(crate) struct Committed {
    /// Its full name.
    pub(crate) name: String,
    /// Whether a shallow clone ends with it.
    pub(crate) is_boundary: bool,
}

/// The variables that a git hook sets, and that would make git use another repository.
const UNSET: [&str; 7] = [
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
];

/// The arguments that print the root of the working tree, and the folder below it.
const PLACES: [&str; 3] = ["rev-parse", "--show-toplevel", "--show-prefix"];

/// Settings that disable the user's hooks and file monitor.
const SETTINGS: [&str; 6] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "advice.detachedHead=false",
];

impl Git {
    /// The repository that has `folder` in its working tree.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        Self::from_output(run(folder, PLACES)?).map_err(|said| {
            Failure::usage(format!(
                "failed to find the git repository of {}: {said}",
                folder.display()
            ))
            .help("run this in a workspace that is in the working tree of a git repository")
        })
    }

    /// The repository that has `folder` in its working tree, or the reason why there is
    /// none. The reason names no folder of this machine unless git does.
    pub(crate) fn find(folder: &Path) -> Result<Self, String> {
        let output = run(folder, PLACES).map_err(|failure| failure.what)?;
        Self::from_output(output).map_err(|said| {
            let first = said.lines().next().unwrap_or_default();
            let first = first.strip_prefix("fatal: ").unwrap_or(first);
            format!("no git repository found: {first}")
        })
    }

    fn from_output(output: Output) -> Result<Self, String> {
        let said = read(&output)?;
        let mut lines = said.lines();
        let mut path = || PathBuf::from(lines.next().unwrap_or_default());
        Ok(Self {
            top: path(),
            prefix: path(),
        })
    }

    /// The root of the working tree.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// The path of the workspace below the root of the working tree.
    pub(crate) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Where the sources are, for reports whose paths are below the root of the repository.
    pub(crate) fn repository(&self) -> Repository<'_> {
        Repository {
            top: &self.top,
            prefix: &self.prefix,
        }
    }

    /// The full name of the commit that `reference` stands for.
    pub(crate) fn commit(&self, reference: &str) -> Result<String, Failure> {
        let commit = format!("{reference}^{{commit}}");
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        match read(&self.run(args)?) {
            Ok(name) if !name.is_empty() => Ok(name),
            _ => Err(
                Failure::usage(format!("`{reference}` is not a commit in this repository")).help(
                    "`git log --all --oneline` shows the commits; `git fetch --tags` gets those of \
                     the remote, and in CI, `fetch-depth: 0` gets all",
                ),
            ),
        }
    }

    /// The usual base of a comparison: the branch `main` or `master`, or that of the remote where
    /// there is no other, as in CI; on that branch, the commit before.
    pub(crate) fn usual_base(&self) -> Option<&'static str> {
        let mut names = ["main", "master", "origin/main", "origin/master"].into_iter();
        let (branch, commit) = names.find_map(|name| Some((name, self.commit(name).ok()?)))?;
        match self.checkout() {
            Some(here) if !here.is_dirty && here.commit == commit => {
                let before = "HEAD~1";
                self.commit(before).is_ok().then_some(before)
            }
            _ => Some(branch),
        }
    }

    /// Where the history of the working tree leaves that of `reference`.
    pub(crate) fn merge_base(&self, reference: &str) -> Option<String> {
        let args = ["merge-base", "--end-of-options", "HEAD", reference];
        self.said(args).ok().filter(|commit| !commit.is_empty())
    }

    /// The commit of the working tree; `None` before the first commit.
    pub(crate) fn checkout(&self) -> Option<Checkout> {
        let commit = self.said(["rev-parse", "--verify", "--quiet", "HEAD"]);
        Some(Checkout {
            commit: commit.ok()?,
            is_dirty: self.uncommitted().ok()? > 0,
        })
    }

    /// How many files of the working tree differ from its commit.
    pub(crate) fn uncommitted(&self) -> Result<usize, Failure> {
        // Without locks nothing is written, not even the times in the index.
        let said = self.read(["--no-optional-locks", "status", "--porcelain"])?;
        Ok(said.lines().count())
    }

    /// The tracked files of the working tree that differ from its commit.
    pub(crate) fn edited(&self) -> Result<Vec<PathBuf>, String> {
        let said = self.said(["--no-optional-locks", "diff", "--name-only", "-z", "HEAD"])?;
        let names = said.split('\0').filter(|name| !name.is_empty());
        Ok(names.map(|name| self.top.join(name)).collect())
    }

    /// Whether one commit is in the history of the other.
    pub(crate) fn is_ancestor(&self, older: &str, newer: &str) -> Result<bool, Failure> {
        let output = self.run(["merge-base", "--is-ancestor", older, newer])?;
        match output.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failed(
                "compare two commits",
                &read(&output).unwrap_or_else(|said| said),
            )),
        }
    }

    /// Whether the repository has only a part of its history.
    pub(crate) fn is_shallow(&self) -> Result<bool, String> {
        let said = self.said(["rev-parse", "--is-shallow-repository"])?;
        Ok(said == "true")
    }

    /// The commits in the history of `HEAD` that changed the file at `path`, below the
    /// root, the newest first, `most` of them at most. It does not follow renames. The merged
    /// commits of a merge are left out, so that each comes directly after the next one: the merge
    /// has their changes.
    pub(crate) fn commits_of(&self, path: &str, most: u64) -> Result<Vec<Committed>, String> {
        if self
            .said(["rev-parse", "--verify", "--quiet", "HEAD"])
            .is_err()
        {
            return Err(String::from("the repository has no commit yet"));
        }
        let most = format!("--max-count={most}");
        // The path is not a pattern.
        let args = ["--literal-pathspecs", "rev-list", "--first-parent"];
        let args = args.into_iter().chain([&most, "HEAD", "--", path]);
        let listed = self.said(args)?;
        // A whole clone has no such file.
        let boundary = self.said(["rev-parse", "--git-path", "shallow"])?;
        let boundary = fs::read_to_string(self.top.join(boundary)).unwrap_or_default();
        let commits = listed.lines().map(|name| Committed {
            name: name.to_owned(),
            is_boundary: boundary.lines().any(|commit| commit == name),
        });
        Ok(commits.collect())
    }

    /// The text of the file at `path`, below the root, in a commit; `None` if the commit
    /// does not have it.
    pub(crate) fn text_of(&self, commit: &str, path: &str) -> Result<Option<String>, String> {
        let listed = self.said([
            "--literal-pathspecs",
            "ls-tree",
            "--full-tree",
            commit,
            "--",
            path,
        ])?;
        if listed.is_empty() {
            return Ok(None);
        }
        self.said(["cat-file", "blob", &format!("{commit}:{path}")])
            .map(Some)
    }

    /// The lines of another commit, or of the working tree, that a commit does not have, and
    /// where it has others. Names of files are relative to the workspace.
    pub(crate) fn changes(&self, from: &str, to: Option<&str>) -> Result<Changes, Failure> {
        let options = [
            "-U0",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--find-renames",
        ];
        let prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
        let relative = if self.prefix.as_os_str().is_empty() {
            OsString::from("--no-relative")
        } else {
            let mut relative = OsString::from("--relative=");
            relative.push(&self.prefix);
            relative
        };
        let args = ["diff"].into_iter().chain(options).chain(prefixes);
        let args = args.map(OsString::from).chain([relative, from.into()]);
        let is_committed = to.is_some();
        let to = to.map(OsString::from);
        let said = self.read(args.chain(to).chain(["--".into()]))?;
        let changes = Changes::parse(&said);
        if is_committed {
            return Ok(changes);
        }
        // The diff has no files that git does not track.
        let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
        let untracked = run(&self.top.join(&self.prefix), untracked)?;
        let untracked = read(&untracked).map_err(|said| failed("list the new files", &said))?;
        let untracked = untracked.split_terminator('\0').map(str::to_owned);
        Ok(changes.with_new_files(untracked))
    }

    /// The output of git, or its error message.
    fn said(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<String, String> {
        let output = self.run(args).map_err(|failure| failure.what)?;
        read(&output)
    }

    /// Adds a worktree at `path`, at `commit`.
    pub(crate) fn add_worktree(&self, path: &Path, commit: &str) -> Result<(), Failure> {
        let args = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let args = args.into_iter().chain([path.as_os_str(), commit.as_ref()]);
        read(&self.run(args)?).map_err(|said| failed("make a worktree", &said))?;
        Ok(())
    }

    /// Removes a worktree, from git and from the disk. It may be gone already.
    pub(crate) fn remove_worktree(&self, path: &Path) -> Result<(), Failure> {
        // Once for untracked files, and once for a lock.
        let args = ["worktree", "remove", "--force", "--force"].map(OsStr::new);
        let args = || args.into_iter().chain([path.as_os_str()]);
        if read(&self.run(args())?).is_ok() {
            return Ok(());
        }
        // Git removes no worktree that it was stopped from adding, unless the folder is gone.
        let _ = fs::remove_dir_all(path);
        read(&self.run(args())?).map_err(|said| failed("remove a worktree", &said))?;
        Ok(())
    }

    fn read(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<String, Failure> {
        read(&self.run(args)?).map_err(|said| failed("ask the repository", &said))
    }

    fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<Output, Failure> {
        run(&self.top, args)
    }
}

/// The short name of a commit, for messages.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// How long git may take, unless it writes a working tree.
const LIMIT: Duration = Duration::from_secs(60);

/// How long git may take to write a working tree.
const LIMIT_OF_TREES: Duration = Duration::from_secs(15 * 60);

fn run(
    folder: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Output, Failure> {
    let args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().into()).collect();
    let writes = args.first().is_some_and(|name| {
        let writing = ["worktree", "checkout", "clean"];
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
        .args(SETTINGS)
        .args(&args)
        // It would ask for a password and wait.
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    children::output_within(&mut command, limit).map_err(|error| {
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
    })
}

/// The output of git, or its error message.
fn read(output: &Output) -> Result<String, String> {
    let text = |bytes| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

fn failed(what: &str, said: &str) -> Failure {
    Failure::output_failed(format!("git failed to {what}: {said}"))
        .help("fix git's error; the working tree was not changed")
}
