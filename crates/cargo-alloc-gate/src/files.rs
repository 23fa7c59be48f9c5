//! Writes files whole or not at all: a temporary file is synced and renamed over the old
//! one, and then the folder is synced. Links are followed, and what is not a regular file,
//! such as a device or a pipe, is written through. And [`Scratch`]: a folder for temporary files below
//! the target folder. What a killed run has left there is removed at the next start.

use std::cell::OnceCell;
use std::env;
use std::fs::{self, File};
use std::io::ErrorKind::{QuotaExceeded, StorageFull};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use tempfile::{NamedTempFile, TempDir};

use crate::failure::Failure;

/// A file that is written, and not yet in its place.
pub(crate) struct Prepared {
    path: PathBuf,
    file: NamedTempFile,
}

impl Prepared {
    /// Writes `text` to a temporary file next to `path`, and makes the folder if needed.
    pub(crate) fn new(path: &Path, text: &[u8]) -> Result<Self, Failure> {
        let prepare = || -> io::Result<Self> {
            let path = replaceable(path)?;
            let mut file = builder().tempfile_in(folder_of(&path))?;
            keep_permissions(file.path(), &path)?;
            file.write_all(text)?;
            file.as_file().sync_all()?;
            Ok(Self { path, file })
        };
        prepare().map_err(|error| failed(path, &error))
    }

    /// Puts the file in its place.
    pub(crate) fn persist(self) -> Result<(), Failure> {
        let Self { path, file } = self;
        file.persist(&path)
            .map_err(|error| failed(&path, &error.error))?;
        sync_folder(folder_of(&path));
        Ok(())
    }
}

/// The path behind links, of a regular file or of none, with its folder.
fn replaceable(path: &Path) -> io::Result<PathBuf> {
    let path = behind_links(path)?;
    let folder = folder_of(&path);
    if folder.is_file() {
        let problem = format!("{} is not a directory", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, problem));
    }
    fs::create_dir_all(folder)?;
    match fs::metadata(&path) {
        Ok(present) if present.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(present) if !present.is_file() => Err(io::Error::other("it is not a regular file")),
        _ => Ok(path),
    }
}

/// The path that a chain of links ends with, whether or not it exists.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let last = hops(path).last();
    last.filter(|path| !path.is_symlink())
        .ok_or_else(|| io::Error::other("too many symbolic links"))
}

/// The path, and the paths that a chain of links leads to.
fn hops(path: &Path) -> impl Iterator<Item = PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let next = |path: &PathBuf| {
        let next = fs::read_link(path).ok()?;
        Some(folder_of(path).join(next))
    };
    std::iter::successors(Some(path.to_path_buf()), next).take(MAX_LINKS + 1)
}

/// Gives the file `from` the permissions of the file that it replaces.
fn keep_permissions(from: &Path, replaced: &Path) -> io::Result<()> {
    match fs::metadata(replaced) {
        Ok(present) => fs::set_permissions(from, present.permissions()),
        Err(_) => Ok(()),
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Syncs a folder, so that a new name survives a power cut. Errors are ignored, because
/// the file is in its place anyway, and some file systems can't sync folders.
fn sync_folder(folder: &Path) {
    // Other systems can't open a folder like a file.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Writes `text` to `path`: whole or not at all if it is a regular file or none.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let is_file = |file: fs::Metadata| file.is_file() || file.is_dir();
    if descriptor(path).is_some() || fs::metadata(path).is_ok_and(|file| !is_file(file)) {
        let through = || {
            fs::OpenOptions::new()
                .append(true)
                .open(path)?
                .write_all(text)
        };
        return through().map_err(|error| failed(path, &error));
    }
    Prepared::new(path, text)?.persist()
}

/// The number of the open file of this process that a path such as `/dev/stdout` names.
pub(crate) fn descriptor(path: &Path) -> Option<u32> {
    const FOLDERS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];
    hops(path).find_map(|hop| match hop.to_str() {
        Some("/dev/stdout") => Some(1),
        Some("/dev/stderr") => Some(2),
        _ => {
            let number = FOLDERS
                .iter()
                .find_map(|folder| hop.strip_prefix(folder).ok())?;
            number.to_str()?.parse().ok()
        }
    })
}

/// The path as the system knows it, so that two names of one file are equal. The file and its
/// folders may not exist.
pub(crate) fn real(path: &Path) -> PathBuf {
    let path = behind_links(path).unwrap_or_else(|_| path.to_path_buf());
    let path = absolute(&path).unwrap_or(path);
    let mut folders = path.ancestors().skip(1);
    let real = folders.find_map(|folder| {
        let rest = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(rest))
    });
    real.unwrap_or(path)
}

/// Opens a regular file to read it. Nobody may ever write to a pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = fs::metadata(path)?;
    if !file.is_file() && !file.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// Reads a regular file as text.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    io::read_to_string(open(path)?)
}

/// Adds `text` to the end of `path`, which may not exist yet.
pub(crate) fn append(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let add = || -> io::Result<()> {
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)?;
        file.write_all(text)
    };
    add().map_err(|error| failed(path, &error))
}

/// Makes temporary files with the permissions of other files. By default they are
/// private.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".alloc-gate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

pub(crate) fn failed(path: &Path, error: &io::Error) -> Failure {
    let help = if [StorageFull, QuotaExceeded].contains(&error.kind()) {
        "free some disk space"
    } else {
        "make the path writable, or choose another; an existing file was not changed"
    };
    Failure::output_failed(format!("failed to write {}: {error}", path.display())).help(help)
}

/// The path as a person would type it from the current folder.
pub(crate) fn shown(path: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    let shown = path.strip_prefix(here).unwrap_or(path);
    shown.display().to_string()
}

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

/// Keeps other runs that write files in this folder waiting, whatever their target folder is, until
/// it is dropped. Only Unix can lock a folder.
pub(crate) fn alone(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    folder.lock()?;
    Ok(folder)
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
        if folder.is_dir() && open_lock(&folder.join(LOCK))?.try_lock().is_ok() {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The lock of a folder, which the system unlocks when the run ends.
fn locked(folder: &Path) -> io::Result<File> {
    let lock = open_lock(&folder.join(LOCK))?;
    lock.lock()?;
    Ok(lock)
}

pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_has_its_own_help() {
        let full = io::Error::new(StorageFull, "a/b is full");
        assert_eq!(
            failed(Path::new("a"), &full).help.as_deref(),
            Some("free some disk space")
        );
    }
}
