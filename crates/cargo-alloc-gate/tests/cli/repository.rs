//! Projects in a git repository of their own, without the caller's configuration of git.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::project::{Project, names};

/// The state that a comparison must not change: the index, the names of git's files, and what git says.
pub(crate) type State = (Vec<u8>, Vec<String>, Vec<String>);

impl Project {
    /// A project with these scenarios, committed.
    pub(crate) fn repository(name: &str, scenarios: &str, gates: &str) -> Self {
        Self::for_repository(name, scenarios, gates).committed_with_lock()
    }

    /// The project, committed with a complete lock file, which `--locked` needs: its own is of
    /// another workspace.
    pub(crate) fn committed_with_lock(self) -> Self {
        self.run("list --offline --quiet", 0);
        self.committed()
    }

    pub(crate) fn committed(self) -> Self {
        self.git(&["init", "--quiet", "--initial-branch", "main"]);
        self.commit("Begin");
        self
    }

    /// Commits everything, and returns the commit's name.
    pub(crate) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", subject]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    pub(crate) fn commit_scenarios(&self, subject: &str, scenarios: &str) -> String {
        self.scenarios("counts", scenarios);
        self.commit(subject)
    }

    /// Commits without Cargo.toml, so that nothing can be built. The file stays.
    pub(crate) fn commit_without_manifest(&self) {
        self.git(&["rm", "--quiet", "--cached", "Cargo.toml"]);
        self.git(&["commit", "--quiet", "--message", "Lose the manifest"]);
    }

    /// Runs git and returns what it printed.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(self.root(), args)
    }

    /// The folder around the project, which no other test uses.
    pub(crate) fn beside(&self) -> &Path {
        self.root().parent().expect("it is in a folder")
    }

    pub(crate) fn state(&self) -> State {
        // The index first: `git status` may write it.
        let index = std::fs::read(self.path(".git/index"));
        let said = [
            "--no-optional-locks status --porcelain=v2 --branch",
            "for-each-ref",
            "worktree list --porcelain",
            "stash list",
        ];
        let said = said.map(|line| self.git(&line.split(' ').collect::<Vec<_>>()));
        (
            index.expect("the index can be read"),
            names(&self.path(".git")),
            said.to_vec(),
        )
    }

    /// Asserts that nothing is left of a worktree, in git or on the disk.
    #[track_caller]
    pub(crate) fn is_clean(&self) {
        let worktrees = self.git(&["worktree", "list"]);
        assert_eq!(worktrees.lines().count(), 1, "{worktrees}");
        assert_eq!(names(&self.temporary()), [""; 0]);
        let beside = names(self.beside());
        assert!(
            beside.iter().all(|name| !name.starts_with('.')),
            "{beside:?}"
        );
    }
}

/// Runs git in `folder`, without the caller's configuration, and returns what it printed.
#[track_caller]
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", folder.join("no such file"))
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+00:00")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .args(["-c", "user.name=A Person", "-c", "user.email=a@example.org"])
        .args(["-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"])
        .args(args)
        .stdin(Stdio::null());
    let output = command.output().expect("git is there");
    let text = |bytes| String::from_utf8(bytes).expect("git prints UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{command:?}: {stdout}{stderr}");
    stdout
}
