//! Result files: finds those that are named, and those in folders that are named, and reads
//! them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use alloc_results::{Stream, read_streams};

use crate::failure::Failure;
use crate::files;

/// A file with results.
pub(crate) struct ResultFile {
    pub(crate) path: PathBuf,
    /// Whether a folder was named, and not the file itself.
    pub(crate) in_folder: bool,
}

const RECORD: &str = "`cargo alloc-gate run` records results, and prints the paths";

/// The files that are named, and the `*.jsonl` files of each folder that is named and of
/// the folders in it, as CI systems unpack artifacts.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<ResultFile>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(ResultFile {
                path: path.clone(),
                in_folder: false,
            });
            continue;
        }
        let files = in_folder(path).map_err(|error| unreadable(path, &error))?;
        if files.is_empty() {
            return Err(Failure::bench_failed(format!(
                "no results found in {}: neither it nor a folder in it has a `*.jsonl` file",
                path.display()
            ))
            .help("`cargo alloc-gate run --output DIR` writes results to a folder"));
        }
        found.extend(files.into_iter().map(|path| ResultFile {
            path,
            in_folder: true,
        }));
    }
    Ok(found)
}

/// Reads the streams of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Stream>, Failure> {
    let text = files::read(path).map_err(|error| unreadable(path, &error))?;
    read_streams(&path.display().to_string(), &text).map_err(|error| {
        Failure::bench_failed(error.to_string())
            .help("the file was not used; measure again with `cargo alloc-gate run`")
    })
}

fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(entries(&path)?);
        } else {
            files.push(path);
        }
    }
    files.retain(|path| {
        let is_named = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        is_named && !path.is_dir()
    });
    Ok(files)
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::bench_failed(format!(
        "failed to read results from {}: {error}",
        path.display()
    ))
    .help(RECORD)
}
