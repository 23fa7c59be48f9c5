//! [`Repository`]: a project in a git repository of its own, without the caller's
//! configuration of git.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::Ran;
use crate::project::{Project, names};

/// A project under version control, and a folder for the temporary files of the
/// programs that run in it.
pub(crate) struct Repository {
    pub(crate) project: Project,
    temporary: TempDir,
}

/// The state that a comparison must not change: the index, the names of git's files, and what git says.
pub(crate) type State = (Vec<u8>, Vec<String>, Vec<String>);

impl Repository {
    /// A project with these scenarios, committed.
    pub(crate) fn new(name: &str, scenarios: &str, gates: &str) -> Self {
        Self::from_project(Project::for_repository(name, scenarios, gates))
    }

    /// The project, committed.
    pub(crate) fn from_project(project: Project) -> Self {
        // The lock file is of another workspace, and `--locked` needs a complete one.
        project.run("list --offline --quiet", 0);
        Self::committed(project)
    }

    /// The project as it is, committed.
    pub(crate) fn committed(project: Project) -> Self {
        let repository = Self {
            project,
            temporary: tempfile::tempdir().expect("a temporary folder can be made"),
        };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.commit("Begin");
        repository
    }

    /// Gives the bench other scenarios.
    pub(crate) fn scenarios(&self, scenarios: &str) {
        self.project.scenarios("counts", scenarios);
    }

    /// Commits everything, and returns the commit's name.
    pub(crate) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", subject]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Commits other scenarios.
    pub(crate) fn commit_scenarios(&self, subject: &str, scenarios: &str) -> String {
        self.scenarios(scenarios);
        self.commit(subject)
    }

    /// Commits that there is no Cargo.toml, of which nothing can be built. The file stays.
    pub(crate) fn commit_without_manifest(&self) {
        self.git(&["rm", "--quiet", "--cached", "Cargo.toml"]);
        self.git(&["commit", "--quiet", "--message", "Lose the manifest"]);
    }

    /// Runs git and returns what it printed.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let mut command = git(self.project.root());
        command
            .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+00:00")
            .args(args);
        printed(command)
    }

    /// Runs the program, with temporary files in a folder of this repository, and asserts
    /// its exit code. The arguments are without spaces.
    #[track_caller]
    pub(crate) fn run(&self, line: &str, code: i32) -> Ran {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>(), code)
    }

    /// The same with arguments that may have spaces.
    #[track_caller]
    pub(crate) fn run_args(&self, args: &[&str], code: i32) -> Ran {
        let mut command = self.command();
        command.args(args);
        self.project.finish(command).code(code)
    }

    /// The program in the repository, for more arguments.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.project.command();
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, self.temporary());
        }
        command
    }

    /// The folder of the repository, which no other test uses.
    pub(crate) fn beside(&self) -> &Path {
        self.project.root().parent().expect("it is in a folder")
    }

    pub(crate) fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    pub(crate) fn state(&self) -> State {
        // The index first: `git status` may write it.
        let index = std::fs::read(self.project.path(".git/index"));
        let said = [
            "--no-optional-locks status --porcelain=v2 --branch",
            "for-each-ref",
            "worktree list --porcelain",
            "stash list",
        ];
        let said = said.map(|line| self.git(&line.split(' ').collect::<Vec<_>>()));
        (
            index.expect("the index can be read"),
            names(&self.project.path(".git")),
            said.to_vec(),
        )
    }

    /// Asserts that nothing is left of a worktree, in git or on the disk.
    #[track_caller]
    pub(crate) fn is_clean(&self) {
        let worktrees = self.git(&["worktree", "list"]);
        assert_eq!(worktrees.lines().count(), 1, "{worktrees}");
        assert_eq!(names(self.temporary()), [""; 0]);
        let beside = names(self.beside());
        assert!(
            beside.iter().all(|name| !name.starts_with('.')),
            "{beside:?}"
        );
    }
}

/// Git in `folder`, without the caller's configuration.
pub(crate) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", folder.join("no such file"))
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .args(["-c", "user.name=A Person", "-c", "user.email=a@example.org"])
        .args(["-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"]);
    command
}

/// The output of a command, which has to succeed.
#[track_caller]
pub(crate) fn printed(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("git is there");
    let text = |bytes| String::from_utf8(bytes).expect("git prints UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{command:?}: {stdout}{stderr}");
    stdout
}
