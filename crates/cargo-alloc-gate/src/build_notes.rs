//! [`BuiltFile`]: a file that cargo built, with a note beside it that names the workspace in
//! which it was built.
//!
//! Cargo names what it builds from a package by the package's place in its workspace, and
//! decides by the times of sources whether to build. In a target folder that two checkouts of
//! a repository share, it takes the programs of one checkout for up-to-date programs of the other.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cargo_metadata::Artifact;

/// A file that cargo built from a package below the root of the workspace.
pub(crate) struct BuiltFile {
    pub(crate) path: PathBuf,
    /// The source that names the others.
    source: PathBuf,
    /// Whether an earlier call of cargo built it.
    is_fresh: bool,
    modified: Option<SystemTime>,
}

impl BuiltFile {
    /// `None` for a package that all workspaces have from the same place.
    pub(crate) fn new(artifact: &Artifact, root: &Path) -> Option<Self> {
        let is_path = artifact.package_id.repr.contains("path+file:");
        if !is_path || !artifact.manifest_path.starts_with(root) {
            return None;
        }
        let path = artifact.filenames.first()?.as_std_path();
        Some(Self {
            path: path.to_path_buf(),
            source: artifact.target.src_path.as_std_path().to_path_buf(),
            is_fresh: artifact.fresh,
            modified: modified(path),
        })
    }

    /// Makes the source newer than the file, so that cargo builds it again.
    pub(crate) fn outdate(&self) -> io::Result<()> {
        let source = File::options().append(true).open(&self.source)?;
        source.set_modified(SystemTime::now())
    }

    fn note_path(&self) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(".built-in");
        path.into()
    }

    /// The note of this version of the file.
    fn text(&self, root: &str) -> String {
        let since = self.modified.map(|time| time.duration_since(UNIX_EPOCH));
        let time = since.and_then(Result::ok).unwrap_or_default().as_nanos();
        format!("{time} {root}")
    }
}

/// Notes that files were built in the workspace at `root`. Returns those that may have been
/// built in another. In a folder inside of this workspace, a file without a note is ours.
pub(crate) fn note<'f>(files: &'f [BuiltFile], root: &Path) -> Vec<&'f BuiltFile> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let root = real(root);
    let is_private = files.iter().all(|file| real(&file.path).starts_with(&root));
    let own_root = root.display().to_string();
    let mut others = Vec::new();
    for file in files {
        let text = file.text(&own_root);
        let noted = fs::read_to_string(file.note_path()).ok();
        let noted_root = noted.as_deref().and_then(|noted| noted.split_once(' '));
        let is_ours = match noted_root {
            _ if !file.is_fresh || noted.as_ref() == Some(&text) => true,
            Some((_, root)) => is_private && root == own_root,
            None => is_private,
        };
        if is_ours {
            // Without its note, the file is built once more.
            let _ = fs::write(file.note_path(), text);
        } else {
            others.push(file);
        }
    }
    others
}

/// The time when a file was written.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}
