//! Writes files whole or not at all: a temporary file in the same folder is synced and
//! renamed over the old one, and then the folder is synced.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file that is written, and not yet in its place.
pub(crate) struct Prepared {
    path: PathBuf,
    file: NamedTempFile,
}

impl Prepared {
    /// Writes `text` to a temporary file beside `path`, and makes the folder if needed.
    pub(crate) fn new(path: &Path, text: &[u8]) -> Result<Self, Failure> {
        let prepare = || -> io::Result<NamedTempFile> {
            let folder = folder_of(path);
            if folder.is_file() {
                let problem = format!("{} is not a directory", folder.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, problem));
            }
            fs::create_dir_all(folder)?;
            // Checked before another file of the same command is replaced.
            if path.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let mut file = builder().tempfile_in(folder)?;
            if let Ok(present) = fs::metadata(path) {
                file.as_file().set_permissions(present.permissions())?;
            }
            file.write_all(text)?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        let file = prepare().map_err(|error| failed(path, &error))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
        })
    }

    /// Puts the file in its place.
    pub(crate) fn persist(self) -> Result<(), Failure> {
        let Self { path, file } = self;
        file.persist(&path)
            .map_err(|error| failed(&path, &error.error))?;
        sync_folder(folder_of(&path));
        Ok(())
    }

    /// Puts the file in its place, unless something is there.
    pub(crate) fn persist_new(self) -> Result<(), Failure> {
        let Self { path, file } = self;
        file.persist_noclobber(&path)
            .map_err(|error| failed(&path, &error.error))?;
        sync_folder(folder_of(&path));
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
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
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Writes `text` to `path`, whole or not at all.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    Prepared::new(path, text)?.persist()
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

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::output_failed(format!("failed to write {}: {error}", path.display()))
        .help("make the path writable, or choose another one; an existing file is unchanged")
}
/// The path as a person would type it from the current folder.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let shown = path.strip_prefix(here).unwrap_or(path);
    shown.display().to_string()
}
