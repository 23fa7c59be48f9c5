//! Where the line tables of an executable of macOS are, and when they are not used. Of the
//! workflow's machines, the one with macOS runs these tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use alloc_symbols::{Executable, Problem};
use object::Object;

use crate::check_lines;
use crate::program::{self, LINES, Program};

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(end));
    files
}

/// The path that the message names as a missing object file. No site has its line then.
fn missing(program: &Program) -> PathBuf {
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    for site in program.run() {
        let frames = symbols.frames(&site.stacks[0]);
        assert_eq!(crate::of_the_workspace(&frames).count(), 0);
    }
    match symbols.problem() {
        Some(Problem::MissingObjectFiles(path)) => path.into(),
        other => panic!("{other:?}"),
    }
}

#[test]
#[cfg_attr(not(target_os = "macos"), ignore = "it links for macOS")]
fn lines_are_in_the_bundle_of_this_executable() {
    let program = Program::build("packed", &[LINES, "-Csplit-debuginfo=packed"]);
    assert_eq!(files(&program::folder("packed"), ".o"), [] as [PathBuf; 0]);
    check_lines(&program);

    // One that was made of another executable is not used.
    let bundle = program.executable.with_extension("dSYM");
    let path = files(&bundle.join("Contents/Resources/DWARF"), "").remove(0);
    let mut bytes = fs::read(&path).unwrap();
    let executable = fs::read(&program.executable).unwrap();
    let id = object::File::parse(&*executable).unwrap().mach_uuid();
    let id = id.unwrap().unwrap();
    let at = bytes.windows(16).position(|bytes| bytes == id).unwrap();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    missing(&program);
}

#[test]
#[cfg_attr(not(target_os = "macos"), ignore = "it links for macOS")]
fn object_files_that_are_missing_or_written_again_are_not_read() {
    // Those of the library are members of its archive.
    let program = Program::build("objects", &[LINES, "-Csplit-debuginfo=unpacked"]);
    check_lines(&program);
    let folder = program::folder("objects");
    let objects = [files(&folder, ".o"), files(&folder, ".rlib")].concat();
    for object in &objects {
        let later = SystemTime::now() + Duration::from_secs(2);
        let file = File::options().write(true).open(object).unwrap();
        file.set_modified(later).unwrap();
    }
    assert!(objects.contains(&missing(&program)));
    for object in &objects {
        fs::remove_file(object).unwrap();
    }
    assert!(objects.contains(&missing(&program)));
}
