//! [`Worktree`]: another commit in a temporary git worktree, which is removed on drop; and
//! [`TargetLock`]: the folder below the target folder in which such commits are built,
//! which stays.

use std::fs::{self, DirBuilder, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use fs4::FileExt;

use crate::failure::Failure;
use crate::files;
use crate::git::{Git, short};
use crate::shell::Shell;

/// The folder below the target folder.
const FOLDER: &str = "alloc-gate/compare";

/// The file in it that names the temporary folder in use.
const NOTE: &str = "worktree";

/// The prefix of the temporary folders. Only such folders are ever removed.
const PREFIX: &str = ".alloc-gate-compare-";

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
    if !path.join(NOTE).exists() {
        return;
    }
    let Ok(lock) = File::options().write(true).open(path.join("lock")) else {
        return;
    };
    if let (Ok(()), Ok(git)) = (FileExt::try_lock(&lock), Git::find(root)) {
        let _ = TargetLock { path, _lock: lock }.clear(&git, shell);
    }
}

impl TargetLock {
    /// Waits until no other run uses the folder below this target folder, and removes
    /// what a killed run has left.
    pub(crate) fn wait_for(target: &Path, git: &Git, shell: &Shell) -> Result<Self, Failure> {
        let path = target.join(FOLDER);
        let open = || -> io::Result<File> {
            fs::create_dir_all(&path)?;
            let mut options = File::options();
            options.create(true).truncate(false).write(true);
            let lock = options.open(path.join("lock"))?;
            if FileExt::try_lock(&lock).is_err() {
                shell.status(
                    "Blocking",
                    &format!("waiting for another comparison in {}", path.display()),
                );
                FileExt::lock(&lock)?;
            }
            Ok(lock)
        };
        let lock = open().map_err(|error| unwritable(&path, &error))?;
        let locked = Self { path, _lock: lock };
        locked.clear(git, shell)?;
        Ok(locked)
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        self.path.join("target")
    }

    /// The file that names the temporary folder in use.
    fn note(&self) -> PathBuf {
        self.path.join(NOTE)
    }

    /// Removes the temporary folder that a killed run has left.
    fn clear(&self, git: &Git, shell: &Shell) -> Result<(), Failure> {
        let note = self.note();
        let Ok(text) = fs::read_to_string(&note) else {
            return Ok(());
        };
        let folder = Path::new(text.trim_end());
        let name = folder.file_name().and_then(|name| name.to_str());
        if folder.is_absolute() && name.is_some_and(|name| name.starts_with(PREFIX)) {
            shell.status(
                "Removing",
                &format!("{}, left by an earlier run", folder.display()),
            );
            // It fails if git has forgotten the worktree, or another repository had it.
            let _ = git.remove_worktree(folder);
            if folder.exists() {
                fs::remove_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
            }
        }
        fs::remove_file(&note).map_err(|error| unwritable(&note, &error))
    }
}

/// A commit that is checked out outside of the user's working tree.
pub(crate) struct Worktree<'w> {
    git: &'w Git,
    shell: &'w Shell,
    note: PathBuf,
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
        let note = lock.note();
        let path = new_folder(git, &note)?;
        // From here on, `drop` removes the folder, even if git fails.
        let worktree = Self {
            git,
            shell,
            note,
            path,
        };
        git.add_worktree(&worktree.path, commit)?;
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
        if self.path.exists() && fs::remove_dir_all(&self.path).is_err() {
            // The note stays, so that the next run tries again.
            return;
        }
        let _ = fs::remove_file(&self.note);
    }
}

/// Makes a private folder beside the repository, so that relative paths out of it lead to
/// the same packages; or among the system's temporary files, if nothing can be made there.
/// It is outside of the workspace, so that its `.cargo/config.toml` and `[workspace]` do not
/// apply to the other commit. It has the same place each time, so that cargo
/// builds again only what changed.
fn new_folder(git: &Git, note: &Path) -> Result<PathBuf, Failure> {
    let temporary = std::env::temp_dir();
    let temporary = temporary
        .canonicalize()
        .map_err(|error| unwritable(&temporary, &error))?;
    // The note is in the target folder of this workspace, which is locked.
    let mut hasher = DefaultHasher::new();
    note.hash(&mut hasher);
    let name = format!("{PREFIX}{:016x}", hasher.finish());
    let make = |parent: &Path| -> Result<PathBuf, Failure> {
        let folder = parent.join(&name);
        // The note comes first, so that no kill leaves a folder that the next run does not
        // know.
        files::write(note, format!("{}\n", folder.display()).as_bytes())?;
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
