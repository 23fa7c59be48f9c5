//! [`Scratch`]: a folder for temporary files below the target folder. What a killed run
//! has left there is removed at the next start.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf, absolute};

use tempfile::TempDir;

use crate::failure::Failure;

/// The folder below the target folder.
const FOLDER: &str = "alloc-gate/scratch";

/// The file in each folder that its run keeps locked.
const LOCK: &str = "lock";

/// The folder of one run, which is removed on drop.
pub(crate) struct Scratch {
    root: PathBuf,
    /// Made when it is first needed. The lock is closed before the folder is removed.
    made: OnceCell<(File, TempDir)>,
}

impl Scratch {
    /// Removes the folders of runs that were killed. Nothing is made yet.
    pub(crate) fn below(target: &Path) -> Self {
        // Benches run in other folders.
        let target = absolute(target).unwrap_or_else(|_| target.to_path_buf());
        let root = target.join(FOLDER);
        // What can't be removed now is removed by a later run.
        let _ = clear(&root);
        let made = OnceCell::new();
        Self { root, made }
    }

    /// A new folder for temporary files.
    pub(crate) fn folder(&self) -> Result<TempDir, Failure> {
        let new = || -> io::Result<TempDir> {
            let (_, run) = match self.made.get() {
                Some(made) => made,
                None => {
                    let made = make(&self.root)?;
                    self.made.get_or_init(|| made)
                }
            };
            tempfile::tempdir_in(run.path())
        };
        new().map_err(|error| {
            let root = self.root.display();
            Failure::output_failed(format!(
                "failed to create a temporary folder in {root}: {error}"
            ))
            .help("free some disk space, or choose another target directory with CARGO_TARGET_DIR")
        })
    }
}

/// Keeps other runs with the same target folder waiting at this place, until it is dropped.
pub(crate) fn alone(target: &Path) -> io::Result<File> {
    let root = target.join(FOLDER);
    fs::create_dir_all(&root)?;
    locked(&root)
}

/// Makes the folder of this run, locked.
fn make(root: &Path) -> io::Result<(File, TempDir)> {
    fs::create_dir_all(root)?;
    // Keeps other runs from clearing the folder before it is locked.
    let _all = locked(root)?;
    let folder = tempfile::Builder::new().prefix("run-").tempdir_in(root)?;
    Ok((locked(folder.path())?, folder))
}

/// Removes the folders that no run has locked.
fn clear(root: &Path) -> io::Result<()> {
    if !root.exists() {
        return Ok(());
    }
    let _all = locked(root)?;
    for entry in fs::read_dir(root)? {
        let folder = entry?.path();
        if folder.is_dir() && open_lock(&folder)?.try_lock().is_ok() {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The lock of a folder, which the system unlocks when the run ends.
fn locked(folder: &Path) -> io::Result<File> {
    let lock = open_lock(folder)?;
    lock.lock()?;
    Ok(lock)
}

fn open_lock(folder: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    options.open(folder.join(LOCK))
}
