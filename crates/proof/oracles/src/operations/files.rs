//! Files, in a scratch folder of the process.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use tempfile::TempDir;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    file_written_and_read,
    file_read_in_lines,
    file_that_is_missing,
    folder_listed,
    path_built,
];

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

fn file_read_in_lines() {
    in_a_folder(|folder| {
        let path = folder.path().join("lines");
        if let Ok(file) = File::create(&path) {
            let mut file = BufWriter::with_capacity(512, file);
            for n in 0..200 {
                assert!(writeln!(file, "line {n}").is_ok());
            }
        }
        let lines = File::open(&path).map(|file| BufReader::new(file).lines().count());
        assert_eq!(lines.ok(), Some(200));
    });
}

fn file_that_is_missing() {
    let error = File::open(black_box("no/such/file")).err();
    black_box(error.map(|error| error.to_string()));
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

fn path_built() {
    let path: PathBuf = ["a", "longer", "path", "than", "fits"].iter().collect();
    black_box((path.with_extension("txt"), path.join("file")));
}
