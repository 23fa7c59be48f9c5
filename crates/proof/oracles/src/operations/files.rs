//! Files, in a scratch folder of the process.

use std::fs::{self, File};
use std::path::PathBuf;

use tempfile::TempDir;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![file_written_and_read, folder_listed,];

/// Runs `work` in a new folder. The folder's name is random but always of the same
/// length, so every run allocates the same sizes.
fn in_a_folder(work: impl FnOnce(&TempDir)) {
    match TempDir::new() {
        Ok(folder) => work(&folder),
        Err(error) => panic!("failed to create a folder: {error}"),
    }
}

fn file_written_and_read() {
    in_a_folder(|folder| {
        let path = folder.path().join("file");
        assert!(fs::write(&path, [1_u8; 10_000]).is_ok());
        assert_eq!(fs::read(&path).ok().map(|bytes| bytes.len()), Some(10_000));
    });
}

/// C's `opendir` allocates memory that Rust's allocator never sees.
fn folder_listed() {
    in_a_folder(|folder| {
        for name in ["a", "b", "c"] {
            assert!(File::create(folder.path().join(name)).is_ok());
        }
        let mut names: Vec<PathBuf> = fs::read_dir(folder.path())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        names.sort_unstable();
        assert_eq!(names.len(), 3);
    });
}
