//! Atomic replacement of files: all are written as temporary files in the same folders,
//! and then renamed over the old ones.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Error;

/// Writes each text to its path, whose folder must exist. No file is replaced before
/// all are written.
///
/// # Errors
///
/// When a file can't be written. The old files are then unchanged, unless renaming
/// failed after the first.
pub fn replace(files: &[(PathBuf, String)]) -> Result<(), Error> {
    let mut prepared = Vec::new();
    for (path, text) in files {
        prepared.push(prepare(path, text).map_err(Error::writing(path))?);
    }
    for (file, (path, _)) in prepared.into_iter().zip(files) {
        file.persist(path)
            .map_err(|error| Error::writing(path)(error.error))?;
    }
    Ok(())
}

fn prepare(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".proof-peers-");
    // A temporary file is private by default; this one becomes a committed file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    if let Ok(present) = fs::metadata(path) {
        file.as_file().set_permissions(present.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "before").unwrap();
        replace(&[(old.clone(), "a".into()), (new.clone(), "b".into())]).unwrap();
        assert_eq!(fs::read_to_string(old).unwrap(), "a");
        assert_eq!(fs::read_to_string(new).unwrap(), "b");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn nothing_is_replaced_when_one_file_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old");
        fs::write(&old, "before").unwrap();
        let nowhere = folder.path().join("missing").join("new");
        let error = replace(&[(old.clone(), "a".into()), (nowhere, "b".into())]).unwrap_err();
        assert!(error.to_string().starts_with("write "), "{error}");
        assert_eq!(fs::read_to_string(old).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
