//! Where the line tables of an executable of macOS are, and when they are not used. Of the
//! workflow's machines, the one with macOS runs these tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use alloc_symbols::{Executable, Frame, Problem};
use object::Object;

use crate::program::{self, Program};
use crate::{check_lines, line, of_the_workspace};

const LINE_TABLES: &str = "debug = \"line-tables-only\"\n";

/// The problem after the stacks of all sites were looked up, and how many have their lines.
fn looked_up(program: &Program) -> (Option<Problem>, usize) {
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    let mut right = 0;
    for site in program.run() {
        let frames = symbols.frames(&site.stacks[0]);
        assert!(frames.iter().all(|frame| !frame.function.is_empty()));
        let blamed = of_the_workspace(&frames).next();
        right += usize::from(
            blamed.is_some_and(|frame| program.marks.inner[&site.name].contains(&line(frame))),
        );
    }
    (symbols.problem().cloned(), right)
}

/// The object files of the crate `planted`, in the folder in which cargo leaves them.
fn objects(program: &Program) -> Vec<PathBuf> {
    let folder = program.executable.parent().unwrap().join("deps");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let objects = files.filter(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with("planted-") && name.ends_with(".o")
    });
    objects.collect()
}

fn bundle(executable: &Path) -> PathBuf {
    let mut folder = executable.as_os_str().to_owned();
    folder.push(".dSYM/Contents/Resources/DWARF");
    let file = fs::read_dir(folder).unwrap().next().unwrap();
    file.unwrap().path()
}

#[test]
#[cfg_attr(not(target_os = "macos"), ignore = "it links for macOS")]
fn lines_are_in_the_bundle_of_this_executable() {
    let options = format!("{LINE_TABLES}split-debuginfo = \"packed\"");
    let program = Program::build("packed", &options);
    assert_eq!(objects(&program), [] as [PathBuf; 0]);
    check_lines(&program);

    // One that was made of another executable is not used.
    let path = bundle(&program.executable);
    let original = fs::read(&path).unwrap();
    let executable = fs::read(&program.executable).unwrap();
    let id = object::File::parse(&*executable).unwrap().mach_uuid();
    let id = id.unwrap().unwrap();
    let at = original.windows(16).position(|bytes| bytes == id).unwrap();
    let mut changed = original.clone();
    changed[at] ^= 1;
    fs::write(&path, &changed).unwrap();
    let (problem, right) = looked_up(&program);
    assert!(
        matches!(problem, Some(Problem::MissingObjectFiles(_))),
        "{problem:?}"
    );
    assert_eq!(right, 0);
    fs::write(&path, &original).unwrap();
}

#[test]
#[cfg_attr(not(target_os = "macos"), ignore = "it links for macOS")]
fn object_files_that_are_missing_or_written_again_are_not_read() {
    // What an earlier run left would not be linked again.
    let _ = fs::remove_dir_all(program::folder("objects"));
    let program = Program::build("objects", LINE_TABLES);
    let objects: Vec<_> = objects(&program)
        .into_iter()
        .map(|path| {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            (fs::read(&path).unwrap(), modified, path)
        })
        .collect();
    assert!(objects.len() > 1);
    let each = |change: &dyn Fn(&Path, &[u8], SystemTime)| {
        for (content, modified, path) in &objects {
            change(path, content, *modified);
        }
        looked_up(&program)
    };
    let write = |path: &Path, content: &[u8], modified| {
        fs::write(path, content).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(modified).unwrap();
    };
    let begin = "the line tables are in object files that are missing or were written again, \
                 such as `";
    let end = "`; build the executable again, or with `split-debuginfo = \"packed\"`";
    let check_named = |(problem, right): (Option<Problem>, usize)| {
        let problem = problem.unwrap().to_string();
        let path = problem
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(end));
        let is_named = objects
            .iter()
            .any(|(_, _, object)| Some(object.as_path()) == path.map(Path::new));
        assert!(is_named, "{problem}");
        assert_eq!(right, 0);
    };

    check_named(each(&|path, _, _| fs::remove_file(path).unwrap()));
    check_named(each(&|path, content, modified| {
        write(path, content, modified + Duration::from_secs(2));
    }));
    let (problem, right) = each(&write);
    assert_eq!((problem, right), (None, program.marks.inner.len()));
    let (problem, right) = each(&|path, _, modified| write(path, b"#!/bin/sh", modified));
    assert!(
        matches!(problem, Some(Problem::DamagedLineTables(_))),
        "{problem:?}"
    );
    assert_eq!(right, 0);
}

/// Its object files are members of archives.
#[test]
#[cfg_attr(not(target_os = "macos"), ignore = "it links for macOS")]
fn the_standard_library_has_lines() {
    let program = Program::build("universal", LINE_TABLES);
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    let frames = symbols.frames(&program.run()[0].stacks[0]);
    let is_start = |frame: &&Frame| &*frame.function == "std::rt::lang_start_internal";
    let start = frames.iter().find(is_start).unwrap();
    assert!(start.line.is_some(), "{start:?}");
    let file = start.file.as_deref().unwrap_or_default();
    assert!(file.ends_with("library/std/src/rt.rs"), "{file}");
}
