//! [`Worktree`]: another commit in a temporary git worktree, which is removed on drop; and
//! [`TargetLock`]: the folder below the target folder in which such commits are built,
//! which stays.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files;
use crate::git::{Git, short};
use crate::output::shell::Shell;

/// The folder below the target folder.
const FOLDER: &str = "alloc-gate/compare";

/// The folder in which other commits are built, locked: two commits build programs of the
/// same name, so only one run may build there.
pub(crate) struct TargetLock {
    path: PathBuf,
    /// The system unlocks it when it is closed.
    _lock: File,
}

/// Removes what a killed comparison has left, unless another one runs now. What can't be
/// removed is an error of the next comparison.
pub(crate) fn clear_left(root: &Path, target: &Path, shell: &Shell) {
    let path = target.join(FOLDER);
    if left(root, &path).is_empty() {
        return;
    }
    if let (Ok(lock), Ok(Some(git))) = (open_lock(&path), Git::find(root))
        && lock.try_lock().is_ok()
    {
        let _ = TargetLock { path, _lock: lock }.clear(&git, shell);
    }
}

impl TargetLock {
    /// Waits until no other run uses the folder below this target folder, and removes
    /// what a killed run has left.
    pub(crate) fn wait_for(target: &Path, git: &Git, shell: &Shell) -> Result<Self, Failure> {
        let path = target.join(FOLDER);
        let locked = || -> io::Result<File> {
            let lock = open_lock(&path)?;
            if lock.try_lock().is_err() {
                shell.status(
                    "Blocking",
                    &format!("waiting for another comparison in {}", path.display()),
                );
                lock.lock()?;
            }
            Ok(lock)
        };
        let lock = locked().map_err(|error| unwritable(&path, &error))?;
        let locked = Self { path, _lock: lock };
        locked.clear(git, shell)?;
        Ok(locked)
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        self.path.join("target")
    }

    /// Removes the temporary folder that a killed run has left.
    fn clear(&self, git: &Git, shell: &Shell) -> Result<(), Failure> {
        for folder in left(git.top(), &self.path) {
            shell.status(
                "Removing",
                &format!("{}, left by an earlier run", folder.display()),
            );
            // It fails if git has forgotten the worktree, or another repository had it.
            let _ = git.remove_worktree(&folder);
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
            }
        }
        Ok(())
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    fs::create_dir_all(path)?;
    files::open_lock(&path.join("lock"))
}

/// The name of the temporary folder of the run that has locked the folder at `path`. It is the
/// same each time, so that cargo builds again only what changed, and that a later run finds what
/// a killed one left.
fn name(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!(".alloc-gate-compare-{:016x}", hasher.finish())
}

/// The temporary folders of that name, beside a folder around the one at `root` or among the
/// system's temporary files. A link is none of them.
fn left(root: &Path, path: &Path) -> Vec<PathBuf> {
    let root = root.canonicalize().unwrap_or_default();
    let parents = root.ancestors().skip(1).map(Path::to_path_buf);
    let folders = parents.chain(env::temp_dir().canonicalize());
    let folders = folders.map(|parent| parent.join(name(path)));
    folders
        .filter(|folder| folder.symlink_metadata().is_ok_and(|it| it.is_dir()))
        .collect()
}

/// A commit that is checked out outside of the user's working tree.
pub(crate) struct Worktree<'w> {
    git: &'w Git,
    shell: &'w Shell,
    path: PathBuf,
}

impl<'w> Worktree<'w> {
    /// Checks `commit` out.
    pub(crate) fn new(
        git: &'w Git,
        commit: &str,
        lock: &TargetLock,
        shell: &'w Shell,
    ) -> Result<Self, Failure> {
        let path = new_folder(git, &name(&lock.path))?;
        // From here on, `drop` removes the folder, even if git fails.
        let worktree = Self { git, shell, path };
        git.add_worktree(&worktree.path, commit)?;
        for missing in git.add_submodules(&worktree.path, commit)? {
            shell.status("Skipping", &missing);
        }
        Ok(worktree)
    }

    /// The root of the worktree.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        let removed = self.git.remove_worktree(&self.path);
        if let (true, Err(failure)) = (self.path.exists(), removed) {
            self.shell.error(&failure);
        }
        // The next run tries again.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Makes a private folder beside the repository, so that relative paths out of it lead to
/// the same packages; or among the system's temporary files, if nothing can be made there.
/// It is outside of the workspace, so that its `.cargo/config.toml` and `[workspace]` do not
/// apply to the other commit.
fn new_folder(git: &Git, name: &str) -> Result<PathBuf, Failure> {
    let temporary = env::temp_dir();
    let temporary = temporary
        .canonicalize()
        .map_err(|error| unwritable(&temporary, &error))?;
    let make = |parent: &Path| -> Result<PathBuf, Failure> {
        let folder = parent.join(name);
        let mut builder = DirBuilder::new();
        builder.recursive(false);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&folder)
            .map_err(|error| unwritable(&folder, &error))?;
        Ok(without_verbatim(&folder))
    };
    let beside = git.top().parent().map(make);
    match beside {
        Some(Ok(folder)) => Ok(folder),
        Some(Err(_)) | None => make(&temporary),
    }
}

/// The path without the prefix that Windows gives real paths; git and cargo do not write
/// it.
fn without_verbatim(path: &Path) -> PathBuf {
    let text = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    text.map_or_else(|| path.to_path_buf(), PathBuf::from)
}

/// A ref with its commit, for messages.
pub(crate) fn label(reference: &str, commit: &str) -> String {
    if commit.starts_with(reference) {
        short(commit).to_owned()
    } else {
        format!("{reference} ({})", short(commit))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::output_failed(format!("failed to write in {}: {error}", path.display()))
        .help("free some space, or choose other folders with CARGO_TARGET_DIR and TMPDIR")
}
