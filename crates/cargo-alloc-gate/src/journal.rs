//! Replaces several files together. The new texts are first written to a folder below the
//! target folder; if the program is killed while it puts them in their places, the next
//! start puts the rest there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files::{self, failed};
use crate::scratch::locked;

/// The folder below the target folder, which has a lock and one of the folders below.
const FOLDER: &str = "alloc-gate/journal";
/// Texts that are not whole yet.
const STAGED: &str = "staged";
/// Texts that are whole, and go to their places.
const COMMITTED: &str = "committed";

/// A file to replace.
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What was found of a program that was killed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    /// These files were put in their places.
    Completed(Vec<PathBuf>),
    /// This file was edited since, so all files stay as they are.
    Edited(PathBuf),
}

/// Replaces all files, or none if one can't be replaced.
pub(crate) fn replace(target: &Path, replacements: &[Replacement]) -> Result<(), Failure> {
    let folder = target.join(FOLDER);
    let unwritable = |error: io::Error| failed(&folder, &error);
    fs::create_dir_all(&folder).map_err(unwritable)?;
    let _lock = locked(&folder).map_err(unwritable)?;
    let entries = commit(&folder, replacements).map_err(unwritable)?;
    for (index, entry) in entries.iter().enumerate() {
        if let Err(error) = entry.put() {
            for entry in &entries[..index] {
                entry
                    .put_back()
                    .map_err(|error| failed(&entry.path, &error))?;
            }
            remove(&folder.join(COMMITTED)).map_err(unwritable)?;
            return Err(failed(&entry.path, &error));
        }
    }
    remove(&folder.join(COMMITTED)).map_err(unwritable)
}

/// Puts the files in their places that a killed program has left in the target folder.
pub(crate) fn complete(target: &Path) -> Result<Found, Failure> {
    let folder = target.join(FOLDER);
    if !folder.join(STAGED).exists() && !folder.join(COMMITTED).exists() {
        return Ok(Found::Nothing);
    }
    complete_in(&folder).map_err(|error| failed(&folder, &error))
}

fn complete_in(folder: &Path) -> io::Result<Found> {
    let _lock = locked(folder)?;
    remove(&folder.join(STAGED))?;
    let committed = folder.join(COMMITTED);
    let entries = entries(&committed)?;
    let left: Vec<&Entry> = entries.iter().filter(|e| e.after.exists()).collect();
    for entry in &left {
        let present = read_if_there(&entry.path)?;
        let is_known =
            present == read_if_there(&entry.before)? || present == read_if_there(&entry.after)?;
        if !is_known {
            remove(&committed)?;
            return Ok(Found::Edited(entry.path.clone()));
        }
    }
    for entry in &left {
        entry.put()?;
    }
    let put: Vec<PathBuf> = left.iter().map(|entry| entry.path.clone()).collect();
    remove(&committed)?;
    Ok(if put.is_empty() {
        Found::Nothing
    } else {
        Found::Completed(put)
    })
}

/// The files of a replacement in the journal.
struct Entry {
    /// Where the new text belongs.
    path: PathBuf,
    /// The text that is replaced; there is no file if there was none.
    before: PathBuf,
    /// The new text, until it is in its place.
    after: PathBuf,
}

impl Entry {
    fn new(folder: &Path, index: usize, path: PathBuf) -> Self {
        Self {
            path,
            before: folder.join(format!("{index}.before")),
            after: folder.join(format!("{index}.after")),
        }
    }

    fn put(&self) -> io::Result<()> {
        files::put(&self.after, &self.path)
    }

    fn put_back(&self) -> io::Result<()> {
        if self.before.exists() {
            files::put(&self.before, &self.path)
        } else {
            fs::remove_file(&self.path)
        }
    }
}

/// Writes the texts to the journal. From here on they get to their places.
fn commit(folder: &Path, replacements: &[Replacement]) -> io::Result<Vec<Entry>> {
    let staged = folder.join(STAGED);
    remove(&staged)?;
    fs::create_dir(&staged)?;
    for (index, Replacement { path, text }) in replacements.iter().enumerate() {
        let Entry { before, after, .. } = Entry::new(&staged, index, path.clone());
        if let Some(present) = read_if_there(path)? {
            files::write_synced(&before, &present)?;
        }
        files::write_synced(&after, text.as_bytes())?;
        let path = path.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        files::write_synced(&staged.join(format!("{index}.path")), path.as_bytes())?;
    }
    let committed = folder.join(COMMITTED);
    remove(&committed)?;
    fs::rename(staged, &committed)?;
    files::sync_folder(folder);
    entries(&committed)
}

/// The replacements in a folder, in their order; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    while let Some(path) = read_if_there(&folder.join(format!("{}.path", entries.len())))? {
        let path = String::from_utf8(path).map_err(|_| io::ErrorKind::InvalidData)?;
        entries.push(Entry::new(folder, entries.len(), PathBuf::from(path)));
    }
    Ok(entries)
}

fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files `a` and `b` of one baseline, where `b` is new, and a target folder.
    struct Files(tempfile::TempDir);

    impl Files {
        fn new() -> Self {
            let files = Self(tempfile::tempdir().unwrap());
            fs::write(files.path("a"), "old").unwrap();
            files
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn replacements(&self) -> [Replacement; 2] {
            ["a", "b"].map(|name| Replacement {
                path: self.path(name),
                text: format!("new {name}"),
            })
        }

        /// As if the program was killed after `put` files were in their places.
        fn killed_after(put: usize) -> Self {
            let files = Self::new();
            let folder = files.path(FOLDER);
            fs::create_dir_all(&folder).unwrap();
            let entries = commit(&folder, &files.replacements()).unwrap();
            entries[..put].iter().for_each(|entry| entry.put().unwrap());
            files
        }

        fn texts(&self) -> [Option<String>; 2] {
            ["a", "b"].map(|name| fs::read_to_string(self.path(name)).ok())
        }

        fn complete(&self) -> Found {
            complete(self.0.path()).unwrap()
        }
    }

    fn new() -> [Option<String>; 2] {
        ["a", "b"].map(|name| Some(format!("new {name}")))
    }

    fn old() -> [Option<String>; 2] {
        [Some(String::from("old")), None]
    }

    #[test]
    fn the_next_start_completes_what_a_kill_left() {
        for put in 0..=2 {
            let files = Files::killed_after(put);
            let left: Vec<_> = ["a", "b"].map(|name| files.path(name))[put..].into();
            let expected = match put {
                2 => Found::Nothing,
                _ => Found::Completed(left),
            };
            assert_eq!(files.complete(), expected, "{put}");
            assert_eq!(files.texts(), new(), "{put}");
            assert_eq!(files.complete(), Found::Nothing, "{put}");
            assert!(!files.path(FOLDER).join(COMMITTED).exists(), "{put}");
        }
    }

    #[test]
    fn a_kill_before_all_texts_are_whole_changes_nothing() {
        let files = Files::new();
        let staged = files.path(FOLDER).join(STAGED);
        fs::create_dir_all(&staged).unwrap();
        fs::write(staged.join("0.after"), "ne").unwrap();
        assert_eq!(files.complete(), Found::Nothing);
        assert_eq!(files.texts(), old());
        assert!(!staged.exists());
    }

    #[test]
    fn a_file_that_was_edited_since_is_left_alone() {
        let files = Files::killed_after(0);
        fs::write(files.path("b"), "mine").unwrap();
        assert_eq!(files.complete(), Found::Edited(files.path("b")));
        assert_eq!(files.texts(), ["old", "mine"].map(|text| Some(text.into())));
        assert_eq!(files.complete(), Found::Nothing);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_target_folder_may_be_on_another_file_system() {
        let files = Files::new();
        // Usually it is one in memory.
        let target = tempfile::tempdir_in("/dev/shm").unwrap();
        replace(target.path(), &files.replacements()).unwrap();
        assert_eq!(files.texts(), new());
        let left = fs::read_dir(files.0.path()).unwrap().count();
        assert_eq!(left, 2, "a temporary file is left");
    }

    #[test]
    fn nothing_is_replaced_if_one_file_cannot_be() {
        let files = Files::new();
        let mut replacements = files.replacements().into();
        let extend: &mut Vec<Replacement> = &mut replacements;
        extend.push(Replacement {
            path: files.path("none/c"),
            text: String::from("new c"),
        });
        assert!(replace(files.0.path(), extend).is_err());
        assert_eq!(files.texts(), old());
        assert_eq!(files.complete(), Found::Nothing);

        replace(files.0.path(), &files.replacements()).unwrap();
        assert_eq!(files.texts(), new());
    }
}
